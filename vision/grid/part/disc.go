package part

import (
	"encoding/binary"
	"image"
	"math"

	"onlooker/vision"
)

// A Disc is a round part of a scene.
type Disc struct {
	At     vision.Point
	Radius float64 // in pixels
	Colour Colour
}

// sameDisc is by how much of its radius discs of one size differ: what is farther
// off is smaller in a picture taken from aside.
const sameDisc = 0.2

// Discs are the round parts by their size, those first that cover most: of the
// part's box a disc fills π/4, less what is written on it, and nothing in the
// corners. Each is in one
// of the sets.
func (s *Picture) Discs(contrast int) [][]Disc {
	p := s.PartsAt(contrast)
	var all []Disc
	for i := range p.List {
		q := &p.List[i]
		w, h := q.Box.Dx(), q.Box.Dy()
		if min(w, h) < LeastSide || 8*max(w, h) > 9*min(w, h)+8 || 8*max(w, h) > min(s.W, s.H)*2 {
			continue
		}
		if full := float64(q.Area) / float64(w*h); full < 0.3 || full > 0.87 || !p.round(int32(i)) {
			continue
		}
		x, y := q.Centre()
		all = append(all, Disc{At: vision.Point{X: x, Y: y}, Radius: float64(w+h) / 4, Colour: s.UsualOf(p, int32(i))})
	}
	var out [][]Disc
	near := func(e, like Disc) bool { return math.Abs(e.Radius-like.Radius) <= sameDisc*like.Radius+0.5 }
	for len(all) > 0 {
		var best []Disc
		best, all = Heaviest(all, func(d Disc) float64 { return d.Radius }, near, func(d Disc) float64 { return d.Radius * d.Radius })
		out = append(out, best)
	}
	return out
}

// round tells whether a part goes along the ellipse in its box.
func (p *Parts) round(k int32) bool {
	b := p.List[k].Box
	cx, cy := p.List[k].Centre()
	in, out := 0, 0
	for i := range Rays {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / Rays)
		at := func(f float64) bool {
			x, y := int(math.Round(cx+f*cos*float64(b.Dx())/2)), int(math.Round(cy+f*sin*float64(b.Dy())/2))
			return image.Pt(x, y).In(b) && p.Of(x, y) == k
		}
		if at(0.8) {
			in++
		}
		if at(1.2) {
			out++
		}
	}
	return in > Rays*7/10 && out == 0
}

// UsualOf is the colour that a part has in the middle of its pixels' order.
func (s *Picture) UsualOf(p *Parts, k int32) Colour {
	var counts [3][256]int
	// Most pixels are as the one before them: those are counted together.
	last, same := uint32(0), 0
	flush := func() {
		for k, v := range ColourOf(last) {
			counts[k][v] += same
		}
		same = 0
	}
	for _, u := range p.Runs(k) {
		row := s.Frame.Pix[int(u.Y)*s.Frame.Stride:][4*u.X0 : 4*u.X1]
		for ; len(row) >= 4; row = row[4:] {
			if v := binary.LittleEndian.Uint32(row) & ColourBits; v != last {
				flush()
				last = v
			}
			same++
		}
	}
	flush()
	return median(&counts)
}

// At is the frame's colour between pixels.
func (s *Picture) At(x, y float64) Colour {
	if c, ok := PlainAt(s.Frame, x, y); ok {
		return c
	}
	c := vision.At(s.Frame, x, y)
	return Colour{uint8(c[0] + 0.5), uint8(c[1] + 0.5), uint8(c[2] + 0.5)}
}

// PlainAt is a picture's colour between four pixels of one colour: they have that, however they
// are mixed, and most of a screen is plain.
func PlainAt(m *image.RGBA, x, y float64) (Colour, bool) {
	x0, y0 := int(x), int(y)
	if !(x >= 0 && y >= 0 && x0 < m.Rect.Dx()-1 && y0 < m.Rect.Dy()-1) {
		return Colour{}, false
	}
	i := y0*m.Stride + 4*x0
	above, below := binary.LittleEndian.Uint64(m.Pix[i:]), binary.LittleEndian.Uint64(m.Pix[i+m.Stride:])
	if above != below || uint32(above) != uint32(above>>32) {
		return Colour{}, false
	}
	return ColourOf(uint32(above)), true
}

// Heaviest parts a list: those that are near one of it, which weigh more together than
// those near any other, and the rest. Of one kind all have the same near them.
func Heaviest[T any, K comparable](list []T, kind func(T) K, near func(t, like T) bool, weight func(T) float64) (best, rest []T) {
	most, like := 0.0, 0
	tried := map[K]bool{}
	for i, l := range list {
		k := kind(l)
		if tried[k] {
			continue
		}
		tried[k] = true
		sum := 0.0
		for _, t := range list {
			if near(t, l) {
				sum += weight(t)
			}
		}
		if sum > most {
			most, like = sum, i
		}
	}
	for _, t := range list {
		if near(t, list[like]) {
			best = append(best, t)
		} else {
			rest = append(rest, t)
		}
	}
	return best, rest
}
