package check

import (
	"cmp"
	"errors"
	"image"
	"math"
	"slices"
	"sync"

	"onlooker/calibrations"
	witness "onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	"onlooker/vision"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/bank"
	"onlooker/vision/witness/cell"
	"onlooker/vision/witness/colour"
	"onlooker/vision/witness/decide"
	"onlooker/vision/witness/look"
	"onlooker/vision/witness/shape"
	"onlooker/vision/witness/view"
)

// A Checker lays what was read of a board against the look's templates.
type Checker struct {
	*view.View
	Model *look.Model
	every func() *look.Library // the templates of all symbols, where the model has those of what was read
	read  *cell.Reader
	seen  []sight // see sights
}

// New is for a board that was measured before and of which it is known what it
// shows.
func New(s *cell.Reader, cache *look.Cache, profile *calibrations.Profile, drawn drawing.Forms, p *witness.Panel) *Checker {
	// The templates are drawn, and sharp; what is seen is not. Mostly those of what was read
	// are enough.
	sharp, sigma := cache.LibraryOf(profile, drawn), view.Tuned.BlurPixels*look.CellSide/s.Board.ScreenPitch
	m := look.Of(s.View, 0, sharp.Only(func(kind witness.Kind) bool { return look.Holds(p, kind) }).BlurredBy(sigma))
	m.Lines.Covered(p)
	return &Checker{View: m.View, Model: m, every: sync.OnceValue(func() *look.Library { return sharp.BlurredBy(sigma) }), read: s}
}

// Empties are how sure it is of each of some cells that it is like no symbol.
func (m *Checker) Empties(cells []image.Point) ([]float64, error) {
	empties, errs := make([]float64, len(cells)), make([]error, len(cells))
	vision.SideBySide(len(cells), func(k int) { empties[k], errs[k] = m.looksEmpty(cells[k]) })
	return empties, errors.Join(errs...)
}

// Unknown says which place of a panel that was read does not look like what it was
// read as: a client's shape that is none of the look's is read as the nearest of
// these otherwise, a dot as a break, and what is outlined in the ground's colour as
// nothing. Only a view on which nothing is drawn tells this.
func (m *Checker) Unknown(p *witness.Panel) error {
	least := m.LeastStart(p)
	if err := cmp.Or(BesideBorder(m.Model, p), look.DotsAllRound(p), m.unknownStart(p, least)); err != nil {
		return err
	}
	for at := range p.Points() {
		if witness.IsCell(at) {
			continue
		}
		if err := cmp.Or(m.unknownLine(p, at), m.unknownBreak(p, at), m.unknownEnd(p, at, least)); err != nil {
			return err
		}
	}
	views := m.sights(p)
	fails, strong, alone, explained := make([]error, len(views)), make([]float64, len(views)), make([]bool, len(views)), make([]bool, len(views))
	vision.SideBySide(len(views), func(i int) {
		v := &views[i]
		strong[i], alone[i] = v.Strong/m.Contrast(), v.Alone()
		explained[i], fails[i] = m.unknownSymbol(v, p.At(v.At).Symbol)
	})
	var usual []float64 // of empty cells: light falls into those of some boards
	for i := range views {
		if p.At(views[i].At).Kind == witness.NoSymbol {
			usual = append(usual, strong[i])
		}
	}
	// An empty cell shows 0.14 at most where no light falls, 0.32 where it does, and one that is
	// none 0.23; where most of those that were read as empty show as much as symbols do, these
	// are none.
	most := max(view.Slightly, min(1.5*vision.Median(usual), 0.5))
	known := explainedLabels(p, views, explained)
	for i := range views {
		at := views[i].At
		// What a reflection lies on is seen in part: others that are the same tell of it.
		if fails[i] != nil && !(m.read.Stains.Glared[at] && known[forms.SymbolLabel(p.At(at).Symbol)]) {
			return fails[i]
		}
		if p.At(at).Kind != witness.NoSymbol {
			continue
		}
		if err := m.faintSymbol(views[i].Cell); err != nil {
			return err
		}
		// What shines on a cell goes on beyond its rim; a pointer leaves its rim in a cell.
		if alone[i] && !m.underDisc(at) {
			if err := decide.EmptyOrFaint.Over(at, strong[i], most); err != nil {
				return err
			}
		}
	}
	if err := m.onUneven(p, views, explained); err != nil {
		return err
	}
	return m.unlikeOthers(p, views, explained)
}

