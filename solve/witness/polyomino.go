package witness

import (
	"context"
	"fmt"
	"image"
	"slices"

	"onlooker/solve"
	"onlooker/solve/cover"
)

// Polyomino: it tiles its region, with the others there.
var Polyomino = Kind{polyomino{}}

// Negative: a blue polyomino, which is taken away from the others.
var Negative = Kind{negative{}}

type polyomino struct{ piece }

type negative struct{ piece }

// A piece is what both are.
type piece struct{ plainKind }

func (polyomino) about() about {
	return about{
		name: "piece", called: "a piece", shape: "polyomino",
		rule:    solve.Rule{Name: "piece", Doc: "The pieces of a region, less the blue ones, fill it or come to nothing."},
		broken:  "the region's pieces do not fill it",
		implied: Yellow, own: true, squares: 1, mates: true, slow: true, windmill: 9, site: "poly",
	}
}

func (negative) about() about {
	a := polyomino{}.about()
	a.name, a.called, a.shape = "negative piece", "a blue piece", "negative"
	a.implied, a.squares, a.site = Blue, -1, "ylop"
	return a
}

// wrong are all pieces of a kind when there is no way to lay all of a region.
func (piece) wrong(v *view, own []image.Point) []image.Point {
	var pieces []*Symbol
	for _, at := range v.left(Kind.IsPiece) {
		pieces = append(pieces, &v.line.p.At(at).Symbol)
	}
	if v.region.lay(pieces) {
		return nil
	}
	return own
}

func (piece) bad(t *tally, _ *heap) bool { return !t.layable() }

func (piece) bears(_ *heap, erased *item, _ *RuleSet) bool { return erased.area != 0 }

func (piece) state(m *model, _ []int32) { m.placements() }

func (polyomino) mix(o *GenerateOptions, d draw) bool {
	o.Pieces = d.some(d.area/5 + 1)
	o.Turned = d.rng.IntN(o.Pieces + 1)
	o.Stars = d.some(d.area/8) * 2
	return true
}

// A laying is a search for places for the pieces of a region, on a grid of the
// board's cells, x modulo the columns on a pillar. Where pieces may hang over the
// board the grid has a margin round it, and below that room for pieces that lie
// off the board altogether.
type laying struct {
	p      *Panel
	limit  *limiter
	margin int
	wide   int
	// need is how often each cell of the grid must still be covered by pieces, row
	// by row; blue pieces raise it.
	need    []int
	left    []pieceClass
	across  []side // with a loose line on them
	placed  []placed
	refused map[string]bool // states that were tried in vain
}

// A side is the right or the lower side of a cell, as dir is (1,0) or (0,1).
type side struct{ cell, dir image.Point }

// A pieceClass is equal pieces.
type pieceClass struct {
	turns [][]image.Point // the shape in its different orientations
	blue  bool
	count int
}

type placed struct {
	shape []image.Point
	at    image.Point
	blue  bool
}

// lay tells whether the pieces, less the blue ones, can fill the region or come
// to nothing; what it tells once the line's limit has ended is of no use.
func (r *region) lay(pieces []*Symbol) bool {
	p := r.line.p
	l := &laying{p: p, limit: &r.line.limit, refused: map[string]bool{}}
	byName := map[string]int{}
	net := 0
	for _, s := range pieces {
		blue := s.Kind.about().squares < 0
		if blue {
			net -= len(s.Shape)
		} else {
			net += len(s.Shape)
		}
		name := fmt.Sprint(blue, s.Turnable, ShapeText(s.Shape))
		i, ok := byName[name]
		if !ok {
			i = len(l.left)
			byName[name] = i
			l.left = append(l.left, pieceClass{turns: orientations(s), blue: blue})
		}
		l.left[i].count++
	}
	if net == 0 && p.Rules.ZeroAnyShape {
		return true
	}
	if net != 0 && net != len(r.cells) {
		return false
	}
	if !slices.ContainsFunc(l.left, func(c pieceClass) bool { return c.blue }) {
		return l.tile(r)
	}
	l.makeGrid()
	if net != 0 {
		for _, c := range r.cells {
			l.need[l.index(image.Pt(c.X/2, c.Y/2))] = 1
		}
	}
	if p.Rules.LineBlocksPieces && net > 0 {
		l.across = r.looseLines()
	}
	slices.SortStableFunc(l.left, func(a, b pieceClass) int { return len(b.turns[0]) - len(a.turns[0]) })
	if all := slices.Clone(l.left); l.pairOff() {
		if l.search() {
			return true
		}
		l.left = all
	}
	return l.search()
}

