package fans

import (
	"context"
	"fmt"
	"image"
	"iter"
	"math"
	"math/bits"

	"onlooker/solve"
	"onlooker/solve/sat"
)

// A model is the board as a search sees it: an option is a fan and a direction,
// 4×fan + direction.
type model struct {
	p     *Puzzle
	fans  []int   // cells
	cells []int   // of the turbines
	reach [][]int // by option: turbines
	from  [][]int // by turbine: options
}

// model looks along each fan's ways; it ends when ctx does.
func (p *Puzzle) model(ctx context.Context) (*model, error) {
	m := &model{p: p}
	number := make([]int, len(p.cell))
	for i, ch := range p.cell {
		if ch == turbine {
			number[i] = len(m.cells)
			m.cells = append(m.cells, i)
		}
	}
	m.from = make([][]int, len(m.cells))
	for i, ch := range p.cell {
		if ch != fan {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for d := North; d <= West; d++ {
			var reach []int
			for at := range p.ahead(i, d) {
				if p.cell[at] == turbine {
					reach = append(reach, number[at])
					m.from[number[at]] = append(m.from[number[at]], 4*len(m.fans)+int(d))
				}
			}
			m.reach = append(m.reach, reach)
		}
		m.fans = append(m.fans, i)
	}
	return m, ctx.Err()
}

// clauses states the board: one of each fan's options, and for each turbine one of those
// that reach it, unless its own literal of asks is false.
func (p *Puzzle) clauses(ctx context.Context, ask bool) (m *model, s *sat.Solver, options, asks []sat.Lit, err error) {
	if m, err = p.model(ctx); err != nil {
		return nil, nil, nil, nil, err
	}
	s = sat.New()
	err = s.Build(ctx, func() {
		options = s.Vars(len(m.reach))
		for f := range m.fans {
			s.Exactly(1, options[4*f:4*f+4])
		}
		if ask {
			asks = s.Vars(len(m.from))
		}
		for t, from := range m.from {
			var lits []sat.Lit
			for _, o := range from {
				lits = append(lits, options[o])
			}
			if ask {
				lits = append(lits, asks[t].Not())
			}
			s.Add(lits...)
		}
	})
	return m, s, options, asks, err
}

// Solve returns an answer.
func (p *Puzzle) Solve(ctx context.Context) (solve.Solution, error) {
	m, s, options, _, err := p.clauses(ctx, false)
	if err != nil {
		return nil, err
	}
	if ok, err := s.Solve(ctx); err != nil {
		return nil, err
	} else if !ok {
		return nil, solve.ErrUnsolvable
	}
	dirs := make([]Direction, len(m.fans))
	for o, l := range options {
		if s.Value(l) {
			dirs[o/4] = Direction(o % 4)
		}
	}
	return m.strokes(dirs), nil
}

// strokes enters directions, one for each fan.
func (m *model) strokes(dirs []Direction) solve.Solution {
	s := make(solve.Solution, len(dirs))
	for f, d := range dirs {
		at := m.p.centre(m.fans[f])
		s[f] = solve.Stroke{at, at.Add(d.Step().Mul(2))}
	}
	return s
}

// A search holds the directions that are left to each fan. A turbine with one option left
// takes it, a turbine with none is a conflict.
type search struct {
	*model
	left  []uint8 // by fan: directions
	sides []int   // by turbine: options left
	winds []int   // by turbine: fans that have no other direction left
	trail []int   // excluded options, in order
	head  int     // up to where the trail was propagated
	steps int
	ctx   context.Context
	err   error // the context's
}

// search returns a search at its root; it is false when there is no answer, or the context
// ended: see err.
func (m *model) search(ctx context.Context) (*search, bool) {
	s := &search{model: m, ctx: ctx, left: make([]uint8, len(m.fans)), sides: make([]int, len(m.from)), winds: make([]int, len(m.from))}
	for f := range s.left {
		s.left[f] = 15
	}
	for t := range s.sides {
		s.sides[t] = len(m.from[t])
	}
	for t := range s.sides {
		if !s.look(t) {
			return s, false
		}
	}
	return s, s.propagate()
}

// ended tells now and then whether the context has ended.
func (s *search) ended() bool {
	const often = 1 << 8
	if s.steps++; s.steps%often == 0 && s.err == nil {
		s.err = s.ctx.Err()
	}
	return s.err != nil
}

func (s *search) can(o int) bool { return s.left[o/4]>>(o%4)&1 == 1 }

// exclude takes an option away; what follows is left to propagate.
func (s *search) exclude(o int) {
	f := o / 4
	s.left[f] &^= 1 << (o % 4)
	s.trail = append(s.trail, o)
	s.count(o, -1)
}

// count counts an option that goes, or comes back, and the last one of its fan.
func (s *search) count(o, by int) {
	for _, t := range s.reach[o] {
		s.sides[t] += by
	}
	if left := s.left[o/4]; bits.OnesCount8(left) == 1 {
		for _, t := range s.reach[o&^3+bits.TrailingZeros8(left)] {
			s.winds[t] -= by
		}
	}
}

// choose excludes a fan's other directions.
func (s *search) choose(o int) {
	for others := s.left[o/4] &^ (1 << (o % 4)); others != 0; others &= others - 1 {
		s.exclude(o&^3 + bits.TrailingZeros8(others))
	}
}

// look takes the last option of a turbine that has no wind; it is false when none is left.
func (s *search) look(t int) bool {
	if s.winds[t] > 0 || s.sides[t] != 1 {
		return s.winds[t] > 0 || s.sides[t] > 1
	}
	for _, o := range s.from[t] {
		if s.can(o) {
			s.choose(o)
			return true
		}
	}
	return true // a fan with no direction left: propagate tells
}

// propagate works off the trail; it is false at a conflict.
func (s *search) propagate() bool {
	for s.head < len(s.trail) {
		o := s.trail[s.head]
		s.head++
		if s.ended() || s.left[o/4] == 0 {
			return false
		}
		for _, t := range s.reach[o] {
			if !s.look(t) {
				return false
			}
		}
	}
	return true
}

// back undoes the trail down to a length.
func (s *search) back(to int) {
	for len(s.trail) > to {
		o := s.trail[len(s.trail)-1]
		s.trail = s.trail[:len(s.trail)-1]
		s.count(o, 1)
		s.left[o/4] |= 1 << (o % 4)
	}
	s.head = to
}

// branch is an option of the turbine without wind that has the fewest; -1 where every one
// has wind.
func (s *search) branch(among []int) int {
	best := -1
	for _, t := range among {
		if s.winds[t] == 0 && (best < 0 || s.sides[t] < s.sides[best]) {
			best = t
		}
	}
	if best < 0 {
		return -1
	}
	for _, o := range s.from[best] {
		if s.can(o) {
			return o
		}
	}
	return -1
}

// both follows an option being chosen, and being excluded, while f wants more.
func (s *search) both(o int, f func() bool) bool {
	for _, choice := range []func(int){s.choose, s.exclude} {
		at := len(s.trail)
		choice(o)
		more := !s.propagate() || f()
		s.back(at)
		if !more || s.ended() {
			return false
		}
	}
	return true
}

// All yields every answer, those that differ only where no turbine is reached after one
// another.
func (p *Puzzle) All(ctx context.Context) iter.Seq2[solve.Solution, error] {
	return func(yield func(solve.Solution, error) bool) {
		m, err := p.model(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		s, ok := m.search(ctx)
		if ok {
			turbines, more := numbers(len(m.from)), true
			var visit func() bool
			visit = func() bool {
				if o := s.branch(turbines); o >= 0 {
					return s.both(o, visit)
				}
				more = s.each(make([]Direction, 0, len(s.left)), yield)
				return more
			}
			visit()
			if !more {
				return
			}
		}
		if s.err != nil {
			yield(nil, s.err)
		}
	}
}

// each yields all ways of turning the fans in directions left to them, the last fan
// turning the fastest.
func (s *search) each(dirs []Direction, yield func(solve.Solution, error) bool) bool {
	if len(dirs) == len(s.left) {
		return !s.ended() && yield(s.strokes(dirs), nil)
	}
	for left := s.left[len(dirs)]; left != 0; left &= left - 1 {
		if !s.each(append(dirs, Direction(bits.TrailingZeros8(left))), yield) {
			return s.err != nil // what ended is told by whoever asked
		}
	}
	return true
}

func numbers(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// Count returns min(answers, limit), counting each direction of each fan. Without a limit,
// more answers than an int holds are an error that says so.
func (p *Puzzle) Count(ctx context.Context, limit int) (int, error) {
	return p.count(ctx, limit, func(_ *model, _ int, left uint8) int { return bits.OnesCount8(left) })
}

// CountGroups counts answers that differ in a fan whose wind reaches a turbine.
func (p *Puzzle) CountGroups(ctx context.Context, limit int) (n int, what string, err error) {
	n, err = p.count(ctx, limit, func(m *model, f int, left uint8) int {
		useful, other := 0, 0
		for ; left != 0; left &= left - 1 {
			if len(m.reach[4*f+bits.TrailingZeros8(left)]) > 0 {
				useful++
			} else {
				other = 1 // all the others count as one
			}
		}
		return useful + other
	})
	return n, "that differ where wind reaches a turbine", err
}

// A counter counts the ways to turn the fans of a search.
type counter struct {
	*search
	ways func(m *model, f int, left uint8) int // a fan may take any direction left
	most int                                   // where counting stops
	// met is by fan and by turbine the number of the step that met it last.
	step             int
	metFan, metTower []int
}

func (p *Puzzle) count(ctx context.Context, limit int, ways func(m *model, f int, left uint8) int) (int, error) {
	m, err := p.model(ctx)
	if err != nil {
		return 0, err
	}
	s, ok := m.search(ctx)
	if !ok {
		return 0, s.err
	}
	most := limit
	if limit <= 0 {
		most = math.MaxInt
	}
	c := &counter{search: s, ways: ways, most: most, metFan: make([]int, len(m.fans)), metTower: make([]int, len(m.from))}
	n := c.split(numbers(len(m.fans)), numbers(len(m.from)))
	switch {
	case s.err != nil:
		return 0, s.err
	case limit <= 0 && n == math.MaxInt:
		return 0, fmt.Errorf("fans: %d answers or more; give a limit", n)
	}
	return n, nil
}

func (c *counter) times(a, b int) int {
	if a != 0 && b > c.most/a {
		return c.most
	}
	return min(a*b, c.most)
}

// split multiplies over the parts that some fans and turbines fall into, which have nothing
// to do with each other any more, and over the fans that no turbine can tell apart.
func (c *counter) split(fans, turbines []int) int {
	c.step++
	now, n := c.step, 1
	for _, t := range turbines {
		if c.winds[t] > 0 || c.metTower[t] >= now { // above now: a part within a part
			continue
		}
		fs, ts := c.reachable(t, now)
		if n = c.times(n, c.part(fs, ts)); n == 0 || c.err != nil {
			return 0
		}
	}
	for _, f := range fans {
		if c.metFan[f] < now {
			n = c.times(n, c.ways(c.model, f, c.left[f]))
		}
	}
	return n
}

// reachable lists the turbines without wind that hang together with t, and the fans that may
// still reach them.
func (c *counter) reachable(t, now int) (fs, ts []int) {
	c.metTower[t] = now
	ts = []int{t}
	for i := 0; i < len(ts); i++ {
		for _, o := range c.from[ts[i]] {
			f := o / 4
			if !c.can(o) || c.metFan[f] >= now {
				continue
			}
			c.metFan[f] = now
			fs = append(fs, f)
			for left := c.left[f]; left != 0; left &= left - 1 {
				for _, u := range c.reach[4*f+bits.TrailingZeros8(left)] {
					if c.winds[u] == 0 && c.metTower[u] < now {
						c.metTower[u] = now
						ts = append(ts, u)
					}
				}
			}
		}
	}
	return fs, ts
}

// part adds over the two outcomes of a choice.
func (c *counter) part(fans, turbines []int) int {
	n := 0
	c.both(c.branch(turbines), func() bool {
		n += min(c.split(fans, turbines), c.most-n)
		return n < c.most
	})
	return n
}

// Tell says where a stroke turns its fan, and whether its wind reaches no turbine, so that
// another direction may do as well.
func (p *Puzzle) Tell(s solve.Stroke) string {
	at := image.Pt(s[0].X/2, s[0].Y/2)
	for d := North; d <= West; d++ {
		if s[1] != s[0].Add(d.Step().Mul(2)) {
			continue
		}
		text := fmt.Sprintf("fan in column %d row %d: %s", at.X+1, at.Y+1, d.word())
		for i := range p.ahead(at.Y*p.cols+at.X, d) {
			if p.cell[i] == turbine {
				return text
			}
		}
		return text + ", reaching no turbine"
	}
	return ""
}
