package witness

import (
	"bufio"
	"encoding/json"
	"image"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"onlooker/calibrations"
	witness "onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	"onlooker/vision"
	"onlooker/vision/witness/learn"
	"onlooker/vision/witness/look"
	"onlooker/vision/witness/looktest"
)

// TestSharedLooksAsTheyCome reads pictures of shared looks of which nothing is known: an end that
// hardly stands out from what lies outside (also where circles make the lines seem wider), a
// break between two grounds, dots of the ground's colour, and dots whose rims reach out as ends
// do are not taken for something else, nor stars for squares and outlines for full pieces where
// sizes are guessed.
func TestSharedLooksAsTheyCome(t *testing.T) {
	base := challengeLook(t)
	for name, pictures := range map[string][]string{"glass": {"02", "04", "13", "16"}, "photo": {"15"}, "chalk": {"03"}, "crt": {"03", "08", "10"}, "plain": {"18"}} {
		panels, shots := sharedLook(t, name, "test")
		for i, s := range shots {
			if !slices.ContainsFunc(pictures, func(n string) bool { return strings.Contains(s.Name, "-"+n+".") }) {
				continue
			}
			for _, profile := range []*calibrations.Profile{base, look.Structure(base)} {
				if wrong, unsure := readSighting(profile, seenIn(s, panels[i])); wrong != "" {
					t.Errorf("%s: WRONG: %s", s.Name, wrong)
				} else {
					t.Logf("%s: %v", s.Name, unsure)
				}
			}
		}
	}
}

// seenIn is a picture of one board.
func seenIn(s learn.Shot, p *witness.Panel) *sighting {
	of := &sighting{Tile: &looktest.Tile{Panel: p}, frame: s.Frame}
	for k, c := range s.Truth[0].Quad {
		of.Quad[k] = [2]float64{c.X, c.Y}
	}
	return of
}

// sharedLook is the pictures of a shared look whose names begin with the look's and the
// set's, with what they show, and what each panel is; the test is skipped without them.
func sharedLook(t *testing.T, look, set string) (panels []*witness.Panel, shots []learn.Shot) {
	t.Helper()
	folder := filepath.Join("..", "..", "..", "shared", "looks", "pictures")
	f, err := os.Open(filepath.Join(folder, "truth.jsonl"))
	if err != nil {
		t.Skipf("no shared looks: %v", err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<22)
	for lines.Scan() {
		var l struct {
			Image  string
			Boards []struct {
				Puzzle json.RawMessage
				Quad   [4][2]float64
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(l.Image, look+"-"+set+"-") {
			continue
		}
		p, err := forms.DecodeJSON(l.Boards[0].Puzzle)
		if err != nil {
			t.Fatalf("%s: %v", l.Image, err)
		}
		g, err := os.Open(filepath.Join(folder, l.Image))
		if err != nil {
			t.Fatal(err)
		}
		m, _, err := image.Decode(g)
		g.Close()
		if err != nil {
			t.Fatalf("%s: %v", l.Image, err)
		}
		var quad [4]vision.Point
		for i, c := range l.Boards[0].Quad {
			quad[i] = vision.Point{X: c[0], Y: c[1]}
		}
		panels, shots = append(panels, p), append(shots, learn.Shot{Name: l.Image, Frame: m, Truth: []learn.Truth{{Panel: p, Quad: &quad}}})
	}
	if len(shots) == 0 {
		t.Fatalf("no pictures of %s", look)
	}
	return panels, shots
}
