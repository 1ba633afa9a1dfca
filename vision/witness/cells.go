package witness

import (
	"image"
	"math"
	"slices"

	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/witness/view"
)

// cells reads what stands in the cells, and which have one colour.
func (s *cellReader) cells(p *witness.Panel, starts []image.Point, pointer func() (view.Disc, bool)) error {
	var all []image.Point
	for at := range p.Points() {
		if witness.IsCell(at) {
			all = append(all, at)
		}
	}
	// Reading cells takes most of the time, and none depends on another.
	seen := make([]seenSymbol, len(all))
	vision.SideBySide(len(all), func(i int) { seen[i] = s.see(all[i], starts, pointer) })
	s.faintCells(all, seen)
	if err := s.likeNone(p, all, seen); err != nil {
		return err
	}
	var cells []image.Point
	var cols []vision.RGB
	var stains []*stain
	for i, at := range all {
		if seen[i].stain != nil && seen[i].err == nil {
			if s.oddlyLarge(seen, i) {
				seen[i].err = view.Unsure(at, "%s of another size than the others", seen[i].symbol.Kind.Called())
			} else {
				seen[i].err = s.judge(at, seen[i].weighed, together(seen, i, s.odds.Temperature)+s.ofBlue(all, seen, i))
			}
			full := func() bool { return seen[i].err == nil && seen[i].symbol.Kind == witness.Polyomino }
			// In the game blue pieces are outlines; other clients draw all pieces full.
			if full() && seen[i].stain.blue() {
				seen[i].err = view.Unsure(at, "a piece of full squares that is blue: one to take away, or not; calibrate")
			}
			if seen[i].err != nil && seen[i].evidence < seen[i].besides { // it may be its twin
				seen[i].err = s.byColour(all, seen, i, seen[i].err)
			}
			// 637 pieces on 800 drawn boards fit better as outlines by 0.09 at most, but for one by
			// 0.25, 51 on captures by 0; two small outlined ones of another look by 0.31 and 0.39.
			if off := seen[i].outlined; full() && off > view.Clearly*s.odds.clear() {
				seen[i].err = view.Unsure(at, "a piece of full squares, or of outlines that are thicker than this look's: %.2f; calibrate", off)
			}
		}
		if err := s.Doubt(view.APlace, at, seen[i].err); err != nil {
			return err
		}
		if seen[i].stain == nil || seen[i].err != nil {
			continue
		}
		p.At(at).Symbol = seen[i].symbol
		cells, cols, stains = append(cells, at), append(cols, seen[i].stain.col), append(stains, seen[i].stain)
	}
	return s.colours(p, cells, cols, stains)
}

// see tells what one cell shows.
func (s *cellReader) see(cell image.Point, starts []image.Point, pointer func() (view.Disc, bool)) seenSymbol {
	st, err := s.stain(cell, starts)
	seen := seenSymbol{stain: st, err: err, faint: st == nil}
	if st == nil {
		if err != nil {
			if v, found := pointer(); found && pointerAlone(v, s.View, cell, nil) {
				return seenSymbol{pointer: true}
			}
		}
		return seen
	}
	if v, found := pointer(); found && overSymbol(v, s.View, cell, st) {
		if pointerAlone(v, s.View, cell, st) {
			return seenSymbol{pointer: true}
		}
		seen.err = view.Unsure(cell, "the pointer lies over what is in the cell")
		return seen
	}
	seen.weighed, seen.err = s.weigh(cell, st)
	return seen
}

