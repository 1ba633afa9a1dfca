package looktest

import (
	"fmt"
	"image"
	"math"
	"strings"

	witness "onlooker/solve/witness/board"
)

// A canvas collects the SVG of one board; its unit is the pitch, and the
// origin the top left node.
type canvas struct {
	strings.Builder
	look  *Look
	panel *witness.Panel
}

// place is where a half-cell is.
func place(at image.Point) (x, y float64) { return float64(at.X) / 2, float64(at.Y) / 2 }

// reach is how far the plate goes beyond the outermost nodes: a cap is on it.
func (l *Look) reach() float64 { return max(l.Ground.Margin, l.Cap.Length+l.Cap.Ball+0.12) }

// board draws the ground, the lines and all that is on them.
func (c *canvas) board() {
	c.ground()
	if e := c.look.Line.Edge; e.Width > 0 {
		fmt.Fprintf(c, `<g fill="%s" stroke="%s" stroke-width="%.4f">`, e.Ink, e.Ink, 2*e.Width)
		c.lineWork(false)
		fmt.Fprintf(c, `</g>`)
	}
	fmt.Fprintf(c, `<g fill="%s"%s>`, c.look.Line.Ink, c.glow(c.look.Line.Ink))
	c.lineWork(true)
	fmt.Fprintf(c, `</g>`)
	c.core()
	c.inners()
	for at := range c.panel.Points() {
		s := c.panel.At(at)
		x, y := place(at)
		if s.Kind == witness.NoSymbol && !s.Dot.On {
			continue
		}
		fmt.Fprintf(c, `<g transform="translate(%.4f %.4f)">`, x, y)
		switch {
		case s.Dot.On:
			c.dot(s.Dot)
		default:
			c.symbol(s.Symbol)
		}
		fmt.Fprintf(c, `</g>`)
	}
}

// glow is the light round what is drawn in a colour.
func (c *canvas) glow(ink string) string {
	if c.look.Effects.Glow == 0 {
		return ""
	}
	return fmt.Sprintf(` style="filter:drop-shadow(0 0 %.4fpx %s)"`, c.look.Effects.Glow, ink)
}

func (c *canvas) ground() {
	g := &c.look.Ground
	w, h, m := float64(c.panel.Cols), float64(c.panel.Rows), c.look.reach()
	plate := fmt.Sprintf(`x="%.4f" y="%.4f" width="%.4f" height="%.4f" rx="%.4f"`, -m, -m, w+2*m, h+2*m, g.Radius)
	fmt.Fprintf(c, `<defs>`)
	switch g.Texture {
	case "noise":
		fmt.Fprintf(c, `<filter id="noise" x="0" y="0" width="1" height="1"><feTurbulence type="fractalNoise" baseFrequency="11" numOctaves="3" seed="7"/><feColorMatrix type="saturate" values="0"/></filter>`)
	case "stripes":
		fmt.Fprintf(c, `<pattern id="t" width="0.22" height="0.22" patternUnits="userSpaceOnUse" patternTransform="rotate(35)"><rect width="0.11" height="0.22" fill="%s"/></pattern>`, g.Second)
	case "checks":
		fmt.Fprintf(c, `<pattern id="t" width="0.3" height="0.3" patternUnits="userSpaceOnUse"><path d="M0 0H.15V.15H0ZM.15 .15H.3V.3H.15Z" fill="%s"/></pattern>`, g.Second)
	case "gradient":
		fmt.Fprintf(c, `<linearGradient id="t" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="%s" stop-opacity="0"/><stop offset="1" stop-color="%s"/></linearGradient>`, g.Second, g.Second)
	case "radial":
		fmt.Fprintf(c, `<radialGradient id="t" r="0.75"><stop offset="0" stop-color="%s"/><stop offset="1" stop-color="%s" stop-opacity="0"/></radialGradient>`, g.Second, g.Second)
	}
	fmt.Fprintf(c, `</defs>`)
	if g.Outside != "" {
		fmt.Fprintf(c, `<rect %s fill="%s"/>`, plate, g.Outside)
	}
	if g.Cell != "" {
		for at := range c.panel.Points() {
			if x, y := place(at); c.there(at) {
				// A little larger: between two that meet there is no seam.
				fmt.Fprintf(c, `<rect x="%.4f" y="%.4f" width="1.004" height="1.004" fill="%s"/>`, x-0.502, y-0.502, g.Cell)
			}
		}
	}
	switch g.Texture {
	case "":
	case "noise":
		fmt.Fprintf(c, `<rect %s filter="url(#noise)" opacity="0.16"/>`, plate)
	default:
		fmt.Fprintf(c, `<rect %s fill="url(#t)"/>`, plate)
	}
	if g.Rim.Width > 0 {
		fmt.Fprintf(c, `<rect %s fill="none" stroke="%s" stroke-width="%.4f"/>`, plate, g.Rim.Ink, g.Rim.Width)
	}
	if g.Tile > 0 {
		for at := range c.panel.Points() {
			if x, y := place(at); c.there(at) {
				fmt.Fprintf(c, `<rect x="%.4f" y="%.4f" width="%.4f" height="%.4f" rx="%.4f" fill="%s"/>`, x-g.Tile/2, y-g.Tile/2, g.Tile, g.Tile, g.TileRadius, g.TileFill)
			}
		}
	}
}

