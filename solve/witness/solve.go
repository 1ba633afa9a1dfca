package witness

import (
	"context"
	"fmt"
	"iter"

	"onlooker/solve"
	"onlooker/solve/path"
)

// A search is one panel being solved.
type search struct {
	p *Panel
	s *path.Solver
	l *layout
	m *model
	r *regions
}

func (p *Panel) newSearch() (*search, error) {
	if err := p.Valid(); err != nil {
		return nil, err
	}
	s := path.New()
	q := &search{p: p, s: s, l: newLayout(p, s)}
	q.m = newModel(q.l, s)
	q.r = newRegions(q.l, q.m)
	q.r.attach(s)
	return q, nil
}

// each calls visit for every line that answers the panel, until it returns
// false; true when all were visited.
func (q *search) each(ctx context.Context, visit func() bool) (bool, error) {
	status, err := q.s.Each(ctx, func() []path.Lit {
		if !visit() {
			return nil
		}
		var not []path.Lit
		for _, list := range [][]path.Lit{q.l.edgeLits, q.l.start, q.l.end} {
			for _, x := range list {
				if q.s.Value(x) {
					not = append(not, x.Not())
				}
			}
		}
		return not
	})
	return status == path.Unsat, err
}

// answers are the strokes of the line found: on a symmetric panel it may be
// drawn from either of two starts.
func (q *search) answers() ([]solve.Solution, error) {
	var all []solve.Solution
	for k, at := range q.l.startAt {
		if !q.s.Value(q.l.start[k]) {
			continue
		}
		a := solve.Solution{q.l.stroke(at, q.s.Value)}
		if err := q.p.Check(a); err != nil {
			return nil, fmt.Errorf("internal error: the answer %v found for the panel fails its check: %w", a, err)
		}
		all = append(all, a)
	}
	return all, nil
}

// Solve returns an answer that Check accepts, or solve.ErrUnsolvable when it
// is proved that there is none. It gives the same answer in every run.
func (p *Panel) Solve(ctx context.Context) (solve.Solution, error) {
	q, err := p.newSearch()
	if err != nil {
		return nil, err
	}
	var found []solve.Solution
	all, err2 := q.each(ctx, func() bool {
		found, err = q.answers()
		return false
	})
	switch {
	case err2 != nil:
		return nil, err2
	case err != nil:
		return nil, err
	case all:
		return nil, solve.ErrUnsolvable
	}
	return found[0], nil
}

// All yields every answer once; on a symmetric panel a line drawn from the
// other start is another answer.
func (p *Panel) All(ctx context.Context) iter.Seq2[solve.Solution, error] {
	return func(yield func(solve.Solution, error) bool) {
		q, err := p.newSearch()
		if err != nil {
			yield(nil, err)
			return
		}
		stopped := false
		_, err = q.each(ctx, func() bool {
			list, err := q.answers()
			if err != nil {
				yield(nil, err)
				stopped = true
				return false
			}
			for _, a := range list {
				if !yield(a, nil) {
					stopped = true
					return false
				}
			}
			return true
		})
		if err != nil && !stopped {
			yield(nil, err)
		}
	}
}

// Count counts the answers that All yields, up to limit (none if it is 0 or
// less).
func (p *Panel) Count(ctx context.Context, limit int) (int, error) {
	n := 0
	for _, err := range p.All(ctx) {
		if err != nil {
			return n, err
		}
		if n++; n == limit {
			break
		}
	}
	return n, nil
}
