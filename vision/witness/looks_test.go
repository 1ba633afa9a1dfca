package witness

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"onlooker/calibrations"
	"onlooker/solve/solvetest"
	witness "onlooker/solve/witness/board"
	"onlooker/vision/picture/made"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/learn"
	"onlooker/vision/witness/looktest"
)

// mixedPanel is a random panel whose cells, every other time, hold all kinds
// of symbols side by side. Caps are upright: truth.jsonl has no others.
func mixedPanel(rng *rand.Rand, cols, rows int) *witness.Panel {
	p := randomPanel(rng, cols, rows)
	for at := range p.Points() {
		if s := p.At(at); s.Cap.X != 0 && s.Cap.Y != 0 {
			s.Cap.X = 0
		}
	}
	if rng.IntN(2) == 0 {
		return p
	}
	colours := []witness.Colour{witness.Black, witness.White, witness.Magenta, witness.Green}
	rng.Shuffle(len(colours), func(i, j int) { colours[i], colours[j] = colours[j], colours[i] })
	for at := range p.Points() {
		if !witness.IsCell(at) {
			continue
		}
		beside := func(is func(*witness.Spot) bool) (n int) {
			for _, d := range []image.Point{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}} {
				if is(p.At(at.Add(d))) {
					n++
				}
			}
			return n
		}
		s := &p.At(at).Symbol
		*s = witness.Symbol{}
		if rng.IntN(2) == 0 || beside(func(s *witness.Spot) bool { return s.Start }) > 0 || beside(func(s *witness.Spot) bool { return s.Gap == witness.Missing }) > 1 {
			continue
		}
		*s = anySymbol(rng, colours)
	}
	return p
}

func anySymbol(rng *rand.Rand, colours []witness.Colour) witness.Symbol {
	s := witness.Symbol{Colour: colours[rng.IntN(3)]}
	switch rng.IntN(8) {
	case 0, 1:
		s.Kind = witness.Square
	case 2, 3:
		s.Kind = witness.Star
	case 4:
		s.Kind, s.Colour, s.Count = witness.Triangle, witness.Orange, 1+rng.IntN(3)
	case 5:
		s.Kind, s.Colour, s.Shape, s.Turnable = witness.Polyomino, witness.Yellow, randomShape(rng), rng.IntN(2) == 0
	case 6:
		s.Kind, s.Colour, s.Shape, s.Turnable = witness.Negative, witness.Blue, randomShape(rng), rng.IntN(3) == 0
	case 7:
		s.Kind = witness.Eraser
	}
	if len(s.Shape) == 1 {
		s.Turnable = false
	}
	return s
}

// traits are what a panel shows, of all that eight pictures to learn from are
// to show together.
func traits(p *witness.Panel) map[string]bool {
	out := map[string]bool{}
	for at := range p.Points() {
		s := p.At(at)
		place := "node"
		if witness.IsEdge(at) {
			place = []string{"across", "up"}[at.X%2^1]
		}
		switch {
		case s.Kind != witness.NoSymbol:
			out[fmt.Sprint("kind ", s.Kind, " ", s.Count, " ", s.Turnable)] = true
			if s.Kind == witness.Square || s.Kind == witness.Star || s.Kind == witness.Eraser {
				out[fmt.Sprint("kind ", s.Kind, " in ", s.Colour)] = true
			}
			if len(s.Shape) > 3 {
				out["a large piece"] = true
			}
		case s.Dot.On:
			out[fmt.Sprint("dot ", s.Dot.Line, " ", place)] = true
		case s.Gap != witness.Whole && !witness.IsCell(at):
			border := at.X == 0 || at.Y == 0 || at.X == 2*p.Cols || at.Y == 2*p.Rows
			out[fmt.Sprint("gap ", s.Gap, " ", place, " ", border)] = true
		case s.Start:
			out["start "+place] = true
		case s.IsEnd():
			out[fmt.Sprint("cap ", s.Cap)] = true
		}
	}
	return out
}