// there tells whether a half-cell is a cell with lines on all of its sides that
// are the panel's border: without them it is not there.
func (c *canvas) there(at image.Point) bool {
	if !witness.IsCell(at) {
		return false
	}
	for _, d := range []image.Point{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}} {
		e := at.Add(d)
		border := e.X == 0 || e.Y == 0 || e.X == 2*c.panel.Cols || e.Y == 2*c.panel.Rows
		if border && c.panel.At(e).Gap == witness.Missing {
			return false
		}
	}
	return true
}

// lineWork draws edges, joints, starts and caps, all in one colour; on panels
// with two lines the starts in theirs if coloured.
func (c *canvas) lineWork(coloured bool) {
	w := c.look.Line.Width
	for at := range c.panel.Points() {
		s := c.panel.At(at)
		x, y := place(at)
		if witness.IsEdge(at) && s.Gap != witness.Missing {
			turn := 0
			if at.Y%2 == 1 {
				turn = 90
			}
			fmt.Fprintf(c, `<g transform="translate(%.4f %.4f) rotate(%d)">`, x, y, turn)
			c.edge(s.Gap == witness.Broken)
			fmt.Fprintf(c, `</g>`)
		}
		if witness.IsNode(at) && c.joined(at) {
			switch {
			case c.look.Line.Node > 0:
				fmt.Fprintf(c, `<circle cx="%.4f" cy="%.4f" r="%.4f"/>`, x, y, max(w/2, c.look.Line.Node))
			case c.look.Line.Corner == "round":
				fmt.Fprintf(c, `<circle cx="%.4f" cy="%.4f" r="%.4f"/>`, x, y, w/2)
			default:
				fmt.Fprintf(c, `<rect x="%.4f" y="%.4f" width="%.4f" height="%.4f"/>`, x-w/2, y-w/2, w, w)
			}
		}
		if s.IsEnd() {
			fmt.Fprintf(c, `<g transform="translate(%.4f %.4f) rotate(%.1f)">`, x, y, math.Atan2(float64(s.Cap.Y), float64(s.Cap.X))*180/math.Pi)
			c.cap()
			fmt.Fprintf(c, `</g>`)
		}
	}
	own := true
	for at := range c.panel.Points() {
		if !c.panel.At(at).Start {
			continue
		}
		ink := ""
		if st := c.look.Start; coloured && st.Own != "" && c.panel.Symmetry != witness.NoSymmetry {
			if ink = fmt.Sprintf(` fill="%s"`, st.Own); !own {
				ink = fmt.Sprintf(` fill="%s"`, st.Other)
			}
			own = !own
		}
		x, y := place(at)
		fmt.Fprintf(c, `<g transform="translate(%.4f %.4f)"%s>`, x, y, ink)
		if c.look.Start.Shape == "octagon" {
			fmt.Fprintf(c, `<path d="%s"/>`, starPath(8, c.look.Start.Radius, math.Cos(math.Pi/8), 22.5))
		} else {
			fmt.Fprintf(c, `<circle r="%.4f"/>`, c.look.Start.Radius)
		}
		fmt.Fprintf(c, `</g>`)
	}
}

// joined tells whether any edge leads to a node.
func (c *canvas) joined(at image.Point) bool {
	for _, d := range []image.Point{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}} {
		if s := c.panel.At(at.Add(d)); s != nil && s.Gap != witness.Missing {
			return true
		}
	}
	return false
}

