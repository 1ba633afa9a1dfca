package switches

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"onlooker/solve"
	"onlooker/solve/limits"
	"onlooker/solve/solvetest"
)

// TestChased holds whole grids of all shapes, and such as have joined borders or missing
// cells, against every set of flips.
func TestChased(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 9))
	ctx := context.Background()
	chased, none, several := 0, 0, 0
	for round := range 2500 {
		cols, rows := 1+rng.IntN(4), 1+rng.IntN(4)
		switch rng.IntN(6) {
		case 0:
			cols, rows = 1+rng.IntN(13), 1
		case 1:
			cols, rows = 1, 1+rng.IntN(13)
		}
		for cols*rows > 13 {
			rows--
		}
		cells := "*o"
		var b strings.Builder
		fmt.Fprintf(&b, "grid %dx%d\n", cols, rows)
		if rng.IntN(2) == 0 {
			b.WriteString("flips: ring\n")
		}
		switch rng.IntN(4) {
		case 0:
			fmt.Fprintf(&b, "wrap: %s\n", wraps()[1+rng.IntN(3)])
		case 1:
			cells = "**oo.+"
		}
		for range rows {
			for range cols {
				b.WriteByte(cells[rng.IntN(len(cells))])
			}
			b.WriteByte('\n')
		}
		p := parse(t, b.String())
		if text(t, p) != text(t, parse(t, text(t, p))) {
			t.Fatalf("round %d: reads back as another:\n%s", round, b.String())
		}
		if _, ok := p.chased(); ok {
			chased++
		}
		costs := brute(p.Spec())
		if n, err := p.Count(ctx, 0); n != len(costs) || err != nil {
			t.Fatalf("round %d: %d answers, %v, want %d:\n%s", round, n, err, len(costs), b.String())
		}
		best, err := p.Fewest(ctx)
		if len(costs) == 0 {
			none++
			proof, why := p.Why(ctx)
			if why == nil {
				why = p.CheckProof(ctx, proof)
			}
			if !errors.Is(err, solve.ErrUnsolvable) || why != nil {
				t.Fatalf("round %d: %v, and why: %v, want no solution:\n%s", round, err, why, b.String())
			}
			continue
		}
		if err == nil {
			err = p.Check(ctx, best.Solution)
		}
		if err != nil || best.Cost != costs[0] || best.Bound != best.Cost || len(best.Solution) != best.Cost {
			t.Fatalf("round %d: %d flips, %v, want %d:\n%s", round, best.Cost, err, costs[0], b.String())
		}
		n := 0
		for s, err := range p.All(ctx) {
			if err != nil || p.Check(ctx, s) != nil || len(s) != costs[n] {
				t.Fatalf("round %d: answer %d: %v of %d flips, want %d:\n%s", round, n, err, len(s), costs[n], b.String())
			}
			n++
		}
		if n > 1 {
			several++
		}
		if n != len(costs) {
			t.Fatalf("round %d: %d answers listed, want %d:\n%s", round, n, len(costs), b.String())
		}
	}
	if chased < 500 || none < 500 || several < 500 {
		t.Errorf("%d boards were chased, %d had no answer, %d several, want hundreds of each", chased, none, several)
	}
}

// TestChasedLarge solves boards that only chasing reaches. Where n×n lamps leave d flips
// free, 2n+1 leave 2d or 2d+2: of 29 they are 10, and of 959 these are 382 after five steps
// of the second kind (K. Sutner, Linear cellular automata and the Garden-of-Eden, 1989).
func TestChasedLarge(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		cols, rows, free int
		proved           bool
	}{{1000, 1200, 0, true}, {959, 959, 382, false}, {2000, 4, 0, true}} {
		dark := strings.Repeat(strings.Repeat("o", c.cols)+"\n", c.rows) // has an answer whatever the size
		p := parse(t, fmt.Sprintf("grid %dx%d\n%s", c.cols, c.rows, dark))
		a := solvetest.Must(p.answers(ctx, false))(t)
		if c.rows < 10 { // equations one by one reach it too
			switches, number := p.unknowns(false)
			_, kernel, _, err := p.system(ctx, len(switches), number).Solve(ctx)
			if c.free = len(kernel); err != nil {
				t.Fatal(err)
			}
		}
		best, err := p.Fewest(ctx)
		if err == nil {
			err = p.Check(ctx, best.Solution)
		}
		if err != nil || a.free != c.free || (best.Cost == best.Bound) != c.proved || best.Bound == 0 {
			t.Errorf("%d×%d: %d free, %d flips of %d, %v, want %d free, proved %t", c.cols, c.rows, a.free, best.Cost, best.Bound, err, c.free, c.proved)
		}
	}
}

func TestTable(t *testing.T) {
	p := parse(t, "grid 3x2\nooo\n*o*\n")
	s := solvetest.Must(p.Solve(context.Background()))(t)
	var b bytes.Buffer
	if err := p.Pack(s).Table(&b); err != nil || b.String() != "flip where 1 stands, of 3×2:\n010\n000\n" {
		t.Errorf("got %q, %v", b.String(), err)
	}
	for _, p := range []*Puzzle{p, parse(t, "switches\nnames: a b c\nlamps: a\nlit: c\nb > a\nc > a\n")} {
		best := solvetest.Must(p.FewestPacked(context.Background()))(t)
		packed := best.Packed.(*presses)
		if err := packed.Check(); err != nil || packed.at.Weight() != best.Cost || best.Cost == 0 {
			t.Errorf("%d flips for %d: %v", packed.at.Weight(), best.Cost, err)
		}
		for i := range p.cells {
			packed.at.Flip(i)
			if packed.Check() == nil {
				t.Errorf("node %d more is an answer, too", i)
			}
			packed.at.Flip(i)
		}
	}
}

// TestPackedMemory answers a board whose clicks would take more memory than there is.
func TestPackedMemory(t *testing.T) {
	const side = 2500
	rng := rand.New(rand.NewPCG(1, 5))
	text := []byte("grid 2500x2500\n")
	for range side {
		for range side {
			text = append(text, "*o"[rng.IntN(2)])
		}
		text = append(text, '\n')
	}
	p := parse(t, string(text))
	text = nil
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	ctx := limits.WithMemory(context.Background(), int64(m.HeapAlloc)+64<<20)
	if _, err := p.Fewest(ctx); !errors.As(err, new(*limits.MemoryError)) {
		t.Errorf("clicks: got %v, want too little memory", err)
	}
	best, err := p.FewestPacked(ctx)
	if err == nil {
		err = best.Packed.Check()
	}
	solvetest.Fine(t, err)
}

// TestRowsInProportion reads rows in memory that grows as they do.
func TestRowsInProportion(t *testing.T) {
	const side = 2000
	text := strings.Repeat(strings.Repeat("01", side/2)+"\n", side)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for p, err := range decodeRows(strings.NewReader(text)) {
		if err != nil || len(p.(*Puzzle).cells) != side*side {
			t.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	if got, most := after.TotalAlloc-before.TotalAlloc, uint64(10*len(text)); got > most {
		t.Errorf("%d bytes of rows take %d bytes, want up to %d", len(text), got, most)
	}
}

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
