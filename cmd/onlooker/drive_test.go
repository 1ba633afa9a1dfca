//go:build linux || freebsd || netbsd || openbsd

package main

import (
	"image"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"onlooker/cmd/internal/dev/showcase"
	"onlooker/input"
	"onlooker/solve/solvetest"
)

// TestDriveIsKept lets a dry run look at a panel in a window, and replays it
// from its record alone: without the display, and without its flags.
func TestDriveIsKept(t *testing.T) {
	d := showcase.TestDisplay(t, 900, 700)
	w := showcase.TestWindow(t, d, "Panel", image.Rect(60, 40, 860, 640))
	solvetest.OK(t, w.Show(scene(t, "maze-3", 800, 600, 1)))
	record := filepath.Join(t.TempDir(), "run")
	first, errText, status := onlooker(t, "", "watch", "--drive", "--dry-run", "--yes", "--solves", "1", "--window", "Panel", "--record", record)
	if status != 0 || !strings.Contains(first, "would trace [") {
		t.Fatalf("status %d, %q, %s", status, first, errText)
	}
	t.Setenv("DISPLAY", "")
	again, errText, status := onlooker(t, "", "watch", "--replay", record)
	times := regexp.MustCompile(`\s+[\d:.]+( ms)?\b`)
	if got, want := times.ReplaceAllString(again, ""), times.ReplaceAllString(first, ""); status != 0 || got != want {
		t.Errorf("the replay: status %d, %s\ngot  %q\nwant %q", status, errText, got, want)
	}
	// What the command line says counts for more than the record.
	if _, errText, status := onlooker(t, "", "watch", "--replay", record, "--solves", "2"); status != 1 || !strings.Contains(errText, "want the end") {
		t.Errorf("a replay that goes on longer: status %d, %s", status, errText)
	}
}

// TestDriveStops lets the mouse run over a panel that does nothing, and stops
// it as a person does.
func TestDriveStops(t *testing.T) {
	person := personAtMaze(t)
	for _, row := range []struct {
		why  string
		stop func() error
		want string
	}{
		{"a hand on the mouse", func() error { return showcase.Push("", 1, 1) }, "stopped: drive: the mouse was moved by hand; the buttons are up\n"},
		{"the stop key", func() error { return person.Key("f7") }, "stopped: drive: the stop key was pressed; the buttons are up\n"},
	} {
		watch := begin(t, "", "watch", "--drive", "--yes", "--stop-key", "f7", "--verbose")
		watch.until("cursor not told", 1) // it has begun to move the mouse
		status := -1
		for begun := time.Now(); status < 0 && time.Since(begun) < 10*time.Second; {
			solvetest.OK(t, row.stop())
			select {
			case status = <-watch.ended:
			case <-time.After(8 * time.Millisecond):
			}
		}
		if status != 0 || !strings.HasSuffix(watch.errOut.String(), row.want) {
			t.Errorf("%s: status %d, it said %s", row.why, status, watch)
		}
	}
}

// personAtMaze is somebody's keys and mouse at a display of its own, whose window shows a maze.
func personAtMaze(t *testing.T) input.Device {
	t.Helper()
	d := showcase.TestDisplay(t, 800, 600)
	w := showcase.TestWindow(t, d, "Panel", image.Rect(0, 0, 800, 600))
	solvetest.OK(t, w.Show(scene(t, "maze-3", 800, 600, 1)))
	person := solvetest.Must(input.Open(""))(t)
	t.Cleanup(func() { person.Close() })
	return person
}
