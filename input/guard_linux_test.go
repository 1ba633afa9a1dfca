package input

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
	"github.com/jezek/xgb/xtest"

	"onlooker/solve/solvetest"
)

// TestPressOnItsWay keeps the server from a press and from much before it, ends the connection
// that they came by, and has the guardian release before the server comes to them.
func TestPressOnItsWay(t *testing.T) {
	startXvfb(t)
	grab := solvetest.Must(xgb.NewConn())(t)
	defer grab.Close()
	open := func() *xDevice {
		d := solvetest.Must(Open(""))(t)
		return d.(*xDevice)
	}
	for i := range 20 {
		killed, guardian := open(), open()
		told, tell := io.Pipe()
		ready, over := make(chan struct{}), make(chan error, 1)
		go func() { over <- Guard(told, guardian, func() error { close(ready); return nil }) }()
		guarded := solvetest.Must(Guarded(t.Context(), killed, tell))(t)
		<-ready
		solvetest.OK(t, xproto.GrabServerChecked(grab).Check())
		for range 100 {
			xtest.FakeInput(killed.conn, fakeMotion, relative, 0, killed.root, 1, 0, 0)
		}
		go func() { _ = guarded.Press(Left) }() // nobody answers it
		time.Sleep(20 * time.Millisecond)
		killed.Close()
		tell.Close()
		time.Sleep(20 * time.Millisecond)
		solvetest.OK(t, xproto.UngrabServerChecked(grab).Check())
		solvetest.OK(t, <-over)
		time.Sleep(20 * time.Millisecond) // what is on its way now is too late
		pointer, err := xproto.QueryPointer(grab, guardian.root).Reply()
		if err != nil || pointer.Mask&xproto.KeyButMaskButton1 != 0 {
			t.Fatalf("%d: the guardian is done, and the button is down: %v, %v", i, pointer, err)
		}
		guardian.Close()
	}
}

// startXvfb starts a display for a test, and makes it the one that DISPLAY names.
func startXvfb(t *testing.T) {
	t.Helper()
	path, err := exec.LookPath("Xvfb")
	if err != nil {
		t.Skip(err)
	}
	read, write, err := os.Pipe()
	solvetest.OK(t, err)
	server := exec.Command(path, "-displayfd", "3", "-nolisten", "tcp", "-noreset")
	server.ExtraFiles = []*os.File{write} // descriptor 3: it writes the number that it took
	err = server.Start()
	write.Close()
	solvetest.OK(t, err)
	t.Cleanup(func() {
		_ = server.Process.Signal(os.Interrupt)
		_ = server.Wait() // by the signal
	})
	number := solvetest.Must(bufio.NewReader(read).ReadString('\n'))(t)
	t.Setenv("DISPLAY", ":"+strings.TrimSpace(number))
}
