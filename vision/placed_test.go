package vision

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"testing"

	"onlooker/solve/solvetest"
)

func TestPlaced(t *testing.T) {
	quad := [4]Point{{100, 50}, {520, 80}, {480, 310}, {90, 260}}
	b := solvetest.Must(Placed(image.Pt(640, 480), 7, 3, quad))(t)
	for i, at := range []Point{{0, 0}, {14, 0}, {14, 6}, {0, 6}} {
		if p := b.ScreenPoint(at.X, at.Y); math.Hypot(p.X-quad[i].X, p.Y-quad[i].Y) > 1e-6 {
			t.Errorf("corner %d: got %v, want %v", i, p, quad[i])
		}
	}
	// The diagonals cross in the middle of the board.
	if p := b.ScreenPoint(7, 3); math.Abs((p.X-100)/(480-100)-(p.Y-50)/(310-50)) > 1e-9 {
		t.Errorf("the middle is at %v, off a diagonal", p)
	}
	if _, err := Placed(image.Pt(640, 480), 7, 3, [4]Point{{1, 1}, {2, 2}, {3, 3}, {4, 4}}); err == nil {
		t.Error("an outline without area was taken")
	}
}

// TestGoesOn: a board whose picture ends near its border goes on there where its lines do, or where
// nothing is seen beyond them.
func TestGoesOn(t *testing.T) {
	ink, paper, page := color.RGBA{20, 20, 20, 255}, color.RGBA{220, 220, 220, 255}, color.RGBA{90, 120, 200, 255}
	for _, row := range []struct {
		why            string
		beyond         int // pixels to the right of the last line's middle, of a pitch of 40
		on             bool
		ground         color.RGBA
		border, goesOn float64
	}{
		{"far from the border", 30, false, paper, 0, 0},
		{"ground beyond it", 16, false, paper, 0.25, 0},
		{"a page of the lines' colour beyond it", 16, false, ink, 0.25, 0},
		{"another page beyond it", 16, false, page, 0.25, 0},
		{"lines that go on", 16, true, paper, 0.25, 0.25},
		{"cut at the line", 4, false, paper, 0.25, 0.25},
	} {
		const pitch, from = 40, 60
		m := image.NewRGBA(image.Rect(0, 0, from+3*pitch+row.beyond, 240))
		fill := func(r image.Rectangle, c color.Color) {
			draw.Draw(m, r, image.NewUniform(c), image.Point{}, draw.Src)
		}
		fill(m.Rect, row.ground)
		fill(image.Rect(from, from, from+3*pitch, from+3*pitch), paper)
		right := from + 3*pitch + 4
		if row.on {
			right = m.Rect.Max.X
		}
		for i := range 4 {
			fill(image.Rect(from-4, from+i*pitch-4, right, from+i*pitch+4), ink)
			fill(image.Rect(from+i*pitch-4, from-4, from+i*pitch+4, from+3*pitch+4), ink)
		}
		b := solvetest.Must(Placed(m.Rect.Size(), 3, 3, [4]Point{{from, from}, {from + 3*pitch, from}, {from + 3*pitch, from + 3*pitch}, {from, from + 3*pitch}}))(t)
		b.Line, b.Ink, b.Paper, b.Pitch, b.Margin = 0.2, RGB{20, 20, 20}, RGB{220, 220, 220}, pitch, pitch
		b.Flat = image.NewRGBA(image.Rect(0, 0, 5*pitch+1, 5*pitch+1))
		draw.Draw(b.Flat, b.Flat.Rect, m, image.Pt(from-pitch, from-pitch), draw.Src)
		if got := b.AtBorder(); got != row.border {
			t.Errorf("%s: %.2f of the sides at the border, want %.2f", row.why, got, row.border)
		}
		if got := b.GoesOn(); math.Abs(got-row.goesOn) > 0.01 {
			t.Errorf("%s: goes on at %.2f, want %.2f", row.why, got, row.goesOn)
		}
	}
}
