package view

import (
	"image"

	"onlooker/vision"
)

// Unwashed is a board without the light that lies over all of it, as over a screen of more light
// than a picture holds: what is darkest of it is black.
func Unwashed(b *vision.Board) *vision.Board {
	black := darkest(b.Flat)
	if float64(black) < Slightly*255 { // a panel need not have black
		return b
	}
	clear := *b
	clear.Flat = image.NewRGBA(b.Flat.Rect)
	for i, v := range b.Flat.Pix {
		if clear.Flat.Pix[i] = v; i%4 != 3 {
			clear.Flat.Pix[i] -= min(v, black)
		}
	}
	for k := range clear.Ink {
		clear.Ink[k], clear.Paper[k] = max(0, clear.Ink[k]-float64(black)), max(0, clear.Paper[k]-float64(black))
	}
	return &clear
}

// darkest is the level below which a thousandth of all channels of a picture are: noise is.
func darkest(m *image.RGBA) (level uint8) {
	var counts [256]int
	for i, v := range m.Pix {
		if i%4 != 3 {
			counts[v]++
		}
	}
	for below := 0; ; level++ {
		if below += counts[level]; 1000*below >= 3*len(m.Pix)/4 {
			return level
		}
	}
}
