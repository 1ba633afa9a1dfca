package web

import (
	"context"
	"errors"
	"time"
)

const (
	// turns are how many questions are under way at a time; they share the processors, so that a
	// small one is answered soon beside large ones.
	turns = 12
	// patience is how long a question waits for a turn: what runs may run for hours, and clients
	// commonly give up without a word after a minute.
	patience = 20 * time.Second
)

// errBusy says that too much is under way already.
var errBusy = errors.New("too much is asked at once: try again in a moment")

// A queue holds a value for each turn that is taken, and has places for so many.
type queue chan struct{}

// turn waits for a turn; the caller calls end when it is done. It is errBusy where none came in time.
func (q queue) turn(ctx context.Context) (end func(), err error) {
	late := time.NewTimer(patience)
	defer late.Stop()
	select {
	case q <- struct{}{}:
		return func() { <-q }, nil
	case <-late.C:
		return nil, errBusy
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
