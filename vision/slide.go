package vision

import "image"

// samePage is the least correlation of a page with itself, moved: 25 moves of the
// web Challenge's gave 0.98 and more, 20 changes of its scene at most 0.58 where
// they matched best elsewhere.
const samePage = 0.8

// Slide tells by how many pixels what a frame shows has moved in a later frame of
// the same size, such as a page under the wheel: the middle half of the first is
// matched with the second, so moves of up to a quarter of the frame are found, to
// two pixels. Another page, a middle without anything in it, and frames of two sizes
// give none.
func Slide(before, after *image.RGBA) (image.Point, error) {
	if before.Rect.Size() != after.Rect.Size() {
		return image.Point{}, nil
	}
	b, a := halved(before), halved(after)
	middle := NewMap(b.W/2, b.H/2)
	for y := range middle.H {
		copy(middle.V[y*middle.W:(y+1)*middle.W], b.V[(y+b.H/4)*b.W+b.W/4:])
	}
	found, err := Match(a, []Map{middle})
	if err != nil || found[0].Score < samePage {
		return image.Point{}, err
	}
	at := found[0].Off.Add(image.Pt((a.W-middle.W)/2-b.W/4, (a.H-middle.H)/2-b.H/4))
	return at.Mul(2), nil
}

// halved is a frame's brightness, of every second pixel each way.
func halved(m *image.RGBA) Map {
	out := NewMap(m.Rect.Dx()/2, m.Rect.Dy()/2)
	for y := range out.H {
		line := m.Pix[2*y*m.Stride:]
		for x := range out.W {
			p := line[8*x : 8*x+3]
			out.V[y*out.W+x] = float32(p[0]) + 2*float32(p[1]) + float32(p[2])
		}
	}
	return out
}
