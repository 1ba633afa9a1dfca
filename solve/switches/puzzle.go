// Package switches solves switches and bulbs: Lights Out on any graph. A
// switch flips some bulbs, usually its own and those joined to it; wanted is a
// set of flips after which every bulb is as it should be. Order and repeats do
// not matter, so each switch is flipped once or not at all.
//
// # Text
//
// The canonical text is a grid or a plain graph. Lines that begin with '#' are
// comments; a lone '/' stands for a line's end, so that a board fits one line.
//
//	grid 5x2          5 wide, 2 high
//	*o*o*             '*' a lit bulb, 'o' a dark one, each with its switch;
//	oo.+*             '.' no cell, '+' a switch that is no bulb
//
//	switches
//	names: a b c d    in order
//	lit: a c          the bulbs that are lit
//	a b               a's switch flips b, and b's flips a
//	b > d             b's switch flips d
//
// Further lines, before or after the rows, in any order:
//
//	want: all=0       what is wanted, see below; without it: all lit
//	flips: cross      (grid) what a switch flips: cross (its bulb and the four
//	                  beside it), ring (only those four), square (its bulb and
//	                  the eight around), around (only those eight), diagonal
//	                  (its bulb and four at the corners), own, or none
//	wrap: both        (grid) across, down or both: opposite borders are joined
//	lamps: a d        bulbs without a switch
//	buttons: s        (plain) switches that are no bulbs
//	not own: b        switches that do not flip their own bulb
//
// In a grid the names are column,row from 0: "0,0 > 4,1".
//
// The values of lit and want are names: a or a=1 is lit, a=0 dark, all or all=0
// every bulb, later ones overruling earlier ones; bulbs that are not named are
// dark. In a grid, want alone on its line is followed by rows of what is wanted.
//
// Any toggle matrix is read as one, too, a row for each switch that says which bulbs
// it flips (the digits may stand without spaces):
//
//	matrix
//	1 1 0             switch 1 flips the bulbs 1 and 2
//	1 1 1
//	0 1 1
//	lit: 1            names, lit and want as in a plain graph
//
// As many switches as bulbs are the same nodes, named 1, 2, 3, … unless a line
// of names says otherwise. Else the bulbs come first, named b1, b2, …, and the
// switches after them, s1, s2, …
//
// Lights Out is read as rows of 0 and 1, too: 1 is lit, all are wanted off, and a
// switch flips its own bulb and those beside it. Spaces, commas and the brackets,
// semicolons and quotes of lists may stand between them, and a line of the size
// before them ("3", "4x2"); empty lines lie between boards:
//
//	3                 [[0, 1, 0],
//	0 1 0              [0, 1, 0],
//	0 1 0              [0, 0, 0]]
//	0 0 0
//
// So are game ids of Flip in Simon Tatham's collection, "2x2:edb7,5": the size, what
// each switch flips, bulb by bulb, and which bulbs are dark, as bits in hexadecimal
// digits. All are wanted lit.
//
// The last form is the one in which the puzzle was first solved by a
// program: a line of all names (which may be left out), a line of the bulbs
// that need flipping, and a line "a b" for each connection, "a > b" one-way.
//
// # How fast
//
// Down a whole grid of crosses or rings lights are chased: 400×400 takes 0.3 ms,
// 3000×3000 11 ms and 10,000×10,000 0.2 s, the clicks apart. Any other board is
// eliminated: 100×100 takes 6 ms. Proving the fewest flips takes 2^d times a look at the
// board where d flips are free, and is given up after some seconds.
// `go test ./solve/switches ./solve/gf2 -bench .` measures it.
package switches

import (
	"context"
	"fmt"
	"image"
	"maps"
	"slices"
	"strings"

	"onlooker/solve"
)

// A Kind says what stands at a node.
type Kind uint8

// The kinds of nodes.
const (
	Both   Kind = iota // a bulb and its switch
	Lamp               // a bulb without a switch
	Button             // a switch that is no bulb
	Hole               // nothing; in grids only
)

