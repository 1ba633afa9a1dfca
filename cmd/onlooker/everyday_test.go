package main

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/fogleman/gg"
	"github.com/golang/freetype/truetype"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"

	"onlooker/solve"
	"onlooker/solve/alcazar"
	"onlooker/solve/fans"
	"onlooker/solve/flow"
	"onlooker/solve/switches"
)

// A sketch is a page with a lattice on it, drawn at random.
type sketch struct {
	*gg.Context
	rng        *rand.Rand
	cols, rows int
	cell       float64
	x, y       float64 // of the lattice's corner
	page, ink  color.Color
	dark       bool
}

func grey(v int) color.Color { return color.Gray{uint8(max(0, min(255, v)))} }

// newSketch is an empty page with room for a lattice and for labels beside it.
func newSketch(rng *rand.Rand, cols, rows int) *sketch {
	s := &sketch{rng: rng, cols: cols, rows: rows}
	s.cell = math.Round(18 + 60*rng.Float64()*rng.Float64())
	s.x, s.y = math.Round(s.cell*(1.5+3*rng.Float64())), math.Round(s.cell*(1.5+2*rng.Float64()))
	w, h := int(s.x+float64(cols)*s.cell+s.cell*(1.5+2*rng.Float64())), int(s.y+float64(rows)*s.cell+s.cell*(1.5+2*rng.Float64()))
	s.Context = gg.NewContext(w, h)
	s.dark = rng.IntN(2) == 0
	s.page, s.ink = grey(255-rng.IntN(30)), grey(rng.IntN(90))
	if s.dark {
		s.page, s.ink = grey(rng.IntN(50)), grey(255-rng.IntN(80))
	}
	s.SetColor(s.page)
	s.Clear()
	return s
}

// hue is a clear colour.
func (s *sketch) hue(k, of int) color.Color {
	h := (float64(k) + 0.3*s.rng.Float64()) / float64(of) * 2 * math.Pi
	part := func(off float64) uint8 { return uint8(128 + 110*math.Cos(h+off)) }
	return color.RGBA{part(0), part(2.1), part(4.2), 255}
}

func (s *sketch) face(size float64, bold bool) font.Face {
	data := goregular.TTF
	if bold {
		data = gobold.TTF
	}
	f, err := truetype.Parse(data)
	if err != nil {
		panic(err) // the font comes with the test
	}
	return truetype.NewFace(f, &truetype.Options{Size: size})
}

// words writes a text in the middle of a place in cell units.
func (s *sketch) words(ink color.Color, text string, x, y, high float64) {
	s.SetColor(ink)
	s.SetFontFace(s.face(high*s.cell, s.rng.IntN(2) == 0))
	s.DrawStringAnchored(text, s.x+x*s.cell, s.y+y*s.cell, 0.5, 0.35)
}

// block is a rectangle in cell units, box one within a cell, disc a circle.
func (s *sketch) block(ink color.Color, x, y, w, h, round float64) {
	s.DrawRoundedRectangle(s.x+x*s.cell, s.y+y*s.cell, w*s.cell, h*s.cell, round*s.cell)
	s.SetColor(ink)
	s.Fill()
}

func (s *sketch) box(ink color.Color, c, r int, inset, round float64) {
	s.block(ink, float64(c)+inset, float64(r)+inset, 1-2*inset, 1-2*inset, round)
}

func (s *sketch) disc(ink color.Color, x, y, radius float64) {
	s.DrawCircle(s.x+x*s.cell, s.y+y*s.cell, radius*s.cell)
	s.SetColor(ink)
	s.Fill()
}

// line draws from one node to another, some pixels wide.
func (s *sketch) line(ink color.Color, x0, y0, x1, y1, wide float64) {
	s.SetColor(ink)
	s.SetLineWidth(wide)
	s.DrawLine(s.x+x0*s.cell, s.y+y0*s.cell, s.x+x1*s.cell, s.y+y1*s.cell)
	s.Stroke()
}

