package witness

import (
	"cmp"
	"image"
	"math"
	"slices"
	"sync"

	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/picture"
	"onlooker/vision/witness/shape"
	"onlooker/vision/witness/view"
)

// genericSide is how many samples the normal view of a symbol has each way, and
// genericRadius the root of the mean square of how far a symbol's parts are from its
// middle there.
const (
	genericSide   = 40
	genericRadius = 7.5
)

// A generic is a shape by which symbols of a kind are drawn somewhere, whatever its
// size.
type generic struct {
	symbol witness.Symbol
	part   float64    // of a kind that comes in numbers, the width of one beside all of them
	in     shape.Area // within 1 of the origin each way
	mask   vision.Map // sharp, in the normal view
}

// normalForm draws a shape that lies within 1 of the origin each way as normal views show
// symbols.
func normalForm(in shape.Area) vision.Map {
	const fine = 96
	var n, sx, sy, sq float64
	for j := range fine {
		for i := range fine {
			x, y := (float64(i)+0.5)/fine*2-1, (float64(j)+0.5)/fine*2-1
			if in(x, y) {
				n, sx, sy, sq = n+1, sx+x, sy+y, sq+x*x+y*y
			}
		}
	}
	out := vision.NewMap(genericSide, genericSide)
	if n == 0 {
		return out
	}
	mx, my := sx/n, sy/n
	scale := math.Sqrt(sq/n-mx*mx-my*my) / genericRadius
	at := func(i, j float64) float32 {
		if in(mx+(i-genericSide/2)*scale, my+(j-genericSide/2)*scale) {
			return 1
		}
		return 0
	}
	middle := vision.NewMap(genericSide+2, genericSide+2)
	for k := range middle.V {
		middle.V[k] = at(float64(k%middle.W)-0.5, float64(k/middle.W)-0.5)
	}
	const sub = 4 // each way, of samples that the shape's border runs through
	for k := range out.V {
		i, j := k%genericSide, k/genericSide
		var round float32
		for d := range 9 {
			round += middle.V[(j+d/3)*middle.W+i+d%3]
		}
		if round == 0 || round == 9 {
			out.V[k] = round / 9
			continue
		}
		for d := range sub * sub {
			out.V[k] += at(float64(i)+(float64(d%sub)+0.5)/sub, float64(j)+(float64(d/sub)+0.5)/sub) / sub / sub
		}
	}
	return out
}

// rounded is a square of a half side, its corners of a radius.
func rounded(half, radius float64) shape.Area {
	return func(x, y float64) bool {
		x, y = math.Abs(x), math.Abs(y)
		if x > half || y > half {
			return false
		}
		cx, cy := x-(half-radius), y-(half-radius)
		return cx <= 0 || cy <= 0 || cx*cx+cy*cy <= radius*radius
	}
}

// generics are the shapes of all symbols but pieces.
func generics() (out []generic) {
	add := func(s witness.Symbol, in shape.Area) {
		out = append(out, generic{symbol: s, in: in})
	}
	square := witness.Symbol{Kind: witness.Square}
	for _, r := range []float64{0, 0.12, 0.25, 0.37, 0.5} {
		in := rounded(0.5, r)
		add(square, in)
		for _, stroke := range []float64{0.14, 0.2} {
			hole := rounded(0.5-stroke, max(0, r-stroke))
			add(square, func(x, y float64) bool { return in(x, y) && !hole(x, y) })
		}
	}
	star := witness.Symbol{Kind: witness.Star}
	for _, n := range []float64{5, 6, 7, 8, 10, 12} {
		for _, wave := range []float64{0.06, 0.09, 0.12, 0.16} { // rounded all over
			if n >= 10 && wave < 0.1 {
				continue // as good as a disc
			}
			for _, turn := range []float64{0, 0.5} {
				add(star, func(x, y float64) bool {
					return math.Hypot(x, y) < 0.75*(1+wave*math.Cos(n*math.Atan2(x, -y)+2*math.Pi*turn))
				})
			}
		}
	}
	for _, n := range []int{4, 5, 6, 7, 8, 9, 10, 12} {
		for _, inner := range []float64{0.3, 0.38, 0.46, 0.54, 0.62, 0.7, 0.78, 0.86} {
			if inner > 0.93*math.Cos(math.Pi/float64(n)) {
				continue
			}
			for _, turn := range []float64{0, 0.25, 0.5, 0.75} {
				if n > 8 && turn != 0 && turn != 0.5 {
					continue
				}
				var points []picture.Point
				for i := range 2 * n {
					r := 0.9
					if i%2 == 1 {
						r *= inner
					}
					a := -math.Pi/2 + math.Pi*(float64(i)+2*turn)/float64(n)
					points = append(points, picture.Point{X: r * math.Cos(a), Y: r * math.Sin(a)})
				}
				add(star, shape.Covers(picture.Shape{Kind: picture.Polygon, Points: points}))
			}
		}
	}
	out = append(out, genericTriangles()...)
	return append(out, genericErasers()...)
}

