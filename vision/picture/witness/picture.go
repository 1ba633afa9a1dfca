// Package witness draws panels of The Witness, and is where the shape of each
// of their symbols is defined: the reader renders its templates from the same.
package witness

import (
	"image"
	"image/color"
	"math"
	"strconv"
	"strings"

	"golang.org/x/image/colornames"

	"onlooker/calibrations"
	"onlooker/solve"
	witness "onlooker/solve/witness/board"
	"onlooker/vision/picture"
)

// A Style is one way to draw panels: the lengths are ratios of the pitch
// unless they say something else, as in a calibration profile, and the colours
// are free.
type Style struct {
	Line   float64 // width of a line
	Gap    float64 // length of the break in a broken edge
	Start  float64 // radius of a start circle, in line widths
	Cap    float64 // from an end's node to the tip of its cap, in line widths
	Margin float64 // of the ground round the outermost lines
	Border float64 // of the surroundings round the ground

	Symbols Sizes

	Ground, Lines, Around color.NRGBA
	// Trace and Second are the colours of the answer and of its symmetric
	// partner.
	Trace, Second color.NRGBA
	// Dot is the colour of a plain dot.
	Dot color.NRGBA
	// Inks says how a named colour is drawn; other names are looked up as web
	// colours.
	Inks map[witness.Colour]color.NRGBA
	// Forms are those of the symbols; nil: Known.
	Forms Forms
	// Legible panels are for people: what hardly stands off its ground is outlined,
	// and the answer ends in an arrowhead. Games do neither.
	Legible bool
}

// Typical is the style in the middle of a profile's ranges, in colours like
// those of the game's column panels.
func Typical(p *calibrations.Profile) Style {
	middle := func(r calibrations.Range, seen float64) float64 { return max(r[0], min(r[1], seen)) }
	return Style{
		// Line .22, cap 1.9, gap .25, start 1.25: the column's 4x4 panels,
		// where a profile allows these.
		Line: middle(p.Board.Line, 0.22), Gap: middle(p.Board.Gap, 0.25),
		Start: middle(p.Board.Start, 1.25), Cap: middle(p.Board.Cap, 1.9),
		Margin: 0.5, Border: 0.15,
		Symbols: SizesOf(p.Symbols), Forms: FormsOf(p),
		Ground: rgb(24, 150, 96), Lines: rgb(36, 52, 48), Around: rgb(96, 84, 48),
		Trace: rgb(255, 255, 255), Second: rgb(255, 200, 60), Dot: rgb(10, 12, 12),
		Inks: map[witness.Colour]color.NRGBA{
			witness.Black: rgb(12, 14, 16), witness.White: rgb(232, 232, 232),
			witness.Green: rgb(110, 230, 60), witness.Blue: rgb(60, 60, 235),
			witness.Magenta: rgb(216, 60, 216), witness.Yellow: rgb(230, 220, 50),
		},
	}
}

func rgb(r, g, b uint8) color.NRGBA { return color.NRGBA{r, g, b, 255} }

// Ink is the colour that a name stands for; names that nobody knows are grey.
func (s *Style) Ink(name witness.Colour) color.NRGBA {
	if c, ok := s.Inks[name]; ok {
		return c
	}
	n := strings.ToLower(string(name))
	if strings.HasPrefix(n, "#") {
		if len(n) == 4 {
			n = "#" + strings.Repeat(n[1:2], 2) + strings.Repeat(n[2:3], 2) + strings.Repeat(n[3:4], 2)
		}
		if v, err := strconv.ParseUint(n[1:], 16, 32); err == nil && len(n) == 7 {
			return rgb(uint8(v>>16), uint8(v>>8), uint8(v))
		}
	}
	if c, ok := colornames.Map[n]; ok {
		return rgb(c.R, c.G, c.B)
	}
	return rgb(128, 128, 128)
}

// Picture is a panel with its answer drawn in it, in the sizes of the profile
// witness-challenge. Without an answer it is the bare panel. A pillar is
// unwrapped, with its first column of nodes again at the right, and lines
// running out at both seams.
func Picture(puzzle solve.Puzzle, answer solve.Solution) []picture.Shape {
	panel := witness.Of(puzzle)
	if panel == nil {
		return nil
	}
	profile, err := calibrations.Load("witness-challenge")
	if err != nil {
		return nil
	}
	style := Typical(profile)
	return Shapes(panel, answer, style.legible(panel))
}

