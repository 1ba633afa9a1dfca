package switches

import (
	"fmt"
	"image"
	"math/rand/v2"
	"strings"
	"testing"

	"onlooker/solve"
	"onlooker/solve/solvetest"
)

// TestClicks lists the bulbs that a click changes, at borders and with patterns.
func TestClicks(t *testing.T) {
	for _, row := range []struct {
		text string
		at   image.Point
		want string // "" for an error
	}{
		{"grid 3x2\nooo\nooo\n", image.Pt(3, 1), "[(1,1) (3,1) (3,3) (5,1)]"},
		{"grid 3x2\nooo\nooo\n", image.Pt(7, 1), ""},
		{"grid 3x2\nooo\nooo\nflips: none\n0,0 > 2,1\n1,0 > 1,0\n", image.Pt(1, 1), "[(5,3)]"},
		{"a b c\nb\na b\nb c\n", image.Pt(5, 1), "[(3,1) (5,1)]"},
	} {
		var p solve.Puzzle
		for _, f := range Family.Formats {
			if !f.Sniff([]byte(row.text)) {
				continue
			}
			for q, err := range f.Decode(strings.NewReader(row.text)) {
				solvetest.OK(t, err)
				p = q
			}
			break
		}
		clicks, err := p.(*Puzzle).Clicks(solve.Stroke{row.at})
		if row.want == "" {
			if err == nil {
				t.Errorf("%q: a click at %v is taken", row.text, row.at)
			}
			continue
		}
		if err != nil || len(clicks) != 1 || clicks[0].At != row.at {
			t.Fatalf("%q: %v, %v", row.text, clicks, err)
		}
		sorted := map[string]bool{}
		for _, q := range clicks[0].Changes {
			sorted[q.String()] = true
		}
		for _, q := range strings.Fields(strings.Trim(row.want, "[]")) {
			if !sorted[q] {
				t.Errorf("%q: a click changes %v, want %s", row.text, clicks[0].Changes, row.want)
			}
		}
		if got, want := len(sorted), len(strings.Fields(row.want)); got != want {
			t.Errorf("%q: %s changed, want %d", row.text, fmt.Sprint(clicks[0].Changes), want)
		}
	}
}

func TestEditor(t *testing.T) { solvetest.Edit(t, Family, Editor) }

func TestLarge(t *testing.T) {
	grid := func(name string, cols, rows int, rest, cells string) solvetest.LargeBoard {
		return solvetest.LargeBoard{Name: name, Make: func() (solve.Puzzle, error) {
			rng := rand.New(rand.NewPCG(1, 2))
			var b strings.Builder
			fmt.Fprintf(&b, "grid %dx%d\n%s", cols, rows, rest)
			for range rows {
				for range cols {
					b.WriteByte(cells[rng.IntN(len(cells))])
				}
				b.WriteByte('\n')
			}
			return Parse(b.String())
		}}
	}
	solvetest.Large(t,
		grid("724x724 squares", 724, 724, "flips: square\nwrap: both\n", "*o"),
		grid("65536x8", 1<<16, 1<<3, "", "*o"),
		grid("buttons round a lamp", 724, 724, "flips: square\n", "++++++++++o"),
		grid("3000x3000", 3000, 3000, "", "*o"),
		grid("3000x3000 with holes", 3000, 3000, "", "*o*o*o."),
		solvetest.LargeBoard{Name: "matrix of 2000x2000", Make: func() (solve.Puzzle, error) { return dense(2000) }},
	)
}

// dense is a matrix of which every entry is at random.
func dense(n int) (solve.Puzzle, error) {
	rng := rand.New(rand.NewPCG(1, 3))
	s := Spec{}
	for i := range n {
		s.Nodes = append(s.Nodes, Node{Name: fmt.Sprint("n", i), Now: rng.IntN(2), Want: rng.IntN(2)})
		for j := range n {
			if rng.IntN(2) > 0 {
				s.Flips = append(s.Flips, Flip{i, j})
			}
		}
	}
	return New(s)
}
