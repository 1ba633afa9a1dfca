package enter

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"testing"

	"onlooker/cmd/internal/answer"
	"onlooker/solve"
	"onlooker/vision"
	"onlooker/vision/trail"
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

// A line that was begun on a board whose start circle reaches far beyond it, or that was read
// while it came on, and words over the board or not: only the words hide something, whichever
// place they lie at.
func TestHidden(t *testing.T) {
	const pitch = 33.5 // pixels a half-cell
	ground, ink := color.RGBA{18, 144, 112, 255}, color.RGBA{238, 246, 230, 255}
	at := func(x, y float64) vision.Point { return vision.Point{X: 60 + x*pitch, Y: 60 + y*pitch} }
	stroke := solve.Stroke{} // along one row, and up
	for x := range 9 {
		stroke = append(stroke, image.Pt(x, 4))
	}
	for y := 3; y >= 0; y-- {
		stroke = append(stroke, image.Pt(8, y))
	}
	board := func(light float64) *image.RGBA {
		dim := func(c color.RGBA) color.RGBA {
			return color.RGBA{uint8(light * float64(c.R)), uint8(light * float64(c.G)), uint8(light * float64(c.B)), 255}
		}
		m := image.NewRGBA(image.Rect(0, 0, 400, 400))
		draw.Draw(m, m.Rect, image.NewUniform(dim(ground)), image.Point{}, draw.Src)
		for k := 0.0; k <= 8; k += 2 {
			for along := 0.0; along <= 8; along += 0.1 {
				soft(m, at(k, along), 0.34*pitch, dim(color.RGBA{60, 60, 30, 255}))
				soft(m, at(along, k), 0.34*pitch, dim(color.RGBA{60, 60, 30, 255}))
			}
		}
		return m
	}
	for _, c := range []struct {
		name   string
		radius float64 // of the start circle, in half-cells
		words  image.Rectangle
		from   float64
		to     float64
		read   float64 // the board's light when it was read; 1 later
		want   bool
	}{
		{"a small start circle", 0.5, image.Rectangle{}, 0, 4, 1, false},
		{"one whose border lies at the places beside the line", 0.79, image.Rectangle{}, 0, 4, 1, false},
		{"a large one", 0.9, image.Rectangle{}, 0, 4, 1, false},
		{"words over the next cells", 0.79, image.Rect(120, 140, 300, 240), 0, 4, 1, true},
		{"read while it came on", 0.79, image.Rectangle{}, 0, 6, 0.6, false},
		{"words, and read while it came on", 0.79, image.Rect(120, 140, 300, 240), 0, 6, 0.6, true},
		{"words just beyond the leg's end, that its head seems to have come to", 0.79, image.Rect(172, 140, 300, 240), 0, 4.5, 1, true},
		{"words where the head is not", 0.79, image.Rect(260, 140, 380, 240), 0, 2, 1, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			before, now := board(1), board(1)
			soft(now, at(0, 4), c.radius*pitch, ink)
			for x := 0.0; x < 1.5; x += 0.02 {
				soft(now, at(x, 4), 0.34*pitch, ink)
			}
			line, ok := trail.New(before, now, at(0, 4))
			if !ok {
				t.Fatal("no line is seen at its start")
			}
			draw.Draw(now, c.words, image.NewUniform(color.RGBA{40, 42, 50, 255}), image.Point{}, draw.Src)
			v := &view{sheet: Sheet{Projection: answer.Projection{At: at}, Line: 0.34}, stroke: stroke, trail: line, line: newGauge(0.68, 0), read: board(c.read)}
			l := &leg{from: stroke[0], to: stroke[3], length: 3}
			if got := v.hidden(l, now, c.from, c.to); got != c.want {
				t.Errorf("something hides the board between %v and %v: got %v, want %v", c.from, c.to, got, c.want)
			}
		})
	}
}
