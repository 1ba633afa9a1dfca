package enter

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"time"

	"onlooker/calibrations"
	"onlooker/input"
	"onlooker/vision"
	"onlooker/vision/trail"
)

// Enter goes into solve mode with a click. The first time it waits until the
// cursor can be looked for; later the cursor is taken to begin where it began
// before.
func (p *Player) Enter(ctx context.Context) error {
	if p.Motion.Pointer != calibrations.Drawn {
		return nil // there is no mode to enter, as far as is known
	}
	p.cursor, p.bare = vision.Point{}, nil
	bare, err := p.Grab(ctx)
	if err != nil {
		return err
	}
	if err := p.Play(ctx, append(input.Click(input.Left), wait(60*time.Millisecond))...); err != nil {
		return err
	}
	p.solving = true
	if p.home != (vision.Point{}) && p.cursorGain > 0 {
		p.cursor, p.bare = p.home, bare
		return nil
	}
	p.fresh = true
	_, err = p.Still(ctx, 1500*time.Millisecond)
	return err
}

// Leave drops the line and steps back out of solve mode.
func (p *Player) Leave(ctx context.Context) error {
	if !p.solving {
		return nil
	}
	p.solving = false
	p.righted = p.now
	return p.Play(ctx, append(input.Click(input.Right), wait(60*time.Millisecond))...)
}

// probe is how far the cursor is moved to be seen, in units of motion.
const probe = 60

// find moves the cursor a little and sees where it is, and how far a unit of
// motion carries it.
func (p *Player) find(ctx context.Context) (*image.RGBA, error) {
	before, err := p.Still(ctx, time.Second)
	if err != nil {
		return nil, err
	}
	radius := p.Cursor.Radius * float64(before.Rect.Dy())
	fresh := p.fresh
	p.fresh = false
	// Down and to the right, then back: the cursor may sit at a border.
	for i, d := range []image.Point{{X: probe, Y: probe}, {X: -probe, Y: -probe}, {X: -probe, Y: probe}, {X: probe, Y: -probe}} {
		if err := p.Play(ctx, move(d.X/2, d.Y/2), wait(20*time.Millisecond), move(d.X-d.X/2, d.Y-d.Y/2), wait(40*time.Millisecond)); err != nil {
			return nil, err
		}
		now, err := p.Still(ctx, time.Second)
		if err != nil {
			return nil, err
		}
		to, ok := trail.Brightened(before, now, radius)
		from, ok2 := trail.Brightened(now, before, radius)
		if ok {
			p.cursor = to
		}
		if ok && ok2 {
			gain := from.Dist(to) / (probe * math.Sqrt2)
			// The way that is seen must be the way that was gone.
			straight := (to.X-from.X)*float64(d.X)+(to.Y-from.Y)*float64(d.Y) > 0.98*from.Dist(to)*probe*math.Sqrt2
			known := p.cursorGain == 0 || math.Abs(gain/p.cursorGain-1) < 0.1
			if gain > 0.05 && straight && (known || i > 1) {
				p.cursorGain = gain
				if fresh && i == 0 {
					p.home = from
				}
				p.Logf("cursor at (%.1f,%.1f), %.3f pixels a unit", to.X, to.Y, gain)
				return now, nil
			}
		}
		p.Logf("probe %d: cursor not told (%t %t)", i+1, ok, ok2)
		before = now
	}
	if p.cursorGain == 0 {
		// None was ever seen: it may be another client than the look's, that shows the
		// system's pointer, and there is no mode to leave.
		p.Motion.Pointer, p.solving = calibrations.Tried, false
	}
	return nil, &MissError{What: "no cursor moves on the screen: is the window in front, and the game in its solve mode?"}
}

// goTo brings the cursor to a place of the frame, to within a tolerance in
// pixels, and returns a frame that shows it there.
func (p *Player) goTo(ctx context.Context, to vision.Point, tolerance float64) (*image.RGBA, error) {
	var now *image.RGBA
	var err error
	if p.cursorGain == 0 || p.cursor == (vision.Point{}) {
		if now, err = p.find(ctx); err != nil {
			return nil, err
		}
	}
	for try := 0; try < 6; try++ {
		far := p.cursor.Dist(to)
		if far <= tolerance && now != nil {
			return now, nil
		}
		before := now
		if before == nil {
			if before, err = p.Grab(ctx); err != nil {
				return nil, err
			}
		}
		events := input.Plan(input.Leg{To: input.Pixel(to)}, input.Pixel(p.cursor), p.pushing(p.cursorGain))
		if err := p.Play(ctx, append(events, wait(30*time.Millisecond))...); err != nil {
			return nil, err
		}
		if now, err = p.Still(ctx, time.Second); err != nil {
			return nil, err
		}
		radius := p.Cursor.Radius * float64(now.Rect.Dy())
		at, ok := trail.Brightened(before, now, radius)
		switch {
		case ok:
			p.cursor = at
		case far < 2.5*radius:
			// The old and the new disc overlap: what got lighter is no whole
			// disc. A motion so short is trusted.
			p.cursor = to
		default:
			p.Logf("the cursor is lost on its way to (%.0f,%.0f)", to.X, to.Y)
			if now, err = p.find(ctx); err != nil {
				return nil, err
			}
		}
	}
	return nil, &MissError{What: fmt.Sprintf("the cursor does not come to (%.0f,%.0f); it is seen at (%.0f,%.0f)", to.X, to.Y, p.cursor.X, p.cursor.Y)}
}

