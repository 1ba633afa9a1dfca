package unknown

import (
	"cmp"
	"image"
	"maps"
	"math"
	"slices"
	"sync"

	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/witness/check"
	"onlooker/vision/witness/decide"
	"onlooker/vision/witness/learned"
	"onlooker/vision/witness/line"
	"onlooker/vision/witness/look"
	"onlooker/vision/witness/view"
)

// A Reader is a flat board in a look of which nothing is known. What its places show
// falls apart into what is there and what is not on the board itself: most nodes are
// plain, most edges whole, and of what is neither the shape tells what it is.
type Reader struct {
	*view.View
	Model   *look.Model
	learned *learned.Reader // by what its look has learned, if that is known
	Panel   *witness.Panel
	odd     map[image.Point]float64 // how far a node's middle is off its lines' colour, contrasts
	round   map[image.Point]float64 // and what is round it off all mixtures of line and ground
	ring    map[image.Point]float64 // the same in most directions
}

// A cutEdge is what an edge shows along its line.
type cutEdge struct {
	length [3]float64 // pitches: of what is gone at one side, in the middle, and at the other
	middle [3]float64 // how far each of these is gone right in the middle, 0 to 1
	aside  [3]float64 // the most that something there is off all mixtures of line and ground, contrasts
	core   float64    // the same of a patch in the very middle
	stubs  [2]float64 // pitches: of the line that is seen before and behind what is gone
	uneven float64    // the most that something is off what is usual along the line, contrasts
	gone   float64    // the share of the line of which nothing is seen
	halves float64    // by how much its two sides differ in the very middle, contrasts
	end    bool       // whether what is most off these mixtures along its middle is nearer to a node
	round  bool       // whether it is a dot if what is off these mixtures is all round its middle
}

// falls divides values into what is not and what is, by the widest gap between two of
// them, of which one is at most no and the other at least yes: false where there is none
// so wide as least, or another nearly as wide.
func falls(values []float64, least, no, yes float64) (divide float64, ok bool) {
	v := slices.Clone(values)
	slices.Sort(v)
	widest, next := 0.0, 0.0
	for i := 1; i < len(v); i++ {
		switch d := v[i] - v[i-1]; {
		case v[i-1] > no || v[i] < yes:
		case d > widest:
			widest, next, divide = d, max(next, widest), (v[i]+v[i-1])/2
		default:
			next = max(next, d)
		}
	}
	return divide, widest >= least && widest > (1+view.Clearly)*next
}

// read reads the board, and says whether it is so unlike any look that its own places tell
// nothing: cells that are too small, or circles and ends that stand out from no line.
func (f *Reader) read() (p *witness.Panel, nothing bool, err error) {
	if err := decide.SmallCells.Under(image.Point{}, f.Board.ScreenPitch, view.Tuned.LeastPitch); err != nil {
		return nil, true, err
	}
	if err := f.Told(image.Point{}, f.Board.Sized, decide.BoardSize, f.Board.Cols, f.Board.Rows); err != nil {
		return nil, false, err
	}
	for _, step := range []struct {
		of      func() error
		nothing bool
	}{{f.starts, true}, {f.nodes, false}, {f.edges, false}, {f.ends, true}, {f.dots, false}, {f.undrawn, false}, {(&Cells{f.View, f.Model, f.Panel}).read, false}} {
		if err := step.of(); err != nil {
			return nil, step.nothing, err
		}
	}
	if err := cmp.Or(look.DotsAllRound(f.Panel), check.BesideBorder(f.Model, f.Panel)); err != nil {
		return nil, false, err
	}
	return f.Panel, false, nil
}

// undrawn is unsure of a board on which a line is drawn: that hides how it looks without.
// The cells, which take most of the time, are not looked at then.
func (f *Reader) undrawn() error {
	if lines := f.Traces(); len(lines) > 0 {
		return decide.Hidden.At(lines[0].Nodes[0], "a line")
	}
	return nil
}

// size is how far something about a place reaches, in line widths: of what has the
// line's colour where that ends, of what has not to the furthest of it, where that is
// further than to what outlines the cells about such places; 0 where it is not.
func (f *Reader) size(at image.Point, outlines func(image.Point) float64) float64 {
	if !f.Model.Lines.OddCore(at) {
		return f.Model.Lines.StartReach(at)
	}
	if far := f.Model.Lines.Cover(at, true); far > outlines(at)+view.Faintly {
		return far
	}
	return 0
}

