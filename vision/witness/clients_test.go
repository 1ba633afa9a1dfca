package witness

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"onlooker/calibrations"
	"onlooker/solve/solvetest"
	witness "onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	"onlooker/solve/witness/witnesstest"
	"onlooker/vision"
	"onlooker/vision/locate"
	"onlooker/vision/picture"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/learned"
	"onlooker/vision/witness/look"
)

// themed is a panel drawn by a profile's numbers in given colours.
func themed(p *witness.Panel, look *calibrations.Profile, ground, lines, dot color.NRGBA, pitch float64) image.Image {
	style := drawing.Typical(look)
	b := &look.Board // the middles of what it allows
	style.Line, style.Gap, style.Start, style.Cap = (b.Line[0]+b.Line[1])/2, (b.Gap[0]+b.Gap[1])/2, (b.Start[0]+b.Start[1])/2, (b.Cap[0]+b.Cap[1])/2
	style.Ground, style.Lines, style.Dot = ground, lines, dot
	style.Trace, style.Second = color.NRGBA{136, 255, 255, 255}, color.NRGBA{255, 255, 34, 255}
	m := picture.Image(drawing.Shapes(p, nil, style), pitch/2)
	return framed(m, m.Rect.Size().Add(image.Pt(200, 160)), image.Pt(100, 80), color.RGBA{250, 250, 250, 255})
}

// TestWitnesspuzzlesLook reads panels in the look that comes along for
// witnesspuzzles.com, drawn by its numbers in the colours of both its themes: what is
// read must be right, and nine of ten must be read.
func TestWitnesspuzzlesLook(t *testing.T) {
	look := solvetest.Must(calibrations.Load("witnesspuzzles"))(t)
	rgb := func(r, g, b uint8) color.NRGBA { return color.NRGBA{r, g, b, 255} }
	read, all := 0, 0
	for seed := range 12 {
		rng := rand.New(rand.NewPCG(uint64(seed), 5))
		want := mixedPanel(rng, 3+rng.IntN(3), 2+rng.IntN(4))
		ground, lines := rgb(0, 170, 136), rgb(51, 68, 68)
		if seed&1 == 1 {
			ground, lines = rgb(34, 34, 17), rgb(119, 85, 17)
		}
		frame := themed(want, look, ground, lines, rgb(0, 0, 0), 44+20*rng.Float64())
		boards := located(t, frame, look)
		all++
		if len(boards) != 1 {
			t.Logf("seed %d: %d boards found, want 1", seed, len(boards))
			continue
		}
		got, err := readPanel(t, look, boards[0])
		if err != nil {
			t.Logf("seed %d: %v", seed, err)
			continue
		}
		read++
		solvetest.Same(t, witness.Differ(seen(want), seen(got)), "", "seed %d", seed)
	}
	if 10*read < 9*all {
		t.Errorf("%d of %d boards read, want nine of ten", read, all)
	}
}

// A theme is the colours of a client's panels: of the cells, of what is outside of
// them and where edges are missing, and of the lines.
type theme struct{ cells, outside, lines color.NRGBA }

// themes are the light and the night theme of witnesspuzzles.com.
var themes = [...]theme{
	{color.NRGBA{0, 170, 136, 255}, color.NRGBA{17, 56, 51, 255}, color.NRGBA{51, 68, 68, 255}},
	{color.NRGBA{34, 34, 17, 255}, color.NRGBA{7, 7, 4, 255}, color.NRGBA{119, 85, 17, 255}},
}

// onPage is a panel in a look's own numbers, as a browser of 1920×1080 pixels shows it:
// its corner at a place, its cells on a ground of their own.
func (t theme) onPage(p *witness.Panel, look *calibrations.Profile, pitch float64, corner image.Point) image.Image {
	style := drawing.Typical(look)
	b := &look.Board
	style.Line, style.Gap, style.Start, style.Cap = (b.Line[0]+b.Line[1])/2, (b.Gap[0]+b.Gap[1])/2, (b.Start[0]+b.Start[1])/2, (b.Cap[0]+b.Cap[1])/2
	style.Ground, style.Lines, style.Around, style.Dot = t.outside, t.lines, color.NRGBA{A: 255}, color.NRGBA{A: 255}
	var shapes []picture.Shape
	for _, s := range drawing.Shapes(p, nil, style) {
		if shapes = append(shapes, s); s.Colour != t.outside {
			continue
		}
		for at := range p.Points() {
			missing := 0
			for _, d := range []image.Point{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}} {
				if e := p.At(at.Add(d)); e != nil && e.Gap == witness.Missing {
					missing++
				}
			}
			if witness.IsCell(at) && missing < 2 {
				x, y := float64(at.X), float64(at.Y)
				shapes = append(shapes, picture.Shape{Kind: picture.Polygon, Colour: t.cells, Points: picture.Box(x-1, y-1, x+1, y+1)})
			}
		}
	}
	m := picture.Image(shapes, pitch/2)
	return framed(m, image.Pt(1920, 1080), corner, color.RGBA{255, 255, 255, 255})
}

