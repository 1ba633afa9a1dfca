package drive

import (
	"context"
	"errors"
	"image"
	"image/draw"
	"slices"
	"sync"
	"testing"
	"time"

	"onlooker/calibrations"
	"onlooker/capture"
	"onlooker/cmd/internal/agent/agenttest"
	"onlooker/cmd/internal/agent/enter"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/agent/tape"
	"onlooker/input"
	"onlooker/solve"
	"onlooker/solve/solvetest"
	"onlooker/solve/switches"
	"onlooker/vision"
	visionswitches "onlooker/vision/switches"
)

// A turnstile is a pillar that a key turns by a column, as the practice page does.
type turnstile struct {
	*agenttest.Column
	mu       sync.Mutex
	from, to float64 // what faced the viewer before the last key, and will
	pressed  time.Time
	keys     int
	last     *image.RGBA // the last frame, of what faced the viewer then
	lastOf   float64
}

func (s *turnstile) faced() float64 {
	const turnTime = 220 * time.Millisecond
	return s.from + (s.to-s.from)*min(1, float64(time.Since(s.pressed))/float64(turnTime))
}

func (s *turnstile) Grab(context.Context) (*image.RGBA, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at := s.faced(); s.last == nil || at != s.lastOf {
		s.last, s.lastOf = s.Frame(at), at
	}
	return s.last, nil
}

func (s *turnstile) Key(k input.Key) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if k == "e" {
		s.from, s.to, s.pressed = s.faced(), s.to+2, time.Now()
		s.keys++
	}
	return nil
}

func (s *turnstile) Bounds() image.Rectangle       { return image.Rect(0, 0, 640, 800) }
func (s *turnstile) Close() error                  { return nil }
func (s *turnstile) MoveTo(image.Point) error      { return nil }
func (s *turnstile) MoveBy(int, int) error         { return nil }
func (s *turnstile) Press(input.Button) error      { return nil }
func (s *turnstile) Release(input.Button) error    { return nil }
func (s *turnstile) Pointer() (image.Point, error) { return image.Point{}, nil }

// TestDriverTurnsPillar: a pillar is turned by the client's key until it is read, no
// further than once round, and the record gives the same run again. A hand on the
// mouse ends it when its answer is known.
func TestDriverTurnsPillar(t *testing.T) {
	c := agenttest.NewColumn(t, agenttest.Lonely)
	agenttest.OnItsOwnClock(t, "a key for a column", func(t *testing.T) {
		s := &turnstile{Column: c, from: 3, to: 3}
		turns := func(ctx context.Context, source capture.Source, mouse enter.Mouse, clock enter.Clock, seen func()) (*drove, []string) {
			game := panels()
			game.Family = &solve.Family{Name: "witness"}
			var read []string
			d := &Driver{
				Player:   &enter.Player{Source: source, Mouse: mouse, Clock: clock},
				Observer: &see.Observer{Eye: &see.Eye{Games: []see.Game{game}, Profiles: []*calibrations.Profile{agenttest.Profile(t)}}},
				Want:     1, Patience: 5 * time.Second,
			}
			d.Seen = func(t *Drive) { read = append(read, t.Text); seen() }
			return watched(ctx, d), read
		}
		folder := t.TempDir()
		kept := solvetest.Must(tape.Create(folder, s, s))(t)
		ctx, stop := context.WithCancelCause(t.Context())
		got, read := turns(ctx, kept, kept, kept, func() { stop(ErrHand) })
		solvetest.OK(t, kept.Close())
		if !errors.Is(got.err, ErrHand) || len(read) != 1 || !slices.Contains(got.states, string(Circle)) || s.keys > s.Cols {
			t.Fatalf("%s; read %q with %d keys: want one board read within a turn", got, read, s.keys)
		}
		replay := solvetest.Must(tape.Open(folder))(t)
		defer replay.Close()
		again, readAgain := turns(replay.Context(t.Context(), ErrHand), replay, replay, replay, func() {})
		solvetest.Fine(t, replay.Done())
		if again.String() != got.String() || !slices.Equal(read, readAgain) {
			t.Errorf("replayed as\n%s\n%q\nwant\n%s\n%q", again, readAgain, got, read)
		}
	})
}

