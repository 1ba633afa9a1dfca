package witness

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"onlooker/solve/path"
	"onlooker/solve/solvetest"
)

func TestDevAssume(t *testing.T) {
	names, links := corpus(t)
	for i, link := range links {
		if names[i] != "windmill:"+os.Getenv("SHOW") {
			continue
		}
		p, _ := DecodeWindmill(link)
		ctx := context.Background()
		for _, a := range strings.Split(os.Getenv("ASSUME"), ";") {
			for w := range 2 {
				q, _ := p.newSearch(ctx)
				ways()[w](q)
				for _, f := range strings.Split(a, ",") {
					neg := f[0] == '-'
					f = strings.TrimPrefix(f, "-")
					n, _ := strconv.Atoi(f[1:])
					x := q.m.items[n].gone
					if f[0] == 'z' {
						x = q.m.zero + 2*path.Lit(q.m.items[n].cell)
					}
					if neg {
						x = x.Not()
					}
					q.s.AddClause(x)
				}
				c, cancel := withinProcessorTime(2500 * time.Millisecond)
				b := solvetest.ProcessorTime()
				st, err := q.s.Solve(c)
				cancel()
				fmt.Println(a, w, st, err, (solvetest.ProcessorTime() - b).Milliseconds(), "ms", q.s.Stats().Conflicts)
			}
		}
	}
}