// Draw draws a panel the way a game of this style shows it, without an answer,
// pixelsPerCell pixels from node to node. The top left node's place is that of
// the half-cell (0, 0), see picture.Extent of Shapes.
func Draw(panel *witness.Panel, style Style, pixelsPerCell float64) *image.RGBA {
	return picture.Image(Shapes(panel, nil, style), pixelsPerCell/2)
}

// Shapes is the panel in a style, and the answer in it if there is one.
func Shapes(panel *witness.Panel, answer solve.Solution, style Style) []picture.Shape {
	d := drawing{panel: panel, style: style}
	d.ground()
	for at := range panel.Points() {
		d.lines(at)
	}
	d.seam()
	for at := range panel.Points() {
		d.ends(at)
	}
	for _, stroke := range answer {
		d.answer(stroke)
	}
	for at := range panel.Points() {
		d.spot(at)
	}
	return d.Shapes
}

type drawing struct {
	picture.Drawing
	panel *witness.Panel
	style Style
}

func pt(p image.Point) picture.Point { return picture.Point{X: float64(p.X), Y: float64(p.Y)} }

// twice yields where a spot is drawn: on a pillar the seam's twice.
func (d *drawing) twice(at image.Point) []picture.Point {
	if d.panel.Pillar && at.X == 0 {
		return []picture.Point{pt(at), pt(at.Add(image.Pt(2*d.panel.Cols, 0)))}
	}
	return []picture.Point{pt(at)}
}

func (d *drawing) ground() {
	m := 2 * d.style.Margin
	for at := range d.panel.Points() {
		if s := d.panel.At(at); s.IsEnd() {
			// 2.4: the tip, half a line, and a little ground beyond it.
			m = max(m, 2*d.style.Line*(d.style.Cap+0.9))
		}
	}
	w, h := float64(2*d.panel.Cols), float64(2*d.panel.Rows)
	if b := 2 * d.style.Border; b > 0 {
		d.Polygon(d.style.Around, picture.Box(-m-b, -m-b, w+m+b, h+m+b)...)
	}
	d.Add(picture.Shape{Kind: picture.Polygon, Colour: d.style.Ground, Points: picture.Box(-m, -m, w+m, h+m)})
}

// lines draws an edge. Each half of it is rounded at its node, so that corners
// are, and cut straight at a break.
func (d *drawing) lines(at image.Point) {
	s := d.panel.At(at)
	if !witness.IsEdge(at) || s.Gap == witness.Missing {
		return
	}
	step := image.Pt(at.X&1, at.Y&1) // along the edge
	reach := 0.0
	if s.Gap == witness.Broken {
		reach = d.style.Gap // half of the gap, in half-cells
	}
	w := 2 * d.style.Line
	for _, c := range d.twice(at) {
		for _, side := range []float64{-1, 1} {
			node := picture.Point{X: c.X + side*float64(step.X), Y: c.Y + side*float64(step.Y)}
			stop := picture.Point{X: c.X + side*reach*float64(step.X), Y: c.Y + side*reach*float64(step.Y)}
			if s.Gap == witness.Whole {
				// In one piece: two that meet between pixels leave a seam.
				stop = picture.Point{X: c.X - side*float64(step.X), Y: c.Y - side*float64(step.Y)}
			}
			if s.Gap != witness.Whole || side < 0 {
				d.Add(picture.Shape{Kind: picture.Line, Colour: d.style.Lines, Width: w, Points: []picture.Point{node, stop}})
			}
			d.Disc(d.style.Lines, node, w)
		}
	}
}

// seam marks where a pillar was cut open: every line that crosses the seam
// runs out on both sides, and the panel's sides are marked.
func (d *drawing) seam() {
	if !d.panel.Pillar {
		return
	}
	right := float64(2 * d.panel.Cols)
	for y := 0; y < d.panel.Height(); y += 2 {
		for k, from := range []float64{right, -2 * d.style.Margin} {
			if d.panel.At(image.Pt(1-2*k, y)).Gap != witness.Missing {
				d.Add(picture.Shape{Kind: picture.Line, Colour: d.style.Lines, Width: 2 * d.style.Line,
					Points: []picture.Point{{X: from, Y: float64(y)}, {X: from + 2*d.style.Margin, Y: float64(y)}}})
			}
		}
	}
	for _, x := range []float64{0, right} {
		for y := 0.0; y < float64(2*d.panel.Rows); y++ {
			// Dashes in the ground's colour along the seam's lines.
			d.Line(d.style.Ground, 0.25*d.style.Line, picture.Point{X: x, Y: y + 0.3}, picture.Point{X: x, Y: y + 0.7})
		}
		d.Glyph(d.style.Lines, picture.Point{X: x, Y: -1}, "↔")
	}
}

