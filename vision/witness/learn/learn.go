package learn

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
	"onlooker/vision/witness/colour"
	"onlooker/vision/witness/look"
	"onlooker/vision/witness/shape"
	"onlooker/vision/witness/view"
)

// covers notes what circles and dots cover on lessons. Circles come first: what they cover
// is no edge's and no cell's.
func covers(lessons []look.Lesson) {
	for _, l := range lessons {
		l.Model.Known.Learning = true
		l.Model.Lines.Covered(l.Panel)
	}
}

// Look learns a look from boards of which it is known what they show: sizes,
// divides and templates; what places look like from boards composed of them as well, if
// that is wanted.
func Look(base *calibrations.Profile, drawn drawing.Forms, lessons []look.Lesson, compose bool) (*calibrations.Profile, []string, error) {
	p := *base
	p.Learned = calibrations.Learned{Divides: map[string]calibrations.Range{}}
	// What the base's game lays over its picture is none of this look's.
	p.Board.Cursor = calibrations.Cursor{}
	covers(lessons)
	learnLines(&p, lessons)
	for _, l := range lessons {
		l.Model.Cells.On(l.Panel)
	}
	look.LearnGround(&p, lessons)
	look.LearnLoose(&p, lessons)
	shown := lessons
	if compose {
		more := compositions(lessons)
		covers(more)
		shown = slices.Concat(lessons, more)
	}
	learnPlaces(&p, shown)
	learnDots(&p, lessons)
	missing, err := learnSizes(&p, lessons)
	if err != nil {
		return nil, nil, err
	}
	seen := symbolsOf(lessons)
	if len(seen) < 2 {
		return nil, nil, fmt.Errorf("%d symbols in all the screenshots: too few to tell colours apart; show boards with more", len(seen))
	}
	outline := learnOutline(&p, lessons, seen)
	for _, form := range drawn {
		kind, of := form.Kind.Word(), ofKind(seen, form.Kind)
		if len(of) == 0 {
			missing = append(missing, kind)
			continue
		}
		switch {
		case form.Kind.IsPiece(): // below
		case outline != nil:
			learnLayered(&p, kind, of, *outline)
		default:
			learnForms(&p, kind, of)
		}
	}
	learnPieces(&p, drawn, seen, outline)
	learnColours(&p, lessons)
	return &p, missing, nil
}

// symbolsOf are the symbols of lessons.
func symbolsOf(lessons []look.Lesson) (seen []look.Sample) {
	for board, l := range lessons {
		for at := range l.Panel.Points() {
			if q := l.Panel.At(at); witness.IsCell(at) && q.Kind != witness.NoSymbol {
				v := l.Model.Cells.CellAt(at)
				s := look.Sample{Symbol: q.Symbol, View: v, Mask: v.Mask(), Board: board}
				if q.Kind.IsPiece() {
					s.Symbol.Shape = witness.NormalShape(s.Symbol.Shape)
				}
				seen = append(seen, s)
			}
		}
	}
	return seen
}

// ofKind are those of some symbols that are of a kind.
func ofKind(seen []look.Sample, kind witness.Kind) []look.Sample {
	return slices.DeleteFunc(slices.Clone(seen), func(s look.Sample) bool { return s.Symbol.Kind != kind })
}

// learnLines learns the colours of lines, by which boards are found: those that differ
// by more than a part of the least contrast between lines and cells. What outlines them in
// a colour that is no mix of theirs and the cells' is of the lines too.
func learnLines(p *calibrations.Profile, lessons []look.Lesson) {
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
		return append(names, string(colour.Hex(c)))
	}
	for _, l := range lessons {
		p.Board.Lines = add(p.Board.Lines, &lines, l.Board.Ink)
		if c, off, width := rim(&l); off > p.Board.LinesWithin/2 {
			p.Board.Rims = add(p.Board.Rims, &rims, c)
			beyond = append(beyond, width)
		}
	}
	if 2*len(beyond) > len(lessons) {
		p.Board.RimWidth = shape.Round3(vision.Median(beyond))
	}
	for i := range lessons {
		lessons[i].Model.Lines.Bleed += p.Board.RimWidth
		lessons[i].Model.Cells.Outlined = len(p.Board.Rims) > 0
	}
}

