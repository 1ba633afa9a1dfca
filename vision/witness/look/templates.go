package look

import (
	"cmp"
	"image"
	"image/color"
	"math"
	"slices"
	"sync"

	"onlooker/calibrations"
	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/picture"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/colour"
	"onlooker/vision/witness/shape"
	"onlooker/vision/witness/view"
)

// A template is one appearance of a symbol of it: how strongly it shows at each
// of CellSide×CellSide places of a cell, 0 to 1.
type template struct {
	symbol witness.Symbol // of pieces the kind and whether it is turned, without a shape
	mask   vision.Map
	layers Layers  // in place of the mask
	floor  float64 // the least correlation with which it was seen, and some less
	least  float64 // that least; 0 where none was seen
	ink    calibrations.Ink
}

// BlockSide is how many places the square of a piece's grid has each way.
const BlockSide = 12

// A PieceTemplate is how the pieces of one kind are drawn: squares on a grid.
type PieceTemplate struct {
	Symbol  witness.Symbol // kind and whether it is turnable
	Spacing float64        // pitches from square to square
	Room    float64        // the longest that a piece is drawn, in pitches, upright and level; 0: as long as it comes
	Tilt    float64        // radians, clockwise as seen
	Turned  float64        // while a grid is learned: how large turned pieces are, in shares of upright ones
	Loose   bool           // see calibrations.Learned
	Block   vision.Map     // one square of the grid, BlockSide×BlockSide, and what is seen of it round that
	Layers  Layers         // the same of a look that outlines its symbols, in the colour that follows
	Outline *vision.RGB
	colours []vision.RGB // of those that were seen
	floor   float64
	least   float64
	follows float64 // the least of those from which it follows that were seen; 0 where it was seen itself
	ink     calibrations.Ink
}

// Library are all templates of a look.
type Library struct {
	Outline   *vision.RGB                   // of symbols with layers; nil in looks without them
	Exact     bool                          // see calibrations.Learned
	Learning  bool                          // what is to be known is being learned
	learned   bool                          // from pictures
	Lacks     bool                          // some sort of symbols was not seen in these: any that is unlike the others may be it
	loose     bool                          // see calibrations.Learned
	blur      float64                       // sigma, in places of a cell's view, by which drawn pieces are blurred
	colours   map[witness.Kind][]vision.RGB // of kinds that were seen in shades of one colour only
	all       map[witness.Kind][]vision.RGB // of all kinds that were seen
	large     []vision.RGB                  // of squares and stars
	seen      map[witness.Kind]int          // how many symbols of each
	ground    vision.Map                    // see calibrations.Learned.Ground; of no size where there is none
	overdrawn vision.Map                    // see calibrations.Learned.Drawn; of no size where nothing is
	single    []template
	pieces    []PieceTemplate
}

// layered tells whether symbols have layers, or may be learned to have them.
func (f *Library) layered() bool { return f.Learning || f.Outline != nil }

// vivid tells whether symbols are compared along their colours: those of looks that were
// learned, and without an outline, which has a colour of its own.
func (f *Library) vivid() bool {
	return !f.Learning && f.Outline == nil && !f.Exact && f.learned
}

// any tells whether anything is known of the look, or being learned.
func (f *Library) any() bool { return f.Learning || len(f.single)+len(f.pieces) > 0 }

// Render draws a piece: CellSide×CellSide places.
func (f *PieceTemplate) Render(shape []image.Point) vision.Map {
	m := vision.NewMap(CellSide, CellSide)
	f.drawn(shape, func(k int, u, v float64) { m.V[k] = max(m.V[k], f.shown(f.Block, u, v)) })
	return m
}

// Layered draws a piece's layers.
func (f *PieceTemplate) Layered(shape []image.Point) Layers {
	l := Layers{vision.NewMap(CellSide, CellSide), vision.NewMap(CellSide, CellSide)}
	f.drawn(shape, func(k int, u, v float64) {
		// Of two squares the one of which more is seen.
		if a, b := f.shown(f.Layers.Edge, u, v), f.shown(f.Layers.Fill, u, v); a+b > l.Edge.V[k]+l.Fill.V[k] {
			l.Edge.V[k], l.Fill.V[k] = a, b
		}
	})
	return l
}

