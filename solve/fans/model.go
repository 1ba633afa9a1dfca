package fans

import (
	"bytes"
	"context"
	"image"
	"strings"

	"onlooker/solve"
	"onlooker/solve/limits"
)

// A model is the board as a search sees it: an option is a fan and a
// direction, 4×fan + direction.
type model struct {
	p        *Puzzle
	fans     []int32  // cells of fans that may be turned
	turbines []int32  // cells of turbines that no fixed fan reaches
	axes     [2]axis  // along rows, along columns
	streams  []stream // two of each lane: east and west, south and north
}

// An axis is all lanes across the board, or all down it, one after the other.
//
// A lane is a row or a column from wall to wall in which a fan may be turned.
// Wind goes on to the lane's end, so that of the fans that blow one way only
// the first one matters: all that a search keeps it keeps by lane, and takes
// room and time by a board's cells, not by the pairs of fans and turbines that
// see each other.
type axis struct {
	fans     []int32 // in order along the lanes
	turbines []int32 // likewise
	from     []int32 // by lane: its first place in fans; then how many fans there are
	// gaps says where in turbines those begin that lie behind so many of a
	// lane's fans: a lane of n fans has n+1 entries, after those of the lanes
	// before it.
	gaps        []int32
	lane, place []int32 // by fan: its lane, and where it stands in fans
	// By turbine: its lane, −1 where there is none, and how many of the lane's
	// fans lie before it.
	laneOf, behind []int32
	stream         int32 // the first lane's
}

// A stream is the wind along a lane in one direction. A lane's fans are counted
// from where the wind comes, upwind ones first.
type stream struct {
	from, n int32 // of the lane's fans in axis.fans
	gap     int32 // of the lane's entries in axis.gaps, the first
	d       Direction
}

// axis is the number of a direction's axis.
func (d Direction) axis() int { return int(d+1) & 1 }

// ahead tells whether wind of a direction goes the way cells are counted.
func (d Direction) ahead() bool { return d == East || d == South }

func turnable(ch byte) bool { return ch == fan || strings.IndexByte(present, ch) >= 0 }

// ofCell is what a model, a search and an answer take together, in bytes by
// cell: measured on 1000×1000 fans, 80 where every other cell is a turbine.
const ofCell = 135

// model divides the board into lanes; it ends when ctx does.
func (p *Puzzle) model(ctx context.Context) (*model, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := limits.Room(ctx, ofCell*int64(len(p.cell))); err != nil {
		return nil, err
	}
	var reached []bool // by fans that cannot be turned; nil: nothing
	if bytes.ContainsAny(p.cell, fixed) {
		reached = make([]bool, len(p.cell))
		for d := North; d <= West; d++ {
			err := p.sweep(ctx, d, func(i int, blown bool) bool {
				reached[i] = reached[i] || blown
				return p.cell[i] == fixed[d]
			})
			if err != nil {
				return nil, err
			}
		}
	}
	fans, turbines := 0, 0
	for i, ch := range p.cell {
		if i%p.cols == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		switch {
		case turnable(ch):
			fans++
		case ch == turbine && (reached == nil || !reached[i]):
			turbines++
		}
	}
	const ofFan, ofTurbine = 1 + 2*6, 1 + 2*3 // entries of the lists below, at most
	slab := make([]int32, ofFan*fans+ofTurbine*turbines+4)
	take := func(n int) []int32 {
		s := slab[:n:n]
		slab = slab[n:]
		return s
	}
	m := &model{p: p, fans: take(fans)[:0], turbines: take(turbines)[:0]}
	number := make([]int32, len(p.cell)) // of fans from 1 up, of turbines from −1 down
	for i, ch := range p.cell {
		if i%p.cols == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		switch {
		case turnable(ch):
			m.fans = append(m.fans, int32(i))
			number[i] = int32(len(m.fans))
		case ch == turbine && (reached == nil || !reached[i]):
			m.turbines = append(m.turbines, int32(i))
			number[i] = -int32(len(m.turbines))
		}
	}
	lanes := 0
	for x := range m.axes {
		a := &m.axes[x]
		a.fans, a.lane, a.place = take(fans)[:0], take(fans), take(fans)
		a.from, a.gaps = take(fans + 1)[:0], take(2*fans + 1)[:0]
		a.turbines, a.laneOf, a.behind = take(turbines)[:0], take(turbines), take(turbines)
		if err := a.fill(ctx, p, number, x == 1); err != nil {
			return nil, err
		}
		lanes += len(a.from) - 1
	}
	m.streams = make([]stream, 0, 2*lanes)
	for x, both := range [2][2]Direction{{East, West}, {South, North}} {
		a := &m.axes[x]
		a.stream = int32(len(m.streams))
		for lane, from := range a.from[:len(a.from)-1] {
			for _, d := range both {
				m.streams = append(m.streams, stream{from, a.from[lane+1] - from, from + int32(lane), d})
			}
		}
	}
	return m, nil
}

