//go:build linux || freebsd || netbsd || openbsd

package showcase_test

import (
	"errors"
	"image"
	"testing"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"onlooker/capture"
	"onlooker/cmd/internal/dev/showcase"
	"onlooker/solve/solvetest"
)

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
			if err := xproto.DestroyWindowChecked(conn, id).Check(); err != nil {
				t.Error(err)
			}
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
