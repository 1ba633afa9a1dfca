package cell

import (
	"image"
	"math"
	"slices"
	"sync"

	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/witness/decide"
	"onlooker/vision/witness/line"
	"onlooker/vision/witness/view"
)

// A square is what a cell shows between its lines: n×n pixels of the straightened
// picture. Pixels that belong to a line, a start circle or a veil beside the cell
// show instead what an empty cell would.
type square struct {
	s       *Stains
	cell    image.Point
	half    float64        // half of its side, pitches
	n       int            // pixels a side
	scale   float64        // pixels per pitch
	flat    vision.RGB     // the cell's colour
	relief  []vision.RGB   // n×n, or nil: see reliefOf
	under   []vision.RGB   // n×n: what the cell would show if it were empty
	circles []circleBeside // that may reach into it
	pix     []vision.RGB   // n×n: what it shows
	off     []float64      // n×n: how far that is from an empty cell's
	beside  []bool         // n×n: what shows a line, a circle or a veil beside the cell, or the border of one
}

// A circleBeside is a start circle that may reach into a cell.
type circleBeside struct {
	at   image.Point
	ring float64    // radius of the ring that it sends out, pitches; 0 where there is none
	line vision.RGB // colour of the lines there
	ink  vision.RGB // its own colour
}

// Stain finds what stands in a cell; nil when it is empty, and an error when it
// may be empty or hold something faint. Start circles beside it do not belong to
// it.
func (s *Stains) Stain(cell image.Point, circles []image.Point) (*Stain, error) {
	q := s.square(cell, circles)
	like, top := q.something()
	if like < 1 {
		return nil, s.Told(cell, view.Sure(like, 1, 0), decide.EmptyOrFaint)
	}
	st := q.covered(top)
	st.measure()
	if st.box[2] <= st.box[0] {
		return nil, nil
	}
	return st, nil
}

// square is a cell's square, of which no pixel was looked at yet.
func (s *Stains) square(cell image.Point, circles []image.Point) *square {
	half := (1 - s.LineWidth) / 2 * 0.94 / max(s.Squeeze, 1/s.Squeeze) // just inside the lines
	n := int(2 * half * float64(s.Board.Pitch))
	q := &square{
		s: s, cell: cell, half: half, n: n, scale: float64(s.Board.Pitch),
		flat: s.UnlitGround(cell.X, cell.Y), relief: s.reliefOf(n),
		pix: make([]vision.RGB, n*n), off: make([]float64, n*n), beside: make([]bool, n*n),
	}
	q.under = q.empty()
	q.circles = q.near(circles)
	return q
}

// place is where a pixel of the square is, in half-cells.
func (q *square) place(i, j int) (x, y float64) {
	return float64(q.cell.X) + 2*(float64(i)+0.5-float64(q.n)/2)/q.scale*q.s.Squeeze, float64(q.cell.Y) + 2*(float64(j)+0.5-float64(q.n)/2)/q.scale/q.s.Squeeze
}

// empty is what the cell would show if it were empty, n×n: its colour, and the
// board's relief, whose floor is lit in one way here and in another there: as it is
// seen round where a symbol would stand.
func (q *square) empty() []vision.RGB {
	under := slices.Repeat([]vision.RGB{q.flat}, q.n*q.n)
	if q.relief == nil {
		return under
	}
	highest := 0.0
	for _, c := range q.relief {
		highest = max(highest, c.Dist(vision.RGB{}))
	}
	var lit []vision.RGB
	var floor []int
	for k, c := range q.relief {
		// The walls are three times as far from plain as the floor.
		if under[k] = q.flat.Add(c); c.Dist(vision.RGB{}) > view.Clearly*highest {
			x, y := q.place(k%q.n, k/q.n)
			if floor = append(floor, k); math.Hypot(x-float64(q.cell.X), y-float64(q.cell.Y)) > 2*0.2 {
				lit = append(lit, q.s.At(x, y).Sub(under[k]))
			}
		}
	}
	if len(lit) == 0 {
		return under
	}
	// What differs by more fills the cell: the pointer.
	if more := vision.MedianRGB(lit); more.Dist(vision.RGB{}) < view.Clearly*q.s.Contrast() {
		for _, k := range floor {
			under[k] = under[k].Add(more)
		}
	}
	return under
}

// near are those of some start circles that may reach into the square. Of those
// further off nothing does: no ring is larger than 2.6 of the line's width.
func (q *square) near(circles []image.Point) (out []circleBeside) {
	s := q.s
	for _, o := range circles {
		if math.Hypot(float64(o.X-q.cell.X), float64(o.Y-q.cell.Y)) > 2*max(2.6*s.LineWidth, s.Profile.Board.Start[1]*s.LineWidth)+2*math.Sqrt2 {
			continue
		}
		out = append(out, circleBeside{at: o, ring: s.lines.Ring(o), line: s.LineColourAt(o), ink: s.Patch(float64(o.X), float64(o.Y), 0.5*s.LineWidth)})
	}
	return out
}