// fill finds the lanes along rows or down columns.
func (a *axis) fill(ctx context.Context, p *Puzzle, number []int32, down bool) error {
	lines, length, across, along := p.rows, p.cols, p.cols, 1
	if down {
		lines, length, across, along = p.cols, p.rows, 1, p.cols
	}
	for line := range lines {
		if err := ctx.Err(); err != nil {
			return err
		}
		for lo := 0; lo < length; {
			hi, fans := lo, false
			for ; hi < length && p.cell[line*across+hi*along] != wall; hi++ {
				fans = fans || number[line*across+hi*along] > 0
			}
			lane, begin := int32(len(a.from)), int32(len(a.fans))
			if fans {
				a.from = append(a.from, begin)
				a.gaps = append(a.gaps, int32(len(a.turbines)))
			}
			for ; lo < hi; lo++ {
				switch n := number[line*across+lo*along]; {
				case n > 0:
					a.lane[n-1], a.place[n-1] = lane, int32(len(a.fans))
					a.fans = append(a.fans, n-1)
					a.gaps = append(a.gaps, int32(len(a.turbines)))
				case n < 0 && fans:
					a.laneOf[-n-1], a.behind[-n-1] = lane, int32(len(a.fans))-begin
					a.turbines = append(a.turbines, -n-1)
				case n < 0:
					a.laneOf[-n-1] = -1
				}
			}
			lo++ // the wall
		}
	}
	a.from = append(a.from, int32(len(a.fans)))
	a.gaps = append(a.gaps, int32(len(a.turbines)))
	return nil
}

// of is the stream that an option belongs to, and its fan's number in it.
func (m *model) of(o int32) (id, q int32) {
	d := Direction(o % 4)
	a := &m.axes[d.axis()]
	lane := a.lane[o/4]
	q = a.place[o/4] - a.from[lane]
	if d.ahead() {
		return a.stream + 2*lane, q
	}
	return a.stream + 2*lane + 1, a.from[lane+1] - a.from[lane] - 1 - q
}

// option is that of the stream's fan number q.
func (m *model) option(s *stream, q int32) int32 {
	if !s.d.ahead() {
		q = s.n - 1 - q
	}
	return 4*m.axes[s.d.axis()].fans[s.from+q] + int32(s.d)
}

// downwind lists the turbines that have from from to to of a stream's fans
// upwind of them; from is at least 1.
func (m *model) downwind(s *stream, from, to int32) []int32 {
	if !s.d.ahead() {
		from, to = s.n-to, s.n-from
	}
	a := &m.axes[s.d.axis()]
	return a.turbines[a.gaps[s.gap+from]:a.gaps[s.gap+to+1]]
}

// upwind is the stream in which wind of a direction comes to a turbine, and how
// many of its fans lie upwind; 0 where wind cannot come that way.
func (m *model) upwind(t int32, d Direction) (id, n int32) {
	a := &m.axes[d.axis()]
	lane := a.laneOf[t]
	if lane < 0 {
		return 0, 0
	}
	if d.ahead() {
		return a.stream + 2*lane, a.behind[t]
	}
	return a.stream + 2*lane + 1, a.from[lane+1] - a.from[lane] - a.behind[t]
}

// strokes enters directions, one for each fan; the error is the context's.
func (m *model) strokes(ctx context.Context, dirs []Direction) (solve.Solution, error) {
	s := make(solve.Solution, len(dirs))
	points := make([]image.Point, 2*len(dirs))
	for f, d := range dirs {
		if f%oftenGone == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		i := int(m.fans[f])
		at := image.Pt(2*(i%m.p.cols)+1, 2*(i/m.p.cols)+1)
		points[2*f], points[2*f+1] = at, at.Add(d.Step().Mul(2))
		s[f] = points[2*f : 2*f+2 : 2*f+2]
	}
	return s, nil
}
