package picture

import (
	"bufio"
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// arms are the strokes of a box drawing character: left, up, right, down.
type arms [4]uint8

// Weights of an arm.
const (
	light uint8 = 1 + iota
	heavy
	double
)

// A letter is one character of a terminal picture.
type letter struct {
	arms     arms
	armInk   color.NRGBA
	rune     rune
	runeInk  color.NRGBA
	ground   color.NRGBA
	painted  bool // ground is set
	occupied bool // rune is set
}

// Terminal writes shapes as lines of text: lines as box drawing characters
// (the board's light, the answer's heavy, its partner's double), discs as ●,
// glyphs as they are, and with colour polygons as the background. Text is
// written too. Lines end without trailing blanks. A last line says what the
// hints mean.
func Terminal(w io.Writer, shapes []Shape, colour bool) error {
	p := newPage(shapes)
	for _, s := range shapes {
		if !s.Fine && len(s.Points) > 0 {
			p.draw(s)
		}
	}
	out := bufio.NewWriter(w)
	for _, line := range p.lines {
		writeLine(out, line, colour)
	}
	if len(p.legend) > 0 {
		fmt.Fprintln(out, strings.Join(p.legend, ", "))
	}
	return out.Flush()
}

// A page is a terminal picture, line by line.
type page struct {
	lines      [][]letter
	cols, rows float64 // characters across, and lines, of a half-cell
	origin     Point   // of its first character, in characters and lines
	// hints are those of the glyphs by what they mean, and legend says both.
	hints  map[string]string
	legend []string
}

// explain gives every meaning a hint of its own.
func (p *page) explain(shapes []Shape) {
	p.hints = map[string]string{}
	taken := map[string]bool{}
	for _, s := range shapes {
		if s.Kind != Glyph || s.Means == "" || p.hints[s.Means] != "" {
			continue
		}
		first := strings.TrimSpace(s.Hint)
		hint := first
		for i := 1; taken[hint]; i++ {
			if hint = first + strconv.Itoa(i); i == 1 {
				hint = s.Means[:min(2, len(s.Means))]
			}
		}
		taken[hint], p.hints[s.Means] = true, hint
		p.legend = append(p.legend, hint+" "+s.Means)
	}
	slices.Sort(p.legend)
}

// newPage is an empty page that the shapes fit on.
func newPage(shapes []Shape) *page {
	// A half-cell is 2 characters by 1 line, which is about square; twice that
	// where a glyph would not fit into a cell.
	p := &page{cols: 2, rows: 1}
	p.explain(shapes)
	for _, s := range shapes {
		if s.Kind != Glyph {
			continue
		}
		if lines := strings.Split(p.words(s), "\n"); len(lines) > 1 || len([]rune(lines[0])) > 3 {
			p.cols, p.rows = 4, 2
		}
	}
	least, most := Extent(shapes)
	p.origin = Point{math.Floor(least.X * p.cols), math.Floor(least.Y * p.rows)}
	width := int(math.Ceil(most.X*p.cols)-p.origin.X) + 1
	height := int(math.Ceil(most.Y*p.rows)-p.origin.Y) + 1
	p.lines = make([][]letter, height)
	for i := range p.lines {
		p.lines[i] = make([]letter, width)
	}
	return p
}

// words are what is written of a shape: its hint stands for its colour.
func (p *page) words(s Shape) string {
	if hint := p.hints[s.Means]; hint != "" {
		return s.Words + strings.Replace(s.Hint, strings.TrimSpace(s.Hint), hint, 1)
	}
	return s.Words + s.Hint
}

// at is the letter at a place in characters and lines; nil beyond the page.
func (p *page) at(x, y float64) *letter {
	i, j := int(x-p.origin.X), int(y-p.origin.Y)
	if i < 0 || j < 0 || j >= len(p.lines) || i >= len(p.lines[j]) {
		return nil
	}
	return &p.lines[j][i]
}

// draw draws one shape.
func (p *page) draw(s Shape) {
	scaled := make([]Point, len(s.Points))
	for i, q := range s.Points {
		scaled[i] = Point{q.X * p.cols, q.Y * p.rows}
	}
	switch s.Kind {
	case Line:
		for i := 1; i < len(scaled); i++ {
			strike(p.at, scaled[i-1], scaled[i], s)
		}
	case Disc:
		write(p.at, scaled[0], "●", s.Colour)
	case Polygon:
		for j, line := range p.lines {
			for i := range line {
				if inside(scaled, Point{float64(i) + p.origin.X, float64(j) + p.origin.Y}) {
					line[i].ground, line[i].painted = s.Colour, true
				}
			}
		}
	case Text, Glyph:
		write(p.at, scaled[0], p.words(s), s.Colour)
	}
}

// writeLine writes a page's line without trailing blanks, and nothing of an empty one:
// the margin of a picture is no line of text.
func writeLine(out *bufio.Writer, line []letter, colour bool) {
	last := -1
	for i, l := range line {
		if l.occupied || l.arms != (arms{}) || colour && l.painted {
			last = i
		}
	}
	if last < 0 {
		return
	}
	state := letter{rune: -1}
	for _, l := range line[:last+1] {
		r, ink := ' ', l.armInk
		switch {
		case l.occupied:
			r, ink = l.rune, l.runeInk
		case l.arms != (arms{}):
			r = box(l.arms)
		}
		if colour {
			want := letter{ground: l.ground, painted: l.painted}
			if r != ' ' {
				want.runeInk, want.occupied = ink, true
			}
			if want != state {
				state = want
				out.WriteString("\x1b[0m")
				if l.painted {
					fmt.Fprintf(out, "\x1b[48;2;%d;%d;%dm", l.ground.R, l.ground.G, l.ground.B)
				}
				if r != ' ' {
					fmt.Fprintf(out, "\x1b[38;2;%d;%d;%dm", ink.R, ink.G, ink.B)
				}
			}
		}
		out.WriteRune(r)
	}
	if colour {
		out.WriteString("\x1b[0m")
	}
	out.WriteByte('\n')
}

// strike draws one leg of a line. An arm of a character is drawn where the leg
// covers most of it, so that a break in an edge stays open.
func strike(at func(x, y float64) *letter, a, b Point, s Shape) {
	weight := light
	switch s.Line {
	case Answer:
		weight = heavy
	case Second:
		weight = double
	}
	arm := func(x, y float64, which int) {
		l := at(x, y)
		if l == nil || l.arms[which] > weight {
			return
		}
		l.arms[which], l.armInk = weight, s.Colour
	}
	const most = 0.3 // of an arm, which is half a character: 60 %
	run := func(from, to float64, which int, at func(v float64) (x, y float64)) {
		lo, hi := min(from, to), max(from, to)
		for v := math.Floor(lo); v <= math.Ceil(hi); v++ {
			x, y := at(v)
			if min(hi, v)-max(lo, v-0.5) >= most {
				arm(x, y, which)
			}
			if min(hi, v+0.5)-max(lo, v) >= most {
				arm(x, y, which+2)
			}
		}
	}
	switch {
	case math.Abs(a.Y-b.Y) < 0.25:
		run(a.X, b.X, 0, func(v float64) (x, y float64) { return v, math.Round(a.Y) })
	case math.Abs(a.X-b.X) < 0.25:
		run(a.Y, b.Y, 1, func(v float64) (x, y float64) { return math.Round(a.X), v })
	default:
		r := '╲'
		if (a.X-b.X)*(a.Y-b.Y) < 0 {
			r = '╱'
		}
		n := max(1, math.Round(math.Abs(a.Y-b.Y)))
		for i := 0.5; i < n; i++ {
			x, y := math.Round(a.X+(b.X-a.X)*i/n), math.Round(a.Y+(b.Y-a.Y)*i/n)
			if l := at(x, y); l != nil && !l.occupied && (l.arms == arms{}) {
				write(at, Point{x, y}, string(r), s.Colour)
			}
		}
	}
}

// write puts words round a place, one line of text per line of words.
func write(at func(x, y float64) *letter, p Point, words string, ink color.NRGBA) {
	lines := strings.Split(words, "\n")
	wide := 0
	for _, l := range lines {
		wide = max(wide, len([]rune(l)))
	}
	x0 := math.Ceil(p.X - float64(wide)/2)
	y0 := math.Ceil(p.Y - float64(len(lines))/2)
	for j, line := range lines {
		for i, r := range []rune(line) {
			if l := at(x0+float64(i), y0+float64(j)); l != nil && r != ' ' {
				l.rune, l.runeInk, l.occupied = r, ink, true
			}
		}
	}
}

// inside tells whether a point is in a polygon, by counting crossings.
func inside(polygon []Point, p Point) bool {
	in := false
	for i, a := range polygon {
		b := polygon[(i+1)%len(polygon)]
		if (a.Y > p.Y) != (b.Y > p.Y) && p.X < a.X+(p.Y-a.Y)/(b.Y-a.Y)*(b.X-a.X) {
			in = !in
		}
	}
	return in
}

// box is the character with the given arms. Double strokes mix with light ones
// only in straight crossings and never with heavy ones, so where a double arm
// is, others than the heaviest are left out.
func box(a arms) rune {
	top := max(a[0], a[1], a[2], a[3])
	if top == double {
		for i := range a {
			if a[i] != double {
				a[i] = 0
			}
		}
		// With a single arm the whole stroke is drawn: there is no half.
		return third("═║╝══╚╩║╗║╣╔╦╠╬", bits(a, double))
	}
	return third(""+
		"╴╸╵┘┙╹┚┛"+ // right none, down none; left varies first, then up
		"╶─╾└┴┵┖┸┹"+ // right light
		"╺╼━┕┶┷┗┺┻"+ // right heavy
		"╷┐┑│┤┥╿┦┩"+ // down light
		"┌┬┭├┼┽┞╀╃"+
		"┍┮┯┝┾┿┡╄╇"+
		"╻┒┓╽┧┪┃┨┫"+ // down heavy
		"┎┰┱┟╁╅┠╂╉"+
		"┏┲┳┢╆╈┣╊╋", int(a[0])+3*int(a[1])+9*int(a[2])+27*int(a[3]))
}

// third is the n-th character, from 1, of those of three bytes.
func third(of string, n int) rune {
	r, _ := utf8.DecodeRuneInString(of[3*n-3:])
	return r
}

// bits packs which arms have a weight: left 1, up 2, right 4, down 8.
func bits(a arms, weight uint8) (n int) {
	for i, w := range a {
		if w == weight {
			n |= 1 << i
		}
	}
	return n
}
