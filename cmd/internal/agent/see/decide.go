package see

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"maps"
	"math"
	"slices"

	"onlooker/solve"
	"onlooker/solve/limits"
	"onlooker/vision"
	"onlooker/vision/posterior"
)

// decide takes, of all that readers of all families made of a frame, what is to be given:
// it is the one place where a family is chosen, or none. Readings of one place share their
// odds, with no board being a candidate too; the likeliest stays, with its probability, and
// is refused where that is less than its look's level for reading. A place that nobody read
// has the reason of the likeliest family. Those that are read come first.
func decide(m posterior.Model, all []Reading) []Reading {
	out := likeliest(m, all)
	beside := func(r Reading) bool {
		return !slices.ContainsFunc(out, func(o Reading) bool { return overlap(o.Board, r.Board) })
	}
	var unread []Reading
	for _, r := range all {
		if r.Err != nil && (beside(r) || slices.ContainsFunc(out, func(o Reading) bool { return o.Err != nil })) {
			unread = append(unread, r)
		}
	}
	for i, e := range Refusals(unread) {
		r := &unread[i]
		r.Odds = m.LogOdds(posterior.Refused(r.Game.Name), e)
		if r.Evidence != nil { // read, without an answer
			r.Odds = max(r.Odds, posterior.Logit(r.Alone(m)))
		}
	}
	for i := range unread {
		r, u := &unread[i], &vision.UnsureError{}
		for _, o := range unread { // what their families share does not outweigh what is its own
			if o.Odds >= posterior.Logit(toss) && errors.As(r.Err, &u) && u.Own && o.Board.Cols == r.Board.Cols && o.Board.Rows == r.Board.Rows && o.Game != r.Game && overlap(o.Board, r.Board) {
				r.Odds = max(r.Odds, math.Nextafter(o.Odds, math.Inf(1)))
			}
		}
	}
	slices.SortStableFunc(unread, func(a, b Reading) int { return cmp.Compare(b.Odds, a.Odds) })
	for _, r := range unread {
		if beside(r) && !amid(r, unread) {
			out = append(out, r)
		}
	}
	read := slices.DeleteFunc(slices.Clone(all), func(r Reading) bool { return r.Err != nil })
	for i, r := range out {
		if r.Err != nil {
			out[i].Err = refusal(r, m, append(unread, read...))
		}
	}
	last := slices.DeleteFunc(slices.Clone(out), func(r Reading) bool { return r.Err == nil })
	known := func(r Reading) float64 { // of those of no family the largest
		if e := (*RefusedError)(nil); errors.As(r.Err, &e) && e.Unknown {
			return size(r.Board)
		}
		return math.Inf(1)
	}
	slices.SortStableFunc(last, func(a, b Reading) int { return cmp.Compare(known(b), known(a)) })
	return append(slices.DeleteFunc(out, func(r Reading) bool { return r.Err != nil }), last...)
}

// decided is decide for what the eye is asked for: of boards of another size none is given, and
// where there is a board for sure the likeliest place has one.
func (e *Eye) decided(all []Reading) []Reading {
	fits := func(r Reading) bool { return e.Size == image.Point{} || e.Size == image.Pt(r.Board.Cols, r.Board.Rows) }
	var list []Reading
	for _, r := range all {
		if fits(r) {
			list = append(list, r)
		}
	}
	if !e.Asked {
		return decide(e.Model, list)
	}
	for i := range list {
		list[i].Asked = true
	}
	list = slices.DeleteFunc(slices.Clone(list), func(r Reading) bool {
		return r.Never && slices.ContainsFunc(list, func(o Reading) bool { return o.Err == nil && !o.Never && overlap(o.Board, r.Board) })
	})
	best, odds := -1, make([]float64, len(list))
	sum := 0.0
	for i, r := range list {
		if r.Err != nil {
			continue
		}
		p := r.Alone(e.Model)
		odds[i] = p / max(1e-9, 1-p)
		if best < 0 || odds[i] > odds[best] {
			best = i
		}
	}
	out := decide(e.Model, list)
	if best < 0 {
		return out
	}
	r := list[best]
	for i, o := range list {
		if o.Err == nil && overlap(o.Board, r.Board) && !same(o, r) {
			sum += odds[i]
		}
	}
	for _, o := range out { // the board that was meant may be one that could not be read
		if !overlap(o.Board, r.Board) && o.Err != nil && o.Evidence == nil {
			sum += math.Exp(o.Odds)
		}
	}
	r.Confidence = odds[best] / (odds[best] + sum)
	if r.Confidence < max(toss, r.Profile.Levels.Read) {
		return out
	}
	out = slices.DeleteFunc(out, func(o Reading) bool { return overlap(o.Board, r.Board) })
	return slices.Insert(out, 0, r)
}

