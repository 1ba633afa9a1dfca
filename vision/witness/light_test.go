package witness

import (
	"errors"
	"image"
	"image/color"
	"math"
	"slices"
	"testing"

	"onlooker/calibrations"
	"onlooker/solve/solvetest"
	witness "onlooker/solve/witness/board"
	"onlooker/solve/witness/witnesstest"
	"onlooker/vision"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/cell"
	"onlooker/vision/witness/colour"
	"onlooker/vision/witness/pointer"
	"onlooker/vision/witness/view"
)

// stars is a panel with four stars of a colour, drawn before a wall in a style, 48
// pixels a cell, and the board found there.
func stars(t *testing.T, profile *calibrations.Profile, style drawing.Style, colour witness.Colour) (*witness.Panel, *image.RGBA, *vision.Board) {
	t.Helper()
	panel := witnesstest.Corners(4, 4, image.Pt(1, -1))
	panel.At(image.Pt(3, 2)).Gap = witness.Broken
	for _, at := range []image.Point{{X: 1, Y: 1}, {X: 5, Y: 3}, {X: 3, Y: 7}, {X: 7, Y: 7}} {
		panel.At(at).Symbol = witness.Symbol{Kind: witness.Star, Colour: colour}
	}
	frame := styled(panel, style)
	b := boardIn(t, frame, profile)
	if b == nil {
		t.Fatal("no board found")
	}
	return panel, frame, b
}

// TestLightOnACell: what shines on an empty cell and has no border is no symbol.
func TestLightOnACell(t *testing.T) {
	profile := challengeLook(t)
	panel, frame, b := stars(t, profile, drawing.Typical(profile), "magenta")
	c := b.ScreenPoint(3, 5)
	r := NewReader(profile)
	solvetest.OK(t, r.Add(boardIn(t, over(frame, [3]float64{255, 255, 255}, func(x, y float64) float64 {
		r := math.Hypot(x-c.X, y-c.Y) / (0.35 * b.ScreenPitch)
		return 0.16 * math.Exp(-r*r/2)
	}), profile)))
	got := solvetest.Must(r.Panel())(t)
	if wrong := witness.Differ(panel, got); wrong != "" {
		t.Error(wrong)
	}
}

// TestReflections: a streak is a reflection with what is round it; what is too bright
// by four pixels, or in more than a third of a cell, is not.
func TestReflections(t *testing.T) {
	const n = 40
	const pitch = 25 // pixels of the frame: each is two of the stain
	st := &cell.Stain{N: n, Scale: 50}
	for _, row := range []struct {
		why         string
		bright      image.Rectangle
		from, to, y int // columns of this row that are covered
	}{
		{"a streak", image.Rect(10, 18, 30, 22), 7, 33, 20},
		{"above it", image.Rect(10, 18, 30, 22), 7, 33, 15},
		{"further above", image.Rect(10, 18, 30, 22), 0, 0, 14},
		{"the middle of an outline", image.Rect(18, 18, 22, 22), 0, 0, 20},
		{"most of the cell", image.Rect(4, 4, 36, 36), 0, 0, 20},
	} {
		bright := make([]bool, n*n)
		for k := range bright {
			bright[k] = image.Pt(k%n, k/n).In(row.bright)
		}
		glare := st.Reflections(bright, pitch)
		for x := range n {
			covered := glare != nil && glare[row.y*n+x]
			if want := x >= row.from && x < row.to; covered != want {
				t.Errorf("%s: column %d of row %d covered %v, want %v", row.why, x, row.y, covered, want)
				break
			}
		}
	}
}

