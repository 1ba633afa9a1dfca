// Package fans reads boards of fans and turbines: a grid of cells with a mark in
// each, or rows of characters as a terminal shows them. Marks are told by their
// forms: those that a look has learned (Teach), else the letters and signs that
// boards are typed with. What is no such form makes the board unsure.
package fans

import (
	"fmt"
	"image"
	"math"
	"slices"
	"strings"
	"sync"

	"onlooker/calibrations"
	"onlooker/solve/fans"
	"onlooker/vision"
	"onlooker/vision/grid"
	"onlooker/vision/grid/cell"
	"onlooker/vision/grid/claims"
	"onlooker/vision/grid/form"
)

const (
	// What a mark has at least in common with the character that it is taken for: an
	// F of a terminal's font has 0.75 to 0.95 with the fonts that come along.
	leastAlike = 0.6
	// Cells of the board's characters: letters and signs, F and T at least.
	signs = "FT."
	// Of the highest mark of a grid, or of a capital: a dot; what is higher has a
	// form. The fonts that come along have dots of 0.13 to 0.25 of a capital.
	dotHigh = 0.35
	edge    = 0.1 // of a pitch from the picture's border: a cell may be cut there
)

// A Reader reads boards of fans. It keeps what marks are compared with, which is the
// same for every picture; it may be used by several goroutines.
type Reader struct {
	// forms are the alphabet, drawn once and only where there is something to
	// compare with them: most pictures have nothing.
	forms func() ([]cell.Glyph, error)
}

// NewReader is a reader that has drawn nothing yet.
func NewReader() *Reader {
	return &Reader{sync.OnceValues(cell.Alphabet)}
}

// Scan finds and reads the boards of a scene.
func (r *Reader) Scan(s *grid.Scene, contrast int, looks []*calibrations.Profile) []claims.Reading {
	out := claims.ReadGrids(s, form.GrownGrids(s.Grids(contrast), looks), claims.Whole(func(g *grid.Grid) (*claims.Claim, error) {
		p, look, err := r.read(g, looks)
		if err != nil {
			return nil, err
		}
		c := &claims.Claim{Puzzle: p, Look: look}
		for i := range g.Has {
			c.Kinds = append(c.Kinds, string(p.Cell(i%g.Cols, i/g.Cols)))
		}
		return c, nil
	}))
	if contrast != grid.Contrasts()[0] || slices.ContainsFunc(out, func(r claims.Reading) bool { return r.Err == nil }) {
		return out // text was looked for, or need not be
	}
	for _, block := range Texts(s.Picture, contrast) {
		for _, t := range block {
			p, err := r.readText(t)
			if err == nil {
				t, err = r.withRows(t)
			}
			if err == nil {
				p, err = r.readText(t)
			}
			if err != nil || cut(t, s) {
				continue // most blocks of text are no boards
			}
			if b, err := vision.Placed(image.Pt(s.W, s.H), t.Cols, t.Rows, t.Quad()); err == nil {
				return []claims.Reading{{Board: b, Puzzle: p, Evidence: t.Account()}}
			}
		}
	}
	return out
}

// cut tells whether a block of characters may go on: of the rows or columns next to it one is not seen
// whole, since the picture ends there or something that is longer than the side lies over it, or
// something lies between its rows.
func cut(t *Text, s *grid.Scene) bool {
	quad := t.From(-1, t.Rows+2).Quad()
	for i, p := range quad {
		other := quad[i^1]
		x, y := p.X+(p.X-other.X)/float64(t.Cols), p.Y+(p.Y-other.Y)/float64(t.Cols)
		if x < 0 || y < 0 || x > float64(s.W) || y > float64(s.H) {
			return true
		}
	}
	// bare is how much of a line from one place in characters and rows to another shows the ground.
	bare := func(c, r, toC, toR float64) float64 {
		n, steps := 0.0, 8*max(1, math.Abs(toC-c)+math.Abs(toR-r))
		for k := 0.0; k < steps; k++ {
			p := t.at(c+(toC-c)*k/steps, r+(toR-r)*k/steps)
			if t.Picture.At(p.X, p.Y).Contrast(t.ground) < 2*grid.Contrasts()[0] {
				n++
			}
		}
		return n / steps
	}
	const covered, past = 0.2, 0.5
	w, h, high := float64(t.Cols), float64(t.Rows), t.Cap/math.Hypot(t.down.X, t.down.Y)
	for out := 0.2; out < 1; out += 0.1 {
		right, below := w+out, h-1+high+out
		if min(bare(-past, -out, w+past, -out), bare(-past, below, w+past, below), bare(-out, -past, -out, h+past), bare(right, -past, right, h+past)) < covered {
			return true
		}
	}
	for r := range t.Rows - 1 {
		if between := float64(r) + (1+high)/2; bare(0, between, w, between) < 1-covered {
			return true
		}
	}
	return false
}

