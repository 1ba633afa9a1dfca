package witness

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"slices"
	"testing"

	"onlooker/calibrations"
	"onlooker/solve/solvetest"
	witness "onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	"onlooker/vision"
	"onlooker/vision/picture"
	"onlooker/vision/picture/made"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/look"
	"onlooker/vision/witness/pillar"
)

// A roundTheme is the colours of what is outside a pillar that is drawn flat, of its
// cells and of its lines, and of a hairline where the last line would be, if it has one.
type roundTheme struct{ outer, paper, ink, end color.RGBA }

// drawRound draws a pillar flat, a pitch of 80 pixels: the last column of cells
// shows left of the first column of lines, and both sides fade into the ground
// outside. line is the colour of the player's line along some edges.
func drawRound(p *witness.Panel, theme roundTheme, traced map[image.Point]bool) *image.RGBA {
	const half, margin, wide = 40, 100, 12
	outer, paper, ink := theme.outer, theme.paper, theme.ink
	line, dot := color.RGBA{250, 250, 250, 255}, color.RGBA{0, 0, 0, 255}
	w, h := 2*p.Cols*half+2*margin, 2*p.Rows*half+2*margin
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	disc := func(at image.Point, x, y, r float64) bool {
		return math.Hypot(x-float64(at.X*half), y-float64(at.Y*half)) < r
	}
	inked := func(at image.Point) color.RGBA {
		if traced[at] {
			return line
		}
		return ink
	}
	for py := range h {
		for px := range w {
			x, y := float64(px-margin), float64(py-margin)
			c := outer
			if x > -24 && x < float64(2*p.Cols*half)-wide && y > 0 && y < float64(2*p.Rows*half) {
				c = paper
			}
			near := image.Pt(int(math.Round(x/half)), int(math.Round(y/half)))
			for at := range p.Points() {
				if by := at.Sub(near); max(by.X, -by.X) > 1 || max(by.Y, -by.Y) > 1 || c == line {
					continue
				}
				dx, dy := math.Abs(x-float64(at.X*half)), math.Abs(y-float64(at.Y*half))
				q := p.At(at)
				switch {
				case witness.IsCell(at):
					continue
				case witness.IsEdge(at) && at.Y&1 == 0 && dx <= half && dy < wide, witness.IsEdge(at) && at.Y&1 == 1 && dy <= half && dx < wide:
					c = inked(at)
				case at.X == 0 && at.Y&1 == 0 && x < 0 && x > -24 && dy < wide: // the edge before it
					c = inked(image.Pt(2*p.Cols-1, at.Y))
				}
				if q.Start && disc(at, x, y, 24) || q.IsEnd() && q.Cap.Y < 0 && dx < wide && y < 0 && y > -36 {
					c = inked(at)
				}
			}
			for at := range p.Points() {
				if p.At(at).Dot.On && disc(at, x, y, 10) {
					c = dot
				}
			}
			// 24 pixels and more before the first column nothing is left, nor at the last.
			by := max((12-x)/36, 1-(float64(2*p.Cols*half)-x)/30)
			by = max(0, min(1, by))
			mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a)*(1-by) + float64(b)*by)) }
			m.SetRGBA(px, py, color.RGBA{mix(c.R, outer.R), mix(c.G, outer.G), mix(c.B, outer.B), 255})
			if theme.end.A != 0 && px == margin+2*p.Cols*half && y > 0 && y < float64(2*p.Rows*half) {
				m.SetRGBA(px, py, theme.end)
			}
		}
	}
	return m
}

