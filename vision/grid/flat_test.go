package grid

import (
	"image"
	"testing"

	"onlooker/vision"
)

// TestStraighten straightens boards of a frame that grows lighter to the right and
// downwards, upright and turned, enlarged and reduced: each pixel is as the frame is where it
// lies.
func TestStraighten(t *testing.T) {
	m := image.NewRGBA(image.Rect(0, 0, 900, 900))
	for y := range 900 {
		for x := range 900 {
			i := m.PixOffset(x, y)
			m.Pix[i], m.Pix[i+1], m.Pix[i+2], m.Pix[i+3] = uint8(x/4), uint8(y/4), uint8(128+(x-y)/10), 255
		}
	}
	for _, to := range []vision.Mat3{
		{180, -20, 280, 20, 180, 250, 0, 0, 1},
		{180, 0, 280, 0, 180, 250, 0, 0, 1},
		{14, 0, 300, 0, 14, 400, 0, 0, 1},
		{48, 0, 100, 0, 96, 100, 0, 0, 1},
	} {
		g := &Grid{Scene: NewScene(m), Lattice: Lattice{Cols: 2, Rows: 2, to: to, Pitch: [2]float64{to[0], to[4]}}}
		g.Straighten()
		for y := range g.Flat.Rect.Dy() {
			for x := range g.Flat.Rect.Dx() {
				p := to.At((float64(x)+0.5)/float64(g.Side)-1, (float64(y)+0.5)/float64(g.Side)-1)
				got, want := g.Flat.RGBAAt(x, y), m.RGBAAt(int(p.X+0.5), int(p.Y+0.5))
				for k, d := range [3]int{int(got.R) - int(want.R), int(got.G) - int(want.G), int(got.B) - int(want.B)} {
					if d > 2 || d < -2 {
						t.Fatalf("%v: channel %d of pixel (%d,%d) is off by %d", to, k, x, y, d)
					}
				}
			}
		}
	}
}
