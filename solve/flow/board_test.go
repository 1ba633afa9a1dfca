package flow

import (
	"image"
	"slices"
	"testing"

	"onlooker/solve/solvetest"
)

// TestBoardTells: what a board was built of is told cell by cell, of columns and rows that
// differ in number.
func TestBoardTells(t *testing.T) {
	hole, bridge := image.Pt(4, 2), image.Pt(1, 1)
	p := solvetest.Must(NewBuilder(Square, 5, 3).Any().Hole(hole).Bridge(bridge).
		Pair(image.Pt(0, 0), image.Pt(3, 2)).Wall(image.Pt(2, 0), image.Pt(2, 1)).Join(image.Pt(0, 2), image.Pt(4, 0)).Puzzle())(t)
	for r := range 3 {
		for c := range 5 {
			at := image.Pt(c, r)
			if p.Hole(at) != (at == hole) || p.Bridge(at) != (at == bridge) {
				t.Errorf("%v: a hole %t, a bridge %t", at, p.Hole(at), p.Bridge(at))
			}
			if got := p.Centre(at); got != image.Pt(2*c+1, 2*r+1) {
				t.Errorf("%v has its middle at %v", at, got)
			}
		}
	}
	if cols, rows := p.Size(); cols != 5 || rows != 3 || p.Bounds() != image.Rect(0, 0, 11, 7) {
		t.Errorf("%d×%d cells in %v", cols, rows, p.Bounds())
	}
	same := func(what string, got [][2]image.Point, a, b image.Point) {
		if len(got) != 1 || !slices.Contains(got[0][:], a) || !slices.Contains(got[0][:], b) {
			t.Errorf("%s: %v, want %v to %v", what, got, a, b)
		}
	}
	same("pairs", p.Pairs(), image.Pt(0, 0), image.Pt(3, 2))
	same("walls", p.Walls(), image.Pt(2, 0), image.Pt(2, 1))
	same("joins", p.Joins(), image.Pt(0, 2), image.Pt(4, 0))
	if o := p.Options(); !o.Any || o.NoTouch {
		t.Errorf("options %+v", o)
	}
	if shape, torus := p.Shape(); shape != Square || torus {
		t.Errorf("shape %v, torus %t", shape, torus)
	}
	hex := solvetest.Must(NewBuilder(Hex, 2, 2).Pair(image.Pt(0, 0), image.Pt(1, 1)).Puzzle())(t)
	if got := hex.Centre(image.Pt(1, 1)); got != image.Pt(3, 2) {
		t.Errorf("the middle of an odd column is at %v, want half a cell higher, at (3,2)", got)
	}
}
