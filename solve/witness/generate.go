package witness

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math/rand/v2"
	"slices"

	"onlooker/solve"
)

// GenerateOptions say what a generated panel holds. The numbers are exact.
type GenerateOptions struct {
	Cols, Rows int // cells
	Pillar     bool
	Symmetry   Symmetry
	Rules      RuleSet // the zero value means Game

	Squares, SquareColours int // colours: 2 where it is 0
	Stars                  int
	Pieces, Turned         int // Turned of the Pieces may be turned
	Negatives              int // each asks for a piece of its own beside it
	Triangles              int
	Dots                   int
	ColouredDots           bool // under symmetry, some dots belong to one line
	Erasers                int
	Cuts                   int  // broken edges
	MidEdge                bool // starts and ends on the middle of edges
	ExtraStarts, ExtraEnds int
	MissingEdges           int
}

// errNoRoom says that one attempt did not come out.
var errNoRoom = errors.New("no room for the symbols")

// GenerateSolvable makes a random panel and an answer to it: it draws a random
// line first and then places symbols that agree with it. Where the numbers
// cannot be had it gives up after some thousand attempts.
func GenerateSolvable(rng *rand.Rand, o GenerateOptions) (*Panel, solve.Solution, error) {
	if o.Rules.Name == "" {
		o.Rules = Game
	}
	if err := checkSize(o.Cols, o.Rows, o.Pillar, o.Symmetry); err != nil {
		return nil, nil, fmt.Errorf("generate: %w", err)
	}
	err := errNoRoom
	for range 2000 {
		var g *generator
		if g, err = newGenerator(rng, o); err != nil {
			continue
		}
		if err = g.fill(); err != nil {
			continue
		}
		answer := solve.Solution{g.stroke}
		if err = g.p.Check(answer); err == nil {
			return g.p, answer, nil
		}
	}
	return nil, nil, fmt.Errorf("generate: %+v: %w", o, err)
}

// GenerateUnsolvable makes a random panel of the same mix that is proved to
// have no answer: the symbols of a solvable one change places until it has
// none.
func GenerateUnsolvable(ctx context.Context, rng *rand.Rand, o GenerateOptions) (*Panel, error) {
	for range 200 {
		p, _, err := GenerateSolvable(rng, o)
		if err != nil {
			return nil, err
		}
		var cells []image.Point
		for at := range p.Points() {
			if IsCell(at) {
				cells = append(cells, at)
			}
		}
		for range 20 {
			rng.Shuffle(len(cells), func(i, j int) {
				a, b := p.At(cells[i]), p.At(cells[j])
				a.Symbol, b.Symbol = b.Symbol, a.Symbol
			})
			switch _, err := p.Solve(ctx); {
			case errors.Is(err, solve.ErrUnsolvable):
				return p, nil
			case err != nil:
				return nil, err
			}
		}
	}
	return nil, fmt.Errorf("generate: %+v: every panel has an answer", o)
}

// generateAny is Family.Generate: a mix that changes with the seed and grows
// with the panel.
func generateAny(rng *rand.Rand, cols, rows int) *Panel {
	cols, rows = min(max(cols, 1), maxSide), min(max(rows, 1), maxSide)
	area := cols * rows
	for room := area; ; room /= 2 {
		for range 4 {
			o := GenerateOptions{Cols: cols, Rows: rows}
			some := func(most int) int { return rng.IntN(min(most, room) + 1) }
			switch rng.IntN(8) {
			case 0:
				o.Dots, o.Cuts = some(area/2+1), some(area)
			case 1:
				o.Squares, o.SquareColours = some(area*2/3), 2+rng.IntN(2)
			case 2:
				o.Stars, o.Squares = some(area/4)*2, some(area/4)
			case 3:
				o.Pieces = some(area/5 + 1)
				o.Turned = rng.IntN(o.Pieces + 1)
				o.Stars = some(area/8) * 2
			case 4:
				o.Triangles, o.Cuts = some(area/2), some(area/4)
			case 5:
				o.Squares, o.Erasers, o.Dots = some(area/2), min(1, room), some(2)
			case 6:
				o.Symmetry, o.Dots, o.ColouredDots = []Symmetry{Mirror, Flip, Rotation}[rng.IntN(3)], some(area/4+1), true
			case 7:
				o.Pillar, o.Squares, o.Dots = cols > 1, some(area/3), some(3)
				if cols > 1 && cols%2 == 0 {
					o.Symmetry = []Symmetry{NoSymmetry, Mirror, Rotation, Parallel, Turned}[rng.IntN(5)]
				}
			}
			if p, _, err := GenerateSolvable(rng, o); err == nil {
				return p
			}
		}
		if room == 0 { // an empty panel without symmetry always has an answer
			p, _, err := GenerateSolvable(rng, GenerateOptions{Cols: cols, Rows: rows})
			if err == nil {
				return p
			}
		}
	}
}

