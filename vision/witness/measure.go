package witness

import (
	"image"
	"math"
	"slices"
	"sync"

	"onlooker/calibrations"
	"onlooker/solve/witness"
	"onlooker/vision"
	drawing "onlooker/vision/picture/witness"
)

// A sheet is one straightened view, with the colours that are usual at each
// place of it. Positions are half-cells, lengths pitches, unless said.
type sheet struct {
	b     *vision.Board
	look  *calibrations.Profile
	sizes drawing.Sizes // of the look's symbols
	drawn drawing.Forms // what symbols look like
	line  float64       // width of the lines, pitches
	// squeeze is how much narrower than in life the straightened picture is, by
	// how much it is taller: 1 where the cells are square.
	squeeze float64
	paper   []vision.RGB               // of each cell, row by row
	floor   []vision.RGB               // the same without light that falls on a part of it
	ink     map[image.Point]vision.RGB // of each edge that is seen
	veils   []veil                     // that lay over it and were taken off, the pointer first
	hiding  *veil                      // the pointer where it is not seen through
	noise   float64                    // usual deviation of a line's colour from its median
	mu      sync.Mutex                 // cells are read side by side
	glared  map[image.Point]bool       // cells on whose symbols a reflection lies
	least   float64                    // how sure the least sure part is of what was read so far
	doubts  *doubts                    // what cannot be told; nil: the first doubt ends the reading
}

// contrast is how far the lines' usual colour is from the cells'.
func (s *sheet) contrast() float64 { return s.b.Ink.Dist(s.b.Paper) }

// at is the colour at a position in half-cells.
func (s *sheet) at(x, y float64) vision.RGB {
	k := float64(s.b.Pitch) / 2
	return vision.At(s.b.Flat, float64(s.b.Margin)+x*k, float64(s.b.Margin)+y*k)
}

// patch is the mean colour of a square of the given half side (half-cells)
// round a position.
func (s *sheet) patch(x, y, half float64) vision.RGB {
	var c vision.RGB
	const n = 2
	for i := -n; i <= n; i++ {
		for j := -n; j <= n; j++ {
			p := s.at(x+float64(i)*half/n, y+float64(j)*half/n)
			for k := range c {
				c[k] += p[k] / ((2*n + 1) * (2*n + 1))
			}
		}
	}
	return c
}

// newSheet measures a view; a pointer over it, and the disc that comes with it,
// are seen through.
func newSheet(b *vision.Board, look *calibrations.Profile, drawn drawing.Forms) *sheet {
	return measure(b, look, drawn, nil).withoutVeils()
}

func measure(b *vision.Board, look *calibrations.Profile, drawn drawing.Forms, veils []veil) *sheet {
	s := &sheet{b: b, look: look, sizes: drawing.SizesOf(look.Symbols), drawn: drawn, line: b.Line, squeeze: 1, veils: veils, ink: map[image.Point]vision.RGB{}, least: 1, glared: map[image.Point]bool{}}
	for r := range b.Rows {
		for c := range b.Cols {
			// A start circle on the middle of an edge reaches into two corners. It is
			// the lines' colour where beside a line there are cells.
			circle := func(dx, dy float64) bool {
				return !b.Round() && !slices.ContainsFunc([]float64{0.7, 0.85}, func(out float64) bool {
					p := s.at(float64(2*c+1)+dx*(1-2*out*s.line), float64(2*r+1)+dy*(1-2*out*s.line))
					return !s.inky(p)
				})
			}
			// And one on a node into one: a corner of lines reaches 0.71 of their width.
			round := func(dx, dy float64) bool {
				return !b.Round() && !slices.ContainsFunc([]float64{0.87, 0.97}, func(out float64) bool {
					d := 1 - 2*out*s.line/math.Sqrt2
					p := s.at(float64(2*c+1)+dx*d, float64(2*r+1)+dy*d)
					return !s.inky(p)
				})
			}
			var v []vision.RGB
			for _, k := range [][2]float64{{-1, -1}, {1, -1}, {-1, 1}, {1, 1}} {
				if circle(k[0], 0) || circle(0, k[1]) || round(k[0], k[1]) {
					continue
				}
				for _, f := range []float64{0.66, 0.78} {
					d := (1 - s.line) * f // near the corners, off any symbol
					x, y := float64(2*c+1)+k[0]*d, float64(2*r+1)+k[1]*d
					if !s.hidden(float64(b.Margin)+x*float64(b.Pitch)/2, float64(b.Margin)+y*float64(b.Pitch)/2) {
						v = append(v, s.at(x, y))
					}
				}
			}
			if len(v) < 3 {
				v = []vision.RGB{b.Paper}
			}
			s.paper, s.floor = append(s.paper, vision.MedianRGB(v)), append(s.floor, unlit(v))
		}
	}
	var off []float64
	for y := 0; y <= 2*b.Rows; y++ {
		for x := 1 - y&1; x <= 2*b.Cols; x += 2 {
			at := image.Pt(x, y)
			ux, uy := witness.EdgeDirection(at)
			var v []vision.RGB
			for _, f := range []float64{-0.85, -0.7, 0.7, 0.85} {
				d := f * (1 - s.line)
				v = append(v, s.at(float64(x)+d*ux, float64(y)+d*uy))
			}
			m := vision.MedianRGB(v)
			paper := s.paperBeside(at)
			if m.Dist(paper) > 0.5*b.Ink.Dist(paper) || s.stands(at, m) {
				s.ink[at] = m
				for _, c := range v {
					off = append(off, c.Dist(m))
				}
			}
		}
	}
	s.noise = vision.Median(off)
	return s
}

