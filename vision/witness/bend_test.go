package witness

import (
	"image"
	"image/draw"
	"math"
	"slices"
	"testing"

	witness "onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	"onlooker/vision"
	"onlooker/vision/picture"
	"onlooker/vision/picture/made"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/look"
)

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
