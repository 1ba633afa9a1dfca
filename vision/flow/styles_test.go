package flow

import (
	"errors"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fogleman/gg"
	"github.com/golang/freetype/truetype"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"

	"onlooker/solve"
	"onlooker/solve/flow"
	"onlooker/solve/solvetest"
	"onlooker/vision"
	"onlooker/vision/grid"
)

// A style is how a page draws boards.
type style struct {
	name                string
	cell                float64     // pixels
	page, ground, line  color.Color // line nil: tiles with gaps
	disc, path, written float64     // a disc's radius, a path's width and a letter's height, in cells
	font                []byte
	light, dark         color.Color // letters on dark discs and on light ones
	rounded             bool        // tiles have round corners
}

func grey(v uint8) color.Color { return color.Gray{v} }

// styles are ways in which pages and phones draw boards with letters on discs.
func styles() []style {
	return []style{
		{name: "phone", cell: 60, page: grey(0), ground: grey(0), line: grey(90), disc: 0.37, path: 0.34, written: 0.42, font: gobold.TTF, light: grey(255), dark: grey(255)},
		{name: "white page", cell: 44, page: grey(255), ground: grey(255), line: grey(190), disc: 0.32, path: 0.3, written: 0.4, font: goregular.TTF, light: grey(255), dark: grey(0)},
		{name: "tiles", cell: 84, page: grey(24), ground: grey(48), disc: 0.34, path: 0.26, written: 0.36, font: gobold.TTF, light: grey(240), dark: grey(20), rounded: true},
		{name: "black letters", cell: 34, page: grey(236), ground: grey(250), line: grey(120), disc: 0.4, path: 0.4, written: 0.5, font: gomono.TTF, light: grey(0), dark: grey(0)},
		{name: "small", cell: 22, page: grey(30), ground: grey(16), line: grey(80), disc: 0.36, path: 0.3, written: 0.42, font: gobold.TTF, light: grey(255), dark: grey(0)},
		{name: "large", cell: 116, page: grey(245), ground: grey(225), line: grey(150), disc: 0.3, path: 0.22, written: 0.28, font: goregular.TTF, light: grey(255), dark: grey(10)},
	}
}

// drawn is a board as a style draws it.
type drawn struct {
	*gg.Context
	style
	at vision.Point // of the board's corner
}

func (s style) board(p *flow.Puzzle) *drawn {
	cols, rows := p.Size()
	margin := 1.3 * s.cell
	d := &drawn{gg.NewContext(int(float64(cols)*s.cell+2*margin)+1, int(float64(rows)*s.cell+2*margin)+1), s, vision.Point{X: math.Round(margin), Y: math.Round(margin)}}
	d.SetColor(s.page)
	d.Clear()
	for c := range cols {
		for r := range rows {
			x, y := d.corner(image.Pt(c, r))
			d.SetColor(s.ground)
			switch {
			case s.line != nil:
				d.DrawRectangle(x, y, s.cell, s.cell)
				d.FillPreserve()
				d.SetColor(s.line)
				d.SetLineWidth(max(1, math.Round(s.cell/40)))
				d.Stroke()
			case s.rounded:
				d.DrawRoundedRectangle(x+0.04*s.cell, y+0.04*s.cell, 0.92*s.cell, 0.92*s.cell, 0.1*s.cell)
				d.Fill()
			}
		}
	}
	return d
}

func (d *drawn) corner(c image.Point) (x, y float64) {
	return d.at.X + d.cell*float64(c.X), d.at.Y + d.cell*float64(c.Y)
}

func (d *drawn) middle(c image.Point) (x, y float64) {
	x, y = d.corner(c)
	return x + d.cell/2, y + d.cell/2
}

