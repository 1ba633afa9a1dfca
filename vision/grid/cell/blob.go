// Package cell tells what stands in a cell of a straightened board, whatever it means: a
// blob round its middle, a mark such as a letter, what is written on a disc.
package cell

import (
	"image"
	"math"
	"slices"

	"onlooker/vision"
	"onlooker/vision/grid"
	"onlooker/vision/grid/part"
)

// A Blob is what covers the middle of a cell: a disc, a square, a stretch of a
// path, or nothing.
type Blob struct {
	Colour, Ground part.Colour
	// Contrast is that of the two, or where Radius is 0 of anything in the cell
	// from the ground.
	Contrast int
	// Radius is how far it reaches from the middle in nearly every direction, in cell
	// units: a path's half width, a disc's radius. Past 0.45 it is the cell's
	// own ground.
	Radius float64
	// Solid is how much of what lies within Radius has its colour rather than the
	// ground's: all of a disc, some of a letter or a ring.
	Solid float64
	// Arms tells where it goes on over the cell's border: right, down, left, up.
	Arms [4]bool
	// Closed says that it ends within the cell but for its arms.
	Closed bool
	// Aside says that there is something, but that all of it comes in over the border
	// and stays off the middle, where Radius is 0: it is part of what stands in another
	// cell, or lies over the board.
	Aside bool
}

// What in a cell stands out from its ground: a third of the clearest, which a
// disc under a letter has, and half as much again as an edge.
const standsOut = 0.3

// BlobIn looks at the middle of a cell.
func BlobIn(g *grid.Grid, c, r int) Blob {
	b := Blob{Ground: g.Ground(c, r)}
	n := g.Side
	x0, y0 := (c+1)*n, (r+1)*n
	edge := int(math.Round(grid.Rim * float64(n)))
	for y := edge; y < n-edge; y++ {
		for x := edge; x < n-edge; x++ {
			b.Contrast = max(b.Contrast, g.FlatPixel(x0+x, y0+y).Contrast(b.Ground))
		}
	}
	least := max(3*g.Contrast/2, int(standsOut*float64(b.Contrast)))
	if b.Contrast < least {
		return b
	}
	return measured(&g.Rectified, c, r, b, least)
}

// plain is by how much the colour of what is written on differs from place to place,
// of its contrast with the ground: a glow fades.
const plain = 0.25

// PlateOf is what a blob is written on, where that stands out from the ground by less
// than Blob looks for: larger, of one colour, and ending within the cell all round.
func PlateOf(g *grid.Rectified, c, r int, b Blob) (Blob, bool) {
	p := measured(g, c, r, Blob{Ground: b.Ground, Contrast: b.Contrast}, 3*g.Contrast/2)
	if p.Radius <= b.Radius || !p.Closed || p.Arms != [4]bool{} {
		return b, false
	}
	n, differ, all := g.Side, 0, 0
	for y := range n {
		for x := range n {
			if d := math.Hypot(float64(x)+0.5-float64(n)/2, float64(y)+0.5-float64(n)/2) / float64(n); d > 0.65*p.Radius && d < 0.9*p.Radius {
				all++
				if float64(g.FlatPixel((c+1)*n+x, (r+1)*n+y).Contrast(p.Colour)) > plain*float64(p.Contrast) {
					differ++
				}
			}
		}
	}
	return p, 3*differ < all // the rest is what is written
}

// cellPixels are the pixels of a cell, row by row, and fromMiddle how far their middles
// are from the cell's, in pixels.
func cellPixels(g *grid.Rectified, c, r int) (list []part.Colour, fromMiddle []float64) {
	n := g.Side
	list, fromMiddle = make([]part.Colour, 0, n*n), make([]float64, 0, n*n)
	for y := range n {
		row := g.Flat.Pix[((r+1)*n+y)*g.Flat.Stride+4*(c+1)*n:][:4*n]
		v := float64(y) + 0.5 - float64(n)/2
		for x := range n {
			u := float64(x) + 0.5 - float64(n)/2
			list = append(list, part.Colour(row[4*x:4*x+3]))
			fromMiddle = append(fromMiddle, math.Sqrt(u*u+v*v))
		}
	}
	return list, fromMiddle
}