// lines draws a lattice's lines.
func (s *sketch) lines(ink color.Color, wide float64) {
	for c := 0; c <= s.cols; c++ {
		s.line(ink, float64(c), 0, float64(c), float64(s.rows), wide)
	}
	for r := 0; r <= s.rows; r++ {
		s.line(ink, 0, float64(r), float64(s.cols), float64(r), wide)
	}
}

func (s *sketch) picture() *image.RGBA { return s.Image().(*image.RGBA) }

// outline is where the lattice is.
func (s *sketch) outline() image.Rectangle {
	return image.Rect(int(s.x), int(s.y), int(s.x+s.cell*float64(s.cols)), int(s.y+s.cell*float64(s.rows)))
}

// faint is a colour between the page's and the ink's.
func (s *sketch) faint() color.Color {
	a, b := color.GrayModel.Convert(s.page).(color.Gray).Y, color.GrayModel.Convert(s.ink).(color.Gray).Y
	f := 0.15 + 0.4*s.rng.Float64()
	return grey(int(float64(a)*(1-f) + float64(b)*f))
}

// title writes above the lattice, and buttons below, as pages have them.
func (s *sketch) title() {
	if s.rng.IntN(2) == 0 {
		s.words(s.ink, []string{"level 12", "Moves: 4", "A game", "5×5"}[s.rng.IntN(4)], float64(s.cols)/2, -0.8, 0.3+0.2*s.rng.Float64())
	}
	if s.rng.IntN(3) == 0 {
		s.words(s.ink, "new   undo   hint", float64(s.cols)/2, float64(s.rows)+0.7, 0.3)
	}
}

// drawnBoard is a board as one of many pages may draw it, and where.
func drawnBoard(family string, rng *rand.Rand) (*image.RGBA, image.Rectangle, solve.Puzzle) {
	switch family {
	case "flow":
		return drawnPairs(rng)
	case "switches":
		return drawnLamps(rng)
	case "alcazar":
		return drawnRooms(rng)
	case "fans":
		return drawnFans(rng)
	}
	return nil, image.Rectangle{}, nil
}

func drawnPairs(rng *rand.Rand) (*image.RGBA, image.Rectangle, solve.Puzzle) {
	cols := 4 + rng.IntN(7)
	p := flow.Family.Generate(rng, cols, max(4, cols+rng.IntN(3)-1)).(*flow.Puzzle)
	c, r := p.Size()
	s := newSketch(rng, c, r)
	numbers := rng.IntN(3) == 0
	s.title()
	faint := s.faint()
	if numbers || rng.IntN(2) == 0 {
		s.lines(faint, math.Round(1+s.cell/40*rng.Float64()))
	} else {
		for i := range c * r {
			s.box(faint, i%c, i/c, 0.04, 0)
		}
	}
	radius := 0.25 + 0.13*rng.Float64()
	for k, e := range p.Pairs() {
		for _, at := range e {
			x, y := float64(at.X)+0.5, float64(at.Y)+0.5
			if numbers {
				s.words(s.ink, fmt.Sprint(k+1), x, y, 0.5)
				continue
			}
			s.disc(hueOf(k), x, y, radius)
		}
	}
	return s.picture(), s.outline(), p
}

// hueOf is one of a dozen clear colours that games give their pairs.
func hueOf(k int) color.Color {
	list := []color.RGBA{{230, 30, 30, 255}, {30, 60, 240, 255}, {20, 160, 40, 255}, {235, 220, 20, 255}, {240, 130, 10, 255}, {20, 220, 230, 255},
		{240, 20, 220, 255}, {130, 40, 40, 255}, {120, 30, 140, 255}, {150, 110, 60, 255}, {120, 240, 130, 255}, {190, 180, 110, 255}, {20, 20, 110, 255}, {10, 110, 110, 255}, {250, 160, 190, 255}}
	return list[k%len(list)]
}

