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
	"onlooker/vision/witness/shape"
	"onlooker/vision/witness/view"
)

// Colour is a symbol's colour: of what lies deepest within its outline, or within what is
// drawn of it, or of what its template covers most; or the one that its layers have.
func (v *Cell) Colour(c *Candidate) vision.RGB {
	if c.Ink == calibrations.InkFill && c.Layers.Any() {
		return c.Own
	}
	deep := shape.Depths(c.Mask, c.Ink == calibrations.InkSolid)
	least, most := float32(0), 0
	for _, v := range c.Mask.V {
		least = max(least, 0.7*v)
	}
	for k, d := range deep {
		if c.Ink == calibrations.InkDrawn {
			if d = 0; c.Mask.V[k] > least {
				d = 1
			}
			deep[k] = d
		}
		most = max(most, d)
	}
	var cols []vision.RGB
	for k, d := range deep {
		x, y := k%CellSide+c.Off.X, k/CellSide+c.Off.Y
		if 2*d > most && x >= 0 && y >= 0 && x < CellSide && y < CellSide {
			cols = append(cols, v.Pix[y*CellSide+x])
		}
	}
	if c.Ink == calibrations.InkDrawn {
		// What is drawn thinly is mixed with the ground at its borders.
		slices.SortFunc(cols, func(a, b vision.RGB) int { return cmp.Compare(b.Dist(v.Ground), a.Dist(v.Ground)) })
		cols = cols[:(len(cols)+2)/3]
	}
	return vision.MedianRGB(cols)
}

// CellSide is how many samples a pitch has in the view of a cell.
const CellSide = 48

// softness is how far, in pitches, the smoothing of a cell's view spreads a border.
const softness = 1.5 / CellSide

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
	Moved  image.Point  // by how many samples what it shows was off its middle, to which it was moved

	vividOnce sync.Once
	vividest  vision.RGB // see vivid
}

// Offset is the place of a sample of a cell's view, in pitches from its centre.
func Offset(i int) float64 { return (float64(i) + 0.5 - CellSide/2) / CellSide }

// Cells looks at the cells of a view.
type Cells struct {
	*view.View
	lines    *Lines
	Outlined bool                        // whether the lines are outlined in another colour
	Over     func(edge image.Point) bool // on which edges a symbol that reaches over them is seen; nil: on none
	torn     func(edge image.Point) bool // which edges are broken; nil: none
}

// On tells what panel's cells are looked at: on which of its edges symbols are seen, and beside
// which the ends of broken lines are.
func (s *Cells) On(p *witness.Panel) {
	s.Over = s.PlainLines(p)
	s.torn = func(edge image.Point) bool { q := p.At(edge); return q != nil && q.Gap == witness.Broken }
}

// CellAt looks at a cell. The ground is what lies along the cell's border and in its
// corners, within the lines, where few symbols reach.
func (s *Cells) CellAt(cell image.Point) *Cell { return s.CellOn(cell, vision.MedianRGB) }

