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

// TestSharedLooksTold learns shared looks from eight pictures with their truth, and reads the
// others. It takes minutes: ONLOOKER_SHARED_LOOKS names looks, with commas between them, and
// ONLOOKER_SHARED_LOOKS_FOLDER another folder than the shared one's.
func TestSharedLooksTold(t *testing.T) {
	names := os.Getenv("ONLOOKER_SHARED_LOOKS")
	if names == "" {
		t.Skip("takes minutes: ONLOOKER_SHARED_LOOKS names shared looks")
	}
	base := challengeLook(t)
	for _, name := range strings.Split(names, ",") {
		_, shots := sharedLook(t, name, "learn")
		c, err := Calibrate(base, shots)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		t.Logf("%s: %d pictures, refused %q: %v", name, len(c.Shots), c.Refused, readTests(t, c.Profile, name))
	}
}

// TestSharedLooksAsTheyCome reads pictures of shared looks of which nothing is known: an end that
// hardly stands out from what lies outside (also where circles make the lines seem wider), a
// break between two grounds, dots of the ground's colour, and dots whose rims reach out as ends
// do are not taken for something else.
func TestSharedLooksAsTheyCome(t *testing.T) {
	base := challengeLook(t)
	for name, pictures := range map[string][]string{"glass": {"02", "04", "13", "16"}, "photo": {"15"}, "chalk": {"03"}} {
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

// readTests reads the pictures of a shared look that are kept for that.
func readTests(t *testing.T, profile *calibrations.Profile, name string) (got tally) {
	panels, shots := sharedLook(t, name, "test")
	for i := range shots {
		switch wrong, unsure := readSighting(profile, seenIn(shots[i], panels[i])); {
		case unsure != nil:
			got.unsure++
			t.Logf("%s: %v", shots[i].Name, unsure)
		case wrong != "":
			got.wrong++
			t.Errorf("%s: WRONG: %s", shots[i].Name, wrong)
		default:
			got.exact++
		}
	}
	return got
}

// sharedLook is the pictures of a shared look whose names begin with the look's and the
// set's, with what they show, and what each panel is; the test is skipped without them.
func sharedLook(t *testing.T, look, set string) (panels []*witness.Panel, shots []learn.Shot) {
	t.Helper()
	folder := filepath.Join("..", "..", "..", "shared", "looks", "pictures")
	if other := os.Getenv("ONLOOKER_SHARED_LOOKS_FOLDER"); other != "" {
		folder = other
	}
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
