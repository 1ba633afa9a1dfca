package locate

import (
	"errors"
	"fmt"
	"image"
	"math"
	"slices"

	"onlooker/calibrations"
	"onlooker/vision"
)

// angleAt is the θ that is seen at a fraction of the half width from the middle,
// -1 to 1.
func angleAt(c *vision.Cylinder, u float64) float64 {
	root := math.Sqrt(1 - c.E*c.E)
	// root·sin θ + u·e·cos θ = u is one sine of amplitude a.
	a := math.Hypot(root, u*c.E)
	return math.Asin(u/a) - math.Atan2(u*c.E, root)
}

// A bright is a picture of one channel: the greatest of red, green and blue.
type bright struct {
	w, h int
	pix  []float32
}

func brightness(m *image.RGBA, box image.Rectangle) *bright {
	box = box.Intersect(m.Rect)
	b := &bright{w: box.Dx(), h: box.Dy(), pix: make([]float32, box.Dx()*box.Dy())}
	for y := range b.h {
		row := m.Pix[(y+box.Min.Y)*m.Stride+4*box.Min.X:]
		for x := range b.w {
			b.pix[y*b.w+x] = float32(max(row[4*x], row[4*x+1], row[4*x+2]))
		}
	}
	return b
}

// at is the brightness between pixels; outside, the nearest pixel's.
func (b *bright) at(x, y float64) float64 {
	x0, y0 := int(x), int(y)
	x1, y1 := x0+1, y0+1
	if !(x >= 0 && y >= 0 && x < float64(b.w-1) && y < float64(b.h-1)) {
		x, y = max(0, min(x, float64(b.w-1))), max(0, min(y, float64(b.h-1)))
		x0, y0 = int(x), int(y)
		x1, y1 = min(x0+1, b.w-1), min(y0+1, b.h-1)
	}
	fx, fy := x-float64(x0), y-float64(y0)
	top, bot := b.pix[y0*b.w:y0*b.w+b.w], b.pix[y1*b.w:y1*b.w+b.w]
	return (float64(top[x0])*(1-fx)+float64(top[x1])*fx)*(1-fy) + (float64(bot[x0])*(1-fx)+float64(bot[x1])*fx)*fy
}

// inner tells whether a place is left of and above the last pixels, so that it has four
// round it.
func (b *bright) inner(p vision.Point) bool {
	return p.X >= 0 && p.Y >= 0 && p.X < float64(b.w-1) && p.Y < float64(b.h-1)
}

// along is the brightness at places in a line, each a step after the one before it.
func (b *bright) along(out []float64, p, step vision.Point) {
	place := func(j int) vision.Point { return vision.Point{X: p.X + float64(j)*step.X, Y: p.Y + float64(j)*step.Y} }
	if !b.inner(p) || !b.inner(place(len(out)-1)) {
		for j := range out {
			q := place(j)
			out[j] = b.at(q.X, q.Y)
		}
		return
	}
	for j := range out { // as at, for places within
		q := place(j)
		x, y := int(q.X), int(q.Y)
		fx, fy := q.X-float64(x), q.Y-float64(y)
		top := b.pix[y*b.w+x:][:2:2]
		bot := b.pix[(y+1)*b.w+x:][:2:2]
		out[j] = (float64(top[0])*(1-fx)+float64(top[1])*fx)*(1-fy) + (float64(bot[0])*(1-fx)+float64(bot[1])*fx)*fy
	}
}

// clip cuts off what is much brighter than most of a part: white symbols would
// outweigh the lines.
func (b *bright) clip(part image.Rectangle) {
	part = part.Intersect(image.Rect(0, 0, b.w, b.h))
	var count [256]int // of each brightness
	all := 0
	for y := part.Min.Y; y < part.Max.Y; y += 2 {
		for _, v := range b.pix[y*b.w+part.Min.X : y*b.w+part.Max.X] {
			count[uint8(v)]++
			all++
		}
	}
	limit := float32(0)
	for v, under := 0, 0; v < len(count); v++ {
		if under += count[v]; 10*under > 9*all {
			limit = float32(v)
			break
		}
	}
	if all == 0 {
		return
	}
	for i, v := range b.pix {
		b.pix[i] = min(v, limit)
	}
}

// reach is how far round a pillar its picture is looked at when it is fitted,
// in radians: beyond 65° a column of the game's pillar is under half as wide as
// in the middle.
const reach = 65 * math.Pi / 180

