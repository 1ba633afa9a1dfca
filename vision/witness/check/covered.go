package check

import (
	"image"
	"math"
	"slices"

	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/witness/look"
	"onlooker/vision/witness/shape"
	"onlooker/vision/witness/view"
)

// borders are those of a straightened picture that a panel which was read from it does not
// explain: of what lies over it.
type borders struct {
	*Checker
	rings   map[image.Point]float64 // that start circles send out, pitches
	symbols map[image.Point]sight
	step    float64     // pitches: over so much a border of the frame changes
	near    float64     // so much about a line's border belongs to it: its blur, and a bevel
	size    image.Point // places that are looked at
	change  []float64   // at each, in contrasts; less than 0 where a border is explained
}

// perPitch is how many places of a pitch are looked at each way.
const perPitch = vision.FlatPitch / 2

// rim is how far beyond a line its wall or bevel is seen, in pitches: 0.07 where cells are hollow.
const rim = 0.08

// Covered are the places that a border crosses which no part of a panel has: something lies there,
// whatever is below. The middle of what is first is the first.
func (m *Checker) Covered() (places []image.Point) {
	if m.Board.Round() {
		return nil
	}
	px := 1 / m.Board.ScreenPitch
	b := &borders{
		Checker: m, rings: map[image.Point]float64{}, symbols: map[image.Point]sight{},
		step: 3 * px, near: 3*px + 0.04, size: image.Pt(perPitch*m.Board.Cols+1, perPitch*m.Board.Rows+1),
	}
	for _, at := range look.Starts(m.panel) {
		b.rings[at] = m.read.Lines.Ring(at)
	}
	for _, s := range m.sights() {
		if m.panel.At(s.At).Kind != witness.NoSymbol {
			b.symbols[s.At] = s
		}
	}
	b.look()
	b.takeUsual()
	seen := make([]bool, len(b.change))
	there := func(k int) bool { return b.change[k] > view.Slightly }
	half := func(v int) int { return int(math.Round(float64(v) / perPitch)) } // of half-places
	for k := range b.change {
		if seen[k] || !there(k) {
			continue
		}
		var box image.Rectangle
		for _, o := range shape.Connected(k, b.size.X, seen, there) {
			at := image.Pt(o%b.size.X, o/b.size.X)
			box = box.Union(image.Rectangle{at, at.Add(image.Pt(1, 1))})
		}
		box.Max = box.Max.Sub(image.Pt(1, 1))
		if float64(max(box.Dx(), box.Dy())) < max(view.Faintly, 2*b.step)*perPitch { // grain and compression leave less
			continue
		}
		places = append(places, image.Pt(half(box.Min.X+box.Max.X), half(box.Min.Y+box.Max.Y)))
		for y := half(2 * box.Min.Y); y <= half(2*box.Max.Y); y++ {
			for x := half(2 * box.Min.X); x <= half(2*box.Max.X); x++ {
				places = append(places, image.Pt(x, y))
			}
		}
	}
	return places
}

// look measures how much the colour changes where no border is explained.
func (b *borders) look() {
	b.change = make([]float64, b.size.X*b.size.Y)
	mean := func(u, v, du, dv float64) (c vision.RGB) {
		for _, k := range []float64{-1, 0, 1} {
			for t, w := range b.At(2*(u+k*du), 2*(v+k*dv)) {
				c[t] += w / 3
			}
		}
		return c
	}
	vision.SideBySide(b.size.Y, func(j int) {
		for i := range b.size.X {
			u, v, h := float64(i)/perPitch, float64(j)/perPitch, b.step/2
			k := j*b.size.X + i
			if b.change[k] = -1; !b.explains(u, v) {
				b.change[k] = max(mean(u+h, v, 0, h).Dist(mean(u-h, v, 0, h)), mean(u, v+h, h, 0).Dist(mean(u, v-h, h, 0))) / b.Contrast()
			}
		}
	})
}

