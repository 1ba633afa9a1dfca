package witness_test

import (
	"fmt"
	"image"
	"slices"
	"strings"

	"onlooker/solve"
	"onlooker/solve/witness/board"
)

// A brute force with an account of its own of every rule: it draws every line
// of a panel and judges it from the documentation of RuleSet. It uses the
// panel's data and symmetry, and nothing of Check or of the search.

var ways = [4]image.Point{{X: 1}, {Y: 1}, {X: -1}, {Y: -1}}

// A drawing is a line, its image, and what they leave of a panel.
type drawing struct {
	p     *board.Panel
	path  []image.Point        // of the player's line, not wrapped
	line  map[image.Point]bool // wrapped half-cells of it
	image map[image.Point]bool
	ends  []image.Point // edge middles at which a line begins or ends: half covered
	// What lies outside the panel; see RuleSet.OpenCellsOutside.
	outside map[image.Point]bool
	laid    map[string]bool // what layings are possible; shared by all lines
}

// everyAnswer draws every line of a panel and returns the right ones.
func everyAnswer(p *board.Panel) []solve.Solution {
	return everyLine(p, (*drawing).right)
}

// everyLine draws every line of a panel and returns those that are wanted.
func everyLine(p *board.Panel, wanted func(*drawing) bool) []solve.Solution {
	var right []solve.Solution
	outside, laid := outsideOf(p), make(map[string]bool)
	var path []image.Point // half-cells, not wrapped
	on := make(map[image.Point]bool)
	var step func()
	finish := func() {
		at := path[len(path)-1]
		end := p.At(at)
		if end.Cap == (image.Point{}) {
			return
		}
		d := &drawing{p: p, path: path, line: on, image: make(map[image.Point]bool), outside: outside, laid: laid}
		if !d.reflect(path) {
			return
		}
		if !p.Rules.ThroughEnds {
			for i := 1; i < len(path)-1; i++ {
				q, ok := p.Image(path[i])
				if isEnd(p, path[i]) || p.Symmetry != board.NoSymmetry && ok && isEnd(p, q) {
					return
				}
			}
		}
		for _, at := range []image.Point{path[0], path[len(path)-1]} {
			if board.IsEdge(at) {
				d.ends = append(d.ends, p.Wrap(at))
				if q, ok := p.Image(at); ok && !p.Rules.ImageEndsPart {
					d.ends = append(d.ends, q)
				}
			}
		}
		if wanted(d) {
			stroke := solve.Stroke{}
			for i, at := range path {
				if board.IsNode(at) || i == 0 || i == len(path)-1 {
					stroke = append(stroke, at)
				}
			}
			right = append(right, solve.Solution{append(stroke, at.Add(end.Cap))})
		}
	}
	enter := func(at image.Point) bool {
		s := p.At(at)
		if s == nil || board.IsCell(at) || s.Gap != board.Whole || on[p.Wrap(at)] {
			return false
		}
		on[p.Wrap(at)] = true
		path = append(path, at)
		return true
	}
	leave := func() {
		delete(on, p.Wrap(path[len(path)-1]))
		path = path[:len(path)-1]
	}
	step = func() {
		finish()
		at := path[len(path)-1]
		for _, d := range ways {
			if board.IsEdge(at) && (at.X&1 == 1) != (d.X != 0) {
				continue // an edge is run along
			}
			if !enter(at.Add(d)) {
				continue
			}
			if board.IsNode(at.Add(d)) {
				step()
			} else {
				finish() // in the middle of the edge
				if enter(at.Add(d).Add(d)) {
					step()
					leave()
				}
			}
			leave()
		}
	}
	for at := range p.Points() {
		if p.At(at).Start && enter(at) {
			step()
			leave()
		}
	}
	return right
}

func isEnd(p *board.Panel, at image.Point) bool { return p.At(at).Cap != image.Point{} }

