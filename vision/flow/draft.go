package flow

import (
	"cmp"
	"image"
	"slices"

	"onlooker/vision/grid/form"
)

// mostAlike is how many ends look alike at the most: two pairs of like colours. More are paths.
const mostAlike = 4

// Draft guesses the ends of a board: in cells that are unlike most, each with the one that is
// most like it. Doubts are how unlike two ends are, as a share of how unlike the least alike are.
func Draft(s *form.Sheet) (*form.Draft, error) {
	type pair struct {
		i, j  int
		apart float64
	}
	var all []pair
	far := 0.0
	cell := func(i int) image.Point { return s.Places[i].At.Div(2) }
	b, doubts := bare(s.Grid), map[image.Point]float64{}
	var ends []int
	many := map[int]int{}
	for _, p := range s.Places {
		many[p.Group]++
	}
	for i, p := range s.Places {
		if c := cell(i); p.Kind == "cell" && !p.Common && many[p.Group] <= mostAlike && s.At(c.X, c.Y) {
			ends = append(ends, i)
			doubts[p.At] = 1 // alone
		}
	}
	for k, i := range ends {
		for _, j := range ends[:k] {
			all = append(all, pair{j, i, s.Apart(i, j)})
			far = max(far, all[len(all)-1].apart)
		}
	}
	slices.SortStableFunc(all, func(a, b pair) int { return cmp.Compare(a.apart, b.apart) })
	for _, p := range all {
		if at, to := s.Places[p.i].At, s.Places[p.j].At; doubts[at] == 1 && doubts[to] == 1 {
			doubts[at], doubts[to] = 0.99*p.apart/far, 0.99*p.apart/far
			b.Pair(cell(p.i), cell(p.j))
		}
	}
	p, err := b.Puzzle()
	if err != nil {
		return nil, err
	}
	return &form.Draft{Puzzle: p, Doubts: doubts}, nil
}
