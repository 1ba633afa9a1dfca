package rules

import (
	"image"
	"slices"
	"sync"

	"onlooker/solve"
	"onlooker/solve/witness/board"
)

// byColumns is the row of a kind whose rule is columns: each of its symbols is looked
// at from its cell.
func byColumns(c *board.Columns) Row {
	return func(v *View, own []image.Point) (wrong []image.Point) {
		if c.Test.Over() {
			return nil // see Disagreeing
		}
		k := v.look(c, own)
		for _, at := range own {
			if v.Line.limit.ended(v.Line.Panel.Cols + v.Line.Panel.Rows) {
				return nil // whoever asks looks at the limit
			}
			if !k.passes(at) {
				wrong = append(wrong, at)
			}
		}
		return wrong
	}
}

// A look is what the symbols of a kind see in a region. What they count is told from sums
// that are made once, so that each takes no longer where the region is larger.
type look struct {
	*Line
	c    *board.Columns
	cell *sums                  // the region's cells
	left map[board.Colour]*sums // its symbols that are left, by colour; all under "" unless colours count
	sum  int                    // of the numbers of the kind
}

func (v *View) look(c *board.Columns, own []image.Point) *look {
	k := &look{Line: v.Line, c: c}
	switch c.Pick {
	case board.PickOwn, board.PickOther:
		k.cell = newSums(v.Cells)
	case board.PickSymbol:
		by := map[board.Colour][]image.Point{}
		for _, at := range slices.Concat(v.Left(nil), v.standing) {
			colour := board.Colour("")
			if c.OwnColour {
				if colour = v.Line.Panel.At(at).Colour; colour == "" {
					continue
				}
			}
			by[colour] = append(by[colour], at)
		}
		k.left = map[board.Colour]*sums{}
		for colour, places := range by {
			k.left[colour] = newSums(places)
		}
	}
	for _, q := range own {
		k.sum += v.Line.Panel.At(q).Count
	}
	return k
}

// passes tells whether a symbol is right.
func (k *look) passes(at image.Point) bool {
	s := k.Panel.At(at)
	switch {
	case k.c.Fold == board.Lined:
		row, column := k.arms(at)
		all := k.within(at, k.areas(at, image.Point{})...)
		return (all == k.within(at, row...)) != (all == k.within(at, column...))
	case k.c.Sums():
		return k.count(at) == k.sum
	case k.c.Each:
		for _, way := range k.c.Ways(s.Way) {
			if n, _ := k.along(at, way); !k.c.Test.Met(n, s.Count) {
				return false
			}
		}
		return true
	}
	return k.c.Test.Met(k.count(at), s.Count)
}

// count is how much a symbol's rule counts, each place once.
func (k *look) count(at image.Point) (n int) {
	if k.c.Itself {
		n++
	}
	round := false
	for _, way := range k.c.Ways(k.Panel.At(at).Way) {
		if round && way == image.Pt(-1, 0) {
			continue // what lies to the left was met to the right
		}
		more, all := k.along(at, way)
		n, round = n+more, round || all && way == image.Pt(1, 0)
	}
	return n
}

// along is how much is picked in one direction, or in all where there is none; round
// tells that a ray came all the way round a pillar.
func (k *look) along(at, way image.Point) (n int, round bool) {
	c := k.c
	switch c.Scope {
	case board.Ray, board.Rays:
		for q, last := range k.ray(c, at, way) {
			if c.Pick == board.PickSeen && k.Covered(q.Sub(way)) {
				return n, false
			}
			if k.picks(at, q) {
				n++
			}
			round = round || last
		}
		return n, round
	case board.All, board.Cross, board.Ahead:
		return k.within(at, k.areas(at, way)...), false
	}
	for _, q := range k.near(c.Scope, at) {
		if k.picks(at, q) {
			n++
		}
	}
	return n, false
}

// picks tells whether what lies at a place counts.
func (k *look) picks(at, q image.Point) bool {
	switch k.c.Pick {
	case board.PickLine:
		return k.Covered(q)
	case board.PickTurn:
		return k.turns(q, k.c.Stub)
	case board.PickSeen:
		return true
	}
	q = cellOf(q)
	return k.within(at, image.Rectangle{Min: q, Max: q.Add(image.Pt(1, 1))}) > 0
}

