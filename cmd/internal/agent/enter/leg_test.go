package enter

import (
	"image"
	"image/color"
	"image/draw"
	"math"
	"strings"
	"testing"

	"onlooker/cmd/internal/agent/agenttest"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/answer"
	"onlooker/solve"
	"onlooker/solve/solvetest"
	"onlooker/vision"
	"onlooker/vision/trail"
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
			solvetest.Same(t, (want{l.from, l.to, l.ends, l.slants, l.turns, l.goal}), w, "%s, leg %d", row.why, n+1)
			if end, there := l.sight(l.length, 0), at(float64(l.to.X), float64(l.to.Y)); end != there {
				t.Errorf("%s, leg %d: its end is seen at %v, want %v", row.why, n+1, end, there)
			}
		}
		solvetest.Same(t, i, len(row.view.stroke)-1, "%s: legs end at place", row.why)
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
		solvetest.Same(t, l.submittable(row.head, row.width), row.want, "a head at %g of a line %g wide", row.head, row.width)
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
		solvetest.Same(t, l.left(&passage{Tracing: tr, leg: first, head: row.head}), row.want, "after %+v", row.head)
	}
}

// soft draws a disc of a radius with a border that is mixed over a pixel.
func soft(m *image.RGBA, at vision.Point, radius float64, ink color.RGBA) {
	for y := int(at.Y - radius - 2); y <= int(at.Y+radius+2); y++ {
		for x := int(at.X - radius - 2); x <= int(at.X+radius+2); x++ {
			share := min(max(radius+0.5-math.Hypot(float64(x)-at.X, float64(y)-at.Y), 0), 1)
			was := m.RGBAAt(x, y)
			mix := func(a, b uint8) uint8 { return uint8(math.Round(float64(a) + share*(float64(b)-float64(a)))) }
			m.SetRGBA(x, y, color.RGBA{mix(was.R, ink.R), mix(was.G, ink.G), mix(was.B, ink.B), 255})
		}
	}
}

// A line that was begun on a board whose start circle reaches far beyond it, or that was read
// while it came on, and words over the board or not: only the words hide something, whichever
// place they lie at.
func TestHidden(t *testing.T) {
	const pitch = 33.5 // pixels a half-cell
	ground, ink := color.RGBA{18, 144, 112, 255}, color.RGBA{238, 246, 230, 255}
	at := func(x, y float64) vision.Point { return vision.Point{X: 60 + x*pitch, Y: 60 + y*pitch} }
	stroke := solve.Stroke{} // along one row, and up
	for x := range 9 {
		stroke = append(stroke, image.Pt(x, 4))
	}
	for y := 3; y >= 0; y-- {
		stroke = append(stroke, image.Pt(8, y))
	}
	board := func(light float64) *image.RGBA {
		dim := func(c color.RGBA) color.RGBA {
			return color.RGBA{uint8(light * float64(c.R)), uint8(light * float64(c.G)), uint8(light * float64(c.B)), 255}
		}
		m := image.NewRGBA(image.Rect(0, 0, 400, 400))
		draw.Draw(m, m.Rect, image.NewUniform(dim(ground)), image.Point{}, draw.Src)
		for k := 0.0; k <= 8; k += 2 {
			for along := 0.0; along <= 8; along += 0.1 {
				soft(m, at(k, along), 0.34*pitch, dim(color.RGBA{60, 60, 30, 255}))
				soft(m, at(along, k), 0.34*pitch, dim(color.RGBA{60, 60, 30, 255}))
			}
		}
		return m
	}
	for _, c := range []struct {
		name   string
		radius float64 // of the start circle, in half-cells
		words  image.Rectangle
		from   float64
		to     float64
		read   float64 // the board's light when it was read; 1 later
		want   bool
	}{
		{"a small start circle", 0.5, image.Rectangle{}, 0, 4, 1, false},
		{"one whose border lies at the places beside the line", 0.79, image.Rectangle{}, 0, 4, 1, false},
		{"a large one", 0.9, image.Rectangle{}, 0, 4, 1, false},
		{"words over the next cells", 0.79, image.Rect(120, 140, 300, 240), 0, 4, 1, true},
		{"read while it came on", 0.79, image.Rectangle{}, 0, 6, 0.6, false},
		{"words, and read while it came on", 0.79, image.Rect(120, 140, 300, 240), 0, 6, 0.6, true},
		{"words just beyond the leg's end, that its head seems to have come to", 0.79, image.Rect(172, 140, 300, 240), 0, 4.5, 1, true},
		{"words where the head is not", 0.79, image.Rect(260, 140, 380, 240), 0, 2, 1, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			before, now := board(1), board(1)
			soft(now, at(0, 4), c.radius*pitch, ink)
			for x := 0.0; x < 1.5; x += 0.02 {
				soft(now, at(x, 4), 0.34*pitch, ink)
			}
			line, ok := trail.New(before, now, at(0, 4))
			if !ok {
				t.Fatal("no line is seen at its start")
			}
			draw.Draw(now, c.words, image.NewUniform(color.RGBA{40, 42, 50, 255}), image.Point{}, draw.Src)
			v := &view{sheet: Sheet{Projection: answer.Projection{At: at}, Line: 0.34}, stroke: stroke, trail: line, line: newGauge(0.68, 0), read: board(c.read)}
			l := &leg{from: stroke[0], to: stroke[3], length: 3}
			solvetest.Same(t, v.hidden(l, now, c.from, c.to), c.want, "hidden is the board between %v and %v", c.from, c.to)
		})
	}
}

