package flow

import (
	"fmt"
	"image"
	"slices"

	"onlooker/solve"
)

// maxEdit is the longest side that the editor makes.
const maxEdit = 60

// Editor changes boards by hand: pairs of ends, holes, bridges, walls and
// joins.
var Editor = solve.EditorOf(func(cols, rows int) (*Puzzle, error) { return NewBuilder(Square, cols, rows).Puzzle() }, tools, (*Puzzle).places, (*Puzzle).edit)

func shapes() []string { return []string{"square", "hex", "loose"} }

func tools(p *Puzzle) []solve.Tool {
	on := []string{"cell"}
	flag := func(name, label string, is bool) solve.Field {
		return solve.Field{Name: name, Label: label, Kind: solve.Flag, Value: solve.FlagOf(is)}
	}
	board := solve.Tool{Name: "board", Label: "Board", Fields: []solve.Field{
		solve.NumberField("cols", "wide", p.cols, 1, max(p.cols, maxEdit)), solve.NumberField("rows", "high", p.rows, 1, max(p.rows, maxEdit)),
		{Name: "shape", Label: "cells", Kind: solve.Choice, Choices: shapes(), Value: shapes()[p.shape]},
		flag("torus", "opposite borders joined", p.torus),
		flag("any", "cells may stay empty", p.any),
		flag("notouch", "no path touches itself", p.noTouch)}}
	list := []solve.Tool{board,
		{Name: "ends", Label: "Ends", Mark: "A", On: on, Takes: 2, Doc: "the two ends of a path; from an end to an empty cell moves it, from an end to its own other end takes both away"}}
	if p.shape == Square {
		list = append(list,
			solve.Tool{Name: "bridge", Label: "Bridge", Mark: "+", On: on, Takes: 1, Doc: "two paths cross on it, each straight over"},
			solve.Tool{Name: "wall", Label: "Wall", Mark: "▮", On: []string{"edge"}, Takes: 1, Doc: "closes the way between two cells"})
		list = append(list, solve.MoveTools()...)
	}
	if p.shape == Hex {
		list = append(list, solve.Tool{Name: "wall", Label: "Wall", Mark: "▮", On: on, Takes: 2, Doc: "closes the way between two neighbours, or opens it"})
	}
	return append(list,
		solve.Tool{Name: "hole", Label: "Hole", Mark: "#", On: on, Takes: 1, Doc: "no part of the board"},
		solve.Tool{Name: "join", Label: "Warp", Mark: "~", On: on, Takes: 2, Doc: "makes two cells neighbours wherever they are, or no more"},
		solve.Tool{Name: "clear", Label: "Clear", Mark: "✕", On: []string{"cell", "edge"}, Takes: 1, Doc: "takes away the pair, the hole, the bridge and the warps of a cell, or a wall"},
	)
}

// edges yields the places between neighbours of a square board: on a torus the
// left and the upper border, too.
func (p *Puzzle) edges(f func(at image.Point, i, j int)) {
	if p.shape != Square {
		return
	}
	for r := range p.rows {
		for c := range p.cols {
			if j := p.at(c-1, r); j >= 0 && j != r*p.cols+c {
				f(image.Pt(2*c, 2*r+1), j, r*p.cols+c)
			}
			if j := p.at(c, r-1); j >= 0 && j != r*p.cols+c {
				f(image.Pt(2*c+1, 2*r), j, r*p.cols+c)
			}
		}
	}
}

func (p *Puzzle) places() []solve.Place {
	says := make([]string, len(p.hole))
	for i := range says {
		switch {
		case p.hole[i]:
			says[i] = "hole"
		case p.bridge[i]:
			says[i] = "bridge"
		}
	}
	for n, e := range p.pairs {
		for _, i := range e {
			says[i] = "end " + p.pairName(n)
		}
	}
	for _, j := range p.joins {
		for k, i := range j {
			if says[i] != "" {
				says[i] += ", "
			}
			other := int(j[1-k])
			says[i] += fmt.Sprintf("warp to column %d row %d", other%p.cols+1, other/p.cols+1)
		}
	}
	var list []solve.Place
	for i, words := range says {
		list = append(list, solve.Place{At: p.centre(i), Kind: "cell", Says: words})
	}
	p.edges(func(at image.Point, i, j int) {
		words := ""
		if slices.Contains(p.walls, ordered(i, j)) {
			words = "wall"
		}
		list = append(list, solve.Place{At: at, Kind: "edge", Says: words})
	})
	return list
}