// drawn tells of each place of a cell in which a piece stands, and of each square that may
// show there, where the place lies in squares from that one's upper left corner.
func (f *PieceTemplate) drawn(shape []image.Point, place func(k int, u, v float64)) {
	n := witness.Extent(shape)
	squares := image.Rect(0, 0, n.X, n.Y)
	has := make([]bool, squares.Dx()*squares.Dy())
	for _, q := range shape {
		has[q.Y*squares.Dx()+q.X] = true
	}
	spacing := f.SpacingOf(squares.Dx(), squares.Dy())
	reach := min(1, f.rim()) // squares that a place may show something of
	mid := f.Middle(shape)
	sin, cos := math.Sincos(f.Tilt)
	for j := range CellSide {
		for i := range CellSide {
			x, y := Offset(i)+mid[0], Offset(j)+mid[1]
			u, v := x*cos+y*sin, y*cos-x*sin
			// In squares of the grid, from the grid's upper left corner.
			u, v = u/spacing+float64(n.X)/2, v/spacing+float64(n.Y)/2
			at := image.Pt(int(math.Floor(u)), int(math.Floor(v)))
			for dy := -reach; dy <= reach; dy++ {
				for dx := -reach; dx <= reach; dx++ {
					if q := at.Add(image.Pt(dx, dy)); q.In(squares) && has[q.Y*squares.Dx()+q.X] {
						place(j*CellSide+i, u-float64(q.X), v-float64(q.Y))
					}
				}
			}
		}
	}
}

// Middle is where the middle of the box round a piece lies, in pitches from that of its grid. In
// a look of which symbols stand anywhere it is what lies in the cell's middle.
func (f *PieceTemplate) Middle(shape []image.Point) (mid [2]float64) {
	if !f.Loose || f.Tilt == 0 {
		return mid
	}
	n := witness.Extent(shape)
	sin, cos := math.Sincos(f.Tilt)
	lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for _, q := range shape {
		u, w := float64(q.X)-float64(n.X-1)/2, float64(q.Y)-float64(n.Y-1)/2
		for i, x := range [2]float64{u*cos - w*sin, w*cos + u*sin} {
			lo[i], hi[i] = min(lo[i], x), max(hi[i], x)
		}
	}
	for i := range mid {
		mid[i] = (lo[i] + hi[i]) / 2 * f.SpacingOf(n.X, n.Y)
	}
	return mid
}

// middle is where the middle of a piece's grid lies in a cell's view, in pitches from the cell's.
func (f *PieceTemplate) middle(v *Cell) (x, y float64) {
	if !f.Loose || f.Tilt == 0 {
		return 0, 0
	}
	sin, cos := math.Sincos(f.Tilt)
	u, w := v.box(f.Tilt)
	mid := [2]float64{(u[0] + u[1]) / 2, (w[0] + w[1]) / 2}
	return mid[0]*cos - mid[1]*sin, mid[1]*cos + mid[0]*sin
}

// SpacingOf is the spacing of a piece of so many squares each way: that of the look, or as
// much less as it takes to have room.
func (f *PieceTemplate) SpacingOf(w, h int) float64 {
	if f.Room == 0 {
		return f.Spacing
	}
	sin, cos := math.Sincos(math.Abs(f.Tilt))
	long := max(float64(w)*cos+float64(h)*sin, float64(w)*sin+float64(h)*cos)
	return min(f.Spacing, f.Room/long)
}

// rim is how many places a block goes on beyond its square, each way.
func (f *PieceTemplate) rim() int { return (f.Block.W - BlockSide) / 2 }

// shown is how strongly a square shows by a block at a place, in squares from its upper
// left corner; 0 beyond the block.
func (f *PieceTemplate) shown(block vision.Map, u, v float64) float32 {
	rim := float64(f.rim())
	if reach := rim / BlockSide; min(u, v) < -reach || max(u, v) >= 1+reach {
		return 0
	}
	return Sampled(block, u*BlockSide+rim-0.5, v*BlockSide+rim-0.5)
}

// hollow tells whether the middle of a square shows less than half of what its
// border does.
func (f *PieceTemplate) hollow() bool {
	most := float32(0)
	for _, v := range f.Block.V {
		most = max(most, v)
	}
	return f.shown(f.Block, 0.5, 0.5) < most/2
}

// Sampled is a map's value between its places; beyond them the nearest.
func Sampled(m vision.Map, x, y float64) float32 {
	x, y = max(0, min(x, float64(m.W-1))), max(0, min(y, float64(m.H-1)))
	i, j := min(int(x), m.W-2), min(int(y), m.H-2)
	fx, fy := float32(x-float64(i)), float32(y-float64(j))
	k := j*m.W + i
	return (m.V[k]*(1-fx)+m.V[k+1]*fx)*(1-fy) + (m.V[k+m.W]*(1-fx)+m.V[k+m.W+1]*fx)*fy
}

