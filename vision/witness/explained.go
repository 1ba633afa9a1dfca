package witness

import (
	"image"
	"image/color"
	"math"

	"onlooker/calibrations"
	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/picture"
	drawing "onlooker/vision/picture/witness"
)

// Explained is how much of a flat board's picture a reading of it explains, less what it
// leaves, in pixels of the frame: the panel is drawn in the look's sizes, and what the
// drawing gives one colour is compared with that colour's median. What the ground about the
// board leaves, were there nothing else, is what there is to explain. Of two looks that read
// one picture that with the greater number explains it better. 0 of what goes round a
// cylinder, of which a part is seen.
func Explained(look *calibrations.Profile, b *vision.Board, panel *witness.Panel) float64 {
	if b.Round() || panel.Pillar || b.Flat == nil {
		return 0
	}
	a := explanation{b: b, panel: inRoles(panel), step: max(1, b.Pitch/samplePitch)}
	contrast := b.Ink.Dist(b.Paper)
	most := math.Inf(-1)
	// A look has ranges: of some sizes in them those that explain most.
	for _, share := range []float64{0, 0.5, 1} {
		most = max(most, a.of(look, share, contrast))
	}
	pixel := float64(a.step) * b.ScreenPitch / float64(b.Pitch)
	return most * pixel * pixel
}

// samplePitch is how many samples a pitch has at most in an explanation.
const samplePitch = 48

// aboutWithin is how far beyond the border's lines, in pitches, the ground about a board is a
// part of its picture. A frame of witnesspuzzles.com begins at 0.5, and half of what lies
// within 1.0 of a 3×3 is the page: it was one look's ground about the board, and not the
// other's.
const aboutWithin = 0.4

// What has one colour in a picture, as the colours that it is drawn in.
const (
	groundRole = "#00ff00"
	linesRole  = "#ff0000"
	dotRole    = "#0000ff"
	symbolRole = "#ffffff"
)

// An explanation is of a panel that was read from a board, whose colours are roles.
type explanation struct {
	b     *vision.Board
	panel *witness.Panel
	step  int // pixels of the straightened board to a sample
}

// inRoles is a panel with roles as the colours of its dots and symbols.
func inRoles(panel *witness.Panel) *witness.Panel {
	p := witness.New(panel.Cols, panel.Rows, false)
	for at := range panel.Points() {
		q := *panel.At(at)
		if q.Dot.On {
			q.Dot.Colour = dotRole
		}
		if q.Kind != witness.NoSymbol {
			q.Colour = symbolRole
		}
		*p.At(at) = q
	}
	return p
}

// style is the look's, a share of the way from the least to the greatest of its sizes.
func (a *explanation) style(look *calibrations.Profile, share float64) drawing.Style {
	within := func(r calibrations.Range) float64 { return r[0] + share*(r[1]-r[0]) }
	s := drawing.Style{
		Line: a.b.Line, Gap: within(look.Board.Gap), Start: within(look.Board.Start), Cap: within(look.Board.Cap),
		Margin: float64(a.b.Margin) / float64(a.b.Pitch), Symbols: drawing.SizesOf(look.Symbols),
	}
	s.Ground, s.Lines = s.Ink(groundRole), s.Ink(linesRole)
	return s
}

// of is how much is explained, in samples.
func (a *explanation) of(look *calibrations.Profile, share, contrast float64) float64 {
	style := a.style(look, share)
	shapes := drawing.Shapes(a.panel, nil, style)
	size := a.b.Flat.Rect.Size().Div(a.step)
	drawn := image.NewRGBA(image.Rectangle{Max: size})
	margin := 2 * float64(a.b.Margin) / float64(a.b.Pitch)
	picture.Draw(drawn, shapes, picture.Point{X: -margin, Y: -margin}, float64(a.b.Pitch)/2/float64(a.step))
	// What lies in one cell, or beyond the border, and has one role has one colour; lines
	// have one everywhere.
	type region struct {
		role color.RGBA
		at   image.Point
	}
	regions := make(map[region][]vision.RGB)
	beyond := image.Pt(-1, -1)
	grid := image.Rect(0, 0, a.b.Cols*a.b.Pitch, a.b.Rows*a.b.Pitch)
	about := grid.Inset(-int(aboutWithin * float64(a.b.Pitch)))
	for y := range size.Y {
		for x := range size.X {
			role := drawn.RGBAAt(x, y)
			if role.R%255 != 0 || role.G%255 != 0 || role.B%255 != 0 {
				continue // an edge
			}
			at := image.Pt(x*a.step-a.b.Margin, y*a.step-a.b.Margin)
			switch {
			case role == color.RGBA(style.Lines):
				at = image.Point{}
			case !at.In(about):
				continue // a frame, or what it hangs on
			case !at.In(grid):
				at = beyond
			default:
				at = at.Div(a.b.Pitch)
			}
			r := region{role, at}
			regions[r] = append(regions[r], vision.At(a.b.Flat, float64(x*a.step), float64(y*a.step)))
		}
	}
	ground := vision.MedianRGB(regions[region{color.RGBA(style.Ground), beyond}])
	sum := 0.0
	for _, seen := range regions {
		usual := vision.MedianRGB(seen)
		for _, c := range seen {
			sum += min(1, c.Dist(ground)/contrast) - min(1, c.Dist(usual)/contrast)
		}
	}
	return sum
}
