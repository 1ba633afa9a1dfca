package path

import "context"

// stopped is what leaves Build when its context ended.
type stopped struct{ err error }

// growLook is how many literals, variables and edges are added between two
// looks at Build's context: half a millisecond's worth.
const growLook = 1 << 12

func (s *Solver) grow(by int) {
	if s.grown += by; s.grown < growLook || s.building == nil {
		return
	}
	s.grown = 0
	if err := s.building.Err(); err != nil {
		panic(stopped{err})
	}
}

// Build calls state, which states a problem: variables, clauses, vertices and
// edges. When the context ends first, Build leaves state where it is, in the
// middle of one of the Solver's methods, and returns the context's error; the
// Solver is of no use then.
func (s *Solver) Build(ctx context.Context, state func()) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.building = ctx
	defer func() {
		s.building = nil
		if r := recover(); r != nil {
			end, ok := r.(stopped)
			if !ok {
				panic(r)
			}
			err = end.err
		}
	}()
	state()
	return nil
}