// TestReflectionBesideASymbol: a reflection takes no part in what a symbol is told by.
func TestReflectionBesideASymbol(t *testing.T) {
	profile := challengeLook(t)
	style := drawing.Typical(profile)
	style.Ground, style.Lines = color.NRGBA{75, 75, 75, 255}, color.NRGBA{15, 15, 15, 255}
	_, frame, b := stars(t, profile, style, "#00b400")
	place := image.Pt(5, 3)
	c := b.ScreenPoint(float64(place.X), float64(place.Y))
	streak := over(frame, [3]float64{255, 255, 255}, func(x, y float64) float64 {
		p := frame.RGBAAt(int(x), int(y))
		if p.G > p.R+40 || math.Max(math.Abs(x-c.X), math.Abs(y-c.Y)) > 0.27*b.ScreenPitch {
			return 0 // it lies on the cell, not on the star nor where the colour of the cell is taken from
		}
		return 0.4 * max(0, min(1, 2.5-math.Abs((x-c.X)+(y-c.Y))/math.Sqrt2))
	})
	s := NewReader(profile).game(pointer.Cleared(boardIn(t, streak, profile), profile, drawing.Known()))
	st, err := s.Stains.Stain(place, nil)
	if err != nil || st == nil || !slices.Contains(st.Glare, true) {
		t.Fatalf("no symbol with a reflection beside it: %v, %v", st != nil, err)
	}
	of := func(st *cell.Stain) float64 {
		f := s.Fits(st, s.Templates.Guesses(st))
		solvetest.Same(t, f[0].Sym.Kind, witness.Star, "%s fits best", f[0].Sym.Kind.Called())
		return cell.Evidence(f[0], f[1])
	}
	without := *st
	without.Glare = nil
	// The tint, of which a white reflection changes nothing, tells most of it in any case.
	if a, b := of(st), of(&without); a < 6*b/5 {
		t.Errorf("evidence %.2f, and %.2f with the reflection: want a fifth as much again", a, b)
	}
}

// TestUnlit: light on half of a cell's samples does not change what it stands on, and noise
// leaves their median.
func TestUnlit(t *testing.T) {
	grey := func(levels ...float64) (c []vision.RGB) {
		for _, v := range levels {
			c = append(c, vision.RGB{v, v, v})
		}
		return c
	}
	for _, row := range []struct {
		why     string
		samples []vision.RGB
		want    float64
	}{
		{"light on half", grey(44, 110, 45, 90, 44, 130, 45, 160), 45},
		{"shade on three", grey(44, 10, 45, 20, 44, 30, 45, 46), 45},
		{"noise", grey(40, 42, 44, 46, 48, 50, 52, 54), 48},
		{"one sample", grey(7), 7},
	} {
		if got := view.Unlit(row.samples); got.Dist(vision.RGB{row.want, row.want, row.want}) > 1e-9 {
			t.Errorf("%s: %v, want %v", row.why, got, row.want)
		}
	}
}

// TestInLight: a colour is as much brighter elsewhere as the ground is, in each channel that
// is seen there.
func TestInLight(t *testing.T) {
	for _, row := range []struct {
		why                  string
		colour, under, there vision.RGB
		want                 vision.RGB
	}{
		{"the same light", vision.RGB{200, 50, 100}, vision.RGB{80, 100, 120}, vision.RGB{80, 100, 120}, vision.RGB{200, 50, 100}},
		{"greener light", vision.RGB{100, 50, 100}, vision.RGB{80, 100, 120}, vision.RGB{80, 120, 120}, vision.RGB{100, 60, 100}},
		{"a ground without red", vision.RGB{100, 50, 100}, vision.RGB{5, 100, 100}, vision.RGB{9, 120, 120}, vision.RGB{120, 60, 120}},
		{"too bright", vision.RGB{200, 50, 100}, vision.RGB{100, 100, 100}, vision.RGB{200, 200, 200}, vision.RGB{255, 100, 200}},
		{"a black ground", vision.RGB{200, 50, 100}, vision.RGB{}, vision.RGB{20, 20, 20}, vision.RGB{200, 50, 100}},
	} {
		if got := colour.InLight(row.colour, row.under, row.there); got.Dist(row.want) > 1e-6 {
			t.Errorf("%s: %v, want %v", row.why, got, row.want)
		}
	}
}

