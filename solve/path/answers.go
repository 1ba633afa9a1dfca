package path

import (
	"context"
	"iter"
)

// Count is how many assignments differ in which literals of answer are true,
// at most limit where that is above 0. No assignment's true ones may all be
// true in another as well: so it is where they are the edges of complete paths.
func (s *Solver) Count(ctx context.Context, answer []Lit, limit int) (int, error) {
	n := 0
	_, err := s.Each(ctx, func() []Lit {
		if n++; n == limit {
			return nil
		}
		return s.another(answer)
	})
	return n, err
}

// All yields what read makes of each assignment that Count counts; after an
// error nothing more.
func All[T any](ctx context.Context, s *Solver, answer []Lit, read func() T) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		stopped := false
		_, err := s.Each(ctx, func() []Lit {
			if stopped = !yield(read(), nil); stopped {
				return nil
			}
			return s.another(answer)
		})
		if err != nil && !stopped {
			var none T
			yield(none, err)
		}
	}
}

// another is the clause that one of answer's true literals is not true.
func (s *Solver) another(answer []Lit) []Lit {
	clause := make([]Lit, 0, len(answer))
	for _, l := range answer {
		if s.Value(l) {
			clause = append(clause, l.Not())
		}
	}
	return clause
}
