package look

import (
	"onlooker/calibrations"
	"onlooker/vision/witness/view"
)

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
