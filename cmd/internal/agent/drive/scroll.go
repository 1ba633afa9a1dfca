package drive

import (
	"context"
	"image"
	"math"
	"slices"
	"time"

	"onlooker/calibrations"
	"onlooker/cmd/internal/agent/see"
	"onlooker/input"
	"onlooker/vision"
)

// A page may be larger than its window: a board that is cut off there cannot be
// read, and the wheel brings it into sight. Whether it does is found out by
// turning it.

const (
	// scrollAfter is how long a picture with a board that cannot be read must be
	// still before the wheel is turned. Of 70 pictures of the web Challenge on which
	// panels were coming on or going, half stood for 0.8 s unread and the longest for
	// 1.9. A turn too early costs 0.3 s, and a board that is cut off waits for each of
	// its turns.
	scrollAfter = 900 * time.Millisecond
	// unreadAfter is how long looks may read nothing before those are tried of which nothing is
	// known: longer than any of those pictures stood.
	unreadAfter = 2 * time.Second
	// wonAfter is the same where the board may be one whose answer was accepted and
	// whose line hides what it was: one and a half times the longest of those, since
	// there is most often nothing to be scrolled to.
	wonAfter = 3 * time.Second
	// maxScrolls is how often the wheel is turned for one board: 50 pixels a turn, the
	// least that pages were seen to go, make 800, the height of a window.
	maxScrolls = 16
	// cutWithin is how far, in pitches, the border of a board that is cut off by the
	// window is from the border of the frame at most: a row of cells that is cut, at
	// most one, half of one round the board, and the bars that a window has there, of
	// a browser 91 pixels or 1.1 pitches of the web Challenge's.
	cutWithin = 3.0
)

// A scroll is what is known about turning the wheel for a board that is cut off.
type scroll struct {
	what  string    // the board, by its complaint
	since time.Time // that it is complained of
	times int
	stuck []input.Button  // ways in which nothing moves
	box   image.Rectangle // where the board stood at the last turn
	stood see.Thumb       // what was seen there after it
	first input.Button    // the way that the wheel was turned first; 0: it was not
	moved bool            // the wheel moved what is looked at: it is no game's view
}

// seen is what a frame shows where the board stood. What changes elsewhere, as a clock, says
// nothing of the wheel.
func (s *scroll) seen(f *image.RGBA) see.Thumb {
	return see.Shrink(f.SubImage(s.box).(*image.RGBA))
}

// A wonBoard is where a board stands whose answer was accepted: where it was then, and
// how far it was seen to move since, in pixels. A lattice looks the same a pitch further: until
// the wheel is turned it may stand where it did all the same.
type wonBoard struct {
	board  *vision.Board
	slid   image.Point
	turned bool
}

// shows tells whether a board may be the one that was answered: its middle is where
// that has its own, but for half of the rows and columns that it has lost at a
// border of the window, and a pitch.
func (w *wonBoard) shows(b *vision.Board) bool {
	was, now := w.board.Centre(), b.Centre()
	near := func(off float64, lost int) bool {
		return math.Abs(off) < b.ScreenPitch*(1+math.Abs(float64(lost))/2)
	}
	at := func(slid image.Point) bool {
		return near(now.X-was.X-float64(slid.X), w.board.Cols-b.Cols) && near(now.Y-was.Y-float64(slid.Y), w.board.Rows-b.Rows)
	}
	return at(w.slid) || !w.turned && at(image.Point{})
}

// ways are how the wheel brings more of what is cut off at a side: left, right, top,
// bottom.
var ways = [4]input.Button{input.WheelLeft, input.WheelRight, input.WheelUp, input.WheelDown}

// arrows are keys that move a page the same ways, and not as far as the wheel does; they say
// which way it is.
var arrows = [4]input.Key{"left", "right", "up", "down"}

// cutOff is the board of the last Turn that cannot be read and is nearest to a
// border of the frame, and the way in which the wheel may bring more of it; nil
// where there is none. Boards whose answers were accepted come after all others.
func (c *course) cutOff() (board *see.Sighting, way input.Button, answered bool) {
	c.follow(c.turn.Frame)
	if s := &c.scroll; len(s.stuck) > 0 && s.seen(c.turn.Frame).Differs(s.stood) {
		s.stuck, c.last = nil, c.Player.Now() // a busy page moves late
	}
	if board, way = c.nearest(false); board != nil {
		return board, way, false
	}
	board, way = c.nearest(true)
	return board, way, true
}

