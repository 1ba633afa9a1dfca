package witness

import (
	"cmp"
	"image"
	"math"
	"slices"
	"sync"

	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/witness/view"
)

// A belief is what one place of the lines may show: the evidence for each meaning.
type belief struct {
	what      []meaning
	evidence  []float64
	explained float64 // see explains; of breaks and dots
	samples   float64 // that were seen, as many as tell each its own
}

// believe is what a place shows, by the layouts of its kind.
func (m *lineModel) believe(k *placeKind, g *glance, clear float64) (b belief) {
	all, left := m.tell(k, g, clear)
	top := slices.Index(all, slices.Max(all))
	b.explained, b.samples = math.Inf(1), 3*float64(g.seen)/m.odds.Samples
	if w := k.layouts[top].what; w.dot && !w.start || w.gap == witness.Broken {
		b.explained = m.explains(k, g, top, left)
	}
	for i, e := range all {
		w := k.layouts[i].what
		length, aside := w.length, w.aside
		w.length, w.aside, w.radius, w.square, w.cable = 0, 0, 0, false, false
		if j := slices.IndexFunc(b.what, w.same); j < 0 {
			w.length, w.aside = length, aside
			b.what, b.evidence = append(b.what, w), append(b.evidence, e)
		} else if e > b.evidence[j] {
			w.length, w.aside = length, aside
			b.what[j], b.evidence[j] = w, e
		}
	}
	return b
}

// same tells whether two meanings are the same but for sizes and where a dot lies.
func (w meaning) same(o meaning) bool {
	o.length, o.radius, o.aside = w.length, w.radius, w.aside
	return w == o
}

// lead is by how much what is best of some meanings leads all others of some.
func (b *belief) lead(of, against func(meaning) bool) float64 {
	own, other := math.Inf(-1), math.Inf(-1)
	for i, w := range b.what {
		if of(w) {
			own = max(own, b.evidence[i])
		} else if against(w) {
			other = max(other, b.evidence[i])
		}
	}
	return max(-noEvidence, min(noEvidence, own-other))
}

// best is what a place likeliest shows.
func (b *belief) best() meaning { return b.what[slices.Index(b.evidence, slices.Max(b.evidence))] }

func anything(meaning) bool { return true }

func isStartThere(w meaning) bool { return w.start }

// places looks at all places of the lines: at edges as if no circle reached into them,
// and at nodes; then at what lies beside circles again.
func (m *lineModel) places(p *witness.Panel) (beliefs map[image.Point]*belief, starts []image.Point) {
	beliefs = map[image.Point]*belief{}
	var edges, nodes []image.Point
	for at := range p.Points() {
		switch {
		case !m.InSight(float64(at.X)):
		case witness.IsEdge(at):
			edges = append(edges, at)
		case witness.IsNode(at):
			nodes = append(nodes, at)
		}
	}
	m.lookAt(beliefs, slices.Concat(edges, nodes))
	// A start's pulse lies over what is round it.
	var pulsing []image.Point
	for _, at := range nodes {
		if beliefs[at].lead(meaning.plain, anything) > m.odds.Sure {
			continue // nothing lies there
		}
		if r := m.ring(at); r > 0 {
			m.pulses, pulsing = append(m.pulses, pulse{at, 2 * r}), append(pulsing, at)
		}
	}
	m.lookAt(beliefs, pulsing)
	if starts = clearest(p, beliefs); len(starts) == 0 {
		return beliefs, nil
	}
	m.measureBreaks(edges, beliefs)
	var radii []float64
	for _, at := range starts {
		radii = append(radii, beliefs[at].best().length)
	}
	m.radius, m.circles = vision.Median(radii), starts
	var beside []image.Point
	for _, at := range slices.Concat(edges, nodes) {
		if !slices.Contains(starts, at) && slices.ContainsFunc(view.Ways[:], func(d image.Point) bool { return slices.Contains(starts, at.Add(d)) }) {
			beside = append(beside, at)
		}
	}
	m.lookAt(beliefs, beside)
	return beliefs, starts
}

// lookAt looks at edges and nodes, with what was found before.
func (m *lineModel) lookAt(beliefs map[image.Point]*belief, places []image.Point) {
	all := make([]belief, len(places))
	vision.SideBySide(len(places), func(i int) {
		var k *placeKind
		var g *glance
		if at := places[i]; witness.IsNode(at) {
			k, g = m.glanceNode(at)
		} else {
			circles := m.circlesAt(at)
			k = m.edgeKind(at, circles)
			g = m.glanceEdge(k.window, at, circles)
		}
		all[i] = m.believe(k, g, m.odds.Clear)
	})
	for i, at := range places {
		beliefs[at] = &all[i]
	}
}

// clearest are the places that look like circles: of two side by side the clearer one.
func clearest(p *witness.Panel, beliefs map[image.Point]*belief) (starts []image.Point) {
	clear := func(at image.Point) float64 {
		if b := beliefs[at]; b != nil {
			return b.lead(isStartThere, anything)
		}
		return math.Inf(-1)
	}
	for at := range p.Points() {
		lead := clear(at)
		if !witness.IsCell(at) && lead > 0 && !slices.ContainsFunc(view.Ways[:], func(d image.Point) bool { return clear(at.Add(d)) > lead }) {
			starts = append(starts, at)
		}
	}
	return starts
}

