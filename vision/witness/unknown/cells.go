package unknown

import (
	"cmp"
	"errors"
	"image"
	"math"
	"slices"

	"onlooker/calibrations"
	"onlooker/solve"
	witness "onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	"onlooker/vision"
	"onlooker/vision/witness/bank"
	"onlooker/vision/witness/cell"
	"onlooker/vision/witness/colour"
	"onlooker/vision/witness/decide"
	"onlooker/vision/witness/look"
	"onlooker/vision/witness/shape"
	"onlooker/vision/witness/view"
)

// A Holding is a cell that holds something, with all that it may be.
type Holding struct {
	View    *look.Cell
	Figures []*bank.Figure // what is seen, and what that is with all that it encloses
	at      image.Point
	Singles []bank.Match // the best of each symbol first
	pieces  []bank.Match
	Found   *bank.Match
	Fail    error         // why it is in doubt what it holds
	Next    float64       // by how much the next is less likely, as a misfit
	colours [2]vision.RGB // deep within, and where it is drawn
}

// Cells are the cells of such a board: what stands in them is told by common shapes, and by
// each other.
type Cells struct {
	*view.View
	Model *look.Model
	Panel *witness.Panel
}

// read tells what stands in the cells.
func (f *Cells) read() error {
	f.plates()
	f.Model.Cells.Over = f.Model.Cells.PlainLines(f.Panel)
	held, err := f.holdings()
	if err != nil {
		return err
	}
	f.onGrids(held)
	noise := f.unexplained(held)
	for _, h := range held {
		if h.Found == nil {
			h.Fail = f.single(h, noise)
		}
		if h.Fail == nil {
			h.Fail = decide.Symbols.Or(h.at, witness.SymbolName(h.Found.Symbol), f.rival(h))
		}
	}
	if err := f.AsOthers(held); err != nil {
		return err
	}
	for _, h := range held {
		if h.Fail != nil {
			return h.Fail
		}
	}
	held = slices.DeleteFunc(held, func(h *Holding) bool { return h.Found == nil })
	if err := f.alike(held); err != nil {
		return err
	}
	return f.coloured(held)
}

// plates learns the pattern of empty cells from those whose middle is plain.
func (f *Cells) plates() {
	p := witness.New(f.Board.Cols, f.Board.Rows, false)
	for at := range p.Points() {
		if !witness.IsCell(at) {
			continue
		}
		v := f.Model.Cells.CellAt(at)
		var middle []vision.RGB
		for k, c := range v.Pix {
			if max(math.Abs(look.Offset(k%look.CellSide)), math.Abs(look.Offset(k/look.CellSide))) < 0.55*v.Inner {
				middle = append(middle, c)
			}
		}
		usual := vision.MedianRGB(middle)
		var far []float64
		for _, c := range middle {
			far = append(far, c.Dist(usual))
		}
		if v.Hidden || vision.Ranked(far, len(far)*98/100) > view.Faintly*f.Contrast() {
			p.At(at).Symbol = witness.Symbol{Kind: witness.Square}
		}
	}
	profile := *f.Profile
	look.LearnGround(&profile, []look.Lesson{look.NewLesson(f.Model, p, "")})
}

// holdings are the cells that hold something.
func (f *Cells) holdings() ([]*Holding, error) {
	cells := view.Where(f.Panel.Points(), witness.IsCell)
	views := make([]*look.Cell, len(cells))
	vision.SideBySide(len(cells), func(i int) { views[i] = f.Model.Cells.CellAt(cells[i]) })
	var strong []float64
	for i, v := range views {
		if v.Hidden {
			return nil, decide.Covered.At(cells[i])
		}
		strong = append(strong, v.Strong/f.Contrast())
	}
	usual := look.UsualDivide(look.DivideSymbol)
	// Where no gap tells, what shows as much as the faintest symbols is in doubt: of 7,000 cells
	// of 40 random looks none that holds one shows less than 0.14.
	divide, ok := falls(strong, view.Faintly, view.Slightly, view.Slightly)
	if !ok {
		divide = (usual[0] + usual[1]) / 2
	}
	faint := f.faint(strong, divide)
	g := bank.Shapes()
	out, fails := make([]*Holding, len(cells)), make([]error, len(cells))
	vision.SideBySide(len(cells), func(i int) {
		v := views[i]
		if !ok && strong[i] > usual[0] && strong[i] < usual[1] {
			fails[i] = decide.EmptyOrFaint.Over(v.At, strong[i], usual[0])
			return
		}
		if strong[i] < divide {
			if v.Alone() {
				fails[i] = decide.EmptyOrFaint.Over(v.At, strong[i], faint)
			}
			return
		}
		h := &Holding{View: v, at: v.At}
		if fails[i] = f.Proposals(h, v.Strong, g); fails[i] != nil {
			return
		}
		// What is drawn round it may be stronger than itself.
		if s := surface(v); s < view.Mostly*v.Strong && (len(h.Singles) == 0 || h.Singles[0].Score < view.Nearly) {
			fails[i] = f.Proposals(h, s, g)
		}
		if len(h.Figures) == 0 {
			fails[i] = decide.EmptyOrFaint.At(v.At)
			return
		}
		for k, ink := range []calibrations.Ink{calibrations.InkDeep, calibrations.InkDrawn} {
			h.colours[k] = v.Colour(&look.Candidate{Mask: h.Figures[0].Mask, Ink: ink})
		}
		out[i] = h
	})
	return slices.DeleteFunc(out, func(h *Holding) bool { return h == nil }), cmp.Or(fails...)
}

