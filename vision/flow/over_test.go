package flow

import (
	"errors"
	"image"
	"image/color"
	"strings"
	"testing"

	"github.com/fogleman/gg"

	"onlooker/vision"
	"onlooker/vision/grid"
)

// TestPointersDisc reads a board while a line is drawn on it: a translucent disc about
// the pointer reaches into the cells beside its own. One that hides their ground leaves
// it open whether they are cells, and what stands in a cell off its middle for no such
// reason is not passed over.
func TestPointersDisc(t *testing.T) {
	board := func(disc float64) *gg.Context {
		c := page()
		squares(c, [][2]image.Point{{{0, 0}, {4, 0}}, {{0, 4}, {4, 4}}, {{1, 1}, {1, 3}}})
		if disc > 0 {
			c.SetColor(color.NRGBA{255, 0, 0, 255})
			c.SetLineWidth(0.24 * pitch)
			c.DrawLine(100+0.5*pitch, 100+0.5*pitch, 100+2.5*pitch, 100+0.5*pitch)
			c.Stroke()
			c.SetColor(color.NRGBA{255, 0, 0, 110})
			c.DrawCircle(100+2.5*pitch, 100+0.5*pitch, disc*pitch)
			c.Fill()
		}
		return c
	}
	if got, want := read(t, board(0.68)), read(t, board(0)); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	speck := board(0.68)
	speck.SetColor(color.White)
	speck.DrawRectangle(100+3.2*pitch, 100+2.2*pitch, 0.2*pitch, 0.2*pitch)
	speck.Fill()
	for why, c := range map[string]*gg.Context{"what it holds is not known": board(0.75), "neither an end nor a path": speck} {
		list := Scan(grid.NewScene(c.Image()), grid.Contrasts()[0], nil)
		var unsure *vision.UnsureError
		if len(list) != 1 || !errors.As(list[0].Err, &unsure) || !strings.Contains(unsure.What, why) {
			t.Errorf("got %v, want unsure: %s", list, why)
		}
	}
}
