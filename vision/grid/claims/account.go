package claims

import (
	"image"
	"math"
	"slices"

	"onlooker/calibrations"
	"onlooker/solve"
	"onlooker/vision"
	"onlooker/vision/grid"
	"onlooker/vision/grid/form"
	"onlooker/vision/grid/part"
	"onlooker/vision/posterior"
)

// A Claim is what a reader says that a grid shows.
type Claim struct {
	Puzzle solve.Puzzle
	// Look is whose colours or forms told it; nil: none's, the structure alone did.
	Look *calibrations.Profile
	// Kinds is what each cell was taken for, row by row: cells of one kind look alike. ""
	// is a cell of which that is not said, as one that a path runs through.
	Kinds []string
	// Walled says that the puzzle tells which lines between cells are heavier.
	Walled bool
	// Fills says that the board is whole though the picture ends with it.
	Fills bool
	// Own is evidence that only the family has.
	Own posterior.Evidence
}

// The names of evidence that all grids have; see Account.
const (
	Labels     = "labels beside the board"
	MoreLabels = "labels beside it at a second side"
	HeavyLines = "heavy lines between its cells"
	Unlike     = "cells unlike the others of their kind"
	Strange    = "a cell unlike the others of its kind"
	Missing    = "places without a cell"
	AsPage     = "cells of the page's colour"
	Many       = "many cells"
	Oblong     = "an oblong board"
	Fine       = "small cells"
	Gaps       = "gaps between its cells"
	AtBorder   = "sides at the picture's border"
	Lopsided   = "one side at the picture's border, not that across"
	Named      = "colours or forms of a known look"
	Icon       = "as small as an icon"
	Elsewhere  = "other lattices elsewhere"
	Badge      = "in the very middle of a small picture"
)

const (
	leastHeld = 0.03 // of a place's pixels: what holds less holds nothing
	heavyLine = 2.4  // times the usual line
	inner     = 0.2  // of a cell from its border: walls do not reach there
)

// An account is a grid that is straightened, with what lies beside it.
type account struct {
	grid    *grid.Grid
	besides [4]Beside
}

// newAccount looks at what lies beside a grid.
func newAccount(g *grid.Grid) *account {
	g.Straighten()
	a := &account{grid: g}
	if !g.Hex {
		for i, way := range grid.Ways() {
			a.besides[i] = a.beside(way)
		}
	}
	return a
}

// of is what a claim explains of the grid's picture and what it leaves: shares from 0 to 1,
// but for the sizes.
func (a *account) of(c *Claim) posterior.Evidence {
	e := posterior.Evidence{
		Many:   math.Log2(float64(a.grid.Cols*a.grid.Rows)) / 10,
		Oblong: math.Abs(math.Log(float64(a.grid.Cols) / float64(a.grid.Rows))),
		Fine:   10 / min(a.grid.Pitch[0], a.grid.Pitch[1]),
		Gaps:   1 - max(a.grid.Tile[0], a.grid.Tile[1]),
		Icon:   a.icon(), Badge: a.badge(), Elsewhere: a.elsewhere(),
	}
	for _, s := range a.besides {
		switch v := s.Labelled; {
		case v > e[Labels]:
			e[Labels], e[MoreLabels] = v, e[Labels]
		case v > e[MoreLabels]:
			e[MoreLabels] = v
		}
	}
	if !c.Fills {
		e[AtBorder], e[Lopsided] = a.atBorder()
	}
	if !c.Walled {
		e[HeavyLines] = a.heavy()
	}
	if !a.grid.Hex {
		e[Missing] = math.Sqrt(1 - float64(a.grid.Cells())/float64(a.grid.Cols*a.grid.Rows))
	}
	if c.Kinds != nil {
		within := 0.0
		if c.Walled { // the puzzle tells what its borders are
			within = inner
		}
		e[Unlike], e[Strange] = form.Unlike(a.grid, c.Kinds, within)
		e[AsPage] = a.asPage(c.Kinds)
	}
	if l := c.Look; l != nil && (l.Cells != nil && len(l.Cells.Lit)+len(l.Cells.Dark) > 0 || l.Learned.Any() || len(l.Learned.Places) > 0) {
		e[Named] = 1
	}
	for n, v := range c.Own {
		e[n] = v
	}
	return e
}

// icon is how much a grid is like a thumbnail or a logo: how small it is, 1 for a side of 100
// pixels, times how little of the picture it takes, 1 for a tenth.
func (a *account) icon() float64 {
	w, h := float64(a.grid.Cols)*a.grid.Pitch[0], float64(a.grid.Rows)*a.grid.Pitch[1]
	return 100 / min(w, h) * max(0, math.Log10(float64(a.grid.Scene.W*a.grid.Scene.H)/(w*h)))
}

const (
	offMiddle   = 0.02 // of the picture's smaller side, from its middle: logos are off by 0.01 at the most
	badgePixels = 256  // of a picture's smaller side: as small as that icons are
	badgeCells  = 9    // of a logo
)