// shapes are the shapes that a cell's view may show as pieces of one form: for each
// size of the box the squares that are covered by half and more.
func (f *PieceTemplate) shapes(v *Cell) (out [][]image.Point) {
	var known []float64
	for h := 1; h <= mostBlocks; h++ {
		for w := 1; w <= mostBlocks; w++ {
			s := f.SpacingOf(w, h)
			if slices.Contains(known, s) {
				continue
			}
			known = append(known, s)
			g := *f
			g.Spacing = s
			out = append(out, g.shapesOf(v, func(w, h int) bool { return f.SpacingOf(w, h) == s })...)
		}
	}
	return out
}

// shapesOf are the shapes of some sizes that a cell's view may show.
func (f *PieceTemplate) shapesOf(v *Cell, of func(w, h int) bool) (out [][]image.Point) {
	if !f.Layers.Any() {
		return f.shapesBy(of, f.covers(v))
	}
	covers := map[[2]float64][2]float64{}
	for n := range 2 {
		out = append(out, f.shapesBy(of, func(cx, cy float64) float64 {
			at := [2]float64{cx, cy}
			if _, ok := covers[at]; !ok {
				covers[at] = f.layerCovers(v, cx, cy)
			}
			return covers[at][n]
		})...)
	}
	return out
}

// shapesBy are the shapes of some sizes of which all squares are covered by half and more,
// the places of which are given in squares from the cell's middle; and each once more with
// the square that is nearest to half the other way, where that is not clear.
func (f *PieceTemplate) shapesBy(of func(w, h int) bool, cover func(cx, cy float64) float64) [][]image.Point {
	var out [][]image.Point
	add := func(w, h int, has func(square image.Point) bool) {
		var shape []image.Point
		cols, rows := map[int]bool{}, map[int]bool{}
		for y := range h {
			for x := range w {
				if has(image.Pt(x, y)) {
					shape = append(shape, image.Pt(x, y))
					cols[x], rows[y] = true, true
				}
			}
		}
		if cols[0] && cols[w-1] && rows[0] && rows[h-1] {
			out = append(out, shape)
		}
	}
	for h := 1; h <= mostBlocks; h++ {
		for w := 1; w <= mostBlocks; w++ {
			reach := f.Spacing * math.Hypot(float64(w), float64(h)) / 2
			if f.Tilt == 0 {
				reach = f.Spacing * float64(max(w, h)) / 2
			}
			if reach > view.Strongly || !of(w, h) {
				continue
			}
			covered := func(at image.Point) float64 {
				return cover(float64(at.X)-float64(w-1)/2, float64(at.Y)-float64(h-1)/2)
			}
			var least image.Point // the square of which it is least clear
			for y := range h {
				for x := range w {
					if at := image.Pt(x, y); math.Abs(covered(at)-0.5) < math.Abs(covered(least)-0.5) {
						least = at
					}
				}
			}
			add(w, h, func(at image.Point) bool { return covered(at) > 0.5 })
			if math.Abs(covered(least)-0.5) < 0.25 {
				add(w, h, func(at image.Point) bool { return (covered(at) > 0.5) != (at == least) })
			}
		}
	}
	return out
}

// mostBlocks is how many squares pieces have each way, at most.
const mostBlocks = 5

// Covers tells how much of what the block shows is seen at a place of a piece's grid, 0 to
// 1, by regression: places are in squares from the cell's middle, in halves. What is seen
// is sampled once, at all places of the block at all of these.
func (f *PieceTemplate) covers(v *Cell) func(cx, cy float64) float64 {
	const half = BlockSide / 2
	const side = mostBlocks * BlockSide // samples each way: from the first square's border to the last one's
	sin, cos := math.Sincos(f.Tilt)
	midX, midY := f.middle(v)
	var seen [side * side]float32
	for j := range side {
		for i := range side {
			u, w := (float64(i)+0.5-side/2)/BlockSide*f.Spacing, (float64(j)+0.5-side/2)/BlockSide*f.Spacing
			x, y := u*cos-w*sin+midX, w*cos+u*sin+midY
			seen[j*side+i] = Sampled(v.Shown, (x+0.5)*CellSide-0.5, (y+0.5)*CellSide-0.5)
		}
	}
	var all float64
	block := f.Block.Crop(f.rim())
	for _, t := range block.V {
		all += float64(t) * float64(t)
	}
	var known [2*mostBlocks - 1][2*mostBlocks - 1]struct {
		is    bool
		cover float64
	}
	return func(cx, cy float64) float64 {
		i, j := int(2*cx)+mostBlocks-1, int(2*cy)+mostBlocks-1
		k := &known[j][i]
		if k.is {
			return k.cover
		}
		sum := 0.0
		for b := range BlockSide {
			for a, t := range block.V[b*BlockSide : (b+1)*BlockSide] {
				sum += float64(t) * float64(seen[(j*half+b)*side+i*half+a])
			}
		}
		k.is, k.cover = true, sum/max(all, 1e-9)/max(v.Most, 1e-9)
		return k.cover
	}
}