// A generator is a panel with its line, while symbols are placed.
type generator struct {
	rng    *rand.Rand
	o      GenerateOptions
	p      *Panel
	stroke solve.Stroke
	line   *play
	path   []image.Point // the half-cells of the line, wrapped
	// Of every region: its cells that are free still, and its colour of
	// squares.
	regions []*growing
}

type growing struct {
	*region
	free   []image.Point
	square Colour
	count  map[Colour]int // things that stars count
	pieces bool
}

func newGenerator(rng *rand.Rand, o GenerateOptions) (*generator, error) {
	p := New(o.Cols, o.Rows, o.Pillar)
	p.Symmetry, p.Rules = o.Symmetry, o.Rules
	g := &generator{rng: rng, o: o, p: p}
	start, end, cap := terminals(p)
	if o.MidEdge {
		start, end = start.Sub(image.Pt(0, 1)), end.Add(image.Pt(0, 1))
		cap = image.Pt(1, 0)
	}
	if err := addTerminals(p, start, end, cap); err != nil {
		return nil, err
	}
	for range o.ExtraStarts {
		p.addStart(g.anyNode())
	}
	for range o.ExtraEnds {
		if at := g.anyNode(); !p.At(at).IsEnd() && !p.At(at).Start {
			p.addEnd(at, p.outward(at))
		}
	}
	if !g.draw(start, end) {
		return nil, errNoRoom
	}
	var broken *solve.RuleError
	if g.line, broken = p.draw(solve.Solution{g.stroke}); broken != nil {
		return nil, broken
	}
	for _, r := range g.line.regions() {
		g.regions = append(g.regions, &growing{region: r, free: slices.Clone(r.cells), count: map[Colour]int{}})
	}
	return g, nil
}

// terminals are where the Challenge has starts and ends: bottom left and top
// right; under symmetry so that the images are others.
func terminals(p *Panel) (start, end, cap image.Point) {
	right, bottom := 2*p.Cols, 2*p.Rows
	if p.Pillar {
		x := 0
		if p.Cols%4 == 2 && p.Cols > 2 { // a pillar of 6 as the Challenge has it
			x = 2
		}
		if p.Symmetry == Flip {
			return image.Pt(x, bottom), p.Wrap(image.Pt(x+2*(p.Cols/2), bottom)), image.Pt(0, 1)
		}
		return image.Pt(x, bottom), image.Pt(x, 0), image.Pt(0, -1)
	}
	switch p.Symmetry {
	case NoSymmetry:
		return image.Pt(0, bottom), image.Pt(right, 0), image.Pt(1, 0)
	case Flip:
		return image.Pt(0, bottom), image.Pt(right, bottom), image.Pt(1, 0)
	}
	return image.Pt(0, bottom), image.Pt(0, 0), image.Pt(0, -1)
}

func addTerminals(p *Panel, start, end, cap image.Point) error {
	if !p.addStart(start) || !p.addEnd(end, cap) {
		return fmt.Errorf("no image of %v or %v", start, end)
	}
	return nil
}

// addStart adds a start and its image; false where that is itself.
func (p *Panel) addStart(at image.Point) bool {
	if p.Symmetry != NoSymmetry {
		image, ok := p.Image(at)
		if !ok || image == p.Wrap(at) {
			return false
		}
		p.At(image).Start = true
	}
	p.At(at).Start = true
	return true
}

func (p *Panel) addEnd(at, cap image.Point) bool {
	if p.Symmetry != NoSymmetry {
		image, ok := p.Image(at)
		if !ok || image == p.Wrap(at) {
			return false
		}
		turned := cap
		switch p.Symmetry {
		case Mirror, Rotation:
			turned.X = -cap.X
		}
		switch p.Symmetry {
		case Flip, Rotation, Turned:
			turned.Y = -cap.Y
		}
		p.At(image).Cap = turned
	}
	p.At(at).Cap = cap
	return true
}

