package witness

import (
	"fmt"
	"image"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"onlooker/calibrations"
	"onlooker/solve/solvetest"
	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/cell"
	"onlooker/vision/witness/pointer"
)

// A judged symbol is one that was drawn, with all that it may be.
type judged struct {
	cell.Visible
	fits  []cell.Fitted
	truth int // index of what it is; -1: none of them
}

// judgedOn are the symbols of a scene whose board is found.
func judgedOn(t *testing.T, profile *calibrations.Profile, sc scene) (all []judged) {
	b := sc.board(t, profile)
	if b == nil {
		return nil
	}
	s := NewReader(profile).game(pointer.Cleared(b, profile, drawing.Known()))
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
		st, err := s.Stains.Stain(at, starts)
		if err != nil || st == nil {
			continue
		}
		f := s.Fits(st, s.Templates.Guesses(st))
		all = append(all, judged{fits: f, Visible: s.Visible(s.Sight(st), st), truth: slices.IndexFunc(f, func(o cell.Fitted) bool {
			got := o.Sym
			return got.Kind == want.Kind && got.Count == want.Count && got.Turnable == want.Turnable && normalOr(got.Shape, got.Turnable) == normalOr(want.Shape, want.Turnable)
		})})
	}
	return all
}

// board is the board that was drawn, if it is found.
func (sc scene) board(t *testing.T, profile *calibrations.Profile) *vision.Board {
	boards := located(t, sc.frame, profile)
	for _, b := range boards {
		if b.Cols == sc.panel.Cols && b.Rows == sc.panel.Rows && !b.Pillar && math.Hypot(b.Quad[0].X-sc.quad[0].X, b.Quad[0].Y-sc.quad[0].Y) < 0.5*sc.pitch {
			return b
		}
	}
	return nil
}

// lossOf is how little some odds say what symbols are: less the mean logarithm of the
// probability that they give the truth.
func lossOf(o *cell.Odds, all []judged) float64 {
	sum, n := 0.0, 0.0
	for _, j := range all {
		if j.truth < 0 {
			continue
		}
		m := make([]float64, len(j.fits))
		for i := range m {
			m[i] = o.Misfit(&j.fits[i], j.Visible) / o.Temperature
		}
		least, all := slices.Min(m), 0.0
		for _, v := range m {
			all += math.Exp(least - v)
		}
		// 1e-4: one symbol in so many is not what it was taken for, whatever the odds.
		sum -= math.Log(1e-4 + (1-1e-4)*math.Exp(least-m[j.truth])/all)
		n++
	}
	return sum / max(1, n)
}

// fitOdds finds the odds that say best what symbols are, one number after the other in
// ever smaller steps.
func fitOdds(o cell.Odds, all []judged) cell.Odds {
	numbers := func(o *cell.Odds) []*float64 {
		return []*float64{&o.Tint, &o.Detail, &o.Dim, &o.Pixels, &o.Piece, &o.Square, &o.Blue, &o.Hue, &o.Twin, &o.Temperature}
	}
	was := o
	// What symbols do not tell stays as it was: symbols of a few hundred boards are told
	// apart without a mistake by many numbers, the most extreme best.
	cost := func(o *cell.Odds) float64 {
		sum := 0.0
		for k, v := range numbers(o) {
			strays := 0.3
			if v == &o.Temperature {
				strays = 0.03
			}
			sum += math.Pow((*v-*numbers(&was)[k])/strays, 2) / 2
		}
		return lossOf(o, all) + sum/float64(max(1, len(all)))
	}
	best := cost(&o)
	for _, step := range []float64{0.2, 0.1, 0.05, 0.025} {
		for k := range numbers(&o) {
			for _, way := range []float64{step, -step} {
				if k == len(numbers(&o))-1 {
					way /= 8 // the temperature is small
				}
				for {
					p := o
					*numbers(&p)[k] += way
					if p.Temperature <= 0 {
						break
					}
					l := cost(&p)
					if l > best-1e-6 { // as good as no better
						break
					}
					o, best = p, l
				}
			}
		}
	}
	return o
}

// twinLoss is less the logarithm of the probability that evidence between a piece and its
// twin, weighed so, gives the truth, in all, and how many such pairs there are.
func twinLoss(o cell.Odds, all []judged, weight float64) (loss float64, n int) {
	for _, j := range all {
		if j.truth < 0 {
			continue
		}
		right := &j.fits[j.truth]
		k := slices.IndexFunc(j.fits, func(f cell.Fitted) bool { return witness.Twins(f.Sym, right.Sym) })
		if k < 0 {
			continue
		}
		e := o.Misfit(&j.fits[k], j.Visible) - o.Misfit(right, j.Visible)
		loss += math.Log1p(math.Exp(-weight * e / o.Temperature))
		n++
	}
	return loss, n
}

// TestFitOdds fits the odds on the symbols of drawn boards, and says how often the one
// that fits best is right, by the evidence for it: what clearOdds rests on.
// ONLOOKER_ODDS says how many boards; with
// ONLOOKER_ODDS_WRITE the table in odds.go is written.
func TestFitOdds(t *testing.T) {
	n := number("ONLOOKER_ODDS", 0)
	if n == 0 {
		t.Skip("ONLOOKER_ODDS=1000 fits the odds on the symbols of 1,000 boards")
	}
	profile := challengeLook(t)
	var all []judged
	for _, sc := range randomScenes(t, profile, 0, n) {
		all = append(all, judgedOn(t, profile, sc)...)
	}
	was := cell.FittedOdds()
	fitted := fitOdds(was, all)
	var table reliability // in steps of 0.05 of what is clear
	for _, j := range all {
		f := slices.Clone(j.fits)
		for i := range f {
			f[i].Misfit = fitted.Misfit(&f[i], j.Visible)
		}
		least, next := math.Inf(1), math.Inf(1)
		best := -1
		for i, o := range f {
			if o.Misfit < least {
				least, next, best = o.Misfit, least, i
			} else {
				next = min(next, o.Misfit)
			}
		}
		table.add(max(0, min(1, (next-least)/fitted.Clear())), best == j.truth)
	}
	line := fmt.Sprintf("%#v", fitted)
	t.Logf("%d symbols: loss %.5f was, %.5f is\n%s\nevidence, as a share of %.2f:\n%v", len(all), lossOf(&was, all), lossOf(&fitted, all), line, fitted.Clear(), &table)
	for weight := 0.3; weight < 1.05; weight += 0.1 {
		loss, pairs := twinLoss(was, all, weight)
		t.Logf("%d twins, their evidence %.1f times: loss %.1f", pairs, weight, loss)
	}
	if os.Getenv("ONLOOKER_ODDS_WRITE") != "" {
		writeOdds(t, line)
	}
}

// writeOdds writes a table into the cells' odds.go in the place of the one that is there.
func writeOdds(t *testing.T, table string) {
	file := filepath.Join("cell", "odds.go")
	source := solvetest.Must(os.ReadFile(file))(t)
	table = strings.TrimPrefix(table, "witness.")
	kind, _, _ := strings.Cut(table, "{")
	source = regexp.MustCompile(`return `+kind+`\{.*\}`).ReplaceAllLiteral(source, []byte("return "+table))
	solvetest.OK(t, os.WriteFile(file, source, 0o644))
}
