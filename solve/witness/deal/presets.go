package deal

import (
	"context"
	rand "math/rand/v2"

	"onlooker/solve"
	"onlooker/solve/witness/board"
)

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
