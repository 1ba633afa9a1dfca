package looktest

import (
	"fmt"
	"math"

	witness "onlooker/solve/witness/board"
)

// Shapes are how what stands in cells is drawn.
type Shapes struct {
	Square   Square   `toml:"square"`
	Star     Star     `toml:"star"`
	Triangle Triangle `toml:"triangle"`
	Piece    Piece    `toml:"piece"`
	Negative Negative `toml:"negative"`
	Eraser   Eraser   `toml:"eraser"`
}

// Square is how squares are drawn.
type Square struct {
	Side   float64 `toml:"side"`
	Radius float64 `toml:"radius"`
	Hollow float64 `toml:"hollow"` // width of the stroke of a hollow one; 0 is filled
}

// Star is how stars are drawn.
type Star struct {
	Points int     `toml:"points"`
	Size   float64 `toml:"size"`  // tip to tip
	Inner  float64 `toml:"inner"` // of the radius, where the notches are
	Turn   float64 `toml:"turn"`  // degrees; at 0 a tip points up
	Round  float64 `toml:"round"` // width of a round stroke that blunts the tips
}

// Triangle is how triangles are drawn.
type Triangle struct {
	Width   float64 `toml:"width"`
	Height  float64 `toml:"height"`
	Spacing float64 `toml:"spacing"` // from one to the next
	Layout  string  `toml:"layout"`  // "row", "pyramid" (of three) or "column"
	Rise    float64 `toml:"rise"`
	Round   float64 `toml:"round"` // width of a round stroke that blunts the tips
}

// Piece is how pieces are drawn.
type Piece struct {
	Block   float64 `toml:"block"`
	Spacing float64 `toml:"spacing"` // from one square to the next
	Radius  float64 `toml:"radius"`
	Turn    float64 `toml:"turn"` // degrees, of one that may be turned
	// Fill scales every piece so that it fills its cell, squares up to this
	// many times as large; 0 leaves small ones as they are.
	Fill float64 `toml:"fill"`
	// Join is the colour of a plate behind the squares; "" is none.
	Join string `toml:"join"`
	// Edge is drawn within the rim of every square.
	Edge Stroke `toml:"edge"`
}

// Negative is how pieces that are subtracted are drawn.
type Negative struct {
	Form   string  `toml:"form"`   // "hollow", "filled", "stripes" or "pierced"
	Stroke float64 `toml:"stroke"` // of a hollow one, or of a stripe
	Scale  float64 `toml:"scale"`  // of its squares beside an ordinary one's; 0 is 1
}

// Eraser is how erasers are drawn: a stem and two arms.
type Eraser struct {
	Arm    float64 `toml:"arm"` // length of each
	Width  float64 `toml:"width"`
	Up     bool    `toml:"up"`     // the stem
	Spread float64 `toml:"spread"` // degrees from the stem to each arm
	End    string  `toml:"end"`    // "flat" or "round"
}

func (d dice) symbols(l *Look) {
	room := 0.9 - l.Line.Width
	l.Square = Square{Side: room * d.between(0.42, 0.62), Radius: pick(d, 0, d.between(0, 0.12))}
	if d.often(0.15) {
		l.Square.Hollow = d.between(0.05, 0.08)
	}
	l.Star = Star{Points: pick(d, 4, 5, 6, 7, 8, 12), Size: room * d.between(0.58, 0.8), Inner: d.between(0.4, 0.75), Turn: pick(d, 0, 15, 22.5, 45)}
	if l.Star.Points > 6 {
		l.Star.Inner = d.between(0.55, 0.85)
	}
	if l.Star.Points == 4 { // at 0.71 the notches lie between the tips: a square
		l.Star.Inner = min(l.Star.Inner, 0.55)
	}
	if d.often(0.2) {
		l.Star.Round = 0.03
	}
	t := &l.Triangle
	*t = Triangle{Width: room * d.between(0.2, 0.27), Height: room * d.between(0.17, 0.3), Layout: pick(d, "row", "row", "pyramid", "column")}
	t.Spacing = max(t.Width, t.Height*pick(d, 0.9, 1)) + d.between(0.015, 0.04)
	p := &l.Piece
	p.Spacing = room * d.between(0.17, 0.22)
	p.Block = p.Spacing * pick(d, 1, d.between(0.72, 0.92))
	p.Radius, p.Turn = pick(d, 0, 0, p.Block*d.between(0.1, 0.5)), pick(d, -1.0, 1)*d.between(11, 30)
	if p.Block > 0.95*p.Spacing && p.Radius == 0 {
		// Four squares that touch are one large one, but for this.
		p.Edge = Stroke{Ink: l.Ground.Outside, Width: 0.016}
	}
	if d.often(0.15) {
		p.Fill = d.between(1.1, 1.4)
	}
	l.Negative = Negative{Form: pick(d, "hollow", "hollow", "pierced", "stripes", "filled"), Stroke: d.between(0.024, 0.034)}
	l.Eraser = Eraser{Arm: room * d.between(0.22, 0.3), Width: d.between(0.045, 0.085), Up: d.often(0.5), Spread: d.between(112, 135), End: pick(d, "flat", "round")}
}

