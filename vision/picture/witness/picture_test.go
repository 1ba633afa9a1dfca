package witness

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"onlooker/calibrations"
	"onlooker/solve"
	"onlooker/solve/solvetest"
	witness "onlooker/solve/witness/board"
	"onlooker/vision/picture"
	"onlooker/vision/picture/made"
)

// -update rewrites the golden files. It is right after a change that is meant
// to change the pictures, and only once the new ones were looked at.
var update = flag.Bool("update", false, "rewrite golden files")

var (
	line3 = []image.Point{{}, {X: 1}, {X: 2}}
	ess   = []image.Point{{X: 1}, {X: 2}, {Y: 1}, {X: 1, Y: 1}}
	tall4 = []image.Point{{}, {Y: 1}, {Y: 2}, {Y: 3}}
)

func typical(t *testing.T) Style {
	t.Helper()
	profile := solvetest.Must(calibrations.Load("witness-challenge"))(t)
	return Typical(profile)
}

func shapes(t *testing.T, panel *witness.Panel, answer solve.Solution) []picture.Shape {
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
			made.Panel(3, 2, false, witness.NoSymmetry, made.Starts(image.Pt(0, 4)), made.End(6, 0, 0, -1),
				made.Gap(witness.Broken, image.Pt(1, 0), image.Pt(6, 3)),
				made.Symbol(witness.Symbol{Kind: witness.Square, Colour: witness.White}, image.Pt(1, 1), image.Pt(1, 3)),
				made.Symbol(witness.Symbol{Kind: witness.Square, Colour: witness.Black}, image.Pt(3, 3)),
				made.Symbol(witness.Symbol{Kind: witness.Star, Colour: witness.Magenta}, image.Pt(5, 1), image.Pt(5, 3))),
			made.Stroke(0, 4, 2, 4, 2, 2, 2, 0, 4, 0, 6, 0, 6, -1)},
		{"pieces", "upright, turnable and blue pieces, an eraser, triangles, a diagonal cap, a dot in a corner",
			made.Panel(3, 3, false, witness.NoSymmetry, made.Starts(image.Pt(0, 6)), made.End(6, 0, 1, -1),
				made.Dot(witness.Dot{}, image.Pt(0, 0), image.Pt(3, 2)),
				made.Symbol(witness.Symbol{Kind: witness.Polyomino, Colour: witness.Yellow, Shape: line3}, image.Pt(1, 1)),
				made.Symbol(witness.Symbol{Kind: witness.Polyomino, Colour: witness.Yellow, Shape: ess, Turnable: true}, image.Pt(3, 1)),
				made.Symbol(witness.Symbol{Kind: witness.Negative, Colour: witness.Blue, Shape: tall4}, image.Pt(5, 3)),
				made.Symbol(witness.Symbol{Kind: witness.Eraser, Colour: witness.White}, image.Pt(1, 5)),
				made.Symbol(witness.Symbol{Kind: witness.Triangle, Count: 2, Colour: witness.Orange}, image.Pt(3, 5)),
				made.Symbol(witness.Symbol{Kind: witness.Triangle, Count: 3, Colour: witness.Orange}, image.Pt(5, 5))),
			made.Stroke(0, 6, 0, 4, 0, 2, 0, 0, 2, 0, 2, 2, 4, 2, 6, 2, 6, 0, 7, -1)},
		{"missing", "missing edges and a missing node, two starts of which one in an edge's middle, two ends, a cap to the side",
			made.Panel(4, 2, false, witness.NoSymmetry, made.Starts(image.Pt(0, 4), image.Pt(4, 3)), made.End(8, 2, 1, 0), made.End(0, 0, -1, 0),
				made.Gap(witness.Missing, image.Pt(8, 4), image.Pt(7, 4), image.Pt(8, 3), image.Pt(3, 2))),
			made.Stroke(4, 3, 4, 2, 6, 2, 8, 2, 9, 2)},
		{"rotation", "the second line of a rotated panel, and dots of three colours",
			made.Panel(2, 2, false, witness.Rotation, made.Starts(image.Pt(0, 4), image.Pt(4, 0)), made.End(0, 0, 0, -1), made.End(4, 4, 0, 1),
				made.Dot(witness.Dot{}, image.Pt(0, 2)), made.Dot(witness.Dot{Line: witness.OwnLine, Colour: witness.Cyan}, image.Pt(0, 3)),
				made.Dot(witness.Dot{Line: witness.OtherLine, Colour: witness.Orange}, image.Pt(4, 2))),
			made.Stroke(0, 4, 0, 2, 0, 0, 0, -1)},
		{"pillar", "a line over the seam of a pillar, and its partner",
			made.Panel(6, 3, true, witness.Parallel, made.Starts(image.Pt(2, 6), image.Pt(8, 6)), made.End(2, 0, 0, -1), made.End(8, 0, 0, -1),
				made.Symbol(witness.Symbol{Kind: witness.Square, Colour: witness.Black}, image.Pt(11, 1)),
				made.Dot(witness.Dot{}, image.Pt(0, 2))),
			made.Stroke(2, 6, 2, 4, 0, 4, -2, 4, -2, 2, 0, 2, 2, 2, 2, 0, 2, -1)},
	}
}

