package line

import (
	"cmp"
	"image"
	"math"
	"slices"
	"sync"

	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/witness/decide"
	"onlooker/vision/witness/view"
)

// A Belief is what one place of the lines may show: the evidence for each meaning.
type Belief struct {
	What      []Meaning
	Evidence  []float64
	explained float64 // see explains; of breaks and dots
	Samples   float64 // that were seen, as many as tell each its own
}

// Believe is what a place shows, by the layouts of its kind.
func (m *Model) Believe(k *PlaceKind, g *Glance, clear float64) (b Belief) {
	all, left := m.tell(k, g, clear)
	top := slices.Index(all, slices.Max(all))
	b.explained, b.Samples = math.Inf(1), 3*float64(g.seen)/m.Odds.Samples
	if w := k.Layouts[top].What; w.Dot && !w.Start || w.Gap == witness.Broken {
		b.explained = m.explains(k, g, top, left)
	}
	for i, e := range all {
		w := k.Layouts[i].What
		length, aside := w.Length, w.Aside
		w.Length, w.Aside, w.radius, w.square, w.cable = 0, 0, 0, false, false
		if j := slices.IndexFunc(b.What, w.Same); j < 0 {
			w.Length, w.Aside = length, aside
			b.What, b.Evidence = append(b.What, w), append(b.Evidence, e)
		} else if e > b.Evidence[j] {
			w.Length, w.Aside = length, aside
			b.What[j], b.Evidence[j] = w, e
		}
	}
	return b
}

// Same tells whether two meanings are the same but for sizes and where a dot lies.
func (w Meaning) Same(o Meaning) bool {
	o.Length, o.radius, o.Aside = w.Length, w.radius, w.Aside
	return w == o
}

// Lead is by how much what is best of some meanings leads all others of some.
func (b *Belief) Lead(of, against func(Meaning) bool) float64 {
	own, other := math.Inf(-1), math.Inf(-1)
	for i, w := range b.What {
		if of(w) {
			own = max(own, b.Evidence[i])
		} else if against(w) {
			other = max(other, b.Evidence[i])
		}
	}
	return max(-noEvidence, min(noEvidence, own-other))
}

// Best is what a place likeliest shows.
func (b *Belief) Best() Meaning { return b.What[slices.Index(b.Evidence, slices.Max(b.Evidence))] }

func Anything(Meaning) bool { return true }

func isStartThere(w Meaning) bool { return w.Start }

