package solve

import (
	"context"
	"errors"
	"fmt"
	"testing"
)

// judged is a puzzle whose Check says the same of every solution.
type judged struct {
	Puzzle
	says error
}

func (j judged) Check(context.Context, Solution) error { return j.says }

func TestJudge(t *testing.T) {
	broken := &RuleError{Rule: "gap"}
	for _, row := range []struct {
		says     error
		unjudged bool
	}{
		{nil, false},
		{broken, false},
		{context.Canceled, true},
		{fmt.Errorf("check: %w", context.DeadlineExceeded), true},
	} {
		err := Judge(t.Context(), judged{says: row.says}, nil)
		if !errors.Is(err, row.says) || errors.As(err, new(*UnjudgedError)) != row.unjudged {
			t.Errorf("Check says %v, and Judge %T %v; want unjudged %v", row.says, err, err, row.unjudged)
		}
		if row.says != nil && err.Error() != row.says.Error() {
			t.Errorf("%q, want %q", err, row.says)
		}
	}
}
