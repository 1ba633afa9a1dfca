// Package overlay draws lines over what the screen shows: in a window of its
// own that lies over all others, lets clicks through, and is not seen in frames
// that capture is asked to take from under it.
package overlay

import (
	"errors"
	"image"
	"image/color"
	"image/draw"
	"math"
	"slices"

	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"

	"onlooker/capture"
	"onlooker/vision"
	"onlooker/vision/picture"
)

// ErrNone says that this system has no such windows.
var ErrNone = errors.New("overlay: not possible here: --serve shows the answers on a page")

// A Line is a stroke on the screen, in pixels.
type Line struct {
	Points []vision.Point
	Width  float64
}

// Colour is what lines have unless they are asked for in another: no board that was seen has
// it.
func Colour() color.RGBA { return color.RGBA{R: 255, G: 43, B: 214, A: 255} }

// A Label is a filled box with words left out of it, so that they are read on any ground.
type Label struct {
	Words string      // in ASCII, one line; "": no label
	At    image.Point // of the box's upper left corner, on the screen
}

// labelScale is how large a label's letters are, in pixels a point of a font of 7×13.
const labelScale = 2

// box is what a label covers, at its place.
func (l Label) box() *image.Alpha {
	if l.Words == "" {
		return &image.Alpha{}
	}
	face := basicfont.Face7x13
	words := image.NewAlpha(image.Rect(0, 0, font.MeasureString(face, l.Words).Ceil()+2*face.Advance, face.Height+6))
	(&font.Drawer{Dst: words, Src: image.Opaque, Face: face, Dot: fixed.P(face.Advance, face.Ascent+3)}).DrawString(l.Words)
	box := image.NewAlpha(image.Rectangle{Max: words.Rect.Max.Mul(labelScale)}.Add(l.At))
	for i := range box.Pix {
		box.Pix[i] = 255 - words.AlphaAt(i%box.Stride/labelScale, i/box.Stride/labelScale).A
	}
	return box
}

// title is what capture knows the window by.
const title = capture.OverlayTitle

// opaque is the shade of a pixel that is covered whole where edges are smooth, of a part of it
// less.
const opaque = 16

// spans are rectangles within a screen, none over another, that together are the lines with
// round ends, and the label: those of each shade up to most, which is that of pixels that are
// covered whole; 1: of pixels of which half is covered.
func spans(lines []Line, label Label, screen image.Rectangle, most int) [][]image.Rectangle {
	var shapes []picture.Shape
	for _, l := range lines {
		s := picture.Shape{Kind: picture.Line, Width: l.Width, Round: true, Colour: color.NRGBA{A: 255}}
		for _, p := range slices.Compact(slices.Clone(l.Points)) { // a pixel's centre is where its number says
			s.Points = append(s.Points, picture.Point{X: p.X + 0.5, Y: p.Y + 0.5})
		}
		if len(s.Points) == 1 {
			s.Kind = picture.Disc
		}
		shapes = append(shapes, s)
	}
	least, end := picture.Extent(shapes)
	box := label.box()
	area := image.Rect(int(math.Floor(least.X)), int(math.Floor(least.Y)), int(math.Ceil(end.X)), int(math.Ceil(end.Y))).Union(box.Rect).Intersect(screen)
	m := image.NewRGBA(image.Rectangle{Max: area.Size()})
	picture.Draw(m, shapes, picture.Point{X: float64(area.Min.X), Y: float64(area.Min.Y)}, 1)
	draw.Draw(m, box.Rect.Sub(area.Min), box, box.Rect.Min, draw.Over)
	out := make([][]image.Rectangle, most+1)
	for y := range m.Rect.Dy() {
		shade := func(x int) int { return (int(m.Pix[m.PixOffset(x, y)+3])*most + 127) / 255 }
		for x, from := 1, 0; x <= m.Rect.Dx(); x++ {
			if x == m.Rect.Dx() || shade(x) != shade(from) {
				if of := shade(from); of > 0 {
					out[of] = append(out[of], image.Rect(from, y, x, y+1).Add(area.Min))
				}
				from = x
			}
		}
	}
	return out
}
