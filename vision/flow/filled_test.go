package flow

import (
	"errors"
	"image"
	"image/color"
	"testing"

	"github.com/fogleman/gg"
	"github.com/golang/freetype/truetype"
	"golang.org/x/image/font/gofont/gobold"

	"onlooker/solve/solvetest"
	"onlooker/vision"
	"onlooker/vision/grid"
)

// TestFlips refuses a board of lamps with a drawing of its flips in each: the lamps' own
// places in these lie on a lattice whose cells' middles are where the board's lines cross.
func TestFlips(t *testing.T) {
	const side, place, off, margin = 179.0, 22.0, 78.0, 8
	c := gg.NewContext(4*side+2*margin, 4*side+2*margin)
	c.SetColor(grey(230))
	c.Clear()
	flips := []string{"ES", "WE1", "WE31", "W3S", "N0E", "2W", "N0WS", "NWS", "NES", "WE3", "3S1", "NS3", "N0E", "W2", "WE20", "WN2"}
	for i, flip := range flips {
		x, y := margin+0.5+side*float64(i%4), margin+0.5+side*float64(i/4)
		c.DrawRectangle(x, y, side, side)
		c.SetColor(grey(76))
		if 0xe0ca>>i&1 == 1 {
			c.SetColor(grey(255))
		}
		c.FillPreserve()
		c.SetColor(grey(153))
		c.SetLineWidth(1)
		c.Stroke()
		at := map[rune][2]float64{'E': {1, 0}, 'W': {-1, 0}, 'N': {0, -1}, 'S': {0, 1}, '0': {1, -1}, '1': {1, 1}, '2': {-1, -1}, '3': {-1, 1}}
		c.DrawRectangle(x+off, y+off, place, place)
		c.FillPreserve()
		c.Stroke()
		for _, to := range flip {
			c.DrawRectangle(x+off+place*at[to][0], y+off+place*at[to][1], place, place)
			c.Stroke()
		}
	}
	for _, contrast := range grid.Contrasts() {
		for _, r := range Scan(grid.NewScene(c.Image()), contrast, nil) {
			if r.Err == nil {
				t.Errorf("contrast %d: got\n%swant no board", contrast, textOf(t, r.Puzzle))
			}
		}
	}
}

// TestRims: cells that are filled and written in go together by what fills them, whatever is written
// there; a rim round each is no wall.
func TestRims(t *testing.T) {
	f := solvetest.Must(truetype.Parse(gobold.TTF))(t)
	c := page()
	squares(c, nil)
	for k, pair := range [][2]image.Point{{{X: 0, Y: 0}, {X: 3, Y: 4}}, {{X: 1, Y: 2}, {X: 3, Y: 2}}, {{X: 2, Y: 0}, {X: 4, Y: 3}}} {
		for n, at := range pair {
			x, y := 101+pitch*float64(at.X), 101+pitch*float64(at.Y)
			c.SetColor(color.White)
			c.DrawRectangle(x-1, y-1, pitch, pitch)
			c.Fill()
			c.SetColor(ink(k))
			c.DrawRectangle(x+4, y+4, pitch-10, pitch-10)
			c.Fill()
			c.SetColor(color.White)
			c.SetFontFace(truetype.NewFace(f, &truetype.Options{Size: 26 + float64(n)}))
			c.DrawStringAnchored(string(rune('1'+k)), x-1+pitch/2, y-1+pitch/2, 0.5, 0.36)
		}
	}
	got, err := scanned(t, c.Image())
	if want := "flow 5x5 any\nA.B..\n.....\n.C.C.\n....B\n...A.\n"; err != nil || got != want {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
}

// TestUnmarked refuses a board of marks on filled cells where two cells are filled in a
// colour that no marked one has; one of a marked cell's colour is a path's.
func TestUnmarked(t *testing.T) {
	f := solvetest.Must(truetype.Parse(gobold.TTF))(t)
	for _, row := range []struct {
		why   string
		fill  color.NRGBA
		reads bool
	}{
		{"a colour of its own", color.NRGBA{227, 85, 0, 255}, false},
		{"the colour of an end beside it", ink(0), true},
	} {
		c := page()
		pairs := [][2]image.Point{{{X: 0, Y: 0}, {X: 3, Y: 4}}, {{X: 1, Y: 2}, {X: 3, Y: 2}}, {{X: 2, Y: 0}, {X: 4, Y: 3}}}
		squares(c, nil)
		fill := func(at image.Point, with color.Color) {
			c.SetColor(with)
			c.DrawRectangle(101+pitch*float64(at.X), 101+pitch*float64(at.Y), pitch-2, pitch-2)
			c.Fill()
		}
		fill(image.Pt(1, 0), row.fill)
		fill(image.Pt(0, 1), row.fill)
		c.SetFontFace(truetype.NewFace(f, &truetype.Options{Size: 30}))
		for k, pair := range pairs {
			for _, at := range pair {
				fill(at, ink(k))
				c.SetColor(color.White)
				c.DrawStringAnchored(letter(k), 100+pitch*(float64(at.X)+0.5), 100+pitch*(float64(at.Y)+0.5), 0.5, 0.36)
			}
		}
		got, err := scanned(t, c.Image())
		var unsure *vision.UnsureError
		if row.reads && err != nil || !row.reads && !errors.As(err, &unsure) {
			t.Errorf("%s: got %q, %v, want a reading: %v", row.why, got, err, row.reads)
		}
	}
}