// tip is how far the tip of a cap's middle is from its node, in half-cells.
func (d *drawing) tip(way image.Point) picture.Point {
	long := 2 * d.style.Line * (d.style.Cap - 0.5) // the cap's round end adds half a line
	return picture.Point{X: float64(way.X) * long / math.Hypot(float64(way.X), float64(way.Y)),
		Y: float64(way.Y) * long / math.Hypot(float64(way.X), float64(way.Y))}
}

// ends draws start circles and end caps.
func (d *drawing) ends(at image.Point) {
	s := d.panel.At(at)
	w := 2 * d.style.Line
	for _, c := range d.twice(at) {
		if s.Start {
			d.Add(picture.Shape{Kind: picture.Disc, Colour: d.style.Lines, Width: 2 * w * d.style.Start, Points: []picture.Point{c}})
		}
		if s.IsEnd() {
			t := d.tip(s.Cap)
			d.Add(picture.Shape{Kind: picture.Line, Colour: d.style.Lines, Width: w, Round: true, Fine: true,
				Points: []picture.Point{c, {X: c.X + t.X, Y: c.Y + t.Y}}})
			d.Glyph(d.style.Lines, picture.Point{X: c.X + float64(s.Cap.X), Y: c.Y + float64(s.Cap.Y)}, arrow(s.Cap))
		}
	}
}

func arrow(way image.Point) string {
	return string([]rune("↖↑↗←·→↙↓↘")[(way.Y+1)*3+way.X+1])
}

// answer draws a stroke, and its partner on a symmetric panel.
func (d *drawing) answer(stroke solve.Stroke) {
	d.trace(stroke, d.style.Trace, picture.Answer)
	if d.panel.Symmetry == witness.NoSymmetry {
		return
	}
	var other solve.Stroke
	for i, at := range stroke {
		if i > 0 && i == len(stroke)-1 {
			// The last point is the cap's tip: half a cell from the partner's
			// last node in the direction of that node's own cap.
			end := other[len(other)-1]
			if s := d.panel.At(end); s != nil && s.IsEnd() {
				other = append(other, end.Add(s.Cap))
				break
			}
		}
		to, ok := d.panel.Image(at)
		if !ok {
			break
		}
		other = append(other, to)
	}
	d.trace(other, d.style.Second, picture.Second)
}

// trace draws one line. On a pillar each leg is drawn where it starts, and
// again at the other side of the seam where it reaches over it.
func (d *drawing) trace(stroke solve.Stroke, ink color.NRGBA, which picture.Emphasis) {
	if len(stroke) == 0 {
		return
	}
	w := 2 * d.style.Line * 0.8 // so that the panel's line shows on both sides
	for _, c := range d.twice(d.panel.Wrap(stroke[0])) {
		d.Add(picture.Shape{Kind: picture.Disc, Colour: ink, Line: which, Width: 2 * w * d.style.Start, Points: []picture.Point{c}, Fine: which == picture.Second})
		if which == picture.Second {
			d.Glyph(ink, c, "○")
		}
	}
	round := 2 * d.panel.Cols
	for i := 1; i < len(stroke); i++ {
		from := d.panel.Wrap(stroke[i-1])
		step := stroke[i].Sub(stroke[i-1])
		if d.panel.Pillar {
			// The shorter way round: the image of a leg over the seam jumps.
			if step.X > d.panel.Cols {
				step.X -= round
			} else if step.X < -d.panel.Cols {
				step.X += round
			}
		}
		leg := []picture.Point{pt(from), pt(from.Add(step))}
		if s := d.panel.At(from); i == len(stroke)-1 && s != nil && s.IsEnd() {
			t := d.tip(s.Cap)
			leg[1] = picture.Point{X: leg[0].X + t.X, Y: leg[0].Y + t.Y}
		}
		legs := [][]picture.Point{leg}
		if d.panel.Pillar {
			lo, hi := min(leg[0].X, leg[1].X), max(leg[0].X, leg[1].X)
			if lo <= 0 {
				legs = append(legs, shifted(leg, float64(round)))
			}
			if hi >= float64(round) {
				legs = append(legs, shifted(leg, -float64(round)))
			}
		}
		for _, l := range legs {
			if d.panel.Pillar {
				l = d.clip(l)
			}
			d.Add(picture.Shape{Kind: picture.Line, Colour: ink, Width: w, Round: true, Line: which, Points: l})
		}
		if i == len(stroke)-1 && d.style.Legible {
			d.head(leg[0], leg[1], w, ink)
		}
	}
}

