package vision

import "image"

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