func ordered[N int | int32](i, j N) [2]int32 { return [2]int32{int32(min(i, j)), int32(max(i, j))} }

// toggled puts an element into a list, or takes it out.
func toggled(list [][2]int32, e [2]int32) [][2]int32 {
	if out := slices.DeleteFunc(slices.Clone(list), func(f [2]int32) bool { return f == e }); len(out) < len(list) {
		return out
	}
	return append(slices.Clone(list), e)
}

// draft is the board as a builder that may be changed.
func (p *Puzzle) draft() *Builder {
	b := &Builder{p: *p}
	b.p.hole, b.p.bridge = slices.Clone(p.hole), slices.Clone(p.bridge)
	b.p.walls, b.p.joins, b.p.pairs = slices.Clone(p.walls), slices.Clone(p.joins), slices.Clone(p.pairs)
	return b
}

func (p *Puzzle) edit(e solve.Edit) (*Puzzle, error) {
	if e.Tool == "board" {
		return p.reshaped(e)
	}
	b := p.draft()
	q := &b.p
	if cols, rows, to, _, ok := solve.Moved(e.Tool, p.cols, p.rows); ok {
		return p.moved(b, cols, rows, to)
	}
	i, j := p.cellAt(e.At[0]), -1
	if len(e.At) > 1 {
		j = p.cellAt(e.At[1])
	}
	switch e.Tool {
	case "ends":
		pairs, err := p.withEnds(i, j)
		if err != nil {
			return nil, err
		}
		q.pairs = pairs
		for _, k := range []int{i, j} {
			q.hole[k], q.bridge[k] = false, false
		}
	case "bridge", "hole":
		at := q.bridge
		if e.Tool == "hole" {
			at = q.hole
		}
		was := at[i]
		p.empty(q, i)
		at[i] = !was
	case "wall":
		if j < 0 {
			p.edges(func(at image.Point, k, l int) {
				if at == e.At[0] {
					i, j = k, l
				}
			})
		}
		q.walls = toggled(q.walls, ordered(i, j))
	case "join":
		q.joins = toggled(q.joins, ordered(i, j))
	case "clear":
		if i >= 0 {
			p.empty(q, i)
			break
		}
		p.edges(func(at image.Point, k, l int) {
			if at == e.At[0] {
				q.walls = slices.DeleteFunc(q.walls, func(w [2]int32) bool { return w == ordered(k, l) })
			}
		})
	}
	return b.Puzzle()
}

// moved is a draft of the board turned or flipped.
func (p *Puzzle) moved(b *Builder, cols, rows int, to func(image.Point) image.Point) (*Puzzle, error) {
	q := &b.p
	q.cols, q.rows = cols, rows
	cell := func(i int32) int {
		at := to(p.centre(int(i)))
		return at.Y/2*cols + at.X/2
	}
	for i := range p.hole {
		q.hole[cell(int32(i))], q.bridge[cell(int32(i))] = p.hole[i], p.bridge[i]
	}
	for _, list := range [][][2]int32{q.walls, q.joins, q.pairs} {
		for k, e := range list {
			list[k] = ordered(cell(e[0]), cell(e[1]))
		}
	}
	return b.Puzzle()
}

// empty takes everything from a cell.
func (p *Puzzle) empty(q *Puzzle, i int) {
	q.hole[i], q.bridge[i] = false, false
	has := func(e [2]int32) bool { return int(e[0]) == i || int(e[1]) == i }
	q.pairs, q.joins = slices.DeleteFunc(q.pairs, has), slices.DeleteFunc(q.joins, has)
}

