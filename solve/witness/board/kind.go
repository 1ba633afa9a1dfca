package board

import (
	"image"
	rand "math/rand/v2"
	"strings"

	"onlooker/solve"
)

// A Kind is a kind of symbol: its name, its words, its shape and its numbers, as
// data. What its rule is, how it is searched for and how it is dealt, each room
// has in a table of its own, with a row for it. Kinds are equal or not; the zero
// Kind is NoSymbol.
type Kind struct{ of *Facts }

// NewKind is a kind that is like no other one.
func NewKind(a Facts) Kind {
	if a.By != nil {
		a.Alone = a.By.ByLine()
		a.Fixed = a.Fixed || a.By.Test.Over()
	}
	return Kind{&a}
}

// NoSymbol is the kind of an empty cell.
var NoSymbol Kind

// The kinds of The Witness.
var (
	// Hexagon is the kind of all dots: a line covers each.
	Hexagon = NewKind(Facts{
		Name: "dot", Called: "a dot", Shape: "hexagon",
		Rule:   solve.Rule{Name: "dot", Doc: "Every dot is covered, a coloured one by its own line."},
		Broken: "a dot that no line covers",
		OnLine: true, Alone: true, Windmill: 6,
	})
	// Polyomino: it tiles its region, with the others there.
	Polyomino = NewKind(Facts{
		Name: "piece", Called: "a piece", Shape: "polyomino",
		Rule:    pieceRule(),
		Broken:  "the region's pieces do not fill it",
		Implied: Yellow, Own: true, Squares: 1, Slow: true, Windmill: 9, Site: "poly",
	})
	// Negative: a blue polyomino, which is taken away from the others.
	Negative = NewKind(Facts{
		Name: "negative piece", Called: "a blue piece", Shape: "negative",
		Rule:    pieceRule(),
		Broken:  "the region's pieces do not fill it",
		Implied: Blue, Own: true, Squares: -1, Slow: true, Windmill: 9, Site: "ylop",
	})
	// Triangle: as many of its cell's four sides are covered as it has triangles.
	Triangle = NewKind(Facts{
		Name: "triangle", Called: "triangles", Shape: "triangle",
		Rule:    solve.Rule{Name: "triangle", Doc: "The line covers as many of a cell's sides as it has triangles."},
		Broken:  "another number of sides covered",
		Implied: Orange, Own: true, Most: 4, Alone: true, Windmill: 11, Site: "triangle",
	})
	// Square: one colour of square per region.
	Square = NewKind(Facts{
		Name: "square", Called: "a square", Shape: "square",
		Rule:   solve.Rule{Name: "square", Doc: "The squares of a region have one colour."},
		Broken: "squares of two colours in one region",
		Needs:  true, Windmill: 7, Site: "square",
	})
	// Star: exactly two things of its colour in its region.
	Star = NewKind(Facts{
		Name: "star", Called: "a star", Shape: "star",
		Rule:   solve.Rule{Name: "star", Doc: "A star's region holds exactly two things of its colour, itself included."},
		Broken: "not two things of the star's colour in its region",
		Needs:  true, Windmill: 8, Site: "star",
	})
	// Eraser: it removes one wrong symbol of its region, and itself.
	Eraser = NewKind(Facts{
		Name: "eraser", Called: "an eraser", Shape: "eraser",
		Rule:    solve.Rule{Name: "eraser", Doc: "Each eraser removes one wrong symbol of its region, and itself."},
		Implied: White, Erases: true, Windmill: 10, Site: "nega",
	})
)

func pieceRule() solve.Rule {
	return solve.Rule{Name: "piece", Doc: "The pieces of a region, less the blue ones, fill it or come to nothing."}
}

// Kinds lists the kinds in the order in which a panel is dealt: what needs whole
// regions first, what is wrong on purpose last.
func Kinds() []Kind {
	return []Kind{Hexagon, Polyomino, Negative, Triangle, Square, Star, Arrow, AntiTriangle, Cave, Mines, Flower, Dart, Eraser}
}

// Facts are what is known of a kind wherever it stands: words and numbers.
type Facts struct {
	Name    string // its words in the text form
	Called  string // in messages, with an article
	Shape   string // that it is drawn as
	Rule    solve.Rule
	Broken  string // what Check found when the rule is broken
	OnLine  bool   // it lies on nodes and edges, not in cells
	Implied Colour // where the text names none; The Windmill's own
	Needs   bool   // a colour, since its rule is about that
	Own     bool   // in every panel by hand that colour is not another such kind's
	Most    int    // it comes in numbers from 1 to this; 0: it does not
	Squares int    // it has a shape: 1 to be laid, -1 to be taken away from those
	Alone   bool   // whether it is wrong is told by the line alone
	Erases  bool   // it takes what is wrong, and itself
	Slow    bool   // judging it may take a search: it comes last
	Zero    bool   // its numbers begin at 0
	Behind  bool   // its number stands behind its name
	Ways    int    // it has a direction: one of 4 or of 8; 0: none
	Fixed   bool   // no eraser takes it
	// Starless: stars do not count it.
	Starless bool
	// By is its rule as columns; nil: each room has a row for it.
	By     *Columns
	Figure *Figure // nil: the form of its shape is known where it is drawn
	// How others write it: the number of its type on The Windmill's wire, and
	// its type on witnesspuzzles.com.
	Windmill uint64
	Site     string

	like *Facts // whose rules it has; nil: its own
}

