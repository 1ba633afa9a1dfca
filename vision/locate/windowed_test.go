package locate

import (
	"image"
	"image/color"
	"image/draw"
	"path/filepath"
	"testing"

	"onlooker/calibrations"
	"onlooker/solve/solvetest"
	"onlooker/vision"
)

// TestWindowed: a window over a part of a board, from one of its lines on, or a crop, leaves no smaller board
// of which nothing says that it is cut; the boards themselves are not cut.
func TestWindowed(t *testing.T) {
	dir, truth := solvetest.Captures(t)
	p := solvetest.Must(calibrations.Load("witness-challenge"))(t)
	cut := 0
	dark, light := color.Gray{Y: 36}, color.Gray{Y: 200} // on black panels a dark window is not seen
	for name, window := range map[string]color.Gray{"wall-maze-3x3-03.png": dark, "triangles-01.png": light, "column-polyominoes-05.png": light, "other-21.png": light} {
		m := vision.AsRGBA(solvetest.Picture(t, filepath.Join(dir, name)))
		want := truth[name].Boards[0]
		whole := solvetest.Must(vision.Placed(m.Rect.Size(), want.Size[0], want.Size[1], [4]vision.Point{
			{X: want.Quad[0][0], Y: want.Quad[0][1]}, {X: want.Quad[1][0], Y: want.Quad[1][1]},
			{X: want.Quad[2][0], Y: want.Quad[2][1]}, {X: want.Quad[3][0], Y: want.Quad[3][1]}}))(t)
		found := solvetest.Must(Boards(m, p.Board))(t)
		for _, b := range found {
			if b.Cut != [4]bool{} {
				t.Errorf("%s: its board of %d×%d is cut at %v", name, b.Cols, b.Rows, b.Cut)
			}
		}
		for side := range 4 {
			line := 2 // the second line from the left and from the top, and from the right and from below
			if side%2 == 1 {
				line = 2*want.Size[side/2] - 2
			}
			off := 0.2 * float64(side-1) / 2 // from a line's one border to beyond its other
			at := whole.ScreenPoint(float64(want.Size[0]), float64(line)+off)
			if side < 2 {
				at = whole.ScreenPoint(float64(line)+off, float64(want.Size[1]))
			}
			x, y, far := int(at.X), int(at.Y), max(m.Rect.Dx(), m.Rect.Dy())
			over := [4]image.Rectangle{image.Rect(0, 0, x, far), image.Rect(x, 0, far, far), image.Rect(0, 0, far, y), image.Rect(0, y, far, far)}[side]
			windowed := image.NewRGBA(m.Rect)
			draw.Draw(windowed, m.Rect, m, image.Point{}, draw.Src)
			draw.Draw(windowed, over, image.NewUniform(window), image.Point{}, draw.Src)
			left := [4]image.Rectangle{image.Rect(x, 0, far, far), image.Rect(0, 0, x, far), image.Rect(0, y, far, far), image.Rect(0, 0, far, y)}[side]
			for what, m := range map[string]image.Image{"covered": windowed, "cropped": m.SubImage(left)} {
				found := solvetest.Must(Boards(m, p.Board))(t)
				for _, b := range found {
					if b.Cut != [4]bool{} {
						cut++
					} else if b.Sized > 0.5 && 2*b.ScreenPitch > whole.ScreenPitch && b.Cols*b.Rows > 3 && b.Cols*b.Rows < want.Size[0]*want.Size[1] {
						t.Errorf("%s, %s from side %d up to %v: %d×%d cells, %.2f sure, and not cut", name, what, side, at, b.Cols, b.Rows, b.Sized)
					}
				}
			}
		}
	}
	if cut < 24 {
		t.Errorf("%d boards are cut, want one of nearly each of 16 windows and 16 crops", cut)
	}
}
