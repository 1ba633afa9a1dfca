package look

import (
	"testing"

	"onlooker/solve/solvetest"
)

// TestPoolTellsPairs has two sorts of places that differ at a few samples, and a third that is
// unlike both at most of them. What is blurred more than all that was seen is still told by the
// few.
func TestPoolTellsPairs(t *testing.T) {
	const n, few = 200, 8
	// seen is an appearance: all samples at a level, the first few and the rest, which stray.
	seen := func(first, rest uint8, stray int) Appearance {
		var a Appearance
		for i := range n {
			v := rest
			if i < few {
				v = first
			}
			a = append(a, v+uint8((i*7+stray*13)%5))
		}
		return a
	}
	p := &Pool{Limit: 0.3}
	for stray := range 6 {
		p.Labels = append(p.Labels, SeenDot, SeenBroken, SeenMissing)
		p.Seen = append(p.Seen, seen(90, 60, stray), seen(130, 60, stray), seen(130, 220, stray))
	}
	p.tells = p.telling(0.02, p.sorts())
	for want, first := range map[string]uint8{SeenDot: 96, SeenBroken: 124} {
		if label, sure := p.Tell(seen(first, 68, 9)); label != want || sure < 0.6 {
			t.Errorf("what is nearly a %s: %s, %.2f sure", want, label, sure)
		}
	}
	if label, sure := p.Tell(seen(110, 68, 9)); sure >= 0.6 {
		t.Errorf("what is as far from both: %s, %.2f sure", label, sure)
	}
	if label, sure := p.Tell(seen(130, 140, 9)); sure > 0.5 {
		t.Errorf("what is like none: %s, %.2f sure", label, sure)
	}
}

// TestWithoutLight takes what shows little of what a cell shows off it.
func TestWithoutLight(t *testing.T) {
	v := &Cell{Most: 100}
	v.Off.W, v.Off.H, v.Off.V = 3, 1, []float32{100, 20, 60}
	v.Shown = v.Off
	for i, want := range []float32{100, 0, 60} {
		solvetest.Same(t, v.WithoutLight().Shown.V[i], want, "place %d shows", i)
	}
}

// TestKnown: what was not seen is not known but where it follows from what was seen, and is as like that;
// where a look lacks some sort what was seen must be as like as well.
func TestKnown(t *testing.T) {
	for _, row := range []struct {
		of           Candidate
		known, lacks bool // in a look that has all sorts, and in one that lacks some
	}{
		{Candidate{Score: 0.98, LeastSeen: 0.99}, true, true},
		{Candidate{Score: 0.89, LeastSeen: 1}, true, false},
		{Candidate{Score: 0.9765, LeastSeen: 1}, true, false}, // a square like stars
		{Candidate{Score: 0.99}, false, false},
		{Candidate{Score: 0.9953, follows: 0.997}, true, true}, // an upright piece where turned ones were seen
		{Candidate{Score: 0.95, follows: 0.99}, false, false},
	} {
		if known, lacks := row.of.Known(false), row.of.Known(true); known != row.known || lacks != row.lacks {
			t.Errorf("score %v of least %v, %v: known %v, where some sort lacks %v, want %v and %v", row.of.Score, row.of.LeastSeen, row.of.follows, known, lacks, row.known, row.lacks)
		}
	}
}
