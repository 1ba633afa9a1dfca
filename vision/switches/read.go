// Package switches reads boards of switches and bulbs from a picture. In a grid
// of cells each is a bulb and its switch: lit and dark are two colours, of the
// tiles or of the lamps that stand on them, told apart within the board and by the
// page; see litOf. Where every cell shows a small drawing of what its switch flips
// (see patterns.go), that counts; else it flips the cell and the four beside it.
// Elsewhere bulbs are discs joined by lines (see bulbs.go).
package switches

import (
	"fmt"
	"image"
	"math"
	"slices"

	"onlooker/calibrations"
	"onlooker/solve/switches"
	"onlooker/vision"
	"onlooker/vision/grid"
	"onlooker/vision/grid/cell"
	"onlooker/vision/grid/claims"
	"onlooker/vision/grid/part"
	"onlooker/vision/posterior"
)

// What makes a board of lamps. Measured on the boards of the shared screens:
// bulbs of one state differ by 0.06 of the distance of lit from dark, which is
// 110 and more.
const (
	leastSide    = 3    // columns or rows
	leastGap     = 0.12 // of a pitch, beside a cell: discs fill their places, and have more between them
	lampRim      = 0.12 // of a pitch: how far in a lamp's rim is looked for
	rimStep      = 0.02
	edge         = 0.03 // of a pitch from the picture's border: nothing beyond was seen
	evenly       = 0.04 // of a pitch by which the margins of a picture that a board fills differ
	evenPixels   = 1.5  // by which they differ anyhow
	nearSide     = 0.36 // of a lamp from its middle: beyond icons, within discs and the rims of rings
	leastApart   = 60   // of lit from dark, in steps of 0 to 255 in each channel
	alike        = 0.25 // of that distance, from a state's own colour
	brighter     = 0.25 // of that distance: how much brighter lit is
	coloured     = 0.3  // of that distance: how much more colourful lit is on a light page, where it is the darker one
	asPage       = 6    // levels by which lamps of a light page's own colour are darker; what both stand off it tells nothing
	colourless   = 0.15 // of that distance: by which both are as colourful
	mostCovered  = 0.1  // of the cells that a message lies over, so that their border is not seen
	askedCovered = 0.5  // of them, where somebody asked for a board of lamps: their colours must tell all the same
	mostHidden   = 0.2  // of the cells of a state that look otherwise than the rest
	chessSquare  = 0.9  // of the cells that are as on a chessboard
)

// Scan finds and reads the boards of a scene: grids, and bulbs joined by lines.
func Scan(s *grid.Scene, contrast int, looks []*calibrations.Profile) []claims.Reading {
	read := func(g *grid.Grid) (*claims.Claim, error) { return claim(g, looks) }
	out := claims.Read(s, contrast, read)
	if graph, ok := scanBulbs(s, contrast, looks); ok {
		return append(slices.DeleteFunc(out, func(r claims.Reading) bool { return r.Err != nil }), graph)
	}
	if grid.Largest(s.Grids(contrast)) < leastSide*leastSide {
		if lamps := claims.ReadGrids(s, s.DiscGrids(contrast), read); len(lamps) > 0 {
			return lamps
		}
	}
	return out
}

// A reading is a board on its way.
type reading struct {
	g     *grid.Grid
	bulbs []part.Colour
	lit   []bool
}

