package witness

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"onlooker/solve/solvetest"
)

func TestDevRelax(t *testing.T) {
	names, links := corpus(t)
	for i, link := range links {
		if names[i] != "windmill:"+os.Getenv("SHOW") {
			continue
		}
		p0, _ := DecodeWindmill(link)
		for _, drop := range strings.Split(os.Getenv("DROP"), ";") {
			p := p0.Clone()
			for j := range p.Spots {
				s := &p.Spots[j]
				for _, d := range strings.Split(drop, ",") {
					if d == "" {
						continue
					}
					if s.Dot.On && d == "dot" {
						s.Dot = Dot{}
					}
					if s.Kind != NoSymbol && (s.Kind.String() == d || strings.HasPrefix(s.describe(), d)) {
						s.Symbol = Symbol{}
					}
				}
			}
			c, cancel := withinProcessorTime(4 * time.Second)
			b := solvetest.ProcessorTime()
			_, err, st := devSolve(c, p, 0)
			cancel()
			fmt.Println("drop", drop, err, (solvetest.ProcessorTime() - b).Milliseconds(), "ms", st)
		}
		return
	}
}
