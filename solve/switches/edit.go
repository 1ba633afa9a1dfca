package switches

import (
	"fmt"
	"image"
	"slices"

	"onlooker/solve"
)

const (
	// maxEdit is the longest side of a grid, and maxNodes the most nodes of a
	// plain graph, that the editor makes.
	maxEdit  = 40
	maxNodes = 200
)

// Editor changes boards by hand: what stands at each node, its state and the
// one that is wanted, and which switch flips which bulb.
var Editor = solve.EditorOf(blank, tools, (*Puzzle).places, (*Puzzle).edit)

// blank is a grid of dark bulbs whose switches flip their neighbours too.
func blank(cols, rows int) (*Puzzle, error) {
	if cols < 1 || rows < 1 || cols > maxEdit || rows > maxEdit {
		return nil, fmt.Errorf("switches: a grid of %d×%d, want 1×1 to %d×%d", cols, rows, maxEdit, maxEdit)
	}
	s := Spec{Cols: cols, Rows: rows, Nodes: make([]Node, cols*rows)}
	for i := range s.Nodes {
		s.Nodes[i].Want = 1
	}
	pt, _ := patternNamed("cross")
	s.Flips = pt.flips(&s, "")
	return New(s)
}

func tools(p *Puzzle) []solve.Tool {
	on := []string{"cell"}
	state := func(v int) solve.Field {
		return solve.Field{Name: "state", Label: "state (0 is dark)", Kind: solve.Choice, Choices: []string{"0", "1"}, Value: fmt.Sprint(v)}
	}
	list := []solve.Tool{p.boardTool()}
	if p.rows == 0 {
		list = append(list, solve.Tool{Name: "add", Label: "Add a bulb", Mark: "+", Doc: "a bulb with its switch, of this name",
			Fields: []solve.Field{{Name: "name", Label: "name", Kind: solve.Words, Value: p.freeName()}}})
	}
	return append(list,
		solve.Tool{Name: "bulb", Label: "Bulb", Mark: "●", On: on, Takes: 1, Doc: "a bulb with its switch, in this state; a bulb in it already goes dark", Fields: []solve.Field{state(1)}},
		solve.Tool{Name: "want", Label: "Wanted", Mark: "◎", On: on, Takes: 1, Doc: "the state that is wanted of a bulb; wanted already, the next one is", Fields: []solve.Field{state(0)}},
		solve.Tool{Name: "lamp", Label: "No switch", Mark: "○", On: on, Takes: 1, Doc: "takes a bulb's switch away, or gives it back"},
		solve.Tool{Name: "button", Label: "No bulb", Mark: "□", On: on, Takes: 1, Doc: "takes a switch's bulb away, or gives it back"},
		solve.Tool{Name: "line", Label: "Line", Mark: "↔", On: on, Takes: 2, Doc: "two switches that flip each other's bulbs, or none any more"},
		solve.Tool{Name: "arrow", Label: "One-way line", Mark: "→", On: on, Takes: 2, Doc: "the first place's switch flips the second's bulb, or does not any more; the same place twice is its own bulb"},
		solve.Tool{Name: "clear", Label: "Clear", Mark: "✕", On: on, Takes: 1, Doc: "takes everything away; in a grid a bulb comes back with the bulb tool"},
	)
}

// boardTool sets a grid's size and pattern, or makes a graph of it.
func (p *Puzzle) boardTool() solve.Tool {
	t := solve.Tool{Name: "board", Label: "Board"}
	form := solve.Field{Name: "form", Label: "form", Kind: solve.Choice, Choices: []string{"grid", "graph"}, Value: "graph"}
	cols, rows := p.cols, p.rows
	if p.rows == 0 {
		cols, rows = len(p.cells), 1
	}
	if p.rows > 0 {
		form.Value = "grid"
		pt, wrap, _ := p.shape()
		if wrap == "" {
			wrap = "no"
		}
		t.Fields = append(t.Fields,
			solve.NumberField("cols", "wide", cols, 1, max(cols, maxEdit)), solve.NumberField("rows", "high", rows, 1, max(rows, maxEdit)),
			solve.Field{Name: "flips", Label: "a switch flips", Kind: solve.Choice, Choices: patternNames(), Value: pt.name},
			solve.Field{Name: "wrap", Label: "borders joined", Kind: solve.Choice, Choices: []string{"no", "across", "down", "both"}, Value: wrap})
	}
	t.Fields = append(t.Fields, form)
	return t
}

