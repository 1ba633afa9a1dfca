package agent

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
)

// record plays the snake on a client and keeps it in a folder.
func record(t *testing.T, folder string) (clicks string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		c := newClient()
		tape, err := NewTape(folder, c, c)
		if err != nil {
			t.Fatal(err)
		}
		p := newPlayer(c)
		p.Source, p.Mouse, p.Clock = tape, tape, tape
		if got, err := enter(t.Context(), p, snake); err != nil || got != Accepted {
			t.Fatalf("outcome %s, %v", got, err)
		}
		if err := tape.Close(); err != nil {
			t.Fatal(err)
		}
		clicks = strings.Join(c.clicks, " ")
	})
	return clicks
}

// TestReplay: a recorded run is the same again without a screen, a mouse or a
// clock, and the first thing that differs is told.
func TestReplay(t *testing.T) {
	folder := t.TempDir()
	if clicks := record(t, folder); clicks != "enter begin submit" {
		t.Fatalf("recorded with the clicks %s", clicks)
	}
	again := func(change func(*Player)) (Outcome, error) {
		r, err := OpenReplay(folder)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		p := newPlayer(nil)
		p.Source, p.Mouse, p.Clock = r, r, r
		change(p)
		got, err := enter(t.Context(), p, snake)
		return got, errors.Join(err, r.Done())
	}
	if got, err := again(func(*Player) {}); err != nil || got != Accepted {
		t.Errorf("replayed: %s, %v; want it accepted again", got, err)
	}
	var differs *DivergenceError
	if _, err := again(func(p *Player) { p.Motion.NudgePixels = 7 }); !errors.As(err, &differs) || !strings.HasPrefix(differs.Got, "moveby") {
		t.Errorf("with other motions: %v, want where they diverge", err)
	}
	// A frame that shows another line makes for other motions.
	pictures, err := filepath.Glob(filepath.Join(folder, "tape-*.png"))
	if err != nil || len(pictures) < 10 {
		t.Fatalf("%d pictures, %v", len(pictures), err)
	}
	if err := os.Rename(pictures[len(pictures)/2], pictures[len(pictures)/2]+".away"); err != nil {
		t.Fatal(err)
	}
	if _, err := again(func(*Player) {}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without a picture: %v, want that it is missing", err)
	}
	tape := filepath.Join(folder, tapeName)
	data, err := os.ReadFile(tape)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(tape, data[:len(data)/3], 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := again(func(*Player) {}); err == nil {
		t.Error("a tape cut short is replayed without an error")
	}
}
