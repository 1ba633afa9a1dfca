package enter

import (
	"context"
	"fmt"
	"math"
	"time"

	"onlooker/calibrations"
	"onlooker/input"
	"onlooker/solve"
	"onlooker/vision"
	"onlooker/vision/trail"
)

// A passage is a leg as it is entered.
type passage struct {
	*Tracing
	leg
	head   head
	corner corner
	before *passage     // the one before; nil where there is none, or that was gone back to
	ahead  *trail.Trail // by which the head is told
}

// A head is how far the end of a line has come along a leg, and what its motions there told.
type head struct {
	at      float64 // half-cells
	lost    int     // motions that did not move it
	pressed bool    // it was moved against the border
	stopped bool    // it does not move any more, and is at its node but for how it is drawn
	free    motions // that told the gain
	excess  float64 // pixels that it came further than was sent
}

// A corner is how the leg before left the head at the node that the next one sets out from.
type corner struct {
	off   float64 // pixels from there, along the leg before
	exact bool    // it is there, to less than can be seen
}

// errAstray says that a head does not set out from where it was thought to be:
// a motion of the leg before showed late.
var errAstray error = &MissError{What: "the head is not at the corner"}

// passage begins the leg that the head is on.
func (t *Tracing) passage(before *passage) *passage {
	l := &passage{Tracing: t, leg: t.leg, before: before}
	l.corner = l.left(before)
	return l
}

// anew begins the leg again, after its head was brought back to the end of the one before.
func (l *passage) anew(before *passage) *passage {
	again := *l
	again.before, again.head.at, again.head.lost = nil, 0, 0
	again.corner = l.left(before)
	return &again
}

// left is how the leg before left the head.
func (l *passage) left(before *passage) corner {
	if before == nil || l.spin != nil {
		return corner{}
	}
	pixels := before.way(before.length, 0).Dist(before.way(before.length-0.5, 0)) * 2
	off := math.Abs(before.head.at-before.length) * pixels
	return corner{off: off, exact: before.head.pressed && off < 1}
}

// level tells whether the leg goes round a pillar.
func (l *passage) level() bool { return l.spin != nil && l.from.Y == l.to.Y }

// maxTries is how many motions one leg may take.
const maxTries = 14

// run carries the head along the leg.
//
// A leg ends a little short of its node: the next one's nudge then leaks the
// head round the corner and is lost for it, as is known beforehand and made
// good in the same row of motions. A head that happened to be exactly at the
// node would keep the nudge, and nobody could tell. At a node of the border it
// is: the head is moved a little against it, and keeps the nudge that follows.
func (l *passage) run(ctx context.Context) error {
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
	return &MissError{What: fmt.Sprintf("the line does not come to %s: its head is %.2f of %.2f half-cells along from %s", solve.PlaceName(l.to), l.head.at, l.goal, solve.PlaceName(l.from))}
}

// resume brings a head back to the node that a leg had come to.
func (l *passage) resume(ctx context.Context) error {
	f, err := l.player.grabPart(ctx, l.sheet.Part)
	if err != nil {
		return err
	}
	l.seen, l.before = f, nil
	pixels, err := l.pixels(ctx)
	if err != nil {
		return err
	}
	l.head.at, l.head.lost, l.head.stopped = l.headIn(f, l.ahead, l.sight, 0.5/pixels, l.goal+1), 0, false
	for range maxTries {
		if l.there(pixels) {
			return nil
		}
		if done, err := l.push(ctx, false, pixels); done || err != nil {
			return err
		}
	}
	return &MissError{What: fmt.Sprintf("the head does not come back to %s", solve.PlaceName(l.to))}
}

// pixels is how many a half-cell has where the head is.
func (l *passage) pixels(ctx context.Context) (float64, error) {
	if !l.level() {
		return l.way(l.goal, 0).Dist(l.way(l.goal-0.5, 0)) * 2, nil
	}
	// Motion counts as where the head is, and what is further round is seen
	// aslant.
	if err := face(ctx, l.player, l.spin, float64(l.from.X)+l.head.at*float64(unit(l.to.Sub(l.from)).X), 0.5); err != nil {
		return 0, err
	}
	return l.way(l.head.at-0.05, 0).Dist(l.way(l.head.at+0.05, 0)) * 10, nil
}

// there tells whether the head has come to where it is to come.
func (l *passage) there(pixels float64) bool {
	near := l.head.stopped || l.near(l.head.at-l.goal, pixels)
	if round := l.sheet.Around; round > 0 && l.to.X%round == 0 && l.gain.pixels > 0 {
		// The board fades out there: what is seen of the head is up to a third of
		// the line's width short. Its motion is trusted beyond.
		near = near || math.Abs(l.head.at-l.goal) < 0.4*l.line.width
	}
	switch {
	case l.ends == inCap:
		return l.submittable(l.head.at, l.line.width)
	case l.slants: // at the node, or in the cap already: the slanting way takes it along
		return near || l.head.at > l.goal-0.1 && l.head.at < l.goal+0.4
	}
	return near
}

