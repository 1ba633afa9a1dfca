package learned

import (
	"image"
	"math"

	witness "onlooker/solve/witness/board"
	"onlooker/vision/witness/decide"
	"onlooker/vision/witness/look"
	"onlooker/vision/witness/view"
)

// What follows tells by lengths what is on the lines of a look of which no picture was learned: one
// whose sizes are known exactly, or, for a draft, nothing but that it has lines.

// measuredEdge tells whole, broken and missing edges apart.
func (m *Reader) measuredEdge(p *witness.Panel, at image.Point) error {
	v := m.Model.Lines.EdgeView(at, m.Model.Lines.Clear)
	gone, sure := m.Model.Is(look.DivideBreak, v.Depth)
	if gone && v.Share*v.Length < m.Profile.Board.Gap[0] {
		gone = false // a dot that reaches across: breaks of this look are longer
	}
	if dot, _ := m.Model.Is(look.DivideDot, v.Odd); !dot || gone {
		if err := m.Told(at, sure, decide.EdgeOrBreak); err != nil {
			return err
		}
	}
	if !gone {
		return nil
	}
	gap, cap, open := m.Gap(at, v)
	if err := open.At(at); err != nil {
		return err
	}
	p.At(at).Gap = gap
	if cap != (image.Point{}) {
		p.At(at.Sub(cap)).Cap = cap
	}
	return nil
}

// measuredEnd finds the cap of an end at a place.
func (m *Reader) measuredEnd(at image.Point) (image.Point, error) {
	if witness.IsEdge(at) {
		dir, err := m.capIntoCell(at)
		if err != nil || dir != (image.Point{}) {
			m.Model.Lines.Capped[at] = dir
			return dir, err
		}
	}
	best, sure := look.CapView{}, 1.0
	for _, v := range m.Model.Lines.CapViews(at) {
		yes, s := m.Model.Is(look.DivideCap, v.Own())
		switch {
		case yes && v.Reach > best.Reach:
			best, sure = v, s // a cap is seen aslant, too, from a corner
		case best.Reach == 0:
			sure = min(sure, s)
		}
	}
	return best.Dir, m.Told(at, sure, decide.EndOrNone)
}

// Gap tells a broken edge from a missing one, and what that leaves open: of the first both
// its ends are seen. Where one is, it is an end's cap into the board, whose way is given.
func (m *Reader) Gap(at image.Point, v look.EdgeView) (gap witness.Gap, cap image.Point, open decide.Question) {
	n, stub0 := len(v.Gone), m.leastStub()
	first, last := m.goneSpan(at, v)
	ux, uy := witness.EdgeDirection(at)
	seen, hidden := 0, 0
	for side, is := range map[int]bool{-1: first > stub0, 1: last < n-1-stub0} {
		if is {
			seen++
		} else if m.Model.Lines.Radius[at.Add(image.Pt(side*int(ux), side*int(uy)))] > 0 {
			hidden++
		}
	}
	if m.Model.Known.Exact && seen == 1 && hidden == 1 && float64(last+1-first)/view.Tuned.EdgeSamples > 2*m.Profile.Board.Gap[1] {
		return m.oneEnd(at, v, first, last) // more is gone than a break is long
	}
	if seen > 0 && seen+hidden == 2 {
		return witness.Broken, cap, ""
	}
	if seen > 0 {
		return m.oneEnd(at, v, first, last)
	}
	// All that is free is gone. Where circles cover both ends a wide break looks so too,
	// unless it cuts into the circles.
	covered := 0
	for _, side := range []float64{-1, 1} {
		node := at.Add(image.Pt(int(side*ux), int(side*uy)))
		if r := m.Model.Lines.Radius[node]; r > 0 {
			covered++
			// The furthest of the circle that is seen: hollow ones begin further out.
			if m.Model.Lines.Furthest(node, -side*ux, -side*uy, m.GroundBeside(at), r, math.Inf(1)) < r-0.1 {
				return witness.Broken, cap, ""
			}
		}
	}
	free := 0.5 * float64(n) / view.Tuned.EdgeSamples // pitches
	if covered == 2 && free < m.Profile.Board.Gap[1] {
		open = decide.BreakOrNone
	}
	return witness.Missing, cap, open
}

// leastStub is how many samples of an edge the least stub has that is more than blur: a
// twentieth of the pitch.
func (m *Reader) leastStub() int { return int(0.1 * view.Tuned.EdgeSamples) }

