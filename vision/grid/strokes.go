package grid

import (
	"image"
	"math"
	"slices"

	"onlooker/vision"
	"onlooker/vision/grid/part"
)

// Of lattices that only straight strokes on them show.
const (
	leastStroke   = 14  // pixels of a stroke's length, and twice its width
	leastStrokes  = 6   // of a lattice, two of them each way
	strokeInk     = 40  // contrast with the ground; fainter are lines between cells, not walls
	sameStroke    = 24  // contrast of strokes of one ink
	strokeOff     = 0.7 // pixels by which a stroke's middle is off its line, usually
	strokeEnds    = 0.2 // of a pitch by which its ends are off their nodes
	strokeUnits   = 3   // pitches that the shortest stroke may be long
	strokeGrounds = 3   // parts of a frame that are looked at for strokes
)

// A stroke is a straight line of ink along the frame's rows or columns.
type stroke struct {
	box    image.Rectangle
	down   bool // along a column
	colour part.Colour
}

// line is where a stroke begins and ends along its way, where its middle is across, and
// how wide it is, in pixels.
func (k stroke) line() (from, to, middle, wide float64) {
	b := k.box
	if k.down {
		b = image.Rect(b.Min.Y, b.Min.X, b.Max.Y, b.Max.X)
	}
	return float64(b.Min.X), float64(b.Max.X - 1), float64(b.Min.Y+b.Max.Y-1) / 2, float64(b.Dy())
}

// StrokeGrids are the upright lattices that strokes of one ink and width lie on, from
// node to node, where nothing else shows cells: no lines go round them. All places of
// one are taken for cells, as far as its strokes reach.
func (s *Scene) StrokeGrids(contrast int) []*Grid {
	p := s.PartsAt(contrast)
	var grounds []int32
	for i := range p.List {
		if b := p.List[i].Box; min(b.Dx(), b.Dy()) > 4*leastStroke {
			grounds = append(grounds, int32(i))
		}
	}
	slices.SortStableFunc(grounds, func(a, b int32) int { return p.List[b].Area - p.List[a].Area })
	var out []*Grid
	for _, k := range grounds[:min(len(grounds), strokeGrounds)] {
		for _, set := range sameStrokes(s.strokes(p, k)) {
			if g := s.strokeGrid(set, contrast); g != nil && !slices.ContainsFunc(out, func(o *Grid) bool { return g.Same(&o.Lattice) }) {
				out = append(out, g)
			}
		}
	}
	return out
}

// strokes are those on a part, as on a sheet of paper.
func (s *Scene) strokes(p *part.Parts, k int32) (out []stroke) {
	ground, box := s.UsualOf(p, k), p.List[k].Box
	w := box.Dx()
	ink := make([]bool, w*box.Dy())
	for y := range box.Dy() {
		row := s.Frame.Pix[(box.Min.Y+y)*s.Frame.Stride+4*box.Min.X:]
		for x := range w {
			ink[y*w+x] = part.Colour(row[4*x:4*x+3]).Contrast(ground) >= strokeInk
		}
	}
	for _, u := range p.Runs(k) { // the sheet, however its light falls
		clear(ink[(int(u.Y)-box.Min.Y)*w+int(u.X0)-box.Min.X:][:u.X1-u.X0])
	}
	for _, down := range []bool{false, true} {
		lines, along, step, next := box.Dy(), w, 1, w
		if down {
			lines, along, step, next = w, box.Dy(), w, 1
		}
		var spans []vision.Span
		for y := range lines {
			for x := 0; x < along; x++ {
				first := x
				for x < along && ink[y*next+x*step] {
					x++
				}
				if x-first >= leastStroke {
					spans = append(spans, vision.Span{Y: int32(y), X0: int32(first), X1: int32(x)})
				}
			}
		}
		found, _ := part.Joined(spans)
		for _, q := range found {
			b := q.Box
			if b.Dx() < 2*b.Dy() || 5*q.Area < 4*b.Dx()*b.Dy() {
				continue
			}
			if down {
				b = image.Rect(b.Min.Y, b.Min.X, b.Max.Y, b.Max.X)
			}
			out = append(out, stroke{box: b.Add(box.Min), down: down, colour: s.inkOf(b.Add(box.Min))})
		}
	}
	return out
}