// faint is how strong something is in one of the cells that show less than divide from
// which it is more than what is in the others: these have a pattern or light in common.
func (f *Cells) faint(strong []float64, divide float64) float64 {
	empty := slices.DeleteFunc(slices.Clone(strong), func(s float64) bool { return s >= divide })
	if len(empty) == 0 {
		return divide
	}
	return max(view.Faintly, view.Tuned.Fainter*vision.Median(empty))
}

// surface is how far what most of a cell's symbol shows is off the ground.
func surface(v *look.Cell) float64 {
	var all []float64
	for _, d := range v.Off.V {
		if float64(d) > view.Clearly*v.Strong {
			all = append(all, float64(d))
		}
	}
	return vision.Median(all)
}

// Proposals adds to what a holding may be, where what is so far from the ground is all of
// it: of each symbol the likeliest.
func (f *Cells) Proposals(h *Holding, full float64, g *bank.Bank) error {
	for _, filled := range []bool{false, true} {
		fig, ok := bank.FigureOf(f.Model, h.View, full, filled)
		if !ok {
			continue
		}
		h.Figures = append(h.Figures, fig)
		singles, pieces, err := fig.Likelies(g)
		if err != nil {
			return err
		}
		h.Singles, h.pieces = append(h.Singles, singles...), append(h.pieces, pieces...)
	}
	byMisfit := func(a, b bank.Match) int { return cmp.Compare(a.Misfit, b.Misfit) }
	slices.SortStableFunc(h.Singles, byMisfit)
	slices.SortStableFunc(h.pieces, byMisfit)
	h.Singles = witness.FirstOfEach(h.Singles, func(c *bank.Match) witness.Symbol { return c.Symbol })
	return nil
}

// Matches are all that a holding may be, of each symbol the likeliest, the best first.
func (h *Holding) Matches() []bank.Match {
	all := append(slices.Clone(h.Singles), h.pieces...)
	slices.SortStableFunc(all, func(a, b bank.Match) int { return cmp.Compare(a.Misfit, b.Misfit) })
	return all
}

// A gridding is what the pieces of one board have in common: from square to square in
// pitches, the side of a square as a share of that, and by how many degrees those are
// turned that may be.
type gridding struct{ spacing, fill, degrees float64 }

// griddings are all that a board's pieces may have in common.
func griddings() (all []gridding) {
	for s := 0.09; s < 0.26; s *= 1.03 {
		for _, fill := range bank.Fills() {
			for _, d := range []float64{-36, -30, -26, -22, -18, -14, -10, 10, 14, 18, 22, 26, 30, 36, 45} {
				all = append(all, gridding{s, fill, d})
			}
		}
	}
	return all
}

// has tells whether a proposed piece lies on such a grid; same is how far the logarithms
// of sizes may differ.
func (g gridding) has(c *bank.Match, same float64) bool {
	if c.Degrees != 0 && math.Abs(c.Degrees-g.degrees) > 5 {
		return false
	}
	near := func(a, b float64) bool { return math.Abs(math.Log(a/b)) < same }
	if len(c.Symbol.Shape) == 1 { // its own spacing is not seen
		return near(c.Block, g.spacing*g.fill) || near(c.Block, g.spacing*g.fill*(1+view.Faintly))
	}
	return near(c.Spacing, g.spacing) && math.Abs(c.Block/c.Spacing-g.fill) < view.Faintly
}

// samePiece tells whether two readings of a cell mean the same, whatever the squares look
// like; nil is none of the pieces.
func samePiece(a, b *bank.Match) bool {
	if a == nil || b == nil {
		return a == b
	}
	s := a.Symbol
	s.Kind = b.Symbol.Kind
	return witness.SameMeaning(s, b.Symbol)
}

