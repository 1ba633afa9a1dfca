package fans

import (
	"fmt"
	"strings"

	"onlooker/solve"
)

// maxEdit is the longest side that the editor makes.
const maxEdit = 60

// Editor changes boards by hand: every cell holds a fan, a turbine or nothing.
var Editor = solve.EditorOf(blank, tools, (*Puzzle).places, (*Puzzle).edit)

func blank(cols, rows int) (*Puzzle, error) {
	if cols < 1 || rows < 1 || cols > maxEdit || rows > maxEdit {
		return nil, fmt.Errorf("fans: a board of %d×%d cells, want 1×1 to %d×%d", cols, rows, maxEdit, maxEdit)
	}
	return &Puzzle{cols: cols, rows: rows, cell: []byte(strings.Repeat(string(empty), cols*rows))}, nil
}

func tools(p *Puzzle) []solve.Tool {
	on := []string{"cell"}
	return []solve.Tool{
		{Name: "board", Label: "Board", Fields: []solve.Field{
			solve.NumberField("cols", "wide", p.cols, 1, maxEdit), solve.NumberField("rows", "high", p.rows, 1, maxEdit)}},
		{Name: "fan", Label: "Fan", Mark: "F", On: on, Takes: 1, Doc: "a fan"},
		{Name: "turbine", Label: "Turbine", Mark: "T", On: on, Takes: 1, Doc: "wind must reach it"},
		{Name: "clear", Label: "Clear", Mark: "✕", On: on, Takes: 1, Doc: "empties a cell"},
		solve.MoveTools()[0], solve.MoveTools()[1],
	}
}

func (p *Puzzle) places() []solve.Place {
	list := make([]solve.Place, len(p.cell))
	for i, ch := range p.cell {
		list[i] = solve.Place{At: p.centre(i), Kind: "cell", Says: map[byte]string{fan: "fan", turbine: "turbine"}[ch]}
	}
	return list
}

func (p *Puzzle) edit(e solve.Edit) (*Puzzle, error) {
	if e.Tool == "board" {
		q, err := blank(e.Int("cols"), e.Int("rows"))
		if err != nil {
			return nil, err
		}
		for i := range q.cell {
			if c, r := i%q.cols, i/q.cols; c < p.cols && r < p.rows {
				q.cell[i] = p.Cell(c, r)
			}
		}
		return q, nil
	}
	if cols, rows, to, _, ok := solve.Moved(e.Tool, p.cols, p.rows); ok {
		q, err := blank(cols, rows)
		for i, ch := range p.cell {
			at := to(p.centre(i))
			q.cell[at.Y/2*cols+at.X/2] = ch
		}
		return q, err
	}
	ch := byte(empty)
	switch e.Tool {
	case "fan":
		ch = fan
	case "turbine":
		ch = turbine
	}
	q := &Puzzle{cols: p.cols, rows: p.rows, cell: append([]byte(nil), p.cell...)}
	i := e.At[0].Y/2*p.cols + e.At[0].X/2
	if q.cell[i] == ch {
		ch = empty
	}
	q.cell[i] = ch
	return q, nil
}

// Hand tells how fans are turned by hand: each blows nowhere at first.
func Hand(puzzle solve.Puzzle) *solve.Hand {
	p, ok := puzzle.(*Puzzle)
	if !ok {
		return nil
	}
	h := &solve.Hand{}
	for i, ch := range p.cell {
		if ch != fan {
			continue
		}
		c := solve.ChoicePlace{At: p.centre(i), Ways: []solve.Solution{nil}, Says: []string{"nowhere"}}
		for d := North; d <= West; d++ {
			c.Ways = append(c.Ways, solve.Solution{{c.At, c.At.Add(d.Step().Mul(2))}})
			c.Says = append(c.Says, d.word())
		}
		h.Choices = append(h.Choices, c)
	}
	return h
}
