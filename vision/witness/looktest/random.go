package looktest

import (
	"fmt"
	"math"
	"math/rand/v2"

	witness "onlooker/solve/witness/board"
)

// A dice draws the parameters of a random look.
type dice struct{ *rand.Rand }

func (d dice) between(a, b float64) float64 { return math.Round(1e4*(a+(b-a)*d.Float64())) / 1e4 }

// often is true in a share of all cases.
func (d dice) often(share float64) bool { return d.Float64() < share }

func pick[T any](d dice, from ...T) T { return from[d.IntN(len(from))] }

// A tint is a colour.
type tint [3]int

func (c tint) String() string { return fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2]) }

// tint is a colour of a lightness, 0 to 1, and of any hue.
func (d dice) tint(light, strength float64) tint {
	hue := 2 * math.Pi * d.Float64()
	var c tint
	for i := range c {
		c[i] = int(max(0, min(255, 255*(light+strength*math.Cos(hue+2*math.Pi*float64(i)/3)))))
	}
	return c
}

// apart is how far apart two colours look, 0 to 765: channels weigh as the eye
// weighs them, the blue one least beside red and green (Riemersma's mean of
// reds).
func apart(a, b tint) float64 {
	red := float64(a[0]+b[0]) / 2 / 256
	r, g, u := float64(a[0]-b[0]), float64(a[1]-b[1]), float64(a[2]-b[2])
	return math.Sqrt((2+red)*r*r + 4*g*g + (3-red)*u*u)
}

// far is a colour that is apart from others by at least so much, and less
// where no such colour turns up.
func (d dice) far(least float64, draw func() tint, from ...tint) tint {
	for ; ; least-- {
		for range 400 {
			c := draw()
			ok := true
			for _, o := range from {
				ok = ok && apart(c, o) >= least
			}
			if ok {
				return c
			}
		}
	}
}

// Random is the look of a seed: other shapes, proportions and conventions
// within what a person can read.
func Random(seed uint64) Look {
	d := dice{rand.New(rand.NewPCG(seed, 77))}
	l := Look{Name: fmt.Sprintf("random%d", seed), Pitch: [2]int{52, 84}}
	inner := d.colours(&l)
	d.lines(&l)
	d.ends(&l)
	d.symbols(&l)
	if d.often(0.15) {
		l.Ground.Tile, l.Ground.TileRadius = d.between(0.66, 0.94-l.Line.Width-0.06), d.between(0, 0.12)
		l.Ground.TileFill = pick(d, "rgba(255,255,255,.1)", "rgba(0,0,0,.08)")
	}
	if d.often(0.25) {
		dark := tint{16, 14, 20}
		if inner[0]+inner[1]+inner[2] < 240 {
			dark = tint{236, 236, 240}
		}
		l.Outline = Stroke{Ink: dark.String(), Width: d.between(0.014, 0.028)}
	}
	e := &l.Effects
	if d.often(0.25) {
		e.Glow = d.between(0.03, 0.08)
	}
	if d.often(0.15) {
		e.Scan = d.between(0.12, 0.3)
	}
	if d.often(0.3) {
		e.JPEG = 70 + d.IntN(22)
	}
	if d.often(0.3) {
		e.Slant = d.between(6, 18)
	}
	if d.often(0.2) {
		e.Shade = d.between(0.1, 0.3)
	}
	if d.often(0.2) {
		e.Blur = d.between(0.2, 0.5)
	}
	return l
}

