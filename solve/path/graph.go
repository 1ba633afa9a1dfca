package path

// A Kind says how many edges of a vertex lie on paths.
type Kind uint8

// The kinds of vertices.
const (
	Inner   Kind = iota // none or two: a path may pass
	Through             // two: a path must pass
	End                 // one: a path ends here
	MayEnd              // none or one: a path may end here
)

func (k Kind) end() bool { return k >= End }

func (k Kind) limit() int32 {
	if k.end() {
		return 1
	}
	return 2
}

type vertex struct {
	kind    Kind
	colour  int32
	on, off int32
	slot    [2]int32 // edges on it that are on, in the order of time
	other   int32    // at the end of a piece of path: its other end; a vertex without edges is its own
	must    int32    // at the end of a piece: how many Through and End vertices it holds
	from    int32    // its edges are adj[from:to]
	to      int32
}

type edge struct {
	u, v int32
	lit  Lit
	next int32 // the next edge with the same literal, -1
}

type joint struct {
	place        int32 // of the literal on the trail
	u, v, a, b   int32
	mustA, mustB int32
}

// A Graph is an undirected multigraph; each edge is on or off as its literal
// is true or false. The edges that are on form paths that are apart from one
// another: every vertex has as many as its Kind says, there is no cycle, and
// a path's two ends may be joined.
//
// Any literal may belong to an edge, also to several edges, and may stand in
// clauses.
type Graph struct {
	s      *Solver
	ready  bool
	single bool
	vs     []vertex
	es     []edge
	adj    []int32
	first  []int32 // by literal: its first edge, -1
	joints []joint
	must   int32 // Through and End vertices in all
	mark   []int32
	markNo int32

	lits   [][]Lit // by vertex, of the first listed edges; see Visited
	listed int
}

// Graph returns the Solver's graph, which is empty at first.
func (s *Solver) Graph() *Graph {
	if s.graph == nil {
		s.graph = &Graph{s: s}
	}
	return s.graph
}

// AddVertex adds a vertex and returns its number; numbers count from 0.
// Two ends may be joined by a path when their colours are equal or one of
// them is 0; the colours of other vertices do not matter.
func (g *Graph) AddVertex(k Kind, colour int) int {
	if g.ready {
		panic("path: AddVertex after the first search")
	}
	g.s.stated.Add(1)
	g.vs = append(g.vs, vertex{kind: k, colour: int32(colour)})
	return len(g.vs) - 1
}

// AddEdge adds an edge that is on exactly when l is true, and returns its
// number. The vertices must differ.
func (g *Graph) AddEdge(u, v int, l Lit) int {
	if g.ready {
		panic("path: AddEdge after the first search")
	}
	if u == v {
		panic("path: AddEdge from a vertex to itself")
	}
	g.s.stated.Add(1)
	g.es = append(g.es, edge{int32(u), int32(v), l, -1})
	return len(g.es) - 1
}

// Single says that there is exactly one path, from an end to an end: when it
// is complete every edge off it is off.
func (g *Graph) Single() { g.single = true }

// Visited returns a new variable that is true exactly when an edge at vertex
// v is on.
func (g *Graph) Visited(v int) Lit {
	// Lists of all vertices at once, since mostly all are asked for.
	for ; g.listed < len(g.es); g.listed++ {
		e := g.es[g.listed]
		for len(g.lits) < len(g.vs) {
			g.lits = append(g.lits, nil)
		}
		g.lits[e.u] = append(g.lits[e.u], e.lit)
		g.lits[e.v] = append(g.lits[e.v], e.lit)
	}
	x := g.s.NewVar()
	c := []Lit{x.Not()}
	if v < len(g.lits) {
		for _, l := range g.lits[v] {
			g.s.AddClause(l.Not(), x)
			c = append(c, l)
		}
	}
	g.s.AddClause(c...)
	return x
}

