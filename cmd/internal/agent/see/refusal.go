package see

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"strings"
	"sync"

	"onlooker/vision"
	"onlooker/vision/posterior"
)

// A RefusedError says why what may be a board is not given: what the family that it is most like could
// not tell, and what to do about it.
type RefusedError struct {
	Of      Reading
	Unknown bool   // no family is likely
	Between string // where families read it and none is likelier, two of them

	// flaw measures, where it is told, what is wrong with the picture, and whether what is beside the
	// board reaches its border; nil where a board of it is read.
	flaw func() (what string, cut bool)
}

func (e *RefusedError) Error() string {
	flaw, cut := "", false
	if e.flaw != nil {
		flaw, cut = e.flaw()
	}
	if e.Unknown || flaw != "" {
		return e.Of.unknown(e.Between, flaw, cut)
	}
	if e.Of.Beyond() {
		return "a board that is cut off, or none" + e.Of.reason() // what is left tells no family
	}
	return "most like " + cmp.Or(e.Of.Game.Title, e.Of.Game.Name) + e.Of.reason()
}

// unknown is what may be a board of no family in particular, and what to do about it.
func (r *Reading) unknown(between, flaw string, cut bool) string {
	do := "draw it in, or say which family with --family " + between + "and its size with --size"
	if r.Asked {
		do = "draw it in, or say its size with --size"
	}
	if do = "if there is one, " + do; cut {
		do = "what is beside it comes up to the picture's border: " + vision.Room
	}
	switch {
	case flaw != "":
		return "no board could be made out here; " + flaw
	case !r.few():
		return fmt.Sprintf("%d×%d places like cells, of no family in particular, and it may be no board at all; %s", r.Board.Cols, r.Board.Rows, do)
	case cut:
		return fmt.Sprintf("only %d×%d places like cells; %s", r.Board.Cols, r.Board.Rows, do)
	}
	return "no board could be made out here; if there is one, draw it in"
}

// reason is how large a board is that is not read, as far as that is told, why, and what to do about it.
func (r *Reading) reason() string {
	out, u := fmt.Sprintf(", %d×%d", r.Board.Cols, r.Board.Rows), &vision.UnsureError{}
	switch errors.As(r.Err, &u); {
	case u.Loose:
		out = fmt.Sprintf(", %d lamps that lines join", r.Board.Cols)
	case u.Part:
		out = ""
	}
	if r.Err == nil {
		return out
	}
	out += ": " + r.Err.Error()
	switch {
	case u.Hidden && u.Says != "":
		out += ": say which, or take the picture again without it"
	case u.Hidden:
		out += "; take the picture again without what lies over it, or, where nothing does, put right what no look knows"
	case u.Turned:
		out += "; or take a picture of each side, and read them together with --views"
	case u.Do == "" && !u.Whole && r.Draftable():
		out += "; say what is there"
	case u.Do != "" && !(r.Asked && strings.Contains(u.Do, "--family")):
		out += "; " + u.Do
	}
	return out
}

// Beyond tells whether what was not read may go on beyond what is seen.
func (r *Reading) Beyond() bool {
	u := (*vision.UnsureError)(nil)
	return errors.As(r.Err, &u) && u.Do == vision.Room
}

// blame says of a picture of which no board was read what is wrong with it as a whole.
func blame(m image.Image, unread []Reading) {
	of := sync.OnceValues(func() (string, *image.Gray) { g := grey(m); return flaw(g), g })
	for _, r := range unread {
		if e := (*RefusedError)(nil); errors.As(r.Err, &e) {
			e.flaw = func() (string, bool) { what, grey := of(); return what, inked(grey, r.Board) }
		}
	}
}

func (e *RefusedError) Unwrap() error { return e.Of.Err }

// refusal is why a reading is not given: of the family that is likely, or of none. Where families read
// the place and neither stands out it names two.
func refusal(r Reading, m posterior.Model, all []Reading) error {
	if r.Never && r.Alone(m) < max(r.Profile.Levels.Read, toss) {
		r.Err = unlikely(r)
	}
	e := &RefusedError{Of: r, Unknown: r.few() && !r.Asked}
	for _, o := range all {
		if o.Game.Name == r.Game.Name {
			continue
		}
		e.Unknown = e.Unknown || r.Odds < posterior.Logit(toss)
		if e.Between == "" && r.Evidence != nil && o.Evidence != nil && overlap(o.Board, r.Board) {
			e.Between = fmt.Sprintf("(%s or %s) ", r.Game.Name, o.Game.Name)
		}
	}
	return e
}

// unlikely is why a reading is not given that is likely no board.
func unlikely(r Reading) error {
	if r.Asked {
		return &vision.UnsureError{Whole: true, What: "what is seen there may be a part of a board, or another thing", Do: "say where the board is with --region"}
	}
	return &vision.UnsureError{Whole: true, What: "it may be no board at all", Do: "if it is a board of these, say --family " + r.Game.Name}
}
