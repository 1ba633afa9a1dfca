package switches_test

import (
	"context"
	"fmt"

	"onlooker/solve/switches"
)

// A board is parsed, solved, and its answer checked by code that shares nothing with the solver.
func Example() {
	p, err := switches.Family.Parse("grid 3x1\n*o*\n")
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := p.Solve(context.Background())
	fmt.Println(answer, err)
	fmt.Println(p.Check(context.Background(), answer))
	// Output:
	// [[(1,1)] [(3,1)] [(5,1)]] <nil>
	// <nil>
}
