package switches

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"maps"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"onlooker/calibrations"
	"onlooker/solve"
	"onlooker/solve/solvetest"
	"onlooker/solve/switches"
	"onlooker/vision/grid"
	"onlooker/vision/grid/claims"
	"onlooker/vision/grid/part"
	"onlooker/vision/picture"
)

// tiles is a board of tiles of 40 pixels, 8 apart, in two colours; one in another is a +.
func tiles(rows []string, lit, dark color.Color, other ...color.Color) *grid.Scene {
	m := image.NewRGBA(image.Rect(0, 0, 400, 300))
	draw.Draw(m, m.Rect, image.NewUniform(color.Gray{90}), image.Point{}, draw.Src)
	for y, row := range rows {
		for x, ch := range row {
			c := dark
			switch ch {
			case '*':
				c = lit
			case '+':
				c = other[0]
			}
			draw.Draw(m, image.Rect(30+48*x, 20+48*y, 70+48*x, 60+48*y), image.NewUniform(c), image.Point{}, draw.Src)
		}
	}
	return grid.NewScene(m)
}

// TestOblongButtons: lamps three times as wide as high in the middle of a small picture look a third
// as much like a logo as square ones do.
func TestOblongButtons(t *testing.T) {
	badge := func(wide int) float64 {
		m := image.NewRGBA(image.Rect(0, 0, 3*(wide+8)+32, 3*38+32))
		draw.Draw(m, m.Rect, image.White, image.Point{}, draw.Src)
		for i, ch := range "*o**oo*o*" {
			at := image.Pt(20+(i%3)*(wide+8), 20+(i/3)*38)
			c := color.RGBA{250, 220, 60, 255}
			if ch == 'o' {
				c = color.RGBA{25, 30, 50, 255}
			}
			draw.Draw(m, image.Rect(0, 0, wide, 30).Add(at), image.NewUniform(c), image.Point{}, draw.Src)
		}
		list := Scan(grid.NewScene(m), grid.Contrasts()[0], nil)
		if len(list) != 1 || list[0].Puzzle == nil {
			t.Fatalf("%d pixels wide: got %v, want one board", wide, list)
		}
		return list[0].Evidence[claims.Badge]
	}
	if square, oblong := badge(30), badge(106); math.Abs(oblong-square/3) > 0.02 {
		t.Errorf("got %.2f for lamps of 106×30 and %.2f for square ones, want a third", oblong, square)
	}
}

// TestThirdColour: a lamp in a third colour, whether that lies between the others' or beyond them,
// is the one that is named.
func TestThirdColour(t *testing.T) {
	rows := []string{"*o*oo", "o+**o", "ooo*o"}
	for _, third := range []color.Color{color.RGBA{130, 240, 60, 255}, color.RGBA{60, 90, 250, 255}, color.White} {
		list := Scan(tiles(rows, color.RGBA{250, 220, 60, 255}, color.Gray{125}, third), grid.Contrasts()[0], nil)
		if len(list) != 1 || list[0].Err == nil || !strings.Contains(list[0].Err.Error(), "column 2 row 2: a bulb of a third colour") {
			t.Errorf("%v: got %v, want the bulb in column 2, row 2", third, list)
		}
	}
}

// TestCoveredRow: a row of lamps of which only the rims come out from what lies over them is not
// taken for none; what lies a little farther off, with all of a gap beside the lamps, is no matter.
func TestCoveredRow(t *testing.T) {
	rows := []string{"*o*oo", "*o*oo", "oo**o", "ooo*o"}
	for _, c := range []struct {
		to   int // of what lies over the first row
		want bool
	}{{57, true}, {52, true}, {61, false}} {
		s := tiles(rows, color.RGBA{250, 220, 60, 255}, color.RGBA{25, 30, 50, 255})
		draw.Draw(s.Frame, image.Rect(0, 0, 400, c.to), image.NewUniform(color.Gray{40}), image.Point{}, draw.Src)
		list := Scan(grid.NewScene(s.Frame), grid.Contrasts()[0], nil)
		hidden := len(list) == 1 && list[0].Err != nil && strings.Contains(list[0].Err.Error(), "cuts off more lamps")
		if hidden != c.want || !c.want && (len(list) != 1 || list[0].Err != nil) {
			t.Errorf("covered to %d: got %v, want it refused: %v", c.to, list, c.want)
		}
	}
}

