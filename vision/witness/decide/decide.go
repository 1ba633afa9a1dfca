// Package decide holds every question that a reading may leave open, and decides whether it
// does. Readers give what they measured of a place and what it may show; a question that
// this does not answer is a Doubt, which refuses the reading unless another view answers it.
package decide

import (
	"fmt"
	"image"
	"strings"

	"onlooker/vision"
	"onlooker/vision/posterior"
)

// A Question is what may be shown, with words for what differs from place to place, and the
// unit of what is measured to answer it.
type Question string

// Hidden is what a place shows under what lies over it, which the words name.
const Hidden Question = "%s"

// Sign is Hidden by something that reaches no further than a cell.
const Sign Question = "something"

// Of the board, and of several views of it.
const (
	BoardSize  Question = "how many cells it has: %dx%d, or more or fewer"
	OddLines   Question = "%s, or lines that are drawn otherwise than in the looks that are known"
	Joining    Question = "the views go together in several ways"
	OutOfSight Question = "only %d%% of the pillar is seen, and more views are needed: turn it between them"
	OnPillar   Question = "what a pillar shows there, in views that %s"
	Symmetry   Question = "starts %v and ends %v fit none of a pillar's symmetries"
)

// Of the lines.
const (
	Cut         Question = "lines seem to lead on beyond its outer ones, under a window, out of the picture, or round a pillar"
	NoStart     Question = "no start circle is seen"
	NoEnd       Question = "no end of the line is seen"
	StartOrNone Question = "a start circle or none; line widths"
	StartMiddle Question = "%s on a start circle, or one whose middle has another colour"
	EndOrNone   Question = "an end cap or none; line widths"
	EndOrStart  Question = "an end, or a start circle"
	EndWays     Question = "an end this way out or that"
	EdgeOrBreak Question = "a whole edge, a broken one or none; of the contrast"
	BreakOrNone Question = "a break, or no edge"
	DotOrBreak  Question = "a dot, or a break; of the contrast"
	DotOrNone   Question = "a dot or none; of the contrast"
	Unseen      Question = "your pictures showed no %s like this one, which is most like: %s, calibrate with one"
	Unexplained Question = "%s, or what this look does not know (calibrate); explained"
	DotsLine    Question = "whose line the dot is for: %s"
)

// Of the cells.
const (
	Covered      Question = "a cell that start circles cover"
	EmptyOrFaint Question = "an empty cell, or something faint; of the contrast"
	Symbols      Question = "%s, or %s"
	NoSymbol     Question = "a symbol that this look does not know, most like %s (calibrate); alike"
	SymbolSize   Question = "%s of another size than the others"
	FullOrHollow Question = "a piece of full squares, or of outlines; nats for these"
	TakesAway    Question = "a piece to take away, or not: full squares %s"
	OneColour    Question = "one colour or two: %s and %s"
	OddColour    Question = "%s in the colour of %s"
)

// Whole is the question that is open of the panel as a whole where q is; "" where q asks of
// its place alone.
func (q Question) Whole() Question {
	switch q {
	case NoStart, StartOrNone:
		return StartOrNone
	case NoEnd, EndOrNone, EndOrStart:
		return EndOrNone
	case DotsLine, OneColour:
		return q
	}
	return ""
}

// ofBoard tells whether a question asks of no place of its own.
func (q Question) ofBoard() bool {
	switch q {
	case BoardSize, OddLines, Joining, OutOfSight, Symmetry, Cut, NoStart, NoEnd:
		return true
	}
	return false
}

// A Doubt is a question that is open at a place: with what it asks about, and what was
// measured against the bound that answers it, in the question's unit or as log-odds.
type Doubt struct {
	Of           Question
	At           image.Point
	Words        []any
	Unit         string // of value and bound; "": nothing was measured
	Value, Bound float64
}

// At leaves the question open at a place; nil where there is none, "".
func (q Question) At(at image.Point, words ...any) error {
	return open(q != "", Doubt{Of: q, At: at, Words: words})
}

// Under leaves it open where what was measured is less than what answers it.
func (q Question) Under(at image.Point, value, least float64, words ...any) error {
	return open(value < least, Doubt{q, at, words, q.unit(), value, least})
}

// Over leaves it open where what was measured is more than what answers it.
func (q Question) Over(at image.Point, value, most float64, words ...any) error {
	return open(value > most, Doubt{q, at, words, q.unit(), value, most})
}

// Likely leaves it open where its answer is less likely right than a look wants.
func (q Question) Likely(at image.Point, likely, least float64, words ...any) error {
	return open(likely < least, Doubt{q, at, words, "log-odds", posterior.Logit(likely), posterior.Logit(least)})
}

func open(is bool, d Doubt) error {
	if !is {
		return nil
	}
	return &d
}

func (q Question) unit() string {
	_, unit, _ := strings.Cut(string(q), "; ")
	return unit
}

// Unwrap is the refusal that a doubt comes to.
func (d *Doubt) Unwrap() error {
	asks, _, _ := strings.Cut(string(d.Of), "; ")
	u := &vision.UnsureError{What: fmt.Sprintf(asks, d.Words...), At: d.At, Hidden: d.Of == Hidden || d.Of == Sign, Turned: d.Of == OutOfSight, Whole: d.Of.ofBoard()}
	switch d.Of {
	case Sign:
		u.Says = "a sign that no look knows, or the cursor"
	case NoStart, NoEnd:
		u.Do, u.Own = "say where it is", d.Of == NoEnd // a start circle is seen
	case Cut:
		u.Do, u.Part = vision.Room, true
	}
	if d.Unit != "" {
		want := "want %.2f"
		if d.Value > d.Bound {
			want = "want %.2f at most"
		}
		u.Measured = fmt.Sprintf(": %.2f %s, "+want, d.Value, d.Unit, d.Bound)
		u.What += u.Measured
	}
	return u
}

func (d *Doubt) Error() string { return d.Unwrap().Error() }