// A Candidate is a symbol that a cell may hold, with how well its best template
// correlates with what is seen.
type Candidate struct {
	Symbol    witness.Symbol
	Score     float64
	Floor     float64
	LeastSeen float64
	follows   float64 // see PieceTemplate
	Off       image.Point
	Mask      vision.Map
	Layers    Layers     // what the mask is drawn of in this cell's colours
	Own       vision.RGB // by its layers
	Ink       calibrations.Ink
	Misfit    float64 // see weigh
}

// Times tells by how many times what the template does not explain is more than of the
// worst of its own sightings; 0 where it has none.
func (c *Candidate) Times() float64 {
	if c.LeastSeen == 0 {
		return 0
	}
	return c.times(c.LeastSeen)
}

func (c *Candidate) times(least float64) float64 {
	return (1 - c.Score*c.Score + view.Tuned.LearnedNoise()) / (1 - least*least + view.Tuned.LearnedNoise())
}

// Known tells whether a symbol was seen, and as it shows here where the look lacks some sort; or follows
// from one that was.
func (c *Candidate) Known(lacks bool) bool {
	least := max(c.LeastSeen, c.follows)
	return least > 0 && (c.LeastSeen > 0 && !lacks || c.times(least) <= view.Tuned.Unusual)
}

// MisfitOf is the logarithm of the share of what is seen that a shape of such a correlation
// does not explain; of noise see Tuning.
func MisfitOf(score, noise float64) float64 { return math.Log(1 - score*score + noise) }

// Unexplained is the misfit of a candidate's template.
func (c *Candidate) Unexplained() float64 {
	noise := view.Tuned.Noise
	if c.LeastSeen > 0 {
		noise = view.Tuned.LearnedNoise()
	}
	return MisfitOf(c.Score, noise)
}

// Weigh gives each candidate its misfit, the least first: the logarithm of the share
// of what is seen that its template does not explain, and something more where the
// kind was only seen in colours that are unlike this one's.
func (f *Library) Weigh(list []Candidate, v *Cell) {
	for i := range list {
		c := &list[i]
		c.Misfit = c.Unexplained()
		if own, ok := f.colours[c.Symbol.Kind]; ok {
			c.Misfit += view.Tuned.ColourWeight * min(1, f.off(own, v.Colour(c))/view.Tuned.OtherColour)
		}
	}
	slices.SortStableFunc(list, func(a, b Candidate) int { return cmp.Compare(a.Misfit, b.Misfit) })
}

// Candidates are what the forms propose for a cell, the best first, one of each
// symbol; also is a piece that is proposed in any case.
func (f *Library) Candidates(v *Cell, slack int, also ...witness.Symbol) []Candidate {
	var all []Candidate
	for _, o := range f.single {
		all = append(all, o.candidate())
	}
	for i := range f.pieces {
		p := &f.pieces[i]
		shapes := p.shapes(v)
		for _, o := range also {
			if o.Kind == p.Symbol.Kind && o.Turnable == p.Symbol.Turnable {
				shapes = append(shapes, o.Shape)
			}
		}
		for _, shape := range shapes {
			all = append(all, f.piece(p, shape))
		}
	}
	list := f.Matched(all, v, slack)
	// Squares that others outline may show by half and more where none are: while the best is a
	// piece, and less like what is seen than all that were learned, those are as likely that
	// have one square more or less.
	if len(list) == 0 || list[0].Times() <= 1 || !list[0].Symbol.Kind.IsPiece() {
		return list
	}
	for _, p := range f.pieces {
		list = f.improved(list, p.Symbol, v, slack)
	}
	return list
}

// improved are candidates, of which the best that is a piece of some kind is as like what a cell
// shows as squares more or less make it.
func (f *Library) improved(list []Candidate, kind witness.Symbol, v *Cell, slack int) []Candidate {
	best := func() int {
		return slices.IndexFunc(list, func(c Candidate) bool { return c.Symbol.Kind == kind.Kind && c.Symbol.Turnable == kind.Turnable })
	}
	for k := best(); k >= 0; {
		was := list[k].Symbol
		list = f.Matched(append(list, f.near(was)...), v, slack)
		if k = best(); witness.SameSymbol(list[k].Symbol, was) {
			break
		}
	}
	return list
}

