package look

import (
	"cmp"
	"image"
	"math"
	"slices"
	"sync"

	"onlooker/calibrations"
	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/view"
)

// CellSide is how many samples a pitch has in the view of a cell.
const CellSide = 48

// softness is how far, in pitches, the smoothing of a cell's view spreads a border.
const softness = 1.5 / CellSide

// A Model is a flat board as a list of places, each with what is measured of it.
type Model struct {
	*view.View
	Bleed    float64 // pitches: how far a line's border spreads
	Outlined bool    // whether the lines are outlined in another colour
	Known    *Library
	Every    func() *Library // those of all symbols, where known are only those of what was read: see modelOf
	Pools    map[string]*Pool
	dotForms *DotForms
	Radius   map[image.Point]float64     // of start circles, line widths
	Dotted   map[image.Point]float64     // how far dots reach beside their line, line widths
	capped   map[image.Point]image.Point // edges with an end into a cell, and which way
	Over     func(edge image.Point) bool // on which edges a symbol that reaches over them is seen; nil: on none
	// asked tells which places are to be read, and whole what panel they are of; nil:
	// all, and the board's own. See unroll.
	Asked func(image.Point) bool
	Whole func(*witness.Panel) *witness.Panel
}

// A Cell is what one cell shows, CellSide samples to the pitch each way, the
// middle sample pair round the cell's centre.
type Cell struct {
	At     image.Point
	Inner  float64      // pitches: half the side of what lies within the lines
	Reach  float64      // pitches: half the side of what is looked at
	Ground vision.RGB   // what an empty cell shows
	Pix    []vision.RGB // CellSide×CellSide
	Soft   []vision.RGB // the same smoothed, and
	Base   []vision.RGB // what an empty cell would show there; nil where no layers are known or learned
	Off    vision.Map   // how far each sample is from the ground; 0 beyond inner
	Strong float64      // the 98th of 100 of off, in the middle, where every symbol has parts
	Shown  vision.Map   // what is compared with templates: off, or see along
	Most   float64      // the 98th of 100 of that
	Grain  float64      // how far the ground's own samples stray from it
	Hidden bool         // circles beside it cover its middle: nothing is told of it
	dimmed bool         // see withoutLight

	vividOnce sync.Once
	vividest  vision.RGB // see vivid
}

// New measures a board.
func New(b *vision.Board, look *calibrations.Profile, drawn drawing.Forms) *Model {
	return &Model{
		View: view.Measure(b, look, drawn, nil), Bleed: view.Tuned.BleedPixels/b.ScreenPitch + look.Board.RimWidth, Outlined: len(look.Board.Rims) > 0,
		Known: LibraryOf(look, drawn), Pools: PoolsOf(look), dotForms: dotFormsOf(look), Radius: map[image.Point]float64{}, Dotted: map[image.Point]float64{}, capped: map[image.Point]image.Point{},
	}
}

// Offset is the place of a sample of a cell's view, in pitches from its centre.
func Offset(i int) float64 { return (float64(i) + 0.5 - CellSide/2) / CellSide }

// CellAt looks at a cell. The ground is what lies along the cell's border and in its
// corners, within the lines, where few symbols reach.
func (s *Model) CellAt(cell image.Point) *Cell { return s.CellOn(cell, vision.MedianRGB) }

