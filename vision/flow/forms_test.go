package flow

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/fogleman/gg"

	"onlooker/solve/flow"
	"onlooker/solve/solvetest"
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
				got := solvetest.Must(scanned(t, d.Image()))(t)
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

// TestShownFourTimes refuses buttons of which four show one triangle and two three of them: half a
// pixel lower two of the four differ from the others, and are no other pair.
func TestShownFourTimes(t *testing.T) {
	d := gg.NewContext(900, 900)
	d.SetColor(color.Gray{250})
	d.Clear()
	for i, marks := range []int{0, 0, 1, 0, 0, 1, 0, 0, 0, 3, 3, 0, 1, 1, 0, 0} {
		x, y := 100+204*float64(i%4), 80+204*float64(i/4)
		d.SetColor(color.Gray{214})
		d.DrawRoundedRectangle(x, y, 164, 154, 4)
		d.Fill()
		d.SetColor(color.Gray{30})
		for k := range marks {
			u, v := x+82+39*(float64(k)-float64(marks-1)/2), y+82+0.5*float64(i/12)
			d.MoveTo(u, v-12)
			d.LineTo(u+11.5, v+10.5)
			d.LineTo(u-11.5, v+10.5)
			d.ClosePath()
			d.Fill()
		}
	}
	if got, err := scanned(t, d.Image()); err == nil || !strings.Contains(err.Error(), "shown more than twice") {
		t.Errorf("got %v, %v, want ends that are shown more than twice", got, err)
	}
}
