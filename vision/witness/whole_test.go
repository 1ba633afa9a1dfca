package witness

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"onlooker/calibrations"
	"onlooker/solve/solvetest"
	witness "onlooker/solve/witness/board"
	"onlooker/solve/witness/witnesstest"
	"onlooker/vision"
	"onlooker/vision/locate"
	"onlooker/vision/picture"
	"onlooker/vision/picture/made"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/look"
)

// siteLook is the look of witnesspuzzles.com, and its style by day.
func siteLook(t *testing.T) (*calibrations.Profile, drawing.Style) {
	t.Helper()
	look := solvetest.Must(calibrations.Load("witnesspuzzles"))(t)
	style := drawing.Typical(look)
	style.Line, style.Gap, style.Start, style.Cap = 24./82, 17./82, 1, 1.5
	style.Ground, style.Lines, style.Around, style.Dot = color.NRGBA{0, 170, 136, 255}, color.NRGBA{51, 68, 68, 255}, color.NRGBA{A: 255}, color.NRGBA{A: 255}
	return look, style
}

// without is a panel of which these edges are missing.
func without(p *witness.Panel, edges ...image.Point) *witness.Panel {
	for _, at := range edges {
		p.At(at).Gap = witness.Missing
	}
	return p
}

// between are all the edges at an x, and all at a y.
func between(p *witness.Panel, x, y int) (all []image.Point) {
	for at := range p.Points() {
		if witness.IsEdge(at) && (at.X == x || at.Y == y) {
			all = append(all, at)
		}
	}
	return all
}

// TestWholeBoard: what a board's lines reach is read with it, of whatever form it is.
func TestWholeBoard(t *testing.T) {
	look, style := siteLook(t)
	simple := func(cols, rows int, start, end, cap image.Point) *witness.Panel {
		p := witness.New(cols, rows, false)
		p.At(start).Start = true
		p.At(end).Cap = cap
		return p
	}
	up, right := image.Pt(0, -1), image.Pt(1, 0)
	for name, p := range map[string]*witness.Panel{
		"a corridor": without(simple(4, 3, image.Pt(0, 6), image.Pt(6, 0), up),
			image.Pt(7, 0), image.Pt(7, 2), image.Pt(7, 4), image.Pt(8, 1), image.Pt(8, 3), image.Pt(8, 5)),
		"a corridor with an end": without(simple(4, 3, image.Pt(0, 6), image.Pt(8, 4), right),
			image.Pt(7, 0), image.Pt(7, 2), image.Pt(7, 6), image.Pt(8, 1), image.Pt(8, 3), image.Pt(8, 5)),
		"two islands": func() *witness.Panel {
			p := simple(5, 3, image.Pt(0, 6), image.Pt(10, 0), up)
			p.At(image.Pt(4, 6)).Start = true // beside what is missing
			return without(p, between(p, 5, -1)...)
		}(),
		"a column of lines missing": func() *witness.Panel {
			p := simple(4, 4, image.Pt(0, 8), image.Pt(8, 0), right)
			return without(p, image.Pt(4, 1), image.Pt(4, 3), image.Pt(4, 5), image.Pt(4, 7))
		}(),
		"an end under a start": func() *witness.Panel {
			p := simple(3, 3, image.Pt(0, 6), image.Pt(0, 6), image.Pt(-1, 0))
			p.At(image.Pt(6, 0)).Start = true
			return p
		}(),
		"starts at every node": func() *witness.Panel {
			p := simple(3, 3, image.Pt(0, 6), image.Pt(6, 0), up)
			for at := range p.Points() {
				p.At(at).Start = witness.IsNode(at)
			}
			return p
		}(),
		"ends into cells": func() *witness.Panel {
			p := simple(3, 3, image.Pt(0, 6), image.Pt(6, 3), image.Pt(-1, 0))
			p.At(image.Pt(3, 2)).Cap = image.Pt(0, 1)
			p.At(image.Pt(1, 3)).Symbol = witness.Symbol{Kind: witness.Square, Colour: "#ff8800"}
			return p
		}(),
		"an end into a missing edge beside a start": without(simple(3, 3, image.Pt(0, 6), image.Pt(0, 4), image.Pt(0, 1)), image.Pt(0, 5)),
	} {
		got, b, err := readDrawn(t, look, drawing.Draw(p, style, 60))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if wrong := witness.Differ(p, got); b.Cols != p.Cols || b.Rows != p.Rows || wrong != "" {
			t.Errorf("%s: %dx%d cells, want %dx%d; %s", name, b.Cols, b.Rows, p.Cols, p.Rows, wrong)
		}
	}
}

