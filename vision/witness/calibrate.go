package witness

import (
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
	"strings"

	"onlooker/calibrations"
	"onlooker/solve/witness"
	"onlooker/vision"
)

// A Shot is a screenshot to measure a look by.
type Shot struct {
	Name  string
	Frame image.Image
	// Truth is what its boards show, where that is known.
	Truth []Truth
}

// A Truth is what one board of a Shot shows, and where its corner nodes are if
// that was told.
type Truth struct {
	Panel *witness.Panel
	Quad  *[4]vision.Point
}

// A Mark is a symbol that could not be told from its shape alone.
type Mark struct {
	Shot  int // index of the shot
	Where vision.Point
	At    image.Point // half-cells of its board
	Like  string      // what it looks most like
}

// kindNames are the answers to a Mark.
var kindNames = map[string]witness.Kind{
	"square": witness.Square, "star": witness.Star, "triangle": witness.Triangle,
	"piece": witness.Polyomino, "blue piece": witness.Negative, "eraser": witness.Eraser,
}

// KindNames are what a Mark may be said to be.
func KindNames() []string {
	return []string{"square", "star", "triangle", "piece", "blue piece", "eraser"}
}

// A Calibration is a measured look.
type Calibration struct {
	Profile *calibrations.Profile
	// Measured and Missing say what of the look was seen, and what was not and
	// is taken over from the profile before.
	Measured, Missing []string
	// Read is what the profile reads from each shot, board by board.
	Read [][]*witness.Panel
}

// Structure is a profile that knows nothing but that boards are lattices of
// lines: every length is allowed that a look could have.
func Structure(base *calibrations.Profile) *calibrations.Profile {
	p := *base
	p.Name = "structure alone"
	p.Board.Line = calibrations.Range{0.05, 0.6}
	p.Board.Gap = calibrations.Range{0.05, 0.6}
	p.Board.Start = calibrations.Range{1.02, 2.2}
	p.Board.Cap = calibrations.Range{0.8, 4}
	p.Symbols.Loose = true
	return &p
}

// A found is a board of a shot as far as its structure tells.
type found struct {
	shot   int
	sheet  *sheet
	board  *vision.Board
	truth  *witness.Panel // nil: not known
	panel  *witness.Panel // lines, starts, ends
	stains map[image.Point]*stain
	kinds  map[image.Point]witness.Symbol
}

// Calibrate measures the look that the shots show and proves it by reading
// them back. What is not seen in them is taken over from base; with extend the
// result still allows every size that base allowed. ask is called with the
// symbols whose kind could not be told, and answers with one of KindNames for
// each ("" when it does not know either).
func Calibrate(base *calibrations.Profile, extend bool, shots []Shot, ask func([]Mark) ([]string, error)) (*Calibration, error) {
	var boards []*found
	for i, shot := range shots {
		here, err := structures(base, i, shot)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", shot.Name, err)
		}
		boards = append(boards, here...)
	}
	if err := kinds(boards, ask); err != nil {
		return nil, err
	}
	symbols := 0
	for _, b := range boards {
		symbols += len(b.stains)
	}
	if symbols < 2 {
		return nil, fmt.Errorf("%d symbols in all the screenshots: too few to tell colours apart; show boards with more", symbols)
	}
	c := &Calibration{}
	profile := *base
	c.Profile = &profile
	if err := c.lengths(boards, extend); err != nil {
		return nil, err
	}
	if err := c.symbols(boards, extend); err != nil {
		return nil, err
	}
	return c, c.prove(shots, boards)
}

