package search

import (
	"image"
	"slices"
)

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
	laid   []laidPiece
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

type laidPiece struct {
	places []int
	shape  []image.Point
	blue   bool
}

func newSubtraction(t *tiler, cells, classes, loose []int32) *subtraction {
	s := &subtraction{t: t, vain: make(map[string]bool), left: len(classes)}
	for _, class := range slices.Compact(slices.Clone(classes)) {
		pt := part{class: class, turns: t.tiles[class].Turns, blue: t.tiles[class].Blue}
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
	s.w, s.h = t.Cols+2*s.margin, t.Rows+2*s.margin
	if t.Pillar {
		s.w = t.Cols
	}
	s.need = make([]int16, s.w*s.h)
	s.first = len(s.need)
	for _, c := range cells {
		i := s.place(t.Cell[c])
		s.need[i] = 1
		s.first = min(s.first, i)
	}
	for _, ji := range loose {
		j := t.Joins[ji]
		s.loose = append(s.loose, [2]int{s.place(t.Cell[j[0]]), s.place(t.Cell[j[1]])})
	}
	return s
}

// place is the index of a column and row; -1 where no piece may lie.
func (s *subtraction) place(q image.Point) int {
	q.Y += s.margin
	if cols := s.t.Cols; s.t.Pillar {
		q.X = (q.X%cols + cols) % cols
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
	if !s.t.Pillar {
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
	s.t.Steps++
	return s.t.spent() || s.t.Steps%tickSteps == 0 && s.t.ctx.Err() != nil
}

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
	board := image.Rect(0, 0, s.t.Cols, s.t.Rows)
	if s.t.rules.Overhang {
		all = append(all, image.Pt(0, s.t.Rows)) // off the board
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
	s.laid = append(s.laid, laidPiece{places, shape, p.blue})
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
func (s *subtraction) joins(q laidPiece, e [2]int) bool {
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
