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

// TestExplain explains a board that was read and one that was not: the first's stars
// are outlined, and what failed the second is written below it.
func TestExplain(t *testing.T) {
	look, err := calibrations.Load("witnesspuzzles")
	if err != nil {
		t.Fatal(err)
	}
	p := witness.New(2, 2, false)
	p.At(image.Pt(0, 4)).Start, p.At(image.Pt(4, 0)).Cap = true, image.Pt(1, 0)
	p.At(image.Pt(1, 1)).Symbol = witness.Symbol{Kind: witness.Star, Colour: witness.White}
	frame := themed(p, look, color.NRGBA{0, 170, 136, 255}, color.NRGBA{51, 68, 68, 255}, color.NRGBA{A: 255}, 70)
	boards, err := vision.Locate(frame, look.Board)
	if err != nil || len(boards) != 1 {
		t.Fatalf("%d boards, %v", len(boards), err)
	}
	changed := func(panel *witness.Panel, why error) (outline, foot int) {
		m := Explain(look, boards[0], panel, why)
		if m == nil {
			t.Fatal("no picture")
		}
		for y := range m.Bounds().Dy() {
			for x := range m.Bounds().Dx() {
				r, g, b, _ := m.At(x, y).RGBA()
				if r>>8 == 255 && g == 0 && b>>8 == 160 {
					outline++
				}
				if y >= m.Bounds().Dy()-explainedFoot && g>>8 > 200 {
					foot++
				}
			}
		}
		return outline, foot
	}
	outline, short := changed(p, nil)
	if outline < 40 {
		t.Errorf("%d pixels of the star's outline, want 40 and more", outline)
	}
	if _, long := changed(nil, unsure(image.Pt(1, 1), "a symbol that this look does not know")); long <= short {
		t.Errorf("%d pixels of text where the board was refused, want more than the %d of one that was read", long, short)
	}
	if m := Explain(look, &vision.Board{Pillar: true}, nil, nil); m != nil {
		t.Error("a pillar is explained, want nothing")
	}
}
