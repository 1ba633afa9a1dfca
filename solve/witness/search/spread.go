package search

import (
	"onlooker/solve/path"
)

// free finds the cells that cost nothing: those that lie in the region already, or are
// counted as if they did. The others make the balance less.
func (w *balanceDraw) free() cellSet {
	m, free, e := w.m, w.r.free, &w.r.extents[w.m.labelOf[w.lb.item]]
	copy(free, e.inside)
	for x := m.l.real; x < len(m.l.cells); x++ {
		free.Add(int32(x))
	}
	for _, i := range m.pieceItems {
		x := m.items[i].cell
		if t := m.term(w.c, w.balance, x, w.sign); t.inside() >= t.most() {
			free.Add(x)
		}
	}
	for i := range free {
		free[i] &= e.open[i]
	}
	return free
}

// walls appends why a spread came no farther, and nowhere at less cost.
func (w *balanceDraw) walls(out []path.Lit, s *spreading, spare int32) []path.Lit {
	m, val, in := w.m, w.c.Values(), w.lb.in
	far := w.r.far
	for x := range far {
		far[x] = -1
	}
	for d := s.Costs() - 1; d >= 0; d-- {
		s.Within(d).Each(func(x int32) bool {
			far[x] = int32(d)
			return true
		})
	}
	for x, d := range far {
		if d < 0 {
			continue
		}
		for k := range m.l.at[x] {
			j := &m.l.at[x][k]
			y := j.cell
			barred := j.lit != none && val[j.lit] > 0
			switch {
			case !barred && val[in[y]] >= 0 || far[y] >= 0 && far[y] <= d:
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
		if r.unspread[k] = false; m.said(c, k) {
			continue
		}
		zero := m.zeroAt(it.cell)
		w := balanceDraw{balance: balance{lb, 1}, m: m, r: r, c: c, excuses: []path.Lit{it.gone, zero}, excuse: none, sign: 1, note: -1}
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
func (w *balanceDraw) near() bool {
	m, r := w.m, w.r
	e := &r.extents[m.labelOf[w.lb.item]]
	spare, free, home := int32(w.sum), w.free(), &r.spreads[0]
	home.Run(r.pass, m.items[w.lb.item].cell, spare, free, e.open)
	// What is farthest of all that lies in the region must be come to as well.
	other := home
	last, cost := home.Farthest(e.inside)
	if last >= 0 {
		other = &r.spreads[1]
		other.Run(r.pass, last, spare, free, e.open)
	}
	out := r.rest
	for i, open := range e.open {
		out[i] = open &^ (home.All()[i] & other.All()[i])
	}
	if last >= 0 {
		// A tree that joins three cells has no more than half of what the ways between
		// them cost, but for the cell where they meet, which is on all three.
		most := int(2*spare + 1 - cost)
		for d := range home.Costs() {
			for i, here := range home.Within(d) {
				if d > 0 {
					here &^= home.Within(d - 1)[i]
				}
				if most >= d {
					here &^= other.Within(most - d)[i]
				}
				out[i] |= here & e.open[i]
			}
		}
	}
	note := -1
	return out.Each(func(x int32) bool {
		if int(x) >= m.l.real {
			return true
		}
		if note < 0 {
			note = r.note(w.farWhy(last, spare))
		}
		return r.imply(w.c, w.lb.in[x].Not(), note)
	})
}

// farWhy is why the region has room for so many cells more, and where they can lie.
func (w *balanceDraw) farWhy(last, spare int32) []path.Lit {
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
