package see

import (
	"image"
	"io"
	"math"
	"testing"

	"onlooker/calibrations"
	"onlooker/cmd/internal/agent/agenttest"
	"onlooker/solve"
	"onlooker/solve/solvetest"
	"onlooker/solve/witness/forms"
	"onlooker/vision"
	"onlooker/vision/grid"
	"onlooker/vision/grid/claims"
	visionwitness "onlooker/vision/witness"
)

func TestSpin(t *testing.T) {
	c := agenttest.NewColumn(t, agenttest.Lonely)
	for _, row := range []struct {
		why    string
		turns  []float64 // what faces the viewer, frame by frame
		toward float64
	}{
		{"small steps up", []float64{0.4, 0.9, 1.4, 2, 2.6, 3.3, 4}, math.NaN()},
		{"small steps down, past column 0", []float64{-0.8, -1.6, -2.4, -3.2, -4}, math.NaN()},
		{"to and fro", []float64{0.7, 0.1, -0.6, 0.2}, math.NaN()},
		{"a jump of 1.4 half-cells, known to go up", []float64{1.4, 1.9, 2}, 2},
		{"a jump of 1.4 half-cells, known to go down", []float64{-1.4, -2}, -2},
		{"a little beyond, and back", []float64{0.9, 1.8, 2.2, 2}, 2},
		{"it stays", []float64{0, 0.01, 0}, 2},
	} {
		start := 0.6
		turned := NewSpin(c.Find(t, start))
		from := turned.Faced
		if !math.IsNaN(row.toward) {
			turned.Toward = from + row.toward
		}
		for i, by := range row.turns {
			turned.See(c.Frame(start + by))
			if got := turned.Faced - from; math.Abs(got-by) > 0.05 {
				t.Errorf("%s: frame %d turned by %.2f half-cells, want %.2f", row.why, i+1, got, by)
				break
			}
		}
	}
}

// TestTurnedViews: where it is known how far a pillar was turned, one with few
// marks is read, and it is known which column is which.
func TestTurnedViews(t *testing.T) {
	c := agenttest.NewColumn(t, agenttest.Lonely)
	first := c.Find(t, 3)
	turned := NewSpin(first)
	joined, known := visionwitness.NewReader(agenttest.Profile(t)), visionwitness.NewReader(agenttest.Profile(t))
	solvetest.OK(t, known.AddTurned(first, 0))
	solvetest.OK(t, joined.Add(first))
	for faced := 3.5; faced <= 11; faced += 0.5 {
		frame := c.Frame(faced)
		turned.See(frame)
		if math.Mod(faced-3, 2) != 0 {
			continue
		}
		view := first.Turned(frame, turned.phase)
		solvetest.OK(t, known.AddTurned(view, turned.column(view)))
		solvetest.OK(t, joined.Add(view))
	}
	got := solvetest.Must(known.Panel())(t)
	want := solvetest.Must(forms.Parse([]byte(agenttest.Lonely)))(t)
	if len(got.Spots) != len(want.Spots) {
		t.Fatalf("%d half-cells, want %d", len(got.Spots), len(want.Spots))
	}
	for at := range want.Points() {
		if g, w := got.At(at), want.At(at); g.Kind != w.Kind || g.Start != w.Start || g.Cap != w.Cap || g.Gap != w.Gap || g.Dot != w.Dot {
			t.Errorf("at %v: %+v, want %+v", at, *g, *w)
		}
	}
	// What faces the viewer now, in the panel's columns, is what was drawn.
	if off := math.Remainder(turned.Faced+2*float64(known.Column())-11, 12); math.Abs(off) > 0.1 {
		t.Errorf("column %d is column 0 of the first view: %.2f half-cells off", known.Column(), off)
	}
	if _, err := joined.Panel(); err == nil {
		t.Error("joined by its marks alone it is read as well, want unsure")
	}
	if err := known.AddTurned(&vision.Board{Cols: 6, Rows: 6}, 0); err == nil {
		t.Error("a flat board is taken for a view")
	}
}

