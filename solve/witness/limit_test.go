package witness

import (
	"context"
	"errors"
	"image"
	"onlooker/solve/solvetest"
	"testing"
	"time"

	"onlooker/solve"
)

// manyPieces is a panel of one region in which pieces and blue pieces of many
// shapes would have to be tried in all ways, and a line along its lower border.
func manyPieces(t *testing.T) (*Panel, solve.Solution) {
	t.Helper()
	p := New(8, 8, false)
	p.At(image.Pt(0, 16)).Start = true
	p.At(image.Pt(16, 16)).Cap = image.Pt(1, 0)
	shapes := []string{"##./.##", "###/#../#..", ".#./###/.#.", "##./.#./.##", "#.#/###", "##/##/#."}
	at := 0
	put := func(s Symbol) {
		p.At(image.Pt(2*(at%8)+1, 2*(at/8)+1)).Symbol = s
		at++
	}
	squares := 0
	for k := range 18 {
		shape, err := ParseShape(shapes[k%len(shapes)])
		if err != nil {
			t.Fatal(err)
		}
		squares += len(shape)
		put(Symbol{Kind: Polyomino, Colour: Yellow, Shape: shape, Turnable: true})
	}
	for squares > 64 {
		shape, err := ParseShape([]string{"#../..#", "#.#/.#."}[squares%2])
		if err != nil {
			t.Fatal(err)
		}
		squares -= len(shape)
		if squares < 64 {
			t.Fatalf("%d squares, want 64", squares)
		}
		put(Symbol{Kind: Negative, Colour: Blue, Shape: shape, Turnable: true})
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
	err := p.Check(solve.Asked(t.Context(), 20), s)
	var broken *solve.RuleError
	if !errors.Is(err, context.DeadlineExceeded) || errors.As(err, &broken) {
		t.Errorf("Check says %v, want the context's error", err)
	}
	if all := p.Faults(solve.Asked(t.Context(), 20), s); len(all) > 0 {
		t.Errorf("Faults lists %v of what was not judged to the end", all)
	}
	// Whether it is right elsewhere ends by itself.
	st := p.Holds(t.Context(), s)
	if len(st.Unknown) == 0 || len(st.Right)+len(st.Wrong)+len(st.Unknown) != len(RuleSets()) {
		t.Errorf("Holds says %+v, want some that are unknown", st)
	}
}

// Pieces alone are an exact cover: twenty pentominoes on 10×10 are judged at
// once, and the answer is no guess.
func TestPiecesAreAnExactCover(t *testing.T) {
	tiled := mustParse(t, "panel 4x3\n+-+-+-+-+\n|a| | |b|\n+-+-+-+-+\n|c| | | |\n+-+-+-+-+\n| | | | |\n@-+-+-+->\na = yellow piece ##/#./#.\nb = turned yellow piece ###\nc = yellow piece .#/##/##\n")
	line := solve.Solution{{{X: 0, Y: 6}, {X: 2, Y: 6}, {X: 4, Y: 6}, {X: 6, Y: 6}, {X: 8, Y: 6}, {X: 9, Y: 6}}}
	if err := tiled.Check(t.Context(), line); err != nil {
		t.Errorf("three pieces that tile 4×3: %v", err)
	}
	var broken *solve.RuleError
	tiled.At(image.Pt(1, 3)).Symbol.Shape, _ = ParseShape("#./##/##")
	if err := tiled.Check(t.Context(), line); !errors.As(err, &broken) || broken.Rule != "piece" {
		t.Errorf("one of them turned over: %v, want the rule piece", err)
	}
}

// A page that would try the sets of many wrong symbols for hours is no reason to
// wait: the answer is given before long, and that the page accepts it is not known.
func TestManyErasersOnTheSite(t *testing.T) {
	p := New(10, 10, false)
	p.Rules = WitnessPuzzles
	p.At(image.Pt(0, 20)).Start = true
	p.At(image.Pt(20, 0)).Cap = image.Pt(0, -1)
	for y := range 10 {
		for x := range 10 {
			s := &p.At(image.Pt(2*x+1, 2*y+1)).Symbol
			switch rim := min(x, y, 9-x, 9-y); {
			case rim == 4:
				*s = Symbol{Kind: Square, Colour: []Colour{White, Black}[(x+y)%2]}
			default:
				*s = Symbol{Kind: []Kind{Eraser, Eraser, Star, Star}[rim], Colour: []Colour{White, Black}[rim%2]}
			}
		}
	}
	line := solve.Stroke{}
	for x := 0; x <= 20; x += 2 {
		line = append(line, image.Pt(x, 20))
	}
	for y := 18; y >= 0; y -= 2 {
		line = append(line, image.Pt(20, y))
	}
	if p.onSite(t.Context(), solve.Solution{append(line, image.Pt(20, -1))}) {
		t.Error("the page is said to accept what it does not find")
	}
	before := solvetest.ProcessorTime()
	if _, err := p.Solve(t.Context()); err != nil {
		t.Error(err)
	}
	if took := solvetest.ProcessorTime() - before; took > 20*time.Second {
		t.Errorf("%v of processor time for an answer that is found at once", took)
	}
}
