package flow

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/fogleman/gg"

	"onlooker/solve/flow"
	"onlooker/solve/solvetest"
)

// lane draws one lane of a bridge, off its cell's middle, in one of some forms.
func (d *drawn) lane(c image.Point, form string, down bool, off float64) {
	x, y := d.middle(c)
	at := func(along, off float64) {
		if down {
			along, off = off, along
		}
		d.LineTo(x+along*d.cell, y+off*d.cell)
	}
	d.SetColor(grey(200))
	if r, _, _, _ := d.ground.RGBA(); r > 0x8000 {
		d.SetColor(grey(60))
	}
	d.SetLineWidth(max(1, d.cell*0.035))
	d.SetLineJoin(gg.LineJoinRound)
	switch form {
	case "straight":
		at(-0.46, off)
		at(0.46, off)
	case "arch":
		for a := -0.44; a <= 0.44; a += 0.04 {
			at(a, off-0.06*math.Max(0, math.Cos(a*math.Pi/0.36))*math.Max(0, 1-math.Abs(a)/0.18))
		}
	case "flared":
		for a := -0.46; a <= 0.461; a += 0.04 {
			at(a, off+math.Copysign(0.09*math.Pow(math.Abs(a)/0.46, 6), off))
		}
	}
	d.Stroke()
}

// crossing is a board with one bridge, a pair on both sides of it and one above and
// below.
func crossing(rng *rand.Rand) (p *flow.Puzzle, bridge image.Point, err error) {
	cols, rows := 5+rng.IntN(4), 5+rng.IntN(4)
	bridge = image.Pt(2+rng.IntN(cols-4), 2+rng.IntN(rows-4))
	b := flow.NewBuilder(flow.Square, cols, rows).Bridge(bridge)
	b.Pair(image.Pt(0, bridge.Y), image.Pt(cols-1, bridge.Y))
	b.Pair(image.Pt(bridge.X, 0), image.Pt(bridge.X, rows-1))
	b.Pair(image.Pt(0, 0), image.Pt(1, 1))
	b.Pair(image.Pt(cols-1, rows-1), image.Pt(cols-2, 0))
	p, err = b.Puzzle()
	return p, bridge, err
}

// TestPathsOverBridges reads bridges with paths over and under them.
func TestPathsOverBridges(t *testing.T) {
	for i, s := range styles() {
		for k, form := range []string{"straight", "arch", "flared"} {
			if i%3 == k {
				continue // each form in four styles
			}
			for _, paths := range []string{"none", "over", "under", "both", "hiding", "half"} {
				t.Run(fmt.Sprintf("%s/%s/%s", s.name, form, paths), func(t *testing.T) {
					rng := rand.New(rand.NewPCG(uint64(k), uint64(s.cell)))
					p, bridge, err := crossing(rng)
					solvetest.OK(t, err)
					s.path = min(s.path, 0.34)
					colours := inks("own", rng, 4)
					d := s.board(p)
					down := k == 1
					cols, rows := p.Size()
					along, across := line(image.Pt(0, bridge.Y), image.Pt(cols-1, bridge.Y)), line(image.Pt(bridge.X, 0), image.Pt(bridge.X, rows-1))
					over, under := colours[pairOf(p, along)], colours[pairOf(p, across)]
					if down {
						along, across, over, under = across, along, under, over
					}
					lanes := func() {
						d.lane(bridge, form, down, -0.22)
						d.lane(bridge, form, down, 0.22)
					}
					if paths == "hiding" {
						lanes()
					}
					if paths == "under" || paths == "both" || paths == "hiding" {
						d.route(across, under)
					}
					if paths == "both" { // the deck hides what is under it
						x, y := d.middle(bridge)
						d.SetColor(s.ground)
						if w, h := 0.92*s.cell, 0.44*s.cell; down {
							d.DrawRectangle(x-h/2, y-w/2, h, w)
						} else {
							d.DrawRectangle(x-w/2, y-h/2, w, h)
						}
						d.Fill()
					}
					switch paths {
					case "over", "both", "hiding":
						d.route(along, over)
					case "half":
						n := bridge.X
						if down {
							n = bridge.Y
						}
						d.route(along[:n+1], over)
					}
					if paths != "hiding" {
						lanes()
					}
					d.reads(t, p, colours)
				})
			}
		}
	}
}

