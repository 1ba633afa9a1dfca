package deal

import (
	"context"
	"errors"
	"fmt"
	"image"
	"iter"
	rand "math/rand/v2"
	"slices"

	"onlooker/solve"
	"onlooker/solve/witness/board"
	"onlooker/solve/witness/rules"
)

// Options say what a generated panel holds. The numbers are exact.
type Options struct {
	Cols, Rows int // cells
	Pillar     bool
	Symmetry   board.Symmetry
	Rules      board.RuleSet // the zero value means Game

	Squares, SquareColours int // colours: 2 where it is 0
	Stars                  int
	Pieces, Turned         int // Turned of the Pieces may be turned
	Negatives              int // each asks for a piece of its own beside it
	Triangles              int
	Dots                   int
	ColouredDots           bool // under symmetry, some dots belong to one line
	Erasers                int
	Others                 []SymbolCount // kinds for which there is no field
	Cuts                   int           // broken edges
	MidEdge                bool          // starts and ends on the middle of edges
	ExtraStarts, ExtraEnds int
	MissingEdges           int
}

// SymbolCount is so many symbols of a kind.
type SymbolCount struct {
	Kind board.Kind
	N    int
}

// A Deck deals panels of some kinds.
type Deck struct {
	Kinds  []board.Kind
	Rows   Table
	Rules  rules.Table
	Solver Solver // for what is without an answer, or has one only
}

// A Table has a row for each kind of symbol. It must not be changed.
type Table map[board.Kind]Row

// A Row is how a kind is dealt. Without either it is dealt by trial.
type Row struct {
	// deal puts as many symbols on a panel as are wanted.
	deal func(g *generator) error
	// mix sets what a panel that is about this kind may hold; nil: no panel is.
	mix func(o *Options, d draw)
}

// of is the row of a kind, or of the one that it is like.
func (t Table) of(k board.Kind) Row {
	if row, known := t[k]; known {
		return row
	}
	return t[k.Like()]
}

// A Solver answers panels.
type Solver interface {
	Solve(context.Context, *board.Panel) (solve.Solution, error)
	All(context.Context, *board.Panel) iter.Seq2[solve.Solution, error]
}

// Standard is the deck of Kinds.
func Standard(solver Solver) Deck {
	return Deck{board.Kinds(), Rows(), rules.Rows(), solver}
}

// errNoRoom says that one attempt did not come out.
var errNoRoom = errors.New("no room for the symbols")

// Solvable is Solvable of the deck of Kinds.
func Solvable(ctx context.Context, rng *rand.Rand, o Options) (*board.Panel, solve.Solution, error) {
	return Standard(nil).Solvable(ctx, rng, o)
}

