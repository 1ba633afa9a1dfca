package view

import (
	"errors"
	"image"
	"image/color"
	"iter"
	"math"
	"slices"
	"sync"

	"onlooker/calibrations"
	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/decide"
)

// A View is a board straightened (rectified), with the colours that are usual at each
// place of it. Positions are half-cells, lengths pitches, unless said.
type View struct {
	Board     *vision.Board
	Profile   *calibrations.Profile
	Sizes     drawing.Sizes // of the look's symbols
	Forms     drawing.Forms // what symbols look like
	LineWidth float64       // width of the lines, pitches
	// Squeeze is how much narrower than in life the straightened picture is, by
	// how much it is taller: 1 where the cells are square.
	Squeeze     float64
	Grounds     []vision.RGB               // of each cell, row by row
	Unlit       []vision.RGB               // the same without light that falls on a part of it
	LineColours map[image.Point]vision.RGB // of each edge that is seen
	Discs       []Disc                     // that lay over it and were taken off, the pointer first
	Rings       []Disc                     // that may be one as well and stay
	mu          sync.Mutex                 // cells are read side by side
	Least       float64                    // how sure the least sure part is of what was read so far
	Doubts      *Doubts                    // what cannot be told; nil: the first doubt ends the reading
}

// Contrast is how far the lines' usual colour is from the cells'.
func (s *View) Contrast() float64 { return s.Board.Ink.Dist(s.Board.Paper) }

// At is the colour at a position in half-cells.
func (s *View) At(x, y float64) vision.RGB {
	k := float64(s.Board.Pitch) / 2
	return vision.At(s.Board.Flat, float64(s.Board.Margin)+x*k, float64(s.Board.Margin)+y*k)
}

// Patch is the mean colour of a square of the given half side (half-cells)
// round a position.
func (s *View) Patch(x, y, half float64) vision.RGB {
	var c vision.RGB
	const n = 2
	for i := -n; i <= n; i++ {
		for j := -n; j <= n; j++ {
			p := s.At(x+float64(i)*half/n, y+float64(j)*half/n)
			for k := range c {
				c[k] += p[k] / ((2*n + 1) * (2*n + 1))
			}
		}
	}
	return c
}

// Measure returns the view of a board in a look, over which discs lay that were taken off.
func Measure(b *vision.Board, look *calibrations.Profile, drawn drawing.Forms, veils []Disc) *View {
	s := &View{Board: b, Profile: look, Sizes: drawing.SizesOf(look.Symbols), Forms: drawn, LineWidth: b.Line, Squeeze: 1, Discs: veils, LineColours: map[image.Point]vision.RGB{}, Least: 1}
	places := s.bare()
	for r := range b.Rows {
		for c := range b.Cols {
			inky := func(dx, dy float64, outs ...float64) bool {
				return !b.Round() && !slices.ContainsFunc(outs, func(out float64) bool {
					d := 1 - 2*out*s.LineWidth
					return !s.inky(s.At(float64(2*c+1)+dx*d, float64(2*r+1)+dy*d))
				})
			}
			// A start circle on the middle of an edge reaches into two corners. It is the lines' colour where
			// beside a line there are cells. One on a node reaches into one: a corner of lines 0.71 of their width.
			covered := func(dx, dy float64) bool {
				return inky(dx, 0, 0.7, 0.85) || inky(0, dy, 0.7, 0.85) || inky(dx, dy, 0.87/math.Sqrt2, 0.97/math.Sqrt2)
			}
			var v []vision.RGB
			for _, k := range [][2]float64{{-1, -1}, {1, -1}, {-1, 1}, {1, 1}} {
				if covered(k[0], k[1]) {
					continue
				}
				for _, f := range places {
					d := 1 - s.LineWidth
					x, y := float64(2*c+1)+k[0]*d*f[0], float64(2*r+1)+k[1]*d*f[1]
					if !s.Hidden(float64(b.Margin)+x*float64(b.Pitch)/2, float64(b.Margin)+y*float64(b.Pitch)/2) {
						v = append(v, s.At(x, y))
					}
				}
			}
			if len(v) < 3 {
				v = []vision.RGB{b.Paper}
			}
			s.Grounds, s.Unlit = append(s.Grounds, vision.MedianRGB(v)), append(s.Unlit, Unlit(v))
		}
	}
	for y := 0; y <= 2*b.Rows; y++ {
		for x := 1 - y&1; x <= 2*b.Cols; x += 2 {
			at := image.Pt(x, y)
			ux, uy := witness.EdgeDirection(at)
			var v []vision.RGB
			for _, f := range []float64{-0.85, -0.7, 0.7, 0.85} {
				d := f * (1 - s.LineWidth)
				v = append(v, s.At(float64(x)+d*ux, float64(y)+d*uy))
			}
			m := Unlit(v)
			paper := s.GroundBeside(at)
			if m.Dist(paper) > 0.5*b.Ink.Dist(paper) || s.stands(at, m) {
				s.LineColours[at] = m
			}
		}
	}
	return s
}