// TestDrawnRound: a pillar that is drawn flat, with what is hardest on its first
// column, is read as one, and its line is seen across the seam. In the dark theme
// nothing is seen where its last line has faded, but for those that lead to it.
func TestDrawnRound(t *testing.T) {
	light := roundTheme{color.RGBA{18, 52, 48, 255}, color.RGBA{0, 170, 136, 255}, color.RGBA{51, 68, 68, 255}, color.RGBA{}}
	dark := roundTheme{color.RGBA{10, 10, 5, 255}, color.RGBA{34, 34, 17, 255}, color.RGBA{119, 85, 17, 255}, color.RGBA{}}
	// A page that a browser draws at two thirds of its size.
	smaller := light
	smaller.end = color.RGBA{11, 94, 80, 255}
	want := witness.New(5, 3, true)
	for _, at := range []image.Point{{X: 0, Y: 6}, {X: 4, Y: 6}} {
		want.At(at).Start = true
	}
	for _, at := range []image.Point{{X: 8, Y: 0}, {X: 2, Y: 0}} {
		want.At(at).Cap = image.Pt(0, -1)
	}
	for _, at := range []image.Point{{X: 0, Y: 2}, {X: 9, Y: 2}, {X: 5, Y: 2}, {X: 0, Y: 3}} {
		want.At(at).Dot = witness.Dot{On: true, Colour: "#000000"}
	}
	want.Symmetry = witness.SymmetryOf(want)
	path := map[image.Point]bool{}
	for _, at := range []image.Point{{X: 0, Y: 6}, {X: 0, Y: 5}, {X: 0, Y: 4}, {X: 9, Y: 4}, {X: 8, Y: 4}, {X: 8, Y: 3}, {X: 8, Y: 2}, {X: 8, Y: 1}, {X: 8, Y: 0}} {
		path[at] = true
	}
	for _, row := range []struct {
		why, look string
		theme     roundTheme
		traced    map[image.Point]bool
	}{
		{"bare", "witness-challenge", light, nil},
		{"solved", "witness-challenge", light, path},
		{"bare and dark", "witnesspuzzles", dark, nil},
		{"bare, in a look that knows its lines", "witnesspuzzles", light, nil},
		{"with a hairline", "witnesspuzzles", smaller, nil},
	} {
		t.Run(row.why, func(t *testing.T) {
			profile := solvetest.Must(calibrations.Load(row.look))(t)
			if profile.Learned.Divides == nil {
				profile.Learned.Divides = map[string]calibrations.Range{look.DivideStart: look.UsualDivide(look.DivideStart)}
			}
			board := only(t, drawRound(want, row.theme, row.traced), profile)
			got := solvetest.Must(readPanel(t, profile, board))(t)
			if row.traced == nil {
				if d := witness.Differ(want, got); d != "" {
					t.Fatalf("read otherwise than drawn: %s", d)
				}
			}
			if board.Solved != (row.traced != nil) {
				t.Fatalf("solved is %t, want %t", board.Solved, row.traced != nil)
			}
		})
	}
}

// TestUnrollFlat: no board that ends at both sides is taken for one that goes round.
func TestUnrollFlat(t *testing.T) {
	look := challengeLook(t)
	for seed := range uint64(12) {
		boards := located(t, randomScene(t, look, seed).frame, look)
		for _, b := range boards {
			if _, round := pillar.Unroll(b); round {
				t.Errorf("seed %d: a board of %dx%d cells is taken for one that goes round", seed, b.Cols, b.Rows)
			}
		}
	}
}

