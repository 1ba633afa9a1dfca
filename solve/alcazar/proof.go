package alcazar

import (
	"context"
	"errors"
	"fmt"
	"image"

	"onlooker/solve"
	"onlooker/solve/path"
)

// proofKind says how a Proof convinces.
type proofKind uint8

const (
	byParity proofKind = iota // the openings' colours
	byCell                    // a cell that the line cannot pass
	bySweep                   // by drawing row by row
)

// A Proof is why a board has no answer.
type Proof struct {
	kind  proofKind
	text  string
	where []image.Point
}

// Text explains the proof.
func (p *Proof) Text() string { return p.text }

// Where lists the openings, or the cell, that it speaks of; nothing when it is
// the board as a whole.
func (p *Proof) Where() []image.Point { return p.where }

// sweepLimit is how many half-drawn pictures CheckProof keeps at once: some
// 100 MB. Boards of ten columns or rows and any length stay below it.
const sweepLimit = 1 << 19

// Why says why there is no answer: the openings' colours on a chessboard, a
// cell with too few ways, or else that the search and the sweep of CheckProof
// agree. A board that is too wide for the sweep has no proof that could be
// checked: the error then wraps solve.ErrNotSupported.
func (p *Puzzle) Why(ctx context.Context) (solve.Proof, error) {
	if q := p.parityProof(); q != nil {
		return q, nil
	}
	if q := p.cellProof(); q != nil {
		return q, nil
	}
	if _, err := p.Solve(ctx); err == nil {
		return nil, errors.New("alcazar: the board has an answer, so there is no proof that it has none")
	} else if !errors.Is(err, solve.ErrUnsolvable) {
		return nil, err
	}
	q := &Proof{kind: bySweep, text: "no line through every cell: drawn row by row, no beginning can be finished"}
	if err := p.CheckProof(ctx, q); err != nil {
		return nil, err
	}
	return q, nil
}

func (p *Puzzle) parityProof() *Proof {
	at, par := p.openings()
	var n [2]int
	for _, c := range par {
		n[c]++
	}
	switch cells := p.cols * p.rows; {
	case n[0]+n[1] < 2:
		return &Proof{byParity, fmt.Sprintf("the border has %d openings, and a line needs two", n[0]+n[1]), at}
	case cells%2 == 0 && n[0]*n[1] == 0:
		return &Proof{byParity, fmt.Sprintf("a line through %d cells, an even number, begins and ends on different colours of a chessboard, but all openings are on one", cells), at}
	case cells%2 == 1 && n[0] < 2:
		return &Proof{byParity, fmt.Sprintf("a line through %d cells, an odd number, begins and ends on the colour of the corners on a chessboard, but %d of the openings are there, and two are needed", cells, n[0]), at}
	}
	return nil
}

func (p *Puzzle) cellProof() *Proof {
	for y := 1; y < 2*p.rows; y += 2 {
		for x := 1; x < 2*p.cols; x += 2 {
			ways, must := p.around(image.Pt(x, y))
			if ways < 2 {
				return &Proof{byCell, fmt.Sprintf("the cell in column %d, row %d has %d ways, and the line needs two", x/2+1, y/2+1, ways), []image.Point{{X: x, Y: y}}}
			}
			if must > 2 {
				return &Proof{byCell, fmt.Sprintf("the cell in column %d, row %d has %d marked ways, and the line takes two", x/2+1, y/2+1, must), []image.Point{{X: x, Y: y}}}
			}
		}
	}
	return nil
}

// around counts the ways at a cell, and those that are given.
func (p *Puzzle) around(c image.Point) (ways, must int) {
	for _, d := range []image.Point{{X: 1}, {Y: 1}, {X: -1}, {Y: -1}} {
		if p.Open(c.Add(d)) {
			ways++
		}
		if p.Given(c.Add(d)) {
			must++
		}
	}
	return ways, must
}

