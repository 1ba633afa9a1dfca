package cell

import (
	"cmp"
	"image"
	"math"
	"slices"

	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/witness/colour"
	"onlooker/vision/witness/shape"
	"onlooker/vision/witness/view"
)

// own are the columns of a basis of which each channel has shares of its own: the shape,
// the ground, and how that changes from side to side.
func own() [4]int { return [4]int{0, 1, 9, 10} }

const (
	firstBent = 2
	channels  = 3 // red, green and blue
)

// A bent is by how much a shape is moved, stretched, turned, more blurred and bolder: the
// columns of a basis from firstBent on, of which all channels have the same shares.
type bent [7]float64

// loosely is how far a shape may stray whose colour is not known: in pixels, shares of its
// size, radians, squares of pixels by which it is more blurred, and pixels by which it is
// bolder.
func loosely() bent { return bent{0.5, 0.5, 0.03, 0.03, 0.02, 0.2, 0.1} }

// beside is how far round what is in a cell is looked at for its colour, in pitches.
const beside = 0.18

// unmixed is the colour of a symbol whose parts are so thin that the cell's is mixed with
// it wherever it is seen: of the blur and the noise that explain it best.
func (s *Reader) unmixed(st *Stain, sym witness.Symbol) vision.RGB {
	ground := s.UnlitGround(st.at.X, st.at.Y)
	form, ok := s.Templates.Forms.Of(sym.Kind)
	if !ok {
		return ground
	}
	var c sight
	for k, side := range [4]float64{-1, -1, 1, 1} {
		c.box[k] = st.box[k] + side*beside
	}
	c.frame(s.View, st.at, 1)
	var seen [channels][]float64
	for k := range c.w * c.h {
		x, y := c.place(float64(k%c.w), float64(k/c.w))
		over, ok := st.overAt(x, y)
		if !ok || c.outside(x, y) || st.hides(x, y) || st.glaring(x, y) {
			continue
		}
		c.inside = append(c.inside, k)
		for t := range seen {
			seen[t] = append(seen[t], over[t])
		}
	}
	picture, drawn := c.draw(shape.Drawn(form.Parts(&s.Sizes, sym), 1, 0))
	nothing := make([]float64, len(c.inside))
	best, colour := math.Inf(-1), vision.RGB{}
	for _, blur := range []float64{0.4, 0.7, 1, 1.3} {
		b := c.basisOf(basis{}, picture, drawn, blur, 1)
		var all [channels]regression
		for t := range all {
			all[t] = b.regression(seen[t], nothing)
		}
		for _, noise := range []float64{1, 2, 4, 8} { // levels by which the picture may be off
			variance := noise*noise + 1.0/12 // and by rounding
			rest, shares := fitted(&all, variance)
			if l := -(channels*float64(len(c.inside))*math.Log(variance) + rest) / 2; l > best {
				best, colour = l, shares
			}
		}
	}
	return ground.Add(colour)
}

// hides tells whether a place, in pitches from the cell's centre, shows nothing of the
// cell.
func (st *Stain) hides(x, y float64) bool {
	i, j := int(math.Floor(x*st.Scale+float64(st.N)/2)), int(math.Floor(y*st.Scale+float64(st.N)/2))
	return i < 0 || j < 0 || i >= st.N || j >= st.N || st.beside[j*st.N+i]
}

// fitted is the sum of the squares that the best fit of a shape leaves, in variances, and
// the penalty for how far it had to stray; and by how much each channel differs in it. All
// channels show the same shape, each in shares of its own: what these are depends on how it
// is bent, and the other way about.
func fitted(sums *[channels]regression, variance float64) (best float64, of vision.RGB) {
	var by bent
	best = math.Inf(1)
	var shares vision.RGB
	for t := range sums {
		shares[t], _ = sums[t].alone(&by)
	}
	loose := loosely()
	for range 4 {
		by = bend(sums, shares, variance)
		all := 0.0
		for t := range sums {
			var rest float64
			shares[t], rest = sums[t].alone(&by)
			all += rest / variance
		}
		for k, v := range by {
			all += math.Pow(v/loose[k], 2)
		}
		if all < best {
			best, of = all, shares
		}
	}
	return best, of
}