// TestCircleAtBorder: a circle that the picture's border touches is not read as one with an end, of
// which the picture would not show where it ends.
func TestCircleAtBorder(t *testing.T) {
	look, style := siteLook(t)
	p := made.Panel(3, 3, false, witness.NoSymmetry, made.Starts(image.Pt(6, 6)), made.End(0, 0, 0, -1))
	m := copied(drawing.Draw(p, style, 60))
	b := boardIn(t, m, look)
	if b == nil {
		t.Fatal("no board")
	}
	for _, beyond := range []float64{0.5, 0.55, 0.6, 0.7} { // half-cells from the circle's middle
		part := copied(m.SubImage(image.Rect(0, 0, int(b.ScreenPoint(6+beyond, 6).X), m.Rect.Dy())))
		b := boardIn(t, part, look)
		if b == nil || b.Cut != [4]bool{} {
			continue
		}
		if got, err := readPanel(t, look, b); err == nil && witness.Differ(p, got) != "" {
			t.Errorf("%.2f half-cells: %s", beyond, witness.Differ(p, got))
		}
	}
}

// TestBareSides: a board with bare ground for a cell on its left and its right may go on
// there, round a pillar, and is refused.
func TestBareSides(t *testing.T) {
	look, style := siteLook(t)
	p := witnesstest.Corners(3, 3, image.Pt(0, -1))
	style.Margin = 1.6
	if _, _, err := readDrawn(t, look, drawing.Draw(p, style, 60)); err == nil || !strings.Contains(err.Error(), "how many cells it has: 3x3, or more") {
		t.Errorf("error %v", err)
	}
	style.Margin = 0.5
	if _, _, err := readDrawn(t, look, drawing.Draw(p, style, 60)); err != nil {
		t.Error(err)
	}
}

// readDrawn reads the largest board of a drawing with white all round it.
func readDrawn(t *testing.T, look *calibrations.Profile, m *image.RGBA) (*witness.Panel, *vision.Board, error) {
	t.Helper()
	frame := framed(m, m.Rect.Size().Add(image.Pt(2*beyond, 2*beyond)), image.Pt(beyond, beyond), color.RGBA{255, 255, 255, 255})
	boards, err := locate.Boards(frame, look.Board)
	if err != nil || len(boards) == 0 {
		t.Fatalf("%d boards, %v", len(boards), err)
	}
	p, err := readPanel(t, look, boards[0])
	return p, boards[0], err
}

