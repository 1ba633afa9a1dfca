package agent

import (
	"context"
	"fmt"
	"image"
	"math"
	"slices"
	"time"

	"onlooker/calibrations"
	"onlooker/capture"
	"onlooker/input"
	"onlooker/vision"
)

// A MissError says that the screen did not show what a motion should have led
// to. The line was dropped; nothing was submitted.
type MissError struct {
	What string
}

func (e *MissError) Error() string { return "play: " + e.What }

// An Outcome is what became of an answer.
type Outcome uint8

// Outcomes.
const (
	Unknown  Outcome = iota
	Accepted         // the line stays
	Refused          // the line went, or changed its colour
	Off              // nothing was submitted: the panel went dark under the line
)

func (o Outcome) String() string {
	return [...]string{"unknown", "accepted", "refused", "off"}[o]
}

// A Player enters strokes by relative motion and looks at the screen after
// each leg. It belongs to one goroutine.
type Player struct {
	Source capture.Source
	Mouse  input.Mouse
	Motion calibrations.Motion
	Cursor calibrations.Cursor
	// Clock is asked for the time after each look and each row of motions: what
	// the player decides depends on nothing else. nil: the system's.
	Clock Clock
	// Log is told what is done; nil: nobody is.
	Log func(format string, args ...any)

	now        time.Time // after the last look or motion
	cursorGain float64   // pixels per unit while no line is traced; 0: not measured
	solving    bool      // in solve mode, as far as is known
	kept       int       // nudges at corners that were not lost, less those that were
	cursor     vision.Point
	home       vision.Point // where the cursor is on entering; zero: not seen yet
	fresh      bool         // entered just now: the cursor is still at home
	bare       *image.RGBA  // the frame before entering, while the cursor's place is taken for granted
	legs       int          // legs entered, and how long they took
	legTime    time.Duration
}

// A Sheet is where a board is on the frame.
type Sheet struct {
	// At maps half-cells, fractions allowed, to pixels of the frame.
	At func(x, y float64) vision.Point
	// Line is the width of a line in pitches, the distance from node to node.
	Line float64
}

// shown is how long a motion may take to be seen: a page draws 34 ms after the
// first of a row of motions, more on a busy machine.
const shown = 140 * time.Millisecond

// PerLeg is the mean time that a leg took.
func (p *Player) PerLeg() time.Duration {
	if p.legs == 0 {
		return 0
	}
	return p.legTime / time.Duration(p.legs)
}

func (p *Player) logf(format string, args ...any) {
	if p.Log != nil {
		p.Log(format, args...)
	}
}

func (p *Player) grab(ctx context.Context) (*image.RGBA, error) {
	f, err := p.Source.Grab(ctx)
	if err != nil {
		return nil, fmt.Errorf("play: grab: %w", err)
	}
	p.now = p.clock().Now()
	return f, nil
}

func (p *Player) clock() Clock {
	if p.Clock == nil {
		return systemClock{}
	}
	return p.Clock
}

func (p *Player) pause(ctx context.Context, d time.Duration) error { return p.clock().Pause(ctx, d) }

// since is how long ago a moment was, at the last look or motion.
func (p *Player) since(t time.Time) time.Duration { return p.now.Sub(t) }

// still grabs until two frames, a screen's refresh apart, look alike.
func (p *Player) still(ctx context.Context, most time.Duration) (*image.RGBA, error) {
	last, err := p.grab(ctx)
	if err != nil {
		return nil, err
	}
	end := p.now.Add(most)
	small := shrink(last)
	for {
		if err := p.pause(ctx, 20*time.Millisecond); err != nil {
			return nil, err
		}
		f, err := p.grab(ctx)
		if err != nil {
			return nil, err
		}
		now := shrink(f)
		if !now.differs(small) || p.now.After(end) {
			return f, nil
		}
		small = now
	}
}

func (p *Player) play(ctx context.Context, events ...input.Event) error {
	if _, ok := p.Clock.(*Replay); ok {
		events = slices.DeleteFunc(slices.Clone(events), func(e input.Event) bool { return e.Op == input.Wait })
	}
	err := input.Play(ctx, p.Mouse, events)
	p.now = p.clock().Now()
	return err
}

func move(x, y int) input.Event { return input.Event{Op: input.Move, At: image.Pt(x, y)} }

func wait(d time.Duration) input.Event { return input.Event{Op: input.Wait, D: d} }

// drags tells whether the client wants its line dragged, from press to release.
func (p *Player) drags() bool { return p.Motion.Style == calibrations.Drag }

