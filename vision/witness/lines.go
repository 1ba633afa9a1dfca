package witness

import (
	"cmp"
	"fmt"
	"image"
	"math"
	"slices"

	"onlooker/solve/witness"
	"onlooker/vision"
)

func unsure(at image.Point, format string, args ...any) error {
	return &vision.UnsureError{What: fmt.Sprintf(format, args...), At: at}
}

// A gapView is how much of an edge, from place to place, is as what lies beside it.
type gapView struct {
	s       *sheet
	at      image.Point
	ink     vision.RGB // of the line
	sides   []beside   // the cells on both sides; on the border the inner one only
	gone    [gapSteps + 1]float64
	covered [2]int  // to where the circles of starts reach in from either end
	other   [2]int  // or what at a node is of another colour than the line
	low     int     // places that are gone by more than half
	first   int     // of them, the first
	last    int     // and the last
	deepest float64 // the most that a place off the nodes is gone
	length  float64 // of the longest stretch that is gone, in pitches
	width   float64 // of what is gone where most is, in pitches: that of a break, however blurred
}

// beside is a side of an edge: the way to it, and its usual colour.
type beside struct {
	dx, dy float64
	usual  vision.RGB
}

// gapSteps is how many steps along an edge are looked at, and gapReach the share of
// what is seen of it between its nodes over which they go.
const (
	gapSteps = 60
	gapReach = 0.92
)

// gaps looks along an edge; started tells where start circles are.
func (s *sheet) gaps(at image.Point, started func(image.Point) bool) *gapView {
	return s.gapsIn(at, s.edgeInk(at, started), started)
}

// gapsIn is gaps for a line of some colour.
func (s *sheet) gapsIn(at image.Point, ink vision.RGB, started func(image.Point) bool) *gapView {
	ux, uy := along(at)
	v := &gapView{s: s, at: at, ink: ink, first: gapSteps + 1, last: -1}
	for _, d := range []int{-1, 1} {
		to := at.Add(image.Pt(int(uy)*d, int(ux)*d))
		if to.X >= 0 && to.Y >= 0 && to.X <= 2*s.b.Cols && to.Y <= 2*s.b.Rows {
			v.sides = append(v.sides, beside{float64(d) * uy, float64(d) * ux, s.cell(to.X, to.Y)})
		}
	}
	visible := 1 - s.line // pitches
	// A border between a line that is drawn and one that is not may look like the
	// cells, and what is drawn shines on what is not.
	for k, d := range []int{-1, 1} {
		node := at.Add(image.Pt(int(ux)*d, int(uy)*d))
		if started(node) {
			in := (1.3*s.line - s.line/2) / (gapReach * visible)
			v.covered[k] = int(math.Ceil(in*gapSteps)) + 1
		}
		c := s.patch(float64(node.X), float64(node.Y), 0.5*s.line)
		if c.Dist(v.ink) > 0.6*s.contrast() && (started(node) || s.drawnTo(node, c)) {
			v.other[k] = max(v.covered[k], gapSteps/6)
		}
	}
	run, longest, deepest := 0, 0, 0
	for i := range v.gone {
		if i < v.other[0] || i > gapSteps-v.other[1] {
			continue
		}
		v.gone[i] = v.gapness(i, -0.5*s.line, 0, 0.5*s.line) / 3
		// A break lies off the nodes; a dot there may reach into the edge.
		if i > gapSteps/12 && i < gapSteps-gapSteps/12 {
			if v.gone[i] > v.deepest {
				v.deepest, deepest = v.gone[i], i
			}
		}
		if v.gone[i] <= 0.5 {
			run = 0
			continue
		}
		run++
		longest, v.low = max(longest, run), v.low+1
		v.first, v.last = min(v.first, i), i
	}
	v.length = float64(longest) / gapSteps * gapReach * visible
	v.width = v.around(deepest) / gapSteps * gapReach * visible
	return v
}

// around is how many steps are gone in all round one of them: what is seen of a break
// spreads as it is blurred, but its sum does not.
func (v *gapView) around(at int) (sum float64) {
	// A tenth: what noise and the line's own colours come to.
	for i := at; i >= 0 && v.gone[i] > 0.1; i-- {
		sum += v.gone[i]
	}
	for i := at + 1; i <= gapSteps && v.gone[i] > 0.1; i++ {
		sum += v.gone[i]
	}
	return sum
}

