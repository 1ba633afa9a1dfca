//go:build linux || freebsd || netbsd || openbsd

package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"onlooker/capture"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/dev/showcase"
	"onlooker/solve/solvetest"
	panels "onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	"onlooker/solve/witness/witnesstest"
)

// TestRandomizerPages has boards of the randomizers drawn by a page in the game's sizes, and reads
// them off the screen as nothing else was said: nine of ten must be exact, and none wrong.
func TestRandomizerPages(t *testing.T) {
	eye, page := autoEye(t), showcase.TestBrowser(t, 1280, 1000, time.Hour)
	script := solvetest.Must(os.ReadFile("testdata/dealt.js"))(t)
	kinds := []string{"square", "star", "triangle", "arrow", "antitriangle", "cave", "mines", "flower", "dart"}
	n, exact := 0, 0
	for i, c := range witnesstest.Cases(t) {
		drawn := n < 24
		for _, s := range c.Board.Cells {
			drawn = drawn && slices.Contains(kinds, s.Kind)
		}
		if !drawn {
			continue
		}
		n++
		var shot []byte
		solvetest.OK(t, chromedp.Run(page, chromedp.Navigate("about:blank"), chromedp.Evaluate(fmt.Sprintf("%s\ndrawn(%s, %d)", script, c.Text, n), nil), chromedp.CaptureScreenshot(&shot)))
		frame := solvetest.Must(capture.ReadPicture(bytes.NewReader(shot)))(t)
		keepPicture(t, fmt.Sprintf("dealt-%03d", i), frame)
		sight, err := eye.Look(frame, see.Millis{})
		if err != nil || sight.Read() == 0 {
			t.Logf("case %d: not read: %v", i, err)
			continue
		}
		p := c.Panel(t)
		p.Symmetry = panels.SymmetryOf(p) // what a picture tells of it
		if d := panels.Differ(p, panels.Of(sight.Readings[0].Puzzle)); d != "" {
			t.Errorf("case %d: WRONG in %s, %.2f sure: %s\n%s", i, sight.Profile.Name, sight.Readings[0].Confidence, d, forms.String(p))
			continue
		}
		exact++
	}
	t.Logf("%d of %d exact", exact, n)
	if 10*exact < 9*n || n < 24 {
		t.Errorf("%d of %d exact, want nine of ten of 24", exact, n)
	}
}