// edge draws an edge along x, its middle at the origin.
func (c *canvas) edge(broken bool) {
	b, h := &c.look.Break, c.look.Line.Width/2
	if !broken {
		fmt.Fprintf(c, `<path d="M-.5 %.4fH.5V%.4fH-.5Z"/>`, -h, h)
		return
	}
	stop, n := b.Length/2, b.Neck*h
	for _, side := range []string{"", ` transform="rotate(180)"`} {
		fmt.Fprintf(c, `<g%s>`, side)
		switch b.Kind {
		case "gap":
			fmt.Fprintf(c, `<path d="M.5 %.4fH%.4fV%.4fH.5Z"/>`, -h, stop, h)
		case "slash":
			fmt.Fprintf(c, `<path d="M.5 %.4fH%.4fL%.4f %.4fH.5Z"/>`, -h, stop+h, stop-h, h)
		case "round":
			fmt.Fprintf(c, `<path d="M.5 %.4fH%.4fA%.4f %.4f 0 0 0 %.4f %.4fH.5Z"/>`, -h, stop+h, h, h, stop+h, h)
		case "bars":
			t := h * 0.6
			fmt.Fprintf(c, `<path d="M.5 %.4fH%.4fV%.4fH.5Z"/><rect x="%.4f" y="%.4f" width="%.4f" height="%.4f"/>`, -h, stop+t/2, h, stop, -b.Bar/2, t, b.Bar)
		case "notch":
			fmt.Fprintf(c, `<path d="M.5 %.4fH%.4fL0 %.4fV%.4fL%.4f %.4fH.5Z"/>`, -h, stop, -n, n, stop, h)
		case "thin":
			fmt.Fprintf(c, `<path d="M.5 %.4fH%.4fV%.4fH-.01V%.4fH%.4fV%.4fH.5Z"/>`, -h, stop, -n, n, stop, h)
		}
		fmt.Fprintf(c, `</g>`)
	}
}

// cap draws an end cap that goes along x from the origin.
func (c *canvas) cap() {
	p := &c.look.Cap
	h := p.Width * c.look.Line.Width / 2
	switch p.End {
	case "round":
		fmt.Fprintf(c, `<path d="M0 %.4fH%.4fA%.4f %.4f 0 0 1 %.4f %.4fH0Z"/>`, -h, p.Length-h, h, h, p.Length-h, h)
	case "flat":
		fmt.Fprintf(c, `<path d="M0 %.4fH%.4fV%.4fH0Z"/>`, -h, p.Length, h)
	case "point":
		fmt.Fprintf(c, `<path d="M0 %.4fH%.4fL%.4f 0L%.4f %.4fH0Z"/>`, -h, p.Length-h*1.4, p.Length, p.Length-h*1.4, h)
	case "ball":
		fmt.Fprintf(c, `<path d="M0 %.4fH%.4fV%.4fH0Z"/><circle cx="%.4f" r="%.4f"/>`, -h, p.Length-p.Ball, h, p.Length-p.Ball, p.Ball)
	}
}

// core draws the line in the middle of whole edges.
func (c *canvas) core() {
	k := c.look.Line.Core
	if k.Width == 0 {
		return
	}
	fmt.Fprintf(c, `<g stroke="%s" stroke-width="%.4f" stroke-linecap="round">`, k.Ink, k.Width)
	for at := range c.panel.Points() {
		if !witness.IsEdge(at) || c.panel.At(at).Gap != witness.Whole {
			continue
		}
		x, y := place(at)
		dx, dy := float64(at.X&1)/2, float64(at.Y&1)/2
		fmt.Fprintf(c, `<path d="M%.4f %.4fL%.4f %.4f"/>`, x-dx, y-dy, x+dx, y+dy)
	}
	fmt.Fprintf(c, `</g>`)
}

// inners draws the discs within the starts.
func (c *canvas) inners() {
	st := &c.look.Start
	if st.Inner == "" {
		return
	}
	for at := range c.panel.Points() {
		if x, y := place(at); c.panel.At(at).Start {
			fmt.Fprintf(c, `<circle cx="%.4f" cy="%.4f" r="%.4f" fill="%s"/>`, x, y, st.Radius*st.Share, st.Inner)
		}
	}
}

// dot draws a dot about the origin.
func (c *canvas) dot(d witness.Dot) {
	k := &c.look.Dot
	ink := k.Ink
	switch d.Line {
	case witness.OwnLine:
		ink = k.Own
	case witness.OtherLine:
		ink = k.Other
	}
	r, stroke := k.Size/2, ""
	if k.Stroke.Width > 0 {
		stroke = fmt.Sprintf(` stroke="%s" stroke-width="%.4f"`, k.Stroke.Ink, k.Stroke.Width)
	}
	switch k.Shape {
	case "disc":
		fmt.Fprintf(c, `<circle r="%.4f" fill="%s"%s/>`, r, ink, stroke)
	case "ring":
		fmt.Fprintf(c, `<circle r="%.4f" fill="none" stroke="%s" stroke-width="%.4f"/>`, r*0.75, ink, r*0.5)
	case "hexagon":
		fmt.Fprintf(c, `<path d="%s" fill="%s"%s/>`, starPath(6, r, math.Cos(math.Pi/6), 90), ink, stroke)
	case "pointed":
		fmt.Fprintf(c, `<path d="%s" fill="%s"%s/>`, starPath(6, r, math.Cos(math.Pi/6), 0), ink, stroke)
	case "diamond":
		fmt.Fprintf(c, `<path d="%s" fill="%s"%s/>`, starPath(4, r, math.Cos(math.Pi/4), 0), ink, stroke)
	}
}
