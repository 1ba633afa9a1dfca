package witness

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
	"sync"

	"onlooker/calibrations"
	"onlooker/solve"
	"onlooker/solve/witness"
	"onlooker/vision"
	drawing "onlooker/vision/picture/witness"
)

// A Reader reads one panel from one view of it, from several views, or from
// several frames one after another.
type Reader struct {
	profile *calibrations.Profile
	drawn   drawing.Forms
	cache   *templatesCache
	lines   *lineCache
	boards  []*vision.Board
	columns []int   // of each board, where they are known: see AddTurned
	first   int     // see Column
	views   []*view // of the first boards, as far as they were read
}

// NewReader returns a Reader for panels of the profile's look.
func NewReader(p *calibrations.Profile) *Reader { return newReader(p, drawing.Known()) }

// Readers returns NewReader for a program that reads many panels: what is drawn once for a
// look is kept for all of them. Looks must not change then.
func Readers() func(p *calibrations.Profile) *Reader {
	cache := &templatesCache{of: map[*calibrations.Profile]*templates{}}
	lines := &lineCache{}
	return func(p *calibrations.Profile) *Reader {
		r := NewReader(p)
		r.cache, r.lines = cache, lines
		return r
	}
}

// newReader is NewReader for symbols of some forms.
func newReader(p *calibrations.Profile, drawn drawing.Forms) *Reader {
	return &Reader{profile: p, drawn: drawn, lines: &lineCache{}}
}

// Add adds views of the panel: the same panel in later frames, or the sides of
// a pillar. An error says that a board is no view of the same panel.
func (r *Reader) Add(boards ...*vision.Board) error {
	for _, b := range boards {
		if len(r.boards) > 0 {
			if a := r.boards[0]; a.Cols != b.Cols || a.Rows != b.Rows || a.Pillar != b.Pillar {
				return fmt.Errorf("a view of %dx%d cells, want %dx%d as in the first", b.Cols, b.Rows, a.Cols, a.Rows)
			}
		}
		r.boards = append(r.boards, b)
	}
	return nil
}

// Panel is the panel that the views show, and it notes on each of them whether
// a line is drawn there already (Solved) and how sure the reading is
// (Clear and Confidence; not of pillars); a *vision.UnsureError when something
// that matters cannot be told.
func (r *Reader) Panel() (*witness.Panel, error) {
	if len(r.boards) == 0 {
		return nil, errors.New("no view of the panel")
	}
	if r.boards[0].Pillar {
		return r.pillar()
	}
	if r.profile.Learned.Any() {
		return r.learned()
	}
	if len(r.boards) == 1 {
		b := r.boards[0]
		if r.profile.Loose && !b.Round() {
			// The look's shapes in any size tell where its own places do not, but are mistaken
			// where these doubt.
			if p, nothing, err := r.strange(b); !nothing {
				return p, err
			}
		}
		p, known, err := r.single(b)
		if err != nil && !known && !b.Round() && !r.profile.Loose {
			if p, _, e := r.strange(b); e == nil {
				return p, nil
			}
		}
		return p, err
	}
	for _, b := range r.boards[len(r.views):] {
		s := newSheet(b, r.profile, r.drawn)
		s.lineCache = r.lines
		v, err := newView(s)
		if err != nil {
			return nil, err
		}
		r.views = append(r.views, v)
		b.Solved = v.solved
	}
	p, err := mergeViews(r.views)
	least := slices.MinFunc(r.views, func(a, b *view) int { return cmp.Compare(a.least, b.least) }).least
	for _, b := range r.boards {
		stated(b, least)
	}
	return p, err
}

// single reads one view in a look of which the sizes are known, and says whether it is
// beyond doubt that it is this look: where the game's own pointer lies it is. Where nothing
// explains a place the pointer may.
func (r *Reader) single(b *vision.Board) (p *witness.Panel, known bool, err error) {
	s := newSheet(b, r.profile, r.drawn)
	p, known, err = r.sheet(b, s)
	if u := (*vision.UnsureError)(nil); errors.As(err, &u) {
		if o := s.underUnexplained(u.At); o != nil {
			// A hollow start circle shines as the pointer does.
			if q, _, e := r.sheet(b, o); e == nil && !q.At(u.At).Start {
				return q, known, nil
			}
		}
	}
	return p, known, err
}

// sheet reads a board as it was measured, and notes on it what was read.
func (r *Reader) sheet(b *vision.Board, s *sheet) (p *witness.Panel, known bool, err error) {
	s.cache, s.lineCache = r.cache, r.lines
	if slices.ContainsFunc(s.veils, func(v veil) bool { return v.asAnother }) {
		return nil, false, unsure(image.Point{}, "the pointer, or a white symbol as large as another one")
	}
	known = s.surelyOwn()
	if p, err = s.panel(); err != nil {
		return nil, known, err
	}
	b.Solved = s.solved(p)
	stated(b, s.least)
	if !b.Solved && !known {
		if err := modelOf(s, r.profile, r.drawn, p).unknown(p); err != nil {
			return nil, known, err
		}
	}
	return p, known, nil
}

// surelyOwn tells whether the game's own pointer lies on the board: it is in this look then.
func (s *sheet) surelyOwn() bool {
	return len(s.veils) > 0 && s.veils[0].certain(s.look.Board.Confidence)
}

// strange reads one view by its own places alone, and says whether these tell nothing: see
// strange.
func (r *Reader) strange(b *vision.Board) (p *witness.Panel, nothing bool, err error) {
	m := newModel(b, Structure(r.profile), nil)
	if p, nothing, err = readStrange(m); err != nil {
		return nil, nothing, err
	}
	b.Solved = false
	stated(b, m.least)
	b.Confidence = min(b.Confidence, strangeRate)
	return p, false, nil
}

