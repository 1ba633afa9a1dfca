package alcazar

import (
	"bytes"
	"fmt"
	"image"
	"slices"
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
