package witness

import (
	"image"
	"strings"
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
func LabelAt(p *Panel, at, way image.Point) Label {
	q := p.At(at)
	switch {
	case way != image.Point{}:
		if q.Cap == way {
			return EndCap
		}
		return NoEnd
	case IsCell(at):
		return SymbolLabel(q.Symbol)
	case q.Start:
		return StartCircle
	case q.Dot.On:
		return DotLabel(q.Dot)
	case IsNode(at):
		return PlainNode
	case q.Gap == Whole:
		return WholeEdge
	case q.Gap == Broken:
		return BrokenEdge
	}
	ux, uy := EdgeDirection(at)
	to := image.Pt(int(ux), int(uy))
	if a, b := p.At(at.Sub(to)), p.At(at.Add(to)); a != nil && a.Cap == to || b != nil && b.Cap == to.Mul(-1) {
		return EndCap
	}
	return NoEdge
}

// DotLabel names a dot by its line.
func DotLabel(d Dot) Label {
	s := Spot{Dot: Dot{On: true, Line: d.Line}}
	return Label(s.Describe(image.Point{}))
}

// SymbolLabel names a symbol without its colour.
func SymbolLabel(s Symbol) Label {
	if s.Kind == NoSymbol {
		return EmptyCell
	}
	s.Colour = ""
	spot := Spot{Symbol: s}
	return Label(spot.Describe(image.Pt(1, 1)))
}

// Shown is a label as it is shown to a person and may be answered.
func (l Label) Shown() string { return strings.Replace(string(l), Colourless+" ", "", 1) }

// Spot is what a label says that stands on a line.
func (l Label) Spot() Spot {
	s, _ := ParseSpot(image.Point{}, string(l), nil) // a label was parsed before
	return s
}