// push moves once towards the goal and looks how far the head came; done says
// that it is nearer than a unit of motion.
func (l *passage) push(ctx context.Context, first bool, pixels float64) (done bool, err error) {
	p := l.player
	push := l.goal - l.head.at
	switch {
	case l.ends == inCap || l.gain.pixels == 0:
	case l.ends == atBorder:
		push += l.short() / pixels
		l.head.pressed = true
	default:
		push -= l.short() / pixels
	}
	m := p.pushing(l.gain.pixels)
	if l.gain.pixels == 0 {
		m = p.pushing(p.firstGain())
		push = min(push, 0.6*l.length)
	}
	corner := l.turns && l.head.at*pixels < 1
	if corner && l.spin == nil {
		m.NudgePixels = l.nudge(m)
	}
	nudged := corner && push*pixels > 2*float64(m.NudgePixels)*m.Gain
	nudge := float64(m.NudgePixels) * m.Gain / pixels
	loss := 0.0 // half-cells
	if nudged && !l.corner.exact && !p.nudges.kept() {
		loss = nudge
	}
	here, there := l.way(l.head.at, 0), l.way(l.head.at+push+loss, 0)
	if l.level() {
		there = vision.Point{X: here.X + math.Copysign((push+loss)*pixels, push*(l.way(l.head.at+0.05, 0).X-here.X)), Y: here.Y}
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
	was := l.head.at
	aims := aims{at: []float64{was + push}, pixels: pixels, step: step * m.Gain}
	switch {
	case l.ends == inCap, l.head.pressed:
		aims.at[0] = l.goal
	case nudged: // all the same it may be lost, or kept
		aims.at = append(aims.at, was+push+loss, was+push+loss-nudge)
	}
	most := l.goal + 1
	if l.gain.pixels == 0 || l.gain.state == gainLent { // it may go twice as far
		most += max(push, 0)
	}
	if l.head.at, err = l.look(ctx, was, most, aims); err != nil {
		return false, err
	}
	if first && l.from == l.stroke[0] && p.pointsAt(l.at(l.from)) == nil {
		l.free = false // it is held there
	}
	if nudged && l.gain.pixels > 0 && l.ends != inCap && !l.corner.exact && !l.head.pressed {
		p.nudges.learn((was+push-l.head.at)/nudge, loss > 0)
	}
	return false, l.learn(was, most, math.Copysign(units, push), pixels, first)
}

// learn takes what a motion of some units led to, from where the head was; it
// was looked for up to most.
func (l *passage) learn(was, most, units, pixels float64, first bool) error {
	p, h := l.player, &l.head
	moved := math.Copysign(l.way(was, 0).Dist(l.way(h.at, 0)), h.at-was)
	if l.level() {
		moved = (h.at - was) * pixels
	}
	p.Logf("  leg %v→%v: %.1f units, head %.3f→%.3f of %.2f, %.1f pixels, line %.3f", l.from, l.to, units, was, h.at, l.goal, moved, l.line.width)
	if l.gain.pixels > 0 && l.gain.state != gainLent && l.spin == nil {
		if h.excess += moved - units*l.gain.pixels; h.excess > float64(p.pushing(1).StepPixels)*l.gain.pixels {
			h.excess = 0
			p.overshot()
		}
	}
	clamped := l.ends == inCap && h.at > l.goal-0.3 || h.pressed && h.at*pixels > l.goal*pixels-1
	// At a node of the border a head goes no further, and where a board fades out
	// it cannot be seen to: one with a border of its own is seen 1 pixel of 24
	// short of its node, one under a fade 2.5. Within a third of half a line's
	// width it turns there all the same.
	h.stopped = h.stopped || math.Abs(moved) < 0.3 && math.Abs(h.at-l.goal) < l.line.width/6
	// Motions that set out along the line and ran free tell the gain. Round a pillar a pixel
	// counts for more while it has not turned yet. Where the line goes on to the end of what
	// was looked at, nobody knows how far it went.
	free := (was*pixels > 1 || first && !l.turns) && h.at < most
	if free && !clamped && !h.stopped && (!l.level() || l.gain.pixels == 0) {
		if said := l.gain.learn(&h.free, motions{units, moved}); said != "" {
			p.Logf("  %s", said)
		}
	}
	if clamped && h.pressed {
		l.gain.confirm() // it came to where it was to come
	}
	if math.Abs(moved) < 0.75 && !clamped && !h.stopped && !l.near(h.at-l.goal, pixels) {
		if h.lost == 0 && l.ran(pixels, most) {
			return nil
		}
		if h.lost++; h.lost == 2 && h.at*pixels < 1 && l.before != nil {
			return errAstray
		}
		if h.lost >= 4 {
			return &MissError{What: fmt.Sprintf("the line does not go on from %s to %s: its head stays %.2f of %.2f half-cells along", solve.PlaceName(l.from), solve.PlaceName(l.to), h.at, l.goal)}
		}
	}
	return nil
}

// ran tells whether the line went on along the leg before the leg began, and takes its
// head from there: motions of the leg before came late, or pushed it round the corner.
func (l *passage) ran(pixels, most float64) bool {
	if l.spin != nil || l.head.at*pixels >= 1 {
		return false
	}
	bare := l.bare(l.seen)
	head := bare.Head(l.seen, l.sight, l.line.width, 0.5/pixels, most)
	if head < l.line.width { // at its node the line ends round, or lies across
		return false
	}
	l.player.Logf("  the head is %.3f along already", head)
	l.ahead, l.head.at = bare, head
	return true
}

// short is how far before a node a leg is to end, in pixels: motion comes in
// whole units, and a head is seen to 0.3 pixels.
func (t *Tracing) short() float64 { return 0.5*t.gain.pixels + 0.3 }

// nudge is how many units the first motion round a corner has: a third of it leaks
// towards the corner, which must take the head there, and half a pixel more for what
// is not seen.
func (l *passage) nudge(m calibrations.Motion) int {
	return max(m.NudgePixels, int(math.Ceil(3*(l.corner.off+0.5)/m.Gain)))
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
	far, miss := past*pixels, t.player.Motion.MissPixels
	if t.gain.pixels == 0 {
		return math.Abs(far) <= miss
	}
	if t.spin == nil {
		return math.Abs(far) <= max(cornerShare*t.line.width*pixels, miss)
	}
	leak := float64(t.player.Motion.NudgePixels) * t.gain.pixels / 3
	return far > -max(0.8*leak, miss) && far < max(0.5*leak, miss)
}

// look waits until the head has come to rest and tells how far it has come along the leg.
func (l *passage) look(ctx context.Context, was, most float64, aims aims) (float64, error) {
	t, p, way, pixels := l.Tracing, l.player, l.sight, aims.pixels
	want, known := aims.at[0], t.gain.pixels > 0
	arrived := func(head float64) bool {
		if l.ends == inCap {
			return l.submittable(head, l.line.width)
		}
		return aims.met(head)
	}
	// A head that is whole steps short is waited for longer.
	short := func(head float64) bool { return known && t.spin == nil && l.ends != inCap && aims.short(head) }
	began := p.now
	last, rest := math.NaN(), began
	// Until the gain is known nobody can say whether all of a motion is seen.
	calm := 30 * time.Millisecond
	if !known {
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
		head := t.headIn(f, l.ahead, way, 0.5/pixels, most)
		if t.gauge(f, l.ahead, way, head) {
			head = t.headIn(f, l.ahead, way, 0.5/pixels, most)
		}
		if !(math.Abs(head-last)*pixels < 0.3) {
			last, rest = head, p.now
		}
		if !lagged && math.Abs(head-was)*pixels >= 0.75 {
			lagged = true
			p.lag += (p.Since(began) - p.lag) / 4
		}
		still := p.Since(rest)
		if still > calm && !arrived(head) && t.waited < hangs && t.hidden(&l.leg, f, min(was, head, want), max(head, want)) {
			if !veiled {
				p.Logf("  something lies over the board between %v and %v: waiting until it goes", l.from, l.to)
			}
			// The head is seen where it goes under that, or where that ends; when it is
			// seen again says nothing of how long motions take.
			t.waited += still + calm // with the pause below
			veiled, lagged, last = true, true, math.NaN()
			l.ahead = l.bare(f)
			if err := p.Pause(ctx, calm); err != nil {
				return 0, err
			}
			continue
		}
		// A quarter of the way: less may be the first of several motions.
		moved := math.Abs(head-was)*pixels >= max(0.75, 0.25*math.Abs(want-was)*pixels)
		switch {
		case moved && known && arrived(head) && (t.spin == nil || still > 8*time.Millisecond):
			return head, nil // where it should be
		case moved && still > calm && !short(head) && p.Since(began) > 45*time.Millisecond && (!known || still > late || math.Abs(head-was) > 0.9*math.Abs(want-was)):
			return head, nil // elsewhere, and at rest
		case still > max(shown, 4*p.lag):
			return head, nil // it did not move at all
		}
		if err := p.Pause(ctx, 9*time.Millisecond); err != nil {
			return 0, err
		}
	}
}
