package capture

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/draw"
	"image/png"
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
