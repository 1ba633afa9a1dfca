//go:build linux || freebsd || netbsd || openbsd

package main

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"onlooker/capture"
	"onlooker/cmd/internal/agent/agenttest"
	"onlooker/cmd/internal/dev/showcase"
	"onlooker/input"
	"onlooker/solve/solvetest"
	"onlooker/vision"
)

// TestDriveIsKept lets a dry run look at a panel in a window, and replays it
// from its record alone: without the display, and without its flags.
func TestDriveIsKept(t *testing.T) {
	d := showcase.TestDisplay(t, 900, 700)
	w := showcase.TestWindow(t, d, "Panel", image.Rect(60, 40, 860, 640))
	solvetest.OK(t, w.Show(scene(t, "maze-3", 800, 600, 1)))
	record := filepath.Join(t.TempDir(), "run")
	first, errText, status := onlooker(t, "", "watch", "--drive", "--dry-run", "--yes", "--solves", "1", "--window", "Panel", "--record", record)
	if status != 0 || !strings.Contains(first, "would trace [") {
		t.Fatalf("status %d, %q, %s", status, first, errText)
	}
	t.Setenv("DISPLAY", "")
	again, errText, status := onlooker(t, "", "watch", "--replay", record)
	times := regexp.MustCompile(`\s+[\d:.]+( ms)?\b`)
	if got, want := times.ReplaceAllString(again, ""), times.ReplaceAllString(first, ""); status != 0 || got != want {
		t.Errorf("the replay: status %d, %s\ngot  %q\nwant %q", status, errText, got, want)
	}
	// What the command line says counts for more than the record.
	if _, errText, status := onlooker(t, "", "watch", "--replay", record, "--solves", "2"); status != 1 || !strings.Contains(errText, "want the end") {
		t.Errorf("a replay that goes on longer: status %d, %s", status, errText)
	}
}

// TestDriveStops lets the mouse run over a panel that does nothing, and stops
// it as a person does.
func TestDriveStops(t *testing.T) {
	person := personAtMaze(t)
	for _, row := range []struct {
		why  string
		stop func() error
		want string
	}{
		{"a hand on the mouse", func() error { return showcase.Push("", 1, 1) }, "stopped: drive: the mouse was moved by hand; the buttons are up\n"},
		{"the stop key", func() error { return person.Key("f7") }, "stopped: drive: the stop key was pressed; the buttons are up\n"},
	} {
		watch := begin(t, "", "watch", "--drive", "--yes", "--stop-key", "f7", "--verbose")
		watch.until("cursor not told", 1) // it has begun to move the mouse
		status := -1
		for begun := time.Now(); status < 0 && time.Since(begun) < 10*time.Second; {
			solvetest.OK(t, row.stop())
			select {
			case status = <-watch.ended:
			case <-time.After(8 * time.Millisecond):
			}
		}
		if status != 0 || !strings.HasSuffix(watch.errOut.String(), row.want) {
			t.Errorf("%s: status %d, it said %s", row.why, status, watch)
		}
	}
}

// personAtMaze is somebody's keys and mouse at a display of its own, whose window shows a maze.
func personAtMaze(t *testing.T) input.Device {
	t.Helper()
	d := showcase.TestDisplay(t, 800, 600)
	w := showcase.TestWindow(t, d, "Panel", image.Rect(0, 0, 800, 600))
	solvetest.OK(t, w.Show(scene(t, "maze-3", 800, 600, 1)))
	person := solvetest.Must(input.Open(""))(t)
	t.Cleanup(func() { person.Close() })
	return person
}

