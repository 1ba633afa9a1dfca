package witness

import (
	"cmp"
	"image"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"onlooker/calibrations"
	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/picture"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/shape"
	"onlooker/vision/witness/view"
)

// A template is one appearance of a symbol of it: how strongly it shows at each
// of cellSide×cellSide places of a cell, 0 to 1.
type template struct {
	symbol witness.Symbol // of pieces the kind and whether it is turned, without a shape
	mask   vision.Map
	layers layers  // in place of the mask
	floor  float64 // the least correlation with which it was seen, and some less
	least  float64 // that least; 0 where none was seen
	seen   int     // sightings that it is the mean of
	ink    calibrations.Ink
}

// blockSide is how many places the square of a piece's grid has each way.
const blockSide = 12

// A pieceTemplate is how the pieces of one kind are drawn: squares on a grid.
type pieceTemplate struct {
	symbol  witness.Symbol // kind and whether it is turnable
	spacing float64        // pitches from square to square
	room    float64        // the longest that a piece is drawn, in pitches, upright and level; 0: as long as it comes
	tilt    float64        // radians, clockwise as seen
	block   vision.Map     // one square of the grid, blockSide×blockSide, and what is seen of it round that
	layers  layers         // the same of a look that outlines its symbols, in the colour that follows
	outline *vision.RGB
	colours []vision.RGB // of those that were seen
	floor   float64
	least   float64
	seen    int
	ink     calibrations.Ink
}

// templates are all templates of a look.
type templates struct {
	outlined bool                          // see calibrations.Learned
	outline  *vision.RGB                   // of symbols with layers; nil in looks without them
	exact    bool                          // see calibrations.Learned
	learning bool                          // what is to be known is being learned
	learned  bool                          // from pictures
	blur     float64                       // sigma, in places of a cell's view, by which drawn pieces are blurred
	colours  map[witness.Kind][]vision.RGB // of kinds that were seen in shades of one colour only
	all      map[witness.Kind][]vision.RGB // of all kinds that were seen
	seen     map[witness.Kind]int          // how many symbols of each
	ground   vision.Map                    // see calibrations.Learned.Ground; of no size where there is none
	single   []template
	pieces   []pieceTemplate
}

// layered tells whether symbols have layers, or may be learned to have them.
func (f *templates) layered() bool { return f.learning || f.outline != nil }

// vivid tells whether symbols are compared along their colours: those of looks that were
// learned, and without an outline, which has a colour of its own.
func (f *templates) vivid() bool {
	return !f.learning && f.outline == nil && !f.exact && f.learned
}

// any tells whether anything is known of the look, or being learned.
func (f *templates) any() bool { return f.learning || len(f.single)+len(f.pieces) > 0 }

// render draws a piece: cellSide×cellSide places.
func (f *pieceTemplate) render(shape []image.Point) vision.Map {
	m := vision.NewMap(cellSide, cellSide)
	f.drawn(shape, func(k int, u, v float64) { m.V[k] = max(m.V[k], f.shown(f.block, u, v)) })
	return m
}

// layered draws a piece's layers.
func (f *pieceTemplate) layered(shape []image.Point) layers {
	l := layers{vision.NewMap(cellSide, cellSide), vision.NewMap(cellSide, cellSide)}
	f.drawn(shape, func(k int, u, v float64) {
		// Of two squares the one of which more is seen.
		if a, b := f.shown(f.layers.edge, u, v), f.shown(f.layers.fill, u, v); a+b > l.edge.V[k]+l.fill.V[k] {
			l.edge.V[k], l.fill.V[k] = a, b
		}
	})
	return l
}

