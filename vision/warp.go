package vision

import (
	"fmt"
	"image"
	"image/color"

	"gocv.io/x/gocv"
)

// FlatPitch is the pitch of a straightened board, in pixels: the thinnest
// break, 0.07 of the pitch, is still four pixels wide.
const FlatPitch = 64

// Resampled makes a picture of w×h pixels, each of which is the frame's at a place
// that no projective map gives.
func Resampled(full *image.RGBA, w, h int, place func(x, y int) Point) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	SideBySide(h, func(y int) {
		for x := range w {
			p := place(x, y)
			c := At(full, p.X, p.Y)
			i := y*out.Stride + 4*x
			for k := range c {
				out.Pix[i+k] = uint8(c[k] + 0.5)
			}
			out.Pix[i+3] = 255
		}
	})
	return out
}

// Warped makes a picture of w×h pixels whose pixel p is the frame's at m(p).
func Warped(full *image.RGBA, m Mat3, w, h int) (*image.RGBA, error) {
	t := gocv.NewMatWithSize(3, 3, gocv.MatTypeCV64F)
	defer t.Close()
	for i := range m {
		t.SetDoubleAt(i/3, i%3, m[i])
	}
	return byOpenCV(full, w, h, func(src gocv.Mat, dst *gocv.Mat) error {
		return gocv.WarpPerspectiveWithParams(src, dst, t, image.Pt(w, h),
			gocv.InterpolationLinear+gocv.WarpInverseMap, gocv.BorderReplicate, color.RGBA{})
	})
}

// Shrunk is a picture with n×n pixels made one.
func Shrunk(full *image.RGBA, n int) (*image.RGBA, error) {
	w, h := full.Rect.Dx()/n, full.Rect.Dy()/n
	return byOpenCV(full, w, h, func(src gocv.Mat, dst *gocv.Mat) error {
		return gocv.Resize(src, dst, image.Pt(w, h), 0, 0, gocv.InterpolationArea)
	})
}

// byOpenCV is the picture of w×h pixels that OpenCV makes of another one.
func byOpenCV(full *image.RGBA, w, h int, make func(src gocv.Mat, dst *gocv.Mat) error) (*image.RGBA, error) {
	src, err := gocv.NewMatFromBytes(full.Rect.Dy(), full.Rect.Dx(), gocv.MatTypeCV8UC4, full.Pix[:4*full.Rect.Dx()*full.Rect.Dy()])
	if err != nil {
		return nil, fmt.Errorf("straightening: %w", err)
	}
	defer src.Close()
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	dst, err := gocv.NewMatFromBytes(h, w, gocv.MatTypeCV8UC4, out.Pix) // which OpenCV fills, being as large
	if err != nil {
		return nil, fmt.Errorf("straightening: %w", err)
	}
	defer dst.Close()
	if err := make(src, &dst); err != nil {
		return nil, fmt.Errorf("straightening: %w", err)
	}
	return out, nil
}
