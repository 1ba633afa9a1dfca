package flow_test

import (
	"context"
	"fmt"
	"image"

	"onlooker/solve/flow"
)

// A Flow Free board with a bridge in the middle.
func ExampleBuilder() {
	p, err := flow.NewBuilder(flow.Square, 3, 3).
		Hole(image.Pt(0, 0)).Hole(image.Pt(2, 0)).Hole(image.Pt(0, 2)).Hole(image.Pt(2, 2)).
		Bridge(image.Pt(1, 1)).
		Pair(image.Pt(0, 1), image.Pt(2, 1)).
		Pair(image.Pt(1, 0), image.Pt(1, 2)).
		Puzzle()
	if err != nil {
		fmt.Println(err)
		return
	}
	text, _ := p.MarshalText()
	fmt.Print(string(text))
	answer, err := p.Solve(context.Background())
	fmt.Println(answer, err)
	// Output:
	// flow 3x3
	// #A#
	// B+B
	// #A#
	// [[(3,1) (3,3) (3,5)] [(1,3) (3,3) (5,3)]] <nil>
}

// Any graph is a board: here six nodes in a ring, joined one by one, and two
// pairs of ends on it.
func ExampleBuilder_Join() {
	b := flow.NewBuilder(flow.Loose, 6, 1)
	for i := range 6 {
		b.Join(image.Pt(i, 0), image.Pt((i+1)%6, 0))
	}
	p, err := b.Pair(image.Pt(0, 0), image.Pt(4, 0)).Pair(image.Pt(1, 0), image.Pt(3, 0)).Puzzle()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Solve(context.Background()))
	fmt.Println(p.Count(context.Background(), 0))
	// Output:
	// [[(1,1)] [(11,1)] [(9,1)] [(3,1)] [(5,1)] [(7,1)]] <nil>
	// 1 <nil>
}

// Whether a Flow Free board has a single answer is meant without paths that
// touch themselves.
func ExamplePuzzle_Count() {
	p, err := flow.NewBuilder(flow.Square, 4, 2).
		Pair(image.Pt(0, 0), image.Pt(0, 1)).Pair(image.Pt(3, 0), image.Pt(3, 1)).Puzzle()
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx := context.Background()
	fmt.Println(p.Count(ctx, 0))
	fmt.Println(p.With(flow.Options{NoTouch: true}).Count(ctx, 0))
	// Output:
	// 3 <nil>
	// 0 <nil>
}
