package witness

import (
	"cmp"
	"image"
	"slices"

	"onlooker/solve/cover"
)

// A tiler tells whether pieces can be laid in a region: pieces alone are an
// exact cover, with blue ones a search over what each cell still needs.
type tiler struct {
	rules  RuleSet
	m      *model
	turns  [][][]image.Point // by class of symbol: its shape in all orientations
	cell   []image.Point     // by cell: column and row
	number []int32           // by column and row: the cell, -1
	known  *memo             // by cells and classes (sorted) that were tried
	exact  *cover.Problem
	place  []int32 // by cell: its place in the region in question, -1
	key    []byte
	steps  int // of all subtractions
	most   int // of them, from where on what is asked counts as refused; 0: no end
}

func newTiler(m *model, rules RuleSet) *tiler {
	p := m.p
	t := &tiler{rules: rules, m: m, number: make([]int32, p.Cols*p.Rows), known: newMemo(), exact: cover.New(0, 0), place: make([]int32, m.l.real)}
	for i := range t.number {
		t.number[i] = -1
	}
	for i := range t.place {
		t.place[i] = -1
	}
	for c, at := range m.l.cells[:m.l.real] {
		q := image.Pt(at.X/2, at.Y/2)
		t.cell = append(t.cell, q)
		t.number[q.Y*p.Cols+q.X] = int32(c)
	}
	for _, it := range m.classes {
		var all [][]image.Point
		if it.Kind.IsPiece() {
			all = turned(it.Symbol)
		}
		t.turns = append(t.turns, all)
	}
	return t
}

// turned lists a piece's squares in its different orientations.
func turned(s *Symbol) [][]image.Point {
	all := [][]image.Point{s.Shape}
	for s.Turnable && len(all) < 4 {
		next := slices.Clone(all[len(all)-1])
		for i, q := range next {
			next[i] = image.Pt(-q.Y, q.X)
		}
		least := next[0]
		for _, q := range next {
			least = image.Pt(min(least.X, q.X), min(least.Y, q.Y))
		}
		for i := range next {
			next[i] = next[i].Sub(least)
		}
		slices.SortFunc(next, func(a, b image.Point) int { return (a.Y-b.Y)*1000 + a.X - b.X })
		if slices.Equal(next, all[0]) {
			break // after two turns, or four
		}
		all = append(all, next)
	}
	return all
}

// canonical is the one of a piece's orientations that stands for all.
func canonical(turns [][]image.Point) []image.Point {
	return slices.MinFunc(turns, func(a, b []image.Point) int {
		return slices.CompareFunc(a, b, func(p, q image.Point) int {
			return cmp.Or(p.Y-q.Y, p.X-q.X)
		})
	})
}

// lay tells whether pieces of the given classes (sorted, one entry a piece)
// fill the region's cells, or come to nothing. loose are joins within the
// region that a line runs along, which bar pieces.
func (t *tiler) lay(region []int32, classes []int32, loose []int32) bool {
	if len(classes) == 0 {
		return true
	}
	net, blue, cells := 0, false, 0
	for _, c := range region {
		if int(c) < t.m.l.real {
			cells++
		}
	}
	for _, c := range classes {
		if s := t.m.classes[c]; s.area < 0 {
			net -= len(s.Shape)
			blue = true
		} else {
			net += len(s.Shape)
		}
	}
	if net == 0 && t.rules.ZeroAnyShape {
		return true
	}
	if net != 0 && net != cells {
		return false
	}
	if !t.rules.LineBlocksPieces {
		loose = nil
	}
	sorted := make([]int32, 0, cells)
	if net != 0 {
		for _, c := range region {
			if int(c) < t.m.l.real {
				sorted = append(sorted, c)
			}
		}
		slices.Sort(sorted)
	} else {
		loose = nil
	}
	key := appendClasses(t.key[:0], classes)
	key = appendInts(key, -1)
	key = appendClasses(key, sorted)
	key = appendInts(key, -1)
	key = appendClasses(key, loose)
	t.key = key
	ok, known := t.known.look(key)
	if known {
		return ok
	}
	if blue {
		ok = t.subtract(sorted, classes, loose)
	} else {
		ok = t.tile(sorted, classes, loose)
	}
	if t.m.ctx.Err() != nil {
		return true // not tried to the end; whoever asks looks at the context
	}
	ok = ok && !t.spent()
	t.known.note(key, ok)
	return ok
}

