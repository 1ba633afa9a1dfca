package witness

import (
	"context"
	"fmt"
	"image"
	"slices"

	"onlooker/solve"
)

// lineRules are the rules of the line itself.
func lineRules() []solve.Rule {
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

// Rules are what Check can find broken: the line's, then the symbols'.
func Rules() []solve.Rule { return rulesOf(Kinds()) }

func rulesOf(kinds []Kind) []solve.Rule {
	all := lineRules()
	for _, k := range kinds {
		if r := k.about().rule; !slices.ContainsFunc(all, func(o solve.Rule) bool { return o.Name == r.Name }) {
			all = append(all, r)
		}
	}
	return all
}

// A play is a line drawn on a panel, with its image and what they cut.
type play struct {
	p          *Panel
	limit      limiter
	own, other []bool // by half-cell: covered by the player's line, by its image
	half       []bool // starts and ends on the middle of edges: covered, but open beside it
	outside    []bool // cells that are no cells, and the missing edges beside them
}

func (l *play) index(at image.Point) int {
	at = l.p.Wrap(at)
	return at.Y*l.p.Width() + at.X
}

// covered tells whether either line covers a half-cell.
func (l *play) covered(at image.Point) bool {
	if !l.p.In(at) {
		return false
	}
	i := l.index(at)
	return l.own[i] || l.other[i]
}

// Check plays the solution by the panel's rules. It wants exactly one stroke;
// see package solve and the rule "strokes". A broken rule is a
// *solve.RuleError with a name of Rules.
func (p *Panel) Check(ctx context.Context, s solve.Solution) error {
	if err := p.Valid(); err != nil {
		return err
	}
	l, broken := p.draw(s)
	if broken != nil {
		return broken
	}
	l.limit.ctx = ctx
	if broken := l.colouredDots(); broken != nil {
		return broken
	}
	for _, r := range l.regions() {
		broken := r.judge()
		if l.limit.err != nil {
			return fmt.Errorf("check: %w", l.limit.err)
		}
		if broken != nil {
			return broken
		}
	}
	return nil
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

// Faults lists all that is wrong with a solution: every symbol and dot of each
// region, unless the line itself is wrong. Where erasers are to choose, theirs
// is the one fault of their region.
func (p *Panel) Faults(ctx context.Context, s solve.Solution) []*solve.RuleError {
	if p.Valid() != nil {
		return nil // Check tells
	}
	l, broken := p.draw(s)
	if broken == nil {
		l.limit.ctx = ctx
		broken = l.colouredDots()
	}
	if broken != nil {
		return []*solve.RuleError{broken}
	}
	var all []*solve.RuleError
	for _, r := range l.regions() {
		all = append(all, r.faults()...)
	}
	if l.limit.err != nil {
		return nil // not judged to the end
	}
	return all
}

func broken(rule string, at image.Point, got string) *solve.RuleError {
	return &solve.RuleError{Rule: rule, At: at, Got: got}
}

// draw follows the stroke and its image over the panel.
func (p *Panel) draw(s solve.Solution) (*play, *solve.RuleError) {
	if len(s) != 1 {
		return nil, broken("strokes", image.Point{}, fmt.Sprintf("%d strokes, want 1", len(s)))
	}
	stroke := s[0]
	if len(stroke) < 2 {
		return nil, broken("strokes", image.Point{}, fmt.Sprintf("a stroke of %d points, want at least a start and the tip of a cap", len(stroke)))
	}
	n := len(p.Spots)
	l := &play{p: p, own: make([]bool, n), other: make([]bool, n), half: make([]bool, n), outside: make([]bool, n)}

	start := stroke[0]
	if spot := p.At(start); spot == nil || !spot.Start {
		return nil, broken("start", start, "no start, want one")
	}
	path := []image.Point{p.Wrap(start)}
	at := start
	for i := 1; i < len(stroke)-1; i++ {
		step := p.step(stroke[i-1], stroke[i])
		next := at.Add(step)
		straight := step.X == 0 || step.Y == 0
		length := max(step.X, -step.X) + max(step.Y, -step.Y)
		switch {
		case !p.In(next):
			return nil, broken("line", stroke[i], "off the panel")
		case straight && length == 2 && IsNode(at):
			path = append(path, p.Wrap(at.Add(step.Div(2))), p.Wrap(next))
		case straight && length == 1 && IsEdge(at) && i == 1 && IsNode(next),
			straight && length == 1 && IsNode(at) && i == len(stroke)-2 && IsEdge(next):
			path = append(path, p.Wrap(next))
		default:
			return nil, broken("line", stroke[i], fmt.Sprintf("a step by (%d,%d), want a node beside the last one", step.X, step.Y))
		}
		at = next
	}
	end := p.At(at)
	tip := stroke[len(stroke)-1]
	if step := p.step(stroke[len(stroke)-2], tip); !end.IsEnd() || step != end.Cap {
		return nil, broken("end", tip, fmt.Sprintf("the last step is (%d,%d), want the cap of an end there", step.X, step.Y))
	}
	for _, q := range path {
		if p.At(q).Gap != Whole {
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
	if p.Symmetry != NoSymmetry {
		if broken := l.mirror(path); broken != nil {
			return nil, broken
		}
	}
	for _, q := range []image.Point{path[0], path[last]} {
		if IsEdge(q) {
			l.half[l.index(q)] = true
			if image, ok := p.Image(q); ok && !p.Rules.ImageEndsPart {
				l.half[l.index(image)] = true
			}
		}
	}
	if p.Rules.OpenCellsOutside {
		l.findOutside()
	}
	return l, nil
}

// step is the way from one point of a stroke to the next; on a pillar a
// stroke may jump from one side of the seam to the other.
func (p *Panel) step(from, to image.Point) image.Point {
	d := to.Sub(from)
	if w := p.Width(); p.Pillar && (d.X > 2 || d.X < -2) {
		if d.X = ((d.X % w) + w) % w; d.X > w/2 {
			d.X -= w
		}
	}
	return d
}

// mirror draws the image of the player's line.
func (l *play) mirror(path []image.Point) *solve.RuleError {
	p, last := l.p, len(path)-1
	for i, q := range path {
		image, ok := p.Image(q)
		if !ok {
			return broken("symmetry", q, "no image on the panel")
		}
		spot := p.At(image)
		switch {
		case l.own[l.index(image)] && !(p.Rules.SharedStarts && i == 0 && image == q):
			return broken("symmetry", q, "the line meets its image")
		case spot.Gap != Whole:
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

var beside = [4]image.Point{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}}

// findOutside marks the cells that missing edges join to the outside.
func (l *play) findOutside() {
	p := l.p
	var queue []image.Point
	visit := func(edge image.Point) {
		if p.At(edge).Gap != Missing || l.outside[l.index(edge)] {
			return
		}
		l.outside[l.index(edge)] = true
		for _, d := range beside {
			if cell := edge.Add(d); p.In(cell) && IsCell(cell) && !l.outside[l.index(cell)] {
				l.outside[l.index(cell)] = true
				queue = append(queue, cell)
			}
		}
	}
	for at := range p.Points() {
		onBorder := at.Y == 0 || at.Y == p.Height()-1 || !p.Pillar && (at.X == 0 || at.X == p.Width()-1)
		if IsEdge(at) && onBorder {
			visit(at)
		}
	}
	for len(queue) > 0 {
		cell := queue[0]
		queue = queue[1:]
		for _, d := range beside {
			visit(cell.Add(d))
		}
	}
}

// A region is what the lines and the outside cut off.
type region struct {
	line    *play
	cells   []image.Point
	symbols []image.Point // cells with symbols other than erasers
	kinds   []Kind        // of those, each once, those that are slow to judge last
	erasers []image.Point
	dots    []image.Point // dots that no line covers, or not the right one
}

// regions finds the regions of the panel in reading order. Nodes and edges
// that no line covers belong to the region around them.
func (l *play) regions() []*region {
	p := l.p
	seen := make([]bool, len(p.Spots))
	var all []*region
	for from := range p.Points() {
		if seen[l.index(from)] || !l.open(from) {
			continue
		}
		r := &region{line: l}
		seen[l.index(from)] = true
		for queue := []image.Point{from}; len(queue) > 0; queue = queue[1:] {
			at := queue[0]
			r.add(at)
			for _, d := range beside {
				next := at.Add(d)
				if p.In(next) && !seen[l.index(next)] && l.open(next) {
					seen[l.index(next)] = true
					queue = append(queue, p.Wrap(next))
				}
			}
		}
		// Which erasers count for stars while others are used goes by their order.
		slices.SortFunc(r.erasers, func(a, b image.Point) int {
			if a.Y != b.Y {
				return a.Y - b.Y
			}
			return a.X - b.X
		})
		slices.SortStableFunc(r.kinds, func(a, b Kind) int {
			switch x, y := a.about().slow, b.about().slow; {
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

// open tells whether a half-cell is part of a region.
func (l *play) open(at image.Point) bool {
	i := l.index(at)
	return !l.outside[i] && (l.half[i] || !l.own[i] && !l.other[i])
}

func (r *region) add(at image.Point) {
	spot := r.line.p.At(at)
	if !IsCell(at) {
		if spot.Dot.On && !r.line.covered(at) {
			r.dots = append(r.dots, at)
		}
		return
	}
	r.cells = append(r.cells, at)
	switch {
	case spot.Kind == NoSymbol:
	case spot.Kind.about().erases:
		r.erasers = append(r.erasers, at)
	default:
		r.symbols = append(r.symbols, at)
		if !slices.Contains(r.kinds, spot.Kind) {
			r.kinds = append(r.kinds, spot.Kind)
		}
	}
}

// sides is how many sides of a cell the lines cover.
func (l *play) sides(cell image.Point) int {
	n := 0
	for _, d := range beside {
		if l.covered(cell.Add(d)) {
			n++
		}
	}
	return n
}

// A view is a region as it looks when some of its symbols are gone.
type view struct {
	*region
	gone  map[image.Point]bool
	extra map[Colour]int // more things of a colour that stars count
}

// left lists the symbols that are still there: of the kinds wanted, or all for
// nil.
func (v *view) left(want func(Kind) bool) []image.Point {
	var all []image.Point
	for _, at := range v.symbols {
		if !v.gone[at] && (want == nil || want(v.line.p.At(at).Kind)) {
			all = append(all, at)
		}
	}
	return all
}

// wrong yields what is wrong, kind by kind, dots first.
func (v *view) wrong(yield func(Kind, []image.Point) bool) {
	tell := func(k Kind, own []image.Point) bool {
		if len(own) == 0 {
			return true
		}
		wrong := k.wrong(v, own)
		return len(wrong) == 0 || yield(k, wrong)
	}
	dots := slices.DeleteFunc(slices.Clone(v.dots), func(at image.Point) bool { return v.gone[at] })
	if !tell(Hexagon, dots) {
		return
	}
	for _, k := range v.kinds {
		if !tell(k, v.left(func(o Kind) bool { return o == k })) {
			return
		}
	}
}

// allWrong lists everything that is wrong.
func (v *view) allWrong() []image.Point {
	var all []image.Point
	for _, wrong := range v.wrong {
		all = append(all, wrong...)
	}
	return all
}

// right tells whether nothing is wrong.
func (v *view) right() bool {
	for range v.wrong {
		return false
	}
	return true
}
