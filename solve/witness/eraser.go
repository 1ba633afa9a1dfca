package witness

import (
	"fmt"
	"image"
	"maps"
	"math"
	"slices"

	"onlooker/solve"
	"onlooker/solve/path"
)

// Eraser: it removes one wrong symbol of its region, and itself.
var Eraser = Kind{eraser{}}

type eraser struct{ plainKind }

func (eraser) about() about {
	return about{
		name: "eraser", called: "an eraser", shape: "eraser",
		rule:    solve.Rule{Name: "eraser", Doc: "Each eraser removes one wrong symbol of its region, and itself."},
		implied: White, erases: true, mates: true, windmill: 10, site: "nega",
	}
}

// wrong is nothing: see judge.
func (eraser) wrong(*view, []image.Point) []image.Point { return nil }

// faults lists what is wrong in a region; what its erasers cannot set right is
// one fault.
func (r *region) faults() []*solve.RuleError {
	var all []*solve.RuleError
	if len(r.erasers) > 0 {
		if broken := r.judge(); broken != nil {
			all = append(all, broken)
		}
		return all
	}
	for k, wrong := range (&view{region: r}).wrong {
		for _, at := range wrong {
			all = append(all, broken(k.about().rule.Name, at, k.about().broken))
		}
	}
	return all
}

// judge tells whether the erasers of a region set it right, each of them used,
// as the rule set wants it; without erasers, whether nothing is wrong.
func (r *region) judge() *solve.RuleError {
	rules := r.line.p.Rules
	if len(r.erasers) == 0 {
		if all := r.faults(); len(all) > 0 {
			return all[0]
		}
		return nil
	}
	first := &view{region: r}
	if rules.ErasersSeen {
		first.extra = r.eraserColours()
	}
	wrong := first.allWrong()
	lost := 0
	for k, wrong := range first.wrong {
		if k.about().alone {
			lost += len(wrong)
		}
	}
	if lost > len(r.erasers) {
		return broken("eraser", r.erasers[0], fmt.Sprintf("%d erasers for %d things that are wrong by themselves, each of which needs one", len(r.erasers), lost))
	}
	// Sets of symbols that may be erased, by size; sets that differ only in
	// which of several equal symbols they take are one.
	sets, class := [][]image.Point{nil}, r.classes()
	fewest := math.MaxInt // symbols other than pieces, of a set that sets it right
	allowed := map[int]bool{}
	for size := 0; size <= len(r.erasers) && len(sets) > 0; size++ {
		spare := len(r.erasers) - size
		var larger [][]image.Point
		known := map[string]bool{}
		for _, set := range sets {
			if r.line.limit.ended(len(r.line.own)) {
				return nil // Check looks at the limit
			}
			v := r.without(set)
			usedUp := spare == 0 || rules.ErasersCancel && spare%2 == 0 || rules.ErasersShare && size > 0
			pieces := r.pieces(set)
			usedUp = usedUp && (rules.ErasersAmongPieces || pieces <= 1 || pieces == r.pieces(r.symbols))
			if (usedUp || !rules.EraseFreely) && v.right() {
				if usedUp && rules.EraseFreely {
					return nil
				}
				fewest = min(fewest, size-pieces)
				allowed[size-pieces] = allowed[size-pieces] || usedUp
			}
			if spare == 0 {
				continue
			}
			next := wrong
			if rules.EraseInTurn {
				now := *v
				if !rules.ErasersCount && rules.ErasersSeen {
					now.extra = r.unusedErasers(spare)
				}
				next = now.allWrong()
			}
			for _, at := range next {
				if v.gone[at] {
					continue
				}
				grown := append(slices.Clone(set), at)
				if key := nameOf(grown, class); !known[key] {
					known[key] = true
					larger = append(larger, grown)
				}
			}
		}
		sets = larger
	}
	if allowed[fewest] {
		return nil
	}
	at := r.erasers[0]
	if len(wrong) == 0 {
		return broken("eraser", at, fmt.Sprintf("%d erasers and nothing wrong in their region", len(r.erasers)))
	}
	return broken("eraser", at, fmt.Sprintf("%d erasers cannot set their region right, where %d symbols are wrong", len(r.erasers), len(wrong)))
}

// pieces counts the pieces in a set of symbols.
func (r *region) pieces(set []image.Point) int {
	n := 0
	for _, at := range set {
		if r.line.p.At(at).Kind.IsPiece() {
			n++
		}
	}
	return n
}

// eraserColours counts the region's erasers by colour.
func (r *region) eraserColours() map[Colour]int {
	return r.unusedErasers(len(r.erasers))
}

// unusedErasers counts the last n erasers by colour.
func (r *region) unusedErasers(n int) map[Colour]int {
	count := map[Colour]int{}
	for _, at := range r.erasers[len(r.erasers)-n:] {
		if c := r.line.p.At(at).Colour; c != "" {
			count[c]++
		}
	}
	return count
}

// without is the region when a set of symbols was erased.
func (r *region) without(set []image.Point) *view {
	rules := r.line.p.Rules
	v := &view{region: r, gone: map[image.Point]bool{}, extra: map[Colour]int{}}
	if rules.ErasersCount {
		maps.Copy(v.extra, r.eraserColours())
	}
	for _, at := range set {
		v.gone[at] = true
		s := r.line.p.At(at)
		if rules.ErasedCount && IsCell(at) && s.Kind != Star && s.Colour != "" {
			v.extra[s.Colour]++
		}
	}
	return v
}