// CellOn is view where the ground is told by what lies there.
func (s *Model) CellOn(cell image.Point, ground func(rim []vision.RGB) vision.RGB) *Cell {
	v := &Cell{At: cell, Pix: make([]vision.RGB, CellSide*CellSide), Off: vision.NewMap(CellSide, CellSide)}
	v.Inner = min(0.5-s.LineWidth/2-s.Bleed-softness, 0.48)
	rim := make([]vision.RGB, 0, CellSide*CellSide/2)
	covered, circle, underCircle := make([]bool, CellSide*CellSide), make([]bool, CellSide*CellSide), s.underCircles(cell)
	for j := range CellSide {
		for i := range CellSide {
			x, y := Offset(i), Offset(j)
			k := j*CellSide + i
			v.Pix[k] = s.At(float64(cell.X)+2*x, float64(cell.Y)+2*y)
			if underCircle != nil {
				covered[k], circle[k] = underCircle(x, y)
			}
			if !covered[k] && v.rim(i, j) {
				rim = append(rim, v.Pix[k])
			}
		}
	}
	v.Ground = ground(rim)
	under := s.Known.under(v, covered)
	soft := smoothed(v.Pix)
	if s.Known.layered() || s.Known.vivid() {
		v.Soft, v.Base = soft, slices.Clone(soft)
	}
	stray := make([]float64, len(rim))
	for k, c := range rim {
		stray[k] = c.Dist(v.Ground)
	}
	v.Grain = vision.Median(stray)
	v.Reach = v.Inner
	var lines [4]bool
	for i, d := range view.Ways {
		if s.Over != nil && s.Over(cell.Add(d)) {
			lines[i], v.Reach = true, max(v.Inner, 0.5)
		}
	}
	all := make([]float64, 0, CellSide*CellSide)
	for j := range CellSide {
		for i := range CellSide {
			k := j*CellSide + i
			x, y := Offset(i), Offset(j)
			far := max(math.Abs(x), math.Abs(y))
			if far > v.Reach || s.Known.isDrawn(k) || covered[k] && !(circle[k] && s.overCircle(soft[k], v.Ground)) {
				continue
			}
			d := 0.0
			if far <= v.Inner {
				base := under(k)
				if d = soft[k].Dist(base); v.Base != nil {
					v.Base[k] = base
				}
			} else if ink, mixed, ok := s.lineUnder(cell, x, y, lines); ok && mixed {
				d = soft[k].OffMix(under(k), ink)
			} else if ok {
				d = soft[k].Dist(ink)
			}
			v.Off.V[k] = float32(d)
			if far < view.Tuned.Middle*v.Inner {
				all = append(all, d)
			}
		}
	}
	if v.Hidden = len(all) == 0; !v.Hidden {
		v.Strong = vision.Ranked(all, len(all)*98/100)
	}
	v.Shown, v.Most = v.Off, v.Strong
	if s.Known.vivid() {
		v.Along()
	}
	return v
}

// EdgeDirection takes what a cell shows along its symbol's colour: the ground's pattern and noise
// mostly lie across it, or are darker where that is lighter. What shows several colours,
// and what lies over lines, is taken as far as it is from the ground.
func (v *Cell) Along() {
	within := func(k int) bool { return max(math.Abs(Offset(k%CellSide)), math.Abs(Offset(k/CellSide))) <= v.Inner }
	var axis vision.RGB
	all := 0.0
	for k, d := range v.Off.V {
		if float64(d) > v.Strong/2 && within(k) {
			for i, c := range v.Soft[k].Sub(v.Base[k]) {
				axis[i] += c
			}
			all += float64(d)
		}
	}
	far := math.Sqrt(axis.Dot(axis))
	if far < view.Nearly*all || all == 0 { // of 1,603 symbols of our looks 0.985 and more
		return
	}
	shown := vision.NewMap(CellSide, CellSide)
	var middle []float64
	for k, d := range v.Off.V {
		if d != 0 && within(k) {
			d = float32(max(0, v.Soft[k].Sub(v.Base[k]).Dot(axis)/far))
		}
		if shown.V[k] = d; max(math.Abs(Offset(k%CellSide)), math.Abs(Offset(k/CellSide))) < view.Tuned.Middle*v.Inner {
			middle = append(middle, float64(d))
		}
	}
	v.Shown, v.Most = shown, vision.Ranked(middle, len(middle)*98/100)
}

// withoutLight is a cell in which nothing shows that shows clearly less than the most of it: as
// what lies behind a part of it, or falls on that.
func (v *Cell) withoutLight() *Cell {
	u := &Cell{At: v.At, Inner: v.Inner, Reach: v.Reach, Ground: v.Ground, Pix: v.Pix, Soft: v.Soft, Base: v.Base, Strong: v.Strong, Most: v.Most, Grain: v.Grain, Hidden: v.Hidden, dimmed: true}
	u.Off, u.Shown = vision.NewMap(v.Off.W, v.Off.H), vision.NewMap(v.Off.W, v.Off.H)
	for k, d := range v.Shown.V {
		if float64(d) >= view.Clearly*v.Most {
			u.Off.V[k], u.Shown.V[k] = v.Off.V[k], d
		}
	}
	return u
}

