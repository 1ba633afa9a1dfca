package grid

import (
	"image"
	"math"
	"slices"

	"onlooker/vision"
	"onlooker/vision/grid/part"
)

// A comb is evenly spaced lines across an axis of the frame: n of them, that of number k at
// first + k·pitch.
type comb struct {
	first, pitch float64
	n            int
}

func (c comb) at(k float64) float64 { return c.first + k*c.pitch }

// number is that of a line at a place.
func (c comb) number(at float64) float64 { return (at - c.first) / c.pitch }

// through is the comb from the first to the last of some places, nearly a pitch apart.
func through(list []float64, pitch float64) comb {
	at, _ := phase(list, pitch)
	c := comb{first: at, pitch: pitch}
	least := math.Round(c.number(slices.Min(list)))
	c.first, c.n = c.at(least), int(math.Round(c.number(slices.Max(list)))-least)+1
	var line vision.Trend
	for _, v := range list {
		line.Add(1, math.Round(c.number(v)), v)
	}
	if first, pitch, ok := line.Line(); ok {
		c.first, c.pitch = first, pitch
	}
	return c
}

// nodes are the combs across columns and across rows in whose every node one of some points lies,
// with one pitch, which is as far as a point's nearest usually is, to so much of it; false where
// there are none.
func nodes(points []vision.Point, off float64) (c [2]comb, ok bool) {
	var places [2][]float64
	var near []float64
	for i, p := range points {
		places[0], places[1] = append(places[0], p.X), append(places[1], p.Y)
		least := math.Inf(1)
		for k, o := range points {
			if k != i {
				least = min(least, math.Hypot(o.X-p.X, o.Y-p.Y))
			}
		}
		near = append(near, least)
	}
	usual := vision.Median(near)
	pitch, ok := pitchOf(places, (1-off)*usual, (1+off)*usual)
	if !ok {
		return c, false
	}
	for i := range c {
		c[i] = through(places[i], pitch)
	}
	held := map[image.Point]bool{}
	for _, p := range points {
		held[image.Pt(int(math.Round(c[0].number(p.X))), int(math.Round(c[1].number(p.Y))))] = true
	}
	return c, len(held) == len(points) && c[0].n*c[1].n == len(points)
}

// combed is the grid between the outer lines of combs, so many pitches further out: all of its places
// are taken for cells. nil where it has none.
func (s *Scene) combed(c [2]comb, out float64, contrast int) *Grid {
	x0, x1 := c[0].at(-out), c[0].at(float64(c[0].n-1)+out)
	y0, y1 := c[1].at(-out), c[1].at(float64(c[1].n-1)+out)
	quad := [4]vision.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}
	cols, rows := c[0].n-1+int(2*out), c[1].n-1+int(2*out)
	if min(cols, rows) < 1 {
		return nil
	}
	g, err := s.GridAt(quad, cols, rows)
	if err != nil {
		return nil
	}
	g.Contrast = contrast
	return g
}

// pitchOf is the pitch between two others at which places across columns and across rows
// lie on lines most nearly; false where they do not at any, or that is smaller than a
// cell may be.
func pitchOf(places [2][]float64, from, to float64) (pitch float64, ok bool) {
	best := 0.0
	for p := from; p <= to; p += 0.05 {
		if p < part.LeastSide {
			continue
		}
		_, a := phase(places[0], p)
		_, b := phase(places[1], p)
		if v := min(a, b); v > best {
			best, pitch = v, p
		}
	}
	off := strokeOff / pitch
	return pitch, pitch > 0 && best >= math.Exp(-2*math.Pi*math.Pi*off*off)
}

// phase is where lines at a pitch lie that places are nearest to, from 0, and how
// nearly they all do: the length of the mean of unit vectors, 1 for exactly.
func phase(list []float64, pitch float64) (at, near float64) {
	var sin, cos float64
	for _, v := range list {
		a, b := math.Sincos(2 * math.Pi * v / pitch)
		sin, cos = sin+a, cos+b
	}
	return math.Atan2(sin, cos) / (2 * math.Pi) * pitch, math.Hypot(sin, cos) / float64(len(list))
}
