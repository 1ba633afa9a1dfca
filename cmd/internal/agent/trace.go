package agent

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
	"time"

	"onlooker/input"
	"onlooker/solve"
	"onlooker/vision"
)

// Trace enters a stroke of the form that package solve gives for lines: a
// start, the nodes, and a point in the cap. The cursor must be free in solve
// mode. It ends with the head in the cap and nothing submitted yet; on an
// error the line was dropped with a right click. A line that is dragged is
// entered by Submit, since letting go submits it.
func (p *Player) Trace(ctx context.Context, sheet Sheet, stroke solve.Stroke) (t *Tracing, err error) {
	if len(stroke) < 3 {
		return nil, fmt.Errorf("play: a stroke of %d points, want a start, an end and its cap", len(stroke))
	}
	if p.drags() {
		return &Tracing{player: p, sheet: sheet, stroke: stroke, width: 2 * sheet.Line}, nil
	}
	begun := false
	defer func() {
		if err != nil && begun {
			err = errors.Join(err, p.drop(ctx), t.gone(ctx))
		}
	}()
	start := sheet.At(float64(stroke[0].X), float64(stroke[0].Y))
	beside := sheet.At(float64(stroke[0].X)+1, float64(stroke[0].Y))
	line := sheet.Line * 2 * gap(start, beside) // pixels
	trail, err := p.begin(ctx, start, line, &begun, nil)
	if err != nil {
		return nil, err
	}
	t = &Tracing{player: p, sheet: sheet, stroke: stroke, trail: trail, width: 2 * sheet.Line}
	return t, t.run(ctx)
}

// gone waits until a line that was dropped has gone from the screen: until then
// the client takes nothing, and all that it is told will come to it at once.
func (t *Tracing) gone(ctx context.Context) error {
	if t == nil || t.spin != nil || ctx.Err() != nil {
		return nil // there was none, or its start may be out of sight
	}
	p, start := t.player, t.at(t.stroke[0])
	for began := p.now; p.since(began) < hangs; {
		f, err := p.grab(ctx)
		if err != nil || !t.trail.Stands(f, start) {
			return err
		}
		if err := p.pause(ctx, 20*time.Millisecond); err != nil {
			return err
		}
	}
	return &MissError{What: fmt.Sprintf("the line stays for %v after a right click: the game does not react", hangs)}
}

// hangs is how long a client may stand still before that is said.
const hangs = 10 * time.Second

// A Tracing is a line that is being entered.
type Tracing struct {
	player *Player
	sheet  Sheet
	stroke solve.Stroke
	trail  *vision.Trail
	width  float64   // of the line, in half-cells
	widths []float64 // as measured on it, sorted
	// watched is the part of the stroke that is in sight at the end.
	watched solve.Stroke
	gain    float64     // pixels per unit while tracing; 0: not measured
	spin    *spin       // of a pillar; nil on flat boards
	seen    *image.RGBA // the last frame looked at
}

func (t *Tracing) at(q image.Point) vision.Point { return t.sheet.At(float64(q.X), float64(q.Y)) }

// run enters the legs: straight runs of the stroke, the last one into the cap.
func (t *Tracing) run(ctx context.Context) error {
	s := t.stroke
	for i := 0; i < len(s)-1; {
		j := i + 1
		d := unit(s[j].Sub(s[i]))
		// Round a pillar a leg is one column: what is further is out of sight.
		for j+1 < len(s) && unit(s[j+1].Sub(s[j])) == d && (t.spin == nil || d.X == 0) {
			j++
		}
		last := j == len(s)-1
		began := t.player.now
		turn := i > 0 && unit(s[i].Sub(s[i-1])) != d
		if err := t.leg(ctx, s[i], s[j], turn, last, j == len(s)-2); err != nil {
			return err
		}
		t.player.legs++
		t.player.legTime += t.player.since(began)
		i = j
	}
	return nil
}

// maxTries is how many motions one leg may take.
const maxTries = 14

