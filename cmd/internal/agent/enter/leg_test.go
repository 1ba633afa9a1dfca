package enter

import (
	"image"
	"testing"

	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/answer"
	"onlooker/solve"
	"onlooker/vision"
)

// TestLegs: a stroke's straight runs, what each ends at, and where its head is to come to.
func TestLegs(t *testing.T) {
	at := func(x, y float64) vision.Point { return vision.Point{X: 10 * x, Y: 10 * y} }
	flat := Sheet{Projection: answer.Projection{At: at}, On: at, Last: image.Pt(8, 6)}
	round := flat
	round.Around, round.Last = 8, image.Pt(8, 6)
	inner := solve.Stroke{{X: 2, Y: 2}, {X: 4, Y: 2}, {X: 6, Y: 2}, {X: 6, Y: 4}, {X: 8, Y: 4}, {X: 8, Y: 2}}
	type want struct {
		from, to image.Point
		ends     ending
		slants   bool
		turns    bool
		goal     float64
	}
	for _, row := range []struct {
		why  string
		view view
		legs []want
	}{
		{"without a cap", view{sheet: flat, stroke: inner, capless: true}, []want{
			{image.Pt(2, 2), image.Pt(6, 2), atNode, false, false, 4},
			{image.Pt(6, 2), image.Pt(6, 4), atNode, false, true, 2},
			{image.Pt(6, 4), image.Pt(8, 4), atBorder, false, true, 2},
			{image.Pt(8, 4), image.Pt(8, 2), atNode, false, true, 2},
		}},
		{"into a cap, straight on", view{sheet: flat, stroke: solve.Stroke{{X: 8, Y: 4}, {X: 8, Y: 2}, {X: 8, Y: 0}, {X: 8, Y: -1}}}, []want{
			{image.Pt(8, 4), image.Pt(8, -1), inCap, false, false, 5.24},
		}},
		{"into a cap beside the border", view{sheet: flat, stroke: solve.Stroke{{X: 6, Y: 0}, {X: 8, Y: 0}, {X: 8, Y: -1}}}, []want{
			{image.Pt(6, 0), image.Pt(8, 0), atBorder, false, false, 2},
			{image.Pt(8, 0), image.Pt(8, -1), inCap, false, true, 1.24},
		}},
		{"into a cap that slants", view{sheet: flat, stroke: solve.Stroke{{X: 6, Y: 0}, {X: 8, Y: 0}, {X: 9, Y: -1}}}, []want{
			{image.Pt(6, 0), image.Pt(8, 0), atBorder, true, false, 2},
			{image.Pt(8, 0), image.Pt(9, -1), inCap, false, true, 1.24},
		}},
		{"round a board that goes round", view{sheet: round, stroke: solve.Stroke{{X: 6, Y: 6}, {X: 8, Y: 6}, {X: 10, Y: 6}, {X: 10, Y: 0}}, capless: true}, []want{
			{image.Pt(6, 6), image.Pt(10, 6), atNode, false, false, 4},
			{image.Pt(10, 6), image.Pt(10, 0), atBorder, false, true, 6},
		}},
		{"round a pillar", view{sheet: Sheet{Projection: flat.Projection, On: at}, spin: &see.Spin{}, stroke: solve.Stroke{{X: 2, Y: 6}, {X: 4, Y: 6}, {X: 6, Y: 6}, {X: 6, Y: 4}, {X: 6, Y: 2}}, capless: true}, []want{
			{image.Pt(2, 6), image.Pt(4, 6), atNode, false, false, 2},
			{image.Pt(4, 6), image.Pt(6, 6), atNode, false, false, 2},
			{image.Pt(6, 6), image.Pt(6, 2), atNode, false, true, 4},
		}},
	} {
		i := 0
		for n, w := range row.legs {
			if i >= len(row.view.stroke)-1 {
				t.Errorf("%s: %d legs, want %d", row.why, n, len(row.legs))
				break
			}
			var l leg
			l, i = row.view.legFrom(i)
			if got := (want{l.from, l.to, l.ends, l.slants, l.turns, l.goal}); got != w {
				t.Errorf("%s, leg %d: %+v, want %+v", row.why, n+1, got, w)
			}
			if end, there := l.sight(l.length, 0), at(float64(l.to.X), float64(l.to.Y)); end != there {
				t.Errorf("%s, leg %d: its end is seen at %v, want %v", row.why, n+1, end, there)
			}
		}
		if i != len(row.view.stroke)-1 {
			t.Errorf("%s: legs end at place %d, want %d", row.why, i, len(row.view.stroke)-1)
		}
	}
}

// TestSubmittable: a head is in the cap beyond a third of its half-cell, and beyond the line's
// own round end.
func TestSubmittable(t *testing.T) {
	l := leg{length: 3}
	for _, row := range []struct {
		head, width float64
		want        bool
	}{{1.9, 0.2, false}, {2.3, 0.2, false}, {2.33, 0.2, true}, {2.33, 0.6, false}, {2.37, 0.6, true}} {
		if got := l.submittable(row.head, row.width); got != row.want {
			t.Errorf("a head at %g of a line %g wide: %v, want %v", row.head, row.width, got, row.want)
		}
	}
}

// TestAims: heads within 1.5 pixels of an aim have come, and those that are whole steps short
// of one are waited for.
func TestAims(t *testing.T) {
	a := aims{at: []float64{4, 4.5}, pixels: 20, step: 30}
	for _, row := range []struct {
		why        string
		head       float64
		met, short bool
	}{
		{"at the first", 4, true, false},
		{"near the other", 4.56, true, false},
		{"between", 4.25, false, false},
		{"a step short of the first", 2.5, false, true},
		{"a step short of the other, nearly", 3.09, false, true},
		{"half a step short", 3.5, false, false},
		{"two steps short", 1, false, true},
		{"a step too far", 6, false, false},
	} {
		if met, short := a.met(row.head), a.short(row.head); met != row.met || short != row.short {
			t.Errorf("%s: met %v, short %v; want %v, %v", row.why, met, short, row.met, row.short)
		}
	}
}

// TestLeft: a head that was pressed against the border is at its corner exactly.
func TestLeft(t *testing.T) {
	at := func(x, y float64) vision.Point { return vision.Point{X: 10 * x, Y: 10 * y} }
	tr := &Tracing{view: view{sheet: Sheet{Projection: answer.Projection{At: at}, On: at}, stroke: solve.Stroke{{X: 0, Y: 0}, {X: 2, Y: 0}, {X: 2, Y: 2}}, capless: true}}
	first, _ := tr.legFrom(0)
	for _, row := range []struct {
		head head
		want corner
	}{
		{head{at: 2}, corner{}},
		{head{at: 2, pressed: true}, corner{exact: true}},
		{head{at: 1.75, pressed: true}, corner{off: 2.5}},
		{head{at: 2.25}, corner{off: 2.5}},
	} {
		l := &passage{Tracing: tr}
		if got := l.left(&passage{Tracing: tr, leg: first, head: row.head}); got != row.want {
			t.Errorf("after %+v: %+v, want %+v", row.head, got, row.want)
		}
	}
}