func (g *Graph) joinable(a, b int32) bool {
	x, y := g.vs[a].colour, g.vs[b].colour
	return x == y || x == 0 || y == 0
}

// prepare builds the lists and draws the first conclusions; false means that
// there is no answer.
func (g *Graph) prepare() bool {
	s := g.s
	g.ready = true
	g.mark = make([]int32, len(g.vs))
	g.first = make([]int32, len(s.val))
	for i := range g.first {
		g.first[i] = -1
	}
	for i := len(g.es) - 1; i >= 0; i-- {
		e := &g.es[i]
		e.next, g.first[e.lit] = g.first[e.lit], int32(i)
		g.vs[e.u].to++
		g.vs[e.v].to++
	}
	n := int32(0)
	for i := range g.vs {
		v := &g.vs[i]
		v.from, v.to, n = n, n, n+v.to
		v.other = int32(i)
		if v.kind == Through || v.kind == End {
			v.must = 1
			g.must++
		}
	}
	g.adj = make([]int32, n)
	for i, e := range g.es {
		for _, x := range [2]int32{e.u, e.v} {
			v := &g.vs[x]
			g.adj[v.to] = int32(i)
			v.to++
		}
	}
	for i, e := range g.es {
		if s.val[e.lit] == 0 && g.wrong(e.u, e.v) {
			s.enqueue(e.lit^1, reason{rJoin, int32(i)})
		}
	}
	for i := range g.vs {
		if !g.degree(int32(i)) {
			return false
		}
	}
	return true
}

// far is the other end of the edge at vertex v.
func (e *edge) far(v int32) int32 { return e.u ^ e.v ^ v }

// wrong tells whether an edge between u and v, which both are ends of pieces,
// would make a path that may not be.
func (g *Graph) wrong(u, v int32) bool {
	a, b := g.vs[u].other, g.vs[v].other
	if !g.vs[a].kind.end() || !g.vs[b].kind.end() {
		return false
	}
	return !g.joinable(a, b) || g.single && g.vs[u].must+g.vs[v].must < g.must
}

// assign follows a literal that has become true. On a conflict it leaves the
// clause in the solver's confl and returns false.
func (g *Graph) assign(l Lit) bool {
	if int(l|1) >= len(g.first) {
		return true // a variable that is younger than the graph
	}
	on, off := g.first[l], g.first[l^1]
	if on < 0 && off < 0 {
		return true
	}
	// All counters first, so that undo need not know how far this came.
	for e := on; e >= 0; e = g.es[e].next {
		for _, x := range [2]int32{g.es[e].u, g.es[e].v} {
			v := &g.vs[x]
			if v.on < 2 {
				v.slot[v.on] = e
			}
			v.on++
		}
	}
	for e := off; e >= 0; e = g.es[e].next {
		g.vs[g.es[e].u].off++
		g.vs[g.es[e].v].off++
	}
	for e := on; e >= 0; e = g.es[e].next {
		u, v := g.es[e].u, g.es[e].v
		if !g.degree(u) || !g.degree(v) || !g.connect(e) {
			return false
		}
	}
	for e := off; e >= 0; e = g.es[e].next {
		for _, x := range [2]int32{g.es[e].u, g.es[e].v} {
			// With all the edges that it may have, a vertex has turned off the
			// others, of which this is one: looking at all of them for each takes
			// time by their square.
			if v := &g.vs[x]; v.on != v.kind.limit() && !g.degree(x) {
				return false
			}
		}
	}
	return true
}

func (g *Graph) undo(to, from int) {
	for i := from - 1; i >= to; i-- {
		l := g.s.trail[i]
		if int(l|1) >= len(g.first) {
			continue
		}
		for e := g.first[l]; e >= 0; e = g.es[e].next {
			g.vs[g.es[e].u].on--
			g.vs[g.es[e].v].on--
		}
		for e := g.first[l^1]; e >= 0; e = g.es[e].next {
			g.vs[g.es[e].u].off--
			g.vs[g.es[e].v].off--
		}
	}
	n := len(g.joints)
	for n > 0 && int(g.joints[n-1].place) >= to {
		n--
		j := &g.joints[n]
		a, b := &g.vs[j.a], &g.vs[j.b]
		a.other, a.must = j.u, j.mustA
		b.other, b.must = j.v, j.mustB
	}
	g.joints = g.joints[:n]
}