// way maps half-cells along and across a leg to pixels.
func (t *Tracing) way(from, to image.Point) vision.Way {
	d := unit(to.Sub(from))
	return func(along, across float64) vision.Point {
		return t.sheet.At(float64(from.X)+along*float64(d.X)-across*float64(d.Y), float64(from.Y)+along*float64(d.Y)+across*float64(d.X))
	}
}

func gap(a, b vision.Point) float64 { return math.Hypot(b.X-a.X, b.Y-a.Y) }

// leg carries the head from one node to another, straight. Lengths are
// half-cells (along a slanting cap, their diagonals). isCap says that the leg
// ends in the cap, atCap that the next one sets out into it.
//
// A leg ends a little short of its node: the next one's nudge then leaks the
// head round the corner and is lost for it, as is known beforehand and made
// good in the same row of motions. A head that happened to be exactly at the
// node would keep the nudge, and nobody could tell. Nor is a node of the border
// pushed past: a part of such a push leaks along the border, either way.
func (t *Tracing) leg(ctx context.Context, from, to image.Point, turn, isCap, atCap bool) error {
	p, way := t.player, t.way(from, to)
	length := float64(max(abs(to.X-from.X), abs(to.Y-from.Y)))
	goal, node := length, 0.0
	if isCap {
		// The cap is a dead end: its tip is somewhere along the stroke's last
		// half-cell, and pushing on is harmless.
		node = length - 1
		goal = node + 1.24
	}
	tip := t.stroke[len(t.stroke)-1].Sub(t.stroke[len(t.stroke)-2])
	slant := tip.X != 0 && tip.Y != 0
	level := t.spin != nil && from.Y == to.Y
	if t.spin != nil {
		t.spin.toward = float64(to.X)
	}
	// The leg is told from the board as it was just before: it may still be
	// coming on, and grow as light as to be taken for something of its own.
	ahead := t.trail
	if t.seen != nil {
		ahead = ahead.Again(t.seen)
	}
	head, lost := 0.0, 0
	freeUnits, freeMoved := 0.0, 0.0
	for try := 0; try < maxTries; try++ {
		pixels := gap(way(goal, 0), way(goal-0.5, 0)) * 2 // a half-cell's
		if level {
			// Motion counts as where the head is, and what is further round is
			// seen aslant.
			if err := t.spin.face(ctx, p, float64(from.X)+head*float64(unit(to.Sub(from)).X), 0.5); err != nil {
				return err
			}
			pixels = gap(way(head-0.05, 0), way(head+0.05, 0)) * 10
		}
		if try > 0 {
			near := t.near(head-goal, pixels)
			if isCap {
				if in := head - node; in > 0.32 && in > 0.6*t.width {
					return nil
				}
			} else if atCap && slant && (near || head > goal-0.1 && head < goal+0.4) {
				return nil // at the node, or in the cap already: the slanting way takes it along
			} else if near {
				return nil
			}
		}
		push := goal - head
		if !isCap && t.gain > 0 {
			push -= t.short() / pixels
		}
		m := p.Motion
		m.Gain = t.gain
		if t.gain == 0 {
			// Factors from 1.1 to 2 were seen: by twice the cursor's gain the
			// first motion stops short.
			m.Gain = 2.2 * p.cursorGain
			push = min(push, 0.6*length)
		}
		nudged := turn && head*pixels < 1 && push*pixels > 2*float64(m.NudgePixels)*m.Gain
		loss := 0.0 // half-cells
		if nudged && p.kept < keptSure {
			loss = float64(m.NudgePixels) * m.Gain / pixels
		}
		here, there := way(head, 0), way(head+push+loss, 0)
		if level {
			there = vision.Point{X: here.X + math.Copysign((push+loss)*pixels, push*(way(head+0.05, 0).X-here.X)), Y: here.Y}
		}
		events := input.Plan(input.Leg{To: input.Pixel(there), Turn: turn && head*pixels < 1}, input.Pixel(here), m)
		if len(events) == 0 {
			return nil // nearer than a unit of motion
		}
		far := gap(here, there)
		units := 0.0
		for _, e := range events {
			units += (float64(e.At.X)*(there.X-here.X) + float64(e.At.Y)*(there.Y-here.Y)) / far
		}
		// Nothing is waited for after the last motion: it is looked for.
		if err := p.play(ctx, events[:len(events)-1]...); err != nil {
			return err
		}
		was, want := head, head+push
		if isCap {
			want = goal
		}
		var err error
		if head, err = t.look(ctx, ahead, way, pixels, head, want, goal+1); err != nil {
			return err
		}
		moved := math.Copysign(gap(way(was, 0), way(head, 0)), head-was)
		if level {
			moved = (head - was) * pixels
		}
		p.logf("  leg %v→%v: %.1f units, head %.3f→%.3f of %.2f, %.1f pixels, line %.3f", from, to, units, was, head, goal, moved, t.width)
		clamped := isCap && head > goal-0.3
		if nudged && t.gain > 0 && !isCap {
			p.learnNudge((was+push-head)/(float64(m.NudgePixels)*m.Gain/pixels), loss > 0)
		}
		// Motions that set out along the line and ran free tell the gain; all of
		// a leg's together, since the end of one may show only with the next.
		// Round a pillar a pixel counts for more while it has not turned yet.
		if free := was*pixels > 1 || try == 0 && !turn; free && !clamped && (!level || t.gain == 0) {
			freeUnits += math.Copysign(units, push)
			freeMoved += moved
			if math.Abs(freeMoved) > 12 && freeMoved/freeUnits > 0.02 {
				t.gain = freeMoved / freeUnits
				p.logf("  gain %.3f", t.gain)
			}
		}
		if math.Abs(moved) < 0.75 && !clamped && !t.near(head-goal, pixels) {
			if lost++; lost >= 4 {
				return &MissError{What: fmt.Sprintf("the line does not go on from (%d,%d) to (%d,%d): its head stays %.2f of %.2f half-cells along", from.X, from.Y, to.X, to.Y, head, goal)}
			}
		}
	}
	return &MissError{What: fmt.Sprintf("the line does not come to (%d,%d): its head is %.2f of %.2f half-cells along from (%d,%d)", to.X, to.Y, head, goal, from.X, from.Y)}
}