// TestDryRunFace: a dry run waits for its key, shows over the screen in which state it is and
// the answer in the colour that is asked for, hides that and shows it again, looks again, and
// stops by its key.
func TestDryRunFace(t *testing.T) {
	person := personAtMaze(t)
	screen := solvetest.Must(capture.Open(t.Context(), capture.Target{}))(t)
	defer screen.Close()
	pink := color.RGBA{255, 0, 200, 255}
	// shown counts pixels of the overlay in the corner where its label is, and elsewhere.
	shown := func() (label, answer int) {
		f := solvetest.Must(screen.Grab(t.Context()))(t)
		for y := range 600 {
			for x := range 800 {
				switch {
				case f.RGBAAt(x, y) != pink:
				case y < 80:
					label++
				default:
					answer++
				}
			}
		}
		return label, answer
	}
	watch := begin(t, "", "watch", "--drive", "--dry-run", "--overlay", "--overlay-colour", "#ff00c8", "--overlay-width", "6", "--no-store")
	traced := func() int { return watch.said("would trace") }
	press := func(key input.Key) { solvetest.OK(t, person.Key(key)) }
	waitFor(t, "it does not say that it is armed", func() bool { label, _ := shown(); return label > 1000 })
	if _, answer := shown(); answer > 0 || traced() > 0 {
		t.Fatalf("before its key it answered: %d pixels, %s", answer, watch)
	}
	press("f9")
	waitFor(t, "no answer is drawn", func() bool { _, answer := shown(); return answer > 500 && traced() == 1 })
	press("f7")
	waitFor(t, "the key does not hide it", func() bool { label, answer := shown(); return label+answer == 0 })
	press("f7")
	waitFor(t, "the key does not show it again", func() bool { label, answer := shown(); return label > 1000 && answer > 500 })
	press("f6")
	waitFor(t, "the key does not have it look again", func() bool { return traced() == 2 })
	press("f8")
	if status := <-watch.ended; status != 0 || watch.said("stopped: drive: the stop key was pressed") != 1 {
		t.Errorf("status %d, it said %s", status, watch)
	}
}

// TestStaysArmed: once all is done a run says so and waits for its key again, which starts it
// once more; the stop key ends it, also while it waits.
func TestStaysArmed(t *testing.T) {
	person := personAtMaze(t)
	watch := begin(t, "", "watch", "--drive", "--dry-run", "--patience", "2s", "--no-store")
	said := watch.said
	for n := 1; n <= 2; n++ {
		waitFor(t, "it is not armed", func() bool { return said("F9 starts") == n })
		solvetest.OK(t, person.Key("f9"))
		waitFor(t, "it does not say that all is done", func() bool { return said("would trace") == n && said(fmt.Sprintf("%d of %d done", n, n)) == 1 })
	}
	waitFor(t, "it is not armed again", func() bool { return said("F9 starts") == 3 })
	solvetest.OK(t, person.Key("f8"))
	if status := <-watch.ended; status != 0 || said("kept as") > 0 || said("the stop key was pressed") != 1 {
		t.Errorf("status %d, it said %s", status, watch)
	}
}

// TestDialog opens a window over a board at a random moment of a drag or of a line: nothing is
// pressed on it, no button stays down, and what was begun is said to be broken off.
func TestDialog(t *testing.T) {
	runs := 2 * solvetest.More()
	t.Setenv("XDG_CACHE_HOME", t.TempDir()) // where what failed is kept
	d := showcase.TestDisplay(t, 1000, 760)
	for n := range runs + 1 {
		if n == runs {
			n = max(n, 10) // that at the end of a path it passed for the paths below it
		}
		for _, kind := range []struct {
			name   string
			client func() windowClient
			moves  int // that an answer takes, about
		}{
			{"drag", func() windowClient { return newPipes() }, 18},
			{"line", func() windowClient { return newLines(t) }, 34}, // of 37 and more
		} {
			random := rand.New(rand.NewPCG(uint64(n), uint64(kind.moves)))
			at, window := 1+random.IntN(kind.moves), n%2 == 0
			t.Run(fmt.Sprintf("%s %d: at move %d", kind.name, n, at), func(t *testing.T) {
				dialogue(t, d, kind.client(), at, image.Pt(random.IntN(120)-60, random.IntN(120)-60), window)
			})
		}
	}
}

