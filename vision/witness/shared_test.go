package witness

import (
	"bufio"
	"encoding/json"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"onlooker/calibrations"
	"onlooker/solve/solvetest"
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

// TestSharedLooksTaughtLittle teaches shared looks by two or three pictures: a sort of symbols that
// none of them showed is in doubt, and is not read as the one that it is most like. Squares were
// read as stars and stars as squares, two triangles as a piece of two squares and a turned piece as
// an upright one. One look of every day, all with ONLOOKER_MORE.
func TestSharedLooksTaughtLittle(t *testing.T) {
	doubt := "your pictures showed no symbol like this one"
	for _, taught := range []struct {
		look, learn string            // numbers of pictures
		read        map[string]string // by their names why they are refused; "": they are read
	}{
		{"glass", "03 01", map[string]string{"glass-test-01": doubt, "glass-test-14": doubt, "glass-learn-06": doubt, "glass-learn-05": ""}},
		{"glass", "05 06 01", map[string]string{"glass-test-16": doubt}},
		{"photo", "08 05", map[string]string{"photo-learn-02": doubt, "photo-test-02": doubt}},
		{"chalk", "06 04 02", map[string]string{"chalk-test-01": doubt}},
		{"plain", "03 06 02", map[string]string{"plain-learn-05": doubt}},
		{"blueprint", "03 02 05", map[string]string{"blueprint-test-06": doubt, "blueprint-test-04": doubt, "blueprint-test-17": doubt}},
	} {
		if solvetest.More() == 1 && taught.learn != "03 01" {
			continue
		}
		panels, shots := sharedLook(t, taught.look, "learn")
		var learn []learn.Shot
		for _, s := range shots {
			if slices.ContainsFunc(strings.Fields(taught.learn), func(n string) bool { return strings.Contains(s.Name, "-"+n+".") }) {
				learn = append(learn, s)
			}
		}
		c := solvetest.Must(Calibrate(challengeLook(t), learn))(t)
		more, others := sharedLook(t, taught.look, "test")
		panels, shots = append(panels, more...), append(shots, others...)
		for i, s := range shots {
			why, ok := taught.read[strings.TrimSuffix(s.Name, filepath.Ext(s.Name))]
			if !ok {
				continue
			}
			wrong, unsure := readSighting(c.Profile, seenIn(s, panels[i]))
			if said := fmt.Sprint(unsure); wrong != "" || (unsure == nil) != (why == "") || !strings.Contains(said, why) {
				t.Errorf("%s, taught by %s: WRONG %q, refused: %v, want %q", s.Name, taught.learn, wrong, unsure, why)
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
		solvetest.OK(t, json.Unmarshal(lines.Bytes(), &l))
		if !strings.HasPrefix(l.Image, look+"-"+set+"-") {
			continue
		}
		p, err := forms.DecodeJSON(l.Boards[0].Puzzle)
		if err != nil {
			t.Fatalf("%s: %v", l.Image, err)
		}
		g := solvetest.Must(os.Open(filepath.Join(folder, l.Image)))(t)
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
