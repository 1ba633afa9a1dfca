package rules

import (
	"context"
	"fmt"
	"image"
	"slices"

	"onlooker/solve"
	"onlooker/solve/witness/board"
)

// A Table has a row for each kind of symbol. It must not be changed.
type Table map[board.Kind]Row

// A Row is the rule of a kind: of its own symbols that are left in a region,
// those that are wrong. nil: none ever is.
type Row func(v *View, own []image.Point) []image.Point

// of is the row of a kind, or of the one that it is like.
func (t Table) of(k board.Kind) (row Row, known bool) {
	if row, known = t[k]; !known {
		row, known = t[k.Like()]
	}
	if c := k.By(); !known && c != nil {
		return byColumns(c), true
	}
	return row, known
}

// known says whether the table has a row for every symbol of a panel.
func (t Table) known(p *board.Panel) error {
	for i := range p.Spots {
		if k := p.Spots[i].Kind; k != board.NoSymbol {
			if _, known := t.of(k); !known {
				return fmt.Errorf("check: no rule is known for %s", k.Called())
			}
		}
	}
	return nil
}

// LineRules are the rules of the line itself.
func LineRules() []solve.Rule {
	return []solve.Rule{
		{Name: "strokes", Doc: "An answer is one stroke: the start, every node, the end, and the tip of its cap."},
		{Name: "start", Doc: "The line begins at a start; under symmetry its image does too."},
		{Name: "end", Doc: "The line ends in the cap of an end; under symmetry its image ends at an end, but where rule sets let it end anywhere."},
		{Name: "line", Doc: "The line goes from node to node along the edges of the panel."},
		{Name: "gap", Doc: "Neither line crosses a broken or a missing edge, or a missing node."},
		{Name: "touch", Doc: "The line does not touch itself."},
		{Name: "symmetry", Doc: "The line and its image share neither node nor edge, but for a start where rule sets let both begin."},
		{Name: "through-ends", Doc: "The line does not run through an end, under rule sets that forbid it."},
		{Name: "coloured-dot", Doc: "No line covers a dot of the other line."},
	}
}

// A Line is a line drawn on a panel, with its image and what they cut.
type Line struct {
	table      Table
	Panel      *board.Panel
	limit      limiter
	own, other []bool                        // by half-cell: covered by the player's line, by its image
	half       []bool                        // starts and ends on the middle of edges: covered, but open beside it
	outside    []bool                        // cells that are no cells, and the missing edges beside them
	tips       []image.Point                 // nodes or middles of edges whose caps were taken
	halves     map[image.Point][]image.Point // by middle of an edge at which a line begins or ends: the nodes that lines run to
	all        *sums                         // see cells
}

func (l *Line) index(at image.Point) int {
	at = l.Panel.Wrap(at)
	return at.Y*l.Panel.Width() + at.X
}

// Err is the context's error when judging was broken off: what was told then says
// nothing.
func (l *Line) Err() error { return l.limit.err }

// Ended counts some work, and tells whether judging is to be broken off.
func (l *Line) Ended() bool { return l.limit.ended(len(l.own)) }

// ByImage tells whether the image of the player's line covers a half-cell.
func (l *Line) ByImage(at image.Point) bool { return l.other[l.index(at)] }

// Covered tells whether either line covers a half-cell.
func (l *Line) Covered(at image.Point) bool {
	if !l.Panel.In(at) {
		return false
	}
	i := l.index(at)
	return l.own[i] || l.other[i]
}

// Draw follows the stroke and its image over the panel. Judging what it cuts ends
// with the context: see play.Err.
func (t Table) Draw(ctx context.Context, p *board.Panel, s solve.Solution) (*Line, *solve.RuleError) {
	if len(s) != 1 {
		return nil, broken("strokes", image.Point{}, fmt.Sprintf("%d strokes, want 1", len(s)))
	}
	stroke := s[0]
	if len(stroke) < 2 {
		return nil, broken("strokes", image.Point{}, fmt.Sprintf("a stroke of %d points, want at least a start and the tip of a cap", len(stroke)))
	}
	n := len(p.Spots)
	l := &Line{table: t, Panel: p, limit: limiter{ctx: ctx}, own: make([]bool, n), other: make([]bool, n), half: make([]bool, n), outside: make([]bool, n)}

	start := stroke[0]
	if spot := p.At(start); spot == nil || !spot.Start {
		return nil, broken("start", start, "no start, want one")
	}
	path := []image.Point{p.Wrap(start)}
	at := start
	for i := 1; i < len(stroke)-1; i++ {
		step := step(p, stroke[i-1], stroke[i])
		next := at.Add(step)
		straight := step.X == 0 || step.Y == 0
		length := max(step.X, -step.X) + max(step.Y, -step.Y)
		switch {
		case !p.In(next):
			return nil, broken("line", stroke[i], "off the panel")
		case straight && length == 2 && board.IsNode(at):
			path = append(path, p.Wrap(at.Add(step.Div(2))), p.Wrap(next))
		case straight && length == 1 && board.IsEdge(at) && i == 1 && board.IsNode(next),
			straight && length == 1 && board.IsNode(at) && i == len(stroke)-2 && board.IsEdge(next):
			path = append(path, p.Wrap(next))
		default:
			return nil, broken("line", stroke[i], "no corner beside the last one, want one")
		}
		at = next
	}
	end := p.At(at)
	tip := stroke[len(stroke)-1]
	if step := step(p, stroke[len(stroke)-2], tip); !end.IsEnd() || step != end.Cap {
		return nil, broken("end", tip, "the line stops here, want the cap of an end")
	}
	for _, q := range path {
		if p.At(q).Gap != board.Whole {
			return nil, broken("gap", q, "the line crosses what is broken or missing")
		}
		if l.own[l.index(q)] {
			return nil, broken("touch", q, "the line comes by twice")
		}
		l.own[l.index(q)] = true
	}
	last := len(path) - 1
	for i, q := range path {
		if !p.Rules.ThroughEnds && i > 0 && i < last && p.At(q).IsEnd() {
			return nil, broken("through-ends", q, "the line runs through an end")
		}
	}
	if p.Symmetry != board.NoSymmetry {
		if broken := l.mirror(path); broken != nil {
			return nil, broken
		}
	}
	l.noteEnds(path)
	for _, q := range []image.Point{path[0], path[last]} {
		if board.IsEdge(q) {
			l.half[l.index(q)] = true
			if image, ok := p.Image(q); ok && !p.Rules.ImageEndsPart {
				l.half[l.index(image)] = true
			}
		}
	}
	if p.Rules.OpenCellsOutside {
		l.outside = p.Outside()
	}
	return l, nil
}

