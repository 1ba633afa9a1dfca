package enter

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"iter"
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
	atOnce
	player  *Player
	sheet   Sheet
	strokes solve.Solution
	// bare is the board without the strokes; nil: as it is when the first of them
	// is entered.
	bare   *image.RGBA
	before *image.RGBA // the last of them
	after  *image.RGBA // with all of them; nil: the board went with the last
	task   *Task
	cells  []image.Point
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
	// Those that longer ones tell how to look for come last: of two cells that are both ends.
	strokes := slices.SortedStableFunc(slices.Values(d.strokes), func(a, b solve.Stroke) int {
		return cmp.Compare(min(len(b), 3), min(len(a), 3))
	})
	there := make([]bool, len(strokes)) // a window that opens later looks like a stroke
	for i, s := range strokes {
		there[i] = d.whole(f, s) == nil && !(d.covered == [2]bool{true, true} && len(s) == 2)
	}
	for i, s := range strokes {
		if there[i] {
			continue
		}
		d.before, d.after = f, nil
		err = d.stroke(ctx, s)
		now, bad := d.player.Grab(ctx)
		if bad != nil {
			return errors.Join(err, bad)
		}
		if err != nil && i == len(strokes)-1 && errors.As(err, new(*MissError)) && !d.partly(now) && d.elsewhere(now, s) {
			return nil
		}
		if i > 0 && errors.As(err, new(*MissError)) && d.player.Motion.Style == calibrations.Drag {
			// A page drags what an earlier stroke selected on it; a click lets go of that.
			if err = d.player.Play(ctx, input.Click(input.Left)...); err == nil {
				err = d.stroke(ctx, s)
			}
			if now, bad = d.player.Grab(ctx); bad != nil {
				return errors.Join(err, bad)
			}
		}
		if err != nil {
			return err
		}
		f = now
	}
	if d.after == nil {
		d.after = f // all of it is there of an earlier try
	}
	d.player.found()
	return nil
}

// elsewhere tells whether a frame shows no board any more where strokes were entered, or
// another.
func (d *dragEntry) elsewhere(f *image.RGBA, last solve.Stroke) bool {
	with, cells := d.after, d.cells
	if with == nil { // the last stroke may be there in part
		with, cells = d.before, slices.DeleteFunc(slices.Clone(cells), func(q image.Point) bool { return slices.Contains(last, q) })
	}
	return boardWent(with, f, d.sheet, spanned(last)) || another(d.bare, with, f, d.sheet, cells)
}

// seesWhole looks until a stroke is seen as a whole.
func (d *dragEntry) seesWhole(ctx context.Context, s solve.Stroke) error {
	return d.player.sees(ctx, func(f *image.RGBA) error {
		err := d.whole(f, s)
		if err == nil {
			d.after, d.player.followed = f, true
		}
		return err
	})
}

// backTime is how long the way back may take where the drive is to end.
const backTime = 200 * time.Millisecond

// stroke enters a stroke. Where nothing of it is seen, and nothing that was entered before was
// seen to follow, it is entered by each other style: the first that works is kept.
func (d *dragEntry) stroke(ctx context.Context, s solve.Stroke) error {
	p, own := d.player, d.player.Motion.Style
	err := d.by(ctx, s, own)
	if !errors.As(err, new(*MissError)) || p.followed {
		return err
	}
	if f, bad := p.Grab(ctx); bad != nil || d.touched(f, s) || d.elsewhere(f, s) {
		return errors.Join(err, bad)
	}
	for _, style := range []calibrations.Style{calibrations.Drag, calibrations.Absolute, calibrations.Clicks} {
		if style == own {
			continue
		}
		d.late, p.Motion.Style = false, style
		other := error(&MissError{})
		if style == calibrations.Absolute { // a click may have ended the drag, and begun a line
			other = d.back(ctx, s)
		}
		if errors.As(other, new(*MissError)) {
			other = d.by(ctx, s, style)
		}
		if !errors.As(other, new(*MissError)) {
			return other
		}
	}
	p.Motion.Style = own
	return err
}

// back enters a stroke from its end, for a client that follows from there already.
func (d *dragEntry) back(ctx context.Context, s solve.Stroke) error {
	s = slices.Clone(s)
	slices.Reverse(s)
	if _, err := d.along(ctx, s); err != nil {
		return err
	}
	return d.player.Play(ctx, input.Click(input.Left)...)
}

