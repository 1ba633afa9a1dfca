package witness

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/image/draw"

	"onlooker/solve/solvetest"
)

// cropped is a window of a capture round one of its boards, or several, scaled
// and laid anywhere on a plain picture of another size; the truth goes with it.
// No fixed place, size, resolution or whole screen is left to go by.
func cropped(rng *rand.Rand, m image.Image, truth solvetest.Capture) (image.Image, solvetest.Capture) {
	var quads [][][2]float64
	for _, b := range truth.Boards {
		if b.Flat() {
			quads = append(quads, b.Quad)
		}
	}
	centre := quads[rng.IntN(len(quads))]
	lo, hi := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{}
	for _, q := range centre {
		for k := range 2 {
			lo[k], hi[k] = min(lo[k], q[k]), max(hi[k], q[k])
		}
	}
	size := max(hi[0]-lo[0], hi[1]-lo[1])
	// A third of the board beside it: caps stick out by a quarter of the 3×3.
	room := func() float64 { return (0.35 + rng.Float64()) * size }
	window := image.Rect(int(lo[0]-room()), int(lo[1]-room()), int(hi[0]+room()), int(hi[1]+room())).Intersect(m.Bounds())
	least := math.Inf(1)
	for _, b := range truth.Boards {
		for i := range b.Quad {
			p, q := b.Quad[i], b.Quad[(i+1)%4]
			least = min(least, math.Hypot(p[0]-q[0], p[1]-q[1])/float64(b.Size[i%2]))
		}
	}
	// From half to twice the size, 24 pixels a cell or more unless the capture has
	// fewer, and no frame above that of a 4K screen.
	scale := math.Exp(rng.Float64()*math.Log(4)) * 0.5
	scale = max(scale, min(1, 24/least))
	scale = min(scale, 2000/float64(max(window.Dx(), window.Dy())))
	w, h := int(float64(window.Dx())*scale), int(float64(window.Dy())*scale)
	at := image.Pt(rng.IntN(400), rng.IntN(300))
	out := image.NewRGBA(image.Rect(0, 0, at.X+w+rng.IntN(400), at.Y+h+rng.IntN(300)))
	grey := uint8(rng.IntN(256))
	draw.Draw(out, out.Rect, image.NewUniform(color.RGBA{grey, grey, grey, 255}), image.Point{}, draw.Src)
	draw.CatmullRom.Scale(out, image.Rectangle{at, at.Add(image.Pt(w, h))}, m, window, draw.Src, nil)
	// A third of a board's size off the window's sides, but for sides that are the
	// capture's own.
	whole := window.Inset(int(0.3 * size))
	own := m.Bounds()
	if window.Min.X == own.Min.X {
		whole.Min.X = own.Min.X
	}
	if window.Min.Y == own.Min.Y {
		whole.Min.Y = own.Min.Y
	}
	if window.Max.X == own.Max.X {
		whole.Max.X = own.Max.X
	}
	if window.Max.Y == own.Max.Y {
		whole.Max.Y = own.Max.Y
	}
	moved := solvetest.Capture{}
	for _, b := range truth.Boards {
		if !b.Flat() {
			continue
		}
		b.Quad = slices.Clone(b.Quad)
		inside := true
		for i, q := range b.Quad {
			// What is cut at a cap is not the board any more.
			inside = inside && image.Pt(int(q[0]), int(q[1])).In(whole)
			b.Quad[i] = [2]float64{(q[0]-float64(window.Min.X))*scale + float64(at.X), (q[1]-float64(window.Min.Y))*scale + float64(at.Y)}
		}
		if inside {
			moved.Boards = append(moved.Boards, b)
		}
	}
	return out, moved
}

// TestCrops reads captures that are cut, scaled and moved. ONLOOKER_MORE is how
// many variants of each capture; without it, one of every fifth.
func TestCrops(t *testing.T) {
	dir, truth := solvetest.Captures(t)
	look := challengeLook(t)
	variants, every := 1, 5
	if n := solvetest.More(); n > 1 {
		variants, every = n, 1
	}
	var names []string
	for name, f := range truth {
		if slices.ContainsFunc(f.Boards, func(b solvetest.CapturedBoard) bool { return b.Flat() }) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	tally := map[string]*verdict{}
	var all verdict
	for i := 0; i < len(names); i += every {
		name := names[i]
		frame := solvetest.Picture(t, filepath.Join(dir, name))
		c := class.FindStringSubmatch(name)[1]
		if tally[c] == nil {
			tally[c] = &verdict{}
		}
		var whole verdict
		judge(t, look, name, frame, truth[name], &whole)
		if whole.unsure > 0 {
			continue // nor is it read as it is
		}
		for n := range variants {
			m, moved := cropped(rand.New(rand.NewPCG(uint64(i), uint64(n))), frame, truth[name])
			judge(t, look, name, m, moved, tally[c])
		}
	}
	for c, v := range tally {
		t.Logf("%-22s exact %d unsure %d WRONG %d", c, v.exact, v.unsure, v.wrong)
		all.exact, all.unsure, all.wrong = all.exact+v.exact, all.unsure+v.unsure, all.wrong+v.wrong
	}
	n := all.exact + all.unsure + all.wrong
	t.Logf("all: exact %d of %d, unsure %d, WRONG %d", all.exact, n, all.unsure, all.wrong)
	// 0.85: most of the rest are small pictures of other puzzles, and boards under
	// the pointer, whose size goes with the height of the whole screen.
	least := 0.85
	if n < 50 {
		least = 0.7 // of a few boards one more or less decides
	}
	if all.wrong > 0 || n == 0 || float64(all.exact) < least*float64(n) {
		t.Errorf("%d of %d exact and %d WRONG, want %.0f %% and none", all.exact, n, all.wrong, 100*least)
	}
}