// claim reads a board from a grid, and tells what each cell was taken for. What
// cannot be told is a *vision.UnsureError.
func claim(g *grid.Grid, looks []*calibrations.Profile) (c *claims.Claim, err error) {
	asked, covered := g.Scene.Asked, mostCovered
	if asked {
		covered = askedCovered
	}
	whole := g.Scene.Sized(g) || fills(g) || squared(g)
	if min(g.Cols, g.Rows) < leastSide {
		return nil, vision.CutOff(fmt.Sprintf("only %d×%d lamps are seen; a board has 3×3 and more, all in sight", g.Cols, g.Rows))
	}
	if n := g.Cols * g.Rows; float64(n-g.Cells()) > covered*float64(n) {
		return nil, ofBoard(fmt.Sprintf("only %d/%d lamps are seen; a board has 3×3 and more, all in sight", g.Cells(), n))
	}
	g.Straighten()
	if near := map[bool]float64{false: edge, true: math.Inf(-1)}[whole]; !g.Scene.Sized(g) {
		if err := g.Cut(near); err != nil {
			return nil, err
		}
	}
	if !asked && cutLamps(g) {
		return nil, &vision.UnsureError{What: "what lies over it, or the picture's border, cuts off more lamps beside it", Whole: true, Part: true, Do: "take the picture again with all of the board in sight"}
	}
	r := &reading{g: g}
	for i := range g.Has {
		r.bulbs = append(r.bulbs, g.Tint(i%g.Cols, i/g.Cols))
	}
	var patterns [][]image.Point
	if !r.lamps() {
		var err error
		if patterns, err = r.patterns(); err != nil {
			return nil, err
		}
	}
	look, err := r.states(patterns != nil, looks)
	if err != nil {
		return nil, err
	}
	if patterns == nil && !asked {
		if err := r.uniform(); err != nil {
			return nil, err
		}
	}
	p, err := r.puzzle(patterns, goalOf(look, looks, patterns != nil))
	if err != nil {
		return nil, err
	}
	c = &claims.Claim{Puzzle: p, Look: look, Fills: whole, Own: posterior.Evidence{}}
	if patterns != nil {
		c.Own[drawnFlips] = 1
		return c, nil
	}
	for _, lit := range r.lit {
		c.Kinds = append(c.Kinds, map[bool]string{false: "dark", true: "lit"}[lit])
	}
	c.Own[clustered], c.Own[running] = r.clustered(), r.running()
	return c, nil
}

// fills tells whether a square board alone fills the picture, which ends equally far beyond the
// outer cells on all sides, and these are whole. A cut at random hardly ever leaves a whole cell
// with that margin, and it takes rows off or columns.
func fills(g *grid.Grid) bool {
	if g.Cols != g.Rows {
		return false
	}
	q := g.Quad()
	gap := [2]float64{g.Pitch[0] * (1 - g.Tile[0]) / 2, g.Pitch[1] * (1 - g.Tile[1]) / 2}
	w, h := float64(g.Scene.W-1), float64(g.Scene.H-1)
	least, most := math.Inf(1), math.Inf(-1)
	for i, p := range q {
		for k, beyond := range [2]float64{p.X, p.Y} {
			if far := i == 1 || i == 2; k == 0 && far {
				beyond = w - p.X
			} else if k == 1 && i >= 2 {
				beyond = h - p.Y
			}
			least, most = min(least, beyond+gap[k]), max(most, beyond+gap[k])
		}
	}
	off := max(evenPixels, evenly*min(g.Pitch[0], g.Pitch[1]))
	return least >= -off && most-least <= off
}

// squared tells whether the picture ends in the gap beside a square board on one axis alone, and shows
// on the other a whole gap at both sides: of a longer board just so many cells would have to be seen.
func squared(g *grid.Grid) bool {
	if g.Cols != g.Rows {
		return false
	}
	var beyond [2]float64 // of the outermost cells, in pitches
	for k, size := range [2]int{g.Scene.W, g.Scene.H} {
		beyond[k] = math.Inf(1)
		for _, p := range g.Quad() {
			at := [2]float64{p.X, p.Y}[k]
			beyond[k] = min(beyond[k], min(at, float64(size-1)-at)/g.Pitch[k]+g.Gap(k)/2)
		}
	}
	least := min(beyond[0], beyond[1])
	return max(beyond[0], beyond[1]) >= leastGap && least >= 0 && least <= max(leastGap, g.Gap(0))
}

