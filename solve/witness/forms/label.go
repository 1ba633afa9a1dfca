package forms

import (
	"image"
	"strings"

	"onlooker/solve/witness/board"
)

// A Label is what stands in a place, in the words of the text form.
type Label string

const (
	PlainNode   Label = "plain"
	StartCircle Label = "start"
	WholeEdge   Label = "whole"
	BrokenEdge  Label = "broken"
	NoEdge      Label = "missing"
	EndCap      Label = "end"
	NoEnd       Label = "nothing"
	EmptyCell   Label = "empty"
)

// Colourless stands in a label where a kind that has a colour has none.
const Colourless = "colourless"

// LabelAt is what a panel has in a place; symbols without their colours.
func LabelAt(p *board.Panel, at, way image.Point) Label {
	q := p.At(at)
	switch {
	case way != image.Point{}:
		if q.Cap == way {
			return EndCap
		}
		return NoEnd
	case board.IsCell(at):
		return SymbolLabel(q.Symbol)
	case q.Start:
		return StartCircle
	case q.Dot.On:
		return DotLabel(q.Dot)
	case board.IsNode(at):
		return PlainNode
	case q.Gap == board.Whole:
		return WholeEdge
	case q.Gap == board.Broken:
		return BrokenEdge
	}
	ux, uy := board.EdgeDirection(at)
	to := image.Pt(int(ux), int(uy))
	if a, b := p.At(at.Sub(to)), p.At(at.Add(to)); a != nil && a.Cap == to || b != nil && b.Cap == to.Mul(-1) {
		return EndCap
	}
	return NoEdge
}

// DotLabel names a dot by its line.
func DotLabel(d board.Dot) Label {
	s := board.Spot{Dot: board.Dot{On: true, Line: d.Line}}
	return Label(Describe(image.Point{}, &s))
}

// SymbolLabel names a symbol without its colour.
func SymbolLabel(s board.Symbol) Label {
	if s.Kind == board.NoSymbol {
		return EmptyCell
	}
	s.Colour = ""
	spot := board.Spot{Symbol: s}
	return Label(Describe(image.Pt(1, 1), &spot))
}

// Shown is a label as it is shown to a person and may be answered.
func (l Label) Shown() string { return strings.Replace(string(l), Colourless+" ", "", 1) }

// Spot is what a label says that stands on a line.
func (l Label) Spot() board.Spot {
	s, _ := ParseSpot(image.Point{}, string(l), nil) // a label was parsed before
	return s
}