// underDisc tells whether a pointer reaches into a cell.
func (m *Checker) underDisc(cell image.Point) bool {
	half := float64(m.Board.Pitch) / 2
	x, y := float64(m.Board.Margin)+half*float64(cell.X), float64(m.Board.Margin)+half*float64(cell.Y)
	return slices.ContainsFunc(m.Discs, func(d view.Disc) bool { return math.Hypot(x-d.X, y-d.Y) < max(d.R, d.Ring)+half })
}

// Own tells whether the look's templates are like more of a panel's symbols than they are not, and
// than cells are in doubt.
func (m *Checker) Own(p *witness.Panel) bool {
	own, other := 0, 0
	for _, v := range m.sights(p) {
		switch {
		case len(v.own) > 0 && v.own[0].Score >= view.Tuned.KnownLike:
			own++
		case p.At(v.At).Kind != witness.NoSymbol || m.read.Doubts.Places[v.At] != nil:
			other++
		}
	}
	return own > other
}

// faintSymbol is unknown for a cell that was read as empty and shows, far above the noise of
// its ground, what is like a symbol's template and has a border, as light has none. Light
// falls into hollow cells in many ways.
func (m *Checker) faintSymbol(v *look.Cell) error {
	if v.Hidden || m.read.Stains.Relief != nil || v.Strong < view.Tuned.AboveGrain*max(1, v.Grain) || m.read.Border(v.At) < view.Tuned.FaintBorder {
		return nil
	}
	like, err := m.likeness(v)
	if err == nil && like >= view.Tuned.Recognised {
		err = decide.EmptyOrFaint.At(v.At)
	}
	return err
}

// explainedLabels are the symbols of which a cell is explained by the look's template.
func explainedLabels(p *witness.Panel, views []sight, explained []bool) map[forms.Label]bool {
	known := map[forms.Label]bool{}
	for i, v := range views {
		if explained[i] {
			known[forms.SymbolLabel(p.At(v.At).Symbol)] = true
		}
	}
	return known
}

// onUneven is unknown for symbols on an uneven ground in cells large enough for their
// outlines to be seen: but of pieces, where the look's template explains another of the
// kind it is light that lies on these.
func (m *Checker) onUneven(p *witness.Panel, views []sight, explained []bool) error {
	if m.Board.ScreenPitch < view.Tuned.LeastPitch {
		return nil
	}
	known := explainedLabels(p, views, explained)
	for _, v := range views {
		symbol := p.At(v.At).Symbol
		if symbol.Kind == witness.NoSymbol || v.Hidden || m.quiet(v.Cell) || known[forms.SymbolLabel(symbol)] && !symbol.Kind.IsPiece() {
			continue
		}
		if v.err != nil {
			return v.err
		}
		if len(v.own) == 0 {
			continue
		}
		best, err := m.bestSize(v.Cell, m.Model.Known, v.own[0], view.Tuned.Explained)
		if err != nil {
			return err
		}
		if err := m.unknownOutline(v.Cell, best); err != nil {
			return err
		}
	}
	return nil
}

