package part

import (
	"encoding/binary"
	"image"
	"runtime"
	"slices"
	"sort"

	"onlooker/vision"
)

// A Picture is a frame that is parted along its edges.
type Picture struct {
	Frame *image.RGBA // its first pixel is (0,0)
	W, H  int

	maps map[int]*Parts
}

// NewPicture takes a frame in.
func NewPicture(frame image.Image) *Picture {
	m := vision.AsRGBA(frame)
	return &Picture{Frame: m, W: m.Rect.Dx(), H: m.Rect.Dy(), maps: map[int]*Parts{}}
}

// Shows tells whether a place lies in the picture.
func (s *Picture) Shows(p vision.Point) bool {
	return p.X >= 0 && p.Y >= 0 && p.X <= float64(s.W-1) && p.Y <= float64(s.H-1)
}

// A part is a connected region of a frame without edges.
type Part struct {
	Box  image.Rectangle
	Area int
}

// Centre is the middle of its box.
func (p *Part) Centre() (x, y float64) {
	return float64(p.Box.Min.X+p.Box.Max.X-1) / 2, float64(p.Box.Min.Y+p.Box.Max.Y-1) / 2
}

// parts are a frame's parts.
type Parts struct {
	W, H int
	List []Part
	// rows are all runs, row by row and from the left; number is the part of each, and
	// begin where those of each row begin, with the number of all at the end. A list of
	// every pixel's part would be many times as long.
	rows          []vision.Span
	number, begin []int32
	// stretches are the runs of every part, from its first row down, and first where
	// those of each begin, with the number of all at the end.
	stretches []vision.Span
	first     []int32
}

// Runs are a part's stretches of pixels, row by row and from the left.
func (p *Parts) Runs(k int32) []vision.Span { return p.stretches[p.first[k]:p.first[k+1]] }

// At is the part that a place belongs to; false on an edge or outside.
func (p *Parts) At(x, y int) (*Part, bool) {
	if k := p.Of(x, y); k >= 0 {
		return &p.List[k], true
	}
	return nil, false
}

// Of is the number of the part that a place belongs to; -1 on an edge or outside.
func (p *Parts) Of(x, y int) int32 {
	if x < 0 || y < 0 || x >= p.W || y >= p.H {
		return -1
	}
	lo, hi := p.begin[y], p.begin[y+1]
	for lo < hi { // the first run that ends behind x
		if mid := (lo + hi) / 2; p.rows[mid].X1 <= int32(x) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < p.begin[y+1] && p.rows[lo].X0 <= int32(x) {
		return p.number[lo]
	}
	return -1
}

// Beginning are the parts whose boxes begin in rows from y0 up to y1.
func (p *Parts) Beginning(y0, y1 float64) []Part {
	from := func(y float64) int { // parts are in the order of their first rows
		return sort.Search(len(p.List), func(k int) bool { return float64(p.List[k].Box.Min.Y) >= y })
	}
	first := from(y0)
	return p.List[first:max(first, from(y1))]
}

// PartsAt divides the frame along edges of at least some contrast.
func (s *Picture) PartsAt(contrast int) *Parts {
	if p, ok := s.maps[contrast]; ok {
		return p
	}
	bands := runtime.NumCPU()
	found := make([][]vision.Span, bands)
	vision.SideBySide(bands, func(i int) {
		found[i] = s.runsBetween(s.H*i/bands, s.H*(i+1)/bands, int32(contrast))
	})
	p := &Parts{W: s.W, H: s.H}
	p.Label(slices.Concat(found...))
	s.maps[contrast] = p
	return p
}

// runsBetween are the stretches without edges in some rows. An edge is a pixel whose two
// neighbours across, or above and below, differ by the contrast. A line of one pixel
// is then two edges with a thin part between them.
func (s *Picture) runsBetween(from, to int, contrast int32) []vision.Span {
	out := make([]vision.Span, 0, 16*(to-from)) // most pictures have some ten a row
	edges := make([]uint64, (s.W+63)/64)
	for y := from; y < to; y++ {
		s.edgeRow(edges, y, contrast)
		for i := range edges {
			edges[i] = ^edges[i]
		}
		out = vision.AppendSpans(out, edges, int32(y), int32(s.W))
	}
	return out
}

// edgeRow sets a bit for each pixel of a row that is an edge, from the left and from
// the lowest bit on.
func (s *Picture) edgeRow(out []uint64, y int, contrast int32) {
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

// Label numbers the connected parts of a frame's stretches without edges, row by row.
func (p *Parts) Label(list []vision.Span) {
	p.begin = make([]int32, p.H+1)
	for _, u := range list {
		p.begin[u.Y+1]++
	}
	for y := range p.H {
		p.begin[y+1] += p.begin[y]
	}
	p.rows = list
	p.List, p.number = Joined(list)
	p.first = make([]int32, len(p.List)+1)
	for _, k := range p.number {
		p.first[k+1]++
	}
	for k := range p.List {
		p.first[k+1] += p.first[k]
	}
	p.stretches = make([]vision.Span, len(list))
	next := slices.Clone(p.first)
	for i, u := range list {
		k := p.number[i]
		p.stretches[next[k]] = u
		next[k]++
	}
}

// Joined lists the parts of spans in the order of their first ones, and gives each span's
// number.
func Joined(list []vision.Span) (parts []Part, number []int32) {
	number = vision.Joined(list)
	for i, u := range list {
		if int(number[i]) == i {
			number[i] = int32(len(parts))
			parts = append(parts, Part{Box: image.Rect(int(u.X0), int(u.Y), int(u.X1), int(u.Y)+1)})
		} else {
			number[i] = number[number[i]]
		}
		q := &parts[number[i]]
		q.Box.Min.X, q.Box.Max.X = min(q.Box.Min.X, int(u.X0)), max(q.Box.Max.X, int(u.X1))
		q.Box.Max.Y = int(u.Y) + 1
		q.Area += int(u.X1 - u.X0)
	}
	return parts, number
}

// Rays is in how many directions it is measured how far something reaches.
const Rays = 48

// What parts have that are cells, at least, and how many columns or rows boards have, at most.
const (
	LeastSide = 7   // pixels of a cell's ground: cells of 12 px less the lines' blur
	LeastFull = 0.2 // of its box that a part fills: a ring of ground round a large disc
	MostSides = 80
)
