package grid

import (
	"encoding/binary"
	"image"
	"math"

	"onlooker/vision"
	"onlooker/vision/grid/part"
)

// The straightened board has cells of leastCell to mostCell pixels: as many as
// in the frame where that is between them.
const leastCell, mostCell = 20, 48

// Straighten fills Flat, once.
func (g *Grid) Straighten() {
	if g.straightening != nil {
		g.straightening.Lock()
		defer g.straightening.Unlock()
	}
	pitch := max(g.Pitch[0], g.Pitch[1])
	side := int(max(leastCell, min(mostCell, math.Round(pitch))))
	if g.Flat != nil && g.Side == side {
		return
	}
	g.Side = side
	// Several samples a pixel where the board is reduced, so that thin lines
	// are not lost.
	n := max(1, int(math.Ceil(pitch/float64(g.Side)-0.05)))
	w, h := (g.Cols+2)*g.Side, (g.Rows+2)*g.Side
	flat := image.NewRGBA(image.Rect(0, 0, w, h))
	if g.upright() && !g.Hex && g.to[0]*g.to[8] > 0 && g.to[4]*g.to[8] > 0 {
		g.reduce(flat, n)
	} else {
		by := 1
		for n/by > mostSamples {
			by *= 2
		}
		g.warp(flat, by, (n+by-1)/by)
	}
	g.Flat = flat
	if g.Hex {
		g.cutHexagons()
	}
}

// warp draws a straightened picture from n×n samples a pixel of the frame, by×by of whose
// pixels were made one.
func (g *Grid) warp(flat *image.RGBA, by, n int) {
	frame, middle := g.Scene.Reduced(by), float64(by-1)/2 // of the pixels that one is the mean of
	vision.SideBySide(flat.Rect.Dy(), func(y int) {
		for x := range flat.Rect.Dx() {
			var sum vision.RGB
			for k := range n * n {
				u := (float64(x)+(float64(k%n)+0.5)/float64(n))/float64(g.Side) - 1
				v := (float64(y)+(float64(k/n)+0.5)/float64(n))/float64(g.Side) - 1
				p := g.to.apply(g.place(u, v))
				if by > 1 {
					p.X, p.Y = (p.X-middle)/float64(by), (p.Y-middle)/float64(by)
				}
				if c, ok := part.PlainAt(frame, p.X, p.Y); ok {
					sum = sum.Add(vision.RGB{float64(c[0]), float64(c[1]), float64(c[2])})
					continue
				}
				sum = sum.Add(vision.At(frame, p.X, p.Y))
			}
			setMean(flat.Pix[flat.PixOffset(x, y):], &sum, n)
		}
	})
}

// mostSamples is how many samples across and down a pixel is drawn from: where more of the
// frame's pixels lie in it, these are reduced first, once for all boards.
const mostSamples = 3

// setMean sets a pixel to the mean of n×n samples.
func setMean(pix []uint8, sum *vision.RGB, n int) {
	switch all := float64(n * n); {
	case n&(n-1) == 0: // as exact as dividing, and faster
		part := 1 / all
		for c, v := range sum {
			pix[c] = uint8(v*part + 0.5)
		}
	default:
		for c, v := range sum {
			pix[c] = uint8(v/all + 0.5)
		}
	}
	pix[3] = 255
}

// mixtures are the mixtures of pixels of which those of a row, or of a column, of a
// straightened picture are made: of each n neighbours of the frame from the first on, how
// much of each, in parts of whole.
type mixtures struct {
	n     int
	first []int
	parts []uint64 // n for each
}

// whole is all of a mixture. Two mixtures of a byte, one of the other, fill 32 bits.
const wholeBits, whole = 12, 1 << 12

// mixtures are those of size pixels that take samples each, of size of pixels of the
// frame; at is where a place in cell units lies there. Samples lie between a pixel and
// the next, those outside on the border.
func (g *Rectified) mixtures(size, samples, of int, at func(u float64) float64) *mixtures {
	type sample struct {
		pixel int
		share float64 // of the next one
	}
	list := make([]sample, size*samples)
	m := &mixtures{first: make([]int, size)}
	for i := range list {
		u := (float64(i/samples)+(float64(i%samples)+0.5)/float64(samples))/float64(g.Side) - 1
		p := max(0, min(at(u), float64(of-1)))
		j := min(int(p), max(of-2, 0))
		list[i] = sample{j, p - float64(j)}
		m.n = max(m.n, min(j+2, of)-list[i-i%samples].pixel)
	}
	m.parts = make([]uint64, size*m.n)
	shares := make([]float64, m.n)
	for i := range m.first {
		own := list[i*samples : (i+1)*samples]
		m.first[i] = min(own[0].pixel, of-m.n)
		clear(shares)
		for _, s := range own {
			k := s.pixel - m.first[i]
			shares[k] += 1 - s.share
			if s.share > 0 {
				shares[k+1] += s.share
			}
		}
		sum, before := 0.0, uint64(0)
		for k, v := range shares {
			sum += v
			upTo := uint64(math.Round(whole * sum / float64(samples)))
			m.parts[i*m.n+k], before = upTo-before, upTo
		}
	}
	return m
}

