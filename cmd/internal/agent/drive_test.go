package agent

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"strings"
	"sync"
	"testing"
	"time"

	"onlooker/calibrations"
	"onlooker/input"
	"onlooker/solve"
)

// A stage is a client whose window can be moved and covered, seen as a part of
// a display, and which has two panels: after a refused answer the second goes
// off and comes back as another one once the first was solved again.
type stage struct {
	*client
	at      image.Point // of the window
	covered bool
	words   image.Rectangle // of the client, that a message lies over
	ground  color.RGBA      // of the message
	off     bool            // the panel is dark
	keys    []input.Key
	deaf    int  // so many keys yet are not heard
	foreign bool // the look that is taken says that the client draws its pointer, and it does not
	want    int  // answers; 0: one
	stop    context.CancelCauseFunc

	order  sync.Mutex // what comes to the client comes one by one
	frozen bool       // the client stands still; what comes to it waits
	last   *image.RGBA
	hold   []func()
}

// give lets something come to the client, at once or when it goes on.
func (s *stage) give(f func() error) error {
	s.order.Lock()
	defer s.order.Unlock()
	if s.frozen {
		s.hold = append(s.hold, func() { _ = f() })
		return nil
	}
	return f()
}

func (s *stage) MoveBy(dx, dy int) error {
	return s.give(func() error { return s.client.MoveBy(dx, dy) })
}

// MoveTo puts the system's pointer to a place of the display.
func (s *stage) MoveTo(at image.Point) error {
	s.mu.Lock()
	at = at.Sub(s.at)
	s.mu.Unlock()
	return s.client.MoveTo(at)
}

// Pointer is where that is on the display.
func (s *stage) Pointer() (image.Point, error) {
	at, err := s.client.Pointer()
	s.mu.Lock()
	defer s.mu.Unlock()
	return at.Add(s.at), err
}

// notch is how far the wheel moves what is in the window, in pixels.
const notch = 60

func (s *stage) Press(b input.Button) error {
	if b == input.WheelDown || b == input.WheelUp {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.at.Y += map[input.Button]int{input.WheelDown: -notch, input.WheelUp: notch}[b]
		return nil
	}
	return s.give(func() error { return s.client.Press(b) })
}

func (s *stage) Release(b input.Button) error {
	return s.give(func() error { return s.client.Release(b) })
}

// freeze stands still for a while, from a move on.
func (s *stage) freeze(while time.Duration) {
	s.frozen = true
	time.AfterFunc(while, func() {
		s.order.Lock()
		defer s.order.Unlock()
		s.frozen = false
		for _, f := range s.hold {
			f()
		}
		s.hold = nil
	})
}

// says shows a message over a part of the client for a while, from a move on.
func (s *stage) says(ground color.RGBA, over image.Rectangle, while time.Duration) {
	s.on = func(_ *client, n int) error {
		if n == 6 {
			s.ground, s.words = ground, over
			time.AfterFunc(while, func() {
				s.mu.Lock()
				defer s.mu.Unlock()
				s.words = image.Rectangle{}
			})
		}
		return nil
	}
}

func (s *stage) Bounds() image.Rectangle { return image.Rect(0, 0, 900, 640) }

func (s *stage) Grab(ctx context.Context) (*image.RGBA, error) {
	s.order.Lock()
	defer s.order.Unlock()
	if s.frozen && s.last != nil {
		return s.last, nil
	}
	f, err := s.client.Grab(ctx)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.off {
		paint(f, clientAt(0, 1.5), clientAt(clientCols, 1.5), 2.2*clientPitch, color.RGBA{11, 11, 10, 255})
	}
	m := image.NewRGBA(s.Bounds())
	draw.Draw(m, m.Rect, image.NewUniform(color.RGBA{30, 30, 34, 255}), image.Point{}, draw.Src)
	draw.Draw(m, f.Rect.Add(s.at), f, image.Point{}, draw.Src)
	if s.covered {
		draw.Draw(m, f.Rect.Add(s.at).Inset(40), image.NewUniform(color.RGBA{90, 90, 90, 255}), image.Point{}, draw.Src)
	}
	draw.Draw(m, s.words.Add(s.at), image.NewUniform(s.ground), image.Point{}, draw.Src)
	s.last = m
	return m, nil
}

