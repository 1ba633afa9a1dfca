package flow

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"onlooker/solve"
)

func TestExp(t *testing.T) {
	files, _ := filepath.Glob("/work/shared/data/" + os.Getenv("FILES"))
	o := Options{Any: os.Getenv("ANY") != "", NoTouch: os.Getenv("COUNT") != ""}
	var total time.Duration
	var ts []time.Duration
	none, over := 0, 0
	counts := map[int]int{}
	var worst time.Duration
	wname := ""
	for _, f := range files {
		in, _ := os.Open(f)
		i := 0
		for q, err := range decodeFZ(in) {
			i++
			if err != nil {
				fmt.Println(err)
				continue
			}
			p := q.(*Puzzle).With(o)
			t0 := time.Now()
			ctx, stop := context.WithTimeout(context.Background(), 5*time.Second)
			name := fmt.Sprint(filepath.Base(f), "#", i)
			var d time.Duration
			if o.NoTouch {
				n, err := p.Count(ctx, 10)
				d = time.Since(t0)
				if err != nil {
					over++
					fmt.Println("over", name)
				}
				counts[n]++
			} else {
				sol, err := p.Solve(ctx)
				d = time.Since(t0)
				if errors.Is(err, solve.ErrUnsolvable) {
					none++
					fmt.Println("none", name, d)
				} else if err != nil {
					over++
					fmt.Println("over", name)
				} else if err := p.Check(sol); err != nil {
					fmt.Println("WRONG", name, err)
				}
			}
			stop()
			ts = append(ts, d)
			total += d
			if d > worst {
				worst, wname = d, name
			}
		}
	}
	slices.Sort(ts)
	fmt.Println("n", len(ts), "total", total, "median", ts[len(ts)/2], "p99", ts[len(ts)*99/100], "worst", worst, wname, "none", none, "over", over, counts)
}