// blind brings the cursor to a place from where it is taken to be, without a
// look, and returns the frame before it was entered; nil where nothing is taken
// for granted.
func (p *Player) blind(ctx context.Context, to vision.Point) (*image.RGBA, error) {
	bare := p.bare
	if bare == nil {
		return nil, nil
	}
	p.bare = nil
	m := p.pushing(p.cursorGain)
	// 30 ms: a client that draws late must have taken the motion before the click.
	return bare, p.Play(ctx, append(input.Plan(input.Leg{To: input.Pixel(to)}, input.Pixel(p.cursor), m), wait(30*time.Millisecond))...)
}

// beginTime is how long a line may take to begin after a click that surely arrived.
const beginTime = 2 * time.Second

// maxBegins is how often a start is clicked before it counts as none.
const maxBegins = 4

// drop drops the line with a right click, also when the context ended.
func (p *Player) drop(ctx context.Context) error {
	p.cursor, p.righted = vision.Point{}, p.now
	return p.Play(context.WithoutCancel(ctx), append(input.Click(input.Right), wait(60*time.Millisecond))...)
}

// A start is where a line is to begin.
type start struct {
	at   vision.Point
	line float64         // the width of the board's lines there, in pixels
	part image.Rectangle // of the frame, that shows the line begin; empty: all of it
	// where tells the start's new place where the board moves as the line
	// begins, and whether it has come to rest; nil: it stays.
	where func(*image.RGBA) (at vision.Point, rest bool)
}

func (s *start) seen(f *image.RGBA) (vision.Point, bool) {
	if s.where == nil {
		return s.at, true
	}
	return s.where(f)
}

// begin begins a line with a click on its start, and learns the line's colour.
func (p *Player) begin(ctx context.Context, s start, begun *bool) (*trail.Trail, error) {
	for range maxBegins {
		before, blind, err := p.reach(ctx, s)
		if err != nil {
			return nil, err
		}
		*begun = true
		if err := p.Play(ctx, append(input.Click(input.Left), wait(30*time.Millisecond))...); err != nil {
			return nil, err
		}
		// Where nothing was looked at before the click, the cursor may have come
		// just now.
		line, err := p.begins(ctx, &s, before, blind || p.Motion.Pointer == calibrations.Tried)
		if err != nil {
			return nil, err
		}
		if line != nil {
			if p.Motion.Pointer == calibrations.Tried {
				p.learned(calibrations.System)
			}
			return line, nil
		}
		p.cursor = vision.Point{}
		if blind {
			p.Logf("the cursor is not where it began before")
			p.home = vision.Point{}
		}
		if p.Motion.Pointer == calibrations.Tried {
			// That click may have been the one into the client's solve mode.
			p.solving, p.fresh = true, true
			if _, err := p.find(ctx); err != nil {
				return nil, errors.Join(err, p.Leave(ctx))
			}
			p.learned(calibrations.Drawn)
		}
	}
	return nil, &MissError{What: fmt.Sprintf("no line begins at the start at (%.0f,%.0f)", s.at.X, s.at.Y)}
}

// learned goes by a pointer from here on, as trying has told.
func (p *Player) learned(pointer calibrations.Pointer) {
	p.Motion.Pointer = pointer
	p.Logf("the client's pointer is found out: %s", pointer)
}

// Foreign tells whether a look is not this client's: lines came to their ends by the other
// pointer.
func (p *Player) Foreign(look *calibrations.Profile) bool {
	return look.Cells == nil && p.own.Pointer != calibrations.Tried &&
		look.Motion.Pointer != calibrations.Tried && look.Motion.Pointer != p.own.Pointer
}

// reach brings the pointer to a start and returns a frame from before the line
// begins; blind says that it was not seen there.
func (p *Player) reach(ctx context.Context, s start) (before *image.RGBA, blind bool, err error) {
	if p.Motion.Pointer != calibrations.Drawn {
		if err := p.Point(ctx, s.at); err != nil {
			return nil, false, err
		}
		before, err = p.grabPart(ctx, s.part)
		return before, false, err
	}
	if before, err = p.blind(ctx, s.at); err != nil || before != nil {
		return before, true, err
	}
	before, err = p.goTo(ctx, s.at, max(2, 0.35*s.line))
	return before, false, err
}

// begins looks for a line that begins at a start that was clicked; nil: none is
// seen. doubted says that a cursor is no line.
func (p *Player) begins(ctx context.Context, s *start, before *image.RGBA, doubted bool) (*trail.Trail, error) {
	most := 2 * shown
	switch {
	case s.where != nil:
		most = 8 * shown // until it has turned
	case p.Motion.Pointer == calibrations.System:
		// The pointer was seen to be where it was put, so that the click arrived: a
		// busy client took up to 300 ms to show the line, and a second click would
		// have let go of it.
		most = beginTime
	}
	for end := p.now.Add(most); p.now.Before(end); {
		now, err := p.grabPart(ctx, s.part)
		if err != nil {
			return nil, err
		}
		at, rest := s.seen(now)
		line, ok := trail.New(before, now, at)
		if !ok || !rest || doubted && line.Veil(p.Cursor.Alpha) {
			if err := p.Pause(ctx, 5*time.Millisecond); err != nil {
				return nil, err
			}
			continue
		}
		// Once more: the start's colour may have been coming on.
		if err := p.Pause(ctx, 20*time.Millisecond); err != nil {
			return nil, err
		}
		if now, err = p.grabPart(ctx, s.part); err != nil {
			return nil, err
		}
		at, _ = s.seen(now)
		if line, ok := trail.New(before, now, at); ok {
			return line, nil
		}
		break
	}
	return nil, nil
}
