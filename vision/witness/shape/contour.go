package shape

import (
	"math"
)

// A Contour is how a shape's outline goes out and in on a way round its middle: the parts
// of it that do so three to sixteen times, as cosine and sine, where a square has four
// corners and a star eight, and its mean radius. Each radius is the sum of the cover along
// a ray, which blur hardly changes.
type Contour struct {
	parts [14][2]float64
	Mean  float64
}

// ContourOf is how a cover of n by n places swings.
func ContourOf(cover []float64, n int) (w Contour) {
	var mx, my, sum float64
	for k, c := range cover {
		mx, my, sum = mx+c*float64(k%n), my+c*float64(k/n), sum+c
	}
	if sum == 0 {
		return w
	}
	mx, my = mx/sum, my/sum
	const rays = 96
	Around(rays, func(sin, cos float64) {
		r := 0.0
		for d := 0.25; d < 0.75*float64(n); d += 0.5 {
			x, y := mx+d*cos, my+d*sin
			i, j := int(math.Floor(x)), int(math.Floor(y))
			if i < 0 || j < 0 || i+1 >= n || j+1 >= n {
				break
			}
			fx, fy, k := x-float64(i), y-float64(j), j*n+i // between places
			r += 0.5 * ((cover[k]*(1-fx)+cover[k+1]*fx)*(1-fy) + (cover[k+n]*(1-fx)+cover[k+n+1]*fx)*fy)
		}
		w.Mean += r / rays
		turn := math.Atan2(sin, cos)
		for k := range w.parts {
			s, c := math.Sincos(float64(k+3) * turn)
			w.parts[k][0] += 2 * r * c / rays
			w.parts[k][1] += 2 * r * s / rays
		}
	})
	return w
}

// likeParts are the first parts, of which large ones are: those that swing three to nine times.
const likeParts = 7

// Like is how alike two shapes swing, by however much: 1 is in the same way.
func (w *Contour) Like(o Contour) float64 {
	var both, own, others float64
	for k, a := range w.parts[:likeParts] {
		b := o.parts[k]
		both += a[0]*b[0] + a[1]*b[1]
		own += a[0]*a[0] + a[1]*a[1]
		others += b[0]*b[0] + b[1]*b[1]
	}
	return both / math.Sqrt(max(own*others, 1e-12))
}

// Star tells whether an outline goes out and in one number of times, of so much of its mean
// radius at least and by so many times more than in any other: as a star's does, and none of
// a square, which does so four times.
func (w *Contour) Star(least, lead float64) bool {
	n, most := 0, 0.0
	for k, p := range w.parts {
		if r := math.Hypot(p[0], p[1]); r > most {
			n, most = k+3, r
		}
	}
	if w.Mean == 0 || n <= 4 || most < least*w.Mean {
		return false
	}
	for k, p := range w.parts {
		if (k+3)%n != 0 && lead*math.Hypot(p[0], p[1]) > most {
			return false
		}
	}
	return true
}

// Disc tells whether an outline goes out and in by no more than so much of its mean radius.
func (w *Contour) Disc(most float64) bool {
	for _, p := range w.parts {
		if math.Hypot(p[0], p[1]) > most*w.Mean {
			return false
		}
	}
	return w.Mean > 0
}