// badge is how small a picture is of which a grid has the middle for its own, how few cells it has,
// and how square these are, as logos have them: 1 is as icons, 0 elsewhere. Boards stand in the middle
// of large pictures as well.
func (a *account) badge() float64 {
	w, h := float64(a.grid.Scene.W), float64(a.grid.Scene.H)
	p := a.grid.Pixel(float64(a.grid.Cols)/2, float64(a.grid.Rows)/2)
	if max(math.Abs(p.X-w/2), math.Abs(p.Y-h/2)) >= offMiddle*min(w, h) {
		return 0
	}
	square := min(a.grid.Pitch[0], a.grid.Pitch[1]) / max(a.grid.Pitch[0], a.grid.Pitch[1])
	return square * min(1, badgePixels/min(w, h)) * min(1, badgeCells/float64(a.grid.Cols*a.grid.Rows))
}

// leastOther are the least columns and rows of another lattice that is looked at.
const leastOther = 3

// elsewhere is how many other lattices of its cells' kind the picture shows beside a grid, as
// pages of thumbnails do: n are n/(n+1). A reading of one leaves the others.
func (a *account) elsewhere() float64 {
	seen := []image.Rectangle{bounds(a.grid)}
	for _, o := range a.grid.Scene.Grids(a.grid.Contrast) {
		at := bounds(o)
		if min(o.Cols, o.Rows) >= leastOther && !slices.ContainsFunc(seen, at.Overlaps) {
			seen = append(seen, at)
		}
	}
	return 1 - 1/float64(len(seen))
}

// bounds is the box of a grid's cells in pixels.
func bounds(g *grid.Grid) (box image.Rectangle) {
	for _, p := range g.Quad() {
		x, y := int(p.X), int(p.Y)
		box = box.Union(image.Rect(x, y, x+1, y+1))
	}
	return box
}

// A Beside is what lies within a cell's width beside one side of a grid.
type Beside struct {
	Way image.Point // one of Ways
	// Seen is how much of it lies in the picture.
	Seen float64
	// Held is the share of places, each beside a cell, that hold something which is not
	// the same all along the side.
	Held float64
	// Outermost is Held, of what is farthest from the board and still in the picture.
	Outermost float64
	// Lined is the share of the lines between its outer cells that go on.
	Lined float64
	// Labelled is the share of places that hold something within their own row or column that
	// does not touch the board.
	Labelled float64
	// Page is its usual colour.
	Page part.Colour
}

// beside looks beside a side of the grid; a frame or a line that runs along a whole side is
// nothing.
func (a *account) beside(way image.Point) Beside {
	n := a.grid.Length(way)
	b := Beside{Way: way}
	steps, seen := a.grid.Side, 0 // every pixel: lines are thin
	deep, on, clear := 0, 0, a.clear()
	held, crossing, outermost := make([]int, n), make([]bool, n), make([]bool, n)
	apart, labels := make([]bool, n), make([]bool, n) // what joins the board is its glow or shadow
	var all []part.Colour
	for depth := range steps {
		var list []part.Colour
		var at []int
		for k := range n * steps {
			x, y := a.grid.Beside(way, (float64(depth)+0.5)/float64(steps), (float64(k)+0.5)/float64(steps))
			if !a.grid.Scene.Shows(a.grid.Pixel(x, y)) {
				continue
			}
			list, at = append(list, a.grid.Colour(x, y)), append(at, k)
		}
		seen += len(list)
		usual := part.Usual(list)
		if n > 1 && len(list) == n*steps {
			deep++
			on += lined(list, steps, clear/2) // lines are fainter than marks
		}
		all = append(all, usual)
		if len(list) > 0 {
			outermost = make([]bool, n)
		}
		here := make([]bool, n)
		for i, c := range list {
			if c.Contrast(usual) < clear {
				continue
			}
			k := at[i]
			outermost[k/steps], here[k/steps] = true, true
			held[k/steps]++
			if e := k % steps; (e == 0 || e == steps-1) && c.Contrast(usual) >= 2*grid.Contrasts()[0] { // not the rim of a mark
				crossing[k/steps] = true
			}
		}
		for k, on := range here {
			apart[k] = apart[k] || !on
			labels[k] = labels[k] || on && apart[k]
		}
	}
	b.Seen = float64(seen) / float64(n*steps*steps)
	b.Page = part.Usual(all)
	b.Lined = float64(on) / float64(max(1, n-1)*max(1, deep))
	least := max(1, int(leastHeld*b.Seen*float64(steps*steps)))
	for k, v := range held {
		if outermost[k] {
			b.Outermost += 1 / float64(n)
		}
		if v < least {
			continue
		}
		b.Held += 1 / float64(n)
		if !crossing[k] && labels[k] {
			b.Labelled += 1 / float64(n)
		}
	}
	return b
}

// clear is the contrast of what is surely something: that of the usual edges twice, however
// much the edges have by which the grid was found.
func (a *account) clear() int { return 2 * min(a.grid.Contrast, grid.Contrasts()[0]) }

