package witness

import (
	"image"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"onlooker/calibrations"
	"onlooker/vision"
)

// TestColumns turns captured pillars' readings back into the views: each must
// stand at the column at which it was put into the whole.
func TestColumns(t *testing.T) {
	dir := sharedCaptures(t)
	profile, err := calibrations.Load("witness-challenge")
	if err != nil {
		t.Fatal(err)
	}
	sets, _ := pillarSets(t, dir)
	told := 0
	// Two sets: finding a pillar in a whole frame is most of the test's time.
	for _, name := range slices.Sorted(maps.Keys(sets))[:min(2, len(sets))] {
		files := sets[name]
		var frames []image.Image
		for _, f := range files {
			frames = append(frames, openPicture(t, filepath.Join(dir, f)))
		}
		boards, err := pillarBoards(frames, profile.Board)
		if err != nil {
			continue // said by TestCapturedPillars
		}
		r := NewReader(profile)
		if err := r.Add(boards...); err != nil {
			t.Fatal(err)
		}
		p, err := r.Puzzle()
		if err != nil {
			continue
		}
		for i, b := range boards {
			got, err := r.Columns(p, b)
			if err != nil || len(got) == 0 {
				t.Errorf("%s: view %d stands nowhere on its own panel: %v", name, i+1, err)
			}
			if slices.ContainsFunc(got, func(k int) bool { return k < 0 || k >= 6 }) {
				t.Errorf("%s: view %d stands at %v, want columns 0 to 5", name, i+1, got)
			}
			if len(got) == 1 {
				told++
			}
		}
		flat := &vision.Board{Cols: 6, Rows: 6}
		if _, err := r.Columns(p, flat); err == nil {
			t.Errorf("%s: a flat board is no view", name)
		}
	}
	if len(sets) > 0 && told == 0 {
		t.Error("no view of any pillar stands at one column only")
	}
}