// nearest is the board that cutOff is about, of those that were answered or of the
// others.
func (c *course) nearest(answered bool) (board *see.Sighting, way input.Button) {
	size := c.turn.Frame.Rect.Size()
	nearest := cutWithin
	for i := range c.turn.Boards {
		b := &c.turn.Boards[i]
		won := func(w wonBoard) bool { return w.shows(b.Board) }
		if b.Err == nil || b.Board.Pillar || slices.ContainsFunc(c.won, won) != answered {
			continue
		}
		box := b.Board.Area()
		for side, off := range [4]int{box.Min.X, size.X - box.Max.X, box.Min.Y, size.Y - box.Max.Y} {
			far := float64(off) / b.Board.ScreenPitch
			if b.Board.Cut[side] { // it is known there
				far -= cutWithin
			}
			if to := ways[side]; far < nearest && !slices.Contains(c.scroll.stuck, to) {
				board, way, nearest = b, to, far
			}
		}
	}
	return board, way
}

// mayScroll tells whether the wheel is to be turned for a board that is cut off, once the
// picture has been still for a while: not in a game that draws its own pointer, and where it
// is not known yet whether the client is that one, after a longer while.
func (c *course) mayScroll() bool {
	if c.DryRun || c.scroll.times >= maxScrolls {
		return false
	}
	b, _, answered := c.cutOff()
	if b == nil {
		c.scroll.what = ""
		return false
	}
	drawn := c.Player.Motion.Pointer == calibrations.Drawn && !c.scroll.moved
	if drawn && (c.accepted > 0 || c.Player.Solving() || b.Board.Cut == [4]bool{}) {
		return false
	}
	if what := b.Complaint(); what != c.scroll.what {
		c.scroll.what, c.scroll.since = what, c.Player.Now()
		return false
	}
	if answered || drawn {
		return c.Player.Since(c.scroll.since) > wonAfter
	}
	return c.Player.Since(c.scroll.since) > scrollAfter
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
	for i := range c.won {
		c.won[i].turned = true
	}
	s.box = b.Board.Area()
	before, err := c.Player.Still(ctx, time.Second)
	if err != nil {
		return "", err
	}
	if err := c.Player.Point(ctx, within(b.Board.Centre(), before.Rect.Dx(), before.Rect.Dy())); err != nil {
		return "", err
	}
	// A notch at a time: pages go 50 to 120 pixels by it. A board that is nearly as high
	// as its window has few places at which all of it is seen. One that was passed is
	// gone back to with an arrow key, which moves the web client's page by 40 pixels
	// where the wheel does by 53: so to and fro it comes to a place every 13 pixels.
	side := slices.Index(ways[:], way)
	events := input.Click(way)
	if s.first == 0 {
		s.first = way
	} else if s.first == ways[side^1] {
		events = []input.Event{{Op: input.Tap, Key: arrows[side]}}
	}
	if err := c.Player.Play(ctx, append(events, input.Event{Op: input.Wait, D: 150 * time.Millisecond})...); err != nil {
		return "", err
	}
	after, err := c.Player.Still(ctx, time.Second)
	if err != nil {
		return "", err
	}
	s.stood = s.seen(after)
	if !s.stood.Differs(s.seen(before)) {
		c.Player.Logf("a board is cut off by the window's edge, or cannot be read: the wheel brings no more of it: %s", arrows[side])
		s.stuck = append(s.stuck, way)
		return Find, nil
	}
	c.Player.Logf("a board may be cut off by the window's edge: more of it is brought: %s", arrows[side])
	// Patience begins anew with that; maxScrolls ends it.
	s.what, s.moved, c.last = "", true, c.Player.Now()
	return Find, nil
}

// follow keeps how far what is seen has moved since the frame that it was asked
// for last.
func (c *course) follow(frame *image.RGBA) {
	if len(c.won) > 0 && see.Shrink(frame).Differs(see.Shrink(c.page)) {
		by := vision.Slide(c.page, frame)
		for i := range c.won {
			c.won[i].slid = c.won[i].slid.Add(by)
		}
	}
	c.page = frame
}

// within is a place of a frame, brought into it where it lies outside.
func within(p vision.Point, w, h int) vision.Point {
	const border = 40 // pixels: bars of the window
	return vision.Point{X: math.Max(border, math.Min(p.X, float64(w-border))), Y: math.Max(border, math.Min(p.Y, float64(h-border)))}
}
