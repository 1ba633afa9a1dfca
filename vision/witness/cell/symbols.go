package cell

import (
	"cmp"
	"image"
	"math"
	"slices"
	"sync"

	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/cv"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/shape"
	"onlooker/vision/witness/view"
)

// A Stain is what stands in a cell: how much of each pixel of the cell's
// square it covers, 0 to 1, and its colour.
type Stain struct {
	at     image.Point  // the cell
	N      int          // pixels a side
	Scale  float64      // pixels per pitch
	Cover  []float64    // n×n
	all    []vision.RGB // n×n: by what the colour differs from an empty cell's
	over   []vision.RGB // n×n: the same less what has none of the symbol's colour
	Glare  []bool       // n×n: where a reflection lies, and nothing is told; nil where none does
	beside []bool       // n×n: see square
	relief bool         // the cell is not plain where nothing stands in it
	Col    vision.RGB
	area   float64    // square pitches
	box    [4]float64 // least x, y, greatest x, y of what is half covered, in pitches from the cell's centre
}

// Measure measures the area and the box of a stain's cover.
func (st *Stain) measure() {
	n := st.N
	st.area, st.box = 0, [4]float64{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for j := range n {
		for i := range n {
			c := st.Cover[j*n+i]
			st.area += c / st.Scale / st.Scale
			if c >= 0.5 {
				x, y := (float64(i)+0.5-float64(n)/2)/st.Scale, (float64(j)+0.5-float64(n)/2)/st.Scale
				h := 0.5 / st.Scale
				st.box[0], st.box[1] = min(st.box[0], x-h), min(st.box[1], y-h)
				st.box[2], st.box[3] = max(st.box[2], x+h), max(st.box[3], y+h)
			}
		}
	}
}

// Reflections are the places of a stain on or beside which a white reflection lies:
// of what is bright, in addition to the symbol's colour, the parts of at least five
// pixels of the frame, for in the middle of an outline as many may be too bright
// where a picture was compressed, and a pixel and a half round them. Nil where there
// is none, and where it is more than half of the cell.
func (st *Stain) Reflections(bright []bool, screenPitch float64) []bool {
	n, px := st.N, st.Scale/screenPitch
	seen := make([]bool, n*n)
	glare := make([]bool, n*n)
	reach, covered := int(1.5*px+0.5), 0
	for first := range bright {
		if !bright[first] || seen[first] {
			continue
		}
		part := shape.Connected(first, n, seen, func(k int) bool { return bright[k] })
		if float64(len(part)) < 5*px*px {
			continue
		}
		for _, k := range part {
			for y := max(0, k/n-reach); y <= min(n-1, k/n+reach); y++ {
				for x := max(0, k%n-reach); x <= min(n-1, k%n+reach); x++ {
					if !glare[y*n+x] {
						glare[y*n+x] = true
						covered++
					}
				}
			}
		}
	}
	if covered == 0 || 2*covered > n*n {
		return nil
	}
	return glare
}

// sharpen is what stain does to a cover: what glows round a bright symbol stays
// below a third of it, and is taken away.
func sharpen(c float64) float64 { return max(0, min(1, (c-0.5)*2+0.5)) }

// sharp draws a shape, in pitches from the cell's centre.
func (st *Stain) sharp(f shape.Area) []float64 {
	half := float64(st.N) / 2
	return shape.Sharp(st.N, 2, func(i, j float64) bool { return f((i-half)/st.Scale, (j-half)/st.Scale) })
}

// A guess is a symbol and how like it a stain is.
type guess struct {
	sym   witness.Symbol
	score float64
	form  shape.Area // the symbol where it fits best
	twin  shape.Area // of a piece: its squares as outlines, of a blue one filled
	thick shape.Area // of a piece: its squares as outlines that leave half as wide a hole
}

// full is a piece's squares, full.
func (o *guess) full() shape.Area {
	if o.sym.Kind == witness.Negative {
		return o.twin
	}
	return o.form
}

// A rendered symbol is one drawn in the middle of a cell.
type rendered struct {
	sym  witness.Symbol
	pix  vision.Map // see reduced, as sharp as screenBlur
	form shape.Area
}

// Templates are the symbols of a look, drawn in a few sizes at a view's scale.
type Templates struct {
	*view.View
	once sync.Once
	all  []rendered
}

// of are the templates for stains of the size of st.
func (s *Templates) of(st *Stain) []rendered {
	s.once.Do(func() { s.drawForms(st) })
	return s.all
}

// LooseSizes are in what parts of their size in the profile symbols are looked for where
// that is not known.
func LooseSizes() []float64 { return []float64{0.6, 0.68, 0.77, 0.88, 1, 1.12, 1.27, 1.44, 1.64} }

// usualSizes are the same where it is known.
func usualSizes() []float64 { return []float64{0.88, 1, 1.12} }

func (s *Templates) drawForms(st *Stain) {
	sizes := usualSizes()
	if s.Profile.Loose {
		sizes = LooseSizes()
	}
	for _, k := range sizes {
		for _, form := range s.Forms {
			turns := form.Turns
			if turns == nil {
				turns = []float64{0}
			}
			for _, sym := range form.Symbols(&s.Sizes) {
				for _, turn := range turns {
					f := shape.Drawn(form.Parts(&s.Sizes, sym), k, turn)
					s.all = append(s.all, rendered{sym: sym, pix: s.reduced(st, f, screenBlur), form: f})
					if form.Own() { // thin parts, which blur changes more
						s.all = append(s.all, rendered{sym: sym, pix: s.reduced(st, f, 1), form: f})
					}
				}
			}
		}
	}
}

// screenBlur is how far a screen's picture that is sharp blurs, in pixels.
const screenBlur = 0.4

// reduced is what a shape covers of a cell, as a picture that blurs by some of the frame's
// pixels shows it, in half as many samples each way as a stain has.
func (s *Templates) reduced(st *Stain, f shape.Area, blur float64) vision.Map {
	half := &Stain{N: st.N / 2, Scale: st.Scale / 2}
	m := vision.NewMap(half.N, half.N)
	for k, c := range cv.Blurred(half.sharp(f), half.N, blur/s.Board.ScreenPitch*half.Scale) {
		m.V[k] = float32(sharpen(c))
	}
	return m
}

// Guesses are the symbols whose templates are most like what a stain covers, the likeliest
// first.
func (s *Templates) Guesses(st *Stain) []guess {
	var out []guess
	var masks []vision.Map
	for _, t := range s.of(st) {
		out, masks = append(out, guess{sym: t.sym, form: t.form}), append(masks, t.pix)
	}
	further := st.further()
	for _, degrees := range []float64{0, -drawing.Tilt(&s.Sizes) * 180 / math.Pi} {
		for _, k := range usualSizes() {
			for _, more := range further {
				if g, ok := s.piece(st, degrees, k, more); ok {
					out, masks = append(out, g), append(masks, s.reduced(st, g.form, screenBlur))
				}
			}
		}
	}
	// In pairs of pixels: 0.16 of the pitch each way. Squares were captured 0.11 off the middles
	// of their cells.
	slack := st.N / 8
	found := vision.Match(shape.HalfSize(st.Cover, st.N, slack), masks)
	middle := float64(st.N%2) / 2 // the cell's, from that of whole pairs of pixels
	for i := range out {
		g, x, y := &out[i], (float64(2*found[i].Off.X)-middle)/st.Scale, (float64(2*found[i].Off.Y)-middle)/st.Scale
		g.score, g.form, g.twin, g.thick = found[i].Score, g.form.Moved(x, y), g.twin.Moved(x, y), g.thick.Moved(x, y)
		if g.score >= view.Tuned.FaintLike && g.sym.Kind.About().Figure != nil && s.leaves(g.form) {
			g.score = 0
		}
	}
	slices.SortStableFunc(out, func(a, b guess) int { return cmp.Compare(b.score, a.score) })
	return out
}

// leaves tells whether a shape goes on under the lines about its cell: of four in a row
// three might be seen.
func (s *Templates) leaves(f shape.Area) bool {
	const reach, step = 0.6, 0.04
	within := (1-s.LineWidth)/2 + step
	for y := -reach; y < reach; y += step {
		for x := -reach; x < reach; x += step {
			if max(math.Abs(x), math.Abs(y)) > within && f(x, y) {
				return true
			}
		}
	}
	return false
}

// A PieceGrid is a grid of squares that fills a stain's box, turned as a piece is.
type PieceGrid struct {
	Cos, Sin       float64 // of the turn
	Block, Spacing float64 // pitches: a square's side, and from square to square
	Nx, Ny         int     // squares across and down, in the turned directions
	Mx, My         float64 // the grid's middle in these, in pitches
	full           []bool  // nx×ny: see squares
}

// ends tells at which ends across and down a stain reaches the border of what is seen of its
// cell: there it may go on.
func (st *Stain) ends() (low, high [2]bool) {
	for k := range st.N {
		low[0], high[0] = low[0] || st.Cover[k*st.N] > 0.5, high[0] || st.Cover[k*st.N+st.N-1] > 0.5
		low[1], high[1] = low[1] || st.Cover[k] > 0.5, high[1] || st.Cover[(st.N-1)*st.N+k] > 0.5
	}
	return low, high
}

// further is how many squares more than its box holds a piece may have across and down: none,
// and one where it may go on.
func (st *Stain) further() []image.Point {
	all := []image.Point{{}}
	low, high := st.ends()
	if low[0] || high[0] {
		all = append(all, image.Pt(1, 0))
	}
	if low[1] || high[1] {
		all = append(all, image.Pt(0, 1))
	}
	return all
}

// PieceGrid is the grid that fills a stain's box where it is turned by some degrees, and so
// many squares more; false where it has no square, or more than six across or down.
func (st *Stain) pieceGrid(degrees, block, spacing float64, more image.Point) (PieceGrid, bool) {
	g := PieceGrid{Cos: math.Cos(degrees * math.Pi / 180), Sin: math.Sin(degrees * math.Pi / 180), Block: block, Spacing: spacing}
	lox, loy, hix, hiy := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for j := range st.N {
		for i := range st.N {
			if st.Cover[j*st.N+i] < 0.5 {
				continue
			}
			x, y := (float64(i)+0.5-float64(st.N)/2)/st.Scale, (float64(j)+0.5-float64(st.N)/2)/st.Scale
			u, v := x*g.Cos+y*g.Sin, -x*g.Sin+y*g.Cos
			lox, loy, hix, hiy = min(lox, u), min(loy, v), max(hix, u), max(hiy, v)
		}
	}
	h := 0.5 / st.Scale
	lox, loy, hix, hiy = lox-h, loy-h, hix+h, hiy+h
	g.Nx, g.Ny = int(math.Round((hix-lox-block)/spacing))+1, int(math.Round((hiy-loy-block)/spacing))+1
	g.Mx, g.My = (lox+hix)/2, (loy+hiy)/2
	if more != (image.Point{}) {
		g.Nx, g.Ny = g.Nx+more.X, g.Ny+more.Y
		// On both sides the half of one is not seen, or all of it on one.
		low, high := st.ends()
		beyond := func(axis, more int) float64 {
			switch {
			case more == 0 || low[axis] == high[axis]:
				return 0
			case high[axis]:
				return spacing / 2
			}
			return -spacing / 2
		}
		g.Mx, g.My = g.Mx+beyond(0, more.X), g.My+beyond(1, more.Y)
	}
	return g, g.Nx >= 1 && g.Ny >= 1 && g.Nx <= 6 && g.Ny <= 6
}

// Place is where a place of a square is, which is given from the square's middle in the
// turned directions: in pitches from the cell's centre.
func (g *PieceGrid) Place(square image.Point, u, v float64) (x, y float64) {
	u += g.Mx + (float64(square.X)-float64(g.Nx-1)/2)*g.Spacing
	v += g.My + (float64(square.Y)-float64(g.Ny-1)/2)*g.Spacing
	return u*g.Cos - v*g.Sin, u*g.Sin + v*g.Cos
}

// squares are those of the grid that a stain covers by more than half of what is seen of them,
// which are noted as full.
func (g *PieceGrid) squares(st *Stain) (squares []image.Point) {
	g.full = make([]bool, g.Nx*g.Ny)
	for b := range g.Ny {
		for a := range g.Nx {
			sum, n := 0.0, 0.0
			for _, ou := range []float64{-0.3, 0, 0.3} {
				for _, ov := range []float64{-0.3, 0, 0.3} {
					if x, y := g.Place(image.Pt(a, b), ou*g.Block, ov*g.Block); st.within(x, y) {
						sum += st.coverAt(x, y)
						n++
					}
				}
			}
			if n > 0 && sum/n > 0.5 {
				squares = append(squares, image.Pt(a, b))
				g.full[b*g.Nx+a] = true
			}
		}
	}
	return squares
}

// form is the shape of the grid's full squares, each of which looks like one.
func (g *PieceGrid) form(one shape.Area) shape.Area {
	return func(x, y float64) bool {
		// In squares, from the first of the box.
		u, v := (x*g.Cos+y*g.Sin-g.Mx)/g.Spacing+float64(g.Nx-1)/2, (-x*g.Sin+y*g.Cos-g.My)/g.Spacing+float64(g.Ny-1)/2
		a, b := int(u+0.5), int(v+0.5)
		if u < -0.5 || v < -0.5 || a >= g.Nx || b >= g.Ny || !g.full[b*g.Nx+a] {
			return false
		}
		return one((u-float64(a))*g.Spacing, (v-float64(b))*g.Spacing)
	}
}

// piece reads a stain as squares on a grid turned by some degrees, with so many squares more
// than its box; false where it covers none.
func (s *Templates) piece(st *Stain, degrees, k float64, more image.Point) (guess, bool) {
	g, ok := st.pieceGrid(degrees, s.Sizes.Block*k, s.Sizes.Spacing*k, more)
	if !ok {
		return guess{}, false
	}
	squares := g.squares(st)
	// Turning one square changes nothing.
	if len(squares) == 0 || degrees != 0 && len(squares) == 1 {
		return guess{}, false
	}
	return s.pieceOf(&g, squares, st.hollow(squares, &g), degrees != 0, k), true
}

// pieceOf is the piece of a grid's full squares, outlines or not, so many times as large as
// in the profile.
func (s *Templates) pieceOf(g *PieceGrid, squares []image.Point, hollow, turnable bool, k float64) guess {
	sy := &s.Sizes
	kind, other := witness.Polyomino, witness.Negative
	if hollow {
		kind, other = other, kind
	}
	least := squares[0]
	for _, q := range squares {
		least = image.Pt(min(least.X, q.X), min(least.Y, q.Y))
	}
	moved := make([]image.Point, len(squares))
	for i, q := range squares {
		moved[i] = q.Sub(least)
	}
	square := func(kind witness.Kind) shape.Area {
		form, ok := s.Forms.Of(kind)
		if !ok {
			return nil
		}
		return g.form(shape.Drawn(form.Outline(sy), k, 0))
	}
	o := guess{sym: witness.Symbol{Kind: kind, Shape: moved, Turnable: turnable}, form: square(kind), twin: square(other)}
	if full := o.full(); full != nil {
		hole := sy.Block * k / 8 // half of its side: outlines are a quarter of a square's side wide
		around := g.form(func(x, y float64) bool { return max(math.Abs(x), math.Abs(y)) > hole })
		o.thick = func(x, y float64) bool { return full(x, y) && around(x, y) }
	}
	return o
}

// fours are the pieces of two by two squares where a stain is, upright and turned. Where their
// outlines are thinner than two pixels they are as like a square at a first look, which is at
// pairs of them, as it is itself.
func (s *Templates) fours(st *Stain) (out []guess) {
	if s.part(witness.Symbol{Kind: witness.Negative}) >= 2 {
		return nil
	}
	x, y := (st.box[0]+st.box[2])/2, (st.box[1]+st.box[3])/2
	squares := []image.Point{{}, {X: 1}, {Y: 1}, {X: 1, Y: 1}}
	for _, turn := range []float64{0, -drawing.Tilt(&s.Sizes)} {
		sin, cos := math.Sincos(turn)
		g := PieceGrid{Cos: cos, Sin: sin, Block: s.Sizes.Block, Spacing: s.Sizes.Spacing, Nx: 2, Ny: 2, full: []bool{true, true, true, true}}
		g.Mx, g.My = x*cos+y*sin, y*cos-x*sin
		out = append(out, s.pieceOf(&g, squares, true, turn != 0, 1))
	}
	return out
}

// hollow tells whether the squares of a piece are outlines, as those of blue
// pieces are: less covered in the middle than half way to their sides.
func (st *Stain) hollow(squares []image.Point, g *PieceGrid) bool {
	return g.Bulge(squares, st.coverAt) < -view.Clearly
}

// Bulge is by how much more the middles of a grid's squares show than what is half way to
// their sides.
func (g *PieceGrid) Bulge(squares []image.Point, shown func(x, y float64) float64) (sum float64) {
	n := float64(len(squares))
	for _, q := range squares {
		sum += shown(g.Place(q, 0, 0)) / n
		for _, d := range view.Ways {
			// 0.36: the middle of an outline a quarter of the side wide.
			sum -= shown(g.Place(q, 0.36*g.Block*float64(d.X), 0.36*g.Block*float64(d.Y))) / n / 4
		}
	}
	return sum
}

// within tells whether a place, in pitches from the cell's centre, is seen.
func (st *Stain) within(x, y float64) bool {
	return max(math.Abs(x), math.Abs(y))*st.Scale < float64(st.N)/2
}

// coverAt is the cover at a place in pitches from the cell's centre.
func (st *Stain) coverAt(x, y float64) float64 {
	i := int(x*st.Scale + float64(st.N)/2)
	j := int(y*st.Scale + float64(st.N)/2)
	if i < 0 || j < 0 || i >= st.N || j >= st.N {
		return 0
	}
	return st.Cover[j*st.N+i]
}
