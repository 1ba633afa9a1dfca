package grid

import (
	"fmt"
	"image"
	"math"

	"onlooker/calibrations"
	"onlooker/solve"
	"onlooker/vision"
)

// A Lesson is a picture of which it is known what it shows: a board, and where.
type Lesson struct {
	Scene  *Scene
	Quad   [4]vision.Point // the outline of the cells in the frame
	Puzzle solve.Puzzle
}

// GridAt is the lattice of cols×rows cells in an outline.
func (s *Scene) GridAt(quad [4]vision.Point, cols, rows int) (*Grid, error) {
	var spots []spot
	w, h := float64(cols), float64(rows)
	for i, at := range [4][2]float64{{0, 0}, {w, 0}, {w, h}, {0, h}} {
		spots = append(spots, spot{at[0], at[1], quad[i].X, quad[i].Y})
	}
	g := &Grid{Scene: s, Contrast: Contrasts()[0], Cols: cols, Rows: rows, Tile: [2]float64{1, 1}, Has: make([]bool, cols*rows)}
	for i := range g.Has {
		g.Has[i] = true
	}
	var ok bool
	if g.to, ok = fitProjective(spots); !ok {
		return nil, fmt.Errorf("grid: no board in the outline %v", quad)
	}
	if g.from, ok = g.to.inverse(); !ok {
		return nil, fmt.Errorf("grid: no board in the outline %v", quad)
	}
	g.measure()
	return g, nil
}

const (
	patchSide  = 16   // pixels of a cell's appearance
	patchSlack = 1    // pixels by which cells of one look are shifted
	sameForm   = 0.03 // difference below which an appearance says nothing new
	leastLimit = 0.08 // how far cells of one form differ at least: edges between pixels
	formShare  = 0.7  // of the way to another form's nearest sighting: still this form
)

// A patch is a cell's appearance: red, green and blue of patchSide × patchSide
// pixels, 0 to 1.
type patch [3 * patchSide * patchSide]float64

// patch is what a cell looks like.
func (g *Grid) patch(c, r int) (p patch) {
	const over = 3 // samples a pixel each way
	for k := range patchSide * patchSide {
		var sum [3]float64
		for j := range over * over {
			x := (float64(k%patchSide) + (float64(j%over)+0.5)/over) / patchSide
			y := (float64(k/patchSide) + (float64(j/over)+0.5)/over) / patchSide
			v := g.Colour(float64(c)+x, float64(r)+y)
			for i := range sum {
				sum[i] += float64(v[i])
			}
		}
		for i, v := range sum {
			p[3*k+i] = v / (255 * over * over)
		}
	}
	return p
}

// differ is the difference of two appearances, the second under a light, with the
// shift that suits best: the root of its mean square, so that a small arrow counts
// more than noise all over.
func (p *patch) differ(o *patch, light float64) float64 {
	least := math.Inf(1)
	for dy := -patchSlack; dy <= patchSlack; dy++ {
		for dx := -patchSlack; dx <= patchSlack; dx++ {
			sum := 0.0
			for y := patchSlack; y < patchSide-patchSlack; y++ {
				for x := patchSlack; x < patchSide-patchSlack; x++ {
					a, b := 3*(y*patchSide+x), 3*((y+dy)*patchSide+x+dx)
					for i := range 3 {
						d := p[a+i] - min(1, light*o[b+i])
						sum += d * d
					}
				}
			}
			least = min(least, sum)
		}
	}
	const n = patchSide - 2*patchSlack
	return math.Sqrt(least / (3 * n * n))
}

// turned is the appearance a quarter turn clockwise.
func (p *patch) turned() (out patch) {
	for y := range patchSide {
		for x := range patchSide {
			copy(out[3*(y*patchSide+x):][:3], p[3*((patchSide-1-x)*patchSide+y):][:3])
		}
	}
	return out
}

// A sighting is an appearance with what it was, and in which lesson.
type sighting struct {
	label  string
	lesson int
	patch  patch
}