func drawnLamps(rng *rand.Rand) (*image.RGBA, image.Rectangle, solve.Puzzle) {
	cols := 3 + rng.IntN(8)
	rows := cols
	if rng.IntN(4) == 0 {
		rows = 3 + rng.IntN(8)
	}
	p := switches.Family.Generate(rng, cols, rows).(*switches.Puzzle)
	s := newSketch(rng, cols, rows)
	s.title()
	off, on := grey(40+rng.IntN(60)), color.Color(color.RGBA{250, uint8(190 + rng.IntN(60)), uint8(40 + rng.IntN(160)), 255})
	if !s.dark && rng.IntN(2) == 0 {
		off, on = color.RGBA{60, 70, 120, 255}, color.RGBA{255, 255, 120, 255}
	}
	gap := 0.03 + 0.1*rng.Float64()
	round := rng.IntN(3)
	for i, n := range p.Spec().Nodes {
		ink, c, r := off, i%cols, i/cols
		if n.Now == 1 {
			ink = on
		}
		switch round {
		case 0:
			s.box(ink, c, r, gap, 0)
		case 1:
			s.box(ink, c, r, gap, 0.15)
		default:
			s.disc(ink, float64(c)+0.5, float64(r)+0.5, 0.5-gap)
		}
	}
	return s.picture(), s.outline(), p
}

func drawnRooms(rng *rand.Rand) (*image.RGBA, image.Rectangle, solve.Puzzle) {
	cols := 3 + rng.IntN(6)
	p := alcazar.Family.Generate(rng, cols, max(3, cols+rng.IntN(3)-1)).(*alcazar.Puzzle)
	c, r := p.Size()
	s := newSketch(rng, c, r)
	s.title()
	if rng.IntN(2) == 0 {
		s.lines(s.faint(), 1)
	} else {
		for i := range c * r {
			s.box(grey(200+30*((i%c+i/c)%2)), i%c, i/c, 0, 0)
		}
		s.ink = grey(rng.IntN(40))
	}
	wide := max(3, math.Round(s.cell*(0.06+0.08*rng.Float64())))
	s.SetLineCap(gg.LineCapSquare)
	for y := 0; y <= 2*r; y++ {
		for x := 0; x <= 2*c; x++ {
			if at := image.Pt(x, y); x%2 != y%2 && !p.Open(at) {
				u, v := float64(x)/2, float64(y)/2
				if x%2 == 0 {
					s.line(s.ink, u, v-0.5, u, v+0.5, wide)
				} else {
					s.line(s.ink, u-0.5, v, u+0.5, v, wide)
				}
			}
		}
	}
	return s.picture(), s.outline(), p
}

func drawnFans(rng *rand.Rand) (*image.RGBA, image.Rectangle, solve.Puzzle) {
	var p *fans.Puzzle
	var text []byte
	for !strings.Contains(string(text), "T") { // cells without a mark are turbines where there are no others
		p = fans.Family.Generate(rng, 3+rng.IntN(8), 3+rng.IntN(8)).(*fans.Puzzle)
		var err error
		if text, err = p.MarshalText(); err != nil {
			panic(err) // generated boards have a text
		}
	}
	rows := strings.Fields(string(text))
	s := newSketch(rng, len(rows[0]), len(rows))
	s.title()
	s.lines(s.faint(), math.Round(1+s.cell/40))
	s.SetColor(s.ink)
	high := 0.4 + 0.25*rng.Float64()
	s.SetFontFace(s.face(high*s.cell, rng.IntN(2) == 0))
	for y, row := range rows {
		for x, c := range row {
			if c != '.' {
				s.DrawStringAnchored(string(c), s.x+(float64(x)+0.5)*s.cell, s.y+(float64(y)+0.5)*s.cell, 0.5, 0.35)
			}
		}
	}
	return s.picture(), s.outline(), p
}