// route draws a path through the middles of cells.
func (d *drawn) route(cells []image.Point, ink color.Color) {
	d.SetColor(ink)
	d.SetLineWidth(d.path * d.cell)
	d.SetLineCap(gg.LineCapRound)
	d.SetLineJoin(gg.LineJoinRound)
	for _, c := range cells {
		d.LineTo(d.middle(c))
	}
	d.Stroke()
	d.SetLineCap(gg.LineCapButt)
}

// end draws a disc with a word on it.
func (d *drawn) end(t *testing.T, c image.Point, ink color.NRGBA, word string) {
	t.Helper()
	x, y := d.middle(c)
	d.SetColor(ink)
	d.DrawCircle(x, y, d.disc*d.cell)
	d.Fill()
	if word == "" {
		return
	}
	f := solvetest.Must(truetype.Parse(d.font))(t)
	// A capital is 0.72 of its font's size.
	size := d.written * d.cell / 0.72
	if len(word) > 1 {
		size *= 0.75
	}
	d.SetFontFace(truetype.NewFace(f, &truetype.Options{Size: size, DPI: 72, Hinting: font.HintingNone}))
	d.SetColor(d.light)
	if 0.299*float64(ink.R)+0.587*float64(ink.G)+0.114*float64(ink.B) > 140 {
		d.SetColor(d.dark)
	}
	d.DrawStringAnchored(word, x, y, 0.5, 0.36)
}

// letter is the name of a pair.
func letter(pair int) string { return string(rune('A' + pair)) }

// inks are the colours of pairs in a palette.
func inks(palette string, rng *rand.Rand, pairs int) []color.NRGBA {
	out := make([]color.NRGBA, pairs)
	one := color.NRGBA{uint8(60 + rng.IntN(150)), uint8(60 + rng.IntN(150)), uint8(60 + rng.IntN(150)), 255}
	for i := range out {
		switch palette {
		case "one colour":
			out[i] = one
		case "twins": // two pairs of each colour
			out[i] = ink(i / 2 % 4)
		case "near": // by steps that hardly can be told
			out[i] = color.NRGBA{one.R + uint8(4*(i%3)), one.G + uint8(4*(i/3%3)), one.B + uint8(4*(i/9)), 255}
		case "greys":
			v := uint8(95 + 90*i/pairs)
			out[i] = color.NRGBA{v, v, v, 255}
		default:
			out[i] = color.NRGBA{uint8(70 + 165*(i%2)), uint8(120 + 60*(i/2%3) - 100*(i%2)), uint8(60 + 90*((i+i/6)%3)), 255}
		}
	}
	return out
}

// begun is the part of each path that somebody drew: some of its cells, some whole.
func begun(t *testing.T, p *flow.Puzzle, rng *rand.Rand) [][]image.Point {
	t.Helper()
	answer := solvetest.Must(p.Solve(t.Context()))(t)
	var out [][]image.Point
	for _, stroke := range answer {
		var cells []image.Point
		for _, q := range stroke {
			cells = append(cells, image.Pt((q.X-1)/2, (q.Y-1)/2))
		}
		if n := 1 + rng.IntN(len(cells)); rng.IntN(3) > 0 {
			cells = cells[:n]
		}
		out = append(out, cells)
	}
	return out
}

// scanned is what the reader says of a page: the board's text, or why not.
func scanned(t *testing.T, m image.Image) (string, error) {
	t.Helper()
	scene := grid.NewScene(m)
	list := Scan(scene, grid.Contrasts()[0], nil)
	if len(list) != 1 {
		t.Fatalf("got %d boards, want one", len(list))
	}
	if list[0].Err != nil {
		return "", list[0].Err
	}
	return textOf(t, list[0].Puzzle), nil
}

func textOf(t *testing.T, p solve.Puzzle) string {
	t.Helper()
	text := solvetest.Must(p.MarshalText())(t)
	return string(text)
}

// pairOf tells of each stroke of an answer which pair it joins.
func pairOf(p *flow.Puzzle, cells []image.Point) int {
	for i, pair := range p.Pairs() {
		if pair[0] == cells[0] || pair[1] == cells[0] {
			return i
		}
	}
	return -1
}

