package witness

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"image"
	"image/draw"
	"image/jpeg"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	witness "onlooker/solve/witness/board"
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