// within is how much is picked in some areas, which do not overlap.
func (k *look) within(at image.Point, areas ...image.Rectangle) (n int) {
	for _, r := range areas {
		switch k.c.Pick {
		case board.PickOwn:
			n += k.cell.within(r)
		case board.PickOther:
			n += k.cells().within(r) - k.cell.within(r)
		case board.PickSymbol:
			colour := board.Colour("")
			if k.c.OwnColour {
				colour = k.Panel.At(at).Colour
			}
			n += k.left[colour].within(r)
		}
	}
	return n
}

// areas are the cells of a scope of many, itself left out.
func (k *look) areas(at, way image.Point) []image.Rectangle {
	cell, all := cellOf(at), image.Rect(0, 0, k.Panel.Cols, k.Panel.Rows)
	row, column := k.arms(at)
	switch k.c.Scope {
	case board.Cross:
		return slices.Concat(row, column)
	case board.Ahead:
		if way.X > 0 {
			all.Min.X = cell.X + 1
		} else if way.X < 0 {
			all.Max.X = cell.X
		}
		if way.Y > 0 {
			all.Min.Y = cell.Y + 1
		} else if way.Y < 0 {
			all.Max.Y = cell.Y
		}
		return []image.Rectangle{all}
	}
	above, below := all, all
	above.Max.Y, below.Min.Y = cell.Y, cell.Y+1
	return append(row, above, below)
}

// arms are the cells of a cell's row and column, itself left out.
func (k *look) arms(at image.Point) (row, column []image.Rectangle) {
	c, w, h := cellOf(at), k.Panel.Cols, k.Panel.Rows
	return []image.Rectangle{image.Rect(0, c.Y, c.X, c.Y+1), image.Rect(c.X+1, c.Y, w, c.Y+1)},
		[]image.Rectangle{image.Rect(c.X, 0, c.X+1, c.Y), image.Rect(c.X, c.Y+1, c.X+1, h)}
}

// cellOf is the column and the row of a cell.
func cellOf(at image.Point) image.Point { return image.Pt(at.X>>1, at.Y>>1) }

// Sums tell how many of some cells lie in an area.
type sums struct {
	in image.Rectangle
	to []int // above and left of each corner of in
}

func newSums(places []image.Point) *sums {
	s := &sums{}
	for _, at := range places {
		c := cellOf(at)
		s.in = s.in.Union(image.Rectangle{Min: c, Max: c.Add(image.Pt(1, 1))})
	}
	w := s.in.Dx() + 1
	s.to = make([]int, w*(s.in.Dy()+1))
	for _, at := range places {
		c := cellOf(at).Sub(s.in.Min)
		s.to[(c.Y+1)*w+c.X+1]++
	}
	for i := w; i < len(s.to); i++ {
		if i%w > 0 {
			s.to[i] += s.to[i-1] + s.to[i-w] - s.to[i-w-1]
		}
	}
	return s
}

func (s *sums) within(r image.Rectangle) int {
	if s == nil {
		return 0
	}
	if r = r.Intersect(s.in); r.Empty() {
		return 0
	}
	r = r.Sub(s.in.Min)
	w := s.in.Dx() + 1
	return s.to[r.Max.Y*w+r.Max.X] - s.to[r.Min.Y*w+r.Max.X] - s.to[r.Max.Y*w+r.Min.X] + s.to[r.Min.Y*w+r.Min.X]
}

// cells sums all that are cells.
func (l *Line) cells() *sums {
	if l.all == nil {
		var all []image.Point
		for q := range l.Panel.Points() {
			if board.IsCell(q) && !l.outside[l.index(q)] {
				all = append(all, q)
			}
		}
		l.all = newSums(all)
	}
	return l.all
}

