package solve

import (
	"context"
	"errors"
)

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
