package enter

import (
	"math"
	"strings"
	"testing"
)

// TestGain: what the motions of a line's legs tell of its gain, from what is known of it.
func TestGain(t *testing.T) {
	lent := gain{pixels: 1, state: gainLent}
	for _, row := range []struct {
		why    string
		from   gain
		legs   [][]motions
		pixels float64
		state  gainState
	}{
		{"nothing is sent", gain{}, nil, 0, gainUnknown},
		{"too short a motion", gain{}, [][]motions{{{10, 12}}}, 0, gainUnknown},
		{"one motion", gain{}, [][]motions{{{10, 14}}}, 1.4, gainMeasured},
		{"short motions of one leg", gain{}, [][]motions{{{5, 7}, {5, 7}}}, 1.4, gainMeasured},
		{"short motions of two legs", gain{}, [][]motions{{{5, 7}}, {{5, 7}}}, 0, gainUnknown},
		{"backwards", gain{}, [][]motions{{{-10, -14}}}, 1.4, gainMeasured},
		{"a head that went the other way", gain{}, [][]motions{{{10, -14}}}, 0, gainUnknown},
		{"a part shows with the next motion", gain{}, [][]motions{{{100, 140}, {10, 40}, {100, 141}}}, 1.41, gainMeasured},
		{"own gain is measured more exactly", gain{}, [][]motions{{{10, 14}}, {{100, 142}}}, 1.42, gainMeasured},
		{"a little off is noise", gain{}, [][]motions{{{10, 14}}, {{100, 140.5}}}, 1.4, gainMeasured},
		{"lent, and nothing is told", lent, nil, 1, gainLent},
		{"lent, and the same", lent, [][]motions{{{100, 101}}}, 1, gainConfirmed},
		{"lent, the same, and then a little off", lent, [][]motions{{{100, 101}}, {{100, 102.5}}}, 1.025, gainConfirmed},
		{"lent, and another once", lent, [][]motions{{{100, 150}}}, 1, gainLent},
		{"lent, another once, and the same", lent, [][]motions{{{100, 150}}, {{100, 101}}}, 1, gainConfirmed},
		{"lent, and another twice", lent, [][]motions{{{100, 150}}, {{100, 151}}}, 1.51, gainMeasured},
		{"lent, and two others", lent, [][]motions{{{100, 150}}, {{100, 170}}}, 1, gainLent},
		{"confirmed, and another twice", gain{pixels: 1, state: gainConfirmed, told: motions{100, 100}}, [][]motions{{{100, 150}}, {{100, 150}}}, 1.5, gainMeasured},
		{"measured, and another once", gain{pixels: 1, state: gainMeasured, told: motions{100, 100}}, [][]motions{{{100, 150}}}, 1.5, gainMeasured},
	} {
		g := row.from
		for _, leg := range row.legs {
			var sum motions
			for _, one := range leg {
				g.learn(&sum, one)
			}
		}
		if math.Abs(g.pixels-row.pixels) > 1e-9 || g.state != row.state {
			t.Errorf("%s: %g in state %d, want %g in state %d", row.why, g.pixels, g.state, row.pixels, row.state)
		}
	}
}

// TestGainSays: an outlier is waited on, and a leg that told it begins anew.
func TestGainSays(t *testing.T) {
	g, leg := gain{pixels: 1, state: gainLent}, motions{}
	if said := g.learn(&leg, motions{10, 5}); said != "" {
		t.Errorf("of a short motion: %q, want nothing", said)
	}
	if said := g.learn(&leg, motions{100, 150}); !strings.Contains(said, "waiting") || leg != (motions{}) {
		t.Errorf("of another gain: %q with %v kept of the leg, want that it waits, and nothing kept", said, leg)
	}
	if said := g.learn(&leg, motions{100, 150}); said != "gain 1.500, told 1.500" {
		t.Errorf("of the same again: %q", said)
	}
}

func TestGainConfirm(t *testing.T) {
	for from, want := range map[gainState]gainState{gainUnknown: gainUnknown, gainLent: gainConfirmed, gainConfirmed: gainConfirmed, gainMeasured: gainMeasured} {
		g := gain{state: from}
		if g.confirm(); g.state != want {
			t.Errorf("state %d confirmed is %d, want %d", from, g.state, want)
		}
	}
}

// TestLines: lines lend their gain once two in a row had it, and no more when one failed.
func TestLines(t *testing.T) {
	told := func(units, pixels float64) gain {
		return gain{pixels: pixels / units, state: gainMeasured, told: motions{units, pixels}}
	}
	var l lines
	step := func(why string, do func(), want gain) {
		t.Helper()
		do()
		if got := l.lend(); math.Abs(got.pixels-want.pixels) > 1e-9 || got.state != want.state {
			t.Errorf("%s: %g in state %d is lent, want %g in state %d", why, got.pixels, got.state, want.pixels, want.state)
		}
	}
	step("no line", func() {}, gain{})
	step("one line", func() { l.add(told(100, 140), 0) }, gain{})
	step("another gain", func() { l.add(told(100, 100), 0) }, gain{})
	step("that again, told by more", func() { l.add(told(300, 302), 1.05) }, gain{pixels: 402.0 / 400, state: gainLent})
	step("a line that told none", func() { l.add(gain{pixels: 1.005, state: gainConfirmed}, 0) }, gain{pixels: 402.0 / 400, state: gainLent})
	if l.wide != 1.05 {
		t.Errorf("lines are %g wide, want 1.05: the last was not measured", l.wide)
	}
	step("a line failed", func() { l.doubt() }, gain{})
	if l.gain == 0 {
		t.Error("the gain of the last line is forgotten")
	}
}

// TestNudges: a client is taken to lose first motions until two more were kept than lost.
func TestNudges(t *testing.T) {
	var n nudges
	for _, row := range []struct {
		why      string
		short    float64
		expected bool
		kept     bool
	}{
		{"kept once", 0, false, false},
		{"and again", 0.2, false, true},
		{"neither kept nor lost", 0.5, false, true},
		{"lost", 1, false, false},
		{"made good, and lost", 0, true, false},
		{"made good, and kept", -1, true, false},
		{"and again", -1.1, true, true},
	} {
		if n.learn(row.short, row.expected); n.kept() != row.kept {
			t.Errorf("%s: kept is %v with %d, want %v", row.why, n.kept(), n, row.kept)
		}
	}
}

// TestGauge: a line's width is the middle one of its measurements.
func TestGauge(t *testing.T) {
	if g := newGauge(0.5, 1.3); g.width != 0.5 {
		t.Errorf("with lines 1.3 times as wide: %g, want 0.5: they are of something else", g.width)
	}
	g := newGauge(0.5, 1.04)
	if g.width != 0.52 || g.wide() != 0 {
		t.Errorf("with lines 1.04 times as wide: %g, measured %g; want 0.52, not measured", g.width, g.wide())
	}
	if g.add(0.6) {
		t.Error("a width a fifth off counts")
	}
	for _, w := range []float64{0.49, 0.55, 0.53} {
		if !g.add(w) {
			t.Errorf("a width of %g does not count", w)
		}
	}
	if g.width != 0.53 || g.wide() != 1.06 {
		t.Errorf("a width of %g, %g of what its board says; want 0.53 and 1.06", g.width, g.wide())
	}
	for range mostGauged - 3 {
		g.add(0.5)
	}
	if !g.full() {
		t.Errorf("%d measurements are not enough", len(g.measured))
	}
}
