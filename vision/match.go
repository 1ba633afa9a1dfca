package vision

import (
	"encoding/binary"
	"image"
	"math"

	"gocv.io/x/gocv"
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

// mat is the map as OpenCV has it; the caller closes it.
func (m Map) mat() (gocv.Mat, error) {
	raw := make([]byte, 4*len(m.V))
	for i, v := range m.V {
		binary.LittleEndian.PutUint32(raw[4*i:], math.Float32bits(v))
	}
	return gocv.NewMatFromBytes(m.H, m.W, gocv.MatTypeCV32F, raw)
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
func Match(picture Map, templates []Map) ([]Matched, error) {
	out := make([]Matched, len(templates))
	if picture.plain() {
		return out, nil
	}
	src, err := picture.mat()
	if err != nil {
		return nil, err
	}
	defer src.Close()
	none, result := gocv.NewMat(), gocv.NewMat()
	defer none.Close()
	defer result.Close()
	for i, t := range templates {
		if t.W > picture.W || t.H > picture.H || t.plain() {
			continue
		}
		m, err := t.mat()
		if err != nil {
			return nil, err
		}
		err = gocv.MatchTemplate(src, m, &result, gocv.TmCcoeffNormed, none)
		m.Close()
		if err != nil {
			return nil, err
		}
		_, most, _, at := gocv.MinMaxLoc(result)
		// Over a part of one value the coefficient is not defined.
		if math.IsNaN(float64(most)) || math.IsInf(float64(most), 0) || most > 1.01 {
			continue
		}
		out[i] = Matched{float64(min(most, 1)), at.Sub(image.Pt((picture.W-t.W)/2, (picture.H-t.H)/2))}
	}
	return out, nil
}