// reduce is warp for an upright lattice: samples of a row, and of a column, lie in
// line in the frame too. The same picture comes out but for rounding, in a tenth of the
// time.
func (g *Grid) reduce(flat *image.RGBA, n int) {
	w, h := flat.Rect.Dx(), flat.Rect.Dy()
	across := g.mixtures(w, n, g.Scene.W, func(u float64) float64 { return g.to.apply(u, 0).X })
	down := g.mixtures(h, n, g.Scene.H, func(v float64) float64 { return g.to.apply(0, v).Y })
	left, right := across.first[0], across.first[w-1]+across.n
	const band = 32 // rows that share the room they are mixed in
	vision.SideBySide((h+band-1)/band, func(i int) {
		sums := mixedRow{make([]uint64, right-left), make([]uint64, right-left)}
		for y := i * band; y < min(h, (i+1)*band); y++ {
			from := down.first[y]*g.Scene.Frame.Stride + 4*left
			sums.mixDown(g.Scene.Frame.Pix[from:], g.Scene.Frame.Stride, down.parts[y*down.n:][:down.n])
			sums.mix(flat.Pix[flat.PixOffset(0, y):], across)
		}
	})
}

// A mixedRow is a row of pixels that are mixtures of the frame's: red and blue in halves
// of a number, so that one multiplication does for both, and green.
type mixedRow struct{ redBlue, green []uint64 }

// mixDown sets the row to a mixture of rows of the frame's bytes, stride apart.
func (r *mixedRow) mixDown(pix []uint8, stride int, parts []uint64) {
	green := r.green[:len(r.redBlue)]
	for x := range r.redBlue {
		i := 4 * x
		if len(parts) == 2 { // as of one sample
			p, q := uint64(binary.LittleEndian.Uint32(pix[i:])), uint64(binary.LittleEndian.Uint32(pix[i+stride:]))
			r.redBlue[x] = (p&0xff|p&0xff0000<<16)*parts[0] + (q&0xff|q&0xff0000<<16)*parts[1]
			green[x] = p>>8&0xff*parts[0] + q>>8&0xff*parts[1]
			continue
		}
		var rb, g uint64
		for _, part := range parts {
			p := uint64(binary.LittleEndian.Uint32(pix[i:]))
			rb += (p&0xff | p&0xff0000<<16) * part
			g += p >> 8 & 0xff * part
			i += stride
		}
		r.redBlue[x], green[x] = rb, g
	}
}

// mix writes mixtures of the row, whose first pixel is that of the first of them, as
// bytes.
func (r *mixedRow) mix(pix []uint8, across *mixtures) {
	const half = whole * whole / 2
	n, left := across.n, across.first[0]
	for x, first := range across.first {
		redBlue, green := r.redBlue[first-left:][:n], r.green[first-left:][:n]
		rb, g := uint64(half|half<<32), uint64(half)
		for k, part := range across.parts[x*n:][:n] {
			rb += redBlue[k] * part
			g += green[k] * part
		}
		binary.LittleEndian.PutUint32(pix[4*x:], uint32(rb>>(2*wholeBits)&0xff|g>>(2*wholeBits)<<8|rb>>(32+2*wholeBits)<<16|0xff<<24))
	}
}

// Colour is the straightened picture's colour at a position in cell units.
func (g *Rectified) Colour(x, y float64) part.Colour {
	px := max(0, min(g.Flat.Rect.Dx()-1, int((x+1)*float64(g.Side))))
	py := max(0, min(g.Flat.Rect.Dy()-1, int((y+1)*float64(g.Side))))
	i := g.Flat.PixOffset(px, py)
	return part.Colour(g.Flat.Pix[i : i+3])
}

// Shown is the usual colour of what the picture shows of a place, on the board or right beside
// it; false where it shows nothing of it.
func (g *Grid) Shown(c, r int) (part.Colour, bool) {
	var list []part.Colour
	for k := range g.Side * g.Side {
		x, y := float64(c)+(float64(k%g.Side)+0.5)/float64(g.Side), float64(r)+(float64(k/g.Side)+0.5)/float64(g.Side)
		if p := g.to.apply(x, y); p.X >= 0 && p.Y >= 0 && p.X <= float64(g.Scene.W-1) && p.Y <= float64(g.Scene.H-1) {
			list = append(list, g.Colour(x, y))
		}
	}
	return part.Usual(list), len(list) > 0
}

// Tint is the usual colour of a cell's tile.
func (g *Grid) Tint(c, r int) part.Colour {
	var list []part.Colour
	n := g.Side
	for y := range n {
		for x := range n {
			if math.Abs((float64(x)+0.5)/float64(n)-0.5) < 0.4*g.Tile[0] && math.Abs((float64(y)+0.5)/float64(n)-0.5) < 0.4*g.Tile[1] {
				list = append(list, g.FlatPixel((c+1)*n+x, (r+1)*n+y))
			}
		}
	}
	return part.Usual(list)
}
