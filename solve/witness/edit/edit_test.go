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
	solvetest.OK(t, err)
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
	for _, want := range []board.Gap{board.Missing, board.Whole} {
		if do("broken", image.Pt(1, 0), nil); spot(1, 0).Gap != want {
			t.Errorf("a gap once more: %v, want %v", spot(1, 0).Gap, want)
		}
	}
	for _, want := range []board.Dot{{On: true}, {On: true, Line: board.OwnLine}, {On: true, Line: board.OtherLine}, {}} {
		if do("dot", image.Pt(2, 2), nil); spot(2, 2).Dot != want {
			t.Errorf("a dot once more: %v, want %v", spot(2, 2).Dot, want)
		}
	}
	do("clear", image.Pt(0, 2), nil)
	do("clear", image.Pt(2, 4), nil)
	if spot(1, 0).Gap != board.Whole || spot(0, 2).IsEnd() || spot(4, 2).IsEnd() || spot(2, 0).Start || spot(2, 4).Start {
		t.Errorf("cleared there is %v, %v, %t", spot(1, 0).Gap, spot(4, 2).Cap, spot(2, 0).Start)
	}
}

// TestCycle: the same symbol once more counts on and goes after the most of its kind; another
// colour is another symbol, and the colour tool changes nothing else.
func TestCycle(t *testing.T) {
	p, err := witness.Editor.Blank(2, 2)
	solvetest.OK(t, err)
	at := image.Pt(1, 1)
	do := func(tool, colour string) board.Symbol {
		t.Helper()
		if p, err = witness.Editor.Do(p, solve.Edit{Tool: tool, At: []image.Point{at}, Values: map[string]string{"colour": colour}}); err != nil {
			t.Fatal(err)
		}
		return board.Of(p).At(at).Symbol
	}
	for _, want := range []int{1, 2, 3, 4, 0, 1, 2} {
		solvetest.Same(t, do("triangle", "orange").Count, want, "triangles")
	}
	if got := do("colour", "white"); got.Count != 2 || got.Colour != board.White {
		t.Errorf("in another colour it is %v", got)
	}
	if got := do("triangle", "orange"); got.Count != 1 || got.Colour != board.Orange {
		t.Errorf("a triangle of another colour is %v", got)
	}
	solvetest.Same(t, do("clear", "").Kind, board.NoSymbol, "cleared there")
}

// TestMoved: four quarters, and two flips, are none; a panel's lines are as many as before, turned
// or flipped, under every symmetry.
func TestMoved(t *testing.T) {
	for _, text := range []string{
		"panel 2x1\n+-+->\n|a|b|\n@-+:+\na = piece ##/#.\nb = 2 triangles\n",
		"panel 3x2 symmetry=mirror\n<-+-+->\n|a| | |\n+-+-+-+\n| |b| |\n@-+-+-@\na = white square\nb = black square\n",
		"panel 2x2 symmetry=rotation\n@-+->\n| | |\n+-+-+\n| | |\n<-+-@\n",
		"panel 2x2\n+-+->\n|a| |\n+-+-+\n| | |\n@-+-+\na = purple arrow up-right\n",
	} {
		p, err := witness.Family.Parse(text)
		solvetest.OK(t, err)
		canonical := solvetest.Must(p.MarshalText())(t)
		text = string(canonical)
		lines := func(p solve.Puzzle) int {
			return solvetest.Must(p.(solve.Counter).Count(t.Context(), 0))(t)
		}
		moved := func(tool string, times int) solve.Puzzle {
			q := p
			for range times {
				if q, err = witness.Editor.Do(q, solve.Edit{Tool: tool}); err != nil {
					t.Fatalf("%s: %v", tool, err)
				}
			}
			return q
		}
		for tool, round := range map[string]int{"turn": 4, "flip": 2} {
			if back, _ := moved(tool, round).MarshalText(); string(back) != text {
				t.Errorf("%s %d times gives\n%s want\n%s", tool, round, back, text)
			}
			once := moved(tool, 1)
			if got, _ := once.MarshalText(); string(got) == text && tool == "turn" {
				t.Errorf("%s changes nothing:\n%s", tool, got)
			}
			if got, want := lines(once), lines(p); got != want {
				t.Errorf("after %s %d lines, want %d: %s", tool, got, want, text)
			}
		}
	}
}
