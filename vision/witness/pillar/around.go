package pillar

import (
	"image"
	"image/draw"
	"math"

	"onlooker/vision"
	"onlooker/vision/witness/view"
)

// A board that goes round may be drawn flat: its lines fade out on both sides, the
// last column of lines is the first once more and has faded away, and left of the
// first a part of the last cells shows. Such a board is unrolled: the fade is taken
// off, and a column more is laid on either side, so that every place of it lies within
// what looks like a flat board.

const (
	// fadedRows of the rows must show a fade for it to be one: a symbol, a circle or a
	// gap may hide it in some.
	fadedRows = 0.75
	// faded is how much of a fade counts as all, and plain as none: a picture's
	// noise and blur come to less.
	faded, plain = 0.9, 0.1
)

// An Unrolling is a flat picture of a board that goes round.
type Unrolling struct {
	Wide *vision.Board // with a column more on either side: its node 2 is the board's node 0
	Own  *vision.Board // the same without those
}

// Unroll tells whether a flat board goes round and is drawn flat, and unrolls it.
func Unroll(b *vision.Board) (*Unrolling, bool) {
	if b.Pillar || b.Cols < 2 {
		return nil, false
	}
	f := fadeOf(b)
	if f == nil {
		return nil, false
	}
	p := b.Pitch
	round := b.Cols * p
	size := b.Flat.Rect.Size()
	wide := image.NewRGBA(image.Rect(0, 0, size.X+2*p, size.Y))
	for x := range wide.Rect.Dx() {
		u := (x - b.Margin - p + f.seam) % round
		if u < 0 {
			u += round
		}
		u -= f.seam
		for y := range size.Y {
			c := f.without(b.Flat, b.Margin+u, y)
			// A circle on the first column reaches over the seam, where it is drawn
			// before that column only.
			if before := b.Margin + u - round; before >= f.left {
				off := func(c vision.RGB) float64 { return min(c.Dist(f.outer), c.Dist(b.Paper)) }
				if d := f.without(b.Flat, before, y); off(d) > off(c)+plain*b.Ink.Dist(b.Paper) {
					c = d
				}
			}
			wide.SetRGBA(x, y, view.Pixel(c))
		}
	}
	own := image.NewRGBA(b.Flat.Rect)
	draw.Draw(own, own.Rect, wide, image.Pt(p, 0), draw.Src)
	u := &Unrolling{Wide: new(vision.Board), Own: new(vision.Board)}
	*u.Wide, *u.Own = *b, *b
	u.Wide.Flat, u.Wide.Cols = wide, b.Cols+2
	u.Own.Flat = own
	return u, true
}

// A fade is how far each column of pixels of a flat picture has faded into the
// ground outside.
type fade struct {
	outer vision.RGB
	by    []float64 // of each column of pixels, 0 to 1
	// seam is how many pixels before the first column of lines a round begins: half
	// a line, where both ends are seen about as well.
	seam int
	left int // the first column of pixels that shows something
}

// without is a pixel with the fade taken off, as far as it can be.
func (f *fade) without(m *image.RGBA, x, y int) vision.RGB {
	c := vision.At(m, float64(x), float64(y))
	by := min(f.by[x], faded)
	for k := range c {
		c[k] = (c[k] - by*f.outer[k]) / (1 - by)
	}
	return c
}

// fadeOf measures the fade on both sides of a board; nil: there is none.
func fadeOf(b *vision.Board) *fade {
	half := b.Line / 2 * float64(b.Pitch)
	first, last := float64(b.Margin), float64(b.Margin+b.Cols*b.Pitch)
	contrast := b.Ink.Dist(b.Paper)
	at := func(x, row float64) vision.RGB { return vision.At(b.Flat, x, first+row/2*float64(b.Pitch)) }
	// Where the last column of lines would be there is what is outside, but for its middle:
	// there a page that is drawn smaller has a hairline, where the fade ends.
	var ends []vision.RGB
	for y := range 2*b.Rows + 1 {
		ends = append(ends, at(last+half/2, float64(y)))
	}
	f := &fade{outer: vision.MedianRGB(ends), by: make([]float64, b.Flat.Rect.Dx()), seam: int(math.Round(half))}
	alike := 0
	for y, c := range ends {
		if c.Dist(f.outer) < plain*contrast && at(last+half+edgePixels, float64(y)).Dist(f.outer) < plain*contrast {
			alike++
		}
	}
	if float64(alike) < fadedRows*float64(len(ends)) || f.outer.Dist(b.Ink) < plain*contrast || f.outer.Dist(b.Paper) < plain*contrast {
		return nil
	}
	for x := range f.by {
		f.by[x] = f.share(b, at, float64(x), math.Abs(float64(x)-first) < half)
	}
	// A line's border is neither the line nor what is beside it.
	for _, border := range []float64{first - half, first + half} {
		from, to := int(border)-edgePixels, int(border)+edgePixels+1
		for x := from + 1; x < to; x++ {
			f.by[x] = f.by[from] + (f.by[to]-f.by[from])*float64(x-from)/float64(to-from)
		}
	}
	// Cells show beside the first column, half gone, and are gone before the next;
	// and they go before the last one.
	left, out, right := f.by[int(first-half-edgePixels)], f.by[int(first)-b.Pitch/2], f.by[int(last-half-edgePixels)]
	if left < plain || left > faded || out < faded || right < plain || right > faded {
		return nil
	}
	for f.left = int(first); f.by[f.left-1] < faded; f.left-- {
	}
	for x := int(first) + b.Pitch/2; x < int(last)-b.Pitch/2; x++ {
		f.by[x] = 0
	}
	return f
}

// edgePixels is how many pixels of a flat picture the border of a line may be blurred.
const edgePixels = 2

// share is how far a column of pixels has faded: the median of what the lines
// tell, on a column of lines, else of what the cells do, off their middles, where
// symbols stand.
func (f *fade) share(b *vision.Board, at func(x, row float64) vision.RGB, x float64, line bool) float64 {
	var seen []float64
	full, off := b.Paper, []float64{-0.45, 0.45}
	if line {
		full, off = b.Ink, []float64{-1, -0.45, 0, 0.45, 1}
	}
	axis := f.outer.Sub(full)
	for y := 1; y < 2*b.Rows; y += 2 {
		for _, d := range off {
			seen = append(seen, at(x, float64(y)+d).Sub(full).Dot(axis)/axis.Dot(axis))
		}
	}
	return max(0, min(1, vision.Median(seen)))
}