// TestExplained: the reading that is right explains more than those that lose a dot, an
// end, a start or cells, and its own look more than another.
func TestExplained(t *testing.T) {
	look, style := siteLook(t)
	panel := func() *witness.Panel {
		p := witness.New(3, 3, false)
		p.At(image.Pt(0, 6)).Start, p.At(image.Pt(0, 6)).Dot.On = true, true
		p.At(image.Pt(6, 0)).Cap, p.At(image.Pt(6, 4)).Cap = image.Pt(0, -1), image.Pt(1, 0)
		p.At(image.Pt(3, 3)).Symbol = witness.Symbol{Kind: witness.Triangle, Count: 2, Colour: "#ffaa00"}
		return p
	}
	right, b, err := readDrawn(t, look, drawing.Draw(panel(), style, 60))
	solvetest.OK(t, err)
	if wrong := witness.Differ(panel(), right); wrong != "" {
		t.Fatal(wrong)
	}
	most := Explained(look, b, right)
	for name, change := range map[string]func(p *witness.Panel){
		"a dot lost":     func(p *witness.Panel) { p.At(image.Pt(0, 6)).Dot.On = false },
		"an end lost":    func(p *witness.Panel) { p.At(image.Pt(6, 4)).Cap = image.Point{} },
		"a start lost":   func(p *witness.Panel) { p.At(image.Pt(0, 6)).Start = false },
		"a start made":   func(p *witness.Panel) { p.At(image.Pt(6, 6)).Start = true },
		"an edge lost":   func(p *witness.Panel) { p.At(image.Pt(3, 2)).Gap = witness.Missing },
		"a symbol lost":  func(p *witness.Panel) { p.At(image.Pt(3, 3)).Symbol = witness.Symbol{} },
		"a triangle off": func(p *witness.Panel) { p.At(image.Pt(3, 3)).Count = 1 },
	} {
		p := panel()
		change(p)
		if a := Explained(look, b, p); a >= most {
			t.Errorf("%s: %.0f, and %.0f for what is right", name, a, most)
		}
	}
	if a := Explained(challengeLook(t), b, right); a >= most {
		t.Errorf("in another look %.0f, and %.0f in its own", a, most)
	}
}

// beyond is how much of the wall there is on each side of a panel, in pixels.
const beyond = 80

// onDark is a picture of a panel with a dark wall round it.
func onDark(m *image.RGBA) *image.RGBA {
	return framed(m, m.Rect.Size().Add(image.Pt(2*beyond, 2*beyond)), image.Pt(beyond, beyond), color.RGBA{8, 10, 14, 255})
}

// TestCapBesideMarks reads a slanting cap whose corner is reached over a dot
// from the left and, but for a break, from above.
func TestCapBesideMarks(t *testing.T) {
	profile := challengeLook(t)
	for _, row := range []struct {
		why         string
		dot, broken bool
	}{
		{"plain lines", false, false}, {"a dot", true, false}, {"a break", false, true}, {"a dot and a break", true, true},
	} {
		p := witness.New(5, 5, false)
		p.At(image.Pt(0, 0)).Start = true
		p.At(image.Pt(10, 10)).Cap = image.Pt(1, 1)
		p.At(image.Pt(3, 4)).Gap = witness.Broken
		if row.dot {
			p.At(image.Pt(9, 10)).Dot.On = true
		}
		if row.broken {
			p.At(image.Pt(10, 9)).Gap = witness.Broken
		}
		style := drawing.Typical(profile)
		// The practice page's night: the pedestal's colours.
		style.Ground, style.Lines, style.Dot = color.NRGBA{18, 26, 42, 255}, color.NRGBA{61, 83, 120, 255}, color.NRGBA{240, 176, 64, 255}
		style.Line, style.Gap = 0.33, 0.26
		m := drawing.Draw(p, style, 60)
		frame := onDark(m)
		board := only(t, frame, profile)
		got, err := readPanel(t, profile, board)
		if err != nil {
			t.Errorf("%s: %v", row.why, err)
			continue
		}
		solvetest.Same(t, witness.Differ(p, got), "", "%s", row.why)
	}
}

