package cell

import (
	"image"
	"math"

	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/shape"
	"onlooker/vision/witness/view"
)

// A sight is what the frame's own pixels show of a stain: each of them tells
// something of its own, and blur is as wide one way as another, both of which
// straightening undoes. Of large cells the pixels are larger.
type sight struct {
	back    [4]float64 // pixels to pitches
	u, v    float64    // of the first pixel, from the cell's centre
	w, h    int
	first   image.Point // of the pixels, in the frame where they are as large as its
	box     [4]float64  // least x, y, greatest x, y of what is looked at, in pitches
	step    float64     // pixels of the frame
	inside  []int       // pixels that show the stain
	tones   [2]tone
	tinted  float64 // see Visible
	blocks  []int   // how many of the pixels inside each holds that have one tint in a compressed picture
	blockOf []int   // the block of each pixel inside
}

// fine is how many places there are for each pixel each way at which shapes are
// drawn: the middle of a blue piece's square is two pixels wide.
const fine = 2

// A tone is the cover of each pixel by lightness, or by the rest of the colour:
// the two are blurred apart, where a picture is compressed by much.
type tone struct {
	cover []float64
	over  float64 // how much of the other may go over into it, in covers
	least float64 // what is left of a misfit even where the shape is right
}

// Sight looks at a stain.
func (s *Reader) Sight(st *Stain) *sight {
	v := &sight{}
	// 0.07 of the pitch: blur. Other light on the cell does not count.
	v.box = [4]float64{st.box[0] - 0.07, st.box[1] - 0.07, st.box[2] + 0.07, st.box[3] + 0.07}
	// 40: more pixels of a cell tell hardly more, and take time.
	v.frame(s.View, st.at, max(1, s.Board.ScreenPitch/40))
	v.look(st, st.Col.Sub(s.UnlitGround(st.at.X, st.at.Y)))
	return v
}

// pieceColour is what a colour of a stain in a cell tells.
func (s *Reader) pieceColour(cell image.Point, c vision.RGB) pieceColour {
	floor, blue := s.UnlitGround(cell.X, cell.Y), drawing.Typical(s.Profile).Inks[witness.Blue]
	out := pieceColour{blue: blueness(c), onBlue: true}
	for k, own := range [3]uint8{blue.R, blue.G, blue.B} {
		out.onBlue = out.onBlue && math.Abs(floor[k]-float64(own)) < view.Clearly*255
	}
	return out
}

// frame finds the pixels, of some of the frame's each way, that show the box.
func (v *sight) frame(s *view.View, cell image.Point, step float64) {
	place := func(x, y float64) vision.Point {
		p := s.Board.ScreenPoint(float64(cell.X)+2*x*s.Squeeze, float64(cell.Y)+2*y/s.Squeeze)
		return vision.Point{X: p.X / step, Y: p.Y / step}
	}
	const h = 0.2 // the map is straight within a symbol
	c, l, r, a, b := place(0, 0), place(-h, 0), place(h, 0), place(0, -h), place(0, h)
	xx, xy, yx, yy := (r.X-l.X)/(2*h), (b.X-a.X)/(2*h), (r.Y-l.Y)/(2*h), (b.Y-a.Y)/(2*h)
	det := xx*yy - xy*yx
	v.back, v.step = [4]float64{yy / det, -xy / det, -yx / det, xx / det}, step
	lo, hi := vision.Point{X: math.Inf(1), Y: math.Inf(1)}, vision.Point{X: math.Inf(-1), Y: math.Inf(-1)}
	for _, x := range []float64{v.box[0], v.box[2]} {
		for _, y := range []float64{v.box[1], v.box[3]} {
			p := vision.Point{X: c.X + xx*x + xy*y, Y: c.Y + yx*x + yy*y}
			lo, hi = vision.Point{X: min(lo.X, p.X), Y: min(lo.Y, p.Y)}, vision.Point{X: max(hi.X, p.X), Y: max(hi.Y, p.Y)}
		}
	}
	lo = vision.Point{X: math.Ceil(lo.X), Y: math.Ceil(lo.Y)}
	v.u, v.v, v.w, v.h = lo.X-c.X, lo.Y-c.Y, int(hi.X-lo.X)+1, int(hi.Y-lo.Y)+1
	v.first = image.Pt(int(lo.X), int(lo.Y))
}

