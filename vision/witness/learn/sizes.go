package learn

import (
	"fmt"
	"image"
	"slices"

	"onlooker/calibrations"
	"onlooker/solve"
	witness "onlooker/solve/witness/board"
	"onlooker/vision/witness/colour"
	"onlooker/vision/witness/look"
	"onlooker/vision/witness/shape"
	"onlooker/vision/witness/view"
)

// A survey is what the places of a look's lessons show of the sizes by which boards are found, and
// how much their cells show.
type survey struct {
	line  []float64 // widths, pitches
	start []float64 // how far circles reach, line widths
	caps  []float64 // how far caps reach, line widths
	gaps  []float64 // lengths of breaks, pitches
	dots  int
	// torn are edges that the truth has whole, and that nothing is seen of somewhere, of
	// so many whole ones.
	torn  []string
	whole int
	// empty is the most that an empty cell shows, in contrasts, and symbol the least that one with
	// a symbol does, and where.
	empty, symbol struct {
		is float64
		at string
	}
	symbols int
}

// learnSizes measures the sizes by which boards are found, and how much symbols show. What no
// lesson shows is missing.
func learnSizes(p *calibrations.Profile, lessons []look.Lesson) (missing []string, err error) {
	var v survey
	for _, l := range lessons {
		v.line = append(v.line, l.LineWidth)
		for at := range l.Panel.Points() {
			v.place(l, at)
		}
	}
	// Of a look that draws lines hollow that is so of most.
	if len(v.torn) > 0 && 10*len(v.torn) < v.whole {
		return nil, fmt.Errorf("no line is seen at %s, where the truth has one: a gap that it lacks, or a line that strays; correct it or leave that picture out", v.torn[0])
	}
	if v.symbols > 0 && v.empty.is == v.symbol.is {
		return nil, fmt.Errorf("a symbol at %s shows less (%.2f) than what is none at %s (%.2f): see whether the truth has both as they are shown; else the look cannot be told by that", v.symbol.at, v.symbol.is, v.empty.at, v.empty.is)
	}
	if v.symbols > 0 { // between them the templates tell
		p.Learned.Divides[look.DivideSymbol] = calibrations.Range{shape.Round3(min(v.empty.is, v.symbol.is)), shape.Round3(max(v.empty.is, v.symbol.is))}
	}
	for _, seen := range []struct {
		what string
		n    int
	}{{"start", len(v.start)}, {"cap", len(v.caps)}, {"break", len(v.gaps)}, {"dot", v.dots}, {"symbol", v.symbols}} {
		if seen.n == 0 {
			missing = append(missing, seen.what)
		}
	}
	widened(v.line, 0.02, 0.6, &p.Board.Line)
	widened(v.start, 0.8, 5, &p.Board.Start)
	widened(v.caps, 0.5, 5, &p.Board.Cap)
	widened(v.gaps, 0.02, 0.9, &p.Board.Gap)
	return missing, nil
}

// place notes what one place shows.
func (v *survey) place(l look.Lesson, at image.Point) {
	q := l.Panel.At(at)
	where := fmt.Sprintf("%s of %s", solve.PlaceName(at), l.Name)
	if q.Dot.On {
		v.dots++
	}
	switch {
	case witness.IsCell(at):
		shows := l.Model.Cells.CellAt(at).Strong / l.Contrast()
		if q.Kind == witness.NoSymbol && shows > v.empty.is {
			v.empty.is, v.empty.at = shows, where
		}
		if q.Kind != witness.NoSymbol {
			if v.symbols++; v.symbols == 1 || shows < v.symbol.is {
				v.symbol.is, v.symbol.at = shows, where
			}
		}
		return
	case q.Start:
		v.start = append(v.start, l.Model.Lines.Radius[at])
		return
	case witness.IsEdge(at):
		v.edge(l, at, where)
	}
	if q.IsEnd() && q.Gap == witness.Whole {
		for _, seen := range l.Model.Lines.CapViews(at) {
			if seen.Dir == q.Cap {
				v.caps = append(v.caps, seen.Own())
			}
		}
	}
}

// edge notes how much of an edge is gone.
func (v *survey) edge(l look.Lesson, at image.Point, where string) {
	q := l.Panel.At(at)
	seen := l.Model.Lines.EdgeView(at, l.Model.Lines.Clear)
	if q.Gap == witness.Broken {
		v.gaps = append(v.gaps, seen.Share*seen.Length)
	}
	if q.Gap == witness.Whole && !q.Dot.On {
		if v.whole++; seen.Depth > view.Nearly {
			v.torn = append(v.torn, where)
		}
	}
}

// widened sets a range to a quarter more than some sizes each way, within bounds. Of
// a break that is only drawn thinner nothing is gone.
func widened(sizes []float64, least, most float64, to *calibrations.Range) {
	sizes = slices.DeleteFunc(sizes, func(v float64) bool { return v <= least })
	if len(sizes) > 0 {
		*to = calibrations.Range{shape.Round3(max(least, slices.Min(sizes)*0.75)), shape.Round3(min(most, slices.Max(sizes)*1.25))}
	}
}

// learnDots notes the colours of the dots of each line.
func learnDots(p *calibrations.Profile, lessons []look.Lesson) {
	for _, l := range lessons {
		for at := range l.Panel.Points() {
			if d := l.Panel.At(at).Dot; d.On {
				of := &p.Learned.Dots[d.Line]
				if c := string(colour.Hex(l.Model.Lines.DotColour(at))); !slices.Contains(*of, c) {
					*of = append(*of, c)
				}
			}
		}
	}
}
