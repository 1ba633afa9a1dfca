package fans

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/bits"
)

// Count returns min(answers, limit), counting each direction of each fan that
// may be turned. Without a limit, more answers than an int holds are an error
// that says so.
func (p *Puzzle) Count(ctx context.Context, limit int) (int, error) {
	m, err := p.model(ctx)
	if err != nil {
		return 0, err
	}
	return m.count(ctx, limit, func(f int, left uint8) int { return bits.OnesCount8(left) })
}

// CountGroups counts answers that differ in a fan whose wind reaches a turbine.
func (p *Puzzle) CountGroups(ctx context.Context, limit int) (n int, what string, err error) {
	const tell = "that differ where wind reaches a turbine"
	m, err := p.model(ctx)
	if err != nil {
		return 0, tell, err
	}
	sees := p.sees()
	n, err = m.count(ctx, limit, func(f int, left uint8) int {
		useful := bits.OnesCount8(left & sees[m.fans[f]])
		if left&^sees[m.fans[f]] != 0 {
			useful++ // all the others count as one
		}
		return useful
	})
	return n, tell, err
}

// A counter counts the ways to turn the fans of a search.
type counter struct {
	*search
	// ways is how often a fan counts that may take any of the directions left.
	ways func(f int, left uint8) int
	most int // where counting stops
	deep int // parts within parts, now

	// walk numbers the walks through the board, and split the steps of the
	// count; a turbine or a fan has the number of the step that met it last, a
	// stream that of the walk, and what of it that has seen.
	walk, step      int
	turbine, fan    []int
	stream          []int
	fanTo, turbFrom []int32 // upwind fans to this one, turbines behind that one
	work            int
	err             error
}

// deepest is how many parts may lie within each other: a call takes half a
// kilobyte of a stack that Go ends the process over at a gigabyte.
const deepest = 1 << 20

var errDeep = errors.New("fans: the board is too large to count its answers")

// count counts to limit, or without one.
func (m *model) count(ctx context.Context, limit int, ways func(f int, left uint8) int) (int, error) {
	most := limit
	if limit <= 0 {
		most = math.MaxInt
	}
	s, ok := m.search(ctx)
	if !ok {
		return 0, s.err
	}
	c := &counter{
		search: s, ways: ways, most: most,
		turbine: make([]int, len(m.turbines)), fan: make([]int, len(m.fans)), stream: make([]int, len(m.streams)),
		fanTo: make([]int32, len(m.streams)), turbFrom: make([]int32, len(m.streams)),
	}
	n := c.split(numbers(len(m.fans)), numbers(len(m.turbines)))
	switch {
	case s.err != nil:
		return 0, s.err
	case c.err != nil:
		return 0, c.err
	case limit <= 0 && n == math.MaxInt:
		return 0, fmt.Errorf("fans: %d answers or more; give a limit", n)
	}
	return n, nil
}

func (c *counter) times(a, b int) int {
	if a != 0 && b > c.most/a {
		return c.most
	}
	return min(a*b, c.most)
}

// split multiplies over the parts that some fans and turbines fall into, which
// have nothing to do with each other any more, and over the fans that no
// turbine can tell apart.
func (c *counter) split(fans, turbines []int32) int {
	c.step++
	now, n := c.step, 1
	for _, t := range turbines {
		if c.winds[t] > 0 || c.turbine[t] >= now { // above now: a part within a part
			continue
		}
		fs, ts := c.reachable(t, now)
		if n = c.times(n, c.part(fs, ts)); n == 0 || c.err != nil {
			return 0
		}
	}
	for _, f := range fans {
		if c.fan[f] < now {
			n = c.times(n, c.ways(int(f), c.left[f]))
		}
	}
	return n
}

// reachable lists the turbines without wind that hang together with t, and the
// fans that may still reach them.
func (c *counter) reachable(t int32, now int) (fs, ts []int32) {
	c.walk++
	// visit begins with a stream; it tells nothing of it that was seen.
	visit := func(id int32) *stream {
		st := &c.streams[id]
		if c.stream[id] != c.walk {
			c.stream[id] = c.walk
			c.fanTo[id], c.turbFrom[id] = c.first[id], st.n+1
		}
		return st
	}
	c.turbine[t] = now
	ts = []int32{t}
	done := 0 // of fs
	for i := 0; i < len(ts); i++ {
		for d := North; d <= West; d++ {
			id, n := c.upwind(ts[i], d)
			if n == 0 {
				continue
			}
			st := visit(id)
			for ; c.fanTo[id] < n; c.fanTo[id]++ {
				if o := c.option(st, c.fanTo[id]); c.can(o) && c.fan[o/4] < now {
					c.fan[o/4] = now
					fs = append(fs, o/4)
				}
			}
		}
		for ; done < len(fs); done++ {
			f := fs[done]
			for left := c.left[f]; left != 0; left &= left - 1 {
				id, q := c.of(f*4 + int32(bits.TrailingZeros8(left)))
				st := visit(id)
				if q+1 >= c.turbFrom[id] {
					continue
				}
				for _, u := range c.downwind(st, q+1, c.turbFrom[id]-1) {
					if c.winds[u] == 0 && c.turbine[u] < now {
						c.turbine[u] = now
						ts = append(ts, u)
					}
				}
				c.turbFrom[id] = q + 1
			}
		}
	}
	return fs, ts
}

// part adds over the two outcomes of a choice.
func (c *counter) part(fans, turbines []int32) int {
	if c.work += len(fans) + len(turbines); c.work >= oftenGone {
		c.work = 0
		c.err = c.ctx.Err()
	}
	if c.deep == deepest {
		c.err = errDeep
	}
	if c.err != nil {
		return 0
	}
	c.deep++
	defer func() { c.deep-- }()
	o := c.branch(turbines)
	at := c.mark()
	n := 0
	c.choose(o)
	if c.propagate() {
		n = c.split(fans, turbines)
	}
	c.back(at)
	if c.err == nil {
		c.err = c.search.err
	}
	if c.err != nil {
		return 0 // at every one of thousands of levels
	}
	c.exclude(o)
	if n < c.most && c.propagate() {
		n += min(c.split(fans, turbines), c.most-n)
	}
	c.back(at)
	if c.err == nil {
		c.err = c.search.err
	}
	return n
}
