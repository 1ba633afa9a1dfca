package search

import (
	"onlooker/solve/path"
)

// addErasing makes a variable for everything that an eraser may take, and says
// how many are taken in all.
func (m *model) addErasing() {
	var all []path.Lit
	for i := range m.items {
		if it := &m.items[i]; !it.erases && m.p.Rules.Erasable(it.Kind) {
			it.gone = m.s.NewVar()
			all = append(all, it.gone)
		}
	}
	for i := range m.marks {
		m.marks[i].gone = m.s.NewVar()
		all = append(all, m.marks[i].gone)
	}
	m.watched = append(m.watched, all...)
	m.atMost(m.erasers, all)
	if !m.p.Rules.ErasersCancel && !m.p.Rules.ErasersShare {
		not := make([]path.Lit, len(all))
		for i, x := range all {
			not[i] = x.Not()
		}
		m.atMost(len(all)-m.erasers, not)
	}
}

// fewestGone tells whether a region's erasers must make do with as few symbols
// as would set it right, and every set of what is wrong at first may be erased:
// then a set that another one lies within is never erased.
func (m *model) fewestGone() bool {
	return m.erasers > 0 && !m.p.Rules.EraseFreely && !m.p.Rules.EraseInTurn
}

// stateErasers adds: what is erased lies in the region of an eraser, and was wrong.
func stateErasers(m *model, own []int32) {
	for i := range int32(len(m.items)) {
		it := &m.items[i]
		if it.gone == none {
			continue
		}
		clause := []path.Lit{it.gone.Not()}
		for _, e := range own {
			clause = append(clause, m.same(e, i))
		}
		m.s.AddClause(clause...)
		if it.row.erased != nil {
			it.row.erased(m, it)
		}
		if it.alone {
			m.onlyWrong(it)
		} else {
			m.lastTaken(i, own)
		}
	}
	m.marksTaken(own)
	if !m.p.Rules.ErasersAmongPieces {
		m.oneOrAll()
	}
}

// lastTaken adds: of equal symbols in one region the last ones are taken.
func (m *model) lastTaken(i int32, erasers []int32) {
	it := &m.items[i]
	for k := range i {
		o := &m.items[k]
		if o.class != it.class {
			continue
		}
		if m.labelOf[i] >= 0 {
			m.s.AddClause(m.same(i, k).Not(), o.gone.Not(), it.gone)
			continue
		}
		for _, e := range erasers {
			m.s.AddClause(m.same(e, i).Not(), m.same(e, k).Not(), o.gone.Not(), it.gone)
		}
	}
}

// marksTaken adds: a dot that is erased is not covered, and lies in the region of
// an eraser.
func (m *model) marksTaken(erasers []int32) {
	for i := range m.marks {
		mk := &m.marks[i]
		if mk.cover != none {
			m.s.AddClause(mk.gone.Not(), mk.cover.Not())
		}
		clause := []path.Lit{mk.gone.Not()}
		if len(mk.cells) > 0 {
			for _, e := range erasers {
				clause = append(clause, m.labels[m.labelOf[e]].in[mk.cells[0]])
			}
		}
		m.s.AddClause(clause...)
	}
}

// oneOrAll adds: of a region's pieces one is erased, or all.
func (m *model) oneOrAll() {
	s := m.s
	for _, i := range m.pieceItems {
		gone := m.items[i].gone
		all := s.NewVar() // of its region
		for _, k := range m.pieceItems {
			if k == i {
				continue
			}
			same, other := m.same(i, k), m.items[k].gone
			s.AddClause(gone.Not(), same.Not(), other.Not(), all)
			s.AddClause(all.Not(), same.Not(), other)
		}
	}
}
