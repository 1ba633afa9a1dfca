package agent

import "onlooker/vision"

// guarded is what do returns; where it panics, the zero value and a *vision.Fault:
// a mistake of the program in one board, or in one family, must not take the
// others with it.
func guarded[T any](do func() (T, error)) (out T, err error) {
	defer func() {
		if f := vision.Caught(recover()); f != nil {
			var none T
			out, err = none, f
		}
	}()
	return do()
}
