package flow

import (
	"fmt"
	"image"
	"math"
	"slices"

	"onlooker/vision"
	"onlooker/vision/grid"
	"onlooker/vision/grid/cell"
	"onlooker/vision/grid/part"
)

// ends finds the cells of ends in their pairs.
func (r *reading) ends() ([][2]int, error) {
	discs, err := r.discs()
	if err != nil {
		return nil, err
	}
	if len(discs) > 0 {
		return r.paired(discs)
	}
	var marked []int
	marks := make([]*cell.Mark, len(r.blobs))
	for i, has := range r.g.Has {
		if !has {
			continue
		}
		if m, ok := cell.MarkIn(r.g, i%r.g.Cols, i/r.g.Cols); ok {
			marks[i] = m
			marked = append(marked, i)
		}
	}
	if len(marked) < 2 {
		if filled := r.filled(); len(filled) > 0 {
			if i := slices.IndexFunc(filled, func(i int) bool { return arms(r.blobs[i]) > 0 }); i >= 0 {
				return nil, r.unsure(filled[i], "a filled cell that lines run into")
			}
			r.fills = true
			return r.pairs(filled, r.tint(func(i int) part.Colour { return r.blobs[i].Ground }))
		}
		return nil, &vision.UnsureError{What: "no ends in the cells", Whole: true}
	}
	if r.g.Cells() < len(r.blobs) {
		return nil, r.unsure(marked[0], "written ends on a board with holes, which may be part of anything")
	}
	if i, ok := r.unmarked(marked); ok {
		return nil, r.unsure(i, "a cell filled as those of ends are, in a colour of its own, with no mark that is seen")
	}
	differ := remembered(func(a, b int) float64 { return marks[a].Differ(marks[b]) })
	unit := formUnit(marked, differ)
	form := func(a, b int) float64 { return differ(a, b) / unit }
	if slices.Equal(r.filled(), marked) { // what fills a cell tells more than what is written in it
		ground := r.tint(func(i int) part.Colour { return r.blobs[i].Ground })
		if pairs, _, err := r.agreed(marked, ground, form); err == nil {
			r.numbers, r.filledEnds = true, marked
			return pairs, r.repeated(pairs, marks)
		}
	}
	pairs, byForm, err := r.agreed(marked, form, r.tint(func(i int) part.Colour { return marks[i].Colour }))
	r.numbers = byForm
	if err == nil && byForm {
		err = r.repeated(pairs, marks)
	}
	return pairs, err
}

// How ends of two pairs are told to be one thing that is shown more than twice, as signs are. On the
// shared screens marks of one form leave 0.00 of their contrast, at 0.33 of the size and as JPEG
// of quality 60 up to 0.43, those of two forms 0.73 and more.
const (
	sameShown   = 0.5
	inkMargin   = 2 // pixels of the frame round a mark
	shiftPixels = 2 // by which two of one form may stand elsewhere in their cells
)

// repeated finds an end that looks as that of another pair does, pixel by pixel.
func (r *reading) repeated(pairs [][2]int, marks []*cell.Mark) error {
	for k, p := range pairs {
		for _, q := range pairs[:k] {
			for n := range 4 {
				i, j := p[n%2], q[n/2]
				if !marks[i].Cut() && !marks[j].Cut() && max(r.residue(i, j, marks[i]), r.residue(j, i, marks[j])) < sameShown {
					return r.unsure(i, "an end that is shown more than twice")
				}
			}
		}
	}
	return nil
}

