package session

import (
	"errors"
	"image"
	"image/color"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"onlooker/vision/picture"
)

// A slate is a canvas that keeps what it shows.
type slate struct{ shapes []picture.Shape }

func (s *slate) Show(shapes []picture.Shape) error {
	s.shapes = shapes
	return nil
}

// words are those that it shows.
func (s *slate) words() (words string) {
	for _, shape := range s.shapes {
		words += shape.Words
	}
	return words
}

func (s *slate) Close() error { return errors.New("closed") }

// TestFaceStates: what is said while it is hidden is shown when it is shown again.
func TestFaceStates(t *testing.T) {
	var s slate
	f := &face{err: new(strings.Builder), over: &s}
	f.say(image.Pt(100, 50), "armed")
	if s.words() != "armed" || s.shapes[0].Points[0] != (picture.Point{X: 112, Y: 62}) {
		t.Errorf("it shows %v", s.shapes)
	}
	f.toggle()
	f.say(image.Pt(100, 50), "running")
	if s.shapes != nil {
		t.Errorf("hidden it shows %v", s.shapes)
	}
	f.toggle()
	if s.words() != "running" {
		t.Errorf("shown again it shows %v", s.shapes)
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