// measureBreaks measures how long breaks are, and how many.
func (m *lineModel) measureBreaks(edges []image.Point, beliefs map[image.Point]*belief) {
	var lengths []float64
	for _, at := range edges {
		b := beliefs[at]
		if w := b.best(); w.gap == witness.Broken && b.lead(w.same, anything) > m.odds.Sure {
			lengths = append(lengths, w.length)
		}
	}
	if n := len(lengths); n > 0 {
		m.gap, m.broken = vision.Median(lengths), min(0, math.Log(float64(n)/float64(len(edges)-n+1)))
	}
}

// circlesAt says at which ends of an edge circles are: see edgeKind.
func (m *lineModel) circlesAt(at image.Point) (circles int) {
	ux, uy := witness.EdgeDirection(at)
	to := image.Pt(int(ux), int(uy))
	if slices.Contains(m.circles, at.Sub(to)) {
		circles |= 1
	}
	if slices.Contains(m.circles, at.Add(to)) {
		circles |= 2
	}
	return circles
}

// startLead is by how much a circle where one was found leads none. A board's circles are of
// one size: those of a look that is known are compared in steps of 0.08.
func (m *lineModel) startLead(b *belief) float64 {
	if math.Abs(math.Log(b.best().length/m.radius)) > math.Log(1+view.Faintly) {
		return 0
	}
	return b.lead(isStartThere, func(w meaning) bool { return !w.start })
}

// lattice reads a view's start circles, edges and ends, and gives the starts.
func (s *lineReader) lattice() (*witness.Panel, []image.Point, error) {
	p := witness.New(s.Board.Cols, s.Board.Rows, s.Board.Pillar)
	m := newLineModel(s)
	if m.raw > m.odds.Noise*m.Contrast() {
		return nil, nil, view.Unsure(image.Point{}, "lines that this look does not know: %.2f of the contrast off whole edges: calibrate", m.raw/m.Contrast())
	}
	beliefs, starts := m.places(p)
	s.lines = &readLines{model: m, beliefs: beliefs}
	for at := range p.Points() {
		if witness.IsCell(at) {
			continue
		}
		is := slices.Contains(starts, at)
		p.At(at).Start = is
		lead := beliefs[at].lead(isStartThere, anything)
		if is {
			// What stands on it is told later.
			lead = m.startLead(beliefs[at])
		} else if lead > 0 {
			continue // beside a clearer one
		}
		certain := m.odds.sureLead(math.Abs(lead))
		if is {
			certain = m.odds.sureMark(lead)
		}
		if err := s.Told(at, certain, "a start circle or none"); err != nil {
			if err := s.Doubt(view.TheStarts, at, err); err != nil {
				return nil, nil, err
			}
		}
	}
	// What has a circle at every third place of its lines is no board: an outlined symbol.
	if 3*len(starts) >= len(beliefs) {
		return nil, nil, view.Unsure(starts[0], "start circles all round: no board")
	}
	for at := range p.Points() {
		if !witness.IsEdge(at) || p.At(at).Start || beliefs[at].lead(func(w meaning) bool { return w.dot }, anything) > 0 {
			continue
		}
		gap, err := s.gapAt(at)
		if err := s.Doubt(view.APlace, at, err); err != nil {
			return nil, nil, err
		}
		p.At(at).Gap = gap
	}
	if err := s.Doubt(view.TheEnds, image.Point{}, s.ends(p, m)); err != nil {
		return nil, nil, err
	}
	if len(starts) == 0 {
		if err := s.Doubt(view.TheStarts, image.Point{}, view.Unsure(image.Point{}, "no start circle")); err != nil {
			return nil, nil, err
		}
	}
	return p, starts, nil
}

// readLines is what was made of a view's lines.
type readLines struct {
	model   *lineModel
	beliefs map[image.Point]*belief
}

// gapAt tells whether an edge without a dot is whole, broken or missing.
func (s *lineReader) gapAt(at image.Point) (witness.Gap, error) {
	b := s.lines.beliefs[at]
	best, lead := witness.Whole, math.Inf(-1)
	for _, gap := range []witness.Gap{witness.Whole, witness.Broken, witness.Missing} {
		l := b.lead(func(w meaning) bool { return w.gap == gap && !w.dot && !w.start }, func(w meaning) bool { return !w.dot })
		if l > lead {
			best, lead = gap, l
		}
	}
	if best != witness.Whole { // and no dot
		lead = b.lead(func(w meaning) bool { return w.gap == best && !w.dot && !w.start }, anything)
	}
	m := s.lines.model
	switch circles := m.circlesAt(at); {
	case circles == 3 && best != witness.Whole && b.longest(best, m.Profile.Board.Gap[1]) > 1-m.circleReach()-m.drawings.step: // no sample of a line is between
		return best, view.Unsure(at, "between two start circles a break, or no edge")
	case circles == 0 && best == witness.Broken && b.explained < m.odds.Explains && !s.SurelyOwn(): // a circle may hide most of one
		return best, view.Unsure(at, "a break that explains %.2f of what it leaves, or what this look does not know: calibrate", b.explained)
	}
	return best, s.Told(at, m.odds.sureLead(lead), "a whole edge, a broken one or none: evidence %.1f for %s", lead, [...]string{"a whole one", "a broken one", "none"}[best])
}

