package rules

import (
	"context"
	"fmt"
	"image"
	"slices"
	"strconv"

	"onlooker/solve"
	"onlooker/solve/witness/board"
)

// The page of The Windmill lays pieces by a search that misses some ways where
// there are blue ones, and that it breaks off after a while. What it does not
// find it refuses, so an answer that it finds is worth more to whoever enters it
// there. This follows what its search tries:
//
//   - It lays pieces one after the other, each wherever it lies on cells that
//     want one, and also where some of its squares do not, as long as the blue
//     pieces left have as many. Squares that lie over are eaten at once, before
//     the next piece.
//   - Of each way to turn a piece it goes through the places column by column,
//     but after the first place where squares lie over it goes on at the column
//     whose number is the area of the piece's frame.
//   - Without blue pieces left, nothing is laid that would leave the cells in
//     two parts.

// pageStates is how many states of its search we follow. The page has 4 s for a
// region, in which it gets through many more; those that it finds at all it
// mostly finds among the first hundred.
const pageStates = 2000

// easyStates is how many are followed where an answer is looked for whose pieces
// the page finds places for: those that it finds easily are preferred, and most
// regions of a search are none of an answer.
const easyStates = 200

// A patch is a set of squares in its frame.
type patch struct {
	min  image.Point
	w, h int
	on   []bool
}

func newPatch(squares []image.Point) patch {
	if len(squares) == 0 {
		return patch{}
	}
	least, most := squares[0], squares[0]
	for _, q := range squares {
		least = image.Pt(min(least.X, q.X), min(least.Y, q.Y))
		most = image.Pt(max(most.X, q.X), max(most.Y, q.Y))
	}
	p := patch{min: least, w: most.X - least.X + 1, h: most.Y - least.Y + 1}
	p.on = make([]bool, p.w*p.h)
	for _, q := range squares {
		p.on[(q.Y-least.Y)*p.w+q.X-least.X] = true
	}
	return p
}

// has tells whether a square is in the patch, counted from its frame's corner.
func (p *patch) has(x, y int) bool {
	return x >= 0 && x < p.w && y >= 0 && y < p.h && p.on[y*p.w+x]
}

// squares lists them, counted from the frame's corner.
func (p *patch) squares() []image.Point {
	all := make([]image.Point, 0, len(p.on))
	for i, on := range p.on {
		if on {
			all = append(all, image.Pt(i%p.w, i/p.w))
		}
	}
	return all
}

// without is the patch less the squares of a shape laid at a place.
func (p *patch) without(shape *patch, at image.Point) patch {
	frame := image.Rectangle{Min: image.Pt(p.w, p.h)}
	stays := func(x, y int) bool { return p.on[y*p.w+x] && !shape.has(x-at.X, y-at.Y) }
	for y := range p.h {
		for x := range p.w {
			if stays(x, y) {
				frame.Min = image.Pt(min(frame.Min.X, x), min(frame.Min.Y, y))
				frame.Max = image.Pt(max(frame.Max.X, x+1), y+1)
			}
		}
	}
	if frame.Empty() {
		return patch{}
	}
	rest := patch{min: p.min.Add(frame.Min), w: frame.Dx(), h: frame.Dy(), on: make([]bool, frame.Dx()*frame.Dy())}
	for i := range rest.on {
		rest.on[i] = stays(frame.Min.X+i%rest.w, frame.Min.Y+i/rest.w)
	}
	return rest
}

// parted tells whether the patch is in several parts.
func (p *patch) parted() bool {
	all, first := 0, -1
	for i, on := range p.on {
		if on {
			if all++; first < 0 {
				first = i
			}
		}
	}
	if all == 0 {
		return false
	}
	var marks [128]bool // enough for most, without allocating
	var places [128]int
	seen, queue := marks[:], places[:0]
	if len(p.on) > len(marks) {
		seen = make([]bool, len(p.on))
	}
	seen[first] = true
	queue = append(queue, first)
	for n := 0; n < len(queue); n++ {
		x, y := queue[n]%p.w, queue[n]/p.w
		for _, d := range board.Beside() {
			if i := (y+d.Y)*p.w + x + d.X; p.has(x+d.X, y+d.Y) && !seen[i] {
				seen[i] = true
				queue = append(queue, i)
			}
		}
	}
	return len(queue) < all
}

