package flow

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"onlooker/solve"
	"onlooker/solve/path"
	"onlooker/solve/solvetest"
)

// collected reads fz files; name is FILE#n.
func collected(t testing.TB, o Options, glob string) (boards []*Puzzle, names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(solvetest.Collected(t, ""), glob))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s: no files, %v", glob, err)
	}
	slices.Sort(files)
	for _, file := range files {
		f := solvetest.Must(os.Open(file))(t)
		n := 0
		for p, err := range blocks(isBlock, block.fz)(f) {
			n++
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			boards = append(boards, p.(*Puzzle).With(o))
			names = append(names, fmt.Sprintf("%s#%d", strings.TrimSuffix(filepath.Base(file), ".fz"), n))
		}
		f.Close()
	}
	return boards, names
}

// Every collected board has an answer that Check accepts, and exactly one in
// which no path touches itself, but for one board that is proved to have none.
func TestCollected(t *testing.T) {
	boards, names := collected(t, Options{}, "flow/*.fz")
	var none, more []string
	for i, p := range boards {
		if testing.Short() && i%10 > 0 {
			continue
		}
		s, err := p.Solve(t.Context())
		if errors.Is(err, solve.ErrUnsolvable) {
			none = append(none, names[i])
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", names[i], err)
			continue
		}
		if err := p.Check(t.Context(), s); err != nil {
			t.Errorf("%s: Check refuses %v: %v", names[i], s, err)
		}
		n, err := p.With(Options{NoTouch: true}).Count(t.Context(), 2)
		if n != 1 || err != nil {
			more = append(more, fmt.Sprintf("%s has %d answers without touching, %v", names[i], n, err))
		}
	}
	t.Logf("%d boards", len(boards))
	if !testing.Short() && !slices.Equal(none, []string{"mzucker#29"}) {
		t.Errorf("without an answer: %v, want unsolvable_cross (mzucker#29) alone", none)
	}
	for _, m := range more {
		t.Log(m)
	}
	if len(more) > 1 {
		t.Errorf("%d boards do not have one answer, want at most one such", len(more))
	}
}

// On small collected boards the search counts what the sweep does, which shares
// nothing with it but the graph.
func TestCollectedAgainstSweep(t *testing.T) {
	n := 0
	for _, glob := range []string{"traps/*.fz", "flow/0.fz", "flow/23_hexes.fz", "flow/27_warps.fz", "flow/28_party.fz"} {
		boards, names := collected(t, Options{}, glob)
		for i, p := range boards {
			if p.cols*p.rows > 49 {
				continue
			}
			plan, order := p.plan()
			want, err := path.Sweep(context.Background(), plan, order, sweepLimit)
			if err != nil {
				t.Fatalf("%s: %v", names[i], err)
			}
			if got, err := p.Count(t.Context(), 0); err != nil || uint64(got) != want {
				t.Errorf("%s: Count says %d, %v, the sweep %d", names[i], got, err, want)
			}
			n++
		}
	}
	if n < 100 {
		t.Errorf("%d boards, want at least 100 to mean anything", n)
	}
}

// Where cells may stay empty.
func TestNumberlink(t *testing.T) {
	boards, names := collected(t, Options{Any: true}, "numberlink/janko.fz")
	for i, p := range boards {
		s, err := p.Solve(t.Context())
		if err != nil || p.Check(t.Context(), s) != nil {
			t.Errorf("%s: %v, %v", names[i], err, p.Check(t.Context(), s))
		}
	}
}