// Enter goes into solve mode with a click. The first time it waits until the
// cursor can be looked for; later the cursor is taken to begin where it began
// before.
func (p *Player) Enter(ctx context.Context) error {
	if p.drags() {
		return nil // there is no mode to enter
	}
	p.cursor, p.bare = vision.Point{}, nil
	bare, err := p.grab(ctx)
	if err != nil {
		return err
	}
	if err := p.play(ctx, append(input.Click(input.Left), wait(60*time.Millisecond))...); err != nil {
		return err
	}
	p.solving = true
	if p.home != (vision.Point{}) && p.cursorGain > 0 {
		p.cursor, p.bare = p.home, bare
		return nil
	}
	p.fresh = true
	_, err = p.still(ctx, 1500*time.Millisecond)
	return err
}

// Leave drops the line and steps back out of solve mode.
func (p *Player) Leave(ctx context.Context) error {
	if !p.solving {
		return nil
	}
	p.solving = false
	return p.play(ctx, append(input.Click(input.Right), wait(60*time.Millisecond))...)
}

// probe is how far the cursor is moved to be seen, in units of motion.
const probe = 60

// find moves the cursor a little and sees where it is, and how far a unit of
// motion carries it.
func (p *Player) find(ctx context.Context) (*image.RGBA, error) {
	before, err := p.still(ctx, time.Second)
	if err != nil {
		return nil, err
	}
	radius := p.Cursor.Radius * float64(before.Rect.Dy())
	fresh := p.fresh
	p.fresh = false
	// Down and to the right, then back: the cursor may sit at a border.
	for i, d := range []image.Point{{X: probe, Y: probe}, {X: -probe, Y: -probe}, {X: -probe, Y: probe}, {X: probe, Y: -probe}} {
		if err := p.play(ctx, move(d.X/2, d.Y/2), wait(20*time.Millisecond), move(d.X-d.X/2, d.Y-d.Y/2), wait(40*time.Millisecond)); err != nil {
			return nil, err
		}
		now, err := p.still(ctx, time.Second)
		if err != nil {
			return nil, err
		}
		to, ok := vision.Brightened(before, now, radius)
		from, ok2 := vision.Brightened(now, before, radius)
		if ok {
			p.cursor = to
		}
		if ok && ok2 {
			gain := gap(from, to) / (probe * math.Sqrt2)
			// The way that is seen must be the way that was gone.
			straight := (to.X-from.X)*float64(d.X)+(to.Y-from.Y)*float64(d.Y) > 0.98*gap(from, to)*probe*math.Sqrt2
			known := p.cursorGain == 0 || math.Abs(gain/p.cursorGain-1) < 0.1
			if gain > 0.05 && straight && (known || i > 1) {
				p.cursorGain = gain
				if fresh && i == 0 {
					p.home = from
				}
				p.logf("cursor at (%.1f,%.1f), %.3f pixels a unit", to.X, to.Y, gain)
				return now, nil
			}
		}
		p.logf("probe %d: cursor not told (%t %t)", i+1, ok, ok2)
		before = now
	}
	return nil, &MissError{What: "no cursor moves on the screen: is the window in front, and the game in its solve mode?"}
}