// outlines gives how far, in line widths, most places that are as a place is show something
// that is not the ground: the lines, and what outlines the cells.
func (f *Reader) outlines() func(at image.Point) float64 {
	type sort struct {
		edge    bool
		borders int
	}
	known := map[sort]float64{}
	return func(at image.Point) float64 {
		of := func(at image.Point) sort { return sort{witness.IsEdge(at), f.borders(at)} }
		usual, ok := known[of(at)]
		if !ok {
			var all []float64
			for p := range f.Panel.Points() {
				if !witness.IsCell(p) && of(p) == of(at) && !f.Model.Lines.OddCore(p) {
					all = append(all, f.Model.Lines.Cover(p, true))
				}
			}
			if len(all) > 0 {
				usual = vision.Median(all)
			}
			known[of(at)] = usual
		}
		return usual
	}
}

// Starts finds the circles, which reach further than anything else on a line.
func (f *Reader) starts() error {
	var at []image.Point
	var sizes []float64
	outlines := f.outlines()
	for p := range f.Panel.Points() {
		if witness.IsCell(p) {
			continue
		}
		// What is seen in less than half of all directions is something across a line.
		if size := f.size(p, outlines); size < view.Tuned.CircleFrom || f.allRound(p, size) >= 0.5 {
			at, sizes = append(at, p), append(sizes, size)
		}
	}
	divided := func(values []float64) (float64, bool) {
		return falls(values, view.Faintly, view.Tuned.CircleMost, view.Tuned.CircleFrom)
	}
	beyond := sizes
	divide, ok := divided(beyond)
	if !ok { // lines that cross may reach further than those that meet the border
		beyond = f.asOnBorder(at, sizes)
		divide, ok = divided(beyond)
	}
	if !ok { // an outline hides where a circle begins, but not how much it covers
		for i, p := range at {
			sizes[i] = f.Model.Lines.Cover(p, true)
		}
		beyond = sizes
		divide, ok = divided(beyond)
	}
	if !ok {
		return decide.StartOrNone.At(image.Point{})
	}
	most := slices.Max(sizes)
	for i, p := range at {
		if beyond[i] < divide {
			continue
		}
		if err := decide.StartOrDot.Under(p, sizes[i], (1-view.Slightly)*most-view.Slightly/2); err != nil {
			return err
		}
		// Of 344 circles in all directions, of 20 breaks and corners in 0.62 of them at most.
		if err := decide.StartOrAcross.Under(p, f.allRound(p, sizes[i]), view.Mostly); err != nil {
			return err
		}
		f.Panel.At(p).Start = true
		f.Model.Lines.Radius[p] = max(f.Model.Lines.Cover(p, true), sizes[i])
	}
	return nil
}

// asOnBorder is how far what is about places reaches where that is measured alike: of inner
// nodes less by what most of these reach further than nodes of the border. A few of either
// are circles.
func (f *Reader) asOnBorder(at []image.Point, sizes []float64) []float64 {
	var nodes [2][]float64
	where := func(p image.Point) int { return min(1, f.borders(p)) }
	for i, p := range at {
		if witness.IsNode(p) {
			nodes[where(p)] = append(nodes[where(p)], sizes[i])
		}
	}
	out := slices.Clone(sizes)
	if len(nodes[0]) < 4 || len(nodes[1]) == 0 {
		return out
	}
	further := max(0, vision.Ranked(nodes[0], len(nodes[0])/4)-vision.Ranked(nodes[1], len(nodes[1])/4))
	for i, p := range at {
		if witness.IsNode(p) && where(p) == 0 {
			out[i] -= further
		}
	}
	return out
}

// allRound is in what share of all directions something that is no ground is seen about a
// place, well within so many line widths: in all of them of a circle, while what lies across
// a line leaves the ground beside it.
func (f *Reader) allRound(at image.Point, size float64) float64 {
	const rays = 16
	spokes, seen, r := f.Model.Lines.Spokes(at), 0, 2*f.LineWidth*0.75*size
	for k := range rays {
		sin, cos := math.Sincos(2 * math.Pi * (float64(k) + 0.5) / rays)
		c := f.At(float64(at.X)+r*cos, float64(at.Y)+r*sin)
		if !slices.ContainsFunc(spokes, func(p look.Spoke) bool { return c.Dist(p.Ground) < 0.5*f.Board.Ink.Dist(p.Ground) }) {
			seen++
		}
	}
	return float64(seen) / rays
}

