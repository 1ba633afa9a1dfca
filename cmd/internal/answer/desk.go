package answer

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"onlooker/solve/limits"
)

// A Desk is where boards are answered at the same time: they share the processors,
// and each may have all the memory.
type Desk struct {
	cores *limits.Cores
	alone sync.RWMutex // held for writing while one board has all the memory
	begun atomic.Int64 // boards
	ended atomic.Int64 // of them
}

// NewDesk returns a Desk of so many processors.
func NewDesk(cores int) *Desk { return &Desk{cores: limits.NewCores(cores)} }

// Do does the work on a board. What is too large beside others is tried again alone,
// in the time that is left of timeout; 0: there is no end to it.
func (d *Desk) Do(ctx context.Context, timeout time.Duration, work func(context.Context) (large bool)) {
	if d.cores.Take(ctx) == nil { // otherwise the board is told that ctx has ended
		defer d.cores.Leave()
	}
	ctx = limits.WithCores(ctx, d.cores)
	d.alone.RLock()
	number, ended := d.begun.Add(1), d.ended.Load()
	from := time.Now()
	large := work(ctx)
	spent := time.Since(from)
	beside := ended != number-1 || d.begun.Load() != number
	d.ended.Add(1)
	d.alone.RUnlock()
	left := timeout - spent
	if !large || !beside || timeout > 0 && left <= 0 {
		return
	}
	d.alone.Lock()
	defer d.alone.Unlock()
	if timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, left)
		defer cancel()
	}
	work(ctx)
}
