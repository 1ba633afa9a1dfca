package search

import (
	"image"
	"slices"

	"onlooker/solve/path"
	"onlooker/solve/witness/board"
)

// dirs are the four ways to go on from a half-cell.
var dirs = [4]image.Point{{X: 1}, {Y: 1}, {X: -1}, {Y: -1}}

// none marks what a line can never cover.
const none = path.None

// A layout is a panel as the search sees it: a graph for the line, and cells
// joined by edges that the line may cover.
//
// On a symmetric panel the graph is the quotient: a spot and its image are one
// vertex, an edge and its image one edge. A simple path there lifts to exactly
// one line from a given start, and since that visits at most one of each pair,
// it never meets its image. A start that is its own image may be shared: the line
// begins there, or does not come there, and lifts to two.
type layout struct {
	p     *board.Panel
	width int // of the half-cells

	vertex  []int32       // by half-cell: its vertex in the graph, -1; the same for a spot and its image
	lower   []bool        // by half-cell: its image comes before it (its sheet)
	seg     [][4]path.Lit // by half-cell with a vertex and direction: on when a line leaves it there
	cover   []path.Lit    // by half-cell, node or edge: on when a line covers it; none: never
	startAt []image.Point
	start   []path.Lit // of each start: the line begins there, or at its image (unless sheets)
	onward  []bool     // of each start: a shared one, from which the line goes the second of the two ways that are one edge
	endAt   []image.Point
	end     []path.Lit

	sheets bool       // it matters which of two symmetric lines is where
	sheet  []path.Lit // by vertex: the player's line visits the lower of the two spots

	apart []path.Lit // by half-cell, node or edge: as cover, but open where a line begins or ends on an edge middle

	cell     []int32       // by half-cell: the number of the cell, -1: not a cell, or outside
	cells    []image.Point // positions of the cells; after the first real ones those of other open half-cells
	real     int
	outside  []bool        // by half-cell: no cell, or the missing edges beside one
	joins    []join        // between cells
	at       [][]neighbour // by cell
	tight    bool          // a line always separates the two sides of an edge
	side     []path.Lit    // by half-cell: on which side of the line a cell lies; nil where the line has no sides, and before state
	edgeLits []path.Lit    // all that make two lines different
	links    [][]pathLink  // by vertex of the graph: ways on, source and sink included
}

// A pathLink is an edge of the graph seen from one of its vertices.
type pathLink struct {
	to  int32
	lit path.Lit
}

// Vertices of the graph that stand for no spot.
const (
	source = 0
	sink   = 1
)

// A join is where two cells meet: they belong together unless a line covers
// the edge between them.
type join struct {
	a, b int32
	lit  path.Lit // none: nothing can separate them
	// over is on where a line lies between them at all: half an edge, too, which
	// bars pieces and separates nothing. none: never.
	over path.Lit
}

func (j join) other(c int32) int32 { return j.a ^ j.b ^ c }

// A neighbour is a join seen from one of its cells: walks over cells are most of
// what the search does beside clauses.
type neighbour struct {
	cell, join int32
	lit        path.Lit
}

func (l *layout) index(at image.Point) int {
	at = l.p.Wrap(at)
	return at.Y*l.width + at.X
}

// partner is the image of a position under the panel's symmetry, or the
// position itself where there is none.
func (l *layout) partner(at image.Point) (image.Point, bool) {
	if l.p.Symmetry == board.NoSymmetry {
		return at, true
	}
	return l.p.Image(at)
}