func TestTiles(t *testing.T) {
	yellow, night := color.RGBA{250, 220, 60, 255}, color.RGBA{25, 30, 50, 255}
	for _, row := range []struct {
		why, rows string
		lit, dark color.Color
		want      bool
	}{
		{"a board", "*o*oo/oo**o/ooo*o", yellow, night, true},
		{"all alike", "ooo/ooo/ooo", yellow, night, false},
		{"a chessboard", "*o*o/o*o*/*o*o", yellow, night, false},
		{"two rows", "*oo*/ooo*", yellow, night, false},
		{"neither is brighter", "*o*oo/oo**o/ooo*o", color.RGBA{200, 60, 60, 255}, color.RGBA{60, 130, 30, 255}, false},
	} {
		rows := strings.Split(row.rows, "/")
		list := Scan(tiles(rows, row.lit, row.dark), grid.Contrasts()[0], nil)
		var got solve.Puzzle
		if len(list) == 1 {
			got = list[0].Puzzle
		}
		if !row.want {
			if got != nil {
				t.Errorf("%s: it was read", row.why)
			}
			continue
		}
		if got == nil {
			t.Errorf("%s: got %v", row.why, list)
			continue
		}
		want := solvetest.Must(switches.Family.Parse("grid 5x3\n" + strings.ReplaceAll(row.rows, "/", "\n") + "\nwant: all=0\n"))(t)
		a, _ := got.MarshalText()
		b, _ := want.MarshalText()
		if string(a) != string(b) {
			t.Errorf("%s: got\n%swant\n%s", row.why, a, b)
		}
	}
}

// TestFills reads boards that fill their picture, with a margin of less than a gap or none, and
// refuses what is left where a side is cut: within a cell, or as near to one as the other sides
// are.
func TestFills(t *testing.T) {
	const tile, pitch, rows = 40, 48, 5
	whole := tiles(strings.Split("*o*oo/oo**o/ooo*o/*oo**/o*ooo", "/"), color.Gray{240}, color.Gray{40})
	read := func(box image.Rectangle) bool {
		list := Scan(grid.NewScene(whole.Frame.SubImage(box)), grid.Contrasts()[0], nil)
		return len(list) == 1 && list[0].Err == nil
	}
	for margin := range 4 {
		box := image.Rect(30, 20, 30+(rows-1)*pitch+tile, 20+(rows-1)*pitch+tile).Inset(-margin)
		if !read(box) {
			t.Errorf("with a margin of %d: it was not read", margin)
		}
		for off := 3; off <= pitch; off += 5 {
			for side, cut := range []image.Rectangle{
				image.Rect(box.Min.X+off, box.Min.Y, box.Max.X, box.Max.Y), image.Rect(box.Min.X, box.Min.Y, box.Max.X-off, box.Max.Y),
				image.Rect(box.Min.X, box.Min.Y+off, box.Max.X, box.Max.Y), image.Rect(box.Min.X, box.Min.Y, box.Max.X, box.Max.Y-off),
			} {
				if read(cut) {
					t.Errorf("with a margin of %d and %d off side %d: it was read", margin, off, side)
				}
			}
		}
	}
}

