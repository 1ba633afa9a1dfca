package cell

import (
	"cmp"
	"math"
	"slices"

	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/cv"
	"onlooker/vision/witness/colour"
	"onlooker/vision/witness/shape"
	"onlooker/vision/witness/view"
)

// A basis is a shape drawn to be fitted to a stain: blurred as a frame is, and
// by how much that changes where it is moved, stretched, turned, blurred a little
// more, or its parts are bolder, or where the cell is a little brighter; at each
// of a sight's pixels. The last is what the other tone shows, of which a part goes over
// into this one where a picture is compressed, or too bright.
type basis [12][]float64

// basisOf blurs a drawn shape by a Gaussian of the given sigma in pixels. It is so many
// times as bright as can be shown. It takes the place of one that is not needed any more.
func (v *sight) basisOf(old basis, g *Stain, drawn []float64, blur, times float64) basis {
	b := old
	if b[0] == nil {
		all := make([]float64, (len(b)-1)*len(v.inside))
		for k := range b[:len(b)-1] {
			b[k] = all[k*len(v.inside) : (k+1)*len(v.inside)]
		}
	}
	pic := cv.Blurred(drawn, g.N, blur*g.Scale)
	if times != 1 {
		for k, cover := range pic {
			pic[k] = min(1, times*cover)
		}
	}
	for p, at := range v.inside {
		i, j := at%v.w, at/v.w
		k := (j+1)*fine*g.N + (i+1)*fine
		l, r, up, down := pic[k-1], pic[k+1], pic[k-g.N], pic[k+g.N]
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
// radians, squares of pixels, pixels, and shares of the cover from side to side. How
// much of one tone goes over into the other see tone.
var loose = [len(basis{}) - 1]float64{10, 0.1, 1, 1, 0.07, 0.07, 0.05, 0.5, 0.5, 0.1, 0.1}

// A regression is the sums that a linear regression on a basis needs: of products of
// two of its columns, of each with what is seen, and of that with itself.
type regression struct {
	columns [len(basis{})][len(basis{})]float64
	seen    [len(basis{})]float64
	all     float64
}

// regression is that of what is seen, where the other tone shows something.
func (b *basis) regression(seen, other []float64) (r regression) {
	last := len(b) - 1
	b[last] = other
	var all [len(basis{}) + 1][]float64
	all[copy(all[:], b[:])] = seen
	var sums [len(all)]float64
	for p := range b {
		for k, v := range products(sums[:0], b[p], all[p:]) {
			if q := p + k; q <= last {
				r.columns[p][q], r.columns[q][p] = v, v
			} else {
				r.seen[p] = v
			}
		}
	}
	r.all = product(seen, seen)
	return r
}

// turned is a regression of what the other tone shows on what is seen.
func (r regression) turned() regression {
	last := len(r.seen) - 1
	for p := range last {
		r.seen[p], r.columns[p][last] = r.columns[p][last], r.seen[p]
		r.columns[last][p] = r.columns[p][last]
	}
	r.all, r.columns[last][last] = r.columns[last][last], r.all
	return r
}

// less is what is left of a regression without that on a part of what is seen that is
// orthogonal to the rest.
func (r regression) less(o regression) regression {
	for p := range r.columns {
		for q := range r.columns {
			r.columns[p][q] -= o.columns[p][q]
		}
		r.seen[p] -= o.seen[p]
	}
	r.all -= o.all
	return r
}

// rest is the sum of the squares that the best fit leaves, and the penalty for how far
// the shape had to stray; over is how much of the other tone may have gone over.
func (r regression) rest(over float64) float64 {
	a, y, e := r.columns, r.seen, r.all
	for p := range a {
		// 0.1: as much as a pixel is off where a picture is not clear.
		stray := over
		if p < len(loose) {
			stray = loose[p]
		}
		a[p][p] += math.Pow(0.1/stray, 2)
	}
	// What each column takes off the squares, once what the others take is off it.
	for c := range a {
		e -= y[c] * y[c] / a[c][c]
		for k := c + 1; k < len(a); k++ {
			f := a[k][c] / a[c][c]
			for q := c; q < len(a); q++ {
				a[k][q] -= f * a[c][q]
			}
			y[k] -= f * y[c]
		}
	}
	return max(e, 0)
}

// misfits are how far what is seen is from a shape where that fits best, in each
// scale of each tone: the logarithm of the mean square. Of its pixels' tints a
// compressed picture has the mean of four, so that what a pixel differs from that by is
// told apart from it.
func (v *sight) misfits(b basis) (m [scales]float64) {
	logarithm := func(r regression, t tone) float64 {
		return math.Log(r.rest(t.over)/float64(max(1, len(t.cover))) + t.least)
	}
	light, tint := v.tones[0], v.tones[1]
	pixels := b.regression(light.cover, tint.cover)
	m[0] = logarithm(pixels, light)
	turned := pixels.turned()
	var mean basis
	all := v.means(append(b[:len(b)-1:len(b)-1], light.cover, tint.cover))
	copy(mean[:], all[:len(b)-1])
	means := mean.regression(all[len(b)], all[len(b)-1])
	m[1], m[2] = logarithm(means, tint), logarithm(turned.less(means), tint)
	return m
}

// scales are those of misfits: the light of pixels, the tint of four, and by what
// those of the four differ.
const scales = 3

// means are, of each list, the means of each block, times the root of how many pixels it
// has.
func (v *sight) means(lists [][]float64) [][]float64 {
	out, all := make([][]float64, len(lists)), make([]float64, len(lists)*len(v.blocks))
	for i, c := range lists {
		out[i] = all[i*len(v.blocks) : (i+1)*len(v.blocks)]
		for p, k := range v.blockOf {
			out[i][k] += c[p]
		}
	}
	for k, n := range v.blocks {
		root := math.Sqrt(float64(n))
		for i := range out {
			out[i][k] /= root
		}
	}
	return out
}

// blue tells whether a stain's colour is.
func (st *Stain) blue() bool { return st.Col[2] > (1+view.Clearly)*max(st.Col[0], st.Col[1]) }

// blueness is how much the colour of a piece's stain says that it is blue: from -1, it is
// not, to 1. Of 7,742 pieces on 7,007 drawn boards, mixed with their cell's colour, 1.15 to
// 1.3 times as much blue as red or green says nothing (15 blue, 44 others), less and more
// nearly all that a colour can.
func blueness(c vision.RGB) float64 {
	times := c[2] / max(1, c[0], c[1])
	return max(-1, min(1, (times-1-view.Slightly)/(view.Clearly/2)))
}

// products appends those of one with each of others, four at a time: their sums do not wait
// for each other.
func products(out, a []float64, others [][]float64) []float64 {
	for ; len(others) >= 4; others = others[4:] {
		b, c, d, e := others[0][:len(a)], others[1][:len(a)], others[2][:len(a)], others[3][:len(a)]
		var x, y, z, u float64
		for i, v := range a {
			x += v * b[i]
			y += v * c[i]
			z += v * d[i]
			u += v * e[i]
		}
		out = append(out, x, y, z, u)
	}
	for _, b := range others {
		out = append(out, product(a, b))
	}
	return out
}

func product(a, b []float64) float64 {
	sum := 0.0
	b = b[:len(a)]
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

// cuts are by how many times brighter than can be shown a stain's symbol may be: so much
// more of it is seen where it covers a part only. 1.6: drawn boards are brightened by half.
func (st *Stain) cuts() []float64 {
	if max(st.Col[0], st.Col[1], st.Col[2]) > colour.NearWhite {
		return []float64{1, 1.25, 1.6}
	}
	return []float64{1}
}

// A Fitted symbol is one that a stain may be, and its misfit.
type Fitted struct {
	Sym     witness.Symbol
	scales  [scales]float64 // see sight.misfits
	Misfit  float64         // see Odds
	guessed bool            // not only as a guess's twin
	forms   int             // that were fitted, of which the first is so like what is seen
	like    float64
	// outlined is by how much a full piece fits better as outlines that are thicker than the
	// look's, where it does.
	outlined float64
}

// Fits says how well the likeliest guesses fit, the best first: all of what is
// measured counts, not only what of it is more or less than half covered.
func (s *Reader) Fits(st *Stain, g []guess) []Fitted {
	v := s.Sight(st)
	tints := v
	if st.Glare != nil { // white light changes no tint
		all := *st
		all.over, all.Glare = st.all, nil
		tints = s.Sight(&all)
	}
	var out []Fitted
	cuts, most := st.cuts(), 8
	try := func(o guess, sym witness.Symbol, f shape.Area, guessed bool) {
		if f == nil {
			return
		}
		k := slices.IndexFunc(out, func(o Fitted) bool { return witness.SameSymbol(o.Sym, sym) })
		if k >= 0 {
			out[k].guessed = out[k].guessed || guessed
			// A second form that is less like it has never been the better one by much: the
			// loss of the odds on 1,576 symbols is 0.0196 with these alone, 0.0201 with all.
			if out[k].forms == 2 || o.score < out[k].like-view.Hardly {
				return
			}
		}
		// The likeliest guess is fitted in any case.
		if k < 0 && len(out) == most || len(out) > 0 && !v.holds(f) {
			return
		}
		if k < 0 {
			k = len(out)
			out = append(out, Fitted{Sym: sym, scales: [scales]float64{math.Inf(1), math.Inf(1), math.Inf(1)}, guessed: guessed, like: o.score})
		}
		out[k].forms++
		m := v.fit(f, cuts)
		if tints != v {
			of := tints.fit(f, cuts)
			m[1], m[2] = of[1], of[2]
		}
		for i := range m {
			out[k].scales[i] = min(out[k].scales[i], m[i])
		}
	}
	both := func(o guess) {
		try(o, o.sym, o.form, true)
		twin := o.sym
		twin.Kind = witness.TwinKind(twin.Kind)
		try(o, twin, o.twin, false) // pieces alone have one
	}
	squared := false
	for _, o := range g {
		// Of the same symbols none is told better by those that are less like them.
		if o.score < g[0].score-view.Slightly {
			break
		}
		both(o)
		squared = squared || o.sym.Kind == witness.Square
	}
	if squared {
		most += 4 // and none of the others is left out for these
		for _, four := range s.Templates.fours(st) {
			both(four)
		}
	}
	shown := s.Visible(v, st)
	for i := range out {
		out[i].Misfit = s.Odds.Misfit(&out[i], shown)
	}
	slices.SortStableFunc(out, func(a, b Fitted) int { return cmp.Compare(a.Misfit, b.Misfit) })
	if out[0].Sym.Kind == witness.Polyomino {
		out[0].outlined = s.thickOutlines(v, st, g, out[0], shown)
	}
	return out
}

// thickOutlines is by how much a piece of full squares fits better as thick outlines than full,
// in the forms of all guesses that have its squares.
func (s *Reader) thickOutlines(v *sight, st *Stain, g []guess, full Fitted, shown Visible) float64 {
	cuts, best := st.cuts(), math.Inf(1)
	for _, o := range g {
		if o.thick == nil || !witness.SameSymbol(o.sym, full.Sym) && !witness.Twins(o.sym, full.Sym) {
			continue
		}
		thick := Fitted{Sym: full.Sym, scales: v.fit(o.thick, cuts), guessed: full.guessed}
		best = min(best, s.Odds.Misfit(&thick, shown))
		for i, m := range v.fit(o.full(), cuts) {
			full.scales[i] = min(full.scales[i], m)
		}
	}
	return max(0, s.Odds.Misfit(&full, shown)-best)
}

// fit is how badly a shape fits, in each scale: see misfits. Each is as blurred as it fits
// best: a compressed picture blurs tints more.
func (v *sight) fit(f shape.Area, cuts []float64) (least [scales]float64) {
	least = [scales]float64{math.Inf(1), math.Inf(1), math.Inf(1)}
	picture, drawn := v.draw(f)
	var b basis
	for _, blur := range []float64{0.7, 1.25} {
		for _, times := range cuts {
			b = v.basisOf(b, picture, drawn, blur/v.step, times)
			for i, m := range v.misfits(b) {
				least[i] = min(least[i], m)
			}
		}
	}
	return least
}

// clearOdds is the logarithm of the odds that are as good as certain: a confidence of
// 0.6 is a fifth of it. Of 1,320 symbols on 200 drawn boards, a quarter of which had been
// refused, the one that fits best was right in all but 16 cases, and in all where the
// evidence was 0.15 of what is clear and more: TestFitOdds.
const clearOdds = 26

// Clear is the evidence that is as good as certain.
func (o *Odds) Clear() float64 { return clearOdds * o.Temperature }

// Sure is how sure a decision is for which there is so much evidence.
func (o *Odds) sure(evidence float64) float64 { return view.Sure(evidence, 0, o.Clear()) }

// Evidence says by how much one symbol fits better than another, or is likelier.
func Evidence(a, b Fitted) float64 { return b.Misfit - a.Misfit }
