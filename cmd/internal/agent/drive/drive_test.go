package drive

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
	"onlooker/cmd/internal/agent/agenttest"
	"onlooker/cmd/internal/agent/enter"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/agent/tape"
	"onlooker/input"
	"onlooker/solve"
	"onlooker/solve/solvetest"
	"onlooker/vision"
	visionwitness "onlooker/vision/witness"
)

// A stage is a client whose window can be moved and covered, seen as a part of
// a display, and which has two panels: after a refused answer the second goes
// off and comes back as another one once the first was solved again.
type stage struct {
	*agenttest.Client
	at      image.Point // of the window
	covered bool
	waits   bool            // the driver does, and then it is uncovered
	words   image.Rectangle // of the client, that a message lies over
	ground  color.RGBA      // of the message
	off     bool            // the panel is dark
	keys    []input.Key
	deaf    int           // so many keys yet are not heard
	late    time.Duration // from the wheel's turn to the page's
	foreign bool          // the look that is taken says that the client draws its pointer, and it does not
	want    int           // answers; 0: one
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
	return s.give(func() error { return s.Client.MoveBy(dx, dy) })
}

// MoveTo puts the system's pointer to a place of the display.
func (s *stage) MoveTo(at image.Point) error {
	s.Mu.Lock()
	at = at.Sub(s.at)
	s.Mu.Unlock()
	return s.Client.MoveTo(at)
}

// Pointer is where that is on the display.
func (s *stage) Pointer() (image.Point, error) {
	at, err := s.Client.Pointer()
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return at.Add(s.at), err
}

// notch is how far the wheel moves what is in the window, in pixels.
const notch = 60

func (s *stage) Press(b input.Button) error {
	if b == input.WheelDown || b == input.WheelUp {
		time.AfterFunc(s.late, func() {
			s.Mu.Lock()
			defer s.Mu.Unlock()
			s.at.Y += map[input.Button]int{input.WheelDown: -notch, input.WheelUp: notch}[b]
		})
		return nil
	}
	return s.give(func() error { return s.Client.Press(b) })
}

