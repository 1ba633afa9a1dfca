// Package solve is the contract between the stages: a puzzle is text, a
// solution is strokes, and every puzzle family is a value of type Family.
//
// Positions are half-cells: the centre of the cell in column c and row r is
// (2c+1, 2r+1), corners (nodes) have two even coordinates, the middle of an
// edge has one of each. x grows to the right and y downwards.
//
// Beside the standard library it imports the names of places alone.
package solve

import (
	"context"
	"encoding"
	"errors"
	"fmt"
	"image"
	"io"
	"iter"
	"math/rand/v2"
	"strings"
)

// ErrUnsolvable says that a puzzle was proved to have no answer. It is never
// returned for a search that gave up.
var ErrUnsolvable = errors.New("no solution")

// ErrNotSupported says that a solver does not know a feature of the puzzle
// yet. It is wrapped with the feature's name.
var ErrNotSupported = errors.New("not supported yet")

// A Rule is one rule of a family; Name is short and stable (RuleError refers
// to it), Doc is a sentence for people.
type Rule struct {
	Name string `json:"name"`
	Doc  string `json:"doc"`
}

// A RuleError says which rule a solution breaks, where, and how.
type RuleError struct {
	Rule string      // a name of Family.Rules
	At   image.Point // half-cells
	Got  string      // what was found there, and what was wanted
	// Place names At where its half-cells alone do not tell; "": PlaceName does.
	Place string
}

// WayName names a direction for people: "up-left".
func WayName(d image.Point) string {
	var words []string
	switch {
	case d.Y < 0:
		words = append(words, "up")
	case d.Y > 0:
		words = append(words, "down")
	}
	switch {
	case d.X < 0:
		words = append(words, "left")
	case d.X > 0:
		words = append(words, "right")
	}
	return strings.Join(words, "-")
}

func (e *RuleError) Error() string {
	where := e.Place
	if where == "" {
		where = PlaceName(e.At)
	}
	return fmt.Sprintf("rule %s broken at %s: %s", e.Rule, where, e.Got)
}

// A Stroke is one press, drag and release: press at the first point, visit the
// rest in order, release at the last. A stroke of one point is a click.
type Stroke []image.Point

// A Solution is the strokes that enter an answer.
type Solution []Stroke

// A Puzzle holds the clues of one board, never its answer. It does not change
// once made.
type Puzzle interface {
	// MarshalText gives the canonical text, which is the puzzle's identity.
	encoding.TextMarshaler
	// Bounds is the area in half-cells that solutions may touch.
	Bounds() image.Rectangle
	// Solve returns an answer that passes Check, ErrUnsolvable when it is
	// proved that there is none, or the context's error.
	Solve(ctx context.Context) (Solution, error)
	// Check plays the solution by the rules; it shares no code with Solve.
	// A broken rule is a *RuleError. Where judging takes a search, it ends with
	// the context and returns its error; otherwise the context is not looked at.
	Check(context.Context, Solution) error
}

// A Faulter can tell all that is wrong with a solution, place by place, where
// Check tells the first; nothing for an answer.
type Faulter interface {
	Faults(context.Context, Solution) []*RuleError
}

// An Opener can tell what a line that is begun has not made right yet.
type Opener interface {
	Open(context.Context, Solution) []*RuleError
}

// A Counter can say how many answers a puzzle has: min(number, limit).
// A limit of 0 or less means no limit.
type Counter interface {
	Count(ctx context.Context, limit int) (int, error)
}

// An Enumerator yields a puzzle's answers one by one, each once; after an
// error nothing more is yielded.
type Enumerator interface {
	All(ctx context.Context) iter.Seq2[Solution, error]
}

// A Proof is why a puzzle has no answer.
type Proof interface {
	// Text explains the proof in a line or a few.
	Text() string
	// Where lists the half-cells of the clues that cannot be met together.
	Where() []image.Point
}

// A Prover can say why a puzzle has no answer.
type Prover interface {
	// Why returns a proof, or an error when the puzzle has an answer or the
	// context ended.
	Why(ctx context.Context) (Proof, error)
	// CheckProof verifies a proof without trusting the solver that made it, or
	// returns the context's error.
	CheckProof(context.Context, Proof) error
}

// A Case is how lines fail at one clue of a proof.
type Case struct {
	Clue   image.Point
	Called string // what it is, in words
	// Lines is how many meet the clues before it and not this one; in all cases 0 where they
	// were not counted.
	Lines int
	// Line is one of them, or of those that were not counted one that meets all other clues;
	// nil where none was found.
	Line    Solution
	Regions [][]image.Point // the cells that it parts
}

// A Reasoner can go through a proof line by line, without trusting the solver that made it.
type Reasoner interface {
	Cases(context.Context, Proof) ([]Case, error)
}

// A Reporter solves as Solve does and tells its progress at least once a
// second: units of work done, and an estimate of all of them (0: unknown).
type Reporter interface {
	SolveProgress(ctx context.Context, report func(done, estimate float64)) (Solution, error)
}

