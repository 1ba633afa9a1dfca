package enter

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"slices"
	"time"

	"onlooker/calibrations"
	"onlooker/input"
	"onlooker/solve"
	"onlooker/vision"
	"onlooker/vision/trail"
)

// A dragEntry enters strokes by places of the pointer, one after another: with
// the button held, or between two clicks. Every step of a stroke is looked for on
// the screen before the next is made, so that a client that is busy loses none.
type dragEntry struct {
	player  *Player
	sheet   Sheet
	strokes solve.Solution
	// bare is the board without the strokes; nil: as it is when the first of them
	// is entered.
	bare  *image.RGBA
	after *image.RGBA // with all of them
	signs *signs
	// reach is how far out strokes begin and end at openings of the board's outline, in
	// half-cells from it.
	reach float64
	// late says that the client draws a stroke when it ends and not before, as far as is known
	// once it drew.
	late, drew bool
	// covered says that nothing is drawn in the strokes' first cells that can be seen, and in
	// their last: pictures lie over it, or a line is the colour of the cells between.
	covered [2]bool
	// marks says that each cell that a stroke comes to is marked, and no two are joined: the
	// ends show such marks from the beginning.
	marks bool
}

// reaches are how far out strokes begin and end at openings at the first try, the next and
// the one after that, in half-cells from the outline: beyond it, where most clients draw their
// openings (0.06 to 0.15 of a cell beyond it on those of the shared screens), on it, and in
// the middle of the cell within.
var reaches = [MostTries]float64{0.3, 0, -1}

const (
	// furthest is how far beyond the outline a stroke that is not seen to go out of the board
	// is led, in half-cells, and further is by how much at a time.
	furthest, further = 0.9, 0.2
	// stepTime is how long a step of a stroke may take to be seen: a page on a busy
	// machine takes half a second.
	stepTime = 1200 * time.Millisecond
	// prodTime is how long a step is waited for before the pointer is moved a
	// little: a page that was busy when it came sees that.
	prodTime = 150 * time.Millisecond
	// coverTime is how long half a step may be seen before the other half counts as hidden: a
	// page draws both at once.
	coverTime = 2 * prodTime
)

// Trace enters nothing: letting go of a stroke submits it.
func (d *dragEntry) Trace(context.Context) error { return nil }

func (d *dragEntry) Try(context.Context) error { return errUntried }

// Submit enters the strokes. Those that an earlier try left whole are there
// already. With the last the client may show something else at once.
func (d *dragEntry) Submit(ctx context.Context) error {
	f, err := d.player.Grab(ctx)
	if err != nil {
		return err
	}
	if d.bare == nil {
		d.bare = f
	}
	d.signs.sees(f)
	// Those that longer ones tell how to look for come last: of two cells that are both ends.
	strokes := slices.SortedStableFunc(slices.Values(d.strokes), func(a, b solve.Stroke) int {
		return cmp.Compare(min(len(b), 3), min(len(a), 3))
	})
	for i, s := range strokes {
		if d.whole(f, s) == nil && !(d.covered == [2]bool{true, true} && len(s) == 2) {
			continue
		}
		before := f
		err = d.stroke(ctx, s)
		if i > 0 && errors.As(err, new(*MissError)) && d.player.Motion.Style == calibrations.Drag {
			// A page drags what an earlier stroke selected on it; a click lets go of that.
			if err = d.player.Play(ctx, input.Click(input.Left)...); err == nil {
				err = d.stroke(ctx, s)
			}
		}
		if err == nil && d.late {
			err = d.player.sees(ctx, func(f *image.RGBA) error { return d.whole(f, s) })
		}
		var now *image.RGBA
		var bad error
		if now, bad = d.player.Grab(ctx); bad != nil {
			return errors.Join(err, bad)
		}
		last := i == len(strokes)-1
		if err != nil && !(last && errors.As(err, new(*MissError)) && boardWent(before, now, d.sheet, spanned(s)) && !d.partly(now)) {
			return err
		}
		f = now
	}
	d.after = f
	return nil
}

// backTime is how long the way back may take where the drive is to end.
const backTime = 200 * time.Millisecond

