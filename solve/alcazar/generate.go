package alcazar

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math/rand/v2"

	"onlooker/solve"
	"onlooker/solve/path"
)

// generate makes a board with exactly one answer.
func generate(rng *rand.Rand, cols, rows int) solve.Puzzle {
	p, err := Deal(context.Background(), rng, cols, rows, 0)
	if err != nil {
		panic(err) // a size that is no board: the caller's mistake
	}
	return p
}

// dealLimit is how many conflicts a search for a second answer may take. Where
// it takes more the board gets walls anywhere, so that no board is dealt whose
// proof is out of reach: those seen with one answer need 83 at most, up to
// 50×50 cells.
const dealLimit = 2000

// Deal makes a board with exactly one answer: a random line through every
// cell; then, as long as there is a second answer, a wall where that one goes
// and the first does not. walls is the part of the other places, from 0 to 1,
// that are walls from the beginning: the more, the easier the board.
func Deal(ctx context.Context, rng *rand.Rand, cols, rows int, walls float64) (*Puzzle, error) {
	if cols < 1 || rows < 1 || cols > MaxCells || rows > MaxCells || cols*rows > MaxCells {
		return nil, fmt.Errorf("alcazar: a board of %d×%d cells, want at least 1×1 and at most %d cells", cols, rows, MaxCells)
	}
	line := randomLine(ctx, rng, cols, rows)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	used := make(map[image.Point]bool)
	for i := 1; i < len(line); i++ {
		used[line[i-1].Add(line[i]).Div(2)] = true
	}
	// One cell alone is first and last: its second opening must differ.
	for _, c := range []image.Point{line[0], line[len(line)-1]} {
		var free []image.Point
		for _, d := range []image.Point{{X: 1}, {Y: 1}, {X: -1}, {Y: -1}} {
			if at := c.Add(d); (at.X == 0 || at.X == 2*cols || at.Y == 0 || at.Y == 2*rows) && !used[at] {
				free = append(free, at)
			}
		}
		used[free[rng.IntN(len(free))]] = true
	}
	p, err := New(cols, rows, func(at image.Point) bool {
		border := at.X == 0 || at.X == 2*cols || at.Y == 0 || at.Y == 2*rows
		// One border place in four is an opening more, as on bought boards.
		return used[at] || rng.Float64() >= walls && (!border || rng.IntN(4) == 0)
	}, func(image.Point) bool { return false })
	if err != nil {
		return nil, err
	}
	// All in one search: the first answer is excluded, walls are added to it.
	x, err := p.search(ctx)
	if err != nil {
		return nil, err
	}
	var not []path.Lit
	for i, at := range x.edges {
		if used[at] {
			not = append(not, path.Lit(2*i).Not())
		}
	}
	x.s.AddClause(not...)
	x.s.SetLimit(dealLimit)
	for {
		st, err := x.s.Solve(ctx)
		if st == path.Unsat {
			return p, nil
		}
		if err != nil && !errors.Is(err, path.ErrLimit) {
			return nil, err
		}
		var extra []int
		for i, at := range x.edges {
			if at != (image.Point{}) && !used[at] && p.Open(at) && (st == path.Unknown || x.s.Value(path.Lit(2*i))) {
				extra = append(extra, i)
			}
		}
		// One wall in eight places at a time, for boards of thousands of cells.
		rng.Shuffle(len(extra), func(i, j int) { extra[i], extra[j] = extra[j], extra[i] })
		for _, i := range extra[:(len(extra)+7)/8] {
			p.ways[p.index(x.edges[i])] = wall
			x.s.AddClause(path.Lit(2 * i).Not())
		}
	}
}

// randomLine is a line through the centres of all cells with both ends at the
// border: a snake, changed by random backbites (R. Oberdorf et al., "Secondary
// structures in long compact polymers", 2006): an end is joined to a neighbour
// of it, and the edge that would close a ring is taken out. When the context ends
// it is the line of the moves so far.
func randomLine(ctx context.Context, rng *rand.Rand, cols, rows int) []image.Point {
	n := cols * rows
	line := make([]image.Point, 0, n)
	pos := make([]int, n)
	index := func(c image.Point) int { return c.Y/2*cols + c.X/2 }
	for r := range rows {
		for c := range cols {
			if r%2 == 1 {
				c = cols - 1 - c
			}
			pos[r*cols+c] = len(line)
			line = append(line, image.Pt(2*c+1, 2*r+1))
		}
	}
	border := func(c image.Point) bool {
		return c.X == 1 || c.X == 2*cols-1 || c.Y == 1 || c.Y == 2*rows-1
	}
	reverse := func(i, j int) {
		for ; i < j; i, j = i+1, j-1 {
			line[i], line[j] = line[j], line[i]
			pos[index(line[i])], pos[index(line[j])] = i, j
		}
	}
	// Five moves to a cell leave nothing of the snake on 10×10 to look at.
	for moves := 0; moves < 5*n || !border(line[0]) || !border(line[n-1]); moves++ {
		if moves%1024 == 0 && ctx.Err() != nil {
			break
		}
		end := line[0]
		last := rng.IntN(2) == 0
		if last {
			end = line[n-1]
		}
		to := end.Add([]image.Point{{X: 2}, {Y: 2}, {X: -2}, {Y: -2}}[rng.IntN(4)])
		if to.X < 0 || to.Y < 0 || to.X > 2*cols || to.Y > 2*rows {
			continue
		}
		if last {
			reverse(pos[index(to)]+1, n-1)
		} else {
			reverse(0, pos[index(to)]-1)
		}
	}
	return line
}

func wishes() []solve.Wish {
	return []solve.Wish{{Name: "walls", Doc: "walls beside the line, in per cent of the places: the more, the easier", Most: 100}}
}

// toOrder makes a board, which always has one answer.
func toOrder(ctx context.Context, rng *rand.Rand, o solve.Order) (solve.Puzzle, error) {
	return Deal(ctx, rng, o.Cols, o.Rows, float64(o.Wishes["walls"])/100)
}