// nodes measures how odd nodes are.
func (f *Reader) nodes() error {
	for p := range f.Panel.Points() {
		if !witness.IsNode(p) || f.Panel.At(p).Start {
			continue
		}
		f.odd[p] = f.Model.Lines.DotCore(p).Dist(f.Model.Lines.LineInk(p)) / f.Contrast()
		f.round[p], f.ring[p] = f.roundness(p)
		if max(f.odd[p], f.round[p]) > view.Clearly {
			f.Model.Lines.Dotted[p] = f.Model.Lines.Cover(p, false)
		}
	}
	return nil
}

// borders is on how many borders of the board a node or an edge is.
func (f *Reader) borders(at image.Point) (n int) {
	for _, is := range []bool{at.X == 0, at.Y == 0, at.X == 2*f.Board.Cols, at.Y == 2*f.Board.Rows} {
		if is {
			n++
		}
	}
	return n
}

// roundness is how far what is on a ring round a place is off all mixtures of the line and
// the grounds, in contrasts: in the mean, and in most directions.
func (f *Reader) roundness(at image.Point) (odd, most float64) {
	ink := f.Model.Lines.LineInk(at)
	grounds := []vision.RGB{f.Board.Paper}
	for _, p := range f.Model.Lines.Spokes(at) {
		grounds = append(grounds, p.Ground)
	}
	for r := 0.1; r < 1.3 && r*f.LineWidth < 0.28; r += 0.1 {
		sum := 0.0
		const rays = 16
		var all []float64
		for k := range rays {
			sin, cos := math.Sincos(2 * math.Pi * (float64(k) + 0.5) / rays)
			c := f.At(float64(at.X)+2*f.LineWidth*r*cos, float64(at.Y)+2*f.LineWidth*r*sin)
			off := math.Inf(1)
			for i, g := range grounds {
				off = min(off, c.OffMix(ink, g))
				for _, o := range grounds[:i] {
					off = min(off, c.OffMix(g, o))
				}
			}
			sum += off / rays
			all = append(all, off/f.Contrast())
		}
		odd, most = max(odd, sum/f.Contrast()), max(most, vision.Median(all))
	}
	return odd, most
}

// cut looks at an edge.
func (f *Reader) cut(at image.Point) cutEdge {
	ux, uy := witness.EdgeDirection(at)
	fx, fy := float64(at.X), float64(at.Y)
	w := 2 * f.LineWidth // half-cells
	clear := func(n image.Point) float64 {
		if f.Model.Lines.Dotted[n] > 0 {
			return w*(f.Model.Lines.Dotted[n]+0.2) + 2*f.Model.Lines.Bleed
		}
		return max(w/2+f.Model.Lines.Bleed, w*f.Model.Lines.Radius[n]+2*f.Model.Lines.Bleed)
	}
	step := 1 / view.Tuned.EdgeSamples
	from, to := -1+clear(at.Sub(image.Pt(int(ux), int(uy)))), 1-clear(at.Add(image.Pt(int(ux), int(uy))))
	v := cutEdge{}
	grounds := f.Model.Lines.GroundsBeside(at)
	ink := f.inkOn(at, grounds)
	near := f.Model.Lines.Gone(ink, grounds)
	aside := func(c vision.RGB) float64 {
		return min(c.OffMix(ink, grounds[0]), c.OffMix(ink, grounds[1]), c.OffMix(grounds[0], grounds[1])) / f.Contrast()
	}
	offs := [3]float64{-0.36, 0, 0.36}
	var all [3][]vision.RGB
	n, none := 0, 0
	for d := from; d <= to; d += step {
		n++
		least := 1.0
		for k, off := range offs {
			c := f.At(fx+d*ux+off*w*uy, fy+d*uy+off*w*ux)
			all[k] = append(all[k], c)
			g := near(c)
			if g > 0.5 {
				v.length[k] += step / 2
			}
			least = min(least, g)
			a := aside(c)
			if k == 1 && a > v.aside[k] {
				v.end = math.Abs(d) > 0.5
			}
			v.aside[k] = max(v.aside[k], a)
		}
		if least > 0.5 {
			none++
			v.stubs[1] = 0
		} else {
			v.stubs[1] += step / 2
			if none == 0 {
				v.stubs[0] += step / 2
			}
		}
	}
	if n == 0 {
		return v
	}
	v.gone = float64(none) / float64(n)
	v.core = min(aside(f.Patch(fx, fy, view.Tuned.DotCore*w)), aside(f.Patch(fx, fy, 0.1*w)))
	half := view.Tuned.DotCore * w / 2
	v.halves = f.Patch(fx+half*uy, fy+half*ux, half).Dist(f.Patch(fx-half*uy, fy-half*ux, half)) / f.Contrast()
	for k, off := range offs {
		usual := vision.MedianRGB(all[k])
		var far []float64
		for _, c := range all[k] {
			far = append(far, c.Dist(usual)/f.Contrast())
		}
		v.uneven = max(v.uneven, vision.Ranked(far, len(far)*19/20))
		v.middle[k] = near(f.At(fx+off*w*uy, fy+off*w*ux))
	}
	return v
}

