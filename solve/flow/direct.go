package flow

import (
	"context"
	"image"
	"slices"

	"onlooker/solve"
	"onlooker/solve/limits"
)

// A direct search fills a plain board cell by cell along its diagonals, from the
// first cell to the last. It looks for answers that fill every cell and in which
// no path touches itself. In such an answer a path that turns goes on turning,
// cell by cell along a diagonal, until it comes to an end: who turns elsewhere
// comes beside itself. So few cells may hold a turn, and mostly the first try of
// some hundred cells is the answer. It proves nothing, and gives up soon.
type direct struct {
	wide   int  // of a row, with a border of one cell round the board
	turned bool // rows are the board's columns: the short side lies across
	spots  []spot
	order  []int32   // the cells along the diagonals
	joined []joining // to be undone
	states []uint8   // by place in order, of the cells before the one that is filled
	budget int
}

// A spot is what stands in a cell.
type spot struct {
	colour int32 // the pair's number from 1 of an end, 0: empty, outside
	far    int32 // of the end of a piece of path: its other end
	on     uint8 // the ways that are taken from it
	turns  uint8 // of downRight and downLeft, by one way of each: which an end allows
}

const outside = -1

// The ways out of a cell.
const (
	up = 1 << iota
	right
	down
	left
)

// Both of its ways are turns: down to the right, down to the left, and so on.
const (
	downRight = right | down
	downLeft  = left | down
	upRight   = up | right
	upLeft    = up | left
)

// A joining is a way that was taken from a cell to the next one, to the right or
// down, and the ends of the pieces that it joined.
type joining struct{ at, to, farAt, farTo int32 }

// plain tells whether the board is one that a direct search knows.
func (p *Puzzle) plain() bool {
	return p.shape == Square && !p.torus && len(p.walls)+len(p.joins) == 0 &&
		!slices.Contains(p.hole, true) && !slices.Contains(p.bridge, true)
}

// The steps that a direct search takes at most: so many, and so many for each cell. It takes
// no longer then than the search by clauses that comes after it, which took 12 ms on boards
// of 40×20 (2 to 27).
const (
	directSteps   = 1 << 19
	directPerCell = 4
)

// ofSpot is what a direct search and its answer take, in bytes by cell.
const ofSpot = 50

// direct is an answer that is found at once, or nil.
func (p *Puzzle) direct(ctx context.Context) solve.Solution {
	if !p.plain() || ctx.Err() != nil || limits.Room(ctx, ofSpot*int64(len(p.hole))) != nil {
		return nil
	}
	if d := newDirect(p); d.fill(ctx) {
		return d.solution(p)
	}
	return nil
}

func newDirect(p *Puzzle) *direct {
	cols, rows := min(p.cols, p.rows), max(p.cols, p.rows)
	w, h := cols+2, rows+2
	n := w * h
	d := &direct{
		wide: w, turned: p.cols > p.rows, budget: directSteps + directPerCell*n, spots: make([]spot, n), order: make([]int32, 0, n),
		joined: make([]joining, 0, n), states: make([]uint8, n),
	}
	s := d.spots
	for i := range s {
		s[i].far = int32(i)
	}
	for x := range w {
		s[x].colour, s[n-1-x].colour = outside, outside
	}
	for y := range h {
		s[y*w].colour, s[y*w+w-1].colour = outside, outside
	}
	for i, e := range p.pairs {
		s[d.cell(p, e[0])].colour, s[d.cell(p, e[1])].colour = int32(i+1), int32(i+1)
	}
	for _, e := range p.pairs {
		for _, end := range e {
			at := d.cell(p, end)
			for c := at - w - 1; s[c].colour == 0; c -= w + 1 {
				s[c].turns |= right
			}
			for c := at - w + 1; s[c].colour == 0; c -= w - 1 {
				s[c].turns |= left
			}
		}
	}
	for sum := range cols + rows - 1 {
		for y := max(0, sum-cols+1); y <= min(sum, rows-1); y++ {
			d.order = append(d.order, int32((y+1)*w+sum-y+1))
		}
	}
	return d
}

// cell is a cell of the board, within the border.
func (d *direct) cell(p *Puzzle, c int32) int {
	x, y := int(c)%p.cols, int(c)/p.cols
	if d.turned {
		x, y = y, x
	}
	return (y+1)*d.wide + x + 1
}

// ask is how many steps are taken between two looks at the context.
const ask = 1 << 12

// What is noted of a filled cell: how many ways were taken from it, and whether its
// second choice was.
const (
	taken  = 3
	second = 4
)

// fill goes through the cells, and back where one has no choice left.
func (d *direct) fill(ctx context.Context) bool {
	k, state := 0, uint8(0)
	for {
		if d.budget--; d.budget < 0 || d.budget%ask == 0 && ctx.Err() != nil {
			return false
		}
		switch {
		case k == len(d.order):
			if !d.touches() {
				return true
			}
		default:
			if n := d.choose(int(d.order[k]), state&second == 0); n >= 0 {
				d.states[k] = state | uint8(n)
				k++
				state = 0
				continue
			}
			if state == 0 {
				state = second
				continue
			}
		}
		for state = second; state&second != 0; state = d.states[k] {
			if k--; k < 0 {
				return false
			}
			d.undo(int(d.states[k] & taken))
		}
		state = second
	}
}

