package witness

import (
	"context"
	"fmt"

	"onlooker/solve"
)

// Solve returns an answer that Check accepts, or solve.ErrUnsolvable.
func (p *Panel) Solve(ctx context.Context) (solve.Solution, error) {
	return nil, fmt.Errorf("panels: %w", solve.ErrNotSupported)
}
