package witness

import (
	"slices"
	"testing"

	"onlooker/calibrations"
	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/bank"
	"onlooker/vision/witness/look"
	"onlooker/vision/witness/shape"
	"onlooker/vision/witness/view"
)

// TestGenericShapes compares symbols of the game's forms in several sizes with generic
// shapes, none of which has these proportions: nothing else is clearly more like them.
func TestGenericShapes(t *testing.T) {
	profile, err := calibrations.Load("witness-challenge")
	if err != nil {
		t.Fatal(err)
	}
	sizes := drawing.SizesOf(profile.Symbols)
	m := &look.Model{View: &view.View{Board: &vision.Board{ScreenPitch: 60}}}
	for _, form := range drawing.Known() {
		for _, symbol := range form.Symbols(&sizes) {
			if symbol.Count > 3 {
				continue // no generic shape has as many
			}
			for _, k := range []float64{0.85, 1, 1.2} {
				in := shape.Drawn(form.Parts(&sizes, symbol), k, 0)
				v := &look.Cell{Off: vision.NewMap(look.CellSide, look.CellSide), Strong: 1}
				for i := range v.Off.V {
					if in(look.Offset(i%look.CellSide), look.Offset(i/look.CellSide)) {
						v.Off.V[i] = 1
					}
				}
				v.Off = shape.BlurMap(v.Off, 0.8)
				v.Shown, v.Most = v.Off, v.Strong
				f, ok := bank.FigureOf(m, v, 1, false)
				if !ok {
					t.Fatalf("%s in size %.2f: nothing seen", witness.SymbolName(symbol), k)
				}
				list, _, err := f.Likelies(bank.Shapes())
				if err != nil {
					t.Fatal(err)
				}
				own := slices.IndexFunc(list, func(c bank.Match) bool { return witness.SameSymbol(c.Symbol, symbol) })
				if own < 0 || list[own].Score < view.Nearly || list[own].Misfit > list[0].Misfit+view.Tuned.Evidence {
					t.Errorf("%s in size %.2f is %s, %.3f alike", witness.SymbolName(symbol), k, witness.SymbolName(list[0].Symbol), list[0].Score)
				}
			}
		}
	}
}
