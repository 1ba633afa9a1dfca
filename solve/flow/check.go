package flow

import (
	"context"
	"errors"
	"fmt"
	"image"
	"slices"

	"onlooker/solve"
)

// Rules that an answer keeps.
func rules() []solve.Rule {
	return []solve.Rule{
		{Name: "step", Doc: "A stroke goes from cell to neighbouring cell, not through walls or holes; it leaves the board only where the border is joined, and the next stroke goes on where it comes in."},
		{Name: "bridge", Doc: "A path goes straight over a bridge."},
		{Name: "once", Doc: "No cell is passed twice, except a bridge, once in each direction."},
		{Name: "ends", Doc: "A path begins at an end and stops at the next end it reaches, which is the other one of its pair."},
		{Name: "pairs", Doc: "Every pair is joined."},
		{Name: "fill", Doc: "Every cell is filled, bridges in both directions, unless cells may stay empty."},
		{Name: "touch", Doc: "Where it is asked for, no path passes two neighbouring cells without going from one to the other."},
	}
}

// Check plays the strokes by the rules. It uses the clues alone: nothing of
// what the solver makes of them.
func (p *Puzzle) Check(_ context.Context, sol solve.Solution) error {
	err := p.check(sol)
	if broken, ok := errors.AsType[*solve.RuleError](err); ok {
		broken.Place = p.PlaceName(broken.At)
	}
	return err
}

// PlaceName names a half-cell; cells of every other column of hexagons lie half
// a cell higher.
func (p *Puzzle) PlaceName(at image.Point) string {
	if p.shape == Hex && at.X>>1&1 == 1 {
		at.Y++
	}
	return solve.PlaceName(at)
}

func (p *Puzzle) check(sol solve.Solution) error {
	c := newCheck(p)
	for i := 0; i < len(sol); {
		n, err := c.path(sol[i:])
		if err != nil {
			return err
		}
		i += n
	}
	for _, e := range p.pairs {
		if !c.joined[int(e[0])] {
			return broken("pairs", p.centre(int(e[0])), "the end is joined to nothing, want a path to the other of its pair")
		}
	}
	if !p.any {
		for i := range p.hole {
			switch got := c.owner[i]; {
			case p.hole[i]:
			case got[0] == 0 && got[1] == 0:
				return broken("fill", p.centre(i), "an empty cell, want every cell filled")
			case p.bridge[i] && (got[0] == 0 || got[1] == 0):
				return broken("fill", p.centre(i), "a bridge with one path, want two that cross")
			}
		}
	}
	for k := 0; p.noTouch && k < len(c.paths); k++ {
		if err := c.touches(k+1, c.paths[k]); err != nil {
			return err
		}
	}
	return nil
}

func broken(rule string, at image.Point, format string, a ...any) error {
	return &solve.RuleError{Rule: rule, At: at, Got: fmt.Sprintf(format, a...)}
}

type check struct {
	p      *Puzzle
	mate   []int // of each end the other, -1 of other cells
	wall   map[[2]int]bool
	join   map[[2]int]bool
	owner  [][2]int // path number from 1 across ([0]) and down ([1]); a plain cell uses [0]
	joined []bool
	paths  [][]int // cells
}

func newCheck(p *Puzzle) *check {
	c := &check{
		p: p, mate: make([]int, p.cols*p.rows), wall: map[[2]int]bool{}, join: map[[2]int]bool{},
		owner: make([][2]int, p.cols*p.rows), joined: make([]bool, p.cols*p.rows),
	}
	for i := range c.mate {
		c.mate[i] = -1
	}
	for _, e := range p.pairs {
		c.mate[int(e[0])], c.mate[int(e[1])] = int(e[1]), int(e[0])
	}
	for _, w := range p.walls {
		c.wall[[2]int{int(w[0]), int(w[1])}] = true
		c.wall[[2]int{int(w[1]), int(w[0])}] = true
	}
	for _, w := range p.joins {
		c.join[[2]int{int(w[0]), int(w[1])}] = true
		c.join[[2]int{int(w[1]), int(w[0])}] = true
	}
	return c
}

