// Package outline follows the outlines of connected parts of a picture, finds the plane in which
// one runs level and upright, and how the lines may be spaced whose edges it is.
package outline

import (
	"image"

	"onlooker/vision"
)

// around are the neighbours of a pixel, turning against the clock from the one
// to its right.
var around = [8]image.Point{{X: 1}, {X: 1, Y: -1}, {Y: -1}, {X: -1, Y: -1}, {X: -1}, {X: -1, Y: 1}, {Y: 1}, {X: 1, Y: 1}}

// A tracer follows the borders of parts, one after another in the same memory: a frame
// has hundreds.
type tracer struct {
	mask            []byte
	border, rotated []image.Point
}

// zeroed is the tracer's mask, of so many bytes of 0.
func (t *tracer) zeroed(n int) []byte {
	if n > cap(t.mask) {
		t.mask = make([]byte, n)
		return t.mask
	}
	t.mask = t.mask[:n]
	clear(t.mask)
	return t.mask
}

// borders calls do with the border of a part and with those of its holes, each
// as its pixels in turn, in the part's box, the part on its left hand; do must
// not keep them.
//
// It is the border following of S. Suzuki and K. Abe, "Topological structural
// analysis of digitized binary images by border following" (1985), as OpenCV has
// it; begun at the ends of spans it does not go through the mask pixel by pixel.
func (t *tracer) borders(p *Part, do func(border []image.Point)) {
	// A frame of one pixel round it has nothing of the part in it.
	w := p.Box.Dx() + 2
	mask := t.zeroed(w * (p.Box.Dy() + 2))
	const inside, last = 1, 2 // last: a border passed it that has nothing on the right of it
	index := func(s vision.Span, x int32) int { return (int(s.Y)-p.Box.Min.Y+1)*w + int(x) - p.Box.Min.X + 1 }
	for _, s := range p.Spans {
		set := mask[index(s, s.X0):index(s, s.X1)]
		for i := range set {
			set[i] = inside
		}
	}
	var steps [8]int
	for d, a := range around {
		steps[d] = a.Y*w + a.X
	}
	follow := func(start, from int) {
		border := t.border[:0]
		pixel := image.Pt(start%w-1, start/w-1)
		// The first neighbour with the clock from where nothing is.
		d := from
		for {
			if d = (d - 1) & 7; mask[start+steps[d]] != 0 || d == from {
				break
			}
		}
		if d == from {
			return // one pixel alone
		}
		second := start + steps[d]
		for at := start; ; {
			// The next neighbour against the clock from where the border came.
			end := d
			for d = (d + 1) & 7; mask[at+steps[d]] == 0; d = (d + 1) & 7 {
			}
			if d > 0 && d <= end { // past its right neighbour, where nothing is
				mask[at] |= last
			}
			border = append(border, pixel)
			next := at + steps[d]
			if next == start && at == second {
				break
			}
			pixel = pixel.Add(around[d])
			at, d = next, (d+4)&7
		}
		t.border = border
		do(border)
	}
	for k, s := range p.Spans {
		if i := index(s, s.X0); k == 0 {
			follow(i, 4)
		}
		if i := index(s, s.X1-1); mask[i]&last == 0 {
			follow(i, 0)
		}
	}
}

// farthest is the place, of those after from in a closed border, that is farthest from
// it: how many places after, and how far, squared.
func farthest(border []image.Point, from int) (after, most int) {
	n := len(border)
	for j := 1; j < n; j++ {
		k := from + j
		if k >= n {
			k -= n
		}
		if d := border[k].Sub(border[from]); d.X*d.X+d.Y*d.Y > most {
			after, most = j, d.X*d.X+d.Y*d.Y
		}
	}
	return after, most
}

// straightened is a closed border as a polygon that no pixel of it lies further
// from than off, in pixels, by the method of Douglas and Peucker as OpenCV has it.
func (t *tracer) straightened(border []image.Point, off float64) []image.Point {
	n := len(border)
	// Two places that are far from each other.
	from, far, most := 0, 0, 0
	for range 3 {
		from = (from + far) % n
		if after, d := farthest(border, from); d > 0 {
			far, most = after, d
		} else {
			most = 0
		}
	}
	if float64(most) <= off*off {
		return []image.Point{border[from]}
	}
	// From the first of the two round to itself.
	t.rotated = append(append(append(t.rotated[:0], border[from:]...), border[:from]...), border[from])
	round := t.rotated
	var out []image.Point
	var split func(from, to int)
	split = func(from, to int) {
		a := round[from]
		d := round[to].Sub(a)
		far, most := 0, 0
		for k, p := range round[from+1 : to] {
			if across := abs((p.Y-a.Y)*d.X - (p.X-a.X)*d.Y); across > most {
				far, most = from+1+k, across
			}
		}
		if float64(most)*float64(most) <= off*off*float64(d.X*d.X+d.Y*d.Y) {
			out = append(out, a)
			return
		}
		split(from, far)
		split(far, to)
	}
	split(0, far)
	split(far, n)
	// A corner that is nearly straight goes.
	n = len(out)
	left, to := n, 0
	last, at, next := out[n-1], out[0], 1%n
	read := func() image.Point {
		p := out[next]
		next = (next + 1) % n
		return p
	}
	for i := 0; i < n && left > 2; i++ {
		end := read()
		d, t := end.Sub(last), at.Sub(last)
		across, on := float64(t.X*d.Y-t.Y*d.X), t.X*(end.X-at.X)+t.Y*(end.Y-at.Y)
		if across*across <= 0.5*off*off*float64(d.X*d.X+d.Y*d.Y) && d.X != 0 && d.Y != 0 && on >= 0 {
			left--
			out[to], last = end, end
			at = read()
			i++
		} else {
			out[to], last = at, at
			at = end
		}
		to = (to + 1) % n
	}
	return out[:left]
}

func abs(v int) int { return max(v, -v) }