// edgeInk is the colour of the line at an edge. The circle of a start covers some of
// it, in the colour of a line already drawn perhaps: what is beyond it tells, in the
// other half where that is free.
func (s *sheet) edgeInk(at image.Point, started func(image.Point) bool) vision.RGB {
	ux, uy := along(at)
	var ends []float64
	for _, d := range []float64{-1, 1} {
		if started(at.Add(image.Pt(int(ux*d), int(uy*d)))) {
			ends = append(ends, d)
		}
	}
	ink := s.inkAt(at)
	if len(ends) == 0 {
		return ink
	}
	clear := []float64{-0.5, -0.55, 0.5, 0.55} // between the widest break and the circles
	if len(ends) == 1 {
		clear = []float64{-0.6 * ends[0], -0.72 * ends[0], -0.85 * ends[0]}
	}
	var v []vision.RGB
	for _, f := range clear {
		v = append(v, s.at(float64(at.X)+f*(1-s.line)*ux, float64(at.Y)+f*(1-s.line)*uy))
	}
	if m := vision.MedianRGB(v); m.Dist(s.paperBeside(at)) > 0.4*s.contrast() {
		return m
	}
	return ink
}

// gapness is how much places across a line are as what lies beside it: 0 on the line's
// colour, 1 on that of the cells beside it; offsets are off the line's middle, in
// half-cells.
func (v *gapView) gapness(i int, offsets ...float64) (sum float64) {
	s := v.s
	ux, uy := along(v.at)
	d := (1 - s.line) * gapReach * (2*float64(i)/gapSteps - 1) // half-cells from the middle
	var papers [2]vision.RGB
	var far [2]float64 // from the line's colour to the paper's; 0 where that tells nothing
	for k, b := range v.sides {
		contrast := v.ink.Dist(b.usual)
		// The paper right here, unless a symbol reaches so far.
		reach := s.line + 0.2
		p := s.at(float64(v.at.X)+d*ux+reach*b.dx, float64(v.at.Y)+d*uy+reach*b.dy)
		if p.Dist(b.usual) > 0.4*contrast {
			p = b.usual
		}
		if q := v.ink.Dist(p); q >= 1 {
			papers[k], far[k] = p, q
		}
	}
	for _, offset := range offsets {
		c := s.at(float64(v.at.X)+d*ux+offset*uy, float64(v.at.Y)+d*uy+offset*ux)
		worst := 0.0
		for k := range v.sides {
			if far[k] > 0 {
				worst = max(worst, 1-c.Dist(papers[k])/far[k]) // how far from paper, whatever way
			}
		}
		sum += min(1, worst)
	}
	return sum
}

// asLong tells whether as much is gone as of a break.
func (v *gapView) asLong() bool {
	gap := v.s.look.Board.Gap
	return max(v.length, v.width) >= gap[0]*0.6 && v.length <= gap[1]*1.15
}

