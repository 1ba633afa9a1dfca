// Package xserver is what the parts that speak to an X server share.
package xserver

import (
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// Extensions take their numbers from those below; an error's number has eight bits.
const (
	firstError = 128
	lastError  = 255
	// So do extensions' events, of seven bits.
	firstEvent = 64
	lastEvent  = 127
)

// The library finds what an error means in a map that the Init of each of its extensions
// writes, while the connections that are there read it. Use writes nothing but its connection,
// so the map is whole before the first one. And what went wrong comes as an error: the library
// need not write it to standard error.
func init() {
	xgb.Logger = log.New(io.Discard, "", 0)
	for n := firstError; n <= lastError; n++ {
		xgb.NewErrorFuncs[n] = func(buf []byte) xgb.Error {
			return extensionError{code: buf[1], sequence: xgb.Get16(buf[2:]), bad: xgb.Get32(buf[4:])}
		}
	}
	for n := firstEvent; n <= lastEvent; n++ {
		xgb.NewEventFuncs[n] = func(buf []byte) xgb.Event { return extensionEvent(buf) }
	}
}

// Connect speaks to the server of a display; "" is the one of DISPLAY.
func Connect(display string) (*xgb.Conn, error) {
	if display == "" {
		display = os.Getenv("DISPLAY")
	}
	if display == "" {
		return nil, errors.New("DISPLAY is not set")
	}
	conn, err := xgb.NewConnDisplay(display)
	if err != nil && strings.HasPrefix(err.Error(), "cannot connect to ") {
		return nil, fmt.Errorf("no X server answers at %s, which DISPLAY names", display)
	}
	return conn, err
}

// ErrNone says that a server has not an extension, whose name follows.
var ErrNone = errors.New("this X server has no")

// Use readies an extension on a connection, as its package's Init does; that races.
func Use(c *xgb.Conn, name string) error {
	reply, err := xproto.QueryExtension(c, uint16(len(name)), name).Reply()
	if err != nil {
		return err
	}
	if !reply.Present {
		return fmt.Errorf("%w %s", ErrNone, name)
	}
	c.ExtLock.Lock()
	defer c.ExtLock.Unlock()
	c.Extensions[name] = reply.MajorOpcode
	return nil
}

// An extensionError is an error of an extension's own.
type extensionError struct {
	code     byte
	sequence uint16
	bad      uint32
}

// SequenceId is the number of the request.
func (e extensionError) SequenceId() uint16 { return e.sequence }

// BadId is what was wrong in it.
func (e extensionError) BadId() uint32 { return e.bad }

// An extensionEvent is an event of an extension's own, as it came.
type extensionEvent []byte

// Bytes is the event.
func (e extensionEvent) Bytes() []byte { return e }

func (e extensionEvent) String() string { return fmt.Sprintf("X server's event %d", e[0]&127) }

func (e extensionError) Error() string {
	return fmt.Sprintf("X server's error %d at request %d: %#x", e.code, e.sequence, e.bad)
}
