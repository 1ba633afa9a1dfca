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

// toned are the columns of a basis of which each tone has shares of its own: the shape,
// the ground, and how that changes from side to side.
func toned() [4]int { return [4]int{0, 1, 9, 10} }

// A bent is by how much a shape is moved, stretched, turned, more blurred and bolder: the
// columns of a basis from firstBent on, of which all tones have the same shares; and, as
// the last, the logarithm of the power to which its levels were taken after it was mixed with
// the ground at its borders: see mixing.
type bent [8]float64

// shapeless tells whether a column does not depend on the shape.
func shapeless(column int) bool {
	all := toned()
	return slices.Contains(all[1:], column)
}

const (
	firstBent = 2
	bends     = len(bent{}) - 1 // that change the shape
	channels  = 3               // of a picture: light and two tints
)

// mixed is the column of a basis for mixing.
const mixed = len(basis{}) - 1

// A closeUp is what the frame shows of a cell in three channels: light and two tints of a
// compressed picture, else red, green and blue.
type closeUp struct {
	sight
	how   closeness
	tones []closeTone
	of    [channels]int // which of the tones each channel has
	seen  [channels][]float64
	ends  [2]vision.RGB // the colours of the ground and of what stands on it
}

// A closeTone is what channels have alike: how far their values are off together.
type closeTone struct {
	parts    []closePart
	levels   []noiseLevel
	at       int // of the levels
	together *[len(vision.Block{})]vision.Block
	noise    float64  // the variance that noise has in it, where it has 1 in light
	quads    [][4]int // of each value, the four pixels that it is the mean of; nil: each pixel has one
}

// A noiseLevel is how noisy a picture may be, the logarithm of the determinant of how far a
// channel's values may then be off, and the columns of a basis that all shapes have alike.
type noiseLevel struct {
	noise, sum float64
	alike      [mixed][]float64
}

// A closePart is what is seen of a cell in one block.
type closePart struct {
	block image.Point
	at    []int         // of what is seen of the cell
	in    []int         // of the block's values
	rows  [][][]float64 // of each level of noise: see decompose
}

// closeUp looks at a stain.
func (s *Reader) closeUp(st *Stain) *closeUp {
	c := &closeUp{how: usualCloseness(), ends: [2]vision.RGB{s.UnlitGround(st.at.X, st.at.Y), st.Col}}
	for k, side := range [4]float64{-1, -1, 1, 1} {
		c.box[k] = st.box[k] + side*c.how.Beside
	}
	c.frame(s.View, st.at, 1)
	if p := s.press(); p != nil && !st.relief {
		c.compressed(p, st)
	} else {
		c.plain(st)
	}
	return c
}

// shows tells whether a pixel shows something of a cell.
func (c *closeUp) shows(st *Stain, k int) bool {
	x, y := c.place(float64(k%c.w), float64(k/c.w))
	return !c.outside(x, y) && !st.hides(x, y) && !st.glaring(x, y)
}

// plain takes in red, green and blue.
func (c *closeUp) plain(st *Stain) {
	tone := closeTone{together: new([len(vision.Block{})]vision.Block), noise: 1}
	for k := range c.w * c.h {
		over, ok := st.overAt(c.place(float64(k%c.w), float64(k/c.w)))
		if !ok || !c.shows(st, k) {
			continue
		}
		tone.parts = append(tone.parts, closePart{at: []int{len(c.inside)}, in: []int{0}})
		c.inside = append(c.inside, k)
		for t := range c.seen {
			c.seen[t] = append(c.seen[t], over[t])
		}
	}
	c.tones = []closeTone{tone}
}

