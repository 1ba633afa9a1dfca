package picture

import (
	"image"
	"image/png"
	"io"
	"math"

	"github.com/fogleman/gg"
	"github.com/golang/freetype/truetype"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
)

// Image draws shapes with smooth edges, scale pixels a half-cell; the corner
// of its top left pixel is the least point of Extent. What no shape covers is
// transparent.
func Image(shapes []Shape, scale float64) *image.RGBA {
	least, most := Extent(shapes)
	size := image.Pt(max(1, int(math.Ceil((most.X-least.X)*scale-1e-9))), max(1, int(math.Ceil((most.Y-least.Y)*scale-1e-9))))
	m := image.NewRGBA(image.Rectangle{Max: size})
	Draw(m, shapes, least, scale)
	return m
}

// Draw draws shapes on a picture whose first pixel is (0,0), scale pixels a
// half-cell; the corner of its top left pixel is the point least.
func Draw(m *image.RGBA, shapes []Shape, least Point, scale float64) {
	c := gg.NewContextForRGBA(m)
	place := func(p Point) (x, y float64) { return (p.X - least.X) * scale, (p.Y - least.Y) * scale }
	c.SetLineJoinRound()
	for _, s := range shapes {
		if len(s.Points) == 0 {
			continue
		}
		c.SetColor(s.Colour)
		x, y := place(s.Points[0])
		switch s.Kind {
		case Line, Polygon:
			c.MoveTo(x, y)
			for _, p := range s.Points[1:] {
				c.LineTo(place(p))
			}
			if s.Kind == Polygon {
				c.ClosePath()
				c.Fill()
				continue
			}
			c.SetLineCapButt()
			if s.Round {
				c.SetLineCapRound()
			}
			c.SetLineWidth(s.Width * scale)
			c.Stroke()
		case Disc:
			c.DrawCircle(x, y, s.Width*scale/2)
			c.Fill()
		case Text:
			if face := letters(s.Width * scale); face != nil {
				c.SetFontFace(face)
				c.DrawStringAnchored(s.Words, x, y, 0.5, 0.35)
			}
		}
	}
}

// letters is the font for words of a height in pixels; nil below a readable
// one.
func letters(height float64) font.Face {
	f, err := truetype.Parse(goregular.TTF)
	if err != nil || height < 2 {
		return nil
	}
	return truetype.NewFace(f, &truetype.Options{Size: height, DPI: 72})
}

// PNG writes what Image draws.
func PNG(w io.Writer, shapes []Shape, scale float64) error {
	return png.Encode(w, Image(shapes, scale))
}
