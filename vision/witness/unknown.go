package witness

import (
	"image"
	"math"
	"slices"

	"onlooker/calibrations"
	"onlooker/solve/witness"
	"onlooker/vision"
	drawing "onlooker/vision/picture/witness"
)

// modelOf is the picture model of a board that was measured before and of which it is
// known what it shows.
func modelOf(s *sheet, look *calibrations.Profile, drawn drawing.Forms, p *witness.Panel) *model {
	m := &model{
		sheet: s, tune: tuned, bleed: tuned.BleedPixels / s.b.ScreenPitch,
		known: templatesOf(look, drawn), pools: poolsOf(look), radius: map[image.Point]float64{}, dotted: map[image.Point]float64{},
	}
	m.covered(p)
	return m
}

// covered notes what circles and dots cover.
func (m *model) covered(p *witness.Panel) {
	for at := range p.Points() {
		if p.At(at).Start {
			m.radius[at] = m.cover(at)
		} else if p.At(at).Dot.On {
			m.dotted[at] = m.cover(at)
		}
	}
}

// unknown says which place of a panel that was read does not look like what it was
// read as: a client's shape that is none of the look's is read as the nearest of
// these otherwise, a dot as a break, and what is outlined in the ground's colour as
// nothing. Only a view on which nothing is drawn and nothing lies tells this.
func (m *model) unknown(p *witness.Panel) error {
	var cells []image.Point
	for at := range p.Points() {
		if witness.IsCell(at) {
			cells = append(cells, at)
		} else if err := m.unknownLine(p, at); err != nil {
			return err
		}
	}
	fails, strong, alone := make([]error, len(cells)), make([]float64, len(cells)), make([]bool, len(cells))
	vision.SideBySide(len(cells), func(i int) {
		v := m.view(cells[i])
		strong[i], alone[i], fails[i] = v.strong/m.contrast(), v.alone(), m.unknownSymbol(v, p.At(cells[i]).Symbol)
	})
	var usual []float64 // of empty cells: light falls into those of some boards
	for i, at := range cells {
		if p.At(at).Kind == witness.NoSymbol {
			usual = append(usual, strong[i])
		}
	}
	most := max(m.tune.OddCell, 1.5*vision.Median(usual))
	for i, at := range cells {
		if fails[i] != nil {
			return fails[i]
		}
		// What shines on a cell goes on beyond its rim.
		if p.At(at).Kind == witness.NoSymbol && strong[i] > most && alone[i] {
			return unsure(at, "an empty cell, or a symbol that this look does not know, %.2f of the contrast: calibrate", strong[i])
		}
	}
	return nil
}

// unknownLine is unknown for an edge or a node.
func (m *model) unknownLine(p *witness.Panel, at image.Point) error {
	q := p.At(at)
	if q.Start || witness.IsNode(at) && !m.reached(p, at) {
		return nil
	}
	if witness.IsNode(at) {
		odd := m.patch(float64(at.X), float64(at.Y), m.tune.DotCore*2*m.line).Dist(m.lineInk(at)) / m.contrast()
		if !q.Dot.On && odd > m.tune.OddLine {
			return unsure(at, "something on a node that this look does not know, %.2f of the contrast: calibrate", odd)
		}
		return nil
	}
	if q.Gap != witness.Broken {
		return nil
	}
	v := m.edgeView(at, func(n image.Point) float64 { return 2 * m.line * m.radius[n] })
	if v.depth < m.tune.LeastBreak {
		return unsure(at, "a break that this look does not know, %.2f gone: calibrate", v.depth)
	}
	return nil
}

// alone tells whether what differs from the ground by nearly as much as the most does
// not reach the cell's rim.
func (v *cellView) alone() bool {
	for k, d := range v.off.V {
		far := max(math.Abs(offset(k%cellSide)), math.Abs(offset(k/cellSide)))
		if float64(d) > 0.8*v.strong && far > 0.9*v.inner && far <= v.inner {
			return false
		}
	}
	return true
}

// unknownSymbol is unknown for what a cell was read to hold.
func (m *model) unknownSymbol(v *cellView, symbol witness.Symbol) error {
	if symbol.Kind == witness.NoSymbol || m.look.Symbols.Loose { // of no size that is known
		return nil
	}
	list, err := m.known.candidates(v, m.tune.Slack)
	if err != nil {
		return err
	}
	m.known.weigh(list, v, m.tune)
	k := slices.IndexFunc(list, func(c candidate) bool { return sameMeaning(c.symbol, symbol) })
	if k < 0 || list[k].score < m.tune.LeastLike {
		return unsure(v.at, "a symbol that this look does not know, most like %s: calibrate", kindName(symbol.Kind))
	}
	for _, c := range list {
		if lead := c.misfit - list[k].misfit; !sameMeaning(c.symbol, symbol) && lead < m.tune.OwnLead {
			return unsure(v.at, "a symbol that this look does not know, %.2f like %s and %.2f like %s: calibrate", list[k].score, kindName(symbol.Kind), c.score, kindName(c.symbol.Kind))
		}
	}
	return nil
}
