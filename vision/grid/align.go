package grid

import (
	"image"
	"math"
	"slices"

	"onlooker/vision"
	"onlooker/vision/grid/part"
)

// Where Aligned looks for lines and how it settles.
const (
	alignReach  = 0.3  // cell units from where a line should be
	alignNear   = 0.05 // cell units: a spot this far off its line counts half
	alignRounds = 6
	// Cell units: lines' middles are measured to half a pixel, several together closer.
	// What is off there is more so at the outline, three halves of it round 3×3 cells.
	alignExact   = 0.2 / mostCell
	cauchyRounds = 8
	alignEven    = 0.005 // cell units: a correction that changes nothing
	// Cell units by which lines usually lie off their places: of a board's 0.010 at the most,
	// and of what stands on a map by chance 0.045 and more.
	alignFits = 0.03
)

// Aligned is the grid with its map fitted to the lines that are drawn between the
// cells, by least squares: upright where it was, else projective. Cells that are
// cut into pieces by what is drawn over them give a map that is some way off; the
// lines beside the nodes are not drawn over. It is the grid itself where there are
// too few lines to tell. A lattice that the lines do not fit at all is left as it
// was.
func (g *Grid) Aligned() *Grid {
	at := g
	for range alignRounds {
		at.Straighten()
		spots := at.lineSpots()
		if len(spots) == 0 {
			break
		}
		fix, ok := correction(spots, at.upright())
		if !ok {
			break
		}
		to, ok := at.corrected(fix)
		next := *at
		if next.Flat = nil; !ok || !next.put(to) {
			break
		}
		next.measure()
		moved := 0.0
		was, is := at.Quad(), next.Quad()
		for i := range was {
			moved = max(moved, math.Hypot(was[i].X-is[i].X, was[i].Y-is[i].Y))
		}
		at = &next
		if moved < alignEven*min(at.Pitch[0], at.Pitch[1]) {
			break
		}
	}
	return at
}

// Fits tells whether the lines that are seen between its cells lie where the grid has them.
func (g *Grid) Fits() bool {
	g.Straighten()
	spots := g.lineSpots()
	return len(spots) == 0 || vision.Same().Stray(spots) < alignFits
}

// corrected is the map after a correction of places in cell units.
func (g *Lattice) corrected(fix vision.Mat3) (vision.Mat3, bool) {
	back, ok := fix.Inverse()
	if !ok {
		return vision.Mat3{}, false
	}
	to := g.to.Mul(back)
	if math.Abs(to[8]) < 1e-9 {
		return vision.Mat3{}, false
	}
	for i := range to {
		to[i] /= to[8]
	}
	if g.upright() && fix[1] == 0 && fix[3] == 0 && fix[6] == 0 && fix[7] == 0 {
		to[1], to[3], to[6], to[7] = 0, 0, 0, 0
	}
	return to, true
}

// lineSpots are where the lines between cells are seen. Those round the board may be
// frames, whose middles lie elsewhere.
func (g *Grid) lineSpots() []vision.Sighting {
	var out []vision.Sighting
	n := int(2*alignReach*float64(g.Side)) | 1
	line := make([]part.Colour, n)
	look := func(way image.Point, k, from int) {
		var offs []float64
		for _, along := range []float64{0.13, 0.18, 0.23, 0.77, 0.82, 0.87} {
			x, y := float64(k), float64(from)+along
			if way.Y != 0 {
				x, y = y, x
			}
			for i := range line {
				across := (float64(i) - float64(n-1)/2) / float64(g.Side)
				line[i] = g.Colour(x+across*float64(way.X), y+across*float64(way.Y))
			}
			if d, ok := lineAt(line, g.Side, g.Contrast); ok {
				offs = append(offs, d)
			}
		}
		if len(offs) < 4 {
			return
		}
		d := vision.Median(offs)
		if slices.Sort(offs); offs[len(offs)-2]-offs[1] > 0.1 {
			return // not one line
		}
		at := vision.Point{X: float64(k) + d, Y: float64(from) + 0.5}
		if way.Y != 0 {
			at.X, at.Y = at.Y, at.X
		}
		out = append(out, vision.Sighting{P: at, Upright: way.X != 0, At: float64(k)})
	}
	for k := 1; k < g.Cols; k++ {
		for r := range g.Rows {
			look(image.Pt(1, 0), k, r)
		}
	}
	for k := 1; k < g.Rows; k++ {
		for c := range g.Cols {
			look(image.Pt(0, 1), k, c)
		}
	}
	return out
}

