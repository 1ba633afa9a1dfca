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
	"onlooker/input"
	"onlooker/solve"
	"onlooker/vision"
	"onlooker/vision/trail"
)

// Trace enters the stroke: a start, the nodes, and a point in the cap. The
// cursor must be free in solve mode. It ends with the head in the cap and nothing
// submitted yet; on an error the line was dropped with a right click.
func (t *Tracing) Trace(ctx context.Context) (err error) {
	begun := false
	defer func() {
		if err != nil && begun {
			t.player.agreed = 0 // another board's gain may have been why
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
	return t.run(ctx)
}

// Try enters the line up to the end's node, and drops it there: in the cap a
// right click submits, too, in some clients.
func (t *Tracing) Try(ctx context.Context) error {
	if !t.half {
		t.stroke, t.half = t.stroke[:len(t.stroke)-1], true
	}
	if err := t.Trace(ctx); err != nil {
		return err
	}
	return errors.Join(t.player.drop(ctx), t.gone(ctx), t.player.Leave(ctx))
}

// retreat moves the head out of the cap, where it is in it: a right click there
// submits in some clients. A head that went astray may have come into it, too.
func (t *Tracing) retreat(ctx context.Context) error {
	if t.gain <= 0 || !t.capped && !t.strayed(ctx) {
		return nil
	}
	s := t.stroke
	tip, node := t.at(s[len(s)-1]), t.at(s[len(s)-2])
	// Twice the cap's half-cell: it may have been pushed beyond its tip.
	back := input.Pixel{X: 2*node.X - tip.X, Y: 2*node.Y - tip.Y}
	return t.player.Play(context.WithoutCancel(ctx), input.Plan(input.Leg{To: back}, input.Pixel(tip), t.player.pushing(t.gain))...)
}

// strayed tells whether the line is seen in the cap without having been led there.
func (t *Tracing) strayed(ctx context.Context) bool {
	if t.trail == nil || t.spin != nil || t.half || len(t.stroke) < 2 {
		return false
	}
	f, err := t.player.grabPart(context.WithoutCancel(ctx), t.sheet.Part)
	if err != nil {
		return false
	}
	tip, node := t.stroke[len(t.stroke)-1], t.stroke[len(t.stroke)-2]
	// Half of the way: the line itself reaches to a third at the most.
	middle := t.sheet.At((float64(node.X)+float64(tip.X))/2, (float64(node.Y)+float64(tip.Y))/2)
	return t.trail.Covers(f, middle)
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

// A Tracing is a line that is being entered.
type Tracing struct {
	player *Player
	sheet  Sheet
	stroke solve.Stroke
	trail  *trail.Trail
	width  float64   // of the line, in half-cells
	widths []float64 // as measured on it, sorted
	// watched is the part of the stroke that is in sight at the end.
	watched    solve.Stroke
	gain       float64 // pixels per unit while tracing; 0: not measured
	lent       bool    // that is other lines' gain: none was measured on this one
	agreed     bool    // that is other lines' gain, or this one's, which is the same
	odd        float64 // another, which one motion told; 0: none did
	toldUnits  float64 // of the motions that told the gain
	toldPixels float64
	unlit      []image.Point // where but for its start no line begins with it
	spin       *see.Spin     // of a pillar; nil on flat boards
	seen       *image.RGBA   // the last frame looked at
	read       *image.RGBA   // the frame in which the board was read; nil: not known
	waited     time.Duration // for what lay over the board to go
	half       bool          // it ends at the end's node: it has no cap, or only that much is entered
	capped     bool          // its head may be in the cap
	before     *image.RGBA   // the frame that shows all of it, before it was submitted
}

func (t *Tracing) at(q image.Point) vision.Point { return t.sheet.Half(q) }

// errAstray says that a head does not set out from where it was thought to be:
// a motion of the leg before showed late.
var errAstray error = &MissError{What: "the head is not at the corner"}

// run enters the legs: straight runs of the stroke, the last one into the cap.
func (t *Tracing) run(ctx context.Context) error {
	s := t.stroke
	var before *leg
	for i := 0; i < len(s)-1; {
		j := i + 1
		d := unit(s[j].Sub(s[i]))
		// Round a pillar a leg is one column: what is further is out of sight.
		for j+1 < len(s) && unit(s[j+1].Sub(s[j])) == d && (t.spin == nil || d.X == 0) {
			j++
		}
		began := t.player.now
		l := t.leg(s[i], s[j])
		l.turn = i > 0 && unit(s[i].Sub(s[i-1])) != d
		l.isCap, l.atCap = j == len(s)-1 && !t.half, j == len(s)-2 && !t.half
		t.capped = l.isCap
		l.before = before
		l.sets(before)
		err := l.run(ctx)
		if errors.Is(err, errAstray) {
			t.player.Logf("  %v: back to it", err)
			if err = before.resume(ctx); err == nil {
				again := *l
				again.before, again.head, again.lost = nil, 0, 0
				again.sets(before)
				l, err = &again, again.run(ctx)
			}
		}
		if err != nil {
			return err
		}
		t.player.took(began)
		if i == 0 && t.spin == nil {
			t.trail = t.trail.Left(t.seen, t.at(s[0]))
			for _, q := range t.unlit {
				if !slices.Contains(s[:j+1], q) && t.trail.Covers(t.seen, t.at(q)) {
					return &MissError{What: fmt.Sprintf("a second line begins at (%d,%d): the board has two lines after all", q.X, q.Y)}
				}
			}
		}
		before = l
		i = j
	}
	if t.spin == nil {
		wide := 0.0
		if len(t.widths) > 0 {
			wide = t.width / (2 * t.sheet.Line)
		}
		t.player.traced(t.gain, t.toldUnits, t.toldPixels, wide)
	}
	return nil
}

// maxTries is how many motions one leg may take.
const maxTries = 14

// way maps half-cells along and across a leg to pixels, by a map of the board.
func way(from, to image.Point, at func(x, y float64) vision.Point) trail.Way {
	d := unit(to.Sub(from))
	return func(along, across float64) vision.Point {
		return at(float64(from.X)+along*float64(d.X)-across*float64(d.Y), float64(from.Y)+along*float64(d.Y)+across*float64(d.X))
	}
}

// A leg is a straight run of a line from one node to another, or into the cap.
// Lengths are half-cells (along a slanting cap, their diagonals).
type leg struct {
	*Tracing
	from, to image.Point
	turn     bool      // it sets out in another direction than the one before ended in
	isCap    bool      // it ends in the cap
	atCap    bool      // the next one sets out into it
	slant    bool      // the cap does
	level    bool      // it goes round a pillar
	before   *leg      // the leg before; nil where that was gone back to
	way      trail.Way // for motion
	sight    trail.Way // for what is seen
	ahead    *trail.Trail
	length   float64
	goal     float64 // where the head is to come to
	node     float64 // that the cap is at
	wall     bool    // the board's border is at its end: the head goes no further
	off      float64 // pixels from its first node that the head is, along the leg before
	exact    bool    // it is at that node, to less than can be seen

	head                  float64 // how far it has come
	lost                  int     // motions that did not move it
	walled                bool    // it does not move any more, and is at its node but for how it is drawn
	beyond                bool    // it was moved against the border
	freeUnits, freePixels float64 // of motions that told the gain
	excess                float64 // pixels that it came further than was sent
}

// leg is the leg from one node to another.
func (t *Tracing) leg(from, to image.Point) *leg {
	length := float64(max(abs(to.X-from.X), abs(to.Y-from.Y)))
	l := &leg{Tracing: t, from: from, to: to, length: length}
	l.way, l.sight = way(from, to, t.sheet.On), way(from, to, t.sheet.At)
	tip := t.stroke[len(t.stroke)-1].Sub(t.stroke[len(t.stroke)-2])
	l.slant = tip.X != 0 && tip.Y != 0
	l.level = t.spin != nil && from.Y == to.Y
	// A board that goes round has no border at its sides.
	if last, on := t.sheet.Last, to.Add(unit(to.Sub(from))); last != (image.Point{}) {
		l.wall = on.Y < 0 || on.Y > last.Y || t.sheet.Around == 0 && (on.X < 0 || on.X > last.X)
	}
	return l
}

// sets says how the leg before left the head at the node that this one sets out
// from.
func (l *leg) sets(before *leg) {
	if before == nil || l.spin != nil {
		return
	}
	pixels := before.way(before.length, 0).Dist(before.way(before.length-0.5, 0)) * 2
	l.off = math.Abs(before.head-before.length) * pixels
	l.exact = before.beyond && l.off < 1
}

// run carries the head along the leg.
//
// A leg ends a little short of its node: the next one's nudge then leaks the
// head round the corner and is lost for it, as is known beforehand and made
// good in the same row of motions. A head that happened to be exactly at the
// node would keep the nudge, and nobody could tell. At a node of the border it
// is: the head is moved a little against it, and keeps the nudge that follows.
func (l *leg) run(ctx context.Context) error {
	l.goal = l.length
	if l.isCap {
		// The cap is a dead end: its tip is somewhere along the stroke's last
		// half-cell, and pushing on is harmless.
		l.node = l.length - 1
		l.goal = l.node + 1.24
	}
	if l.spin != nil {
		l.spin.Toward = float64(l.to.X)
	}
	// The leg is told from the board as it was just before: it may still be
	// coming on, and grow as light as to be taken for something of its own.
	l.ahead = l.trail
	if l.seen != nil {
		l.ahead = l.trail.Again(l.seen, 1)
	}
	for try := range maxTries {
		pixels, err := l.pixels(ctx)
		if err != nil {
			return err
		}
		if try > 0 && l.there(pixels) {
			return nil
		}
		if done, err := l.push(ctx, try == 0, pixels); done || err != nil {
			return err
		}
	}
	return &MissError{What: fmt.Sprintf("the line does not come to (%d,%d): its head is %.2f of %.2f half-cells along from (%d,%d)", l.to.X, l.to.Y, l.head, l.goal, l.from.X, l.from.Y)}
}

// resume brings a head back to the node that a leg had come to.
func (l *leg) resume(ctx context.Context) error {
	f, err := l.player.grabPart(ctx, l.sheet.Part)
	if err != nil {
		return err
	}
	l.Tracing.seen, l.before = f, nil
	pixels, err := l.pixels(ctx)
	if err != nil {
		return err
	}
	l.head, l.lost, l.walled = l.Tracing.head(f, l.ahead, l.sight, 0.5/pixels, l.goal+1), 0, false
	for range maxTries {
		if l.there(pixels) {
			return nil
		}
		if done, err := l.push(ctx, false, pixels); done || err != nil {
			return err
		}
	}
	return &MissError{What: fmt.Sprintf("the head does not come back to (%d,%d)", l.to.X, l.to.Y)}
}

// pixels is how many a half-cell has where the head is.
func (l *leg) pixels(ctx context.Context) (float64, error) {
	if !l.level {
		return l.way(l.goal, 0).Dist(l.way(l.goal-0.5, 0)) * 2, nil
	}
	// Motion counts as where the head is, and what is further round is seen
	// aslant.
	if err := l.player.face(ctx, l.spin, float64(l.from.X)+l.head*float64(unit(l.to.Sub(l.from)).X), 0.5); err != nil {
		return 0, err
	}
	return l.way(l.head-0.05, 0).Dist(l.way(l.head+0.05, 0)) * 10, nil
}

// there tells whether the head has come to where it is to come.
func (l *leg) there(pixels float64) bool {
	near := l.walled || l.near(l.head-l.goal, pixels)
	if round := l.sheet.Around; round > 0 && l.to.X%round == 0 && l.gain > 0 {
		// The board fades out there: what is seen of the head is up to a third of
		// the line's width short. Its motion is trusted beyond.
		near = near || math.Abs(l.head-l.goal) < 0.4*l.width
	}
	switch {
	case l.isCap:
		return l.inCap(l.head)
	case l.atCap && l.slant: // at the node, or in the cap already: the slanting way takes it along
		return near || l.head > l.goal-0.1 && l.head < l.goal+0.4
	}
	return near
}

// inCap tells whether a head is in the cap, far enough to be submitted.
func (l *leg) inCap(head float64) bool {
	in := head - l.node
	return in > 0.32 && in > 0.6*l.width
}

// push moves once towards the goal and looks how far the head came; done says
// that it is nearer than a unit of motion.
func (l *leg) push(ctx context.Context, first bool, pixels float64) (done bool, err error) {
	p := l.player
	push := l.goal - l.head
	switch {
	case l.isCap || l.gain == 0:
	case l.wall:
		push += l.short() / pixels
		l.beyond = true
	default:
		push -= l.short() / pixels
	}
	m := p.pushing(l.gain)
	if l.gain == 0 {
		m = p.pushing(p.firstGain())
		push = min(push, 0.6*l.length)
	}
	corner := l.turn && l.head*pixels < 1
	if corner && l.spin == nil {
		m.NudgePixels = l.nudge(m)
	}
	nudged := corner && push*pixels > 2*float64(m.NudgePixels)*m.Gain
	nudge := float64(m.NudgePixels) * m.Gain / pixels
	loss := 0.0 // half-cells
	if nudged && !l.exact && p.kept < keptSure {
		loss = nudge
	}
	here, there := l.way(l.head, 0), l.way(l.head+push+loss, 0)
	if l.level {
		there = vision.Point{X: here.X + math.Copysign((push+loss)*pixels, push*(l.way(l.head+0.05, 0).X-here.X)), Y: here.Y}
	}
	events := input.Plan(input.Leg{To: input.Pixel(there), Turn: corner}, input.Pixel(here), m)
	if len(events) == 0 {
		return true, nil
	}
	far := here.Dist(there)
	units, step := 0.0, 0.0 // of all motions, of the largest
	for _, e := range events {
		by := (float64(e.At.X)*(there.X-here.X) + float64(e.At.Y)*(there.Y-here.Y)) / far
		units, step = units+by, max(step, by)
	}
	// Nothing is waited for after the last motion: it is looked for.
	if err := p.Play(ctx, events[:len(events)-1]...); err != nil {
		return false, err
	}
	was := l.head
	wants := []float64{was + push}
	switch {
	case l.isCap:
		wants[0] = l.goal
	case l.beyond:
		wants[0] = l.goal
	case nudged: // all the same it may be lost, or kept
		wants = append(wants, was+push+loss, was+push+loss-nudge)
	}
	most := l.goal + 1
	if l.gain == 0 || l.lent { // it may go twice as far
		most += max(push, 0)
	}
	if l.head, err = l.look(ctx, pixels, was, most, step*m.Gain, wants); err != nil {
		return false, err
	}
	if nudged && l.gain > 0 && !l.isCap && !l.exact && !l.beyond {
		p.learnNudge((was+push-l.head)/nudge, loss > 0)
	}
	return false, l.learn(was, most, math.Copysign(units, push), pixels, first)
}

// learn takes what a motion of some units led to, from where the head was; it
// was looked for up to most.
func (l *leg) learn(was, most, units, pixels float64, first bool) error {
	p := l.player
	moved := math.Copysign(l.way(was, 0).Dist(l.way(l.head, 0)), l.head-was)
	if l.level {
		moved = (l.head - was) * pixels
	}
	p.Logf("  leg %v→%v: %.1f units, head %.3f→%.3f of %.2f, %.1f pixels, line %.3f", l.from, l.to, units, was, l.head, l.goal, moved, l.width)
	if l.gain > 0 && !l.lent && l.spin == nil {
		if l.excess += moved - units*l.gain; l.excess > float64(p.pushing(1).StepPixels)*l.gain {
			l.excess = 0
			p.overshot()
		}
	}
	clamped := l.isCap && l.head > l.goal-0.3 || l.beyond && l.head*pixels > l.goal*pixels-1
	// Motions that set out along the line and ran free tell the gain; all of a
	// leg's together, since the end of one may show only with the next. Round a
	// pillar a pixel counts for more while it has not turned yet.
	// At a node of the border a head goes no further, and where a board fades out
	// it cannot be seen to: one with a border of its own is seen 1 pixel of 24
	// short of its node, one under a fade 2.5. Within a third of half a line's
	// width it turns there all the same.
	l.walled = l.walled || math.Abs(moved) < 0.3 && math.Abs(l.head-l.goal) < l.width/6
	// Where the line goes on to the end of what was looked at, nobody knows how far it went.
	if free := (was*pixels > 1 || first && !l.turn) && l.head < most; free && !clamped && !l.walled && (!l.level || l.gain == 0) {
		if alone := moved / units; math.Abs(moved) > 12 && l.gain > 0 && math.Abs(alone/l.gain-1) > 0.1 {
			l.freeUnits, l.freePixels = 0, 0 // a part of the motion before showed late
		}
		l.freeUnits += units
		l.freePixels += moved
		if math.Abs(l.freePixels) > 12 && l.freePixels/l.freeUnits > 0.02 {
			l.told(l.freePixels / l.freeUnits)
		}
	}
	if clamped && l.lent && l.beyond {
		l.lent = false // it came to where it was to come
	}
	if math.Abs(moved) < 0.75 && !clamped && !l.walled && !l.near(l.head-l.goal, pixels) {
		if l.lost == 0 && l.ran(pixels, most) {
			return nil
		}
		if l.lost++; l.lost == 2 && l.head*pixels < 1 && l.before != nil {
			return errAstray
		}
		if l.lost >= 4 {
			return &MissError{What: fmt.Sprintf("the line does not go on from (%d,%d) to (%d,%d): its head stays %.2f of %.2f half-cells along", l.from.X, l.from.Y, l.to.X, l.to.Y, l.head, l.goal)}
		}
	}
	return nil
}

// ran tells whether the line went on along the leg before the leg began, and takes its
// head from there: motions of the leg before came late, or pushed it round the corner.
func (l *leg) ran(pixels, most float64) bool {
	if l.spin != nil || l.head*pixels >= 1 {
		return false
	}
	bare := l.bare(l.Tracing.seen)
	head := bare.Head(l.Tracing.seen, l.sight, l.width, 0.5/pixels, most)
	if head < l.width { // at its node the line ends round, or lies across
		return false
	}
	l.player.Logf("  the head is %.3f along already", head)
	l.ahead, l.head = bare, head
	return true
}

// told takes the gain that a leg's free motions told. Other lines' is the mean of
// more motions: it stays where this one's is the same. Another counts once two motions
// told it: a client that is busy when a line begins
// loses whole motions of a row.
func (l *leg) told(gain float64) {
	if l.agreed && math.Abs(gain/l.gain-1) > sameGain && !(math.Abs(gain/l.odd-1) < sameGain) {
		l.odd, l.freeUnits, l.freePixels = gain, 0, 0
		l.player.Logf("  gain %.3f, told %.3f: waiting for another motion", l.gain, gain)
		return
	}
	l.agreed = l.agreed && math.Abs(gain/l.gain-1) <= sameGain
	if l.lent && math.Abs(gain/l.gain-1) < sameGain {
		l.lent = false
	} else if l.toldUnits == 0 || math.Abs(gain/l.gain-1) >= sameGain/3 {
		l.gain, l.lent = gain, false
	}
	l.toldUnits, l.toldPixels = l.freeUnits, l.freePixels
	l.player.Logf("  gain %.3f, told %.3f", l.gain, gain)
}

// short is how far before a node a leg is to end, in pixels: motion comes in
// whole units, and a head is seen to 0.3 pixels.
func (t *Tracing) short() float64 { return 0.5*t.gain + 0.3 }

// nudge is how many units the first motion round a corner has: a third of it leaks
// towards the corner, which must take the head there, and half a pixel more for what
// is not seen.
func (l *leg) nudge(m calibrations.Motion) int {
	return max(m.NudgePixels, int(math.Ceil(3*(l.off+0.5)/m.Gain)))
}

// cornerShare is how far from a node a head may be to turn there, in widths of the
// line. Fed with motions alone, the web client's engine takes a head round a corner
// from up to 0.4 of it off on either side, by a nudge as long as that needs, and loses
// what follows from 0.5 on; the practice page's does it from 1.2, too. Of 546 first
// motions of legs on the web client 87 in 100 came to within 0.08 of their node, 0.6
// more to 0.15 and none to between that and 0.25: what was further off had lost whole
// motions, and is moved again.
const cornerShare = 0.15

// near tells whether a head is near enough to a node to turn there, by how many
// half-cells it is past it: the nudge that follows is as large as that needs.
func (t *Tracing) near(past, pixels float64) bool {
	far := past * pixels
	if t.gain == 0 {
		return math.Abs(far) <= t.player.Motion.MissPixels
	}
	if t.spin == nil {
		return math.Abs(far) <= max(cornerShare*t.width*pixels, t.player.Motion.MissPixels)
	}
	leak := float64(t.player.Motion.NudgePixels) * t.gain / 3
	return far > -max(0.8*leak, t.player.Motion.MissPixels) && far < max(0.5*leak, t.player.Motion.MissPixels)
}

const (
	// seenThere is how far, in pixels, from where a motion is to lead to a head is taken
	// to be there. Of 1,205 first motions of legs on the web client 72 in 100 were seen
	// within 0.5 of it, 87.0 within 1.5 and no more within 2; what was further off had
	// lost whole motions.
	seenThere = 1.5
	// seenStep is the same of where it would be but for some whole motions.
	seenStep = 2.0
)

// look waits until the head has come to rest and tells how far it has come
// along the leg, on which a half-cell is so many pixels. wants are where it may be
// to be: once it is seen there no motion is still to come. step is the largest motion,
// in pixels: a head that is whole steps short is waited for longer.
func (l *leg) look(ctx context.Context, pixels, was, most, step float64, wants []float64) (float64, error) {
	t, p, ahead, way := l.Tracing, l.player, l.ahead, l.sight
	want := wants[0]
	arrived := func(head float64) bool {
		if l.isCap {
			return l.inCap(head)
		}
		return slices.ContainsFunc(wants, func(want float64) bool { return math.Abs(head-want)*pixels < seenThere })
	}
	short := func(head float64) bool {
		return t.gain > 0 && t.spin == nil && !l.isCap && slices.ContainsFunc(wants, func(want float64) bool {
			steps := math.Round((want - head) * pixels / step)
			return steps >= 1 && math.Abs((want-head)*pixels-steps*step) < seenStep
		})
	}
	began := p.now
	last, rest := math.NaN(), began
	// Until the gain is known nobody can say whether all of a motion is seen.
	calm := 30 * time.Millisecond
	if t.gain == 0 {
		calm = 100 * time.Millisecond
	}
	// A part of a row of motions may show later than the rest, the more so the
	// longer the client takes to show anything.
	calm = max(calm, p.lag)
	late := max(70*time.Millisecond, 2*p.lag)
	lagged, veiled := false, false
	for {
		f, err := t.player.grabPart(ctx, t.sheet.Part)
		if err != nil {
			return 0, err
		}
		t.seen = f
		head := t.head(f, ahead, way, 0.5/pixels, most)
		if t.gauge(f, ahead, way, head) {
			head = t.head(f, ahead, way, 0.5/pixels, most)
		}
		if !(math.Abs(head-last)*pixels < 0.3) {
			last, rest = head, p.now
		}
		if !lagged && math.Abs(head-was)*pixels >= 0.75 {
			lagged = true
			p.lag += (p.Since(began) - p.lag) / 4
		}
		still := p.Since(rest)
		if still > calm && !arrived(head) && t.waited < hangs && l.hidden(f, min(was, head, want), max(head, want)) {
			if !veiled {
				p.Logf("  something lies over the board between %v and %v: waiting until it goes", l.from, l.to)
			}
			// The head is seen where it goes under that, or where that ends; when it is
			// seen again says nothing of how long motions take.
			t.waited += still + calm // with the pause below
			veiled, lagged, last = true, true, math.NaN()
			ahead = l.bare(f)
			l.ahead = ahead
			if err := p.Pause(ctx, calm); err != nil {
				return 0, err
			}
			continue
		}
		// A quarter of the way: less may be the first of several motions.
		moved := math.Abs(head-was)*pixels >= max(0.75, 0.25*math.Abs(want-was)*pixels)
		switch {
		case moved && t.gain > 0 && arrived(head) && (t.spin == nil || still > 8*time.Millisecond):
			return head, nil // where it should be
		case moved && still > calm && !short(head) && p.Since(began) > 45*time.Millisecond && (t.gain == 0 || still > late || math.Abs(head-was) > 0.9*math.Abs(want-was)):
			return head, nil // elsewhere, and at rest
		case still > max(shown, 4*p.lag):
			return head, nil // it did not move at all
		}
		if err := p.Pause(ctx, 9*time.Millisecond); err != nil {
			return 0, err
		}
	}
}

// gauge measures the line's width in the middle of what is drawn of a way, where
// that is a pitch at least, and tells whether it did. Nine measurements are enough.
func (t *Tracing) gauge(f *image.RGBA, ahead *trail.Trail, way trail.Way, head float64) bool {
	if t.spin != nil || !(head > 2) || len(t.widths) == 9 {
		return false
	}
	nominal := 2 * t.sheet.Line
	w, ok := ahead.Width(f, way, 0.5*head, nominal)
	if !ok || math.Abs(w/nominal-1) >= 0.15 {
		return false
	}
	t.widths = append(t.widths, w)
	slices.Sort(t.widths)
	t.width = t.widths[len(t.widths)/2]
	return true
}

// head is how far along a way the line's head has come in a frame.
func (t *Tracing) head(f *image.RGBA, ahead *trail.Trail, way trail.Way, step, most float64) float64 {
	if t.spin == nil {
		return ahead.Head(f, way, t.width, step, most)
	}
	t.spin.See(f) // way maps to this frame's pixels from here on
	return ahead.HeadOn(f, way, t.spin.Board.Ink, t.width, step, most)
}

// covers tells whether the line is at a place.
func (t *Tracing) covers(f *image.RGBA, p vision.Point) bool {
	if t.spin == nil {
		return t.trail.Covers(f, p)
	}
	return t.trail.Lit(f, p, t.spin.Board.Ink)
}

// lacks is the number of the stroke's first half-cell that the line on the screen does not
// cover; -1: it covers all.
func (t *Tracing) lacks(f *image.RGBA) int {
	s := t.onBoard()
	for i := 0; i+1 < len(s); i++ {
		for _, q := range t.places(s[i], s[i+1]) {
			if !t.covers(f, q) {
				return i
			}
		}
	}
	return -1
}

// whole is a frame in which the line covers every half-cell of its stroke; what lies over
// it is waited for to go. Its error names the first half-cell that is not covered.
func (t *Tracing) whole(ctx context.Context) (*image.RGBA, error) {
	p, s := t.player, t.shown()
	for began := p.now; ; {
		f, err := p.grabPart(ctx, t.sheet.Part)
		if err != nil {
			return nil, err
		}
		i := t.lacks(f)
		if i < 0 {
			return f, nil
		}
		if t.spin != nil || p.Since(began) > hangs || !t.covered(f, t.bare(f), float64(s[i].X+s[i+1].X)/2, float64(s[i].Y+s[i+1].Y)/2, unit(s[i+1].Sub(s[i]))) {
			return nil, &MissError{What: fmt.Sprintf("the line is not seen between (%d,%d) and (%d,%d)", s[i].X, s[i].Y, s[i+1].X, s[i+1].Y)}
		}
		if err := p.Pause(ctx, refreshTime); err != nil {
			return nil, err
		}
	}
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

// onBoard is that without the cap.
func (t *Tracing) onBoard() solve.Stroke { return t.uncapped(t.shown()) }

// uncapped is a stroke, or its end, without the cap, which is outside of the board.
func (t *Tracing) uncapped(s solve.Stroke) solve.Stroke {
	if t.half {
		return s
	}
	return s[:len(s)-1]
}

// stands tells whether most of the line is there in its own colour: dots on it
// are darker.
func (t *Tracing) stands(f *image.RGBA) bool {
	s := t.onBoard()
	there, all := 0, 0
	for i := 0; i+1 < len(s); i++ {
		for _, q := range t.places(s[i], s[i+1]) {
			all++
			if t.spin == nil && t.trail.Stands(f, q) || t.spin != nil && t.trail.Lit(f, q, t.spin.Board.Ink) {
				there++
			}
		}
	}
	return 10*there >= 6*all
}
