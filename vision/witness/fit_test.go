package witness

import (
	"image"
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"onlooker/calibrations"
	"onlooker/solve/witness"
	"onlooker/vision"
	drawing "onlooker/vision/picture/witness"
)

// TestEvidence says how often the symbol that fits best is the one that was
// drawn, by the evidence for it: what clearEvidence rests on.
// ONLOOKER_EVIDENCE is how many boards, and ONLOOKER_DRAWN_FIRST the first seed.
func TestEvidence(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv("ONLOOKER_EVIDENCE"))
	if err != nil {
		t.Skip("ONLOOKER_EVIDENCE=1000 looks at the symbols of 1,000 boards")
	}
	first, _ := strconv.ParseUint(os.Getenv("ONLOOKER_DRAWN_FIRST"), 10, 64)
	profile, err := calibrations.Load("witness-challenge")
	if err != nil {
		t.Fatal(err)
	}
	var table reliability // in steps of 0.1 up to 2
	for done, seed := 0, first; done < n; seed++ {
		sc := randomScene(t, profile, seed)
		if sc.pitch < 20 {
			continue
		}
		done++
		boards, err := vision.Locate(sc.frame, profile.Board)
		if err != nil {
			t.Fatal(err)
		}
		k := slices.IndexFunc(boards, func(b *vision.Board) bool {
			return b.Cols == sc.panel.Cols && b.Rows == sc.panel.Rows && !b.Pillar && math.Hypot(b.Quad[0].X-sc.quad[0].X, b.Quad[0].Y-sc.quad[0].Y) < 0.5*sc.pitch
		})
		if k < 0 {
			continue
		}
		s := newSheet(boards[k], profile, drawing.Known())
		var starts []image.Point
		for at := range sc.panel.Points() {
			if sc.panel.At(at).Start {
				starts = append(starts, at)
			}
		}
		for at := range sc.panel.Points() {
			want := sc.panel.At(at).Symbol
			if !witness.IsCell(at) || want.Kind == witness.NoSymbol {
				continue
			}
			st, err := s.stain(at, starts)
			if err != nil || st == nil {
				continue
			}
			if f := s.fits(st, s.guesses(st)); len(f) > 1 {
				e := s.evidence(st, f[0], f[1])
				got := f[0].sym
				right := got.Kind == want.Kind && got.Count == want.Count && got.Turnable == want.Turnable && normalOr(got.Shape, got.Turnable) == normalOr(want.Shape, want.Turnable)
				table.add(max(0, min(1, e/clearEvidence)), right)
			}
		}
	}
	t.Logf("evidence, as a share of %.1f:\n%v", clearEvidence, &table)
}
