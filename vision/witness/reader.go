package witness

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"slices"
	"sync"

	"onlooker/calibrations"
	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/cell"
	"onlooker/vision/witness/check"
	"onlooker/vision/witness/decide"
	"onlooker/vision/witness/learned"
	"onlooker/vision/witness/line"
	"onlooker/vision/witness/look"
	"onlooker/vision/witness/pillar"
	"onlooker/vision/witness/pointer"
	"onlooker/vision/witness/view"
)

// A Reader reads one panel from one view of it, from several views, or from
// several frames one after another.
type Reader struct {
	profile *calibrations.Profile
	drawn   drawing.Forms
	cache   *look.Cache
	lines   *line.Cache
	boards  []*vision.Board
	columns []int      // of each board, where they are known: see AddTurned
	first   int        // see Column
	views   []*reading // of the first boards, as far as they were read
}

// NewReader returns a Reader for panels of the profile's look. Kinds that the program has
// not of itself are given.
func NewReader(p *calibrations.Profile, more ...witness.Kind) *Reader {
	return newReader(p, drawing.FormsOf(p, more...))
}

// Readers returns NewReader for a program that reads many panels: what is drawn once for a
// look is kept for all of them. Looks must not change then.
func Readers(more ...witness.Kind) func(p *calibrations.Profile) *Reader {
	cache := &look.Cache{Of: map[*calibrations.Profile]*look.Library{}}
	lines := &line.Cache{}
	return func(p *calibrations.Profile) *Reader {
		r := NewReader(p, more...)
		r.cache, r.lines = cache, lines
		return r
	}
}

// newReader is NewReader for symbols of some forms.
func newReader(p *calibrations.Profile, drawn drawing.Forms) *Reader {
	return &Reader{profile: p, drawn: drawn, lines: &line.Cache{}}
}

// Read reads the panel that one board shows in a look, with symbols of some forms.
func Read(look *calibrations.Profile, drawn drawing.Forms, b *vision.Board) (*witness.Panel, error) {
	r := newReader(look, drawn)
	r.boards = []*vision.Board{b}
	return r.Panel()
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
	if r.boards[0].Cut != [4]bool{} {
		return nil, decide.Cut.At(image.Point{})
	}
	if r.boards[0].Pillar {
		return r.pillar()
	}
	if r.profile.Learned.Any() {
		return r.learned()
	}
	if len(r.boards) == 1 {
		return r.single(r.boards[0])
	}
	for _, b := range r.boards[len(r.views):] {
		c := r.game(pointer.Cleared(b, r.profile, r.drawn))
		v, err := newReading(c)
		if err != nil {
			return nil, err
		}
		for _, at := range r.glared(b) {
			v.doubts.Places[at] = decide.Hidden.At(at, "what may be glare")
		}
		if !v.solved {
			for _, at := range check.New(c, r.cache, r.profile, r.drawn, v.panel).Covered() {
				v.doubts.Places[at] = decide.Hidden.At(at, "something")
			}
		}
		r.views = append(r.views, v)
		b.Solved = v.solved
	}
	p, err := mergeViews(r.views)
	least := slices.MinFunc(r.views, func(a, b *reading) int { return cmp.Compare(a.least, b.least) }).least
	for _, b := range r.boards {
		view.State(b, least)
	}
	return p, err
}

// single reads one view in a look of which the sizes are known. Where nothing explains a place
// the pointer may.
func (r *Reader) single(b *vision.Board) (*witness.Panel, error) {
	if places := r.glared(b); len(places) > 0 {
		return nil, decide.Hidden.At(places[0], "what may be glare")
	}
	s := pointer.Cleared(b, r.profile, r.drawn)
	if by, places := covered(s); len(places) > 0 {
		return nil, decide.Hidden.At(places[0], by)
	}
	p, err := r.sheet(b, s)
	if u := (*vision.UnsureError)(nil); errors.As(err, &u) {
		if o := pointer.UnderUnexplained(s, u.At); o != nil {
			// A hollow start circle shines as the pointer does.
			if q, e := r.sheet(b, o); e == nil && !q.At(u.At).Start {
				return q, nil
			}
		}
		if pointer.Hides(s, u.At, 0.5) {
			err = decide.Hidden.At(u.At, "what may be the cursor, or a sign that is not known")
		}
	}
	return p, err
}