// lineUnder is the colour of the line on which a place of a cell lies, in pitches from
// the cell's centre, or whether it is mixed with the ground there; lines says on which
// of the cell's edges something is seen over them.
func (s *Model) lineUnder(cell image.Point, x, y float64, lines [4]bool) (ink vision.RGB, mixed, ok bool) {
	off := [4]float64{x, -x, y, -y}
	border := 0.5 - s.LineWidth/2
	for i, d := range view.Ways {
		if off[i] <= border-s.Bleed-softness {
			continue
		}
		if !lines[i] {
			return ink, false, false
		}
		// Of two lines at a corner the one that is deeper under the place.
		if deep := off[i] > border+s.Bleed+softness; !ok || mixed && deep {
			ink, mixed, ok = s.LineInk(cell.Add(d)), !deep, true
		}
	}
	return ink, mixed, ok
}

// PlainLines tells on which edges a symbol that reaches over them would be seen: on
// those that are whole and without a dot or a circle, where lines are of one colour up to
// their borders.
func (s *Model) PlainLines(p *witness.Panel) func(edge image.Point) bool {
	var stray []float64
	plain := func(at image.Point) bool {
		q := p.At(at)
		// Beside a circle in another colour an edge is measured to have more of that.
		return q != nil && q.Gap == witness.Whole && !q.Start && !q.Dot.On && s.LineInk(at).Dist(s.Board.Ink) <= view.Clearly*s.Contrast()
	}
	for at := range p.Points() {
		if !witness.IsEdge(at) || !plain(at) {
			continue
		}
		ux, uy := witness.EdgeDirection(at)
		ink := s.LineInk(at)
		for _, off := range strips {
			for _, d := range []float64{-0.4, 0, 0.4} {
				c := s.At(float64(at.X)+d*ux+2*s.LineWidth*off*uy, float64(at.Y)+d*uy+2*s.LineWidth*off*ux)
				stray = append(stray, c.Dist(ink)/s.Contrast())
			}
		}
	}
	if len(stray) == 0 || s.Outlined || vision.Ranked(stray, len(stray)*9/10) > view.Faintly {
		return nil
	}
	return plain
}

// rim tells whether a sample is along the cell's border or in its corners, within the
// lines.
func (v *Cell) rim(i, j int) bool {
	x, y := math.Abs(Offset(i))/v.Inner, math.Abs(Offset(j))/v.Inner
	far, near := max(x, y), min(x, y)
	return far <= 1 && (far > view.Tuned.Rim || near > view.Tuned.Middle)
}

// smoothed is a cell's picture with each sample the mean of it and those round it,
// weighed 1, 2, 1 each way: scan lines and noise are finer than symbols.
func smoothed(pix []vision.RGB) []vision.RGB {
	rows, out := make([]vision.RGB, len(pix)), make([]vision.RGB, len(pix))
	mean := func(to, a, c, b *vision.RGB) {
		to[0], to[1], to[2] = (a[0]+2*c[0]+b[0])/4, (a[1]+2*c[1]+b[1])/4, (a[2]+2*c[2]+b[2])/4
	}
	const n = CellSide
	for k := range pix {
		i := k % n
		mean(&rows[k], &pix[k-min(i, 1)], &pix[k], &pix[k+min(n-1-i, 1)])
	}
	for k := range rows {
		j := k / n
		mean(&out[k], &rows[k-n*min(j, 1)], &rows[k], &rows[k+n*min(n-1-j, 1)])
	}
	return out
}