// newLayout builds graph and variables in s.
func newLayout(p *board.Panel, s *path.Solver) *layout {
	n := len(p.Spots)
	l := &layout{p: p, width: p.Width(), vertex: make([]int32, n), lower: make([]bool, n), seg: make([][4]path.Lit, n), cover: make([]path.Lit, n), apart: make([]path.Lit, n), cell: make([]int32, n)}
	for i := range n {
		l.vertex[i], l.cover[i], l.apart[i], l.cell[i] = -1, none, none, -1
		l.seg[i] = [4]path.Lit{none, none, none, none}
	}
	g := s.Graph()
	g.Single()
	g.AddVertex(path.End, 0) // source
	g.AddVertex(path.End, 0) // sink
	l.links = make([][]pathLink, 2)
	l.addVertices(g)
	l.addEdges(s)
	l.sheets = l.twoSheets()
	l.addTerminals(s)
	l.addCovers(s)
	if l.sheets {
		l.addSheets(s)
		if p.Rules.ImageEndsPart {
			l.partImages(s)
		}
	}
	l.findCells(s)
	return l
}

// usable tells whether a line may come to a half-cell: on a symmetric panel the
// image must be there too, and another one.
func (l *layout) usable(at image.Point) bool {
	p := l.p
	if s := p.At(at); s == nil || s.Gap != board.Whole {
		return false
	}
	q, ok := l.partner(at)
	if !ok || p.At(q).Gap != board.Whole {
		return false
	}
	return p.Symmetry == board.NoSymmetry || q != p.Wrap(at) || l.shared(at)
}

// shared tells whether two symmetric lines may begin at a half-cell together: it is
// its own image, and no dot of one of them lies there.
func (l *layout) shared(at image.Point) bool {
	p := l.p
	q, ok := p.Image(at)
	s := p.At(at)
	return ok && q == p.Wrap(at) && p.Rules.SharedStarts && s.Start && (!p.Rules.ColouredDots || s.Dot.Line == board.AnyLine)
}

// addVertices makes vertices of nodes that are there, and of starts and ends on
// edge middles.
func (l *layout) addVertices(g *path.Graph) {
	p := l.p
	for at := range p.Points() {
		if board.IsCell(at) || !l.usable(at) {
			continue
		}
		q, _ := l.partner(at)
		if board.IsEdge(at) {
			a, b := p.At(at), p.At(q)
			if !a.Start && !a.IsEnd() && !b.Start && !b.IsEnd() {
				continue
			}
		}
		i, j := l.index(at), l.index(q)
		l.lower[i] = j < i
		if l.lower[i] {
			l.vertex[i] = l.vertex[j]
		} else {
			l.vertex[i] = int32(g.AddVertex(path.Inner, 0))
			l.links = append(l.links, nil)
		}
	}
}

// connect adds an edge of the graph, with a variable of its own.
func (l *layout) connect(s *path.Solver, u, v int32) path.Lit {
	lit := s.NewVar()
	s.Graph().AddEdge(int(u), int(v), lit)
	l.links[u] = append(l.links[u], pathLink{v, lit})
	l.links[v] = append(l.links[v], pathLink{u, lit})
	return lit
}

// addEdges adds edges from a vertex to the next one, over an edge of the panel or
// half of one.
func (l *layout) addEdges(s *path.Solver) {
	for at := range l.p.Points() {
		if !board.IsEdge(at) || !l.usable(at) {
			continue
		}
		d := 0
		if at.X&1 == 0 {
			d = 1
		}
		a, b := at.Sub(dirs[d]), at.Add(dirs[d])
		if l.vertex[l.index(at)] >= 0 {
			l.link(s, a, at, d)
			l.link(s, at, b, d)
			continue
		}
		l.cover[l.index(at)] = l.link(s, a, b, d)
	}
}

