package calibrate

import (
	"image"
	"image/color"
	"path/filepath"
	"testing"

	"onlooker/cmd/internal/cli"
)

// TestShots: the same picture given twice counts once.
func TestShots(t *testing.T) {
	picture := func(name string, c color.Color) string {
		m := image.NewRGBA(image.Rect(0, 0, 40, 40))
		m.Set(3, 4, c)
		name = filepath.Join(t.TempDir(), name)
		if err := cli.WritePicture(name, m); err != nil {
			t.Fatal(err)
		}
		return name
	}
	one, other := picture("one.png", color.White), picture("other.png", color.Black)
	shots, err := (&Calibrator{}).shots("", []string{one, other, one, picture("copy.png", color.White)}, "", nil)
	if err != nil || len(shots) != 2 || shots[0].name != one || shots[1].name != other {
		t.Errorf("got %d, %v; want the two that differ", len(shots), err)
	}
}
