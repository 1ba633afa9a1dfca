// Package fans solves boards of fans and turbines: each fan blows in one of
// four directions, its wind reaches every cell on that line to the border or
// to a wall, over turbines and other fans, and every turbine must be reached
// by some fan.
//
// # Text
//
// A board is rows of equal length, a character a cell:
//
//	F        a fan
//	^ > v <  a fan that may be turned and blows that way at present
//	N E S W  a fan that blows that way and cannot be turned
//	T        a turbine
//	#        a wall, which stops wind
//	.        nothing
//
// Before the board, "# " (hash, space) begins a comment, and a line "fans" may
// say what follows. An empty line ends a board. A board may stand on one line,
// '/' between its rows: FTTFT/TTFTT.
//
// # Answers
//
// An answer is one stroke for each fan that may be turned, from its cell's
// centre to that of the next cell in the wind's direction, which lies outside
// the board where a fan blows off its border.
//
// # How fast
//
// The shrine's board takes some 3 µs, 30×30 cells 0.3 ms. `make bench-families`
// measures it.
package fans

import (
	"bufio"
	"bytes"
	"fmt"
	"image"
	"io"
	"iter"
	"math/rand/v2"
	"strings"

	"onlooker/solve"
)

// A Direction is where a fan blows. A quarter turn clockwise is one up.
type Direction uint8

// The directions.
const (
	North Direction = iota
	East
	South
	West
)

// String is the direction's letter.
func (d Direction) String() string { return "NESW"[d : d+1] }

// Step is the next cell's column and row difference.
func (d Direction) Step() image.Point {
	return [4]image.Point{{X: 0, Y: -1}, {X: 1, Y: 0}, {X: 0, Y: 1}, {X: -1, Y: 0}}[d]
}

// turns is how many quarter turns lead from a to b.
func turns(a, b Direction) int { return [4]int{0, 1, 2, 1}[(b-a)%4] }

// The cells of the text form.
const (
	fan     = 'F'
	turbine = 'T'
	wall    = '#'
	empty   = '.'
	present = "^>v<" // by Direction
	fixed   = "NESW" // by Direction
	cells   = "FT.#" + present + fixed
)

// A Puzzle is a board of fans and turbines.
type Puzzle struct {
	cols, rows int
	cell       []byte // row by row, of cells
}

// New makes a puzzle from its rows, written as in the text form.
func New(rows ...string) (*Puzzle, error) {
	var ls []line
	for i, r := range rows {
		ls = append(ls, line{no: i + 1, text: r})
	}
	return parse(ls)
}

// Size is the number of columns and rows.
func (p *Puzzle) Size() (cols, rows int) { return p.cols, p.rows }

// Cell is what stands in a cell, as in the text form.
func (p *Puzzle) Cell(col, row int) byte { return p.cell[row*p.cols+col] }

// MarshalText gives the rows.
func (p *Puzzle) MarshalText() ([]byte, error) {
	var b bytes.Buffer
	for r := range p.rows {
		b.Write(p.cell[r*p.cols : (r+1)*p.cols])
		b.WriteByte('\n')
	}
	return b.Bytes(), nil
}

// Bounds is the board and the centres of the cells around it, where the
// strokes of fans on the border may end.
func (p *Puzzle) Bounds() image.Rectangle {
	return image.Rect(-1, -1, 2*p.cols+2, 2*p.rows+2)
}

// The rules, as Check names them.
const (
	ruleStroke  = "stroke"
	ruleOne     = "one"
	ruleTurbine = "turbine"
)

// Family is the family's entry for a list of games.
var Family = solve.Family{
	Name: "fans",
	Doc:  "turn fans so that their wind reaches every turbine",
	Rules: []solve.Rule{
		{Name: ruleStroke, Doc: "Every stroke goes from the centre of a fan that may be turned to that of a neighbouring cell."},
		{Name: ruleOne, Doc: "Every fan that may be turned has one stroke."},
		{Name: ruleTurbine, Doc: "Every turbine is reached by the wind of some fan."},
	},
	Formats: []solve.Format{{Name: "text", Sniff: sniff, Decode: decode, Encode: encode}},
	Generate: func(rng *rand.Rand, cols, rows int) solve.Puzzle {
		return Generate(rng, cols, rows, Options{})
	},
}

