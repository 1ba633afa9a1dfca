package fans_test

import (
	"context"
	"fmt"

	"onlooker/solve/fans"
)

// A board is parsed, solved, and its answer checked by code that shares nothing with the solver.
func Example() {
	p, err := fans.Family.Parse("FTT\nT.F\n")
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := p.Solve(context.Background())
	fmt.Println(answer, err)
	fmt.Println(p.Check(context.Background(), answer))
	// Output:
	// [[(1,1) (3,1)] [(5,3) (3,3)]] <nil>
	// <nil>
}