// degree draws conclusions from the numbers of edges at a vertex.
func (g *Graph) degree(x int32) bool {
	s, v := g.s, &g.vs[x]
	limit := v.kind.limit()
	free := v.to - v.from - v.on - v.off
	if v.on > limit {
		c := s.confl[:0]
		for _, e := range g.adj[v.from:v.to] {
			if l := g.es[e].lit; s.val[l] == 1 {
				c = append(c, l^1)
				if int32(len(c)) > limit {
					break
				}
			}
		}
		s.confl = c
		return false
	}
	if v.on == limit {
		if free > 0 {
			for _, e := range g.adj[v.from:v.to] {
				if l := g.es[e].lit; s.val[l] == 0 {
					s.enqueue(l^1, reason{rFull, x})
				}
			}
		}
		return true
	}
	want := int32(0) // how many more must be on
	switch v.kind {
	case Inner:
		want = v.on // with one, one more
		if v.on == 0 && free == 1 {
			for _, e := range g.adj[v.from:v.to] {
				if l := g.es[e].lit; s.val[l] == 0 {
					s.enqueue(l^1, reason{rLack, x})
				}
			}
			return true
		}
	case Through:
		want = 2 - v.on
	case End:
		want = 1 - v.on
	}
	if free < want {
		c := s.confl[:0]
		for _, e := range g.adj[v.from:v.to] {
			if l := g.es[e].lit; s.val[l] == -1 {
				c = append(c, l)
			}
		}
		if v.kind == Inner {
			c = append(c, g.es[v.slot[0]].lit^1)
		}
		s.confl = c
		return false
	}
	if free == want && want > 0 {
		for _, e := range g.adj[v.from:v.to] {
			if l := g.es[e].lit; s.val[l] == 0 {
				s.enqueue(l, reason{rLack, x})
			}
		}
	}
	return true
}

// connect joins the two pieces that edge e, now on, lies between.
func (g *Graph) connect(e int32) bool {
	s := g.s
	u, v := g.es[e].u, g.es[e].v
	a, b := g.vs[u].other, g.vs[v].other
	if a == v {
		c := append(s.confl[:0], g.es[e].lit^1)
		s.confl = g.walk(c, u, v)
		return false
	}
	A, B := &g.vs[a], &g.vs[b]
	if g.wrong(u, v) {
		c := append(s.confl[:0], g.es[e].lit^1)
		s.confl = g.walk(g.walk(c, u, a), v, b)
		return false
	}
	g.joints = append(g.joints, joint{s.place[g.es[e].lit>>1], A.other, B.other, a, b, A.must, B.must})
	A.other, B.other = b, a
	sum := A.must + B.must
	if a == b { // cannot be: a piece's two ends differ once it has an edge
		panic("path: a path joined to itself")
	}
	A.must, B.must = sum, sum
	if A.kind.end() && B.kind.end() {
		return !g.single || g.complete(a)
	}
	g.ahead(a, b)
	g.ahead(b, a)
	return true
}

// ahead refuses the edges at a, the end of a piece whose other end is b, that
// would close a cycle or make a wrong path.
func (g *Graph) ahead(a, b int32) {
	s := g.s
	A := &g.vs[a]
	if A.kind.end() {
		return
	}
	bEnd := g.vs[b].kind.end()
	for _, e := range g.adj[A.from:A.to] {
		l := g.es[e].lit
		if s.val[l] != 0 {
			continue
		}
		w := g.es[e].far(a)
		if w == b {
			s.enqueue(l^1, reason{rCycle, e})
		} else if bEnd && g.wrong(a, w) {
			s.enqueue(l^1, reason{rJoin, e})
		}
	}
}

