package witness

import (
	"fmt"
	"image"
	"maps"
	"math"
	"slices"
	"strings"

	"onlooker/solve"
)

// judge tells whether the erasers of a region set it right, each of them used,
// as the rule set wants it; without erasers, whether nothing is wrong.
func (r *region) judge() *solve.RuleError {
	rules := r.line.p.Rules
	if len(r.erasers) == 0 {
		v := &view{region: r}
		for _, c := range checkers() {
			if wrong := c.wrong(v); len(wrong) > 0 {
				return broken(c.rule, wrong[0], c.want)
			}
		}
		return nil
	}
	first := &view{region: r}
	if rules.ErasersSeen {
		first.extra = r.eraserColours()
	}
	wrong := r.wrong(first)
	if lost := len(wrongDots(first)) + len(wrongTriangles(first)); lost > len(r.erasers) {
		return broken("eraser", r.erasers[0], fmt.Sprintf("%d erasers for %d dots and triangles, each of which needs one", len(r.erasers), lost))
	}
	// Sets of symbols that may be erased, by size; sets that differ only in
	// which of several equal symbols they take are one.
	sets := [][]image.Point{nil}
	fewest := math.MaxInt // symbols other than pieces, of a set that sets it right
	allowed := map[int]bool{}
	for size := 0; size <= len(r.erasers) && len(sets) > 0; size++ {
		spare := len(r.erasers) - size
		var larger [][]image.Point
		known := map[string]bool{}
		for _, set := range sets {
			v := r.without(set)
			usedUp := spare == 0 || rules.ErasersCancel && spare%2 == 0 || rules.ErasersShare && size > 0
			pieces := r.pieces(set)
			usedUp = usedUp && (rules.ErasersAmongPieces || pieces <= 1 || pieces == r.pieces(r.symbols))
			if (usedUp || !rules.EraseFreely) && r.rightIn(v) {
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
				next = r.wrong(&now)
			}
			for _, at := range next {
				if v.gone[at] {
					continue
				}
				grown := append(slices.Clone(set), at)
				if key := r.classes(grown); !known[key] {
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
		if k := r.line.p.At(at).Kind; k == Polyomino || k == Negative {
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

// wrong lists everything that is wrong in a view.
func (r *region) wrong(v *view) []image.Point {
	var all []image.Point
	for _, c := range checkers() {
		all = append(all, c.wrong(v)...)
	}
	return all
}

func (r *region) rightIn(v *view) bool {
	for _, c := range checkers() {
		if len(c.wrong(v)) > 0 {
			return false
		}
	}
	return true
}

// classes names a set of symbols by what they are, not by where: of two equal
// ones it makes no difference which is erased. Triangles differ by the sides
// that are covered beside them.
func (r *region) classes(set []image.Point) string {
	var names []string
	for _, at := range set {
		s := r.line.p.At(at)
		switch {
		case !IsCell(at):
			names = append(names, "dot")
		case s.Kind == Triangle:
			names = append(names, fmt.Sprintf("%s %d", s.Symbol.describe(), r.line.sides(at)))
		default:
			names = append(names, s.Symbol.describe())
		}
	}
	slices.Sort(names)
	return strings.Join(names, ",")
}
