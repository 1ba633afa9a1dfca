package deal

import (
	"context"
	"errors"
	"fmt"
	"image"
	rand "math/rand/v2"
	"slices"
	"strings"

	"onlooker/solve"
	"onlooker/solve/witness/board"
)

// Wishes are what a random panel may be asked for; the numbers are exact.
func Wishes(kinds []board.Kind) []solve.Wish {
	wishes := []solve.Wish{
		{Name: "squares", Doc: "squares"},
		{Name: "colours", Doc: "colours of squares, 2 unless said", Most: len(squareColours())},
		{Name: "stars", Doc: "stars"},
		{Name: "pieces", Doc: "polyominoes"},
		{Name: "turned", Doc: "how many of the pieces may be turned"},
		{Name: "negatives", Doc: "blue pieces, each beside a yellow one of its own"},
		{Name: "triangles", Doc: "cells with triangles"},
		{Name: "dots", Doc: "dots"},
		{Name: "erasers", Doc: "erasers"},
		{Name: "cuts", Doc: "broken edges"},
		{Name: "missing", Doc: "edges that are not there"},
		{Name: "starts", Doc: "starts besides the first"},
		{Name: "ends", Doc: "ends besides the first"},
		{Name: "symmetry", Doc: "1 mirror, 2 flip, 3 rotation; 4 parallel and 5 turned on pillars", Most: int(board.Turned)},
		{Name: "pillar", Doc: "1: a pillar", Most: 1},
	}
	for _, k := range kinds {
		if k.By() != nil {
			wishes = append(wishes, solve.Wish{Name: wishOf(k), Doc: fmt.Sprintf("cells with %s, under the rules of sigma", k.Called())})
		}
	}
	return wishes
}

// wishOf is the wish for a kind: its name for several.
func wishOf(k board.Kind) string { return strings.TrimSuffix(k.String(), "s") + "s" }

// options are an order as the generator takes it.
func (d Deck) options(o solve.Order) Options {
	n := o.Wishes
	g := Options{
		Cols: o.Cols, Rows: o.Rows, Pillar: n["pillar"] > 0, Symmetry: board.Symmetry(n["symmetry"]),
		Squares: n["squares"], SquareColours: n["colours"], Stars: n["stars"],
		Pieces: n["pieces"], Turned: n["turned"], Negatives: n["negatives"],
		Triangles: n["triangles"], Dots: n["dots"], ColouredDots: n["symmetry"] > 0, Erasers: n["erasers"],
		Cuts: n["cuts"], MissingEdges: n["missing"], ExtraStarts: n["starts"], ExtraEnds: n["ends"],
	}
	for _, k := range d.Kinds {
		if some := n[wishOf(k)]; k.By() != nil && some > 0 {
			g.Rules, g.Others = board.Sigma, append(g.Others, SymbolCount{k, some})
		}
	}
	return g
}

// Make makes a panel to order.
func (d Deck) Make(ctx context.Context, rng *rand.Rand, o solve.Order) (*board.Panel, error) {
	g := d.options(o)
	if err := board.CheckSize(g.Cols, g.Rows, g.Pillar, g.Symmetry); err != nil {
		return nil, fmt.Errorf("witness: %w", err)
	}
	if g.Turned > g.Pieces {
		return nil, fmt.Errorf("witness: turned=%d of pieces=%d, want no more than there are", g.Turned, g.Pieces)
	}
	p, err := d.dealt(ctx, rng, o, g)
	if err != nil {
		return nil, err
	}
	if _, exact := o.Wishes["cuts"]; o.Unique && !exact {
		return d.single(ctx, p, rng)
	}
	return p, nil
}

// dealt is a panel as it is wished for by numbers, or one worth solving.
func (d Deck) dealt(ctx context.Context, rng *rand.Rand, o solve.Order, g Options) (*board.Panel, error) {
	if len(o.Wishes) > 0 {
		p, _, err := d.Solvable(ctx, rng, g)
		if errors.Is(err, errNoRoom) {
			err = fmt.Errorf("witness: %w on %d×%d cells", errNoRoom, o.Cols, o.Rows)
		}
		return p, err
	}
	all := presets()
	i := slices.IndexFunc(all, func(p preset) bool { return p.Name == o.Preset })
	return d.worthy(ctx, rng, func() (*board.Panel, error) {
		if i < 0 {
			return d.Any(ctx, rng, o.Cols, o.Rows)
		}
		return all[i].deal(ctx, d, rng, o.Cols, o.Rows)
	})
}