// TestPointerAlone: the pointer hides nothing in an empty cell, and never a symbol.
func TestPointerAlone(t *testing.T) {
	profile := challengeLook(t)
	place := image.Pt(3, 3)
	for _, row := range []struct {
		why    string
		symbol witness.Symbol
	}{
		{"an empty cell", witness.Symbol{}},
		{"a square", witness.Symbol{Kind: witness.Square, Colour: "black"}},
		{"a star", witness.Symbol{Kind: witness.Star, Colour: "magenta"}},
		{"one triangle", witness.Symbol{Kind: witness.Triangle, Count: 1, Colour: "orange"}},
		{"three triangles", witness.Symbol{Kind: witness.Triangle, Count: 3, Colour: "orange"}},
		{"a piece of one square", witness.Symbol{Kind: witness.Polyomino, Colour: "yellow", Shape: []image.Point{{}}}},
		{"a piece of two squares", witness.Symbol{Kind: witness.Polyomino, Colour: "yellow", Shape: []image.Point{{}, {X: 1}}}},
		{"an eraser", witness.Symbol{Kind: witness.Eraser, Colour: "white"}},
	} {
		panel := witnesstest.Corners(4, 4, image.Pt(1, -1))
		panel.At(place).Symbol = row.symbol
		frame := onWall(panel, profile)
		plain := boardIn(t, frame, profile)
		if plain == nil {
			t.Fatal("no board found")
		}
		s := NewReader(profile).game(pointer.Cleared(boardIn(t, drawPointer(frame, plain.ScreenPoint(float64(place.X), float64(place.Y))), profile), profile, drawing.Known()))
		v, found := pointer.On(s.Lines.View)
		if !found {
			t.Errorf("%s: no pointer found", row.why)
			continue
		}
		st, err := s.Stains.Stain(place, nil)
		if err != nil {
			st = nil // faint: as where nothing was found
		}
		if got, want := cell.PointerAlone(v, s.View, place, st), row.symbol.Kind == witness.NoSymbol; got != want {
			t.Errorf("%s: the pointer alone: %v, want %v", row.why, got, want)
		}
	}
}

// TestNoPointerInAGlow: where lines glow what stands in a cell has a dark ring round it,
// as the pointer has. What is as white as can be, or stands there twice, is no pointer.
func TestNoPointerInAGlow(t *testing.T) {
	profile := challengeLook(t)
	style := drawing.Typical(profile)
	style.Ground, style.Around, style.Lines = color.NRGBA{14, 30, 61, 255}, color.NRGBA{14, 30, 61, 255}, color.NRGBA{47, 230, 255, 255}
	style.Line = 0.16
	for _, row := range []struct {
		why    string
		colour witness.Colour
		cells  []image.Point
	}{
		{"one white square", "#ffffff", []image.Point{{X: 5, Y: 5}}},
		{"grey squares", "#77708f", []image.Point{{X: 3, Y: 7}, {X: 5, Y: 7}, {X: 7, Y: 7}}},
	} {
		panel := witnesstest.Corners(5, 5, image.Pt(1, 0))
		dark := styled(panel, style)
		for _, at := range row.cells {
			panel.At(at).Symbol = witness.Symbol{Kind: witness.Square, Colour: row.colour}
		}
		frame := styled(panel, style)
		for k, v := range blurred(dark, 5).Pix {
			frame.Pix[k] = max(frame.Pix[k], v)
		}
		b := boardIn(t, frame, profile)
		if b == nil {
			t.Fatalf("%s: no board found", row.why)
		}
		if s := pointer.Cleared(b, profile, drawing.Known()); len(s.Discs) > 0 {
			t.Errorf("%s: taken for the pointer", row.why)
		}
		if got, err := readPanel(t, profile, b); err == nil && witness.Differ(panel, got) != "" {
			t.Errorf("%s: WRONG: %s", row.why, witness.Differ(panel, got))
		}
	}
}