// Least is its smallest number.
func (a Facts) Least() int {
	if a.Zero {
		return 0
	}
	return 1
}

// Directions are the 4 or 8 that a symbol may have, clockwise from the upper one.
func Directions(ways int) []image.Point {
	all := []image.Point{{Y: -1}, {X: 1, Y: -1}, {X: 1}, {X: 1, Y: 1}, {Y: 1}, {X: -1, Y: 1}, {X: -1}, {X: -1, Y: -1}}
	if ways == 8 {
		return all
	}
	return []image.Point{all[0], all[2], all[4], all[6]}
}

// About is what is known of the kind; nothing of NoSymbol.
func (k Kind) About() Facts {
	if k == NoSymbol {
		return Facts{}
	}
	return *k.of
}

// String is the kind's name in the text form.
func (k Kind) String() string {
	if k == NoSymbol {
		return "nothing"
	}
	return k.of.Name
}

// Called is what a message calls a symbol of the kind: "a blue piece".
func (k Kind) Called() string {
	if k == NoSymbol {
		return "nothing"
	}
	return k.of.Called
}

// Word is what a person calls a symbol of the kind: "blue piece".
func (k Kind) Word() string {
	for _, article := range []string{"a ", "an "} {
		if word, ok := strings.CutPrefix(k.Called(), article); ok {
			return word
		}
	}
	return k.String()
}

// ShapeName names the shape that a symbol of the kind is drawn as; "" for
// NoSymbol.
func (k Kind) ShapeName() string { return k.About().Shape }

// OnLine tells whether it lies on nodes and edges; all others lie in cells.
func (k Kind) OnLine() bool { return k != NoSymbol && k.of.OnLine }

// Erases tells whether it takes what is wrong.
func (k Kind) Erases() bool { return k != NoSymbol && k.of.Erases }

// Squares tells whether it has a shape of squares: 1 to be laid, -1 to be taken
// away; 0: it has none.
func (k Kind) Squares() int {
	if k == NoSymbol {
		return 0
	}
	return k.of.Squares
}

// IsPiece tells whether it has a shape of squares to be laid or taken away.
func (k Kind) IsPiece() bool { return k.Squares() != 0 }

// By is the kind's rule as columns; nil: it has none.
func (k Kind) By() *Columns { return k.About().By }

// Most is how many may stand in one cell, for a kind that comes in numbers; 0
// for all others.
func (k Kind) Most() int { return k.About().Most }

// OwnColour tells whether its symbols have a colour that no other such kind's
// have: nobody draws triangles in the colour of pieces.
func (k Kind) OwnColour() bool { return k.About().Own }

// As is a kind with the rules of this one, under a name of its own and drawn as
// another shape.
func (k Kind) As(name, shape string) Kind {
	a := *k.of
	if shape != a.Shape {
		a.Figure = nil
	}
	a.Name, a.Called, a.Shape = name, name, shape
	a.like = k.Like().of
	return Kind{&a}
}

// Like is the kind whose rules this one has: itself, unless it was made by As.
func (k Kind) Like() Kind {
	if k != NoSymbol && k.of.like != nil {
		return Kind{k.of.like}
	}
	return k
}

// Sample is any symbol of a kind.
func (k Kind) Sample(rng *rand.Rand) Symbol {
	a := k.About()
	s := Symbol{Kind: k, Colour: a.Implied}
	if a.Needs && s.Colour == "" {
		s.Colour = White
	}
	if a.Most > 0 {
		s.Count = a.Least() + rng.IntN(a.Most-a.Least()+1)
	}
	if a.Ways > 0 {
		s.Way = Directions(a.Ways)[rng.IntN(a.Ways)]
	}
	if a.Squares != 0 {
		s.Shape = []image.Point{{}}
	}
	return s
}

// words lists the words of kinds' names.
func words(kinds []Kind) []string {
	var all []string
	for _, k := range kinds {
		all = append(all, strings.Fields(k.of.Name)...)
		if k.of.Most > 0 {
			all = append(all, k.of.Name+"s")
		}
	}
	return all
}