// TestLoopFollowsPillar turns a pillar before a loop that only looks: it is
// answered once all of it was in view, and not before.
func TestLoopFollowsPillar(t *testing.T) {
	c := agenttest.NewColumn(t, agenttest.Lonely)
	var frames []*image.RGBA
	rest := func(faced float64) {
		for range 4 {
			frames = append(frames, c.Frame(faced))
		}
	}
	rest(3)
	for faced := 3.5; faced <= 13; faced += 0.5 {
		if frames = append(frames, c.Frame(faced)); math.Mod(faced-3, 2) == 0 {
			rest(faced)
		}
	}
	agenttest.OnItsOwnClock(t, "turned by a column at a time", func(t *testing.T) {
		game := real()
		game.Family = &solve.Family{Name: "witness"}
		var read []string
		loop := &Loop{Source: &reel{Frames: frames, End: io.EOF}, Observer: &Observer{Eye: &Eye{Games: []Game{game}, Profiles: []*calibrations.Profile{agenttest.Profile(t)}}}}
		solvetest.OK(t, loop.Run(t.Context(), func(turn *Turn) error {
			for _, b := range turn.Boards {
				if b.New && b.Text != "" {
					read = append(read, b.Text)
				}
			}
			return nil
		}))
		if len(read) != 1 {
			t.Fatalf("read %q, want one puzzle", read)
		}
		got := solvetest.Must(forms.Parse([]byte(read[0])))(t)
		want := solvetest.Must(forms.Parse([]byte(agenttest.Lonely)))(t)
		for at := range want.Points() {
			if g, w := got.At(at), want.At(at); g.Kind != w.Kind || g.Start != w.Start || g.Cap != w.Cap || g.Gap != w.Gap || g.Dot != w.Dot {
				t.Errorf("at %v: %+v, want %+v", at, *g, *w)
			}
		}
	})
}

// A reading names the look that told what the board shows, and where none did, the
// family's look for boards of any colours, wherever that stands among the others.
func TestReadingNamesItsLook(t *testing.T) {
	look := func(name string, lit ...string) *calibrations.Profile {
		return &calibrations.Profile{Name: name, Family: "lamps", Cells: &calibrations.Cells{Lit: lit, Dark: lit}}
	}
	blue, any, red := look("blue", "#0000ff"), look("any"), look("red", "#ff0000")
	for _, row := range []struct {
		why   string
		looks []*calibrations.Profile
		told  *calibrations.Profile
		want  *calibrations.Profile
	}{
		{"a look's colours", []*calibrations.Profile{blue, any, red}, red, red},
		{"no look's colours", []*calibrations.Profile{blue, any, red}, nil, any},
		{"no look's colours, and one look that was chosen", []*calibrations.Profile{blue}, nil, blue},
	} {
		game := Game{Family: &solve.Family{Name: "lamps"}, Scan: func(*grid.Scene, int, []*calibrations.Profile) []claims.Reading {
			b := &vision.Board{Cols: 3, Rows: 3, Quad: [4]vision.Point{{X: 1, Y: 1}, {X: 9, Y: 1}, {X: 9, Y: 9}, {X: 1, Y: 9}}}
			return []claims.Reading{{Board: b, Look: row.told, Puzzle: &one{solve: func() (solve.Solution, error) { return nil, nil }}}}
		}}
		e := &Eye{Games: []Game{game}, Profiles: row.looks}
		sight, err := e.Look(agenttest.Grey(10), Millis{})
		if err != nil || len(sight.Readings) != 1 {
			t.Fatalf("%s: %v, %v; want one board", row.why, sight, err)
		}
		if got := sight.Readings[0].Profile; got != row.want || sight.Profile != row.want {
			t.Errorf("%s: %s, and %s of the whole, want %s", row.why, got.Name, sight.Profile.Name, row.want.Name)
		}
	}
}

// TestOutsideCells: an outlined symbol that passes for a board in one look is none where a
// board lies round it in another.
func TestOutsideCells(t *testing.T) {
	board := func(cols, rows int, x, y, pitch float64) *vision.Board {
		w, h := float64(cols)*pitch, float64(rows)*pitch
		return &vision.Board{Cols: cols, Rows: rows, ScreenPitch: pitch, Quad: [4]vision.Point{{X: x, Y: y}, {X: x + w, Y: y}, {X: x + w, Y: y + h}, {X: x, Y: y + h}}}
	}
	whole := board(5, 6, 100, 100, 70)
	for _, row := range []struct {
		why   string
		board *vision.Board
		read  bool
	}{
		{"in a cell", board(1, 1, 112, 112, 45), false},
		{"beside the board", board(1, 1, 600, 112, 45), true},
		{"the same board, its cells halved", board(10, 12, 100, 100, 35), true},
	} {
		s := &Sight{Readings: []Reading{{Board: row.board, Puzzle: &one{}}}}
		if found := s.outsideCells([]*vision.Board{whole}); len(found) != 2 || (s.Readings[0].Err == nil) != row.read {
			t.Errorf("%s: %d boards, %v", row.why, len(found), s.Readings[0].Err)
		}
	}
}