// everydays are the kinds of everyday pictures without a puzzle of ours.
func everydays() map[string]func(*rand.Rand) *image.RGBA {
	return map[string]func(*rand.Rand) *image.RGBA{
		"nonogram": drawnNonogram, "availability": drawnTimes, "sequencer": drawnSequencer, "chart": drawnBars, "scatter": drawnScatter,
		"sudoku": drawnSudoku, "minesweeper": drawnMines, "crossword": drawnCrossword, "heat map": drawnHeat, "calendar": drawnCalendar,
		"checkerboard": drawnChecks, "game of discs": drawnDiscs, "table": drawnTable, "galaxies": drawnGalaxies, "icons": drawnIcons, "2048": drawn2048,
		"card": drawnCard, "card too": drawnCard, "window": drawnWindow, "notes": drawnNotes, "notes too": drawnNotes, "tile buttons": drawnButtons, "pixels": drawnPixels,
	}
}

// filledCells fills some cells of a lattice with a colour.
func (s *sketch) filledCells(share float64, ink color.Color, inset float64) {
	for i := range s.cols * s.rows {
		if s.rng.Float64() < share {
			s.box(ink, i%s.cols, i/s.cols, inset, 0)
		}
	}
}

// drawnThumbnails is a page with words and a few little pictures of two colours, as logos
// and lists of games have them.
func drawnThumbnails(rng *rand.Rand) *image.RGBA {
	s := newSketch(rng, 20+rng.IntN(20), 12+rng.IntN(20))
	for k := range 1 + rng.IntN(6) {
		n := 3 + rng.IntN(4)
		t := *s
		t.cols, t.rows, t.cell = n, n, math.Round(8+20*rng.Float64())
		t.x += math.Round(8 * s.cell * float64(k%3))
		t.y += math.Round(6 * s.cell * float64(k/3))
		t.block(grey(200+rng.IntN(56)), 0, 0, float64(n), float64(n), 0)
		t.filledCells(0.3+0.4*rng.Float64(), []color.Color{grey(rng.IntN(60)), t.hue(rng.IntN(6), 6)}[rng.IntN(2)], 0.1*rng.Float64())
		if rng.IntN(2) == 0 {
			t.lines(grey(rng.IntN(160)), 1)
		}
		s.SetColor(s.ink)
		s.SetFontFace(s.face(0.4*s.cell, false))
		s.DrawString("a game of lamps", t.x, t.y+float64(n)*t.cell+0.6*s.cell)
	}
	return s.picture()
}

// drawnLogo is a mark of a few flat squares, as files of programs have beside their pictures: it
// fills the picture, or stands on a card of it.
func drawnLogo(rng *rand.Rand) *image.RGBA {
	n := []int{2, 3, 3, 4}[rng.IntN(4)]
	side := []int{64, 128, 192, 256, 512}[rng.IntN(5)]
	wide := side * (1 + rng.IntN(2))
	s := &sketch{Context: gg.NewContext(wide, side), rng: rng, cols: n, rows: n}
	s.SetColor([]color.Color{color.White, grey(rng.IntN(50)), s.hue(rng.IntN(6), 6)}[rng.IntN(3)])
	s.Clear()
	s.cell = math.Round(float64(side) * (0.5 + 0.5*rng.Float64()) / float64(n))
	s.x, s.y = math.Round((float64(wide)-s.cell*float64(n))/2), math.Round((float64(side)-s.cell*float64(n))/2)
	inks := []color.Color{s.hue(0, 3), s.hue(1, 3), grey(rng.IntN(80))}[rng.IntN(3):]
	off := []color.Color{color.White, grey(100 + rng.IntN(120))}[rng.IntN(2)]
	gap, round := 0.12*rng.Float64()*float64(rng.IntN(2)), 0.2*float64(rng.IntN(2))
	for i := range n * n {
		ink := inks[rng.IntN(len(inks))]
		if rng.IntN(2) == 0 {
			ink = off
		}
		s.box(ink, i%n, i/n, gap, round)
	}
	return s.picture()
}