// tile is lay without blue pieces, whose squares are as many as the region's
// cells: an exact cover.
func (l *laying) tile(r *region) bool {
	number := make(map[image.Point]int)
	for i, c := range r.cells {
		number[image.Pt(c.X/2, c.Y/2)] = i
	}
	var across []side
	if l.p.Rules.LineBlocksPieces {
		across = r.looseLines()
	}
	problem := cover.New(len(r.cells), len(l.left))
	for i, class := range l.left {
		problem.Room(len(r.cells)+i, class.count)
		for _, shape := range class.turns {
			for _, c := range r.cells {
				lies := placed{shape: shape, at: image.Pt(c.X/2, c.Y/2).Sub(shape[0])}
				option := []int{len(r.cells) + i}
				for _, q := range shape {
					n, in := number[l.wrap(lies.at.Add(q))]
					if !in || slices.Contains(option, n) {
						break
					}
					option = append(option, n)
				}
				if len(option) == 1+len(shape) && !slices.ContainsFunc(across, func(e side) bool { return l.joins(lies, e) }) {
					problem.Add(option...)
				}
			}
		}
	}
	ctx := l.limit.ctx
	if ctx == nil {
		ctx = context.Background()
	}
	_, tiled, err := problem.First(ctx, 0)
	if err != nil {
		l.limit.err = err
	}
	return tiled
}

// pairOff takes away pieces that blue pieces of the same shape eat where they
// lie; false where there are none. What is laid without them is laid with them,
// though not the reverse.
func (l *laying) pairOff() bool {
	paired := false
	for i := range l.left {
		for k := range l.left {
			a, b := &l.left[i], &l.left[k]
			n := min(a.count, b.count)
			if a.blue || !b.blue || n == 0 || !l.fits(a.turns, b.turns) {
				continue
			}
			a.count, b.count, paired = a.count-n, b.count-n, true
		}
	}
	return paired
}

// fits tells whether two pieces have an orientation in common in which they lie
// on the board.
func (l *laying) fits(a, b [][]image.Point) bool {
	for _, shape := range a {
		if !slices.ContainsFunc(b, func(o []image.Point) bool { return slices.Equal(shape, o) }) {
			continue
		}
		last := image.Point{}
		for _, q := range shape {
			last = image.Pt(max(last.X, q.X), max(last.Y, q.Y))
		}
		if l.margin > 0 || last.Y < l.p.Rows && (l.p.Pillar || last.X < l.p.Cols) {
			return true
		}
	}
	return false
}

// makeGrid makes the grid. Nothing lies over where no blue piece could eat it.
func (l *laying) makeGrid() {
	blue, long := false, 0
	for _, c := range l.left {
		blue = blue || c.blue
		for _, q := range c.turns[0] {
			long += c.count * (max(q.X, q.Y) + 1) // more than it can lead the next one out by
		}
	}
	if blue && l.p.Rules.Overhang {
		l.margin = long
	}
	l.wide = l.p.Cols
	if !l.p.Pillar {
		l.wide += 2 * l.margin
	}
	l.need = make([]int, l.wide*(l.p.Rows+3*l.margin))
}

// index is a cell's place in need, -1 off the grid.
func (l *laying) index(q image.Point) int {
	q = l.wrap(q)
	q.Y += l.margin
	if !l.p.Pillar {
		q.X += l.margin
	}
	if q.X < 0 || q.X >= l.wide || q.Y < 0 || q.Y*l.wide >= len(l.need) {
		return -1
	}
	return q.Y*l.wide + q.X
}

// cell is the cell at a place in need.
func (l *laying) cell(i int) image.Point {
	q := image.Pt(i%l.wide, i/l.wide-l.margin)
	if !l.p.Pillar {
		q.X -= l.margin
	}
	return q
}

// looseLines are the sides with a line on them and the region on both hands.
func (r *region) looseLines() []side {
	in := map[image.Point]bool{}
	for _, c := range r.cells {
		in[c] = true
	}
	var sides []side
	for _, c := range r.cells {
		for _, d := range []image.Point{{X: 1}, {Y: 1}} {
			if r.line.covered(c.Add(d)) && in[r.line.p.Wrap(c.Add(d.Mul(2)))] {
				sides = append(sides, side{image.Pt(c.X/2, c.Y/2), d})
			}
		}
	}
	return sides
}

