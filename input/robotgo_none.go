//go:build !cgo

package input

import "fmt"

func openRobot() (Device, error) {
	return nil, fmt.Errorf("input: %w: this program was built without cgo, which robotgo needs", ErrNoDevice)
}
