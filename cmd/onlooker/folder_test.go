package main

import (
	"bytes"
	"context"
	"image/color"
	"image/png"
	"onlooker/cmd/internal/whole"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestShotFolder has pictures be there, come, come in two parts, come under an old name,
// and not come at all.
func TestShotFolder(t *testing.T) {
	dir := t.TempDir()
	var data bytes.Buffer
	if err := png.Encode(&data, evenFrame(color.White)); err != nil {
		t.Fatal(err)
	}
	put := func(name string, data []byte) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("old.png", data.Bytes())
	s, err := openShots(dir)
	if err != nil {
		t.Fatal(err)
	}
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
	if err := os.Chtimes(filepath.Join(dir, "old.png"), time.Time{}, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	grab("old.png")
	s.notes.Close() // as where no notices come
	s.notes = nil
	put("unheard.png", data.Bytes())
	grab("unheard.png")
	stop()
	if _, err := s.Grab(ctx); err == nil {
		t.Error("a picture where none came")
	}
	if _, err := openShots(filepath.Join(dir, "nowhere")); err == nil {
		t.Error("a folder that is not there is watched")
	}
}

// TestWatchFolder answers a screenshot that appears.
func TestWatchFolder(t *testing.T) {
	dir := t.TempDir()
	ctx, stop := context.WithCancel(t.Context())
	var out, errOut watched
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, []string{"watch", "--no-store", "--folder", dir}, strings.NewReader(""), &out, &errOut)
	}()
	wait := func(what string, lines func() []string) {
		t.Helper()
		for begun := time.Now(); ; time.Sleep(20 * time.Millisecond) {
			if slices.ContainsFunc(lines(), func(l string) bool { return strings.Contains(l, what) }) {
				return
			}
			if time.Since(begun) > time.Minute {
				t.Fatalf("%q is not said: %v, %v", what, out.lines(), errOut.lines())
			}
		}
	}
	wait("waiting for new pictures", errOut.lines)
	if err := whole.WritePicture(filepath.Join(dir, "shot.png"), scene(t, "maze-3", 800, 600, 1)); err != nil {
		t.Fatal(err)
	}
	wait("shot.png, witness, 3×3: solved", out.lines)
	stop()
	if status := <-ended; status != 0 {
		t.Errorf("it ends with %d", status)
	}
}

// TestViews tells names that belong together.
func TestViews(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"pillar-0.png", "pillar-1.png", "pillar-2.png", "other-1.png", "pillar-3.txt", "alone.png"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	at := func(names ...string) (all []string) {
		for _, n := range names {
			all = append(all, filepath.Join(dir, n))
		}
		return all
	}
	for _, row := range []struct{ names, want []string }{
		{at("pillar-1.png"), at("pillar-0.png", "pillar-1.png", "pillar-2.png")},
		{at("pillar-0.png", "pillar-2.png"), at("pillar-0.png", "pillar-2.png")},
		{at("pillar-0.png", "other-1.png"), nil},
		{at("other-1.png"), nil},
		{at("alone.png"), nil},
		{nil, nil},
	} {
		if got := views(row.names); !slices.Equal(got, row.want) {
			t.Errorf("%v belong to %v, want %v", row.names, got, row.want)
		}
	}
}
