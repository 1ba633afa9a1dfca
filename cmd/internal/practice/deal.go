package practice

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"math/rand/v2"
	"slices"

	"onlooker/solve"
	"onlooker/solve/witness"
)

// tries bounds the redealing of one panel; the rarest kind takes some hundred.
const tries = 20000

// pillars lists how the lines of a pillar of six columns mirror each other.
var pillars = [...]struct {
	symmetry     witness.Symmetry
	starts, ends [2]image.Point
}{
	{witness.Parallel, [2]image.Point{{X: 2, Y: 12}, {X: 8, Y: 12}}, [2]image.Point{{X: 2, Y: 0}, {X: 8, Y: 0}}},
	{witness.Turned, [2]image.Point{{X: 2, Y: 12}, {X: 8, Y: 0}}, [2]image.Point{{X: 2, Y: 0}, {X: 8, Y: 12}}},
	{witness.Mirror, [2]image.Point{{X: 2, Y: 12}, {X: 4, Y: 12}}, [2]image.Point{{X: 2, Y: 0}, {X: 4, Y: 0}}},
	{witness.Rotation, [2]image.Point{{X: 2, Y: 0}, {X: 4, Y: 12}}, [2]image.Point{{X: 2, Y: 12}, {X: 4, Y: 0}}},
}

// deal deals the boards of a slot: drawn at random until the panel has an
// answer, and of three, until one has and two have none.
func deal(rng *rand.Rand, kind string) ([]*witness.Panel, error) {
	if kind != "triple-2" && kind != "triple-3" {
		p, err := draw(rng, kind, true)
		return []*witness.Panel{p}, err
	}
	boards := make([]*witness.Panel, 3)
	one := rng.IntN(3)
	for i := range boards {
		var err error
		if boards[i], err = draw(rng, kind, i == one); err != nil {
			return nil, err
		}
	}
	return boards, nil
}

// draw draws panels of a kind until one has an answer, or has none, as wanted.
func draw(rng *rand.Rand, kind string, solvable bool) (*witness.Panel, error) {
	for range tries {
		p := scatter(rng, kind)
		_, err := p.Solve(context.Background())
		if err != nil && !errors.Is(err, solve.ErrUnsolvable) {
			return nil, err
		}
		if (err == nil) == solvable {
			return p, nil
		}
	}
	return nil, fmt.Errorf("no panel with solvable=%t among %d", solvable, tries)
}

