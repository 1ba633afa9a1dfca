//go:build linux || freebsd || netbsd || openbsd

package capture

import (
	"fmt"
	"image"
	"image/draw"
	"strings"

	"github.com/jezek/xgb/composite"
	"github.com/jezek/xgb/randr"
	"github.com/jezek/xgb/xproto"

	"onlooker/capture/xserver"
)

// A drawable is the picture that a window has of its own, whatever lies over it.
type drawable struct {
	pixmap xproto.Pixmap
	at     image.Rectangle // of the screen, that it shows, with the window's border
}

// composes readies the extension that gives windows pictures of their own.
func (s *session) composes() error {
	if s.composed {
		return nil
	}
	if err := xserver.Use(s.conn, "Composite"); err != nil {
		return fmt.Errorf("this X server gives windows no picture of their own: %w", err)
	}
	if _, err := composite.QueryVersion(s.conn, 0, 4).Reply(); err != nil {
		return fmt.Errorf("composite: %w", err)
	}
	s.composed = true
	return nil
}

// xwayland tells whether the display is one within a Wayland session, whose root
// window shows nothing.
func (s *session) xwayland() bool {
	const name = "XWAYLAND"
	if there, err := xproto.QueryExtension(s.conn, uint16(len(name)), name).Reply(); err == nil && there.Present {
		return true
	}
	if xserver.Use(s.conn, "RANDR") != nil { // servers before 23.1 tell by their outputs only
		return false
	}
	all, err := randr.GetScreenResourcesCurrent(s.conn, s.root).Reply()
	if err != nil {
		return false
	}
	for _, o := range all.Outputs {
		if info, err := randr.GetOutputInfo(s.conn, o, all.ConfigTimestamp).Reply(); err == nil && strings.HasPrefix(string(info.Name), name) {
			return true
		}
	}
	return false
}

// top is the window below the root that a window is in.
func (s *session) top(w xproto.Window) (xproto.Window, error) {
	for {
		tree, err := xproto.QueryTree(s.conn, w).Reply()
		if err != nil {
			return 0, err
		}
		if tree.Parent == s.root || tree.Parent == 0 {
			return w, nil
		}
		w = tree.Parent
	}
}

// own is the picture that a window below the root has of its own. A window gets
// another one when its size changes, or when it is shown again.
func (s *session) own(top xproto.Window) (drawable, error) {
	if !s.redirected[top] {
		if err := composite.RedirectWindowChecked(s.conn, top, composite.RedirectAutomatic).Check(); err != nil {
			return drawable{}, fmt.Errorf("composite: redirect: %w", err)
		}
		if s.redirected == nil {
			s.redirected = map[xproto.Window]bool{}
		}
		s.redirected[top] = true
	}
	size, err := xproto.GetGeometry(s.conn, xproto.Drawable(top)).Reply()
	if err != nil {
		return drawable{}, err
	}
	pixmap, err := xproto.NewPixmapId(s.conn)
	if err != nil {
		return drawable{}, err
	}
	if err := composite.NameWindowPixmapChecked(s.conn, top, pixmap).Check(); err != nil {
		return drawable{}, fmt.Errorf("composite: a window's picture: %w", err)
	}
	corner, border := image.Pt(int(size.X), int(size.Y)), 2*int(size.BorderWidth)
	return drawable{pixmap, image.Rectangle{Min: corner, Max: corner.Add(image.Pt(int(size.Width)+border, int(size.Height)+border))}}, nil
}

// grabOwn grabs a rectangle of the screen from the windows' own pictures: of
// the window that is looked at, else of all but the overlays.
func (s *session) grabOwn(at image.Rectangle) (*image.RGBA, error) {
	if err := s.composes(); err != nil {
		return nil, err
	}
	tops, err := s.tops()
	if err != nil {
		return nil, err
	}
	m := image.NewRGBA(image.Rectangle{Max: at.Size()})
	draw.Draw(m, m.Rect, image.Black, image.Point{}, draw.Src)
	for _, top := range tops {
		own, err := s.own(top)
		if err != nil && s.seen == 0 {
			continue // it went meanwhile, or draws nothing
		}
		if err != nil {
			return nil, err
		}
		seen := at.Intersect(own.at)
		if !seen.Empty() {
			var pixels []byte
			if pixels, err = s.pixels(xproto.Drawable(own.pixmap), seen.Sub(own.at.Min)); err == nil {
				err = fill(m, seen.Sub(at.Min), pixels)
			}
		}
		xproto.FreePixmap(s.conn, own.pixmap)
		if err != nil {
			return nil, err
		}
	}
	return m, nil
}

// tops are the windows below the root that a grab is made of, the lowest first.
func (s *session) tops() ([]xproto.Window, error) {
	if s.seen != 0 {
		top, err := s.top(s.seen)
		return []xproto.Window{top}, err
	}
	tree, err := xproto.QueryTree(s.conn, s.root).Reply()
	if err != nil {
		return nil, err
	}
	var tops []xproto.Window
	for _, w := range tree.Children {
		if _, ok := s.shown(w); !ok {
			continue
		}
		if title, err := s.property(w, "WM_NAME"); err == nil && string(title) == OverlayTitle {
			continue
		}
		tops = append(tops, w)
	}
	return tops, nil
}
