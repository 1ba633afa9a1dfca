package drive

import (
	"context"
	"errors"
	"image"
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
	"onlooker/vision"
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
		if err := replay.Done(); err != nil {
			t.Error(err)
		}
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
