package limits

import (
	"context"
	"sync"
	"sync/atomic"
)

// Cores are processors that puzzles share which are solved at the same time: each
// has one while it is solved, and a search that can use more gets those that are
// left, before the next puzzle begins. So a hard puzzle among many has the machine
// to itself as soon as the others that have begun are done, and no two searches
// share a processor.
type Cores struct{ free chan struct{} }

// NewCores returns so many processors, at least 1.
func NewCores(n int) *Cores {
	c := &Cores{make(chan struct{}, n)}
	for range n {
		c.free <- struct{}{}
	}
	return c
}

// Take waits for a processor; Leave gives it back. The error is the context's, and
// nothing was taken then.
func (c *Cores) Take(ctx context.Context) error {
	select {
	case <-c.free:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Leave gives back what Take took.
func (c *Cores) Leave() { c.free <- struct{}{} }

type coresKey struct{}

// WithCores returns a context for a puzzle that was given one of c: Helpers goes
// by it.
func WithCores(ctx context.Context, c *Cores) context.Context {
	return context.WithValue(ctx, coresKey{}, c)
}

// Helpers asks for up to n processors more than the one that a search has. Each
// value that comes is one, and all are given back by leave, which must be called.
// Without WithCores all come at once.
func Helpers(ctx context.Context, n int) (more <-chan struct{}, leave func()) {
	come := make(chan struct{}, n)
	c, _ := ctx.Value(coresKey{}).(*Cores)
	if c == nil {
		for range n {
			come <- struct{}{}
		}
		return come, func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var asking sync.WaitGroup
	var taken atomic.Int64
	for range n {
		asking.Go(func() {
			if c.Take(ctx) == nil {
				taken.Add(1)
				come <- struct{}{}
			}
		})
	}
	return come, func() {
		cancel()
		asking.Wait()
		for range taken.Load() {
			c.Leave()
		}
	}
}