// by enters a stroke by a style, and ends it once all of it is seen. One that is not is taken
// back the way it came: at its start it submits nothing.
func (d *dragEntry) by(ctx context.Context, s solve.Stroke, style calibrations.Style) error {
	p := d.player
	if style == calibrations.Clicks {
		return d.clicked(ctx, s)
	}
	if err := p.Point(ctx, d.place(s, 0)); err != nil {
		return err
	}
	along := func() error {
		came, err := d.along(ctx, s)
		if err == nil || errors.Is(err, input.ErrCovered) {
			return err
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
	if style == calibrations.Absolute {
		return d.between(ctx, along)
	}
	err := input.Hold(p.Mouse, input.Left, along)
	if err == nil && d.late {
		err = d.seesWhole(ctx, s)
	}
	return err
}

// touched tells whether anything of a stroke is seen, but for its start circle, which may light
// up at a click.
func (d *dragEntry) touched(f *image.RGBA, s solve.Stroke) bool {
	for i := 1; i < len(s); i++ {
		for share := 0.25; share <= 1; share += 0.25 {
			inStart := i == 1 && s[0].X&1 == 0 && 2*share < startRoom
			if !inStart && trail.Changed(d.before, f, d.sheet.between(s[i-1], s[i], share)) {
				return true
			}
		}
	}
	return false
}

// between enters what is along between two clicks. What is not seen is let go of where it began.
func (d *dragEntry) between(ctx context.Context, along func() error) error {
	if err := d.player.Play(ctx, input.Click(input.Left)...); err != nil {
		return err
	}
	err := along()
	if err == nil || errors.As(err, new(*MissError)) {
		err = errors.Join(err, d.player.Play(context.WithoutCancel(ctx), input.Click(input.Left)...))
	}
	return err
}

// clicked enters a stroke by a click on each of its places.
func (d *dragEntry) clicked(ctx context.Context, s solve.Stroke) error {
	for i := range s {
		if err := d.player.Point(ctx, d.place(s, i)); err != nil {
			return err
		}
		if err := d.player.Play(ctx, input.Click(input.Left)...); err != nil {
			return err
		}
		if i > 0 && drawn(s[i-1], s[i]) {
			if err := d.arrives(ctx, s, i); err != nil {
				return err
			}
		}
	}
	return d.seesWhole(ctx, s)
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
			if errors.As(err, new(*MissError)) && !d.drew && len(s) > 2 && p.Motion.Style == calibrations.Drag {
				d.late, err = true, nil
			}
			if err != nil {
				return i, err
			}
			d.drew = d.drew || !d.late
			p.followed = p.followed || d.drew
		}
		p.took(p.Since(began))
	}
	last := len(s) - 1
	if d.late {
		return last, nil
	}
	if _, is := opening(s, last); is && d.reach > 0 {
		if err := d.leaves(ctx, s); err != nil {
			return last, err
		}
	}
	return last, d.seesWhole(ctx, s)
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

// opening tells whether an end of a stroke is an opening of the outline: half a cell from the
// middle of a cell, which is that within.
func opening(s solve.Stroke, i int) (within image.Point, is bool) {
	if i != 0 && i != len(s)-1 || len(s) < 2 {
		return within, false
	}
	within = s[max(i-1, 1-i)]
	by := s[i].Sub(within)
	return within, within.X&1 == 1 && within.Y&1 == 1 && abs(by.X)+abs(by.Y) == 1
}

// place is where a point of a stroke is entered; at an opening, out of it.
func (d *dragEntry) place(s solve.Stroke, i int) vision.Point {
	if within, is := opening(s, i); is {
		return d.out(s[i], within, d.reach)
	}
	return d.sheet.Half(s[i])
}

// out is a place so many half-cells beyond an opening, as seen from the cell within.
func (d *dragEntry) out(opening, within image.Point, far float64) vision.Point {
	return d.sheet.between(within, opening, 1+far)
}

// leaves looks whether a stroke is seen to have gone out at its last opening, outside of the
// outline, and leads it further until it is. A client that draws nothing there shows by
// other signs whether it took the answer.
func (d *dragEntry) leaves(ctx context.Context, s solve.Stroke) error {
	p, end, within := d.player, s[len(s)-1], s[len(s)-2]
	for far := d.reach; ; {
		out := d.out(end, within, d.reach/2)
		if seen, err := p.until(ctx, image.Rectangle{}, prodTime, 9*time.Millisecond, func(f *image.RGBA) bool { return trail.Changed(d.bare, f, out) }); seen || err != nil {
			return err
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

// steps are the steps of a stroke that are seen on the board, by the places that they come to.
func steps(s solve.Stroke) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := 1; i < len(s) && (!drawn(s[i-1], s[i]) || yield(i)); i++ {
		}
	}
}

// marked tells whether the middle of the cell that a step comes to changed, and nothing
// beside the border that it crosses: where the pointer is, a page may colour the whole cell.
func (d *dragEntry) marked(f *image.RGBA, a, b image.Point) bool {
	at := func(share float64) bool {
		return trail.Changed(d.bare, f, d.sheet.between(a, b, share))
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
		if !trail.Changed(d.bare, f, d.sheet.between(a, b, share)) {
			return &MissError{What: fmt.Sprintf("the line is not seen between %s and %s", solve.PlaceName(a), solve.PlaceName(b))}
		}
	}
	return nil
}

// whole tells whether all of a stroke is seen.
func (d *dragEntry) whole(f *image.RGBA, s solve.Stroke) error {
	for i := range steps(s) {
		if err := d.step(f, s, i, d.covered); err != nil {
			return err
		}
	}
	return nil
}

// Judge tells by whether the strokes stay, where they are or with the board
// elsewhere: a page that says so may push it aside.
func (d *dragEntry) Judge(ctx context.Context) (Outcome, error) {
	var was, last vision.RGB
	if d.after != nil {
		was, last = d.colour(d.after), d.colour(d.after)
	}
	return d.player.watch(ctx, d.task, image.Rectangle{}, signTime, func(f *image.RGBA) glance {
		for _, s := range d.strokes {
			if d.after != nil && d.whole(f, s) == nil {
				continue
			}
			if d.after != nil && d.partly(f) {
				return glance{}
			}
			went := d.after == nil || d.elsewhere(f, s)
			return glance{gone: went || !d.shifted(f), went: went}
		}
		if len(d.strokes) > 1 || d.strokes[0][0].X&1 == 1 {
			return glance{} // of many colours, or cells are coloured
		}
		now := d.colour(f)
		g := shade(was, last, now)
		last = now
		return g
	})
}

// colour is that of most of the strokes.
func (d *dragEntry) colour(f *image.RGBA) vision.RGB {
	var all []vision.RGB
	for _, s := range d.strokes {
		for i := range steps(s) {
			at := d.sheet.between(s[i-1], s[i], 0.5)
			all = append(all, vision.At(f, at.X, at.Y))
		}
	}
	return vision.MedianRGB(all)
}

// partly tells whether most of the strokes is seen where it was entered, in one colour, and
// not in that of the cells. A client may colour the cells that a line goes through: they are
// another's no more than the line is.
func (d *dragEntry) partly(f *image.RGBA) bool {
	there, all := 0, 0
	for _, s := range d.strokes {
		var line, beside []vision.RGB
		for i := range steps(s) {
			// 0.21 of the way from one cell's middle to the next is within the first.
			at, off := d.sheet.between(s[i-1], s[i], 0.21), d.sheet.At(float64(s[i-1].X)-0.5, float64(s[i-1].Y)-0.5)
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

// mostShift is how far a board may be pushed aside, in pixels: by a line or two of
// a page's largest letters.
const mostShift = 160

// shifted tells whether the board with all strokes is seen as a whole elsewhere.
func (d *dragEntry) shifted(f *image.RGBA) bool {
	var places []image.Point
	for _, s := range d.strokes {
		for i := 1; i < len(s); i++ {
			for _, q := range [2]vision.Point{d.sheet.Half(s[i]), d.sheet.between(s[i-1], s[i], 0.5)} {
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
	near := func(p, q vision.Point) bool { return p.Dist(q) < 1 }
	if t.bare != nil && t.bare.Rect == t.Frame.Rect && slices.EqualFunc(t.bareAt[:], b.Quad[:], near) {
		return t.bare
	}
	if t.Tries > 0 {
		return nil
	}
	t.bare, t.bareAt = t.Frame, b.Quad
	return t.bare
}
