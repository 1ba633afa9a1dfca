package search

import (
	"image"
	"maps"
	"slices"

	"onlooker/solve/witness/board"
)

// A judge tells by one rule set whether regions that are complete are right.
type judge struct {
	m     *model
	rules board.RuleSet
	tiles *tiler // nil where there are no pieces
	known *memo  // by what a plot is told by
	key   []byte
}

func newJudge(m *model, rules board.RuleSet) *judge {
	j := &judge{m: m, rules: rules, known: newMemo()}
	if m.pieces > 0 {
		j.tiles = newTiler(m.plainBoard(), m.tilesByClass(), rules)
	}
	return j
}

// plainBoard is the panel as pieces see it.
func (m *model) plainBoard() tiledBoard {
	b := tiledBoard{Cols: m.p.Cols, Rows: m.p.Rows, Pillar: m.p.Pillar}
	for _, at := range m.l.cells[:m.l.real] {
		b.Cell = append(b.Cell, image.Pt(at.X/2, at.Y/2))
	}
	for _, j := range m.l.joins {
		b.Joins = append(b.Joins, [2]int32{j.a, j.b})
	}
	return b
}

// tilesByClass are the pieces of a panel, by their classes of symbols.
func (m *model) tilesByClass() []tile {
	var all []tile
	for _, it := range m.classes {
		var t tile
		if it.Kind.IsPiece() {
			t = tile{Turns: turnedShapes(it.Symbol), Blue: it.area < 0}
		}
		all = append(all, t)
	}
	return all
}

// share takes over what another search of the same panel knows of regions.
func (j *judge) share(of *judge) {
	j.known = of.known
	if j.tiles != nil {
		j.tiles.Share(of.tiles)
	}
}

// verdict tells whether a plot is right by the panel's own rules, as j knows them,
// and by all that is asked beside; by is which of these refused it, -1 where those
// rules did. known is false when the context ended before.
func (m *model) verdict(j *judge, pl *plot) (right, known bool, by int) {
	if right, known = j.verdict(pl); !right {
		return false, known, -1
	}
	for k, other := range m.asked {
		if right, known = other.verdict(pl); !right {
			return false, known, k
		}
	}
	return true, true, -1
}

// verdict is right, and remembers it; known is false when the context ended
// before.
func (j *judge) verdict(pl *plot) (right, known bool) {
	key := j.key[:0]
	sorted := slices.Clone(pl.cells)
	slices.Sort(sorted)
	for _, x := range sorted {
		key = appendInts(key, int(x))
	}
	key = appendInts(key, -1)
	for _, d := range pl.dots {
		key = appendInts(key, int(d))
	}
	key = appendInts(key, -1)
	for i, lost := range pl.lost {
		if lost {
			key = appendInts(key, int(pl.items[i]))
		}
	}
	key = appendInts(key, -1)
	for _, ji := range pl.loose {
		key = appendInts(key, int(ji))
	}
	j.key = key
	if right, known = j.known.Look(key); known {
		return right, true
	}
	if j.m.ctx.Err() != nil {
		return false, false // each begun would go on for a while
	}
	right = j.right(pl)
	if j.m.ctx.Err() != nil {
		return false, false // not judged to the end
	}
	j.known.Note(key, right)
	return right, true
}

// removal is how many symbols of each heap are gone from a plot.
type removal []int8

// A Heap is symbols of a plot of which only the places differ.
type Heap struct {
	it    *item // nil: dots
	items []int32
	lost  bool // wrong by their sides, or dots that are not covered
	n     int
}

// A plotJudge is a plot being judged.
type plotJudge struct {
	*judge
	pl    *plot
	heaps []Heap // those that are slow to judge last
	laid  map[string]bool
}

