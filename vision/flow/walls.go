package flow

import (
	"cmp"
	"fmt"
	"image"
	"math"
	"slices"

	"onlooker/solve/flow"
	"onlooker/vision"
	"onlooker/vision/grid"
	"onlooker/vision/grid/cell"
	"onlooker/vision/grid/part"
)

// A border is what is drawn between two cells, or at a cell's side where no other
// is.
type border struct {
	a, b image.Point
	seam grid.Seam
}

// borders are those between cells, each once, and those to where no cell is.
func (r *reading) borders() (inner, outer []border) {
	for i, has := range r.g.Has {
		a := r.g.Cell(i)
		if !has {
			continue
		}
		for _, way := range r.steps(a.X) {
			b := a.Add(way)
			switch in := r.g.At(b.X, b.Y); {
			case !in && !r.g.Hex:
				outer = append(outer, border{a, b, r.g.Seam(a.X, a.Y, way)})
			case !in || b.Y < a.Y || b.Y == a.Y && b.X < a.X:
			case r.g.Hex:
				inner = append(inner, border{a, b, r.g.Border(a, b)})
			default:
				inner = append(inner, border{a, b, r.g.Seam(a.X, a.Y, way)})
			}
		}
	}
	return inner, outer
}

// steps are the ways to a cell's neighbours.
func (r *reading) steps(col int) []image.Point {
	ways := grid.Ways()
	if !r.g.Hex {
		return ways[:]
	}
	return append(ways[:], image.Pt(1, 1-2*(col&1)), image.Pt(-1, 1-2*(col&1)))
}

// usualWeight is that of a line between cells.
func usualWeight(list []border) float64 {
	weights := make([]float64, len(list))
	for i, b := range list {
		weights[i] = b.seam.Weight
	}
	return max(vision.Median(weights), 0.3/float64(255)) // a line that cannot be seen
}

// walls are the borders between two cells that are drawn heavier than the usual
// line: those beyond the widest gap between the weights of a board's lines, where
// there is one. Lines of one kind differ, but evenly.
func (r *reading) walls() ([][2]image.Point, error) {
	inner, _ := r.borders()
	usual := usualWeight(inner)
	r.levelled(inner)
	// An end that fills its cell may have a rim of its own: with walls all round no path leaves it.
	rim := func(b border) bool {
		return slices.Contains(r.filledEnds, b.a.Y*r.g.Cols+b.a.X) || slices.Contains(r.filledEnds, b.b.Y*r.g.Cols+b.b.X)
	}
	if !slices.ContainsFunc(inner, func(b border) bool { return rim(b) && b.seam.Thin < leastWall*usual }) {
		inner = slices.DeleteFunc(inner, rim)
	}
	slices.SortFunc(inner, func(a, b border) int { return cmp.Compare(a.seam.Thin, b.seam.Thin) })
	first, widest := len(inner), wallGap
	for i := 1; i < len(inner); i++ {
		low, high := max(usual, inner[i-1].seam.Thin), inner[i].seam.Thin
		if high >= leastWall*usual && high/low > widest {
			first, widest = i, high/low
		}
	}
	if n := len(inner); first == n && n > 0 && inner[n-1].seam.Thin > mostLine*usual {
		b := inner[n-1]
		return nil, r.unsure(b.a.Y*r.g.Cols+b.a.X, fmt.Sprintf("a wall or a line beside the cell, %.2f of the usual", b.seam.Thin/usual), "a wall beside the cell, or a line that is heavier than the others")
	}
	var out [][2]image.Point
	for _, b := range inner[first:] {
		if slices.Contains(r.bridges, b.a) || slices.Contains(r.bridges, b.b) {
			return nil, r.unsure(b.a.Y*r.g.Cols+b.a.X, "a wall beside a bridge, which leads on all four ways")
		}
		out = append(out, [2]image.Point{b.a, b.b})
	}
	return out, nil
}

