package grid

import (
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
	up := pix[max(0, y-1)*stride:]
	down := pix[min(s.H-1, y+1)*stride:]
	for x := range out {
		l, r := 4*max(0, x-1), 4*min(s.W-1, x+1)
		i := 4 * x
		edge := false
		for k := range 3 {
			d := int32(row[l+k]) - int32(row[r+k])
			e := int32(up[i+k]) - int32(down[i+k])
			if d >= contrast || d <= -contrast || e >= contrast || e <= -contrast {
				edge = true
				break
			}
		}
		if edge {
			out[x] = -1
		} else {
			out[x] = 0
		}
	}
}

// A run is a row's stretch of pixels of one part.
type run struct {
	y, x0, x1 int32 // x1 is past the last
	id        int32
}

// label numbers the connected parts.
func (p *parts) label() {
	var runs []run
	var parent []int32
	find := func(i int32) int32 {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	before, start := 0, 0 // where the runs of the row above, and of this one, begin
	for y := range p.h {
		row := p.of[y*p.w : (y+1)*p.w]
		before, start = start, len(runs)
		above := before
		for x := 0; x < p.w; {
			if row[x] < 0 {
				x++
				continue
			}
			r := run{y: int32(y), x0: int32(x), id: int32(len(parent))}
			for x < p.w && row[x] >= 0 {
				x++
			}
			r.x1 = int32(x)
			parent = append(parent, r.id)
			for above < start && runs[above].x1 <= r.x0 {
				above++
			}
			for k := above; k < start && runs[k].x0 < r.x1; k++ {
				a, b := find(runs[k].id), find(r.id)
				parent[max(a, b)] = min(a, b)
			}
			runs = append(runs, r)
		}
	}
	number := make([]int32, len(parent))
	for i := range number {
		number[i] = -1
	}
	for _, r := range runs {
		root := find(r.id)
		if number[root] < 0 {
			number[root] = int32(len(p.list))
			p.list = append(p.list, part{})
		}
		k := number[root]
		q := &p.list[k]
		q.box = q.box.Union(image.Rect(int(r.x0), int(r.y), int(r.x1), int(r.y)+1))
		q.area += int(r.x1 - r.x0)
		for x := r.x0; x < r.x1; x++ {
			p.of[int(r.y)*p.w+int(x)] = k
		}
	}
}