// at is the cell that a square of a shape lies on, -1 off the cells.
func (t *tiler) at(q image.Point) int32 {
	p := t.m.p
	if p.Pillar {
		q.X %= p.Cols
	}
	if q.X < 0 || q.X >= p.Cols || q.Y < 0 || q.Y >= p.Rows {
		return -1
	}
	return t.number[q.Y*p.Cols+q.X]
}

// tile is lay without blue pieces: every cell once.
func (t *tiler) tile(cells []int32, classes []int32, loose []int32) bool {
	for i, c := range cells {
		t.place[c] = int32(i)
	}
	defer func() {
		for _, c := range cells {
			t.place[c] = -1
		}
	}()
	// From left to right and from above: on a pillar of two columns the cells of
	// a row meet on both hands.
	barred := make(map[[2]int32]bool)
	for _, ji := range loose {
		j := t.m.l.joins[ji]
		barred[[2]int32{j.a, j.b}] = true
	}
	kinds := slices.Compact(slices.Clone(classes))
	t.exact.Reset(len(cells), len(kinds))
	option := make([]int, 0, 16)
	used := make([]int32, 0, 16)
	for k, class := range kinds {
		n := 0
		for _, c := range classes {
			if c == class {
				n++
			}
		}
		t.exact.Room(len(cells)+k, n)
		for _, shape := range t.turns[class] {
			for _, c := range cells {
				// The shape's first square lies on c.
				origin := t.cell[c].Sub(shape[0])
				if t.m.p.Pillar {
					origin.X = (origin.X + t.m.p.Cols) % t.m.p.Cols
				}
				option, used = option[:0], used[:0]
				for _, q := range shape {
					at := t.at(origin.Add(q))
					if at < 0 || t.place[at] < 0 || slices.Contains(used, at) {
						break
					}
					used = append(used, at)
					option = append(option, int(t.place[at]))
				}
				if len(option) < len(shape) || len(barred) > 0 && t.crosses(shape, used, barred) {
					continue
				}
				t.exact.Add(append(option, len(cells)+k)...)
			}
		}
	}
	_, ok, err := t.exact.First(t.m.ctx, 0)
	return ok || err != nil // the context's error: see lay
}

// crosses tells whether two squares side by side in a shape lie on barred
// cells. cells are where its squares lie.
func (t *tiler) crosses(shape []image.Point, cells []int32, barred map[[2]int32]bool) bool {
	for i, a := range shape {
		for k, b := range shape {
			if d := b.Sub(a); (d == image.Pt(1, 0) || d == image.Pt(0, 1)) && barred[[2]int32{cells[i], cells[k]}] {
				return true
			}
		}
	}
	return false
}

// A subtraction is a search for places of pieces and blue pieces so that each
// cell of a region is left with one and every other place with none.
type subtraction struct {
	t      *tiler
	margin int // squares around the board where pieces may lie
	w, h   int // of the board with its margin
	need   []int16
	first  int // no need before this place
	parts  []part
	blue   int // squares of the blue parts left
	left   int // parts left
	loose  [][2]int
	laid   []laid
	vain   map[string]bool
	key    []byte
}

// subtract is lay with blue pieces. Pairs of equal shape lie in one place in most
// answers, so that is tried first; where it fails nothing is proved.
func (t *tiler) subtract(cells, classes, loose []int32) bool {
	s := newSubtraction(t, cells, classes, loose)
	rest := slices.Clone(classes)
	for i := range s.parts {
		p := &s.parts[i]
		if !p.blue {
			continue
		}
		for k := range s.parts {
			q := &s.parts[k]
			for q.n > 0 && p.n > 0 && !q.blue && s.meet(p.turns, q.turns) {
				p.n, q.n = p.n-1, q.n-1
				for _, class := range []int32{p.class, q.class} {
					at := slices.Index(rest, class)
					rest = slices.Delete(rest, at, at+1)
				}
			}
		}
	}
	if len(rest) < len(classes) && newSubtraction(t, cells, rest, loose).search() {
		return true
	}
	return newSubtraction(t, cells, classes, loose).search()
}