// edge tells whether an edge is whole, broken or missing; started tells where
// start circles are.
func (s *sheet) edge(at image.Point, started func(image.Point) bool) (witness.Gap, error) {
	v := s.gaps(at, started)
	const n = gapSteps
	// 0.46: a circle that reaches so far may hide a thin break in the middle.
	if v.covered[0]+v.covered[1] > 0 && v.low < n/2 && 1.27*s.line >= 0.46 {
		return v.hidden()
	}
	const neither = "an edge that is neither whole nor broken: %.2f deep, %.2f of the pitch long"
	switch {
	case v.low > 0 && v.covered[0] > 0 && v.covered[1] > 0 && v.first <= v.covered[0]+n/12 && v.last >= n-v.covered[1]-n/12 && v.length <= s.look.Board.Gap[1]*1.15:
		return witness.Whole, unsure(at, "between two start circles a break, or no edge")
	case v.low > 0 && v.first <= max(v.covered[0], v.other[0])+n/12 && v.last >= n-max(v.covered[1], v.other[1])-n/12 && float64(v.low) > 0.88*float64(v.last-v.first+1):
		// What is no line shows what is beside it: 0.94 and more was seen. A faint line
		// beside one that is drawn, and shines, showed 0.56.
		usual := vision.Median(slices.Clone(v.gone[v.first : v.last+1]))
		// Across a place without a line the colour changes by 0.01 of the contrast or less,
		// across the faintest that was seen beside a drawn one by 0.2.
		step := s.faint(at)
		if v.other != [2]int{} && sure(step, 0.12, 0.2) >= s.look.Board.Confidence {
			return s.faintEdge(at, started)
		}
		return witness.Missing, s.told(at, min(sure(usual, 0.75, 0.95), sure(step, 0.12, 0.04)), "a faint line, or none")
	case v.low > 0 && (v.first <= n/20 || v.last >= n-n/20):
		return witness.Whole, unsure(at, "an edge that begins at one end only")
	case v.deepest < 0.425:
		return witness.Whole, s.told(at, sure(v.deepest, 0.425, 0.05), neither, v.deepest, v.width)
	case v.asLong():
		if err := s.told(at, sure(s.own(at), 0.25, 0), "a break, or a dot of about the cells' colour"); err != nil {
			return witness.Whole, err
		}
		return witness.Broken, s.told(at, sure(v.deepest, 0.425, 0.8), neither, v.deepest, v.width)
	}
	return witness.Whole, unsure(at, neither, v.deepest, v.width)
}

// faintEdge is edge for a line that is fainter than those about it, between a line that
// is drawn and others.
func (s *sheet) faintEdge(at image.Point, started func(image.Point) bool) (witness.Gap, error) {
	ux, uy := along(at)
	var own []vision.RGB
	for _, f := range []float64{-0.55, -0.5, 0.5, 0.55} { // beside the widest break
		own = append(own, s.at(float64(at.X)+f*(1-s.line)*ux, float64(at.Y)+f*(1-s.line)*uy))
	}
	v := s.gapsIn(at, vision.MedianRGB(own), started)
	return witness.Whole, s.told(at, sure(v.deepest, 0.425, 0.05), "a faint line that is neither whole nor broken: %.2f deep", v.deepest)
}

// hidden tells of an edge whose start circles may hide a break, but for notches at the
// line's borders.
func (v *gapView) hidden() (witness.Gap, error) {
	const n = gapSteps
	notch := math.Inf(1)
	for _, o := range []float64{-0.84, 0.84} {
		var t []float64
		top := 0.0
		for i := n / 4; i <= n-n/4; i++ {
			g := v.gapness(i, o*v.s.line)
			t = append(t, g)
			top = max(top, g)
		}
		notch = min(notch, top-vision.Median(t))
	}
	const hides = "a start circle may hide a break: a notch %.2f deep"
	// Of 112 edges of captures the broken ones had notches of 0.26 and more, the others
	// 0.07 at most.
	const divide = 0.16
	switch {
	case v.deepest > 0.5 && v.asLong() && v.first > v.covered[0] && v.last < n-v.covered[1]:
		return witness.Broken, nil
	case notch > divide:
		return witness.Broken, v.s.told(v.at, sure(notch, divide, 0.5), hides, notch)
	}
	return witness.Whole, v.s.told(v.at, min(sure(notch, divide, -divide), sure(v.deepest, 0.425, 0.05)), hides, notch)
}

// faint is how far an edge's middle is from what is beside it, on both sides in the
// same direction as a line is; in units of the contrast between line and cells.
func (s *sheet) faint(at image.Point) float64 {
	ux, uy := along(at)
	var steps []float64
	for i := -6; i <= 6; i++ {
		d := 0.8 * (1 - s.line) * float64(i) / 6
		x, y := float64(at.X)+d*ux, float64(at.Y)+d*uy
		c := s.patch(x, y, 0.3*s.line)
		off := s.line + 0.2
		a, b := c.Sub(s.at(x-off*uy, y-off*ux)), c.Sub(s.at(x+off*uy, y+off*ux))
		step := math.Sqrt(min(a.Dot(a), b.Dot(b)))
		if a.Dot(b) < 0 {
			step = 0
		}
		steps = append(steps, step)
	}
	return vision.Median(steps) / s.contrast()
}

