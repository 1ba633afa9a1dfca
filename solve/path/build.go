package path

import "context"

// Build calls state, which states a problem: variables, clauses, vertices and
// edges. When the context ends first, Build leaves state where it is, in the
// middle of one of the Solver's methods, and returns the context's error; the
// Solver is of no use then.
func (s *Solver) Build(ctx context.Context, state func()) error { return s.stated.Run(ctx, state) }
