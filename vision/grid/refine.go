package grid

import (
	"math"
	"slices"

	"onlooker/vision"
	"onlooker/vision/grid/part"
)

// refine puts an upright lattice's lines where the sides of all parts within
// it lie. What is drawn over cells cuts their ground into pieces, so that the
// middles of those are no cells' middles; but their outer sides still lie half
// a gap beside the lines.
//
// It tells whether most sides near lines are on them: they are not where the
// board is turned.
func (g *Lattice) refine(p *part.Parts) bool {
	if !g.upright() {
		return false
	}
	var sides [2][]side
	from, to := g.to.At(-1, -1), g.to.At(float64(g.Cols+1), float64(g.Rows+1))
	near := p.Beginning(from.Y, to.Y)
	for i := range near {
		q := &near[i]
		if q.Box.Dx() < 4 && q.Box.Dy() < 4 || float64(q.Box.Min.X) < from.X || float64(q.Box.Max.X) > to.X {
			continue
		}
		x0, y0 := float64(q.Box.Min.X), float64(q.Box.Min.Y)
		x1, y1 := float64(q.Box.Max.X-1), float64(q.Box.Max.Y-1)
		a, b := g.from.At(x0, y0), g.from.At(x1, y1)
		if a.X < -0.3 || a.Y < -0.3 || b.X > float64(g.Cols)+0.3 || b.Y > float64(g.Rows)+0.3 || b.X-a.X > 1.2 || b.Y-a.Y > 1.2 {
			continue
		}
		sides[0] = append(sides[0], side{a.X, x0, 1, y1 - y0}, side{b.X, x1, -1, y1 - y0})
		sides[1] = append(sides[1], side{a.Y, y0, 1, x1 - x0}, side{b.Y, y1, -1, x1 - x0})
	}
	at, pitch, across := lines(sides[0], g.to[2], g.to[0])
	if across > 0 {
		g.to[2], g.to[0] = at, pitch
	}
	at, pitch, down := lines(sides[1], g.to[5], g.to[4])
	if down > 0 {
		g.to[5], g.to[4] = at, pitch
	}
	g.put(g.to)
	if m, ok := g.centred(p); ok {
		g.put(m)
	}
	g.measure()
	return min(across, down) > onLines
}

const (
	wholeCell  = 0.5 // of a pitch both ways: the ground of a cell that nothing cuts
	offCentre  = 0.1 // pitches by which such a ground's middle is off its cell's
	wholeShare = 0.6 // of the lattice's cells that are whole
	// By how much of a pitch tiles of two sizes differ.
	twoSizes = 0.08
)

// centred is the upright map through the middles of the parts that are whole
// cells, where most cells are, of two sizes, and one map has them all exactly: lit
// and dark tiles have their middles on it, and their sides not. Cells of one size
// tell more by their sides, since a heavy outline moves the middles of the outer
// ones. Things beside the board that are as large are left out by the way.
func (g *Lattice) centred(p *part.Parts) (vision.Mat3, bool) {
	var spots []spot
	var sizes []float64
	near := p.Beginning(g.to.At(0, -2).Y, g.to.At(0, float64(g.Rows+1)).Y)
	for i := range near {
		q := &near[i]
		w, h := float64(q.Box.Dx()), float64(q.Box.Dy())
		if w < wholeCell*g.Pitch[0] || h < wholeCell*g.Pitch[1] || w > 1.1*g.Pitch[0] || h > 1.1*g.Pitch[1] {
			continue
		}
		x, y := q.Centre()
		u := g.from.At(x, y)
		s := spot{math.Floor(u.X) + 0.5, math.Floor(u.Y) + 0.5, x, y}
		if math.Abs(u.X-s.x) < offCentre && math.Abs(u.Y-s.y) < offCentre && u.X > 0 && u.Y > 0 && u.X < float64(g.Cols) && u.Y < float64(g.Rows) {
			spots = append(spots, s)
			sizes = append(sizes, w/g.Pitch[0])
		}
	}
	slices.Sort(sizes)
	if n := len(sizes); n == 0 || sizes[n*9/10]-sizes[n/10] < twoSizes {
		return g.to, false
	}
	for len(spots) >= 9 && float64(len(spots)) >= wholeShare*float64(g.Cols*g.Rows) {
		m, ok := fitUpright(spots)
		if !ok || usual(m, spots) > exact {
			return g.to, false
		}
		n := len(spots)
		spots = slices.DeleteFunc(spots, func(s spot) bool {
			at := m.At(s.x, s.y)
			return math.Hypot(at.X-s.px, at.Y-s.py) > 3*exact
		})
		if len(spots) == n {
			return m, true
		}
	}
	return g.to, false
}