// structures finds the boards of a shot and reads their lines: with anything
// allowed that a look could have, and what that leaves with the look of base.
func structures(base *calibrations.Profile, index int, shot Shot) ([]*found, error) {
	var out []*found
	var why error
	flat, pillars := 0, 0
	for _, look := range []*calibrations.Profile{Structure(base), base} {
		located, err := vision.Locate(shot.Frame, look.Board)
		if err != nil {
			return nil, err
		}
		for _, b := range located {
			if b.Pillar {
				pillars++
				continue
			}
			flat++
			if slices.ContainsFunc(out, func(f *found) bool { return f.sheet.look != look && near(f.board, b.Quad) }) {
				continue
			}
			f, err := structure(look, b)
			if err != nil {
				if why == nil { // of the largest board
					why = fmt.Errorf("the board at (%.0f,%.0f): %w", b.Quad[0].X, b.Quad[0].Y, err)
				}
				continue
			}
			f.shot = index
			out = append(out, f)
		}
	}
	switch {
	case flat == 0 && pillars > 0:
		return nil, errors.New("no flat board found, and of a pillar one view shows too little: take the look from flat boards")
	case flat == 0:
		return nil, errors.New("no board found")
	}
	if shot.Truth == nil {
		if len(out) == 0 {
			return nil, fmt.Errorf("no board whose lines can be read: %w", why)
		}
		return out, nil
	}
	var told []*found
	for i, t := range shot.Truth {
		for _, o := range shot.Truth[:i] {
			if t.Quad != nil && o.Quad != nil && within(*t.Quad, *o.Quad, 0.5*width(*t.Quad)/float64(t.Panel.Cols)) {
				return nil, fmt.Errorf("the truth tells of the board at (%.0f,%.0f) twice", t.Quad[0].X, t.Quad[0].Y)
			}
		}
		best, reason := -1, ""
		for i, f := range out {
			if f == nil || t.Quad != nil && !near(f.board, *t.Quad) {
				continue
			}
			d := f.contradicts(t.Panel)
			if best < 0 || d == "" {
				best, reason = i, d
			}
			if d == "" {
				break
			}
		}
		if best < 0 {
			if why != nil {
				return nil, fmt.Errorf("the truth has a board of %dx%d cells, and none is found there that can be read; %w", t.Panel.Cols, t.Panel.Rows, why)
			}
			return nil, fmt.Errorf("the truth has a board of %dx%d cells, and none is found there", t.Panel.Cols, t.Panel.Rows)
		}
		if reason != "" {
			return nil, fmt.Errorf("the truth is not what is shown: %s", reason)
		}
		out[best].truth = t.Panel
		told = append(told, out[best])
		out[best] = nil
	}
	return told, nil
}

func near(b *vision.Board, quad [4]vision.Point) bool { return within(b.Quad, quad, b.ScreenPitch) }

// within tells whether the corners of two quads are within a distance of each
// other, in pixels.
func within(a, b [4]vision.Point, distance float64) bool {
	for i, p := range a {
		if math.Hypot(p.X-b[i].X, p.Y-b[i].Y) > distance {
			return false
		}
	}
	return true
}

// width is the length of a quad's upper side.
func width(quad [4]vision.Point) float64 {
	return math.Hypot(quad[1].X-quad[0].X, quad[1].Y-quad[0].Y)
}

// structure reads what a board shows but for symbols and dots.
func structure(look *calibrations.Profile, b *vision.Board) (*found, error) {
	s := newSheet(b, look)
	panel, starts, err := s.lattice()
	if err != nil {
		return nil, err
	}
	if s.solved(panel) {
		return nil, errors.New("a line is drawn on it, which hides how it looks without")
	}
	f := &found{sheet: s, board: b, panel: panel, stains: map[image.Point]*stain{}}
	for at := range panel.Points() {
		if !witness.IsCell(at) {
			continue
		}
		if st := s.stain(at, starts); st != nil {
			f.stains[at] = st
		}
	}
	return f, nil
}

// contradicts says where a panel differs from what the board's lines show.
func (f *found) contradicts(want *witness.Panel) string {
	got := f.panel
	if want.Cols != got.Cols || want.Rows != got.Rows {
		return fmt.Sprintf("it has %dx%d cells, and the board %dx%d", want.Cols, want.Rows, got.Cols, got.Rows)
	}
	for at := range want.Points() {
		w, g := want.At(at), got.At(at)
		stain := f.stains[at] != nil
		switch {
		case w.Start != g.Start:
			return fmt.Sprintf("at (%d,%d) it has a start: %v, and the picture: %v", at.X, at.Y, w.Start, g.Start)
		case w.IsEnd() != g.IsEnd():
			return fmt.Sprintf("at (%d,%d) it has an end: %v, and the picture: %v", at.X, at.Y, w.IsEnd(), g.IsEnd())
		case witness.IsEdge(at) && w.Gap != g.Gap:
			return fmt.Sprintf("at (%d,%d) it has a gap: %v, and the picture: %v", at.X, at.Y, w.Gap != 0, g.Gap != 0)
		case witness.IsCell(at) && (w.Kind != witness.NoSymbol) != stain:
			return fmt.Sprintf("at (%d,%d) it has a symbol: %v, and the picture: %v", at.X, at.Y, w.Kind != 0, stain)
		}
	}
	return ""
}