// takeUsual takes off what most cells and lines have at the same place of theirs: a frame, a rim.
// Light falls into hollow cells in many ways.
func (b *borders) takeUsual() {
	w, h := b.size.X, b.size.Y
	usual, about := make([]float64, len(b.change)), slices.Clone(b.change) // a place off as well
	for y := 1; y < h-1; y++ {
		for x := 1; x < w-1; x++ {
			for k := range 9 {
				about[y*w+x] = max(about[y*w+x], b.change[(y+k/3-1)*w+x+k%3-1])
			}
		}
	}
	for first := range perPitch * perPitch {
		var all []float64
		var at []int
		for y := first / perPitch; y < h; y += perPitch {
			for x := first % perPitch; x < w; x += perPitch {
				if k := y*w + x; b.change[k] >= 0 {
					all, at = append(all, about[k]), append(at, k)
				}
			}
		}
		if len(all) < 4 {
			continue
		}
		middle := vision.Median(all)
		for _, k := range at {
			usual[k] = middle
		}
	}
	rims, changed := []int{}, 0
	for k, v := range b.change {
		x, y := offLine(float64(k%w)/perPitch), offLine(float64(k/w)/perPitch)
		if half := b.LineWidth / 2; v >= 0 && min(x, y) > half && min(x, y) < half+b.near+rim {
			if rims = append(rims, k); v > view.Slightly {
				changed++
			}
		}
		if b.change[k] -= usual[k]; b.read.Stains.Relief != nil && min(x, y) > b.LineWidth/2 {
			b.change[k] *= view.Slightly / view.Clearly
		}
	}
	if float64(changed) > view.Faintly*float64(len(rims)) { // of most cells, not of one
		for _, k := range rims {
			b.change[k] = 0
		}
	}
}

// offLine is how far a place is from the nearest line.
func offLine(v float64) float64 { return math.Abs(v - math.Round(v)) }

// explains tells whether a border may be at a place, in pitches, by what the panel shows.
func (b *borders) explains(u, v float64) bool {
	w, half := b.LineWidth, b.LineWidth/2
	x, y := offLine(u), offLine(v)
	if math.Abs(x-half) < b.near || math.Abs(y-half) < b.near {
		return true
	}
	broken := func(at image.Point) bool { q := b.panel.At(at); return q != nil && q.Gap != witness.Whole }
	onColumn, onRow := x < half, y < half
	node, cell := image.Pt(2*int(math.Round(u)), 2*int(math.Round(v))), image.Pt(2*int(u)+1, 2*int(v)+1)
	if onColumn && onRow && slices.ContainsFunc(view.Ways[:], func(way image.Point) bool { return broken(node.Add(way)) }) ||
		onColumn && !onRow && broken(image.Pt(node.X, cell.Y)) || onRow && !onColumn && broken(image.Pt(cell.X, node.Y)) {
		return true
	}
	for i := range 25 { // what stands about the nearest places
		at := image.Pt(int(math.Round(2*u))+i%5-2, int(math.Round(2*v))+i/5-2)
		q := b.panel.At(at)
		if q == nil || !q.Dot.On && !q.IsEnd() && !q.Start {
			continue
		}
		r, start := math.Hypot(u-float64(at.X)/2, v-float64(at.Y)/2), b.Profile.Board.Start
		if q.Dot.On && r < 0.6*w+b.near || q.IsEnd() && r < w+b.near || q.Start && r > start[0]*w-b.near && r < start[1]*w+b.near {
			return true
		}
	}
	for at, ring := range b.rings {
		if ring > 0 && math.Abs(math.Hypot(u-float64(at.X)/2, v-float64(at.Y)/2)-ring) < b.near+0.05 {
			return true
		}
	}
	px, py := float64(b.Board.Margin)+u*float64(b.Board.Pitch), float64(b.Board.Margin)+v*float64(b.Board.Pitch)
	if slices.ContainsFunc(b.Discs, func(d view.Disc) bool { return math.Hypot(px-d.X, py-d.Y) < d.Ring+2*d.Soft+2 }) {
		return true
	}
	c, is := b.symbols[cell]
	return is && !onColumn && !onRow && c.borders(u-float64(cell.X)/2, v-float64(cell.Y)/2, b.step+0.02)
}

// borders tells whether the border of a symbol is so near to a place, in pitches from its cell's
// middle; anywhere where no template fits it.
func (s *sight) borders(x, y, near float64) bool {
	if s.symbol == nil {
		return true
	}
	least, most, off := float32(1), float32(0), s.symbol.Off.Add(s.Moved)
	for k := range 9 {
		i, j := int((x+near*float64(k%3-1)+0.5)*look.CellSide)-off.X, int((y+near*float64(k/3-1)+0.5)*look.CellSide)-off.Y
		covers := float32(0)
		if min(i, j) >= 0 && max(i, j) < look.CellSide {
			covers = s.symbol.Mask.V[j*look.CellSide+i]
		}
		least, most = min(least, covers), max(most, covers)
	}
	return most-least > view.Faintly
}
