package witness

import (
	"fmt"
	"image"
	"math"
	"slices"

	"onlooker/calibrations"
	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/witness/shape"
	"onlooker/vision/witness/view"
)

// An appearance is what a place of the lines shows, in one order for all places of
// its pool: for each sample how far it is from the lines' colour and how far from
// the ground's, 1 to 255 for 0 to mostOff contrasts; 0 where something covers it.
type appearance []uint8

// mostOff is the most that an appearance tells a colour to be off another, in
// contrasts.
const mostOff = 1.5

// A pool holds the appearances that were seen of one sort of place, each with what
// was there.
type pool struct {
	labels []string
	seen   []appearance
	limit  float64 // how far the nearest may be
	usual  float64 // how far the nearest of the same sort usually is, by what tells
	// tells is how much each sample tells of what is there: by how much it differs between
	// sorts, to how much it does within one.
	tells []float64
}

// observe adds samples to an appearance.
func (m *model) observe(a appearance, x, y float64, covered bool) appearance {
	if covered {
		return append(a, 0, 0)
	}
	c := m.At(x, y)
	k := m.Contrast()
	level := func(d float64) uint8 { return uint8(1 + 254*min(1, d/k/mostOff)) }
	return append(a, level(c.Dist(m.Board.Ink)), level(c.Dist(m.Board.Paper)))
}

// apart is the root of the mean square by which two appearances differ where both
// tell something, in contrasts; infinite where that is little.
func (a appearance) apart(b appearance) float64 { return a.apartBy(b, nil) }

// apartBy is apart with samples weighed by how much they tell; nil: all alike.
func (a appearance) apartBy(b appearance, tells []float64) float64 {
	if len(a) != len(b) {
		return math.Inf(1)
	}
	sum, all, n := 0.0, 0.0, 0
	for i, v := range a {
		if v != 0 && b[i] != 0 {
			d, w := float64(int(v)-int(b[i])), 1.0
			if tells != nil {
				w = tells[i]
			}
			sum, all, n = sum+w*d*d, all+w, n+1
		}
	}
	if 4*n < len(a) {
		return math.Inf(1)
	}
	return math.Sqrt(sum/all) / 254 * mostOff
}

// weigh measures how much each sample of a pool tells. What differs by no more than the
// same, nor more between sorts than within them, has a weight of 1.
func (p *pool) weigh(same float64) {
	same *= 254 / mostOff
	sorts := slices.Compact(slices.Sorted(slices.Values(p.labels)))
	p.tells = make([]float64, len(p.seen[0]))
	for i := range p.tells {
		var means []float64
		within, n := 0.0, 0.0
		for _, l := range sorts {
			var v []float64
			for k, a := range p.seen {
				if p.labels[k] == l && a[i] != 0 {
					v = append(v, float64(a[i]))
				}
			}
			if len(v) > 0 {
				mean, square := spread(v)
				means = append(means, mean)
				within, n = within+square*float64(len(v)), n+float64(len(v))
			}
		}
		_, between := spread(means)
		p.tells[i] = (same*same + between) / (same*same + within/max(1, n))
	}
}

// nearest is how far the nearest of the same sort usually is, by what tells: the median
// of some of the appearances, evenly chosen.
func (p *pool) nearest() float64 {
	const some = 16
	var all []float64
	for i := 0; i < len(p.seen); i += 1 + len(p.seen)/some {
		nearest := math.Inf(1)
		for k, o := range p.seen {
			if k != i && p.labels[k] == p.labels[i] {
				nearest = min(nearest, p.seen[i].apartBy(o, p.tells))
			}
		}
		if !math.IsInf(nearest, 1) {
			all = append(all, nearest)
		}
	}
	if len(all) == 0 {
		return 0
	}
	return vision.Median(all)
}

// spread is the mean of some values and their variance.
func spread(v []float64) (mean, square float64) {
	for _, x := range v {
		mean += x / float64(len(v))
	}
	for _, x := range v {
		square += (x - mean) * (x - mean) / float64(len(v))
	}
	return mean, square
}

// add keeps an appearance, unless one of its sort is as good as the same.
func (p *pool) add(label string, a appearance, same float64) {
	for i, o := range p.seen {
		if p.labels[i] == label && a.apart(o) < same {
			return
		}
	}
	p.labels, p.seen = append(p.labels, label), append(p.seen, a)
}

