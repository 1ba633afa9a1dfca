//go:build matprofile

package vision

import (
	"image"
	"image/color"
	"testing"

	"gocv.io/x/gocv"

	"onlooker/calibrations"
)

// TestNoMatLeaks counts OpenCV's matrices before and after frames with a board
// and without one. It needs -tags matprofile.
func TestNoMatLeaks(t *testing.T) {
	look, err := calibrations.Load("witness-challenge")
	if err != nil {
		t.Fatal(err)
	}
	frame := image.NewRGBA(image.Rect(0, 0, 640, 480))
	for y := range 480 {
		for x := range 640 {
			c := color.RGBA{20, 140, 100, 255}
			// Lines 14 wide every 60 pixels, three cells each way.
			if x >= 193 && x < 387 && y >= 113 && y < 307 && ((x-193)%60 < 14 || (y-113)%60 < 14) {
				c = color.RGBA{20, 30, 40, 255}
			}
			frame.SetRGBA(x, y, c)
		}
	}
	before := gocv.MatProfile.Count()
	for range 5 {
		boards, err := Locate(frame, look.Board)
		if err != nil || len(boards) != 1 {
			t.Fatalf("%d boards, %v; want one", len(boards), err)
		}
		if boards, err := Locate(image.NewRGBA(image.Rect(0, 0, 320, 200)), look.Board); err != nil || len(boards) != 0 {
			t.Fatalf("%d boards, %v; want none", len(boards), err)
		}
	}
	if after := gocv.MatProfile.Count(); after != before {
		t.Errorf("%d matrices are left over", after-before)
	}
}
