// Package locate finds the boards in a picture that are lattices of lines, flat or round a
// pillar, whatever is drawn on them: it straightens and measures them.
package locate

import (
	"cmp"
	"fmt"
	"image"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"onlooker/calibrations"
	"onlooker/vision"
	"onlooker/vision/cv"
)

// maxSide is the longest side of a picture that Locate looks at, in pixels:
// twice that of a 4K screen.
const maxSide = 8192

// searchSide is the longest side of the reduced picture in which boards of a frame of such
// a size are looked for. Larger frames are reduced less than in proportion: lines may be as
// wide as the blur of a frame that was scaled up.
func searchSide(frame int) float64 { return max(960, min(1440, 0.5*float64(frame))) }

// Boards finds every board in a frame, largest first, each with its quad and
// straightened. None is no error. An error says why the frame cannot be looked
// at.
//
// A board is a lattice of lines. The method: divide the reduced picture by its
// local mean into lighter and darker, at several widths of that mean; take the
// outlines of each connected part; find the two vanishing points to which most
// of the outline runs; straightened by those, the outline must be the edges of
// evenly spaced lines. Then measure at full size: the lines' edges are found
// to a part of a pixel, and a projective map is fitted to them.
func Boards(frame image.Image, look calibrations.Board) ([]*vision.Board, error) {
	return NewFrame(frame).Locate(look)
}

// Locate is the function Boards for a frame that is looked at with several looks.
func (f *Frame) Locate(look calibrations.Board) ([]*vision.Board, error) {
	size := f.Picture.Bounds().Size()
	if size.X < 1 || size.Y < 1 {
		return nil, fmt.Errorf("locate: an empty picture of %dx%d pixels", size.X, size.Y)
	}
	if size.X > maxSide || size.Y > maxSide {
		return nil, fmt.Errorf("locate: a picture of %dx%d pixels, want at most %d a side", size.X, size.Y, maxSide)
	}
	if size.X < 8 || size.Y < 8 {
		return nil, nil
	}
	r := f.reduced()
	full, found := r.full, search(r, look, f.over)
	lattices, boards := found.found, found.pillars
	// The front of a pillar passes for a flat board, and a flat board seen from
	// aside for a pillar.
	boards = slices.DeleteFunc(boards, func(p *vision.Board) bool {
		return slices.ContainsFunc(lattices, func(l *lattice) bool {
			large := 0.8
			// A pillar's front has as many rows as it, and of three columns less is seen.
			if l.share > 0.95 && (l.cols > 2 || l.rows > p.Rows) {
				large = 0.45 // a box that takes in more than the board
			}
			return overlap(p.Quad, l.quad()) && quadArea(l.quad()) > large*quadArea(p.Quad) && 4*l.cols*l.rows >= p.Cols*p.Rows &&
				(l.share > 0.85 && !l.bulges(full) || l.flat() || l.bows(full))
		})
	})
	taken := slices.Clone(boards) // on which no other board lies
	for _, l := range lattices {
		if f.over() {
			break
		}
		if slices.ContainsFunc(taken, func(p *vision.Board) bool { return overlap(p.Quad, l.quad()) }) {
			continue
		}
		if b := f.board(full, l, lattices, look); b != nil {
			boards = append(boards, b)
			if b.Whole {
				taken = append(taken, b)
			}
		}
	}
	slices.SortFunc(boards, func(a, b *vision.Board) int { return cmp.Compare(quadArea(b.Quad), quadArea(a.Quad)) })
	return boards, nil
}

// board is the board of one of a frame's lattices; nil of one with cells of nothing.
func (f *Frame) board(full *image.RGBA, l *lattice, lattices []*lattice, look calibrations.Board) *vision.Board {
	b := newBoard(full, l)
	if b.ScreenPitch < look.MinPitch/2 {
		return nil
	}
	// What it grows by is no part of it where another one is seen better there.
	better := func(larger *lattice) bool {
		return slices.ContainsFunc(lattices, func(o *lattice) bool { return o != l && o.share > larger.share && overlap(o.quad(), larger.quad()) })
	}
	if larger, ok := l.larger(full, look); ok && !better(larger) {
		b, l = newBoard(full, larger), larger
	}
	b.Sized = l.sized(full, look)
	if all, ok := l.wholeBoard(full, look); ok {
		b, l = newBoard(full, all), all
		b.Whole = true
		if b.Sized = 1; l.bare(full) {
			b.Sized = 0.5
		}
	}
	for side := range b.Cut {
		b.Cut[side] = l.goesOn(full, side)
	}
	if b.Cut[0] && b.Cut[1] {
		b.Cut[0], b.Cut[1] = false, false // a pillar drawn flat goes on at its two sides
	}
	if b.Cut != [4]bool{} {
		b.Sized = 0
	}
	return b
}

