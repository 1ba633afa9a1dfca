package witness

import (
	"math"

	"onlooker/solve/witness"
)

// An odds is what a symbol's probability is made of: how much each scale of what is
// seen tells, and what is likelier before anything is seen. All are logarithms of odds
// in units of misfit, those of the likelier the less.
type odds struct {
	Tint, Detail float64 // the weights of the tint of four pixels, and of each of them: see misfits
	Pixels       float64 // the power of how many pixels tell with which they tell more
	Piece        float64 // of a piece
	Square       float64 // of each of its squares but the first
	Blue         float64 // of a piece that takes squares away
	Hue          float64 // of one that is not blue, and of another that is
	Pointer      float64 // of the pointer's disc over an empty cell; not fitted, drawn boards have none
	Twin         float64 // of a piece whose squares look the other way about at a first look
	Temperature  float64 // by how much a misfit must be less for odds e times as high
}

// fittedOdds were fitted by TestFitOdds, which says how, on the 1,320 symbols of 200
// drawn boards.
func fittedOdds() odds {
	return odds{Tint: 0.1, Detail: 0.175, Pixels: 0.35, Piece: -0.1, Square: 0.12, Blue: -0.3, Hue: 0.5, Pointer: 0.6, Twin: 0.3, Temperature: 0.06125}
}

// usualPixels is how many pixels show a symbol of a cell of 25.
const usualPixels = 150

// misfit is how badly a symbol fits what is seen, less how likely it is; blue tells
// whether its colour is.
func (o *odds) misfit(f *fitted, pixels int, blue bool) float64 {
	m := f.scales[0] + o.Tint*f.scales[1] + o.Detail*f.scales[2]
	m *= math.Pow(float64(pixels)/usualPixels, o.Pixels)
	if f.sym.Kind == witness.NoSymbol {
		m += o.Pointer
	}
	if f.sym.Kind.IsPiece() {
		m += o.Piece + o.Square*float64(len(f.sym.Shape)-1)
		if f.sym.Kind == witness.Negative {
			m += o.Blue
		}
		if blue != (f.sym.Kind == witness.Negative) {
			m += o.Hue
		}
	}
	if !f.guessed {
		m += o.Twin
	}
	return m
}
