package bank

import (
	"cmp"
	"image"
	"math"
	"slices"
	"sync"

	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/picture"
	"onlooker/vision/witness/cell"
	"onlooker/vision/witness/look"
	"onlooker/vision/witness/shape"
	"onlooker/vision/witness/view"
)

// GenericSide is how many samples the normal view of a symbol has each way, and
// genericRadius the root of the mean square of how far a symbol's parts are from its
// middle there.
const (
	GenericSide   = 40
	genericRadius = 7.5
)

// A Form is a shape by which symbols of a kind are drawn somewhere, whatever its
// size.
type Form struct {
	Symbol witness.Symbol
	part   float64    // of a kind that comes in numbers, the width of one beside all of them
	in     shape.Area // within 1 of the origin each way
	mask   vision.Map // sharp, in the normal view
}

// NormalForm draws a shape that lies within 1 of the origin each way as normal views show
// symbols.
func NormalForm(in shape.Area) vision.Map {
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
	out := vision.NewMap(GenericSide, GenericSide)
	if n == 0 {
		return out
	}
	mx, my := sx/n, sy/n
	scale := math.Sqrt(sq/n-mx*mx-my*my) / genericRadius
	for k, v := range shape.Sharp(GenericSide, 4, func(i, j float64) bool {
		return in(mx+(i-GenericSide/2)*scale, my+(j-GenericSide/2)*scale)
	}) {
		out.V[k] = float32(v)
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
func generics() (out []Form) {
	add := func(s witness.Symbol, in shape.Area) {
		out = append(out, Form{Symbol: s, in: in})
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

func genericTriangles() (out []Form) {
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
			out = append(out, Form{Symbol: witness.Symbol{Kind: witness.Triangle, Count: count}, part: 1 / (1 + most - least), in: in})
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

func genericErasers() (out []Form) {
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
					out = append(out, Form{Symbol: witness.Symbol{Kind: witness.Eraser}, in: in})
				}
			}
		}
	}
	return out
}

// A Bank is the generic shapes, blurred as pictures blur them.
type Bank struct {
	All     []Form
	mu      sync.Mutex
	blurred map[int]*blurredShapes
}

// blurredShapes are the shapes' masks, blurred by some sigma, and at half the side.
type blurredShapes struct{ fine, rough []vision.Map }

// Shapes is made once, by who first asks.
var Shapes = sync.OnceValue(func() *Bank {
	all := generics()
	vision.SideBySide(len(all), func(i int) { all[i].mask = NormalForm(all[i].in) })
	return &Bank{All: all, blurred: map[int]*blurredShapes{}}
})

// at are the shapes blurred by about a sigma, in samples.
func (g *Bank) at(sigma float64) *blurredShapes {
	level := int(math.Round(2 * math.Log(max(0.5, sigma)) / math.Log(1.5)))
	g.mu.Lock()
	defer g.mu.Unlock()
	if m, ok := g.blurred[level]; ok {
		return m
	}
	s := math.Pow(1.5, float64(level)/2)
	out := &blurredShapes{make([]vision.Map, len(g.All)), make([]vision.Map, len(g.All))}
	vision.SideBySide(len(g.All), func(i int) {
		out.fine[i] = shape.BlurMap(g.All[i].mask, s)
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

// Matched tells how alike the shapes of a gallery are to a figure: the few of each symbol
// that are most alike, the others 0.
func (g *Bank) Matched(f *Figure) ([]float64, error) {
	shapes := g.at(f.Sigma)
	rough := halved(f.Norm, genericSlack)
	like := make([]float64, len(g.All))
	order := make([]int, len(g.All))
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
		n := named{g.All[i].Symbol.Kind, g.All[i].Symbol.Count}
		if seen[n]++; seen[n] <= tries {
			which, masks = append(which, i), append(masks, shapes.fine[i])
		}
	}
	found := vision.Match(f.Norm, masks)
	out := make([]float64, len(g.All))
	for k, i := range which {
		out[i] = found[k].Score
	}
	return out, nil
}

// A Figure is what a cell shows in the normal view.
type Figure struct {
	view   *look.Cell
	Mask   vision.Map // CellSide×CellSide: how strongly it shows
	Holes  int        // how many parts it encloses, where they were filled
	Hole   float64    // square pitches: the largest of them
	Area   float64    // square pitches: of all that is covered
	Mx, My float64    // its middle, pitches from the cell's
	Scale  float64    // samples of the normal view in a pitch
	Sigma  float64    // by how much it is blurred, in those samples
	Norm   vision.Map // GenericSide+2·slack each way
	Box    [4]float64 // of what is half covered, pitches from the cell's middle

	outline [][2]float64 // where the cover is a half, between two samples, pitches from the cell's middle
}

const genericSlack = 2

// FigureOf is what a cell shows, where what is so far from the ground is all of it; false
// where that is next to nothing. Filled is so with what it encloses, where it does.
func FigureOf(m *look.Model, v *look.Cell, full float64, filled bool) (*Figure, bool) {
	f := &Figure{view: v, Mask: vision.NewMap(look.CellSide, look.CellSide)}
	for k, d := range v.Off.V {
		if w := min(1, float64(d)/full); w >= view.Faintly {
			f.Mask.V[k] = float32(w)
		}
	}
	if filled && !f.fill() {
		return nil, false
	}
	var n, sx, sy, sq float64
	f.Box = [4]float64{1, 1, -1, -1}
	for k, v := range f.Mask.V {
		w, x, y := float64(v), look.Offset(k%look.CellSide), look.Offset(k/look.CellSide)
		n, sx, sy, sq = n+w, sx+w*x, sy+w*y, sq+w*(x*x+y*y)
	}
	f.outline = halfway(f.Mask)
	if n < 8 || len(f.outline) == 0 {
		return nil, false
	}
	for _, p := range f.outline {
		f.Box = [4]float64{min(f.Box[0], p[0]), min(f.Box[1], p[1]), max(f.Box[2], p[0]), max(f.Box[3], p[1])}
	}
	f.Mx, f.My, f.Area = sx/n, sy/n, n/look.CellSide/look.CellSide
	blur := math.Hypot(view.Tuned.BlurPixels/m.Board.ScreenPitch, 0.8/look.CellSide)
	r2 := sq/n - f.Mx*f.Mx - f.My*f.My - 2*blur*blur
	if r2 < 1e-4 {
		return nil, false
	}
	f.Scale = genericRadius / math.Sqrt(r2)
	f.Sigma = blur * f.Scale
	const side = GenericSide + 2*genericSlack
	f.Norm = vision.NewMap(side, side)
	for k := range f.Norm.V {
		x, y := f.Mx+(float64(k%side)+0.5-side/2)/f.Scale, f.My+(float64(k/side)+0.5-side/2)/f.Scale
		f.Norm.V[k] = f.CoverAt(x, y)
	}
	return f, true
}

// halfway are the places, in pitches from a cell's middle, where what is covered of it is a
// half: between two samples beside each other, of which one is more than that and one less,
// where that share of the way lies. What is more at the cell's border ends there.
func halfway(m vision.Map) (all [][2]float64) {
	at := func(i, j int) float64 {
		if min(i, j) < 0 || max(i, j) >= look.CellSide {
			return 0
		}
		return float64(m.V[j*look.CellSide+i])
	}
	for j := range look.CellSide + 1 {
		for i := range look.CellSide + 1 {
			for _, d := range []image.Point{{X: 1}, {Y: 1}} {
				from, to := at(i-d.X, j-d.Y), at(i, j)
				if (from >= 0.5) == (to >= 0.5) {
					continue
				}
				t := (0.5-from)/(to-from) - 1
				all = append(all, [2]float64{look.Offset(i) + t*float64(d.X)/look.CellSide, look.Offset(j) + t*float64(d.Y)/look.CellSide})
			}
		}
	}
	return all
}

// Across is how large it is from corner to corner, pitches.
func (f *Figure) Across() float64 { return math.Hypot(f.Box[2]-f.Box[0], f.Box[3]-f.Box[1]) }

// fill fills what a figure encloses, and notes how much that is; false where it is nothing.
func (f *Figure) fill() bool {
	open := func(k int) bool { return f.Mask.V[k] < view.Clearly }
	seen := make([]bool, len(f.Mask.V))
	var holes [][]int
	for k := range f.Mask.V {
		if seen[k] || !open(k) {
			continue
		}
		hole := shape.Connected(k, look.CellSide, seen, open)
		if len(hole) > 3 && !slices.ContainsFunc(hole, func(o int) bool {
			x, y := o%look.CellSide, o/look.CellSide
			return x == 0 || y == 0 || x == look.CellSide-1 || y == look.CellSide-1
		}) {
			holes = append(holes, hole)
		}
	}
	f.Holes = len(holes)
	for _, hole := range holes {
		f.Hole = max(f.Hole, float64(len(hole))/look.CellSide/look.CellSide)
		for _, o := range hole {
			for y := max(0, o/look.CellSide-2); y <= min(look.CellSide-1, o/look.CellSide+2); y++ {
				for x := max(0, o%look.CellSide-2); x <= min(look.CellSide-1, o%look.CellSide+2); x++ {
					f.Mask.V[y*look.CellSide+x] = 1
				}
			}
		}
	}
	return len(holes) > 0
}

// A Match is a symbol that a figure may be, with the correlation of its best shape.
type Match struct {
	Symbol  witness.Symbol
	Score   float64
	Misfit  float64 // see Library.weigh
	Spacing float64 // of a piece, pitches
	Degrees float64 // by which it is turned
	Block   float64 // the side of its squares, pitches
	Grid    *cell.PieceGrid
	round   bool       // its squares are discs
	Free    float64    // the part of its squares' side that is free in the middle
	Figure  *Figure    // that it may be
	Mask    vision.Map // its shape in the normal view
}

// leastSide is how large symbols of a kind are at least in any look, pitches; 0 where that
// is not known.
func leastSide(k witness.Kind) float64 {
	switch k {
	case witness.Square, witness.Star:
		return view.Tuned.LeastSymbol
	case witness.Eraser:
		return 2 * view.Tuned.LeastTriangle
	}
	return 0
}

// Likelies compares a figure with all generic shapes, the best first and of each
// symbol the best, and with pieces on all grids.
func (f *Figure) Likelies(g *Bank) (all, pieces []Match, err error) {
	found, err := g.Matched(f)
	if err != nil {
		return nil, nil, err
	}
	side := max(f.Box[2]-f.Box[0], f.Box[3]-f.Box[1])
	shapes := g.at(f.Sigma)
	var singles []Match
	for i, o := range g.All {
		if f.Holes > max(1, o.Symbol.Count) || side < leastSide(o.Symbol.Kind) || o.part > 0 && o.part*(f.Box[2]-f.Box[0]) < view.Tuned.LeastTriangle {
			continue
		}
		// Three triangles that touch enclose a quarter of what is then seen as one.
		if o.Symbol.Kind == witness.Triangle && o.Symbol.Count == 1 && f.Holes > 0 && f.Hole < f.Area/4 {
			continue
		}
		singles = append(singles, Match{Symbol: o.Symbol, Score: found[i], Figure: f, Mask: shapes.fine[i]})
	}
	pieces, err = f.pieces()
	if err != nil {
		return nil, nil, err
	}
	weighed := func(list []Match) {
		for i := range list {
			c := &list[i]
			c.Misfit = look.MisfitOf(c.Score, view.Tuned.LearnedNoise())
			if n := len(c.Symbol.Shape); n > 0 {
				c.Misfit += cell.FittedOdds().Square * float64(n-1)
				if !c.inOnePiece() { // as hardly any are
					c.Misfit += view.Tuned.Evidence
				}
			}
		}
		slices.SortStableFunc(list, func(a, b Match) int { return cmp.Compare(a.Misfit, b.Misfit) })
	}
	weighed(singles)
	weighed(pieces)
	return witness.FirstOfEach(singles, func(c *Match) witness.Symbol { return c.Symbol }), pieces, nil
}

// Fills are the sides of pieces' squares as shares of their spacing: more than 1 where
// outlines make them larger.
func Fills() []float64 { return []float64{0.7, 0.8, 0.9, 1, 1.1, 1.2} }

// pieces compares a figure with pieces of all spacings and turns.
func (f *Figure) pieces() (out []Match, err error) {
	for _, degrees := range []float64{0, 10, 14, 18, 22, 26, 30, 36, 45, -10, -14, -18, -22, -26, -30, -36} {
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		lo, hi := [2]float64{9, 9}, [2]float64{-9, -9}
		for _, p := range f.outline {
			u, v := p[0]*cos+p[1]*sin, p[1]*cos-p[0]*sin
			lo, hi = [2]float64{min(lo[0], u), min(lo[1], v)}, [2]float64{max(hi[0], u), max(hi[1], v)}
		}
		wide, tall := hi[0]-lo[0], hi[1]-lo[1]
		for _, fill := range Fills() {
			for nx := 1; nx <= 5; nx++ {
				s := wide / (float64(nx-1) + fill)
				ny := int(math.Round(tall/s - fill + 1))
				if ny < 1 || ny > 5 || nx*ny == 1 && (degrees != 0 || fill != 1) || math.Abs(tall-(float64(ny-1)+fill)*s) > 0.14*s {
					continue
				}
				s = (s + tall/(float64(ny-1)+fill)) / 2
				// What is as large as a square between others is none of them. Outlined squares that
				// touch are larger than they are apart.
				if s > view.Tuned.LeastSymbol || s < 0.09 || f.Hole > view.Strongly*s*s {
					continue
				}
				g := &cell.PieceGrid{Cos: cos, Sin: sin, Block: s * fill, Spacing: s, Nx: nx, Ny: ny, Mx: (lo[0] + hi[0]) / 2, My: (lo[1] + hi[1]) / 2}
				out = append(out, f.piece(g, degrees)...)
			}
		}
	}
	rough := halved(f.Norm, genericSlack)
	for i := range out {
		c := &out[i]
		c.Figure = f
		c.Score = coefficient(rough, f.Drawn(c, c.Holes()[len(c.Holes())/2], GenericSide/2))
		if c.Score < leastPiece/2 || c.Symbol.Kind == witness.Negative {
			continue
		}
		discs := *c
		discs.round = true
		discs.Score = coefficient(rough, f.Drawn(&discs, 0, GenericSide/2))
		// A correlation below 0 is no likeness, however far below.
		if discs.Score > c.Score && look.MisfitOf(discs.Score, view.Tuned.LearnedNoise()) < look.MisfitOf(c.Score, view.Tuned.LearnedNoise())-view.Tuned.Evidence {
			*c = discs
		}
	}
	slices.SortStableFunc(out, func(a, b Match) int { return cmp.Compare(b.Score, a.Score) })
	out = slices.DeleteFunc(out, func(c Match) bool { return c.Score < leastPiece })
	out = out[:min(len(out), mostPieces)]
	// Of outlines the widths differ from look to look.
	var widths []Match
	for i := range out {
		for _, hole := range out[i].Holes() {
			c := out[i]
			c.Free = hole
			widths = append(widths, c)
		}
	}
	masks := make([]vision.Map, len(widths))
	vision.SideBySide(len(widths), func(i int) { masks[i] = f.Drawn(&widths[i], widths[i].Free, GenericSide) })
	found := vision.Match(f.Norm, masks)
	k := 0
	for i := range out {
		n := len(out[i].Holes())
		best := k
		for j := k; j < k+n; j++ {
			widths[j].Score, widths[j].Mask = found[j].Score, masks[j]
			if found[j].Score > found[best].Score {
				best = j
			}
		}
		out[i] = widths[best]
		k += n
	}
	return out, nil
}

// Left is what a proposed shape leaves of a figure, or shows beyond it, at most in a part of
// the normal view, as a share of how strongly the figure shows.
func (p *Match) Left() float64 {
	const side, part = GenericSide + 2*genericSlack, 5
	least := math.Inf(1)
	for shift := range (2*genericSlack + 1) * (2*genericSlack + 1) {
		dx, dy := shift%(2*genericSlack+1), shift/(2*genericSlack+1)
		shape := func(k int) float64 {
			i, j := k%side-dx, k/side-dy
			if min(i, j) < 0 || max(i, j) >= GenericSide {
				return 0
			}
			return float64(p.Mask.V[j*GenericSide+i])
		}
		seen, both := 0.0, 0.0
		for k, v := range p.Figure.Norm.V {
			w := shape(k)
			seen, both = seen+float64(v)*w, both+w*w
		}
		gain := seen / max(both, 1e-9)
		most := 0.0
		var sums [side + 1][side + 1]float64
		for k, v := range p.Figure.Norm.V {
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
func (f *Figure) piece(g *cell.PieceGrid, degrees float64) []Match {
	var squares []image.Point
	for b := range g.Ny {
		for a := range g.Nx {
			if f.covered(g, image.Pt(a, b), 0.38) > 0.38 {
				squares = append(squares, image.Pt(a, b))
			}
		}
	}
	if !spansBox(squares, g.Nx, g.Ny) {
		return nil
	}
	s := witness.Symbol{Kind: witness.Polyomino, Shape: squares, Turnable: degrees != 0 && len(squares) > 1}
	full := Match{Symbol: s, Spacing: g.Spacing, Block: g.Block, Degrees: degrees, Grid: g}
	outlined := full
	outlined.Symbol.Kind = witness.Negative
	return []Match{full, outlined}
}

// Holes are how large a part of its squares' side may be free in the middle.
func (p *Match) Holes() []float64 {
	if p.Symbol.Kind == witness.Negative {
		return []float64{0.45, 0.58, 0.7}
	}
	return []float64{0}
}

// Drawn is a proposed piece in the normal view, in each of whose squares so large a part of
// its side is free, so many samples each way and blurred as the picture is.
func (f *Figure) Drawn(p *Match, hole float64, side int) vision.Map {
	g := p.Grid
	reach := p.Block / 2 / g.Spacing
	full := make([]bool, g.Nx*g.Ny)
	for _, q := range p.Symbol.Shape {
		full[q.Y*g.Nx+q.X] = true
	}
	// How far from the grid's middle its squares reach, but for rounding.
	wide, tall := (1+1e-9)*(float64(g.Nx-1)/2+reach)*g.Spacing, (1+1e-9)*(float64(g.Ny-1)/2+reach)*g.Spacing
	in := func(across, down float64) bool { // from the grid's middle, in pitches
		if math.Abs(across) > wide || math.Abs(down) > tall {
			return false
		}
		// From the middle of the grid's first square, in spacings.
		u, v := across/g.Spacing+float64(g.Nx-1)/2, down/g.Spacing+float64(g.Ny-1)/2
		is := false
		for j := max(0, int(math.Ceil(v-reach))); j < g.Ny && float64(j) <= v+reach; j++ {
			for i := max(0, int(math.Ceil(u-reach))); i < g.Nx && float64(i) <= u+reach; i++ {
				if full[j*g.Nx+i] {
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
	step := GenericSide / float64(side) / f.Scale
	offset := func(i int) float64 { return (float64(i/sub) + (float64(i%sub)+0.5)/sub - float64(side)/2) * step }
	cos, sin := make([]float64, sub*side), make([]float64, sub*side) // of the turn, times each column's place
	for i := range cos {
		x := f.Mx + offset(i)
		cos[i], sin[i] = x*g.Cos, x*g.Sin
	}
	for j := range sub * side {
		y := f.My + offset(j)
		row := m.V[j/sub*side:][:side]
		for i := range cos {
			if in(cos[i]+y*g.Sin-g.Mx, y*g.Cos-sin[i]-g.My) {
				row[i/sub] += 1.0 / sub / sub
			}
		}
	}
	return shape.BlurMap(m, f.Sigma*float64(side)/GenericSide)
}

// covered is how much of a grid's square a figure covers, within some part of its side
// from the middle each way.
func (f *Figure) covered(g *cell.PieceGrid, square image.Point, part float64) float64 {
	sum, n := 0.0, 0.0
	for k := -2; k <= 2; k++ {
		for l := -2; l <= 2; l++ {
			sum, n = sum+float64(f.CoverAt(g.Place(square, part*g.Block*float64(k)/2, part*g.Block*float64(l)/2))), n+1
		}
	}
	return sum / n
}

// CoverAt is how strongly a figure shows at a place in pitches from its cell's middle.
func (f *Figure) CoverAt(x, y float64) float32 {
	px, py := (x+0.5)*look.CellSide-0.5, (y+0.5)*look.CellSide-0.5
	if px < 0 || py < 0 || px > look.CellSide-1 || py > look.CellSide-1 {
		return 0
	}
	return look.Sampled(f.Mask, px, py)
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
func (p *Match) inOnePiece() bool {
	area, nx := p.Symbol.Shape, p.Grid.Nx
	full := func(k int) bool { return slices.Contains(area, image.Pt(k%nx, k/nx)) }
	return len(shape.Connected(area[0].Y*nx+area[0].X, nx, make([]bool, nx*p.Grid.Ny), full)) == len(area)
}
