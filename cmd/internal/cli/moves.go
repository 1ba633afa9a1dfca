package cli

import (
	"strings"

	"onlooker/solve"
)

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
