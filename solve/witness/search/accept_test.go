package search

import (
	"context"
	"image"
	rand "math/rand/v2"
	"slices"
	"testing"

	"onlooker/solve"
	"onlooker/solve/path"
	"onlooker/solve/witness/board"
	"onlooker/solve/witness/deal"
	"onlooker/solve/witness/forms"
	"onlooker/solve/witness/rules"
	"onlooker/solve/witness/witnesstest"
)

// lits are the literals that say that the line is this stroke: all that make
// two lines different, on or off. ok is false where the search has no variable
// for a part of it.
func (q *search) lits(stroke solve.Stroke) (all []path.Lit, ok bool) {
	l := q.l
	on := map[path.Lit]bool{}
	for k, at := range l.startAt {
		if at == l.p.Wrap(stroke[0]) {
			on[l.start[k]] = true
		}
	}
	last := len(stroke) - 2
	for k, at := range l.endAt {
		if at == l.p.Wrap(stroke[last]) {
			on[l.end[k]] = true
		}
	}
	for i := range last {
		step := stepOf(l.p, stroke[i], stroke[i+1])
		for d, way := range dirs {
			for at, left := stroke[i], step; left.X*way.X+left.Y*way.Y > 0; at, left = at.Add(way), left.Sub(way) {
				if lit := l.seg[l.index(at)][d]; lit != none {
					on[lit] = true
				} else if l.vertex[l.index(at)] >= 0 {
					return nil, false
				}
			}
		}
	}
	for _, lit := range slices.Concat(l.edgeLits, l.start, l.end) {
		if !on[lit] {
			lit = lit.Not()
		}
		all = append(all, lit)
	}
	return all, true
}

// stepOf is the way from one point of a stroke to the next, which may lie on the
// other side of a pillar's seam.
func stepOf(p *board.Panel, from, to image.Point) image.Point {
	d := to.Sub(from)
	if w := p.Width(); p.Pillar && (d.X > 2 || d.X < -2) {
		if d.X = ((d.X % w) + w) % w; d.X > w/2 {
			d.X -= w
		}
	}
	return d
}

// sameVerdict asks the search, which must draw just this line, and Check.
func sameVerdict(t *testing.T, p *board.Panel, stroke solve.Stroke) bool {
	t.Helper()
	want := rules.Rows().Check(t.Context(), p, solve.Solution{stroke})
	q, err := standardSolver().newSearch(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	lits, ok := q.lits(stroke)
	status := path.Unsat
	if ok {
		if status, err = q.s.Solve(t.Context(), lits...); err != nil {
			t.Fatal(err)
		}
	}
	if (status == path.Sat) != (want == nil) {
		t.Fatalf("the search says %v, Check %v, of %v on\n%s", status, want, stroke, forms.String(p))
	}
	return want == nil
}

// The search accepts a line exactly when Check does: on panels that brute force
// could not walk, with a line that was drawn for the symbols and with others.
func TestSearchAgainstCheck(t *testing.T) {
	most := witnesstest.Rounds(240, 24)
	right, wrong := 0, 0
	for seed := range most {
		rng := rand.New(rand.NewPCG(seed, 16))
		n := 4 + rng.IntN(3)
		o := witnesstest.Mixes()[int(seed)%len(witnesstest.Mixes())].Of(n)
		o.Cols, o.Rows = n, n
		o.Rules = board.RuleSets()[rng.IntN(3)]
		p, answer, err := deal.Solvable(context.Background(), rng, o)
		if err != nil {
			continue // some mixes do not go with some rule sets
		}
		if !sameVerdict(t, p, answer[0]) {
			t.Fatalf("seed %d: the line that the panel was made for is refused\n%s", seed, forms.String(p))
		}
		right++
		for range 4 {
			start, end, _ := deal.Terminals(p)
			stroke, ok := deal.RandomLine(context.Background(), rng, p, start, end)
			if !ok {
				continue
			}
			if sameVerdict(t, p, stroke) {
				right++
			} else {
				wrong++
			}
		}
	}
	t.Logf("%d lines accepted, %d refused", right, wrong)
	if right < int(most)/2 || wrong < int(most)/2 {
		t.Errorf("%d lines accepted and %d refused of %d panels: the sample decides little", right, wrong, most)
	}
}

// FuzzSearchThenCheck compares them on small panels of everything, line by line.
func FuzzSearchThenCheck(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		p := witnesstest.AnyPanel(rand.New(rand.NewPCG(seed, 17)))
		n := 0
		for at := range p.Points() {
			if s := p.At(at); s.Start && s.Gap == board.Whole && !board.IsCell(at) {
				rng := rand.New(rand.NewPCG(seed, 18))
				for end := range p.Points() {
					if p.At(end).IsEnd() && p.At(end).Gap == board.Whole && end != at && n < 8 {
						if stroke, ok := deal.RandomLine(context.Background(), rng, p, at, end); ok {
							sameVerdict(t, p, stroke)
							n++
						}
					}
				}
			}
		}
	})
}