// cutLamps tells whether beside most cells of a side something begins where the next lamp would, of a
// lamp's colour, and with a gap on either side: a row that something lies over but for its rim.
func cutLamps(g *grid.Grid) bool {
	for _, way := range grid.Ways() {
		begins := 0.5 + g.Gap(way.Y*way.Y)/2
		var rims, found []part.Colour
		all := 0
		for i, has := range g.Has {
			x, y := i%g.Cols, i/g.Cols
			at := func(along, across float64) part.Colour {
				return g.Colour(float64(x)+0.5+along*float64(way.X)+across*float64(way.Y), float64(y)+0.5+along*float64(way.Y)+across*float64(way.X))
			}
			clear := func(along float64) bool {
				lamp := at(along, 0)
				return min(lamp.Contrast(at(0.5, 0)), lamp.Contrast(at(along, 0.5)), lamp.Contrast(at(along, -0.5))) >= g.Contrast
			}
			outer := has && !g.At(x+way.X, y+way.Y)
			if outer {
				all++
			}
			for in := rimStep; has && in <= lampRim; in += rimStep {
				rims = append(rims, at(begins-1+in, 0))
				if outer && clear(begins+in) {
					found = append(found, at(begins+in, 0))
					break
				}
			}
		}
		n := 0
		for _, c := range found {
			if slices.ContainsFunc(rims, func(o part.Colour) bool { return c.Contrast(o) < g.Contrast }) {
				n++
			}
		}
		if n >= leastSide && 2*n > all {
			return true
		}
	}
	return false
}

// The names of evidence that boards of lamps have.
const (
	drawnFlips = "a drawing of what it flips in each cell"
	clustered  = "lamps of one state beside each other"
	joined     = "bulbs joined by lines"
	running    = "cells that go on at two sides alone"
)

// clustered is by how much more often lamps beside each other have one state than lamps
// of so many of each state would by chance: 0 by chance, 1 where all have.
func (r *reading) clustered() float64 {
	same, all, on := 0, 0, 0
	for i, lit := range r.lit {
		if lit {
			on++
		}
		at := r.g.Cell(i)
		for _, way := range [2]image.Point{{1, 0}, {0, 1}} {
			if to := at.Add(way); to.In(r.g.Bounds()) {
				all++
				if r.lit[to.Y*r.g.Cols+to.X] == lit {
					same++
				}
			}
		}
	}
	p := float64(on) / float64(len(r.lit))
	chance := p*p + (1-p)*(1-p)
	return max(0, (float64(same)/float64(max(1, all))-chance)/max(1e-9, 1-chance))
}

// ofBoard leaves a doubt of the board as a whole.
func ofBoard(what string) error { return &vision.UnsureError{What: what, Whole: true} }

func unsure(at image.Point, what string) error {
	return &vision.UnsureError{What: what, At: at.Mul(2).Add(image.Pt(1, 1))}
}

// states tells lit from dark: by a look's colours, which is returned, else by litOf. oneWill says that bulbs that are all alike are a
// board too, since something else shows that it is one.
func (r *reading) states(oneWill bool, looks []*calibrations.Profile) (*calibrations.Profile, error) {
	look, lit := lookOf(r.bulbs, looks)
	if look == nil {
		var why string
		var at int
		if lit, at, why = litOf(r.bulbs, r.page(), oneWill); why != "" {
			return nil, unsure(r.g.Cell(at), why)
		}
	}
	r.lit = lit
	chess, n := 0, len(r.bulbs)
	for i, on := range lit {
		if at := r.g.Cell(i); on == ((at.X+at.Y)%2 == 0) {
			chess++
		}
	}
	if !oneWill && !r.g.Scene.Asked && float64(max(chess, n-chess)) > chessSquare*float64(n) {
		return nil, ofBoard("a chessboard")
	}
	return look, nil
}

// page is the usual colour right beside the board, or between its cells where the picture ends there.
func (r *reading) page() part.Colour {
	var beside, between []part.Colour
	for _, way := range grid.Ways() {
		for k := range pageSteps * r.g.Length(way) {
			for _, off := range [2]float64{leastGap, 2 * leastGap} {
				if x, y := r.g.Beside(way, off, float64(k)/pageSteps); r.g.Scene.Shows(r.g.Pixel(x, y)) {
					beside = append(beside, r.g.Colour(x, y))
				}
			}
		}
	}
	if len(beside) > 0 {
		return part.Usual(beside)
	}
	for y := 1; y < r.g.Rows; y++ {
		for x := 1; x < r.g.Cols; x++ {
			between = append(between, r.g.Colour(float64(x), float64(y)))
		}
	}
	return part.Usual(between)
}

