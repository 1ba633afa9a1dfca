package witness

import (
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
	"onlooker/vision/witness/shape"
	"onlooker/vision/witness/view"
)

// A checker lays what was read of a board against the look's templates.
type checker struct {
	*model
	read *cellReader
}

// newChecker is for a board that was measured before and of which it is known what it
// shows.
func newChecker(s *cellReader, cache *templatesCache, look *calibrations.Profile, drawn drawing.Forms, p *witness.Panel) *checker {
	m := &model{
		View: s.View, tune: view.Tuned, bleed: view.Tuned.BleedPixels / s.Board.ScreenPitch,
		pools: poolsOf(look), radius: map[image.Point]float64{}, dotted: map[image.Point]float64{},
	}
	// The templates are drawn, and sharp; what is seen is not. Mostly those of what was read
	// are enough.
	sharp, sigma := cache.templatesOf(look, drawn), view.Tuned.BlurPixels*cellSide/s.Board.ScreenPitch
	m.known = sharp.only(func(kind witness.Kind) bool { return holds(p, kind) }).blurredBy(sigma)
	m.every = sync.OnceValue(func() *templates { return sharp.blurredBy(sigma) })
	m.covered(p)
	return &checker{m, s}
}

// empties are how sure it is of each of some cells that it is like no symbol.
func (m *checker) empties(cells []image.Point) ([]float64, error) {
	empties, errs := make([]float64, len(cells)), make([]error, len(cells))
	vision.SideBySide(len(cells), func(k int) { empties[k], errs[k] = m.looksEmpty(cells[k]) })
	return empties, errors.Join(errs...)
}

// holds tells whether a symbol of some kind is on a panel.
func holds(p *witness.Panel, kind witness.Kind) bool {
	for at := range p.Points() {
		if p.At(at).Kind == kind {
			return true
		}
	}
	return false
}

// covered notes what circles and dots cover.
func (m *model) covered(p *witness.Panel) {
	for at := range p.Points() {
		if p.At(at).Start {
			m.radius[at] = m.cover(at, true)
		} else if p.At(at).Dot.On {
			m.dotted[at] = m.cover(at, false)
		}
	}
}

// unknown says which place of a panel that was read does not look like what it was
// read as: a client's shape that is none of the look's is read as the nearest of
// these otherwise, a dot as a break, and what is outlined in the ground's colour as
// nothing. Only a view on which nothing is drawn and nothing lies tells this.
func (m *checker) unknown(p *witness.Panel) error {
	if err := m.unknownBorder(p); err != nil {
		return err
	}
	if err := dotsAllRound(p); err != nil {
		return err
	}
	least := m.leastStart(p)
	if err := m.unknownStart(p, least); err != nil {
		return err
	}
	var cells []image.Point
	for at := range p.Points() {
		if witness.IsCell(at) {
			cells = append(cells, at)
			continue
		}
		if err := m.unknownLine(p, at); err != nil {
			return err
		}
		if err := m.unknownEnd(p, at, least); err != nil {
			return err
		}
	}
	fails, strong, alone := make([]error, len(cells)), make([]float64, len(cells)), make([]bool, len(cells))
	views, explained := make([]*cellView, len(cells)), make([]bool, len(cells))
	vision.SideBySide(len(cells), func(i int) {
		v := m.view(cells[i])
		views[i], strong[i], alone[i] = v, v.strong/m.Contrast(), v.alone()
		explained[i], fails[i] = m.unknownSymbol(v, p.At(cells[i]).Symbol)
	})
	var usual []float64 // of empty cells: light falls into those of some boards
	for i, at := range cells {
		if p.At(at).Kind == witness.NoSymbol {
			usual = append(usual, strong[i])
		}
	}
	// An empty cell shows 0.14 at most where no light falls, 0.32 where it does, and one that is
	// none 0.23; where most of those that were read as empty show as much as symbols do, these
	// are none.
	most := max(view.Slightly, min(1.5*vision.Median(usual), 0.5))
	known := explainedLabels(p, views, explained)
	for i, at := range cells {
		// What a reflection lies on is seen in part: others that are the same tell of it.
		if fails[i] != nil && !(m.read.glared[at] && known[forms.SymbolLabel(p.At(at).Symbol)]) {
			return fails[i]
		}
		if p.At(at).Kind != witness.NoSymbol {
			continue
		}
		if err := m.faintSymbol(views[i]); err != nil {
			return err
		}
		// What shines on a cell goes on beyond its rim.
		if strong[i] > most && alone[i] {
			return view.Unsure(at, "an empty cell, or a symbol that this look does not know, %.2f of the contrast: calibrate", strong[i])
		}
	}
	if err := m.onUneven(p, views, explained); err != nil {
		return err
	}
	return m.unlikeOthers(p, views, explained)
}

