package witness

import (
	"encoding/json"
	"fmt"
	"image"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"onlooker/calibrations"
	"onlooker/solve/solvetest"
	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/picture"
	"onlooker/vision/picture/made"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/learn"
	"onlooker/vision/witness/look"
	"onlooker/vision/witness/looktest"
	"onlooker/vision/witness/view"
)

// madeUp are the forms of all symbols and of two that nobody has: an hourglass, and
// bars, of which one or two stand in a cell. All that package vision knows of the two
// stands here.
func madeUp() (forms drawing.Forms, hourglass, bar witness.Kind) {
	hourglass, bar = witness.Star.As("hourglass", "hourglass"), witness.Triangle.As("bar", "bar")
	polygon := func(points ...picture.Point) []picture.Shape {
		return []picture.Shape{{Kind: picture.Polygon, Points: points, Fine: true}}
	}
	return append(drawing.Known(),
		drawing.Form{
			Kind: hourglass, Word: "⧗",
			Outline: func(*drawing.Sizes) []picture.Shape {
				return append(polygon(picture.Point{X: -0.4, Y: -0.45}, picture.Point{X: 0.4, Y: -0.45}, picture.Point{}),
					polygon(picture.Point{X: -0.4, Y: 0.45}, picture.Point{X: 0.4, Y: 0.45}, picture.Point{})...)
			},
			Step:     func(*drawing.Sizes) float64 { return 0 },
			Thinnest: func(*drawing.Sizes) float64 { return 0.1 },
		},
		drawing.Form{
			Kind: bar, Word: "❙",
			Outline:  func(*drawing.Sizes) []picture.Shape { return polygon(picture.Box(-0.1, -0.4, 0.1, 0.4)...) },
			Step:     func(*drawing.Sizes) float64 { return 0.5 },
			Thinnest: func(*drawing.Sizes) float64 { return 0.1 },
		}), hourglass, bar
}

// madeUpPanel is a panel with made-up symbols beside others.
func madeUpPanel(rng *rand.Rand, hourglass, bar witness.Kind) *witness.Panel {
	p := made.Panel(4, 3, false, witness.NoSymmetry, made.Starts(image.Pt(0, 6)), made.End(8, 0, 0, -1), made.Gap(witness.Broken, image.Pt(3, 2)))
	kinds := []witness.Symbol{
		{Kind: hourglass, Colour: witness.White}, {Kind: hourglass, Colour: witness.Magenta}, {Kind: bar, Count: 1, Colour: witness.White}, {Kind: bar, Count: 2, Colour: witness.White},
		{Kind: witness.Square, Colour: witness.White}, {Kind: witness.Star, Colour: witness.Magenta}, {Kind: witness.Triangle, Count: 2, Colour: witness.Orange},
		{Kind: witness.Polyomino, Colour: witness.Yellow, Shape: []image.Point{{}, {X: 1}, {Y: 1}}},
	}
	var cells []image.Point
	for at := range p.Points() {
		if witness.IsCell(at) {
			cells = append(cells, at)
		}
	}
	rng.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
	for i, s := range kinds { // the other cells are empty
		p.At(cells[i]).Symbol = s
	}
	return p
}

// TestMadeUpSymbols draws symbols that nobody has, reads them by their form, and by
// what a look learned of them from labelled pictures. A reader that does not know
// them must not take them for others.
func TestMadeUpSymbols(t *testing.T) {
	profile := challengeLook(t)
	forms, hourglass, bar := madeUp()
	style := drawing.Typical(profile)
	style.Forms = forms
	panels := make([]*witness.Panel, 6)
	boards := make([]*vision.Board, len(panels))
	var shots []learn.Shot
	for i := range panels {
		panels[i] = madeUpPanel(rand.New(rand.NewPCG(uint64(i), 27)), hourglass, bar)
		frame := looktest.OnWall(panels[i], style, 52)
		boards[i] = only(t, frame, profile)
		if i < 3 {
			shots = append(shots, learn.Shot{Name: fmt.Sprint("picture ", i), Frame: frame, Truth: []learn.Truth{{Panel: panels[i]}}})
		}
	}
	read := func(how string, look *calibrations.Profile, forms drawing.Forms, i int) {
		r := newReader(look, forms)
		solvetest.OK(t, r.Add(boards[i]))
		if got, err := r.Panel(); err != nil {
			t.Errorf("%s, panel %d: %v", how, i, err)
		} else if d := witness.Differ(panels[i], got); d != "" {
			t.Errorf("%s, panel %d: %s", how, i, d)
		}
	}
	var text strings.Builder
	solvetest.OK(t, picture.Terminal(&text, drawing.Shapes(panels[0], nil, style), false))
	for _, word := range []string{"⧗", "❙❙"} {
		if !strings.Contains(text.String(), word) {
			t.Errorf("in a terminal no %s is drawn:\n%s", word, &text)
		}
	}
	for i := range panels {
		read("by their forms", profile, forms, i)
		if got, err := readPanel(t, profile, boards[i]); err == nil {
			t.Errorf("panel %d: a reader that does not know the symbols reads\n%v", i, got)
		}
	}
	c := solvetest.Must(calibrateWith(forms, profile, shots))(t)
	// Six hourglasses were seen, and three cells with each number of bars.
	for _, want := range []string{"hourglass (6)", "bar of 1 (3)", "bar of 2 (3)"} {
		if !slices.Contains(c.Measured, want) {
			t.Errorf("learned %q, want %s among it", c.Measured, want)
		}
	}
	for i := range panels[3:] {
		read("calibrated", c.Profile, forms, 3+i)
	}
}