// learned reads flat views in a look that was learned. Of several that tell
// something the others must tell the same.
func (r *Reader) learned() (*witness.Panel, error) {
	var panel *witness.Panel
	var first error
	for _, b := range r.boards {
		p, err := r.learnedView(b)
		if err != nil {
			if first == nil {
				first = err
			}
			continue
		}
		if panel == nil {
			panel = p
		} else if d := differ(panel, p); d != "" {
			return nil, fmt.Errorf("the views contradict each other: %s", d)
		}
	}
	if panel == nil {
		return nil, first
	}
	return panel, nil
}

// learnedView reads one flat view, and notes on it what was read.
func (r *Reader) learnedView(b *vision.Board) (*witness.Panel, error) {
	if u, ok := unroll(b); ok {
		return r.readRound(b, u)
	}
	m := newModel(b, r.profile, r.drawn)
	p, err := m.read()
	if err != nil {
		return nil, err
	}
	b.Solved = m.solved(p)
	stated(b, m.least)
	return p, nil
}

// solved tells whether a line is drawn on the panel: edges in the colour of a
// start circle, others in another, and the first are one path from that start
// to an end.
func (s *sheet) solved(p *witness.Panel) bool {
	contrast := s.contrast()
	for start := range p.Points() {
		if !p.At(start).Start {
			continue
		}
		drawn := s.patch(float64(start.X), float64(start.Y), 0.5*s.line)
		var plain []vision.RGB
		middle := map[image.Point]vision.RGB{}
		for at := range p.Points() {
			if !witness.IsEdge(at) || p.At(at).Gap != witness.Whole {
				continue
			}
			c := s.patch(float64(at.X), float64(at.Y), 0.5*s.line)
			middle[at] = c
			if c.Dist(drawn) > 0.25*contrast {
				plain = append(plain, c)
			}
		}
		if len(plain) == 0 {
			continue
		}
		rest := vision.MedianRGB(plain)
		on := func(edge image.Point) bool {
			c, ok := middle[edge]
			return ok && c.Dist(drawn) < c.Dist(rest)
		}
		seen := map[image.Point]bool{start: true}
		for at := start; ; {
			var next []image.Point
			for _, d := range []image.Point{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}} {
				if to := p.Wrap(at.Add(d.Mul(2))); on(p.Wrap(at.Add(d))) && !seen[to] {
					next = append(next, to)
				}
			}
			if len(next) != 1 {
				if len(next) == 0 && at != start && p.At(at).IsEnd() {
					return true
				}
				break
			}
			at = next[0]
			seen[at] = true
		}
	}
	return false
}

// halved tells whether lines run through the middles of most cells: a board of
// twice as many, of which every second line was found.
func (s *sheet) halved() bool {
	// 0.3: lines are no thicker than 0.6 of the pitch, that is of half of this one.
	if s.line > 0.3 {
		return false
	}
	through := 0
	for r := range s.b.Rows {
		for c := range s.b.Cols {
			x, y := float64(2*c+1), float64(2*r+1)
			line := func(dx, dy float64) bool {
				// 0.27 and 0.33 of the pitch: beyond symbols, but for long pieces.
				return !slices.ContainsFunc([]float64{-0.66, -0.54, 0.54, 0.66}, func(d float64) bool {
					at := s.at(x+d*dx, y+d*dy)
					return at.Dist(s.b.Ink) > 0.3*s.contrast()
				})
			}
			if line(1, 0) || line(0, 1) {
				through++
			}
		}
	}
	return 2*through > s.b.Cols*s.b.Rows
}

// panel reads one view.
func (s *sheet) panel() (*witness.Panel, error) {
	if !s.b.Round() {
		if err := s.told(image.Point{}, s.b.Sized, "a board of %dx%d cells, or of more or fewer", s.b.Cols, s.b.Rows); err != nil {
			return nil, err
		}
	}
	if s.halved() {
		return nil, unsure(image.Point{}, "lines through the cells: a board of %dx%d cells or of more", s.b.Cols, s.b.Rows)
	}
	p, starts, err := s.lattice()
	if err != nil {
		return nil, err
	}
	pointer := sync.OnceValues(s.pointed)
	var dots []image.Point
	var dotColours []vision.RGB
	for at := range p.Points() {
		if witness.IsCell(at) || p.At(at).Gap != witness.Whole || witness.IsNode(at) && !s.reached(p, at) {
			continue
		}
		col, is, err := s.isDot(p, at, starts, pointer)
		if err != nil && !is {
			return nil, err
		}
		if err := s.doubt(aPlace, at, err); err != nil {
			return nil, err
		}
		if err == nil && is {
			dots, dotColours = append(dots, at), append(dotColours, col)
		}
	}
	for at := range p.Points() {
		// What was taken for a dot was not asked whether it is broken: see lattice.
		if witness.IsEdge(at) && p.At(at).Gap == witness.Whole && !p.At(at).Start && !slices.Contains(dots, at) && s.dotAt(at, false) > 0 {
			gap, err := s.gapAt(at)
			if err := s.doubt(aPlace, at, err); err != nil {
				return nil, err
			}
			p.At(at).Gap = gap
		}
	}
	if err := s.startsOrDots(p, dots, dotColours); err != nil {
		return nil, err
	}
	if err := s.breaksOrDots(p, dotColours); err != nil {
		return nil, err
	}
	p.Symmetry = symmetry(p)
	if err := s.doubt(dotsLines, image.Point{}, s.dots(p, dots, dotColours, false)); err != nil {
		return nil, err
	}
	if p.Symmetry == witness.NoSymmetry {
		if err := s.doubt(dotsLines, image.Point{}, s.oneLine(dots, dotColours)); err != nil {
			return nil, err
		}
	}
	if err := s.cells(p, starts, pointer); err != nil {
		return nil, err
	}
	return p, nil
}