// readings are what holdings are on a gridding, nil where none of their pieces lies on it,
// and how badly that fits all together.
func (f *Cells) readings(g gridding, like []*Holding) (found []*bank.Match, cost float64) {
	for _, h := range like {
		own := math.Log(1 + view.Tuned.LearnedNoise())
		if len(h.Singles) > 0 {
			own = min(own, h.Singles[0].Misfit+view.Tuned.Evidence)
		}
		var best *bank.Match
		if i := slices.IndexFunc(h.pieces, func(c bank.Match) bool { return g.has(&c, view.Faintly) }); i >= 0 && h.pieces[i].Misfit < own {
			best, own = &h.pieces[i], h.pieces[i].Misfit
		}
		found, cost = append(found, best), cost+own
	}
	return found, cost
}

// Gridded finds what is a piece: all pieces of a board lie on grids of one spacing, and
// those that may be turned are turned alike. A reading's evidence is by how much worse all
// of the board's fit on the best gridding that makes something else of it.
func (f *Cells) Gridded(held []*Holding) (pieces []*Holding) {
	var like []*Holding
	for _, h := range held {
		if len(h.pieces) > 0 && (len(h.Singles) == 0 || h.pieces[0].Misfit < h.Singles[0].Misfit+view.Tuned.Evidence) {
			like = append(like, h)
		}
	}
	if len(like) == 0 {
		return nil
	}
	all := griddings()
	found, costs, best := make([][]*bank.Match, len(all)), make([]float64, len(all)), 0
	vision.SideBySide(len(all), func(i int) { found[i], costs[i] = f.readings(all[i], like) })
	for i, c := range costs {
		if c < costs[best]-1e-9 {
			best = i
		}
	}
	for k, h := range like {
		c := found[best][k]
		if c == nil || len(h.Singles) > 0 && h.Singles[0].Misfit < c.Misfit {
			continue
		}
		h.Found, h.Next = c, math.Inf(1)
		for i := range all {
			if !samePiece(c, found[i][k]) {
				h.Next = min(h.Next, costs[i]-costs[best])
			}
		}
		for i := range h.pieces {
			turned := all[best] // which none of the others may be
			turned.degrees = h.pieces[i].Degrees
			o := &h.pieces[i]
			// Long ones may be drawn smaller.
			if n := witness.Extent(o.Symbol.Shape); max(n.X, n.Y) >= 4 && o.Spacing < turned.spacing {
				turned.spacing = o.Spacing
			}
			if turned.has(o, view.Faintly) && !samePiece(c, o) {
				h.Next = min(h.Next, o.Misfit-c.Misfit)
			}
		}
		if len(h.Singles) > 0 {
			h.Next = min(h.Next, h.Singles[0].Misfit-c.Misfit)
		}
		pieces = append(pieces, h)
	}
	return pieces
}

// onGrids finds the pieces, and what is in doubt of them.
func (f *Cells) onGrids(held []*Holding) {
	pieces := f.Gridded(held)
	loose := slices.ContainsFunc(pieces, func(h *Holding) bool { return !filled(h.Found.Symbol.Shape) })
	for _, h := range pieces {
		h.Fail = f.onGrid(h, loose)
		if !f.hollow(h, held) && h.Fail == nil {
			h.Fail = decide.FullOrHollow.At(h.at)
		}
	}
}

// onGrid doubts a piece that may be another or something else, on a board with pieces that
// fill no square or without.
func (f *Cells) onGrid(h *Holding, loose bool) error {
	n := len(h.Found.Symbol.Shape)
	// Squares that touch are a large one: columns and rows of 2x2 that do not differ by 0.24 and more.
	if n > 1 && filled(h.Found.Symbol.Shape) && (!loose || h.seams() < view.Slightly) {
		return decide.Several.At(h.at)
	}
	sure := view.Tuned.KnownLike
	if n == 1 { // a square's form, and no more
		sure = view.Nearly
	}
	if h.Next < view.Tuned.Evidence || h.Found.Score < sure {
		return decide.Symbols.At(h.at, witness.SymbolName(h.Found.Symbol), "something else")
	}
	return decide.Turned.Under(h.at, h.turned(), view.Tuned.Evidence)
}