// outward is a direction that leaves the panel, or an oblique one.
func (p *Panel) outward(at image.Point) image.Point {
	for _, d := range beside {
		if !p.In(at.Add(d)) {
			return d
		}
	}
	return image.Pt(1, -1)
}

func (g *generator) anyNode() image.Point {
	nodes := g.p.Width()/2 + g.p.Width()%2
	return image.Pt(2*g.rng.IntN(nodes), 2*g.rng.IntN(g.p.Rows+1))
}

// draw walks at random from the start to the end. After each step the end must
// still be within reach, so that a walk without symmetry never gets stuck.
func (g *generator) draw(start, end image.Point) bool {
	p := g.p
	used := map[image.Point]bool{}
	take := func(at image.Point) bool {
		at = p.Wrap(at)
		if p.At(at).Gap != Whole || used[at] {
			return false
		}
		if p.Symmetry != NoSymmetry {
			image, ok := p.Image(at)
			if !ok || image == at || used[image] {
				return false
			}
			used[image] = true
		}
		used[at] = true
		g.path = append(g.path, at)
		return true
	}
	release := func(at image.Point) {
		delete(used, p.Wrap(at))
		if image, ok := p.Image(at); ok {
			delete(used, image)
		}
		g.path = g.path[:len(g.path)-1]
	}
	if !take(start) {
		return false
	}
	g.stroke = solve.Stroke{start}
	at := start
	goal := p.Wrap(end)
	for p.Wrap(at) != goal {
		moved := false
		for _, i := range g.rng.Perm(4) {
			half := at.Add(beside[i])
			next := half
			if IsNode(at) && p.Wrap(half) != goal {
				next = half.Add(beside[i])
			}
			if !p.In(half) || !p.In(next) || IsCell(half) || IsEdge(next) && p.Wrap(next) != goal {
				continue
			}
			if !take(half) {
				continue
			}
			if next != half && !take(next) {
				release(half)
				continue
			}
			if !g.reaches(used, next, goal) {
				if next != half {
					release(next)
				}
				release(half)
				continue
			}
			at, moved = next, true
			g.stroke = append(g.stroke, at)
			break
		}
		if !moved {
			return false
		}
	}
	g.stroke = append(g.stroke, at.Add(p.At(at).Cap))
	return true
}