// isDot tells whether a dot lies at a place of the lines, and its colour. It is true
// with an error where that cannot be told, and false with one where nothing can be told
// of any place.
func (s *sheet) isDot(p *witness.Panel, at image.Point, starts []image.Point, pointer func() (veil, bool)) (vision.RGB, bool, error) {
	col := s.patch(float64(at.X), float64(at.Y), 0.5*s.line)
	lead := s.dotAt(at, p.At(at).Start)
	if p.At(at).Start && lead > 0 && col.Dist(s.paperBeside(at)) < s.lines.model.odds.LeastLine*s.contrast() {
		return col, true, unsure(at, "a start circle that is hollow, or whose middle has another colour")
	}
	// A start circle shines, and so does the line in it.
	if p.At(at).Start {
		// What is in its middle need not have a dot's size to be none of the lines' colour.
		own := lead > 0 || col.Dist(s.inkAt(at)) > s.lines.model.odds.OnStart*s.contrast()
		if !own || s.whitish(at, col) || !s.bare(at, col) && !s.hollow(at, col) {
			return col, false, nil
		}
		lead = max(lead, s.lines.model.odds.Sure)
	}
	if none := s.lines.model.sureLead(-lead); none >= s.look.Board.Confidence {
		s.lower(none)
		return col, false, nil
	}
	if s.pulsed(starts, at, col) {
		return col, false, nil
	}
	odds := &s.lines.model.odds
	err := s.told(at, s.lines.model.sureMark(lead), "a dot or none: evidence %.1f", lead)
	if err == nil && witness.IsEdge(at) && s.lines.beliefs[at].explained < odds.Explains && !s.surelyOwn() {
		err = unsure(at, "a dot that explains %.2f of what it leaves, or what this look does not know: calibrate", s.lines.beliefs[at].explained)
	}
	// There is one pointer at most: where it was found elsewhere, the dot is white.
	if err == nil && len(s.veils) == 0 && s.whitish(at, col) {
		if v, found := pointer(); !found || v.near(s, at) {
			err = unsure(at, "the pointer lies there, or a white dot")
		}
	}
	return col, true, err
}

