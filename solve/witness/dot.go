package witness

import (
	"image"

	"onlooker/solve"
)

// colouredDots says where a line covers a dot of the other line, which no
// eraser mends. A panel without symmetry has one line, to which all dots
// belong.
func (l *play) colouredDots() *solve.RuleError {
	if !l.p.Rules.ColouredDots || l.p.Symmetry == NoSymmetry {
		return nil
	}
	for at := range l.p.Points() {
		dot, i := l.p.At(at).Dot, l.index(at)
		if dot.On && (dot.Line == OwnLine && l.other[i] || dot.Line == OtherLine && l.own[i]) {
			return broken("coloured-dot", at, "covered by the other line than its own")
		}
	}
	return nil
}

// wrongDots are the dots that no line covers.
func wrongDots(v *view) []image.Point {
	var wrong []image.Point
	for _, at := range v.dots {
		if !v.gone[at] {
			wrong = append(wrong, at)
		}
	}
	return wrong
}
