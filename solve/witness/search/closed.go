package search

import (
	"slices"

	"onlooker/solve/path"
)

// accepts tells whether the line, which is complete, answers the panel: every
// region is complete and was judged right. Nothing else need be decided then:
// with the regions known, where pieces lie may take longer to say in variables
// than the line took. What the line itself must be, and coloured dots, the
// clauses have seen to.
//
// It stands on the search's own judge, not on Check: two accounts of the rules
// that share nothing find each other's mistakes. The tests compare them.
func (q *search) accepts(c *path.Clauses) bool {
	m, r := q.m, q.r
	if r.moved {
		return false
	}
	for i := range m.marks {
		if mk := &m.marks[i]; len(mk.cells) == 0 && value(c, mk.cover) <= 0 {
			return false // in no region, so no eraser takes it
		}
	}
	for id := range r.areas {
		if !r.complete(int32(id)) {
			return false
		}
		sv, ok := m.survey(r, c, int32(id), true)
		if !ok {
			return false
		}
		if len(sv.items)+len(sv.erasers)+len(sv.dots) == 0 {
			continue
		}
		if right, _, _ := m.verdict(m.judge, &sv.plot); !right {
			return false
		}
	}
	return true
}

// A plot is a region that is complete.
type plot struct {
	cells   []int32
	items   []int32 // other than erasers
	erasers []int32
	dots    []int32 // that are not covered
	lost    []bool  // by place in items: a triangle with the wrong number
	loose   []int32 // joins with a line on them and the plot on both sides
}

// A survey is a region of which it may be known all that judging it takes.
type survey struct {
	plot
	why, sides []path.Lit // false now: what was looked at, round triangles apart
}

// survey looks at everything in a region that its being right depends on;
// false when some of that is still open. all says that dots and triangles are
// looked at also where no eraser is: otherwise clauses see to them.
func (m *model) survey(r *regions, c *path.Clauses, id int32, all bool) (survey, bool) {
	cells := r.areas[id]
	sv := survey{plot: plot{cells: cells}}
	items := r.items[:0]
	for _, x := range cells {
		if i := m.itemAt[x]; i >= 0 {
			items = append(items, i)
			if m.items[i].erases {
				sv.erasers = append(sv.erasers, i)
			}
		}
	}
	r.items = items
	if len(items) == 0 && !all {
		return sv, true
	}
	slices.Sort(sv.erasers) // used in reading order
	all = all || len(sv.erasers) > 0
	note := func(to *[]path.Lit, lit path.Lit) int { return noteValue(c, to, lit) }
	if m.loose() {
		for _, x := range cells {
			for _, j := range m.l.at[x] {
				if m.l.joins[j.join].a != x || r.area[j.cell] != id {
					continue
				}
				switch note(&sv.why, m.l.joins[j.join].over) {
				case 1:
					sv.loose = append(sv.loose, j.join)
				case 0:
					return sv, false
				}
			}
		}
	}
	for _, i := range items {
		it := &m.items[i]
		if it.erases {
			continue
		}
		lost := false
		if it.alone && all {
			var known bool
			if lost, known = sv.lostBySides(c, it); !known {
				return sv, false
			}
		}
		sv.items = append(sv.items, i)
		sv.lost = append(sv.lost, lost)
	}
	if all {
		for _, x := range cells {
			for _, d := range m.marksAt[x] {
				switch mk := &m.marks[d]; note(&sv.why, mk.cover) {
				case -1:
					if mk.cells[0] == x { // each once
						sv.dots = append(sv.dots, d)
					}
				case 0:
					return sv, false
				}
			}
		}
	}
	slices.Sort(sv.dots)
	return sv, true
}

