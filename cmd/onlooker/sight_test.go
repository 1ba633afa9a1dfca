package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"onlooker/capture"
	"onlooker/cmd/internal/agent/see"
	"onlooker/vision"
)

func evenFrame(c color.Color) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, 64, 48))
	draw.Draw(m, m.Rect, image.NewUniform(c), image.Point{}, draw.Src)
	return m
}

func TestSightState(t *testing.T) {
	for _, row := range []struct {
		why  string
		turn see.Turn
		want string
	}{
		{"black", see.Turn{Frame: evenFrame(color.Black), Failed: errors.New("no board found")}, "black picture: "},
		{"plain grey is a window with nothing in it", see.Turn{Frame: evenFrame(color.Gray{128})}, "no board"},
		{"answered beats doubt", see.Turn{Frame: evenFrame(color.White), Boards: []see.Sighting{{Before: "solved"}, {Failed: &vision.UnsureError{}}}}, "answered"},
		{"unsure says why", see.Turn{Frame: evenFrame(color.White), Boards: []see.Sighting{{Failed: errors.New("cell 2")}}}, "unsure: cell 2"},
		{"unsure since an earlier look", see.Turn{Frame: evenFrame(color.White), Boards: []see.Sighting{{Before: "unsure"}}}, "unsure"},
		{"read, not answered yet", see.Turn{Frame: evenFrame(color.White), Boards: []see.Sighting{{}}}, "reading"},
	} {
		if got := sightState(&row.turn); !strings.HasPrefix(got, row.want) {
			t.Errorf("%s: %q, want %q", row.why, got, row.want)
		}
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
	gone := fmt.Errorf("%w: closed", capture.ErrNoWindow)
	opens, closed, told := 0, 0, 0
	p := &patient{
		open: func(context.Context) (capture.Source, error) {
			opens++
			switch opens {
			case 1, 2, 4:
				return nil, gone
			case 3:
				return &scripted{[]error{nil, gone}, &closed}, nil
			}
			return &scripted{[]error{nil, io.EOF}, &closed}, nil
		},
		waits: func(error) { told++ },
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
	p = &patient{open: func(context.Context) (capture.Source, error) { return nil, gone }, waits: func(error) {}, pause: sleep}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := p.Grab(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("waiting ends with %v, want the context's error", err)
	}
}

// TestTrimFailures keeps the newest over all runs.
func TestTrimFailures(t *testing.T) {
	root := t.TempDir()
	for run := range 3 {
		dir := filepath.Join(root, fmt.Sprintf("2026010%d-000000", run+1))
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		for n := range 2 {
			for _, name := range []string{"turn-%04d.json", "frame-%04d.png"} {
				if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf(name, n+1)), nil, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	if taken, err := trimFailures(root, 3); taken != 3 || err != nil {
		t.Fatalf("%d taken, %v, want 3", taken, err)
	}
	left, err := filepath.Glob(filepath.Join(root, "*", "*"))
	if err != nil || len(left) != 6 {
		t.Errorf("%d files are left, %v, want 6: %v", len(left), err, left)
	}
	if isThere(filepath.Join(root, "20260101-000000")) || !isThere(filepath.Join(root, "20260102-000000", "frame-0002.png")) {
		t.Errorf("not the oldest went: %v", left)
	}
}

func isThere(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
