package line

import (
	"cmp"
	"image"
	"math"
	"slices"

	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/witness/colour"
	"onlooker/vision/witness/decide"
	"onlooker/vision/witness/pointer"
	"onlooker/vision/witness/view"
)

// IsDot tells whether a dot lies at a place of the lines, and its colour. It is true
// with an error where that cannot be told, and false with one where nothing can be told
// of any place.
func (s *Reader) IsDot(p *witness.Panel, at image.Point, starts []image.Point) (vision.RGB, bool, error) {
	col := s.Patch(float64(at.X), float64(at.Y), 0.5*s.LineWidth)
	lead := s.DotAt(at, p.At(at).Start)
	if p.At(at).Start && lead > 0 && col.Dist(s.GroundBeside(at)) < s.Lines.Model.Odds.LeastLine*s.Contrast() {
		return col, true, decide.StartMiddle.At(at, "a dot")
	}
	// A start circle shines, and so does the line in it.
	if p.At(at).Start {
		// What is in its middle need not have a dot's size to be none of the lines' colour.
		own := lead > 0 || col.Dist(s.LineColourAt(at)) > s.Lines.Model.Odds.OnStart*s.Contrast()
		if !own || s.whitish(at, col) || !s.bare(at, col) && !s.hollow(at, col) {
			return col, false, nil
		}
		lead = max(lead, s.Lines.Model.Odds.Sure)
	}
	if none := s.Lines.Model.Odds.SureLead(-lead); none >= s.Profile.Board.Confidence {
		s.Lower(none)
		return col, false, nil
	}
	if s.Pulsed(starts, at, col) {
		return col, false, nil
	}
	if pointer.Hides(s.View, at, nodeReach/2) {
		return col, true, decide.Hidden.At(at, "the cursor")
	}
	err := s.Told(at, s.Lines.Model.Odds.SureMark(lead), decide.DotOrNone)
	if err == nil && !s.SurelyOwn() {
		err = s.leftOver(at)
	}
	// There is one pointer at most: where it was found elsewhere, the dot is white.
	if err == nil && len(s.Discs) == 0 && s.whitish(at, col) {
		err = decide.Hidden.At(at, "what may be the cursor")
	}
	return col, true, err
}

// leftOver doubts what was taken for a dot and explains so little that it may be what
// compression leaves, or something else that the look does not know.
func (s *Reader) leftOver(at image.Point) error {
	least := s.Lines.Model.Odds.Explains
	if witness.IsNode(at) {
		least = s.Lines.Model.Odds.NodeExplains
	}
	return decide.Unexplained.Under(at, s.Lines.Beliefs[at].explained, least, "a dot")
}

// StartsOrDots doubts what was taken for a dot on a start circle where all circles have
// one, or none lies elsewhere that has its colour, and a break under one: such a circle's
// middle may have another colour than the lines.
func (s *Reader) StartsOrDots(p *witness.Panel, dots []image.Point, cols []vision.RGB) error {
	bare := slices.ContainsFunc(slices.Collect(p.Points()), func(at image.Point) bool {
		return p.At(at).Start && !slices.Contains(dots, at)
	})
	for at := range p.Points() {
		if p.At(at).Start && p.At(at).Gap == witness.Broken {
			if err := s.Doubt(decide.StartMiddle.At(at, "a break")); err != nil {
				return err
			}
		}
	}
	for i, at := range dots {
		if !p.At(at).Start {
			continue
		}
		like := false
		for k, o := range dots {
			like = like || !p.At(o).Start && colour.ColourStep(cols[i], cols[k]) <= view.Tuned.OffColour*s.Contrast()
		}
		if !bare || !like {
			if err := s.Doubt(decide.StartMiddle.At(at, "a dot")); err != nil {
				return err
			}
		}
	}
	return nil
}