// GrabPart gives a part of what Grab gives.
func (s *stage) GrabPart(ctx context.Context, part image.Rectangle) (*image.RGBA, error) {
	f, err := s.Grab(ctx)
	if err != nil {
		return nil, err
	}
	return f.SubImage(part).(*image.RGBA), nil
}

// Key walks: the panel that is come to has no line, and another break.
func (s *stage) Key(k input.Key) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keys = append(s.keys, k)
	if s.deaf > 0 {
		s.deaf--
		return nil
	}
	s.nodes, s.dir, s.t, s.shown, s.solving, s.accept, s.off = nil, image.Point{}, 0, "", false, true, false
	s.gaps = map[image.Point]bool{{X: 3, Y: 2 * (len(s.keys) % 4)}: true}
	s.bare = nil
	return nil
}

func driver(t *testing.T, s *stage) *Driver {
	t.Helper()
	p := newPlayer(s.client)
	p.Source, p.Mouse = s, s
	look := profile(t)
	// The cursor's size is by the height of what is seen.
	look.Board.Cursor = calibrations.Cursor{Radius: 6.5 / 640, Ring: 8.0 / 640, Alpha: 0.4}
	if s.system && !s.foreign {
		p.Motion.Pointer, look.Motion.Pointer = calibrations.System, calibrations.System
	}
	game := real()
	game.Family = &solve.Family{Name: "witness"}
	d := &Driver{
		Player: p, Observer: &Observer{Eye: &Eye{Games: []Game{game}, Profiles: []*calibrations.Profile{look}}},
		Keys: Keys{Next: "d", Back: "a"}, Want: 1, Patience: 5 * time.Second,
	}
	if s.want > 0 {
		d.Want, d.Patience = s.want, 0
	}
	return d
}

var errMiss = errors.New("a MissError")

