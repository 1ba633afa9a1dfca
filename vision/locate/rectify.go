package locate

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"onlooker/calibrations"
	"onlooker/vision"
	"onlooker/vision/cv"
)

type vec3 [3]float64

func (a vec3) cross(b vec3) vec3 {
	return vec3{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

func (a vec3) dot(b vec3) float64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }

// A rectification is a plane in which one family of segments is upright and
// the other level, the same for all looks.
type Rectification struct {
	Back         vision.Mat3  // from that plane to the frame
	Across, Down func() *Axis // of upright and of level lines; worked out once
	// The same with edges spread over half a pixel; nil where they are anyhow.
	WideAcross, WideDown func() *Axis
}

// An edge is a segment of an outline in the straightened plane: its place
// across, its length along, and whether the part begins there (in the
// direction of growing coordinates) or ends.
type edge struct {
	at, from, to float64
	begins       bool
}

// An extent is the box that some segments lie in, and how long they are all together;
// pixels of the picture that they were drawn in.
type extent struct {
	lo, hi, centre vision.Point
	half           float64 // half of the longer side
	total          float64
}

func extentOf(segs []segment) extent {
	e := extent{lo: vision.Point{X: math.Inf(1), Y: math.Inf(1)}, hi: vision.Point{X: math.Inf(-1), Y: math.Inf(-1)}}
	for _, s := range segs {
		e.total += s.len
		for _, p := range []vision.Point{s.a, s.b} {
			e.lo = vision.Point{X: min(e.lo.X, p.X), Y: min(e.lo.Y, p.Y)}
			e.hi = vision.Point{X: max(e.hi.X, p.X), Y: max(e.hi.Y, p.Y)}
		}
	}
	e.centre = vision.Point{X: (e.lo.X + e.hi.X) / 2, Y: (e.lo.Y + e.hi.Y) / 2}
	e.half = max(e.hi.X-e.lo.X, e.hi.Y-e.lo.Y) / 2
	return e
}

// norm is a point of the picture in the extent's own coordinates, -1 to 1 at most.
func (e *extent) norm(p vision.Point) vec3 {
	return vec3{(p.X - e.centre.X) / e.half, (p.Y - e.centre.Y) / e.half, 1}
}

// rays are the segments' lines in the extent's own coordinates.
func (e *extent) rays(segs []segment, pixel float64) []ray {
	rays := make([]ray, len(segs))
	for i, s := range segs {
		rays[i] = newRay(e.norm(s.a), e.norm(s.b))
		rays[i].weight = s.len / e.half * s.len / e.half
		// A pixel of the reduced picture at either end turns a short piece.
		rays[i].slack = pixel / s.len
	}
	return rays
}

// straighten finds the two vanishing points that most of the outline runs to;
// pixel is the size of a pixel of the picture that it was drawn in.
func straighten(segs []segment, pixel float64) (*Rectification, bool) {
	e := extentOf(segs)
	if e.half < 4 {
		return nil, false
	}
	rays := e.rays(segs, pixel)
	var vp [2]vec3 // of the level family, and of the upright one
	var member [2][]segment
	inliers := 0.0
	for f, dir := range mainDirections(segs) {
		vp[f] = vanishing(rays, dir)
		for i, s := range segs {
			most := 0.05 + 0.8*rays[i].slack
			if off, near := rays[i].within(most, vp[f]); near && off < most {
				member[f] = append(member[f], s)
				inliers += s.len
			}
		}
	}
	// 0.45: half of a small board's outline may be start circle, cap and
	// rounded corners; scenery is below 0.4 mostly.
	if inliers < 0.45*e.total || len(member[0]) < 3 || len(member[1]) < 3 {
		return nil, false
	}
	toPlane, ok := e.plane(vp)
	if !ok {
		return nil, false
	}
	back, ok := toPlane.Inverse()
	if !ok {
		return nil, false
	}
	var upright, level []edge
	for f := range 2 {
		for _, s := range member[f] {
			a, b := toPlane.Apply(s.a), toPlane.Apply(s.b)
			if f == 1 {
				// The part is on the right hand: of a downward piece that is
				// the side of smaller x.
				upright = append(upright, edge{(a.X + b.X) / 2, min(a.Y, b.Y), max(a.Y, b.Y), b.Y < a.Y})
			} else {
				level = append(level, edge{(a.Y + b.Y) / 2, min(a.X, b.X), max(a.X, b.X), b.X > a.X})
			}
		}
	}
	seen := func(edges []edge, wide bool) func() *Axis {
		return sync.OnceValue(func() *Axis { return newAxis(edges, pixel/e.half, wide) })
	}
	return &Rectification{Back: back, Across: seen(upright, false), Down: seen(level, false), WideAcross: seen(upright, true), WideDown: seen(level, true)}, true
}

// mainDirections are the two directions, in radians, in which most of the outline
// runs, at least 30° apart: first the one that is nearer to level.
func mainDirections(segs []segment) [2]float64 {
	const bins = 60
	var hist, smooth [bins]float64
	for _, s := range segs {
		a := math.Atan2(s.b.Y-s.a.Y, s.b.X-s.a.X)
		i := int(math.Floor(a/math.Pi*bins + 2*bins))
		hist[i%bins] += s.len * s.len
	}
	for i := range hist {
		for d := -2; d <= 2; d++ {
			smooth[i] += hist[(i+d+bins)%bins] * (3 - math.Abs(float64(d)))
		}
	}
	first, second := 0, -1
	for i := range smooth {
		if smooth[i] > smooth[first] {
			first = i
		}
	}
	for i := range smooth {
		d := (i - first + bins) % bins
		if d = min(d, bins-d); d*180/bins >= 30 && (second < 0 || smooth[i] > smooth[second]) {
			second = i
		}
	}
	dirs := [2]float64{(float64(first) + 0.5) * math.Pi / bins, (float64(second) + 0.5) * math.Pi / bins}
	if math.Abs(math.Sin(dirs[0])) > math.Abs(math.Sin(dirs[1])) {
		dirs[0], dirs[1] = dirs[1], dirs[0]
	}
	return dirs
}

// vanishing is the vanishing point of the rays that run about in a direction: what
// is nearest to all of their lines, each weighed by its length and by how nearly it
// runs there.
func vanishing(rays []ray, dir float64) vec3 {
	v := vec3{math.Cos(dir), math.Sin(dir), 0}
	// Wide at first, since perspective turns the far lines of a family.
	for _, tolerance := range []float64{0.30, 0.12, 0.06, 0.045, 0.035} {
		var m [9]float64
		for i := range rays {
			r := &rays[i]
			off, near := r.within(tolerance+0.6*r.slack, v)
			if !near {
				continue
			}
			w := r.weight / (1 + (off/0.02)*(off/0.02))
			for i := range 3 {
				for j := range 3 {
					m[3*i+j] += w * r.line[i] * r.line[j]
				}
			}
		}
		v = cv.LeastEigenvector(m)
	}
	return v
}

// plane is the map from the picture to the plane in which what runs to the first
// vanishing point is level and what runs to the second upright; false for a view
// that is too steep to be a board's.
func (e *extent) plane(vp [2]vec3) (vision.Mat3, bool) {
	horizon := vp[0].cross(vp[1])
	if math.Abs(horizon[2]) < 1e-6 {
		return vision.Mat3{}, false
	}
	for i := range horizon {
		horizon[i] /= horizon[2]
	}
	for _, p := range []vision.Point{e.lo, e.hi, {X: e.lo.X, Y: e.hi.Y}, {X: e.hi.X, Y: e.lo.Y}} {
		// A vanishing line within three half sizes of the part would be a view
		// so steep that the far cells are a quarter as wide as the near ones.
		if horizon.dot(e.norm(p)) < 0.12 {
			return vision.Mat3{}, false
		}
	}
	// Lines through a vanishing point and the centre are the axes.
	axis := func(v vec3) vec3 {
		l := v.cross(vec3{0, 0, 1})
		n := math.Hypot(l[0], l[1])
		return vec3{l[0] / n, l[1] / n, l[2] / n}
	}
	u, v := axis(vp[1]), axis(vp[0])
	if u[0] < 0 {
		u = vec3{-u[0], -u[1], -u[2]}
	}
	if v[1] < 0 {
		v = vec3{-v[0], -v[1], -v[2]}
	}
	return vision.Mat3{u[0], u[1], u[2], v[0], v[1], v[2], horizon[0], horizon[1], horizon[2]}.
		Mul(vision.Mat3{1 / e.half, 0, -e.centre.X / e.half, 0, 1 / e.half, -e.centre.Y / e.half, 0, 0, 1}), true
}

// A ray is a segment's line, with what asking for its angle again and again
// needs.
type ray struct {
	line          vec3 // of length 1 in its first two
	middle, along vision.Point
	weight, slack float64
}

func newRay(a, b vec3) ray {
	line := a.cross(b)
	n := math.Sqrt(line[0]*line[0] + line[1]*line[1])
	if n == 0 {
		return ray{}
	}
	line = vec3{line[0] / n, line[1] / n, line[2] / n}
	return ray{line: line, middle: vision.Point{X: (a[0] + b[0]) / 2, Y: (a[1] + b[1]) / 2}, along: vision.Point{X: line[1], Y: -line[0]}}
}

// within is the sine of the angle between a segment and the direction from its middle to a
// vanishing point, where that is so much at most, and false where it is more.
func (r *ray) within(most float64, v vec3) (off float64, ok bool) {
	dx, dy := v[0]-r.middle.X*v[2], v[1]-r.middle.Y*v[2]
	d, across := dx*dx+dy*dy, r.along.X*dy-r.along.Y*dx
	// Half of the rays are of the other family: that is told by squares, but for rounding.
	if across*across > 1.0001*most*most*d {
		return 0, false
	}
	off = 1
	if d != 0 && r.along != (vision.Point{}) {
		off = math.Abs(across) / math.Sqrt(d)
	}
	return off, !(off > most)
}

// A spacing is n+1 evenly spaced lines along one axis.
type Spacing struct {
	N                   int
	First, Pitch, Width float64
	Slack               float64 // by how much the lines may be wider or narrower
	Score               float64
}

// Roughly tells whether a range has a value that may be off by so much.
func Roughly(r calibrations.Range, v, off float64) bool { return v >= r[0]-off && v <= r[1]+off }

// An axis is what is seen of lines along one axis, whatever the look.
type Axis struct {
	borders *borders
	width   int     // of a line, in bins
	slack   float64 // by how much a line may be wider or narrower, in bins
	lines   *axisLines
	peaks   []int
}

// newAxis looks for lines among edges that were drawn in pixels of a size; nil where
// there are none. Each of a line's two edges may be half a pixel off: wide spreads them
// over as much, and is nil where they are anyhow.
func newAxis(edges []edge, pixel float64, wide bool) *Axis {
	b, ok := bordersOf(edges, pixel, wide)
	if !ok {
		return nil
	}
	a := &Axis{borders: b, width: b.width(), slack: pixel / b.bin}
	if a.width == 0 {
		return nil
	}
	a.lines = b.lines(a.width)
	a.peaks = a.lines.peaks()
	return a
}

// Spacings are how the lines may be spaced, the best first.
func (a *Axis) Spacings(look calibrations.Board) []Spacing {
	if a == nil {
		return nil
	}
	b, l, width := a.borders, a.lines, a.width
	var all []Spacing
	for i, from := range a.peaks {
		for _, to := range a.peaks[i+1:] {
			for n := 1; n <= look.MaxCells; n++ {
				pitch := float64(to-from) / float64(n)
				if !Roughly(look.Line, float64(width)/pitch, a.slack/pitch) {
					continue
				}
				if s, ok := l.comb(from, to, n); ok {
					all = append(all, Spacing{n, b.at(s.First), s.Pitch * b.bin, float64(width) * b.bin, a.slack * b.bin, s.Score})
				}
			}
		}
	}
	return fewThatDiffer(all)
}

// axisBins is in how many bins the places across an axis are counted, and axisRoom
// how many of them lie beyond the first and the last edge.
const axisBins, axisRoom = 480, 20

// borders is how much of an axis's edges begins and ends in each bin across it, as
// shares of the axis's whole length.
type borders struct {
	lo, bin    float64 // the first edge's place and a bin's width, in the straightened plane
	begin, end [axisBins]float64
}

// bordersOf counts edges that were drawn in pixels of a size; see newAxis. It is false
// where they are all in one place.
func bordersOf(edges []edge, pixel float64, wide bool) (*borders, bool) {
	lo, hi := math.Inf(1), math.Inf(-1)
	from, to := math.Inf(1), math.Inf(-1)
	for _, e := range edges {
		lo, hi = min(lo, e.at), max(hi, e.at)
		from, to = min(from, e.from), max(to, e.to)
	}
	if hi <= lo || to <= from {
		return nil, false
	}
	b := &borders{lo: lo, bin: (hi - lo) / (axisBins - 2*axisRoom)}
	// Spread over 3 bins: of a board 150 pixels wide a bin is a third of a pixel of the
	// frame. exp(-(d+k)²/2s²), step by step.
	s := 3.0
	if wide {
		if s = 0.5 * pixel / b.bin; s <= 3 {
			return nil, false
		}
	}
	square, reach := 2*s*s, int(4*s)
	spread := math.Exp(-2 / square) // what the ratio of neighbours shrinks by from bin to bin
	for _, e := range edges {
		w := (e.to - e.from) / (to - from)
		c := (e.at-lo)/b.bin + axisRoom
		first, last := max(0, int(c)-reach), min(axisBins-1, int(c)+reach)
		d := float64(first) - c
		k, ratio := w*math.Exp(-d*d/square), math.Exp(-(2*d+1)/square)
		out := &b.end
		if e.begins {
			out = &b.begin
		}
		for i := first; i <= last; i++ {
			out[i] += k
			k *= ratio
			ratio *= spread
		}
	}
	return b, true
}

// at is the place of a bin in the straightened plane.
func (b *borders) at(i float64) float64 { return b.lo + (i-axisRoom)*b.bin }

// width is the lines' width in bins: the shift at which beginnings meet ends best; 0
// where they do not. Every third bin tells as much as all, since each edge is spread
// over more.
func (b *borders) width() int {
	// No more can meet than begins, and that is in some of the bins.
	left, n := 0.0, 0
	var bins [axisBins/3 + 1]int
	var begin [axisBins/3 + 1]float64
	for i := 0; i < axisBins; i += 3 {
		if a := b.begin[i]; a > 0 {
			left += a
			bins[n], begin[n] = i/3, a
			n++
		}
	}
	var every [3][axisBins / 3]float64 // what ends in every third bin, from each of the first three on
	for i, z := range b.end {
		every[i%3][i/3] = z
	}
	width, best := 0, 0.0
	for w := 2; w < axisBins/2; w++ {
		// Of equals the narrowest. From where one line begins to where the next ends
		// as many meet, but for a border that is off its place.
		more := 1.05
		if 2*w > 3*width {
			more = 1.4
		}
		sum, lost, most := 0.0, 0.0, 1.001*left-more*best // that may be lost, but for rounding
		ends := every[w%3][w/3:]
		for k, i := range bins[:n] {
			if i >= len(ends) || lost > most {
				break
			}
			met := min(begin[k], ends[i])
			sum += met
			lost += begin[k] - met
		}
		if lost > most {
			continue
		}
		if sum > more*best {
			width, best = w, sum
		}
	}
	return width
}

// axisLines is how much of the axis's length a line of the width found is seen in,
// with its middle in each bin, and the most of it.
type axisLines struct {
	ink       [axisBins]float64
	strongest float64
}

func (b *borders) lines(width int) *axisLines {
	l := &axisLines{}
	for i := range l.ink {
		a, z := i-width/2, i-width/2+width
		if a >= 0 && z < axisBins {
			l.ink[i] = min(b.begin[a], b.end[z], 1)
			l.strongest = max(l.strongest, l.ink[i])
		}
	}
	return l
}

// peaks are the bins in which lines may be, in order: at most the 24 strongest.
func (l *axisLines) peaks() []int {
	var peaks []int
	for i := 1; i < axisBins-1; i++ {
		if l.ink[i] >= 0.12*l.strongest && l.ink[i] >= l.ink[i-1] && l.ink[i] > l.ink[i+1] {
			peaks = append(peaks, i)
		}
	}
	slices.SortFunc(peaks, func(a, b int) int { return cmp.Compare(l.ink[b], l.ink[a]) })
	peaks = peaks[:min(len(peaks), 24)]
	slices.Sort(peaks)
	return peaks
}

// comb lays n+1 evenly spaced lines from one bin to another, each of which may be a
// little off, and fits the spacing to where they are; in bins. False where more of
// them are missing than seen.
func (l *axisLines) comb(from, to, n int) (Spacing, bool) {
	pitch := float64(to-from) / float64(n)
	tol := max(2, int(0.07*pitch))
	sum := 0.0
	var through vision.Trend
	for j := range n + 1 {
		c := float64(from) + float64(j)*pitch
		top, where := 0.0, int(c)
		for x := max(0, int(c)-tol); x <= min(axisBins-1, int(c)+tol); x++ {
			if l.ink[x] > top {
				top, where = l.ink[x], x
			}
		}
		sum += top - 0.25*l.strongest
		through.Add(top+1e-6, float64(j), float64(where))
	}
	first, slope, ok := through.Line()
	if sum <= 0 || !ok {
		return Spacing{}, false
	}
	if !(slope > 0.8*pitch && slope < 1.25*pitch) {
		first, slope = float64(from), pitch // of peaks a few pixels apart
	}
	return Spacing{N: n, First: first, Pitch: slope, Score: sum}, true
}

// fewThatDiffer are the five best spacings at most, none of which is nearly another.
func fewThatDiffer(all []Spacing) []Spacing {
	slices.SortFunc(all, func(a, b Spacing) int { return cmp.Compare(b.Score, a.Score) })
	var kept []Spacing
	for _, o := range all {
		same := false
		for _, k := range kept {
			same = same || k.N == o.N && math.Abs(k.First-o.First) < 0.2*k.Pitch
		}
		if !same {
			if kept = append(kept, o); len(kept) == 5 {
				break
			}
		}
	}
	return kept
}

// A segment is a straight piece of an outline, in pixels of the frame, with
// the part that it bounds on its right hand (y grows downwards).
type segment struct {
	a, b vision.Point
	len  float64
}

// outline is the outlines of a part as straight pieces.
func (p *Part) outline(fx, fy float64) []segment {
	at, w := p.Box.Min, p.Box.Dx()
	mask := make([]byte, w*p.Box.Dy())
	for _, s := range p.Spans {
		row := mask[(int(s.Y)-at.Y)*w:]
		for x := int(s.X0) - at.X; x < int(s.X1)-at.X; x++ {
			row[x] = 1
		}
	}
	// 1.2 pixels of the reduced picture: a straight edge wavers by half of one.
	var out []segment
	for _, corners := range cv.Outlines(mask, w, 8, 1.2) {
		for k, p := range corners {
			q := corners[(k+1)%len(corners)]
			// A border has the part on its left hand.
			a := vision.Point{X: (float64(q.X+at.X)+0.5)*fx - 0.5, Y: (float64(q.Y+at.Y)+0.5)*fy - 0.5}
			b := vision.Point{X: (float64(p.X+at.X)+0.5)*fx - 0.5, Y: (float64(p.Y+at.Y)+0.5)*fy - 0.5}
			if l := math.Hypot(b.X-a.X, b.Y-a.Y); l > 2.5*max(fx, fy) {
				out = append(out, segment{a, b, l})
			}
		}
	}
	return out
}

// A shape is a part's outline straightened, once for all looks.
type shape struct {
	once  sync.Once
	plane *Rectification
}

// Plane is the plane in which a part's outline runs level and upright; nil where
// there is none.
func (p *Part) Plane(fx, fy float64) *Rectification {
	p.shape.once.Do(func() {
		segs := p.outline(fx, fy)
		if len(segs) < 8 {
			return
		}
		if r, ok := straighten(segs, max(fx, fy)); ok {
			p.shape.plane = r
		}
	})
	return p.shape.plane
}
