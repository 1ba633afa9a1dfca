package solve

import (
	"image"
	"testing"
)

func TestPlaceName(t *testing.T) {
	seen := map[string]image.Point{}
	for _, row := range []struct {
		at   image.Point
		want string
	}{
		{image.Pt(1, 1), "column 1 row 1"}, {image.Pt(3, 5), "column 2 row 3"},
		{image.Pt(0, 0), "corner column 1 row 1"}, {image.Pt(0, 4), "corner column 1 row 3"},
		{image.Pt(1, 0), "edge over column 1 row 1"}, {image.Pt(1, 2), "edge under column 1 row 1"},
		{image.Pt(0, 3), "edge left of column 1 row 2"}, {image.Pt(4, 3), "edge right of column 2 row 2"},
		{image.Pt(-1, 3), "column 0 row 2"},
	} {
		if got := PlaceName(row.at); got != row.want {
			t.Errorf("%v is %q, want %q", row.at, got, row.want)
		}
	}
	for x := range 41 {
		for y := range 41 {
			at := image.Pt(x, y)
			if other, ok := seen[PlaceName(at)]; ok {
				t.Fatalf("%v and %v are both %q", at, other, PlaceName(at))
			}
			seen[PlaceName(at)] = at
		}
	}
}
