package capture

import (
	"image"
	"image/color"
)

// eighths is what places between two samples are counted in.
const eighths = 8

// coarse is over how many pixels a sample of colour goes, across and down.
func coarse(r image.YCbCrSubsampleRatio) (across, down int) {
	switch r {
	case image.YCbCrSubsampleRatio422:
		return 2, 1
	case image.YCbCrSubsampleRatio420:
		return 2, 2
	case image.YCbCrSubsampleRatio440:
		return 1, 2
	case image.YCbCrSubsampleRatio411:
		return 4, 1
	case image.YCbCrSubsampleRatio410:
		return 4, 2
	}
	return 1, 1
}

// between are the two samples about a pixel, of n that each go over so many, and how far, in
// eighths, it lies from the first to the second.
func between(at, over, n int) (a, b, part int) {
	twice := 2*at + 1 - over // of the way from the first sample's middle, in pixels
	a = twice / (2 * over)
	if twice < 0 {
		return 0, 0, 0
	}
	return min(a, n-1), min(a+1, n-1), eighths * (twice - 2*over*a) / (2 * over)
}

// smooth is a picture whose colours are coarser than its light, as most JPEGs' are, with colours that
// go over into one another between the samples, as browsers and viewers show them: as blocks of four
// pixels they lie across the borders of thin things.
func smooth(m *image.YCbCr) *image.RGBA {
	across, down := coarse(m.SubsampleRatio)
	size := m.Rect.Size()
	cols, rows := (size.X+across-1)/across, (size.Y+down-1)/down
	out := image.NewRGBA(image.Rectangle{Max: size})
	row := make([][2]int, cols) // of both colours, between two rows of samples
	for y := range size.Y {
		top, bottom, part := between(y, down, rows)
		for x := range row {
			i, j := top*m.CStride+x, bottom*m.CStride+x
			row[x] = [2]int{(eighths-part)*int(m.Cb[i]) + part*int(m.Cb[j]), (eighths-part)*int(m.Cr[i]) + part*int(m.Cr[j])}
		}
		for x := range size.X {
			left, right, part := between(x, across, cols)
			var c [2]uint8
			for k := range c {
				c[k] = uint8(((eighths-part)*row[left][k] + part*row[right][k] + eighths*eighths/2) / (eighths * eighths))
			}
			i := y*out.Stride + 4*x
			out.Pix[i], out.Pix[i+1], out.Pix[i+2] = color.YCbCrToRGB(m.Y[y*m.YStride+x], c[0], c[1])
			out.Pix[i+3] = 255
		}
	}
	return out
}
