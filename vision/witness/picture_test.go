package witness

import (
	"bytes"
	"flag"
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"onlooker/calibrations"
	"onlooker/solve"
	"onlooker/solve/witness"
	"onlooker/vision"
)

// -update rewrites the golden files. It is right after a change that is meant
// to change the pictures, and only once the new ones were looked at.
var update = flag.Bool("update", false, "rewrite golden files")

type change func(p *witness.Panel)

func made(cols, rows int, pillar bool, symmetry witness.Symmetry, changes ...change) *witness.Panel {
	p := witness.New(cols, rows, pillar)
	p.Symmetry = symmetry
	for _, c := range changes {
		c(p)
	}
	return p
}

func starts(at ...image.Point) change {
	return func(p *witness.Panel) {
		for _, a := range at {
			p.At(a).Start = true
		}
	}
}

func end(x, y, dx, dy int) change {
	return func(p *witness.Panel) { p.At(image.Pt(x, y)).Cap = image.Pt(dx, dy) }
}

func gap(g witness.Gap, at ...image.Point) change {
	return func(p *witness.Panel) {
		for _, a := range at {
			p.At(a).Gap = g
		}
	}
}

func dot(d witness.Dot, at ...image.Point) change {
	return func(p *witness.Panel) {
		for _, a := range at {
			d.On = true
			p.At(a).Dot = d
		}
	}
}

func symbol(s witness.Symbol, at ...image.Point) change {
	return func(p *witness.Panel) {
		for _, a := range at {
			p.At(a).Symbol = s
		}
	}
}

var (
	line3 = []image.Point{{}, {X: 1}, {X: 2}}
	ess   = []image.Point{{X: 1}, {X: 2}, {Y: 1}, {X: 1, Y: 1}}
	tall4 = []image.Point{{}, {Y: 1}, {Y: 2}, {Y: 3}}
)

func stroke(xy ...int) solve.Solution {
	var s solve.Stroke
	for i := 0; i < len(xy); i += 2 {
		s = append(s, image.Pt(xy[i], xy[i+1]))
	}
	return solve.Solution{s}
}

func typical(t *testing.T) Style {
	t.Helper()
	profile, err := calibrations.Load("witness-challenge")
	if err != nil {
		t.Fatal(err)
	}
	return Typical(profile)
}

func picture(t *testing.T, panel *witness.Panel, answer solve.Solution) []vision.Shape {
	t.Helper()
	return Shapes(panel, answer, typical(t))
}