// goTo brings the cursor to a place of the frame, to within a tolerance in
// pixels, and returns a frame that shows it there.
func (p *Player) goTo(ctx context.Context, to vision.Point, tolerance float64) (*image.RGBA, error) {
	var now *image.RGBA
	if p.cursorGain == 0 || p.cursor == (vision.Point{}) {
		f, err := p.find(ctx)
		if err != nil {
			return nil, err
		}
		now = f
	}
	for try := 0; try < 6; try++ {
		far := gap(p.cursor, to)
		if far <= tolerance && now != nil {
			return now, nil
		}
		before := now
		if before == nil {
			f, err := p.grab(ctx)
			if err != nil {
				return nil, err
			}
			before = f
		}
		m := p.Motion
		m.Gain = p.cursorGain
		events := input.Plan(input.Leg{To: input.Pixel(to)}, input.Pixel(p.cursor), m)
		if err := p.play(ctx, append(events, wait(30*time.Millisecond))...); err != nil {
			return nil, err
		}
		f, err := p.still(ctx, time.Second)
		if err != nil {
			return nil, err
		}
		now = f
		at, ok := vision.Brightened(before, now, p.Cursor.Radius*float64(now.Rect.Dy()))
		radius := p.Cursor.Radius * float64(now.Rect.Dy())
		switch {
		case ok:
			p.cursor = at
		case far < 2.5*radius:
			// The old and the new disc overlap: what got lighter is no whole
			// disc. A motion so short is trusted.
			p.cursor = to
		default:
			p.logf("the cursor is lost on its way to (%.0f,%.0f)", to.X, to.Y)
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
	m := p.Motion
	m.Gain = p.cursorGain
	// 30 ms: a client that draws late must have taken the motion before the click.
	return bare, p.play(ctx, append(input.Plan(input.Leg{To: input.Pixel(to)}, input.Pixel(p.cursor), m), wait(30*time.Millisecond))...)
}

// maxBegins is how often a start is clicked before it counts as none.
const maxBegins = 4

// drop drops the line with a right click, also when the context ended.
func (p *Player) drop(ctx context.Context) error {
	p.cursor = vision.Point{}
	return p.play(context.WithoutCancel(ctx), append(input.Click(input.Right), wait(60*time.Millisecond))...)
}

// begin clicks a start, on a board whose lines are so many pixels wide there,
// and learns the colour of the line that begins. Where the board moves then,
// where tells the start's new place, and whether it has come to rest.
func (p *Player) begin(ctx context.Context, start vision.Point, line float64, begun *bool, where func(*image.RGBA) (at vision.Point, rest bool)) (*vision.Trail, error) {
	for range maxBegins {
		before, err := p.blind(ctx, start)
		blind := before != nil
		if err == nil && !blind {
			before, err = p.goTo(ctx, start, max(2, 0.35*line))
		}
		if err != nil {
			return nil, err
		}
		*begun = true
		if err := p.play(ctx, append(input.Click(input.Left), wait(30*time.Millisecond))...); err != nil {
			return nil, err
		}
		most := 2 * shown
		if where != nil {
			most = 8 * shown // until it has turned
		}
		for end := p.now.Add(most); p.now.Before(end); {
			now, err := p.grab(ctx)
			if err != nil {
				return nil, err
			}
			at, rest := start, true
			if where != nil {
				at, rest = where(now)
			}
			trail, ok := vision.NewTrail(before, now, at)
			// Where nothing was looked at before the click, the cursor may have
			// come just now.
			if !ok || !rest || blind && trail.Veil(p.Cursor.Alpha) {
				if err := p.pause(ctx, 5*time.Millisecond); err != nil {
					return nil, err
				}
				continue
			}
			// Once more: the start's colour may have been coming on.
			if err := p.pause(ctx, 20*time.Millisecond); err != nil {
				return nil, err
			}
			if now, err = p.grab(ctx); err != nil {
				return nil, err
			}
			if where != nil {
				at, _ = where(now)
			}
			if trail, ok := vision.NewTrail(before, now, at); ok {
				return trail, nil
			}
			break
		}
		p.cursor = vision.Point{}
		if blind {
			p.logf("the cursor is not where it began before")
			p.home = vision.Point{}
		}
	}
	return nil, &MissError{What: fmt.Sprintf("no line begins at the start at (%.0f,%.0f)", start.X, start.Y)}
}

// keptSure is how many nudges that were kept, more than were lost, say that a
// client does not lose them.
const keptSure = 2

// learnNudge learns from how far a leg came, in nudges short of where it was to
// come, whether the client loses the nudge that takes a head round a corner.
// expected says that the loss was made good beforehand.
func (p *Player) learnNudge(short float64, expected bool) {
	if expected {
		short++
	}
	switch {
	case math.Abs(short) < 0.35:
		p.kept = min(p.kept+1, 2*keptSure)
	case math.Abs(short-1) < 0.35:
		p.kept = max(p.kept-1, -2*keptSure)
	}
}

// sees looks until a frame is right, or for as long as a motion may take to be
// seen; its error is the last look's.
func (p *Player) sees(ctx context.Context, right func(*image.RGBA) error) error {
	for began := p.now; ; {
		f, err := p.grab(ctx)
		if err != nil {
			return err
		}
		if err = right(f); err == nil || p.since(began) > 2*shown {
			return err
		}
		if err := p.pause(ctx, 9*time.Millisecond); err != nil {
			return err
		}
	}
}

func abs(v int) int { return max(v, -v) }

// unit is a direction as a step of one half-cell each way.
func unit(p image.Point) image.Point {
	sign := func(v int) int { return min(max(v, -1), 1) }
	return image.Pt(sign(p.X), sign(p.Y))
}