func (j *judge) newHearing(pl *plot) *plotJudge {
	h := &plotJudge{judge: j, pl: pl, laid: make(map[string]bool)}
	index := make(map[[2]int32]int)
	for i, k := range pl.items {
		it := &j.m.items[k]
		id := [2]int32{it.class, int32(b2i(pl.lost[i]))}
		if _, ok := index[id]; !ok {
			index[id] = len(h.heaps)
			h.heaps = append(h.heaps, Heap{it: it, lost: pl.lost[i]})
		}
		h.heaps[index[id]].n++
		h.heaps[index[id]].items = append(h.heaps[index[id]].items, k)
	}
	if len(pl.dots) > 0 {
		h.heaps = append(h.heaps, Heap{lost: true, n: len(pl.dots)})
	}
	slow := func(p Heap) int { return int(b2i(p.it != nil && p.it.slow)) }
	slices.SortStableFunc(h.heaps, func(a, b Heap) int { return slow(a) - slow(b) })
	return h
}

// A Tally is what a plot holds when some of it is gone.
type Tally struct {
	*plotJudge
	gone     removal
	standing []int32 // erasers that count
	colours  []int   // by colour: things that stars count
	lays     int     // whether the pieces can be laid: 0 not known yet, 1 or -1
}

// tally counts: erasers count for stars as well, and so do erased symbols where
// they are told to.
func (h *plotJudge) tally(gone removal, erasers []int32, erased bool) *Tally {
	t := &Tally{plotJudge: h, gone: gone, standing: erasers, colours: make([]int, h.m.colours)}
	for _, k := range erasers {
		if c := h.m.items[k].colour; c >= 0 {
			t.colours[c]++
		}
	}
	for i := range h.heaps {
		it := h.heaps[i].it
		if it == nil || it.colour < 0 || it.starless {
			continue
		}
		t.colours[it.colour] += t.left(i)
		if erased && it.Kind != board.Star {
			t.colours[it.colour] += int(gone[i])
		}
	}
	return t
}

// left is how many of a heap are left.
func (t *Tally) left(heap int) int { return t.heaps[heap].n - int(t.gone[heap]) }

// layable tells whether the pieces that are left fill the plot, or come to
// nothing.
func (t *Tally) layable() bool {
	if t.lays != 0 {
		return t.lays > 0
	}
	var left []int32
	for i := range t.heaps {
		if it := t.heaps[i].it; it != nil && it.area != 0 {
			for range t.left(i) {
				left = append(left, it.class)
			}
		}
	}
	slices.Sort(left)
	key := string(appendClasses(nil, left))
	ok, known := t.laid[key]
	if !known {
		ok = t.tiles.Lay(t.m.ctx, t.pl.cells, left, t.pl.loose)
		t.laid[key] = ok
	}
	t.lays = -1
	if ok {
		t.lays = 1
	}
	return ok
}

// wrong lists the heaps that are wrong; first stops at one.
func (t *Tally) wrong(first bool) []int {
	var all []int
	for i := range t.heaps {
		p := &t.heaps[i]
		if t.left(i) > 0 && (p.lost || p.it != nil && !p.it.alone && p.it.row.Bad != nil && p.it.row.Bad(t, p)) {
			if all = append(all, i); first {
				break
			}
		}
	}
	return all
}

// bears tells whether erasing one of heap a may set heap b right.
func (h *plotJudge) bears(a, b int) bool {
	s, t := &h.heaps[a], &h.heaps[b]
	switch {
	case a == b:
		return true
	case s.it == nil || t.it == nil || t.it.alone:
		return false
	}
	return t.it.row.bears == nil || t.it.row.bears(t, s.it, &h.rules)
}

// erasableHeap tells whether erasers take the symbols of a heap.
func (h *plotJudge) erasableHeap(i int) bool {
	it := h.heaps[i].it
	return it == nil || h.rules.Erasable(it.Kind)
}

// pieces counts the pieces that are gone, and all.
func (h *plotJudge) pieces(gone removal) (n, all int) {
	for i := range h.heaps {
		if it := h.heaps[i].it; it != nil && it.area != 0 {
			n += int(gone[i])
			all += h.heaps[i].n
		}
	}
	return n, all
}