// bridged tells whether so much of the line is gone at both of its sides right in the middle,
// and something is between.
func (v *cutEdge) bridged(ground float64) bool {
	return v.middle[1] < 0.5 && min(v.middle[0], v.middle[2]) > ground
}

// mixed is by how much what is gone right in the middle differs across the line, where
// neither the line is seen, of which so much is gone at least, nor the ground; 0 elsewhere.
func (v *cutEdge) mixed(line, ground float64) float64 {
	least, most := min(v.middle[0], v.middle[1], v.middle[2]), max(v.middle[0], v.middle[1], v.middle[2])
	if least < line || most > ground {
		return 0
	}
	return most - least
}

// inkOn is the colour of the lines at an edge between two grounds: its own, unless that is
// less like the board's lines than like the ground, as where no line is and the ground
// outside is lighter than the lines.
func (f *Reader) inkOn(at image.Point, grounds [2]vision.RGB) vision.RGB {
	own := f.Model.Lines.LineInk(at)
	off := own.Dist(f.Board.Ink)
	if off > view.Clearly*f.Contrast() && min(own.Dist(grounds[0]), own.Dist(grounds[1])) < off {
		return f.Board.Ink
	}
	return own
}

// edges tells whole, broken and missing edges and those with dots apart.
func (f *Reader) edges() error {
	at := view.Where(f.Panel.Points(), func(p image.Point) bool { return witness.IsEdge(p) && !f.Panel.At(p).Start })
	cuts := make([]cutEdge, len(at))
	vision.SideBySide(len(at), func(i int) { cuts[i] = f.cut(at[i]) })
	var uneven []float64
	for _, v := range cuts {
		if v.gone < view.Faintly {
			uneven = append(uneven, v.uneven)
		}
	}
	// Whole edges vary by 0.25 of the contrast at most along their line.
	divide, ok := falls(uneven, view.Faintly, view.Clearly, view.Clearly)
	if !ok {
		divide = view.Clearly
	}
	labels, caps, fails := make([]string, len(at)), make([]image.Point, len(at)), make([]error, len(at))
	clear := map[string]*look.Pool{look.PoolEdge: {}, look.PoolBorder: {}}
	for i, p := range at {
		var open decide.Question
		labels[i], caps[i], open = f.edge(p, &cuts[i], divide)
		fails[i] = open.At(p)
		if seen, pool := f.whole(p); fails[i] == nil && caps[i] == (image.Point{}) {
			clear[pool].Add(labels[i], seen, view.Tuned.SameLook)
		}
	}
	for _, pool := range clear {
		pool.Bound(view.Tuned.SameLook)
	}
	plain := sync.OnceValue(func() (most float64) {
		for i, p := range at {
			if fails[i] == nil && labels[i] == look.SeenWhole {
				_, ring := f.roundness(p)
				most = max(most, ring)
			}
		}
		return most
	})
	for i, p := range at {
		if fails[i] != nil {
			seen, pool := f.whole(p)
			label, likely := clear[pool].Tell(seen)
			switch {
			case likely >= view.UnknownRate:
				labels[i], fails[i] = label, nil
			case cuts[i].round && f.dotAllRound(p, &cuts[i], plain()):
				labels[i], fails[i] = look.SeenDot, nil
			}
		}
		if fails[i] != nil {
			return fails[i]
		}
		switch q := f.Panel.At(p); labels[i] {
		case look.SeenBroken:
			q.Gap = witness.Broken
		case look.SeenMissing:
			q.Gap = witness.Missing
			if caps[i] != (image.Point{}) {
				f.Panel.At(p.Sub(caps[i])).Cap = caps[i]
			}
		case look.SeenDot:
			q.Dot.On = true
			f.Model.Lines.Dotted[p] = f.Model.Lines.Cover(p, false)
		}
	}
	for _, side := range view.Ways {
		if from, _, _ := f.rung(side); f.goesOn(side) || f.bare(side) {
			return decide.BoardSize.At(from, f.Board.Cols, f.Board.Rows)
		}
	}
	return nil
}