// compressed takes in light and tints.
func (c *closeUp) compressed(p *vision.Press, st *Stain) {
	// Whole means of two by two pixels.
	first, last := c.first, c.first.Add(image.Pt(c.w, c.h))
	first, last = image.Pt(max(0, first.X&^1), max(0, first.Y&^1)), image.Pt(min(p.Frame.Rect.Max.X&^1, (last.X+1)&^1), min(p.Frame.Rect.Max.Y&^1, (last.Y+1)&^1))
	c.u, c.v = c.u+float64(first.X-c.first.X), c.v+float64(first.Y-c.first.Y)
	c.first, c.w, c.h = first, max(0, last.X-first.X), max(0, last.Y-first.Y)
	number := slices.Repeat([]int{-1}, c.w*c.h)
	for k := range number {
		if c.shows(st, k) {
			number[k] = len(c.inside)
			c.inside = append(c.inside, k)
		}
	}
	// Where red, green and blue are as noisy as each other, a tint's mean of four has 0.22
	// times the variance of light.
	c.tones = []closeTone{{together: p.Light, noise: 1}, {together: p.Tints, noise: 0.22, quads: [][4]int{}}}
	c.of = [channels]int{0, 1, 1}
	for k, o := range c.inside {
		at := first.Add(image.Pt(o%c.w, o/c.w))
		c.tones[0].put(at, k)
		c.seen[0] = append(c.seen[0], float64(p.Frame.Y[p.Frame.YOffset(at.X, at.Y)]))
		if at.X%2 != 0 || at.Y%2 != 0 {
			continue
		}
		quad := [4]int{k, number[o+1], number[o+c.w], number[o+c.w+1]}
		if min(quad[1], quad[2], quad[3]) < 0 {
			continue
		}
		tints := &c.tones[1]
		tints.put(at.Div(2), len(tints.quads))
		tints.quads = append(tints.quads, quad)
		tint := p.Frame.COffset(at.X, at.Y)
		c.seen[1] = append(c.seen[1], float64(p.Frame.Cb[tint]))
		c.seen[2] = append(c.seen[2], float64(p.Frame.Cr[tint]))
	}
}

// put takes a value in, the kth of what is seen, that is at some place of the picture.
func (t *closeTone) put(at image.Point, k int) {
	block := at.Div(vision.BlockSide)
	i := slices.IndexFunc(t.parts, func(p closePart) bool { return p.block == block })
	if i < 0 {
		i = len(t.parts)
		t.parts = append(t.parts, closePart{block: block})
	}
	part := &t.parts[i]
	part.at = append(part.at, k)
	part.in = append(part.in, at.Y%vision.BlockSide*vision.BlockSide+at.X%vision.BlockSide)
}

// hides tells whether a place, in pitches from the cell's centre, shows nothing of the
// cell.
func (st *Stain) hides(x, y float64) bool {
	i, j := int(math.Floor(x*st.Scale+float64(st.N)/2)), int(math.Floor(y*st.Scale+float64(st.N)/2))
	return i < 0 || j < 0 || i >= st.N || j >= st.N || st.beside[j*st.N+i]
}

// decompose takes each value to be off by so much more, by itself, as a variance: the
// rows of the Cholesky decomposition of how far values are off together. It returns the
// logarithm of their determinant.
func (p *closePart) decompose(together *[len(vision.Block{})]vision.Block, more float64) (sum float64) {
	rows := make([][]float64, len(p.in))
	p.rows = append(p.rows, rows)
	for a, in := range p.in {
		row := make([]float64, a+1)
		rows[a] = row
		for b := range a {
			row[b] = (together[in][p.in[b]] - product(row[:b], rows[b])) / rows[b][b]
		}
		row[a] = math.Sqrt(together[in][in] + more - product(row[:a], row))
		sum += 2 * math.Log(row[a])
	}
	return sum
}

// noisy takes the picture to be so noisy, in levels of light, and returns the logarithm of
// the determinant of how far a channel's values may then be off.
func (t *closeTone) noisy(noise float64) (sum float64) {
	if t.at = slices.IndexFunc(t.levels, func(l noiseLevel) bool { return l.noise == noise }); t.at >= 0 {
		return t.levels[t.at].sum
	}
	for i := range t.parts {
		sum += t.parts[i].decompose(t.together, t.alone(noise))
	}
	t.at = len(t.levels)
	t.levels = append(t.levels, noiseLevel{noise: noise, sum: sum})
	return sum
}

// alone is the variance of what each value is off by itself in so noisy a picture.
func (t *closeTone) alone(noise float64) float64 {
	const rounded = 1.0 / 12
	return t.noise*noise*noise + rounded
}

// whitened are lists of values, no more than a basis has, by how much each value is off by
// itself, one part after the other.
func (t *closeTone) whitened(lists [][]float64) [][]float64 {
	n := 0
	for i := range t.parts {
		n += len(t.parts[i].at)
	}
	out, all := make([][]float64, len(lists)), make([]float64, n*len(lists))
	for k := range out {
		out[k] = all[k*n : (k+1)*n]
	}
	var before [mixed][]float64 // of each list, what of its part is whitened already
	var sums [mixed]float64
	first := 0
	for i := range t.parts {
		p := &t.parts[i]
		for a, at := range p.at {
			row := p.rows[t.at][a]
			for k := range out {
				before[k] = out[k][first : first+a]
			}
			for k, sum := range products(sums[:0], row[:a], before[:len(lists)]) {
				out[k][first+a] = (lists[k][at] - sum) / row[a]
			}
		}
		first += len(p.at)
	}
	return out
}