// choose takes the ways of the first or second choice at a cell, and tells how many
// they are; -1 where they may not be taken. The ways up and to the left were chosen with
// the cells before.
func (d *direct) choose(c int, first bool) int {
	s, w := d.spots, d.wide
	me := &s[c]
	switch end := me.colour > 0; {
	case end && me.on == 0 && first:
		if s[c-w+1].on == downLeft {
			return -1
		}
		return d.join(c, c+1, right, left)
	case end && me.on == 0:
		if !d.startsRight(c) {
			return -1
		}
		return d.join(c, c+w, down, up)
	case !first && me.on != left && me.on != up:
		return -1
	case end && first && (me.on == up || me.on == left):
		return 0
	case end:
		return -1
	}
	switch me.on {
	case 0:
		if me.turns&right == 0 || d.join(c, c+1, right, left) < 0 {
			return -1
		}
		if d.join(c, c+w, down, up) < 0 {
			d.undo(1)
			return -1
		}
		return 2
	case left:
		switch {
		case first && me.turns&left != 0 && d.lane(c) && d.startsRight(c):
			return d.join(c, c+w, down, up)
		case !first && d.straight(c):
			return d.join(c, c+1, right, left)
		}
	case up:
		corner := &s[c-w+1]
		switch {
		case first && (corner.on == upRight || corner.colour > 0 && corner.on&upRight != 0):
			return d.join(c, c+1, right, left)
		case !first && d.straight(c) && d.startsRight(c):
			return d.join(c, c+w, down, up)
		}
	case upLeft: // join has seen to it
		return 0
	}
	return -1
}

// straight tells whether a path that goes on straight leaves the turns above it
// their ends.
func (d *direct) straight(c int) bool {
	return d.spots[c-d.wide+1].on != downLeft && d.spots[c-d.wide-1].on != downRight
}

// startsRight tells whether the cell to the right may begin a path where a way goes
// down from this one.
func (d *direct) startsRight(c int) bool {
	s := &d.spots[c+1]
	return s.on != 0 || s.turns&right != 0 || s.colour != 0
}

// lane tells whether the cells that would have to turn down from the left with this
// one are entered from the left alone so far.
func (d *direct) lane(c int) bool {
	for ; d.spots[c].colour <= 0; c += d.wide - 1 {
		if d.spots[c].on != left {
			return false
		}
	}
	return true
}

// join takes a way to the next cell and returns 1; -1 where it would close a ring, join
// ends of two pairs, or turn twice in a row the same way.
func (d *direct) join(c, to int, way, back uint8) int {
	s := d.spots
	me, next := &s[c], &s[to]
	farC, farTo := &s[me.far], &s[next.far]
	if a, b := farC.colour, farTo.colour; next.colour == outside || a != b && a > 0 && b > 0 || int(me.far) == to {
		return -1
	}
	if next.on|back == upLeft {
		if corner := &s[to-d.wide-1]; next.colour > 0 || corner.on != upLeft && corner.colour <= 0 {
			return -1
		}
	}
	if me.on != 0 {
		from := c - 1
		switch me.on {
		case up:
			from = c - d.wide
		case right:
			from = c + 1
		}
		if was, is := s[from].on, me.on|way; was&is != 0 && turns(was) && turns(is) {
			return -1
		}
	}
	me.on |= way
	next.on |= back
	d.joined = append(d.joined, joining{int32(c), int32(to), me.far, next.far})
	farC.far, farTo.far = next.far, me.far
	return 1
}

func turns(on uint8) bool { return (1<<downRight|1<<downLeft|1<<upRight|1<<upLeft)>>on&1 == 1 }

// undo takes back the last ways.
func (d *direct) undo(n int) {
	for range n {
		j := d.joined[len(d.joined)-1]
		d.joined = d.joined[:len(d.joined)-1]
		at, to := &d.spots[j.at], &d.spots[j.to]
		if j.to == j.at+1 {
			at.on &^= right
			to.on &^= left
		} else {
			at.on &^= down
			to.on &^= up
		}
		d.spots[j.farAt].far, d.spots[j.farTo].far = j.at, j.to
	}
}

// touches tells whether a path of a full board passes two neighbours without going
// from one to the other, or a cell is on no path.
func (d *direct) touches() bool {
	owner := make([]int32, len(d.spots))
	for i, s := range d.spots {
		if s.colour > 0 && owner[i] == 0 {
			d.follow(i, func(c int) { owner[c] = s.colour })
		}
	}
	for _, c := range d.order {
		k, on := owner[c], d.spots[c].on
		if k == 0 || on&right == 0 && owner[c+1] == k || on&down == 0 && owner[int(c)+d.wide] == k {
			return true
		}
	}
	return false
}

// follow visits the cells of the path that begins at an end.
func (d *direct) follow(c int, visit func(c int)) {
	for back := uint8(0); ; {
		visit(c)
		switch d.spots[c].on &^ back {
		case up:
			c, back = c-d.wide, down
		case right:
			c, back = c+1, left
		case down:
			c, back = c+d.wide, up
		case left:
			c, back = c-1, right
		default:
			return
		}
	}
}

// solution writes the paths in half-cells.
func (d *direct) solution(p *Puzzle) solve.Solution {
	points := make([]image.Point, 0, len(d.order))
	s := make(solve.Solution, 0, len(p.pairs))
	for _, e := range p.pairs {
		from := len(points)
		d.follow(d.cell(p, e[0]), func(c int) {
			at := image.Pt(2*(c%d.wide)-1, 2*(c/d.wide)-1)
			if d.turned {
				at = image.Pt(at.Y, at.X)
			}
			points = append(points, at)
		})
		s = append(s, points[from:len(points):len(points)])
	}
	return s
}
