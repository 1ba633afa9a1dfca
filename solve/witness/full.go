package witness

import (
	"context"
	"errors"
	"image"
	"slices"

	"onlooker/solve"
	"onlooker/solve/cover"
	"onlooker/solve/path"
)

// Limits of the search for tilings of a whole panel: 12 pentominoes on 10×6
// take 100,000 nodes or so; a panel with millions of tilings is better left to
// the other ways.
const (
	fewNodes    = 10_000
	fullNodes   = 300_000
	fullTilings = 2000
)

// errManyTilings says that there are more than fullTilings.
var errManyTilings = errors.New("witness: too many tilings to go through")

// full tells whether the pieces of a panel have as many squares as it has
// cells, so that any answer's regions together tile it.
func (m *model) full() bool {
	if !m.exclusive || m.erasers > 0 || !m.l.tight {
		return false
	}
	n := 0
	for _, i := range m.pieceItems {
		n += len(m.items[i].Shape)
	}
	return n == m.l.real
}

// tilings solves a full panel tiling by tiling: the line runs through no piece
// of it, which leaves little to search. decided is false when finding all tilings
// takes more than so many nodes of a search.
func (q *search) tilings(ctx context.Context, nodes int) (answers []solve.Solution, decided bool, err error) {
	m, l := q.m, q.l
	var classes []int32
	for _, i := range m.pieceItems {
		classes = append(classes, m.items[i].class)
	}
	slices.Sort(classes)
	kinds := slices.Compact(slices.Clone(classes))
	edges := make(map[[2]int32]path.Lit) // from left to right or from above
	for _, j := range l.joins {
		edges[[2]int32{j.a, j.b}] = j.lit
	}
	board := cover.New(l.real, len(kinds))
	var inner [][]path.Lit // by option: the edges within the piece, off
	for k, class := range kinds {
		n := 0
		for _, c := range classes {
			if c == class {
				n++
			}
		}
		board.Room(l.real+k, n)
		for _, shape := range m.tiles.turns[class] {
			for y := range m.p.Rows {
				for x := range m.p.Cols {
					var option []int
					var off []path.Lit
					for _, s := range shape {
						c := m.tiles.at(image.Pt(x, y).Add(s))
						if c < 0 || slices.Contains(option, int(c)) {
							break
						}
						for i, before := range option {
							d := s.Sub(shape[i])
							pair := [2]int32{int32(before), c}
							if d.X < 0 || d.Y < 0 {
								pair = [2]int32{c, int32(before)}
							}
							if lit, ok := edges[pair]; ok && lit != none && d.X*d.X+d.Y*d.Y == 1 {
								off = append(off, lit.Not())
							}
						}
						option = append(option, int(c))
					}
					if len(option) == len(shape) {
						board.Add(append(option, l.real+k)...)
						inner = append(inner, off)
					}
				}
			}
		}
	}
	tried := 0
	searchErr := board.Search(ctx, nodes, func(options []int) bool {
		if tried++; tried > fullTilings {
			err = errManyTilings
			return false
		}
		var off []path.Lit
		for _, o := range options {
			off = append(off, inner[o]...)
		}
		var status path.Status
		if status, err = q.s.Solve(ctx, off...); err == nil && status == path.Sat {
			answers = q.answers()
		}
		return err == nil && answers == nil
	})
	switch {
	case err != nil:
		return nil, false, err
	case answers != nil:
		return answers, true, nil
	case errors.Is(searchErr, cover.ErrLimit):
		return nil, false, nil
	case searchErr != nil:
		return nil, false, searchErr
	}
	return nil, true, nil
}