// An upright is a part of a frame that may be a pillar, with what is the same for every
// look: the cylinder that fits it, without lines, and its picture.
type Upright struct {
	fit     vision.Cylinder
	picture *bright
	at      image.Point // of the picture's first pixel
	y0, y1  float64     // from where to where the part reaches in the picture
	err     error       // why it is no pillar in any look
}

// Fit fits a cylinder to a part of the frame and finds its lines. It fails where
// that is no pillar.
func (u *Upright) Fit(look calibrations.Board) (*vision.Cylinder, error) {
	if u.err != nil {
		return nil, u.err
	}
	c := u.fit
	if err := linesOf(&c, u.picture, u.y0, u.y1, look); err != nil {
		return nil, err
	}
	// To the frame's own pixels.
	dx, dy := float64(u.at.X), float64(u.at.Y)
	c.Left.At, c.Right.At = c.Left.At+dx, c.Right.At+dx
	c.Left.From, c.Right.From = c.Left.From+dy, c.Right.From+dy
	c.Level += dy
	return &c, nil
}

// NewUpright fits a cylinder to what is seen in a box of the frame: the sides
// first, then the horizon and the distance at which the level lines come out
// straight.
func NewUpright(m *image.RGBA, box image.Rectangle) *Upright {
	grown := image.Rect(box.Min.X-box.Dx()/3-4, box.Min.Y-box.Dy()/16-4, box.Max.X+box.Dx()/3+4, box.Max.Y+box.Dy()/16+4).Intersect(m.Rect)
	u := &Upright{picture: brightness(m, grown), at: grown.Min}
	b, c := u.picture, &u.fit
	x0, x1 := float64(box.Min.X-grown.Min.X), float64(box.Max.X-1-grown.Min.X)
	y0, y1 := float64(box.Min.Y-grown.Min.Y), float64(box.Max.Y-1-grown.Min.Y)
	u.y0, u.y1 = y0, y1
	// A third of the width: scenery as bright as the pillar may touch it.
	room := (x1 - x0) / 3
	var sides [2]vision.SideLine
	var straight [2]bool
	vision.SideBySide(2, func(i int) {
		sides[i], straight[i] = b.side([2]float64{x0, x1}[i], room, y0, y1, 1-2*i, 2)
	})
	c.Left, c.Right = sides[0], sides[1]
	if !straight[0] {
		return u.refused("no straight left side")
	}
	if !straight[1] {
		return u.refused("no straight right side")
	}
	b.clip(image.Rect(int(x0+c.Half/2), int(y0), int(x1-c.Half/2), int(y1)))
	// The best bow of the rows: coarsely, then closely.
	c.Half = (c.Right.X((y0+y1)/2) - c.Left.X((y0+y1)/2)) / 2
	if c.Half < 8 {
		return u.refused("under 16 pixels wide")
	}
	best, bestScore := *c, -1.0
	// Of equals the first that is tried.
	try := func(bows []vision.Cylinder) {
		scores := make([]float64, len(bows))
		vision.SideBySide(len(bows), func(i int) { scores[i] = contrastOf(&bows[i], b, y0, y1) })
		for i, s := range scores {
			if s > bestScore {
				best, bestScore = bows[i], s
			}
		}
	}
	bow := func(e, level float64) vision.Cylinder {
		t := *c
		t.E, t.Level = e, level
		return t
	}
	bows := []vision.Cylinder{bow(0, y0-(y1-y0)/4)} // without perspective there is no bow, whatever the level
	for k := 1; k < 12; k += 2 {
		for l := -2; l <= 10; l += 2 {
			bows = append(bows, bow(0.03*float64(k), y0+(y1-y0)*float64(l)/8))
		}
	}
	try(bows)
	for step, again := 1.0, 0; step > 0.05; again++ {
		from := best
		bows = bows[:0]
		for _, de := range []float64{-1, 0, 1} {
			for _, dl := range []float64{-1, 0, 1} {
				if de != 0 || dl != 0 {
					bows = append(bows, bow(max(0, min(0.5, from.E+de*step*0.03)), from.Level+dl*step*(y1-y0)/8))
				}
			}
		}
		try(bows)
		if from == best || again > 12 {
			step /= 2
		}
	}
	*c = best
	// 0.04: flat boards and pillars seen from afar or aside come out below; the
	// game's pillars, seen from where they are played, at 0.10 to 0.12.
	if c.E < 0.04 {
		return u.refused("the level lines are not bowed")
	}
	return u
}