// head is the arrowhead at the end of a line so wide.
func (d *drawing) head(from, to picture.Point, wide float64, ink color.NRGBA) {
	long := math.Hypot(to.X-from.X, to.Y-from.Y)
	x, y := wide*(to.X-from.X)/long, wide*(to.Y-from.Y)/long
	d.Polygon(ink, picture.Point{X: to.X + x, Y: to.Y + y}, picture.Point{X: to.X - 0.3*x - y, Y: to.Y - 0.3*y + x},
		picture.Point{X: to.X - 0.3*x + y, Y: to.Y - 0.3*y - x})
}

func shifted(leg []picture.Point, x float64) []picture.Point {
	return []picture.Point{{X: leg[0].X + x, Y: leg[0].Y}, {X: leg[1].X + x, Y: leg[1].Y}}
}

// clip cuts a leg off where the picture of a pillar ends.
func (d *drawing) clip(leg []picture.Point) []picture.Point {
	m := 2 * d.style.Margin
	for i := range leg {
		leg[i].X = max(-m, min(leg[i].X, float64(2*d.panel.Cols)+m))
	}
	return leg
}

// spot draws what stands on a spot: a dot or a symbol.
func (d *drawing) spot(at image.Point) {
	s := d.panel.At(at)
	for _, c := range d.twice(at) {
		if s.Dot.On && !s.Dot.Invisible {
			d.dot(c, s.Dot)
		}
		if s.Kind != witness.NoSymbol {
			symbol := d.style.Symbol(s.Symbol, c)
			if s.Kind.About().Figure == nil { // with an outline a figure is read as another
				symbol = append(d.outline(symbol, d.style.Ground), symbol...)
			}
			d.Shapes = append(d.Shapes, symbol...)
		}
	}
}

func (d *drawing) dot(c picture.Point, dot witness.Dot) {
	ink := d.style.Dot
	hint, means := "", ""
	switch dot.Line {
	case witness.OwnLine:
		ink, hint, means = d.style.Trace, "1", "the player's line"
	case witness.OtherLine:
		ink, hint, means = d.style.Second, "2", "the other line"
	}
	if dot.Colour != "" {
		ink = d.style.Ink(dot.Colour)
	}
	shapes := []picture.Shape{{Kind: picture.Polygon, Colour: ink, Points: d.style.Hexagon(c), Fine: true}}
	if ink != d.style.Dot { // a plain dot is as a game has it: with a rim it is read as none
		shapes = append(d.outline(shapes, d.style.Lines, d.style.Trace, d.style.Second), shapes...)
	}
	d.Shapes = append(d.Shapes, shapes...)
	d.Add(picture.Shape{Kind: picture.Glyph, Colour: ink, Words: "⬢", Hint: hint, Means: means, Points: []picture.Point{c}})
}

// Hexagon is the outline of a dot.
func (s *Style) Hexagon(c picture.Point) []picture.Point {
	// The radius is half of the width: of a hexagon with points left and right
	// that is the side, and its height is .87 of the width.
	r := s.Symbols.Hexagon * s.Line
	h := r * s.Symbols.HexagonHeight
	return []picture.Point{{X: c.X - r, Y: c.Y}, {X: c.X - r/2, Y: c.Y - h}, {X: c.X + r/2, Y: c.Y - h},
		{X: c.X + r, Y: c.Y}, {X: c.X + r/2, Y: c.Y + h}, {X: c.X - r/2, Y: c.Y + h}}
}

// forms are those of the style.
func (s *Style) forms() Forms {
	if s.Forms == nil {
		return Known()
	}
	return s.Forms
}

// Thinnest is how wide the thinnest part of a kind's symbols is, in pitches; 0 for
// kinds that have no form.
func (s *Style) Thinnest(k witness.Kind) float64 {
	form, ok := s.forms().Of(k)
	if !ok {
		return 0
	}
	return form.Thinnest(&s.Symbols)
}

