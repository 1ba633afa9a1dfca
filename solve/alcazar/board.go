// Package alcazar finds the one line through every cell of a walled board that
// comes in at one opening of the border and leaves at another.
//
// # Text
//
// The canonical text is a picture of the board with its size before it:
//
//	alcazar 3x2
//	xxxxx.x
//	x0.0.0x
//	x.x|x.x
//	.0.0.0x
//	xxxxxxx
//
// A `0` is a cell, `x` a wall or a corner, `.` a place where the line may go:
// between two cells, or on the border, where it is an opening. `-` and `|` are
// places where it must go. A file may hold many boards.
//
// Also read: AlcaSAT's .puzzle files, the same picture with a space for `.` and
// no line before it; spaces at the ends of lines may have been cut off, and a
// space may stand between all characters. Blank lines lie between boards.
//
// And two drawings of walls, which show no ways that must be taken. In the outline
// a gap is an opening, and in box drawing an arm that points out; where two cells
// meet there, it is one of both. Lines that begin with # are comments.
//
//   - +---+---+    ╔╩══╦═╗
//     |       |   |    ║▒ ▒║▒║
//   - +   +   +    ║ ║ ║ ║
//     |   |       |    ║▒║▒ ▒║
//     +---+---+   +    ╚═╩══╦╝
//
// # Answers
//
// One stroke, from the opening that comes first (top row, then down the sides,
// then the bottom row) through the cells' centres to the other opening. A line
// and its reverse are one answer.
//
// # How it is solved
//
// By the engine of package path: every cell has degree two, and there is a
// single line. The openings are sorted by the colours of a chessboard before:
// with an even number of cells the line begins on one colour and ends on the
// other, so that its two ends outside are joined each to the openings of one
// colour; with an odd number both are on the colour with more cells. Boards
// whose openings are on the wrong colours need no search at all.
//
// # How fast
//
// A board of 30×30 with the proof that it has one answer takes 0.6 ms, one of
// 50×50 2 ms; of the collected traps none takes 1 ms. `go test ./solve/alcazar -bench .`
// measures it.
package alcazar

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"slices"

	"onlooker/solve"
)

// What stands between two cells, or between a cell and the outside.
type way uint8

const (
	wall  way = iota
	open      // the line may go through
	given     // the line must go through
)

// A Puzzle is one board. It does not change; read one from text or make one
// with New.
type Puzzle struct {
	cols, rows int
	// ways by half-cell: the place (x,y) is ways[y*(2*cols+1)+x]; only places
	// with one odd and one even coordinate count.
	ways []way
}

// MaxCells is the most cells of a board: far more than the largest seen
// (50×50), and few enough that a mistaken file is no harm.
const MaxCells = 1 << 16

// New makes a board of cols × rows cells. open tells of each place between two
// cells, or between a cell and the outside, in half-cells, whether the line may
// go through; given whether it must.
func New(cols, rows int, isOpen, isGiven func(image.Point) bool) (*Puzzle, error) {
	if cols < 1 || rows < 1 || cols > MaxCells || rows > MaxCells || cols*rows > MaxCells {
		return nil, fmt.Errorf("alcazar: a board of %d×%d cells, want at least 1×1 and at most %d cells", cols, rows, MaxCells)
	}
	p := &Puzzle{cols: cols, rows: rows, ways: make([]way, (2*cols+1)*(2*rows+1))}
	for y := range 2*rows + 1 {
		for x := range 2*cols + 1 {
			if at := image.Pt(x, y); (x+y)%2 == 1 {
				if isGiven(at) {
					p.ways[p.index(at)] = given
				} else if isOpen(at) {
					p.ways[p.index(at)] = open
				}
			}
		}
	}
	return p, nil
}

func (p *Puzzle) index(at image.Point) int { return at.Y*(2*p.cols+1) + at.X }

// Size is the number of columns and rows.
func (p *Puzzle) Size() (cols, rows int) { return p.cols, p.rows }

// Open tells whether the line may go through a place between two cells, or
// between a cell and the outside (half-cells with one odd coordinate).
func (p *Puzzle) Open(at image.Point) bool { return p.ways[p.index(at)] != wall }

// Given tells whether the line must go through a place.
func (p *Puzzle) Given(at image.Point) bool { return p.ways[p.index(at)] == given }

// Bounds is the area in half-cells that solutions may touch, the openings on
// the border included.
func (p *Puzzle) Bounds() image.Rectangle { return image.Rect(0, 0, 2*p.cols+1, 2*p.rows+1) }

