package see

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

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

// amid tells whether an unread board of lines is but a part of what others take for a lattice of
// cells, or for as many lamps: the outlines of a symbol have few cells.
func amid(r Reading, all []Reading) bool {
	return r.Board.Flat != nil && min(r.Board.Cols, r.Board.Rows) < leastSettled && slices.ContainsFunc(all, func(o Reading) bool {
		return o.Board.Flat == nil && o.Board.Cols*o.Board.Rows >= leastSettled*leastSettled && 2*size(o.Board) >= size(r.Board) && overlap(o.Board, r.Board)
	})
}