// flat tells whether so many lines as on no side of a pillar lie where on a plane they would.
func (l *mesh) flat() bool {
	return l.cols > 2 && l.cols*l.rows >= 9 && l.off < 0.002 || l.cols > 3 && l.cols*l.rows >= 12 && l.off < 0.003
}

// bows tells whether upright lines are bent, as on a bulging screen; those of a
// pillar are straight from wherever it is seen.
func (l *lattice) bows(full *image.RGBA) bool {
	b := *l
	b.unbend(full)
	return b.bend != nil && uprights(b.bend) > 0.04 // half-cells; 0.1 and more were seen
}

// bulges tells whether the level lines of a lattice of few columns bend away from its
// middle, as on the front of a pillar.
func (l *lattice) bulges(full *image.RGBA) bool {
	if l.cols > 3 {
		return false // one view of six columns shows three at the most
	}
	sum, weight := 0.0, 0.0
	for r := range l.rows + 1 {
		y := float64(2 * r)
		mean := func(xs ...float64) (float64, bool) {
			total, n := 0.0, 0.0
			for _, x := range xs {
				if shift, width := l.cross(full, x, y, false); width > 0 {
					total += shift
					n++
				}
			}
			return total / max(n, 1), n > 0
		}
		last := float64(2 * l.cols)
		middle, ok := mean(last/2-0.5, last/2+0.5)
		side, ok2 := mean(0.4, last-0.4)
		if !ok || !ok2 {
			continue
		}
		d := y - float64(l.rows)
		sum += (middle - side) * d
		weight += d * d
	}
	return weight > 0 && sum/weight > 0.008
}

// overlap tells whether the middle of one quad lies in the other.
func overlap(a, b [4]vision.Point) bool {
	middle := func(q [4]vision.Point) vision.Point {
		return vision.Point{X: (q[0].X + q[2].X) / 2, Y: (q[0].Y + q[2].Y) / 2}
	}
	return within(a, middle(b)) || within(b, middle(a))
}

func quadArea(q [4]vision.Point) float64 {
	a := 0.0
	for i, p := range q {
		n := q[(i+1)%4]
		a += p.X*n.Y - n.X*p.Y
	}
	return math.Abs(a) / 2
}

// within tells whether a point lies in a convex quad.
func within(q [4]vision.Point, p vision.Point) bool {
	left := 0 // of how many of its sides it lies
	for i, a := range q {
		b := q[(i+1)%4]
		if (b.X-a.X)*(p.Y-a.Y)-(b.Y-a.Y)*(p.X-a.X) < 0 {
			left++
		}
	}
	return left%len(q) == 0
}

// search finds the lattices of a frame, and what may be pillars.
func search(r *reduced, look calibrations.Board, over func() bool) *searcher {
	s := &searcher{over: over, full: r.full, look: look, lines: inks(look.Lines), rims: inks(look.Rims), fx: r.fx, fy: r.fy}
	if len(s.lines) > 0 {
		all := s.likely(s.inked(r.w, r.h))
		slices.SortStableFunc(all, larger)
		s.lookAt(all)
	}
	clear := func(l *lattice) bool { return l.share > 0.85 && l.cols*l.rows >= 4 }
	doubtful := func(l *lattice) bool { return !clear(l) }
	for i, stage := range r.stages {
		if over() {
			break
		}
		// Lines and cells may be as bright as each other and differ in hue alone: in red and
		// blue, or in green. What is no clear board may be a piece of one that shows elsewhere.
		if slices.ContainsFunc(s.found, clear) && (i%len(cuts) == 0 || !slices.ContainsFunc(s.found, doubtful)) {
			break
		}
		divisions := stage()
		if i == 0 { // pillars are lit: their value tells them
			s.pillars = pillars(r, divisions, look)
		}
		s.channel(divisions)
	}
	return s
}

