// Package fans solves boards of fans and turbines: each fan blows in one of
// four directions, its wind reaches every cell on that line to the border, over
// turbines and other fans, and every turbine must be reached by some fan.
//
// # Text
//
// A board is rows of equal length, a character a cell:
//
//	F  a fan
//	T  a turbine
//	.  nothing
//
// Before the board, "# " (hash, space) begins a comment, and a line "fans" may
// say what follows. An empty line ends a board. A board may stand on one line,
// '/' between its rows: FTTFT/TTFTT.
//
// # Answers
//
// An answer is one stroke for each fan, from its cell's centre to that of the next cell in the wind's direction, which lies outside
// the board where a fan blows off its border.
package fans

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"io"
	"iter"
	"math/rand/v2"
	"strings"
	"unicode/utf8"

	"onlooker/solve"
	"onlooker/solve/sat"
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

// Step is the next cell's column and row difference.
func (d Direction) Step() image.Point {
	return [4]image.Point{{X: 0, Y: -1}, {X: 1, Y: 0}, {X: 0, Y: 1}, {X: -1, Y: 0}}[d]
}

func (d Direction) word() string { return [4]string{"north", "east", "south", "west"}[d] }

// The cells of the text form.
const (
	fan     = 'F'
	turbine = 'T'
	empty   = '.'
	cells   = "FT."
)

// maxSide is the longest side of a board.
const maxSide = 100

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

// MarshalText gives the rows, below a line that says "fans" where they may be pairs of Flow Free.
func (p *Puzzle) MarshalText() ([]byte, error) {
	var b bytes.Buffer
	if fans, turbines := bytes.Count(p.cell, []byte{fan}), bytes.Count(p.cell, []byte{turbine}); (fans == 0 || fans == 2) && (turbines == 0 || turbines == 2) {
		b.WriteString("fans\n")
	}
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
		{Name: ruleStroke, Doc: "Every stroke goes from the centre of a fan to that of a neighbouring cell."},
		{Name: ruleOne, Doc: "Every fan has one stroke."},
		{Name: ruleTurbine, Doc: "Every turbine is reached by the wind of some fan."},
	},
	Formats:  []solve.Format{{Name: "text", Sniff: sniff, Decode: decode, Encode: solve.Encoder((*Puzzle).MarshalText)}},
	Generate: func(rng *rand.Rand, cols, rows int) solve.Puzzle { return Generate(rng, cols, rows) },
	Make:     deal,
	Side:     maxSide,
}

// Check lets the wind blow.
func (p *Puzzle) Check(_ context.Context, s solve.Solution) error {
	blows := make([]byte, len(p.cell)) // N, E, S or W where a fan is
	for i, stroke := range s {
		at, letter, err := p.turned(i, stroke)
		if err != nil {
			return err
		}
		if blows[at] != 0 {
			return &solve.RuleError{Rule: ruleOne, At: stroke[0], Got: "a second stroke, want one for each fan"}
		}
		blows[at] = letter
	}
	for i, ch := range p.cell {
		if ch == 'F' && blows[i] == 0 {
			return &solve.RuleError{Rule: ruleOne, At: p.centre(i), Got: "no stroke, want one for each fan"}
		}
	}
	// A cell has wind when the one it comes from has a fan that blows this way,
	// or has wind itself.
	wind := make([]bool, len(p.cell))
	blow := func(i int, letter byte, blown *bool) {
		if *blown {
			wind[i] = true
		} else {
			*blown = blows[i] == letter
		}
	}
	down, up := make([]bool, p.cols), make([]bool, p.cols)
	for r := range p.rows {
		east, west := false, false
		for c := range p.cols {
			blow(r*p.cols+c, 'E', &east)
			blow(r*p.cols+p.cols-1-c, 'W', &west)
			blow(r*p.cols+c, 'S', &down[c])
			blow((p.rows-1-r)*p.cols+c, 'N', &up[c])
		}
	}
	for i, ch := range p.cell {
		if ch == 'T' && !wind[i] {
			return &solve.RuleError{Rule: ruleTurbine, At: p.centre(i), Got: "a turbine without wind"}
		}
	}
	return nil
}