// measured is the blob of what stands out from the ground by a contrast.
func measured(g *grid.Rectified, c, r int, b Blob, least int) Blob {
	n := g.Side
	pixels, far := cellPixels(g, c, r)
	edge := int(math.Round(grid.Rim * float64(n)))
	mask := make([]bool, n*n)
	out := func() {
		for k, p := range pixels {
			mask[k] = p.Contrast(b.Ground) >= least
		}
	}
	out()
	fill(mask, n, edge)
	b.trace(mask, nil, n)
	// Its own colour is that of its outer part: a letter may stand on it.
	var list []part.Colour
	for k, d := range far {
		if d /= float64(n); d <= 1/float64(n) || d > 0.65*b.Radius && d < 0.9*b.Radius {
			list = append(list, pixels[k])
		}
	}
	b.Colour = part.Usual(list)
	if b.Colour.Contrast(b.Ground) < g.Contrast {
		b.Radius = 0
		out()
		b.Aside = comesIn(mask, n, edge)
		return b
	}
	for k, p := range pixels {
		mask[k] = p.Apart(b.Colour) < p.Apart(b.Ground)
	}
	solid := slices.Clone(mask)
	fill(mask, n, edge)
	share := make([]float64, len(mask)) // of its colour, the rest being the ground's
	for k, own := range mask {
		if share[k] = 1; solid[k] || !own {
			part, all := pixels[k].Between(b.Ground, b.Colour)
			share[k] = float64(part) / float64(all) // they differ by an edge's contrast
		}
	}
	b.trace(mask, share, n)
	all, full := 0, 0
	for k, d := range far {
		if d <= b.Radius*float64(n) {
			all++
			if solid[k] {
				full++
			}
		}
	}
	b.Solid = float64(full) / float64(max(1, all))
	if b.Radius > 0 {
		b.Contrast = b.Colour.Contrast(b.Ground)
	}
	return b
}

// fill adds to a mask of n×n pixels what it encloses; what lies within edge of
// the border, where the cell's lines are, encloses nothing.
func fill(mask []bool, n, edge int) {
	outside := fromBorder(mask, n, edge, false)
	for y := edge; y < n-edge; y++ {
		for x := edge; x < n-edge; x++ {
			mask[y*n+x] = !outside[y*n+x]
		}
	}
}

// fromBorder are the pixels of a mask of n×n, set ones or others, that hang together
// with what is so at the border, of which edge pixels are not looked at.
func fromBorder(mask []bool, n, edge int, set bool) []bool {
	seen := make([]bool, n*n)
	var queue []int
	push := func(x, y int) {
		if k := y*n + x; x >= edge && y >= edge && x < n-edge && y < n-edge && mask[k] == set && !seen[k] {
			seen[k] = true
			queue = append(queue, k)
		}
	}
	for i := edge; i < n-edge; i++ {
		push(i, edge)
		push(i, n-edge-1)
		push(edge, i)
		push(n-edge-1, i)
	}
	for len(queue) > 0 {
		x, y := queue[len(queue)-1]%n, queue[len(queue)-1]/n
		queue = queue[:len(queue)-1]
		push(x-1, y)
		push(x+1, y)
		push(x, y-1)
		push(x, y+1)
	}
	return seen
}

// offMiddleBy is how far, in cell units, what comes in over a cell's border stays off its
// middle: ends have radii of 0.2 and more.
const offMiddleBy = 0.2

// comesIn tells whether all of a mask of n×n pixels that is not within edge of the border
// hangs together with what is there, and stays off the middle.
func comesIn(mask []bool, n, edge int) bool {
	seen := fromBorder(mask, n, edge, true)
	for y := edge; y < n-edge; y++ {
		for x := edge; x < n-edge; x++ {
			far := math.Hypot(float64(x)+0.5-float64(n)/2, float64(y)+0.5-float64(n)/2)
			if k := y*n + x; mask[k] && (!seen[k] || far < offMiddleBy*float64(n)) {
				return false
			}
		}
	}
	return true
}

// trace measures a blob from the mask of a cell of n pixels; share is how much of each
// the blob covers, nil where that is not known.
func (b *Blob) trace(mask []bool, share []float64, n int) {
	mid := float64(n) / 2
	reach := reaches(mask, share, n, mid, mid)
	b.Radius = around(reach) / float64(n)
	// A disc that stands a little off the cell's middle is measured from its own, unless
	// that is farther off: what covers a part of it seems to move it.
	if dx, dy, ok := offMiddle(reach, n); ok && arms(reach, n) < 2 {
		b.Radius = max(b.Radius, around(reaches(mask, share, n, mid+dx, mid+dy))/float64(n))
	}
	out := 0
	for way := range b.Arms {
		k := way * part.Rays / 4
		// An arm reaches the border straight ahead.
		b.Arms[way] = reach[k] >= border*float64(n)
		for j := -part.Rays / 8; j < part.Rays/8; j++ {
			if reach[(k+j+part.Rays)%part.Rays] >= border*float64(n) {
				out++
			}
		}
	}
	b.Closed = out <= part.Rays*7/10
}

// around is how far a blob reaches in all directions but a quarter, in which something
// may lie over it: in so many a path that goes straight through is as narrow as 1.08 of
// its half width.
func around(reach [part.Rays]float64) float64 {
	slices.Sort(reach[:])
	return reach[part.Rays/4]
}

