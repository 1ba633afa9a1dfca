package witness

import (
	"fmt"
	"image"
	"math/rand/v2"
	"testing"

	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/picture"
	"onlooker/vision/picture/made"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/learn"
)

// TestPiecesElsewhere teaches looks that draw pieces as other clients do, and reads other boards of
// theirs: anywhere in the cell, or longer ones smaller, which of some kinds are not among those
// that it learns from.
func TestPiecesElsewhere(t *testing.T) {
	profile := challengeLook(t)
	for _, row := range []struct {
		why   string
		drawn func(rng *rand.Rand, style drawing.Style, s witness.Symbol, c picture.Point) []picture.Shape
	}{
		{"anywhere", func(rng *rand.Rand, style drawing.Style, s witness.Symbol, c picture.Point) []picture.Shape {
			style.Symbols.Spacing *= 0.85
			shapes := style.Symbol(s, picture.Point{})
			lo, hi := picture.Extent(shapes)
			const room = 0.7 // half-cells from the middle
			return style.Symbol(s, picture.Point{X: c.X + rng.Float64()*(2*room-hi.X+lo.X) - room - lo.X, Y: c.Y + rng.Float64()*(2*room-hi.Y+lo.Y) - room - lo.Y})
		}},
		{"longer ones smaller", func(_ *rand.Rand, style drawing.Style, s witness.Symbol, c picture.Point) []picture.Shape {
			if n := witness.Extent(s.Shape); max(n.X, n.Y) > 3 {
				style.Symbols.Spacing *= 0.75
				style.Symbols.Block *= 0.75
			}
			return style.Symbol(s, c)
		}},
	} {
		style := drawing.Typical(profile)
		var panels []*witness.Panel
		var boards []*vision.Board
		var shots []learn.Shot
		for i := range 9 {
			rng := rand.New(rand.NewPCG(uint64(i), 31))
			p := made.Panel(4, 3, false, witness.NoSymmetry, made.Starts(image.Pt(0, 6)), made.End(8, 0, 0, -1), made.Gap(witness.Broken, image.Pt(3, 2)))
			shapes := drawing.Shapes(p, nil, style)
			for at := range p.Points() {
				if !witness.IsCell(at) || rng.IntN(2) == 0 {
					continue
				}
				s := witness.Symbol{Kind: witness.Polyomino, Colour: witness.Yellow, Shape: randomShape(rng), Turnable: rng.IntN(2) == 0}
				if rng.IntN(4) == 0 {
					s.Kind, s.Colour = witness.Negative, witness.Blue
				}
				s.Turnable = s.Turnable && len(s.Shape) > 1 // turning one square changes nothing
				p.At(at).Symbol = s
				shapes = append(shapes, row.drawn(rng, style, s, picture.Point{X: float64(at.X), Y: float64(at.Y)})...)
			}
			frame := onPage(shapes)
			panels, boards = append(panels, p), append(boards, only(t, frame, profile))
			if i < 5 {
				shots = append(shots, learn.Shot{Name: fmt.Sprint("picture ", i), Frame: frame, Truth: []learn.Truth{{Panel: p}}})
			}
		}
		c, err := calibrateWith(drawing.Known(), profile, shots)
		if err != nil {
			t.Errorf("%s: %v", row.why, err)
			continue
		}
		read := 0
		for i, want := range panels[5:] {
			got, err := readPanel(t, c.Profile, boards[5+i])
			if err != nil {
				t.Logf("%s, board %d: %v", row.why, i, err)
				continue
			}
			if d := witness.Differ(seen(want), seen(got)); d != "" {
				t.Errorf("%s, board %d: %s", row.why, i, d)
			}
			read++
		}
		if read < 3 {
			t.Errorf("%s: %d of 4 boards are read, want 3", row.why, read)
		}
	}
}
