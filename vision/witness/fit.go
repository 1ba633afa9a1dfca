package witness

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"onlooker/solve/witness"
)

// A basis is a shape drawn to be fitted to a stain: blurred as a frame is, and
// by how much that changes where it is moved, stretched, turned or blurred a
// little more, or where the cell is a little brighter.
type basis [11][]float64

// coarse is a stain's cover by squares of two by two pixels: no frame of less
// than 32 pixels a cell shows more.
func (st *stain) coarse() *stain {
	out := &stain{n: st.n / 2, scale: st.scale / 2, box: st.box}
	out.plain = make([]float64, out.n*out.n)
	for j := range out.n {
		for i := range out.n {
			p := st.plain[2*j*st.n+2*i:]
			out.plain[j*out.n+i] = (p[0] + p[1] + p[st.n] + p[st.n+1]) / 4
		}
	}
	return out
}

// basisOf blurs a drawn shape by a Gaussian of the given sigma in pitches.
func (st *stain) basisOf(drawn []float64, blur float64) basis {
	n := st.n
	var b basis
	all := make([]float64, len(b)*n*n)
	for k := range b {
		b[k] = all[k*n*n : (k+1)*n*n]
	}
	b[0] = st.spread(drawn, blur)
	b[8] = st.spread(b[0], 0.08)
	at := func(i, j int) float64 {
		if i < 0 || j < 0 || i >= n || j >= n {
			return 0
		}
		return b[0][j*n+i]
	}
	for j := range n {
		for i := range n {
			k := j*n + i
			dx, dy := (at(i+1, j)-at(i-1, j))/2, (at(i, j+1)-at(i, j-1))/2
			x, y := float64(i)+0.5-float64(n)/2, float64(j)+0.5-float64(n)/2
			b[1][k] = 1
			b[2][k], b[3][k] = dx, dy
			b[4][k], b[5][k] = dx*x, dy*y
			b[6][k] = dx*y - dy*x
			b[9][k], b[10][k] = 2*x/float64(n), 2*y/float64(n)
			b[7][k] = at(i+1, j) + at(i-1, j) + at(i, j+1) + at(i, j-1) - 4*at(i, j)
		}
	}
	return b
}

// loose is how far a shape may stray from where and how it was drawn: its
// brightness and the cell's as shares of the cover, pixels, shares of its size,
// radians, and squares of pixels.
var loose = basis{{10}, {0.1}, {1}, {1}, {0.07}, {0.07}, {0.05}, {0.5}, {0.3}, {0.1}, {0.1}}

// misfit is the mean square of what the stain differs from a shape where that
// fits best, and the penalty for how far it had to stray: a linear regression.
func (st *stain) misfit(b basis) float64 {
	const m = len(b)
	var a [m][m + 1]float64
	e, n := 0.0, 0.0
	// 0.07 of the pitch: blur and glow. Other light on the cell does not count.
	pixel := func(v float64) int { return max(0, min(st.n-1, int(v*st.scale+float64(st.n)/2))) }
	for j := pixel(st.box[1] - 0.07); j <= pixel(st.box[3]+0.07); j++ {
		for i := pixel(st.box[0] - 0.07); i <= pixel(st.box[2]+0.07); i++ {
			k := j*st.n + i
			y := st.plain[k]
			e, n = e+y*y, n+1
			for p := range m {
				v := b[p][k]
				for q := p; q < m; q++ {
					a[p][q] += v * b[q][k]
				}
				a[p][m] += v * y
			}
		}
	}
	for p := range m {
		for q := range p {
			a[p][q] = a[q][p]
		}
		// 0.1: as much as a pixel is off where a picture is not clear.
		a[p][p] += math.Pow(0.1/loose[p][0], 2)
	}
	// What each column takes off the squares, once what the others take is off it.
	for c := range m {
		e -= a[c][m] * a[c][m] / a[c][c]
		for r := c + 1; r < m; r++ {
			f := a[r][c] / a[c][c]
			for k := c; k <= m; k++ {
				a[r][k] -= f * a[c][k]
			}
		}
	}
	return max(e, 0) / n
}

// A fitted symbol is one that a stain may be, and its misfit.
type fitted struct {
	sym     witness.Symbol
	misfit  float64
	guessed bool // not only as a guess's twin
}

