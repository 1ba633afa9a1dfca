package witness

import (
	"math"

	witness "onlooker/solve/witness/board"
	"onlooker/vision/witness/view"
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
	Hue          float64 // of one that is not blue, and of another that is: see blueness
	Twin         float64 // of a piece whose squares look the other way about at a first look
	Twins        float64 // the weight of the evidence between a piece and its twin: see witness.Twins
	Temperature  float64 // by how much a misfit must be less for odds e times as high
}

// fittedOdds were fitted by TestFitOdds, which says how, on the 1,320 symbols of 200
// drawn boards; all but Dim, which was chosen on the 1,429 of 240 others for the least
// loss, and of nearly as good ones for the fewest that are left unsure: 30 (55 without
// it), and as many mistakes among the rest, 1; and all but Twins, which has the least loss
// on 4,617 pairs of twins on 6,676 other boards: 84, of 123 with 1.
func fittedOdds() odds {
	return odds{Tint: 0.1, Detail: 0.175, Dim: 0.3, Pixels: 0.35, Piece: -0.1, Square: 0.12, Blue: -0.3, Hue: 0.5, Twin: 0.3, Twins: 0.5, Temperature: 0.06125}
}

// usualPixels is how many pixels show a symbol of a cell of 25.
const usualPixels = 150

// A visible is what is known of a stain besides its fits.
type visible struct {
	pixels int     // that show it
	tinted float64 // 0 to 1: how much of what it differs from its cell by is tint, and not light; of squares
	pieceColour
}

// A pieceColour is what a stain's colour tells of the kind of piece that it is.
type pieceColour struct {
	blue   float64 // -1 to 1: whether it is; see blueness
	onBlue bool    // whether its cell has nearly the colour of blue pieces: there they have another
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
		m += o.hue(f.sym.Kind, v.pieceColour)
	}
	if !f.guessed {
		m += o.Twin
	}
	return m
}

// hue is what the colour of a stain speaks against a kind of piece. On blue that it is not
// blue speaks against neither.
func (o *odds) hue(kind witness.Kind, c pieceColour) float64 {
	if kind == witness.Negative && (c.blue > 0 || !c.onBlue) {
		return o.Hue * (1 - c.blue) / 2
	}
	return o.Hue * (1 + c.blue) / 2
}

// What is seen under the rings of captured pointers is 0.72 to 0.95 of what lies there, in
// drawn ones 0.48 and more: a darker ring is an outline. leastRing is the least, mostRing
// how much darker than what lies there a ring is to be as clear as any.
const leastRing, mostRing = 0.5, 0.1

// A pointerOdds is what a round's probability to be the pointer is made of: the logarithm
// of the odds before anything is seen, and the weights of what tells.
type pointerOdds struct {
	Base, Ring, Outline, Border, Tinted, Inked, Bright, Alike float64
}

// fittedPointer was fitted by logistic regression to the candidates of 191 boards of
// captures, 324 of four variants of each, 497 drawn boards, 147 with a pointer drawn on
// them, a third as heavy, and 353 in 64 looks that have none. Of 253 candidates that are
// captured pointers it leaves 4 below even odds, of 19,061 others 16 above them.
// Bright was fitted to the square instead of the fourth power, which says more of what is
// more than twice as white: captured pointers are up to 1.3 times, in a picture that is
// brightened by half 1.95, white symbols on a dark ground 2.1 and more.
//
// That fit is not in the repository. TestFitPointer repeats it on drawn boards, boards that
// glow, other looks and the captures of which it is known where the pointer is: of 294
// pointers 12 are missed by its weights and 14 by these, of 9,952 others 23 and 31 are
// taken. Its weights are not in use: they give a start circle of the lines' colour odds of 3 to 1
// instead of even ones, and a picture of 480 of other looks is read wrong.
func fittedPointer() pointerOdds {
	return pointerOdds{Base: -1.8, Ring: 66, Outline: -80, Border: -42, Tinted: -11.6, Inked: -4.9, Bright: -6.1, Alike: -8}
}

// of is the logarithm of the odds.
func (o *pointerOdds) of(e view.PointerEvidence) float64 {
	return o.Base + o.Ring*e.Ring + o.Outline*e.Outline + o.Border*e.Border + o.Tinted*e.Tinted + o.Inked*e.Inked + o.Bright*e.Bright + o.Alike*e.Alike
}
