package witness

import (
	"image"
	"math/rand/v2"
	"slices"
	"strings"

	"onlooker/solve"
)

// A Kind is a kind of symbol: all that this package knows of one, and the name
// of the shape that it is drawn as. A symbol carries its kind, so a kind that
// is in no list is solved, checked, written and drawn like any other. Kinds are
// equal or not; the zero Kind is NoSymbol.
type Kind struct{ definition }

// NoSymbol is the kind of an empty cell.
var NoSymbol Kind

// Kinds lists the kinds, each from the file named after it, in the order in
// which a panel is dealt: what needs whole regions first, what is wrong on
// purpose last.
func Kinds() []Kind {
	return []Kind{Hexagon, Polyomino, Negative, Triangle, Square, Star, Eraser}
}

// A definition is what a kind is to the rest of the package. Check and the
// search each have their own account of its rule.
type definition interface {
	about() about

	// wrong is the rule for Check: of the kind's own symbols that are left in a
	// region, those that are wrong.
	wrong(v *view, own []image.Point) []image.Point

	// met is the rule for the search where it goes by the sides of the
	// symbol's cell alone: whether it is right when just these (see dirs) are
	// covered.
	met(s *Symbol, sides [4]bool) bool
	// bad is the rule for the search otherwise: whether the symbols of a heap
	// are wrong in a region with these contents.
	bad(t *tally, h *heap) bool
	// bears tells whether the symbols of a heap may come right when one of
	// another symbol is erased.
	bears(h *heap, erased *item, rules *RuleSet) bool
	// state adds clauses for the kind's own symbols, given by their numbers in
	// items; none need be.
	state(m *model, own []int32)
	// erased adds clauses that say when a symbol is erased; none need be.
	erased(m *model, it *item)
	// limits are what the kind's own symbols want of a part of a region; none
	// need be.
	limits(m *model, own []int32) []limit

	// deal puts as many symbols on a panel as are wanted.
	deal(g *generator) error
	// mix sets what a panel that is about this kind may hold; false where no
	// panel is.
	mix(o *GenerateOptions, d draw) bool
}

// An about is what of a kind are words and numbers.
type about struct {
	name    string // its words in the text form
	called  string // in messages, with an article
	shape   string // see ShapeName
	rule    solve.Rule
	broken  string // what Check found when the rule is broken
	onLine  bool   // it lies on nodes and edges, not in cells
	implied Colour // where the text names none; The Windmill's own
	needs   bool   // a colour, since its rule is about that
	own     bool   // in every panel by hand that colour is not another such kind's
	most    int    // it comes in numbers from 1 to this; 0: it does not
	squares int    // it has a shape: 1 to be laid, -1 to be taken away from those
	alone   bool   // whether it is wrong is told by the sides of its cell
	content bool   // or by what stands in its region, wherever that is
	erases  bool   // it takes what is wrong, and itself
	mates   bool   // its region is followed cell by cell: see label
	slow    bool   // judging it may take a search: it comes last
	// How others write it: the number of its type on The Windmill's wire, and
	// its type on witnesspuzzles.com.
	windmill uint64
	site     string
}

// String is the kind's name in the text form.
func (k Kind) String() string {
	if k == NoSymbol {
		return "nothing"
	}
	return k.about().name
}

// Called is what a message calls a symbol of the kind: "a blue piece".
func (k Kind) Called() string {
	if k == NoSymbol {
		return "nothing"
	}
	return k.about().called
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
func (k Kind) ShapeName() string {
	if k == NoSymbol {
		return ""
	}
	return k.about().shape
}

// OnLine tells whether it lies on nodes and edges; all others lie in cells.
func (k Kind) OnLine() bool { return k != NoSymbol && k.about().onLine }

// IsPiece tells whether it has a shape of squares to be laid or taken away.
func (k Kind) IsPiece() bool { return k != NoSymbol && k.about().squares != 0 }

// Most is how many may stand in one cell, for a kind that comes in numbers; 0
// for all others.
func (k Kind) Most() int {
	if k == NoSymbol {
		return 0
	}
	return k.about().most
}

// OwnColour tells whether its symbols have a colour that no other such kind's
// have: nobody draws triangles in the colour of pieces.
func (k Kind) OwnColour() bool { return k != NoSymbol && k.about().own }

// sample is any symbol of a kind.
func (k Kind) sample(rng *rand.Rand) Symbol {
	a := k.about()
	s := Symbol{Kind: k, Colour: a.implied}
	if a.needs && s.Colour == "" {
		s.Colour = White
	}
	if a.most > 0 {
		s.Count = 1 + rng.IntN(a.most)
	}
	if a.squares != 0 {
		s.Shape = []image.Point{{}}
	}
	return s
}

// ordered sorts kinds as Kinds lists them, others behind, those that are slow to
// judge last of all.
func ordered(kinds []Kind) []Kind {
	list := Kinds()
	rank := func(k Kind) int {
		i := slices.Index(list, k)
		if i < 0 {
			i = len(list)
		}
		if k.about().slow {
			i += len(list) + 1
		}
		return i
	}
	slices.SortStableFunc(kinds, func(a, b Kind) int { return rank(a) - rank(b) })
	return kinds
}

// words lists the words of kinds' names.
func words(kinds []Kind) []string {
	var all []string
	for _, k := range kinds {
		all = append(all, strings.Fields(k.about().name)...)
		if k.about().most > 0 {
			all = append(all, k.about().name+"s")
		}
	}
	return all
}

// A renamed kind is another one under other names.
type renamed struct {
	definition
	name, shape string
}

func (r renamed) about() about {
	a := r.definition.about()
	a.name, a.called, a.shape = r.name, r.name, r.shape
	return a
}

// As is a kind with the rules of this one, under a name of its own and drawn as
// another shape.
func (k Kind) As(name, shape string) Kind { return Kind{renamed{k.definition, name, shape}} }

// A plainKind is what most kinds are in what they do not say themselves: it has no
// clauses, and what is erased may bear on it.
type plainKind struct{}

func (plainKind) met(*Symbol, [4]bool) bool         { return true }
func (plainKind) bad(*tally, *heap) bool            { return false }
func (plainKind) bears(*heap, *item, *RuleSet) bool { return true }
func (plainKind) state(*model, []int32)             {}
func (plainKind) erased(*model, *item)              {}
func (plainKind) limits(*model, []int32) []limit    { return nil }
func (plainKind) deal(*generator) error             { return nil }
func (plainKind) mix(*GenerateOptions, draw) bool {
	return false
}