func genericTriangles() (out []generic) {
	for _, aspect := range []float64{0.65, 0.8, 0.95, 1.1, 1.3, 1.5} {
		one := func(x, y float64) bool { // of width 1, about the middle of its height
			return y <= aspect/2 && y >= -aspect/2 && math.Abs(x) <= 0.5*(y+aspect/2)/aspect
		}
		add := func(count int, at [][2]float64, wide float64) {
			least, most := 0.0, 0.0
			for _, p := range at {
				least, most = min(least, p[0]), max(most, p[0])
			}
			in := func(x, y float64) bool {
				for _, p := range at {
					if one(x*wide-p[0], y*wide-p[1]) {
						return true
					}
				}
				return false
			}
			out = append(out, generic{symbol: witness.Symbol{Kind: witness.Triangle, Count: count}, part: 1 / (1 + most - least), in: in})
		}
		add(1, [][2]float64{{0, 0}}, max(1, aspect)/1.8)
		for _, gap := range []float64{1.04, 1.14, 1.25, 1.4, 1.6, 1.85} {
			add(2, [][2]float64{{-gap / 2, 0}, {gap / 2, 0}}, gap+0.1+max(0, aspect-1))
			add(3, [][2]float64{{-gap, 0}, {0, 0}, {gap, 0}}, 1.6*gap)
			for _, down := range []float64{0.5, 0.58, 0.66} {
				add(3, [][2]float64{{0, -down * aspect}, {-gap / 2, down * aspect}, {gap / 2, down * aspect}}, max(gap, 1.3*aspect)+0.2)
			}
			g := gap * aspect
			add(2, [][2]float64{{0, -g / 2}, {0, g / 2}}, g+0.5)
			add(3, [][2]float64{{0, -g}, {0, 0}, {0, g}}, 1.7*g+0.2)
		}
	}
	return out
}

func genericErasers() (out []generic) {
	for _, width := range []float64{0.16, 0.24, 0.32, 0.4, 0.5, 0.6} {
		for _, spread := range []float64{112, 120, 128, 136} {
			for _, stem := range []float64{90, -90} {
				for _, round := range []bool{false, true} {
					var arms [3][2]float64
					for i, a := range []float64{stem, stem + spread, stem - spread} {
						arms[i][0], arms[i][1] = math.Sincos(a * math.Pi / 180)
					}
					in := func(x, y float64) bool {
						for _, a := range arms {
							u, v := (x*a[1]+y*a[0])/0.65, (y*a[1]-x*a[0])/0.65
							if math.Abs(v) <= width/2 && (u >= -width/4 && u <= 1 || round && math.Hypot(u-1, v) <= width/2) {
								return true
							}
						}
						return false
					}
					out = append(out, generic{symbol: witness.Symbol{Kind: witness.Eraser}, in: in})
				}
			}
		}
	}
	return out
}

// A gallery is the generic shapes, blurred as pictures blur them.
type gallery struct {
	all     []generic
	mu      sync.Mutex
	blurred map[int]*blurredShapes
}

// blurredShapes are the shapes' masks, blurred by some sigma, and at half the side.
type blurredShapes struct{ fine, rough []vision.Map }

// theGallery is made once, by who first asks.
var theGallery = sync.OnceValue(func() *gallery {
	all := generics()
	vision.SideBySide(len(all), func(i int) { all[i].mask = normalForm(all[i].in) })
	return &gallery{all: all, blurred: map[int]*blurredShapes{}}
})

