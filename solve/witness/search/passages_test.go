package search

import (
	"context"
	"fmt"
	"image"
	rand "math/rand/v2"
	"slices"
	"testing"

	"onlooker/solve"
	"onlooker/solve/path"
	"onlooker/solve/solvetest"
	"onlooker/solve/witness/board"
	"onlooker/solve/witness/deal"
	"onlooker/solve/witness/forms"
	"onlooker/solve/witness/rules"
	"onlooker/solve/witness/witnesstest"
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
	solvetest.OK(t, err)
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

// fullPanel is a panel cut into pieces of two to four cells, each piece shown
// in a random cell of the panel: with so many pieces as cells have squares
// every answer is a tiling of it all.
func fullPanel(rng *rand.Rand, cols, rows int) *board.Panel {
	p := witnesstest.Corners(cols, rows, image.Pt(1, 0))
	free := map[image.Point]bool{}
	var cells []image.Point
	for y := range rows {
		for x := range cols {
			free[image.Pt(x, y)] = true
			cells = append(cells, image.Pt(x, y))
		}
	}
	homes := rng.Perm(len(cells))
	n := 0
	for _, from := range cells {
		if !free[from] {
			continue
		}
		shape := []image.Point{from}
		delete(free, from)
		for want := 2 + rng.IntN(3); len(shape) < want; {
			var next []image.Point
			for _, c := range shape {
				for _, d := range dirs {
					if free[c.Add(d)] {
						next = append(next, c.Add(d))
					}
				}
			}
			if len(next) == 0 {
				break
			}
			c := next[rng.IntN(len(next))]
			delete(free, c)
			shape = append(shape, c)
		}
		home := shape[rng.IntN(len(shape))]
		if rng.IntN(4) == 0 {
			home = cells[homes[n]]
		}
		at := image.Pt(2*home.X+1, 2*home.Y+1)
		if p.At(at).Kind != board.NoSymbol {
			return fullPanel(rng, cols, rows)
		}
		p.At(at).Symbol = board.Symbol{Kind: board.Polyomino, Colour: board.Yellow, Shape: board.NormalShape(shape), Turnable: rng.IntN(2) == 0}
		n++
	}
	// Cuts and a dot inside, or a line along the border would do.
	for at := range p.Points() {
		if board.IsEdge(at) && rng.IntN(5) == 0 {
			p.At(at).Gap = board.Broken
		}
		if board.IsNode(at) && at.X > 0 && at.Y > 0 && at.X < 2*cols && at.Y < 2*rows && rng.IntN(2) == 0 {
			p.At(at).Dot.On = true
		}
	}
	return p
}

func TestFullPanels(t *testing.T) {
	solvable := 0
	for seed := range uint64(150) {
		rng := rand.New(rand.NewPCG(seed, 12))
		p := fullPanel(rng, 2+rng.IntN(3), 2+rng.IntN(2))
		ctx := context.Background()
		q := solvetest.Must(standardSolver().newSearch(ctx, p))(t)
		if !q.m.full() {
			t.Fatalf("seed %d: not full\n%s", seed, forms.String(p))
		}
		found, decided, err := q.tilings(ctx, fullNodes)
		if err != nil || !decided {
			t.Fatalf("seed %d: %v, decided %v\n%s", seed, err, decided, forms.String(p))
		}
		want := witnesstest.BruteCount(p, 1)
		if want > 0 {
			solvable++
		}
		if (len(found) > 0) != (want > 0) {
			t.Fatalf("seed %d: %v, want %d answers\n%s", seed, found, want, forms.String(p))
		}
	}
	if solvable < 20 || solvable > 140 {
		t.Errorf("%d of 150 panels are solvable: the sample decides little", solvable)
	}
}
