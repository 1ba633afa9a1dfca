package cell

import (
	"image"
	"math"
	"slices"

	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/witness/decide"
	"onlooker/vision/witness/view"
)

// Cells reads what stands in the cells, and which have one colour.
func (s *Reader) Cells(p *witness.Panel, starts []image.Point, pointer func() (view.Disc, bool)) error {
	all := view.Where(p.Points(), witness.IsCell)
	// Reading cells takes most of the time, and none depends on another.
	seen := make([]Seen, len(all))
	vision.SideBySide(len(all), func(i int) { seen[i] = s.see(all[i], starts, pointer) })
	s.faintCells(all, seen)
	s.likeNone(p, all, seen)
	var cells []image.Point
	var cols []vision.RGB
	var stains []*Stain
	for i, at := range all {
		if seen[i].Stain != nil && seen[i].err == nil {
			if s.oddlyLarge(seen, i) {
				seen[i].err = decide.SymbolSize.At(at, seen[i].Symbol.Kind.Called())
			} else {
				seen[i].err = s.judge(at, seen[i].Weighed, together(seen, i, s.Odds.Temperature)+s.ofBlue(all, seen, i))
			}
			full := func() bool { return seen[i].err == nil && seen[i].Symbol.Kind == witness.Polyomino }
			// In the game blue pieces are outlines; other clients draw all pieces full.
			if full() && seen[i].Stain.blue() {
				seen[i].err = decide.TakesAway.At(at, "that are blue: calibrate with one of each")
			}
			if seen[i].err != nil && seen[i].Evidence < seen[i].Besides { // it may be its twin
				seen[i].err = s.ByColour(all, seen, i, seen[i].err)
			}
			// 637 pieces on 800 drawn boards fit better as outlines by 0.09 at most, but for one by
			// 0.25, 51 on captures by 0; two small outlined ones of another look by 0.31 and 0.39.
			if full() {
				seen[i].err = decide.FullOrHollow.Over(at, seen[i].outlined, view.Clearly*s.Odds.Clear())
			}
		}
		if err := s.Doubt(seen[i].err); err != nil {
			return err
		}
		if seen[i].Stain == nil || seen[i].err != nil {
			continue
		}
		p.At(at).Symbol = seen[i].Symbol
		cells, cols, stains = append(cells, at), append(cols, seen[i].Stain.Col), append(stains, seen[i].Stain)
	}
	return s.colours(p, cells, cols, stains)
}

// see tells what one cell shows.
func (s *Reader) see(cell image.Point, starts []image.Point, pointer func() (view.Disc, bool)) Seen {
	st, err := s.Stains.Stain(cell, starts)
	v, found := pointer()
	if found = found && s.covers(v, cell, st, err); found && PointerAlone(v, s.View, cell, st) {
		return Seen{pointer: true}
	}
	seen := Seen{Stain: st, err: err, faint: st == nil}
	switch {
	case found:
		seen.faint, seen.err = false, decide.Hidden.At(cell, "the cursor")
	case st != nil:
		seen.Weighed, seen.err = s.weigh(cell, st)
	}
	return seen
}

// faintCells compares cells with those that are empty: what differs little from one of
// these is unsure, or empty where what it shows is in doubt.
func (s *Reader) faintCells(cells []image.Point, seen []Seen) {
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
		if seen[i].Stain == nil {
			divide = 0.5 * view.Clearly
		}
		least := 1.0
		for k, o := range cells {
			if clear[k] {
				least = min(least, s.unlike(at, o, divide))
			}
		}
		if least < divide && (seen[i].Stain != nil || s.Stains.Relief == nil) {
			seen[i] = Seen{faint: true, err: s.Told(at, view.Sure(least, divide, 0), decide.EmptyOrFaint)}
		}
	}
}