// unlikeOthers is unknown for a symbol that is less like the others on the board that
// were read as the same than these are like each other, where the look's template does
// not explain them: the look is another, and the symbol a shape of its own.
func (m *Checker) unlikeOthers(p *witness.Panel, views []sight, explained []bool) error {
	kinds := map[forms.Label][]int{}
	var order []forms.Label
	for i, v := range views {
		if q := p.At(v.At).Symbol; q.Kind != witness.NoSymbol && !v.Hidden {
			l := forms.SymbolLabel(q)
			if kinds[l] == nil {
				order = append(order, l)
			}
			kinds[l] = append(kinds[l], i)
		}
	}
	for _, l := range order {
		of := kinds[l]
		// Where most are as the look has them what is odd is light on one of them, or what
		// lies there. Of two nobody tells which is the odd one, or how unlike they may be.
		if own := slices.DeleteFunc(slices.Clone(of), func(i int) bool { return !explained[i] }); len(of) < 3 || 2*len(own) > len(of) {
			continue
		}
		masks := make([]vision.Map, len(of))
		sum := vision.NewMap(look.CellSide, look.CellSide)
		for k, i := range of {
			masks[k] = views[i].Mask()
			for j, v := range masks[k].V {
				sum.V[j] += v
			}
		}
		left := make([]float64, len(of)) // what the others do not explain
		for k, i := range of {
			others := vision.NewMap(look.CellSide, look.CellSide)
			for j, v := range masks[k].V {
				others.V[j] = sum.V[j] - v
			}
			c := look.Correlation(views[i].Cell, masks[k], others, view.Tuned.Slack)
			left[k] = 1 - c.Score*c.Score + view.Tuned.LearnedNoise()
		}
		usual := vision.Median(left)
		for k, i := range of {
			if !explained[i] && left[k] > view.Tuned.Unusual*usual {
				return decide.NoSymbol.At(views[i].At, witness.SymbolName(p.At(views[i].At).Symbol))
			}
		}
	}
	return nil
}

// BesideBorder is unknown for what lies a line's width outside the border: where no
// circle and no end is nothing of the lines' colour is as wide as a line. What is there
// all the same is a circle or an end beside where the board was taken to be, or one that
// stands out little from what is as dark as the lines.
func BesideBorder(m *look.Model, p *witness.Panel) error {
	known := view.Where(p.Points(), func(at image.Point) bool { return p.At(at).Start || p.At(at).IsEnd() })
	w, h := 2*m.Board.Cols, 2*m.Board.Rows
	out := 2 * m.LineWidth
	const steps = 16 // to a half-cell
	beyond := int(out / 2 * steps)
	for _, side := range []struct {
		from, along, out image.Point
		length           int
	}{
		{image.Pt(0, 0), image.Pt(1, 0), image.Pt(0, -1), w}, {image.Pt(0, h), image.Pt(1, 0), image.Pt(0, 1), w},
		{image.Pt(0, 0), image.Pt(0, 1), image.Pt(-1, 0), h}, {image.Pt(w, 0), image.Pt(0, 1), image.Pt(1, 0), h},
	} {
		var off []float64      // how far what is seen is off the lines' colour
		var free []image.Point // the place of the border beside each, one where something is known there
		for k := -beyond; k <= side.length*steps+beyond; k++ {
			d := float64(k) / steps
			x, y := float64(side.from.X)+d*float64(side.along.X)+out*float64(side.out.X), float64(side.from.Y)+d*float64(side.along.Y)+out*float64(side.out.Y)
			at := side.from.Add(side.along.Mul(max(0, min(int(d+0.5), side.length))))
			for _, o := range known {
				if math.Hypot(x-float64(o.X), y-float64(o.Y)) < view.Tuned.MostCover*out {
					at = image.Pt(-1, -1)
				}
			}
			for o, far := range m.Lines.Dotted { // large dots reach out as well
				if math.Hypot(x-float64(o.X), y-float64(o.Y)) < (far+0.5)*out {
					at = image.Pt(-1, -1)
				}
			}
			off, free = append(off, m.At(x, y).Dist(m.Board.Ink)/m.Contrast()), append(free, at)
		}
		run := 0
		for k := range off {
			// What is usual there, within a pitch and a half: a landscape is darker below.
			usual := vision.Median(slices.Clone(off[max(0, k-3*steps):min(len(off), k+3*steps+1)]))
			if run++; free[k].X < 0 || usual < view.Slightly || off[k] > min(view.Clearly, usual/2) {
				run = 0
			}
			if float64(run)/steps > out/2 {
				return decide.BesideBorder.At(free[k])
			}
		}
	}
	if !m.Board.Round() && !slices.ContainsFunc(slices.Collect(p.Points()), func(at image.Point) bool { return bordered(m, p, at) }) {
		return decide.OddLines.At(image.Point{}, "lines that nothing parts from what is round the board")
	}
	return nil
}

