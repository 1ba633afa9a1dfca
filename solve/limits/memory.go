// Package limits says in a context what a search may take: memory, processors, steps.
package limits

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/metrics"
	"time"
)

// A MemoryError says that a puzzle takes more memory than it may.
type MemoryError struct {
	Want int64 // in bytes, for the next step alone; 0: it was seen to grow beyond Most
	Most int64 // in bytes, of the whole process
}

func (e *MemoryError) Error() string {
	if e.Want == 0 {
		return fmt.Sprintf("too large: it takes more than the %s of memory that it may take", bytesText(e.Most))
	}
	return fmt.Sprintf("too large: it would take some %s of memory, and the whole program may take %s", bytesText(e.Want), bytesText(e.Most))
}

// bytesText is a number of bytes as people say it.
func bytesText(n int64) string {
	const mib, gib = 1 << 20, 1 << 30
	if n < gib {
		return fmt.Sprintf("%d MiB", (n+mib-1)/mib)
	}
	return fmt.Sprintf("%.1f GiB", float64(n)/gib)
}

type memoryKey struct{}

// WithMemory returns a context that says how much memory the process may take,
// in bytes: Room and Watch go by it.
func WithMemory(ctx context.Context, most int64) context.Context {
	return context.WithValue(ctx, memoryKey{}, most)
}

// spare is the part of the memory that Go's own does not get: one of so many is
// left for what is not Go's, and for what is taken between two looks.
const spare = 8

// held is what the runtime holds of the system's memory, and what objects take
// of it, garbage that was not found yet among them.
func held() (all, objects int64) {
	s := []metrics.Sample{
		{Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/released:bytes"},
		{Name: "/memory/classes/heap/objects:bytes"},
	}
	metrics.Read(s)
	return int64(s[0].Value.Uint64() - s[1].Value.Uint64()), int64(s[2].Value.Uint64())
}

// Room is nil where so many more bytes may be taken, and a *MemoryError where
// they may not. It is to be asked before a step whose size is known; without
// WithMemory there is room for everything.
func Room(ctx context.Context, bytes int64) error {
	most, ok := ctx.Value(memoryKey{}).(int64)
	if !ok {
		return nil
	}
	free := most - most/spare
	if _, objects := held(); objects+bytes <= free {
		return nil
	}
	if bytes <= free {
		runtime.GC() // what was counted may be garbage
		if _, objects := held(); objects+bytes <= free {
			return nil
		}
	}
	return &MemoryError{Want: bytes, Most: most}
}

// lookEvery is how often Watch looks. Objects grow by some 2 GB a second at
// most, so that 10 MB are taken between two looks.
const lookEvery = 5 * time.Millisecond

// Watch returns a context that ends, with a *MemoryError as its cause, when the
// process takes more memory than WithMemory says. Garbage counts: whoever gives
// a bound also gives it to the runtime (debug.SetMemoryLimit), three quarters
// of it or less. stop must be called when the work is done.
func Watch(ctx context.Context) (watched context.Context, stop func()) {
	most, ok := ctx.Value(memoryKey{}).(int64)
	if !ok {
		return ctx, func() {}
	}
	ctx, end := context.WithCancelCause(ctx)
	go func() {
		tick := time.NewTicker(lookEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			if all, _ := held(); all > most-most/spare {
				end(&MemoryError{Most: most})
				return
			}
		}
	}()
	return ctx, func() { end(nil) }
}

// Cause is err, or where that is only that ctx ended, and it did so for want of
// memory, the *MemoryError.
func Cause(ctx context.Context, err error) error {
	var large *MemoryError
	if err != nil && errors.Is(err, ctx.Err()) && errors.As(context.Cause(ctx), &large) {
		return large
	}
	return err
}
