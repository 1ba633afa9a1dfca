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
	*look.Model
	Pools map[string]*look.Pool
	// Asked tells which places are to be read, and Whole what panel they are of; nil:
	// all, and the board's own.
	Asked func(image.Point) bool
	Whole func(*witness.Panel) *witness.Panel
}

// NewReader reads by what the board's look has learned.
func NewReader(m *look.Model) *Reader {
	return &Reader{Model: m, Pools: look.PoolsOf(m.Profile)}
}

// measured tells whether no picture of the look was learned: lengths tell then what exemplars do
// otherwise.
func (m *Reader) measured() bool { return len(m.Pools) == 0 }

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

// readStarts finds the start circles. What is like none of a look's edges is no start of theirs:
// what else it is readEdges asks.
func (m *Reader) readStarts(p *witness.Panel) error {
	for at := range m.places(p) {
		if witness.IsCell(at) {
			continue
		}
		yes, err := m.start(at)
		if err != nil && (witness.IsNode(at) || m.measured()) {
			return err
		}
		if err == nil && yes {
			p.At(at).Start = true
			m.Model.Lines.Radius[at] = m.Model.Lines.Cover(at, true)
		}
	}
	if len(view.Where(m.places(p), func(at image.Point) bool { return p.At(at).Start })) == 0 {
		return decide.NoStart.At(image.Point{})
	}
	return nil
}

// start tells whether a place is most like those with a start circle or like those without: by what is round it, by its middle, or by both, whichever is surest.
func (m *Reader) start(at image.Point) (bool, error) {
	if m.measured() {
		yes, sure := m.Model.Is(look.DivideStart, m.Model.Lines.StartReach(at))
		return yes, m.Told(at, sure, decide.StartOrNone)
	}
	round, middle := m.Model.Places.StartLook(at), m.Model.Places.DotLook(at)
	label, most := "", 0.0
	for i, a := range []look.Appearance{round, middle, slices.Concat(round, middle)} {
		if o := m.Pools[look.StartPools(at)[i]]; o != nil {
			if is, sure := o.Tell(a); sure > most {
				label, most = is, sure
			}
		}
	}
	return label == look.SeenThere, m.Told(at, most, decide.Unseen, "place", label)
}

// readEdges tells whole, broken and missing edges apart.
func (m *Reader) readEdges(p *witness.Panel) error {
	for at := range m.places(p) {
		if !witness.IsEdge(at) || p.At(at).Start {
			continue
		}
		if m.measured() {
			if err := m.measuredEdge(p, at); err != nil {
				return err
			}
			continue
		}
		a, pool := m.Model.Places.EdgeLook(at)
		label, err := m.likest(at, pool, a, "edge")
		if err != nil {
			return err
		}
		m.setEdge(p, at, label)
	}
	return nil
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
		// An end that is known goes into the board: see setEdge.
		if q.IsEnd() || witness.IsCell(at) || q.Start || witness.IsNode(at) && !m.Reached(p, at) || witness.IsEdge(at) && q.Gap != witness.Whole {
			continue
		}
		if m.measured() {
			dir, err := m.measuredEnd(at)
			if err != nil {
				return err
			}
			q.Cap = dir
			continue
		}
		for _, w := range m.Model.Places.Ways(at) {
			label, err := m.likest(at, w.Pool, w.Seen, "way out")
			switch {
			case err != nil:
				return err
			case label == look.SeenThere && q.IsEnd():
				return decide.EndWays.At(at)
			case label == look.SeenThere:
				q.Cap = w.Dir
			}
		}
	}
	if len(view.Where(m.places(p), func(at image.Point) bool { return p.At(at).IsEnd() })) == 0 {
		return decide.NoEnd.At(image.Point{})
	}
	return nil
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
	if p.Symmetry = witness.SymmetryOf(p); m.Whole != nil {
		p.Symmetry = witness.SymmetryOf(m.Whole(p))
	}
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
	if m.measured() {
		yes, sure := m.Model.Is(look.DivideDot, m.Model.Lines.DotCore(at).Dist(m.Model.Lines.LineInk(at))/m.Contrast())
		return yes, m.Told(at, sure, decide.DotOrNone)
	}
	if start {
		label, err := m.likest(at, look.PoolOn, m.Model.Places.DotLook(at), "start circle")
		return label == look.SeenThere, err
	}
	if witness.IsEdge(at) {
		a, pool := m.Model.Places.EdgeLook(at)
		label, err := m.likest(at, pool, a, "edge")
		return label == look.SeenDot, err
	}
	label, err := m.likest(at, look.PoolDot, m.Model.Places.DotLook(at), "node")
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
		list = slices.DeleteFunc(slices.Clone(list), func(o look.Candidate) bool {
			return slices.ContainsFunc(list, func(by look.Candidate) bool { return denied(o, by) })
		})
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
		// The colour alone may say which: both were seen in one each, and this is the best one's.
		known, one, other := m.Model.Known, best.Symbol.Kind, o.Symbol.Kind
		told := known.Marked(one) && known.Marked(other) && known.SeenIn(one, colour) && !known.SeenIn(other, colour)
		unlike := o.LeastSeen > view.Tuned.Recognised && fits && best.Times() > view.Tuned.Unusual && !told
		if evidence(o) < view.Tuned.Evidence || unlike {
			return nil, decide.Symbols.At(v.At, witness.SymbolName(best.Symbol), witness.SymbolName(o.Symbol))
		}
	}
	if known := m.Model.Known; !known.Exact && !slices.ContainsFunc(list, func(o look.Candidate) bool {
		return witness.SameMeaning(o.Symbol, best.Symbol) && o.Known(known.Lacks)
	}) && (best.LeastSeen > 0 || best.Symbol.Kind.IsPiece() || math.IsInf(known.Nearest(best.Symbol.Kind, colour), 1)) { // else it is another number or way of a sort that was seen
		return nil, decide.Unseen.At(v.At, "symbol", witness.SymbolName(best.Symbol))
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