// whole is all that an edge shows: along it, and about its middle.
func (f *Reader) whole(at image.Point) (look.Appearance, string) {
	seen, pool := f.Model.Places.EdgeLook(at)
	return slices.Concat(seen, f.Model.Places.DiscLook(at)), pool
}

// dotAllRound tells whether what is off all mixtures of line and ground lies all round the
// middle of an edge, and is more than what does so on whole edges.
func (f *Reader) dotAllRound(at image.Point, v *cutEdge, plain float64) bool {
	_, ring := f.roundness(at)
	// Of 65 breaks 0.62 at most, of 88 dots 70 have more than 0.8.
	return ring > view.Mostly*max(v.aside[0], v.aside[1], v.aside[2]) && ring > 2*plain
}

// rung is one side of the border: from where along which way it goes how far.
func (f *Reader) rung(side image.Point) (from, along image.Point, length int) {
	w, h := 2*f.Board.Cols, 2*f.Board.Rows
	if side.X != 0 {
		return image.Pt(max(0, side.X)*w, 0), image.Pt(0, 1), h
	}
	return image.Pt(0, max(0, side.Y)*h), image.Pt(1, 0), w
}

// bare tells whether one side of the border has neither an edge nor a circle.
func (f *Reader) bare(side image.Point) bool {
	from, along, length := f.rung(side)
	for k := range length + 1 {
		q := f.Panel.At(from.Add(along.Mul(k)))
		if q.Start || k&1 == 1 && q.Gap != witness.Missing {
			return false
		}
	}
	return true
}

// goesOn tells whether edges of a larger board are to be seen beyond one side of the
// border, which missing edges hide or cut off: those that lead to its last line, further
// out than caps and circles reach, or of that line, the near half of which is looked at.
// What is as wide as a panel or as the page may have the lines' colour too.
func (f *Reader) goesOn(side image.Point) bool {
	from, along, length := f.rung(side)
	ink := func(k, out float64) bool {
		c := f.At(float64(from.X)+k*float64(along.X)+out*float64(side.X), float64(from.Y)+k*float64(along.Y)+out*float64(side.Y))
		return c.Dist(f.Board.Ink) < view.Clearly*f.Contrast()
	}
	beside := f.LineWidth + 2*f.Model.Lines.Bleed + view.Tuned.Beside // of a line's middle, half-cells
	for k := range length + 1 {
		n := 0
		for step := range 5 {
			at, d := float64(k), float64(step)
			if k&1 == 1 {
				at += 0.25*d - 0.5
			}
			if lead := 1.3 + 0.12*d; k&1 == 0 && ink(at, lead) && !ink(at-beside, lead) && !ink(at+beside, lead) || k&1 == 1 && ink(at, 2-f.LineWidth/2) && !ink(at, 2-beside) {
				n++
			}
		}
		if n > 2 {
			return true
		}
	}
	return false
}