// lineAt is how far from its middle, in cell units of side pixels, a row of colours
// across a line has that line: the middle of its ink, or where none is a step from one
// ground to another. False where there is neither.
func lineAt(line []part.Colour, side, contrast int) (float64, bool) {
	n := len(line)
	k := max(1, n/8)
	left, right := part.Usual(line[:k]), part.Usual(line[n-k:])
	peak, top := 0, 0
	ink := make([]int, n)
	for i, v := range line {
		if ink[i] = min(v.Contrast(left), v.Contrast(right)); ink[i] > peak {
			peak, top = ink[i], i
		}
	}
	if peak < contrast {
		return stepAt(line, left, right, side, 2*contrast)
	}
	first, last := top, top
	for first > 0 && 3*ink[first-1] > peak {
		first--
	}
	for last < n-1 && 3*ink[last+1] > peak {
		last++
	}
	if first == 0 || last == n-1 {
		return 0, false // its far side is not seen
	}
	sum, weight := 0.0, 0.0
	for i := first; i <= last; i++ {
		sum, weight = sum+float64(i*ink[i]), weight+float64(ink[i])
	}
	// A place is looked up in the pixel that begins there.
	return (sum/weight - float64(n-1)/2 + 0.5) / float64(side), true
}

// stepAt is lineAt for a step from one ground to another, of some contrast at the least:
// where the colours are half way.
func stepAt(line []part.Colour, left, right part.Colour, side, contrast int) (float64, bool) {
	all := left.Contrast(right)
	if all < contrast {
		return 0, false
	}
	before := 0.0 // pixels that are of the left ground, those on the step in part
	for _, v := range line {
		before += max(0, min(1, float64(v.Contrast(right))/float64(all)))
	}
	return (before - float64(len(line))/2 + 0.5) / float64(side), true
}

// correction is the map in cell units that puts line spots on their lines: upright
// where the grid is and that suffices, else projective. Two lines each way must be
// seen; an upright map is mended one way alone where they are.
func correction(spots []vision.Sighting, upright bool) (vision.Mat3, bool) {
	stands, stood := vision.Same(), false
	if upright {
		for _, down := range []bool{true, false} {
			m, ok := drawnUpright(stands, spots, down)
			if stood = ok || stood; ok {
				stands = m
			}
		}
		if stands.Stray(spots) < alignExact {
			return stands, stood
		}
	}
	if several(spots, true) && several(spots, false) {
		free, ok := drawn(vision.Same(), spots, 8, func(m vision.Mat3) (vision.Mat3, bool) { return m.Nearer(spots, alignNear) })
		if ok && 2*free.Stray(spots) < stands.Stray(spots) {
			return free, true
		}
	}
	return stands, stood
}

// drawnUpright is a map fitted upright one way, where several lines are seen.
func drawnUpright(m vision.Mat3, spots []vision.Sighting, down bool) (vision.Mat3, bool) {
	list := slices.DeleteFunc(slices.Clone(spots), func(s vision.Sighting) bool { return s.Upright != down })
	if !several(list, down) {
		return m, false
	}
	return drawn(m, list, 2, func(m vision.Mat3) (vision.Mat3, bool) {
		var through vision.Trend
		for _, s := range list {
			d, along := s.Off(m)/alignNear, s.P.Y
			if down {
				along = s.P.X
			}
			through.Add(1/(1+d*d), along, s.At)
		}
		at, scale, ok := through.Line()
		if ok && down {
			m[0], m[2] = scale, at
		} else if ok {
			m[4], m[5] = scale, at
		}
		return m, ok
	})
}

// several tells whether spots of two lines are among some.
func several(spots []vision.Sighting, down bool) bool {
	first := slices.IndexFunc(spots, func(s vision.Sighting) bool { return s.Upright == down })
	return first >= 0 && slices.ContainsFunc(spots, func(s vision.Sighting) bool { return s.Upright == down && s.At != spots[first].At })
}

// drawn is a map fitted so that spots come to lie on their lines, by steps that let each count
// the less the further off it stays. It tells whether they lie nearer now; a map that is as near
// as lines' middles are measured is left alone.
func drawn(m vision.Mat3, spots []vision.Sighting, least int, step func(vision.Mat3) (vision.Mat3, bool)) (vision.Mat3, bool) {
	before := m.Stray(spots)
	ok := len(spots) >= least && before >= alignExact
	for i := 0; ok && i < cauchyRounds; i++ {
		m, ok = step(m)
	}
	return m, ok && 2*m.Stray(spots) < before
}
