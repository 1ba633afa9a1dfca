package look

import (
	"image"
	"math"
	"slices"
	"sync"

	"onlooker/calibrations"
	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/witness/view"
)

// An Appearance is what a place of the lines shows, in one order for all places of
// its pool: for each sample how far it is from the lines' colour and how far from
// the ground's, 1 to 255 for 0 to mostOff contrasts; 0 where something covers it.
type Appearance []uint8

// mostOff is the most that an appearance tells a colour to be off another, in
// contrasts.
const mostOff = 1.5

// A Pool holds the appearances that were seen of one sort of place, each with what
// was there.
type Pool struct {
	Labels []string
	Seen   []Appearance
	Limit  float64 // how far the nearest may be
	lacks  bool    // some sort of such places was never seen: any that is unlike the others may be it
	// tells is how much each sample tells of what is there: by how much it differs between
	// sorts, to how much it does within one.
	tells []float64
	mu    sync.Mutex
	pairs map[[2]string]*pair
}

// A pair is two sorts of a pool, the lesser label first: how much each sample tells of which of
// them is there, and how far the nearest of the same sort usually is by that.
type pair struct {
	tells []float64
	usual float64
}

// NewPool is the pool of a name, with appearances of some sorts to come.
func NewPool(name string, labels []string) *Pool {
	sorts := []string{SeenNone, SeenThere}
	if name == PoolEdge || name == PoolBorder {
		sorts = []string{SeenWhole, SeenBroken, SeenDot}
	}
	lacks := slices.ContainsFunc(sorts, func(l string) bool { return !slices.Contains(labels, l) })
	return &Pool{Labels: labels, lacks: lacks}
}

// pair is that of two sorts.
func (p *Pool) pair(a, b string) *pair {
	p.mu.Lock()
	defer p.mu.Unlock()
	k := [2]string{min(a, b), max(a, b)}
	if p.pairs[k] == nil {
		if p.pairs == nil {
			p.pairs = map[[2]string]*pair{}
		}
		tells := p.telling(view.Tuned.SameLook, k[:])
		p.pairs[k] = &pair{tells, p.nearest(tells, k[:])}
	}
	return p.pairs[k]
}

// Places looks at the places of a view's lines.
type Places struct {
	*view.View
	lines *Lines
}

// observe adds samples to an appearance.
func (m *Places) observe(a Appearance, x, y float64, covered bool) Appearance {
	if covered {
		return append(a, 0, 0)
	}
	c := m.At(x, y)
	k := m.Contrast()
	level := func(d float64) uint8 { return uint8(1 + 254*min(1, d/k/mostOff)) }
	return append(a, level(c.Dist(m.Board.Ink)), level(c.Dist(m.Board.Paper)))
}

// Apart is the root of the mean square by which two appearances differ where both
// tell something, in contrasts; infinite where that is little.
func (a Appearance) Apart(b Appearance) float64 { return a.apartBy(b, nil) }

// apartBy is apart with samples weighed by how much they tell; nil: all alike.
func (a Appearance) apartBy(b Appearance, tells []float64) float64 {
	far, _ := a.differs(b, tells)
	return far
}

// differs is apartBy, and the same by the fourth root of the mean fourth power: what differs in a
// small part, as something does that was never seen there, is far off by it.
func (a Appearance) differs(b Appearance, tells []float64) (apart, peak float64) {
	if len(a) != len(b) {
		return math.Inf(1), math.Inf(1)
	}
	square, fourth, all, n := 0.0, 0.0, 0.0, 0
	for i, v := range a {
		if v != 0 && b[i] != 0 {
			d, w := float64(int(v)-int(b[i])), 1.0
			if tells != nil {
				w = tells[i]
			}
			square, fourth, all, n = square+w*d*d, fourth+w*d*d*d*d, all+w, n+1
		}
	}
	if 4*n < len(a) {
		return math.Inf(1), math.Inf(1)
	}
	return math.Sqrt(square/all) / 254 * mostOff, math.Sqrt(math.Sqrt(fourth/all)) / 254 * mostOff
}

// sorts are the labels of a pool.
func (p *Pool) sorts() []string { return slices.Compact(slices.Sorted(slices.Values(p.Labels))) }