// likeNone tells which of the cells that are faint and in doubt are empty: those that
// look like no symbol's template, as noise and what shines into a cell do.
func (s *Reader) likeNone(p *witness.Panel, cells []image.Point, seen []Seen) {
	if s.Board.Round() {
		return
	}
	// A veil's edge is like no symbol either.
	veiled := func(at image.Point) bool {
		return slices.ContainsFunc(s.Discs, func(v view.Disc) bool { return Reached(v, s.View, at) })
	}
	var doubtful []int // of cells
	var places []image.Point
	for i, at := range cells {
		if seen[i].faint && seen[i].err != nil && !veiled(at) {
			doubtful, places = append(doubtful, i), append(places, at)
		}
	}
	if doubtful == nil {
		return
	}
	for k, empty := range s.Empties(p, places) {
		if i := doubtful[k]; empty >= s.Profile.Board.Confidence {
			seen[i] = Seen{}
			s.Lower(empty)
		}
	}
}

// unlike is how much two cells differ where a symbol would have parts, in units
// of the contrast, or 1 where that is more than most. A cell that looks like an
// empty one is empty, whatever its corners look like in the light of lines beside
// it or on walls that lead into it.
func (s *Reader) unlike(a, b image.Point, most float64) float64 {
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

// Border is how much the colour changes over four pixels of the frame about a cell's
// middle, where every symbol has parts, in units of the contrast.
func (s *Reader) Border(cell image.Point) float64 {
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

// A Seen is what was made of one cell; no stain: it is empty.
type Seen struct {
	Stain   *Stain
	pointer bool // lies over it, and nothing is seen through that
	faint   bool // it is empty, or what it holds is faint
	Weighed
	err error
}

// empty tells whether it is beyond doubt that a cell holds nothing, and nothing lies on it.
func (o *Seen) empty() bool { return o.Stain == nil && o.err == nil && !o.pointer }

// A Weighed symbol is the one that fits a stain best, and what speaks for it.
type Weighed struct {
	Symbol   witness.Symbol
	rival    witness.Kind // of what it may be instead, where there is anything
	Evidence float64      // see fit.go
	Rivalled bool
	Twin     float64 // the evidence against its twin, of a piece: see Twins
	Besides  float64 // against all but that
	blue     float64 // the evidence against all blue pieces
	outlined float64 // see Fitted
}

// Symbol says which symbol a stain is: the one that fits best, as surely as it
// fits better than any other.
func (s *Reader) Symbol(at image.Point, st *Stain) (witness.Symbol, error) {
	w, err := s.weigh(at, st)
	if err != nil {
		return witness.Symbol{}, err
	}
	return w.Symbol, s.judge(at, w, 0)
}

// judge notes how sure a weighed symbol is, or says why it is unsure; more is
// evidence for it from elsewhere.
func (s *Reader) judge(at image.Point, w Weighed, more float64) error {
	if !w.Rivalled {
		return nil
	}
	return s.Told(at, s.Odds.sure(w.Evidence+more), decide.Symbols, w.Symbol.Kind.Called(), w.rival.Called())
}

// sameHue tells whether what two cells show differs from them in the same hue: outlines
// are paler than what is filled.
func (s *Reader) sameHue(cells []image.Point, seen []Seen, i, k int) bool {
	axis := func(k int) vision.RGB { return seen[k].Stain.Col.Sub(s.UnlitGround(cells[k].X, cells[k].Y)) }
	a, b := axis(i), axis(k)
	return a.Dot(b) >= view.Nearly*math.Sqrt(a.Dot(a)*b.Dot(b))
}

// clearPiece tells whether a cell shows a piece of its kind without doubt: 0.3 is half as much
// again as is asked of one alone.
func (s *Reader) clearPiece(o *Seen) bool {
	return o.Stain != nil && o.err == nil && o.Rivalled && o.Evidence >= view.Clearly*s.Odds.Clear() && o.Symbol.Kind.IsPiece()
}

// ofBlue is what the clear blue pieces on the board take from the evidence for a symbol: all
// blue pieces have one hue, and nothing else has it.
func (s *Reader) ofBlue(cells []image.Point, seen []Seen, i int) float64 {
	w := seen[i].Weighed
	for k := range seen {
		if k == i || !s.clearPiece(&seen[k]) || seen[k].Symbol.Kind != witness.Negative {
			continue
		}
		switch same := s.sameHue(cells, seen, i, k); {
		case w.Symbol.Kind == witness.Negative && !same:
			return -s.Odds.Hue
		case w.Symbol.Kind != witness.Negative && same:
			return min(0, w.blue-s.Odds.Hue-w.Evidence)
		}
	}
	return 0
}

// ByColour tells a piece from a blue piece, whose squares are outlines, by all pieces of its
// colour: no panel of the game, nor any of 2,605 made by people, has both in one colour, so
// that what tells one of them from its twin tells this one too. doubt is returned where that
// is not enough.
func (s *Reader) ByColour(cells []image.Point, seen []Seen, i int, doubt error) error {
	o := &seen[i]
	twin, besides, kind := o.Twin+s.ofColour(cells, seen, i), o.Besides, o.Symbol.Kind
	if twin < 0 {
		// What speaks for the other is taken off, all of it.
		twin, besides, kind = -twin, besides-o.Twin/s.Odds.Twins, witness.TwinKind(kind)
	}
	certain := s.Odds.sure(min(besides, twin))
	if certain < s.Profile.Board.Confidence {
		return doubt
	}
	if kind != o.Symbol.Kind {
		o.Symbol.Kind, o.Twin = kind, -o.Twin
	}
	s.Lower(certain)
	return nil
}

// ofColour is the evidence that the other pieces of a piece's colour have for its kind and
// against its twin's: those that are pieces beyond doubt, of either kind.
func (s *Reader) ofColour(cells []image.Point, seen []Seen, i int) (sum float64) {
	for k := range seen {
		o := &seen[k]
		if k == i || o.Stain == nil || !o.Symbol.Kind.IsPiece() || !o.Rivalled ||
			s.Odds.sure(o.Besides) < s.Profile.Board.Confidence || !s.sameHue(cells, seen, i, k) {
			continue
		}
		if more := min(o.Twin, s.Odds.Clear()); o.Symbol.Kind == seen[i].Symbol.Kind {
			sum += more
		} else {
			sum -= more
		}
	}
	return sum
}

// asLarge tells whether two stains are about as large as each other.
func (st *Stain) asLarge(o *Stain) bool {
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
func (s *Reader) oddlyLarge(seen []Seen, i int) bool {
	if !s.Profile.Loose {
		return false
	}
	odd := false
	for k, o := range seen {
		if k != i && o.Stain != nil && o.err == nil && witness.SameSymbol(o.Symbol, seen[i].Symbol) {
			if o.Stain.asLarge(seen[i].Stain) {
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
func together(seen []Seen, i int, temperature float64) float64 {
	w := seen[i].Weighed
	sum, n := 0.0, 0
	same, rivals := 1.0, 1.0
	for k, o := range seen {
		if k == i || !o.Rivalled {
			continue
		}
		if o.Symbol.Kind == w.Symbol.Kind {
			same++
		}
		if o.Symbol.Kind == w.rival {
			rivals++
		}
		if witness.SameSymbol(o.Symbol, w.Symbol) && o.Stain.asLarge(seen[i].Stain) {
			sum += o.Evidence
			n++
		}
	}
	more := math.Log(same/rivals) * temperature
	if n < 3 || rivals > 1 {
		return more
	}
	return more + min(sum/float64(n), 2*w.Evidence)
}

// weigh fits the symbols that a stain may be.
func (s *Reader) weigh(at image.Point, st *Stain) (Weighed, error) {
	g := s.Templates.Guesses(st)
	if err := decide.NoSymbol.Under(at, g[0].score, view.Tuned.FaintLike, g[0].sym.Kind.Called()); err != nil {
		return Weighed{}, err
	}
	f := s.blueBeneath(st, s.Fits(st, g))
	if len(f) == 1 {
		return Weighed{Symbol: f[0].Sym, outlined: f[0].outlined}, nil
	}
	w := Weighed{Symbol: f[0].Sym, outlined: f[0].outlined, Evidence: math.Inf(1), Twin: math.Inf(1), Besides: math.Inf(1), blue: math.Inf(1), Rivalled: true}
	for _, o := range f[1:] {
		e := Evidence(f[0], o)
		if witness.Twins(f[0].Sym, o.Sym) {
			e *= s.Odds.Twins
			w.Twin = e
		} else {
			w.Besides = min(w.Besides, e)
		}
		if e < w.Evidence {
			w.rival, w.Evidence = o.Sym.Kind, e
		}
		if o.Sym.Kind == witness.Negative {
			w.blue = min(w.blue, e)
		}
	}
	return w, nil
}