// A page that comes over a pillar when its answer was accepted is told from a line that
// went: the cells above and below the end go as well, though the end alone is watched.
func TestPillarWent(t *testing.T) {
	c := agenttest.NewColumn(t, agenttest.Lonely)
	turned := see.NewSpin(c.Find(t, 2))
	end := int(math.Round(turned.Faced/2)) * 2
	var stroke solve.Stroke
	for y := 12; y >= 0; y -= 2 {
		stroke = append(stroke, image.Pt(end, y))
	}
	stroke = append(stroke, image.Pt(end, -1))
	tr := &view{sheet: Sheet{Projection: answer.Projection{At: turned.At}}, stroke: stroke, spin: turned, watched: stroke[len(stroke)-3:]}
	before, now := c.Frame(2), c.Frame(2)
	if boardWent(before, now, tr.sheet, tr.judged()) {
		t.Error("the same frame: the pillar went, want it to stay")
	}
	page := now.Rect.Inset(120)
	draw.Draw(now, page, image.NewUniform(color.RGBA{12, 6, 3, 255}), image.Point{}, draw.Src)
	if !boardWent(before, now, tr.sheet, tr.judged()) {
		t.Errorf("a page over %v: the pillar stays, want it to have gone", page)
	}
}

// TestGain: what the motions of a line's legs tell of its gain, from what is known of it.
func TestGain(t *testing.T) {
	lent := gain{pixels: 1, state: gainLent}
	for _, row := range []struct {
		why    string
		from   gain
		legs   [][]motions
		pixels float64
		state  gainState
	}{
		{"nothing is sent", gain{}, nil, 0, gainUnknown},
		{"too short a motion", gain{}, [][]motions{{{10, 12}}}, 0, gainUnknown},
		{"one motion", gain{}, [][]motions{{{10, 14}}}, 1.4, gainMeasured},
		{"short motions of one leg", gain{}, [][]motions{{{5, 7}, {5, 7}}}, 1.4, gainMeasured},
		{"short motions of two legs", gain{}, [][]motions{{{5, 7}}, {{5, 7}}}, 0, gainUnknown},
		{"backwards", gain{}, [][]motions{{{-10, -14}}}, 1.4, gainMeasured},
		{"a head that went the other way", gain{}, [][]motions{{{10, -14}}}, 0, gainUnknown},
		{"a part shows with the next motion", gain{}, [][]motions{{{100, 140}, {10, 40}, {100, 141}}}, 1.41, gainMeasured},
		{"own gain is measured more exactly", gain{}, [][]motions{{{10, 14}}, {{100, 142}}}, 1.42, gainMeasured},
		{"a little off is noise", gain{}, [][]motions{{{10, 14}}, {{100, 140.5}}}, 1.4, gainMeasured},
		{"lent, and nothing is told", lent, nil, 1, gainLent},
		{"lent, and the same", lent, [][]motions{{{100, 101}}}, 1, gainConfirmed},
		{"lent, the same, and then a little off", lent, [][]motions{{{100, 101}}, {{100, 102.5}}}, 1.025, gainConfirmed},
		{"lent, and another once", lent, [][]motions{{{100, 150}}}, 1, gainLent},
		{"lent, another once, and the same", lent, [][]motions{{{100, 150}}, {{100, 101}}}, 1, gainConfirmed},
		{"lent, and another twice", lent, [][]motions{{{100, 150}}, {{100, 151}}}, 1.51, gainMeasured},
		{"lent, and two others", lent, [][]motions{{{100, 150}}, {{100, 170}}}, 1, gainLent},
		{"confirmed, and another twice", gain{pixels: 1, state: gainConfirmed, told: motions{100, 100}}, [][]motions{{{100, 150}}, {{100, 150}}}, 1.5, gainMeasured},
		{"measured, and another once", gain{pixels: 1, state: gainMeasured, told: motions{100, 100}}, [][]motions{{{100, 150}}}, 1.5, gainMeasured},
	} {
		g := row.from
		for _, leg := range row.legs {
			var sum motions
			for _, one := range leg {
				g.learn(&sum, one)
			}
		}
		if math.Abs(g.pixels-row.pixels) > 1e-9 || g.state != row.state {
			t.Errorf("%s: %g in state %d, want %g in state %d", row.why, g.pixels, g.state, row.pixels, row.state)
		}
	}
}