// complete handles the only path, which has reached both its ends.
func (g *Graph) complete(a int32) bool {
	s := g.s
	g.markNo++
	for x, came := a, int32(-1); ; {
		g.mark[x] = g.markNo
		e := g.step(x, came)
		if e < 0 {
			break
		}
		x, came = g.es[e].far(x), e
	}
	for i := range g.es {
		e := &g.es[i]
		switch {
		case g.mark[e.u] == g.markNo || g.mark[e.v] == g.markNo:
			// on the path, or refused by a vertex on it
		case s.val[e.lit] == 1:
			s.confl = g.walkWhole(append(s.confl[:0], e.lit^1), a)
			return false
		case s.val[e.lit] == 0:
			s.enqueue(e.lit^1, reason{rWhole, a})
		}
	}
	return true
}

// step is the edge by which a path goes on from x when it came by edge came
// (-1 at its end); -1 when it goes no further.
func (g *Graph) step(x, came int32) int32 {
	v := &g.vs[x]
	n := min(v.on, 2)
	for i := range n {
		if v.slot[i] == came {
			if i == 0 && n == 2 && !v.kind.end() {
				return v.slot[1]
			}
			if i == 1 {
				return v.slot[0]
			}
			return -1
		}
	}
	if came < 0 && n > 0 {
		return v.slot[0]
	}
	return -1
}

// walk appends the negations of the edges of the piece from its end u to its
// other end b. Whatever has been added to the piece since, u's first edge in
// time is the one that belongs to it.
func (g *Graph) walk(out []Lit, u, b int32) []Lit {
	for x, came := u, int32(-1); x != b; {
		e := g.step(x, came)
		out = append(out, g.es[e].lit^1)
		x, came = g.es[e].far(x), e
	}
	return out
}

// walkEnd is walk up to the end of the path.
func (g *Graph) walkEnd(out []Lit, u int32) []Lit {
	for x, came := u, int32(-1); !g.vs[x].kind.end(); {
		e := g.step(x, came)
		out = append(out, g.es[e].lit^1)
		x, came = g.es[e].far(x), e
	}
	return out
}

func (g *Graph) walkWhole(out []Lit, a int32) []Lit {
	x, came := a, int32(-1)
	for {
		e := g.step(x, came)
		out = append(out, g.es[e].lit^1)
		x, came = g.es[e].far(x), e
		if g.vs[x].kind.end() {
			return out
		}
	}
}

// explain appends the false literals that made variable v what it is.
func (g *Graph) explain(out []Lit, v int32, w reason) []Lit {
	s := g.s
	n := len(out)
	switch w.kind {
	case rFull:
		x := &g.vs[w.x]
		for i := range x.kind.limit() {
			out = append(out, g.es[x.slot[i]].lit^1)
		}
	case rLack:
		x := &g.vs[w.x]
		for _, e := range g.adj[x.from:x.to] {
			l := g.es[e].lit
			if s.val[l] == -1 && s.place[l>>1] < s.place[v] && int32(l>>1) != v {
				out = append(out, l)
			}
		}
		if x.kind == Inner && x.on > 0 {
			if l := g.es[x.slot[0]].lit; s.place[l>>1] < s.place[v] {
				out = append(out, l^1)
			}
		}
	case rCycle:
		e := &g.es[w.x]
		out = g.walk(out, e.u, e.v)
	case rJoin:
		e := &g.es[w.x]
		out = g.walkEnd(g.walkEnd(out, e.u), e.v)
	case rWhole:
		out = g.walkWhole(out, w.x)
	}
	// Edges that share the literal in question say nothing about it.
	k := n
	for _, l := range out[n:] {
		if int32(l>>1) != v {
			out[k] = l
			k++
		}
	}
	return out[:k]
}
