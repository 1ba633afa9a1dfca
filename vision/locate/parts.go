package locate

import (
	"bytes"
	"image"
	"slices"

	"onlooker/vision"
)

// A part is a connected part of a mask, edge by edge: its spans, row by row.
type Part struct {
	Area  int
	Box   image.Rectangle // of the reduced picture
	Spans []vision.Span
	// weight is how far the middles of its spans are from the local mean, all
	// together: the longer and the clearer its borders, the more.
	Weight int
	shape  *shape
}

// Weigh measures a part's weight, in a picture as wide as given.
func (p *Part) Weigh(levels, means []byte, wide int) {
	for _, s := range p.Spans {
		at := int(s.Y)*wide + int(s.X0+s.X1)/2
		d := int(levels[at]) - int(means[at])
		p.Weight += max(d, -d)
	}
}

// Parts are the connected parts, largest boxes first, of a mask of w×h bytes, 255
// where it is set and 0 elsewhere; parts of fewer pixels than least are left out.
func Parts(mask []byte, w, h, least int) []Part {
	all := make([]vision.Span, 0, 16*h) // a picture has some ten a row, a texture many more
	for y := range h {
		row := mask[y*w : (y+1)*w]
		for x := bytes.IndexByte(row, 255); x >= 0 && x < w; {
			end := w
			if n := bytes.IndexByte(row[x:], 0); n >= 0 {
				end = x + n
			}
			all = append(all, vision.Span{Y: int32(y), X0: int32(x), X1: int32(end)})
			if x = bytes.IndexByte(row[end:], 255); x >= 0 {
				x += end
			}
		}
	}
	out := collect(all, least)
	slices.SortFunc(out, func(a, b Part) int { return b.Box.Dx()*b.Box.Dy() - a.Box.Dx()*a.Box.Dy() })
	return out
}

// collect gathers the spans of each part that has at least so many pixels, in the
// order of the parts' first spans. Most have fewer, and nothing is kept of these but
// how large they are.
func collect(all []vision.Span, least int) []Part {
	first := vision.Joined(all)
	type size struct{ pixels, spans int32 }
	sizes := make([]size, len(all)) // of each part, by its first span
	kept := 0
	for i, s := range all {
		o := &sizes[first[i]]
		before := int(o.pixels)
		o.pixels += s.X1 - s.X0
		o.spans++
		if before < least && int(o.pixels) >= least {
			kept++
		}
	}
	out := make([]Part, 0, kept)
	number := make([]int32, len(all)) // of each first span's part, where it is kept
	for i, s := range all {
		root := first[i]
		if int(sizes[root].pixels) < least {
			continue
		}
		if root == int32(i) {
			number[i] = int32(len(out))
			out = append(out, Part{
				Area: int(sizes[i].pixels), shape: &shape{}, Spans: make([]vision.Span, 0, sizes[i].spans),
				Box: image.Rect(int(s.X0), int(s.Y), int(s.X1), int(s.Y)+1),
			})
		}
		p := &out[number[root]]
		p.Spans = append(p.Spans, s)
		p.Box.Min.X, p.Box.Max.X = min(p.Box.Min.X, int(s.X0)), max(p.Box.Max.X, int(s.X1))
		p.Box.Max.Y = int(s.Y) + 1
	}
	return out
}