// AsOthers settles what a holding is by those of the board that are clear: it is what those
// are that it is as like as these are each other, and less like any of another symbol.
func (f *Cells) AsOthers(held []*Holding) error {
	var clear, doubtful []*Holding
	for _, h := range held {
		if h.Fail == nil {
			clear = append(clear, h)
		} else if d := (*decide.Doubt)(nil); !errors.As(h.Fail, &d) || d.Of != decide.FullOrHollow {
			doubtful = append(doubtful, h)
		}
	}
	if len(doubtful) == 0 {
		return nil
	}
	masks := map[*Holding]vision.Map{}
	for _, h := range held {
		masks[h] = h.View.Mask()
	}
	// What the nearest clear one leaves unexplained, of the same symbol and of others.
	nearest := func(h *Holding, symbol func(*Holding) bool) (least float64, which *Holding, err error) {
		least = math.Inf(1)
		for _, o := range clear {
			if o == h || !symbol(o) {
				continue
			}
			c := look.Correlation(h.View, masks[h], masks[o], view.Tuned.Slack)
			if left := 1 - max(0, c.Score)*c.Score; left < least {
				least, which = left, o
			}
		}
		return least, which, nil
	}
	var all []float64
	for _, h := range clear {
		left, which, err := nearest(h, func(o *Holding) bool {
			return forms.SymbolLabel(o.Found.Symbol) == forms.SymbolLabel(h.Found.Symbol)
		})
		if err != nil {
			return err
		}
		if which != nil {
			all = append(all, left)
		}
	}
	if len(all) == 0 {
		return nil
	}
	// What two leave of each other that differ by more than a symbol from its shape tells nothing.
	usual, noise := min(vision.Median(all), 1-view.Nearly*view.Nearly), view.Tuned.LearnedNoise()
	for _, h := range doubtful {
		left, as, err := nearest(h, func(*Holding) bool { return true })
		if err != nil || as == nil {
			return err
		}
		other, _, err := nearest(h, func(o *Holding) bool {
			return forms.SymbolLabel(o.Found.Symbol) != forms.SymbolLabel(as.Found.Symbol)
		})
		if err != nil {
			return err
		}
		if math.Log((left+noise)/(usual+noise)) < view.Tuned.Evidence && math.Log((other+noise)/(left+noise)) > view.Tuned.Evidence {
			found := *as.Found
			found.Figure = h.Figures[0]
			h.Found, h.Fail = &found, nil
		}
	}
	return nil
}

// turned is by how much worse a turned piece is explained by all upright ones, whatever their
// grid: two blurred squares lie on many. It is infinite where the piece is upright.
func (h *Holding) turned() float64 {
	lead := math.Inf(1)
	for i := range h.pieces {
		if o := &h.pieces[i]; h.Found.Symbol.Turnable && !o.Symbol.Turnable && len(o.Symbol.Shape) > 1 {
			lead = min(lead, o.Misfit-h.Found.Misfit)
		}
	}
	return lead
}

// filled tells whether squares fill a square.
func filled(squares []image.Point) bool {
	n := witness.Extent(squares)
	return n.X == n.Y && len(squares) == n.X*n.Y
}

// hollow makes a piece what its squares are, outlines or full, and is false where that is open: by how much less their
// middles show than what is beside, of how much that is of outlines so large and blurred.
// Full ones may be outlined in a colour that others of the board have for that.
func (f *Cells) hollow(h *Holding, held []*Holding) bool {
	g, fig, squares := h.Found.Grid, h.Figures[0], h.Found.Symbol.Shape
	strong := h.View.Strong
	seen := g.Bulge(squares, func(x, y float64) float64 {
		return f.At(float64(h.at.X)+2*x, float64(h.at.Y)+2*y).Dist(h.View.Ground) / strong
	})
	m := fig.Drawn(h.Found, 0.5, bank.GenericSide)
	outlined := g.Bulge(squares, func(x, y float64) float64 {
		return float64(look.Sampled(m, (x-fig.Mx)*fig.Scale+bank.GenericSide/2-0.5, (y-fig.My)*fig.Scale+bank.GenericSide/2-0.5))
	})
	share := seen / min(outlined, -0.01)
	// What is drawn as an outline shows a mixture of its colour and the ground within, and
	// nothing that is beyond the ground, as four of 700 outlines of 64 looks do by half as much
	// and full white squares on cream: full squares may be outlined in the other way.
	rim, deep := h.colourAt(g, 0.36), h.colourAt(g, 0)
	off, most := deep.OffMix(h.View.Ground, rim), view.Faintly*rim.Dist(h.View.Ground)
	if deep.Dist(rim) > h.View.Ground.Dist(rim) {
		most /= 2
	}
	mixed := off < most
	switch {
	case outlined > -view.Faintly, share > view.Strongly && mixed && fewHoles(h): // too small to tell, or of outlines that enclose too little
		return false
	case share > view.Strongly && mixed:
		h.Found.Symbol.Kind = witness.Negative
		h.colours[0] = h.colours[1]
	case share > view.Strongly && !f.outlinedAlike(h, rim, deep, held):
		return false
	case share < view.Clearly || !mixed && deep.Dist(h.View.Ground) > 0.5*strong:
		h.Found.Symbol.Kind = witness.Polyomino
	default:
		return false
	}
	return true
}

// fewHoles tells whether a piece encloses something, but in less than half of its squares.
func fewHoles(h *Holding) bool {
	holes := h.Figures[len(h.Figures)-1].Holes
	return holes > 0 && 2*holes < len(h.Found.Symbol.Shape)
}

