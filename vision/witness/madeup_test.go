package witness

import (
	"fmt"
	"image"
	"math/rand/v2"
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
	"onlooker/vision/witness/looktest"
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