// shades tells whether a colour is the circle's, or the lines', or lies between one
// of these and the cell's.
func (o *circleBeside) shades(c vision.RGB, q *square) bool {
	return min(c.OffMix(o.line, q.flat), c.OffMix(o.ink, q.flat)) < view.Clearly*q.s.Contrast()
}

// reaches tells whether a circle, its blurred border or its ring may cover a place
// of the square, in half-cells, that shows a colour.
func (o *circleBeside) reaches(x, y float64, c vision.RGB, q *square) bool {
	// A circle and its blurred border: 1.45 of the line's width in the game, and
	// as much as the look allows where that stays off symbols, which begin 0.45
	// of the pitch from the nodes. Beyond 1.27 of the line's width, the widest in
	// the game, and on the middles of edges, where a symbol may reach over the
	// circle, only what is of its colours.
	line := q.s.LineWidth
	inner, outer := 1.3*line, max(1.45*line, min(1.12*q.s.Profile.Board.Start[1]*line, 0.45))
	r := math.Hypot(x-float64(o.at.X), y-float64(o.at.Y))
	return r < 2*outer && (r < 2*inner && witness.IsNode(o.at) || o.shades(c, q)) || o.ring > 0 && math.Abs(r-2*o.ring) < 6/q.scale
}

// look looks at one pixel.
func (q *square) look(i, j int) {
	s, k := q.s, j*q.n+i
	x, y := q.place(i, j)
	c, paper := s.At(x, y), q.under[k]
	if s.Hidden(float64(s.Board.Margin)+x*q.scale/2, float64(s.Board.Margin)+y*q.scale/2) && c.Dist(paper) < 0.5*s.Contrast() {
		c, q.beside[k] = paper, true
	}
	for _, o := range q.circles {
		if !o.reaches(x, y, c, q) {
			continue
		}
		c, q.beside[k] = paper, true
	}
	// The lines beside the cell spread into it by a pixel of the frame.
	if edge := q.half*q.scale - max(math.Abs(float64(i)+0.5-float64(q.n)/2), math.Abs(float64(j)+0.5-float64(q.n)/2)); edge < s.bleed() {
		q.beside[k] = true
	}
	q.pix[k], q.off[k] = c, c.Dist(paper)
}

// something looks at the cell's middle, and at all of it where something may stand
// there: how much it shows, in parts of the least that a symbol does, so that 1 and
// more is something; and top, how far the symbol is off an empty cell's colours.
func (q *square) something() (like, top float64) {
	s, n := q.s, q.n
	// Every symbol covers something near its cell's middle; what shines on the
	// cell from beside it does not. 0.15: the squares of a ring reach in by 0.04.
	middle := func(i int) bool { return math.Abs(float64(i)+0.5-float64(n)/2) < 0.15*q.scale }
	var there []float64
	for j := range n {
		for i := range n {
			if k := j*n + i; middle(i) && middle(j) {
				q.look(i, j)
				there = append(there, q.off[k])
			}
		}
	}
	// A symbol covers at least 2 % of its cell: a triangle's core.
	top = vision.Ranked(there, len(there)-1-len(there)/50)
	least := 0.22
	if q.relief != nil {
		least = 0.35 // shade falls into hollow cells in more than one way
	}
	like = top / least / s.Contrast()
	// 0.5: what is less is clear enough.
	if like <= 0.5 {
		return like, top
	}
	for j := range n {
		for i := range n {
			if !middle(i) || !middle(j) {
				q.look(i, j)
			}
		}
	}
	// Of 6,000 empty cells of captures and drawn boards none showed more than
	// 0.23, nor more than 0.95 of both thresholds, and symbols no less than 0.2.
	return min(like, q.steepest()/0.25/s.Contrast(), q.solid(0.35*s.Contrast())/0.2/s.Contrast()), top
}