// step is the way from one point of a stroke to the next; on a pillar a
// stroke may jump from one side of the seam to the other.
func step(p *board.Panel, from, to image.Point) image.Point {
	d := to.Sub(from)
	if w := p.Width(); p.Pillar && (d.X > 2 || d.X < -2) {
		if d.X = ((d.X % w) + w) % w; d.X > w/2 {
			d.X -= w
		}
	}
	return d
}

// mirror draws the image of the player's line.
func (l *Line) mirror(path []image.Point) *solve.RuleError {
	p, last := l.Panel, len(path)-1
	for i, q := range path {
		image, ok := p.Image(q)
		if !ok {
			return broken("symmetry", q, "no image on the panel")
		}
		spot := p.At(image)
		switch {
		case l.own[l.index(image)] && !(p.Rules.SharedStarts && i == 0 && image == q):
			return broken("symmetry", q, "the line meets its image")
		case spot.Gap != board.Whole:
			return broken("gap", image, "the image of the line crosses what is broken or missing")
		case i == 0 && !spot.Start:
			return broken("start", image, "the image of the line begins at no start")
		case i == last && !p.Rules.LoneEnds && !spot.IsEnd():
			return broken("end", image, "the image of the line ends at no end")
		case !p.Rules.ThroughEnds && i > 0 && i < last && spot.IsEnd():
			return broken("through-ends", image, "the image of the line runs through an end")
		}
		l.other[l.index(image)] = true
	}
	return nil
}

// noteEnds notes what the two lines do where they begin and end.
func (l *Line) noteEnds(path []image.Point) {
	p, last := l.Panel, len(path)-1
	l.tips, l.halves = []image.Point{path[last]}, map[image.Point][]image.Point{}
	if q, ok := p.Image(path[last]); ok && p.At(q).IsEnd() {
		l.tips = append(l.tips, q)
	}
	for _, k := range [][2]int{{0, min(1, last)}, {last, max(0, last-1)}} {
		if at, to := path[k[0]], path[k[1]]; board.IsEdge(at) {
			l.halves[at] = append(l.halves[at], to)
			if q, ok := p.Image(at); ok {
				to, _ = p.Image(to)
				l.halves[q] = append(l.halves[q], to)
			}
		}
	}
}

// Open tells whether a half-cell is part of a region.
func (l *Line) Open(at image.Point) bool {
	i := l.index(at)
	return !l.outside[i] && (l.half[i] || !l.own[i] && !l.other[i])
}

// Sides is how many sides of a cell the lines cover.
func (l *Line) Sides(cell image.Point) int {
	n := 0
	for _, d := range board.Beside() {
		if l.Covered(cell.Add(d)) {
			n++
		}
	}
	return n
}

// colouredDots says where a line covers a dot of the other line, which no
// eraser mends.
func (l *Line) colouredDots() *solve.RuleError {
	for at := range l.Crossed {
		return broken("coloured-dot", at, "covered by the other line than its own")
	}
	return nil
}

// Crossed yields the dots of one line that the other covers. A panel without
// symmetry has one line, to which all dots belong.
func (l *Line) Crossed(yield func(image.Point) bool) {
	if !l.Panel.Rules.ColouredDots || l.Panel.Symmetry == board.NoSymmetry {
		return
	}
	for at := range l.Panel.Points() {
		dot, i := l.Panel.At(at).Dot, l.index(at)
		if dot.On && (dot.Line == board.OwnLine && l.other[i] || dot.Line == board.OtherLine && l.own[i]) && !yield(at) {
			return
		}
	}
}

