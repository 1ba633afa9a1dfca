package flow

import (
	"math"

	"onlooker/vision"
	"onlooker/vision/grid/cell"
	"onlooker/vision/grid/part"
)

// By how much letters differ; see grid.Mark's Differ. Measured on drawn boards of six
// styles, scaled by 0.83 and as JPEG of quality 60: two pictures of one letter differ by
// 0.02 to 0.2, usually by 0.1, those of two letters by 0.15 and more, usually by 0.4.
const sameLabel = 0.1 // says nothing

// mostOwn is by how much no pair's letters, and no pair's colours, differ, in units that
// say nothing.
const mostOwn = 2.5

// farApart is the distance of ends that are no pair, in what says nothing.
const farApart = 1e6

// paired puts discs into pairs by their colours and by what is written on them, as
// colour-blind modes do. Where colours do not suffice both count; where they do,
// letters that name other pairs contradict them.
func (r *reading) paired(discs []int) ([][2]int, error) {
	tint := r.tint(func(i int) part.Colour { return r.blobs[i].Colour })
	labels := r.labels(discs)
	if labels == nil {
		return r.pairs(discs, tint)
	}
	pairs, _, err := r.agreed(discs, tint, remembered(func(a, b int) float64 {
		d := labels[a].Differ(labels[b]) / sameLabel
		if d > mostOwn {
			return farApart // whatever their colours are
		}
		return d
	}))
	return pairs, err
}

// labels are what is written on ends, nil where one has nothing on it.
func (r *reading) labels(ends []int) map[int]*cell.Mark {
	out := map[int]*cell.Mark{}
	for _, i := range ends {
		c := r.g.Cell(i)
		m, ok := cell.LabelOn(&r.g.Rectified, c.X, c.Y, r.blobs[i])
		if !ok {
			return nil
		}
		out[i] = m
	}
	return out
}

// contradiction finds an end whose letter is not its partner's, on a board where
// letters name the pairs: most pairs' letters are alike and no one else's. What is
// on discs elsewhere, as a shine on all or a mark on some, names none.
func contradiction(pairs [][2]int, apart func(a, b int) float64) (end int, found bool) {
	var across []float64
	within, other := make([]float64, len(pairs)), make([]float64, len(pairs))
	named := 0
	for i, p := range pairs {
		within[i], other[i] = apart(p[0], p[1]), math.Inf(1)
		for j, q := range pairs {
			if i == j {
				continue
			}
			for k := range 4 {
				d := apart(p[k%2], q[k/2])
				other[i] = min(other[i], d)
				across = append(across, d)
			}
		}
		if other[i] >= 1 && within[i] <= pairShare*other[i] {
			named++
		}
	}
	if 2*named <= len(pairs) {
		return 0, false
	}
	usual := vision.Median(across)
	for i, p := range pairs {
		if within[i] > max(mostOwn, pairShare*usual) || other[i] < pairShare*within[i] {
			return p[0], true
		}
	}
	return 0, false
}