// picture writes the board's places; free stands where the line may go.
func (p *Puzzle) picture(free byte) []byte {
	var b bytes.Buffer
	for y := range 2*p.rows + 1 {
		for x := range 2*p.cols + 1 {
			c := byte('x')
			switch {
			case x%2 == 1 && y%2 == 1:
				c = '0'
			case (x+y)%2 == 0:
			case p.ways[p.index(image.Pt(x, y))] == open:
				c = free
			case p.ways[p.index(image.Pt(x, y))] == given:
				c = "|-"[y%2]
			}
			b.WriteByte(c)
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// MarshalText gives the canonical text, which the package documentation
// describes.
func (p *Puzzle) MarshalText() ([]byte, error) {
	return append(fmt.Appendf(nil, "alcazar %dx%d\n", p.cols, p.rows), p.picture('.')...), nil
}

// Features tells whether the board has walls between its cells, and edges that
// the line must use.
func (p *Puzzle) Features() []string {
	var has []string
	if slices.Contains(p.ways, given) {
		has = append(has, "givens")
	}
	for i, w := range p.ways {
		x, y := i%(2*p.cols+1), i/(2*p.cols+1)
		if (x+y)%2 == 1 && x > 0 && y > 0 && x < 2*p.cols && y < 2*p.rows && w == wall {
			return append(has, "walls")
		}
	}
	return has
}

func rules() []solve.Rule {
	return []solve.Rule{
		{Name: "line", Doc: "The answer is one stroke; it begins and ends in two different openings of the border."},
		{Name: "step", Doc: "It goes from cell to neighbouring cell, never through a wall."},
		{Name: "once", Doc: "It visits no cell twice."},
		{Name: "all", Doc: "It visits every cell."},
		{Name: "given", Doc: "It goes through every place that is marked."},
	}
}

func broken(rule string, at image.Point, format string, a ...any) error {
	return &solve.RuleError{Rule: rule, At: at, Got: fmt.Sprintf(format, a...)}
}

// Check follows the stroke over the board.
func (p *Puzzle) Check(_ context.Context, sol solve.Solution) error {
	if len(sol) != 1 || len(sol[0]) < 3 {
		return broken("line", image.Point{}, "%d strokes, want one of at least three points", len(sol))
	}
	s := sol[0]
	border := func(at image.Point) bool {
		return (at.X == 0 || at.X == 2*p.cols) && at.Y > 0 && at.Y < 2*p.rows && at.Y%2 == 1 ||
			(at.Y == 0 || at.Y == 2*p.rows) && at.X > 0 && at.X < 2*p.cols && at.X%2 == 1
	}
	last := s[len(s)-1]
	for _, at := range []image.Point{s[0], last} {
		if !border(at) || !p.Open(at) {
			return broken("line", at, "the line begins or ends here, want an opening of the border")
		}
	}
	if s[0] == last {
		return broken("line", last, "the line ends in the opening where it began, want another")
	}
	seen := make(map[image.Point]bool)
	through := map[image.Point]bool{s[0]: true, last: true}
	for i, at := range s[1 : len(s)-1] {
		if at.X%2 == 0 || at.Y%2 == 0 || !at.In(image.Rect(0, 0, 2*p.cols, 2*p.rows)) {
			return broken("step", at, "no cell's centre, want one")
		}
		d := at.Sub(s[i])
		if i == 0 {
			d = d.Mul(2)
		}
		if d.X*d.X+d.Y*d.Y != 4 || d.X*d.Y != 0 {
			return broken("step", at, "comes from %s, want a neighbour", solve.PlaceName(s[i]))
		}
		if i > 0 {
			between := s[i].Add(d.Div(2))
			if !p.Open(between) {
				return broken("step", between, "goes through a wall")
			}
			through[between] = true
		}
		if seen[at] {
			return broken("once", at, "a cell for the second time")
		}
		seen[at] = true
	}
	if d := last.Sub(s[len(s)-2]); d.X*d.X+d.Y*d.Y != 1 {
		return broken("step", last, "leaves from (%d,%d), want the cell at the opening", s[len(s)-2].X, s[len(s)-2].Y)
	}
	for y := range p.rows {
		for x := range p.cols {
			if at := image.Pt(2*x+1, 2*y+1); !seen[at] {
				return broken("all", at, "a cell that is not visited, want every cell")
			}
		}
	}
	for y := range 2*p.rows + 1 {
		for x := range 2*p.cols + 1 {
			if at := image.Pt(x, y); p.Given(at) && !through[at] {
				return broken("given", at, "the line does not go through this marked place")
			}
		}
	}
	return nil
}
