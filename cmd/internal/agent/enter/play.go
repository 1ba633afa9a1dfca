package enter

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"math"
	"time"

	"onlooker/calibrations"
	"onlooker/capture"
	"onlooker/cmd/internal/agent/see"
	"onlooker/input"
	"onlooker/solve"
	"onlooker/vision"
)

// A MissError says that the screen did not show what a motion should have led
// to. The line was dropped; nothing was submitted.
type MissError struct {
	What string
}

func (e *MissError) Error() string { return "play: " + e.What }

// A Mouse is what a Player moves, and what tells where the system's pointer is.
type Mouse interface {
	input.Mouse
	Pointer() (image.Point, error)
}

// A Clock is the time as a Player has it.
type Clock interface {
	input.Pacer
	Now() time.Time
}

// systemClock is the system's own time.
type systemClock struct{ input.Pacer }

func (systemClock) Now() time.Time { return time.Now() }

// A pace is how many legs were entered, and how long they took.
type pace struct {
	legs int
	time time.Duration
}

// PerLeg is the mean time that a leg took.
func (p *pace) PerLeg() time.Duration {
	if p.legs == 0 {
		return 0
	}
	return p.time / time.Duration(p.legs)
}

// took counts a leg.
func (p *pace) took(d time.Duration) { p.legs, p.time = p.legs+1, p.time+d }

// A Player enters strokes and looks at the screen after each leg. It belongs to
// one goroutine.
type Player struct {
	Source capture.Source
	Mouse  Mouse
	// Motion and Cursor are what is known about the client; see Adopt.
	Motion calibrations.Motion
	Cursor calibrations.Cursor
	// Clock is asked for the time after each look and each row of motions: what
	// the player decides depends on nothing else. nil: the system's.
	Clock Clock
	// Learned is told what was found out about the client of a look, once a line
	// came to its end that way; nil: nobody is.
	Learned func(look *calibrations.Profile, m calibrations.Motion)
	// Keep has presses and motions go to the window that shows what is at a place of the screen,
	// and to no other; it is input.ErrCovered where that window is not the one that is watched.
	// nil: they go anywhere.
	Keep func(at image.Point) error
	// Dismiss closes a menu that a right click opened under the pointer; nil: none comes.
	Dismiss func() error
	// Log is told what is done; nil: nobody is.
	Log func(format string, args ...any)

	look       *calibrations.Profile // that Motion and Cursor are of
	own        calibrations.Motion   // by which a line came to its end; of a Tried pointer: none did
	style      calibrations.Style    // by which strokes were entered otherwise than the look says; "": none were
	righted    time.Time             // the last right click
	followed   bool                  // something that was entered was seen to follow
	now        time.Time             // after the last look or motion
	cursorGain float64               // pixels per unit while no line is traced; 0: not measured
	lines      lines                 // that came to their ends
	lag        time.Duration         // until a motion shows, of late
	step       int                   // most motion in one event, as was seen to arrive; 0: as the look says
	solving    bool                  // in solve mode, as far as is known
	nudges     nudges
	cursor     vision.Point
	home       vision.Point // where the cursor is on entering; zero: not seen yet
	fresh      bool         // entered just now: the cursor is still at home
	bare       *image.RGBA  // the frame before entering, while the cursor's place is taken for granted
	pace
}

// shown is how long a motion may take to be seen: a page draws 34 ms after the
// first of a row of motions, more on a busy machine.
const shown = 140 * time.Millisecond

func (p *Player) Logf(format string, args ...any) {
	if p.Log != nil {
		p.Log(format, args...)
	}
}

func (p *Player) Grab(ctx context.Context) (*image.RGBA, error) {
	f, err := p.Source.Grab(ctx)
	if err != nil {
		return nil, fmt.Errorf("play: grab: %w", err)
	}
	p.now = p.clock().Now()
	return f, nil
}

// grabPart grabs a part of the frame, in its pixels, where the source gives such;
// else, or where the part is empty, all of it.
func (p *Player) grabPart(ctx context.Context, part image.Rectangle) (*image.RGBA, error) {
	source, ok := p.Source.(capture.PartSource)
	if !ok || part.Empty() {
		return p.Grab(ctx)
	}
	f, err := source.GrabPart(ctx, part)
	if err != nil {
		return nil, fmt.Errorf("play: grab: %w", err)
	}
	p.now = p.clock().Now()
	return f, nil
}

