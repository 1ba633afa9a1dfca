package witness

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"onlooker/calibrations"
	"onlooker/solve/solvetest"
	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/looktest"
	"onlooker/vision/witness/pointer"
	"onlooker/vision/witness/view"
)

// pointerRadius is the pointer's, in pixels of a frame of 1080 lines.
const pointerRadius = 14.3

// A judgedRound is one of a picture of which it is known whether it is the pointer.
type judgedRound struct {
	view.PointerEvidence
	pointer bool
}

// values are what tells, in the order of weights.
func values(e *view.PointerEvidence) []float64 {
	return []float64{1, e.Ring, e.Outline, e.Border, e.Tinted, e.Inked, e.Bright, e.Alike}
}

func weights(o *pointer.Odds) []*float64 {
	return []*float64{&o.Base, &o.Ring, &o.Outline, &o.Border, &o.Tinted, &o.Inked, &o.Bright, &o.Alike}
}

// A disc is where a pointer is known to be in a frame.
type disc struct {
	at vision.Point
	r  float64
}

// off is how far a round is from a disc, and by how many times it is larger or smaller.
func (d *disc) off(o disc) (away, times float64) {
	return math.Hypot(o.at.X-d.at.X, o.at.Y-d.at.Y), math.Exp(math.Abs(math.Log(o.r / d.r)))
}

// sameSize is by how many times a round may be larger or smaller than what it is found on.
const sameSize = 1.25

// placed are the rounds of a board and where they are in the frame.
func placed(b *vision.Board, profile *calibrations.Profile) (at []disc, all []judgedRound) {
	s := view.Measure(b, profile, drawing.Known(), nil)
	half := 2 / float64(s.Board.Pitch)
	for _, c := range pointer.Rounds(s) {
		v := pointer.PointerAt(s, c, pointer.Odds{}) // which refuses nothing by its odds
		if math.IsInf(v.Odds, -1) {
			continue // it is none whatever the weights are
		}
		at = append(at, disc{
			b.ScreenPoint(half*(v.X-float64(s.Board.Margin)), half*(v.Y-float64(s.Board.Margin))),
			v.R * b.ScreenPitch / float64(s.Board.Pitch),
		})
		all = append(all, judgedRound{PointerEvidence: v.Seen})
	}
	return at, all
}

// judgedRounds are the rounds of a board on whose picture the pointer lies at a place, or
// nowhere. What only touches it, as a part of its ring does, is not it; what is between is
// left out.
func judgedRounds(b *vision.Board, profile *calibrations.Profile, pointer *disc) (judged []judgedRound) {
	at, all := placed(b, profile)
	for i, j := range all {
		if pointer != nil {
			away, times := pointer.off(at[i])
			j.pointer = away < pointer.r/3 && times < sameSize
			if !j.pointer && away < pointer.r/2 && times < 1.6 {
				continue
			}
		}
		judged = append(judged, j)
	}
	return judged
}

// roundsOn are the rounds of all flat boards that are found in a frame and large enough.
func roundsOn(t *testing.T, profile *calibrations.Profile, frame image.Image, pointer *disc) (all []judgedRound) {
	boards := located(t, frame, profile)
	for _, b := range boards {
		if !b.Pillar && b.ScreenPitch >= 20 {
			all = append(all, judgedRounds(b, profile, pointer)...)
		}
	}
	return all
}

// pointed is a random scene with a pointer on it: of the size that it has in frames of 720
// to 2160 lines, as far as the game shows it on cells of that width, at any place that the
// board or its rim shows, each third time in the middle of a cell, node or edge, as opaque
// and with as dark a ring as the captures have it and somewhat more or less.
func pointed(t *testing.T, profile *calibrations.Profile, seed uint64) (scene, *disc) {
	var d disc
	sc := overlaid(t, profile, seed, func(rng *rand.Rand, sc scene) image.Image {
		between := func(a, b float64) float64 { return a + (b-a)*rng.Float64() }
		cols, rows := float64(sc.panel.Cols), float64(sc.panel.Rows)
		x, y := between(-0.5, cols+0.5), between(-0.5, rows+0.5)
		if rng.IntN(3) == 0 {
			x, y = math.Round(2*x)/2, math.Round(2*y)/2
		}
		to := homography([4]vision.Point{{}, {X: cols}, {X: cols, Y: rows}, {Y: rows}}, sc.quad)
		d.at.X, d.at.Y = mapped(to, x, y)
		d.r = pointerRadius * math.Exp(between(math.Log(2./3), math.Log(2)))
		d.r = min(d.r, 0.65*sc.pitch) // on the smallest cells
		return pointerOf(sc.frame.(*image.RGBA), d.at, d.r/pointerRadius, between(0.25, 0.5), between(0.2, 0.5))
	})
	return sc, &d
}

