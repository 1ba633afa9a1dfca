package proof

import (
	"context"
	"fmt"
	"image"
	"iter"
	"math/bits"
	"slices"

	"onlooker/solve"
	"onlooker/solve/witness/board"
	"onlooker/solve/witness/rules"
)

// What it is to meet clues with all others in place. A line does where every
// region allows it: without some of the region's symbols and uncovered dots, as
// many as it has erasers or fewer, none of those clues that are left is wrong;
// others may be. A region that holds no other clues must be right. And the line
// covers none of those dots that belong to its image, nor the other way round.

// meets tells whether a line meets clues with all others in place; a
// *solve.RuleError says where it does not.
func (v Prover) meets(ctx context.Context, p *board.Panel, s solve.Solution, clues []image.Point) error {
	l, wrong := v.Rules.Draw(ctx, p, s)
	if wrong != nil {
		return wrong
	}
	for at := range l.Crossed {
		if slices.Contains(clues, at) {
			return &solve.RuleError{Rule: "coloured-dot", At: at, Got: "covered by the other line than its own"}
		}
	}
	for _, at := range l.Disagreeing() {
		if slices.Contains(clues, at) {
			return &solve.RuleError{Rule: p.At(at).Kind.About().Rule.Name, At: at, Got: "it does not agree with others"}
		}
	}
	for _, r := range l.Regions() {
		at, met := allows(r, clues)
		if err := l.Err(); err != nil {
			return fmt.Errorf("check: %w", err)
		}
		if !met {
			return &solve.RuleError{Rule: board.Hexagon.About().Rule.Name, At: at, Got: "clues of its region are not met"}
		}
	}
	return nil
}

// allows tells whether a region allows a line to meet clues; at is one that it
// does not allow.
func allows(r *rules.Region, clues []image.Point) (at image.Point, met bool) {
	var own []image.Point
	for _, at := range cluesIn(r) {
		if slices.Contains(clues, at) {
			own = append(own, at)
		}
	}
	if len(own) == 0 {
		return at, true
	}
	if len(own) == len(cluesIn(r)) {
		return own[0], r.Judge() == nil
	}
	for gone := range erasures(r) {
		if r.Line.Ended() {
			return own[0], false
		}
		if !slices.ContainsFunc(r.WrongWithout(gone), func(at image.Point) bool { return slices.Contains(own, at) }) {
			return at, true
		}
	}
	return own[0], false
}

// cluesIn are all symbols of a region, and its dots that no line covers.
func cluesIn(r *rules.Region) []image.Point { return slices.Concat(r.Dots, r.Symbols, r.Erasers) }

// erasures yields what erasers might take of a region, right or wrong.
func erasures(r *rules.Region) iter.Seq[[]image.Point] {
	return func(yield func([]image.Point) bool) {
		may := slices.Concat(r.Dots, r.Symbols)
		for size := range min(len(r.Erasers), len(may)) + 1 {
			for gone := range rules.Subsets(may, size) {
				if !yield(gone) {
					return
				}
			}
		}
	}
}

// How many steps and lines are looked at one by one before a conflict is searched
// for: 4×4 cells have 8,512 lines from corner to corner.
const (
	inPlaceSteps = 200_000
	inPlaceLines = 10_000
	inPlaceWays  = 2000 // for one line, what its regions' erasers might take
)

// inPlace is the smallest conflict of a panel with the other clues in place; nil
// where there are too many lines. Of every line it lists what it leaves wrong, for
// each choice of what erasers take; clues that no line meets have something in
// common with each list.
func (v Prover) inPlace(ctx context.Context, p *board.Panel) (*Conflict, error) {
	all := cluesOf(p)
	number := make(map[image.Point]int, len(all))
	for i, at := range all {
		number[at] = i
	}
	lists := make(map[string]clueSet)
	lines, few := 0, true
	every, err := eachLine(ctx, p, func(s solve.Solution) bool {
		l, wrong := v.Rules.Draw(ctx, p, s)
		if wrong != nil {
			return true
		}
		var ways []clueSet
		ways, few = wrongs(l, number)
		for _, w := range ways {
			lists[w.key()] = w
		}
		lines++
		few = few && lines < inPlaceLines
		return few && l.Err() == nil
	})
	if err != nil || !every || !few {
		return nil, err
	}
	sets := make([]clueSet, 0, len(lists))
	for _, set := range lists {
		sets = append(sets, set)
	}
	slices.SortFunc(sets, func(a, b clueSet) int {
		if n := a.size() - b.size(); n != 0 {
			return n
		}
		return slices.Compare(a, b)
	})
	if len(sets) > 0 && sets[0].size() == 0 {
		return nil, fmt.Errorf("internal error: no answer was found, and a line leaves nothing wrong")
	}
	hits := hitting(sets, len(all))
	c := &Conflict{}
	for i, at := range all {
		if hits.has(i) {
			c.Clues = append(c.Clues, at)
		}
	}
	return c, nil
}

// wrongs lists what a line leaves wrong, for each choice of what erasers take; few
// is false where that would be too much.
func wrongs(l *rules.Line, number map[image.Point]int) (ways []clueSet, few bool) {
	setOf := func(list []image.Point) clueSet {
		set := make(clueSet, (len(number)+63)/64)
		for _, at := range list {
			i := number[at]
			set[i/64] |= 1 << (i % 64)
		}
		return set
	}
	ways = []clueSet{setOf(slices.AppendSeq(l.Disagreeing(), l.Crossed))}
	for _, r := range l.Regions() {
		var own []clueSet
		switch {
		case len(r.Erasers) == 0:
			own = []clueSet{setOf(r.Wrong())}
		case r.Judge() == nil:
			continue
		default:
			for gone := range erasures(r) {
				left := setOf(r.WrongWithout(gone))
				if left.size() > 0 {
					own = append(own, left)
				} else {
					// Only for all of its clues is it wrong.
					for _, at := range cluesIn(r) {
						own = append(own, setOf([]image.Point{at}))
					}
				}
				if len(own) > inPlaceWays {
					return nil, false
				}
			}
			own = least(own)
		}
		if len(ways)*len(own) > inPlaceWays {
			return nil, false
		}
		var both []clueSet
		for _, a := range ways {
			for _, b := range own {
				both = append(both, a.with(b))
			}
		}
		ways = both
	}
	return least(ways), true
}