// near are pieces that have a square more or less than one, in as large a box.
func (f *Library) near(s witness.Symbol) (all []Candidate) {
	n, own := witness.Extent(s.Shape), s.Shape
	for k := range n.X * n.Y {
		at := image.Pt(k%n.X, k/n.X)
		others := slices.DeleteFunc(slices.Clone(own), func(q image.Point) bool { return q == at })
		if len(others) == len(own) {
			others = append(others, at)
		}
		if len(others) > 0 {
			s.Shape = witness.NormalShape(others)
			all = append(all, f.Of(s)...)
		}
	}
	return all
}

// Smaller are long pieces drawn as much smaller as it takes for what a cell shows, of those that
// were seen in one size: where none as long was seen it is not known that they are.
func (f *Library) Smaller(v *Cell) (all []Candidate) {
	for _, p := range f.pieces {
		if p.Room > 0 {
			continue
		}
		u, w := v.box(p.Tilt)
		long := max(u[1]-u[0], w[1]-w[0])
		for n := 4; n <= mostBlocks; n++ {
			g := p
			if g.Spacing = long / float64(n); g.Spacing > view.Nearly*p.Spacing || g.Spacing < view.Strongly*p.Spacing {
				continue
			}
			for _, shape := range g.shapesOf(v, func(w, h int) bool { return max(w, h) == n }) {
				all = append(all, f.piece(&g, shape))
			}
		}
	}
	return all
}

// Of are the templates of one symbol.
func (f *Library) Of(s witness.Symbol) (all []Candidate) {
	for _, o := range f.single {
		if witness.SameSymbol(o.symbol, s) {
			all = append(all, o.candidate())
		}
	}
	for i := range f.pieces {
		if p := &f.pieces[i]; s.Kind == p.Symbol.Kind && s.Turnable == p.Symbol.Turnable {
			all = append(all, f.piece(p, s.Shape))
		}
	}
	return all
}

func (t *template) candidate() Candidate {
	return Candidate{Symbol: t.symbol, Floor: t.floor, LeastSeen: t.least, Mask: t.mask, Layers: t.layers, Ink: t.ink}
}

// piece is a piece of some form and shape.
func (f *Library) piece(p *PieceTemplate, area []image.Point) Candidate {
	s := p.Symbol
	s.Shape = area
	c := Candidate{Symbol: s, Floor: p.floor, LeastSeen: p.least, follows: p.follows, Ink: p.ink}
	if p.Layers.Any() {
		c.Layers = p.Layered(area)
		return c
	}
	c.Mask = shape.BlurMap(p.Render(area), f.blur)
	if c.Ink == calibrations.InkDeep && p.hollow() {
		c.Ink = calibrations.InkDrawn
	}
	return c
}

// Matched lays templates over what a cell shows: the best first, one of each symbol.
func (f *Library) Matched(all []Candidate, v *Cell, slack int) []Candidate {
	v.Laid(all, f.Outline, slack)
	slices.SortStableFunc(all, func(a, b Candidate) int { return cmp.Compare(b.Score, a.Score) })
	return witness.FirstOfEach(all, func(c *Candidate) witness.Symbol { return c.Symbol })
}

// Only are the templates of some kinds.
func (f *Library) Only(kinds func(witness.Kind) bool) *Library {
	out := *f
	out.single = slices.DeleteFunc(slices.Clone(f.single), func(t template) bool { return !kinds(t.symbol.Kind) })
	out.pieces = slices.DeleteFunc(slices.Clone(f.pieces), func(t PieceTemplate) bool { return !kinds(t.Symbol.Kind) })
	return &out
}

// BlurredBy are the templates as a picture shows them that blurs by a Gaussian of some
// sigma, in places of a cell's view.
func (f *Library) BlurredBy(sigma float64) *Library {
	out := *f
	out.blur, out.single = sigma, slices.Clone(f.single)
	for i := range out.single {
		out.single[i].mask = shape.BlurMap(out.single[i].mask, sigma)
	}
	return &out
}