// goneSpan is the first and the last sample along an edge that is gone. What a dot on a
// node is outlined in may be as the ground is: behind that the line begins.
func (m *Reader) goneSpan(at image.Point, v look.EdgeView) (first, last int) {
	n, least := len(v.Gone), m.leastStub()
	ux, uy := witness.EdgeDirection(at)
	to := image.Pt(int(ux), int(uy))
	behind := func(node image.Point, gone func(i int) bool) int {
		first := 0
		for first < n && !gone(first) {
			first++
		}
		if first > least || m.Model.Lines.Radius[node] == 0 && !m.Model.Lines.OddCore(node) {
			return first
		}
		rim := first
		for rim < n && gone(rim) {
			rim++
		}
		next := rim
		for next < n && !gone(next) {
			next++
		}
		if next == n || next-rim <= least {
			return first
		}
		return next
	}
	first = behind(at.Sub(to), func(i int) bool { return v.Gone[i] > 0.5 })
	return first, n - 1 - behind(at.Add(to), func(i int) bool { return v.Gone[n-1-i] > 0.5 })
}

// oneEnd is gap for an edge of which one end is seen; first and last are the samples along
// it between which it is gone.
func (m *Reader) oneEnd(at image.Point, v look.EdgeView, first, last int) (gap witness.Gap, cap image.Point, open decide.Question) {
	n, stub0 := len(v.Gone), m.leastStub()
	ux, uy := witness.EdgeDirection(at)
	way, stub := image.Pt(int(ux), int(uy)), first
	if first <= stub0 {
		way, stub = way.Mul(-1), n-1-last
	}
	far := at.Add(way)
	dot := m.Model.Lines.OddCore(far)
	// A dot that is wider than the line hides the other end of a break: that is in the
	// middle of the edge.
	end := v.Begin + float64(first+1)/view.Tuned.EdgeSamples
	if first <= stub0 {
		end = v.Begin + float64(last+1)/view.Tuned.EdgeSamples
	}
	if dot && m.Profile.Board.Gap.Has(math.Abs(end)) {
		return witness.Broken, cap, ""
	}
	reach := 0.5 + 0.5*float64(stub)/view.Tuned.EdgeSamples/m.LineWidth
	if yes, sure := m.Model.Is(look.DivideCap, reach); yes && sure >= m.Profile.Board.Confidence {
		return witness.Missing, way, ""
	}
	return 0, cap, decide.BreakOrNone
}

// capOfCircle is which way a cap points that reaches from under a start circle, by the
// look's own sizes of both; none where none does.
func (m *Reader) capOfCircle(at image.Point) (image.Point, error) {
	circle, cap := m.Profile.Board.Start[1], m.Profile.Board.Cap[0]
	if cap <= circle {
		return image.Point{}, nil
	}
	best := look.CapView{}
	for _, v := range m.Model.Lines.CapViews(at) {
		if v.Reach > best.Reach { // a cap is seen aslant, too
			best = v
		}
	}
	yes, far := view.Sure(best.Reach, (circle+cap)/2, cap), 2*m.LineWidth*best.Reach
	tip := m.Board.ScreenPoint(float64(at.X)+far*float64(best.Dir.X), float64(at.Y)+far*float64(best.Dir.Y))
	if yes > 0.5 && !image.Pt(int(tip.X), int(tip.Y)).In(image.Rectangle{Max: m.Board.FrameSize}) {
		yes = 0.5 // the picture does not show where it ends
	}
	if err := m.Told(at, max(yes, 1-yes), decide.EndOrNone); err != nil || yes <= 0.5 {
		return image.Point{}, err
	}
	return best.Dir, nil
}

// capIntoCell is into which cell beside an edge a cap points, by the look's own colour of
// lines and least length of caps; none where none does. What lies within a line's width
// beside a cap is none of it: a circle or a symbol is wider.
func (m *Reader) capIntoCell(at image.Point) (image.Point, error) {
	inky := func(out, aside float64, d image.Point) bool {
		x, y := float64(at.X)+2*m.LineWidth*(out*float64(d.X)+aside*float64(d.Y)), float64(at.Y)+2*m.LineWidth*(out*float64(d.Y)+aside*float64(d.X))
		return m.At(x, y).Dist(m.Model.Lines.LineInk(at)) <= m.Profile.Board.LinesWithin
	}
	ux, uy := witness.EdgeDirection(at)
	var found image.Point
	for _, side := range []int{-1, 1} {
		d := image.Pt(side*int(uy), side*int(ux))
		if cell := at.Add(d); cell.X < 0 || cell.Y < 0 || cell.X > 2*m.Board.Cols || cell.Y > 2*m.Board.Rows {
			continue
		}
		seen, n := 0.0, 0.0
		// From beyond the line's border to what the shortest cap reaches.
		for out := 0.5 + look.ReachStep; out < m.Profile.Board.Cap[0]-look.ReachStep; out += look.ReachStep {
			n++
			if inky(out, 0, d) && inky(out, 0.25, d) && inky(out, -0.25, d) && !inky(out, 0.75, d) && !inky(out, -0.75, d) {
				seen++
			}
		}
		share := seen / n
		if err := m.Told(at, max(share, 1-share), decide.EndOrNone); err != nil {
			return image.Point{}, err
		}
		if share > 0.5 {
			if found != (image.Point{}) {
				return image.Point{}, decide.EndWays.At(at)
			}
			found = d
		}
	}
	return found, nil
}
