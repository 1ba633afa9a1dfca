package learn

import (
	"fmt"
	"image"
	"slices"

	"onlooker/calibrations"
	"onlooker/solve"
	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/witness/colour"
	"onlooker/vision/witness/look"
	"onlooker/vision/witness/shape"
	"onlooker/vision/witness/view"
)

// A divide collects the values of one measure where something is not and where it is.
type divide struct {
	no, yes []float64
	worst   [2]string // where the greatest of the first and the least of the second were
}

func (d *divide) add(v float64, is bool, where string) {
	if is {
		if len(d.yes) == 0 || v < slices.Min(d.yes) {
			d.worst[1] = where
		}
		d.yes = append(d.yes, v)
		return
	}
	if len(d.no) == 0 || v > slices.Max(d.no) {
		d.worst[0] = where
	}
	d.no = append(d.no, v)
}

// A survey is what the places of a look's lessons show of each of the model's measures,
// and of the sizes by which boards are found.
type survey struct {
	of    map[string]*divide // by the measure's name
	line  []float64          // widths, pitches
	start []float64          // how far circles reach, line widths
	caps  []float64          // how far caps reach, line widths
	gaps  []float64          // lengths of breaks, pitches
	// torn are edges that the truth has whole, and that nothing is seen of somewhere, of
	// so many whole ones.
	torn  []string
	whole int
	dots  *look.DotForms
}

// learnDivides measures where each of the model's measures divides, and the ranges
// of sizes by which boards are found.
func learnDivides(p *calibrations.Profile, lessons []look.Lesson) (missing []string, err error) {
	v := survey{of: map[string]*divide{}, dots: learnDotForms(p, lessons)}
	for _, n := range look.DivideNames() {
		v.of[n] = &divide{}
	}
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
	chance := v.chance(lessons)
	for _, name := range look.DivideNames() {
		of := v.of[name]
		if len(of.yes) == 0 {
			if name != look.DivideTint && name != look.DivideMatch { // the same dots
				missing = append(missing, name)
			}
			continue
		}
		between, ok, err := of.between(name, chance[name])
		if err != nil {
			return nil, err
		}
		if ok {
			p.Learned.Divides[name] = between
		}
	}
	widened(v.line, 0.02, 0.6, &p.Board.Line)
	widened(v.start, 0.8, 5, &p.Board.Start)
	widened(v.caps, 0.5, 5, &p.Board.Cap)
	widened(v.gaps, 0.02, 0.9, &p.Board.Gap)
	return missing, nil
}

// chance is by how much a measure of what is and one of what is not there may differ by
// chance of where they were sampled, or of noise, where that is known: of 124 looks one whose
// breaks slant, and leave some of the line everywhere, had 0.001 between whole and broken.
func (v *survey) chance(lessons []look.Lesson) map[string]float64 {
	var pixels []float64 // of a line's width
	for _, l := range lessons {
		pixels = append(pixels, l.LineWidth*l.Board.ScreenPitch)
	}
	return map[string]float64{look.DivideStart: 0.5 / vision.Median(pixels), look.DivideCap: 2 * look.ReachStep, look.DivideBreak: view.Hardly}
}

// place notes what one place shows.
func (v *survey) place(l look.Lesson, at image.Point) {
	q := l.Panel.At(at)
	where := fmt.Sprintf("%s of %s", solve.PlaceName(at), l.Name)
	if witness.IsCell(at) {
		v.of[look.DivideSymbol].add(l.Model.Cells.CellAt(at).Strong/l.Contrast(), q.Kind != witness.NoSymbol, where)
		return
	}
	r := l.Model.Lines.StartReach(at)
	if q.Start {
		v.start = append(v.start, r)
	}
	v.of[look.DivideStart].add(r, q.Start, where) // breaks with bars reach out, too
	if witness.IsEdge(at) && !q.Start {
		v.edge(l, at, where)
	}
	if q.Gap == witness.Whole && !q.Start && (witness.IsEdge(at) || l.Reached(l.Panel, at)) {
		v.of[look.DivideDot].add(l.Model.Lines.DotCore(at).Dist(l.Model.Lines.LineInk(at))/l.Contrast(), q.Dot.On, where)
		tint, _ := l.Model.Lines.Tint(at)
		v.of[look.DivideTint].add(tint, q.Dot.On, where)
		v.of[look.DivideMatch].add(v.dots.Match(l.Model.Places.About(at)), q.Dot.On, where)
	}
	if !q.Start && q.Gap == witness.Whole {
		v.end(l, at, where)
	}
}

// edge notes how much of an edge is gone.
func (v *survey) edge(l look.Lesson, at image.Point, where string) {
	q := l.Panel.At(at)
	seen := l.Model.Lines.EdgeView(at, l.Model.Lines.Clear)
	if q.Gap == witness.Broken {
		v.gaps = append(v.gaps, seen.Share*seen.Length)
	}
	v.of[look.DivideBreak].add(seen.Depth, q.Gap != witness.Whole, where)
	if q.Gap == witness.Whole && !q.Dot.On {
		if v.whole++; seen.Depth > look.UsualDivide(look.DivideBreak)[1] {
			v.torn = append(v.torn, where)
		}
	}
}

// end notes how far the line goes on beyond a place of the border, of an end in its
// cap's direction.
func (v *survey) end(l look.Lesson, at image.Point, where string) {
	q := l.Panel.At(at)
	most := 0.0
	for _, seen := range l.Model.Lines.CapViews(at) {
		if reach := seen.Own(); q.IsEnd() && seen.Dir == q.Cap || !q.IsEnd() {
			most = max(most, reach)
		}
	}
	if q.IsEnd() {
		v.caps = append(v.caps, most)
	}
	if most > 0 {
		v.of[look.DivideCap].add(most, q.IsEnd(), where)
	}
}

// between is the range between the values where something is not and where it is; false
// where the appearances of places tell it, and an error where neither can.
func (d *divide) between(name string, chance float64) (calibrations.Range, bool, error) {
	no, yes := 0.0, slices.Min(d.yes)
	if len(d.no) > 0 {
		no = slices.Max(d.no)
	}
	switch {
	case no < yes && yes <= no+chance:
		return calibrations.Range{}, false, nil
	case no < yes:
		return calibrations.Range{shape.Round3(no), shape.Round3(yes)}, true, nil
	case name != look.DivideSymbol:
		return calibrations.Range{}, false, nil
	case no == yes:
		return calibrations.Range{}, false, fmt.Errorf("a %s at %s shows less (%.2f) than what is none at %s (%.2f): see whether the truth has both as they are shown; else the look cannot be told by that", name, d.worst[1], yes, d.worst[0], no)
	}
	// Between them the templates tell.
	return calibrations.Range{shape.Round3(yes), shape.Round3(no)}, true, nil
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