// link adds the edge from a to b, which lies in direction d, and its image.
func (l *layout) link(s *path.Solver, a, b image.Point, d int) path.Lit {
	i, j := l.index(a), l.index(b)
	u, v := l.vertex[i], l.vertex[j]
	if u < 0 || v < 0 || u == v {
		return none // missing; or an edge between a node and its image
	}
	if l.seg[i][d] != none {
		return l.seg[i][d]
	}
	lit := l.connect(s, u, v)
	l.edgeLits = append(l.edgeLits, lit)
	l.seg[i][d], l.seg[j][d^2] = lit, lit
	if l.p.Symmetry == board.NoSymmetry {
		return lit
	}
	ia, _ := l.partner(a)
	ib, _ := l.partner(b)
	// The image runs in its own direction; the half-cell after a shows which,
	// also where two edges join the same nodes round a pillar.
	im, _ := l.partner(a.Add(dirs[d]))
	for e, w := range dirs {
		if l.p.Wrap(ia.Add(w)) == im {
			l.seg[l.index(ia)][e], l.seg[l.index(ib)][e^2] = lit, lit
		}
	}
	return lit
}

// twoSheets tells whether it matters which of two symmetric lines is where.
func (l *layout) twoSheets() bool {
	p := l.p
	if p.Symmetry == board.NoSymmetry {
		return false
	}
	for at := range p.Points() {
		if s := p.At(at); s.Dot.On && s.Dot.Line != board.AnyLine && p.Rules.ColouredDots || p.Rules.LoneEnds && p.LoneEnd(at) ||
			p.Rules.ImageEndsPart && board.IsEdge(at) && (s.Start || s.IsEnd()) {
			return true
		}
	}
	return false
}

// addTerminals joins starts to the source and ends to the sink: where the image of
// the line begins and ends there is a start and, under most rule sets, an end too.
func (l *layout) addTerminals(s *path.Solver) {
	p := l.p
	for at := range p.Points() {
		i := l.index(at)
		if board.IsCell(at) || l.vertex[i] < 0 {
			continue
		}
		first := p.Symmetry != board.NoSymmetry && !l.sheets && l.lower[i]
		terminal := func(v int32, places *[]image.Point, lits *[]path.Lit) {
			*places = append(*places, at)
			if first {
				q, _ := p.Image(at)
				if k := slices.Index((*places)[:len(*places)-1], q); k >= 0 {
					*lits = append(*lits, (*lits)[k])
					return
				}
			}
			*lits = append(*lits, l.connect(s, v, l.vertex[i]))
		}
		q, _ := l.partner(at)
		if p.At(at).Start && p.At(q).Start {
			terminal(source, &l.startAt, &l.start)
			if l.onward = append(l.onward, false); l.shared(at) {
				l.share(s, at)
			}
		}
		if p.At(at).IsEnd() && (p.Rules.LoneEnds || p.At(q).IsEnd()) {
			terminal(sink, &l.endAt, &l.end)
			if l.shared(at) { // no step leads there, and so only one way: see share
				s.AddClause(l.end[len(l.end)-1].Not(), l.start[len(l.start)-2])
			}
		}
	}
}

// share adds the second way from a shared start, and that the line does not come
// there but to begin. Where it matters which line is where, the two ways are two
// edges from the source, and otherwise one.
func (l *layout) share(s *path.Solver, at image.Point) {
	i, first := l.index(at), len(l.start)-1
	second := l.start[first]
	if l.sheets {
		second = l.connect(s, source, l.vertex[i])
	}
	l.startAt, l.start, l.onward = append(l.startAt, at), append(l.start, second), append(l.onward, true)
	for _, lit := range l.seg[i] {
		if lit != none {
			s.AddClause(lit.Not(), l.start[first], second)
		}
	}
}

