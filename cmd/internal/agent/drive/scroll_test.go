package drive

import (
	"context"
	"errors"
	"image"
	"image/draw"
	"slices"
	"testing"

	"onlooker/calibrations"
	"onlooker/cmd/internal/agent/agenttest"
	"onlooker/cmd/internal/agent/enter"
	"onlooker/cmd/internal/agent/see"
	"onlooker/input"
	"onlooker/vision"
)

// ticking is a page that the wheel does not move, with a clock in a corner that changes from
// one frame to the next.
type ticking struct {
	n  int
	at image.Point
}

func (p *ticking) Grab(context.Context) (*image.RGBA, error) {
	m := image.NewRGBA(p.Bounds())
	draw.Draw(m, image.Rect(500, 0, 600, 40), image.White, image.Point{}, draw.Src)
	p.n++
	draw.Draw(m, image.Rect(500, 0, 500+16*(p.n%6), 40), image.Black, image.Point{}, draw.Src)
	return m, nil
}

func (p *ticking) MoveTo(at image.Point) error   { p.at = at; return nil }
func (p *ticking) MoveBy(int, int) error         { return nil }
func (p *ticking) Press(input.Button) error      { return nil }
func (p *ticking) Release(input.Button) error    { return nil }
func (p *ticking) Key(input.Key) error           { return nil }
func (p *ticking) Pointer() (image.Point, error) { return p.at, nil }
func (p *ticking) Bounds() image.Rectangle       { return image.Rect(0, 0, 600, 400) }
func (p *ticking) Close() error                  { return nil }

// TestWheelBesideClock: the wheel that moves nothing is not turned again the same way because
// a clock beside the board went on, and patience does not begin anew with that.
func TestWheelBesideClock(t *testing.T) {
	agenttest.OnItsOwnClock(t, "a clock", func(t *testing.T) {
		page := &ticking{}
		p := &enter.Player{Source: page, Mouse: page, Motion: calibrations.Motion{Style: calibrations.Drag, Pointer: calibrations.System, StepPixels: 1000, StepMillis: 20, Gain: 1}}
		p.Start()
		frame, _ := page.Grab(t.Context())
		board := &vision.Board{Cols: 3, Rows: 3, ScreenPitch: 60, Quad: [4]vision.Point{{X: 60, Y: 200}, {X: 240, Y: 200}, {X: 240, Y: 380}, {X: 60, Y: 380}}}
		c := &course{Driver: &Driver{Player: p}, last: p.Now(), turn: &see.Turn{Frame: frame, Boards: []see.Sighting{{Reading: see.Reading{Board: board, Err: errors.New("unread")}}}}}
		began := c.last
		for range 6 {
			if _, err := c.turnWheel(t.Context()); err != nil {
				t.Fatal(err)
			}
			c.turn.Frame, _ = page.Grab(t.Context())
		}
		if got := slices.Compact(slices.Sorted(slices.Values(c.scroll.stuck))); len(got) != len(c.scroll.stuck) || c.scroll.times != len(got) || c.last != began {
			t.Errorf("the wheel was turned %d times, stuck %v, last %v, want %v", c.scroll.times, c.scroll.stuck, c.last, began)
		}
	})
}

// TestShows: three boards side by side on a page that is larger than its window
// both ways. The one in the middle was answered, and the wheel has moved the page.
func TestShows(t *testing.T) {
	board := func(x, y, cols, rows int) *vision.Board {
		const pitch = 100
		left, top, right, bottom := float64(x), float64(y), float64(x+cols*pitch), float64(y+rows*pitch)
		return &vision.Board{Cols: cols, Rows: rows, ScreenPitch: pitch,
			Quad: [4]vision.Point{{X: left, Y: top}, {X: right, Y: top}, {X: right, Y: bottom}, {X: left, Y: bottom}}}
	}
	w := wonBoard{board: board(400, 100, 7, 7), slid: image.Pt(-50, -60)}
	for _, c := range []struct {
		name string
		seen *vision.Board
		want bool
	}{
		{"as it was, moved", board(350, 40, 7, 7), true},
		{"its first row lost", board(350, 140, 7, 6), true},
		{"its last column lost", board(350, 40, 6, 7), true},
		{"three columns lost, and a row", board(350, 40, 4, 6), true},
		{"the one beside it, of as many rows", board(1200, 40, 4, 7), false},
		{"the one beside it, of as many columns", board(1200, 40, 7, 3), false},
		{"the one below it", board(350, 900, 7, 7), false},
	} {
		if got := w.shows(c.seen); got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}
