package see

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"onlooker/vision"
	"onlooker/vision/posterior"
)

// A RefusedError says why what may be a board is not given: what each of the families that it is
// most like could not tell, the likeliest first, and what to do about it.
type RefusedError struct {
	Like []Reading
}

// telling is the share of the odds that the families which are named have together.
const telling = 0.9

func (e *RefusedError) Error() string {
	var says []string
	for _, r := range e.Like {
		name := cmp.Or(r.Game.Title, r.Game.Name)
		if amid(r, e.Like) {
			says = append(says, name+", of which only parts are seen")
			continue
		}
		says = append(says, fmt.Sprintf("%s, %d×%d%s", name, r.Board.Cols, r.Board.Rows, r.reason()))
	}
	return "most like " + strings.Join(says, "; or like ")
}

// reason is why a board is not read, and what to do about it.
func (r *Reading) reason() string {
	if r.Err == nil {
		return ""
	}
	out, u := ": "+r.Err.Error(), (*vision.UnsureError)(nil)
	switch errors.As(r.Err, &u); {
	case u == nil || errors.As(r.Err, new(*otherwiseError)):
	case u.Hidden:
		out += "; take the picture again without what lies over it"
	case u.Do != "":
		out += "; " + u.Do
	}
	return out
}

func (e *RefusedError) Unwrap() error { return e.Like[0].Err }

// refusal is why a reading is not given, with those of other families of the same place: two, where
// the likeliest does not stand out.
func refusal(r Reading, m posterior.Model, all []Reading) error {
	like := []Reading{r}
	for _, o := range all {
		switch p := o.Alone(m); {
		case o.Err == nil:
			o.Odds = logit(p)
		case o.Never && p < max(o.Profile.Levels.Read, toss):
			o.Err = unlikely(o, p)
		}
		at := slices.IndexFunc(like, func(k Reading) bool { return k.Game == o.Game })
		switch {
		case at == 0 && o.Never && o.Board == r.Board:
			like[0].Err = o.Err
		case at == 0 || !overlap(r.Board, o.Board):
		case at < 0:
			like = append(like, o)
		case o.Odds > like[at].Odds:
			like[at] = o
		}
	}
	slices.SortStableFunc(like[1:], func(a, b Reading) int { return order(b.Odds, a.Odds) })
	sum := 0.0
	for _, o := range like {
		sum += math.Exp(o.Odds - r.Odds)
	}
	if len(like) > 1 && 1/sum < telling {
		return &RefusedError{like[:2]}
	}
	return &RefusedError{like[:1]}
}

func logit(p float64) float64 {
	p = min(max(p, 1e-6), 1-1e-6)
	return math.Log(p / (1 - p))
}

// unlikely is why a reading is not given that is as likely as it is.
func unlikely(r Reading, p float64) error {
	return &vision.UnsureError{Whole: true, Do: "if it is a board of these, say --family " + r.Game.Name,
		What: fmt.Sprintf("it may be no board: %.0f %% sure, want %.0f %%", 100*p, 100*max(r.Profile.Levels.Read, toss))}
}

// amid tells whether an unread board of lines is but a part of what others take for a lattice of
// cells: the outlines of a symbol have few cells.
func amid(r Reading, all []Reading) bool {
	return r.Board.Flat != nil && min(r.Board.Cols, r.Board.Rows) < leastSettled && slices.ContainsFunc(all, func(o Reading) bool {
		return o.Board.Flat == nil && min(o.Board.Cols, o.Board.Rows) >= leastSettled && 2*size(o.Board) >= size(r.Board) && overlap(o.Board, r.Board)
	})
}

// An otherwiseError is why a board is not read in a look, and what its structure alone says.
type otherwiseError struct{ look, alone error }

func (e *otherwiseError) Error() string {
	return fmt.Sprintf("%v; or, as another client draws it: %v", e.look, e.alone)
}

func (e *otherwiseError) Unwrap() error { return e.look }
