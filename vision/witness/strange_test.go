package witness

import (
	"errors"
	"image"
	"image/color"
	"math"
	"testing"

	"onlooker/solve/witness"
	"onlooker/vision"
	"onlooker/vision/picture"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/picture/witness/made"
)

// TestStrangeShapes has shapes on boards that the look does not know and that it read as
// the nearest of its own: by its sizes they are refused.
func TestStrangeShapes(t *testing.T) {
	look := challengeLook(t)
	style := drawing.Typical(look)
	style.Ground, style.Lines = made.RGB(255, 251, 234), made.RGB(240, 120, 48)
	dark, grey, white := made.RGB(27, 26, 21), made.RGB(88, 88, 88), made.RGB(255, 255, 255)
	cells := []image.Point{{X: 1, Y: 1}, {X: 5, Y: 3}, {X: 3, Y: 5}, {X: 7, Y: 7}}
	// A star of so many points, with the inner corners at a share of their way.
	star := func(points int, reach, inner, turn float64, c color.NRGBA) (all []picture.Shape) {
		for _, at := range cells {
			var p []picture.Point
			for k := range 2 * points {
				r := reach
				if k&1 == 1 {
					r *= inner
				}
				sin, cos := math.Sincos(turn + math.Pi*float64(k)/float64(points))
				p = append(p, picture.Point{X: float64(at.X) + r*sin, Y: float64(at.Y) - r*cos})
			}
			all = append(all, picture.Shape{Kind: picture.Polygon, Colour: c, Points: p})
		}
		return all
	}
	disc := func(at image.Point, r float64, c color.NRGBA) []picture.Shape {
		return []picture.Shape{{Kind: picture.Disc, Colour: c, Points: []picture.Point{{X: float64(at.X), Y: float64(at.Y)}}, Width: 2 * r}}
	}
	var columns []picture.Shape
	for _, at := range cells {
		for _, y := range []float64{-0.2, 0.2} {
			x, y := float64(at.X), float64(at.Y)+y
			columns = append(columns, picture.Shape{Kind: picture.Polygon, Colour: dark, Points: []picture.Point{{X: x - 0.17, Y: y + 0.18}, {X: x, Y: y - 0.18}, {X: x + 0.17, Y: y + 0.18}}})
		}
	}
	var pairs []picture.Shape
	for _, at := range cells {
		for _, far := range []float64{-0.155, 0.155} {
			x, y := float64(at.X)+far, float64(at.Y)
			for _, c := range []color.NRGBA{dark, white} {
				r := 0.15
				if c == white {
					r = 0.1
				}
				pairs = append(pairs, picture.Shape{Kind: picture.Polygon, Colour: c, Points: []picture.Point{{X: x - r, Y: y - r}, {X: x + r, Y: y - r}, {X: x + r, Y: y + r}, {X: x - r, Y: y + r}}})
			}
		}
	}
	corner, middle := image.Pt(0, 8), image.Pt(5, 8)
	for _, row := range []struct {
		why    string
		start  image.Point
		kind   witness.Kind
		shapes []picture.Shape
	}{
		{"a start circle whose middle has another colour", corner, witness.NoSymbol, disc(corner, 0.2, made.RGB(255, 240, 120))},
		{"a hollow start circle on the middle of an edge", middle, witness.NoSymbol, disc(middle, 0.25, style.Ground)},
		{"five-pointed stars, outlined", corner, witness.Star, append(star(5, 0.5, 0.5, 0, dark), star(5, 0.42, 0.5, 0, grey)...)},
		{"blunt stars", corner, witness.Star, star(8, 0.5, 0.75, 0.1, grey)},
		{"triangles one above the other", corner, witness.Triangle, columns},
		{"pieces of one small square, outlined", corner, witness.Negative, append(star(4, 0.14*math.Sqrt2, math.Sqrt2/2, math.Pi/4, made.RGB(96, 20, 16)), star(4, 0.05*math.Sqrt2, math.Sqrt2/2, math.Pi/4, made.RGB(190, 140, 120))...)},
		{"pieces of two squares, white, outlined", corner, witness.Polyomino, pairs},
		{"stars of four points, turned", corner, witness.Star, star(4, 0.52, 0.64, 0.4, grey)},
		{"white squares, outlined", corner, witness.Square, append(star(4, 0.5, math.Sqrt2/2, math.Pi/4, dark), star(4, 0.43, math.Sqrt2/2, math.Pi/4, white)...)},
		{"stars of one colour outlined in another", corner, witness.Star, append(star(8, 0.55, 0.62, 0, dark), star(8, 0.46, 0.58, 0, made.RGB(90, 184, 120))...)},
	} {
		p := witness.New(4, 4, false)
		p.At(row.start).Start, p.At(image.Pt(8, 0)).Cap = true, image.Pt(0, -1)
		m := picture.Image(append(drawing.Shapes(p, nil, style), row.shapes...), 40)
		boards, err := vision.Locate(m, look.Board)
		if err != nil || len(boards) != 1 {
			t.Errorf("%s: %d boards, %v", row.why, len(boards), err)
			continue
		}
		r := NewReader(look)
		if err := r.Add(boards[0]); err != nil {
			t.Fatal(err)
		}
		got, _, err := r.single(boards[0])
		var unsure *vision.UnsureError
		if !errors.As(err, &unsure) {
			t.Errorf("%s: read as %v, %v", row.why, got, err)
		}
		// By its own places the board may be read, but not wrong.
		if row.kind != witness.NoSymbol {
			for _, at := range cells {
				p.At(at).Symbol = witness.Symbol{Kind: row.kind, Colour: witness.White}
				switch row.kind {
				case witness.Triangle:
					p.At(at).Count = 2
				case witness.Negative:
					p.At(at).Shape = []image.Point{{}}
				case witness.Polyomino:
					p.At(at).Shape = []image.Point{{}, {X: 1}}
				}
			}
		}
		got, err = r.Panel()
		if err == nil {
			if d := differ(seen(p), seen(got)); d != "" {
				t.Errorf("%s: read wrong: %s", row.why, d)
			}
		}
		t.Logf("%s: %v", row.why, err)
	}
}

