package witness

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"

	"onlooker/calibrations"
	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/picture"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/look"
	"onlooker/vision/witness/view"
)

// Explain draws a flat board, straightened, as the picture model sees it in a look: on
// each cell in which something stands its two likeliest symbols, with how well their
// templates correlate with it and the outline of the first one's; at each start, cap
// and dot that was read a letter. why is what the reading failed by, nil where panel is
// what was read. nil for pillars.
func Explain(profile *calibrations.Profile, b *vision.Board, panel *witness.Panel, why error, more ...witness.Kind) image.Image {
	if b.Pillar {
		return nil
	}
	m := look.New(b, profile, drawing.FormsOf(profile, more...))
	if panel != nil {
		m.Lines.Covered(panel)
		m.Cells.On(panel)
	}
	e := &explained{View: m.View, model: m, scale: max(1, int(math.Ceil(explainedPitch/float64(b.Pitch))))}
	size := b.Flat.Rect.Size()
	e.out = image.NewRGBA(image.Rect(0, 0, size.X*e.scale, size.Y*e.scale+explainedFoot))
	for y := range size.Y * e.scale {
		for x := range size.X * e.scale {
			e.out.Set(x, y, b.Flat.At(b.Flat.Rect.Min.X+x/e.scale, b.Flat.Rect.Min.Y+y/e.scale))
		}
	}
	for r := range b.Rows {
		for c := range b.Cols {
			e.cell(image.Pt(2*c+1, 2*r+1))
		}
	}
	said := "as " + profile.Name
	if why != nil {
		said += ": " + why.Error()
	}
	if panel != nil {
		e.places(panel)
		said += fmt.Sprintf(": read, %.2f sure", b.Confidence)
	}
	e.write(picture.Point{X: float64(e.out.Rect.Dx()) / 2, Y: float64(e.out.Rect.Dy()) - explainedFoot/2}, said, color.NRGBA{255, 255, 255, 255})
	return e.out
}

// explainedPitch is how many pixels a pitch has at least in an explained board, so that
// two lines of text fit into a cell, and explainedFoot how high the line below it is.
const explainedPitch, explainedFoot = 150, 24

// An explained is a board's picture that is written on.
type explained struct {
	*view.View
	model *look.Model
	out   *image.RGBA
	scale int
}

// place is where a half-cell is in the picture.
func (e *explained) place(x, y float64) picture.Point {
	k := float64(e.Board.Pitch) / 2
	return picture.Point{X: (float64(e.Board.Margin) + k*x) * float64(e.scale), Y: (float64(e.Board.Margin) + k*y) * float64(e.scale)}
}

// write writes a line of text about a place, on a dark ground.
func (e *explained) write(at picture.Point, words string, ink color.NRGBA) {
	line := picture.Image([]picture.Shape{{Kind: picture.Text, Points: []picture.Point{{}}, Width: 13, Words: words, Colour: ink}}, 1)
	to := line.Rect.Sub(line.Rect.Min).Add(image.Pt(int(at.X)-line.Rect.Dx()/2, int(at.Y)-line.Rect.Dy()/2))
	draw.Draw(e.out, to, image.NewUniform(color.NRGBA{0, 0, 0, 170}), image.Point{}, draw.Over)
	draw.Draw(e.out, to, line, line.Rect.Min, draw.Over)
}

// cell explains a cell.
func (e *explained) cell(at image.Point) {
	v := e.model.Cells.CellAt(at)
	if there, sure := e.model.Is(look.DivideSymbol, v.Strong/e.Contrast()); !there && sure == 1 {
		return
	}
	list := e.model.Known.Candidates(v, view.Tuned.Slack)
	if len(list) == 0 {
		return
	}
	e.model.Known.Weigh(list, v)
	best := list[0]
	ink := color.RGBA{255, 0, 160, 255}
	for k, c := range best.Mask.V {
		x, y := k%look.CellSide, k/look.CellSide
		edge := c >= 0.5 && (x == 0 || y == 0 || x == look.CellSide-1 || y == look.CellSide-1 || best.Mask.V[k-1] < 0.5 || best.Mask.V[k+1] < 0.5 || best.Mask.V[k-look.CellSide] < 0.5 || best.Mask.V[k+look.CellSide] < 0.5)
		if !edge {
			continue
		}
		p := e.place(float64(at.X)+2*look.Offset(x+best.Off.X+v.Moved.X), float64(at.Y)+2*look.Offset(y+best.Off.Y+v.Moved.Y))
		draw.Draw(e.out, image.Rect(int(p.X)-1, int(p.Y)-1, int(p.X)+1, int(p.Y)+1), image.NewUniform(ink), image.Point{}, draw.Src)
	}
	for i, c := range list[:min(2, len(list))] {
		words := fmt.Sprintf("%s %.2f", c.Symbol.Kind.Called(), c.Score)
		if c.Score < c.Floor {
			words += ", unknown"
		}
		p := e.place(float64(at.X), float64(at.Y)+0.62)
		p.Y += 16 * (float64(i) - 1)
		e.write(p, words, color.NRGBA{255, 255, 255, 255})
	}
}

// places names the starts, caps, dots and gaps that were read.
func (e *explained) places(panel *witness.Panel) {
	for at := range panel.Points() {
		q := panel.At(at)
		words := ""
		switch {
		case q.Start:
			words = "start"
		case q.IsEnd():
			words = "end"
		case q.Dot.On:
			words = "dot"
		case q.Gap == witness.Broken:
			words = "break"
		}
		if words != "" {
			e.write(e.place(float64(at.X), float64(at.Y)), words, color.NRGBA{255, 255, 0, 255})
		}
	}
}
