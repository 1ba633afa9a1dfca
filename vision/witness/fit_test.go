package witness

import (
	"cmp"
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
	"onlooker/vision/witness/view"
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
	alone := func(s witness.Symbol) *witness.Panel {
		p := witness.New(1, 1, false)
		p.At(image.Pt(1, 1)).Symbol = s
		return p
	}
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
			return witness.Differ(alone(want), alone(o.Sym)) == ""
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

// tenths counts readings by the tenth that their stated confidence lies in.
type tenths [10]struct {
	readings, right int
	stated          float64 // the sum
}

func (b *tenths) add(confidence float64, right bool) {
	t := &b[max(0, min(9, int(confidence*10)))]
	t.readings++
	t.stated += confidence
	if right {
		t.right++
	}
}

// allowed is by how much the share that is right may differ from the stated
// one.
const allowed = 0.03

// off lists the tenths whose share of right readings differs from the stated
// confidence by more than is allowed, beyond what chance explains: by two
// standard deviations of a share of so many readings.
func (b *tenths) off() (out []string) {
	for i, t := range b {
		if t.readings == 0 {
			continue
		}
		n := float64(t.readings)
		stated, right := t.stated/n, float64(t.right)/n
		if chance := 2 * math.Sqrt(stated*(1-stated)/n); math.Abs(stated-right) > allowed+chance {
			out = append(out, fmt.Sprintf("%.1f: stated %.3f, right %.3f of %d", float64(i)/10, stated, right, t.readings))
		}
	}
	return out
}

// String is a table of the tenths.
func (b *tenths) String() string {
	var out strings.Builder
	out.WriteString("     tenth  readings   stated    right  difference\n")
	for i, t := range b {
		if t.readings == 0 {
			continue
		}
		n := float64(t.readings)
		fmt.Fprintf(&out, "%.1f to %.1f  %8d  %5.1f %%  %5.1f %%  %+6.1f points\n", float64(i)/10, float64(i+1)/10, t.readings,
			100*t.stated/n, 100*float64(t.right)/n, 100*(float64(t.right)-t.stated)/n)
	}
	return out.String()
}

// TestTenths checks the counting: right readings must not be off, and an
// overconfident reader must.
func TestTenths(t *testing.T) {
	var honest, boaster tenths
	for i := range 1000 {
		honest.add(0.75, i%4 != 0)
		boaster.add(0.95, i%4 != 0)
	}
	if off := honest.off(); off != nil {
		t.Errorf("three of four right at a stated 0.75 is off: %v", off)
	}
	solvetest.Same(t, len(boaster.off()), 1, "three of four right at a stated 0.95 is off in")
}

// TestLikely: what is clearer is at least as likely, and nothing is certain.
func TestLikely(t *testing.T) {
	last := 0.0
	for k := range 101 {
		p := view.Likely(float64(k) / 100)
		if p < last || p > 0.999 {
			t.Errorf("clear by %.2f: %.4f likely, want %.4f to 0.999", float64(k)/100, p, last)
		}
		last = p
	}
	for _, r := range view.MeasuredRates() {
		if got := view.Likely(r.Clear); math.Abs(got-r.Right) > 1e-9 {
			t.Errorf("clear by %.3f: %.4f likely, want the %.4f that were measured", r.Clear, got, r.Right)
		}
	}
}

// TestStatedConfidence reads drawn boards, as TestDrawnPanelsAreRead does, those
// that are refused once more with no threshold, and prints how many of the
// readings in each tenth of the stated confidence are right, of as many hundred boards as
// ONLOOKER_MORE says.
func TestStatedConfidence(t *testing.T) {
	n := 100 * solvetest.More()
	if n == 100 {
		t.Skip("reads as many hundred boards as ONLOOKER_MORE says")
	}
	profile := challengeLook(t)
	bold := *profile
	bold.Board.Confidence = 0
	var table tenths
	var clear tenths           // what MeasuredRates rests on
	var refused, read []pooled // of one each
	var c tally                // at the profile's own threshold
	done := 0
	for seed, s := range randomScenes(t, profile, 0, n) {
		wrong, b, unsure := readScene(profile, s)
		switch {
		case unsure != nil:
			c.unsure++
			wrong, b, unsure = readScene(&bold, s)
		case wrong == "":
			c.exact++
		default:
			c.wrong++
			t.Logf("seed %d, clear by %.2f: WRONG: %s", seed, b.Clear, wrong)
		}
		if unsure == nil {
			table.add(b.Confidence, wrong == "")
			clear.add(b.Clear, wrong == "")
			r := pooled{n: 1, clear: b.Clear}
			if wrong == "" {
				r.right = 1
			}
			if b.Clear < profile.Board.Confidence {
				refused = append(refused, r)
			} else {
				read = append(read, r)
			}
		}
		if done++; done%500 == 0 || done == n {
			t.Logf("%d boards, at the threshold of %.2f: %v\n%v\nby how clear they are:\n%v", done, profile.Board.Confidence, c, &table, &clear)
		}
	}
	// Apart, so that no more doubt is stated of what is read than there is.
	t.Logf("measuredRates of these, of those that are refused:\n%sof those that are read:\n%s", isotonic(refused, allowed), isotonic(read, allowed))
	for _, o := range table.off() {
		t.Errorf("the stated confidence is off in the tenth from %s", o)
	}
}

// A pooled is readings that are about as likely to be right: how many, the least Clear and how
// many are right.
type pooled struct{ n, clear, right float64 }

// Rate is the share that is right by the rule of succession.
func (p pooled) rate() view.Rate {
	return view.Rate{Clear: p.clear, Right: min((p.right+1)/(p.n+2), 0.999)}
}

// known tells whether there are so many readings that two standard deviations of the share
// that is right are no more than this.
func (p pooled) known(within float64) bool {
	share := p.rate().Right
	return 4*share*(1-share)/p.n <= within*within
}

// isotonic is the isotonic regression of whether readings are right on how clear they are, by
// pooling adjacent violators: its steps of which it is known so well how many are right, which
// each is, or is added to the next one. A step whose rate of succession is no more than the
// last one's is not told from it.
func isotonic(readings []pooled, within float64) string {
	readings = slices.SortedFunc(slices.Values(readings), func(a, b pooled) int { return cmp.Compare(a.clear, b.clear) })
	var steps []pooled
	for _, r := range readings {
		steps = append(steps, r)
		for n := len(steps); n > 1; n-- {
			a, b := steps[n-2], steps[n-1]
			if a.known(within) && a.right*b.n < b.right*a.n {
				break
			}
			steps = append(steps[:n-2], pooled{a.n + b.n, a.clear, a.right + b.right})
		}
	}
	var out strings.Builder
	last := 0.0
	for _, p := range steps {
		if r := p.rate(); r.Right > last {
			fmt.Fprintf(&out, "{%.3f, %.3f} of %.0f\n", r.Clear, r.Right, p.n)
			last = r.Right
		}
	}
	return out.String()
}

// TestIsotonic: of what is hardly clear the clearer half is not right, and of what is clearer one
// is not, the clearest.
func TestIsotonic(t *testing.T) {
	var readings []pooled
	for k := range 40 {
		right := 1.0
		if 10 <= k && k < 20 || k == 39 {
			right = 0
		}
		readings = append(readings, pooled{1, float64(k) / 40, right})
	}
	if got, want := isotonic(readings, 0.25), "{0.000, 0.500} of 20\n{0.500, 0.909} of 20\n"; got != want {
		t.Errorf("steps\n%swant\n%s", got, want)
	}
	// Half of 16 is known to a quarter by two deviations of an eighth, half of 14 is not.
	if a, b := (pooled{16, 0, 8}), (pooled{14, 0, 7}); !a.known(0.25) || b.known(0.25) {
		t.Errorf("half of 16 and of 14 are known to a quarter: %v, %v; want the first alone", a.known(0.25), b.known(0.25))
	}
}
