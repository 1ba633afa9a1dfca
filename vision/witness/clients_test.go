package witness

import (
	"image"
	"image/color"
	"image/draw"
	"math/rand/v2"
	"testing"

	"onlooker/calibrations"
	"onlooker/solve/witness"
	"onlooker/vision"
	"onlooker/vision/picture"
	drawing "onlooker/vision/picture/witness"
)

// themed is a panel drawn by a profile's numbers in given colours.
func themed(p *witness.Panel, look *calibrations.Profile, ground, lines, dot color.NRGBA, pitch float64) image.Image {
	style := drawing.Typical(look)
	b := &look.Board // the middles of what it allows
	style.Line, style.Gap, style.Start, style.Cap = (b.Line[0]+b.Line[1])/2, (b.Gap[0]+b.Gap[1])/2, (b.Start[0]+b.Start[1])/2, (b.Cap[0]+b.Cap[1])/2
	style.Ground, style.Lines, style.Dot = ground, lines, dot
	style.Trace, style.Second = color.NRGBA{136, 255, 255, 255}, color.NRGBA{255, 255, 34, 255}
	m := picture.Image(drawing.Shapes(p, nil, style), pitch/2)
	frame := image.NewRGBA(image.Rect(0, 0, m.Rect.Dx()+200, m.Rect.Dy()+160))
	draw.Draw(frame, frame.Rect, image.NewUniform(color.RGBA{250, 250, 250, 255}), image.Point{}, draw.Src)
	draw.Draw(frame, m.Rect.Sub(m.Rect.Min).Add(image.Pt(100, 80)), m, m.Rect.Min, draw.Over)
	return frame
}

// TestWitnesspuzzlesLook reads panels in the look that comes along for
// witnesspuzzles.com, drawn by its numbers in the colours of both its themes: what is
// read must be right, and nine of ten must be read.
func TestWitnesspuzzlesLook(t *testing.T) {
	look, err := calibrations.Load("witnesspuzzles")
	if err != nil {
		t.Fatal(err)
	}
	rgb := func(r, g, b uint8) color.NRGBA { return color.NRGBA{r, g, b, 255} }
	read, all := 0, 0
	for seed := range 12 {
		rng := rand.New(rand.NewPCG(uint64(seed), 5))
		want := mixedPanel(rng, 3+rng.IntN(3), 2+rng.IntN(4))
		ground, lines := rgb(0, 170, 136), rgb(51, 68, 68)
		if seed&1 == 1 {
			ground, lines = rgb(34, 34, 17), rgb(119, 85, 17)
		}
		frame := themed(want, look, ground, lines, rgb(0, 0, 0), 44+20*rng.Float64())
		boards, err := vision.Locate(frame, look.Board)
		if err != nil {
			t.Fatal(err)
		}
		all++
		if len(boards) != 1 {
			t.Logf("seed %d: %d boards found, want 1", seed, len(boards))
			continue
		}
		r := NewReader(look)
		if err := r.Add(boards[0]); err != nil {
			t.Fatal(err)
		}
		got, err := r.Panel()
		if err != nil {
			t.Logf("seed %d: %v", seed, err)
			continue
		}
		read++
		if wrong := differ(seen(want), seen(got)); wrong != "" {
			t.Errorf("seed %d: %s", seed, wrong)
		}
	}
	if 10*read < 9*all {
		t.Errorf("%d of %d boards read, want nine of ten", read, all)
	}
}
