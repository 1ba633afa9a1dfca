package witness

import "onlooker/solve/path"

// A sideTable tells of a symbol whose cell's sides alone decide when it is right:
// a bit for each of the 16 sets of covered sides, a bit a side as dirs lists them.
type sideTable uint16

func newSideTable(s *Symbol) sideTable {
	var t sideTable
	for set := range 16 {
		if s.Kind.met(s, [4]bool{set&1 != 0, set&2 != 0, set&4 != 0, set&8 != 0}) {
			t |= 1 << set
		}
	}
	return t
}

// A sideSet is sides that are covered and sides that are not; the others may be
// either.
type sideSet struct{ on, off int }

// never tells whether a symbol is wrong whatever the other sides are.
func (t sideTable) never(s sideSet) bool {
	for set := range 16 {
		if set&s.on == s.on && set&s.off == 0 && t>>set&1 == 1 {
			return false
		}
	}
	return true
}

// fewest lists the sets that make a symbol wrong and that could do with no side
// less, the same for all symbols with this table.
func (m *model) fewest(t sideTable) []sideSet {
	list, known := m.wrongSides[t]
	if known {
		return list
	}
	for on := range 16 {
	sets:
		for off := range 16 {
			s := sideSet{on, off}
			if on&off != 0 || !t.never(s) {
				continue
			}
			for side := 1; side < 16; side *= 2 {
				if (on|off)&side != 0 && t.never(sideSet{on &^ side, off &^ side}) {
					continue sets
				}
			}
			list = append(list, s)
		}
	}
	m.wrongSides[t] = list
	return list
}

// clause forbids these sides; false when they cannot be so.
func (s sideSet) clause(it *item) (c []path.Lit, ok bool) {
	for i, side := range it.sides {
		switch {
		case s.on>>i&1 == 1 && side == none:
			return nil, false
		case s.on>>i&1 == 1:
			c = append(c, side.Not())
		case s.off>>i&1 == 1 && side != none:
			c = append(c, side)
		}
	}
	return c, true
}

// bySides adds: a symbol whose cell's sides alone decide is right, or gone. A
// symmetric panel may have one variable on two sides, so this goes by what is
// covered: as few sides as make it wrong are forbidden.
func (m *model) bySides(it *item) {
	for _, s := range m.fewest(newSideTable(it.Symbol)) {
		if c, ok := s.clause(it); ok {
			m.clause(append(c, it.gone)...)
		}
	}
}

// onlyWrong adds: such a symbol is not erased when it is right.
func (m *model) onlyWrong(it *item) {
	t := newSideTable(it.Symbol)
	for set := range 16 {
		if c, ok := (sideSet{set, 15 &^ set}).clause(it); ok && t>>set&1 == 1 {
			m.s.AddClause(append(c, it.gone.Not())...)
		}
	}
}
