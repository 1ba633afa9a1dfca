package path

func (s *Solver) enqueue(l Lit, why reason) {
	v := l >> 1
	s.val[l], s.val[l^1] = 1, -1
	s.level[v] = int32(len(s.lim))
	s.why[v] = why
	s.place[v] = int32(len(s.trail))
	s.trail = append(s.trail, l)
}

// bcp propagates units; on a conflict it leaves the clause in confl.
func (s *Solver) bcp() bool {
	val := s.val
	for s.head < len(s.trail) {
		p := s.trail[s.head] // true
		s.head++
		if s.stats.Propagations++; s.stats.Propagations%tickProps == 0 && s.ctx.Err() != nil {
			s.ended = true
			return true
		}
		for _, q := range s.bins[p] {
			switch val[q] {
			case 0:
				s.enqueue(q, reason{rBinary, int32(p ^ 1)})
			case -1:
				s.confl = append(s.confl[:0], q, p^1)
				return false
			}
		}
		for _, t := range s.triples[p] {
			a, b := val[t.a], val[t.b]
			switch {
			case a > 0 || b > 0 || a == 0 && b == 0:
			case a == 0:
				s.enqueue(t.a, reason{rTriple | uint32(p^1), int32(t.b)})
			case b == 0:
				s.enqueue(t.b, reason{rTriple | uint32(p^1), int32(t.a)})
			default:
				s.confl = append(s.confl[:0], t.a, t.b, p^1)
				return false
			}
		}
		ws := s.watches[p]
		no := p ^ 1
		n := 0
		for i := 0; i < len(ws); i++ {
			w := ws[i]
			if val[w.blocker] == 1 {
				ws[n] = w
				n++
				continue
			}
			c := s.arena[w.ref+hLits : w.ref+hLits+int32(s.arena[w.ref+hSize])]
			if c[0] == no {
				c[0], c[1] = c[1], no
			}
			first := c[0]
			if first != w.blocker && val[first] == 1 {
				ws[n] = watch{w.ref, first}
				n++
				continue
			}
			moved := false
			for k := 2; k < len(c); k++ {
				if val[c[k]] >= 0 {
					c[1], c[k] = c[k], no
					s.watches[c[1]^1] = append(s.watches[c[1]^1], watch{w.ref, first})
					moved = true
					break
				}
			}
			if moved {
				continue
			}
			ws[n] = watch{w.ref, first}
			n++
			if val[first] < 0 {
				s.confl = append(s.confl[:0], c...)
				n += copy(ws[n:], ws[i+1:])
				s.watches[p] = ws[:n]
				return false
			}
			s.enqueue(first, reason{rClause, w.ref})
		}
		s.watches[p] = ws[:n]
	}
	return true
}

// propagate brings clauses, graph and propagators to rest, or sets ended when
// the context ends; on a conflict it returns false and leaves a clause of false
// literals in confl.
func (s *Solver) propagate() bool {
	for {
		if !s.takePending() || !s.bcp() {
			return false
		}
		if s.ended {
			return true
		}
		if s.graph != nil && s.ghead < len(s.trail) {
			n := len(s.trail)
			for s.ghead < len(s.trail) && len(s.trail) == n {
				l := s.trail[s.ghead]
				s.ghead++
				if !s.graph.assign(l) {
					return false
				}
			}
			continue
		}
		if len(s.props) > 0 {
			n := len(s.trail)
			from := s.phead
			s.phead = n
			for _, p := range s.props {
				for _, l := range s.trail[from:n] {
					p.Assign(l)
				}
			}
			for _, p := range s.props {
				p.Propagate(&s.hook)
				if s.pendAt < len(s.pend) || len(s.trail) != n {
					break
				}
			}
			if s.pendAt < len(s.pend) || len(s.trail) != n {
				continue
			}
		}
		return true
	}
}

// Attach makes p take part in all further searches.
func (s *Solver) Attach(p Propagator) {
	s.backTo(0)
	for _, l := range s.trail[:s.phead] {
		p.Assign(l)
	}
	s.props = append(s.props, p)
}

func (c *Clauses) add(keep bool, lits []Lit) {
	k := Lit(0)
	if keep {
		k = 1
	}
	c.s.pend = append(c.s.pend, Lit(len(lits)), k)
	c.s.pend = append(c.s.pend, lits...)
}

// Add adds a clause for good. It may be broken, met or undecided under the
// present assignment; it takes effect when the Propagator's method returns.
// The literals are copied.
func (c *Clauses) Add(lits ...Lit) { c.add(true, lits) }

// Lemma is like Add, but the clause may be forgotten later: for what the
// Propagator will find again when it is needed.
func (c *Clauses) Lemma(lits ...Lit) { c.add(false, lits) }

// Imply makes an open literal true at once; p must be an attached Explainer
// and will be asked for the clause, with tag, only if that matters. It must
// not be called after Add or Lemma within the same call of Propagate.
func (c *Clauses) Imply(p Explainer, l Lit, tag int) {
	s := c.s
	if s.val[l] != 0 || s.pendAt < len(s.pend) {
		panic("path: Imply of a literal that is assigned, or after Add")
	}
	for i, q := range s.props {
		if q == Propagator(p) {
			s.enqueue(l, reason{rOwn + uint32(i), int32(tag)})
			return
		}
	}
	panic("path: Imply by a Propagator that is not attached")
}

// Value is 1 when l is true now, -1 when it is false, 0 when it is open.
func (c *Clauses) Value(l Lit) int { return int(c.s.val[l]) }

// Values is Value of every literal, for loops over many: only to be read, and
// only until the Propagator's method returns.
func (c *Clauses) Values() []int8 { return c.s.val }
