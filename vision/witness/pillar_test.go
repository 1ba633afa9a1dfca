package witness

import (
	"fmt"
	"image"
	"path/filepath"
	"slices"
	"testing"

	"onlooker/calibrations"
	"onlooker/solve/solvetest"
	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/locate"
)

// pillarSets are the names of the views of each captured pillar, in order, and
// what it shows.
func pillarSets(all map[string]solvetest.Capture) (sets map[string][]string, truth map[string]solvetest.CapturedBoard) {
	sets, truth = map[string][]string{}, map[string]solvetest.CapturedBoard{}
	for name, f := range all {
		if len(f.Boards) == 1 && f.Boards[0].Pillar {
			set := f.Boards[0].Set
			sets[set], truth[set] = append(sets[set], name), f.Boards[0]
		}
	}
	for _, names := range sets {
		slices.Sort(names)
	}
	return sets, truth
}

// pillarOf is what a capture shows as a panel; colours as they are named there.
func pillarOf(p solvetest.CapturedBoard) *witness.Panel {
	w := witness.New(p.Size[0], p.Size[1], true)
	w.Symmetry = map[string]witness.Symmetry{"parallel": witness.Parallel, "rotparallel": witness.Turned, "mirror": witness.Mirror, "rot": witness.Rotation}[p.Symmetry]
	for _, s := range p.Starts {
		w.At(image.Pt(s[0], s[1])).Start = true
	}
	for _, e := range p.Ends {
		cap := image.Pt(0, 1)
		if e.At[1] == 0 {
			cap.Y = -1
		}
		w.At(image.Pt(e.At[0], e.At[1])).Cap = cap
	}
	for _, d := range p.Dots {
		w.At(image.Pt(d.At[0], d.At[1])).Dot.On = true
	}
	for _, s := range p.Symbols {
		w.At(image.Pt(s.At[0], s.At[1])).Symbol = witness.Symbol{Kind: map[string]witness.Kind{"square": witness.Square}[s.Kind], Colour: witness.Colour(s.Colour)}
	}
	return w
}

// differPillar is differ, with a pillar turned as a whole being the same.
func differPillar(want, got *witness.Panel) string {
	first := ""
	for k := range want.Cols {
		q := want.Clone()
		for at := range want.Points() {
			*q.At(at.Add(image.Pt(2*k, 0))) = *want.At(at)
		}
		d := witness.Differ(q, got)
		if d == "" {
			return ""
		}
		if k == 0 {
			first = d
		}
	}
	return first
}

// pillarBoards finds the pillar in each picture.
func pillarBoards(frames []image.Image, look calibrations.Board) ([]*vision.Board, error) {
	var views []*vision.Board
	for i, m := range frames {
		boards, err := locate.Boards(m, look)
		if err != nil {
			return nil, err
		}
		k := slices.IndexFunc(boards, func(b *vision.Board) bool { return b.Pillar })
		if k < 0 {
			return nil, fmt.Errorf("view %d: no pillar found", i)
		}
		views = append(views, boards[k])
	}
	return views, nil
}

// TestCapturedPillars reads the real ones from their three views.
func TestCapturedPillars(t *testing.T) {
	dir, all := solvetest.Captures(t)
	profile := challengeLook(t)
	sets, truth := pillarSets(all)
	var c tally
	for set, names := range sets {
		var frames []image.Image
		for _, n := range names {
			frames = append(frames, solvetest.Picture(t, filepath.Join(dir, n)))
		}
		views, err := pillarBoards(frames, profile.Board)
		if err != nil {
			t.Errorf("%s: %v", set, err)
			c.unsure++
			continue
		}
		r := NewReader(profile)
		if err := r.Add(views...); err != nil {
			t.Errorf("%s: %v", set, err)
			continue
		}
		got, err := r.Panel()
		if err != nil {
			t.Errorf("%s: %v", set, err)
			c.unsure++
			continue
		}
		want := pillarOf(truth[set])
		if d := differPillar(want, got); d != "" {
			t.Errorf("%s: WRONG: %s", set, d)
			c.wrong++
			continue
		}
		c.exact++
	}
	t.Logf("pillars: %v", c)
}
