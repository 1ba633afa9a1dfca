package witness

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"onlooker/solve/witness"
)

// A basis is a shape drawn to be fitted to a stain: blurred as a frame is, and
// by how much that changes where it is moved, stretched, turned, blurred a little
// more, or its parts are bolder, or where the cell is a little brighter; at each
// of a sight's pixels.
type basis [11][]float64

// basisOf blurs a drawn shape by a Gaussian of the given sigma in pixels.
func (v *sight) basisOf(g *stain, drawn []float64, blur float64) basis {
	var b basis
	all := make([]float64, len(b)*len(v.inside))
	for k := range b {
		b[k] = all[k*len(v.inside) : (k+1)*len(v.inside)]
	}
	pic := g.spread(drawn, blur)
	for p, at := range v.inside {
		i, j := at%v.w, at/v.w
		k := (j+1)*fine*g.n + (i+1)*fine
		l, r, up, down := pic[k-1], pic[k+1], pic[k-g.n], pic[k+g.n]
		dx, dy := (r-l)/2*fine, (down-up)/2*fine
		x, y := float64(i)+v.u, float64(j)+v.v
		b[0][p], b[1][p] = pic[k], 1
		b[2][p], b[3][p] = dx, dy
		b[4][p], b[5][p] = dx*x, dy*y
		b[6][p] = dx*y - dy*x
		b[7][p] = (l + r + up + down - 4*pic[k]) * fine * fine
		b[8][p] = math.Hypot(dx, dy)
		b[9][p], b[10][p] = 2*x/float64(v.w), 2*y/float64(v.h)
	}
	return b
}

// loose is how far a shape may stray from where and how it was drawn: its
// brightness and the cell's as shares of the cover, pixels, shares of its size,
// radians, squares of pixels, pixels, and shares of the cover from side to side.
var loose = [len(basis{})]float64{10, 0.1, 1, 1, 0.07, 0.07, 0.05, 0.5, 0.5, 0.1, 0.1}

// misfit is the mean square of what each tone differs from a shape where that
// fits best, and the penalty for how far it had to stray: a linear regression.
// It is the weighed sum of the logarithms: each tone tells for itself.
func (v *sight) misfit(b basis) float64 {
	const m = len(b)
	var a [m][m + 2]float64
	for p := range m {
		for q := p; q < m; q++ {
			a[p][q] = product(b[p], b[q])
		}
		for t := range v.tones {
			a[p][m+t] = product(b[p], v.tones[t].cover)
		}
		for q := range p {
			a[p][q] = a[q][p]
		}
		// 0.1: as much as a pixel is off where a picture is not clear.
		a[p][p] += math.Pow(0.1/loose[p], 2)
	}
	// What each column takes off the squares, once what the others take is off it.
	var off [2]float64
	for c := range m {
		for t := range off {
			off[t] += a[c][m+t] * a[c][m+t] / a[c][c]
		}
		for r := c + 1; r < m; r++ {
			f := a[r][c] / a[c][c]
			for k := c; k < len(a[r]); k++ {
				a[r][k] -= f * a[c][k]
			}
		}
	}
	// Of its pixels' colour a compressed picture has a quarter.
	weights := [2]float64{1, 0.5}
	sum := 0.0
	for t, tone := range v.tones {
		e := product(tone.cover, tone.cover) - off[t]
		sum += weights[t] * math.Log(max(e, 0)/float64(max(1, len(tone.cover)))+tone.least)
	}
	return sum
}

func product(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

// A fitted symbol is one that a stain may be, and its misfit.
type fitted struct {
	sym     witness.Symbol
	misfit  float64 // see sight.misfit
	guessed bool    // not only as a guess's twin
}

// fits says how well the likeliest guesses fit, the best first: all of what is
// measured counts, not only what of it is more or less than half covered.
func (s *sheet) fits(st *stain, g []guess) []fitted {
	v := s.sight(st)
	var out []fitted
	try := func(sym witness.Symbol, f shape, guessed bool) {
		if f == nil {
			return
		}
		if k := slices.IndexFunc(out, func(o fitted) bool { return sameSymbol(o.sym, sym) }); k >= 0 {
			out[k].guessed = out[k].guessed || guessed
			return // the likeliest of its forms was fitted
		}
		// The likeliest guess is fitted in any case.
		if len(out) == 8 || len(out) > 0 && !v.holds(f) {
			return
		}
		fit := math.Inf(1)
		picture, drawn := v.draw(f)
		for _, blur := range []float64{0.7, 1.25} {
			fit = min(fit, v.misfit(v.basisOf(picture, drawn, blur/v.step)))
		}
		out = append(out, fitted{sym, fit, guessed})
	}
	corners := sync.OnceValue(st.lobes)
	for _, o := range g {
		// 0.4: by as much is a square more like four squares that run together.
		if o.score < g[0].score-0.4 {
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
			try(witness.Symbol{}, func(u, v float64) bool { return math.Hypot(u-x, v-y) < r }, true)
		}
	}
	slices.SortStableFunc(out, func(a, b fitted) int { return cmp.Compare(a.misfit, b.misfit) })
	return out
}

// clearEvidence is the evidence that is as good as certain: a confidence of 0.6
// is a fifth of it. Of 1,884 symbols on 300 drawn boards the one that fits best
// was right in all but 24 cases, and where the evidence was a fifth and more in
// all but one, which was taken for the pointer: TestEvidence.
const clearEvidence = 1.5

// evidence says by how much one symbol fits better than another: the logarithm
// of the ratio of their misfits.
func (s *sheet) evidence(st *stain, a, b fitted) float64 {
	e := b.misfit - a.misfit
	// The squares of blue pieces are outlines in the game, those of others are
	// not: what is seen to be the other way about must be seen more clearly.
	usual := witness.Polyomino
	against := 4.0 // a picture too bright draws squares together but for their corners
	if st.col[2] > 1.3*max(st.col[0], st.col[1]) {
		usual, against = witness.Negative, 2
	}
	if x, y := a.sym.Kind, b.sym.Kind; x != y && isPiece(x) && isPiece(y) {
		if x != usual {
			e /= against
		}
		// Where a square is 6 pixels wide its middle tells as well.
		if a.guessed && !b.guessed && s.look.Symbols.Block*s.b.ScreenPitch > 5.8 {
			e += 0.2
		}
	}
	return e
}