func drawnNonogram(rng *rand.Rand) *image.RGBA {
	n := []int{3, 5, 5, 8, 10, 10, 15}[rng.IntN(7)]
	s := newSketch(rng, n, n)
	s.filledCells(0.3+0.4*rng.Float64(), s.ink, 0.05*rng.Float64())
	s.lines(s.faint(), 1)
	for k := range n {
		s.words(s.ink, fmt.Sprint(1+rng.IntN(n)), -0.45, float64(k)+0.5, 0.4)
		s.words(s.ink, fmt.Sprint(1+rng.IntN(n)), float64(k)+0.5, -0.45, 0.4)
		if rng.IntN(2) == 0 {
			s.words(s.ink, fmt.Sprint(1+rng.IntN(3)), float64(k)+0.5, -0.95, 0.4)
		}
	}
	return s.picture()
}

func drawnTimes(rng *rand.Rand) *image.RGBA {
	s := newSketch(rng, 5+rng.IntN(3), 4+rng.IntN(8))
	s.filledCells(0.4, s.hue(rng.IntN(6), 6), 0)
	s.lines(s.faint(), 1)
	for c := range s.cols {
		s.words(s.ink, []string{"Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"}[c], float64(c)+0.5, -0.4, 0.35)
	}
	for r := range s.rows {
		s.words(s.ink, fmt.Sprint(8+r), -0.4, float64(r)+0.5, 0.35)
	}
	return s.picture()
}

func drawnSequencer(rng *rand.Rand) *image.RGBA {
	s := newSketch(rng, 8, 4+rng.IntN(4))
	off, on := s.faint(), s.hue(rng.IntN(6), 6)
	for i := range s.cols * s.rows {
		ink := off
		if rng.Float64() < 0.2 {
			ink = on
		}
		s.box(ink, i%s.cols, i/s.cols, 0.08, 0.1)
	}
	for r := range s.rows {
		s.words(s.ink, []string{"kick", "clap", "hat", "tom", "ride", "rim", "bell", "cow"}[r], -0.6, float64(r)+0.5, 0.3)
	}
	return s.picture()
}

func drawnBars(rng *rand.Rand) *image.RGBA {
	s := newSketch(rng, 4+rng.IntN(6), 4+rng.IntN(6))
	s.lines(s.faint(), 1)
	ink := s.hue(rng.IntN(6), 6)
	inset := []float64{0, 0.02, 0.15, 0.3}[rng.IntN(4)]
	for c := range s.cols {
		if rng.IntN(2) == 0 {
			high := float64(s.rows) * rng.Float64()
			if rng.IntN(2) == 0 {
				high = math.Round(high)
			}
			s.block(ink, float64(c)+inset, float64(s.rows)-high, 1-2*inset, high, 0)
		}
	}
	if rng.IntN(2) == 0 {
		s.lines(s.faint(), 1)
	}
	if rng.IntN(3) > 0 {
		for r := range s.rows + 1 {
			s.words(s.ink, fmt.Sprint(10*(s.rows-r)), -0.4, float64(r), 0.25)
		}
		for c := range s.cols {
			s.words(s.ink, fmt.Sprint(c), float64(c)+0.5*float64(rng.IntN(2)), float64(s.rows)+0.35, 0.25)
		}
	}
	return s.picture()
}

func drawnScatter(rng *rand.Rand) *image.RGBA {
	s := newSketch(rng, 3+rng.IntN(6), 3+rng.IntN(6))
	s.lines(s.faint(), 1)
	for range 1 + rng.IntN(8) {
		ink, x, y := s.hue(rng.IntN(3), 3), float64(s.cols)*rng.Float64(), float64(s.rows)*rng.Float64()
		if rng.IntN(2) == 0 {
			x, y = math.Round(2*x)/2, math.Round(2*y)/2
		}
		s.disc(ink, x, y, 0.06+0.1*rng.Float64())
	}
	if rng.IntN(2) == 0 {
		for r := range s.rows + 1 {
			s.words(s.ink, fmt.Sprint(10*(s.rows-r)), -0.4, float64(r), 0.25)
		}
	}
	return s.picture()
}

