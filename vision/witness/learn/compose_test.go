package learn

import (
	"image"
	"math"
	"testing"

	"onlooker/calibrations"
	"onlooker/solve/solvetest"
	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/locate"
	"onlooker/vision/picture/made"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/colour"
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
		lessons = append(lessons, look.Lesson{Model: look.New(boards[0], structure, drawing.Known()), Panel: panel, Name: "sampler"})
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

// outlinedView is a cell that holds a square in some colour with an outline, and the
// layers of that.
func outlinedView(ground, outline, own vision.RGB, off image.Point) (*look.Cell, look.Layers) {
	v := &look.Cell{Inner: 0.4, Reach: 0.4, Ground: ground, Off: vision.NewMap(look.CellSide, look.CellSide)}
	v.Shown = v.Off
	l := look.Layers{Fill: vision.NewMap(look.CellSide, look.CellSide), Edge: vision.NewMap(look.CellSide, look.CellSide)}
	part := func(far float64) (fill, edge float64) {
		switch {
		case far < 0.16:
			return 1, 0
		case far < 0.2:
			return 0.3, 0.4
		}
		return 0, 0
	}
	for k := range look.CellSide * look.CellSide {
		x, y := k%look.CellSide, k/look.CellSide
		fill, edge := part(max(math.Abs(look.Offset(x)), math.Abs(look.Offset(y))))
		l.Fill.V[k], l.Edge.V[k] = float32(fill), float32(edge)
		fill, edge = part(max(math.Abs(look.Offset(x-off.X)), math.Abs(look.Offset(y-off.Y))))
		c := ground
		for n := range c {
			c[n] += fill*(own[n]-ground[n]) + edge*(outline[n]-ground[n])
		}
		v.Soft, v.Base = append(v.Soft, c), append(v.Base, ground)
		v.Off.V[k] = float32(c.Dist(ground))
		v.Strong = max(v.Strong, c.Dist(ground))
	}
	return v, l
}

// A symbol with an outline in another colour is laid over what is seen in the symbol's own
// colour, whichever that is: like the ground, like the outline or neither.
func TestLayersTakeAnyColour(t *testing.T) {
	ground, outline := vision.RGB{200, 210, 220}, vision.RGB{10, 20, 30}
	for _, own := range []vision.RGB{{250, 250, 250}, {20, 30, 40}, {220, 40, 60}} {
		v, l := outlinedView(ground, outline, own, image.Pt(2, -1))
		all := []look.Candidate{{Layers: l}}
		v.Laid(all, &outline, view.Tuned.Slack)
		if c := all[0]; c.Score < 0.99 || c.Off != image.Pt(2, -1) || c.Own.Dist(own) > 12 {
			t.Errorf("%s: found in %s off by %v, %.3f alike", colour.Hex(own), colour.Hex(c.Own), c.Off, c.Score)
		}
	}
}

// What sightings of one form in several colours have in common is their outline.
func TestOutlineIsFound(t *testing.T) {
	ground, outline := vision.RGB{200, 210, 220}, vision.RGB{10, 20, 30}
	var seen []look.Sample
	for _, own := range []vision.RGB{{250, 250, 250}, {20, 30, 40}, {220, 40, 60}, {30, 180, 40}} {
		v, _ := outlinedView(ground, outline, own, image.Point{})
		seen = append(seen, look.Sample{View: v, Mask: v.Mask(), Own: own})
	}
	got, strength := findOutline(seen, 200)
	if way := outline.Sub(ground); strength < 0.3 || got.Sub(ground).Dot(way) < 0.99*math.Sqrt(way.Dot(way)*got.Sub(ground).Dot(got.Sub(ground))) {
		t.Errorf("outlines in %s of strength %.2f, want %s", colour.Hex(got), strength, colour.Hex(outline))
	}
	l := layersOf(seen, got)
	if k := look.CellSide*look.CellSide/2 + look.CellSide/2; l.Fill.V[k] < 0.98 || l.Edge.V[k] > 0.02 {
		t.Errorf("the middle shows %.2f of the symbol and %.2f of its outline", l.Fill.V[k], l.Edge.V[k])
	}
	for i := range seen {
		seen[i].Own = vision.RGB{20, 30, 40}
	}
	if _, strength := findOutline(seen, 200); strength != 0 {
		t.Errorf("of sightings in one colour: an outline of strength %.2f", strength)
	}
}
