package cv

import (
	"image"
	"slices"
	"testing"
)

// TestOutlines: a frame has an outline and that of its hole, with what is set on their left hand, also
// where it reaches to the mask's border; of a few pixels there is none.
func TestOutlines(t *testing.T) {
	const wide, high = 20, 15
	mask := make([]byte, wide*high)
	for y := range high {
		for x := range wide {
			if x < 4 || x > 15 || y < 3 || y > 11 {
				mask[y*wide+x] = 1
			}
		}
	}
	mask[7*wide+9] = 1
	got := Outlines(mask, wide, 8, 1.2)
	want := [][]image.Point{
		{{X: 0, Y: 0}, {X: 0, Y: 14}, {X: 19, Y: 14}, {X: 19, Y: 0}},
		{{X: 3, Y: 3}, {X: 4, Y: 2}, {X: 15, Y: 2}, {X: 16, Y: 3}, {X: 16, Y: 11}, {X: 15, Y: 12}, {X: 4, Y: 12}, {X: 3, Y: 11}},
	}
	area := func(p []image.Point) (sum int) { // twice what is within, negative on its left hand
		for i, a := range p {
			b := p[(i+1)%len(p)]
			sum += a.X*b.Y - b.X*a.Y
		}
		return sum
	}
	if len(got) != 2 {
		t.Fatalf("%v, want two outlines", got)
	}
	if !slices.Equal(got[0], want[0]) || area(got[0]) > 0 || area(got[1]) < 0 || len(got[1]) < 4 {
		t.Errorf("%v, want about %v", got, want)
	}
}
