package fans

import (
	"context"
	"fmt"
	"image"
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
	m, err := p.model(ctx)
	if err != nil {
		return nil, err
	}
	// A turbine that nothing can reach says it all.
	var core []int
	for t := range m.turbines {
		reachable := false
		for d := North; d <= West; d++ {
			_, n := m.upwind(int32(t), d)
			reachable = reachable || n > 0
		}
		if !reachable {
			core = []int{t}
			break
		}
	}
	if core == nil {
		// Each turbine asks to be reached only while its own literal is true.
		c, asks, err := m.clauses(ctx, true)
		if err != nil {
			return nil, err
		}
		number := make(map[sat.Lit]int, len(asks))
		for t, l := range asks {
			number[l] = t
		}
		cannot := func(ts []sat.Lit) (bool, error) {
			ok, err := c.s.Solve(ctx, ts...)
			return !ok, err
		}
		no, err := cannot(asks)
		if err != nil {
			return nil, err
		}
		if !no {
			return nil, fmt.Errorf("fans: the board has an answer")
		}
		// Leave out what is not needed, one by one.
		needed := append([]sat.Lit(nil), c.s.Failed()...)
		for i := 0; i < len(needed); {
			rest := append(append([]sat.Lit(nil), needed[:i]...), needed[i+1:]...)
			no, err := cannot(rest)
			if err != nil {
				return nil, err
			}
			if no {
				needed = rest
			} else {
				i++
			}
		}
		in := make([]bool, len(m.turbines))
		for _, l := range needed {
			in[number[l]] = true
		}
		for t, is := range in {
			if is {
				core = append(core, t)
			}
		}
	}
	proof := &Conflict{}
	fans := map[int32]bool{}
	for _, t := range core {
		i := int(m.turbines[t])
		proof.Turbines = append(proof.Turbines, image.Pt(i%p.cols, i/p.cols))
		for d := North; d <= West; d++ {
			id, n := m.upwind(int32(t), d)
			for q := range n {
				fans[m.option(&m.streams[id], q)/4] = true
			}
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
		gusts, err := p.gusts(t)
		if err != nil {
			return err
		}
		w.gusts = append(w.gusts, gusts)
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
func (p *Puzzle) gusts(t image.Point) ([]gust, error) {
	var all []gust
	back := map[image.Point]byte{{X: 0, Y: -1}: 'S', {X: 1, Y: 0}: 'W', {X: 0, Y: 1}: 'N', {X: -1, Y: 0}: 'E'}
	for d, letter := range back {
		for at := t.Add(d); at.X >= 0 && at.Y >= 0 && at.X < p.cols && at.Y < p.rows; at = at.Add(d) {
			ch := p.cell[at.Y*p.cols+at.X]
			if ch == '#' {
				break
			}
			if ch == letter {
				return nil, fmt.Errorf("fans: the turbine in column %d row %d of the proof has wind already", t.X+1, t.Y+1)
			}
			if strings.ContainsRune("F^>v<", rune(ch)) {
				all = append(all, gust{at, d.Mul(-1)})
			}
		}
	}
	return all, nil
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
	if w.left--; w.left < 0 || w.left%oftenChosen == 0 && w.ctx.Err() != nil {
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