// outlinedAlike tells whether another symbol than a piece with such a rim is outlined as it
// is, about another colour that is no mixture of that outline's with the ground.
func (f *Cells) outlinedAlike(h *Holding, rim, deep vision.RGB, held []*Holding) bool {
	apart := colour.UsualSteps().Divide * colour.Bright(f.Model.View)
	return slices.ContainsFunc(held, func(o *Holding) bool {
		ground, drawn := o.View.Ground, o.colours[1]
		return o != h && colour.ColourStep(drawn, rim) < apart && colour.ColourStep(o.colours[0], drawn) > apart && colour.ColourStep(o.colours[0], deep) > apart &&
			o.colours[0].OffMix(ground, drawn) > view.Faintly*drawn.Dist(ground)
	})
}

// colourAt is what a piece's squares show so far from their middle, in sides.
func (h *Holding) colourAt(g *cell.PieceGrid, far float64) vision.RGB {
	var all []vision.RGB
	for _, q := range h.Found.Symbol.Shape {
		for _, d := range view.Ways {
			x, y := g.Place(q, far*g.Block*float64(d.X), far*g.Block*float64(d.Y))
			i, j := int((x+0.5)*look.CellSide), int((y+0.5)*look.CellSide)
			if i >= 0 && j >= 0 && i < look.CellSide && j < look.CellSide {
				all = append(all, h.View.Pix[j*look.CellSide+i])
			}
		}
	}
	return vision.MedianRGB(all)
}

// unexplained is what the best shapes of a board's symbols leave unexplained of them.
func (f *Cells) unexplained(held []*Holding) float64 {
	var all []float64
	for _, h := range held {
		score := 0.0
		if h.Found != nil {
			score = h.Found.Score
		} else if len(h.Singles) > 0 {
			score = h.Singles[0].Score
		}
		all = append(all, 1-score*score)
	}
	return vision.Median(all)
}

// single tells what a cell holds that is no piece, on a board whose symbols leave so much
// unexplained.
func (f *Cells) single(h *Holding, usual float64) error {
	if len(h.Singles) == 0 {
		return decide.NoSymbol.At(h.at, "none")
	}
	best := &h.Singles[0]
	round := func(k witness.Kind) bool { return k == witness.Square || k == witness.Star }
	is := f.outline(h)
	if is != witness.NoSymbol && round(best.Symbol.Kind) && best.Symbol.Kind != is {
		i := slices.IndexFunc(h.Singles, func(c bank.Match) bool { return c.Symbol.Kind == is })
		if i < 0 || h.Singles[i].Misfit > best.Misfit+view.Tuned.Evidence {
			return decide.Symbols.At(h.at, witness.SymbolName(best.Symbol), is.Called())
		}
		best = &h.Singles[i]
	}
	// What the best leaves unexplained is the picture's noise.
	noise := max(view.Tuned.Noise/4, min(1-best.Score*best.Score, view.Tuned.LearnedNoise()))
	lead := func(score float64) float64 {
		return math.Log((1 - score*score + noise) / (1 - best.Score*best.Score + noise))
	}
	h.Next = math.Inf(1)
	for i := range h.Singles {
		c := &h.Singles[i]
		if c != best && (is == witness.NoSymbol || !round(best.Symbol.Kind) || !round(c.Symbol.Kind)) {
			h.Next = min(h.Next, lead(c.Score))
		}
	}
	for i := range h.pieces {
		c := &h.pieces[i]
		e := lead(c.Score)
		if best.Symbol.Kind == witness.Square && c.Degrees == 0 && filled(c.Symbol.Shape) {
			if c.Block >= c.Spacing { // a square is drawn as such a piece, whose size is the picture's
				e = max(0, e)
			}
			e += cell.FittedOdds().Square * float64(len(c.Symbol.Shape)-1)
		}
		h.Next = min(h.Next, e)
	}
	unusual := 1-best.Score*best.Score > view.Tuned.Unusual*(usual+view.Tuned.LearnedNoise())
	if best.Score < view.Nearly || unusual || h.Next < view.Tuned.Evidence {
		return decide.NoSymbol.At(h.at, witness.SymbolName(best.Symbol))
	}
	if best.Symbol.Kind == witness.Square && !h.hollowed() {
		// Of 2,354 squares 2,119 have less dents, and those of nine looks, most of which are hollow,
		// more; of 33 pieces of 2x2 squares that are most like a square a half has more.
		if err := cmp.Or(decide.Several.Over(h.at, h.seams(), view.Slightly), decide.Several.Over(h.at, h.dented(), view.Hardly)); err != nil {
			return err
		}
	}
	h.Found = best
	return nil
}

// hollowed tells whether a holding encloses one part of the cell, and much of it: four discs
// that touch enclose a twentieth of all that they cover and enclose, four outlines four parts.
func (h *Holding) hollowed() bool {
	all := h.Figures[len(h.Figures)-1]
	return all.Holes == 1 && all.Hole > all.Area/8
}

