package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"iter"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"onlooker/calibrations"
	"onlooker/capture"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/games"
	"onlooker/solve"
	"onlooker/solve/flow"
	"onlooker/solve/solvetest"
	"onlooker/solve/switches"
	"onlooker/vision"
	"onlooker/vision/posterior"
)

// A screen is one picture of ../shared/screens with what it shows.
type screen struct {
	Look, State string
	Size        [2]int
	Boards      []screenBoard
}

// A screenBoard is one board of a screen.
type screenBoard struct {
	Box  [4]float64 `json:"bbox"` // left, top, width and height
	Text string
	Cut  bool // by the picture's edge
	// Centres are the bulbs' middles where they are joined by lines, in the order of
	// the text's names.
	Centres [][2]float64
}

// screensOf lists the pictures of a family; it skips where there are none.
func screensOf(t testing.TB, family string) (dir string, list map[string]screen) {
	t.Helper()
	dir = solvetest.Shared("screens", family)
	data, err := os.ReadFile(filepath.Join(dir, "truth.json"))
	if err != nil {
		t.Skipf("no screens of %s: %v (set ONLOOKER_SHARED to their folder)", family, err)
	}
	solvetest.OK(t, json.Unmarshal(data, &list))
	// Fans that are fixed or turned are no boards that are known.
	maps.DeleteFunc(list, func(_ string, s screen) bool {
		return family == "fans" && slices.ContainsFunc(s.Boards, func(b screenBoard) bool { return strings.ContainsAny(b.Text, "<>^v") })
	})
	if len(list) < 5 {
		t.Fatalf("%s lists %d pictures, want more", dir, len(list))
	}
	return dir, list
}

// cellEye looks with the looks of boards of cells alone: the other looks are
// tested elsewhere.
func cellEye(t *testing.T) *see.Eye {
	t.Helper()
	model := solvetest.Must(posterior.Fitted())(t)
	eye := &see.Eye{Games: games.Of(), Model: model}
	for _, name := range calibrations.Names() {
		p := solvetest.Must(calibrations.Load(name))(t)
		if p.Cells != nil {
			eye.Profiles = append(eye.Profiles, p)
		}
	}
	return eye
}

// alone is a puzzle's text without what no picture tells: what is wanted, and
// whether cells may stay empty.
func alone(t *testing.T, p solve.Puzzle) string {
	t.Helper()
	if f, ok := p.(*flow.Puzzle); ok {
		p = f.With(flow.Options{})
	}
	text := solvetest.Must(p.MarshalText())(t)
	var out strings.Builder
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "want") {
			out.WriteString(line)
		}
	}
	return out.String()
}

// sameBulbs tells whether a board of bulbs joined by lines was read as it is, each
// bulb being who stands where it does: their names go by the order of reading, which
// is another where the picture is turned.
func sameBulbs(t *testing.T, r see.Reading, want screenBoard) bool {
	t.Helper()
	got, ok := r.Puzzle.(*switches.Puzzle)
	if !ok || len(want.Centres) == 0 || len(got.Spec().Nodes) != len(want.Centres) {
		return false
	}
	truth := decode(t, r.Game, want.Text).(*switches.Puzzle).Spec()
	is := make([]int, len(want.Centres)) // of each bulb, its number in the truth
	for i := range is {
		at, ok := r.Board.Places[image.Pt(2*i+1, 1)]
		if !ok {
			return false
		}
		far := func(k int) float64 { return math.Hypot(at.X-want.Centres[k][0], at.Y-want.Centres[k][1]) }
		for k := range want.Centres {
			if far(k) < far(is[i]) {
				is[i] = k
			}
		}
	}
	flips := map[[2]int]bool{}
	for _, f := range truth.Flips {
		flips[[2]int{f.Switch, f.Bulb}] = true
	}
	spec := got.Spec()
	if len(spec.Flips) != len(truth.Flips) {
		return false
	}
	for _, f := range spec.Flips {
		if !flips[[2]int{is[f.Switch], is[f.Bulb]}] {
			return false
		}
	}
	for i, n := range spec.Nodes {
		if n.Now != truth.Nodes[is[i]].Now {
			return false
		}
	}
	return true
}

func openPicture(t testing.TB, name string) *image.RGBA {
	t.Helper()
	f := solvetest.Must(os.Open(name))(t)
	defer f.Close()
	m, err := capture.ReadPicture(f)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return m
}

// A screenTally counts the boards of a look by how they were read.
type screenTally struct{ exact, unsure, wrong, cut int }

