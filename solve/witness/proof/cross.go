package proof

import (
	"context"
	"errors"
	"fmt"
	"image"
	"slices"

	"onlooker/solve"
	"onlooker/solve/sat"
	"onlooker/solve/witness/board"
	"onlooker/solve/witness/rules"
)

// A cross is another solver for the same panels, which shares nothing with
// Solve: gini draws a line, Check judges it, and what was wrong is forbidden.
// It learns little from each mistake and is far slower, but there is little in
// it that could be wrong too. It verifies proofs.
type cross struct {
	p     *board.Panel
	rules rules.Table
	s     *sat.Solver
	path  *sat.Path
	node  map[image.Point]int     // vertices
	step  map[[2]image.Point]int  // edges of the graph, by vertex and next half-cell
	over  map[image.Point]sat.Lit // the player's line covers a half-cell
	from  map[image.Point]int     // edges from the source
	to    map[image.Point]int     // and to the sink
	erase bool                    // erasers may take what is wrong
}

func (v Prover) newCross(p *board.Panel) *cross {
	c := &cross{p: p, rules: v.Rules, s: sat.New(), node: map[image.Point]int{}, step: map[[2]image.Point]int{}, over: map[image.Point]sat.Lit{}, from: map[image.Point]int{}, to: map[image.Point]int{}}
	const source, sink = 0, 1
	vertices := 2
	var starts, caps []image.Point
	for at := range p.Points() {
		if board.IsCell(at) || !c.free(at) || board.IsEdge(at) && !isStart(p.At(at)) && !p.At(at).IsEnd() {
			continue
		}
		c.node[at] = vertices
		vertices++
		if c.paired(at, isStart) {
			starts = append(starts, at)
		}
		if c.paired(at, (*board.Spot).IsEnd) || p.Rules.LoneEnds && p.LoneEnd(at) {
			caps = append(caps, at)
		}
	}
	ends := c.edges()
	for _, at := range starts {
		c.from[at] = len(ends)
		ends = append(ends, [2]int{source, c.node[at]})
	}
	for _, at := range caps {
		c.to[at] = len(ends)
		ends = append(ends, [2]int{c.node[at], sink})
	}
	c.path = c.s.NewPath(vertices, source, sink, ends)
	for at := range p.Points() {
		if v, ok := c.node[at]; ok {
			c.over[at] = c.path.Visited[v]
		} else if board.IsEdge(at) {
			way := board.AlongEdge(at)
			if e, ok := c.step[[2]image.Point{p.Wrap(at.Sub(way)), way}]; ok {
				c.over[at] = c.path.On[e]
			}
		}
	}
	for at, lit := range c.over {
		c.addRules(at, lit)
	}
	c.erase, _ = apart(p)
	return c
}

func isStart(s *board.Spot) bool { return s.Start }

// free tells whether a line may come to a half-cell, and its image to that one's.
func (c *cross) free(at image.Point) bool {
	p := c.p
	if !p.In(at) || p.At(at).Gap != board.Whole {
		return false
	}
	if p.Symmetry == board.NoSymmetry {
		return true
	}
	q, ok := p.Image(at)
	return ok && (q != p.Wrap(at) || p.Rules.SharedStarts && p.At(at).Start) && p.At(q).Gap == board.Whole
}

// paired tells whether a start or end has its image.
func (c *cross) paired(at image.Point, is func(*board.Spot) bool) bool {
	if !is(c.p.At(at)) {
		return false
	}
	q, ok := c.p.Image(at)
	return c.p.Symmetry == board.NoSymmetry || ok && is(c.p.At(q))
}

// edges lists the graph's edges between nodes, by their vertices.
func (c *cross) edges() (ends [][2]int) {
	p := c.p
	join := func(a, b, way image.Point) {
		u, ok := c.node[a]
		v, ok2 := c.node[p.Wrap(b)]
		if ok && ok2 {
			c.step[[2]image.Point{a, way}] = len(ends)
			c.step[[2]image.Point{p.Wrap(b), way.Mul(-1)}] = len(ends)
			ends = append(ends, [2]int{u, v})
		}
	}
	for at := range p.Points() {
		if !board.IsEdge(at) || !c.free(at) {
			continue
		}
		way := board.AlongEdge(at)
		back := p.Wrap(at.Sub(way))
		if _, ok := c.node[at]; ok {
			join(back, at, way)
			join(at, at.Add(way), way)
		} else {
			join(back, at.Add(way), way)
		}
	}
	return ends
}

