package fans

import (
	"fmt"
	"image"
	"slices"
	"strings"

	"onlooker/solve/fans"
	"onlooker/vision"
	"onlooker/vision/grid/cell"
)

// A naming is a board on its way: what stands in each cell.
type naming struct {
	forms   []cell.Glyph
	cols    int
	cells   []byte
	letters int // fans and turbines that are letters
}

func (n *naming) unsure(i int, what string) error {
	return &vision.UnsureError{What: what, At: image.Pt(2*(i%n.cols)+1, 2*(i/n.cols)+1)}
}

// likeliest is the character that something is most like; the first of the alphabet where two are as
// good. alike may give less where it is no more than the best so far.
func (n *naming) likeliest(alike func(f *cell.Glyph, best float64) float64) (name rune, score float64) {
	for i := range n.forms {
		f := &n.forms[i]
		if v := alike(f, score); v > score || v == score && f.Name < name {
			name, score = f.Name, v
		}
	}
	return name, score
}

// name says what stands in a cell.
func (n *naming) name(i int, alike func(f *cell.Glyph, best float64) float64) error {
	r, v := n.likeliest(alike)
	if v < leastAlike {
		return n.unsure(i, fmt.Sprintf("a form that this look does not know, %.2f like %c", v, r))
	}
	if !strings.ContainsRune(signs, r) {
		return n.unsure(i, fmt.Sprintf("a form like %c, want one of %s", r, signs))
	}
	n.cells[i] = byte(r)
	if r == 'F' || r == 'T' {
		n.letters++
	}
	return nil
}

// mark says what a mark in a cell of a grid is: a letter or a sign.
func (n *naming) mark(i int, m *cell.Mark, highest float64) error {
	if m.Height() < dotHigh*highest && m.Width() < dotHigh*highest {
		n.cells[i] = '.'
		return nil
	}
	pieces := m.Pieces()
	if len(pieces) != 1 {
		return n.unsure(i, fmt.Sprintf("%d signs in one cell, which holds one", len(pieces)))
	}
	return n.name(i, func(f *cell.Glyph, best float64) float64 {
		if f.Name == '.' {
			return 0 // told by its size
		}
		return pieces[0].Form.Alike(&f.Form, best)
	})
}

// board is the puzzle, with what stands for cells without a mark.
func (n *naming) board(blank byte) (*fans.Puzzle, error) {
	text := strings.ReplaceAll(string(n.cells), " ", string(blank))
	var rows []string
	for row := range slices.Chunk([]byte(text), n.cols) {
		rows = append(rows, string(row))
	}
	if !strings.Contains(text, "F") || !strings.Contains(text, "T") {
		return nil, &vision.UnsureError{What: "a board without fans or without turbines"}
	}
	p, err := fans.New(rows...)
	if err != nil {
		return nil, &vision.UnsureError{What: fmt.Sprintf("a board that is none: %v", err)}
	}
	return p, nil
}