// read reads a board from a grid, by the look that it returns or, nil, by its marks.
func (r *Reader) read(g *grid.Grid, looks []*calibrations.Profile) (*fans.Puzzle, *calibrations.Profile, error) {
	if err := g.Cut(edge); err != nil {
		return nil, nil, err
	}
	if p, look := learned(g, looks); p != nil {
		return p, look, nil
	}
	p, err := r.readMarks(g)
	return p, nil, err
}

// readMarks reads a board by the letters in its cells.
func (r *Reader) readMarks(g *grid.Grid) (*fans.Puzzle, error) {
	if n := len(g.Has); g.Cells() < n || n < 2 {
		return nil, &vision.UnsureError{What: fmt.Sprintf("of its %d×%d places only %d look like cells", g.Cols, g.Rows, g.Cells()), Whole: true}
	}
	marks := make([]*cell.Mark, len(g.Has))
	highest, all := 0.0, 0
	for i := range marks {
		if m, ok := cell.MarkIn(g, i%g.Cols, i/g.Cols); ok {
			marks[i], all = m, all+1
			highest = max(highest, m.Height())
		}
	}
	if all == 0 {
		return nil, &vision.UnsureError{What: "no marks in the cells", Whole: true}
	}
	letters, err := r.forms()
	if err != nil {
		return nil, err
	}
	n := naming{forms: letters, cols: g.Cols, cells: make([]byte, len(marks))}
	for i, m := range marks {
		if m == nil {
			n.cells[i] = ' '
			continue
		}
		if err := n.mark(i, m, highest); err != nil {
			return nil, err
		}
	}
	if n.letters == 0 {
		return nil, &vision.UnsureError{What: "signs without a letter, as buttons have them"}
	}
	// Cells without a mark are empty where turbines are marked, and else turbines: a
	// board without any is none.
	blank := byte('T')
	if strings.ContainsAny(string(n.cells), "T.") {
		blank = '.'
	}
	return n.board(blank)
}

// readText reads a board from a block of characters.
func (r *Reader) readText(t *Text) (*fans.Puzzle, error) {
	letters, err := r.forms()
	if err != nil {
		return nil, err
	}
	n := naming{forms: letters, cols: t.Cols, cells: make([]byte, t.Cols*t.Rows)}
	for i := range n.cells {
		if err := n.character(i, t, i%t.Cols, i/t.Cols); err != nil {
			return nil, err
		}
	}
	return n.board('.')
}

// character says what a character of a block of text is.
func (n *naming) character(i int, t *Text, c, r int) error {
	g, ok := t.Character(c, r)
	if !ok {
		return n.unsure(i, "a blank between characters")
	}
	if g.Top-g.Bottom < dotHigh && g.Top < 0.5 && g.Bottom > -0.1 && g.Form.LogAspect < math.Ln2 {
		n.cells[i] = '.' // too small to have a form
		return nil
	}
	return n.name(i, func(f *cell.Glyph, best float64) float64 {
		off := (math.Abs(g.Top-f.Top) + math.Abs(g.Bottom-f.Bottom)) / 2
		return g.Form.Alike(&f.Form, best+off) - off
	})
}

// withRows adds the rows above and below that hold signs of a board alone: dots, which
// are no capitals by which a block of text is found, and rows that begin with them. An
// error where a row beyond holds signs in most places, and something else.
func (r *Reader) withRows(t *Text) (*Text, error) {
	letters, err := r.forms()
	if err != nil {
		return nil, err
	}
	signs := func(row int) (all bool, err error) {
		n := naming{forms: letters, cols: t.Cols, cells: make([]byte, t.Cols)}
		found := 0
		for c := range t.Cols {
			if n.character(c, t, c, row) == nil {
				found++
			}
		}
		if found < t.Cols && 2*found > t.Cols {
			return false, vision.CutOff("a part of a board: characters as in its rows stand beyond them")
		}
		return found == t.Cols, nil
	}
	first, last := 0, t.Rows-1
	for _, row := range []struct {
		at *int
		by int
	}{{&first, -1}, {&last, 1}} {
		for range t.Rows + t.Cols {
			all, err := signs(*row.at + row.by)
			if err != nil {
				return nil, err
			}
			if !all {
				break
			}
			*row.at += row.by
		}
	}
	return t.From(first, last-first+1), nil
}
