package rules

import (
	"context"
	"errors"
	"image"
	"testing"

	"onlooker/solve"
	"onlooker/solve/limits"
	"onlooker/solve/solvetest"
	"onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
)

// manyPieces is a panel of one region in which pieces and blue pieces of many
// shapes would have to be tried in all ways, and a line along its lower border.
func manyPieces(t *testing.T) (*board.Panel, solve.Solution) {
	t.Helper()
	p := board.New(8, 8, false)
	p.At(image.Pt(0, 16)).Start = true
	p.At(image.Pt(16, 16)).Cap = image.Pt(1, 0)
	shapes := []string{"##./.##", "###/#../#..", ".#./###/.#.", "##./.#./.##", "#.#/###", "##/##/#."}
	at := 0
	put := func(s board.Symbol) {
		p.At(image.Pt(2*(at%8)+1, 2*(at/8)+1)).Symbol = s
		at++
	}
	squares := 0
	for k := range 18 {
		shape := solvetest.Must(forms.ParseShape(shapes[k%len(shapes)]))(t)
		squares += len(shape)
		put(board.Symbol{Kind: board.Polyomino, Colour: board.Yellow, Shape: shape, Turnable: true})
	}
	for squares > 64 {
		shape := solvetest.Must(forms.ParseShape([]string{"#../..#", "#.#/.#."}[squares%2]))(t)
		squares -= len(shape)
		if squares < 64 {
			t.Fatalf("%d squares, want 64", squares)
		}
		put(board.Symbol{Kind: board.Negative, Colour: board.Blue, Shape: shape, Turnable: true})
	}
	line := solve.Stroke{}
	for x := 0; x <= 16; x += 2 {
		line = append(line, image.Pt(x, 16))
	}
	return p, solve.Solution{append(line, image.Pt(17, 16))}
}

// Judging pieces is a search: it ends with the context, and what was not judged
// to the end is neither right nor wrong.
func TestCheckEndsWithItsContext(t *testing.T) {
	p, s := manyPieces(t)
	err := Rows().Check(limits.WithSteps(t.Context(), 20), p, s)
	var broken *solve.RuleError
	if !errors.Is(err, context.DeadlineExceeded) || errors.As(err, &broken) {
		t.Errorf("Check says %v, want the context's error", err)
	}
	if all := Rows().Faults(limits.WithSteps(t.Context(), 20), p, s); len(all) > 0 {
		t.Errorf("Faults lists %v of what was not judged to the end", all)
	}
	// Whether it is right elsewhere ends by itself.
	st := Rows().Holds(t.Context(), p, s)
	if len(st.Unknown) == 0 || len(st.Right)+len(st.Wrong)+len(st.Unknown) != len(p.Others()) {
		t.Errorf("Holds says %+v, want some that are unknown", st)
	}
}

// Pieces alone are an exact cover: twenty pentominoes on 10×10 are judged at
// once, and the answer is no guess.
func TestPiecesAreAnExactCover(t *testing.T) {
	tiled := solvetest.Must(forms.Parse([]byte("panel 4x3\n+-+-+-+-+\n|a| | |b|\n+-+-+-+-+\n|c| | | |\n+-+-+-+-+\n| | | | |\n@-+-+-+->\na = yellow piece ##/#./#.\nb = turned yellow piece ###\nc = yellow piece .#/##/##\n")))(t)
	line := solve.Solution{{{X: 0, Y: 6}, {X: 2, Y: 6}, {X: 4, Y: 6}, {X: 6, Y: 6}, {X: 8, Y: 6}, {X: 9, Y: 6}}}
	solvetest.Fine(t, Rows().Check(t.Context(), tiled, line), "three pieces that tile 4×3")
	var broken *solve.RuleError
	tiled.At(image.Pt(1, 3)).Symbol.Shape, _ = forms.ParseShape("#./##/##")
	if err := Rows().Check(t.Context(), tiled, line); !errors.As(err, &broken) || broken.Rule != "piece" {
		t.Errorf("one of them turned over: %v, want the rule piece", err)
	}
}