// withEnds is the pairs after a path's ends were put at two cells.
func (p *Puzzle) withEnds(i, j int) ([][2]int32, error) {
	pairOf := func(k int) int {
		return slices.IndexFunc(p.pairs, func(e [2]int32) bool { return int(e[0]) == k || int(e[1]) == k })
	}
	a, b := pairOf(i), pairOf(j)
	pairs := slices.Clone(p.pairs)
	switch {
	case i == j:
		return nil, fmt.Errorf("flow: both ends in one cell, want two cells")
	case a >= 0 && a == b:
		return slices.Delete(pairs, a, a+1), nil
	case a >= 0 && b >= 0:
		return nil, fmt.Errorf("flow: ends of two pairs, want an end and an empty cell, or two empty ones")
	case a < 0 && b < 0:
		return append(pairs, ordered(i, j)), nil
	case a < 0:
		i, j, a = j, i, b
	}
	stays := int(pairs[a][0])
	if stays == i {
		stays = int(pairs[a][1])
	}
	pairs[a] = ordered(stays, j)
	return pairs, nil
}

// reshaped is the board with another size, shape or other demands; what has no
// place on it is left out.
func (p *Puzzle) reshaped(e solve.Edit) (*Puzzle, error) {
	shape := Shape(slices.Index(shapes(), e.Values["shape"]))
	b := NewBuilder(shape, e.Int("cols"), e.Int("rows"))
	q := &b.p
	q.torus = e.On("torus") && shape == Square
	q.any, q.noTouch = e.On("any"), e.On("notouch")
	to := func(i int32) (int, bool) {
		c, r := int(i)%p.cols, int(i)/p.cols
		return r*q.cols + c, c < q.cols && r < q.rows
	}
	for i := range p.hole {
		if k, ok := to(int32(i)); ok {
			q.hole[k] = p.hole[i]
			q.bridge[k] = p.bridge[i] && shape == Square
		}
	}
	move := func(list [][2]int32, fits func(i, j int) bool) (out [][2]int32) {
		for _, e := range list {
			i, ok1 := to(e[0])
			j, ok2 := to(e[1])
			if ok1 && ok2 && fits(i, j) {
				out = append(out, ordered(i, j))
			}
		}
		return out
	}
	q.pairs = move(p.pairs, func(int, int) bool { return true })
	q.walls = move(p.walls, func(i, j int) bool { return shape != Loose && q.beside(i, j) })
	q.joins = move(p.joins, func(i, j int) bool { return shape == Loose || !q.beside(i, j) })
	return b.Puzzle()
}

// Hand tells how paths are drawn by hand: along the cells of a square board.
// nil: a hexagonal or a loose board, or one with bridges or joins, whose paths
// leave the lattice.
func Hand(puzzle solve.Puzzle) *solve.Hand {
	p, ok := puzzle.(*Puzzle)
	if !ok || p.shape != Square || p.torus || len(p.joins) > 0 {
		return nil
	}
	l := &solve.Lattice{Cols: p.cols - 1, Rows: p.rows - 1, Origin: image.Pt(1, 1)}
	for i := range p.hole {
		switch {
		case p.bridge[i]:
			return nil
		case p.hole[i]:
			l.Spots = append(l.Spots, solve.Spot{At: p.centre(i).Sub(l.Origin), Gap: 2})
		}
	}
	for _, w := range p.walls {
		sum := p.centre(int(w[0])).Add(p.centre(int(w[1])))
		l.Spots = append(l.Spots, solve.Spot{At: sum.Div(2).Sub(l.Origin), Gap: 2})
	}
	for _, e := range p.pairs {
		l.Ends = append(l.Ends, [2]image.Point{p.centre(int(e[0])).Sub(l.Origin), p.centre(int(e[1])).Sub(l.Origin)})
	}
	return &solve.Hand{Lattice: l}
}
