package grid

import (
	"encoding/binary"
	"image"
	"math/bits"
	"runtime"
	"slices"

	"onlooker/vision"
)

// A part is a connected region of a frame without edges.
type part struct {
	box  image.Rectangle
	area int
}

// centre is the middle of its box.
func (p *part) centre() (x, y float64) {
	return float64(p.box.Min.X+p.box.Max.X-1) / 2, float64(p.box.Min.Y+p.box.Max.Y-1) / 2
}

// parts are a frame's parts.
type parts struct {
	w, h int
	list []part
	// rows are all runs, row by row and from the left; number is the part of each, and
	// begin where those of each row begin, with the number of all at the end. A list of
	// every pixel's part would be many times as long.
	rows          []run
	number, begin []int32
	// stretches are the runs of every part, from its first row down, and first where
	// those of each begin, with the number of all at the end.
	stretches []run
	first     []int32
}

// runs are a part's stretches of pixels, row by row and from the left.
func (p *parts) runs(k int32) []run { return p.stretches[p.first[k]:p.first[k+1]] }

// at is the part that a place belongs to; false on an edge or outside.
func (p *parts) at(x, y int) (*part, bool) {
	if k := p.of(x, y); k >= 0 {
		return &p.list[k], true
	}
	return nil, false
}

// of is the number of the part that a place belongs to; -1 on an edge or outside.
func (p *parts) of(x, y int) int32 {
	if x < 0 || y < 0 || x >= p.w || y >= p.h {
		return -1
	}
	lo, hi := p.begin[y], p.begin[y+1]
	for lo < hi { // the first run that ends behind x
		if mid := (lo + hi) / 2; p.rows[mid].x1 <= int32(x) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < p.begin[y+1] && p.rows[lo].x0 <= int32(x) {
		return p.number[lo]
	}
	return -1
}

// partsAt divides the frame along edges of at least some contrast.
func (s *Scene) partsAt(contrast int) *parts {
	if p, ok := s.maps[contrast]; ok {
		return p
	}
	bands := runtime.NumCPU()
	found := make([][]run, bands)
	vision.SideBySide(bands, func(i int) {
		found[i] = s.runsBetween(s.H*i/bands, s.H*(i+1)/bands, int32(contrast))
	})
	p := &parts{w: s.W, h: s.H}
	p.label(slices.Concat(found...))
	s.maps[contrast] = p
	return p
}

// runsBetween are the stretches without edges in some rows. An edge is a pixel whose two
// neighbours across, or above and below, differ by the contrast. A line of one pixel
// is then two edges with a thin part between them.
func (s *Scene) runsBetween(from, to int, contrast int32) []run {
	out := make([]run, 0, 16*(to-from)) // most pictures have some ten a row
	edges := make([]uint64, (s.W+63)/64)
	for y := from; y < to; y++ {
		s.edgeRow(edges, y, contrast)
		out = appendRuns(out, edges, int32(y), int32(s.W))
	}
	return out
}

// edgeRow sets a bit for each pixel of a row that is an edge, from the left and from
// the lowest bit on.
func (s *Scene) edgeRow(out []uint64, y int, contrast int32) {
	pix, stride := s.Frame.Pix, s.Frame.Stride
	row := pix[y*stride : y*stride+4*s.W]
	up := pix[max(0, y-1)*stride:][:4*s.W]
	down := pix[min(s.H-1, y+1)*stride:][:4*s.W]
	clear(out)
	one := func(x int) {
		l, r, i := 4*max(0, x-1), 4*min(s.W-1, x+1), 4*x
		for k := range 3 {
			d, e := int32(row[l+k])-int32(row[r+k]), int32(up[i+k])-int32(down[i+k])
			if max(d, -d, e, -e) >= contrast {
				out[x>>6] |= 1 << (x & 63)
			}
		}
	}
	one(0)
	x := 1
	lanes := newContrastLanes(contrast)
	for ; x+2 < s.W; x += 2 { // two pixels at a time
		i := 4 * x
		l, r := binary.LittleEndian.Uint64(row[i-4:]), binary.LittleEndian.Uint64(row[i+4:])
		u, d := binary.LittleEndian.Uint64(up[i:]), binary.LittleEndian.Uint64(down[i:])
		if l == r && u == d {
			continue // most of a screen is plain
		}
		over := lanes.over(l, r) | lanes.over(u, d)
		out[x>>6] |= (over>>15 | over>>31) & 1 << (x & 63)
		out[(x+1)>>6] |= (over>>47 | over>>63) & 1 << ((x + 1) & 63)
	}
	for ; x < s.W; x++ {
		one(x)
	}
}

// appendRuns appends the stretches of a row of so many pixels that have no edge.
func appendRuns(out []run, edges []uint64, y, wide int32) []run {
	first := int32(0) // where the run begins that has not ended yet; -1: none has
	for i, word := range edges {
		at := int32(64 * i)
		before := ^uint64(0)
		if first >= 0 {
			before = 0
		}
		// The bits at which a run ends or begins: a bit that is not as the one before.
		for turns := word ^ (word<<1 | before&1); turns != 0; turns &= turns - 1 {
			x := at + int32(bits.TrailingZeros64(turns))
			switch {
			case x >= wide:
			case first < 0:
				first = x
			default:
				if x > first {
					out = append(out, run{y, first, x})
				}
				first = -1
			}
		}
	}
	if first >= 0 && first < wide {
		out = append(out, run{y, first, wide})
	}
	return out
}

// contrastLanes compare the channels of two pixels with those of two others at once:
// 8 bytes as twice 4 lanes of 16 bits.
type contrastLanes struct{ more, less uint64 }

const (
	everyOther = 0x00ff00ff00ff00ff // the bytes in even places
	noAlpha    = 0x000000ff000000ff // of those in odd places, as even ones, without alpha
	laneUnit   = 0x0001000100010001
)

func newContrastLanes(contrast int32) contrastLanes {
	// 256 and the difference of two bytes; a lane's highest bit is set from 256 and
	// the contrast on, and up to 256 less the contrast.
	c := uint64(contrast)
	return contrastLanes{laneUnit * (0x8000 - 256 - c), laneUnit * (0x8000 + 256 - c)}
}

// over has the highest bit of some of a pixel's lanes set where one of its channels,
// but for alpha, differs by the contrast.
func (l contrastLanes) over(a, b uint64) uint64 {
	d := (a&everyOther | laneUnit<<8) - b&everyOther
	e := (a>>8&noAlpha | laneUnit<<8) - b>>8&noAlpha
	return (d + l.more) | (l.less - d) | (e + l.more) | (l.less - e)
}

// label numbers the connected parts of a frame's stretches without edges, row by row.
func (p *parts) label(list []run) {
	var r runs
	r.list, r.parent = make([]run, 0, len(list)), make([]int32, 0, len(list))
	i := 0
	p.begin = make([]int32, p.h+1)
	for y := range p.h {
		r.next()
		p.begin[y] = int32(i)
		for ; i < len(list) && int(list[i].y) == y; i++ {
			r.add(list[i].y, list[i].x0, list[i].x1)
		}
	}
	p.begin[p.h] = int32(i)
	number := r.parts(p)
	p.rows, p.number = r.list, number
	p.first = make([]int32, len(p.list)+1)
	for _, k := range number {
		p.first[k+1]++
	}
	for k := range p.list {
		p.first[k+1] += p.first[k]
	}
	p.stretches = make([]run, len(list))
	next := slices.Clone(p.first)
	for i, u := range r.list {
		k := number[i]
		p.stretches[next[k]] = u
		next[k]++
	}
}

// A run is a row's stretch of pixels of one part.
type run struct{ y, x0, x1 int32 } // x1 is past the last

// Runs are joined to parts, row by row: next begins a row, add takes its runs from the
// left.
type runs struct {
	list          []run
	parent        []int32 // of each run, one of its part, or itself
	before, start int     // where the runs of the row above, and of this one, begin
	above         int     // the first of the row above that later runs may touch
}

func (r *runs) next() { r.before, r.start, r.above = r.start, len(r.list), r.start }

func (r *runs) root(i int32) int32 {
	for r.parent[i] != i {
		r.parent[i] = r.parent[r.parent[i]]
		i = r.parent[i]
	}
	return i
}

func (r *runs) add(y, x0, x1 int32) {
	id := int32(len(r.list))
	r.list, r.parent = append(r.list, run{y, x0, x1}), append(r.parent, id)
	for r.above < r.start && r.list[r.above].x1 <= x0 {
		r.above++
	}
	for k := r.above; k < r.start && r.list[k].x0 < x1; k++ {
		a, b := r.root(int32(k)), r.root(id)
		r.parent[max(a, b)] = min(a, b)
	}
}

// parts lists the parts in the order of their first runs, and gives each run's number.
func (r *runs) parts(p *parts) []int32 {
	number := make([]int32, len(r.list))
	for i, u := range r.list {
		root := r.root(int32(i)) // no later run
		if int(root) == i {
			number[i] = int32(len(p.list))
			p.list = append(p.list, part{box: image.Rect(int(u.x0), int(u.y), int(u.x1), int(u.y)+1)})
		}
		k := number[root]
		number[i] = k
		q := &p.list[k]
		q.box.Min.X, q.box.Max.X = min(q.box.Min.X, int(u.x0)), max(q.box.Max.X, int(u.x1))
		q.box.Max.Y = int(u.y) + 1
		q.area += int(u.x1 - u.x0)
	}
	return number
}