// at are the shapes blurred by about a sigma, in samples.
func (g *gallery) at(sigma float64) *blurredShapes {
	level := int(math.Round(2 * math.Log(max(0.5, sigma)) / math.Log(1.5)))
	g.mu.Lock()
	defer g.mu.Unlock()
	if m, ok := g.blurred[level]; ok {
		return m
	}
	s := math.Pow(1.5, float64(level)/2)
	out := &blurredShapes{make([]vision.Map, len(g.all)), make([]vision.Map, len(g.all))}
	vision.SideBySide(len(g.all), func(i int) {
		out.fine[i] = shape.BlurMap(g.all[i].mask, s)
		out.rough[i] = halved(out.fine[i], 0)
	})
	g.blurred[level] = out
	return out
}

// halved is a map without a rim of some places, at half its side.
func halved(m vision.Map, rim int) vision.Map {
	out := vision.NewMap((m.W-2*rim)/2, (m.H-2*rim)/2)
	for k := range out.V {
		i := (2*(k/out.W)+rim)*m.W + 2*(k%out.W) + rim
		out.V[k] = (m.V[i] + m.V[i+1] + m.V[i+m.W] + m.V[i+m.W+1]) / 4
	}
	return out
}

// coefficient is the correlation of two maps of one size, place by place.
func coefficient(a, b vision.Map) float64 {
	var n, sa, sb, saa, sbb, sab float32
	for k, v := range a.V {
		w := b.V[k]
		n, sa, sb, saa, sbb, sab = n+1, sa+v, sb+w, saa+v*v, sbb+w*w, sab+v*w
	}
	q := (saa - sa*sa/n) * (sbb - sb*sb/n)
	if q <= 0 {
		return 0
	}
	return float64((sab - sa*sb/n)) / math.Sqrt(float64(q))
}

// tries is of how many shapes of a symbol that are most alike at half the side it is told
// how alike they are in full.
const tries = 6

// matched tells how alike the shapes of a gallery are to a figure: the few of each symbol
// that are most alike, the others 0.
func (g *gallery) matched(f *figure) ([]float64, error) {
	shapes := g.at(f.sigma)
	rough := halved(f.norm, genericSlack)
	like := make([]float64, len(g.all))
	order := make([]int, len(g.all))
	for i, o := range shapes.rough {
		like[i], order[i] = coefficient(rough, o), i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(like[b], like[a]) })
	type named struct {
		kind  witness.Kind
		count int
	}
	seen := map[named]int{}
	var which []int
	var masks []vision.Map
	for _, i := range order {
		n := named{g.all[i].symbol.Kind, g.all[i].symbol.Count}
		if seen[n]++; seen[n] <= tries {
			which, masks = append(which, i), append(masks, shapes.fine[i])
		}
	}
	found, err := vision.Match(f.norm, masks)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(g.all))
	for k, i := range which {
		out[i] = found[k].Score
	}
	return out, nil
}

// A figure is what a cell shows in the normal view.
type figure struct {
	view   *cellView
	mask   vision.Map // cellSide×cellSide: how strongly it shows
	holes  int        // how many parts it encloses, where they were filled
	hole   float64    // square pitches: the largest of them
	area   float64    // square pitches: of all that is covered
	mx, my float64    // its middle, pitches from the cell's
	scale  float64    // samples of the normal view in a pitch
	sigma  float64    // by how much it is blurred, in those samples
	norm   vision.Map // genericSide+2·slack each way
	box    [4]float64 // of what is half covered, pitches from the cell's middle

	outline [][2]float64 // where the cover is a half, between two samples, pitches from the cell's middle
}

const genericSlack = 2

