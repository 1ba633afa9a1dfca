package colour

import (
	"fmt"
	"image"
	"math"
	"slices"
	"strconv"
	"strings"

	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/witness/decide"
	"onlooker/vision/witness/view"
)

// OddlyColoured says which symbol has another's colour that none of its kind has:
// see Kind.OwnColour.
func OddlyColoured(p *witness.Panel, cells []image.Point) error {
	kinds := map[witness.Colour]witness.Kind{}
	for _, at := range cells {
		if sym := p.At(at).Symbol; sym.Kind.OwnColour() {
			if k, ok := kinds[sym.Colour]; ok && k != sym.Kind {
				return decide.OddColour.At(at, sym.Kind.Called(), k.Called())
			}
			kinds[sym.Colour] = sym.Kind
		}
	}
	return nil
}

// Bright is how bright lines or cells are, whichever are brighter.
func Bright(s *view.View) float64 {
	a, b := s.Board.Ink, s.Board.Paper
	return max(a[0], a[1], a[2], b[0], b[1], b[2])
}

// A Thinner says of one symbol's colour and another's what the cell's colour, which
// shows through thin parts, may do to the first.
type Thinner struct {
	Mixed func(i, j int) bool       // may it be the other's, mixed with the cell's?
	Paled func(i, j int) vision.RGB // what is nearest to it of what would be seen of the other's
	Lit   func(i, j int) vision.RGB // the other's as it would be in the first's cell; may be nil
}

