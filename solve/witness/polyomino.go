package witness

import (
	"fmt"
	"image"
	"slices"
	"strings"
)

// wrongPieces are all pieces of the region when there is no way to lay them.
func wrongPieces(v *view) []image.Point {
	var at []image.Point
	var pieces []*Symbol
	for q, s := range v.left(Polyomino, Negative) {
		at = append(at, q)
		pieces = append(pieces, &s.Symbol)
	}
	if len(pieces) == 0 || v.region.lay(pieces) {
		return nil
	}
	return at
}

// A laying is a search for places for the pieces of a region. Everything is in
// cells, x modulo the columns on a pillar.
type laying struct {
	p *Panel
	// need is how often a cell must still be covered by pieces; blue pieces
	// raise it. Zeros are left out.
	need    map[image.Point]int
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
	cells []image.Point
	shape []image.Point
	at    image.Point
	blue  bool
}

// lay tells whether the pieces, less the blue ones, can fill the region or come
// to nothing.
func (r *region) lay(pieces []*Symbol) bool {
	p := r.line.p
	l := &laying{p: p, need: map[image.Point]int{}, refused: map[string]bool{}}
	byName := map[string]int{}
	net := 0
	for _, s := range pieces {
		blue := s.Kind == Negative
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
	switch {
	case net == 0 && p.Rules.ZeroAnyShape:
		return true
	case net == 0:
	case net != len(r.cells):
		return false
	default:
		for _, c := range r.cells {
			l.need[image.Pt(c.X/2, c.Y/2)] = 1
		}
	}
	if p.Rules.LineBlocksPieces && net > 0 {
		l.across = r.looseLines()
	}
	slices.SortStableFunc(l.left, func(a, b pieceClass) int { return len(b.turns[0]) - len(a.turns[0]) })
	return l.search()
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
	var at image.Point
	found, over := false, 0
	for q, n := range l.need {
		if n < 0 {
			over -= n
		}
		if !found || q.Y < at.Y || q.Y == at.Y && q.X < at.X {
			at, found = q, true
		}
	}
	switch {
	case over > blueLeft:
		return false // more lies over than the blue pieces left can eat
	case !found && areaLeft+blueLeft == 0:
		return l.clear()
	}
	key := l.key()
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
				l.placed = append(l.placed, placed{cells, shape, origin, c.blue})
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
// off the board stands for all.
func (l *laying) origins(shape []image.Point, at image.Point, found bool) []image.Point {
	var all []image.Point
	switch {
	case found:
		for _, q := range shape {
			all = append(all, at.Sub(q))
		}
	case l.p.Rules.Overhang:
		all = append(all, image.Pt(0, 10*maxSide))
	default:
		for y := range l.p.Rows {
			for x := range l.p.Cols {
				all = append(all, image.Pt(x, y))
			}
		}
	}
	return all
}

// cells are what a shape covers; false when that is off the board.
func (l *laying) cells(shape []image.Point, origin image.Point) ([]image.Point, bool) {
	cells := make([]image.Point, len(shape))
	for i, q := range shape {
		c := l.wrap(origin.Add(q))
		if !l.p.Rules.Overhang && (c.X < 0 || c.X >= l.p.Cols || c.Y < 0 || c.Y >= l.p.Rows) {
			return nil, false
		}
		cells[i] = c
	}
	return cells, true
}

// wanted tells whether all cells still ask for a piece.
func (l *laying) wanted(cells []image.Point) bool {
	for _, c := range cells {
		if l.need[c] <= 0 {
			return false
		}
	}
	return true
}

func (l *laying) put(cells []image.Point, blue bool, n int) {
	if !blue {
		n = -n
	}
	for _, c := range cells {
		if l.need[c] += n; l.need[c] == 0 {
			delete(l.need, c)
		}
	}
}

func (l *laying) key() string {
	var b strings.Builder
	for _, c := range l.left {
		fmt.Fprintf(&b, "%d,", c.count)
	}
	cells := make([]image.Point, 0, len(l.need))
	for q := range l.need {
		cells = append(cells, q)
	}
	slices.SortFunc(cells, func(a, b image.Point) int {
		if a.Y != b.Y {
			return a.Y - b.Y
		}
		return a.X - b.X
	})
	for _, q := range cells {
		fmt.Fprintf(&b, ";%d,%d,%d", q.X, q.Y, l.need[q])
	}
	return b.String()
}

// clear tells whether no loose line runs through a piece: across each of its
// edges lie no more pieces than blue ones touch it.
func (l *laying) clear() bool {
	for _, e := range l.across {
		across := 0
		for _, q := range l.placed {
			switch {
			case q.blue:
				if slices.Contains(q.cells, e.cell) || slices.Contains(q.cells, l.wrap(e.cell.Add(e.dir))) {
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

// joins tells whether a side lies within a piece.
func (l *laying) joins(q placed, e side) bool {
	for _, a := range q.shape {
		if l.wrap(q.at.Add(a)) == e.cell && slices.Contains(q.shape, a.Add(e.dir)) {
			return true
		}
	}
	return false
}