// bordered tells whether a place is an outer edge that ends outwards, at a ground or an outline.
// Where none does what is round the board has the lines' colour, and no circle or end is seen there.
func bordered(m *look.Model, p *witness.Panel, at image.Point) bool {
	if !witness.IsEdge(at) || p.At(at).Gap == witness.Missing {
		return false
	}
	for _, way := range view.Ways {
		if to := at.Add(way); p.At(to) != nil {
			continue
		}
		for out := 0.0; out < 2*m.LineWidth; out += 2 / float64(m.Board.Pitch) {
			if m.At(float64(at.X)+out*float64(way.X), float64(at.Y)+out*float64(way.Y)).Dist(m.Board.Ink) > view.Slightly*m.Contrast() {
				return true
			}
		}
	}
	return false
}

// unknownEnd is unknown for an end that may be a start circle: of one that is little wider
// than the lines they hide all but what lies outside the border. least is how far the panel's
// smallest reaches.
func (m *Checker) unknownEnd(p *witness.Panel, at image.Point, least float64) error {
	if q := p.At(at); q.IsEnd() && m.Model.Lines.LikeCircle(at, q.Cap, least) {
		return decide.EndOrStart.At(at)
	}
	return nil
}

// LeastStart is how far, in line widths, the smallest start circle of a panel reaches; infinite
// without any.
func (m *Checker) LeastStart(p *witness.Panel) float64 {
	least := math.Inf(1)
	for _, at := range look.Starts(p) {
		least = min(least, m.Model.Lines.StartReach(at))
	}
	return least
}

// unknownStart is unknown for what is no start and reaches as far about a place of the
// lines as the least of the panel's starts does.
func (m *Checker) unknownStart(p *witness.Panel, least float64) error {
	if len(m.Discs) > 0 { // it may hide how far the circles reach
		return nil
	}
	for at := range p.Points() {
		q := p.At(at)
		if witness.IsCell(at) || q.Start || q.Dot.On || q.IsEnd() || q.Gap != witness.Whole {
			continue
		}
		if err := decide.StartOrNone.Over(at, m.Model.Lines.StartReach(at), least-look.ReachStep/2); err != nil {
			return err
		}
	}
	return nil
}

// unknownLine is unknown for an edge or a node whose middle is not the lines' colour, where
// nothing was read there.
func (m *Checker) unknownLine(p *witness.Panel, at image.Point) error {
	q := p.At(at)
	if q.Start || q.Dot.On || q.Gap != witness.Whole || witness.IsNode(at) && !m.Reached(p, at) {
		return nil
	}
	core := m.Model.Lines.DotCore(at)
	odd := core.Dist(m.Model.Lines.LineInk(at)) / m.Contrast()
	err := decide.DotOrNone.Over(at, odd, view.Clearly)
	if err != nil && witness.IsEdge(at) && m.read.Lines.Pulsed(look.Starts(p), at, core) {
		return nil
	}
	return err
}

