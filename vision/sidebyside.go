package vision

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
)

// SideBySide calls do with 0 to n-1, as many at a time as there are processors,
// and returns when all have returned. A panic of do is one of SideBySide, with a
// *Fault, when all that had begun have returned: a caller's recover sees it.
func SideBySide(n int, do func(i int)) {
	var next atomic.Int64
	var wait sync.WaitGroup
	var fault atomic.Pointer[Fault]
	for range min(n, runtime.GOMAXPROCS(0)) {
		wait.Go(func() {
			_, err := Guarded(func() (struct{}, error) {
				for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
					do(i)
				}
				return struct{}{}, nil
			})
			if f := (*Fault)(nil); errors.As(err, &f) {
				fault.CompareAndSwap(nil, f)
			}
		})
	}
	wait.Wait()
	if f := fault.Load(); f != nil {
		panic(f)
	}
}