// basis is a basis for the tone's values, whitened, of columns that are not.
func (t *closeTone) basis(columns *[mixed][]float64) (white basis) {
	alike := &t.levels[t.at].alike
	var lists [][]float64
	var of []int
	for k, column := range columns {
		if shapeless(k) && alike[k] != nil {
			white[k] = alike[k]
			continue
		}
		lists, of = append(lists, column), append(of, k)
	}
	for i, list := range t.whitened(lists) {
		if white[of[i]] = list; shapeless(of[i]) {
			alike[of[i]] = list
		}
	}
	return white
}

// means are the tone's values where each pixel has one.
func (t *closeTone) means(pixels []float64) []float64 {
	if t.quads == nil {
		return pixels
	}
	out := make([]float64, len(t.quads))
	for i, q := range t.quads {
		out[i] = (pixels[q[0]] + pixels[q[1]] + pixels[q[2]] + pixels[q[3]]) / 4
	}
	return out
}

// mixing is what a shape of that cover shows at its borders other than an even mixture with
// the ground, in each channel of each pixel: for each e-fold of the power to which levels are
// taken after they were mixed, and as none can be more than 255, where what is cut off there
// is so bright.
func (c *closeUp) mixing(cover []float64, brightest float64) (power, cut [channels][]float64) {
	var ends, logs [2]vision.RGB
	for i := range ends {
		for k, v := range c.ends[i] {
			if v = max(1, v); v > colour.NearWhite {
				v = brightest
			}
			ends[i][k], logs[i][k] = v, v*math.Log(v)
		}
	}
	for k := range power {
		power[k], cut[k] = make([]float64, len(cover)), make([]float64, len(cover))
	}
	put := func(into *[channels][]float64, p int, v vision.RGB) {
		if len(c.tones) > 1 {
			light := 0.299*v[0] + 0.587*v[1] + 0.114*v[2] // as a JPEG has it
			v = vision.RGB{light, 0.564 * (v[2] - light), 0.713 * (v[0] - light)}
		}
		for k := range v {
			into[k][p] = v[k]
		}
	}
	for p, share := range cover {
		if share = max(0, min(1, share)); share == 0 {
			continue // the ground alone
		}
		var by, off vision.RGB
		for k := range by {
			a, b := ends[0][k], ends[1][k]
			m := (1-share)*a + share*b
			off[k] = min(255, m) - (1-share)*min(255, a) - share*min(255, b)
			if m <= 255 {
				by[k] = m*math.Log(m) - (1-share)*logs[0][k] - share*logs[1][k]
			}
		}
		put(&power, p, by)
		put(&cut, p, off)
	}
	return power, cut
}

// A drawnShape is a shape as a close-up would show it, so blurred: what is the same
// however noisy the picture is.
type drawnShape struct {
	columns [][mixed][]float64 // a basis for the values of each tone
	// For each of how bright what is cut off may be: what the channels show but for that,
	// and what mixing makes of the shape. See mixing.
	seen, power [][channels][]float64
}

// drawn is a shape by its basis.
func (c *closeUp) drawn(b *basis, brightest []float64) *drawnShape {
	d := &drawnShape{columns: make([][mixed][]float64, len(c.tones)), seen: make([][channels][]float64, len(brightest)), power: make([][channels][]float64, len(brightest))}
	for t := range c.tones {
		for k, column := range b[:mixed] {
			d.columns[t][k] = c.tones[t].means(column)
		}
	}
	for i, bright := range brightest {
		power, cut := c.mixing(b[0], bright)
		for k, t := range c.of {
			seen := slices.Clone(c.seen[k])
			for p, v := range c.tones[t].means(cut[k]) {
				seen[p] -= v
			}
			d.seen[i][k], d.power[i][k] = seen, c.tones[t].means(power[k])
		}
	}
	return d
}