// pageSteps is at how many places beside each cell the page is looked at.
const pageSteps = 8

// litOf tells which of two colours is lit: the brighter one on a dark page; on a light one the much
// more colourful, or of two greys that which has the page's colour; of two that are as bright the
// more colourful. Else why that is not told, and which bulb shows it: the one without which the
// others tell.
func litOf(bulbs []part.Colour, page part.Colour, oneWill bool) (lit []bool, at int, why string) {
	lit, at, why = twoStates(bulbs, page, oneWill)
	if why == "" {
		return lit, at, ""
	}
	a, b := part.Extremes(bulbs)
	for _, odd := range [3]int{at, a, b} {
		if _, _, other := twoStates(slices.Delete(slices.Clone(bulbs), odd, odd+1), page, false); other == "" {
			return nil, odd, fmt.Sprintf("a bulb of a third colour, %v, where the others are lit or dark", bulbs[odd])
		}
	}
	return nil, at, why
}

// twoStates is litOf for all bulbs.
func twoStates(bulbs []part.Colour, page part.Colour, oneWill bool) (lit []bool, at int, why string) {
	lit = make([]bool, len(bulbs))
	a, b := part.Extremes(bulbs)
	apart := bulbs[a].Distance(bulbs[b])
	if apart < leastApart {
		for i, c := range bulbs {
			lit[i] = c.Luminance() > 127
		}
		if !oneWill {
			return nil, 0, "bulbs that are all alike"
		}
		return lit, 0, ""
	}
	if bulbs[a].Luminance() > bulbs[b].Luminance() {
		a, b = b, a
	}
	more := (bulbs[a].Chroma() - bulbs[b].Chroma()) / apart
	bright := bulbs[b].Luminance()-bulbs[a].Luminance() >= brighter*apart
	switch light := page.Distance(bulbs[b]) < page.Distance(bulbs[a]); {
	case (light || !bright) && more >= coloured:
		a, b = b, a
	case !bright && -more >= coloured:
	case light && more > colourless, !bright, light && -more < coloured && page.Luminance()-bulbs[b].Luminance() > asPage:
		return nil, a, fmt.Sprintf("two states, %v and %v, of which the page does not tell the lit one: a look may name it", bulbs[a], bulbs[b])
	}
	for i, c := range bulbs {
		d, l := c.Distance(bulbs[a]), c.Distance(bulbs[b])
		if min(d, l) > alike*apart {
			return nil, i, fmt.Sprintf("a bulb that is neither lit nor dark: %v, between %v and %v", c, bulbs[a], bulbs[b])
		}
		lit[i] = l < d
	}
	return lit, 0, ""
}

// How marks of one state's cells are told to be the same, by Mark.Differ. Lamps that
// show the same picture differ by 0.03 on the shared screens; of small drawings of
// squares one square more is 0.06 of the ink and more.
const (
	sameMark    = 0.35 // where one state's cells alone have marks: they are its look
	sameDrawing = 0.05 // where all have: they may say what each switch flips
)

// lamps tells whether one form stands in all cells: lamps on tiles, as discs or stars.
// Drawings of what switches flip are not the same in all cells, since a corner has
// other neighbours than the middle. Where the tiles are all alike, the lamps' colours
// count.
func (r *reading) lamps() bool {
	marks := make([]*cell.Mark, len(r.bulbs))
	for i := range marks {
		at := r.g.Cell(i)
		m, ok := cell.MarkIn(r.g, at.X, at.Y)
		if !ok || i > 0 && m.Differ(marks[0]) >= sameDrawing {
			return false
		}
		marks[i] = m
	}
	if a, b := part.Extremes(r.bulbs); r.bulbs[a].Distance(r.bulbs[b]) < leastApart {
		for i, m := range marks {
			r.bulbs[i] = m.Colour
		}
	}
	return true
}

