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
	Dim          float64 // by how much the first is more where a symbol differs from its cell in tint alone
	Pixels       float64 // the power of how many pixels tell with which they tell more
	Piece        float64 // of a piece
	Square       float64 // of each of its squares but the first
	Blue         float64 // of a piece that takes squares away
	Hue          float64 // of one that is not blue, and of another that is
	Twin         float64 // of a piece whose squares look the other way about at a first look
	Temperature  float64 // by how much a misfit must be less for odds e times as high
}

// fittedOdds were fitted by TestFitOdds, which says how, on the 1,320 symbols of 200
// drawn boards; all but Dim, which was chosen on the 1,429 of 240 others for the least
// loss, and of nearly as good ones for the fewest that are left unsure: 30 (55 without
// it), and as many mistakes among the rest, 1.
func fittedOdds() odds {
	return odds{Tint: 0.1, Detail: 0.175, Dim: 0.3, Pixels: 0.35, Piece: -0.1, Square: 0.12, Blue: -0.3, Hue: 0.5, Twin: 0.3, Temperature: 0.06125}
}

// usualPixels is how many pixels show a symbol of a cell of 25.
const usualPixels = 150

// A visible is what is known of a stain besides its fits.
type visible struct {
	pixels int     // that show it
	tinted float64 // 0 to 1: how much of what it differs from its cell by is tint, and not light; of squares
	blue   bool    // whether its colour is
}

// misfit is how badly a symbol fits what is seen, less how likely it is.
func (o *odds) misfit(f *fitted, v visible) float64 {
	m := f.scales[0] + (o.Tint+o.Dim*v.tinted)*f.scales[1] + o.Detail*f.scales[2]
	m *= math.Pow(float64(v.pixels)/usualPixels, o.Pixels)
	if f.sym.Kind.IsPiece() {
		m += o.Piece + o.Square*float64(len(f.sym.Shape)-1)
		if f.sym.Kind == witness.Negative {
			m += o.Blue
		}
		if v.blue != (f.sym.Kind == witness.Negative) {
			m += o.Hue
		}
	}
	if !f.guessed {
		m += o.Twin
	}
	return m
}