// unknownBreak is unknown for a break that is shorter at both of the line's borders than along
// its middle: a dot of the ground's colour, of 0.64 of its length at most; breaks have 0.97 at
// least.
func (m *Checker) unknownBreak(p *witness.Panel, at image.Point) error {
	if p.At(at).Gap != witness.Broken || m.Board.ScreenPitch < view.Tuned.LeastPitch {
		return nil
	}
	ux, uy := witness.EdgeDirection(at)
	gone := m.Model.Lines.Gone(m.Model.Lines.LineInk(at), m.Model.Lines.GroundsBeside(at))
	var length [3]int // samples about the middle of which nothing is left: at one border, in the middle, at the other
	for k, off := range []float64{-0.36, 0, 0.36} {
		x, y := float64(at.X)+2*m.LineWidth*off*uy, float64(at.Y)+2*m.LineWidth*off*ux
		for _, way := range []float64{-1, 1} {
			for d := 0.0; d < 1 && gone(m.At(x+way*d*ux, y+way*d*uy)) > 0.5; d += 1 / view.Tuned.EdgeSamples {
				length[k]++
			}
		}
	}
	if float64(max(length[0], length[2])) < view.Mostly*float64(length[1]) {
		return decide.DotOrBreak.At(at)
	}
	return nil
}

// unknownSymbol is unknown for what a cell was read to hold, and whether its template
// explains all that is seen.
func (m *Checker) unknownSymbol(seen *sight, symbol witness.Symbol) (explained bool, err error) {
	v, own := seen.Cell, seen.own
	if symbol.Kind == witness.NoSymbol || seen.err != nil {
		return false, seen.err
	}
	if len(own) > 0 && m.quiet(v) {
		if err := m.unknownShape(v, own[0], symbol.Colour); err != nil {
			return false, err
		}
	}
	if m.Profile.Loose { // of no size that is known
		return false, nil
	}
	if len(own) > 0 && own[0].Score >= view.Tuned.Explained {
		return true, nil // whatever else it may be like
	}
	list := m.every().Candidates(v, view.Tuned.Slack, symbol)
	m.every().Weigh(list, v)
	k := slices.IndexFunc(list, func(c look.Candidate) bool { return witness.SameMeaning(c.Symbol, symbol) })
	if k < 0 || list[k].Score < view.Strongly {
		return false, decide.NoSymbol.At(v.At, symbol.Kind.Called())
	}
	best := list[k]
	if best.Score >= view.Tuned.Explained {
		return true, nil
	}
	k = slices.IndexFunc(list, func(c look.Candidate) bool { return !witness.SameMeaning(c.Symbol, symbol) }) // the best first
	if k < 0 || list[k].Misfit-best.Misfit >= -view.Tuned.Evidence {
		return false, nil
	}
	// Where cells are so small that shapes blur it may be another size, or twice as blurred,
	// that tells them apart: of 25 drawn boards of cells of 20 to 30 pixels that were refused
	// 13 are right then, and none wrong; one would be whose best is less than KnownLike.
	if m.Board.ScreenPitch < view.Tuned.LeastPitch {
		for _, known := range []*look.Library{m.Model.Known, m.Model.Known.Softer()} {
			if best, err = m.bestSize(v, known, best, view.Tuned.Explained); err != nil {
				return false, err
			}
		}
	}
	if best.Score < view.Tuned.KnownLike || list[k].Unexplained()-best.Unexplained() < -view.Tuned.Evidence {
		return false, decide.Symbols.At(v.At, symbol.Kind.Called(), list[k].Symbol.Kind.Called())
	}
	return false, nil
}

// quiet tells whether a symbol lies on an even ground.
// On captures into whose cells light falls it is 0.07 and more.
func (m *Checker) quiet(v *look.Cell) bool { return v.Grain <= view.Hardly*v.Strong }

// unknownShape is unknownSymbol for what is told by a symbol alone, whatever its size and
// in all ways up, where it lies on an even ground: how like its template it is, whether it
// has one colour, and what its outline tells.
func (m *Checker) unknownShape(v *look.Cell, own look.Candidate, tint witness.Colour) error {
	own, err := m.bestSize(v, m.Model.Known, own, view.Tuned.KnownLike)
	if err != nil {
		return err
	}
	what := own.Symbol.Kind.Called()
	if own.Score < view.Tuned.KnownLike && m.glowing(v, own) < view.Tuned.Explained {
		return decide.NoSymbol.Under(v.At, own.Score, view.Tuned.KnownLike, what)
	}
	if read, ok := colour.ParseRGB(string(tint)); ok {
		if c := v.Colour(&own); c.Dist(read) > view.Tuned.OffColour*read.Dist(v.Ground) {
			return decide.OneColour.At(v.At, tint, colour.Hex(c))
		}
	}
	return m.unknownOutline(v, own)
}