// TestDoubtParts: islands of a panel that one look finds whole are none by themselves in
// another.
func TestDoubtParts(t *testing.T) {
	board := func(cols, rows int, x, y, pitch float64) *vision.Board {
		w, h := float64(cols)*pitch, float64(rows)*pitch
		return solvetest.Must(vision.Placed(image.Pt(1920, 1080), cols, rows, [4]vision.Point{{X: x, Y: y}, {X: x + w, Y: y}, {X: x + w, Y: y + h}, {X: x, Y: y + h}}))(t)
	}
	whole, unsure := board(8, 3, 100, 100, 70), board(8, 3, 100, 500, 70)
	whole.Whole = true
	island := board(3, 3, 100, 101, 70)
	for _, row := range []struct {
		why    string
		boards []*vision.Board
		doubts int
	}{
		{"two islands", []*vision.Board{island, board(3, 3, 450, 99, 70)}, 2},
		{"and another panel", []*vision.Board{island, board(3, 3, 450, 99, 70), board(3, 3, 800, 100, 70)}, 2},
		{"one of them", []*vision.Board{island}, 0},
		{"the whole", []*vision.Board{whole}, 0},
		{"one off the nodes", []*vision.Board{island, board(3, 3, 470, 100, 70)}, 0},
		{"one of another pitch", []*vision.Board{island, board(3, 3, 450, 100, 60)}, 0},
		{"islands of what may not be whole", []*vision.Board{board(3, 3, 100, 500, 70), board(3, 3, 450, 500, 70)}, 0},
	} {
		s, doubts := &Sight{}, 0
		for _, b := range row.boards {
			s.Readings = append(s.Readings, Reading{Board: b, Puzzle: &one{}})
		}
		s.doubtParts([]*vision.Board{unsure, whole})
		for _, r := range s.Readings {
			if r.Err != nil {
				doubts++
			}
		}
		solvetest.Same(t, doubts, row.doubts, "%s: doubted", row.why)
	}
}

// TestDoubtHidden: what a look says is hidden the structure alone does not read; another board, or
// one of which that look doubts something else, it does.
func TestDoubtHidden(t *testing.T) {
	board := func(cols int) *vision.Board {
		return &vision.Board{Cols: cols, Rows: 3, Quad: [4]vision.Point{{X: 1, Y: 1}, {X: 9, Y: 1}, {X: 9, Y: 9}, {X: 1, Y: 9}}}
	}
	hidden := &vision.UnsureError{What: "hidden by the cursor", Hidden: true}
	for _, row := range []struct {
		cols int
		by   error
		want error
	}{{3, hidden, hidden}, {4, hidden, nil}, {3, &vision.UnsureError{What: "a star"}, nil}, {3, nil, nil}} {
		s := &Sight{Readings: []Reading{{Board: board(3)}}}
		s.doubtHidden([]Reading{{Board: board(row.cols), Err: row.by}})
		solvetest.Same(t, s.Readings[0].Err, row.want, "%d columns, %v", row.cols, row.by)
	}
}

// TestNaming: the look that names the colour of a board's lines is the likeliest, where they usually
// have it: a pixel of them may be further from it.
func TestNaming(t *testing.T) {
	looks := []*calibrations.Profile{{}, {Board: calibrations.Board{Lines: []string{"#334444"}, LinesWithin: 20}}}
	for _, row := range []struct {
		ink  vision.RGB
		want bool
	}{{vision.RGB{51, 68, 68}, true}, {vision.RGB{55, 70, 62}, true}, {vision.RGB{60, 60, 59}, false}, {vision.RGB{51, 90, 68}, false}} {
		solvetest.Same(t, naming(looks, []*vision.Board{{Ink: row.ink}}) == looks[1], row.want, "lines of %v: named", row.ink)
	}
}
