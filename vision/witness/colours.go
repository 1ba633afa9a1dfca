package witness

import (
	"fmt"
	"image"
	"math"
	"slices"

	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/view"
)

// colours names the colours of the symbols in some cells.
func (s *cellReader) colours(p *witness.Panel, cells []image.Point, cols []vision.RGB, stains []*stain) error {
	names, certain, err := cluster(cells, cols, bright(s.lineReader.View), s.Profile.Board.Confidence, usualSteps(), &thinner{
		mixed: func(i, j int) bool { return s.mixed(cells[i], p.At(cells[i]).Symbol, cols[i], cols[j]) },
		paled: func(i, j int) vision.RGB {
			return s.paled(cells[i], p.At(cells[i]).Symbol, p.At(cells[j]).Symbol, cols[i], cols[j])
		},
		lit: func(i, j int) vision.RGB {
			return inLight(cols[j], s.Ground(cells[j].X, cells[j].Y), s.Ground(cells[i].X, cells[i].Y))
		},
	})
	if err != nil {
		var told bool
		if names, certain, told = s.unmixedColours(p, cells, cols, stains); !told {
			return s.Doubt(view.SameColours, image.Point{}, err)
		}
	}
	s.Lower(certain)
	for i, at := range cells {
		p.At(at).Symbol.Colour = names[i]
	}
	at, err := oddlyColoured(p, cells)
	return s.Doubt(view.APlace, at, err)
}

// oddlyColoured says which symbol has another's colour that none of its kind has:
// see Kind.OwnColour.
func oddlyColoured(p *witness.Panel, cells []image.Point) (image.Point, error) {
	kinds := map[witness.Colour]witness.Kind{}
	for _, at := range cells {
		if sym := p.At(at).Symbol; sym.Kind.OwnColour() {
			if k, ok := kinds[sym.Colour]; ok && k != sym.Kind {
				return at, view.Unsure(at, "%s in the colour of %s", sym.Kind.Called(), k.Called())
			}
			kinds[sym.Colour] = sym.Kind
		}
	}
	return image.Point{}, nil
}

// bright is how bright lines or cells are, whichever are brighter.
func bright(s *view.View) float64 {
	a, b := s.Board.Ink, s.Board.Paper
	return max(a[0], a[1], a[2], b[0], b[1], b[2])
}

// A thinner says of one symbol's colour and another's what the cell's colour, which
// shows through thin parts, may do to the first.
type thinner struct {
	mixed func(i, j int) bool       // may it be the other's, mixed with the cell's?
	paled func(i, j int) vision.RGB // what is nearest to it of what would be seen of the other's
	lit   func(i, j int) vision.RGB // the other's as it would be in the first's cell; may be nil
}

// inLight is what a colour on one ground would be in the light that falls on another, as the
// ground's own tells it: each channel is as much brighter. Of one that is hardly seen that
// cannot be told: it is as much brighter as the others.
func inLight(c, under, there vision.RGB) (out vision.RGB) {
	var times []float64
	seen := func(k int) bool { return min(under[k], there[k]) > 40 } // of 255: less is as much haze as light
	for k := range c {
		if seen(k) {
			times = append(times, there[k]/under[k])
		}
	}
	if times == nil {
		return c
	}
	for k := range c {
		by := vision.Median(times)
		if seen(k) {
			by = there[k] / under[k]
		}
		out[k] = min(255, c[k]*by)
	}
	return out
}

// part is how wide the thinnest part of a symbol is, in pixels of the frame.
func (s *cellReader) part(sym witness.Symbol) float64 {
	style := drawing.Style{Symbols: s.Sizes, Forms: s.Forms}
	return s.Board.ScreenPitch * style.Thinnest(sym.Kind)
}

// paled is the nearest to a symbol's colour that would be seen if it were that of
// another with wider parts, mixed with the cell's; of one with narrower parts its own.
func (s *cellReader) paled(at image.Point, sym, other witness.Symbol, c, others vision.RGB) vision.RGB {
	width := s.part(sym)
	if width >= s.part(other) {
		return c
	}
	// Of the middle of a strip that half a pixel blurs, as in the sharpest picture, so
	// much is its own colour.
	most := math.Erf(width / 2 / (0.5 * math.Sqrt2))
	paper := s.UnlitGround(at.X, at.Y)
	axis := others.Sub(paper)
	share := min(most, c.Sub(paper).Dot(axis)/max(1, axis.Dot(axis)))
	return paper.Add(vision.RGB{share * axis[0], share * axis[1], share * axis[2]})
}

