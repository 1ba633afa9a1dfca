package grid

import (
	"cmp"
	"image"
	"math"
	"slices"

	"onlooker/vision"
	"onlooker/vision/grid/part"
)

// A regular hexagon with a flat top is 2/√3 as wide as high. Its columns are
// 3/4 of its width apart, and every second stands half a cell higher.
const (
	hexStep  = 0.8660254037844386 // √3/2: heights from column to column
	hexWide  = 1 / hexStep
	hexSlack = 0.2 // of a cell's height: how far a neighbour is from where it should be
	leastHex = 4   // cells: three hexagons may be anything
	hexFull  = 0.8 // of its box that a hexagon fills at the most: 3/4, less what stands in it
	hexTile  = 0.7 // of its height: the side of a square that lies within a hexagon, nearly
)

// HexGrids are the grids of hexagons of a frame, the largest first. Cell (c,r) of
// one has its middle at (c+0.5, r+0.5) in cell units, half a unit higher in odd
// columns.
func (s *Scene) HexGrids(contrast int) []*Grid {
	p := s.PartsAt(contrast)
	var list []int32
	for i := range p.List {
		if hexagon(p, int32(i)) {
			list = append(list, int32(i))
		}
	}
	if len(list) < leastHex {
		return nil
	}
	var out []*Grid
	for _, found := range hexGroups(p, list) {
		if g := s.newHexGrid(p, found, contrast); g != nil {
			out = append(out, g)
		}
	}
	slices.SortStableFunc(out, func(a, b *Grid) int { return cmp.Compare(b.Area(), a.Area()) })
	return out
}

// hexagon tells whether a part may be the ground of a hexagon with a flat top: it
// reaches all six sides of its box's hexagon and none of the box's corners.
func hexagon(p *part.Parts, k int32) bool {
	q := &p.List[k]
	w, h := float64(q.Box.Dx()), float64(q.Box.Dy())
	if q.Box.Dx() < part.LeastSide || q.Box.Dy() < part.LeastSide || math.Abs(w/h/hexWide-1) > 0.3 ||
		float64(q.Area) < part.LeastFull*w*h || float64(q.Area) > hexFull*w*h || 2*q.Box.Dx() > p.W || 2*q.Box.Dy() > p.H {
		return false
	}
	cx, cy := q.Centre()
	at := func(x, y float64) bool {
		u, v := int(math.Round(cx+x*w)), int(math.Round(cy+y*h))
		return image.Pt(u, v).In(q.Box) && p.Of(u, v) == k
	}
	sides, corners := 0, 0
	for _, d := range [6][2]float64{{0, -0.44}, {0, 0.44}, {0.33, -0.22}, {0.33, 0.22}, {-0.33, -0.22}, {-0.33, 0.22}} {
		if at(d[0], d[1]) {
			sides++
		}
	}
	for _, d := range [4][2]float64{{0.44, -0.44}, {0.44, 0.44}, {-0.44, -0.44}, {-0.44, 0.44}} {
		if at(d[0], d[1]) {
			corners++
		}
	}
	return sides >= 5 && corners == 0
}

// hexWays are the steps to the neighbours of a hexagon in columns and half rows.
func hexWays() [6]image.Point {
	return [6]image.Point{{0, 2}, {0, -2}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}}
}

// hexGroups numbers hexagons by columns and half rows from the first of each
// group.
func hexGroups(p *part.Parts, list []int32) []group {
	return numbered(list, leastHex, func(i int32) (out []step) {
		q := &p.List[list[i]]
		x, y := q.Centre()
		h := float64(q.Box.Dy())
		for j, k := range list {
			o := &p.List[k]
			if math.Abs(float64(o.Box.Dy())-h) > alike*h || math.Abs(float64(o.Box.Dx()-q.Box.Dx())) > alike*h {
				continue
			}
			u, v := o.Centre()
			for _, way := range hexWays() {
				// Lines between hexagons take a little more.
				dx, dy := 1.05*hexStep*h*float64(way.X), 1.05*h*float64(way.Y)/2
				if math.Hypot(u-x-dx, v-y-dy) < hexSlack*h {
					out = append(out, step{int32(j), way})
				}
			}
		}
		return out
	})
}

// newHexGrid fits a lattice to hexagons and finds all cells of it; nil where they
// are none.
func (s *Scene) newHexGrid(p *part.Parts, found group, contrast int) *Grid {
	var spots []spot
	var high float64
	for i, k := range found.members {
		x, y := p.List[k].Centre()
		c := found.cell[i]
		spots = append(spots, spot{float64(c.X), float64(c.Y) / 2, x, y})
		high += float64(p.List[k].Box.Dy()) / float64(len(found.members))
	}
	g := &Grid{Scene: s, Rectified: Rectified{Contrast: contrast}, Lattice: Lattice{Hex: true, Tile: [2]float64{hexTile, hexTile}}}
	if m, ok := fit(spots, 0.03*high+1); !ok || worst(m, spots) > 0.08*high+1.5 || !g.put(m) {
		return nil
	}
	has := map[image.Point]bool{}
	queue := slices.Clone(found.cell)
	for _, c := range queue {
		has[c] = true
	}
	for n := 0; n < len(queue) && n < part.MostSides*part.MostSides; n++ {
		for _, way := range hexWays() {
			if c := queue[n].Add(way); !has[c] && g.holdsHex(p, c) {
				has[c] = true
				queue = append(queue, c)
			}
		}
	}
	if !g.number(has) {
		return nil
	}
	return g
}

