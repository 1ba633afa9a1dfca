package board

import (
	"fmt"
	"image"
	"slices"
)

// Differ says what is first different between a panel and a reading of it; ""
// when nothing is. Names of colours are free, as long as the same symbols share
// one.
func Differ(want, got *Panel) string {
	if want.Cols != got.Cols || want.Rows != got.Rows || want.Pillar != got.Pillar {
		return fmt.Sprintf("size %dx%d pillar %v, want %dx%d %v", got.Cols, got.Rows, got.Pillar, want.Cols, want.Rows, want.Pillar)
	}
	if want.Symmetry != got.Symmetry {
		return fmt.Sprintf("symmetry %d, want %d", got.Symmetry, want.Symmetry)
	}
	there, back := map[Colour]Colour{}, map[Colour]Colour{}
	for at := range want.Points() {
		w, g := want.At(at), got.At(at)
		switch {
		case w.Gap != g.Gap && !IsNode(at):
			return fmt.Sprintf("%v: gap %d, want %d", at, g.Gap, w.Gap)
		case w.Start != g.Start:
			return fmt.Sprintf("%v: start %v, want %v", at, g.Start, w.Start)
		case w.Cap != g.Cap:
			return fmt.Sprintf("%v: cap %v, want %v", at, g.Cap, w.Cap)
		case w.Dot.On != g.Dot.On:
			return fmt.Sprintf("%v: dot %v, want %v", at, g.Dot.On, w.Dot.On)
		case w.Dot.Line != g.Dot.Line:
			return fmt.Sprintf("%v: a dot for line %d, want %d", at, g.Dot.Line, w.Dot.Line)
		case w.Kind != g.Kind || w.Count != g.Count || w.Way != g.Way || w.Turnable != g.Turnable:
			return fmt.Sprintf("%v: symbol %v, want %v", at, g.Symbol, w.Symbol)
		case !sameShapeOf(w.Symbol, g.Symbol):
			return fmt.Sprintf("%v: shape %v, want %v", at, g.Shape, w.Shape)
		}
		if w.Kind == NoSymbol {
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

// sameShapeOf compares pieces; a turnable one in any of its four turns.
func sameShapeOf(a, b Symbol) bool {
	if len(a.Shape) == 0 || len(b.Shape) == 0 {
		return len(a.Shape) == len(b.Shape)
	}
	want, got := NormalShape(a.Shape), NormalShape(b.Shape)
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
		got = NormalShape(got)
	}
	return false
}

// Extent is how many squares each way a shape takes that lies at the origin.
func Extent(shape []image.Point) image.Point {
	var most image.Point
	for _, q := range shape {
		most = image.Pt(max(most.X, q.X), max(most.Y, q.Y))
	}
	return most.Add(image.Pt(1, 1))
}

// Untwisted is a panel in which pieces that no turn changes are none that may be
// turned: they ask the same of a line.
func Untwisted(p *Panel) *Panel {
	p = p.Clone()
	for at := range p.Points() {
		s := &p.At(at).Symbol
		upright := *s
		upright.Turnable = false
		if upright.Shape = NormalShape(s.Shape); s.Turnable && SameMeaning(Symbol{Kind: s.Kind, Shape: upright.Shape, Turnable: true}, Symbol{Kind: s.Kind, Shape: upright.Shape}) {
			*s = upright
		}
	}
	return p
}

// SameMeaning tells whether two symbols ask the same of a line: a piece that no turn
// changes is the same whether it may be turned or not.
func SameMeaning(a, b Symbol) bool {
	if a.Kind != b.Kind || a.Count != b.Count || a.Turnable == b.Turnable {
		return SameSymbol(a, b)
	}
	a.Turnable, b.Turnable = true, true
	turned := make([]image.Point, len(a.Shape))
	for i, q := range a.Shape {
		turned[i] = image.Pt(-q.Y, q.X)
	}
	return slices.Equal(NormalShape(turned), NormalShape(a.Shape)) && SameSymbol(a, b)
}

// SymbolName names a symbol for a person.
func SymbolName(s Symbol) string {
	name := s.Kind.Called()
	if s.Count > 0 {
		name = fmt.Sprintf("%s (%d)", name, s.Count)
	}
	if len(s.Shape) > 0 {
		name = fmt.Sprintf("%s %v", name, s.Shape)
		if s.Turnable {
			name += " turned"
		}
	}
	return name
}

// Kin tells whether two symbols are one piece, the one blue and the other not.
func Kin(a, b Symbol) bool {
	if !a.Kind.IsPiece() || !b.Kind.IsPiece() || a.Kind == b.Kind {
		return false
	}
	b.Kind = a.Kind
	return SameMeaning(a, b)
}

// SymmetryOf is what maps a panel's starts onto its starts and its ends, with
// their caps, onto its ends, each onto another: the game draws no other sign of
// it.
func SymmetryOf(p *Panel) Symmetry {
	for _, kind := range []Symmetry{Rotation, Mirror, Flip, Parallel, Turned} {
		q := *p
		q.Symmetry = kind
		starts, ends, ok := 0, 0, true
		for at := range p.Points() {
			a := p.At(at)
			if !a.Start && !a.IsEnd() {
				continue
			}
			to, in := q.Image(at)
			if !in || to == at {
				ok = false
				break
			}
			b := p.At(to)
			want := a.Cap
			if kind == Mirror || kind == Rotation {
				want.X = -want.X
			}
			if kind == Flip || kind == Rotation || kind == Turned {
				want.Y = -want.Y
			}
			if a.Start != b.Start || b.Cap != want {
				ok = false
				break
			}
			if a.Start {
				starts++
			}
			if a.IsEnd() {
				ends++
			}
		}
		if ok && starts > 1 && ends > 1 {
			return kind
		}
	}
	return NoSymmetry
}

// EdgeDirection is the direction of an edge.
func EdgeDirection(edge image.Point) (ux, uy float64) {
	if edge.X&1 == 1 {
		return 1, 0
	}
	return 0, 1
}

// Twins tells whether two symbols are the same piece, the one blue and the other not.
func Twins(a, b Symbol) bool {
	return a.Kind.IsPiece() && b.Kind.IsPiece() && a.Kind != b.Kind && a.Turnable == b.Turnable && slices.Equal(a.Shape, b.Shape)
}

// TwinKind is a piece's kind where it is a blue one, and a blue one's where it is not.
func TwinKind(k Kind) Kind {
	if k == Polyomino {
		return Negative
	}
	return Polyomino
}

// SameSymbol tells whether two symbols are one but for their colours.
func SameSymbol(a, b Symbol) bool {
	return a.Kind == b.Kind && a.Count == b.Count && a.Way == b.Way && a.Turnable == b.Turnable && slices.Equal(a.Shape, b.Shape)
}

// FirstOfEach is a list without what is of the same symbol as one before it.
func FirstOfEach[T any](list []T, symbol func(*T) Symbol) (out []T) {
	for i := range list {
		if !slices.ContainsFunc(out, func(o T) bool { return SameSymbol(symbol(&o), symbol(&list[i])) }) {
			out = append(out, list[i])
		}
	}
	return out
}