// longest is how long a break is, or the longest one where there is no edge.
func (b *belief) longest(gap witness.Gap, most float64) float64 {
	for _, w := range b.what {
		if gap == witness.Broken && w.gap == gap {
			return w.length
		}
	}
	return most
}

// dotAt is the evidence for a dot at a place against none.
func (s *lineReader) dotAt(at image.Point, start bool) float64 {
	return s.lines.beliefs[at].lead(func(w meaning) bool { return w.dot && w.start == start }, func(w meaning) bool { return !w.dot && w.start == start })
}

// A capSighting is how much a direction from a place is more like an end cap than like none.
type capSighting struct {
	at, dir image.Point
	lead    float64
}

// caps are the ways outwards from places, by what is seen there; clear as in tell.
func (m *lineModel) caps(places []image.Point, clear float64) []capSighting {
	all := make([][]capSighting, len(places))
	vision.SideBySide(len(places), func(i int) {
		for _, d := range m.Outwards(places[i]) {
			m, k, g := m.glanceWay(places[i], d)
			b := m.believe(k, g, clear)
			all[i] = append(all[i], capSighting{places[i], d, b.lead(func(w meaning) bool { return w.cap }, anything)})
		}
	})
	return slices.Concat(all...)
}

// ends finds the end caps and puts them on the panel.
func (s *lineReader) ends(p *witness.Panel, m *lineModel) error {
	var places []image.Point
	for at := range p.Points() {
		if !witness.IsCell(at) && !p.At(at).Start && p.At(at).Gap == witness.Whole && len(s.Outwards(at)) > 0 && (witness.IsEdge(at) || s.Reached(p, at)) {
			places = append(places, at)
		}
	}
	all := m.caps(places, m.odds.Clear)
	seen, next := clearestCaps(all)
	if len(seen) > 0 && seen[0].lead < m.odds.Sure {
		all = m.caps(places, math.Inf(1))
		seen, next = clearestCaps(all)
	}
	if len(seen) == 0 {
		return view.Unsure(image.Point{}, "no end cap")
	}
	// A panel has an end: where there is one at most it is the likeliest, if no other is as
	// likely.
	alone := max(seen[0].lead, seen[0].lead-next)
	if seen[0].lead <= 0 {
		if seen[0].lead < -m.odds.Far || alone < m.odds.HiddenCap {
			return view.Unsure(image.Point{}, "no end cap")
		}
		p.At(seen[0].at).Cap = seen[0].dir
		s.Lower(m.odds.sureLead(alone))
		return nil
	}
	ends := 0
	for i, c := range seen {
		lead := math.Abs(c.lead)
		if i == 0 {
			lead = alone
		}
		if c.lead > 0 {
			p.At(c.at).Cap = c.dir
			ends++
		}
		if err := s.Told(c.at, m.odds.sureLead(lead), "an end cap or none: evidence %.1f", c.lead); err != nil {
			return err
		}
		if bothWays(all, c.at) {
			return view.Unsure(c.at, "an end, or a start circle that this look does not know: calibrate")
		}
	}
	// What is drawn out at every third place of its border is in another look.
	if 3*ends >= len(places) && ends > 2 {
		return view.Unsure(seen[0].at, "end caps all round: lines that this look does not know")
	}
	return nil
}

// bothWays tells whether a corner has something like a cap on both its sides.
func bothWays(all []capSighting, at image.Point) bool {
	level, upright := false, false
	for _, c := range all {
		if c.at == at && c.lead > 0 {
			level, upright = level || c.dir.Y == 0, upright || c.dir.X == 0
		}
	}
	return level && upright
}

// clearestCaps are the likeliest ways of their places, the clearest first: of two caps side
// by side the clearer one, which reaches before the other. next is the lead of the likeliest
// way elsewhere than the first.
func clearestCaps(all []capSighting) (best []capSighting, next float64) {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b capSighting) int { return cmp.Compare(b.lead, a.lead) })
	next = -noEvidence
	for _, c := range all {
		if c.at != all[0].at {
			next = max(next, c.lead)
		}
		if !slices.ContainsFunc(best, func(o capSighting) bool {
			d := o.at.Sub(c.at)
			return o.at == c.at || o.lead > 0 && max(view.Abs(d.X), view.Abs(d.Y)) <= 1
		}) {
			best = append(best, c)
		}
	}
	return best, next
}

// A lineReader reads the lines of a sheet in the game's look.
type lineReader struct {
	*view.View
	cache *lineCache
	lines *readLines // see lattice
	rings sync.Map   // of starts; see ring
}

func newLineReader(s *view.View, cache *lineCache) *lineReader {
	return &lineReader{View: s, cache: cache}
}
