package witness

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"onlooker/calibrations"
	"onlooker/solve/solvetest"
	witness "onlooker/solve/witness/board"
	"onlooker/vision/picture/made"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/learn"
	"onlooker/vision/witness/looktest"
)

// A furtherLook is a look with symbols that the game has not.
type furtherLook struct {
	profile string
	style   func(rng *rand.Rand, p *calibrations.Profile) drawing.Style
	pitch   [2]float64 // least and greatest, in pixels, before what is turned away grows smaller
	blur    float64    // the most, in pixels
}

// furtherLooks are those that come along.
func furtherLooks() []furtherLook {
	game := func(rng *rand.Rand, p *calibrations.Profile) drawing.Style {
		s := randomStyle(rng, p)
		s.Line = 0.12 + 0.08*rng.Float64()
		return s
	}
	site := func(rng *rand.Rand, p *calibrations.Profile) drawing.Style {
		s := drawing.Typical(p)
		b := &p.Board
		s.Line, s.Gap, s.Start, s.Cap = (b.Line[0]+b.Line[1])/2, (b.Gap[0]+b.Gap[1])/2, (b.Start[0]+b.Start[1])/2, (b.Cap[0]+b.Cap[1])/2
		s.Ground, s.Lines, s.Dot = color.NRGBA{0, 170, 136, 255}, themes[0].lines, color.NRGBA{A: 255}
		s.Around = color.NRGBA{A: 255}
		s.Inks[witness.Yellow], s.Inks[witness.Orange] = color.NRGBA{255, 255, 0, 255}, color.NRGBA{255, 165, 0, 255}
		if rng.IntN(2) == 0 {
			s.Ground, s.Lines, s.Around = color.NRGBA{34, 34, 17, 255}, themes[1].lines, color.NRGBA{102, 102, 102, 255}
			s.Inks[witness.Black] = color.NRGBA{200, 30, 30, 255} // that is hardly seen there
		}
		s.Trace, s.Second = color.NRGBA{136, 255, 255, 255}, color.NRGBA{255, 255, 34, 255}
		return s
	}
	return []furtherLook{
		{"witness-sigma", game, [2]float64{60, 100}, 1},
		{"witness-sigma-dev", game, [2]float64{60, 100}, 1},
		{"witnesspuzzles", site, [2]float64{66, 100}, 0.4},
		{"witnesspuzzles-sigma", site, [2]float64{72, 100}, 0.4},
		{"looksy", func(rng *rand.Rand, p *calibrations.Profile) drawing.Style {
			s := site(rng, p)
			s.Ground, s.Lines, s.Around = color.NRGBA{170, 170, 170, 255}, color.NRGBA{51, 51, 51, 255}, color.NRGBA{238, 238, 238, 255}
			s.Inks[witness.Black] = color.NRGBA{A: 255}
			return s
		}, [2]float64{72, 100}, 0.4},
	}
}

// furtherPanel is a random panel in which half of the symbols, and some more, are of
// kinds that the game has not.
func furtherPanel(rng *rand.Rand, kinds []witness.Kind) *witness.Panel {
	p := mixedPanel(rng, 2+rng.IntN(4), 2+rng.IntN(4))
	inks := []witness.Colour{witness.Black, witness.White, witness.Magenta, witness.Green, witness.Orange}
	rng.Shuffle(len(inks), func(i, j int) { inks[i], inks[j] = inks[j], inks[i] })
	put := 0
	for at := range p.Points() {
		if p.At(at).Gap == witness.Missing {
			p.At(at).Gap = witness.Whole // the randomizer leaves none out
		}
		s := &p.At(at).Symbol
		beside := func(d image.Point) bool { return p.At(at.Add(d)).Start }
		if !witness.IsCell(at) || rng.IntN(2) == 0 || slices.ContainsFunc([]image.Point{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}}, beside) {
			continue
		}
		*s = kinds[rng.IntN(len(kinds))].Sample(rng)
		s.Colour, s.Count = inks[rng.IntN(2)], min(s.Count, mostHeads(s.Kind))
		put++
	}
	if put == 0 {
		return furtherPanel(rng, kinds)
	}
	return p
}

// mostHeads is how many of a kind the randomizer deals in a cell.
func mostHeads(k witness.Kind) int {
	if k == witness.Arrow || k == witness.Dart {
		return 3
	}
	return k.Most()
}

