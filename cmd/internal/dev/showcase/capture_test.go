//go:build linux || freebsd || netbsd || openbsd

package showcase_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/randr"
	"github.com/jezek/xgb/xproto"

	"onlooker/capture"
	"onlooker/capture/xserver"
	"onlooker/cmd/internal/dev/showcase"
	"onlooker/cmd/internal/overlay"
	"onlooker/input"
	"onlooker/solve/solvetest"
)

// noise is a picture in which every pixel tells where it is.
func noise(seed uint64, width, height int) *image.RGBA {
	rng := rand.New(rand.NewPCG(seed, 1))
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	for i := range m.Pix {
		m.Pix[i] = uint8(rng.Uint32())
		if i%4 == 3 {
			m.Pix[i] = 255
		}
	}
	return m
}

func window(t testing.TB, d *showcase.Display, title string, at image.Rectangle, m image.Image) *showcase.Window {
	t.Helper()
	w := showcase.TestWindow(t, d, title, at)
	solvetest.OK(t, w.Show(m))
	return w
}

func grab(t testing.TB, s capture.Source) *image.RGBA {
	t.Helper()
	return solvetest.Must(s.Grab(context.Background()))(t)
}

// same fails unless got shows the pixels of want that are at from.
func same(t testing.TB, got, want *image.RGBA, from image.Point) {
	t.Helper()
	for y := range got.Rect.Dy() {
		for x := range got.Rect.Dx() {
			if g, w := got.RGBAAt(x, y), want.RGBAAt(x+from.X, y+from.Y); g != w {
				t.Fatalf("pixel (%d,%d) is %v, want %v", x, y, g, w)
			}
		}
	}
}

func open(t testing.TB, target capture.Target) capture.Source {
	t.Helper()
	s := solvetest.Must(capture.Open(context.Background(), target))(t)
	t.Cleanup(func() { s.Close() })
	return s
}

// TestCaptureShowsWhatIsThere compares every pixel, of the display, of parts
// of it, and of a window that moves.
func TestCaptureShowsWhatIsThere(t *testing.T) {
	d := showcase.TestDisplay(t, 640, 480)
	pixels := noise(1, 300, 200)
	at := image.Rect(37, 51, 337, 251)
	w := window(t, d, "Of Noise", at, pixels)

	whole := grab(t, open(t, capture.Target{}))
	if size := whole.Rect.Size(); size != image.Pt(640, 480) {
		t.Fatalf("the display is %v, want 640x480", size)
	}
	for y := range 200 {
		for x := range 300 {
			if g, want := whole.RGBAAt(37+x, 51+y), pixels.RGBAAt(x, y); g != want {
				t.Fatalf("pixel (%d,%d) of the window is %v, want %v", x, y, g, want)
			}
		}
	}
	solvetest.Same(t, whole.RGBAAt(5, 5), (color.RGBA{0, 0, 0, 255}), "beside the window")

	region := open(t, capture.Target{Region: image.Rect(40, 60, 140, 90)})
	same(t, grab(t, region), pixels, image.Pt(3, 9))
	solvetest.Same(t, region.Bounds(), image.Rect(40, 60, 140, 90), "the region is at")

	titled := open(t, capture.Target{Window: "of noi"})
	same(t, grab(t, titled), pixels, image.Point{})
	part := open(t, capture.Target{Window: "of noise", Region: image.Rect(10, 10, 20, 20)})
	same(t, grab(t, part), pixels, image.Pt(10, 10))

	solvetest.OK(t, w.Move(image.Pt(200, 220)))
	same(t, grab(t, titled), pixels, image.Point{})
	solvetest.Same(t, titled.Bounds().Min, image.Pt(200, 220), "the window that moved")
	// Over the edge: what is on the screen.
	solvetest.OK(t, w.Move(image.Pt(-100, 400)))
	if m := grab(t, titled); m.Rect.Size() != image.Pt(200, 80) {
		t.Errorf("of the window over the edge %v is seen, want 200x80", m.Rect.Size())
	} else {
		same(t, m, pixels, image.Pt(100, 0))
	}
}

