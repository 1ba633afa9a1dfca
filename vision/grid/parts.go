package grid

import (
	"encoding/binary"
	"image"
	"runtime"
	"sync"
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

// parts are a frame's parts: of is which part each pixel belongs to, row by
// row, -1 for an edge.
type parts struct {
	w, h int
	of   []int32
	list []part
}

// at is the part that a place belongs to; false on an edge or outside.
func (p *parts) at(x, y int) (*part, bool) {
	if x < 0 || y < 0 || x >= p.w || y >= p.h {
		return nil, false
	}
	if k := p.of[y*p.w+x]; k >= 0 {
		return &p.list[k], true
	}
	return nil, false
}

// partsAt divides the frame along edges of at least some contrast.
func (s *Scene) partsAt(contrast int) *parts {
	if p, ok := s.maps[contrast]; ok {
		return p
	}
	p := &parts{w: s.W, h: s.H, of: make([]int32, s.W*s.H)}
	s.edges(p.of, contrast)
	p.label()
	s.maps[contrast] = p
	return p
}

// edges writes -1 for each pixel whose two neighbours across, or above and
// below, differ by the contrast, and 0 for the others. A line of one pixel is
// then two edges with a thin part between them.
func (s *Scene) edges(out []int32, contrast int) {
	bands := runtime.NumCPU()
	var wait sync.WaitGroup
	for band := range bands {
		wait.Go(func() {
			for y := s.H * band / bands; y < s.H*(band+1)/bands; y++ {
				s.edgeRow(out[y*s.W:(y+1)*s.W], y, int32(contrast))
			}
		})
	}
	wait.Wait()
}

func (s *Scene) edgeRow(out []int32, y int, contrast int32) {
	pix, stride := s.Frame.Pix, s.Frame.Stride
	row := pix[y*stride : y*stride+4*s.W]
	up := pix[max(0, y-1)*stride:][:4*s.W]
	down := pix[min(s.H-1, y+1)*stride:][:4*s.W]
	one := func(x int) {
		l, r, i := 4*max(0, x-1), 4*min(s.W-1, x+1), 4*x
		out[x] = 0
		for k := range 3 {
			d, e := int32(row[l+k])-int32(row[r+k]), int32(up[i+k])-int32(down[i+k])
			if max(d, -d, e, -e) >= contrast {
				out[x] = -1
			}
		}
	}
	one(0)
	x := 1
	lanes := newContrastLanes(contrast)
	for ; x+2 < s.W; x += 2 { // two pixels at a time
		i := 4 * x
		over := lanes.over(binary.LittleEndian.Uint64(row[i-4:]), binary.LittleEndian.Uint64(row[i+4:])) |
			lanes.over(binary.LittleEndian.Uint64(up[i:]), binary.LittleEndian.Uint64(down[i:]))
		out[x], out[x+1] = -int32((over>>15|over>>31)&1), -int32((over>>47|over>>63)&1)
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

// label numbers the connected parts.
func (p *parts) label() {
	var r runs
	for y := range p.h {
		row := p.of[y*p.w : (y+1)*p.w]
		r.next()
		for x := 0; x < p.w; {
			if row[x] < 0 {
				x++
				continue
			}
			first := x
			for x < p.w && row[x] >= 0 {
				x++
			}
			r.add(int32(y), int32(first), int32(x))
		}
	}
	number := r.parts(p)
	for i, u := range r.list {
		of := p.of[int(u.y)*p.w+int(u.x0) : int(u.y)*p.w+int(u.x1)]
		for x := range of {
			of[x] = number[i]
		}
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
