// Package witness is the panels of The Witness as a family of puzzles. It is a face:
// what it does stands in the rooms.
//
//	board         panels, symbols, rule sets: data
//	forms         text, links and JSON
//	rules         Check
//	search        the solver
//	deal          the generator and the Challenge
//	proof         why there is no answer
//	edit          panels changed by hand
//	symbols       kinds of symbols from files
//	witnesstest   panels for tests
//
// A kind of symbol is data in board; rules, search and deal each have a table with a
// row for it, or read its columns.
package witness

import (
	"context"
	"iter"
	rand "math/rand/v2"

	"onlooker/solve"
	"onlooker/solve/witness/board"
	"onlooker/solve/witness/deal"
	"onlooker/solve/witness/edit"
	"onlooker/solve/witness/forms"
	"onlooker/solve/witness/proof"
	"onlooker/solve/witness/rules"
	"onlooker/solve/witness/search"
)

// Editor changes panels by hand.
var Editor = NewEditor(board.Kinds(), nil)

// NewEditor is the editor with a tool for each of these kinds of symbols.
func NewEditor(kinds []board.Kind, rooms *Rooms) solve.Editor { return edit.Editor(kinds, rooms.wrap) }

// Family is the panels of The Witness.
var Family = NewFamily(board.Kinds(), nil)

// NewFamily is the family with these kinds of symbols: those that its formats
// read, that its generator deals and whose rules it lists. The rows of those that
// are not in Kinds the rooms have; nil: there are none.
func NewFamily(kinds []board.Kind, rooms *Rooms) solve.Family {
	deck := rooms.deck(kinds)
	return solve.Family{
		Name:    "witness",
		Doc:     "panels of The Witness: a line from a start to an end that cuts the panel as its symbols want",
		Rules:   rules.Rules(kinds),
		Formats: forms.Formats(kinds, rooms.wrap),
		Generate: func(rng *rand.Rand, cols, rows int) solve.Puzzle {
			p, _ := deck.Any(context.Background(), rng, cols, rows) // an error is the context's
			return Puzzle{p, rooms}
		},
		Wishes:  deal.Wishes(kinds),
		Presets: deal.Presets(),
		Make: func(ctx context.Context, rng *rand.Rand, o solve.Order) (solve.Puzzle, error) {
			p, err := deck.Make(ctx, rng, o)
			if err != nil {
				return nil, err
			}
			return Puzzle{p, rooms}, nil
		},
	}
}

// Rooms are the tables of the rooms, which have a row for each kind of symbol. nil
// are those of Kinds.
type Rooms struct {
	Rules  rules.Table
	Search search.Table
	Deal   deal.Table
}

func (r *Rooms) rules() rules.Table {
	if r == nil {
		return rules.Rows()
	}
	return r.Rules
}

func (r *Rooms) solver() search.Solver {
	if r == nil {
		return search.Solver{Rows: search.Rows(), Last: rules.Rows()}
	}
	return search.Solver{Rows: r.Search, Last: r.Rules}
}

func (r *Rooms) deck(kinds []board.Kind) deal.Deck {
	rows := deal.Rows()
	if r != nil {
		rows = r.Deal
	}
	return deal.Deck{Kinds: kinds, Rows: rows, Rules: r.rules(), Solver: r.solver()}
}

func (r *Rooms) prover() proof.Prover { return proof.Prover{Rules: r.rules(), Solver: r.solver()} }

func (r *Rooms) wrap(p *board.Panel) solve.Puzzle { return Puzzle{p, r} }

// DealChallenge deals the panels of one kind of the Challenge: see package deal.
func DealChallenge(ctx context.Context, rng *rand.Rand, kind string) (deal.Deal, error) {
	return (*Rooms)(nil).deck(board.Kinds()).DealChallenge(ctx, rng, kind)
}

// A Puzzle is a panel to be answered, in one place: what it does stands in the
// rooms.
type Puzzle struct {
	*board.Panel
	rooms *Rooms
}

// Of is the puzzle that a panel poses.
func Of(p *board.Panel) Puzzle { return Puzzle{p, nil} }

// MarshalText gives the canonical text.
func (p Puzzle) MarshalText() ([]byte, error) { return forms.MarshalText(p.Panel) }

// String is the text, or what is wrong with the panel.
func (p Puzzle) String() string { return forms.String(p.Panel) }

// Check plays the solution by the panel's rules: see package rules.
func (p Puzzle) Check(ctx context.Context, s solve.Solution) error {
	return p.rooms.rules().Check(ctx, p.Panel, s)
}

// Faults lists all that is wrong with a solution.
func (p Puzzle) Faults(ctx context.Context, s solve.Solution) []*solve.RuleError {
	return p.rooms.rules().Faults(ctx, p.Panel, s)
}

// Open is Faults of a line that is begun, as if it ended where it is.
func (p Puzzle) Open(ctx context.Context, s solve.Solution) []*solve.RuleError {
	return p.rooms.rules().Open(ctx, p.Panel, s)
}

// Holds tells by which rule sets a solution that Check accepts is right.
func (p Puzzle) Holds(ctx context.Context, s solve.Solution) solve.Standing {
	return p.rooms.rules().Holds(ctx, p.Panel, s)
}

// SolveTraced is Solve, one line tried after the other.
func (p Puzzle) SolveTraced(ctx context.Context, step func(drawn func() solve.Solution)) (solve.Solution, error) {
	return p.rooms.solver().Traced(ctx, p.Panel, step)
}

// Solve returns an answer that Check accepts, or solve.ErrUnsolvable: see package
// search.
func (p Puzzle) Solve(ctx context.Context) (solve.Solution, error) {
	return p.rooms.solver().Solve(ctx, p.Panel)
}

// SolveProgress is Solve and tells how far it has come.
func (p Puzzle) SolveProgress(ctx context.Context, report func(done, estimate float64)) (solve.Solution, error) {
	return p.rooms.solver().SolveProgress(ctx, p.Panel, report)
}

// All yields every answer once.
func (p Puzzle) All(ctx context.Context) iter.Seq2[solve.Solution, error] {
	return p.rooms.solver().All(ctx, p.Panel)
}

// Count counts the answers that All yields, up to limit.
func (p Puzzle) Count(ctx context.Context, limit int) (int, error) {
	return p.rooms.solver().Count(ctx, p.Panel, limit)
}

// Why says which clues cannot be met together: see package proof.
func (p Puzzle) Why(ctx context.Context) (solve.Proof, error) {
	return p.rooms.prover().Why(ctx, p.Panel)
}

// CheckProof verifies such a proof with a solver of its own.
func (p Puzzle) CheckProof(ctx context.Context, proof solve.Proof) error {
	return p.rooms.prover().CheckProof(ctx, p.Panel, proof)
}

// Cases goes through a proof line by line.
func (p Puzzle) Cases(ctx context.Context, proof solve.Proof) ([]solve.Case, error) {
	return p.rooms.prover().Cases(ctx, p.Panel, proof)
}