// bound sets the limit: some more than the furthest that one was from the nearest
// other of its sort.
func (p *pool) bound(least float64) {
	p.limit = least
	for i, a := range p.seen {
		nearest := math.Inf(1)
		for k, o := range p.seen {
			if k != i && p.labels[k] == p.labels[i] {
				nearest = min(nearest, a.apart(o))
			}
		}
		if !math.IsInf(nearest, 1) {
			p.limit = max(p.limit, 1.5*nearest)
		}
	}
}

// has tells whether something was seen of a sort.
func (p *pool) has(label string) bool { return p != nil && slices.Contains(p.labels, label) }

// tell is what a place most looks like, and how sure that is, 0.5 to 1: by the
// nearest appearance and the nearest of another sort. It is not sure of what is like
// none.
func (p *pool) tell(a appearance) (label string, sure float64) {
	own, other, near := math.Inf(1), math.Inf(1), math.Inf(1)
	var plain string // what is nearest where all samples weigh alike
	for i, o := range p.seen {
		if d := a.apart(o); d < near {
			near, plain = d, p.labels[i]
		}
		switch d := a.apartBy(o, p.tells); {
		case p.labels[i] == label:
			own = min(own, d)
		case d < own:
			label, own, other = p.labels[i], d, own
		default:
			other = min(other, d)
		}
	}
	// What tells nothing of what was seen may tell that this is something else.
	if math.IsInf(own, 1) || near > p.limit || plain != label {
		return label, 0.5
	}
	if math.IsInf(other, 1) {
		return label, 1
	}
	sure = min(1, other/max(own+other, 1e-9))
	if p.usual > 0 { // by chance they are as far apart as two of one sort
		sure = min(sure, 1/(1+math.Exp((own*own-other*other)/(2*p.usual*p.usual))))
	}
	return label, max(0.5, sure)
}

// The pools, and what stands in them.
const (
	poolEdge   = "edge"   // edges between cells
	poolBorder = "border" // edges of the border
	poolStart  = "start"  // nodes
	poolMiddle = "middle" // starts on the middles of edges
	poolCap    = "cap"    // ways straight out of the border
	poolCorner = "corner" // and aslant, of corners
	poolDot    = "dot"    // nodes
	poolOn     = "on"     // starts

	seenNone, seenThere                = "none", "there"
	seenWhole, seenBroken, seenMissing = "whole", "broken", "missing"
	seenDot, seenStubFrom, seenStubTo  = "dot", "stub from", "stub to"
)

// startPools are those by which a start circle at a place is told: by what is round it, by
// its middle, and by both.
func startPools(at image.Point) [3]string {
	name := poolStart
	if witness.IsEdge(at) {
		name = poolMiddle
	}
	return [3]string{name, name + "-core", name + "-whole"}
}

// frame is the directions of an edge in which its appearance is given: along it, and
// outwards where it is on the border.
func (m *model) frame(at image.Point) (along, across image.Point, pool string) {
	switch {
	case at.Y == 0 && at.X&1 == 1:
		return image.Pt(1, 0), image.Pt(0, -1), poolBorder
	case at.Y == 2*m.Board.Rows && at.X&1 == 1:
		return image.Pt(-1, 0), image.Pt(0, 1), poolBorder
	case at.X == 0 && at.Y&1 == 1:
		return image.Pt(0, -1), image.Pt(-1, 0), poolBorder
	case at.X == 2*m.Board.Cols && at.Y&1 == 1:
		return image.Pt(0, 1), image.Pt(1, 0), poolBorder
	case at.X&1 == 1:
		return image.Pt(1, 0), image.Pt(0, -1), poolEdge
	}
	return image.Pt(0, 1), image.Pt(1, 0), poolEdge
}