// regressions are those of each channel on a drawn shape, for each of how bright what is
// cut off may be.
func (c *closeUp) regressions(d *drawnShape) [][channels]regression {
	all := make([][channels]regression, len(d.seen))
	for t := range c.tones {
		tone := &c.tones[t]
		white := tone.basis(&d.columns[t])
		var first *regression
		for i := range all {
			for k, of := range c.of {
				if of != t {
					continue
				}
				lists := tone.whitened([][]float64{d.seen[i][k], d.power[i][k]})
				if seen, other := lists[0], lists[1]; first == nil {
					all[i][k] = white.regression(seen, other)
					first = &all[i][k]
				} else {
					all[i][k] = first.of(&white, seen, other)
				}
			}
		}
	}
	return all
}

// brightest are how bright what is cut off may be.
func (c *closeUp) brightest() []float64 {
	for _, e := range c.ends {
		if max(e[0], e[1], e[2]) > colour.NearWhite {
			return c.how.Brightest
		}
	}
	return c.how.Brightest[:1]
}

// Likely is how likely what is seen is where a shape stands there, as a logarithm, and by
// how much each channel then differs in it from the cell's ground. What is less likely than
// what is worth it may be told less likely than it is.
func (c *closeUp) likely(f shape.Area, worth float64) (best float64, by [channels]float64) {
	best = math.Inf(-1)
	picture, drawn := c.draw(f)
	blurred := make([]*drawnShape, len(c.how.Blurs))
	least := make([]float64, len(blurred)) // of the rest, for less noise
	brightest := c.brightest()
	for n, noise := range c.how.Noises {
		off := 0.0
		for _, t := range c.of {
			off += c.tones[t].noisy(noise)
		}
		for i, blur := range c.how.Blurs {
			if n > 0 {
				least[i] *= c.lessened(c.how.Noises[n-1], noise)
			}
			if -(off+least[i])/2 <= max(best, worth) {
				continue
			}
			if blurred[i] == nil {
				b := c.basisOf(basis{}, picture, drawn, blur, 1)
				blurred[i] = c.drawn(&b, brightest)
			}
			least[i] = math.Inf(1)
			for _, all := range c.regressions(blurred[i]) {
				rest, shares := c.how.rest(&all)
				least[i] = min(least[i], rest)
				if l := -(off + rest) / 2; l > best {
					best, by = l, shares
				}
			}
		}
	}
	return best, by
}

// lessened is to what part the rest of a fit is lessened at most where a picture is noisier.
func (c *closeUp) lessened(noise, noisier float64) float64 {
	least := 1.0
	for i := range c.tones {
		least = min(least, c.tones[i].alone(noise)/c.tones[i].alone(noisier))
	}
	return least
}

// rest is the sum of the squares that the best fit of a shape leaves, and the penalty for
// how far it had to stray. All tones show the same shape, each in shares of its own: what
// these are depends on how it is bent, and the other way about.
func (how *closeness) rest(sums *[channels]regression) (best float64, of [channels]float64) {
	var by bent
	best = math.Inf(1)
	var shares [channels]float64
	for t := range sums {
		shares[t], _ = sums[t].alone(&by)
	}
	for range 4 {
		by = how.bend(sums, shares)
		all := 0.0
		for t := range sums {
			var rest float64
			shares[t], rest = sums[t].alone(&by)
			all += rest
		}
		for k, v := range by {
			all += math.Pow(v/how.Loose[k], 2)
		}
		if all < best {
			best, of = all, shares
		}
	}
	return best, of
}

// alone fits a shape that is bent so to one tone: what share of it is seen, and the sum of
// the squares that are left.
func (r *regression) alone(by *bent) (share, rest float64) {
	weights := [len(basis{})]float64{0: 1}
	copy(weights[firstBent:], by[:bends])
	power := by[bends]
	columns := toned()
	var rows [len(columns)][len(columns)]float64
	var a [len(columns)][]float64
	var y [len(columns)]float64
	for i := range a {
		a[i] = rows[i][:]
		y[i] = r.seen[columns[i]] - power*r.columns[mixed][columns[i]]
		for j := range a[i] {
			a[i][j] = r.columns[columns[i]][columns[j]]
		}
	}
	y[0] = product(weights[:], r.seen[:]) - power*product(weights[:], r.columns[mixed][:])
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
	less := Eliminated(a[:], y[:])
	return y[0], max(0, r.all-2*power*r.seen[mixed]+power*power*r.columns[mixed][mixed]-less)
}

