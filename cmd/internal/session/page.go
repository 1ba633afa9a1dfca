package session

import (
	"onlooker/cmd/internal/agent/drive"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/web"
)

// A page is the live page, on this machine or on a phone.
type page struct {
	deaf
	live *web.LiveView
}

// Beat shows the frame.
func (p page) Beat(b see.Beat) { p.live.Beat(b) }

// Look shows the answers in it.
func (p page) Look(t *see.Turn) {
	p.live.State(sightState(t))
	p.live.Turn(t)
}

// Begin shows the answer.
func (p page) Begin(n int, d *drive.Drive) { p.live.Turn(d.Turn(n)) }

// State says it.
func (p page) State(words string, _ bool) { p.live.Say(words) }
