// Package overlay draws lines over what the screen shows: in a window of its
// own that lies over all others, lets clicks through, and is not seen in frames
// that capture is asked to take from under it.
package overlay

import (
	"errors"
	"image"
	"image/color"
	"math"

	"onlooker/capture"
	"onlooker/vision/picture"
)

// ErrNone says that this system has no such windows.
var ErrNone = errors.New("overlay: not possible here: --serve shows the answers on a page")

// Colour is what lines have unless they are asked for in another: no board that was seen has
// it.
func Colour() color.RGBA { return color.RGBA{R: 255, G: 43, B: 214, A: 255} }

// Ink is the colour of shapes that are shown, in the overlay's own; what is black is left out.
func Ink() color.NRGBA { return color.NRGBA{R: 255, G: 255, B: 255, A: 255} }

// A label's words and what is round them, in pixels.
const (
	high, pad   = 36, 10
	LabelHeight = high + 2*pad
)

// Label is a filled box with words left out of it, so that they are read on dark ground and at
// an arm's length. at is its upper left corner on the screen.
func Label(words string, at image.Point) []picture.Shape {
	if words == "" {
		return nil
	}
	text := picture.Shape{Kind: picture.Text, Width: high, Words: words, Colour: color.NRGBA{A: 255}, Points: []picture.Point{{}}}
	wide, x, y := float64(LabelWidth(words)), float64(at.X), float64(at.Y)
	text.Points[0] = picture.Point{X: x + wide/2, Y: y + high/2 + pad}
	return []picture.Shape{{Kind: picture.Polygon, Colour: Ink(), Points: picture.Box(x, y, x+wide, y+LabelHeight)}, text}
}

// LabelWidth is how wide a label is: the font is narrower than half its height.
func LabelWidth(words string) int { return high/2*len(words) + 2*pad }

// title is what capture knows the window by.
const title = capture.OverlayTitle

// opaque is the shade of a pixel that is covered whole; of a part of it less.
const opaque = 16

// spans are rectangles within a screen, none over another, that together are what shapes cover:
// by shade, and where edges are not smooth of the shade opaque alone.
func spans(shapes []picture.Shape, screen image.Rectangle, smooth bool) (out [opaque + 1][]image.Rectangle) {
	least, most := picture.Extent(shapes)
	area := image.Rect(int(math.Floor(least.X)), int(math.Floor(least.Y)), int(math.Ceil(most.X))+1, int(math.Ceil(most.Y))+1).Intersect(screen)
	m := image.NewRGBA(image.Rectangle{Max: area.Size()})
	picture.Draw(m, shapes, picture.Point{X: float64(area.Min.X), Y: float64(area.Min.Y)}, 1)
	shade := func(x, y int) int {
		s := (int(m.Pix[m.PixOffset(x, y)])*opaque + 127) / 255
		if !smooth {
			s = 2 * s / opaque * opaque
		}
		return min(s, opaque)
	}
	for y := range area.Dy() {
		for from, x := 0, 1; x <= area.Dx(); x++ {
			if x < area.Dx() && shade(x, y) == shade(from, y) {
				continue
			}
			if s := shade(from, y); s > 0 {
				out[s] = append(out[s], image.Rect(from, y, x, y+1).Add(area.Min))
			}
			from = x
		}
	}
	return out
}
