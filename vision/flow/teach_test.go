package flow

import (
	"image"
	"image/color"
	"testing"

	"onlooker/calibrations"
	"onlooker/solve/flow"
	"onlooker/solve/solvetest"
	"onlooker/vision/grid"
)

// TestPicturedEnds reads ends that fill their cells by a look that was taught: a pair whose
// ground no lesson showed, nearly as light as an empty cell's, is a pair; and a picture on the
// empty cells' own ground is refused.
func TestPicturedEnds(t *testing.T) {
	look := &calibrations.Profile{Cells: &calibrations.Cells{Goal: "all"}}
	look.Learned.Divides = map[string]calibrations.Range{ground: {0, 129}, likeness: {0.02, 0.23}}
	pairs := [][2]image.Point{{{X: 0, Y: 0}, {X: 3, Y: 2}}, {{X: 1, Y: 0}, {X: 2, Y: 4}}, {{X: 4, Y: 0}, {X: 4, Y: 4}}}
	for _, row := range []struct {
		faint uint8 // the third pair's ground
		err   bool
	}{{235, false}, {210, true}} {
		c := page()
		c.SetColor(color.Gray{210})
		c.DrawRectangle(100, 100, 5*pitch, 5*pitch)
		c.Fill()
		b := flow.NewBuilder(flow.Square, 5, 5)
		for k, p := range pairs {
			b.Pair(p[0], p[1])
			for _, e := range p {
				x, y := 100+pitch*float64(e.X), 100+pitch*float64(e.Y)
				c.SetColor([]color.Color{color.RGBA{90, 40, 120, 255}, color.RGBA{20, 90, 60, 255}, color.Gray{row.faint}}[k])
				c.DrawRectangle(x, y, pitch, pitch)
				c.Fill()
				c.SetColor([]color.Color{color.RGBA{240, 230, 90, 255}, color.RGBA{240, 120, 90, 255}, color.RGBA{60, 60, 220, 255}}[k])
				c.DrawRegularPolygon(3+k, x+pitch/2, y+pitch/2, 0.3*pitch, 0)
				c.Fill()
			}
		}
		for i := range 6 {
			at := 100 + pitch*float64(i)
			stroke(c, 3, 60, at, 100, at, 400)
			stroke(c, 3, 60, 100, at, 400, at)
		}
		want := solvetest.Must(b.Puzzle())(t)
		list := Scan(grid.NewScene(c.Image()), grid.Contrasts()[0], []*calibrations.Profile{look})
		switch {
		case len(list) != 1:
			t.Errorf("ground %d: got %d boards, want one", row.faint, len(list))
		case row.err && list[0].Err == nil:
			t.Errorf("ground %d: got\n%s, want an error", row.faint, textOf(t, list[0].Puzzle))
		case !row.err && (list[0].Err != nil || textOf(t, list[0].Puzzle) != textOf(t, want)):
			t.Errorf("ground %d: got %v, want\n%s", row.faint, list[0].Err, textOf(t, want))
		}
	}
}