// kinds settles what every symbol is: by the truth, by its shape, by asking.
func kinds(boards []*found, ask func([]Mark) ([]string, error)) error {
	type open struct {
		board *found
		at    image.Point
		form  form
	}
	var unknown []open
	// A piece of one square is told from a square by the size of other pieces'.
	var blocks []float64
	for _, b := range boards {
		for at, st := range b.stains {
			f := b.sheet.form(st)
			if b.truth != nil {
				f.symbol = b.truth.At(at).Symbol
			}
			if f.sure && f.symbol.Kind == witness.Polyomino {
				for _, p := range st.parts() {
					blocks = append(blocks, math.Sqrt(p.area))
				}
			}
		}
	}
	block := vision.Median(blocks)
	for _, b := range boards {
		b.kinds = map[image.Point]witness.Symbol{}
		for at, st := range b.stains {
			if b.truth != nil {
				b.kinds[at] = b.truth.At(at).Symbol
				continue
			}
			f := b.sheet.form(st)
			if f.sure && f.symbol.Kind == witness.Square {
				switch size := math.Sqrt(st.area); {
				case block > 0 && math.Abs(size-block) < 0.2*block:
					f.symbol = witness.Symbol{Kind: witness.Polyomino, Shape: []image.Point{{}}}
				case block > 0 && size < 1.6*block, block == 0 && size < 0.24:
					// 0.24: between the game's squares, 0.345, and its blocks, 0.145.
					f.sure = false
				}
			}
			if f.sure {
				b.kinds[at] = f.symbol
				continue
			}
			unknown = append(unknown, open{b, at, f})
		}
	}
	// Map order is no order to ask in.
	slices.SortFunc(unknown, func(a, b open) int {
		if a.board.shot != b.board.shot {
			return a.board.shot - b.board.shot
		}
		if a.at.Y != b.at.Y {
			return a.at.Y - b.at.Y
		}
		return a.at.X - b.at.X
	})
	// One of each form is asked for; the others are like it.
	var asked []open
	var marks []Mark
	for _, u := range unknown {
		if slices.ContainsFunc(asked, func(o open) bool { return o.form.like(u.form) }) {
			continue
		}
		asked = append(asked, u)
		marks = append(marks, Mark{Shot: u.board.shot, At: u.at, Like: u.form.name(), Where: u.board.board.ScreenPoint(float64(u.at.X), float64(u.at.Y))})
	}
	if len(marks) == 0 {
		return nil
	}
	answers, err := ask(marks)
	if err != nil {
		return err
	}
	for _, u := range unknown {
		for i, o := range asked {
			if !o.form.like(u.form) {
				continue
			}
			kind, ok := kindNames[answers[i]]
			if !ok {
				return fmt.Errorf("number %d was not named: without what it is there is nothing to read (%d,%d) of a board by", i+1, u.at.X, u.at.Y)
			}
			sym := u.form.symbol
			sym.Kind = kind
			if (kind == witness.Polyomino || kind == witness.Negative) && len(sym.Shape) == 0 {
				sym.Shape = []image.Point{{}}
			}
			if kind == witness.Triangle && sym.Count == 0 {
				sym.Count = 1
			}
			u.board.kinds[u.at] = sym
			break
		}
	}
	return nil
}

// A form is what a stain's shape tells without knowing any size.
type form struct {
	symbol witness.Symbol
	sure   bool
	// The parts, and the whole's width, height, share of its box, and how
	// equal it is to itself turned by a quarter.
	parts               int
	w, h, fill, quarter float64
}

func (f form) name() string {
	for n, k := range kindNames {
		if k == f.symbol.Kind {
			return n
		}
	}
	return "nothing known"
}

func (f form) like(o form) bool {
	close := func(a, b float64) bool { return math.Abs(a-b) < 0.1*max(a, b) }
	return f.symbol.Kind == o.symbol.Kind && slices.Equal(f.symbol.Shape, o.symbol.Shape) && f.parts == o.parts && close(f.w, o.w) && close(f.h, o.h) && math.Abs(f.fill-o.fill) < 0.08
}