// neighbour is the cell beside i in direction d (half-cells between centres),
// and whether the way leads over the border; -1 when there is no way.
func (c *check) neighbour(i int, d image.Point) (cell int, over bool) {
	p := c.p
	if p.shape == Loose || p.shape == Square && d.X*d.X+d.Y*d.Y != 4 || p.shape == Hex && !slices.Contains(c.directions(), d) {
		return -1, false
	}
	at := p.centre(i).Add(d)
	j := p.cellAt(at)
	if j < 0 && p.torus {
		w, h := 2*p.cols, 2*p.rows
		j = p.cellAt(image.Pt((at.X+w)%w, (at.Y+h)%h))
		over = true
	}
	if j < 0 || p.hole[i] || p.hole[j] || len(c.wall) > 0 && c.wall[[2]int{i, j}] || i == j {
		return -1, false
	}
	return j, over
}

func (c *check) directions() []image.Point {
	if c.p.shape == Hex {
		return []image.Point{{X: 2, Y: 1}, {X: 2, Y: -1}, {X: -2, Y: 1}, {X: -2, Y: -1}, {Y: 2}, {Y: -2}}
	}
	return []image.Point{{X: 2}, {X: -2}, {Y: 2}, {Y: -2}}
}

// A playedPath is a path being played.
type playedPath struct {
	*check
	number int
	path   []int       // cells
	in     image.Point // the way by which its last cell was entered
	done   bool        // it has reached the other end
}

// path plays one path and returns how many strokes it took.
func (c *check) path(sol solve.Solution) (int, error) {
	w := &playedPath{check: c, number: len(c.paths) + 1}
	for n, stroke := range sol {
		if len(stroke) == 0 {
			return 0, broken("step", image.Point{}, "a stroke without points, want at least one")
		}
		for k := range stroke {
			if err := w.point(sol, n, k); err != nil {
				return 0, err
			}
		}
		if w.done {
			c.paths = append(c.paths, w.path)
			return n + 1, nil
		}
	}
	return 0, broken("ends", c.p.centre(w.last()), "a path stops here, want the other end of its pair")
}

func (w *playedPath) last() int { return w.path[len(w.path)-1] }

// enter goes into a cell.
func (w *playedPath) enter(cell int, d image.Point) error {
	axis := 0
	if w.p.bridge[cell] && d.X == 0 {
		axis = 1
	}
	if w.owner[cell][axis] != 0 {
		return broken("once", w.p.centre(cell), "passed a second time, want once")
	}
	w.owner[cell][axis] = w.number
	w.path = append(w.path, cell)
	w.in = d
	return nil
}

// point plays the k-th point of the n-th stroke.
func (w *playedPath) point(sol solve.Solution, n, k int) error {
	at := sol[n][k]
	cell := w.p.cellAt(at)
	centre := cell >= 0
	if centre && w.p.hole[cell] {
		return broken("step", at, "a hole, want a cell of the board")
	}
	entered, err := false, error(nil)
	switch {
	case w.done:
		return broken("ends", at, "the stroke goes on after the other end, want it to stop there")
	case k == 0 && n == 0: // the first end
		if !centre {
			return broken("step", at, "a path begins where no cell's centre is")
		}
		if w.mate[cell] < 0 {
			return broken("ends", at, "a path begins at a cell that is no end")
		}
		return w.enter(cell, image.Point{})
	case k == 0:
		entered, err = w.goOn(sol[n], sol[n-1][len(sol[n-1])-1], cell, centre)
	default:
		entered, err = w.step(sol[n], k, cell, centre)
	}
	if err != nil || !entered {
		return err
	}
	if mate := w.mate[cell]; mate >= 0 {
		if mate != w.path[0] {
			return broken("ends", at, "a path reaches the end of another pair")
		}
		w.joined[cell], w.joined[mate] = true, true
		w.done = true
	}
	return nil
}