// holdsHex tells whether a place of a lattice of hexagons, in columns and half
// rows, holds a cell: at most of its corners is ground that does not reach beyond
// it.
func (g *Lattice) holdsHex(p *part.Parts, c image.Point) bool {
	good := 0
	for k := range 6 {
		sin, cos := math.Sincos(math.Pi / 3 * float64(k))
		at := g.to.At(float64(c.X)+0.45*cos/hexStep, float64(c.Y)/2+0.45*sin)
		q, ok := p.At(int(math.Round(at.X)), int(math.Round(at.Y)))
		if !ok {
			continue
		}
		a, b := g.from.At(float64(q.Box.Min.X), float64(q.Box.Min.Y)), g.from.At(float64(q.Box.Max.X-1), float64(q.Box.Max.Y-1))
		if math.Abs(a.X-float64(c.X)) < 0.9 && math.Abs(b.X-float64(c.X)) < 0.9 && math.Abs(a.Y-float64(c.Y)/2) < 0.7 && math.Abs(b.Y-float64(c.Y)/2) < 0.7 {
			good++
		}
	}
	return good >= 5
}

// number gives cells, by columns and half rows, their columns and rows from the
// top left, and moves the map there.
func (g *Lattice) number(has map[image.Point]bool) bool {
	least, most := image.Pt(math.MaxInt, math.MaxInt), image.Pt(math.MinInt, math.MinInt)
	for c := range has {
		least.X, most.X = min(least.X, c.X), max(most.X, c.X)
	}
	// An even column's half rows are to be even.
	shift := 0
	for c := range has {
		if (c.X-least.X)&1 != c.Y&1 {
			shift = 1
		}
		break
	}
	row := func(c image.Point) int { return (c.Y + shift + (c.X-least.X)&1) >> 1 }
	for c := range has {
		least.Y, most.Y = min(least.Y, row(c)), max(most.Y, row(c))
	}
	g.Cols, g.Rows = most.X-least.X+1, most.Y-least.Y+1
	if g.Cols > part.MostSides || g.Rows > part.MostSides {
		return false
	}
	g.Has = make([]bool, g.Cols*g.Rows)
	for c := range has {
		g.Has[(row(c)-least.Y)*g.Cols+c.X-least.X] = true
	}
	g.put(g.to.Mul(vision.Shift(float64(least.X)-0.5, float64(least.Y)-0.5-float64(shift)/2)))
	g.measure()
	return true
}

// Centre is the middle of a cell in cell units.
func (g *Lattice) Centre(c, r int) (x, y float64) {
	x, y = float64(c)+0.5, float64(r)+0.5
	if g.Hex && c&1 == 1 {
		y -= 0.5
	}
	return x, y
}

// place is where a position of the straightened picture, in its cells, is in cell
// units: of hexagons each has a square of its own height there.
func (g *Lattice) place(u, v float64) (x, y float64) {
	if !g.Hex {
		return u, v
	}
	c, r := math.Floor(u), math.Floor(v)
	x, y = g.Centre(int(c), int(r))
	return x + (u-c-0.5)/hexStep, y + v - r - 0.5
}

// cutHexagons paints what lies beyond a hexagon in its square of the straightened
// picture, and its lines, in the hexagon's ground.
func (g *Grid) cutHexagons() {
	n := g.Side
	for i := range g.Has {
		c, r := i%g.Cols, i/g.Cols
		ground := g.Ground(c, r)
		for k := range n * n {
			x, y := math.Abs((float64(k%n)+0.5)/float64(n)-0.5), math.Abs((float64(k/n)+0.5)/float64(n)-0.5)
			if max(y, x*hexStep+y/2) > 0.5-Rim {
				copy(g.Flat.Pix[g.Flat.PixOffset((c+1)*n+k%n, (r+1)*n+k/n):], ground[:])
			}
		}
	}
}

// Border looks at what is drawn between two neighbouring cells of hexagons.
func (g *Grid) Border(a, b image.Point) Seam {
	ax, ay := g.Centre(a.X, a.Y)
	bx, by := g.Centre(b.X, b.Y)
	// In units of a cell's height both ways.
	dx, dy := (bx-ax)*hexStep, by-ay
	return g.seam(true, func(across, along float64) part.Colour {
		x := (ax + bx) / 2 * hexStep
		p := g.to.At((x+dx*across-dy*along)/hexStep, (ay+by)/2+dy*across+dx*along)
		return g.Scene.At(p.X, p.Y)
	})
}