// form tells a stain's kind by ratios that do not change with its size.
func (s *sheet) form(st *stain) form {
	parts := st.parts()
	f := form{parts: len(parts), w: st.box[2] - st.box[0], h: st.box[3] - st.box[1]}
	f.fill = st.area / (f.w * f.h)
	f.quarter = st.quarter()
	if f.parts == 1 {
		middle := 0.0 // how far below the box's middle the mass is, in heights
		for j := range st.n {
			for i := range st.n {
				y := (float64(j)+0.5-float64(st.n)/2)/st.scale - (st.box[1]+st.box[3])/2
				middle += st.cover[j*st.n+i] * y / f.h / (st.area * st.scale * st.scale)
			}
		}
		square := math.Abs(f.w-f.h) < 0.12*max(f.w, f.h)
		switch {
		case square && f.fill > 0.84:
			f.symbol.Kind, f.sure = witness.Square, true
		case square && f.fill > 0.5 && f.fill < 0.78 && f.quarter > 0.85:
			f.symbol.Kind, f.sure = witness.Star, true
		case f.fill > 0.4 && f.fill < 0.72 && f.quarter < 0.75 && (middle > 0.08 || parts[0].heavy > 0.07):
			f.symbol.Kind, f.symbol.Count, f.sure = witness.Triangle, 1, true
		case f.fill < 0.6 && f.quarter < 0.8 && middle < 0.05:
			f.symbol.Kind, f.sure = witness.Eraser, true
		case square && f.fill > 0.7:
			f.symbol.Kind = witness.Square
		case square:
			f.symbol.Kind = witness.Star
		}
		return f
	}
	// Several parts alike: triangles in a row, half as full as their boxes, or
	// the squares of a piece.
	fill, level, heavy := 0.0, true, 0.0
	for _, p := range parts {
		fill += p.fill / float64(len(parts))
		heavy += p.heavy / float64(len(parts))
		level = level && math.Abs(p.y-parts[0].y) < 0.2*p.h
	}
	// 0.08: a triangle's mass is 0.17 of its height below its middle.
	if level && len(parts) <= 3 && fill > 0.38 && fill < 0.72 && heavy > 0.08 {
		f.symbol.Kind, f.symbol.Count, f.sure = witness.Triangle, len(parts), true
		return f
	}
	// The grid of the piece: its step is the least distance of two parts.
	step, angle := math.Inf(1), 0.0
	side := make([]float64, len(parts))
	for i, a := range parts {
		side[i] = math.Sqrt(a.area)
		for _, b := range parts[:i] {
			if d := math.Hypot(a.x-b.x, a.y-b.y); d < step {
				step, angle = d, math.Atan2(a.y-b.y, a.x-b.x)*180/math.Pi
			}
		}
	}
	angle = math.Mod(angle+360+45, 90) - 45
	if math.Abs(angle) < 6 {
		angle = 0
	}
	look := *s.look
	look.Symbols.Block, look.Symbols.Spacing = vision.Median(side), step
	with := *s
	with.look = &look
	f.symbol.Kind = witness.Polyomino // or a blue one, which piece tells by its holes
	for _, g := range with.piece(st, angle, 1, 0) {
		f.symbol = g.sym
		f.sure = g.score > 0.65 && len(g.sym.Shape) == len(parts)
	}
	return f
}

// A part is a connected part of a stain; lengths in pitches from the cell's
// middle.
type part struct {
	x, y, w, h, area, fill float64
	heavy                  float64 // how far its mass is below its middle, in heights
}

// parts are the connected parts of a stain, without specks.
func (st *stain) parts() []part {
	seen := make([]bool, len(st.cover))
	var out []part
	for start := range st.cover {
		if seen[start] || st.cover[start] < 0.5 {
			continue
		}
		stack := []int{start}
		seen[start] = true
		x0, y0, x1, y1, n, sum := st.n, st.n, -1, -1, 0.0, 0.0
		for len(stack) > 0 {
			at := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			x, y := at%st.n, at/st.n
			x0, y0, x1, y1, n, sum = min(x0, x), min(y0, y), max(x1, x), max(y1, y), n+1, sum+float64(y)
			for _, d := range [4][2]int{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
				u, v := x+d[0], y+d[1]
				if k := v*st.n + u; u >= 0 && v >= 0 && u < st.n && v < st.n && !seen[k] && st.cover[k] >= 0.5 {
					seen[k] = true
					stack = append(stack, k)
				}
			}
		}
		w, h := float64(x1-x0+1)/st.scale, float64(y1-y0+1)/st.scale
		p := part{w: w, h: h, area: n / st.scale / st.scale}
		p.x = (float64(x0+x1+1)/2 - float64(st.n)/2) / st.scale
		p.y = (float64(y0+y1+1)/2 - float64(st.n)/2) / st.scale
		p.fill = p.area / w / h
		p.heavy = (sum/n - float64(y0+y1)/2) / float64(y1-y0+1)
		out = append(out, p)
	}
	most := 0.0
	for _, p := range out {
		most = max(most, p.area)
	}
	// A sixth: squares of a piece are alike, and so are triangles.
	return slices.DeleteFunc(out, func(p part) bool { return p.area < most/6 })
}

