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

// A naming is a board on its way: what stands in each cell, and how much the
// marks of one name are like each character.
type naming struct {
	forms   []cell.Glyph
	cols    int
	cells   []byte
	letters int // fans and turbines that are letters
	totals  map[byte]map[rune]float64
	counts  map[byte]int
}

func (n *naming) unsure(i int, what string) error {
	return &vision.UnsureError{What: what, At: image.Pt(2*(i%n.cols)+1, 2*(i/n.cols)+1)}
}

// scores is the best of each character; alike may give less where it is no more than
// the best so far.
func (n *naming) scores(alike func(f *cell.Glyph, best float64) float64) map[rune]float64 {
	best := map[rune]float64{}
	for i := range n.forms {
		f := &n.forms[i]
		if v := alike(f, best[f.Name]); v > best[f.Name] {
			best[f.Name] = v
		}
	}
	return best
}

// likeliest is the character with the best score; the first of the alphabet where
// two are as good.
func likeliest(scores map[rune]float64) (name rune, score float64) {
	for r, v := range scores {
		if v > score || v == score && r < name {
			name, score = r, v
		}
	}
	return name, score
}

// likeliestOf is likeliest of the scores.
func (n *naming) likeliestOf(alike func(f *cell.Glyph, best float64) float64) (name rune, score float64) {
	for i := range n.forms {
		f := &n.forms[i]
		if v := alike(f, score); v > score || v == score && f.Name < name {
			name, score = f.Name, v
		}
	}
	return name, score
}

// name says what stands in a cell. What else it is like is only asked of what may be a
// board's: most of what is looked at is not.
func (n *naming) name(i int, alike func(f *cell.Glyph, best float64) float64) error {
	r, v := n.likeliestOf(alike)
	if v < leastAlike {
		return n.unsure(i, fmt.Sprintf("a form that this look does not know, %.2f like %c", v, r))
	}
	if !strings.ContainsRune(signs, r) {
		return n.unsure(i, fmt.Sprintf("a form like %c, want one of %s", r, signs))
	}
	n.count(i, byte(r), n.scores(alike))
	return nil
}

func (n *naming) count(i int, name byte, scores map[rune]float64) {
	n.cells[i] = name
	if name == 'F' || name == 'T' {
		n.letters++
	}
	if n.totals == nil {
		n.totals, n.counts = map[byte]map[rune]float64{}, map[byte]int{}
	}
	if n.totals[name] == nil {
		n.totals[name] = map[rune]float64{}
	}
	n.counts[name]++
	for r, v := range scores {
		n.totals[name][r] += v
	}
}

// sure tells whether the marks of each name are clearly that character: those of
// one name have one form, so that their mean counts.
func (n *naming) sure() error {
	for name, total := range n.totals {
		own := total[rune(name)]
		delete(total, rune(name))
		rival, second := likeliest(total)
		if many := float64(n.counts[name]); own-second < leastMargin*many {
			i := slices.Index(n.cells, name)
			return n.unsure(i, fmt.Sprintf("%c (%.2f) or %c (%.2f)", name, own/many, rival, second/many))
		}
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
