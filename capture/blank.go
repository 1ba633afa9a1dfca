package capture

import (
	"image"
	"runtime"
)

// Blank tells a picture that is all of one colour.
func Blank(m *image.RGBA) bool {
	for i := 4; i < len(m.Pix); i += 4 {
		if [3]byte(m.Pix[i:i+3]) != [3]byte(m.Pix[:3]) {
			return false
		}
	}
	return true
}

// BlankRemedy is what helps where a picture is blank: it is what a system shows to programs
// that may not record the screen, and what a game in exclusive fullscreen leaves of it.
func BlankRemedy() string {
	if runtime.GOOS == "darwin" {
		return "allow screen recording for the terminal in System Settings, Privacy & Security"
	}
	return "if the screen shows more than that, it is not let through to programs: under Wayland use an X11 session, with a game use windowed or borderless mode"
}
