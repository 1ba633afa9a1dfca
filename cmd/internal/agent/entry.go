package agent

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
	"time"

	"onlooker/calibrations"
	"onlooker/input"
	"onlooker/solve"
	"onlooker/vision"
)

// An entry is an answer on its way in.
type entry interface {
	// trace enters all but what submits the answer. On an error nothing of it
	// is left.
	trace(ctx context.Context) error
	// try enters as much as can be without anything being submitted, and takes it
	// back.
	try(ctx context.Context) error
	// submit submits it.
	submit(ctx context.Context) error
	// judge tells what became of it; Unknown where the board must be read to
	// tell.
	judge(ctx context.Context) (Outcome, error)
}

// A Sheet is where a board is on the frame.
type Sheet struct {
	// At maps half-cells, fractions allowed, to pixels of the frame.
	At func(x, y float64) vision.Point
	// On is where a place would be if the board went on for ever: motion goes
	// by that. It differs from At on a board that goes round and is drawn flat,
	// where a line leaves on one side and comes in on the other.
	On func(x, y float64) vision.Point
	// Around is how many half-cells such a board has round; 0 on others.
	Around int
	// Line is the width of a line in pitches, the distance from node to node.
	Line float64
}

func (s Sheet) at(q image.Point) vision.Point { return s.At(float64(q.X), float64(q.Y)) }

// entry is how an answer is entered, by the client's way.
func (p *Player) entry(t *Drive) (entry, error) {
	b := t.Reading.Board
	sheet := Sheet{At: b.ScreenPoint, On: b.ScreenPoint, Line: b.Line}
	answer := t.Answer
	if t.turned != nil {
		sheet.At, sheet.On = t.turned.at, t.turned.at
	} else if round, ok := t.Reading.Puzzle.(interface{ Around() int }); ok && round.Around() > 0 {
		sheet.At, sheet.Around = seam(b, round.Around()), round.Around()
		answer = unrolled(answer, round.Around())
	}
	switch p.Motion.Style {
	case calibrations.Clicks:
		return &clicking{player: p, sheet: sheet, strokes: answer}, nil
	case calibrations.Drag, calibrations.Absolute:
		return &dragging{player: p, sheet: sheet, strokes: answer}, nil
	}
	if len(answer) != 1 || len(answer[0]) < 3 {
		return nil, fmt.Errorf("drive: an answer of %d strokes, want one with a start, an end and its cap: this client takes a line", len(answer))
	}
	return p.line(sheet, answer[0], t.turned), nil
}

// seam maps half-cells of a board that goes round, so many columns of
// half-cells, and is drawn flat: half a line before its first column it begins.
func seam(b *vision.Board, around int) func(x, y float64) vision.Point {
	return func(x, y float64) vision.Point {
		x = math.Mod(x+b.Line, float64(around))
		if x < 0 {
			x += float64(around)
		}
		return b.ScreenPoint(x-b.Line, y)
	}
}

// unrolled are strokes that never jump from one side of a board that goes round
// to the other, but go on beyond it.
func unrolled(s solve.Solution, around int) solve.Solution {
	out := make(solve.Solution, len(s))
	for i, stroke := range s {
		out[i] = slices.Clone(stroke)
		for k := 1; k < len(stroke); k++ {
			by := math.Remainder(float64(stroke[k].X-stroke[k-1].X), float64(around))
			out[i][k].X = out[i][k-1].X + int(by)
		}
	}
	return out
}

// line is a line by relative motion.
func (p *Player) line(sheet Sheet, stroke solve.Stroke, turned *spin) *Tracing {
	t := &Tracing{player: p, sheet: sheet, stroke: stroke, spin: turned, width: 2 * sheet.Line}
	if gain, sure := p.firstGain(); sure && turned == nil {
		t.gain = gain
	}
	return t
}

// point puts the system's pointer to a place of the frame. A pointer that is
// not there then is held by something: a lock, or another program.
func (p *Player) point(ctx context.Context, at vision.Point) error {
	want := p.onScreen(at)
	if err := p.play(ctx, input.Event{Op: input.Goto, At: want}, wait(30*time.Millisecond)); err != nil {
		return err
	}
	got, err := p.Mouse.Pointer()
	if off := got.Sub(want); err == nil && p.Motion.Pointer == calibrations.System && (abs(off.X) > 2 || abs(off.Y) > 2) {
		return &MissError{What: fmt.Sprintf("the pointer is at (%d,%d), and was put to (%d,%d): something holds it", got.X, got.Y, want.X, want.Y)}
	}
	return nil
}

// onScreen is the pixel of the screen at a place of the frame.
func (p *Player) onScreen(at vision.Point) image.Point {
	return image.Pt(int(math.Round(at.X)), int(math.Round(at.Y))).Add(p.Source.Bounds().Min)
}

