package vision

import (
	"image"
	"math"
	"testing"
)

func TestPlaced(t *testing.T) {
	quad := [4]Point{{100, 50}, {520, 80}, {480, 310}, {90, 260}}
	b, err := Placed(image.Pt(640, 480), 7, 3, quad)
	if err != nil {
		t.Fatal(err)
	}
	for i, at := range []Point{{0, 0}, {14, 0}, {14, 6}, {0, 6}} {
		if p := b.ScreenPoint(at.X, at.Y); math.Hypot(p.X-quad[i].X, p.Y-quad[i].Y) > 1e-6 {
			t.Errorf("corner %d: got %v, want %v", i, p, quad[i])
		}
	}
	// The diagonals cross in the middle of the board.
	if p := b.ScreenPoint(7, 3); math.Abs((p.X-100)/(480-100)-(p.Y-50)/(310-50)) > 1e-9 {
		t.Errorf("the middle is at %v, off a diagonal", p)
	}
	if _, err := Placed(image.Pt(640, 480), 7, 3, [4]Point{{1, 1}, {2, 2}, {3, 3}, {4, 4}}); err == nil {
		t.Error("an outline without area was taken")
	}
}