// outsideOf is what missing edges join to the outside, from the border inwards.
func outsideOf(p *board.Panel) map[image.Point]bool {
	out := make(map[image.Point]bool)
	if !p.Rules.OpenCellsOutside {
		return out
	}
	for grown := true; grown; {
		grown = false
		for at := range p.Points() {
			if !board.IsEdge(at) || p.At(at).Gap != board.Missing || out[at] {
				continue
			}
			across := image.Pt(0, 1)
			if at.X&1 == 0 {
				across = image.Pt(1, 0)
			}
			a, b := at.Add(across), at.Sub(across)
			if p.In(a) && p.In(b) && !out[p.Wrap(a)] && !out[p.Wrap(b)] {
				continue
			}
			out[at], grown = true, true
			for _, cell := range []image.Point{a, b} {
				if p.In(cell) {
					out[p.Wrap(cell)] = true
				}
			}
		}
	}
	return out
}

// reflect draws the image; false where the two lines cannot be.
func (d *drawing) reflect(path []image.Point) bool {
	p := d.p
	if p.Symmetry == board.NoSymmetry {
		return true
	}
	for i, at := range path {
		q, ok := p.Image(at)
		if !ok || p.At(q).Gap != board.Whole {
			return false
		}
		if d.line[q] && !(p.Rules.SharedStarts && i == 0 && q == p.Wrap(at)) {
			return false
		}
		if i == 0 && !p.At(q).Start || i == len(path)-1 && !p.Rules.LoneEnds && !isEnd(p, q) {
			return false
		}
		d.image[q] = true
	}
	return true
}

func (d *drawing) covered(at image.Point) bool {
	at = d.p.Wrap(at)
	return d.line[at] || d.image[at]
}

// An area is a region: its cells, and what lies in it.
type area struct {
	d                      *drawing
	cells                  []image.Point
	marks, symbols, erases []image.Point // dots that are not covered, symbols, erasers
}

// right judges the dots of two lines and every region.
func (d *drawing) right() bool {
	if len(d.crossed()) > 0 || len(d.disagreeing()) > 0 {
		return false
	}
	for a := range d.areas {
		if !a.right() {
			return false
		}
	}
	return true
}

// crossed are the dots of one line that the other covers.
func (d *drawing) crossed() (all []image.Point) {
	p := d.p
	for at := range p.Points() {
		dot := p.At(at).Dot
		if dot.On && p.Symmetry != board.NoSymmetry && p.Rules.ColouredDots &&
			(dot.Line == board.OwnLine && d.image[at] || dot.Line == board.OtherLine && d.line[at]) {
			all = append(all, at)
		}
	}
	return all
}

// areas yields the regions.
func (d *drawing) areas(yield func(*area) bool) {
	p := d.p
	seen := make(map[image.Point]bool)
	open := func(at image.Point) bool {
		return p.In(at) && !d.outside[p.Wrap(at)] && (!d.covered(at) || slices.Contains(d.ends, p.Wrap(at)))
	}
	for from := range p.Points() {
		if seen[from] || !open(from) {
			continue
		}
		a := &area{d: d}
		seen[from] = true
		for queue := []image.Point{from}; len(queue) > 0; queue = queue[1:] {
			at := queue[0]
			s := p.At(at)
			switch {
			case !board.IsCell(at):
				if s.Dot.On && !d.covered(at) {
					a.marks = append(a.marks, at)
				}
			case s.Kind == board.Eraser:
				a.erases = append(a.erases, at)
			case s.Kind != board.NoSymbol:
				a.symbols = append(a.symbols, at)
			}
			if board.IsCell(at) {
				a.cells = append(a.cells, at)
			}
			for _, w := range ways {
				if next := p.Wrap(at.Add(w)); open(next) && !seen[next] {
					seen[next] = true
					queue = append(queue, next)
				}
			}
		}
		slices.SortFunc(a.erases, inReadingOrder)
		if !yield(a) {
			return
		}
	}
}

// meets tells whether the line meets some clues with all others in place: what is
// wrong of them in a region its erasers might take, and where the region holds
// nothing else it is right.
func (d *drawing) meets(named map[image.Point]bool) bool {
	for _, at := range slices.Concat(d.crossed(), d.disagreeing()) {
		if named[at] {
			return false
		}
	}
	for a := range d.areas {
		if !a.meets(named) {
			return false
		}
	}
	return true
}