// alone fits a shape that is bent so to one channel: what share of it is seen, and the sum
// of the squares that are left.
func (r *regression) alone(by *bent) (share, rest float64) {
	weights := [len(basis{})]float64{0: 1}
	copy(weights[firstBent:], by[:])
	columns := own()
	var a [len(columns)][]float64
	var y [len(columns)]float64
	for i := range a {
		a[i] = make([]float64, len(columns)+1)
	}
	// The first column is the shape as it is bent.
	of := func(p int) [len(basis{})]float64 {
		if p == 0 {
			return weights
		}
		var one [len(basis{})]float64
		one[p] = 1
		return one
	}
	for i, p := range columns {
		wi := of(p)
		for k, v := range wi {
			y[i] += v * r.seen[k]
		}
		for j, q := range columns {
			wj := of(q)
			for k, v := range wi {
				for l, u := range wj {
					a[i][j] += v * u * r.columns[k][l]
				}
			}
		}
		a[i][i] += 1e-9
		a[i][len(columns)] = y[i]
	}
	x, ok := vision.Solve(a[:], 0)
	if !ok {
		return 0, r.all
	}
	rest = r.all
	for i, v := range x {
		rest -= v * y[i]
	}
	return x[0], max(rest, 0)
}

// bend fits how a shape is bent where it is known which share of it each channel shows.
func bend(sums *[channels]regression, shares vision.RGB, variance float64) (by bent) {
	columns := own()
	const first = channels * len(columns)
	const n = first + len(by)
	var a [n][]float64
	for i := range a {
		a[i] = make([]float64, n+1)
		a[i][i] = 1e-9
	}
	for t := range sums {
		at, share := t*len(columns), shares[t]
		for i, p := range columns {
			a[at+i][n] = sums[t].seen[p] / variance
			for j, q := range columns {
				a[at+i][at+j] += sums[t].columns[p][q] / variance
			}
			for j := range by {
				v := share * sums[t].columns[p][firstBent+j] / variance
				a[at+i][first+j], a[first+j][at+i] = v, v
			}
		}
		for i := range by {
			a[first+i][n] += share * sums[t].seen[firstBent+i] / variance
			for j := range by {
				a[first+i][first+j] += share * share * sums[t].columns[firstBent+i][firstBent+j] / variance
			}
		}
	}
	for i, loose := range loosely() {
		a[first+i][first+i] += math.Pow(loose, -2)
	}
	if x, ok := vision.Solve(a[:], 0); ok {
		copy(by[:], x[first:])
	}
	return by
}

// blueBeneath takes a piece to be blue, or not, by its colour without the cell's where that
// is mixed with it everywhere: see Odds.Hue.
func (s *Reader) blueBeneath(st *Stain, f []Fitted) []Fitted {
	out, shown := slices.Clone(f), s.pieceColour(st.at, st.Col)
	for i, o := range f {
		against := s.Odds.hue(o.Sym.Kind, shown)
		if !o.Sym.Kind.IsPiece() || against == 0 || s.Templates.part(o.Sym) > view.Tuned.ThinPart || s.Board.Round() ||
			Evidence(f[0], o) > s.Odds.Hue+0.5*s.Odds.Clear() {
			continue
		}
		own := s.pieceColour(st.at, s.unmixed(st, o.Sym))
		out[i].Misfit += min(0, s.Odds.hue(o.Sym.Kind, own)-against)
	}
	slices.SortStableFunc(out, func(a, b Fitted) int { return cmp.Compare(a.Misfit, b.Misfit) })
	return out
}

// unmixedColours tells which symbols have one colour by what those with thin parts show
// once the cell's colour is taken off it; false where that cannot be told either.
func (s *Reader) unmixedColours(p *witness.Panel, cells []image.Point, cols []vision.RGB, stains []*Stain) (names []witness.Colour, certain float64, told bool) {
	if s.Board.Round() || s.Squeeze != 1 {
		return nil, 0, false
	}
	cols = slices.Clone(cols)
	// By how much they may be off then: of 490 erasers and pieces beside squares or stars of the
	// same colour on 608 drawn boards nine in ten are by 0.1 at most where the picture is
	// compressed, by 0.06 where it is not.
	off := view.Faintly
	for i, at := range cells {
		if sym := p.At(at).Symbol; s.Templates.part(sym) <= view.Tuned.ThinPart {
			c := s.unmixed(stains[i], sym)
			for k, v := range c {
				if c[k] = max(0, min(255, v)); math.Abs(v-c[k]) > off*255 { // it is not so thin, or more blurred
					return nil, 0, false
				}
			}
			cols[i] = c
		}
	}
	// Whether they are as much nearer to each other or further apart.
	near, far := colour.UsualSteps(), colour.UsualSteps()
	near.Alike, near.Divide = near.Alike-off, near.Divide-off
	far.Divide, far.Clear = far.Divide+off, far.Clear+off
	names, certain, err := colour.Cluster(cells, cols, colour.Bright(s.View), s.Profile.Board.Confidence, near, nil)
	same, also, unlike := colour.Cluster(cells, cols, colour.Bright(s.View), s.Profile.Board.Confidence, far, nil)
	return names, min(certain, also), err == nil && unlike == nil && slices.Equal(names, same)
}
