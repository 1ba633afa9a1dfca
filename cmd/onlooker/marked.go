package main

import (
	"fmt"
	"image"

	"onlooker/cmd/internal/agent"
	"onlooker/vision/picture"
)

// marked is a screenshot with answers drawn on it.
type marked struct {
	frame  *image.RGBA // nil: the input was no picture
	shapes []picture.Shape
	boards int // with an answer
}

// add draws the answer of a board that was read in a picture. A pillar shows one
// side of its answer only, and is left as it is.
func (m *marked) add(o outcome) {
	if o.board.frame == nil {
		return
	}
	m.frame = o.board.frame
	for _, s := range o.lines {
		if s.solution != nil && o.board.reading.Err == nil && !o.board.reading.Board.Pillar {
			m.shapes = append(m.shapes, agent.Marks(o.board.reading, s.solution)...)
			m.boards++
		}
	}
}

// write writes the picture; without an answer there is none.
func (m *marked) write(name string) error {
	switch {
	case m.frame == nil:
		return usagef("--picture: the input is no picture")
	case m.boards == 0:
		return fmt.Errorf("--picture: no answer to draw, %s is not written", name)
	}
	out := image.NewRGBA(image.Rectangle{Max: m.frame.Rect.Size()})
	for y := range out.Rect.Dy() {
		from := m.frame.PixOffset(m.frame.Rect.Min.X, m.frame.Rect.Min.Y+y)
		copy(out.Pix[y*out.Stride:], m.frame.Pix[from:from+4*out.Rect.Dx()])
	}
	picture.Draw(out, m.shapes, picture.Point{}, 1)
	return writePicture(name, out)
}
