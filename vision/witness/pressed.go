package witness

import (
	"cmp"
	"image"
	"math"
	"slices"

	"onlooker/solve/witness"
	"onlooker/vision"
)

// toned are the columns of a basis of which each tone has shares of its own: the shape,
// the ground, and how that changes from side to side.
func toned() [4]int { return [4]int{0, 1, 9, 10} }

// A bent is by how much a shape is moved, stretched, turned, more blurred and bolder: the
// columns of a basis from firstBent on, of which all tones have the same shares.
type bent [7]float64

const (
	firstBent = 2
	channels  = 3 // of a picture: light and two tints
)

// A pressedPart is what is seen of a cell in one block.
type pressedPart struct {
	at   []int       // of what is seen of the cell
	in   []int       // of the block's values
	rows [][]float64 // see decompose
}

// A pressedCell is what a compressed picture shows of a cell.
type pressedCell struct {
	sight
	how   pressing
	press *vision.Press
	quads [][4]int // of each tint's value, the four of light
	seen  [channels][]float64
	parts [2][]pressedPart // of light and of tints
}

// pressedCell looks at a stain.
func (s *sheet) pressedCell(p *vision.Press, st *stain) *pressedCell {
	c := &pressedCell{press: p, how: usualPressing()}
	for k, side := range [4]float64{-1, -1, 1, 1} {
		c.box[k] = st.box[k] + side*c.how.Beside
	}
	c.frame(s, st.at, 1)
	// Whole means of two by two pixels.
	first, last := c.first, c.first.Add(image.Pt(c.w, c.h))
	first, last = image.Pt(max(0, first.X&^1), max(0, first.Y&^1)), image.Pt(min(p.Frame.Rect.Max.X&^1, (last.X+1)&^1), min(p.Frame.Rect.Max.Y&^1, (last.Y+1)&^1))
	c.u, c.v = c.u+float64(first.X-c.first.X), c.v+float64(first.Y-c.first.Y)
	c.first, c.w, c.h = first, max(0, last.X-first.X), max(0, last.Y-first.Y)
	of := slices.Repeat([]int{-1}, c.w*c.h)
	for k := range of {
		if x, y := c.place(float64(k%c.w), float64(k/c.w)); !c.outside(x, y) && !st.hides(x, y) && !st.glaring(x, y) {
			of[k] = len(c.inside)
			c.inside = append(c.inside, k)
		}
	}
	var blocks [2]map[image.Point]int
	put := func(t int, at image.Point, k int) {
		block := image.Pt(at.X/vision.BlockSide, at.Y/vision.BlockSide)
		i, ok := blocks[t][block]
		if !ok {
			if i = len(c.parts[t]); i == 0 {
				blocks[t] = map[image.Point]int{}
			}
			blocks[t][block] = i
			c.parts[t] = append(c.parts[t], pressedPart{})
		}
		part := &c.parts[t][i]
		part.at = append(part.at, k)
		part.in = append(part.in, at.Y%vision.BlockSide*vision.BlockSide+at.X%vision.BlockSide)
	}
	for k, o := range c.inside {
		at := first.Add(image.Pt(o%c.w, o/c.w))
		put(0, at, k)
		c.seen[0] = append(c.seen[0], float64(p.Frame.Y[p.Frame.YOffset(at.X, at.Y)]))
		if at.X%2 != 0 || at.Y%2 != 0 {
			continue
		}
		quad := [4]int{k, of[o+1], of[o+c.w], of[o+c.w+1]}
		if min(quad[1], quad[2], quad[3]) < 0 {
			continue
		}
		put(1, at.Div(2), len(c.quads))
		c.quads = append(c.quads, quad)
		tint := p.Frame.COffset(at.X, at.Y)
		c.seen[1] = append(c.seen[1], float64(p.Frame.Cb[tint]))
		c.seen[2] = append(c.seen[2], float64(p.Frame.Cr[tint]))
	}
	return c
}

// hides tells whether a place, in pitches from the cell's centre, shows nothing of the
// cell.
func (st *stain) hides(x, y float64) bool {
	i, j := int(math.Floor(x*st.scale+float64(st.n)/2)), int(math.Floor(y*st.scale+float64(st.n)/2))
	return i < 0 || j < 0 || i >= st.n || j >= st.n || st.beside[j*st.n+i]
}