// fits says how well the likeliest guesses fit, the best first: all of what is
// measured counts, not only what of it is more or less than half covered.
func (s *sheet) fits(st *stain, g []guess) []fitted {
	c := st.coarse()
	var out []fitted
	tried := map[int]int{} // forms of each symbol
	try := func(sym witness.Symbol, f shape, guessed bool) {
		if f == nil {
			return
		}
		k := slices.IndexFunc(out, func(o fitted) bool { return sameSymbol(o.sym, sym) })
		if k < 0 {
			if k = len(out); k == 8 {
				return
			}
			out = append(out, fitted{sym: sym, misfit: math.Inf(1)})
		}
		// Three sizes.
		if tried[k]++; tried[k] > 3 {
			return
		}
		out[k].guessed = out[k].guessed || guessed
		drawn := c.sharp(f)
		for _, blur := range []float64{0.5, 1.1} {
			out[k].misfit = min(out[k].misfit, c.misfit(c.basisOf(drawn, blur/s.b.ScreenPitch)))
		}
	}
	corners := sync.OnceValue(st.lobes)
	for _, o := range g {
		if o.score < g[0].score-0.3 {
			break
		}
		try(o.sym, o.form, true)
		twin := o.sym
		switch o.sym.Kind {
		case witness.Polyomino:
			twin.Kind = witness.Negative
		case witness.Negative:
			twin.Kind = witness.Polyomino
		}
		try(twin, o.twin, false)
		// A square of one block has corners, the pointer's disc has none.
		if len(o.sym.Shape) == 1 && corners() < 0.04 {
			x, y := (st.box[0]+st.box[2])/2, (st.box[1]+st.box[3])/2
			r := (st.box[2] - st.box[0] + st.box[3] - st.box[1]) / 4
			for _, k := range []float64{0.85, 1, 1.15} {
				try(witness.Symbol{}, func(u, v float64) bool { return math.Hypot(u-x, v-y) < k*r }, true)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b fitted) int { return cmp.Compare(a.misfit, b.misfit) })
	return out
}

// clearEvidence is the evidence that is as good as certain: a confidence of 0.6
// is a fifth of it. Of 2,247 symbols on 400 drawn boards the one that fits best
// was right in 47 % of cases below a twentieth of it, 81 % up to a tenth, 93 %
// up to 0.15, and from a fifth up all but one of 1,831 were: TestEvidence.
const clearEvidence = 2.25

// evidence says by how much one symbol fits better than another: the logarithm
// of the ratio of their misfits.
func (s *sheet) evidence(st *stain, a, b fitted) float64 {
	// 0.007 of the cover: what rounding to whole levels leaves of the clearest picture.
	const least = 0.007 * 0.007
	e := math.Log((b.misfit + least) / (a.misfit + least))
	star := a.sym.Kind == witness.Star && b.sym.Kind == witness.Square
	if star || a.sym.Kind == witness.Square && b.sym.Kind == witness.Star {
		// Stars glow, which makes them like squares, and swing by .023 and less,
		// squares by .049 and more; in cells of less than 56 pixels a few pixels
		// swing either.
		swing := 20 * max(0, 0.036-st.lobes()) * max(0, min(1, (s.b.ScreenPitch-40)/16))
		if !star {
			swing = -swing
		}
		e += swing
	}
	// The squares of blue pieces are outlines in the game, those of others are
	// not: what is seen to be the other way about must be seen more clearly.
	usual := witness.Polyomino
	against := 4.0 // a picture too bright draws squares together but for their corners
	if st.col[2] > 1.3*max(st.col[0], st.col[1]) {
		usual, against = witness.Negative, 2
	}
	pieces := func(k witness.Kind) bool { return k == witness.Polyomino || k == witness.Negative }
	if x, y := a.sym.Kind, b.sym.Kind; x != y && pieces(x) && pieces(y) {
		if x == usual {
			e *= 1.5
		} else {
			e /= against
		}
		// Where a square is 6 pixels wide its middle tells as well.
		if a.guessed && !b.guessed && s.look.Symbols.Block*s.b.ScreenPitch > 5.8 {
			e += 0.3
		}
	}
	return e
}
