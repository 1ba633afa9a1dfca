package witness

import (
	"context"
	"fmt"
	"testing"

	"onlooker/solve/solvetest"
)

func TestDevFull(t *testing.T) {
	names, links := corpus(t)
	for i, link := range links {
		p, err := DecodeWindmill(link)
		if err != nil {
			continue
		}
		b := solvetest.ProcessorTime()
		q, err := p.newSearch(context.Background())
		if err != nil || !q.m.full() {
			continue
		}
		b1 := solvetest.ProcessorTime()
		a, dec, err := q.tilings(context.Background(), fullNodes)
		b2 := solvetest.ProcessorTime()
		_, err = p.Solve(context.Background())
		b3 := solvetest.ProcessorTime()
		fmt.Println(names[i], p.Cols, p.Rows, contents(p), (b1 - b).Microseconds(), "tilings", (b2 - b1).Microseconds(), len(a), dec, "solve", (b3 - b2).Microseconds(), err)
	}
}