// decompose takes each value to be off by so much more, by itself, as a variance: the
// rows of the Cholesky decomposition of how far values are off together. It returns the
// logarithm of their determinant.
func (p *pressedPart) decompose(together *[len(vision.Block{})]vision.Block, more float64) (sum float64) {
	p.rows = make([][]float64, len(p.in))
	for a, in := range p.in {
		row := make([]float64, a+1)
		p.rows[a] = row
		for b := range a {
			row[b] = (together[in][p.in[b]] - product(row[:b], p.rows[b])) / p.rows[b][b]
		}
		row[a] = math.Sqrt(together[in][in] + more - product(row[:a], row))
		sum += 2 * math.Log(row[a])
	}
	return sum
}

// whitened are values of light or of tints by how much each is off by itself, one part
// after the other.
func whitened(parts []pressedPart, values []float64) []float64 {
	out := make([]float64, 0, len(values))
	for i := range parts {
		p := &parts[i]
		first := len(out)
		for a, at := range p.at {
			out = append(out, (values[at]-product(p.rows[a][:a], out[first:]))/p.rows[a][a])
		}
	}
	return out
}

// noisy takes the picture to be so noisy, in levels of light: what is seen, whitened, and
// the logarithm of the determinant of how far it may be off.
func (c *pressedCell) noisy(noise float64) (seen [channels][]float64, sum float64) {
	const rounded = 1.0 / 12
	for i := range c.parts[0] {
		sum += c.parts[0][i].decompose(c.press.Light, noise*noise+rounded)
	}
	for i := range c.parts[1] {
		// Where red, green and blue are as noisy as each other, a tint's mean of four has
		// 0.22 times the variance of light. There are two tints.
		sum += 2 * c.parts[1][i].decompose(c.press.Tints, 0.22*noise*noise+rounded)
	}
	for t := range seen {
		seen[t] = whitened(c.parts[min(t, 1)], c.seen[t])
	}
	return seen, sum
}

// of are the columns of a basis for light, or the means of four of them for tints.
func (c *pressedCell) of(b *basis, t int) (columns [len(basis{}) - 1][]float64) {
	for k := range columns {
		if columns[k] = b[k]; t == 0 {
			continue
		}
		mean := make([]float64, len(c.quads))
		for i, q := range c.quads {
			mean[i] = (b[k][q[0]] + b[k][q[1]] + b[k][q[2]] + b[k][q[3]]) / 4
		}
		columns[k] = mean
	}
	return columns
}

// likely is how likely what is seen is where a shape stands there, as a logarithm.
func (c *pressedCell) likely(f shape) float64 {
	best := math.Inf(-1)
	picture, drawn := c.draw(f)
	var bases []basis
	for _, blur := range c.how.Blurs {
		bases = append(bases, c.basisOf(picture, drawn, blur))
	}
	for _, noise := range c.how.Noises {
		seen, off := c.noisy(noise)
		for i := range bases {
			var sums [channels]regression
			for t := range 2 {
				var white basis
				for k, column := range c.of(&bases[i], t) {
					white[k] = whitened(c.parts[t], column)
				}
				white[len(white)-1] = make([]float64, len(seen[t]))
				sums[t] = white.regression(seen[t], white[len(white)-1])
				if t == 1 {
					sums[2] = sums[1].of(&white, seen[2], white[len(white)-1])
				}
			}
			best = max(best, -(off+c.how.rest(&sums))/2)
		}
	}
	return best
}

// rest is the sum of the squares that the best fit of a shape leaves, and the penalty for
// how far it had to stray. All tones show the same shape, each in shares of its own: what
// these are depends on how it is bent, and the other way about.
func (how *pressing) rest(sums *[channels]regression) float64 {
	var by bent
	best := math.Inf(1)
	for range 4 {
		var shares [channels]float64
		for t := range sums {
			shares[t], _ = sums[t].alone(&by)
		}
		by = how.bend(sums, shares)
		all := 0.0
		for t := range sums {
			_, rest := sums[t].alone(&by)
			all += rest
		}
		for k, v := range by {
			all += math.Pow(v/how.Loose[k], 2)
		}
		best = min(best, all)
	}
	return best
}

// alone fits a shape that is bent so to one tone: what share of it is seen, and the sum of
// the squares that are left.
func (r *regression) alone(by *bent) (share, rest float64) {
	weights := [len(basis{})]float64{0: 1}
	copy(weights[firstBent:], by[:])
	columns := toned()
	a, y := make([][]float64, len(columns)), make([]float64, len(columns))
	for i := range a {
		a[i] = make([]float64, len(columns))
		y[i] = r.seen[columns[i]]
		for j := range a[i] {
			a[i][j] = r.columns[columns[i]][columns[j]]
		}
	}
	y[0] = product(weights[:], r.seen[:])
	for j := range a {
		a[0][j] = 0
		for p, w := range weights {
			if j == 0 {
				a[0][0] += w * product(weights[:], r.columns[p][:])
			} else {
				a[0][j] += w * r.columns[p][columns[j]]
			}
		}
		a[j][0] = a[0][j]
	}
	found, less := solved(a, y)
	return found[0], max(0, r.all-less)
}