// uniform wants the cells of a state to look alike: what stands in some of them
// only, as numbers do, makes the board another puzzle's. A few may be hidden, as
// by a message over the board, each by something else. Where the cells of both states
// have marks these may be drawings of what a switch flips that are too small to be made
// out: then all of a state's must be the same.
func (r *reading) uniform() error {
	marks, count := map[bool][]*cell.Mark{}, map[bool]int{}
	for i, lit := range r.lit {
		count[lit]++
		at := r.g.Cell(i)
		if m, ok := cell.MarkIn(r.g, at.X, at.Y); ok {
			marks[lit] = append(marks[lit], m)
		}
	}
	mostly := func(lit bool) bool { return 2*len(marks[lit]) > count[lit] }
	alike := sameMark
	if mostly(false) && mostly(true) {
		alike = sameDrawing
	}
	for _, lit := range []bool{false, true} {
		n := count[lit]
		same, twins := n-len(marks[lit]), 0 // those without a mark
		for _, m := range marks[lit] {
			k := 0
			for _, o := range marks[lit] {
				if m.Differ(o) < alike {
					k++
				}
			}
			same, twins = max(same, k), max(twins, k)
		}
		hidden, most := n-same, int(mostHidden*float64(n))
		// What stands in most of them matters, and one form that stands in several: a
		// message shows in each cell something else.
		if mostly(lit) || twins > 1 {
			most = 0
		}
		if hidden > most {
			return ofBoard(fmt.Sprintf("%d of %d cells of one colour that look otherwise than the others", hidden, n))
		}
	}
	return nil
}

// running is the share of the cells of a state, the greater one, that have another colour within
// their sides than above and below, as where a bar of a chart runs through them.
func (r *reading) running() float64 {
	a, b := part.Extremes(r.bulbs)
	apart := max(1, r.bulbs[a].Distance(r.bulbs[b]))
	runs, count := map[bool]float64{}, map[bool]float64{}
	for i, lit := range r.lit {
		x, y := float64(i%r.g.Cols)+0.5, float64(i/r.g.Cols)+0.5
		count[lit]++
		dx, dy := nearSide*r.g.Tile[0], nearSide*r.g.Tile[1]
		across := r.g.Colour(x-dx, y).Distance(r.g.Colour(x, y-dy))
		down := r.g.Colour(x+dx, y).Distance(r.g.Colour(x, y+dy))
		if min(across, down) > alike*apart {
			runs[lit]++
		}
	}
	return max(runs[false]/max(1, count[false]), runs[true]/max(1, count[true]))
}

// puzzle makes the board. Patterns are each cell's flips as differences of
// columns and rows, nil for crosses.
func (r *reading) puzzle(patterns [][]image.Point, goal int) (*switches.Puzzle, error) {
	spec := switches.Spec{Cols: r.g.Cols, Rows: r.g.Rows}
	cross := []image.Point{{0, 0}, {1, 0}, {0, 1}, {-1, 0}, {0, -1}}
	board := r.g.Bounds()
	for i, lit := range r.lit {
		n := switches.Node{Kind: switches.Both, Want: goal}
		if lit {
			n.Now = 1
		}
		spec.Nodes = append(spec.Nodes, n)
		flips := cross
		if patterns != nil {
			flips = patterns[i]
		}
		for _, d := range flips {
			to := r.g.Cell(i).Add(d)
			if !to.In(board) {
				if patterns != nil {
					return nil, unsure(r.g.Cell(i), "a switch that flips something off the board")
				}
				continue
			}
			spec.Flips = append(spec.Flips, switches.Flip{Switch: i, Bulb: to.Y*r.g.Cols + to.X})
		}
	}
	p, err := switches.New(spec)
	if err != nil {
		return nil, ofBoard(fmt.Sprintf("a board that is none: %v", err))
	}
	return p, nil
}
