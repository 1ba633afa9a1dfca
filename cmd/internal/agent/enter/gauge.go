package enter

import (
	"math"
	"slices"
)

// mostGauged is how many measurements of a line's width are enough.
const mostGauged = 9

// A gauge is how wide a line is, in half-cells.
type gauge struct {
	nominal  float64   // by what the board's lines say
	width    float64   // as far as is known
	measured []float64 // sorted
}

// newGauge is of a line of which other lines tell how wide it is, by what their boards say; 0:
// none does.
func newGauge(nominal, wide float64) gauge {
	g := gauge{nominal: nominal, width: nominal}
	if wide > 0 && math.Abs(wide-1) < 0.1 {
		g.width *= wide
	}
	return g
}

// full tells whether nothing more is to be measured.
func (g *gauge) full() bool { return len(g.measured) >= mostGauged }

// add takes a measurement, and tells whether it counts: one that is far from what the board's
// lines say is of something else.
func (g *gauge) add(width float64) bool {
	if math.Abs(width/g.nominal-1) >= 0.15 {
		return false
	}
	g.measured = append(g.measured, width)
	slices.Sort(g.measured)
	g.width = g.measured[len(g.measured)/2]
	return true
}

// wide is how wide the line was measured, by what the board's lines say; 0: it was not.
func (g *gauge) wide() float64 {
	if len(g.measured) == 0 {
		return 0
	}
	return g.width / g.nominal
}
