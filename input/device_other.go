//go:build !linux && !windows

package input

import "fmt"

// Open opens the mouse; the display's name must be "".
func Open(display string) (Device, error) {
	if display != "" {
		return nil, fmt.Errorf("input: display %q: only X11 has named displays", display)
	}
	return openRobot()
}
