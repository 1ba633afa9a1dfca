package cell

import (
	"fmt"
	"image"
	"image/draw"
	"math"

	"github.com/golang/freetype/truetype"
	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/gomonobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/math/fixed"
)

// formSide is the side of the square that the box of a form is stretched to before
// forms are compared.
const formSide = 16

// A Form is the outline of what stands in a box, whatever the box's size.
type Form struct {
	// Ink is the box stretched to formSide both ways, with mean 0 and length 1.
	Ink [formSide * formSide]float64
	// LogAspect is the logarithm of the box's width by its height.
	LogAspect float64
	// coarse is Ink in half as many places both ways, and fine the length of what that
	// leaves out: of two forms they tell how much they are alike at the most.
	coarse [formSide * formSide / 4]float64
	fine   float64
	even   bool
}

// NewForm takes a form from w×h values of ink.
func NewForm(ink []float64, w, h int) Form {
	f := Form{LogAspect: math.Log(float64(w) / float64(h))}
	mean := 0.0
	for y := range formSide {
		y0, y1 := float64(y*h)/formSide, float64((y+1)*h)/formSide
		for x := range formSide {
			x0, x1 := float64(x*w)/formSide, float64((x+1)*w)/formSide
			sum := 0.0
			for j := int(y0); float64(j) < y1; j++ {
				tall := min(y1, float64(j+1)) - max(y0, float64(j))
				for i := int(x0); float64(i) < x1; i++ {
					sum += ink[j*w+i] * tall * (min(x1, float64(i+1)) - max(x0, float64(i)))
				}
			}
			f.Ink[y*formSide+x] = sum / ((x1 - x0) * (y1 - y0))
			mean += f.Ink[y*formSide+x] / (formSide * formSide)
		}
	}
	length := 0.0
	for k := range f.Ink {
		f.Ink[k] -= mean
		length += f.Ink[k] * f.Ink[k]
	}
	// What fills its box evenly has no form but the box.
	if length = math.Sqrt(length); length > 0.05*formSide {
		for k := range f.Ink {
			f.Ink[k] /= length
		}
		f.reduce()
	} else {
		f.Ink, f.even = [formSide * formSide]float64{}, true
	}
	return f
}

// reduce works out coarse and fine.
func (f *Form) reduce() {
	const half = formSide / 2
	left := 1.0
	for k := range f.coarse {
		i := k/half*2*formSide + k%half*2
		// Half of the sum of four: as long as those are, where they are the same.
		v := (f.Ink[i] + f.Ink[i+1] + f.Ink[i+formSide] + f.Ink[i+formSide+1]) / 2
		f.coarse[k] = v
		left -= v * v
	}
	f.fine = math.Sqrt(max(0, left))
}

// Even tells whether a form fills its box.
func (f *Form) Even() bool { return f.even }

// Alike is the correlation of two forms, 1 for the same, as much less as the
// boxes' proportions differ, where that is more than least; else it may be less.
func (f *Form) Alike(o *Form, least float64) float64 {
	off := math.Abs(f.LogAspect-o.LogAspect) / 4
	if f.Even() && o.Even() {
		return 1 - off
	}
	least += off - 1e-9 // rounding
	if least > 1 {
		return math.Inf(-1)
	}
	if most := dot(f.coarse[:], o.coarse[:]) + f.fine*o.fine; most < least {
		return math.Inf(-1)
	}
	return dot(f.Ink[:], o.Ink[:]) - off
}

// dot is the sum of products of two lists of numbers, a multiple of four of them.
func dot(f, o []float64) float64 {
	// Four sums side by side: one would wait for itself.
	var a, b, c, d float64
	for len(f) >= 4 && len(o) >= 4 {
		a += f[0] * o[0]
		b += f[1] * o[1]
		c += f[2] * o[2]
		d += f[3] * o[3]
		f, o = f[4:], o[4:]
	}
	return a + b + c + d
}

// A Glyph is a character's form as one font has it.
type Glyph struct {
	Name rune
	Form Form
	// Top and Bottom are where its box is above the baseline, in heights of a
	// capital.
	Top, Bottom float64
}

// Alphabet draws the forms of what is written on boards and on screens: capitals,
// digits, and the signs that boards are typed with. A font of the screen is none
// of those that come along, so that there are several for each character, thin
// and thick. It takes some milliseconds and is the same each time.
func Alphabet() (list []Glyph, err error) {
	var faces []font.Face
	for _, ttf := range [][]byte{gomono.TTF, gomonobold.TTF, goregular.TTF, gobold.TTF} {
		f, err := truetype.Parse(ttf)
		if err != nil {
			return nil, fmt.Errorf("grid: font: %w", err)
		}
		// Each character is drawn once, at a whole pixel: nothing is to be kept.
		faces = append(faces, truetype.NewFace(f, &truetype.Options{Size: 32, DPI: 72, GlyphCacheEntries: 1, SubPixelsX: 1, SubPixelsY: 1}))
	}
	faces = append(faces, basicfont.Face7x13)
	for _, face := range faces {
		capital, _, ok := face.GlyphBounds('H')
		if !ok {
			continue
		}
		tall := float64(-capital.Min.Y) / 64
		if face == basicfont.Face7x13 {
			tall = 9 // its bounds are the cell's
		}
		for _, r := range "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789#.^><v*o" {
			if g, ok := newGlyph(face, r, tall); ok {
				list = append(list, g)
			}
		}
	}
	return list, nil
}

// newGlyph draws a character; tall is a capital's height in pixels.
func newGlyph(face font.Face, r rune, tall float64) (Glyph, bool) {
	const side, base = 64, 48
	m := image.NewAlpha(image.Rect(0, 0, side, side))
	dot := fixed.P(8, base)
	at, mask, from, _, ok := face.Glyph(dot, r)
	if !ok {
		return Glyph{}, false
	}
	draw.DrawMask(m, at, image.Opaque, image.Point{}, mask, from, draw.Src)
	box, drawn := image.Rectangle{}, at.Intersect(m.Rect)
	for y := drawn.Min.Y; y < drawn.Max.Y; y++ {
		for x := drawn.Min.X; x < drawn.Max.X; x++ {
			if m.AlphaAt(x, y).A >= 64 {
				box = box.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	if box.Empty() {
		return Glyph{}, false
	}
	ink := make([]float64, 0, box.Dx()*box.Dy())
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			ink = append(ink, float64(m.AlphaAt(x, y).A)/255)
		}
	}
	return Glyph{
		Name: r, Form: NewForm(ink, box.Dx(), box.Dy()),
		Top: float64(base-box.Min.Y) / tall, Bottom: float64(base-box.Max.Y) / tall,
	}, true
}