// bend fits how a shape is bent where it is known which share of it each tone shows.
func (how *pressing) bend(sums *[channels]regression, shares [channels]float64) (by bent) {
	columns := toned()
	first := channels * len(columns)
	n := first + len(by)
	a, y := make([][]float64, n), make([]float64, n)
	for i := range a {
		a[i] = make([]float64, n)
	}
	for t := range sums {
		own, share := t*len(columns), shares[t]
		for i, p := range columns {
			y[own+i] = sums[t].seen[p]
			for j, q := range columns {
				a[own+i][own+j] = sums[t].columns[p][q]
			}
			for j := range by {
				v := share * sums[t].columns[p][firstBent+j]
				a[own+i][first+j], a[first+j][own+i] = v, v
			}
		}
		for i := range by {
			y[first+i] += share * sums[t].seen[firstBent+i]
			for j := range by {
				a[first+i][first+j] += share * share * sums[t].columns[firstBent+i][firstBent+j]
			}
		}
	}
	for i := range by {
		a[first+i][first+i] += math.Pow(how.Loose[i], -2)
	}
	found, _ := solved(a, y)
	copy(by[:], found[first:])
	return by
}

// solved solves symmetric equations by elimination, which changes them, and says what the
// solution takes off a sum of squares.
func solved(a [][]float64, y []float64) (found []float64, less float64) {
	for c := range a {
		a[c][c] += 1e-9
		less += y[c] * y[c] / a[c][c]
		for k := c + 1; k < len(a); k++ {
			f := a[k][c] / a[c][c]
			for q := c; q < len(a); q++ {
				a[k][q] -= f * a[c][q]
			}
			y[k] -= f * y[c]
		}
	}
	found = make([]float64, len(a))
	for c := len(a) - 1; c >= 0; c-- {
		found[c] = (y[c] - product(a[c][c+1:], found[c+1:])) / a[c][c]
	}
	return found, less
}

// press is how the picture was compressed in which a flat board was seen; nil where that
// is not known, or something was taken off it.
func (s *sheet) press() *vision.Press {
	s.pressOnce.Do(func() {
		if s.b.Compressed == nil || s.b.Round() || len(s.veils) > 0 || s.look.Loose || s.squeeze != 1 {
			return
		}
		lo, hi := vision.Point{X: math.Inf(1), Y: math.Inf(1)}, vision.Point{X: math.Inf(-1), Y: math.Inf(-1)}
		for _, p := range s.b.Quad {
			lo, hi = vision.Point{X: min(lo.X, p.X), Y: min(lo.Y, p.Y)}, vision.Point{X: max(hi.X, p.X), Y: max(hi.Y, p.Y)}
		}
		s.pressed = vision.PressOf(s.b.Compressed, image.Rect(int(lo.X), int(lo.Y), int(hi.X)+1, int(hi.Y)+1))
	})
	return s.pressed
}

// starsAndSquares tells a star from a square by the blocks of a compressed picture, where
// the best of what a stain may be is one of the two and it is not clear which: in a colour
// that differs from the ground's in tint alone they differ by little in single pixels.
func (s *sheet) starsAndSquares(st *stain, f []fitted) []fitted {
	is := func(o fitted) bool { return o.sym.Kind == witness.Star || o.sym.Kind == witness.Square }
	other := slices.IndexFunc(f, func(o fitted) bool { return is(o) && o.sym.Kind != f[0].sym.Kind })
	// 0.5: more than twice what is asked.
	if other < 0 || !is(f[0]) || evidence(f[0], f[other]) > 0.5*s.odds.clear() || st.relief || s.press() == nil {
		return f
	}
	c := s.pressedCell(s.press(), st)
	if len(c.quads) == 0 {
		return f
	}
	likely := func(sym witness.Symbol) float64 {
		form, _ := s.drawn.Of(sym.Kind)
		return c.likely(inside(form.Parts(&s.sizes, sym), 1, 0))
	}
	lead := likely(f[0].sym) - likely(f[other].sym)
	f = slices.Clone(f)
	// The better of the two fits as it did: what speaks against the other does not speak
	// against a third.
	if d := s.odds.Temperature*s.odds.Pressed*lead + s.odds.Apart*evidence(f[0], f[other]); d > 0 {
		f[other].misfit = f[0].misfit + d
	} else {
		f[0].misfit = f[other].misfit - d
	}
	slices.SortStableFunc(f, func(a, b fitted) int { return cmp.Compare(a.misfit, b.misfit) })
	return f
}
