package search

import "math/bits"

// A cellSet has a bit for each of a board's cells (a bitboard): whole words are moved at
// once.
type cellSet []uint64

// newCellSet is an empty set of so many cells.
func newCellSet(cells int) cellSet { return make(cellSet, (cells+63)/64) }

// Has tells whether a cell is in the set.
func (s cellSet) Has(x int32) bool { return s[x>>6]>>(x&63)&1 == 1 }

// Add adds a cell.
func (s cellSet) Add(x int32) { s[x>>6] |= 1 << (x & 63) }

// Drop takes a cell out.
func (s cellSet) Drop(x int32) { s[x>>6] &^= 1 << (x & 63) }

// Each calls visit for every cell of the set, in their order, until it returns false,
// as each does then.
func (s cellSet) Each(visit func(x int32) bool) bool {
	for i, w := range s {
		for ; w != 0; w &= w - 1 {
			if !visit(int32(i*64 + bits.TrailingZeros64(w))) {
				return false
			}
		}
	}
	return true
}

// A spreading is a walk from a cell to others that may lie in its region, by what the
// cheapest way there costs.
type spreading struct {
	within []cellSet // by cost: the cells that are come to for no more
	used   int       // so many of them; the last holds all that is come to
}

// Run walks from a cell as far as ways go that cost no more than spare, at most
// until they come to nothing new. A cell of open costs 1, and
// nothing where it is one of free.
func (s *spreading) Run(pass *passages, from, spare int32, free, open cellSet) {
	s.used = 0
	here := s.next(len(open))
	clear(here)
	here.Add(from)
	pass.Flood(here, free)
	for range spare {
		next := s.next(len(open))
		pass.Step(next, here, open)
		more := false
		for i := range next {
			next[i] |= here[i]
			more = more || next[i] != here[i]
		}
		if !more {
			s.used--
			return
		}
		pass.Flood(next, free)
		here = next
	}
}

// next is the set of what the next cost comes to, of so many words.
func (s *spreading) next(words int) cellSet {
	if s.used == len(s.within) {
		s.within = append(s.within, make(cellSet, words))
	}
	s.used++
	return s.within[s.used-1]
}

// Within is what is come to for no more than a cost.
func (s *spreading) Within(cost int) cellSet { return s.within[min(cost, s.used-1)] }

// All is what is come to at all.
func (s *spreading) All() cellSet { return s.Within(s.used - 1) }

// Costs is how many costs, from 0, something new was come to for.
func (s *spreading) Costs() int { return s.used }

// Farthest is the first of the cells of a set that cost most to come to, and that;
// -1 where none costs anything.
func (s *spreading) Farthest(of cellSet) (x, cost int32) {
	for d := s.used - 1; d > 0; d-- {
		for i, w := range s.within[d] {
			if w &= of[i] &^ s.within[d-1][i]; w != 0 {
				return int32(i*64 + bits.TrailingZeros64(w)), int32(d)
			}
		}
	}
	return -1, 0
}
