package search

import (
	"onlooker/solve/path"
)

// labelSizes compares the size of each piece's region with that of the pieces
// in it: equal, or nothing at all where blue pieces are among them.
func (m *model) labelSizes(r *regions, c *path.Clauses) {
	for k := range m.labels {
		lb := &m.labels[k]
		it := &m.items[lb.item]
		if it.area == 0 || !r.resized[k] {
			continue
		}
		if r.resized[k] = false; m.said(c, k) {
			continue
		}
		zero := m.zeroAt(it.cell)
		if !m.balance(r, c, balance{lb, 1}, it.gone, zero) {
			r.resized[k] = true
			return
		}
		if zero != none && !m.balance(r, c, balance{lb, 0}, it.gone, zero.Not()) {
			r.resized[k] = true
			return
		}
	}
}

// said tells whether the label of an earlier piece, which is not erased, is of the same
// region, and says the same of it. Of the 93 hardest panels of the corpora the mean by
// factors is 0.88 of the time that they take otherwise.
func (m *model) said(c *path.Clauses, k int) bool {
	in, val := m.labels[k].in, c.Values()
	for _, o := range m.labels[:k] {
		if it := &m.items[o.item]; it.area != 0 && val[in[it.cell]] > 0 && value(c, it.gone) < 0 {
			return true
		}
	}
	return false
}

// zeroAt says that the pieces of a cell's region come to nothing; none where they
// cannot.
func (m *model) zeroAt(cell int32) path.Lit {
	if m.zero == none {
		return none
	}
	return m.zero + 2*path.Lit(cell)
}

// A balance is a sum over a label's region that should be nothing: the squares
// of its pieces, less those of blue ones, less so much for every cell. A piece
// and the cell that it stands in are one term of it, so that a single square
// changes nothing wherever it belongs.
type balance struct {
	lb   *label
	cell int
}

// A term is what a cell can add to a balance, or, with sign -1, take from it.
type term struct {
	in, gone path.Lit // gone: of the piece in the cell, none where it cannot be
	with     int      // when it is in the region, its piece too
	without  int      // when its piece is erased
	v, g     int      // values of in and gone
}

func (m *model) term(c *path.Clauses, b balance, x int32, sign int) term {
	t := term{in: b.lb.in[x], gone: none, with: -sign * b.cell, without: -sign * b.cell, g: -1}
	t.v = c.Value(t.in)
	if i := m.itemAt[x]; i >= 0 {
		if it := &m.items[i]; it.area != 0 {
			t.with += sign * it.area
			t.gone = it.gone
		}
	}
	if t.gone != none {
		t.g = c.Value(t.gone)
	}
	return t
}

// inside is the most that the term can be when its cell is in the region.
func (t term) inside() int {
	switch {
	case t.g < 0:
		return t.with
	case t.g > 0:
		return t.without
	}
	return max(t.with, t.without)
}

// most is the most that the term can be.
func (t term) most() int {
	switch {
	case t.v > 0:
		return t.inside()
	case t.v < 0:
		return 0
	}
	return max(0, t.inside())
}

// open is the term when nothing is known.
func (t term) open() term {
	t.v, t.g = 0, 0
	if t.gone == none {
		t.g = -1
	}
	return t
}

// facts appends why the term is no more than that.
func (t term) facts(out []path.Lit) []path.Lit {
	most, open := t.most(), t.open()
	if most == open.most() {
		return out
	}
	if t.v < 0 {
		return append(out, t.in)
	}
	if t.v > 0 {
		only := open
		only.v = 1
		if only.most() == most {
			return append(out, t.in.Not())
		}
	}
	out = t.erased(out)
	if t.v > 0 {
		only := open
		only.g = t.g
		if only.most() != most {
			out = append(out, t.in.Not())
		}
	}
	return out
}

// erased appends that the cell's piece is erased, or that it is not.
func (t term) erased(out []path.Lit) []path.Lit {
	switch {
	case t.gone == none:
	case t.g > 0:
		out = append(out, t.gone.Not())
	case t.g < 0:
		out = append(out, t.gone)
	}
	return out
}

// A balanceDraw is a balance being drawn from, in one direction: sign 1 asks whether
// the sum can still come up to nothing, -1 whether it can come down to it.
type balanceDraw struct {
	balance
	m            *model
	r            *regions
	c            *path.Clauses
	excuses      []path.Lit
	excuse       path.Lit // the one that is open, or none
	inside, open int      // cells without pieces that are in the region, or may be
	sign         int
	sum          int // the most that it can be
	note         int // the reason that is noted, -1
}