// strip is what is seen in a rectangle about a place: from–to half-cells along one
// direction, and as far as wide to both sides of it.
func (m *model) strip(at image.Point, along, across image.Point, from, to, stepAlong, wide, stepAcross float64, circles bool) appearance {
	var a appearance
	for d := from; d <= to+1e-9; d += stepAlong {
		for e := -wide; e <= wide+1e-9; e += stepAcross {
			x := float64(at.X) + d*float64(along.X) + e*float64(across.X)
			y := float64(at.Y) + d*float64(along.Y) + e*float64(across.Y)
			covered := false
			if circles {
				for _, side := range []int{-1, 1} {
					n := at.Add(along.Mul(side))
					if r := m.radius[n]; r > 0 && math.Hypot(x-float64(n.X), y-float64(n.Y)) < 2*(r*m.LineWidth+m.bleed) {
						covered = true
					}
				}
			}
			a = m.observe(a, x, y, covered)
		}
	}
	return a
}

func (m *model) edgeLook(at image.Point) (a appearance, pool string) {
	along, across, pool := m.frame(at)
	w := 2 * m.LineWidth
	return m.strip(at, along, across, -0.72, 0.72, 0.06, 0.75*w, 0.125*w, true), pool
}

// dotLook is the middle of a node or an edge.
func (m *model) dotLook(at image.Point) appearance {
	w := 2 * m.LineWidth
	return m.strip(at, image.Pt(1, 0), image.Pt(0, 1), -0.55*w, 0.55*w, 0.11*w, 0.55*w, 0.11*w, false)
}

// startLook is what a place shows from its middle towards the cells round it: the
// median of all directions at each distance.
func (m *model) startLook(at image.Point) appearance {
	var rays []appearance
	dirs := [][2]float64{}
	for _, d := range [][2]int{{1, 1}, {-1, 1}, {1, -1}, {-1, -1}} {
		to := at.Add(image.Pt(d[0], d[1]))
		if witness.IsNode(at) && (to.X < 0 || to.Y < 0 || to.X > 2*m.Board.Cols || to.Y > 2*m.Board.Rows) {
			continue
		}
		for _, turn := range []float64{math.Pi / 5, math.Pi / 4, math.Pi * 3 / 10} {
			s, c := math.Sincos(turn)
			dirs = append(dirs, [2]float64{float64(d[0]) * c, float64(d[1]) * s})
		}
	}
	if witness.IsEdge(at) {
		dirs = dirs[:0]
		_, across, _ := m.frame(at)
		for _, side := range []float64{-1, 1} {
			to := at.Add(across.Mul(int(side)))
			if to.X < 0 || to.Y < 0 || to.X > 2*m.Board.Cols || to.Y > 2*m.Board.Rows {
				continue
			}
			for _, turn := range []float64{-0.3, 0, 0.3} {
				s, c := math.Sincos(turn)
				dirs = append(dirs, [2]float64{side*float64(across.X)*c + float64(across.Y)*s, side*float64(across.Y)*c + float64(across.X)*s})
			}
		}
	}
	for _, d := range dirs {
		var a appearance
		for r := 0.6; r < 2.25; r += 0.1 {
			// Not into what stands in a cell.
			a = m.observe(a, float64(at.X)+2*m.LineWidth*r*d[0], float64(at.Y)+2*m.LineWidth*r*d[1], r*m.LineWidth > 0.42)
		}
		rays = append(rays, a)
	}
	out := make(appearance, len(rays[0]))
	for i := range out {
		var v []uint8
		for _, r := range rays {
			v = append(v, r[i])
		}
		slices.Sort(v)
		out[i] = v[len(v)/2]
	}
	return out
}

// A way is a direction out of the board from a place of its border.
type way struct {
	dir  image.Point
	seen appearance
	pool string
}

// Ways are the directions from a place in which no edge can lead.
func (m *model) ways(at image.Point) []way {
	ox, oy := m.Beyond(at)
	w := 2 * m.LineWidth
	var out []way
	add := func(d, across image.Point, pool string, step float64) {
		out = append(out, way{d, m.strip(at, d, across, 0.3*w*step, 3*w*step, 0.15*w*step, 1*w*step, 0.25*w*step, false), pool})
	}
	// Across is towards the board, where there is only one side on which it is.
	if ox != 0 {
		across := image.Pt(0, 1)
		if oy > 0 {
			across.Y = -1
		}
		add(image.Pt(ox, 0), across, poolCap, 1)
	}
	if oy != 0 {
		across := image.Pt(1, 0)
		if ox > 0 {
			across.X = -1
		}
		add(image.Pt(0, oy), across, poolCap, 1)
	}
	if ox != 0 && oy != 0 {
		add(image.Pt(ox, oy), image.Pt(ox, -oy), poolCorner, 1/math.Sqrt2)
	}
	return out
}

