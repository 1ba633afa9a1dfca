package witness

import (
	"image"

	"onlooker/solve"
	"onlooker/solve/path"
)

// Star: exactly two things of its colour in its region.
var Star = Kind{star{}}

type star struct{ plainKind }

func (star) about() about {
	return about{
		name: "star", called: "a star", shape: "star",
		rule:   solve.Rule{Name: "star", Doc: "A star's region holds exactly two things of its colour, itself included."},
		broken: "not two things of the star's colour in its region",
		needs:  true, content: true, mates: true, windmill: 8, site: "star",
	}
}

// wrong are the stars whose region does not hold exactly two things of their
// colour. Dots never count.
func (star) wrong(v *view, own []image.Point) []image.Point {
	count := map[Colour]int{}
	for c, n := range v.extra {
		count[c] += n
	}
	for _, at := range v.left(nil) {
		if c := v.line.p.At(at).Colour; c != "" {
			count[c]++
		}
	}
	var wrong []image.Point
	for _, at := range own {
		if count[v.line.p.At(at).Colour] != 2 {
			wrong = append(wrong, at)
		}
	}
	return wrong
}

func (star) bad(t *tally, h *heap) bool { return t.colours[h.it.colour] != 2 }

func (star) bears(h *heap, erased *item, rules *RuleSet) bool {
	return erased.colour == h.it.colour && (erased.Kind == Star || !rules.ErasedCount)
}

// state adds: a star that is not erased has exactly one other thing of its
// colour in its region.
func (star) state(m *model, own []int32) {
	for _, i := range own {
		m.starPairs(i)
	}
}

// starMates lists, for every other thing of a star's colour, the literal that
// it counts for it, and the item.
func (m *model) starMates(star int32) (mates []path.Lit, items []int32) {
	it := &m.items[star]
	for k := range int32(len(m.items)) {
		o := &m.items[k]
		if k == star || o.colour != it.colour || o.erases && !m.p.Rules.ErasersCount {
			continue
		}
		counts := m.same(star, k)
		if !o.erases && o.gone != none && (o.Kind == Star || !m.p.Rules.ErasedCount) {
			there := m.s.NewVar() // and not erased
			m.s.AddClause(there.Not(), counts)
			m.s.AddClause(there.Not(), o.gone.Not())
			m.s.AddClause(there, counts.Not(), o.gone)
			counts = there
		}
		mates, items = append(mates, counts), append(items, k)
	}
	return mates, items
}

func (m *model) starPairs(i int32) {
	s, it := m.s, &m.items[i]
	mates, mateOf := m.starMates(i)
	if it.gone != none && !m.p.Rules.EraseInTurn {
		m.wrongAtFirst(i)
	}
	guard := func(lits ...path.Lit) { m.clause(append(lits, it.gone)...) }
	guard(mates...)
	if it.gone != none && m.fewestGone() {
		// Two stars are not erased where both could be left as a pair.
		for k := range i {
			o := &m.items[k]
			if o.Kind != it.Kind || o.colour != it.colour {
				continue
			}
			clause := []path.Lit{it.gone.Not(), o.gone.Not(), m.same(i, k).Not()}
			for n, x := range mates {
				if mateOf[n] != k {
					clause = append(clause, x)
				}
			}
			s.AddClause(clause...)
		}
	}
	if len(mates) <= 6 {
		for a := range mates {
			for b := range a {
				guard(mates[a].Not(), mates[b].Not())
			}
		}
		return
	}
	// before: one of the mates so far.
	before := mates[0]
	for _, x := range mates[1:] {
		guard(before.Not(), x.Not())
		next := s.NewVar()
		s.AddClause(before.Not(), next)
		s.AddClause(x.Not(), next)
		before = next
	}
}

// wrongAtFirst adds: a star is not erased that has just one other thing of its
// colour before anything is erased.
func (m *model) wrongAtFirst(star int32) {
	it := &m.items[star]
	var others []path.Lit
	for k := range int32(len(m.items)) {
		o := &m.items[k]
		if k != star && o.colour == it.colour && (!o.erases || m.p.Rules.ErasersSeen) {
			others = append(others, m.same(star, k))
		}
	}
	for k, only := range others {
		clause := []path.Lit{it.gone.Not(), only.Not()}
		clause = append(clause, others[:k]...)
		m.s.AddClause(append(clause, others[k+1:]...)...)
	}
}

// limits: beside a star there is one thing more of its colour. Erasers count by some
// rules only.
func (star) limits(m *model, own []int32) []limit {
	stars, all, may := make([]uint64, m.colours), make([]uint64, m.colours), make([]uint64, m.colours)
	for i := range m.items {
		it := &m.items[i]
		if it.colour < 0 {
			continue
		}
		may[it.colour] |= 1 << it.cell
		if !it.erases {
			all[it.colour] |= 1 << it.cell
		}
	}
	for _, i := range own {
		stars[m.items[i].colour] |= 1 << m.items[i].cell
	}
	var limits []limit
	for c, cells := range stars {
		if cells != 0 {
			limits = append(limits, limit{when: cells, counted: all[c], may: may[c], most: 2, least: 2})
		}
	}
	return limits
}

func (star) mix(o *GenerateOptions, d draw) bool {
	o.Stars, o.Squares = d.some(d.area/4)*2, d.some(d.area/4)
	return true
}

// starColours are dealt in this order.
func starColours() []Colour { return []Colour{Green, Magenta, Red, Cyan, White, Black} }

// deal puts stars in pairs, or one as the partner of the only thing of its
// colour.
func (star) deal(g *generator) error {
	for left := g.o.Stars; left > 0; {
		r := g.anyFree(1)
		if r == nil {
			return errNoRoom
		}
		var lone, fresh []Colour
		for _, c := range starColours() {
			switch r.count[c] {
			case 0:
				fresh = append(fresh, c)
			case 1:
				lone = append(lone, c)
			}
		}
		switch {
		case len(lone) > 0 && (left == 1 || g.rng.IntN(2) == 0):
			g.put(r, g.take(r), Symbol{Kind: Star, Colour: lone[g.rng.IntN(len(lone))]})
			left--
		case left > 1 && len(r.free) > 1 && len(fresh) > 0:
			// The first colours are the likelier ones, so that regions share them.
			c := fresh[g.rng.IntN(min(2, len(fresh)))]
			g.put(r, g.take(r), Symbol{Kind: Star, Colour: c})
			g.put(r, g.take(r), Symbol{Kind: Star, Colour: c})
			left -= 2
		default:
			return errNoRoom
		}
	}
	return nil
}
