package deal

import (
	"image"
	"slices"

	"onlooker/solve/witness/board"
)

func mixDots(o *Options, d draw) {
	o.Dots, o.Cuts = d.some(d.area/2+1), d.some(d.area)
}

// dealDots puts dots on what a line covers.
func dealDots(g *generator) error {
	var places []image.Point
	for at := range g.p.Points() {
		if s := g.p.At(at); !board.IsCell(at) && g.line.Covered(at) && !s.Start && !s.IsEnd() {
			places = append(places, at)
		}
	}
	if len(places) < g.o.Dots {
		return errNoRoom
	}
	g.rng.Shuffle(len(places), func(i, j int) { places[i], places[j] = places[j], places[i] })
	for _, at := range places[:g.o.Dots] {
		dot := board.Dot{On: true}
		if g.o.ColouredDots && g.o.Symmetry != board.NoSymmetry && g.rng.IntN(3) > 0 {
			dot.Line, dot.Colour = board.OwnLine, board.Cyan
			if g.line.ByImage(at) {
				dot.Line, dot.Colour = board.OtherLine, board.Orange
			}
		}
		g.p.At(at).Dot = dot
	}
	return nil
}

func mixErasers(o *Options, d draw) {
	o.Squares, o.Erasers, o.Dots = d.some(d.area/2), min(1, d.room), d.some(2)
}

// dealErasers puts something wrong beside each eraser: a square of another colour than
// its region's, a star alone, triangles of a wrong number.
func dealErasers(g *generator) error {
	for range g.o.Erasers {
		r := g.anyFree(2)
		if r == nil {
			return errNoRoom
		}
		if r.pieces && !g.o.Rules.ErasersAmongPieces {
			return errNoRoom
		}
		at := g.take(r)
		var s board.Symbol
		switch colours := squareColours(); {
		case r.square != "" && g.rng.IntN(2) == 0:
			for s.Kind == board.NoSymbol || s.Colour == r.square {
				s = board.Symbol{Kind: board.Square, Colour: colours[g.rng.IntN(2)]}
			}
		case g.o.Stars > 0:
			s = board.Symbol{Kind: board.Star, Colour: board.Yellow}
		default:
			s = g.miscount(at)
		}
		g.put(r, at, s)
		g.put(r, g.take(r), board.Symbol{Kind: board.Eraser, Colour: board.White})
	}
	return nil
}

var standard = Table{
	board.Hexagon:   {dealDots, mixDots},
	board.Polyomino: {dealPieces, mixPieces},
	board.Negative:  {deal: func(*generator) error { return nil }}, // with the other pieces
	board.Triangle:  {dealTriangles, mixTriangles},
	board.Square:    {dealSquares, mixSquares},
	board.Star:      {dealStars, mixStars},
	board.Eraser:    {dealErasers, mixErasers},
}

// Rows are the rows of Kinds.
func Rows() Table { return standard }

func mixPieces(o *Options, d draw) {
	o.Pieces = d.some(d.area/5 + 1)
	o.Turned = d.rng.IntN(o.Pieces + 1)
	o.Stars = d.some(d.area/8) * 2
}

// dealPieces cuts regions into pieces and puts each piece into one of its region's
// cells; a blue piece takes away what another has too much.
func dealPieces(g *generator) error {
	left, blue, turned := g.o.Pieces, g.o.Negatives, g.o.Turned
	for _, i := range g.rng.Perm(len(g.regions)) {
		r := g.regions[i]
		if left == 0 {
			break
		}
		parts := g.partition(r.Cells, left)
		if parts == nil {
			continue
		}
		blues := min(blue, len(parts))
		if len(parts)+blues > len(r.free) {
			continue
		}
		for k, part := range parts {
			if k < blues {
				extra, ok := g.beside(part)
				if !ok {
					return errNoRoom
				}
				part = append(slices.Clone(part), extra)
				g.put(r, g.take(r), board.Symbol{Kind: board.Negative, Colour: board.Blue, Shape: []image.Point{{}}, Turnable: turned > 0})
			}
			s := board.Symbol{Kind: board.Polyomino, Colour: board.Yellow, Shape: board.NormalShape(part)}
			if turned > 0 {
				turned--
				s.Turnable = true
				for range g.rng.IntN(4) {
					for q := range s.Shape {
						s.Shape[q] = image.Pt(-s.Shape[q].Y, s.Shape[q].X)
					}
				}
				s.Shape = board.NormalShape(s.Shape)
			}
			g.put(r, g.take(r), s)
		}
		r.pieces = true
		left, blue = left-len(parts), blue-blues
	}
	if left > 0 || blue > 0 {
		return errNoRoom
	}
	return nil
}

