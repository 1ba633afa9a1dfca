package search

import (
	"context"
	"errors"
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
// of it, which leaves little to search. Of a tiling that no line answers, the
// pieces that say why are not laid so again. decided is false when finding all
// tilings takes more than so many nodes of a search.
func (q *search) tilings(ctx context.Context, nodes int) (answers []solve.Solution, decided bool, err error) {
	if ok, err := q.s.Settle(ctx); err != nil || !ok {
		return nil, err == nil, err
	}
	board, inner := q.tileBoard()
	tried := 0
	var off []path.Lit
	from := make(map[path.Lit]int) // by edge that is off: the option that it lies in
	searchErr := board.Search(ctx, nodes, func(options []int) bool {
		if tried++; tried > fullTilings {
			err = errManyTilings
			return false
		}
		off = off[:0]
		for _, o := range options {
			for _, x := range inner[o] {
				from[x] = o
			}
			off = append(off, inner[o]...)
		}
		var status path.Status
		status, err = q.s.Solve(ctx, off...)
		switch {
		case err != nil:
		case status == path.Sat:
			answers = q.answers()
		default:
			var together []int
			for _, x := range q.s.Failed() {
				if !slices.Contains(together, from[x]) {
					together = append(together, from[x])
				}
			}
			board.Avoid(together...)
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

// tileBoard states the tilings of a full panel: its cells are covered, and each kind
// of piece as often as it is there. Of each option it lists the edges within the
// piece, off. Where a piece is known not to lie, it has none.
func (q *search) tileBoard() (board *cover.Problem, inner [][]path.Lit) {
	m := q.m
	number := make(map[int32]int)
	var kinds []int // how many there are of each
	for _, i := range m.pieceItems {
		class := m.items[i].class
		if _, ok := number[class]; !ok {
			number[class] = len(kinds)
			kinds = append(kinds, 0)
		}
		kinds[number[class]]++
	}
	board = cover.New(m.l.real, len(kinds))
	for k, n := range kinds {
		board.Room(m.l.real+k, n)
	}
	edges := make(map[[2]int32]path.Lit)
	for _, j := range m.l.joins {
		edges[[2]int32{j.a, j.b}], edges[[2]int32{j.b, j.a}] = j.lit, j.lit
	}
	// Equal pieces have the same places.
	seen := make(map[string]bool)
	for i := range m.laid {
		pl := &m.laid[i]
		if q.s.Fixed(pl.lit) < 0 {
			continue
		}
		class := m.items[pl.item].class
		cells := slices.Clone(pl.cells)
		slices.Sort(cells)
		key := string(appendClasses(appendInts(nil, int(class)), cells))
		if seen[key] {
			continue
		}
		seen[key] = true
		option := []int{m.l.real + number[class]}
		var off []path.Lit
		for n, a := range cells {
			option = append(option, int(a))
			for _, b := range cells[:n] {
				if lit, ok := edges[[2]int32{a, b}]; ok && lit != none {
					off = append(off, lit.Not())
				}
			}
		}
		board.Add(option...)
		inner = append(inner, off)
	}
	return board, inner
}
