package witness

import (
	"fmt"
	"image"
	"maps"
	"math"
	"slices"

	"onlooker/calibrations"
	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/shape"
	"onlooker/vision/witness/view"
)

// A lesson is a board of which it is known what it shows.
type lesson struct {
	*model
	panel *witness.Panel
	name  string
}

// An exhibit is a symbol in a cell that is known to hold it.
type exhibit struct {
	symbol witness.Symbol
	view   *cellView
	mask   vision.Map  // how strongly it shows, 0 to 1
	own    vision.RGB  // its colour
	off    image.Point // by how many places it lies off the first of its kind
	board  int         // the number of its lesson
}

// learn learns a look from boards of which it is known what they show: sizes,
// divides and templates.
func learn(base *calibrations.Profile, drawn drawing.Forms, lessons []lesson) (*calibrations.Profile, []string, error) {
	p := *base
	p.Learned = calibrations.Learned{Divides: map[string]calibrations.Range{}}
	// What the base's game lays over its picture is none of this look's.
	p.Board.Cursor = calibrations.Cursor{}
	// Circles come first: what they cover is no edge's and no cell's.
	for _, l := range lessons {
		l.known.learning = true
		for at := range l.panel.Points() {
			if l.panel.At(at).Start {
				l.radius[at] = l.cover(at, true)
			} else if l.panel.At(at).Dot.On {
				l.dotted[at] = l.cover(at, false)
			}
		}
	}
	learnLines(&p, lessons)
	for _, l := range lessons {
		l.over = l.plainLines(l.panel)
	}
	learnGround(&p, lessons)
	learnPlaces(&p, lessons)
	learnDots(&p, lessons)
	missing, err := learnDivides(&p, lessons)
	if err != nil {
		return nil, nil, err
	}
	var seen []exhibit
	for board, l := range lessons {
		for at := range l.panel.Points() {
			if q := l.panel.At(at); witness.IsCell(at) && q.Kind != witness.NoSymbol {
				v := l.view(at)
				s := exhibit{symbol: q.Symbol, view: v, mask: v.mask(), board: board}
				if q.Kind.IsPiece() {
					s.symbol.Shape = witness.TidyShape(s.symbol.Shape)
				}
				seen = append(seen, s)
			}
		}
	}
	outline, err := learnOutline(&p, lessons, seen)
	if err != nil {
		return nil, nil, err
	}
	pieces := slices.DeleteFunc(slices.Clone(seen), func(s exhibit) bool { return !s.symbol.Kind.IsPiece() })
	for _, form := range drawn {
		kind := form.Kind.Word()
		var of []exhibit
		for _, s := range seen {
			if s.symbol.Kind == form.Kind {
				of = append(of, s)
			}
		}
		if len(of) == 0 {
			missing = append(missing, kind)
			continue
		}
		switch {
		case form.Kind.IsPiece(): // below
		case outline != nil:
			err = learnLayered(&p, kind, of, *outline)
		default:
			err = learnForms(&p, kind, of)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	if err := learnPieces(&p, drawn, pieces, outline); err != nil {
		return nil, nil, err
	}
	return &p, missing, learnColours(&p, lessons)
}

// learnLines learns the colours of lines, by which boards are found: those that differ
// by more than a part of the least contrast between lines and cells. What outlines them in
// a colour that is no mix of theirs and the cells' is of the lines too.
func learnLines(p *calibrations.Profile, lessons []lesson) {
	least := math.Inf(1)
	for _, l := range lessons {
		least = min(least, l.Contrast())
	}
	p.Board.Lines, p.Board.LinesWithin = nil, shape.Round3(view.Tuned.OffColour*least)
	p.Board.Rims, p.Board.RimWidth = nil, 0
	var beyond []float64
	var lines, rims []vision.RGB
	add := func(names []string, seen *[]vision.RGB, c vision.RGB) []string {
		// Half of what the look allows, so that what is between two of them has both.
		if slices.ContainsFunc(*seen, func(o vision.RGB) bool { return o.Dist(c) < p.Board.LinesWithin/2 }) {
			return names
		}
		*seen = append(*seen, c)
		return append(names, string(hex(c)))
	}
	for _, l := range lessons {
		p.Board.Lines = add(p.Board.Lines, &lines, l.Board.Ink)
		if c, off, width := l.rim(); off > p.Board.LinesWithin/2 {
			p.Board.Rims = add(p.Board.Rims, &rims, c)
			beyond = append(beyond, width)
		}
	}
	if 2*len(beyond) > len(lessons) {
		p.Board.RimWidth = shape.Round3(vision.Median(beyond))
	}
	for i := range lessons {
		lessons[i].bleed += p.Board.RimWidth
		lessons[i].outlined = len(p.Board.Rims) > 0
	}
}

// rim is the colour of what is seen along the borders of lines, how far it is from all
// mixes of the lines' colour and the cells', and how far beyond the lines it is seen, in
// pitches.
func (l *lesson) rim() (rim vision.RGB, off, beyond float64) {
	step := 0.5 / l.Board.ScreenPitch // half a pixel of the frame
	across := map[float64]vision.RGB{}
	for d := 0.0; d < l.LineWidth/2+4*l.bleed; d += step {
		c, ok := l.beside(d)
		if !ok {
			return rim, 0, 0
		}
		across[d] = c
		if o := c.OffMix(l.Board.Ink, l.Board.Paper); o > off {
			rim, off = c, o
		}
	}
	for d, c := range across {
		if 2*c.Dist(l.Board.Paper) > rim.Dist(l.Board.Paper) {
			beyond = max(beyond, d-l.LineWidth/2)
		}
	}
	return rim, off, beyond
}

// beside is the usual colour at a distance, in pitches, from the middle of whole edges
// towards the cells beside them; false without any.
func (l *lesson) beside(d float64) (vision.RGB, bool) {
	var seen []vision.RGB
	for at := range l.panel.Points() {
		if q := l.panel.At(at); !witness.IsEdge(at) || q.Gap != witness.Whole || q.Start || q.Dot.On {
			continue
		}
		ux, uy := witness.EdgeDirection(at)
		for _, side := range []float64{-1, 1} {
			if l.panel.At(at.Add(image.Pt(int(side*uy), int(side*ux)))) == nil {
				continue
			}
			for _, far := range []float64{-0.6, 0.6} {
				far *= 1 - l.LineWidth
				seen = append(seen, l.At(float64(at.X)+far*ux+2*side*d*uy, float64(at.Y)+far*uy+2*side*d*ux))
			}
		}
	}
	return vision.MedianRGB(seen), len(seen) > 0
}

// learnColours learns where symbols have their colour, deep within or where they are drawn,
// and by how much those of one colour differ on one board, and those of two: where neither
// divides the usual steps stay.
func learnColours(p *calibrations.Profile, lessons []lesson) error {
	all, err := shadesOf(p, lessons)
	if err != nil {
		return err
	}
	across := sameNames(all)
	inks := inksOf(all, across, p.Learned.Outline != "")
	for i := range p.Learned.Forms {
		o := &p.Learned.Forms[i]
		f := formed{o.Kind, o.Count}
		o.Ink, o.Colours = inks[f], coloursOf(all, inks, f)
	}
	for i := range p.Learned.Pieces {
		o := &p.Learned.Pieces[i]
		f := formed{o.Kind, 0}
		o.Ink, o.Colours = inks[f], coloursOf(all, inks, f)
	}
	learnShades(p, all, inks)
	same, two := spreadOf(all, across, inks)
	delete(p.Learned.Divides, divideColour)
	if len(two) == 0 {
		return nil
	}
	// Of a look that shows no colour twice on one board nothing is known of the first. The
	// usual steps were measured on more, and stay where they agree.
	a, b := slices.Max(append(same, 0)), slices.Min(two)
	if u := usualSteps(); len(same) > 0 && a < b && (a > view.Mostly*u.divide || b < (1+view.Clearly)*u.divide) {
		p.Learned.Divides[divideColour] = calibrations.Range{shape.Round3(a), shape.Round3(b)}
	}
	return nil
}

// A formed is what is drawn alike: a kind, of so many, or all pieces of a kind.
type formed struct {
	kind  string
	count int
}

// A shade is the colour of a symbol that is known.
type shade struct {
	formed
	name witness.Colour
	cols map[calibrations.Ink]vision.RGB
}

// A shaded board has symbols, and is so bright.
type shaded struct {
	of     []shade
	bright float64
}

// shadesOf are the colours of the symbols on all boards.
func shadesOf(p *calibrations.Profile, lessons []lesson) (all []shaded, err error) {
	known := templatesOf(p, lessons[0].Forms)
	for _, l := range lessons {
		board := shaded{bright: bright(l.model.View)}
		for at := range l.panel.Points() {
			q := l.panel.At(at)
			if !witness.IsCell(at) || q.Kind == witness.NoSymbol {
				continue
			}
			v := l.view(at)
			if known.outline == nil {
				v.along(l.tune)
			}
			list, err := known.candidates(v, l.tune.Slack, q.Symbol)
			if err != nil {
				return nil, err
			}
			k := slices.IndexFunc(list, func(c candidate) bool { return witness.SameMeaning(c.symbol, q.Symbol) })
			if k < 0 {
				continue
			}
			s := shade{formed{q.Kind.Word(), q.Count}, q.Colour, map[calibrations.Ink]vision.RGB{}}
			s.cols[calibrations.InkDeep] = v.colour(&list[k])
			for _, ink := range []calibrations.Ink{calibrations.InkSolid, calibrations.InkDrawn, calibrations.InkFill} {
				c := list[k]
				c.ink = ink
				s.cols[ink] = v.colour(&c)
			}
			board.of = append(board.of, s)
		}
		all = append(all, board)
	}
	return all, nil
}

// coloursOf are the colours of what is drawn alike, each once.
func coloursOf(all []shaded, inks map[formed]calibrations.Ink, of formed) (out []string) {
	for _, board := range all {
		for _, s := range board.of {
			if name := string(hex(s.cols[inks[of]])); s.formed == of && !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

// inksOf tells where symbols have their colour: so that on one board those of one colour
// are as like each other, and those of two as unlike, as can be. Where symbols are outlined
// in a colour of its own it is the rest of them unless another tells more.
func inksOf(all []shaded, across []shadePair, outlined bool) map[formed]calibrations.Ink {
	var forms []formed
	for _, board := range all {
		for _, s := range board.of {
			if !slices.Contains(forms, s.formed) {
				forms = append(forms, s.formed)
			}
		}
	}
	best := map[formed]calibrations.Ink{}
	inks := []calibrations.Ink{calibrations.InkDeep, calibrations.InkSolid, calibrations.InkDrawn}
	if outlined {
		inks = append(inks, calibrations.InkFill)
		for _, f := range forms {
			best[f] = calibrations.InkFill
		}
	}
	least := confused(spreadOf(all, across, best))
	try := func(ink calibrations.Ink, of ...formed) bool {
		o := maps.Clone(best)
		for _, f := range of {
			o[f] = ink
		}
		n := confused(spreadOf(all, across, o))
		if n >= least {
			return false
		}
		best, least = o, n
		return true
	}
	for _, ink := range inks {
		try(ink, forms...)
	}
	// Of what has its colour nowhere else on its board nothing is known.
	forms = slices.DeleteFunc(forms, func(f formed) bool { return !again(all, f) })
	for more := true; more; {
		more = false
		for _, f := range forms {
			for _, ink := range inks {
				more = try(ink, f) || more
			}
		}
	}
	return best
}

// again tells whether another symbol on the same board has the colour of one that is drawn
// so.
func again(all []shaded, of formed) bool {
	for _, board := range all {
		for i, a := range board.of {
			for k, b := range board.of {
				if i != k && a.formed == of && a.name == b.name {
					return true
				}
			}
		}
	}
	return false
}

// confused is how much the distances of symbols of one colour, and of two, are like those
// of the others: 0 where the usual steps divide them clearly, 2 where they have them the
// wrong way.
func confused(same, two []float64) (sum float64) {
	u := usualSteps()
	for _, d := range same {
		sum += min(1, d/u.divide) / float64(len(same))
	}
	for _, d := range two {
		sum += max(0, 1-d/u.clear) / float64(len(two))
	}
	return sum
}

// spreadOf is by what shares of a board's brightest colour the colours of two symbols on
// it differ, of those that share a name and of those that do not; those of pairs across
// boards share one, too.
func spreadOf(all []shaded, across []shadePair, inks map[formed]calibrations.Ink) (same, two []float64) {
	for _, board := range all {
		scale := board.brightest(inks)
		for i, a := range board.of {
			for _, b := range board.of[:i] {
				if d := colourStep(a.cols[inks[a.formed]], b.cols[inks[b.formed]]) / scale; a.name == b.name {
					same = append(same, d)
				} else {
					two = append(two, d)
				}
			}
		}
	}
	for _, p := range across {
		ink := inks[p.a.formed]
		same = append(same, colourStep(p.a.cols[ink], p.b.cols[ink])/p.bright)
	}
	return same, two
}

// A shadePair is two symbols on two boards that are drawn alike and share a name, with how
// bright the brighter board is.
type shadePair struct {
	a, b   shade
	bright float64
}

// acrossBoards are all such pairs.
func acrossBoards(all []shaded) (pairs []shadePair) {
	for i, board := range all {
		for _, other := range all[:i] {
			bright := max(board.brightest(nil), other.brightest(nil))
			for _, a := range board.of {
				for _, b := range other.of {
					if a.formed == b.formed && a.name == b.name {
						pairs = append(pairs, shadePair{a, b, bright})
					}
				}
			}
		}
	}
	return pairs
}

// sameNames are the pairs across boards where a name is one colour on all of them, by that
// of squares and stars, which are large and have theirs deep within; else none.
func sameNames(all []shaded) []shadePair {
	pairs, seen := acrossBoards(all), false
	for _, p := range pairs {
		if k := p.a.kind; k != witness.Square.Word() && k != witness.Star.Word() {
			continue
		}
		seen = true
		if colourStep(p.a.cols[calibrations.InkDeep], p.b.cols[calibrations.InkDeep])/p.bright >= usualSteps().alike {
			return nil
		}
	}
	if !seen {
		return nil
	}
	return pairs
}

// learnGround learns the pattern of empty cells, where they have one.
func learnGround(p *calibrations.Profile, lessons []lesson) {
	sum, n := vision.NewMap(cellSide, cellSide), float32(0)
	cells := 0
	for _, l := range lessons {
		for at := range l.panel.Points() {
			if !witness.IsCell(at) || l.panel.At(at).Kind != witness.NoSymbol {
				continue
			}
			cells++
			v := l.view(at)
			var middle []vision.RGB
			for j := range cellSide {
				for i := range cellSide {
					if max(math.Abs(offset(i)), math.Abs(offset(j))) < 0.5*v.inner {
						middle = append(middle, v.pix[j*cellSide+i])
					}
				}
			}
			core := vision.MedianRGB(middle)
			axis := v.ground.Sub(core)
			if far := math.Sqrt(axis.Dot(axis)); far < view.Hardly*l.Contrast() || far < 2*v.grain {
				continue
			}
			n++
			for k, c := range v.pix {
				sum.V[k] += float32(c.Sub(core).Dot(axis) / axis.Dot(axis))
			}
		}
	}
	// A pattern is that of most cells: what shines into a few is none.
	if 2*int(n) <= cells || n < 4 {
		return
	}
	most := float32(0)
	for k, c := range sum.V {
		sum.V[k] = max(0, c/n)
		if v := (&cellView{inner: 0.5 - lessons[0].LineWidth/2}); max(math.Abs(offset(k%cellSide)), math.Abs(offset(k/cellSide))) < v.inner {
			most = max(most, sum.V[k])
		}
	}
	for k := range sum.V {
		sum.V[k] = min(1, sum.V[k]/most)
	}
	p.Learned.Ground, p.Learned.GroundFile = shape.GreyOf(sum), "mask-00-ground.png"
	for _, l := range lessons {
		l.known.ground = shape.MapOf(p.Learned.Ground)
	}
}

// correlation is how alike two maps are, laid over each other within slack, and the
// place of the best.
func correlation(v *cellView, m, template vision.Map, slack int) (vision.Matched, error) {
	found, err := vision.Match(v.window(m, slack), []vision.Map{v.window(template, 0)})
	if err != nil {
		return vision.Matched{}, err
	}
	return found[0], nil
}

// learnForms makes templates of one kind's sightings: those that are alike are one
// template, their mean.
func learnForms(p *calibrations.Profile, kind string, seen []exhibit) error {
	t := view.Tuned
	type group struct {
		count int
		sum   vision.Map
		of    []exhibit
	}
	var groups []*group
	for _, s := range seen {
		var best *group
		most := vision.Matched{Score: view.Nearly}
		for _, g := range groups {
			if g.count != s.symbol.Count {
				continue
			}
			c, err := correlation(s.view, s.mask, g.sum, t.Slack)
			if err != nil {
				return err
			}
			if c.Score > most.Score {
				best, most = g, c
			}
		}
		if best == nil {
			best = &group{count: s.symbol.Count, sum: vision.NewMap(cellSide, cellSide)}
			groups = append(groups, best)
			most.Off = image.Point{}
		}
		best.of = append(best.of, s)
		for j := range cellSide {
			for i := range cellSide {
				if x, y := i+most.Off.X, j+most.Off.Y; x >= 0 && y >= 0 && x < cellSide && y < cellSide {
					best.sum.V[j*cellSide+i] += s.mask.V[y*cellSide+x]
				}
			}
		}
	}
	for _, g := range groups {
		mean := vision.NewMap(cellSide, cellSide)
		for i, v := range g.sum.V {
			mean.V[i] = v / float32(len(g.of))
		}
		floor, least, err := floorOf(g.of, func(s exhibit) vision.Map { return mean })
		if err != nil {
			return err
		}
		p.Learned.Forms = append(p.Learned.Forms, calibrations.Form{
			Kind: kind, Count: g.count, Seen: len(g.of), Floor: floor, Least: least, Mask: shape.GreyOf(mean),
			File: fmt.Sprintf("mask-%02d-%s.png", len(p.Learned.Forms)+1, fileName(kind)),
		})
	}
	return nil
}

// UnlitGround is the least correlation that a template may have with what it stands for:
// some less than the least that was seen, which it gives as well.
func floorOf(seen []exhibit, template func(exhibit) vision.Map) (floor, least float64, err error) {
	least = 1
	for _, s := range seen {
		c, err := correlation(s.view, s.mask, template(s), view.Tuned.Slack)
		if err != nil {
			return 0, 0, err
		}
		least = min(least, c.Score)
	}
	return floorBelow(least), shape.Round3(least), nil
}

// floorBelow is as far below the least that was seen as that is below 1, and some for what
// was not seen.
func floorBelow(least float64) float64 {
	return shape.Round3(max(view.Strongly, min(1-2*(1-least), view.Tuned.Recognised)))
}

func fileName(kind string) string {
	out := []rune(kind)
	for i, r := range out {
		if r == ' ' {
			out[i] = '-'
		}
	}
	return string(out)
}

// A gridder finds the grids of a look's pieces.
type gridder struct {
	outline *vision.RGB
	// Long pieces may be drawn smaller, and by how much better that explains those that are then,
	// all together, as logarithms of misfits.
	smaller bool
	gain    float64
}

// learnPieces learns the grids and the squares of the look's pieces. Long ones are drawn
// smaller by looks, not by kinds: what all kinds say together tells.
func learnPieces(p *calibrations.Profile, drawn drawing.Forms, pieces []exhibit, outline *vision.RGB) error {
	for _, g := range []gridder{{outline: outline, smaller: true}, {outline: outline}} {
		p.Learned.Pieces = nil
		for _, form := range drawn {
			var of []exhibit
			for _, s := range pieces {
				if s.symbol.Kind == form.Kind {
					of = append(of, s)
				}
			}
			if err := g.learn(p, form.Kind.Word(), of, pieces); err != nil {
				return err
			}
		}
		if g.gain > view.Tuned.Evidence || !slices.ContainsFunc(p.Learned.Pieces, func(l calibrations.Piece) bool { return l.Room > 0 }) {
			break
		}
	}
	return nil
}

// learn learns the grid and the squares of one kind's pieces, upright and turnable ones
// apart; all are the look's pieces of all kinds.
func (d *gridder) learn(p *calibrations.Profile, kind string, seen, all []exhibit) error {
	for _, turnable := range []bool{false, true} {
		var of []exhibit
		for _, s := range seen {
			if s.symbol.Turnable == turnable {
				of = append(of, s)
			}
		}
		if len(of) == 0 {
			continue
		}
		f, err := d.gridOf(of, seen, all)
		if err != nil {
			return err
		}
		turned := make([]exhibit, len(of))
		for i, s := range of {
			_, shape, err := f.turn(s)
			if err != nil {
				return err
			}
			s.symbol.Shape = shape
			turned[i] = s
		}
		floor, least, err := f.lowest(turned)
		if err != nil {
			return err
		}
		number := len(p.Learned.Forms) + len(p.Learned.Pieces) + 1
		learned := calibrations.Piece{
			Kind: kind, Turnable: turnable, Spacing: shape.Round3(f.spacing), Room: shape.Round3(f.room), Tilt: shape.Round3(f.tilt), Seen: len(of), Floor: floor, Least: least, Mask: shape.GreyOf(f.block),
			File: fmt.Sprintf("mask-%02d-%s.png", number, fileName(kind)),
		}
		if f.layers.any() {
			learned.Mask, learned.Edge = shape.GreyOf(f.layers.fill), shape.GreyOf(f.layers.edge)
			learned.EdgeFile = fmt.Sprintf("edge-%02d-%s.png", number, fileName(kind))
		}
		p.Learned.Pieces = append(p.Learned.Pieces, learned)
	}
	return nil
}

// gridOf finds the grid of some of a kind's pieces, and what its squares show. A look has
// one grid for its pieces mostly: what shows too little of its own is taken to lie on that of
// the kind or of all, whichever fits the kind better.
func (d *gridder) gridOf(of, kind, all []exhibit) (*pieceTemplate, error) {
	if composed(of) >= view.Tuned.TellingPieces {
		return d.fit(of[0].symbol, of, of)
	}
	if composed(kind) >= view.Tuned.TellingPieces {
		return d.fit(of[0].symbol, kind, kind)
	}
	f, err := d.fit(of[0].symbol, all, all)
	if err != nil {
		return nil, err
	}
	if err := f.learnBlock(kind); err != nil || composed(kind) < 2 {
		return f, err
	}
	g, err := d.fit(of[0].symbol, kind, kind)
	if err != nil {
		return nil, err
	}
	like, _, err := f.fit(kind, true)
	if err != nil {
		return nil, err
	}
	own, _, err := g.fit(kind, true)
	if own > like {
		return g, err
	}
	return f, err
}

// composed is how many sightings are of pieces of several squares: one alone does not
// tell how far apart squares are.
func composed(seen []exhibit) (n int) {
	for _, s := range seen {
		if len(s.symbol.Shape) > 1 {
			n++
		}
	}
	return n
}

// as is a form for what one sighting shows: upright pieces are not tilted.
func (f *pieceTemplate) as(s exhibit) *pieceTemplate {
	g := *f
	if g.symbol.Turnable = s.symbol.Turnable; !g.symbol.Turnable {
		g.tilt = 0
	}
	return &g
}

// learnBlock takes the mean of what the squares of sightings show.
func (f *pieceTemplate) learnBlock(seen []exhibit) error {
	const side = 2 * blockSide // half a square more each way: what is blurred or shines
	overlays := make([]overlay, side*side)
	sum, n := vision.NewMap(side, side), vision.NewMap(side, side)
	for _, s := range seen {
		g := f.as(s)
		_, shape, err := g.turn(s)
		if err != nil {
			return err
		}
		s.symbol.Shape = shape
		c, err := correlation(s.view, s.mask, g.expected(s, shape), view.Tuned.Slack)
		if err != nil {
			return err
		}
		g.addSquares(&sum, &n, overlays, s, c.Off)
	}
	for i := range sum.V {
		if n.V[i] > 0 {
			sum.V[i] /= n.V[i]
		}
	}
	f.block = sum
	if f.outline != nil {
		f.layers = layers{vision.NewMap(side, side), vision.NewMap(side, side)}
		for i := range overlays {
			f.layers.fill.V[i], f.layers.edge.V[i] = overlays[i].solve()
		}
	}
	return nil
}

// fit finds the grid of pieces like one by some sightings, and what its squares
// show by others: the grid with each of the squares that are usual, then with the mean
// of what is seen there, and of these the best.
func (d *gridder) fit(like witness.Symbol, grid, blocks []exhibit) (*pieceTemplate, error) {
	var best *pieceTemplate
	most := -1.0
	try := func(room float64, tilts []float64, tell []exhibit) error {
		for _, block := range usualBlocks() {
			f := &pieceTemplate{symbol: witness.Symbol{Kind: like.Kind, Turnable: like.Turnable}, room: room, block: block, outline: d.outline}
			if err := f.lay(tell, tilts); err != nil {
				return err
			}
			if err := f.learnBlock(blocks); err != nil {
				return err
			}
			fit, _, err := f.fit(tell, true)
			if err != nil {
				return err
			}
			if fit > most {
				best, most = f, fit
			}
		}
		return nil
	}
	few := telling(grid, 4)
	if err := try(0, usualTilts(few), few); err != nil {
		return nil, err
	}
	// Where one spacing for all is unlike what is seen, long pieces may be drawn smaller.
	all := telling(grid, 8)
	var err error
	if most, _, err = best.fit(all, true); err != nil {
		return nil, err
	}
	if d.smaller && most < view.Nearly {
		one, tilts := best, []float64{best.tilt}
		for _, s := range all {
			if err := try(s.longest(), tilts, all); err != nil {
				return nil, err
			}
		}
		gain, err := best.gain(one, all)
		if err != nil {
			return nil, err
		}
		d.gain += gain
	}
	for range 2 {
		if err := best.settle(grid); err != nil {
			return nil, err
		}
		if err := best.learnBlock(blocks); err != nil {
			return nil, err
		}
	}
	if !best.symbol.Turnable {
		best.tilt = 0
	}
	return best, nil
}

// gain is by how much better than another form, which has all sightings of one spacing, one
// explains those that it has drawn smaller, as the logarithm of a misfit, all together.
func (f *pieceTemplate) gain(one *pieceTemplate, seen []exhibit) (float64, error) {
	long := slices.DeleteFunc(slices.Clone(seen), func(s exhibit) bool {
		n := witness.Extent(s.symbol.Shape)
		return f.as(s).spacingOf(n.X, n.Y) == f.spacing
	})
	if len(long) == 0 {
		return 0, nil
	}
	other, _, err := one.fit(long, true)
	if err != nil {
		return 0, err
	}
	own, _, err := f.fit(long, true)
	return float64(len(long)) * (misfitOf(other, view.Tuned.LearnedNoise()) - misfitOf(own, view.Tuned.LearnedNoise())), err
}

// usualBlocks are squares of a piece as they are taken to look before one was seen:
// full but for the rim, touching each other, and within an outline.
func usualBlocks() (out []vision.Map) {
	for _, rim := range []float32{0, 1, 2} {
		m := vision.NewMap(blockSide, blockSide)
		for b := range blockSide {
			for a := range blockSide {
				if m.V[b*blockSide+a] = 1; a == 0 || b == 0 || a == blockSide-1 || b == blockSide-1 {
					m.V[b*blockSide+a] = rim
				}
			}
		}
		out = append(out, m)
	}
	return out
}

// telling are the largest of some pieces, n of those that are upright and of the others:
// they tell most.
func telling(seen []exhibit, most int) []exhibit {
	seen = slices.Clone(seen)
	slices.SortStableFunc(seen, func(a, b exhibit) int { return len(b.symbol.Shape) - len(a.symbol.Shape) })
	n := map[bool]int{}
	return slices.DeleteFunc(seen, func(s exhibit) bool {
		n[s.symbol.Turnable]++
		return n[s.symbol.Turnable] > most
	})
}

// fit is the mean correlation with sightings, each weighed by its squares: of one or two
// a grid that is too wide may do. What may be turned is taken in the turn that fits best
// where turn says so, as it is otherwise. It gives the sightings in their turns too.
func (f *pieceTemplate) fit(seen []exhibit, turn bool) (float64, []exhibit, error) {
	sum, n := 0.0, 0.0
	turned := slices.Clone(seen)
	for i, s := range seen {
		g := f.as(s)
		g.symbol.Turnable = g.symbol.Turnable && turn
		c, shape, err := g.turn(s)
		if err != nil {
			return 0, nil, err
		}
		turned[i].symbol.Shape = shape
		k := float64(len(s.symbol.Shape))
		sum, n = sum+k*c, n+k
	}
	return sum / n, turned, nil
}

// usualTilts are the tilts, in radians, that pieces may have of which some were sighted.
func usualTilts(seen []exhibit) (tilts []float64) {
	if !slices.ContainsFunc(seen, func(s exhibit) bool { return s.symbol.Turnable }) {
		return []float64{0}
	}
	for k := -9; k < 9; k++ {
		tilts = append(tilts, float64(k)*math.Pi/36)
	}
	return tilts
}

// lay finds the spacing, in pitches, and of some tilts that by which a piece's squares
// correlate best with sightings, roughly.
func (f *pieceTemplate) lay(seen []exhibit, tilts []float64) error {
	best, g := -1.0, *f
	for g.spacing = 0.08; g.spacing <= 0.3; g.spacing += 0.02 {
		for _, g.tilt = range tilts {
			c, _, err := g.fit(seen, true)
			if err != nil {
				return err
			}
			if c > best {
				best, f.spacing, f.tilt = c, g.spacing, g.tilt
			}
		}
	}
	return nil
}

// longest is how long a sighted piece is, in pitches, upright or level, by what shows.
func (s *exhibit) longest() float64 {
	lo, hi := image.Pt(cellSide, cellSide), image.Point{}
	for k, v := range s.mask.V {
		if at := image.Pt(k%cellSide, k/cellSide); v > 0.5 {
			lo, hi = image.Pt(min(lo.X, at.X), min(lo.Y, at.Y)), image.Pt(max(hi.X, at.X), max(hi.Y, at.Y))
		}
	}
	return float64(max(hi.X-lo.X, hi.Y-lo.Y)+1) / cellSide
}

// settle finds them finely.
func (f *pieceTemplate) settle(seen []exhibit) error {
	best, seen, err := f.fit(telling(seen, 6), true)
	if err != nil {
		return err
	}
	tilted := slices.ContainsFunc(seen, func(s exhibit) bool { return s.symbol.Turnable })
	for _, step := range []float64{0.01, 0.005, 0.0025} {
		at := *f
		for _, ds := range []float64{-step, 0, step} {
			for _, dt := range []float64{-4 * step, 0, 4 * step} {
				if !tilted && dt != 0 || ds == 0 && dt == 0 {
					continue
				}
				g := at
				g.spacing, g.tilt = at.spacing+ds, at.tilt+dt
				c, _, err := g.fit(seen, false)
				if err != nil {
					return err
				}
				if c > best {
					best, f.spacing, f.tilt = c, g.spacing, g.tilt
				}
			}
		}
	}
	return nil
}

// addSquares adds what each square of a sighted piece shows, and counts it; its shape
// lies off by some samples of the cell's view. What is round a square is its own where
// no other square is as near.
func (f *pieceTemplate) addSquares(sum, count *vision.Map, overlays []overlay, s exhibit, off image.Point) {
	n := witness.Extent(s.symbol.Shape)
	rim := (sum.W - blockSide) / 2
	sin, cos := math.Sincos(f.tilt)
	spacing := f.spacingOf(n.X, n.Y)
	for _, q := range s.symbol.Shape {
		for b := range sum.H {
			for a := range sum.W {
				// In squares from this one's middle.
				u, w := (float64(a-rim)+0.5)/blockSide-0.5, (float64(b-rim)+0.5)/blockSide-0.5
				own := max(math.Abs(u), math.Abs(w))
				if slices.ContainsFunc(s.symbol.Shape, func(o image.Point) bool {
					return o != q && max(math.Abs(u-float64(o.X-q.X)), math.Abs(w-float64(o.Y-q.Y))) <= own
				}) {
					continue
				}
				u, w = (u+float64(q.X)-float64(n.X-1)/2)*spacing, (w+float64(q.Y)-float64(n.Y-1)/2)*spacing
				x, y := u*cos-w*sin, w*cos+u*sin
				x, y = (x+0.5)*cellSide-0.5+float64(off.X), (y+0.5)*cellSide-0.5+float64(off.Y)
				sum.V[b*sum.W+a] += sampled(s.mask, x, y)
				count.V[b*sum.W+a]++
				if f.outline != nil {
					g := s.view.ground
					overlays[b*sum.W+a].add(s.own.Sub(g), f.outline.Sub(g), s.view.strayAt(x, y))
				}
			}
		}
	}
}

// turn is the turn of a turnable piece's shape that correlates best with what is
// seen; the shape itself of another.
func (f *pieceTemplate) turn(s exhibit) (float64, []image.Point, error) {
	best, is := -1.0, s.symbol.Shape
	shape := s.symbol.Shape
	for k := range 4 {
		c, err := correlation(s.view, s.mask, f.expected(s, shape), view.Tuned.Slack)
		if err != nil {
			return 0, nil, err
		}
		if c.Score > best {
			best, is = c.Score, shape
		}
		if !f.symbol.Turnable || k == 3 {
			break
		}
		next := make([]image.Point, len(shape))
		for i, q := range shape {
			next[i] = image.Pt(-q.Y, q.X)
		}
		shape = witness.TidyShape(next)
	}
	return best, is, nil
}