// likeliest are the likeliest readings, one of each place.
func likeliest(m posterior.Model, all []Reading) (out []Reading) {
	var read []Reading
	for _, r := range all {
		if r.Err == nil {
			r.Confidence = r.Alone(m)
			read = append(read, r)
		}
	}
	slices.SortStableFunc(read, func(a, b Reading) int { return cmp.Compare(b.Confidence, a.Confidence) })
	for len(read) > 0 {
		best := read[0]
		var rivals, rest []Reading
		for _, r := range read[1:] {
			switch {
			case !overlap(best.Board, r.Board):
				rest = append(rest, r)
			case !same(best, r):
				rivals = append(rivals, r)
			}
		}
		out = append(out, best.against(rivals))
		read = rest
	}
	return out
}

// Refusals are the evidence that boards which could not be read are boards of the families whose
// readers refused them: what is seen of each, what its reader could not tell, and how large it is
// beside the largest.
func Refusals(unread []Reading) (out []posterior.Evidence) {
	largest := 0.0
	for _, r := range unread {
		largest = max(largest, size(r.Board))
	}
	seen := map[[4]vision.Point]posterior.Evidence{} // by several readers
	for _, r := range unread {
		e := posterior.Evidence{}
		if r.Seen != nil {
			if seen[r.Board.Quad] == nil {
				seen[r.Board.Quad] = r.Seen()
			}
			maps.Copy(e, seen[r.Board.Quad])
		}
		var u *vision.UnsureError
		if errors.As(r.Err, &u) {
			e[posterior.Refused(u.Question())] = 1
		}
		e["of the largest board"] = size(r.Board) / largest
		out = append(out, e)
	}
	return out
}

// amidShare is the most that a board of lines takes of a lattice of cells that it is a part of.
// leastLattice are its least columns and rows: of the game's own panels some cells are seen as a
// lattice.
const (
	amidShare    = 1.0 / 3
	leastLattice = 4
)

// doubtAmid doubts boards of lines that lie amid the cells of a lattice, which goes on round
// them: walls between some cells of a larger board look like a small panel. What is sure by itself
// is not doubted: the grain of a picture passes for a lattice.
func doubtAmid(m posterior.Model, all []Reading) {
	for i := range all {
		r := &all[i]
		if r.Board.Flat == nil || r.Err != nil {
			continue
		}
		if r.Confidence = r.Alone(m); r.sure() {
			continue
		}
		for _, o := range all {
			if o.Board.Flat == nil && min(o.Board.Cols, o.Board.Rows) >= leastLattice && r.Board.Area().In(o.Board.Area()) && amidShare*size(o.Board) > size(r.Board) {
				r.Puzzle, r.Err = nil, &vision.UnsureError{What: fmt.Sprintf("a part of a lattice of %d×%d cells", o.Board.Cols, o.Board.Rows)}
				break
			}
		}
	}
}

// size is a board's area in pixels.
func size(b *vision.Board) float64 {
	box := b.Area()
	return float64(box.Dx()) * float64(box.Dy())
}