// A Tracer solves as Solve does, one thing tried after the other, and calls step for each:
// drawn are the edges that are drawn then, each a stroke.
type Tracer interface {
	SolveTraced(ctx context.Context, step func(drawn func() Solution)) (Solution, error)
}

// A BestAnswer is the cheapest answer found. Cost and Bound are counted in Unit
// ("flips", "quarter turns"). No answer costs less than Bound: where the two
// are equal the answer is proved to be the cheapest. Unit is empty where the
// answers of this puzzle cost nothing.
type BestAnswer struct {
	Solution    Solution
	Packed      Packed // in place of the solution, from FewestPacked
	Unit        string
	Cost, Bound int
}

// A Minimiser has answers of which some cost less than others. Its Solve
// returns what Fewest does.
type Minimiser interface {
	// Fewest returns the cheapest answer found with a fixed amount of work, or
	// until the context ended where one was found before; or ErrUnsolvable, or
	// the context's error.
	Fewest(ctx context.Context) (BestAnswer, error)
}

// A Grouper has answers that differ only where it makes no difference.
type Grouper interface {
	// CountGroups counts answers that differ where it matters, to the limit as
	// Counter does; what says which those are, to be read after the number
	// ("that differ where wind reaches a turbine").
	CountGroups(ctx context.Context, limit int) (n int, what string, err error)
}

// Same tells whether two puzzles are known to be the same one.
func Same(a, b Puzzle) bool {
	s, err := a.MarshalText()
	t, err2 := b.MarshalText()
	return err == nil && err2 == nil && string(s) == string(t)
}

// A Holder has answers of which some are right by some readings of the rules
// only, as they are implemented here and there.
type Holder interface {
	// Holds tells by which readings an answer is right. It ends with the
	// context, and by itself before long: Solve prefers an answer that is right
	// by all where it soon finds one.
	Holds(context.Context, Solution) Standing
}

// A Standing names the readings of the rules by which a solution is right, by
// which it is not, and those of which that was not found out in time; all in
// the family's order.
type Standing struct{ Right, Wrong, Unknown []string }

// A Wish is something that a random puzzle may be asked for, as a number.
type Wish struct {
	Name string // of lower-case letters, digits and hyphens
	Doc  string // for people
	Most int    // the greatest number; 0: as many as there is room for
}

// A Preset is a sort of random puzzles that has a name.
type Preset struct {
	Name string // of lower-case letters, digits and hyphens
	Doc  string // for people
}

// An Order says what a random puzzle is to be like.
type Order struct {
	Cols, Rows int // of cells
	// Preset names one of the family's presets, which knows no wishes; "": none.
	Preset string
	// Wishes are numbers by the names of the family's wishes. What is not named
	// the family chooses where nothing is named, and leaves out otherwise.
	Wishes map[string]int
	// Unique asks for a puzzle with one answer, as Single tells. A family that
	// cannot aim at that makes any.
	Unique bool
}

// A GoalSetter is a puzzle of which something else may be wanted than its text could
// tell.
type GoalSetter interface {
	// WithGoal is the puzzle with another goal, in a word of the family's; an
	// error where it knows no such word.
	WithGoal(goal string) (Puzzle, error)
	// Goal is what is wanted, in such a word; "" where no word says it.
	Goal() string
}

// A Wraparound is a puzzle that may go round a pillar.
type Wraparound interface {
	// Around is how many half-cells go round it; 0: it is flat.
	Around() int
}

// A Namer has names of its own for places: of hexagons, which half-cells alone do
// not tell.
type Namer interface {
	PlaceName(at image.Point) string
}

// PlaceOf names a place of a puzzle's board.
func PlaceOf(p Puzzle, at image.Point) string {
	if n, ok := p.(Namer); ok {
		return n.PlaceName(at)
	}
	return PlaceName(at)
}

// A Teller has words of its own for what a stroke does: "flip a".
type Teller interface {
	// Tell gives them; the stroke is one of an answer that Check accepts.
	Tell(Stroke) string
}

// A Packer is a puzzle with answers that may be packed: where a board is too large to be
// drawn, that takes the place of strokes, of which each takes as much as 300 cells.
type Packer interface {
	Minimiser
	// FewestPacked is Fewest, with its answer packed.
	FewestPacked(ctx context.Context) (BestAnswer, error)
	// Pack packs an answer.
	Pack(Solution) Packed
}

// A Packed is an answer of a bit a cell.
type Packed interface {
	// Check plays it by the rules, as its puzzle's Check does.
	Check() error
	// Table writes it as rows of signs, below a line of what they mean.
	Table(io.Writer) error
	// Strokes are those that it takes the place of, in their order.
	Strokes() iter.Seq[Stroke]
}

// A Clicker is a puzzle whose strokes may be entered by clicks: a lamp's switch,
// a fan that turns by a quarter.
type Clicker interface {
	// Clicks are the clicks that a stroke of an answer takes, none where the board
	// is as the stroke wants it; an error where the board does not tell.
	Clicks(Stroke) ([]Click, error)
}

