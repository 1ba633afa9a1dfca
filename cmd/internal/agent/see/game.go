// Package see makes Turns of frames: what boards a frame shows, what stands on them, and their
// answers. An Eye looks at one frame; an Observer joins what several frames show of one board,
// and solves each board once; a Loop says which frames are worth a look. It knows no family by
// name: what a family can do is in its Game.
package see

import (
	"image"

	"onlooker/calibrations"
	"onlooker/solve"
	"onlooker/vision"
	"onlooker/vision/grid"
	"onlooker/vision/grid/claims"
	"onlooker/vision/grid/form"
	"onlooker/vision/picture"
	"onlooker/vision/posterior"
)

// A Reader reads one board: from one view, from several views of it, or from
// several frames one after another.
type Reader interface {
	// Add adds views. An error says that a board is no view of the same puzzle.
	Add(...*vision.Board) error
	// Puzzle is what the views show; a *vision.UnsureError when something that
	// matters cannot be told.
	Puzzle() (solve.Puzzle, error)
}

// A Verdict says how a board belongs together with others of its frame.
type Verdict struct {
	// Set numbers the boards of which exactly one has an answer, from 1; 0 is a
	// board that stands alone.
	Set int
	// Place is what a person calls the board, as in "left"; "" where it stands
	// alone.
	Place string
	// Partial says that not all boards of the set were read, if it is one.
	Partial bool
}

// A Game is a family as the pipeline sees it.
type Game struct {
	*solve.Family
	// Unsolved says that its games show boards without an answer, too: Lights Out of any lamps.
	Unsolved bool
	Title    string // what people call it; "": its name
	// NewReader makes a Reader for boards in the profile's look; nil: this
	// family is not read off the screen.
	NewReader func(*calibrations.Profile) Reader
	// Scan finds and reads the family's boards among the grids of cells of a
	// frame that have edges of some contrast; nil: its boards are lattices of
	// lines, which NewReader reads.
	Scan func(scene *grid.Scene, contrast int, looks []*calibrations.Profile) []claims.Reading
	// Teach learns a look of boards of cells from pictures of which it is known what
	// they show; nil: there is nothing to learn.
	Teach func(look *calibrations.Profile, lessons []form.Lesson) error
	// Draft guesses what a board shows that was not read, by some looks; nil: nothing is guessed.
	Draft func(s *form.Sheet, looks []*calibrations.Profile) (*form.Draft, error)
	// Tries are the tools that a person tries in a place that is in doubt; nil: all that go on it.
	Tries []string
	// Learned says in plain words what Teach learned; nil with Teach.
	Learned func(look *calibrations.Profile) []string
	// Goals are the words for what may be wanted of a board where a picture does
	// not tell, as calibrations.Cells has them; nil: pictures tell all.
	Goals []string
	// CheckLook says what is wrong with what a look says of the family's symbols, by its
	// key; nil: looks say nothing of them.
	CheckLook func(*calibrations.Profile) error
	// Structure is a profile that allows any look, with what must be taken over
	// from one that is known; nil: there is none.
	Structure func(known *calibrations.Profile) *calibrations.Profile
	// Explained is how much of the picture of a board what was read of it explains, less
	// what it leaves, by which looks are compared that read the same picture; nil: the
	// family cannot tell, and the look that reads most is taken.
	Explained func(look *calibrations.Profile, b *vision.Board, puzzle solve.Puzzle) float64
	// Account is what a board that NewReader read explains of its picture and what it
	// leaves; nil where nothing is measured.
	Account func(look *calibrations.Profile, b *vision.Board, puzzle solve.Puzzle) posterior.Evidence
	// Shows tells whether a puzzle shows any of some kinds of symbols; nil: looks have none
	// beside the usual ones.
	Shows func(p solve.Puzzle, kinds []string) bool
	// Otherwise is another puzzle that the same picture shows, for where the one that
	// was read has no answer, and the half-cells of which all but the line's first stay
	// bare when its line begins: one that does not tells that the picture was read right.
	// A nil puzzle: the picture shows no other. nil: no picture does.
	Otherwise func(solve.Puzzle) (other solve.Puzzle, bare []image.Point)
	// Group tells which boards of one frame, given from left to right, belong
	// together; nil: none do.
	Group func([]solve.Puzzle) []Verdict
	// Map tells what else a board is the map of, and which half-cells of it to
	// look for; "" for most. nil: no board is one.
	Map func(solve.Puzzle) (title string, marks []image.Point)
	// Picture is a board with its answer, or the bare board with a nil answer,
	// in half-cells; nil: the family has no pictures.
	Picture func(solve.Puzzle, solve.Solution) []picture.Shape
	// Place is where a half-cell of the strokes lies in Picture; nil where it
	// lies at itself.
	Place func(solve.Puzzle, image.Point) picture.Point
	// Editor changes boards by hand; nil: this family's boards are not edited.
	Editor *solve.Editor
	// Hand tells how a puzzle's answer is entered by hand; nil, or nil from it:
	// it is not.
	Hand func(solve.Puzzle) *solve.Hand
	// Record names the format that a reading gives as its "puzzle", a JSON
	// object; "" where the family has none.
	Record string
	// Variant returns the puzzle under other rules, written
	// NAME[,OPTION=on|off…]; nil: the family's rules have no variants.
	Variant func(puzzle solve.Puzzle, rules string) (solve.Puzzle, error)
	// CheckVariant tells whether Variant knows such rules; nil with Variant.
	CheckVariant func(rules string) error
	// VariantOptions are the options that Variant knows, for help texts.
	VariantOptions []solve.Rule
}
