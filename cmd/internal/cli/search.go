package cli

import (
	"context"
	"errors"
	"time"

	"onlooker/solve"
)

const (
	// frame is how long a step is shown: long enough to be followed.
	frame = 60 * time.Millisecond
	// slow is how many steps are shown one by one, and then how many pictures each time until
	// twice as many steps lie between two: a search of a million takes a minute and a half.
	slow = 100
)

// DrawSearch solves a board once more and has what is tried drawn, at a speed that people follow.
func DrawSearch(ctx context.Context, t solve.Tracer, draw func(step int, drawn solve.Solution) error) error {
	step, pictures, every := 0, 0, 1
	var failed error
	_, err := t.SolveTraced(ctx, func(drawn func() solve.Solution) {
		if step++; step%every != 0 || failed != nil || ctx.Err() != nil {
			return
		}
		failed = draw(step, drawn())
		if pictures++; pictures%slow == 0 {
			every *= 2
		}
		select {
		case <-time.After(frame):
		case <-ctx.Done():
		}
	})
	if errors.Is(err, solve.ErrUnsolvable) {
		err = nil
	}
	return errors.Join(failed, err)
}
