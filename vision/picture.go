package vision

import (
	"image"
	"image/draw"
	"math"
)

// AsRGBA is the picture as RGBA with its origin at (0, 0), the same pixels
// where it is that already.
func AsRGBA(m image.Image) *image.RGBA {
	b := m.Bounds()
	switch p := m.(type) {
	case *image.RGBA:
		if b.Min == (image.Point{}) && p.Stride == 4*b.Dx() {
			return p
		}
	case *image.NRGBA:
		// Frames of a screen are opaque, and then the bytes are the same.
		if b.Min == (image.Point{}) && p.Stride == 4*b.Dx() && p.Opaque() {
			return &image.RGBA{Pix: p.Pix, Stride: p.Stride, Rect: b}
		}
	}
	out := image.NewRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	draw.Draw(out, out.Bounds(), m, b.Min, draw.Src)
	return out
}

// An RGB is a colour, 0 to 255 each, fractions allowed.
type RGB [3]float64

// Sub is the difference a−b.
func (a RGB) Sub(b RGB) RGB { return RGB{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

// Add is a plus b.
func (a RGB) Add(b RGB) RGB { return RGB{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }

// Dot is the scalar product.
func (a RGB) Dot(b RGB) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

// Dist is the Euclidean distance of two colours.
func (a RGB) Dist(b RGB) float64 {
	x, y, z := a[0]-b[0], a[1]-b[1], a[2]-b[2]
	return math.Sqrt(x*x + y*y + z*z)
}

// OffMix is how far a colour is from all mixes of two others.
func (c RGB) OffMix(a, b RGB) float64 {
	d := b.Sub(a)
	q := d.Dot(d)
	if q < 1 {
		return c.Dist(a)
	}
	t := max(0, min(1, c.Sub(a).Dot(d)/q))
	for k := range a {
		a[k] += t * d[k]
	}
	return c.Dist(a)
}

// At is the colour of a picture between its pixels (bilinear); places outside
// take the nearest pixel's.
func At(m *image.RGBA, x, y float64) RGB {
	w, h := m.Rect.Dx(), m.Rect.Dy()
	right, down := 4, m.Stride
	x0, y0 := int(x), int(y)
	if !(x >= 0 && y >= 0 && x < float64(w-1) && y < float64(h-1)) {
		if math.IsNaN(x) || math.IsNaN(y) {
			return RGB{}
		}
		x = max(0, min(x, float64(w-1)))
		y = max(0, min(y, float64(h-1)))
		x0, y0 = min(int(x), max(w-2, 0)), min(int(y), max(h-2, 0))
		if w == 1 {
			right = 0
		}
		if h == 1 {
			down = 0
		}
	}
	fx, fy := x-float64(x0), y-float64(y0)
	i := y0*m.Stride + 4*x0
	above, below := m.Pix[i:i+right+3], m.Pix[i+down:i+down+right+3]
	gx, gy := 1-fx, 1-fy
	if right == 4 { // not through a loop: this is asked for more often than anything else
		a, b := above[:7:7], below[:7:7]
		return RGB{
			(float64(a[0])*gx+float64(a[4])*fx)*gy + (float64(b[0])*gx+float64(b[4])*fx)*fy,
			(float64(a[1])*gx+float64(a[5])*fx)*gy + (float64(b[1])*gx+float64(b[5])*fx)*fy,
			(float64(a[2])*gx+float64(a[6])*fx)*gy + (float64(b[2])*gx+float64(b[6])*fx)*fy,
		}
	}
	var c RGB
	for k := range c {
		top := float64(above[k])*gx + float64(above[right+k])*fx
		bot := float64(below[k])*gx + float64(below[right+k])*fx
		c[k] = top*gy + bot*fy
	}
	return c
}

// Along is the scalar product of At and an axis, in a third of the time.
func Along(m *image.RGBA, x, y float64, axis RGB) float64 {
	x0, y0 := int(x), int(y)
	if !(x >= 0 && y >= 0 && x < float64(m.Rect.Dx()-1) && y < float64(m.Rect.Dy()-1)) {
		return At(m, x, y).Dot(axis)
	}
	fx, fy := x-float64(x0), y-float64(y0)
	i := y0*m.Stride + 4*x0
	top, bot := m.Pix[i:i+7:i+7], m.Pix[i+m.Stride:i+m.Stride+7:i+m.Stride+7]
	a := float64(top[0])*axis[0] + float64(top[1])*axis[1] + float64(top[2])*axis[2]
	b := float64(top[4])*axis[0] + float64(top[5])*axis[1] + float64(top[6])*axis[2]
	c := float64(bot[0])*axis[0] + float64(bot[1])*axis[1] + float64(bot[2])*axis[2]
	d := float64(bot[4])*axis[0] + float64(bot[5])*axis[1] + float64(bot[6])*axis[2]
	a += (b - a) * fx
	c += (d - c) * fx
	return a + (c-a)*fy
}
