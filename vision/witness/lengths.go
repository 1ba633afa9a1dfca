package witness

import (
	"fmt"
	"image"
	"math"
	"slices"

	"onlooker/calibrations"
	"onlooker/solve/witness"
	"onlooker/vision"
	drawing "onlooker/vision/picture/witness"
)

// lengths measures lines, starts, caps and gaps.
func (c *Calibration) lengths(boards []*found, extend bool) error {
	var line, start, cap, gap, dot []float64
	for _, b := range boards {
		line = append(line, b.board.Line)
		for at := range b.panel.Points() {
			spot := b.panel.At(at)
			s := b.sheet
			switch {
			case spot.Start:
				start = append(start, s.radius(at))
			case spot.IsEnd():
				cap = append(cap, s.capLength(at, spot.Cap))
			case spot.Gap == witness.Broken:
				gap = append(gap, s.gapLength(at))
			case !witness.IsCell(at) && spot.Gap == witness.Whole:
				if d, _ := s.dot(at); d > 0.3 {
					dot = append(dot, s.dotWidth(at))
				}
			}
		}
	}
	board := &c.Profile.Board
	for _, m := range []struct {
		name string
		got  []float64
		to   *calibrations.Range
	}{
		{"line", line, &board.Line}, {"start", start, &board.Start}, {"cap", cap, &board.Cap}, {"gap", gap, &board.Gap},
	} {
		m.got = slices.DeleteFunc(m.got, func(v float64) bool { return !(v > 0) })
		if len(m.got) == 0 {
			c.Missing = append(c.Missing, m.name)
			continue
		}
		// A quarter around what was seen: boards of one look differ by as much
		// from each other.
		r := calibrations.Range{slices.Min(m.got) * 0.75, slices.Max(m.got) * 1.25}
		if extend {
			r = calibrations.Range{min(r[0], m.to[0]), max(r[1], m.to[1])}
		}
		bounds := map[string]calibrations.Range{"line": {0.01, 0.9}, "start": {1.02, 5}, "cap": {0.8, 5}, "gap": {0.01, 0.9}}[m.name]
		*m.to = calibrations.Range{round3(max(r[0], bounds[0])), round3(min(r[1], bounds[1]))}
		c.Measured = append(c.Measured, fmt.Sprintf("%s (%d)", m.name, len(m.got)))
	}
	dot = slices.DeleteFunc(dot, func(v float64) bool { return !(v > 0) })
	if len(dot) == 0 {
		c.Missing = append(c.Missing, "dot")
	} else {
		sizes := drawing.SizesOf(c.Profile.Symbols)
		sizes.Hexagon = round3(max(0.2, min(3, vision.Median(dot))))
		c.Profile.Symbols = sizes.Symbols()
		c.Measured = append(c.Measured, fmt.Sprintf("dot (%d)", len(dot)))
	}
	return nil
}

func round3(v float64) float64 { return math.Round(v*1000) / 1000 }

// inky is how much a place has of the lines' colour against the cells'.
func (s *sheet) inky(at image.Point, x, y float64) float64 {
	a, b := s.inkAt(at), s.paperBeside(at)
	axis := a.Sub(b)
	q := axis.Dot(axis)
	if q < 1 {
		return 0
	}
	return s.at(x, y).Sub(b).Dot(axis) / q
}

// reach is how far the lines' colour goes from a place in a direction, in
// half-cells, beginning from where it is sure to be; 0 where it does not end.
func (s *sheet) reach(at image.Point, x, y, ux, uy, from, most float64) float64 {
	const step = 0.02
	for r := from; r < most; r += step {
		if s.inky(at, x+r*ux, y+r*uy) < 0.5 {
			return r
		}
	}
	return 0
}

// radius is a start circle's, in line widths.
func (s *sheet) radius(at image.Point) float64 {
	var all []float64
	for _, d := range [][2]float64{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}} {
		x, y := at.X+int(d[0]), at.Y+int(d[1])
		if x > 0 && y > 0 && x < 2*s.b.Cols && y < 2*s.b.Rows {
			if r := s.reach(at, float64(at.X), float64(at.Y), d[0]/math.Sqrt2, d[1]/math.Sqrt2, 1.4*s.line, 6*s.line); r > 0 {
				all = append(all, r/2/s.line)
			}
		}
	}
	return vision.Median(all)
}

// capLength is how far a cap reaches from its node, in line widths.
func (s *sheet) capLength(at, way image.Point) float64 {
	n := hypot(float64(way.X), float64(way.Y))
	return s.reach(at, float64(at.X), float64(at.Y), float64(way.X)/n, float64(way.Y)/n, 1.5*s.line, 10*s.line) / 2 / s.line
}