// readOnPage reads the one board of a client's page.
func readOnPage(t *testing.T, look *calibrations.Profile, frame image.Image, want *witness.Panel, what string) {
	t.Helper()
	boards, err := locate.Boards(frame, look.Board)
	if err != nil || len(boards) != 1 {
		t.Errorf("%s: %d boards, %v; want one", what, len(boards), err)
		return
	}
	if got, err := readPanel(t, look, boards[0]); err != nil {
		t.Errorf("%s: %v", what, err)
	} else if wrong := witness.Differ(seen(want), seen(got)); wrong != "" {
		t.Errorf("%s: %s", what, wrong)
	}
}

// TestSmallOnPage reads boards of few cells at half the client's size: of the reduced
// picture, in which they are looked for, their lines are six pixels wide, and one more or
// less is a sixth of that. Outside of them the light theme is nearly like the lines.
func TestSmallOnPage(t *testing.T) {
	look := solvetest.Must(calibrations.Load("witnesspuzzles"))(t)
	for _, size := range [][2]int{{1, 2}, {2, 1}, {1, 3}, {2, 2}, {2, 3}} {
		for k, th := range themes {
			for _, first := range []image.Point{{330, 172}, {331, 173}, {330, 173}} {
				p := witness.New(size[0], size[1], false)
				right := image.Pt(2*size[0], 0)
				p.At(image.Pt(0, 2*size[1])).Start, p.At(right).Cap = true, image.Pt(1, 0)
				p.At(image.Pt(1, 2*size[1]-1)).Symbol = witness.Symbol{Kind: witness.Star, Colour: witness.White}
				readOnPage(t, look, th.onPage(p, look, 41, first), p, fmt.Sprintf("%dx%d cells in theme %d from %v on", size[0], size[1], k, first))
			}
		}
	}
}

// TestCrowdedOnPage reads what leaves little of a board's usual ground: the largest
// piece between four start circles, and start circles on most nodes of the border.
func TestCrowdedOnPage(t *testing.T) {
	look := solvetest.Must(calibrations.Load("witnesspuzzles"))(t)
	large := witness.New(3, 3, false)
	large.At(image.Pt(6, 0)).Cap = image.Pt(1, 0)
	var shape []image.Point
	for i := range 16 {
		shape = append(shape, image.Pt(i%4, i/4))
	}
	large.At(image.Pt(3, 3)).Symbol = witness.Symbol{Kind: witness.Polyomino, Colour: witness.Yellow, Shape: shape}
	for _, at := range []image.Point{{2, 2}, {4, 2}, {2, 4}, {4, 4}} {
		large.At(at).Start = true
	}
	circles := witness.New(2, 2, false)
	circles.At(image.Pt(4, 0)).Cap = image.Pt(1, 0)
	circles.At(image.Pt(1, 3)).Symbol = witness.Symbol{Kind: witness.Triangle, Colour: witness.Orange, Count: 2}
	for _, at := range []image.Point{{0, 0}, {2, 0}, {0, 2}, {4, 2}, {0, 4}, {2, 2}, {4, 4}} {
		circles.At(at).Start = true
	}
	corner := witness.New(5, 5, false) // without the lines of four cells
	corner.At(image.Pt(0, 10)).Start, corner.At(image.Pt(6, 0)).Cap = true, image.Pt(1, 0)
	for _, at := range []image.Point{{7, 0}, {9, 0}, {8, 1}, {10, 1}, {7, 2}, {9, 2}, {8, 3}, {10, 3}} {
		corner.At(at).Gap = witness.Missing
	}
	for k, th := range themes {
		for _, pitch := range []float64{41, 61.5, 82} {
			for name, p := range map[string]*witness.Panel{"the largest piece": large, "circles": circles, "a corner left out": corner} {
				readOnPage(t, look, th.onPage(p, look, pitch, image.Pt(330, 172)), p, fmt.Sprintf("%s in theme %d, pitch %g", name, k, pitch))
			}
		}
	}
}

