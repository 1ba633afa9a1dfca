package limits

import (
	"context"
	"sync/atomic"
)

// A stepContext ends when it was asked often enough.
type stepContext struct {
	context.Context
	left atomic.Int64
}

// WithSteps is a context that ends when it has been asked n times whether it has ended,
// with context.DeadlineExceeded. Solvers ask once in a fixed number of steps, so
// that a search that it bounds gives the same on every machine. It has no channel of
// its own: who waits on Done instead of asking Err waits for the parent.
func WithSteps(parent context.Context, n int) context.Context {
	c := &stepContext{Context: parent}
	c.left.Store(int64(n))
	return c
}

func (c *stepContext) Err() error {
	if err := c.Context.Err(); err != nil {
		return err
	}
	if c.left.Add(-1) < 0 {
		return context.DeadlineExceeded
	}
	return nil
}
