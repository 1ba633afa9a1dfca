package solving

import (
	"fmt"
	"io"
	"time"

	"onlooker/cmd/internal/agent/see"
	"onlooker/solve"
)

// A Line is what solve prints for one board with --json.
type Line struct {
	Input   string     `json:"input"`
	Board   *int       `json:"board,omitempty"`
	Family  string     `json:"family"`
	Status  string     `json:"status"`
	Strokes [][][2]int `json:"strokes,omitempty"`
	// Moves tells the strokes in words, where the family has its own.
	Moves []string `json:"moves,omitempty"`
	// Holds are the rule sets by which the answer is right, where the family has
	// several.
	Holds []string `json:"holds,omitempty"`
	// HoldsUnknown are those of which that was not found out in time.
	HoldsUnknown []string `json:"holdsUnknown,omitempty"`
	standing     solve.Standing
	// Goal is what the board was taken to want, where its text does not tell.
	Goal   string     `json:"goal,omitempty"`
	Millis see.Millis `json:"millis"`
	// Kept is when an answer of the store, or its proof, was found.
	Kept  *time.Time `json:"kept,omitempty"`
	Error string     `json:"error,omitempty"`

	// Of a puzzle whose answers have a cost: the answer's, a bound that none is
	// below, and what is counted.
	Cost  *int   `json:"cost,omitempty"`
	Bound *int   `json:"bound,omitempty"`
	Unit  string `json:"unit,omitempty"`
	// With --count: how many answers, whether there may be more, and how many
	// differ where it matters.
	Count      *int   `json:"count,omitempty"`
	AtLeast    bool   `json:"atLeast,omitempty"`
	Groups     *int   `json:"groups,omitempty"`
	GroupsTell string `json:"groupsTell,omitempty"`
	// With --all: the number of this answer, from 1.
	Answer int `json:"answer,omitempty"`
	// With --why: what cannot be met together, and where.
	Why   string   `json:"why,omitempty"`
	Where [][2]int `json:"where,omitempty"`
}

// tellGoal says what the board was taken to want.
func (l *Line) tellGoal(w io.Writer) {
	if l.Goal != "" {
		fmt.Fprintf(w, "all are wanted %s, since the board does not tell (see --goal)\n", l.Goal)
	}
}