// TestGlow: cells of the page's colour are drawn as nothing, but where lit ones shine on them.
func TestGlow(t *testing.T) {
	const pitch, first = 48, 60
	rows := []string{"*oooo", "ooooo", "oo*oo", "ooooo", "oooo*"}
	for _, reach := range []float64{0, 15} { // pixels
		m := image.NewRGBA(image.Rect(0, 0, 360, 360))
		draw.Draw(m, m.Rect, image.Black, image.Point{}, draw.Src)
		for y, row := range rows {
			for x, ch := range row {
				box := image.Rect(0, 0, pitch, pitch).Add(image.Pt(first+pitch*x, first+pitch*y))
				for k := 0; ch == '*' && reach > 0 && k < len(m.Pix)/4; k++ {
					p := image.Pt(k%360, k/360)
					off := math.Hypot(float64(max(box.Min.X-p.X, p.X-box.Max.X, 0)), float64(max(box.Min.Y-p.Y, p.Y-box.Max.Y, 0)))
					was := m.RGBAAt(p.X, p.Y)
					light := uint8(100 * math.Exp(-off/reach))
					m.Set(p.X, p.Y, color.RGBA{0, max(was.G, light), max(was.B, light), 255})
				}
			}
		}
		for y, row := range rows {
			for x, ch := range row {
				box := image.Rect(0, 0, pitch, pitch).Add(image.Pt(first+pitch*x, first+pitch*y))
				for k := range pitch {
					for _, p := range []image.Point{{k, 0}, {k, pitch - 1}, {0, k}, {pitch - 1, k}} {
						m.Set(box.Min.X+p.X, box.Min.Y+p.Y, color.Gray{128})
					}
				}
				if ch == '*' {
					draw.Draw(m, box.Inset(1), image.White, image.Point{}, draw.Src)
				}
			}
		}
		list := Scan(grid.NewScene(m), grid.Contrasts()[0], nil)
		if len(list) != 1 || list[0].Err != nil {
			t.Fatalf("light that reaches %v: got %v", reach, list)
		}
		if got := list[0].Evidence[claims.AsPage]; (got > 0) != (reach == 0) {
			t.Errorf("light that reaches %v: %.2f of the cells as the page", reach, got)
		}
	}
}

// TestLamps reads lamps on tiles that are all alike: discs that fill most of them, and
// small ones.
// Bulbs in a look's colours are read as that look says, whichever is the brighter, and
// those in other colours by none.
func TestLooks(t *testing.T) {
	yellow, night := color.RGBA{250, 220, 60, 255}, color.RGBA{25, 30, 50, 255}
	look := func(lit, dark string) *calibrations.Profile {
		return &calibrations.Profile{Cells: &calibrations.Cells{Lit: []string{lit}, Dark: []string{dark}}}
	}
	rows := strings.Split("*o*oo/oo**o/ooo*o", "/")
	inverted, other := look("#191e32", "#fadc3c"), look("#00ff00", "#004000")
	for _, row := range []struct {
		why   string
		looks []*calibrations.Profile
		look  *calibrations.Profile
		first string // row
	}{
		{"none", nil, nil, "*o*oo"},
		{"another's colours", []*calibrations.Profile{other}, nil, "*o*oo"},
		{"its colours", []*calibrations.Profile{other, inverted}, inverted, "o*o**"},
	} {
		list := Scan(tiles(rows, yellow, night), grid.Contrasts()[0], row.looks)
		if len(list) != 1 || list[0].Err != nil || list[0].Look != row.look {
			t.Errorf("%s: got %v, want the board by %v", row.why, list, row.look)
			continue
		}
		text, err := list[0].Puzzle.MarshalText()
		if want := "grid 5x3\n" + row.first; err != nil || !strings.HasPrefix(string(text), want) {
			t.Errorf("%s: got\n%s, %v; want %q first", row.why, text, err, want)
		}
	}
}