// balance draws what follows from a balance that must come to nothing unless
// one of the excuses holds; false when it left a broken clause.
func (m *model) balance(r *regions, c *path.Clauses, b balance, excuses ...path.Lit) bool {
	w := balanceDraw{balance: b, m: m, r: r, c: c, excuses: excuses, excuse: none}
	if !w.begin() {
		return true
	}
	for _, sign := range [2]int{1, -1} {
		w.sign, w.note = sign, -1
		w.sum = w.most()
		switch {
		case w.sum >= 0 && (w.excuse != none || w.sum > m.largest):
		case w.sum < 0 && w.excuse != none:
			return r.imply(c, w.excuse, r.note(w.why(-1-w.sum)))
		case w.sum < 0:
			r.add(c, w.why(-1-w.sum)...)
			return false
		case !w.drawPieces() || w.sum == 0 && w.open > 0 && !w.drawCells():
			return false
		}
	}
	return true
}

// begin looks at the excuses, and counts cells; false when nothing follows.
func (w *balanceDraw) begin() bool {
	val := w.c.Values()
	for _, x := range w.excuses {
		switch {
		case x == none:
		case val[x] > 0 || val[x] == 0 && w.excuse != none:
			return false
		case val[x] == 0:
			w.excuse = x
		}
	}
	if w.cell == 0 {
		return true
	}
	for _, x := range w.m.plain {
		switch val[w.lb.in[x]] {
		case 1:
			w.inside++
		case 0:
			w.open++
		}
	}
	return true
}

// most is the most that the sum can be.
func (w *balanceDraw) most() int {
	m, val := w.m, w.c.Values()
	sum := -w.inside
	if w.sign < 0 {
		sum = w.inside + w.open
	}
	for _, i := range m.pieceItems {
		it := &m.items[i]
		if v := val[w.lb.in[it.cell]]; v > 0 || v == 0 && (it.gone != none || (w.sign > 0) == (it.area > 0)) {
			sum += m.term(w.c, w.balance, it.cell, w.sign).most()
		}
	}
	return sum
}

// why lists the reasons for all terms, or only for as many as must be known since
// the sum could be larger by spare.
func (w *balanceDraw) why(spare int) []path.Lit {
	m := w.m
	out := m.scratch[:0]
	for _, x := range w.excuses {
		if x != none && x != w.excuse {
			out = append(out, x)
		}
	}
	val := w.c.Values()
	for x := range m.l.real {
		if i := m.itemAt[x]; i < 0 || m.items[i].area == 0 { // as below, in few steps
			switch in := w.lb.in[x]; {
			case val[in] == 0 || (val[in] > 0) != (w.sign > 0):
			case w.cell <= spare:
				spare -= w.cell
			case val[in] > 0:
				out = append(out, in.Not())
			default:
				out = append(out, in)
			}
			continue
		}
		t := m.term(w.c, w.balance, int32(x), w.sign)
		if loss := t.open().most() - t.most(); loss <= spare {
			spare -= loss
		} else {
			out = t.facts(out)
		}
	}
	m.scratch = out
	return out
}

// imply makes a literal true for the whole sum, and for more.
func (w *balanceDraw) imply(l path.Lit, more ...path.Lit) bool {
	r := w.r
	if w.note < 0 {
		w.note = r.note(w.why(0))
	}
	n := w.note
	if len(more) > 0 {
		reason := r.reasons[w.note]
		n = r.note(append(more, r.stored[reason.from:reason.to]...))
	}
	return r.imply(w.c, l, n)
}

// drawPieces draws what follows for single pieces; false when it left a broken
// clause.
func (w *balanceDraw) drawPieces() bool {
	m := w.m
	for _, i := range m.pieceItems {
		t := m.term(w.c, w.balance, m.items[i].cell, w.sign)
		rest := w.sum - t.most()
		ok := true
		switch {
		case t.v == 0 && rest < 0:
			ok = w.imply(t.in)
		case t.v == 0 && rest+t.inside() < 0:
			ok = w.imply(t.in.Not(), t.erased(nil)...)
		case t.v > 0 && t.g == 0 && rest+t.with < 0:
			ok = w.imply(t.gone, t.in.Not())
		case t.v > 0 && t.g == 0 && rest+t.without < 0:
			ok = w.imply(t.gone.Not(), t.in.Not())
		}
		if !ok {
			return false
		}
	}
	return true
}

// drawCells decides all cells without pieces: none may be lost, or none added.
func (w *balanceDraw) drawCells() bool {
	for _, x := range w.m.plain {
		in := w.lb.in[x]
		if w.c.Value(in) != 0 {
			continue
		}
		if w.sign > 0 {
			in = in.Not()
		}
		if !w.imply(in) {
			return false
		}
	}
	return true
}
