package agent

import (
	"context"

	"onlooker/solve"
)

// An Answer is a solution, and its cost where the family counts one.
type Answer struct {
	Solution solve.Solution
	Best     *solve.Best // nil: answers of this puzzle have no cost
}

// Solve answers a puzzle; of answers with a cost the cheapest that is found.
func Solve(ctx context.Context, p solve.Puzzle) (Answer, error) {
	if m, ok := p.(solve.Minimiser); ok {
		best, err := m.Fewest(ctx)
		if err != nil {
			return Answer{}, err
		}
		answer := Answer{Solution: best.Solution}
		if best.Unit != "" {
			answer.Best = &best
		}
		return answer, nil
	}
	s, err := p.Solve(ctx)
	return Answer{Solution: s}, err
}
