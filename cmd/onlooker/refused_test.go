package main

import (
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"onlooker/calibrations"
	"onlooker/cmd/internal/agent/see"
	"onlooker/solve/solvetest"
	"onlooker/solve/switches"
	"onlooker/solve/witness"
	panels "onlooker/solve/witness/board"
	"onlooker/vision/picture"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/posterior"
)

// cutOff is a picture without 20 to 60 % of its board, of one side.
func cutOff(rng *rand.Rand, m *image.RGBA, box image.Rectangle) *image.RGBA {
	keep := m.Rect
	off := 0.2 + 0.4*rng.Float64()
	dx, dy := int(off*float64(box.Dx())), int(off*float64(box.Dy()))
	switch rng.IntN(4) {
	case 0:
		keep.Min.X = box.Min.X + dx
	case 1:
		keep.Max.X = box.Max.X - dx
	case 2:
		keep.Min.Y = box.Min.Y + dy
	default:
		keep.Max.Y = box.Max.Y - dy
	}
	return kept(m, keep)
}

// panelRefusals yields drawn panels that are cut or have a line drawn on them, and shared captures,
// whole and cut.
func panelRefusals(t *testing.T, count int, yield func(samplePicture)) {
	t.Helper()
	look := solvetest.Must(calibrations.Load("witnesspuzzles"))(t)
	for k := range count {
		rng := rand.New(rand.NewPCG(uint64(k), 52))
		p := witness.Family.Generate(rng, 2+rng.IntN(5), 2+rng.IntN(5))
		answer := solvetest.Must(p.Solve(t.Context()))(t)
		if k%2 == 1 {
			answer = nil
		}
		name := fmt.Sprintf("panel drawn %d", k)
		m := picture.Image(drawing.Shapes(panels.Of(p), answer, drawing.Typical(look)), 20+30*rng.Float64())
		if b := m.Rect; k%2 == 1 {
			m = cutOff(rng, m, image.Rect(b.Dx()/6, b.Dy()/6, b.Dx()*5/6, b.Dy()*5/6))
		}
		yield(samplePicture{name: name, frame: m, family: "witness"})
	}
	dir := filepath.Join(filepath.Dir(filepath.Dir(outside(t, "pictures"))), "captures")
	data := solvetest.Must(os.ReadFile(filepath.Join(dir, "truth.json")))(t)
	var truth map[string]struct{ Boards []struct{ Quad [][2]float64 } }
	solvetest.OK(t, json.Unmarshal(data, &truth))
	for name, s := range truth {
		if len(s.Boards) == 0 {
			continue
		}
		m := openPicture(t, filepath.Join(dir, name))
		yield(samplePicture{name: "panel " + name, frame: m, family: "witness"})
		if len(s.Boards) > 1 || len(s.Boards[0].Quad) < 4 {
			continue
		}
		var box image.Rectangle
		for _, p := range s.Boards[0].Quad {
			box = box.Union(image.Rect(int(p[0]), int(p[1]), int(p[0])+1, int(p[1])+1))
		}
		yield(samplePicture{name: "panel cut " + name, frame: cutOff(rand.New(rand.NewPCG(hashed(name), 1)), m, box), family: "witness"})
	}
}

// lookRefusals yields panels of looks kept elsewhere, as they come.
func lookRefusals(t *testing.T, yield func(samplePicture)) {
	t.Helper()
	files := solvetest.Must(filepath.Glob(filepath.Join(filepath.Dir(filepath.Dir(outside(t, "pictures"))), "looks", "pictures", "*-test-*")))(t)
	for _, f := range files {
		yield(samplePicture{name: "panel " + filepath.Base(f), frame: openPicture(t, f), family: "witness"})
	}
}

