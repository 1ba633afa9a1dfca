package picture

import (
	"bufio"
	"fmt"
	"html"
	"image/color"
	"io"
	"strconv"
)

// SVG writes shapes as an SVG picture, scale pixels a half-cell. Its top left
// corner is the least point of Extent.
func SVG(w io.Writer, shapes []Shape, scale float64) error {
	least, most := Extent(shapes)
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="%s %s %s %s">`+"\n",
		number((most.X-least.X)*scale), number((most.Y-least.Y)*scale),
		number(least.X), number(least.Y), number(most.X-least.X), number(most.Y-least.Y))
	for _, s := range shapes {
		if len(s.Points) == 0 {
			continue
		}
		switch at := s.Points[0]; s.Kind {
		case Line:
			caps := "butt"
			if s.Round {
				caps = "round"
			}
			fmt.Fprintf(out, `<polyline points="%s" fill="none" %s stroke-width="%s" stroke-linecap="%s" stroke-linejoin="round"/>`+"\n",
				corners(s.Points), paint("stroke", s.Colour), number(s.Width), caps)
		case Disc:
			fmt.Fprintf(out, `<circle cx="%s" cy="%s" r="%s" %s/>`+"\n",
				number(at.X), number(at.Y), number(s.Width/2), paint("fill", s.Colour))
		case Polygon:
			fmt.Fprintf(out, `<polygon points="%s" %s/>`+"\n", corners(s.Points), paint("fill", s.Colour))
		case Text:
			fmt.Fprintf(out, `<text x="%s" y="%s" font-family="sans-serif" font-size="%s" text-anchor="middle" dominant-baseline="central" %s>%s</text>`+"\n",
				number(at.X), number(at.Y), number(s.Width), paint("fill", s.Colour), html.EscapeString(s.Words))
		}
	}
	fmt.Fprintln(out, "</svg>")
	return out.Flush()
}

// number writes a coordinate with at most four places: 1/10,000 of a half-cell
// is under a hundredth of a pixel at any size that fits a screen.
func number(v float64) string {
	s := strconv.FormatFloat(v, 'f', 4, 64)
	for s[len(s)-1] == '0' {
		s = s[:len(s)-1]
	}
	if s[len(s)-1] == '.' {
		s = s[:len(s)-1]
	}
	if s == "-0" {
		return "0"
	}
	return s
}

func corners(points []Point) string {
	var b []byte
	for i, p := range points {
		if i > 0 {
			b = append(b, ' ')
		}
		b = append(b, number(p.X)+","+number(p.Y)...)
	}
	return string(b)
}

func paint(attribute string, c color.NRGBA) string {
	s := fmt.Sprintf(`%s="#%02x%02x%02x"`, attribute, c.R, c.G, c.B)
	if c.A < 255 {
		s += fmt.Sprintf(` %s-opacity="%s"`, attribute, number(float64(c.A)/255))
	}
	return s
}
