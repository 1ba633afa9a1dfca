package witness_test

import (
	"context"
	"fmt"

	"onlooker/solve/witness"
)

// A board is parsed, solved, and its answer checked by code that shares nothing with the solver.
func Example() {
	p, err := witness.Family.Parse("panel 2x2\n+-+->\n|a|a|\n+-+-+\n|a|b|\n@-+-+\na = black square\nb = white square\n")
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := p.Solve(context.Background())
	fmt.Println(answer, err)
	fmt.Println(p.Check(context.Background(), answer))
	// Output:
	// [[(0,4) (2,4) (2,2) (4,2) (4,0) (5,0)]] <nil>
	// <nil>
}