// capturedPointer is where the pointer is in a captured frame of the game: on entering a
// panel in the middle of the screen, or beside the end of a panel on a wall. There a round
// of its size, the nearest one, is it. In other frames it is not known.
func capturedPointer(t *testing.T, profile *calibrations.Profile, name string, frame image.Image, truth solvetest.Capture) (found *disc) {
	if frame.Bounds().Size() != image.Pt(1920, 1080) {
		return nil
	}
	expected := []disc{{vision.Point{X: 960, Y: 540}, pointerRadius}}
	reach := pointerRadius
	if strings.HasPrefix(name, "wall") {
		reach *= 2
		for _, w := range truth.Boards {
			cols, rows := float64(2*w.Size[0]), float64(2*w.Size[1])
			quad := variant{distance: 1, scale: 1}.quad(w.Quad)
			to := homography([4]vision.Point{{}, {X: cols}, {X: cols, Y: rows}, {Y: rows}}, quad)
			for _, e := range w.Ends {
				x, y := mapped(to, float64(e.At[0]), float64(e.At[1]))
				expected = append(expected, disc{vision.Point{X: x, Y: y}, pointerRadius})
			}
		}
	}
	boards := located(t, frame, profile)
	for _, b := range boards {
		if b.Pillar {
			continue
		}
		at, _ := placed(b, profile)
		for _, d := range expected {
			for _, o := range at {
				if away, times := d.off(o); away < reach && times < sameSize {
					reach, found = away, &o
				}
			}
		}
	}
	return found
}

// capturedRounds are the rounds of captured frames of which it is known where the pointer
// is, and of n variants of each from a seed on.
func capturedRounds(t *testing.T, profile *calibrations.Profile, from, n int) (all []judgedRound) {
	dir, truth := solvetest.Captures(t)
	known := map[string]*disc{}
	for name := range truth {
		frame := solvetest.Picture(t, filepath.Join(dir, name))
		if d := capturedPointer(t, profile, name, frame, truth[name]); d != nil {
			known[name] = d
			all = append(all, roundsOn(t, profile, frame, d)...)
		}
	}
	t.Logf("in %d captures it is known where the pointer is", len(known))
	eachTransformed(t, from, n, func(f transformed) {
		if d := known[f.name]; d != nil && !f.small {
			a, b := f.v.forward(d.at), f.v.forward(vision.Point{X: d.at.X, Y: d.at.Y + d.r})
			all = append(all, roundsOn(t, profile, f.frame, &disc{a, math.Hypot(b.X-a.X, b.Y-a.Y)})...)
		}
	})
	return all
}

// foreignRounds are the rounds of boards in n looks that nobody has shown, from a seed on,
// on five pictures of each, that have no pointer.
func foreignRounds(t *testing.T, profile *calibrations.Profile, from, n int) (all []judgedRound) {
	for seed := from; seed < from+n; seed++ {
		look := looktest.Random(uint64(seed))
		_, read := sightings(t, &look, 0, 5)
		for _, s := range read {
			all = append(all, roundsOn(t, profile, s.frame, nil)...)
		}
	}
	return all
}

// glowing is the picture of a seed of a board whose bright lines glow on dark ground: what
// stands in a cell has a dark ring round it, as the pointer has.
func glowing(profile *calibrations.Profile, seed uint64) image.Image {
	rng := rand.New(rand.NewPCG(seed, 2))
	between := func(a, b float64) float64 { return a + (b-a)*rng.Float64() }
	shade := func(from, to float64) color.NRGBA {
		return color.NRGBA{uint8(between(from, to)), uint8(between(from, to)), uint8(between(from, to)), 255}
	}
	style := drawing.Typical(profile)
	style.Ground, style.Lines, style.Line = shade(0, 60), shade(130, 255), between(0.15, 0.3)
	style.Around = style.Ground
	panel := witness.New(3+rng.IntN(4), 3+rng.IntN(4), false)
	panel.At(image.Pt(0, 2*panel.Rows)).Start = true
	panel.At(image.Pt(2*panel.Cols, 0)).Cap = image.Pt(1, 0)
	plain := styled(panel, style)
	for at := range panel.Points() {
		if witness.IsCell(at) && rng.IntN(4) == 0 {
			panel.At(at).Symbol = anySymbol(rng, []witness.Colour{witness.White, witness.White, witness.Magenta, witness.Green})
		}
	}
	frame := styled(panel, style)
	for k, v := range blurred(plain, between(3, 8)).Pix {
		frame.Pix[k] = max(frame.Pix[k], v)
	}
	return frame
}