// mixed tells whether the colour of a symbol may be another with some of the
// cell's in it: thin parts are all border.
func (s *cellReader) mixed(at image.Point, sym witness.Symbol, c, other vision.RGB) bool {
	// 5 pixels: blur and the JPEG's halved colours reach two into each side and more.
	if s.part(sym) > 5 {
		return false
	}
	// A compressed picture mixes lightness and hue each for itself. 0.35: of the core
	// of the thinnest part so much is its own colour.
	paper := s.UnlitGround(at.X, at.Y)
	var least vision.RGB
	for k := range least {
		least[k] = paper[k] + 0.35*(other[k]-paper[k])
	}
	grey, hue := greyAndHue(c)
	otherGrey, otherHue := greyAndHue(other)
	leastGrey, leastHue := greyAndHue(least)
	between := max(min(leastGrey, otherGrey)-grey, grey-max(leastGrey, otherGrey))
	near := 0.15 * max(bright(s.lineReader.View), c[0], c[1], c[2], other[0], other[1], other[2])
	return between < near && hue.OffMix(otherHue, leastHue) < near
}

// greyAndHue is the mean of a colour's channels, and what they are beside it.
func greyAndHue(c vision.RGB) (grey float64, hue vision.RGB) {
	grey = (c[0] + c[1] + c[2]) / 3
	return grey, c.Sub(vision.RGB{grey, grey, grey})
}

func hex(c vision.RGB) witness.Colour {
	return witness.Colour(fmt.Sprintf("#%02x%02x%02x", int(c[0]+0.5), int(c[1]+0.5), int(c[2]+0.5)))
}

// colourStep is how far two colours are from each other, of 255. Reflections and haze
// add light of all colours to one more than to another: what differs in grey counts
// less than what differs in hue.
func colourStep(a, b vision.RGB) float64 {
	grey, hue := greyAndHue(a.Sub(b))
	return math.Sqrt(hue.Dot(hue) + 3*0.6*0.6*grey*grey)
}

// colourSteps are by how much of a board's brightest colour two differ that are surely
// one, as likely one as two, and surely two.
type colourSteps struct{ alike, divide, clear float64 }

// usualSteps: of one colour to 0.17 was seen on the game's panels, of two 0.29 and
// more; a yellow and an orange of a web page are 0.27 apart. In doubt is what is 0.18 to 0.26
// apart. With hardly for alike that is 0.17 to 0.26, and two more of 1,341 transformed captures
// and three of 1,392 pictures of looks of which nothing is known are in doubt.
func usualSteps() colourSteps {
	return colourSteps{alike: view.Faintly, divide: view.Slightly, clear: 0.5}
}

// A palette is the colours of symbols, some of which are one.
type palette struct {
	cols       []vision.RGB
	steps      colourSteps
	confidence float64
	scale      float64 // of its brightest
	group      []int   // of each colour: equal for one colour
	thin       *thinner
}

// apart is how far two colours are from each other.
func (p *palette) apart(i, j int) float64 { return colourStep(p.cols[i], p.cols[j]) / p.scale }

// atMost is how far they may be: where they are not surely two it may be light by which they
// differ.
func (p *palette) atMost(i, j int) float64 {
	d := p.apart(i, j)
	if p.thin != nil && p.thin.lit != nil && view.Sure(d, p.steps.divide, p.steps.clear) < p.confidence {
		d = min(d, colourStep(p.cols[i], p.thin.lit(i, j))/p.scale, colourStep(p.cols[j], p.thin.lit(j, i))/p.scale)
	}
	return beforeCut(p.cols[i], p.cols[j]) * d
}

// beforeCut is by how many times two colours may have been further from each other than
// they are seen. Too bright for the picture, they are nearer to each other than they were,
// the more so the more of either was cut off.
func beforeCut(a, b vision.RGB) float64 {
	d := 1.0
	for k := range a {
		if max(a[k], b[k]) > nearWhite {
			d += 0.5
		}
	}
	return d
}