// TestDotIsNoBreak: dots on the border that are as black as what is outside are no
// breaks, also where nothing is known of the look.
func TestDotIsNoBreak(t *testing.T) {
	profile := solvetest.Must(calibrations.Load("witnesspuzzles"))(t)
	p := witnesstest.Corners(3, 3, image.Pt(1, 0))
	p.At(image.Pt(1, 5)).Symbol = witness.Symbol{Kind: witness.Eraser, Colour: witness.White}
	for _, at := range []image.Point{{0, 3}, {3, 0}, {3, 6}, {6, 3}} {
		p.At(at).Dot.On = true
	}
	alone := look.Structure(challengeLook(t))
	for _, pitch := range []float64{41, 61.5, 82} {
		board := only(t, themes[1].onPage(p, profile, pitch, image.Pt(330, 172)), alone)
		if got, err := readPanel(t, alone, board); err == nil {
			solvetest.Same(t, witness.Differ(seen(p), seen(got)), "", "pitch %g", pitch)
		}
	}
}

// TestHalfOpen: a board whose upper part lies under a door that slides open is none of
// fewer rows, each of whose lines has a cap, whatever colour the door has.
func TestHalfOpen(t *testing.T) {
	look := solvetest.Must(calibrations.Load("witnesspuzzles"))(t)
	p := witnesstest.Corners(4, 4, image.Pt(0, -1))
	p.At(image.Pt(4, 1)).Gap = witness.Broken
	p.At(image.Pt(1, 7)).Symbol = witness.Symbol{Kind: witness.Star, Colour: witness.White}
	for k, th := range themes {
		for _, shut := range []float64{0.3, 0.45, 0.6} { // of the first row
			for _, door := range []color.NRGBA{th.cells, th.lines} {
				frame := th.onPage(p, look, 82, image.Pt(330, 172)).(*image.RGBA)
				whole, err := locate.Boards(frame, look.Board)
				if err != nil || len(whole) != 1 {
					t.Fatalf("%d boards, %v", len(whole), err)
				}
				draw.Draw(frame, image.Rect(200, 0, 900, int(whole[0].ScreenPoint(0, 2*shut).Y)), image.NewUniform(door), image.Point{}, draw.Src)
				boards := located(t, frame, look)
				for _, b := range boards {
					if got, err := readPanel(t, look, b); err == nil {
						t.Errorf("theme %d, %g of the first row shut, door %v: it is read as %dx%d cells %v %v", k, shut, door, got.Cols, got.Rows, forms.String(got), b.Quad)
					}
				}
			}
		}
	}
}

// TestCutOff: a board that goes on beyond what is seen of it, as at a window's border,
// is told from one that is seen whole, and is not read.
func TestCutOff(t *testing.T) {
	look := solvetest.Must(calibrations.Load("witnesspuzzles"))(t)
	p := witnesstest.Corners(4, 4, image.Pt(0, -1))
	p.At(image.Pt(3, 4)).Gap, p.At(image.Pt(2, 7)).Gap = witness.Broken, witness.Broken
	whole := themed(p, look, color.NRGBA{0, 170, 136, 255}, color.NRGBA{51, 68, 68, 255}, color.NRGBA{A: 255}, 70)
	boards, err := locate.Boards(whole, look.Board)
	if err != nil || len(boards) != 1 || boards[0].Cut != [4]bool{} {
		t.Fatalf("%d boards, %v; want the whole one, and nothing cut off", len(boards), err)
	}
	row := func(y float64) int { return int(boards[0].ScreenPoint(0, y).Y) }
	for _, seen := range []struct {
		why  string
		rows [2]int // of the frame's, what is seen
		cut  [4]bool
	}{
		{"the last row's middle is the window's border", [2]int{0, row(7)}, [4]bool{3: true}},
		{"a third of the first row is seen", [2]int{row(1.4), 1 << 20}, [4]bool{2: true}},
		{"both", [2]int{row(1.2), row(6.7)}, [4]bool{2: true, 3: true}},
	} {
		frame := image.NewRGBA(whole.Bounds())
		draw.Draw(frame, frame.Rect, image.NewUniform(color.RGBA{250, 250, 250, 255}), image.Point{}, draw.Src)
		part := frame.Rect.Intersect(image.Rect(0, seen.rows[0], frame.Rect.Max.X, seen.rows[1]))
		draw.Draw(frame, part, whole, part.Min, draw.Src)
		boards, err := locate.Boards(frame, look.Board)
		if err != nil || len(boards) != 1 || boards[0].Cut != seen.cut {
			t.Errorf("%s: %d boards, %v, cut off %v; want one, cut off %v", seen.why, len(boards), err, boards[0].Cut, seen.cut)
			continue
		}
		if _, err := readPanel(t, look, boards[0]); err == nil {
			t.Errorf("%s: it is read, want unsure", seen.why)
		}
	}
}