// underCircles tells whether a place of a cell, in pitches from its centre, lies under
// a start circle or a dot, or where that spreads, and whether it is circles alone; nil
// where none is near.
func (s *Model) underCircles(cell image.Point) func(x, y float64) (covered, circle bool) {
	type disc struct {
		x, y, reach float64
		dot         bool
	}
	var near []disc
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			at := cell.Add(image.Pt(dx, dy))
			if d := s.capped[at]; d != (image.Point{}) && at.Add(d) == cell {
				// A cap, as circles of a line's width one after the other.
				for out := 0.5; out <= s.Profile.Board.Cap[1]-0.5; out += 0.25 {
					near = append(near, disc{float64(dx)/2 + out*s.LineWidth*float64(d.X), float64(dy)/2 + out*s.LineWidth*float64(d.Y), 0.5*s.LineWidth + s.Bleed + softness, false})
				}
			}
			if r := max(s.Radius[at], s.Dotted[at]); r > 0 {
				near = append(near, disc{float64(dx) / 2, float64(dy) / 2, r*s.LineWidth + s.Bleed + softness, s.Dotted[at] > 0})
			}
		}
	}
	if near == nil {
		return nil
	}
	return func(x, y float64) (covered, circle bool) {
		circle = true
		for _, o := range near {
			if math.Hypot(x-o.x, y-o.y) < o.reach {
				covered, circle = true, circle && !o.dot
			}
		}
		return covered, covered && circle
	}
}

// overCircle tells whether a colour that is seen where a circle lies is something over
// it: where the look's colours are known.
func (s *Model) overCircle(c, ground vision.RGB) bool {
	return s.Known.exact && c.OffMix(s.Board.Ink, ground) > s.Profile.Board.LinesWithin
}

// An EdgeView is what one edge shows, across and along it.
type edgeView struct {
	gone   []float64 // along the edge between its nodes' discs: 1 where across all of the line is ground
	Depth  float64   // the most of gone over a window of the blur's length
	Share  float64   // of the edge that is gone
	from   float64   // half-cells from the edge's middle: where what is seen of it begins
	Length float64   // pitches: of what is seen of it
	Odd    float64   // how far the middle is from the line's colour, in contrasts
	aside  float64   // how far the middle is from all mixtures of line and ground, in contrasts
	col    vision.RGB
}

// leastGround is by what share of the contrast a ground must differ from the lines to
// tell something: by less where the look's colours are known.
func (s *Model) leastGround() float64 {
	if s.Known.exact {
		return view.Clearly / 2
	}
	return view.Clearly
}

// Clear is how far, in half-cells, what is on a node hides its edges: a circle, or a dot that
// is not of the lines' colour, whose middle may be as the ground is.
func (m *Model) Clear(node image.Point) float64 {
	r := m.Radius[node]
	if r == 0 && m.Known.any() && !m.Known.exact && m.oddCore(node) {
		r = m.DotReach(node)
	}
	return 2 * m.LineWidth * r
}

// strips are where across a line it is looked at, in line widths from its middle.
var strips = [...]float64{-0.38, -0.19, 0, 0.19, 0.38}

// EdgeView looks at an edge; clear tells how far from either node, in half-cells, a
// start circle reaches.
func (s *Model) EdgeView(at image.Point, clear func(node image.Point) float64) edgeView {
	ux, uy := witness.EdgeDirection(at)
	fx, fy := float64(at.X), float64(at.Y)
	w := 2 * s.LineWidth // half-cells
	step := 1 / view.Tuned.EdgeSamples
	from := -1 + max(w/2, clear(at.Sub(image.Pt(int(ux), int(uy)))))
	to := 1 - max(w/2, clear(at.Add(image.Pt(int(ux), int(uy)))))
	v := edgeView{from: from, Length: max(0, to-from) / 2}
	ink := s.LineInk(at)
	// What is beside it, on either side, right there.
	beside := func(d, side float64) vision.RGB {
		r := side * (w/2 + 2*s.Bleed + view.Tuned.Beside)
		return s.At(fx+d*ux+r*uy, fy+d*uy+r*ux)
	}
	// What stands in a cell may reach there: then it is as usual along the edge.
	var usual [2]vision.RGB
	for k, side := range []float64{-1, 1} {
		var all []vision.RGB
		for d := from + step; d < to; d += step {
			all = append(all, beside(d, side))
		}
		if len(all) > 0 {
			usual[k] = vision.MedianRGB(all)
		}
	}
	ground := func(d float64, k int) vision.RGB {
		if c := beside(d, []float64{-1, 1}[k]); c.Dist(usual[k]) < view.Clearly*s.Contrast() {
			return c
		}
		return usual[k]
	}
	tells := func(ground vision.RGB) bool { return ink.Dist(ground) > s.leastGround()*s.Contrast() }
	for d := from + step; d < to; d += step {
		a, b := ground(d, 0), ground(d, 1)
		least := 1.0
		for _, off := range strips {
			// Where the ground beside the line is like the line, as outside of some
			// boards, that half of the line tells nothing; and where the grounds differ a
			// break may show both, and their mixture in the middle.
			if off < 0 && !tells(a) && tells(b) || off > 0 && !tells(b) && tells(a) || off == 0 && a.Dist(b) > view.Clearly*s.Contrast() {
				continue
			}
			c := s.At(fx+d*ux+off*w*uy, fy+d*uy+off*w*ux)
			near := 0.0
			for _, g := range [2]vision.RGB{a, b} {
				if tells(g) {
					near = max(near, 1-c.Dist(g)/ink.Dist(g))
				}
			}
			least = min(least, near)
		}
		v.gone = append(v.gone, max(0, least))
	}
	window := max(1, int(2*view.Tuned.WindowPixels/s.Board.ScreenPitch/step+0.5))
	v.sum(window)
	v.col = s.Patch(fx, fy, view.Tuned.DotCore*w)
	v.Odd = v.col.Dist(ink) / s.Contrast()
	v.aside = min(v.col.OffMix(ink, ground(0, 0)), v.col.OffMix(ink, ground(0, 1))) / s.Contrast()
	return v
}

