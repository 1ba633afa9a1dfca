package agent

import (
	"image"
	"time"

	"onlooker/solve"
)

// A Sighting is one board of a Turn.
type Sighting struct {
	Reading
	// Text is the puzzle's canonical text, its identity; "" when it was not
	// read.
	Text string
	// New says that the board was not answered in a Turn before.
	New bool
	// Before is the board's status in the Turn that answered it; "" when it is
	// new, or was not read.
	Before string
	Verdict
	Answer Answer
	// Failed is why there is no answer: of reading, solving or checking.
	Failed error
	Millis Millis // of this board: solve, check
}

// identity is what a board that was read is remembered by.
func (s *Sighting) identity() string { return s.Game.Name + "\n" + s.Text }

// Solved tells whether the board has an answer, found now or before.
func (s *Sighting) Solved() bool {
	return s.Before == "solved" || s.New && s.Failed == nil
}

// A Turn is what one look at the screen led to, from the frame to the answers.
type Turn struct {
	Number int
	At     time.Time
	Frame  *image.RGBA
	Name   string          // of the picture, where a folder is replayed
	Bounds image.Rectangle // the frame's place on the screen
	// Boards are the boards seen, from left to right.
	Boards []Sighting
	// Failed is why nothing was looked at, or nothing was found.
	Failed error
	Millis Millis // of the frame: grab, locate, read; solve is the longest board's
}

// News tells whether the Turn has anything to show: a new answer, a new
// failure.
func (t *Turn) News() bool {
	for i := range t.Boards {
		if t.Boards[i].New {
			return true
		}
	}
	return t.Failed != nil
}

// Strokes are the answer of a board, nil without one.
func (s *Sighting) Strokes() solve.Solution { return s.Answer.Solution }