func TestLamps(t *testing.T) {
	rows := []string{"*o*oo", "oo**o", "ooo*o"}
	for _, radius := range []int{16, 9} {
		s := tiles(rows, color.Gray{40}, color.Gray{40})
		for y, row := range rows {
			for x, ch := range row {
				c := color.RGBA{90, 80, 60, 255}
				if ch == '*' {
					c = color.RGBA{250, 220, 60, 255}
				}
				for k := range 40 * 40 {
					if dx, dy := k%40-20, k/40-20; dx*dx+dy*dy <= radius*radius {
						s.Frame.Set(50+48*x+dx, 40+48*y+dy, c)
					}
				}
			}
		}
		list := Scan(s, grid.Contrasts()[0], nil)
		if len(list) != 1 || list[0].Err != nil {
			t.Fatalf("discs of radius %d: got %v", radius, list)
		}
		if got, _ := list[0].Puzzle.MarshalText(); !strings.HasPrefix(string(got), "grid 5x3\n"+strings.Join(rows, "\n")+"\n") {
			t.Errorf("discs of radius %d: got\n%s", radius, got)
		}
	}
}

// TestLampsAlone reads lamps on a plain ground, without tiles; and refuses them where
// one is missing.
func TestLampsAlone(t *testing.T) {
	rows := []string{"*o*oo", "oo**o", "ooo*o"}
	for _, missing := range []bool{false, true} {
		s := tiles(nil, nil, nil)
		for y, row := range rows {
			for x, ch := range row {
				c := color.RGBA{60, 25, 20, 255}
				if ch == '*' {
					c = color.RGBA{250, 70, 50, 255}
				}
				for k := range 40 * 40 {
					if dx, dy := k%40-20, k/40-20; dx*dx+dy*dy <= 12*12 && !(missing && x == 4 && y == 1) {
						s.Frame.Set(50+43*x+dx, 40+43*y+dy, c)
					}
				}
			}
		}
		list := Scan(s, grid.Contrasts()[0], nil)
		if missing {
			for _, r := range list {
				if r.Err == nil {
					t.Errorf("with a lamp missing: it was read")
				}
			}
			continue
		}
		if len(list) != 1 || list[0].Err != nil {
			t.Fatalf("got %v", list)
		}
		if got, _ := list[0].Puzzle.MarshalText(); !strings.HasPrefix(string(got), "grid 5x3\n"+strings.Join(rows, "\n")+"\n") {
			t.Errorf("got\n%s", got)
		}
	}
}

// sign paints within a tile of tiles.
func sign(s *grid.Scene, x, y int, box image.Rectangle) {
	draw.Draw(s.Frame, box.Add(image.Pt(30+48*x, 20+48*y)), image.NewUniform(color.Gray{140}), image.Point{}, draw.Src)
}

// readingOf is the board of tiles whose lit ones are known.
func readingOf(s *grid.Scene, rows []string) *reading {
	r := &reading{g: s.Grids(grid.Contrasts()[0])[0]}
	for _, ch := range strings.Join(rows, "") {
		r.lit = append(r.lit, ch == '*')
	}
	r.g.Straighten()
	r.bulbs = make([]part.Colour, len(r.lit))
	return r
}

// TestSameMarks takes lamps that all show the same sign for lamps, and refuses them
// where one has a little more: that may be a drawing of what its switch flips.
func TestSameMarks(t *testing.T) {
	rows := []string{"*o*oo", "oo**o", "ooo*o"}
	for _, odd := range []bool{false, true} {
		s := tiles(rows, color.Gray{240}, color.Gray{40})
		for y, row := range rows {
			for x := range row {
				sign(s, x, y, image.Rect(11, 11, 17, 29))
				sign(s, x, y, image.Rect(17, 23, 29, 29))
			}
		}
		if odd {
			sign(s, 2, 1, image.Rect(17, 19, 23, 23)) // a tenth of it
		}
		if err := readingOf(s, rows).uniform(); (err != nil) != odd {
			t.Errorf("a sign with more than the others: %v; got %v", odd, err)
		}
	}
}