// sum tells how much of the edge is gone, and how much at most within a window
// of so many samples.
func (v *edgeView) sum(window int) {
	n := 0
	for i := range v.gone {
		if v.gone[i] > 0.5 {
			n++
		}
		if i+window <= len(v.gone) {
			sum := 0.0
			for _, g := range v.gone[i : i+window] {
				sum += g
			}
			v.Depth = max(v.Depth, sum/float64(window))
		}
	}
	if len(v.gone) > 0 {
		v.Share = float64(n) / float64(len(v.gone))
	}
}

// LineInk is the colour of the lines about a place: of the edge's own outer parts
// where a line is there, else the usual one.
func (s *Model) LineInk(at image.Point) vision.RGB {
	if s.Known.exact { // one colour, also where an edge is missing and the ground is like it
		return s.Board.Ink
	}
	c := s.LineColourAt(at)
	// Where edges are missing what is seen there may be what outlines those beside them.
	if witness.IsNode(at) && (s.Known.Learning || s.Known.learned) && c.Dist(s.Board.Ink) > view.Tuned.OffColour*s.Contrast() {
		return s.Board.Ink
	}
	return c
}

// GroundsBeside are the grounds on both sides of an edge.
func (m *Model) GroundsBeside(at image.Point) (grounds [2]vision.RGB) {
	ux, uy := witness.EdgeDirection(at)
	for k, side := range []int{-1, 1} {
		d := image.Pt(side*int(uy), side*int(ux))
		if c := at.Add(d); c.X > 0 && c.Y > 0 && c.X < 2*m.Board.Cols && c.Y < 2*m.Board.Rows {
			grounds[k] = m.Ground(c.X, c.Y)
		} else {
			grounds[k] = m.Outside(at, d)
		}
	}
	return grounds
}

// Gone gives how much of a line's colour is gone where a colour is seen between two grounds: 1
// where one of them is seen, or a mixture of both.
func (m *Model) Gone(ink vision.RGB, grounds [2]vision.RGB) func(c vision.RGB) float64 {
	return func(c vision.RGB) (gone float64) {
		for _, g := range grounds {
			if ink.Dist(g) > view.Clearly*m.Contrast() {
				gone = max(gone, 1-c.Dist(g)/ink.Dist(g))
			}
		}
		// Between two grounds lies what shows both, but where the line's colour does as well.
		if d := ink.OffMix(grounds[0], grounds[1]); d > view.Clearly*m.Contrast() {
			gone = max(gone, 1-c.OffMix(grounds[0], grounds[1])/d)
		}
		return gone
	}
}