// A searcher gathers the lattices of one frame.
type searcher struct {
	over    func() bool // whether the time is over
	full    *image.RGBA
	look    calibrations.Board
	lines   []vision.RGB // colours of lines; none: any
	rims    []vision.RGB // of what outlines them
	fx, fy  float64      // pixels of the frame per pixel of the reduced picture
	found   []*lattice
	pillars []*vision.Board
}

// inks are the colours that a look writes as #rrggbb.
func inks(list []string) (all []vision.RGB) {
	for _, c := range list {
		if v, err := strconv.ParseUint(strings.TrimPrefix(c, "#"), 16, 32); err == nil {
			all = append(all, vision.RGB{float64(v >> 16), float64(v >> 8 & 255), float64(v & 255)})
		}
	}
	return all
}

// HasLines tells whether a look names the usual colour of a board's lines, which is nearer to it
// than a pixel of them may be.
func HasLines(look calibrations.Board, b *vision.Board) bool {
	return slices.ContainsFunc(inks(look.Lines), func(ink vision.RGB) bool { return 2*ink.Dist(b.Ink) <= look.LinesWithin })
}

// inked are the connected parts of a reduced picture of w×h pixels where lines have one of the
// look's colours, with what outlines them, in a quarter of a pixel at least. What lies on the lines,
// as dots do, leaves a rim of them, as thin as a pixel of the frame, that dividing by the mean does
// not show.
func (s *searcher) inked(w, h int) (all []Part) {
	far := int(math.Floor(s.look.LinesWithin * s.look.LinesWithin))
	near, mask := image.NewRGBA(s.full.Rect), make([]byte, w*h)
	for k, c := range s.lines {
		line := [3]int{int(c[0]), int(c[1]), int(c[2])}
		vision.SideBySide(s.full.Rect.Dy(), func(y int) {
			row, out := s.full.Pix[y*s.full.Stride:][:4*s.full.Rect.Dx()], near.Pix[y*near.Stride:]
			for i := 0; i < len(row); i += 4 {
				p := row[i : i+4 : i+4]
				if i > 0 && p[0] == row[i-4] && p[1] == row[i-3] && p[2] == row[i-2] {
					out[i] = out[i-4] // most are as the one before
					continue
				}
				out[i] = 0
				d, e, f := int(p[0])-line[0], int(p[1])-line[1], int(p[2])-line[2]
				if d*d+e*e+f*f <= far || s.outlines(k, p) {
					out[i] = 255
				}
			}
		})
		clear(mask)
		small := near
		if w < s.full.Rect.Dx() {
			small = cv.Resized(near, w, h)
		}
		for i := range mask {
			if small.Pix[4*i] >= 64 {
				mask[i] = 255
			}
		}
		for _, p := range Parts(mask, w, h, 40) {
			p.Weight = p.Area
			all = append(all, p)
		}
	}
	return all
}

// outlines tells whether a pixel has the colour of what outlines a line, or is a mix of
// both.
func (s *searcher) outlines(line int, p []uint8) bool {
	c := vision.RGB{float64(p[0]), float64(p[1]), float64(p[2])}
	return slices.ContainsFunc(s.rims, func(rim vision.RGB) bool { return c.OffMix(s.lines[line], rim) <= s.look.LinesWithin })
}

// fits tells whether a lattice's lines have a colour of the look, or what is drawn of
// a line on it leaves some that have.
func (s *searcher) fits(l *lattice) bool {
	return len(s.lines) == 0 || slices.ContainsFunc(s.lines, func(c vision.RGB) bool {
		return l.ink.Dist(c) <= s.look.LinesWithin || l.traced && l.trace.Dist(c) <= s.look.LinesWithin
	})
}

// windows are the widths of the local mean, in pixels of the reduced picture:
// each suits pitches from a third of itself to about itself.
var windows = [...]int{31, 91, 251}

// cuts are where lighter and darker are divided, in local means: first at the mean.
// Dark lines between lit cells, and a dark frame round them, are both far under
// it; what lies between lines and frame is only just.
var cuts = [...][2]cut{{{true, 1}, {false, 1}}, {{true, 0.6}, {false, 1.3}}}

type cut struct {
	dark  bool
	times float64
}