func (p *Player) clock() Clock {
	if p.Clock == nil {
		return systemClock{input.SystemPace()}
	}
	return p.Clock
}

func (p *Player) Pause(ctx context.Context, d time.Duration) error { return p.clock().Wait(ctx, d) }

// Ended is why the player is to stop, nil while it is not.
func (p *Player) Ended(ctx context.Context) error { return p.clock().Ended(ctx) }

// Now is the time of the last look or motion.
func (p *Player) Now() time.Time { return p.now }

// Look is the look that the player goes by; nil before any.
func (p *Player) Look() *calibrations.Profile { return p.look }

// Solving tells whether the client is in its solve mode, as far as is known.
func (p *Player) Solving() bool { return p.solving }

// Start begins the player's time.
func (p *Player) Start() { p.now = p.clock().Now() }

// Adopt takes what a profile knows about the client, unless that is what the
// player goes by.
func (p *Player) Adopt(profile *calibrations.Profile) {
	if profile == nil || p.look == profile {
		return
	}
	p.look, p.Motion, p.Cursor = profile, profile.Motion, profile.Board.Cursor
	if p.Foreign(profile) { // only its boards look so
		p.Motion = p.own
	}
	if p.style != "" && p.Motion.Style != calibrations.Clicks {
		p.Motion.Style, p.Motion.Pointer = p.style, calibrations.System
	}
	p.cursorGain, p.home, p.cursor = 0, vision.Point{}, vision.Point{}
	p.lines.doubt()
	p.lines.wide = 0
	p.step = 0
}

// pushing is how relative motion is sent, by so many pixels a unit: in steps that fit what is
// looked at, and that were seen to arrive.
func (p *Player) pushing(gain float64) calibrations.Motion {
	m := p.Motion
	m.Gain = gain
	if view := p.Source.Bounds(); m.StepShare > 0 && !view.Empty() {
		m.StepPixels = min(m.StepPixels, max(1, int(m.StepShare*float64(min(view.Dx(), view.Dy())))))
	}
	if p.step > 0 {
		m.StepPixels = min(m.StepPixels, p.step)
	}
	return m
}

// overshot takes it that a leg came further than was sent, by more than a step: the client
// counts some steps more than once, as a browser does that puts a locked pointer back. From
// here on they are half as long, down to the first motion round a corner.
func (p *Player) overshot() {
	now := p.pushing(1)
	if p.step = max(now.StepPixels/2, now.NudgePixels, 1); p.step < now.StepPixels {
		p.Logf("  more arrives than was sent: steps of %d", p.step)
	}
}

// firstGain is how far a unit of motion is taken to carry a head, in pixels,
// before it was measured on a line.
func (p *Player) firstGain() float64 {
	if p.cursorGain > 0 {
		// Factors from 1.1 to 2 of what carries the cursor were seen: by twice
		// that the first motion stops short.
		return 2.2 * p.cursorGain
	}
	return 2.2 * p.Motion.Gain
}

// traced takes what a line that came to its end told.
func (p *Player) traced(g gain, wide float64) {
	p.own = p.Motion
	p.lines.add(g, wide)
	if p.look != nil && p.look.Motion.Pointer == calibrations.Tried && p.lines.agreed == 1 && p.lines.gain > 0 && p.Learned != nil {
		p.Learned(p.look, p.Found())
	}
}

// found keeps a style by which strokes were entered, and which the look does not say: with the
// look, unless that is a game's that draws its own pointer, which this client is not.
func (p *Player) found() {
	if p.look == nil || p.Motion.Style == cmp.Or(p.style, p.look.Motion.Style) {
		return
	}
	if p.style = p.Motion.Style; p.Learned != nil && p.look.Motion.Pointer != calibrations.Drawn {
		p.Learned(p.look, p.Found())
	}
}