// TestPulseWithinStart: the ring that a start circle sends out and the light round it, as
// captures show them, hide nothing that tells what the board is. Where the ring lies on the line's
// own borders the board may be refused.
func TestPulseWithinStart(t *testing.T) {
	profile := challengeLook(t)
	style := drawing.Typical(profile)
	style.Ground, style.Around, style.Lines = color.NRGBA{33, 22, 22, 255}, color.NRGBA{22, 12, 12, 255}, color.NRGBA{60, 60, 59, 255}
	style.Line = 0.3
	panel := witness.New(4, 4, false)
	start := image.Pt(0, 8)
	panel.At(start).Start = true
	panel.At(image.Pt(8, 0)).Cap = image.Pt(1, -1)
	panel.At(image.Pt(0, 5)).Gap = witness.Broken
	panel.At(image.Pt(4, 3)).Dot = witness.Dot{On: true, Colour: "black"}
	panel.At(image.Pt(3, 5)).Symbol = witness.Symbol{Kind: witness.Star, Colour: "#755bab"}
	m := drawing.Draw(panel, style, 93)
	clean := framed(m, image.Pt(m.Rect.Dx()+80, 1080), image.Pt(40, 40), style.Around)
	b := boardIn(t, clean, profile)
	at, line := b.Place(start), style.Line*math.Hypot(b.Place(image.Pt(2, 8)).X-b.Place(start).X, b.Place(image.Pt(2, 8)).Y-b.Place(start).Y)
	for out := 0.1; out < 1.1; out += 0.1 {
		ring := out * line
		frame := over(clean, [3]float64{255, 255, 255}, func(x, y float64) float64 {
			off := math.Abs(math.Hypot(x-at.X, y-at.Y) - ring)
			return max(0.07*math.Exp(-math.Pow(off/line/0.6, 2)), 0.88*max(0, min(1, 0.08*line+0.5-off)))
		})
		if got, err := readPanel(t, profile, boardIn(t, frame, profile)); err != nil {
			if math.Abs(out-0.5) > 0.01 {
				t.Errorf("a ring of %.2f line widths: %v", out, err)
			}
		} else if wrong := witness.Differ(panel, got); wrong != "" {
			t.Errorf("a ring of %.2f line widths: WRONG: %s", out, wrong)
		}
	}
}

// TestLitStart: a start circle that is lit, as one that is held is in some clients, is a start
// still, and makes none of plain corners.
func TestLitStart(t *testing.T) {
	profile := challengeLook(t)
	style := drawing.Typical(profile)
	style.Ground, style.Around, style.Lines = color.NRGBA{17, 85, 68, 255}, color.NRGBA{216, 216, 216, 255}, color.NRGBA{34, 85, 85, 255}
	style.Line, style.Start = 0.22, 1.41
	panel := witness.New(3, 3, false)
	start := image.Pt(0, 6)
	panel.At(start).Start = true
	panel.At(image.Pt(6, 0)).Cap = image.Pt(0, -1)
	m := drawing.Draw(panel, style, 100)
	clean := framed(m, image.Pt(m.Rect.Dx()+80, 1080), image.Pt(40, 40), style.Around)
	b := boardIn(t, clean, profile)
	at, pitch := b.Place(start), b.Place(image.Pt(2, 6)).X-b.Place(start).X
	lit := over(clean, [3]float64{170, 170, 187}, func(x, y float64) float64 {
		return max(0, min(1, style.Start*style.Line*pitch+0.5-math.Hypot(x-at.X, y-at.Y)))
	})
	got := solvetest.Must(readPanel(t, profile, boardIn(t, lit, profile)))(t)
	if wrong := witness.Differ(panel, got); wrong != "" {
		t.Error("WRONG:", wrong)
	}
}