// MiddleWidth is how wide the lines are about the middles of edges, in pitches, towards the
// cells; 0 where none is seen. Circles make them wider further out.
func (m *Model) MiddleWidth() float64 {
	var all []float64
	for y := range 2*m.Board.Rows + 1 {
		for x := 1 - y&1; x <= 2*m.Board.Cols; x += 2 {
			ux, uy := witness.EdgeDirection(image.Pt(x, y))
			for _, side := range []float64{-1, 1} {
				cx, cy := x+int(side*uy), y+int(side*ux)
				if cx < 0 || cy < 0 || cx > 2*m.Board.Cols || cy > 2*m.Board.Rows {
					continue
				}
				ground, r := m.Ground(cx, cy), 0.0
				for r < 1 && m.At(float64(x)+r*side*uy, float64(y)+r*side*ux).Dist(ground) > 0.5*m.Board.Ink.Dist(ground) {
					r += 0.01
				}
				if r > 0 {
					all = append(all, r)
				}
			}
		}
	}
	return vision.Median(all)
}

// ReachStep is by how much reach looks further out each time, in line widths.
const ReachStep = 0.05

// reach is how far, in line widths, something that is not the ground goes on from a
// place in a direction, beginning at from; most where it does not end.
func (s *Model) reach(x, y, dx, dy, from, most float64, ground vision.RGB) float64 {
	n := math.Hypot(dx, dy)
	w := 2 * s.LineWidth
	// Half of what a line is off the ground.
	half := 0.5 * s.Board.Ink.Dist(ground)
	// Where a look's colours are known exactly, what is no mix of the line's and the
	// ground's is another ground.
	plain := s.Known.exact && s.At(x, y).Dist(s.Board.Ink) <= s.Profile.Board.LinesWithin
	for r := from; r < most; r += ReachStep {
		// In looks of which nothing is known a circle begins in the line's colour: a
		// large dot is none.
		c := s.At(x+r*w*dx/n, y+r*w*dy/n)
		if c.Dist(ground) < half || r == from && !s.Known.any() && c.Dist(s.Board.Ink) > 2*half || plain && c.OffMix(s.Board.Ink, ground) > s.Profile.Board.LinesWithin {
			return r
		}
	}
	return most
}

// Outside is what lies beyond the border beside a place, in a direction outwards: of
// what is seen there that which is least like the lines, since caps, circles and what
// shines reach out there too.
func (s *Model) Outside(at, out image.Point) vision.RGB {
	if out.X != 0 && out.Y != 0 { // of a corner both its sides
		a, b := s.Outside(at, image.Pt(out.X, 0)), s.Outside(at, image.Pt(0, out.Y))
		if a.Dist(s.Board.Ink) > b.Dist(s.Board.Ink) {
			return a
		}
		return b
	}
	v := s.beyond(at, out)
	if len(v) == 0 {
		return s.Board.Paper
	}
	return vision.MedianRGB(v[:(len(v)+1)/2])
}

// beyond is what is seen beyond the border beside a place, that which is least like the lines
// first; aslant, nothing.
func (s *Model) beyond(at, out image.Point) (v []vision.RGB) {
	if out.X != 0 && out.Y != 0 {
		return nil
	}
	for _, aside := range []float64{-0.85, -0.7, -0.55, -0.4, 0.4, 0.55, 0.7, 0.85} {
		x, y := float64(at.X)+aside*float64(out.Y*out.Y), float64(at.Y)+aside*float64(out.X*out.X)
		if x < 0 || y < 0 || x > float64(2*s.Board.Cols) || y > float64(2*s.Board.Rows) {
			continue
		}
		for _, far := range []float64{0, 0.1, 0.2} {
			r := s.LineWidth + 2*s.Bleed + view.Tuned.Beside + far
			v = append(v, s.At(x+r*float64(out.X), y+r*float64(out.Y)))
		}
	}
	slices.SortFunc(v, func(a, b vision.RGB) int { return cmp.Compare(b.Dist(s.Board.Ink), a.Dist(s.Board.Ink)) })
	return v
}

// A Spoke is a direction from a place towards a cell or the outside beside it, with
// what the ground there shows.
type Spoke struct {
	dx, dy float64
	Ground vision.RGB
}