// faintCells compares cells with those that are empty: what differs little from one of
// these is unsure, or empty where what it shows is in doubt.
func (s *cellReader) faintCells(cells []image.Point, seen []seenSymbol) {
	clear := make([]bool, len(seen)) // those that are empty beyond doubt
	for i := range seen {
		clear[i] = seen[i].empty()
	}
	for i, at := range cells {
		if seen[i].pointer || clear[i] {
			continue
		}
		// Symbols differ from empty cells by 0.24 of the contrast and more, empty ones from each
		// other by 0.21 at most. Of what is so faint that it was taken for none symbols differ by
		// 0.155 and more, light that falls on the cell by 0.12 at most; into hollow cells it falls
		// in many ways.
		divide := view.Slightly
		if seen[i].stain == nil {
			divide = 0.5 * view.Clearly
		}
		least := 1.0
		for k, o := range cells {
			if clear[k] {
				least = min(least, s.unlike(at, o, divide))
			}
		}
		if least < divide && (seen[i].stain != nil || s.relief == nil) {
			seen[i] = seenSymbol{faint: true, err: s.Told(at, view.Sure(least, divide, 0), "an empty cell, or something faint")}
		}
	}
}

// likeNone tells which of the cells that are faint and in doubt are empty: those that
// look like no symbol's template, as noise and what shines into a cell do.
func (s *cellReader) likeNone(p *witness.Panel, cells []image.Point, seen []seenSymbol) error {
	if s.Board.Round() {
		return nil
	}
	// A veil's edge is like no symbol either.
	veiled := func(at image.Point) bool {
		return slices.ContainsFunc(s.Discs, func(v view.Disc) bool { return reachesCell(v, s.View, at) })
	}
	var doubtful []int // of cells
	var places []image.Point
	for i, at := range cells {
		if seen[i].faint && seen[i].err != nil && !veiled(at) {
			doubtful, places = append(doubtful, i), append(places, at)
		}
	}
	if doubtful == nil {
		return nil
	}
	empties, err := s.empties(p, places)
	if err != nil {
		return err
	}
	for k, i := range doubtful {
		if empty := empties[k]; empty >= s.Profile.Board.Confidence {
			seen[i] = seenSymbol{}
			s.Lower(empty)
		}
	}
	return nil
}

// unlike is how much two cells differ where a symbol would have parts, in units
// of the contrast, or 1 where that is more than most. A cell that looks like an
// empty one is empty, whatever its corners look like in the light of lines beside
// it or on walls that lead into it.
func (s *cellReader) unlike(a, b image.Point, most float64) float64 {
	// 0.17: where every symbol has parts, and lines shine little.
	const reach, step = 2 * 0.17, 2 * 0.03
	const side = 12 // from -reach to reach
	// A triangle's core is 2 % of it.
	var greatest [side*side/50 + 1]float64 // the greatest differences, in order
	for y := -reach; y <= reach; y += step {
		for x := -reach; x <= reach; x += step {
			off := s.At(float64(a.X)+x, float64(a.Y)+y).Dist(s.At(float64(b.X)+x, float64(b.Y)+y)) / s.Contrast()
			for k := range greatest {
				if off > greatest[k] {
					off, greatest[k] = greatest[k], off
				}
			}
			if greatest[len(greatest)-1] > most {
				return 1
			}
		}
	}
	return greatest[len(greatest)-1]
}

// border is how much the colour changes over four pixels of the frame about a cell's
// middle, where every symbol has parts, in units of the contrast.
func (s *cellReader) border(cell image.Point) float64 {
	const reach, step = 2 * 0.2, 2 * 0.02
	off := 2 * 2 / s.Board.ScreenPitch
	most := 0.0
	for y := -reach; y <= reach; y += step {
		for x := -reach; x <= reach; x += step {
			at := func(dx, dy float64) vision.RGB { return s.At(float64(cell.X)+x+dx, float64(cell.Y)+y+dy) }
			most = max(most, at(off, 0).Dist(at(-off, 0)), at(0, off).Dist(at(0, -off)))
		}
	}
	return most / s.Contrast()
}

// A seenSymbol is what was made of one cell; no stain: it is empty.
type seenSymbol struct {
	stain   *stain
	pointer bool // lies over it, and nothing is seen through that
	faint   bool // it is empty, or what it holds is faint
	weighed
	err error
}

