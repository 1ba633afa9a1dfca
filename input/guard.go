package input

import (
	"errors"
	"fmt"
	"io"
	"time"
)

// guardedUp marks, in what a guardian is told, a button that went up; the rest is its number.
const guardedUp = 0x80

// Guarded is a device that tells a guardian, through w, of each button before it goes down and
// after it came up. A press of which the guardian cannot be told is an error.
func Guarded(d Device, w io.Writer) Device { return &guarded{d, w} }

type guarded struct {
	Device
	guardian io.Writer
}

func (g *guarded) Press(b Button) error {
	if _, err := g.guardian.Write([]byte{byte(b)}); err != nil {
		return fmt.Errorf("input: the process that releases the buttons after this one is gone: %w", err)
	}
	return g.Device.Press(b)
}

func (g *guarded) Release(b Button) error {
	err := g.Device.Release(b)
	if err == nil {
		// A guardian that is gone is told at the next press.
		_, _ = g.guardian.Write([]byte{byte(b) | guardedUp})
	}
	return err
}

// releaseAgain is when a guardian releases a button a second time, and twice as long after that
// a third time: what the other process sent last may come to the system after what the guardian
// sends, where the machine is busy.
const releaseAgain = 150 * time.Millisecond

// Guard is the guardian's part: it reads what a Guarded device tells until that ends, as it does
// with the process that holds the other end, however it is killed. Then it releases the buttons
// that are down. It does nothing else to the mouse.
func Guard(told io.Reader, mouse func() (Mouse, error)) error {
	down := map[Button]bool{}
	for one := make([]byte, 1); ; {
		if _, err := io.ReadFull(told, one); err != nil {
			break
		}
		if b := Button(one[0] &^ guardedUp); one[0]&guardedUp == 0 {
			down[b] = true
		} else {
			delete(down, b)
		}
	}
	if len(down) == 0 {
		return nil
	}
	m, err := mouse()
	if err != nil {
		return err
	}
	for i := range 3 {
		time.Sleep(time.Duration(i) * releaseAgain)
		for b := range down {
			err = errors.Join(err, m.Release(b))
		}
	}
	return err
}
