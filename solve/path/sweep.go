package path

import (
	"errors"
	"math"
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
// ErrTooWide.
func Sweep(p Plan, order []int, limit int) (uint64, error) {
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
	first := make([]int, n)   // when a vertex comes into view
	for i, v := range order {
		first[v] = i
	}
	for e, uv := range p.Edges {
		u, v := uv[0], uv[1]
		if at[u] > at[v] {
			u, v = v, u
		}
		ahead[u] = append(ahead[u], e)
		first[v] = min(first[v], at[u])
	}

	// A state is a number for each vertex in view: itself, when it has no
	// edge; the piece's other end, when it is one end of a piece; done, when it
	// has all its edges; -c-2, when the piece's other end is an end of colour
	// c. Before them stands how many paths are complete, to 2.
	const done = -1
	view := []int{}
	mate := make([]int, n)
	states := map[string]uint64{"\x00": 1}
	pack := func(paths int) string {
		b := make([]byte, 1, 1+3*len(view))
		b[0] = byte(paths)
		for _, v := range view {
			x := mate[v] + 1<<20
			b = append(b, byte(x), byte(x>>8), byte(x>>16))
		}
		return string(b)
	}
	unpack := func(s string) int {
		for i, v := range view {
			mate[v] = int(s[1+3*i]) | int(s[2+3*i])<<8 | int(s[3+3*i])<<16 - 1<<20
		}
		return int(s[0])
	}
	for i, v := range order {
		// Bring into view what v's edges lead to.
		var come []int
		for _, w := range order[i:] {
			if first[w] == i {
				come = append(come, w)
			}
		}
		if len(come) > 0 {
			next := make(map[string]uint64, len(states))
			for s, k := range states {
				paths := unpack(s)
				old := len(view)
				for _, w := range come {
					mate[w] = w
				}
				view = append(view, come...)
				next[pack(paths)] = k
				view = view[:old]
			}
			view = append(view, come...)
			states = next
		}
		for _, e := range ahead[v] {
			next := make(map[string]uint64, 2*len(states))
			for s, k := range states {
				next[s] = add(next[s], k)
				paths := unpack(s)
				if paths, ok := p.use(mate, p.Edges[e], paths); ok {
					t := pack(paths)
					next[t] = add(next[t], k)
				}
			}
			if len(next) > limit {
				return 0, ErrTooWide
			}
			states = next
		}
		// v goes out of view.
		next := make(map[string]uint64, len(states))
		gone := -1
		for j, w := range view {
			if w == v {
				gone = j
			}
		}
		rest := append(append([]int{}, view[:gone]...), view[gone+1:]...)
		for s, k := range states {
			paths := unpack(s)
			if m := mate[v]; m == done || m == v && (p.Kinds[v] == Inner || p.Kinds[v] == MayEnd) {
				old := view
				view = rest
				t := pack(paths)
				next[t] = add(next[t], k)
				view = old
			}
		}
		view, states = rest, next
	}
	sum := uint64(0)
	for _, k := range states {
		sum = add(sum, k)
	}
	return sum, nil
}

func add(a, b uint64) uint64 {
	if a > math.MaxUint64-b {
		return math.MaxUint64
	}
	return a + b
}

// use turns an edge on in the state that mate holds.
func (p *Plan) use(mate []int, e [2]int, paths int) (int, bool) {
	const done = -1
	var far [2]int
	if mate[e[0]] == e[1] {
		return 0, false // a ring
	}
	for i, v := range e {
		switch {
		case mate[v] == done:
			return 0, false
		case p.Kinds[v] == End || p.Kinds[v] == MayEnd:
			far[i] = -p.Colours[v] - 2
			mate[v] = done
		case mate[v] == v:
			far[i] = v
		default:
			far[i] = mate[v]
			mate[v] = done
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