func (a *area) meets(named map[image.Point]bool) bool {
	all := true
	for _, list := range [][]image.Point{a.marks, a.symbols, a.erases} {
		for _, at := range list {
			all = all && named[at]
		}
	}
	if all {
		return a.right()
	}
	var standing []image.Point
	if a.d.p.Rules.ErasersCount {
		standing = a.erases
	}
	may := slices.Concat(a.marks, a.symbols)
	var fine func(gone []image.Point, from int) bool
	fine = func(gone []image.Point, from int) bool {
		if !slices.ContainsFunc(a.wrong(gone, standing), func(at image.Point) bool { return named[at] }) {
			return true
		}
		if len(gone) == len(a.erases) {
			return false
		}
		for i := from; i < len(may); i++ {
			if fine(append(slices.Clone(gone), may[i]), i+1) {
				return true
			}
		}
		return false
	}
	return fine(nil, 0)
}

func inReadingOrder(a, b image.Point) int {
	if a.Y != b.Y {
		return a.Y - b.Y
	}
	return a.X - b.X
}

// right tells whether the region's erasers, each of them used, set it right.
func (a *area) right() bool {
	p, rules, n := a.d.p, a.d.p.Rules, len(a.erases)
	if n == 0 {
		return len(a.wrong(nil, nil)) == 0
	}
	var seenAtFirst []image.Point
	if rules.ErasersSeen {
		seenAtFirst = a.erases
	}
	first := a.wrong(nil, seenAtFirst)
	kept := a.erases
	if !rules.ErasersCount {
		kept = nil
	}
	// best: of the sets that set the region right, by how many other than pieces
	// are in them, whether one has every eraser used.
	best := make(map[int]bool)
	found := false
	var erase func(gone []image.Point)
	tried := make(map[string]bool)
	erase = func(gone []image.Point) {
		sorted := slices.SortedFunc(slices.Values(gone), inReadingOrder)
		key := ""
		for _, at := range sorted {
			key += at.String()
		}
		if found || tried[key] {
			return
		}
		tried[key] = true
		spare := n - len(gone)
		pieces, all := 0, 0
		for _, at := range a.symbols {
			if a.d.p.At(at).Kind.IsPiece() {
				all++
				if slices.Contains(gone, at) {
					pieces++
				}
			}
		}
		used := spare == 0 || rules.ErasersCancel && spare%2 == 0 || rules.ErasersShare && len(gone) > 0
		used = used && (rules.ErasersAmongPieces || pieces <= 1 || pieces == all)
		if len(a.wrong(gone, kept)) == 0 {
			if rules.EraseFreely && used {
				found = true
				return
			}
			best[len(gone)-pieces] = best[len(gone)-pieces] || used
		}
		if spare == 0 {
			return
		}
		next := first
		if rules.EraseInTurn {
			standing := kept
			if !rules.ErasersCount && rules.ErasersSeen {
				standing = a.erases[n-spare:]
			}
			next = a.wrong(gone, standing)
		}
		for _, at := range next {
			if !slices.Contains(gone, at) && !fixed(p, at) {
				erase(append(slices.Clone(gone), at))
			}
		}
	}
	erase(nil)
	if found || rules.EraseFreely {
		return found
	}
	for k := range n + 1 {
		if used, ok := best[k]; ok {
			return used
		}
	}
	return false
}

// fixed tells whether no eraser takes a symbol.
func fixed(p *board.Panel, at image.Point) bool {
	k := p.At(at).Kind
	c := k.By()
	return c != nil && (p.Rules.FixedNew || k.About().Fixed || strings.HasPrefix(string(c.Test), "equal") || c.Test == "once")
}

