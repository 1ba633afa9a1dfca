// Package agenttest has what the agent's tests play with: a client that takes a line, one of
// lamps, a pillar on the screen, and pictures of panels.
package agenttest

import (
	"image"
	"image/color"
	"image/draw"
	"testing"

	"onlooker/calibrations"
	"onlooker/solve"
	"onlooker/solve/solvetest"
	"onlooker/solve/witness"
	"onlooker/solve/witness/forms"
	drawing "onlooker/vision/picture/witness"
	visionwitness "onlooker/vision/witness"
)

func Grey(v uint8) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, 320, 320))
	draw.Draw(m, m.Rect, image.NewUniform(color.RGBA{v, v, v, 255}), image.Point{}, draw.Src)
	return m
}

func Profile(t *testing.T) *calibrations.Profile {
	t.Helper()
	return solvetest.Must(calibrations.Load("witness-challenge"))(t)
}

// Board draws a panel with its picture moved by some pixels.
func Board(t *testing.T, text string, by int) *image.RGBA {
	t.Helper()
	panel := solvetest.Must(forms.Parse([]byte(text)))(t)
	m := Grey(70)
	d := drawing.Draw(panel, drawing.Typical(Profile(t)), 40)
	draw.Draw(m, d.Rect.Add(image.Pt(20+by, 20)), d, image.Point{}, draw.Over)
	return m
}

const Squares = "panel 3x3\n+-+-+-^\n|a| |b|\n+-+-+-+\n| |a|b|\n+-+-+-+\n|a| |b|\n@-+-+-+\na = black square\nb = white square\n"

// A panelReader's puzzle is the panel that it reads.
type PanelReader struct{ *visionwitness.Reader }

func (r PanelReader) Puzzle() (solve.Puzzle, error) {
	panel, err := r.Panel()
	if err != nil {
		return nil, err
	}
	return witness.Of(panel), nil
}
