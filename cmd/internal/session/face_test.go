package session

import (
	"errors"
	"image"
	"image/color"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"onlooker/cmd/internal/overlay"
)

// A slate is a canvas that keeps what it shows.
type slate struct {
	lines []overlay.Line
	label overlay.Label
}

func (s *slate) Show(lines []overlay.Line, label overlay.Label) error {
	s.lines, s.label = lines, label
	return nil
}

func (s *slate) Close() error { return errors.New("closed") }

// TestFaceStates: what is said while it is hidden is shown when it is shown again.
func TestFaceStates(t *testing.T) {
	var s slate
	f := &face{err: new(strings.Builder), over: &s}
	f.say(image.Pt(100, 50), "armed")
	if s.label != (overlay.Label{Words: "armed", At: image.Pt(112, 62)}) {
		t.Errorf("it shows %v", s.label)
	}
	f.toggle()
	f.say(image.Pt(100, 50), "running")
	if s.label.Words != "" {
		t.Errorf("hidden it shows %v", s.label)
	}
	f.toggle()
	if s.label.Words != "running" {
		t.Errorf("shown again it shows %v", s.label)
	}
	var none *face
	none.say(image.Point{}, "armed")
	none.draw(image.Point{})
	none.close()
}

// TestLineColour: six digits, with # or without.
func TestLineColour(t *testing.T) {
	if c, err := (&faceFlags{colour: "0080FF"}).lineColour(); err != nil || c != (color.RGBA{0, 0x80, 0xff, 0xff}) {
		t.Errorf("0080FF is %v, %v", c, err)
	}
}

// TestEnding: why the mouse stopped, in the words that are shown over the screen.
func TestEnding(t *testing.T) {
	for _, row := range []struct {
		err  error
		want string
	}{
		{nil, "done"},
		{errors.New("drive: the mouse was moved by hand"), "the mouse was moved by hand"},
	} {
		if got := ending(row.err); got != row.want {
			t.Errorf("%v: %q, want %q", row.err, got, row.want)
		}
	}
}

// TestFaceRests: what is said last stays for a while; where nothing is said nothing waits.
func TestFaceRests(t *testing.T) {
	for words, want := range map[string]time.Duration{"": 0, "the mouse was moved by hand": stopRest} {
		synctest.Test(t, func(t *testing.T) {
			f := &face{err: new(strings.Builder), over: new(slate)}
			if words != "" {
				f.say(image.Point{}, words)
			}
			began := time.Now()
			f.close()
			if took := time.Since(began); took != want || words != "" && took < time.Second {
				t.Errorf("%q is shown for %v, want %v", words, took, want)
			}
		})
	}
}