// TestGiveUp: what is said names each board that is seen with its own reason, and no board
// that could be answered as one that cannot.
func TestGiveUp(t *testing.T) {
	unread := see.Sighting{Reading: see.Reading{Board: &vision.Board{Cols: 3, Rows: 4}, Err: errors.New("unsure")}}
	solved := see.Sighting{Reading: see.Reading{Board: &vision.Board{Cols: 5, Rows: 5, Solved: true}}}
	answered := see.Sighting{Reading: see.Reading{Board: &vision.Board{Cols: 5, Rows: 5}}, New: true}
	failed := &Drive{Task: enter.Task{Tries: 1}, Failed: errors.New("play: no line")}
	const none = "drive: no board that can be answered is seen"
	const gave = "drive: gave up on a board after a try: play: no line; see that its window is in front, and takes the mouse"
	for _, row := range []struct {
		why    string
		boards []see.Sighting
		failed *Drive
		want   string
	}{
		{"nothing is seen", nil, nil, none},
		{"two boards", []see.Sighting{unread, solved}, nil, none + ": 3×4: unsure; 5×5: a line is drawn on it"},
		{"one that can be answered, and was not taken", []see.Sighting{answered}, failed, gave},
		{"one that cannot be read any more", []see.Sighting{unread}, failed, none + ": 3×4: unsure\n" + gave},
	} {
		c := &course{Driver: &Driver{}, turn: &see.Turn{Boards: row.boards}, failed: row.failed}
		if _, err := c.giveUp(t.Context()); err == nil || err.Error() != row.want {
			t.Errorf("%s:\ngot  %v\nwant %s", row.why, err, row.want)
		}
	}
}

// TestDriverClicks drives a whole board of lamps, from what is seen to all of them
// lit; a client by other rules is left alone after two clicks.
func TestDriverClicks(t *testing.T) {
	look := solvetest.Must(calibrations.Load("switches-cells"))(t)
	for _, row := range []struct {
		why    string
		flips  func(n int, cell image.Point) []image.Point
		clicks int // at the most
		want   bool
	}{
		{"a plain client", func(_ int, cell image.Point) []image.Point { return agenttest.Cross(cell) }, 2, true},
		{"a client that loses a click", func(n int, cell image.Point) []image.Point {
			if n == 1 {
				return nil
			}
			return agenttest.Cross(cell)
		}, 3, true},
		{"a client by other rules", func(_ int, cell image.Point) []image.Point {
			return []image.Point{cell, {X: (cell.X + 1) % agenttest.LampCols, Y: (cell.Y + 1) % agenttest.LampRows}}
		}, 2, false},
	} {
		agenttest.OnItsOwnClock(t, row.why, func(t *testing.T) {
			look.Cells.Goal = "on"
			l := &agenttest.Lamps{Flips: row.flips}
			for r := range agenttest.LampRows {
				for c := range agenttest.LampCols {
					l.Lit[r][c] = true
				}
			}
			for _, cell := range []image.Point{{X: 1, Y: 1}, {X: 3, Y: 0}} {
				for _, q := range agenttest.Cross(cell) {
					l.Lit[q.Y][q.X] = !l.Lit[q.Y][q.X]
				}
			}
			l.Was = l.Lit
			d := &Driver{
				Player:   &enter.Player{Source: agenttest.LampSource{Lamps: l}, Mouse: l},
				Observer: &see.Observer{Eye: &see.Eye{Games: []see.Game{{Family: &switches.Family, Scan: visionswitches.Scan}}, Profiles: []*calibrations.Profile{look}}},
				Want:     1, Patience: 5 * time.Second,
			}
			got := watched(t.Context(), d)
			var other *enter.OtherwiseError
			if accepted := got.err == nil; accepted != row.want || !row.want && !errors.As(got.err, &other) {
				t.Errorf("%v", got)
			}
			if len(l.Clicked) > row.clicks {
				t.Errorf("clicked %v, want %d clicks at the most", l.Clicked, row.clicks)
			}
			for _, cells := range l.Lit {
				for _, on := range cells {
					if row.want && !on {
						t.Fatalf("lamps %v, want all lit", l.Lit)
					}
				}
			}
		})
	}
}

// ticking is a page that the wheel does not move, with a clock in a corner that changes from
// one frame to the next.
type ticking struct {
	n  int
	at image.Point
}

func (p *ticking) Grab(context.Context) (*image.RGBA, error) {
	m := image.NewRGBA(p.Bounds())
	draw.Draw(m, image.Rect(500, 0, 600, 40), image.White, image.Point{}, draw.Src)
	p.n++
	draw.Draw(m, image.Rect(500, 0, 500+16*(p.n%6), 40), image.Black, image.Point{}, draw.Src)
	return m, nil
}

