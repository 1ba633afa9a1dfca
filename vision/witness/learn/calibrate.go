package learn

import (
	"image"
	"math"
	"strings"

	"onlooker/calibrations"
	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	drawing "onlooker/vision/picture/witness"
)

// A Shot is a screenshot to measure a look by.
type Shot struct {
	Name  string
	Frame image.Image
	// Truth is what its boards show, where that is known.
	Truth []Truth
}

// A Truth is what one board of a Shot shows, and where its corner nodes are if
// that was told.
type Truth struct {
	Panel *witness.Panel
	Quad  *[4]vision.Point
}

// ReadBoard reads the panel that a board shows in a look, with symbols of some forms.
type ReadBoard func(look *calibrations.Profile, drawn drawing.Forms, b *vision.Board) (*witness.Panel, error)

// A Calibration is a measured look.
type Calibration struct {
	Profile *calibrations.Profile
	// Measured and Missing say what of the look was seen, and what was not and
	// is taken over from the profile before.
	Measured, Missing []string
	// Forgotten are the kinds of symbols that were left out again, as they were taken for
	// others by what was learned of them.
	Forgotten []string
	// Read is what the profile reads from each shot, board by board.
	Read [][]*witness.Panel
	// Refused says of which shots something is not told by the profile, and what.
	Refused []string
	// Shots are the shots with what they show: as it was told, or as it was read and
	// answered.
	Shots []Shot

	drawn drawing.Forms
	read  ReadBoard
	heard func(stage string, done, of int) // nil: nobody hears
}

func near(b *vision.Board, quad [4]vision.Point) bool { return Within(b.Quad, quad, b.ScreenPitch) }

// Within tells whether the corners of two quads are within a distance of each
// other, in pixels.
func Within(a, b [4]vision.Point, distance float64) bool {
	for i, p := range a {
		if math.Hypot(p.X-b[i].X, p.Y-b[i].Y) > distance {
			return false
		}
	}
	return true
}

// width is the length of a quad's upper side.
func width(quad [4]vision.Point) float64 {
	return math.Hypot(quad[1].X-quad[0].X, quad[1].Y-quad[0].Y)
}

// DifferShown is differ for truths from formats that leave out what a reading
// has: the direction of diagonal caps, and the symmetry of one that says none.
func DifferShown(want, got *witness.Panel) string {
	w := want.Clone()
	if w.Cols == got.Cols && w.Rows == got.Rows {
		for at := range w.Points() {
			if a, b := w.At(at), got.At(at); a.IsEnd() && b.IsEnd() {
				a.Cap = b.Cap
			}
		}
	}
	if w.Symmetry == witness.NoSymmetry {
		w.Symmetry = got.Symmetry
	}
	return strings.TrimSpace(witness.Differ(w, got))
}