// faintSymbol is unknown for a cell that was read as empty and shows, far above the noise of
// its ground, what is like a symbol's template and has a border, as light has none. Light
// falls into hollow cells in many ways.
func (m *checker) faintSymbol(v *cellView) error {
	if v.hidden || m.read.relief != nil || v.strong < m.tune.AboveGrain*max(1, v.grain) || m.read.border(v.at) < m.tune.FaintBorder {
		return nil
	}
	like, err := m.likeness(v)
	if err == nil && like >= m.tune.Recognised {
		err = view.Unsure(v.at, "an empty cell, or a faint symbol: %.2f like one, %.2f of the contrast", like, v.strong/m.Contrast())
	}
	return err
}

// explainedLabels are the symbols of which a cell is explained by the look's template.
func explainedLabels(p *witness.Panel, views []*cellView, explained []bool) map[forms.Label]bool {
	known := map[forms.Label]bool{}
	for i, v := range views {
		if explained[i] {
			known[forms.SymbolLabel(p.At(v.at).Symbol)] = true
		}
	}
	return known
}

// onUneven is unknown for symbols on an uneven ground in cells large enough for their
// outlines to be seen: but of pieces, where the look's template explains another of the
// kind it is light that lies on these.
func (m *checker) onUneven(p *witness.Panel, views []*cellView, explained []bool) error {
	if m.Board.ScreenPitch < m.tune.LeastPitch {
		return nil
	}
	known := explainedLabels(p, views, explained)
	for _, v := range views {
		symbol := p.At(v.at).Symbol
		if symbol.Kind == witness.NoSymbol || v.hidden || m.quiet(v) || known[forms.SymbolLabel(symbol)] && !symbol.Kind.IsPiece() {
			continue
		}
		own, err := m.known.matched(m.known.of(symbol), v, m.tune.Slack)
		if err != nil {
			return err
		}
		if len(own) == 0 {
			continue
		}
		best, err := m.bestSize(v, m.known, own[0], m.tune.Explained)
		if err != nil {
			return err
		}
		if err := m.unknownOutline(v, best); err != nil {
			return err
		}
	}
	return nil
}