// Spokes are the directions from a node between its edges, and from an edge's middle
// across it, in which the ground is not like the lines.
func (s *Model) Spokes(at image.Point) []Spoke {
	var all []Spoke
	w, h := 2*s.Board.Cols, 2*s.Board.Rows
	dirs := []image.Point{{X: 1, Y: 1}, {X: -1, Y: 1}, {X: 1, Y: -1}, {X: -1, Y: -1}}
	if witness.IsEdge(at) {
		ux, _ := witness.EdgeDirection(at)
		dirs = []image.Point{{Y: 1}, {Y: -1}}
		if ux == 0 {
			dirs = []image.Point{{X: 1}, {X: -1}}
		}
	}
	for _, d := range dirs {
		to := at.Add(d)
		var ground vision.RGB
		if to.X > 0 && to.Y > 0 && to.X < w && to.Y < h {
			ground = s.Ground(to.X, to.Y)
		} else {
			out := d
			if to.X > 0 && to.X < w {
				out.X = 0
			} else if to.Y > 0 && to.Y < h {
				out.Y = 0
			}
			ground = s.Outside(at, out)
			if ground.Dist(s.Board.Ink) < s.leastGround()*s.Contrast() {
				continue // as dark as the lines out there
			}
		}
		n := math.Hypot(float64(d.X), float64(d.Y))
		x, y := float64(d.X)/n, float64(d.Y)/n
		all = append(all, Spoke{x, y, ground})
		if witness.IsEdge(at) { // aslant as well: a symbol may stand right beside the line
			sin, cos := math.Sincos(view.Tuned.Aslant)
			all = append(all, Spoke{x*cos - y*sin, x*sin + y*cos, ground}, Spoke{x*cos + y*sin, y*cos - x*sin, ground})
		}
	}
	return all
}

