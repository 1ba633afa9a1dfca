package witness_test

import (
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
