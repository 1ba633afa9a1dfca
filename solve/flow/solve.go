package flow

import (
	"context"
	"iter"

	"onlooker/solve"
	"onlooker/solve/path"
)

// Family is Flow Free and Numberlink for the rest of the program.
var Family = solve.Family{
	Name:     "flow",
	Doc:      "Join each pair of ends by a path; paths do not cross (Flow Free, Numberlink).",
	Rules:    rules(),
	Formats:  formats(),
	Generate: generate,
	Wishes:   wishes(),
	Make:     toOrder,
}

// Solve finds an answer, or proves that there is none. Where nothing forbids
// a path to touch itself, answers without that are looked for first.
func (p *Puzzle) Solve(ctx context.Context) (solve.Solution, error) {
	return p.SolveProgress(ctx, nil)
}

// SolveProgress is Solve and tells how far it has come: see path.Meter.
func (p *Puzzle) SolveProgress(ctx context.Context, report func(done, estimate float64)) (solve.Solution, error) {
	x, err := p.find(ctx, path.NewMeter(report))
	if err != nil {
		return nil, err
	}
	if x == nil {
		return nil, solve.ErrUnsolvable
	}
	return x.solution(), nil
}

// Effort counts the conflicts of Solve.
func (p *Puzzle) Effort(ctx context.Context) (int, string, error) {
	meter := &path.Meter{Report: func(float64, float64) {}}
	x, err := p.find(ctx, meter)
	if err == nil && x == nil {
		err = solve.ErrUnsolvable
	}
	return int(meter.Conflicts()), "conflicts", err
}

func (x *search) solution() solve.Solution {
	out := solve.Solution{}
	for _, s := range x.strokes(x.found()) {
		out = append(out, solve.Stroke(s))
	}
	return out
}

// Count is the number of answers, at most limit where that is above 0. To
// know whether a Flow Free board has a single answer, count under NoTouch.
func (p *Puzzle) Count(ctx context.Context, limit int) (int, error) {
	x, err := p.all(ctx)
	if err != nil {
		return 0, err
	}
	return x.s.Count(ctx, x.edges(), limit)
}

// All yields the answers one by one.
func (p *Puzzle) All(ctx context.Context) iter.Seq2[solve.Solution, error] {
	return func(yield func(solve.Solution, error) bool) {
		x, err := p.all(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		path.All(ctx, x.s, x.edges(), x.solution)(yield)
	}
}
