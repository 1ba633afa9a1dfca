package vision

import (
	"image"
	"math"
)

// BlockSide is how many values a block has each way in which a picture is compressed.
const BlockSide = 8

// A Block is a number for each value of a block, row by row.
type Block [BlockSide * BlockSide]float64

// A Press is how a picture was compressed as a JPEG: in blocks of its light, and of its
// tints, which are means of two by two pixels. Each frequency of a block is told in steps.
// Wide ones leave little of what is fine, but how far a value is off hangs together with
// how far those of its block are.
type Press struct {
	Frame   *image.YCbCr
	Quality int // of the standard's steps
	// Light and Tints are by how much the values of a block are off together: covariances.
	Light, Tints *[len(Block{})]Block
}

// standardSteps are the steps that the standard proposes for light and for tints, at a
// quality of 50; nearly every encoder takes these.
func standardSteps() [2]Block {
	return [2]Block{
		{
			16, 11, 10, 16, 24, 40, 51, 61,
			12, 12, 14, 19, 26, 58, 60, 55,
			14, 13, 16, 24, 40, 57, 69, 56,
			14, 17, 22, 29, 51, 87, 80, 62,
			18, 22, 37, 56, 68, 109, 103, 77,
			24, 35, 55, 64, 81, 104, 113, 92,
			49, 64, 78, 87, 103, 121, 120, 101,
			72, 92, 95, 98, 112, 100, 103, 99,
		},
		{
			17, 18, 24, 47, 99, 99, 99, 99,
			18, 21, 26, 66, 99, 99, 99, 99,
			24, 26, 56, 99, 99, 99, 99, 99,
			47, 66, 99, 99, 99, 99, 99, 99,
			99, 99, 99, 99, 99, 99, 99, 99,
			99, 99, 99, 99, 99, 99, 99, 99,
			99, 99, 99, 99, 99, 99, 99, 99,
			99, 99, 99, 99, 99, 99, 99, 99,
		},
	}
}

// stepsAt are the standard's steps for some quality, as encoders scale them.
func stepsAt(quality int) [2]Block {
	scale := 200 - 2*quality
	if quality < 50 {
		scale = 5000 / quality
	}
	steps := standardSteps()
	for t := range steps {
		for k, v := range steps[t] {
			steps[t][k] = max(1, min(255, math.Floor((v*float64(scale)+50)/100)))
		}
	}
	return steps
}

// wave is a value of one of the waves of a cosine transform.
func wave(frequency, at int) float64 {
	if frequency == 0 {
		return math.Sqrt(1.0 / BlockSide)
	}
	return math.Sqrt(2.0/BlockSide) * math.Cos(float64((2*at+1)*frequency)*math.Pi/(2*BlockSide))
}

// A transform are the values of all waves.
type transform [BlockSide][BlockSide]float64

func newTransform() (w transform) {
	for u := range w {
		for x := range w[u] {
			w[u][x] = wave(u, x)
		}
	}
	return w
}

// frequencies are those of a block's values.
func (w *transform) frequencies(in *Block) (out Block) {
	var across Block
	for k := range across {
		for x := range BlockSide {
			across[k] += in[k/BlockSide*BlockSide+x] * w[k%BlockSide][x]
		}
	}
	for k := range out {
		for y := range BlockSide {
			out[k] += across[y*BlockSide+k%BlockSide] * w[k/BlockSide][y]
		}
	}
	return out
}

// lost are the covariances of a block's values where each frequency may be off by half of
// its step.
func (w *transform) lost(steps *Block) *[len(Block{})]Block {
	var out [len(Block{})]Block
	for k, step := range steps {
		var of Block
		for p := range of {
			of[p] = w[k%BlockSide][p%BlockSide] * w[k/BlockSide][p/BlockSide] * step / math.Sqrt(12)
		}
		for p, a := range of {
			for q, b := range of {
				out[p][q] += a * b
			}
		}
	}
	return &out
}

// leastQuality is the least at which a picture still shows something, and pressedFor by
// how much the steps of a quality must explain frequencies better than chance does, as a
// logarithm: one in 10^8 for each quality.
const (
	leastQuality = 30
	bestQuality  = 100
	pressedFor   = 25
)

// PressOf tells how a picture was compressed, by what it shows in a part of it; nil where
// that is not seen, or where its tints are not those of two by two pixels. Frequencies are
// whole multiples of their steps: what speaks for a quality is how much likelier these
// multiples make them than any others.
func PressOf(frame *image.YCbCr, part image.Rectangle) *Press {
	if frame.SubsampleRatio != image.YCbCrSubsampleRatio420 || frame.Rect.Min != (image.Point{}) {
		return nil
	}
	w := newTransform()
	var tables [bestQuality + 1][2]Block
	for q := leastQuality; q <= bestQuality; q++ {
		tables[q] = stepsAt(q)
	}
	var sums [bestQuality + 1]float64
	// Values are whole levels, by which frequencies are off as well.
	rounding := math.Sqrt(1.0 / 12)
	tell := func(t int, values []byte, stride int) {
		var block Block
		for k := range block {
			v := values[k/BlockSide*stride+k%BlockSide]
			if v == 0 || v == 255 {
				return // cut off
			}
			block[k] = float64(v) - 128
		}
		for k, f := range w.frequencies(&block) {
			if k == 0 || math.Abs(f) < 4*rounding { // nothing, whatever the steps
				continue
			}
			for q := leastQuality; q <= bestQuality; q++ {
				step := tables[q][t][k]
				off := math.Remainder(f, step) / rounding
				// One in fifty may be off by anything.
				sums[q] += math.Log(0.02 + 0.98*step/rounding*math.Exp(-off*off/2)/math.Sqrt(2*math.Pi))
			}
		}
	}
	for _, at := range blocksIn(part.Intersect(frame.Rect)) {
		tell(0, frame.Y[frame.YOffset(at.X, at.Y):], frame.YStride)
		tell(1, frame.Cb[frame.COffset(at.X, at.Y):], frame.CStride)
		tell(1, frame.Cr[frame.COffset(at.X, at.Y):], frame.CStride)
	}
	best := 0
	for q, sum := range sums {
		if sum > sums[best] {
			best = q
		}
	}
	if sums[best] < pressedFor {
		return nil
	}
	return &Press{Frame: frame, Quality: best, Light: w.lost(&tables[best][0]), Tints: w.lost(&tables[best][1])}
}

// blocksIn are the corners of blocks of tints that lie within a part of a picture: all, or
// of many some all over it.
func blocksIn(part image.Rectangle) (some []image.Point) {
	const pixels, most = 2 * BlockSide, 64
	var all []image.Point
	for y := (part.Min.Y + pixels - 1) / pixels * pixels; y+pixels <= part.Max.Y; y += pixels {
		for x := (part.Min.X + pixels - 1) / pixels * pixels; x+pixels <= part.Max.X; x += pixels {
			all = append(all, image.Pt(x, y))
		}
	}
	for i := range min(most, len(all)) {
		some = append(some, all[i*len(all)/min(most, len(all))])
	}
	return some
}
