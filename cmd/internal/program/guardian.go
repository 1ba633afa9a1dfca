package program

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"onlooker/input"
)

// GuardianName is what a guardian is called in a list of processes, and its only argument: its
// name is not this program's, so that what kills that by its name spares it.
const GuardianName = "mouse-guardian"

// IsGuardian tells whether the process was started as a guardian.
func IsGuardian(args []string) bool { return len(args) == 2 && args[1] == GuardianName }

// BeGuardian releases the buttons that are down when the process at the other end of in has
// ended, killed or not. It says on out that it is there.
func BeGuardian(in io.Reader, out io.Writer) error {
	signal.Ignore(Endings()...) // it ends with the other process
	device, err := input.Open("")
	if err != nil {
		return err
	}
	err = input.Guard(in, device, func() error { _, err := fmt.Fprintln(out); return err })
	if runtime.GOOS == "windows" {
		// There a device mends what the killed one left of the pointer's acceleration.
		mending, failed := input.Open("")
		if failed == nil {
			failed = mending.Close()
		}
		err = errors.Join(err, failed)
	}
	return errors.Join(err, device.Close())
}

// Endings are the signals that end a program and leave it the time to release a button, and to
// leave nothing half done. One that was ignored when it was started, as by nohup, stays ignored.
func Endings() []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM}
	for _, s := range []os.Signal{syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGABRT} {
		if !signal.Ignored(s) {
			all = append(all, s)
		}
	}
	return all
}

// guardianTime is how long a guardian may take to be there: it starts in 0.15 s on a machine
// at rest.
const guardianTime = time.Minute

// startGuardian starts a guardian, and returns the device that tells it of its buttons: see
// input.Guarded. close ends it.
func startGuardian(ctx context.Context, device input.Device) (guarded input.Device, close func(), err error) {
	program, err := os.Executable()
	if err != nil {
		return nil, nil, err
	}
	if runtime.GOOS == "linux" {
		program = "/proc/self/exe" // it may have been replaced meanwhile; and see GuardianName
	}
	c := &exec.Cmd{Path: program, Args: []string{GuardianName, GuardianName}, SysProcAttr: apart()}
	tell, err := c.StdinPipe()
	if err != nil {
		return nil, nil, err
	}
	answer, err := c.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := c.Start(); err != nil {
		return nil, nil, err
	}
	close = func() {
		tell.Close()
		_ = c.Wait() // it has said what it had to
	}
	guarded, err = input.Guarded(ctx, device, tell)
	if err != nil {
		return nil, nil, errors.Join(err, c.Process.Kill(), c.Wait())
	}
	there := make(chan error, 1)
	go func() {
		_, err := bufio.NewReader(answer).ReadByte()
		there <- err
	}()
	select {
	case err = <-there:
	case <-time.After(guardianTime):
		err = fmt.Errorf("it does not answer for %v", guardianTime)
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	if err != nil {
		_ = c.Process.Kill() // it holds nothing yet
		close()
		return nil, nil, fmt.Errorf("the process that releases the mouse's buttons when this one is killed does not start: %w", err)
	}
	return guarded, close, nil
}
