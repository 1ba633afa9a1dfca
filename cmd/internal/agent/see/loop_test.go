package see

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"onlooker/calibrations"
	"onlooker/capture"
	"onlooker/cmd/internal/agent/agenttest"
	"onlooker/cmd/internal/answer"
	"onlooker/solve"
	"onlooker/solve/solvetest"
	"onlooker/vision"
	"onlooker/vision/grid"
	"onlooker/vision/grid/claims"
	"onlooker/vision/locate"
	visionwitness "onlooker/vision/witness"
)

var _ capture.Source = (*reel)(nil)

// one is a puzzle with an answer of its own making.
type one struct {
	text  string
	solve func() (solve.Solution, error)
	check error
}

func (p *one) MarshalText() ([]byte, error)                      { return []byte(p.text), nil }
func (p *one) Bounds() image.Rectangle                           { return image.Rect(0, 0, 3, 3) }
func (p *one) Solve(ctx context.Context) (solve.Solution, error) { return p.solve() }
func (p *one) Check(context.Context, solve.Solution) error       { return p.check }

// needs is a reader that is sure once it has had a number of views.
type needs struct {
	views, want int
	puzzle      solve.Puzzle
}

func (n *needs) Add(b ...*vision.Board) error {
	n.views += len(b)
	return nil
}

func (n *needs) Puzzle() (solve.Puzzle, error) {
	if n.views < n.want {
		return nil, &vision.UnsureError{What: fmt.Sprintf("%d views are not enough", n.views)}
	}
	return n.puzzle, nil
}

// loop runs over frames without pauses and gives every Turn that was shown and
// every one that was looked at.
func loop(t *testing.T, game Game, r *reel) (shown, looked []*Turn, err error) {
	t.Helper()
	game.Family = &solve.Family{Name: "witness"}
	if r.End == nil {
		r.End = io.EOF
	}
	l := &Loop{
		Source: r, Observer: &Observer{Eye: &Eye{Games: []Game{game}, Profiles: []*calibrations.Profile{agenttest.Profile(t)}}},
		Pause:  func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
		Looked: func(turn *Turn) { looked = append(looked, turn) },
	}
	err = l.Run(t.Context(), func(turn *Turn) error {
		shown = append(shown, turn)
		return nil
	})
	return shown, looked, err
}

func real() Game {
	return Game{NewReader: func(p *calibrations.Profile) Reader { return agenttest.PanelReader{Reader: visionwitness.NewReader(p)} }}
}

// TestLooksWhenStill: a frame is looked at when the one before shows the same,
// and not again until something changed.
func TestLooksWhenStill(t *testing.T) {
	a, b, c := agenttest.Grey(10), agenttest.Grey(100), agenttest.Grey(200)
	dot := agenttest.Grey(10) // a cell of 22 pixels, the smallest that is read, lights up
	draw.Draw(dot, image.Rect(101, 103, 123, 125), image.White, image.Point{}, draw.Src)
	noisy := agenttest.Grey(13)
	for _, row := range []struct {
		why    string
		frames []*image.RGBA
		want   int
	}{
		{"nothing", nil, 0},
		{"one frame may be moving", []*image.RGBA{a}, 0},
		{"two that are the same", []*image.RGBA{a, a}, 1},
		{"nothing new", []*image.RGBA{a, a, a, a, a}, 1},
		{"a change that goes on", []*image.RGBA{a, a, b, c, a, b, c}, 1},
		{"a change that settles", []*image.RGBA{a, a, b, c, c, c}, 2},
		{"there and back", []*image.RGBA{a, a, b, b, a, a}, 3},
		{"a flash", []*image.RGBA{a, a, b, a, a}, 1},
		{"a small cell lights up", []*image.RGBA{a, a, dot, dot}, 2},
		{"noise", []*image.RGBA{a, a, noisy, a, noisy}, 1},
	} {
		_, looked, err := loop(t, real(), &reel{Frames: row.frames})
		if err != nil || len(looked) != row.want {
			t.Errorf("%s: looked %d times, %v; want %d", row.why, len(looked), err, row.want)
		}
	}
}