// freeName is a name that no node has: a, b, …, z, n27, ….
func (p *Puzzle) freeName() string {
	for i := 0; ; i++ {
		name := fmt.Sprintf("n%d", i+1)
		if i < 26 {
			name = string(rune('a' + i))
		}
		if !slices.Contains(p.names, name) {
			return name
		}
	}
}

func (p *Puzzle) places() []solve.Place {
	list := make([]solve.Place, len(p.cells))
	for i := range p.cells {
		n := p.node(i)
		says := ""
		switch n.Kind {
		case Both, Lamp:
			says = "bulb " + called(n.Now)
			if n.Kind == Lamp {
				says += " without a switch"
			}
			if n.Want != 1 {
				says += ", wanted " + called(n.Want)
			}
		case Button:
			says = "switch without a bulb"
		}
		if p.rows == 0 {
			says = n.Name + ", " + says
		}
		list[i] = solve.Place{At: p.centre(i), Kind: "cell", Says: says}
	}
	return list
}

// nodeAt is the node that a place is.
func (p *Puzzle) nodeAt(at image.Point) int {
	if p.rows > 0 {
		return at.Y/2*p.cols + at.X/2
	}
	return at.X / 2
}

func (p *Puzzle) edit(e solve.Edit) (*Puzzle, error) {
	s := p.Spec()
	i := 0
	if len(e.At) > 0 {
		i = p.nodeAt(e.At[0])
	}
	switch e.Tool {
	case "board":
		return p.reboard(e)
	case "add":
		if len(s.Nodes) >= maxNodes {
			return nil, fmt.Errorf("switches: %d nodes, want at most %d", len(s.Nodes)+1, maxNodes)
		}
		s.Nodes = append(s.Nodes, Node{Name: e.Values["name"], Want: 1})
		n := len(s.Nodes) - 1
		s.Flips = append(s.Flips, Flip{n, n})
	case "bulb":
		to := e.Int("state")
		if !p.cells[i].bulb() {
			p.setKind(&s, i, Both)
		} else if s.Nodes[i].Now == to {
			to = 0
		}
		s.Nodes[i].Now = to
	case "want":
		if !p.cells[i].bulb() {
			return nil, fmt.Errorf("switches: no bulb %s to want anything of", p.said(i))
		}
		to := e.Int("state")
		if s.Nodes[i].Want == to {
			to = 1 - to
		}
		s.Nodes[i].Want = to
	case "lamp", "button":
		kind := Lamp
		if e.Tool == "button" {
			kind = Button
		}
		if s.Nodes[i].Kind == kind {
			kind = Both
		}
		p.setKind(&s, i, kind)
	case "line":
		j := p.nodeAt(e.At[1])
		if i == j {
			return nil, fmt.Errorf("switches: a line from %s to itself, want another place", p.said(i))
		}
		there := p.flipsBulb(i, j) && p.flipsBulb(j, i)
		for _, f := range []Flip{{i, j}, {j, i}} {
			s.Flips = without(s.Flips, f)
			if !there {
				s.Flips = append(s.Flips, f)
			}
		}
	case "arrow":
		f := Flip{i, p.nodeAt(e.At[1])}
		there := p.flipsBulb(f.Switch, f.Bulb)
		if s.Flips = without(s.Flips, f); !there {
			s.Flips = append(s.Flips, f)
		}
	case "clear":
		if p.rows == 0 && len(s.Nodes) == 1 {
			return nil, fmt.Errorf("switches: %s is the last node, want one at least", p.said(i))
		}
		p.remove(&s, i)
	}
	return New(s)
}

func without(list []Flip, f Flip) []Flip {
	return slices.DeleteFunc(list, func(g Flip) bool { return g == f })
}

// setKind makes a node a bulb, a switch or both. A switch that is new in a grid
// flips what the grid's pattern says, and is flipped likewise; in a graph its
// own bulb.
func (p *Puzzle) setKind(s *Spec, i int, kind Kind) {
	old := s.Nodes[i].Kind
	hadSwitch, hadBulb := old == Both || old == Button, old == Both || old == Lamp
	hasSwitch, hasBulb := kind == Both || kind == Button, kind == Both || kind == Lamp
	s.Nodes[i].Kind = kind
	if !hasBulb {
		s.Nodes[i].Now, s.Nodes[i].Want = 0, 0
	} else if !hadBulb {
		s.Nodes[i].Want = 1
	}
	s.Flips = slices.DeleteFunc(s.Flips, func(f Flip) bool {
		return f.Switch == i && !hasSwitch || f.Bulb == i && !hasBulb
	})
	if p.rows == 0 {
		if hasSwitch && hasBulb && !p.flipsBulb(i, i) {
			s.Flips = append(s.Flips, Flip{i, i})
		}
		return
	}
	pt, wrap, _ := p.shape()
	for _, f := range pt.flips(s, wrap) {
		if f.Switch == i && !hadSwitch || f.Bulb == i && !hadBulb {
			s.Flips = append(without(s.Flips, f), f)
		}
	}
}

