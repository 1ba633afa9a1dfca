package input

import "image"

// absolute is where SendInput is told to put the pointer so that it lands on a
// pixel of a desktop, which may reach left of and above the main screen's
// corner (0,0). Its unit is 1/65536 of the desktop's width or height, and the
// system rounds down: one more than the pixel's beginning is within it, for
// desktops of up to 65535 pixels.
func absolute(at image.Point, desktop image.Rectangle) (x, y int) {
	at = at.Sub(desktop.Min)
	return at.X*65536/desktop.Dx() + 1, at.Y*65536/desktop.Dy() + 1
}