// addCovers says what covers each node, and each edge middle where a line may
// begin or end.
func (l *layout) addCovers(s *path.Solver) {
	g := s.Graph()
	// What covers a node, or an edge middle that is a vertex: any edge there.
	memo := make(map[int32]path.Lit)
	for i, v := range l.vertex {
		if v < 0 {
			continue
		}
		lit, ok := memo[v]
		if !ok {
			lit = g.Visited(int(v))
			memo[v] = lit
		}
		l.cover[i] = lit
	}
	copy(l.apart, l.cover)
	halves := make(map[int32]path.Lit)
	for i, v := range l.vertex {
		at := image.Pt(i%l.width, i/l.width)
		if v < 0 || !board.IsEdge(at) {
			continue
		}
		if _, ok := halves[v]; !ok {
			halves[v] = none
			var both []path.Lit
			for _, lit := range l.seg[i] {
				if lit != none {
					both = append(both, lit)
				}
			}
			if len(both) == 2 && !l.shared(at) { // covered, that is where both lines begin
				lit := s.NewVar()
				s.AddClause(lit.Not(), both[0])
				s.AddClause(lit.Not(), both[1])
				s.AddClause(lit, both[0].Not(), both[1].Not())
				halves[v] = lit
			}
		}
		l.apart[i] = halves[v]
	}
}

// partImages says that the middle of an edge at which the image of the line begins
// or ends is not open.
func (l *layout) partImages(s *path.Solver) {
	for i, v := range l.vertex {
		at := image.Pt(i%l.width, i/l.width)
		if v < 0 || !board.IsEdge(at) || l.shared(at) {
			continue
		}
		parts, cover, both := s.NewVar(), l.cover[i], l.apart[i]
		s.AddClause(parts.Not(), cover)
		s.AddClause(cover.Not(), l.onSheet(at), parts)
		if both == none {
			s.AddClause(parts.Not(), l.onSheet(at).Not())
		} else {
			s.AddClause(both.Not(), parts)
			s.AddClause(parts.Not(), l.onSheet(at).Not(), both)
		}
		l.apart[i] = parts
	}
}

// parting is what parts the cells beside an edge: its middle is not open, and at the
// border they do not hang together around the node at its end either. (Around other
// nodes they do by the cells there.)
func (l *layout) parting(s *path.Solver, at image.Point) path.Lit {
	p, middle := l.p, l.apart[l.index(at)]
	if !p.Rules.ImageEndsPart || !l.sheets || middle == none || l.vertex[l.index(at)] < 0 || l.shared(at) {
		return middle
	}
	parts := s.NewVar()
	s.AddClause(parts.Not(), middle)
	all := []path.Lit{middle.Not(), parts}
	way := board.AlongEdge(at)
	for _, node := range []image.Point{at.Add(way), at.Sub(way)} {
		if p.In(node.Add(node.Sub(at))) {
			continue
		}
		barred := s.NewVar()
		by := []path.Lit{barred.Not()}
		for _, q := range []image.Point{node, node.Add(image.Pt(way.Y, way.X)), node.Sub(image.Pt(way.Y, way.X))} {
			if x := l.apart[l.index(q)]; x != none {
				by = append(by, x)
				s.AddClause(x.Not(), barred)
			}
		}
		s.AddClause(by...)
		s.AddClause(parts.Not(), barred)
		all = append(all, barred.Not())
	}
	s.AddClause(all...)
	return parts
}

// addSheets follows the player's line through the quotient: it keeps to a
// sheet, or changes it, as the edge's two ends do.
func (l *layout) addSheets(s *path.Solver) {
	most := int32(0)
	for _, v := range l.vertex {
		most = max(most, v)
	}
	l.sheet = make([]path.Lit, most+1)
	for i := range l.sheet {
		l.sheet[i] = none
	}
	for _, v := range l.vertex {
		if v >= 0 && l.sheet[v] == none {
			l.sheet[v] = s.NewVar()
		}
	}
	for i, v := range l.vertex {
		if v < 0 {
			continue
		}
		for d, lit := range l.seg[i] {
			if lit == none {
				continue
			}
			at := image.Pt(i%l.width, i/l.width).Add(dirs[d])
			j := l.index(at)
			if l.vertex[j] < 0 {
				at = at.Add(dirs[d])
				j = l.index(at)
			}
			if l.shared(at) {
				continue
			}
			if here := image.Pt(i%l.width, i/l.width); l.shared(here) {
				for k, start := range l.startAt {
					if start == here && l.onward[k] == (d != l.ways(i, lit)[0]) {
						s.AddClause(l.start[k].Not(), lit.Not(), l.onSheet(at))
					}
				}
				continue
			}
			a, b := l.sheet[v], l.sheet[l.vertex[j]]
			if l.lower[i] != l.lower[j] {
				b = b.Not()
			}
			s.AddClause(lit.Not(), a.Not(), b)
			s.AddClause(lit.Not(), a, b.Not())
		}
	}
	for k, at := range l.startAt {
		if !l.shared(at) {
			s.AddClause(l.start[k].Not(), l.onSheet(at))
		}
	}
	for k, at := range l.endAt {
		s.AddClause(l.end[k].Not(), l.onSheet(at))
	}
}