// outline is which of a square and a star a holding is by how its outline goes out and in,
// where that tells: of a star so many times as it has points, but for four, of a disc not at
// all, if that is large enough for what is blurred of a star's points to be seen.
func (f *Cells) outline(h *Holding) witness.Kind {
	fig := h.Figures[len(h.Figures)-1]
	cover := make([]float64, len(fig.Mask.V))
	for k, v := range fig.Mask.V {
		cover[k] = float64(v)
	}
	w := shape.ContourOf(cover, look.CellSide)
	switch {
	case w.Star(view.Tuned.StarSwing, view.Tuned.StarLead):
		return witness.Star
	case w.Disc(view.Tuned.DiscSwing) && w.Mean/look.CellSide > view.Tuned.DiscRadius*fig.Sigma/fig.Scale:
		return witness.Square
	}
	return witness.NoSymbol
}

// dented is by how much less a holding shows along the lines through its middle than along
// those beside, half way to its borders, both ways, as a share: of what is full and convex
// nothing.
func (h *Holding) dented() float64 {
	fig := h.Figures[len(h.Figures)-1]
	least := math.Inf(1)
	for axis := range 2 {
		lo, hi := fig.Box[axis], fig.Box[axis+2]
		across := func(at float64) (sum float64) { // where of the way from lo to hi
			for k := range look.CellSide {
				p := [2]float64{look.Offset(k), look.Offset(k)}
				p[axis] = lo + at*(hi-lo)
				sum += float64(fig.CoverAt(p[0], p[1]))
			}
			return sum
		}
		beside := min(across(0.25), across(0.75))
		least = min(least, (beside-across(0.5))/max(beside, 1e-9))
	}
	return least
}

// seams is how much the columns of what is deep within a holding differ, or its rows where
// these differ less, as a share of what it is off the ground at most: those of several
// squares do both ways, where a screen's lines do in one.
func (h *Holding) seams() float64 {
	deep := shape.Depths(h.Figures[len(h.Figures)-1].Mask, false)
	most := slices.Max(deep)
	least := math.Inf(1)
	for _, of := range []func(k int) int{func(k int) int { return k % look.CellSide }, func(k int) int { return k / look.CellSide }} {
		var sums [look.CellSide]vision.RGB
		var n [look.CellSide]float64
		for k, d := range deep {
			if 2*d > most {
				i := of(k)
				n[i]++
				for t, c := range h.View.Pix[k] {
					sums[i][t] += c
				}
			}
		}
		var cols []vision.RGB
		for i := range sums {
			if n[i] > 0 {
				for t := range sums[i] {
					sums[i][t] /= n[i]
				}
				cols = append(cols, sums[i])
			}
		}
		usual, far := vision.MedianRGB(cols), 0.0
		for _, c := range cols {
			far = max(far, c.Dist(usual))
		}
		least = min(least, far)
	}
	return least / h.View.Strong
}

// alike refuses a symbol that is of another size than the others of its kind.
func (f *Cells) alike(held []*Holding) error {
	sizes := map[forms.Label][]float64{}
	side := func(h *Holding) float64 { return h.Figures[0].Across() }
	for _, h := range held {
		if !h.Found.Symbol.Kind.IsPiece() {
			l := forms.SymbolLabel(h.Found.Symbol)
			sizes[l] = append(sizes[l], side(h))
		}
	}
	for _, h := range held {
		if h.Found.Symbol.Kind.IsPiece() {
			continue
		}
		usual := vision.Median(sizes[forms.SymbolLabel(h.Found.Symbol)])
		if r := side(h) / usual; r < 1-view.Slightly || r > 1+view.Slightly {
			return decide.SymbolSize.At(h.at, witness.SymbolName(h.Found.Symbol))
		}
	}
	return nil
}

// colour is what a symbol's colour is: what is deep within it, but where that is no more
// than its outline mixed with the ground.
func (h *Holding) colour() vision.RGB {
	deep, drawn := h.colours[0], h.colours[1]
	if deep.OffMix(h.View.Ground, drawn) < view.Faintly*drawn.Dist(h.View.Ground) {
		return drawn
	}
	return deep
}

// filled is how far what is deep within a holding is off the ground, as a share of how far what
// it is drawn in is.
func (h *Holding) filled() float64 {
	return h.colours[0].Dist(h.View.Ground) / max(1, h.colours[1].Dist(h.View.Ground))
}

// rimOf tells whether what was taken for a holding's colour is the outline of another of its
// kind, within which there is another colour: of the first no more than its outline is seen.
func (h *Holding) rimOf(o *Holding, apart float64) bool {
	return h.colour() == h.colours[1] && colour.ColourStep(h.colours[1], o.colours[1]) < apart && colour.ColourStep(o.colours[1], o.colour()) > apart
}