// account adds to a reading's evidence what its puzzle tells, and doubts one that surely
// has no answer: every board of a game has one, so that it was read wrong, or is a board of
// something else, unless somebody named its family.
func (r *Reading) account(asked bool) {
	if r.Err != nil {
		return
	}
	if r.Evidence == nil {
		r.Evidence = posterior.Evidence{}
		if r.Game.Account != nil {
			r.Evidence = r.Game.Account(r.Profile, r.Board, r.Puzzle)
		}
	}
	if r.Board.Flat != nil {
		return // of boards of lines a proof may take long
	}
	_, err := r.Puzzle.Solve(limits.WithSteps(context.Background(), proofSteps))
	if r.Never = errors.Is(err, solve.ErrUnsolvable); r.Never && !(asked && r.Game.Unsolved) {
		says := "as read, there is no answer under its plain rules"
		r.Puzzle, r.Err = nil, &vision.UnsureError{What: "a board that has no answer", Says: says, Whole: true, Do: r.never()}
		return
	}
	if c, ok := r.Puzzle.(solve.Counter); ok && err == nil {
		if n, err := c.Count(limits.WithSteps(context.Background(), proofSteps), 2); err == nil && n == 1 {
			r.Evidence[oneAnswer] = 1
		}
	}
}

// never is what to do about a board that surely has no answer.
func (r *Reading) never() string {
	if !r.Game.Unsolved {
		return "check what was read; your game may allow more"
	}
	return "check what was read; if it is right, --family " + r.Game.Name + " tells it as a result"
}

// oneAnswer is the name of the evidence that a board has one answer, as most games promise.
const oneAnswer = "exactly one answer"

// proofSteps bounds the search for a board's answer, in the solver's questions to
// its context: 20 times what any board of the shared screens takes (24). What takes
// more has proved nothing and is taken as read. It is no time, so that a picture is
// read alike on every machine.
const proofSteps = 500

// Alone is the probability of a reading, others of its place left aside: that of the
// model, and where its reader states one, both.
func (r *Reading) Alone(m posterior.Model) float64 {
	p := 1 - 1e-6
	if _, known := m[r.Game.Name]; known && len(r.Evidence) > 0 {
		p = m.Of(r.Game.Name, r.Evidence)
	}
	if r.Board.Confidence > 0 {
		p *= r.Board.Confidence
	}
	return p
}

// same tells whether two readings say the same of one board, as those by two contrasts do.
func same(a, b Reading) bool {
	return a.Game == b.Game && a.Board.Cols == b.Board.Cols && a.Board.Rows == b.Board.Rows && solve.Same(a.Puzzle, b.Puzzle)
}

// against is the likeliest reading of a place where there are others.
func (r Reading) against(rivals []Reading) Reading {
	alone := []float64{r.Confidence}
	for _, o := range rivals {
		alone = append(alone, o.Confidence)
	}
	r.Confidence = posterior.Shared(alone)[0]
	if r.Confidence < max(r.Profile.Levels.Read, toss) {
		r.Puzzle, r.Odds, r.Err = nil, posterior.Logit(r.Confidence), unlikely(r)
	}
	return r
}

// state gives a reading that several views were joined to its probability.
func (e *Eye) state(r *Reading) {
	r.Evidence = nil
	r.account(e.Asked)
	if r.Err == nil {
		r.Confidence = r.Alone(e.Model)
		*r = r.against(nil)
	}
}

// Touchable tells whether a reading is so likely right that the mouse may touch its board.
func (r Reading) Touchable() bool {
	return r.Profile == nil || r.Confidence >= r.Profile.Levels.Mouse
}

// sure tells whether a reading of a flat board stands by itself: so likely right that the mouse
// may touch it, and with all of its border in sight.
func (r Reading) sure() bool { return r.Touchable() && r.Board.AtBorder() == 0 }

// toss is more than a toss-up: of two readings that are as likely none is given.
const toss = 0.51

// overlap tells whether the middle of one board lies within another's outline.
func overlap(a, b *vision.Board) bool {
	in := func(p vision.Point, q [4]vision.Point) bool {
		for i := range q {
			u, v := q[i], q[(i+1)%4]
			if (v.X-u.X)*(p.Y-u.Y)-(v.Y-u.Y)*(p.X-u.X) < 0 {
				return false
			}
		}
		return true
	}
	return in(a.Centre(), b.Quad) || in(b.Centre(), a.Quad)
}