// meet tells whether two shapes can lie in one place, anywhere.
func (s *subtraction) meet(a, b [][]image.Point) bool {
	for _, one := range a {
		for _, other := range b {
			if slices.Equal(one, other) {
				for _, at := range s.origins(one, 0, false) {
					if _, ok := s.places(one, at); ok {
						return true
					}
				}
			}
		}
	}
	return false
}

// A part is equal pieces.
type part struct {
	class int32
	turns [][]image.Point
	blue  bool
	n     int
}

type laid struct {
	places []int
	shape  []image.Point
	blue   bool
}

func newSubtraction(t *tiler, cells, classes, loose []int32) *subtraction {
	p := t.m.p
	s := &subtraction{t: t, vain: make(map[string]bool), left: len(classes)}
	for _, class := range slices.Compact(slices.Clone(classes)) {
		pt := part{class: class, turns: t.turns[class], blue: t.m.classes[class].area < 0}
		for _, c := range classes {
			if c == class {
				pt.n++
			}
		}
		size := len(pt.turns[0])
		if pt.blue {
			s.blue += pt.n * size
		}
		if t.rules.Overhang {
			long := 0
			for _, q := range pt.turns[0] {
				long = max(long, q.X+1, q.Y+1)
			}
			// Each piece can lead the next one out by its length.
			s.margin += pt.n * long
		}
		s.parts = append(s.parts, pt)
	}
	slices.SortStableFunc(s.parts, func(a, b part) int { return len(b.turns[0]) - len(a.turns[0]) })
	s.w, s.h = p.Cols+2*s.margin, p.Rows+2*s.margin
	if p.Pillar {
		s.w = p.Cols
	}
	s.need = make([]int16, s.w*s.h)
	s.first = len(s.need)
	for _, c := range cells {
		i := s.place(t.cell[c])
		s.need[i] = 1
		s.first = min(s.first, i)
	}
	for _, ji := range loose {
		j := t.m.l.joins[ji]
		s.loose = append(s.loose, [2]int{s.place(t.cell[j.a]), s.place(t.cell[j.b])})
	}
	return s
}

// place is the index of a column and row; -1 where no piece may lie.
func (s *subtraction) place(q image.Point) int {
	q.Y += s.margin
	if p := s.t.m.p; p.Pillar {
		q.X = (q.X%p.Cols + p.Cols) % p.Cols
	} else {
		q.X += s.margin
	}
	if q.X < 0 || q.X >= s.w || q.Y < 0 || q.Y >= s.h {
		return -1
	}
	return q.Y*s.w + q.X
}

func (s *subtraction) point(i int) image.Point {
	q := image.Pt(i%s.w, i/s.w-s.margin)
	if !s.t.m.p.Pillar {
		q.X -= s.margin
	}
	return q
}

func (s *subtraction) search() bool {
	for s.first < len(s.need) && s.need[s.first] == 0 {
		s.first++
	}
	over := 0
	key := s.key[:0]
	for _, p := range s.parts {
		key = append(key, byte(p.n))
	}
	for i := s.first; i < len(s.need); i++ {
		if n := s.need[i]; n != 0 {
			if n < 0 {
				over -= int(n)
			}
			key = appendInts(key, i, int(n))
		}
	}
	s.key = key
	found := s.first < len(s.need)
	switch {
	case over > s.blue:
		return false
	case s.tick():
		return true
	case s.left == 0:
		return !found && s.clear()
	case s.vain[string(key)]:
		return false
	}
	name := string(key)
	at, wantBlue := s.first, found && s.need[min(s.first, len(s.need)-1)] < 0
	for k := range s.parts {
		p := &s.parts[k]
		if p.n == 0 || found && p.blue != wantBlue {
			continue
		}
		for _, shape := range p.turns {
			for _, origin := range s.origins(shape, at, found) {
				places, ok := s.places(shape, origin)
				if !ok || !p.blue && s.blue == 0 && !s.wanted(places) {
					continue
				}
				s.put(p, places, shape)
				if s.search() {
					return true
				}
				s.take(p, places)
				s.first = at
			}
		}
		if !found {
			break // it lies somewhere, and all its places were tried
		}
	}
	s.first = at
	if len(s.loose) == 0 {
		// With loose lines it matters how the state came about.
		s.vain[name] = true
	}
	return false
}