// median is the lower median of what is measured along each spoke; 0 without any.
func median(spokes []Spoke, measure func(Spoke) float64) float64 {
	var all []float64
	for _, p := range spokes {
		all = append(all, measure(p))
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[(len(all)-1)/2]
}

// StartReach is how far, in line widths, a circle about a place reaches towards the
// cells and the outside round it: the median over the directions.
func (s *Model) StartReach(at image.Point) float64 {
	learned := s.Known.any() && !s.Known.exact
	from := 0.8
	switch {
	case witness.IsEdge(at):
		from = 0.6
	case learned: // what the lines themselves reach, which cross there
		from = 1 / math.Sqrt2
	}
	return median(s.Spokes(at), func(p Spoke) float64 {
		x, y := float64(at.X), float64(at.Y)
		far := func(from float64) float64 { return s.reach(x, y, p.dx, p.dy, from, view.Tuned.MostStart, p.Ground) }
		if !learned {
			return far(from)
		}
		// A hollow one, whose middle may be as the ground is, begins further out.
		for hole := from; hole <= from+view.Tuned.MostHole; hole += ReachStep {
			if r := far(hole); r > hole {
				return s.settled(x, y, p, r)
			}
		}
		return from
	})
}

// settled is a reach along a spoke between two samples: where half of what the line is off
// the ground is passed.
func (s *Model) settled(x, y float64, p Spoke, r float64) float64 {
	off := func(r float64) float64 {
		return s.At(x+2*s.LineWidth*r*p.dx, y+2*s.LineWidth*r*p.dy).Dist(p.Ground)
	}
	half, before, after := 0.5*s.Board.Ink.Dist(p.Ground), off(r-ReachStep), off(r)
	if before <= half || after >= half {
		return r
	}
	return r - ReachStep*(half-after)/(before-after)
}

// Cover is how far, in line widths, a circle or a dot covers what is round it, hollow
// ones too: to the furthest that is not the ground, short of what stands in cells.
// Aslant from the middle of an edge nothing stands as near as that, and beyond a dot
// what comes after some ground is a symbol.
func (s *Model) Cover(at image.Point, circle bool) float64 {
	most, hole := 0.36, math.Inf(1)
	if !circle {
		hole = view.Tuned.MostHole
	} else if witness.IsEdge(at) {
		most = 0.5
	}
	return median(s.Spokes(at), func(p Spoke) float64 {
		return s.furthest(at, p.dx, p.dy, p.Ground, min(view.Tuned.MostCover, most/s.LineWidth), hole)
	})
}

// furthest is how far, in line widths, something that is not the ground is seen from a
// place in a direction: at least from half a width on, and not beyond most, nor beyond
// ground that is seen for longer than a hole.
func (s *Model) furthest(at image.Point, dx, dy float64, ground vision.RGB, most, hole float64) (last float64) {
	half := 0.5 * s.Board.Ink.Dist(ground)
	for r := 0.5; r <= min(most, max(last, 0.5)+hole); r += 0.05 {
		if s.At(float64(at.X)+2*s.LineWidth*r*dx, float64(at.Y)+2*s.LineWidth*r*dy).Dist(ground) > half {
			last = r
		}
	}
	return last
}

// DotReach is how far, in line widths, what is on a node or an edge that is not of the
// lines' colour reaches along the line, were it a ring about that; clearly where there is
// nothing such, and 0 where no line leads to it.
func (s *Model) DotReach(at image.Point) float64 {
	odd := view.Clearly * s.Contrast()
	least := view.Tuned.MostCover
	for _, d := range view.Ways {
		if e := at.Add(d); e.X < 0 || e.Y < 0 || e.X > 2*s.Board.Cols || e.Y > 2*s.Board.Rows {
			continue
		}
		plain := func(r float64) bool {
			far := 2 * s.LineWidth * r
			return s.At(float64(at.X)+far*float64(d.X), float64(at.Y)+far*float64(d.Y)).Dist(s.Board.Ink) < odd
		}
		for r := view.Clearly; r < least; r += ReachStep {
			// Where a dot goes over into its rim it may pass the line's colour.
			if plain(r) && plain(r+ReachStep) && plain(r+2*ReachStep) {
				least = r
			}
		}
	}
	if least == view.Tuned.MostCover {
		return 0
	}
	return least
}

// BehindDot is how far, in line widths, something that is not the ground goes on in a
// direction from where the line is seen again that a dot lies on, or from where it is mixed
// with the dot no longer; 0 where nothing does.
func (s *Model) BehindDot(at, d image.Point, dot float64, ground vision.RGB) float64 {
	for from := dot; from <= dot+2*s.Bleed/s.LineWidth; from += ReachStep {
		if r := s.reach(float64(at.X), float64(at.Y), float64(d.X), float64(d.Y), from, view.Tuned.MostCap, ground); r > from {
			return r
		}
	}
	return 0
}

// A capView is how far what may be a cap reaches from a place of the border.
type capView struct {
	Dir   image.Point
	Reach float64 // line widths from the node's middle
	slim  float64 // the same a line's width beside it, the greater of both sides: a circle reaches far there
}

// Own is how far a cap reaches: what a circle or the line itself reaches beside it, more
// than a line's border, is none of it.
func (v *capView) Own() float64 { return v.Reach - max(0, v.slim-view.Strongly) }

// CapViews looks outwards from a place in every direction in which no edge can lead.
func (s *Model) CapViews(at image.Point) []capView {
	var out []capView
	dot := s.DotReach(at)
	for _, d := range s.Outwards(at) {
		ground := s.Outside(at, d)
		if ground.Dist(s.Board.Ink) < s.leastGround()*s.Contrast() {
			continue
		}
		n := math.Hypot(float64(d.X), float64(d.Y))
		ux, uy := float64(d.X)/n, float64(d.Y)/n
		v := capView{Dir: d, Reach: s.reach(float64(at.X), float64(at.Y), ux, uy, 0.3, view.Tuned.MostCap, ground)}
		if dot > view.Clearly {
			v.Reach = max(v.Reach, s.BehindDot(at, d, dot, ground))
		}
		for _, side := range []float64{-1, 1} {
			x, y := float64(at.X)-side*uy*2*s.LineWidth*view.Tuned.CapBeside, float64(at.Y)+side*ux*2*s.LineWidth*view.Tuned.CapBeside
			v.slim = max(v.slim, s.reach(x, y, ux, uy, 0.3, view.Tuned.MostCap, ground))
		}
		out = append(out, v)
	}
	return out
}
