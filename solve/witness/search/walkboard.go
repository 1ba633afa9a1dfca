package search

import (
	"image"
	"slices"

	"onlooker/solve/path"
	"onlooker/solve/witness/board"
)

// A walk draws one line after the other, depth first. What the line has passed
// it cannot come back to: cells between which it can run no more belong together
// (a block), and a block that holds what may not be together ends the line there,
// long before it has closed the region; a region that it has closed is judged. A
// small panel is decided so before the clauses of a search would be written down;
// but how many lines there are grows by a factor of 100 from 4×4 to 5×5 cells, and
// of 500 from there to 6×6.
//
// It goes by the search's layout and asks the search's judge. Of the variables
// it uses the names alone: on holds those that the line makes true. Sets of cells
// and of vertices are the bits of a word.
type walk struct {
	m *model
	l *layout

	vertices []walkVertex
	cells    []walkCell
	edges    []walkEdge // by variable
	limits   []limit
	tables   []*cutoffs // by item: of those that go by their sides
	symbols  uint64     // cells with any
	pieces   uint64     // with pieces, blue ones apart
	blue     uint64     // with those
	erasers  uint64     // with erasers
	alone    uint64     // with a symbol that goes by its sides
	dots     uint64     // vertices with a dot that an eraser may take
	musts    uint64     // with one that none takes
	mustEdge []path.Lit // edges with one that none takes

	on     []bool     // by variable
	been   uint64     // vertices
	joined []uint64   // by cell: cells beside it to which the line can no longer bar the way
	near   []uint64   // by cell: cells beside it to which the line does not bar the way
	trail  [][2]int32 // what was joined, the last last
	fresh  uint64     // cells that were joined in this step
	steps  []walkStep
	ended  path.Lit // by which the line ends, once it does
	known  map[plotKey]bool
	work   int
}

// A walkStep is a vertex of the line, and what was known when it came there.
type walkStep struct {
	at     int32
	next   int32    // of its links
	lit    path.Lit // by which the line came
	joined int      // how many joints
	dead   uint64   // vertices that the line can come to no more
	lost   uint64   // cells whose symbol is wrong by its sides
	missed int      // dots on edges that the line can cover no more
}

// A plotKey tells regions that are judged apart: cells, and what is wrong by its
// sides or not covered.
type plotKey struct {
	cells uint64
	wrong [2]uint64
}

// A walkVertex is a vertex of the graph as the walk sees it.
type walkVertex struct {
	links  []pathLink
	next   uint64   // vertices that it has links to, the source apart
	visit  path.Lit // what covers it
	halves path.Lit // true when the line runs all along the edge that it is the middle of; none: it is no middle
	border bool     // it, or its image, lies on the border
	cells  uint64   // that have it at a corner or a side
}

// A walkEdge is an edge of the graph as the walk sees it.
type walkEdge struct {
	between [][2]int32 // cells that it, or what it is a half of, lies between
	half    bool       // of an edge with a vertex in its middle
	dot     bool       // one lies on it that an eraser may take
	must    bool       // one that none takes
}

// A walkSide is a side of a cell: an edge, by its vertices, or the middle of
// one, a vertex twice; -1: no line can cover it.
type walkSide struct {
	lit  path.Lit
	a, b int32
}

// A walkCell is a cell as the walk sees it.
type walkCell struct {
	sides [4]walkSide
	dots  []int32 // that are told of with it
}

// cutoffs tells for each set of covered sides and each of sides that are not,
// whether a symbol can still be right.
type cutoffs [16][16]bool

func newCutoffs(t sideTable) *cutoffs {
	var c cutoffs
	for on := range 16 {
		for off := range 16 {
			c[on][off] = !t.never(sideSet{on, off})
		}
	}
	return &c
}

// What a walk takes on: panels of up to 6×6 cells, whose lines beyond that are too
// many; a word holds the vertices, and two all symbols and dots.
const (
	walkCells    = 36
	walkVertices = 64
	walkOther    = 128
)

// walkable tells whether the walk knows all the rules that a panel has.
func (m *model) walkable() bool {
	l := m.l
	if len(l.cells) != l.real || l.real > walkCells || len(l.links) > walkVertices || len(m.items)+len(m.marks) > walkOther || l.sheets || slices.Contains(l.onward, true) || !m.p.Rules.ThroughEnds {
		return false
	}
	if m.p.Pillar && m.p.Cols < 3 {
		return false // two cells may be neighbours twice
	}
	if m.loose() {
		return false // where the line runs matters, beside what it encloses
	}
	if slices.ContainsFunc(m.kinds, func(k board.Kind) bool { return k.By() != nil }) {
		return false
	}
	return !slices.ContainsFunc(m.marks, func(mk mark) bool { return mk.cover == none && (m.erasers == 0 || len(mk.cells) == 0) })
}

