package learn

import (
	"testing"

	"onlooker/vision"
	"onlooker/vision/witness/look"
	"onlooker/vision/witness/view"
)

// TestDivideOfChance: where what is and what is not there differ by chance alone, nothing
// divides them.
func TestDivideOfChance(t *testing.T) {
	l := look.Lesson{View: &view.View{Board: &vision.Board{ScreenPitch: 60}, LineWidth: 0.3}}
	chance := (&survey{}).chance([]look.Lesson{l})
	for _, row := range []struct {
		name    string
		no, yes float64
		divides bool
	}{
		{look.DivideBreak, 0, 0.001, false}, {look.DivideBreak, 0, 0.4, true}, // slanting breaks, straight ones
		{look.DivideStart, 0.75, 0.77, false}, {look.DivideStart, 0.75, 0.9, true}, // half a pixel of a line's 18
		{look.DivideDot, 0.2, 0.1, false}, {look.DivideSymbol, 0.1, 0.3, true},
	} {
		d := &divide{no: []float64{row.no}, yes: []float64{row.yes}}
		_, divides, err := d.between(row.name, chance[row.name])
		if err != nil || divides != row.divides {
			t.Errorf("%s of %.3f and %.3f: divides is %t, want %t: %v", row.name, row.no, row.yes, divides, row.divides, err)
		}
	}
}