// turned is the cell of the fan that a stroke turns, and the letter of where it
// blows then.
func (p *Puzzle) turned(i int, stroke solve.Stroke) (at int, letter byte, err error) {
	broken := func(format string, a ...any) (int, byte, error) {
		e := &solve.RuleError{Rule: ruleStroke, Got: fmt.Sprintf(format, a...)}
		if len(stroke) > 0 {
			e.At = stroke[0]
		}
		return 0, 0, e
	}
	if len(stroke) != 2 {
		return broken("stroke %d has %d points, want 2", i+1, len(stroke))
	}
	from, to := stroke[0], stroke[1]
	c, r := (from.X-1)/2, (from.Y-1)/2
	if c*2+1 != from.X || r*2+1 != from.Y || c < 0 || r < 0 || c >= p.cols || r >= p.rows || p.cell[r*p.cols+c] != 'F' {
		return broken("stroke %d begins at no fan", i+1)
	}
	switch to.Sub(from) {
	case image.Pt(0, -2):
		letter = 'N'
	case image.Pt(2, 0):
		letter = 'E'
	case image.Pt(0, 2):
		letter = 'S'
	case image.Pt(-2, 0):
		letter = 'W'
	default:
		return broken("stroke %d goes %d right and %d down, want a neighbouring cell's centre", i+1, to.X-from.X, to.Y-from.Y)
	}
	return r*p.cols + c, letter, nil
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
		var b []line
		no := 0
		for text, err := range solve.Lines(r, maxLine) {
			if err != nil {
				yield(nil, fmt.Errorf("fans: %w", err))
				return
			}
			no++
			if len(b) == 0 && (strings.HasPrefix(text, "# ") || strings.TrimSpace(text) == "fans") {
				continue
			}
			text = strings.TrimRight(text, " \t")
			if f := strings.Fields(text); len(f) > 1 && 2*len(f)-1 == len(text) {
				text = strings.Join(f, "")
			}
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
				if len(b) == maxSide {
					yield(nil, b[0].errorf("begins a board of more than %d rows", maxSide))
					return
				}
				b = append(b, line{no: no, text: text})
			}
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
			if strings.Trim(l.text, cells) != "" {
				return false
			}
			found = found || strings.Trim(l.text, string(empty)) != ""
		}
	}
	return found
}

func decode(r io.Reader) iter.Seq2[solve.Puzzle, error] { return solve.Puzzles(boards(r), parse) }

func parse(b []line) (*Puzzle, error) {
	if len(b) == 0 {
		return nil, fmt.Errorf("fans: no rows")
	}
	p := &Puzzle{cols: utf8.RuneCountInString(b[0].text), rows: len(b)}
	if max(p.cols, p.rows) > maxSide {
		return nil, b[0].errorf("begins a board of %d×%d cells, want at most %d×%d", p.cols, p.rows, maxSide, maxSide)
	}
	p.cell = make([]byte, 0, p.cols*p.rows)
	for _, l := range b {
		if len(l.text) == 0 {
			return nil, l.errorf("has no cells")
		}
		if rest := strings.TrimLeft(l.text, cells); rest != "" {
			ch, _ := utf8.DecodeRuneInString(rest)
			return nil, l.errorf("has %q in column %d, want one of %s", ch, len(l.text)-len(rest)+1, cells)
		}
		if len(l.text) != p.cols {
			return nil, l.errorf("has %d cells, want %d", len(l.text), p.cols)
		}
		p.cell = append(p.cell, l.text...)
	}
	return p, nil
}

// Generate returns a random board that has an answer: fans are turned at random, and
// turbines put where their wind blows, one at least where there are two cells. Fans that then
// blow at none are taken away: they may be turned any way.
func Generate(rng *rand.Rand, cols, rows int) *Puzzle {
	p, _ := generate(rng, cols, rows)
	return p
}

