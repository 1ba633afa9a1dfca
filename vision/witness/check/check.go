// Package check doubts of a reading what it leaves unexplained of its picture: borders that the
// panel has not, what its symbols show besides their templates, and lines in another colour.
package check

import (
	"image"
	"math"
	"sync"

	"onlooker/calibrations"
	witness "onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	"onlooker/vision"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/cell"
	"onlooker/vision/witness/decide"
	"onlooker/vision/witness/look"
	"onlooker/vision/witness/view"
)

// A Checker lays what was read of a board against the look's templates.
type Checker struct {
	*view.View
	panel  *witness.Panel
	model  *look.Model
	every  func() *look.Library // the templates of all symbols, where the model has those of what was read
	read   *cell.Reader
	sights func() []sight
}

// A sight is what a cell shows, and the template of the symbol that was read there where it is most
// like that; nil where none was.
type sight struct {
	*look.Cell
	symbol *look.Candidate
}

// New is for a board that was measured before and of which it is known what it shows.
func New(s *cell.Reader, cache *look.Cache, profile *calibrations.Profile, drawn drawing.Forms, p *witness.Panel) *Checker {
	// The templates are drawn, and sharp; what is seen is not. Mostly those of what was read
	// are enough.
	sharp, sigma := cache.LibraryOf(profile, drawn), view.Tuned.BlurPixels*look.CellSide/s.Board.ScreenPitch
	m := look.Of(s.View, 0, sharp.Only(func(kind witness.Kind) bool {
		return len(view.Where(p.Points(), func(at image.Point) bool { return p.At(at).Kind == kind })) > 0
	}).BlurredBy(sigma))
	m.Lines.Covered(p)
	c := &Checker{View: m.View, panel: p, model: m, every: sync.OnceValue(func() *look.Library { return sharp.BlurredBy(sigma) }), read: s}
	c.sights = sync.OnceValue(c.look)
	return c
}

// Empties are how sure it is of each of some cells that it is like no symbol.
func (m *Checker) Empties(cells []image.Point) []float64 {
	empties := make([]float64, len(cells))
	vision.SideBySide(len(cells), func(k int) {
		empties[k] = view.Sure(m.likeness(m.model.Cells.CellAt(cells[k])), view.Tuned.FaintLike, view.Strongly)
	})
	return empties
}

// likeness is the correlation of a cell with the template that is most like it.
func (m *Checker) likeness(v *look.Cell) float64 {
	if v.Hidden {
		return 0
	}
	list := m.every().Candidates(v, view.Tuned.Slack)
	return append(list, look.Candidate{})[0].Score // the best first
}

// look looks at all cells; where sizes are not known in those in which symbols are most like them.
func (m *Checker) look() []sight {
	cells := view.Where(m.panel.Points(), witness.IsCell)
	all := make([]sight, len(cells))
	vision.SideBySide(len(cells), func(i int) {
		s, symbol := &all[i], m.panel.At(cells[i]).Symbol
		sizes, turns := []float64{1}, []float64{0}
		if form, ok := m.Forms.Of(symbol.Kind); ok && m.Profile.Loose {
			sizes, turns = cell.LooseSizes(), append(turns, form.Turns...)
		}
		s.Cell = m.model.Cells.CellAt(cells[i])
		for k := 0; k < len(sizes)*len(turns) && symbol.Kind != witness.NoSymbol; k++ {
			known := m.model.Known.Resized(sizes[k%len(sizes)], turns[k/len(sizes)])
			list := known.Matched(known.Of(symbol), s.Cell, view.Tuned.Slack)
			if len(list) > 0 && (s.symbol == nil || list[0].Score > s.symbol.Score) {
				s.symbol = &list[0]
			}
		}
	})
	return all
}

// label is what was read in a cell, without its colour.
func (m *Checker) label(cell image.Point) forms.Label {
	return forms.SymbolLabel(m.panel.At(cell).Symbol)
}

