package solvetest

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"regexp"
	"slices"
	"testing"
	"time"

	"onlooker/solve"
	"onlooker/solve/limits"
)

var feature = regexp.MustCompile(`^[a-z0-9-]{1,32}$`)

// describes tests a puzzle that can say what it is like.
func describes(t *testing.T, p solve.Puzzle) {
	d, ok := p.(solve.Describer)
	if !ok {
		return
	}
	if cols, rows := d.Size(); cols < 1 || rows < 1 {
		t.Errorf("Size: %d×%d, want cells", cols, rows)
	}
	words := d.Features()
	for i, w := range words {
		if !feature.MatchString(w) || i > 0 && words[i-1] >= w {
			t.Errorf("Features: %q, want words of lower-case letters, digits and hyphens, in order, each once", words)
		}
	}
	if again := d.Features(); !slices.Equal(words, again) {
		t.Errorf("Features again: %q, want %q", again, words)
	}
}

// orders makes boards to order: with each wish alone, with none, and with one
// answer where the family can do that.
func orders(t *testing.T, f solve.Family) {
	ctx, cancel := context.WithTimeout(context.Background(), solveLimit)
	defer cancel()
	all := []solve.Order{{Cols: 4, Rows: 3}, {Cols: 4, Rows: 3, Unique: true}}
	seen := map[string]bool{}
	for _, w := range f.Wishes {
		if !feature.MatchString(w.Name) || w.Doc == "" || w.Most < 0 || seen[w.Name] {
			t.Errorf("wish %+v: a name of its own and a doc are wanted", w)
		}
		seen[w.Name] = true
		all = append(all, solve.Order{Cols: 4, Rows: 3, Wishes: map[string]int{w.Name: 1}})
		for _, n := range []int{-1, 1 << 20} {
			if p, err := f.Deal(ctx, rand.New(rand.NewPCG(1, 1)), solve.Order{Cols: 4, Rows: 3, Wishes: map[string]int{w.Name: n}}); err == nil {
				t.Errorf("%s=%d is made:\n%s", w.Name, n, text(t, p))
			}
		}
	}
	if (f.Make == nil) != (len(f.Wishes) == 0) {
		t.Errorf("%d wishes, but Make is %v", len(f.Wishes), f.Make != nil)
	}
	for _, o := range []solve.Order{{}, {Cols: 3, Rows: -1}, {Cols: 1 << 10, Rows: 1 << 10}, {Cols: 3, Rows: 3, Wishes: map[string]int{"a sixth wheel": 1}}} {
		if p, err := f.Deal(ctx, rand.New(rand.NewPCG(1, 1)), o); err == nil {
			t.Errorf("%+v is made:\n%s", o, text(t, p))
		}
	}
	dealsInTime(t, f)
	for _, o := range all {
		p, err := f.Deal(ctx, rand.New(rand.NewPCG(1, 2)), o)
		if err != nil {
			t.Logf("%+v: %v", o, err) // a wish may need another beside it
			if len(o.Wishes) == 0 {
				t.Errorf("%+v: %v", o, err)
			}
			continue
		}
		again, err := f.Deal(ctx, rand.New(rand.NewPCG(1, 2)), o)
		if err != nil || !bytes.Equal(text(t, p), text(t, again)) {
			t.Errorf("%+v gives two boards (%v):\n%s\n%s", o, err, text(t, p), text(t, again))
		}
		if s, err := p.Solve(ctx); err != nil || p.Check(t.Context(), s) != nil {
			t.Errorf("%+v: Solve: %v, %v\n%s", o, s, err, text(t, p))
		}
		single, err := solve.Single(ctx, p)
		if err != nil && !errors.Is(err, solve.ErrNotSupported) {
			t.Errorf("%+v: Single: %v", o, err)
		}
		if o.Unique {
			t.Logf("with one answer: %t", single)
		}
		if m, ok := p.(solve.Measurer); ok {
			n, unit, err := m.Effort(ctx)
			m, other, err2 := m.Effort(ctx)
			if n < 0 || unit == "" || n != m || unit != other || err != nil || err2 != nil {
				t.Errorf("%+v: Effort: %d %s, %v, then %d %s, %v", o, n, unit, err, m, other, err2)
			}
		}
	}
}

// lateDeal is how much processor time a large board may take after its context
// ended: two looks are behind it then, and nobody says that the machine is idle.
const lateDeal = time.Second

// dealsInTime makes large boards with a context that has ended, or soon does.
func dealsInTime(t *testing.T, f solve.Family) {
	t.Helper()
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	for _, o := range []solve.Order{{Cols: 100, Rows: 100}, {Cols: 100, Rows: 100, Unique: true}, {Cols: 256, Rows: 256}, {Cols: 1, Rows: 1 << 16}} {
		if p, err := f.Deal(ended, rand.New(rand.NewPCG(1, 3)), o); !errors.Is(err, context.Canceled) {
			t.Errorf("%+v with a context that has ended: %v, %v", o, p, err)
		}
		before := ProcessorTime()
		_, err := f.Deal(limits.WithSteps(context.Background(), 2), rand.New(rand.NewPCG(1, 3)), o)
		if took := ProcessorTime() - before; took > lateDeal {
			t.Errorf("%+v with a context that soon ends took %v of processor time (%v)", o, took, err)
		}
	}
}
