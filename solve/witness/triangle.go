package witness

import (
	"image"
	"slices"

	"onlooker/solve"
)

// Triangle: as many of its cell's four sides are covered as it has triangles.
var Triangle = Kind{triangle{}}

type triangle struct{ plainKind }

func (triangle) about() about {
	return about{
		name: "triangle", called: "triangles", shape: "triangle",
		rule:    solve.Rule{Name: "triangle", Doc: "The line covers as many of a cell's sides as it has triangles."},
		broken:  "another number of sides covered",
		implied: Orange, own: true, most: 4, alone: true, windmill: 11, site: "triangle",
	}
}

// wrong are the cells with another number of covered sides than of triangles. A
// side on which the line begins or ends counts.
func (triangle) wrong(v *view, own []image.Point) []image.Point {
	var wrong []image.Point
	for _, at := range own {
		if v.line.sides(at) != v.line.p.At(at).Count {
			wrong = append(wrong, at)
		}
	}
	return wrong
}

func (triangle) met(s *Symbol, sides [4]bool) bool {
	n := 0
	for _, on := range sides {
		n += int(b2i(on))
	}
	return n == s.Count
}

func (triangle) mix(o *GenerateOptions, d draw) bool {
	o.Triangles, o.Cuts = d.some(d.area/2), d.some(d.area/4)
	return true
}

func (triangle) deal(g *generator) error {
	type place struct {
		r  *growing
		at image.Point
	}
	var places []place
	for _, r := range g.regions {
		for _, at := range r.free {
			if n := g.line.sides(at); n >= 1 && n <= 3 {
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
		g.put(q.r, q.at, triangles(g.line.sides(q.at)))
	}
	return nil
}

// triangles are n of the game's.
func triangles(n int) Symbol { return Symbol{Kind: Triangle, Colour: Orange, Count: n} }

// miscount is triangles that are wrong in a cell.
func (g *generator) miscount(cell image.Point) Symbol {
	for {
		if n := 1 + g.rng.IntN(3); n != g.line.sides(cell) {
			return triangles(n)
		}
	}
}
