package witness

import (
	"fmt"
	"image"
	"math"

	"onlooker/solve/witness"
	"onlooker/vision"
)

func unsure(at image.Point, format string, args ...any) error {
	return &vision.UnsureError{What: fmt.Sprintf(format, args...), At: at}
}

// edge tells whether an edge is whole, broken or missing; started tells where
// start circles are.
func (s *sheet) edge(at image.Point, started func(image.Point) bool) (witness.Gap, error) {
	ux, uy := along(at)
	ink := s.inkAt(at)
	// The cells on both sides; on the border the inner one only.
	type beside struct {
		dx, dy float64
		usual  vision.RGB
	}
	var sides []beside
	for _, d := range []int{-1, 1} {
		x, y := at.X, at.Y
		if ux == 1 {
			y += d
		} else {
			x += d
		}
		if x < 0 || y < 0 || x > 2*s.b.Cols || y > 2*s.b.Rows {
			continue
		}
		sides = append(sides, beside{float64(d) * uy, float64(d) * ux, s.cell(x, y)})
	}
	const n = 60
	// gapness along the edge: 0 on the line's colour, 1 on that of the cells
	// beside it.
	gapness := func(i int, offset float64) float64 {
		d := (1 - s.line) * 0.92 * (2*float64(i)/n - 1) // half-cells from the middle
		x, y := float64(at.X)+d*ux+offset*uy, float64(at.Y)+d*uy+offset*ux
		c := s.at(x, y)
		worst := 0.0
		for _, b := range sides {
			contrast := ink.Dist(b.usual)
			// The paper right here, unless a symbol reaches so far.
			reach := s.line + 0.2
			p := s.at(float64(at.X)+d*ux+reach*b.dx, float64(at.Y)+d*uy+reach*b.dy)
			if p.Dist(b.usual) > 0.4*contrast {
				p = b.usual
			}
			axis := ink.Sub(p)
			q := axis.Dot(axis)
			if q < 1 {
				continue
			}
			off := c.Dist(p) / math.Sqrt(q) // how far from paper, whatever way
			worst = max(worst, 1-off)
		}
		return max(0, min(1, worst))
	}
	var g [n + 1]float64
	low, deepest := 0, 0.0
	run, longest := 0, 0
	for i := range g {
		for _, o := range []float64{-0.5, 0, 0.5} {
			g[i] += gapness(i, o*s.line) / 3
		}
		deepest = max(deepest, g[i])
		if g[i] > 0.5 {
			low++
			if run++; run > longest {
				longest = run
			}
		} else {
			run = 0
		}
	}
	first, last := n+1, -1
	for i := range g {
		if g[i] > 0.5 {
			first, last = min(first, i), i
		}
	}
	visible := 1 - s.line // pitches
	length := float64(longest) / n * 0.92 * visible
	// How far the circles of starts reach in from either end.
	var covered [2]int
	for k, d := range []int{-1, 1} {
		node := at.Add(image.Pt(int(ux)*d, int(uy)*d))
		if started(node) {
			in := (1.3*s.line - s.line/2) / (0.92 * visible)
			covered[k] = int(math.Ceil(in*n)) + 1
		}
	}
	switch {
	case low > 0 && first <= covered[0]+n/12 && last >= n-covered[1]-n/12 && float64(low) > 0.88*float64(last-first+1):
		return witness.Missing, nil
	case low > 0 && (first <= n/20 || last >= n-n/20):
		return witness.Whole, unsure(at, "an edge that begins at one end only")
	case deepest < 0.35:
		return witness.Whole, nil
	case deepest > 0.5 && length >= s.look.Board.Gap[0]*0.6 && length <= s.look.Board.Gap[1]*1.15:
		return witness.Broken, nil
	}
	return witness.Whole, unsure(at, "an edge that is neither whole nor broken: %.2f deep, %.2f of the pitch long", deepest, length)
}

// isStart tells whether a start circle is at a node or an edge's middle.
func (s *sheet) isStart(at image.Point) bool {
	var dirs [][2]float64
	if witness.IsNode(at) {
		for _, d := range [][2]float64{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}} {
			x, y := at.X+int(d[0]), at.Y+int(d[1])
			if x > 0 && y > 0 && x < 2*s.b.Cols && y < 2*s.b.Rows {
				dirs = append(dirs, [2]float64{d[0] / math.Sqrt2, d[1] / math.Sqrt2})
			}
		}
	} else {
		ux, uy := along(at)
		for _, d := range []float64{-1, 1} {
			x, y := at.X+int(d*uy), at.Y+int(d*ux)
			if x > 0 && y > 0 && x < 2*s.b.Cols && y < 2*s.b.Rows {
				// Three directions on each side: a symbol may reach into one.
				dirs = append(dirs, [2]float64{d * uy, d * ux},
					[2]float64{(d*uy + ux) / math.Sqrt2, (d*ux + uy) / math.Sqrt2},
					[2]float64{(d*uy - ux) / math.Sqrt2, (d*ux - uy) / math.Sqrt2})
			}
		}
	}
	ink := s.inkAt(at)
	good := 0
	for _, d := range dirs {
		p := s.cell(at.X+sign(d[0], at.X, 2*s.b.Cols), at.Y+sign(d[1], at.Y, 2*s.b.Rows))
		axis := ink.Sub(p)
		q := axis.Dot(axis)
		if q < 1 {
			continue
		}
		ok := true
		for _, r := range []float64{0.85, 0.98} { // of the line's width; the circle's radius is 1.13 at least
			c := s.at(float64(at.X)+2*r*s.line*d[0], float64(at.Y)+2*r*s.line*d[1])
			if c.Sub(p).Dot(axis)/q < 0.55 {
				ok = false
			}
		}
		if ok {
			good++
		}
	}
	return len(dirs) > 0 && good == len(dirs)
}

