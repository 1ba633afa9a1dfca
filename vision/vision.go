// Package vision has what all readers of pictures share: boards, which are straightened and
// know where their places are in the frame, colours, medians and
// templates. Boards are found by locate; vision/cv alone imports OpenCV.
package vision

import (
	"cmp"
	"fmt"
	"image"
	"slices"
	"strings"

	"onlooker/solve"
)

// An UnsureError is a refusal to guess: it names what could not be told, and
// where.
type UnsureError struct {
	What   string      // "square or star"
	At     image.Point // half-cells of the board
	Hidden bool        // What lies over it: another frame may show it
	Turned bool        // it is on the far side of what is seen: another view shows it
	Whole  bool        // the doubt is of the board as a whole, and At says nothing
	Part   bool        // how many cells the board has is not told
	Loose  bool        // its places lie on no lattice
	Do     string      // what somebody who sees the board can do about it; "": put the place right
	// Measured is what of What was measured against a bound, which says little to a person.
	Measured string
	// Says is What in a person's words, where What is but the name of the doubt.
	Says string
	// Own says that something was seen there that boards of no other family have.
	Own bool
}

// Room is what to do about a board that may go on beyond what is seen.
const Room = "all of a board must be in the picture; if this is the whole board, give it with a margin round it"

// CutOff is a doubt of a board that goes on beyond what is seen, or may.
func CutOff(what string) error {
	return &UnsureError{What: what, Whole: true, Part: true, Do: Room}
}

// Question is what could not be told, in words that are the same for all boards: without
// numbers and characters.
func (e *UnsureError) Question() string {
	if e.Hidden {
		return "hidden by " + e.What
	}
	return strings.Join(slices.DeleteFunc(strings.Fields(e.What), func(w string) bool {
		return strings.ContainsAny(w, "0123456789") || w[0] == '-' || len(w) == 1 && w != "a"
	}), " ")
}

func (e *UnsureError) Error() string {
	what := cmp.Or(e.Says, strings.TrimSuffix(e.What, e.Measured))
	switch {
	case e.Hidden && e.Says != "":
		return solve.PlaceName(e.At) + " holds " + what
	case e.Hidden:
		return fmt.Sprintf("hidden by %s: %s", what, solve.PlaceName(e.At))
	}
	if e.Whole {
		return what
	}
	return fmt.Sprintf("unsure at %s: %s", solve.PlaceName(e.At), what)
}

// FlatPitch is the pitch of a straightened board, in pixels: the thinnest
// break, 0.07 of the pitch, is still four pixels wide.
const FlatPitch = 64

// Resampled makes a picture of w×h pixels, each of which is the frame's at a place
// that no projective map gives.
func Resampled(full *image.RGBA, w, h int, place func(x, y int) Point) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	SideBySide(h, func(y int) {
		for x := range w {
			p := place(x, y)
			c := At(full, p.X, p.Y)
			i := y*out.Stride + 4*x
			for k := range c {
				out.Pix[i+k] = uint8(c[k] + 0.5)
			}
			out.Pix[i+3] = 255
		}
	})
	return out
}