// A screen that is not flat, or the lens before it, bends a board's lines: its
// middle is larger than its corners. The board is read, and its nodes are where
// they are seen.
func TestBentScreens(t *testing.T) {
	profile := challengeLook(t)
	panel := made.Panel(4, 3, false, witness.NoSymmetry, made.Starts(image.Pt(0, 6)), made.End(8, 0, 1, 0),
		made.Gap(witness.Broken, image.Pt(3, 2), image.Pt(8, 5)), made.Gap(witness.Missing, image.Pt(0, 1), image.Pt(1, 0)),
		made.Dot(witness.Dot{}, image.Pt(8, 6), image.Pt(4, 2)),
		made.Symbol(witness.Symbol{Kind: witness.Square, Colour: witness.White}, image.Pt(1, 5), image.Pt(7, 1)),
		made.Symbol(witness.Symbol{Kind: witness.Square, Colour: witness.Black}, image.Pt(3, 3)))
	flat := onWall(panel, profile)
	b := boardIn(t, flat, profile)
	middle := b.ScreenPoint(4, 3)
	for _, much := range []float64{-0.06, 0, 0.03, 0.08} {
		// How far from the middle of the flat frame is what comes to a distance from it,
		// in units of the way to the corners.
		corner := math.Hypot(b.Quad[0].X-middle.X, b.Quad[0].Y-middle.Y)
		from := func(p vision.Point) vision.Point {
			x, y := p.X-middle.X, p.Y-middle.Y
			k := 1 + much*(x*x+y*y)/(corner*corner)
			return vision.Point{X: middle.X + k*x, Y: middle.Y + k*y}
		}
		bent := image.NewRGBA(flat.Rect)
		for y := range bent.Rect.Dy() {
			for x := range bent.Rect.Dx() {
				p := from(vision.Point{X: float64(x), Y: float64(y)})
				c := vision.At(flat, p.X, p.Y)
				copy(bent.Pix[y*bent.Stride+4*x:], []uint8{uint8(c[0]), uint8(c[1]), uint8(c[2]), 255})
			}
		}
		seen := boardIn(t, bent, profile)
		if seen == nil {
			t.Fatalf("bent by %.2f: not found", much)
		}
		got, err := readPanel(t, profile, seen)
		if err != nil {
			t.Errorf("bent by %.2f: %v", much, err)
		} else if d := witness.Differ(panel, got); d != "" {
			t.Errorf("bent by %.2f: %s", much, d)
		}
		for y := 0; y <= 6; y += 2 {
			for x := 0; x <= 8; x += 2 {
				if x+y == 0 {
					continue // no line leads there
				}
				p, want := from(seen.ScreenPoint(float64(x), float64(y))), b.ScreenPoint(float64(x), float64(y))
				// 0.02 of the pitch: a line is ten times as wide.
				if off := math.Hypot(p.X-want.X, p.Y-want.Y); off > 0.02*b.ScreenPitch {
					t.Errorf("bent by %.2f: the node (%d,%d) is %.1f pixels off its place", much, x, y, off)
				}
			}
		}
	}
}

// A line that is drawn already may be lighter than the cells where the lines are
// darker, and the other way about: the panel is read, and known to be solved.
func TestDrawnLines(t *testing.T) {
	profile := challengeLook(t)
	panel := made.Panel(4, 3, false, witness.NoSymmetry, made.Starts(image.Pt(0, 6)), made.End(8, 0, 1, 0),
		made.Gap(witness.Broken, image.Pt(3, 2)), made.Gap(witness.Missing, image.Pt(8, 5)),
		made.Symbol(witness.Symbol{Kind: witness.Square, Colour: witness.White}, image.Pt(1, 5), image.Pt(7, 1)),
		made.Symbol(witness.Symbol{Kind: witness.Square, Colour: witness.Yellow}, image.Pt(3, 3)))
	answer := made.Stroke(0, 6, 0, 4, 2, 4, 2, 2, 2, 0, 4, 0, 4, 2, 6, 2, 6, 0, 8, 0, 9, 0)
	for name, paint := range map[string]func(*drawing.Style){
		"lighter than the cells": func(s *drawing.Style) { s.Trace = made.RGB(120, 255, 200) },
		"of another hue":         func(s *drawing.Style) { s.Trace = made.RGB(255, 180, 30) },
		"darker than the cells":  func(s *drawing.Style) { s.Lines, s.Trace = made.RGB(140, 230, 190), made.RGB(0, 40, 60) },
		"as the lines, brighter": func(s *drawing.Style) {
			s.Ground, s.Lines, s.Trace = made.RGB(10, 8, 4), made.RGB(110, 90, 40), made.RGB(240, 160, 20)
		},
	} {
		style := drawing.Typical(profile)
		style.Around = made.RGB(70, 66, 60)
		paint(&style)
		for _, drawn := range []bool{false, true} {
			shapes := drawing.Shapes(panel, nil, style)
			if drawn {
				// The game's is as wide as the panel's own lines, Draw's narrower.
				wide := style
				wide.Line /= 0.8
				shapes = append(shapes, slices.DeleteFunc(drawing.Shapes(panel, answer, wide), func(s picture.Shape) bool { return s.Line != picture.Answer })...)
			}
			m := picture.Image(shapes, 40)
			b := boardIn(t, m, profile)
			if b == nil {
				t.Errorf("%s, drawn %v: not found", name, drawn)
				continue
			}
			got, err := readPanel(t, profile, b)
			switch {
			case err != nil:
				t.Errorf("%s, drawn %v: %v", name, drawn, err)
			case witness.Differ(panel, got) != "":
				t.Errorf("%s, drawn %v: %s", name, drawn, witness.Differ(panel, got))
			case b.Solved != drawn:
				t.Errorf("%s: solved %v, want %v", name, b.Solved, drawn)
			}
		}
	}
}

