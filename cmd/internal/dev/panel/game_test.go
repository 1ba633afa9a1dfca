package main

import (
	"cmp"
	"image"
	"testing"
	"time"

	"onlooker/calibrations"
	"onlooker/solve"
	"onlooker/solve/solvetest"
	"onlooker/solve/witness"
)

func testGame(t *testing.T, boards int) *game {
	t.Helper()
	profile := solvetest.Must(calibrations.Load("witness-challenge"))(t)
	panels := solvetest.Must(deal(t.Context(), boards, 7))(t)
	return newGame(panels, image.Pt(1000, 750), profile, solve.Judge)
}

// trace plays a stroke by motion as a patient hand does: a leg at a time, until
// the head is there.
func trace(g *game, s solve.Stroke) {
	g.left(time.Time{}) // enter
	at := g.at(s[0])
	g.push(at.X-g.pointer.X, at.Y-g.pointer.Y)
	g.left(time.Time{}) // begin
	for i := 1; i < len(s); i++ {
		way := s[i].Sub(s[i-1])
		g.push(float64(way.X)*g.half/lineFactor, float64(way.Y)*g.half/lineFactor)
	}
}

// Every panel that is dealt is solved by its answer's own way, and by no other
// that the game lets through.
func TestGame(t *testing.T) {
	g := testGame(t, 12)
	now := time.Now()
	for i, p := range g.panels {
		answer := solvetest.Must(witness.Of(p).Solve(t.Context()))(t)
		trace(g, answer[0])
		if n := len(answer[0]) - 1; len(g.Nodes) != n || g.Nodes[n-1] != answer[0][n-1] || g.Along == 0 {
			t.Fatalf("panel %d: the line went %v and %.2f into %v, want %v", i+1, g.Nodes, g.Along, g.Dir, answer[0])
		}
		g.next()
		if g.number != i {
			t.Fatalf("panel %d was left before it was solved", i+1)
		}
		g.left(now)
		if g.verdict != accepted || g.accepted != i+1 || g.refused != 0 {
			t.Fatalf("panel %d: %d accepted, %d refused, want its answer accepted", i+1, g.accepted, g.refused)
		}
		g.next()
	}
}

// A wrong line is refused, goes, and the panel waits for another.
func TestRefused(t *testing.T) {
	g := testGame(t, 30)
	now := time.Now()
	for number, p := range g.panels {
		g.show(number)
		start, end := image.Point{}, image.Point{}
		for at := range p.Points() {
			if p.At(at).Start {
				start = at
			}
			if p.At(at).IsEnd() {
				end = at
			}
		}
		// Along the border, first one way and then the other.
		stroke := solve.Stroke{start}
		for at := start; at != end; {
			step := image.Pt(cmp.Compare(end.X, at.X), 0)
			if step.X == 0 {
				step.Y = cmp.Compare(end.Y, at.Y)
			}
			at = at.Add(step.Mul(2))
			stroke = append(stroke, at)
		}
		stroke = append(stroke, end.Add(p.At(end).Cap))
		if witness.Of(p).Check(t.Context(), solve.Solution{stroke}) == nil {
			continue
		}
		trace(g, stroke)
		g.left(now)
		if g.verdict == none {
			continue // an edge of it is missing
		}
		if g.verdict != refused || g.refused != 1 {
			t.Fatalf("panel %d: a wrong line was not refused", number+1)
		}
		g.next()
		g.tick(now.Add(2 * fading))
		if g.number != number || g.Nodes != nil || g.verdict != none {
			t.Fatalf("panel %d does not wait for another line", number+1)
		}
		return
	}
	t.Fatal("no panel has a wrong line along its border: take another seed")
}

// The window shows the pointer from the first click on, then the line in its
// place; a right click drops the line, another one leaves.
func TestFrame(t *testing.T) {
	g := testGame(t, 1)
	answer := solvetest.Must(witness.Of(g.panel()).Solve(t.Context()))(t)
	bright := func(at image.Point) bool {
		c := g.frame().RGBAAt(at.X, at.Y)
		return c.R > 100 && c.G > 180 && c.B > 90
	}
	middle := g.size.Div(2)
	last := g.at(answer[0][len(answer[0])-2])
	end := image.Pt(int(last.X), int(last.Y))
	check := func(when string, pointer, line bool) {
		t.Helper()
		base := g.bare.RGBAAt(middle.X, middle.Y)
		solvetest.Same(t, g.frame().RGBAAt(middle.X, middle.Y) != base, pointer, "%s: a pointer in the middle", when)
		solvetest.Same(t, bright(end), line, "%s: a line at its end", when)
	}
	check("at first", false, false)
	g.left(time.Time{})
	check("in solve mode", true, false)
	g.right()
	check("out of it", false, false)
	trace(g, answer[0])
	if !bright(end) {
		t.Error("the line is not seen at its end")
	}
	g.right()
	g.right()
	check("dropped and left", false, false)
}
