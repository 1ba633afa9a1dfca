package witness

import (
	"cmp"
	"fmt"
	"image"
	"math"
	"slices"

	witness "onlooker/solve/witness/board"
	"onlooker/vision/witness/decide"
	"onlooker/vision/witness/pillar"
)

// pillar joins the views and reads the whole. Views may come in any order and
// at any angle: of each place the likelihoods that they give what it may show are
// multiplied. If the likeliest joinings do not all give the same panel the reading is
// unsure.
func (r *Reader) pillar() (*witness.Panel, error) {
	var sides []*pillar.Side
	for _, b := range r.boards {
		sides = append(sides, pillar.NewSide(b, r.profile, r.drawn, r.lines))
	}
	joinings := []pillar.Joining{{Turn: []int{0}}}
	if len(r.columns) == len(sides) { // it is known how they go together
		joinings[0].Turn = nil
		for i, c := range r.columns {
			cols := sides[i].Cols
			joinings[0].Turn = append(joinings[0].Turn, ((c-r.columns[0])%cols+cols)%cols)
		}
	}
	for i := len(joinings[0].Turn); i < len(sides); i++ {
		var next []pillar.Joining
		for _, j := range joinings {
			for turn := range sides[i].Cols {
				o := pillar.Joining{Turn: append(slices.Clone(j.Turn), turn)}
				o.Like = pillar.Likelihood(sides, o.Turn)
				next = append(next, o)
			}
		}
		slices.SortStableFunc(next, func(a, b pillar.Joining) int { return cmp.Compare(b.Like, a.Like) })
		joinings = next[:min(len(next), pillar.KeptJoinings)]
	}
	panel, first, err := pillar.Merged(sides, joinings[0].Turn)
	if err != nil {
		return nil, err
	}
	// How likely another panel is, by the other joinings.
	text := fmt.Sprint(panel.Spots)
	same, all := 1.0, 1.0
	for _, j := range joinings[1:] {
		p := math.Exp(j.Like - joinings[0].Like)
		if p < 1e-3 {
			break
		}
		all += p
		if o, _, err := pillar.Merged(sides, j.Turn); err == nil && fmt.Sprint(o.Spots) == text {
			same += p
		}
	}
	if err := decide.Joining.Likely(image.Point{}, same/all, r.profile.Board.Confidence); err != nil {
		return nil, err
	}
	r.first = first
	return panel, nil
}