// TestAnswersOnce: a board that comes back, or moves, is not answered again.
func TestAnswersOnce(t *testing.T) {
	a, moved, none := agenttest.Board(t, agenttest.Squares, 0), agenttest.Board(t, agenttest.Squares, 40), agenttest.Grey(70)
	shown, looked, err := loop(t, real(), &reel{Frames: []*image.RGBA{a, a, none, none, moved, moved, a, a}})
	if err != nil || len(shown) != 1 || len(looked) != 4 {
		t.Fatalf("%d shown, %d looked at, %v; want 1 and 4", len(shown), len(looked), err)
	}
	b := shown[0].Boards[0]
	if b.Failed != nil || len(b.Strokes()) != 1 || !b.New || !b.Solved() {
		t.Errorf("the board is %+v", b)
	}
	if again := looked[2].Boards[0]; again.New || again.Before != "solved" || !again.Solved() {
		t.Errorf("the board that moved is %+v, want it known", again)
	}
}

// TestLooksAgain: a board that was answered is answered once more when that is asked for, though
// nothing changed.
func TestLooksAgain(t *testing.T) {
	a := agenttest.Board(t, agenttest.Squares, 0)
	game := real()
	game.Family = &solve.Family{Name: "witness"}
	l := &Loop{
		Source: &reel{Frames: []*image.RGBA{a, a, a, a, a, a}, End: io.EOF}, Observer: &Observer{Eye: &Eye{Games: []Game{game}, Profiles: []*calibrations.Profile{agenttest.Profile(t)}}},
	}
	pauses, shown := 0, 0
	l.Pause = func(ctx context.Context, _ time.Duration) error {
		if pauses++; pauses == 4 {
			l.LookAgain()
		}
		return ctx.Err()
	}
	err := l.Run(t.Context(), func(turn *Turn) error {
		if shown++; len(turn.Boards) != 1 || !turn.Boards[0].Solved() {
			t.Errorf("look %d shows %v", shown, turn)
		}
		return nil
	})
	if err != nil || shown != 2 {
		t.Errorf("it was shown %d times, %v; want 2", shown, err)
	}
}

// TestUnsureIsCompleted: what one frame hides a later one shows.
func TestUnsureIsCompleted(t *testing.T) {
	right := &one{text: "the puzzle", solve: func() (solve.Solution, error) { return solve.Solution{{image.Pt(0, 0)}}, nil }}
	game := Game{NewReader: func(*calibrations.Profile) Reader { return &needs{want: 2, puzzle: right} }}
	a, b := agenttest.Board(t, agenttest.Squares, 0), agenttest.Board(t, agenttest.Squares, 3)
	shown, _, err := loop(t, game, &reel{Frames: []*image.RGBA{a, a, b, b}})
	if err != nil || len(shown) != 2 {
		t.Fatalf("%d turns, %v; want the doubt and the answer", len(shown), err)
	}
	if first := shown[0].Boards[0]; answer.Status(first.Failed) != "unsure" {
		t.Errorf("at first: %+v, want unsure", first)
	}
	if second := shown[1].Boards[0]; second.Failed != nil || second.Text != "the puzzle" {
		t.Errorf("with two views: %+v, want an answer", second)
	}
	// Far away it is another board: nothing is joined.
	far := agenttest.Board(t, agenttest.Squares, 130)
	shown, _, err = loop(t, game, &reel{Frames: []*image.RGBA{a, a, far, far}})
	if err != nil || len(shown) != 2 || answer.Status(shown[1].Boards[0].Failed) != "unsure" {
		t.Errorf("two boards far apart: %d turns, %v; want two doubts", len(shown), err)
	}
}

// smudged is a frame of squares with something round and white over a cell.
func smudged(t *testing.T, cell image.Point) *image.RGBA {
	t.Helper()
	m := agenttest.Board(t, agenttest.Squares, 0)
	found, err := locate.Boards(m, agenttest.Profile(t).Board)
	if err != nil || len(found) != 1 {
		t.Fatalf("%d boards, %v; want one", len(found), err)
	}
	at := found[0].Screen(cell)
	for y := -14; y <= 14; y++ {
		for x := -14; x <= 14; x++ {
			if x*x+y*y <= 14*14 {
				m.SetRGBA(at.X+x, at.Y+y, color.RGBA{235, 235, 240, 255})
			}
		}
	}
	return m
}