// A Click is one click on a board, and what is seen of it.
type Click struct {
	At image.Point // half-cell
	// Changes are the middles of the cells that look otherwise afterwards, each
	// once; nil: it is not known which.
	Changes []image.Point
}

// A Describer can say what a puzzle is like, for people who look for puzzles by
// it.
type Describer interface {
	// Size is the number of columns and rows of cells.
	Size() (cols, rows int)
	// Features lists what the puzzle has beyond what every puzzle of its family
	// has: words of lower-case letters, digits and hyphens, in order, each once.
	Features() []string
}

// A Format reads and writes puzzles of one family.
type Format struct {
	// Name is what `convert --to` calls it.
	Name string
	// Sniff tells from the first bytes (at least 512 where there are as many)
	// whether Decode should be tried.
	Sniff func(head []byte) bool
	// Decode yields the boards of a file in order; after an error that
	// concerns one board further boards may follow.
	Decode func(io.Reader) iter.Seq2[Puzzle, error]
	// Encode writes one puzzle; nil means that the format is only read.
	Encode func(io.Writer, Puzzle) error
	// Goal is what boards in this form are taken to want, in a word that a
	// GoalSetter knows, since their text does not tell; "": it tells.
	Goal string
	// Link is what makes a link of what Encode writes when it stands before it;
	// "" where there is no such page.
	Link string
	// Way says how others open what Encode writes, where no link does.
	Way string
}

// Encoder is the Encode of a form that write gives whole, of puzzles that are a P.
func Encoder[P any](write func(P) ([]byte, error)) func(io.Writer, Puzzle) error {
	return func(w io.Writer, puzzle Puzzle) error {
		p, ok := puzzle.(P)
		if !ok {
			return fmt.Errorf("a %T, want a puzzle of this family", puzzle)
		}
		text, err := write(p)
		if err == nil {
			_, err = w.Write(text)
		}
		return err
	}
}

// A Family is one kind of puzzle.
type Family struct {
	Name, Doc string
	Rules     []Rule
	// Formats are what the family reads; the first is the canonical text.
	Formats []Format
	// Generate makes a random puzzle of cols × rows cells that has a solution.
	Generate func(rng *rand.Rand, cols, rows int) Puzzle
	Side     int // of the largest board that is made, in cells; 0: as large as an Order may be
	// Wishes are what an Order may ask for, and Make makes what it asks for, or
	// says why not; one answer may be one. nil: only sizes can be chosen.
	Wishes []Wish
	// Presets are what an Order may name.
	Presets []Preset
	Make    func(ctx context.Context, rng *rand.Rand, o Order) (Puzzle, error)
}

// An UnjudgedError says that the context ended before it could be told whether a solution is
// right: it is neither.
type UnjudgedError struct {
	Err error // the context's
}

func (e *UnjudgedError) Error() string { return e.Err.Error() }

func (e *UnjudgedError) Unwrap() error { return e.Err }

// A Referee tells whether a solution is right, as Judge does.
type Referee func(context.Context, Puzzle, Solution) error

// Judge holds a solution against its puzzle: nil where it is an answer. An *UnjudgedError says
// that this is not known; any other error that it is none.
func Judge(ctx context.Context, p Puzzle, s Solution) error {
	err := p.Check(ctx, s)
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return &UnjudgedError{err}
	}
	return err
}

// Pairs gives a solution as numbers, [[[x,y],…],…]; nil stays nil.
func (s Solution) Pairs() [][][2]int {
	if s == nil {
		return nil
	}
	out := make([][][2]int, len(s))
	for i, stroke := range s {
		out[i] = PairsOf(stroke)
	}
	return out
}

// FromPairs is the solution that Pairs gave.
func FromPairs(pairs [][][2]int) (Solution, error) {
	// Half-cells of a board are few; larger numbers would overflow in sums.
	const most = 1 << 20
	s := make(Solution, len(pairs))
	for i, stroke := range pairs {
		s[i] = make(Stroke, len(stroke))
		for j, p := range stroke {
			if p[0] < -most || p[0] > most || p[1] < -most || p[1] > most {
				return nil, fmt.Errorf("stroke %d, point %d is (%d,%d), far off any board", i+1, j+1, p[0], p[1])
			}
			s[i][j] = image.Pt(p[0], p[1])
		}
	}
	return s, nil
}

// PairsOf gives places as numbers, [[x,y],…]; none are [].
func PairsOf(at []image.Point) [][2]int {
	out := make([][2]int, len(at))
	for i, p := range at {
		out[i] = [2]int{p.X, p.Y}
	}
	return out
}

// PointsOf are the places that PairsOf gave.
func PointsOf(pairs [][2]int) []image.Point {
	out := make([]image.Point, len(pairs))
	for i, p := range pairs {
		out[i] = image.Pt(p[0], p[1])
	}
	return out
}
