package agent

import (
	"context"
	"math"
	"slices"
	"time"

	"onlooker/calibrations"
	"onlooker/input"
	"onlooker/vision"
)

// A page may be larger than its window: a board that is cut off there cannot be
// read, and the wheel brings it into sight. Whether it does is found out by
// turning it.

const (
	// scrollAfter is how long a picture with a board that cannot be read must be
	// still before the wheel is turned: what comes on or fades is done by then.
	scrollAfter = 900 * time.Millisecond
	// wonAfter is the same where the board may be one whose answer was accepted and
	// whose line hides what it was: clients that show another one instead do so within
	// this.
	wonAfter = 3 * time.Second
	// maxScrolls is how often the wheel is turned for one board.
	maxScrolls = 16
	// cutWithin is how far, in pitches, the border of a board that is cut off by the
	// window is from the border of the frame at most: a line of cells, and the bars
	// that a window has there.
	cutWithin = 3.0
)

// A scroll is what is known about turning the wheel for a board that is cut off.
type scroll struct {
	what  string    // the board, by its complaint
	since time.Time // that it is complained of
	times int
	stuck []input.Button // ways in which nothing moves, or which did not help
}

// A won is where a board stood whose answer was accepted, and in which ways the
// wheel has moved it since.
type won struct {
	board        *vision.Board
	slidX, slidY bool
}

// shows tells whether a board may be the one that was answered: it is where that
// was, but for how the wheel moved it; one that is cut off now has lost rows or
// columns, not both.
func (w *won) shows(b *vision.Board) bool {
	at, now, pitch := centre(w.board), centre(b), b.ScreenPitch
	if w.slidX && w.slidY {
		return w.board.Cols == b.Cols || w.board.Rows == b.Rows
	}
	return (w.slidX || math.Abs(at.X-now.X) < pitch) && (w.slidY || math.Abs(at.Y-now.Y) < pitch)
}

// cutOff is the board of the last Turn that cannot be read and is nearest to a
// border of the frame, and the way in which the wheel may bring more of it; nil
// where there is none. Boards whose answers were accepted come after all others.
func (c *course) cutOff() (board *Sighting, way input.Button, answered bool) {
	if board, way = c.nearest(false); board != nil {
		return board, way, false
	}
	board, way = c.nearest(true)
	return board, way, true
}

// nearest is the board that cutOff is about, of those that were answered or of the
// others.
func (c *course) nearest(answered bool) (board *Sighting, way input.Button) {
	size := c.turn.Frame.Rect.Size()
	nearest := cutWithin
	for i := range c.turn.Boards {
		b := &c.turn.Boards[i]
		won := func(w won) bool { return w.shows(b.Board) }
		if b.Err == nil || b.Board.Pillar || slices.ContainsFunc(c.won, won) != answered {
			continue
		}
		box := area(b.Board)
		for side, off := range map[input.Button]int{
			input.WheelDown: size.Y - box.Max.Y, input.WheelRight: size.X - box.Max.X, input.WheelUp: box.Min.Y, input.WheelLeft: box.Min.X,
		} {
			if far := float64(off) / b.Board.ScreenPitch; far < nearest && !slices.Contains(c.scroll.stuck, side) {
				board, way, nearest = b, side, far
			}
		}
	}
	return board, way
}

// mayScroll tells whether the wheel is to be turned for a board that is cut off:
// in a client that shows the system's pointer, once the picture has been still
// for a while.
func (c *course) mayScroll() bool {
	if c.Player.Motion.Pointer == calibrations.Drawn || c.DryRun || c.scroll.times >= maxScrolls {
		return false
	}
	b, _, answered := c.cutOff()
	if b == nil {
		c.scroll.what = ""
		return false
	}
	if what := complaint(b); what != c.scroll.what {
		c.scroll.what, c.scroll.since = what, c.Player.now
		return false
	}
	if answered {
		return c.Player.since(c.scroll.since) > wonAfter
	}
	return c.Player.since(c.scroll.since) > scrollAfter
}

// turnWheel turns the wheel over a board that is cut off, as long as that brings
// something.
func (c *course) turnWheel(ctx context.Context) (State, error) {
	b, way, _ := c.cutOff()
	if b == nil {
		return Find, nil
	}
	s := &c.scroll
	s.times++
	before, err := c.Player.still(ctx, time.Second)
	if err != nil {
		return "", err
	}
	if err := c.Player.point(ctx, within(centre(b.Board), before.Rect.Dx(), before.Rect.Dy())); err != nil {
		return "", err
	}
	// A notch at a time: pages go 50 to 120 pixels by it, and one that is nearly as
	// high as its window has few places at which all of it is seen.
	if err := c.Player.play(ctx, append(input.Click(way), wait(150*time.Millisecond))...); err != nil {
		return "", err
	}
	after, err := c.Player.still(ctx, time.Second)
	if err != nil {
		return "", err
	}
	if !shrink(after).differs(shrink(before)) {
		c.Player.logf("a board is cut off by the window's edge, or cannot be read: the wheel brings no more of it %s", wheelWord(way))
		s.stuck = append(s.stuck, way)
		return Find, nil
	}
	c.Player.logf("a board may be cut off by the window's edge: the wheel was turned %s", wheelWord(way))
	// It is not turned back for the same board.
	back := map[input.Button]input.Button{input.WheelDown: input.WheelUp, input.WheelUp: input.WheelDown, input.WheelLeft: input.WheelRight, input.WheelRight: input.WheelLeft}
	s.stuck = append(s.stuck, back[way])
	s.what = ""
	for i := range c.won {
		if way == input.WheelUp || way == input.WheelDown {
			c.won[i].slidY = true
		} else {
			c.won[i].slidX = true
		}
	}
	return Find, nil
}

// within is a place of a frame, brought into it where it lies outside.
func within(p vision.Point, w, h int) vision.Point {
	const border = 40 // pixels: bars of the window
	return vision.Point{X: math.Max(border, math.Min(p.X, float64(w-border))), Y: math.Max(border, math.Min(p.Y, float64(h-border)))}
}

func wheelWord(way input.Button) string {
	return map[input.Button]string{input.WheelUp: "up", input.WheelDown: "down", input.WheelLeft: "to the left", input.WheelRight: "to the right"}[way]
}