func TestCaptureErrors(t *testing.T) {
	d := showcase.TestDisplay(t, 640, 480)
	w := window(t, d, "Here", image.Rect(0, 0, 50, 50), noise(2, 50, 50))
	for _, row := range []struct {
		why    string
		target capture.Target
		want   string
	}{
		{"a region over the edge", capture.Target{Region: image.Rect(600, 0, 700, 10)}, "not within 640x480"},
		{"a region before the corner", capture.Target{Region: image.Rect(-1, 0, 10, 10)}, "not within"},
		{"a display too many", capture.Target{Display: 1}, "no display 1"},
		{"a negative display", capture.Target{Display: -1}, "no display -1"},
		{"no such window", capture.Target{Window: "there"}, `"Here"`},
		{"a region beyond the window", capture.Target{Window: "here", Region: image.Rect(0, 0, 51, 50)}, "not within 50x50"},
	} {
		s, err := capture.Open(context.Background(), row.target)
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: got %v, %v; want an error with %q", row.why, s, err, row.want)
		}
	}

	s := open(t, capture.Target{Window: "here"})
	grab(t, s)
	w.Close()
	if _, err := s.Grab(context.Background()); !errors.Is(err, capture.ErrNoWindow) {
		t.Errorf("a window that closed: got %v, want %v", err, capture.ErrNoWindow)
	}
	window(t, d, "Here again", image.Rect(0, 0, 60, 50), noise(3, 60, 50))
	if m := grab(t, s); m.Rect.Dx() != 60 {
		t.Errorf("the window that came instead is %d wide, want 60", m.Rect.Dx())
	}

	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Grab(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got %v", err)
	}
}

// TestDisplayGoneAndBack ends the server under a source.
func TestDisplayGoneAndBack(t *testing.T) {
	d := showcase.TestDisplay(t, 64, 48)
	s := open(t, capture.Target{})
	grab(t, s)
	d.Close()
	if _, err := s.Grab(context.Background()); err == nil {
		t.Fatal("a frame of a display that is gone")
	}
	if _, err := s.Grab(context.Background()); !errors.Is(err, capture.ErrNoDisplay) {
		t.Errorf("got %v, want %v", err, capture.ErrNoDisplay)
	}
	showcase.TestDisplay(t, 64, 48)
	grab(t, s)
}

func TestNoDisplay(t *testing.T) {
	t.Setenv("XDG_SESSION_TYPE", "x11")
	for _, name := range []string{"", ":4711", "nonsense"} {
		t.Setenv("DISPLAY", name)
		if s, err := capture.Open(context.Background(), capture.Target{}); !errors.Is(err, capture.ErrNoDisplay) {
			t.Errorf("DISPLAY=%q: got %v, %v; want %v", name, s, err, capture.ErrNoDisplay)
		}
	}
}

// TestDir replays what was saved, and refuses what is no picture.
func TestDir(t *testing.T) {
	dir := t.TempDir()
	if _, err := capture.OpenDir(dir); err == nil || !strings.Contains(err.Error(), "no picture") {
		t.Errorf("an empty folder: got %v", err)
	}
	for i := range 3 {
		f := solvetest.Must(os.Create(filepath.Join(dir, fmt.Sprintf("frame-%d.png", i))))(t)
		solvetest.OK(t, errors.Join(png.Encode(f, noise(uint64(i), 20+i, 10)), f.Close()))
	}
	solvetest.OK(t, os.WriteFile(filepath.Join(dir, "frame-1b.png"), []byte("no picture"), 0o644))
	d := solvetest.Must(capture.OpenDir(dir))(t)
	same(t, grab(t, d), noise(0, 20, 10), image.Point{})
	same(t, grab(t, d), noise(1, 21, 10), image.Point{})
	if _, err := d.Grab(t.Context()); err == nil || !strings.Contains(err.Error(), "frame-1b.png") {
		t.Errorf("a broken picture: got %v, want its name", err)
	}
	same(t, grab(t, d), noise(2, 22, 10), image.Point{})
	if _, err := d.Grab(t.Context()); err != io.EOF {
		t.Errorf("after the last: got %v, want %v", err, io.EOF)
	}
}

