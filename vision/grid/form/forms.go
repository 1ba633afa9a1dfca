// Package form learns what cells and the borders between them look like from pictures of
// which it is known what they show, and tells which of the forms it learned others have.
package form

import (
	"cmp"
	"fmt"
	"image"
	"math"
	"slices"
	"strings"

	"onlooker/calibrations"
	"onlooker/solve"
	"onlooker/vision"
	"onlooker/vision/grid"
	"onlooker/vision/grid/part"
)

// A Lesson is a picture of which it is known what it shows: a board, and where.
type Lesson struct {
	Scene  *grid.Scene
	Quad   [4]vision.Point // the outline of the cells in the frame
	Puzzle solve.Puzzle
}

const (
	patchSide  = 16   // pixels of a cell's appearance
	patchSlack = 1    // pixels by which cells of one look are shifted
	sameForm   = 0.03 // difference below which an appearance says nothing new
	leastLimit = 0.08 // how far cells of one form differ at least: edges between pixels
	leastLead  = 0.2  // 1 at a form, 0 half way to another: still this form
)

// A patch is a cell's appearance: red, green and blue of patchSide × patchSide
// pixels, 0 to 1.
type patch [3 * patchSide * patchSide]float64

// patchIn is what a cell looks like.
func patchIn(g *grid.Rectified, c, r int) patch { return patchAt(g, float64(c), float64(r), 1) }