// BreaksOrDots doubts what was taken for a break and is more like a dot that is seen
// elsewhere than like any mixture of the lines and what lies beside them.
func (s *Reader) BreaksOrDots(p *witness.Panel, dotColours []vision.RGB) error {
	for at := range p.Points() {
		if p.At(at).Gap != witness.Broken {
			continue
		}
		// A quarter: within a dot, which is about as wide as the line.
		c, ink := s.Patch(float64(at.X), float64(at.Y), 0.25*s.LineWidth), s.LineColourAt(at)
		off := min(c.OffMix(ink, s.GroundBeside(at)), c.OffMix(ink, s.Board.Paper))
		if slices.ContainsFunc(dotColours, func(d vision.RGB) bool { return c.Dist(d) < off }) {
			if err := s.Doubt(decide.DotOrBreak.At(at)); err != nil {
				return err
			}
		}
	}
	return nil
}

// whitish tells whether a colour on a line is what the pointer's white veil
// makes of the line: greyer and brighter than it.
func (s *Reader) whitish(at image.Point, c vision.RGB) bool {
	if s.Profile.Board.Cursor.Alpha == 0 {
		return false
	}
	ink := s.LineColourAt(at)
	// Less than a quarter of the least opacity that was seen, 0.25, is no veil.
	rise := c.Sub(ink)
	return min(rise[0], rise[1], rise[2]) > view.Hardly*(255-max(ink[0], ink[1], ink[2])) && (colour.Greyish(c) || colour.Greyish(rise))
}

// bare tells whether a start circle has the lines' colour about its middle: no
// line has begun there, and no glow lies on it.
func (s *Reader) bare(at image.Point, c vision.RGB) bool {
	ink := s.LineColourAt(at)
	r := 2 * 0.85 * s.LineWidth // half-cells: beyond a dot, within the circle
	for k := range 8 {
		sin, cos := math.Sincos(float64(k) * math.Pi / 4)
		if s.At(float64(at.X)+r*cos, float64(at.Y)+r*sin).Dist(ink) > view.Clearly*c.Dist(ink) {
			return false
		}
	}
	return true
}

// hollow tells whether a start circle is brighter about its middle than there: light on it
// has its own middle, and a line that is drawn all of it.
func (s *Reader) hollow(at image.Point, c vision.RGB) bool {
	var round []vision.RGB
	r := 2 * 0.75 * s.LineWidth // half-cells: within the circle
	for k := range 8 {
		sin, cos := math.Sincos(float64(k) * math.Pi / 4)
		round = append(round, s.At(float64(at.X)+r*cos, float64(at.Y)+r*sin))
	}
	m := vision.MedianRGB(round)
	return m[0]+m[1]+m[2] > c[0]+c[1]+c[2] && m.Dist(c) > s.Lines.Model.Odds.OnStart*s.Contrast()
}

// Pulsed tells whether what brightens a place is the ring of a start nearby: on captures that
// is 0.28 brighter in all, a dot of another colour in a random look 0.4 darker in one channel.
func (s *Reader) Pulsed(starts []image.Point, at image.Point, c vision.RGB) bool {
	ink := s.LineColourAt(at)
	if c[0]+c[1]+c[2] < ink[0]+ink[1]+ink[2] || min(c[0]-ink[0], c[1]-ink[1], c[2]-ink[2]) < -view.Faintly*s.Contrast() {
		return false
	}
	for _, o := range starts {
		r := math.Hypot(float64(at.X-o.X), float64(at.Y-o.Y)) / 2
		if ring := s.Ring(o); ring > 0 && math.Abs(r-ring) < 0.25 {
			return true
		}
	}
	return false
}

// DotsByLine puts the dots on the panel. Where there are two lines a coloured dot
// belongs to one of them: the bluer to the player's. One of no clear colour is
// plain where the look is strange and there are dots of either line beside it: in
// the game plain ones are dark, and what has no colour light may lie on.
func DotsByLine(s *view.View, p *witness.Panel, at []image.Point, cols []vision.RGB, strange bool) error {
	for i, d := range at {
		p.At(d).Dot = witness.Dot{On: true, Colour: colour.Hex(cols[i])}
	}
	if p.Symmetry == witness.NoSymmetry {
		return nil
	}
	if odd, why := whose(s, p, at, cols, strange); why != "" {
		return decide.DotsLine.At(at[odd], why)
	}
	return nil
}

