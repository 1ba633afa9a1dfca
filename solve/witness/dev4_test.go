package witness

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"onlooker/solve/path"
	"onlooker/solve/solvetest"
)

func TestDevGone(t *testing.T) {
	names, links := corpus(t)
	w, _ := strconv.Atoi(os.Getenv("DEVWAY"))
	for i, link := range links {
		if names[i] != "windmill:"+os.Getenv("SHOW") {
			continue
		}
		p, _ := DecodeWindmill(link)
		ctx := context.Background()
		q0, _ := p.newSearch(ctx)
		var n = len(q0.m.items) + len(q0.m.marks)
		for k := 0; k < n; k++ {
			q, err := p.newSearch(ctx)
			if err != nil {
				t.Fatal(err)
			}
			ways()[w](q)
			var g path.Lit
			name := ""
			if k < len(q.m.items) {
				g = q.m.items[k].gone
				name = q.m.items[k].describe()
			} else {
				g = q.m.marks[k-len(q.m.items)].gone
				name = "dot"
			}
			if g == none {
				continue
			}
			q.s.AddClause(g)
			c, cancel := withinProcessorTime(1500 * time.Millisecond)
			b := solvetest.ProcessorTime()
			st, err := q.s.Solve(c)
			cancel()
			fmt.Println(k, name, st, (solvetest.ProcessorTime() - b).Milliseconds(), "ms", q.s.Stats().Conflicts)
		}
		return
	}
}
