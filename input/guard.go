package input

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"
)

// guardedUp marks, in what a guardian is told, a button that went up; the rest is its number.
const guardedUp = 0x80

// A marking device belongs to a system that does what a process asked of it when the process is
// gone already, and after what others asked later: an X server that comes to it then.
type marking interface {
	// mark makes what the system takes away after the last that was asked of this device.
	mark() (uint32, error)
	// gone is closed once the system took away the mark of another device, or ended itself.
	gone(mark uint32) (<-chan struct{}, error)
}

// endedPatience is how long a button may stay down after its context ended: a line that is not
// whole is taken back first.
const endedPatience = 350 * time.Millisecond

// Guarded is a device that tells a guardian, through w, of each button before it goes down and
// after it came up. A press of which the guardian cannot be told is an error. Soon after the
// context ended what is still down comes up, and nothing goes down any more.
func Guarded(ctx context.Context, d Device, w io.Writer) (Device, error) {
	var mark uint32
	if m, ok := d.(marking); ok {
		var err error
		if mark, err = m.mark(); err != nil {
			return nil, err
		}
	}
	if err := binary.Write(w, binary.BigEndian, mark); err != nil {
		return nil, fmt.Errorf("input: %w", err)
	}
	g := &guarded{Device: d, guardian: w}
	context.AfterFunc(ctx, func() { time.AfterFunc(endedPatience, func() { g.end(context.Cause(ctx)) }) })
	return g, nil
}

type guarded struct {
	Device
	guardian io.Writer

	mu    sync.Mutex
	down  []Button
	ended error // why no button goes down any more
}

func (g *guarded) Press(b Button) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.ended != nil {
		return g.ended
	}
	if _, err := g.guardian.Write([]byte{byte(b)}); err != nil {
		return fmt.Errorf("input: the process that releases the buttons after this one is gone: %w", err)
	}
	err := g.Device.Press(b)
	if !errors.Is(err, ErrCovered) { // nothing went down then
		g.down = append(g.down, b)
	} else if _, told := g.guardian.Write([]byte{byte(b) | guardedUp}); told != nil {
		return errors.Join(err, told)
	}
	return err
}

func (g *guarded) Release(b Button) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	err := g.Device.Release(b)
	if err == nil {
		g.down = slices.DeleteFunc(g.down, func(d Button) bool { return d == b })
		// A guardian that is gone is told at the next press.
		_, _ = g.guardian.Write([]byte{byte(b) | guardedUp})
	}
	return err
}

// end releases what is down, for good.
func (g *guarded) end(why error) {
	g.mu.Lock()
	g.ended = why
	down := slices.Clone(g.down)
	g.mu.Unlock()
	for _, b := range down {
		_ = g.Release(b) // who pressed it does so again, and hears of it
	}
}

// goneTime is how long what is guarded may take to end after it has said its last.
const goneTime = 10 * time.Second

// Guard is the guardian's part. It says by there that it is ready, and reads what a Guarded
// device tells until that ends, as it does with the process that holds the other end, however
// that is killed. Then it releases the buttons that are down, and does so again once the system
// has done all that the other process asked of it: a press may have been on its way. It does
// nothing else to the mouse.
func Guard(told io.Reader, d Device, there func() error) error {
	in := bufio.NewReader(told)
	var mark uint32
	if err := binary.Read(in, binary.BigEndian, &mark); err != nil {
		return fmt.Errorf("input: the process to guard says nothing: %w", err)
	}
	var gone <-chan struct{}
	if m, ok := d.(marking); ok {
		var err error
		if gone, err = m.gone(mark); err != nil {
			return err
		}
	}
	if err := there(); err != nil {
		return err
	}
	down := map[Button]bool{}
	for {
		told, err := in.ReadByte()
		if err != nil {
			break
		}
		if b := Button(told &^ guardedUp); told&guardedUp == 0 {
			down[b] = true
		} else {
			delete(down, b)
		}
	}
	release := func() (err error) {
		for b := range down {
			err = errors.Join(err, d.Release(b))
		}
		return err
	}
	err := release()
	if len(down) > 0 && gone != nil {
		select {
		case <-gone:
		case <-time.After(goneTime): // it has not died, and may wait for this one to end
		}
		err = release()
	}
	return err
}
