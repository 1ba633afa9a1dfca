package look

import (
	"image"

	"onlooker/calibrations"
	"onlooker/vision"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/view"
)

// A Model is a flat board with what is measured of it: of its lines, of what its places
// look like, and of its cells.
type Model struct {
	*view.View
	Known  *Library
	Lines  *Lines
	Places *Places
	Cells  *Cells
}

// New measures a board.
func New(b *vision.Board, look *calibrations.Profile, drawn drawing.Forms) *Model {
	m := Of(view.Measure(b, look, drawn, nil), look.Board.RimWidth, LibraryOf(look, drawn))
	m.Cells.Outlined = len(look.Board.Rims) > 0
	return m
}

// Of is the model of a view, by what is known of symbols; rim is how wide an outline of
// the lines is, in pitches.
func Of(v *view.View, rim float64, known *Library) *Model {
	lines := &Lines{
		View: v, Bleed: view.Tuned.BleedPixels/v.Board.ScreenPitch + rim, known: known,
		Radius: map[image.Point]float64{}, Dotted: map[image.Point]float64{}, Capped: map[image.Point]image.Point{},
	}
	return &Model{View: v, Known: known, Lines: lines, Places: &Places{v, lines}, Cells: &Cells{View: v, lines: lines}}
}
