package cell

import (
	"image"
	"math"

	"onlooker/vision"
	"onlooker/vision/witness/pointer"
	"onlooker/vision/witness/view"
)

// SquareReach is how far a square reaches from its middle, in pitches: no symbol's parts are larger.
const SquareReach = 0.24

// Reached tells whether a veil or its border may lie over what stands in a cell, or
// beside it.
func Reached(v view.Disc, s *view.View, cell image.Point) bool {
	x, y := pointer.To(v, s, cell)
	return math.Hypot(x, y) < v.Ring+v.Soft+SquareReach*float64(s.Board.Pitch)
}

// covers tells whether the pointer hides what stands in a cell: where it is not seen through
// all of it, else what it lies over, and what is in doubt.
func (s *Reader) covers(v view.Disc, cell image.Point, st *Stain, doubt error) bool {
	if pointer.Hides(s.View, cell, SquareReach) {
		return true
	}
	if st == nil {
		return doubt != nil && Reached(v, s.View, cell)
	}
	x, y := pointer.To(v, s.View, cell)
	for j := range st.N {
		for i := range st.N {
			if st.Cover[j*st.N+i] >= 0.5 && math.Hypot(x+float64(i)+0.5-float64(st.N)/2, y+float64(j)+0.5-float64(st.N)/2) < v.Ring {
				return true
			}
		}
	}
	return false
}

// PointerAlone tells whether what is seen in a cell is the pointer and nothing else: a disc
// larger than any symbol's parts, through which none is seen.
func PointerAlone(v view.Disc, s *view.View, cell image.Point, st *Stain) bool {
	pitch := float64(s.Board.Pitch)
	x, y := pointer.To(v, s, cell)
	if v.R-pointer.Border(v, s) < SquareReach*pitch || math.Hypot(x, y) > 0.1*pitch {
		return false
	}
	discs := s.Discs // the pointer, and what shrinks onto it
	if len(discs) == 0 {
		discs = []view.Disc{v}
	}
	// Patches as wide as what fits into a triangle: single pixels of a compressed
	// picture differ by more.
	half := int(0.04*pitch + 0.5)
	under := make([][]vision.RGB, len(discs)) // by under how many more discs than the pointer
	for py := math.Ceil(-v.R); py < v.R; py++ {
		for px := math.Ceil(-v.R); px < v.R; px++ {
			deep := pointer.Beneath(s, discs, px, py, float64(half))
			if deep < 0 {
				continue
			}
			var mean vision.RGB
			for b := -half; b <= half; b++ {
				for a := -half; a <= half; a++ {
					mean = mean.Add(vision.At(v.From, v.X+px+float64(a), v.Y+py+float64(b)))
				}
			}
			n := float64((2*half + 1) * (2*half + 1))
			under[deep] = append(under[deep], vision.RGB{mean[0] / n, mean[1] / n, mean[2] / n})
		}
	}
	// 0.125: a symbol differs from the cell by 0.22 of the contrast, seen through the
	// veil by 0.6 of that, and through every further one by as much less.
	most := 0.125 * s.Contrast()
	for deep, seen := range under {
		if deep > 0 {
			most *= discs[deep].Keep
		}
		if len(seen) == 0 {
			continue
		}
		usual := vision.MedianRGB(seen)
		for _, c := range seen {
			if c.Dist(usual) > most {
				return false
			}
		}
	}
	if st == nil {
		return true
	}
	for k, cover := range st.Cover {
		px, py := x+float64(k%st.N)+0.5-float64(st.N)/2, y+float64(k/st.N)+0.5-float64(st.N)/2
		if cover >= 0.5 && math.Hypot(px, py) > v.Ring {
			return false
		}
	}
	return true
}
