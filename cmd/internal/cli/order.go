package cli

import (
	"context"
	"iter"
)

// InOrder works on inputs, so many at once, and gives a channel for each, in
// their order. It ends with them or with the context.
func InOrder[In, Out any](ctx context.Context, inputs iter.Seq[In], workers, window int, work func(In) Out) <-chan chan Out {
	results := make(chan chan Out, window)
	slots := make(chan struct{}, workers)
	go func() {
		defer close(results)
		for in := range inputs {
			if ctx.Err() != nil {
				return
			}
			done := make(chan Out, 1)
			results <- done
			slots <- struct{}{}
			go func() {
				defer func() { <-slots }()
				done <- work(in)
			}()
		}
	}()
	return results
}
