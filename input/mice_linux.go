package input

import (
	"fmt"
	"strings"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// mice asks an X server, by the XInput extension, where each mouse has come to.
// The server keeps that for each by itself, pointer grabs and locks or not, and
// what XTest sends moves a device of its own.
type mice struct {
	conn   *xgb.Conn
	opcode byte
	at     map[uint16]string // the last values of each mouse's axes, by its number
}

// Numbers of XI2proto.h.
const (
	xiQueryVersion  = 47
	xiQueryDevice   = 48
	xiAllDevices    = 0
	xiSlavePointer  = 3
	xiValuatorClass = 2
	xiDeviceBytes   = 12 // of a device before its name
)

func newMice(conn *xgb.Conn) (*mice, error) {
	const name = "XInputExtension"
	there, err := xproto.QueryExtension(conn, uint16(len(name)), name).Reply()
	if err != nil {
		return nil, err
	}
	if !there.Present {
		return nil, fmt.Errorf("input: %w: this X server has no %s", ErrNoDevice, name)
	}
	m := &mice{conn: conn, opcode: there.MajorOpcode}
	if _, err := m.ask(xiQueryVersion, 2, 0); err != nil { // 2.0
		return nil, err
	}
	_, err = m.moved()
	return m, err
}

// ask sends a request of two numbers and returns its reply.
func (m *mice) ask(request byte, a, b uint16) ([]byte, error) {
	buf := make([]byte, 8)
	buf[0], buf[1] = m.opcode, request
	xgb.Put16(buf[2:], 2) // its length in words
	xgb.Put16(buf[4:], a)
	xgb.Put16(buf[6:], b)
	cookie := m.conn.NewCookie(true, true)
	m.conn.NewRequest(buf, cookie)
	return cookie.Reply()
}

// moved tells whether any mouse that is not XTest's has other values than at
// the last call.
func (m *mice) moved() (bool, error) {
	reply, err := m.ask(xiQueryDevice, xiAllDevices, 0)
	if err != nil {
		return false, err
	}
	return m.told(reply)
}

// told is moved by a reply to xiQueryDevice.
func (m *mice) told(reply []byte) (moved bool, err error) {
	now, err := pointers(reply)
	if err != nil {
		return false, err
	}
	for id, at := range now {
		was, known := m.at[id]
		moved = moved || known && was != at
	}
	m.at = now
	return moved, nil
}

// pointers reads the values of the axes of all pointing devices but XTest's
// from a reply to xiQueryDevice.
func pointers(reply []byte) (at map[uint16]string, err error) {
	cut := func(n int) []byte {
		if n > len(reply) {
			err = fmt.Errorf("input: XIQueryDevice: the reply ends %d bytes early", n-len(reply))
			n = len(reply)
		}
		head := reply[:n:n] // appending copies
		reply = reply[n:]
		return append(head, make([]byte, 64)...) // short ones are not indexed beyond
	}
	head := cut(32)
	at = map[uint16]string{}
	for range xgb.Get16(head[8:]) {
		device := cut(xiDeviceBytes)
		length := int(xgb.Get16(device[8:]))
		name := string(cut(xgb.Pad(length))[:length])
		values := ""
		for range xgb.Get16(device[6:]) {
			if err != nil || len(reply) < 4 {
				return nil, fmt.Errorf("input: XIQueryDevice: the reply ends within %q", name)
			}
			class := cut(4 * max(1, int(xgb.Get16(reply[2:]))))
			if xgb.Get16(class) == xiValuatorClass {
				values += fmt.Sprintf("%d=%x ", xgb.Get16(class[6:]), class[28:36])
			}
		}
		if xgb.Get16(device[2:]) == xiSlavePointer && !strings.HasSuffix(name, " XTEST pointer") {
			at[xgb.Get16(device)] = values
		}
	}
	return at, err
}
