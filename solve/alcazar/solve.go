package alcazar

import (
	"context"
	"image"
	"iter"

	"onlooker/solve"
	"onlooker/solve/limits"
	"onlooker/solve/path"
)

// Family is Alcazar for the rest of the program.
var Family = solve.Family{
	Name:     "alcazar",
	Doc:      "One line through every cell, in at one opening of the border and out at another.",
	Rules:    rules(),
	Formats:  formats(),
	Generate: generate,
	Wishes:   wishes(),
	Make:     toOrder,
}

// search is a board written for the engine: the i-th edge, at the place
// edges[i], is the literal 2i; cells are vertices of degree two.
type search struct {
	p     *Puzzle
	s     *path.Solver
	edges []image.Point
}

// parity is the colour of a cell of a chessboard whose first cell is 0.
func parity(cell image.Point) int { return (cell.X/2 + cell.Y/2) % 2 }

// openings lists the openings of the border, each with the parity of its cell.
func (p *Puzzle) openings() (at []image.Point, par []int) {
	add := func(x, y, cx, cy int) {
		if p.Open(image.Pt(x, y)) {
			at = append(at, image.Pt(x, y))
			par = append(par, parity(image.Pt(cx, cy)))
		}
	}
	for x := 1; x < 2*p.cols; x += 2 {
		add(x, 0, x, 1)
	}
	for y := 1; y < 2*p.rows; y += 2 {
		add(0, y, 1, y)
		add(2*p.cols, y, 2*p.cols-1, y)
	}
	for x := 1; x < 2*p.cols; x += 2 {
		add(x, 2*p.rows, x, 2*p.rows-1)
	}
	return at, par
}

// ofCell is what a search takes at first, in bytes by cell: 1,100 were measured
// on an open board of 256×256, and conflicts bring more.
const ofCell = 1200

// search writes the board down. A line changes colour with every step, so
// with an odd number of cells it begins and ends on the colour that has one
// more, and with an even number on one of each. Then the two ends of the line
// are vertices outside, one joined to the openings that may be its first,
// the other to those that may be its last; nil means that the openings alone
// show that there is no answer.
func (p *Puzzle) search(ctx context.Context) (*search, error) {
	x := &search{p: p, s: path.New()}
	if err := limits.Room(ctx, ofCell*int64(p.cols*p.rows)); err != nil {
		return nil, err
	}
	return x, x.s.Build(ctx, x.state)
}

func (x *search) state() {
	p, s := x.p, x.s
	g := s.Graph()
	for range p.cols * p.rows {
		g.AddVertex(path.Through, 0)
	}
	cell := func(at image.Point) int { return at.Y/2*p.cols + at.X/2 }
	add := func(at image.Point, u, v int) path.Lit {
		l := s.NewVar()
		g.AddEdge(u, v, l)
		x.edges = append(x.edges, at)
		if p.ways[p.index(at)] == given {
			s.AddClause(l)
		}
		return l
	}
	for r := range p.rows {
		for c := range p.cols {
			if at := image.Pt(2*c+2, 2*r+1); c+1 < p.cols && p.Open(at) {
				add(at, r*p.cols+c, r*p.cols+c+1)
			}
			if at := image.Pt(2*c+1, 2*r+2); r+1 < p.rows && p.Open(at) {
				add(at, r*p.cols+c, r*p.cols+c+p.cols)
			}
		}
	}
	at, par := p.openings()
	inside := func(at image.Point) int {
		return cell(image.Pt(min(max(at.X, 1), 2*p.cols-1), min(max(at.Y, 1), 2*p.rows-1)))
	}
	g.Single()
	if p.cols*p.rows%2 == 0 {
		out := [2]int{g.AddVertex(path.End, 0), g.AddVertex(path.End, 0)}
		for i, o := range at {
			add(o, inside(o), out[par[i]])
		}
		return
	}
	// Exactly two of the openings on colour 0: the one and two of a counter
	// that runs along them.
	var one, two path.Lit = path.None, path.None
	for i, o := range at {
		if par[i] != 0 {
			if p.ways[p.index(o)] == given {
				s.AddClause()
			}
			continue
		}
		l := add(o, inside(o), g.AddVertex(path.MayEnd, 0))
		if one == path.None {
			one = l
			continue
		}
		n1, n2 := s.NewVar(), s.NewVar()
		x.edges = append(x.edges, image.Point{}, image.Point{})
		s.AddClause(l.Not(), n1)
		s.AddClause(one.Not(), n1)
		s.AddClause(l.Not(), one.Not(), n2)
		s.AddClause(n1.Not(), l, one)
		s.AddClause(n2.Not(), one)
		if two == path.None {
			s.AddClause(n2.Not(), l)
		} else {
			s.AddClause(two.Not(), n2)
			s.AddClause(two.Not(), l.Not())
			s.AddClause(n2.Not(), two, l)
		}
		one, two = n1, n2
	}
	if two == path.None {
		s.AddClause()
	} else {
		s.AddClause(two)
	}
}

