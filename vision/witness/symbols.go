package witness

import (
	"cmp"
	"image"
	"math"
	"slices"

	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/shape"
	"onlooker/vision/witness/view"
)

// A stain is what stands in a cell: how much of each pixel of the cell's
// square it covers, 0 to 1, and its colour.
type stain struct {
	at     image.Point  // the cell
	n      int          // pixels a side
	scale  float64      // pixels per pitch
	cover  []float64    // n×n
	all    []vision.RGB // n×n: by what the colour differs from an empty cell's
	over   []vision.RGB // n×n: the same less what has none of the symbol's colour
	glare  []bool       // n×n: where a reflection lies, and nothing is told; nil where none does
	beside []bool       // n×n: see square
	relief bool         // the cell is not plain where nothing stands in it
	col    vision.RGB
	area   float64    // square pitches
	box    [4]float64 // least x, y, greatest x, y of what is half covered, in pitches from the cell's centre
}

// Measure measures the area and the box of a stain's cover.
func (st *stain) measure() {
	n := st.n
	st.area, st.box = 0, [4]float64{math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)}
	for j := range n {
		for i := range n {
			c := st.cover[j*n+i]
			st.area += c / st.scale / st.scale
			if c >= 0.5 {
				x, y := (float64(i)+0.5-float64(n)/2)/st.scale, (float64(j)+0.5-float64(n)/2)/st.scale
				h := 0.5 / st.scale
				st.box[0], st.box[1] = min(st.box[0], x-h), min(st.box[1], y-h)
				st.box[2], st.box[3] = max(st.box[2], x+h), max(st.box[3], y+h)
			}
		}
	}
}

// reflections are the places of a stain on or beside which a white reflection lies:
// of what is bright, in addition to the symbol's colour, the parts of at least five
// pixels of the frame, for in the middle of an outline as many may be too bright
// where a picture was compressed, and a pixel and a half round them. Nil where there
// is none, and where it is more than half of the cell.
func (st *stain) reflections(bright []bool, screenPitch float64) []bool {
	n, px := st.n, st.scale/screenPitch
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

// sharp draws a shape: four places of each pixel that its border runs through,
// and one of each other.
func (st *stain) sharp(f shape.Area) []float64 {
	n := st.n
	out, middle := make([]float64, n*n), make([]uint8, n*n)
	for j := range n {
		for i := range n {
			if f((float64(i)+0.5-float64(n)/2)/st.scale, (float64(j)+0.5-float64(n)/2)/st.scale) {
				middle[j*n+i] = 1
			}
		}
	}
	for j := range n {
		// Rows and columns beside a pixel; at the rim those at the rim.
		up, at, down := middle[max(j-1, 0)*n:], middle[j*n:], middle[min(j+1, n-1)*n:]
		for i := range n {
			l, r := max(i-1, 0), min(i+1, n-1)
			sum := up[l] + up[i] + up[r] + at[l] + at[i] + at[r] + down[l] + down[i] + down[r]
			if sum == 0 || sum == 9 {
				out[j*n+i] = float64(at[i])
				continue
			}
			t := 0.0
			for _, b := range [2]float64{0.25, 0.75} {
				for _, a := range [2]float64{0.25, 0.75} {
					if f((float64(i)+a-float64(n)/2)/st.scale, (float64(j)+b-float64(n)/2)/st.scale) {
						t += 0.25
					}
				}
			}
			out[j*n+i] = t
		}
	}
	return out
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
	pix  vision.Map // see reduced
	form shape.Area
}

// templates are the symbols of one form each, in a few sizes, for stains of
// the size of st.
func (s *cellReader) templates(st *stain) []rendered {
	s.formsOnce.Do(func() { s.drawForms(st) })
	return s.forms
}

// looseSizes are in what parts of their size in the profile symbols are looked for where
// that is not known.
func looseSizes() []float64 { return []float64{0.6, 0.68, 0.77, 0.88, 1, 1.12, 1.27, 1.44, 1.64} }

// usualSizes are the same where it is known.
func usualSizes() []float64 { return []float64{0.88, 1, 1.12} }

func (s *cellReader) drawForms(st *stain) {
	sizes := usualSizes()
	if s.Profile.Loose {
		sizes = looseSizes()
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
					s.forms = append(s.forms, rendered{sym: sym, pix: s.reduced(st, f), form: f})
				}
			}
		}
	}
}

// reduced is what a shape covers of a cell, as a screen's picture shows it, in half as many
// samples each way as a stain has.
func (s *cellReader) reduced(st *stain, f shape.Area) vision.Map {
	half := &stain{n: st.n / 2, scale: st.scale / 2}
	m := vision.NewMap(half.n, half.n)
	// 0.4 pixels of the frame: as sharp as a screen's picture.
	for k, c := range shape.BlurSquare(nil, half.sharp(f), half.n, 0.4/s.Board.ScreenPitch*half.scale) {
		m.V[k] = float32(sharpen(c))
	}
	return m
}

