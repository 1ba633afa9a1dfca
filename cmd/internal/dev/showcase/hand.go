//go:build linux || freebsd || netbsd || openbsd

package showcase

import (
	"fmt"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// Push moves the mouse of a display as a hand does: not XTest's own pointer,
// which programs move, but the mouse of the Xvfb that StartDisplay started.
// display is its name, "" for the one that DISPLAY names; dx and dy are pixels.
func Push(display string, dx, dy int) error {
	conn, err := xgb.NewConnDisplay(display)
	if err != nil {
		return fmt.Errorf("showcase: %w", err)
	}
	defer conn.Close()
	var ops [2]*xproto.QueryExtensionReply
	for i, name := range []string{"XTEST", "XInputExtension"} {
		ops[i], err = xproto.QueryExtension(conn, uint16(len(name)), name).Reply()
		if err != nil {
			return fmt.Errorf("showcase: %w", err)
		}
		if !ops[i].Present {
			return fmt.Errorf("showcase: this display has no %s", name)
		}
	}
	// xtestproto.h, XIproto.h: a request with a DeviceMotionNotify in it, and a
	// DeviceValuator behind it that tells the motion.
	const fakeInput, motionNotify, valuator = 2, 5, 0
	const mouse = 6 // Xvfb's, after two masters, XTest's two and its keyboard
	buf := make([]byte, 4+32+32)
	buf[0], buf[1] = ops[0].MajorOpcode, fakeInput
	xgb.Put16(buf[2:], uint16(len(buf)/4))
	motion, values := buf[4:36], buf[36:]
	motion[0], motion[1], motion[31] = ops[1].FirstEvent+motionNotify, 1, mouse // 1: relative
	values[0], values[1], values[6] = ops[1].FirstEvent+valuator, mouse, 2      // axes
	xgb.Put32(values[8:], uint32(int32(dx)))
	xgb.Put32(values[12:], uint32(int32(dy)))
	cookie := conn.NewCookie(true, false)
	conn.NewRequest(buf, cookie)
	if err := cookie.Check(); err != nil {
		return fmt.Errorf("showcase: push: %w", err)
	}
	return nil
}

// Held tells whether any of the mouse's buttons is down on a display.
func Held(display string) (bool, error) {
	conn, err := xgb.NewConnDisplay(display)
	if err != nil {
		return false, err
	}
	defer conn.Close()
	p, err := xproto.QueryPointer(conn, xproto.Setup(conn).DefaultScreen(conn).Root).Reply()
	if err != nil {
		return false, err
	}
	const buttons = xproto.KeyButMaskButton1 | xproto.KeyButMaskButton2 | xproto.KeyButMaskButton3
	return p.Mask&buttons != 0, nil
}
