package learn

import (
	"image"
	"testing"

	"onlooker/calibrations"
	"onlooker/solve/solvetest"
	witness "onlooker/solve/witness/board"
	"onlooker/vision/locate"
	"onlooker/vision/picture/made"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/look"
	"onlooker/vision/witness/looktest"
	"onlooker/vision/witness/view"
)

// TestCompositions composes boards of a few drawn ones, and measures that they show at new
// places what their panels say: dots on nodes, missing edges and ends on other sides, none of
// which the drawn ones have.
func TestCompositions(t *testing.T) {
	base := solvetest.Must(calibrations.Load("witness-challenge"))(t)
	structure := look.Structure(base)
	structure.Learned = calibrations.Learned{}
	panel := made.Sampler()
	var lessons []look.Lesson
	for i := range 4 {
		boards, err := locate.Boards(looktest.OnWall(panel, drawing.Typical(base), 56+4*float64(i)), base.Board)
		if err != nil || len(boards) != 1 {
			t.Fatalf("%d boards, want one: %v", len(boards), err)
		}
		lessons = append(lessons, look.NewLesson(look.New(boards[0], structure, drawing.Known()), panel, "sampler"))
	}
	covers(lessons)
	seen, shows := map[string]int{}, map[string]int{}
	ways := map[image.Point]int{}
	for _, l := range compositions(lessons) {
		note := func(what string, at image.Point, is bool) {
			if seen[what]++; is {
				shows[what]++
			} else {
				t.Logf("%s: no %s is seen at %v", l.Name, what, at)
			}
		}
		for at := range l.Panel.Points() {
			q, was := l.Panel.At(at), panel.At(at)
			switch {
			case q.Dot.On && !was.Dot.On && witness.IsNode(at):
				note("dot on a node", at, l.Model.Lines.DotCore(at).Dist(l.Board.Ink) > view.Clearly*l.Contrast())
			case q.Start && !was.Start:
				note("start circle", at, l.Model.Lines.StartReach(at) > 1)
			case witness.IsEdge(at) && q.Gap == witness.Missing:
				note("missing edge", at, l.At(float64(at.X), float64(at.Y)).Dist(l.GroundBeside(at)) < view.Clearly*l.Contrast())
			case q.IsEnd() && q.Cap != was.Cap:
				out := 2 * view.Mostly * l.LineWidth
				if e := l.Panel.At(at.Add(q.Cap)); e != nil && e.Gap == witness.Missing {
					ways[q.Cap]++
				}
				note("end elsewhere", at, l.At(float64(at.X)+out*float64(q.Cap.X), float64(at.Y)+out*float64(q.Cap.Y)).Dist(l.Board.Ink) < view.Clearly*l.Contrast())
			}
		}
	}
	for _, what := range []string{"dot on a node", "start circle", "missing edge", "end elsewhere"} {
		// What is drawn beside another part may be drawn over by it.
		if seen[what] == 0 || float64(shows[what]) < view.Mostly*float64(seen[what]) {
			t.Errorf("%d of %d times a %s is seen where one was drawn", shows[what], seen[what], what)
		}
	}
	for _, d := range view.Ways {
		if ways[d] == 0 {
			t.Errorf("no end into the board leads %v", d)
		}
	}
	t.Log(seen, ways)
}
