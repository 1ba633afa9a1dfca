package session

import (
	"errors"
	"fmt"
	"image"
	"slices"

	"onlooker/capture"
	"onlooker/cmd/internal/agent/drive"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/cli"
	"onlooker/cmd/internal/web"
)

// An Audience is told what a session sees and does, as it happens. All of it is told from one
// goroutine, State alone from any.
type Audience interface {
	// Beat is a frame that was grabbed, looked at or not.
	Beat(see.Beat)
	// Look is what a look came to, with news or without.
	Look(*see.Turn)
	// Board is a board of a look that is new, by its number.
	Board(t *see.Turn, i int) error
	// News is a look with something new, after its boards.
	News(*see.Turn) error
	// Begin is the n-th answer, about to be entered.
	Begin(n int, d *drive.Drive)
	// End is what became of it.
	End(n int, d *drive.Drive) error
	// State is what the session is about, in words; turns says that the mouse starts or
	// stops with it.
	State(words string, turns bool)
}

// deaf is an Audience that hears nothing: others are deaf but for what they hear.
type deaf struct{}

func (deaf) Beat(see.Beat)                  {}
func (deaf) Look(*see.Turn)                 {}
func (deaf) Board(*see.Turn, int) error     { return nil }
func (deaf) News(*see.Turn) error           { return nil }
func (deaf) Begin(int, *drive.Drive)        {}
func (deaf) End(int, *drive.Drive) error    { return nil }
func (deaf) State(words string, turns bool) {}

// audiences are told one after another.
type audiences []Audience

// State tells all of them.
func (all audiences) State(words string, turns bool) {
	all.tell(func(a Audience) { a.State(words, turns) })
}

func (all audiences) tell(what func(Audience)) {
	for _, a := range all {
		what(a)
	}
}

// each tells them what may fail; the first error ends it.
func (all audiences) each(tell func(Audience) error) error {
	for _, a := range all {
		if err := tell(a); err != nil {
			return err
		}
	}
	return nil
}

// A bell is the terminal's: it rings when the mouse starts and stops, and at an answer that
// appears on the screen.
type bell struct {
	deaf
	*Options
}

// News rings once for all answers of a look.
func (b bell) News(t *see.Turn) error {
	b.State("", !b.still() && slices.ContainsFunc(t.Boards, func(s see.Sighting) bool { return s.New && s.Failed == nil }))
	return nil
}

// State rings.
func (b bell) State(_ string, turns bool) {
	if turns && b.bell && !b.json && cli.Terminal(b.Err) {
		fmt.Fprint(b.Err, "\a")
	}
}

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

// sightState is what a look at the screen came to, in a few words.
func sightState(t *see.Turn) string {
	answered, excluded, unsure, read := 0, 0, "", 0
	for i := range t.Boards {
		b := &t.Boards[i]
		switch status := b.Outcome(); {
		case b.Solved():
			answered++
		case status == answer.Unsolvable:
			excluded++
		case status == "":
			read++
		case errors.As(b.Err, new(*see.PartError)):
			unsure = "more to see: " + b.Err.Error()
		case b.Failed != nil:
			unsure = "unsure: " + cli.OneLine(b.Failed.Error())
		case unsure == "":
			unsure = "unsure" // why was told when the board was new
		}
	}
	switch {
	case t.Frame != nil && black(t.Frame):
		return "black picture: " + capture.BlankRemedy()
	case answered > 0:
		return "answered"
	case excluded > 0:
		for _, set := range t.Sets() {
			if line, _ := set.Conclude(); line != "" {
				return line
			}
		}
		return "no solution"
	case unsure != "":
		return unsure
	case read > 0:
		return "reading"
	}
	return "no board"
}

// black tells a picture that is nothing but black.
func black(m *image.RGBA) bool {
	const most = 16 // black in video's limited range
	return len(m.Pix) >= 4 && max(m.Pix[0], m.Pix[1], m.Pix[2]) <= most && capture.Blank(m)
}