// grouped makes groups of colours that are surely one, each with one of its own.
func grouped(cols []vision.RGB, brightest, confidence float64, steps colourSteps, thin *thinner, told sharing) *palette {
	p := &palette{cols: cols, steps: steps, confidence: confidence, scale: brightest, group: make([]int, len(cols)), thin: thin}
	for i, c := range cols {
		p.scale = max(p.scale, c[0], c[1], c[2])
		p.group[i] = i
	}
	for i := range cols {
		for j := range i {
			d := p.atMost(i, j)
			if one, two := told(i, j); one || !two && d < steps.divide && view.Sure(d, steps.divide, steps.alike) >= confidence {
				from, to := p.group[i], p.group[j]
				for k := range p.group {
					if p.group[k] == from {
						p.group[k] = to
					}
				}
			}
		}
	}
	return p
}

// spreads are how far those of each group are from each other; 1 of one alone, for
// which that is not known.
func (p *palette) spreads() []float64 {
	spread := slices.Repeat([]float64{1}, len(p.cols))
	for i := range p.cols {
		for j := range i {
			if to := &spread[p.group[i]]; p.group[i] == p.group[j] {
				if d := p.apart(i, j); d > *to || *to == 1 {
					*to = d
				}
			}
		}
	}
	return spread
}

// names are the names of the colours: of each group the median.
func (p *palette) names() []witness.Colour {
	names := make([]witness.Colour, len(p.cols))
	for g := range p.cols {
		var v []vision.RGB
		for i, of := range p.group {
			if of == g {
				v = append(v, p.cols[i])
			}
		}
		if len(v) == 0 {
			continue
		}
		n := hex(vision.MedianRGB(v))
		for i, of := range p.group {
			if of == g {
				names[i] = n
			}
		}
	}
	return names
}

// cluster names the colours of symbols: equal names for one colour. Colours
// are told apart within the panel: by steps of a fifth of its brightest, which
// is at least as bright as the lines and cells. It says how sure it is, and
// refuses what is less sure than confidence, and what thin, where there is one, says
// may be otherwise.
func cluster(at []image.Point, cols []vision.RGB, brightest, confidence float64, steps colourSteps, thin *thinner) ([]witness.Colour, float64, error) {
	return clusterTold(at, cols, brightest, confidence, steps, thin, func(int, int) (bool, bool) { return false, false })
}

// clusterTold is cluster where of some it is known whether they are one.
func clusterTold(at []image.Point, cols []vision.RGB, brightest, confidence float64, steps colourSteps, thin *thinner, told sharing) ([]witness.Colour, float64, error) {
	p := grouped(cols, brightest, confidence, steps, thin, told)
	spread := p.spreads()
	// What lies between two groups, each of which is seen at several places alike, is
	// no light on one symbol.
	two := func(i, j int) float64 {
		d, within := p.apart(i, j), max(spread[p.group[i]], spread[p.group[j]])
		if d < steps.divide || within == 1 {
			return view.Sure(d, steps.divide, steps.clear)
		}
		return max(view.Sure(d, steps.divide, steps.clear), view.Sure(d, 2*within, 4*within))
	}
	least := 1.0
	for i := range cols {
		nearest := math.Inf(1)
		for j := range cols {
			one := p.group[i] == p.group[j]
			same, other := told(i, j)
			switch {
			case i == j, other && !one:
			case same:
				nearest = 0
			case other:
				return nil, 0, view.Unsure(at[i], "one colour or two: %s and %s", hex(cols[i]), hex(cols[j]))
			case !one && (two(i, j) < confidence || thin != nil && thin.mixed(i, j)),
				one && thin != nil && view.Sure(beforeCut(cols[i], cols[j])*colourStep(cols[i], thin.paled(i, j))/p.scale, steps.divide, steps.alike) < confidence:
				return nil, 0, view.Unsure(at[i], "one colour or two: %s and %s", hex(cols[i]), hex(cols[j]))
			case !one:
				least = min(least, two(i, j))
			default:
				nearest = min(nearest, p.atMost(i, j)) // within a group colours may go over into each other in steps
			}
		}
		if !math.IsInf(nearest, 1) {
			least = min(least, view.Sure(nearest, steps.divide, steps.alike))
		}
	}
	return p.names(), least, nil
}