// TestLetters reads boards whose ends have letters, as colour-blind modes draw them,
// in colours of their own, in the same and in nearly the same, with and without
// paths.
func TestLetters(t *testing.T) {
	for _, s := range styles() {
		for k, palette := range []string{"own", "one colour", "twins", "near", "greys"} {
			t.Run(s.name+"/"+palette, func(t *testing.T) {
				rng := rand.New(rand.NewPCG(uint64(k), uint64(s.cell)))
				p := flow.Family.Generate(rng, 5+rng.IntN(5), 5+rng.IntN(4)).(*flow.Puzzle)
				colours := inks(palette, rng, len(p.Pairs()))
				d := s.board(p)
				if k%2 == 1 {
					for _, cells := range begun(t, p, rng) {
						d.route(cells, colours[pairOf(p, cells)])
					}
				}
				for i, pair := range p.Pairs() {
					for _, c := range pair {
						d.end(t, c, colours[i], letter(i))
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

// TestLettersContradict reads boards where one end has another's letter: in other
// colours than its partner's, or one letter too many.
func TestLettersContradict(t *testing.T) {
	for _, s := range styles() {
		for _, palette := range []string{"own", "one colour"} {
			t.Run(s.name+"/"+palette, func(t *testing.T) {
				rng := rand.New(rand.NewPCG(9, uint64(s.cell)))
				p := flow.Family.Generate(rng, 7, 6).(*flow.Puzzle)
				colours := inks(palette, rng, len(p.Pairs()))
				d := s.board(p)
				for i, pair := range p.Pairs() {
					for k, c := range pair {
						word := letter(i)
						if i == 0 && k == 1 {
							word = letter(1)
						}
						d.end(t, c, colours[i], word)
					}
				}
				got, err := scanned(t, d.Image())
				var unsure *vision.UnsureError
				if !errors.As(err, &unsure) {
					t.Errorf("got %q, %v, want unsure", got, err)
				}
			})
		}
	}
}

const pitch = 60

// page is a black page for a board of lines.
func page() *gg.Context {
	c := gg.NewContext(520, 520)
	c.SetColor(color.Black)
	c.Clear()
	return c
}

func ink(pair int) color.NRGBA {
	return []color.NRGBA{{255, 0, 0, 255}, {0, 140, 0, 255}, {0, 0, 255, 255}, {235, 235, 0, 255}}[pair]
}

// stroke draws a line in a grey.
func stroke(c *gg.Context, width float64, grey uint8, x0, y0, x1, y1 float64) {
	c.SetColor(color.Gray{grey})
	c.SetLineWidth(width)
	c.DrawLine(x0, y0, x1, y1)
	c.Stroke()
}

// squares draws 5×5 cells with pairs of ends.
func squares(c *gg.Context, pairs [][2]image.Point) {
	for i := range 6 {
		at := 100 + pitch*float64(i)
		stroke(c, 2, 110, at, 100, at, 400)
		stroke(c, 2, 110, 100, at, 400, at)
	}
	for i, p := range pairs {
		for _, e := range p {
			c.SetColor(ink(i))
			c.DrawCircle(100+pitch*(float64(e.X)+0.5), 100+pitch*(float64(e.Y)+0.5), 0.34*pitch)
			c.Fill()
		}
	}
}

func read(t *testing.T, c *gg.Context) string {
	t.Helper()
	list := Scan(grid.NewScene(c.Image()), grid.Contrasts()[0], nil)
	if len(list) != 1 || list[0].Err != nil {
		t.Fatalf("got %v, want one board", list)
	}
	text := solvetest.Must(list[0].Puzzle.MarshalText())(t)
	return string(text)
}

// TestHexagons reads a board of hexagons with a hole.
func TestHexagons(t *testing.T) {
	c := page()
	b := flow.NewBuilder(flow.Hex, 4, 3)
	b.Hole(image.Pt(0, 2))
	pairs := [][2]image.Point{{{X: 0, Y: 0}, {X: 2, Y: 1}}, {{X: 1, Y: 0}, {X: 3, Y: 2}}}
	side := pitch / math.Sqrt(3)
	centre := func(p image.Point) (x, y float64) {
		return 120 + 1.5*side*float64(p.X), 140 + pitch*(float64(p.Y)-0.5*float64(p.X&1))
	}
	for col := range 4 {
		for row := range 3 {
			if p := image.Pt(col, row); p != image.Pt(0, 2) {
				x, y := centre(p)
				c.DrawRegularPolygon(6, x, y, side, 0)
				c.SetColor(color.Gray{120})
				c.SetLineWidth(2)
				c.Stroke()
			}
		}
	}
	for i, p := range pairs {
		b.Pair(p[0], p[1])
		for _, e := range p {
			x, y := centre(e)
			c.SetColor(ink(i))
			c.DrawCircle(x, y, 0.32*pitch)
			c.Fill()
		}
	}
	reads(t, c, b)
}

// TestBridge reads a bridge, drawn as two lanes, and a wall.
func TestBridge(t *testing.T) {
	c := page()
	pairs := [][2]image.Point{{{X: 0, Y: 2}, {X: 4, Y: 2}}, {{X: 2, Y: 0}, {X: 2, Y: 4}}, {{X: 0, Y: 0}, {X: 1, Y: 1}}}
	squares(c, pairs)
	for _, y := range []float64{0.3, 0.7} {
		stroke(c, 4, 220, 100+pitch*2.04, 100+pitch*(2+y), 100+pitch*2.96, 100+pitch*(2+y))
	}
	stroke(c, 8, 230, 100+pitch*3, 100+pitch*3, 100+pitch*3, 100+pitch*4)
	b := flow.NewBuilder(flow.Square, 5, 5).Bridge(image.Pt(2, 2)).Wall(image.Pt(2, 3), image.Pt(3, 3))
	for _, p := range pairs {
		b.Pair(p[0], p[1])
	}
	reads(t, c, b)
}

// TestWarp reads a board whose outline is open on both sides of one row.
func TestWarp(t *testing.T) {
	c := page()
	pairs := [][2]image.Point{{{X: 0, Y: 0}, {X: 3, Y: 4}}, {{X: 1, Y: 2}, {X: 3, Y: 2}}}
	squares(c, pairs)
	for i := range 5 {
		a, z := 100+pitch*float64(i), 100+pitch*float64(i+1)
		stroke(c, 8, 230, a, 100, z, 100)
		stroke(c, 8, 230, a, 400, z, 400)
		for _, x := range []float64{100, 400} {
			if i != 2 {
				stroke(c, 8, 230, x, a, x, z)
				continue
			}
			stroke(c, 6, 0, x, a+8, x, z-8)
			out := math.Copysign(30, x-250)
			stroke(c, 8, 230, x, a, x+out, a)
			stroke(c, 8, 230, x, z, x+out, z)
		}
	}
	b := flow.NewBuilder(flow.Square, 5, 5).Torus()
	for i := range 5 {
		b.Wall(image.Pt(i, 0), image.Pt(i, 4))
		if i != 2 {
			b.Wall(image.Pt(0, i), image.Pt(4, i))
		}
	}
	for _, p := range pairs {
		b.Pair(p[0], p[1])
	}
	reads(t, c, b)
}

// reads wants the board of a picture read as the builder has it.
func reads(t *testing.T, c *gg.Context, b *flow.Builder) {
	t.Helper()
	want := solvetest.Must(b.Puzzle())(t)
	text, _ := want.MarshalText()
	if got := read(t, c); got != string(text) {
		t.Errorf("got\n%swant\n%s", got, text)
	}
}
