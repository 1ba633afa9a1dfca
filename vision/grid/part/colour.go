// Package part divides a picture along its edges into connected parts, whatever they are,
// and knows their colours: round parts are discs, and parts of several shapes that repeat
// both ways a mosaic.
package part

import (
	"math"
)

// A Colour is red, green and blue.
type Colour [3]uint8

// ColourBits are those of a pixel's four bytes, read as one number, that are its colour.
const ColourBits = 0xffffff

// ColourOf is the colour of such a number, and word the number of a colour.
func ColourOf(word uint32) Colour { return Colour{uint8(word), uint8(word >> 8), uint8(word >> 16)} }

func (c Colour) Word() uint32 { return uint32(c[0]) | uint32(c[1])<<8 | uint32(c[2])<<16 }

// Contrast is the largest difference of two colours in a channel.
func (c Colour) Contrast(d Colour) int {
	most := 0
	for k := range c {
		e := int(c[k]) - int(d[k])
		most = max(most, e, -e)
	}
	return most
}

// Apart is the squared distance of two colours.
func (c Colour) Apart(d Colour) int {
	sum := 0
	for k := range c {
		e := int(c[k]) - int(d[k])
		sum += e * e
	}
	return sum
}

// Distance is how far two colours are apart.
func (c Colour) Distance(d Colour) float64 { return math.Sqrt(float64(c.Apart(d))) }

// Usual is the median of each channel.
func Usual(list []Colour) Colour {
	if n := len(list); n > 0 && n <= len(few{}) {
		var out Colour
		var v few
		for k := range out {
			for i, c := range list {
				v[i] = c[k]
			}
			out[k] = v.middle(n)
		}
		return out
	}
	var counts [3][256]int
	for _, c := range list {
		counts[0][c[0]]++
		counts[1][c[1]]++
		counts[2][c[2]]++
	}
	return median(&counts)
}

// few are so many values that sorting them is faster than counting.
type few [32]uint8

// middle is the median of the first n values; it sorts them.
func (v *few) middle(n int) uint8 {
	for i := 1; i < n; i++ {
		x, k := v[i], i
		for ; k > 0 && v[k-1] > x; k-- {
			v[k] = v[k-1]
		}
		v[k] = x
	}
	return v[n/2]
}

// median is the median of each channel, from how often each of its values is there;
// black where none is.
func median(counts *[3][256]int) Colour {
	var out Colour
	for k := range out {
		all, sum := 0, 0
		for _, n := range counts[k] {
			all += n
		}
		for v, n := range counts[k] {
			if sum += n; 2*sum > all {
				out[k] = uint8(v)
				break
			}
		}
	}
	return out
}

// Luminance is how bright a colour looks, 0 to 255.
func (c Colour) Luminance() float64 {
	return 0.299*float64(c[0]) + 0.587*float64(c[1]) + 0.114*float64(c[2])
}

// Chroma is how colourful a colour is, 0 to 255: grey is not.
func (c Colour) Chroma() float64 { return float64(max(c[0], c[1], c[2]) - min(c[0], c[1], c[2])) }

// Turned is the cosine of the angle between two colours as seen from a third: 1 where
// they are mixed of that and of one more.
func (c Colour) Turned(d, from Colour) float64 {
	dot, cc, dd := 0.0, 0.0, 0.0
	for k := range c {
		x, y := float64(c[k])-float64(from[k]), float64(d[k])-float64(from[k])
		dot, cc, dd = dot+x*y, cc+x*x, dd+y*y
	}
	if cc == 0 || dd == 0 {
		return 0
	}
	return dot / math.Sqrt(cc*dd)
}

// Between is where a colour comes nearest to the mixtures of two others: so many parts of
// all from the first to the second; of none where they are one.
func (c Colour) Between(a, b Colour) (part, all int) {
	for k := range c {
		d := int(b[k]) - int(a[k])
		part, all = part+d*(int(c[k])-int(a[k])), all+d*d
	}
	return max(0, min(part, all)), all
}

// OffMixture is the contrast of a colour with the nearest mixture of two others.
func (c Colour) OffMixture(a, b Colour) int {
	mix := a
	if part, all := c.Between(a, b); all > 0 {
		for k := range mix {
			mix[k] = uint8(int(a[k]) + (int(b[k])-int(a[k]))*part/all)
		}
	}
	return c.Contrast(mix)
}

// Extremes are the numbers of the two colours farthest apart.
func Extremes(list []Colour) (a, b int) {
	for range 2 { // from the farthest of the first to the farthest of that
		a, b = b, 0
		for i, c := range list {
			if c.Distance(list[a]) > list[b].Distance(list[a]) {
				b = i
			}
		}
	}
	return a, b
}
