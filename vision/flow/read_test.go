package flow

import (
	"errors"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fogleman/gg"
	"github.com/golang/freetype/truetype"
	"golang.org/x/image/font/gofont/gobold"

	"onlooker/calibrations"
	"onlooker/solve/flow"
	"onlooker/solve/solvetest"
	"onlooker/vision"
	"onlooker/vision/grid"
	"onlooker/vision/picture"
	drawing "onlooker/vision/picture/flow"
)

// TestDrawn reads boards that we drew, bare and with their answers.
func TestDrawn(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, size := range [][2]int{{5, 5}, {7, 4}, {9, 9}} {
		p := flow.Family.Generate(rng, size[0], size[1])
		want, _ := p.MarshalText()
		answer := solvetest.Must(p.Solve(t.Context()))(t)
		for name, m := range map[string]*grid.Scene{
			"bare":     grid.NewScene(picture.Image(drawing.Picture(p, nil), 24)),
			"answered": grid.NewScene(picture.Image(drawing.Picture(p, answer), 24)),
		} {
			list := Scan(m, grid.Contrasts()[0], nil)
			if len(list) != 1 || list[0].Err != nil {
				t.Errorf("%s: %v", name, list)
				continue
			}
			if got, _ := list[0].Puzzle.MarshalText(); string(got) != string(want) {
				t.Errorf("%s: got\n%swant\n%s", name, got, want)
			}
		}
	}
}

// TestOdd takes an end off a board: that is a contradiction, and no guess.
func TestOdd(t *testing.T) {
	p := flow.Family.Generate(rand.New(rand.NewPCG(3, 4)), 6, 6)
	shapes := drawing.Picture(p, nil)
	last := -1
	for i, s := range shapes {
		if s.Kind == picture.Disc {
			last = i
		}
	}
	scene := grid.NewScene(picture.Image(append(shapes[:last:last], shapes[last+1:]...), 24))
	list := Scan(scene, grid.Contrasts()[0], nil)
	var unsure *vision.UnsureError
	if len(list) != 1 || !errors.As(list[0].Err, &unsure) {
		t.Errorf("got %v, want unsure", list)
	}
}

// TestBackdrop reads a board over a faint band that is nearly as wide as its discs and
// goes through its cells, as behind levels of a phone's game: none of them is an end.
func TestBackdrop(t *testing.T) {
	s := styles()[0]
	for _, wide := range []float64{0.5, 0.62, 0.66, 0.7} {
		rng := rand.New(rand.NewPCG(3, 60))
		p := flow.Family.Generate(rng, 6, 5).(*flow.Puzzle)
		colours := inks("own", rng, len(p.Pairs()))
		d := s.board(p)
		d.path = wide
		d.route([]image.Point{{-2, 2}, {8, 2}}, color.NRGBA{255, 127, 0, 30})
		for i, pair := range p.Pairs() {
			for _, c := range pair {
				d.end(t, c, colours[i], "")
			}
		}
		got, err := scanned(t, d.Image())
		if err != nil {
			t.Errorf("a band of %.2f: %v", wide, err)
			continue
		}
		if want := textOf(t, p); got != want {
			t.Errorf("a band of %.2f: got\n%swant\n%s", wide, got, want)
		}
	}
}

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

// An endForm is how an end is drawn in the colour of its pair, in a style's cell.
type endForm struct {
	name string
	draw func(d *drawn, c image.Point)
}

func endForms() []endForm {
	return []endForm{
		{"ring", func(d *drawn, c image.Point) {
			x, y := d.middle(c)
			d.DrawCircle(x, y, 0.3*d.cell)
			d.SetLineWidth(0.1 * d.cell)
			d.Stroke()
		}},
		{"star", func(d *drawn, c image.Point) {
			x, y := d.middle(c)
			for i := range 10 {
				sin, cos := math.Sincos(math.Pi * float64(i) / 5)
				r := d.cell * (0.36 - 0.2*float64(i%2))
				d.LineTo(x+r*sin, y-r*cos)
			}
			d.Fill()
		}},
		{"small disc", func(d *drawn, c image.Point) {
			x, y := d.middle(c)
			d.DrawCircle(x, y, 0.18*d.cell)
			d.Fill()
		}},
		{"filled cell", func(d *drawn, c image.Point) {
			x, y := d.corner(c)
			if d.rounded {
				d.DrawRoundedRectangle(x+0.04*d.cell, y+0.04*d.cell, 0.92*d.cell, 0.92*d.cell, 0.1*d.cell)
			} else {
				d.DrawRectangle(x+1, y+1, d.cell-2, d.cell-2)
			}
			d.Fill()
		}},
	}
}

// TestEndForms reads boards whose ends are no large discs, told by their colours.
func TestEndForms(t *testing.T) {
	for _, s := range styles() {
		for k, form := range endForms() {
			t.Run(s.name+"/"+form.name, func(t *testing.T) {
				rng := rand.New(rand.NewPCG(uint64(k), uint64(s.cell)))
				p := flow.Family.Generate(rng, 5+rng.IntN(3), 5+rng.IntN(2)).(*flow.Puzzle)
				colours := inks("own", rng, len(p.Pairs()))
				d := s.board(p)
				for i, pair := range p.Pairs() {
					for _, c := range pair {
						d.SetColor(colours[i])
						form.draw(d, c)
					}
				}
				got := solvetest.Must(scanned(t, d.Image()))(t)
				if want := textOf(t, p); got != want {
					t.Errorf("got\n%swant\n%s", got, want)
				}
			})
		}
	}
}

// TestFaintEnds reads boards where one pair has nearly the ground's colour: what has the
// form of the other ends is one.
func TestFaintEnds(t *testing.T) {
	for _, s := range styles() {
		t.Run(s.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(5, uint64(s.cell)))
			p := flow.Family.Generate(rng, 6, 5).(*flow.Puzzle)
			colours := inks("own", rng, len(p.Pairs()))
			r, _, _, _ := s.ground.RGBA()
			v := uint8(r >> 8)
			by := uint8(28)
			if v > 128 {
				by = -by
			}
			colours[0] = color.NRGBA{v + by, v + by, v + by, 255}
			s.board(p).reads(t, p, colours)
		})
	}
}

// TestShownFourTimes refuses buttons of which four show one triangle and two three of them: half a
// pixel lower two of the four differ from the others, and are no other pair.
func TestShownFourTimes(t *testing.T) {
	d := gg.NewContext(900, 900)
	d.SetColor(color.Gray{250})
	d.Clear()
	for i, marks := range []int{0, 0, 1, 0, 0, 1, 0, 0, 0, 3, 3, 0, 1, 1, 0, 0} {
		x, y := 100+204*float64(i%4), 80+204*float64(i/4)
		d.SetColor(color.Gray{214})
		d.DrawRoundedRectangle(x, y, 164, 154, 4)
		d.Fill()
		d.SetColor(color.Gray{30})
		for k := range marks {
			u, v := x+82+39*(float64(k)-float64(marks-1)/2), y+82+0.5*float64(i/12)
			d.MoveTo(u, v-12)
			d.LineTo(u+11.5, v+10.5)
			d.LineTo(u-11.5, v+10.5)
			d.ClosePath()
			d.Fill()
		}
	}
	if got, err := scanned(t, d.Image()); err == nil || !strings.Contains(err.Error(), "shown more than twice") {
		t.Errorf("got %v, %v, want ends that are shown more than twice", got, err)
	}
}

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