// whose tells which line each dot is for, or why the line of one of them is open.
func whose(s *view.View, p *witness.Panel, at []image.Point, cols []vision.RGB, strange bool) (odd int, why string) {
	coloured, pale := coloured(s, at, cols)
	if len(pale) > 0 && (!strange || len(coloured) < 2) {
		return pale[0], "it has no clear colour"
	}
	if len(coloured) > 0 {
		if odd, why := twoLines(p, at, cols, coloured); why != "" {
			return odd, why
		}
	}
	of := coloured
	if strange { // whose dots for either line may have any colour
		of = make([]int, len(at))
		for i := range of {
			of[i] = i
		}
	}
	// A third colour is that of dots for either line.
	within, between := 0.0, math.Inf(1)
	for k, i := range of {
		for _, j := range of[:k] {
			if d := colour.ColourStep(cols[i], cols[j]); p.At(at[i]).Dot.Line == p.At(at[j]).Dot.Line {
				within = max(within, d)
			} else {
				between = min(between, d)
			}
		}
	}
	apart := view.Tuned.OffColour * s.Contrast()
	// On captures 0.09 of it at most, where dots for either line have their own colour 0.35.
	if within > view.Slightly*between || strange && (within > apart || between < apart) {
		return of[0], "there are three colours"
	}
	return 0, ""
}

// coloured are the dots that have a clear colour, and the pale ones, whose colour is none.
func coloured(s *view.View, at []image.Point, cols []vision.RGB) (coloured, pale []int) {
	for i, c := range cols {
		hi, lo := max(c[0], c[1], c[2]), min(c[0], c[1], c[2])
		ink := s.LineColourAt(at[i])
		// A plain dot is darker than the line.
		if hi < view.Mostly*max(ink[0], ink[1], ink[2]) {
			continue
		}
		// A pale colour too bright for the picture turns white.
		if hi-lo < view.Slightly*hi && hi < colour.NearWhite {
			pale = append(pale, i)
			continue
		}
		coloured = append(coloured, i)
	}
	return coloured, pale
}

// twoLines tells which line each coloured dot is for: hue alone tells the two colours apart,
// how much more blue than red.
func twoLines(p *witness.Panel, at []image.Point, cols []vision.RGB, coloured []int) (odd int, why string) {
	blueness := func(i int) float64 {
		c := cols[i]
		return (c[2] - c[0]) / max(c[0], c[1], c[2])
	}
	slices.SortFunc(coloured, func(a, b int) int { return cmp.Compare(blueness(b), blueness(a)) })
	cut, widest := -1, 0.0
	for k := 1; k < len(coloured); k++ {
		if d := blueness(coloured[k-1]) - blueness(coloured[k]); d > widest {
			cut, widest = k, d
		}
	}
	if widest < view.Clearly {
		return coloured[0], "all are of one colour"
	}
	for k, i := range coloured {
		if k > 0 && k != cut && blueness(coloured[k-1])-blueness(i) > 0.5*widest {
			return i, "there are three colours"
		}
		p.At(at[i]).Dot.Line = witness.OwnLine
		if k >= cut {
			p.At(at[i]).Dot.Line = witness.OtherLine
		}
	}
	return 0, ""
}

// OneLine doubts dots for one line that are of two colours: where they are, something
// else was taken for one, or for the lines.
func OneLine(s *view.View, at []image.Point, cols []vision.RGB) error {
	for i, c := range cols {
		for _, o := range cols[:i] {
			if colour.ColourStep(c, o) > view.Tuned.OffColour*s.Contrast() {
				return decide.DotsLine.At(at[i], "there are two colours, and one line")
			}
		}
	}
	return nil
}