// short is how far before a node a leg is to end, in pixels: motion comes in
// whole units, and a head is seen to 0.3 pixels.
func (t *Tracing) short() float64 { return 0.5*t.gain + 0.3 }

// near tells whether a head is near enough to a node to turn there, by how many
// half-cells it is past it: a nudge leaks a third of itself towards the corner.
func (t *Tracing) near(past, pixels float64) bool {
	far := past * pixels
	if t.gain == 0 {
		return math.Abs(far) <= t.player.Motion.MissPixels
	}
	leak := float64(t.player.Motion.NudgePixels) * t.gain / 3
	return far > -max(0.8*leak, t.player.Motion.MissPixels) && far < max(0.5*leak, t.player.Motion.MissPixels)
}

// look waits until the head has come to rest and tells how far it has come
// along a way, on which a half-cell is so many pixels. want is where it should
// be; the sooner it is seen there, the sooner look returns.
func (t *Tracing) look(ctx context.Context, ahead *vision.Trail, way vision.Way, pixels, was, want, most float64) (float64, error) {
	p := t.player
	began := p.now
	last, rest := math.NaN(), began
	// Until the gain is known nobody can say whether all of a motion is seen.
	calm := 30 * time.Millisecond
	if t.gain == 0 {
		calm = 100 * time.Millisecond
	}
	for {
		f, err := t.player.grab(ctx)
		if err != nil {
			return 0, err
		}
		t.seen = f
		head := t.head(f, ahead, way, 0.5/pixels, most)
		if t.spin == nil && head > 2 && len(t.widths) < 9 { // a pitch of line, measured in its middle
			nominal := 2 * t.sheet.Line
			if w, ok := ahead.Width(f, way, 0.5*head, nominal); ok && math.Abs(w/nominal-1) < 0.15 {
				t.widths = append(t.widths, w)
				slices.Sort(t.widths)
				t.width = t.widths[len(t.widths)/2]
				head = t.head(f, ahead, way, 0.5/pixels, most)
			}
		}
		if !(math.Abs(head-last)*pixels < 0.3) {
			last, rest = head, p.now
		}
		still := p.since(rest)
		// A quarter of the way: less may be the first of several motions.
		moved := math.Abs(head-was)*pixels >= max(0.75, 0.25*math.Abs(want-was)*pixels)
		switch {
		case moved && t.gain > 0 && math.Abs(head-want)*pixels < 1.5 && still > 8*time.Millisecond:
			return head, nil // where it should be
		case moved && still > calm && p.since(began) > 45*time.Millisecond:
			return head, nil // elsewhere, and at rest
		case still > shown:
			return head, nil // it did not move at all
		}
		if err := p.pause(ctx, 9*time.Millisecond); err != nil {
			return 0, err
		}
	}
}

