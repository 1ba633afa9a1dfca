package see

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"math"
	"strings"
	"sync"

	"onlooker/solve"
	"onlooker/vision"
	"onlooker/vision/posterior"
)

// A RefusedError says why what may be a board is not given: what the family that it is most like could
// not tell, and what to do about it.
type RefusedError struct {
	Of      Reading
	Unknown bool     // no family is likely
	Perhaps *Reading // what the place may be, though less likely than not; nil: nothing
	Between string   // where families read it and none is likelier, two of them

	// flaw measures, where it is told, what is wrong with the picture and whether what is beside the
	// board reaches its border, where no board of it is read; and whether light lies over the board.
	flaw func() (what string, cut, lit bool)
}

func (e *RefusedError) Error() string {
	flaw, cut, lit, light := "", false, false, ""
	if e.flaw != nil {
		flaw, cut, lit = e.flaw()
	}
	if lit {
		light = "light lies over a part of it, take the picture again without that; "
	}
	if e.Unknown || flaw != "" {
		return light + e.Of.unknown(e.Perhaps, e.Between, flaw, cut)
	}
	if e.Of.Beyond() {
		return light + "a board that is cut off, or none" + e.Of.reason() // what is left tells no family
	}
	if e.Of.Board.Flat != nil && !e.Of.Asked && min(e.Of.Board.Cols, e.Of.Board.Rows) < leastSettled {
		return light + "perhaps no board, or " + e.Of.title() + e.Of.reason()
	}
	return light + "most like " + e.Of.title() + e.Of.reason()
}

func (r *Reading) title() string { return cmp.Or(r.Game.Title, r.Game.Name) }

// unknown is what may be a board of no family in particular, and what to do about it.
func (r *Reading) unknown(perhaps *Reading, between, flaw string, cut bool) string {
	if flaw != "" {
		return "no board could be made out here; " + flaw
	}
	do := "if it is a board, draw it in, or say which family with --family " + between + "and its size with --size"
	switch {
	case r.Asked:
		do = "if it is a board, draw it in, or say its size with --size"
	case cut:
		do = "what is beside it comes up to the picture's border: " + vision.Room
	}
	places := fmt.Sprintf("%d×%d places like cells", r.Board.Cols, r.Board.Rows)
	switch {
	case r.few() && perhaps != nil:
		return fmt.Sprintf("perhaps no board, or %s, of which only %s are seen; if it is one, draw all of it in", perhaps.title(), places)
	case r.few() && min(r.Board.Cols, r.Board.Rows) > 1:
		return "only " + places + " are made out; " + do
	case r.few():
		return "no board could be made out here; if there is one, draw it in"
	case perhaps != nil:
		return "perhaps " + perhaps.title() + perhaps.reason() + "; " + do
	}
	return places + unlike(r.Board) + ", of no family in particular, and it may be no board at all; " + do
}

// unlike is where places of a lattice look unlike its cells, and what may be the cause.
func unlike(b *vision.Board) string {
	if len(b.Unlike) == 0 {
		return ""
	}
	box := image.Rectangle{}
	for _, at := range b.Unlike {
		box = box.Union(image.Rectangle{Min: at, Max: at.Add(image.Pt(1, 1))})
	}
	return fmt.Sprintf(" (%d of them unlike the others, from %s to %s: if something lies over them, take the picture again without it)",
		len(b.Unlike), solve.PlaceName(box.Min), solve.PlaceName(box.Max.Sub(image.Pt(1, 1))))
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

// blame says of boards that were not read what is wrong with the picture there and, where no other was
// read of it, as a whole.
func blame(m image.Image, readings []Reading, none bool) {
	of := sync.OnceValues(func() (string, *image.Gray) { g := grey(m); return flaw(g), g })
	for _, r := range readings {
		if e := (*RefusedError)(nil); errors.As(r.Err, &e) {
			e.flaw = func() (what string, cut, light bool) {
				flaw, grey := of()
				if light = flaw == "" && lit(grey, r.Board); none {
					what, cut = flaw, inked(grey, r.Board)
				}
				return what, cut, light
			}
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
	least := posterior.Logit(leastNamed)
	if r.few() {
		least = posterior.Logit(toss)
	}
	for _, o := range all {
		if o.Odds > least && o.Err != nil && overlap(o.Board, r.Board) && min(o.Board.Cols, o.Board.Rows) > 1 {
			e.Perhaps, least = &o, o.Odds
		}
		e.Unknown = e.Unknown || o.Game.Name != r.Game.Name && r.Odds < posterior.Logit(toss)
	}
	for _, o := range all { // of lattices of cells that are as likely, by half, that of most cells
		if e.Between == "" && o.Game.Name != r.Game.Name && r.Evidence != nil && o.Evidence != nil && overlap(o.Board, r.Board) {
			e.Between = fmt.Sprintf("(%s or %s) ", r.Game.Name, o.Game.Name)
		}
		likely := o.Odds > r.Odds-math.Ln2 || r.few() && r.Board.Flat != nil
		if e.Unknown && o.Board.Flat == nil && o.Err != nil && likely && o.Board.Cols*o.Board.Rows > e.Of.Board.Cols*e.Of.Board.Rows && overlap(o.Board, r.Board) {
			e.Of = o
		}
	}
	return e
}

// leastNamed is how likely a family is that may be named where none is likely: as that it is another, or none.
const leastNamed = 1.0 / 3

// unlikely is why a reading is not given that is likely no board.
func unlikely(r Reading) error {
	if r.Asked {
		return &vision.UnsureError{Whole: true, What: "what is seen there may be a part of a board, or another thing", Do: "say where the board is with --region"}
	}
	return &vision.UnsureError{Whole: true, What: "it may be no board at all", Do: "if it is a board of these, say --family " + r.Game.Name}
}