// orientations are the ways in which a piece may lie.
func orientations(s *Symbol) [][]image.Point {
	turns := [][]image.Point{s.Shape}
	for shape := s.Shape; s.Turnable && len(turns) < 4; {
		turned := make([]image.Point, len(shape))
		for i, q := range shape {
			turned[i] = image.Pt(-q.Y, q.X)
		}
		shape = normalShape(turned)
		if slices.ContainsFunc(turns, func(t []image.Point) bool { return slices.Equal(t, shape) }) {
			break // half or quarter turns that change nothing come round in order
		}
		turns = append(turns, shape)
	}
	return turns
}

func (l *laying) wrap(q image.Point) image.Point {
	if l.p.Pillar {
		q.X = ((q.X % l.p.Cols) + l.p.Cols) % l.p.Cols
	}
	return q
}

// search lays what is left.
func (l *laying) search() bool {
	areaLeft, blueLeft := 0, 0
	for _, c := range l.left {
		if c.blue {
			blueLeft += c.count * len(c.turns[0])
		} else {
			areaLeft += c.count * len(c.turns[0])
		}
	}
	at, over := -1, 0
	for i, n := range l.need {
		if n < 0 {
			over -= n
		}
		if n != 0 && at < 0 {
			at = i
		}
	}
	found := at >= 0
	switch {
	case l.limit.ended(len(l.need)):
		return false
	case over > blueLeft:
		return false // more lies over than the blue pieces left can eat
	case !found && areaLeft+blueLeft == 0:
		return l.clear()
	}
	key := l.key(max(at, 0))
	if l.refused[key] {
		return false
	}
	for i := range l.left {
		c := &l.left[i]
		// What must be covered takes a piece, what is covered too often a blue
		// one. When all is right, the rest must cancel by itself.
		if c.count == 0 || found && c.blue != (l.need[at] < 0) {
			continue
		}
		for _, shape := range c.turns {
			for _, origin := range l.origins(shape, at, found) {
				cells, ok := l.cells(shape, origin)
				if !ok || !c.blue && blueLeft == 0 && !l.wanted(cells) {
					continue
				}
				c.count--
				l.put(cells, c.blue, 1)
				l.placed = append(l.placed, placed{shape, origin, c.blue})
				if l.search() {
					return true
				}
				l.placed = l.placed[:len(l.placed)-1]
				l.put(cells, c.blue, -1)
				c.count++
			}
		}
		if !found {
			break // the first piece left lies somewhere; all its places were tried
		}
	}
	// With loose lines it matters how the state was reached.
	if len(l.across) == 0 {
		l.refused[key] = true
	}
	return false
}

// origins are where a shape may be put: so that it covers a cell, or, where no
// cell asks for it, everywhere on the board; where it may hang over, one place
// off the board stands for all, unless it matters what lies beside a loose line.
func (l *laying) origins(shape []image.Point, at int, found bool) []image.Point {
	var all []image.Point
	switch {
	case found:
		for _, q := range shape {
			all = append(all, l.cell(at).Sub(q))
		}
	case l.margin > 0:
		all = append(all, image.Pt(0, l.p.Rows+l.margin))
		if len(l.across) > 0 {
			for _, q := range shape {
				all = append(all, l.p.offsets(image.Point{}.Sub(q))...)
			}
		}
	default:
		all = l.p.offsets(image.Point{})
	}
	return all
}

// offsets are the columns and rows of all cells, each moved.
func (p *Panel) offsets(by image.Point) []image.Point {
	all := make([]image.Point, 0, p.Cols*p.Rows)
	for y := range p.Rows {
		for x := range p.Cols {
			all = append(all, image.Pt(x, y).Add(by))
		}
	}
	return all
}

// cells are the places in need of what a shape covers; false when that is off the
// grid.
func (l *laying) cells(shape []image.Point, origin image.Point) ([]int, bool) {
	cells := make([]int, len(shape))
	for i, q := range shape {
		if cells[i] = l.index(origin.Add(q)); cells[i] < 0 {
			return nil, false
		}
	}
	return cells, true
}

// wanted tells whether all cells still ask for a piece.
func (l *laying) wanted(cells []int) bool {
	for _, i := range cells {
		if l.need[i] <= 0 {
			return false
		}
	}
	return true
}

func (l *laying) put(cells []int, blue bool, n int) {
	if !blue {
		n = -n
	}
	for _, i := range cells {
		l.need[i] += n
	}
}

// key names what is left to lay and where; before a place all is right.
func (l *laying) key(from int) string {
	key := make([]byte, 0, 64)
	for _, c := range l.left {
		key = append(key, byte(c.count))
	}
	for i, n := range l.need[from:] {
		if n != 0 {
			key = append(key, byte(from+i), byte((from+i)>>8), byte((from+i)>>16), byte(n))
		}
	}
	return string(key)
}