// stroke enters a stroke, and ends it once all of it is seen. One that is not
// is taken back the way it came: at its start it submits nothing.
func (d *dragEntry) stroke(ctx context.Context, s solve.Stroke) error {
	p := d.player
	if err := p.Point(ctx, d.place(s, 0)); err != nil {
		return err
	}
	along := func() error {
		came, err := d.along(ctx, s)
		if err == nil && d.late {
			var f *image.RGBA
			if f, err = p.Grab(ctx); err == nil {
				d.signs.sees(f)
			}
		}
		if err == nil {
			return nil
		}
		aside, each := context.WithoutCancel(ctx), 15*time.Millisecond
		if ctx.Err() != nil {
			each = min(each, backTime/time.Duration(came+1))
		}
		for ; came >= 0; came-- {
			err = errors.Join(err, p.Mouse.MoveTo(p.onScreen(d.sheet.Half(s[came]))), p.Pause(aside, each))
		}
		return errors.Join(err, p.Pause(aside, 30*time.Millisecond))
	}
	if p.Motion.Style == calibrations.Drag {
		return input.Hold(p.Mouse, input.Left, along)
	}
	if err := p.Play(ctx, input.Click(input.Left)...); err != nil {
		return err
	}
	if err := along(); err != nil {
		return errors.Join(err, p.drop(ctx))
	}
	return p.Play(ctx, input.Click(input.Left)...)
}

// along moves along a stroke, step by step, and tells to which of its points it
// came.
func (d *dragEntry) along(ctx context.Context, s solve.Stroke) (came int, err error) {
	p := d.player
	if err := p.Pause(ctx, 30*time.Millisecond); err != nil {
		return 0, err
	}
	at := func(i int) input.Pixel {
		c := p.onScreen(d.place(s, i))
		return input.Pixel{X: float64(c.X), Y: float64(c.Y)}
	}
	for i := 1; i < len(s); i++ {
		began := p.now
		if err := p.Play(ctx, input.Plan(input.Leg{To: at(i)}, at(i-1), p.Motion)...); err != nil {
			return i, err
		}
		if !d.late && drawn(s[i-1], s[i]) {
			err := d.arrives(ctx, s, i)
			if errors.As(err, new(*MissError)) && !d.drew && len(s) > 2 {
				d.late, err = true, nil
			}
			if err != nil {
				return i, err
			}
			d.drew = true
		}
		if i == len(s)-2 && !d.late {
			// A client may say that it is solved with the last step, before the stroke ends.
			f, err := p.Grab(ctx)
			if err != nil {
				return i, err
			}
			d.signs.sees(f)
		}
		p.took(p.Since(began))
	}
	if last := len(s) - 1; !d.late && d.reach > 0 && opening(s, last) {
		if err := d.leaves(ctx, s); err != nil {
			return last, err
		}
	}
	if d.late {
		return len(s) - 1, nil
	}
	return len(s) - 1, p.sees(ctx, func(f *image.RGBA) error { return d.whole(f, s) })
}

// arrives looks until a step is seen. The pointer, which is at its end, is moved
// a little meanwhile.
func (d *dragEntry) arrives(ctx context.Context, s solve.Stroke, i int) error {
	p, a, b := d.player, s[i-1], s[i]
	home := p.onScreen(d.sheet.Half(b))
	began, prodded := p.now, p.now
	for {
		f, err := p.Grab(ctx)
		if err != nil {
			return err
		}
		if err = d.step(f, s, i, d.covered); err == nil {
			return nil
		}
		hidden := [2]bool{d.covered[0] || i == 1, d.covered[1] || i == len(s)-1}
		if p.Since(began) > coverTime && len(s) > 2 && d.step(f, s, i, hidden) == nil {
			p.Logf("what is drawn in the cells of ends is not seen: %v", hidden)
			d.covered = hidden
			return nil
		}
		if !d.marks && p.Since(began) > coverTime && i < len(s)-1 && d.marked(f, a, b) {
			p.Logf("the cells of a line are marked, and not joined")
			d.marks, d.covered = true, [2]bool{true, true}
			return nil
		}
		if p.Since(began) > stepTime {
			return err
		}
		if p.Since(prodded) > prodTime {
			prodded = p.now
			aside := home.Add(unit(b.Sub(a)).Mul(2))
			err := p.Play(ctx, input.Event{Op: input.Goto, At: aside}, wait(10*time.Millisecond), input.Event{Op: input.Goto, At: home})
			if err != nil {
				return err
			}
		}
		if err := p.Pause(ctx, 9*time.Millisecond); err != nil {
			return err
		}
	}
}