// Check lets the wind blow.
func (p *Puzzle) Check(s solve.Solution) error {
	blows := map[image.Point]image.Point{}
	inside := func(c image.Point) bool { return c.X >= 0 && c.Y >= 0 && c.X < p.cols && c.Y < p.rows }
	for i, stroke := range s {
		broken := &solve.RuleError{Rule: ruleStroke}
		if len(stroke) > 0 {
			broken.At = stroke[0]
		}
		if len(stroke) != 2 {
			broken.Got = fmt.Sprintf("stroke %d has %d points, want 2", i+1, len(stroke))
			return broken
		}
		from := stroke[0]
		c := image.Pt((from.X-1)/2, (from.Y-1)/2)
		if c.X*2+1 != from.X || c.Y*2+1 != from.Y || !inside(c) || !strings.ContainsRune("F^>v<", rune(p.cell[c.Y*p.cols+c.X])) {
			broken.Got = fmt.Sprintf("stroke %d begins at no fan that may be turned", i+1)
			return broken
		}
		d := stroke[1].Sub(from)
		if d != image.Pt(0, 2) && d != image.Pt(0, -2) && d != image.Pt(2, 0) && d != image.Pt(-2, 0) {
			broken.Got = fmt.Sprintf("stroke %d goes %d right and %d down, want a neighbouring cell's centre", i+1, d.X, d.Y)
			return broken
		}
		if _, ok := blows[c]; ok {
			return &solve.RuleError{Rule: ruleOne, At: from, Got: "a second stroke, want one for each fan"}
		}
		blows[c] = d.Div(2)
	}
	for i, ch := range p.cell {
		c := image.Pt(i%p.cols, i/p.cols)
		switch ch {
		case 'N':
			blows[c] = image.Pt(0, -1)
		case 'S':
			blows[c] = image.Pt(0, 1)
		case 'W':
			blows[c] = image.Pt(-1, 0)
		case 'E':
			blows[c] = image.Pt(1, 0)
		case 'F', '^', '>', 'v', '<':
			if _, ok := blows[c]; !ok {
				return &solve.RuleError{Rule: ruleOne, At: image.Pt(2*c.X+1, 2*c.Y+1), Got: "no stroke, want one for each fan"}
			}
		}
	}
	wind := make([]bool, len(p.cell))
	for c, d := range blows {
		for c = c.Add(d); inside(c) && p.cell[c.Y*p.cols+c.X] != '#'; c = c.Add(d) {
			wind[c.Y*p.cols+c.X] = true
		}
	}
	for i, ch := range p.cell {
		if ch == 'T' && !wind[i] {
			return &solve.RuleError{Rule: ruleTurbine, At: image.Pt(2*(i%p.cols)+1, 2*(i/p.cols)+1), Got: "a turbine without wind"}
		}
	}
	return nil
}

// A line is a row of text and where it stood.
type line struct {
	no   int // of the file, from 1
	part int // of the line where '/' divides it, from 1; 0 for a whole line
	text string
}

func (l line) errorf(format string, args ...any) error {
	where := fmt.Sprintf("line %d", l.no)
	if l.part > 0 {
		where += fmt.Sprintf(", row %d", l.part)
	}
	return fmt.Errorf("fans: %s %s", where, fmt.Sprintf(format, args...))
}

// maxLine is the longest line that is read.
const maxLine = 1 << 24

// boards yields the lines of each board of a file.
func boards(r io.Reader) iter.Seq2[[]line, error] {
	return func(yield func([]line, error) bool) {
		sc := bufio.NewScanner(r)
		sc.Buffer(make([]byte, 0, 64*1024), maxLine)
		var b []line
		for no := 1; sc.Scan(); no++ {
			text := strings.TrimRight(sc.Text(), "\r")
			if no == 1 {
				text = strings.TrimPrefix(text, "\ufeff")
			}
			if len(b) == 0 && (strings.HasPrefix(text, "# ") || strings.TrimSpace(text) == "fans") {
				continue
			}
			text = strings.TrimRight(text, " \t")
			divided := strings.Contains(text, "/")
			if (text == "" || divided) && len(b) > 0 {
				if !yield(b, nil) {
					return
				}
				b = nil
			}
			switch {
			case divided:
				for i, row := range strings.Split(text, "/") {
					b = append(b, line{no, i + 1, strings.TrimSpace(row)})
				}
				if !yield(b, nil) {
					return
				}
				b = nil
			case text != "":
				b = append(b, line{no: no, text: text})
			}
		}
		if err := sc.Err(); err != nil {
			yield(nil, fmt.Errorf("fans: %w", err))
			return
		}
		if len(b) > 0 {
			yield(b, nil)
		}
	}
}