// refused says why it is no pillar.
func (u *Upright) refused(why string) *Upright {
	u.err, u.picture = errors.New(why), nil
	return u
}

// side finds the straight upright edge within room of x along which the picture
// changes nearly everywhere: the sides of columns of lines change only beside
// cells. sign is 1 at the left side and -1 at the right; further is how often
// it may look on inwards, by as much room each time.
func (b *bright) side(x, room, y0, y1 float64, sign, further int) (vision.SideLine, bool) {
	// Middle 84 % of the height: the ends are bowed.
	from, to := y0+0.08*(y1-y0), y1-0.08*(y1-y0)
	const n = 90
	if to-from < 12 {
		return vision.SideLine{}, false
	}
	d := max(1, room/12)
	steps := int(4*room) + 1
	change := make([]float64, n*steps)
	height := func(i int) float64 { return from + (to-from)*float64(i)/(n-1) }
	for i := range n {
		y := height(i)
		for k := range steps {
			at := x - room + float64(k)/2
			change[i*steps+k] = math.Abs(b.at(at+d/2, y) - b.at(at-d/2, y))
		}
	}
	// Any change of 0.6 of the strong ones counts in full.
	enough := max(4, 0.6*top(change, 0.02))
	middle := (y0 + y1) / 2
	best, bestScore := vision.SideLine{}, 0.0
	// 0.1: 6°; a pillar more tilted than that is not seen from the ground.
	for i, v := range change {
		change[i] = min(1, v/enough)
	}
	scores := make([]float64, steps)
	for slope := -0.1; slope <= 0.1001; slope += 0.005 {
		clear(scores)
		for i := range n {
			shift := int(math.Round(2 * slope * (height(i) - middle)))
			from, to := max(0, -shift), min(steps, steps-shift)
			for k := from; k < to; k++ {
				scores[k] += change[i*steps+k+shift]
			}
		}
		for k, score := range scores {
			at := x - room + float64(k)/2
			// Of equals the outer one, by 1 in 50 over the room.
			score *= 1 - 0.02*float64(sign)*(at-x)/room
			// And the more upright, which the pixels' grid is not to decide.
			if score *= 1 - math.Abs(slope)/4; score > bestScore {
				best, bestScore = vision.SideLine{At: at, Slope: slope, From: middle}, score
			}
		}
	}
	// At the inner end of what was looked at: the box took in the pillar's glow.
	if inner := x + float64(sign)*room; math.Abs(best.At-inner) < d && further > 0 {
		return b.side(best.At, room, y0, y1, sign, further-1)
	}
	// 0.7: the scene may hide the change along a part of the side, where it is
	// as bright as the pillar.
	if bestScore < 0.7*n {
		return best, false
	}
	for range 5 {
		var through vision.Trend
		for i := range n {
			y := height(i)
			for t := -d; t <= d; t += 0.25 {
				at := best.X(y) + t
				through.Add(math.Abs(b.at(at+0.5, y)-b.at(at-0.5, y))/(1+t*t), y-middle, at)
			}
		}
		if at, slope, ok := through.Line(); ok {
			best.At, best.Slope = at, slope
		}
	}
	return best, true
}

// top is what a share of values from 0 to 255 exceeds, to a sixteenth.
func top(values []float64, share float64) float64 {
	var count [16 * 256]int
	for _, v := range values {
		count[min(int(16*v), len(count)-1)]++
	}
	most, above := int(share*float64(len(values))), 0
	for i := len(count) - 1; i > 0; i-- {
		if above += count[i]; above > most {
			return float64(i) / 16
		}
	}
	return 0
}

// stripOf samples a pillar unwrapped: n columns from -reach to reach, heights
// from v0 to v1 in m rows.
func stripOf(c *vision.Cylinder, b *bright, n, m int, v0, v1 float64) []float64 {
	out := make([]float64, n*m)
	sin, cos := make([]float64, n), make([]float64, n)
	for i := range n {
		sin[i], cos[i] = math.Sincos(reach * (2*(float64(i)+0.5)/float64(n) - 1))
	}
	vision.SideBySide(m, func(j int) {
		v := v0 + (v1-v0)*(float64(j)+0.5)/float64(m)
		for i := range n {
			p := c.Turned(sin[i], cos[i], v)
			out[j*n+i] = b.at(p.X, p.Y)
		}
	})
	return out
}