// clear tells whether no loose line runs through a piece: across each of its
// edges lie no more pieces than blue ones touch it.
func (l *laying) clear() bool {
	for _, e := range l.across {
		across := 0
		for _, q := range l.placed {
			switch {
			case q.blue:
				if l.covers(q, e.cell) || l.covers(q, l.wrap(e.cell.Add(e.dir))) {
					across--
				}
			case l.joins(q, e):
				across++
			}
		}
		if across > 0 {
			return false
		}
	}
	return true
}

// covers tells whether a piece lies on a cell.
func (l *laying) covers(q placed, cell image.Point) bool {
	return slices.ContainsFunc(q.shape, func(a image.Point) bool { return l.wrap(q.at.Add(a)) == cell })
}

// joins tells whether a side lies within a piece.
func (l *laying) joins(q placed, e side) bool {
	for _, a := range q.shape {
		if l.wrap(q.at.Add(a)) == e.cell && slices.Contains(q.shape, a.Add(e.dir)) {
			return true
		}
	}
	return false
}

// deal cuts regions into pieces and puts each piece into one of its region's
// cells; a blue piece takes away what another has too much.
func (polyomino) deal(g *generator) error {
	left, blue, turned := g.o.Pieces, g.o.Negatives, g.o.Turned
	for _, i := range g.rng.Perm(len(g.regions)) {
		r := g.regions[i]
		if left == 0 {
			break
		}
		parts := g.partition(r.cells, left)
		if parts == nil {
			continue
		}
		blues := min(blue, len(parts))
		if len(parts)+blues > len(r.free) {
			continue
		}
		for k, part := range parts {
			if k < blues {
				extra, ok := g.beside(part)
				if !ok {
					return errNoRoom
				}
				part = append(slices.Clone(part), extra)
				g.put(r, g.take(r), Symbol{Kind: Negative, Colour: Blue, Shape: []image.Point{{}}, Turnable: turned > 0})
			}
			s := Symbol{Kind: Polyomino, Colour: Yellow, Shape: normalShape(part)}
			if turned > 0 {
				turned--
				s.Turnable = true
				for range g.rng.IntN(4) {
					for q := range s.Shape {
						s.Shape[q] = image.Pt(-s.Shape[q].Y, s.Shape[q].X)
					}
				}
				s.Shape = normalShape(s.Shape)
			}
			g.put(r, g.take(r), s)
		}
		r.pieces = true
		left, blue = left-len(parts), blue-blues
	}
	if left > 0 || blue > 0 {
		return errNoRoom
	}
	return nil
}

// partition cuts cells into at most some pieces of 2 to 6 squares (smaller
// only where nothing else is left); nil where it would take more. On a pillar a
// piece's squares do not wrap.
func (g *generator) partition(cells []image.Point, most int) [][]image.Point {
	if len(cells) > 6*most {
		return nil
	}
	left := map[image.Point]bool{}
	for _, c := range cells {
		left[image.Pt(c.X/2, c.Y/2)] = true
	}
	var parts [][]image.Point
	for _, c := range cells {
		from := image.Pt(c.X/2, c.Y/2)
		if !left[from] {
			continue
		}
		if len(parts) == most {
			return nil
		}
		size := 2 + g.rng.IntN(4)
		if need := (len(left) + most - len(parts) - 1) / (most - len(parts)); need > size {
			size = need
		}
		part := []image.Point{from}
		delete(left, from)
		for len(part) < size {
			var next []image.Point
			for _, q := range part {
				for _, d := range beside {
					if left[q.Add(d)] {
						next = append(next, q.Add(d))
					}
				}
			}
			if len(next) == 0 {
				break
			}
			q := next[g.rng.IntN(len(next))]
			part = append(part, q)
			delete(left, q)
		}
		parts = append(parts, part)
	}
	return parts
}

// beside is a cell of the panel next to a piece.
func (g *generator) beside(part []image.Point) (image.Point, bool) {
	var next []image.Point
	for _, q := range part {
		for _, d := range beside {
			c := q.Add(d)
			if !slices.Contains(part, c) && c.X >= 0 && c.X < g.p.Cols && c.Y >= 0 && c.Y < g.p.Rows {
				next = append(next, c)
			}
		}
	}
	if len(next) == 0 {
		return image.Point{}, false
	}
	return next[g.rng.IntN(len(next))], true
}
