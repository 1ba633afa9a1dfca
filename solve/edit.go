package solve

import (
	"fmt"
	"image"
	"slices"
	"strconv"
)

// An Editor is how boards of a family are drawn by hand, told as data: whoever
// shows it needs to know no family. Every edit leads from a whole board to a
// whole board, so that a list of texts is all that undoing takes.
type Editor struct {
	// Blank is a board of cols × rows cells with little or nothing in it.
	Blank func(cols, rows int) (Puzzle, error)
	// Tools are what can be done to a board. The first takes no place: it sets
	// what concerns the board as a whole, as its size, and its fields hold the
	// board's present values.
	Tools func(Puzzle) []Tool
	// Places are where something stands or can stand, in reading order.
	Places func(Puzzle) []Place
	// Apply does one thing, and returns the board after it. What stands at a
	// place already as the tool would put it there is taken away. An error says
	// why it cannot be done.
	Apply func(Puzzle, Edit) (Puzzle, error)
}

// EditorOf is the editor of puzzles of one type.
func EditorOf[P Puzzle](blank func(cols, rows int) (P, error), tools func(P) []Tool, places func(P) []Place, apply func(P, Edit) (P, error)) Editor {
	return Editor{
		Blank:  func(cols, rows int) (Puzzle, error) { return blank(cols, rows) },
		Tools:  func(p Puzzle) []Tool { return tools(p.(P)) },
		Places: func(p Puzzle) []Place { return places(p.(P)) },
		Apply:  func(p Puzzle, e Edit) (Puzzle, error) { return apply(p.(P), e) },
	}
}

// A Tool does one thing to a board.
type Tool struct {
	Name  string `json:"name"`  // short and stable
	Label string `json:"label"` // for people
	Mark  string `json:"mark"`  // a character or two that stand for it
	Doc   string `json:"doc"`   // a sentence
	// On lists the kinds of places that it goes on; Takes is how many of them
	// one use takes: 0, 1 or 2.
	On     []string `json:"on"`
	Takes  int      `json:"takes"`
	Fields []Field  `json:"fields"`
}

// A FieldKind says how a field is filled in.
type FieldKind string

// The kinds of fields. Their values are text.
const (
	Choice  FieldKind = "choice"  // one of Choices
	Colour  FieldKind = "colour"  // one of Choices, a word or #rrggbb
	Number  FieldKind = "number"  // from Least to Most
	Squares FieldKind = "squares" // squares of a grid of Most × Most, as ##/.#
	Flag    FieldKind = "flag"    // "on" or ""
	Words   FieldKind = "words"   // any text
)

// A Field is one wish that a tool takes.
type Field struct {
	Name    string    `json:"name"`
	Label   string    `json:"label"`
	Doc     string    `json:"doc,omitempty"`
	Kind    FieldKind `json:"kind"`
	Choices []string  `json:"choices,omitempty"`
	Least   int       `json:"least"`
	Most    int       `json:"most"`
	Value   string    `json:"value"` // what it is at first
	// Stays says that it is asked of the next change and no part of the board, which forgets it.
	Stays bool `json:"stays,omitempty"`
}

// A Place is a spot of a board that tools go on.
type Place struct {
	At   image.Point // half-cells
	Kind string      // as in Tool.On
	Says string      // what stands there, in words; "" for nothing
}

// An Edit is one use of a tool.
type Edit struct {
	Tool   string
	At     []image.Point     // as many as the tool takes
	Values map[string]string // of its fields; those left out are as at first
}

// Do checks an edit against the tools and the places of the board, fills in
// what was left out, and applies it.
func (e *Editor) Do(p Puzzle, edit Edit) (Puzzle, error) {
	tools := e.Tools(p)
	i := slices.IndexFunc(tools, func(t Tool) bool { return t.Name == edit.Tool })
	if i < 0 {
		return nil, fmt.Errorf("no tool %q", edit.Tool)
	}
	t := tools[i]
	if len(edit.At) != t.Takes {
		return nil, fmt.Errorf("%s at %d places, want %d", t.Label, len(edit.At), t.Takes)
	}
	if len(edit.At) > 0 {
		kinds := map[image.Point]string{}
		for _, place := range e.Places(p) {
			kinds[place.At] = place.Kind
		}
		for _, at := range edit.At {
			if !slices.Contains(t.On, kinds[at]) {
				return nil, fmt.Errorf("%s at %s, want one of %v there", t.Label, PlaceName(at), t.On)
			}
		}
	}
	values := map[string]string{}
	for _, f := range t.Fields {
		v, ok := edit.Values[f.Name]
		if !ok {
			v = f.Value
		}
		if err := f.check(v); err != nil {
			return nil, err
		}
		values[f.Name] = v
	}
	return e.Apply(p, Edit{edit.Tool, edit.At, values})
}

