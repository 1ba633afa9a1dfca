package drive

import (
	"errors"
	"image"
	"testing"
	"time"

	"onlooker/calibrations"
	"onlooker/cmd/internal/agent/agenttest"
	"onlooker/cmd/internal/agent/enter"
	"onlooker/cmd/internal/agent/see"
	"onlooker/solve/solvetest"
	"onlooker/solve/switches"
	visionswitches "onlooker/vision/switches"
)

// TestDriverClicks drives a whole board of lamps, from what is seen to all of them
// lit; a client by other rules is left alone after two clicks.
func TestDriverClicks(t *testing.T) {
	look := solvetest.Must(calibrations.Load("switches-cells"))(t)
	for _, row := range []struct {
		why    string
		flips  func(n int, cell image.Point) []image.Point
		clicks int // at the most
		want   bool
	}{
		{"a plain client", func(_ int, cell image.Point) []image.Point { return agenttest.Cross(cell) }, 2, true},
		{"a client that loses a click", func(n int, cell image.Point) []image.Point {
			if n == 1 {
				return nil
			}
			return agenttest.Cross(cell)
		}, 3, true},
		{"a client by other rules", func(_ int, cell image.Point) []image.Point {
			return []image.Point{cell, {X: (cell.X + 1) % agenttest.LampCols, Y: (cell.Y + 1) % agenttest.LampRows}}
		}, 2, false},
	} {
		agenttest.OnItsOwnClock(t, row.why, func(t *testing.T) {
			look.Cells.Goal = "on"
			l := &agenttest.Lamps{Flips: row.flips}
			for r := range agenttest.LampRows {
				for c := range agenttest.LampCols {
					l.Lit[r][c] = true
				}
			}
			for _, cell := range []image.Point{{X: 1, Y: 1}, {X: 3, Y: 0}} {
				for _, q := range agenttest.Cross(cell) {
					l.Lit[q.Y][q.X] = !l.Lit[q.Y][q.X]
				}
			}
			l.Was = l.Lit
			d := &Driver{
				Player:   &enter.Player{Source: agenttest.LampSource{Lamps: l}, Mouse: l},
				Observer: &see.Observer{Eye: &see.Eye{Games: []see.Game{{Family: &switches.Family, Scan: visionswitches.Scan}}, Profiles: []*calibrations.Profile{look}}},
				Want:     1, Patience: 5 * time.Second,
			}
			got := watched(t.Context(), d)
			var other *enter.OtherwiseError
			if accepted := got.err == nil; accepted != row.want || !row.want && !errors.As(got.err, &other) {
				t.Errorf("%v", got)
			}
			if len(l.Clicked) > row.clicks {
				t.Errorf("clicked %v, want %d clicks at the most", l.Clicked, row.clicks)
			}
			for _, cells := range l.Lit {
				for _, on := range cells {
					if row.want && !on {
						t.Fatalf("lamps %v, want all lit", l.Lit)
					}
				}
			}
		})
	}
}