// head is how far along a way the line's head has come in a frame.
func (t *Tracing) head(f *image.RGBA, ahead *vision.Trail, way vision.Way, step, most float64) float64 {
	if t.spin == nil {
		return ahead.Head(f, way, t.width, step, most)
	}
	t.spin.see(f) // way maps to this frame's pixels from here on
	return ahead.HeadOn(f, way, t.spin.board.Ink, t.width, step, most)
}

// covers tells whether the line is at a place.
func (t *Tracing) covers(f *image.RGBA, p vision.Point) bool {
	if t.spin == nil {
		return t.trail.Covers(f, p)
	}
	return t.trail.Lit(f, p, t.spin.board.Ink)
}

// Whole tells whether the line on the screen covers every node and edge of
// its stroke; it names the first half-cell that it does not cover.
func (t *Tracing) Whole(f *image.RGBA) error {
	s := t.shown()
	for i := 0; i+1 < len(s)-1; i++ {
		for _, q := range t.places(s[i], s[i+1]) {
			if !t.covers(f, q) {
				return &MissError{What: fmt.Sprintf("the line is not seen between (%d,%d) and (%d,%d)", s[i].X, s[i].Y, s[i+1].X, s[i+1].Y)}
			}
		}
	}
	return nil
}

// places are where the line is looked for between two nodes: the middle and the
// farther node, and on a pillar, where nothing tells a covered dot from a bare
// one, beside these.
func (t *Tracing) places(from, to image.Point) [2]vision.Point {
	shares := [2]float64{0.5, 1}
	if t.spin != nil {
		shares = [2]float64{0.25, 0.75}
	}
	var out [2]vision.Point
	for i, f := range shares {
		out[i] = t.sheet.At(float64(from.X)+f*float64(to.X-from.X), float64(from.Y)+f*float64(to.Y-from.Y))
	}
	return out
}

// shown is what is in sight of the stroke.
func (t *Tracing) shown() solve.Stroke {
	if t.watched != nil {
		return t.watched
	}
	return t.stroke
}

// stands tells whether most of the line is there in its own colour: dots on it
// are darker.
func (t *Tracing) stands(f *image.RGBA) bool {
	s := t.shown()
	there, all := 0, 0
	for i := 0; i+1 < len(s)-1; i++ {
		for _, q := range t.places(s[i], s[i+1]) {
			all++
			if t.spin == nil && t.trail.Stands(f, q) || t.spin != nil && t.trail.Lit(f, q, t.spin.board.Ink) {
				there++
			}
		}
	}
	return 10*there >= 6*all
}

// Submit clicks in the cap, after one more look at the whole line, and tells
// what became of it. An error of looking before the click drops the line.
func (t *Tracing) Submit(ctx context.Context) (Outcome, error) {
	p := t.player
	if p.drags() {
		f, err := t.drag(ctx)
		if err != nil {
			return Unknown, err
		}
		return t.confirm(ctx, f)
	}
	f, err := p.grab(ctx)
	if err == nil {
		err = t.Whole(f)
	}
	if err != nil {
		return Unknown, errors.Join(err, p.drop(ctx))
	}
	if err := p.play(ctx, input.Click(input.Left)...); err != nil {
		return Unknown, err
	}
	p.cursor = vision.Point{}
	return t.confirm(ctx, f)
}