// A pageFit is a place for a shape on a patch, and the squares that lie beside
// the patch, both counted from its frame's corner.
type pageFit struct {
	at   image.Point
	over []image.Point
}

// fits lists the places that the page tries for a shape: with up to so many
// squares over, in a frame that is so much wider. ok is false where the page
// never comes to an end.
func (p *patch) fits(shape *patch, wider image.Point, most int, barred func(x, y int) bool) (all []pageFit, ok bool) {
	if shape.w > p.w+2*wider.X || shape.h > p.h+2*wider.Y {
		return nil, true
	}
	squares := shape.squares()
	for x := -wider.X; x <= p.w-shape.w+wider.X; x++ {
	places:
		for y := -wider.Y; y <= p.h-shape.h+wider.Y; y++ {
			var over []image.Point
			for _, q := range squares {
				q = q.Add(image.Pt(x, y))
				if p.has(q.X, q.Y) && (barred == nil || !barred(q.X, q.Y)) {
					continue
				}
				if len(over) == most {
					continue places
				}
				over = append(over, q)
			}
			all = append(all, pageFit{image.Pt(x, y), over})
			if len(all) > pageStates {
				return nil, false
			}
			if len(over) > 0 {
				x = shape.w * shape.h
			}
		}
	}
	return all, true
}

// A pagePiece is equal pieces.
type pagePiece struct {
	turns  []patch
	area   int
	blue   bool
	parted bool
}

// A pageState is what is left of a region: cells that want a piece, squares that
// lie over, and how many of each piece.
type pageState struct {
	cells, over patch
	left        []int
}

// A pageStep is a state that is not made before its turn comes: most never have
// one.
type pageStep struct {
	from  *pageState
	left  []int
	shape *patch
	fit   pageFit
	eat   bool // a blue piece of what lies over
	whole bool // the cells must not be left in two parts
}

// state is the state after the step; ok is false where the page leaves it out.
func (t *pageStep) state() (st *pageState, ok bool) {
	if t.eat {
		return &pageState{t.from.cells, t.from.over.without(t.shape, t.fit.at), t.left}, true
	}
	st = &pageState{cells: t.from.cells.without(t.shape, t.fit.at), left: t.left}
	if t.whole && st.cells.parted() {
		return nil, false
	}
	for i := range t.fit.over {
		t.fit.over[i] = t.fit.over[i].Add(t.from.cells.min)
	}
	st.over = newPatch(t.fit.over)
	return st, true
}

// A pageSearch follows the page's search for a region.
type pageSearch struct {
	pieces []pagePiece
	queue  []pageStep
	seen   map[string]bool
	hangs  bool
}

// pageFinds tells whether the page finds out, within so many states, that pieces
// fit, given by the ways in which each may lie; cells are columns and rows.
func pageFinds(cells []image.Point, pieces []*board.Symbol, states int) bool {
	s := &pageSearch{seen: map[string]bool{}}
	start := pageState{cells: newPatch(cells)}
	net := 0
	names := map[string]int{}
	for _, sym := range pieces {
		net += sym.Kind.Squares() * len(sym.Shape)
		name := fmt.Sprint(sym.Kind, sym.Turnable, sym.Shape)
		i, known := names[name]
		if !known {
			i = len(s.pieces)
			names[name] = i
			p := pagePiece{area: len(sym.Shape), blue: sym.Kind.Squares() < 0}
			for _, shape := range orientations(sym) {
				p.turns = append(p.turns, newPatch(shape))
			}
			p.parted = p.turns[0].parted()
			s.pieces = append(s.pieces, p)
			start.left = append(start.left, 0)
		}
		start.left[i]++
	}
	if net == 0 {
		return true
	}
	for n, st := 0, &start; n < states && st != nil && !s.hangs; n, st = n+1, s.next() {
		if st.cells.w == 0 && st.over.w == 0 && !slices.ContainsFunc(st.left, func(n int) bool { return n > 0 }) {
			return true
		}
		if key := s.key(st); !s.seen[key] {
			s.seen[key] = true
			s.follow(st)
		}
	}
	return false
}

// next is the state whose turn it is, nil where there is none left.
func (s *pageSearch) next() *pageState {
	for len(s.queue) > 0 {
		st, ok := s.queue[0].state()
		s.queue = s.queue[1:]
		if ok {
			return st
		}
	}
	return nil
}

