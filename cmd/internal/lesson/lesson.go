// Package lesson is what lies between whoever teaches a look and the page on which it is
// taught: neither knows the other, nor what family is taught.
package lesson

import (
	"image"
	"io"

	"onlooker/cmd/internal/agent/see"
	"onlooker/solve"
	"onlooker/vision"
)

// A Board is one of a picture, with what it shows as far as that is known.
type Board struct {
	Shot int
	see.Reading
}

// A Place is a place of a board in a picture: half-cells, of a way out the direction as well,
// and where it is seen.
type Place struct {
	Shot    int
	At, Way image.Point
	Where   vision.Point
}

// A Question asks what some places show that look alike.
type Question struct {
	Sort, Where string // of the places, and in which pictures
	Places      []Place
	Guess       string // what they are most like; "" where that is not known
	Choices     []string
	Left        int // how many of the sort come after it, at least
	Sheet       image.Image
}

// An Answered question is one with its answer.
type Answered struct {
	*Question
	Answer string
}

// A Lesson teaches a look in steps: pictures are added, what they show is asked for one
// question after the other, and then learned.
type Lesson interface {
	// Heard has somebody told how far a step has come.
	Heard(by func(stage string, done, of int))
	Game() *see.Game

	Add(name string, frame *image.RGBA) error
	Drop(shot int) error
	Pictures() (names []string, sizes []image.Point)
	// Boards are those of the pictures. Why nothing is learned from one is its error.
	Boards() []Board
	PutRight(board int, p solve.Puzzle) error

	// Ask asks from the beginning; what was answered before is not asked for again.
	Ask() error
	// Asked is what is asked now; nil: nothing is.
	Asked() *Question
	Answer(answer string) error
	// Guess answers all of the sort that is asked now as its guesses are.
	Guess() error
	Answers() []Answered
	// Back asks again what was answered as the number says, from 0; the other answers stay.
	Back(number int) error
	// Shown is a board that shows an answer; nil: it shows none.
	Shown(answer string) solve.Puzzle

	Learn() error
	Said() []string
	// Proof is what a look that was learned reads in a picture.
	Proof(shot int) (*see.Sight, error)
	WriteTruth(w io.Writer) error
	Write(name string) (folder string, err error)
	End()
}
