package enter

import (
	"image"
	"math"

	"onlooker/cmd/internal/agent/see"
	"onlooker/solve"
	"onlooker/vision"
	"onlooker/vision/trail"
)

// A view is a line on its board, as frames show it.
type view struct {
	sheet   Sheet
	stroke  solve.Stroke
	watched solve.Stroke // the part of it that is in sight at the end; nil: all of it
	capless bool         // it ends at the end's node: it has no cap, or only that much is entered
	spin    *see.Spin    // of a pillar; nil on flat boards
	trail   *trail.Trail // nil before it begins
	read    *image.RGBA  // the frame in which the board was read; nil: not known
	line    gauge
}

func (v *view) at(q image.Point) vision.Point { return v.sheet.Half(q) }

// shown is what is in sight of the stroke.
func (v *view) shown() solve.Stroke {
	if v.watched != nil {
		return v.watched
	}
	return v.stroke
}

// uncapped is a stroke, or its end, without the cap, which is outside of the board.
func (v *view) uncapped(s solve.Stroke) solve.Stroke {
	if v.capless {
		return s
	}
	return s[:len(s)-1]
}

// marks are where the line is looked for on the board, two from each node to the next: the
// middle and the farther node, and on a pillar, where nothing tells a covered dot from a bare
// one, beside these.
func (v *view) marks() (out []vision.Point) {
	shares := [2]float64{0.5, 1}
	if v.spin != nil {
		shares = [2]float64{0.25, 0.75}
	}
	s := v.uncapped(v.shown())
	for i := 0; i+1 < len(s); i++ {
		for _, f := range shares {
			out = append(out, v.sheet.between(s[i], s[i+1], f))
		}
	}
	return out
}

// covers tells whether the line is at a place.
func (v *view) covers(f *image.RGBA, p vision.Point) bool {
	if v.spin == nil {
		return v.trail.Covers(f, p)
	}
	return v.trail.Lit(f, p, v.spin.Board.Ink)
}

// lacks is the number of the stroke's first half-cell that the line on the screen does not
// cover; -1: it covers all.
func (v *view) lacks(f *image.RGBA) int {
	for i, q := range v.marks() {
		if !v.covers(f, q) {
			return i / 2
		}
	}
	return -1
}

// stands tells whether most of the line that a frame showed is still there in its own colour:
// dots on it are darker.
func (v *view) stands(shown, f *image.RGBA) bool {
	there, all := 0, v.marks()
	for _, q := range all {
		if v.spin == nil && v.trail.StandsAs(shown, f, q) || v.spin != nil && v.trail.Lit(f, q, v.spin.Board.Ink) {
			there++
		}
	}
	return 10*there >= 6*len(all)
}

// headIn is how far along a way the line's head has come in a frame.
func (v *view) headIn(f *image.RGBA, ahead *trail.Trail, way trail.Way, step, most float64) float64 {
	if v.spin == nil {
		return ahead.Head(f, way, v.line.width, step, most)
	}
	v.spin.See(f) // way maps to this frame's pixels from here on
	return ahead.HeadOn(f, way, v.spin.Board.Ink, v.line.width, step, most)
}

// gauge measures the line's width in the middle of what is drawn of a way, where
// that is a pitch at least, and tells whether it did.
func (v *view) gauge(f *image.RGBA, ahead *trail.Trail, way trail.Way, head float64) bool {
	if v.spin != nil || !(head > 2) || v.line.full() {
		return false
	}
	w, ok := ahead.Width(f, way, 0.5*head, v.line.nominal)
	return ok && v.line.add(w)
}

// inCap tells whether the line is seen in the end's cap.
func (v *view) inCap(f *image.RGBA) bool {
	// Half of the way: the line itself reaches to a third at the most.
	return v.trail.Covers(f, v.sheet.between(v.stroke[len(v.stroke)-2], v.stroke[len(v.stroke)-1], 0.5))
}

// colour is the line's colour, of most of it that is in sight.
func (v *view) colour(f *image.RGBA) vision.RGB {
	var all []vision.RGB
	for _, q := range v.marks() {
		at := image.Pt(int(math.Round(q.X)), int(math.Round(q.Y))).Sub(f.Rect.Min) // of a part of the frame
		all = append(all, vision.At(f, float64(at.X), float64(at.Y)))
	}
	return vision.MedianRGB(all)
}

// judged are the half-cells by whose cells it is told whether the board went: those that
// the stroke spans, of a pillar those beside its end, which are in sight. Of neither the
// part alone that is watched: that may span no cell.
func (v *view) judged() image.Rectangle {
	around := spanned(v.uncapped(v.stroke))
	if v.spin != nil {
		x := v.stroke[len(v.stroke)-2].X
		around.Min.X, around.Max.X = x-1, x+2
	}
	return around
}