func drawnSudoku(rng *rand.Rand) *image.RGBA {
	n := []int{4, 6, 9, 9}[rng.IntN(4)]
	s := newSketch(rng, n, n)
	s.lines(s.ink, 1)
	wide := max(2, math.Round(s.cell/12))
	for k := 0; k <= n; k += []int{3, 2}[min(1, n%3+n%2*0)] {
		s.line(s.ink, float64(k), 0, float64(k), float64(n), wide)
		s.line(s.ink, 0, float64(k), float64(n), float64(k), wide)
	}
	for i := range n * n {
		if rng.IntN(3) == 0 {
			s.words(s.ink, fmt.Sprint(1+rng.IntN(n)), float64(i%n)+0.5, float64(i/n)+0.5, 0.55)
		}
	}
	return s.picture()
}

func drawnMines(rng *rand.Rand) *image.RGBA {
	s := newSketch(rng, 6+rng.IntN(6), 6+rng.IntN(6))
	for i := range s.cols * s.rows {
		ink := s.faint()
		if rng.IntN(2) == 0 {
			ink = grey(170)
		}
		s.box(ink, i%s.cols, i/s.cols, 0.03, 0)
		if rng.IntN(3) == 0 {
			k := 1 + rng.IntN(4)
			s.words(hueOf(k), fmt.Sprint(k), float64(i%s.cols)+0.5, float64(i/s.cols)+0.5, 0.6)
		}
	}
	return s.picture()
}

func drawnCrossword(rng *rand.Rand) *image.RGBA {
	n := 5 + rng.IntN(10)
	s := newSketch(rng, n, n)
	s.block(grey(255), 0, 0, float64(n), float64(n), 0)
	s.filledCells(0.2, grey(0), 0)
	s.lines(grey(0), 1)
	for i := range n * n {
		if rng.IntN(5) == 0 {
			s.words(grey(0), fmt.Sprint(1+i/5), float64(i%n)+0.2, float64(i/n)+0.2, 0.28)
		}
		if rng.IntN(6) == 0 {
			s.words(grey(0), string(rune('A'+rng.IntN(26))), float64(i%n)+0.5, float64(i/n)+0.55, 0.6)
		}
	}
	return s.picture()
}

func drawnHeat(rng *rand.Rand) *image.RGBA {
	s := newSketch(rng, 5+rng.IntN(20), 4+rng.IntN(6))
	steps := 2 + rng.IntN(5)
	inset := []float64{0, 0.03, 0.1}[rng.IntN(3)]
	for i := range s.cols * s.rows {
		f := float64(rng.IntN(steps)) / float64(steps-1)
		s.box(color.RGBA{uint8(235 - 200*f), uint8(237 - 90*f), uint8(240 - 180*f), 255}, i%s.cols, i/s.cols, inset, 0)
	}
	if rng.IntN(2) == 0 {
		for r := 0; r < s.rows; r += 2 {
			s.words(s.ink, []string{"Mon", "Wed", "Fri"}[r/2%3], -0.6, float64(r)+0.5, 0.35)
		}
	}
	return s.picture()
}

func drawnCalendar(rng *rand.Rand) *image.RGBA {
	s := newSketch(rng, 7, 5)
	s.lines(s.faint(), 1)
	s.filledCells(0.08, s.hue(rng.IntN(6), 6), 0.02)
	at := []float64{0.2, 0.5}[rng.IntN(2)]
	for i := range 31 {
		s.words(s.ink, fmt.Sprint(i+1), float64(i%7)+at, float64(i/7)+at, 0.3)
	}
	for c, d := range strings.Fields("Mo Tu We Th Fr Sa Su") {
		s.words(s.ink, d, float64(c)+0.5, -0.4, 0.3)
	}
	return s.picture()
}

