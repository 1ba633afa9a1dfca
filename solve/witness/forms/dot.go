package forms

import (
	"fmt"
	"strings"

	"onlooker/solve/witness/board"
)

// describeDot is the dot in the text form.
func describeDot(d board.Dot) string {
	var words []string
	if d.Line != board.AnyLine {
		words = append(words, [...]string{"", "own", "other"}[d.Line])
	}
	if d.Invisible {
		words = append(words, "invisible")
	}
	if d.Colour != "" {
		words = append(words, string(d.Colour))
	}
	return strings.Join(append(words, "dot"), " ")
}

// parseDot reads the words before "dot".
func parseDot(words []string) (board.Dot, error) {
	d := board.Dot{On: true}
	if len(words) > 0 && (words[0] == "own" || words[0] == "other") {
		d.Line = board.OwnLine
		if words[0] == "other" {
			d.Line = board.OtherLine
		}
		words = words[1:]
	}
	if len(words) > 0 && words[0] == "invisible" {
		d.Invisible = true
		words = words[1:]
	}
	if len(words) > 0 && board.GoodColour(board.Colour(words[0])) {
		d.Colour = board.Colour(words[0])
		words = words[1:]
	}
	if len(words) > 0 {
		return d, fmt.Errorf("%q in a dot, want [own|other] [invisible] [colour] dot", words[0])
	}
	return d, nil
}

// siteDots are the dots of witnesspuzzles.com by number; 0 is none.
func siteDots() []board.Dot {
	return []board.Dot{
		{},
		{On: true},
		{On: true, Line: board.OwnLine, Colour: board.Blue},
		{On: true, Line: board.OtherLine, Colour: board.Yellow},
		{On: true, Invisible: true},
	}
}

// siteNumber is the number of a dot there, whatever its colour.
func siteNumber(d board.Dot) (int, error) {
	for i, known := range siteDots() {
		if known.On == d.On && known.Line == d.Line && known.Invisible == d.Invisible {
			return i, nil
		}
	}
	return 0, fmt.Errorf("%s cannot be written: an invisible dot is of either line", describeDot(d))
}
