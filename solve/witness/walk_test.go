package witness

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// A walk to the end finds each answer that brute force finds, once, on panels of
// everything that it takes on.
func TestWalkAgainstBruteForce(t *testing.T) {
	most := rounds(1500, 300)
	walked, some := 0, 0
	for seed := range most {
		p := anyPanel(rand.New(rand.NewPCG(seed, 19)))
		q, err := p.newUnstated(t.Context())
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
				t.Fatalf("seed %d: the walk stopped by itself\n%s", seed, text(p))
			}
			for _, a := range q.l.answers(w.value) {
				if err := p.Check(t.Context(), a); err != nil {
					t.Fatalf("seed %d: %v found, but %v\n%s", seed, a, err, text(p))
				}
				got = append(got, lineName(a[0]))
			}
		}
		slices.Sort(got)
		if n := len(slices.Compact(slices.Clone(got))); n != len(got) {
			t.Fatalf("seed %d: %d answers, of which %d differ\n%s", seed, len(got), n, text(p))
		}
		if want := bruteCount(p, 0); want != len(got) {
			t.Fatalf("seed %d: %d answers, want %d\n%s", seed, len(got), want, text(p))
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
		p := dealt(t, mixes()[seed%4].of(4), seed)
		line := func(work int) string {
			q, err := p.newUnstated(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			w := newWalk(q.m, q.s.Vars())
			for {
				found, ended := w.run(t.Context(), work)
				if ended {
					t.Fatalf("seed %d: no line found\n%s", seed, text(p))
				}
				if found {
					return lineName(q.l.answers(w.value)[0][0])
				}
			}
		}
		if whole, cut := line(math.MaxInt), line(7); whole != cut {
			t.Errorf("seed %d: %s in runs of 7 steps, want %s\n%s", seed, cut, whole, text(p))
		}
	}
}