// unlikeOthers is unknown for a symbol that is less like the others on the board that
// were read as the same than these are like each other, where the look's template does
// not explain them: the look is another, and the symbol a shape of its own.
func (m *checker) unlikeOthers(p *witness.Panel, views []*cellView, explained []bool) error {
	kinds := map[forms.Label][]int{}
	var order []forms.Label
	for i, v := range views {
		if q := p.At(v.at).Symbol; q.Kind != witness.NoSymbol && !v.hidden {
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
		sum := vision.NewMap(cellSide, cellSide)
		for k, i := range of {
			masks[k] = views[i].mask()
			for j, v := range masks[k].V {
				sum.V[j] += v
			}
		}
		left := make([]float64, len(of)) // what the others do not explain
		for k, i := range of {
			others := vision.NewMap(cellSide, cellSide)
			for j, v := range masks[k].V {
				others.V[j] = sum.V[j] - v
			}
			c, err := correlation(views[i], masks[k], others, m.tune.Slack)
			if err != nil {
				return err
			}
			left[k] = 1 - c.Score*c.Score + m.tune.LearnedNoise()
		}
		usual := vision.Median(left)
		for k, i := range of {
			if !explained[i] && left[k] > m.tune.Unusual*usual {
				return view.Unsure(views[i].at, "%s, or a symbol that this look does not know: %.1f times less like the others than these are: calibrate", witness.SymbolName(p.At(views[i].at).Symbol), left[k]/usual)
			}
		}
	}
	return nil
}

// dotsAllRound is unknown for a cell with a dot on each of its four edges, which no line
// passes without meeting itself: unless a panel has erasers they are no dots but how this
// look's lines are drawn.
func dotsAllRound(p *witness.Panel) error {
	if holds(p, witness.Eraser) {
		return nil
	}
	for at := range p.Points() {
		if witness.IsCell(at) && !slices.ContainsFunc(view.Ways[:], func(d image.Point) bool { return !p.At(at.Add(d)).Dot.On }) {
			return view.Unsure(at, "dots on all four edges of a cell, or how this look's lines are drawn: calibrate")
		}
	}
	return nil
}

// mask is how strongly a cell's symbol shows at each place, 0 to 1.
func (v *cellView) mask() vision.Map {
	m := vision.NewMap(cellSide, cellSide)
	for i, d := range v.shown.V {
		m.V[i] = min(1, d/float32(max(v.most, 1e-9)))
	}
	return m
}

// unknownBorder is unknown for what lies a line's width outside the border: where no
// circle and no end is nothing of the lines' colour is as wide as a line. What is there
// all the same is a circle or an end beside where the board was taken to be.
func (m *checker) unknownBorder(p *witness.Panel) error {
	var known []image.Point
	for at := range p.Points() {
		if q := p.At(at); q.Start || q.IsEnd() {
			known = append(known, at)
		}
	}
	w, h := 2*m.Board.Cols, 2*m.Board.Rows
	out := 2 * m.LineWidth
	for _, side := range []struct {
		from, along, out image.Point
		length           int
	}{
		{image.Pt(0, 0), image.Pt(1, 0), image.Pt(0, -1), w}, {image.Pt(0, h), image.Pt(1, 0), image.Pt(0, 1), w},
		{image.Pt(0, 0), image.Pt(0, 1), image.Pt(-1, 0), h}, {image.Pt(w, 0), image.Pt(0, 1), image.Pt(1, 0), h},
	} {
		var seen []vision.RGB
		var free []image.Point // the place of the border beside each, one where something is known there
		const steps = 16       // to a half-cell
		for k := range side.length*steps + 1 {
			d := float64(k) / steps
			x, y := float64(side.from.X)+d*float64(side.along.X)+out*float64(side.out.X), float64(side.from.Y)+d*float64(side.along.Y)+out*float64(side.out.Y)
			at := side.from.Add(side.along.Mul(int(d + 0.5)))
			for _, o := range known {
				if math.Hypot(x-float64(o.X), y-float64(o.Y)) < m.tune.MostCover*out {
					at = image.Pt(-1, -1)
				}
			}
			seen, free = append(seen, m.At(x, y)), append(free, at)
		}
		if vision.MedianRGB(seen).Dist(m.Board.Ink) < m.Contrast()/2 {
			continue // as dark as the lines out there
		}
		run := 0
		for k, c := range seen {
			if run++; free[k].X < 0 || c.Dist(m.Board.Ink) > view.Clearly*m.Contrast() {
				run = 0
			}
			if float64(run)/steps > out/2 {
				return view.Unsure(free[k], "something beside the border that is no end and no circle")
			}
		}
	}
	return nil
}

// unknownEnd is unknown for an end that may be a start circle: of one that is little wider
// than the lines they hide all but what lies outside the border. least is how far the panel's
// smallest reaches.
func (m *checker) unknownEnd(p *witness.Panel, at image.Point, least float64) error {
	if q := p.At(at); q.IsEnd() && m.likeCircle(at, q.Cap, least) {
		return view.Unsure(at, "an end, or a start circle whose rest the lines hide: calibrate")
	}
	return nil
}

// likeCircle tells whether an end may be a start circle of a size, in line widths: such a one
// would lie where the end does, hardly beside it where lines do not hide it, and reach as far.
// Of an infinite size, which no circle has, it may not be.
func (m *model) likeCircle(at, out image.Point, size float64) bool {
	if math.IsInf(size, 1) {
		return false
	}
	outside, hidden := m.outside(at, out), m.LineWidth+2*m.bleed
	w, h := float64(2*m.Board.Cols), float64(2*m.Board.Rows)
	toLine := func(v float64) float64 { return math.Abs(v - 2*math.Round(v/2)) }
	shows := func(r, ux, uy float64) (seen, free bool) {
		x, y := float64(at.X)+2*m.LineWidth*r*ux, float64(at.Y)+2*m.LineWidth*r*uy
		ground := outside
		switch {
		case max(-x, -y, x-w, y-h) >= hidden:
		case min(x, y, w-x, h-y) > 0 && min(toLine(x), toLine(y)) >= hidden:
			ground = m.Ground(2*int(x/2)+1, 2*int(y/2)+1)
		default:
			return false, false
		}
		return m.At(x, y).Dist(ground) > 0.5*m.Board.Ink.Dist(ground), true
	}
	blur := m.bleed / m.LineWidth
	n := math.Hypot(float64(out.X), float64(out.Y))
	if longer, _ := shows(size+blur+reachStep, float64(out.X)/n, float64(out.Y)/n); longer {
		return false
	}
	const rays = 32
	seen, all := 0, 0
	for k := range rays {
		sin, cos := math.Sincos(2 * math.Pi * (float64(k) + 0.5) / rays)
		for r := size - blur; r > 0.5; r -= reachStep {
			is, free := shows(r, cos, sin)
			if free {
				all++
			}
			if is {
				seen++
			}
		}
	}
	_, beyond := shows(size-blur, float64(out.X)/n, float64(out.Y)/n)
	return beyond && float64(seen) > view.Mostly*float64(all)
}

// leastStart is how far, in line widths, the smallest start circle of a panel reaches; infinite
// without any.
func (m *checker) leastStart(p *witness.Panel) float64 {
	least := math.Inf(1)
	for _, at := range starts(p) {
		least = min(least, m.startReach(at))
	}
	return least
}

// starts are the start circles of a panel.
func starts(p *witness.Panel) (all []image.Point) {
	for at := range p.Points() {
		if p.At(at).Start {
			all = append(all, at)
		}
	}
	return all
}

// unknownStart is unknown for what is no start and reaches as far about a place of the
// lines as the least of the panel's starts does.
func (m *checker) unknownStart(p *witness.Panel, least float64) error {
	for at := range p.Points() {
		q := p.At(at)
		if witness.IsCell(at) || q.Start || q.Dot.On || q.IsEnd() || q.Gap != witness.Whole {
			continue
		}
		if far := m.startReach(at); far > least-reachStep/2 {
			return view.Unsure(at, "a start circle that this look does not know, or none: it reaches %.2f of the line's width, another one %.2f: calibrate", far, least)
		}
	}
	return nil
}

// unknownLine is unknown for an edge or a node whose middle is not the lines' colour, where
// nothing was read there.
func (m *checker) unknownLine(p *witness.Panel, at image.Point) error {
	q := p.At(at)
	if q.Start || q.Dot.On || q.Gap != witness.Whole || witness.IsNode(at) && !m.Reached(p, at) {
		return nil
	}
	core := m.dotCore(at)
	odd := core.Dist(m.lineInk(at)) / m.Contrast()
	if odd <= view.Clearly || witness.IsEdge(at) && m.read.pulsed(starts(p), at, core) {
		return nil
	}
	return view.Unsure(at, "something on a line that this look does not know, %.2f of the contrast: calibrate", odd)
}

// alone tells whether what differs from the ground by nearly as much as the most does
// not reach the cell's rim.
func (v *cellView) alone() bool {
	for k, d := range v.off.V {
		far := max(math.Abs(offset(k%cellSide)), math.Abs(offset(k/cellSide)))
		if float64(d) > view.Mostly*v.strong && far > view.Nearly*v.inner && far <= v.inner {
			return false
		}
	}
	return true
}

// unknownSymbol is unknown for what a cell was read to hold, and whether its template
// explains all that is seen.
func (m *checker) unknownSymbol(v *cellView, symbol witness.Symbol) (explained bool, err error) {
	if symbol.Kind == witness.NoSymbol {
		return false, nil
	}
	own, err := m.known.matched(m.known.of(symbol), v, m.tune.Slack)
	if err != nil {
		return false, err
	}
	if len(own) > 0 && m.quiet(v) {
		if err := m.unknownShape(v, own[0], symbol.Colour); err != nil {
			return false, err
		}
	}
	if m.Profile.Loose { // of no size that is known
		return false, nil
	}
	if len(own) > 0 && own[0].score >= m.tune.Explained {
		return true, nil // whatever else it may be like
	}
	list, err := m.every().candidates(v, m.tune.Slack, symbol)
	if err != nil {
		return false, err
	}
	m.every().weigh(list, v, m.tune)
	k := slices.IndexFunc(list, func(c candidate) bool { return witness.SameMeaning(c.symbol, symbol) })
	if k < 0 || list[k].score < view.Strongly {
		return false, view.Unsure(v.at, "a symbol that this look does not know, most like %s: calibrate", symbol.Kind.Called())
	}
	best := list[k]
	if best.score >= m.tune.Explained {
		return true, nil
	}
	k = slices.IndexFunc(list, func(c candidate) bool { return !witness.SameMeaning(c.symbol, symbol) }) // the best first
	if k < 0 || list[k].misfit-best.misfit >= -m.tune.Evidence {
		return false, nil
	}
	// Where cells are so small that shapes blur it may be another size, or twice as blurred,
	// that tells them apart: of 25 drawn boards of cells of 20 to 30 pixels that were refused
	// 13 are right then, and none wrong; one would be whose best is less than KnownLike.
	if m.Board.ScreenPitch < m.tune.LeastPitch {
		for _, known := range []*templates{m.known, m.known.softer()} {
			if best, err = m.bestSize(v, known, best, m.tune.Explained); err != nil {
				return false, err
			}
		}
	}
	if best.score < m.tune.KnownLike || list[k].unexplained(m.tune)-best.unexplained(m.tune) < -m.tune.Evidence {
		return false, view.Unsure(v.at, "a symbol that this look does not know, %.2f like %s and %.2f like %s: calibrate", best.score, symbol.Kind.Called(), list[k].score, list[k].symbol.Kind.Called())
	}
	return false, nil
}

// quiet tells whether a symbol lies on an even ground.
// On captures into whose cells light falls it is 0.07 and more.
func (m *checker) quiet(v *cellView) bool { return v.grain <= view.Hardly*v.strong }

// unknownShape is unknownSymbol for what is told by a symbol alone, whatever its size and
// in all ways up, where it lies on an even ground: how like its template it is, whether it
// has one colour, and what its outline tells.
func (m *checker) unknownShape(v *cellView, own candidate, colour witness.Colour) error {
	own, err := m.bestSize(v, m.known, own, m.tune.KnownLike)
	if err != nil {
		return err
	}
	what := own.symbol.Kind.Called()
	if own.score < m.tune.KnownLike && m.glowing(v, own) < m.tune.Explained {
		return view.Unsure(v.at, "a symbol that this look does not know, only %.2f like %s: calibrate", own.score, what)
	}
	if read, ok := rgbOf(string(colour)); ok {
		if c := v.colour(&own); c.Dist(read) > m.tune.OffColour*read.Dist(v.ground) {
			return view.Unsure(v.at, "%s in two colours, %s and %s: this look does not know which is its own; calibrate", what, colour, hex(c))
		}
	}
	return m.unknownOutline(v, own)
}

// glowing is the correlation of what a cell shows with a symbol's template and what
// glows round it, the template blurred: both together, as strong as fits best. 0 where
// one or the other takes away.
func (m *checker) glowing(v *cellView, own candidate) float64 {
	glow := shape.BlurMap(own.mask, m.tune.Glow*cellSide)
	var seen, sharp, round []float64
	for k, d := range v.off.V {
		i, j := k%cellSide, k/cellSide
		x, y := i-own.off.X, j-own.off.Y
		if max(math.Abs(offset(i)), math.Abs(offset(j))) < v.inner && min(x, y) >= 0 && max(x, y) < cellSide {
			seen, sharp, round = append(seen, float64(d)), append(sharp, float64(own.mask.V[y*cellSide+x])), append(round, float64(glow.V[y*cellSide+x]))
		}
	}
	ss, rr, sr := covariance(sharp, sharp), covariance(round, round), covariance(sharp, round)
	vs, vr, vv := covariance(seen, sharp), covariance(seen, round), covariance(seen, seen)
	det := ss*rr - sr*sr
	if det <= 0 || vv <= 0 {
		return 0
	}
	a, b := (vs*rr-vr*sr)/det, (vr*ss-vs*sr)/det
	if a <= 0 || b <= 0 {
		return 0
	}
	return math.Sqrt((a*vs + b*vr) / vv)
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
func (m *checker) bestSize(v *cellView, known *templates, own candidate, enough float64) (candidate, error) {
	turns := []float64{0}
	if form, ok := m.Forms.Of(own.symbol.Kind); ok && form.Turns != nil {
		turns = form.Turns
	}
	for _, k := range looseSizes() {
		for _, turn := range turns {
			if own.score >= enough {
				break
			}
			other, err := known.matched(known.resized(k, turn).of(own.symbol), v, m.tune.Slack)
			if err != nil {
				return own, err
			}
			if other[0].score > own.score {
				own = other[0]
			}
		}
	}
	return own, nil
}

// unknownOutline is unknown for a symbol whose outline does not go out and in as its
// template's does, or that its template does not explain and that is another one's shape. A
// square's template explains a star of twelve points to 0.97; in small cells outlines blur.
func (m *checker) unknownOutline(v *cellView, own candidate) error {
	explained := own.score >= m.tune.Explained
	if explained && (own.symbol.Kind != witness.Square || m.Board.ScreenPitch < m.tune.LeastPitch) {
		return nil
	}
	// Squares of drawn boards have 0.5, stars of eight points and turned ones of four that were
	// read as squares 0.03 at most.
	if like := m.swingsLike(v.at, own); like < view.Clearly {
		return view.Unsure(v.at, "a symbol that this look does not know, whose outline is %.2f like that of %s: calibrate", like, own.symbol.Kind.Called())
	}
	if explained {
		return nil
	}
	return m.otherShape(v, own)
}

// otherShape is unknown for a piece that a generic shape explains better by far than its
// template: two triangles one above the other are much like two squares.
func (m *checker) otherShape(v *cellView, own candidate) error {
	if own.symbol.Kind.IsPiece() && m.Board.ScreenPitch >= m.tune.LeastPitch {
		fig, ok := m.figureOf(v, v.strong, false)
		if !ok {
			return nil
		}
		g := theGallery()
		scores, err := g.matched(fig)
		if err != nil {
			return err
		}
		alike := sync.OnceValues(func() (float64, error) { return m.alikeAs(fig, own) })
		noise := m.tune.LearnedNoise()
		for i, o := range g.all {
			if o.symbol.Kind == witness.Square || scores[i] < view.Nearly {
				continue
			}
			like, err := alike()
			if err != nil {
				return err
			}
			if misfitOf(like, noise)-misfitOf(scores[i], noise) > m.tune.Evidence {
				return view.Unsure(v.at, "a symbol that this look does not know, %.2f like a piece and %.2f like %s: calibrate", like, scores[i], witness.SymbolName(o.symbol))
			}
		}
	}
	return nil
}

// alikeAs is how like a symbol's template a figure is where both are seen as generic shapes
// are: about their middles, and as large as each other. It is no less than how like it is in
// the cell, where the template's size counts.
func (m *checker) alikeAs(fig *figure, own candidate) (float64, error) {
	form, ok := m.Forms.Of(own.symbol.Kind)
	if !ok {
		return own.score, nil
	}
	mask := shape.BlurMap(normalForm(shape.Drawn(form.Parts(&m.Sizes, own.symbol), 1, 0)), fig.sigma)
	found, err := vision.Match(fig.norm, []vision.Map{mask})
	if err != nil {
		return 0, err
	}
	return max(own.score, found[0].Score), nil
}

// swingsLike is how alike the outline of what stands in a cell and that of a symbol's
// template go out and in; 1 of pieces, which are made of squares.
func (m *checker) swingsLike(cell image.Point, own candidate) float64 {
	var circles []image.Point
	for at := range m.radius {
		circles = append(circles, at)
	}
	st, err := m.read.stain(cell, circles)
	if err != nil || st == nil || own.symbol.Kind.IsPiece() {
		return 1
	}
	drawn := make([]float64, len(own.mask.V))
	for k, c := range own.mask.V {
		drawn[k] = float64(c)
	}
	w := shape.ContourOf(st.cover, st.n)
	return w.Like(shape.ContourOf(drawn, cellSide))
}

// likeness is the correlation of what a cell shows with the symbol's template that it
// is most like; 0 of one of which circles leave nothing to see.
func (m *checker) likeness(v *cellView) (float64, error) {
	if v.hidden {
		return 0, nil
	}
	list, err := m.every().candidates(v, m.tune.Slack)
	if err != nil || len(list) == 0 {
		return 0, err
	}
	return list[0].score, nil // the best first
}

// looksEmpty is how sure it is that a cell is like no symbol.
func (m *checker) looksEmpty(cell image.Point) (float64, error) {
	likeness, err := m.likeness(m.view(cell))
	empty := view.Sure(likeness, m.tune.FaintLike, view.Strongly)
	if err != nil || empty < m.Profile.Board.Confidence {
		return empty, err
	}
	// A piece may cover so much of where the ground is seen that this is taken for another.
	usual, err := m.likeness(m.viewOn(cell, func([]vision.RGB) vision.RGB { return m.Board.Paper }))
	if view.Sure(usual, m.tune.FaintLike, view.Strongly) == 0 {
		empty = 0
	}
	return empty, err
}