// residue is by how much the frame's pixels of a mark lie beyond those of another cell at the best
// shift, each beyond the four that it would be a mix of, as a share of the mark's contrast.
func (r *reading) residue(i, j int, m *cell.Mark) float64 {
	at := func(i int, x, y float64) image.Point {
		c := r.g.Cell(i)
		p := r.g.Pixel(float64(c.X)+x, float64(c.Y)+y)
		return image.Pt(int(math.Round(p.X)), int(math.Round(p.Y)))
	}
	box := image.Rectangle{at(i, m.Left, m.Top), at(i, m.Left+m.Width(), m.Top+m.Height())}.Inset(-inkMargin)
	to := at(j, m.Left, m.Top).Sub(box.Min.Add(image.Pt(inkMargin, inkMargin)))
	least := 255
	for dy := -shiftPixels; dy < shiftPixels; dy++ {
		for dx := -shiftPixels; dx < shiftPixels; dx++ {
			least = min(least, r.beyond(box, to.Add(image.Pt(dx, dy)), least))
		}
	}
	return float64(least) / float64(m.Contrast)
}

// beyond is by how much pixels of a box lie beyond the four at another place, most at the most.
func (r *reading) beyond(box image.Rectangle, off image.Point, most int) (worst int) {
	for y := box.Min.Y; y < box.Max.Y && worst < most; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			low, high := part.Colour{255, 255, 255}, part.Colour{}
			for k := range 4 {
				for n, v := range r.g.Scene.At(float64(x+off.X+k%2), float64(y+off.Y+k/2)) {
					low[n], high[n] = min(low[n], v), max(high[n], v)
				}
			}
			for n, v := range r.g.Scene.At(float64(x), float64(y)) {
				worst = max(worst, int(low[n])-int(v), int(v)-int(high[n]))
			}
		}
	}
	return worst
}

// sameForm is by how much the forms of two marks of a board differ at the most where that
// says nothing: of numbers in a photograph two pictures of one differ by half of it. Where all
// marks of a board have one that is nearer, as on a page, less says something: four times the
// farthest of these, and leastForm at the least. O and Q differ by 0.049.
const (
	sameForm  = 0.05
	leastForm = 0.015
)

// formUnit is by how much the forms of two marks differ where that says nothing.
func formUnit(marked []int, differ func(a, b int) float64) float64 {
	farthest := 0.0
	for i := range marked {
		if farthest = max(farthest, nearestTo(i, marked, differ).near); 4*farthest >= sameForm {
			return sameForm
		}
	}
	return max(leastForm, 4*farthest)
}

// tint is how far the colours of two ends are apart, in contrasts that say nothing.
func (r *reading) tint(of func(i int) part.Colour) func(a, b int) float64 {
	return func(a, b int) float64 { return of(a).Distance(of(b)) / float64(r.g.Contrast) }
}

// agreed puts ends into pairs by what tells them first, and where that does not
// suffice by that and something else together. Where it does, what the other
// says of most pairs must not contradict it. Distances are in units that say nothing.
// It tells whether the first sufficed.
func (r *reading) agreed(ends []int, first, other func(a, b int) float64) (pairs [][2]int, alone bool, err error) {
	pairs, err = r.pairs(ends, first)
	if err != nil {
		pairs, err = r.pairs(ends, func(a, b int) float64 { return math.Hypot(first(a, b), other(a, b)) })
		return pairs, false, err
	}
	if i, ok := contradiction(pairs, other); ok {
		return nil, true, r.unsure(i, "an end whose letter or colour is another pair's")
	}
	return pairs, true, nil
}

// filled are the cells whose own ground is another than that of most: ends that fill
// their cells.
func (r *reading) filled() (out []int) {
	most, usual := 0, 0
	for i := range r.blobs {
		n := 0
		for j := range r.blobs {
			if r.g.Has[i] && r.g.Has[j] && r.alike(i, j) {
				n++
			}
		}
		if n > most {
			most, usual = n, i
		}
	}
	for i, has := range r.g.Has {
		if has && !r.alike(i, usual) {
			out = append(out, i)
		}
	}
	return out
}