// figureOf is what a cell shows, where what is so far from the ground is all of it; false
// where that is next to nothing. Filled is so with what it encloses, where it does.
func (m *model) figureOf(v *cellView, full float64, filled bool) (*figure, bool) {
	f := &figure{view: v, mask: vision.NewMap(cellSide, cellSide)}
	for k, d := range v.off.V {
		if w := min(1, float64(d)/full); w >= view.Faintly {
			f.mask.V[k] = float32(w)
		}
	}
	if filled && !f.fill() {
		return nil, false
	}
	var n, sx, sy, sq float64
	f.box = [4]float64{1, 1, -1, -1}
	for k, v := range f.mask.V {
		w, x, y := float64(v), offset(k%cellSide), offset(k/cellSide)
		n, sx, sy, sq = n+w, sx+w*x, sy+w*y, sq+w*(x*x+y*y)
	}
	f.outline = halfway(f.mask)
	if n < 8 || len(f.outline) == 0 {
		return nil, false
	}
	for _, p := range f.outline {
		f.box = [4]float64{min(f.box[0], p[0]), min(f.box[1], p[1]), max(f.box[2], p[0]), max(f.box[3], p[1])}
	}
	f.mx, f.my, f.area = sx/n, sy/n, n/cellSide/cellSide
	blur := math.Hypot(m.tune.BlurPixels/m.Board.ScreenPitch, 0.8/cellSide)
	r2 := sq/n - f.mx*f.mx - f.my*f.my - 2*blur*blur
	if r2 < 1e-4 {
		return nil, false
	}
	f.scale = genericRadius / math.Sqrt(r2)
	f.sigma = blur * f.scale
	const side = genericSide + 2*genericSlack
	f.norm = vision.NewMap(side, side)
	for k := range f.norm.V {
		x, y := f.mx+(float64(k%side)+0.5-side/2)/f.scale, f.my+(float64(k/side)+0.5-side/2)/f.scale
		f.norm.V[k] = f.coverAt(x, y)
	}
	return f, true
}

// halfway are the places, in pitches from a cell's middle, where what is covered of it is a
// half: between two samples beside each other, of which one is more than that and one less,
// where that share of the way lies. What is more at the cell's border ends there.
func halfway(m vision.Map) (all [][2]float64) {
	at := func(i, j int) float64 {
		if min(i, j) < 0 || max(i, j) >= cellSide {
			return 0
		}
		return float64(m.V[j*cellSide+i])
	}
	for j := range cellSide + 1 {
		for i := range cellSide + 1 {
			for _, d := range []image.Point{{X: 1}, {Y: 1}} {
				from, to := at(i-d.X, j-d.Y), at(i, j)
				if (from >= 0.5) == (to >= 0.5) {
					continue
				}
				t := (0.5-from)/(to-from) - 1
				all = append(all, [2]float64{offset(i) + t*float64(d.X)/cellSide, offset(j) + t*float64(d.Y)/cellSide})
			}
		}
	}
	return all
}

// across is how large it is from corner to corner, pitches.
func (f *figure) across() float64 { return math.Hypot(f.box[2]-f.box[0], f.box[3]-f.box[1]) }

// fill fills what a figure encloses, and notes how much that is; false where it is nothing.
func (f *figure) fill() bool {
	open := func(k int) bool { return f.mask.V[k] < view.Clearly }
	seen := make([]bool, len(f.mask.V))
	var holes [][]int
	for k := range f.mask.V {
		if seen[k] || !open(k) {
			continue
		}
		hole := shape.Connected(k, cellSide, seen, open)
		if len(hole) > 3 && !slices.ContainsFunc(hole, func(o int) bool {
			x, y := o%cellSide, o/cellSide
			return x == 0 || y == 0 || x == cellSide-1 || y == cellSide-1
		}) {
			holes = append(holes, hole)
		}
	}
	f.holes = len(holes)
	for _, hole := range holes {
		f.hole = max(f.hole, float64(len(hole))/cellSide/cellSide)
		for _, o := range hole {
			for y := max(0, o/cellSide-2); y <= min(cellSide-1, o/cellSide+2); y++ {
				for x := max(0, o%cellSide-2); x <= min(cellSide-1, o%cellSide+2); x++ {
					f.mask.V[y*cellSide+x] = 1
				}
			}
		}
	}
	return len(holes) > 0
}

// A proposal is a symbol that a figure may be, with the correlation of its best shape.
type proposal struct {
	symbol  witness.Symbol
	score   float64
	misfit  float64 // see templates.weigh
	spacing float64 // of a piece, pitches
	degrees float64 // by which it is turned
	block   float64 // the side of its squares, pitches
	grid    *pieceGrid
	round   bool       // its squares are discs
	free    float64    // the part of its squares' side that is free in the middle
	figure  *figure    // that it may be
	mask    vision.Map // its shape in the normal view
}