// divide is the connected parts of where a picture is darker, or brighter, than
// its local mean times the cut's number.
func (c cut) divide(picture, mean []byte, wide int) []Part {
	var times [256]byte
	for i := range times {
		times[i] = byte(min(255, math.RoundToEven(float64(i)*c.times)))
	}
	mask := cv.Divided(picture, mean, wide, &times, c.dark)
	// 40 pixels: most parts are smaller, specks of a texture.
	all := Parts(mask, wide, len(mask)/wide, 40)
	for i := range all {
		all[i].Weigh(picture, mean, wide)
	}
	// From the mean to a grey line it is half of the line's contrast, in one channel of three.
	return slices.DeleteFunc(all, func(p Part) bool {
		return float64(p.Weight) < leastContrast/2/math.Sqrt(3)*float64(len(p.Spans))
	})
}

// channel looks for lattices in the divisions of one channel of the reduced picture.
func (s *searcher) channel(divisions [][]Part) {
	left := make([][]Part, len(divisions))
	for i, d := range divisions {
		left[i] = s.likely(d)
	}
	// A few of each division, the heaviest, and as many again of those in which boards were found.
	for begun := true; begun; {
		var all []Part
		var of []int // the divisions
		for i, parts := range left {
			few := parts[:min(len(parts), heaviest)]
			left[i] = parts[len(few):]
			slices.SortStableFunc(few, larger)
			all, of = append(all, few...), append(of, slices.Repeat([]int{i}, len(few))...)
		}
		found := s.lookAt(all)
		begun = len(found) > 0
		for i := range left {
			if !slices.ContainsFunc(found, func(k int) bool { return of[k] == i }) {
				left[i] = nil
			}
		}
	}
}

// heaviest is how many parts of a division are looked at together.
const heaviest = 10

// larger orders parts by their boxes, the largest first.
func larger(a, b Part) int { return b.Box.Dx()*b.Box.Dy() - a.Box.Dx()*a.Box.Dy() }

// likely are those parts of a division that may be boards, at most 25 of them, the
// heaviest first.
func (s *searcher) likely(parts []Part) (out []Part) {
	least := 1.2 * s.look.MinPitch / max(s.fx, s.fy)
	var all []*Part
	for i := range parts {
		p := &parts[i]
		w, h := p.Box.Dx(), p.Box.Dy()
		fill := float64(p.Area) / float64(w*h)
		if float64(w) < least || float64(h) < least || fill < 0.04 || fill > 0.85 {
			continue
		}
		// A row of the board crosses a line for each column, and one more; a texture
		// is crossed more often, and has the longest outlines of all. Without lines
		// it is crossed once: a board of one cell and thick lines 1.25 times.
		if len(p.Spans) > (s.look.MaxCells+2)*h || 5*len(p.Spans) < 6*h {
			continue
		}
		all = append(all, p)
	}
	// In a whole frame there are hundreds: what the noise of a dark wall is divided
	// into is as large as a small board, and weighs a tenth of it.
	slices.SortStableFunc(all, func(a, b *Part) int { return b.Weight - a.Weight })
	for _, p := range all[:min(len(all), 25)] {
		out = append(out, *p)
	}
	return out
}

// lookAt looks for lattices among parts, and tells in which it found them, as many at a
// time as there are processors: each is looked at with what was found in those before it, but for
// the last few. With more of these the same board is found once more, with fewer
// processors idle; the number of those must not decide what is found.
func (s *searcher) lookAt(parts []Part) (in []int) {
	const few = 4
	type look struct {
		lattice *lattice
		done    bool
		found   []*lattice    // in this part and those before it
		added   chan struct{} // closed when found is known
	}
	looks := make([]look, len(parts))
	for i := range looks {
		looks[i].added = make(chan struct{})
	}
	var mu sync.Mutex
	begin, next := s.found, 0
	vision.SideBySide(len(parts), func(i int) {
		known := begin
		if i >= few {
			<-looks[i-few].added
			known = looks[i-few].found
		}
		var l *lattice
		// Deferred, so that a panic leaves nobody waiting for this part.
		defer func() {
			mu.Lock()
			defer mu.Unlock()
			looks[i].lattice, looks[i].done = l, true
			for next < len(looks) && looks[next].done {
				o, part := &looks[next], next
				next++
				func() {
					defer close(o.added)
					if o.lattice != nil && s.fits(o.lattice) {
						s.add(o.lattice)
						in = append(in, part)
					}
					o.found = s.found
				}()
			}
		}()
		if !s.over() && !s.known(known, parts[i].Box) {
			l = s.lattice(parts[i].Plane(s.fx, s.fy), known)
		}
	})
	return in
}