func newWalk(m *model, vars int) *walk {
	l := m.l
	w := &walk{
		m: m, l: l, vertices: make([]walkVertex, len(l.links)), cells: make([]walkCell, l.real),
		edges: make([]walkEdge, vars), tables: make([]*cutoffs, len(m.items)),
		on: make([]bool, vars), joined: make([]uint64, l.real), near: make([]uint64, l.real), known: make(map[plotKey]bool),
	}
	ends := make([][2]int32, vars) // by variable: the vertices that it is an edge of, or covers
	for v, links := range l.links {
		x := &w.vertices[v]
		x.links, x.visit, x.halves = links, none, none
		for _, k := range links {
			ends[k.lit.Var()] = [2]int32{int32(v), k.to}
			if k.to != source {
				x.next |= 1 << k.to
			}
		}
	}
	for i, v := range l.vertex {
		if v < 0 {
			continue
		}
		at := image.Pt(i%l.width, i/l.width)
		x := &w.vertices[v]
		x.visit = l.cover[i]
		x.border = x.border || at.Y == 0 || at.Y == m.p.Height()-1 || !m.p.Pillar && (at.X == 0 || at.X == m.p.Width()-1)
		ends[x.visit.Var()] = [2]int32{v, v}
		if board.IsEdge(at) {
			x.halves = l.apart[i]
		}
	}
	w.readCells(ends)
	w.readSymbols(ends)
	w.steps, w.ended = append(make([]walkStep, 0, len(l.links)+1), walkStep{at: source, lit: none}), none
	return w
}

// readCells notes what lies at the sides of cells, and what between two.
func (w *walk) readCells(ends [][2]int32) {
	l := w.l
	for c, at := range l.cells {
		for d, way := range dirs {
			side := walkSide{l.cover[l.index(at.Add(way))], -1, -1}
			if side.lit != none {
				side.a, side.b = ends[side.lit.Var()][0], ends[side.lit.Var()][1]
				w.vertices[side.a].cells |= 1 << c
				w.vertices[side.b].cells |= 1 << c
			}
			w.cells[c].sides[d] = side
		}
	}
	for _, j := range l.joins {
		w.near[j.a] |= 1 << j.b
		w.near[j.b] |= 1 << j.a
		if j.lit == none {
			w.joined[j.a] |= 1 << j.b
			w.joined[j.b] |= 1 << j.a
			continue
		}
		e := &w.edges[j.lit.Var()]
		e.between = append(e.between, [2]int32{j.a, j.b})
	}
	for v := range w.vertices {
		x := &w.vertices[v]
		if x.halves == none {
			continue
		}
		for _, k := range x.links {
			if k.to != source && k.to != sink {
				w.edges[k.lit.Var()] = walkEdge{between: w.edges[x.halves.Var()].between, half: true}
			}
		}
	}
}

// readSymbols notes what the symbols want.
func (w *walk) readSymbols(ends [][2]int32) {
	m := w.m
	known := make(map[sideTable]*cutoffs)
	for i := range m.items {
		it := &m.items[i]
		w.symbols |= 1 << it.cell
		switch {
		case it.area > 0:
			w.pieces |= 1 << it.cell
		case it.area < 0:
			w.blue |= 1 << it.cell
		case it.erases:
			w.erasers |= 1 << it.cell
		}
		if it.alone {
			t := newSideTable(it.Symbol, it.row.Met)
			if known[t] == nil {
				known[t] = newCutoffs(t)
			}
			w.tables[i] = known[t]
			w.alone |= 1 << it.cell
		}
	}
	for _, k := range m.kinds {
		own := m.ofKind(k)
		if limits := m.items[own[0]].row.limits; limits != nil {
			w.limits = append(w.limits, limits(m, own)...)
		}
	}
	for i := range m.marks {
		mk := &m.marks[i]
		taken := m.erasers > 0 && len(mk.cells) > 0
		if len(mk.cells) > 0 {
			c := &w.cells[mk.cells[0]]
			c.dots = append(c.dots, int32(i))
			w.symbols |= 1 << mk.cells[0]
		}
		if mk.cover == none {
			continue
		}
		switch v := ends[mk.cover.Var()]; {
		case v[0] == v[1] && taken:
			w.dots |= 1 << v[0]
		case v[0] == v[1]:
			w.musts |= 1 << v[0]
		case taken:
			w.edges[mk.cover.Var()].dot = true
		default:
			w.edges[mk.cover.Var()].must = true
			w.mustEdge = append(w.mustEdge, mk.cover)
		}
	}
}
