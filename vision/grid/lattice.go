package grid

import (
	"cmp"
	"image"
	"math"
	"slices"

	"onlooker/vision"
	"onlooker/vision/grid/part"
)

// What makes parts a lattice's cells. Measured on the boards of the shared
// screens: lit and dark tiles of one board differ by 12 % in size, cells with
// gaps between them are 1.45 of their size apart at the most.
const (
	mostShare = 0.75 // of the frame's side: a picture of one row of cells and little round it
	alike     = 0.2  // by how much the sizes of neighbours differ at the most
	mostGap   = 1.6  // sizes from centre to centre
	aside     = 0.22 // sizes by which neighbours are off their row or column
	// What a lattice holds by chance, as on a map, where all is full of small parts and it goes
	// on to the picture's border: of so many places 0.36 to 0.50, and of boards and backdrops
	// 0.59 and more.
	manyPlaces = 250
	filled     = 0.55
)

// A group is parts numbered as the cells of a lattice.
type group struct {
	members []int32
	cell    []image.Point // of each member
}

// groups are the sets of parts that stand as cells of a lattice do, largest
// cells first.
func groups(p *part.Parts) []group {
	var list []int32
	for i := range p.List {
		q := &p.List[i]
		w, h := q.Box.Dx(), q.Box.Dy()
		if w < part.LeastSide || h < part.LeastSide || float64(w) > mostShare*float64(p.W) || float64(h) > mostShare*float64(p.H) ||
			float64(q.Area) < part.LeastFull*float64(w*h) || w > 6*h || h > 6*w {
			continue
		}
		list = append(list, int32(i))
	}
	right, down := neighbours(p, list, true), neighbours(p, list, false)
	steps := make([][]step, len(list))
	link := func(next []int32, by image.Point) {
		for a, b := range next {
			if b >= 0 {
				steps[a] = append(steps[a], step{b, by})
				steps[b] = append(steps[b], step{int32(a), image.Point{}.Sub(by)})
			}
		}
	}
	link(right, image.Pt(1, 0))
	link(down, image.Pt(0, 1))
	out := numbered(list, 2, func(i int32) []step { return steps[i] })
	weigh := func(g group) int {
		sum := 0
		for _, k := range g.members {
			sum += p.List[k].Box.Dx() * p.List[k].Box.Dy()
		}
		return sum
	}
	slices.SortStableFunc(out, func(a, b group) int { return weigh(b) - weigh(a) })
	return out
}

// A step leads to another part of a list, by so many columns and rows.
type step struct {
	to int32
	by image.Point
}

// numbered are the groups of so many parts and more of a list that steps lead to, each numbered from
// its first one on.
func numbered(list []int32, least int, steps func(i int32) []step) (out []group) {
	seen := make([]bool, len(list))
	for i := range list {
		if seen[i] {
			continue
		}
		seen[i] = true
		g, queue := group{[]int32{list[i]}, make([]image.Point, 1)}, []int32{int32(i)}
		for k := 0; k < len(queue); k++ {
			for _, s := range steps(queue[k]) {
				if !seen[s.to] {
					seen[s.to] = true
					queue = append(queue, s.to)
					g.members, g.cell = append(g.members, list[s.to]), append(g.cell, g.cell[k].Add(s.by))
				}
			}
		}
		if len(queue) >= least {
			out = append(out, g)
		}
	}
	return out
}

// neighbours finds for each part of a list the nearest part to its right (or
// below) that is as large and stands in its row (or column); -1 for none.
func neighbours(p *part.Parts, list []int32, across bool) []int32 {
	type place struct{ along, off, long, wide float64 }
	places := make([]place, len(list))
	order := make([]int32, len(list))
	for i, k := range list {
		q := &p.List[k]
		x, y := q.Centre()
		places[i] = place{x, y, float64(q.Box.Dx()), float64(q.Box.Dy())}
		if !across {
			places[i] = place{y, x, float64(q.Box.Dy()), float64(q.Box.Dx())}
		}
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		switch d := places[a].along - places[b].along; {
		case d < 0:
			return -1
		case d > 0:
			return 1
		}
		return int(a - b)
	})
	next := make([]int32, len(list))
	for i := range next {
		next[i] = -1
	}
	for i, a := range order {
		u := places[a]
		for _, b := range order[i+1:] {
			v := places[b]
			d := v.along - u.along
			if d > mostGap*u.long {
				break
			}
			if d < 0.95*min(u.long, v.long) || math.Abs(v.off-u.off) > aside*u.wide ||
				math.Abs(v.long-u.long) > alike*max(u.long, v.long) || math.Abs(v.wide-u.wide) > alike*max(u.wide, v.wide) {
				continue
			}
			next[a] = b
			break
		}
	}
	return next
}

