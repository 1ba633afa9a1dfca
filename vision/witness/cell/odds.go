package cell

import (
	"math"

	witness "onlooker/solve/witness/board"
)

// An Odds is what a symbol's probability is made of: how much each scale of what is
// seen tells, and what is likelier before anything is seen. All are logarithms of odds
// in units of misfit, those of the likelier the less.
type Odds struct {
	Tint, Detail float64 // the weights of the tint of four pixels, and of each of them: see misfits
	Dim          float64 // by how much the first is more where a symbol differs from its cell in tint alone
	Pixels       float64 // the power of how many pixels tell with which they tell more
	Piece        float64 // of a piece
	Square       float64 // of each of its squares but the first
	Blue         float64 // of a piece that takes squares away
	Hue          float64 // of one that is not blue, and of another that is: see blueness
	Twin         float64 // of a piece whose squares look the other way about at a first look
	Twins        float64 // the weight of the evidence between a piece and its twin: see witness.Twins
	Temperature  float64 // by how much a misfit must be less for odds e times as high
}

// FittedOdds were fitted by TestFitOdds, which says how, on the 1,320 symbols of 200
// drawn boards; all but Dim, which was chosen on the 1,429 of 240 others for the least
// loss, and of nearly as good ones for the fewest that are left unsure: 30 (55 without
// it), and as many mistakes among the rest, 1; and all but Twins, which has the least loss
// on 4,617 pairs of twins on 6,676 other boards: 84, of 123 with 1.
func FittedOdds() Odds {
	return Odds{Tint: 0.1, Detail: 0.175, Dim: 0.3, Pixels: 0.35, Piece: -0.1, Square: 0.12, Blue: -0.3, Hue: 0.5, Twin: 0.3, Twins: 0.5, Temperature: 0.06125}
}

// usualPixels is how many pixels show a symbol of a cell of 25.
const usualPixels = 150

// A Visible is what is known of a stain besides its fits.
type Visible struct {
	pixels int     // that show it
	tinted float64 // 0 to 1: how much of what it differs from its cell by is tint, and not light; of squares
	pieceColour
}

// A pieceColour is what a stain's colour tells of the kind of piece that it is.
type pieceColour struct {
	blue   float64 // -1 to 1: whether it is; see blueness
	onBlue bool    // whether its cell has nearly the colour of blue pieces: there they have another
}

// Misfit is how badly a symbol fits what is seen, less how likely it is.
func (o *Odds) Misfit(f *Fitted, v Visible) float64 {
	m := f.scales[0] + (o.Tint+o.Dim*v.tinted)*f.scales[1] + o.Detail*f.scales[2]
	m *= math.Pow(float64(v.pixels)/usualPixels, o.Pixels)
	if f.Sym.Kind.IsPiece() {
		m += o.Piece + o.Square*float64(len(f.Sym.Shape)-1)
		if f.Sym.Kind == witness.Negative {
			m += o.Blue
		}
		m += o.hue(f.Sym.Kind, v.pieceColour)
	}
	if !f.guessed {
		m += o.Twin
	}
	return m
}

// hue is what the colour of a stain speaks against a kind of piece. On blue that it is not
// blue speaks against neither.
func (o *Odds) hue(kind witness.Kind, c pieceColour) float64 {
	if kind == witness.Negative && (c.blue > 0 || !c.onBlue) {
		return o.Hue * (1 - c.blue) / 2
	}
	return o.Hue * (1 + c.blue) / 2
}
