package witness

import (
	"image"
	"image/color"
	"math"
	"testing"

	witness "onlooker/solve/witness/board"
	"onlooker/vision/locate"
	"onlooker/vision/picture"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/look"
)

// beyond is how much of the wall there is on each side of a panel, in pixels.
const beyond = 80

// onDark is a picture of a panel with a dark wall round it.
func onDark(m *image.RGBA) *image.RGBA {
	return framed(m, m.Rect.Size().Add(image.Pt(2*beyond, 2*beyond)), image.Pt(beyond, beyond), color.RGBA{8, 10, 14, 255})
}

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
		frame := onDark(m)
		boards, err := locate.Boards(frame, profile.Board)
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
		if wrong := witness.Differ(p, got); wrong != "" {
			t.Errorf("%s: %s", row.why, wrong)
		}
	}
}

// TestCapBehindRing: a ring on an end's corner does not hide the cap behind it.
func TestCapBehindRing(t *testing.T) {
	profile := challengeLook(t)
	p := witness.New(3, 3, false)
	p.At(image.Pt(0, 6)).Start = true
	end, out := image.Pt(6, 0), image.Pt(1, 0)
	p.At(end).Cap = out
	style := drawing.Typical(profile)
	style.Ground, style.Lines, style.Line = color.NRGBA{0, 30, 20, 255}, color.NRGBA{186, 200, 240, 255}, 0.23
	const pitch = 75
	m := drawing.Draw(p, style, pitch)
	frame := onDark(m)
	least, _ := picture.Extent(drawing.Shapes(p, nil, style))
	node := image.Pt(beyond+int((float64(end.X)-least.X)*pitch/2), beyond+int((float64(end.Y)-least.Y)*pitch/2))
	for y := -12; y <= 12; y++ {
		for x := -12; x <= 12; x++ {
			if d := math.Hypot(float64(x), float64(y)); d > 5.5 && d < 10 {
				frame.SetRGBA(node.X+x, node.Y+y, color.RGBA{0, 130, 130, 255})
			}
		}
	}
	boards, err := locate.Boards(frame, profile.Board)
	if err != nil || len(boards) != 1 {
		t.Fatalf("%d boards, %v", len(boards), err)
	}
	reach := 0.0
	for _, v := range look.New(boards[0], profile, drawing.Known()).Lines.CapViews(end) {
		if v.Dir == out {
			reach = v.Own()
		}
	}
	if want := look.UsualDivide(look.DivideCap)[1]; reach < want {
		t.Errorf("the cap reaches %.2f line widths, want %.2f at least", reach, want)
	}
}