// TestSecondGround: cells that are drawn on another ground than most, as where edges
// that are missing let in what is outside, have lines round them like all, and such a
// ground makes no start circles of the lines.
func TestSecondGround(t *testing.T) {
	look := solvetest.Must(calibrations.Load("witnesspuzzles"))(t)
	p := witnesstest.Corners(4, 4, image.Pt(0, -1))
	for _, cells := range [][]float64{{1, 3, 5, 7}, {3, 5}} { // of the last row, by column
		frame := themed(p, look, color.NRGBA{18, 56, 50, 255}, color.NRGBA{51, 68, 68, 255}, color.NRGBA{A: 255}, 70).(*image.RGBA)
		before, err := locate.Boards(frame, look.Board)
		if err != nil || len(before) != 1 {
			t.Fatalf("%d boards, %v", len(before), err)
		}
		b, in := before[0], 1-before[0].Line
		for _, x := range cells {
			low, high := b.ScreenPoint(x-in, 7-in), b.ScreenPoint(x+in, 7+in)
			cell := image.Rect(int(low.X+0.5), int(low.Y+0.5), int(high.X+0.5), int(high.Y+0.5))
			draw.Draw(frame, cell, image.NewUniform(color.RGBA{0, 170, 136, 255}), image.Point{}, draw.Src)
		}
		after, err := locate.Boards(frame, look.Board)
		if err != nil || len(after) != 1 || after[0].Cols != 4 || after[0].Rows != 4 {
			t.Fatalf("cells %v: %d boards, %v; want the one of 4x4 cells", cells, len(after), err)
		}
		got, err := readPanel(t, look, after[0])
		if err != nil {
			t.Errorf("cells %v: %v", cells, err)
		} else if wrong := witness.Differ(seen(p), seen(got)); wrong != "" {
			t.Errorf("cells %v: %s", cells, wrong)
		}
	}
}

// TestCoveredCell: what a circle covers is unsure.
func TestCoveredCell(t *testing.T) {
	profile := solvetest.Must(calibrations.Load("witnesspuzzles"))(t)
	p := witnesstest.Corners(3, 3, image.Pt(0, -1))
	board := only(t, themed(p, profile, color.NRGBA{0, 170, 136, 255}, color.NRGBA{51, 68, 68, 255}, color.NRGBA{A: 255}, 70), profile)
	m := look.New(board, profile, drawing.Known())
	for _, c := range []struct {
		radius float64 // line widths
		unsure bool
	}{{0, false}, {8, true}} {
		m.Lines.Radius[image.Pt(0, 6)] = c.radius
		found, _, err := learned.NewReader(m).Symbol(image.Pt(1, 5))
		if found != nil || errors.As(err, new(*vision.UnsureError)) != c.unsure {
			t.Errorf("beside a circle of %g line widths: found %v, %v; want nothing found, and unsure %v", c.radius, found != nil, err, c.unsure)
		}
	}
}

// TestLinesThatGoOn: a capture that is cut off, between two rows or so near to a line that nobody
// sees whether it is the last, is no smaller board, nor one with an end at each of its columns.
func TestLinesThatGoOn(t *testing.T) {
	dir, _ := solvetest.Captures(t)
	look := challengeLook(t)
	for _, row := range []struct {
		name string
		left image.Rectangle // of the boards that are cut
	}{
		{"wall-squares-07.png", image.Rect(0, 433, 1920, 1080)},
		{"triple-two-colours-01.png", image.Rect(0, 449, 1920, 1080)},
		{"column-stars-05.png", image.Rect(0, 608, 1920, 1080)},
		{"triple-two-colours-05.png", image.Rect(0, 522, 1920, 1080)},
		{"triple-two-colours-03.png", image.Rect(700, 0, 964, 1080)},
		{"triple-three-colours-03.png", image.Rect(0, 0, 877, 1080)},
		{"double-door-19.png", image.Rect(0, 0, 579, 1080)},
		{"pedestal-09.png", image.Rect(0, 133, 700, 350)},
	} {
		m := vision.AsRGBA(solvetest.Picture(t, filepath.Join(dir, row.name)))
		boards := solvetest.Must(locate.Boards(vision.AsRGBA(m.SubImage(row.left)), look.Board))(t)
		for _, b := range boards {
			if p, err := readPanel(t, look, b); err == nil {
				t.Errorf("of %s %v is left: a panel of %d×%d is read, want it cut", row.name, row.left, p.Cols, p.Rows)
			}
		}
	}
}