// sign is the step from a position towards a cell in a direction; of two cells
// beside an edge the one that exists.
func sign(d float64, at, last int) int {
	switch {
	case d > 0.01:
		return 1
	case d < -0.01:
		return -1
	case at&1 == 1:
		return 0
	case at == last:
		return -1
	}
	return 1
}

// A capSighting is how much a direction from a node looks like an end cap.
type capSighting struct {
	at, dir image.Point
	score   float64
}

// caps looks for end caps in all directions in which no edge can lead.
func (s *sheet) caps(at image.Point) []capSighting {
	var out []capSighting
	ink := s.inkAt(at)
	paper := s.paperBeside(at)
	contrast := ink.Dist(paper)
	for _, d := range []image.Point{{0, -1}, {1, 0}, {0, 1}, {-1, 0}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}} {
		to := at.Add(d)
		if to.X >= 0 && to.Y >= 0 && to.X <= 2*s.b.Cols && to.Y <= 2*s.b.Rows {
			continue
		}
		if out := func(v, last int) bool { return v < 0 || v > last }; d.X != 0 && d.Y != 0 && !(out(to.X, 2*s.b.Cols) && out(to.Y, 2*s.b.Rows)) {
			continue // a diagonal cap sits on a corner and points outwards
		}
		n := hypot(float64(d.X), float64(d.Y))
		ux, uy := float64(d.X)/n, float64(d.Y)/n
		score := 1.0
		for _, r := range []float64{0.8, 0.95, 1.05} {
			c := s.at(float64(at.X)+2*r*s.line*ux, float64(at.Y)+2*r*s.line*uy)
			like := 1 - c.Dist(ink)/contrast
			// What lies beside the cap is something else.
			side := math.Inf(1)
			for _, k := range []float64{-1, 1} {
				o := 2 * 0.9 * s.line * k
				if d.X != 0 && d.Y != 0 {
					// Beside a diagonal cap lie the ends of the border lines;
					// further out it is free.
					if r < 1 {
						continue
					}
				}
				q := s.at(float64(at.X)+2*r*s.line*ux-o*uy, float64(at.Y)+2*r*s.line*uy+o*ux)
				side = min(side, q.Dist(c)/contrast)
			}
			score = min(score, like, side)
		}
		out = append(out, capSighting{at, d, score})
	}
	return out
}

// dot says how far the middle of a node or an edge is from the colours of the
// line that leads to it, in units of the contrast between line and cells, and
// its colour. The glow of a dot nearby shades the line; a dot has a border.
func (s *sheet) dot(at image.Point) (float64, vision.RGB) {
	ink := s.inkAt(at)
	contrast := ink.Dist(s.paperBeside(at))
	c := s.patch(float64(at.X), float64(at.Y), 0.5*s.line)
	if contrast < 1 {
		return 0, c
	}
	best := min(c.Dist(ink), c.Dist(s.b.Ink))
	var round []vision.RGB
	for _, d := range [][2]float64{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
		to := image.Pt(at.X+int(d[0]), at.Y+int(d[1]))
		if to.X < 0 || to.Y < 0 || to.X > 2*s.b.Cols || to.Y > 2*s.b.Rows || witness.IsCell(to) {
			continue
		}
		// 0.85: a dot is half a line's width wide to each side.
		o := 2 * 0.85 * s.line
		q := s.at(float64(at.X)+o*d[0], float64(at.Y)+o*d[1])
		if p := s.paperBeside(to); q.Dist(p) > 0.5*contrast {
			round = append(round, q)
		}
	}
	for i, a := range round {
		for _, b := range append(round[:i:i], ink) {
			best = min(best, fromSegment(c, a, b))
		}
	}
	return best / contrast, c
}

// fromSegment is the distance of a colour from the mixtures of two others.
func fromSegment(c, a, b vision.RGB) float64 {
	d := b.Sub(a)
	q := d.Dot(d)
	if q < 1 {
		return c.Dist(a)
	}
	t := max(0, min(1, c.Sub(a).Dot(d)/q))
	for k := range a {
		a[k] += t * d[k]
	}
	return c.Dist(a)
}
