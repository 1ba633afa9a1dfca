package limits

import "context"

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
