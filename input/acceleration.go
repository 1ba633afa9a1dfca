package input

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// An acceleration is what Windows does to a mouse's steps: above the first
// threshold in pixels it doubles them, above the second it may again. The third
// number turns that on.
type acceleration [3]int32

// A flattener takes the pointer's acceleration off while steps are sent, and
// puts it back. What is to be put back is noted in a file: after a crash the
// next one that opens the mouse does it. The setting itself is of the session
// only, so that it is also back after the user's next login.
type flattener struct {
	get   func() (acceleration, error)
	set   func(acceleration) error
	alive func(pid int) bool
	note  string // the file
	was   *acceleration
}

// flatten is to be called before steps are sent; it does its work once.
func (f *flattener) flatten() error {
	if f.was != nil {
		return nil
	}
	now, err := f.get()
	if err != nil {
		return fmt.Errorf("input: the pointer's acceleration: %w", err)
	}
	if now[2] != 0 {
		if err := os.MkdirAll(filepath.Dir(f.note), 0o755); err != nil {
			return fmt.Errorf("input: %w", err)
		}
		if err := os.WriteFile(f.note, fmt.Appendln(nil, os.Getpid(), now[0], now[1], now[2]), 0o644); err != nil {
			return fmt.Errorf("input: %w", err)
		}
		if err := f.set(acceleration{}); err != nil {
			return fmt.Errorf("input: the pointer's acceleration: %w", err)
		}
	}
	f.was = &now
	return nil
}

// restore puts back what flatten took off.
func (f *flattener) restore() error {
	if f.was == nil || f.was[2] == 0 {
		return nil
	}
	if err := f.set(*f.was); err != nil {
		return fmt.Errorf("input: the pointer's acceleration: %w", err)
	}
	f.was = nil
	return os.Remove(f.note)
}

// mend puts back what a process took off that died before it could.
func (f *flattener) mend() error {
	data, err := os.ReadFile(f.note)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("input: %w", err)
	}
	var pid int
	var was acceleration
	if _, err := fmt.Sscan(string(data), &pid, &was[0], &was[1], &was[2]); err == nil {
		if f.alive(pid) {
			return nil // it drives just now
		}
		if err := f.set(was); err != nil {
			return fmt.Errorf("input: the pointer's acceleration: %w", err)
		}
	}
	return os.Remove(f.note) // one that was cut short says nothing
}
