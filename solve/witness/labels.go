package witness

import "onlooker/solve/path"

// A label follows one symbol's region: for every cell a variable that says
// whether the cell lies in it. Clauses carry it over every edge that is off;
// the regions' walk denies it beyond the symbol's area.
type label struct {
	item int32
	in   []path.Lit // by cell
}

// addLabels gives every star, piece and eraser a label.
func (m *model) addLabels() {
	l, s := m.l, m.s
	m.labelOf = make([]int32, len(m.items))
	for i := range m.items {
		it := &m.items[i]
		m.labelOf[i] = -1
		if it.Kind != Star && it.Kind != Polyomino && it.Kind != Negative && it.Kind != Eraser {
			continue
		}
		lb := label{item: int32(i), in: make([]path.Lit, len(l.cells))}
		for c := range lb.in {
			lb.in[c] = none
		}
		// Of two symbols each lies in the other's region, or neither does.
		for k := range m.labels {
			lb.in[m.items[m.labels[k].item].cell] = m.labels[k].in[it.cell]
		}
		for c := range lb.in {
			if lb.in[c] == none {
				lb.in[c] = s.NewVar()
			}
		}
		s.AddClause(lb.in[it.cell])
		for _, j := range l.joins {
			a, b := lb.in[j.a], lb.in[j.b]
			if j.lit == none {
				s.AddClause(a, b.Not())
				s.AddClause(a.Not(), b)
				continue
			}
			s.AddClause(j.lit, a, b.Not())
			s.AddClause(j.lit, a.Not(), b)
			if l.tight {
				s.AddClause(j.lit.Not(), a.Not(), b.Not())
			}
		}
		if l.side != nil { // a region lies on one side of the line
			home := l.side[l.index(it.at)]
			for c, at := range l.cells[:l.real] {
				if int32(c) == it.cell {
					continue
				}
				x := l.side[l.index(at)]
				s.AddClause(lb.in[c].Not(), home, x.Not())
				s.AddClause(lb.in[c].Not(), home.Not(), x)
			}
		}
		m.labelOf[i] = int32(len(m.labels))
		m.labels = append(m.labels, lb)
		m.watched = append(m.watched, lb.in...)
	}
}

// same is true when an item lies in a labelled item's region.
func (m *model) same(labelled, other int32) path.Lit {
	return m.labels[m.labelOf[labelled]].in[m.items[other].cell]
}