// inkOf is the usual colour along the middle of a stroke.
func (s *Scene) inkOf(b image.Rectangle) part.Colour {
	var list []part.Colour
	for i := range 9 {
		x, y := b.Min.X+(b.Dx()-1)*(i+1)/10, b.Min.Y+(b.Dy()-1)*(i+1)/10
		if b.Dx() > b.Dy() {
			y = (b.Min.Y + b.Max.Y - 1) / 2
		} else {
			x = (b.Min.X + b.Max.X - 1) / 2
		}
		i := s.Frame.PixOffset(x, y)
		list = append(list, part.Colour(s.Frame.Pix[i:i+3]))
	}
	return part.Usual(list)
}

// sameStrokes are the sets of strokes of one ink and width, the largest first.
func sameStrokes(list []stroke) (out [][]stroke) {
	alike := func(a, b stroke) bool {
		_, _, _, u := a.line()
		_, _, _, v := b.line()
		return a.colour.Contrast(b.colour) < sameStroke && math.Abs(u-v) <= 1+max(u, v)/8
	}
	type kind struct {
		colour part.Colour
		wide   float64
	}
	kindOf := func(k stroke) kind {
		_, _, _, wide := k.line()
		return kind{k.colour, wide}
	}
	for {
		var best []stroke
		best, list = part.Heaviest(list, kindOf, alike, func(stroke) float64 { return 1 })
		if len(best) < leastStrokes {
			return out
		}
		out = append(out, best)
	}
}

// strokeGrid is the lattice of some strokes; nil where they lie on none.
func (s *Scene) strokeGrid(set []stroke, contrast int) *Grid {
	shortest, wide := math.Inf(1), 0.0
	var middles [2][]float64 // across columns, and across rows
	for _, k := range set {
		from, to, middle, w := k.line()
		shortest, wide = min(shortest, to-from+1), max(wide, w)
		i := 1
		if k.down {
			i = 0
		}
		middles[i] = append(middles[i], middle)
	}
	if min(len(middles[0]), len(middles[1])) < 2 {
		return nil
	}
	for units := 1.0; units <= strokeUnits; units++ {
		// Its ends may reach beyond the nodes by half its width, or more where a round
		// one is blurred, and end before those where two meet.
		pitch, ok := pitchOf(middles, (shortest-1.5*wide)/units, (shortest+wide)/units)
		if !ok {
			continue
		}
		if c, ok := spanned(set, [2]comb{through(middles[0], pitch), through(middles[1], pitch)}, wide); ok {
			if g := s.combed(c, 0, contrast); g != nil {
				return g
			}
		}
	}
	return nil
}

// spanned are the lines of combs, from the first to the last, that strokes lie on, each from node to
// node; false where one does not.
func spanned(set []stroke, c [2]comb, wide float64) ([2]comb, bool) {
	least, most := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for _, k := range set {
		from, to, middle, _ := k.line()
		i := 0 // along columns' numbers
		if k.down {
			i = 1
		}
		for j, end := range []float64{from + wide/2, to - wide/2} {
			// A stroke may end at its node, or as far beyond as half its width.
			node, beyond := c[i].number(end), c[i].number(end+wide/2*float64(2*j-1))
			if min(math.Abs(node-math.Round(node)), math.Abs(beyond-math.Round(beyond))) > strokeEnds {
				return c, false
			}
			least[i], most[i] = min(least[i], math.Round(node)), max(most[i], math.Round(node))
		}
		line := math.Round(c[1-i].number(middle))
		least[1-i], most[1-i] = min(least[1-i], line), max(most[1-i], line)
	}
	for i := range c {
		c[i].first, c[i].n = c[i].at(least[i]), int(most[i]-least[i])+1
	}
	return c, min(c[0].n, c[1].n) > 2 && max(c[0].n, c[1].n) <= part.MostSides+1
}

// Largest is how many cells the largest of some grids has.
func Largest(list []*Grid) int {
	n := 0
	for _, g := range list {
		n = max(n, g.Cells())
	}
	return n
}