// shape draws a symbol in one colour, its outline moved outwards by half of
// wider.
func (c *canvas) shape(s witness.Symbol, ink string, wider float64) {
	solid := func(round float64) string {
		join := ""
		if round > 0 {
			join = ` stroke-linejoin="round"`
		}
		if w := round + wider; w > 0 {
			return fmt.Sprintf(` fill="%s" stroke="%s" stroke-width="%.4f"%s`, ink, ink, w, join)
		}
		return fmt.Sprintf(` fill="%s"`, ink)
	}
	l := c.look
	switch s.Kind {
	case witness.Square:
		q := &l.Square
		if q.Hollow > 0 {
			fmt.Fprintf(c, `<rect x="%.4f" y="%.4f" width="%.4f" height="%.4f" rx="%.4f" fill="none" stroke="%s" stroke-width="%.4f"/>`,
				(q.Hollow-q.Side)/2, (q.Hollow-q.Side)/2, q.Side-q.Hollow, q.Side-q.Hollow, q.Radius, ink, q.Hollow+wider)
			return
		}
		fmt.Fprintf(c, `<rect x="%.4f" y="%.4f" width="%.4f" height="%.4f" rx="%.4f"%s/>`, -q.Side/2, -q.Side/2, q.Side, q.Side, q.Radius, solid(0))
	case witness.Star:
		fmt.Fprintf(c, `<path d="%s"%s/>`, starPath(l.Star.Points, (l.Star.Size-l.Star.Round)/2, l.Star.Inner, l.Star.Turn), solid(l.Star.Round))
	case witness.Triangle:
		t := &l.Triangle
		w, h := t.Width-t.Round, t.Height-t.Round
		for _, at := range t.places(s.Count) {
			fmt.Fprintf(c, `<path d="M%.4f %.4fl%.4f %.4fh%.4fZ"%s/>`, at[0], at[1]-h/2, w/2, h, -w, solid(t.Round))
		}
	case witness.Polyomino, witness.Negative:
		c.piece(s, ink, wider)
	case witness.Eraser:
		e := &l.Eraser
		lean := 90.0
		if e.Up {
			lean = -90
		}
		end := "butt"
		if e.End == "round" {
			end = "round"
		}
		// The origin is in the middle between stem's end and arms' ends.
		drop := e.Arm * (1 + math.Cos(e.Spread*math.Pi/180)) / 2 * math.Copysign(1, -lean)
		fmt.Fprintf(c, `<path d="`)
		for _, a := range []float64{lean, lean + e.Spread, lean - e.Spread} {
			// Each arm goes a little over the middle, so that none leaves a notch.
			x, y := math.Cos(a*math.Pi/180), math.Sin(a*math.Pi/180)
			back := e.Width * 0.25
			fmt.Fprintf(c, `M%.4f %.4fL%.4f %.4f`, -back*x, drop-back*y, e.Arm*x+wider/2*x, drop+e.Arm*y+wider/2*y)
		}
		fmt.Fprintf(c, `" fill="none" stroke="%s" stroke-width="%.4f" stroke-linecap="%s"/>`, ink, e.Width+wider, end)
	}
}

// places are the middles of n triangles.
func (t *Triangle) places(n int) [][2]float64 {
	if t.Layout == "pyramid" && n == 3 {
		down := t.Height * 0.58
		return [][2]float64{{0, -t.Rise - down}, {-t.Spacing / 2, -t.Rise + down}, {t.Spacing / 2, -t.Rise + down}}
	}
	var out [][2]float64
	for i := range n {
		at := t.Spacing * (float64(i) - float64(n-1)/2)
		if t.Layout == "column" {
			out = append(out, [2]float64{0, at - t.Rise})
		} else {
			out = append(out, [2]float64{at, -t.Rise})
		}
	}
	return out
}