// edge tells what an edge is, and what that leaves open; what is more uneven than divide is
// not whole.
func (f *Reader) edge(at image.Point, v *cutEdge, divide float64) (label string, cap image.Point, open decide.Question) {
	odd := f.Model.Lines.DotCore(at).Dist(f.Model.Lines.LineInk(at)) / f.Contrast()
	sides := (v.length[0] + v.length[2]) / 2
	aside := max(v.aside[0], v.aside[1], v.aside[2])
	switch {
	case v.uneven < divide && v.gone < view.Faintly && odd > view.Clearly:
		return "", cap, decide.DotOrNone
	case v.uneven < divide && v.gone < view.Faintly:
		return look.SeenWhole, cap, ""
	case v.gone > view.Nearly:
		return look.SeenMissing, cap, ""
	// Something may be across a break, or it is between two grounds.
	case v.core > view.Tuned.DottedEdge && (v.bridged(1-view.Faintly) || v.halves > view.Clearly):
		return "", cap, decide.DotOrBreak
	case v.core > view.Tuned.DottedEdge:
		return look.SeenDot, cap, ""
	case v.core > view.Slightly:
		return "", cap, decide.DotOrBreak
	case v.aside[1] > view.Clearly && v.end && max(sides, v.length[1]) <= view.Hardly:
		return "", cap, decide.DotOrNone // it may be at the edge's end
	case v.aside[1] > view.Clearly && max(sides, v.length[1]) < view.Hardly && v.uneven > view.Clearly:
		return look.SeenDot, cap, "" // a ring, in whose middle the line is seen
	case aside > view.Slightly && min(v.middle[0], v.middle[1], v.middle[2]) < view.Strongly:
		v.round = true
		return "", cap, decide.DotOrBreak
	case max(sides, v.length[1]) < view.Hardly:
		return "", cap, decide.EdgeOrBreak
	// Across the line those in a colour between line and ground differ by 0.02, dots that are
	// filled so and have a rim of the ground's colour by 0.28 and more.
	case v.mixed(view.Clearly, view.Mostly) > view.Slightly:
		return "", cap, decide.DotOrBreak
	case max(v.length[0], v.length[2]) < view.Strongly*v.length[1] && v.middle[1] > view.Strongly && v.gone < view.Strongly:
		return look.SeenDot, cap, "" // of the ground's colour: 0.64 at most, breaks 0.97 at least
	case sides < view.Mostly*v.length[1]:
		return "", cap, decide.DotOrBreak
	case min(v.stubs[0], v.stubs[1]) > view.Hardly:
		return look.SeenBroken, cap, ""
	case v.gone > view.Mostly && max(v.stubs[0], v.stubs[1]) < view.Hardly: // of missing ones the nodes' discs, of the longest breaks 0.08 pitches
		return look.SeenMissing, cap, ""
	}
	e := f.Model.Lines.EdgeView(at, func(n image.Point) float64 {
		return 2 * f.LineWidth * max(f.Model.Lines.Radius[n], f.Model.Lines.Dotted[n])
	})
	gap, cap, open := f.learned.Gap(at, e)
	if gap == witness.Missing {
		return look.SeenMissing, cap, open
	}
	return look.SeenBroken, cap, open
}

// ends finds the caps.
func (f *Reader) ends() error {
	type seenCap struct {
		at, dir image.Point
		reach   float64
	}
	var all []seenCap
	var values []float64
	none := len(view.Where(f.Panel.Points(), f.isEnd)) == 0
	for at := range f.Panel.Points() {
		q := f.Panel.At(at)
		if q.IsEnd() || witness.IsCell(at) || q.Start || q.Gap != witness.Whole || witness.IsNode(at) && !f.Reached(f.Panel, at) {
			continue
		}
		best := seenCap{at: at}
		for _, v := range f.Model.Lines.CapViews(at) {
			if f.Model.Lines.Dotted[at] > 0 || q.Dot.On {
				// From where the dot ends, and what it is outlined in, which may be as the ground is.
				from := max(0.75, f.Model.Lines.Dotted[at]+0.1, f.Model.Lines.DotReach(at))
				v.Reach = f.Model.Lines.BehindDot(at, v.Dir, from, f.Model.Lines.Outside(at, v.Dir))
			}
			if reach := v.Own(); reach > best.reach {
				best.reach, best.dir = reach, v.Dir
			}
		}
		all, values = append(all, best), append(values, best.reach)
	}
	if len(values) == 0 {
		return decide.NoEnd.At(image.Point{})
	}
	usual := look.UsualDivide(look.DivideCap)
	middle := (usual[0] + usual[1]) / 2
	divide, ok := falls(values, view.Clearly, usual[1], middle)
	if !ok && (none || slices.Max(values) > middle) {
		return decide.EndOrNone.At(image.Point{})
	}
	for _, c := range all {
		if !ok || c.reach <= divide {
			continue
		}
		// What outlines a dot reaches out as well, but not as far.
		if f.Model.Lines.OddCore(c.at) {
			if err := decide.EndOrNone.Under(c.at, c.reach, view.Mostly*slices.Max(values)); err != nil {
				return err
			}
		}
		// What is left of a circle may be beside it, or its rest under the lines.
		if f.besideStart(c.at) || f.Model.Lines.LikeCircle(c.at, c.dir, f.leastRadius()) {
			return decide.EndOrStart.At(c.at)
		}
		f.Panel.At(c.at).Cap = c.dir
	}
	return f.ManyEnds()
}

