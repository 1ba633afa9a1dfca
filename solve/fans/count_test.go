package fans

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
)

// ending is a context that ends the nth time that it is asked, and counts on.
type ending struct {
	context.Context
	n, asked int
}

func (e *ending) Err() error {
	if e.asked++; e.asked >= e.n {
		return context.Canceled
	}
	return nil
}

// TestCountEnds ends the context while the count is thousands of choices deep: none of them goes
// on with its other outcome, and asks again.
func TestCountEnds(t *testing.T) {
	p := Generate(rand.New(rand.NewPCG(1, 1)), 200, 200, Options{})
	all := ending{Context: t.Context(), n: 1 << 30}
	_, err := p.model(&all)
	if err != nil {
		t.Fatal(err)
	}
	before := all.asked
	for _, n := range []int{1, 2, 10, 60} {
		ctx := ending{Context: t.Context(), n: before + n}
		_, _, err := p.CountGroups(&ctx, 2)
		if !errors.Is(err, context.Canceled) || ctx.asked > ctx.n+1 {
			t.Errorf("ended at question %d: %v, asked %d times", ctx.n, err, ctx.asked)
		}
	}
}
