package fans

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"math/bits"
	"slices"
	"strings"

	"onlooker/solve"
	"onlooker/solve/limits"
	"onlooker/solve/sat"
)

// easy is how many conflicts Solve meets before it hands the board to a solver
// that learns from them.
const easy = 2000

// Solve returns an answer, with the fewest quarter turns where fans have a
// present direction.
func (p *Puzzle) Solve(ctx context.Context) (solve.Solution, error) {
	b, err := p.Fewest(ctx)
	return b.Solution, err
}

// any returns directions that answer the board.
func (m *model) any(ctx context.Context) ([]Direction, error) {
	s, ok := m.search(ctx)
	if s.err != nil {
		return nil, s.err
	}
	if !ok {
		return nil, solve.ErrUnsolvable
	}
	var dirs []Direction
	err := s.visit(easy, func() (bool, error) {
		dirs = m.cheapest(ctx, s.left)
		return false, ctx.Err()
	})
	switch {
	case errors.Is(err, errFails):
		c, _, err := m.clauses(ctx, false)
		if err != nil {
			return nil, err
		}
		ok, err := c.s.Solve(ctx)
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, solve.ErrUnsolvable
		}
		return c.dirs(), nil
	case err != nil:
		return nil, err
	case dirs == nil:
		return nil, solve.ErrUnsolvable
	}
	return dirs, nil
}

// cheapest takes for each fan the direction nearest to its present one, the
// first clockwise from north where there are several; nil when ctx has ended.
func (m *model) cheapest(ctx context.Context, left []uint8) []Direction {
	dirs := make([]Direction, len(left))
	for f, mask := range left {
		if f%oftenGone == 0 && ctx.Err() != nil {
			return nil
		}
		if m.p.cell[m.fans[f]] == fan {
			dirs[f] = Direction(bits.TrailingZeros8(mask))
			continue
		}
		least := 5
		for d := North; d <= West; d++ {
			if mask>>d&1 == 1 && m.cost(f, d) < least {
				dirs[f], least = d, m.cost(f, d)
			}
		}
	}
	return dirs
}

// cost is the quarter turns that take a fan to d; none where the board does
// not say how it is turned.
func (m *model) cost(f int, d Direction) int {
	at := strings.IndexByte(present, m.p.cell[m.fans[f]])
	if at < 0 {
		return 0
	}
	return turns(Direction(at), d)
}

func (m *model) total(dirs []Direction) int {
	n := 0
	for f, d := range dirs {
		n += m.cost(f, d)
	}
	return n
}

// Fewest returns an answer with the fewest quarter turns in all; fans without
// a present direction cost nothing. When the context ends first, it is the
// best answer found and Bound is what was proved by then.
//
// The bound rises from 0: while there is no answer within it, the solver names
// turns of which at least one must be made, and one of those is allowed
// (Morgado, Dodaro and Marques-Silva, Core-Guided MaxSAT with Soft Cardinality
// Constraints, 2014).
func (p *Puzzle) Fewest(ctx context.Context) (solve.BestAnswer, error) {
	m, err := p.model(ctx)
	if err != nil {
		return solve.BestAnswer{}, err
	}
	dirs, err := m.any(ctx)
	if err != nil {
		return solve.BestAnswer{}, err
	}
	best := solve.BestAnswer{Cost: m.total(dirs)}
	if bytes.ContainsAny(p.cell, present) {
		best.Unit = "quarter turns"
	}
	if best.Cost > 0 {
		dirs, err = m.fewest(ctx, dirs, &best)
		var large *limits.MemoryError
		// The best so far is an answer, whatever ended the search for better.
		if err != nil && ctx.Err() == nil && !errors.As(err, &large) {
			return solve.BestAnswer{}, err
		}
	}
	if best.Bound < best.Cost {
		// The context may have ended the search for a better one.
		ctx = context.WithoutCancel(ctx)
	}
	best.Solution, err = m.strokes(ctx, dirs)
	return best, err
}

