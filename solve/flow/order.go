package flow

import (
	"context"
	"fmt"
	"image"
	"math/rand/v2"

	"onlooker/solve"
)

func wishes() []solve.Wish {
	return []solve.Wish{
		{Name: "hexagons", Doc: "1: six neighbours instead of four", Most: 1},
		{Name: "torus", Doc: "1: opposite borders are joined", Most: 1},
		{Name: "holes", Doc: "cells that are no part of the board"},
		{Name: "bridges", Doc: "cells where two paths cross"},
		{Name: "walls", Doc: "walls between cells"},
	}
}

// toOrder makes a board whose paths fill every cell; a unique one has a single
// answer in which no path touches itself.
func toOrder(ctx context.Context, rng *rand.Rand, o solve.Order) (solve.Puzzle, error) {
	if len(o.Wishes) == 0 && !o.Unique {
		return generateSquare(ctx, rng, o.Cols, o.Rows)
	}
	// Holes and walls may cut the board into what cannot be filled.
	const tries = 100
	var err error
	for range tries {
		var board, p *Puzzle
		if board, err = empty(rng, o); err != nil {
			return nil, err
		}
		if o.Unique {
			p, err = DealUnique(ctx, rng, board)
		} else {
			p, err = Deal(ctx, rng, board)
		}
		if err == nil {
			return p, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	return nil, err
}

// empty is a board without pairs.
func empty(rng *rand.Rand, o solve.Order) (*Puzzle, error) {
	n := o.Wishes
	shape := Square
	if n["hexagons"] > 0 {
		shape = Hex
	}
	b := NewBuilder(shape, o.Cols, o.Rows)
	if n["torus"] > 0 {
		b.Torus()
	}
	// Holes come first, then bridges on other cells that have four neighbours.
	var inner []image.Point
	for i, k := range rng.Perm(o.Cols * o.Rows) {
		c := image.Pt(k%o.Cols, k/o.Cols)
		switch {
		case i < n["holes"]:
			b.Hole(c)
		case n["torus"] > 0 || c.X > 0 && c.Y > 0 && c.X < o.Cols-1 && c.Y < o.Rows-1:
			inner = append(inner, c)
		}
	}
	if len(inner) < n["bridges"] {
		return nil, fmt.Errorf("flow: no room for %d bridges and %d holes on %d×%d cells", n["bridges"], n["holes"], o.Cols, o.Rows)
	}
	for _, c := range inner[:n["bridges"]] {
		b.Bridge(c)
	}
	// Each cell's ways to the right and down.
	ways := rng.Perm(2 * o.Cols * o.Rows)
	left := n["walls"]
	for _, k := range ways {
		c := image.Pt(k/2%o.Cols, k/2/o.Cols)
		d := c.Add(image.Pt(k%2, 1-k%2))
		if left > 0 && d.X < o.Cols && d.Y < o.Rows && !b.p.hole[c.Y*o.Cols+c.X] && !b.p.hole[d.Y*o.Cols+d.X] {
			b.Wall(c, d)
			left--
		}
	}
	if left > 0 {
		return nil, fmt.Errorf("flow: no room for %d walls on %d×%d cells", n["walls"], o.Cols, o.Rows)
	}
	return b.Puzzle()
}