// drawn tells of each place of a cell in which a piece stands, and of each square that may
// show there, where the place lies in squares from that one's upper left corner.
func (f *pieceTemplate) drawn(shape []image.Point, place func(k int, u, v float64)) {
	n := witness.Extent(shape)
	squares := image.Rect(0, 0, n.X, n.Y)
	has := make([]bool, squares.Dx()*squares.Dy())
	for _, q := range shape {
		has[q.Y*squares.Dx()+q.X] = true
	}
	spacing := f.spacingOf(squares.Dx(), squares.Dy())
	reach := min(1, f.rim()) // squares that a place may show something of
	sin, cos := math.Sincos(f.tilt)
	for j := range cellSide {
		for i := range cellSide {
			x, y := offset(i), offset(j)
			u, v := x*cos+y*sin, y*cos-x*sin
			// In squares of the grid, from the grid's upper left corner.
			u, v = u/spacing+float64(n.X)/2, v/spacing+float64(n.Y)/2
			at := image.Pt(int(math.Floor(u)), int(math.Floor(v)))
			for dy := -reach; dy <= reach; dy++ {
				for dx := -reach; dx <= reach; dx++ {
					if q := at.Add(image.Pt(dx, dy)); q.In(squares) && has[q.Y*squares.Dx()+q.X] {
						place(j*cellSide+i, u-float64(q.X), v-float64(q.Y))
					}
				}
			}
		}
	}
}

// spacingOf is the spacing of a piece of so many squares each way: that of the look, or as
// much less as it takes to have room.
func (f *pieceTemplate) spacingOf(w, h int) float64 {
	if f.room == 0 {
		return f.spacing
	}
	sin, cos := math.Sincos(math.Abs(f.tilt))
	long := max(float64(w)*cos+float64(h)*sin, float64(w)*sin+float64(h)*cos)
	return min(f.spacing, f.room/long)
}

// rim is how many places a block goes on beyond its square, each way.
func (f *pieceTemplate) rim() int { return (f.block.W - blockSide) / 2 }

// shown is how strongly a square shows by a block at a place, in squares from its upper
// left corner; 0 beyond the block.
func (f *pieceTemplate) shown(block vision.Map, u, v float64) float32 {
	rim := float64(f.rim())
	if reach := rim / blockSide; min(u, v) < -reach || max(u, v) >= 1+reach {
		return 0
	}
	return sampled(block, u*blockSide+rim-0.5, v*blockSide+rim-0.5)
}

// hollow tells whether the middle of a square shows less than half of what its
// border does.
func (f *pieceTemplate) hollow() bool {
	most := float32(0)
	for _, v := range f.block.V {
		most = max(most, v)
	}
	return f.shown(f.block, 0.5, 0.5) < most/2
}

// sampled is a map's value between its places; beyond them the nearest.
func sampled(m vision.Map, x, y float64) float32 {
	x, y = max(0, min(x, float64(m.W-1))), max(0, min(y, float64(m.H-1)))
	i, j := min(int(x), m.W-2), min(int(y), m.H-2)
	fx, fy := float32(x-float64(i)), float32(y-float64(j))
	k := j*m.W + i
	return (m.V[k]*(1-fx)+m.V[k+1]*fx)*(1-fy) + (m.V[k+m.W]*(1-fx)+m.V[k+m.W+1]*fx)*fy
}

// shapes are the shapes that a cell's view may show as pieces of one form: for each
// size of the box the squares that are covered by half and more.
func (f *pieceTemplate) shapes(v *cellView) (out [][]image.Point) {
	var known []float64
	for h := 1; h <= mostBlocks; h++ {
		for w := 1; w <= mostBlocks; w++ {
			s := f.spacingOf(w, h)
			if slices.Contains(known, s) {
				continue
			}
			known = append(known, s)
			g := *f
			g.spacing = s
			of := func(w, h int) bool { return f.spacingOf(w, h) == s }
			if !f.layers.any() {
				out = append(out, g.shapesBy(of, g.covers(v))...)
				continue
			}
			covers := map[[2]float64][2]float64{}
			for n := range 2 {
				out = append(out, g.shapesBy(of, func(cx, cy float64) float64 {
					at := [2]float64{cx, cy}
					if _, ok := covers[at]; !ok {
						covers[at] = g.layerCovers(v, cx, cy)
					}
					return covers[at][n]
				})...)
			}
		}
	}
	return out
}

