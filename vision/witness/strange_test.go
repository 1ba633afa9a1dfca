package witness

import (
	"errors"
	"image"
	"image/color"
	"math"
	"testing"

	witness "onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	"onlooker/vision"
	"onlooker/vision/locate"
	"onlooker/vision/picture"
	"onlooker/vision/picture/made"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/line"
	"onlooker/vision/witness/view"
)

// shapeCells are the cells in which strange shapes are drawn.
func shapeCells() []image.Point {
	return []image.Point{{X: 1, Y: 1}, {X: 5, Y: 3}, {X: 3, Y: 5}, {X: 7, Y: 7}}
}

// discAt is a disc about a place, with a radius in half-cells.
func discAt(at image.Point, r float64, c color.NRGBA) picture.Shape {
	return picture.Shape{Kind: picture.Disc, Colour: c, Points: []picture.Point{{X: float64(at.X), Y: float64(at.Y)}}, Width: 2 * r}
}

// polygon is one about a place, with corners relative to that.
func polygon(x, y float64, c color.NRGBA, corners ...picture.Point) picture.Shape {
	for i, p := range corners {
		corners[i] = picture.Point{X: x + p.X, Y: y + p.Y}
	}
	return picture.Shape{Kind: picture.Polygon, Colour: c, Points: corners}
}

// starsIn are stars of so many points in all cells, with the inner corners at a share of their
// way.
func starsIn(points int, reach, inner, turn float64, c color.NRGBA) (all []picture.Shape) {
	for _, at := range shapeCells() {
		var p []picture.Point
		for k := range 2 * points {
			r := reach
			if k&1 == 1 {
				r *= inner
			}
			sin, cos := math.Sincos(turn + math.Pi*float64(k)/float64(points))
			p = append(p, picture.Point{X: r * sin, Y: -r * cos})
		}
		all = append(all, polygon(float64(at.X), float64(at.Y), c, p...))
	}
	return all
}

// squaresIn are upright squares in all cells, with sides of twice a reach.
func squaresIn(reach float64, c color.NRGBA) []picture.Shape {
	return starsIn(4, reach*math.Sqrt2, math.Sqrt2/2, math.Pi/4, c)
}

// columnsIn are triangles one above the other in all cells.
func columnsIn(c color.NRGBA) (all []picture.Shape) {
	for _, at := range shapeCells() {
		for _, y := range []float64{-0.2, 0.2} {
			all = append(all, polygon(float64(at.X), float64(at.Y)+y, c, picture.Point{X: -0.17, Y: 0.18}, picture.Point{Y: -0.18}, picture.Point{X: 0.17, Y: 0.18}))
		}
	}
	return all
}

// pairsIn are two squares side by side in all cells, outlined.
func pairsIn(rim, c color.NRGBA) (all []picture.Shape) {
	square := func(x, y, r float64, c color.NRGBA) picture.Shape {
		return polygon(x, y, c, picture.Point{X: -r, Y: -r}, picture.Point{X: r, Y: -r}, picture.Point{X: r, Y: r}, picture.Point{X: -r, Y: r})
	}
	for _, at := range shapeCells() {
		for _, far := range []float64{-0.155, 0.155} {
			x, y := float64(at.X)+far, float64(at.Y)
			all = append(all, square(x, y, 0.15, rim), square(x, y, 0.1, c))
		}
	}
	return all
}

// TestStrangeShapes has shapes on boards that the look does not know and that it read as
// the nearest of its own: by its sizes they are refused.
func TestStrangeShapes(t *testing.T) {
	look := challengeLook(t)
	style := drawing.Typical(look)
	style.Ground, style.Lines = made.RGB(255, 251, 234), made.RGB(240, 120, 48)
	dark, grey, white := made.RGB(27, 26, 21), made.RGB(88, 88, 88), made.RGB(255, 255, 255)
	corner, middle := image.Pt(0, 8), image.Pt(5, 8)
	none := witness.Symbol{}
	of := func(kind witness.Kind) witness.Symbol { return witness.Symbol{Kind: kind, Colour: witness.White} }
	two, single, pair := of(witness.Triangle), of(witness.Negative), of(witness.Polyomino)
	two.Count, single.Shape, pair.Shape = 2, []image.Point{{}}, []image.Point{{}, {X: 1}}
	for _, row := range []struct {
		why    string
		start  image.Point
		symbol witness.Symbol
		shapes []picture.Shape
	}{
		{"a start circle whose middle has another colour", corner, none, []picture.Shape{discAt(corner, 0.2, made.RGB(255, 240, 120))}},
		{"a hollow start circle on the middle of an edge", middle, none, []picture.Shape{discAt(middle, 0.25, style.Ground)}},
		{"five-pointed stars, outlined", corner, of(witness.Star), append(starsIn(5, 0.5, 0.5, 0, dark), starsIn(5, 0.42, 0.5, 0, grey)...)},
		{"blunt stars", corner, of(witness.Star), starsIn(8, 0.5, 0.75, 0.1, grey)},
		{"triangles one above the other", corner, two, columnsIn(dark)},
		{"pieces of one small square, outlined", corner, single, append(squaresIn(0.14, made.RGB(96, 20, 16)), squaresIn(0.05, made.RGB(190, 140, 120))...)},
		{"pieces of two squares, white, outlined", corner, pair, pairsIn(dark, white)},
		{"stars of four points, turned", corner, of(witness.Star), starsIn(4, 0.52, 0.64, 0.4, grey)},
		{"white squares, outlined", corner, of(witness.Square), append(starsIn(4, 0.5, math.Sqrt2/2, math.Pi/4, dark), starsIn(4, 0.43, math.Sqrt2/2, math.Pi/4, white)...)},
		{"stars of one colour outlined in another", corner, of(witness.Star), append(starsIn(8, 0.55, 0.62, 0, dark), starsIn(8, 0.46, 0.58, 0, made.RGB(90, 184, 120))...)},
	} {
		p := witness.New(4, 4, false)
		p.At(row.start).Start, p.At(image.Pt(8, 0)).Cap = true, image.Pt(0, -1)
		m := picture.Image(append(drawing.Shapes(p, nil, style), row.shapes...), 40)
		boards, err := locate.Boards(m, look.Board)
		if err != nil || len(boards) != 1 {
			t.Errorf("%s: %d boards, %v", row.why, len(boards), err)
			continue
		}
		r := NewReader(look)
		if err := r.Add(boards[0]); err != nil {
			t.Fatal(err)
		}
		got, err := r.single(boards[0])
		var unsure *vision.UnsureError
		if !errors.As(err, &unsure) {
			t.Errorf("%s: read as %v, %v", row.why, forms.String(got), err)
		}
		// By its own places the board may be read, but not wrong.
		for _, at := range shapeCells() {
			p.At(at).Symbol = row.symbol
		}
		if got, err = r.Panel(); err == nil {
			if d := witness.Differ(seen(p), seen(got)); d != "" {
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
		s := &view.View{Board: &vision.Board{Ink: row.lines, Paper: vision.RGB{90, 90, 90}}}
		if err := line.DotsByLine(s, p, at, row.cols, true); (err != nil) != row.unsure {
			t.Errorf("%s: %v", row.why, err)
		}
	}
}
