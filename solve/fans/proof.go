package fans

import (
	"context"
	"fmt"
	"image"
	"slices"
	"strings"

	"onlooker/solve"
	"onlooker/solve/sat"
)

// A Conflict proves that a board has no answer: turbines that cannot all be
// reached at once, though all but any one of them can.
type Conflict struct {
	Turbines []image.Point // columns and rows, in reading order
	fans     int           // that could reach some of them
}

// Text names the turbines.
func (c *Conflict) Text() string {
	var at []string
	for _, t := range c.Turbines {
		at = append(at, fmt.Sprintf("column %d row %d", t.X+1, t.Y+1))
	}
	list := strings.Join(at, ", ")
	switch {
	case len(at) == 1:
		return fmt.Sprintf("no fan can reach the turbine in %s", list)
	case c.fans < len(at):
		return fmt.Sprintf("no way of turning %d fans reaches all %d turbines in %s", c.fans, len(at), list)
	}
	return fmt.Sprintf("no way of turning the fans reaches all the turbines in %s", list)
}

// Where is the centres of the turbines.
func (c *Conflict) Where() []image.Point {
	var at []image.Point
	for _, t := range c.Turbines {
		at = append(at, image.Pt(2*t.X+1, 2*t.Y+1))
	}
	return at
}

// Why returns a *Conflict.
func (p *Puzzle) Why(ctx context.Context) (solve.Proof, error) {
	// Each turbine asks to be reached only while its own literal is true.
	m, c, _, asks, err := p.clauses(ctx, true)
	if err != nil {
		return nil, err
	}
	number := make(map[sat.Lit]int, len(asks))
	for t, l := range asks {
		number[l] = t
	}
	if ok, err := c.Solve(ctx, asks...); err != nil {
		return nil, err
	} else if ok {
		return nil, fmt.Errorf("fans: the board has an answer")
	}
	// Leave out what is not needed, one by one.
	needed := slices.Clone(c.Failed())
	for i := 0; i < len(needed); {
		rest := slices.Delete(slices.Clone(needed), i, i+1)
		ok, err := c.Solve(ctx, rest...)
		switch {
		case err != nil:
			return nil, err
		case ok:
			i++
		default:
			needed = rest
		}
	}
	var core []int
	for _, l := range needed {
		core = append(core, number[l])
	}
	slices.Sort(core)
	proof := &Conflict{}
	fans := map[int]bool{}
	for _, t := range core {
		i := m.cells[t]
		proof.Turbines = append(proof.Turbines, image.Pt(i%p.cols, i/p.cols))
		for _, o := range m.from[t] {
			fans[o/4] = true
		}
	}
	proof.fans = len(fans)
	return proof, nil
}

// trials is how many ways CheckProof tries before it gives up.
const trials = 20_000_000

// CheckProof tries all ways of turning the fans that see a *Conflict's
// turbines; it knows nothing of how the conflict was found.
func (p *Puzzle) CheckProof(ctx context.Context, proof solve.Proof) error {
	c, ok := proof.(*Conflict)
	if !ok {
		return fmt.Errorf("fans: a proof of type %T, want *fans.Conflict", proof)
	}
	if len(c.Turbines) == 0 {
		return fmt.Errorf("fans: a conflict of no turbines")
	}
	for _, t := range c.Turbines {
		if t.X < 0 || t.Y < 0 || t.X >= p.cols || t.Y >= p.rows || p.cell[t.Y*p.cols+t.X] != 'T' {
			return fmt.Errorf("fans: the proof names column %d row %d, which is no turbine", t.X+1, t.Y+1)
		}
	}
	w := &windTrial{ctx: ctx, turned: map[image.Point]image.Point{}, left: trials}
	for _, t := range c.Turbines {
		w.gusts = append(w.gusts, p.gusts(t))
	}
	if !w.free() {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if w.left < 0 {
		return fmt.Errorf("fans: the conflict is not settled after %d trials", trials)
	}
	return fmt.Errorf("fans: the proof's turbines can all be reached")
}

// A gust is a fan that is turned so that it blows at a turbine.
type gust struct{ fan, d image.Point }

// gusts looks from a turbine in four directions for what may blow at it.
func (p *Puzzle) gusts(t image.Point) (all []gust) {
	for _, d := range []image.Point{{X: 0, Y: -1}, {X: 1, Y: 0}, {X: 0, Y: 1}, {X: -1, Y: 0}} {
		for at := t.Add(d); at.X >= 0 && at.Y >= 0 && at.X < p.cols && at.Y < p.rows; at = at.Add(d) {
			if p.cell[at.Y*p.cols+at.X] == 'F' {
				all = append(all, gust{at, d.Mul(-1)})
			}
		}
	}
	return all
}

// A windTrial tries all ways of turning fans.
type windTrial struct {
	ctx    context.Context
	gusts  [][]gust // by turbine
	turned map[image.Point]image.Point
	left   int // trials
}

// free tells whether the turbines without wind can all get some, or the trials or
// the context have ended.
func (w *windTrial) free() bool {
	if w.left--; w.left < 0 || w.left%256 == 0 && w.ctx.Err() != nil {
		return true
	}
	// The turbine with the fewest ways left that has no wind.
	var few []gust
	found := false
	for _, all := range w.gusts {
		var can []gust
		done := false
		for _, g := range all {
			if d, ok := w.turned[g.fan]; !ok {
				can = append(can, g)
			} else if d == g.d {
				done = true
			}
		}
		if !done && (!found || len(can) < len(few)) {
			few, found = can, true
		}
	}
	if !found {
		return true
	}
	for _, g := range few {
		w.turned[g.fan] = g.d
		if w.free() {
			return true
		}
		delete(w.turned, g.fan)
	}
	return false
}
