//go:build linux || freebsd || netbsd || openbsd

package capture

import (
	"context"
	"time"

	"github.com/jezek/xgb/damage"
	"github.com/jezek/xgb/xproto"

	"onlooker/capture/xserver"
)

// drawTime is how long what is drawn in several parts may take to come whole.
const drawTime = 5 * time.Millisecond

// Await waits until something is drawn that no frame shows yet, for as long as most.
func (x *x11) Await(ctx context.Context, most time.Duration) error {
	if x.now == nil || x.now.drawn == nil {
		return sleep(ctx, most)
	}
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-x.now.drawn:
		return sleep(ctx, drawTime)
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// listen has the server tell when something is drawn, where it can.
func (s *session) listen() {
	if xserver.Use(s.conn, "DAMAGE") != nil {
		return
	}
	if _, err := damage.QueryVersion(s.conn, 1, 1).Reply(); err != nil {
		return
	}
	drawn := make(chan struct{}, 1)
	s.drawn = drawn
	go func() {
		for {
			event, err := s.conn.WaitForEvent()
			if event == nil && err == nil {
				return // the connection has ended
			}
			if event == nil {
				continue
			}
			select {
			case drawn <- struct{}{}:
			default: // told already
			}
		}
	}()
}

// expect has what is drawn from now on into a window, and what lies in it, told once. A
// window that is new to it counts as drawn.
func (s *session) expect(in xproto.Window) {
	if s.drawn == nil {
		return
	}
	if s.damaged != in && s.damaged != 0 {
		damage.Destroy(s.conn, s.damage)
		s.damaged = 0
	}
	if s.damaged == 0 {
		id, err := damage.NewDamageId(s.conn)
		if err != nil || damage.CreateChecked(s.conn, id, xproto.Drawable(in), damage.ReportLevelNonEmpty).Check() != nil {
			return
		}
		s.damage, s.damaged = id, in
	}
	damage.Subtract(s.conn, s.damage, 0, 0)
}