// ordinary doubts pieces of full squares which may be those to take away in this look: not
// those that are yellow, nor where pieces of outlines, one kind or the other in the game's
// colour, are to be seen beside them.
func (f *Cells) ordinary(held []*Holding, names []witness.Colour) error {
	var full, outlined []int
	for i, h := range held {
		switch h.Found.Symbol.Kind {
		case witness.Polyomino:
			full = append(full, i)
		case witness.Negative:
			outlined = append(outlined, i)
		}
	}
	// By how much red and green are more than blue, in parts of white: less than 0 of blue, and
	// 0 of what has less red than yellow has.
	yellow := func(i int) float64 {
		c := held[i].colour()
		if c[0] < view.Mostly*c[1] && c[2] < c[1] {
			return 0
		}
		return (min(c[0], c[1]) - c[2]) / 255
	}
	for _, i := range full {
		if slices.ContainsFunc(outlined, func(o int) bool { return names[o] == names[i] }) {
			return decide.TakesAway.At(held[i].at, "in the colour of outlines")
		}
		if len(outlined) == 0 && yellow(i) < view.Tuned.Yellowish {
			return decide.TakesAway.At(held[i].at, "that are not yellow")
		}
	}
	return nil
}

// steps are by how much colours differ that are one and two: by less than on the game's
// panels where the light is even, that is where all cells have one ground.
func (f *Cells) steps() colour.ColourSteps {
	usual := vision.MedianRGB(f.Grounds)
	var far []float64
	for _, c := range f.Grounds {
		far = append(far, colour.ColourStep(c, usual)/colour.Bright(f.Model.View))
	}
	s := colour.UsualSteps()
	// A yellow and an orange of one board differ by 0.2 of its brightest, two of one colour in a
	// compressed picture by 0.03: half of the usual steps tell these where light is even.
	k := max(0.5, min(1, vision.Ranked(far, len(far)*9/10)/s.Alike))
	return colour.ColourSteps{Alike: k * s.Alike, Divide: k * s.Divide, Clear: k * s.Clear}
}

// mixOff is how far a colour is off all mixtures of another one with a ground and the rim
// that is between them.
func mixOff(c, ground, rim, other vision.RGB) float64 {
	const steps = 8
	off := math.Inf(1)
	for k := range steps + 1 {
		beside := ground
		for t := range beside {
			beside[t] += (rim[t] - ground[t]) * float64(k) / steps
		}
		off = min(off, c.OffMix(beside, other))
	}
	return off
}

// Thinner is of the symbols' colours. One that the ground, mixed with another, makes as well
// may be that one, drawn thinly; and so with an outline that has a colour of its own.
func (f *Cells) thinner(held []*Holding, cols []vision.RGB) *colour.Thinner {
	clear, divide := colour.UsualSteps().Clear*colour.Bright(f.Model.View), colour.UsualSteps().Divide*colour.Bright(f.Model.View)
	return &colour.Thinner{
		Mixed: func(i, j int) bool {
			if colour.ColourStep(cols[i], cols[j]) >= clear {
				return false
			}
			ground, off := held[i].View.Ground, math.Inf(1)
			for _, h := range []*Holding{held[i], held[j]} {
				rim := h.colours[1]
				if colour.ColourStep(rim, cols[i]) < divide {
					rim = ground
				}
				off = min(off, mixOff(cols[i], ground, rim, cols[j]))
			}
			return off < view.Faintly*cols[j].Dist(ground)
		},
		Paled: func(i, _ int) vision.RGB { return cols[i] },
	}
}

// hollowColours doubts the colour of a symbol within which less is seen than of its rim: that
// may be its own, and what is within an outline mixed with the ground. Then it must go with
// the same others either way.
func (f *Cells) hollowColours(held []*Holding, cols []vision.RGB, names []witness.Colour) error {
	apart := colour.UsualSteps().Divide * colour.Bright(f.Model.View)
	for i, h := range held {
		deep, rim := h.colours[0], h.colours[1]
		if deep.Dist(h.View.Ground) > 0.5*rim.Dist(h.View.Ground) || colour.ColourStep(cols[i], rim) < apart {
			continue
		}
		for j := range held {
			if j != i && (colour.ColourStep(rim, cols[j]) < apart) != (names[i] == names[j]) {
				return decide.OneColour.At(h.at, colour.Hex(deep), colour.Hex(rim)+" about it")
			}
		}
	}
	return nil
}

