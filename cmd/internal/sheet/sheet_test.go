package sheet

import (
	"testing"

	"onlooker/vision/picture"
)

// TestLayOut shows that nothing leaves the paper, and nothing covers another.
func TestLayOut(t *testing.T) {
	for _, size := range [][2]float64{{3, 3}, {11, 11}, {41, 9}, {9, 80}, {101, 101}} {
		var puzzles []Item
		board := []picture.Shape{{Kind: picture.Polygon, Points: picture.Box(-1, -1, size[0]-1, size[1]-1)}}
		for range 30 {
			puzzles = append(puzzles, Item{Caption: "5 conflicts", Board: board, Answer: board})
		}
		seen := 0
		for _, page := range Pages("title", puzzles) {
			from, to := picture.Extent(page)
			if from != (picture.Point{}) || to != (picture.Point{X: PageWidth, Y: PageHeight}) {
				t.Errorf("%v: a page from %v to %v", size, from, to)
			}
			var boxes [][2]picture.Point
			for _, s := range page[1:] {
				from, to := picture.Extent([]picture.Shape{s})
				for _, b := range boxes {
					if from.X < b[1].X-1e-9 && b[0].X < to.X-1e-9 && from.Y < b[1].Y-1e-9 && b[0].Y < to.Y-1e-9 {
						t.Fatalf("%v: %v to %v covers %v", size, from, to, b)
					}
				}
				boxes = append(boxes, [2]picture.Point{from, to})
				if s.Kind == picture.Polygon {
					seen++
				}
			}
		}
		if seen != 60 {
			t.Errorf("%v: %d pictures, want 30 boards and 30 answers", size, seen)
		}
	}
}