func (f *Field) check(v string) error {
	switch f.Kind {
	case Choice:
		if !slices.Contains(f.Choices, v) {
			return fmt.Errorf("%s is %q, want one of %v", f.Label, v, f.Choices)
		}
	case Flag:
		if v != "" && v != "on" {
			return fmt.Errorf("%s is %q, want on or nothing", f.Label, v)
		}
	case Number:
		if n, err := strconv.Atoi(v); err != nil || n < f.Least || n > f.Most {
			return fmt.Errorf("%s is %q, want a number from %d to %d", f.Label, v, f.Least, f.Most)
		}
	}
	return nil
}

// Int is the value of a Number field that Do has checked.
func (e *Edit) Int(name string) int {
	n, _ := strconv.Atoi(e.Values[name]) // checked
	return n
}

// On tells whether a Flag is set.
func (e *Edit) On(name string) bool { return e.Values[name] == "on" }

// FlagOf is the value of a Flag field.
func FlagOf(on bool) string {
	if on {
		return "on"
	}
	return ""
}

// MoveTools turn a whole board and flip it, where Moved does.
func MoveTools() []Tool {
	return []Tool{
		{Name: "turn", Label: "Turn", Mark: "↻", Doc: "turns the board by a quarter"},
		{Name: "flip", Label: "Flip", Mark: "⇄", Doc: "has left and right change places"},
	}
}

// Moved is the size of a board that was turned or flipped by a tool of MoveTools, where its
// half-cells go, and which way a direction of it points then; ok is false for other tools.
func Moved(tool string, cols, rows int) (newCols, newRows int, to, way func(image.Point) image.Point, ok bool) {
	switch tool {
	case "turn":
		return rows, cols, func(at image.Point) image.Point { return image.Pt(2*rows-at.Y, at.X) }, func(d image.Point) image.Point { return image.Pt(-d.Y, d.X) }, true
	case "flip":
		return cols, rows, func(at image.Point) image.Point { return image.Pt(2*cols-at.X, at.Y) }, func(d image.Point) image.Point { return image.Pt(-d.X, d.Y) }, true
	}
	return 0, 0, nil, nil, false
}

// NumberField is a field for a number from least to most.
func NumberField(name, label string, value, least, most int) Field {
	return Field{Name: name, Label: label, Kind: Number, Value: strconv.Itoa(value), Least: least, Most: most}
}

// A Hand is how an answer to a puzzle is entered by hand, told as data: lines
// that are drawn along a lattice, or choices at places.
type Hand struct {
	Lattice *Lattice // nil: by choices
	Choices []ChoicePlace
}

// A Lattice is what lines are drawn along. Its nodes lie two half-cells apart,
// edges between them.
type Lattice struct {
	Cols, Rows int         // of cells between the nodes
	Origin     image.Point // the puzzle's half-cell at the lattice's (0,0)
	Pillar     bool        // x wraps round
	// Symmetry is how a second line follows: mirror, flip, rotation, parallel
	// or turned, as package witness has them; "" without.
	Symmetry string
	Spots    []Spot // the half-cells of the lattice that are not plain
	// Ends are the pairs of ends, in half-cells of the lattice, that lines lead
	// from one to the other of; without them one line leads from a start to a
	// cap.
	Ends [][2]image.Point
	// Tip says that a stroke ends with the half-cell in its cap.
	Tip bool
}

// A Spot is a half-cell of a lattice.
type Spot struct {
	At    image.Point // of the lattice
	Gap   int         // 0 whole, 1 an edge broken in its middle, 2 missing
	Start bool
	Cap   image.Point // where the end here points; zero: none
	// As is what stands for it in a stroke, in the puzzle's half-cells; nil: it
	// does itself.
	As *image.Point
}

// A ChoicePlace is a place at which one of several things is chosen; the first is
// chosen before anything is.
type ChoicePlace struct {
	At   image.Point
	Ways []Solution // the strokes of each
	Says []string   // each in a word or two
}