// empty tells whether it is beyond doubt that a cell holds nothing, and nothing lies on it.
func (o *seenSymbol) empty() bool { return o.stain == nil && o.err == nil && !o.pointer }

// A weighed symbol is the one that fits a stain best, and what speaks for it.
type weighed struct {
	symbol   witness.Symbol
	rival    witness.Kind // of what it may be instead, where there is anything
	evidence float64      // see fit.go
	rivalled bool
	twin     float64 // the evidence against its twin, of a piece: see Twins
	besides  float64 // against all but that
	blue     float64 // the evidence against all blue pieces
	outlined float64 // see fitted
}

// symbol says which symbol a stain is: the one that fits best, as surely as it
// fits better than any other.
func (s *cellReader) symbol(at image.Point, st *stain) (witness.Symbol, error) {
	w, err := s.weigh(at, st)
	if err != nil {
		return witness.Symbol{}, err
	}
	return w.symbol, s.judge(at, w, 0)
}

// judge notes how sure a weighed symbol is, or says why it is unsure; more is
// evidence for it from elsewhere.
func (s *cellReader) judge(at image.Point, w weighed, more float64) error {
	if !w.rivalled {
		return nil
	}
	return s.Told(at, s.odds.sure(w.evidence+more), "%s or %s: %.2f", w.symbol.Kind.Called(), w.rival.Called(), w.evidence)
}

// sameHue tells whether what two cells show differs from them in the same hue: outlines
// are paler than what is filled.
func (s *cellReader) sameHue(cells []image.Point, seen []seenSymbol, i, k int) bool {
	axis := func(k int) vision.RGB { return seen[k].stain.col.Sub(s.UnlitGround(cells[k].X, cells[k].Y)) }
	a, b := axis(i), axis(k)
	return a.Dot(b) >= view.Nearly*math.Sqrt(a.Dot(a)*b.Dot(b))
}

// clearPiece tells whether a cell shows a piece of its kind without doubt: 0.3 is half as much
// again as is asked of one alone.
func (s *cellReader) clearPiece(o *seenSymbol) bool {
	return o.stain != nil && o.err == nil && o.rivalled && o.evidence >= view.Clearly*s.odds.clear() && o.symbol.Kind.IsPiece()
}

// ofBlue is what the clear blue pieces on the board take from the evidence for a symbol: all
// blue pieces have one hue, and nothing else has it.
func (s *cellReader) ofBlue(cells []image.Point, seen []seenSymbol, i int) float64 {
	w := seen[i].weighed
	for k := range seen {
		if k == i || !s.clearPiece(&seen[k]) || seen[k].symbol.Kind != witness.Negative {
			continue
		}
		switch same := s.sameHue(cells, seen, i, k); {
		case w.symbol.Kind == witness.Negative && !same:
			return -s.odds.Hue
		case w.symbol.Kind != witness.Negative && same:
			return min(0, w.blue-s.odds.Hue-w.evidence)
		}
	}
	return 0
}

// byColour tells a piece from a blue piece, whose squares are outlines, by all pieces of its
// colour: no panel of the game, nor any of 2,605 made by people, has both in one colour, so
// that what tells one of them from its twin tells this one too. doubt is returned where that
// is not enough.
func (s *cellReader) byColour(cells []image.Point, seen []seenSymbol, i int, doubt error) error {
	o := &seen[i]
	twin, besides, kind := o.twin+s.ofColour(cells, seen, i), o.besides, o.symbol.Kind
	if twin < 0 {
		// What speaks for the other is taken off, all of it.
		twin, besides, kind = -twin, besides-o.twin/s.odds.Twins, witness.TwinKind(kind)
	}
	certain := s.odds.sure(min(besides, twin))
	if certain < s.Profile.Board.Confidence {
		return doubt
	}
	if kind != o.symbol.Kind {
		o.symbol.Kind, o.twin = kind, -o.twin
	}
	s.Lower(certain)
	return nil
}