// opening tells whether an end of a stroke is an opening of the outline: half a cell from a
// cell's middle.
func opening(s solve.Stroke, i int) bool {
	if i != 0 && i != len(s)-1 || len(s) < 2 {
		return false
	}
	next := s[min(1, len(s)-1)]
	if i > 0 {
		next = s[i-1]
	}
	by := s[i].Sub(next)
	return next.X&1 == 1 && next.Y&1 == 1 && abs(by.X)+abs(by.Y) == 1
}

// place is where a point of a stroke is entered; at an opening, out of it.
func (d *dragEntry) place(s solve.Stroke, i int) vision.Point {
	if !opening(s, i) {
		return d.sheet.Half(s[i])
	}
	next := s[1]
	if i > 0 {
		next = s[i-1]
	}
	return d.out(s[i], next, d.reach)
}

// out is a place so many half-cells beyond an opening, as seen from the cell within.
func (d *dragEntry) out(opening, within image.Point, far float64) vision.Point {
	by := opening.Sub(within)
	return d.sheet.At(float64(opening.X)+far*float64(by.X), float64(opening.Y)+far*float64(by.Y))
}

// leaves looks whether a stroke is seen to have gone out at its last opening, outside of the
// outline, and leads it further until it is. A client that draws nothing there shows by
// other signs whether it took the answer.
func (d *dragEntry) leaves(ctx context.Context, s solve.Stroke) error {
	p, end, within := d.player, s[len(s)-1], s[len(s)-2]
	for far := d.reach; ; {
		for began := p.now; p.Since(began) < prodTime; {
			f, err := p.Grab(ctx)
			if err != nil {
				return err
			}
			if trail.Changed(d.bare, f, d.out(end, within, d.reach/2)) {
				return nil
			}
			if err := p.Pause(ctx, 9*time.Millisecond); err != nil {
				return err
			}
		}
		if far += further; far > furthest {
			p.Logf("the line is not seen to go out at %s", solve.PlaceName(end))
			return nil
		}
		if err := p.Play(ctx, input.Event{Op: input.Goto, At: p.onScreen(d.out(end, within, far))}); err != nil {
			return err
		}
	}
}

// drawn tells whether a step of a stroke is seen on the board: those of a
// half-cell, into a cap or out at an opening, are not.
func drawn(a, b image.Point) bool {
	by := b.Sub(a)
	return abs(by.X)+abs(by.Y) > 1 && (by.X == 0 || by.Y == 0)
}

// marked tells whether the middle of the cell that a step comes to changed, and nothing
// beside the border that it crosses: where the pointer is, a page may colour the whole cell.
func (d *dragEntry) marked(f *image.RGBA, a, b image.Point) bool {
	at := func(share float64) bool {
		return trail.Changed(d.bare, f, d.sheet.At(float64(a.X)+share*float64(b.X-a.X), float64(a.Y)+share*float64(b.Y-a.Y)))
	}
	return at(1) && !at(0.46) && !at(0.54)
}

// step tells whether a step of a stroke is seen; covered says that it is not looked for in
// the cell in which the stroke begins, and in which it ends.
func (d *dragEntry) step(f *image.RGBA, s solve.Stroke, i int, covered [2]bool) error {
	a, b := s[i-1], s[i]
	// Just beside the middle: there a border between cells may be drawn over
	// it, and a cell's dot reaches 0.35 of the way.
	for k, share := range []float64{0.42, 0.58} {
		if d.marks { // in the cell that it comes to
			k, share = 1, 1
		}
		atEnd := k == 0 && i == 1 || k == 1 && i == len(s)-1
		if covered[k] && atEnd && a.X&1 == 1 && a.Y&1 == 1 {
			continue
		}
		at := d.sheet.At(float64(a.X)+share*float64(b.X-a.X), float64(a.Y)+share*float64(b.Y-a.Y))
		if !trail.Changed(d.bare, f, at) {
			return &MissError{What: fmt.Sprintf("the line is not seen between %s and %s", solve.PlaceName(a), solve.PlaceName(b))}
		}
	}
	return nil
}