// levelled gives each border the weight that it would have on the ground of most
// cells: beside filled cells a line stands out by another contrast than elsewhere.
func (r *reading) levelled(inner []border) {
	var grounds, lines []part.Colour
	for i, has := range r.g.Has {
		if has {
			grounds = append(grounds, r.blobs[i].Ground)
		}
	}
	usual := part.Usual(grounds)
	ground := func(c image.Point) part.Colour { return r.blobs[c.Y*r.g.Cols+c.X].Ground }
	filled := func(b border) bool {
		return max(ground(b.a).Contrast(usual), ground(b.b).Contrast(usual)) >= 2*r.g.Contrast
	}
	for _, b := range inner {
		if !filled(b) {
			lines = append(lines, b.seam.Colour)
		}
	}
	line := part.Usual(lines)
	for i, b := range inner {
		if now := min(line.Contrast(ground(b.a)), line.Contrast(ground(b.b))); filled(b) && now > 0 {
			inner[i].seam.Thin *= float64(line.Contrast(usual)) / float64(now)
		}
	}
}

// outlined tells whether the board's outline is drawn heavier than its lines, and
// how heavy.
func (r *reading) outlined() (usual, outline float64, ok bool) {
	inner, outer := r.borders()
	if len(inner) == 0 || len(outer) == 0 {
		return 0, 0, false
	}
	usual, outline = usualWeight(inner), usualWeight(outer)
	return usual, outline, outline > heavyOutline*usual
}

// opened adds the cells at the sides of an outlined board whose outline is open
// there, so that their ground runs out of the board: thin lines part them from
// their neighbours, while holes have the outline round them.
func (r *reading) opened() {
	usual, _, ok := r.outlined()
	if !ok || r.g.Hex {
		return
	}
	for i, has := range r.g.Has {
		c := r.g.Cell(i)
		if has || c.X > 0 && c.Y > 0 && c.X < r.g.Cols-1 && c.Y < r.g.Rows-1 {
			continue
		}
		thin := 0
		for _, way := range grid.Ways() {
			n := c.Add(way)
			if s := r.g.Seam(c.X, c.Y, way); r.g.At(n.X, n.Y) && s.Peak >= r.g.Contrast && s.Weight < leastWall*usual {
				thin++
			}
		}
		if thin >= 2 {
			r.g = r.g.With(c.X, c.Y)
			r.leaky = append(r.leaky, c)
		}
	}
}

// inhabited adds the places among cells that were taken for none since what stands in
// them leaves nearly nothing of their ground, as in the smallest cells: an end or a
// path, on the ground of the other cells, mixed with a little of its own colour.
func (r *reading) inhabited() {
	if r.g.Hex || r.g.Cells() == len(r.g.Has) {
		return
	}
	var grounds []part.Colour
	for i, has := range r.g.Has {
		if has {
			grounds = append(grounds, cell.BlobIn(r.g, i%r.g.Cols, i/r.g.Cols).Ground)
		}
	}
	usual := part.Usual(grounds)
	for i, has := range r.g.Has {
		if has {
			continue
		}
		c := r.g.Cell(i)
		b := r.blob(c)
		end := arms(b) == 0 && b.Radius >= r.end
		path := arms(b) > 0 && b.Radius >= leastPath
		if b.Closed && b.Contrast >= r.g.Contrast && b.Solid >= leastSolid && b.Radius < mostDisc && (end || path) && b.Ground.Contrast(usual) < max(r.g.Contrast, b.Contrast/4) {
			r.g = r.g.With(c.X, c.Y)
		}
	}
}

