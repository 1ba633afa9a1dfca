// Package made makes up panels for tests of what draws and reads them, and compares pictures of
// boards with files that a person looked at, in all three renderers.
package made

import (
	"image"
	"image/color"
	"image/png"
	"os"
	"testing"

	"onlooker/solve"
	witness "onlooker/solve/witness/board"
)

// A Change is made to a panel that is being made up.
type Change func(p *witness.Panel)

// Panel is a panel with some changes made to it.
func Panel(cols, rows int, pillar bool, symmetry witness.Symmetry, changes ...Change) *witness.Panel {
	p := witness.New(cols, rows, pillar)
	p.Symmetry = symmetry
	for _, c := range changes {
		c(p)
	}
	return p
}

// Starts puts start circles at nodes or edges.
func Starts(at ...image.Point) Change {
	return func(p *witness.Panel) {
		for _, a := range at {
			p.At(a).Start = true
		}
	}
}

// End puts an end with its cap at a node.
func End(x, y, dx, dy int) Change {
	return func(p *witness.Panel) { p.At(image.Pt(x, y)).Cap = image.Pt(dx, dy) }
}

// Gap breaks edges or leaves them out.
func Gap(g witness.Gap, at ...image.Point) Change {
	return func(p *witness.Panel) {
		for _, a := range at {
			p.At(a).Gap = g
		}
	}
}

// Dot puts a dot of one kind at places.
func Dot(d witness.Dot, at ...image.Point) Change {
	return func(p *witness.Panel) {
		for _, a := range at {
			d.On = true
			p.At(a).Dot = d
		}
	}
}

// Symbol puts a symbol into cells.
func Symbol(s witness.Symbol, at ...image.Point) Change {
	return func(p *witness.Panel) {
		for _, a := range at {
			p.At(a).Symbol = s
		}
	}
}

// Stroke is a solution of one stroke through places given as x, y, x, y, …
func Stroke(xy ...int) solve.Solution {
	var s solve.Stroke
	for i := 0; i < len(xy); i += 2 {
		s = append(s, image.Pt(xy[i], xy[i+1]))
	}
	return solve.Solution{s}
}

// WritePNG keeps a picture, and fails the test where it cannot.
func WritePNG(t *testing.T, file string, m image.Image) {
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

// RGB is an opaque colour.
func RGB(r, g, b uint8) color.NRGBA { return color.NRGBA{R: r, G: g, B: b, A: 255} }

// Sampler is a panel with squares, stars, an eraser, triangles, a break and a
// dot on it: what a look is measured by.
func Sampler() *witness.Panel {
	return Panel(4, 3, false, witness.NoSymmetry, Starts(image.Pt(0, 6)), End(8, 0, 0, -1),
		Gap(witness.Broken, image.Pt(3, 0), image.Pt(4, 3)), Dot(witness.Dot{}, image.Pt(6, 3)),
		Symbol(witness.Symbol{Kind: witness.Square, Colour: witness.White}, image.Pt(1, 1), image.Pt(3, 3)),
		Symbol(witness.Symbol{Kind: witness.Square, Colour: witness.Black}, image.Pt(5, 1)),
		Symbol(witness.Symbol{Kind: witness.Star, Colour: witness.Black}, image.Pt(7, 1), image.Pt(1, 5)),
		Symbol(witness.Symbol{Kind: witness.Triangle, Count: 2, Colour: witness.Orange}, image.Pt(3, 5)),
		Symbol(witness.Symbol{Kind: witness.Triangle, Count: 3, Colour: witness.Orange}, image.Pt(5, 5)),
		Symbol(witness.Symbol{Kind: witness.Polyomino, Colour: witness.Yellow, Shape: []image.Point{{}, {X: 1}, {X: 2}}}, image.Pt(7, 5)),
		Symbol(witness.Symbol{Kind: witness.Polyomino, Colour: witness.Yellow, Shape: []image.Point{{}, {Y: 1}}}, image.Pt(7, 3)))
}
