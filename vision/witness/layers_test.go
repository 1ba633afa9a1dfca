package witness

import (
	"image"
	"math"
	"testing"

	"onlooker/vision"
	"onlooker/vision/witness/view"
)

// outlinedView is a cell that holds a square in some colour with an outline, and the
// layers of that.
func outlinedView(ground, outline, own vision.RGB, off image.Point) (*cellView, layers) {
	v := &cellView{inner: 0.4, reach: 0.4, ground: ground, off: vision.NewMap(cellSide, cellSide)}
	v.shown = v.off
	l := layers{vision.NewMap(cellSide, cellSide), vision.NewMap(cellSide, cellSide)}
	part := func(far float64) (fill, edge float64) {
		switch {
		case far < 0.16:
			return 1, 0
		case far < 0.2:
			return 0.3, 0.4
		}
		return 0, 0
	}
	for k := range cellSide * cellSide {
		x, y := k%cellSide, k/cellSide
		fill, edge := part(max(math.Abs(offset(x)), math.Abs(offset(y))))
		l.fill.V[k], l.edge.V[k] = float32(fill), float32(edge)
		fill, edge = part(max(math.Abs(offset(x-off.X)), math.Abs(offset(y-off.Y))))
		c := ground
		for n := range c {
			c[n] += fill*(own[n]-ground[n]) + edge*(outline[n]-ground[n])
		}
		v.soft, v.base = append(v.soft, c), append(v.base, ground)
		v.off.V[k] = float32(c.Dist(ground))
		v.strong = max(v.strong, c.Dist(ground))
	}
	return v, l
}

// A symbol with an outline in another colour is laid over what is seen in the symbol's own
// colour, whichever that is: like the ground, like the outline or neither.
func TestLayersTakeAnyColour(t *testing.T) {
	ground, outline := vision.RGB{200, 210, 220}, vision.RGB{10, 20, 30}
	for _, own := range []vision.RGB{{250, 250, 250}, {20, 30, 40}, {220, 40, 60}} {
		v, l := outlinedView(ground, outline, own, image.Pt(2, -1))
		all := []candidate{{layers: l}}
		if err := v.laid(all, &outline, view.Tuned.Slack); err != nil {
			t.Fatal(err)
		}
		if c := all[0]; c.score < 0.99 || c.off != image.Pt(2, -1) || c.own.Dist(own) > 12 {
			t.Errorf("%s: found in %s off by %v, %.3f alike", hex(own), hex(c.own), c.off, c.score)
		}
	}
}

// What sightings of one form in several colours have in common is their outline.
func TestOutlineIsFound(t *testing.T) {
	ground, outline := vision.RGB{200, 210, 220}, vision.RGB{10, 20, 30}
	var seen []exhibit
	for _, own := range []vision.RGB{{250, 250, 250}, {20, 30, 40}, {220, 40, 60}, {30, 180, 40}} {
		v, _ := outlinedView(ground, outline, own, image.Point{})
		seen = append(seen, exhibit{view: v, mask: v.mask(), own: own})
	}
	got, strength := findOutline(seen, 200)
	if way := outline.Sub(ground); strength < 0.3 || got.Sub(ground).Dot(way) < 0.99*math.Sqrt(way.Dot(way)*got.Sub(ground).Dot(got.Sub(ground))) {
		t.Errorf("outlines in %s of strength %.2f, want %s", hex(got), strength, hex(outline))
	}
	l := layersOf(seen, got)
	if k := cellSide*cellSide/2 + cellSide/2; l.fill.V[k] < 0.98 || l.edge.V[k] > 0.02 {
		t.Errorf("the middle shows %.2f of the symbol and %.2f of its outline", l.fill.V[k], l.edge.V[k])
	}
	for i := range seen {
		seen[i].own = vision.RGB{20, 30, 40}
	}
	if _, strength := findOutline(seen, 200); strength != 0 {
		t.Errorf("of sightings in one colour: an outline of strength %.2f", strength)
	}
}
