//go:build unix

package solving

import (
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
)

// lock takes a file for this process until it is closed. The kind of lock is the
// one that tells who has it.
func lock(f *os.File) error {
	want := syscall.Flock_t{Type: syscall.F_WRLCK, Whence: io.SeekStart}
	err := syscall.FcntlFlock(f.Fd(), syscall.F_SETLK, &want)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.ENOLCK) || errors.Is(err, syscall.ENOSYS) || errors.Is(err, syscall.EOPNOTSUPP):
		return nil // a file system without locks: as before there were any
	case !errors.Is(err, syscall.EAGAIN) && !errors.Is(err, syscall.EACCES):
		return err
	}
	if err := syscall.FcntlFlock(f.Fd(), syscall.F_GETLK, &want); err == nil && want.Type != syscall.F_UNLCK && want.Pid > 0 {
		return fmt.Errorf("process %d is writing it: wait for its end, or name another file", want.Pid)
	}
	return errors.New("another process is writing it: wait for its end, or name another file")
}