// generate is Generate with how each fan is turned.
func generate(rng *rand.Rand, cols, rows int) (*Puzzle, map[int]Direction) {
	p := &Puzzle{cols: cols, rows: rows, cell: bytes.Repeat([]byte{empty}, cols*rows)}
	// 30 of 100: fewer leave large boards bare, more leave no turbines.
	for i := range p.cell {
		if rng.IntN(100) < 30 {
			p.cell[i] = fan
		}
	}
	if !bytes.ContainsRune(p.cell, fan) {
		p.cell[rng.IntN(len(p.cell))] = fan
	}
	wind := make([]bool, len(p.cell))
	turned := map[int]Direction{}
	for i, ch := range p.cell {
		if ch == fan {
			turned[i] = Direction(rng.IntN(4))
			for at := range p.ahead(i, turned[i]) {
				wind[at] = true
			}
		}
	}
	for i := range p.cell {
		if wind[i] && p.cell[i] == empty && rng.IntN(100) < 90 {
			p.cell[i] = turbine
		}
	}
	if !bytes.ContainsRune(p.cell, turbine) && len(p.cell) > 1 {
		return generate(rng, cols, rows)
	}
	for i, d := range turned {
		used := len(p.cell) == 1
		for at := range p.ahead(i, d) {
			used = used || p.cell[at] == turbine
		}
		if !used {
			p.cell[i] = empty
		}
	}
	return p, turned
}

// deal is Generate, and where one answer is wanted changes the board until there is no other:
// what the first reaches and the other does not has a turbine, or the fan is taken away.
func deal(ctx context.Context, rng *rand.Rand, o solve.Order) (solve.Puzzle, error) {
	if o.Cols*o.Rows < 2 {
		return nil, fmt.Errorf("fans: a fan and what it turns take two cells, got %d×%d", o.Cols, o.Rows)
	}
	p, turned := generate(rng, o.Cols, o.Rows)
	for o.Unique {
		m, s, options, _, err := p.clauses(ctx, false)
		if err != nil {
			return nil, err
		}
		var other []sat.Lit
		for f, i := range m.fans {
			other = append(other, options[4*f+int(turned[i])].Not())
		}
		s.Add(other...)
		if ok, err := s.Solve(ctx); err != nil || !ok {
			return p, err
		}
		wind, differs := map[int]bool{}, 0
		for k, l := range options {
			if i, d := m.fans[k/4], Direction(k%4); s.Value(l) {
				if d != turned[i] {
					differs = i
				}
				for at := range p.ahead(i, d) {
					wind[at] = true
				}
			}
		}
		var bare []int
		for at := range p.ahead(differs, turned[differs]) {
			if p.cell[at] == empty && !wind[at] {
				bare = append(bare, at)
			}
		}
		if len(bare) > 0 {
			p.cell[bare[rng.IntN(len(bare))]] = turbine
		} else {
			p.without(differs, turned)
		}
	}
	return p, nil
}

// without takes a fan away, and the turbines that none of the others reaches.
func (p *Puzzle) without(fanned int, turned map[int]Direction) {
	p.cell[fanned] = empty
	wind := map[int]bool{}
	for i, ch := range p.cell {
		if ch == fan {
			for at := range p.ahead(i, turned[i]) {
				wind[at] = true
			}
		}
	}
	for i, ch := range p.cell {
		if ch == turbine && !wind[i] {
			p.cell[i] = empty
		}
	}
}

// ahead yields the cells from one to the border.
func (p *Puzzle) ahead(i int, d Direction) iter.Seq[int] {
	return func(yield func(int) bool) {
		s := d.Step()
		for c, r := i%p.cols+s.X, i/p.cols+s.Y; c >= 0 && r >= 0 && c < p.cols && r < p.rows; c, r = c+s.X, r+s.Y {
			if !yield(r*p.cols + c) {
				return
			}
		}
	}
}

func (p *Puzzle) centre(i int) image.Point { return image.Pt(2*(i%p.cols)+1, 2*(i/p.cols)+1) }

// Features is empty: all boards hold the same.
func (p *Puzzle) Features() []string { return nil }