// shapesBy are the shapes of some sizes of which all squares are covered by half and more,
// the places of which are given in squares from the cell's middle; and each once more with
// the square that is nearest to half the other way, where that is not clear.
func (f *pieceTemplate) shapesBy(of func(w, h int) bool, cover func(cx, cy float64) float64) [][]image.Point {
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
			reach := f.spacing * math.Hypot(float64(w), float64(h)) / 2
			if f.tilt == 0 {
				reach = f.spacing * float64(max(w, h)) / 2
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
func (f *pieceTemplate) covers(v *cellView) func(cx, cy float64) float64 {
	const half = blockSide / 2
	const side = mostBlocks * blockSide // samples each way: from the first square's border to the last one's
	sin, cos := math.Sincos(f.tilt)
	var seen [side * side]float32
	for j := range side {
		for i := range side {
			u, w := (float64(i)+0.5-side/2)/blockSide*f.spacing, (float64(j)+0.5-side/2)/blockSide*f.spacing
			x, y := u*cos-w*sin, w*cos+u*sin
			seen[j*side+i] = sampled(v.shown, (x+0.5)*cellSide-0.5, (y+0.5)*cellSide-0.5)
		}
	}
	var all float64
	block := f.block.Crop(f.rim())
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
		for b := range blockSide {
			for a, t := range block.V[b*blockSide : (b+1)*blockSide] {
				sum += float64(t) * float64(seen[(j*half+b)*side+i*half+a])
			}
		}
		k.is, k.cover = true, sum/max(all, 1e-9)/max(v.most, 1e-9)
		return k.cover
	}
}

// A candidate is a symbol that a cell may hold, with how well its best template
// correlates with what is seen.
type candidate struct {
	symbol witness.Symbol
	score  float64
	floor  float64
	least  float64
	off    image.Point
	mask   vision.Map
	layers layers     // what the mask is drawn of in this cell's colours
	own    vision.RGB // by its layers
	ink    calibrations.Ink
	misfit float64 // see weigh
}

// times tells by how many times what the template does not explain is more than of the
// worst of its own sightings; 0 where it has none.
func (c *candidate) times(t view.Tuning) float64 {
	if c.least == 0 {
		return 0
	}
	return (1 - c.score*c.score + t.LearnedNoise()) / (1 - c.least*c.least + t.LearnedNoise())
}

// misfitOf is the logarithm of the share of what is seen that a shape of such a correlation
// does not explain; of noise see Tuning.
func misfitOf(score, noise float64) float64 { return math.Log(1 - score*score + noise) }

// unexplained is the misfit of a candidate's template.
func (c *candidate) unexplained(t view.Tuning) float64 {
	noise := t.Noise
	if c.least > 0 {
		noise = t.LearnedNoise()
	}
	return misfitOf(c.score, noise)
}

// weigh gives each candidate its misfit, the least first: the logarithm of the share
// of what is seen that its template does not explain, and something more where the
// kind was only seen in colours that are unlike this one's.
func (f *templates) weigh(list []candidate, v *cellView, t view.Tuning) {
	for i := range list {
		c := &list[i]
		c.misfit = c.unexplained(t)
		if own, ok := f.colours[c.symbol.Kind]; ok {
			off := math.Inf(1)
			col := v.colour(c)
			for _, o := range own {
				off = min(off, col.Dist(o))
			}
			c.misfit += t.ColourWeight * min(1, off/t.OtherColour)
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(a.misfit, b.misfit) })
}

// candidates are what the forms propose for a cell, the best first, one of each
// symbol; also is a piece that is proposed in any case.
func (f *templates) candidates(v *cellView, slack int, also ...witness.Symbol) ([]candidate, error) {
	var all []candidate
	for _, o := range f.single {
		all = append(all, o.candidate())
	}
	for i := range f.pieces {
		p := &f.pieces[i]
		shapes := p.shapes(v)
		for _, o := range also {
			if o.Kind == p.symbol.Kind && o.Turnable == p.symbol.Turnable {
				shapes = append(shapes, o.Shape)
			}
		}
		for _, shape := range shapes {
			all = append(all, f.piece(p, shape))
		}
	}
	return f.matched(all, v, slack)
}

// of are the templates of one symbol.
func (f *templates) of(s witness.Symbol) (all []candidate) {
	for _, o := range f.single {
		if witness.SameSymbol(o.symbol, s) {
			all = append(all, o.candidate())
		}
	}
	for i := range f.pieces {
		if p := &f.pieces[i]; s.Kind == p.symbol.Kind && s.Turnable == p.symbol.Turnable {
			all = append(all, f.piece(p, s.Shape))
		}
	}
	return all
}

func (t *template) candidate() candidate {
	return candidate{symbol: t.symbol, floor: t.floor, least: t.least, mask: t.mask, layers: t.layers, ink: t.ink}
}

// piece is a piece of some form and shape.
func (f *templates) piece(p *pieceTemplate, area []image.Point) candidate {
	s := p.symbol
	s.Shape = area
	c := candidate{symbol: s, floor: p.floor, least: p.least, ink: p.ink}
	if p.layers.any() {
		c.layers = p.layered(area)
		return c
	}
	c.mask = shape.BlurMap(p.render(area), f.blur)
	if c.ink == calibrations.InkDeep && p.hollow() {
		c.ink = calibrations.InkDrawn
	}
	return c
}

// matched lays templates over what a cell shows: the best first, one of each symbol.
func (f *templates) matched(all []candidate, v *cellView, slack int) ([]candidate, error) {
	if err := v.laid(all, f.outline, slack); err != nil {
		return nil, err
	}
	for i := range all {
		if f.outlined {
			all[i].ink = calibrations.InkDrawn
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	return witness.FirstOfEach(all, func(c *candidate) witness.Symbol { return c.symbol }), nil
}

// only are the templates of some kinds.
func (f *templates) only(kinds func(witness.Kind) bool) *templates {
	out := *f
	out.single = slices.DeleteFunc(slices.Clone(f.single), func(t template) bool { return !kinds(t.symbol.Kind) })
	out.pieces = slices.DeleteFunc(slices.Clone(f.pieces), func(t pieceTemplate) bool { return !kinds(t.symbol.Kind) })
	return &out
}

// blurredBy are the templates as a picture shows them that blurs by a Gaussian of some
// sigma, in places of a cell's view.
func (f *templates) blurredBy(sigma float64) *templates {
	out := *f
	out.blur, out.single = sigma, slices.Clone(f.single)
	for i := range out.single {
		out.single[i].mask = shape.BlurMap(out.single[i].mask, sigma)
	}
	return &out
}

// softer are templates that were blurred as a picture shows them that blurs twice as much.
func (f *templates) softer() *templates {
	out := *f
	out.blur, out.single = 2*f.blur, slices.Clone(f.single)
	for i := range out.single {
		out.single[i].mask = shape.BlurMap(out.single[i].mask, math.Sqrt(3)*f.blur)
	}
	return &out
}

// resized are the templates of symbols that are so many times as large, and but for
// pieces turned by some degrees.
func (f *templates) resized(times, degrees float64) *templates {
	out := *f
	sin, cos := math.Sincos(-degrees * math.Pi / 180)
	out.single, out.pieces = slices.Clone(f.single), slices.Clone(f.pieces)
	for i := range out.single {
		from, to := f.single[i].mask, vision.NewMap(cellSide, cellSide)
		for j := range to.V {
			x, y := offset(j%cellSide)/times, offset(j/cellSide)/times
			x, y = (x*cos-y*sin+0.5)*cellSide-0.5, (x*sin+y*cos+0.5)*cellSide-0.5
			if min(x, y) >= 0 && max(x, y) <= cellSide-1 {
				to.V[j] = sampled(from, x, y)
			}
		}
		out.single[i].mask = to
	}
	for i := range out.pieces {
		out.pieces[i].spacing *= times
		out.pieces[i].room *= times
	}
	return &out
}

// window is the part of a map within the cell's lines and some places more, which
// are 0 where the map does not reach.
func (v *cellView) window(m vision.Map, more int) vision.Map {
	half := int(v.reach*cellSide) + more
	out := vision.NewMap(2*half, 2*half)
	for j := range out.H {
		for i := range out.W {
			x, y := i-half+cellSide/2, j-half+cellSide/2
			if x >= 0 && y >= 0 && x < cellSide && y < cellSide {
				out.V[j*out.W+i] = m.V[y*cellSide+x]
			}
		}
	}
	return out
}

// A templatesCache keeps the templates of looks, which are drawn once for all boards that
// its readers read; nil keeps none. Looks do not change while they are read by.
type templatesCache struct {
	mu sync.Mutex
	of map[*calibrations.Profile]*templates
}

// templatesOf are the templates of a look, sharp.
func (c *templatesCache) templatesOf(look *calibrations.Profile, drawn drawing.Forms) *templates {
	if c == nil {
		return templatesOf(look, drawn)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.of[look] == nil {
		c.of[look] = templatesOf(look, drawn)
	}
	return c.of[look]
}

// templatesOf are the templates of a profile: those that it learned.
func templatesOf(p *calibrations.Profile, drawn drawing.Forms) *templates {
	f := &templates{outlined: p.Learned.Outlined, exact: p.Learned.Exact, learned: len(p.Learned.Forms)+len(p.Learned.Pieces) > 0}
	if c, ok := rgbOf(p.Learned.Outline); ok {
		f.outline = &c
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
			if rgb, ok := rgbOf(c); ok {
				list = append(list, rgb)
			}
		}
		all[named(kind)] = append(all[named(kind)], list...)
		return list
	}
	for _, l := range p.Learned.Forms {
		colours(l.Kind, l.Colours, l.Seen)
		f.single = append(f.single, template{symbol: witness.Symbol{Kind: named(l.Kind), Count: l.Count}, mask: shape.MapOf(l.Mask), layers: layersIn(l.Mask, l.Edge), floor: l.Floor, least: l.Least, seen: l.Seen, ink: l.Ink})
	}
	for _, l := range p.Learned.Pieces {
		f.pieces = append(f.pieces, pieceTemplate{
			colours: colours(l.Kind, l.Colours, l.Seen),
			symbol:  witness.Symbol{Kind: named(l.Kind), Turnable: l.Turnable},
			spacing: l.Spacing, room: l.Room, tilt: l.Tilt, block: shape.MapOf(l.Mask), layers: layersIn(l.Mask, l.Edge), outline: f.outline, floor: l.Floor, least: l.Least, seen: l.Seen, ink: l.Ink,
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
	f.all = all
	if p.Learned.Ground != nil {
		f.ground = shape.MapOf(p.Learned.Ground)
	}
	f.pieces = append(f.pieces, f.siblings()...)
	return f
}

// drawn adds templates of the symbols that were not learned, drawn as in the profile's
// numbers: what looks otherwise there stays unknown.
func (f *templates) drawn(p *calibrations.Profile, forms drawing.Forms) {
	sizes := drawing.SizesOf(p.Symbols)
	style := drawing.Style{Symbols: sizes, Forms: forms}
	add := func(s witness.Symbol) {
		if !slices.ContainsFunc(f.single, func(o template) bool { return witness.SameSymbol(o.symbol, s) }) {
			f.single = append(f.single, template{symbol: s, mask: rasterised(style.Symbol(s, picture.Point{}), cellSide, 2), floor: view.Tuned.Recognised})
		}
	}
	for _, form := range forms {
		for _, s := range form.Symbols(&sizes) {
			add(s)
		}
		kind := form.Kind
		if !kind.IsPiece() || slices.ContainsFunc(f.pieces, func(o pieceTemplate) bool { return o.symbol.Kind == kind }) {
			continue
		}
		for _, turnable := range []bool{false, true} {
			q := pieceTemplate{symbol: witness.Symbol{Kind: kind, Turnable: turnable}, spacing: sizes.Spacing, floor: view.Tuned.Recognised}
			one := witness.Symbol{Kind: kind, Shape: []image.Point{{}}}
			q.block = rasterised(style.Symbol(one, picture.Point{}), blockSide, 2*sizes.Spacing)
			if turnable {
				q.tilt = -drawing.Tilt(&sizes)
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

// rgbOf is the colour that #rrggbb writes.
func rgbOf(hex string) (vision.RGB, bool) {
	v, err := strconv.ParseUint(strings.TrimPrefix(hex, "#"), 16, 32)
	if err != nil || len(hex) != 7 {
		return vision.RGB{}, false
	}
	return vision.RGB{float64(v >> 16), float64(v >> 8 & 255), float64(v & 255)}, true
}

// unlike is how far a colour is from all in which pieces of a kind were seen, of 255;
// infinite where none was.
func (f *templates) unlike(kind witness.Kind, c vision.RGB) float64 {
	return f.nearest(kind, c.Dist)
}

// offMix is how far a colour is off all mixtures of a ground and a colour in which pieces of a
// kind were seen, of 255; infinite where none was.
func (f *templates) offMix(kind witness.Kind, c, ground vision.RGB) float64 {
	return f.nearest(kind, func(o vision.RGB) float64 { return c.OffMix(ground, o) })
}

// nearest is the least that is measured of the colours in which pieces of a kind were seen.
func (f *templates) nearest(kind witness.Kind, far func(vision.RGB) float64) float64 {
	least := math.Inf(1)
	for _, p := range f.pieces {
		if p.symbol.Kind != kind {
			continue
		}
		for _, o := range p.colours {
			least = min(least, far(o))
		}
	}
	return least
}

// mixed tells whether pieces of a kind were seen in colours that differ by as much as what is
// drawn thinly, and mixed with its ground, does.
func (f *templates) mixed(kind witness.Kind) bool {
	for _, p := range f.pieces {
		if p.symbol.Kind != kind {
			continue
		}
		for _, a := range p.colours {
			if slices.ContainsFunc(p.colours, func(b vision.RGB) bool { return a.Dist(b) > view.Tuned.OtherColour/2 }) {
				return true
			}
		}
	}
	return false
}

// seenIn tells whether a kind was seen in a colour.
func (f *templates) seenIn(kind witness.Kind, c vision.RGB) bool {
	return slices.ContainsFunc(f.all[kind], func(o vision.RGB) bool { return c.Dist(o) <= view.Tuned.OtherColour })
}

// owns tells whether a kind was seen in shades of one colour only, and in this one.
func (f *templates) owns(kind witness.Kind, c vision.RGB) bool {
	return len(f.colours[kind]) > 0 && f.seenIn(kind, c)
}

// marked tells whether symbols of a kind have a colour of their own: some were seen, all in
// one.
func (f *templates) marked(kind witness.Kind) bool {
	return len(f.colours[kind]) > 0 && f.seen[kind] >= 3
}

// under is what an empty cell would show at each sample: the rim's colour, or, where
// the look's cells have a pattern, as much of that as the rim shows, by regression.
func (f *templates) under(v *cellView, covered []bool, t view.Tuning) func(k int) vision.RGB {
	if f.ground.W == 0 {
		return func(int) vision.RGB { return v.ground }
	}
	var n, sg, sgg float64
	var sc, sgc vision.RGB
	for j := range cellSide {
		for i := range cellSide {
			k := j*cellSide + i
			if covered[k] || !v.rim(i, j, t) || v.pix[k].Dist(v.ground) > 3*v.grain+t.Rimmed {
				continue
			}
			g := float64(f.ground.V[k])
			n, sg, sgg = n+1, sg+g, sgg+g*g
			for c := range sc {
				sc[c] += v.pix[k][c]
				sgc[c] += g * v.pix[k][c]
			}
		}
	}
	den := n*sgg - sg*sg
	if n < 8 || den < 1e-6*n*n {
		return func(int) vision.RGB { return v.ground }
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

// siblings are the pieces that were not seen and follow from those that were: of a
// kind that was seen turned how it is upright, and the other way about where another
// kind tells by how much pieces are turned.
func (f *templates) siblings() (out []pieceTemplate) {
	for _, p := range f.pieces {
		if slices.ContainsFunc(f.pieces, func(o pieceTemplate) bool {
			return o.symbol.Kind == p.symbol.Kind && o.symbol.Turnable != p.symbol.Turnable
		}) {
			continue
		}
		q := p
		q.least, q.seen, q.tilt, q.symbol.Turnable = 0, 0, 0, !p.symbol.Turnable
		if q.symbol.Turnable {
			k := slices.IndexFunc(f.pieces, func(o pieceTemplate) bool { return o.symbol.Turnable })
			if k < 0 {
				continue
			}
			q.tilt = f.pieces[k].tilt
		}
		out = append(out, q)
	}
	return out
}
