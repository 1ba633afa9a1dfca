package main

import (
	"image"
	"image/color"
	"image/draw"
	"testing"

	"onlooker/calibrations"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/games"
	"onlooker/cmd/internal/intake"
	"onlooker/solve/solvetest"
	witness "onlooker/solve/witness/board"
	drawing "onlooker/vision/picture/witness"
)

// TestChoiceOfLook: of looks that read the same picture the one is taken that explains it
// best, whatever their order.
func TestChoiceOfLook(t *testing.T) {
	site := solvetest.Must(calibrations.Load("witnesspuzzles"))(t)
	style := drawing.Typical(site)
	style.Line, style.Gap, style.Start, style.Cap = 24./82, 17./82, 1, 1.5
	style.Ground, style.Lines, style.Around, style.Dot = color.NRGBA{0, 170, 136, 255}, color.NRGBA{51, 68, 68, 255}, color.NRGBA{A: 255}, color.NRGBA{A: 255}
	p := witness.New(3, 3, false)
	p.At(image.Pt(0, 6)).Start, p.At(image.Pt(0, 6)).Dot.On = true, true
	p.At(image.Pt(6, 0)).Cap, p.At(image.Pt(6, 4)).Cap = image.Pt(0, -1), image.Pt(1, 0)
	m := drawing.Draw(p, style, 82)
	frame := image.NewRGBA(image.Rect(0, 0, 1280, 720))
	draw.Draw(frame, frame.Rect, image.White, image.Point{}, draw.Src)
	draw.Draw(frame, m.Rect.Add(image.Pt(400, 150)), m, image.Point{}, draw.Over)
	eye := solvetest.Must((&intake.Games{List: games.Of()}).PictureEye("auto"))(t)
	for range 2 {
		sight := solvetest.Must(eye.Look(frame, see.Millis{}))(t)
		if sight.Read() != 1 || sight.Profile.Name != "witnesspuzzles" {
			t.Fatalf("%d boards read in the look %s, want one in witnesspuzzles", sight.Read(), sight.Profile.Name)
		}
		got := witness.Of(sight.Readings[0].Puzzle)
		if !got.At(image.Pt(0, 6)).Dot.On || !got.At(image.Pt(6, 0)).IsEnd() || !got.At(image.Pt(6, 4)).IsEnd() {
			t.Error("a dot on a start, or an end, is lost")
		}
		other := eye.Profiles // the other order
		for i, j := 0, len(other)-1; i < j; i, j = i+1, j-1 {
			other[i], other[j] = other[j], other[i]
		}
	}
}

// TestCutClosely: a panel that is cut out with half a cell about it is one, and one whose lines go
// on to the picture's border is none.
func TestCutClosely(t *testing.T) {
	site := solvetest.Must(calibrations.Load("witnesspuzzles"))(t)
	p := witness.New(4, 4, false)
	p.At(image.Pt(0, 8)).Start = true
	p.At(image.Pt(8, 0)).Cap = image.Pt(0, -1)
	p.At(image.Pt(3, 3)).Kind, p.At(image.Pt(3, 3)).Colour = witness.Square, "red"
	p.At(image.Pt(5, 3)).Kind, p.At(image.Pt(5, 3)).Colour = witness.Square, "blue"
	const pitch = 60
	m := drawing.Draw(p, drawing.Typical(site), pitch)
	about := (m.Rect.Dx() - 4*pitch) / 2
	eye := autoEye(t)
	for _, row := range []struct {
		why   string
		inset int
		right int // pixels more at the right
		want  int
	}{
		{"all about it", 0, 0, 1},
		{"0.45 of a cell about it", about - 27, 0, 1},
		{"a half of its last column", about - 27, 27 + pitch/2, 0},
	} {
		box := m.Rect.Inset(row.inset)
		box.Max.X -= row.right
		sight := solvetest.Must(eye.Look(kept(m, box), see.Millis{}))(t)
		if sight.Read() != row.want {
			t.Errorf("%s: %d boards read, want %d: %+v", row.why, sight.Read(), row.want, sight.Readings)
		}
	}
}
