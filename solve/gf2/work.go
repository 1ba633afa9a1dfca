package gf2

import "context"

// askEvery is how many words or coefficients are worked on between two looks at
// the context: about a millisecond's worth.
const askEvery = 1 << 20

// missed is how much work a step counts as whose memory is in no cache.
const missed = 32

// A worker asks the context whether to go on.
type worker struct {
	ctx  context.Context
	done int   // since it was asked last
	err  error // the context's, once it ended
}

// ended counts work, and tells whether the context has ended.
func (w *worker) ended(work int) bool {
	if w.done += work; w.done >= askEvery {
		w.done = 0
		if w.err == nil {
			w.err = w.ctx.Err()
		}
	}
	return w.err != nil
}
