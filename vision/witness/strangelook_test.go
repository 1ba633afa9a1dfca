package witness

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"onlooker/calibrations"
	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/picture"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/bank"
	"onlooker/vision/witness/check"
	"onlooker/vision/witness/look"
	"onlooker/vision/witness/shape"
	"onlooker/vision/witness/unknown"
	"onlooker/vision/witness/view"
)

// TestStrangeLook reads boards whose lines, circles, breaks, caps and symbols have other
// sizes than the game's: by its sizes none may be read wrong, by their own places none
// either, and some that the first refuses must be read.
func TestStrangeLook(t *testing.T) {
	look := challengeLook(t)
	gained := 0
	for seed := range 6 {
		rng := rand.New(rand.NewPCG(uint64(seed), 13))
		want := mixedPanel(rng, 3+rng.IntN(2), 3)
		boards := located(t, onPage(drawing.Shapes(want, nil, strangeStyle(look))), look)
		if len(boards) != 1 {
			continue
		}
		r := NewReader(look)
		first, _, refused := r.single(boards[0])
		second, _, err := r.strange(boards[0])
		for _, got := range []*witness.Panel{first, second} {
			if got == nil {
				continue
			}
			if d := witness.Differ(seen(want), seen(got)); d != "" {
				t.Errorf("seed %d: read wrong: %s", seed, d)
			}
		}
		t.Logf("seed %d: first %v, second %v", seed, refused, err)
		if refused != nil && err == nil {
			gained++
		}
		boards[0].ScreenPitch = view.Tuned.LeastPitch - 1
		if _, _, err := r.strange(boards[0]); err == nil {
			t.Errorf("seed %d: read on cells of %.0f pixels, which nobody measured", seed, boards[0].ScreenPitch)
		}
	}
	if gained == 0 {
		t.Error("no board was read by its own places that the look's sizes refuse")
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
	look := challengeLook(t)
	white, red := color.NRGBA{250, 250, 250, 255}, color.NRGBA{200, 30, 50, 255}
	corner := image.Pt(8, 0)
	ringed, thick := strangeStyle(look), strangeStyle(look)
	ringed.Ground, ringed.Around = white, white
	thick.Line, thick.Start, thick.Cap = 0.33, 0.8, 0.8
	for _, row := range []struct {
		why    string
		style  drawing.Style
		change func(p *witness.Panel)
		over   []picture.Shape
		read   bool
	}{
		{"an end behind a dot", ringed, func(p *witness.Panel) {
			p.At(corner).Dot.On = true
		}, []picture.Shape{discAt(corner, 1.9*ringed.Line, white), discAt(corner, 1.2*ringed.Line, red)}, true},
		{"a circle on a thick border", thick, func(p *witness.Panel) {
			p.At(image.Pt(3, 4)).Start, p.At(image.Pt(8, 6)).Start, p.At(image.Pt(0, 8)).Start = true, true, false
		}, nil, false},
	} {
		want := witness.New(4, 4, false)
		want.At(image.Pt(0, 8)).Start, want.At(corner).Cap = true, image.Pt(0, -1)
		want.At(image.Pt(1, 7)).Symbol = witness.Symbol{Kind: witness.Square, Colour: witness.Black}
		row.change(want)
		board := only(t, onPage(append(drawing.Shapes(want, nil, row.style), row.over...)), look)
		r := NewReader(look)
		for name, of := range map[string]func(*vision.Board) (*witness.Panel, bool, error){"single": r.single, "strange": r.strange} {
			got, _, err := of(board)
			t.Logf("%s, %s: %v", row.why, name, err)
			if err == nil {
				if d := witness.Differ(seen(want), seen(got)); d != "" {
					t.Errorf("%s, %s: read wrong: %s", row.why, name, d)
				}
			} else if row.read && name == "strange" {
				t.Errorf("%s: not read: %v", row.why, err)
			}
		}
	}
}

// TestOpenBorder reads boards on whose border edges are missing: they are read where
// nothing of a larger one is to be seen beyond what was found.
func TestOpenBorder(t *testing.T) {
	look := challengeLook(t)
	for _, row := range []struct {
		why        string
		cols, rows int
		missing    []image.Point
		read       bool
	}{
		{"edges here and there", 4, 4, []image.Point{{3, 0}, {0, 5}, {8, 3}}, true},
		{"a corner", 4, 4, []image.Point{{1, 0}, {0, 1}}, true},
		{"two parts, of which the smaller passes for a board", 6, 2, []image.Point{{3, 0}, {3, 2}, {3, 4}, {6, 3}}, false},
	} {
		want := witness.New(row.cols, row.rows, false)
		want.At(image.Pt(0, 2*row.rows)).Start, want.At(image.Pt(2*row.cols, 0)).Cap = true, image.Pt(0, -1)
		want.At(image.Pt(1, 2*row.rows-1)).Symbol = witness.Symbol{Kind: witness.Square, Colour: witness.Black}
		for _, at := range row.missing {
			want.At(at).Gap = witness.Missing
		}
		read := false
		for _, b := range located(t, onPage(drawing.Shapes(want, nil, strangeStyle(look))), look) {
			got, _, err := NewReader(look).strange(b)
			if err != nil {
				t.Logf("%s: %v", row.why, err)
				continue
			}
			read = true
			if d := witness.Differ(seen(want), seen(got)); d != "" {
				t.Errorf("%s: read wrong: %s", row.why, d)
			}
		}
		if row.read && !read {
			t.Errorf("%s: not read", row.why)
		}
	}
}

// TestPieceGrids shows pieces whose squares touch, drawn as large as their spacing and
// larger, as outlines make them: three squares in a row, turned or not, are never more on
// a finer grid. Nor are squares that do not hang together others on a grid turned by 45
// degrees more, nor two that are outlined, and so as large as squares that are no pieces.
func TestPieceGrids(t *testing.T) {
	m := &look.Model{View: &view.View{Board: &vision.Board{ScreenPitch: 60}}}
	f := &unknown.Cells{View: m.View, Model: m}
	row, corners, pair := []image.Point{{}, {X: 1}, {X: 2}}, []image.Point{{}, {X: 2}, {X: 1, Y: 1}}, []image.Point{{}, {X: 1}}
	for _, degrees := range []float64{0, 15} {
		for _, drawn := range []struct {
			shape         []image.Point
			spacing, fill float64
		}{{row, 0.16, 0.85}, {row, 0.16, 1}, {row, 0.16, 1.15}, {corners, 0.16, 0.7}, {corners, 0.16, 0.85}, {pair, 0.185, 1.2}, {pair, 0.2, 1.15}} {
			area, spacing, fill := drawn.shape, drawn.spacing, drawn.fill
			t.Run(fmt.Sprintf("%.0f degrees, %v, %.2f apart, %.2f", degrees, area, spacing, fill), func(t *testing.T) {
				sin, cos := math.Sincos(degrees * math.Pi / 180)
				v := &look.Cell{Off: vision.NewMap(look.CellSide, look.CellSide), Strong: 1}
				for i := range v.Off.V {
					x, y := look.Offset(i%look.CellSide), look.Offset(i/look.CellSide)
					for _, q := range area {
						a, b := x*cos+y*sin-float64(q.X-1)*spacing, y*cos-x*sin-float64(q.Y)*spacing
						if max(math.Abs(a), math.Abs(b)) <= spacing*fill/2 {
							v.Off.V[i] = 1
						}
					}
				}
				v.Off = shape.BlurMap(v.Off, 0.8)
				v.Shown, v.Most = v.Off, v.Strong
				h := &unknown.Holding{View: v}
				if err := f.Proposals(h, 1, bank.Shapes()); err != nil {
					t.Fatal(err)
				}
				pieces := f.Gridded([]*unknown.Holding{h})
				if len(pieces) != 1 {
					t.Fatalf("no piece, most like %s", witness.SymbolName(h.Singles[0].Symbol))
				}
				if got := h.Found.Symbol; !slices.Equal(got.Shape, area) && h.Next >= view.Tuned.Evidence {
					t.Errorf("%s, evidence %.2f", witness.SymbolName(got), h.Next)
				}
			})
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

// TestNoCircle: without a start circle no end is like one.
func TestNoCircle(t *testing.T) {
	profile := challengeLook(t)
	p := witness.New(4, 4, false)
	p.At(image.Pt(0, 8)).Start, p.At(image.Pt(8, 0)).Cap = true, image.Pt(0, -1)
	board := only(t, onPage(drawing.Shapes(p, nil, strangeStyle(profile))), profile)
	p.At(image.Pt(0, 8)).Start = false
	m := look.New(board, profile, drawing.Known())
	if size := (&check.Checker{View: m.View, Model: m}).LeastStart(p); !math.IsInf(size, 1) || m.Lines.LikeCircle(image.Pt(8, 0), image.Pt(0, -1), size) {
		t.Errorf("an end like a circle of %.2f line widths, of which there is none", size)
	}
}
