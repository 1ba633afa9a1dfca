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
	Other                  Kind // a kind for which there is no field, and Others of it
	Others                 int
	Cuts                   int  // broken edges
	MidEdge                bool // starts and ends on the middle of edges
	ExtraStarts, ExtraEnds int
	MissingEdges           int
}

// errNoRoom says that one attempt did not come out.
var errNoRoom = errors.New("no room for the symbols")

// GenerateSolvable makes a random panel and an answer to it: it draws a random
// line first and then places symbols that agree with it. Where the numbers
// cannot be had it gives up after some thousand attempts, or with the context's
// error.
func GenerateSolvable(ctx context.Context, rng *rand.Rand, o GenerateOptions) (*Panel, solve.Solution, error) {
	if o.Rules.Name == "" {
		o.Rules = Game
	}
	if err := checkSize(o.Cols, o.Rows, o.Pillar, o.Symmetry); err != nil {
		return nil, nil, fmt.Errorf("generate: %w", err)
	}
	err := errNoRoom
	for range 2000 {
		var g *generator
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if g, err = newGenerator(ctx, rng, o); err != nil {
			continue
		}
		if err = g.fill(); err != nil {
			continue
		}
		answer := solve.Solution{g.stroke}
		if err = g.p.Check(ctx, answer); err == nil {
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
		p, _, err := GenerateSolvable(ctx, rng, o)
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

// A draw is chance when it is settled what a panel may hold.
type draw struct {
	rng  *rand.Rand
	area int // cells
	room int // how many of anything there may be
}

// some is a number of things from 0 to most, or to what there is room for.
func (d draw) some(most int) int { return d.rng.IntN(min(most, d.room) + 1) }

// mixed is what a random panel holds: it is about one of the kinds, or it is
// symmetric or a pillar.
func (d draw) mixed(kinds []Kind, cols, rows int) GenerateOptions {
	for {
		o := GenerateOptions{Cols: cols, Rows: rows}
		switch i := d.rng.IntN(len(kinds) + 2); {
		case i == len(kinds):
			o.Symmetry, o.Dots, o.ColouredDots = []Symmetry{Mirror, Flip, Rotation}[d.rng.IntN(3)], d.some(d.area/4+1), true
		case i > len(kinds):
			o.Pillar, o.Squares, o.Dots = cols > 1, d.some(d.area/3), d.some(3)
			if cols > 1 && cols%2 == 0 {
				o.Symmetry = []Symmetry{NoSymmetry, Mirror, Rotation, Parallel, Turned}[d.rng.IntN(5)]
			}
		case kinds[i].mix(&o, d):
		case !slices.Contains(Kinds(), kinds[i]):
			o.Other, o.Others = kinds[i], d.some(d.area/4+1)
		default:
			continue
		}
		return o
	}
}

// generateAny is Family.Generate: a mix that changes with the seed and grows
// with the panel. An error is the context's.
func generateAny(ctx context.Context, kinds []Kind, rng *rand.Rand, cols, rows int) (*Panel, error) {
	cols, rows = min(max(cols, 1), maxSide), min(max(rows, 1), maxSide)
	for d := (draw{rng, cols * rows, cols * rows}); ctx.Err() == nil; d.room /= 2 {
		for range 4 {
			if p, _, err := GenerateSolvable(ctx, rng, d.mixed(kinds, cols, rows)); err == nil {
				return p, nil
			}
		}
		if d.room == 0 { // an empty panel without symmetry always has an answer
			p, _, err := GenerateSolvable(ctx, rng, GenerateOptions{Cols: cols, Rows: rows})
			if err == nil {
				return p, nil
			}
		}
	}
	return nil, ctx.Err()
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

func newGenerator(ctx context.Context, rng *rand.Rand, o GenerateOptions) (*generator, error) {
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
	if !g.draw(ctx, start, end) {
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
func (g *generator) draw(ctx context.Context, start, end image.Point) bool {
	p := g.p
	used := make([]bool, len(p.Spots)) // by half-cell
	index := func(at image.Point) int { return at.Y*p.Width() + at.X }
	reach := reach{p: p, used: used, seen: make([]int, len(used))}
	take := func(at image.Point) bool {
		at = p.Wrap(at)
		if p.At(at).Gap != Whole || used[index(at)] {
			return false
		}
		if p.Symmetry != NoSymmetry {
			image, ok := p.Image(at)
			if !ok || image == at || used[index(image)] {
				return false
			}
			used[index(image)] = true
		}
		used[index(at)] = true
		g.path = append(g.path, at)
		return true
	}
	release := func(at image.Point) {
		used[index(p.Wrap(at))] = false
		if image, ok := p.Image(at); ok {
			used[index(image)] = false
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
		if ctx.Err() != nil {
			return false
		}
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
			if !reach.joins(next, goal) {
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

// A reach tells what free half-cells lead to.
type reach struct {
	p     *Panel
	used  []bool // by half-cell
	seen  []int  // by half-cell: the last time that it was come upon
	times int
	queue []image.Point
}

// joins tells whether free half-cells lead from one to another.
func (r *reach) joins(from, goal image.Point) bool {
	p := r.p
	index := func(at image.Point) int { return at.Y*p.Width() + at.X }
	r.times++
	from = p.Wrap(from)
	r.seen[index(from)] = r.times
	r.queue = append(r.queue[:0], from)
	for n := 0; n < len(r.queue); n++ {
		if r.queue[n] == goal {
			return true
		}
		for _, d := range beside {
			next := p.Wrap(r.queue[n].Add(d))
			if !p.In(next) || IsCell(next) {
				continue
			}
			if i := index(next); !r.used[i] && r.seen[i] != r.times && p.At(next).Gap == Whole {
				r.seen[i] = r.times
				r.queue = append(r.queue, next)
			}
		}
	}
	return false
}

// fill places everything that the options ask for.
func (g *generator) fill() error {
	if err := g.cuts(); err != nil {
		return err
	}
	kinds := Kinds()
	for _, k := range slices.Insert(kinds, slices.IndexFunc(kinds, func(k Kind) bool { return k.about().erases }), g.o.Other) {
		switch {
		case k == NoSymbol:
		case k == g.o.Other:
			if err := g.byTrial(k, g.o.Others); err != nil {
				return err
			}
		default:
			if err := k.deal(g); err != nil {
				return err
			}
		}
	}
	return nil
}

// trials bounds how many symbols are tried in random cells.
const trials = 200

// byTrial puts symbols of a kind of which nothing more is known into random
// cells, where they are right.
func (g *generator) byTrial(k Kind, n int) error {
	for range trials {
		if n == 0 {
			return nil
		}
		r := g.anyFree(1)
		if r == nil {
			break
		}
		at := g.take(r)
		g.put(r, at, k.sample(g.rng))
		grown := &region{line: g.line}
		for _, c := range r.cells {
			grown.add(c)
		}
		if (&view{region: grown}).right() {
			n--
			continue
		}
		r.count[g.p.At(at).Colour]--
		g.p.At(at).Symbol = Symbol{}
		r.free = append(r.free, at)
	}
	if n > 0 {
		return errNoRoom
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
	if !s.Kind.about().erases {
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
