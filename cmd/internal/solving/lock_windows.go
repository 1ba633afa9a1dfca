package solving

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lock takes a file for this process until it is closed. What is locked is a byte
// far behind its end, since others may read it.
func lock(f *os.File) error {
	at := windows.Overlapped{OffsetHigh: 1 << 30}
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &at)
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return errors.New("another process is writing it: wait for its end, or name another file")
	}
	return err
}