func (f *Reader) isEnd(at image.Point) bool { return f.Panel.At(at).IsEnd() }

// ManyEnds doubts a board a quarter of whose nodes or more have ends, and three of them: what
// passes for caps is how this look's lines are drawn.
func (f *Reader) ManyEnds() error {
	ends, nodes := view.Where(f.Panel.Points(), f.isEnd), view.Where(f.Panel.Points(), witness.IsNode)
	if n := len(ends); n > 2 && 4*n >= len(nodes) {
		return decide.OddLines.At(ends[n-1], "ends")
	}
	return nil
}

// leastRadius is how far, in line widths, the smallest start circle that was found reaches;
// infinite without any.
func (f *Reader) leastRadius() float64 {
	return slices.Min(slices.AppendSeq([]float64{math.Inf(1)}, maps.Values(f.Model.Lines.Radius)))
}

// besideStart tells whether a start circle lies on one of a node's edges: it covers where the
// ground is seen from which an end is told there.
func (f *Reader) besideStart(at image.Point) bool {
	return slices.ContainsFunc(view.Ways[:], func(d image.Point) bool { return f.Model.Lines.Radius[at.Add(d)] > 0 })
}

// usualRounds is what is usual of round and ring where as many lines meet in the same way as
// at a node: corners are outlined otherwise than crossings, crossings of which an edge is
// missing as the border is, and where an end goes out as where a line does. Where hardly
// another node is of that sort those tell that are on as many borders. If these are few and
// differ as a node with a dot does from one without it is what is least, and what is usual
// is mixed.
func (f *Reader) usualRounds() (usual map[image.Point][2]float64, mixed map[image.Point]bool) {
	type sort struct{ borders, lines, straight int }
	sorts := map[image.Point][2]sort{}
	rounds, rings := map[sort][]float64{}, map[sort][]float64{}
	for at, round := range f.round {
		if !f.Reached(f.Panel, at) {
			continue
		}
		met, on := sort{borders: -1}, sort{borders: f.borders(at)}
		line := func(d image.Point) bool {
			e := f.Panel.At(at.Add(d))
			return e != nil && e.Gap != witness.Missing || f.Panel.At(at).Cap == d
		}
		for _, d := range view.Ways {
			if line(d) {
				met.lines++
				if line(d.Mul(-1)) {
					met.straight++
				}
			}
		}
		sorts[at] = [2]sort{met, on}
		for _, s := range sorts[at] {
			rounds[s], rings[s] = append(rounds[s], round), append(rings[s], f.ring[at])
		}
	}
	usual, mixed = map[image.Point][2]float64{}, map[image.Point]bool{}
	for at, s := range sorts {
		k := 0
		if len(rounds[s[0]]) < 4 {
			k = 1
		}
		of, in := rounds[s[k]], rings[s[k]]
		if mixed[at] = len(of) < 4 && slices.Max(of)-slices.Min(of) > view.Clearly; mixed[at] {
			usual[at] = [2]float64{slices.Min(of), slices.Min(in)}
		} else {
			usual[at] = [2]float64{vision.Median(of), vision.Median(in)}
		}
	}
	return usual, mixed
}