// Solvable makes a random panel and an answer to it: it draws a random
// line first and then places symbols that agree with it. Where the numbers
// cannot be had it gives up after some thousand attempts, or with the context's
// error.
func (d Deck) Solvable(ctx context.Context, rng *rand.Rand, o Options) (*board.Panel, solve.Solution, error) {
	if o.Rules.Name == "" {
		o.Rules = board.Game
	}
	if err := board.CheckSize(o.Cols, o.Rows, o.Pillar, o.Symmetry); err != nil {
		return nil, nil, fmt.Errorf("generate: %w", err)
	}
	err := errNoRoom
	for range 2000 {
		var g *generator
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if g, err = d.newGenerator(ctx, rng, o); err != nil {
			continue
		}
		if err = g.fill(); err != nil {
			continue
		}
		answer := solve.Solution{g.stroke}
		if err = d.Rules.Check(ctx, g.p, answer); err == nil {
			return g.p, answer, nil
		}
	}
	return nil, nil, fmt.Errorf("generate: %+v: %w", o, err)
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
func (d draw) mixed(deck Deck, cols, rows int) Options {
	// Those of the randomizers are dealt to order: no reader and no client of the
	// game's own panels knows them.
	kinds := slices.DeleteFunc(slices.Clone(deck.Kinds), func(k board.Kind) bool { return k.By() != nil })
	for {
		o := Options{Cols: cols, Rows: rows}
		switch i := d.rng.IntN(len(kinds) + 2); {
		case i == len(kinds):
			o.Symmetry, o.Dots, o.ColouredDots = []board.Symmetry{board.Mirror, board.Flip, board.Rotation}[d.rng.IntN(3)], d.some(d.area/4+1), true
		case i > len(kinds):
			o.Pillar, o.Squares, o.Dots = cols > 1, d.some(d.area/3), d.some(3)
			if cols > 1 && cols%2 == 0 {
				o.Symmetry = []board.Symmetry{board.NoSymmetry, board.Mirror, board.Rotation, board.Parallel, board.Turned}[d.rng.IntN(5)]
			}
		default:
			switch row := deck.Rows.of(kinds[i]); {
			case row.mix != nil:
				row.mix(&o, d)
			case row.deal == nil:
				o.Others = []SymbolCount{{kinds[i], d.some(d.area/4 + 1)}}
			default:
				continue
			}
		}
		return o
	}
}

// Any is Family.Generate: a mix that changes with the seed and grows
// with the panel. An error is the context's.
func (deck Deck) Any(ctx context.Context, rng *rand.Rand, cols, rows int) (*board.Panel, error) {
	cols, rows = min(max(cols, 1), board.MaxSide), min(max(rows, 1), board.MaxSide)
	for d := (draw{rng, cols * rows, cols * rows}); ctx.Err() == nil; d.room /= 2 {
		for range 4 {
			if p, _, err := deck.Solvable(ctx, rng, d.mixed(deck, cols, rows)); err == nil {
				return p, nil
			}
		}
		if d.room == 0 { // an empty panel without symmetry always has an answer
			p, _, err := deck.Solvable(ctx, rng, Options{Cols: cols, Rows: rows})
			if err == nil {
				return p, nil
			}
		}
	}
	return nil, ctx.Err()
}

// starColours are dealt in this order.
func starColours() []board.Colour {
	return []board.Colour{board.Green, board.Magenta, board.Red, board.Cyan, board.White, board.Black}
}

// A generator is a panel with its line, while symbols are placed.
type generator struct {
	Deck
	rng    *rand.Rand
	o      Options
	p      *board.Panel
	stroke solve.Stroke
	line   *rules.Line
	// Of every region: its cells that are free still, and its colour of
	// squares.
	regions []*growth
}

type growth struct {
	*rules.Region
	free   []image.Point
	square board.Colour
	count  map[board.Colour]int // things that stars count
	pieces bool
}

func (d Deck) newGenerator(ctx context.Context, rng *rand.Rand, o Options) (*generator, error) {
	p := board.New(o.Cols, o.Rows, o.Pillar)
	p.Symmetry, p.Rules = o.Symmetry, o.Rules
	g := &generator{Deck: d, rng: rng, o: o, p: p}
	start, end, cap := Terminals(p)
	if o.MidEdge {
		start, end = start.Sub(image.Pt(0, 1)), end.Add(image.Pt(0, 1))
		cap = image.Pt(1, 0)
	}
	if err := addTerminals(p, start, end, cap); err != nil {
		return nil, err
	}
	for range o.ExtraStarts {
		p.AddStart(g.anyNode())
	}
	for range o.ExtraEnds {
		if at := g.anyNode(); !p.At(at).IsEnd() && !p.At(at).Start {
			p.AddEnd(at, p.Outward(at))
		}
	}
	var drawn bool
	if g.stroke, drawn = RandomLine(ctx, rng, p, start, end); !drawn {
		return nil, errNoRoom
	}
	var broken *solve.RuleError
	if g.line, broken = d.Rules.Draw(context.Background(), p, solve.Solution{g.stroke}); broken != nil {
		return nil, broken
	}
	for _, r := range g.line.Regions() {
		g.regions = append(g.regions, &growth{Region: r, free: slices.Clone(r.Cells), count: map[board.Colour]int{}})
	}
	return g, nil
}

// Terminals are where the Challenge has starts and ends: bottom left and top
// right; under symmetry so that the images are others.
func Terminals(p *board.Panel) (start, end, cap image.Point) {
	right, bottom := 2*p.Cols, 2*p.Rows
	if p.Pillar {
		x := 0
		if p.Cols%4 == 2 && p.Cols > 2 { // a pillar of 6 as the Challenge has it
			x = 2
		}
		if p.Symmetry == board.Flip {
			return image.Pt(x, bottom), p.Wrap(image.Pt(x+2*(p.Cols/2), bottom)), image.Pt(0, 1)
		}
		return image.Pt(x, bottom), image.Pt(x, 0), image.Pt(0, -1)
	}
	switch p.Symmetry {
	case board.NoSymmetry:
		return image.Pt(0, bottom), image.Pt(right, 0), image.Pt(1, 0)
	case board.Flip:
		return image.Pt(0, bottom), image.Pt(right, bottom), image.Pt(1, 0)
	}
	return image.Pt(0, bottom), image.Pt(0, 0), image.Pt(0, -1)
}

func addTerminals(p *board.Panel, start, end, cap image.Point) error {
	if !p.AddStart(start) || !p.AddEnd(end, cap) {
		return fmt.Errorf("no image of %v or %v", start, end)
	}
	return nil
}

func (g *generator) anyNode() image.Point {
	nodes := g.p.Width()/2 + g.p.Width()%2
	return image.Pt(2*g.rng.IntN(nodes), 2*g.rng.IntN(g.p.Rows+1))
}

// RandomLine walks at random from the start to the end. After each step the end must
// still be within reach, so that a walk without symmetry never gets stuck.
func RandomLine(ctx context.Context, rng *rand.Rand, p *board.Panel, start, end image.Point) (solve.Stroke, bool) {
	used := make([]bool, len(p.Spots)) // by half-cell
	index := func(at image.Point) int { return at.Y*p.Width() + at.X }
	reach := reach{p: p, used: used, seen: make([]int, len(used))}
	take := func(at image.Point) bool {
		at = p.Wrap(at)
		if p.At(at).Gap != board.Whole || used[index(at)] {
			return false
		}
		if p.Symmetry != board.NoSymmetry {
			image, ok := p.Image(at)
			if !ok || image == at || used[index(image)] {
				return false
			}
			used[index(image)] = true
		}
		used[index(at)] = true
		return true
	}
	release := func(at image.Point) {
		used[index(p.Wrap(at))] = false
		if image, ok := p.Image(at); ok {
			used[index(image)] = false
		}
	}
	if !take(start) {
		return nil, false
	}
	stroke := solve.Stroke{start}
	at := start
	goal := p.Wrap(end)
	for p.Wrap(at) != goal {
		if ctx.Err() != nil {
			return nil, false
		}
		moved := false
		for _, i := range rng.Perm(4) {
			half := at.Add(board.Beside()[i])
			next := half
			if board.IsNode(at) && p.Wrap(half) != goal {
				next = half.Add(board.Beside()[i])
			}
			if !p.In(half) || !p.In(next) || board.IsCell(half) || board.IsEdge(next) && p.Wrap(next) != goal {
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
			stroke = append(stroke, at)
			break
		}
		if !moved {
			return nil, false
		}
	}
	return append(stroke, at.Add(p.At(at).Cap)), true
}

// A reach tells what free half-cells lead to.
type reach struct {
	p     *board.Panel
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
		for _, d := range board.Beside() {
			next := p.Wrap(r.queue[n].Add(d))
			if !p.In(next) || board.IsCell(next) {
				continue
			}
			if i := index(next); !r.used[i] && r.seen[i] != r.times && p.At(next).Gap == board.Whole {
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
	for _, k := range board.Kinds() {
		if k.Erases() { // what is wrong on purpose comes last
			for _, other := range g.o.Others {
				if err := g.byTrial(other.Kind, other.N); err != nil {
					return err
				}
			}
		}
		if row := g.Rows.of(k); row.deal != nil {
			if err := row.deal(g); err != nil {
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
func (g *generator) byTrial(k board.Kind, n int) error {
	for range trials {
		if n == 0 {
			return nil
		}
		r := g.anyFree(1)
		if r == nil {
			break
		}
		s := k.Sample(g.rng)
		s.Colour = g.colourOf(r, k, s.Colour)
		put := []image.Point{g.take(r)}
		g.put(r, put[0], s)
		g.fit(r, put[0])
		if c := k.By(); c != nil && c.Fold == board.Lined && n > 1 {
			if i := slices.IndexFunc(r.free, func(q image.Point) bool { return q.X == put[0].X || q.Y == put[0].Y }); i >= 0 && g.rng.IntN(2) == 0 {
				put = append(put, r.free[i])
				r.free = slices.Delete(r.free, i, i+1)
				g.put(r, put[1], s)
			}
		}
		if len(g.line.Part(r.Cells).Wrong()) == 0 {
			n -= len(put)
			continue
		}
		for _, at := range put {
			r.count[g.p.At(at).Colour]--
			g.p.At(at).Symbol = board.Symbol{}
			r.free = append(r.free, at)
		}
	}
	if n > 0 {
		return errNoRoom
	}
	return nil
}

// colourOf is a colour for a symbol of a kind that is about colours: mostly one that
// its region has.
func (g *generator) colourOf(r *growth, k board.Kind, usual board.Colour) board.Colour {
	if k.By() == nil || !k.About().Needs {
		return usual
	}
	all := starColours()[:3]
	for _, at := range r.Cells {
		if c := g.p.At(at).Colour; c != "" && g.rng.IntN(2) == 0 {
			return c
		}
	}
	return all[g.rng.IntN(len(all))]
}

// fit gives a symbol with a number the one that is right where it stands.
func (g *generator) fit(r *growth, at image.Point) {
	s := g.p.At(at)
	a := s.Kind.About()
	if a.By == nil || a.Most == 0 {
		return
	}
	first := s.Count
	for n := a.Least(); n <= a.Most; n++ {
		if s.Count = n; !slices.Contains(g.line.Part(r.Cells).Wrong(), at) {
			return
		}
	}
	s.Count = first
}

// take removes a random free cell from a region.
func (g *generator) take(r *growth) image.Point {
	i := g.rng.IntN(len(r.free))
	at := r.free[i]
	r.free = slices.Delete(r.free, i, i+1)
	return at
}

func (g *generator) put(r *growth, at image.Point, s board.Symbol) {
	g.p.At(at).Symbol = s
	if !s.Kind.Erases() {
		r.count[s.Colour]++
	}
}

// anyFree is a random region with a number of free cells, each cell as likely
// as another.
func (g *generator) anyFree(least int) *growth {
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
		if board.IsEdge(at) && !g.line.Covered(at) && !g.p.At(at).Start && !g.p.At(at).IsEnd() {
			edges = append(edges, at)
		}
	}
	if len(edges) < g.o.Cuts+g.o.MissingEdges {
		return errNoRoom
	}
	g.rng.Shuffle(len(edges), func(i, j int) { edges[i], edges[j] = edges[j], edges[i] })
	for i := range g.o.Cuts {
		g.p.At(edges[i]).Gap = board.Broken
	}
	for i := range g.o.MissingEdges {
		g.p.At(edges[g.o.Cuts+i]).Gap = board.Missing
	}
	return nil
}
