package witness

import (
	"cmp"
	"image"
	"iter"
	"math"
	"slices"

	"onlooker/calibrations"
	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/witness/shape"
	"onlooker/vision/witness/view"
)

// What is told by one measured value is told by where it lies between the greatest
// that was seen where it is not, and the least where it is.
const (
	divideStart  = "start"  // a circle's reach, line widths
	divideCap    = "cap"    // a cap's reach, line widths
	divideBreak  = "break"  // how far an edge is gone
	divideDot    = "dot"    // how far a place is from the line's colour, contrasts
	divideTint   = "tint"   // how far what is about a place is off all mixes of line and ground, contrasts
	divideMatch  = "match"  // how much of a dot is seen at a place, 1 for all of it
	divideColour = "colour" // how far two symbols' colours are apart, of the brightest
	divideSymbol = "symbol" // how far the strongest of a cell is from its ground, contrasts
)

// usualDivide is that of looks in which nothing was learned, by levels; none of divideTint
// and divideMatch, which are for what was learned.
func usualDivide(name string) calibrations.Range {
	switch name {
	case divideStart:
		return calibrations.Range{view.Mostly, 1}
	case divideCap:
		return calibrations.Range{view.Strongly, 1}
	case divideBreak:
		return calibrations.Range{view.Clearly, view.Nearly}
	case divideDot:
		return calibrations.Range{view.Slightly, view.Strongly}
	case divideSymbol:
		return calibrations.Range{view.Faintly, view.Clearly}
	}
	return calibrations.Range{}
}

// is tells whether a value says that something is there, and how sure that is, 0.5
// to 1.
func (m *model) is(name string, v float64) (bool, float64) {
	d, ok := m.Profile.Learned.Divides[name]
	if !ok {
		d = usualDivide(name)
	}
	p := 0.5 + 0.5*(v-(d[0]+d[1])/2)/max(1e-9, (d[1]-d[0])/2)
	p = max(0, min(p, 1))
	return p > 0.5, max(p, 1-p)
}

// divides tells whether a measure alone tells what it is for: in looks of which
// nothing was learned, and where what was seen of it divides.
func (m *model) divides(name string) bool {
	_, ok := m.Profile.Learned.Divides[name]
	return ok || len(m.pools) == 0
}

// likest is what a place is most like of what its look has seen.
func (m *model) likest(at image.Point, pool string, a appearance, what string) (string, error) {
	o := m.pools[pool]
	if o == nil {
		return "", nil
	}
	label, sure := o.tell(a)
	return label, m.Told(at, sure, "%s that this look has not seen, most like: %s; calibrate", what, label)
}

