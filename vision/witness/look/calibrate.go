package look

import (
	"onlooker/calibrations"
)

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