// TestHidden: a message may lie over a few cells, of which each shows something else; one
// sign in two of them is another puzzle's.
func TestHidden(t *testing.T) {
	rows := []string{"*o*oooo", "oo**oo*", "ooo*ooo", "oo*oo**"}
	for _, same := range []bool{false, true} {
		s := tiles(rows, color.Gray{240}, color.Gray{40})
		sign(s, 1, 0, image.Rect(11, 11, 17, 29))
		if same {
			sign(s, 4, 1, image.Rect(11, 11, 17, 29))
		} else {
			sign(s, 4, 1, image.Rect(9, 13, 31, 25))
		}
		if err := readingOf(s, rows).uniform(); (err != nil) != same {
			t.Errorf("the same sign in two cells: %v; got %v", same, err)
		}
	}
}

const patternTile, patternSquare = 48, 6

// patternFlips are the flips of each of 3×3 cells, where to, and patternLit which are lit.
func patternFlips() [][]image.Point {
	return [][]image.Point{
		{{0, 0}, {1, 0}, {1, 1}}, {{1, 0}, {0, 1}, {1, 1}, {2, 1}}, {{2, 0}, {1, 0}, {1, 1}, {2, 1}},
		{{0, 1}, {1, 1}}, {{0, 0}, {1, 0}, {2, 0}, {0, 1}, {1, 1}, {2, 1}, {0, 2}, {1, 2}, {2, 2}}, {{2, 1}, {1, 2}},
		{{0, 2}, {0, 1}, {1, 1}}, {{1, 2}, {1, 1}, {0, 2}}, {{2, 2}, {1, 1}},
	}
}

func patternLit() []bool { return []bool{true, false, false, true, true, false, false, true, false} }

// drawPatterns shows them in tiles of two colours; fill paints between two corners.
func drawPatterns(lit, dark color.Color) (m *image.RGBA, fill func(x0, y0, x1, y1 int, c color.Color)) {
	const tile, square = patternTile, patternSquare
	m = image.NewRGBA(image.Rect(0, 0, 240, 240))
	fill = func(x0, y0, x1, y1 int, c color.Color) {
		draw.Draw(m, image.Rect(x0, y0, x1, y1), image.NewUniform(c), image.Point{}, draw.Src)
	}
	fill(0, 0, 240, 240, color.Gray{230})
	ink := color.Gray{150}
	for i, to := range patternFlips() {
		x, y, ground := 40+tile*(i%3), 40+tile*(i/3), dark
		if patternLit()[i] {
			ground = lit
		}
		fill(x-1, y-1, x+tile+1, y+tile+1, color.Gray{128})
		fill(x+1, y+1, x+tile-1, y+tile-1, ground)
		for _, p := range to {
			u, v := x+tile/2-square/2+square*(p.X-i%3), y+tile/2-square/2+square*(p.Y-i/3)
			fill(u, v, u+square+1, v+1, ink)
			fill(u, v+square, u+square+1, v+square+1, ink)
			fill(u, v, u+1, v+square+1, ink)
			fill(u+square, v, u+square+1, v+square+1, ink)
			if p == image.Pt(i%3, i/3) {
				fill(u, v, u+square, v+square, ink)
			}
		}
	}
	return m, fill
}

// patternsIn tells what is wrong with the board that a scene of drawPatterns is read as.
func patternsIn(s *grid.Scene) error {
	list := Scan(s, grid.Contrasts()[0], nil)
	if len(list) != 1 || list[0].Err != nil {
		return fmt.Errorf("got %v, want a board", list)
	}
	want, got := map[[2]int]bool{}, map[[2]int]bool{}
	for i, to := range patternFlips() {
		for _, p := range to {
			want[[2]int{i, 3*p.Y + p.X}] = true
		}
	}
	spec := list[0].Puzzle.(*switches.Puzzle).Spec()
	for _, f := range spec.Flips {
		got[[2]int{f.Switch, f.Bulb}] = true
	}
	if !maps.Equal(got, want) {
		return fmt.Errorf("flips %v, want %v", got, want)
	}
	for i, on := range patternLit() {
		if got := spec.Nodes[i].Now > 0; got != on {
			return fmt.Errorf("lamp %d lit %v, want %v", i, got, on)
		}
	}
	return nil
}