// right tells whether a region is, erasers and all.
func (j *judge) right(pl *plot) bool {
	h := j.newHearing(pl)
	nothing := make(removal, len(h.heaps))
	if len(pl.erasers) == 0 {
		return len(h.tally(nothing, nil, false).wrong(true)) == 0
	}
	lost := 0
	for i := range h.heaps {
		if h.heaps[i].lost {
			if !h.erasableHeap(i) {
				return false
			}
			lost += h.heaps[i].n
		}
	}
	return lost <= len(pl.erasers) && h.erasable()
}

// A setting is what a set of erased symbols makes of a plot.
type setting struct {
	fits   bool // the erasers are used up, as the rules want them used
	others int  // symbols erased other than pieces
	bad    []int
}

// setting looks at a plot without some symbols.
func (h *plotJudge) setting(gone removal, size int) setting {
	rules, spare := &h.rules, len(h.pl.erasers)-size
	pieces, all := h.pieces(gone)
	s := setting{others: size - pieces}
	s.fits = (spare == 0 || rules.ErasersCancel && spare%2 == 0 || rules.ErasersShare && size > 0) &&
		(rules.ErasersAmongPieces || pieces <= 1 || pieces == all)
	return s
}

// counting are the erasers that count for stars when a region is judged at last.
func (h *plotJudge) counting() []int32 {
	if h.rules.ErasersCount {
		return h.pl.erasers
	}
	return nil
}

// erasable tells whether the erasers of a plot set it right as the rules want:
// all sets of what is wrong are tried, by size; sets that differ only in which of
// a heap they take are one.
func (h *plotJudge) erasable() bool {
	rules, pl := &h.rules, h.pl
	var seen []int32
	if rules.ErasersSeen {
		seen = pl.erasers
	}
	first := h.tally(make(removal, len(h.heaps)), seen, false).wrong(false)
	// Of sets that set the region right: the fewest symbols other than pieces,
	// and whether a set with so many uses the erasers up.
	fewest, used := len(pl.items)+len(pl.dots)+1, false
	sets := []removal{make(removal, len(h.heaps))}
	for size := 0; size <= len(pl.erasers) && len(sets) > 0; size++ {
		known := make(map[string]removal)
		for _, set := range sets {
			if h.m.ctx.Err() != nil {
				return true
			}
			s := h.setting(set, size)
			if !rules.EraseFreely && s.others > fewest {
				continue
			}
			s.bad = h.tally(set, h.counting(), rules.ErasedCount).wrong(true)
			if len(s.bad) == 0 {
				if s.fits && rules.EraseFreely {
					return true
				}
				if s.others < fewest {
					fewest, used = s.others, false
				}
				used = used || s.fits && s.others == fewest
			}
			if size < len(pl.erasers) {
				h.grow(set, size, first, s.bad, known)
			}
		}
		sets = sets[:0]
		for _, k := range slices.Sorted(maps.Keys(known)) {
			sets = append(sets, known[k])
		}
	}
	return used
}

// grow adds to known the sets that have one symbol more, of those that may be
// erased then.
func (h *plotJudge) grow(set removal, size int, first, bad []int, known map[string]removal) {
	rules, next := &h.rules, first
	if rules.EraseInTurn {
		if !rules.ErasersCount && rules.ErasersSeen {
			next = h.tally(set, h.pl.erasers[size:], false).wrong(false)
		} else {
			next = h.tally(set, h.counting(), rules.ErasedCount).wrong(false)
		}
	}
	for _, i := range next {
		if int(set[i]) == h.heaps[i].n || !h.erasableHeap(i) {
			continue
		}
		// Whatever sets the region right takes something that bears on what is
		// wrong: that first.
		if len(bad) > 0 && !rules.EraseInTurn && !h.bears(i, bad[0]) {
			continue
		}
		grown := slices.Clone(set)
		grown[i]++
		key := make([]byte, len(grown))
		for k, v := range grown {
			key[k] = byte(v)
		}
		known[string(key)] = grown
	}
}

// Cells is how many cells of the board the plot has.
func (t *Tally) Cells() (n int) {
	for _, c := range t.pl.cells {
		if int(c) < t.m.l.real {
			n++
		}
	}
	return n
}