// pictured are panels that together hold everything that can be drawn.
func pictured() []struct {
	name, why string
	panel     *witness.Panel
	answer    solve.Solution
} {
	return []struct {
		name, why string
		panel     *witness.Panel
		answer    solve.Solution
	}{
		{"squares", "squares and stars of two colours, a break of each direction, an oblong board",
			made(3, 2, false, witness.NoSymmetry, starts(image.Pt(0, 4)), end(6, 0, 0, -1),
				gap(witness.Broken, image.Pt(1, 0), image.Pt(6, 3)),
				symbol(witness.Symbol{Kind: witness.Square, Colour: witness.White}, image.Pt(1, 1), image.Pt(1, 3)),
				symbol(witness.Symbol{Kind: witness.Square, Colour: witness.Black}, image.Pt(3, 3)),
				symbol(witness.Symbol{Kind: witness.Star, Colour: witness.Magenta}, image.Pt(5, 1), image.Pt(5, 3))),
			stroke(0, 4, 2, 4, 2, 2, 2, 0, 4, 0, 6, 0, 6, -1)},
		{"pieces", "upright, turnable and blue pieces, an eraser, triangles, a diagonal cap, a dot in a corner",
			made(3, 3, false, witness.NoSymmetry, starts(image.Pt(0, 6)), end(6, 0, 1, -1),
				dot(witness.Dot{}, image.Pt(0, 0), image.Pt(3, 2)),
				symbol(witness.Symbol{Kind: witness.Polyomino, Colour: witness.Yellow, Shape: line3}, image.Pt(1, 1)),
				symbol(witness.Symbol{Kind: witness.Polyomino, Colour: witness.Yellow, Shape: ess, Turnable: true}, image.Pt(3, 1)),
				symbol(witness.Symbol{Kind: witness.Negative, Colour: witness.Blue, Shape: tall4}, image.Pt(5, 3)),
				symbol(witness.Symbol{Kind: witness.Eraser, Colour: witness.White}, image.Pt(1, 5)),
				symbol(witness.Symbol{Kind: witness.Triangle, Count: 2, Colour: witness.Orange}, image.Pt(3, 5)),
				symbol(witness.Symbol{Kind: witness.Triangle, Count: 3, Colour: witness.Orange}, image.Pt(5, 5))),
			stroke(0, 6, 0, 4, 0, 2, 0, 0, 2, 0, 2, 2, 4, 2, 6, 2, 6, 0, 7, -1)},
		{"missing", "missing edges and a missing node, two starts of which one in an edge's middle, two ends, a cap to the side",
			made(4, 2, false, witness.NoSymmetry, starts(image.Pt(0, 4), image.Pt(4, 3)), end(8, 2, 1, 0), end(0, 0, -1, 0),
				gap(witness.Missing, image.Pt(8, 4), image.Pt(7, 4), image.Pt(8, 3), image.Pt(3, 2))),
			stroke(4, 3, 4, 2, 6, 2, 8, 2, 9, 2)},
		{"rotation", "the second line of a rotated panel, and dots of three colours",
			made(2, 2, false, witness.Rotation, starts(image.Pt(0, 4), image.Pt(4, 0)), end(0, 0, 0, -1), end(4, 4, 0, 1),
				dot(witness.Dot{}, image.Pt(0, 2)), dot(witness.Dot{Line: witness.OwnLine, Colour: witness.Cyan}, image.Pt(0, 3)),
				dot(witness.Dot{Line: witness.OtherLine, Colour: witness.Orange}, image.Pt(4, 2))),
			stroke(0, 4, 0, 2, 0, 0, 0, -1)},
		{"pillar", "a line over the seam of a pillar, and its partner",
			made(6, 3, true, witness.Parallel, starts(image.Pt(2, 6), image.Pt(8, 6)), end(2, 0, 0, -1), end(8, 0, 0, -1),
				symbol(witness.Symbol{Kind: witness.Square, Colour: witness.Black}, image.Pt(11, 1)),
				dot(witness.Dot{}, image.Pt(0, 2))),
			stroke(2, 6, 2, 4, 0, 4, -2, 4, -2, 2, 0, 2, 2, 2, 2, 0, 2, -1)},
	}
}

// TestPicturesInTheTerminal compares text, so that what people see is what a
// diff shows.
func TestPicturesInTheTerminal(t *testing.T) {
	for _, row := range pictured() {
		var got bytes.Buffer
		if err := vision.Terminal(&got, picture(t, row.panel, row.answer), false); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join("testdata", row.name+".txt")
		if *update {
			if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if got.String() != string(want) {
			t.Errorf("%s (%s):\ngot\n%swant\n%s", row.name, row.why, got.String(), want)
		}
		var bright bytes.Buffer
		if err := vision.Terminal(&bright, picture(t, row.panel, row.answer), true); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(bright.String(), "\x1b[48;2;") || strings.Contains(got.String(), "\x1b") {
			t.Errorf("%s: escape sequences are where colour was not asked for, or missing where it was", row.name)
		}
	}
}

// TestGoldenPictures compares with pictures that a person looked at.
func TestGoldenPictures(t *testing.T) {
	// 2 of 255 on average: smooth edges differ that little between versions of
	// the rasteriser; a symbol left out is over 5 on these small boards.
	const tolerance = 2.0
	for _, row := range pictured() {
		got := vision.Image(picture(t, row.panel, row.answer), 16)
		file := filepath.Join("testdata", row.name+".png")
		if *update {
			writePNG(t, file, got)
		}
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		want, err := png.Decode(f)
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		if d := difference(got, want); d > tolerance {
			side := filepath.Join("testdata", row.name+".got.png")
			writePNG(t, side, got)
			t.Errorf("%s (%s): differs by %.2f on average, want at most %g: %s", row.name, row.why, d, tolerance, side)
		}
	}
}

func writePNG(t *testing.T, file string, m image.Image) {
	t.Helper()
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, m); err != nil {
		t.Fatal(err)
	}
}

