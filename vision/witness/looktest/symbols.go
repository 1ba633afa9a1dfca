package looktest

import (
	"fmt"
	"image"
	"math"
	"strings"

	witness "onlooker/solve/witness/board"
)

// starPath is a star about the origin: tips at the radius, notches at inner of
// it, the first tip up and then turned by some degrees.
func starPath(points int, radius, inner, turn float64) string {
	var b strings.Builder
	for i := range 2 * points {
		r := radius
		if i%2 == 1 {
			r *= inner
		}
		a := (turn-90)*math.Pi/180 + math.Pi*float64(i)/float64(points)
		fmt.Fprintf(&b, "%c%.4f %.4f", "ML"[min(i, 1)], r*math.Cos(a), r*math.Sin(a))
	}
	return b.String() + "Z"
}

// ink is the colour that a name stands for in the look.
func (c *canvas) ink(name witness.Colour) string {
	if v, ok := c.look.Inks[name]; ok {
		return v
	}
	return string(name)
}

// symbol draws a cell's symbol about the origin. What goes round it is drawn
// below it, twice as wide.
func (c *canvas) symbol(s witness.Symbol) {
	ink := c.ink(s.Colour)
	if o := c.look.Outline; o.Width > 0 {
		fmt.Fprintf(c, `<g stroke-linejoin="round">`)
		c.shape(s, o.Ink, 2*o.Width)
		fmt.Fprintf(c, `</g>`)
	}
	fmt.Fprintf(c, `<g%s>`, c.glow(ink))
	c.shape(s, ink, 0)
	fmt.Fprintf(c, `</g>`)
}

// piece draws a piece's squares. Those of one that does not fit into its cell
// are smaller.
func (c *canvas) piece(s witness.Symbol, ink string, wider float64) {
	p := c.look.Piece
	least, most := s.Shape[0], s.Shape[0]
	for _, at := range s.Shape {
		least, most = image.Pt(min(least.X, at.X), min(least.Y, at.Y)), image.Pt(max(most.X, at.X), max(most.Y, at.Y))
	}
	w, h := float64(most.X-least.X)*p.Spacing+p.Block, float64(most.Y-least.Y)*p.Spacing+p.Block
	turn := 0.0
	if s.Turnable {
		turn = p.Turn
		sin, cos := math.Abs(math.Sin(turn*math.Pi/180)), math.Abs(math.Cos(turn*math.Pi/180))
		w, h = w*cos+h*sin, w*sin+h*cos
	}
	room := 1 - c.look.Line.Width - 0.1
	if c.look.Ground.Tile > 0 {
		room = c.look.Ground.Tile - 0.06
	}
	scale := min(max(1, p.Fill), room/max(w, h))
	if s.Kind == witness.Negative && c.look.Negative.Scale > 0 {
		p.Block *= c.look.Negative.Scale
	}
	fmt.Fprintf(c, `<g transform="rotate(%.2f) scale(%.4f)">`, turn, scale)
	wider /= scale
	for _, at := range s.Shape {
		x := (float64(at.X) - float64(least.X+most.X)/2) * p.Spacing
		y := (float64(at.Y) - float64(least.Y+most.Y)/2) * p.Spacing
		if p.Join != "" && wider == 0 && s.Kind == witness.Polyomino {
			fmt.Fprintf(c, `<rect x="%.4f" y="%.4f" width="%.4f" height="%.4f" fill="%s"/>`, x-p.Spacing/2, y-p.Spacing/2, p.Spacing, p.Spacing, p.Join)
		}
	}
	for _, at := range s.Shape {
		x := (float64(at.X) - float64(least.X+most.X)/2) * p.Spacing
		y := (float64(at.Y) - float64(least.Y+most.Y)/2) * p.Spacing
		fmt.Fprintf(c, `<g transform="translate(%.4f %.4f)">`, x, y)
		form := "filled"
		if s.Kind == witness.Negative {
			form = c.look.Negative.Form
		}
		c.block(&p, form, ink, wider)
		fmt.Fprintf(c, `</g>`)
	}
	fmt.Fprintf(c, `</g>`)
}

// block draws one square of a piece about the origin.
func (c *canvas) block(p *Piece, form, ink string, wider float64) {
	b, n := p.Block, c.look.Negative.Stroke
	switch form {
	case "filled":
		fmt.Fprintf(c, `<rect x="%.4f" y="%.4f" width="%.4f" height="%.4f" rx="%.4f" fill="%s"`, -b/2, -b/2, b, b, p.Radius, ink)
		if wider > 0 {
			fmt.Fprintf(c, ` stroke="%s" stroke-width="%.4f"`, ink, wider)
		}
		fmt.Fprintf(c, `/>`)
		if e := p.Edge; wider == 0 && e.Width > 0 {
			fmt.Fprintf(c, `<rect x="%.4f" y="%.4f" width="%.4f" height="%.4f" rx="%.4f" fill="none" stroke="%s" stroke-width="%.4f"/>`, (e.Width-b)/2, (e.Width-b)/2, b-e.Width, b-e.Width, p.Radius, e.Ink, e.Width)
		}
	case "hollow":
		fmt.Fprintf(c, `<rect x="%.4f" y="%.4f" width="%.4f" height="%.4f" rx="%.4f" fill="none" stroke="%s" stroke-width="%.4f"/>`, (n-b)/2, (n-b)/2, b-n, b-n, p.Radius, ink, n+wider)
	case "pierced":
		fmt.Fprintf(c, `<path fill-rule="evenodd" fill="%s" d="M%.4f %.4fh%.4fv%.4fh%.4fZM%.4f 0a%.4f %.4f 0 1 0 %.4f 0a%.4f %.4f 0 1 0 %.4f 0Z"/>`,
			ink, -b/2, -b/2, b, b, -b, -b/2+n, b/2-n, b/2-n, b-2*n, b/2-n, b/2-n, 2*n-b)
	case "stripes":
		for k := -b / 2; k < b/2-n/2; k += 2 * n {
			fmt.Fprintf(c, `<rect x="%.4f" y="%.4f" width="%.4f" height="%.4f" fill="%s"/>`, -b/2, k, b, min(n, b/2-k), ink)
		}
	}
}
