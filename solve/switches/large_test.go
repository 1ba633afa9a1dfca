package switches

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"onlooker/solve"
	"onlooker/solve/solvetest"
)

func TestLarge(t *testing.T) {
	grid := func(name string, cols, rows int, rest, cells string) solvetest.LargeBoard {
		return solvetest.LargeBoard{Name: name, Make: func() (solve.Puzzle, error) {
			rng := rand.New(rand.NewPCG(1, 2))
			var b strings.Builder
			fmt.Fprintf(&b, "grid %dx%d\n%s", cols, rows, rest)
			for range rows {
				for range cols {
					b.WriteByte(cells[rng.IntN(len(cells))])
				}
				b.WriteByte('\n')
			}
			return Parse(b.String())
		}}
	}
	solvetest.Large(t,
		grid("724x724 squares", 724, 724, "flips: square\nwrap: both\n", "*o"),
		grid("65536x8", 1<<16, 1<<3, "", "*o"),
		grid("buttons round a lamp", 724, 724, "flips: square\n", "++++++++++o"),
		grid("3000x3000", 3000, 3000, "", "*o"),
		grid("3000x3000 with holes", 3000, 3000, "", "*o*o*o."),
		solvetest.LargeBoard{Name: "matrix of 2000x2000", Make: func() (solve.Puzzle, error) { return dense(2000) }},
	)
}

// dense is a matrix of which every entry is at random.
func dense(n int) (solve.Puzzle, error) {
	rng := rand.New(rand.NewPCG(1, 3))
	s := Spec{}
	for i := range n {
		s.Nodes = append(s.Nodes, Node{Name: fmt.Sprint("n", i), Now: rng.IntN(2), Want: rng.IntN(2)})
		for j := range n {
			if rng.IntN(2) > 0 {
				s.Flips = append(s.Flips, Flip{i, j})
			}
		}
	}
	return New(s)
}