// TestPicturesInTheTerminal compares text, so that what people see is what a
// diff shows.
func TestPicturesInTheTerminal(t *testing.T) {
	for _, row := range pictured() {
		var got bytes.Buffer
		solvetest.OK(t, picture.Terminal(&got, shapes(t, row.panel, row.answer), false))
		file := filepath.Join("testdata", row.name+".txt")
		if *update {
			solvetest.OK(t, os.WriteFile(file, got.Bytes(), 0o644))
		}
		want := solvetest.Must(os.ReadFile(file))(t)
		if got.String() != string(want) {
			t.Errorf("%s (%s):\ngot\n%swant\n%s", row.name, row.why, got.String(), want)
		}
		var bright bytes.Buffer
		solvetest.OK(t, picture.Terminal(&bright, shapes(t, row.panel, row.answer), true))
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
		got := picture.Image(shapes(t, row.panel, row.answer), 16)
		file := filepath.Join("testdata", row.name+".png")
		if *update {
			made.WritePNG(t, file, got)
		}
		f := solvetest.Must(os.Open(file))(t)
		want, err := png.Decode(f)
		f.Close()
		solvetest.OK(t, err)
		if d := difference(got, want); d > tolerance {
			side := filepath.Join("testdata", row.name+".got.png")
			made.WritePNG(t, side, got)
			t.Errorf("%s (%s): differs by %.2f on average, want at most %g: %s", row.name, row.why, d, tolerance, side)
		}
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
		shapes := shapes(t, row.panel, row.answer)
		var out bytes.Buffer
		solvetest.OK(t, picture.SVG(&out, shapes, 16))
		want := 0
		for _, s := range shapes {
			if s.Kind != picture.Glyph {
				want++
			}
		}
		solvetest.Same(t, strings.Count(out.String(), "/>")+strings.Count(out.String(), "</text>"), want, "%s: elements", row.name)
	}
}