// panelsToLearn are n panels of at most 6×6 cells which together show as much
// as can be: each is the one of forty that adds most.
func panelsToLearn(rng *rand.Rand, n int) []*witness.Panel {
	var out []*witness.Panel
	seen := map[string]bool{}
	for range n {
		var best *witness.Panel
		most := -1
		for range 40 {
			p := mixedPanel(rng, 2+rng.IntN(5), 2+rng.IntN(5))
			fresh := 0
			for k := range traits(p) {
				if !seen[k] {
					fresh++
				}
			}
			if fresh > most {
				best, most = p, fresh
			}
		}
		for k := range traits(best) {
			seen[k] = true
		}
		out = append(out, best)
	}
	return out
}

// panelsToRead are n panels of one to nine cells a side.
func panelsToRead(rng *rand.Rand, n int) []*witness.Panel {
	var out []*witness.Panel
	for range n {
		cols, rows := 1+rng.IntN(9), 1+rng.IntN(9)
		if rng.IntN(3) > 0 {
			cols, rows = 3+rng.IntN(4), 3+rng.IntN(4)
		}
		out = append(out, mixedPanel(rng, cols, rows))
	}
	return out
}

// A sighting is one picture of a foreign look, as it would be read from a file.
type sighting struct {
	*looktest.Tile
	name  string
	frame image.Image
}

// sightings draws pictures of a look: some to learn from, nearly straight on,
// and others to be read.
func sightings(t testing.TB, look *looktest.Look, learn, read int) (toLearn, toRead []sighting) {
	t.Helper()
	toLearn = drawnSightings(t, look, "learn", 0, panelsToLearn(panelsOf(look, 1), learn), min(look.Effects.Slant, 2))
	return toLearn, drawnSightings(t, look, "test", 0, panelsToRead(panelsOf(look, 2), read), look.Effects.Slant)
}

// sightingToRead draws the k-th picture of a look that is to be read, from 1 on, and none else.
func sightingToRead(t testing.TB, look *looktest.Look, k int) sighting {
	t.Helper()
	return drawnSightings(t, look, "test", k-1, panelsToRead(panelsOf(look, 2), k)[k-1:], look.Effects.Slant)[0]
}

// panelsOf is what a look's panels of a set are made by.
func panelsOf(look *looktest.Look, set uint64) *rand.Rand {
	return rand.New(rand.NewPCG(seedOf(look), set))
}

func seedOf(look *looktest.Look) uint64 {
	seed := fnv.New64()
	seed.Write([]byte(look.Name))
	return seed.Sum64()
}

// drawnSightings draws panels of a set of which so many are before.
func drawnSightings(t testing.TB, look *looktest.Look, set string, before int, panels []*witness.Panel, slant float64) (out []sighting) {
	t.Helper()
	var tiles []*looktest.Tile
	for i, p := range panels {
		tiles = append(tiles, looktest.NewTile(look, p, rand.New(rand.NewPCG(seedOf(look), uint64(len(set)<<32+before+i))), slant))
	}
	for i, m := range drawTiles(t, tiles) {
		s := sighting{Tile: tiles[i], name: fmt.Sprintf("%s-%s-%02d", look.Name, set, before+i+1)}
		s.encode(t, m)
		out = append(out, s)
	}
	return out
}

// encode keeps what a reader of a picture's file sees.
func (s *sighting) encode(t testing.TB, m image.Image) {
	t.Helper()
	if q := s.Look.Effects.JPEG; q > 0 {
		s.name += ".jpg"
		var b bytes.Buffer
		err := jpeg.Encode(&b, m, &jpeg.Options{Quality: q})
		if err == nil {
			m, err = jpeg.Decode(&b)
		}
		if err != nil {
			t.Fatal(err)
		}
	} else {
		s.name += ".png"
	}
	s.frame = m
}

// drawTiles has a browser draw tiles, a dozen at a time.
func drawTiles(t testing.TB, tiles []*looktest.Tile) (out []image.Image) {
	t.Helper()
	for some := range slices.Chunk(tiles, 12) {
		html, size, at := looktest.Sheet(some)
		whole := screenshot(t, html, size, 1)
		for i, tile := range some {
			m := image.NewRGBA(image.Rectangle{Max: tile.Size})
			draw.Draw(m, m.Rect, whole, at[i], draw.Src)
			out = append(out, m)
		}
	}
	return out
}

func number(variable string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(variable)); err == nil {
		return n
	}
	return otherwise
}

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
				all.count(t, fmt.Sprint("seed ", seed), wrong, unsure)
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
