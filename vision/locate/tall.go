package locate

import (
	"image"
	"slices"

	"onlooker/calibrations"
	"onlooker/vision"
)

// pillars finds the pillars of a frame. A candidate is a connected part,
// brighter or darker than its surroundings, that is taller than wide and has
// evenly spaced level lines down its middle; fitPillar decides.
func pillars(r *reduced, divisions [][]Part, look calibrations.Board) []*vision.Board {
	boxes := r.tall(divisions, look)
	slices.SortStableFunc(boxes, func(a, b image.Rectangle) int { return b.Dx()*b.Dy() - a.Dx()*a.Dy() })
	// Boxes of one part in several divisions are looked at once: to a fiftieth
	// the same.
	near := func(a, b int, size int) bool { return 50*max(a-b, b-a) <= size }
	var distinct []image.Rectangle
	for _, b := range boxes {
		if !slices.ContainsFunc(distinct, func(o image.Rectangle) bool {
			return near(b.Min.X, o.Min.X, o.Dx()) && near(b.Max.X, o.Max.X, o.Dx()) && near(b.Min.Y, o.Min.Y, o.Dy()) && near(b.Max.Y, o.Max.Y, o.Dy())
		}) {
			distinct = append(distinct, b)
		}
	}
	// 30: pillars are among the larger parts of a frame. On captures they were the first to the
	// thirteenth of up to 60.
	boxes = distinct[:min(len(distinct), 30)]
	even := make([]bool, len(boxes))
	vision.SideBySide(len(boxes), func(i int) { boxes[i], even[i] = Striped(r.full, boxes[i]) })
	var found []*vision.Board
	for i, box := range boxes {
		if !even[i] || slices.ContainsFunc(found, func(b *vision.Board) bool {
			return within(b.Quad, vision.Point{X: float64(box.Min.X+box.Max.X) / 2, Y: float64(box.Min.Y+box.Max.Y) / 2})
		}) {
			continue
		}
		c, err := r.uprightIn(box).Fit(look)
		if err != nil {
			continue // not a pillar
		}
		if b := vision.NewPillar(r.full, c); b.ScreenPitch >= look.MinPitch && b.Cols <= look.MaxCells && b.Ink.Dist(b.Paper) >= leastContrast {
			found = append(found, b)
		}
	}
	return found
}

// tall are the boxes in the frame of those parts that may be pillars.
func (r *reduced) tall(divisions [][]Part, look calibrations.Board) (boxes []image.Rectangle) {
	for _, p := range slices.Concat(divisions...) {
		w, h := p.Box.Dx(), p.Box.Dy()
		// 1.3 to 7 times as tall as wide: 3.4 is the game's.
		if float64(w)*r.fx < 2*look.MinPitch || float64(h) < 1.3*float64(w) || h > 7*w || p.Area*5 < w*h {
			continue
		}
		boxes = append(boxes, image.Rect(int(float64(p.Box.Min.X)*r.fx), int(float64(p.Box.Min.Y)*r.fy),
			int(float64(p.Box.Max.X)*r.fx), int(float64(p.Box.Max.Y)*r.fy)))
	}
	return boxes
}