// gapLength is a break's, in pitches.
func (s *sheet) gapLength(at image.Point) float64 {
	ux, uy := along(at)
	length := 0.0
	for d := -0.98; d <= 0.98; d += 0.02 {
		if s.inky(at, float64(at.X)+d*ux, float64(at.Y)+d*uy) < 0.5 {
			length += 0.01
		}
	}
	return length
}

// dotWidth is a dot's, in line widths: across the line it covers, along the
// line where it is on an edge.
func (s *sheet) dotWidth(at image.Point) float64 {
	if !witness.IsEdge(at) {
		return 0
	}
	ux, uy := along(at)
	colour := s.patch(float64(at.X), float64(at.Y), 0.3*s.line)
	ink := s.inkAt(at)
	width := 0.0
	for d := -0.98; d <= 0.98; d += 0.01 {
		c := s.at(float64(at.X)+d*ux, float64(at.Y)+d*uy)
		if c.Dist(colour) < c.Dist(ink) {
			width += 0.005
		}
	}
	return width / s.line
}

// symbols measures what stands in cells.
func (c *Calibration) symbols(boards []*found, extend bool) error {
	var square, star, eraser, block []float64
	var triangle triangleLengths
	var pieces []pieceLength
	for _, b := range boards {
		for at, sym := range b.kinds {
			st := b.stains[at]
			w, h := st.box[2]-st.box[0], st.box[3]-st.box[1]
			switch sym.Kind {
			case witness.Square:
				square = append(square, (w+h)/2)
			case witness.Star:
				star = append(star, (w+h)/2)
			case witness.Eraser:
				eraser = append(eraser, w)
			case witness.Polyomino, witness.Negative:
				if sym.Turnable {
					for _, p := range st.parts() {
						block = append(block, math.Sqrt(p.area))
					}
					continue
				}
				var most image.Point
				for _, q := range sym.Shape {
					most = image.Pt(max(most.X, q.X), max(most.Y, q.Y))
				}
				pieces = append(pieces, pieceLength{float64(most.X + 1), w}, pieceLength{float64(most.Y + 1), h})
			default:
				triangle.add(sym, st)
			}
		}
	}
	to := drawing.SizesOf(c.Profile.Symbols)
	defer func() { c.Profile.Symbols = to.Symbols() }()
	set := func(name string, got []float64, field *float64) error {
		if len(got) == 0 {
			c.Missing = append(c.Missing, name)
			return nil
		}
		m := vision.Median(got)
		// 30 %: sizes of one kind within one look; more means that what was said
		// to be one kind is two.
		for _, v := range got {
			if v < 0.7*m || v > 1.3*m {
				return fmt.Errorf("the %ss measure %.2f to %.2f of the pitch: not all of them can be that", name, slices.Min(got), slices.Max(got))
			}
		}
		*field = round3(m)
		c.Measured = append(c.Measured, fmt.Sprintf("%s (%d)", name, len(got)))
		return nil
	}
	for _, err := range []error{set("square", square, &to.Square), set("star", star, &to.Star), set("eraser", eraser, &to.Eraser)} {
		if err != nil {
			return err
		}
	}
	triangle.set(c, &to)
	return c.pieces(pieces, block, &to)
}

// A pieceLength is how many squares of a piece lie in a row or a column, and how
// long they are together, in pitches.
type pieceLength struct{ n, length float64 }

// pieces sets the size of a piece's squares and how far apart they are, in pitches;
// blocks are sizes of single squares.
func (c *Calibration) pieces(pieces []pieceLength, block []float64, to *drawing.Sizes) error {
	// length = (n-1)·spacing + block, over pieces of several lengths.
	var n, sx, sy, sxx, sxy float64
	for _, p := range pieces {
		x, y := p.n-1, p.length
		n, sx, sy, sxx, sxy = n+1, sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	switch den := n*sxx - sx*sx; {
	case den > 1e-9:
		to.Spacing = (n*sxy - sx*sy) / den
		to.Block = (sy - to.Spacing*sx) / n
		if len(block) > 0 && to.Block <= 0 {
			to.Block = vision.Median(block)
		}
		if !(to.Block > 0.02) || to.Spacing < 0.95*to.Block {
			return fmt.Errorf("pieces: squares of %.2f of the pitch %.2f apart: what was said to be pieces is not", to.Block, to.Spacing)
		}
		to.Block, to.Spacing = round3(to.Block), round3(max(to.Spacing, to.Block))
		c.Measured = append(c.Measured, fmt.Sprintf("piece (%d)", len(pieces)/2))
	default:
		c.Missing = append(c.Missing, "piece")
	}
	return nil
}