// spanOf is the heights, in radii, between two rows of the picture at the
// middle.
func spanOf(c *vision.Cylinder, y0, y1 float64) (v0, v1 float64) {
	k := (1 - c.E) / (c.Half * math.Sqrt(1-c.E*c.E))
	return (y0 - c.Level) * k, (y1 - c.Level) * k
}

// contrastOf is how well the edges of the unwrapped rows agree across: the
// variance of the rows' mean change downwards by that of every change. Bent
// rows blur into each other, and upright lines do not change downwards.
func contrastOf(c *vision.Cylinder, b *bright, y0, y1 float64) float64 {
	const n, m = 25, 160
	v0, v1 := spanOf(c, y0, y1)
	dv := (v1 - v0) / m
	var all float64
	var sums [m]float64 // of the changes down to each row
	for i := range n {
		// The same columns of the picture whatever is tried, to 0.92 of the half
		// width: further out the sides' glow and shade differ from row to row.
		sin, cos := math.Sincos(angleAt(c, 0.92*(2*(float64(i)+0.5)/n-1)))
		// A line along the pillar is a straight one in the picture.
		p, q := c.Turned(sin, cos, v0+dv/2), c.Turned(sin, cos, v1-dv/2)
		var seen [m]float64
		b.along(seen[:], p, vision.Point{X: (q.X - p.X) / (m - 1), Y: (q.Y - p.Y) / (m - 1)})
		for j := 1; j < m; j++ {
			d := seen[j] - seen[j-1]
			sums[j] += d
			all += d * d
		}
	}
	if all <= 0 {
		return 0
	}
	rows := 0.0
	for _, sum := range sums {
		rows += sum * sum / n
	}
	return rows / all
}

// How finely lattice looks at the unwrapped pillar: places round it and along it.
const pillarWide, pillarHigh = 260, 800

// linesOf finds the lines on the unwrapped pillar.
func linesOf(c *vision.Cylinder, b *bright, y0, y1 float64, look calibrations.Board) error {
	v0, v1 := spanOf(c, y0, y1)
	// A fifth more above and below: down the middle a dot may have hidden the
	// first or the last line.
	v0, v1 = v0-0.2*(v1-v0), v1+0.2*(v1-v0)
	s := stripOf(c, b, pillarWide, pillarHigh, v0, v1)
	runs, err := levelLines(c, s)
	if err != nil {
		return fmt.Errorf("level lines: %w", err)
	}
	dv := (v1 - v0) / pillarHigh
	c.Rows = len(runs) - 1
	first, pitch, width := spaced(runs)
	c.Top, c.Pitch, c.Line = v0+first*dv, pitch*dv, width/pitch
	if c.Rows < 1 || c.Rows > look.MaxCells {
		return errors.New("too many or too few level lines")
	}
	if !look.Line.Has(c.Line) {
		return errors.New("the level lines are too thick or too thin")
	}
	// Columns: between the outermost lines only.
	column := columnsOf(c, s, max(0, int(first)), min(pillarHigh, int(first+pitch*float64(c.Rows))))
	best, phase := 0.0, 0.0
	for k := 3; k <= 2*look.MaxCells; k++ {
		around := 2 * math.Pi / float64(k) // radii
		// Cells are not quite square: 1.25 by 1 on the game's pillars.
		if r := around / c.Pitch; r < 0.7 || r > 1.7 {
			continue
		}
		if score, f := combOf(c, column, around); score > best {
			best, phase, c.Cols = score, f, k
		}
	}
	// 0.6 of the difference between lines and cells: a comb of the wrong
	// spacing gets under 0.3.
	if best < 0.6 {
		return errors.New("no evenly spaced columns")
	}
	around := 2 * math.Pi / float64(c.Cols)
	c.First = vision.LastHidden(phaseOf(c, column, phase, around, pillarWide), around)
	return nil
}

// levelLines are the lines round an unwrapped pillar, from the top, and notes how
// bright lines and cells are. A row of cells is crossed by lines and may hold symbols
// as bright as these; a line is whole but for dots. So lines that are brighter than
// the cells are told by a row's dimmer quarter, others by its brighter.
func levelLines(c *vision.Cylinder, strip []float64) ([]run, error) {
	const n, m = pillarWide, pillarHigh
	dim, lit := make([]float64, m), make([]float64, m)
	const slice = 50 // rows that are ranked in one go
	vision.SideBySide(m/slice, func(k int) {
		var buffer [n]float64
		for j := k * slice; j < (k+1)*slice; j++ {
			copy(buffer[:], strip[j*n:(j+1)*n])
			dim[j], lit[j] = vision.Ranked(buffer[:], n/4), vision.Ranked(buffer[:], n*3/4)
		}
	})
	runs, ink, paper, err := evenRuns(dim, true)
	if other, ink2, paper2, err2 := evenRuns(lit, false); err2 == nil && len(other) > len(runs) {
		runs, ink, paper, err = other, ink2, paper2, nil
	}
	c.Ink, c.Paper = ink, paper
	return runs, err
}