// unlit is the usual colour of some samples of a cell, of which light may fall on half: the
// median of those that are about as near to one of them as the half that is nearest to it.
func unlit(samples []vision.RGB) vision.RGB {
	least, of := math.Inf(1), vision.RGB{}
	for _, c := range samples {
		var far []float64
		for _, o := range samples {
			far = append(far, c.Dist(o))
		}
		if d := vision.Ranked(far, (len(far)-1)/2); d < least {
			least, of = d, c
		}
	}
	// Three times: of normal noise hardly any is further. A level: colours are whole numbers.
	return vision.MedianRGB(slices.DeleteFunc(slices.Clone(samples), func(o vision.RGB) bool { return o.Dist(of) > 3*least+1 }))
}

// inky tells whether a colour is the lines' and not a ground's. Cells may lie on another
// ground than most, one that is more like the lines: then a look's own colours tell.
func (s *sheet) inky(c vision.RGB) bool {
	if s.look.Learned.Exact {
		return c.Dist(s.b.Ink) <= s.look.Board.LinesWithin
	}
	return c.Dist(s.b.Ink) <= c.Dist(s.b.Paper)
}

// stands tells whether a colour on an edge differs from all that is right beside
// it: where a line is drawn already the others are paler than it, and the cells
// shine.
func (s *sheet) stands(edge image.Point, c vision.RGB) bool {
	ux, uy := witness.EdgeDirection(edge)
	for _, f := range []float64{-0.85, -0.7, 0.7, 0.85} {
		for _, side := range []float64{-1, 1} {
			d, off := f*(1-s.line), side*(s.line+0.2)
			// Lines that were not drawn were seen at 0.47 of the contrast of the one
			// that was, what shines on a place without a line at 0.2.
			if c.Dist(s.at(float64(edge.X)+d*ux+off*uy, float64(edge.Y)+d*uy+off*ux)) < clearly*s.contrast() {
				return false
			}
		}
	}
	return true
}

// cell is the paper of the cell at an odd position, clamped to the board.
func (s *sheet) cell(x, y int) vision.RGB { return s.paper[s.number(x, y)] }

// floorOf is what a symbol in that cell stands on.
func (s *sheet) floorOf(x, y int) vision.RGB { return s.floor[s.number(x, y)] }

// number is that of the cell, row by row.
func (s *sheet) number(x, y int) int {
	c := max(0, min((x-1)/2, s.b.Cols-1))
	r := max(0, min((y-1)/2, s.b.Rows-1))
	return r*s.b.Cols + c
}

// paperBeside is the usual paper beside an edge or a node: the mean of the
// cells that touch it.
func (s *sheet) paperBeside(at image.Point) vision.RGB {
	var sum vision.RGB
	n := 0.0
	for y := at.Y - 1; y <= at.Y+1; y++ {
		for x := at.X - 1; x <= at.X+1; x++ {
			if x&1 == 1 && y&1 == 1 && x > 0 && y > 0 && x < 2*s.b.Cols && y < 2*s.b.Rows {
				p := s.cell(x, y)
				for k := range sum {
					sum[k] += p[k]
				}
				n++
			}
		}
	}
	for k := range sum {
		sum[k] /= n
	}
	return sum
}

// inkAt is the usual colour of the lines at an edge or a node: its own, or
// that of the edges that touch it, or that of the whole board.
func (s *sheet) inkAt(at image.Point) vision.RGB {
	if c, ok := s.ink[at]; ok {
		return c
	}
	var v []vision.RGB
	for _, d := range []image.Point{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}} {
		if c, ok := s.ink[at.Add(d)]; ok {
			v = append(v, c)
		}
	}
	if len(v) == 0 {
		return s.b.Ink
	}
	return vision.MedianRGB(v)
}
