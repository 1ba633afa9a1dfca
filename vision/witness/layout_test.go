package witness

import (
	"fmt"
	"math"
	"testing"

	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	drawing "onlooker/vision/picture/witness"
)

// left is what a layout leaves where its layers have these colours, in units of the noise,
// sample by sample, and how far these are from what is expected: what misfit is the least of.
func left(l *layout, g *glance, sigma float64, spread *[roleLast]float64, colours []vision.RGB) (sum float64) {
	rest := make([]vision.RGB, len(g.pix))
	copy(rest, g.pix)
	for i := range l.layers {
		y := &l.layers[i]
		for k, at := range y.at {
			for c := range rest[at] {
				rest[at][c] -= y.cover[k] * colours[i][c]
			}
		}
		off := colours[i].Sub(g.mean[y.role])
		sum += off.Dot(off) / spread[y.role] / spread[y.role]
	}
	for _, r := range rest {
		sum += r.Dot(r) / sigma / sigma
	}
	return sum
}

// TestMisfitIsWhatIsLeft: the misfit of every layout of every place, which is worked out from
// sums alone, is what its colours leave of the picture.
func TestMisfitIsWhatIsLeft(t *testing.T) {
	profile := challengeLook(t)
	sc := randomScene(t, profile, 1930004956)
	b := sc.board(t, profile)
	if b == nil {
		t.Fatal("no board found")
	}
	s := newSheet(b, profile, drawing.Known())
	m := newLineModel(newLineReader(s, &lineCache{}))
	all := 0
	check := func(m *lineModel, k *placeKind, g *glance, what string) {
		if g.hidden != nil {
			return
		}
		for i := range k.layouts {
			var colours [mostLayers]vision.RGB
			got := k.misfit(i, g, m.noise, &m.spread, colours[:])
			want := left(k.layout(i), g, m.noise, &m.spread, colours[:])
			if all++; math.Abs(got-want) > 1e-6*(1+want) {
				t.Errorf("%s, layout %d (%+v): a misfit of %.4f, want the %.4f that its colours leave", what, i, k.layouts[i].what, got, want)
			}
		}
	}
	for at := range sc.panel.Points() {
		what := fmt.Sprint(at)
		switch {
		case witness.IsNode(at):
			k, g := m.glanceNode(at)
			check(m, k, g, "node "+what)
		case witness.IsEdge(at):
			k := m.edgeKind(at, 0)
			check(m, k, m.glanceEdge(k.window, at, 0), "edge "+what)
		default:
			continue
		}
		for _, d := range s.Outwards(at) {
			m, k, g := m.glanceWay(at, d)
			check(m, k, g, fmt.Sprintf("way %v from %v", d, at))
		}
	}
	if all < 1000 {
		t.Errorf("%d layouts were looked at, want 1000 and more", all)
	}
}
