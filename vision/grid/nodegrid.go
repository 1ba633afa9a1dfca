package grid

import (
	"image"
	"image/color"
	"image/draw"
	"slices"

	"onlooker/vision"
	"onlooker/vision/grid/part"
)

// What dots at the nodes of a lattice are, which alone show its cells.
const (
	leastNodes = 9
	mostNodes  = 41 * 41 // more are the dots of a pattern, or of a map
	leastNode  = 3       // pixels of a dot within its edges: less is a backdrop's pattern
	nodeSizes  = 4       // sizes of parts that are tried, those first that cover most
	nodeFull   = 0.7     // of its box that a dot fills: a disc fills π/4
	nodeWide   = 0.6     // of a pitch, at the most
	nodeAlike  = 24      // of a dot's width, by which dots of one size differ, and a pixel
	outlined   = 0.8     // of an outline that is drawn, where there is one
	// An outline is up to a quarter of a pitch wide, and as clear as the dots are.
	outlineWide = 0.13
	frameClear  = 40
)

// NodeGrids are the upright lattices whose nodes are dots, or small squares, on one ground,
// with nothing else between the cells: each as a grid of a scene without the dots. Where an
// outline is drawn a pitch beyond the outer dots these are nodes within the board; else they
// are its corners and sides.
func (s *Scene) NodeGrids(contrast int) []*Grid {
	p := s.PartsAt(contrast)
	var all []part.Part
	for _, q := range p.List {
		w, h := q.Box.Dx(), q.Box.Dy()
		if min(w, h) >= leastNode && 8*max(w, h) <= 9*min(w, h)+8 && float64(q.Area) >= nodeFull*float64(w*h) && 8*max(w, h) <= min(s.W, s.H) {
			all = append(all, q)
		}
	}
	var out []*Grid
	near := func(o, like part.Part) bool {
		dx, dy, most := o.Box.Dx()-like.Box.Dx(), o.Box.Dy()-like.Box.Dy(), 1+like.Box.Dx()/nodeAlike
		return max(dx, -dx, dy, -dy) <= most
	}
	for range nodeSizes {
		var best []part.Part
		best, all = part.Heaviest(all, func(q part.Part) int { return q.Box.Dx() }, near, func(q part.Part) float64 { return float64(q.Area) })
		if g := s.nodeGrid(best, contrast); g != nil {
			out = append(out, g)
		}
	}
	return out
}

// nodeGrid is the lattice whose nodes are some dots; nil where they stand on none, or not
// on all of its nodes.
func (s *Scene) nodeGrid(set []part.Part, contrast int) *Grid {
	if len(set) < leastNodes || len(set) > mostNodes {
		return nil
	}
	points := make([]vision.Point, len(set))
	for i, q := range set {
		points[i].X, points[i].Y = q.Centre()
	}
	c, ok := nodes(points, 0.03)
	if !ok || min(c[0].n, c[1].n) < 2 || float64(set[0].Box.Dx()+2) > nodeWide*c[0].pitch {
		return nil
	}
	without, ground := s.without(set)
	var bared image.Rectangle
	out := 0
	if at, ok := s.outlineNear(c); ok {
		bared, out = blank(without, at, ground), 1
	}
	g := NewScene(without).combed(c, float64(out), contrast)
	if g == nil || min(g.Cols, g.Rows) < 2 {
		return nil
	}
	g.Bared = bared
	return g
}

// without is the frame with the ground round some parts in their place, and that ground.
func (s *Scene) without(set []part.Part) (out *image.RGBA, ground part.Colour) {
	var grounds []part.Colour
	out = image.NewRGBA(s.Frame.Rect)
	copy(out.Pix, s.Frame.Pix)
	for _, q := range set {
		box := q.Box.Inset(-3).Intersect(out.Rect)
		var list []part.Colour
		for x := box.Min.X; x < box.Max.X; x++ {
			list = append(list, s.At(float64(x), float64(box.Min.Y)), s.At(float64(x), float64(box.Max.Y-1)))
		}
		c := part.Usual(list)
		grounds = append(grounds, c)
		draw.Draw(out, q.Box.Inset(-2), image.NewUniform(color.RGBA{c[0], c[1], c[2], 255}), image.Point{}, draw.Src)
	}
	return out, part.Usual(grounds)
}