// styled is how a task's strokes are entered. Where nothing followed at two tries, the third is
// by places with the button held where the look wants relative motion, and the other way round.
func (p *Player) styled(t *Task, strokes solve.Solution) calibrations.Style {
	if p.look != nil && p.look.Motion.Style != calibrations.Clicks {
		p.Motion.Style = cmp.Or(p.style, p.look.Motion.Style)
	}
	nodes := len(strokes) == 1 && len(strokes[0]) > 1 && strokes[0][0].X&1 == 0 && strokes[0][0].Y&1 == 0
	if p.followed || p.style != "" || !nodes || t.Turned != nil || t.Tries != MostTries-1 {
		return p.Motion.Style
	}
	if p.Motion.Style == calibrations.Relative {
		p.Motion.Style = calibrations.Drag
	} else {
		p.Motion.Style = calibrations.Relative
	}
	p.Motion.Pointer = calibrations.System
	p.Logf("nothing follows: it is entered otherwise: %s", p.Motion.Style)
	return p.Motion.Style
}

// Found is how the client takes what is entered, as far as is known: with the
// last line's gain.
func (p *Player) Found() calibrations.Motion {
	m := p.Motion
	if p.lines.gain > 0 {
		m.Gain = math.Round(1000*p.lines.gain) / 1000
	}
	return m
}

// menuTime is how long after a right click a menu may come.
const menuTime = 10 * time.Second

// CloseMenu closes a menu that a right click of late opened: a page that knows no lines has one.
func (p *Player) CloseMenu() error {
	if p.Dismiss == nil || p.righted.IsZero() || p.Since(p.righted) > menuTime {
		return nil
	}
	return p.Dismiss()
}

// KeepTo has presses and motions go to the window that shows a place of the frame.
func (p *Player) KeepTo(at vision.Point) error {
	if p.Keep == nil {
		return nil
	}
	return p.Keep(p.onScreen(at))
}

// Left says that the player has gone elsewhere: it is in no solve mode there.
func (p *Player) Left() {
	p.solving = false
	p.cursor = vision.Point{}
}

// Since is how long ago a moment was, at the last look or motion.
func (p *Player) Since(t time.Time) time.Duration { return p.now.Sub(t) }

// Still grabs until two frames, a screen's refresh apart, look alike.
func (p *Player) Still(ctx context.Context, most time.Duration) (*image.RGBA, error) {
	last, err := p.Grab(ctx)
	if err != nil {
		return nil, err
	}
	if err := p.Pause(ctx, 20*time.Millisecond); err != nil {
		return nil, err
	}
	small := see.Shrink(last)
	_, err = p.until(ctx, image.Rectangle{}, most, 20*time.Millisecond, func(f *image.RGBA) bool {
		was := small
		last, small = f, see.Shrink(f)
		return !small.Differs(was)
	})
	return last, err
}

func (p *Player) Play(ctx context.Context, events ...input.Event) error {
	err := input.Play(ctx, p.Mouse, events)
	p.now = p.clock().Now()
	return err
}

func move(x, y int) input.Event { return input.Event{Op: input.Move, At: image.Pt(x, y)} }

func wait(d time.Duration) input.Event { return input.Event{Op: input.Wait, D: d} }

// sees looks until a frame is right, or for as long as a motion may take to be
// seen; its error is the last look's.
func (p *Player) sees(ctx context.Context, right func(*image.RGBA) error) (err error) {
	_, bad := p.until(ctx, image.Rectangle{}, 2*shown, 9*time.Millisecond, func(f *image.RGBA) bool {
		err = right(f)
		return err == nil
	})
	return cmp.Or(bad, err)
}

// until looks at a part of one frame after another, each so long after the one before, until
// one is it, or for as long as it may take; false: none was.
func (p *Player) until(ctx context.Context, part image.Rectangle, most, each time.Duration, is func(*image.RGBA) bool) (bool, error) {
	for began := p.now; ; {
		f, err := p.grabPart(ctx, part)
		if err != nil || is(f) {
			return err == nil, err
		}
		if p.Since(began) > most {
			return false, nil
		}
		if err := p.Pause(ctx, each); err != nil {
			return false, err
		}
	}
}

func abs(v int) int { return max(v, -v) }
