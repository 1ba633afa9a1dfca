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
// The shrine's board takes some 3 µs, 30×30 cells 0.3 ms. `go test ./solve/fans -bench .`
// measures it.
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
	"sync"
	"unicode/utf8"

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

// MaxCells is the most cells of a board. One of 2000×2000 is solved in seconds
// and in a gigabyte; a larger one is more likely a mistake.
const MaxCells = 1 << 22

// A Puzzle is a board of fans and turbines.
type Puzzle struct {
	cols, rows int
	cell       []byte // row by row, of cells

	seesOnce sync.Once
	seesAt   []uint8 // see sees
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
	Formats: []solve.Format{{Name: "text", Sniff: sniff, Decode: decode, Encode: solve.Encoder((*Puzzle).MarshalText)}},
	Generate: func(rng *rand.Rand, cols, rows int) solve.Puzzle {
		return Generate(rng, cols, rows, Options{})
	},
	Wishes: wishes(),
	Make:   toOrder,
}

// Check lets the wind blow.
func (p *Puzzle) Check(_ context.Context, s solve.Solution) error {
	blows := make([]byte, len(p.cell)) // N, E, S or W where a fan is
	for i, ch := range p.cell {
		if strings.IndexByte("NESW", ch) >= 0 {
			blows[i] = ch
		}
	}
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
		if strings.IndexByte("F^>v<", ch) >= 0 && blows[i] == 0 {
			return &solve.RuleError{Rule: ruleOne, At: image.Pt(2*(i%p.cols)+1, 2*(i/p.cols)+1), Got: "no stroke, want one for each fan"}
		}
	}
	// A cell has wind when the one it comes from has a fan that blows this way,
	// or has wind itself and is no wall.
	wind := make([]bool, len(p.cell))
	blow := func(i int, letter byte, blown *bool) {
		if p.cell[i] == '#' {
			*blown = false
			return
		}
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
			return &solve.RuleError{Rule: ruleTurbine, At: image.Pt(2*(i%p.cols)+1, 2*(i/p.cols)+1), Got: "a turbine without wind"}
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
	if c*2+1 != from.X || r*2+1 != from.Y || c < 0 || r < 0 || c >= p.cols || r >= p.rows || strings.IndexByte("F^>v<", p.cell[r*p.cols+c]) < 0 {
		return broken("stroke %d begins at no fan that may be turned", i+1)
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
				if len(b) == MaxCells {
					yield(nil, b[0].errorf("begins a board of more than %d rows", MaxCells))
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

func decode(r io.Reader) iter.Seq2[solve.Puzzle, error] { return solve.Puzzles(boards(r), parse) }

func parse(b []line) (*Puzzle, error) {
	if len(b) == 0 {
		return nil, fmt.Errorf("fans: no rows")
	}
	p := &Puzzle{cols: utf8.RuneCountInString(b[0].text), rows: len(b)}
	if p.cols > MaxCells/p.rows {
		return nil, b[0].errorf("begins a board of %d×%d cells, want at most %d cells", p.cols, p.rows, MaxCells)
	}
	p.cell = make([]byte, 0, p.cols*p.rows)
	for _, l := range b {
		if len(l.text) == 0 {
			return nil, l.errorf("has no cells")
		}
		for c := range len(l.text) {
			if strings.IndexByte(cells, l.text[c]) < 0 {
				// All before it are of one byte, so that c is its column.
				ch, _ := utf8.DecodeRuneInString(l.text[c:])
				return nil, l.errorf("has %q in column %d, want one of %s", ch, c+1, cells)
			}
		}
		if len(l.text) != p.cols {
			return nil, l.errorf("has %d cells, want %d", len(l.text), p.cols)
		}
		p.cell = append(p.cell, l.text...)
	}
	return p, nil
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
	blows := make([]byte, len(p.cell)) // by cell: 1 + the direction
	for i, ch := range p.cell {
		if ch != fan {
			continue
		}
		d := Direction(rng.IntN(4))
		blows[i] = 1 + byte(d)
		switch n := rng.IntN(100); {
		case n < o.Fixed:
			p.cell[i] = fixed[d]
		case n < o.Fixed+o.Present:
			p.cell[i] = present[rng.IntN(4)]
		}
	}
	wind := make([]bool, len(p.cell))
	for d := North; d <= West; d++ {
		p.sweep(context.Background(), d, func(i int, blown bool) bool {
			wind[i] = wind[i] || blown
			return blows[i] == 1+byte(d)
		})
	}
	for i := range p.cell {
		if wind[i] && p.cell[i] == empty && rng.IntN(100) < 90 {
			p.cell[i] = turbine
		}
	}
	return p
}

// sweep goes over all cells in a direction, line by line, and calls f for each
// that is no wall with whether wind blows there: f says whether it does behind
// the cell in any case. It ends early when ctx does.
func (p *Puzzle) sweep(ctx context.Context, d Direction, f func(i int, blown bool) bool) error {
	lines, length, across, along := p.rows, p.cols, p.cols, 1
	if d.axis() == 1 {
		lines, length, across, along = p.cols, p.rows, 1, p.cols
	}
	for line := range lines {
		if err := ctx.Err(); err != nil {
			return err
		}
		i, step := line*across, along
		if !d.ahead() {
			i, step = i+(length-1)*along, -along
		}
		blown := false
		for range length {
			if p.cell[i] == wall {
				blown = false
			} else if f(i, blown) {
				blown = true
			}
			i += step
		}
	}
	return nil
}

// sees tells by cell in which directions there is any turbine: bit d for
// direction d.
func (p *Puzzle) sees() []uint8 {
	p.seesOnce.Do(func() {
		p.seesAt = make([]uint8, len(p.cell))
		for d := North; d <= West; d++ {
			p.sweep(context.Background(), d, func(i int, behind bool) bool {
				if behind {
					p.seesAt[i] |= 1 << ((d + 2) % 4)
				}
				return p.cell[i] == turbine
			})
		}
	})
	return p.seesAt
}

// Features tells which kinds of cells the board has besides fans that may be
// turned and turbines.
func (p *Puzzle) Features() []string {
	var has []string
	if bytes.ContainsAny(p.cell, fixed) {
		has = append(has, "fixed")
	}
	if bytes.ContainsAny(p.cell, present) {
		has = append(has, "present")
	}
	if bytes.ContainsRune(p.cell, wall) {
		has = append(has, "walls")
	}
	return has
}

func wishes() []solve.Wish {
	return []solve.Wish{
		{Name: "walls", Doc: "walls, in per cent of the cells", Most: 100},
		{Name: "present", Doc: "fans that blow somewhere already, in per cent of the fans", Most: 100},
		{Name: "fixed", Doc: "fans that cannot be turned, in per cent of the fans", Most: 100},
	}
}

func toOrder(_ context.Context, rng *rand.Rand, o solve.Order) (solve.Puzzle, error) {
	n := o.Wishes
	return Generate(rng, o.Cols, o.Rows, Options{Walls: n["walls"], Present: n["present"], Fixed: n["fixed"]}), nil
}
