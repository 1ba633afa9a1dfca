//go:build linux || freebsd || netbsd || openbsd

package main

import (
	"fmt"
	"image/color"
	"testing"

	"onlooker/capture"
	"onlooker/input"
	"onlooker/solve/solvetest"
)

// TestDryRunFace: a dry run waits for its key, shows over the screen in which state it is and
// the answer in the colour that is asked for, hides that and shows it again, looks again, and
// stops by its key.
func TestDryRunFace(t *testing.T) {
	person := personAtMaze(t)
	screen := solvetest.Must(capture.Open(t.Context(), capture.Target{}))(t)
	defer screen.Close()
	pink := color.RGBA{255, 0, 200, 255}
	// shown counts pixels of the overlay in the corner where its label is, and elsewhere.
	shown := func() (label, answer int) {
		f := solvetest.Must(screen.Grab(t.Context()))(t)
		for y := range 600 {
			for x := range 800 {
				switch {
				case f.RGBAAt(x, y) != pink:
				case y < 80:
					label++
				default:
					answer++
				}
			}
		}
		return label, answer
	}
	watch := begin(t, "", "watch", "--drive", "--dry-run", "--overlay", "--overlay-colour", "#ff00c8", "--overlay-width", "6", "--no-store")
	traced := func() int { return watch.said("would trace") }
	press := func(key input.Key) { solvetest.OK(t, person.Key(key)) }
	waitFor(t, "it does not say that it is armed", func() bool { label, _ := shown(); return label > 1000 })
	if _, answer := shown(); answer > 0 || traced() > 0 {
		t.Fatalf("before its key it answered: %d pixels, %s", answer, watch)
	}
	press("f9")
	waitFor(t, "no answer is drawn", func() bool { _, answer := shown(); return answer > 500 && traced() == 1 })
	press("f7")
	waitFor(t, "the key does not hide it", func() bool { label, answer := shown(); return label+answer == 0 })
	press("f7")
	waitFor(t, "the key does not show it again", func() bool { label, answer := shown(); return label > 1000 && answer > 500 })
	press("f6")
	waitFor(t, "the key does not have it look again", func() bool { return traced() == 2 })
	press("f8")
	if status := <-watch.ended; status != 0 || watch.said("stopped: drive: the stop key was pressed") != 1 {
		t.Errorf("status %d, it said %s", status, watch)
	}
}

// TestStaysArmed: once all is done a run says so and waits for its key again, which starts it
// once more; the stop key ends it, also while it waits.
func TestStaysArmed(t *testing.T) {
	person := personAtMaze(t)
	watch := begin(t, "", "watch", "--drive", "--dry-run", "--patience", "2s", "--no-store")
	said := watch.said
	for n := 1; n <= 2; n++ {
		waitFor(t, "it is not armed", func() bool { return said("F9 starts") == n })
		solvetest.OK(t, person.Key("f9"))
		waitFor(t, "it does not say that all is done", func() bool { return said("would trace") == n && said(fmt.Sprintf("%d of %d done", n, n)) == 1 })
	}
	waitFor(t, "it is not armed again", func() bool { return said("F9 starts") == 3 })
	solvetest.OK(t, person.Key("f8"))
	if status := <-watch.ended; status != 0 || said("kept as") > 0 || said("the stop key was pressed") != 1 {
		t.Errorf("status %d, it said %s", status, watch)
	}
}
