package search

import (
	"cmp"
	"slices"
)

// passages are the joins between cells that no edge bars which is on: by how far the
// numbers of their two cells are apart, so that a step from a whole set of cells to
// their neighbours is a few shifts.
type passages struct {
	shifts []shift
	odd    []oddJoin // joins of other distances, and second ones between two cells
	at     []passage // by join
}

// A shift holds the joins of cells x and x+by.
type shift struct {
	by   int
	open cellSet // by x: nothing bars the join
}

// An oddJoin is a join that no shift holds.
type oddJoin struct {
	a, b int32
	open bool
}

// A passage is where a join is held: its first cell in a shift, or one of the odd.
type passage struct{ shift, at int32 }

// mostShifts is for how many distances joins are held by shifts: a board of cells has
// those of rows and of columns, and a pillar one more where it closes.
const mostShifts = 3

// newPassages holds joins, each by its two cells, all of them open.
func newPassages(cells int, joins [][2]int32) *passages {
	count := make(map[int32]int)
	for _, j := range joins {
		count[max(j[0], j[1])-min(j[0], j[1])]++
	}
	var far []int32
	for by := range count {
		far = append(far, by)
	}
	slices.SortFunc(far, func(a, b int32) int {
		return cmp.Or(count[b]-count[a], int(a-b))
	})
	far = far[:min(len(far), mostShifts)]
	p := &passages{}
	for _, by := range far {
		p.shifts = append(p.shifts, shift{int(by), newCellSet(cells)})
	}
	for _, j := range joins {
		a, b := min(j[0], j[1]), max(j[0], j[1])
		k := slices.Index(far, b-a)
		if k < 0 || p.shifts[k].open.Has(a) {
			p.at = append(p.at, passage{-1, int32(len(p.odd))})
			p.odd = append(p.odd, oddJoin{a, b, true})
			continue
		}
		p.shifts[k].open.Add(a)
		p.at = append(p.at, passage{int32(k), a})
	}
	return p
}

// cellSet opens a join, or bars it.
func (p *passages) set(join int32, open bool) {
	switch at := p.at[join]; {
	case at.shift < 0:
		p.odd[at.at].open = open
	case open:
		p.shifts[at.shift].open.Add(at.at)
	default:
		p.shifts[at.shift].open.Drop(at.at)
	}
}

// beside is the i-th word of the cells that open joins lead to from a set.
func (p *passages) beside(of cellSet, i int) (out uint64) {
	for k := range p.shifts {
		by, open := uint(p.shifts[k].by), p.shifts[k].open
		w, b := int(by>>6), by&63
		if j := i - w; j >= 0 {
			out |= (of[j] & open[j]) << b
			if j > 0 {
				out |= (of[j-1] & open[j-1]) >> (64 - b)
			}
		}
		if j := i + w; j < len(of) {
			up := of[j] >> b
			if j+1 < len(of) {
				up |= of[j+1] << (64 - b)
			}
			out |= up & open[i]
		}
	}
	return out
}

// Step is the cells of within that open joins lead to from a set, in out.
func (p *passages) Step(out, of, within cellSet) {
	for i := range of {
		out[i] = p.beside(of, i) & within[i]
	}
	for _, j := range p.odd {
		if !j.open {
			continue
		}
		if of.Has(j.a) && within.Has(j.b) {
			out.Add(j.b)
		}
		if of.Has(j.b) && within.Has(j.a) {
			out.Add(j.a)
		}
	}
}

// Flood adds to a set all cells of within that open joins lead to from it, by way of
// others of within.
func (p *passages) Flood(s, within cellSet) {
	for more := true; more; {
		more = false
		for i, w := range s {
			if next := w | p.beside(s, i)&within[i]; next != w {
				s[i] = next
				more = true
			}
		}
		for _, j := range p.odd {
			a, b := s.Has(j.a), s.Has(j.b)
			switch {
			case !j.open || a == b:
			case a && within.Has(j.b):
				s.Add(j.b)
				more = true
			case b && within.Has(j.a):
				s.Add(j.a)
				more = true
			}
		}
	}
}