// onLines is how many of the sides near lines are on them where a board stands
// upright; where it is turned by a degree and more they are spread evenly, which
// gives a fifth.
const onLines = 0.5

// upright tells whether a lattice's lines run along the frame's.
func (g *Lattice) upright() bool {
	return g.to[1] == 0 && g.to[3] == 0 && g.to[6] == 0 && g.to[7] == 0
}

// A side of a part: where it is in cell units by the map so far, and in pixels;
// +1 where the part lies behind it and -1 where before; and how long it is.
type side struct{ unit, pixel, from, long float64 }

// lines fits where = at + pitch·k + from·gap to the sides that lie near lines. It
// also gives how much of those, by their length, lies on them; 0 for no fit.
func lines(sides []side, at, pitch float64) (_, _, share float64) {
	gap, first := 0.0, 0.0
	for _, near := range []float64{0.2, 0.1, 0.06, 0.04} {
		var all vision.Squares
		long := 0.0
		for _, s := range sides {
			k := math.Round((s.pixel - s.from*gap - at) / pitch)
			if math.Abs(s.pixel-at-pitch*k-s.from*gap) > near*pitch {
				continue
			}
			long += s.long
			all.Add(s.long, s.pixel, 1, k, s.from)
		}
		if all.N < 6 {
			return 0, 0, 0
		}
		if share = 1; first > 0 {
			share = long / first
		} else {
			first = max(1, long)
		}
		v, ok := all.Solve()
		if !ok || math.Abs(v[1]/pitch-1) > 0.2 {
			return 0, 0, 0
		}
		at, pitch, gap = v[0], v[1], v[2]
	}
	if a, b, ok := between(sides, at, pitch); ok {
		at, pitch = a, b
	}
	return at, pitch, share
}

// between fits where = at + pitch·k to the middles of the lines that have parts
// on both sides, which is where they are whatever their width. The outer lines of
// a board often have parts on one side only.
func between(sides []side, at, pitch float64) (float64, float64, bool) {
	type line struct{ where, long [2]float64 }
	first, last := math.Inf(1), math.Inf(-1)
	for _, s := range sides {
		k := math.Round((s.pixel - at) / pitch)
		first, last = min(first, k), max(last, k)
	}
	lines := make([]line, int(last-first)+1)
	for _, s := range sides {
		k := math.Round((s.pixel - at) / pitch)
		if math.Abs(s.pixel-at-pitch*k) > 0.15*pitch || (s.pixel-at-pitch*k)*s.from < 0 {
			continue
		}
		i := 0
		if s.from < 0 {
			i = 1
		}
		l := &lines[int(k-first)]
		l.where[i] += s.long * s.pixel
		l.long[i] += s.long
	}
	var through vision.Trend
	for i, l := range lines {
		if w := min(l.long[0], l.long[1]); w > 0 && 3*w > max(l.long[0], l.long[1]) {
			through.Add(w, first+float64(i), (l.where[0]/l.long[0]+l.where[1]/l.long[1])/2)
		}
	}
	begin, step, ok := through.Line()
	return begin, step, ok && math.Abs(step/pitch-1) <= 0.1
}
