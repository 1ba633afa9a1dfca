package witness

import (
	"image"
	"image/color"
	"math"
	"testing"

	"onlooker/calibrations"
	"onlooker/solve/solvetest"
	witness "onlooker/solve/witness/board"
	"onlooker/vision/witness/look"
	"onlooker/vision/witness/pillar"
)

// A roundTheme is the colours of what is outside a pillar that is drawn flat, of its
// cells and of its lines, and of a hairline where the last line would be, if it has one.
type roundTheme struct{ outer, paper, ink, end color.RGBA }

// drawRound draws a pillar flat, a pitch of 80 pixels: the last column of cells
// shows left of the first column of lines, and both sides fade into the ground
// outside. line is the colour of the player's line along some edges.
func drawRound(p *witness.Panel, theme roundTheme, traced map[image.Point]bool) *image.RGBA {
	const half, margin, wide = 40, 100, 12
	outer, paper, ink := theme.outer, theme.paper, theme.ink
	line, dot := color.RGBA{250, 250, 250, 255}, color.RGBA{0, 0, 0, 255}
	w, h := 2*p.Cols*half+2*margin, 2*p.Rows*half+2*margin
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	disc := func(at image.Point, x, y, r float64) bool {
		return math.Hypot(x-float64(at.X*half), y-float64(at.Y*half)) < r
	}
	inked := func(at image.Point) color.RGBA {
		if traced[at] {
			return line
		}
		return ink
	}
	for py := range h {
		for px := range w {
			x, y := float64(px-margin), float64(py-margin)
			c := outer
			if x > -24 && x < float64(2*p.Cols*half)-wide && y > 0 && y < float64(2*p.Rows*half) {
				c = paper
			}
			near := image.Pt(int(math.Round(x/half)), int(math.Round(y/half)))
			for at := range p.Points() {
				if by := at.Sub(near); max(by.X, -by.X) > 1 || max(by.Y, -by.Y) > 1 || c == line {
					continue
				}
				dx, dy := math.Abs(x-float64(at.X*half)), math.Abs(y-float64(at.Y*half))
				q := p.At(at)
				switch {
				case witness.IsCell(at):
					continue
				case witness.IsEdge(at) && at.Y&1 == 0 && dx <= half && dy < wide, witness.IsEdge(at) && at.Y&1 == 1 && dy <= half && dx < wide:
					c = inked(at)
				case at.X == 0 && at.Y&1 == 0 && x < 0 && x > -24 && dy < wide: // the edge before it
					c = inked(image.Pt(2*p.Cols-1, at.Y))
				}
				if q.Start && disc(at, x, y, 24) || q.IsEnd() && q.Cap.Y < 0 && dx < wide && y < 0 && y > -36 {
					c = inked(at)
				}
			}
			for at := range p.Points() {
				if p.At(at).Dot.On && disc(at, x, y, 10) {
					c = dot
				}
			}
			// 24 pixels and more before the first column nothing is left, nor at the last.
			by := max((12-x)/36, 1-(float64(2*p.Cols*half)-x)/30)
			by = max(0, min(1, by))
			mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a)*(1-by) + float64(b)*by)) }
			m.SetRGBA(px, py, color.RGBA{mix(c.R, outer.R), mix(c.G, outer.G), mix(c.B, outer.B), 255})
			if theme.end.A != 0 && px == margin+2*p.Cols*half && y > 0 && y < float64(2*p.Rows*half) {
				m.SetRGBA(px, py, theme.end)
			}
		}
	}
	return m
}

// TestDrawnRound: a pillar that is drawn flat, with what is hardest on its first
// column, is read as one, and its line is seen across the seam. In the dark theme
// nothing is seen where its last line has faded, but for those that lead to it.
func TestDrawnRound(t *testing.T) {
	light := roundTheme{color.RGBA{18, 52, 48, 255}, color.RGBA{0, 170, 136, 255}, color.RGBA{51, 68, 68, 255}, color.RGBA{}}
	dark := roundTheme{color.RGBA{10, 10, 5, 255}, color.RGBA{34, 34, 17, 255}, color.RGBA{119, 85, 17, 255}, color.RGBA{}}
	// A page that a browser draws at two thirds of its size.
	smaller := light
	smaller.end = color.RGBA{11, 94, 80, 255}
	want := witness.New(5, 3, true)
	for _, at := range []image.Point{{X: 0, Y: 6}, {X: 4, Y: 6}} {
		want.At(at).Start = true
	}
	for _, at := range []image.Point{{X: 8, Y: 0}, {X: 2, Y: 0}} {
		want.At(at).Cap = image.Pt(0, -1)
	}
	for _, at := range []image.Point{{X: 0, Y: 2}, {X: 9, Y: 2}, {X: 5, Y: 2}, {X: 0, Y: 3}} {
		want.At(at).Dot = witness.Dot{On: true, Colour: "#000000"}
	}
	want.Symmetry = witness.SymmetryOf(want)
	path := map[image.Point]bool{}
	for _, at := range []image.Point{{X: 0, Y: 6}, {X: 0, Y: 5}, {X: 0, Y: 4}, {X: 9, Y: 4}, {X: 8, Y: 4}, {X: 8, Y: 3}, {X: 8, Y: 2}, {X: 8, Y: 1}, {X: 8, Y: 0}} {
		path[at] = true
	}
	for _, row := range []struct {
		why, look string
		theme     roundTheme
		traced    map[image.Point]bool
	}{
		{"bare", "witness-challenge", light, nil},
		{"solved", "witness-challenge", light, path},
		{"bare and dark", "witnesspuzzles", dark, nil},
		{"bare, in a look that knows its lines", "witnesspuzzles", light, nil},
		{"with a hairline", "witnesspuzzles", smaller, nil},
	} {
		t.Run(row.why, func(t *testing.T) {
			profile := solvetest.Must(calibrations.Load(row.look))(t)
			if profile.Learned.Divides == nil {
				profile.Learned.Divides = map[string]calibrations.Range{look.DivideStart: look.UsualDivide(look.DivideStart)}
			}
			board := only(t, drawRound(want, row.theme, row.traced), profile)
			got := solvetest.Must(readPanel(t, profile, board))(t)
			if row.traced == nil {
				if d := witness.Differ(want, got); d != "" {
					t.Fatalf("read otherwise than drawn: %s", d)
				}
			}
			if board.Solved != (row.traced != nil) {
				t.Fatalf("solved is %t, want %t", board.Solved, row.traced != nil)
			}
		})
	}
}

// TestUnrollFlat: no board that ends at both sides is taken for one that goes round.
func TestUnrollFlat(t *testing.T) {
	look := challengeLook(t)
	for seed := range uint64(12) {
		boards := located(t, randomScene(t, look, seed).frame, look)
		for _, b := range boards {
			if _, round := pillar.Unroll(b); round {
				t.Errorf("seed %d: a board of %dx%d cells is taken for one that goes round", seed, b.Cols, b.Rows)
			}
		}
	}
}
