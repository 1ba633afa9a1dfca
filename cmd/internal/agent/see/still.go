package see

import "image"

// A Thumb is a frame in small, to tell cheaply whether anything changed.
type Thumb struct {
	size image.Point
	sums []uint32 // of the brightness of each block's samples
}

const (
	// blockPixels: a panel's cell of 22 pixels, the smallest that is read,
	// covers a block wholly.
	blockPixels = 8
	// samplePixels: every second pixel each way is looked at, 1 ms for a frame
	// of 1920×1080.
	samplePixels  = 2
	blockSamples  = (blockPixels / samplePixels) * (blockPixels / samplePixels)
	changedLevels = 6 // of 255: noise of a video's compression stays below
)

func Shrink(m *image.RGBA) Thumb {
	size := m.Rect.Size()
	t := Thumb{size: size}
	cols := (size.X + blockPixels - 1) / blockPixels
	rows := (size.Y + blockPixels - 1) / blockPixels
	t.sums = make([]uint32, cols*rows)
	for y := 0; y < size.Y; y += samplePixels {
		line := m.Pix[y*m.Stride : y*m.Stride+4*size.X]
		sums := t.sums[y/blockPixels*cols:]
		for x := 0; x < size.X; x += samplePixels {
			p := line[4*x : 4*x+3]
			sums[x/blockPixels] += (uint32(p[0]) + 2*uint32(p[1]) + uint32(p[2])) / 4
		}
	}
	return t
}

// Differs tells whether any block changed visibly.
func (t Thumb) Differs(u Thumb) bool {
	if t.size != u.size {
		return true
	}
	for i, a := range t.sums {
		if b := u.sums[i]; max(a, b)-min(a, b) > changedLevels*blockSamples {
			return true
		}
	}
	return false
}