// TestBegunLine: a line that is drawn a part of the way on a board whose look is not known puts
// no dots on it.
func TestBegunLine(t *testing.T) {
	profile := challengeLook(t)
	red := made.Symbol(witness.Symbol{Kind: witness.Square, Colour: "red"}, image.Pt(1, 7), image.Pt(3, 7), image.Pt(11, 5), image.Pt(1, 9))
	panel := made.Panel(7, 5, false, witness.NoSymmetry, made.Starts(image.Pt(0, 10)), made.End(14, 0, 0, -1), red,
		made.Symbol(witness.Symbol{Kind: witness.Square, Colour: "green"}, image.Pt(3, 9), image.Pt(7, 9)),
		made.Symbol(witness.Symbol{Kind: witness.Square, Colour: "blue"}, image.Pt(11, 7)))
	way := []int{0, 10, 0, 8, 0, 6, 2, 6, 4, 6, 6, 6, 8, 6, 10, 6, 10, 4, 10, 2}
	style := drawing.Typical(profile)
	style.Around, style.Ground, style.Lines, style.Trace = made.RGB(17, 51, 47), made.RGB(0, 170, 136), made.RGB(51, 68, 68), made.RGB(170, 170, 170)
	style.Line, style.Start, style.Cap = 0.29, 1, 1.45
	for n := 4; n <= len(way); n += 2 {
		wide := style
		wide.Line /= 0.8
		shapes := append(drawing.Shapes(panel, nil, style), slices.DeleteFunc(drawing.Shapes(panel, made.Stroke(way[:n]...), wide), func(s picture.Shape) bool { return s.Line != picture.Answer })...)
		if got, err := readPanel(t, profile, boardIn(t, picture.Image(shapes, 74), profile)); err == nil && witness.Differ(panel, got) != "" {
			t.Errorf("a line of %d edges: WRONG: %s", n/2-1, witness.Differ(panel, got))
		}
	}
}

// TestNothingRoundTheBoard: squares on a page, as a logo shows them, are no panel: the gaps between
// them pass for lines, and nothing tells where outer lines would end.
func TestNothingRoundTheBoard(t *testing.T) {
	profile := look.Structure(challengeLook(t))
	frame := image.NewRGBA(image.Rect(0, 0, 1024, 500))
	draw.Draw(frame, frame.Rect, image.White, image.Point{}, draw.Src)
	within := func(v, from, to float64) float64 { return max(0, min(v+1, to)-max(v, from)) } // of a pixel
	sides := [2][2]float64{{0, 87.36}, {103.2, 192}}
	for k, c := range [][3]float64{{14, 165, 233}, {132, 204, 22}, {249, 115, 22}, {168, 85, 247}} {
		frame = over(frame, c, func(x, y float64) float64 {
			h, v := sides[k%2], sides[k/2]
			return within(x-416, h[0], h[1]) * within(y-110, v[0], v[1])
		})
	}
	for _, b := range located(t, frame, profile) {
		if b.Cols != 2 || b.Rows != 2 {
			continue
		}
		if p, err := Read(profile, drawing.Known(), b); err == nil {
			t.Errorf("read as %v", forms.String(p))
		}
		return
	}
	t.Fatal("no board of 2×2 cells located")
}