// dots puts the dots of nodes and edges on the panel.
func (f *Reader) dots() error {
	var odds, rounds []float64
	usual, mixed := f.usualRounds()
	for at := range f.round {
		if f.Reached(f.Panel, at) {
			odds = append(odds, f.odd[at])
			f.round[at] -= usual[at][0]
			f.ring[at] -= usual[at][1]
			rounds = append(rounds, f.round[at])
		}
	}
	divide, ok := falls(odds, view.Slightly, view.Clearly, view.Tuned.DottedEdge)
	plain := max(view.Mostly*view.Clearly, min(view.Clearly, (1+view.Slightly)*vision.Median(odds)))
	// Of 33 dots whose middle shows little all but one have 0.34 and more round it, of ten plain
	// nodes 0.06 at most.
	ringed, rings := falls(rounds, view.Slightly, view.Slightly, view.Clearly)
	var dots []image.Point
	var cols []vision.RGB
	clear := look.Pool{}
	fails := map[image.Point]error{}
	is := map[image.Point]bool{}
	there := map[bool]string{false: look.SeenNone, true: look.SeenThere}
	for at := range f.Panel.Points() {
		if q := f.Panel.At(at); !witness.IsNode(at) || q.Start || q.Gap != witness.Whole || !f.Reached(f.Panel, at) {
			continue
		}
		odd := f.odd[at]
		is[at] = ok && odd > divide || !ok && odd > view.Tuned.DottedNode || rings && f.round[at] > ringed && f.ring[at] > view.Slightly && !f.Panel.At(at).IsEnd()
		// What is little off the colour of these or other lines, as the light is elsewhere, is a
		// dot if it also is round its middle.
		if faint := is[at] && min(odd, f.offLines(at)) < view.Tuned.DottedNode && (f.round[at] < view.Clearly || mixed[at]); faint || !is[at] && (!ok && odd > plain || f.round[at] > view.Slightly) {
			fails[at] = decide.DotOrNone.At(at)
			continue
		}
		clear.Add(there[is[at]], f.Model.Places.DotLook(at), view.Tuned.SameLook)
	}
	clear.Bound(view.Tuned.SameLook)
	for at := range f.Panel.Points() {
		q := f.Panel.At(at)
		if witness.IsCell(at) || q.Start || q.Gap != witness.Whole || witness.IsNode(at) && !f.Reached(f.Panel, at) {
			continue
		}
		if fails[at] != nil {
			// The others' middles do not tell of what is round this one's.
			label, likely := clear.Tell(f.Model.Places.DotLook(at))
			if likely >= view.UnknownRate && (label == look.SeenThere || f.round[at] <= view.Slightly) {
				is[at], fails[at] = label == look.SeenThere, nil
			}
			if fails[at] != nil {
				return fails[at]
			}
		}
		if q.Dot.On || is[at] {
			dots, cols = append(dots, at), append(cols, f.Model.Lines.DotColour(at))
			f.Model.Lines.Dotted[at] = f.Model.Lines.Cover(at, false)
		}
	}
	if err := f.hiddenStubs(); err != nil {
		return err
	}
	f.Panel.Symmetry = witness.SymmetryOf(f.Panel)
	return line.DotsByLine(f.View, f.Panel, dots, cols, true)
}

// offLines is how far a node's middle is off the nearest colour of the board's lines.
func (f *Reader) offLines(at image.Point) float64 {
	off, core := math.Inf(1), f.Model.Lines.DotCore(at)
	for p := range f.Panel.Points() {
		if q := f.Panel.At(p); witness.IsEdge(p) && q.Gap != witness.Missing && !q.Dot.On {
			off = min(off, core.Dist(f.Model.Lines.LineInk(p)))
		}
	}
	return off / f.Contrast()
}

// hiddenStubs doubts missing edges both of whose ends circles or dots cover, where what is
// seen between them is no longer than a break may be: what is left of the line lies under
// them.
func (f *Reader) hiddenStubs() error {
	for at := range f.Panel.Points() {
		if !witness.IsEdge(at) || f.Panel.At(at).Gap != witness.Missing {
			continue
		}
		ux, uy := witness.EdgeDirection(at)
		free, covered := 1.0, 0 // pitches
		for _, d := range []int{-1, 1} {
			node := at.Add(image.Pt(d*int(ux), d*int(uy)))
			if r := f.LineWidth * max(f.Model.Lines.Radius[node], f.Model.Lines.Dotted[node]); r > 0 {
				free, covered = free-r, covered+1
			}
		}
		if covered == 2 && free < f.Profile.Board.Gap[1] {
			return decide.BreakOrNone.At(at)
		}
	}
	return nil
}

// Read reads a flat board by its own places alone, and says whether these tell nothing.
func Read(m *look.Model) (p *witness.Panel, nothing bool, err error) {
	f := &Reader{View: m.View, Model: m, learned: learned.NewReader(m), Panel: witness.New(m.Board.Cols, m.Board.Rows, false), odd: map[image.Point]float64{}, round: map[image.Point]float64{}, ring: map[image.Point]float64{}}
	return f.read()
}
