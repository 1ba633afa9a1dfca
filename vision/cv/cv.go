// Package cv is the door to OpenCV: what the readers use of it, of plain values.
package cv

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"
	"unsafe"

	"gocv.io/x/gocv"
)

// Version is that of the OpenCV that runs, as in "4.6.0".
func Version() string { return gocv.OpenCVVersion() }

// A matrix is somebody's memory as OpenCV sees it.
type matrix struct {
	wide, high int
	kind       gocv.MatType
	memory     []byte
}

func levels(v []byte, wide int) matrix { return matrix{wide, len(v) / wide, gocv.MatTypeCV8U, v} }

func pixels(m *image.RGBA) matrix {
	w, h := m.Rect.Dx(), m.Rect.Dy()
	return matrix{w, h, gocv.MatTypeCV8UC4, m.Pix[:4*w*h]}
}

func numbers[T float32 | float64](v []T, wide int) matrix {
	size, kind := int(unsafe.Sizeof(v[0])), gocv.MatTypeCV32F
	if size == 8 {
		kind = gocv.MatTypeCV64F
	}
	return matrix{wide, len(v) / wide, kind, unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), size*len(v))}
}

// with has OpenCV work on matrices: it fills those that have the size and kind of what comes out.
// That it cannot is a fault of the program, or there is no memory left.
func with(do func(m []gocv.Mat) error, all ...matrix) {
	mats := make([]gocv.Mat, 0, len(all))
	defer func() {
		for i := range mats {
			mats[i].Close()
		}
	}()
	for _, a := range all {
		m, err := gocv.NewMatFromBytes(a.high, a.wide, a.kind, a.memory)
		if err != nil {
			panic(fmt.Errorf("OpenCV: %w", err))
		}
		mats = append(mats, m)
	}
	if err := do(mats); err != nil {
		panic(fmt.Errorf("OpenCV: %w", err))
	}
}

// Warped is a picture of w×h pixels whose pixel p is the other's at m(p), a projective map.
func Warped(full *image.RGBA, m [9]float64, w, h int) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	with(func(a []gocv.Mat) error {
		return gocv.WarpPerspectiveWithParams(a[0], &a[1], a[2], image.Pt(w, h), gocv.InterpolationLinear+gocv.WarpInverseMap, gocv.BorderReplicate, color.RGBA{})
	}, pixels(full), pixels(out), numbers(m[:], 3))
	return out
}

// Resized is a picture made smaller, each pixel the mean of those that it takes in.
func Resized(full *image.RGBA, w, h int) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	with(func(a []gocv.Mat) error {
		return gocv.Resize(a[0], &a[1], image.Pt(w, h), 0, 0, gocv.InterpolationArea)
	}, pixels(full), pixels(out))
	return out
}

// Mean is the mean of the square of so many pixels a side round each of a grey picture's.
func Mean(picture []byte, wide, side int) []byte {
	out := make([]byte, len(picture))
	with(func(a []gocv.Mat) error { return gocv.Blur(a[0], &a[1], image.Pt(side, side)) }, levels(picture, wide), levels(out, wide))
	return out
}

// Divided is 255 where a picture is darker, or brighter, than what a table has for another's value
// there, and else 0.
func Divided(picture, by []byte, wide int, table *[256]byte, dark bool) []byte {
	out, than := make([]byte, len(picture)), gocv.CompareGT
	if dark {
		than = gocv.CompareLT
	}
	with(func(a []gocv.Mat) error {
		return errors.Join(gocv.LUT(a[1], a[2], &a[3]), gocv.Compare(a[0], a[3], &a[3], than))
	}, levels(picture, wide), levels(by, wide), levels(table[:], len(table)), levels(out, wide))
	return out
}

// Blurred is a picture of numbers blurred by a Gaussian of some sigma, as far as twice that; beyond
// it all is 0.
func Blurred[T float32 | float64](v []T, wide int, sigma float64) []T {
	out, side := make([]T, len(v)), 2*int(math.Ceil(2*sigma))+1
	with(func(a []gocv.Mat) error {
		return gocv.GaussianBlur(a[0], &a[1], image.Pt(side, side), sigma, sigma, gocv.BorderConstant)
	}, numbers(v, wide), numbers(out, wide))
	return out
}

// Inverse is that of a symmetric matrix of n×n that takes no vector against its way.
func Inverse(m []float64, n int) []float64 {
	out := make([]float64, len(m))
	with(func(a []gocv.Mat) error {
		gocv.Invert(a[0], &a[1], gocv.SolveDecompositionCholesky)
		return nil
	}, numbers(m, n), numbers(out, n))
	return out
}

// LeastEigenvector is that of a symmetric matrix of 3×3, of length 1.
func LeastEigenvector(m [9]float64) [3]float64 {
	values, vectors := make([]float64, 3), make([]float64, 9)
	with(func(a []gocv.Mat) error {
		gocv.Eigen(a[0], &a[1], &a[2])
		return nil
	}, numbers(m[:], 3), numbers(values, 1), numbers(vectors, 3))
	return [3]float64(vectors[6:])
}

// Best is where a template lies best on a picture of wide columns, by its correlation coefficient
// there; over a part of one value that is not defined.
func Best(picture []float32, wide int, template []float32, narrow int) (score float32, at image.Point) {
	result, none := gocv.NewMat(), gocv.NewMat()
	defer result.Close()
	defer none.Close()
	with(func(a []gocv.Mat) error { return gocv.MatchTemplate(a[0], a[1], &result, gocv.TmCcoeffNormed, none) },
		numbers(picture, wide), numbers(template, narrow))
	_, score, _, at = gocv.MinMaxLoc(result)
	return score, at
}

// Outlines are the outlines of what hangs together in a mask so many bytes wide, where it is not 0,
// and of the holes in it: of those of some pixels and more a polygon from which no pixel of the
// outline lies further than off. What is set lies on its left hand.
func Outlines(mask []byte, wide, least int, off float64) (out [][]image.Point) {
	with(func(a []gocv.Mat) error {
		found := gocv.FindContours(a[0], gocv.RetrievalCComp, gocv.ChainApproxNone)
		defer found.Close()
		for i := range found.Size() {
			if border := found.At(i); border.Size() >= least {
				polygon := gocv.ApproxPolyDP(border, off, true)
				out = append(out, polygon.ToPoints())
				polygon.Close()
			}
		}
		return nil
	}, levels(mask, wide))
	if len(out) > 0 {
		slices.Reverse(out[1:]) // the first hole after what it is in
	}
	return out
}