// single breaks edges of the panel until it has one answer: as long as there
// is a second one, an edge that it takes and the first does not.
func (d Deck) single(ctx context.Context, p *board.Panel, rng *rand.Rand) (*board.Panel, error) {
	p = p.Clone()
	for {
		var found []solve.Solution
		for s, err := range d.Solver.All(ctx, p) {
			if err != nil {
				return nil, err
			}
			if found = append(found, s); len(found) == 2 {
				break
			}
		}
		if len(found) == 0 {
			return nil, errors.New("witness: internal error: breaking edges took the answer away")
		}
		if len(found) == 1 {
			return p, nil
		}
		first := edgesOf(p, found[0])
		var extra []image.Point
		for _, stroke := range found[1] {
			for i := 1; i < len(stroke)-1; i++ { // the last step is the end's cap
				at := p.Wrap(midway(stroke[i-1], stroke[i]))
				if board.IsEdge(at) && !first[at] {
					extra = append(extra, at)
				}
			}
		}
		if len(extra) == 0 {
			return p, nil // it ends elsewhere, or is the same line from the other start
		}
		p.At(extra[rng.IntN(len(extra))]).Gap = board.Broken
		p = p.Clone()
	}
}

// edgesOf are the edges that a solution's lines pass, the second line's too.
func edgesOf(p *board.Panel, s solve.Solution) map[image.Point]bool {
	on := map[image.Point]bool{}
	for _, stroke := range s {
		for i := 1; i < len(stroke)-1; i++ {
			at := p.Wrap(midway(stroke[i-1], stroke[i]))
			on[at] = true
			if other, ok := p.Image(at); ok {
				on[other] = true
			}
		}
	}
	return on
}

// midway is the half-cell between two that follow each other on a stroke, or
// the second where it lies beside the first.
func midway(a, b image.Point) image.Point {
	if d := b.Sub(a); d.X%2 == 0 && d.Y%2 == 0 {
		return a.Add(image.Pt(d.X/2, d.Y/2))
	}
	return b
}

// A preset deals panels of a sort, with an answer or without.
type preset struct {
	solve.Preset
	deal func(ctx context.Context, d Deck, rng *rand.Rand, cols, rows int) (*board.Panel, error)
}

// Presets are the sorts of panels that may be asked for by name.
func Presets() (all []solve.Preset) {
	for _, p := range presets() {
		all = append(all, p.Preset)
	}
	return all
}

func presets() []preset {
	// sort deals by options that are drawn anew until they come out.
	sort := func(options func(d draw) Options) func(context.Context, Deck, *rand.Rand, int, int) (*board.Panel, error) {
		return func(ctx context.Context, deck Deck, rng *rand.Rand, cols, rows int) (*board.Panel, error) {
			for d := (draw{rng, cols * rows, cols * rows}); ctx.Err() == nil; d.room = d.room * 3 / 4 {
				o := options(d)
				o.Cols, o.Rows = cols, rows
				if p, _, err := deck.Solvable(ctx, rng, o); err == nil {
					return p, nil
				}
			}
			return nil, ctx.Err()
		}
	}
	return []preset{
		{solve.Preset{Name: "challenge", Doc: "like the Challenge's, in their own sizes, mazes and triples aside"},
			func(ctx context.Context, _ Deck, rng *rand.Rand, _, _ int) (*board.Panel, error) {
				kinds := dealKinds()
				for { // mazes have nothing that matters, and are dealt anew
					if k := kinds[rng.IntN(len(kinds))]; !k.triple {
						return k.panel(rng), ctx.Err()
					}
				}
			}},
		{solve.Preset{Name: "swamp", Doc: "pieces, some of them turned, some taken away"},
			sort(func(d draw) Options {
				o := Options{Pieces: 1 + d.some(d.area/6+1)}
				o.Turned, o.Negatives = d.rng.IntN(o.Pieces+1), d.some(1)
				return o
			})},
		{solve.Preset{Name: "stars", Doc: "stars, with squares or dots"},
			sort(func(d draw) Options {
				return Options{Stars: 2 * (2 + d.some(d.area/4)), Squares: d.some(d.area / 6), Dots: d.some(4)}
			})},
		{solve.Preset{Name: "squares", Doc: "squares of two or three colours"},
			sort(func(d draw) Options {
				return Options{Squares: min(d.room, d.area/3) + d.some(d.area/2), SquareColours: 2 + d.rng.IntN(2)}
			})},
		{solve.Preset{Name: "triangles", Doc: "triangles"},
			sort(func(d draw) Options { return Options{Triangles: 1 + d.some(d.area/2)} })},
		{solve.Preset{Name: "town", Doc: "several kinds together, erasers among them"},
			sort(func(d draw) Options {
				return Options{Squares: d.some(d.area / 3), Stars: 2 * d.some(d.area/8), Pieces: d.some(2), Triangles: d.some(d.area / 6), Dots: d.some(3), Erasers: d.some(1)}
			})},
	}
}