// A Node is a bulb, a switch, or both.
type Node struct {
	Name string // "" in a grid
	Kind Kind
	// Now and Want are 0 where a bulb is or shall be dark, and 1 where lit.
	Now, Want int
}

// A Flip says that node Switch flips node Bulb.
type Flip struct{ Switch, Bulb int }

// A Spec describes a puzzle.
type Spec struct {
	// Cols and Rows are a grid's size, the nodes then being listed row by row;
	// both are 0 for a plain graph, whose node i stands in cell (i,0).
	Cols, Rows int
	Nodes      []Node
	// Flips holds everything that the switches do, their own bulbs included;
	// each pair of switch and bulb at most once.
	Flips []Flip
}

// The most nodes of a puzzle whose switches are told one by one, and the most flips of
// them in all. A grid that a pattern tells may have as many as memory holds.
const (
	MaxNodes = 1 << 19
	MaxFlips = 9 * MaxNodes
)

// A Puzzle is a board of switches and bulbs.
type Puzzle struct {
	cols, rows int // rows is 0 for a plain graph
	cells      []cell
	names      []string // of a plain graph
	pattern    pattern  // what a grid's switches flip where told is nil
	wrap       string
	told       [][]int // the bulbs of each switch, ascending
}

// A cell is a node without its name: its kind, whether its bulb is lit, and whether that
// is wanted.
type cell uint8

const (
	kindBits cell = 3
	lit      cell = 4
	want     cell = 8
)

func (c cell) kind() Kind   { return Kind(c & kindBits) }
func (c cell) now() int     { return b2i(c&lit != 0) }
func (c cell) want() int    { return b2i(c&want != 0) }
func (c cell) bulb() bool   { return c.kind() == Both || c.kind() == Lamp }
func (c cell) button() bool { return c.kind() == Both || c.kind() == Button }

// with is the cell with bits set, or not.
func (c cell) with(bits cell, set bool) cell {
	if set {
		return c | bits
	}
	return c &^ bits
}

func cellOf(n Node) cell {
	return cell(n.Kind).with(lit, n.Now == 1).with(want, n.Want == 1)
}

// node is a node as a Spec tells it.
func (p *Puzzle) node(i int) Node {
	n := Node{Kind: p.cells[i].kind(), Now: p.cells[i].now(), Want: p.cells[i].want()}
	if p.rows == 0 {
		n.Name = p.names[i]
	}
	return n
}

// flips are the bulbs of a switch, ascending. They may stand in list.
func (p *Puzzle) flips(i int, list []int) []int {
	if p.told != nil {
		return p.told[i]
	}
	list = p.pattern.bulbs(list[:0], p.cols, p.rows, p.wrap, p.cells, i)
	if p.wrap != "" {
		slices.Sort(list)
	}
	return list
}

// newGrid is a grid whose switches flip what a pattern says.
func newGrid(cols, rows int, cells []cell, pt pattern, wrap string) *Puzzle {
	return &Puzzle{cols: cols, rows: rows, cells: cells, pattern: pt, wrap: wrap}
}