// known tells whether a box of the reduced picture lies on a board that was
// found before and leaves no doubt.
func (s *searcher) known(found []*lattice, box image.Rectangle) bool {
	c := vision.Point{X: float64(box.Min.X+box.Max.X) / 2 * s.fx, Y: float64(box.Min.Y+box.Max.Y) / 2 * s.fy}
	for _, l := range found {
		q := l.quad()
		// 0.004 half-cells: most flat boards are within 0.003.
		if l.share < 0.75 || l.off > 0.004 {
			continue // a worse look at some other board may lie under it
		}
		larger := 1.3
		if l.clear() {
			larger = framed
		}
		area := float64(box.Dx()*box.Dy()) * s.fx * s.fy / quadArea(q)
		// One cell may be the ground of a board that stands in it: what is larger
		// than a symbol, 0.15, and leaves a margin.
		if l.cols*l.rows == 1 && area > 0.2 && area < 0.8 {
			continue
		}
		if within(q, c) && area < larger {
			return true
		}
	}
	return false
}

// twice tells whether a lattice is another one divided once more: squares in
// the cells stand where its odd lines would be, and are seen as parts of them.
// 0.8 and 0.15: the lines of a board without missing edges are seen to 0.9, and
// with such squares half as many again to 0.7.
//
// A single cell round a lattice is what frames it.
func twice(fine, coarse *lattice) bool {
	if fine.cols < 2*coarse.cols-1 || fine.rows < 2*coarse.rows-1 || coarse.cols*coarse.rows == 1 {
		return false
	}
	area := quadArea(coarse.quad()) / quadArea(fine.quad())
	// Grown over the housing, it may be larger, and seen to hardly more than a
	// half.
	// Of two cells a side, the least that is seen of the finer is three quarters a
	// side of the coarser: what is larger than that frames it.
	return area > 0.7 && area < 1.8 && coarse.share > 0.8 && fine.share < coarse.share-0.15 ||
		area > 0.4 && coarse.share > 0.9 && fine.share < 0.6
}

// framed is how much larger than a board, in area, what frames it may be; a false
// board among the symbols of a larger one is a quarter as large as that or less.
const framed = 2.5

// framedWide is the same of what has the board's middle too, as a frame has: of 2x2
// cells on the widest ground it was seen to 4.3.
const framedWide = 4.5

// outdoes tells whether a board that is seen whole is better than another over
// it, whatever that one's score: a board and its frame pass for one of more
// lines, of which a third is not seen.
func (l *lattice) outdoes(o *lattice) bool {
	if !l.clear() {
		return false
	}
	larger := framed
	if l.centred(&o.mesh) {
		larger = framedWide
	}
	times := quadArea(l.quad()) / quadArea(o.quad())
	// Within a cell, and far fainter than the board's own lines, it is a pattern.
	faint := 3*o.ink.Dist(o.paper) < l.ink.Dist(l.paper)
	return o.share < 0.85 && larger*times > 1 || faint && times > float64(l.cols*l.rows)
}

// centred tells whether a board's middle is, to half a cell, another's.
func (l *mesh) centred(o *mesh) bool {
	a, b := l.point(float64(l.cols), float64(l.rows)), o.point(float64(o.cols), float64(o.rows))
	return math.Hypot(a.X-b.X, a.Y-b.Y) < 0.5*math.Sqrt(quadArea(l.quad())/float64(l.cols*l.rows))
}

// surer tells whether a lattice that is seen whole is of as many cells as it seems,
// while of another over it, whose score is higher, that cannot be told: symbols in the
// cells of a single column pass for some of a line.
func (s *searcher) surer(l, o *lattice) bool {
	return l.share > 0.9 && o.share < 0.85 && l.sized(s.full, s.look) >= s.look.Confidence && o.sized(s.full, s.look) < s.look.Confidence
}

// add keeps a lattice, and of two over one another the better.
func (s *searcher) add(l *lattice) {
	var kept []*lattice
	for _, o := range s.found {
		if !overlap(o.quad(), l.quad()) {
			kept = append(kept, o)
			continue
		}
		worse := l.score <= o.score
		switch {
		case twice(l, o) || o.outdoes(l):
			worse = true
		case twice(o, l) || l.outdoes(o):
			worse = false
		case worse:
			worse = !s.surer(l, o)
		default:
			worse = s.surer(o, l)
		}
		if worse {
			return
		}
	}
	s.found = append(kept, l)
}