// bare are the places in a cell's quarter off most symbols, in shares of the way from its
// middle to its lines: near the corner, or where symbols reach into that along the lines.
func (s *View) bare() [][2]float64 {
	if !s.Profile.Learned.Exact && slices.ContainsFunc(s.Forms, drawing.Form.Own) {
		return [][2]float64{{0.86, 0.86}, {0.86, 0.3}, {0.86, 0.5}, {0.3, 0.86}, {0.5, 0.86}}
	}
	return [][2]float64{{0.66, 0.66}, {0.78, 0.78}}
}

// Unlit is the usual colour of some samples of a cell or an edge, of which light may fall on half: the
// median of those that are about as near to one of them as the half that is nearest to it.
func Unlit(samples []vision.RGB) vision.RGB {
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
func (s *View) inky(c vision.RGB) bool {
	if s.Profile.Learned.Exact {
		return c.Dist(s.Board.Ink) <= s.Profile.Board.LinesWithin
	}
	return c.Dist(s.Board.Ink) <= c.Dist(s.Board.Paper)
}

// stands tells whether a colour on an edge differs from all that is right beside
// it: where a line is drawn already the others are paler than it, and the cells
// shine.
func (s *View) stands(edge image.Point, c vision.RGB) bool {
	ux, uy := witness.EdgeDirection(edge)
	for _, f := range []float64{-0.85, -0.7, 0.7, 0.85} {
		for _, side := range []float64{-1, 1} {
			d, off := f*(1-s.LineWidth), side*(s.LineWidth+0.2)
			// Lines that were not drawn were seen at 0.47 of the contrast of the one
			// that was, what shines on a place without a line at 0.2.
			if c.Dist(s.At(float64(edge.X)+d*ux+off*uy, float64(edge.Y)+d*uy+off*ux)) < Clearly*s.Contrast() {
				return false
			}
		}
	}
	return true
}

// Ground is the paper of the cell at an odd position, clamped to the board.
func (s *View) Ground(x, y int) vision.RGB { return s.Grounds[s.number(x, y)] }

// UnlitGround is what a symbol in that cell stands on.
func (s *View) UnlitGround(x, y int) vision.RGB { return s.Unlit[s.number(x, y)] }

// number is that of the cell, row by row.
func (s *View) number(x, y int) int {
	c := max(0, min((x-1)/2, s.Board.Cols-1))
	r := max(0, min((y-1)/2, s.Board.Rows-1))
	return r*s.Board.Cols + c
}

// GroundBeside is the usual paper beside an edge or a node: the mean of the
// cells that touch it.
func (s *View) GroundBeside(at image.Point) vision.RGB {
	var sum vision.RGB
	n := 0.0
	for y := at.Y - 1; y <= at.Y+1; y++ {
		for x := at.X - 1; x <= at.X+1; x++ {
			if x&1 == 1 && y&1 == 1 && x > 0 && y > 0 && x < 2*s.Board.Cols && y < 2*s.Board.Rows {
				sum, n = sum.Add(s.Ground(x, y)), n+1
			}
		}
	}
	return vision.RGB{sum[0] / n, sum[1] / n, sum[2] / n}
}

// LineColourAt is the usual colour of the lines at an edge or a node: its own, or
// that of the edges that touch it, or that of the whole board.
func (s *View) LineColourAt(at image.Point) vision.RGB {
	if c, ok := s.LineColours[at]; ok {
		return c
	}
	var v []vision.RGB
	for _, d := range []image.Point{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}} {
		if c, ok := s.LineColours[at.Add(d)]; ok {
			v = append(v, c)
		}
	}
	if len(v) == 0 {
		return s.Board.Ink
	}
	return vision.MedianRGB(v)
}