// remove takes a node away: in a grid a hole stays.
func (p *Puzzle) remove(s *Spec, i int) {
	if p.rows > 0 {
		p.setKind(s, i, Hole)
		return
	}
	s.Nodes = slices.Delete(s.Nodes, i, i+1)
	var rest []Flip
	for _, f := range s.Flips {
		if f.Switch == i || f.Bulb == i {
			continue
		}
		if f.Switch > i {
			f.Switch--
		}
		if f.Bulb > i {
			f.Bulb--
		}
		rest = append(rest, f)
	}
	s.Flips = rest
}

// reboard changes what concerns the whole board.
func (p *Puzzle) reboard(e solve.Edit) (*Puzzle, error) {
	s := p.Spec()
	switch form := e.Values["form"]; {
	case p.rows > 0 && form == "graph":
		return p.asGraph(s)
	case p.rows == 0 && form == "grid":
		return blank(max(1, min(maxEdit, len(p.cells))), 1)
	case p.rows == 0:
		return New(s)
	}
	cols, rows := e.Int("cols"), e.Int("rows")
	pt, _, rest := p.shape()
	to := make([]int, len(s.Nodes)) // each node's new number
	t := Spec{Cols: cols, Rows: rows, Nodes: make([]Node, cols*rows)}
	for i := range t.Nodes {
		t.Nodes[i].Want = 1
	}
	for i, n := range s.Nodes {
		to[i] = -1
		if c, r := i%p.cols, i/p.cols; c < cols && r < rows {
			to[i] = r*cols + c
			t.Nodes[to[i]] = n
		}
	}
	if pt2, ok := patternNamed(e.Values["flips"]); ok {
		pt = pt2
	}
	wrap := e.Values["wrap"]
	if wrap == "no" {
		wrap = ""
	}
	t.Flips = pt.flips(&t, wrap)
	for _, f := range rest { // what was said one by one stays
		if to[f.Switch] >= 0 && to[f.Bulb] >= 0 {
			f.Switch, f.Bulb = to[f.Switch], to[f.Bulb]
			t.Flips = append(without(t.Flips, f), f)
		}
	}
	return New(t)
}

// asGraph is a grid as a plain graph without its holes.
func (p *Puzzle) asGraph(s Spec) (*Puzzle, error) {
	t := Spec{}
	to := make([]int, len(s.Nodes))
	for i, n := range s.Nodes {
		if to[i] = -1; n.Kind != Hole {
			to[i] = len(t.Nodes)
			n.Name = fmt.Sprintf("n%d", to[i]+1)
			t.Nodes = append(t.Nodes, n)
		}
	}
	if len(t.Nodes) == 0 || len(t.Nodes) > maxNodes {
		return nil, fmt.Errorf("switches: a graph of %d nodes, want 1 to %d", len(t.Nodes), maxNodes)
	}
	for _, f := range s.Flips {
		t.Flips = append(t.Flips, Flip{to[f.Switch], to[f.Bulb]})
	}
	return New(t)
}

// Hand tells how switches are flipped by hand.
func Hand(puzzle solve.Puzzle) *solve.Hand {
	p, ok := puzzle.(*Puzzle)
	if !ok {
		return nil
	}
	h := &solve.Hand{}
	for i := range p.cells {
		if !p.cells[i].button() {
			continue
		}
		at := p.centre(i)
		h.Choices = append(h.Choices, solve.ChoicePlace{At: at, Ways: []solve.Solution{{}, {{at}}}, Says: []string{"left alone", "flipped"}})
	}
	return h
}

// Clicks are the one click that a stroke is: it changes the bulbs that its
// switch flips.
func (p *Puzzle) Clicks(s solve.Stroke) ([]solve.Click, error) {
	if len(s) != 1 {
		return nil, fmt.Errorf("switches: a stroke of %d points, want a click, which has 1", len(s))
	}
	i := p.nodeAt(s[0])
	if !s[0].In(p.Bounds()) || i >= len(p.cells) || !p.cells[i].button() {
		return nil, fmt.Errorf("switches: a click at %s, where no switch is", solve.PlaceName(s[0]))
	}
	click := solve.Click{At: s[0], Changes: []image.Point{}}
	for _, bulb := range p.flips(i, nil) {
		click.Changes = append(click.Changes, p.centre(bulb))
	}
	return []solve.Click{click}, nil
}
