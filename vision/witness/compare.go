package witness

import (
	"fmt"
	"image"
	"slices"

	"onlooker/solve/witness"
)

// differ says what is first different between a panel and a reading of it; ""
// when nothing is. Names of colours are free, as long as the same symbols share
// one.
func differ(want, got *witness.Panel) string {
	if want.Cols != got.Cols || want.Rows != got.Rows || want.Pillar != got.Pillar {
		return fmt.Sprintf("size %dx%d pillar %v, want %dx%d %v", got.Cols, got.Rows, got.Pillar, want.Cols, want.Rows, want.Pillar)
	}
	if want.Symmetry != got.Symmetry {
		return fmt.Sprintf("symmetry %d, want %d", got.Symmetry, want.Symmetry)
	}
	there, back := map[witness.Colour]witness.Colour{}, map[witness.Colour]witness.Colour{}
	for at := range want.Points() {
		w, g := want.At(at), got.At(at)
		switch {
		case w.Gap != g.Gap && !witness.IsNode(at):
			return fmt.Sprintf("%v: gap %d, want %d", at, g.Gap, w.Gap)
		case w.Start != g.Start:
			return fmt.Sprintf("%v: start %v, want %v", at, g.Start, w.Start)
		case w.Cap != g.Cap:
			return fmt.Sprintf("%v: cap %v, want %v", at, g.Cap, w.Cap)
		case w.Dot.On != g.Dot.On:
			return fmt.Sprintf("%v: dot %v, want %v", at, g.Dot.On, w.Dot.On)
		case w.Dot.Line != g.Dot.Line:
			return fmt.Sprintf("%v: a dot for line %d, want %d", at, g.Dot.Line, w.Dot.Line)
		case w.Kind != g.Kind || w.Count != g.Count || w.Turnable != g.Turnable:
			return fmt.Sprintf("%v: symbol %v, want %v", at, g.Symbol, w.Symbol)
		case !sameShape(w.Symbol, g.Symbol):
			return fmt.Sprintf("%v: shape %v, want %v", at, g.Shape, w.Shape)
		}
		if w.Kind == witness.NoSymbol {
			continue
		}
		if c, ok := there[w.Colour]; ok && c != g.Colour {
			return fmt.Sprintf("%v: colour %s, want that of the other %s ones, %s", at, g.Colour, w.Colour, c)
		}
		if c, ok := back[g.Colour]; ok && c != w.Colour {
			return fmt.Sprintf("%v: colour %s stands for both %s and %s", at, g.Colour, c, w.Colour)
		}
		there[w.Colour], back[g.Colour] = g.Colour, w.Colour
	}
	return ""
}

// sameShape compares pieces; a turnable one in any of its four turns.
func sameShape(a, b witness.Symbol) bool {
	if len(a.Shape) == 0 || len(b.Shape) == 0 {
		return len(a.Shape) == len(b.Shape)
	}
	want, got := tidy(a.Shape), tidy(b.Shape)
	for turn := range 4 {
		if slices.Equal(want, got) {
			return true
		}
		if !a.Turnable || turn == 3 {
			break
		}
		for i, p := range got {
			got[i] = image.Pt(-p.Y, p.X)
		}
		got = tidy(got)
	}
	return false
}

// extent is how many squares each way a shape takes that lies at the origin.
func extent(shape []image.Point) image.Point {
	var most image.Point
	for _, q := range shape {
		most = image.Pt(max(most.X, q.X), max(most.Y, q.Y))
	}
	return most.Add(image.Pt(1, 1))
}

// tidy moves a shape to the origin, in reading order.
func tidy(shape []image.Point) []image.Point {
	least := shape[0]
	for _, b := range shape {
		least = image.Pt(min(least.X, b.X), min(least.Y, b.Y))
	}
	var out []image.Point
	for _, b := range shape {
		out = append(out, b.Sub(least))
	}
	slices.SortFunc(out, func(a, b image.Point) int {
		if a.Y != b.Y {
			return a.Y - b.Y
		}
		return a.X - b.X
	})
	return out
}

// untwisted is a panel in which pieces that no turn changes are none that may be
// turned: they ask the same of a line.
func untwisted(p *witness.Panel) *witness.Panel {
	p = p.Clone()
	for at := range p.Points() {
		s := &p.At(at).Symbol
		upright := *s
		upright.Turnable = false
		if upright.Shape = tidyOrNone(s.Shape); s.Turnable && sameMeaning(witness.Symbol{Kind: s.Kind, Shape: upright.Shape, Turnable: true}, witness.Symbol{Kind: s.Kind, Shape: upright.Shape}) {
			*s = upright
		}
	}
	return p
}

// tidyOrNone is tidy, and nothing of no shape.
func tidyOrNone(shape []image.Point) []image.Point {
	if len(shape) == 0 {
		return nil
	}
	return tidy(shape)
}
