package vision

import (
	"fmt"
	"image"
	"slices"

	"gocv.io/x/gocv"
)

// Outlines are the outlines of what hangs together in a mask so many bytes wide, where it is not 0,
// and of the holes in it: of those of some pixels and more a polygon from which no pixel of the
// outline lies further than off. What is set lies on its left hand.
func Outlines(mask []byte, wide, least int, off float64) ([][]image.Point, error) {
	m, err := gocv.NewMatFromBytes(len(mask)/wide, wide, gocv.MatTypeCV8U, mask)
	if err != nil {
		return nil, fmt.Errorf("outlines: %w", err)
	}
	defer m.Close()
	found := gocv.FindContours(m, gocv.RetrievalCComp, gocv.ChainApproxNone)
	defer found.Close()
	var out [][]image.Point
	for i := range found.Size() {
		if border := found.At(i); border.Size() >= least {
			polygon := gocv.ApproxPolyDP(border, off, true)
			out = append(out, polygon.ToPoints())
			polygon.Close()
		}
	}
	if len(out) > 0 {
		slices.Reverse(out[1:]) // the first hole after what it is in
	}
	return out, nil
}