// Resized are the templates of symbols that are so many times as large, and but for
// pieces turned by some degrees.
func (f *Library) Resized(times, degrees float64) *Library {
	out := *f
	sin, cos := math.Sincos(-degrees * math.Pi / 180)
	out.single, out.pieces = slices.Clone(f.single), slices.Clone(f.pieces)
	for i := range out.single {
		from, to := f.single[i].mask, vision.NewMap(CellSide, CellSide)
		for j := range to.V {
			x, y := Offset(j%CellSide)/times, Offset(j/CellSide)/times
			x, y = (x*cos-y*sin+0.5)*CellSide-0.5, (x*sin+y*cos+0.5)*CellSide-0.5
			if min(x, y) >= 0 && max(x, y) <= CellSide-1 {
				to.V[j] = Sampled(from, x, y)
			}
		}
		out.single[i].mask = to
	}
	for i := range out.pieces {
		out.pieces[i].Spacing *= times
		out.pieces[i].Room *= times
	}
	return &out
}

// Window is the part of a map within the cell's lines and some places more, which
// are 0 where the map does not reach.
func (v *Cell) Window(m vision.Map, more int) vision.Map {
	half := int(v.Reach*CellSide) + more
	out := vision.NewMap(2*half, 2*half)
	for j := range out.H {
		for i := range out.W {
			x, y := i-half+CellSide/2, j-half+CellSide/2
			if x >= 0 && y >= 0 && x < CellSide && y < CellSide {
				out.V[j*out.W+i] = m.V[y*CellSide+x]
			}
		}
	}
	return out
}

// A Cache keeps the templates of looks, which are drawn once for all boards that
// its readers read; nil keeps none. Looks do not change while they are read by.
type Cache struct {
	mu sync.Mutex
	Of map[*calibrations.Profile]*Library
}

