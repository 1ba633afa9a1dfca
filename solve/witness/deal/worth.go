package deal

import (
	"cmp"
	"context"
	"errors"
	"image"
	rand "math/rand/v2"
	"slices"

	"onlooker/solve"
	"onlooker/solve/limits"
	"onlooker/solve/witness/board"
)

const (
	fewAnswers = 4     // what a panel worth solving has at most
	mostTried  = 1500  // answers that are found before a panel is given up
	trySteps   = 2000  // questions to the context that a search may ask
	allSteps   = 60000 // those of all searches for one panel: a second or two
	attempts   = 60    // panels that are dealt before one that falls short is given
	mostCells  = 64    // of panels that are judged: of larger ones to find all answers takes minutes
)

// worthy deals panels until one is worth solving: it has few answers, none of them is a
// shortest line, and each of its symbols matters: without it there are others. Some of its
// edges are broken for that, and what does not matter is taken away. Where none comes out
// so, it is the last with the first two, or the one with the fewest answers.
func (d Deck) worthy(ctx context.Context, rng *rand.Rand, deal func() (*board.Panel, error)) (*board.Panel, error) {
	var few, any *board.Panel
	fewest := 0
	bounded := limits.WithSteps(ctx, allSteps)
	for range attempts {
		p, err := deal()
		if err != nil || p.Cols*p.Rows > mostCells {
			return p, err
		}
		found := d.answers(bounded, p, mostTried)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if bounded.Err() != nil {
			break
		}
		if len(found) == 0 {
			continue
		}
		found = narrow(p, found, rng)
		if any == nil || len(found) < fewest {
			any, fewest = p.Clone(), len(found)
		}
		if len(found) > fewAnswers || slices.ContainsFunc(found, shortest(p)) {
			continue
		}
		if few = p.Clone(); d.needed(bounded, p, found, rng) {
			return p, nil
		}
	}
	for any = cmp.Or(few, any); any == nil; {
		p, err := deal()
		if err != nil {
			return nil, err
		}
		switch _, err = d.Solver.Solve(ctx, p); {
		case err == nil:
			any = p
		case !errors.Is(err, solve.ErrUnsolvable):
			return nil, err
		}
	}
	return any, nil
}

// answers are all answers of a panel; nil where there are more than most, or finding them
// takes long.
func (d Deck) answers(ctx context.Context, p *board.Panel, most int) (found []solve.Solution) {
	for s, err := range d.Solver.All(limits.WithSteps(ctx, trySteps), p.Clone()) {
		if err != nil || len(found) == most {
			return nil
		}
		found = append(found, s)
	}
	return found
}

// narrow breaks edges, of three cells one at most (the Challenge breaks ten of its 4×4 with
// stars), until few answers are left: each time the edge that most of them take and the one
// to be kept does not. Of what answers are left it keeps one that is no shortest line.
func narrow(p *board.Panel, found []solve.Solution, rng *rand.Rand) []solve.Solution {
	long := shortest(p)
	keep := slices.IndexFunc(found, func(s solve.Solution) bool { return !long(s) })
	if keep < 0 {
		return found
	}
	kept := edgesOf(p, found[keep])
	for range (p.Cols*p.Rows + 2) / 3 {
		if len(found) <= fewAnswers && !slices.ContainsFunc(found, long) {
			break
		}
		passed := map[image.Point]int{}
		for _, s := range found {
			for at := range edgesOf(p, s) {
				if !kept[at] && board.IsEdge(at) && p.At(at).Gap == board.Whole && !p.At(at).Dot.On {
					passed[at]++
				}
			}
		}
		best, most := image.Point{}, 0
		for at := range p.Points() { // in their order, for the same seed to make the same panel
			if n := 4*passed[at] + rng.IntN(4); passed[at] > 0 && n > most {
				best, most = at, n
			}
		}
		if most == 0 {
			break
		}
		p.At(best).Gap = board.Broken
		found = slices.DeleteFunc(found, func(s solve.Solution) bool { return edgesOf(p, s)[best] })
	}
	return found
}

// shortest tells whether an answer is as short as any line from a start to an end.
func shortest(p *board.Panel) func(solve.Solution) bool {
	var reached []image.Point
	far := map[image.Point]int{}
	for at := range p.Points() {
		if p.At(at).Start {
			reached, far[at] = append(reached, at), 1
		}
	}
	least := 0
	for i := 0; i < len(reached) && least == 0; i++ {
		at := reached[i]
		if p.At(at).IsEnd() {
			least = far[at]
		}
		for _, way := range board.Beside() {
			next := p.Wrap(at.Add(way))
			if p.In(next) && !board.IsCell(next) && p.At(next).Gap == board.Whole && far[next] == 0 {
				reached, far[next] = append(reached, next), far[at]+1
			}
		}
	}
	return func(s solve.Solution) bool {
		n := 1
		for i := 1; i < len(s[0])-1; i++ { // the last step is the end's cap
			d := s[0][i].Sub(s[0][i-1])
			n += max(d.X, -d.X) + max(d.Y, -d.Y)
		}
		return n <= least
	}
}

// needed tells whether without any one symbol or dot the panel has other answers than
// these. What is not needed is taken away; something must be left.
func (d Deck) needed(ctx context.Context, p *board.Panel, found []solve.Solution, rng *rand.Rand) bool {
	left := 0
	points := slices.Collect(p.Points())
	for _, i := range rng.Perm(len(points)) {
		s := p.At(points[i])
		if s.Kind == board.NoSymbol && !s.Dot.On {
			continue
		}
		before := *s
		s.Symbol, s.Dot = board.Symbol{}, board.Dot{}
		if d.same(ctx, p, found) {
			continue
		}
		*s = before
		left++
	}
	return left > 0 && ctx.Err() == nil
}

// same tells whether these are the answers of a panel.
func (d Deck) same(ctx context.Context, p *board.Panel, found []solve.Solution) bool {
	n := 0
	for s, err := range d.Solver.All(limits.WithSteps(ctx, trySteps), p.Clone()) {
		is := func(o solve.Solution) bool { return slices.EqualFunc(s, o, slices.Equal[solve.Stroke]) }
		if err != nil || !slices.ContainsFunc(found, is) {
			return false
		}
		n++
	}
	return n == len(found)
}