// outlineNear finds the lines that are drawn a pitch beyond the outer nodes, to a third of one: left,
// right, top and bottom, each from and to where it goes; false where one is not.
func (s *Scene) outlineNear(c [2]comb) (at [4][2]float64, ok bool) {
	pitch := c[0].pitch
	for side := range at {
		across, along, where := c[side/2], c[1-side/2], c[side/2].at(-1)
		if side%2 == 1 {
			where = across.at(float64(across.n))
		}
		ok = false
		for off := -pitch / 3; off <= pitch/3; off++ {
			n, all := 0, 0
			for v := along.at(-0.5); v < along.at(float64(along.n)-0.5); v += 3 {
				colour := func(d float64) part.Colour {
					if side/2 == 0 {
						return s.At(where+off+d, v)
					}
					return s.At(v, where+off+d)
				}
				all++
				c := colour(0)
				if min(c.Contrast(colour(-outlineWide*pitch)), c.Contrast(colour(outlineWide*pitch))) >= frameClear {
					n++
				}
			}
			if float64(n) < outlined*float64(all) {
				continue
			}
			if !ok {
				at[side][0], ok = where+off, true
			}
			at[side][1] = where + off
		}
		if !ok {
			return at, false
		}
	}
	return at, true
}

// blank draws the ground over an outline, and gives what is left within it.
func blank(m *image.RGBA, at [4][2]float64, ground part.Colour) image.Rectangle {
	const edge = 1 // pixel of a line's blur
	x0, y0, x1, y1 := int(at[0][0])-edge, int(at[2][0])-edge, int(at[1][1])+edge+1, int(at[3][1])+edge+1
	fill := image.NewUniform(color.RGBA{ground[0], ground[1], ground[2], 255})
	for _, r := range []image.Rectangle{
		image.Rect(x0, y0, int(at[0][1])+edge+1, y1), image.Rect(int(at[1][0])-edge, y0, x1, y1),
		image.Rect(x0, y0, x1, int(at[2][1])+edge+1), image.Rect(x0, int(at[3][0])-edge, x1, y1),
	} {
		draw.Draw(m, r, fill, image.Point{}, draw.Src)
	}
	return image.Rect(int(at[0][1])+edge+1, int(at[2][1])+edge+1, int(at[1][0])-edge, int(at[3][0])-edge)
}

// leastDiscs are the discs of a lattice that nothing else shows.
const leastDiscs = 9

// leastRing is the radius of what a ring encloses, of that of a disc beside it: a ring is a
// quarter of it wide, as most are drawn, or less.
const leastRing = 0.5

// DiscGrids are the upright lattices in whose every cell a disc of one size stands, where
// nothing else parts the cells.
func (s *Scene) DiscGrids(contrast int) []*Grid {
	var out []*Grid
	sets := s.Discs(contrast)
	for i, set := range sets {
		if g := s.discGrid(set, contrast); g != nil {
			out = append(out, g)
			continue
		}
		// What rings enclose is smaller than the discs beside them.
		for _, inner := range sets[i+1:] {
			if ratio := inner[0].Radius / set[0].Radius; ratio < leastRing || ratio > 1/leastRing {
				continue
			}
			if g := s.discGrid(slices.Concat(set, inner), contrast); g != nil {
				out = append(out, g)
				break
			}
		}
	}
	return out
}

// discGrid is the lattice of some discs; nil where they stand on none, or not on all of
// its places.
func (s *Scene) discGrid(set []part.Disc, contrast int) *Grid {
	if len(set) < leastDiscs {
		return nil
	}
	points := make([]vision.Point, len(set))
	for i, d := range set {
		points[i] = d.At
	}
	c, ok := nodes(points, 0.05)
	if !ok {
		return nil
	}
	g := s.combed(c, 0.5, contrast)
	if g == nil {
		return nil
	}
	for _, d := range set {
		g.Disc = max(g.Disc, 2*d.Radius/c[0].pitch)
	}
	return g
}