// LibraryOf are the templates of a look, sharp.
func (c *Cache) LibraryOf(look *calibrations.Profile, drawn drawing.Forms) *Library {
	if c == nil {
		return LibraryOf(look, drawn)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.Of[look] == nil {
		c.Of[look] = LibraryOf(look, drawn)
	}
	return c.Of[look]
}

// LibraryOf are the templates of a profile: those that it learned.
func LibraryOf(p *calibrations.Profile, drawn drawing.Forms) *Library {
	f := &Library{Exact: p.Learned.Exact, loose: p.Learned.Loose, learned: len(p.Learned.Forms)+len(p.Learned.Pieces) > 0}
	if c, ok := colour.ParseRGB(p.Learned.Outline); ok {
		f.Outline = &c
	}
	all := map[witness.Kind][]vision.RGB{}
	f.seen = map[witness.Kind]int{}
	named := func(kind string) witness.Kind {
		k, _ := drawn.Named(kind) // of no kind that has a form it is like nothing
		return k
	}
	colours := func(kind string, names []string, times int) (list []vision.RGB) {
		f.seen[named(kind)] += times
		for _, c := range names {
			if rgb, ok := colour.ParseRGB(c); ok {
				list = append(list, rgb)
			}
		}
		all[named(kind)] = append(all[named(kind)], list...)
		return list
	}
	for _, l := range p.Learned.Forms {
		colours(l.Kind, l.Colours, l.Seen)
		s := witness.Symbol{Kind: named(l.Kind), Count: l.Count}
		if len(l.Way) == 2 {
			s.Way = image.Pt(l.Way[0], l.Way[1])
		}
		f.single = append(f.single, template{symbol: s, mask: shape.MapOf(l.Mask), layers: layersIn(l.Mask, l.Edge), floor: l.Floor, least: l.Least, ink: l.Ink})
	}
	for _, l := range p.Learned.Pieces {
		f.pieces = append(f.pieces, PieceTemplate{
			colours: colours(l.Kind, l.Colours, l.Seen),
			Symbol:  witness.Symbol{Kind: named(l.Kind), Turnable: l.Turnable},
			Spacing: l.Spacing, Room: l.Room, Tilt: l.Tilt, Loose: p.Learned.Loose, Block: shape.MapOf(l.Mask), Layers: layersIn(l.Mask, l.Edge), Outline: f.Outline, floor: l.Floor, least: l.Least, ink: l.Ink,
		})
	}
	f.drawn(p, drawn)
	f.colours = map[witness.Kind][]vision.RGB{}
	for kind, list := range all {
		// Two sightings and more, all of one colour: it may be the kind's own.
		if len(list) > 0 && max(f.seen[kind], len(list)) > 1 && !slices.ContainsFunc(list, func(c vision.RGB) bool { return c.Dist(list[0]) > view.Tuned.OtherColour }) {
			f.colours[kind] = list
		}
	}
	f.all, f.large = all, slices.Concat(all[witness.Square], all[witness.Star])
	if p.Learned.Ground != nil {
		f.ground = shape.MapOf(p.Learned.Ground)
	}
	if p.Learned.Drawn != nil {
		f.overdrawn = shape.MapOf(p.Learned.Drawn)
	}
	f.pieces = append(f.pieces, f.siblings()...)
	f.Lacks = f.learned && (slices.ContainsFunc(f.single, func(t template) bool { return f.seen[t.symbol.Kind] == 0 }) || slices.ContainsFunc(f.pieces, f.alone))
	return f
}

// alone tells whether pieces of a kind were not seen, or one way alone, upright or turned, and nothing
// tells the other.
func (f *Library) alone(p PieceTemplate) bool {
	return f.seen[p.Symbol.Kind] == 0 || !slices.ContainsFunc(f.pieces, func(o PieceTemplate) bool {
		return o.Symbol.Kind == p.Symbol.Kind && o.Symbol.Turnable != p.Symbol.Turnable
	})
}

// drawn adds templates of the symbols that were not learned, drawn as in the profile's
// numbers: what looks otherwise there stays unknown.
func (f *Library) drawn(p *calibrations.Profile, forms drawing.Forms) {
	sizes := drawing.SizesOf(p.Symbols)
	style := drawing.Style{Symbols: sizes, Forms: forms}
	add := func(s witness.Symbol, ink calibrations.Ink) {
		if !slices.ContainsFunc(f.single, func(o template) bool { return witness.SameSymbol(o.symbol, s) }) {
			f.single = append(f.single, template{symbol: s, mask: rasterised(style.Symbol(s, picture.Point{}), CellSide, 2), floor: view.Tuned.Recognised, ink: ink})
		}
	}
	for _, form := range forms {
		ink := calibrations.InkDeep
		if form.Own() {
			ink = calibrations.InkSolid // it may be hollow
		}
		for _, s := range form.Symbols(&sizes) {
			add(s, ink)
		}
		kind := form.Kind
		if !kind.IsPiece() || slices.ContainsFunc(f.pieces, func(o PieceTemplate) bool { return o.Symbol.Kind == kind }) {
			continue
		}
		for _, turnable := range []bool{false, true} {
			q := PieceTemplate{Symbol: witness.Symbol{Kind: kind, Turnable: turnable}, Spacing: sizes.Spacing, floor: view.Tuned.Recognised}
			one := witness.Symbol{Kind: kind, Shape: []image.Point{{}}}
			q.Block = rasterised(style.Symbol(one, picture.Point{}), BlockSide, 2*sizes.Spacing)
			if turnable {
				q.Tilt = -drawing.Tilt(&sizes)
			}
			f.pieces = append(f.pieces, q)
		}
	}
}

// rasterised draws a symbol's shapes, centred on the origin, as a map of side×side
// places over a square of the given side in half-cells.
func rasterised(shapes []picture.Shape, side int, across float64) vision.Map {
	const fine = 4 // each way, averaged
	black := color.NRGBA{A: 255}
	ground := picture.Shape{Kind: picture.Polygon, Colour: color.NRGBA{255, 255, 255, 255}, Points: picture.Box(-across/2, -across/2, across/2, across/2)}
	all := []picture.Shape{ground}
	for _, s := range shapes {
		s.Colour = black
		all = append(all, s)
	}
	least, _ := picture.Extent(all)
	scale := float64(side*fine) / across
	m := picture.Image(all, scale)
	x0, y0 := int(math.Round((-across/2-least.X)*scale)), int(math.Round((-across/2-least.Y)*scale))
	out := vision.NewMap(side, side)
	for j := range side * fine {
		for i := range side * fine {
			out.V[j/fine*side+i/fine] += float32(255-m.RGBAAt(x0+i, y0+j).R) / 255 / fine / fine
		}
	}
	return out
}

// Unlike is how far a colour is from all in which pieces of a kind were seen, of 255;
// infinite where none was.
func (f *Library) Unlike(kind witness.Kind, c vision.RGB) float64 {
	return f.off(f.ofPieces(kind), c)
}

// off is how far a colour is from all of some, of 255; as far as can be where it is clearly nearer
// to one of squares and stars, which are large, that is none of these.
func (f *Library) off(own []vision.RGB, c vision.RGB) float64 {
	least := nearest(own, c.Dist)
	for _, o := range f.large {
		if len(own) > 0 && 2*c.Dist(o) < least && nearest(own, o.Dist) > view.Tuned.OtherColour/2 {
			return vision.RGB{}.Dist(vision.RGB{255, 255, 255})
		}
	}
	return least
}

// OffMix is how far a colour is off all mixtures of a ground and a colour in which pieces of a
// kind were seen, of 255; infinite where none was.
func (f *Library) OffMix(kind witness.Kind, c, ground vision.RGB) float64 {
	return nearest(f.ofPieces(kind), func(o vision.RGB) float64 { return c.OffMix(ground, o) })
}

// nearest is the least that is measured of some colours; infinite of none.
func nearest(of []vision.RGB, far func(vision.RGB) float64) float64 {
	least := math.Inf(1)
	for _, o := range of {
		least = min(least, far(o))
	}
	return least
}

// ofPieces are the colours in which pieces of a kind were seen.
func (f *Library) ofPieces(kind witness.Kind) (all []vision.RGB) {
	for _, p := range f.pieces {
		if p.Symbol.Kind == kind {
			all = append(all, p.colours...)
		}
	}
	return all
}

// Mixed tells whether pieces of a kind were seen in colours that differ by as much as what is
// drawn thinly, and mixed with its ground, does.
func (f *Library) Mixed(kind witness.Kind) bool {
	all := f.ofPieces(kind)
	return slices.ContainsFunc(all, func(a vision.RGB) bool {
		return slices.ContainsFunc(all, func(b vision.RGB) bool { return a.Dist(b) > view.Tuned.OtherColour/2 })
	})
}

// SeenIn tells whether a kind was seen in a colour.
func (f *Library) SeenIn(kind witness.Kind, c vision.RGB) bool {
	return f.Nearest(kind, c) <= view.Tuned.OtherColour
}

// Nearest is how far a colour is from those in which a kind was seen.
func (f *Library) Nearest(kind witness.Kind, c vision.RGB) float64 { return f.off(f.all[kind], c) }

// Owns tells whether a kind was seen in shades of one colour only, and in this one.
func (f *Library) Owns(kind witness.Kind, c vision.RGB) bool {
	return len(f.colours[kind]) > 0 && f.SeenIn(kind, c)
}

// Marked tells whether symbols of a kind have a colour of their own: some were seen, all in
// one.
func (f *Library) Marked(kind witness.Kind) bool {
	return len(f.colours[kind]) > 0 && f.seen[kind] >= 3
}

// under is what an empty cell would show at each sample: the rim's colour, or, where
// the look's cells have a pattern, as much of that as the rim shows, by regression.
func (f *Library) under(v *Cell, covered []bool) func(k int) vision.RGB {
	if f.ground.W == 0 {
		return func(int) vision.RGB { return v.Ground }
	}
	var n, sg, sgg float64
	var sc, sgc vision.RGB
	for j := range CellSide {
		for i := range CellSide {
			k := j*CellSide + i
			if covered[k] || !v.rim(i, j) || v.Pix[k].Dist(v.Ground) > 3*v.Grain+view.Tuned.Rimmed {
				continue
			}
			g := float64(f.ground.V[k])
			n, sg, sgg = n+1, sg+g, sgg+g*g
			for c := range sc {
				sc[c] += v.Pix[k][c]
				sgc[c] += g * v.Pix[k][c]
			}
		}
	}
	den := n*sgg - sg*sg
	if n < 8 || den < 1e-6*n*n {
		return func(int) vision.RGB { return v.Ground }
	}
	var a, b vision.RGB
	for c := range a {
		b[c] = (n*sgc[c] - sg*sc[c]) / den
		a[c] = (sc[c] - b[c]*sg) / n
	}
	return func(k int) vision.RGB {
		g := float64(f.ground.V[k])
		return vision.RGB{a[0] + g*b[0], a[1] + g*b[1], a[2] + g*b[2]}
	}
}

// isDrawn tells whether something is drawn at a place of every empty cell.
func (f *Library) isDrawn(k int) bool { return f.overdrawn.W > 0 && f.overdrawn.V[k] > 0 }

// siblings are the pieces that were not seen and follow from those that were: of a
// kind that was seen turned how it is upright, and the other way about where another
// kind tells by how much pieces are turned.
func (f *Library) siblings() (out []PieceTemplate) {
	for _, p := range f.pieces {
		if slices.ContainsFunc(f.pieces, func(o PieceTemplate) bool {
			return o.Symbol.Kind == p.Symbol.Kind && o.Symbol.Turnable != p.Symbol.Turnable
		}) {
			continue
		}
		q := p
		q.least, q.follows, q.Tilt, q.Symbol.Turnable = 0, p.least, 0, !p.Symbol.Turnable
		if q.Symbol.Turnable {
			k := slices.IndexFunc(f.pieces, func(o PieceTemplate) bool { return o.Symbol.Turnable })
			if k < 0 {
				continue
			}
			q.Tilt = f.pieces[k].Tilt
		}
		out = append(out, q)
	}
	return out
}