// lined counts the borders between places, so many pixels each, at which a row of pixels
// has a line: of another colour than a quarter of a place to both sides.
func lined(row []part.Colour, steps, contrast int) (n int) {
	for k := steps; k < len(row); k += steps {
		left, right := row[k-steps/4], row[k+steps/4]
		for i := k - 1; i <= k+1; i++ {
			if min(row[i].Contrast(left), row[i].Contrast(right)) >= contrast {
				n++
				break
			}
		}
	}
	return n
}

// heavy is the share of the lines between cells that are far heavier than the usual one.
func (a *account) heavy() float64 {
	var weights []float64
	for at, way := range a.grid.Joints() {
		weights = append(weights, a.grid.Seam(at.X, at.Y, way).Thin)
	}
	if len(weights) == 0 {
		return 0
	}
	usual := max(vision.Median(weights), 0.3/255.0)
	n := 0
	for _, w := range weights {
		if w > heavyLine*usual && w > float64(2*a.grid.Contrast)/255/float64(a.grid.Side) {
			n++
		}
	}
	return float64(n) / float64(len(weights))
}

// asPage is the share of cells of a kind that is drawn as nothing: which show the colour of
// the page round the board and nothing else within their lines.
func (a *account) asPage(kinds []string) float64 {
	var pages []part.Colour
	for _, b := range a.besides {
		if b.Seen > 0 {
			pages = append(pages, b.Page)
		}
	}
	if len(pages) == 0 {
		return 0
	}
	page := part.Usual(pages)
	blank, all := map[string]int{}, map[string]int{}
	for i, k := range kinds {
		if k == "" || !a.grid.Has[i] {
			continue
		}
		all[k]++
		if a.blank(i%a.grid.Cols, i/a.grid.Cols, page) {
			blank[k]++
		}
	}
	n := 0
	for k, v := range blank {
		if 2*v > all[k] {
			n += all[k]
		}
	}
	return float64(n) / float64(len(kinds))
}

// blank tells whether nearly all of a cell within its lines has a colour.
func (a *account) blank(c, r int, page part.Colour) bool {
	n, edge := a.grid.Side, int(math.Ceil(grid.Rim*float64(a.grid.Side)))
	other := 0
	for y := edge; y < n-edge; y++ {
		for x := edge; x < n-edge; x++ {
			if a.grid.FlatPixel((c+1)*n+x, (r+1)*n+y).Contrast(page) >= a.clear() {
				other++
			}
		}
	}
	return float64(other) < leastHeld*float64((n-2*edge)*(n-2*edge))
}

// cut is a *vision.UnsureError where a grid goes on beyond the picture: its outline does, or
// what is to be seen of the places beyond a side, which the border cuts, holds things as cells do, or the lines
// between its cells go on there. nil where nothing shows that it does.
func (a *account) cut() error {
	if a.grid.AtEdge(-(mostBeyond + max(a.grid.Gap(0), a.grid.Gap(1))/2)) {
		return vision.CutOff("a board that the picture's border cuts off: its outer cells lie beyond")
	}
	for _, b := range a.besides {
		lined := b.Lined > goesOnShare && b.Seen*min(a.grid.Pitch[0], a.grid.Pitch[1]) > 2*offPixels // else it is the outline that is seen
		if b.Seen < wholePlace && (b.Seen > seenPlace && min(b.Held, b.Outermost) > goesOnShare || lined) {
			return vision.CutOff("a board that the picture's border cuts off: it goes on beside its outer cells")
		}
	}
	covered := func(b Beside) bool { return b.Seen >= wholePlace && a.windowed(b.Way) }
	if !a.grid.Hex && (slices.ContainsFunc(a.besides[:], covered) || a.cornered()) {
		return vision.CutOff("a board that something with a straight border, as a window has it, cuts off")
	}
	return nil
}

const (
	mostBeyond  = 0.08 // of a pitch by which a board's outline lies beyond the picture: whole ones 0.00, cut ones 0.18 and more
	wholePlace  = 0.95 // of the places beside a side that are seen: the border cuts none
	seenPlace   = 0.15 // of them: less shows a shadow or noise
	goesOnShare = 0.6  // of the places, or of the lines, beside a side: cells go on there
)

// offPixels is by how much a board's sides are found wrong.
const offPixels = 1

// atBorder is the share of sides beside which the picture ends before the gap between
// cells does, and that of pairs across from one another of which one is such a side.
func (a *account) atBorder() (share, lopsided float64) {
	pairs := [2]float64{}
	for i, way := range grid.Ways() {
		x, y := a.grid.Beside(way, (1-max(a.grid.Tile[0], a.grid.Tile[1]))/2, float64(a.grid.Length(way))/2)
		if p := a.grid.Pixel(x, y); min(p.X, p.Y, float64(a.grid.Scene.W-1)-p.X, float64(a.grid.Scene.H-1)-p.Y) < offPixels {
			pairs[i%2]++
		}
	}
	for _, n := range pairs {
		share += n / 4
		if n == 1 {
			lopsided += 0.5
		}
	}
	return share, lopsided
}
