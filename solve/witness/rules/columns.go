package rules

import (
	"image"
	"slices"

	"onlooker/solve"
	"onlooker/solve/witness/board"
)

// byColumns is the row of a kind whose rule is columns: each of its symbols is looked
// at by walking from its cell.
func byColumns(c *board.Columns) Row {
	return func(v *View, own []image.Point) []image.Point {
		if c.Test.Over() {
			return nil // see Disagreeing
		}
		return slices.DeleteFunc(slices.Clone(own), func(at image.Point) bool { return v.passes(c, at, own) })
	}
}

// passes tells whether a symbol is right; own are those of its kind that are left.
func (v *View) passes(c *board.Columns, at image.Point, own []image.Point) bool {
	n := v.Line.Panel.At(at).Count
	switch {
	case c.Fold == board.Lined:
		row, column := true, true
		for _, q := range v.picked(c, at) {
			row, column = row && q.Y == at.Y, column && q.X == at.X
		}
		return row != column
	case c.Sums():
		n = 0
		for _, q := range own {
			n += v.Line.Panel.At(q).Count
		}
		return len(v.picked(c, at)) == n
	case c.Each:
		for _, way := range c.Ways(v.Line.Panel.At(at).Way) {
			if !c.Test.Met(len(v.along(c, at, way)), n) {
				return false
			}
		}
		return true
	}
	return c.Test.Met(len(v.picked(c, at)), n)
}

// picked are what a symbol's rule counts, each once.
func (v *View) picked(c *board.Columns, at image.Point) (all []image.Point) {
	if c.Itself {
		all = append(all, at)
	}
	for _, way := range c.Ways(v.Line.Panel.At(at).Way) {
		for _, q := range v.along(c, at, way) {
			if !slices.Contains(all, q) {
				all = append(all, q)
			}
		}
	}
	return all
}

// along is what is picked in one direction, or all where there is none.
func (v *View) along(c *board.Columns, at, way image.Point) (all []image.Point) {
	for _, q := range v.Line.scope(c, at, way) {
		if c.Pick == board.PickSeen && v.Line.Covered(q.Sub(way)) {
			break
		}
		if v.picks(c, at, q) {
			all = append(all, q)
		}
	}
	return all
}

// picks tells whether what lies at a place counts.
func (v *View) picks(c *board.Columns, at, q image.Point) bool {
	switch c.Pick {
	case board.PickLine:
		return v.Line.Covered(q)
	case board.PickTurn:
		return v.Line.turns(q, c.Stub)
	case board.PickOwn:
		return slices.Contains(v.Cells, q)
	case board.PickOther:
		return !slices.Contains(v.Cells, q)
	case board.PickSymbol:
		s := v.Line.Panel.At(q)
		if c.OwnColour && (s.Colour == "" || s.Colour != v.Line.Panel.At(at).Colour) || q == at {
			return false
		}
		if s.Kind.Erases() {
			return slices.Contains(v.standing, q)
		}
		return slices.Contains(v.Symbols, q) && !v.gone[q]
	}
	return true
}

// scope lists the places where a rule looks, from the symbol on; wrapped.
func (l *Line) scope(c *board.Columns, at, way image.Point) (all []image.Point) {
	p := l.Panel
	switch c.Scope {
	case board.Ray, board.Rays:
		step := way
		if c.Pick != board.PickLine {
			step = way.Mul(2)
		}
		for q := at.Add(step); p.In(q) && p.Wrap(q) != at; q = q.Add(way.Mul(2)) {
			if slices.Contains(all, p.Wrap(q)) || c.Until == board.Hole && board.IsCell(q) && l.outside[l.index(q)] {
				break
			}
			all = append(all, p.Wrap(q))
		}
		return all
	case board.Corners:
		for _, d := range []image.Point{{X: -1, Y: -1}, {X: 1, Y: -1}, {X: 1, Y: 1}, {X: -1, Y: 1}} {
			all = append(all, p.Wrap(at.Add(d)))
		}
		return all
	case board.Sides:
		for _, d := range board.Beside() {
			all = append(all, p.Wrap(at.Add(d)))
		}
		return all
	}
	for q := range p.Points() {
		if board.IsCell(q) && q != at && !l.outside[l.index(q)] && l.reaches(c, at, q, way) {
			all = append(all, q)
		}
	}
	return all
}

// reaches tells whether a scope of cells has one in it.
func (l *Line) reaches(c *board.Columns, at, q, way image.Point) bool {
	d := q.Sub(at)
	far := max(d.X, -d.X)
	if w := l.Panel.Around(); w > 0 && c.Scope != board.Ahead {
		far = min(far, w-far)
	}
	high := max(d.Y, -d.Y)
	switch c.Scope {
	case board.Next:
		return far+high == 2
	case board.Around:
		return max(far, high) == 2
	case board.Cross:
		return far == 0 || high == 0
	case board.Ahead:
		return d.X*way.X >= 0 && d.Y*way.Y >= 0 && (way.X == 0 || d.X != 0) && (way.Y == 0 || d.Y != 0)
	}
	return true
}

