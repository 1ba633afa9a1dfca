package grid

import (
	"math"
	"slices"

	"onlooker/vision"
	"onlooker/vision/grid/part"
)

// leastDiscs are the discs of a lattice that nothing else shows.
const leastDiscs = 9

// leastRing is the radius of what a ring encloses, of that of a disc beside it: a ring is a
// quarter of it wide, as most are drawn, or less.
const leastRing = 0.5

// DiscGrids are the upright lattices in whose every cell a disc of one size stands, where
// nothing else parts the cells.
func (s *Scene) DiscGrids(contrast int) []*Grid {
	var out []*Grid
	sets := s.Discs(contrast)
	for i, set := range sets {
		if g := s.discGrid(set, contrast); g != nil {
			out = append(out, g)
			continue
		}
		// What rings enclose is smaller than the discs beside them.
		for _, inner := range sets[i+1:] {
			if ratio := inner[0].Radius / set[0].Radius; ratio < leastRing || ratio > 1/leastRing {
				continue
			}
			if g := s.discGrid(slices.Concat(set, inner), contrast); g != nil {
				out = append(out, g)
				break
			}
		}
	}
	return out
}

// discGrid is the lattice of some discs; nil where they stand on none, or not on all of
// its places.
func (s *Scene) discGrid(set []part.Disc, contrast int) *Grid {
	if len(set) < leastDiscs {
		return nil
	}
	var places [2][]float64
	var near []float64
	for _, d := range set {
		places[0], places[1] = append(places[0], d.At.X), append(places[1], d.At.Y)
		least := math.Inf(1)
		for _, e := range set {
			if e != d {
				least = min(least, math.Hypot(e.At.X-d.At.X, e.At.Y-d.At.Y))
			}
		}
		near = append(near, least)
	}
	usual := vision.Median(near)
	pitch, ok := pitchOf(places, 0.95*usual, 1.05*usual)
	if !ok {
		return nil
	}
	var from, to [2]float64
	var size [2]int
	for i, list := range places {
		at, _ := phase(list, pitch)
		first := math.Round((slices.Min(list) - at) / pitch)
		last := math.Round((slices.Max(list) - at) / pitch)
		from[i], to[i] = fitted(list, at, pitch, first-0.5, last+0.5)
		size[i] = int(last-first) + 1
	}
	if size[0]*size[1] != len(set) {
		return nil
	}
	seen := map[[2]int]bool{}
	for _, d := range set {
		seen[[2]int{int((d.At.X - from[0]) / pitch), int((d.At.Y - from[1]) / pitch)}] = true
	}
	if len(seen) < len(set) {
		return nil
	}
	g, err := s.GridAt(upright(from, to), size[0], size[1])
	if err != nil {
		return nil
	}
	g.Contrast = contrast
	return g
}
