package witness

import (
	"slices"
	"testing"

	"onlooker/calibrations"
	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/shape"
	"onlooker/vision/witness/view"
)

// TestGenericShapes compares symbols of the game's forms in several sizes with generic
// shapes, none of which has these proportions: nothing else is clearly more like them.
func TestGenericShapes(t *testing.T) {
	look, err := calibrations.Load("witness-challenge")
	if err != nil {
		t.Fatal(err)
	}
	sizes := drawing.SizesOf(look.Symbols)
	m := &model{View: &view.View{Board: &vision.Board{ScreenPitch: 60}}, tune: view.Tuned}
	for _, form := range drawing.Known() {
		for _, symbol := range form.Symbols(&sizes) {
			if symbol.Count > 3 {
				continue // no generic shape has as many
			}
			for _, k := range []float64{0.85, 1, 1.2} {
				in := shape.Drawn(form.Parts(&sizes, symbol), k, 0)
				v := &cellView{off: vision.NewMap(cellSide, cellSide), strong: 1}
				for i := range v.off.V {
					if in(offset(i%cellSide), offset(i/cellSide)) {
						v.off.V[i] = 1
					}
				}
				v.off = shape.BlurMap(v.off, 0.8)
				v.shown, v.most = v.off, v.strong
				f, ok := m.figureOf(v, 1, false)
				if !ok {
					t.Fatalf("%s in size %.2f: nothing seen", witness.SymbolName(symbol), k)
				}
				list, _, err := f.likelies(theGallery(), view.Tuned)
				if err != nil {
					t.Fatal(err)
				}
				own := slices.IndexFunc(list, func(c proposal) bool { return witness.SameSymbol(c.symbol, symbol) })
				if own < 0 || list[own].score < view.Nearly || list[own].misfit > list[0].misfit+view.Tuned.Evidence {
					t.Errorf("%s in size %.2f is %s, %.3f alike", witness.SymbolName(symbol), k, witness.SymbolName(list[0].symbol), list[0].score)
				}
			}
		}
	}
}
