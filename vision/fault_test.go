package vision

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"
)

// A panic in one of several goroutines reaches who waits for them, with its place,
// and the others end first.
func TestSideBySideForwardsPanics(t *testing.T) {
	var done atomic.Int64
	var fault *Fault
	func() {
		defer func() { fault = Caught(recover()) }()
		SideBySide(8, func(outer int) {
			SideBySide(4, func(i int) {
				if outer == 3 && i == 2 {
					var none []int
					_ = none[i]
				}
				done.Add(1)
			})
		})
	}()
	var err error = fault
	if !errors.As(err, &fault) || !strings.Contains(err.Error(), "index out of range") || !strings.Contains(err.Error(), "fault_test.go:") {
		t.Errorf("got %v, want the index out of range, in this file", err)
	}
	if done.Load() == 0 {
		t.Error("nothing else was done")
	}
}

func TestCaughtNothing(t *testing.T) {
	func() {
		defer func() {
			if f := Caught(recover()); f != nil {
				t.Errorf("got %v where nothing panicked", f)
			}
		}()
	}()
}