// wrong lists what is wrong where some symbols are gone and some erasers stand.
func (a *area) wrong(gone, standing []image.Point) []image.Point {
	p := a.d.p
	var all, left []image.Point
	for _, at := range a.marks {
		if !slices.Contains(gone, at) {
			all = append(all, at)
		}
	}
	things := make(map[board.Colour]int)
	squares := make(map[board.Colour]bool)
	var pieces []image.Point
	for _, at := range a.symbols {
		s := p.At(at)
		if slices.Contains(gone, at) {
			if p.Rules.ErasedCount && s.Kind != board.Star && !s.Kind.About().Starless {
				things[s.Colour]++
			}
			continue
		}
		left = append(left, at)
		if !s.Kind.About().Starless {
			things[s.Colour]++
		}
		if s.Kind == board.Square {
			squares[s.Colour] = true
		}
		if s.Kind.IsPiece() {
			pieces = append(pieces, at)
		}
	}
	for _, at := range standing {
		things[p.At(at).Colour]++
	}
	lies := a.lies(pieces)
	for _, at := range left {
		s := p.At(at)
		bad := false
		switch s.Kind {
		case board.Square:
			bad = len(squares) > 1
		case board.Star:
			bad = things[s.Colour] != 2
		case board.Triangle:
			sides := 0
			for _, w := range ways {
				if a.d.covered(at.Add(w)) {
					sides++
				}
			}
			bad = sides != s.Count
		case board.Polyomino, board.Negative:
			bad = !lies
		default:
			if there := slices.Concat(left, standing); ofSigma(s.Kind) {
				bad = !a.holds(at, there)
			} else {
				bad = !a.says(at, there)
			}
		}
		if bad {
			all = append(all, at)
		}
	}
	return all
}

// A pile is the pieces of a region that are still to be laid, on squares that
// each want some cover: 1 in the region, 0 elsewhere.
type pile struct {
	p     *board.Panel
	left  []*board.Symbol
	want  map[image.Point]int // by column and row; what is 0 is left out
	loose [][2]image.Point    // squares with a loose line between them
	laid  []layer
}

type layer struct {
	blue  bool
	cells []image.Point // wrapped
	shape []image.Point // as it lies, not wrapped
}

// lies tells whether the region's pieces can be laid: those that are left fill
// it, or come to nothing.
func (a *area) lies(pieces []image.Point) bool {
	if len(pieces) == 0 {
		return true
	}
	p := a.d.p
	b := &pile{p: p, want: make(map[image.Point]int)}
	net := 0
	for _, at := range slices.SortedFunc(slices.Values(pieces), inReadingOrder) {
		s := &p.At(at).Symbol
		b.left = append(b.left, s)
		net += len(s.Shape) * sign(s)
	}
	switch {
	case net == 0 && p.Rules.ZeroAnyShape:
		return true
	case net != 0 && net != len(a.cells):
		return false
	}
	if net != 0 {
		for _, c := range a.cells {
			b.want[image.Pt(c.X/2, c.Y/2)] = 1
		}
	}
	if net > 0 && p.Rules.LineBlocksPieces {
		in := make(map[image.Point]bool)
		for _, c := range a.cells {
			in[c] = true
		}
		for _, c := range a.cells {
			for _, w := range ways[:2] {
				if to := p.Wrap(c.Add(w.Mul(2))); a.d.covered(c.Add(w)) && in[to] {
					b.loose = append(b.loose, [2]image.Point{{X: c.X / 2, Y: c.Y / 2}, {X: c.X/2 + w.X, Y: c.Y/2 + w.Y}})
				}
			}
		}
	}
	key := ""
	for _, at := range pieces {
		key += at.String()
	}
	key += "|"
	for _, c := range slices.SortedFunc(slices.Values(a.cells), inReadingOrder) {
		key += c.String()
	}
	key += fmt.Sprint(net, len(b.loose), b.loose)
	if lies, known := a.d.laid[key]; known {
		return lies
	}
	lies := b.lay()
	a.d.laid[key] = lies
	return lies
}

func sign(s *board.Symbol) int {
	if s.Kind == board.Negative {
		return -1
	}
	return 1
}