// whole tells whether all of a stroke is seen.
func (d *dragEntry) whole(f *image.RGBA, s solve.Stroke) error {
	for i := 1; i < len(s); i++ {
		if drawn(s[i-1], s[i]) {
			if err := d.step(f, s, i, d.covered); err != nil {
				return err
			}
		}
	}
	return nil
}

// Judge tells by whether the strokes stay, where they are or with the board
// elsewhere: a page that says so may push it aside.
func (d *dragEntry) Judge(ctx context.Context) (Outcome, error) {
	return d.player.watch(ctx, image.Rectangle{}, SettleTime, func(f *image.RGBA) glance {
		for _, s := range d.strokes {
			if d.whole(f, s) == nil {
				continue
			}
			if d.shifted(f) || d.partly(f) {
				return glance{}
			}
			return glance{gone: true, went: boardWent(d.after, f, d.sheet, spanned(s))}
		}
		return glance{}
	})
}

// partly tells whether most of the strokes is seen where it was entered, in one colour, and
// not in that of the cells. A client may colour the cells that a line goes through: they are
// another's no more than the line is.
func (d *dragEntry) partly(f *image.RGBA) bool {
	there, all := 0, 0
	for _, s := range d.strokes {
		var line, beside []vision.RGB
		for i := 1; i < len(s); i++ {
			if !drawn(s[i-1], s[i]) {
				continue
			}
			x, y := float64(s[i-1].X), float64(s[i-1].Y)
			// 0.21 of the way from one cell's middle to the next is within the first.
			at := d.sheet.At(x+0.21*float64(s[i].X-s[i-1].X), y+0.21*float64(s[i].Y-s[i-1].Y))
			off := d.sheet.At(x-0.5, y-0.5)
			line = append(line, vision.At(f, at.X, at.Y))
			beside = append(beside, vision.At(f, off.X, off.Y))
		}
		usual := vision.MedianRGB(line)
		for i := range line {
			if apart(line[i], usual) < fadeLevels && apart(line[i], beside[i]) > 2*fadeLevels {
				there++
			}
		}
		all += len(line)
	}
	return 2*there > all
}

func (d *dragEntry) Told(ctx context.Context) (bool, error) { return d.signs.told(ctx, d.player) }

// mostShift is how far a board may be pushed aside, in pixels: by a line or two of
// a page's largest letters.
const mostShift = 160

// shifted tells whether the board with all strokes is seen as a whole elsewhere.
func (d *dragEntry) shifted(f *image.RGBA) bool {
	var places []image.Point
	for _, s := range d.strokes {
		for i := 1; i < len(s); i++ {
			for _, q := range [2]vision.Point{d.sheet.Half(s[i]), d.sheet.At(float64(s[i-1].X+s[i].X)/2, float64(s[i-1].Y+s[i].Y)/2)} {
				places = append(places, image.Pt(int(q.X), int(q.Y)))
			}
		}
	}
	for dy := -mostShift; dy <= mostShift; dy++ {
		for dx := -mostShift; dx <= mostShift; dx++ {
			if d.same(f, places, image.Pt(dx, dy)) {
				return true
			}
		}
	}
	return false
}

// same tells whether nearly all of some places look as they did, moved by so much.
func (d *dragEntry) same(f *image.RGBA, places []image.Point, by image.Point) bool {
	left := len(places) / 20 // may look otherwise, as under a pointer
	for _, q := range places {
		to := q.Add(by)
		if !to.In(f.Rect) || !q.In(d.after.Rect) {
			return false
		}
		u, v := d.after.Pix[d.after.PixOffset(q.X, q.Y):], f.Pix[f.PixOffset(to.X, to.Y):]
		for k := range 3 {
			if abs(int(u[k])-int(v[k])) > fadeLevels {
				left--
				break
			}
		}
		if left < 0 {
			return false
		}
	}
	return true
}

// bareFrame is the frame in which a task's board was first read where it still
// stands there, without anything of the answer; nil where it stands elsewhere.
func (t *Task) bareFrame() *image.RGBA {
	b := t.Reading.Board
	if t.bare != nil && t.bare.Rect == t.Frame.Rect {
		same := true
		for i, q := range t.bareAt {
			same = same && q.Dist(b.Quad[i]) < 1
		}
		if same {
			return t.bare
		}
	}
	if t.Tries > 0 {
		return nil
	}
	t.bare, t.bareAt = t.Frame, b.Quad
	return t.bare
}
