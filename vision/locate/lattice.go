package locate

import (
	"cmp"
	"image"
	"math"
	"slices"

	"onlooker/calibrations"
	"onlooker/vision"
)

// A lattice is a candidate for a board: a projective map from half-cells to
// the frame, and how many cells there are.
type lattice struct {
	mesh
	halves     float64    // of its edges that were seen in part
	samples    int        // see cross
	guessed    bool       // whether line is no more than a guess, off by slack at most
	slack      float64    // in pitches
	score      float64    // the more of its edges were seen, the higher
	ink, paper vision.RGB // median colours of the lines and between them
	trace      vision.RGB // of a drawn line that is not like ink, where traced
	traced     bool
	inks       []vision.RGB       // the colours that lines have in the look; none: any
	outlines   []vision.RGB       // of what outlines the lines in the look
	within     float64            // how far from those a line may be
	widths     calibrations.Range // that lines have in the look, in pitches
	fades      bool               // its last column fades out on the right; see fadesOut
}

// A mesh tells where the nodes and edges of a lattice are in a frame.
type mesh struct {
	cols, rows int
	h          vision.Mat3  // half-cells to pixels of the frame
	bend       *vision.Bend // of lines that are not straight, or nil
	line       float64      // width of a line, in pitches
	off        float64      // how far its lines were seen from their places, in half-cells
	share      float64      // of its edges that were seen, 0 to 1
}

func (l *mesh) quad() [4]vision.Point {
	x, y := float64(2*l.cols), float64(2*l.rows)
	return [4]vision.Point{l.point(0, 0), l.point(x, 0), l.point(x, y), l.point(0, y)}
}

// point is where a place in half-cells is in the frame.
func (l *mesh) point(x, y float64) vision.Point {
	p := vision.Point{X: x, Y: y}
	if l.bend != nil {
		p = l.bend.Apply(p)
	}
	return l.h.Apply(p)
}

// lattice finds the lattice whose edges an outline is, straightened; nil where there
// is none, or one that is known.
func (s *searcher) lattice(rect *Rectification, known []*lattice) *lattice {
	if rect == nil {
		return nil
	}
	best := s.spaced(rect, rect.Across, rect.Down, known)
	if best == nil {
		// So widely much meets by chance, of which little is seen, and any box is a cell.
		if best = s.spaced(rect, rect.WideAcross, rect.WideDown, known); best == nil || best.share < mostly || best.cols*best.rows == 1 {
			return nil
		}
	}
	return s.doubled(s.halved(best))
}

// spaced is the best lattice of lines that are spaced as is seen along two axes; nil
// where there is none, or one that is known.
func (s *searcher) spaced(rect *Rectification, across, down func() *Axis, known []*lattice) *lattice {
	xs := across().Spacings(s.look)
	if len(xs) == 0 {
		return nil
	}
	ys := down().Spacings(s.look)
	type pair struct{ x, y Spacing }
	var pairs []pair
	for _, x := range xs {
		for _, y := range ys {
			// A line is about as wide across as along: seen from 45° the
			// straightened picture keeps the ratio to each axis's own pitch.
			if r := (x.Width / x.Pitch) / (y.Width / y.Pitch); r >= 0.6 && r <= 1.67 {
				pairs = append(pairs, pair{x, y})
			}
		}
	}
	// The likeliest first, each axis against its best.
	promise := func(p pair) float64 { return p.x.Score/xs[0].Score + p.y.Score/ys[0].Score }
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(promise(b), promise(a)) })
	var best *lattice
	for _, p := range pairs[:min(len(pairs), 10)] {
		// From half-cells to the straightened plane, and back to the frame.
		to := vision.Mat3{p.x.Pitch / 2, 0, p.x.First, 0, p.y.Pitch / 2, p.y.First, 0, 0, 1}
		l := &lattice{mesh: mesh{cols: p.x.N, rows: p.y.N, h: rect.Back.Mul(to), line: (p.x.Width/p.x.Pitch + p.y.Width/p.y.Pitch) / 2}, slack: (p.x.Slack/p.x.Pitch + p.y.Slack/p.y.Pitch) / 2, inks: s.lines, outlines: s.rims, within: s.look.LinesWithin, widths: s.look.Line}
		if l.covered(known) || best != nil && l.covered([]*lattice{best}) {
			continue
		}
		if measure(s.full, l, s.look) && (best == nil || l.score > best.score) {
			best = l
		}
	}
	return best
}

