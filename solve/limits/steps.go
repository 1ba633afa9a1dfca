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

// graceSteps is how often a context with grace may be asked after its deadline: some
// 100 ms of processor time for what asks each 50 microseconds.
const graceSteps = 2000

// A graceContext outlasts its parent's deadline a little.
type graceContext struct {
	context.Context
	left atomic.Int64
}

// WithGrace is a context for the last step of what was found before the deadline, or just
// at it: from then on it may be asked some times more. When it is cancelled it ends at
// once. Who waits on Done instead of asking Err waits for ever.
func WithGrace(parent context.Context) context.Context {
	c := &graceContext{Context: parent}
	c.left.Store(graceSteps)
	return c
}

func (c *graceContext) Done() <-chan struct{} { return nil }

func (c *graceContext) Err() error {
	err := c.Context.Err()
	if err != context.DeadlineExceeded || c.left.Add(-1) < 0 {
		return err
	}
	return nil
}

// look is how much is added between two looks at the context: variables,
// literals and edges, half a millisecond's worth.
const look = 1 << 12

// A Meter counts what a problem is made of while it is stated, and lets the
// statement of a large one end with a context: an engine's methods that add
// variables, clauses or edges return nothing, and are left by a panic that Run
// catches. The zero Meter is ready.
type Meter struct {
	ctx   context.Context // nil outside Run
	since int             // added since the context was looked at
}

// ended is what leaves the statement when its context ended.
type ended struct{ err error }

// Add counts so many more variables, literals or edges. Inside Run it does not
// return once the context has ended.
func (m *Meter) Add(n int) {
	if m.since += n; m.since < look || m.ctx == nil {
		return
	}
	m.since = 0
	if err := m.ctx.Err(); err != nil {
		panic(ended{err})
	}
}

// Run calls state, which states a problem and counts it by Add. When the
// context ends first, Run leaves state where it is and returns the context's
// error; what was stated is of no use then.
func (m *Meter) Run(ctx context.Context, state func()) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.ctx = ctx
	defer func() {
		m.ctx = nil
		if r := recover(); r != nil {
			end, ok := r.(ended)
			if !ok {
				panic(r)
			}
			err = end.err
		}
	}()
	state()
	return nil
}
