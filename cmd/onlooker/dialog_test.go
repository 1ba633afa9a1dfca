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
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"onlooker/cmd/internal/agent/agenttest"
	"onlooker/cmd/internal/dev/showcase"
	"onlooker/solve/solvetest"
	"onlooker/vision"
)

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
			if err := dialog.Show(picture); err != nil {
				t.Error(err)
			}
			if err := dialog.Listen(func(touch showcase.Touch) {
				if touch.Pressed {
					mu.Lock()
					defer mu.Unlock()
					pressed++
				}
			}); err != nil {
				t.Error(err)
			}
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
