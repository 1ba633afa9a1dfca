//go:build matprofile

package locate

import (
	"image"
	"image/color"
	"path/filepath"
	"testing"

	"gocv.io/x/gocv"

	"onlooker/calibrations"
	"onlooker/solve/solvetest"
)

// TestNoMatLeaks counts OpenCV's matrices before and after frames of every
// kind, and frames that are refused. It needs the tag matprofile:
//
//	go test -tags "$TAGS,matprofile" ./vision/locate -run MatLeaks
//
// with the TAGS of the Makefile.
func TestNoMatLeaks(t *testing.T) {
	look, err := calibrations.Load("witness-challenge")
	if err != nil {
		t.Fatal(err)
	}
	// Lines 14 wide every 60 pixels, three cells each way.
	drawn := func(paper, ink color.RGBA) *image.RGBA {
		frame := image.NewRGBA(image.Rect(0, 0, 640, 480))
		for y := range 480 {
			for x := range 640 {
				c := paper
				if x >= 193 && x < 387 && y >= 113 && y < 307 && ((x-193)%60 < 14 || (y-113)%60 < 14) {
					c = ink
				}
				frame.SetRGBA(x, y, c)
			}
		}
		return frame
	}
	frames := []struct {
		name   string
		frame  image.Image
		boards int // -1: any number
		fails  bool
	}{
		{"a board", drawn(color.RGBA{20, 140, 100, 255}, color.RGBA{20, 30, 40, 255}), 1, false},
		{"a board that differs in hue alone", drawn(color.RGBA{140, 20, 40, 255}, color.RGBA{20, 20, 140, 255}), 1, false},
		{"a board that differs in green alone", drawn(color.RGBA{84, 84, 84, 255}, color.RGBA{0, 84, 0, 255}), 1, false},
		{"nothing", image.NewRGBA(image.Rect(0, 0, 320, 200)), 0, false},
		{"a few pixels", image.NewRGBA(image.Rect(0, 0, 4, 4)), 0, false},
		{"no pixel", image.NewRGBA(image.Rectangle{}), 0, true},
		{"too wide", image.NewRGBA(image.Rect(0, 0, maxSide+1, 8)), 0, true},
		{"a line of pixels", image.NewRGBA(image.Rect(0, 0, 2000, 8)), 0, false},
	}
	// Real boards of every kind, pillars above all: they take ways of their own.
	files, err := filepath.Glob(solvetest.Shared("captures", "*-01*.png"))
	if err != nil {
		t.Fatal(err)
	}
	if files == nil {
		t.Log("no shared captures: no pillars")
	}
	for _, file := range files {
		frames = append(frames, struct {
			name   string
			frame  image.Image
			boards int
			fails  bool
		}{filepath.Base(file), solvetest.Picture(t, file), -1, false})
	}
	for _, f := range frames {
		before := gocv.MatProfile.Count()
		for range 3 {
			boards, err := Boards(f.frame, look.Board)
			if (err != nil) != f.fails || f.boards >= 0 && len(boards) != f.boards {
				t.Errorf("%s: %d boards, %v; want %d", f.name, len(boards), err, f.boards)
			}
		}
		if after := gocv.MatProfile.Count(); after != before {
			t.Errorf("%s: %d matrices are left over", f.name, after-before)
		}
	}
}