// bending is the column of a basis that bends a shape, and by how much it does where so
// much of the shape is seen.
func bending(i int, share float64) (column int, times float64) {
	if i == bends {
		return mixed, 1
	}
	return firstBent + i, share
}

// bend fits how a shape is bent where it is known which share of it each tone shows.
func (how *closeness) bend(sums *[channels]regression, shares [channels]float64) (by bent) {
	columns := toned()
	const first = channels * len(columns)
	const n = first + len(by)
	var rows [n][n]float64
	var a [n][]float64
	var y [n]float64
	for i := range a {
		a[i] = rows[i][:]
	}
	for t := range sums {
		own, share := t*len(columns), shares[t]
		for i, p := range columns {
			y[own+i] = sums[t].seen[p]
			for j, q := range columns {
				a[own+i][own+j] = sums[t].columns[p][q]
			}
			for j := range by {
				k, times := bending(j, share)
				v := times * sums[t].columns[p][k]
				a[own+i][first+j], a[first+j][own+i] = v, v
			}
		}
		for i := range by {
			k, times := bending(i, share)
			y[first+i] += times * sums[t].seen[k]
			for j := range by {
				l, more := bending(j, share)
				a[first+i][first+j] += times * more * sums[t].columns[k][l]
			}
		}
	}
	for i := range by {
		a[first+i][first+i] += math.Pow(how.Loose[i], -2)
	}
	Eliminated(a[:], y[:])
	copy(by[:], y[first:])
	return by
}

// Eliminated solves symmetric equations by elimination, which changes them: the right
// sides become the solution. It says what that takes off a sum of squares.
func Eliminated(a [][]float64, y []float64) (less float64) {
	for c := range a {
		a[c][c] += 1e-9
		less += y[c] * y[c] / a[c][c]
		for k := c + 1; k < len(a); k++ {
			f := a[k][c] / a[c][c]
			from, to := a[c][c:], a[k][c:]
			for q, v := range from {
				to[q] -= f * v
			}
			y[k] -= f * y[c]
		}
	}
	for c := len(a) - 1; c >= 0; c-- {
		y[c] = (y[c] - product(a[c][c+1:], y[c+1:])) / a[c][c]
	}
	return less
}

// press is how the picture was compressed in which a flat board was seen; nil where that
// is not known, or something was taken off it.
func (s *Reader) press() *vision.Press {
	s.pressOnce.Do(func() {
		if s.Board.Compressed == nil || s.Board.Round() || len(s.Discs) > 0 || s.Squeeze != 1 {
			return
		}
		lo, hi := vision.Point{X: math.Inf(1), Y: math.Inf(1)}, vision.Point{X: math.Inf(-1), Y: math.Inf(-1)}
		for _, p := range s.Board.Quad {
			lo, hi = vision.Point{X: min(lo.X, p.X), Y: min(lo.Y, p.Y)}, vision.Point{X: max(hi.X, p.X), Y: max(hi.Y, p.Y)}
		}
		s.pressed = vision.PressOf(s.Board.Compressed, image.Rect(int(lo.X), int(lo.Y), int(hi.X)+1, int(hi.Y)+1))
	})
	return s.pressed
}

// known is how sure it is, as a logarithm, that a symbol is what a close-up shows, where
// it is as large as the look has it, and by how much each channel differs in it. For what
// is worth it see Likely.
func (s *Templates) known(c *closeUp, sym witness.Symbol, worth float64) (likely float64, by [channels]float64) {
	form, ok := s.Forms.Of(sym.Kind)
	if !ok {
		return math.Inf(-1), by
	}
	return c.likely(shape.Drawn(form.Parts(&s.Sizes, sym), 1, 0), worth)
}