// Ways are the four directions from a cell to its edges.
var Ways = [4]image.Point{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}}

// What is narrower than this in the frame, by what it is in the middle, has no colour of
// its own: a line of 15 pixels comes to two or three.
const LeastWidth = 0.1

// InSight tells whether a place faces the camera enough to have a colour.
func (s *View) InSight(x float64) bool { return !s.Board.Round() || s.Board.Narrowed(x) >= LeastWidth }

// SurelyOwn tells whether the game's own pointer lies on the board: it is in this look then.
func (s *View) SurelyOwn() bool {
	return len(s.Discs) > 0 && s.Discs[0].certain(s.Profile.Board.Confidence)
}

// Solved tells whether a line is drawn on the panel: edges in the colour of a
// start circle, others in another, and the first are one path from that start
// to an end.
func (s *View) Solved(p *witness.Panel) bool {
	for start := range p.Points() {
		if last := s.drawn(p, start); last != start && p.At(last).IsEnd() {
			return true
		}
	}
	return false
}

// drawn follows the line that is drawn from a start, as far as it has one way to go, to where
// it ends.
func (s *View) drawn(p *witness.Panel, start image.Point) (last image.Point) {
	if !p.At(start).Start {
		return start
	}
	drawn := s.Patch(float64(start.X), float64(start.Y), 0.5*s.LineWidth)
	var plain []vision.RGB
	middle := map[image.Point]vision.RGB{}
	for at := range p.Points() {
		if !witness.IsEdge(at) || p.At(at).Gap != witness.Whole {
			continue
		}
		c := s.Patch(float64(at.X), float64(at.Y), 0.5*s.LineWidth)
		if p.At(at).Dot.On {
			c = s.LineColourAt(at) // a dot is there
		}
		middle[at] = c
		if c.Dist(drawn) > Clearly*s.Contrast() {
			plain = append(plain, c)
		}
	}
	if len(plain) == 0 {
		return start
	}
	rest := vision.MedianRGB(plain)
	on := func(edge image.Point) bool {
		c, ok := middle[edge]
		return ok && c.Dist(drawn) < c.Dist(rest)
	}
	seen := map[image.Point]bool{start: true}
	for at := start; ; {
		var next []image.Point
		for _, d := range Ways {
			if to := p.Wrap(at.Add(d.Mul(2))); on(p.Wrap(at.Add(d))) && !seen[to] {
				next = append(next, to)
			}
		}
		if len(next) == 0 {
			return at
		}
		if len(next) > 1 {
			return start // no line
		}
		at = next[0]
		seen[at] = true
	}
}

// Reached tells whether an edge leads to a node.
func (s *View) Reached(p *witness.Panel, at image.Point) bool {
	for _, d := range []image.Point{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
		if e := p.At(at.Add(d)); e != nil && e.Gap != witness.Missing {
			return true
		}
	}
	return false
}

// Doubts are what a view cannot tell: of places, and of the panel as a whole.
type Doubts struct {
	Places map[image.Point]error
	Whole  map[decide.Question]error
}

// Doubt notes what the view cannot tell, where others may tell it: the reading
// goes on. Otherwise it ends with the error.
func (s *View) Doubt(err error) error {
	d := (*decide.Doubt)(nil)
	if s.Doubts == nil || !errors.As(err, &d) {
		return err
	}
	if whole := d.Of.Whole(); whole != "" {
		s.Doubts.Whole[whole] = err
	} else {
		s.Doubts.Places[d.At] = err
	}
	return nil
}

// Where are those of some places that are as is tells.
func Where(all iter.Seq[image.Point], is func(image.Point) bool) (found []image.Point) {
	for at := range all {
		if is(at) {
			found = append(found, at)
		}
	}
	return found
}

// Abs is math.Abs for whole numbers.
func Abs(n int) int { return max(n, -n) }

// Level is a colour's share as a pixel has it.
func Level(v float64) uint8 { return uint8(math.Round(max(0, min(255, v)))) }

// Pixel is a colour as one of a picture's.
func Pixel(c vision.RGB) color.RGBA { return color.RGBA{Level(c[0]), Level(c[1]), Level(c[2]), 255} }