func broken(rule string, at image.Point, got string) *solve.RuleError {
	return &solve.RuleError{Rule: rule, At: at, Got: got}
}

// A Region is what the lines and the outside cut off.
type Region struct {
	Line    *Line
	Cells   []image.Point
	Symbols []image.Point // cells with symbols other than erasers
	kinds   []board.Kind  // of those, each once, those that are slow to judge last
	Erasers []image.Point
	Dots    []image.Point // dots that no line covers, or not the right one
}

// Regions finds the regions of the panel in reading order. Nodes and edges
// that no line covers belong to the region around them.
func (l *Line) Regions() []*Region {
	p := l.Panel
	seen := make([]bool, len(p.Spots))
	var all []*Region
	for from := range p.Points() {
		if seen[l.index(from)] || !l.Open(from) {
			continue
		}
		r := &Region{Line: l}
		seen[l.index(from)] = true
		for queue := []image.Point{from}; len(queue) > 0; queue = queue[1:] {
			at := queue[0]
			r.add(at)
			for _, d := range board.Beside() {
				next := at.Add(d)
				if p.In(next) && !seen[l.index(next)] && l.Open(next) {
					seen[l.index(next)] = true
					queue = append(queue, p.Wrap(next))
				}
			}
		}
		// Which erasers count for stars while others are used goes by their order.
		slices.SortFunc(r.Erasers, func(a, b image.Point) int {
			if a.Y != b.Y {
				return a.Y - b.Y
			}
			return a.X - b.X
		})
		slices.SortStableFunc(r.kinds, func(a, b board.Kind) int {
			switch x, y := a.About().Slow, b.About().Slow; {
			case y && !x:
				return -1
			case x && !y:
				return 1
			}
			return 0
		})
		all = append(all, r)
	}
	return all
}

func (r *Region) add(at image.Point) {
	spot := r.Line.Panel.At(at)
	if !board.IsCell(at) {
		if spot.Dot.On && !r.Line.Covered(at) {
			r.Dots = append(r.Dots, at)
		}
		return
	}
	r.Cells = append(r.Cells, at)
	switch {
	case spot.Kind == board.NoSymbol:
	case spot.Kind.Erases():
		r.Erasers = append(r.Erasers, at)
	default:
		r.Symbols = append(r.Symbols, at)
		if !slices.Contains(r.kinds, spot.Kind) {
			r.kinds = append(r.kinds, spot.Kind)
		}
	}
}

// Part is some cells of a region, as if they were one.
func (l *Line) Part(cells []image.Point) *Region {
	r := &Region{Line: l}
	for _, c := range cells {
		r.add(c)
	}
	return r
}

// Wrong lists what is wrong in a region as it is.
func (r *Region) Wrong() []image.Point { return (&View{Region: r}).allWrong() }

// A View is a region as it looks when some of its symbols are gone.
type View struct {
	*Region
	gone     map[image.Point]bool
	standing []image.Point        // erasers that count
	extra    map[board.Colour]int // more things of a colour that stars count
}

// Left lists the symbols that are still there: of the kinds wanted, or all for
// nil.
func (v *View) Left(want func(board.Kind) bool) []image.Point {
	var all []image.Point
	for _, at := range v.Symbols {
		if !v.gone[at] && (want == nil || want(v.Line.Panel.At(at).Kind)) {
			all = append(all, at)
		}
	}
	return all
}

// wrong yields what is wrong, kind by kind, dots first.
func (v *View) wrong(yield func(board.Kind, []image.Point) bool) {
	tell := func(k board.Kind, own []image.Point) bool {
		if len(own) == 0 {
			return true
		}
		rule, _ := v.Line.table.of(k)
		if rule == nil {
			return true
		}
		wrong := rule(v, own)
		return len(wrong) == 0 || yield(k, wrong)
	}
	dots := slices.DeleteFunc(slices.Clone(v.Dots), func(at image.Point) bool { return v.gone[at] })
	if !tell(board.Hexagon, dots) {
		return
	}
	for _, k := range v.kinds {
		if !tell(k, v.Left(func(o board.Kind) bool { return o == k })) {
			return
		}
	}
}

// allWrong lists everything that is wrong.
func (v *View) allWrong() []image.Point {
	var all []image.Point
	for _, wrong := range v.wrong {
		all = append(all, wrong...)
	}
	return all
}

// right tells whether nothing is wrong.
func (v *View) right() bool {
	for range v.wrong {
		return false
	}
	return true
}

// A limiter ends what judging searches through with a context. The zero limiter
// has no limit.
type limiter struct {
	ctx  context.Context
	work int   // since the context was looked at
	err  error // the context's, once it was seen to have ended: what is found then says nothing
}

// limitLook is how much work is done between two looks at the context, in
// squares of a grid that are looked at: some 50 microseconds.
const limitLook = 1 << 15

// ended counts work, and looks at the context now and then.
func (l *limiter) ended(work int) bool {
	if l.work += work; l.err == nil && l.ctx != nil && l.work >= limitLook {
		l.err, l.work = l.ctx.Err(), 0
	}
	return l.err != nil
}