// driverRows are a driver's ends, one of each kind, and what leads to them.
func driverRows() []driverRow {
	return []driverRow{
		{"a plain client", func(*stage) {}, "accepted", "", 1, nil},
		{"the window moves in mid-trace", func(s *stage) {
			s.on = func(_ *client, n int) error {
				if n == 6 {
					s.at = image.Pt(170, 110)
				}
				return nil
			}
		}, "accepted", "", 2, nil},
		{"the window is covered in mid-trace, for two seconds", func(s *stage) {
			s.on = func(_ *client, n int) error {
				if n == 6 {
					s.covered = true
					time.AfterFunc(2*time.Second, func() {
						s.mu.Lock()
						defer s.mu.Unlock()
						s.covered = false
					})
				}
				return nil
			}
		}, "accepted", "", 2, nil},
		{"a message lies over the board's upper half from mid-trace on, for four seconds", func(s *stage) {
			s.says(color.RGBA{40, 42, 50, 255}, image.Rect(60, 60, 600, int(clientAt(0, 1.4).Y)), 4*time.Second)
		}, "accepted", "", 1, nil},
		{"a coloured message lies over the board's middle row, for four seconds", func(s *stage) {
			s.says(color.RGBA{200, 60, 120, 255}, image.Rect(60, int(clientAt(0, 0.6).Y), 600, int(clientAt(0, 1.4).Y)), 4*time.Second)
		}, "accepted", "", 1, nil},
		{"an answer is refused: the one before is entered again, then the new one", func(s *stage) { s.accept = false },
			"refused accepted accepted", "a d", 1, nil},
		{"the panel goes off in mid-trace: the one before is entered again, then the new one", func(s *stage) {
			s.on = func(c *client, n int) error {
				if n == 8 {
					s.off, c.nodes, c.dir = true, nil, image.Point{}
				}
				return nil
			}
		}, "off accepted accepted", "a d", 1, nil},
		{"in mid-trace another panel is dealt", func(s *stage) {
			s.on = func(c *client, n int) error {
				if n == 8 {
					first := c.dir // the line's first edge, whichever answer it is: the new panel has it broken
					if len(c.nodes) > 1 {
						first = c.nodes[1].Sub(c.nodes[0])
					}
					c.gaps = map[image.Point]bool{clientStart.Mul(2).Add(first): true}
					c.nodes, c.dir, c.bare = nil, image.Point{}, nil
				}
				return nil
			}
		}, "unknown accepted", "", 1, nil},
		{"the client stands still in mid-trace, for six seconds", func(s *stage) {
			s.on = func(_ *client, n int) error {
				if n == 8 {
					s.freeze(6 * time.Second)
				}
				return nil
			}
		}, "accepted", "", 2, nil},
		{"the client stands still before the line begins, for three seconds", func(s *stage) {
			s.on = func(_ *client, n int) error {
				if n == 2 {
					s.freeze(3 * time.Second)
				}
				return nil
			}
		}, "accepted", "", 2, nil},
		{"the client stands still for good", func(s *stage) {
			s.on = func(_ *client, n int) error {
				if n == 8 {
					s.freeze(time.Hour)
				}
				return nil
			}
		}, "unknown", "", 1, errMiss},
		{"a hand is on the mouse in mid-trace", func(s *stage) {
			s.on = func(_ *client, n int) error {
				if n == 8 {
					s.stop(ErrHand)
				}
				return nil
			}
		}, "", "", 0, ErrHand},
		{"the stop key is pressed before the line begins", func(s *stage) {
			s.on = func(_ *client, n int) error {
				if n == 1 {
					s.stop(ErrStopKey)
				}
				return nil
			}
		}, "", "", 0, ErrStopKey},
		{"the board is cut off by the window's edge: the wheel brings it into sight", func(s *stage) {
			s.system, s.at = true, image.Pt(40, 320)
		}, "accepted", "", 1, nil},
		{"the client shows the system's pointer, and its look says that it draws one", func(s *stage) {
			s.system, s.foreign, s.fades = true, true, true
		}, "accepted", "", 2, nil},
		{"the client lets go of the line in mid-trace, and leaves it standing", func(s *stage) {
			s.system, s.fades = true, true
			s.on = func(c *client, n int) error {
				if n == 8 {
					c.paused = true
				}
				return nil
			}
		}, "accepted", "", 2, nil},
		{"the client does not hear the key to walk on by", func(s *stage) { s.want, s.deaf = 2, 1 },
			"accepted accepted", "d d", 1, nil},
		{"nothing is seen", func(s *stage) { s.covered = true }, "", "", 0, ErrPatience},
		{"the display goes in mid-trace", func(s *stage) {
			s.on = func(c *client, n int) error {
				c.gone = n >= 6
				return nil
			}
		}, "", "", 0, errGone},
	}
}

type driverRow struct {
	why      string
	change   func(*stage)
	outcomes string
	keys     string
	tries    int // of the last answer
	want     error
}

// A drove is what a driver did.
type drove struct {
	states   []string
	outcomes []string
	tries    int
	err      error
}

func (d *drove) String() string {
	return fmt.Sprintf("%v, outcomes %v, %d tries, %v", d.states, d.outcomes, d.tries, d.err)
}

// watched has a driver write down what it does.
func (d *Driver) watched(ctx context.Context) *drove {
	var got drove
	d.Show = func(t *Drive) error {
		got.outcomes, got.tries = append(got.outcomes, t.Outcome.String()), t.Tries
		return nil
	}
	d.Came = func(at State) { got.states = append(got.states, string(at)) }
	got.err = d.Run(ctx)
	return &got
}