// eachLine draws the lines of a panel until visit returns false; all says that it
// came to the end. Some of them may break a rule of the line.
func eachLine(ctx context.Context, p *board.Panel, visit func(solve.Solution) bool) (all bool, err error) {
	on := make([]bool, len(p.Spots))
	index := func(at image.Point) int { at = p.Wrap(at); return at.Y*p.Width() + at.X }
	var path []image.Point
	steps := 0
	enter := func(at image.Point) bool {
		if !p.In(at) || board.IsCell(at) || p.At(at).Gap != board.Whole || on[index(at)] {
			return false
		}
		if p.Symmetry != board.NoSymmetry {
			q, ok := p.Image(at)
			if !ok || p.At(q).Gap != board.Whole || on[index(q)] && len(path) > 0 {
				return false
			}
		}
		on[index(at)] = true
		path = append(path, at)
		return true
	}
	leave := func() {
		on[index(path[len(path)-1])] = false
		path = path[:len(path)-1]
	}
	ended := func() bool {
		at := path[len(path)-1]
		if !p.At(at).IsEnd() {
			return true
		}
		line := solve.Stroke{}
		for i, q := range path {
			if board.IsNode(q) || i == 0 || i == len(path)-1 {
				line = append(line, q)
			}
		}
		return visit(solve.Solution{append(line, at.Add(p.At(at).Cap))})
	}
	var step func() bool
	step = func() bool { // from where the path has come to; false to stop
		if steps++; steps > inPlaceSteps {
			return false
		}
		if steps&1023 == 0 && ctx.Err() != nil {
			return false
		}
		if !ended() {
			return false
		}
		at := path[len(path)-1]
		for _, d := range board.Beside() {
			if board.IsEdge(at) && (len(path) > 1 || d != board.AlongEdge(at) && d != board.AlongEdge(at).Mul(-1)) {
				continue
			}
			if !enter(at.Add(d)) {
				continue
			}
			more := true
			if board.IsNode(at.Add(d)) {
				more = step()
			} else if more = ended(); more && enter(at.Add(d).Add(d)) {
				more = step()
				leave()
			}
			leave()
			if !more {
				return false
			}
		}
		return true
	}
	for at := range p.Points() {
		if !p.At(at).Start || !enter(at) {
			continue
		}
		more := step()
		leave()
		if !more {
			return false, ctx.Err()
		}
	}
	return true, ctx.Err()
}

// A clueSet is a set of small numbers.
type clueSet []uint64

func (s clueSet) has(i int) bool { return s[i/64]>>(i%64)&1 > 0 }

func (s clueSet) size() (n int) {
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}

func (s clueSet) key() string { return fmt.Sprint([]uint64(s)) }

// with is the union.
func (s clueSet) with(t clueSet) clueSet {
	u := slices.Clone(s)
	for i := range u {
		u[i] |= t[i]
	}
	return u
}

// within tells whether all of s is in t.
func (s clueSet) within(t clueSet) bool {
	for i := range s {
		if s[i]&^t[i] != 0 {
			return false
		}
	}
	return true
}

// meets tells whether two sets have a number in common.
func (s clueSet) meets(t clueSet) bool {
	for i := range s {
		if s[i]&t[i] != 0 {
			return true
		}
	}
	return false
}

// least leaves out the sets that another one lies within.
func least(sets []clueSet) []clueSet {
	slices.SortStableFunc(sets, func(a, b clueSet) int { return a.size() - b.size() })
	var kept []clueSet
	for _, s := range sets {
		if !slices.ContainsFunc(kept, func(k clueSet) bool { return k.within(s) }) {
			kept = append(kept, s)
		}
	}
	return kept
}

// hittingSteps bounds the search for the smallest set that has something in common
// with each of others.
const hittingSteps = 20_000

// hitting is a set of numbers below n that has one in common with each of the sets,
// none of which is empty. Without any of its numbers it has not. It is the smallest,
// unless that takes too long.
func hitting(sets []clueSet, n int) clueSet {
	empty := make(clueSet, (n+63)/64)
	missed := func(by clueSet) clueSet {
		for _, s := range sets {
			if !s.meets(by) {
				return s
			}
		}
		return nil
	}
	steps := 0
	var of func(by clueSet, more int) clueSet // at most so many numbers more
	of = func(by clueSet, more int) clueSet {
		s := missed(by)
		if s == nil {
			return by
		}
		if steps += 1; more == 0 || steps > hittingSteps {
			return nil
		}
		for i := range n {
			if s.has(i) {
				next := slices.Clone(by)
				next[i/64] |= 1 << (i % 64)
				if found := of(next, more-1); found != nil {
					return found
				}
			}
		}
		return nil
	}
	for size := 0; steps <= hittingSteps; size++ {
		if found := of(empty, size); found != nil {
			return found
		}
	}
	all := slices.Clone(empty)
	for i := range n {
		all[i/64] |= 1 << (i % 64)
	}
	for i := range n {
		less := slices.Clone(all)
		less[i/64] &^= 1 << (i % 64)
		if missed(less) == nil {
			all = less
		}
	}
	return all
}
