package see

import (
	"image"
	"io"
	"math"
	"testing"

	"onlooker/calibrations"
	"onlooker/cmd/internal/agent/agenttest"
	"onlooker/solve"
	"onlooker/solve/solvetest"
	"onlooker/solve/witness/forms"
	"onlooker/vision"
	visionwitness "onlooker/vision/witness"
)

func TestSpin(t *testing.T) {
	c := agenttest.NewColumn(t, agenttest.Lonely)
	for _, row := range []struct {
		why    string
		turns  []float64 // what faces the viewer, frame by frame
		toward float64
	}{
		{"small steps up", []float64{0.4, 0.9, 1.4, 2, 2.6, 3.3, 4}, math.NaN()},
		{"small steps down, past column 0", []float64{-0.8, -1.6, -2.4, -3.2, -4}, math.NaN()},
		{"to and fro", []float64{0.7, 0.1, -0.6, 0.2}, math.NaN()},
		{"a jump of 1.4 half-cells, known to go up", []float64{1.4, 1.9, 2}, 2},
		{"a jump of 1.4 half-cells, known to go down", []float64{-1.4, -2}, -2},
		{"a little beyond, and back", []float64{0.9, 1.8, 2.2, 2}, 2},
		{"it stays", []float64{0, 0.01, 0}, 2},
	} {
		start := 0.6
		turned := NewSpin(c.Find(t, start))
		from := turned.Faced
		if !math.IsNaN(row.toward) {
			turned.Toward = from + row.toward
		}
		for i, by := range row.turns {
			turned.See(c.Frame(start + by))
			if got := turned.Faced - from; math.Abs(got-by) > 0.05 {
				t.Errorf("%s: frame %d turned by %.2f half-cells, want %.2f", row.why, i+1, got, by)
				break
			}
		}
	}
}

// TestTurnedViews: where it is known how far a pillar was turned, one with few
// marks is read, and it is known which column is which.
func TestTurnedViews(t *testing.T) {
	c := agenttest.NewColumn(t, agenttest.Lonely)
	first := c.Find(t, 3)
	turned := NewSpin(first)
	joined, known := visionwitness.NewReader(agenttest.Profile(t)), visionwitness.NewReader(agenttest.Profile(t))
	solvetest.OK(t, known.AddTurned(first, 0))
	solvetest.OK(t, joined.Add(first))
	for faced := 3.5; faced <= 11; faced += 0.5 {
		frame := c.Frame(faced)
		turned.See(frame)
		if math.Mod(faced-3, 2) != 0 {
			continue
		}
		view := first.Turned(frame, turned.phase)
		solvetest.OK(t, known.AddTurned(view, turned.column(view)))
		solvetest.OK(t, joined.Add(view))
	}
	got := solvetest.Must(known.Panel())(t)
	want := solvetest.Must(forms.Parse([]byte(agenttest.Lonely)))(t)
	if len(got.Spots) != len(want.Spots) {
		t.Fatalf("%d half-cells, want %d", len(got.Spots), len(want.Spots))
	}
	for at := range want.Points() {
		if g, w := got.At(at), want.At(at); g.Kind != w.Kind || g.Start != w.Start || g.Cap != w.Cap || g.Gap != w.Gap || g.Dot != w.Dot {
			t.Errorf("at %v: %+v, want %+v", at, *g, *w)
		}
	}
	// What faces the viewer now, in the panel's columns, is what was drawn.
	if off := math.Remainder(turned.Faced+2*float64(known.Column())-11, 12); math.Abs(off) > 0.1 {
		t.Errorf("column %d is column 0 of the first view: %.2f half-cells off", known.Column(), off)
	}
	if _, err := joined.Panel(); err == nil {
		t.Error("joined by its marks alone it is read as well, want unsure")
	}
	if err := known.AddTurned(&vision.Board{Cols: 6, Rows: 6}, 0); err == nil {
		t.Error("a flat board is taken for a view")
	}
}

// TestLoopFollowsPillar turns a pillar before a loop that only looks: it is
// answered once all of it was in view, and not before.
func TestLoopFollowsPillar(t *testing.T) {
	c := agenttest.NewColumn(t, agenttest.Lonely)
	var frames []*image.RGBA
	rest := func(faced float64) {
		for range 4 {
			frames = append(frames, c.Frame(faced))
		}
	}
	rest(3)
	for faced := 3.5; faced <= 13; faced += 0.5 {
		if frames = append(frames, c.Frame(faced)); math.Mod(faced-3, 2) == 0 {
			rest(faced)
		}
	}
	agenttest.OnItsOwnClock(t, "turned by a column at a time", func(t *testing.T) {
		game := real()
		game.Family = &solve.Family{Name: "witness"}
		var read []string
		loop := &Loop{Source: &reel{Frames: frames, End: io.EOF}, Observer: &Observer{Eye: &Eye{Games: []Game{game}, Profiles: []*calibrations.Profile{agenttest.Profile(t)}}}}
		solvetest.OK(t, loop.Run(t.Context(), func(turn *Turn) error {
			for _, b := range turn.Boards {
				if b.New && b.Text != "" {
					read = append(read, b.Text)
				}
			}
			return nil
		}))
		if len(read) != 1 {
			t.Fatalf("read %q, want one puzzle", read)
		}
		got := solvetest.Must(forms.Parse([]byte(read[0])))(t)
		want := solvetest.Must(forms.Parse([]byte(agenttest.Lonely)))(t)
		for at := range want.Points() {
			if g, w := got.At(at), want.At(at); g.Kind != w.Kind || g.Start != w.Start || g.Cap != w.Cap || g.Gap != w.Gap || g.Dot != w.Dot {
				t.Errorf("at %v: %+v, want %+v", at, *g, *w)
			}
		}
	})
}