// patchAt is what a square looks like, so many cells wide, whose corner is at (left, top)
// in cell units.
func patchAt(g *grid.Rectified, left, top, wide float64) (p patch) {
	const over = 3 // samples a pixel each way
	for k := range patchSide * patchSide {
		var sum [3]float64
		for j := range over * over {
			x := (float64(k%patchSide) + (float64(j%over)+0.5)/over) / patchSide
			y := (float64(k/patchSide) + (float64(j/over)+0.5)/over) / patchSide
			v := g.Colour(left+wide*x, top+wide*y)
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

// Apart is by how much two cells, counted row by row, look unlike: 0 to 1.
func Apart(g *grid.Grid, i, j int) float64 {
	p, q := patchIn(&g.Rectified, i%g.Cols, i/g.Cols), patchIn(&g.Rectified, j%g.Cols, j/g.Cols)
	return p.differ(&q, 1)
}

// A sighting is an appearance with what it was, and in which lesson.
type sighting struct {
	label  string
	lesson int
	patch  patch
}

// Learned says what a look has learned.
func Learned(look *calibrations.Profile) []string {
	var out []string
	for _, p := range look.Learned.Places {
		out = append(out, p.Count())
	}
	return out
}

// Learn has a look know what places of a kind, "cell" or "border", look like: label tells of each
// place of a lesson, in half-cells, what stands there, "" for what is not to be learned. An error
// where two labels look alike.
func Learn(look *calibrations.Profile, kind string, lessons []Lesson, size func(solve.Puzzle) (cols, rows int), label func(p solve.Puzzle, at image.Point) string) error {
	var seen []sighting
	for i, l := range lessons {
		cols, rows := size(l.Puzzle)
		g, err := l.grid(cols, rows)
		if err != nil {
			return err
		}
		for k := range (2*cols + 1) * (2*rows + 1) {
			at := image.Pt(k%(2*cols+1), k/(2*cols+1))
			name := label(l.Puzzle, at)
			if name == "" {
				continue
			}
			if g.Outer(at) {
				name = outerForm + name
			}
			seen = append(seen, sighting{name, i, patchOf(&g.Rectified, at)})
		}
	}
	forms, err := learned(kind, seen)
	if err == nil {
		look.Learned.Places = []calibrations.Places{*forms}
	}
	return err
}

// borderWide is how many cells wide what is looked at about a border's middle is: a heavy
// wall, and little of what stands in the cells.
const borderWide = 0.6

// outerForm begins the labels of borders in the outline, which may look like others of their
// name.
const outerForm = "outer "

// named is a label, of a border in the outline without what says so.
func named(label string) string { return strings.TrimPrefix(label, outerForm) }

// patchOf is what a cell or a border looks like, by its half-cell.
func patchOf(g *grid.Rectified, at image.Point) patch {
	if at.X&at.Y&1 == 1 {
		return patchIn(g, at.X/2, at.Y/2)
	}
	return patchAt(g, (float64(at.X)-borderWide)/2, (float64(at.Y)-borderWide)/2, borderWide)
}

// LearnedBorders says of each of a grid's borders which of a look's forms it has. An error
// where one has none, or one and another, or where a side looks like borders within a board.
func LearnedBorders(g *grid.Grid, look *calibrations.Places) (map[image.Point]string, error) {
	f, err := newFormReader(g, look)
	if err != nil {
		return nil, err
	}
	list := g.Borders()
	patches := make([]patch, len(list))
	for i, at := range list {
		patches[i] = patchOf(&g.Rectified, at)
	}
	f.light = lightOf(patches, f.forms)
	out := map[image.Point]string{}
	for i, at := range list {
		label, err := f.labelOf(patches[i], at)
		if err != nil {
			return nil, err
		}
		out[at] = named(label)
	}
	if !slices.ContainsFunc(look.Labels, func(l string) bool { return named(l) != l }) {
		return out, nil // learned before the outline was told apart
	}
	for _, side := range [4]image.Point{{0, 1}, {2 * g.Cols, 1}, {1, 0}, {1, 2 * g.Rows}} {
		within, all := 0, 0
		for i, at := range list {
			if side.Y == 1 && at.X == side.X || side.X == 1 && at.Y == side.Y {
				if all++; f.within(patches[i]) {
					within++
				}
			}
		}
		if 2*within >= all {
			return nil, &vision.UnsureError{What: "a part of a board: a side that looks like borders within", At: side}
		}
	}
	return out, nil
}

// within tells whether a border looks clearly more like one within a board than like any of
// its outline.
func (f *formReader) within(p patch) bool {
	best := [2]int{-1, -1}
	var apart [2]float64
	for k, l := range f.look.Labels {
		i := 0
		if named(l) != l {
			i = 1
		}
		if d := p.differ(&f.forms[k], f.light); best[i] < 0 || d < apart[i] {
			best[i], apart[i] = k, d
		}
	}
	if best[0] < 0 || best[1] < 0 {
		return best[1] < 0
	}
	between := f.light * f.between(best[0], best[1])
	return apart[1]*apart[1]-apart[0]*apart[0] > leastLead*between*between
}

// grid is the lattice of a lesson, straightened.
func (l *Lesson) grid(cols, rows int) (*grid.Grid, error) {
	g, err := l.Scene.GridAt(l.Quad, cols, rows)
	if err != nil {
		return nil, err
	}
	g = found(l.Scene, g)
	g.Straighten()
	return g, nil
}

// learned are the forms that sightings show, under the name of a kind of place.
func learned(name string, seen []sighting) (*calibrations.Places, error) {
	// Those that say something new; and how far sightings of one label, and of two, are
	// apart at the most and at the least.
	var kept []sighting
	within, between := 0.0, math.Inf(1)
	for _, s := range seen {
		own := math.Inf(1)
		for _, k := range kept {
			if d := s.patch.differ(&k.patch, 1); k.label == s.label {
				own = min(own, d)
			} else if named(k.label) == named(s.label) {
				continue
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
	out := &calibrations.Places{Name: name, Limit: max(leastLimit, 2*within), File: "mask-" + name + "s.png"}
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
func found(s *grid.Scene, g *grid.Grid) *grid.Grid {
	for _, contrast := range grid.Contrasts() {
		for _, o := range s.Grids(contrast) {
			if o.Same(&g.Lattice) {
				return o
			}
		}
	}
	return g
}

// A formReader tells which of a look's forms cells show, under one light.
type formReader struct {
	look  *calibrations.Places
	forms []patch
	light float64
	pairs map[[2]int]float64 // how far forms are apart, as far as it was asked
}

// newFormReader is one for a grid, of which the cells tell the light.
func newFormReader(g *grid.Grid, look *calibrations.Places) (*formReader, error) {
	if look.Mask.Rect.Dx() != len(patch{}) {
		return nil, fmt.Errorf("grid: forms of %d values, want %d", look.Mask.Rect.Dx(), len(patch{}))
	}
	g.Straighten()
	f := &formReader{look: look, pairs: map[[2]int]float64{}, forms: make([]patch, len(look.Labels))}
	for y := range f.forms {
		for x := range f.forms[y] {
			f.forms[y][x] = float64(look.Mask.GrayAt(x, y).Y) / 255
		}
	}
	cells := make([]patch, len(g.Has))
	for i := range cells {
		cells[i] = patchIn(&g.Rectified, i%g.Cols, i/g.Cols)
	}
	f.light = lightOf(cells, f.forms)
	return f, nil
}

// between is how far two forms are apart.
func (f *formReader) between(a, b int) float64 {
	if a > b {
		a, b = b, a
	}
	k := [2]int{a, b}
	d, ok := f.pairs[k]
	if !ok {
		d = f.forms[a].differ(&f.forms[b], 1)
		f.pairs[k] = d
	}
	return d
}

// label is the form that a cell shows; an error where it is none, or one and
// another.
func (f *formReader) label(g *grid.Grid, c, r int) (string, error) {
	return f.labelOf(patchIn(&g.Rectified, c, r), image.Pt(2*c+1, 2*r+1))
}

// labelOf is the form that a place at some half-cells shows.
func (f *formReader) labelOf(p patch, at image.Point) (string, error) {
	apart := make([]float64, len(f.forms))
	best := 0
	for k := range f.forms {
		if apart[k] = p.differ(&f.forms[k], f.light); apart[k] < apart[best] {
			best = k
		}
	}
	name := f.look.Labels[best]
	if apart[best] > f.look.Limit*max(1, f.light) {
		return "", &vision.UnsureError{What: fmt.Sprintf("a form that this look does not know, %.3f from %s, at most %.3f", apart[best], name, f.look.Limit), At: at}
	}
	for k, d := range apart {
		if named(f.look.Labels[k]) == named(name) {
			continue
		}
		// What differs from both forms alike, as a lattice that is a little off, tells
		// nothing: what counts is how far it is on the way from one to the other.
		between := f.light * f.between(best, k)
		if d*d-apart[best]*apart[best] < leastLead*between*between {
			return "", &vision.UnsureError{What: fmt.Sprintf("%s (%.3f) or %s (%.3f), which differ by %.3f", name, apart[best], f.look.Labels[k], d, between), At: at}
		}
	}
	return name, nil
}

// Forms says of each cell of a grid which of a look's forms stands in it. An error
// where a cell has none of them, or one and another, or where one stands beside the
// grid, which is a part of a board then.
func Forms(g *grid.Grid, look *calibrations.Places) ([]string, error) {
	f, err := newFormReader(g, look)
	if err != nil {
		return nil, err
	}
	out := make([]string, len(g.Has))
	for i := range out {
		if out[i], err = f.label(g, i%g.Cols, i/g.Cols); err != nil {
			return nil, err
		}
	}
	for _, side := range grid.Strips(g.Bounds()) {
		for k := range side.Dx() * side.Dy() {
			c, r := side.Min.X+k%side.Dx(), side.Min.Y+k/side.Dx()
			if _, err := f.label(g, c, r); err == nil {
				return nil, vision.CutOff("a part of a board: a form of its look stands beside it")
			}
		}
	}
	return out, nil
}

// Grown is the grid with the rows and columns beside it of which every place shows
// one of a look's forms, and not all the same: walls beside each other have no
// borders by which they would be found as cells. It is the grid itself where one of
// its own cells shows none.
func Grown(g *grid.Grid, look *calibrations.Places) *grid.Grid {
	f, err := newFormReader(g, look)
	if err != nil {
		return g
	}
	shown := func(g *grid.Grid, box image.Rectangle) (all, several bool) {
		first := ""
		for k := range box.Dx() * box.Dy() {
			name, err := f.label(g, box.Min.X+k%box.Dx(), box.Min.Y+k/box.Dx())
			if err != nil {
				return false, false
			}
			several = several || k > 0 && name != first
			first = name
		}
		return true, several
	}
	if all, _ := shown(g, g.Bounds()); !all {
		return g
	}
	out := g
	for grew := true; grew && max(out.Cols, out.Rows) < part.MostSides; {
		grew = false
		for i, side := range grid.Strips(out.Bounds()) {
			if all, several := shown(out, side); !all || !several {
				continue
			}
			next := out.Extended(grid.Ways()[i])
			if next.AtEdge(0) {
				continue
			}
			next.Beyond, next.Has = false, slices.Repeat([]bool{true}, len(next.Has))
			next.Straighten()
			out, grew = next, true
			break
		}
	}
	return out
}

// GrownGrids are grids grown by the forms of looks, each board once.
func GrownGrids(list []*grid.Grid, looks []*calibrations.Profile) []*grid.Grid {
	var out []*grid.Grid
	for _, g := range list {
		for _, l := range looks {
			for i := range l.Learned.Places {
				if o := Grown(g, &l.Learned.Places[i]); o.Cells() > g.Cells() {
					g = o
				}
			}
		}
		if !slices.ContainsFunc(out, func(o *grid.Grid) bool { return g.Same(&o.Lattice) }) {
			out = append(out, g)
		}
	}
	slices.SortStableFunc(out, func(a, b *grid.Grid) int { return cmp.Compare(b.Area(), a.Area()) })
	return out
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

// Unlike is how much of what makes cells differ is left when each is taken for the mean
// of its kind, and how far the strangest is from that: 1 where black is white. What lies less
// than a part of a cell from its border is left aside.
func Unlike(g *grid.Grid, kinds []string, off float64) (mean, most float64) {
	sums, count := map[string]*patch{}, map[string]int{}
	var usual patch
	all := 0
	patches := make([]patch, len(kinds))
	for i, k := range kinds {
		if k == "" || !g.Has[i] {
			continue
		}
		patches[i] = patchAt(&g.Rectified, float64(i%g.Cols)+off, float64(i/g.Cols)+off, 1-2*off)
		if sums[k] == nil {
			sums[k] = &patch{}
		}
		all++
		count[k]++
		for j, v := range patches[i] {
			sums[k][j] += v
			usual[j] += v
		}
	}
	left, total := 0.0, 0.0
	for i, k := range kinds {
		if k == "" || !g.Has[i] {
			continue
		}
		own := 0.0
		for j, v := range patches[i] {
			d := v - sums[k][j]/float64(count[k])
			own += d * d
			d = v - usual[j]/float64(all)
			total += d * d
		}
		left, most = left+own, max(most, math.Sqrt(own/float64(len(usual))))
	}
	// A grey of 1 in 255 on every pixel is nothing.
	if all == 0 || total < float64(all)*float64(len(usual))/(255*255) {
		return 0, most
	}
	return left / total, most
}