// telling measures how much each sample tells of which of some sorts is there. What differs by
// no more than the same, nor more between sorts than within them, has a weight of 1.
func (p *Pool) telling(same float64, sorts []string) []float64 {
	same *= 254 / mostOff
	tells := make([]float64, len(p.Seen[0]))
	for i := range tells {
		var means []float64
		within, n := 0.0, 0.0
		for _, l := range sorts {
			var v []float64
			for k, a := range p.Seen {
				if p.Labels[k] == l && a[i] != 0 {
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
		tells[i] = (same*same + between) / (same*same + within/max(1, n))
	}
	return tells
}

// nearest is how far the nearest of the same sort usually is, by what tells: the median
// of some of the appearances of some sorts, evenly chosen.
func (p *Pool) nearest(tells []float64, sorts []string) float64 {
	const some = 16
	var of []int
	for i, l := range p.Labels {
		if slices.Contains(sorts, l) {
			of = append(of, i)
		}
	}
	var all []float64
	for k := 0; k < len(of); k += 1 + len(of)/some {
		i, nearest := of[k], math.Inf(1)
		for k, o := range p.Seen {
			if k != i && p.Labels[k] == p.Labels[i] {
				nearest = min(nearest, p.Seen[i].apartBy(o, tells))
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

// Add keeps an appearance, unless one of its sort is as good as the same.
func (p *Pool) Add(label string, a Appearance, same float64) {
	for i, o := range p.Seen {
		if p.Labels[i] == label && a.Apart(o) < same {
			return
		}
	}
	p.Labels, p.Seen = append(p.Labels, label), append(p.Seen, a)
}

// Bound sets the limit: some more than the furthest that one was from the nearest other of its
// sort. Of places of which one sort was never seen it is that of what differs in a small part.
func (p *Pool) Bound(least float64) {
	const strictly = 3 // times the furthest, and at most mostPeak
	p.Limit = least
	for i, a := range p.Seen {
		nearest := math.Inf(1)
		for k, o := range p.Seen {
			if k == i || p.Labels[k] != p.Labels[i] {
				continue
			}
			if far, peak := a.differs(o, nil); p.lacks {
				nearest = min(nearest, peak*strictly)
			} else {
				nearest = min(nearest, far*1.5)
			}
		}
		if !math.IsInf(nearest, 1) {
			p.Limit = max(p.Limit, nearest)
		}
	}
}

// mostPeak is the most by which a place may differ, in contrasts and by its worst part, from what
// it is like where something else may be there that was never seen. Of 70 boards of seven looks of
// which two pictures were seen none is read otherwise; with this alone, and no bound by what was
// seen, 16 places of one are, and with 0.5 two boards.
const mostPeak = 0.45

// Tell is what a place most looks like, and how sure that is, 0.5 to 1: by the
// nearest appearance and the nearest of each other sort. It is not sure of what no exemplar is near.
func (p *Pool) Tell(a Appearance) (label string, sure float64) {
	near, by, peak := map[string]float64{}, map[string]float64{}, map[string]float64{} // how far the nearest of each sort is, by what tells, and by its worst part
	for i, o := range p.Seen {
		l := p.Labels[i]
		if _, ok := near[l]; !ok {
			near[l], by[l], peak[l] = math.Inf(1), math.Inf(1), math.Inf(1)
		}
		far, most := a.differs(o, nil)
		near[l], by[l], peak[l] = min(near[l], far), min(by[l], a.apartBy(o, p.tells)), min(peak[l], most)
	}
	own, plain, other := math.Inf(1), math.Inf(1), math.Inf(1)
	for _, l := range p.sorts() {
		if by[l] < own {
			label, own = l, by[l]
		}
		plain = min(plain, near[l])
	}
	for l, far := range peak {
		if l != label && !(missing(l) && missing(label)) {
			other = min(other, far)
		}
	}
	// What tells nothing of what was seen may tell that this is something else. So may what is
	// between two sorts, where a third was never seen: a dot is in part as a break is.
	if math.IsInf(own, 1) || near[label] > plain || !p.lacks && plain > p.Limit || p.lacks && peak[label] > min(p.Limit, mostPeak, view.Strongly*other) {
		return label, 0.5
	}
	sure = 1
	for l := range near {
		// What looks four times as far off is another.
		if l != label && near[l] < 4*max(near[label], view.Tuned.SameLook) {
			sure = min(sure, p.rather(a, label, l))
		}
	}
	return label, max(0.5, sure)
}

// missing tells whether a sort is one of missing edges.
func missing(label string) bool {
	return label == SeenMissing || label == SeenStubFrom || label == SeenStubTo
}

// rather is how sure it is that a place is of a sort and not of another.
func (p *Pool) rather(a Appearance, label, than string) float64 {
	q := p.pair(label, than)
	own, other := math.Inf(1), math.Inf(1)
	for i, o := range p.Seen {
		switch p.Labels[i] {
		case label:
			own = min(own, a.apartBy(o, q.tells))
		case than:
			other = min(other, a.apartBy(o, q.tells))
		}
	}
	sure := min(1, other/max(own+other, 1e-9))
	if q.usual > 0 { // by chance they are as far apart as two of one sort
		sure = min(sure, 1/(1+math.Exp((own*own-other*other)/(2*q.usual*q.usual))))
	}
	return sure
}

// The pools, and what stands in them.
const (
	PoolEdge   = "edge"   // edges between cells
	PoolBorder = "border" // edges of the border
	poolStart  = "start"  // nodes
	poolMiddle = "middle" // starts on the middles of edges
	poolCap    = "cap"    // ways straight out of the border
	poolCorner = "corner" // and aslant, of corners
	PoolDot    = "dot"    // nodes
	PoolOn     = "on"     // starts

	SeenNone, SeenThere                = "none", "there"
	SeenWhole, SeenBroken, SeenMissing = "whole", "broken", "missing"
	SeenDot, SeenStubFrom, SeenStubTo  = "dot", "stub from", "stub to"
)

// StartPools are those by which a start circle at a place is told: by what is round it, by
// its middle, and by both.
func StartPools(at image.Point) [3]string {
	name := poolStart
	if witness.IsEdge(at) {
		name = poolMiddle
	}
	return [3]string{name, name + "-core", name + "-whole"}
}

// Frame is the directions of an edge in which its appearance is given: along it, and
// outwards where it is on the border.
func (m *Places) Frame(at image.Point) (along, across image.Point, pool string) {
	switch {
	case at.Y == 0 && at.X&1 == 1:
		return image.Pt(1, 0), image.Pt(0, -1), PoolBorder
	case at.Y == 2*m.Board.Rows && at.X&1 == 1:
		return image.Pt(-1, 0), image.Pt(0, 1), PoolBorder
	case at.X == 0 && at.Y&1 == 1:
		return image.Pt(0, -1), image.Pt(-1, 0), PoolBorder
	case at.X == 2*m.Board.Cols && at.Y&1 == 1:
		return image.Pt(0, 1), image.Pt(1, 0), PoolBorder
	case at.X&1 == 1:
		return image.Pt(1, 0), image.Pt(0, -1), PoolEdge
	}
	return image.Pt(0, 1), image.Pt(1, 0), PoolEdge
}

// strip is what is seen in a rectangle about a place: from–to half-cells along one
// direction, and as far as wide to both sides of it.
func (m *Places) strip(at image.Point, along, across image.Point, from, to, stepAlong, wide, stepAcross float64, circles bool) Appearance {
	var a Appearance
	for d := from; d <= to+1e-9; d += stepAlong {
		for e := -wide; e <= wide+1e-9; e += stepAcross {
			x := float64(at.X) + d*float64(along.X) + e*float64(across.X)
			y := float64(at.Y) + d*float64(along.Y) + e*float64(across.Y)
			covered := false
			if circles {
				for _, side := range []int{-1, 1} {
					n := at.Add(along.Mul(side))
					if r := m.lines.Radius[n]; r > 0 && math.Hypot(x-float64(n.X), y-float64(n.Y)) < 2*(r*m.LineWidth+m.lines.Bleed) {
						covered = true
					}
				}
			}
			a = m.observe(a, x, y, covered)
		}
	}
	return a
}

func (m *Places) EdgeLook(at image.Point) (a Appearance, pool string) {
	along, across, pool := m.Frame(at)
	w := 2 * m.LineWidth
	return m.strip(at, along, across, -0.72, 0.72, 0.06, 0.75*w, 0.125*w, true), pool
}

// DotLook is the middle of a node or an edge.
func (m *Places) DotLook(at image.Point) Appearance {
	w := 2 * m.LineWidth
	return m.strip(at, image.Pt(1, 0), image.Pt(0, 1), -0.55*w, 0.55*w, 0.11*w, 0.55*w, 0.11*w, false)
}

// StartLook is what a place shows from its middle towards the cells round it: the
// median of all directions at each distance.
func (m *Places) StartLook(at image.Point) Appearance {
	var rays []Appearance
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
		_, across, _ := m.Frame(at)
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
		var a Appearance
		for r := 0.6; r < 2.25; r += 0.1 {
			// Not into what stands in a cell.
			a = m.observe(a, float64(at.X)+2*m.LineWidth*r*d[0], float64(at.Y)+2*m.LineWidth*r*d[1], r*m.LineWidth > 0.42)
		}
		rays = append(rays, a)
	}
	out := make(Appearance, len(rays[0]))
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
	Dir  image.Point
	Seen Appearance
	Pool string
}

// Ways are the directions from a place in which no edge can lead.
func (m *Places) Ways(at image.Point) []way {
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

// PoolsOf are the pools of a profile.
func PoolsOf(p *calibrations.Profile) map[string]*Pool {
	out := map[string]*Pool{}
	for _, l := range p.Learned.Places {
		o := NewPool(l.Name, l.Labels)
		o.Limit = l.Limit
		for y := range l.Mask.Rect.Dy() {
			o.Seen = append(o.Seen, Appearance(l.Mask.Pix[y*l.Mask.Stride:y*l.Mask.Stride+l.Mask.Rect.Dx()]))
		}
		o.tells = o.telling(view.Tuned.SameLook, o.sorts())
		out[l.Name] = o
	}
	return out
}
