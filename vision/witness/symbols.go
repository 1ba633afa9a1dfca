package witness

import (
	"cmp"
	"image"
	"math"
	"slices"

	"onlooker/solve/witness"
	"onlooker/vision"
)

// A stain is what stands in a cell: how much of each pixel of the cell's
// square it covers, 0 to 1, and its colour.
type stain struct {
	at     image.Point  // the cell
	n      int          // pixels a side
	scale  float64      // pixels per pitch
	cover  []float64    // n×n
	over   []vision.RGB // n×n: by what the colour differs from an empty cell's
	glare  []bool       // n×n: where a reflection lies, and nothing is told; nil where none does
	beside []bool       // n×n: see square
	relief bool         // the cell is not plain where nothing stands in it
	col    vision.RGB
	area   float64    // square pitches
	box    [4]float64 // least x, y, greatest x, y of what is half covered, in pitches from the cell's centre
}

// measure measures the area and the box of a stain's cover.
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
// is none, and where it is more than a third of the cell.
func (st *stain) reflections(bright []bool, screenPitch float64) []bool {
	n, px := st.n, st.scale/screenPitch
	seen := make([]bool, n*n)
	glare := make([]bool, n*n)
	reach, covered := int(1.5*px+0.5), 0
	for first := range bright {
		if !bright[first] || seen[first] {
			continue
		}
		part := connected(first, n, seen, func(k int) bool { return bright[k] })
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
	if covered == 0 || 3*covered > n*n {
		return nil
	}
	return glare
}

// connected is a part of a picture n pixels wide: what hangs together with its first
// pixel by sides and is part of it. It is noted as seen.
func connected(first, n int, seen []bool, is func(k int) bool) []int {
	seen[first] = true
	part := []int{first}
	for at := 0; at < len(part); at++ {
		i, j := part[at]%n, part[at]/n
		for _, d := range [...]image.Point{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}} {
			x, y := i+d.X, j+d.Y
			if x >= 0 && y >= 0 && x < n && y*n < len(seen) && !seen[y*n+x] && is(y*n+x) {
				seen[y*n+x] = true
				part = append(part, y*n+x)
			}
		}
	}
	return part
}

// brim is how near, in pitches, to the lines lies what a cell has for a frame. A
// piece's square or a triangle that touches a line is wider.
const brim = 0.1

// clearBrim takes off the cover what lies along the cell's sides and goes no
// further in: the walls of a hollow cell, lit more on one side than in others.
// What is shorter than the given share of a side is part of a symbol, unless it is
// thinner than any.
func (st *stain) clearBrim(short float64) {
	n, strip := st.n, int(brim*st.scale)
	seen := make([]bool, n*n)
	for first := range seen {
		if seen[first] || st.cover[first] < 0.5 {
			continue
		}
		in, box := false, image.Rectangle{Min: image.Pt(n, n)}
		part := connected(first, n, seen, func(k int) bool { return st.cover[k] >= 0.5 })
		for _, k := range part {
			i, j := k%n, k/n
			in = in || min(i, j, n-1-i, n-1-j) >= strip
			box = image.Rect(min(box.Min.X, i), min(box.Min.Y, j), max(box.Max.X, i+1), max(box.Max.Y, j+1))
		}
		// 0.05 of the pitch: half of what is seen of the outer of three triangles beside
		// the thickest line.
		thin := float64(min(box.Dx(), box.Dy())) < 0.05*st.scale
		if in || !thin && float64(max(box.Dx(), box.Dy())) < short*float64(n) {
			continue
		}
		for _, k := range part {
			// 3 pixels: what blur spreads of it.
			for y := max(0, k/n-3); y <= min(n-1, k/n+3); y++ {
				for x := max(0, k%n-3); x <= min(n-1, k%n+3); x++ {
					st.cover[y*n+x] = 0
				}
			}
		}
	}
}

// sharpen is what stain does to a cover: what glows round a bright symbol stays
// below a third of it, and is taken away.
func sharpen(c float64) float64 { return max(0, min(1, (c-0.5)*2+0.5)) }