// sniff wants nothing but cells, and a fan or a turbine among them. Letters
// that each stand there twice are a board of Flow Free too; nothing can tell
// those apart.
func sniff(head []byte) bool {
	found := false
	for b, err := range boards(bytes.NewReader(head)) {
		if err != nil {
			return false
		}
		for _, l := range b {
			for _, ch := range []byte(l.text) {
				if !strings.ContainsRune(cells, rune(ch)) || ch >= 0x80 {
					return false
				}
				found = found || ch == fan || ch == turbine || strings.IndexByte(present, ch) >= 0
			}
		}
	}
	return found
}

func decode(r io.Reader) iter.Seq2[solve.Puzzle, error] {
	return func(yield func(solve.Puzzle, error) bool) {
		for b, err := range boards(r) {
			if err != nil {
				yield(nil, err)
				return
			}
			p, err := parse(b)
			if err != nil {
				if !yield(nil, err) {
					return
				}
				continue
			}
			if !yield(p, nil) {
				return
			}
		}
	}
}

// Parse reads one board.
func Parse(text string) (*Puzzle, error) {
	var found *Puzzle
	for p, err := range decode(strings.NewReader(text)) {
		if err != nil {
			return nil, err
		}
		if found != nil {
			return nil, fmt.Errorf("fans: two boards, want one")
		}
		found = p.(*Puzzle)
	}
	if found == nil {
		return nil, fmt.Errorf("fans: no board")
	}
	return found, nil
}

func parse(b []line) (*Puzzle, error) {
	if len(b) == 0 {
		return nil, fmt.Errorf("fans: no rows")
	}
	p := &Puzzle{cols: len([]rune(b[0].text)), rows: len(b)}
	for _, l := range b {
		row := []rune(l.text)
		for c, ch := range row {
			if ch >= 0x80 || !strings.ContainsRune(cells, ch) {
				return nil, l.errorf("has %q in column %d, want one of %s", ch, c+1, cells)
			}
			p.cell = append(p.cell, byte(ch))
		}
		if len(row) == 0 {
			return nil, l.errorf("has no cells")
		}
		if len(row) != p.cols {
			return nil, l.errorf("has %d cells, want %d", len(row), p.cols)
		}
	}
	return p, nil
}

func encode(w io.Writer, p solve.Puzzle) error {
	text, err := p.MarshalText()
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}

// Options are what Generate may put on a board besides fans and turbines, in
// per cent: Walls of all cells, and of the fans those that blow somewhere at
// Present and those that are Fixed.
type Options struct{ Walls, Present, Fixed int }

// Generate returns a random board that has an answer: fans are turned at
// random, and turbines put where their wind blows.
func Generate(rng *rand.Rand, cols, rows int, o Options) *Puzzle {
	p := &Puzzle{cols: cols, rows: rows, cell: bytes.Repeat([]byte{empty}, cols*rows)}
	// 30 of 100: fewer leave large boards bare, more leave no turbines.
	for i := range p.cell {
		switch {
		case rng.IntN(100) < o.Walls:
			p.cell[i] = wall
		case rng.IntN(100) < 30:
			p.cell[i] = fan
		}
	}
	if !bytes.ContainsRune(p.cell, fan) {
		p.cell[rng.IntN(len(p.cell))] = fan
	}
	wind := make([]bool, len(p.cell))
	for i, ch := range bytes.Clone(p.cell) {
		if ch != fan {
			continue
		}
		d := Direction(rng.IntN(4))
		p.ray(i, d, func(j int) { wind[j] = true })
		switch n := rng.IntN(100); {
		case n < o.Fixed:
			p.cell[i] = fixed[d]
		case n < o.Fixed+o.Present:
			p.cell[i] = present[rng.IntN(4)]
		}
	}
	for i := range p.cell {
		if wind[i] && p.cell[i] == empty && rng.IntN(100) < 90 {
			p.cell[i] = turbine
		}
	}
	return p
}

// ray calls f for each cell that the wind from cell i reaches.
func (p *Puzzle) ray(i int, d Direction, f func(j int)) {
	step := d.Step()
	c, r := i%p.cols+step.X, i/p.cols+step.Y
	for ; c >= 0 && r >= 0 && c < p.cols && r < p.rows; c, r = c+step.X, r+step.Y {
		j := r*p.cols + c
		if p.cell[j] == wall {
			return
		}
		f(j)
	}
}