// Places looks at all places of the lines: at edges as if no circle reached into them,
// and at nodes; then at what lies beside circles again.
func (m *Model) Places(p *witness.Panel) (beliefs map[image.Point]*Belief, starts []image.Point) {
	beliefs = map[image.Point]*Belief{}
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
		if beliefs[at].Lead(Meaning.Plain, Anything) > m.Odds.Sure {
			continue // nothing lies there
		}
		if r := m.lines.Ring(at); r > 0 {
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
		radii = append(radii, beliefs[at].Best().Length)
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
func (m *Model) lookAt(beliefs map[image.Point]*Belief, places []image.Point) {
	all := make([]Belief, len(places))
	vision.SideBySide(len(places), func(i int) {
		var k *PlaceKind
		var g *Glance
		if at := places[i]; witness.IsNode(at) {
			k, g = m.GlanceNode(at)
		} else {
			circles := m.circlesAt(at)
			k = m.EdgeKind(at, circles)
			g = m.GlanceEdge(k.Window, at, circles)
		}
		all[i] = m.Believe(k, g, m.Odds.Clear)
	})
	for i, at := range places {
		beliefs[at] = &all[i]
	}
}

// clearest are the places that look like circles: of two side by side the clearer one.
func clearest(p *witness.Panel, beliefs map[image.Point]*Belief) (starts []image.Point) {
	clear := func(at image.Point) float64 {
		if b := beliefs[at]; b != nil {
			return b.Lead(isStartThere, Anything)
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
func (m *Model) measureBreaks(edges []image.Point, beliefs map[image.Point]*Belief) {
	var lengths []float64
	for _, at := range edges {
		b := beliefs[at]
		if w := b.Best(); w.Gap == witness.Broken && b.Lead(w.Same, Anything) > m.Odds.Sure {
			lengths = append(lengths, w.Length)
		}
	}
	if n := len(lengths); n > 0 {
		m.gap, m.broken = vision.Median(lengths), min(0, math.Log(float64(n)/float64(len(edges)-n+1)))
	}
}

// circlesAt says at which ends of an edge circles are: see EdgeKind.
func (m *Model) circlesAt(at image.Point) (circles int) {
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
func (m *Model) startLead(b *Belief) float64 {
	if math.Abs(math.Log(b.Best().Length/m.radius)) > math.Log(1+view.Faintly) {
		return 0
	}
	return b.Lead(isStartThere, func(w Meaning) bool { return !w.Start })
}

// Lattice reads a view's start circles, edges and ends, and gives the starts.
func (s *Reader) Lattice() (*witness.Panel, []image.Point, error) {
	p := witness.New(s.Board.Cols, s.Board.Rows, s.Board.Pillar)
	m := NewModel(s)
	if m.raw > m.Odds.Noise*m.Contrast() {
		return nil, nil, decide.OddLines.At(image.Point{}, "lines")
	}
	beliefs, starts := m.Places(p)
	s.Lines = &Lines{Model: m, Beliefs: beliefs}
	for at := range p.Points() {
		if witness.IsCell(at) {
			continue
		}
		is := slices.Contains(starts, at)
		p.At(at).Start = is
		lead := beliefs[at].Lead(isStartThere, Anything)
		if is {
			// What stands on it is told later.
			lead = m.startLead(beliefs[at])
		} else if lead > 0 {
			continue // beside a clearer one
		}
		certain := m.Odds.SureLead(math.Abs(lead))
		if is {
			certain = m.Odds.SureMark(lead)
		}
		if err := s.Doubt(s.Told(at, certain, decide.StartOrNone)); err != nil {
			return nil, nil, err
		}
	}
	// What has a circle at every third place of its lines is no board: an outlined symbol.
	if 3*len(starts) >= len(beliefs) {
		return nil, nil, decide.OddLines.At(starts[0], "start circles")
	}
	for at := range p.Points() {
		if !witness.IsEdge(at) || p.At(at).Start || beliefs[at].Lead(func(w Meaning) bool { return w.Dot }, Anything) > 0 {
			continue
		}
		gap, err := s.GapAt(at)
		if err := s.Doubt(err); err != nil {
			return nil, nil, err
		}
		p.At(at).Gap = gap
	}
	if err := s.Doubt(s.ends(p, m)); err != nil {
		return nil, nil, err
	}
	// An end leads away from its node, as in no layout that was looked at.
	m.ended = p
	m.lookAt(beliefs, view.Where(p.Points(), func(at image.Point) bool { return witness.IsNode(at) && !p.At(at).Start && p.At(at).IsEnd() }))
	if len(starts) == 0 {
		if err := s.Doubt(decide.NoStart.At(image.Point{})); err != nil {
			return nil, nil, err
		}
	}
	return p, starts, nil
}

// Lines is what was made of a view's lines.
type Lines struct {
	Model   *Model
	Beliefs map[image.Point]*Belief
}

// GapAt tells whether an edge without a dot is whole, broken or missing.
func (s *Reader) GapAt(at image.Point) (witness.Gap, error) {
	b := s.Lines.Beliefs[at]
	best, lead := witness.Whole, math.Inf(-1)
	for _, gap := range []witness.Gap{witness.Whole, witness.Broken, witness.Missing} {
		l := b.Lead(func(w Meaning) bool { return w.Gap == gap && !w.Dot && !w.Start }, func(w Meaning) bool { return !w.Dot })
		if l > lead {
			best, lead = gap, l
		}
	}
	if best != witness.Whole { // and no dot
		lead = b.Lead(func(w Meaning) bool { return w.Gap == best && !w.Dot && !w.Start }, Anything)
	}
	m := s.Lines.Model
	switch circles := m.circlesAt(at); {
	case circles == 3 && best != witness.Whole && b.longest(best, m.Profile.Board.Gap[1]) > 1-m.circleReach()-m.drawings.step: // no sample of a line is between
		return best, decide.BreakOrNone.At(at)
	case circles == 0 && best == witness.Broken && b.explained < m.Odds.Explains && !s.SurelyOwn(): // a circle may hide most of one
		return best, decide.Unexplained.Under(at, b.explained, m.Odds.Explains, "a break")
	}
	return best, s.Told(at, m.Odds.SureLead(lead), decide.EdgeOrBreak)
}

// longest is how long a break is, or the longest one where there is no edge.
func (b *Belief) longest(gap witness.Gap, most float64) float64 {
	for _, w := range b.What {
		if gap == witness.Broken && w.Gap == gap {
			return w.Length
		}
	}
	return most
}

// DotAt is the evidence for a dot at a place against none.
func (s *Reader) DotAt(at image.Point, start bool) float64 {
	return s.Lines.Beliefs[at].Lead(func(w Meaning) bool { return w.Dot && w.Start == start }, func(w Meaning) bool { return !w.Dot && w.Start == start })
}

// A capSighting is how much a direction from a place is more like an end cap than like none.
type capSighting struct {
	at, Dir image.Point
	Lead    float64
}

// Caps are the ways outwards from places, by what is seen there; clear as in tell.
func (m *Model) Caps(places []image.Point, clear float64) []capSighting {
	all := make([][]capSighting, len(places))
	vision.SideBySide(len(places), func(i int) {
		for _, d := range m.Outwards(places[i]) {
			m, k, g := m.GlanceWay(places[i], d)
			b := m.Believe(k, g, clear)
			all[i] = append(all[i], capSighting{places[i], d, b.Lead(func(w Meaning) bool { return w.Cap }, Anything)})
		}
	})
	return slices.Concat(all...)
}

// ends finds the end caps and puts them on the panel.
func (s *Reader) ends(p *witness.Panel, m *Model) error {
	places := view.Where(p.Points(), func(at image.Point) bool {
		return !witness.IsCell(at) && !p.At(at).Start && p.At(at).Gap == witness.Whole && len(s.Outwards(at)) > 0 && (witness.IsEdge(at) || s.Reached(p, at))
	})
	all := m.Caps(places, m.Odds.Clear)
	seen, next := clearestCaps(all)
	if len(seen) > 0 && seen[0].Lead < m.Odds.Sure {
		all = m.Caps(places, math.Inf(1))
		seen, next = clearestCaps(all)
	}
	if len(seen) == 0 {
		return decide.NoEnd.At(image.Point{})
	}
	// A panel has an end: where there is one at most it is the likeliest, if no other is as
	// likely.
	alone := max(seen[0].Lead, seen[0].Lead-next)
	if seen[0].Lead <= 0 {
		if seen[0].Lead < -m.Odds.Far || alone < m.Odds.HiddenCap {
			return decide.NoEnd.At(image.Point{})
		}
		p.At(seen[0].at).Cap = seen[0].Dir
		s.Lower(m.Odds.SureLead(alone))
		return nil
	}
	ends := 0
	for i, c := range seen {
		lead := math.Abs(c.Lead)
		if i == 0 {
			lead = alone
		}
		if c.Lead > 0 {
			p.At(c.at).Cap = c.Dir
			ends++
		}
		if err := s.Told(c.at, m.Odds.SureLead(lead), decide.EndOrNone); err != nil {
			return err
		}
		if bothWays(all, c.at) {
			return decide.EndOrStart.At(c.at)
		}
	}
	// What is drawn out at every third place of its border is in another look.
	if 3*ends >= len(places) && ends > 2 {
		return decide.EndOrNone.At(seen[0].at)
	}
	return nil
}

// bothWays tells whether a corner has something like a cap on both its sides.
func bothWays(all []capSighting, at image.Point) bool {
	level, upright := false, false
	for _, c := range all {
		if c.at == at && c.Lead > 0 {
			level, upright = level || c.Dir.Y == 0, upright || c.Dir.X == 0
		}
	}
	return level && upright
}

// clearestCaps are the likeliest ways of their places, the clearest first: of two caps side
// by side the clearer one, which reaches before the other. next is the lead of the likeliest
// way elsewhere than the first.
func clearestCaps(all []capSighting) (best []capSighting, next float64) {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b capSighting) int { return cmp.Compare(b.Lead, a.Lead) })
	next = -noEvidence
	for _, c := range all {
		if c.at != all[0].at {
			next = max(next, c.Lead)
		}
		if !slices.ContainsFunc(best, func(o capSighting) bool {
			d := o.at.Sub(c.at)
			return o.at == c.at || o.Lead > 0 && max(view.Abs(d.X), view.Abs(d.Y)) <= 1
		}) {
			best = append(best, c)
		}
	}
	return best, next
}

// A Reader reads the lines of a sheet in the game's look.
type Reader struct {
	*view.View
	Drawings *Cache
	Lines    *Lines   // see lattice
	rings    sync.Map // of starts; see ring
}

func NewReader(s *view.View, cache *Cache) *Reader {
	return &Reader{View: s, Drawings: cache}
}
