package alcazar

import (
	"image"
	"slices"

	"onlooker/solve"
)

// maxEdit is the longest side that the editor makes.
const maxEdit = 50

// Editor changes boards by hand: between two cells, and on the border, there
// is a wall, a way, or a way that the line must take.
var Editor = solve.EditorOf(blank, tools, (*Puzzle).places, (*Puzzle).edit)

// blank is a board without walls, open at the top left and bottom right.
func blank(cols, rows int) (*Puzzle, error) {
	never := func(image.Point) bool { return false }
	return New(cols, rows, func(at image.Point) bool {
		inside := at.X > 0 && at.Y > 0 && at.X < 2*cols && at.Y < 2*rows
		return inside || at == image.Pt(0, 1) || at == image.Pt(2*cols, 2*rows-1)
	}, never)
}

func tools(p *Puzzle) []solve.Tool {
	on := []string{"edge"}
	return []solve.Tool{
		{Name: "board", Label: "Board", Fields: []solve.Field{
			solve.NumberField("cols", "wide", p.cols, 1, maxEdit), solve.NumberField("rows", "high", p.rows, 1, maxEdit)}},
		{Name: "wall", Label: "Wall or way", Mark: "▮", On: on, Takes: 1, Doc: "builds a wall, or takes it away; on the border an opening is closed or opened"},
		{Name: "given", Label: "Given", Mark: "━", On: on, Takes: 1, Doc: "a place through which the line must go"},
		{Name: "clear", Label: "Clear", Mark: "✕", On: on, Takes: 1, Doc: "leaves a way, and on the border a wall"},
		solve.MoveTools()[0], solve.MoveTools()[1],
	}
}

func (p *Puzzle) places() []solve.Place {
	var list []solve.Place
	for y := range 2*p.rows + 1 {
		for x := range 2*p.cols + 1 {
			if (x+y)%2 == 0 {
				continue
			}
			border := x == 0 || y == 0 || x == 2*p.cols || y == 2*p.rows
			says := [...]string{"wall", "", "given"}[p.ways[p.index(image.Pt(x, y))]]
			if border && says == "" {
				says = "opening"
			}
			list = append(list, solve.Place{At: image.Pt(x, y), Kind: "edge", Says: says})
		}
	}
	return list
}

func (p *Puzzle) edit(e solve.Edit) (*Puzzle, error) {
	if e.Tool == "board" {
		return p.resized(e.Int("cols"), e.Int("rows"))
	}
	q := *p
	q.ways = slices.Clone(p.ways)
	if cols, rows, to, _, ok := solve.Moved(e.Tool, p.cols, p.rows); ok {
		q.cols, q.rows = cols, rows
		for _, place := range p.places() {
			q.ways[q.index(to(place.At))] = p.ways[p.index(place.At)]
		}
		return &q, nil
	}
	w := &q.ways[p.index(e.At[0])]
	to := wall
	if e.Tool == "given" {
		to = given
	}
	at := e.At[0]
	inside := at.X > 0 && at.Y > 0 && at.X < 2*p.cols && at.Y < 2*p.rows
	if *w == to && e.Tool != "clear" || e.Tool == "clear" && inside {
		to = open
	}
	*w = to
	return &q, nil
}

// resized is the board with another size: the right and the bottom border move
// with their openings, and what is new inside is open.
func (p *Puzzle) resized(cols, rows int) (*Puzzle, error) {
	from := func(at image.Point) (way, bool) {
		switch {
		case at.X == 2*cols:
			at.X = 2 * p.cols
		case at.X >= 2*p.cols:
			return open, at.Y > 0 && at.Y < 2*rows
		}
		switch {
		case at.Y == 2*rows:
			at.Y = 2 * p.rows
		case at.Y >= 2*p.rows:
			return open, at.X > 0 && at.X < 2*p.cols
		}
		return p.ways[p.index(at)], true
	}
	return New(cols, rows,
		func(at image.Point) bool { w, ok := from(at); return ok && w != wall },
		func(at image.Point) bool { w, ok := from(at); return ok && w == given })
}

// Hand tells how the line is drawn by hand: along the cells' middles, from
// outside one opening to outside another.
func Hand(puzzle solve.Puzzle) *solve.Hand {
	p, ok := puzzle.(*Puzzle)
	if !ok {
		return nil
	}
	// The lattice has a ring of nodes round the cells: (0,0) lies outside the
	// corner.
	origin := image.Pt(-1, -1)
	l := &solve.Lattice{Cols: p.cols + 1, Rows: p.rows + 1, Origin: origin}
	w, h := 2*p.cols, 2*p.rows
	for y := -1; y <= h+1; y++ {
		for x := -1; x <= w+1; x++ {
			at := image.Pt(x, y)
			s := solve.Spot{At: at.Sub(origin), Gap: 2}
			switch x&1 + y&1 {
			case 2: // a cell's middle, or a place outside
				in := inwards(at, w, h)
				if in == (image.Point{}) {
					continue
				}
				if opening := at.Add(in); in.X*in.Y == 0 && p.Open(opening) {
					s.Gap, s.Start, s.Cap, s.As = 0, true, image.Pt(-in.X, -in.Y), &opening
				}
			case 1:
				if x >= 0 && y >= 0 && x <= w && y <= h && p.Open(at) {
					continue
				}
			default:
				continue
			}
			l.Spots = append(l.Spots, s)
		}
	}
	return &solve.Hand{Lattice: l}
}

// inwards is the way onto the board from a place around it; zero within.
func inwards(at image.Point, w, h int) (in image.Point) {
	switch {
	case at.X < 0:
		in.X = 1
	case at.X > w:
		in.X = -1
	}
	switch {
	case at.Y < 0:
		in.Y = 1
	case at.Y > h:
		in.Y = -1
	}
	return in
}
