package flow

import (
	"image"
	"image/color"
	"math/rand/v2"
	"testing"

	"onlooker/solve/flow"
)

// TestBackdrop reads a board over a faint band that is nearly as wide as its discs and
// goes through its cells, as behind levels of a phone's game: none of them is an end.
func TestBackdrop(t *testing.T) {
	s := styles()[0]
	for _, wide := range []float64{0.5, 0.62, 0.66, 0.7} {
		rng := rand.New(rand.NewPCG(3, 60))
		p := flow.Family.Generate(rng, 6, 5).(*flow.Puzzle)
		colours := inks("own", rng, len(p.Pairs()))
		d := s.board(p)
		d.path = wide
		d.route([]image.Point{{-2, 2}, {8, 2}}, color.NRGBA{255, 127, 0, 30})
		for i, pair := range p.Pairs() {
			for _, c := range pair {
				d.end(t, c, colours[i], "")
			}
		}
		got, err := scanned(t, d.Image())
		if err != nil {
			t.Errorf("a band of %.2f: %v", wide, err)
			continue
		}
		if want := textOf(t, p); got != want {
			t.Errorf("a band of %.2f: got\n%swant\n%s", wide, got, want)
		}
	}
}
