package solving

import (
	"fmt"
	"image"
	"image/png"
	"io"

	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/misuse"
	"onlooker/cmd/internal/program"
	"onlooker/cmd/internal/store"
	"onlooker/cmd/internal/whole"
	"onlooker/vision/picture"
)

// marked is a screenshot with answers drawn on it.
type marked struct {
	frame  *image.RGBA // nil: no board was found
	input  bool        // there was a picture
	shapes []picture.Shape
	boards int // with an answer
}

// add draws the answer of a board that was read in a picture. A pillar shows one
// side of its answer only, and is left as it is.
func (m *marked) add(o outcome) {
	m.input = m.input || o.board.Source == store.Picture
	if o.board.Frame == nil {
		return
	}
	m.frame = o.board.Frame
	for _, s := range o.lines {
		if s.solution != nil && o.board.Reading.Err == nil && !o.board.Reading.Board.Pillar {
			m.shapes = append(m.shapes, see.Marks(o.board.Reading, s.solution)...)
			m.boards++
		}
	}
}

// write writes the picture; without an answer there is none.
func (m *marked) write(name string, to io.Writer) error {
	switch {
	case m.frame == nil && m.input:
		return fmt.Errorf("--picture: no board is found in the picture, %s is not written", name)
	case m.frame == nil:
		return misuse.Errorf("--picture: the input is no picture")
	case m.boards == 0:
		return fmt.Errorf("--picture: no answer to draw, %s is not written", name)
	}
	out := image.NewRGBA(image.Rectangle{Max: m.frame.Rect.Size()})
	for y := range out.Rect.Dy() {
		from := m.frame.PixOffset(m.frame.Rect.Min.X, m.frame.Rect.Min.Y+y)
		copy(out.Pix[y*out.Stride:], m.frame.Pix[from:from+4*out.Rect.Dx()])
	}
	picture.Draw(out, m.shapes, picture.Point{}, 1)
	if name == program.Stream {
		return png.Encode(to, out)
	}
	return whole.WritePicture(name, out)
}