// furtherScene is a panel of a look, near or far, up to 30° aside, blurred and compressed.
func furtherScene(t testing.TB, look furtherLook, profile *calibrations.Profile, kinds []witness.Kind, seed uint64) scene {
	rng := rand.New(rand.NewPCG(seed, 53))
	panel, style := furtherPanel(rng, kinds), look.style(rng, profile)
	near := rng.Float64()
	sc := hung(rng, panel, style, look.pitch[0]+(look.pitch[1]-look.pitch[0])*near*near, [2]float64{math.Pi / 6, math.Pi / 6})
	d := distortion{blur: look.blur * rng.Float64()}
	if rng.IntN(2) == 0 {
		d.quality = 70 + rng.IntN(30)
	}
	sc.frame = d.apply(t, rng, copied(sc.frame))
	return sc
}

// TestFurtherLooks reads panels with symbols that the game has not in each look that has
// them: of 300 in each 97 % must be exact, and none wrong.
func TestFurtherLooks(t *testing.T) {
	n := 8 * solvetest.More()
	for _, look := range furtherLooks() {
		t.Run(look.profile, func(t *testing.T) {
			profile := solvetest.Must(calibrations.Load(look.profile))(t)
			var kinds []witness.Kind
			for _, k := range witness.Kinds() {
				if slices.Contains(profile.Kinds, k.String()) {
					kinds = append(kinds, k)
				}
			}
			var all tally
			for i := range n {
				seed := uint64(5300000 + i)
				wrong, _, unsure := readScene(profile, furtherScene(t, look, profile, kinds, seed))
				switch {
				case unsure != nil:
					all.unsure++
					t.Logf("seed %d: %v", seed, unsure)
				case wrong != "":
					all.wrong++
					t.Errorf("seed %d: WRONG: %s", seed, wrong)
				default:
					all.exact++
				}
			}
			t.Log(all)
			few := 0
			if n < 100 {
				few = 2 // of so few
			}
			if 100*(all.exact+few) < 97*n {
				t.Errorf("%d of %d exact, want 97 of 100", all.exact, n)
			}
		})
	}
}

// TestCalibrateFurther learns a look with symbols that the game has not from pictures of
// which it is told what they show, and reads others by it: numbers and directions that
// were not shown are drawn from their shapes.
func TestCalibrateFurther(t *testing.T) {
	drawn := solvetest.Must(calibrations.Load("witness-sigma-dev"))(t)
	kinds := []witness.Kind{witness.Arrow, witness.Mines, witness.Flower, witness.Cave}
	style := drawing.Typical(drawn)
	style.Line = 0.16
	var panels []*witness.Panel
	var boards []image.Image
	var shots []learn.Shot
	for i := range 11 {
		rng := rand.New(rand.NewPCG(uint64(i), 31))
		p := made.Panel(4, 3, false, witness.NoSymmetry, made.Starts(image.Pt(0, 6)), made.End(8, 0, 0, -1), made.Gap(witness.Broken, image.Pt(3, 2)))
		for k, cell := range rng.Perm(12)[:8] {
			s := &p.At(image.Pt(2*(cell%4)+1, 2*(cell/4)+1)).Symbol
			if *s = kinds[k%4].Sample(rng); k > 5 {
				*s = witness.Symbol{Kind: witness.Square}
			}
			s.Colour, s.Count = []witness.Colour{witness.White, witness.Magenta}[k%2], min(s.Count, mostHeads(s.Kind))
		}
		panels, boards = append(panels, p), append(boards, looktest.OnWall(p, style, 64))
		if i < 8 {
			shots = append(shots, learn.Shot{Name: fmt.Sprint("picture ", i), Frame: boards[i], Truth: []learn.Truth{{Panel: p}}})
		}
	}
	c := solvetest.Must(Calibrate(challengeLook(t), shots))(t)
	if len(c.Profile.Kinds) != len(kinds) || len(c.Refused) > 0 {
		t.Errorf("it shows %v, and refuses %v", c.Profile.Kinds, c.Refused)
	}
	for i, p := range panels[8:] {
		if got, err := readPanel(t, c.Profile, only(t, boards[8+i], c.Profile)); err != nil {
			t.Errorf("panel %d: %v", i, err)
		} else if d := witness.Differ(p, got); d != "" {
			t.Errorf("panel %d: %s", i, d)
		}
	}
}
