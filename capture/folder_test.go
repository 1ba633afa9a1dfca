package capture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"onlooker/solve/solvetest"
)

func evenFrame(c color.Color) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, 64, 48))
	draw.Draw(m, m.Rect, image.NewUniform(c), image.Point{}, draw.Src)
	return m
}

// TestShotFolder has pictures be there, come, come in two parts, come under an old name,
// and not come at all.
func TestShotFolder(t *testing.T) {
	dir := t.TempDir()
	var data bytes.Buffer
	solvetest.OK(t, png.Encode(&data, evenFrame(color.White)))
	put := func(name string, data []byte) {
		t.Helper()
		solvetest.OK(t, os.WriteFile(filepath.Join(dir, name), data, 0o644))
	}
	put("old.png", data.Bytes())
	s := solvetest.Must(OpenShots(dir))(t)
	defer s.Close()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	grab := func(want string) {
		t.Helper()
		frame, err := s.Grab(ctx)
		if err != nil || filepath.Base(s.Name()) != want || frame.Rect.Dx() != 64 {
			t.Errorf("got %s, %v, want %s", s.Name(), err, want)
		}
	}
	put("note.txt", []byte("no picture"))
	put("new.png", data.Bytes())
	grab("new.png")
	put("part.png", data.Bytes()[:20])
	go func() {
		time.Sleep(3 * settled)
		_ = os.WriteFile(filepath.Join(dir, "part.png"), data.Bytes(), 0o644) // Grab tells when it fails
	}()
	grab("part.png")
	// One that is written while it is read is one picture.
	s.read = func(name string) (*image.RGBA, error) {
		s.read = ReadPictureFile
		put("again.png", data.Bytes())
		return ReadPictureFile(name)
	}
	put("again.png", data.Bytes()[:20])
	grab("again.png")
	solvetest.OK(t, os.Chtimes(filepath.Join(dir, "old.png"), time.Time{}, time.Now().Add(time.Hour)))
	grab("old.png")
	s.notes.Close() // as where no notices come
	s.notes = nil
	put("unheard.png", data.Bytes())
	grab("unheard.png")
	stop()
	if _, err := s.Grab(ctx); err == nil {
		t.Error("a picture where none came")
	}
	if _, err := OpenShots(filepath.Join(dir, "nowhere")); err == nil {
		t.Error("a folder that is not there is watched")
	}
}

// A scripted source gives a frame or an error at each grab.
type scripted struct {
	grabs  []error
	closed *int
}

func (s *scripted) Grab(context.Context) (*image.RGBA, error) {
	err := s.grabs[0]
	s.grabs = s.grabs[1:]
	if err != nil {
		return nil, err
	}
	return evenFrame(color.White), nil
}
func (s *scripted) Bounds() image.Rectangle { return image.Rect(1, 2, 3, 4) }
func (s *scripted) Close() error            { *s.closed++; return nil }

// TestPatient has a window come late, close, come back, and end.
func TestPatient(t *testing.T) {
	gone := fmt.Errorf("%w: closed", ErrNoWindow)
	opens, closed, told := 0, 0, 0
	p := &PatientSource{
		Open: func(context.Context) (Source, error) {
			opens++
			switch opens {
			case 1, 2, 4:
				return nil, gone
			case 3:
				return &scripted{[]error{nil, gone}, &closed}, nil
			}
			return &scripted{[]error{nil, io.EOF}, &closed}, nil
		},
		Waits: func(error) { told++ },
		pause: func(context.Context, time.Duration) error { return nil },
	}
	for i, want := range []error{nil, nil, io.EOF} {
		if _, err := p.Grab(t.Context()); err != want {
			t.Fatalf("grab %d: %v, want %v", i+1, err, want)
		}
	}
	if opens != 5 || told != 2 || closed != 1 {
		t.Errorf("opened %d times, told %d, closed %d; want 5, 2 and 1", opens, told, closed)
	}
	p = &PatientSource{Open: func(context.Context) (Source, error) { return nil, gone }, Waits: func(error) {}}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := p.Grab(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("waiting ends with %v, want the context's error", err)
	}
}