// warps joins opposite sides of a board where its outline is open on both.
func (r *reading) warps(b *flow.Builder) error {
	_, outline, ok := r.outlined()
	if !ok || r.g.Hex || r.g.Cells() < len(r.g.Has) {
		return nil
	}
	var shut [][2]image.Point
	open, across, down, half := 0, 0, 0, 0
	check := func(a, z, way image.Point) {
		near, nearSeen := r.gap(a, image.Point{}.Sub(way), outline)
		far, farSeen := r.gap(z, way, outline)
		leaks := slices.Contains(r.leaky, a) || slices.Contains(r.leaky, z)
		switch {
		case near && far && !leaks:
			r.odd = append(r.odd, a)
		case near != far && (near && farSeen || far && nearSeen):
			half++
		}
		if near && far && leaks {
			open++
			across, down = across+way.X, down+way.Y
		} else {
			shut = append(shut, [2]image.Point{a, z})
		}
	}
	for y := range r.g.Rows {
		check(image.Pt(0, y), image.Pt(r.g.Cols-1, y), image.Pt(1, 0))
	}
	for x := range r.g.Cols {
		check(image.Pt(x, 0), image.Pt(x, r.g.Rows-1), image.Pt(0, 1))
	}
	// A side that is open in most places has no outline, as on pages that draw some of
	// their borders.
	if open == 0 && 0 < len(r.odd) && len(r.odd) < min(r.g.Cols, r.g.Rows) {
		i := r.odd[0].Y*r.g.Cols + r.odd[0].X
		return r.unsure(i, "an outline that is hardly to be seen on both sides, and closed for the ground")
	}
	if open == 0 || 2*across > r.g.Rows || 2*down > r.g.Cols {
		return nil // what is open on one side alone leads nowhere, and is badly seen
	}
	if half > 0 {
		return r.unsure(0, fmt.Sprintf("an outline that is open on both sides in %d places and on one in %d", open, half))
	}
	b.Torus()
	for _, w := range shut {
		b.Wall(w[0], w[1])
	}
	return nil
}

// gap tells whether the outline is open at a side of a cell, and whether that can
// be seen: a board that fills the picture's width has its outline at the edge.
func (r *reading) gap(c, way image.Point, outline float64) (open, seen bool) {
	if !r.g.SeesBeyond(c.X, c.Y, way) {
		return false, false
	}
	return r.g.Seam(c.X, c.Y, way).Weight < openShare*outline, true
}

// offBorder is how far off a cell's border in cell units its line may lie: the frame of
// a small picture over one of the shared screens, taken for a cell, lay 0.19 off.
const offBorder = 0.1

// bounded refuses a board with holes whose lines do not go round its cells: between
// two holes a line is drawn, or a cell has none on two sides where no other cell is.
// What is drawn behind a board may look like a cell of its own, or hide one. Boards of
// tiles have no lines, which tells nothing.
func (r *reading) bounded() error {
	inner, outer := r.borders()
	var peaks []float64
	for _, b := range inner {
		peaks = append(peaks, float64(b.seam.Peak))
	}
	usual := vision.Median(peaks)
	if r.g.Hex || r.g.Cells() == len(r.g.Has) || usual < float64(r.g.Contrast) {
		return nil
	}
	bare := map[image.Point]int{}
	for _, b := range outer {
		if b.seam.Peak >= r.g.Contrast && math.Abs(b.seam.Off) < offBorder {
			continue
		}
		if bare[b.a]++; bare[b.a] > 1 {
			return r.unsure(b.a.Y*r.g.Cols+b.a.X, "a cell without lines round it, or no cell")
		}
	}
	for i, has := range r.g.Has {
		c := r.g.Cell(i)
		for _, way := range grid.Ways() {
			n := c.Add(way)
			if has || r.g.At(n.X, n.Y) || !r.g.SeesBeyond(c.X, c.Y, way) {
				continue
			}
			if s := r.g.Seam(c.X, c.Y, way); 2*float64(s.Least) >= usual && s.Least >= r.g.Contrast {
				return r.unsure(i, "what it holds is not known, and lines go round it; if lines are drawn in the board already, take the picture before any is")
			}
		}
	}
	return nil
}