// TestByColour: a piece that may be a blue one is what all pieces of its colour are likeliest
// to be, if that is clear and it is a piece at all.
func TestByColour(t *testing.T) {
	profile := challengeLook(t)
	_, _, b := stars(t, profile, drawing.Typical(profile), "magenta")
	s := NewReader(profile).game(pointer.Cleared(b, profile, drawing.Known()))
	blue, yellow := vision.RGB{40, 30, 200}, vision.RGB{230, 210, 40}
	cells := []image.Point{{X: 3, Y: 1}, {X: 7, Y: 1}, {X: 1, Y: 3}, {X: 1, Y: 5}}
	paler := func(c vision.RGB, at image.Point) vision.RGB { // half of the cell's colour shows through
		p := s.Ground(at.X, at.Y)
		return vision.RGB{(c[0] + p[0]) / 2, (c[1] + p[1]) / 2, (c[2] + p[2]) / 2}
	}
	doubt, clear := errors.New("a doubt"), s.Odds.Clear()
	type other struct {
		kind     witness.Kind
		colour   vision.RGB
		evidence float64
		besides  float64
	}
	piece, hollow := witness.Polyomino, witness.Negative
	for _, row := range []struct {
		why      string
		kind     witness.Kind
		evidence float64 // in shares of what is clear
		besides  float64
		others   []other
		want     witness.Kind // NoSymbol: the doubt stays
	}{
		{"nothing else", piece, 0.07, 1.3, nil, witness.NoSymbol},
		{"one of its colour, the same", hollow, 0.13, 1.3, []other{{hollow, blue, 0.67, 1.3}}, hollow},
		{"one of its colour, the other", piece, 0.07, 1.3, []other{{hollow, blue, 0.67, 1.3}, {piece, yellow, 0.67, 1.3}}, hollow},
		{"one of another colour", piece, 0.07, 1.3, []other{{piece, yellow, 0.67, 1.3}}, witness.NoSymbol},
		{"two that do not agree", piece, 0.07, 1.3, []other{{hollow, blue, 0.67, 1.3}, {piece, blue, 0.67, 1.3}}, witness.NoSymbol},
		{"two that are hardly clear", piece, 0.07, 1.3, []other{{piece, blue, 0.08, 1.3}, {piece, blue, 0.08, 1.3}}, piece},
		{"one that is hardly clear", piece, 0.07, 1.3, []other{{hollow, blue, 0.17, 1.3}}, witness.NoSymbol},
		{"as much for it", piece, 0.19, 1.3, []other{{hollow, blue, 0.27, 1.3}}, witness.NoSymbol},
		{"one that may be something else", piece, 0.07, 1.3, []other{{hollow, blue, 0.67, 0.1}}, witness.NoSymbol},
		{"another shape as likely", hollow, 0.07, 0.07, []other{{hollow, blue, 0.67, 1.3}}, witness.NoSymbol},
		{"another shape as likely as its twin", piece, 0.13, 0.4, []other{{hollow, blue, 0.67, 1.3}}, witness.NoSymbol},
	} {
		w := func(kind witness.Kind, evidence, besides float64) cell.Weighed {
			return cell.Weighed{Symbol: witness.Symbol{Kind: kind}, Evidence: evidence * clear, Rivalled: true, Twin: evidence * clear, Besides: besides * clear}
		}
		seen := []cell.Seen{{Stain: &cell.Stain{Col: paler(blue, cells[0])}, Weighed: w(row.kind, row.evidence, row.besides)}}
		for _, o := range row.others {
			seen = append(seen, cell.Seen{Stain: &cell.Stain{Col: o.colour}, Weighed: w(o.kind, o.evidence, o.besides)})
		}
		got := s.ByColour(cells, seen, 0, doubt)
		switch {
		case row.want == witness.NoSymbol:
			if got != doubt || seen[0].Symbol.Kind != row.kind {
				t.Errorf("%s: %s, %v, want the doubt", row.why, seen[0].Symbol.Kind.Called(), got)
			}
		case got != nil || seen[0].Symbol.Kind != row.want:
			t.Errorf("%s: %s, %v, want %s", row.why, seen[0].Symbol.Kind.Called(), got, row.want.Called())
		}
	}
}