// line is the cells from one to another in its row or column.
func line(from, to image.Point) (out []image.Point) {
	way := image.Pt(sign(to.X-from.X), sign(to.Y-from.Y))
	for c := from; c != to; c = c.Add(way) {
		out = append(out, c)
	}
	return append(out, to)
}

func sign(v int) int { return max(-1, min(1, v)) }

// TestPathsOverWarps reads a board whose outline is open on both sides of a row or of
// a column, with a path through there.
func TestPathsOverWarps(t *testing.T) {
	for _, s := range styles() {
		if s.line == nil {
			continue // the outline is told by how its lines differ from those between the cells
		}
		s.page = s.ground // a cell is open where its ground goes on
		for _, paths := range []string{"none", "one side", "through"} {
			for _, down := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s/%s/%t", s.name, paths, down), func(t *testing.T) {
					const n, warp = 5, 2
					turned := func(c image.Point) image.Point {
						if down {
							return image.Pt(c.Y, c.X)
						}
						return c
					}
					b := flow.NewBuilder(flow.Square, n, n).Torus()
					for i := range n {
						b.Wall(turned(image.Pt(i, 0)), turned(image.Pt(i, n-1)))
						if i != warp {
							b.Wall(turned(image.Pt(0, i)), turned(image.Pt(n-1, i)))
						}
					}
					b.Pair(turned(image.Pt(1, warp)), turned(image.Pt(3, warp)))
					b.Pair(turned(image.Pt(0, 0)), turned(image.Pt(3, 4)))
					b.Pair(turned(image.Pt(4, 0)), turned(image.Pt(4, 4)))
					p := solvetest.Must(b.Puzzle())(t)
					d := s.board(p)
					d.outline(n, warp, down)
					colours := inks("own", rand.New(rand.NewPCG(1, 2)), 3)
					own := colours[pairOf(p, []image.Point{turned(image.Pt(1, warp))})]
					if paths != "none" {
						d.route([]image.Point{turned(image.Pt(1, warp)), turned(image.Pt(0, warp)), turned(image.Pt(-1, warp))}, own)
					}
					if paths == "through" {
						d.route([]image.Point{turned(image.Pt(3, warp)), turned(image.Pt(4, warp)), turned(image.Pt(5, warp))}, own)
					}
					d.reads(t, p, colours)
				})
			}
		}
	}
}

// outline draws a board's outline, open where a row, or a column, runs out on both
// sides.
func (d *drawn) outline(n, warp int, down bool) {
	wide := max(3, d.cell*0.09)
	line := func(x0, y0, x1, y1 float64) {
		if down {
			x0, y0, x1, y1 = y0, x0, y1, x1
		}
		d.DrawLine(d.at.X+x0*d.cell, d.at.Y+y0*d.cell, d.at.X+x1*d.cell, d.at.Y+y1*d.cell)
		d.Stroke()
	}
	d.SetLineCap(gg.LineCapSquare)
	for _, x := range []float64{0, float64(n)} {
		d.SetColor(d.page)
		d.SetLineWidth(2 * wide)
		line(x, float64(warp), x, float64(warp+1))
		d.SetColor(grey(235))
		if r, _, _, _ := d.page.RGBA(); r > 0x8000 {
			d.SetColor(grey(40))
		}
		d.SetLineWidth(wide)
		line(x, 0, x, float64(warp))
		line(x, float64(warp+1), x, float64(n))
		out := math.Copysign(0.6, x-1)
		line(x, float64(warp), x+out, float64(warp))
		line(x, float64(warp+1), x+out, float64(warp+1))
		line(0, x, float64(n), x)
	}
	d.SetLineCap(gg.LineCapButt)
}

// reads draws a board's ends and wants it read as it is.
func (d *drawn) reads(t *testing.T, p *flow.Puzzle, colours []color.NRGBA) {
	t.Helper()
	for i, pair := range p.Pairs() {
		for _, c := range pair {
			d.end(t, c, colours[i], "")
		}
	}
	got := solvetest.Must(scanned(t, d.Image()))(t)
	if want := textOf(t, p); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
