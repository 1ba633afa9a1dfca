package fans

import (
	"fmt"
	"image"
	"strings"

	"onlooker/solve"
)

// maxEdit is the longest side that the editor makes.
const maxEdit = 60

// Editor changes boards by hand: every cell holds a fan, a turbine, a wall or
// nothing.
var Editor = solve.EditorOf(blank, tools, (*Puzzle).places, (*Puzzle).edit)

func blank(cols, rows int) (*Puzzle, error) {
	if cols < 1 || rows < 1 || cols > maxEdit || rows > maxEdit {
		return nil, fmt.Errorf("fans: a board of %d×%d cells, want 1×1 to %d×%d", cols, rows, maxEdit, maxEdit)
	}
	return &Puzzle{cols: cols, rows: rows, cell: []byte(strings.Repeat(string(empty), cols*rows))}, nil
}

func tools(p *Puzzle) []solve.Tool {
	on := []string{"cell"}
	way := solve.Field{Name: "way", Label: "blows", Kind: solve.Choice, Choices: []string{"north", "east", "south", "west"}, Value: "north"}
	return []solve.Tool{
		{Name: "board", Label: "Board", Fields: []solve.Field{
			solve.NumberField("cols", "wide", p.cols, 1, maxEdit), solve.NumberField("rows", "high", p.rows, 1, maxEdit)}},
		{Name: "fan", Label: "Fan", Mark: "F", On: on, Takes: 1, Doc: "a fan that blows nowhere yet"},
		{Name: "blowing", Label: "Blowing fan", Mark: ">", On: on, Takes: 1, Doc: "a fan that blows somewhere at present; the answer says how many quarter turns it needs", Fields: []solve.Field{way}},
		{Name: "fixed", Label: "Fixed fan", Mark: "⇒", On: on, Takes: 1, Doc: "a fan that cannot be turned", Fields: []solve.Field{way}},
		{Name: "turbine", Label: "Turbine", Mark: "T", On: on, Takes: 1, Doc: "wind must reach it"},
		{Name: "wall", Label: "Wall", Mark: "#", On: on, Takes: 1, Doc: "stops wind"},
		{Name: "clear", Label: "Clear", Mark: "✕", On: on, Takes: 1, Doc: "empties a cell"},
	}
}

// says is what stands in a cell, in words.
func says(ch byte) string {
	way := func(i int) string { return []string{"north", "east", "south", "west"}[i] }
	switch i, j := strings.IndexByte(present, ch), strings.IndexByte(fixed, ch); {
	case ch == fan:
		return "fan"
	case ch == turbine:
		return "turbine"
	case ch == wall:
		return "wall"
	case i >= 0:
		return "fan that blows " + way(i)
	case j >= 0:
		return "fixed fan that blows " + way(j)
	}
	return ""
}

func (p *Puzzle) places() []solve.Place {
	list := make([]solve.Place, len(p.cell))
	for i, ch := range p.cell {
		list[i] = solve.Place{At: image.Pt(2*(i%p.cols)+1, 2*(i/p.cols)+1), Kind: "cell", Says: says(ch)}
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
	way := strings.Index("nesw", e.Values["way"][:min(1, len(e.Values["way"]))])
	ch := byte(empty)
	switch e.Tool {
	case "fan":
		ch = fan
	case "turbine":
		ch = turbine
	case "wall":
		ch = wall
	case "blowing":
		ch = present[way]
	case "fixed":
		ch = fixed[way]
	}
	q := &Puzzle{cols: p.cols, rows: p.rows, cell: append([]byte(nil), p.cell...)}
	i := e.At[0].Y/2*p.cols + e.At[0].X/2
	if q.cell[i] == ch {
		ch = empty
	}
	q.cell[i] = ch
	return q, nil
}

// Hand tells how fans are turned by hand: each that may be turned blows
// nowhere at first, or as it does at present.
func Hand(puzzle solve.Puzzle) *solve.Hand {
	p, ok := puzzle.(*Puzzle)
	if !ok {
		return nil
	}
	h := &solve.Hand{}
	for i, ch := range p.cell {
		now := strings.IndexByte(present, ch)
		if ch != fan && now < 0 {
			continue
		}
		c := solve.ChoicePlace{At: image.Pt(2*(i%p.cols)+1, 2*(i/p.cols)+1)}
		if ch == fan {
			c.Ways, c.Says = append(c.Ways, nil), append(c.Says, "nowhere")
			now = 0
		}
		for k := range 4 {
			d := Direction((now + k) % 4)
			c.Ways = append(c.Ways, solve.Solution{{c.At, c.At.Add(d.Step().Mul(2))}})
			c.Says = append(c.Says, [...]string{"north", "east", "south", "west"}[d])
		}
		h.Choices = append(h.Choices, c)
	}
	return h
}

// Clicks are the quarter turns clockwise that a stroke takes, each a click on its
// fan: none where it blows that way already. A fan of which it is not told how it
// stands is an error.
func (p *Puzzle) Clicks(s solve.Stroke) ([]solve.Click, error) {
	at, letter, err := p.turned(0, s)
	if err != nil {
		return nil, err
	}
	now := strings.IndexByte(present, p.cell[at])
	if now < 0 {
		return nil, fmt.Errorf("fans: how the fan in column %d row %d stands is not known", at%p.cols+1, at/p.cols+1)
	}
	n := (strings.IndexByte("NESW", letter) - now + 4) % 4
	clicks := make([]solve.Click, n)
	for i := range clicks {
		clicks[i] = solve.Click{At: s[0], Changes: []image.Point{s[0]}}
	}
	return clicks, nil
}
