package path_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"onlooker/solve/path"
	"onlooker/solve/sat"
	"onlooker/solve/solvetest"
)

// Random clauses of three, some over the edges of a grid on which one path runs
// from corner to corner, too large for trying all: the verdicts agree with gini,
// which sees the path as clauses and forbids rings one by one.
func TestAgainstGini(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	rounds := 150
	if testing.Short() {
		rounds = 30
	}
	verdicts := map[bool]int{}
	for i := range rounds {
		mine, theirs := path.New(), sat.New()
		var at []path.Lit
		var other []sat.Lit
		var clauses [][]path.Lit
		var ends [][2]int
		w, h := 5+r.IntN(4), 4+r.IntN(4)
		grid := i%2 == 0
		vars := 100 + r.IntN(40)
		n := vars * 42 / 10 // about as many can be met as not
		var p *sat.Path
		if grid {
			g := mine.Graph()
			for v := range w * h {
				k := path.Inner
				if v == 0 || v == w*h-1 {
					k = path.End
				}
				g.AddVertex(k, 0)
			}
			for v := range w * h {
				if v%w+1 < w {
					ends = append(ends, [2]int{v, v + 1})
				}
				if v+w < w*h {
					ends = append(ends, [2]int{v, v + w})
				}
			}
			p = theirs.NewPath(w*h, 0, w*h-1, ends)
			for e, uv := range ends {
				l := mine.NewVar()
				at = append(at, l)
				other = append(other, p.On[e])
				g.AddEdge(uv[0], uv[1], l)
			}
			g.Single()
			n = len(ends) * (20 + r.IntN(25)) / 10
		} else {
			other = theirs.Vars(vars)
			for range vars {
				at = append(at, mine.NewVar())
			}
		}
		for range n {
			var a []path.Lit
			var b []sat.Lit
			for range 3 {
				k := r.IntN(len(at))
				x, y := at[k], other[k]
				// Paths use few edges: mostly ask for edges.
				if no := 2; grid && r.IntN(5) < no || !grid && r.IntN(2) == 0 {
					x, y = x.Not(), y.Not()
				}
				a, b = append(a, x), append(b, y)
			}
			clauses = append(clauses, a)
			mine.AddClause(a...)
			theirs.Add(b...)
		}
		if i%3 == 0 { // in two turns
			mine.SetLimit(10)
			if _, err := mine.Solve(t.Context()); err != nil && !errors.Is(err, path.ErrLimit) {
				t.Fatal(err)
			}
			mine.SetLimit(-1)
			mine.Renew()
		}
		st, err := mine.Solve(t.Context())
		solvetest.OK(t, err)
		var want bool
		if grid {
			found := solvetest.Must(p.Solve(t.Context()))(t)
			want = found != nil
		} else if want, err = theirs.Solve(t.Context()); err != nil {
			t.Fatal(err)
		}
		if (st == path.Sat) != want {
			t.Fatalf("round %d, grid %v: %v, gini says %v", i, grid, st, want)
		}
		verdicts[want]++
		if st != path.Sat {
			continue
		}
		for _, c := range clauses {
			if !slices.ContainsFunc(c, mine.Value) {
				t.Fatalf("round %d: clause %v is not met", i, c)
			}
		}
	}
	if verdicts[true] < rounds/10 || verdicts[false] < rounds/10 {
		t.Errorf("verdicts %v: want some of each", verdicts)
	}
}

func TestSettle(t *testing.T) {
	s := path.New()
	a, b, c, d := s.NewVar(), s.NewVar(), s.NewVar(), s.NewVar()
	s.AddClause(a)
	s.AddClause(a.Not(), b.Not())
	s.AddClause(b, c, d)
	if ok, err := s.Settle(t.Context()); !ok || err != nil {
		t.Fatalf("Settle says %v, %v, want true", ok, err)
	}
	for _, row := range []struct {
		lit  path.Lit
		want int
	}{{a, 1}, {b, -1}, {b.Not(), 1}, {c, 0}, {d, 0}} {
		solvetest.Same(t, s.Fixed(row.lit), row.want, "Fixed of literal %d", row.lit)
	}
	s.AddClause(c.Not())
	s.AddClause(d.Not())
	if ok, err := s.Settle(t.Context()); ok || err != nil {
		t.Errorf("Settle says %v, %v where there is no answer, want false", ok, err)
	}
}