// A dragging enters strokes by places of the pointer, one after another: with
// the button held, or between two clicks.
type dragging struct {
	player  *Player
	sheet   Sheet
	strokes solve.Solution
	before  *image.RGBA // without the strokes
}

// trace enters nothing: letting go of a stroke submits it.
func (d *dragging) trace(context.Context) error { return nil }

// errUntried says that something cannot be tried without its being done.
var errUntried = errors.New("drive: this client takes what is entered at once: nothing can be tried without submitting it")

func (d *dragging) try(context.Context) error { return errUntried }

func (d *dragging) submit(ctx context.Context) (err error) {
	if d.before, err = d.player.grab(ctx); err != nil {
		return err
	}
	for _, s := range d.strokes {
		if err := d.stroke(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// stroke enters a stroke, and ends it once all of it is seen. One that is not
// is taken back to its start: there it submits nothing.
func (d *dragging) stroke(ctx context.Context, s solve.Stroke) error {
	p := d.player
	if err := p.point(ctx, d.sheet.at(s[0])); err != nil {
		return err
	}
	back := func(why error) error {
		return errors.Join(why, p.Mouse.MoveTo(p.onScreen(d.sheet.at(s[0]))), p.pause(context.WithoutCancel(ctx), 30*time.Millisecond))
	}
	if p.Motion.Style == calibrations.Drag {
		return input.Hold(p.Mouse, input.Left, func() error {
			if err := d.along(ctx, s); err != nil {
				return back(err)
			}
			return nil
		})
	}
	if err := p.play(ctx, input.Click(input.Left)...); err != nil {
		return err
	}
	if err := d.along(ctx, s); err != nil {
		return errors.Join(back(err), p.drop(ctx))
	}
	return p.play(ctx, input.Click(input.Left)...)
}

// along moves along a stroke until all of it is seen.
func (d *dragging) along(ctx context.Context, s solve.Stroke) error {
	p := d.player
	if err := p.pause(ctx, 30*time.Millisecond); err != nil {
		return err
	}
	at := func(q image.Point) input.Pixel {
		c := p.onScreen(d.sheet.at(q))
		return input.Pixel{X: float64(c.X), Y: float64(c.Y)}
	}
	for i := 1; i < len(s); i++ {
		began := p.now
		if err := p.play(ctx, input.Plan(input.Leg{To: at(s[i])}, at(s[i-1]), p.Motion)...); err != nil {
			return err
		}
		p.took(began)
	}
	return p.sees(ctx, func(f *image.RGBA) error { return d.whole(f, s) })
}

// whole tells whether a stroke is seen on every edge but its last, which may end
// in something of its own.
func (d *dragging) whole(f *image.RGBA, s solve.Stroke) error {
	for i := 0; i+2 < len(s); i++ {
		a, b := s[i], s[i+1]
		// Just beside the middle: there a border between cells may be drawn over
		// it, and a cell's dot reaches 0.35 of the way.
		for _, share := range []float64{0.42, 0.58} {
			at := d.sheet.At(float64(a.X)+share*float64(b.X-a.X), float64(a.Y)+share*float64(b.Y-a.Y))
			if !vision.Changed(d.before, f, at) {
				return &MissError{What: fmt.Sprintf("the line is not seen between (%d,%d) and (%d,%d)", a.X, a.Y, b.X, b.Y)}
			}
		}
	}
	return nil
}

// judge tells by whether the strokes stay.
func (d *dragging) judge(ctx context.Context) (Outcome, error) {
	return d.player.watch(ctx, func(f *image.RGBA) glance {
		for _, s := range d.strokes {
			if d.whole(f, s) != nil {
				return glance{gone: true, went: boardWent(d.before, f, d.sheet, spanned(s))}
			}
		}
		return glance{}
	})
}

// A clicking enters strokes of one point each: a click there.
type clicking struct {
	player  *Player
	sheet   Sheet
	strokes solve.Solution
}

// trace enters nothing: every click counts at once.
func (c *clicking) trace(context.Context) error { return nil }

func (c *clicking) try(context.Context) error { return errUntried }

func (c *clicking) submit(ctx context.Context) error {
	p := c.player
	for _, s := range c.strokes {
		for _, q := range s {
			if err := p.point(ctx, c.sheet.at(q)); err != nil {
				return err
			}
			before, err := p.grab(ctx)
			if err != nil {
				return err
			}
			small := shrink(before)
			if err := p.play(ctx, input.Click(input.Left)...); err != nil {
				return err
			}
			if err := p.sees(ctx, func(f *image.RGBA) error {
				if !shrink(f).differs(small) {
					return &MissError{What: fmt.Sprintf("nothing happened: a click at (%d,%d) changes nothing", q.X, q.Y)}
				}
				return nil
			}); err != nil {
				return err
			}
		}
	}
	return nil
}

// judge leaves it to a look: what is left to do then tells.
func (c *clicking) judge(context.Context) (Outcome, error) { return Unknown, nil }