// rim is the colour of what is seen along the borders of lines, how far it is from all
// mixes of the lines' colour and the cells', and how far beyond the lines it is seen, in
// pitches.
func rim(l *look.Lesson) (rim vision.RGB, off, beyond float64) {
	step := 0.5 / l.Board.ScreenPitch // half a pixel of the frame
	across := map[float64]vision.RGB{}
	for d := 0.0; d < l.LineWidth/2+4*l.Model.Lines.Bleed; d += step {
		c, ok := beside(l, d)
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
func beside(l *look.Lesson, d float64) (vision.RGB, bool) {
	var seen []vision.RGB
	for at := range l.Panel.Points() {
		if q := l.Panel.At(at); !witness.IsEdge(at) || q.Gap != witness.Whole || q.Start || q.Dot.On {
			continue
		}
		ux, uy := witness.EdgeDirection(at)
		for _, side := range []float64{-1, 1} {
			if l.Panel.At(at.Add(image.Pt(int(side*uy), int(side*ux)))) == nil {
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
func learnColours(p *calibrations.Profile, lessons []look.Lesson) {
	all := shadesOf(p, lessons)
	across := sameNames(all)
	inks := inksOf(all, across, p.Learned.Outline != "")
	for i := range p.Learned.Forms {
		o := &p.Learned.Forms[i]
		f := colour.Formed{Kind: o.Kind, Count: o.Count}
		o.Ink, o.Colours = inks[f], coloursOf(all, inks, f)
	}
	for i := range p.Learned.Pieces {
		o := &p.Learned.Pieces[i]
		f := colour.Formed{Kind: o.Kind, Count: 0}
		o.Ink, o.Colours = inks[f], coloursOf(all, inks, f)
	}
	learnShades(p, all, inks)
	same, two := spreadOf(all, across, inks)
	delete(p.Learned.Divides, look.DivideColour)
	if len(two) == 0 {
		return
	}
	// Of a look that shows no colour twice on one board nothing is known of the first. The
	// usual steps were measured on more, and stay where they agree.
	a, b := slices.Max(append(same, 0)), slices.Min(two)
	if u := colour.UsualSteps(); len(same) > 0 && a < b && (a > view.Mostly*u.Divide || b < (1+view.Clearly)*u.Divide) {
		p.Learned.Divides[look.DivideColour] = calibrations.Range{shape.Round3(a), shape.Round3(b)}
	}
}

// A shade is the colour of a symbol that is known.
type shade struct {
	colour.Formed
	name witness.Colour
	cols map[calibrations.Ink]vision.RGB

	rimmed bool // in a colour farther from the ground
}

// A shaded board has symbols, and is so bright.
type shaded struct {
	of     []shade
	bright float64
}

// shadesOf are the colours of the symbols on all boards.
func shadesOf(p *calibrations.Profile, lessons []look.Lesson) (all []shaded) {
	known := look.LibraryOf(p, lessons[0].Forms)
	for _, l := range lessons {
		board := shaded{bright: colour.Bright(l.Model.View)}
		for at := range l.Panel.Points() {
			q := l.Panel.At(at)
			if !witness.IsCell(at) || q.Kind == witness.NoSymbol {
				continue
			}
			v := l.Model.Cells.CellAt(at)
			if known.Outline == nil {
				v.Along()
			}
			list := known.Candidates(v, view.Tuned.Slack, q.Symbol)
			k := slices.IndexFunc(list, func(c look.Candidate) bool { return witness.SameMeaning(c.Symbol, q.Symbol) })
			if k < 0 {
				continue
			}
			s := shade{Formed: colour.Formed{Kind: q.Kind.Word(), Count: q.Count}, name: q.Colour, cols: map[calibrations.Ink]vision.RGB{}}
			s.cols[calibrations.InkDeep] = v.Colour(&list[k])
			for _, ink := range []calibrations.Ink{calibrations.InkSolid, calibrations.InkDrawn, calibrations.InkFill} {
				c := list[k]
				c.Ink = ink
				s.cols[ink] = v.Colour(&c)
			}
			s.rimmed = known.Outline != nil && known.Outline.Dist(v.Ground) > s.cols[calibrations.InkFill].Dist(v.Ground)
			board.of = append(board.of, s)
		}
		all = append(all, board)
	}
	return all
}

// coloursOf are the colours of what is drawn alike, each once.
func coloursOf(all []shaded, inks map[colour.Formed]calibrations.Ink, of colour.Formed) (out []string) {
	for _, board := range all {
		for _, s := range board.of {
			if name := string(colour.Hex(s.cols[inks[of]])); s.Formed == of && !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

// inksOf tells where symbols have their colour: so that on one board those of one colour
// are as like each other, and those of two as unlike, as can be. Where symbols are outlined
// in a colour of its own it is the rest of them unless another tells more, and is not what is
// farthest from the ground where that is the outline.
func inksOf(all []shaded, across []shadePair, outlined bool) map[colour.Formed]calibrations.Ink {
	var forms []colour.Formed
	for _, board := range all {
		for _, s := range board.of {
			if !slices.Contains(forms, s.Formed) {
				forms = append(forms, s.Formed)
			}
		}
	}
	best := map[colour.Formed]calibrations.Ink{}
	inks := []calibrations.Ink{calibrations.InkDeep, calibrations.InkSolid, calibrations.InkDrawn}
	if outlined {
		inks = append(inks, calibrations.InkFill)
		for _, f := range forms {
			best[f] = calibrations.InkFill
		}
	}
	least := confused(spreadOf(all, across, best))
	try := func(ink calibrations.Ink, of ...colour.Formed) bool {
		o := maps.Clone(best)
		for _, f := range of {
			if ink != calibrations.InkDrawn || !rimmed(all, f) {
				o[f] = ink
			}
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
	forms = slices.DeleteFunc(forms, func(f colour.Formed) bool { return !again(all, f) })
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

// rimmed tells whether of what is drawn so an outline is farther from the ground than the rest.
func rimmed(all []shaded, of colour.Formed) bool {
	return slices.ContainsFunc(all, func(board shaded) bool {
		return slices.ContainsFunc(board.of, func(s shade) bool { return s.Formed == of && s.rimmed })
	})
}

// again tells whether another symbol on the same board has the colour of one that is drawn
// so.
func again(all []shaded, of colour.Formed) bool {
	for _, board := range all {
		for i, a := range board.of {
			for k, b := range board.of {
				if i != k && a.Formed == of && a.name == b.name {
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
	u := colour.UsualSteps()
	for _, d := range same {
		sum += min(1, d/u.Divide) / float64(len(same))
	}
	for _, d := range two {
		sum += max(0, 1-d/u.Clear) / float64(len(two))
	}
	return sum
}

// spreadOf is by what shares of a board's brightest colour the colours of two symbols on
// it differ, of those that share a name and of those that do not; those of pairs across
// boards share one, too.
func spreadOf(all []shaded, across []shadePair, inks map[colour.Formed]calibrations.Ink) (same, two []float64) {
	for _, board := range all {
		scale := board.brightest(inks)
		for i, a := range board.of {
			for _, b := range board.of[:i] {
				if d := colour.ColourStep(a.cols[inks[a.Formed]], b.cols[inks[b.Formed]]) / scale; a.name == b.name {
					same = append(same, d)
				} else {
					two = append(two, d)
				}
			}
		}
	}
	for _, p := range across {
		ink := inks[p.a.Formed]
		same = append(same, colour.ColourStep(p.a.cols[ink], p.b.cols[ink])/p.bright)
	}
	return same, two
}

// A shadePair is two symbols on two boards that are drawn alike and share a name, with how
// bright the brighter board is.
type shadePair struct {
	a, b   shade
	bright float64
}

// sameNames are the pairs across boards where a name is one colour on all of them, by that
// of squares and stars, which are large and have theirs deep within; else none.
func sameNames(all []shaded) (pairs []shadePair) {
	seen := false
	for i, board := range all {
		for _, other := range all[:i] {
			bright := max(board.brightest(nil), other.brightest(nil))
			for _, a := range board.of {
				for _, b := range other.of {
					if a.Formed != b.Formed || a.name != b.name {
						continue
					}
					pairs = append(pairs, shadePair{a, b, bright})
					if a.Kind == witness.Square.Word() || a.Kind == witness.Star.Word() {
						if seen = true; colour.ColourStep(a.cols[calibrations.InkDeep], b.cols[calibrations.InkDeep])/bright >= colour.UsualSteps().Alike {
							return nil
						}
					}
				}
			}
		}
	}
	if !seen {
		return nil
	}
	return pairs
}

// learnForms makes templates of one kind's sightings: those that are alike are one
// template, their mean.
func learnForms(p *calibrations.Profile, kind string, seen []look.Sample) {
	t := view.Tuned
	type group struct {
		symbol witness.Symbol
		sum    vision.Map
		of     []look.Sample
	}
	var groups []*group
	for _, s := range seen {
		var best *group
		most := vision.Matched{Score: view.Nearly}
		for _, g := range groups {
			if !witness.SameSymbol(g.symbol, s.Symbol) {
				continue
			}
			if c := look.Correlation(s.View, s.Mask, g.sum, t.Slack); c.Score > most.Score {
				best, most = g, c
			}
		}
		if best == nil {
			best = &group{symbol: s.Symbol, sum: vision.NewMap(look.CellSide, look.CellSide)}
			groups = append(groups, best)
			most.Off = image.Point{}
		}
		best.of = append(best.of, s)
		for j := range look.CellSide {
			for i := range look.CellSide {
				if x, y := i+most.Off.X, j+most.Off.Y; x >= 0 && y >= 0 && x < look.CellSide && y < look.CellSide {
					best.sum.V[j*look.CellSide+i] += s.Mask.V[y*look.CellSide+x]
				}
			}
		}
	}
	for _, g := range groups {
		mean := vision.NewMap(look.CellSide, look.CellSide)
		for i, v := range g.sum.V {
			mean.V[i] = v / float32(len(g.of))
		}
		floor, least := look.FloorOf(g.of, func(s look.Sample) vision.Map { return mean })
		p.Learned.Forms = append(p.Learned.Forms, calibrations.Form{
			Kind: kind, Count: g.symbol.Count, Way: wayOf(g.symbol), Seen: len(g.of), Floor: floor, Least: least, Mask: shape.GreyOf(mean),
			File: fmt.Sprintf("mask-%02d-%s.png", len(p.Learned.Forms)+1, look.FileName(kind)),
		})
	}
}

// wayOf is a symbol's direction as a profile has it; nil: it has none.
func wayOf(s witness.Symbol) []int {
	if s.Way == (image.Point{}) {
		return nil
	}
	return []int{s.Way.X, s.Way.Y}
}

// composed is how many sightings are of pieces of several squares: one alone does not
// tell how far apart squares are.
func composed(seen []look.Sample) (n int) {
	for _, s := range seen {
		if len(s.Symbol.Shape) > 1 {
			n++
		}
	}
	return n
}

// as is a form for what one sighting shows: upright pieces are not tilted, and others may be drawn
// in another size.
func as(f *look.PieceTemplate, s look.Sample) *look.PieceTemplate {
	g := *f
	switch g.Symbol.Turnable = s.Symbol.Turnable; {
	case !g.Symbol.Turnable:
		g.Tilt = 0
	case f.Turned > 0:
		g.Spacing *= f.Turned
	}
	g.Turned = 0
	return &g
}

// learnBlock takes the mean of what the squares of sightings in their turns show.
func learnBlock(f *look.PieceTemplate, seen []look.Sample) {
	const side = 2 * look.BlockSide // half a square more each way: what is blurred or shines
	overlays := make([]overlay, side*side)
	sum, n := vision.NewMap(side, side), vision.NewMap(side, side)
	for _, s := range seen {
		g := as(f, s)
		c := look.Correlation(s.View, s.Mask, expected(g, s, s.Symbol.Shape), view.Tuned.Slack)
		addSquares(g, &sum, &n, overlays, s, c.Off)
	}
	for i := range sum.V {
		if n.V[i] > 0 {
			sum.V[i] /= n.V[i]
		}
	}
	f.Block = sum
	if f.Outline != nil {
		f.Layers = look.Layers{Fill: vision.NewMap(side, side), Edge: vision.NewMap(side, side)}
		for i := range overlays {
			f.Layers.Fill.V[i], f.Layers.Edge.V[i] = overlays[i].solve()
		}
	}
}

// usualBlocks are squares of a piece as they are taken to look before one was seen:
// full but for the rim, touching each other, and within an outline.
func usualBlocks() (out []vision.Map) {
	for _, rim := range []float32{0, 1, 2} {
		m := vision.NewMap(look.BlockSide, look.BlockSide)
		for b := range look.BlockSide {
			for a := range look.BlockSide {
				if m.V[b*look.BlockSide+a] = 1; a == 0 || b == 0 || a == look.BlockSide-1 || b == look.BlockSide-1 {
					m.V[b*look.BlockSide+a] = rim
				}
			}
		}
		out = append(out, m)
	}
	return out
}

// telling are the largest of some pieces, n of those that are upright and of the others:
// they tell most.
func telling(seen []look.Sample, most int) []look.Sample {
	seen = slices.Clone(seen)
	slices.SortStableFunc(seen, func(a, b look.Sample) int { return len(b.Symbol.Shape) - len(a.Symbol.Shape) })
	n := map[bool]int{}
	return slices.DeleteFunc(seen, func(s look.Sample) bool {
		n[s.Symbol.Turnable]++
		return n[s.Symbol.Turnable] > most
	})
}

// fit is the mean correlation with sightings, each weighed by its squares: of one or two
// a grid that is too wide may do. What may be turned is taken in the turn that fits best
// where turn says so, as it is otherwise. It gives the sightings in their turns too.
func fit(f *look.PieceTemplate, seen []look.Sample, turn bool) (float64, []look.Sample) {
	sum, n := 0.0, 0.0
	turned := slices.Clone(seen)
	for i, s := range seen {
		g := as(f, s)
		g.Symbol.Turnable = g.Symbol.Turnable && turn
		c, shape := turnBlock(g, s)
		turned[i].Symbol.Shape = shape
		k := float64(len(s.Symbol.Shape))
		sum, n = sum+k*c, n+k
	}
	return sum / n, turned
}

// usualTilts are the tilts, in radians, that pieces may have of which some were sighted.
func usualTilts(seen []look.Sample) (tilts []float64) {
	if !slices.ContainsFunc(seen, func(s look.Sample) bool { return s.Symbol.Turnable }) {
		return []float64{0}
	}
	for k := -9; k < 9; k++ {
		tilts = append(tilts, float64(k)*math.Pi/36)
	}
	return tilts
}

// lay finds the spacing, in pitches, and of some tilts that by which a piece's squares
// correlate best with sightings, roughly.
func lay(f *look.PieceTemplate, seen []look.Sample, tilts []float64) {
	best, g := -1.0, *f
	for g.Spacing = 0.08; g.Spacing <= 0.3; g.Spacing += layStep {
		for _, g.Tilt = range tilts {
			if c, _ := fit(&g, seen, true); c > best {
				best, f.Spacing, f.Tilt = c, g.Spacing, g.Tilt
			}
		}
	}
}

// longest is how long a sighted piece is, in pitches, upright or level, by what shows.
func longest(s *look.Sample) float64 {
	lo, hi := image.Pt(look.CellSide, look.CellSide), image.Point{}
	for k, v := range s.Mask.V {
		if at := image.Pt(k%look.CellSide, k/look.CellSide); v > 0.5 {
			lo, hi = image.Pt(min(lo.X, at.X), min(lo.Y, at.Y)), image.Pt(max(hi.X, at.X), max(hi.Y, at.Y))
		}
	}
	return float64(max(hi.X-lo.X, hi.Y-lo.Y)+1) / look.CellSide
}

// addSquares adds what each square of a sighted piece shows, and counts it; its shape
// lies off by some samples of the cell's view. What is round a square is its own where
// no other square is as near.
func addSquares(f *look.PieceTemplate, sum, count *vision.Map, overlays []overlay, s look.Sample, off image.Point) {
	n := witness.Extent(s.Symbol.Shape)
	rim := (sum.W - look.BlockSide) / 2
	sin, cos := math.Sincos(f.Tilt)
	spacing, mid := f.SpacingOf(n.X, n.Y), f.Middle(s.Symbol.Shape)
	for _, q := range s.Symbol.Shape {
		for b := range sum.H {
			for a := range sum.W {
				// In squares from this one's middle.
				u, w := (float64(a-rim)+0.5)/look.BlockSide-0.5, (float64(b-rim)+0.5)/look.BlockSide-0.5
				own := max(math.Abs(u), math.Abs(w))
				if slices.ContainsFunc(s.Symbol.Shape, func(o image.Point) bool {
					return o != q && max(math.Abs(u-float64(o.X-q.X)), math.Abs(w-float64(o.Y-q.Y))) <= own
				}) {
					continue
				}
				u, w = (u+float64(q.X)-float64(n.X-1)/2)*spacing, (w+float64(q.Y)-float64(n.Y-1)/2)*spacing
				x, y := u*cos-w*sin-mid[0], w*cos+u*sin-mid[1]
				x, y = (x+0.5)*look.CellSide-0.5+float64(off.X), (y+0.5)*look.CellSide-0.5+float64(off.Y)
				sum.V[b*sum.W+a] += look.Sampled(s.Mask, x, y)
				count.V[b*sum.W+a]++
				if f.Outline != nil {
					g := s.View.Ground
					overlays[b*sum.W+a].add(s.Own.Sub(g), f.Outline.Sub(g), s.View.StrayAt(x, y))
				}
			}
		}
	}
}

// turnBlock is the turn of a turnable piece's shape that correlates best with what is
// seen; the shape itself of another.
func turnBlock(f *look.PieceTemplate, s look.Sample) (float64, []image.Point) {
	best, is := -1.0, s.Symbol.Shape
	shape := s.Symbol.Shape
	for k := range 4 {
		if c := look.Correlation(s.View, s.Mask, expected(f, s, shape), view.Tuned.Slack); c.Score > best {
			best, is = c.Score, shape
		}
		if !f.Symbol.Turnable || k == 3 {
			break
		}
		next := make([]image.Point, len(shape))
		for i, q := range shape {
			next[i] = image.Pt(-q.Y, q.X)
		}
		shape = witness.NormalShape(next)
	}
	return best, is
}
