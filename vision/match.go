package vision

import (
	"image"
	"math"

	"onlooker/vision/cv"
)

// A Map is a grey picture of W×H values, row by row.
type Map struct {
	W, H int
	V    []float32
}

// NewMap is a map of zeros.
func NewMap(w, h int) Map { return Map{W: w, H: h, V: make([]float32, w*h)} }

// Crop is the part of a map within a margin, the same on all sides.
func (m Map) Crop(margin int) Map {
	out := NewMap(m.W-2*margin, m.H-2*margin)
	for y := range out.H {
		copy(out.V[y*out.W:(y+1)*out.W], m.V[(y+margin)*m.W+margin:])
	}
	return out
}

// plain tells whether a map has one value everywhere: nothing correlates with it.
func (m Map) plain() bool {
	for _, v := range m.V {
		if v != m.V[0] {
			return false
		}
	}
	return true
}

// A Matched is how well a template lies on a picture at its best place: the
// correlation coefficient, -1 to 1, and by how much that place is off the one in
// which both have the same middle, in pixels.
type Matched struct {
	Score float64
	Off   image.Point
}

// Match lays each template over the picture in every place where it lies in
// whole, and tells the best (OpenCV's matchTemplate, TM_CCOEFF_NORMED). Templates
// larger than the picture, and what is of one value, score 0.
func Match(picture Map, templates []Map) []Matched {
	out := make([]Matched, len(templates))
	if picture.plain() {
		return out
	}
	for i, t := range templates {
		if t.W > picture.W || t.H > picture.H || t.plain() {
			continue
		}
		most, at := cv.Best(picture.V, picture.W, t.V, t.W)
		// Over a part of one value the coefficient is not defined.
		if math.IsNaN(float64(most)) || math.IsInf(float64(most), 0) || most > 1.01 {
			continue
		}
		out[i] = Matched{float64(min(most, 1)), at.Sub(image.Pt((picture.W-t.W)/2, (picture.H-t.H)/2))}
	}
	return out
}

// samePage is the least correlation of a page with itself, moved.
const samePage = 0.8

// Slide tells by how many pixels what a frame shows has moved in a later frame of
// the same size, such as a page under the wheel: the middle half of the first is
// matched with the second, so moves of up to a quarter of the frame are found, to
// two pixels. Another page, a middle without anything in it, and frames of two sizes
// give none.
func Slide(before, after *image.RGBA) image.Point {
	if before.Rect.Size() != after.Rect.Size() {
		return image.Point{}
	}
	b, a := halved(before), halved(after)
	middle := NewMap(b.W/2, b.H/2)
	for y := range middle.H {
		copy(middle.V[y*middle.W:(y+1)*middle.W], b.V[(y+b.H/4)*b.W+b.W/4:])
	}
	found := Match(a, []Map{middle})
	if found[0].Score < samePage {
		return image.Point{}
	}
	at := found[0].Off.Add(image.Pt((a.W-middle.W)/2-b.W/4, (a.H-middle.H)/2-b.H/4))
	return at.Mul(2)
}

// halved is a frame's brightness, of every second pixel each way.
func halved(m *image.RGBA) Map {
	out := NewMap(m.Rect.Dx()/2, m.Rect.Dy()/2)
	for y := range out.H {
		line := m.Pix[2*y*m.Stride:]
		for x := range out.W {
			p := line[8*x : 8*x+3]
			out.V[y*out.W+x] = float32(p[0]) + 2*float32(p[1]) + float32(p[2])
		}
	}
	return out
}