// covered is how much of each pixel what stands in the cell covers, and its colour:
// what most of it shows that is nearly as far as top off an empty cell.
func (q *square) covered(top float64) *Stain {
	n := q.n
	var core []vision.RGB
	strip := int(0.1 * q.scale) // a cell may have a frame
	for j := strip; j < n-strip; j++ {
		for i := strip; i < n-strip; i++ {
			if k := j*n + i; q.off[k] >= view.Tuned.Core*top {
				core = append(core, q.pix[k])
			}
		}
	}
	st := &Stain{at: q.cell, N: n, Scale: q.scale, Col: vision.MedianRGB(core), Cover: make([]float64, n*n), all: make([]vision.RGB, n*n), over: make([]vision.RGB, n*n), beside: q.beside, relief: q.relief != nil}
	bright := make([]bool, n*n)
	for k, paper := range q.under {
		axis := st.Col.Sub(paper)
		d := q.pix[k].Sub(paper)
		t := d.Dot(axis) / max(1, axis.Dot(axis))
		// What is of quite another colour is none of the symbol: a reflection, or what
		// glimmers at a wall. Compressed pictures blur colours to a third.
		beside := d.Sub(vision.RGB{t * axis[0], t * axis[1], t * axis[2]})
		size := math.Sqrt(max(1, axis.Dot(axis)))
		off := beside.Dist(vision.RGB{}) / size
		// Noise and what a compressed picture mixes up stay below it in one
		// channel at least.
		bright[k] = min(beside[0], beside[1], beside[2]) > view.Slightly*size
		own := max(0, min(1, (0.7-off)/0.3))
		st.all[k] = d
		st.over[k] = vision.RGB{own * d[0], own * d[1], own * d[2]}
		st.Cover[k] = sharpen(own * t)
	}
	st.Glare = st.Reflections(bright, q.s.Board.ScreenPitch)
	return st
}

// steepest is how much the colour changes over two pixels of the frame. A symbol
// has a border; the light of a neighbour has none: it changes by less than a fifth
// of the contrast.
func (q *square) steepest() float64 {
	n, pix := q.n, q.pix
	step := max(1, int(2*q.scale/q.s.Board.ScreenPitch+0.5))
	most := 0.0
	for j := step; j < n-step; j++ {
		for i := step; i < n-step; i++ {
			most = max(most, pix[j*n+i+step].Dist(pix[j*n+i-step]), pix[(j+step)*n+i].Dist(pix[(j-step)*n+i]))
		}
	}
	return most
}

// solid is how much a patch in the middle of a cell differs from most of it, in
// colour: noise and a fine pattern do not, however much each pixel does, nor does
// a shade over all of the cell: what differs by more than shade does fills it. It
// looks no further than 0.2 of the pitch from the middle, where every symbol has
// parts: the wall round a start circle reaches to 0.28 of it.
func (q *square) solid(shade float64) float64 {
	n := q.n
	off := make([]vision.RGB, n*n)
	for k := range off {
		off[k] = q.pix[k].Sub(q.under[k])
	}
	usual := vision.MedianRGB(off)
	if usual.Dist(vision.RGB{}) > shade {
		usual = vision.RGB{}
	}
	// 0.1 of the pitch: what fits into one triangle, or the middle of an eraser.
	half := max(1, int(0.05*q.scale+0.5))
	area := float64((2*half + 1) * (2*half + 1))
	first := max(half, n/2-int(0.2*q.scale))
	var all []float64
	below := make([]vision.RGB, n) // sums of the rows that the patch covers
	for j := first; j < n-first; j++ {
		for i := first - half; i < n-first+half; i++ {
			below[i] = vision.RGB{}
			for y := j - half; y <= j+half; y++ {
				below[i] = below[i].Add(off[y*n+i])
			}
		}
		var sum vision.RGB
		for _, c := range below[first-half : first+half] {
			sum = sum.Add(c)
		}
		for i := first; i < n-first; i++ {
			sum = sum.Add(below[i+half])
			if math.Hypot(float64(i)+0.5-float64(n)/2, float64(j)+0.5-float64(n)/2) <= 0.2*q.scale {
				all = append(all, vision.RGB{sum[0] / area, sum[1] / area, sum[2] / area}.Dist(usual))
			}
			sum = sum.Sub(below[i-half])
		}
	}
	if len(all) == 0 {
		return 0
	}
	return vision.Ranked(all, len(all)-1-len(all)/50)
}

// bleed is how far, in pixels of the straightened picture, the lines beside a cell
// spread into what stain looks at.
func (s *Stains) bleed() float64 {
	// 1.7 pixels of the frame, less the strip that is left out anyway.
	return (1.7/s.Board.ScreenPitch - 0.03*(1-s.LineWidth)) * float64(s.Board.Pitch)
}

// reliefOf is how the cells of this board differ from one plain colour where
// nothing stands in them, for stains of n pixels a side: a frame round each
// cell, or a hollow. It is what most cells show alike and no symbol looks like;
// nil where cells are plain, and where they differ too little.
func (s *Stains) reliefOf(n int) []vision.RGB {
	s.reliefOnce.Do(func() { s.Relief = s.findRelief(n) })
	return s.Relief
}