// fewest takes up best, of which dirs is the answer, and returns the answer of
// what it makes of it, also with an error.
func (m *model) fewest(ctx context.Context, dirs []Direction, best *solve.BestAnswer) ([]Direction, error) {
	c, _, err := m.clauses(ctx, false)
	if err != nil {
		return dirs, err
	}
	// allowed holds the sums that are now assumed to stay small: of a sum,
	// at[j] says that more than j of its literals are true.
	type sum struct {
		at []sat.Lit
		j  int
	}
	allowed := map[sat.Lit]sum{}
	for f, i := range m.fans {
		at := strings.IndexByte(present, m.p.cell[i])
		if at < 0 {
			continue
		}
		// One literal for any turn, and one more for the second.
		allowed[c.option[4*f+at].Not()] = sum{}
		allowed[c.option[4*f+(at+2)%4]] = sum{}
	}
	for best.Bound < best.Cost {
		assume := make([]sat.Lit, 0, len(allowed))
		for l := range allowed {
			assume = append(assume, l.Not())
		}
		slices.Sort(assume) // a map has no order, and every run shall be alike
		ok, err := c.s.Solve(ctx, assume...)
		if err != nil {
			return dirs, err
		}
		if ok {
			dirs = c.dirs()
			best.Cost = m.total(dirs)
			best.Bound = best.Cost
			break
		}
		best.Bound++
		core := c.s.Failed()
		if len(core) == 0 {
			return dirs, fmt.Errorf("fans: the two searches disagree on whether there is an answer")
		}
		slices.Sort(core)
		lits := make([]sat.Lit, len(core))
		for i, l := range core {
			lits[i] = l.Not()
			was := allowed[l.Not()]
			delete(allowed, l.Not())
			if j := was.j + 1; j < len(was.at) {
				allowed[was.at[j]] = sum{was.at, j}
			}
		}
		if len(lits) > 1 {
			err := c.s.Build(ctx, func() {
				at := c.count(lits)
				allowed[at[1]] = sum{at, 1}
			})
			if err != nil {
				return dirs, err
			}
		}
	}
	return dirs, nil
}

// Tell says where a stroke turns its fan, how far from where it is, and
// whether its wind reaches no turbine, so that another direction may do as well.
func (p *Puzzle) Tell(s solve.Stroke) string {
	col, row := s[0].X/2, s[0].Y/2
	names := [4]string{North: "north", East: "east", South: "south", West: "west"}
	for d := North; d <= West; d++ {
		if s[1] != s[0].Add(d.Step().Mul(2)) {
			continue
		}
		text := fmt.Sprintf("fan in column %d row %d: %s", col+1, row+1, names[d])
		if at := strings.IndexByte(present, p.Cell(col, row)); at >= 0 {
			text += [4]string{", as it is", ", a quarter turn clockwise", ", two quarter turns", ", a quarter turn anticlockwise"}[(d-Direction(at))%4]
		}
		if p.sees()[row*p.cols+col]>>d&1 == 0 {
			text += ", reaching no turbine"
		}
		return text
	}
	return ""
}

// All yields every answer, those that differ only where no turbine is reached
// after one another.
func (p *Puzzle) All(ctx context.Context) iter.Seq2[solve.Solution, error] {
	return func(yield func(solve.Solution, error) bool) {
		m, err := p.model(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		s, ok := m.search(ctx)
		if ok {
			err = s.visit(0, func() (bool, error) { return s.each(yield) })
		} else {
			err = s.err
		}
		if err != nil {
			yield(nil, err)
		}
	}
}

// each yields all ways of turning the fans in directions left to them, the
// last fan turning the fastest.
func (s *search) each(yield func(solve.Solution, error) bool) (bool, error) {
	dirs := make([]Direction, len(s.left))
	for f, left := range s.left {
		dirs[f] = Direction(bits.TrailingZeros8(left))
	}
	for {
		answer, err := s.strokes(s.ctx, dirs)
		if err != nil {
			return false, err
		}
		if !yield(answer, nil) {
			return false, nil
		}
		f := len(dirs) - 1
		for ; f >= 0; f-- {
			if more := s.left[f] >> (dirs[f] + 1); more != 0 {
				dirs[f] += Direction(1 + bits.TrailingZeros8(more))
				break
			}
			dirs[f] = Direction(bits.TrailingZeros8(s.left[f]))
		}
		if f < 0 {
			return true, nil
		}
	}
}