// classes numbers dots and symbols by what they are, not by where: of two equal
// ones that are wrong it makes no difference which is erased.
func (r *region) classes() map[image.Point]rune {
	numbers := make(map[string]rune)
	class := make(map[image.Point]rune)
	for _, at := range slices.Concat(r.dots, r.symbols) {
		name := Hexagon.String()
		if IsCell(at) {
			name = r.line.p.At(at).Symbol.describe()
		}
		if _, known := numbers[name]; !known {
			numbers[name] = rune(len(numbers))
		}
		class[at] = numbers[name]
	}
	return class
}

// nameOf names a set of symbols by their classes.
func nameOf(set []image.Point, class map[image.Point]rune) string {
	name := make([]rune, len(set))
	for i, at := range set {
		name[i] = class[at]
	}
	slices.Sort(name)
	return string(name)
}

// addErasing makes a variable for everything that an eraser may take, and says
// how many are taken in all.
func (m *model) addErasing() {
	var all []path.Lit
	for i := range m.items {
		if it := &m.items[i]; !it.erases {
			it.gone = m.s.NewVar()
			all = append(all, it.gone)
		}
	}
	for i := range m.marks {
		m.marks[i].gone = m.s.NewVar()
		all = append(all, m.marks[i].gone)
	}
	m.watched = append(m.watched, all...)
	m.atMost(m.erasers, all)
	if !m.p.Rules.ErasersCancel && !m.p.Rules.ErasersShare {
		not := make([]path.Lit, len(all))
		for i, x := range all {
			not[i] = x.Not()
		}
		m.atMost(len(all)-m.erasers, not)
	}
}

// fewestGone tells whether a region's erasers must make do with as few symbols
// as would set it right, and every set of what is wrong at first may be erased:
// then a set that another one lies within is never erased.
func (m *model) fewestGone() bool {
	return m.erasers > 0 && !m.p.Rules.EraseFreely && !m.p.Rules.EraseInTurn
}

// state adds: what is erased lies in the region of an eraser, and was wrong.
func (eraser) state(m *model, own []int32) {
	for i := range int32(len(m.items)) {
		it := &m.items[i]
		if it.gone == none {
			continue
		}
		clause := []path.Lit{it.gone.Not()}
		for _, e := range own {
			clause = append(clause, m.same(e, i))
		}
		m.s.AddClause(clause...)
		it.Kind.erased(m, it)
		if it.alone {
			m.onlyWrong(it)
		} else {
			m.lastTaken(i, own)
		}
	}
	m.marksTaken(own)
	if !m.p.Rules.ErasersAmongPieces {
		m.oneOrAll()
	}
}

// lastTaken adds: of equal symbols in one region the last ones are taken.
func (m *model) lastTaken(i int32, erasers []int32) {
	it := &m.items[i]
	for k := range i {
		o := &m.items[k]
		if o.class != it.class {
			continue
		}
		if m.labelOf[i] >= 0 {
			m.s.AddClause(m.same(i, k).Not(), o.gone.Not(), it.gone)
			continue
		}
		for _, e := range erasers {
			m.s.AddClause(m.same(e, i).Not(), m.same(e, k).Not(), o.gone.Not(), it.gone)
		}
	}
}

// marksTaken adds: a dot that is erased is not covered, and lies in the region of
// an eraser.
func (m *model) marksTaken(erasers []int32) {
	for i := range m.marks {
		mk := &m.marks[i]
		if mk.cover != none {
			m.s.AddClause(mk.gone.Not(), mk.cover.Not())
		}
		clause := []path.Lit{mk.gone.Not()}
		if len(mk.cells) > 0 {
			for _, e := range erasers {
				clause = append(clause, m.labels[m.labelOf[e]].in[mk.cells[0]])
			}
		}
		m.s.AddClause(clause...)
	}
}

// oneOrAll adds: of a region's pieces one is erased, or all.
func (m *model) oneOrAll() {
	s := m.s
	for _, i := range m.pieceItems {
		gone := m.items[i].gone
		all := s.NewVar() // of its region
		for _, k := range m.pieceItems {
			if k == i {
				continue
			}
			same, other := m.same(i, k), m.items[k].gone
			s.AddClause(gone.Not(), same.Not(), other.Not(), all)
			s.AddClause(all.Not(), same.Not(), other)
		}
	}
}

func (eraser) mix(o *GenerateOptions, d draw) bool {
	o.Squares, o.Erasers, o.Dots = d.some(d.area/2), min(1, d.room), d.some(2)
	return true
}

// deal puts something wrong beside each eraser: a square of another colour than
// its region's, a star alone, triangles of a wrong number.
func (eraser) deal(g *generator) error {
	for range g.o.Erasers {
		r := g.anyFree(2)
		if r == nil {
			return errNoRoom
		}
		if r.pieces && !g.o.Rules.ErasersAmongPieces {
			return errNoRoom
		}
		at := g.take(r)
		var s Symbol
		switch colours := squareColours(); {
		case r.square != "" && g.rng.IntN(2) == 0:
			for s.Kind == NoSymbol || s.Colour == r.square {
				s = Symbol{Kind: Square, Colour: colours[g.rng.IntN(2)]}
			}
		case g.o.Stars > 0:
			s = Symbol{Kind: Star, Colour: Yellow}
		default:
			s = g.miscount(at)
		}
		g.put(r, at, s)
		g.put(r, g.take(r), Symbol{Kind: Eraser, Colour: White})
	}
	return nil
}