// TestThirdColour: dots for either line in a colour of their own are none of one line's, and
// of those without a colour it can be told only beside both.
func TestThirdColour(t *testing.T) {
	at := []image.Point{{X: 1, Y: 0}, {X: 5, Y: 4}, {X: 6, Y: 3}}
	dark, bright := vision.RGB{20, 20, 20}, vision.RGB{230, 255, 110}
	for _, row := range []struct {
		why    string
		lines  vision.RGB
		cols   []vision.RGB
		unsure bool
	}{
		{"two of one line, compressed", dark, []vision.RGB{{60, 120, 240}, {225, 97, 161}, {219, 98, 162}}, false},
		{"blue, light blue and pink", dark, []vision.RGB{{82, 116, 239}, {225, 97, 161}, {61, 164, 221}}, true},
		{"purple, teal and ochre", dark, []vision.RGB{{103, 13, 183}, {46, 159, 166}, {189, 132, 6}}, true},
		{"blue, yellow and grey", dark, []vision.RGB{{60, 120, 240}, {220, 200, 40}, {120, 122, 119}}, false},
		{"blue and grey", dark, []vision.RGB{{60, 120, 240}, {120, 122, 119}, {118, 120, 121}}, true},
		{"black ones, all darker than the lines", bright, []vision.RGB{{20, 20, 20}, {10, 5, 20}, {30, 28, 25}}, false},
		{"red and teal, all darker than the lines", bright, []vision.RGB{{190, 20, 50}, {60, 190, 130}, {60, 188, 128}}, true},
		{"red, and green once as bright as the lines", bright, []vision.RGB{{245, 20, 80}, {70, 206, 130}, {70, 200, 130}}, true},
	} {
		p := witness.New(4, 4, false)
		p.Symmetry = witness.Rotation
		s := &sheet{b: &vision.Board{Ink: row.lines, Paper: vision.RGB{90, 90, 90}}}
		if err := s.dots(p, at, row.cols, true); (err != nil) != row.unsure {
			t.Errorf("%s: %v", row.why, err)
		}
	}
}

// TestDotsAllRound: no line passes all four edges of a cell.
func TestDotsAllRound(t *testing.T) {
	p := witness.New(3, 3, false)
	for i, d := range ways {
		if err := dotsAllRound(p); err != nil {
			t.Errorf("%d dots: %v", i, err)
		}
		p.At(image.Pt(3, 3).Add(d)).Dot.On = true
	}
	var why *vision.UnsureError
	if err := dotsAllRound(p); !errors.As(err, &why) || why.At != image.Pt(3, 3) {
		t.Errorf("a cell with four dots: %v, want one that names it", err)
	}
	p.At(image.Pt(1, 1)).Symbol = witness.Symbol{Kind: witness.Eraser}
	if err := dotsAllRound(p); err != nil {
		t.Errorf("one of which an eraser may take away: %v", err)
	}
}
