package grid

import (
	"cmp"
	"image"
	"math"
	"slices"

	"onlooker/vision/grid/part"
)

// A Seam is what is drawn on the border of two cells.
type Seam struct {
	// Weight is the line's width in cell units times its contrast, 1 being black
	// on white, and Peak its contrast, 0 to 255; both 0 where no line is. A mere
	// step from one ground to another is no line.
	Weight float64
	Peak   int
	// Thin is the weight that three quarters of the line have at least: what comes near
	// the border on some of its length, as the ends of what is drawn in a cell do, has
	// that of the line alone.
	Thin float64
	// Least is the contrast that three quarters of the line have: what only crosses
	// the border, as words do, has 0.
	Least int
	// Mean is the weight of the whole line: of a dashed one Weight is that of a dash or
	// of a gap, as the dashes lie.
	Mean float64
	// Width is how wide the line is in cell units, at half its contrast.
	Width float64
	// Off is how far off the border its darkest place lies, in cell units.
	Off float64
	// Colour is the mean of the whole line, as Mean is: a hatched one has that of its
	// stripes together.
	Colour part.Colour
}

// Where a seam is looked at: along it beside the nodes, where no line crosses,
// and off the middle, where paths go through; across it as far as thick walls
// reach.
const (
	seamNear, seamFar = 0.1, 0.24
	seamReach         = 0.2
)

// Seam looks at the border between a cell and its neighbour in a direction,
// one of Ways. Either may be off the board.
func (g *Grid) Seam(c, r int, way image.Point) Seam { return g.seamAt(c, r, way, 0) }

// SeesBeyond tells whether the picture reaches far enough beyond a cell's side that
// a line there can be seen.
func (g *Grid) SeesBeyond(c, r int, way image.Point) bool {
	return g.Scene.Shows(g.to.At(float64(c)+0.5+float64(way.X)*(0.5+seamReach), float64(r)+0.5+float64(way.Y)*(0.5+seamReach)))
}

// HeavySeam is the heaviest line near the border, where a thick line's middle
// may lie off the lattice's by some of its width.
func (g *Grid) HeavySeam(c, r int, way image.Point) Seam {
	best := Seam{}
	for _, off := range []float64{0, -0.04, 0.04, -0.08, 0.08} {
		if s := g.seamAt(c, r, way, off); s.Mean > best.Mean {
			best = s
		}
	}
	return best
}

// seamAt looks at a line that far beyond the border.
func (g *Grid) seamAt(c, r int, way image.Point, off float64) Seam {
	// The middle of the border, and the directions along and across it.
	x, y := float64(c)+0.5+float64(way.X)*(0.5+off), float64(r)+0.5+float64(way.Y)*(0.5+off)
	ax, ay := math.Abs(float64(way.Y)), math.Abs(float64(way.X))
	inner := g.At(c, r) && g.At(c+way.X, r+way.Y)
	return g.seam(inner, func(across, along float64) part.Colour {
		return g.Colour(x+along*ax+across*ay, y+along*ay+across*ax)
	})
}

// seam looks at a line through the colours at places across and along it, from the
// border's middle.
func (g *Grid) seam(inner bool, at func(across, along float64) part.Colour) Seam {
	n := int(2*seamReach*float64(g.Side)) | 1
	near, far := 0.5-seamFar, 0.5-seamNear
	if g.Hex {
		// Its sides are 0.58 of its height, and paths go through their middles.
		near, far = 0.1, 0.22
	}
	var cuts []cut
	line := make([]part.Colour, n)
	for _, half := range []float64{-1, 1} {
		for along := near; along <= far+1e-9; along += max(0.035, 1/float64(g.Side)) {
			for i := range line {
				line[i] = at((float64(i)-float64(n-1)/2)/float64(g.Side), half*along)
			}
			cuts = append(cuts, cutOf(line, g.Side, inner))
		}
	}
	slices.SortFunc(cuts, func(a, b cut) int { return cmp.Compare(a.weight, b.weight) })
	m := cuts[len(cuts)/2]
	out := Seam{Weight: m.weight, Peak: m.peak, Thin: cuts[len(cuts)/4].weight, Least: cuts[len(cuts)/4].peak, Width: m.width, Off: m.off}
	// But for the lightest and the heaviest, which something else may have covered.
	most := cuts[len(cuts)/8 : len(cuts)-len(cuts)/8]
	var colour [3]float64
	for _, u := range most {
		out.Mean += u.weight / float64(len(most))
		for k, v := range u.colour {
			colour[k] += float64(v) / float64(len(most))
		}
	}
	for k, v := range colour {
		out.Colour[k] = uint8(v + 0.5)
	}
	return out
}

// A cut is a seam as one line across it shows it.
type cut struct {
	weight, width, off float64
	peak               int
	colour             part.Colour
}

// cutOf measures what is drawn on the middle of a line of colours, side pixels a
// cell.
func cutOf(line []part.Colour, side int, inner bool) (u cut) {
	n := len(line)
	ink := make([]int, n)
	k := max(1, n/6)
	left, right := part.Usual(line[:k]), part.Usual(line[n-k:])
	top := 0
	for i, v := range line {
		if inner {
			ink[i] = v.OffMixture(left, right) // a step between two cells' grounds is none, however blurred
		} else {
			ink[i] = min(v.Contrast(left), v.Contrast(right)) // an outline may have a colour between those
		}
		if ink[i] > u.peak {
			u.peak, top = ink[i], i
		}
	}
	// The line is what hangs together with its darkest place; what else differs a
	// little is noise or backdrop.
	first, last := top, top
	for first > 0 && 5*ink[first-1] > u.peak {
		first--
	}
	for last < n-1 && 5*ink[last+1] > u.peak {
		last++
	}
	wide, sum := 0, [3]int{}
	for i, v := range ink[first : last+1] {
		u.weight += float64(v)
		if 2*v > u.peak {
			wide++
			for k, c := range line[first+i] {
				sum[k] += int(c)
			}
		}
	}
	for k := range sum {
		u.colour[k] = uint8((sum[k] + wide/2) / max(1, wide))
	}
	u.width = float64(wide) / float64(side)
	u.off = (float64(top) - float64(n-1)/2) / float64(side)
	u.weight /= 255 * float64(side)
	return u
}