// lostBySides tells whether a symbol is wrong that the line alone decides; known is
// false where that is open.
func (sv *survey) lostBySides(c *path.Clauses, it *item) (lost, known bool) {
	if it.row.Met == nil {
		if it.right == none { // it agrees with others
			return false, true
		}
		v := noteValue(c, &sv.sides, it.right)
		return v < 0, v != 0
	}
	var covered [4]bool
	for i, side := range it.sides {
		switch noteValue(c, &sv.sides, side) {
		case 1:
			covered[i] = true
		case 0:
			return false, false
		}
	}
	return !it.row.Met(it.Symbol, covered), true
}

// loose tells whether it matters to pieces where a line runs within a region.
func (m *model) loose() bool {
	return !m.l.tight && m.tiles != nil && (m.p.Rules.LineBlocksPieces ||
		slices.ContainsFunc(m.asked, func(j *judge) bool { return j.rules.LineBlocksPieces }))
}

// noteValue is a literal's value; that it has that is added to a reason.
func noteValue(c *path.Clauses, to *[]path.Lit, lit path.Lit) int {
	v := value(c, lit)
	if v > 0 {
		*to = append(*to, lit.Not())
	} else if v < 0 && lit != none {
		*to = append(*to, lit)
	}
	return v
}

// complete tells whether a region is: no answer from here on gives it more
// cells or fewer.
func (r *regions) complete(id int32) bool {
	cells := r.areas[id]
	return len(r.blocks[r.block[cells[0]]]) == len(cells)
}

// closed judges a region that is complete.
func (m *model) closed(r *regions, c *path.Clauses, id int32) {
	if !r.complete(id) {
		return
	}
	sv, ok := m.survey(r, c, id, false)
	if !ok || len(sv.items)+len(sv.erasers) == 0 {
		return
	}
	right, known, by := m.verdict(m.judge, &sv.plot)
	if right || !known {
		return
	}
	if by >= 0 {
		sv.sides = append(sv.sides, (m.demanded + 2*path.Lit(by)).Not())
	}
	outline := false // matters
	for _, i := range sv.items {
		outline = outline || !m.items[i].alone && !m.items[i].content
	}
	if len(sv.erasers) > 0 && !outline && m.settled(c, &sv.plot) {
		r.add(c, m.makeup(r, c, &sv.plot, id, sv.sides)...)
		return
	}
	why := r.border(append(sv.why, sv.sides...), id)
	why = r.chain(c, why, sv.cells...)
	r.add(c, why...)
}

// settled tells whether makeup can name everything: every symbol's label and
// every dot is decided.
func (m *model) settled(c *path.Clauses, pl *plot) bool {
	lb := &m.labels[m.labelOf[pl.erasers[0]]]
	for i := range m.items {
		if c.Value(lb.in[m.items[i].cell]) == 0 {
			return false
		}
	}
	for i := range m.marks {
		mk := &m.marks[i]
		if len(mk.cells) > 0 && value(c, mk.cover) <= 0 && c.Value(lb.in[mk.cells[0]]) == 0 {
			return false
		}
	}
	return true
}

// makeup explains a wrong region with erasers and without pieces by what is in
// it, and what is not: its outline does not matter.
func (m *model) makeup(r *regions, c *path.Clauses, pl *plot, id int32, out []path.Lit) []path.Lit {
	lb := &m.labels[m.labelOf[pl.erasers[0]]]
	for i := range m.items {
		in := lb.in[m.items[i].cell]
		switch v := c.Value(in); {
		case v > 0:
			out = append(out, in.Not())
		case v < 0:
			out = append(out, in)
		}
	}
	for i := range m.marks {
		mk := &m.marks[i]
		if len(mk.cells) == 0 {
			continue
		}
		in := lb.in[mk.cells[0]]
		switch {
		case value(c, mk.cover) > 0: // covered: no matter whose
			out = append(out, mk.cover.Not())
		case r.area[mk.cells[0]] == id:
			out = append(out, in.Not())
			if mk.cover != none {
				out = append(out, mk.cover)
			}
		default:
			out = append(out, in)
		}
	}
	return out
}