// TestGainSays: an outlier is waited on, and a leg that told it begins anew.
func TestGainSays(t *testing.T) {
	g, leg := gain{pixels: 1, state: gainLent}, motions{}
	solvetest.Same(t, g.learn(&leg, motions{10, 5}), "", "of a short motion")
	if said := g.learn(&leg, motions{100, 150}); !strings.Contains(said, "waiting") || leg != (motions{}) {
		t.Errorf("of another gain: %q with %v kept of the leg, want that it waits, and nothing kept", said, leg)
	}
	solvetest.Same(t, g.learn(&leg, motions{100, 150}), "gain 1.500, told 1.500", "of the same again")
}

func TestGainConfirm(t *testing.T) {
	for from, want := range map[gainState]gainState{gainUnknown: gainUnknown, gainLent: gainConfirmed, gainConfirmed: gainConfirmed, gainMeasured: gainMeasured} {
		g := gain{state: from}
		if g.confirm(); g.state != want {
			t.Errorf("state %d confirmed is %d, want %d", from, g.state, want)
		}
	}
}

// TestLines: lines lend their gain once two in a row had it, and no more when one failed.
func TestLines(t *testing.T) {
	told := func(units, pixels float64) gain {
		return gain{pixels: pixels / units, state: gainMeasured, told: motions{units, pixels}}
	}
	var l lines
	step := func(why string, do func(), want gain) {
		t.Helper()
		do()
		if got := l.lend(); math.Abs(got.pixels-want.pixels) > 1e-9 || got.state != want.state {
			t.Errorf("%s: %g in state %d is lent, want %g in state %d", why, got.pixels, got.state, want.pixels, want.state)
		}
	}
	step("no line", func() {}, gain{})
	step("one line", func() { l.add(told(100, 140), 0) }, gain{})
	step("another gain", func() { l.add(told(100, 100), 0) }, gain{})
	step("that again, told by more", func() { l.add(told(300, 302), 1.05) }, gain{pixels: 402.0 / 400, state: gainLent})
	step("a line that told none", func() { l.add(gain{pixels: 1.005, state: gainConfirmed}, 0) }, gain{pixels: 402.0 / 400, state: gainLent})
	solvetest.Same(t, l.wide, 1.05, "lines are wide: the last was not measured")
	step("a line failed", func() { l.doubt() }, gain{})
	if l.gain == 0 {
		t.Error("the gain of the last line is forgotten")
	}
}

// TestNudges: a client is taken to lose first motions until two more were kept than lost.
func TestNudges(t *testing.T) {
	var n nudges
	for _, row := range []struct {
		why      string
		short    float64
		expected bool
		kept     bool
	}{
		{"kept once", 0, false, false},
		{"and again", 0.2, false, true},
		{"neither kept nor lost", 0.5, false, true},
		{"lost", 1, false, false},
		{"made good, and lost", 0, true, false},
		{"made good, and kept", -1, true, false},
		{"and again", -1.1, true, true},
	} {
		if n.learn(row.short, row.expected); n.kept() != row.kept {
			t.Errorf("%s: kept is %v with %d, want %v", row.why, n.kept(), n, row.kept)
		}
	}
}

// TestGauge: a line's width is the middle one of its measurements.
func TestGauge(t *testing.T) {
	solvetest.Same(t, newGauge(0.5, 1.3).width, 0.5, "with lines 1.3 times as wide")
	g := newGauge(0.5, 1.04)
	if g.width != 0.52 || g.wide() != 0 {
		t.Errorf("with lines 1.04 times as wide: %g, measured %g; want 0.52, not measured", g.width, g.wide())
	}
	if g.add(0.6) {
		t.Error("a width a fifth off counts")
	}
	for _, w := range []float64{0.49, 0.55, 0.53} {
		if !g.add(w) {
			t.Errorf("a width of %g does not count", w)
		}
	}
	if g.width != 0.53 || g.wide() != 1.06 {
		t.Errorf("a width of %g, %g of what its board says; want 0.53 and 1.06", g.width, g.wide())
	}
	for range mostGauged - 3 {
		g.add(0.5)
	}
	if !g.full() {
		t.Errorf("%d measurements are not enough", len(g.measured))
	}
}