// TestCapBehindRing: a ring on an end's corner does not hide the cap behind it.
func TestCapBehindRing(t *testing.T) {
	profile := challengeLook(t)
	p := witness.New(3, 3, false)
	p.At(image.Pt(0, 6)).Start = true
	end, out := image.Pt(6, 0), image.Pt(1, 0)
	p.At(end).Cap = out
	style := drawing.Typical(profile)
	style.Ground, style.Lines, style.Line = color.NRGBA{0, 30, 20, 255}, color.NRGBA{186, 200, 240, 255}, 0.23
	const pitch = 75
	m := drawing.Draw(p, style, pitch)
	frame := onDark(m)
	least, _ := picture.Extent(drawing.Shapes(p, nil, style))
	node := image.Pt(beyond+int((float64(end.X)-least.X)*pitch/2), beyond+int((float64(end.Y)-least.Y)*pitch/2))
	for y := -12; y <= 12; y++ {
		for x := -12; x <= 12; x++ {
			if d := math.Hypot(float64(x), float64(y)); d > 5.5 && d < 10 {
				frame.SetRGBA(node.X+x, node.Y+y, color.RGBA{0, 130, 130, 255})
			}
		}
	}
	board := only(t, frame, profile)
	reach := 0.0
	for _, v := range look.New(board, profile, drawing.Known()).Lines.CapViews(end) {
		if v.Dir == out {
			reach = v.Own()
		}
	}
	if want := look.UsualDivide(look.DivideCap)[1]; reach < want {
		t.Errorf("the cap reaches %.2f line widths, want %.2f at least", reach, want)
	}
}

// TestDotsOnEnds reads panels by seed with a dot where an end stands: on a corner, on a side's
// node or on an edge's middle, straight out or aslant, other dots and breaks beside it.
func TestDotsOnEnds(t *testing.T) {
	profile := challengeLook(t)
	var c tally
	n := 32 * solvetest.More()
	for seed := range uint64(n) {
		rng := rand.New(rand.NewPCG(seed, 66))
		side := 2 + rng.IntN(4)
		p := witness.New(side, side, false)
		p.At(image.Pt(0, 2*side)).Start = true
		var outer []image.Point
		for at := range p.Points() {
			if !witness.IsCell(at) && (at.Y == 0 || at.X == 2*side) && at.X+2*side-at.Y > 2 {
				outer = append(outer, at)
			}
		}
		at := outer[rng.IntN(len(outer))]
		if seed%2 == 0 {
			at = image.Pt(2*side, 0)
		}
		out := image.Pt(0, -1)
		if at.X == 2*side && (at.Y > 0 || rng.IntN(2) == 0) {
			out = image.Pt(1, 0)
		}
		if at == image.Pt(2*side, 0) && rng.IntN(3) == 0 {
			out = image.Pt(1, -1)
		}
		p.At(at).Cap, p.At(at).Dot.On = out, true
		for range 2 * side {
			if o := image.Pt(rng.IntN(2*side+1), rng.IntN(2*side+1)); witness.IsEdge(o) && o != at {
				p.At(o).Gap = witness.Broken
			} else if witness.IsNode(o) && !p.At(o).Start {
				p.At(o).Dot.On = true
			} else if witness.IsCell(o) {
				p.At(o).Symbol = witness.Symbol{Kind: witness.Star, Colour: witness.Green}
			}
		}
		style := drawing.Typical(profile)
		// Dark dots: what is brighter than a line may be the pointer.
		if other := randomStyle(rng, profile); brighter(other.Lines, other.Dot) {
			style = other
		} else {
			style.Line, style.Cap = other.Line, other.Cap
		}
		frame := onDark(drawing.Draw(p, style, float64(40+rng.IntN(50))))
		boards, err := locate.Boards(frame, profile.Board)
		if err != nil || len(boards) != 1 {
			t.Errorf("seed %d: %d boards, %v", seed, len(boards), err)
			continue
		}
		got, err := readPanel(t, profile, boards...)
		wrong := ""
		if err == nil {
			wrong = witness.Differ(p, got)
		}
		c.count(t, fmt.Sprintf("seed %d, %v %v", seed, at, out), wrong, err)
	}
	t.Logf("%v", c)
	if c.unsure > n/20 {
		t.Errorf("%v, want all exact", c)
	}
}
