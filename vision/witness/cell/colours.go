package cell

import (
	"image"
	"math"

	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/colour"
	"onlooker/vision/witness/decide"
	"onlooker/vision/witness/view"
)

// colours names the colours of the symbols in some cells.
func (s *Reader) colours(p *witness.Panel, cells []image.Point, cols []vision.RGB, stains []*Stain) error {
	names, certain, err := colour.Cluster(cells, cols, colour.Bright(s.View), s.Profile.Board.Confidence, colour.UsualSteps(), &colour.Thinner{
		Mixed: func(i, j int) bool { return s.mixed(cells[i], p.At(cells[i]).Symbol, cols[i], cols[j]) },
		Paled: func(i, j int) vision.RGB {
			return s.paled(cells[i], p.At(cells[i]).Symbol, p.At(cells[j]).Symbol, cols[i], cols[j])
		},
		Lit: func(i, j int) vision.RGB {
			return colour.InLight(cols[j], s.Ground(cells[j].X, cells[j].Y), s.Ground(cells[i].X, cells[i].Y))
		},
	})
	if err != nil {
		var told bool
		if names, certain, told = s.unmixedColours(p, cells, cols, stains); !told {
			return s.Doubt(err)
		}
	}
	s.Lower(certain)
	for i, at := range cells {
		var hidden error
		for j, light := 0, s.light(at); j < len(cols); j++ {
			if names[j] != names[i] && s.lit(cols[i], cols[j], light) {
				hidden = decide.Hidden.At(at, "light that falls on a part of the board")
			}
		}
		if s.veiled(i, names, cols) {
			hidden = decide.Hidden.At(at, "the cursor")
		}
		if p.At(at).Symbol.Colour = names[i]; hidden != nil {
			p.At(at).Symbol = witness.Symbol{}
		}
		if err := s.Doubt(hidden); err != nil {
			return err
		}
	}
	return s.Doubt(colour.OddlyColoured(p, cells))
}

// veiled tells whether a symbol that alone has its colour may have another's under the
// look's cursor, which is seen through: on its middle it passes for a part of the symbol.
func (s *Reader) veiled(i int, names []witness.Colour, cols []vision.RGB) bool {
	const white, near = 255, 15 // seven frames with a cursor laid on a symbol: off by 1 to 2
	alpha := s.Profile.Board.Cursor.Alpha
	if alpha == 0 {
		return false
	}
	found := false
	for j, c := range cols {
		if j != i && names[j] == names[i] {
			return false
		}
		var under vision.RGB
		for k := range under {
			under[k] = (1-alpha)*c[k] + alpha*white
		}
		found = found || j != i && cols[i].Dist(under) < near
	}
	return found
}

// lit tells whether a colour may be another one in light of which half and more falls beside it too.
func (s *Reader) lit(c, other, light vision.RGB) bool {
	axis := vision.RGB{light[0] * (1 - other[0]/255), light[1] * (1 - other[1]/255), light[2] * (1 - other[2]/255)}
	times := c.Sub(other).Dot(axis) / max(1, axis.Dot(axis))
	off := colour.ColourStep(c, other.Add(vision.RGB{times * axis[0], times * axis[1], times * axis[2]}))
	return times > 0 && times <= 2 && off < colour.UsualSteps().Alike*max(colour.Bright(s.View), c[0], c[1], c[2])
}

// light is how much light more falls on a cell, or on one beside it, than on most.
func (s *Reader) light(at image.Point) (most vision.RGB) {
	usual := s.Board.Paper
	for _, d := range append(view.Ways[:], image.Point{}) {
		c := s.Ground(at.X+2*d.X, at.Y+2*d.Y)
		for k := range c {
			c[k] = max(0, c[k]-usual[k]) / max(view.Hardly, 1-usual[k]/255)
		}
		if c[0]+c[1]+c[2] > most[0]+most[1]+most[2] {
			most = c
		}
	}
	return most
}

// part is how wide the thinnest part of a symbol is, in pixels of the frame.
func (s *Templates) part(sym witness.Symbol) float64 {
	style := drawing.Style{Symbols: s.Sizes, Forms: s.Forms}
	return s.Board.ScreenPitch * style.Thinnest(sym.Kind)
}

// paled is the nearest to a symbol's colour that would be seen if it were that of
// another with wider parts, mixed with the cell's; of one with narrower parts its own.
func (s *Reader) paled(at image.Point, sym, other witness.Symbol, c, others vision.RGB) vision.RGB {
	width := s.Templates.part(sym)
	if width >= s.Templates.part(other) {
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
func (s *Reader) mixed(at image.Point, sym witness.Symbol, c, other vision.RGB) bool {
	// 5 pixels: blur and the JPEG's halved colours reach two into each side and more.
	if s.Templates.part(sym) > 5 {
		return false
	}
	// A compressed picture mixes lightness and hue each for itself. 0.35: of the core
	// of the thinnest part so much is its own colour.
	paper := s.UnlitGround(at.X, at.Y)
	var least vision.RGB
	for k := range least {
		least[k] = paper[k] + 0.35*(other[k]-paper[k])
	}
	grey, hue := colour.GreyAndHue(c)
	otherGrey, otherHue := colour.GreyAndHue(other)
	leastGrey, leastHue := colour.GreyAndHue(least)
	between := max(min(leastGrey, otherGrey)-grey, grey-max(leastGrey, otherGrey))
	near := 0.15 * max(colour.Bright(s.View), c[0], c[1], c[2], other[0], other[1], other[2])
	return between < near && hue.OffMix(otherHue, leastHue) < near
}