// dialogue lets the program answer a client, over which a window opens at a move.
func dialogue(t *testing.T, d *showcase.Display, client windowClient, at int, off image.Point, titled bool) {
	place := image.Rect(100, 60, 900, 700)
	w, err := showcase.OpenWindow(d.Name, "Board", place)
	solvetest.OK(t, err)
	defer w.Close()
	var mu sync.Mutex
	var dialog *showcase.Window
	moves, pressed := 0, 0
	var last *image.RGBA
	show := func() {
		if f := client.shows(); last == nil || !bytes.Equal(f.Pix, last.Pix) {
			last = f
			if err := w.Show(f); err != nil {
				t.Log(err) // it was closed
			}
		}
	}
	show()
	solvetest.OK(t, w.Listen(func(touch showcase.Touch) {
		mu.Lock()
		defer mu.Unlock()
		if !touch.Pressed && !touch.Released && client.busy() {
			moves++
		}
		if moves >= at && dialog == nil {
			box := image.Rect(0, 0, 460, 380).Add(place.Min).Add(image.Pt(170, 130)).Add(off)
			if dialog, err = showcase.OpenWindow(d.Name, "Delete all files?", box); err != nil {
				t.Error(err)
				return
			}
			picture := image.NewRGBA(image.Rectangle{Max: box.Size()})
			draw.Draw(picture, picture.Rect, image.NewUniform(color.Gray{0xdd}), image.Point{}, draw.Src)
			solvetest.Fine(t, dialog.Show(picture))
			solvetest.Fine(t, dialog.Listen(func(touch showcase.Touch) {
				if touch.Pressed {
					mu.Lock()
					defer mu.Unlock()
					pressed++
				}
			}))
		}
		client.takes(touch)
		show()
	}))
	args := []string{"watch", "--drive", "--yes", "--no-store", "--verbose", "--patience", "3s"}
	if titled {
		args = append(args, "--window", "Board")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	var answered, told watched
	status := run(ctx, args, strings.NewReader(""), &answered, &told)
	out, said := answered.String(), told.String()
	down := buttonsDown(t, d)
	mu.Lock()
	defer mu.Unlock()
	if dialog == nil {
		t.Fatalf("it came to %d moves, want %d: %s%s", moves, at, out, said)
	}
	defer dialog.Close()
	// What was whole before the dialog was seen is not broken off.
	brokenOff, whole := strings.Contains(out, "broken off"), client.whole()
	if pressed > 0 || down || brokenOff == whole || !whole && status == 0 {
		t.Errorf("pressed %d times, a button down: %t, status %d, entered whole: %t: %s%s", pressed, down, status, whole, out, said)
	}
}

// buttonsDown tells whether a button of the mouse is down.
func buttonsDown(t *testing.T, d *showcase.Display) bool {
	t.Helper()
	conn := solvetest.Must(xgb.NewConnDisplay(d.Name))(t)
	defer conn.Close()
	p := solvetest.Must(xproto.QueryPointer(conn, xproto.Setup(conn).DefaultScreen(conn).Root).Reply())(t)
	return p.Mask&(xproto.ButtonMask1|xproto.ButtonMask2|xproto.ButtonMask3) != 0
}

// A windowClient is a client that is seen in a window.
type windowClient interface {
	takes(showcase.Touch)
	shows() *image.RGBA
	busy() bool  // something is being entered
	whole() bool // all of it was
}

// pipes is a board of five pairs, side by side, that are joined with the button held.
type pipes struct {
	paths [5][]image.Point
	now   int // the path that is drawn, -1: none
}

func newPipes() *pipes { return &pipes{now: -1} }

const pipePitch = 110

func (p *pipes) cell(at image.Point) (image.Point, bool) {
	at = at.Sub(image.Pt(40, 40))
	q := at.Div(pipePitch)
	return q, at.X >= 0 && at.Y >= 0 && q.X < 5 && q.Y < 5
}

func (p *pipes) busy() bool { return p.now >= 0 }

func (p *pipes) whole() bool {
	return !slices.ContainsFunc(p.paths[:], func(path []image.Point) bool { return len(path) != 5 })
}

func (p *pipes) takes(touch showcase.Touch) {
	q, in := p.cell(touch.At)
	switch {
	case touch.Released:
		p.now = -1
	case touch.Pressed && in && touch.Left && (q.X == 0 || q.X == 4):
		p.now = q.Y
		p.paths[q.Y] = []image.Point{q}
	case p.now >= 0 && in && q.Y == p.now:
		path := p.paths[p.now]
		if by := q.X - path[len(path)-1].X; by == 1 || by == -1 {
			p.paths[p.now] = append(path, q)
		}
	}
}

func (p *pipes) shows() *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, 800, 640))
	draw.Draw(m, m.Rect, image.Black, image.Point{}, draw.Src)
	grey := image.NewUniform(color.RGBA{0x66, 0x66, 0x66, 0xff})
	for i := range 6 {
		draw.Draw(m, image.Rect(39, 39+i*pipePitch, 41+5*pipePitch, 41+i*pipePitch), grey, image.Point{}, draw.Src)
		draw.Draw(m, image.Rect(39+i*pipePitch, 39, 41+i*pipePitch, 41+5*pipePitch), grey, image.Point{}, draw.Src)
	}
	middle := func(x, y int) vision.Point {
		return vision.Point{X: 40 + pipePitch*(float64(x)+0.5), Y: 40 + pipePitch*(float64(y)+0.5)}
	}
	for y, ink := range []color.RGBA{{255, 0, 0, 255}, {0, 0, 255, 255}, {0, 160, 0, 255}, {255, 255, 0, 255}, {255, 128, 0, 255}} {
		for i := 1; i < len(p.paths[y]); i++ {
			agenttest.Paint(m, middle(p.paths[y][i-1].X, y), middle(p.paths[y][i].X, y), 16, ink)
		}
		for _, x := range []int{0, 4} {
			agenttest.Paint(m, middle(x, y), middle(x, y), 36, ink)
		}
	}
	return m
}

