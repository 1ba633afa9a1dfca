package locate

import (
	"image"
	"math"
	"sync"

	"onlooker/vision"
	"onlooker/vision/cv"
)

// A Frame is a picture in which boards are looked for, with what is the same for
// every look: the reduced picture, its connected parts, and their outlines. That is
// worked out when it is first asked for, and most of what Locate costs where there
// is no board of lines.
type Frame struct {
	Picture image.Image
	// Over tells whether the time for looking is over: what was found till then is given. nil: it never is.
	Over    func() bool
	reduced func() *reduced
}

// NewFrame takes a picture in, which must not change any more.
func NewFrame(frame image.Image) *Frame {
	return &Frame{Picture: frame, reduced: sync.OnceValue(func() *reduced { return newReduced(withoutScanLines(vision.AsRGBA(frame))) })}
}

func (f *Frame) over() bool { return f.Over != nil && f.Over() }

// A reduced is a frame reduced to the size in which boards are looked for.
type reduced struct {
	full   *image.RGBA
	w, h   int     // pixels of the reduced picture
	fx, fy float64 // pixels of the frame for each of these
	// stages are the connected parts of one channel in each division by some cuts, in the
	// order in which they are looked at; see divided. The channels are the greatest of red,
	// green and blue, half of red less half of blue, and half of green less a quarter of
	// each of these.
	stages []func() [][]Part
	// uprights are the parts that may be pillars, by their boxes.
	mu       sync.Mutex
	uprights map[image.Rectangle]func() *Upright
}

// uprightIn is what may be a pillar in a box of the frame, fitted once for all looks.
func (r *reduced) uprightIn(box image.Rectangle) *Upright {
	r.mu.Lock()
	fit, ok := r.uprights[box]
	if !ok {
		fit = sync.OnceValue(func() *Upright { return NewUpright(r.full, box) })
		r.uprights[box] = fit
	}
	r.mu.Unlock()
	return fit()
}

func newReduced(full *image.RGBA) *reduced {
	w, h := full.Rect.Dx(), full.Rect.Dy()
	scale := min(1, searchSide(max(w, h))/float64(max(w, h)))
	sw, sh, small := w, h, full
	if scale < 1 {
		sw, sh = max(1, int(math.Round(float64(w)*scale))), max(1, int(math.Round(float64(h)*scale)))
		small = cv.Resized(full, sw, sh)
	}
	r := &reduced{full: full, w: sw, h: sh, fx: float64(w) / float64(sw), fy: float64(h) / float64(sh), uprights: map[image.Rectangle]func() *Upright{}}
	pix := small.Pix
	// Half of red less half of blue, about the middle; halves to the even one.
	var half [511]byte
	for i := range half {
		half[i] = byte(min(255, math.RoundToEven(float64(i-255)/2+128)))
	}
	channel := func(fill func(picture []byte)) {
		picture := sync.OnceValue(func() []byte {
			picture := make([]byte, sw*sh)
			fill(picture)
			return picture
		})
		for _, by := range cuts {
			r.stages = append(r.stages, sync.OnceValue(func() [][]Part { return divided(picture(), sw, sh, by) }))
		}
	}
	channel(func(picture []byte) {
		for i := range picture {
			p := pix[4*i : 4*i+3]
			picture[i] = max(p[0], p[1], p[2])
		}
	})
	channel(func(picture []byte) {
		for i := range picture {
			p := pix[4*i : 4*i+3]
			picture[i] = half[255+int(p[0])-int(p[2])]
		}
	})
	channel(func(picture []byte) {
		for i := range picture {
			p := pix[4*i : 4*i+3]
			picture[i] = byte(128 + (2*int(p[1])-int(p[0])-int(p[2]))/4)
		}
	})
	return r
}

// divided are the connected parts of a picture of one channel, w×h pixels, at each of
// the windows by each of some cuts.
func divided(picture []byte, w, h int, by [2]cut) [][]Part {
	// Dividing takes much of the time, and no division depends on another.
	divisions := make([][]Part, len(windows)*len(by))
	vision.SideBySide(len(windows), func(i int) {
		if windows[i] > 2*max(w, h) {
			return
		}
		mean := cv.Mean(picture, w, windows[i])
		vision.SideBySide(len(by), func(k int) { divisions[i*len(by)+k] = by[k].divide(picture, mean, w) })
	})
	return divisions
}