// ways are the directions in which an edge leaves a half-cell: two where that is
// its own image.
func (l *layout) ways(i int, lit path.Lit) (all []int) {
	for d, other := range l.seg[i] {
		if other == lit {
			all = append(all, d)
		}
	}
	return all
}

// onSheet is true when the player's line, if it visits a vertex or its image,
// visits the spot at this position and not its image.
func (l *layout) onSheet(at image.Point) path.Lit {
	i := l.index(at)
	lit := l.sheet[l.vertex[i]]
	if l.lower[i] {
		return lit
	}
	return lit.Not()
}

// findOutside marks what missing edges join to the outside; it tells whether
// there is any.
func (l *layout) findOutside() (any bool) {
	p := l.p
	l.outside = make([]bool, len(p.Spots))
	if p.Rules.OpenCellsOutside {
		// From the border inwards through missing edges.
		var queue []image.Point
		reach := func(edge image.Point) {
			if p.At(edge).Gap != board.Missing || l.outside[l.index(edge)] {
				return
			}
			any = true
			l.outside[l.index(edge)] = true
			for _, d := range dirs {
				if at := p.Wrap(edge.Add(d)); p.In(at) && board.IsCell(at) && !l.outside[l.index(at)] {
					l.outside[l.index(at)] = true
					queue = append(queue, at)
				}
			}
		}
		for at := range p.Points() {
			if board.IsEdge(at) && l.onBorder(at) {
				reach(at)
			}
		}
		for len(queue) > 0 {
			at := queue[0]
			queue = queue[1:]
			for _, d := range dirs {
				reach(at.Add(d))
			}
		}
	}
	return any
}

// findCells numbers the cells and their joins.
func (l *layout) findCells(s *path.Solver) {
	p := l.p
	any := l.findOutside()
	number := func(at image.Point) {
		if i := l.index(at); !l.outside[i] {
			l.cell[i] = int32(len(l.cells))
			l.cells = append(l.cells, at)
		}
	}
	for at := range p.Points() {
		if board.IsCell(at) {
			number(at)
		}
	}
	l.real = len(l.cells)
	if any {
		// Where cells are missing, regions may hang together, and dots lie, by
		// nodes and edges alone.
		for at := range p.Points() {
			if !board.IsCell(at) {
				number(at)
			}
		}
	}
	l.at = make([][]neighbour, len(l.cells))
	link := func(a, b int32, lit, over path.Lit) {
		if a < 0 || b < 0 || a == b {
			return
		}
		j := int32(len(l.joins))
		l.joins = append(l.joins, join{a, b, lit, over})
		l.at[a] = append(l.at[a], neighbour{b, j, lit})
		l.at[b] = append(l.at[b], neighbour{a, j, lit})
	}
	for c, at := range l.cells[:l.real] {
		for _, d := range dirs[:2] {
			if next := at.Add(d).Add(d); p.In(next) && !l.outside[l.index(at.Add(d))] {
				edge := l.index(at.Add(d))
				parts := l.apart[edge]
				if !any { // otherwise nodes and edges are there to hang together by
					parts = l.parting(s, at.Add(d))
				}
				link(int32(c), l.cell[l.index(next)], parts, l.cover[edge])
			}
		}
	}
	for c, at := range l.cells[l.real:] {
		a := l.apart[l.index(at)]
		for i, d := range dirs {
			next := at.Add(d)
			if !p.In(next) {
				continue
			}
			if board.IsCell(next) {
				link(int32(l.real+c), l.cell[l.index(next)], a, a)
				continue
			}
			if i >= 2 {
				continue // seen from the other side
			}
			b := l.apart[l.index(next)]
			switch {
			case a == none:
				link(int32(l.real+c), l.cell[l.index(next)], b, b)
			case b == none:
				link(int32(l.real+c), l.cell[l.index(next)], a, a)
			default:
				lit := s.NewVar()
				s.AddClause(lit.Not(), a, b)
				s.AddClause(lit, a.Not())
				s.AddClause(lit, b.Not())
				link(int32(l.real+c), l.cell[l.index(next)], lit, lit)
			}
		}
	}
	l.findTight()
}