// columnsOf is how bright most of each column of an unwrapped pillar is between two
// rows: the dimmer part of it where lines are bright, else the brighter.
func columnsOf(c *vision.Cylinder, strip []float64, from, to int) []float64 {
	quarter := 0.3
	if c.Ink < c.Paper {
		quarter = 0.7
	}
	column, buffer := make([]float64, pillarWide), make([]float64, 0, pillarHigh)
	for i := range column {
		buffer = buffer[:0]
		for j := from; j < to; j++ {
			buffer = append(buffer, strip[j*pillarWide+i])
		}
		column[i] = vision.Ranked(buffer, int(quarter*float64(len(buffer))))
	}
	return column
}

// combOf lays lines at an even distance, in radians, over the columns and gives where
// the first of them lies at best, and how much of the difference between lines and
// cells there is then between on and beside them.
func combOf(c *vision.Cylinder, column []float64, around float64) (best, phase float64) {
	wide := c.Line * c.Pitch / 2 // half a line, as wide as the level ones
	for p := range 60 {
		f := around * float64(p) / 60
		var on, off, non, noff float64
		for i, v := range column {
			theta := reach * (2*(float64(i)+0.5)/pillarWide - 1)
			d := (theta - f) / around
			d = math.Abs(d-math.Round(d)) * around
			switch {
			case d < 0.8*wide:
				on, non = on+v, non+1
			case d > 1.2*wide:
				off, noff = off+v, noff+1
			}
		}
		if non == 0 || noff == 0 {
			continue
		}
		if score := (on/non - off/noff) / (c.Ink - c.Paper); score > best {
			best, phase = score, f
		}
	}
	return best, phase
}

// phaseOf is where the columns' lines are, to a part of a degree: the mean of
// their middles, weighed by how nearly they face the camera.
func phaseOf(c *vision.Cylinder, column []float64, near, around float64, n int) float64 {
	half := (c.Ink + c.Paper) / 2
	above := c.Ink > c.Paper
	var sum, weight float64
	for k := -30; k <= 30; k++ {
		at := near + float64(k)*around
		if math.Abs(at) > reach-0.3*around {
			continue
		}
		var s, w float64
		for i := range n {
			theta := reach * (2*(float64(i)+0.5)/float64(n) - 1)
			if math.Abs(theta-at) < 0.3*around && (column[i] > half) == above {
				s, w = s+theta, w+1
			}
		}
		if w == 0 {
			continue
		}
		f := math.Cos(at)
		sum, weight = sum+f*(s/w-float64(k)*around), weight+f
	}
	if weight == 0 {
		return near
	}
	return sum / weight
}

// A run is a stretch of a profile, from the first to past the last.
type run struct{ from, to float64 }

func (r run) middle() float64 { return (r.from + r.to) / 2 }

// evenRuns splits a profile into lines, above or below its middle, and what is
// between them, where the lines are evenly spaced, and gives the levels of
// both.
func evenRuns(profile []float64, above bool) (runs []run, ink, paper float64, err error) {
	ranked := slices.Clone(profile)
	low, high := vision.Ranked(ranked, len(ranked)/32), vision.Ranked(ranked, len(ranked)*31/32)
	// A profile may hold a third shade, of what is above and below the pillar:
	// so the limit between lines and cells is tried at every height.
	bestOff := 1.0
	const heights = 16
	var all []run
	for k := 1; k < heights; k++ {
		limit := low + (high-low)*float64(k)/heights
		all = appendRuns(all[:0], profile, limit, above)
		found := longestEven(all, len(profile))
		if len(found) < 3 || len(found) < len(runs) {
			continue
		}
		on, off := levels(profile, found)
		// 8 of 255: below it noise and the scene's shading make stripes.
		if (on > off) != above || math.Abs(on-off) < 8 {
			continue
		}
		// Of equals the limit nearest to the middle between the two.
		if d := math.Abs((limit-off)/(on-off) - 0.5); len(found) > len(runs) || d < bestOff {
			runs, ink, paper, bestOff = slices.Clone(found), on, off, d
		}
	}
	if runs == nil {
		return nil, 0, 0, errors.New("not evenly spaced")
	}
	return runs, ink, paper, nil
}