// lines is a panel whose line follows the mouse's motion, as of one that is locked.
type lines struct {
	*agenttest.Client
	conn   *xgb.Conn
	last   image.Point
	warped bool
}

func newLines(t *testing.T) *lines {
	conn := solvetest.Must(xgb.NewConn())(t)
	t.Cleanup(conn.Close)
	client := agenttest.NewClient()
	client.System = true
	return &lines{Client: client, conn: conn, last: image.Pt(-1, -1)}
}

func (l *lines) busy() bool {
	l.Mu.Lock()
	defer l.Mu.Unlock()
	return l.Nodes != nil
}

func (l *lines) whole() bool {
	l.Mu.Lock()
	defer l.Mu.Unlock()
	return l.Shown == "accepted"
}

func (l *lines) takes(touch showcase.Touch) {
	middle := image.Pt(400, 320)
	by := touch.At.Sub(l.last)
	if l.last.X < 0 || l.warped && touch.At == middle {
		by, l.warped = image.Point{}, false
	}
	switch l.last = touch.At; {
	case !l.busy():
		_ = l.MoveTo(touch.At)
	case by != (image.Point{}):
		_ = l.MoveBy(by.X, by.Y)
	}
	switch {
	case touch.Pressed && touch.Left:
		_ = l.Press(1)
	case touch.Pressed:
		_ = l.Press(3)
	case touch.Released:
		_ = l.Release(1)
	}
	if l.busy() && !touch.At.In(image.Rect(150, 120, 650, 520)) && !l.warped {
		l.warped = true
		root := xproto.Setup(l.conn).DefaultScreen(l.conn).Root
		_ = xproto.WarpPointerChecked(l.conn, 0, root, 0, 0, 0, 0, 500, 380).Check()
	}
}

func (l *lines) shows() *image.RGBA {
	f, err := l.Grab(context.Background())
	if err != nil {
		return image.NewRGBA(image.Rect(0, 0, 640, 480))
	}
	return f
}
