package look

import (
	"image"

	"onlooker/calibrations"
	witness "onlooker/solve/witness/board"
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

// What is told by one measured value is told by where it lies between the greatest
// that was seen where it is not, and the least where it is.
const (
	DivideStart  = "start"  // a circle's reach, line widths
	DivideCap    = "cap"    // a cap's reach, line widths
	DivideBreak  = "break"  // how far an edge is gone
	DivideDot    = "dot"    // how far a place is from the line's colour, contrasts
	DivideColour = "colour" // how far two symbols' colours are apart, of the brightest
	DivideSymbol = "symbol" // how far the strongest of a cell is from its ground, contrasts
)

// UsualDivide is that of looks in which nothing was learned, by levels.
func UsualDivide(name string) calibrations.Range {
	return map[string]calibrations.Range{
		DivideStart:  {view.Mostly, 1},
		DivideCap:    {view.Strongly, 1},
		DivideBreak:  {view.Clearly, view.Nearly},
		DivideDot:    {view.Slightly, view.Strongly},
		DivideSymbol: {view.Faintly, view.Clearly},
	}[name]
}

// Is tells whether a value says that something is there, and how sure that is, 0.5
// to 1.
func (m *Model) Is(name string, v float64) (bool, float64) {
	d, ok := m.Profile.Learned.Divides[name]
	if !ok {
		d = UsualDivide(name)
	}
	p := 0.5 + 0.5*(v-(d[0]+d[1])/2)/max(1e-9, (d[1]-d[0])/2)
	p = max(0, min(p, 1))
	return p > 0.5, max(p, 1-p)
}

// Structure is a profile that knows nothing but that boards are lattices of
// lines: every length is allowed that a look could have.
func Structure(base *calibrations.Profile) *calibrations.Profile {
	p := *base
	p.Name = "structure alone"
	p.Board.Line = calibrations.Range{0.05, 0.6}
	p.Board.Gap = calibrations.Range{0.05, 0.6}
	p.Board.Start = calibrations.Range{1.02, 2.2}
	p.Board.Cap = calibrations.Range{0.8, 4}
	p.Board.Lines, p.Board.LinesWithin, p.Board.Rims, p.Board.RimWidth = nil, 0, nil, 0 // of any colour
	p.Loose, p.Learned = true, calibrations.Learned{}
	return &p
}

// Starts are the start circles of a panel.
func Starts(p *witness.Panel) []image.Point {
	return view.Where(p.Points(), func(at image.Point) bool { return p.At(at).Start })
}