// starPairs adds: a star that is not erased has exactly one other thing of its
// colour in its region.
func (m *model) starPairs() {
	s := m.s
	for i := range m.items {
		it := &m.items[i]
		if it.Kind != Star {
			continue
		}
		var mates []path.Lit
		var mateOf []int // the item
		for k := range m.items {
			o := &m.items[k]
			if k == i || o.colour != it.colour {
				continue
			}
			same := m.same(int32(i), int32(k))
			switch {
			case o.Kind == Eraser && !m.p.Rules.ErasersCount:
				continue
			case o.Kind == Eraser || o.gone == none || m.p.Rules.ErasedCount && o.Kind != Star:
				mates = append(mates, same)
				mateOf = append(mateOf, k)
			default: // there, and not erased
				w := s.NewVar()
				s.AddClause(w.Not(), same)
				s.AddClause(w.Not(), o.gone.Not())
				s.AddClause(w, same.Not(), o.gone)
				mates = append(mates, w)
				mateOf = append(mateOf, k)
			}
		}
		if it.gone != none && !m.p.Rules.EraseInTurn {
			m.wrongAtFirst(int32(i))
		}
		guard := func(lits ...path.Lit) {
			if it.gone != none {
				lits = append(lits, it.gone)
			}
			s.AddClause(lits...)
		}
		guard(mates...)
		if it.gone != none && m.fewestGone() {
			// Two stars are not erased where both could be left as a pair.
			for k := range i {
				o := &m.items[k]
				if o.Kind != Star || o.colour != it.colour {
					continue
				}
				clause := []path.Lit{it.gone.Not(), o.gone.Not(), m.same(int32(i), int32(k)).Not()}
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
			continue
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
}

// wrongAtFirst adds: a star is not erased that has just one other thing of its
// colour before anything is erased.
func (m *model) wrongAtFirst(star int32) {
	it := &m.items[star]
	var others []path.Lit
	for k := range m.items {
		o := &m.items[k]
		if int32(k) != star && o.colour == it.colour && (o.Kind != Eraser || m.p.Rules.ErasersSeen) {
			others = append(others, m.same(star, int32(k)))
		}
	}
	for k, only := range others {
		clause := []path.Lit{it.gone.Not(), only.Not()}
		clause = append(clause, others[:k]...)
		m.s.AddClause(append(clause, others[k+1:]...)...)
	}
}

// fewestGone tells whether a region's erasers must make do with as few symbols
// as would set it right, and every set of what is wrong at first may be erased:
// then a set that another one lies within is never erased.
func (m *model) fewestGone() bool {
	return m.erasers > 0 && !m.p.Rules.EraseFreely && !m.p.Rules.EraseInTurn
}

// eraserReach adds: what is erased lies in the region of an eraser.
func (m *model) eraserReach() {
	for i := range m.items {
		it := &m.items[i]
		if it.gone == none {
			continue
		}
		clause := []path.Lit{it.gone.Not()}
		for k := range m.items {
			if m.items[k].Kind == Eraser {
				clause = append(clause, m.same(int32(k), int32(i)))
			}
		}
		m.s.AddClause(clause...)
		if it.Kind == Triangle {
			m.onlyWrong(it)
			continue
		}
		if it.Kind == Square && !m.p.Rules.EraseInTurn {
			m.amongOthers(it)
		}
		// Of equal symbols in one region the last ones are taken.
		for k := range i {
			o := &m.items[k]
			if o.class != it.class {
				continue
			}
			if m.labelOf[i] >= 0 {
				m.s.AddClause(m.same(int32(i), int32(k)).Not(), o.gone.Not(), it.gone)
				continue
			}
			for e := range m.items {
				if m.items[e].Kind == Eraser {
					m.s.AddClause(m.same(int32(e), int32(i)).Not(), m.same(int32(e), int32(k)).Not(), o.gone.Not(), it.gone)
				}
			}
		}
	}
	for i := range m.marks {
		mk := &m.marks[i]
		if mk.gone == none {
			continue
		}
		if mk.cover != none {
			m.s.AddClause(mk.gone.Not(), mk.cover.Not()) // only what is wrong is erased
		}
		if len(mk.cells) == 0 {
			m.s.AddClause(mk.gone.Not())
			continue
		}
		clause := []path.Lit{mk.gone.Not()}
		for k := range m.items {
			if m.items[k].Kind == Eraser {
				clause = append(clause, m.labels[m.labelOf[k]].in[mk.cells[0]])
			}
		}
		m.s.AddClause(clause...)
	}
	if !m.p.Rules.ErasersAmongPieces {
		m.oneOrAll()
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

// amongOthers adds: a square is erased only where there is one of another
// colour before anything is erased.
func (m *model) amongOthers(it *item) {
	for k := range m.items {
		if m.items[k].Kind != Eraser {
			continue
		}
		in := m.labels[m.labelOf[k]].in
		clause := []path.Lit{it.gone.Not(), in[it.cell].Not()}
		for i := range m.items {
			if o := &m.items[i]; o.Kind == Square && o.colour != it.colour {
				clause = append(clause, in[o.cell])
			}
		}
		m.s.AddClause(clause...)
	}
}

// onlyWrong adds: a triangle with the right number of sides is not erased.
func (m *model) onlyWrong(it *item) {
next:
	for set := range 16 {
		clause := []path.Lit{it.gone.Not()}
		n := 0
		for i, side := range it.sides {
			switch on := set>>i&1 == 1; {
			case on && side == none:
				continue next
			case on:
				n++
				clause = append(clause, side.Not())
			case side != none:
				clause = append(clause, side)
			}
		}
		if n == it.Count {
			m.s.AddClause(clause...)
		}
	}
}

// labelAreas denies each label where its region cannot reach: beyond edges that
// are on, and beyond cells that it was denied.
func (m *model) labelAreas(r *regions, c *path.Clauses) {
	joins, at, val := m.l.joins, m.l.at, c.Values()
	// A label's last walk is still one where no edge has turned on, and no cell
	// was denied, by which it came somewhere. Beyond what that walk reached
	// another one, longer ago, may have come by anything.
	for _, ji := range r.turnedOn {
		j := &joins[ji]
		if val[j.lit] <= 0 {
			continue // undone since
		}
		for k, tree := range r.tree {
			if r.stale[k] {
				continue
			}
			if a, b := tree[j.a], tree[j.b]; a == away || b == away || a == ji || b == ji {
				in := m.labels[k].in
				r.stale[k] = val[in[j.a]] >= 0 && val[in[j.b]] >= 0
			}
		}
	}
	r.turnedOn = r.turnedOn[:0]
	for _, d := range r.denied {
		k := d.label - 1
		in, tree := m.labels[k].in, r.tree[k]
		if r.stale[k] || val[in[d.cell]] >= 0 {
			continue
		}
		for _, j := range at[d.cell] {
			y := j.cell
			if val[in[y]] >= 0 && (tree[d.cell] == away || tree[y] == away || tree[y] == j.join && tree[d.cell] != j.join) {
				r.stale[k] = true
				break
			}
		}
	}
	r.denied = r.denied[:0]
	for k := range m.labels {
		if !r.stale[k] {
			continue
		}
		r.stale[k] = false
		lb, tree := &m.labels[k], r.tree[k]
		for x := range tree {
			tree[x] = away
		}
		from := m.items[lb.item].cell
		q := append(r.queue[:0], from)
		tree[from] = home
		for n := 0; n < len(q); n++ {
			x := q[n]
			for _, j := range at[x] {
				if tree[j.cell] != away || j.lit != none && val[j.lit] > 0 || val[lb.in[j.cell]] < 0 {
					continue
				}
				tree[j.cell] = j.join
				q = append(q, j.cell)
			}
		}
		r.queue = q
		if len(q) == len(lb.in) {
			continue
		}
		why := -1
		for x, lit := range lb.in {
			if tree[x] != away || val[lit] < 0 {
				continue
			}
			if why < 0 {
				out := m.scratch[:0]
				for _, x := range q {
					for _, j := range at[x] {
						if tree[j.cell] != away {
							continue
						}
						if j.lit != none && val[j.lit] > 0 {
							out = append(out, j.lit.Not())
						} else {
							out = append(out, lb.in[j.cell])
						}
					}
				}
				m.scratch = out
				why = r.note(out)
			}
			if !r.imply(c, lit.Not(), why) {
				r.stale[k] = true
				return
			}
		}
	}
}

// bounds is what is known of a sum: its least and greatest value.
type bounds struct{ lo, hi int }

// eraserCounts: in the region of an eraser no more symbols are erased than
// there are erasers; just as many, unless erasers may share or cancel.
func (m *model) eraserCounts(r *regions, c *path.Clauses) {
	exact := !m.p.Rules.ErasersCancel && !m.p.Rules.ErasersShare
	for k := range m.labels {
		lb := &m.labels[k]
		if m.items[lb.item].Kind != Eraser {
			continue
		}
		var erasers, gone bounds
		each := func(f func(in, gone path.Lit)) {
			for i := range m.items {
				if it := &m.items[i]; it.gone != none {
					f(lb.in[it.cell], it.gone)
				}
			}
			for i := range m.marks {
				if mk := &m.marks[i]; mk.gone != none && len(mk.cells) > 0 {
					f(lb.in[mk.cells[0]], mk.gone)
				}
			}
		}
		for i := range m.items {
			if it := &m.items[i]; it.Kind == Eraser {
				switch c.Value(lb.in[it.cell]) {
				case 1:
					erasers.lo++
					erasers.hi++
				case 0:
					erasers.hi++
				}
			}
		}
		each(func(in, x path.Lit) {
			switch v := min(c.Value(in), c.Value(x)); v {
			case 1:
				gone.lo++
				gone.hi++
			case 0:
				gone.hi++
			}
		})
		reason := func(more bool) []path.Lit {
			out := m.scratch[:0]
			for i := range m.items {
				if it := &m.items[i]; it.Kind == Eraser {
					in := lb.in[it.cell]
					if v := c.Value(in); more && v < 0 {
						out = append(out, in)
					} else if !more && v > 0 {
						out = append(out, in.Not())
					}
				}
			}
			each(func(in, x path.Lit) {
				switch v := min(c.Value(in), c.Value(x)); {
				case more && v > 0:
					out = append(out, in.Not(), x.Not())
				case !more && v < 0 && c.Value(x) < 0:
					out = append(out, x)
				case !more && v < 0:
					out = append(out, in)
				}
			})
			return out
		}
		conclude := func(why int, on bool) {
			each(func(in, x path.Lit) {
				vi, vx := c.Value(in), c.Value(x)
				switch {
				case on && min(vi, vx) == 0:
					// Both, since this one is needed.
					if vi == 0 {
						r.imply(c, in, why)
					}
					if vx == 0 {
						r.imply(c, x, why)
					}
				case !on && vi > 0 && vx == 0:
					// The reason names what is certain; that this one lies
					// here is a part of it.
					out := append(m.scratch[:0], in.Not())
					w := r.reasons[why]
					r.imply(c, x.Not(), r.note(append(out, r.stored[w.from:w.to]...)))
				case !on && vx > 0 && vi == 0:
					out := append(m.scratch[:0], x.Not())
					w := r.reasons[why]
					r.imply(c, in.Not(), r.note(append(out, r.stored[w.from:w.to]...)))
				}
			})
		}
		switch {
		case gone.lo > erasers.hi:
			r.add(c, reason(true)...)
			return
		case exact && gone.hi < erasers.lo:
			r.add(c, reason(false)...)
			return
		case gone.lo == erasers.hi && gone.hi > gone.lo:
			conclude(r.note(reason(true)), false)
		case exact && gone.hi == erasers.lo && gone.hi > gone.lo:
			conclude(r.note(reason(false)), true)
		}
	}
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