// TestForeignLook: a look whose client draws its pointer is looked with no more once a line
// came to its end by the system's, and its keys are none; another look stays.
func TestForeignLook(t *testing.T) {
	onItsOwnClock(t, "", func(t *testing.T) {
		s := &stage{client: newClient(), at: image.Pt(40, 30), foreign: true}
		s.system, s.fades = true, true
		d := driver(t, s)
		eye := d.Observer.Eye
		drawn, own := eye.Profiles[0], *eye.Profiles[0]
		own.Motion.Pointer = calibrations.System
		eye.Profiles = append(eye.Profiles, &own)
		d.Player.Adopt(drawn)
		drawn.Keys.Next = "n"
		d.Keys.Next = ""
		if keys := d.keys(drawn); keys.Next != "n" {
			t.Fatalf("before, its keys are %v", keys)
		}
		if got := d.watched(t.Context()); got.err != nil || strings.Join(got.outcomes, " ") != "accepted" {
			t.Fatal(got)
		}
		if len(eye.Profiles) != 1 || eye.Profiles[0] != &own || d.keys(drawn) != (Keys{Back: "a"}) {
			t.Errorf("%d looks are left, and keys %v", len(eye.Profiles), d.keys(drawn))
		}
	})
}

// TestDriver: each run is recorded, and the record gives the same run again,
// state by state, without the client and without its clock.
func TestDriver(t *testing.T) {
	met := map[string]bool{}
	for _, row := range driverRows() {
		onItsOwnClock(t, row.why, func(t *testing.T) {
			s := &stage{client: newClient(), at: image.Pt(40, 30)}
			ctx, stop := context.WithCancelCause(t.Context())
			s.stop = stop
			row.change(s)
			folder := t.TempDir()
			tape, err := NewTape(folder, s, s)
			if err != nil {
				t.Fatal(err)
			}
			d := driver(t, s)
			d.Player.Source, d.Player.Mouse, d.Player.Clock = tape, tape, tape
			got := d.watched(ctx)
			row.judge(t, s, got)
			if err := tape.Close(); err != nil {
				t.Fatal(err)
			}
			replay, err := OpenReplay(folder)
			if err != nil {
				t.Fatal(err)
			}
			defer replay.Close()
			d = driver(t, s)
			d.Player.Source, d.Player.Mouse, d.Player.Clock = replay, replay, replay
			again := d.watched(replay.Context(t.Context()))
			if err := replay.Done(); err != nil {
				t.Error(err)
			}
			if again.String() != got.String() {
				t.Errorf("replayed as\n%s\nwant\n%s", again, got)
			}
			for _, state := range got.states {
				met[state] = true
			}
		})
	}
	for _, state := range []State{Find, Enter, Trace, Submit, Judge, Walk, Scroll, GiveUp} {
		if !met[string(state)] {
			t.Errorf("no row comes to the state %q", state)
		}
	}
}

func (row *driverRow) judge(t *testing.T, s *stage, got *drove) {
	t.Helper()
	if !errors.Is(got.err, row.want) && !(row.want == errMiss && errors.As(got.err, new(*MissError))) {
		t.Errorf("%v, want %v", got.err, row.want)
	}
	if got := strings.Join(got.outcomes, " "); got != row.outcomes {
		t.Errorf("outcomes %q, want %q; clicks %v", got, row.outcomes, s.clicks)
	}
	if got.tries != row.tries {
		t.Errorf("%d tries, want %d", got.tries, row.tries)
	}
	var keys []string
	for _, k := range s.keys {
		keys = append(keys, string(k))
	}
	if got := strings.Join(keys, " "); got != row.keys {
		t.Errorf("keys %q, want %q", got, row.keys)
	}
	if s.down {
		t.Error("the button is down")
	}
	entered := strings.Count(row.outcomes, "accepted") + strings.Count(row.outcomes, "refused")
	if got := strings.Count(strings.Join(s.clicks, " "), "submit"); got != entered {
		t.Errorf("clicks %v: %d submitted, want %d", s.clicks, got, entered)
	}
}