func drawnChecks(rng *rand.Rand) *image.RGBA {
	s := newSketch(rng, 8+rng.IntN(24), 8+rng.IntN(14))
	for i := range s.cols * s.rows {
		s.box(grey(240+15*((i%s.cols+i/s.cols)%2)), i%s.cols, i/s.cols, 0, 0)
	}
	ink, w, h := s.hue(rng.IntN(6), 6), float64(s.cols)*(0.3+0.7*rng.Float64()), float64(s.rows)*0.4*rng.Float64()
	s.block(ink, 0, 0, w, h, 0)
	return s.picture()
}

func drawnDiscs(rng *rand.Rand) *image.RGBA {
	s := newSketch(rng, 6+rng.IntN(3), 6+rng.IntN(3))
	s.block([]color.Color{color.RGBA{20, 110, 50, 255}, color.RGBA{30, 60, 160, 255}, color.RGBA{200, 160, 90, 255}}[rng.IntN(3)], 0, 0, float64(s.cols), float64(s.rows), 0)
	s.lines(grey(0), 1)
	off := 0.5 * float64(rng.IntN(2))
	for i := range s.cols * s.rows {
		if rng.IntN(3) == 0 {
			s.disc(grey(250*rng.IntN(2)), float64(i%s.cols)+off, float64(i/s.cols)+off, 0.4)
		}
	}
	return s.picture()
}

func drawnTable(rng *rand.Rand) *image.RGBA {
	s := newSketch(rng, 3+rng.IntN(4), 4+rng.IntN(8))
	faint := s.faint()
	for r := 0; r < s.rows; r += 2 {
		s.block(faint, 0, float64(r), float64(s.cols), 1, 0)
	}
	if rng.IntN(2) == 0 {
		s.lines(faint, 1)
	}
	for i := range s.cols * s.rows {
		if rng.IntN(5) > 0 {
			s.words(s.ink, []string{"yes", "no", "12", "3.4", "n/a", "total", "F", "T"}[rng.IntN(8)], float64(i%s.cols)+0.5, float64(i/s.cols)+0.5, 0.35)
		}
	}
	return s.picture()
}

func drawnGalaxies(rng *rand.Rand) *image.RGBA {
	s := newSketch(rng, 5+rng.IntN(3), 5+rng.IntN(3))
	s.filledCells(0.2, grey(255), 0)
	s.lines(s.faint(), 1)
	wide := max(3, math.Round(s.cell/10))
	s.line(s.ink, 0, 0, float64(s.cols), 0, wide)
	s.line(s.ink, 0, float64(s.rows), float64(s.cols), float64(s.rows), wide)
	s.line(s.ink, 0, 0, 0, float64(s.rows), wide)
	s.line(s.ink, float64(s.cols), 0, float64(s.cols), float64(s.rows), wide)
	for range rng.IntN(8) {
		x, y := float64(rng.IntN(s.cols)), float64(rng.IntN(s.rows))
		if rng.IntN(2) == 0 {
			s.line(s.ink, x, y, x+1, y, wide)
		} else {
			s.line(s.ink, x, y, x, y+1, wide)
		}
	}
	for range 2 + rng.IntN(6) {
		x, y := 1+float64(rng.IntN(2*s.cols-2))/2, 1+float64(rng.IntN(2*s.rows-2))/2
		s.disc(s.ink, x, y, 0.15)
		s.disc(grey(250*rng.IntN(2)), x, y, 0.12)
	}
	return s.picture()
}

func drawnIcons(rng *rand.Rand) *image.RGBA {
	s := newSketch(rng, 3+rng.IntN(3), 3+rng.IntN(3))
	for i := range s.cols * s.rows {
		s.block(s.hue(rng.IntN(6), 6), float64(i%s.cols)+0.18, float64(i/s.cols)+0.1, 0.64, 0.64, 0.15)
		s.words(s.ink, []string{"Mail", "Maps", "Notes", "Files"}[rng.IntN(4)], float64(i%s.cols)+0.5, float64(i/s.cols)+0.88, 0.16)
	}
	return s.picture()
}