// scatter makes a panel of a kind with as many clues as the game deals, at
// random places. It may or may not have an answer.
func scatter(rng *rand.Rand, kind string) *witness.Panel {
	one := func(c, r int) *witness.Panel {
		p := witness.New(c, r, false)
		p.At(image.Pt(0, 2*r)).Start = true
		p.At(image.Pt(2*c, 0)).Cap = image.Pt(0, -1)
		return p
	}
	cuts := func(p *witness.Panel, n int) {
		for n > 0 {
			at := image.Pt(rng.IntN(p.Width()), rng.IntN(p.Height()))
			if witness.IsEdge(at) && p.At(at).Gap == 0 {
				p.At(at).Gap = witness.Broken
				n--
			}
		}
	}
	put := func(p *witness.Panel, n int, s witness.Symbol) {
		for n > 0 {
			at := image.Pt(rng.IntN(p.Width()), rng.IntN(p.Height()))
			if witness.IsCell(at) && p.At(at).Kind == 0 {
				p.At(at).Symbol = s
				n--
			}
		}
	}
	dots := func(p *witness.Panel, n int, edge bool, d witness.Dot) {
		d.On = true
		for n > 0 {
			at := image.Pt(rng.IntN(p.Width()), rng.IntN(p.Height()))
			if edge && witness.IsEdge(at) && p.At(at).Gap == 0 || !edge && witness.IsNode(at) {
				p.At(at).Dot = d
				n--
			}
		}
	}
	sq := func(c witness.Colour) witness.Symbol { return witness.Symbol{Kind: witness.Square, Colour: c} }
	var p *witness.Panel
	switch kind {
	case "maze-3":
		p = one(3, 3)
		cuts(p, 6)
	case "maze-7", "column-maze":
		p = one(7, 7)
		cuts(p, 42)
	case "squares":
		p = one(4, 4)
		cuts(p, 5)
		put(p, 6, sq("white"))
		put(p, 4, sq("black"))
	case "pedestal":
		p = witness.New(5, 5, false)
		p.At(image.Pt(0, 0)).Start = true
		p.At(image.Pt(10, 10)).Cap = image.Pt(1, 1)
		cuts(p, 20)
		dots(p, 2, true, witness.Dot{})
	case "polyominoes":
		p = one(4, 4)
		p.At(image.Pt(8, 0)).Cap = image.Pt(1, -1)
		cuts(p, 8)
		put(p, 2, witness.Symbol{Kind: witness.Star, Colour: "magenta"})
		for range 2 {
			put(p, 1, witness.Symbol{Kind: witness.Polyomino, Colour: "yellow", Shape: piece(rng)})
		}
	case "stars":
		p = one(4, 4)
		cuts(p, 10)
		put(p, 4, witness.Symbol{Kind: witness.Star, Colour: "green"})
		dots(p, 4, false, witness.Dot{})
	case "symmetry":
		p = one(6, 6)
		p.Symmetry = witness.Rotation
		p.At(image.Pt(12, 0)).Cap = image.Point{}
		p.At(image.Pt(12, 0)).Start = true
		p.At(image.Pt(0, 0)).Cap = image.Pt(-1, 0)
		p.At(image.Pt(12, 12)).Cap = image.Pt(1, 0)
		cuts(p, 6)
		dots(p, 2, false, witness.Dot{Colour: "cyan", Line: witness.OwnLine})
		dots(p, 2, false, witness.Dot{Colour: "orange", Line: witness.OtherLine})
		dots(p, 2, false, witness.Dot{})
	case "triple-2":
		p = one(4, 4)
		put(p, 6, sq("white"))
		put(p, 6, sq("black"))
	case "triple-3":
		p = one(4, 4)
		put(p, 5, sq("white"))
		put(p, 2, sq("purple"))
		put(p, 2, sq("green"))
	case "triangles-6", "triangles-8":
		p = one(4, 4)
		for range int(kind[len(kind)-1] - '0') {
			put(p, 1, witness.Symbol{Kind: witness.Triangle, Colour: "orange", Count: 1 + rng.IntN(3)})
		}
	case "pillar-dots", "pillar-squares":
		p = witness.New(6, 6, true)
		d := pillars[rng.IntN(len(pillars))]
		p.Symmetry = d.symmetry
		for i := range 2 {
			p.At(d.starts[i]).Start = true
			end := p.At(d.ends[i])
			end.Cap = image.Pt(0, 1)
			if d.ends[i].Y == 0 {
				end.Cap = image.Pt(0, -1)
			}
		}
		if kind == "pillar-dots" {
			dots(p, 8, true, witness.Dot{})
		} else {
			put(p, 3, sq("white"))
			put(p, 3, sq("black"))
		}
	}
	return p
}

// piece is four squares that hang together, the least x and y being 0, in
// reading order.
func piece(rng *rand.Rand) []image.Point {
	squares := map[image.Point]bool{{}: true}
	last := image.Point{}
	for len(squares) < 4 {
		last = last.Add([4]image.Point{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}}[rng.IntN(4)])
		squares[last] = true
	}
	var out []image.Point
	least := image.Point{}
	for s := range squares {
		out = append(out, s)
		least = image.Pt(min(least.X, s.X), min(least.Y, s.Y))
	}
	for i := range out {
		out[i] = out[i].Sub(least)
	}
	slices.SortFunc(out, func(a, b image.Point) int { return cmp.Or(a.Y-b.Y, a.X-b.X) })
	return out
}