// leastSide is how large symbols of a kind are at least in any look, pitches; 0 where that
// is not known.
func leastSide(t *view.Tuning, k witness.Kind) float64 {
	switch k {
	case witness.Square, witness.Star:
		return t.LeastSymbol
	case witness.Eraser:
		return 2 * t.LeastTriangle
	}
	return 0
}

// likelies compares a figure with all generic shapes, the best first and of each
// symbol the best, and with pieces on all grids.
func (f *figure) likelies(g *gallery, t view.Tuning) (all, pieces []proposal, err error) {
	found, err := g.matched(f)
	if err != nil {
		return nil, nil, err
	}
	side := max(f.box[2]-f.box[0], f.box[3]-f.box[1])
	shapes := g.at(f.sigma)
	var singles []proposal
	for i, o := range g.all {
		if f.holes > max(1, o.symbol.Count) || side < leastSide(&t, o.symbol.Kind) || o.part > 0 && o.part*(f.box[2]-f.box[0]) < t.LeastTriangle {
			continue
		}
		// Three triangles that touch enclose a quarter of what is then seen as one.
		if o.symbol.Kind == witness.Triangle && o.symbol.Count == 1 && f.holes > 0 && f.hole < f.area/4 {
			continue
		}
		singles = append(singles, proposal{symbol: o.symbol, score: found[i], figure: f, mask: shapes.fine[i]})
	}
	pieces, err = f.pieces(t)
	if err != nil {
		return nil, nil, err
	}
	weighed := func(list []proposal) {
		for i := range list {
			c := &list[i]
			c.misfit = misfitOf(c.score, t.LearnedNoise())
			if n := len(c.symbol.Shape); n > 0 {
				c.misfit += fittedOdds().Square * float64(n-1)
				if !c.inOnePiece() { // as hardly any are
					c.misfit += t.Evidence
				}
			}
		}
		slices.SortStableFunc(list, func(a, b proposal) int { return cmp.Compare(a.misfit, b.misfit) })
	}
	weighed(singles)
	weighed(pieces)
	return witness.FirstOfEach(singles, func(c *proposal) witness.Symbol { return c.symbol }), pieces, nil
}

// fills are the sides of pieces' squares as shares of their spacing: more than 1 where
// outlines make them larger.
func fills() []float64 { return []float64{0.7, 0.8, 0.9, 1, 1.1, 1.2} }

// pieces compares a figure with pieces of all spacings and turns.
func (f *figure) pieces(t view.Tuning) (out []proposal, err error) {
	for _, degrees := range []float64{0, 10, 14, 18, 22, 26, 30, 36, 45, -10, -14, -18, -22, -26, -30, -36} {
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		lo, hi := [2]float64{9, 9}, [2]float64{-9, -9}
		for _, p := range f.outline {
			u, v := p[0]*cos+p[1]*sin, p[1]*cos-p[0]*sin
			lo, hi = [2]float64{min(lo[0], u), min(lo[1], v)}, [2]float64{max(hi[0], u), max(hi[1], v)}
		}
		wide, tall := hi[0]-lo[0], hi[1]-lo[1]
		for _, fill := range fills() {
			for nx := 1; nx <= 5; nx++ {
				s := wide / (float64(nx-1) + fill)
				ny := int(math.Round(tall/s - fill + 1))
				if ny < 1 || ny > 5 || nx*ny == 1 && (degrees != 0 || fill != 1) || math.Abs(tall-(float64(ny-1)+fill)*s) > 0.14*s {
					continue
				}
				s = (s + tall/(float64(ny-1)+fill)) / 2
				// What is as large as a square between others is none of them. Outlined squares that
				// touch are larger than they are apart.
				if s > t.LeastSymbol || s < 0.09 || f.hole > view.Strongly*s*s {
					continue
				}
				g := &pieceGrid{cos: cos, sin: sin, block: s * fill, spacing: s, nx: nx, ny: ny, mx: (lo[0] + hi[0]) / 2, my: (lo[1] + hi[1]) / 2}
				out = append(out, f.piece(g, degrees)...)
			}
		}
	}
	rough := halved(f.norm, genericSlack)
	for i := range out {
		c := &out[i]
		c.figure = f
		c.score = coefficient(rough, f.drawn(c, c.holes()[len(c.holes())/2], genericSide/2))
		if c.score < leastPiece/2 || c.symbol.Kind == witness.Negative {
			continue
		}
		discs := *c
		discs.round = true
		discs.score = coefficient(rough, f.drawn(&discs, 0, genericSide/2))
		// A correlation below 0 is no likeness, however far below.
		if discs.score > c.score && misfitOf(discs.score, t.LearnedNoise()) < misfitOf(c.score, t.LearnedNoise())-t.Evidence {
			*c = discs
		}
	}
	slices.SortStableFunc(out, func(a, b proposal) int { return cmp.Compare(b.score, a.score) })
	out = slices.DeleteFunc(out, func(c proposal) bool { return c.score < leastPiece })
	out = out[:min(len(out), mostPieces)]
	// Of outlines the widths differ from look to look.
	var widths []proposal
	for i := range out {
		for _, hole := range out[i].holes() {
			c := out[i]
			c.free = hole
			widths = append(widths, c)
		}
	}
	masks := make([]vision.Map, len(widths))
	vision.SideBySide(len(widths), func(i int) { masks[i] = f.drawn(&widths[i], widths[i].free, genericSide) })
	found, err := vision.Match(f.norm, masks)
	if err != nil {
		return nil, err
	}
	k := 0
	for i := range out {
		n := len(out[i].holes())
		best := k
		for j := k; j < k+n; j++ {
			widths[j].score, widths[j].mask = found[j].Score, masks[j]
			if found[j].Score > found[best].Score {
				best = j
			}
		}
		out[i] = widths[best]
		k += n
	}
	return out, nil
}

