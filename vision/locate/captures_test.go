package locate

import (
	"math"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"onlooker/calibrations"
	"onlooker/solve/solvetest"
)

// missedNow is how many boards of the captures are not found yet.
const missedNow = 1

// TestLocateCaptures holds every transcribed flat board to its corners: within
// 3 % of the pitch and 6 pixels of where they are (the truth itself is within
// 2 pixels, where made by eye within 8).
func TestLocateCaptures(t *testing.T) {
	if testing.Short() {
		t.Skip("reads all captures; the readers' tests do so too")
	}
	dir, truth := solvetest.Captures(t)
	p := solvetest.Must(calibrations.Load("witness-challenge"))(t)
	var names []string
	for n := range truth {
		if only := os.Getenv("ONLY"); only != "" {
			if ok, _ := filepath.Match(only, n); !ok {
				continue
			}
		}
		names = append(names, n)
	}
	sort.Strings(names)
	missed := 0
	for _, n := range names {
		if strings.HasPrefix(n, "pillar") {
			continue
		}
		m := solvetest.Picture(t, filepath.Join(dir, n))
		got := solvetest.Must(Boards(m, p.Board))(t)
		for _, w := range truth[n].Boards {
			if w.Quad == nil {
				continue
			}
			hit := false
			for _, b := range got {
				worst := 0.0
				for i, q := range w.Quad {
					worst = max(worst, math.Hypot(b.Quad[i].X-q[0], b.Quad[i].Y-q[1]))
				}
				if worst < 6+0.03*b.ScreenPitch && b.Cols == w.Size[0] && b.Rows == w.Size[1] {
					hit = true
					if b.Cut != [4]bool{} {
						t.Errorf("%s %s: cut off at %v (left, right, top, bottom), want it seen whole", n, w.Side, b.Cut)
					}
					t.Logf("%s %s: corners within %.1f px, lines %.3f, %.2f of the edges seen", n, w.Side, worst, b.Stray, b.Share)
				}
			}
			if !hit {
				missed++
				t.Logf("%s %s: missed %v at %.0f", n, w.Side, w.Size, w.Quad)
			}
		}
		for _, b := range got {
			t.Logf("   %s: %dx%d at %.0f line %.2f", n, b.Cols, b.Rows, b.Quad, b.Line)
		}
	}
	if missed > missedNow {
		t.Errorf("%d boards missed, want at most %d", missed, missedNow)
	}
}