// guesses are the symbols whose templates are most like what a stain covers, the likeliest
// first.
func (s *cellReader) guesses(st *stain) ([]guess, error) {
	var out []guess
	var masks []vision.Map
	for _, t := range s.templates(st) {
		out, masks = append(out, guess{sym: t.sym, form: t.form}), append(masks, t.pix)
	}
	further := st.further()
	for _, degrees := range []float64{0, -drawing.Tilt(&s.Sizes) * 180 / math.Pi} {
		for _, k := range usualSizes() {
			for _, more := range further {
				if g, ok := s.piece(st, degrees, k, more); ok {
					out, masks = append(out, g), append(masks, s.reduced(st, g.form))
				}
			}
		}
	}
	// In pairs of pixels: 0.16 of the pitch each way. Squares were captured 0.11 off the middles
	// of their cells.
	slack := st.n / 8
	found, err := vision.Match(shape.HalfSize(st.cover, st.n, slack), masks)
	if err != nil {
		return nil, err
	}
	middle := float64(st.n%2) / 2 // the cell's, from that of whole pairs of pixels
	for i := range out {
		g, x, y := &out[i], (float64(2*found[i].Off.X)-middle)/st.scale, (float64(2*found[i].Off.Y)-middle)/st.scale
		g.score, g.form, g.twin, g.thick = found[i].Score, g.form.Moved(x, y), g.twin.Moved(x, y), g.thick.Moved(x, y)
	}
	slices.SortStableFunc(out, func(a, b guess) int { return cmp.Compare(b.score, a.score) })
	return out, nil
}

// A pieceGrid is a grid of squares that fills a stain's box, turned as a piece is.
type pieceGrid struct {
	cos, sin       float64 // of the turn
	block, spacing float64 // pitches: a square's side, and from square to square
	nx, ny         int     // squares across and down, in the turned directions
	mx, my         float64 // the grid's middle in these, in pitches
	full           []bool  // nx×ny: see squares
}

// ends tells at which ends across and down a stain reaches the border of what is seen of its
// cell: there it may go on.
func (st *stain) ends() (low, high [2]bool) {
	for k := range st.n {
		low[0], high[0] = low[0] || st.cover[k*st.n] > 0.5, high[0] || st.cover[k*st.n+st.n-1] > 0.5
		low[1], high[1] = low[1] || st.cover[k] > 0.5, high[1] || st.cover[(st.n-1)*st.n+k] > 0.5
	}
	return low, high
}