// unmarked finds a filled cell without a mark whose colour no marked one has, where most
// of these are filled: a path has the colour of its ends.
func (r *reading) unmarked(marked []int) (int, bool) {
	filled := r.filled()
	n := 0
	for _, i := range marked {
		if slices.Contains(filled, i) {
			n++
		}
	}
	for _, i := range filled {
		if 2*n > len(marked) && !slices.ContainsFunc(marked, func(j int) bool { return r.alike(i, j) }) {
			return i, true
		}
	}
	return 0, false
}

// alike tells whether the grounds of two cells are.
func (r *reading) alike(a, b int) bool {
	return r.blobs[a].Ground.Contrast(r.blobs[b].Ground) < 2*r.g.Contrast
}

// discs finds the cells in whose middle something ends within the cell and is
// as large as the largest such thing of the board. What is narrower is a path.
// None where the largest is no larger than a path may be, or others that stand alone
// are as large and no discs: then the ends are written.
func (r *reading) discs() ([]int, error) {
	clearest, largest := 0, 0.0
	for i, b := range r.blobs {
		if r.closed(i) && b.Radius >= r.end {
			clearest = max(clearest, b.Contrast)
		}
	}
	// What has the form of the clear ends is one, however faint its colour is; what goes
	// through its cell is not of their form.
	clear := func(i int) bool {
		b := r.blobs[i]
		return float64(b.Contrast) >= faintest*float64(clearest) ||
			r.closed(i) && arms(b) < 2 && b.Solid >= likeDisc && b.Radius >= asLarge*largest && asLarge*b.Radius <= largest
	}
	for i, b := range r.blobs {
		if r.closed(i) && float64(b.Contrast) >= faintest*float64(clearest) {
			largest = max(largest, b.Radius)
		}
	}
	if largest < r.end {
		return nil, nil
	}
	var out []int
	for i, b := range r.blobs {
		if !r.g.Has[i] && r.covered(i, faintest*float64(clearest)) {
			return nil, r.unsure(i, "a hole, or a cell that something lies over", "what it holds is not known: a sign that no look knows, or something lies over it")
		}
		if !r.g.Has[i] {
			continue
		}
		// Before what is faint is passed over: a bridge may lie on the edge of a backdrop.
		if r.bridge(i, faintest*float64(clearest)) {
			r.bridges = append(r.bridges, r.g.Cell(i))
			continue
		}
		if !clear(i) {
			continue
		}
		if b.Aside {
			continue // ends and paths stand in the middle; a disc about the pointer is larger than a cell
		}
		if r.written(i, largest) {
			return nil, nil
		}
		if !r.closed(i) {
			return nil, r.unsure(i, "something that is neither an end nor a path")
		}
		if b.Radius <= asNarrow*largest {
			continue
		}
		if b.Radius < asLarge*largest {
			return nil, r.unsure(i, fmt.Sprintf("an end or a path, %.2f of the largest", b.Radius/largest))
		}
		if arms(b) > 1 {
			return nil, r.unsure(i, "an end that a path goes through")
		}
		out = append(out, i)
	}
	return out, nil
}

// written tells whether what stands alone in a cell is as large as the largest disc,
// and none: numbers then, some of which enclose as much as a disc does.
func (r *reading) written(i int, largest float64) bool {
	if b := r.blobs[i]; arms(b) > 0 || r.closed(i) && b.Radius >= asLarge*largest {
		return false
	}
	c := r.g.Cell(i)
	m, ok := cell.MarkIn(r.g, c.X, c.Y)
	return ok && max(m.Width(), m.Height()) >= 2*asNarrow*largest
}

// covered tells whether a place among cells that was taken for none is not of one
// colour, as a hole is, to some contrast: what lies over a cell and goes on beyond it
// hides its ground.
func (r *reading) covered(i int, contrast float64) bool {
	c, beside := r.g.Cell(i), 0
	for _, way := range grid.Ways() {
		if to := c.Add(way); r.g.At(to.X, to.Y) {
			beside++
		}
	}
	if r.g.Hex || beside < 3 {
		return false // at a corner of the board, where anything may be
	}
	const in = 0.36 // from the middle to a corner, as where a cell's ground is looked at
	x, y := float64(c.X)+0.5, float64(c.Y)+0.5
	middle := r.g.Colour(x, y)
	for _, corner := range [4][2]float64{{-in, -in}, {in, -in}, {-in, in}, {in, in}} {
		if v := r.g.Colour(x+corner[0], y+corner[1]).Contrast(middle); float64(v) >= contrast {
			return true
		}
	}
	return false
}

