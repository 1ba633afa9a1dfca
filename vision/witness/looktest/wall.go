package looktest

import (
	"image"
	"image/color"
	"image/draw"

	witness "onlooker/solve/witness/board"
	drawing "onlooker/vision/picture/witness"
)

// OnWall is a picture of a panel in the middle of a plain wall.
func OnWall(p *witness.Panel, s drawing.Style, pitch float64) image.Image {
	board := drawing.Draw(p, s, pitch)
	m := image.NewRGBA(image.Rect(0, 0, board.Rect.Dx()+160, board.Rect.Dy()+120))
	draw.Draw(m, m.Rect, image.NewUniform(color.NRGBA{s.Around.R / 2, s.Around.G / 2, s.Around.B / 2, 255}), image.Point{}, draw.Src)
	draw.Draw(m, board.Rect.Add(image.Pt(80, 60)), board, image.Point{}, draw.Over)
	return m
}
