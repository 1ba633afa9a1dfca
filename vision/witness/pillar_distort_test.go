package witness

import (
	"image"
	"image/draw"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"onlooker/solve/solvetest"
)

// TestDistortedPillars reads the captured pillars brighter, darker, smaller,
// recompressed, cropped, in any order of the views. ONLOOKER_DISTORTED sets how
// many variants of each set.
func TestDistortedPillars(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv("ONLOOKER_DISTORTED"))
	if err != nil {
		t.Skip("takes minutes: ONLOOKER_DISTORTED sets how many variants of each pillar are read")
	}
	dir, all := solvetest.Captures(t)
	profile := challengeLook(t)
	sets, truth := pillarSets(all)
	var c tally
	for set, names := range sets {
		for seed := range n {
			rng := rand.New(rand.NewPCG(uint64(seed), 7))
			var frames []image.Image
			d := randomDistortion(rng)
			// 720p to 4K; a column is then 60 to 180 pixels wide in the middle.
			d.scale = []float64{0.667, 0.833, 1, 1.25, 2}[rng.IntN(5)]
			for _, k := range rng.Perm(len(names)) {
				m := solvetest.Picture(t, filepath.Join(dir, names[k]))
				// The pillar with some of its surroundings, off the middle.
				crop := image.Rect(560+rng.IntN(200), rng.IntN(120), 1160+rng.IntN(200), 960+rng.IntN(120))
				part := image.NewRGBA(image.Rectangle{Max: crop.Size()})
				draw.Draw(part, part.Rect, m, crop.Min, draw.Src)
				frames = append(frames, d.apply(t, rng, part))
			}
			views, err := pillarBoards(frames, profile.Board)
			if err != nil {
				c.unsure++
				t.Logf("%s, seed %d (%+v): %v", set, seed, d, err)
				continue
			}
			r := NewReader(profile)
			if err := r.Add(views...); err != nil {
				c.unsure++
				t.Logf("%s, seed %d (%+v): %v", set, seed, d, err)
				continue
			}
			got, err := r.Panel()
			if err != nil {
				c.unsure++
				t.Logf("%s, seed %d (%+v): %v", set, seed, d, err)
				continue
			}
			want := pillarOf(truth[set])
			if diff := differPillar(want, got); diff != "" {
				c.wrong++
				t.Errorf("%s, seed %d (%+v): WRONG: %s", set, seed, d, diff)
				continue
			}
			c.exact++
		}
	}
	t.Logf("distorted pillars: %v", c)
}
