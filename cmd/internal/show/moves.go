package show

import (
	"strings"

	"onlooker/cmd/internal/plain"
	"onlooker/solve"
)

// Told is an answer in the family's own words, or nil where it has none.
func Told(p solve.Puzzle, s solve.Solution) []string {
	teller, ok := p.(solve.Teller)
	if !ok {
		return nil
	}
	words := make([]string, len(s))
	for i, stroke := range s {
		words[i] = teller.Tell(stroke)
	}
	return words
}

// Moves is an answer in words, stroke by stroke: in the family's own where it has some.
func Moves(p solve.Puzzle, s solve.Solution) []string {
	words := Told(p, s)
	for i := len(words); i < len(s); i++ {
		words = append(words, plain.Moves(s[i]))
	}
	return words
}

// Dispute says by which readings of the rules an answer is right; "" where it is by all.
func Dispute(by solve.Standing) string {
	if len(by.Wrong)+len(by.Unknown) == 0 {
		return ""
	}
	text := "right by the rules of " + strings.Join(by.Right, ", ")
	if len(by.Wrong) > 0 {
		text += ", not of " + strings.Join(by.Wrong, ", ")
	}
	if len(by.Unknown) > 0 {
		text += "; whether by those of " + strings.Join(by.Unknown, ", ") + " was not found out in time"
	}
	return text
}