// byBlocks weighs what a stain may be by the blocks of a compressed picture, where it is not
// clear by single pixels: in a colour that differs from the ground's in tint alone, shapes
// differ by little in these. Twins, which differ by their middles alone, it does not tell.
func (s *Reader) byBlocks(st *Stain, f []Fitted) []Fitted {
	// 0.5: more than twice what is asked.
	if lead(f) > 0.5*s.Odds.Clear() || st.relief || s.press() == nil {
		return f
	}
	c, out := s.closeUp(st), slices.Clone(f)
	compared, likeliest := s.compare(c, f), math.Inf(-1)
	for i, l := range compared {
		likeliest = max(likeliest, l)
		// Of twins the one that is likelier by single pixels stays so.
		if k := slices.IndexFunc(f[:i], func(o Fitted) bool { return witness.Twins(f[i].Sym, o.Sym) }); k >= 0 {
			out[i].Misfit = out[k].Misfit + Evidence(f[k], f[i])
			continue
		}
		out[i].Misfit = c.how.Apart*Evidence(f[0], f[i]) - s.Odds.Temperature*c.how.Lead*l
	}
	// The best fits as well as it did.
	best := func(a, b Fitted) int { return cmp.Compare(a.Misfit, b.Misfit) }
	off := f[0].Misfit - slices.MinFunc(out[:len(compared)], best).Misfit
	for i := range compared {
		out[i].Misfit += off
	}
	slices.SortStableFunc(out, best)
	most := s.strangers(c, out[0].Sym, f[:len(compared)], likeliest, lead(out))
	for i, o := range out {
		if i > 0 && !witness.Twins(o.Sym, out[0].Sym) {
			out[i].Misfit = min(o.Misfit, out[0].Misfit+most)
		}
	}
	slices.SortStableFunc(out, best)
	return out
}

// compare is how likely those that fit best are by the blocks of a picture, twins as likely
// as each other.
func (s *Reader) compare(c *closeUp, f []Fitted) (likely []float64) {
	for i, o := range f {
		// What is less like it by pixels keeps what speaks against it.
		if Evidence(f[0], o) > view.Mostly*s.Odds.Clear() {
			break
		}
		k := slices.IndexFunc(f, func(p Fitted) bool { return witness.Twins(o.Sym, p.Sym) })
		if k >= 0 && k < i {
			likely = append(likely, likely[k])
			continue
		}
		l, _ := s.Templates.known(c, o.Sym, math.Inf(-1))
		if k > i {
			twin, _ := s.Templates.known(c, f[k].Sym, l)
			l = max(l, twin)
		}
		likely = append(likely, l)
	}
	return likely
}

// lead is by how much what fits best fits better than another that is not its twin.
func lead(f []Fitted) float64 {
	for _, o := range f[1:] {
		if !witness.Twins(o.Sym, f[0].Sym) {
			return Evidence(f[0], o)
		}
	}
	return math.Inf(1)
}

// strangers is the most that may speak for the likeliest symbol of some, which leads by so
// much, as what was not compared explains what is seen as well.
func (s *Reader) strangers(c *closeUp, best witness.Symbol, compared []Fitted, likely, lead float64) float64 {
	all := []witness.Symbol{}
	for _, form := range s.Forms {
		all = append(all, form.Symbols(&s.Sizes)...)
	}
	for _, kind := range []witness.Kind{witness.Polyomino, witness.Negative} {
		all = append(all, witness.Symbol{Kind: kind, Shape: []image.Point{{}}})
		for _, turnable := range []bool{false, true} {
			for _, to := range []image.Point{{X: 1}, {Y: 1}} {
				all = append(all, witness.Symbol{Kind: kind, Shape: []image.Point{{}, to}, Turnable: turnable})
			}
		}
	}
	each := s.Odds.Temperature * c.how.Lead
	for _, o := range all {
		if !witness.Twins(o, best) && !slices.ContainsFunc(compared, func(p Fitted) bool { return witness.SameSymbol(p.Sym, o) }) {
			l, _ := s.Templates.known(c, o, likely-lead/each)
			lead = min(lead, max(0, each*(likely-l)))
		}
	}
	return lead
}

// unmixed is the colour of a symbol whose parts are so thin that the cell's is mixed with
// it wherever it is seen.
func (s *Reader) unmixed(st *Stain, sym witness.Symbol) vision.RGB {
	c := s.closeUp(st)
	c.how = looseCloseness()
	_, by := s.Templates.known(c, sym, math.Inf(-1))
	over := vision.RGB(by)
	if len(c.tones) > 1 {
		light, blue, red := by[0], by[1], by[2] // as a JPEG has them
		over = vision.RGB{light + 1.402*red, light - 0.344136*blue - 0.714136*red, light + 1.772*blue}
	}
	return s.UnlitGround(st.at.X, st.at.Y).Add(over)
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
	if err != nil {
		return nil, 0, false
	}
	same, also, err := colour.Cluster(cells, cols, colour.Bright(s.View), s.Profile.Board.Confidence, far, nil)
	if err != nil || !slices.Equal(names, same) {
		return nil, 0, false
	}
	return names, min(certain, also), true
}