// Unexplained says which place of the panel shows what it was not read as: a client's shape that
// is none of the look's is read as the nearest of these otherwise, and a dot as nothing.
func (m *Checker) Unexplained() error {
	least := math.Inf(1) // how far the smallest start circle reaches, line widths
	for _, at := range look.Starts(m.panel) {
		least = min(least, m.model.Lines.StartReach(at))
	}
	for at := range m.panel.Points() {
		q := m.panel.At(at)
		if q.Gap == witness.Broken && m.rounded(at) {
			return decide.DotOrBreak.At(at)
		}
		if witness.IsCell(at) || q.Start || q.Dot.On || q.Gap != witness.Whole || witness.IsNode(at) && !m.Reached(m.panel, at) {
			continue
		}
		core := m.model.Lines.DotCore(at)
		odd := min(core.Dist(m.model.Lines.LineInk(at)), core.Dist(m.Board.Ink)) // a start that is lit colours its edges' ends
		err := decide.DotOrNone.Over(at, odd/m.Contrast(), view.Clearly)
		if err != nil && !(witness.IsEdge(at) && m.read.Lines.Pulsed(look.Starts(m.panel), at, core)) {
			return err
		}
		if len(m.Discs) > 0 || q.IsEnd() { // these may hide how far something reaches
			continue
		}
		if err := decide.StartOrNone.Over(at, m.model.Lines.StartReach(at), least-look.ReachStep/2); err != nil {
			return err
		}
	}
	views := m.sights()
	left := make([]float64, len(views))
	vision.SideBySide(len(views), func(i int) { left[i] = views[i].left() })
	most := view.Strongly
	if m.Profile.Loose { // of several sizes the best is taken: of four shared boards that are misread 0.31 and more is left
		most = view.Clearly
	}
	balance := map[forms.Label]int{} // of its cells that are explained, less the others
	for i, v := range views {
		if balance[m.label(v.At)]++; left[i] > most {
			balance[m.label(v.At)] -= 2
		}
	}
	for i, v := range views {
		if v.symbol == nil && m.faint(v.Cell) {
			return decide.EmptyOrFaint.At(v.At)
		}
		// Of what light lies on as many others that are the same tell, where it is seen at all.
		if balance[m.label(v.At)] >= 0 && (v.symbol == nil || v.symbol.Score > 0.5) {
			continue
		}
		if err := decide.Unexplained.Under(v.At, 1-left[i], 1-most, m.panel.At(v.At).Kind.Called()); err != nil {
			return err
		}
	}
	return nil
}

// rounded tells whether a break is shorter at a border of the line than along its middle, as a dot
// in the ground's colour is: 0.64 of its length at most; breaks have 0.97 at least,
// in cells of 40 pixels and more.
func (m *Checker) rounded(at image.Point) bool {
	ux, uy := witness.EdgeDirection(at)
	ink, ground := m.model.Lines.LineInk(at), m.GroundBeside(at)
	var length [3]int // samples about the middle of which nothing is left: at one border, in the middle, at the other
	for k, off := range []float64{-0.36, 0, 0.36} {
		x, y := float64(at.X)+2*m.LineWidth*off*uy, float64(at.Y)+2*m.LineWidth*off*ux
		for _, way := range []float64{-1, 1} {
			for d := 0.0; d < 1; d += 1 / view.Tuned.EdgeSamples {
				if c := m.At(x+way*d*ux, y+way*d*uy); min(c.Dist(ground), c.Dist(m.Board.Paper)) > c.Dist(ink) {
					break
				}
				length[k]++
			}
		}
	}
	return m.Board.ScreenPitch >= 40 && float64(max(length[0], length[2])) < view.Mostly*float64(length[1])
}

// faint tells whether a cell that was read as empty shows, far above its ground's noise, what is
// like a symbol's template and has a border, as light has none; but light falls into hollow cells
// in many ways.
func (m *Checker) faint(v *look.Cell) bool {
	return m.read.Stains.Relief == nil && v.Strong >= view.Tuned.AboveGrain*max(1, v.Grain) &&
		m.read.Border(v.At) >= view.Tuned.FaintBorder && m.likeness(v) >= view.Tuned.Recognised
}

// left is what a symbol's template leaves of its cell, or shows besides, at most: a share of how
// strongly the symbol shows, over two samples each way. On captures it is 0.49 where no light lies,
// of other shapes, on drawn boards, 0.62 and more.
func (s *sight) left() float64 {
	if s.symbol == nil || s.Hidden {
		return 0
	}
	const side = look.CellSide
	rest := vision.NewMap(side, side)
	var n, a, b, aa, ab float64
	// within tells of all places that are seen how strongly they and the template show.
	within := func(tell func(k int, seen, drawn float64)) {
		for k, seen := range s.Off.V {
			x, y := k%side-s.symbol.Off.X, k/side-s.symbol.Off.Y
			if max(math.Abs(look.Offset(k%side)), math.Abs(look.Offset(k/side))) < s.Inner && min(x, y) >= 0 && max(x, y) < side {
				tell(k, float64(seen), float64(s.symbol.Mask.V[y*side+x]))
			}
		}
	}
	within(func(_ int, seen, drawn float64) {
		n, a, b, aa, ab = n+1, a+drawn, b+seen, aa+drawn*drawn, ab+drawn*seen
	})
	gain := (ab - a*b/n) / (aa - a*a/n)
	if !(gain > 0) {
		return 1
	}
	within(func(k int, seen, drawn float64) { rest.V[k] = float32((seen-b/n)/gain - drawn + a/n) })
	most := float32(0)
	for k := side + 1; k < len(rest.V); k++ {
		sum := rest.V[k] + rest.V[k-1] + rest.V[k-side] + rest.V[k-side-1]
		most = max(most, sum/4, -sum/4)
	}
	return float64(most)
}
