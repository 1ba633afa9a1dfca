package witness_test

import (
	"fmt"
	"image"
	"slices"

	"onlooker/solve/witness/board"
)

// A pile is the pieces of a region that are still to be laid, on squares that
// each want some cover: 1 in the region, 0 elsewhere.
type pile struct {
	p     *board.Panel
	left  []*board.Symbol
	want  map[image.Point]int // by column and row; what is 0 is left out
	loose [][2]image.Point    // squares with a loose line between them
	laid  []layer
}

type layer struct {
	blue  bool
	cells []image.Point // wrapped
	shape []image.Point // as it lies, not wrapped
}

// lies tells whether the region's pieces can be laid: those that are left fill
// it, or come to nothing.
func (a *area) lies(pieces []image.Point) bool {
	if len(pieces) == 0 {
		return true
	}
	p := a.d.p
	b := &pile{p: p, want: make(map[image.Point]int)}
	net := 0
	for _, at := range slices.SortedFunc(slices.Values(pieces), inReadingOrder) {
		s := &p.At(at).Symbol
		b.left = append(b.left, s)
		net += len(s.Shape) * sign(s)
	}
	switch {
	case net == 0 && p.Rules.ZeroAnyShape:
		return true
	case net != 0 && net != len(a.cells):
		return false
	}
	if net != 0 {
		for _, c := range a.cells {
			b.want[image.Pt(c.X/2, c.Y/2)] = 1
		}
	}
	if net > 0 && p.Rules.LineBlocksPieces {
		in := make(map[image.Point]bool)
		for _, c := range a.cells {
			in[c] = true
		}
		for _, c := range a.cells {
			for _, w := range ways[:2] {
				if to := p.Wrap(c.Add(w.Mul(2))); a.d.covered(c.Add(w)) && in[to] {
					b.loose = append(b.loose, [2]image.Point{{X: c.X / 2, Y: c.Y / 2}, {X: c.X/2 + w.X, Y: c.Y/2 + w.Y}})
				}
			}
		}
	}
	key := ""
	for _, at := range pieces {
		key += at.String()
	}
	key += "|"
	for _, c := range slices.SortedFunc(slices.Values(a.cells), inReadingOrder) {
		key += c.String()
	}
	key += fmt.Sprint(net, len(b.loose), b.loose)
	if lies, known := a.d.laid[key]; known {
		return lies
	}
	lies := b.lay()
	a.d.laid[key] = lies
	return lies
}

func sign(s *board.Symbol) int {
	if s.Kind == board.Negative {
		return -1
	}
	return 1
}

// lay lays what is left: each piece somewhere, such that in the end every want
// is met. Some piece must lie where too little does, some blue one where too
// much does; where all is as wanted the next one lies anywhere.
func (b *pile) lay() bool {
	eat := 0
	for _, s := range b.left {
		if sign(s) < 0 {
			eat += len(s.Shape)
		}
	}
	over := 0
	var at *image.Point
	for q, n := range b.want {
		if n < 0 {
			over -= n
		}
		if at == nil || inReadingOrder(q, *at) < 0 {
			at = &q
		}
	}
	switch {
	case over > eat:
		return false
	case len(b.left) == 0:
		return at == nil && b.clear()
	}
	for i, s := range b.left {
		if at != nil && (b.want[*at] > 0) != (sign(s) > 0) {
			continue
		}
		rest := b.left
		b.left = slices.Concat(rest[:i], rest[i+1:])
		for _, shape := range turnings(s) {
			for _, origin := range b.origins(shape, at) {
				if b.put(s, shape, origin) {
					done := b.lay()
					b.take(s)
					if done {
						return true
					}
				}
			}
		}
		b.left = rest
		if at == nil {
			break // it lies somewhere; all places were tried
		}
	}
	return false
}

// origins are where a shape may be put: so that it covers a square, or anywhere
// on the board and, where it may hang over, around it. Farther away one place is
// as good as another, since it must be eaten there whole.
func (b *pile) origins(shape []image.Point, at *image.Point) (all []image.Point) {
	if at != nil {
		for _, q := range shape {
			all = append(all, at.Sub(q))
		}
		return all
	}
	margin := 0
	if b.p.Rules.Overhang {
		for _, s := range append(slices.Clone(b.left), &board.Symbol{Shape: shape}) {
			margin += len(s.Shape)
		}
	}
	for y := -margin; y < b.p.Rows+margin; y++ {
		for x := -margin; x < b.p.Cols+margin; x++ {
			if b.p.Pillar && (x < 0 || x >= b.p.Cols) {
				continue
			}
			all = append(all, image.Pt(x, y))
		}
	}
	return all
}

// put lays a piece; false, and nothing is laid, where it may not lie.
func (b *pile) put(s *board.Symbol, shape []image.Point, origin image.Point) bool {
	l := layer{blue: sign(s) < 0}
	for _, q := range shape {
		q = q.Add(origin)
		l.shape = append(l.shape, q)
		c := b.wrap(q)
		if !b.p.Rules.Overhang && !c.In(image.Rect(0, 0, b.p.Cols, b.p.Rows)) {
			return false
		}
		l.cells = append(l.cells, c)
	}
	b.laid = append(b.laid, l)
	b.add(l.cells, -sign(s))
	return true
}

func (b *pile) take(s *board.Symbol) {
	last := len(b.laid) - 1
	b.add(b.laid[last].cells, sign(s))
	b.laid = b.laid[:last]
}

func (b *pile) add(cells []image.Point, n int) {
	for _, c := range cells {
		if b.want[c] += n; b.want[c] == 0 {
			delete(b.want, c)
		}
	}
}

func (b *pile) wrap(q image.Point) image.Point {
	if b.p.Pillar {
		q.X = (q.X%b.p.Cols + b.p.Cols) % b.p.Cols
	}
	return q
}

// clear tells whether no piece lies across a loose line, but for as many as blue
// pieces touch the squares beside it.
func (b *pile) clear() bool {
	for _, e := range b.loose {
		across := 0
		for _, l := range b.laid {
			if l.blue {
				if slices.Contains(l.cells, b.wrap(e[0])) || slices.Contains(l.cells, b.wrap(e[1])) {
					across--
				}
				continue
			}
			for _, q := range l.shape {
				if b.wrap(q) == e[0] && slices.Contains(l.shape, q.Add(e[1]).Sub(e[0])) {
					across++
					break
				}
			}
		}
		if across > 0 {
			return false
		}
	}
	return true
}

// turnings are the ways in which a piece may lie.
func turnings(s *board.Symbol) [][]image.Point {
	all := [][]image.Point{s.Shape}
	for s.Turnable && len(all) < 4 {
		var next []image.Point
		for _, q := range all[len(all)-1] {
			next = append(next, image.Pt(-q.Y, q.X))
		}
		all = append(all, next)
	}
	return all
}
