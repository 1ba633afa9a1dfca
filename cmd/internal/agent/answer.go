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
	return SolveProgress(ctx, p, nil)
}

// SolveProgress is Solve, and where the family can tell how far it has come,
// report is told as solve.Reporter says. More memory than the context gives
// (solve.WithMemory) ends it with a *solve.MemoryError.
func SolveProgress(ctx context.Context, p solve.Puzzle, report func(done, estimate float64)) (Answer, error) {
	ctx, stop := solve.Watch(ctx)
	defer stop()
	answer, err := solveProgress(ctx, p, report)
	return answer, solve.Cause(ctx, err)
}

func solveProgress(ctx context.Context, p solve.Puzzle, report func(done, estimate float64)) (Answer, error) {
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
	if r, ok := p.(solve.Reporter); ok && report != nil {
		s, err := r.SolveProgress(ctx, report)
		return Answer{Solution: s}, err
	}
	s, err := p.Solve(ctx)
	return Answer{Solution: s}, err
}
