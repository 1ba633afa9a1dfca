package cover

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math/rand/v2"
	"slices"
	"testing"

	"onlooker/solve/solvetest"
)

// Every subset of the options is tried against what Search finds.
func TestAgainstAllSubsets(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	ctx := context.Background()
	var reused *Problem
	solvable := 0
	for round := range 2000 {
		prim, sec, opts := rng.IntN(6), rng.IntN(4), rng.IntN(11)
		if prim+sec == 0 {
			continue
		}
		p := New(prim, sec)
		if reused == nil {
			reused = New(prim, sec)
		}
		reused.Reset(prim, sec)
		rooms := make([]int, sec)
		for i := range rooms {
			rooms[i] = 1 + rng.IntN(2)
			p.Room(prim+i, rooms[i])
			reused.Room(prim+i, rooms[i])
		}
		masks := make([]int, opts)
		for o := range opts {
			items := rng.Perm(prim + sec)[:1+rng.IntN(min(4, prim+sec))]
			for _, it := range items {
				masks[o] |= 1 << it
			}
			p.Add(items...)
			reused.Add(items...)
		}
		want := map[string]bool{}
		for sub := range 1 << opts {
			used, ok := 0, true
			times := make([]int, prim+sec)
			var set []int
			for o, m := range masks {
				if sub>>o&1 == 1 {
					for it := range times {
						if times[it] += m >> it & 1; it < prim && times[it] > 1 || it >= prim && times[it] > rooms[it-prim] {
							ok = false
						}
					}
					used |= m
					set = append(set, o)
				}
			}
			// An option of secondary items alone is never chosen: Search covers
			// primary items only.
			for _, o := range set {
				ok = ok && masks[o]&(1<<prim-1) != 0
			}
			if ok && used&(1<<prim-1) == 1<<prim-1 {
				want[fmt.Sprint(set)] = true
			}
		}
		if len(want) > 0 {
			solvable++
		}
		for _, q := range []*Problem{p, reused, p} { // p twice: a search leaves it as it was
			got := map[string]bool{}
			solvetest.OK(t, q.Search(ctx, 0, func(o []int) bool {
				set := slices.Sorted(slices.Values(o))
				key := fmt.Sprint(set)
				if set == nil {
					key = "[]"
				}
				if got[key] {
					t.Fatalf("round %d: %s twice", round, key)
				}
				got[key] = true
				return true
			}))
			for k := range got {
				if !want[k] {
					t.Fatalf("round %d: %s is no solution of %b", round, k, masks)
				}
			}
			if len(got) != len(want) {
				t.Fatalf("round %d: %d solutions, want %d", round, len(got), len(want))
			}
			if _, ok, err := q.First(ctx, 0); ok != (len(want) > 0) || err != nil {
				t.Fatalf("round %d: First says %v, %v", round, ok, err)
			}
		}
	}
	if solvable < 100 {
		t.Errorf("only %d problems had solutions", solvable)
	}
}

// Twelve pentominoes fill a rectangle in a known number of ways (each counted
// with its four reflections): 3×20 in 2.
func TestPentominoes(t *testing.T) {
	shapes := []string{"XXXXX", "XXXX/X", "XXXX/.X", "XXX/XX", "XXX/X.X", "XXX/.X/.X", "XXX/X/X", "XX./.XX/.X.", "XX/.X/.XX", ".X/XXX/.X", "X/XX/.XX", "XXX/..XX"}
	for _, row := range []struct{ w, h, want int }{{20, 3, 2 * 4}} {
		p := New(12+row.w*row.h, 0)
		for i, s := range shapes {
			seen := map[string]bool{}
			for turn := range 8 {
				var sq []image.Point
				x, y := 0, 0
				for _, c := range s {
					switch c {
					case '/':
						x, y = 0, y+1
						continue
					case 'X':
						q := image.Pt(x, y)
						if turn&4 != 0 {
							q.X = -q.X
						}
						for range turn & 3 {
							q = image.Pt(-q.Y, q.X)
						}
						sq = append(sq, q)
					}
					x++
				}
				lo := sq[0]
				for _, q := range sq {
					lo = image.Pt(min(lo.X, q.X), min(lo.Y, q.Y))
				}
				slices.SortFunc(sq, func(a, b image.Point) int { return (a.Y-b.Y)*100 + a.X - b.X })
				for i := range sq {
					sq[i] = sq[i].Sub(lo)
				}
				if seen[fmt.Sprint(sq)] {
					continue
				}
				seen[fmt.Sprint(sq)] = true
				for at := range row.w * row.h {
					items := []int{i}
					for _, q := range sq {
						x, y := at%row.w+q.X, at/row.w+q.Y
						if x < row.w && y < row.h {
							items = append(items, 12+y*row.w+x)
						}
					}
					if len(items) == 6 {
						p.Add(items...)
					}
				}
			}
		}
		solvetest.Same(t, solvetest.Must(p.Count(context.Background(), 0, 0))(t), row.want, "%dx%d", row.w, row.h)
	}
}

