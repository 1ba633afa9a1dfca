package flow

import (
	"image"
	"image/color"
	"testing"

	"github.com/fogleman/gg"
	"github.com/golang/freetype/truetype"
	"golang.org/x/image/font/gofont/gobold"

	"onlooker/solve/flow"
	"onlooker/solve/solvetest"
)

// TestDottedGround reads letters on a ground of squares at the nodes: O and Q differ by
// little, and the outline cuts off the hook of a letter in the last row.
func TestDottedGround(t *testing.T) {
	const pitch, cols, rows = 48, 5, 4
	for _, row := range []struct {
		why     string
		letters string // of each pair
		outline float64
	}{
		{"O and Q", "OQBC", 0},
		{"an outline through a hook", "AJBC", -7},
		{"the same with I beside it", "IJBC", -7},
	} {
		c := gg.NewContext(400, 360)
		c.SetColor(color.White)
		c.Clear()
		c.SetColor(color.Black)
		at := func(p image.Point) (x, y float64) {
			return 70 + pitch*(float64(p.X)+0.5), 60 + pitch*(float64(p.Y)+0.5)
		}
		for y := 1; y < rows; y++ {
			for x := 1; x < cols; x++ {
				c.DrawRectangle(70+pitch*float64(x)-12, 60+pitch*float64(y)-12, 24, 24)
				c.Fill()
			}
		}
		c.SetLineWidth(4)
		c.DrawRectangle(70-row.outline, 60-row.outline, pitch*cols+2*row.outline, pitch*rows+2*row.outline)
		c.Stroke()
		f := solvetest.Must(truetype.Parse(gobold.TTF))(t)
		c.SetFontFace(truetype.NewFace(f, &truetype.Options{Size: 26}))
		b := flow.NewBuilder(flow.Square, cols, rows).Any()
		pairs := [][2]image.Point{{{X: 0, Y: 0}, {X: 0, Y: 2}}, {{X: 2, Y: 1}, {X: 4, Y: 3}}, {{X: 1, Y: 0}, {X: 2, Y: 3}}, {{X: 3, Y: 0}, {X: 3, Y: 2}}}
		for k, p := range pairs {
			b.Pair(p[0], p[1])
			for _, e := range p {
				x, y := at(e)
				if e.Y == rows-1 {
					y += 4 // to the outline
				}
				if row.letters[k] == 'Q' { // with a short tail
					c.DrawString("O", x-9, y+9)
					c.DrawRectangle(x+3, y+8, 4, 3)
					c.Fill()
					continue
				}
				c.DrawString(row.letters[k:k+1], x-9, y+9)
			}
		}
		// The outline lies over the letters.
		c.DrawRectangle(70-row.outline, 60-row.outline, pitch*cols+2*row.outline, pitch*rows+2*row.outline)
		c.Stroke()
		t.Run(row.why, func(t *testing.T) { reads(t, c, b) })
	}
}