// lay lays what is left: each piece somewhere, such that in the end every want
// is met. Some piece must lie where too little does, some blue one where too
// much does; where all is as wanted the next one lies anywhere.
func (b *pile) lay() bool {
	eat := 0
	for _, s := range b.left {
		if sign(s) < 0 {
			eat += len(s.Shape)
		}
	}
	over := 0
	var at *image.Point
	for q, n := range b.want {
		if n < 0 {
			over -= n
		}
		if at == nil || inReadingOrder(q, *at) < 0 {
			at = &q
		}
	}
	switch {
	case over > eat:
		return false
	case len(b.left) == 0:
		return at == nil && b.clear()
	}
	for i, s := range b.left {
		if at != nil && (b.want[*at] > 0) != (sign(s) > 0) {
			continue
		}
		rest := b.left
		b.left = slices.Concat(rest[:i], rest[i+1:])
		for _, shape := range turnings(s) {
			for _, origin := range b.origins(shape, at) {
				if b.put(s, shape, origin) {
					done := b.lay()
					b.take(s)
					if done {
						return true
					}
				}
			}
		}
		b.left = rest
		if at == nil {
			break // it lies somewhere; all places were tried
		}
	}
	return false
}

// origins are where a shape may be put: so that it covers a square, or anywhere
// on the board and, where it may hang over, around it. Farther away one place is
// as good as another, since it must be eaten there whole.
func (b *pile) origins(shape []image.Point, at *image.Point) (all []image.Point) {
	if at != nil {
		for _, q := range shape {
			all = append(all, at.Sub(q))
		}
		return all
	}
	margin := 0
	if b.p.Rules.Overhang {
		for _, s := range append(slices.Clone(b.left), &board.Symbol{Shape: shape}) {
			margin += len(s.Shape)
		}
	}
	for y := -margin; y < b.p.Rows+margin; y++ {
		for x := -margin; x < b.p.Cols+margin; x++ {
			if b.p.Pillar && (x < 0 || x >= b.p.Cols) {
				continue
			}
			all = append(all, image.Pt(x, y))
		}
	}
	return all
}

// put lays a piece; false, and nothing is laid, where it may not lie.
func (b *pile) put(s *board.Symbol, shape []image.Point, origin image.Point) bool {
	l := layer{blue: sign(s) < 0}
	for _, q := range shape {
		q = q.Add(origin)
		l.shape = append(l.shape, q)
		c := b.wrap(q)
		if !b.p.Rules.Overhang && !c.In(image.Rect(0, 0, b.p.Cols, b.p.Rows)) {
			return false
		}
		l.cells = append(l.cells, c)
	}
	b.laid = append(b.laid, l)
	b.add(l.cells, -sign(s))
	return true
}

func (b *pile) take(s *board.Symbol) {
	last := len(b.laid) - 1
	b.add(b.laid[last].cells, sign(s))
	b.laid = b.laid[:last]
}

func (b *pile) add(cells []image.Point, n int) {
	for _, c := range cells {
		if b.want[c] += n; b.want[c] == 0 {
			delete(b.want, c)
		}
	}
}

func (b *pile) wrap(q image.Point) image.Point {
	if b.p.Pillar {
		q.X = (q.X%b.p.Cols + b.p.Cols) % b.p.Cols
	}
	return q
}

// clear tells whether no piece lies across a loose line, but for as many as blue
// pieces touch the squares beside it.
func (b *pile) clear() bool {
	for _, e := range b.loose {
		across := 0
		for _, l := range b.laid {
			if l.blue {
				if slices.Contains(l.cells, b.wrap(e[0])) || slices.Contains(l.cells, b.wrap(e[1])) {
					across--
				}
				continue
			}
			for _, q := range l.shape {
				if b.wrap(q) == e[0] && slices.Contains(l.shape, q.Add(e[1]).Sub(e[0])) {
					across++
					break
				}
			}
		}
		if across > 0 {
			return false
		}
	}
	return true
}

// turnings are the ways in which a piece may lie.
func turnings(s *board.Symbol) [][]image.Point {
	all := [][]image.Point{s.Shape}
	for s.Turnable && len(all) < 4 {
		var next []image.Point
		for _, q := range all[len(all)-1] {
			next = append(next, image.Pt(-q.Y, q.X))
		}
		all = append(all, next)
	}
	return all
}
