package input

import (
	"testing"

	"github.com/jezek/xgb"
)

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
		if got, err := m.told(devices(row.all...)); err != nil || got != row.want {
			t.Errorf("%s: moved %t, %v; want %t", row.why, got, err, row.want)
		}
	}
	whole := devices(mouse{6, xiSlavePointer, "a mouse", 3})
	for n := range whole {
		if _, err := m.told(whole[:n]); err == nil {
			t.Errorf("%d bytes of %d are taken for a whole answer", n, len(whole))
		}
	}
}