func (a *screenTally) add(b screenTally) {
	a.exact, a.unsure, a.wrong, a.cut = a.exact+b.exact, a.unsure+b.unsure, a.wrong+b.wrong, a.cut+b.cut
}

func (a screenTally) String() string {
	return fmt.Sprintf("exact %d, unsure %d, WRONG %d, cut %d", a.exact, a.unsure, a.wrong, a.cut)
}

// someScreens yields the screens of a family by their files, in order: those of today, with
// ONLOOKER_MORE all, with ONLY=NAME those whose names begin so.
func someScreens(t *testing.T, family string, today func(i int, s screen) bool) iter.Seq2[string, screen] {
	dir, list := screensOf(t, family)
	only := os.Getenv("ONLY")
	return func(yield func(string, screen) bool) {
		for i, name := range slices.Sorted(maps.Keys(list)) {
			wanted := only != "" || solvetest.More() > 1 || today(i, list[name])
			if wanted && strings.HasPrefix(name, only) && !yield(filepath.Join(dir, name), list[name]) {
				return
			}
		}
	}
}

// TestScreens reads real screens of programs that nobody here wrote, whose
// truth is known, and wants none read wrong: half of those that the record (make outside) does
// not, with ONLOOKER_MORE all.
// ONLY=NAME reads the pictures whose names begin so.
func TestScreens(t *testing.T) {
	eye := cellEye(t)
	today := func(i int, s screen) bool {
		return i%3 == 1 || slices.ContainsFunc(s.Boards, func(b screenBoard) bool { return b.Centres != nil })
	}
	for _, family := range []string{"flow", "switches", "alcazar", "fans"} {
		t.Run(family, func(t *testing.T) {
			var total screenTally
			for file, s := range someScreens(t, family, today) {
				total.add(judge(t, eye, family, file, openPicture(t, file), s))
			}
			t.Log(total)
			if total.wrong > 0 {
				t.Errorf("%d boards of %s were read wrong, want none", total.wrong, family)
			}
		})
	}
}

// judge reads one picture, file being its name, and compares what was read with
// its truth.
func judge(t *testing.T, eye *see.Eye, family, file string, m *image.RGBA, s screen) (out screenTally) {
	t.Helper()
	sight, err := eye.Look(m, see.Millis{})
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	name := filepath.Base(file)
	readings := slices.Clone(sight.Readings)
	for _, want := range s.Boards {
		box := want.Box
		inside := func(r see.Reading) bool {
			var c vision.Point
			for _, p := range r.Board.Quad {
				c.X, c.Y = c.X+p.X/4, c.Y+p.Y/4
			}
			return c.X > box[0]-box[2]/8 && c.X < box[0]+box[2]*9/8 && c.Y > box[1]-box[3]/8 && c.Y < box[1]+box[3]*9/8
		}
		i := slices.IndexFunc(readings, func(r see.Reading) bool { return r.Err == nil && inside(r) })
		if i < 0 {
			if want.Cut {
				out.cut++
				continue
			}
			out.unsure++
			why := "not found"
			if k := slices.IndexFunc(readings, inside); k >= 0 {
				why = fmt.Sprintf("%s %dx%d: %v", readings[k].Game.Name, readings[k].Board.Cols, readings[k].Board.Rows, readings[k].Err)
			}
			t.Logf("  %s unsure: %s", name, why)
			continue
		}
		r := readings[i]
		readings = slices.Delete(readings, i, i+1)
		truth := want.Text
		if r.Game.Name == family {
			truth = alone(t, decode(t, r.Game, want.Text))
		}
		if r.Game.Name == family && (alone(t, r.Puzzle) == truth || sameBulbs(t, r, want)) {
			out.exact++
			continue
		}
		out.wrong++
		t.Logf("  %s WRONG: got %s\n%swant\n%s", name, r.Game.Name, alone(t, r.Puzzle), truth)
	}
	for _, r := range readings {
		if r.Err == nil && len(s.Boards) == 0 {
			out.wrong++
			t.Logf("  %s WRONG: a board where there is none, %s\n%s", name, r.Game.Name, alone(t, r.Puzzle))
		}
	}
	return out
}

func decode(t *testing.T, g *see.Game, text string) solve.Puzzle {
	t.Helper()
	for p, err := range g.Formats[0].Decode(bytes.NewReader([]byte(text))) {
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		return p
	}
	t.Fatalf("no board in %q", text)
	return nil
}
