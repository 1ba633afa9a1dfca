package main

import (
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