// turns tells whether a line has a level and an upright part at a node; with stub
// the cap of the end that was taken is one.
func (l *Line) turns(node image.Point, stub bool) bool {
	level := l.runs(node, image.Pt(1, 0)) || l.runs(node, image.Pt(-1, 0))
	upright := l.runs(node, image.Pt(0, 1)) || l.runs(node, image.Pt(0, -1))
	if stub && slices.Contains(l.tips, node) {
		way := l.Panel.At(node).Cap
		level, upright = level || way.X != 0, upright || way.Y != 0
	}
	return level && upright
}

// runs tells whether a line leaves a node on one hand. A line that begins or ends in
// the middle of an edge runs to one of its nodes.
func (l *Line) runs(node, way image.Point) bool {
	q := l.Panel.Wrap(node.Add(way))
	if l.Panel.At(q) == nil || !l.Covered(q) {
		return false
	}
	to, halved := l.halves[q]
	return !halved || to == node
}

// Disagreeing are the symbols of kinds that are judged all over the panel, where
// those of one kind, or by OwnColour of one colour of it, do not agree.
func (l *Line) Disagreeing() (all []image.Point) {
	type group struct {
		kind   board.Kind
		colour board.Colour
	}
	groups := map[group][]image.Point{}
	var order []group
	for at := range l.Panel.Points() {
		s := l.Panel.At(at)
		c := s.Kind.By()
		if !board.IsCell(at) || c == nil || !c.Test.Over() || l.outside[l.index(at)] {
			continue
		}
		g := group{kind: s.Kind}
		if c.OwnColour {
			g.colour = s.Colour
		}
		if groups[g] == nil {
			order = append(order, g)
		}
		groups[g] = append(groups[g], at)
	}
	for _, g := range order {
		if !l.agree(g.kind.By(), groups[g]) {
			all = append(all, groups[g]...)
		}
	}
	return all
}

// agree tells whether symbols that are judged together are right.
func (l *Line) agree(c *board.Columns, own []image.Point) bool {
	seen := map[image.Point]int{}
	var first []image.Point
	for i, at := range own {
		picked := l.compared(c, at)
		for _, d := range picked {
			seen[d]++
		}
		if !c.Test.Met(len(picked), l.Panel.At(at).Count) {
			return false
		}
		if i == 0 {
			first = picked
		}
		switch {
		case c.Test == "once":
		case c.Fold == board.SidesSet && !slices.Equal(first, picked), len(first) != len(picked):
			return false
		}
	}
	if c.Test == "once" {
		for _, d := range board.Beside() {
			if seen[d] != 1 {
				return false
			}
		}
	}
	return true
}

// compared is what a symbol that is judged with others picks; of sides, the ways to
// them as they are seen from its direction.
func (l *Line) compared(c *board.Columns, at image.Point) (all []image.Point) {
	if c.Fold != board.SidesSet {
		for _, r := range l.Regions() {
			if slices.Contains(r.Cells, at) {
				return (&View{Region: r}).picked(c, at)
			}
		}
	}
	for _, d := range board.Beside() {
		to := d
		for way := l.Panel.At(at).Way; way != (image.Point{}) && way != image.Pt(0, -1); way = image.Pt(way.Y, -way.X) {
			to = image.Pt(-to.Y, to.X)
		}
		if l.Covered(at.Add(to)) {
			all = append(all, d)
		}
	}
	return all
}

// apart is what is wrong on the panel as a whole.
func (l *Line) apart() *solve.RuleError {
	for _, at := range l.Disagreeing() {
		a := l.Panel.At(at).Kind.About()
		return broken(a.Rule.Name, at, a.Broken)
	}
	return nil
}

// Looks lists the half-cells beyond its region by which a symbol is judged: whether a
// line covers them, and whether it ends there, makes it right or wrong.
func (l *Line) Looks(at image.Point) (all []image.Point) {
	s := l.Panel.At(at)
	c := s.Kind.By()
	if c == nil {
		return nil
	}
	for _, way := range c.Ways(s.Way) {
		for _, q := range l.scope(c, at, way) {
			switch c.Pick {
			case board.PickLine:
				all = append(all, q)
			case board.PickSeen:
				all = append(all, q.Sub(way))
			case board.PickTurn:
				all = append(all, q)
				for _, d := range board.Beside() {
					all = append(all, q.Add(d))
				}
			}
		}
	}
	return all
}
