package vision

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
)

// A Fault is a mistake in the program itself: what it panicked with.
type Fault struct {
	Value any
	Where string // file and line
}

func (f *Fault) Error() string { return fmt.Sprintf("internal error: %v (%s)", f.Value, f.Where) }

// Caught is the Fault that recover gave, nil for nil. It is called by the deferred
// function that recovers, so that the place of the panic is still told. A Fault
// that went from one goroutine to another keeps its place.
func Caught(recovered any) *Fault {
	if recovered == nil {
		return nil
	}
	if f, ok := recovered.(*Fault); ok {
		return f
	}
	f := &Fault{Value: recovered, Where: "nobody knows where"}
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	panicked := false
	for more := true; more; {
		var at runtime.Frame
		at, more = frames.Next()
		own := !strings.HasPrefix(at.Function, "runtime.")
		if panicked && own {
			f.Where = fmt.Sprintf("%s:%d", filepath.Base(at.File), at.Line)
			break
		}
		panicked = panicked || at.Function == "runtime.gopanic"
	}
	return f
}

// Guarded is what do returns; where it panics, the zero value and a *Fault: a
// mistake of the program in one board, or in one family, must not take the others
// with it.
func Guarded[T any](do func() (T, error)) (out T, err error) {
	defer func() {
		if f := Caught(recover()); f != nil {
			var none T
			out, err = none, f
		}
	}()
	return do()
}

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
