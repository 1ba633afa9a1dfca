package fans

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"iter"
	"math"
	"math/bits"
	"slices"
	"strings"

	"onlooker/solve"
	"onlooker/solve/sat"
)

// A model is the board as a search sees it: an option is a fan and a
// direction, 4×fan + direction.
type model struct {
	p        *Puzzle
	fans     []int     // cells of fans that may be turned
	turbines []int     // cells of turbines that no fixed fan reaches
	reach    [][]int32 // by option: turbines, as numbers in the list above
	sees     [][]int32 // by turbine: options
	blows    []uint8   // by fan: the directions in which there is any turbine
}

func (p *Puzzle) model() *model {
	m := &model{p: p}
	number := make([]int32, len(p.cell)) // of turbines, −1 elsewhere
	for i, ch := range p.cell {
		number[i] = -1
		if ch == turbine {
			number[i] = 0
		}
	}
	for i, ch := range p.cell {
		if d := strings.IndexByte(fixed, ch); d >= 0 {
			p.ray(i, Direction(d), func(j int) { number[j] = -1 })
		}
		if ch == fan || strings.IndexByte(present, ch) >= 0 {
			m.fans = append(m.fans, i)
		}
	}
	for i := range p.cell {
		if number[i] == 0 {
			number[i] = int32(len(m.turbines))
			m.turbines = append(m.turbines, i)
		}
	}
	m.blows = make([]uint8, len(m.fans))
	m.reach = make([][]int32, 4*len(m.fans))
	count := make([]int, len(m.turbines))
	var all []int32
	from := make([]int, 0, 4*len(m.fans)+1)
	for f, i := range m.fans {
		for d := North; d <= West; d++ {
			from = append(from, len(all))
			p.ray(i, d, func(j int) {
				if p.cell[j] == turbine {
					m.blows[f] |= 1 << d
				}
				if t := number[j]; t >= 0 {
					all = append(all, t)
					count[t]++
				}
			})
		}
	}
	from = append(from, len(all))
	slab := make([]int32, len(all))
	m.sees = make([][]int32, len(m.turbines))
	for t, n := range count {
		m.sees[t], slab = slab[:0:n], slab[n:]
	}
	for o := range m.reach {
		m.reach[o] = all[from[o]:from[o+1]]
		for _, t := range m.reach[o] {
			m.sees[t] = append(m.sees[t], int32(o))
		}
	}
	return m
}

// strokes enters directions, one for each fan.
func (m *model) strokes(dirs []Direction) solve.Solution {
	s := make(solve.Solution, len(dirs))
	points := make([]image.Point, 2*len(dirs))
	for f, d := range dirs {
		i := m.fans[f]
		at := image.Pt(2*(i%m.p.cols)+1, 2*(i/m.p.cols)+1)
		points[2*f], points[2*f+1] = at, at.Add(d.Step().Mul(2))
		s[f] = points[2*f : 2*f+2 : 2*f+2]
	}
	return s
}

// A search holds the directions that are left to each fan. Choosing and
// excluding propagate: a turbine with one option left takes it, a turbine
// with none is a conflict.
type search struct {
	*model
	left    []uint8 // by fan: directions
	gone    []uint8 // by fan: exclusions that were propagated
	set     []int32 // by fan: the option whose wind was counted, or −1
	options []int32 // by turbine: options left
	winds   []int32 // by turbine: options that were counted as set
	open    int     // turbines without wind
	trail   []int32 // excluded options, in order
	head    int     // up to where the trail was propagated
	nodes   int     // choices made
}

// search returns a search at its root; it is false when there is no answer.
func (m *model) search() (*search, bool) {
	s := &search{
		model: m, left: make([]uint8, len(m.fans)), gone: make([]uint8, len(m.fans)), set: make([]int32, len(m.fans)),
		options: make([]int32, len(m.turbines)), winds: make([]int32, len(m.turbines)), open: len(m.turbines),
		trail: make([]int32, 0, 4*len(m.fans)),
	}
	for f := range s.left {
		s.left[f], s.set[f] = 15, -1
	}
	for t, o := range m.sees {
		s.options[t] = int32(len(o))
	}
	for t := range m.sees {
		if !s.look(int32(t)) {
			return s, false
		}
	}
	return s, s.propagate()
}