// screenRefusals yields the shared screens that show one board, whole and cut.
func screenRefusals(t *testing.T, yield func(samplePicture)) {
	t.Helper()
	for _, family := range []string{"flow", "switches", "alcazar", "fans"} {
		dir, list := screensOf(t, family)
		for name, s := range list {
			if len(s.Boards) != 1 {
				continue
			}
			m := openPicture(t, filepath.Join(dir, name))
			yield(samplePicture{name: "screen " + name, frame: m, family: family})
			if s.Boards[0].Cut {
				continue
			}
			b := s.Boards[0].Box
			box := image.Rect(int(b[0]), int(b[1]), int(b[0]+b[2]), int(b[1]+b[3]))
			for k := range uint64(2) {
				yield(samplePicture{name: fmt.Sprintf("screen cut %d %s", k, name), frame: cutOff(rand.New(rand.NewPCG(hashed(name), k)), m, box), family: family})
			}
			yield(samplePicture{name: "screen cropped " + name, frame: cropped(rand.New(rand.NewPCG(hashed(name), 9)), m, box), family: family})
		}
	}
}

// lampRefusals yields drawn boards of lamps of which one has a third colour, as a hint or the cell
// under the pointer has.
func lampRefusals(count int, yield func(samplePicture)) {
	for k := range count {
		rng := rand.New(rand.NewPCG(uint64(k), 53))
		m, box, p := drawnLamps(rng)
		spec := p.(*switches.Puzzle).Spec()
		c, r := rng.IntN(spec.Cols), rng.IntN(spec.Rows)
		at := image.Pt(box.Min.X+(2*c+1)*box.Dx()/(2*spec.Cols), box.Min.Y+(2*r+1)*box.Dy()/(2*spec.Rows))
		flood(m, at, m.RGBAAt(at.X, at.Y), hueOf(rng.IntN(15)))
		yield(samplePicture{name: fmt.Sprintf("third %d", k), frame: m, family: "switches"})
	}
}

// flood fills all that has a colour and joins a place of it.
func flood(m *image.RGBA, at image.Point, from color.RGBA, to color.Color) {
	for todo := []image.Point{at}; len(todo) > 0; {
		p := todo[len(todo)-1]
		if todo = todo[:len(todo)-1]; !p.In(m.Rect) || m.RGBAAt(p.X, p.Y) != from {
			continue
		}
		m.Set(p.X, p.Y, to)
		todo = append(todo, p.Add(image.Pt(1, 0)), p.Add(image.Pt(-1, 0)), p.Add(image.Pt(0, 1)), p.Add(image.Pt(0, -1)))
	}
}

// A refusedLine is a board that could not be read in the file that TestRefused in
// vision/posterior reads: of which picture it is, which family's board that shows, and whose
// reader refused it.
type refusedLine struct {
	From, Shows, Family string
	Evidence            posterior.Evidence
}

// TestRefusedSamples writes what refused.json in vision/posterior is fitted to, where REFUSED names a
// file: all refusals of pictures that show a board and of which nothing is read: shared screens and
// captures, whole and cut, panels of other looks, and drawn boards that are cut or have a line drawn
// on them, 150 of each family, of cells of several shapes, 90, and of lamps with a third colour, 30.
func TestRefusedSamples(t *testing.T) {
	file := os.Getenv("REFUSED")
	if file == "" {
		t.Skip("REFUSED names no file to write")
	}
	const count = 150
	eye := autoEye(t)
	out := newSampleFile(t, file)
	defer out.close(t)
	add := func(p samplePicture) {
		sight, err := eye.Look(p.frame, see.Millis{})
		if err != nil || slices.ContainsFunc(sight.Readings, func(r see.Reading) bool { return r.Err == nil }) {
			return
		}
		unread := slices.DeleteFunc(sight.Candidates, func(r see.Reading) bool { return r.Err == nil })
		told := map[string]bool{}
		for i, e := range see.Refusals(unread) {
			for n, v := range e {
				e[n] = math.Round(1e4*v) / 1e4
			}
			line := refusedLine{p.name, p.family, unread[i].Game.Name, e}
			if key := fmt.Sprint(line); !told[key] {
				told[key] = true
				out.add(t, line)
			}
		}
		out.flush(t)
	}
	screenRefusals(t, add)
	panelRefusals(t, count, add)
	lookRefusals(t, add)
	lampRefusals(count/5, add)
	for kind, tiled := range tilings() {
		for k := range count / 5 {
			add(samplePicture{name: fmt.Sprintf("tiled %s %d", kind, k), frame: tiled.drawn(unfitted+k, kind), family: "flow"})
		}
	}
	drawnSamples(t, 1, 4*count, func(p samplePicture) {
		if strings.HasPrefix(p.name, "cropped") {
			add(p)
		}
	})
}
