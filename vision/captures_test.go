package vision

import (
	"encoding/json"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"math"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"onlooker/calibrations"
)

type truthBoard struct {
	Size   [2]int       `json:"size"`
	Quad   [][2]float64 `json:"quad"`
	Side   string       `json:"side"`
	Pillar any          `json:"pillar"`
}
type truthFile struct {
	Negative bool         `json:"negative"`
	Boards   []truthBoard `json:"boards"`
}

// sharedCaptures is the folder of the captures, "" where it is not there.
func sharedCaptures() string {
	dir := os.Getenv("ONLOOKER_SHARED")
	if dir == "" {
		dir = "../../shared"
	}
	for _, d := range []string{dir, "../../../shared"} {
		if _, err := os.Stat(filepath.Join(d, "captures", "truth.json")); err == nil {
			return filepath.Join(d, "captures")
		}
	}
	return ""
}

func capturesFolder(t testing.TB) string {
	dir := sharedCaptures()
	if dir == "" {
		t.Skip("no shared captures; set ONLOOKER_SHARED to their folder")
	}
	return dir
}

func open(t testing.TB, file string) image.Image {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, _, err := image.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// missedNow is how many boards of the captures are not found yet.
const missedNow = 2

// TestLocateCaptures holds every transcribed flat board to its corners: within
// 3 % of the pitch and 6 pixels of where they are (the truth itself is within
// 2 pixels, where made by eye within 8).
func TestLocateCaptures(t *testing.T) {
	if testing.Short() {
		t.Skip("reads all captures; the readers' tests do so too")
	}
	dir := capturesFolder(t)
	data, err := os.ReadFile(filepath.Join(dir, "truth.json"))
	if err != nil {
		t.Fatal(err)
	}
	var truth map[string]truthFile
	if err := json.Unmarshal(data, &truth); err != nil {
		t.Fatal(err)
	}
	p, err := calibrations.Load("witness-challenge")
	if err != nil {
		t.Fatal(err)
	}
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
		m := open(t, filepath.Join(dir, n))
		got, err := Locate(m, p.Board)
		if err != nil {
			t.Fatal(err)
		}
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
					t.Logf("%s %s: corners within %.1f px, lines %.3f, %.2f of the edges seen", n, w.Side, worst, b.Stray, b.share)
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