// TestDrawnPanelIsCompleted: the same with a panel that is read, of which each
// frame hides another symbol.
func TestDrawnPanelIsCompleted(t *testing.T) {
	a, b := smudged(t, image.Pt(1, 1)), smudged(t, image.Pt(5, 3))
	shown, _, err := loop(t, real(), &reel{Frames: []*image.RGBA{a, a, b, b}})
	if err != nil || len(shown) != 2 {
		t.Fatalf("%d turns, %v; want the doubt and the answer", len(shown), err)
	}
	if first := shown[0].Boards[0]; answer.Status(first.Failed) != "unsure" || !strings.Contains(first.Failed.Error(), "column 1 row 1") {
		t.Errorf("at first: %v, want unsure about column 1 row 1", first.Failed)
	}
	whole, _, err := loop(t, real(), &reel{Frames: []*image.RGBA{agenttest.Board(t, agenttest.Squares, 0), agenttest.Board(t, agenttest.Squares, 0)}})
	if err != nil || len(whole) != 1 {
		t.Fatalf("%d turns, %v; want the answer", len(whole), err)
	}
	got, want := shown[1].Boards[0], whole[0].Boards[0]
	// Colours are named as each frame shows them: here by their order.
	colour := regexp.MustCompile("#[0-9a-f]{6}")
	plain := func(text string) string {
		seen := map[string]string{}
		return colour.ReplaceAllStringFunc(text, func(c string) string {
			if seen[c] == "" {
				seen[c] = fmt.Sprint("colour ", len(seen))
			}
			return seen[c]
		})
	}
	if got.Failed != nil || plain(got.Text) != plain(want.Text) {
		t.Errorf("with two views: %v\n%s\nwant\n%s", got.Failed, got.Text, want.Text)
	}
}

// TestHiddenIsKnown: what the game's cursor hides of a panel that was read is known from before; of
// one that was not it is hidden.
func TestHiddenIsKnown(t *testing.T) {
	plain := agenttest.Board(t, agenttest.Squares, 0)
	found, err := locate.Boards(plain, agenttest.Profile(t).Board)
	if err != nil || len(found) != 1 {
		t.Fatalf("%d boards, %v; want one", len(found), err)
	}
	at, r := found[0].Screen(image.Pt(1, 1)), 0.19*found[0].ScreenPitch
	covered := image.NewRGBA(plain.Rect)
	copy(covered.Pix, plain.Pix)
	for y := range plain.Rect.Dy() {
		for x := range plain.Rect.Dx() {
			p := covered.Pix[covered.PixOffset(x, y):]
			for k := range 3 {
				switch d := math.Hypot(float64(x-at.X), float64(y-at.Y)); {
				case d < r:
					p[k] = uint8(0.6*float64(p[k]) + 0.4*255)
				case d < 1.2*r:
					p[k] = uint8(0.65 * float64(p[k]))
				}
			}
		}
	}
	shown, _, err := loop(t, real(), &reel{Frames: []*image.RGBA{plain, plain, covered, covered, covered}})
	if err != nil || len(shown) != 1 || shown[0].Boards[0].Failed != nil {
		t.Errorf("%d turns, %v; want the answer alone", len(shown), err)
	}
	shown, _, err = loop(t, real(), &reel{Frames: []*image.RGBA{covered, covered}})
	if err != nil || len(shown) != 1 || shown[0].Boards[0].Failed == nil || !strings.Contains(shown[0].Boards[0].Failed.Error(), "hidden by the cursor: column 1 row 1") {
		t.Errorf("%d turns, %v; want it hidden, of %v", len(shown), err, shown[0].Boards[0].Failed)
	}
}

// TestFailures: whatever a solver does, the board's error says so.
func TestFailures(t *testing.T) {
	a := agenttest.Board(t, agenttest.Squares, 0)
	broken := &solve.RuleError{Rule: "line", Got: "a jump"}
	for _, row := range []struct {
		why    string
		puzzle one
		status string
		want   string
	}{
		{"no answer", one{solve: func() (solve.Solution, error) { return nil, solve.ErrUnsolvable }}, "unsolvable", "solve: no solution"},
		{"out of time", one{solve: func() (solve.Solution, error) { return nil, context.DeadlineExceeded }}, "timeout", "deadline"},
		{"a wrong answer", one{solve: func() (solve.Solution, error) { return nil, nil }, check: broken}, "error", "the answer found is wrong: rule line"},
		{"a panic", one{solve: func() (solve.Solution, error) { panic("index 9") }}, "error", "internal error: index 9"},
	} {
		row.puzzle.text = row.why
		game := Game{NewReader: func(*calibrations.Profile) Reader { return &needs{want: 1, puzzle: &row.puzzle} }}
		shown, _, err := loop(t, game, &reel{Frames: []*image.RGBA{a, a}})
		if err != nil || len(shown) != 1 {
			t.Fatalf("%s: %d turns, %v", row.why, len(shown), err)
		}
		b := shown[0].Boards[0]
		if b.Failed == nil || answer.Status(b.Failed) != row.status || !strings.Contains(b.Failed.Error(), row.want) || b.Strokes() != nil {
			t.Errorf("%s: %v with %v, want %s with %q and no strokes", row.why, b.Failed, b.Strokes(), row.status, row.want)
		}
	}
}