func (s *Stains) findRelief(n int) []vision.RGB {
	// 9: of fewer cells most may well hold the same symbol.
	if s.Board.Cols*s.Board.Rows < 9 || s.Squeeze != 1 {
		return nil
	}
	relief := make([]vision.RGB, n*n)
	contrast := s.Contrast()
	// Of each row of pixels: how many are raised, and are so in most cells.
	type count struct{ raised, shared int }
	counts := make([]count, n)
	bleed := int(math.Ceil(s.bleed())) // all cells are alike there
	flat := make([]bool, n*n)          // where most cells are so near to plain that their median is
	row := func(j int) {
		all := make([]vision.RGB, 0, s.Board.Cols*s.Board.Rows)
		far := make([]float64, 0, s.Board.Cols*s.Board.Rows)
		for k := j * n; k < (j+1)*n; k++ {
			all, far = s.offPlain(all[:0], k, n), far[:0]
			for _, d := range all {
				far = append(far, d.Dist(vision.RGB{}))
			}
			// Each channel's median is no further from 0 than the median distance.
			if flat[k] = math.Sqrt(3)*vision.Median(far) < view.Slightly*contrast; flat[k] {
				continue
			}
			relief[k] = vision.MedianRGB(all)
			height := relief[k].Dist(vision.RGB{})
			if i := k - j*n; height < view.Slightly*contrast || min(i, j, n-1-i, n-1-j) < bleed {
				continue
			}
			counts[j].raised++
			alike := 0
			for _, c := range all {
				if c.Dist(relief[k]) < 0.5*height {
					alike++
				}
			}
			if 10*alike >= 6*len(all) {
				counts[j].shared++
			}
		}
	}
	raised, shared := 0, 0
	for odd := range 2 { // most boards' cells are plain, which every second row tells
		vision.SideBySide((n+1-odd)/2, func(j int) { row(2*j + odd) })
		raised, shared = 0, 0
		for _, c := range counts {
			raised, shared = raised+c.raised, shared+c.shared
		}
		if raised == 0 {
			return nil
		}
	}
	if raised < n*n/50 || 10*shared < 7*raised {
		return nil
	}
	vision.SideBySide(n*n, func(k int) {
		if flat[k] {
			relief[k] = vision.MedianRGB(s.offPlain(nil, k, n))
		}
	})
	// A symbol that most cells hold is no relief.
	if g := s.templates.Guesses(s.raised(relief, n)); g[0].score > view.Tuned.KnownLike {
		return nil
	}
	return relief
}

// offPlain appends by what each cell differs from plain at place k of n×n.
func (s *Stains) offPlain(all []vision.RGB, k, n int) []vision.RGB {
	dx := 2 * (float64(k%n) + 0.5 - float64(n)/2) / float64(s.Board.Pitch)
	dy := 2 * (float64(k/n) + 0.5 - float64(n)/2) / float64(s.Board.Pitch)
	for r := range s.Board.Rows {
		for c := range s.Board.Cols {
			all = append(all, s.At(float64(2*c+1)+dx, float64(2*r+1)+dy).Sub(s.UnlitGround(2*c+1, 2*r+1)))
		}
	}
	return all
}

// raised is a relief of n×n places as a stain.
func (s *Stains) raised(relief []vision.RGB, n int) *Stain {
	st := &Stain{N: n, Scale: float64(s.Board.Pitch), Cover: make([]float64, n*n), box: [4]float64{1, 1, -1, -1}}
	top := 0.0
	for _, v := range relief {
		top = max(top, v.Dist(vision.RGB{}))
	}
	for j := range n {
		for i := range n {
			c := sharpen(relief[j*n+i].Dist(vision.RGB{}) / top)
			st.Cover[j*n+i] = c
			if c >= 0.5 {
				x, y := (float64(i)+0.5-float64(n)/2)/st.Scale, (float64(j)+0.5-float64(n)/2)/st.Scale
				st.box = [4]float64{min(st.box[0], x), min(st.box[1], y), max(st.box[2], x), max(st.box[3], y)}
			}
		}
	}
	return st
}

// A Reader reads the cells of a sheet in the game's look.
type Reader struct {
	*view.View
	Lines *line.Reader
	Odds  Odds
	// empties is how sure it is of each of some cells that it is like no symbol of the look.
	Empties func(*witness.Panel, []image.Point) []float64

	Templates *Templates
	Stains    *Stains
}

// Stains finds what stands in the cells of a view.
type Stains struct {
	*view.View
	templates  *Templates
	lines      *line.Reader
	reliefOnce sync.Once
	Relief     []vision.RGB // see reliefOf
}

func NewReader(l *line.Reader) *Reader {
	t := &Templates{View: l.View}
	return &Reader{
		View: l.View, Lines: l, Odds: FittedOdds(), Templates: t,
		Stains: &Stains{View: l.View, templates: t, lines: l},
	}
}
