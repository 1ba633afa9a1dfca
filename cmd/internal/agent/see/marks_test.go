package see

import (
	"testing"

	"onlooker/cmd/internal/agent/agenttest"
	"onlooker/solve"
	"onlooker/vision"
	"onlooker/vision/locate"
	"onlooker/vision/picture"
)

// TestPlain: a stroke is a line, a head at its end and a disc at its start, a click is a ring,
// in one colour and as wide as is asked for; Marks has each of them twice.
func TestPlain(t *testing.T) {
	boards, err := locate.Boards(agenttest.Board(t, agenttest.Squares, 0), agenttest.Profile(t).Board)
	if err != nil || len(boards) != 1 {
		t.Fatalf("%d boards, %v", len(boards), err)
	}
	r := Reading{Board: boards[0]}
	middle := boards[0].ScreenPoint(3, 3)
	answer := solve.Solution{{{X: 0, Y: 6}, {X: 0, Y: 0}, {X: 6, Y: 0}}, {{X: 3, Y: 3}}}
	for _, row := range []struct{ asked, want float64 }{{0, boards[0].ScreenPitch / 8}, {9, 9}} {
		got := Plain(r, answer, row.asked)
		if len(got) != 4 {
			t.Fatalf("%d shapes, want a line, a head, a disc and a ring", len(got))
		}
		line, head, disc, ring := got[0], got[1], got[2], got[3]
		if len(line.Points) != 3 || line.Width != row.want || len(head.Points) != 3 || head.Points[1] != line.Points[2] {
			t.Errorf("asked for %g: line %v, head %v", row.asked, line, head)
		}
		if disc.Kind != picture.Disc || disc.Points[0] != line.Points[0] || disc.Width <= 2*row.want {
			t.Errorf("asked for %g: disc %v, line from %v", row.asked, disc, line.Points[0])
		}
		for _, p := range ring.Points {
			if far := vision.Point(p).Dist(middle) / boards[0].ScreenPitch; far < 0.25 || far > 0.31 {
				t.Errorf("the ring is %.2f pitches from the cell's middle, want 0.28", far)
			}
		}
	}
	// A dot on a line lies over the answer; what is in a cell, and what is large, does not.
	box := func(x, y, r float64) picture.Shape {
		return picture.Shape{Kind: picture.Polygon, Points: picture.Box(x-r, y-r, x+r, y+r)}
	}
	r.Game = &Game{Picture: func(solve.Puzzle, solve.Solution) []picture.Shape {
		return []picture.Shape{box(3, 3, 3), box(2, 4, 0.2), box(3, 4, 0.2), box(3, 3, 0.2), box(2.6, 3, 0.2)}
	}}
	got := Plain(r, answer, 9)
	if want := boards[0].ScreenPoint(1.8, 3.8); len(got) != 6 || vision.Point(got[4].Points[0]).Dist(want) > 0.01 {
		t.Errorf("with two dots %d shapes, want 6, the first dot from %v: %v", len(got), want, got[4:])
	}
	r.Game = nil
	if n := len(Marks(r, answer)); n != 8 {
		t.Errorf("Marks has %d shapes, want 8", n)
	}
}