// raster draws a shape as a camera would see it in the straightened picture,
// blurred by a Gaussian of the given sigma in pitches.
func (st *stain) raster(f shape, blur float64) []float64 {
	out := st.spread(nil, st.sharp(f), blur)
	for i := range out {
		out[i] = sharpen(out[i])
	}
	return out
}

// sharp draws a shape: four places of each pixel that its border runs through,
// and one of each other.
func (st *stain) sharp(f shape) []float64 {
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

// spread blurs a cover by a Gaussian of the given sigma in pitches, in the memory of what is
// not needed any more, if there is enough of it.
func (st *stain) spread(old, in []float64, blur float64) []float64 {
	n, out := st.n, append(old[:0], in...)
	sigma := blur * st.scale
	reach := int(math.Ceil(2 * sigma))
	kernel := make([]float64, 2*reach+1)
	sum := 0.0
	for k := range kernel {
		kernel[k] = math.Exp(-float64((k-reach)*(k-reach)) / (2 * sigma * sigma))
		sum += kernel[k]
	}
	line := make([]float64, n+2*reach) // nothing lies beyond its ends
	for pass := range 2 {
		step, next := 1, n
		if pass == 1 {
			step, next = n, 1
		}
		for r := range n {
			first, last := n, -1 // that are not 0: most of a cell is beside its symbol
			for i := range n {
				if line[reach+i] = out[r*next+i*step]; line[reach+i] != 0 {
					first, last = min(first, i), i
				}
			}
			for i := max(0, first-reach); i <= min(n-1, last+reach); i++ {
				v := 0.0
				near := line[i : i+len(kernel)]
				for k, w := range kernel {
					v += w * near[k]
				}
				out[r*next+i*step] = v / sum
			}
		}
	}
	return out
}

// like compares a stain with a drawn shape moved by (dx, dy) pixels: 1 is
// equal, 0 nothing in common.
func (st *stain) like(t []float64, dx, dy int) float64 {
	// The greater of two numbers is half of their sum and half of their difference.
	diff, sum := 0.0, 0.0
	n := st.n
	first, last := max(0, min(n, dx)), max(0, min(n, n+dx)) // the columns in which it lies
	row := make([]float64, n)                               // of it as it lies there
	for j := range n {
		if y := j - dy; y >= 0 && y < n && first < last {
			copy(row[first:last], t[y*n+first-dx:])
		} else {
			clear(row)
		}
		for i, c := range st.cover[j*n:][:n] {
			v := row[i]
			diff += math.Abs(c - v)
			sum += c + v
		}
	}
	all := (sum + diff) / 2
	if all == 0 {
		return 0
	}
	return 1 - diff/all
}

// rough is like for a shape that is not drawn, from every second pixel each way.
func (st *stain) rough(f shape) float64 {
	diff, all := 0.0, 0.0
	for j := 0; j < st.n; j += 2 {
		for i := 0; i < st.n; i += 2 {
			c, v := st.cover[j*st.n+i], 0.0
			if f((float64(i)+0.5-float64(st.n)/2)/st.scale, (float64(j)+0.5-float64(st.n)/2)/st.scale) {
				v = 1
			}
			diff += math.Abs(c - v)
			all += max(c, v)
		}
	}
	if all == 0 {
		return 0
	}
	return 1 - diff/all
}

// A guess is a symbol and how like it a stain is.
type guess struct {
	sym   witness.Symbol
	score float64
	form  shape // the symbol where it fits best
	twin  shape // of a piece: its squares as outlines, of a blue one filled
}

// A rendered symbol is one drawn in the middle of a cell, and the middle of its
// box in pixels from the cell's centre.
type rendered struct {
	sym    witness.Symbol
	pix    []float64
	mx, my float64
	form   shape
}

// templates are the symbols of one form each, in a few sizes, for stains of
// the size of st.
func (s *sheet) templates(st *stain) []rendered {
	s.formsOnce.Do(func() { s.drawForms(st) })
	return s.forms
}

// looseSizes are in what parts of their size in the profile symbols are looked for where
// that is not known.
func looseSizes() []float64 { return []float64{0.6, 0.68, 0.77, 0.88, 1, 1.12, 1.27, 1.44, 1.64} }

func (s *sheet) drawForms(st *stain) {
	sizes := []float64{0.88, 1, 1.12}
	if s.look.Loose {
		sizes = looseSizes()
	}
	for _, k := range sizes {
		for _, form := range s.drawn {
			turns := form.Turns
			if turns == nil {
				turns = []float64{0}
			}
			for _, sym := range form.Symbols(&s.sizes) {
				for _, turn := range turns {
					// 0.4 pixels of the frame: as sharp as a screen's picture.
					s.addForm(st, sym, inside(form.Parts(&s.sizes, sym), k, turn), 0.4/s.b.ScreenPitch)
				}
			}
		}
	}
}

// addForm draws a template.
func (s *sheet) addForm(st *stain, sym witness.Symbol, f shape, blur float64) {
	t := rendered{sym: sym, pix: st.raster(f, blur), form: f}
	x0, y0, x1, y1 := st.n, st.n, 0, 0
	for j := range st.n {
		for i := range st.n {
			if t.pix[j*st.n+i] >= 0.5 {
				x0, y0, x1, y1 = min(x0, i), min(y0, j), max(x1, i+1), max(y1, j+1)
			}
		}
	}
	t.mx, t.my = float64(x0+x1-st.n)/2, float64(y0+y1-st.n)/2
	s.forms = append(s.forms, t)
}

// fit is the best likeness of a template near the middle of the stain's box.
func (st *stain) fit(t rendered) guess {
	dx := int(math.Round((st.box[0]+st.box[2])/2*st.scale - t.mx))
	dy := int(math.Round((st.box[1]+st.box[3])/2*st.scale - t.my))
	best, bx, by := -1.0, 0, 0
	for _, o := range [][2]int{{0, 0}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
		if v := st.like(t.pix, dx+o[0], dy+o[1]); v > best {
			best, bx, by = v, dx+o[0], dy+o[1]
		}
	}
	x, y := float64(bx)/st.scale, float64(by)/st.scale
	return guess{sym: t.sym, score: best, form: func(u, v float64) bool { return t.form(u-x, v-y) }}
}

// guesses compares a stain with every symbol, the likeliest first.
func (s *sheet) guesses(st *stain) []guess {
	var out []guess
	best := 0.0
	for _, t := range s.templates(st) {
		g := st.fit(t)
		out, best = append(out, g), max(best, g.score)
	}
	for _, turn := range []float64{0, 15, 20, -15, -20} {
		if best > 0.93 {
			break // nothing can come near
		}
		for _, k := range []float64{0.88, 1, 1.12} {
			for _, g := range s.piece(st, turn, k, best) {
				out, best = append(out, g), max(best, g.score)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b guess) int { return cmp.Compare(b.score, a.score) })
	return out
}

// A pieceGrid is a grid of squares that fills a stain's box, turned as a piece is.
type pieceGrid struct {
	cos, sin       float64 // of the turn
	block, spacing float64 // pitches: a square's side, and from square to square
	nx, ny         int     // squares across and down, in the turned directions
	mx, my         float64 // the grid's middle in these, in pitches
	full           []bool  // nx×ny: see squares
}

// pieceGrid is the grid that fills a stain's box where it is turned by some degrees;
// false where it has no square, or more than six across or down.
func (st *stain) pieceGrid(degrees, block, spacing float64) (pieceGrid, bool) {
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
	return g, g.nx >= 1 && g.ny >= 1 && g.nx <= 6 && g.ny <= 6
}

// place is where a place of a square is, which is given from the square's middle in the
// turned directions: in pitches from the cell's centre.
func (g *pieceGrid) place(square image.Point, u, v float64) (x, y float64) {
	u += g.mx + (float64(square.X)-float64(g.nx-1)/2)*g.spacing
	v += g.my + (float64(square.Y)-float64(g.ny-1)/2)*g.spacing
	return u*g.cos - v*g.sin, u*g.sin + v*g.cos
}

// squares are those of the grid that a stain covers by more than half, which are noted
// as full.
func (g *pieceGrid) squares(st *stain) (squares []image.Point) {
	g.full = make([]bool, g.nx*g.ny)
	for b := range g.ny {
		for a := range g.nx {
			sum, n := 0.0, 0.0
			for _, ou := range []float64{-0.3, 0, 0.3} {
				for _, ov := range []float64{-0.3, 0, 0.3} {
					sum += st.coverAt(g.place(image.Pt(a, b), ou*g.block, ov*g.block))
					n++
				}
			}
			if sum/n > 0.5 {
				squares = append(squares, image.Pt(a, b))
				g.full[b*g.nx+a] = true
			}
		}
	}
	return squares
}

// form is the shape of the grid's full squares, each of which looks like one.
func (g *pieceGrid) form(one shape) shape {
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

// piece reads a stain as squares on a grid turned by some degrees. Where a rough
// look says that they cannot come near the best guess so far they are not drawn.
func (s *sheet) piece(st *stain, degrees, k, best float64) []guess {
	sy := &s.sizes
	g, ok := st.pieceGrid(degrees, sy.Block*k, sy.Spacing*k)
	if !ok {
		return nil
	}
	squares := g.squares(st)
	if len(squares) == 0 {
		return nil
	}
	kind, other := witness.Polyomino, witness.Negative
	if st.hollow(squares, &g) {
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
	// Turning one square changes nothing.
	sym := witness.Symbol{Kind: kind, Shape: moved, Turnable: degrees != 0 && len(moved) > 1}
	square := func(kind witness.Kind) shape {
		form, ok := s.drawn.Of(kind)
		if !ok {
			return nil
		}
		return g.form(inside(form.Outline(sy), k, 0))
	}
	form, twin := square(kind), square(other)
	// 0.2: of 2,900 pieces tried on captured symbols none was more like the
	// symbol than at a rough look by 0.17. 1.5: a guess whose error is 1.3 times
	// the best one's counts.
	if rough := st.rough(form); 1-(rough+0.2) > 1.5*(1-best) {
		return []guess{{sym: sym, score: rough, form: form, twin: twin}}
	}
	drawn := st.raster(form, 0.6/s.b.ScreenPitch)
	return []guess{{sym, st.like(drawn, 0, 0), form, twin}}
}

// hollow tells whether the squares of a piece are outlines, as those of blue
// pieces are: less covered in the middle than half way to their sides.
func (st *stain) hollow(squares []image.Point, g *pieceGrid) bool {
	return g.bulge(squares, st.coverAt) < -0.25
}

// bulge is by how much more the middles of a grid's squares show than what is half way to
// their sides.
func (g *pieceGrid) bulge(squares []image.Point, shown func(x, y float64) float64) (sum float64) {
	n := float64(len(squares))
	for _, q := range squares {
		sum += shown(g.place(q, 0, 0)) / n
		for _, d := range ways {
			// 0.36: the middle of an outline a quarter of the side wide.
			sum -= shown(g.place(q, 0.36*g.block*float64(d.X), 0.36*g.block*float64(d.Y))) / n / 4
		}
	}
	return sum
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
func (s *sheet) ring(start image.Point) float64 {
	r, ok := s.rings.Load(start)
	if !ok {
		r, _ = s.rings.LoadOrStore(start, s.findRing(start))
	}
	return r.(float64)
}

func (s *sheet) findRing(start image.Point) float64 {
	best, where := 0.0, 0.0
	floor := max(s.b.Ink[0]+s.b.Ink[1]+s.b.Ink[2], s.b.Paper[0]+s.b.Paper[1]+s.b.Paper[2])
	for r := 1.3 * s.line; r < 2.6*s.line; r += 0.5 / float64(s.b.Pitch) {
		bright := 0.0
		for k := 0; k < 32 && bright+float64(32-k)/32 >= 0.75; k++ { // what is too little already is no ring
			sin, cos := math.Sincos(2 * math.Pi * (float64(k) + 0.5) / 32)
			c := s.at(float64(start.X)+2*r*cos, float64(start.Y)+2*r*sin)
			if c[0]+c[1]+c[2] > 1.15*floor {
				bright += 1.0 / 32
			}
		}
		if bright > best {
			best, where = bright, r
		}
	}
	if best < 0.75 {
		return 0
	}
	return where
}
