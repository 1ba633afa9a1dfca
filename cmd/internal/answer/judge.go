package answer

import (
	"context"
	"errors"
	"fmt"

	"onlooker/solve"
	"onlooker/solve/limits"
	"onlooker/vision"
)

// A WrongError says that what the solver found is no answer: a mistake of the
// program's.
type WrongError struct {
	What string // was found
	Err  error
}

func (e *WrongError) Error() string { return fmt.Sprintf("check: %s is wrong: %v", e.What, e.Err) }

func (e *WrongError) Unwrap() error { return e.Err }

// confirm is why what was found is not given: it is wrong, or there was no time for the check
// to tell, which has some of its own; nil: it is right.
func confirm(ctx context.Context, what string, p solve.Puzzle, a Answer) (err error) {
	if a.Best != nil && a.Best.Packed != nil {
		err = a.Best.Packed.Check()
	} else {
		err = solve.Judge(limits.WithGrace(ctx), p, a.Solution)
	}
	switch {
	case err == nil:
		return nil
	case errors.As(err, new(*solve.UnjudgedError)):
		return fmt.Errorf("check: %s could not be checked: %w", what, err)
	}
	return &WrongError{what, err}
}

// Judge holds what somebody else says is an answer against its puzzle: a
// *solve.RuleError, the context's error, or a mistake of the program's.
func Judge(ctx context.Context, p solve.Puzzle, s solve.Solution) error {
	_, err := vision.Guarded(func() (struct{}, error) { return struct{}{}, solve.Judge(ctx, p, s) })
	return err
}