// TestPatternsJPEG: a JPEG gives a grey line on yellow its ground's colour.
func TestPatternsJPEG(t *testing.T) {
	m, _ := drawPatterns(color.RGBA{255, 215, 80, 255}, color.RGBA{60, 60, 60, 255})
	var b bytes.Buffer
	// Its blocks of 8 pixels are not the tiles'.
	solvetest.OK(t, jpeg.Encode(&b, m.SubImage(image.Rect(4, 4, 240, 240)), &jpeg.Options{Quality: 60}))
	j := solvetest.Must(jpeg.Decode(&b))(t)
	solvetest.Fine(t, patternsIn(grid.NewScene(j)))
}

// TestPatterns reads drawings of squares of 6 pixels, and of 3 and 2 in the picture
// made smaller, and refuses a drawing with lines that are no square's.
func TestPatterns(t *testing.T) {
	const tile, square = patternTile, patternSquare
	m, fill := drawPatterns(color.White, color.Gray{76})
	smaller := func(by int) *image.RGBA {
		out := image.NewRGBA(image.Rect(0, 0, 240/by, 240/by))
		for i := range out.Pix {
			x, y, sum := i/4%out.Rect.Dx(), i/out.Stride, 0
			for k := range by * by {
				sum += int(m.Pix[m.PixOffset(by*x+k%by, by*y+k/by)+i%4])
			}
			out.Pix[i] = uint8(sum / (by * by))
		}
		return out
	}
	for by := 1; by <= 3; by++ {
		solvetest.Fine(t, patternsIn(grid.NewScene(smaller(by))), fmt.Sprintf("1/%d", by))
	}
	// Beside the first cell's middle square, two of its three other sides.
	fill(40+tile/2+square/2, 40+tile/2-square/2-square, 40+tile/2+square/2+square, 40+tile/2-square/2-square+1, color.Gray{150})
	fill(40+tile/2+square/2+square, 40+tile/2-square/2-square, 40+tile/2+square/2+square+1, 40+tile/2-square/2, color.Gray{150})
	if list := Scan(grid.NewScene(m), grid.Contrasts()[0], nil); len(list) != 1 || list[0].Err == nil {
		t.Errorf("lines of no square: got %v, want unsure", list)
	}
}

// TestBulbs reads discs joined by lines, one of them cut in two by what is written on
// it, and refuses a line that leads nowhere.
func TestBulbs(t *testing.T) {
	board := func(file string) *grid.Scene {
		return grid.NewScene(solvetest.Picture(t, "testdata/"+file))
	}
	list := Scan(board("bulbs.png"), grid.Contrasts()[0], nil)
	if len(list) != 1 || list[0].Err != nil {
		t.Fatalf("got %v", list)
	}
	want := solvetest.Must(switches.Family.Parse("switches\nnames: a b c d e\nlit: b c d\nwant: all=0\na b\na c\na e\nb d\nd e\n"))(t)
	a, _ := list[0].Puzzle.MarshalText()
	b, _ := want.MarshalText()
	if string(a) != string(b) {
		t.Errorf("got\n%swant\n%s", a, b)
	}
	if p := list[0].Board.Screen(image.Pt(3, 1)); p != image.Pt(60, 60) {
		t.Errorf("bulb b is at %v, want (60,60)", p)
	}
	if list := Scan(board("bulbs-astray.png"), grid.Contrasts()[0], nil); len(list) == 1 && list[0].Err == nil {
		t.Error("a line that leads nowhere was passed over")
	}
}

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
