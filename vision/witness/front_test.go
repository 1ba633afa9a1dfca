package witness

import (
	"encoding/json"
	"fmt"
	"image"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"onlooker/solve/solvetest"
	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/learn"
	"onlooker/vision/witness/look"
	"onlooker/vision/witness/looktest"
	"onlooker/vision/witness/view"
)

// inOverlay names what a test run has whose matchTemplate proposes nothing while
// proposalsOf is "nothing".
const inOverlay, proposalsOf = "ONLOOKER_TEST_OVERLAID", "ONLOOKER_TEST_PROPOSING"

// TestMatchTemplateComesFirst: where OpenCV's matchTemplate proposes nothing no symbol is
// read, in the game's look, in one that was learned, and by a board's structure; where it
// does all are. The test is run again in a build in which it can be told to propose nothing.
func TestMatchTemplateComesFirst(t *testing.T) {
	if os.Getenv(inOverlay) == "" {
		source := solvetest.Must(os.ReadFile(filepath.Join("..", "match.go")))(t)
		const head = "func Match(picture Map, templates []Map) []Matched {\n"
		text := strings.Replace(string(source), head, head+"\tif os.Getenv(\""+proposalsOf+"\") == \"nothing\" {\n\t\treturn make([]Matched, len(templates))\n\t}\n", 1)
		text = strings.Replace(text, "import (\n", "import (\n\t\"os\"\n", 1)
		dir := t.TempDir()
		match := solvetest.Must(filepath.Abs(filepath.Join("..", "match.go")))(t)
		instead, list := filepath.Join(dir, "match.go"), filepath.Join(dir, "overlay.json")
		overlay := solvetest.Must(json.Marshal(map[string]map[string]string{"Replace": {match: instead}}))(t)
		for name, data := range map[string][]byte{instead: []byte(text), list: overlay} {
			solvetest.OK(t, os.WriteFile(name, data, 0o600))
		}
		again := exec.Command("go", "test", "-overlay", list, "-count=1", "-run", "^"+t.Name()+"$", ".")
		again.Env = append(os.Environ(), inOverlay+"=1")
		if out, err := again.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	profile := challengeLook(t)
	kinds := []witness.Symbol{
		{Kind: witness.Square, Colour: witness.White}, {Kind: witness.Star, Colour: witness.Magenta}, {Kind: witness.Triangle, Count: 2, Colour: witness.Orange},
		{Kind: witness.Polyomino, Colour: witness.Yellow, Shape: []image.Point{{}, {X: 1}, {Y: 1}}},
	}
	var boards []*vision.Board
	var shots []learn.Shot
	for i := range 3 {
		p := madeUpPanel(rand.New(rand.NewPCG(uint64(i), 52)), witness.Star, witness.Triangle)
		for k, at := range view.Where(p.Points(), func(at image.Point) bool { return p.At(at).Kind != witness.NoSymbol }) {
			p.At(at).Symbol = kinds[(i+k)%len(kinds)]
		}
		frame := looktest.OnWall(p, drawing.Typical(profile), 52)
		boards = append(boards, only(t, frame, profile))
		shots = append(shots, learn.Shot{Name: fmt.Sprint("picture ", i), Frame: frame, Truth: []learn.Truth{{Panel: p}}})
	}
	c := solvetest.Must(calibrateWith(drawing.Known(), profile, shots))(t)
	known, learned := newReader(profile, drawing.Known()), newReader(c.Profile, drawing.Known())
	for _, proposes := range []string{"all", "nothing"} {
		t.Setenv(proposalsOf, proposes)
		for name, read := range map[string]func(*vision.Board) (*witness.Panel, error){
			"the game's look": func(b *vision.Board) (*witness.Panel, error) { return Read(profile, known.drawn, b) },
			"a learned look":  func(b *vision.Board) (*witness.Panel, error) { return Read(c.Profile, learned.drawn, b) },
			"its structure":   func(b *vision.Board) (*witness.Panel, error) { return Read(look.Structure(profile), known.drawn, b) },
		} {
			symbols := 0
			for _, b := range boards {
				p, err := read(b)
				if err != nil {
					t.Logf("%s, %s proposed: %v", name, proposes, err)
					continue
				}
				symbols += len(view.Where(p.Points(), func(at image.Point) bool { return p.At(at).Kind != witness.NoSymbol }))
			}
			if want := map[string]int{"all": 8 * len(boards)}[proposes]; symbols != want {
				t.Errorf("%s, %s proposed: %d symbols are read, want %d", name, proposes, symbols, want)
			}
		}
	}
}