// ofColour is the evidence that the other pieces of a piece's colour have for its kind and
// against its twin's: those that are pieces beyond doubt, of either kind.
func (s *cellReader) ofColour(cells []image.Point, seen []seenSymbol, i int) (sum float64) {
	for k := range seen {
		o := &seen[k]
		if k == i || o.stain == nil || !o.symbol.Kind.IsPiece() || !o.rivalled ||
			s.odds.sure(o.besides) < s.Profile.Board.Confidence || !s.sameHue(cells, seen, i, k) {
			continue
		}
		if more := min(o.twin, s.odds.clear()); o.symbol.Kind == seen[i].symbol.Kind {
			sum += more
		} else {
			sum -= more
		}
	}
	return sum
}

// asLarge tells whether two stains are about as large as each other.
func (st *stain) asLarge(o *stain) bool {
	for k := range 2 {
		a, b := st.box[k+2]-st.box[k], o.box[k+2]-o.box[k]
		if max(a, b) > (1+view.Clearly)*min(a, b) {
			return false
		}
	}
	return true
}

// oddlyLarge tells whether a symbol has another size than all others that are the same,
// where sizes are a guess: it is something else.
func (s *cellReader) oddlyLarge(seen []seenSymbol, i int) bool {
	if !s.Profile.Loose {
		return false
	}
	odd := false
	for k, o := range seen {
		if k != i && o.stain != nil && o.err == nil && witness.SameSymbol(o.symbol, seen[i].symbol) {
			if o.stain.asLarge(seen[i].stain) {
				return false
			}
			odd = true
		}
	}
	return odd
}

// together is what the other symbols of a board say about one. All are as large
// and as blurred as each other: where three others and more are the same as this
// one, and none is what it might be instead, what they show on average, each
// against what is next best for it, speaks for it too, up to twice what it shows
// itself. And a kind that a board has much of is likelier than one it has none of: by
// the rule of succession, one more than the others of that kind to one more than
// those of the kind that it might be instead.
func together(seen []seenSymbol, i int, temperature float64) float64 {
	w := seen[i].weighed
	sum, n := 0.0, 0
	same, rivals := 1.0, 1.0
	for k, o := range seen {
		if k == i || !o.rivalled {
			continue
		}
		if o.symbol.Kind == w.symbol.Kind {
			same++
		}
		if o.symbol.Kind == w.rival {
			rivals++
		}
		if witness.SameSymbol(o.symbol, w.symbol) && o.stain.asLarge(seen[i].stain) {
			sum += o.evidence
			n++
		}
	}
	more := math.Log(same/rivals) * temperature
	if n < 3 || rivals > 1 {
		return more
	}
	return more + min(sum/float64(n), 2*w.evidence)
}

// weigh fits the symbols that a stain may be.
func (s *cellReader) weigh(at image.Point, st *stain) (weighed, error) {
	g, err := s.guesses(st)
	if err != nil {
		return weighed{}, err
	}
	if g[0].score < view.Tuned.FaintLike {
		return weighed{}, view.Unsure(at, "a symbol like none: %.2f like %s", g[0].score, g[0].sym.Kind.Called())
	}
	f := s.byBlocks(st, s.blueBeneath(st, s.fits(st, g)))
	if len(f) == 1 {
		return weighed{symbol: f[0].sym, outlined: f[0].outlined}, nil
	}
	w := weighed{symbol: f[0].sym, outlined: f[0].outlined, evidence: math.Inf(1), twin: math.Inf(1), besides: math.Inf(1), blue: math.Inf(1), rivalled: true}
	for _, o := range f[1:] {
		e := evidence(f[0], o)
		if witness.Twins(f[0].sym, o.sym) {
			e *= s.odds.Twins
			w.twin = e
		} else {
			w.besides = min(w.besides, e)
		}
		if e < w.evidence {
			w.rival, w.evidence = o.sym.Kind, e
		}
		if o.sym.Kind == witness.Negative {
			w.blue = min(w.blue, e)
		}
	}
	return w, nil
}