// addRules adds what else holds of a half-cell that the line covers when lit says
// so: the image does not, the line stops at ends where it must, and coloured dots
// are for their own line.
func (c *cross) addRules(at image.Point, lit sat.Lit) {
	p := c.p
	if q, ok := p.Image(at); ok && p.Symmetry != board.NoSymmetry {
		if q == p.Wrap(at) { // a start that both lines share
			c.s.Add(-lit, c.path.On[c.from[at]])
		} else if other, ok := c.over[q]; ok {
			c.s.Add(-lit, -other)
		}
	}
	if !p.Rules.ThroughEnds && p.At(at).IsEnd() {
		c.stopAt(at, lit)
	}
	if dot := p.At(at).Dot; dot.On && p.Rules.ColouredDots && p.Symmetry != board.NoSymmetry {
		q, _ := p.Image(at)
		if other, ok := c.over[q]; ok && dot.Line == board.OwnLine {
			c.s.Add(-other)
		}
		if dot.Line == board.OtherLine {
			c.s.Add(-lit)
		}
	}
}

// stopAt adds: a line that covers an end begins or ends there, and its image is
// not run through either.
func (c *cross) stopAt(at image.Point, lit sat.Lit) {
	clause := []sat.Lit{-lit}
	here := func(at image.Point) {
		for _, m := range []map[image.Point]int{c.from, c.to} {
			if e, ok := m[at]; ok {
				clause = append(clause, c.path.On[e])
			}
		}
	}
	here(at)
	c.s.Add(clause...)
	q, ok := c.p.Image(at)
	if !ok || c.p.Symmetry == board.NoSymmetry {
		return
	}
	if other, ok := c.over[q]; ok {
		clause[0] = -other
		here(q)
		c.s.Add(clause...)
	}
}

// stroke is the line of the last model.
func (c *cross) stroke() solve.Stroke {
	var at image.Point
	for q, e := range c.from {
		if c.s.Value(c.path.On[e]) {
			at = q
		}
	}
	line := solve.Stroke{at}
	came := image.Point{}
next:
	for {
		for _, d := range []image.Point{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}} {
			e, ok := c.step[[2]image.Point{c.p.Wrap(at), d}]
			if !ok || !c.s.Value(c.path.On[e]) || d == came {
				continue
			}
			at = at.Add(d)
			if _, ok := c.node[c.p.Wrap(at)]; !ok {
				at = at.Add(d)
			}
			if last := line[len(line)-1]; board.IsEdge(last) && len(line) > 1 {
				line = line[:len(line)-1]
			}
			line = append(line, at)
			came = d.Mul(-1)
			continue next
		}
		return append(line, at.Add(c.p.At(at).Cap))
	}
}

// forbid adds a clause that excludes the last line and, where a region is
// wrong, every line with the same region.
func (c *cross) forbid(broken *solve.RuleError) {
	clause := c.whole()
	if !slices.ContainsFunc(rules.LineRules(), func(r solve.Rule) bool { return r.Name == broken.Rule }) {
		if kind := c.p.At(broken.At).Kind.By(); kind == nil || !kind.Test.Over() {
			if clause = c.beside(broken.At); clause == nil {
				clause = c.around(broken.At)
			}
		}
	}
	c.s.Add(clause...)
}

// beside excludes every line that is the same at a dot, or at the sides of triangles: these are wrong
// by that alone, where nothing takes them. nil: they are not, or half an edge may be covered.
func (c *cross) beside(at image.Point) (clause []sat.Lit) {
	places := []image.Point{at}
	switch s := c.p.At(at); {
	case c.erase || !s.Dot.On && s.Kind != board.Triangle:
		return nil
	case s.Kind == board.Triangle:
		places = nil
		for _, d := range board.Beside() {
			places = append(places, at.Add(d))
		}
	}
	for _, q := range places {
		if image, ok := c.p.Image(q); ok && c.p.Symmetry != board.NoSymmetry {
			places = append(places, image)
		}
	}
	for _, q := range places {
		if _, ok := c.node[c.p.Wrap(q)]; ok && board.IsEdge(q) {
			return nil
		}
		if lit, ok := c.over[c.p.Wrap(q)]; ok {
			if c.s.Value(lit) {
				lit = -lit
			}
			clause = append(clause, lit)
		}
	}
	return clause
}