// border is how far a ray goes at least that reaches the cell's border, in cell
// units.
const border = 0.47

// reaches is how far a mask of n×n pixels goes from a place in each direction, in
// pixels: to where half is covered, which lies between pixels, if their shares are known.
func reaches(mask []bool, share []float64, n int, cx, cy float64) (reach [part.Rays]float64) {
	for k := range reach {
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / part.Rays)
		d := 0.0
		var in bool
		for ; ; d += 0.5 {
			x, y := cx+d*cos, cy+d*sin
			if in = x >= 0 && y >= 0 && x < float64(n) && y < float64(n); !in || !mask[int(y)*n+int(x)] {
				break
			}
		}
		if reach[k] = d; share == nil || !in {
			continue
		}
		// The edge lies within a pixel and a half of where the mask ends.
		from := max(0, d-1.5)
		last := interpolated(share, n, cx+from*cos, cy+from*sin)
		for e := from + 0.5; e <= d+1; e += 0.5 {
			v := interpolated(share, n, cx+e*cos, cy+e*sin)
			if last >= 0.5 && v < 0.5 {
				reach[k] = e - 0.5*(0.5-v)/(last-v)
				break
			}
			last = v
		}
	}
	return reach
}

// interpolated is the value at a place among n×n pixels, whose middles lie at halves.
func interpolated(values []float64, n int, x, y float64) float64 {
	x, y = max(0, min(x-0.5, float64(n-1))), max(0, min(y-0.5, float64(n-1)))
	i, j := min(int(x), n-2), min(int(y), n-2)
	u, v := x-float64(i), y-float64(j)
	a, b := values[j*n+i:], values[(j+1)*n+i:]
	return (1-v)*((1-u)*a[0]+u*a[1]) + v*((1-u)*b[0]+u*b[1])
}

// arms counts the ways in which a cell's border is reached.
func arms(reach [part.Rays]float64, n int) (count int) {
	for way := range 4 {
		if reach[way*part.Rays/4] >= border*float64(n) {
			count++
		}
	}
	return count
}

// offMiddle is by how much what was measured from a cell's middle stands off it: of
// opposite directions in which it ends within the cell the longer leads there.
// False where that cannot be told, or is nearly half of the cell.
func offMiddle(reach [part.Rays]float64, n int) (dx, dy float64, ok bool) {
	var cc, cs, ss, cd, sd float64
	for k := range part.Rays / 2 {
		a, z := reach[k], reach[k+part.Rays/2]
		if max(a, z) >= border*float64(n) {
			continue
		}
		sin, cos := math.Sincos(2 * math.Pi * float64(k) / part.Rays)
		cc, cs, ss = cc+cos*cos, cs+cos*sin, ss+sin*sin
		cd, sd = cd+cos*(a-z)/2, sd+sin*(a-z)/2
	}
	det := cc*ss - cs*cs
	if det < 1 {
		return 0, 0, false
	}
	dx, dy = (ss*cd-cs*sd)/det, (cc*sd-cs*cd)/det
	off := math.Hypot(dx, dy)
	return dx, dy, off < 0.15*float64(n)
}

// A Dot is one of the frame's pixels within a cell.
type Dot struct {
	At     image.Point // in the frame
	X, Y   float64     // its middle in cell units from the cell's corner
	Colour part.Colour
}

// DotsIn are the pixels of a cell off its border, as the frame has them: nothing is
// lost of what is as fine as a pixel. It also gives the cell's ground.
func DotsIn(g *grid.Grid, c, r int) (list []Dot, ground part.Colour) {
	g.Straighten()
	least, most := vision.Point{X: math.Inf(1), Y: math.Inf(1)}, vision.Point{X: math.Inf(-1), Y: math.Inf(-1)}
	for k := range 4 {
		p := g.Pixel(float64(c+k%2), float64(r+k/2))
		least = vision.Point{X: min(least.X, p.X), Y: min(least.Y, p.Y)}
		most = vision.Point{X: max(most.X, p.X), Y: max(most.Y, p.Y)}
	}
	for y := max(0, int(least.Y)); y <= min(g.Scene.H-1, int(most.Y)+1); y++ {
		for x := max(0, int(least.X)); x <= min(g.Scene.W-1, int(most.X)+1); x++ {
			u := g.Units(float64(x), float64(y))
			d := Dot{At: image.Pt(x, y), X: u.X - float64(c), Y: u.Y - float64(r)}
			if min(d.X, d.Y) <= grid.Rim || max(d.X, d.Y) >= 1-grid.Rim {
				continue
			}
			i := g.Scene.Frame.PixOffset(x, y)
			d.Colour = part.Colour(g.Scene.Frame.Pix[i : i+3])
			list = append(list, d)
		}
	}
	return list, g.Ground(c, r)
}
