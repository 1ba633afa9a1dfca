package learned

import (
	"image"
	"iter"
	"math"
	"slices"

	"onlooker/calibrations"
	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/witness/colour"
	"onlooker/vision/witness/decide"
	"onlooker/vision/witness/line"
	"onlooker/vision/witness/look"
	"onlooker/vision/witness/view"
)

// A Reader reads a board in a look that was learned.
type Reader struct {
	*view.View
	Model    *look.Model
	Pools    map[string]*look.Pool
	dotForms *look.DotForms
	// Asked tells which places are to be read, and Whole what panel they are of; nil:
	// all, and the board's own.
	Asked func(image.Point) bool
	Whole func(*witness.Panel) *witness.Panel
}

// NewReader reads by what the board's look has learned.
func NewReader(m *look.Model) *Reader {
	return &Reader{View: m.View, Model: m, Pools: look.PoolsOf(m.Profile), dotForms: look.DotFormsOf(m.Profile)}
}

// divides tells whether a measure alone tells what it is for: in looks of which
// nothing was learned, and where what was seen of it divides.
func (m *Reader) divides(name string) bool {
	_, ok := m.Profile.Learned.Divides[name]
	return ok || len(m.Pools) == 0
}

// likest is what a place is most like of what its look has seen.
func (m *Reader) likest(at image.Point, pool string, a look.Appearance, what string) (string, error) {
	o := m.Pools[pool]
	if o == nil {
		return "", nil
	}
	label, sure := o.Tell(a)
	return label, m.Told(at, sure, decide.Unseen, what, label)
}