// reaches tells whether free half-cells lead from one to another.
func (g *generator) reaches(used map[image.Point]bool, from, goal image.Point) bool {
	from = g.p.Wrap(from)
	seen := map[image.Point]bool{from: true}
	for queue := []image.Point{from}; len(queue) > 0; queue = queue[1:] {
		if queue[0] == goal {
			return true
		}
		for _, d := range beside {
			next := g.p.Wrap(queue[0].Add(d))
			if g.p.In(next) && !IsCell(next) && !used[next] && !seen[next] && g.p.At(next).Gap == Whole {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	return false
}

// fill places everything that the options ask for.
func (g *generator) fill() error {
	for _, step := range []func() error{g.cuts, g.dots, g.pieces, g.triangles, g.squares, g.stars, g.erasers} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// take removes a random free cell from a region.
func (g *generator) take(r *growing) image.Point {
	i := g.rng.IntN(len(r.free))
	at := r.free[i]
	r.free = slices.Delete(r.free, i, i+1)
	return at
}

func (g *generator) put(r *growing, at image.Point, s Symbol) {
	g.p.At(at).Symbol = s
	if s.Kind != Eraser {
		r.count[s.Colour]++
	}
}

// anyFree is a random region with a number of free cells, each cell as likely
// as another.
func (g *generator) anyFree(least int) *growing {
	n := 0
	for _, r := range g.regions {
		if len(r.free) >= least {
			n += len(r.free)
		}
	}
	if n == 0 {
		return nil
	}
	k := g.rng.IntN(n)
	for _, r := range g.regions {
		if len(r.free) >= least {
			if k -= len(r.free); k < 0 {
				return r
			}
		}
	}
	return nil
}

// cuts breaks edges that no line needs, and leaves some out.
func (g *generator) cuts() error {
	var edges []image.Point
	for at := range g.p.Points() {
		if IsEdge(at) && !g.line.covered(at) && !g.p.At(at).Start && !g.p.At(at).IsEnd() {
			edges = append(edges, at)
		}
	}
	if len(edges) < g.o.Cuts+g.o.MissingEdges {
		return errNoRoom
	}
	g.rng.Shuffle(len(edges), func(i, j int) { edges[i], edges[j] = edges[j], edges[i] })
	for i := range g.o.Cuts {
		g.p.At(edges[i]).Gap = Broken
	}
	for i := range g.o.MissingEdges {
		g.p.At(edges[g.o.Cuts+i]).Gap = Missing
	}
	return nil
}

// dots puts dots on what a line covers.
func (g *generator) dots() error {
	var places []image.Point
	for at := range g.p.Points() {
		if s := g.p.At(at); !IsCell(at) && g.line.covered(at) && !s.Start && !s.IsEnd() {
			places = append(places, at)
		}
	}
	if len(places) < g.o.Dots {
		return errNoRoom
	}
	g.rng.Shuffle(len(places), func(i, j int) { places[i], places[j] = places[j], places[i] })
	for _, at := range places[:g.o.Dots] {
		dot := Dot{On: true}
		if g.o.ColouredDots && g.o.Symmetry != NoSymmetry && g.rng.IntN(3) > 0 {
			dot.Line, dot.Colour = OwnLine, Cyan
			if g.line.other[g.line.index(at)] {
				dot.Line, dot.Colour = OtherLine, Orange
			}
		}
		g.p.At(at).Dot = dot
	}
	return nil
}

// pieces cuts regions into pieces and puts each piece into one of its region's
// cells; a blue piece takes away what another has too much.
func (g *generator) pieces() error {
	left, blue, turned := g.o.Pieces, g.o.Negatives, g.o.Turned
	for _, i := range g.rng.Perm(len(g.regions)) {
		r := g.regions[i]
		if left == 0 {
			break
		}
		parts := g.partition(r.cells, left)
		if parts == nil {
			continue
		}
		blues := min(blue, len(parts))
		if len(parts)+blues > len(r.free) {
			continue
		}
		for k, part := range parts {
			if k < blues {
				extra, ok := g.beside(part)
				if !ok {
					return errNoRoom
				}
				part = append(slices.Clone(part), extra)
				g.put(r, g.take(r), Symbol{Kind: Negative, Colour: Blue, Shape: []image.Point{{}}, Turnable: turned > 0})
			}
			s := Symbol{Kind: Polyomino, Colour: Yellow, Shape: normalShape(part)}
			if turned > 0 {
				turned--
				s.Turnable = true
				for range g.rng.IntN(4) {
					for q := range s.Shape {
						s.Shape[q] = image.Pt(-s.Shape[q].Y, s.Shape[q].X)
					}
				}
				s.Shape = normalShape(s.Shape)
			}
			g.put(r, g.take(r), s)
		}
		r.pieces = true
		left, blue = left-len(parts), blue-blues
	}
	if left > 0 || blue > 0 {
		return errNoRoom
	}
	return nil
}

// partition cuts cells into at most some pieces of 2 to 6 squares (smaller
// only where nothing else is left); nil where it would take more. On a pillar a
// piece's squares do not wrap.
func (g *generator) partition(cells []image.Point, most int) [][]image.Point {
	if len(cells) > 6*most {
		return nil
	}
	left := map[image.Point]bool{}
	for _, c := range cells {
		left[image.Pt(c.X/2, c.Y/2)] = true
	}
	var parts [][]image.Point
	for _, c := range cells {
		from := image.Pt(c.X/2, c.Y/2)
		if !left[from] {
			continue
		}
		if len(parts) == most {
			return nil
		}
		size := 2 + g.rng.IntN(4)
		if need := (len(left) + most - len(parts) - 1) / (most - len(parts)); need > size {
			size = need
		}
		part := []image.Point{from}
		delete(left, from)
		for len(part) < size {
			var next []image.Point
			for _, q := range part {
				for _, d := range beside {
					if left[q.Add(d)] {
						next = append(next, q.Add(d))
					}
				}
			}
			if len(next) == 0 {
				break
			}
			q := next[g.rng.IntN(len(next))]
			part = append(part, q)
			delete(left, q)
		}
		parts = append(parts, part)
	}
	return parts
}

// beside is a cell of the panel next to a piece.
func (g *generator) beside(part []image.Point) (image.Point, bool) {
	var next []image.Point
	for _, q := range part {
		for _, d := range beside {
			c := q.Add(d)
			if !slices.Contains(part, c) && c.X >= 0 && c.X < g.p.Cols && c.Y >= 0 && c.Y < g.p.Rows {
				next = append(next, c)
			}
		}
	}
	if len(next) == 0 {
		return image.Point{}, false
	}
	return next[g.rng.IntN(len(next))], true
}

func (g *generator) triangles() error {
	type place struct {
		r  *growing
		at image.Point
	}
	var places []place
	for _, r := range g.regions {
		for _, at := range r.free {
			if n := g.line.sides(at); n >= 1 && n <= 3 {
				places = append(places, place{r, at})
			}
		}
	}
	if len(places) < g.o.Triangles {
		return errNoRoom
	}
	g.rng.Shuffle(len(places), func(i, j int) { places[i], places[j] = places[j], places[i] })
	for _, q := range places[:g.o.Triangles] {
		q.r.free = slices.DeleteFunc(q.r.free, func(at image.Point) bool { return at == q.at })
		g.put(q.r, q.at, Symbol{Kind: Triangle, Colour: Orange, Count: g.line.sides(q.at)})
	}
	return nil
}

// squareColours and starColours are dealt in this order.
func squareColours() []Colour { return []Colour{White, Black, Magenta, Green, Red, Cyan} }

func starColours() []Colour { return []Colour{Green, Magenta, Red, Cyan, White, Black} }

func (g *generator) squares() error {
	colours := squareColours()[:min(max(g.o.SquareColours, 2), len(squareColours()))]
	for range g.o.Squares {
		r := g.anyFree(1)
		if r == nil {
			return errNoRoom
		}
		if r.square == "" {
			r.square = colours[g.rng.IntN(len(colours))]
		}
		g.put(r, g.take(r), Symbol{Kind: Square, Colour: r.square})
	}
	return nil
}

// stars come in pairs, or as the partner of the only thing of their colour.
func (g *generator) stars() error {
	for left := g.o.Stars; left > 0; {
		r := g.anyFree(1)
		if r == nil {
			return errNoRoom
		}
		var lone, fresh []Colour
		for _, c := range starColours() {
			switch r.count[c] {
			case 0:
				fresh = append(fresh, c)
			case 1:
				lone = append(lone, c)
			}
		}
		switch {
		case len(lone) > 0 && (left == 1 || g.rng.IntN(2) == 0):
			g.put(r, g.take(r), Symbol{Kind: Star, Colour: lone[g.rng.IntN(len(lone))]})
			left--
		case left > 1 && len(r.free) > 1 && len(fresh) > 0:
			// The first colours are the likelier ones, so that regions share them.
			c := fresh[g.rng.IntN(min(2, len(fresh)))]
			g.put(r, g.take(r), Symbol{Kind: Star, Colour: c})
			g.put(r, g.take(r), Symbol{Kind: Star, Colour: c})
			left -= 2
		default:
			return errNoRoom
		}
	}
	return nil
}

// erasers come with something wrong each: triangles of a wrong number, a star
// alone, a square of another colour than its region's.
func (g *generator) erasers() error {
	for range g.o.Erasers {
		r := g.anyFree(2)
		if r == nil {
			return errNoRoom
		}
		if r.pieces && !g.o.Rules.ErasersAmongPieces {
			return errNoRoom
		}
		at := g.take(r)
		var s Symbol
		switch colours := squareColours(); {
		case r.square != "" && g.rng.IntN(2) == 0:
			for s.Kind == NoSymbol || s.Colour == r.square {
				s = Symbol{Kind: Square, Colour: colours[g.rng.IntN(2)]}
			}
		case g.o.Stars > 0:
			s = Symbol{Kind: Star, Colour: Yellow}
		default:
			s = Symbol{Kind: Triangle, Colour: Orange, Count: 1 + g.rng.IntN(3)}
			for s.Count == g.line.sides(at) {
				s.Count = 1 + g.rng.IntN(3)
			}
		}
		g.put(r, at, s)
		g.put(r, g.take(r), Symbol{Kind: Eraser, Colour: White})
	}
	return nil
}