// InLight is what a colour on one ground would be in the light that falls on another, as the
// ground's own tells it: each channel is as much brighter. Of one that is hardly seen that
// cannot be told: it is as much brighter as the others.
func InLight(c, under, there vision.RGB) (out vision.RGB) {
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

// GreyAndHue is the mean of a colour's channels, and what they are beside it.
func GreyAndHue(c vision.RGB) (grey float64, hue vision.RGB) {
	grey = (c[0] + c[1] + c[2]) / 3
	return grey, c.Sub(vision.RGB{grey, grey, grey})
}

func Hex(c vision.RGB) witness.Colour {
	return witness.Colour(fmt.Sprintf("#%02x%02x%02x", int(c[0]+0.5), int(c[1]+0.5), int(c[2]+0.5)))
}

// ColourStep is how far two colours are from each other, of 255. Reflections and haze
// add light of all colours to one more than to another: what differs in grey counts
// less than what differs in hue.
func ColourStep(a, b vision.RGB) float64 {
	grey, hue := GreyAndHue(a.Sub(b))
	return math.Sqrt(hue.Dot(hue) + 3*0.6*0.6*grey*grey)
}

// ColourSteps are by how much of a board's brightest colour two differ that are surely
// one, as likely one as two, and surely two.
type ColourSteps struct{ Alike, Divide, Clear float64 }

// one and two are how sure it is that two colours that are so far apart are one, or two.
func (s ColourSteps) one(d float64) float64 { return view.Sure(d, s.Divide, s.Alike) }
func (s ColourSteps) two(d float64) float64 { return view.Sure(d, s.Divide, s.Clear) }

// UsualSteps: of one colour to 0.17 was seen on the game's panels, of two 0.29 and
// more; a yellow and an orange of a web page are 0.27 apart. In doubt is what is 0.18 to 0.26
// apart. With hardly for alike that is 0.17 to 0.26, and two more of 1,341 transformed captures
// and three of 1,392 pictures of looks of which nothing is known are in doubt.
func UsualSteps() ColourSteps {
	return ColourSteps{Alike: view.Faintly, Divide: view.Slightly, Clear: 0.5}
}

// A palette is the colours of symbols, some of which are one.
type palette struct {
	cols       []vision.RGB
	steps      func(i, j int) ColourSteps
	confidence float64
	scale      float64 // of its brightest
	group      []int   // of each colour: equal for one colour
	thin       *Thinner
}

// apart is how far two colours are from each other.
func (p *palette) apart(i, j int) float64 { return ColourStep(p.cols[i], p.cols[j]) / p.scale }

// atMost is how far they may be: where they are not surely two it may be light by which they
// differ.
func (p *palette) atMost(i, j int) float64 {
	d := p.apart(i, j)
	if p.thin != nil && p.thin.Lit != nil && p.steps(i, j).two(d) < p.confidence {
		d = min(d, ColourStep(p.cols[i], p.thin.Lit(i, j))/p.scale, ColourStep(p.cols[j], p.thin.Lit(j, i))/p.scale)
	}
	return beforeCut(p.cols[i], p.cols[j]) * d
}

// beforeCut is by how many times two colours may have been further from each other than
// they are seen. Too bright for the picture, they are nearer to each other than they were,
// the more so the more of either was cut off.
func beforeCut(a, b vision.RGB) float64 {
	d := 1.0
	for k := range a {
		if max(a[k], b[k]) > NearWhite {
			d += 0.5
		}
	}
	return d
}

// grouped makes groups of colours that are surely one, each with one of its own.
func grouped(cols []vision.RGB, brightest, confidence float64, steps func(i, j int) ColourSteps, thin *Thinner, told sharing) *palette {
	p := &palette{cols: cols, steps: steps, confidence: confidence, scale: brightest, group: make([]int, len(cols)), thin: thin}
	for i, c := range cols {
		p.scale = max(p.scale, c[0], c[1], c[2])
		p.group[i] = i
	}
	for i := range cols {
		for j := range i {
			d := p.atMost(i, j)
			if is := told(i, j); is == sharedByBoth || is != sharedByNeither && d < steps(i, j).Divide && steps(i, j).one(d) >= confidence {
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
		n := Hex(vision.MedianRGB(v))
		for i, of := range p.group {
			if of == g {
				names[i] = n
			}
		}
	}
	return names
}

// Cluster names the colours of symbols: equal names for one colour. Colours
// are told apart within the panel: by steps of a fifth of its brightest, which
// is at least as bright as the lines and cells. It says how sure it is, and
// refuses what is less sure than confidence, and what thin, where there is one, says
// may be otherwise.
func Cluster(at []image.Point, cols []vision.RGB, brightest, confidence float64, steps ColourSteps, thin *Thinner) ([]witness.Colour, float64, error) {
	return ClusterTold(at, cols, brightest, confidence, func(int, int) ColourSteps { return steps }, thin, func(int, int) shared { return sharedUnknown })
}

// ClusterTold is cluster where of some it is known whether they are one, and each two have steps of
// their own.
func ClusterTold(at []image.Point, cols []vision.RGB, brightest, confidence float64, steps func(i, j int) ColourSteps, thin *Thinner, told sharing) ([]witness.Colour, float64, error) {
	p := grouped(cols, brightest, confidence, steps, thin, told)
	spread := p.spreads()
	// What lies between two groups, each of which is seen at several places alike, is
	// no light on one symbol.
	two := func(i, j int) float64 {
		d, within := p.apart(i, j), max(spread[p.group[i]], spread[p.group[j]])
		if d < steps(i, j).Divide || within == 1 {
			return steps(i, j).two(d)
		}
		return max(steps(i, j).two(d), view.Sure(d, 2*within, 4*within))
	}
	least := 1.0
	for i := range cols {
		alone, one := true, 0.0
		for j := range cols {
			merged, is := p.group[i] == p.group[j], told(i, j)
			switch {
			case i == j, is == sharedByNeither && !merged:
			case is == sharedByBoth:
				alone, one = false, 1
			case merged && is != sharedUnknown,
				!merged && (two(i, j) < confidence || thin != nil && thin.Mixed(i, j)),
				merged && thin != nil && steps(i, j).one(beforeCut(cols[i], cols[j])*ColourStep(cols[i], thin.Paled(i, j))/p.scale) < confidence:
				return nil, 0, decide.OneColour.At(at[i], Hex(cols[i]), Hex(cols[j]))
			case !merged:
				least = min(least, two(i, j))
			default:
				alone, one = false, max(one, steps(i, j).one(p.atMost(i, j))) // within a group colours may go over into each other in steps
			}
		}
		if !alone {
			least = min(least, one)
		}
	}
	return p.names(), least, nil
}

// NearWhite is what is cut off in a picture at the least: of 255, after blur and JPEG.
const NearWhite = 244

// Greyish tells whether a colour's channels are alike to a third.
func Greyish(c vision.RGB) bool {
	return max(c[0], c[1], c[2])-min(c[0], c[1], c[2]) < view.Clearly*max(c[0], c[1], c[2])
}

// A Formed is what is drawn alike: a kind, of so many, or all pieces of a kind.
type Formed struct {
	Kind  string
	Count int
}

// ParseRGB is the colour that #rrggbb writes.
func ParseRGB(hex string) (vision.RGB, bool) {
	v, err := strconv.ParseUint(strings.TrimPrefix(hex, "#"), 16, 32)
	if err != nil || len(hex) != 7 {
		return vision.RGB{}, false
	}
	return vision.RGB{float64(v >> 16), float64(v >> 8 & 255), float64(v & 255)}, true
}