// fitPointer is a logistic regression by Newton's steps. Weights are of values in units of
// their own spread, and each has as much against it as a hundredth of a round.
func fitPointer(all []judgedRound) (o pointer.Odds) {
	weights := weights(&o)
	n := len(weights)
	units := make([]float64, n)
	for _, j := range all {
		for i, x := range values(&j.PointerEvidence) {
			units[i] += x * x / float64(len(all))
		}
	}
	for i := range units {
		units[i] = max(units[i], 1e-6) // seen nowhere: its weight is 0
	}
	for range 50 {
		m := make([][]float64, n) // the normal equations
		for i := range m {
			m[i] = make([]float64, n+1)
			m[i][i] = 0.01 * units[i]
			m[i][n] = -0.01 * units[i] * *weights[i]
		}
		for _, j := range all {
			p, truth := 1/(1+math.Exp(-o.Of(j.PointerEvidence))), 0.0
			if j.pointer {
				truth = 1
			}
			x := values(&j.PointerEvidence)
			for i := range n {
				for k := range n {
					m[i][k] += p * (1 - p) * x[i] * x[k]
				}
				m[i][n] += (truth - p) * x[i]
			}
		}
		step, _ := vision.Solve(m, 0)
		for i := range step {
			*weights[i] += step[i]
		}
	}
	return o
}

// verdictOf is how well odds tell rounds: the mean logarithm of the probability that they give
// the truth, less that, and how many rounds of either kind are on the wrong side.
func verdictOf(o *pointer.Odds, all []judgedRound) string {
	loss, pointers, missed, taken := 0.0, 0, 0, 0
	for _, j := range all {
		l := o.Of(j.PointerEvidence)
		if j.pointer {
			pointers++
			l = -l
		}
		loss += (max(0, l) + math.Log1p(math.Exp(-math.Abs(l)))) / float64(len(all))
		if l > 0 && j.pointer {
			missed++
		} else if l > 0 {
			taken++
		}
	}
	return fmt.Sprintf("loss %.5f; %d of %d pointers missed, %d of %d others taken", loss, missed, pointers, taken, len(all)-pointers)
}

// TestFitPointer fits the weights of what tells the pointer, on n drawn boards without it,
// n on which one is drawn, n/2 that glow, n/2 pictures of looks that nobody has shown, and,
// where they are, the captures of which it is known where it is, with four variants of
// each. All rounds weigh alike. ONLOOKER_POINTER says what n is,
// ONLOOKER_POINTER_FIRST the first seed; with ONLOOKER_POINTER_WRITE the table in odds.go is
// written. How each source alone is told is printed.
func TestFitPointer(t *testing.T) {
	n := number("ONLOOKER_POINTER", 0)
	if n == 0 {
		t.Skip("ONLOOKER_POINTER=200 fits the pointer's weights on 600 drawn pictures and on the captures")
	}
	first, _ := strconv.ParseUint(os.Getenv("ONLOOKER_POINTER_FIRST"), 10, 64)
	profile := challengeLook(t)
	var sources [5][]judgedRound
	lost := 0
	for seed := first; seed < first+uint64(n); seed++ {
		if b := randomScene(t, profile, seed).board(t, profile); b != nil && b.ScreenPitch >= 20 {
			sources[0] = append(sources[0], judgedRounds(b, profile, nil)...)
		}
		sc, d := pointed(t, profile, seed)
		if b := sc.board(t, profile); b != nil && b.ScreenPitch >= 20 {
			rounds := judgedRounds(b, profile, d)
			sources[1] = append(sources[1], rounds...)
			if !slices.ContainsFunc(rounds, func(j judgedRound) bool { return j.pointer }) {
				lost++
			}
		}
	}
	for seed := first; seed < first+uint64(n/2); seed++ {
		sources[4] = append(sources[4], roundsOn(t, profile, glowing(profile, seed), nil)...)
	}
	sources[2] = foreignRounds(t, profile, int(first)+1, n/10)
	if _, err := os.Stat(solvetest.Shared("captures")); err == nil {
		sources[3] = capturedRounds(t, profile, int(first), 4)
	}
	var all []judgedRound
	for _, rounds := range sources {
		all = append(all, rounds...)
	}
	fitted := fitPointer(all)
	for _, w := range weights(&fitted) {
		*w, _ = strconv.ParseFloat(strconv.FormatFloat(*w, 'g', 2, 64), 64)
	}
	was := pointer.FittedOdds()
	for i, what := range []string{"boards without a pointer", "boards with one drawn on", "looks that nobody has shown", "captures", "boards that glow", "all"} {
		rounds := all
		if i < len(sources) {
			rounds = sources[i]
		}
		t.Logf("%s:\nwas %s\nis  %s", what, verdictOf(&was, rounds), verdictOf(&fitted, rounds))
	}
	// PointerAt leaves off where what it has seen is too little with the best of the rest.
	for i, w := range weights(&fitted)[1:] {
		if (i == 0) != (*w > 0) {
			t.Errorf("weight %d is %v: the ring alone tells for a pointer", i+1, *w)
		}
	}
	line := fmt.Sprintf("%#v", fitted)
	t.Logf("on %d boards no round was the drawn pointer\n%s", lost, line)
	if os.Getenv("ONLOOKER_POINTER_WRITE") != "" {
		writeOdds(t, line)
	}
}
