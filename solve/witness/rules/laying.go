package rules

import (
	"context"
	"fmt"
	"image"
	"slices"

	"onlooker/solve/cover"
	"onlooker/solve/witness/board"
)

// A laying is a search for places for the pieces of a region, on a grid of the
// board's cells, x modulo the columns on a pillar. Where pieces may hang over the
// board the grid has a margin round it, and below that room for pieces that lie
// off the board altogether.
type laying struct {
	p      *board.Panel
	limit  *limiter
	margin int
	wide   int
	// need is how often each cell of the grid must still be covered by pieces, row
	// by row; blue pieces raise it.
	need    []int
	left    []pieceClass
	across  []side // with a loose line on them
	placed  []placedPiece
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

type placedPiece struct {
	shape []image.Point
	at    image.Point
	blue  bool
}

// lay tells whether the pieces, less the blue ones, can fill the region or come
// to nothing; what it tells once the line's limit has ended is of no use.
func (r *Region) lay(pieces []*board.Symbol) bool {
	p := r.Line.Panel
	l := &laying{p: p, limit: &r.Line.limit, refused: map[string]bool{}}
	byName := map[string]int{}
	net := 0
	for _, s := range pieces {
		blue := s.Kind.Squares() < 0
		if blue {
			net -= len(s.Shape)
		} else {
			net += len(s.Shape)
		}
		name := fmt.Sprint(blue, s.Turnable, s.Shape)
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
	if net != 0 && net != len(r.Cells) {
		return false
	}
	if !slices.ContainsFunc(l.left, func(c pieceClass) bool { return c.blue }) {
		return l.tile(r)
	}
	l.makeGrid()
	if net != 0 {
		for _, c := range r.Cells {
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
func (l *laying) tile(r *Region) bool {
	number := make(map[image.Point]int)
	for i, c := range r.Cells {
		number[image.Pt(c.X/2, c.Y/2)] = i
	}
	var across []side
	if l.p.Rules.LineBlocksPieces {
		across = r.looseLines()
	}
	problem := cover.New(len(r.Cells), len(l.left))
	for i, class := range l.left {
		problem.Room(len(r.Cells)+i, class.count)
		for _, shape := range class.turns {
			for _, c := range r.Cells {
				lies := placedPiece{shape: shape, at: image.Pt(c.X/2, c.Y/2).Sub(shape[0])}
				option := []int{len(r.Cells) + i}
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
func (r *Region) looseLines() []side {
	in := map[image.Point]bool{}
	for _, c := range r.Cells {
		in[c] = true
	}
	var sides []side
	for _, c := range r.Cells {
		for _, d := range []image.Point{{X: 1}, {Y: 1}} {
			if r.Line.Covered(c.Add(d)) && in[r.Line.Panel.Wrap(c.Add(d.Mul(2)))] {
				sides = append(sides, side{image.Pt(c.X/2, c.Y/2), d})
			}
		}
	}
	return sides
}

// orientations are the ways in which a piece may lie.
func orientations(s *board.Symbol) [][]image.Point {
	turns := [][]image.Point{s.Shape}
	for shape := s.Shape; s.Turnable && len(turns) < 4; {
		turned := make([]image.Point, len(shape))
		for i, q := range shape {
			turned[i] = image.Pt(-q.Y, q.X)
		}
		shape = board.NormalShape(turned)
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
				l.placed = append(l.placed, placedPiece{shape, origin, c.blue})
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
				all = append(all, offsets(l.p, image.Point{}.Sub(q))...)
			}
		}
	default:
		all = offsets(l.p, image.Point{})
	}
	return all
}

// offsets are the columns and rows of all cells, each moved.
func offsets(p *board.Panel, by image.Point) []image.Point {
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
func (l *laying) covers(q placedPiece, cell image.Point) bool {
	return slices.ContainsFunc(q.shape, func(a image.Point) bool { return l.wrap(q.at.Add(a)) == cell })
}

// joins tells whether a side lies within a piece.
func (l *laying) joins(q placedPiece, e side) bool {
	for _, a := range q.shape {
		if l.wrap(q.at.Add(a)) == e.cell && slices.Contains(q.shape, a.Add(e.dir)) {
			return true
		}
	}
	return false
}