// newGrid fits a lattice to a group and finds all cells of it; nil where the
// group is no lattice.
func (s *Scene) newGrid(p *part.Parts, found group, contrast int) *Grid {
	if len(found.members) < 2 {
		return nil
	}
	least, most := found.cell[0], found.cell[0]
	for _, c := range found.cell {
		least = image.Pt(min(least.X, c.X), min(least.Y, c.Y))
		most = image.Pt(max(most.X, c.X), max(most.Y, c.Y))
	}
	cols, rows := most.X-least.X+1, most.Y-least.Y+1
	if cols > part.MostSides || rows > part.MostSides {
		return nil
	}
	spots := make([]spot, len(found.members))
	widths, heights := make([]float64, len(spots)), make([]float64, len(spots))
	for i, k := range found.members {
		q := &p.List[k]
		x, y := q.Centre()
		c := found.cell[i].Sub(least)
		spots[i] = spot{float64(c.X) + 0.5, float64(c.Y) + 0.5, x, y}
		widths[i], heights[i] = float64(q.Box.Dx()), float64(q.Box.Dy())
	}
	w, h := vision.Median(widths), vision.Median(heights)
	g := &Grid{Scene: s, Rectified: Rectified{Contrast: contrast}, Lattice: Lattice{Cols: cols, Rows: rows}}
	var ok bool
	switch {
	case cols == 1 || rows == 1:
		g.to, ok = single(spots, cols, rows, w, h)
	case g.stands(p, spots) && !bent(g.to, spots):
		ok = true
	default:
		g.to, ok = fit(spots, 0.04*min(w, h)+1)
	}
	// Where path pieces are among the parts only an upright lattice is sure; a
	// turned one is known by whole cells alone.
	far := 0.25
	if !g.upright() {
		far = 0.08
	}
	if !ok || worst(g.to, spots) > far*min(w, h)+1.5 || !g.put(g.to) {
		return nil
	}
	g.measure()
	g.Tile = [2]float64{min(1, w/g.Pitch[0]), min(1, h/g.Pitch[1])}
	if g.Pitch[0] < part.LeastSide || g.Pitch[1] < part.LeastSide {
		return nil
	}
	g.refine(p)
	g.settle(p)
	if g.refine(p); g.goesBeyond(p) {
		g.settle(p) // the lines were off before, as of a few cells of which walls take a part
		g.refine(p)
	}
	if g.Cells() < 2 || g.Cols > part.MostSides || g.Rows > part.MostSides || g.chance() {
		return nil
	}
	return g
}

// chance tells whether a lattice is one by chance: of many places few hold cells.
func (g *Lattice) chance() bool {
	return len(g.Has) >= manyPlaces && float64(g.Cells()) < filled*float64(len(g.Has))
}

// stands fits an upright lattice, and tells whether the parts' sides are on its
// lines.
func (g *Lattice) stands(p *part.Parts, spots []spot) bool {
	m, ok := fitUpright(spots)
	return ok && g.put(m) && g.refine(p)
}

// single is the map of a lattice of one row or column, whose cells are as far
// apart the other way.
func single(spots []spot, cols, rows int, w, h float64) (vision.Mat3, bool) {
	slices.SortFunc(spots, func(a, b spot) int { return cmp.Compare(a.x+a.y, b.x+b.y) })
	first, last := spots[0], spots[len(spots)-1]
	n := float64(max(cols, rows) - 1)
	if n < 1 {
		return vision.Mat3{}, false
	}
	if rows == 1 {
		px := (last.px - first.px) / n
		py := px / w * h
		return vision.Mat3{px, 0, first.px - 0.5*px, 0, py, first.py - 0.5*py, 0, 0, 1}, true
	}
	py := (last.py - first.py) / n
	px := py / h * w
	return vision.Mat3{px, 0, first.px - 0.5*px, 0, py, first.py - 0.5*py, 0, 0, 1}, true
}

// put has the lattice lie where a map from cell units takes it; false where that has no inverse.
func (g *Lattice) put(m vision.Mat3) (ok bool) {
	g.to = m
	g.from, ok = m.Inverse()
	return ok
}

// measure takes the mean pitches.
func (g *Lattice) measure() {
	q := g.Quad()
	dist := func(a, b vision.Point) float64 { return math.Hypot(a.X-b.X, a.Y-b.Y) }
	g.Pitch = [2]float64{
		(dist(q[0], q[1]) + dist(q[3], q[2])) / 2 / float64(g.Cols),
		(dist(q[0], q[3]) + dist(q[1], q[2])) / 2 / float64(g.Rows),
	}
}

