package view

import (
	"image"
	"math"
	"slices"

	"onlooker/vision"
)

// A PointerEvidence is what tells a pointer from symbols, dots, circles and light.
type PointerEvidence struct {
	Ring    float64 // how much darker it is under its ring, up to mostRing
	Outline float64 // how much less than leastRing is seen there
	Border  float64 // along what share of its border it is not brighter inside
	Tinted  float64 // how far its own colour is from grey, 0 to 1
	Inked   float64 // how much it has the colour of lines, 0 to 1
	Bright  float64 // the fourth power of how many times white it is, less one
	Alike   float64 // the square of how like another it is
}

// A Disc is what the game lays over a panel in a circle: its pointer, white at
// some opacity with a dark ring round it, or the larger disc that shrinks onto
// the pointer as a panel is entered. It is a compositing model: within the disc
// keep of what lies under it is seen, and add, and within the ring dark of it. What
// lies under it is what a plain board shows there. All are fitted to the picture, for
// it may have been brightened or darkened since, and no size is taken for granted, for
// it may have been scaled or cut. Lengths are pixels of the flat picture.
type Disc struct {
	X, Y float64
	R    float64 // to here it is veiled
	Ring float64 // to here it is under the dark ring; r where there is none
	Soft float64 // the borders are unclear this far to both sides
	Keep float64
	Add  vision.RGB
	Dark float64
	From *image.RGBA // the flat picture it was found in

	Line, Cell vision.RGB // that are usual round it
	Told       float64    // how much of keep the picture tells, and not what is usual: 0 to 1
	Tinted     float64    // how far add is from grey, or from what filtered light makes of it, 0 to 1
	Filtered   bool       // the latter
	Explained  float64    // the share of what is seen in the disc that the model explains
	Seen       PointerEvidence
	Odds       float64 // the logarithm of the odds that it is a pointer: see pointerOdds
	Shape      float64 // the same by its border and its ring, whatever lies under it
	AsAnother  bool    // another cell holds something of the same outline
}

// certain tells whether a veil is a pointer with some confidence.
func (v Disc) certain(confidence float64) bool { return v.Odds > math.Log(confidence/(1-confidence)) }

// Hidden tells whether a pixel of the flat picture lies under the border of a
// veil, where what is there was not seen.
func (s *View) Hidden(px, py float64) bool {
	return slices.ContainsFunc(s.Discs, func(v Disc) bool {
		r := math.Hypot(px-v.X, py-v.Y)
		return math.Abs(r-v.R) < v.Soft+1 || math.Abs(r-v.Ring) < v.Soft+1
	})
}