// further is how many squares more than its box holds a piece may have across and down: none,
// and one where it may go on.
func (st *stain) further() []image.Point {
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

// pieceGrid is the grid that fills a stain's box where it is turned by some degrees, and so
// many squares more; false where it has no square, or more than six across or down.
func (st *stain) pieceGrid(degrees, block, spacing float64, more image.Point) (pieceGrid, bool) {
	g := pieceGrid{cos: math.Cos(degrees * math.Pi / 180), sin: math.Sin(degrees * math.Pi / 180), block: block, spacing: spacing}
	lox, loy, hix, hiy := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for j := range st.n {
		for i := range st.n {
			if st.cover[j*st.n+i] < 0.5 {
				continue
			}
			x, y := (float64(i)+0.5-float64(st.n)/2)/st.scale, (float64(j)+0.5-float64(st.n)/2)/st.scale
			u, v := x*g.cos+y*g.sin, -x*g.sin+y*g.cos
			lox, loy, hix, hiy = min(lox, u), min(loy, v), max(hix, u), max(hiy, v)
		}
	}
	h := 0.5 / st.scale
	lox, loy, hix, hiy = lox-h, loy-h, hix+h, hiy+h
	g.nx, g.ny = int(math.Round((hix-lox-block)/spacing))+1, int(math.Round((hiy-loy-block)/spacing))+1
	g.mx, g.my = (lox+hix)/2, (loy+hiy)/2
	if more != (image.Point{}) {
		g.nx, g.ny = g.nx+more.X, g.ny+more.Y
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
		g.mx, g.my = g.mx+beyond(0, more.X), g.my+beyond(1, more.Y)
	}
	return g, g.nx >= 1 && g.ny >= 1 && g.nx <= 6 && g.ny <= 6
}

// place is where a place of a square is, which is given from the square's middle in the
// turned directions: in pitches from the cell's centre.
func (g *pieceGrid) place(square image.Point, u, v float64) (x, y float64) {
	u += g.mx + (float64(square.X)-float64(g.nx-1)/2)*g.spacing
	v += g.my + (float64(square.Y)-float64(g.ny-1)/2)*g.spacing
	return u*g.cos - v*g.sin, u*g.sin + v*g.cos
}

// squares are those of the grid that a stain covers by more than half of what is seen of them,
// which are noted as full.
func (g *pieceGrid) squares(st *stain) (squares []image.Point) {
	g.full = make([]bool, g.nx*g.ny)
	for b := range g.ny {
		for a := range g.nx {
			sum, n := 0.0, 0.0
			for _, ou := range []float64{-0.3, 0, 0.3} {
				for _, ov := range []float64{-0.3, 0, 0.3} {
					if x, y := g.place(image.Pt(a, b), ou*g.block, ov*g.block); st.within(x, y) {
						sum += st.coverAt(x, y)
						n++
					}
				}
			}
			if n > 0 && sum/n > 0.5 {
				squares = append(squares, image.Pt(a, b))
				g.full[b*g.nx+a] = true
			}
		}
	}
	return squares
}

// form is the shape of the grid's full squares, each of which looks like one.
func (g *pieceGrid) form(one shape.Area) shape.Area {
	return func(x, y float64) bool {
		// In squares, from the first of the box.
		u, v := (x*g.cos+y*g.sin-g.mx)/g.spacing+float64(g.nx-1)/2, (-x*g.sin+y*g.cos-g.my)/g.spacing+float64(g.ny-1)/2
		a, b := int(u+0.5), int(v+0.5)
		if u < -0.5 || v < -0.5 || a >= g.nx || b >= g.ny || !g.full[b*g.nx+a] {
			return false
		}
		return one((u-float64(a))*g.spacing, (v-float64(b))*g.spacing)
	}
}

// piece reads a stain as squares on a grid turned by some degrees, with so many squares more
// than its box; false where it covers none.
func (s *cellReader) piece(st *stain, degrees, k float64, more image.Point) (guess, bool) {
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
func (s *cellReader) pieceOf(g *pieceGrid, squares []image.Point, hollow, turnable bool, k float64) guess {
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
func (s *cellReader) fours(st *stain) (out []guess) {
	if s.part(witness.Symbol{Kind: witness.Negative}) >= 2 {
		return nil
	}
	x, y := (st.box[0]+st.box[2])/2, (st.box[1]+st.box[3])/2
	squares := []image.Point{{}, {X: 1}, {Y: 1}, {X: 1, Y: 1}}
	for _, turn := range []float64{0, -drawing.Tilt(&s.Sizes)} {
		sin, cos := math.Sincos(turn)
		g := pieceGrid{cos: cos, sin: sin, block: s.Sizes.Block, spacing: s.Sizes.Spacing, nx: 2, ny: 2, full: []bool{true, true, true, true}}
		g.mx, g.my = x*cos+y*sin, y*cos-x*sin
		out = append(out, s.pieceOf(&g, squares, true, turn != 0, 1))
	}
	return out
}

// hollow tells whether the squares of a piece are outlines, as those of blue
// pieces are: less covered in the middle than half way to their sides.
func (st *stain) hollow(squares []image.Point, g *pieceGrid) bool {
	return g.bulge(squares, st.coverAt) < -view.Clearly
}

// bulge is by how much more the middles of a grid's squares show than what is half way to
// their sides.
func (g *pieceGrid) bulge(squares []image.Point, shown func(x, y float64) float64) (sum float64) {
	n := float64(len(squares))
	for _, q := range squares {
		sum += shown(g.place(q, 0, 0)) / n
		for _, d := range view.Ways {
			// 0.36: the middle of an outline a quarter of the side wide.
			sum -= shown(g.place(q, 0.36*g.block*float64(d.X), 0.36*g.block*float64(d.Y))) / n / 4
		}
	}
	return sum
}

// within tells whether a place, in pitches from the cell's centre, is seen.
func (st *stain) within(x, y float64) bool {
	return max(math.Abs(x), math.Abs(y))*st.scale < float64(st.n)/2
}

// coverAt is the cover at a place in pitches from the cell's centre.
func (st *stain) coverAt(x, y float64) float64 {
	i := int(x*st.scale + float64(st.n)/2)
	j := int(y*st.scale + float64(st.n)/2)
	if i < 0 || j < 0 || i >= st.n || j >= st.n {
		return 0
	}
	return st.cover[j*st.n+i]
}

// ring is the radius, in pitches, of the ring that some start circles send out
// as they pulse; 0 where there is none.
func (s *lineReader) ring(start image.Point) float64 {
	r, ok := s.rings.Load(start)
	if !ok {
		r, _ = s.rings.LoadOrStore(start, s.findRing(start))
	}
	return r.(float64)
}

func (s *lineReader) findRing(start image.Point) float64 {
	best, where := 0.0, 0.0
	floor := max(s.Board.Ink[0]+s.Board.Ink[1]+s.Board.Ink[2], s.Board.Paper[0]+s.Board.Paper[1]+s.Board.Paper[2])
	for r := 1.3 * s.LineWidth; r < 2.6*s.LineWidth; r += 0.5 / float64(s.Board.Pitch) {
		bright := 0.0
		for k := 0; k < 32 && bright+float64(32-k)/32 >= view.Mostly; k++ { // what is too little already is no ring
			sin, cos := math.Sincos(2 * math.Pi * (float64(k) + 0.5) / 32)
			c := s.At(float64(start.X)+2*r*cos, float64(start.Y)+2*r*sin)
			if c[0]+c[1]+c[2] > (1+view.Slightly)*floor {
				bright += 1.0 / 32
			}
		}
		if bright > best {
			best, where = bright, r
		}
	}
	if best < view.Mostly {
		return 0
	}
	return where
}