// cells reads what stands in the cells, and which have one colour.
func (s *sheet) cells(p *witness.Panel, starts []image.Point, pointer func() (veil, bool)) error {
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
				seen[i].err = unsure(at, "%s of another size than the others", kindName(seen[i].symbol.Kind))
			} else {
				seen[i].err = s.judge(at, seen[i].weighed, together(seen, i, s.odds.Temperature)+s.ofBlue(all, seen, i))
			}
			// In the game blue pieces are outlines; other clients draw all pieces full.
			if st := seen[i].stain; seen[i].err == nil && seen[i].symbol.Kind == witness.Polyomino && st.blue() {
				seen[i].err = unsure(at, "a piece of full squares that is blue: one to take away, or not; calibrate")
			}
			if seen[i].err != nil && seen[i].evidence < seen[i].besides { // it may be its twin
				seen[i].err = s.byColour(all, seen, i, seen[i].err)
			}
		}
		if err := s.doubt(aPlace, at, seen[i].err); err != nil {
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
func (s *sheet) see(cell image.Point, starts []image.Point, pointer func() (veil, bool)) seenSymbol {
	st, err := s.stain(cell, starts)
	seen := seenSymbol{stain: st, err: err, faint: st == nil}
	if st == nil {
		if err != nil {
			if v, found := pointer(); found && v.alone(s, cell, nil) {
				return seenSymbol{pointer: true}
			}
		}
		return seen
	}
	if v, found := pointer(); found && v.over(s, cell, st) {
		if v.alone(s, cell, st) {
			return seenSymbol{pointer: true}
		}
		seen.err = unsure(cell, "the pointer lies over what is in the cell")
		return seen
	}
	seen.weighed, seen.err = s.weigh(cell, st)
	return seen
}

// colours names the colours of the symbols in some cells.
func (s *sheet) colours(p *witness.Panel, cells []image.Point, cols []vision.RGB, stains []*stain) error {
	names, certain, err := cluster(cells, cols, s.bright(), s.look.Board.Confidence, usualSteps(), &thinner{
		mixed: func(i, j int) bool { return s.mixed(cells[i], p.At(cells[i]).Symbol, cols[i], cols[j]) },
		paled: func(i, j int) vision.RGB {
			return s.paled(cells[i], p.At(cells[i]).Symbol, p.At(cells[j]).Symbol, cols[i], cols[j])
		},
		lit: func(i, j int) vision.RGB {
			return inLight(cols[j], s.cell(cells[j].X, cells[j].Y), s.cell(cells[i].X, cells[i].Y))
		},
	})
	if err != nil {
		var told bool
		if names, certain, told = s.unmixedColours(p, cells, cols, stains); !told {
			return s.doubt(sameColours, image.Point{}, err)
		}
	}
	s.lower(certain)
	for i, at := range cells {
		p.At(at).Symbol.Colour = names[i]
	}
	at, err := oddlyColoured(p, cells)
	return s.doubt(aPlace, at, err)
}

// startsOrDots doubts what was taken for a dot on a start circle where all circles have
// one, or none lies elsewhere that has its colour, and a break under one: such a circle's
// middle may have another colour than the lines.
func (s *sheet) startsOrDots(p *witness.Panel, dots []image.Point, cols []vision.RGB) error {
	bare := slices.ContainsFunc(slices.Collect(p.Points()), func(at image.Point) bool {
		return p.At(at).Start && !slices.Contains(dots, at)
	})
	for at := range p.Points() {
		if p.At(at).Start && p.At(at).Gap == witness.Broken {
			if err := s.doubt(aPlace, at, unsure(at, "a break under a start circle, or a circle whose middle has another colour")); err != nil {
				return err
			}
		}
	}
	for i, at := range dots {
		if !p.At(at).Start {
			continue
		}
		like := false
		for k, o := range dots {
			like = like || !p.At(o).Start && colourStep(cols[i], cols[k]) <= tuned.DotsApart*s.contrast()
		}
		if !bare || !like {
			if err := s.doubt(aPlace, at, unsure(at, "a dot on a start circle, or a circle whose middle has another colour")); err != nil {
				return err
			}
		}
	}
	return nil
}

// breaksOrDots doubts what was taken for a break and is more like a dot that is seen
// elsewhere than like any mixture of the lines and what lies beside them.
func (s *sheet) breaksOrDots(p *witness.Panel, dotColours []vision.RGB) error {
	for at := range p.Points() {
		if p.At(at).Gap != witness.Broken {
			continue
		}
		// A quarter: within a dot, which is about as wide as the line.
		c, ink := s.patch(float64(at.X), float64(at.Y), 0.25*s.line), s.inkAt(at)
		off := min(c.OffMix(ink, s.paperBeside(at)), c.OffMix(ink, s.b.Paper))
		if slices.ContainsFunc(dotColours, func(d vision.RGB) bool { return c.Dist(d) < off }) {
			if err := s.doubt(aPlace, at, unsure(at, "a break, or a dot as there are elsewhere")); err != nil {
				return err
			}
		}
	}
	return nil
}

// faintCells compares cells with those that are empty: what differs little from one of
// these is unsure, or empty where what it shows is in doubt.
func (s *sheet) faintCells(cells []image.Point, seen []seenSymbol) {
	clear := make([]bool, len(seen)) // those that are empty beyond doubt
	for i := range seen {
		clear[i] = seen[i].empty()
	}
	for i, at := range cells {
		if seen[i].pointer || clear[i] {
			continue
		}
		least := 1.0
		for k, o := range cells {
			if clear[k] {
				least = min(least, s.unlike(at, o))
			}
		}
		// Empty cells differ by 0.21 of the contrast at most, and symbols from empty
		// cells by 0.24 and more. Of what is so faint that it was taken for none symbols
		// differ by 0.155 and more, light that falls on the cell by 0.12 at most; into
		// hollow cells it falls in many ways.
		divide := 0.22
		if seen[i].stain == nil {
			divide = 0.15
		}
		if least < divide && (seen[i].stain != nil || s.relief == nil) {
			seen[i] = seenSymbol{faint: true, err: s.told(at, sure(least, divide, 0), "an empty cell, or something faint")}
		}
	}
}

// likeNone tells which of the cells that are faint and in doubt are empty: those that
// look like no symbol's template, as noise and what shines into a cell do.
func (s *sheet) likeNone(p *witness.Panel, cells []image.Point, seen []seenSymbol) error {
	if s.b.Round() {
		return nil
	}
	// A veil's edge is like no symbol either.
	veiled := func(at image.Point) bool {
		return slices.ContainsFunc(s.veils, func(v veil) bool { return v.reaches(s, at) })
	}
	var doubtful []int // of cells
	for i, at := range cells {
		if seen[i].faint && seen[i].err != nil && !veiled(at) {
			doubtful = append(doubtful, i)
		}
	}
	if doubtful == nil {
		return nil
	}
	m := modelOf(s, s.look, s.drawn, p)
	empties, errs := make([]float64, len(doubtful)), make([]error, len(doubtful))
	vision.SideBySide(len(doubtful), func(k int) { empties[k], errs[k] = m.looksEmpty(cells[doubtful[k]]) })
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for k, i := range doubtful {
		if empty := empties[k]; empty >= s.look.Board.Confidence {
			seen[i] = seenSymbol{}
			s.lower(empty)
		}
	}
	return nil
}

// oddlyColoured says which symbol has another's colour that none of its kind has:
// see Kind.OwnColour.
func oddlyColoured(p *witness.Panel, cells []image.Point) (image.Point, error) {
	kinds := map[witness.Colour]witness.Kind{}
	for _, at := range cells {
		if sym := p.At(at).Symbol; sym.Kind.OwnColour() {
			if k, ok := kinds[sym.Colour]; ok && k != sym.Kind {
				return at, unsure(at, "%s in the colour of %s", kindName(sym.Kind), kindName(k))
			}
			kinds[sym.Colour] = sym.Kind
		}
	}
	return image.Point{}, nil
}

// unlike is how much two cells differ where a symbol would have parts, in units
// of the contrast, or 1 where that is more than 0.24. A cell that looks like an
// empty one is empty, whatever its corners look like in the light of lines beside
// it or on walls that lead into it.
func (s *sheet) unlike(a, b image.Point) float64 {
	// 0.17: where every symbol has parts, and lines shine little.
	const reach, step = 2 * 0.17, 2 * 0.03
	const side = 12 // from -reach to reach
	// A triangle's core is 2 % of it.
	var most [side*side/50 + 1]float64 // the greatest differences, in order
	for y := -reach; y <= reach; y += step {
		for x := -reach; x <= reach; x += step {
			off := s.at(float64(a.X)+x, float64(a.Y)+y).Dist(s.at(float64(b.X)+x, float64(b.Y)+y)) / s.contrast()
			for k := range most {
				if off > most[k] {
					off, most[k] = most[k], off
				}
			}
			if most[len(most)-1] > 0.24 {
				return 1
			}
		}
	}
	return most[len(most)-1]
}

// border is how much the colour changes over four pixels of the frame about a cell's
// middle, where every symbol has parts, in units of the contrast.
func (s *sheet) border(cell image.Point) float64 {
	const reach, step = 2 * 0.2, 2 * 0.02
	off := 2 * 2 / s.b.ScreenPitch
	most := 0.0
	for y := -reach; y <= reach; y += step {
		for x := -reach; x <= reach; x += step {
			at := func(dx, dy float64) vision.RGB { return s.at(float64(cell.X)+x+dx, float64(cell.Y)+y+dy) }
			most = max(most, at(off, 0).Dist(at(-off, 0)), at(0, off).Dist(at(0, -off)))
		}
	}
	return most / s.contrast()
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

// bright is how bright lines or cells are, whichever are brighter.
func (s *sheet) bright() float64 {
	a, b := s.b.Ink, s.b.Paper
	return max(a[0], a[1], a[2], b[0], b[1], b[2])
}

// A thinner says of one symbol's colour and another's what the cell's colour, which
// shows through thin parts, may do to the first.
type thinner struct {
	mixed func(i, j int) bool       // may it be the other's, mixed with the cell's?
	paled func(i, j int) vision.RGB // what is nearest to it of what would be seen of the other's
	lit   func(i, j int) vision.RGB // the other's as it would be in the first's cell; may be nil
}

// inLight is what a colour on one ground would be in the light that falls on another, as the
// ground's own tells it: each channel is as much brighter. Of one that is hardly seen that
// cannot be told: it is as much brighter as the others.
func inLight(c, under, there vision.RGB) (out vision.RGB) {
	var times []float64
	seen := func(k int) bool { return min(under[k], there[k]) > 40 } // of 255: less is as much haze as light
	for k := range c {
		if seen(k) {
			times = append(times, there[k]/under[k])
		}
	}
	if times == nil {
		return c
	}
	for k := range c {
		by := vision.Median(times)
		if seen(k) {
			by = there[k] / under[k]
		}
		out[k] = min(255, c[k]*by)
	}
	return out
}

// part is how wide the thinnest part of a symbol is, in pixels of the frame.
func (s *sheet) part(sym witness.Symbol) float64 {
	style := drawing.Style{Symbols: s.sizes, Forms: s.drawn}
	return s.b.ScreenPitch * style.Thinnest(sym.Kind)
}

// paled is the nearest to a symbol's colour that would be seen if it were that of
// another with wider parts, mixed with the cell's; of one with narrower parts its own.
func (s *sheet) paled(at image.Point, sym, other witness.Symbol, c, others vision.RGB) vision.RGB {
	width := s.part(sym)
	if width >= s.part(other) {
		return c
	}
	// Of the middle of a strip that half a pixel blurs, as in the sharpest picture, so
	// much is its own colour.
	most := math.Erf(width / 2 / (0.5 * math.Sqrt2))
	paper := s.floorOf(at.X, at.Y)
	axis := others.Sub(paper)
	share := min(most, c.Sub(paper).Dot(axis)/max(1, axis.Dot(axis)))
	return paper.Add(vision.RGB{share * axis[0], share * axis[1], share * axis[2]})
}

// mixed tells whether the colour of a symbol may be another with some of the
// cell's in it: thin parts are all border.
func (s *sheet) mixed(at image.Point, sym witness.Symbol, c, other vision.RGB) bool {
	// 5 pixels: blur and the JPEG's halved colours reach two into each side and more.
	if s.part(sym) > 5 {
		return false
	}
	// A compressed picture mixes lightness and hue each for itself. 0.35: of the core
	// of the thinnest part so much is its own colour.
	paper := s.floorOf(at.X, at.Y)
	var least vision.RGB
	for k := range least {
		least[k] = paper[k] + 0.35*(other[k]-paper[k])
	}
	grey, hue := greyAndHue(c)
	otherGrey, otherHue := greyAndHue(other)
	leastGrey, leastHue := greyAndHue(least)
	between := max(min(leastGrey, otherGrey)-grey, grey-max(leastGrey, otherGrey))
	near := 0.15 * max(s.bright(), c[0], c[1], c[2], other[0], other[1], other[2])
	return between < near && hue.OffMix(otherHue, leastHue) < near
}

// greyAndHue is the mean of a colour's channels, and what they are beside it.
func greyAndHue(c vision.RGB) (grey float64, hue vision.RGB) {
	grey = (c[0] + c[1] + c[2]) / 3
	return grey, c.Sub(vision.RGB{grey, grey, grey})
}

// A weighed symbol is the one that fits a stain best, and what speaks for it.
type weighed struct {
	symbol   witness.Symbol
	rival    witness.Kind // of what it may be instead, where there is anything
	evidence float64      // see fit.go
	rivalled bool
	besides  float64 // the evidence against all but its twin, which see
	blue     float64 // the evidence against all blue pieces
}

// symbol says which symbol a stain is: the one that fits best, as surely as it
// fits better than any other.
func (s *sheet) symbol(at image.Point, st *stain) (witness.Symbol, error) {
	w, err := s.weigh(at, st)
	if err != nil {
		return witness.Symbol{}, err
	}
	return w.symbol, s.judge(at, w, 0)
}

// judge notes how sure a weighed symbol is, or says why it is unsure; more is
// evidence for it from elsewhere.
func (s *sheet) judge(at image.Point, w weighed, more float64) error {
	if !w.rivalled {
		return nil
	}
	return s.told(at, sure(w.evidence+more, 0, s.odds.clear()), "%s or %s: %.2f", kindName(w.symbol.Kind), kindName(w.rival), w.evidence)
}

// sameHue tells whether what two cells show differs from them in the same hue: outlines
// are paler than what is filled.
func (s *sheet) sameHue(cells []image.Point, seen []seenSymbol, i, k int) bool {
	axis := func(k int) vision.RGB { return seen[k].stain.col.Sub(s.floorOf(cells[k].X, cells[k].Y)) }
	a, b := axis(i), axis(k)
	return a.Dot(b) >= 0.95*math.Sqrt(a.Dot(a)*b.Dot(b))
}

// clearPiece tells whether a cell shows a piece without doubt: 0.3 is half as much again
// as is asked of one alone.
func (s *sheet) clearPiece(o *seenSymbol) bool {
	return o.stain != nil && o.err == nil && o.rivalled && o.evidence >= 0.3*s.odds.clear() && isPiece(o.symbol.Kind)
}

// ofBlue is what the clear blue pieces on the board take from the evidence for a symbol: all
// blue pieces have one hue, and nothing else has it.
func (s *sheet) ofBlue(cells []image.Point, seen []seenSymbol, i int) float64 {
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

// byColour tells a piece from a blue piece, whose squares are outlines, by those of
// its colour that are clear: no panel of the game, nor any of 2,605 made by people,
// has both in one colour. doubt is returned where that does not tell.
func (s *sheet) byColour(cells []image.Point, seen []seenSymbol, i int, doubt error) error {
	w := seen[i].weighed
	clear := math.Inf(1)
	kind := witness.NoSymbol
	for k := range seen {
		if k == i || !s.clearPiece(&seen[k]) || !s.sameHue(cells, seen, i, k) {
			continue
		}
		if o := seen[k]; kind == witness.NoSymbol || kind == o.symbol.Kind {
			kind, clear = o.symbol.Kind, min(clear, o.evidence)
		} else {
			return doubt
		}
	}
	besides := w.besides
	if kind != w.symbol.Kind {
		// What speaks for the other is taken off, and is not much.
		if besides -= w.evidence; w.evidence > 0.1*s.odds.clear() {
			return doubt
		}
	}
	certain := sure(min(besides, clear), 0, s.odds.clear())
	if kind == witness.NoSymbol || certain < s.look.Board.Confidence {
		return doubt
	}
	seen[i].symbol.Kind = kind
	s.lower(certain)
	return nil
}

// asLarge tells whether two stains are as large as each other, to a quarter.
func (st *stain) asLarge(o *stain) bool {
	for k := range 2 {
		a, b := st.box[k+2]-st.box[k], o.box[k+2]-o.box[k]
		if max(a, b) > 1.25*min(a, b) {
			return false
		}
	}
	return true
}

// oddlyLarge tells whether a symbol has another size than all others that are the same,
// where sizes are a guess: it is something else.
func (s *sheet) oddlyLarge(seen []seenSymbol, i int) bool {
	if !s.look.Loose {
		return false
	}
	odd := false
	for k, o := range seen {
		if k != i && o.stain != nil && o.err == nil && sameSymbol(o.symbol, seen[i].symbol) {
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
		if sameSymbol(o.symbol, w.symbol) && o.stain.asLarge(seen[i].stain) {
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
func (s *sheet) weigh(at image.Point, st *stain) (weighed, error) {
	g, err := s.guesses(st)
	if err != nil {
		return weighed{}, err
	}
	if g[0].score < tuned.LeastGuess {
		return weighed{}, unsure(at, "a symbol like none: %.2f like %s", g[0].score, kindName(g[0].sym.Kind))
	}
	f := s.byBlocks(st, s.blueBeneath(st, s.fits(st, g)))
	if len(f) == 1 {
		return weighed{symbol: f[0].sym}, nil
	}
	w := weighed{symbol: f[0].sym, evidence: math.Inf(1), besides: math.Inf(1), blue: math.Inf(1), rivalled: true}
	for _, o := range f[1:] {
		e := evidence(f[0], o)
		if e < w.evidence {
			w.rival, w.evidence = o.sym.Kind, e
		}
		if !twins(f[0].sym, o.sym) {
			w.besides = min(w.besides, e)
		}
		if o.sym.Kind == witness.Negative {
			w.blue = min(w.blue, e)
		}
	}
	return w, nil
}

// whitish tells whether a colour on a line is what the pointer's white veil
// makes of the line: greyer and brighter than it.
func (s *sheet) whitish(at image.Point, c vision.RGB) bool {
	if s.look.Board.Cursor.Alpha == 0 {
		return false
	}
	ink := s.inkAt(at)
	// Less than a quarter of the least opacity that was seen, 0.25, is no veil.
	rise := c.Sub(ink)
	return min(rise[0], rise[1], rise[2]) > 0.06*(255-max(ink[0], ink[1], ink[2])) && (greyish(c) || greyish(rise))
}

// greyish tells whether a colour's channels are alike to a third.
func greyish(c vision.RGB) bool {
	return max(c[0], c[1], c[2])-min(c[0], c[1], c[2]) < 0.35*max(c[0], c[1], c[2])
}

// bare tells whether a start circle has the lines' colour about its middle: no
// line has begun there, and no glow lies on it.
func (s *sheet) bare(at image.Point, c vision.RGB) bool {
	ink := s.inkAt(at)
	r := 2 * 0.85 * s.line // half-cells: beyond a dot, within the circle
	for k := range 8 {
		sin, cos := math.Sincos(float64(k) * math.Pi / 4)
		if s.at(float64(at.X)+r*cos, float64(at.Y)+r*sin).Dist(ink) > 0.3*c.Dist(ink) {
			return false
		}
	}
	return true
}

// hollow tells whether a start circle is brighter about its middle than there: light on it
// has its own middle, and a line that is drawn all of it.
func (s *sheet) hollow(at image.Point, c vision.RGB) bool {
	var round []vision.RGB
	r := 2 * 0.75 * s.line // half-cells: within the circle
	for k := range 8 {
		sin, cos := math.Sincos(float64(k) * math.Pi / 4)
		round = append(round, s.at(float64(at.X)+r*cos, float64(at.Y)+r*sin))
	}
	m := vision.MedianRGB(round)
	return m[0]+m[1]+m[2] > c[0]+c[1]+c[2] && m.Dist(c) > s.lines.model.odds.OnStart*s.contrast()
}

// pulsed tells whether what brightens a place is the ring of a start nearby.
func (s *sheet) pulsed(starts []image.Point, at image.Point, c vision.RGB) bool {
	ink := s.inkAt(at)
	if c[0]+c[1]+c[2] < ink[0]+ink[1]+ink[2] || min(c[0]-ink[0], c[1]-ink[1], c[2]-ink[2]) < -tuned.PulseLess*s.contrast() {
		return false
	}
	for _, o := range starts {
		r := hypot(float64(at.X-o.X), float64(at.Y-o.Y)) / 2
		if ring := s.ring(o); ring > 0 && math.Abs(r-ring) < 0.25 {
			return true
		}
	}
	return false
}

// symmetry is what maps a panel's starts onto its starts and its ends, with
// their caps, onto its ends, each onto another: the game draws no other sign of
// it.
func symmetry(p *witness.Panel) witness.Symmetry {
	for _, kind := range []witness.Symmetry{witness.Rotation, witness.Mirror, witness.Flip, witness.Parallel, witness.Turned} {
		q := *p
		q.Symmetry = kind
		starts, ends, ok := 0, 0, true
		for at := range p.Points() {
			a := p.At(at)
			if !a.Start && !a.IsEnd() {
				continue
			}
			to, in := q.Image(at)
			if !in || to == at {
				ok = false
				break
			}
			b := p.At(to)
			want := a.Cap
			if kind == witness.Mirror || kind == witness.Rotation {
				want.X = -want.X
			}
			if kind == witness.Flip || kind == witness.Rotation || kind == witness.Turned {
				want.Y = -want.Y
			}
			if a.Start != b.Start || b.Cap != want {
				ok = false
				break
			}
			if a.Start {
				starts++
			}
			if a.IsEnd() {
				ends++
			}
		}
		if ok && starts > 1 && ends > 1 {
			return kind
		}
	}
	return witness.NoSymmetry
}

// dots puts the dots on the panel. Where there are two lines a coloured dot
// belongs to one of them: the bluer to the player's. One of no clear colour is
// plain where neutral tells so and there are dots of either line beside it: in
// the game plain ones are dark, and what has no colour light may lie on.
func (s *sheet) dots(p *witness.Panel, at []image.Point, cols []vision.RGB, neutral bool) error {
	for i, d := range at {
		p.At(d).Dot = witness.Dot{On: true, Colour: hex(cols[i])}
	}
	if p.Symmetry == witness.NoSymmetry {
		return nil
	}
	var coloured, pale []int
	for i, c := range cols {
		hi, lo := max(c[0], c[1], c[2]), min(c[0], c[1], c[2])
		ink := s.inkAt(at[i])
		// A plain dot is darker than the line.
		if hi < 0.8*max(ink[0], ink[1], ink[2]) {
			continue
		}
		// A pale colour too bright for the picture turns white.
		if hi-lo < 0.2*hi && hi < nearWhite {
			pale = append(pale, i)
			continue
		}
		coloured = append(coloured, i)
	}
	if len(pale) > 0 && (!neutral || len(coloured) < 2) {
		return unsure(at[pale[0]], "a dot of no clear colour: whose it is cannot be told")
	}
	if len(coloured) == 0 {
		return nil
	}
	// Hue alone tells the two colours apart: how much more blue than red.
	blueness := func(i int) float64 {
		c := cols[i]
		return (c[2] - c[0]) / max(c[0], c[1], c[2])
	}
	slices.SortFunc(coloured, func(a, b int) int { return cmp.Compare(blueness(b), blueness(a)) })
	cut, widest := -1, 0.0
	for k := 1; k < len(coloured); k++ {
		if d := blueness(coloured[k-1]) - blueness(coloured[k]); d > widest {
			cut, widest = k, d
		}
	}
	if widest < 0.3 {
		return unsure(at[coloured[0]], "dots of one colour: whose they are cannot be told")
	}
	for k, i := range coloured {
		if k > 0 && k != cut && blueness(coloured[k-1])-blueness(i) > 0.5*widest {
			return unsure(at[i], "dots of three colours")
		}
		p.At(at[i]).Dot.Line = witness.OwnLine
		if k >= cut {
			p.At(at[i]).Dot.Line = witness.OtherLine
		}
	}
	// A third colour is that of dots for either line.
	within, between := 0.0, math.Inf(1)
	for k, i := range coloured {
		for l, j := range coloured[:k] {
			if d := colourStep(cols[i], cols[j]); (k < cut) == (l < cut) {
				within = max(within, d)
			} else {
				between = min(between, d)
			}
		}
	}
	if within > tuned.DotsWithin*between {
		return unsure(at[coloured[0]], "dots of three colours")
	}
	return nil
}

// oneLine doubts dots for one line that are of two colours: where they are, something
// else was taken for one, or for the lines.
func (s *sheet) oneLine(at []image.Point, cols []vision.RGB) error {
	for i, c := range cols {
		for _, o := range cols[:i] {
			if colourStep(c, o) > tuned.DotsApart*s.contrast() {
				return unsure(at[i], "dots of two colours, and one line")
			}
		}
	}
	return nil
}

// reached tells whether an edge leads to a node.
func (s *sheet) reached(p *witness.Panel, at image.Point) bool {
	for _, d := range []image.Point{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
		if e := p.At(at.Add(d)); e != nil && e.Gap != witness.Missing {
			return true
		}
	}
	return false
}

// twins tells whether two symbols are the same piece, the one blue and the other not.
func twins(a, b witness.Symbol) bool {
	return isPiece(a.Kind) && isPiece(b.Kind) && a.Kind != b.Kind && a.Turnable == b.Turnable && slices.Equal(a.Shape, b.Shape)
}

// isPiece tells whether a kind is a piece, blue or not.
func isPiece(k witness.Kind) bool { return k == witness.Polyomino || k == witness.Negative }

func kindName(k witness.Kind) string {
	return k.Called()
}

func sameSymbol(a, b witness.Symbol) bool {
	return a.Kind == b.Kind && a.Count == b.Count && a.Turnable == b.Turnable && slices.Equal(a.Shape, b.Shape)
}

func hex(c vision.RGB) witness.Colour {
	return witness.Colour(fmt.Sprintf("#%02x%02x%02x", int(c[0]+0.5), int(c[1]+0.5), int(c[2]+0.5)))
}

// colourStep is how far two colours are from each other, of 255. Reflections and haze
// add light of all colours to one more than to another: what differs in grey counts
// less than what differs in hue.
func colourStep(a, b vision.RGB) float64 {
	grey, hue := greyAndHue(a.Sub(b))
	return math.Sqrt(hue.Dot(hue) + 3*0.6*0.6*grey*grey)
}

// colourSteps are by how much of a board's brightest colour two differ that are surely
// one, as likely one as two, and surely two.
type colourSteps struct{ alike, divide, clear float64 }

// usualSteps: of one colour to 0.17 was seen on the game's panels, of two 0.29 and
// more; a yellow and an orange of a web page are 0.27 apart.
func usualSteps() colourSteps { return colourSteps{alike: 0.07, divide: 0.21, clear: 0.45} }

// A palette is the colours of symbols, some of which are one.
type palette struct {
	cols       []vision.RGB
	steps      colourSteps
	confidence float64
	scale      float64 // of its brightest
	group      []int   // of each colour: equal for one colour
	thin       *thinner
}

// apart is how far two colours are from each other.
func (p *palette) apart(i, j int) float64 { return colourStep(p.cols[i], p.cols[j]) / p.scale }

// atMost is how far they may be: where they are not surely two it may be light by which they
// differ.
func (p *palette) atMost(i, j int) float64 {
	d := p.apart(i, j)
	if p.thin != nil && p.thin.lit != nil && sure(d, p.steps.divide, p.steps.clear) < p.confidence {
		d = min(d, colourStep(p.cols[i], p.thin.lit(i, j))/p.scale, colourStep(p.cols[j], p.thin.lit(j, i))/p.scale)
	}
	return beforeCut(p.cols[i], p.cols[j]) * d
}

// beforeCut is by how many times two colours may have been further from each other than
// they are seen. Too bright for the picture, they are nearer to each other than they were,
// the more so the more of either was cut off.
func beforeCut(a, b vision.RGB) float64 {
	d := 1.0
	for k := range a {
		if max(a[k], b[k]) > nearWhite {
			d += 0.5
		}
	}
	return d
}

// grouped makes groups of colours that are surely one, each with one of its own.
func grouped(cols []vision.RGB, brightest, confidence float64, steps colourSteps, thin *thinner, told sharing) *palette {
	p := &palette{cols: cols, steps: steps, confidence: confidence, scale: brightest, group: make([]int, len(cols)), thin: thin}
	for i, c := range cols {
		p.scale = max(p.scale, c[0], c[1], c[2])
		p.group[i] = i
	}
	for i := range cols {
		for j := range i {
			d := p.atMost(i, j)
			if one, two := told(i, j); one || !two && d < steps.divide && sure(d, steps.divide, steps.alike) >= confidence {
				from, to := p.group[i], p.group[j]
				for k := range p.group {
					if p.group[k] == from {
						p.group[k] = to
					}
				}
			}
		}
	}
	return p
}

// spreads are how far those of each group are from each other; 1 of one alone, for
// which that is not known.
func (p *palette) spreads() []float64 {
	spread := slices.Repeat([]float64{1}, len(p.cols))
	for i := range p.cols {
		for j := range i {
			if to := &spread[p.group[i]]; p.group[i] == p.group[j] {
				if d := p.apart(i, j); d > *to || *to == 1 {
					*to = d
				}
			}
		}
	}
	return spread
}

// names are the names of the colours: of each group the median.
func (p *palette) names() []witness.Colour {
	names := make([]witness.Colour, len(p.cols))
	for g := range p.cols {
		var v []vision.RGB
		for i, of := range p.group {
			if of == g {
				v = append(v, p.cols[i])
			}
		}
		if len(v) == 0 {
			continue
		}
		n := hex(vision.MedianRGB(v))
		for i, of := range p.group {
			if of == g {
				names[i] = n
			}
		}
	}
	return names
}

// cluster names the colours of symbols: equal names for one colour. Colours
// are told apart within the panel: by steps of a fifth of its brightest, which
// is at least as bright as the lines and cells. It says how sure it is, and
// refuses what is less sure than confidence, and what thin, where there is one, says
// may be otherwise.
func cluster(at []image.Point, cols []vision.RGB, brightest, confidence float64, steps colourSteps, thin *thinner) ([]witness.Colour, float64, error) {
	return clusterTold(at, cols, brightest, confidence, steps, thin, func(int, int) (bool, bool) { return false, false })
}

// clusterTold is cluster where of some it is known whether they are one.
func clusterTold(at []image.Point, cols []vision.RGB, brightest, confidence float64, steps colourSteps, thin *thinner, told sharing) ([]witness.Colour, float64, error) {
	p := grouped(cols, brightest, confidence, steps, thin, told)
	spread := p.spreads()
	// What lies between two groups, each of which is seen at several places alike, is
	// no light on one symbol.
	two := func(i, j int) float64 {
		d, within := p.apart(i, j), max(spread[p.group[i]], spread[p.group[j]])
		if d < steps.divide || within == 1 {
			return sure(d, steps.divide, steps.clear)
		}
		return max(sure(d, steps.divide, steps.clear), sure(d, 2*within, 4*within))
	}
	least := 1.0
	for i := range cols {
		nearest := math.Inf(1)
		for j := range cols {
			one := p.group[i] == p.group[j]
			same, other := told(i, j)
			switch {
			case i == j, other && !one:
			case same:
				nearest = 0
			case other:
				return nil, 0, unsure(at[i], "one colour or two: %s and %s", hex(cols[i]), hex(cols[j]))
			case !one && (two(i, j) < confidence || thin != nil && thin.mixed(i, j)),
				one && thin != nil && sure(beforeCut(cols[i], cols[j])*colourStep(cols[i], thin.paled(i, j))/p.scale, steps.divide, steps.alike) < confidence:
				return nil, 0, unsure(at[i], "one colour or two: %s and %s", hex(cols[i]), hex(cols[j]))
			case !one:
				least = min(least, two(i, j))
			default:
				nearest = min(nearest, p.atMost(i, j)) // within a group colours may go over into each other in steps
			}
		}
		if !math.IsInf(nearest, 1) {
			least = min(least, sure(nearest, steps.divide, steps.alike))
		}
	}
	return p.names(), least, nil
}

// Puzzle is Panel as the pipeline passes it on.
func (r *Reader) Puzzle() (solve.Puzzle, error) {
	p, err := r.Panel()
	if err != nil {
		return nil, err
	}
	return p, nil
}
