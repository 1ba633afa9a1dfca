package witness

import (
	"errors"
	"image"
	"testing"

	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/picture/made"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/check"
	"onlooker/vision/witness/learn"
	"onlooker/vision/witness/look"
	"onlooker/vision/witness/looktest"
	"onlooker/vision/witness/pointer"
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
	look := look.Structure(challengeLook(t))
	frame := looktest.OnWall(panel, style, 56)
	misread := panel.Clone()
	misread.At(image.Pt(7, 1)).Symbol.Kind = witness.Square
	for _, row := range []struct {
		why    string
		read   *witness.Panel
		unsure bool
	}{{"a star read as a square", misread, true}, {"as it is", panel, false}} {
		b, err := (learn.Truth{Panel: panel}).Find(frame, look)
		if err != nil {
			t.Fatal(err)
		}
		err = check.New(NewReader(look).game(pointer.Cleared(b, look, drawing.Known())), nil, look, drawing.Known(), row.read).Unknown(row.read)
		var unsure *vision.UnsureError
		if errors.As(err, &unsure) != row.unsure || err != nil && !row.unsure {
			t.Errorf("%s: %v", row.why, err)
		}
	}
}