// doubled is the lattice of twice as many lines along one axis, or both, where there
// is a line in the middle of nearly every row, or column, of cells.
func (s *searcher) doubled(l *lattice) *lattice {
	for _, times := range [][2]int{{2, 2}, {2, 1}, {1, 2}} {
		d := *l
		d.cols, d.rows = times[0]*l.cols, times[1]*l.rows
		d.h = l.h.Mul(vision.Mat3{1 / float64(times[0]), 0, 0, 0, 1 / float64(times[1]), 0, 0, 0, 1})
		if times[0] == times[1] {
			d.line = float64(times[0]) * l.line // of pitches that are as much shorter
		}
		cols, rows := d.cols, d.rows
		if (times[0] == 1 || d.between(s.full, true) > 0.8) && (times[1] == 1 || d.between(s.full, false) > 0.8) &&
			measure(s.full, &d, s.look) && d.cols == cols && d.rows == rows && d.share > max(0.85, l.share-0.05) {
			return &d
		}
	}
	return l
}

// between is how much is seen of every second line of a lattice, 0 to 1.
func (l *lattice) between(full *image.RGBA, upright bool) float64 {
	lines := l.rows
	if upright {
		lines = l.cols
	}
	seen := 0.0
	for i := 1; i < lines; i += 2 {
		seen += l.on(full, 2*i, upright) / float64(lines/2)
	}
	return seen
}

// halved is the lattice of every second line where that is all that is seen: a
// lattice of twice as many lines has every line of the board in it, and half of
// its own are missing.
func (s *searcher) halved(l *lattice) *lattice {
	if l.share > 0.8 || l.cols%2 != 0 || l.rows%2 != 0 {
		return l
	}
	// Of what stands in the middle of each cell a half passes for a line.
	if max(l.between(s.full, true), l.between(s.full, false)) > 0.6 {
		return l
	}
	h := *l
	h.cols, h.rows, h.line = l.cols/2, l.rows/2, l.line/2
	h.h = l.h.Mul(vision.Mat3{2, 0, 0, 0, 2, 0, 0, 0, 1})
	if !measure(s.full, &h, s.look) || h.share < max(0.85, l.share+0.15) {
		return l
	}
	return &h
}

// covered tells whether a candidate's nodes are nodes of a lattice that was
// found before and leaves no doubt: grown to its full size it would be that
// lattice once more. Three of four candidates are.
func (c *lattice) covered(found []*lattice) bool {
	x, y := float64(2*c.cols), float64(2*c.rows)
	for _, l := range found {
		back, ok := l.h.Inverse()
		if !ok || l.share < 0.75 {
			continue
		}
		m := back.Mul(c.h)
		// A board seen whole is as large as it can grow, and what has its pitch
		// about its middle is a first guess of it: over many lines it may stray.
		if middle := (vision.Point{X: x / 2, Y: y / 2}); l.clear() && within(l.quad(), c.h.Apply(middle)) {
			o, right, down := m.Apply(middle), m.Apply(vision.Point{X: middle.X + 2, Y: middle.Y}), m.Apply(vision.Point{X: middle.X, Y: middle.Y + 2})
			if math.Abs(math.Hypot(right.X-o.X, right.Y-o.Y)-2) < 0.3 && math.Abs(math.Hypot(down.X-o.X, down.Y-o.Y)-2) < 0.3 {
				return true
			}
			continue
		}
		o, right, down := m.Apply(vision.Point{X: 0, Y: 0}), m.Apply(vision.Point{X: 2, Y: 0}), m.Apply(vision.Point{X: 0, Y: 2})
		covered := math.Abs(math.Hypot(right.X-o.X, right.Y-o.Y)-2) < 0.3 && math.Abs(math.Hypot(down.X-o.X, down.Y-o.Y)-2) < 0.3
		for _, at := range [...]vision.Point{{X: 0, Y: 0}, {X: 2, Y: 0}, {X: 0, Y: 2}, {X: x, Y: y}, {X: x - 2, Y: y}, {X: x, Y: y - 2}} {
			p := m.Apply(at)
			// 0.2 half-cells: candidates are fitted at a reduced size, where a
			// half-cell of the smallest boards is five pixels.
			covered = covered && math.Abs(p.X-2*math.Round(p.X/2)) < 0.2 && math.Abs(p.Y-2*math.Round(p.Y/2)) < 0.2 &&
				p.X > -1 && p.Y > -1 && p.X < float64(2*l.cols)+1 && p.Y < float64(2*l.rows)+1
		}
		if covered {
			return true
		}
	}
	return false
}

// clear tells whether a lattice is seen nearly whole.
func (l *mesh) clear() bool { return l.share > 0.9 && l.cols*l.rows >= 4 }
