package rules

import (
	"fmt"
	"image"
	"math"
	"slices"

	"onlooker/solve"
	"onlooker/solve/witness/board"
)

// faults lists what is wrong in a region; what its erasers cannot set right is
// one fault.
func (r *Region) faults() []*solve.RuleError {
	var all []*solve.RuleError
	if len(r.Erasers) > 0 {
		if broken := r.Judge(); broken != nil {
			all = append(all, broken)
		}
		return all
	}
	for k, wrong := range (&View{Region: r}).wrong {
		for _, at := range wrong {
			all = append(all, broken(k.About().Rule.Name, at, k.About().Broken))
		}
	}
	return all
}

// Judge tells whether the erasers of a region set it right, each of them used,
// as the rule set wants it; without erasers, whether nothing is wrong.
func (r *Region) Judge() *solve.RuleError {
	rules := r.Line.Panel.Rules
	if len(r.Erasers) == 0 {
		if all := r.faults(); len(all) > 0 {
			return all[0]
		}
		return nil
	}
	first := &View{Region: r}
	if rules.ErasersSeen {
		first.stand(len(r.Erasers))
	}
	wrong := first.allWrong()
	if err := first.lost(); err != nil {
		return err
	}
	// Sets of symbols that may be erased, by size; sets that differ only in
	// which of several equal symbols they take are one.
	sets, class := [][]image.Point{nil}, r.classes()
	fewest := math.MaxInt // symbols other than pieces, of a set that sets it right
	allowed := map[int]bool{}
	for size := 0; size <= len(r.Erasers) && len(sets) > 0; size++ {
		spare := len(r.Erasers) - size
		var larger [][]image.Point
		known := map[string]bool{}
		for _, set := range sets {
			if r.Line.limit.ended(len(r.Line.own)) {
				return nil // Check looks at the limit
			}
			v := r.without(set)
			usedUp := spare == 0 || rules.ErasersCancel && spare%2 == 0 || rules.ErasersShare && size > 0
			pieces := r.pieces(set)
			usedUp = usedUp && (rules.ErasersAmongPieces || pieces <= 1 || pieces == r.pieces(r.Symbols))
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
					now.stand(spare)
				}
				next = now.allWrong()
			}
			for _, at := range next {
				if v.gone[at] || !rules.Erasable(r.Line.Panel.At(at).Kind) {
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
	at := r.Erasers[0]
	if len(wrong) == 0 {
		return broken("eraser", at, fmt.Sprintf("%d erasers and nothing wrong in their region", len(r.Erasers)))
	}
	return broken("eraser", at, fmt.Sprintf("%d erasers cannot set their region right, where %d symbols are wrong", len(r.Erasers), len(wrong)))
}

// lost is an error where erasers cannot take all that is wrong by itself: the line alone
// decides it, so that each of those needs one.
func (v *View) lost() *solve.RuleError {
	n := 0
	for k, wrong := range v.wrong {
		switch {
		case k.About().Alone && !v.Line.Panel.Rules.Erasable(k):
			return broken(k.About().Rule.Name, wrong[0], k.About().Broken)
		case k.About().Alone:
			n += len(wrong)
		}
	}
	if n > len(v.Erasers) {
		return broken("eraser", v.Erasers[0], fmt.Sprintf("%d erasers for %d things that are wrong by themselves, each of which needs one", len(v.Erasers), n))
	}
	return nil
}

// pieces counts the pieces in a set of symbols.
func (r *Region) pieces(set []image.Point) int {
	n := 0
	for _, at := range set {
		if r.Line.Panel.At(at).Kind.IsPiece() {
			n++
		}
	}
	return n
}

// stand makes the last n erasers count.
func (v *View) stand(n int) {
	v.standing, v.extra = v.Erasers[len(v.Erasers)-n:], map[board.Colour]int{}
	for _, at := range v.standing {
		if c := v.Line.Panel.At(at).Colour; c != "" {
			v.extra[c]++
		}
	}
}

// without is the region when a set of symbols was erased.
func (r *Region) without(set []image.Point) *View {
	rules := r.Line.Panel.Rules
	v := &View{Region: r, gone: map[image.Point]bool{}, extra: map[board.Colour]int{}}
	if rules.ErasersCount {
		v.stand(len(r.Erasers))
	}
	for _, at := range set {
		v.gone[at] = true
		s := r.Line.Panel.At(at)
		if rules.ErasedCount && board.IsCell(at) && s.Kind != board.Star && s.Colour != "" && !s.Kind.About().Starless {
			v.extra[s.Colour]++
		}
	}
	return v
}

// classes numbers dots and symbols by what they are, not by where: of two equal
// ones that are wrong it makes no difference which is erased.
func (r *Region) classes() map[image.Point]rune {
	numbers := make(map[string]rune)
	class := make(map[image.Point]rune)
	placed := slices.ContainsFunc(r.kinds, func(k board.Kind) bool { return k.By() != nil && k.By().Pick == board.PickSymbol })
	for _, at := range slices.Concat(r.Dots, r.Symbols) {
		name := board.Hexagon.String()
		if board.IsCell(at) {
			s := r.Line.Panel.At(at).Symbol
			name = fmt.Sprint(s.Kind, s.Colour, s.Count, s.Way, s.Turnable, s.Shape)
		}
		if placed {
			name += at.String()
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
