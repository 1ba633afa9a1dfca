package enter

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
	"time"

	"onlooker/calibrations"
	"onlooker/cmd/internal/agent/see"
	"onlooker/solve"
	"onlooker/vision"
)

// Trace enters the stroke: a start, the nodes, and a point in the cap. The
// cursor must be free in solve mode. It ends with the head in the cap and nothing
// submitted yet; on an error the line was dropped with a right click.
func (t *Tracing) Trace(ctx context.Context) (err error) {
	begun := false
	defer func() {
		if err == nil || !begun {
			return
		}
		t.player.lines.doubt() // another board's gain may have been why
		if t.free && errors.As(err, new(*MissError)) {
			err = errors.Join(err, t.letGo(context.WithoutCancel(ctx)), t.gone(ctx))
		} else {
			err = errors.Join(err, t.retreat(ctx), t.player.drop(ctx), t.gone(ctx))
		}
	}()
	if t.spin != nil {
		return t.tracePillar(ctx, &begun)
	}
	s := t.stroke
	at := t.at(s[0])
	beside := t.sheet.On(float64(s[0].X)+1, float64(s[0].Y))
	if t.trail, err = t.player.begin(ctx, start{at: at, part: t.sheet.Part, line: t.sheet.Line * 2 * t.sheet.On(float64(s[0].X), float64(s[0].Y)).Dist(beside)}, &begun); err != nil {
		return err
	}
	// One that held it while other lines came to their ends is late on a busy machine.
	t.free = t.player.own.Pointer == calibrations.Tried && t.player.Motion.Pointer == calibrations.System && t.player.pointsAt(at) == nil
	return t.run(ctx)
}

// Try enters the line up to the end's node, and drops it there: in the cap a
// right click submits, too, in some clients.
func (t *Tracing) Try(ctx context.Context) error {
	if !t.capless {
		t.stroke, t.capless = t.stroke[:len(t.stroke)-1], true
	}
	if err := t.Trace(ctx); err != nil {
		return err
	}
	return errors.Join(t.player.drop(ctx), t.gone(ctx), t.player.Leave(ctx))
}

// A Tracing is a line that is being entered.
type Tracing struct {
	view
	player *Player
	task   *Task // whose line it is; nil: only a line
	free   bool  // the pointer was where the line began, and went with the first motion: the client does not hold it
	gain   gain
	leg    leg           // that its head is on
	unlit  []image.Point // where but for its start no line begins with it
	seen   *image.RGBA   // the last frame looked at
	waited time.Duration // for what lay over the board to go
	before *image.RGBA   // the frame that shows all of it, before it was submitted
}

// run enters the legs: straight runs of the stroke, the last one into the cap.
func (t *Tracing) run(ctx context.Context) error {
	var before *passage
	for i := 0; i < len(t.stroke)-1; {
		began := t.player.now
		var j int
		t.leg, j = t.legFrom(i)
		l := t.passage(before)
		err := l.run(ctx)
		if errors.Is(err, errAstray) {
			t.player.Logf("  %v: back to it", err)
			if err = before.resume(ctx); err == nil {
				l = l.anew(before)
				err = l.run(ctx)
			}
		}
		if err != nil {
			return err
		}
		t.player.took(t.player.Since(began))
		t.player.followed = true // to the end of a leg: that it moved at first may be its going out
		if i == 0 && t.spin == nil {
			t.trail = t.trail.Left(t.seen, t.at(t.stroke[0]))
			for _, q := range t.unlit {
				if !slices.Contains(t.stroke[:j+1], q) && t.trail.Covers(t.seen, t.at(q)) {
					return &MissError{What: fmt.Sprintf("a second line begins at %s: the board has two lines after all", solve.PlaceName(q))}
				}
			}
		}
		before, i = l, j
	}
	if t.spin == nil {
		t.player.traced(t.gain, t.line.wide())
	}
	return nil
}

// whole is a frame in which the line covers every half-cell of its stroke; what lies over
// it is waited for to go. Its error names the first half-cell that is not covered.
func (t *Tracing) whole(ctx context.Context) (seen *image.RGBA, err error) {
	s, i := t.shown(), 0
	_, err = t.player.until(ctx, t.sheet.Part, hangs, refreshTime, func(f *image.RGBA) bool {
		seen, i = f, t.lacks(f)
		return i < 0 || t.spin != nil || !t.covered(f, t.bare(f), float64(s[i].X+s[i+1].X)/2, float64(s[i].Y+s[i+1].Y)/2, unit(s[i+1].Sub(s[i])))
	})
	if err == nil && i >= 0 {
		err = &MissError{What: fmt.Sprintf("the line is not seen between %s and %s", solve.PlaceName(s[i]), solve.PlaceName(s[i+1]))}
	}
	return seen, err
}

// face waits until a column of a pillar is within a distance of facing the viewer.
func face(ctx context.Context, p *Player, s *see.Spin, x, within float64) error {
	faces, err := p.until(ctx, image.Rectangle{}, 2*time.Second, 12*time.Millisecond, func(f *image.RGBA) bool {
		s.See(f)
		return math.Abs(x-s.Faced) <= within
	})
	if !faces && err == nil {
		err = &MissError{What: fmt.Sprintf("the pillar does not turn to the head of the line: it is %.2f half-cells off", x-s.Faced)}
	}
	return err
}

// tracePillar enters a stroke on a pillar that is being followed. The view is
// taken to turn so that the head faces the viewer, as in The Witness. The
// upright lines tell how far it has turned, so that the head can be told while
// it turns.
func (t *Tracing) tracePillar(ctx context.Context, begun *bool) error {
	p, turned, b := t.player, t.spin, t.spin.Board
	first := int(math.Round(turned.Faced + turned.Off(t.stroke[0].X)))
	s := make(solve.Stroke, len(t.stroke))
	for i, q := range t.stroke {
		s[i] = q.Add(image.Pt(first-t.stroke[0].X, 0))
	}
	t.stroke = s
	x, y := float64(s[0].X), float64(s[0].Y)
	turned.Toward = x
	at := turned.At(x, y)
	// Upright, a line is as wide as the pitch of the rows says.
	below := turned.At(x, y+map[bool]float64{true: -1, false: 1}[s[0].Y > b.Rows])
	var err error
	t.trail, err = p.begin(ctx, start{at: at, line: 2 * b.Line * at.Dist(below), where: func(now *image.RGBA) (vision.Point, bool) {
		// The pillar turns towards the start at once.
		turned.See(now)
		return turned.At(x, y), math.Abs(x-turned.Faced) < 0.1
	}}, begun)
	if err == nil {
		err = t.run(ctx)
	}
	if err != nil {
		return err
	}
	end := s[len(s)-2]
	// Most of the line is out of sight then: its end is what is watched.
	t.watched = s[len(s)-3:]
	return face(ctx, p, turned, float64(end.X), 0.05)
}