// CellOn is view where the ground is told by what lies there.
func (s *Cells) CellOn(cell image.Point, ground func(rim []vision.RGB) vision.RGB) *Cell {
	v := &Cell{At: cell, Pix: make([]vision.RGB, CellSide*CellSide), Off: vision.NewMap(CellSide, CellSide)}
	v.Inner = min(0.5-s.LineWidth/2-s.lines.Bleed-softness, 0.48)
	rim := make([]vision.RGB, 0, CellSide*CellSide/2)
	covered, discs := make([]bool, CellSide*CellSide), s.discs(cell)
	for j := range CellSide {
		for i := range CellSide {
			x, y := Offset(i), Offset(j)
			k := j*CellSide + i
			v.Pix[k] = s.At(float64(cell.X)+2*x, float64(cell.Y)+2*y)
			covered[k] = slices.ContainsFunc(discs, func(d disc) bool { return d.has(x, y) })
			if !covered[k] && v.rim(i, j) {
				rim = append(rim, v.Pix[k])
			}
		}
	}
	v.Ground = ground(rim)
	under := s.lines.known.under(v, covered)
	soft := smoothed(v.Pix)
	if s.lines.known.layered() || s.lines.known.vivid() {
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
	all, middle, of := make([]float64, 0, CellSide*CellSide), view.Tuned.Middle*v.Inner, 100
	if s.lines.known.loose { // as many places are above it wherever they are looked for
		middle, of = v.Inner, int(100/view.Tuned.Middle/view.Tuned.Middle)
	}
	for j := range CellSide {
		for i := range CellSide {
			k := j*CellSide + i
			x, y := Offset(i), Offset(j)
			far := max(math.Abs(x), math.Abs(y))
			if far > v.Reach || s.lines.known.isDrawn(k) || slices.ContainsFunc(discs, func(d disc) bool { return d.has(x, y) && !s.over(&d, soft[k], v.Ground) }) {
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
			if far < middle {
				all = append(all, d)
			}
		}
	}
	s.trimTorn(v)
	if v.Hidden = len(all) == 0; !v.Hidden {
		v.Strong = vision.Ranked(all, len(all)*(of-2)/of)
	}
	if s.lines.known.loose {
		v.centre()
	}
	v.Shown, v.Most = v.Off, v.Strong
	if s.lines.known.vivid() {
		v.Along()
	}
	return v
}

// trimTorn takes away the ends of broken lines beside a cell.
func (s *Cells) trimTorn(v *Cell) {
	for _, d := range view.Ways {
		if s.torn != nil && s.torn(v.At.Add(d)) {
			v.trim(d, view.Clearly*s.Contrast(), func(c vision.RGB) bool {
				return s.Outlined || c.OffMix(s.lines.LineInk(v.At.Add(d)), v.Ground) < view.Clearly*s.Contrast()
			})
		}
	}
}

// box is from where to where, in pitches from the cell's middle, what it shows reaches along axes
// that are turned by some radians.
func (v *Cell) box(tilt float64) (u, w [2]float64) {
	sin, cos := math.Sincos(tilt)
	u, w = [2]float64{1, -1}, [2]float64{1, -1}
	const half = 0.5 / CellSide
	for k, d := range v.Off.V {
		x, y := Offset(k%CellSide), Offset(k/CellSide)
		if float64(d) < v.Strong/2 || max(math.Abs(x), math.Abs(y)) > v.Inner {
			continue
		}
		a, b := x*cos+y*sin, y*cos-x*sin
		u = [2]float64{min(u[0], a-half), max(u[1], a+half)}
		w = [2]float64{min(w[0], b-half), max(w[1], b+half)}
	}
	return u, w
}

// centre moves what a cell shows to its middle.
func (v *Cell) centre() {
	u, w := v.box(0)
	v.Moved = image.Pt(int(math.Round((u[0]+u[1])/2*CellSide)), int(math.Round((w[0]+w[1])/2*CellSide)))
	if v.Moved == (image.Point{}) {
		return
	}
	off := vision.NewMap(CellSide, CellSide)
	all := [][]vision.RGB{v.Pix, v.Soft, v.Base}
	for i, from := range all {
		all[i] = slices.Clone(from)
		for k := range from {
			all[i][k] = v.Ground
		}
	}
	for k := range off.V {
		at := image.Pt(k%CellSide, k/CellSide).Add(v.Moved)
		if !at.In(image.Rect(0, 0, CellSide, CellSide)) {
			continue
		}
		o := at.Y*CellSide + at.X
		off.V[k] = v.Off.V[o]
		for i, from := range [][]vision.RGB{v.Pix, v.Soft, v.Base} {
			if from != nil {
				all[i][k] = from[o]
			}
		}
	}
	v.Off, v.Pix, v.Soft, v.Base = off, all[0], all[1], all[2]
}

// trim takes away what reaches in from one side of a cell and is off the ground by so much: of
// lines that are broken the ends may be wider than these. It is of their colours and does not
// reach far.
func (v *Cell) trim(side image.Point, least float64, inky func(c vision.RGB) bool) {
	out := func(k int) float64 {
		return Offset(k%CellSide)*float64(side.X) + Offset(k/CellSide)*float64(side.Y)
	}
	seen := make([]bool, len(v.Off.V))
	shows := func(k int) bool { return float64(v.Off.V[k]) > least }
	for k := range v.Off.V {
		if out(k) <= v.Inner-2*softness || seen[k] || !shows(k) {
			continue
		}
		reached, deep := shape.Connected(k, CellSide, seen, shows), math.Inf(1)
		var cols []vision.RGB
		for _, o := range reached {
			deep, cols = min(deep, out(o)), append(cols, v.Pix[o])
		}
		if deep < view.Mostly*v.Inner || !inky(vision.MedianRGB(cols)) {
			continue
		}
		for _, o := range reached {
			x, y := o%CellSide, o/CellSide
			for j := max(y-2, 0); j <= min(y+2, CellSide-1); j++ { // as far as it is blurred
				for i := max(x-2, 0); i <= min(x+2, CellSide-1); i++ {
					v.Off.V[j*CellSide+i] = 0
				}
			}
		}
	}
}

// Along takes what a cell shows along its symbol's colour: the ground's pattern and noise
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

// WithoutLight is a cell in which nothing shows that shows clearly less than the most of it: as
// what lies behind a part of it, or falls on that.
func (v *Cell) WithoutLight() *Cell {
	u := &Cell{At: v.At, Inner: v.Inner, Reach: v.Reach, Ground: v.Ground, Pix: v.Pix, Soft: v.Soft, Base: v.Base, Strong: v.Strong, Most: v.Most, Grain: v.Grain, Hidden: v.Hidden}
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
func (s *Cells) lineUnder(cell image.Point, x, y float64, lines [4]bool) (ink vision.RGB, mixed, ok bool) {
	off := [4]float64{x, -x, y, -y}
	border := 0.5 - s.LineWidth/2
	for i, d := range view.Ways {
		if off[i] <= border-s.lines.Bleed-softness {
			continue
		}
		if !lines[i] {
			return ink, false, false
		}
		// Of two lines at a corner the one that is deeper under the place.
		if deep := off[i] > border+s.lines.Bleed+softness; !ok || mixed && deep {
			ink, mixed, ok = s.lines.LineInk(cell.Add(d)), !deep, true
		}
	}
	return ink, mixed, ok
}

// PlainLines tells on which edges a symbol that reaches over them would be seen: on
// those that are whole and without a dot or a circle, where lines are of one colour up to
// their borders.
func (s *Cells) PlainLines(p *witness.Panel) func(edge image.Point) bool {
	var stray []float64
	plain := func(at image.Point) bool {
		q := p.At(at)
		// Beside a circle in another colour an edge is measured to have more of that.
		return q != nil && q.Gap == witness.Whole && !q.Start && !q.Dot.On && s.lines.LineInk(at).Dist(s.Board.Ink) <= view.Clearly*s.Contrast()
	}
	for at := range p.Points() {
		if !witness.IsEdge(at) || !plain(at) {
			continue
		}
		ux, uy := witness.EdgeDirection(at)
		ink := s.lines.LineInk(at)
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

// A disc is a start circle, a dot or a part of an end beside a cell, as far as it spreads: in
// pitches from the cell's centre.
type disc struct {
	x, y, reach float64
	dot         bool
	ink         vision.RGB
}

// has tells whether a place lies under a disc.
func (d *disc) has(x, y float64) bool { return math.Hypot(x-d.x, y-d.y) < d.reach }

// discs are those beside a cell.
func (s *Cells) discs(cell image.Point) (near []disc) {
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			at := cell.Add(image.Pt(dx, dy))
			if d := s.lines.Capped[at]; d != (image.Point{}) && at.Add(d) == cell {
				// A cap, as circles of a line's width one after the other.
				for out := 0.5; out <= s.Profile.Board.Cap[1]-0.5; out += 0.25 {
					near = append(near, disc{float64(dx)/2 + out*s.LineWidth*float64(d.X), float64(dy)/2 + out*s.LineWidth*float64(d.Y), 0.5*s.LineWidth + s.lines.Bleed + softness, false, s.Board.Ink})
				}
			}
			if r := max(s.lines.Radius[at], s.lines.Dotted[at]); r > 0 {
				o := disc{float64(dx) / 2, float64(dy) / 2, r*s.LineWidth + s.lines.Bleed + softness, s.lines.Dotted[at] > 0, s.Board.Ink}
				if o.dot {
					o.ink = s.lines.DotCore(at)
				}
				near = append(near, o)
			}
		}
	}
	return near
}

// over tells whether a colour that is seen where a disc lies is something over it: where circles
// have a colour that is known, and where symbols stand anywhere.
func (s *Cells) over(d *disc, c, ground vision.RGB) bool {
	known := s.lines.known
	if !known.loose && (d.dot || !known.Exact) {
		return false
	}
	return min(c.OffMix(s.Board.Ink, ground), c.OffMix(d.ink, ground), c.OffMix(d.ink, s.Board.Ink)) > s.Profile.Board.LinesWithin
}

// Mask is how strongly a cell's symbol shows at each place, 0 to 1.
func (v *Cell) Mask() vision.Map {
	m := vision.NewMap(CellSide, CellSide)
	for i, d := range v.Shown.V {
		m.V[i] = min(1, d/float32(max(v.Most, 1e-9)))
	}
	return m
}
