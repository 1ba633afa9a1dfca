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

// A mouse is a device of an X server's answer.
type mouse struct {
	id, use uint16
	name    string
	x       byte // where it is
}

// devices is an X server's answer that tells of devices, as XI2proto.h has it.
func devices(all ...mouse) []byte {
	reply := make([]byte, 32)
	xgb.Put16(reply[8:], uint16(len(all)))
	for _, m := range all {
		device := make([]byte, xiDeviceBytes)
		xgb.Put16(device, m.id)
		xgb.Put16(device[2:], m.use)
		xgb.Put16(device[6:], 2) // classes
		xgb.Put16(device[8:], uint16(len(m.name)))
		name := make([]byte, xgb.Pad(len(m.name)))
		copy(name, m.name)
		buttons := make([]byte, 8)
		xgb.Put16(buttons, 1)
		xgb.Put16(buttons[2:], 2)
		axis := make([]byte, 44)
		xgb.Put16(axis, xiValuatorClass)
		xgb.Put16(axis[2:], 11)
		axis[28] = m.x
		reply = append(append(append(append(reply, device...), name...), buttons...), axis...)
	}
	return reply
}

// TestMiceMoved: a hand on any mouse is seen, whichever it is; what XTest moves, what a mouse
// that was not there before has, and what a keyboard says is none.
func TestMiceMoved(t *testing.T) {
	const keyboard = xiSlavePointer + 1
	m := &mice{}
	for _, row := range []struct {
		why  string
		all  []mouse
		want bool
	}{
		{"at first", []mouse{{4, xiSlavePointer, "Virtual core XTEST pointer", 1}, {6, xiSlavePointer, "a mouse", 1}, {9, keyboard, "keys", 1}}, false},
		{"as before", []mouse{{4, xiSlavePointer, "Virtual core XTEST pointer", 1}, {6, xiSlavePointer, "a mouse", 1}, {9, keyboard, "keys", 1}}, false},
		{"XTest's moved", []mouse{{4, xiSlavePointer, "Virtual core XTEST pointer", 2}, {6, xiSlavePointer, "a mouse", 1}, {9, keyboard, "keys", 2}}, false},
		{"another one came", []mouse{{6, xiSlavePointer, "a mouse", 1}, {7, xiSlavePointer, "a second one", 5}}, false},
		{"the second one moved", []mouse{{6, xiSlavePointer, "a mouse", 1}, {7, xiSlavePointer, "a second one", 6}}, true},
		{"the first one moved", []mouse{{6, xiSlavePointer, "a mouse", 2}, {7, xiSlavePointer, "a second one", 6}}, true},
		{"they rest", []mouse{{6, xiSlavePointer, "a mouse", 2}, {7, xiSlavePointer, "a second one", 6}}, false},
	} {
		solvetest.Same(t, solvetest.Must(m.told(devices(row.all...)))(t), row.want, "%s: moved", row.why)
	}
	whole := devices(mouse{6, xiSlavePointer, "a mouse", 3})
	for n := range whole {
		if _, err := m.told(whole[:n]); err == nil {
			t.Errorf("%d bytes of %d are taken for a whole answer", n, len(whole))
		}
	}
}