// sheet reads a board as it was measured, and notes on it what was read.
func (r *Reader) sheet(b *vision.Board, s *view.View) (*witness.Panel, error) {
	c := r.game(s)
	p, err := panel(c)
	if err != nil {
		return nil, err
	}
	b.Solved = s.Solved(p)
	view.State(b, s.Least)
	if b.Solved {
		return p, nil
	}
	m := check.New(c, r.cache, r.profile, r.drawn, p)
	if places := m.Covered(); len(places) > 0 {
		if witness.IsCell(places[0]) && !slices.ContainsFunc(places, func(at image.Point) bool { return at != places[0] }) {
			return nil, decide.Sign.At(places[0])
		}
		return nil, decide.Hidden.At(places[0], "something")
	}
	if err := m.Unexplained(); err != nil {
		return nil, err
	}
	return p, nil
}

// game reads a sheet in the game's look.
func (r *Reader) game(s *view.View) *cell.Reader {
	c := cell.NewReader(line.NewReader(s, r.lines))
	c.Empties = func(p *witness.Panel, cells []image.Point) []float64 {
		return check.New(c, r.cache, s.Profile, s.Forms, p).Empties(cells)
	}
	return c
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
		} else if d := witness.Differ(panel, p); d != "" {
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
	if u, ok := pillar.Unroll(b); ok {
		return r.readRound(b, u)
	}
	m := look.New(b, r.profile, r.drawn)
	p, err := learned.NewReader(m).Read()
	if err != nil {
		return nil, err
	}
	b.Solved = m.Solved(p)
	view.State(b, m.Least)
	return p, nil
}

// panel reads one view.
func panel(s *cell.Reader) (*witness.Panel, error) {
	if !s.Board.Round() {
		if err := s.Told(image.Point{}, s.Board.Sized, decide.BoardSize, s.Board.Cols, s.Board.Rows); err != nil {
			return nil, err
		}
	}
	if s.Lines.Halved() {
		return nil, decide.BoardSize.At(image.Point{}, s.Board.Cols, s.Board.Rows)
	}
	p, starts, err := s.Lines.Lattice()
	if err != nil {
		return nil, err
	}
	pointer := sync.OnceValues(func() (view.Disc, bool) { return pointer.On(s.Lines.View) })
	var dots []image.Point
	var dotColours []vision.RGB
	for at := range p.Points() {
		if witness.IsCell(at) || p.At(at).Gap != witness.Whole || witness.IsNode(at) && !s.Reached(p, at) {
			continue
		}
		col, is, err := s.Lines.IsDot(p, at, starts)
		if err != nil && !is {
			return nil, err
		}
		if err := s.Doubt(err); err != nil {
			return nil, err
		}
		if err == nil && is {
			dots, dotColours = append(dots, at), append(dotColours, col)
		}
	}
	for at := range p.Points() {
		// What was taken for a dot was not asked whether it is broken: see lattice.
		if witness.IsEdge(at) && p.At(at).Gap == witness.Whole && !p.At(at).Start && !slices.Contains(dots, at) && s.Lines.DotAt(at, false) > 0 {
			gap, err := s.Lines.GapAt(at)
			if err := s.Doubt(err); err != nil {
				return nil, err
			}
			p.At(at).Gap = gap
		}
	}
	if err := cmp.Or(s.Lines.StartsOrDots(p, dots, dotColours), s.Lines.BreaksOrDots(p, dotColours)); err != nil {
		return nil, err
	}
	p.Symmetry = witness.SymmetryOf(p)
	if err := s.Doubt(line.DotsByLine(s.Lines.View, p, dots, dotColours, false)); err != nil {
		return nil, err
	}
	if p.Symmetry == witness.NoSymmetry {
		if err := s.Doubt(line.OneLine(s.Lines.View, dots, dotColours)); err != nil {
			return nil, err
		}
	}
	if err := s.Cells(p, starts, pointer); err != nil {
		return nil, err
	}
	return p, nil
}