func (s *stage) Release(b input.Button) error {
	return s.give(func() error { return s.Client.Release(b) })
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
	s.On = func(_ *agenttest.Client, n int) error {
		if n == 6 {
			s.ground, s.words = ground, over
			time.AfterFunc(while, func() {
				s.Mu.Lock()
				defer s.Mu.Unlock()
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
	f, err := s.Client.Grab(ctx)
	if err != nil {
		return nil, err
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if s.off {
		agenttest.Paint(f, agenttest.ClientAt(0, 1.5), agenttest.ClientAt(agenttest.ClientCols, 1.5), 2.2*agenttest.ClientPitch, color.RGBA{11, 11, 10, 255})
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
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.keys = append(s.keys, k)
	if s.deaf > 0 {
		s.deaf--
		return nil
	}
	s.Nodes, s.Dir, s.Along, s.Shown, s.Solving, s.Accept, s.off = nil, image.Point{}, 0, "", false, true, false
	s.Gaps = map[image.Point]bool{{X: 3, Y: 2 * (len(s.keys) % 4)}: true}
	s.Bare = nil
	return nil
}

func driver(t *testing.T, s *stage) *Driver {
	t.Helper()
	p := player(s.Client)
	p.Source, p.Mouse = s, s
	look := agenttest.Profile(t)
	// The cursor's size is by the height of what is seen.
	look.Board.Cursor = calibrations.Cursor{Radius: 6.5 / 640, Ring: 8.0 / 640, Alpha: 0.4}
	if s.System && !s.foreign {
		p.Motion.Pointer, look.Motion.Pointer = calibrations.System, calibrations.System
	}
	game := panels()
	game.Family = &solve.Family{Name: "witness"}
	d := &Driver{
		Player: p, Observer: &see.Observer{Eye: &see.Eye{Games: []see.Game{game}, Profiles: []*calibrations.Profile{look}}},
		Want: 1, Patience: 5 * time.Second,
	}
	if s.waits {
		d.Waits = func(why error) {
			if !errors.Is(why, ErrPatience) {
				t.Errorf("it waits for %v", why)
			}
			s.Mu.Lock()
			defer s.Mu.Unlock()
			s.covered = false
		}
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
			s.On = func(_ *agenttest.Client, n int) error {
				if n == 6 {
					s.at = image.Pt(170, 110)
				}
				return nil
			}
		}, "accepted", "", 2, nil},
		{"the window is covered in mid-trace, for two seconds", func(s *stage) {
			s.On = func(_ *agenttest.Client, n int) error {
				if n == 6 {
					s.covered = true
					time.AfterFunc(2*time.Second, func() {
						s.Mu.Lock()
						defer s.Mu.Unlock()
						s.covered = false
					})
				}
				return nil
			}
		}, "accepted", "", 2, nil},
		{"a message lies over the board's upper half from mid-trace on, for four seconds", func(s *stage) {
			s.says(color.RGBA{40, 42, 50, 255}, image.Rect(60, 60, 600, int(agenttest.ClientAt(0, 1.4).Y)), 4*time.Second)
		}, "accepted", "", 1, nil},
		{"a coloured message lies over the board's middle row, for four seconds", func(s *stage) {
			s.says(color.RGBA{200, 60, 120, 255}, image.Rect(60, int(agenttest.ClientAt(0, 0.6).Y), 600, int(agenttest.ClientAt(0, 1.4).Y)), 4*time.Second)
		}, "accepted", "", 1, nil},
		{"an answer is refused: the one before is entered again, then the new one", func(s *stage) { s.Accept = false },
			"refused accepted accepted", "a d", 1, nil},
		{"the panel goes off in mid-trace: the one before is entered again, then the new one", func(s *stage) {
			s.On = func(c *agenttest.Client, n int) error {
				if n == 8 {
					s.off, c.Nodes, c.Dir = true, nil, image.Point{}
				}
				return nil
			}
		}, "off accepted accepted", "a d", 1, nil},
		{"in mid-trace another panel is dealt", func(s *stage) {
			s.On = func(c *agenttest.Client, n int) error {
				if n == 8 {
					first := c.Dir // the line's first edge, whichever answer it is: the new panel has it broken
					if len(c.Nodes) > 1 {
						first = c.Nodes[1].Sub(c.Nodes[0])
					}
					c.Gaps = map[image.Point]bool{agenttest.ClientStart.Mul(2).Add(first): true}
					c.Nodes, c.Dir, c.Bare = nil, image.Point{}, nil
				}
				return nil
			}
		}, "broken off accepted", "", 1, nil},
		{"the client stands still in mid-trace, for six seconds", func(s *stage) {
			s.On = func(_ *agenttest.Client, n int) error {
				if n == 8 {
					s.freeze(6 * time.Second)
				}
				return nil
			}
		}, "accepted", "", 2, nil},
		{"the client stands still before the line begins, for three seconds", func(s *stage) {
			s.On = func(_ *agenttest.Client, n int) error {
				if n == 2 {
					s.freeze(3 * time.Second)
				}
				return nil
			}
		}, "accepted", "", 2, nil},
		{"the client stands still for good, and shows the line begun", func(s *stage) {
			s.On = func(_ *agenttest.Client, n int) error {
				if n == 8 {
					s.freeze(time.Hour)
				}
				return nil
			}
		}, "broken off", "", enter.MostTries, errMiss},
		{"a hand is on the mouse in mid-trace", func(s *stage) {
			s.On = func(_ *agenttest.Client, n int) error {
				if n == 8 {
					s.stop(ErrHand)
				}
				return nil
			}
		}, "", "", 0, ErrHand},
		{"the stop key is pressed before the line begins", func(s *stage) {
			s.On = func(_ *agenttest.Client, n int) error {
				if n == 1 {
					s.stop(ErrStopKey)
				}
				return nil
			}
		}, "", "", 0, ErrStopKey},
		{"the board is cut off by the window's edge: the wheel brings it into sight", func(s *stage) {
			s.System, s.Fades, s.at = true, true, image.Pt(40, 320)
		}, "accepted", "", 1, nil},
		{"the same on a page that is busy, and moves late", func(s *stage) {
			s.System, s.Fades, s.at, s.late = true, true, image.Pt(40, 410), 1500*time.Millisecond
		}, "accepted", "", 1, nil},
		{"the client shows the system's pointer, and its look says that it draws one", func(s *stage) {
			s.System, s.foreign, s.Fades = true, true, true
		}, "accepted", "", 2, nil},
		{"the client lets go of the line in mid-trace, and leaves it standing", func(s *stage) {
			s.System, s.Fades = true, true
			s.On = func(c *agenttest.Client, n int) error {
				if n == 8 {
					c.Paused = true
				}
				return nil
			}
		}, "accepted", "", 2, nil},
		{"the client does not hear the key to walk on by", func(s *stage) { s.want, s.deaf = 2, 1 },
			"accepted accepted", "d d", 1, nil},
		{"nothing is seen, as on a menu, and a board comes", func(s *stage) { s.covered, s.waits = true, true }, "accepted", "", 1, nil},
		{"nothing is seen", func(s *stage) { s.covered = true }, "", "", 0, ErrPatience},
		{"the display goes in mid-trace", func(s *stage) {
			s.On = func(c *agenttest.Client, n int) error {
				c.Gone = n >= 6
				return nil
			}
		}, "", "", 0, agenttest.ErrGone},
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
func watched(ctx context.Context, d *Driver) *drove {
	var got drove
	d.Show = func(t *Drive) error {
		got.outcomes, got.tries = append(got.outcomes, t.Outcome.String()), t.Tries
		return nil
	}
	d.Came = func(at State) { got.states = append(got.states, string(at)) }
	got.err = d.Run(ctx)
	return &got
}

// TestFinished: behind the last answer what cannot be read is no board, one that is cut off, or
// was read and not answered, is; of what may go on beyond the picture it is told.
func TestFinished(t *testing.T) {
	board := &vision.Board{Cols: 3, Rows: 1, Quad: [4]vision.Point{{X: 10}, {X: 40}, {X: 40, Y: 10}, {X: 10, Y: 10}}, ScreenPitch: 10}
	cut := *board
	cut.Cut[2] = true
	into, left := *board, *board
	into.Cut[0] = true
	for i := range left.Quad {
		left.Quad[i].X -= 35
	}
	unread := errors.New("3×1 places")
	beyond := &see.RefusedError{Of: see.Reading{Board: board, Err: vision.CutOff("cells at the border")}}
	for _, row := range []struct {
		why    string
		board  *vision.Board
		err    error
		want   bool
		beyond bool
		won    []wonBoard
	}{
		{"places of a menu", board, unread, true, false, nil},
		{"a board that is cut off", &cut, unread, false, false, nil},
		{"what may be cut off", board, beyond, true, true, nil},
		{"lines that lead on into a board that was answered", &into, beyond, true, true, []wonBoard{{board: &left}}},
		{"a board that was read", board, nil, false, false, nil},
	} {
		c := &course{Driver: &Driver{}, accepted: 6, done: map[string]bool{}, won: row.won}
		if got := c.finished([]see.Sighting{{Reading: see.Reading{Board: row.board, Err: row.err}, Text: "x"}}); got != row.want || c.Beyond != row.beyond {
			t.Errorf("%s: finished is %v, beyond %v", row.why, got, c.Beyond)
		}
	}
}

// TestForeignLook: a look whose client draws its pointer is looked with no more once a line
// came to its end by the system's, and its keys are none; another look stays.
func TestForeignLook(t *testing.T) {
	agenttest.OnItsOwnClock(t, "", func(t *testing.T) {
		s := &stage{Client: agenttest.NewClient(), at: image.Pt(40, 30), foreign: true}
		s.System, s.Fades = true, true
		d := driver(t, s)
		eye := d.Observer.Eye
		drawn, own := eye.Profiles[0], *eye.Profiles[0]
		own.Motion.Pointer = calibrations.System
		eye.Profiles = append(eye.Profiles, &own)
		d.Player.Adopt(drawn)
		drawn.Keys.Next = "n"
		if keys := d.keys(drawn); keys.Next != "n" {
			t.Fatalf("before, its keys are %v", keys)
		}
		if d.Walks = true; d.keys(drawn) != (calibrations.Keys{}) {
			t.Errorf("where a person walks its keys are %v", d.keys(drawn))
		}
		d.Walks = false
		if got := watched(t.Context(), d); got.err != nil || strings.Join(got.outcomes, " ") != "accepted" {
			t.Fatal(got)
		}
		if len(eye.Profiles) != 1 || eye.Profiles[0] != &own || d.keys(drawn) != (calibrations.Keys{}) {
			t.Errorf("%d looks are left, and keys %v", len(eye.Profiles), d.keys(drawn))
		}
		structure := *drawn // of boards of which nothing is known but what the first look says
		if d.Player.Adopt(&structure); d.Player.Motion.Pointer != calibrations.System {
			t.Errorf("a board of another look is entered by the pointer %q", d.Player.Motion.Pointer)
		}
	})
}

// TestDriver: each run is recorded, and the record gives the same run again,
// state by state, without the client and without its clock.
func TestDriver(t *testing.T) {
	met := map[string]bool{}
	for _, row := range driverRows() {
		agenttest.OnItsOwnClock(t, row.why, func(t *testing.T) {
			s := &stage{Client: agenttest.NewClient(), at: image.Pt(40, 30)}
			ctx, stop := context.WithCancelCause(t.Context())
			s.stop = stop
			row.change(s)
			folder := t.TempDir()
			kept := solvetest.Must(tape.Create(folder, s, s))(t)
			d := driver(t, s)
			d.Player.Source, d.Player.Mouse, d.Player.Clock = kept, kept, kept
			got := watched(ctx, d)
			row.judge(t, s, got)
			solvetest.OK(t, kept.Close())
			replay := solvetest.Must(tape.Open(folder))(t)
			defer replay.Close()
			d = driver(t, s)
			d.Player.Source, d.Player.Mouse, d.Player.Clock = replay, replay, replay
			again := watched(replay.Context(t.Context(), ErrHand, ErrStopKey), d)
			solvetest.Fine(t, replay.Done())
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
	if !errors.Is(got.err, row.want) && !(row.want == errMiss && errors.As(got.err, new(*enter.MissError))) {
		t.Errorf("%v, want %v", got.err, row.want)
	}
	solvetest.Same(t, strings.Join(got.outcomes, " "), row.outcomes, "outcomes, of clicks %v", s.Clicks)
	solvetest.Same(t, got.tries, row.tries, "tries")
	var keys []string
	for _, k := range s.keys {
		keys = append(keys, string(k))
	}
	solvetest.Same(t, strings.Join(keys, " "), row.keys, "keys")
	if s.Down {
		t.Error("the button is down")
	}
	entered := strings.Count(row.outcomes, "accepted") + strings.Count(row.outcomes, "refused")
	solvetest.Same(t, strings.Count(strings.Join(s.Clicks, " "), "submit"), entered, "clicks %v: submitted", s.Clicks)
}

// panels is the game of panels as the reader has it.
func panels() see.Game {
	return see.Game{NewReader: func(p *calibrations.Profile) see.Reader {
		return agenttest.PanelReader{Reader: visionwitness.NewReader(p)}
	}}
}

func player(c *agenttest.Client) *enter.Player {
	return &enter.Player{
		Source: c, Mouse: c,
		Motion: calibrations.Motion{Style: calibrations.Relative, Pointer: calibrations.Drawn, StepPixels: 100, StepMillis: 20, NudgePixels: 4, MissPixels: 0.7, Gain: 1},
		Cursor: calibrations.Cursor{Radius: 6.5 / 480, Ring: 8.0 / 480, Alpha: 0.4},
	}
}