// left is what a proposed shape leaves of a figure, or shows beyond it, at most in a part of
// the normal view, as a share of how strongly the figure shows.
func (p *proposal) left() float64 {
	const side, part = genericSide + 2*genericSlack, 5
	least := math.Inf(1)
	for shift := range (2*genericSlack + 1) * (2*genericSlack + 1) {
		dx, dy := shift%(2*genericSlack+1), shift/(2*genericSlack+1)
		shape := func(k int) float64 {
			i, j := k%side-dx, k/side-dy
			if min(i, j) < 0 || max(i, j) >= genericSide {
				return 0
			}
			return float64(p.mask.V[j*genericSide+i])
		}
		seen, both := 0.0, 0.0
		for k, v := range p.figure.norm.V {
			w := shape(k)
			seen, both = seen+float64(v)*w, both+w*w
		}
		gain := seen / max(both, 1e-9)
		most := 0.0
		var sums [side + 1][side + 1]float64
		for k, v := range p.figure.norm.V {
			i, j := k%side, k/side
			sums[j+1][i+1] = sums[j][i+1] + sums[j+1][i] - sums[j][i] + float64(v) - gain*shape(k)
		}
		for j := part; j <= side; j++ {
			for i := part; i <= side; i++ {
				most = max(most, math.Abs(sums[j][i]-sums[j-part][i]-sums[j][i-part]+sums[j-part][i-part])/part/part/gain)
			}
		}
		least = min(least, most)
	}
	return least
}

// leastPiece is how alike pieces are at half the side of which it is told how alike they
// are in full, and mostPieces how many.
const (
	leastPiece = 0.8
	mostPieces = 40
)

// piece is a figure as squares on a grid, full ones and outlined ones.
func (f *figure) piece(g *pieceGrid, degrees float64) []proposal {
	var squares []image.Point
	for b := range g.ny {
		for a := range g.nx {
			if f.covered(g, image.Pt(a, b), 0.38) > 0.38 {
				squares = append(squares, image.Pt(a, b))
			}
		}
	}
	if !spansBox(squares, g.nx, g.ny) {
		return nil
	}
	s := witness.Symbol{Kind: witness.Polyomino, Shape: squares, Turnable: degrees != 0 && len(squares) > 1}
	full := proposal{symbol: s, spacing: g.spacing, block: g.block, degrees: degrees, grid: g}
	outlined := full
	outlined.symbol.Kind = witness.Negative
	return []proposal{full, outlined}
}

// holes are how large a part of its squares' side may be free in the middle.
func (p *proposal) holes() []float64 {
	if p.symbol.Kind == witness.Negative {
		return []float64{0.45, 0.58, 0.7}
	}
	return []float64{0}
}