// glowing is the correlation of what a cell shows with a symbol's template and what
// glows round it, the template blurred: both together, as strong as fits best. 0 where
// one or the other takes away.
func (m *Checker) glowing(v *look.Cell, own look.Candidate) float64 {
	glow := shape.BlurMap(own.Mask, view.Tuned.Glow*look.CellSide)
	var seen, sharp, round []float64
	for k, d := range v.Off.V {
		i, j := k%look.CellSide, k/look.CellSide
		x, y := i-own.Off.X, j-own.Off.Y
		if max(math.Abs(look.Offset(i)), math.Abs(look.Offset(j))) < v.Inner && min(x, y) >= 0 && max(x, y) < look.CellSide {
			seen, sharp, round = append(seen, float64(d)), append(sharp, float64(own.Mask.V[y*look.CellSide+x])), append(round, float64(glow.V[y*look.CellSide+x]))
		}
	}
	ss, rr, sr := covariance(sharp, sharp), covariance(round, round), covariance(sharp, round)
	vs, vr, vv := covariance(seen, sharp), covariance(seen, round), covariance(seen, seen)
	shares, ok := vision.Solve([][]float64{{ss, sr, vs}, {sr, rr, vr}}, 1e-9)
	if !ok || vv <= 0 || min(shares[0], shares[1]) <= 0 {
		return 0
	}
	return math.Sqrt((shares[0]*vs + shares[1]*vr) / vv)
}

// covariance is that of two lists of numbers, as long as each other, times their length.
func covariance(a, b []float64) (sum float64) {
	var ma, mb float64
	for k := range a {
		ma, mb = ma+a[k]/float64(len(a)), mb+b[k]/float64(len(a))
	}
	for k := range a {
		sum += (a[k] - ma) * (b[k] - mb)
	}
	return sum
}

// bestSize is the symbol's template, of some, in the size and the way up that is most like what a
// cell shows, or one that is enough like it.
func (m *Checker) bestSize(v *look.Cell, known *look.Library, own look.Candidate, enough float64) (look.Candidate, error) {
	turns := []float64{0}
	if form, ok := m.Forms.Of(own.Symbol.Kind); ok && form.Turns != nil {
		turns = form.Turns
	}
	for _, k := range cell.LooseSizes() {
		for _, turn := range turns {
			if own.Score >= enough {
				break
			}
			if other := known.Matched(known.Resized(k, turn).Of(own.Symbol), v, view.Tuned.Slack); other[0].Score > own.Score {
				own = other[0]
			}
		}
	}
	return own, nil
}

// unknownOutline is unknown for a symbol whose outline does not go out and in as its
// template's does, or that its template does not explain and that is another one's shape. A
// square's template explains a star of twelve points to 0.97; in small cells outlines blur.
func (m *Checker) unknownOutline(v *look.Cell, own look.Candidate) error {
	explained := own.Score >= view.Tuned.Explained
	if explained && (own.Symbol.Kind != witness.Square || m.Board.ScreenPitch < view.Tuned.LeastPitch) {
		return nil
	}
	// Squares of drawn boards have 0.5, stars of eight points and turned ones of four that were
	// read as squares 0.03 at most.
	if err := decide.NoSymbol.Under(v.At, m.swingsLike(v.At, own), view.Clearly, own.Symbol.Kind.Called()); err != nil || explained {
		return err
	}
	return m.otherShape(v, own)
}