// levels are the medians of a profile in runs and between them.
func levels(profile []float64, runs []run) (on, off float64) {
	var in, out []float64
	k := 0
	for i := int(runs[0].from); i < int(runs[len(runs)-1].to); i++ {
		x := float64(i) + 0.5
		if x > runs[k].to && k+1 < len(runs) {
			k++
		}
		if x > runs[k].from+1 && x < runs[k].to-1 {
			in = append(in, profile[i])
		} else if x < runs[k].from-1 {
			out = append(out, profile[i])
		}
	}
	return vision.Median(in), vision.Median(out)
}

// appendRuns appends the stretches of a profile above or below a limit.
func appendRuns(all []run, profile []float64, limit float64, above bool) []run {
	inside := false
	for i, v := range profile {
		on := (v > limit) == above
		if on == inside {
			continue
		}
		edge := float64(i)
		if i > 0 && v != profile[i-1] {
			edge = float64(i) - 0.5 + (limit-profile[i-1])/(v-profile[i-1]) // between the samples' middles
		}
		if inside = on; on {
			all = append(all, run{from: edge, to: float64(len(profile))})
		} else {
			all[len(all)-1].to = edge
		}
	}
	return all
}

// even tells whether runs are evenly spaced, about equally wide, and narrower than what
// is between them.
func even(r []run) bool {
	first := r[0].middle()
	pitch := (r[len(r)-1].middle() - first) / float64(len(r)-1)
	for k, s := range r {
		w := s.to - s.from
		if !(math.Abs(s.middle()-first-float64(k)*pitch) < 0.12*pitch && w < 0.6*pitch && w > 0.06*pitch) {
			return false
		}
	}
	return true
}

// longestEven is the longest sequence of neighbouring runs that are even.
func longestEven(all []run, length int) []run {
	if len(all) > 80 {
		return nil // noise
	}
	var best []run
	for i := range all {
		if all[i].from <= 0 {
			continue
		}
		for j := len(all) - 1; j > i+1 && j-i+1 > len(best); j-- {
			if all[j].to < float64(length) && even(all[i:j+1]) {
				best = all[i : j+1]
			}
		}
	}
	return best
}

// spaced fits first + k·pitch to the runs' middles, and gives their median
// width.
func spaced(runs []run) (first, pitch, width float64) {
	var through vision.Trend
	var widths []float64
	for k, r := range runs {
		through.Add(1, float64(k), r.middle())
		widths = append(widths, r.to-r.from)
	}
	first, pitch, _ = through.Line()
	return first, pitch, vision.Median(widths)
}

// Striped finds evenly spaced level lines through the middle of a box, and
// gives the box from the first to the last with three quarters of a pitch above
// and below. It looks at a narrow strip, where a pillar's lines are hardly
// bowed.
func Striped(full *image.RGBA, box image.Rectangle) (image.Rectangle, bool) {
	const n = 400
	var dim, lit [n]float64
	var v [12]uint8
	var across [len(v)]int
	for i := range across {
		across[i] = 4 * (box.Min.X + int((0.3+0.4*(float64(i)+0.5)/float64(len(v)))*float64(box.Dx())))
	}
	for j := range n {
		row := full.Pix[(box.Min.Y+(2*j+1)*box.Dy()/(2*n))*full.Stride:]
		for i, at := range across {
			c := row[at:][:3:3]
			v[i] = max(c[0], c[1], c[2])
		}
		slices.Sort(v[:])
		dim[j], lit[j] = float64(v[3]), float64(v[8])
	}
	for _, above := range []bool{true, false} {
		profile := &dim
		if !above {
			profile = &lit
		}
		runs, _, _, err := evenRuns(profile[:], above)
		if err != nil {
			continue
		}
		first, pitch, _ := spaced(runs)
		k := float64(box.Dy()) / n
		y0 := float64(box.Min.Y) + (first-0.75*pitch)*k
		y1 := float64(box.Min.Y) + (first+(float64(len(runs))-0.25)*pitch)*k
		// A pillar is seen from the ground: taller than wide.
		if out := image.Rect(box.Min.X, int(y0), box.Max.X, int(y1)); float64(out.Dy()) > 1.2*float64(out.Dx()) {
			return out, true
		}
	}
	return image.Rectangle{}, false
}
