package witness

import (
	"context"
	"errors"
	"fmt"
	"image"
	rand "math/rand/v2"
	"strings"
	"testing"

	"onlooker/solve"
	"onlooker/solve/limits"
	"onlooker/solve/solvetest"
	"onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
)

// TestLarge asks about panels of the largest size, with symbols anywhere.
func TestLarge(t *testing.T) {
	panel := func(name string, side int, symbols ...string) solvetest.LargeBoard {
		return solvetest.LargeBoard{Name: name, Make: func() (solve.Puzzle, error) {
			rng := rand.New(rand.NewPCG(1, 5))
			var b strings.Builder
			fmt.Fprintf(&b, "panel %dx%d\n", side, side)
			for r := range side {
				b.WriteString(strings.Repeat("+-", side) + map[bool]string{true: ">\n", false: "+\n"}[r == 0])
				for range side {
					cell := byte(' ')
					if k := rng.IntN(2*len(symbols) + 1); k < len(symbols) {
						cell = 'a' + byte(k)
					}
					b.Write([]byte{'|', cell})
				}
				b.WriteString("|\n")
			}
			b.WriteString("@-" + strings.Repeat("+-", side-1) + "+\n")
			for k, s := range symbols {
				fmt.Fprintf(&b, "%c = %s\n", 'a'+k, s)
			}
			p, err := forms.Parse([]byte(b.String()))
			return Of(p), err
		}}
	}
	solvetest.Large(t,
		panel("maze", board.MaxSide),
		panel("stars", board.MaxSide, "black star", "white star"),
		panel("pieces", board.MaxSide, "yellow piece ##/.#", "turned piece ###"),
		panel("all", board.MaxSide, "black star", "black square", "white square", "eraser", "yellow piece ##/.#", "negative piece ##", "2 orange triangles"),
		panel("all, smaller", 30, "black star", "black square", "white square", "eraser", "yellow piece ##/.#", "negative piece ##", "2 orange triangles"),
		panel("stars, smaller", 36, "black star", "white star"),
		panel("pieces, smaller", 36, "yellow piece ##/.#", "turned piece ###"),
		panel("larger", board.MaxSide+1),
	)
}

// TestLabelsTooLarge wants a panel whose labels alone are too large refused before
// they are made.
func TestLabelsTooLarge(t *testing.T) {
	p := board.New(board.MaxSide, board.MaxSide, false)
	p.At(image.Pt(0, 2*board.MaxSide)).Start = true
	p.At(image.Pt(2*board.MaxSide, 0)).Cap = image.Pt(1, 0)
	for y := range board.MaxSide {
		for x := range board.MaxSide {
			p.At(image.Pt(2*x+1, 2*y+1)).Symbol = board.Symbol{Kind: board.Star, Colour: board.Black}
		}
	}
	var large *limits.MemoryError
	if _, err := Of(p).Solve(limits.WithMemory(context.Background(), 2<<30)); !errors.As(err, &large) || large.Want <= large.Most {
		t.Errorf("%v, want that more memory is wanted than there may be", err)
	}
}
