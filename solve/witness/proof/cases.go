package proof

import (
	"context"
	"fmt"
	"image"
	"slices"

	"onlooker/solve"
	"onlooker/solve/witness/board"
)

// manyLines are too many to be looked at one by one: 4×4 cells have 8,512 from corner to corner.
const manyLines = 10_000

// Cases goes through all lines of a panel one by one: each leaves a clue of the proof wrong, and
// counts for the first. Where there are too many lines each case has one that leaves no other
// clue wrong, where a search finds one. A line that meets them all is an error.
func (v Prover) Cases(ctx context.Context, p *board.Panel, proof solve.Proof) ([]solve.Case, error) {
	c, ok := proof.(*Conflict)
	if !ok {
		return nil, fmt.Errorf("witness: a proof of type %T, want *witness.Conflict", proof)
	}
	if c.Odd {
		return nil, nil // that they were counted tells all
	}
	v = v.withBystanders()
	_, without := apart(p)
	meets := func(s solve.Solution, clues []image.Point) bool {
		return v.Rules.Check(ctx, without(p, clues), s) == nil
	}
	cases, lines := make([]solve.Case, len(c.Clues)), 0
	for s, err := range v.Solver.All(ctx, only(p, nil)) {
		if err != nil {
			return nil, err
		}
		if lines++; lines > manyLines {
			break
		}
		i := 0
		for i < len(cases) && meets(s, c.Clues[:i+1]) {
			i++
		}
		if i == len(cases) {
			return nil, fmt.Errorf("witness: the clues of the proof are met by %v", s)
		}
		if cases[i].Lines++; cases[i].Lines == 1 {
			cases[i].Line = s
		}
	}
	for i, at := range c.Clues {
		if lines > manyLines {
			rest := slices.Concat(c.Clues[:i], c.Clues[i+1:])
			s, err := v.Solver.Solve(ctx, without(p, rest))
			if err != nil || !meets(s, rest) {
				s = nil
			}
			cases[i] = solve.Case{Line: s}
		}
		cases[i].Clue, cases[i].Called = at, c.names[i]
		if cases[i].Line == nil {
			continue
		}
		l, wrong := v.Rules.Draw(ctx, only(p, nil), cases[i].Line)
		if wrong != nil {
			return nil, wrong
		}
		for _, r := range l.Regions() {
			cases[i].Regions = append(cases[i].Regions, r.Cells)
		}
	}
	return cases, nil
}