// TestGrabFails: told once, gone on with, and given up in the end.
func TestGrabFails(t *testing.T) {
	a, b := agenttest.Grey(10), agenttest.Grey(200)
	shown, looked, err := loop(t, real(), &reel{Frames: []*image.RGBA{a, a, nil, nil, nil, b, b, nil, a, a}})
	if err != nil || len(looked) != 3 || len(shown) != 2 {
		t.Fatalf("%d shown, %d looked at, %v; want two failures told and three looks", len(shown), len(looked), err)
	}
	for _, turn := range shown {
		if turn.Failed == nil || !strings.Contains(turn.Failed.Error(), "no picture of the screen: no light") {
			t.Errorf("told %v, want the grab's failure", turn.Failed)
		}
	}
	r := &reel{Frames: []*image.RGBA{a}, End: errors.New("gone")}
	if _, _, err := loop(t, real(), r); err == nil || !strings.Contains(err.Error(), "gone") {
		t.Errorf("a source that stays away: %v, want that it is gone", err)
	}
}

func TestShowEndsIt(t *testing.T) {
	stop := errors.New("enough")
	l := &Loop{Source: &reel{Frames: []*image.RGBA{nil}, End: io.EOF}, Observer: &Observer{Eye: &Eye{}}}
	if err := l.Run(t.Context(), func(*Turn) error { return stop }); err != stop {
		t.Errorf("got %v, want %v", err, stop)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := l.Run(ended, func(*Turn) error { return stop }); err != nil {
		t.Errorf("cancelled: %v, want nil", err)
	}
}

// TestMemory: however many boards come by, what is remembered stays bounded.
func TestMemory(t *testing.T) {
	var a answered
	for i := range 5 * maxSeen {
		a.add(fmt.Sprint(i), known{status: "solved"})
		a.add(fmt.Sprint(i), known{status: "unsolvable"})
	}
	if len(a.at) != maxSeen || len(a.order) != maxSeen || cap(a.order) > 3*maxSeen {
		t.Errorf("%d, %d of %d remembered, want %d", len(a.at), len(a.order), cap(a.order), maxSeen)
	}
	if a.at["0"].status != "" || a.at[fmt.Sprint(5*maxSeen-1)].status != "unsolvable" {
		t.Error("the oldest is to be forgotten, the newest known with its last status")
	}
}

// TestKeepAndReplay: a kept Turn's frame is the frame, and replays to the same
// Record but for its times.
func TestKeepAndReplay(t *testing.T) {
	a := agenttest.Board(t, agenttest.Squares, 0)
	shown, _, err := loop(t, real(), &reel{Frames: []*image.RGBA{a, a}})
	if err != nil || len(shown) != 1 {
		t.Fatal(len(shown), err)
	}
	folder := filepath.Join(t.TempDir(), "new")
	name := solvetest.Must(shown[0].Keep(folder))(t)
	if data, err := os.ReadFile(name); err != nil || !strings.Contains(string(data), `"frame": "frame-0001.png"`) {
		t.Errorf("%s holds %s, %v", name, data, err)
	}
	source := solvetest.Must(capture.OpenDir(folder))(t)
	game := real()
	game.Family = &solve.Family{Name: "witness"}
	l := &Loop{Source: source, Observer: &Observer{Eye: &Eye{Games: []Game{game}, Profiles: []*calibrations.Profile{agenttest.Profile(t)}}}, Replay: true}
	var again []*Turn
	if err := l.Run(t.Context(), func(turn *Turn) error { again = append(again, turn); return nil }); err != nil || len(again) != 1 {
		t.Fatalf("%d turns, %v", len(again), err)
	}
	got, want := again[0].Record("").Boards[0], shown[0].Record("").Boards[0]
	got.Millis, want.Millis = nil, nil
	if fmt.Sprint(got) != fmt.Sprint(want) || len(got.Strokes) != 1 {
		t.Errorf("replayed as\n%v\nwant\n%v", got, want)
	}
}

// TestPauseAfterGrab: what is dear to grab is grabbed less often.
func TestPauseAfterGrab(t *testing.T) {
	for _, row := range []struct{ took, want time.Duration }{
		{time.Millisecond, leastPause}, {10 * time.Millisecond, 80 * time.Millisecond}, {40 * time.Millisecond, mostPause},
	} {
		l := &Loop{Observer: &Observer{}}
		frame := image.NewRGBA(image.Rect(0, 0, 64, 48))
		l.before, l.looked, l.lastLook = Shrink(frame), Shrink(frame), time.Now()
		solvetest.Same(t, solvetest.Must(l.look(t.Context(), frame, time.Now(), row.took, nil))(t), row.want, "after a grab of %v it waits", row.took)
	}
}

// TestFirstLook: the look in which boards were read is tried first, and what it reads is shown
// at once; then every look is tried on the same picture, and what they say holds.
func TestFirstLook(t *testing.T) {
	a, moved, none := agenttest.Board(t, agenttest.Squares, 0), agenttest.Board(t, agenttest.Squares, 40), agenttest.Grey(70)
	lamp := &one{text: "a lamp", solve: func() (solve.Solution, error) { return solve.Solution{{image.Pt(0, 0)}}, nil }}
	lines, cells := real(), Game{Family: &solve.Family{Name: "lamps"}}
	lines.Family = &solve.Family{Name: "witness"}
	beside := false // a board of cells is there
	cells.Scan = func(*grid.Scene, int, []*calibrations.Profile) []claims.Reading {
		if !beside {
			return nil
		}
		b := &vision.Board{Cols: 1, Rows: 1, Quad: [4]vision.Point{{X: 300, Y: 300}, {X: 310, Y: 300}, {X: 310, Y: 310}, {X: 300, Y: 310}}}
		return []claims.Reading{{Board: b, Puzzle: lamp}}
	}
	look := &calibrations.Profile{Name: "lamps", Family: "lamps", Cells: &calibrations.Cells{}}
	l := &Loop{
		Source:   &reel{Frames: []*image.RGBA{a, a, none, none, moved, moved, moved, moved}, End: io.EOF},
		Observer: &Observer{Eye: &Eye{Games: []Game{lines, cells}, Profiles: []*calibrations.Profile{agenttest.Profile(t), look}}},
		Pause:    func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	}
	var said []string
	l.Looked = func(turn *Turn) {
		said = append(said, fmt.Sprintf("%d boards, brief %v", len(turn.Boards), turn.Brief))
		beside = turn.Number > 1
	}
	solvetest.OK(t, l.Run(t.Context(), func(*Turn) error { return nil }))
	want := []string{"1 boards, brief false", "0 boards, brief false", "1 boards, brief true", "2 boards, brief false"}
	if !slices.Equal(said, want) {
		t.Errorf("the looks gave %q, want %q", said, want)
	}
}

// TestStructureLook: what no known look reads is read by the structure alone once it stands, and
// nothing is said before.
func TestStructureLook(t *testing.T) {
	a := agenttest.Board(t, agenttest.Squares, 0)
	known, structure := agenttest.Profile(t), *agenttest.Profile(t)
	lines := real()
	lines.Family = &solve.Family{Name: "witness"}
	lines.NewReader = func(p *calibrations.Profile) Reader {
		if p == known {
			return &needs{want: 100}
		}
		return real().NewReader(p)
	}
	var said []string
	l := &Loop{
		Source:   &reel{Frames: []*image.RGBA{a, a, a, a}, End: io.EOF},
		Observer: &Observer{Eye: &Eye{Games: []Game{lines}, Profiles: []*calibrations.Profile{known}, Structures: []*calibrations.Profile{&structure}}},
		Pause:    func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
		Looked:   func(turn *Turn) { said = append(said, fmt.Sprintf("looked, brief %v", turn.Brief)) },
	}
	solvetest.OK(t, l.Run(t.Context(), func(turn *Turn) error {
		said = append(said, fmt.Sprintf("shown, %v", turn.Boards[0].Failed))
		return nil
	}))
	if want := []string{"looked, brief true", "looked, brief false", "shown, <nil>"}; !slices.Equal(said, want) {
		t.Errorf("the looks gave %q, want %q", said, want)
	}
}

// A reel is a source of given frames, in which nil is a failure.
type reel struct {
	Frames []*image.RGBA
	next   int
	End    error
}

func (r *reel) Grab(ctx context.Context) (*image.RGBA, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if r.next == len(r.Frames) {
		return nil, r.End
	}
	r.next++
	if r.Frames[r.next-1] == nil {
		return nil, errors.New("no light")
	}
	return r.Frames[r.next-1], nil
}

func (r *reel) Bounds() image.Rectangle { return image.Rect(0, 0, 320, 320) }
func (r *reel) Close() error            { return nil }
