package flow

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"

	"onlooker/solve/flow"
)

// An endForm is how an end is drawn in the colour of its pair, in a style's cell.
type endForm struct {
	name string
	draw func(d *drawn, c image.Point)
}

func endForms() []endForm {
	return []endForm{
		{"ring", func(d *drawn, c image.Point) {
			x, y := d.middle(c)
			d.DrawCircle(x, y, 0.3*d.cell)
			d.SetLineWidth(0.1 * d.cell)
			d.Stroke()
		}},
		{"star", func(d *drawn, c image.Point) {
			x, y := d.middle(c)
			for i := range 10 {
				sin, cos := math.Sincos(math.Pi * float64(i) / 5)
				r := d.cell * (0.36 - 0.2*float64(i%2))
				d.LineTo(x+r*sin, y-r*cos)
			}
			d.Fill()
		}},
		{"small disc", func(d *drawn, c image.Point) {
			x, y := d.middle(c)
			d.DrawCircle(x, y, 0.18*d.cell)
			d.Fill()
		}},
		{"filled cell", func(d *drawn, c image.Point) {
			x, y := d.corner(c)
			if d.rounded {
				d.DrawRoundedRectangle(x+0.04*d.cell, y+0.04*d.cell, 0.92*d.cell, 0.92*d.cell, 0.1*d.cell)
			} else {
				d.DrawRectangle(x+1, y+1, d.cell-2, d.cell-2)
			}
			d.Fill()
		}},
	}
}

// TestEndForms reads boards whose ends are no large discs, told by their colours.
func TestEndForms(t *testing.T) {
	for _, s := range styles() {
		for k, form := range endForms() {
			t.Run(s.name+"/"+form.name, func(t *testing.T) {
				rng := rand.New(rand.NewPCG(uint64(k), uint64(s.cell)))
				p := flow.Family.Generate(rng, 5+rng.IntN(3), 5+rng.IntN(2)).(*flow.Puzzle)
				colours := inks("own", rng, len(p.Pairs()))
				d := s.board(p)
				for i, pair := range p.Pairs() {
					for _, c := range pair {
						d.SetColor(colours[i])
						form.draw(d, c)
					}
				}
				got, err := scanned(t, d.Image())
				if err != nil {
					t.Fatal(err)
				}
				if want := textOf(t, p); got != want {
					t.Errorf("got\n%swant\n%s", got, want)
				}
			})
		}
	}
}

// TestFaintEnds reads boards where one pair has nearly the ground's colour: what has the
// form of the other ends is one.
func TestFaintEnds(t *testing.T) {
	for _, s := range styles() {
		t.Run(s.name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(5, uint64(s.cell)))
			p := flow.Family.Generate(rng, 6, 5).(*flow.Puzzle)
			colours := inks("own", rng, len(p.Pairs()))
			r, _, _, _ := s.ground.RGBA()
			v := uint8(r >> 8)
			by := uint8(28)
			if v > 128 {
				by = -by
			}
			colours[0] = color.NRGBA{v + by, v + by, v + by, 255}
			s.board(p).reads(t, p, colours)
		})
	}
}
