package search

import (
	"math"
	rand "math/rand/v2"
	"slices"
	"testing"

	"onlooker/solve/solvetest"
	"onlooker/solve/witness/forms"
	"onlooker/solve/witness/rules"
	"onlooker/solve/witness/witnesstest"
)

// A walk to the end finds each answer that brute force finds, once, on panels of
// everything that it takes on.
func TestWalkAgainstBruteForce(t *testing.T) {
	most := witnesstest.Rounds(1500, 300)
	walked, some := 0, 0
	for seed := range most {
		p := witnesstest.AnyPanel(rand.New(rand.NewPCG(seed, 19)))
		q, err := standardSolver().newUnstated(t.Context(), p)
		if err != nil || !q.m.walkable() {
			continue
		}
		walked++
		w := newWalk(q.m, q.s.Vars())
		var got []string
		for {
			found, ended := w.run(t.Context(), math.MaxInt-w.work)
			if ended {
				break
			}
			if !found {
				t.Fatalf("seed %d: the walk stopped by itself\n%s", seed, forms.String(p))
			}
			for _, a := range q.l.answers(w.value) {
				if err := rules.Rows().Check(t.Context(), p, a); err != nil {
					t.Fatalf("seed %d: %v found, but %v\n%s", seed, a, err, forms.String(p))
				}
				got = append(got, lineName(a[0]))
			}
		}
		slices.Sort(got)
		if n := len(slices.Compact(slices.Clone(got))); n != len(got) {
			t.Fatalf("seed %d: %d answers, of which %d differ\n%s", seed, len(got), n, forms.String(p))
		}
		if want := witnesstest.BruteCount(p, 0); want != len(got) {
			t.Fatalf("seed %d: %d answers, want %d\n%s", seed, len(got), want, forms.String(p))
		} else if want > 0 {
			some++
		}
	}
	t.Logf("%d panels of %d walked, %d with answers", walked, most, some)
	if walked < int(most)/2 || some < int(most)/20 {
		t.Errorf("%d panels of %d walked, %d with answers: the sample decides little", walked, most, some)
	}
}

// A walk that is cut into short runs finds the same line first.
func TestWalkGoesOn(t *testing.T) {
	for seed := range uint64(40) {
		p := dealt(t, witnesstest.Mixes()[seed%4].Of(4), seed)
		line := func(work int) string {
			q := solvetest.Must(standardSolver().newUnstated(t.Context(), p))(t)
			w := newWalk(q.m, q.s.Vars())
			for {
				found, ended := w.run(t.Context(), work)
				if ended {
					t.Fatalf("seed %d: no line found\n%s", seed, forms.String(p))
				}
				if found {
					return lineName(q.l.answers(w.value)[0][0])
				}
			}
		}
		if whole, cut := line(math.MaxInt), line(7); whole != cut {
			t.Errorf("seed %d: %s in runs of 7 steps, want %s\n%s", seed, cut, whole, forms.String(p))
		}
	}
}