// quarter is how equal a stain is to itself turned by a quarter about the
// middle of its box, 0 to 1.
func (st *stain) quarter() float64 {
	cx, cy := (st.box[0]+st.box[2])/2, (st.box[1]+st.box[3])/2
	diff, all := 0.0, 0.0
	for j := range st.n {
		for i := range st.n {
			x, y := (float64(i)+0.5-float64(st.n)/2)/st.scale-cx, (float64(j)+0.5-float64(st.n)/2)/st.scale-cy
			a, b := st.cover[j*st.n+i], st.coverAt(cx-y, cy+x)
			diff += math.Abs(a - b)
			all += max(a, b)
		}
	}
	if all == 0 {
		return 0
	}
	return 1 - diff/all
}

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
		c.Profile.Symbols.Hexagon = round3(max(0.2, min(3, vision.Median(dot))))
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
	var square, star, eraser, block, triW, triH, triStep, triRise []float64
	type piece struct{ n, length float64 } // squares along, and how long they are together
	var pieces []piece
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
			case witness.Triangle:
				triH = append(triH, h)
				triRise = append(triRise, -(st.box[1]+st.box[3])/2)
				parts := st.parts()
				slices.SortFunc(parts, func(a, b part) int { return int(math.Copysign(1, a.x-b.x)) })
				for i, p := range parts {
					triW = append(triW, p.w)
					if i > 0 {
						triStep = append(triStep, p.x-parts[i-1].x)
					}
				}
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
				pieces = append(pieces, piece{float64(most.X + 1), w}, piece{float64(most.Y + 1), h})
			}
		}
	}
	to := &c.Profile.Symbols
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
	if len(triH) == 0 {
		c.Missing = append(c.Missing, "triangle")
	} else {
		to.Triangle = [2]float64{round3(vision.Median(triW)), round3(vision.Median(triH))}
		to.TriangleRise = round3(vision.Median(triRise))
		if len(triStep) > 0 {
			to.TriangleSpacing = round3(vision.Median(triStep))
		} else {
			// In the game triangles stand 1.3 of their width apart.
			to.TriangleSpacing = round3(1.3 * vision.Median(triW))
			c.Missing = append(c.Missing, "spacing of triangles")
		}
		c.Measured = append(c.Measured, fmt.Sprintf("triangle (%d)", len(triH)))
	}
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

// prove reads the shots with the profile that was measured.
func (c *Calibration) prove(shots []Shot, boards []*found) error {
	c.Read = make([][]*witness.Panel, len(shots))
	for i, shot := range shots {
		located, err := vision.Locate(shot.Frame, c.Profile.Board)
		if err != nil {
			return fmt.Errorf("%s: %w", shot.Name, err)
		}
		for _, want := range boards {
			if want.shot != i {
				continue
			}
			k := slices.IndexFunc(located, func(b *vision.Board) bool { return near(b, want.board.Quad) })
			if k < 0 {
				return fmt.Errorf("%s: with what was measured the board at (%.0f,%.0f) is not found again", shot.Name, want.board.Quad[0].X, want.board.Quad[0].Y)
			}
			r := NewReader(c.Profile)
			if err := r.Add(located[k]); err != nil {
				return fmt.Errorf("%s: %w", shot.Name, err)
			}
			got, err := r.Panel()
			if err != nil {
				return fmt.Errorf("%s: with what was measured the board at (%.0f,%.0f) cannot be read: %w", shot.Name, want.board.Quad[0].X, want.board.Quad[0].Y, err)
			}
			if want.truth != nil {
				if d := differShown(want.truth, got); d != "" {
					return fmt.Errorf("%s: with what was measured the board reads otherwise than the truth: %s", shot.Name, d)
				}
			}
			for at, sym := range want.kinds {
				if g := got.At(at).Symbol; g.Kind != sym.Kind {
					return fmt.Errorf("%s: with what was measured (%d,%d) reads as %s, and it is %s", shot.Name, at.X, at.Y, kindName(g.Kind), kindName(sym.Kind))
				}
			}
			c.Read[i] = append(c.Read[i], got)
		}
	}
	return nil
}

// differShown is differ for truths from formats that leave out what a reading
// has: the direction of diagonal caps, and the symmetry of one that says none.
func differShown(want, got *witness.Panel) string {
	w := want.Clone()
	if w.Cols == got.Cols && w.Rows == got.Rows {
		for at := range w.Points() {
			if a, b := w.At(at), got.At(at); a.IsEnd() && b.IsEnd() {
				a.Cap = b.Cap
			}
		}
	}
	if w.Symmetry == witness.NoSymmetry {
		w.Symmetry = got.Symmetry
	}
	return strings.TrimSpace(differ(w, got))
}