// key tells states apart as the page does, which forgets what blue pieces are
// left.
func (s *pageSearch) key(st *pageState) string {
	var b []byte
	for i, n := range st.left {
		if !s.pieces[i].blue {
			b = strconv.AppendInt(b, int64(n), 10)
			b = append(b, ',')
		}
	}
	add := func(p *patch) {
		b = strconv.AppendInt(append(b, '|'), int64(p.w), 10)
		b = append(b, ':')
		for _, on := range p.on {
			if on {
				b = append(b, '1')
			} else {
				b = append(b, '0')
			}
		}
	}
	add(&st.cells)
	if st.over.w > 0 {
		add(&st.over)
		d := st.over.min.Sub(st.cells.min)
		b = strconv.AppendInt(append(b, '@'), int64(d.X), 10)
		b = strconv.AppendInt(append(b, ','), int64(d.Y), 10)
	}
	return string(b)
}

// follow adds the states that come after one.
func (s *pageSearch) follow(st *pageState) {
	blue, wider := 0, image.Point{} // squares of the blue pieces left, and the largest frame
	for i, n := range st.left {
		if p := &s.pieces[i]; n > 0 && p.blue {
			blue += n * p.area
			for _, t := range p.turns {
				wider = image.Pt(max(wider.X, t.w), max(wider.Y, t.h))
			}
		}
	}
	eat, parted := st.over.w > 0 && blue > 0, blue == 0 && st.cells.parted()
	for i, n := range st.left {
		if p := &s.pieces[i]; n == 0 || p.blue != eat {
			continue
		}
		left := slices.Clone(st.left)
		left[i]--
		for t := range s.pieces[i].turns {
			if eat {
				s.eat(st, left, &s.pieces[i], t)
			} else {
				s.lay(st, left, &s.pieces[i].turns[t], blue, wider, blue == 0 && !s.pieces[i].parted && !parted)
			}
		}
	}
}

// eat lays a blue piece on what lies over, and nowhere else: what the page makes
// of one that lies on more comes to nothing.
func (s *pageSearch) eat(st *pageState, left []int, p *pagePiece, turn int) {
	shape, needed := &p.turns[turn], 1
	if len(p.turns) == 1 && p.area == len(st.over.squares()) {
		needed = p.area
	}
	off := st.over.min.Sub(st.cells.min)
	barred := func(x, y int) bool { return st.cells.has(x-off.X, y-off.Y) }
	fits, ok := st.over.fits(shape, image.Pt(shape.w, shape.h), shape.w*shape.h-needed, barred)
	s.hangs = s.hangs || !ok
	for _, f := range fits {
		if len(f.over) == 0 {
			s.queue = append(s.queue, pageStep{from: st, left: left, shape: shape, fit: f, eat: true})
		}
	}
}

// lay lays a piece on cells that want one; whole says that these must not be left
// in two parts.
func (s *pageSearch) lay(st *pageState, left []int, shape *patch, blue int, wider image.Point, whole bool) {
	fits, ok := st.cells.fits(shape, wider, blue, nil)
	s.hangs = s.hangs || !ok
	for _, f := range fits {
		s.queue = append(s.queue, pageStep{from: st, left: left, shape: shape, fit: f, whole: whole})
	}
}

// Fits tells whether the page easily finds places for a region's pieces.
func (Table) Fits(cells []image.Point, pieces []*board.Symbol) bool {
	return pageFinds(cells, pieces, easyStates)
}

// onPage tells the same of all regions of a line that answers the panel.
func (t Table) onPage(p *board.Panel, s solve.Solution) bool {
	line, broken := t.Draw(context.Background(), p, s)
	if broken != nil {
		return false
	}
	for _, r := range line.Regions() {
		var pieces []*board.Symbol
		blue := false
		for _, at := range r.Symbols {
			if s := &p.At(at).Symbol; s.Kind.IsPiece() {
				pieces = append(pieces, s)
				blue = blue || s.Kind.Squares() < 0
			}
		}
		var cells []image.Point
		for _, c := range r.Cells {
			cells = append(cells, image.Pt(c.X/2, c.Y/2))
		}
		if blue && len(r.Erasers) == 0 && !pageFinds(cells, pieces, pageStates) {
			return false
		}
	}
	return true
}