// Read reads the board.
func (m *Reader) Read() (*witness.Panel, error) {
	if err := m.Told(image.Point{}, m.Board.Sized, decide.BoardSize, m.Board.Cols, m.Board.Rows); err != nil {
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
func (m *Reader) places(p *witness.Panel) iter.Seq[image.Point] {
	if m.Asked == nil {
		return p.Points()
	}
	return slices.Values(view.Where(p.Points(), m.Asked))
}

// SymmetryOf is that of the panel that the places are of.
func (m *Reader) symmetry(p *witness.Panel) witness.Symmetry {
	if m.Whole != nil {
		p = m.Whole(p)
	}
	return witness.SymmetryOf(p)
}

// readStarts finds the start circles.
func (m *Reader) readStarts(p *witness.Panel) error {
	for at := range m.places(p) {
		if witness.IsCell(at) {
			continue
		}
		r := m.Model.Lines.StartReach(at)
		yes, sure := m.Model.Is(look.DivideStart, r)
		if m.divides(look.DivideStart) {
			if err := m.Told(at, sure, decide.StartOrNone); err != nil {
				return err
			}
		} else {
			label, err := m.likestStart(at)
			if err != nil && witness.IsNode(at) {
				return err
			}
			yes = err == nil && label == look.SeenThere
		}
		if witness.IsNode(at) && m.divides(look.DivideStart) && m.judged() {
			label, err := m.likestStart(at)
			if err == nil && label != "" && (sure < view.Mostly || m.faintBeyond(at)) {
				yes = label == look.SeenThere // the length hardly tells
			}
			if err := m.agree(at, yes, label, err, "a start circle"); err != nil {
				return err
			}
		}
		if yes {
			p.At(at).Start = true
			m.Model.Lines.Radius[at] = m.Model.Lines.Cover(at, true)
		}
	}
	if len(view.Where(m.places(p), func(at image.Point) bool { return p.At(at).Start })) == 0 {
		return decide.NoStart.At(image.Point{})
	}
	return nil
}

// judged tells whether what lengths say is held against what places look like.
func (m *Reader) judged() bool { return len(m.Pools) > 0 && !m.Model.Known.Exact }

// agree holds what a length says of something on the border against what the place is most
// like: it must not be the other, and where the ground beyond is hardly unlike the lines it
// must be the same.
func (m *Reader) agree(at image.Point, yes bool, label string, unsure error, what string) error {
	switch {
	case unsure == nil && label != "" && yes != (label == look.SeenThere):
		return decide.MostLike.At(at, what+" or none", label)
	case unsure != nil && m.faintBeyond(at):
		return unsure
	}
	return nil
}

// faintBeyond tells whether some of what lies beyond the border beside a place is hardly unlike
// the lines.
func (m *Reader) faintBeyond(at image.Point) bool {
	return slices.ContainsFunc(m.Outwards(at), func(d image.Point) bool {
		seen := m.Model.Lines.SeenBeyond(at, d)
		return len(seen) > 0 && vision.MedianRGB(seen[len(seen)/2:]).Dist(m.Board.Ink) < view.Strongly*m.Contrast()
	})
}

// likestStart is whether a place is most like those with a start circle or like those
// without. Round nodes where many lines meet a circle may not show, but for its middle:
// what that is like must not deny the rest, or both together tell.
func (m *Reader) likestStart(at image.Point) (string, error) {
	pools, round := look.StartPools(at), m.Model.Places.StartLook(at)
	label, err := m.likest(at, pools[0], round, "place")
	if m.Pools[pools[1]] == nil {
		return label, err // a look that was learned before middles were
	}
	middle := m.Model.Places.DotLook(at)
	core, unsure := m.likest(at, pools[1], middle, "place")
	switch {
	case unsure != nil || core == label && err == nil:
		return label, err
	case err != nil:
		return core, nil
	}
	return m.likest(at, pools[2], slices.Concat(round, middle), "a place")
}

// readEdges tells whole, broken and missing edges apart.
func (m *Reader) readEdges(p *witness.Panel) error {
	for at := range m.places(p) {
		if !witness.IsEdge(at) || p.At(at).Start {
			continue
		}
		if !m.divides(look.DivideBreak) {
			a, pool := m.Model.Places.EdgeLook(at)
			label, err := m.likest(at, pool, a, "edge")
			if err != nil {
				return err
			}
			m.setEdge(p, at, label)
			continue
		}
		v := m.Model.Lines.EdgeView(at, m.Model.Lines.Clear)
		gone, sure := m.Model.Is(look.DivideBreak, v.Depth)
		if sure < 1 { // unlike all that was seen by this alone
			if a, pool := m.Model.Places.EdgeLook(at); m.Pools[pool] != nil {
				if label, err := m.likest(at, pool, a, "edge"); err == nil {
					m.setEdge(p, at, label)
					continue
				}
			}
		}
		if m.Model.Known.Exact && gone && v.Share*v.Length < m.Profile.Board.Gap[0] {
			gone = false // a dot that reaches across: breaks of this look are longer
		}
		if dot, _ := m.Model.Is(look.DivideDot, v.Odd); !dot || gone || !m.divides(look.DivideDot) {
			if err := m.Told(at, sure, decide.EdgeOrBreak); err != nil {
				return err
			}
		}
		if !gone {
			continue
		}
		// Of the line that a dot hides as much may be gone as of a break.
		if a, pool := m.Model.Places.EdgeLook(at); m.Pools[pool] != nil {
			if label, sure := m.Pools[pool].Tell(a); (label == look.SeenDot || label == look.SeenWhole) && sure >= m.Profile.Board.Confidence {
				return decide.MostLike.At(at, "a break", label)
			}
		}
		gap, cap, open := m.Gap(at, v)
		if err := open.At(at); err != nil {
			return err
		}
		p.At(at).Gap = gap
		if cap != (image.Point{}) {
			p.At(at.Sub(cap)).Cap = cap
		}
	}
	return nil
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
		// What outlines the lines beside a missing edge passes for its ends.
		a, pool := m.Model.Places.EdgeLook(at)
		if label, err := m.likest(at, pool, a, "edge"); err == nil && label == look.SeenMissing {
			return 0, cap, decide.BreakOrNone
		}
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
	narrow := covered == 2 && free < m.Profile.Board.Gap[1]
	// What was never seen missing is most like something else.
	if a, pool := m.Model.Places.EdgeLook(at); m.Pools[pool] != nil && (narrow || m.Pools[pool].Has(look.SeenMissing)) {
		switch label, err := m.likest(at, pool, a, "break"); {
		case err == nil && label == look.SeenBroken && narrow:
			return witness.Broken, cap, ""
		case err == nil && label != look.SeenMissing:
			return 0, cap, decide.EdgeOrBreak
		case err == nil:
			narrow = false
		}
	}
	if narrow {
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
	// Only a circle or a dot hides the other end of a break.
	far := at.Add(way)
	dot := m.Model.Lines.OddCore(far)
	hidden := dot || m.Model.Lines.Radius[far] > 0
	if a, pool := m.Model.Places.EdgeLook(at); m.Pools[pool] != nil {
		switch label, err := m.likest(at, pool, a, "edge"); {
		case err == nil && label == look.SeenBroken && hidden:
			return witness.Broken, cap, ""
		case err == nil && label == look.SeenMissing:
			return witness.Missing, cap, ""
		}
		// A dot or a circle on the near node may reach out as far as an end does.
		near := at.Sub(way)
		plain := m.Model.Lines.Radius[near] == 0 && !m.Model.Lines.OddCore(near)
		if o := m.Pools[pool]; !plain && !o.Has(look.SeenStubFrom) && !o.Has(look.SeenStubTo) {
			return 0, cap, decide.BreakOrNone
		}
	}
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

// readEnds finds the end caps.
func (m *Reader) readEnds(p *witness.Panel) error {
	for at := range m.places(p) {
		q := p.At(at)
		if q.Start && !q.IsEnd() && m.Model.Known.Exact {
			dir, err := m.capOfCircle(at)
			if err != nil {
				return err
			}
			q.Cap = dir
			continue
		}
		// An end that is known goes into the board: see gap.
		if q.IsEnd() || witness.IsCell(at) || q.Start || witness.IsNode(at) && !m.Reached(p, at) || witness.IsEdge(at) && q.Gap != witness.Whole {
			continue
		}
		if witness.IsEdge(at) && m.Model.Known.Exact {
			dir, err := m.capIntoCell(at)
			if err != nil {
				return err
			}
			if dir != (image.Point{}) {
				q.Cap = dir
				m.Model.Lines.Capped[at] = dir
				continue
			}
		}
		if !m.divides(look.DivideCap) {
			for _, w := range m.Model.Places.Ways(at) {
				label, err := m.likest(at, w.Pool, w.Seen, "way out")
				if err != nil {
					return err
				}
				if label == look.SeenThere {
					q.Cap = w.Dir
				}
			}
			continue
		}
		best, sure := look.CapView{}, 1.0
		ways, straight := 0, 0
		for _, v := range m.Model.Lines.CapViews(at) {
			yes, s := m.Model.Is(look.DivideCap, v.Own())
			if yes {
				if ways++; v.Dir.X == 0 || v.Dir.Y == 0 {
					straight++
				}
			}
			switch {
			case yes && v.Reach > best.Reach:
				best, sure = v, s // a cap is seen aslant, too, from a corner
			case best.Reach == 0:
				sure = min(sure, s)
			}
		}
		if err := m.Told(at, sure, decide.EndOrNone); err != nil {
			return err
		}
		if best.Reach > 0 {
			q.Cap = best.Dir
		}
		if m.judged() {
			if err := m.judgeEnd(at, q, ways > 1, straight > 1); err != nil {
				return err
			}
		}
	}
	if len(view.Where(m.places(p), func(at image.Point) bool { return p.At(at).IsEnd() })) == 0 {
		return decide.NoEnd.At(image.Point{})
	}
	return nil
}

// judgeEnd holds the end that lengths say is at a place against what its ways out are most
// like: where several of them are long enough, and where the ground is so like the lines that
// no length is seen, these tell.
func (m *Reader) judgeEnd(at image.Point, q *witness.Spot, ways, straight bool) error {
	var like []image.Point
	var unsure error
	label := ""
	for _, w := range m.Model.Places.Ways(at) {
		if m.Pools[w.Pool] == nil {
			continue
		}
		if label == "" {
			label = look.SeenNone
		}
		if seen, err := m.likest(at, w.Pool, w.Seen, "way out"); err != nil {
			unsure = err
		} else if seen == look.SeenThere {
			label, like = look.SeenThere, append(like, w.Dir)
		}
	}
	switch faint := m.faintBeyond(at); {
	case unsure != nil:
	case len(like) == 1 && (ways || faint):
		q.Cap = like[0]
		return nil
	case label == look.SeenNone && faint && !straight:
		q.Cap = image.Point{}
		return nil
	}
	if straight {
		return decide.EndWays.At(at)
	}
	return m.agree(at, q.IsEnd(), label, unsure, "an end")
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
	yes := view.Sure(best.Reach, (circle+cap)/2, cap)
	if err := m.Told(at, max(yes, 1-yes), decide.EndOrNone); err != nil {
		return image.Point{}, err
	}
	if yes <= 0.5 {
		return image.Point{}, nil
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

// readDots finds the dots, and whose line each is for where there are two.
func (m *Reader) readDots(p *witness.Panel) error {
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
			dots, cols = append(dots, at), append(cols, m.Model.Lines.DotColour(at))
			m.Model.Lines.Dotted[at] = m.Model.Lines.Cover(at, false)
		}
	}
	p.Symmetry = m.symmetry(p)
	if !m.Profile.Learned.Any() {
		return line.DotsByLine(m.View, p, dots, cols, false)
	}
	lines := make([]witness.Line, len(dots))
	for i, at := range dots {
		width, err := m.lineOf(at, cols[i])
		if err != nil && m.Model.Known.Exact {
			return err // all colours of the look are known
		}
		if err != nil { // a colour that was not seen: hue alone tells
			return line.DotsByLine(m.View, p, dots, cols, false)
		}
		lines[i] = width
	}
	for i, at := range dots {
		p.At(at).Dot = witness.Dot{On: true, Colour: colour.Hex(cols[i])}
		if p.Symmetry != witness.NoSymmetry {
			p.At(at).Dot.Line = lines[i]
		}
	}
	return nil
}

// dot tells whether a dot is on a place of the lines. What lies in the middle of start
// circles, whose middles many looks draw hollow, is told by theirs.
func (m *Reader) dot(at image.Point, start bool) (bool, error) {
	if start && m.Pools[look.PoolOn] != nil {
		label, err := m.likest(at, look.PoolOn, m.Model.Places.DotLook(at), "a start circle")
		return label == look.SeenThere, err
	}
	odd := m.Model.Lines.DotCore(at).Dist(m.Model.Lines.LineInk(at)) / m.Contrast()
	if len(m.Pools) == 0 {
		yes, sure := m.Model.Is(look.DivideDot, odd)
		return yes, m.Told(at, sure, decide.DotOrNone)
	}
	// What one measure says and another denies the whole appearance tells.
	there, none := 0.0, 0.0 // how sure the surest of those is that say so
	for _, name := range []string{look.DivideDot, look.DivideTint, look.DivideMatch} {
		if !m.divides(name) {
			continue
		}
		v := odd
		switch name {
		case look.DivideTint:
			v, _ = m.Model.Lines.Tint(at)
		case look.DivideMatch:
			v = m.dotForms.Match(m.Model.Places.About(at))
		}
		if yes, sure := m.Model.Is(name, v); sure >= m.Profile.Board.Confidence {
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
		a, pool := m.Model.Places.EdgeLook(at)
		label, err := m.likest(at, pool, a, "edge")
		if err == nil && label != look.SeenDot && label != look.SeenWhole {
			err = decide.MostLike.At(at, "no break", label)
		}
		return label == look.SeenDot, err
	}
	label, err := m.likest(at, look.PoolDot, m.Model.Places.DotLook(at), "a node")
	return label == look.SeenThere, err
}

// lineOf is whose line a dot of some colour is for, by the colours of those that the
// look has seen.
func (m *Reader) lineOf(at image.Point, c vision.RGB) (witness.Line, error) {
	best, line := math.Inf(1), witness.Line(0)
	other := math.Inf(1)
	for k, names := range m.Profile.Learned.Dots {
		near := math.Inf(1)
		for _, n := range names {
			if o, ok := colour.ParseRGB(n); ok {
				near = min(near, c.Dist(o))
			}
		}
		if near < best {
			best, other, line = near, best, witness.Line(k)
		} else {
			other = min(other, near)
		}
	}
	if best > view.Tuned.OtherColour || best > view.Strongly*other {
		return 0, decide.DotsLine.At(at, "your pictures showed none in this colour, calibrate with one")
	}
	return line, nil
}

// readCells tells what stands in the cells, and which have one colour.
func (m *Reader) readCells(p *witness.Panel) error {
	cells := view.Where(m.places(p), witness.IsCell)
	m.Model.Cells.On(p)
	found, fails := make([]*look.Candidate, len(cells)), make([]error, len(cells))
	cols := make([]vision.RGB, len(cells))
	vision.SideBySide(len(cells), func(i int) {
		var v *look.Cell
		if found[i], v, fails[i] = m.Symbol(cells[i]); found[i] != nil {
			cols[i] = v.Colour(found[i])
		}
	})
	var at []image.Point
	var of []vision.RGB
	for i, c := range found {
		if fails[i] != nil {
			return fails[i]
		}
		if c != nil {
			p.At(cells[i]).Symbol = c.Symbol
			at, of = append(at, cells[i]), append(of, cols[i])
		}
	}
	shades, bright := colour.ShadesIn(&m.Profile.Learned), colour.Bright(m.View)
	names, certain, err := colour.ClusterTold(at, of, bright, m.Profile.Board.Confidence, shades.Steps(at, p, m.colourSteps()), nil, shades.Sharing(at, p, of, bright))
	if err != nil {
		return err
	}
	m.Lower(certain)
	for i, cell := range at {
		p.At(cell).Symbol.Colour = names[i]
	}
	return nil
}

// ColourSteps are the look's, where they were learned.
func (m *Reader) colourSteps() colour.ColourSteps {
	d, ok := m.Profile.Learned.Divides[look.DivideColour]
	if !ok {
		return colour.UsualSteps()
	}
	return colour.ColourSteps{Alike: d[0], Divide: (d[0] + d[1]) / 2, Clear: d[1]}
}

// Symbol is what a cell shows, and the sight of it that tells; nil where it is empty. Where
// that is nothing known, another sight of the cell may tell.
func (m *Reader) Symbol(cell image.Point) (*look.Candidate, *look.Cell, error) {
	v := m.Model.Cells.CellAt(cell)
	c, like, err := m.symbolIn(v)
	var other *look.Cell
	switch exact := m.Model.Known.Exact; {
	case err != nil && exact && v.Ground.Dist(m.Board.Paper) > view.Clearly*m.Contrast():
		// A piece of four squares each way covers most of where the ground is seen.
		other = m.Model.Cells.CellOn(cell, func([]vision.RGB) vision.RGB { return m.Board.Paper })
	case err != nil && !exact && like >= view.Strongly:
		other = v.WithoutLight()
	default:
		return c, v, err
	}
	if c, _, err := m.symbolIn(other); c != nil && err == nil {
		return c, other, nil
	}
	return nil, v, err
}

// symbolIn is what a sight of a cell shows; nil where it is empty. Of what is like nothing
// known it tells how like it is to what it is most like.
func (m *Reader) symbolIn(v *look.Cell) (is *look.Candidate, like float64, err error) {
	if v.Hidden {
		return nil, 0, decide.Covered.At(v.At)
	}
	there, sure := m.Model.Is(look.DivideSymbol, v.Strong/m.Contrast())
	if !there && sure == 1 { // no more than any that is empty
		return nil, 0, nil
	}
	list := m.proposals(v, there)
	best := look.Candidate{Score: -1}
	if len(list) > 0 {
		best = list[0]
	}
	known := best.Score >= best.Floor
	if !there {
		// As faint as the ground may well be, but for what a template shows as it was seen: of 1,300
		// empty cells of looks whose eight pictures were learned the faintest ones to be doubted are
		// 0.96 sure.
		if sure > view.Nearly && (!known || best.Times() > view.Tuned.Unusual) {
			return nil, 0, nil
		}
		there = known && sure < m.Profile.Board.Confidence // faint, and like nothing else
	}
	switch {
	case !there && best.Score >= view.Strongly:
		return nil, 0, decide.EmptyOrFaint.At(v.At)
	case !there: // noise, or what shines into the cell
		if sure >= m.Profile.Board.Confidence {
			m.Lower(sure)
		}
		return nil, 0, nil
	}
	if !m.Model.Known.Exact && len(list) > 0 {
		list = plausible(list)
		best = list[0]
	}
	if best.Score < best.Floor {
		return nil, best.Score, decide.NoSymbol.Under(v.At, best.Score, best.Floor, best.Symbol.Kind.Called())
	}
	is, err = m.likestOf(v, best, list)
	return is, 0, err
}

// proposals are what a sight of a cell may show, the likest first. Where something clearly is there
// that is less like all pieces than those that were seen it may be a long one drawn smaller.
func (m *Reader) proposals(v *look.Cell, there bool) []look.Candidate {
	known := m.Model.Known
	list := known.Candidates(v, view.Tuned.Slack)
	if there && len(list) > 0 && list[0].Symbol.Kind.IsPiece() && list[0].Times() > 1 {
		list = known.Matched(append(list, known.Smaller(v)...), v, view.Tuned.Slack)
	}
	if known.Exact && len(list) > 0 && list[0].Score < list[0].Floor {
		// Thin parts of shapes that symbols bring are lost in a picture that is not sharp.
		soft := known.BlurredBy(view.Tuned.BlurPixels/m.Board.ScreenPitch*look.CellSide).Candidates(v, view.Tuned.Slack)
		if len(soft) > 0 && soft[0].Symbol.Kind.About().Figure != nil {
			list = soft
		}
	}
	known.Weigh(list, v)
	return list
}

// plausible are the candidates that no other denies.
func plausible(list []look.Candidate) []look.Candidate {
	return slices.DeleteFunc(slices.Clone(list), func(o look.Candidate) bool {
		return slices.ContainsFunc(list, func(by look.Candidate) bool { return denied(o, by) })
	})
}

// denied tells whether what a cell shows is no longer one candidate, whatever its colour says: it
// is less like that than all that was seen, and clearly more like another.
func denied(o, by look.Candidate) bool {
	if by.Score < by.Floor || by.Unexplained()+view.Tuned.Evidence > o.Unexplained() || witness.Kin(o.Symbol, by.Symbol) {
		return false
	}
	return o.Score < o.Floor || o.Times() > view.Tuned.Unusual && by.LeastSeen > 0 && by.Times() <= 1
}

// likestOf is the best of what a sight of a cell may show, where nothing else is as likely.
func (m *Reader) likestOf(v *look.Cell, best look.Candidate, list []look.Candidate) (*look.Candidate, error) {
	colour := v.Colour(&best)
	// What a shape is hardly less like is likelier where this is that kind's own colour; but pieces
	// have any shape.
	if k := slices.IndexFunc(list, func(o look.Candidate) bool {
		return !o.Symbol.Kind.IsPiece() && o.Score >= o.Floor && m.Model.Known.Nearest(o.Symbol.Kind, colour) < view.Tuned.OtherColour/2 && m.evidence(best, o, colour) < 0
	}); k > 0 {
		list = slices.Concat(list[k:k+1], list[:k], list[k+1:])
		best = list[0]
	}
	best, not, err := m.twin(v, best, list, colour)
	if err != nil {
		return nil, err
	}
	evidence := func(o look.Candidate) float64 { return m.evidence(best, o, colour) }
	for _, o := range list {
		if best.Symbol.Turnable && !o.Symbol.Turnable && witness.SameMeaning(best.Symbol, o.Symbol) && evidence(o) < view.Tuned.Evidence {
			best = o // no turn changes it, and upright it is as like
			break
		}
	}
	for _, o := range list {
		if not != witness.NoSymbol && o.Symbol.Kind == not {
			continue
		}
		if witness.Kin(best.Symbol, o.Symbol) || witness.SameMeaning(best.Symbol, o.Symbol) {
			continue
		}
		// A shape that was learned well is seldom this unlike, where the other, learned as well,
		// is as usual, or hardly less and more like what is seen.
		fits := o.Times() <= 1 || o.Times() <= view.Tuned.Unusual && o.Unexplained()+view.Tuned.Evidence <= best.Unexplained()
		unlike := o.LeastSeen > view.Tuned.Recognised && fits && best.Times() > view.Tuned.Unusual && !m.colourTells(best, o, colour)
		if evidence(o) < view.Tuned.Evidence || unlike {
			return nil, decide.Symbols.At(v.At, witness.SymbolName(best.Symbol), witness.SymbolName(o.Symbol))
		}
	}
	if k := best.Symbol.Kind; k.IsPiece() && !m.Model.Known.Exact {
		// Of a look whose blue pieces nobody has seen a piece in another colour may be one.
		other := witness.TwinKind(k)
		if math.IsInf(m.Model.Known.Unlike(other, colour), 1) && m.Model.Known.Unlike(k, colour) > view.Tuned.OtherColour {
			return nil, decide.OddColour.At(v.At, k.Called(), other.Word()+", which was not in your pictures: calibrate with one")
		}
	}
	return &best, nil
}

// colourTells tells whether the colour alone says which of two kinds a symbol is: both were
// seen in one colour each, and this is the best one's.
func (m *Reader) colourTells(best, o look.Candidate, colour vision.RGB) bool {
	return m.Model.Known.Marked(best.Symbol.Kind) && m.Model.Known.Marked(o.Symbol.Kind) && m.Model.Known.SeenIn(best.Symbol.Kind, colour) && !m.Model.Known.SeenIn(o.Symbol.Kind, colour)
}

// evidence is by how much what a cell shows is more like its best candidate than another,
// as the logarithm of a misfit.
func (m *Reader) evidence(best, o look.Candidate, colour vision.RGB) float64 {
	e := o.Misfit - best.Misfit
	// A colour that is one kind's own, and in which the other was never seen.
	switch known, one, other := m.Model.Known, best.Symbol.Kind, o.Symbol.Kind; {
	case one == other:
	case known.Owns(other, colour) && !known.SeenIn(one, colour):
		e -= view.Tuned.ColourWeight
	case known.Marked(one) && known.SeenIn(one, colour) && !known.SeenIn(other, colour) && !known.Marked(other):
		e += view.Tuned.ColourWeight
	}
	return e
}

// twin decides between the two kinds of pieces where both have the best candidate's shape:
// the colour tells more than how their squares look. It gives the kind that the colour
// excludes, too.
func (m *Reader) twin(v *look.Cell, best look.Candidate, list []look.Candidate, colour vision.RGB) (is look.Candidate, not witness.Kind, err error) {
	k := slices.IndexFunc(list, func(o look.Candidate) bool { return witness.Kin(best.Symbol, o.Symbol) })
	if k <= 0 {
		return best, witness.NoSymbol, nil
	}
	twin, other := list[k], view.Tuned.OtherColour
	e := m.evidence(best, twin, colour)
	own, others := m.Model.Known.Unlike(best.Symbol.Kind, colour), m.Model.Known.Unlike(twin.Symbol.Kind, colour)
	neither := own > other && others > other
	// Neither squares of the twin's colours nor their outlines have another one within.
	within := best
	within.Ink = calibrations.InkFill
	told := others < 0.5*own && own > 0.5*other && !neither && m.Model.Known.OffMix(twin.Symbol.Kind, v.Colour(&within), v.Ground) < 0.5*other
	// In a colour of its own how its squares look is all that tells, and they look as those
	// of the other kind may, too.
	either := neither && twin.LeastSeen > 0 && twin.Times() <= view.Tuned.Unusual && e < 2*view.Tuned.Evidence
	// It is neither's, but as much of the twin's as shows between what its squares are drawn of.
	thinned := neither && m.Model.Known.OffMix(twin.Symbol.Kind, colour, v.Ground) < 0.5*other && m.Model.Known.OffMix(best.Symbol.Kind, colour, v.Ground) > 0.5*other
	// What takes away has one colour in this look, and this is none of its shades: an outline
	// beside a dim colour makes one look hollow that is full.
	foreign := best.Symbol.Kind == witness.Negative && m.Model.Known.Marked(witness.Negative) && own > 0.5*other && twin.Times() <= 2*view.Tuned.Unusual
	// A colour that is mixed with the ground, more or less, may be another one: then what is
	// less like a kind than all that was seen of it, and like the other, is in doubt.
	unlike := func(a, b *look.Candidate) bool {
		return m.Model.Known.Mixed(a.Symbol.Kind) && a.Times() > 1 && a.Unexplained()-b.Unexplained() > 2*view.Tuned.Evidence
	}
	// How its squares look may say so clearly what a colour denies that both are in doubt.
	shape := twin.Unexplained() - best.Unexplained()
	switch {
	case told && e < 2*view.Tuned.Evidence && !unlike(&twin, &best) && shape < 3*view.Tuned.Evidence:
		return twin, best.Symbol.Kind, nil
	case m.neverAway(v, colour) && (best.Symbol.Kind != witness.Negative || e < 2*view.Tuned.Evidence):
		if best.Symbol.Kind == witness.Negative {
			best = twin
		}
		return best, witness.Negative, nil
	case told, e < view.Tuned.Evidence && (own > 0.5*others || neither), neither && best.Times() > view.Tuned.Unusual && e < 4*view.Tuned.Evidence, either, thinned, foreign, unlike(&best, &twin):
		return best, witness.NoSymbol, decide.Symbols.At(v.At, best.Symbol.Kind.Called(), twin.Symbol.Kind.Called())
	case own < 0.5*others && !neither:
		return best, twin.Symbol.Kind, nil
	}
	return best, witness.NoSymbol, nil
}

// neverAway tells whether a colour says that a piece takes nothing away: all of the look that do
// have one colour, and this is neither that nor what it mixes with ground or outline.
func (m *Reader) neverAway(v *look.Cell, colour vision.RGB) bool {
	known, other := m.Model.Known, view.Tuned.OtherColour
	through := known.OffMix(witness.Negative, colour, v.Ground)
	if known.Outline != nil {
		through = min(through, known.OffMix(witness.Negative, colour, *known.Outline))
	}
	return known.Marked(witness.Negative) && known.Unlike(witness.Negative, colour) > other && through > 0.5*other
}

// setEdge puts on the panel what an edge was told to be.
func (m *Reader) setEdge(p *witness.Panel, at image.Point, label string) {
	along, _, _ := m.Model.Places.Frame(at)
	q := p.At(at)
	switch label {
	case look.SeenBroken:
		q.Gap = witness.Broken
	case look.SeenMissing:
		q.Gap = witness.Missing
	case look.SeenStubFrom:
		q.Gap = witness.Missing
		p.At(at.Sub(along)).Cap = along
	case look.SeenStubTo:
		q.Gap = witness.Missing
		p.At(at.Add(along)).Cap = along.Mul(-1)
	}
}
