package witness

import (
	"fmt"
	"math"
	"testing"

	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/line"
	"onlooker/vision/witness/pointer"
)

// left is what a layout leaves where its layers have these colours, in units of the noise,
// sample by sample, and how far these are from what is expected: what misfit is the least of.
func left(l *line.Layout, g *line.Glance, sigma float64, spread *[line.RoleLast]float64, colours []vision.RGB) (sum float64) {
	rest := make([]vision.RGB, len(g.Pix))
	copy(rest, g.Pix)
	for i := range l.Layers {
		y := &l.Layers[i]
		for k, at := range y.At {
			for c := range rest[at] {
				rest[at][c] -= y.Cover[k] * colours[i][c]
			}
		}
		off := colours[i].Sub(g.Mean[y.Role])
		sum += off.Dot(off) / spread[y.Role] / spread[y.Role]
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
	s := pointer.Cleared(b, profile, drawing.Known())
	m := line.NewModel(line.NewReader(s, &line.Cache{}))
	all := 0
	check := func(m *line.Model, k *line.PlaceKind, g *line.Glance, what string) {
		if g.Hidden != nil {
			return
		}
		for i := range k.Layouts {
			var colours [line.MostLayers]vision.RGB
			got := k.Misfit(i, g, m.Noise, &m.Spread, colours[:])
			want := left(k.Layout(i), g, m.Noise, &m.Spread, colours[:])
			if all++; math.Abs(got-want) > 1e-6*(1+want) {
				t.Errorf("%s, layout %d (%+v): a misfit of %.4f, want the %.4f that its colours leave", what, i, k.Layouts[i].What, got, want)
			}
		}
	}
	for at := range sc.panel.Points() {
		what := fmt.Sprint(at)
		switch {
		case witness.IsNode(at):
			k, g := m.GlanceNode(at)
			check(m, k, g, "node "+what)
		case witness.IsEdge(at):
			k := m.EdgeKind(at, 0)
			check(m, k, m.GlanceEdge(k.Window, at, 0), "edge "+what)
		default:
			continue
		}
		for _, d := range s.Outwards(at) {
			m, k, g := m.GlanceWay(at, d)
			check(m, k, g, fmt.Sprintf("way %v from %v", d, at))
		}
	}
	if all < 1000 {
		t.Errorf("%d layouts were looked at, want 1000 and more", all)
	}
}
