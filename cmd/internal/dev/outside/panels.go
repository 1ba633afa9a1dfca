package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A spot is a half-cell of a panel, x right and y down.
type spot [2]int

// A glyph is a cell's symbol without its colour.
type glyph struct {
	kind  string
	count int
	shape string // its squares; of a piece that may be turned the least of its turns
	turns bool
}

// A panel is what can be seen of a panel of The Witness.
type panel struct {
	cols, rows      int
	pillar, twofold bool // twofold: two lines, so that colours of dots matter
	starts, ends    map[spot]bool
	breaks, missing map[spot]bool
	dots            map[spot]string
	cells           map[spot]glyph
	colours         map[spot]string // of cells
}

func newPanel() *panel {
	return &panel{starts: map[spot]bool{}, ends: map[spot]bool{}, breaks: map[spot]bool{}, missing: map[spot]bool{},
		dots: map[spot]string{}, cells: map[spot]glyph{}, colours: map[spot]string{}}
}

// turnable is the bit of a polyshape that says that a piece may be turned.
const turnable = 1 << 20

// A site is a panel as witnesspuzzles.com writes it; a cell may be null.
type site struct {
	Grid [][]*struct {
		Type, Color string
		Count       int
		Polyshape   int
		Start       bool
		End         string
		Gap, Dot    int
	}
	Pillar   bool
	Symmetry any
}

// panelOf decodes the site's JSON. An invisible dot is left out.
func panelOf(data []byte) (*panel, error) {
	var s site
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, err
	}
	if len(s.Grid) == 0 {
		return nil, fmt.Errorf("a panel without columns")
	}
	p := newPanel()
	p.pillar, p.twofold = s.Pillar, s.Symmetry != nil
	p.cols, p.rows = len(s.Grid)/2, len(s.Grid[0])/2
	for x, column := range s.Grid {
		for y, c := range column {
			at := spot{x, y}
			switch {
			case c == nil:
			case x%2 == 1 && y%2 == 1:
				if c.Type == "" || c.Type == "nonce" || c.Type == "line" {
					continue
				}
				g := glyph{kind: c.Type}
				if c.Type == "triangle" {
					g.count = c.Count
				}
				if c.Type == "poly" || c.Type == "ylop" {
					var squares []spot
					for i := range 16 {
						if c.Polyshape>>i&1 == 1 {
							squares = append(squares, spot{i / 4, i % 4})
						}
					}
					g.shape, g.turns = outline(squares, c.Polyshape&turnable != 0)
				}
				p.cells[at], p.colours[at] = g, strings.ToLower(c.Color)
			default:
				if c.Start {
					p.starts[at] = true
				}
				if c.End != "" {
					p.ends[at] = true
				}
				if c.Gap == 1 {
					p.breaks[at] = true
				}
				if c.Gap == 2 && (x+y)%2 == 1 { // of a node that is gone nothing is seen but its edges
					p.missing[at] = true
				}
				if c.Dot != 0 && c.Dot != 4 {
					p.dots[at] = fmt.Sprint(c.Dot)
				}
			}
		}
	}
	return p, nil
}

// outline is a piece's squares moved to the origin, or the least of its turns. A
// piece that no turn changes is the same whether it may be turned or not.
func outline(squares []spot, free bool) (shape string, turns bool) {
	forms, squares := make(map[string]bool), slices.Clone(squares)
	for range 4 {
		left, top := squares[0][0], squares[0][1]
		for _, q := range squares {
			left, top = min(left, q[0]), min(top, q[1])
		}
		var moved []string
		for i, q := range squares {
			moved = append(moved, fmt.Sprint(q[0]-left, ",", q[1]-top))
			squares[i] = spot{-q[1], q[0]}
		}
		slices.Sort(moved)
		form := strings.Join(moved, " ")
		if !free {
			return form, false
		}
		forms[form] = true
	}
	return slices.Min(slices.Collect(maps.Keys(forms))), len(forms) > 1
}

// trim takes off rows and columns at the rim in which nothing is drawn.
func (p *panel) trim() *panel {
	wide := 2*p.cols + 1
	if p.pillar {
		wide = 2 * p.cols
	}
	x0, y0, x1, y1 := wide, 2*p.rows+1, -1, -1
	see := func(x, y, across, down int) {
		x0, x1 = min(x0, x-across), max(x1, x+across)
		y0, y1 = min(y0, y-down), max(y1, y+down)
	}
	for x := range wide {
		for y := range 2*p.rows + 1 {
			if (x+y)%2 == 1 && !p.missing[spot{x, y}] {
				see(x, y, x%2, y%2)
			}
		}
	}
	for at := range p.cells {
		see(at[0], at[1], 1, 1)
	}
	for _, list := range []map[spot]bool{p.starts, p.ends} {
		for at := range list {
			see(at[0], at[1], at[0]%2, at[1]%2)
		}
	}
	if p.pillar {
		x0, x1 = 0, wide
	}
	if x1 < 0 || x0 == 0 && y0 == 0 && x1 >= wide-1 && y1 == 2*p.rows {
		return p
	}
	q := newPanel()
	q.cols, q.rows, q.pillar, q.twofold = (x1-x0)/2, (y1-y0)/2, p.pillar, p.twofold
	in := func(at spot) (spot, bool) {
		return spot{at[0] - x0, at[1] - y0}, at[0] >= x0 && at[0] <= x1 && at[1] >= y0 && at[1] <= y1
	}
	return p.moved(q, in)
}