// read reads the board.
func (m *model) read() (*witness.Panel, error) {
	if err := m.Told(image.Point{}, m.Board.Sized, "a board of %dx%d cells, or of more or fewer", m.Board.Cols, m.Board.Rows); err != nil {
		return nil, err
	}
	p := witness.New(m.Board.Cols, m.Board.Rows, false)
	steps := []func(*witness.Panel) error{m.readStarts, m.readEdges, m.readEnds, m.readDots, m.readCells}
	for _, step := range steps {
		if err := step(p); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// places are the places that are to be read.
func (m *model) places(p *witness.Panel) iter.Seq[image.Point] {
	if m.asked == nil {
		return p.Points()
	}
	return func(yield func(image.Point) bool) {
		for at := range p.Points() {
			if m.asked(at) && !yield(at) {
				return
			}
		}
	}
}

// SymmetryOf is that of the panel that the places are of.
func (m *model) symmetry(p *witness.Panel) witness.Symmetry {
	if m.whole != nil {
		p = m.whole(p)
	}
	return witness.SymmetryOf(p)
}

// readStarts finds the start circles.
func (m *model) readStarts(p *witness.Panel) error {
	none := true
	for at := range m.places(p) {
		if witness.IsCell(at) {
			continue
		}
		r := m.startReach(at)
		yes, sure := m.is(divideStart, r)
		if m.divides(divideStart) {
			if err := m.Told(at, sure, "a start circle or none: it reaches %.2f line widths", r); err != nil {
				return err
			}
		} else {
			label, err := m.likestStart(at)
			if err != nil && witness.IsNode(at) {
				return err
			}
			yes = err == nil && label == seenThere
		}
		if yes {
			p.At(at).Start, none = true, false
			m.radius[at] = m.cover(at, true)
		}
	}
	if none {
		return view.Unsure(image.Point{}, "no start circle")
	}
	return nil
}

// likestStart is whether a place is most like those with a start circle or like those
// without. Round nodes where many lines meet a circle may not show, but for its middle:
// what that is like must not deny the rest, or both together tell.
func (m *model) likestStart(at image.Point) (string, error) {
	pools, round := startPools(at), m.startLook(at)
	label, err := m.likest(at, pools[0], round, "a place")
	if m.pools[pools[1]] == nil {
		return label, err // a look that was learned before middles were
	}
	middle := m.dotLook(at)
	core, unsure := m.likest(at, pools[1], middle, "a place")
	switch {
	case unsure != nil || core == label && err == nil:
		return label, err
	case err != nil:
		return core, nil
	}
	return m.likest(at, pools[2], slices.Concat(round, middle), "a place")
}

// readEdges tells whole, broken and missing edges apart.
func (m *model) readEdges(p *witness.Panel) error {
	for at := range m.places(p) {
		if !witness.IsEdge(at) || p.At(at).Start {
			continue
		}
		if !m.divides(divideBreak) {
			a, pool := m.edgeLook(at)
			label, err := m.likest(at, pool, a, "an edge")
			if err != nil {
				return err
			}
			m.setEdge(p, at, label)
			continue
		}
		v := m.edgeView(at, func(n image.Point) float64 { return 2 * m.LineWidth * m.radius[n] })
		gone, sure := m.is(divideBreak, v.depth)
		if sure < 1 { // unlike all that was seen by this alone
			if a, pool := m.edgeLook(at); m.pools[pool] != nil {
				if label, err := m.likest(at, pool, a, "an edge"); err == nil {
					m.setEdge(p, at, label)
					continue
				}
			}
		}
		if m.known.exact && gone && v.share*v.length < m.Profile.Board.Gap[0] {
			gone = false // a dot that reaches across: breaks of this look are longer
		}
		if dot, _ := m.is(divideDot, v.odd); !dot || gone || !m.divides(divideDot) {
			if err := m.Told(at, sure, "an edge that is neither whole nor broken: %.2f gone", v.depth); err != nil {
				return err
			}
		}
		if !gone {
			continue
		}
		// Of the line that a dot hides as much may be gone as of a break.
		if a, pool := m.edgeLook(at); m.pools[pool] != nil {
			if label, sure := m.pools[pool].tell(a); (label == seenDot || label == seenWhole) && sure >= m.Profile.Board.Confidence {
				return view.Unsure(at, "a break, and most like an edge that is %s", label)
			}
		}
		gap, cap, err := m.gap(at, v)
		if err != nil {
			return err
		}
		p.At(at).Gap = gap
		if cap != (image.Point{}) {
			p.At(at.Sub(cap)).Cap = cap
		}
	}
	return nil
}

// gap tells a broken edge from a missing one: of the first both its ends are seen.
// Where one is, it is an end's cap into the board, whose way is given.
func (m *model) gap(at image.Point, v edgeView) (witness.Gap, image.Point, error) {
	n, stub0 := len(v.gone), m.leastStub()
	first, last := m.goneSpan(at, v)
	ux, uy := witness.EdgeDirection(at)
	seen, hidden := 0, 0
	for side, is := range map[int]bool{-1: first > stub0, 1: last < n-1-stub0} {
		if is {
			seen++
		} else if m.radius[at.Add(image.Pt(side*int(ux), side*int(uy)))] > 0 {
			hidden++
		}
	}
	if m.known.exact && seen == 1 && hidden == 1 && float64(last+1-first)/m.tune.EdgeSamples > 2*m.Profile.Board.Gap[1] {
		return m.oneEnd(at, v, first, last) // more is gone than a break is long
	}
	if seen > 0 && seen+hidden == 2 {
		// What outlines the lines beside a missing edge passes for its ends.
		a, pool := m.edgeLook(at)
		if label, err := m.likest(at, pool, a, "an edge"); err == nil && label == seenMissing {
			return 0, image.Point{}, view.Unsure(at, "a break, or no edge: its ends are %d and %d of %d long", first, n-1-last, n)
		}
		return witness.Broken, image.Point{}, nil
	}
	if seen > 0 {
		return m.oneEnd(at, v, first, last)
	}
	// All that is free is gone. Where circles cover both ends a wide break looks so too,
	// unless it cuts into the circles.
	covered := 0
	for _, side := range []float64{-1, 1} {
		node := at.Add(image.Pt(int(side*ux), int(side*uy)))
		if r := m.radius[node]; r > 0 {
			covered++
			// The furthest of the circle that is seen: hollow ones begin further out.
			if m.furthest(node, -side*ux, -side*uy, m.GroundBeside(at), r, math.Inf(1)) < r-0.1 {
				return witness.Broken, image.Point{}, nil
			}
		}
	}
	free := 0.5 * float64(n) / m.tune.EdgeSamples // pitches
	narrow := covered == 2 && free < m.Profile.Board.Gap[1]
	// What was never seen missing is most like something else.
	if a, pool := m.edgeLook(at); m.pools[pool] != nil && (narrow || m.pools[pool].has(seenMissing)) {
		switch label, err := m.likest(at, pool, a, "a break"); {
		case err == nil && label == seenBroken && narrow:
			return witness.Broken, image.Point{}, nil
		case err == nil && label == seenMissing:
			return witness.Missing, image.Point{}, nil
		case err == nil:
			return 0, image.Point{}, view.Unsure(at, "no line is seen there, and it is most like one that is %s", label)
		}
	}
	if narrow {
		return 0, image.Point{}, view.Unsure(at, "between two start circles a break, or no edge")
	}
	return witness.Missing, image.Point{}, nil
}

// leastStub is how many samples of an edge the least stub has that is more than blur: a
// twentieth of the pitch.
func (m *model) leastStub() int { return int(0.1 * m.tune.EdgeSamples) }

// oddCore tells whether a node's middle is not of the lines' colour: a dot, or a circle.
func (m *model) oddCore(node image.Point) bool {
	return m.dotCore(node).Dist(m.lineInk(node)) > view.Clearly*m.Contrast()
}

// goneSpan is the first and the last sample along an edge that is gone. What a dot on a
// node is outlined in may be as the ground is: behind that the line begins.
func (m *model) goneSpan(at image.Point, v edgeView) (first, last int) {
	n, least := len(v.gone), m.leastStub()
	ux, uy := witness.EdgeDirection(at)
	to := image.Pt(int(ux), int(uy))
	behind := func(node image.Point, gone func(i int) bool) int {
		first := 0
		for first < n && !gone(first) {
			first++
		}
		if first > least || m.radius[node] == 0 && !m.oddCore(node) {
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
	first = behind(at.Sub(to), func(i int) bool { return v.gone[i] > 0.5 })
	return first, n - 1 - behind(at.Add(to), func(i int) bool { return v.gone[n-1-i] > 0.5 })
}

// oneEnd is gap for an edge of which one end is seen; first and last are the samples along
// it between which it is gone.
func (m *model) oneEnd(at image.Point, v edgeView, first, last int) (witness.Gap, image.Point, error) {
	n, stub0 := len(v.gone), m.leastStub()
	ux, uy := witness.EdgeDirection(at)
	none := func() error {
		return view.Unsure(at, "an edge that begins at one end only: gone from %d to %d of %d", first, last, n)
	}
	way, stub := image.Pt(int(ux), int(uy)), first
	if first <= stub0 {
		way, stub = way.Mul(-1), n-1-last
	}
	// Only a circle or a dot hides the other end of a break.
	far := at.Add(way)
	dot := m.oddCore(far)
	hidden := dot || m.radius[far] > 0
	if a, pool := m.edgeLook(at); m.pools[pool] != nil {
		switch label, err := m.likest(at, pool, a, "an edge"); {
		case err == nil && label == seenBroken && hidden:
			return witness.Broken, image.Point{}, nil
		case err == nil && label == seenMissing:
			return witness.Missing, image.Point{}, nil
		}
		// A dot or a circle on the near node may reach out as far as an end does.
		near := at.Sub(way)
		plain := m.radius[near] == 0 && !m.oddCore(near)
		if o := m.pools[pool]; !plain && !o.has(seenStubFrom) && !o.has(seenStubTo) {
			return 0, image.Point{}, none()
		}
	}
	// A dot that is wider than the line hides the other end of a break: that is in the
	// middle of the edge.
	end := v.from + float64(first+1)/m.tune.EdgeSamples
	if first <= stub0 {
		end = v.from + float64(last+1)/m.tune.EdgeSamples
	}
	if dot && m.Profile.Board.Gap.Has(math.Abs(end)) {
		return witness.Broken, image.Point{}, nil
	}
	reach := 0.5 + 0.5*float64(stub)/m.tune.EdgeSamples/m.LineWidth
	if yes, sure := m.is(divideCap, reach); yes && sure >= m.Profile.Board.Confidence {
		return witness.Missing, way, nil
	}
	return 0, image.Point{}, none()
}

// readEnds finds the end caps.
func (m *model) readEnds(p *witness.Panel) error {
	none := true
	for at := range m.places(p) {
		q := p.At(at)
		if q.IsEnd() { // into the board: see gap
			none = false
			continue
		}
		if q.Start && m.known.exact {
			dir, err := m.capOfCircle(at)
			if err != nil {
				return err
			}
			if dir != (image.Point{}) {
				q.Cap, none = dir, false
			}
			continue
		}
		if witness.IsCell(at) || q.Start || witness.IsNode(at) && !m.Reached(p, at) || witness.IsEdge(at) && q.Gap != witness.Whole {
			continue
		}
		if witness.IsEdge(at) && m.known.exact {
			dir, err := m.capIntoCell(at)
			if err != nil {
				return err
			}
			if dir != (image.Point{}) {
				q.Cap, none = dir, false
				m.capped[at] = dir
				continue
			}
		}
		if !m.divides(divideCap) {
			for _, w := range m.ways(at) {
				label, err := m.likest(at, w.pool, w.seen, "a way out")
				if err != nil {
					return err
				}
				if label == seenThere {
					q.Cap, none = w.dir, false
				}
			}
			continue
		}
		best, sure := capView{}, 1.0
		for _, v := range m.capViews(at) {
			yes, s := m.is(divideCap, v.own())
			switch {
			case yes && v.reach > best.reach:
				best, sure = v, s // a cap is seen aslant, too, from a corner
			case best.reach == 0:
				sure = min(sure, s)
			}
		}
		if err := m.Told(at, sure, "an end cap or none: it reaches %.2f line widths", best.reach); err != nil {
			return err
		}
		if best.reach > 0 {
			q.Cap, none = best.dir, false
		}
	}
	if none {
		return view.Unsure(image.Point{}, "no end cap")
	}
	return nil
}

// capOfCircle is which way a cap points that reaches from under a start circle, by the
// look's own sizes of both; none where none does.
func (m *model) capOfCircle(at image.Point) (image.Point, error) {
	circle, cap := m.Profile.Board.Start[1], m.Profile.Board.Cap[0]
	if cap <= circle {
		return image.Point{}, nil
	}
	best := capView{}
	for _, v := range m.capViews(at) {
		if v.reach > best.reach { // a cap is seen aslant, too
			best = v
		}
	}
	yes := view.Sure(best.reach, (circle+cap)/2, cap)
	if err := m.Told(at, max(yes, 1-yes), "an end cap under a start circle or none: it reaches %.2f line widths", best.reach); err != nil {
		return image.Point{}, err
	}
	if yes <= 0.5 {
		return image.Point{}, nil
	}
	return best.dir, nil
}

// capIntoCell is into which cell beside an edge a cap points, by the look's own colour of
// lines and least length of caps; none where none does. What lies within a line's width
// beside a cap is none of it: a circle or a symbol is wider.
func (m *model) capIntoCell(at image.Point) (image.Point, error) {
	inky := func(out, aside float64, d image.Point) bool {
		x, y := float64(at.X)+2*m.LineWidth*(out*float64(d.X)+aside*float64(d.Y)), float64(at.Y)+2*m.LineWidth*(out*float64(d.Y)+aside*float64(d.X))
		return m.At(x, y).Dist(m.lineInk(at)) <= m.Profile.Board.LinesWithin
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
		for out := 0.5 + reachStep; out < m.Profile.Board.Cap[0]-reachStep; out += reachStep {
			n++
			if inky(out, 0, d) && inky(out, 0.25, d) && inky(out, -0.25, d) && !inky(out, 0.75, d) && !inky(out, -0.75, d) {
				seen++
			}
		}
		share := seen / n
		if err := m.Told(at, max(share, 1-share), "an end into a cell or none: %.2f of it is seen", share); err != nil {
			return image.Point{}, err
		}
		if share > 0.5 {
			if found != (image.Point{}) {
				return image.Point{}, view.Unsure(at, "two ends on one edge")
			}
			found = d
		}
	}
	return found, nil
}

// readDots finds the dots, and whose line each is for where there are two.
func (m *model) readDots(p *witness.Panel) error {
	var dots []image.Point
	var cols []vision.RGB
	for at := range m.places(p) {
		q := p.At(at)
		if witness.IsCell(at) || q.Gap != witness.Whole || witness.IsNode(at) && !m.Reached(p, at) {
			continue
		}
		yes, err := m.dot(at, q.Start)
		if err != nil {
			return err
		}
		if yes {
			dots, cols = append(dots, at), append(cols, m.dotColour(at))
			m.dotted[at] = m.cover(at, false)
		}
	}
	p.Symmetry = m.symmetry(p)
	if !m.Profile.Learned.Any() {
		return dotsByLine(m.View, p, dots, cols, false)
	}
	lines := make([]witness.Line, len(dots))
	for i, at := range dots {
		line, err := m.lineOf(at, cols[i])
		if err != nil && m.known.exact {
			return err // all colours of the look are known
		}
		if err != nil { // a colour that was not seen: hue alone tells
			return dotsByLine(m.View, p, dots, cols, false)
		}
		lines[i] = line
	}
	for i, at := range dots {
		p.At(at).Dot = witness.Dot{On: true, Colour: hex(cols[i])}
		if p.Symmetry != witness.NoSymmetry {
			p.At(at).Dot.Line = lines[i]
		}
	}
	return nil
}

// dot tells whether a dot is on a place of the lines. What lies in the middle of start
// circles, whose middles many looks draw hollow, is told by theirs.
func (m *model) dot(at image.Point, start bool) (bool, error) {
	if start && m.pools[poolOn] != nil {
		label, err := m.likest(at, poolOn, m.dotLook(at), "a start circle")
		return label == seenThere, err
	}
	odd := m.dotCore(at).Dist(m.lineInk(at)) / m.Contrast()
	if len(m.pools) == 0 {
		yes, sure := m.is(divideDot, odd)
		return yes, m.Told(at, sure, "a dot or none: %.2f of the contrast", odd)
	}
	// What one measure says and another denies the whole appearance tells.
	there, none := 0.0, 0.0 // how sure the surest of those is that say so
	for _, name := range []string{divideDot, divideTint, divideMatch} {
		if !m.divides(name) {
			continue
		}
		v := odd
		switch name {
		case divideTint:
			v, _ = m.tint(at)
		case divideMatch:
			v = m.dotForms.match(m.about(at))
		}
		if yes, sure := m.is(name, v); sure >= m.Profile.Board.Confidence {
			if yes {
				there = max(there, sure)
			} else {
				none = max(none, sure)
			}
		}
	}
	if (there > 0) != (none > 0) {
		m.Lower(max(there, none))
		return there > 0, nil
	}
	if witness.IsEdge(at) && !start {
		a, pool := m.edgeLook(at)
		label, err := m.likest(at, pool, a, "an edge")
		if err == nil && label != seenDot && label != seenWhole {
			err = view.Unsure(at, "no break, and most like an edge that is %s", label)
		}
		return label == seenDot, err
	}
	label, err := m.likest(at, poolDot, m.dotLook(at), "a node")
	return label == seenThere, err
}

// lineOf is whose line a dot of some colour is for, by the colours of those that the
// look has seen.
func (m *model) lineOf(at image.Point, c vision.RGB) (witness.Line, error) {
	best, line := math.Inf(1), witness.Line(0)
	other := math.Inf(1)
	for k, names := range m.Profile.Learned.Dots {
		near := math.Inf(1)
		for _, n := range names {
			if o, ok := rgbOf(n); ok {
				near = min(near, c.Dist(o))
			}
		}
		if near < best {
			best, other, line = near, best, witness.Line(k)
		} else {
			other = min(other, near)
		}
	}
	if best > m.tune.OtherColour || best > view.Strongly*other {
		return 0, view.Unsure(at, "a dot in a colour that this look has not seen: whose it is cannot be told; calibrate")
	}
	return line, nil
}

// readCells tells what stands in the cells, and which have one colour.
func (m *model) readCells(p *witness.Panel) error {
	var cells []image.Point
	for at := range m.places(p) {
		if witness.IsCell(at) {
			cells = append(cells, at)
		}
	}
	m.over = m.plainLines(p)
	found, fails := make([]*candidate, len(cells)), make([]error, len(cells))
	cols := make([]vision.RGB, len(cells))
	vision.SideBySide(len(cells), func(i int) {
		v := m.view(cells[i])
		if found[i], fails[i] = m.symbol(v); fails[i] != nil && m.known.exact && v.ground.Dist(m.Board.Paper) > view.Clearly*m.Contrast() {
			// A piece of four squares each way covers most of where the ground is seen.
			usual := m.viewOn(cells[i], func([]vision.RGB) vision.RGB { return m.Board.Paper })
			if c, err := m.symbol(usual); c != nil && err == nil {
				v, found[i], fails[i] = usual, c, nil
			}
		}
		if found[i] != nil {
			cols[i] = v.colour(found[i])
		}
	})
	var at []image.Point
	var of []vision.RGB
	for i, c := range found {
		if fails[i] != nil {
			return fails[i]
		}
		if c != nil {
			p.At(cells[i]).Symbol = c.symbol
			at, of = append(at, cells[i]), append(of, cols[i])
		}
	}
	names, certain, err := clusterTold(at, of, bright(m.View), m.Profile.Board.Confidence, m.colourSteps(), nil, shadesIn(&m.Profile.Learned).sharing(at, p, of, bright(m.View)))
	if err != nil {
		return err
	}
	m.Lower(certain)
	for i, cell := range at {
		p.At(cell).Symbol.Colour = names[i]
	}
	return nil
}

// colourSteps are the look's, where they were learned.
func (m *model) colourSteps() colourSteps {
	d, ok := m.Profile.Learned.Divides[divideColour]
	if !ok {
		return usualSteps()
	}
	return colourSteps{alike: d[0], divide: (d[0] + d[1]) / 2, clear: d[1]}
}

// symbol is what a cell shows; nil where it is empty.
func (m *model) symbol(v *cellView) (*candidate, error) {
	if v.hidden {
		return nil, view.Unsure(v.at, "a cell that start circles cover")
	}
	strength := v.strong / m.Contrast()
	there, sure := m.is(divideSymbol, strength)
	if !there && sure == 1 { // no more than any that is empty
		return nil, nil
	}
	// As faint as the ground may well be, but for what a template shows as it was seen: of 1,300
	// empty cells of looks whose eight pictures were learned the faintest ones to be doubted are
	// 0.96 sure.
	bare := !there && sure > view.Nearly
	list, err := m.known.candidates(v, m.tune.Slack)
	if err != nil {
		return nil, err
	}
	m.known.weigh(list, v, m.tune)
	best := candidate{score: -1}
	if len(list) > 0 {
		best = list[0]
	}
	if bare && (best.score < best.floor || best.times(m.tune) > m.tune.Unusual) {
		return nil, nil
	}
	if sure < m.Profile.Board.Confidence && best.score >= best.floor {
		there = true // faint, and like nothing else
	}
	if !there {
		if best.score < view.Strongly && sure < m.Profile.Board.Confidence {
			return nil, nil // noise, or what shines into the cell
		}
		if best.score < view.Strongly {
			return nil, m.Told(v.at, sure, "an empty cell, or something faint: %.2f of the contrast", strength)
		}
		return nil, view.Unsure(v.at, "an empty cell, or something faint: %.2f of the contrast", strength)
	}
	if best.score < best.floor {
		return nil, view.Unsure(v.at, "a symbol that this look does not know, %.2f like %s: calibrate", best.score, best.symbol.Kind.Called())
	}
	colour := v.colour(&best)
	best, not, err := m.twin(v, best, list, colour)
	if err != nil {
		return nil, err
	}
	evidence := func(o candidate) float64 { return m.evidence(best, o, colour) }
	for _, o := range list {
		if best.symbol.Turnable && !o.symbol.Turnable && witness.SameMeaning(best.symbol, o.symbol) && evidence(o) < m.tune.Evidence {
			best = o // no turn changes it, and upright it is as like
			break
		}
	}
	for _, o := range list {
		if not != witness.NoSymbol && o.symbol.Kind == not {
			continue
		}
		if !witness.Kin(best.symbol, o.symbol) && !witness.SameMeaning(best.symbol, o.symbol) && evidence(o) < m.tune.Evidence {
			return nil, view.Unsure(v.at, "%s or %s: %.2f and %.2f alike", witness.SymbolName(best.symbol), witness.SymbolName(o.symbol), best.score, o.score)
		}
		// A shape that was learned well is seldom this unlike, and the other, learned as well,
		// is as usual.
		if !witness.Kin(best.symbol, o.symbol) && !witness.SameMeaning(best.symbol, o.symbol) && o.least > m.tune.Recognised && o.times(m.tune) <= 1 && best.times(m.tune) > m.tune.Unusual && !m.colourTells(best, o, colour) {
			return nil, view.Unsure(v.at, "%s less alike than it was seen, or %s: %.2f and %.2f alike", witness.SymbolName(best.symbol), witness.SymbolName(o.symbol), best.score, o.score)
		}
	}
	if k := best.symbol.Kind; k.IsPiece() && !m.known.exact {
		// Of a look whose blue pieces nobody has seen a piece in another colour may be one.
		other := witness.TwinKind(k)
		if math.IsInf(m.known.unlike(other, colour), 1) && m.known.unlike(k, colour) > m.tune.OtherColour {
			return nil, view.Unsure(v.at, "%s in another colour than those that this look has seen: calibrate", k.Called())
		}
	}
	return &best, nil
}

// colourTells tells whether the colour alone says which of two kinds a symbol is: both were
// seen in one colour each, and this is the best one's.
func (m *model) colourTells(best, o candidate, colour vision.RGB) bool {
	return m.known.marked(best.symbol.Kind) && m.known.marked(o.symbol.Kind) && m.known.seenIn(best.symbol.Kind, colour) && !m.known.seenIn(o.symbol.Kind, colour)
}

// evidence is by how much what a cell shows is more like its best candidate than another,
// as the logarithm of a misfit.
func (m *model) evidence(best, o candidate, colour vision.RGB) float64 {
	e := o.misfit - best.misfit
	// A colour that is another kind's own, and in which this one was never seen.
	if o.symbol.Kind != best.symbol.Kind && m.known.owns(o.symbol.Kind, colour) && !m.known.seenIn(best.symbol.Kind, colour) {
		e -= m.tune.ColourWeight
	}
	return e
}

// twin decides between the two kinds of pieces where both have the best candidate's shape:
// the colour tells more than how their squares look. It gives the kind that the colour
// excludes, too.
func (m *model) twin(v *cellView, best candidate, list []candidate, colour vision.RGB) (is candidate, not witness.Kind, err error) {
	k := slices.IndexFunc(list, func(o candidate) bool { return witness.Kin(best.symbol, o.symbol) })
	if k <= 0 {
		return best, witness.NoSymbol, nil
	}
	twin, other := list[k], m.tune.OtherColour
	e := m.evidence(best, twin, colour)
	own, others := m.known.unlike(best.symbol.Kind, colour), m.known.unlike(twin.symbol.Kind, colour)
	neither := own > other && others > other
	// Neither squares of the twin's colours nor their outlines have another one within.
	within := best
	within.ink = calibrations.InkFill
	told := others < 0.5*own && own > 0.5*other && !neither && m.known.offMix(twin.symbol.Kind, v.colour(&within), v.ground) < 0.5*other
	// In a colour of its own how its squares look is all that tells, and they look as those
	// of the other kind may, too.
	either := neither && twin.least > 0 && twin.times(m.tune) <= m.tune.Unusual && e < 2*m.tune.Evidence
	// It is neither's, but as much of the twin's as shows between what its squares are drawn of.
	thinned := neither && m.known.offMix(twin.symbol.Kind, colour, v.ground) < 0.5*other && m.known.offMix(best.symbol.Kind, colour, v.ground) > 0.5*other
	// What takes away has one colour in this look, and this is none of its shades: an outline
	// beside a dim colour makes one look hollow that is full.
	foreign := best.symbol.Kind == witness.Negative && m.known.marked(witness.Negative) && own > 0.5*other && twin.times(m.tune) <= 2*m.tune.Unusual
	// A colour that is mixed with the ground, more or less, may be another one: then what is
	// less like a kind than all that was seen of it, and like the other, is in doubt.
	unlike := func(a, b *candidate) bool {
		return m.known.mixed(a.symbol.Kind) && a.times(m.tune) > 1 && a.unexplained(m.tune)-b.unexplained(m.tune) > 2*m.tune.Evidence
	}
	// How its squares look may say so clearly what a colour denies that both are in doubt.
	shape := twin.unexplained(m.tune) - best.unexplained(m.tune)
	switch {
	case told && e < 2*m.tune.Evidence && !unlike(&twin, &best) && shape < 3*m.tune.Evidence:
		return twin, best.symbol.Kind, nil
	case neither && math.Abs(e) < 2*m.tune.Evidence && max(best.times(m.tune), twin.times(m.tune)) <= m.tune.Unusual && m.known.marked(witness.Negative):
		// Both kinds are drawn alike, and the colour of what takes away is none of this.
		if best.symbol.Kind == witness.Negative {
			best = twin
		}
		return best, witness.Negative, nil
	case told, e < m.tune.Evidence && (own > 0.5*others || neither), neither && best.times(m.tune) > m.tune.Unusual && e < 4*m.tune.Evidence, either, thinned, foreign, unlike(&best, &twin):
		return best, witness.NoSymbol, view.Unsure(v.at, "%s or %s: %.2f and %.2f alike", best.symbol.Kind.Called(), twin.symbol.Kind.Called(), best.score, twin.score)
	case own < 0.5*others && !neither:
		return best, twin.symbol.Kind, nil
	}
	return best, witness.NoSymbol, nil
}

// colour is a symbol's colour: of what lies deepest within its outline, or within what is
// drawn of it, or of what its template covers most; or the one that its layers have.
func (v *cellView) colour(c *candidate) vision.RGB {
	if c.ink == calibrations.InkFill && c.layers.any() {
		return c.own
	}
	deep := shape.Depths(c.mask, c.ink == calibrations.InkSolid)
	least, most := float32(0), 0
	for _, v := range c.mask.V {
		least = max(least, 0.7*v)
	}
	for k, d := range deep {
		if c.ink == calibrations.InkDrawn {
			if d = 0; c.mask.V[k] > least {
				d = 1
			}
			deep[k] = d
		}
		most = max(most, d)
	}
	var cols []vision.RGB
	for k, d := range deep {
		x, y := k%cellSide+c.off.X, k/cellSide+c.off.Y
		if 2*d > most && x >= 0 && y >= 0 && x < cellSide && y < cellSide {
			cols = append(cols, v.pix[y*cellSide+x])
		}
	}
	if c.ink == calibrations.InkDrawn {
		// What is drawn thinly is mixed with the ground at its borders.
		slices.SortFunc(cols, func(a, b vision.RGB) int { return cmp.Compare(b.Dist(v.ground), a.Dist(v.ground)) })
		cols = cols[:(len(cols)+2)/3]
	}
	return vision.MedianRGB(cols)
}