// settle finds which places of the lattice hold cells, first within what is
// known and then row by row and column by column beyond, and cuts off rows and
// columns without any.
func (g *Lattice) settle(p *part.Parts) {
	has := map[image.Point]bool{}
	var box image.Rectangle // of those that hold one
	look := func(strip image.Rectangle) (any bool) {
		for at := range places(strip) {
			if g.holds(p, at.X, at.Y) {
				has[at], any = true, true
				box = box.Union(image.Rectangle{at, at.Add(image.Pt(1, 1))})
			}
		}
		return any
	}
	look(g.Bounds())
	grown(g.Bounds(), part.MostSides, look)
	g.put(g.to.Mul(vision.Shift(float64(box.Min.X), float64(box.Min.Y))))
	g.Cols, g.Rows = box.Dx(), box.Dy()
	g.Has = make([]bool, g.Cols*g.Rows)
	for c := range has {
		c = c.Sub(box.Min)
		g.Has[c.Y*g.Cols+c.X] = true
	}
	if g.Cols > 0 {
		g.measure()
	}
}

// goesBeyond tells whether beside a whole side of more than one cell most places hold cells.
func (g *Lattice) goesBeyond(p *part.Parts) bool {
	for _, side := range Strips(g.Bounds()) {
		n, all := 0, side.Dx()*side.Dy()
		for at := range places(side) {
			if g.holds(p, at.X, at.Y) {
				n++
			}
		}
		if all > 1 && 2*n > all {
			return true
		}
	}
	return false
}

// holds tells whether a place of the lattice holds a cell: in three of its
// corners, just within where tiles are, are parts that do not reach beyond it.
func (g *Lattice) holds(p *part.Parts, c, r int) bool {
	good := 0
	for _, corner := range [4][2]float64{{-1, -1}, {1, -1}, {-1, 1}, {1, 1}} {
		yes, no := 0, 0
		for _, in := range []float64{0.41, 0.37, 0.33} { // of the tile, from its middle: 0.5 is its border
			at := g.to.At(float64(c)+0.5+corner[0]*in*g.Tile[0], float64(r)+0.5+corner[1]*in*g.Tile[1])
			q, ok := p.At(int(math.Round(at.X)), int(math.Round(at.Y)))
			if !ok {
				continue
			}
			if g.within(q, c, r) {
				yes++
			} else {
				no++
			}
		}
		if yes > no {
			good++
		}
	}
	return good >= 3
}

// Cut is a *vision.UnsureError where the board may go on beyond what is seen of it: its outer cells
// come up to the picture's border, to so many pitches, or its lines lead on beside a side.
func (g *Grid) Cut(near float64) error {
	if g.AtEdge(near) {
		return vision.CutOff("its outer cells come up to the picture's border, so that it may go on")
	}
	g.Straighten()
	if ways := Ways(); slices.ContainsFunc(ways[:], g.LeadsOn) {
		return vision.CutOff("a part of a board: its lines go on")
	}
	return nil
}

// LeadsOn tells whether the lines between the outer cells of a side, one of Ways, go on beyond
// them, so that it is no side of the whole board: most do, as clearly as they are drawn within.
func (g *Grid) LeadsOn(way image.Point) bool {
	on, all := 0, 0
	for r := range g.Rows {
		for c := range g.Cols {
			along := image.Pt(way.Y*way.Y, way.X*way.X)
			n := image.Pt(c, r).Add(along)
			if !g.At(c, r) || !g.At(n.X, n.Y) || g.At(c+way.X, r+way.Y) || g.At(n.X+way.X, n.Y+way.Y) {
				continue
			}
			// Beyond the picture nothing can be seen.
			past := image.Pt(c, r).Add(way)
			if !g.SeesBeyond(past.X, past.Y, image.Point{}) {
				continue
			}
			within := g.Seam(c, r, along)
			if within.Weight <= 0 || within.Peak < g.Contrast {
				continue
			}
			all++
			if beyond := g.Seam(c+way.X, r+way.Y, along); beyond.Least >= g.Contrast && 2*beyond.Least > within.Peak && beyond.Colour.Contrast(within.Colour) <= within.Peak {
				on++ // words have another colour than faint lines
			}
		}
	}
	return all > 1 && 2*on > all
}

// AtEdge tells whether the board comes so near to the frame's border, in parts of
// a pitch, that it may go on beyond it.
func (g *Grid) AtEdge(near float64) bool {
	for _, p := range g.Quad() {
		dx, dy := near*g.Pitch[0], near*g.Pitch[1]
		if p.X < dx || p.Y < dy || p.X > float64(g.Scene.W)-dx || p.Y > float64(g.Scene.H)-dy {
			return true
		}
	}
	return false
}

// within tells whether a part lies in a cell, to a quarter of a pitch.
func (g *Lattice) within(q *part.Part, c, r int) bool {
	const slack = 0.25
	for _, at := range [4]image.Point{q.Box.Min, {q.Box.Max.X - 1, q.Box.Min.Y}, {q.Box.Min.X, q.Box.Max.Y - 1}, q.Box.Max.Sub(image.Pt(1, 1))} {
		u := g.from.At(float64(at.X), float64(at.Y))
		if u.X < float64(c)-slack || u.X > float64(c)+1+slack || u.Y < float64(r)-slack || u.Y > float64(r)+1+slack {
			return false
		}
	}
	return true
}