// otherShape is unknown for a piece that a longer one drawn smaller, or a generic shape, explains
// better by far than its template: two triangles one above the other are much like two squares.
func (m *Checker) otherShape(v *look.Cell, own look.Candidate) error {
	if !own.Symbol.Kind.IsPiece() {
		return nil
	}
	list := m.Model.Known.Matched(m.Model.Known.Smaller(v), v, view.Tuned.Slack)
	if len(list) > 0 && own.Unexplained()-list[0].Unexplained() > view.Tuned.Evidence {
		return decide.Symbols.At(v.At, witness.SymbolName(own.Symbol), witness.SymbolName(list[0].Symbol))
	}
	if m.Board.ScreenPitch < view.Tuned.LeastPitch {
		return nil
	}
	fig, ok := bank.FigureOf(m.Model, v, v.Strong, false)
	if !ok {
		return nil
	}
	g := bank.Shapes()
	scores, err := g.Matched(fig)
	if err != nil {
		return err
	}
	alike := sync.OnceValues(func() (float64, error) { return m.alikeAs(fig, own) })
	noise := view.Tuned.LearnedNoise()
	for i, o := range g.All {
		if o.Symbol.Kind == witness.Square || scores[i] < view.Nearly {
			continue
		}
		like, err := alike()
		if err != nil {
			return err
		}
		if look.MisfitOf(like, noise)-look.MisfitOf(scores[i], noise) > view.Tuned.Evidence {
			return decide.Symbols.At(v.At, "a piece", witness.SymbolName(o.Symbol))
		}
	}
	return nil
}

// alikeAs is how like a symbol's template a figure is where both are seen as generic shapes
// are: about their middles, and as large as each other. It is no less than how like it is in
// the cell, where the template's size counts.
func (m *Checker) alikeAs(fig *bank.Figure, own look.Candidate) (float64, error) {
	form, ok := m.Forms.Of(own.Symbol.Kind)
	if !ok {
		return own.Score, nil
	}
	mask := shape.BlurMap(bank.NormalForm(shape.Drawn(form.Parts(&m.Sizes, own.Symbol), 1, 0)), fig.Sigma)
	return max(own.Score, vision.Match(fig.Norm, []vision.Map{mask})[0].Score), nil
}

// swingsLike is how alike the outline of what stands in a cell and that of a symbol's
// template go out and in; 1 of pieces, which are made of squares.
func (m *Checker) swingsLike(cell image.Point, own look.Candidate) float64 {
	var circles []image.Point
	for at := range m.Model.Lines.Radius {
		circles = append(circles, at)
	}
	st, err := m.read.Stains.Stain(cell, circles)
	if err != nil || st == nil || own.Symbol.Kind.IsPiece() {
		return 1
	}
	drawn := make([]float64, len(own.Mask.V))
	for k, c := range own.Mask.V {
		drawn[k] = float64(c)
	}
	w := shape.ContourOf(st.Cover, st.N)
	return w.Like(shape.ContourOf(drawn, look.CellSide))
}

// likeness is the correlation of what a cell shows with the symbol's template that it
// is most like; 0 of one of which circles leave nothing to see.
func (m *Checker) likeness(v *look.Cell) (float64, error) {
	if v.Hidden {
		return 0, nil
	}
	list := m.every().Candidates(v, view.Tuned.Slack)
	if len(list) == 0 {
		return 0, nil
	}
	return list[0].Score, nil // the best first
}

// looksEmpty is how sure it is that a cell is like no symbol.
func (m *Checker) looksEmpty(cell image.Point) (float64, error) {
	likeness, err := m.likeness(m.Model.Cells.CellAt(cell))
	empty := view.Sure(likeness, view.Tuned.FaintLike, view.Strongly)
	if err != nil || empty < m.Profile.Board.Confidence {
		return empty, err
	}
	// A piece may cover so much of where the ground is seen that this is taken for another.
	usual, err := m.likeness(m.Model.Cells.CellOn(cell, func([]vision.RGB) vision.RGB { return m.Board.Paper }))
	if view.Sure(usual, view.Tuned.FaintLike, view.Strongly) == 0 {
		empty = 0
	}
	return empty, err
}
