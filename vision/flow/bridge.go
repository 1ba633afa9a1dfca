package flow

import (
	"math"

	"onlooker/vision"
	"onlooker/vision/grid/part"
)

const (
	laneReach = 0.35 // from the cell's middle: how far lanes are looked at along and across
	laneShare = 0.75 // of the lines across a cell that meet both its lanes: one gap or two are drawn
	laneEven  = 0.06 // by how much the lanes' distance differs from line to line, in cell units
	laneApart = 0.2  // their least distance
	laneWide  = 0.14 // the most that one is wide; paths have 0.2 and more
	laneFree  = 0.3  // of the lines across a cell that a path which crosses the lanes leaves free at the least
	laneHue   = 0.95 // cosine of the angle between the colours of one lane, seen from the ground's
	lanePast  = 0.07 // in cell units beyond the cell, where its lanes have ended and a path's outline goes on
)

// bridge tells whether a bridge is drawn in a cell: two lanes on both sides of a
// path, over or under which another path goes. Nearly every line across them
// meets two thin strokes, as far apart as on the others, and the cell's middle lies
// between. A path may be drawn there already: between the lanes, or across them,
// where it hides them. least is the contrast of the faintest that is no backdrop.
func (r *reading) bridge(i int, least float64) bool {
	return !r.g.Hex && (r.lanes(i, true, least) || r.lanes(i, false, least))
}

// A lane is the outermost thing that a line across a cell meets on one side.
type lane struct {
	off    float64 // its middle, in cell units from the cell's
	wide   float64
	colour part.Colour
}

// lanes tells whether two lanes go across a cell, from left to right or from top
// to bottom.
func (r *reading) lanes(i int, across bool, least float64) bool {
	s := r.sweep(i, across, least)
	step := 1 / float64(r.g.Side)
	var apart, mid []float64
	var colours []part.Colour
	lines, covered, last := 0, 0, -1
	for along := -laneReach; along <= laneReach; along += step {
		lines++
		if s.ink(along, -laneReach) || s.ink(along, laneReach) {
			// A path that crosses, in one stretch.
			if covered > 0 && last != lines-1 {
				return false
			}
			covered, last = covered+1, lines
			continue
		}
		a, okA := s.lane(along, -1)
		b, okB := s.lane(along, 1)
		if okA && okB && s.alike(a.colour, b.colour) {
			apart, mid = append(apart, b.off-a.off), append(mid, (a.off+b.off)/2)
			colours = append(colours, a.colour, b.colour)
		}
	}
	free := lines - covered
	if float64(free) < laneFree*float64(lines) || float64(len(apart)) < laneShare*float64(free) {
		return false
	}
	usual, even := vision.Median(apart), 0
	for _, d := range apart {
		if math.Abs(d-usual) < laneEven {
			even++
		}
	}
	if usual <= laneApart || float64(even) < laneShare*float64(free) || math.Abs(vision.Median(mid)) >= usual/3 {
		return false
	}
	return !s.outline(usual/2, part.Usual(colours))
}

// A sweep looks at a cell along lines that cross it, by where they lie along the
// lanes and how far off its middle.
type sweep struct {
	at     func(along, off float64) part.Colour
	ground part.Colour
	clear  int // the least contrast of ink
	step   float64
}

func (r *reading) sweep(i int, across bool, least float64) *sweep {
	c := r.g.Cell(i)
	return &sweep{
		at: func(along, off float64) part.Colour {
			if !across {
				along, off = off, along
			}
			return r.g.Colour(float64(c.X)+0.5+along, float64(c.Y)+0.5+off)
		},
		ground: r.blobs[i].Ground, clear: max(2*r.g.Contrast, int(0.4*float64(r.blobs[i].Contrast)), int(least)), step: 1 / float64(r.g.Side),
	}
}

func (s *sweep) ink(along, off float64) bool { return s.at(along, off).Contrast(s.ground) >= s.clear }

// alike tells whether two colours may be one ink's, blurred with the ground more or
// less.
func (s *sweep) alike(a, b part.Colour) bool { return a.Turned(b, s.ground) >= laneHue }

// lane is what a line meets first from outside, on the side of lower or of higher
// offsets; false for nothing, and for what is too wide.
func (s *sweep) lane(along, side float64) (l lane, ok bool) {
	var first, past float64
	for off := laneReach; off > 0; off -= s.step {
		v := s.at(along, side*off)
		ink := v.Contrast(s.ground) >= s.clear
		switch {
		case ink && !ok:
			ok, first, past, l.colour = true, off, off, v
		case ink && s.alike(v, l.colour):
			past = off
			if v.Contrast(s.ground) > l.colour.Contrast(s.ground) {
				l.colour = v
			}
		case ok:
			l.off, l.wide = side*(first+past)/2, first-past+s.step
			return l, l.wide <= laneWide
		}
	}
	return l, false
}

// outline tells whether strokes of a colour go on beyond a cell, as far off its
// middle, on both sides: they are a path's outline.
func (s *sweep) outline(off float64, colour part.Colour) bool {
	for _, side := range []float64{-1, 1} {
		for _, way := range []float64{-1, 1} {
			on := false
			for d := -laneEven; d <= laneEven; d += s.step {
				v := s.at(way*(0.5+lanePast), side*off+d)
				on = on || v.Contrast(s.ground) >= s.clear && s.alike(v, colour)
			}
			if !on {
				return false
			}
		}
	}
	return true
}
