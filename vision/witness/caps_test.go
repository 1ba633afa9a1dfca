package witness

import (
	"image"
	"image/color"
	"image/draw"
	"testing"

	"onlooker/solve/witness"
	"onlooker/vision"
	drawing "onlooker/vision/picture/witness"
)

// TestCapBesideMarks reads a slanting cap whose corner is reached over a dot
// from the left and, but for a break, from above.
func TestCapBesideMarks(t *testing.T) {
	profile := challengeLook(t)
	for _, row := range []struct {
		why         string
		dot, broken bool
	}{
		{"plain lines", false, false}, {"a dot", true, false}, {"a break", false, true}, {"a dot and a break", true, true},
	} {
		p := witness.New(5, 5, false)
		p.At(image.Pt(0, 0)).Start = true
		p.At(image.Pt(10, 10)).Cap = image.Pt(1, 1)
		p.At(image.Pt(3, 4)).Gap = witness.Broken
		if row.dot {
			p.At(image.Pt(9, 10)).Dot.On = true
		}
		if row.broken {
			p.At(image.Pt(10, 9)).Gap = witness.Broken
		}
		style := drawing.Typical(profile)
		// The practice page's night: the pedestal's colours.
		style.Ground, style.Lines, style.Dot = color.NRGBA{18, 26, 42, 255}, color.NRGBA{61, 83, 120, 255}, color.NRGBA{240, 176, 64, 255}
		style.Line, style.Gap = 0.33, 0.26
		m := drawing.Draw(p, style, 60)
		frame := image.NewRGBA(m.Rect.Inset(-80).Sub(m.Rect.Min.Sub(image.Pt(80, 80))))
		draw.Draw(frame, frame.Rect, image.NewUniform(color.RGBA{8, 10, 14, 255}), image.Point{}, draw.Src)
		draw.Draw(frame, m.Rect.Sub(m.Rect.Min).Add(image.Pt(80, 80)), m, m.Rect.Min, draw.Over)
		boards, err := vision.Locate(frame, profile.Board)
		if err != nil || len(boards) != 1 {
			t.Fatalf("%s: %d boards, %v", row.why, len(boards), err)
		}
		r := NewReader(profile)
		if err := r.Add(boards[0]); err != nil {
			t.Fatal(err)
		}
		got, err := r.Panel()
		if err != nil {
			t.Errorf("%s: %v", row.why, err)
			continue
		}
		if wrong := differ(p, got); wrong != "" {
			t.Errorf("%s: %s", row.why, wrong)
		}
	}
}
