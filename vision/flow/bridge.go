package flow

import (
	"math"

	"onlooker/vision"
)

const (
	laneReach = 0.35 // from the cell's middle: how far lanes are looked at along and across
	laneShare = 0.75 // of the lines across a cell that meet both its lanes: one gap or two are drawn
	laneEven  = 0.06 // by how much the lanes' distance differs from line to line, in cell units
	laneApart = 0.2  // their least distance
)

// bridge tells whether a bridge is drawn in a cell: two lanes on both sides of a
// path, over or under which another path goes. Nearly every line across them
// meets two strokes, as far apart as on the others, and the cell's middle lies
// between.
func (r *reading) bridge(i int) bool {
	return !r.g.Hex && (r.lanes(i, true) || r.lanes(i, false))
}

// lanes tells whether two lanes go across a cell, from left to right or from top
// to bottom.
func (r *reading) lanes(i int, across bool) bool {
	c, ground := r.cell(i), r.blobs[i].Ground
	step := 1 / float64(r.g.Side)
	at := func(along, off float64) int {
		x, y := along, off
		if !across {
			x, y = off, along
		}
		return r.g.Colour(float64(c.X)+0.5+x, float64(c.Y)+0.5+y).Contrast(ground)
	}
	clear := float64(max(2*r.g.Contrast, int(0.4*float64(r.blobs[i].Contrast))))
	var apart, mid []float64
	lines := 0
	for along := -laneReach; along <= laneReach; along += step {
		lines++
		var strokes []float64
		from, in := 0.0, false
		for off := -laneReach; off <= laneReach+step; off += step {
			dark := off <= laneReach && float64(at(along, off)) >= clear
			if dark && !in {
				from = off
			}
			if !dark && in {
				strokes = append(strokes, (from+off-step)/2)
			}
			in = dark
		}
		if len(strokes) == 2 {
			apart, mid = append(apart, strokes[1]-strokes[0]), append(mid, (strokes[0]+strokes[1])/2)
		}
	}
	if float64(len(apart)) < laneShare*float64(lines) {
		return false
	}
	usual, even := vision.Median(apart), 0
	for _, d := range apart {
		if math.Abs(d-usual) < laneEven {
			even++
		}
	}
	return usual > laneApart && float64(even) >= laneShare*float64(lines) && math.Abs(vision.Median(mid)) < usual/3
}
