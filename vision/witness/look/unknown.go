package look

import (
	"image"
	"math"
	"slices"

	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/witness/view"
)

// Holds tells whether a symbol of some kind is on a panel.
func Holds(p *witness.Panel, kind witness.Kind) bool {
	for at := range p.Points() {
		if p.At(at).Kind == kind {
			return true
		}
	}
	return false
}

// Covered notes what circles and dots cover.
func (m *Model) Covered(p *witness.Panel) {
	for at := range p.Points() {
		if p.At(at).Start {
			m.Radius[at] = m.Cover(at, true)
		} else if p.At(at).Dot.On {
			m.Dotted[at] = m.Cover(at, false)
		}
	}
}

// DotsAllRound is unknown for a cell with a dot on each of its four edges, which no line
// passes without meeting itself: unless a panel has erasers they are no dots but how this
// look's lines are drawn.
func DotsAllRound(p *witness.Panel) error {
	if Holds(p, witness.Eraser) {
		return nil
	}
	for at := range p.Points() {
		if witness.IsCell(at) && !slices.ContainsFunc(view.Ways[:], func(d image.Point) bool { return !p.At(at.Add(d)).Dot.On }) {
			return view.Unsure(at, "dots on all four edges of a cell, or how this look's lines are drawn: calibrate")
		}
	}
	return nil
}

// Mask is how strongly a cell's symbol shows at each place, 0 to 1.
func (v *Cell) Mask() vision.Map {
	m := vision.NewMap(CellSide, CellSide)
	for i, d := range v.Shown.V {
		m.V[i] = min(1, d/float32(max(v.Most, 1e-9)))
	}
	return m
}

// LikeCircle tells whether an end may be a start circle of a size, in line widths: such a one
// would lie where the end does, hardly beside it where lines do not hide it, and reach as far.
// Of an infinite size, which no circle has, it may not be.
func (m *Model) LikeCircle(at, out image.Point, size float64) bool {
	if math.IsInf(size, 1) {
		return false
	}
	outside, hidden := m.Outside(at, out), m.LineWidth+2*m.Bleed
	w, h := float64(2*m.Board.Cols), float64(2*m.Board.Rows)
	toLine := func(v float64) float64 { return math.Abs(v - 2*math.Round(v/2)) }
	shows := func(r, ux, uy float64) (seen, free bool) {
		x, y := float64(at.X)+2*m.LineWidth*r*ux, float64(at.Y)+2*m.LineWidth*r*uy
		ground := outside
		switch {
		case max(-x, -y, x-w, y-h) >= hidden:
		case min(x, y, w-x, h-y) > 0 && min(toLine(x), toLine(y)) >= hidden:
			ground = m.Ground(2*int(x/2)+1, 2*int(y/2)+1)
		default:
			return false, false
		}
		return m.At(x, y).Dist(ground) > 0.5*m.Board.Ink.Dist(ground), true
	}
	blur := m.Bleed / m.LineWidth
	n := math.Hypot(float64(out.X), float64(out.Y))
	if longer, _ := shows(size+blur+ReachStep, float64(out.X)/n, float64(out.Y)/n); longer {
		return false
	}
	const rays = 32
	seen, all := 0, 0
	for k := range rays {
		sin, cos := math.Sincos(2 * math.Pi * (float64(k) + 0.5) / rays)
		for r := size - blur; r > 0.5; r -= ReachStep {
			is, free := shows(r, cos, sin)
			if free {
				all++
			}
			if is {
				seen++
			}
		}
	}
	_, beyond := shows(size-blur, float64(out.X)/n, float64(out.Y)/n)
	return beyond && float64(seen) > view.Mostly*float64(all)
}

// Starts are the start circles of a panel.
func Starts(p *witness.Panel) (all []image.Point) {
	for at := range p.Points() {
		if p.At(at).Start {
			all = append(all, at)
		}
	}
	return all
}

// Alone tells whether what differs from the ground by nearly as much as the most does
// not reach the cell's rim.
func (v *Cell) Alone() bool {
	for k, d := range v.Off.V {
		far := max(math.Abs(Offset(k%CellSide)), math.Abs(Offset(k/CellSide)))
		if float64(d) > view.Mostly*v.Strong && far > view.Nearly*v.Inner && far <= v.Inner {
			return false
		}
	}
	return true
}