// ray yields the places of a ray, wrapped; last is true at the one before its cell,
// all round a pillar.
func (l *Line) ray(c *board.Columns, at, way image.Point) func(yield func(q image.Point, last bool) bool) {
	return func(yield func(image.Point, bool) bool) {
		p, step := l.Panel, way.Mul(2)
		q := at.Add(way)
		if c.Pick != board.PickLine {
			q = at.Add(step)
		}
		for ; p.In(q) && p.Wrap(q) != at; q = q.Add(step) {
			if c.Until == board.Hole && board.IsCell(q) && l.outside[l.index(q)] {
				return
			}
			back := p.Wrap(q.Add(way))
			if c.Pick != board.PickLine {
				back = p.Wrap(q.Add(step))
			}
			if !yield(p.Wrap(q), back == at) || back == at {
				return
			}
		}
	}
}

// near lists the few places of a scope about a cell, wrapped, each once.
func (l *Line) near(scope board.Scope, at image.Point) (all []image.Point) {
	far := 2
	if scope == board.Corners || scope == board.Sides {
		far = 1
	}
	for y := -far; y <= far; y += far {
		for x := -far; x <= far; x += far {
			q := l.Panel.Wrap(at.Add(image.Pt(x, y)))
			slanting := x != 0 && y != 0
			if scope == board.Corners && !slanting || (scope == board.Sides || scope == board.Next) && slanting {
				continue
			}
			if l.Panel.In(q) && q != at && !slices.Contains(all, q) {
				all = append(all, q)
			}
		}
	}
	return all
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
// the middle of an edge runs to one of its nodes, and its image perhaps to the other.
func (l *Line) runs(node, way image.Point) bool {
	q := l.Panel.Wrap(node.Add(way))
	if l.Panel.At(q) == nil || !l.Covered(q) {
		return false
	}
	to, halved := l.halves[q]
	return !halved || slices.Contains(to, node)
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
	of := sync.OnceValue(l.regionsOf)
	for _, g := range order {
		if l.limit.err == nil && !l.agree(g.kind.By(), groups[g], of) {
			all = append(all, groups[g]...)
		}
	}
	if l.limit.err != nil {
		return nil // see Err
	}
	return all
}

// regionsOf finds the region of each cell.
func (l *Line) regionsOf() []*Region {
	of := make([]*Region, len(l.own))
	for _, r := range l.Regions() {
		for _, cell := range r.Cells {
			of[l.index(cell)] = r
		}
	}
	return of
}

// agree tells whether symbols that are judged together are right.
func (l *Line) agree(c *board.Columns, own []image.Point, of func() []*Region) bool {
	var by [4]int // of sides seen from a direction: how many symbols have them covered
	first, looks := 0, map[*Region]*look{}
	for i, at := range own {
		if l.limit.ended(l.Panel.Cols + l.Panel.Rows) {
			return false // whoever asks looks at the limit
		}
		n := 0 // how many, or which sides
		if c.Fold == board.SidesSet {
			for d, on := range l.sidesFrom(at) {
				if on {
					by[d]++
					n |= 1 << d
				}
			}
		} else {
			r := of()[l.index(at)]
			if looks[r] == nil {
				looks[r] = (&View{Region: r}).look(c, nil)
			}
			if n = looks[r].count(at); !c.Test.Met(n, l.Panel.At(at).Count) {
				return false
			}
		}
		if i == 0 {
			first = n
		}
		if c.Test != "once" && n != first {
			return false
		}
	}
	return c.Test != "once" || by == [4]int{1, 1, 1, 1}
}

// sidesFrom are the sides of a cell that a line covers, as they are seen from its
// symbol's direction: ahead first, then clockwise.
func (l *Line) sidesFrom(at image.Point) (on [4]bool) {
	way := l.Panel.At(at).Way
	if way == (image.Point{}) {
		way = image.Pt(0, -1)
	}
	for d := range on {
		on[d] = l.Covered(at.Add(way))
		way = image.Pt(-way.Y, way.X)
	}
	return on
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
		places := l.near(c.Scope, at)
		if c.Scope == board.Ray || c.Scope == board.Rays {
			places = nil
			for q := range l.ray(c, at, way) {
				places = append(places, q)
			}
		}
		for _, q := range places {
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