// drawnTo tells whether a line of the given colour leads to a node; what is else of
// that colour there is a dot.
func (s *sheet) drawnTo(node image.Point, c vision.RGB) bool {
	return slices.ContainsFunc([]image.Point{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}}, func(d image.Point) bool {
		ink, ok := s.ink[node.Add(d)]
		return ok && ink.Dist(c) < 0.3*s.contrast()
	})
}

// isStart tells whether a start circle is at a node or an edge's middle: the
// line's colour where around a node there are cells. On a bulging screen, and where
// a line that is drawn already may cover some of it, it is doubtful where half of
// what is round it is as a circle would be, and no corner is.
func (s *sheet) isStart(at image.Point) (is, doubtful bool) {
	usual := s.inkAt(at)
	is, doubtful = s.circled(at, usual)
	doubtful = doubtful && bulging(s.b)
	for _, ink := range s.otherInks(at, usual) {
		a, b := s.circled(at, ink)
		is, doubtful = is || a, doubtful || b
	}
	return is, doubtful
}

// circled is isStart for a circle of one colour.
func (s *sheet) circled(at image.Point, ink vision.RGB) (is, doubtful bool) {
	w, h := 2*s.b.Cols, 2*s.b.Rows
	fx, fy := float64(at.X), float64(at.Y)
	paper := s.paperBeside(at)
	inner, innerAll, outer, outerAll := 0, 0, 0, 0
	capped := false // what is seen at a corner goes on outwards
	nearly := 0     // directions in which it reaches so far as a thick line's circle would
	// A line between hollow cells is taken to be as wide as it is with their walls, a
	// fifth too wide. Where a corner is blurred by less than a pixel and a half it ends
	// before that.
	near := max(0.87, min(0.92, 0.8+1.5/(s.line*s.b.ScreenPitch)))
	for k := range 8 {
		d := [...][2]float64{{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}[k]
		n := hypot(d[0], d[1])
		ux, uy := d[0]/n, d[1]/n
		to := at.Add(image.Pt(int(d[0]), int(d[1])))
		in := to.X >= 0 && to.Y >= 0 && to.X <= w && to.Y <= h
		if witness.IsNode(at) && in && (d[0] == 0 || d[1] == 0) {
			continue // along an edge
		}
		if witness.IsEdge(at) {
			ax, ay := along(at)
			if d[0]*ay == 0 && d[1]*ax == 0 {
				continue // along the edge
			}
		}
		// What would be there but for a circle.
		var p vision.RGB
		if in {
			p = s.cell(at.X+sign(d[0], at.X, w), at.Y+sign(d[1], at.Y, h))
		} else {
			// A small board's ground is no wider than a blurred pixel or two.
			for _, r := range []float64{1.4, 1.55, 1.7} {
				if c := s.at(fx+2*r*s.line*ux, fy+2*r*s.line*uy); c.Dist(ink) >= p.Dist(ink) || r == 1.4 {
					p = c
				}
			}
		}
		axis := ink.Sub(p)
		q := axis.Dot(axis)
		if !in && math.Sqrt(q) < max(0.3*s.contrast(), 4*s.noise) {
			capped = capped || (to.X < 0 || to.X > w) && (to.Y < 0 || to.Y > h)
			continue // outside it is as dark as the line
		}
		reaches := func(r float64) bool {
			c := s.at(fx+2*r*s.line*ux, fy+2*r*s.line*uy)
			// What is round the cells may lie between the lines and something darker.
			return q >= 1 && c.Sub(p).Dot(axis)/q > 0.55 && c.Dist(ink) < c.Dist(paper)
		}
		// Of the line's width; the circle's radius is 1.13 in the Challenge, and
		// 1.03 was seen elsewhere. A corner's is 0.71.
		ok := reaches(0.85) && reaches(0.98)
		if ok || reaches(0.85) && reaches(near) {
			nearly++
		}
		if in {
			if innerAll++; ok {
				inner++
			}
		} else {
			if outerAll++; ok {
				outer++
			}
		}
	}
	if innerAll == 0 {
		return false, false
	}
	// A diagonal cap is nearly as wide as a circle where it begins.
	if capped && outerAll == 4 && inner+outer < innerAll+outerAll {
		return false, false
	}
	doubtful = 2*nearly >= innerAll+outerAll
	if outerAll >= 4 {
		// A light may lie on one side of it.
		return nearly >= innerAll+outerAll-1, doubtful
	}
	return inner == innerAll && 2*outer >= outerAll, doubtful
}

// sign is the step from a position towards a cell in a direction; of two cells
// beside an edge the one that exists.
func sign(d float64, at, last int) int {
	switch {
	case d > 0.01:
		return 1
	case d < -0.01:
		return -1
	case at&1 == 1:
		return 0
	case at == last:
		return -1
	}
	return 1
}

// A capSighting is how much a direction from a node looks like an end cap.
type capSighting struct {
	at, dir image.Point
	score   float64
}

// outwards are the ways from a place in which no edge can lead: past each border that
// it is on and, from a corner, past both.
func (s *sheet) outwards(at image.Point) (dirs []image.Point) {
	beyond := func(v, last int) int {
		switch v {
		case 0:
			return -1
		case last:
			return 1
		}
		return 0
	}
	ox, oy := beyond(at.X, 2*s.b.Cols), beyond(at.Y, 2*s.b.Rows)
	if ox != 0 {
		dirs = append(dirs, image.Pt(ox, 0))
	}
	if oy != 0 {
		dirs = append(dirs, image.Pt(0, oy))
	}
	if ox != 0 && oy != 0 {
		dirs = append(dirs, image.Pt(ox, oy)) // a diagonal cap sits on a corner
	}
	return dirs
}

// caps looks for end caps in all directions in which no edge can lead: 1 is
// like the line itself with something else beside it, 0 or less is none.
func (s *sheet) caps(at image.Point) []capSighting {
	dirs := s.outwards(at)
	if len(dirs) == 0 {
		return nil
	}
	inks, outs := s.besideCap(at, dirs)
	var out []capSighting
	for _, d := range dirs {
		inks, outs := slices.Clone(inks), slices.Clone(outs)
		if len(inks) == 0 {
			n := hypot(float64(d.X), float64(d.Y))
			ux, uy, o := float64(d.X)/n, float64(d.Y)/n, 1/n
			fx, fy := float64(at.X), float64(at.Y)
			inks = append(inks, s.inkAt(at))
			outs = append(outs, s.at(fx+ux*o-1.4*s.line*uy, fy+uy*o+1.4*s.line*ux), s.at(fx+ux*o+1.4*s.line*uy, fy+uy*o-1.4*s.line*ux))
		}
		inks = s.capInks(at, inks)
		best, beyond := math.Inf(-1), vision.MedianRGB(outs)
		for _, ink := range inks {
			best = max(best, s.capLike(at, d, ink, beyond))
		}
		if !math.IsInf(best, -1) {
			out = append(out, capSighting{at, d, best})
		}
	}
	return out
}

// besideCap is the line's colour beside a place of the border, by its outer side, which
// what is lit inside shines on the least, and the colour beyond it.
func (s *sheet) besideCap(at image.Point, dirs []image.Point) (inks, outs []vision.RGB) {
	aside := []float64{1.3, 1.8} // in line widths
	if witness.IsEdge(at) {
		aside = []float64{0.9, 1.2} // off the start circles at its ends
	}
	var ox, oy float64
	for _, d := range dirs {
		ox, oy = ox+float64(d.X), oy+float64(d.Y)
	}
	ox, oy = max(-1, min(1, ox)), max(-1, min(1, oy))
	for _, k := range []float64{-1, 1} {
		for _, o := range aside {
			// To both sides along the border, where there is one.
			for _, e := range [][2]float64{{oy, 0}, {0, ox}} {
				if e[0] == 0 && e[1] == 0 {
					continue
				}
				// e points along the border; its outer normal is the other axis.
				ex, ey := 0.0, 0.0
				nx, ny := 0.0, 0.0
				if e[0] != 0 {
					ex, ny = k, oy
				} else {
					ey, nx = k, ox
				}
				beside := at
				if witness.IsNode(at) {
					beside = at.Add(image.Pt(int(ex), int(ey)))
				}
				if _, ok := s.ink[beside]; !ok {
					continue // no line there to compare with
				}
				px, py := float64(at.X)+2*o*s.line*ex, float64(at.Y)+2*o*s.line*ey
				if px < -0.01 || py < -0.01 || px > float64(2*s.b.Cols)+0.01 || py > float64(2*s.b.Rows)+0.01 {
					continue
				}
				inks = append(inks, s.at(px+0.4*s.line*nx, py+0.4*s.line*ny))
				outs = append(outs, s.at(px+2*s.line*nx, py+2*s.line*ny))
			}
		}
	}
	return inks, outs
}

// capInks are the colours that a cap at a place may have, by those of the lines beside
// it.
func (s *sheet) capInks(at image.Point, inks []vision.RGB) []vision.RGB {
	// Not of a dot beside the corner, unless all that is seen is dots.
	usual := s.inkAt(at)
	if lines := slices.DeleteFunc(slices.Clone(inks), func(c vision.RGB) bool {
		return c.Dist(usual) > 0.6*s.contrast()
	}); len(lines) > 0 {
		inks = lines
	} else if slices.ContainsFunc(inks, func(c vision.RGB) bool {
		return c.Dist(s.paperBeside(at)) < 0.3*s.contrast()
	}) {
		inks = []vision.RGB{usual} // nor of a break on either side of it, or on one and a dot on the other
	}
	// A cap has the colour of the line that leads to it, which may be drawn
	// already where those beside it are not.
	usual = vision.MedianRGB(inks)
	inks = append(s.otherInks(at, usual), usual)
	// Or that of the place itself, on which light may fall, unless a dot lies there.
	if c := s.patch(float64(at.X), float64(at.Y), 0.5*s.line); c.Dist(usual) < 0.6*s.contrast() {
		inks = append(inks, c)
	}
	return inks
}

// capLike says how much a direction from a place looks like an end cap of one
// colour with another beyond it: see capSighting. It is -Inf where the two cannot
// be told apart.
func (s *sheet) capLike(at, d image.Point, ink, beyond vision.RGB) float64 {
	gap := ink.Dist(beyond)
	if gap < max(3, 3*s.noise) {
		return math.Inf(-1)
	}
	fx, fy := float64(at.X), float64(at.Y)
	n := hypot(float64(d.X), float64(d.Y))
	ux, uy := float64(d.X)/n, float64(d.Y)/n
	inky := func(x, y float64) float64 {
		c := s.patch(x, y, 0.2*s.line)
		return (c.Dist(beyond) - c.Dist(ink)) / gap
	}
	score := 1.0
	reach := []float64{0.7, 0.8, 0.9} // of the line's width; the line itself ends at 0.5
	if d.X != 0 && d.Y != 0 {
		reach = []float64{0.8, 0.9, 1}
	}
	for _, r := range reach {
		score = min(score, inky(fx+2*r*s.line*ux, fy+2*r*s.line*uy))
		// A cap is as wide as the line, a cable is not.
		if r < 0.85 && (d.X == 0 || d.Y == 0) {
			for _, k := range []float64{-0.25, 0.25} {
				score = min(score, inky(fx+2*r*s.line*ux-2*k*s.line*uy, fy+2*r*s.line*uy+2*k*s.line*ux))
			}
		}
		// Beside a diagonal cap lie the ends of the border's lines; further
		// out it is free.
		if d.X != 0 && d.Y != 0 && r < 1 {
			continue
		}
		for _, k := range []float64{-1.8, 1.8} {
			score = min(score, -inky(fx+2*r*s.line*ux-k*s.line*uy, fy+2*r*s.line*uy+k*s.line*ux))
		}
	}
	return score
}

// shortCaps says how much each corner is drawn out, the most first.
func (s *sheet) shortCaps(p *witness.Panel) []capSighting {
	var out []capSighting
	w, h := 2*s.b.Cols, 2*s.b.Rows
	for _, at := range []image.Point{{0, 0}, {w, 0}, {w, h}, {0, h}} {
		if p.At(at).Start {
			continue
		}
		d := image.Pt(2*at.X/w-1, 2*at.Y/h-1)
		ink := s.inkAt(at)
		x, y := float64(at.X), float64(at.Y)
		score := 1.0
		beyond := s.at(x+2.4*s.line*float64(d.X), y+2.4*s.line*float64(d.Y))
		gap := ink.Dist(beyond)
		if gap < max(3, 3*s.noise) {
			continue
		}
		for _, r := range []float64{0.68, 0.74} {
			o := 2 * r * s.line / math.Sqrt2
			c := s.patch(x+o*float64(d.X), y+o*float64(d.Y), 0.2*s.line)
			score = min(score, (c.Dist(beyond)-c.Dist(ink))/gap)
		}
		out = append(out, capSighting{at, d, score})
	}
	slices.SortStableFunc(out, func(a, b capSighting) int { return cmp.Compare(b.score, a.score) })
	return out
}

// dot says how far the middle of a node or an edge is from the colours of the
// line that leads to it, in units of the contrast between line and cells, and
// its colour. The glow of a dot nearby shades the line; a dot has a border.
func (s *sheet) dot(at image.Point) (float64, vision.RGB) {
	ink := s.inkAt(at)
	contrast := ink.Dist(s.paperBeside(at))
	c := s.patch(float64(at.X), float64(at.Y), 0.5*s.line)
	if contrast < 1 {
		return 0, c
	}
	best := c.OffMix(ink, s.b.Ink)
	var round []vision.RGB
	for _, d := range [][2]float64{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
		to := image.Pt(at.X+int(d[0]), at.Y+int(d[1]))
		if to.X < 0 || to.Y < 0 || to.X > 2*s.b.Cols || to.Y > 2*s.b.Rows || witness.IsCell(to) {
			continue
		}
		// 0.85: a dot is half a line's width wide to each side.
		o := 2 * 0.85 * s.line
		q := s.at(float64(at.X)+o*d[0], float64(at.Y)+o*d[1])
		// 0.3: what is fainter than other lines is still none of the cells.
		if p := s.paperBeside(to); q.Dist(p) > 0.3*contrast {
			round = append(round, q)
			// Shade that goes on over where its border would be is no dot. 1.5: blurred
			// across that border.
			for _, r := range []float64{0.6, 0.7} {
				o := 2 * r * s.sizes.Hexagon * s.line
				best = min(best, 1.5*c.Dist(s.at(float64(at.X)+o*d[0], float64(at.Y)+o*d[1])))
			}
		}
	}
	for i, a := range round {
		for _, b := range append(round[:i:i], ink) {
			best = min(best, c.OffMix(a, b))
		}
	}
	return best / contrast, c
}

// dotted tells whether the middle of an edge has a colour of its own: a dot
// covers it.
func (s *sheet) dotted(at image.Point) bool { return s.own(at) > 0.35 }

// own is how far the colour of an edge's middle is from any mixture of the
// lines' colour, the cells' and what lies right beside the edge, which a break
// would show; in units of the contrast between line and cells.
func (s *sheet) own(at image.Point) float64 {
	ux, uy := along(at)
	ink, paper := s.inkAt(at), s.paperBeside(at)
	// 0.25: within the dot, which is about as wide as the line.
	c := s.patch(float64(at.X), float64(at.Y), 0.25*s.line)
	off := s.line + 0.2
	beside := func(d float64) vision.RGB {
		x, y := float64(at.X)+d*uy, float64(at.Y)+d*ux
		c := s.at(x, y)
		in := x > 0 && y > 0 && x < float64(2*s.b.Cols) && y < float64(2*s.b.Rows)
		if in && c.Dist(paper) > 0.4*ink.Dist(paper) {
			return paper // a symbol reaches so far, perhaps of the dot's colour
		}
		return c
	}
	a, b := beside(-off), beside(off)
	least := min(c.OffMix(ink, paper), c.OffMix(ink, a), c.OffMix(ink, b), c.OffMix(a, b))
	// The cells beside it may shine where the edge does not.
	least = min(least, c.OffMix(ink, s.b.Paper))
	return least / max(1, ink.Dist(paper))
}