// Solve finds an answer, or proves that there is none.
func (p *Puzzle) Solve(ctx context.Context) (solve.Solution, error) {
	return p.SolveProgress(ctx, nil)
}

// SolveProgress is Solve and tells how far it has come: see path.Meter.
func (p *Puzzle) SolveProgress(ctx context.Context, report func(done, estimate float64)) (solve.Solution, error) {
	return p.solve(ctx, path.NewMeter(report))
}

func (p *Puzzle) solve(ctx context.Context, meter *path.Meter) (solve.Solution, error) {
	x, err := p.search(ctx)
	if err != nil {
		return nil, err
	}
	meter.Add(x.s)
	st, err := x.s.Solve(ctx)
	switch st {
	case path.Sat:
		return x.solution(), nil
	case path.Unsat:
		return nil, solve.ErrUnsolvable
	}
	return nil, err
}

// solution is the line found, from the opening that comes first.
func (x *search) solution() solve.Solution {
	p := x.p
	on := make(map[image.Point]bool)
	var at image.Point
	for i, e := range x.edges {
		if e != (image.Point{}) && x.s.Value(path.Lit(2*i)) {
			on[e] = true
		}
	}
	all, _ := p.openings()
	for _, o := range all {
		if on[o] {
			at = o
			break
		}
	}
	line := solve.Stroke{at}
	d := image.Pt(0, 1)
	switch {
	case at.X == 0:
		d = image.Pt(1, 0)
	case at.X == 2*p.cols:
		d = image.Pt(-1, 0)
	case at.Y != 0:
		d = image.Pt(0, -1)
	}
	for range p.cols * p.rows {
		at = at.Add(d)
		line = append(line, at)
		for _, e := range []image.Point{{X: 1}, {Y: 1}, {X: -1}, {Y: -1}} {
			if e != d.Mul(-1) && on[at.Add(e)] {
				d = e
				break
			}
		}
		at = at.Add(d)
	}
	return solve.Solution{append(line, at)}
}

// ways are the literals of all places that the line may go through.
func (x *search) ways() []path.Lit {
	var list []path.Lit
	for i, at := range x.edges {
		if at != (image.Point{}) {
			list = append(list, path.Lit(2*i))
		}
	}
	return list
}

// Count is the number of answers, at most limit where that is above 0. A line
// and its reverse are the same answer.
func (p *Puzzle) Count(ctx context.Context, limit int) (int, error) {
	x, err := p.search(ctx)
	if err != nil {
		return 0, err
	}
	return x.s.Count(ctx, x.ways(), limit)
}

// All yields the answers one by one.
func (p *Puzzle) All(ctx context.Context) iter.Seq2[solve.Solution, error] {
	return func(yield func(solve.Solution, error) bool) {
		x, err := p.search(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		path.All(ctx, x.s, x.ways(), x.solution)(yield)
	}
}