// goOn begins another stroke of the path, after one that ended at from: over a
// join, or over the border, where the cell is entered by the next point.
func (w *playedPath) goOn(stroke solve.Stroke, from image.Point, cell int, centre bool) (entered bool, err error) {
	at, last := stroke[0], w.last()
	if from == w.p.centre(last) {
		if !centre || !w.join[[2]int{last, cell}] {
			return false, broken("step", at, "goes on from %s, want a cell that is joined to it", w.p.PlaceName(from))
		}
		return true, w.enter(cell, image.Point{})
	}
	d := from.Sub(w.p.centre(last)).Mul(2)
	j, over := w.neighbour(last, d)
	if j < 0 || !over || at != w.p.centre(j).Sub(d.Div(2)) {
		return false, broken("step", at, "goes on from the border at %s, want the place opposite", w.p.PlaceName(from))
	}
	if len(stroke) < 2 || stroke[1] != w.p.centre(j) {
		return false, broken("step", at, "comes in over the border, want the cell behind it next")
	}
	return false, nil
}

// step goes on within a stroke: to a cell beside the last one, to the one behind
// the border, or out to the border.
func (w *playedPath) step(stroke solve.Stroke, k, cell int, centre bool) (entered bool, err error) {
	p, last := w.p, w.last()
	at, d := stroke[k], stroke[k].Sub(stroke[k-1])
	turns := func() bool { return p.bridge[last] && d != w.in }
	if k == 1 && stroke[0] != p.centre(last) { // the first cell behind the border
		d = d.Mul(2)
	} else if k == len(stroke)-1 && !centre { // out to the border
		d = d.Mul(2)
		if j, over := w.neighbour(last, d); j < 0 || !over {
			return false, broken("step", at, "no way out of the board here")
		}
		if turns() {
			return false, broken("bridge", p.centre(last), "turns on a bridge, want straight over")
		}
		return false, nil
	} else {
		j, over := w.neighbour(last, d)
		if j < 0 || over || j != cell || !centre {
			return false, broken("step", at, "no way from %s, want a neighbouring cell", p.PlaceName(stroke[k-1]))
		}
	}
	if turns() {
		return false, broken("bridge", p.centre(last), "turns on a bridge, want straight over")
	}
	return true, w.enter(cell, d)
}

// sees tells whether a way in direction d may be used by a path that passes
// the cell on the given axis.
func (c *check) sees(cell, axis int, d image.Point) bool {
	return !c.p.bridge[cell] || (d.X == 0) == (axis == 1)
}

func (c *check) touches(number int, path []int) error {
	p := c.p
	for k, v := range path {
		for axis := range 2 {
			if c.owner[v][axis] != number {
				continue
			}
			for _, d := range c.directions() {
				j, _ := c.neighbour(v, d)
				if j < 0 || !c.sees(v, axis, d) {
					continue
				}
				other := 0
				if p.bridge[j] && d.X == 0 {
					other = 1
				}
				if c.owner[j][other] == number && !follows(path, v, j) {
					return broken("touch", p.centre(v), "touches its own path at %s", p.PlaceName(p.centre(j)))
				}
			}
		}
		for _, w := range path[:k] {
			if c.join[[2]int{v, w}] && !follows(path, v, w) {
				return broken("touch", p.centre(v), "touches its own path at %s", p.PlaceName(p.centre(w)))
			}
		}
	}
	return nil
}

// follows tells whether the path goes from one cell to the other directly.
func follows(path []int, a, b int) bool {
	for k := 1; k < len(path); k++ {
		if x, y := path[k-1], path[k]; x == a && y == b || x == b && y == a {
			return true
		}
	}
	return false
}
