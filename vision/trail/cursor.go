package trail

import (
	"image"
	"math"

	"onlooker/vision"
)

// brighter is by how many levels a pixel that a cursor lies over gets lighter at the least.
const brighter = 8

// Brightened finds a cursor that came to a place: it finds the disc of a radius (pixels) whose pixels got lightest
// from one frame to the next, to a fraction of a pixel, and says false when
// no place looks like a disc that came there.
func Brightened(before, now *image.RGBA, radius float64) (vision.Point, bool) {
	if before.Rect != now.Rect || radius < 2 {
		return vision.Point{}, false
	}
	box := lighter(before, now)
	if box.Empty() {
		return vision.Point{}, false
	}
	c, ok := lightest(before, now, box, radius)
	if !ok {
		return vision.Point{}, false
	}
	inside, total := 0, 0
	for range 6 {
		if c, inside, total, ok = centred(before, now, c, radius); !ok {
			return vision.Point{}, false
		}
	}
	// 0.7: symbols as light as the disc hide a part of it.
	return c, float64(inside) > 0.7*float64(total)
}

// lighter is the box of the pixels that got lighter.
func lighter(before, now *image.RGBA) (box image.Rectangle) {
	w, h := now.Rect.Dx(), now.Rect.Dy()
	for y := 0; y < h; y++ {
		a, b := before.Pix[y*before.Stride:y*before.Stride+4*w], now.Pix[y*now.Stride:y*now.Stride+4*w]
		for x := 0; x < w; x++ {
			if lift(a, b, x) > brighter+2 {
				box = box.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return box
}

// lightest is the middle of the square, 1.6 radii wide, in and round a box that got
// lightest as a whole; false where none got as light as a disc makes it.
func lightest(before, now *image.RGBA, box image.Rectangle, radius float64) (vision.Point, bool) {
	r := int(math.Ceil(radius))
	box = box.Inset(-2 * r).Intersect(image.Rect(0, 0, now.Rect.Dx(), now.Rect.Dy()))
	bw, bh := box.Dx(), box.Dy()
	sums := make([]float64, (bw+1)*(bh+1)) // summed-area table
	for y := range bh {
		a, b := before.Pix[(y+box.Min.Y)*before.Stride:], now.Pix[(y+box.Min.Y)*now.Stride:]
		line := 0.0
		for x := range bw {
			line += min(max(lift(a, b, x+box.Min.X), -60), 60)
			sums[(y+1)*(bw+1)+x+1] = sums[y*(bw+1)+x+1] + line
		}
	}
	side := int(1.6 * radius)
	best, where := 0.0, image.Point{}
	for y := 0; y+side <= bh; y++ {
		for x := 0; x+side <= bw; x++ {
			s := sums[(y+side)*(bw+1)+x+side] - sums[y*(bw+1)+x+side] - sums[(y+side)*(bw+1)+x] + sums[y*(bw+1)+x]
			if s > best {
				best, where = s, image.Pt(x, y)
			}
		}
	}
	middle := vision.Point{X: float64(box.Min.X + where.X + side/2), Y: float64(box.Min.Y + where.Y + side/2)}
	return middle, best >= brighter*float64(side*side)*0.6
}

// centred is the centre of what got lighter within reach of a disc about c; of the
// disc's inner pixels, how many got lighter, and how many there are. false: nothing did.
func centred(before, now *image.RGBA, c vision.Point, radius float64) (centre vision.Point, inside, total int, ok bool) {
	w, h := now.Rect.Dx(), now.Rect.Dy()
	var sx, sy, n float64
	for y := int(c.Y - 1.2*radius); y <= int(c.Y+1.2*radius)+1; y++ {
		for x := int(c.X - 1.2*radius); x <= int(c.X+1.2*radius)+1; x++ {
			if x < 0 || y < 0 || x >= w || y >= h {
				continue
			}
			d := math.Hypot(float64(x)-c.X, float64(y)-c.Y)
			if d > 1.2*radius {
				continue
			}
			lit := lift(before.Pix[y*before.Stride:], now.Pix[y*now.Stride:], x) > brighter
			if d < 0.85*radius {
				total++
				if lit {
					inside++
				}
			}
			if lit {
				sx += float64(x)
				sy += float64(y)
				n++
			}
		}
	}
	if n == 0 {
		return c, inside, total, false
	}
	return vision.Point{X: sx / n, Y: sy / n}, inside, total, true
}

// lift is how much lighter a pixel of a line of pixels got.
func lift(a, b []uint8, x int) float64 {
	p, q := a[4*x:4*x+3], b[4*x:4*x+3]
	return (float64(q[0]) + 2*float64(q[1]) + float64(q[2]) - float64(p[0]) - 2*float64(p[1]) - float64(p[2])) / 4
}
