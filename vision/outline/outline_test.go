package outline

import (
	"image"
	"math/rand/v2"
	"slices"
	"testing"

	"gocv.io/x/gocv"
)

// TestOutline: parts of random masks, of widths that fill whole words and others,
// have the borders and polygons that OpenCV finds.
func TestOutline(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	seen := 0
	var tr tracer
	for _, size := range []image.Point{{1, 9}, {37, 29}, {64, 40}, {130, 71}, {199, 64}} {
		for share := range 9 {
			mask := make([]byte, size.X*size.Y)
			for i := range mask {
				// Blocks of two by two leave parts of some size, and holes in them.
				if x, y := i%size.X, i/size.X; x%2+y%2 == 0 && rng.IntN(10) <= share {
					for _, k := range []int{i, i + 1, i + size.X, i + size.X + 1} {
						if (k == i || x+1 < size.X || k == i+size.X) && k < len(mask) {
							mask[k] = 255
						}
					}
				}
			}
			area := 0
			for _, p := range Parts(mask, size.X, size.Y, 1) {
				area += p.Area
				paint := make([]byte, p.Box.Dx()*p.Box.Dy())
				for _, s := range p.Spans {
					for x := s.X0; x < s.X1; x++ {
						paint[(int(s.Y)-p.Box.Min.Y)*p.Box.Dx()+int(x)-p.Box.Min.X] = 255
					}
				}
				m, err := gocv.NewMatFromBytes(p.Box.Dy(), p.Box.Dx(), gocv.MatTypeCV8U, paint)
				if err != nil {
					t.Fatal(err)
				}
				var want, got [][]image.Point
				contours := gocv.FindContours(m, gocv.RetrievalCComp, gocv.ChainApproxNone)
				for _, c := range contours.ToPoints() {
					if len(c) >= 8 {
						v := gocv.NewPointVectorFromPoints(c)
						poly := gocv.ApproxPolyDP(v, 1.2, true)
						want = append(want, slices.Concat(c, poly.ToPoints()))
						poly.Close()
						v.Close()
					}
				}
				contours.Close()
				m.Close()
				tr.borders(&p, func(border []image.Point) {
					if len(border) >= 8 {
						got = append(got, slices.Concat(border, tr.straightened(border, 1.2)))
					}
				})
				if len(got) > 0 {
					slices.Reverse(got[1:]) // OpenCV tells the last hole first
				}
				if !slices.EqualFunc(got, want, slices.Equal[[]image.Point]) {
					t.Fatalf("%v, part %v: got %v, want %v", size, p.Box, got, want)
				}
				seen += len(got)
			}
			if set := len(mask) - slices.Index(append(slices.Sorted(slices.Values(mask)), 255), 255); area != set {
				t.Errorf("%v: parts of %d pixels, want %d", size, area, set)
			}
		}
	}
	if seen < 100 {
		t.Errorf("%d borders, want a hundred at least", seen)
	}
}