// LearnForms learns what cells look like: label tells of each cell of a lesson what
// stands in it, "" for what is not to be learned, and turns the labels of forms
// by quarter turns clockwise, each set in order, for directions that no lesson shows; nil where there
// are none. An error where two labels look alike.
func LearnForms(lessons []Lesson, size func(solve.Puzzle) (cols, rows int), label func(p solve.Puzzle, c, r int) string, turns [][]string) (*calibrations.Places, error) {
	var seen []sighting
	for i, l := range lessons {
		cols, rows := size(l.Puzzle)
		g, err := l.Scene.GridAt(l.Quad, cols, rows)
		if err != nil {
			return nil, err
		}
		g = g.found()
		g.Straighten()
		for k := range cols * rows {
			if name := label(l.Puzzle, k%cols, k/cols); name != "" {
				seen = append(seen, sighting{name, i, g.patch(k%cols, k/cols)})
			}
		}
	}
	// Those that say something new; and how far sightings of one label, and of two, are
	// apart at the most and at the least.
	var kept []sighting
	within, between := 0.0, math.Inf(1)
	for _, s := range seen {
		own := math.Inf(1)
		for _, k := range kept {
			if d := s.patch.differ(&k.patch, 1); k.label == s.label {
				own = min(own, d)
			} else if between = min(between, d); d < sameForm {
				return nil, fmt.Errorf("grid: %q and %q look alike in the pictures", k.label, s.label)
			}
		}
		if own > sameForm {
			kept = append(kept, s)
			if !math.IsInf(own, 1) && s.lesson > 0 {
				within = max(within, min(own, 2*leastLimit))
			}
		}
	}
	for _, around := range turns {
		for i := range around {
			kept = append(kept, turnedForms(kept, around, i)...)
		}
	}
	out := &calibrations.Places{Name: "cell", Limit: max(leastLimit, 2*within), File: "mask-cells.png"}
	if !math.IsInf(between, 1) {
		out.Limit = min(out.Limit, between) // and clearly nearer than any other; see Forms
	}
	out.Mask = image.NewGray(image.Rect(0, 0, len(patch{}), len(kept)))
	for y, k := range kept {
		out.Labels = append(out.Labels, k.label)
		for x, v := range k.patch {
			out.Mask.Pix[y*out.Mask.Stride+x] = uint8(math.Round(255 * v))
		}
	}
	return out, nil
}

// found is the grid that is found in the scene where one was told of, which may be
// some part of a pixel off it; the one told of where none is.
func (g *Grid) found() *Grid {
	for _, contrast := range Contrasts() {
		for _, o := range g.Scene.Grids(contrast) {
			if o.same(g) {
				return o
			}
		}
	}
	return g
}

// turnedForms are the forms of one of the labels that follow one another by quarter
// turns, made of those of another, where none was seen.
func turnedForms(kept []sighting, turns []string, i int) (out []sighting) {
	for _, k := range kept {
		if k.label == turns[i] {
			return nil
		}
	}
	for by := 1; by < len(turns); by++ {
		from := turns[(i-by+len(turns))%len(turns)]
		for _, k := range kept {
			if k.label != from {
				continue
			}
			p := k.patch
			for range by {
				p = p.turned()
			}
			out = append(out, sighting{turns[i], k.lesson, p})
		}
		if out != nil {
			return out
		}
	}
	return nil
}

// Forms says of each cell of a grid which of a look's forms stands in it. An error
// where a cell has none of them, or one and another.
func (g *Grid) Forms(look *calibrations.Places) ([]string, error) {
	if look.Mask.Rect.Dx() != len(patch{}) {
		return nil, fmt.Errorf("grid: forms of %d values, want %d", look.Mask.Rect.Dx(), len(patch{}))
	}
	g.Straighten()
	forms := make([]patch, len(look.Labels))
	for y := range forms {
		for x := range forms[y] {
			forms[y][x] = float64(look.Mask.GrayAt(x, y).Y) / 255
		}
	}
	cells := make([]patch, len(g.Has))
	for i := range cells {
		cells[i] = g.patch(i%g.Cols, i/g.Cols)
	}
	light := lightOf(cells, forms)
	out := make([]string, len(cells))
	for i := range cells {
		best, next := math.Inf(1), math.Inf(1)
		for k := range forms {
			d := cells[i].differ(&forms[k], light)
			switch {
			case d < best && look.Labels[k] != out[i]:
				best, next, out[i] = d, best, look.Labels[k]
			case d < best:
				best = d
			case look.Labels[k] != out[i]:
				next = min(next, d)
			}
		}
		at := image.Pt(2*(i%g.Cols)+1, 2*(i/g.Cols)+1)
		if best > look.Limit*max(1, light) {
			return nil, &vision.UnsureError{What: fmt.Sprintf("a form that this look does not know, %.3f from %s, at most %.3f", best, out[i], look.Limit), At: at}
		}
		if best > formShare*next {
			return nil, &vision.UnsureError{What: fmt.Sprintf("%s (%.3f) or another form (%.3f)", out[i], best, next), At: at}
		}
	}
	return out, nil
}

// lightOf is under which light cells look most like forms, in steps of 10 %: a
// picture may be 0.6 to 1.4 times as bright.
func lightOf(cells, forms []patch) float64 {
	best, at := math.Inf(1), 1.0
	step := max(1, len(cells)/12) // a dozen cells tell it
	for light := 0.55; light < 1.55; light *= 1.1 {
		sum := 0.0
		for i := 0; i < len(cells); i += step {
			least := math.Inf(1)
			for k := range forms {
				least = min(least, cells[i].differ(&forms[k], light))
			}
			sum += least
		}
		if sum < best {
			best, at = sum, light
		}
	}
	return at
}