// coloured puts the symbols on the panel with their colours, which must fall apart in one
// way however they are measured.
func (f *Cells) coloured(held []*Holding) error {
	at, cols := make([]image.Point, len(held)), make([]vision.RGB, len(held))
	for i, h := range held {
		at[i], cols[i] = h.at, h.colour()
	}
	bright := colour.Bright(f.Model.View)
	names, certain, err := colour.Cluster(at, cols, bright, f.Profile.Board.Confidence, f.steps(), f.thinner(held, cols))
	if err != nil {
		return err
	}
	f.Lower(certain)
	if err := f.ordinary(held, names); err != nil {
		return err
	}
	// Of those of one kind what is deep within and what is drawn must fall apart as they do.
	apart := colour.UsualSteps().Divide * bright
	for i, h := range held {
		for j, o := range held[:i] {
			if h.Found.Symbol.Kind != o.Found.Symbol.Kind {
				continue
			}
			deep, drawn := colour.ColourStep(h.colours[0], o.colours[0]), colour.ColourStep(h.colours[1], o.colours[1])
			if same := names[i] == names[j]; same && max(deep, drawn) > apart || !same && (min(h.filled(), o.filled()) > 0.5 && deep < apart || h.rimOf(o, apart) || o.rimOf(h, apart)) {
				return decide.OneColour.At(at[i], "this", "that at "+solve.PlaceName(at[j]))
			}
		}
	}
	if err := f.hollowColours(held, cols, names); err != nil {
		return err
	}
	// Where the lines shine into their cells the middle of every empty one may look so.
	if n := f.Board.Cols * f.Board.Rows; len(held) == n && n > 3 {
		squares := map[witness.Colour]int{}
		for i, h := range held {
			if h.Found.Symbol.Kind == witness.Square {
				squares[names[i]]++
			}
		}
		for _, count := range squares {
			if 3*count > n {
				return decide.Ground.At(at[0])
			}
		}
	}
	for i, h := range held {
		f.Panel.At(h.at).Symbol = h.Found.Symbol
		f.Panel.At(h.at).Colour = names[i]
	}
	return nil
}

// rival is what else a symbol may be that is not as what it was read as must be, whatever its
// shape is most like; "" where it is: nothing of it may be left unexplained, one symbol is in one part, what it
// encloses is not the cell, a piece's squares are as heavy above as below and triangles
// are not.
func (f *Cells) rival(h *Holding) string {
	c, fig := h.Found, h.Found.Figure
	left := c.Left()
	if c.Symbol.Kind == witness.Negative && c.Free == 0 { // full by its likeness, and hollow in its middles
		for _, hole := range c.Holes() {
			o := *c
			o.Mask = fig.Drawn(c, hole, bank.GenericSide)
			left = min(left, o.Left())
		}
	}
	low, parts := heavy(fig)
	switch piece, triangle := c.Symbol.Kind.IsPiece(), c.Symbol.Kind == witness.Triangle; {
	case left > view.Clearly: // of 5,100 symbols of 80 random looks five leave more than 0.36
		return "something else"
	case piece && (parts == len(c.Symbol.Shape) && low > view.Tuned.HeavySquare || lopsided(c) > view.Tuned.Lopsided):
		return "triangles"
	case triangle && low < view.Tuned.HeavyTriangle:
		return "a piece"
	case piece || triangle:
	case parts != 1:
		return "something in parts"
	// Of 258 outlines 0.71 of the way to the lines at most, the cell's own border 1.1.
	case fig.Holes > 0 && max(fig.Box[2]-fig.Box[0], fig.Box[3]-fig.Box[1]) > 2*view.Mostly*h.View.Inner:
		return "what is round the cell"
	}
	return ""
}

// lopsided is by how much more the lower halves of a piece's squares show than the upper
// ones, as a share of both: those of squares and discs as much, of triangles a third.
func lopsided(p *bank.Match) float64 {
	g, f := p.Grid, p.Figure
	var all []float64
	for _, q := range p.Symbol.Shape {
		x, y := g.Place(q, 0, 0)
		var up, down float64
		const n = 8
		for i := range n {
			for j := range n {
				dx, dy := g.Block*((float64(i)+0.5)/n-0.5), g.Block*((float64(j)+0.5)/n-0.5)
				if w := float64(f.CoverAt(x+dx, y+dy)); dy < 0 {
					up += w
				} else {
					down += w
				}
			}
		}
		all = append(all, (down-up)/max(up+down, 1e-9))
	}
	return vision.Median(all)
}

// heavy is how far below the middle of its height the middle of what each part of a figure
// covers lies, as a share of that, in the median of its parts, and how many these are.
func heavy(f *bank.Figure) (low float64, parts int) {
	in := func(k int) bool { return f.Mask.V[k] >= 0.5 }
	seen := make([]bool, len(f.Mask.V))
	var all []float64
	for k := range f.Mask.V {
		if seen[k] || !in(k) {
			continue
		}
		part := shape.Connected(k, look.CellSide, seen, in)
		if len(part) < 6 {
			continue
		}
		sum, lo, hi := 0.0, look.CellSide, 0
		for _, o := range part {
			y := o / look.CellSide
			sum, lo, hi = sum+float64(y), min(lo, y), max(hi, y)
		}
		all = append(all, (sum/float64(len(part))-float64(lo+hi)/2)/float64(hi-lo+1))
	}
	return vision.Median(all), len(all)
}