// New makes a puzzle, or says what is wrong with the description.
func New(s Spec) (*Puzzle, error) {
	if len(s.Nodes) > MaxNodes || len(s.Flips) > MaxFlips {
		return nil, fmt.Errorf("switches: %d nodes and %d flips, want at most %d and %d", len(s.Nodes), len(s.Flips), MaxNodes, MaxFlips)
	}
	p := &Puzzle{cols: s.Cols, rows: s.Rows, cells: make([]cell, len(s.Nodes))}
	if s.Rows == 0 {
		p.names = make([]string, len(s.Nodes))
	}
	for i, n := range s.Nodes {
		if p.cells[i] = cellOf(n); s.Rows == 0 {
			p.names[i] = n.Name
		}
	}
	switch {
	case s.Cols == 0 && s.Rows == 0:
	case s.Cols <= 0 || s.Rows <= 0 || s.Cols > len(s.Nodes) || s.Cols*s.Rows != len(s.Nodes):
		return nil, fmt.Errorf("switches: a grid of %d×%d with %d nodes", s.Cols, s.Rows, len(s.Nodes))
	}
	seen := map[string]bool{}
	for i, n := range s.Nodes {
		if n.Kind > Hole || n.Kind == Hole && p.rows == 0 {
			return nil, fmt.Errorf("switches: node %d is of kind %d", i, n.Kind)
		}
		if n.Kind == Both || n.Kind == Lamp {
			if n.Now|n.Want|1 != 1 {
				return nil, fmt.Errorf("switches: %s goes from state %d to %d, want 0 or 1", p.name(i), n.Now, n.Want)
			}
		} else if n.Now != 0 || n.Want != 0 {
			return nil, fmt.Errorf("switches: %s is no bulb and has state %d, wanted %d", p.name(i), n.Now, n.Want)
		}
		if p.rows > 0 {
			if n.Name != "" {
				return nil, fmt.Errorf("switches: node %d of a grid is named %q", i, n.Name)
			}
			continue
		}
		if !goodName(n.Name) {
			return nil, fmt.Errorf("switches: node %d is named %q, want a word without '=', ':', '>', '#', '/'", i, n.Name)
		}
		if seen[n.Name] {
			return nil, fmt.Errorf("switches: two nodes are named %q", n.Name)
		}
		seen[n.Name] = true
	}
	p.told = make([][]int, len(s.Nodes))
	count := make([]int, len(s.Nodes))
	for _, f := range s.Flips {
		if f.Switch >= 0 && f.Switch < len(count) {
			count[f.Switch]++
		}
	}
	slab := make([]int, len(s.Flips))
	for i, n := range count {
		if n > 0 {
			p.told[i], slab = slab[:0:n], slab[n:]
		}
	}
	for _, f := range s.Flips {
		if f.Switch < 0 || f.Switch >= len(s.Nodes) || f.Bulb < 0 || f.Bulb >= len(s.Nodes) {
			return nil, fmt.Errorf("switches: a flip of node %d by node %d, of %d nodes", f.Bulb, f.Switch, len(s.Nodes))
		}
		if !p.cells[f.Switch].button() {
			return nil, fmt.Errorf("switches: %s has no switch and cannot flip %s", p.name(f.Switch), p.name(f.Bulb))
		}
		if !p.cells[f.Bulb].bulb() {
			return nil, fmt.Errorf("switches: %s is no bulb for %s to flip", p.name(f.Bulb), p.name(f.Switch))
		}
		p.told[f.Switch] = append(p.told[f.Switch], f.Bulb)
	}
	for i, fs := range p.told {
		slices.Sort(fs)
		for j := 1; j < len(fs); j++ {
			if fs[j] == fs[j-1] {
				return nil, fmt.Errorf("switches: %s flips %s twice", p.name(i), p.name(fs[j]))
			}
		}
	}
	if p.rows > 0 {
		if pt, wrap, rest := p.shape(); len(rest) == 0 {
			p.pattern, p.wrap, p.told = pt, wrap, nil
		}
	}
	return p, nil
}

// goodName tells whether the text form can hold a name.
func goodName(s string) bool {
	return s != "" && s != "all" && !strings.ContainsAny(s, "=:>#/") && strings.IndexFunc(s, notInName) < 0
}

// notInName holds for spaces of all kinds, and for what is not printed.
func notInName(r rune) bool { return !('!' <= r && r <= '~' || r > 0xa0 && printed(r)) }

// name is what a node is called in the text and in messages.
func (p *Puzzle) name(i int) string {
	if p.rows > 0 {
		return fmt.Sprintf("%d,%d", i%p.cols, i/p.cols)
	}
	return p.names[i]
}

// said is what a person calls a node, counting from 1.
func (p *Puzzle) said(i int) string {
	if p.rows > 0 {
		return fmt.Sprintf("in column %d row %d", i%p.cols+1, i/p.cols+1)
	}
	return p.names[i]
}

// centre is where node i is clicked.
func (p *Puzzle) centre(i int) image.Point {
	if p.rows > 0 {
		return image.Pt(2*(i%p.cols)+1, 2*(i/p.cols)+1)
	}
	return image.Pt(2*i+1, 1)
}