// TestAwait: a source wakes when something is drawn, on the display or in the window that is
// looked at, also under others; not for what a frame has shown, nor for another window's.
func TestAwait(t *testing.T) {
	d := showcase.TestDisplay(t, 640, 480)
	w := window(t, d, "seen", image.Rect(20, 20, 220, 170), noise(1, 200, 150))
	other := window(t, d, "other", image.Rect(300, 200, 500, 350), noise(2, 200, 150))
	const long = time.Minute
	for _, row := range []struct {
		why    string
		target capture.Target
		drawn  *showcase.Window
		wakes  bool
	}{
		{"the display", capture.Target{}, w, true},
		{"the display, another window", capture.Target{}, other, true},
		{"the window", capture.Target{Window: "seen"}, w, true},
		{"the window under overlays", capture.Target{Window: "seen", Under: true}, w, true},
		{"another window", capture.Target{Window: "seen"}, other, false},
	} {
		source := open(t, row.target)
		grab(t, source)
		if err := source.(capture.ChangeSource).Await(t.Context(), 100*time.Millisecond); err != nil { // for what it begins with
			t.Fatal(err)
		}
		for round := range uint64(2) {
			grab(t, source)
			solvetest.OK(t, row.drawn.Show(noise(3+round, 200, 150)))
			most := long
			if !row.wakes {
				most = 300 * time.Millisecond
			}
			began := time.Now()
			solvetest.OK(t, source.(capture.ChangeSource).Await(t.Context(), most))
			solvetest.Same(t, time.Since(began) < most, row.wakes, "%s, round %d: it woke", row.why, round+1)
		}
		grab(t, source)
		began := time.Now()
		if err := source.(capture.ChangeSource).Await(t.Context(), 200*time.Millisecond); err != nil || time.Since(began) < 200*time.Millisecond {
			t.Errorf("%s: with nothing drawn it woke after %v, %v", row.why, time.Since(began), err)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := open(t, capture.Target{}).(capture.ChangeSource).Await(ended, long); !errors.Is(err, context.Canceled) {
		t.Errorf("with its context ended: %v", err)
	}
}

// TestConnectionsAtOnce opens everything that speaks to the server while other connections hear
// of errors: the library's Init of an extension ends the program then, by a map that is written
// and read.
func TestConnectionsAtOnce(t *testing.T) {
	showcase.TestDisplay(t, 320, 240)
	conn, err := xgb.NewConn()
	if err == nil {
		err = xserver.Use(conn, "RANDR")
	}
	solvetest.OK(t, err)
	defer conn.Close()
	done := make(chan struct{})
	var hears, opens sync.WaitGroup
	hears.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			_, core := xproto.GetGeometry(conn, 77).Reply()
			_, own := randr.GetOutputInfo(conn, 77, 0).Reply()
			if !errors.As(core, new(xproto.DrawableError)) || own == nil {
				t.Errorf("no drawable 77: %v; no output 77: %v", core, own)
				return
			}
		}
	})
	for range 4 {
		opens.Go(func() {
			for range 20 {
				device, err := input.Open("")
				if err != nil {
					t.Error(err)
					return
				}
				over, err := overlay.Open(color.RGBA{R: 255, A: 255})
				if err != nil {
					t.Error(err)
					return
				}
				source, err := capture.Open(t.Context(), capture.Target{})
				if err == nil {
					_, err = source.Grab(t.Context())
				}
				if err == nil {
					err = source.Close()
				}
				solvetest.Fine(t, err)
				over.Close()
				device.Close()
			}
		})
	}
	opens.Wait()
	close(done)
	hears.Wait()
}

