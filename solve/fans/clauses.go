package fans

import (
	"context"

	"onlooker/solve/limits"
	"onlooker/solve/sat"
)

// clauses is the board in propositional logic: a literal for each option, one
// of each fan's true, and for each turbine one of those that reach it.
type clauses struct {
	m      *model
	s      *sat.Solver
	option []sat.Lit
	// link is true only when one of a stream's fans up to one blows; by stream
	// and fan, one list behind the other, 0 where there is none.
	link []sat.Lit
	from []int32 // by stream, where its entries begin
}

// ofOption is what a fan's option takes in the solver, in bytes, with its share
// of the links and the turbines: 345 were measured on 1000×1000 cells, every
// other one a fan, and lists that grow are held twice for a while.
const ofOption = 2 * 345

// clauses states the board; each turbine must be reached unless asks, by
// turbine, has a literal that is false.
func (m *model) clauses(ctx context.Context, ask bool) (c *clauses, asks []sat.Lit, err error) {
	if err := limits.Room(ctx, 4*ofOption*int64(len(m.fans))); err != nil {
		return nil, nil, err
	}
	c = &clauses{m: m, s: sat.New()}
	err = c.s.Build(ctx, func() {
		c.option = c.s.Vars(4 * len(m.fans))
		for f := range m.fans {
			c.s.Exactly(1, c.option[4*f:4*f+4])
		}
		c.blow()
		if ask {
			asks = c.s.Vars(len(m.turbines))
		}
		for t := range m.turbines {
			lits := make([]sat.Lit, 0, 4*linked+1)
			for d := North; d <= West; d++ {
				id, n := m.upwind(int32(t), d)
				lits = c.reached(lits, id, n)
			}
			if ask {
				lits = append(lits, asks[t].Not())
			}
			c.s.Add(lits...)
		}
	})
	return c, asks, err
}

// linked is how many options stand for themselves in a clause: those upwind of
// them stand there as one link. Fewer links would take room by the square of a
// lane's fans; with one for each option boards of 10×10 to 30×30 take half as
// long again.
const linked = 8

// blow states the links.
func (c *clauses) blow() {
	c.link = make([]sat.Lit, 4*len(c.m.fans))
	c.from = make([]int32, len(c.m.streams))
	from := int32(0)
	for id := range c.m.streams {
		c.from[id] = from
		from += c.m.streams[id].n
		for q := int32(linked); q < c.m.streams[id].n; q += linked {
			v := c.s.Var()
			c.s.Implies(v, c.reached(nil, int32(id), q)...)
			c.link[c.from[id]+q-1] = v
		}
	}
}

// reached appends what says that one of a stream's first n fans blows.
func (c *clauses) reached(lits []sat.Lit, id, n int32) []sat.Lit {
	for q := n - 1; q >= 0; q-- {
		if l := c.link[c.from[id]+q]; l != 0 {
			return append(lits, l)
		}
		lits = append(lits, c.option[c.m.option(&c.m.streams[id], q)])
	}
	return lits
}

func (c *clauses) dirs() []Direction {
	dirs := make([]Direction, len(c.m.fans))
	for o, l := range c.option {
		if c.s.Value(l) {
			dirs[o/4] = Direction(o % 4)
		}
	}
	return dirs
}

// count returns literals that are true when more than 0, 1, 2 … of the given
// ones are; only that direction is stated.
func (c *clauses) count(lits []sat.Lit) []sat.Lit {
	if len(lits) == 1 {
		return lits
	}
	a, b := c.count(lits[:len(lits)/2]), c.count(lits[len(lits)/2:])
	out := c.s.Vars(len(lits))
	for i := 0; i <= len(a); i++ {
		for j := 0; j <= len(b); j++ {
			if i+j == 0 {
				continue
			}
			clause := []sat.Lit{out[i+j-1]}
			if i > 0 {
				clause = append(clause, a[i-1].Not())
			}
			if j > 0 {
				clause = append(clause, b[j-1].Not())
			}
			c.s.Add(clause...)
		}
	}
	return out
}