// difference is the mean difference per channel, and infinite where the sizes
// differ.
func difference(a, b image.Image) float64 {
	if a.Bounds().Size() != b.Bounds().Size() {
		return math.Inf(1)
	}
	sum, n := 0.0, 0.0
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			r, g, bl, _ := a.At(x, y).RGBA()
			r2, g2, b2, _ := b.At(b.Bounds().Min.X+x, b.Bounds().Min.Y+y).RGBA()
			for _, d := range []float64{float64(r) - float64(r2), float64(g) - float64(g2), float64(bl) - float64(b2)} {
				sum += math.Abs(d) / 257
				n++
			}
		}
	}
	return sum / n
}

// TestSVGHoldsEveryShape counts elements: the same shapes as in the other
// renderers, glyphs aside.
func TestSVGHoldsEveryShape(t *testing.T) {
	for _, row := range pictured() {
		shapes := picture(t, row.panel, row.answer)
		var out bytes.Buffer
		if err := vision.SVG(&out, shapes, 16); err != nil {
			t.Fatal(err)
		}
		want := 0
		for _, s := range shapes {
			if s.Kind != vision.Glyph {
				want++
			}
		}
		if got := strings.Count(out.String(), "/>") + strings.Count(out.String(), "</text>"); got != want {
			t.Errorf("%s: %d elements, want %d", row.name, got, want)
		}
	}
}

// TestDrawKeepsPlaces looks at pixels: a style's sizes in the picture, at a
// place that Extent tells.
func TestDrawKeepsPlaces(t *testing.T) {
	style := typical(t)
	panel := pictured()[0].panel
	const pitch = 60.0
	m := Draw(panel, style, pitch)
	least, _ := vision.Extent(Shapes(panel, nil, style))
	for _, row := range []struct {
		why  string
		x, y float64 // half-cells
		want any
	}{
		{"the middle of a whole edge", 2, 1, style.Lines},
		{"just inside a line", 2 + style.Line*0.8, 1, style.Lines},
		{"just outside a line", 2 + style.Line*1.3, 1, style.Ground},
		{"a break", 1, 0, style.Ground},
		{"beside a break", 1 + style.Gap*1.3, 0, style.Lines},
		{"a square's middle", 1, 1, style.Inks[witness.White]},
		{"an empty cell", 3, 1, style.Ground},
		{"beyond the end's node, in its cap", 6, -style.Line * 2 * 1.5, style.Lines},
		{"beyond the cap's tip", 6, -style.Line * 2 * 2.1, style.Ground},
		{"in the start circle, off the line", 0.35 * style.Start * 2 * style.Line, 4 + 0.7*style.Start*2*style.Line, style.Lines},
	} {
		x, y := int((row.x-least.X)*pitch/2), int((row.y-least.Y)*pitch/2)
		r, g, b, _ := m.At(x, y).RGBA()
		wr, wg, wb, _ := row.want.(interface{ RGBA() (r, g, b, a uint32) }).RGBA()
		if math.Abs(float64(r)-float64(wr))+math.Abs(float64(g)-float64(wg))+math.Abs(float64(b)-float64(wb)) > 3*4*257 {
			t.Errorf("%s (%g,%g): got %d %d %d, want %d %d %d", row.why, row.x, row.y, r>>8, g>>8, b>>8, wr>>8, wg>>8, wb>>8)
		}
	}
}
