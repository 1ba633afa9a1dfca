package enter

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"onlooker/calibrations"
	"onlooker/input"
	"onlooker/vision"
)

// retreat moves the head out of the cap, where it is in it: a right click there
// submits in some clients. A head that went astray may have come into it, too.
func (t *Tracing) retreat(ctx context.Context) error {
	if t.gain.pixels <= 0 || t.leg.ends != inCap && !t.strayed(ctx) {
		return nil
	}
	s := t.stroke
	tip, node := t.at(s[len(s)-1]), t.at(s[len(s)-2])
	// Twice the cap's half-cell: it may have been pushed beyond its tip.
	back := input.Pixel{X: 2*node.X - tip.X, Y: 2*node.Y - tip.Y}
	return t.player.Play(context.WithoutCancel(ctx), input.Plan(input.Leg{To: back}, input.Pixel(tip), t.player.pushing(t.gain.pixels))...)
}

// letGo lets go of a line that still stands with a click at its start: the client does not hold
// the pointer, so that lines are led by places from here on.
func (t *Tracing) letGo(ctx context.Context) error {
	p, start := t.player, t.at(t.stroke[0])
	p.style, p.followed = calibrations.Absolute, false
	err := p.Point(ctx, start)
	f, bad := p.grabPart(ctx, t.sheet.Part)
	if err != nil || bad != nil || !t.trail.Stands(f, start) {
		return errors.Join(err, bad)
	}
	return p.Play(ctx, input.Click(input.Left)...)
}

// strayed tells whether the line is seen in the cap without having been led there.
func (t *Tracing) strayed(ctx context.Context) bool {
	if t.trail == nil || t.spin != nil || t.capless || len(t.stroke) < 2 {
		return false
	}
	f, err := t.player.grabPart(context.WithoutCancel(ctx), t.sheet.Part)
	return err == nil && t.inCap(f)
}

// gone waits until a line that was dropped has gone from the screen: until then
// the client takes nothing, and all that it is told will come to it at once.
func (t *Tracing) gone(ctx context.Context) error {
	if t.trail == nil || t.spin != nil || t.player.Ended(ctx) != nil {
		return nil // there was none, or its start may be out of sight
	}
	p, start := t.player, t.at(t.stroke[0])
	for began, told := p.now, p.now; p.Since(began) < hangs; {
		f, err := p.grabPart(ctx, t.sheet.Part)
		if err != nil || !t.trail.Stands(f, start) {
			return err
		}
		if p.Motion.Pointer == calibrations.System && p.Since(told) > lingers {
			if err := t.takeUp(ctx, start); err != nil {
				return err
			}
			told = p.now
		}
		if err := p.Pause(ctx, 20*time.Millisecond); err != nil {
			return err
		}
	}
	return &MissError{What: fmt.Sprintf("the line stays for %v after a right click: the game does not react", hangs)}
}

// takeUp begins a line anew, to drop it: a client may have let go of it before, as the web
// client does at a second click, and leaves it standing then whatever is told.
func (t *Tracing) takeUp(ctx context.Context, start vision.Point) error {
	p := t.player
	if err := p.Point(ctx, start); err != nil {
		if errors.As(err, new(*MissError)) {
			return nil // the client holds the pointer, and so the line
		}
		return err
	}
	p.Logf("  the line stays: it is begun anew, to be dropped")
	return p.Play(ctx, slices.Concat(input.Click(input.Left), []input.Event{wait(60 * time.Millisecond)}, input.Click(input.Right))...)
}

// lingers is how long a line may stay after a right click: a busy browser took 0.6 s.
const lingers = 2 * time.Second

// hangs is how long a client may stand still before that is said.
const hangs = 10 * time.Second
