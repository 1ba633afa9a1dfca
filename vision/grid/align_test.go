package grid

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"testing"

	"onlooker/vision"
)

// TestAligned lays a lattice some pixels off a board of lines, upright and turned,
// and wants it on the lines to a pixel and what is rounded.
func TestAligned(t *testing.T) {
	const cols, rows, pitch = 5, 4, 40
	m := image.NewRGBA(image.Rect(0, 0, 300, 260))
	draw.Draw(m, m.Rect, image.White, image.Point{}, draw.Src)
	for k := range cols + 1 {
		for y := range rows * pitch {
			m.Set(50+k*pitch, 50+y, color.Black)
		}
	}
	for k := range rows + 1 {
		for x := range cols * pitch {
			m.Set(50+x, 50+k*pitch, color.Black)
		}
	}
	want := [4]vision.Point{{X: 50, Y: 50}, {X: 250, Y: 50}, {X: 250, Y: 210}, {X: 50, Y: 210}}
	for name, off := range map[string][4]vision.Point{
		"on the lines": {},
		"upright":      {{X: -4, Y: 3}, {X: 4, Y: 3}, {X: 4, Y: -3}, {X: -4, Y: -3}},
		"turned":       {{X: 3, Y: -4}, {X: 3, Y: 4}, {X: -3, Y: 4}, {X: -3, Y: -4}},
	} {
		quad := want
		for i := range quad {
			quad[i] = vision.Point{X: quad[i].X + off[i].X, Y: quad[i].Y + off[i].Y}
		}
		g, err := NewScene(m).GridAt(quad, cols, rows)
		if err != nil {
			t.Fatal(err)
		}
		for i, p := range g.Aligned().Quad() {
			if d := math.Hypot(p.X-want[i].X, p.Y-want[i].Y); d > 1.5 {
				t.Errorf("%s: corner %d is %.1f pixels off the lines, want 1.5 at the most", name, i, d)
			}
		}
	}
}
