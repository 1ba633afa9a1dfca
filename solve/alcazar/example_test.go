package alcazar_test

import (
	"context"
	"fmt"

	"onlooker/solve/alcazar"
)

// A board is parsed, solved, and its answer checked by code that shares nothing with the solver.
func Example() {
	p, err := alcazar.Family.Parse("alcazar 1x4\nx.x\nx0x\nx.x\n.0x\nx.x\nx0.\nx.x\nx0x\nx.x\n")
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := p.Solve(context.Background())
	fmt.Println(answer, err)
	fmt.Println(p.Check(context.Background(), answer))
	// Output:
	// [[(1,0) (1,1) (1,3) (1,5) (1,7) (1,8)]] <nil>
	// <nil>
}
