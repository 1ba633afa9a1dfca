package path

import (
	"context"
	"errors"
	"math"
	"slices"
)

// ErrTooWide says that Sweep met more states than it was allowed.
var ErrTooWide = errors.New("path: the sweep has more states than its limit")

// A Plan is a graph of paths as Graph keeps it, with every edge its own
// variable and no clauses.
type Plan struct {
	Kinds   []Kind
	Colours []int // of ends; equal ones may be joined, 0 with any
	Edges   [][2]int
	Single  bool // at most one path
}

// Sweep counts the sets of edges that make paths as Graph describes them, at
// most math.MaxUint64. It shares nothing with the Solver, so that either checks
// the other: vertices are passed in the given order (nil: by number), and of
// each half-drawn picture only what the vertices ahead can see is kept: which of
// them are ends of pieces, and of which others (D. Knuth, The Art of Computer
// Programming 4A, 7.1.4, "Simpath"). It is quick where few edges lead from the
// vertices behind to those ahead; more than limit states at once end it with
// ErrTooWide. The error is otherwise the context's.
func Sweep(ctx context.Context, p Plan, order []int, limit int) (uint64, error) {
	n := len(p.Kinds)
	if order == nil {
		for v := range n {
			order = append(order, v)
		}
	}
	at := make([]int, n)
	for i, v := range order {
		at[v] = i
	}
	ahead := make([][]int, n) // edges by their earlier vertex
	come := make([][]int, n)  // vertices by the one that brings them into view
	first := slices.Clone(at)
	for e, uv := range p.Edges {
		u, v := uv[0], uv[1]
		if at[u] > at[v] {
			u, v = v, u
		}
		ahead[u] = append(ahead[u], e)
		first[v] = min(first[v], at[u])
	}
	for _, w := range order {
		v := order[first[w]]
		come[v] = append(come[v], w)
	}
	s := &sweep{p: &p, ctx: ctx, mate: make([]int, n), states: map[string]uint64{"\x00": 1}}
	for _, v := range order {
		s.show(come[v])
		for _, e := range ahead[v] {
			if s.decide(p.Edges[e]); len(s.states) > limit {
				return 0, ErrTooWide
			}
		}
		s.hide(v)
		if s.ended() {
			return 0, ctx.Err()
		}
	}
	sum := uint64(0)
	for _, k := range s.states {
		sum = add(sum, k)
	}
	return sum, nil
}

// A sweep is how far Sweep has come. A state is a number for each vertex in
// view: itself, when it has no edge; the piece's other end, when it is one end
// of a piece; swept, when it has all its edges; -c-2, when the piece's other end
// is an end of colour c. Before them stands how many paths are complete, to 2.
type sweep struct {
	p      *Plan
	ctx    context.Context
	since  int // numbers read since the context was asked
	view   []int
	mate   []int             // of the state in hand, by vertex
	states map[string]uint64 // in how many ways each comes about
}

const swept = -1

// sweepLook is how many numbers of states are read between two looks at the
// context: some milliseconds' worth.
const sweepLook = 1 << 16

// ended tells whether the context has.
func (s *sweep) ended() bool { return s.ctx.Err() != nil }

// late counts the reading of a state, and tells now and then whether the context
// has ended.
func (s *sweep) late() bool {
	if s.since += len(s.view) + 1; s.since < sweepLook {
		return false
	}
	s.since = 0
	return s.ended()
}

// sweepBase makes the numbers of a state positive: colours are below it.
const sweepBase = 1 << 20

func (s *sweep) pack(view []int, paths int) string {
	b := make([]byte, 1, 1+3*len(view))
	b[0] = byte(paths)
	for _, v := range view {
		x := s.mate[v] + sweepBase
		b = append(b, byte(x), byte(x>>8), byte(x>>16))
	}
	return string(b)
}

func (s *sweep) unpack(state string) (paths int) {
	for i, v := range s.view {
		s.mate[v] = int(state[1+3*i]) | int(state[2+3*i])<<8 | int(state[3+3*i])<<16 - sweepBase
	}
	return int(state[0])
}

// show brings vertices into view.
func (s *sweep) show(come []int) {
	if len(come) == 0 {
		return
	}
	view := slices.Concat(s.view, come)
	next := make(map[string]uint64, len(s.states))
	for state, k := range s.states {
		if s.late() {
			return
		}
		paths := s.unpack(state)
		for _, w := range come {
			s.mate[w] = w
		}
		next[s.pack(view, paths)] = k
	}
	s.view, s.states = view, next
}

// decide turns an edge off and on.
func (s *sweep) decide(e [2]int) {
	next := make(map[string]uint64, 2*len(s.states))
	for state, k := range s.states {
		if s.late() {
			return
		}
		next[state] = add(next[state], k)
		paths := s.unpack(state)
		if paths, ok := s.p.use(s.mate, e, paths); ok {
			t := s.pack(s.view, paths)
			next[t] = add(next[t], k)
		}
	}
	s.states = next
}

// hide takes a vertex that has no more edges ahead out of view.
func (s *sweep) hide(v int) {
	i := slices.Index(s.view, v)
	view := slices.Delete(slices.Clone(s.view), i, i+1)
	next := make(map[string]uint64, len(s.states))
	for state, k := range s.states {
		if s.late() {
			return
		}
		paths := s.unpack(state)
		kind := s.p.Kinds[v]
		if m := s.mate[v]; m == swept || m == v && (kind == Inner || kind == MayEnd) {
			t := s.pack(view, paths)
			next[t] = add(next[t], k)
		}
	}
	s.view, s.states = view, next
}

func add(a, b uint64) uint64 {
	if a > math.MaxUint64-b {
		return math.MaxUint64
	}
	return a + b
}

// use turns an edge on in the state that mate holds.
func (p *Plan) use(mate []int, e [2]int, paths int) (int, bool) {
	var far [2]int
	if mate[e[0]] == e[1] {
		return 0, false // a ring
	}
	for i, v := range e {
		switch {
		case mate[v] == swept:
			return 0, false
		case p.Kinds[v] == End || p.Kinds[v] == MayEnd:
			far[i] = -p.Colours[v] - 2
			mate[v] = swept
		case mate[v] == v:
			far[i] = v
		default:
			far[i] = mate[v]
			mate[v] = swept
		}
	}
	a, b := far[0], far[1]
	if a >= 0 {
		mate[a] = b
	}
	if b >= 0 {
		mate[b] = a
	}
	if a < 0 && b < 0 {
		if a != b && a != -2 && b != -2 {
			return 0, false
		}
		paths = min(paths+1, 2)
		if p.Single && paths > 1 {
			return 0, false
		}
	}
	return paths, true
}