func (p *ticking) MoveTo(at image.Point) error   { p.at = at; return nil }
func (p *ticking) MoveBy(int, int) error         { return nil }
func (p *ticking) Press(input.Button) error      { return nil }
func (p *ticking) Release(input.Button) error    { return nil }
func (p *ticking) Key(input.Key) error           { return nil }
func (p *ticking) Pointer() (image.Point, error) { return p.at, nil }
func (p *ticking) Bounds() image.Rectangle       { return image.Rect(0, 0, 600, 400) }
func (p *ticking) Close() error                  { return nil }

// TestWheelBesideClock: the wheel that moves nothing is not turned again the same way because
// a clock beside the board went on, and patience does not begin anew with that.
func TestWheelBesideClock(t *testing.T) {
	agenttest.OnItsOwnClock(t, "a clock", func(t *testing.T) {
		page := &ticking{}
		p := &enter.Player{Source: page, Mouse: page, Motion: calibrations.Motion{Style: calibrations.Drag, Pointer: calibrations.System, StepPixels: 1000, StepMillis: 20, Gain: 1}}
		p.Start()
		frame, _ := page.Grab(t.Context())
		board := &vision.Board{Cols: 3, Rows: 3, ScreenPitch: 60, Quad: [4]vision.Point{{X: 60, Y: 200}, {X: 240, Y: 200}, {X: 240, Y: 380}, {X: 60, Y: 380}}}
		c := &course{Driver: &Driver{Player: p}, last: p.Now(), turn: &see.Turn{Frame: frame, Boards: []see.Sighting{{Reading: see.Reading{Board: board, Err: errors.New("unread")}}}}}
		began := c.last
		for range 6 {
			solvetest.Must(c.turnWheel(t.Context()))(t)
			c.turn.Frame, _ = page.Grab(t.Context())
		}
		if got := slices.Compact(slices.Sorted(slices.Values(c.scroll.stuck))); len(got) != len(c.scroll.stuck) || c.scroll.times != len(got) || c.last != began {
			t.Errorf("the wheel was turned %d times, stuck %v, last %v, want %v", c.scroll.times, c.scroll.stuck, c.last, began)
		}
	})
}

// TestShows: three boards side by side on a page that is larger than its window
// both ways. The one in the middle was answered, and the wheel has moved the page.
func TestShows(t *testing.T) {
	board := func(x, y, cols, rows int) *vision.Board {
		const pitch = 100
		left, top, right, bottom := float64(x), float64(y), float64(x+cols*pitch), float64(y+rows*pitch)
		return &vision.Board{Cols: cols, Rows: rows, ScreenPitch: pitch,
			Quad: [4]vision.Point{{X: left, Y: top}, {X: right, Y: top}, {X: right, Y: bottom}, {X: left, Y: bottom}}}
	}
	w := wonBoard{board: board(400, 100, 7, 7), slid: image.Pt(-50, -60), turned: true}
	for _, c := range []struct {
		name string
		seen *vision.Board
		want bool
	}{
		{"as it was, moved", board(350, 40, 7, 7), true},
		{"its first row lost", board(350, 140, 7, 6), true},
		{"its last column lost", board(350, 40, 6, 7), true},
		{"three columns lost, and a row", board(350, 40, 4, 6), true},
		{"the one beside it, of as many rows", board(1200, 40, 4, 7), false},
		{"the one beside it, of as many columns", board(1200, 40, 7, 3), false},
		{"the one below it", board(350, 900, 7, 7), false},
	} {
		solvetest.Same(t, w.shows(c.seen), c.want, "%s", c.name)
	}
	// Lamps that went out look like themselves a row further down.
	w = wonBoard{board: board(400, 100, 7, 7), slid: image.Pt(0, 400)}
	if still := board(400, 100, 7, 7); !w.shows(still) {
		t.Error("a board that no wheel has moved is not known where it stood")
	} else if w.turned = true; w.shows(still) {
		t.Error("a board that the wheel has moved is taken for another one")
	}
}

// TestWholeLook: looks of which nothing is known are tried once the others have read nothing for
// a while, and that several times: on a busy machine one look takes as long, while a panel comes on.
func TestWholeLook(t *testing.T) {
	d := driver(t, &stage{Client: agenttest.NewClient()})
	d.Player.Start()
	c := &course{Driver: d, last: d.Player.Now().Add(-time.Minute)}
	read := see.Sighting{Reading: see.Reading{Puzzle: &switches.Puzzle{}}}
	for n, row := range []struct {
		boards []see.Sighting
		whole  bool
	}{{nil, false}, {nil, false}, {nil, true}, {[]see.Sighting{read}, false}, {nil, false}} {
		c.looked(&see.Turn{Brief: true, Boards: row.boards})
		solvetest.Same(t, c.view(nil).Whole, row.whole, "after look %d: all are tried", n+1)
	}
}