// drag enters the line with the button held down, and lets go in the cap once
// the whole line is seen; it returns the frame that shows it. A line that is not
// seen whole is taken back to its start before the button goes up: there it
// submits nothing.
func (t *Tracing) drag(ctx context.Context) (*image.RGBA, error) {
	p, s := t.player, t.stroke
	before, err := p.grab(ctx)
	if err != nil {
		return nil, err
	}
	corner := p.Source.Bounds().Min // of the frame, on the screen
	at := func(q image.Point) input.Pixel {
		c := t.at(q)
		return input.Pixel{X: c.X + float64(corner.X), Y: c.Y + float64(corner.Y)}
	}
	start := image.Pt(int(math.Round(at(s[0]).X)), int(math.Round(at(s[0]).Y)))
	if err := p.play(ctx, input.Event{Op: input.Goto, At: start}, wait(30*time.Millisecond)); err != nil {
		return nil, err
	}
	var whole *image.RGBA
	err = input.Hold(p.Mouse, input.Left, func() (err error) {
		defer func() {
			if err != nil {
				err = errors.Join(err, p.Mouse.MoveTo(start), p.pause(context.WithoutCancel(ctx), 30*time.Millisecond))
			}
		}()
		if err := p.sees(ctx, func(f *image.RGBA) (err error) {
			var ok bool
			if t.trail, ok = vision.NewTrail(before, f, t.at(s[0])); !ok {
				err = &MissError{What: fmt.Sprintf("no line begins at the start at (%d,%d)", start.X, start.Y)}
			}
			return err
		}); err != nil {
			return err
		}
		for i := 1; i < len(s); i++ {
			began := p.now
			if err := p.play(ctx, input.Plan(input.Leg{To: at(s[i])}, at(s[i-1]), p.Motion)...); err != nil {
				return err
			}
			p.legs++
			p.legTime += p.since(began)
		}
		return p.sees(ctx, func(f *image.RGBA) error { whole = f; return t.Whole(f) })
	})
	return whole, err
}

// confirm watches what becomes of a line that was submitted: it counts as
// accepted when it still stands there, as light, after a while, or when the
// board went with it: a line that is refused blinks on a board that stays.
func (t *Tracing) confirm(ctx context.Context, before *image.RGBA) (Outcome, error) {
	// 260 ms: a wrong line blinks within 150 ms of the client's answer.
	const settle, refresh = 260 * time.Millisecond, 30 * time.Millisecond
	gone := 0
	p := t.player
	for began := p.now; p.since(began) < settle; {
		if err := p.pause(ctx, refresh); err != nil {
			return Unknown, err
		}
		f, err := t.player.grab(ctx)
		if err != nil {
			return Unknown, err
		}
		if !t.stands(f) {
			if gone++; gone >= 2 {
				if t.boardWent(before, f) {
					return Accepted, nil
				}
				return Refused, nil
			}
		} else {
			gone = 0
		}
	}
	return Accepted, nil
}

// boardWent tells whether most of the cells that the stroke goes about changed:
// the client shows something else.
func (t *Tracing) boardWent(before, now *image.RGBA) bool {
	around := image.Rectangle{}
	for _, q := range t.stroke {
		around = around.Union(image.Rectangle{Min: q, Max: q.Add(image.Pt(1, 1))})
	}
	if t.spin != nil { // the cells beside the end are in sight
		x := t.stroke[len(t.stroke)-2].X
		around.Min.X, around.Max.X = x-1, x+2
	}
	return mostCells(around, func(x, y float64) bool { return vision.Changed(before, now, t.sheet.At(x, y)) })
}

// mostCells tells whether something is so of most cells within some half-cells.
func mostCells(around image.Rectangle, is func(x, y float64) bool) bool {
	there, all := 0, 0
	for y := around.Min.Y | 1; y < around.Max.Y; y += 2 {
		for x := around.Min.X | 1; x < around.Max.X; x += 2 {
			if all++; is(float64(x), float64(y)) {
				there++
			}
		}
	}
	return 10*there > 6*all
}
