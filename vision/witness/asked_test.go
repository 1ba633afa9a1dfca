package witness

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"onlooker/calibrations"
	witness "onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	"onlooker/vision"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/calibrate"
	"onlooker/vision/witness/look"
	"onlooker/vision/witness/looktest"
)

// oddStyle is a look that nothing can be told of at first sight: its stars are
// hourglasses, and its triangles bars.
func oddStyle(t *testing.T) drawing.Style {
	t.Helper()
	style := inventedLooks(challengeLook(t))["saturated"]
	forms, hourglass, bar := madeUp()
	for i := range forms {
		like := hourglass
		switch forms[i].Kind {
		case witness.Star:
		case witness.Triangle:
			like = bar
		default:
			continue
		}
		from, _ := forms.Of(like)
		forms[i].Outline, forms[i].Step, forms[i].Rows = from.Outline, from.Step, from.Rows
	}
	style.Forms = slices.DeleteFunc(forms, func(f drawing.Form) bool { return f.Kind == hourglass || f.Kind == bar })
	return style
}

// oddPanel is a panel for it.
func oddPanel(seed uint64) *witness.Panel {
	return madeUpPanel(rand.New(rand.NewPCG(seed, 28)), witness.Star, witness.Triangle)
}

// TestCalibrateAsks learns a look from pictures of which nobody tells what they show:
// it asks, and then has learned as much as if it had been told.
func TestCalibrateAsks(t *testing.T) {
	base, style := challengeLook(t), oddStyle(t)
	var panels []*witness.Panel
	var shots []calibrate.Shot
	for i := range 4 {
		panels = append(panels, oddPanel(uint64(i)))
		shots = append(shots, calibrate.Shot{Name: fmt.Sprint("picture ", i), Frame: looktest.OnWall(panels[i], style, 52)})
	}
	asked := 0
	c, err := Calibrate(base, shots, answering(panels, &asked))
	if err != nil {
		t.Fatal(err)
	}
	// Of 4 panels with 8 symbols, 20 nodes and 31 edges each: 8 symbols, two in both colours, an
	// empty cell, and what there is of nodes, edges and ways out, some of it twice.
	if asked == 0 || asked > 30 {
		t.Errorf("%d questions", asked)
	}
	t.Logf("%d questions", asked)
	for i, s := range c.Shots {
		if d := witness.Differ(witness.Untwisted(panels[i]), witness.Untwisted(s.Truth[0].Panel)); d != "" {
			t.Errorf("picture %d: %s", i, d)
		}
	}
	other := oddPanel(9)
	r := NewReader(c.Profile)
	if err := r.Add(only(t, looktest.OnWall(other, style, 52), c.Profile)); err != nil {
		t.Fatal(err)
	}
	if got, err := r.Panel(); err != nil {
		t.Errorf("another board: %v", err)
	} else if d := witness.Differ(other, got); d != "" {
		t.Errorf("another board: %s", d)
	}
}

// TestAskedInVain has answers that name nothing: boards with such places are left out,
// and what asks may end it.
func TestAskedInVain(t *testing.T) {
	base, style := challengeLook(t), oddStyle(t)
	shots := []calibrate.Shot{{Name: "picture", Frame: looktest.OnWall(oddPanel(0), style, 52)}}
	if c, err := Calibrate(base, shots, func(*calibrate.Question) (string, error) { return calibrate.DoNotKnow, nil }); err == nil {
		t.Errorf("learned %v from nothing", c.Measured)
	} else if !strings.Contains(err.Error(), "nobody knows") {
		t.Errorf("it says %v", err)
	}
	over := errors.New("over")
	if _, err := Calibrate(base, shots, func(*calibrate.Question) (string, error) { return "", over }); !errors.Is(err, over) {
		t.Errorf("it says %v, want %v", err, over)
	}
}

// TestAskedOfASharedLook asks for what eight pictures of a look show that is none of
// ours: what is answered for groups of places is what every board shows.
func TestAskedOfASharedLook(t *testing.T) {
	panels, shots := sharedLook(t, "neon", "learn")
	for i := range shots {
		shots[i].Truth = nil
	}
	asked := 0
	course := calibrate.New(challengeLook(t), Read)
	for _, s := range shots {
		if err := course.Add(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := course.Ask(answering(panels, &asked)); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d questions", asked)
	if asked == 0 || asked > 70 { // 47 when it was written
		t.Errorf("%d questions", asked)
	}
	told := course.Drafts()
	if len(told) != len(panels) {
		t.Fatalf("%d boards in %d pictures", len(told), len(panels))
	}
	for i, d := range told {
		if d.Out != nil || d.Shot != i {
			t.Errorf("board %d: of picture %d, left out: %v", i, d.Shot, d.Out)
		} else if d := calibrate.DifferShown(witness.Untwisted(panels[i]), witness.Untwisted(d.Panel)); d != "" {
			t.Errorf("%s: %s", shots[i].Name, d)
		}
	}
}

// TestSharedLooksAsked learns shared looks from eight pictures, with their truth and with
// answers, and reads the others. It takes minutes: ONLOOKER_SHARED_LOOKS names looks, with
// commas between them, ONLOOKER_SHARED_LOOKS_HOW one of truth and asked, and
// ONLOOKER_SHARED_LOOKS_FOLDER another folder than the shared one's.
func TestSharedLooksAsked(t *testing.T) {
	names := os.Getenv("ONLOOKER_SHARED_LOOKS")
	if names == "" {
		t.Skip("takes minutes: ONLOOKER_SHARED_LOOKS names shared looks")
	}
	base := challengeLook(t)
	for _, name := range strings.Split(names, ",") {
		panels, shots := sharedLook(t, name, "learn")
		for _, how := range []string{"truth", "asked"} {
			if only := os.Getenv("ONLOOKER_SHARED_LOOKS_HOW"); only != "" && only != how {
				continue
			}
			asked := 0
			given := slices.Clone(shots)
			for i := range given {
				if how == "asked" {
					given[i].Truth = nil
				}
			}
			c, err := Calibrate(base, given, answering(panels, &asked))
			if err != nil {
				t.Errorf("%s, %s: %v", name, how, err)
				continue
			}
			t.Logf("%s, %s: %d questions, %d pictures, refused %q: %v", name, how, asked, len(c.Shots), c.Refused, readTests(t, c.Profile, name))
		}
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
func seenIn(s calibrate.Shot, p *witness.Panel) *sighting {
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
func sharedLook(t *testing.T, look, set string) (panels []*witness.Panel, shots []calibrate.Shot) {
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
		panels, shots = append(panels, p), append(shots, calibrate.Shot{Name: l.Image, Frame: m, Truth: []calibrate.Truth{{Panel: p, Quad: &quad}}})
	}
	if len(shots) == 0 {
		t.Fatalf("no pictures of %s", look)
	}
	return panels, shots
}