// learnPlaces learns what the places of the lines look like.
func learnPlaces(p *calibrations.Profile, lessons []lesson) {
	t := view.Tuned
	pools := map[string]*pool{}
	put := func(name, label string, a appearance) {
		if pools[name] == nil {
			pools[name] = &pool{}
		}
		pools[name].add(label, a, t.SameLook)
	}
	there := map[bool]string{false: seenNone, true: seenThere}
	for _, l := range lessons {
		putStart := func(at image.Point, start bool) {
			round, core := l.startLook(at), l.dotLook(at)
			for i, a := range []appearance{round, core, slices.Concat(round, core)} {
				put(startPools(at)[i], there[start], a)
			}
		}
		for at := range l.panel.Points() {
			q := l.panel.At(at)
			switch {
			case witness.IsCell(at):
			case witness.IsEdge(at):
				if q.Gap == witness.Whole {
					putStart(at, q.Start)
				}
				if !q.Start {
					a, name := l.edgeLook(at)
					put(name, l.edgeLabel(at), a)
				}
			default:
				putStart(at, q.Start)
				if !q.Start && l.Reached(l.panel, at) {
					put(poolDot, there[q.Dot.On], l.dotLook(at))
				}
			}
			if q.Start {
				put(poolOn, there[q.Dot.On], l.dotLook(at))
			}
			if witness.IsCell(at) || q.Start || q.Gap != witness.Whole || witness.IsNode(at) && !l.Reached(l.panel, at) {
				continue
			}
			for _, w := range l.ways(at) {
				put(w.pool, there[q.Cap == w.dir], w.seen)
			}
		}
	}
	var names []string
	for name := range pools {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		o := pools[name]
		o.bound(view.Clearly)
		mask := image.NewGray(image.Rect(0, 0, len(o.seen[0]), len(o.seen)))
		for i, a := range o.seen {
			copy(mask.Pix[i*mask.Stride:], a)
		}
		p.Learned.Places = append(p.Learned.Places, calibrations.Places{Name: name, Labels: o.labels, Limit: shape.Round3(o.limit), Mask: mask, File: fmt.Sprintf("mask-places-%s.png", name)})
	}
}

// edgeLabel is what the truth says of an edge.
func (l *lesson) edgeLabel(at image.Point) string {
	q := l.panel.At(at)
	along, _, _ := l.frame(at)
	switch {
	case q.Gap == witness.Broken:
		return seenBroken
	case q.Gap == witness.Whole && q.Dot.On:
		return seenDot
	case q.Gap == witness.Whole:
		return seenWhole
	}
	if n := l.panel.At(at.Sub(along)); n != nil && n.Cap == along {
		return seenStubFrom
	}
	if n := l.panel.At(at.Add(along)); n != nil && n.Cap == along.Mul(-1) {
		return seenStubTo
	}
	return seenMissing
}

// poolsOf are the pools of a profile.
func poolsOf(p *calibrations.Profile) map[string]*pool {
	out := map[string]*pool{}
	for _, l := range p.Learned.Places {
		if l.Name == poolMatch {
			continue
		}
		o := &pool{labels: l.Labels, limit: l.Limit}
		for y := range l.Mask.Rect.Dy() {
			o.seen = append(o.seen, appearance(l.Mask.Pix[y*l.Mask.Stride:y*l.Mask.Stride+l.Mask.Rect.Dx()]))
		}
		o.weigh(view.Tuned.SameLook)
		o.usual = o.nearest()
		out[l.Name] = o
	}
	return out
}

// setEdge puts on the panel what an edge was told to be.
func (m *model) setEdge(p *witness.Panel, at image.Point, label string) {
	along, _, _ := m.frame(at)
	q := p.At(at)
	switch label {
	case seenBroken:
		q.Gap = witness.Broken
	case seenMissing:
		q.Gap = witness.Missing
	case seenStubFrom:
		q.Gap = witness.Missing
		p.At(at.Sub(along)).Cap = along
	case seenStubTo:
		q.Gap = witness.Missing
		p.At(at.Add(along)).Cap = along.Mul(-1)
	}
}