// CheckProof verifies a proof anew: it counts the openings' colours or the
// cell's ways again, or draws all lines row by row with path.Sweep, which
// shares nothing with the search.
func (p *Puzzle) CheckProof(ctx context.Context, proof solve.Proof) error {
	q, ok := proof.(*Proof)
	if !ok {
		return fmt.Errorf("alcazar: a %T, want a proof of this family", proof)
	}
	switch q.kind {
	case byParity:
		dark, light := 0, 0
		for y := range 2*p.rows + 1 {
			for x := range 2*p.cols + 1 {
				border := x == 0 || y == 0 || x == 2*p.cols || y == 2*p.rows
				if !border || (x+y)%2 == 0 || !p.Open(image.Pt(x, y)) {
					continue
				}
				cx, cy := min(max(x-1, 0)/2, p.cols-1), min(max(y-1, 0)/2, p.rows-1)
				if (cx+cy)%2 == 0 {
					dark++
				} else {
					light++
				}
			}
		}
		even := p.cols*p.rows%2 == 0
		if dark+light < 2 || even && (dark == 0 || light == 0) || !even && dark < 2 {
			return nil
		}
		return fmt.Errorf("alcazar: %d openings are on the corners' colour and %d on the other: no proof", dark, light)
	case byCell:
		if len(q.where) == 1 {
			if ways, must := p.around(q.where[0]); ways < 2 || must > 2 {
				return nil
			}
		}
		return fmt.Errorf("alcazar: the cell at %v can be passed: no proof", q.where)
	}
	plan, order := p.plan()
	n, err := path.Sweep(ctx, plan, order, sweepLimit)
	switch {
	case errors.Is(err, path.ErrTooWide):
		return fmt.Errorf("alcazar: a check of the proof on %d×%d cells: %w", p.cols, p.rows, solve.ErrNotSupported)
	case err != nil:
		return err
	case n > 0:
		return fmt.Errorf("alcazar: %d lines are answers: no proof", n)
	}
	return nil
}

// plan is the board for a sweep along its longer side: a given way is two
// edges to a vertex of degree two, an opening an edge to a vertex outside.
func (p *Puzzle) plan() (path.Plan, []int) {
	plan := path.Plan{Single: true}
	var order []int
	number := make(map[image.Point]int)
	vertex := func(at image.Point, k path.Kind) int {
		v := len(plan.Kinds)
		number[at] = v
		plan.Kinds = append(plan.Kinds, k)
		plan.Colours = append(plan.Colours, 0)
		order = append(order, v)
		return v
	}
	along, across := p.rows, p.cols
	turned := p.cols > p.rows
	if turned {
		along, across = across, along
	}
	for a := range 2*along + 1 {
		for b := range 2*across + 1 {
			at := image.Pt(b, a)
			if turned {
				at = image.Pt(a, b)
			}
			border := at.X == 0 || at.Y == 0 || at.X == 2*p.cols || at.Y == 2*p.rows
			switch cell := at.X%2 == 1 && at.Y%2 == 1; {
			case cell:
				vertex(at, path.Through)
			case (at.X+at.Y)%2 == 0 || !p.Open(at):
			case border && p.Given(at):
				vertex(at, path.End)
			case border:
				vertex(at, path.MayEnd)
			case p.Given(at):
				vertex(at, path.Through)
			}
		}
	}
	for y := range 2*p.rows + 1 {
		for x := range 2*p.cols + 1 {
			at := image.Pt(x, y)
			if (x+y)%2 == 0 || !p.Open(at) {
				continue
			}
			d := image.Pt(1-x%2, 1-y%2)
			u, ok1 := number[at.Sub(d)]
			v, ok2 := number[at.Add(d)]
			w, own := number[at]
			if !own {
				plan.Edges = append(plan.Edges, [2]int{u, v})
				continue
			}
			if ok1 {
				plan.Edges = append(plan.Edges, [2]int{u, w})
			}
			if ok2 {
				plan.Edges = append(plan.Edges, [2]int{w, v})
			}
		}
	}
	return plan, order
}
