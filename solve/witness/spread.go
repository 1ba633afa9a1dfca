package witness

import "onlooker/solve/path"

// A spreading is a walk from a cell to others that may lie in its region, by what the
// cheapest way there costs.
type spreading struct {
	far       []int32 // by cell: the cost, -1: it was not come to
	now, next []int32
}

// spread walks from a cell as far as ways go that cost no more than spare. A cell
// costs 1 where the balance becomes less by it, and nothing where it lies in the region
// already, or is counted as if it did.
func (w *balancing) spread(s *spreading, from, spare int32) {
	at, val, in := w.m.l.at, w.c.Values(), w.lb.in
	if len(s.far) < len(at) {
		s.far = make([]int32, len(at))
	}
	far := s.far
	for x := range far {
		far[x] = -1
	}
	far[from] = 0
	now, next := append(s.now[:0], from), s.next[:0]
	for d := int32(0); len(now) > 0; d++ {
		for n := 0; n < len(now); n++ {
			x := now[n]
			if far[x] < d {
				continue // a way that costs less was found meanwhile
			}
			for k := range at[x] {
				j := &at[x][k]
				y := j.cell
				switch {
				case far[y] >= 0 && far[y] <= d || val[in[y]] < 0 || j.lit != none && val[j.lit] > 0:
				case !w.costs(y):
					far[y] = d
					now = append(now, y)
				case far[y] < 0 && d < spare:
					far[y] = d + 1
					next = append(next, y)
				}
			}
		}
		now, next = next, now[:0]
	}
	s.now, s.next = now, next
}

// costs tells whether the balance becomes less when a cell is in the region.
func (w *balancing) costs(x int32) bool {
	switch {
	case w.c.Value(w.lb.in[x]) > 0 || int(x) >= w.m.l.real:
		return false
	case w.m.itemAt[x] < 0:
		return true
	}
	t := w.m.term(w.c, w.balance, x, w.sign)
	return t.inside() < t.most()
}

// walls appends why a spreading came no farther, and nowhere at less cost.
func (w *balancing) walls(out []path.Lit, s *spreading, spare int32) []path.Lit {
	m, val, in := w.m, w.c.Values(), w.lb.in
	for x, d := range s.far {
		if d < 0 {
			continue
		}
		for k := range m.l.at[x] {
			j := &m.l.at[x][k]
			y := j.cell
			barred := j.lit != none && val[j.lit] > 0
			switch {
			case !barred && val[in[y]] >= 0 || s.far[y] >= 0 && s.far[y] <= d:
			case d == spare && int(y) < m.l.real && m.itemAt[y] < 0 && val[in[y]] <= 0:
				// too far without that
			case barred:
				out = append(out, j.lit.Not())
			default:
				out = append(out, in[y])
			}
		}
	}
	return out
}

// reachMost is for how many cells more, as a part of the panel's columns and rows, a
// region can have room while it is worth looking how far that reaches: above, nothing
// was found 12,000 times on nine panels of the corpora. Large boards have far more room.
const reachMost = 1.25

// labelReach denies the label of each piece where its region has no room to come: the
// squares of all pieces that may lie in it do not last for the cells on the way. It
// comes last, since it takes longer than the other steps. Of 18 panels of the corpora
// with pieces, three ways each, the mean by factors is 0.65 of the conflicts that are
// met without it, and 0.63 of the time.
func (m *model) labelReach(r *regions, c *path.Clauses) {
	most := reachMost * float64(m.p.Cols+m.p.Rows)
	for k := range m.labels {
		lb := &m.labels[k]
		it := &m.items[lb.item]
		if it.area == 0 || !r.unspread[k] {
			continue
		}
		r.unspread[k] = false
		zero := m.zeroAt(it.cell)
		w := balancing{balance: balance{lb, 1}, m: m, r: r, c: c, excuses: []path.Lit{it.gone, zero}, excuse: none, sign: 1, note: -1}
		if !w.begin() || w.excuse != none {
			continue
		}
		if w.sum = w.most(); float64(w.sum) < most && w.sum < w.open && (!w.near() || r.implied > 0) {
			r.unspread[k] = true
			return
		}
	}
}

// near denies the cells that the region cannot come to: it has no room for all the
// cells on the way there. False when it left a broken clause.
func (w *balancing) near() bool {
	m, r, val, in := w.m, w.r, w.c.Values(), w.lb.in
	spare, home := int32(w.sum), &r.spreads[0]
	w.spread(home, m.items[w.lb.item].cell, spare)
	// What is farthest of all that lies in the region must be come to as well.
	last := int32(-1)
	for x, d := range home.far {
		if d > 0 && val[in[x]] > 0 && (last < 0 || d > home.far[last]) {
			last = int32(x)
		}
	}
	other := home
	if last >= 0 {
		other = &r.spreads[1]
		w.spread(other, last, spare)
	}
	note := -1
	for x := range int32(m.l.real) {
		a, b := home.far[x], other.far[x]
		switch {
		case val[in[x]] < 0:
			continue
		case a < 0 || b < 0:
		// A tree that joins three cells has no more than half of what the ways between
		// them cost, but for the cell where they meet, which is on all three.
		case last >= 0 && a+b+home.far[last] > 2*spare+1:
		default:
			continue
		}
		if note < 0 {
			note = r.note(w.farWhy(last, spare))
		}
		if !r.imply(w.c, in[x].Not(), note) {
			return false
		}
	}
	return true
}

// farWhy is why the region has room for so many cells more, and where they can lie.
func (w *balancing) farWhy(last, spare int32) []path.Lit {
	m := w.m
	out := w.why(0)
	for _, i := range m.pieceItems {
		if t := m.term(w.c, w.balance, m.items[i].cell, w.sign); t.v == 0 && t.g > 0 {
			out = t.erased(out)
		}
	}
	out = w.walls(out, &w.r.spreads[0], spare)
	if last >= 0 {
		out = w.walls(append(out, w.lb.in[last].Not()), &w.r.spreads[1], spare)
	}
	m.scratch = out
	return out
}