// The context is looked at every tickSteps steps, of some microseconds each.
const tickSteps = 256

// tick tells, now and then, whether the context or the steps have ended.
func (s *subtraction) tick() bool {
	s.t.steps++
	return s.t.spent() || s.t.steps%tickSteps == 0 && s.t.m.ctx.Err() != nil
}

func (t *tiler) spent() bool { return t.most > 0 && t.steps > t.most }

// origins are where a shape may be put: over a place that needs it, or, where
// none does, anywhere; where it may hang over, one place is as good as another,
// unless it matters what lies beside a loose line.
func (s *subtraction) origins(shape []image.Point, at int, found bool) []image.Point {
	var all []image.Point
	if found {
		q := s.point(at)
		for _, o := range shape {
			all = append(all, q.Sub(o))
		}
		return all
	}
	p := s.t.m.p
	board := image.Rect(0, 0, p.Cols, p.Rows)
	if s.t.rules.Overhang {
		all = append(all, image.Pt(0, p.Rows)) // off the board
		if len(s.loose) == 0 {
			return all
		}
		for _, q := range shape {
			board.Min = image.Pt(min(board.Min.X, -q.X), min(board.Min.Y, -q.Y))
		}
	}
	for y := board.Min.Y; y < board.Max.Y; y++ {
		for x := board.Min.X; x < board.Max.X; x++ {
			all = append(all, image.Pt(x, y))
		}
	}
	return all
}

func (s *subtraction) places(shape []image.Point, origin image.Point) ([]int, bool) {
	all := make([]int, len(shape))
	for i, q := range shape {
		if all[i] = s.place(origin.Add(q)); all[i] < 0 {
			return nil, false
		}
	}
	return all, true
}

// wanted tells whether all places still need a piece, each as often as it is
// named (a piece may meet itself round a pillar).
func (s *subtraction) wanted(places []int) bool {
	for _, i := range places {
		if s.need[i] <= 0 {
			return false
		}
	}
	return true
}

func (s *subtraction) put(p *part, places []int, shape []image.Point) {
	d := int16(-1)
	if p.blue {
		d = 1
		s.blue -= len(shape)
	}
	p.n--
	s.left--
	for _, i := range places {
		s.need[i] += d
		s.first = min(s.first, i)
	}
	s.laid = append(s.laid, laid{places, shape, p.blue})
}

func (s *subtraction) take(p *part, places []int) {
	d := int16(1)
	if p.blue {
		d = -1
		s.blue += len(places)
	}
	p.n++
	s.left++
	for _, i := range places {
		s.need[i] += d
	}
	s.laid = s.laid[:len(s.laid)-1]
}

// clear tells whether no loose line runs through a piece; each blue piece
// beside the line makes up for one.
func (s *subtraction) clear() bool {
	for _, e := range s.loose {
		n := 0
		for _, q := range s.laid {
			if q.blue {
				if slices.Contains(q.places, e[0]) || slices.Contains(q.places, e[1]) {
					n--
				}
				continue
			}
			if s.joins(q, e) {
				n++
			}
		}
		if n > 0 {
			return false
		}
	}
	return true
}

// joins tells whether two neighbouring squares of a piece lie on both hands of
// a loose line.
func (s *subtraction) joins(q laid, e [2]int) bool {
	for i, a := range q.shape {
		for k, b := range q.shape {
			d := b.Sub(a)
			if (d == image.Pt(1, 0) || d == image.Pt(0, 1)) && q.places[i] == e[0] && q.places[k] == e[1] {
				return true
			}
		}
	}
	return false
}