// Symbol is what stands in a cell whose centre is c: drawn as the shape that its
// kind names, and in a terminal by that name where the shape has no form.
func (s *Style) Symbol(symbol witness.Symbol, c picture.Point) []picture.Shape {
	ink := s.Ink(symbol.Colour)
	words := symbol.Kind.ShapeName()
	var shapes []picture.Shape
	if form, ok := s.forms().Of(symbol.Kind); ok {
		words = form.Words(symbol)
		shapes = placed(form.Parts(&s.Symbols, symbol), 0, c)
		for i := range shapes {
			shapes[i].Colour = ink
		}
	}
	hint, means := "", ""
	if symbol.Colour != "" && symbol.Kind.Most() == 0 {
		means = s.called(symbol.Colour)
		hint = means[:1]
	}
	if hint != "" && symbol.Kind.IsPiece() {
		hint = " " + hint
	}
	return append(shapes, picture.Shape{Kind: picture.Glyph, Colour: ink, Words: words, Hint: hint, Means: means, Points: []picture.Point{c}})
}

// called is a colour in a word; one that was measured is told by the word that is nearest.
func (s *Style) called(colour witness.Colour) string {
	if !strings.HasPrefix(string(colour), "#") {
		return string(colour)
	}
	ink := s.Ink(colour)
	r, g, b := float64(ink.R), float64(ink.G), float64(ink.B)
	most, least := max(r, g, b), min(r, g, b)
	word := "grey"
	switch {
	case most < 50:
		word = "black"
	case most-least < 0.2*most:
		if most > 190 {
			word = "white"
		}
	default:
		hue := 60 * (r - g) / (most - least)
		switch most {
		case r:
			hue = 60 * (g - b) / (most - least)
		case g:
			hue = 120 + 60*(b-r)/(most-least)
		default:
			hue += 240
		}
		for _, h := range []struct {
			to   float64
			word string
		}{{-15, "magenta"}, {15, "red"}, {45, "orange"}, {65, "yellow"}, {95, "yellow-green"}, {165, "green"}, {200, "cyan"}, {255, "blue"}, {290, "purple"}, {300, "magenta"}} {
			if word = h.word; hue <= h.to {
				break
			}
		}
		switch {
		case most < 100:
			word = "dark " + word
		case least > 120:
			word = "light " + word
		}
	}
	return word + " (" + string(colour) + ")"
}

// pieceWords writes a piece in half blocks, two rows of it in one line of
// text, a sign and, before a turnable one, ↻ before each.
func pieceWords(symbol witness.Symbol, sign string) string {
	var most image.Point
	has := map[image.Point]bool{}
	for _, b := range symbol.Shape {
		has[b] = true
		most = image.Pt(max(most.X, b.X), max(most.Y, b.Y))
	}
	if symbol.Turnable {
		sign += "↻"
	}
	var lines []string
	for y := 0; y <= most.Y; y += 2 {
		line := sign
		if y > 0 {
			line = strings.Repeat(" ", len([]rune(sign)))
		}
		for x := 0; x <= most.X; x++ {
			n := 0
			if has[image.Pt(x, y)] {
				n |= 1
			}
			if has[image.Pt(x, y+1)] {
				n |= 2
			}
			line += string([]rune(" ▀▄█")[n])
		}
		lines = append(lines, strings.TrimRight(line, " "))
	}
	return strings.Join(lines, "\n")
}

// outline is what is drawn round a symbol, that a person sees it on these grounds.
func (d *drawing) outline(symbol []picture.Shape, grounds ...color.NRGBA) []picture.Shape {
	if !d.style.Legible {
		return nil
	}
	// A fifth of a line: a pixel on a thumbnail of 12 pixels a half-cell.
	return picture.Outline(symbol, 0.2*d.style.Line, grounds...)
}

// legible is the style in which a person sees all that is on a panel.
func (s Style) legible(panel *witness.Panel) Style {
	s.Legible, s.Ground, s.Lines = true, s.apart(panel), rgb(32, 46, 42)
	return s
}

// apart is the game's ground, or another where a symbol has nearly its colour: the one
// whose nearest symbol is furthest.
func (s *Style) apart(panel *witness.Panel) color.NRGBA {
	nearest := func(g color.NRGBA) float64 {
		least := math.Inf(1)
		for at := range panel.Points() {
			if spot := panel.At(at); spot.Kind != witness.NoSymbol {
				c := s.Ink(spot.Colour)
				dr, dg, db := float64(c.R)-float64(g.R), float64(c.G)-float64(g.G), float64(c.B)-float64(g.B)
				least = min(least, math.Sqrt(dr*dr+dg*dg+db*db))
			}
		}
		return least
	}
	best := s.Ground
	if nearest(best) >= 96 { // some three of the 16 steps of a web colour
		return best
	}
	for _, other := range []color.NRGBA{rgb(96, 124, 176), rgb(168, 112, 80)} {
		if nearest(other) > nearest(best) {
			best = other
		}
	}
	return best
}