func TestLimits(t *testing.T) {
	p := New(8, 0)
	for it := range 8 {
		p.Add(it)
		p.Add(it)
	}
	if n, err := p.Count(context.Background(), 0, 0); n != 256 || err != nil {
		t.Errorf("%d, %v, want 256", n, err)
	}
	solvetest.Same(t, solvetest.Must(p.Count(context.Background(), 0, 10))(t), 10, "limit 10")
	if _, err := p.Count(context.Background(), 20, 0); !errors.Is(err, ErrLimit) {
		t.Errorf("20 nodes: %v, want ErrLimit", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, _, err := p.First(ctx, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// Nogoods leave out just the solutions that hold all options of one, whether they
// are told before a search or while it goes on.
func TestAvoid(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	ctx := context.Background()
	left, out := 0, 0
	for round := range 2000 {
		const items = 6
		p := New(items, 0)
		for range 6 + rng.IntN(10) {
			p.Add(rng.Perm(items)[:1+rng.IntN(3)]...)
		}
		var all [][]int
		solvetest.OK(t, p.Search(ctx, 0, func(o []int) bool {
			all = append(all, slices.Clone(o))
			return true
		}))
		var nogoods [][]int
		avoid := func(o []int) {
			nogoods = append(nogoods, o)
			p.Avoid(o...)
		}
		barred := func(o []int) bool {
			return slices.ContainsFunc(nogoods, func(nogood []int) bool {
				return !slices.ContainsFunc(nogood, func(x int) bool { return !slices.Contains(o, x) })
			})
		}
		for range rng.IntN(3) {
			avoid(rng.Perm(p.Options())[:1+rng.IntN(3)])
		}
		if round%20 == 0 {
			avoid(nil)
		}
		got := map[string]bool{}
		solvetest.OK(t, p.Search(ctx, 0, func(o []int) bool {
			if barred(o) {
				t.Fatalf("round %d: %v was found in spite of %v", round, o, nogoods)
			}
			got[fmt.Sprint(slices.Sorted(slices.Values(o)))] = true
			if rng.IntN(2) == 0 {
				some := slices.Clone(o)
				rng.Shuffle(len(some), func(i, k int) { some[i], some[k] = some[k], some[i] })
				avoid(some[:1+rng.IntN(len(some))])
			}
			return true
		}))
		for _, o := range all {
			key := fmt.Sprint(slices.Sorted(slices.Values(o)))
			switch {
			case got[key]:
				left++
			case barred(o):
				out++
			default:
				t.Fatalf("round %d: %v is a solution, but was not found; nogoods %v", round, o, nogoods)
			}
		}
	}
	if left < 1000 || out < 1000 {
		t.Errorf("%d solutions were found and %d left out: the sample decides little", left, out)
	}
}

// Count counts solutions up to limit (none if it is 0 or less).
func (p *Problem) Count(ctx context.Context, maxNodes, limit int) (int, error) {
	n := 0
	err := p.Search(ctx, maxNodes, func([]int) bool {
		n++
		return n != limit
	})
	return n, err
}