// partition cuts cells into at most some pieces of 2 to 6 squares (smaller
// only where nothing else is left); nil where it would take more. On a pillar a
// piece's squares do not wrap.
func (g *generator) partition(cells []image.Point, most int) [][]image.Point {
	if len(cells) > 6*most {
		return nil
	}
	left := map[image.Point]bool{}
	for _, c := range cells {
		left[image.Pt(c.X/2, c.Y/2)] = true
	}
	var parts [][]image.Point
	for _, c := range cells {
		from := image.Pt(c.X/2, c.Y/2)
		if !left[from] {
			continue
		}
		if len(parts) == most {
			return nil
		}
		size := 2 + g.rng.IntN(4)
		if need := (len(left) + most - len(parts) - 1) / (most - len(parts)); need > size {
			size = need
		}
		part := []image.Point{from}
		delete(left, from)
		for len(part) < size {
			var next []image.Point
			for _, q := range part {
				for _, d := range board.Beside() {
					if left[q.Add(d)] {
						next = append(next, q.Add(d))
					}
				}
			}
			if len(next) == 0 {
				break
			}
			q := next[g.rng.IntN(len(next))]
			part = append(part, q)
			delete(left, q)
		}
		parts = append(parts, part)
	}
	return parts
}

// beside is a cell of the panel next to a piece.
func (g *generator) beside(part []image.Point) (image.Point, bool) {
	var next []image.Point
	for _, q := range part {
		for _, d := range board.Beside() {
			c := q.Add(d)
			if !slices.Contains(part, c) && c.X >= 0 && c.X < g.p.Cols && c.Y >= 0 && c.Y < g.p.Rows {
				next = append(next, c)
			}
		}
	}
	if len(next) == 0 {
		return image.Point{}, false
	}
	return next[g.rng.IntN(len(next))], true
}

func mixSquares(o *Options, d draw) {
	o.Squares, o.SquareColours = d.some(d.area*2/3), 2+d.rng.IntN(2)
}

// squareColours are dealt in this order.
func squareColours() []board.Colour {
	return []board.Colour{board.White, board.Black, board.Magenta, board.Green, board.Red, board.Cyan}
}

// dealSquares gives every region a colour when its first square is put there.
func dealSquares(g *generator) error {
	colours := squareColours()[:min(max(g.o.SquareColours, 2), len(squareColours()))]
	for range g.o.Squares {
		r := g.anyFree(1)
		if r == nil {
			return errNoRoom
		}
		if r.square == "" {
			r.square = colours[g.rng.IntN(len(colours))]
		}
		g.put(r, g.take(r), board.Symbol{Kind: board.Square, Colour: r.square})
	}
	return nil
}

func mixStars(o *Options, d draw) {
	o.Stars, o.Squares = d.some(d.area/4)*2, d.some(d.area/4)
}

// dealStars puts stars in pairs, or one as the partner of the only thing of its
// colour.
func dealStars(g *generator) error {
	for left := g.o.Stars; left > 0; {
		r := g.anyFree(1)
		if r == nil {
			return errNoRoom
		}
		var lone, fresh []board.Colour
		for _, c := range starColours() {
			switch r.count[c] {
			case 0:
				fresh = append(fresh, c)
			case 1:
				lone = append(lone, c)
			}
		}
		switch {
		case len(lone) > 0 && (left == 1 || g.rng.IntN(2) == 0):
			g.put(r, g.take(r), board.Symbol{Kind: board.Star, Colour: lone[g.rng.IntN(len(lone))]})
			left--
		case left > 1 && len(r.free) > 1 && len(fresh) > 0:
			// The first colours are the likelier ones, so that regions share them.
			c := fresh[g.rng.IntN(min(2, len(fresh)))]
			g.put(r, g.take(r), board.Symbol{Kind: board.Star, Colour: c})
			g.put(r, g.take(r), board.Symbol{Kind: board.Star, Colour: c})
			left -= 2
		default:
			return errNoRoom
		}
	}
	return nil
}

func mixTriangles(o *Options, d draw) {
	o.Triangles, o.Cuts = d.some(d.area/2), d.some(d.area/4)
}

func dealTriangles(g *generator) error {
	type place struct {
		r  *growth
		at image.Point
	}
	var places []place
	for _, r := range g.regions {
		for _, at := range r.free {
			if n := g.line.Sides(at); n >= 1 && n <= 3 {
				places = append(places, place{r, at})
			}
		}
	}
	if len(places) < g.o.Triangles {
		return errNoRoom
	}
	g.rng.Shuffle(len(places), func(i, j int) { places[i], places[j] = places[j], places[i] })
	for _, q := range places[:g.o.Triangles] {
		q.r.free = slices.DeleteFunc(q.r.free, func(at image.Point) bool { return at == q.at })
		g.put(q.r, q.at, triangles(g.line.Sides(q.at)))
	}
	return nil
}

// triangles are n of the game's.
func triangles(n int) board.Symbol {
	return board.Symbol{Kind: board.Triangle, Colour: board.Orange, Count: n}
}

// miscount is triangles that are wrong in a cell.
func (g *generator) miscount(cell image.Point) board.Symbol {
	for {
		if n := 1 + g.rng.IntN(3); n != g.line.Sides(cell) {
			return triangles(n)
		}
	}
}
