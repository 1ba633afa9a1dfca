package agent

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"testing"

	"onlooker/solve"
	"onlooker/vision"
)

// soft draws a disc of a radius with a border that is mixed over a pixel.
func soft(m *image.RGBA, at vision.Point, radius float64, ink color.RGBA) {
	for y := int(at.Y - radius - 2); y <= int(at.Y+radius+2); y++ {
		for x := int(at.X - radius - 2); x <= int(at.X+radius+2); x++ {
			share := min(max(radius+0.5-math.Hypot(float64(x)-at.X, float64(y)-at.Y), 0), 1)
			was := m.RGBAAt(x, y)
			mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + share*(float64(b)-float64(a)))) }
			m.SetRGBA(x, y, color.RGBA{mix(was.R, ink.R), mix(was.G, ink.G), mix(was.B, ink.B), 255})
		}
	}
}

// A line that was begun on a board whose start circle reaches far beyond it, and words over
// the board or not: only the words hide something, whichever place they lie at.
func TestHidden(t *testing.T) {
	const pitch = 33.5 // pixels a half-cell
	ground, ink := color.RGBA{18, 144, 112, 255}, color.RGBA{238, 246, 230, 255}
	at := func(x, y float64) vision.Point { return vision.Point{X: 60 + x*pitch, Y: 60 + y*pitch} }
	stroke := solve.Stroke{}
	for x := range 9 {
		stroke = append(stroke, image.Pt(x, 4))
	}
	for _, c := range []struct {
		name   string
		radius float64 // of the start circle, in half-cells
		words  image.Rectangle
		from   float64
		to     float64
		want   bool
	}{
		{"a small start circle", 0.5, image.Rectangle{}, 0, 4, false},
		{"one whose border lies at the places beside the line", 0.79, image.Rectangle{}, 0, 4, false},
		{"a large one", 0.9, image.Rectangle{}, 0, 4, false},
		{"words over the next cells", 0.79, image.Rect(120, 140, 300, 240), 0, 4, true},
		{"words where the head is not", 0.79, image.Rect(260, 140, 380, 240), 0, 2, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := image.NewRGBA(image.Rect(0, 0, 400, 400))
			draw.Draw(before, before.Rect, image.NewUniform(ground), image.Point{}, draw.Src)
			now := image.NewRGBA(before.Rect)
			copy(now.Pix, before.Pix)
			soft(now, at(0, 4), c.radius*pitch, ink)
			for x := 0.0; x < 1.5; x += 0.02 {
				soft(now, at(x, 4), 0.34*pitch, ink)
			}
			trail, ok := vision.NewTrail(before, now, at(0, 4))
			if !ok {
				t.Fatal("no line is seen at its start")
			}
			draw.Draw(now, c.words, image.NewUniform(color.RGBA{40, 42, 50, 255}), image.Point{}, draw.Src)
			tr := &Tracing{sheet: Sheet{At: at, Line: 0.34}, stroke: stroke, trail: trail, width: 0.68, read: before}
			l := &leg{Tracing: tr, from: stroke[0], to: stroke[8]}
			if got := l.hidden(now, c.from, c.to); got != c.want {
				t.Errorf("something hides the board between %v and %v: got %v, want %v", c.from, c.to, got, c.want)
			}
		})
	}
}
