package search

import (
	"fmt"
	rand "math/rand/v2"
	"slices"
	"testing"
)

// Steps and floods over passages are those that a walk from cell to cell makes, on
// boards of one word and of several, pillars, and with joins of any other distance.
func TestPassages(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		cols, rows := 1+rng.IntN(13), 1+rng.IntN(13)
		n := cols * rows
		var joins [][2]int32
		add := func(a, b int) {
			if a != b {
				joins = append(joins, [2]int32{int32(a), int32(b)})
			}
		}
		for x := range n {
			if x%cols+1 < cols {
				add(x, x+1)
			} else if seed%2 == 1 { // a pillar; with two columns its cells meet twice
				add(x, x-cols+1)
			}
			if x+cols < n {
				add(x, x+cols)
			}
		}
		for range rng.IntN(4) {
			add(rng.IntN(n), rng.IntN(n))
		}
		p := newPassages(n, joins)
		open := make([]bool, len(joins))
		for j := range joins {
			open[j] = rng.IntN(3) > 0
			p.set(int32(j), false)
			p.set(int32(j), open[j])
		}
		within, from := newCellSet(n), newCellSet(n)
		for x := range n {
			if rng.IntN(4) > 0 {
				within.Add(int32(x))
			}
		}
		from.Add(int32(rng.IntN(n)))
		from.Add(int32(rng.IntN(n)))
		stepped := func(of cellSet) cellSet {
			out := newCellSet(n)
			for j, at := range joins {
				for _, way := range [2][2]int32{at, {at[1], at[0]}} {
					if open[j] && of.Has(way[0]) && within.Has(way[1]) {
						out.Add(way[1])
					}
				}
			}
			return out
		}
		where := fmt.Sprintf("seed %d, %dx%d", seed, cols, rows)
		got, want := newCellSet(n), stepped(from)
		p.Step(got, from, within)
		if !slices.Equal(got, want) {
			t.Errorf("%s: one step from %x is %x, want %x", where, from, got, want)
		}
		want = slices.Clone(from)
		for range n {
			for i, w := range stepped(want) {
				want[i] |= w
			}
		}
		got = slices.Clone(from)
		p.Flood(got, within)
		if !slices.Equal(got, want) {
			t.Errorf("%s: a flood from %x comes to %x, want %x", where, from, got, want)
		}
	}
}
