package form

import (
	"cmp"
	"fmt"
	"image"
	"maps"
	"math"
	"slices"

	"onlooker/solve"
	"onlooker/vision"
	"onlooker/vision/grid"
	"onlooker/vision/grid/part"
)

// A Sheet is a board of which somebody said where it lies and how many cells it has,
// straightened, with what its places look like.
type Sheet struct {
	*grid.Grid
	Quad   [4]vision.Point
	Places []Place
}

// A Place is one of a sheet. Places of one kind that lie alike on the board and look alike are
// a group; groups are numbered, the largest of a kind first.
type Place struct {
	At    image.Point // half-cells
	Kind  string
	Group int
	// Common says that no group of its kind is larger.
	Common bool
	// Doubt is how near it comes to another group, 0 to 1.
	Doubt float64
	// Colour is the mean colour of what is about its middle.
	Colour part.Colour
	patch  patch
}

const (
	mostLike    = 0.25 // of how far the places of a kind are apart at the most: one group
	cellWide    = 0.8  // of a cell: what stands in it, without its lines
	middleOfAll = 0.25 // of a patch, from its sides: about its middle
)

// NewSheet looks at the places of a board, which are given as an editor has them.
func NewSheet(g *grid.Grid, quad [4]vision.Point, places []solve.Place) *Sheet {
	g.Straighten()
	s := &Sheet{Grid: g, Quad: quad, Places: make([]Place, len(places))}
	kinds := map[string][]int{}
	for i, p := range places {
		wide, kind := cellWide, p.Kind
		if !g.Hex && (p.At.X%2 == 0 || p.At.Y%2 == 0) {
			wide, kind = borderWide, fmt.Sprint(p.Kind, p.At.X%2, p.At.Y%2, edge(p.At.X, 2*g.Cols), edge(p.At.Y, 2*g.Rows))
		}
		s.Places[i] = Place{At: p.At, Kind: p.Kind}
		kinds[kind] = append(kinds[kind], i)
		o := &s.Places[i]
		o.patch = patchAt(&g.Rectified, (float64(p.At.X)-wide)/2, (float64(p.At.Y)-wide)/2, wide)
		o.Colour = o.patch.middle()
	}
	first := 0
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		first += s.group(kinds[kind], first)
	}
	return s
}

// edge tells the first and the last of a row of places from the others.
func edge(at, last int) int {
	switch at {
	case 0:
		return 0
	case last:
		return 2
	}
	return 1
}

// middle is the mean colour about the middle.
func (p *patch) middle() (c part.Colour) {
	const from = int(middleOfAll * patchSide)
	for i := range c {
		sum, n := 0.0, 0.0
		for y := from; y < patchSide-from; y++ {
			for x := from; x < patchSide-from; x++ {
				sum, n = sum+p[3*(y*patchSide+x)+i], n+1
			}
		}
		c[i] = uint8(math.Round(255 * sum / n))
	}
	return c
}

// group puts places into groups, numbered from first on, and gives how many there are.
func (s *Sheet) group(list []int, first int) int {
	apart := func(i, j int) float64 { return s.Places[i].patch.differ(&s.Places[j].patch, 1) }
	far := 0.0
	for from, sweep := list[0], 0; sweep < 2; sweep++ {
		to := slices.MaxFunc(list, func(i, j int) int { return cmp.Compare(apart(from, i), apart(from, j)) })
		far, from = max(far, apart(from, to)), to
	}
	limit := max(leastLimit, mostLike*far)
	var groups [][]int
	for _, i := range list {
		best, second, of := math.Inf(1), math.Inf(1), -1
		for k, g := range groups {
			switch d := apart(g[0], i); {
			case d < best:
				best, second, of = d, best, k
			case d < second:
				second = d
			}
		}
		if best > limit {
			second, of = best, len(groups)
			best, groups = 0, append(groups, nil)
		}
		groups[of] = append(groups[of], i)
		if !math.IsInf(second, 1) && second > 0 {
			s.Places[i].Doubt = best / second
		}
	}
	slices.SortStableFunc(groups, func(a, b []int) int { return cmp.Compare(len(b), len(a)) })
	for k, g := range groups {
		for _, i := range g {
			s.Places[i].Group, s.Places[i].Common = first+k, k == 0
		}
	}
	return len(groups)
}

// Apart is by how much two places look unlike: 0 to 1.
func (s *Sheet) Apart(i, j int) float64 { return s.Places[i].patch.differ(&s.Places[j].patch, 1) }

// Number is the number of a place.
func (s *Sheet) Number(at image.Point) int {
	return slices.IndexFunc(s.Places, func(p Place) bool { return p.At == at })
}

// A Draft is what a sheet's board may show.
type Draft struct {
	Puzzle solve.Puzzle
	// Doubts are how doubtful places are, 0 to 1; what is left out is not.
	Doubts map[image.Point]float64
	// Guesses are what may stand in a place instead, as edits, the likeliest first; nil where the
	// family's tools are all that is known of it.
	Guesses map[image.Point][]solve.Edit
}