// TestTouched moves the pointer in every way that programs have, and then by
// the display's own mouse.
func TestTouched(t *testing.T) {
	showcase.TestDisplay(t, 800, 600)
	device := solvetest.Must(input.Open(""))(t)
	defer device.Close()
	for _, row := range []struct {
		why  string
		move func() error
		want bool
	}{
		{"nothing yet", func() error { return nil }, false},
		{"relative motion of ours", func() error { return device.MoveBy(30, 10) }, false},
		{"absolute motion of ours", func() error { return device.MoveTo(image.Pt(100, 90)) }, false},
		{"a hand", func() error { return showcase.Push("", 3, 0) }, true},
		{"nobody", func() error { return nil }, false},
		{"ours after a hand's", func() error { return device.MoveBy(-5, 40) }, false},
		{"a hand's after ours", func() error { return showcase.Push("", 0, -1) }, true},
	} {
		before := solvetest.Must(device.Pointer())(t)
		solvetest.OK(t, row.move(), row.why)
		got, err := device.Touched()
		if err != nil || got != row.want {
			t.Errorf("%s: touched %t (%v), want %t", row.why, got, err, row.want)
		}
		if after, err := device.Pointer(); row.want && after == before {
			t.Errorf("%s: the pointer stays at %v (%v)", row.why, after, err)
		}
	}
}

// A hiddenWindow is one that a program has beside the one that shows something.
type hiddenWindow struct {
	name                string
	size                image.Point
	class               uint16
	override            bool // no window manager is asked
	mapped, taken, deep bool // shown; taken away after; in a window that is not shown
}

// TestHelperWindows: windows with the title that is asked for, and larger than the one that
// shows something, are no windows where nobody can see a board in them.
func TestHelperWindows(t *testing.T) {
	d := showcase.TestDisplay(t, 640, 480)
	const title = "The Game"
	large := image.Pt(600, 400)
	conn := solvetest.Must(xgb.NewConn())(t)
	defer conn.Close()
	for _, row := range []hiddenWindow{
		{name: "of one pixel", size: image.Pt(1, 1), mapped: true},
		{name: "of one row", size: image.Pt(600, 1), mapped: true},
		{name: "never shown", size: large},
		{name: "taken away", size: large, mapped: true, taken: true},
		{name: "in one that is not shown", size: large, mapped: true, deep: true},
		{name: "a menu", size: large, override: true, mapped: true},
		{name: "for input alone", size: large, class: xproto.WindowClassInputOnly, mapped: true},
	} {
		t.Run(row.name, func(t *testing.T) {
			id := row.open(t, conn, title)
			if s, err := capture.Open(t.Context(), capture.Target{Window: title}); !errors.Is(err, capture.ErrNoWindow) {
				t.Errorf("it is looked at: %v, %v", s, err)
			}
			pixels := noise(1, 100, 80)
			w := window(t, d, title, image.Rect(20, 30, 120, 110), pixels)
			same(t, grab(t, open(t, capture.Target{Window: title})), pixels, image.Point{})
			all, err := capture.Windows(t.Context())
			if err != nil || len(all) != 1 || all[0].Bounds != image.Rect(20, 30, 120, 110) {
				t.Errorf("the windows are %v, %v, want the one that shows something", all, err)
			}
			w.Close()
			solvetest.Fine(t, xproto.DestroyWindowChecked(conn, id).Check())
		})
	}
}

func (h hiddenWindow) open(t *testing.T, conn *xgb.Conn, title string) xproto.Window {
	t.Helper()
	root := xproto.Setup(conn).DefaultScreen(conn).Root
	create := func(in xproto.Window, class uint16, override uint32) xproto.Window {
		id, err := xproto.NewWindowId(conn)
		if err == nil {
			err = xproto.CreateWindowChecked(conn, 0, id, in, 0, 0, uint16(h.size.X), uint16(h.size.Y), 0, class, 0, xproto.CwOverrideRedirect, []uint32{override}).Check()
		}
		solvetest.OK(t, err)
		return id
	}
	in, override := root, uint32(0)
	if h.deep {
		in = create(root, xproto.WindowClassInputOutput, 0)
	}
	if h.override {
		override = 1
	}
	id := create(in, h.class, override)
	err := xproto.ChangePropertyChecked(conn, xproto.PropModeReplace, id, xproto.AtomWmName, xproto.AtomString, 8, uint32(len(title)), []byte(title)).Check()
	if err == nil && h.mapped {
		err = xproto.MapWindowChecked(conn, id).Check()
	}
	if err == nil && h.taken {
		err = xproto.UnmapWindowChecked(conn, id).Check()
	}
	solvetest.OK(t, err)
	return id
}