// Spec describes the puzzle; New makes it again.
func (p *Puzzle) Spec() Spec {
	s := Spec{Cols: p.cols, Rows: p.rows}
	var list []int
	for i := range p.cells {
		s.Nodes = append(s.Nodes, p.node(i))
		list = p.flips(i, list)
		for _, bulb := range list {
			s.Flips = append(s.Flips, Flip{i, bulb})
		}
	}
	return s
}

// Bounds is the cells that switches and bulbs stand in, in half-cells.
func (p *Puzzle) Bounds() image.Rectangle {
	if p.rows > 0 {
		return image.Rect(0, 0, 2*p.cols+1, 2*p.rows+1)
	}
	return image.Rect(0, 0, 2*len(p.cells)+1, 3)
}

// The rules, as Check names them.
const (
	ruleClick  = "click"
	ruleWanted = "wanted"
)

// Rules lists the rules that Check names.
func rules() []solve.Rule {
	return []solve.Rule{
		{Name: ruleClick, Doc: "Every stroke is one click on a switch."},
		{Name: ruleWanted, Doc: "After all clicks every bulb is in its wanted state."},
	}
}

// Check clicks and looks at the bulbs.
func (p *Puzzle) Check(_ context.Context, s solve.Solution) error {
	b := p.play()
	for i, stroke := range s {
		if len(stroke) != 1 {
			at := image.Point{}
			if len(stroke) > 0 {
				at = stroke[0]
			}
			return &solve.RuleError{Rule: ruleClick, At: at, Got: fmt.Sprintf("stroke %d has %d points, want a click, which has 1", i+1, len(stroke))}
		}
		at := stroke[0]
		node := -1
		switch col, row := (at.X-1)/2, (at.Y-1)/2; {
		case at.X < 1 || at.Y < 1 || at.X%2 == 0 || at.Y%2 == 0:
		case p.rows > 0 && col < p.cols && row < p.rows:
			node = row*p.cols + col
		case p.rows == 0 && row == 0 && col < len(p.cells):
			node = col
		}
		if node < 0 || !p.cells[node].button() {
			return &solve.RuleError{Rule: ruleClick, At: at, Got: fmt.Sprintf("click %d hits no switch", i+1)}
		}
		b.press(node)
	}
	return b.judge()
}

// A played is a board as it stands after clicks.
type played struct {
	*Puzzle
	now  []cell
	list []int
}

func (p *Puzzle) play() *played { return &played{p, slices.Clone(p.cells), nil} }

func (p *played) press(node int) {
	p.list = p.flips(node, p.list)
	for _, bulb := range p.list {
		p.now[bulb] ^= lit
	}
}

func (p *played) judge() error {
	for i, c := range p.now {
		if c.now() != c.want() {
			return &solve.RuleError{Rule: ruleWanted, At: p.centre(i), Got: fmt.Sprintf("bulb %s is %s, want %s", p.said(i), called(c.now()), called(c.want()))}
		}
	}
	return nil
}

// called is a state in words.
func called(state int) string { return [...]string{"dark", "lit"}[state] }

// Size is a grid's number of columns and rows; of a plain graph that of its
// nodes, and 1.
func (p *Puzzle) Size() (cols, rows int) {
	if p.rows == 0 {
		return len(p.cells), 1
	}
	return p.cols, p.rows
}

// Features lists what the puzzle has that the usual grid of crosses has not.
func (p *Puzzle) Features() []string {
	has := map[string]bool{"graph": p.rows == 0}
	for _, c := range p.cells {
		switch c.kind() {
		case Lamp:
			has["lamps"] = true
		case Button:
			has["buttons"] = true
		case Hole:
			has["holes"] = true
		}
		has["want"] = has["want"] || c.bulb() && c.want() != 1
	}
	if p.rows > 0 {
		pt, wrap, rest := p.shape()
		has["wrap"] = wrap != ""
		has["own-flips"] = len(rest) > 0
		if pt.name != "cross" {
			has[pt.name] = true
		}
	}
	maps.DeleteFunc(has, func(_ string, is bool) bool { return !is })
	return slices.Sorted(maps.Keys(has))
}
