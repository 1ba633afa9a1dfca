package witness

import (
	"image"
	"image/color"
	"math/rand/v2"
	"testing"

	"onlooker/calibrations"
	witness "onlooker/solve/witness/board"
	"onlooker/vision/picture"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/look"
)

// TestStrangeLook reads boards whose lines, circles, breaks, caps and symbols have other
// sizes than the game's: none may be read wrong, by its sizes or by their structure.
func TestStrangeLook(t *testing.T) {
	base := challengeLook(t)
	for seed := range 6 {
		rng := rand.New(rand.NewPCG(uint64(seed), 13))
		want := mixedPanel(rng, 3+rng.IntN(2), 3)
		boards := located(t, onPage(drawing.Shapes(want, nil, strangeStyle(base))), base)
		if len(boards) != 1 {
			continue
		}
		for _, of := range []*calibrations.Profile{base, look.Structure(base)} {
			got, err := Read(of, drawing.Known(), boards[0])
			if err != nil {
				t.Logf("seed %d, loose %v: %v", seed, of.Loose, err)
			} else if d := witness.Differ(seen(want), seen(got)); d != "" {
				t.Errorf("seed %d, loose %v: read wrong: %s", seed, of.Loose, d)
			}
		}
	}
}

// strangeStyle has other sizes than a look's.
func strangeStyle(look *calibrations.Profile) drawing.Style {
	style := drawing.Typical(look)
	style.Line *= 0.6
	style.Gap *= 1.3
	style.Cap *= 1.5
	style.Ground, style.Lines = color.NRGBA{150, 140, 125, 255}, color.NRGBA{40, 50, 70, 255}
	return style
}

// onPage is a page that shows shapes, 36 pixels to a half-cell.
func onPage(shapes []picture.Shape) *image.RGBA {
	m := picture.Image(shapes, 36)
	return framed(m, m.Rect.Size().Add(image.Pt(160, 160)), image.Pt(80, 80), color.RGBA{236, 236, 240, 255})
}

// TestHiddenEnds has an end behind a dot whose rim is as the ground is, and a start circle of
// which thick lines leave as much to see as of an end: neither is read otherwise.
func TestHiddenEnds(t *testing.T) {
	base := challengeLook(t)
	white, red := color.NRGBA{250, 250, 250, 255}, color.NRGBA{200, 30, 50, 255}
	corner := image.Pt(8, 0)
	ringed, thick := strangeStyle(base), strangeStyle(base)
	ringed.Ground, ringed.Around = white, white
	thick.Line, thick.Start, thick.Cap = 0.33, 0.8, 0.8
	for _, row := range []struct {
		why    string
		style  drawing.Style
		change func(p *witness.Panel)
		over   []picture.Shape
	}{
		{"an end behind a dot", ringed, func(p *witness.Panel) {
			p.At(corner).Dot.On = true
		}, []picture.Shape{discAt(corner, 1.9*ringed.Line, white), discAt(corner, 1.2*ringed.Line, red)}},
		{"a circle on a thick border", thick, func(p *witness.Panel) {
			p.At(image.Pt(3, 4)).Start, p.At(image.Pt(8, 6)).Start, p.At(image.Pt(0, 8)).Start = true, true, false
		}, nil},
	} {
		want := witness.New(4, 4, false)
		want.At(image.Pt(0, 8)).Start, want.At(corner).Cap = true, image.Pt(0, -1)
		want.At(image.Pt(1, 7)).Symbol = witness.Symbol{Kind: witness.Square, Colour: witness.Black}
		row.change(want)
		board := only(t, onPage(append(drawing.Shapes(want, nil, row.style), row.over...)), base)
		for _, of := range []*calibrations.Profile{base, look.Structure(base)} {
			got, err := Read(of, drawing.Known(), board)
			t.Logf("%s, loose %v: %v", row.why, of.Loose, err)
			if err == nil && witness.Differ(seen(want), seen(got)) != "" {
				t.Errorf("%s, loose %v: read wrong: %s", row.why, of.Loose, witness.Differ(seen(want), seen(got)))
			}
		}
	}
}

// TestOpenBorder reads boards on whose border edges are missing: the smaller of two parts passes
// for a board, and is not read as one.
func TestOpenBorder(t *testing.T) {
	base := challengeLook(t)
	for _, row := range []struct {
		why        string
		cols, rows int
		missing    []image.Point
	}{
		{"edges here and there", 4, 4, []image.Point{{3, 0}, {0, 5}, {8, 3}}},
		{"a corner", 4, 4, []image.Point{{1, 0}, {0, 1}}},
		{"two parts, of which the smaller passes for a board", 6, 2, []image.Point{{3, 0}, {3, 2}, {3, 4}, {6, 3}}},
	} {
		want := witness.New(row.cols, row.rows, false)
		want.At(image.Pt(0, 2*row.rows)).Start, want.At(image.Pt(2*row.cols, 0)).Cap = true, image.Pt(0, -1)
		want.At(image.Pt(1, 2*row.rows-1)).Symbol = witness.Symbol{Kind: witness.Square, Colour: witness.Black}
		for _, at := range row.missing {
			want.At(at).Gap = witness.Missing
		}
		for _, b := range located(t, onPage(drawing.Shapes(want, nil, strangeStyle(base))), base) {
			got, err := Read(look.Structure(base), drawing.Known(), b)
			if err != nil {
				t.Logf("%s: %v", row.why, err)
			} else if d := witness.Differ(seen(want), seen(got)); d != "" {
				t.Errorf("%s: read wrong: %s", row.why, d)
			}
		}
	}
}

// TestDrawnOnMostCells: what a clean picture shows along a side of some of its empty cells, as
// where a pillar drawn flat fades, is none of what is drawn on most of them.
func TestDrawnOnMostCells(t *testing.T) {
	profile := challengeLook(t)
	p := witness.New(5, 5, false)
	p.At(image.Pt(0, 10)).Start, p.At(image.Pt(10, 0)).Cap = true, image.Pt(0, -1)
	for _, row := range []struct {
		columns int // that show it
		drawn   bool
	}{{0, false}, {1, false}, {2, false}, {3, true}, {4, true}} {
		style := strangeStyle(profile)
		shapes := drawing.Shapes(p, nil, style)
		for cell := range p.Points() {
			if witness.IsCell(cell) && cell.X > 10-2*row.columns {
				x, y := float64(cell.X)+0.55, float64(cell.Y)
				shapes = append(shapes, picture.Shape{Kind: picture.Polygon, Points: picture.Box(x, y-0.6, x+0.1, y+0.6), Colour: style.Lines})
			}
		}
		board := only(t, onPage(shapes), profile)
		if board.Cols != 5 || board.Rows != 5 {
			t.Fatalf("%d columns: a board of %dx%d, want 5x5 cells", row.columns, board.Cols, board.Rows)
		}
		learned := *profile
		look.LearnGround(&learned, []look.Lesson{look.NewLesson(look.New(board, profile, drawing.Known()), p, "")})
		if drawn := learned.Learned.Drawn != nil; drawn != row.drawn {
			t.Errorf("in the cells of %d columns of five: drawn on most %v, want %v", row.columns, drawn, row.drawn)
		}
	}
}
