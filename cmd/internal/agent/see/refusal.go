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
	Like   []Reading
	Choose []string // where none is likely: the families that it may be of
}

// telling is the share of the odds that the families which are named have together.
const telling = 0.9

func (e *RefusedError) Error() string {
	if e.Choose != nil {
		only, all := "", ""
		if e.Like[0].few() {
			only, all = "only ", "; all of a board must be in the picture, with some room round it"
		}
		return fmt.Sprintf("%s%d×%d places like cells, but no family is sure, and it may be no board at all%s; if it is one, say which with --family: %s",
			only, e.Like[0].Board.Cols, e.Like[0].Board.Rows, all, strings.Join(e.Choose, ", "))
	}
	var says []string
	for _, r := range e.Like {
		says = append(says, cmp.Or(r.Game.Title, r.Game.Name)+r.reason())
	}
	return strings.Repeat("most ", 2-len(says)) + "like " + strings.Join(says, "; or like ")
}

// reason is how large a board is that is not read, as far as that is told, why, and what to do about it.
func (r *Reading) reason() string {
	out, u := fmt.Sprintf(", %d×%d", r.Board.Cols, r.Board.Rows), &vision.UnsureError{}
	if errors.As(r.Err, &u) && u.Part {
		out = ""
	}
	if r.Err == nil {
		return out
	}
	out += ": " + r.Err.Error()
	switch {
	case u.Hidden:
		out += "; take the picture again without what lies over it, or, where nothing does, put right what no look knows"
	case u.Turned:
		out += "; or take a picture of each side, and read them together with --views"
	case u.Do != "" && !(r.Asked && strings.Contains(u.Do, "--family")):
		out += "; " + u.Do
	}
	return out
}

// few tells whether so few cells of what was not read are seen that they may be a part of anything.
func (r *Reading) few() bool {
	u := &vision.UnsureError{}
	return r.Evidence == nil && errors.As(r.Err, &u) && u.Whole && !r.Board.Round() && min(r.Board.Cols, r.Board.Rows) < leastSettled
}

func (e *RefusedError) Unwrap() error { return e.Like[0].Err }

// refusal is why a reading is not given, with that of another family of the same place, where
// both are likely and neither stands out; where none is likely it names the families to choose from.
func refusal(r Reading, m posterior.Model, all []Reading) error {
	like := []Reading{r}
	for _, o := range all {
		switch p := o.Alone(m); {
		case o.Err == nil:
			o.Odds = posterior.Logit(p)
		case o.Never && p < max(o.Profile.Levels.Read, toss):
			o.Err = unlikely(o)
		}
		at := slices.IndexFunc(like, func(k Reading) bool { return k.Game == o.Game })
		switch {
		case at == 0 && o.Never && o.Board == r.Board:
			like[0].Err = o.Err
		case at == 0 || !overlap(r.Board, o.Board) || amid(o, all):
		case at < 0:
			like = append(like, o)
		case o.Odds > like[at].Odds:
			like[at] = o
		}
	}
	slices.SortStableFunc(like[1:], func(a, b Reading) int { return cmp.Compare(b.Odds, a.Odds) })
	sum := 0.0
	for _, o := range like {
		sum += math.Exp(o.Odds - r.Odds)
	}
	if likely := posterior.Logit(toss); r.few() && !r.Asked {
		// Of so few anything may be a part.
	} else if like[0].Odds >= likely && len(like) > 1 && 1/sum < telling && like[1].Odds >= likely {
		return &RefusedError{Like: like[:2]}
	} else if like[0].Odds >= likely {
		return &RefusedError{Like: like[:1]}
	}
	choose := []string{r.Game.Name}
	for _, o := range append(like, all...) {
		if !slices.Contains(choose, o.Game.Name) {
			choose = append(choose, o.Game.Name)
		}
	}
	if len(choose) == 1 && !(r.few() && !r.Asked) { // the one that was asked for
		return &RefusedError{Like: like[:1]}
	}
	return &RefusedError{like[:1], choose}
}

// unlikely is why a reading is not given that is likely no board.
func unlikely(r Reading) error {
	if r.Asked {
		return &vision.UnsureError{Whole: true, What: "what is seen there may be a part of a board, or another thing", Do: "say where the board is with --region"}
	}
	return &vision.UnsureError{Whole: true, What: "it may be no board at all", Do: "if it is a board of these, say --family " + r.Game.Name}
}

// amid tells whether an unread board of lines is but a part of what others take for a lattice of
// cells: the outlines of a symbol have few cells.
func amid(r Reading, all []Reading) bool {
	return r.Board.Flat != nil && min(r.Board.Cols, r.Board.Rows) < leastSettled && slices.ContainsFunc(all, func(o Reading) bool {
		return o.Board.Flat == nil && min(o.Board.Cols, o.Board.Rows) >= leastSettled && 2*size(o.Board) >= size(r.Board) && overlap(o.Board, r.Board)
	})
}