// findTight tells whether a line always separates the two sides of an edge.
func (l *layout) findTight() {
	p := l.p
	// A line from border to border cuts the panel in two along all its length;
	// on a pillar it needs its image for that.
	l.tight = !p.Pillar || p.Symmetry != board.NoSymmetry
	for _, list := range [][]image.Point{l.startAt, l.endAt} {
		for _, at := range list {
			image, _ := l.partner(at) // no end, perhaps, and inside where at is on the border
			l.tight = l.tight && l.onBorder(at) && l.onBorder(image)
		}
	}
}

// onBorder tells whether a node or edge lies on the border of the panel.
func (l *layout) onBorder(at image.Point) bool {
	p := l.p
	return at.Y == 0 || at.Y == p.Height()-1 || !p.Pillar && (at.X == 0 || at.X == p.Width()-1)
}

// halts tells whether the line ends in the end that it begins at.
func (l *layout) halts(at image.Point, on func(path.Lit) bool) bool {
	k := slices.Index(l.endAt, at)
	return k >= 0 && on(l.end[k])
}

// stroke walks the line of an answer from a start, in half-cells: the start,
// every vertex, and the tip of the end cap.
// A shared start may be left onward, the second of two ways.
func (l *layout) stroke(from image.Point, onward bool, on func(path.Lit) bool) []image.Point {
	line := []image.Point{from}
	came := -1
next:
	for {
		i := l.index(from)
		for d, lit := range l.seg[i] {
			if d == came || lit == none || !on(lit) {
				continue
			}
			if onward && len(line) == 1 && d == l.ways(i, lit)[0] {
				continue
			}
			from = from.Add(dirs[d])
			if l.vertex[l.index(from)] < 0 {
				from = from.Add(dirs[d])
			}
			if came = d ^ 2; board.IsEdge(line[len(line)-1]) && len(line) > 1 {
				line = line[:len(line)-1] // the middle of an edge is no halt on the way
			}
			line = append(line, from)
			continue next
		}
		return append(line, from.Add(l.p.At(from).Cap))
	}
}

// shortest are the literals of a shortest line, nil where there is no line; for one
// line that runs as it likes.
func (l *layout) shortest() map[path.Lit]bool {
	came := make([]pathLink, len(l.links)) // by vertex: from where, by what
	seen := make([]bool, len(l.links))
	seen[source] = true
	queue := []int32{source}
	for n := 0; n < len(queue) && !seen[sink]; n++ {
		for _, k := range l.links[queue[n]] {
			if !seen[k.to] && (k.to != sink || queue[n] != source) {
				seen[k.to], came[k.to] = true, pathLink{queue[n], k.lit}
				queue = append(queue, k.to)
			}
		}
	}
	if !seen[sink] {
		return nil
	}
	on := make(map[path.Lit]bool)
	for at := int32(sink); at != source; at = came[at].to {
		on[came[at].lit] = true
	}
	return on
}
