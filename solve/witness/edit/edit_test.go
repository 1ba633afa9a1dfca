package edit_test

import (
	"image"
	"testing"

	"onlooker/solve"
	"onlooker/solve/solvetest"
	"onlooker/solve/witness"
	"onlooker/solve/witness/board"
)

func TestEditor(t *testing.T) { solvetest.Edit(t, witness.Family, witness.Editor) }

// TestBlank: a new panel leads from its lower left to its upper right; a dot is black, as dots
// are without a colour, or of another.
func TestBlank(t *testing.T) {
	p, err := witness.Editor.Blank(4, 3)
	if err != nil || !board.Of(p).At(image.Pt(0, 6)).Start || board.Of(p).At(image.Pt(8, 0)).Cap != image.Pt(1, 0) {
		t.Fatalf("no way from the lower left to the upper right: %v", err)
	}
	for colour, want := range map[board.Colour]board.Colour{board.Black: "", board.Yellow: board.Yellow} {
		q, err := witness.Editor.Do(p, solve.Edit{Tool: "dot", At: []image.Point{{}}, Values: map[string]string{"colour": string(colour)}})
		if err != nil || board.Of(q).At(image.Point{}).Dot != (board.Dot{On: true, Colour: want}) || board.Of(p).At(image.Point{}).Dot.On {
			t.Errorf("a %s dot: %v", colour, err)
		}
	}
}

// TestEditorImages: under symmetry a start and an end come with their images, whose cap points
// the other way, and go with them; what else is put stands alone.
func TestEditorImages(t *testing.T) {
	p, err := witness.Family.Parse("panel 2x2 symmetry=rotation\n@-+->\n| | |\n+-+-+\n| | |\n<-+-@\n")
	if err != nil {
		t.Fatal(err)
	}
	do := func(tool string, at image.Point, values map[string]string) {
		t.Helper()
		if p, err = witness.Editor.Do(p, solve.Edit{Tool: tool, At: []image.Point{at}, Values: values}); err != nil {
			t.Fatal(err)
		}
	}
	spot := func(x, y int) *board.Spot { return board.Of(p).At(image.Pt(x, y)) }
	do("start", image.Pt(2, 4), nil)
	if !spot(2, 4).Start || !spot(2, 0).Start {
		t.Errorf("a start: %t, its image %t", spot(2, 4).Start, spot(2, 0).Start)
	}
	do("end", image.Pt(0, 2), map[string]string{"way": "left"})
	if spot(0, 2).Cap != image.Pt(-1, 0) || spot(4, 2).Cap != image.Pt(1, 0) {
		t.Errorf("an end: %v, its image %v", spot(0, 2).Cap, spot(4, 2).Cap)
	}
	do("broken", image.Pt(1, 0), nil)
	if spot(1, 0).Gap != board.Broken || spot(3, 4).Gap != board.Whole {
		t.Errorf("a gap: %v, its image %v", spot(1, 0).Gap, spot(3, 4).Gap)
	}
	do("broken", image.Pt(1, 0), nil)
	do("clear", image.Pt(0, 2), nil)
	do("clear", image.Pt(2, 4), nil)
	if spot(1, 0).Gap != board.Whole || spot(0, 2).IsEnd() || spot(4, 2).IsEnd() || spot(2, 0).Start || spot(2, 4).Start {
		t.Errorf("cleared there is %v, %v, %t", spot(1, 0).Gap, spot(4, 2).Cap, spot(2, 0).Start)
	}
}