// drawn is a proposed piece in the normal view, in each of whose squares so large a part of
// its side is free, so many samples each way and blurred as the picture is.
func (f *figure) drawn(p *proposal, hole float64, side int) vision.Map {
	g := p.grid
	reach := p.block / 2 / g.spacing
	full := make([]bool, g.nx*g.ny)
	for _, q := range p.symbol.Shape {
		full[q.Y*g.nx+q.X] = true
	}
	// How far from the grid's middle its squares reach, but for rounding.
	wide, tall := (1+1e-9)*(float64(g.nx-1)/2+reach)*g.spacing, (1+1e-9)*(float64(g.ny-1)/2+reach)*g.spacing
	in := func(across, down float64) bool { // from the grid's middle, in pitches
		if math.Abs(across) > wide || math.Abs(down) > tall {
			return false
		}
		// From the middle of the grid's first square, in spacings.
		u, v := across/g.spacing+float64(g.nx-1)/2, down/g.spacing+float64(g.ny-1)/2
		is := false
		for j := max(0, int(math.Ceil(v-reach))); j < g.ny && float64(j) <= v+reach; j++ {
			for i := max(0, int(math.Ceil(u-reach))); i < g.nx && float64(i) <= u+reach; i++ {
				if full[j*g.nx+i] {
					far := max(math.Abs(u-float64(i)), math.Abs(v-float64(j)))
					if p.round {
						far = math.Hypot(u-float64(i), v-float64(j))
					}
					if far < hole*reach {
						return false
					}
					is = is || far <= reach
				}
			}
		}
		return is
	}
	m := vision.NewMap(side, side)
	const sub = 2 // samples of each place, each way
	step := genericSide / float64(side) / f.scale
	offset := func(i int) float64 { return (float64(i/sub) + (float64(i%sub)+0.5)/sub - float64(side)/2) * step }
	cos, sin := make([]float64, sub*side), make([]float64, sub*side) // of the turn, times each column's place
	for i := range cos {
		x := f.mx + offset(i)
		cos[i], sin[i] = x*g.cos, x*g.sin
	}
	for j := range sub * side {
		y := f.my + offset(j)
		row := m.V[j/sub*side:][:side]
		for i := range cos {
			if in(cos[i]+y*g.sin-g.mx, y*g.cos-sin[i]-g.my) {
				row[i/sub] += 1.0 / sub / sub
			}
		}
	}
	return shape.BlurMap(m, f.sigma*float64(side)/genericSide)
}

// covered is how much of a grid's square a figure covers, within some part of its side
// from the middle each way.
func (f *figure) covered(g *pieceGrid, square image.Point, part float64) float64 {
	sum, n := 0.0, 0.0
	for k := -2; k <= 2; k++ {
		for l := -2; l <= 2; l++ {
			sum, n = sum+float64(f.coverAt(g.place(square, part*g.block*float64(k)/2, part*g.block*float64(l)/2))), n+1
		}
	}
	return sum / n
}

// coverAt is how strongly a figure shows at a place in pitches from its cell's middle.
func (f *figure) coverAt(x, y float64) float32 {
	px, py := (x+0.5)*cellSide-0.5, (y+0.5)*cellSide-0.5
	if px < 0 || py < 0 || px > cellSide-1 || py > cellSide-1 {
		return 0
	}
	return sampled(f.mask, px, py)
}

// spansBox tells whether squares reach all sides of their box. They need not hang together: in
// some clients' panels they do not.
func spansBox(shape []image.Point, nx, ny int) bool {
	if len(shape) == 0 {
		return false
	}
	lo, hi := shape[0], shape[0]
	for _, q := range shape {
		lo, hi = image.Pt(min(lo.X, q.X), min(lo.Y, q.Y)), image.Pt(max(hi.X, q.X), max(hi.Y, q.Y))
	}
	return lo == image.Pt(0, 0) && hi == image.Pt(nx-1, ny-1)
}

// inOnePiece tells whether a piece's squares hang together by their sides.
func (p *proposal) inOnePiece() bool {
	area, nx := p.symbol.Shape, p.grid.nx
	full := func(k int) bool { return slices.Contains(area, image.Pt(k%nx, k/nx)) }
	return len(shape.Connected(area[0].Y*nx+area[0].X, nx, make([]bool, nx*p.grid.ny), full)) == len(area)
}