func drawn2048(rng *rand.Rand) *image.RGBA {
	s := newSketch(rng, 4, 4)
	for i := range 16 {
		k := rng.IntN(6)
		s.box(color.RGBA{uint8(205 + 8*k), uint8(193 - 15*k), uint8(180 - 25*k), 255}, i%4, i/4, 0.06, 0)
		if k > 0 {
			s.words(color.RGBA{119, 110, 101, 255}, fmt.Sprint(1<<k), float64(i%4)+0.5, float64(i/4)+0.5, 0.45)
		}
	}
	return s.picture()
}

func drawnButtons(rng *rand.Rand) *image.RGBA {
	s := newSketch(rng, 3+rng.IntN(3), 3+rng.IntN(3))
	off := s.faint()
	signs := []string{"+", "x", "o", "A", "B", "=", "7"}
	for i := range s.cols * s.rows {
		s.box(off, i%s.cols, i/s.cols, 0.1, 0)
		if rng.IntN(3) == 0 {
			s.words(s.ink, strings.Repeat(signs[rng.IntN(len(signs))], 1+rng.IntN(2)), float64(i%s.cols)+0.5, float64(i/s.cols)+0.5, 0.3)
		}
	}
	return s.picture()
}

// drawnCard is a card or a bubble with a tab, and words on some.
func drawnCard(rng *rand.Rand) *image.RGBA {
	s := newSketch(rng, 3+rng.IntN(5), 3+rng.IntN(4))
	ink, w, h := s.hue(rng.IntN(6), 6), float64(s.cols), float64(s.rows)
	s.block(ink, 0, 0, w, h, 0.4*float64(rng.IntN(2)))
	long, edge := 0.5+rng.Float64(), 2/s.cell
	switch rng.IntN(3) {
	case 0:
		s.block(ink, w-long, h-edge, long, long, 0)
	case 1:
		s.block(ink, w*0.4, h-edge, w*0.3, long, 0)
	default:
		s.block(ink, w-edge, 0, long, long, 0)
	}
	if rng.IntN(2) == 0 {
		s.words(s.page, "Buy now", float64(s.cols)/2, float64(s.rows)/2, 0.5)
	}
	return s.picture()
}

// drawnWindow is panes in frames, with a round knob on some.
func drawnWindow(rng *rand.Rand) *image.RGBA {
	s := newSketch(rng, 1+rng.IntN(3), 1+rng.IntN(3))
	s.cell *= 1.3
	ink, wide := s.hue(rng.IntN(6), 6), 0.08+0.1*rng.Float64()
	s.lines(ink, s.cell*wide)
	for range rng.IntN(3) {
		s.disc(ink, float64(rng.IntN(s.cols+1)), float64(rng.IntN(s.rows+1)), 0.1+0.1*rng.Float64())
	}
	if rng.IntN(2) == 0 {
		s.block(ink, float64(s.cols), -wide/2, 0.3, wide, 0)
	}
	return s.picture()
}

// drawnNotes is a lattice with few characters in its cells, some twice.
func drawnNotes(rng *rand.Rand) *image.RGBA {
	s := newSketch(rng, 3+rng.IntN(5), 3+rng.IntN(5))
	faint := s.faint()
	if rng.IntN(2) == 0 {
		s.lines(faint, 1)
	} else {
		for i := range s.cols * s.rows {
			s.box(faint, i%s.cols, i/s.cols, 0.07, 0)
		}
	}
	signs := []string{"7", "x", "A", "4", "B", "ok", "#", "*"}
	for k := range 1 + rng.IntN(4) {
		for range 1 + rng.IntN(3) {
			s.words(s.ink, signs[k], float64(rng.IntN(s.cols))+0.5, float64(rng.IntN(s.rows))+0.5, 0.4)
		}
	}
	return s.picture()
}

// drawnPixels is a drawing of large pixels, or a field of a cellular automaton.
func drawnPixels(rng *rand.Rand) *image.RGBA {
	s := newSketch(rng, 8+rng.IntN(20), 8+rng.IntN(16))
	s.filledCells(0.15+0.4*rng.Float64(), s.ink, 0)
	s.lines(s.faint(), 1)
	return s.picture()
}
