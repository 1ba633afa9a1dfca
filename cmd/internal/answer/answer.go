// Package answer answers puzzles: it asks the store, solves, checks what was
// found, says why there is no answer, counts, and keeps what it found. Whatever
// shows or enters an answer gets it here.
package answer

import (
	"context"
	"errors"
	"fmt"
	"image"
	"iter"
	"time"

	"onlooker/cmd/internal/store"
	"onlooker/solve"
	"onlooker/solve/limits"
	"onlooker/vision"
)

// An Answer is a solution, and its cost where the family counts one.
type Answer struct {
	Solution solve.Solution
	Best     *solve.BestAnswer // nil: answers of this puzzle have no cost
}

// A Question is a puzzle that is to be answered.
type Question struct {
	Family string
	Puzzle solve.Puzzle
	// Report is told how far the solver has come, as solve.Reporter says; nil: nobody is.
	Report func(done, estimate float64)
	// Why says that where there is no answer the reason is wanted: a proof of the
	// store without one does not do.
	Why bool
	// Packed says that an answer may be packed, where a family has such.
	Packed bool
	// Otherwise is another puzzle that the same picture shows, for where this one has
	// no answer; nil, or nil from it: there is none. Bare comes back in the Result.
	Otherwise func(solve.Puzzle) (other solve.Puzzle, bare []image.Point)
}

// A Result is what became of a Question.
type Result struct {
	Answer
	// Err is why there is no answer: solve.ErrUnsolvable where that was proved, a
	// *WrongError, a *limits.MemoryError, the context's or the solver's own.
	Err error
	// Kept is when the store's answer or proof was found; nil: it was found now.
	Kept *time.Time
	// Reason is why there is no answer, where the store or Why told.
	Reason Reason
	// Other is the puzzle that was answered, where it is not the question's; of its
	// half-cells Bare are as Otherwise gave them.
	Other solve.Puzzle
	Bare  []image.Point
	// Any says that the answer is one of all, not the cheapest.
	Any bool
	// Took is the time of solving, Recalled that of asking the store, and Checked that
	// of the check; Checked is 0 where there was nothing to check.
	Took, Recalled, Checked time.Duration
}

// A Reason is why a puzzle has no answer.
type Reason struct {
	Text  string // "" where it is not known
	Where []image.Point
}

// A Service answers puzzles. The zero Service solves each anew and keeps nothing.
type Service struct {
	Memory  Memory // nil: none is asked, and nothing is kept
	Version string // of the solver, which what is kept is marked with
}

// Answer answers a puzzle: from the memory, or else by solving it. Of answers with
// a cost it is the cheapest that is found. More memory than the context gives ends
// it with a *limits.MemoryError.
func (s *Service) Answer(ctx context.Context, q Question) (r Result) {
	ctx, stop := limits.Watch(ctx)
	defer stop()
	_, fault := vision.Guarded(func() (struct{}, error) {
		p := q.Puzzle
		if !s.recall(ctx, q, &r) {
			start := time.Now()
			r.Answer, r.Err = search(ctx, p, q.Report, q.Packed)
			if errors.Is(r.Err, solve.ErrUnsolvable) && q.Otherwise != nil {
				if other, bare := q.Otherwise(p); other != nil {
					if also, no := search(ctx, other, nil, q.Packed); no == nil {
						p, r.Answer, r.Err, r.Other, r.Bare = other, also, nil, other, bare
					}
				}
			}
			r.Took = time.Since(start)
		}
		if r.Err == nil {
			start := time.Now()
			if err := confirm(ctx, "the answer found", p, r.Answer); err != nil {
				r.Answer, r.Err = Answer{}, err
			}
			r.Checked = max(1, time.Since(start))
		}
		return struct{}{}, nil
	})
	if fault != nil {
		r = Result{Err: fmt.Errorf("solve: %w", fault)}
	}
	r.Err = limits.Cause(ctx, r.Err)
	return r
}

// recall takes a result from the memory, and tells whether that had one.
func (s *Service) recall(ctx context.Context, q Question, r *Result) bool {
	if s.Memory == nil {
		return false
	}
	start := time.Now()
	known := s.Memory.Recall(ctx, q.Family, q.Puzzle, s.Version)
	switch {
	case known == nil || known.Proof != nil && q.Why && known.Proof.Why == "":
		return false
	case known.Proof != nil:
		r.Err, r.Kept = solve.ErrUnsolvable, &known.Proof.At
		r.Reason = Reason{known.Proof.Why, known.Proof.Where}
	default:
		r.Answer, r.Kept = Answer{Solution: known.Answer.Solution}, &known.Answer.At
		if best := known.Answer.Best; best != nil && best.Unit != "" {
			r.Best = best
		}
	}
	r.Recalled = time.Since(start)
	return true
}