// colours chooses page, grounds, lines, dots and inks, and returns the cells'
// ground.
func (d dice) colours(l *Look) tint {
	light := pick(d, d.between(0.05, 0.25), d.between(0.3, 0.5), d.between(0.75, 0.92))
	ground := d.tint(light, d.between(0, 0.12))
	inner := ground
	if d.often(0.3) {
		inner = d.far(60, func() tint { return d.tint(d.between(0.05, 0.95), 0.1) }, ground)
		l.Ground.Cell = inner.String()
	}
	line := d.far(190, func() tint { return d.tint(d.between(0.05, 0.95), d.between(0, 0.4)) }, ground, inner)
	l.Line.Ink = line.String()
	page := d.tint(pick(d, 0.06, light, 0.94), 0.06)
	text := tint{230, 230, 230}
	if page[0]+page[1]+page[2] > 380 {
		text = tint{30, 30, 30}
	}
	l.Page = Page{Kind: pick(d, "", "", "web", "game", "book"), Fill: page.String(), Text: text.String()}
	l.Ground.Outside, l.Ground.Margin, l.Ground.Radius = ground.String(), d.between(0.35, 0.6), pick(d, 0, d.between(0, 0.25))
	if d.often(0.4) {
		l.Ground.Texture = pick(d, "noise", "stripes", "checks", "gradient", "radial")
		l.Ground.Second = pick(d, "rgba(255,255,255,.06)", "rgba(0,0,0,.08)")
	}
	if d.often(0.3) {
		l.Ground.Rim = Stroke{Ink: text.String(), Width: d.between(0.015, 0.05)}
	}
	any := func() tint { return d.tint(d.between(0.02, 0.98), d.between(0, 0.5)) }
	vivid := func() tint { return d.tint(0.5, 0.5) }
	dot := d.far(190, any, line, ground, inner)
	own := d.far(150, vivid, line, ground, inner, dot)
	other := d.far(150, vivid, line, ground, inner, dot, own)
	l.Dot.Ink, l.Dot.Own, l.Dot.Other = dot.String(), own.String(), other.String()
	l.Inks = map[witness.Colour]string{}
	used := []tint{inner, ground}
	for _, name := range []witness.Colour{witness.Black, witness.White, witness.Magenta, witness.Green, witness.Yellow, witness.Blue, witness.Orange} {
		c := d.far(165, any, used...)
		l.Inks[name], used = c.String(), append(used, c)
	}
	return inner
}

func (d dice) lines(l *Look) {
	w := d.between(0.07, 0.34)
	l.Line.Width, l.Line.Corner = w, pick(d, "round", "sharp")
	if d.often(0.25) {
		l.Line.Edge = Stroke{Ink: l.Page.Text, Width: d.between(0.015, 0.035)}
	}
	if d.often(0.15) {
		l.Line.Node = w/2 + d.between(0.02, 0.05)
	}
	l.Start = Start{Radius: max(d.between(0.8, 1.5)*w, w/2+0.09), Shape: pick(d, "disc", "disc", "octagon"), Share: d.between(0.3, 0.65)}
	l.Start.Radius = min(l.Start.Radius, 0.36)
	if d.often(0.4) {
		l.Start.Inner = pick(d, l.Ground.Outside, l.Page.Fill)
	}
}

func (d dice) ends(l *Look) {
	w := l.Line.Width
	l.Cap = Cap{Length: w/2 + d.between(0.12, 0.3), Width: d.between(0.7, 1.3), End: pick(d, "round", "flat", "point", "ball")}
	if l.Cap.End == "ball" {
		l.Cap.Ball = w*l.Cap.Width/2 + d.between(0.015, 0.05)
	}
	kind := pick(d, "gap", "round", "bars", "notch", "thin", "slash")
	l.Break = Break{Kind: kind, Length: d.between(0.16, 0.4), Neck: d.between(0, 0.22), Bar: w + d.between(0.06, 0.16)}
	if kind == "slash" {
		l.Break.Length = d.between(0.14, 0.3)
	}
	l.Dot.Shape, l.Dot.Size = pick(d, "disc", "hexagon", "pointed", "diamond", "ring"), max(0.12, min(0.26, w*d.between(0.7, 1.2)))
	if d.often(0.3) {
		l.Dot.Stroke = Stroke{Ink: l.Ground.Outside, Width: d.between(0.012, 0.025)}
	}
}
