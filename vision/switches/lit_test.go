package switches

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math/rand/v2"
	"testing"

	"onlooker/solve/solvetest"
	"onlooker/vision/grid"
	"onlooker/vision/grid/claims"
	"onlooker/vision/grid/part"
	"onlooker/vision/picture"
)

// TestLit draws boards on dark and light pages in two-tone palettes as pages have them, 30 in all,
// and reads which colour is lit. Dark lamps that hardly stand off the page may be refused, none read wrong.
func TestLit(t *testing.T) {
	palettes := []struct{ page, lit, dark uint32 }{
		{0x242424, 0x3584e4, 0x3d3d3d}, {0x111827, 0xfacc15, 0x374151}, {0x000000, 0xffffff, 0x222222},
		{0x1e1e2e, 0xa6e3a1, 0x45475a}, {0x0f172a, 0xf97316, 0x1e293b}, {0x282c34, 0xdddddd, 0x3a3f4b},
		{0xfafafa, 0x3584e4, 0xe5e5e5}, {0xffffff, 0xff0000, 0xdddddd}, {0xffffff, 0x4caf50, 0xcccccc},
		{0xf5f5f5, 0xf1c40f, 0x2c3e50}, {0xe6e6e6, 0xffffff, 0x4c4c4c}, {0xffffff, 0xffd54f, 0x90a4ae},
		{0xffffff, 0x9c27b0, 0xeeeeee}, {0xf0f0f0, 0xff9800, 0xbdbdbd}, {0xeeeeee, 0x2ecc71, 0x34495e},
	}
	rng, refused := rand.New(rand.NewPCG(61, 7)), 0
	for i := range 2 * len(palettes) {
		p := palettes[i/2]
		colours := map[byte]color.NRGBA{'*': rgb(p.lit), 'o': rgb(p.dark)}
		cols, rows := 3+rng.IntN(4), 3+rng.IntN(4)
		pitch, round := 30+rng.IntN(40), rng.IntN(3)
		m := image.NewRGBA(image.Rect(0, 0, (cols+2)*pitch, (rows+2)*pitch))
		draw.Draw(m, m.Rect, image.NewUniform(rgb(p.page)), image.Point{}, draw.Src)
		want := fmt.Sprintf("grid %dx%d\n", cols, rows)
		for r := range rows {
			for c := range cols {
				ch := "*o"[rng.IntN(2)]
				want += string(ch)
				at, side := image.Pt((c+1)*pitch, (r+1)*pitch), pitch*9/10
				switch round {
				case 0:
					draw.Draw(m, image.Rectangle{at, at.Add(image.Pt(side, side))}, image.NewUniform(colours[ch]), image.Point{}, draw.Src)
				default:
					disc := picture.Shape{Kind: picture.Disc, Points: []picture.Point{{X: float64(at.X + side/2), Y: float64(at.Y + side/2)}}, Width: float64(side), Colour: colours[ch]}
					picture.Draw(m, []picture.Shape{disc}, picture.Point{}, 1)
				}
			}
			want += "\n"
		}
		name := fmt.Sprintf("board %d, page #%06x, lit #%06x, dark #%06x", i, p.page, p.lit, p.dark)
		list := Scan(grid.NewScene(m), grid.Contrasts()[0], nil)
		if len(list) != 1 || list[0].Err != nil {
			t.Logf("%s: refused: %v", name, list)
			refused++
			continue
		}
		if got := textOf(t, list[0]); got != want+"want: all=0\n" {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
	if refused > 2 {
		t.Errorf("%d of 30 boards were refused, want 2 at the most", refused)
	}
}

// TestGreysOnLight: of two greys that both stand off a light page none is taken for lit, whichever
// is meant; what has the page's colour is, and what is lighter than it.
func TestGreysOnLight(t *testing.T) {
	grey := func(v uint8) part.Colour { return part.Colour{v, v, v} }
	for _, row := range []struct {
		page, light, dark uint8
		told              bool
	}{{255, 0xdd, 0x22, false}, {255, 0xbb, 0x44, false}, {255, 255, 0x2e, true}, {0xe6, 255, 0x4c, true}, {0x18, 0xdd, 0x44, true}} {
		lit, _, why := litOf([]part.Colour{grey(row.light), grey(row.dark), grey(row.light)}, grey(row.page), false)
		if told := why == ""; told != row.told || told && (!lit[0] || lit[1]) {
			t.Errorf("%v: %v, %q", row, lit, why)
		}
	}
}

func rgb(c uint32) color.NRGBA { return color.NRGBA{uint8(c >> 16), uint8(c >> 8), uint8(c), 255} }

func textOf(t *testing.T, r claims.Reading) string {
	t.Helper()
	text := solvetest.Must(r.Puzzle.MarshalText())(t)
	return string(bytes.ReplaceAll(text, []byte("\r"), nil))
}
