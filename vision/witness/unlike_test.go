package witness

import (
	"image"
	"testing"

	"onlooker/calibrations"
	"onlooker/solve/solvetest"
	witness "onlooker/solve/witness/board"
	"onlooker/vision/picture/made"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/learn"
	"onlooker/vision/witness/look"
	"onlooker/vision/witness/looktest"
)

// TestUnlikeTheOthers has blunt stars among the squares of a look that is not known:
// they are nearly square, and were read as the squares that they are most like.
func TestUnlikeTheOthers(t *testing.T) {
	style := inventedLooks(challengeLook(t))["saturated"]
	style.Symbols.Square, style.Symbols.SquareCorner = 0.36, 0.1
	style.Symbols.Star, style.Symbols.StarNotch = 0.42, 0.9
	white := func(kind witness.Kind, at ...image.Point) made.Change {
		return made.Symbol(witness.Symbol{Kind: kind, Colour: witness.White}, at...)
	}
	panel := made.Panel(4, 3, false, witness.NoSymmetry, made.Starts(image.Pt(0, 6)), made.End(8, 0, 0, -1),
		white(witness.Square, image.Pt(1, 1), image.Pt(5, 1), image.Pt(3, 3), image.Pt(7, 5)), white(witness.Star, image.Pt(7, 1)))
	frame := looktest.OnWall(panel, style, 56)
	base := challengeLook(t)
	for _, of := range []*calibrations.Profile{base, look.Structure(base)} {
		b := solvetest.Must((learn.Truth{Panel: panel}).Find(frame, of))(t)
		got, err := Read(of, drawing.Known(), b)
		t.Logf("loose %v: %v", of.Loose, err)
		if err == nil && witness.Differ(seen(panel), seen(got)) != "" {
			t.Errorf("loose %v: WRONG: %s", of.Loose, witness.Differ(seen(panel), seen(got)))
		}
	}
}