// moved puts what is on a panel onto another, each thing where move says.
func (p *panel) moved(q *panel, move func(spot) (spot, bool)) *panel {
	moveAll(p.starts, q.starts, move)
	moveAll(p.ends, q.ends, move)
	moveAll(p.breaks, q.breaks, move)
	moveAll(p.missing, q.missing, move)
	moveAll(p.dots, q.dots, move)
	moveAll(p.cells, q.cells, move)
	moveAll(p.colours, q.colours, move)
	return q
}

func moveAll[T any](from, to map[spot]T, move func(spot) (spot, bool)) {
	for at, v := range from {
		if moved, ok := move(at); ok {
			to[moved] = v
		}
	}
}

// turned is a pillar turned by half-cells.
func (p *panel) turned(by int) *panel {
	q := newPanel()
	q.cols, q.rows, q.pillar, q.twofold = p.cols, p.rows, p.pillar, p.twofold
	move := func(at spot) (spot, bool) { return spot{(at[0] + by) % (2 * p.cols), at[1]}, true }
	return p.moved(q, move)
}

// differs says what of a reading is not the truth; "" where all is. Colours
// agree as a partition.
func (p *panel) differs(got *panel) string {
	if p.cols != got.cols || p.rows != got.rows || p.pillar != got.pillar {
		return fmt.Sprintf("%dx%d cells read as %dx%d", p.cols, p.rows, got.cols, got.rows)
	}
	var all []string
	for _, c := range []struct {
		what      string
		want, got map[spot]bool
	}{{"starts", p.starts, got.starts}, {"ends", p.ends, got.ends}, {"breaks", p.breaks, got.breaks}, {"missing edges", p.missing, got.missing},
		{"dots", keys(p.dots), keys(got.dots)}, {"symbols", keys(p.cells), keys(got.cells)}} {
		if lost, made := less(c.want, c.got), less(c.got, c.want); len(lost)+len(made) > 0 {
			all = append(all, fmt.Sprintf("%s lost %v made up %v", c.what, lost, made))
		}
	}
	for at, g := range p.cells {
		if o, ok := got.cells[at]; ok && o != g {
			all = append(all, fmt.Sprintf("symbol at %v: %v read as %v", at, g, o))
		}
	}
	if p.twofold && !partition(p.dots, got.dots) {
		all = append(all, "colours of dots")
	}
	if !partition(p.colours, got.colours) {
		all = append(all, "colours of symbols")
	}
	slices.Sort(all)
	return strings.Join(all, "; ")
}

// String is all of a panel, colours by the order in which they come.
func (p *panel) String() string {
	numbers := make(map[string]int)
	colours := make(map[spot]int)
	for _, at := range slices.SortedFunc(maps.Keys(p.colours), func(a, b spot) int { return slices.Compare(a[:], b[:]) }) {
		c := p.colours[at]
		if _, ok := numbers[c]; !ok {
			numbers[c] = len(numbers)
		}
		colours[at] = numbers[c]
	}
	return fmt.Sprint(p.cols, p.rows, p.pillar, p.twofold, p.starts, p.ends, p.breaks, p.missing, p.dots, p.cells, colours)
}

func keys[T any](of map[spot]T) map[spot]bool {
	all := make(map[spot]bool)
	for at := range of {
		all[at] = true
	}
	return all
}

func less(a, b map[spot]bool) []spot {
	var all []spot
	for at := range a {
		if !b[at] {
			all = append(all, at)
		}
	}
	slices.SortFunc(all, func(a, b spot) int { return slices.Compare(a[:], b[:]) })
	return all
}

// partition tells whether names go one to one where both have one.
func partition(want, got map[spot]string) bool {
	there, back := make(map[string]string), make(map[string]string)
	for at, w := range want {
		g, ok := got[at]
		if !ok {
			continue
		}
		if o, ok := there[w]; ok && o != g {
			return false
		}
		if o, ok := back[g]; ok && o != w {
			return false
		}
		there[w], back[g] = g, w
	}
	return true
}
