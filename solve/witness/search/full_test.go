package search

import (
	"context"
	"image"
	rand "math/rand/v2"
	"testing"

	"onlooker/solve/solvetest"
	"onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	"onlooker/solve/witness/witnesstest"
)

// fullPanel is a panel cut into pieces of two to four cells, each piece shown
// in a random cell of the panel: with so many pieces as cells have squares
// every answer is a tiling of it all.
func fullPanel(rng *rand.Rand, cols, rows int) *board.Panel {
	p := board.New(cols, rows, false)
	p.At(image.Pt(0, 2*rows)).Start = true
	p.At(image.Pt(2*cols, 0)).Cap = image.Pt(1, 0)
	free := map[image.Point]bool{}
	var cells []image.Point
	for y := range rows {
		for x := range cols {
			free[image.Pt(x, y)] = true
			cells = append(cells, image.Pt(x, y))
		}
	}
	homes := rng.Perm(len(cells))
	n := 0
	for _, from := range cells {
		if !free[from] {
			continue
		}
		shape := []image.Point{from}
		delete(free, from)
		for want := 2 + rng.IntN(3); len(shape) < want; {
			var next []image.Point
			for _, c := range shape {
				for _, d := range dirs {
					if free[c.Add(d)] {
						next = append(next, c.Add(d))
					}
				}
			}
			if len(next) == 0 {
				break
			}
			c := next[rng.IntN(len(next))]
			delete(free, c)
			shape = append(shape, c)
		}
		home := shape[rng.IntN(len(shape))]
		if rng.IntN(4) == 0 {
			home = cells[homes[n]]
		}
		at := image.Pt(2*home.X+1, 2*home.Y+1)
		if p.At(at).Kind != board.NoSymbol {
			return fullPanel(rng, cols, rows)
		}
		p.At(at).Symbol = board.Symbol{Kind: board.Polyomino, Colour: board.Yellow, Shape: board.NormalShape(shape), Turnable: rng.IntN(2) == 0}
		n++
	}
	// Cuts and a dot inside, or a line along the border would do.
	for at := range p.Points() {
		if board.IsEdge(at) && rng.IntN(5) == 0 {
			p.At(at).Gap = board.Broken
		}
		if board.IsNode(at) && at.X > 0 && at.Y > 0 && at.X < 2*cols && at.Y < 2*rows && rng.IntN(2) == 0 {
			p.At(at).Dot.On = true
		}
	}
	return p
}

func TestFullPanels(t *testing.T) {
	solvable := 0
	for seed := range uint64(150) {
		rng := rand.New(rand.NewPCG(seed, 12))
		p := fullPanel(rng, 2+rng.IntN(3), 2+rng.IntN(2))
		ctx := context.Background()
		q := solvetest.Must(standardSolver().newSearch(ctx, p))(t)
		if !q.m.full() {
			t.Fatalf("seed %d: not full\n%s", seed, forms.String(p))
		}
		found, decided, err := q.tilings(ctx, fullNodes)
		if err != nil || !decided {
			t.Fatalf("seed %d: %v, decided %v\n%s", seed, err, decided, forms.String(p))
		}
		want := witnesstest.BruteCount(p, 1)
		if want > 0 {
			solvable++
		}
		if (len(found) > 0) != (want > 0) {
			t.Fatalf("seed %d: %v, want %d answers\n%s", seed, found, want, forms.String(p))
		}
	}
	if solvable < 20 || solvable > 140 {
		t.Errorf("%d of 150 panels are solvable: the sample decides little", solvable)
	}
}