// around excludes every line that cuts off the same region round a half-cell.
func (c *cross) around(from image.Point) []sat.Lit {
	p := c.p
	line, wrong := c.rules.Draw(context.Background(), p, solve.Solution{c.stroke()})
	if wrong != nil {
		return c.whole()
	}
	var clause []sat.Lit
	fix := func(at image.Point) { // what covers a half-cell must change
		if lit, ok := c.over[p.Wrap(at)]; ok {
			if c.s.Value(lit) {
				clause = append(clause, -lit)
			} else {
				clause = append(clause, lit)
			}
		}
	}
	both := func(at image.Point) {
		fix(at)
		if q, ok := p.Image(at); ok && p.Symmetry != board.NoSymmetry {
			fix(q)
		}
	}
	// The region is found again half-cell by half-cell.
	seen := map[image.Point]bool{p.Wrap(from): true}
	for queue := []image.Point{p.Wrap(from)}; len(queue) > 0; {
		at := queue[0]
		queue = queue[1:]
		for _, d := range board.Beside() {
			q := p.Wrap(at.Add(d))
			if !p.In(q) || seen[q] {
				continue
			}
			seen[q] = true
			if !board.IsCell(q) {
				both(q)
			}
			if line.Open(q) {
				queue = append(queue, q)
			}
		}
		if board.IsCell(at) {
			// What symbols look at that look farther than their region.
			for _, q := range line.Looks(at) {
				both(q)
				if e, ok := c.to[p.Wrap(q)]; ok {
					clause = append(clause, c.path.On[e])
					if c.s.Value(c.path.On[e]) {
						clause[len(clause)-1] = -c.path.On[e]
					}
				}
			}
			// Dots at its corners, and halves of its sides.
			for _, d := range []image.Point{{X: 1, Y: 1}, {X: -1, Y: 1}, {X: 1, Y: -1}, {X: -1, Y: -1}} {
				both(at.Add(d))
			}
		} else {
			both(at)
		}
	}
	// Where the line begins or ends decides what is open on a middle.
	for at := range c.node {
		if board.IsEdge(at) && seen[at] {
			return append(clause, c.whole()...)
		}
	}
	return clause
}

// whole excludes the last line alone.
func (c *cross) whole() []sat.Lit {
	var clause []sat.Lit
	for _, lit := range c.path.On {
		if c.s.Value(lit) {
			clause = append(clause, -lit)
		}
	}
	return clause
}

// solve finds an answer, or solve.ErrUnsolvable.
func (c *cross) solve(ctx context.Context) (solve.Solution, error) {
	for {
		walk, err := c.path.Solve(ctx)
		if err != nil {
			return nil, err
		}
		if walk == nil {
			return nil, solve.ErrUnsolvable
		}
		a := solve.Solution{c.stroke()}
		err = c.rules.Check(ctx, c.p, a)
		if err == nil {
			return a, nil
		}
		var broken *solve.RuleError
		if !errors.As(err, &broken) {
			return nil, err
		}
		c.forbid(broken)
	}
}

// count counts all answers.
func (c *cross) count(ctx context.Context) (int, error) {
	for n := 0; ; n++ {
		a, err := c.solve(ctx)
		switch {
		case errors.Is(err, solve.ErrUnsolvable):
			return n, nil
		case err != nil:
			return n, fmt.Errorf("after %d answers: %w", n, err)
		case a != nil:
			c.s.Add(c.whole()...)
		}
	}
}

// Count counts all answers of a panel with the second solver.
func (v Prover) Count(ctx context.Context, p *board.Panel) (int, error) {
	return v.newCross(p).count(ctx)
}