// closed tells whether something that may be an end or a path stands in a cell.
func (r *reading) closed(i int) bool {
	b := r.blobs[i]
	return r.g.Has[i] && b.Contrast >= r.g.Contrast && b.Closed && b.Solid >= leastSolid && b.Radius >= leastPath && b.Radius < mostDisc
}

// remembered is a distance that is the same both ways and takes long to measure: forms
// are compared once.
func remembered(apart func(a, b int) float64) func(a, b int) float64 {
	known := map[[2]int]float64{}
	return func(a, b int) float64 {
		k := [2]int{min(a, b), max(a, b)}
		d, ok := known[k]
		if !ok {
			d = apart(a, b)
			known[k] = d
		}
		return d
	}
}

// A nearest is which other end is nearest to one, how far it is, and how far the next.
type nearest struct {
	partner      int // -1: none
	near, second float64
}

func nearestTo(i int, ends []int, apart func(a, b int) float64) nearest {
	out := nearest{-1, math.Inf(1), math.Inf(1)}
	for j := range ends {
		if i == j {
			continue
		}
		if d := apart(ends[i], ends[j]); d < out.near {
			out = nearest{j, d, out.near}
		} else {
			out.second = min(out.second, d)
		}
	}
	return out
}

// pairs puts ends into pairs: each is nearest to the other, and clearly nearer
// than to all others. A difference of 1 says nothing. An end without
// such a partner is a contradiction; the first one ends it, since on most boards of
// other families every end is one.
func (r *reading) pairs(ends []int, apart func(a, b int) float64) ([][2]int, error) {
	if len(ends)%2 != 0 || len(ends) < leastEnds {
		return nil, r.unpaired(ends, apart)
	}
	found := make([]*nearest, len(ends))
	of := func(i int) *nearest {
		if found[i] == nil {
			n := nearestTo(i, ends, apart)
			found[i] = &n
		}
		return found[i]
	}
	var out [][2]int
	for i := range ends {
		n := of(i)
		if j := n.partner; j < 0 || of(j).partner != i || n.near >= farApart {
			return nil, r.unsure(ends[i], "an end whose partner was missed, or read as another sign")
		}
		if n.second < 1 || n.near > pairShare*n.second {
			return nil, r.unsure(ends[i], "an end that looks like several others")
		}
		if i < n.partner {
			out = append(out, [2]int{ends[i], ends[n.partner]})
		}
	}
	return out, nil
}

// unpaired is why ends are refused that cannot all be pairs: of an odd number the one that is least
// like another may have lost its partner, or be none.
func (r *reading) unpaired(ends []int, apart func(a, b int) float64) error {
	n, least, far := len(ends), 0, -1.0
	if n < leastEnds || 2*n > r.g.Cells() {
		u := &vision.UnsureError{Whole: true, What: fmt.Sprintf("%d of its %d cells hold what may be an end, too few or too many for a board that is not solved yet", n, r.g.Cells())}
		if n == r.g.Cells() {
			u.Says = "all of its cells are filled, as of a board that is solved: give a picture of it from before"
		}
		return u
	}
	for i := range ends {
		if d := nearestTo(i, ends, apart).near; d > far {
			least, far = ends[i], d
		}
	}
	return r.unsure(least, fmt.Sprintf("of %d ends it is the least like another: its partner was missed, or it is no end", n))
}

func arms(b cell.Blob) int {
	n := 0
	for _, a := range b.Arms {
		if a {
			n++
		}
	}
	return n
}