func search(ctx context.Context, p solve.Puzzle, report func(done, estimate float64), packed bool) (Answer, error) {
	if m, ok := p.(solve.Minimiser); ok {
		fewest := m.Fewest
		if packer, ok := p.(solve.Packer); ok && packed {
			fewest = packer.FewestPacked
		}
		best, err := fewest(ctx)
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

// All yields all answers of a puzzle, each checked. An error is the last that it
// yields; none at all is solve.ErrUnsolvable.
func (s *Service) All(ctx context.Context, q Question) iter.Seq2[solve.Solution, error] {
	return func(yield func(solve.Solution, error) bool) {
		all, ok := q.Puzzle.(solve.Enumerator)
		if !ok {
			yield(nil, fmt.Errorf("%s cannot list all answers: %w", q.Family, solve.ErrNotSupported))
			return
		}
		ctx, stop := limits.Watch(ctx)
		defer stop()
		n, outside := 0, false // in the caller's hands
		_, err := vision.Guarded(func() (struct{}, error) {
			for answer, err := range all.All(ctx) {
				if err != nil {
					return struct{}{}, err
				}
				n++
				if err := confirm(ctx, fmt.Sprintf("answer %d", n), q.Puzzle, Answer{Solution: answer}); err != nil {
					return struct{}{}, err
				}
				outside = true
				more := yield(answer, nil)
				outside = false
				if !more {
					return struct{}{}, errEnough
				}
			}
			if n == 0 {
				return struct{}{}, solve.ErrUnsolvable
			}
			return struct{}{}, nil
		})
		var fault *vision.Fault
		switch {
		case outside:
			panic(err) // the caller's own
		case err == errEnough || err == nil:
			return
		case errors.As(err, &fault):
			err = fmt.Errorf("solve: %w", fault)
		}
		yield(nil, limits.Cause(ctx, err))
	}
}

// errEnough says that no more answers are wanted.
var errEnough = errors.New("enough")

// Why tells why a puzzle has no answer, in a proof that was checked. An error that
// is a solve.ErrNotSupported says that it cannot be told; a puzzle that has no
// reasons gives an empty one.
func (s *Service) Why(ctx context.Context, p solve.Puzzle) (Reason, error) {
	prover, ok := p.(solve.Prover)
	if !ok {
		return Reason{}, nil
	}
	return guarded(ctx, "why", func(ctx context.Context) (Reason, error) {
		proof, err := prover.Why(ctx)
		if err == nil {
			err = prover.CheckProof(ctx, proof)
		}
		if err != nil {
			return Reason{}, err
		}
		return Reason{proof.Text(), proof.Where()}, nil
	})
}

// A Count is how many answers a puzzle has.
type Count struct {
	Answers int
	AtLeast bool // there may be more
	// Groups is how many differ as What says; nil where the family tells none.
	Groups *int
	What   string
}

// Count counts a puzzle's answers, up to a limit where it is more than 0.
func (s *Service) Count(ctx context.Context, p solve.Puzzle, limit int) (Count, error) {
	counter, ok := p.(solve.Counter)
	if !ok {
		return Count{}, fmt.Errorf("count: answers of this family are not counted: %w", solve.ErrNotSupported)
	}
	return guarded(ctx, "count", func(ctx context.Context) (c Count, err error) {
		if c.Answers, err = counter.Count(ctx, limit); err != nil {
			return Count{}, err
		}
		c.AtLeast = limit > 0 && c.Answers >= limit
		if g, ok := p.(solve.Grouper); ok {
			c.Groups = new(int)
			*c.Groups, c.What, err = g.CountGroups(ctx, limit)
		}
		return c, err
	})
}

// guarded does what a family does beside answering: it ends for want of memory, and
// its panics are errors. Those begin with what.
func guarded[T any](ctx context.Context, what string, do func(context.Context) (T, error)) (T, error) {
	ctx, stop := limits.Watch(ctx)
	defer stop()
	out, err := vision.Guarded(func() (T, error) { return do(ctx) })
	if err != nil {
		err = fmt.Errorf("%s: %w", what, limits.Cause(ctx, err))
	}
	return out, err
}

// Standing tells by which readings of the rules an answer is right; the zero
// Standing where its family has one reading.
func (s *Service) Standing(ctx context.Context, p solve.Puzzle, answer solve.Solution) solve.Standing {
	h, ok := p.(solve.Holder)
	if !ok {
		return solve.Standing{}
	}
	ctx, stop := limits.Watch(ctx)
	defer stop()
	return h.Holds(ctx, answer)
}

// News is what is to be kept of a puzzle: where it was seen, and the result where
// it is new; nil: nobody asked.
func (s *Service) News(family string, p solve.Puzzle, r *Result, seen ...store.Origin) store.News {
	n := store.News{Family: family, Puzzle: p, Seen: seen}
	switch {
	case r == nil || r.Kept != nil || r.Best != nil && r.Best.Packed != nil:
	case r.Err == nil:
		best := r.Best
		if _, costs := p.(solve.Minimiser); costs && best == nil {
			best = &solve.BestAnswer{Solution: r.Solution} // this puzzle's answers cost nothing
		}
		if r.Any {
			best = nil
		}
		n.Answers = []store.KeptAnswer{{Solution: r.Solution, Best: best, Took: r.Took, Solver: s.Version, At: time.Now(), Own: true}}
	case errors.Is(r.Err, solve.ErrUnsolvable):
		n.Proof = &store.Proof{Why: r.Reason.Text, Where: r.Reason.Where, Took: r.Took, Solver: s.Version, At: time.Now(), Own: true}
	}
	return n
}

// Begin begins to keep what is new of a puzzle. The function waits until it is kept, but
// not for long: a store that others write to stands in nobody's way.
func (s *Service) Begin(n store.News) (wait func() error) {
	if s.Memory == nil {
		return func() error { return nil }
	}
	done := s.Memory.Begin(n)
	return func() error {
		select {
		case err := <-done:
			return err
		case <-time.After(time.Second):
			return nil
		}
	}
}

// Status names how a board ended: solved (no error), unsolvable, unsure,
// timeout, too-large or error.
func Status(err error) string {
	switch {
	case err == nil:
		return Solved
	case errors.Is(err, solve.ErrUnsolvable):
		return Unsolvable
	case errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	case errors.As(err, new(*vision.UnsureError)):
		return Unsure
	case errors.As(err, new(*limits.MemoryError)):
		return "too-large"
	}
	return Failed
}

// What Status gives that others ask for.
const (
	Solved     = "solved"
	Unsolvable = "unsolvable"
	Unsure     = "unsure"
	Failed     = "error"
)