// look measures the tones; axis is by what the symbol's colour differs from the
// cell's.
func (v *sight) look(st *Stain, axis vision.RGB) {
	axes := lightAndTint(axis)
	light, tint := axes[0].Dot(axes[0]), axes[1].Dot(axes[1])
	v.tinted = tint / max(1, light+tint)
	for t := range v.tones {
		levels, other := axes[t].Dist(vision.RGB{}), axes[1-t].Dist(vision.RGB{})
		// Rounding to whole levels, and of each tone a tenth may go over into the other
		// where a picture is compressed, or too bright, and not all of it alike.
		v.tones[t].over = max(1e-6, 0.1*other/max(1, levels))
		v.tones[t].least = (math.Pow(0.5, 2) + math.Pow(0.005*other, 2)) / max(1, levels*levels)
	}
	blocks := map[image.Point]int{}
	for j := range v.h {
		for i := range v.w {
			x, y := v.place(float64(i), float64(j))
			if v.outside(x, y) {
				continue
			}
			c, ok := st.overAt(x, y)
			if !ok || st.glaring(x, y) {
				continue
			}
			if v.step > 1 {
				c = v.mean(st, float64(i), float64(j))
			}
			block := image.Pt((v.first.X+i)>>1, (v.first.Y+j)>>1)
			k, ok := blocks[block]
			if !ok {
				k = len(v.blocks)
				blocks[block], v.blocks = k, append(v.blocks, 0)
			}
			v.blocks[k]++
			v.blockOf = append(v.blockOf, k)
			v.inside = append(v.inside, j*v.w+i)
			for t, c := range lightAndTint(c) {
				v.tones[t].cover = append(v.tones[t].cover, c.Dot(axes[t])/max(1, axes[t].Dot(axes[t])))
			}
		}
	}
}

// Visible is what is known of a stain that is looked at.
func (s *Reader) Visible(v *sight, st *Stain) Visible {
	return Visible{pixels: len(v.inside), tinted: v.tinted, pieceColour: s.pieceColour(st.at, st.Col)}
}

// lightAndTint is a colour's lightness, as JPEG has it, and the rest of the colour.
func lightAndTint(c vision.RGB) [2]vision.RGB {
	y := 0.299*c[0] + 0.587*c[1] + 0.114*c[2]
	grey := vision.RGB{y, y, y}
	return [2]vision.RGB{grey, c.Sub(grey)}
}

// outside tells whether a place, in pitches from the cell's centre, is not looked at.
func (v *sight) outside(x, y float64) bool {
	return x < v.box[0] || y < v.box[1] || x > v.box[2] || y > v.box[3]
}

// Holds tells whether no part of a shape lies where nothing is.
func (v *sight) holds(f shape.Area) bool {
	for y := -0.5; y < 0.5; y += 0.04 {
		for x := -0.5; x < 0.5; x += 0.04 {
			if v.outside(x, y) && f(x, y) {
				return false
			}
		}
	}
	return true
}

// mean is the mean of what the places of a large pixel show.
func (v *sight) mean(st *Stain, i, j float64) (sum vision.RGB) {
	n := 0.0
	for _, b := range [2]float64{-0.25, 0.25} {
		for _, a := range [2]float64{-0.25, 0.25} {
			if c, ok := st.overAt(v.place(i+a, j+b)); ok {
				sum, n = sum.Add(c), n+1
			}
		}
	}
	for t := range sum {
		sum[t] /= max(1, n)
	}
	return sum
}

// place is where a pixel of the sight is, in pitches from the cell's centre.
func (v *sight) place(i, j float64) (x, y float64) {
	i, j = i+v.u, j+v.v
	return v.back[0]*i + v.back[1]*j, v.back[2]*i + v.back[3]*j
}

// glaring tells whether a reflection lies at a place, in pitches from the cell's
// centre, at which overAt tells something.
func (st *Stain) glaring(x, y float64) bool {
	i, j := int(x*st.Scale+float64(st.N)/2), int(y*st.Scale+float64(st.N)/2)
	return st.Glare != nil && st.Glare[min(j, st.N-1)*st.N+min(i, st.N-1)]
}

// overAt is by what the colour at a place, in pitches from the cell's centre,
// differs from an empty cell's.
func (st *Stain) overAt(x, y float64) (c vision.RGB, ok bool) {
	x, y = x*st.Scale+float64(st.N)/2-0.5, y*st.Scale+float64(st.N)/2-0.5
	i, j := int(math.Floor(x)), int(math.Floor(y))
	if i < 0 || j < 0 || i+1 >= st.N || j+1 >= st.N {
		return c, false
	}
	x, y = x-float64(i), y-float64(j)
	for _, p := range [4]struct {
		k     int
		share float64
	}{{j*st.N + i, (1 - x) * (1 - y)}, {j*st.N + i + 1, x * (1 - y)}, {(j+1)*st.N + i, (1 - x) * y}, {(j+1)*st.N + i + 1, x * y}} {
		for t := range c {
			c[t] += p.share * st.over[p.k][t]
		}
	}
	return c, true
}

// draw draws a shape over the sight and a pixel round it.
func (v *sight) draw(f shape.Area) (*Stain, []float64) {
	n := (max(v.w, v.h) + 2) * fine
	g := &Stain{N: n, Scale: fine}
	mid := (float64(n)/2-0.5)/fine - 1
	return g, g.sharp(func(i, j float64) bool { return f(v.place(i+mid, j+mid)) })
}