// TestPiecesElsewhere teaches looks that draw pieces as other clients do, and reads other boards of
// theirs: anywhere in the cell, or longer ones smaller, which of some kinds are not among those
// that it learns from.
func TestPiecesElsewhere(t *testing.T) {
	profile := challengeLook(t)
	for _, row := range []struct {
		why   string
		drawn func(rng *rand.Rand, style drawing.Style, s witness.Symbol, c picture.Point) []picture.Shape
	}{
		{"anywhere", func(rng *rand.Rand, style drawing.Style, s witness.Symbol, c picture.Point) []picture.Shape {
			style.Symbols.Spacing *= 0.85
			shapes := style.Symbol(s, picture.Point{})
			lo, hi := picture.Extent(shapes)
			const room = 0.7 // half-cells from the middle
			return style.Symbol(s, picture.Point{X: c.X + rng.Float64()*(2*room-hi.X+lo.X) - room - lo.X, Y: c.Y + rng.Float64()*(2*room-hi.Y+lo.Y) - room - lo.Y})
		}},
		{"longer ones smaller", func(_ *rand.Rand, style drawing.Style, s witness.Symbol, c picture.Point) []picture.Shape {
			if n := witness.Extent(s.Shape); max(n.X, n.Y) > 3 {
				style.Symbols.Spacing *= 0.75
				style.Symbols.Block *= 0.75
			}
			return style.Symbol(s, c)
		}},
	} {
		style := drawing.Typical(profile)
		var panels []*witness.Panel
		var boards []*vision.Board
		var shots []learn.Shot
		for i := range 9 {
			rng := rand.New(rand.NewPCG(uint64(i), 31))
			p := made.Panel(4, 3, false, witness.NoSymmetry, made.Starts(image.Pt(0, 6)), made.End(8, 0, 0, -1), made.Gap(witness.Broken, image.Pt(3, 2)))
			shapes := drawing.Shapes(p, nil, style)
			for at := range p.Points() {
				if !witness.IsCell(at) || rng.IntN(2) == 0 {
					continue
				}
				s := witness.Symbol{Kind: witness.Polyomino, Colour: witness.Yellow, Shape: randomShape(rng), Turnable: rng.IntN(2) == 0}
				if rng.IntN(4) == 0 {
					s.Kind, s.Colour = witness.Negative, witness.Blue
				}
				s.Turnable = s.Turnable && len(s.Shape) > 1 // turning one square changes nothing
				p.At(at).Symbol = s
				shapes = append(shapes, row.drawn(rng, style, s, picture.Point{X: float64(at.X), Y: float64(at.Y)})...)
			}
			frame := onPage(shapes)
			panels, boards = append(panels, p), append(boards, only(t, frame, profile))
			if i < 5 {
				shots = append(shots, learn.Shot{Name: fmt.Sprint("picture ", i), Frame: frame, Truth: []learn.Truth{{Panel: p}}})
			}
		}
		c, err := calibrateWith(drawing.Known(), profile, shots)
		if err != nil {
			t.Errorf("%s: %v", row.why, err)
			continue
		}
		read := 0
		for i, want := range panels[5:] {
			got, err := readPanel(t, c.Profile, boards[5+i])
			if err != nil {
				t.Logf("%s, board %d: %v", row.why, i, err)
				continue
			}
			solvetest.Same(t, witness.Differ(seen(want), seen(got)), "", "%s, board %d", row.why, i)
			read++
		}
		if read < 3 {
			t.Errorf("%s: %d of 4 boards are read, want 3", row.why, read)
		}
	}
}

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