// exclude takes an option away; what follows is left to propagate.
func (s *search) exclude(o int32) {
	s.left[o/4] &^= 1 << (o % 4)
	s.trail = append(s.trail, o)
}

// choose excludes a fan's other directions.
func (s *search) choose(o int32) {
	for others := s.left[o/4] &^ (1 << (o % 4)); others != 0; others &= others - 1 {
		s.exclude(o&^3 + int32(bits.TrailingZeros8(others)))
	}
}

// look takes the last option of a turbine; it is false when none is left.
func (s *search) look(t int32) bool {
	if s.winds[t] > 0 || s.options[t] > 1 {
		return true
	}
	for _, o := range s.sees[t] {
		if s.left[o/4]>>(o%4)&1 == 1 {
			s.choose(o)
			return true
		}
	}
	return false
}

// propagate works off the trail; it is false at a conflict.
func (s *search) propagate() bool {
	for s.head < len(s.trail) {
		o := s.trail[s.head]
		s.head++
		for _, t := range s.reach[o] {
			s.options[t]--
		}
		f := o / 4
		if s.gone[f]++; s.gone[f] == 3 && s.left[f] != 0 {
			s.set[f] = f*4 + int32(bits.TrailingZeros8(s.left[f]))
			for _, t := range s.reach[s.set[f]] {
				if s.winds[t]++; s.winds[t] == 1 {
					s.open--
				}
			}
		}
		if s.left[f] == 0 {
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

// back undoes everything after the trail's first to entries.
func (s *search) back(to int) {
	for i := len(s.trail) - 1; i >= to; i-- {
		o := s.trail[i]
		f := o / 4
		if i < s.head {
			for _, t := range s.reach[o] {
				s.options[t]++
			}
			if s.gone[f] == 3 && s.set[f] >= 0 {
				for _, t := range s.reach[s.set[f]] {
					if s.winds[t]--; s.winds[t] == 0 {
						s.open++
					}
				}
				s.set[f] = -1
			}
			s.gone[f]--
		}
		s.left[f] |= 1 << (o % 4)
	}
	s.trail = s.trail[:to]
	s.head = min(s.head, to)
}

// branch is an option of the turbine without wind that has the fewest, or −1;
// of its options the one that reaches the most turbines without wind.
func (s *search) branch(among []int32) int32 {
	best, least := int32(-1), int32(math.MaxInt32)
	for _, t := range among {
		if s.winds[t] == 0 && s.options[t] < least {
			best, least = t, s.options[t]
		}
	}
	if best < 0 {
		return -1
	}
	choice, most := int32(-1), -1
	for _, o := range s.sees[best] {
		if s.left[o/4]>>(o%4)&1 == 0 {
			continue
		}
		n := 0
		for _, t := range s.reach[o] {
			if s.winds[t] == 0 {
				n++
			}
		}
		if n > most {
			choice, most = o, n
		}
	}
	return choice
}

// errNodes says that a search made as many choices as it may.
var errNodes = errors.New("fans: out of choices")

// often is how many choices go between two looks at the context.
const often = 256

// visit calls found at every point of the search at which no turbine is left
// without wind; the fans may then take any direction that is left to them, and
// no answer is met twice. It ends when found returns false, with the context's
// error, or with errNodes after that many choices if nodes is above 0.
func (s *search) visit(ctx context.Context, nodes int, found func() (bool, error)) error {
	all := make([]int32, len(s.turbines))
	for t := range all {
		all[t] = int32(t)
	}
	var walk func() (bool, error)
	walk = func() (bool, error) {
		if s.open == 0 {
			return found()
		}
		if s.nodes++; s.nodes == nodes {
			return false, errNodes
		}
		if s.nodes%often == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		o := s.branch(all)
		mark := len(s.trail)
		s.choose(o)
		if s.propagate() {
			if more, err := walk(); !more {
				return false, err
			}
		}
		s.back(mark)
		s.exclude(o)
		if s.propagate() {
			if more, err := walk(); !more {
				return false, err
			}
		}
		s.back(mark)
		return true, nil
	}
	_, err := walk()
	return err
}

// easy is how many choices Solve makes before it hands the board to a solver
// that learns from conflicts.
const easy = 2000

// Solve returns an answer, with the fewest quarter turns where fans have a
// present direction.
func (p *Puzzle) Solve(ctx context.Context) (solve.Solution, error) {
	b, err := p.Fewest(ctx)
	return b.Solution, err
}

// any returns directions that answer the board.
func (m *model) any(ctx context.Context) ([]Direction, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	s, ok := m.search()
	if !ok {
		return nil, solve.ErrUnsolvable
	}
	var dirs []Direction
	err := s.visit(ctx, easy, func() (bool, error) {
		dirs = m.cheapest(s.left)
		return false, nil
	})
	switch {
	case errors.Is(err, errNodes):
		c := m.clauses()
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
// first clockwise from north where there are several.
func (m *model) cheapest(left []uint8) []Direction {
	dirs := make([]Direction, len(left))
	for f, mask := range left {
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

// clauses is the board in propositional logic: a literal for each option, one
// of each fan's true, and for each turbine one of those that reach it.
type clauses struct {
	m      *model
	s      *sat.Solver
	option []sat.Lit
}

func (m *model) clauses() *clauses {
	c := &clauses{m: m, s: sat.New()}
	c.option = c.s.Vars(4 * len(m.fans))
	for f := range m.fans {
		c.s.Exactly(1, c.option[4*f:4*f+4])
	}
	for t := range m.turbines {
		c.s.Add(c.reached(t)...)
	}
	return c
}

func (c *clauses) reached(t int) []sat.Lit {
	var lits []sat.Lit
	for _, o := range c.m.sees[t] {
		lits = append(lits, c.option[o])
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

// Fewest returns an answer with the fewest quarter turns in all; fans without
// a present direction cost nothing. When the context ends first, it is the
// best answer found and Bound is what was proved by then.
//
// The bound rises from 0: while there is no answer within it, the solver names
// turns of which at least one must be made, and one of those is allowed
// (Morgado, Dodaro and Marques-Silva, Core-Guided MaxSAT with Soft Cardinality
// Constraints, 2014).
func (p *Puzzle) Fewest(ctx context.Context) (solve.Best, error) {
	m := p.model()
	dirs, err := m.any(ctx)
	if err != nil {
		return solve.Best{}, err
	}
	best := solve.Best{Cost: m.total(dirs)}
	if bytes.ContainsAny(p.cell, present) {
		best.Unit = "quarter turns"
	}
	if best.Cost > 0 {
		c := m.clauses()
		// allowed holds the sums that are now assumed to stay small: of a sum,
		// at[j] says that more than j of its literals are true.
		type sum struct {
			at []sat.Lit
			j  int
		}
		allowed := map[sat.Lit]sum{}
		for f := range m.fans {
			at := strings.IndexByte(present, p.cell[m.fans[f]])
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
				if ctx.Err() != nil {
					break
				}
				return solve.Best{}, err
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
				return solve.Best{}, fmt.Errorf("fans: the two searches disagree on whether there is an answer")
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
				at := c.count(lits)
				allowed[at[1]] = sum{at, 1}
			}
		}
	}
	best.Solution = m.strokes(dirs)
	return best, nil
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
		reaches := false
		p.ray(row*p.cols+col, d, func(j int) { reaches = reaches || p.cell[j] == turbine })
		if !reaches {
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
		if err := ctx.Err(); err != nil {
			yield(nil, err)
			return
		}
		m := p.model()
		s, ok := m.search()
		if !ok {
			return
		}
		dirs := make([]Direction, len(m.fans))
		var each func(f int) (bool, error)
		each = func(f int) (bool, error) {
			if f == len(dirs) {
				if err := ctx.Err(); err != nil {
					return false, err
				}
				return yield(m.strokes(dirs), nil), nil
			}
			for d := North; d <= West; d++ {
				if s.left[f]>>d&1 == 1 {
					dirs[f] = d
					if more, err := each(f + 1); !more {
						return false, err
					}
				}
			}
			return true, nil
		}
		if err := s.visit(ctx, 0, func() (bool, error) { return each(0) }); err != nil {
			yield(nil, err)
		}
	}
}

// Count returns min(answers, limit), counting each direction of each fan that
// may be turned. Without a limit, more answers than an int holds are an error
// that says so.
func (p *Puzzle) Count(ctx context.Context, limit int) (int, error) {
	return p.model().count(ctx, limit, func(f int, left uint8) int { return bits.OnesCount8(left) })
}

// CountGroups counts answers that differ in a fan whose wind reaches a turbine.
func (p *Puzzle) CountGroups(ctx context.Context, limit int) (n int, what string, err error) {
	m := p.model()
	n, err = m.count(ctx, limit, func(f int, left uint8) int {
		useful := bits.OnesCount8(left & m.blows[f])
		if left&^m.blows[f] != 0 {
			useful++ // all the others count as one
		}
		return useful
	})
	return n, "that differ where wind reaches a turbine", err
}

// count multiplies over parts of the board that have nothing to do with each
// other any more, and adds over choices. ways says how often a fan counts that
// may take any of the directions left.
func (m *model) count(ctx context.Context, limit int, ways func(f int, left uint8) int) (int, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	most := limit
	if limit <= 0 {
		most = math.MaxInt
	}
	times := func(a, b int) int {
		if a != 0 && b > most/a {
			return most
		}
		return min(a*b, most)
	}
	s, ok := m.search()
	if !ok {
		return 0, nil
	}
	// The fans that no turbine can still tell apart are multiplied when they
	// fall out of a part; mark says in which step a turbine was met.
	mark := make([]int, len(m.turbines))
	step := 0
	var err error
	var part func(fans, turbines []int32) int
	// split counts the parts that some fans and turbines fall into.
	split := func(fans, turbines []int32) int {
		step++
		now := step
		in := make(map[int32]bool, len(fans))
		n := 1
		for _, f := range fans {
			in[f] = true
		}
		for _, t := range turbines {
			if s.winds[t] > 0 || mark[t] >= now { // above now: a part within a part
				continue
			}
			mark[t] = now
			ts := []int32{t}
			var fs []int32
			for i := 0; i < len(ts); i++ {
				for _, o := range s.sees[ts[i]] {
					if f := o / 4; s.left[f]>>(o%4)&1 == 1 && in[f] {
						delete(in, f)
						fs = append(fs, f)
						for left := s.left[f]; left != 0; left &= left - 1 {
							for _, u := range s.reach[f*4+int32(bits.TrailingZeros8(left))] {
								if s.winds[u] == 0 && mark[u] != now {
									mark[u] = now
									ts = append(ts, u)
								}
							}
						}
					}
				}
			}
			if n = times(n, part(fs, ts)); n == 0 || err != nil {
				return 0
			}
		}
		for f := range in {
			n = times(n, ways(int(f), s.left[f]))
		}
		return n
	}
	part = func(fans, turbines []int32) int {
		if s.nodes++; s.nodes%often == 0 && ctx.Err() != nil {
			err = ctx.Err()
		}
		if err != nil {
			return 0
		}
		o := s.branch(turbines)
		at := len(s.trail)
		n := 0
		s.choose(o)
		if s.propagate() {
			n = split(fans, turbines)
		}
		s.back(at)
		s.exclude(o)
		if n < most && s.propagate() {
			n += min(split(fans, turbines), most-n)
		}
		s.back(at)
		return n
	}
	fans, turbines := make([]int32, len(m.fans)), make([]int32, len(m.turbines))
	for f := range fans {
		fans[f] = int32(f)
	}
	for t := range turbines {
		turbines[t] = int32(t)
	}
	n := split(fans, turbines)
	if err == nil && limit <= 0 && n == math.MaxInt {
		err = fmt.Errorf("fans: %d answers or more; give a limit", n)
	}
	if err != nil {
		return 0, err
	}
	return n, nil
}