// TestDrawKeepsPlaces looks at pixels: a style's sizes in the picture, at a
// place that Extent tells.
func TestDrawKeepsPlaces(t *testing.T) {
	style := typical(t)
	panel := pictured()[0].panel
	const pitch = 60.0
	m := Draw(panel, style, pitch)
	least, _ := picture.Extent(Shapes(panel, nil, style))
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

// A kind is drawn as the shape that it names, whatever its own name; one whose
// shape nobody has drawn is named.
func TestSymbolsAreDrawnByShape(t *testing.T) {
	style := typical(t)
	for _, k := range witness.Kinds() {
		if k.OnLine() {
			continue
		}
		s := witness.Symbol{Kind: k, Colour: witness.White, Count: min(2, k.Most()), Shape: []image.Point{{}, {X: 1}}}
		want := style.Symbol(s, picture.Point{X: 3, Y: 1})
		if len(want) < 2 || want[len(want)-1].Words == "" {
			t.Errorf("a %s is drawn as %v, want a shape and a glyph", k, want)
		}
		if style.Thinnest(k) <= 0 {
			t.Errorf("the thinnest part of a %s is %v", k, style.Thinnest(k))
		}
		s.Kind = k.As("nobody's", k.ShapeName())
		if got := style.Symbol(s, picture.Point{X: 3, Y: 1}); !reflect.DeepEqual(got, want) {
			t.Errorf("under another name a %s is drawn as %v, want %v", k, got, want)
		}
		s.Kind = k.As("nobody's", "diamond")
		if got := style.Symbol(s, picture.Point{}); len(got) != 1 || got[0].Words != "diamond" {
			t.Errorf("a shape that nobody has drawn is drawn as %v, want its name", got)
		}
	}
}

// TestColoursAreCalled tells measured colours by a word.
func TestColoursAreCalled(t *testing.T) {
	style := typical(t)
	for colour, want := range map[witness.Colour]string{"#000b06": "black", "#93918f": "grey", "#e8e8e0": "white", "#d8342c": "red", "#ffbe2e": "orange",
		"#e6dc32": "yellow", "#6aa650": "green", "#30d0d0": "cyan", "#3556e0": "blue", "#6518d0": "purple", "#043714": "dark green", "#a4cb43": "yellow-green", "#9fd8a0": "light green", "#d92fd0": "magenta", "#e0207a": "magenta"} {
		if got := style.called(colour); got != want+" ("+string(colour)+")" {
			t.Errorf("%s is called %s, want %s", colour, got, want)
		}
	}
	solvetest.Same(t, style.called(witness.Cyan), "cyan", "the name of cyan")
}

// TestLettersAreDistinct has every colour of a board told by a letter of its own.
func TestLettersAreDistinct(t *testing.T) {
	p := made.Panel(5, 1, false, witness.NoSymmetry, made.Starts(image.Pt(0, 2)), made.End(10, 0, 1, 0))
	for i, c := range []witness.Colour{witness.Black, witness.Blue, "#b0b0b0", witness.Green, witness.White} {
		made.Symbol(witness.Symbol{Kind: witness.Square, Colour: c}, image.Pt(2*i+1, 1))(p)
	}
	for _, colour := range []bool{false, true} {
		var out strings.Builder
		solvetest.OK(t, picture.Terminal(&out, shapes(t, p, nil), colour))
		if want := "b black, bl blue, g grey (#b0b0b0), gr green, w white\n"; !strings.HasSuffix(out.String(), want) {
			t.Errorf("colour %t: %q, want %q at its end", colour, out.String(), want)
		}
		if !colour && !strings.Contains(out.String(), "│■b │■bl│■g │■gr│■w │") {
			t.Errorf("got\n%s", &out)
		}
	}
}

// TestEverySymbolIsSeen draws squares, pieces and dots in 4,096 colours: each stands off
// its ground by 3:1, or has an outline that stands off both by that.
func TestEverySymbolIsSeen(t *testing.T) {
	for i := range 4096 {
		ink := witness.Colour(fmt.Sprintf("#%x%x%x", i>>8, i>>4&15, i&15))
		p := made.Panel(2, 1, false, witness.NoSymmetry, made.Starts(image.Pt(0, 2)), made.End(4, 0, 1, 0), made.Dot(witness.Dot{Colour: ink}, image.Pt(2, 2)),
			made.Symbol(witness.Symbol{Kind: witness.Square, Colour: ink}, image.Pt(1, 1)),
			made.Symbol(witness.Symbol{Kind: witness.Negative, Colour: ink, Shape: line3}, image.Pt(3, 1)))
		style := typical(t).legible(p)
		d := drawing{panel: p, style: style}
		for _, row := range []struct {
			at      image.Point
			grounds []color.NRGBA
		}{
			{image.Pt(1, 1), []color.NRGBA{style.Ground}},
			{image.Pt(3, 1), []color.NRGBA{style.Ground}},
			{image.Pt(2, 2), []color.NRGBA{style.Lines, style.Trace, style.Second}},
		} {
			d.Shapes = nil
			d.spot(row.at)
			own, round := style.Ink(ink), d.Shapes[0].Colour
			for _, g := range row.grounds {
				if picture.Contrast(own, g) < 3 && min(picture.Contrast(round, g), picture.Contrast(round, own)) < 3 {
					t.Fatalf("%s at %v on %v: drawn in %v within %v, want 3:1", ink, row.at, g, own, round)
				}
			}
		}
		if picture.Contrast(style.Ground, style.Lines) < 3 {
			t.Fatalf("%s: on %v the lines are not seen", ink, style.Ground)
		}
	}
	if got := typical(t); got.Legible {
		t.Error("a game's own style is drawn for people")
	}
}

// TestAnswersEndInAHead draws an answer for people and as a game does.
func TestAnswersEndInAHead(t *testing.T) {
	row := pictured()[0]
	for _, legible := range []bool{false, true} {
		style := typical(t)
		style.Legible = legible
		heads := 0
		for _, s := range Shapes(row.panel, row.answer, style) {
			if s.Kind == picture.Polygon && s.Colour == style.Trace {
				heads++
			}
		}
		if want := map[bool]int{true: 1}[legible]; heads != want {
			t.Errorf("legible %t: %d heads, want %d", legible, heads, want)
		}
	}
}

// TestSizesRoundTrip writes the sizes of looks and reads them back.
func TestSizesRoundTrip(t *testing.T) {
	for _, name := range []string{"witness-challenge", "witnesspuzzles"} {
		p := solvetest.Must(calibrations.Load(name))(t)
		solvetest.Fine(t, CheckLook(p), name)
		z := SizesOf(p.Symbols)
		if z.Square == 0 || z.Triangle[1] == 0 || z.Eraser == 0 {
			t.Errorf("%s: sizes %+v, want all of them", name, z)
		}
		text := solvetest.Must(calibrations.Write(p, "a test"))(t)
		again := solvetest.Must(calibrations.Parse(name, "profile.toml", text))(t)
		solvetest.Same(t, SizesOf(again.Symbols), z, "%s: sizes read back", name)
	}
}

// TestCheckLookNamesKeys wants each fault to be named by its key.
func TestCheckLookNamesKeys(t *testing.T) {
	for _, row := range []struct {
		why, key string
		value    any // nil: the key is left out
		want     string
	}{
		{"a misspelt key", "sqare", 0.345, "unknown key symbols.sqare"},
		{"a key left out", "square", nil, "symbols.square is 0"},
		{"a negative size", "star", -1.0, "symbols.star is -1"},
		{"not a number", "star", math.NaN(), "symbols.star"},
		{"a word for a number", "hexagon", "wide", "want a number"},
		{"one number for two", "triangle", 0.1, "want a pair"},
		{"a number for yes or no", "eraser_up", int64(1), "want true or false"},
		{"squares that overlap", "spacing", 0.001, "symbols.spacing is 0.001"},
	} {
		p := solvetest.Must(calibrations.Load("witness-challenge"))(t)
		if delete(p.Symbols, row.key); row.value != nil {
			p.Symbols[row.key] = row.value
		}
		if err := CheckLook(p); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: got %v, want an error with %q", row.why, err, row.want)
		}
	}
}
