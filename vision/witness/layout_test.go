package witness

import (
	"errors"
	"fmt"
	"image"
	"image/draw"
	"math"
	"strings"
	"testing"

	"onlooker/solve/solvetest"
	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/picture"
	"onlooker/vision/picture/made"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/learn"
	"onlooker/vision/witness/line"
	"onlooker/vision/witness/looktest"
	"onlooker/vision/witness/pillar"
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

// TestLayoutsAreDrawn: what layouts cover adds up to all of their window, each layer to what
// drawing has there.
func TestLayoutsAreDrawn(t *testing.T) {
	b := line.NewBlur(0.05)
	w := line.Grid(-0.5, 0.5, -0.5, 0.5, 0.1)
	p := witness.New(1, 2, false)
	shapes, roles := line.DrawnShapes(p, drawing.Style{Line: 0.2}, func(*picture.Shape) line.Role { return line.RoleLine })
	var c line.Covering
	ground := c.Of(line.RoleGround, len(w.U))
	for i := range ground {
		ground[i] = 1
	}
	c.Paint(w, b, image.Pt(1, 2), line.Upright(), shapes, roles)
	for i := range w.U {
		if sum := c[line.RoleGround][i] + c[line.RoleLine][i]; math.Abs(sum-1) > 1e-6 {
			t.Fatalf("at (%.2f,%.2f) %.3f is covered, want 1", w.U[i], w.V[i], sum)
		}
		if on := math.Abs(w.V[i]) < 0.2; math.Abs(w.V[i]) < 0.05 && on && c[line.RoleLine][i] < 0.99 {
			t.Errorf("on the line %.3f of it, want 1", c[line.RoleLine][i])
		}
	}
}

// TestCirclesCoverAnEdge: between two circles as wide as that no line is seen, whole or broken.
func TestCirclesCoverAnEdge(t *testing.T) {
	look := challengeLook(t)
	d := (&line.Cache{}).Drawings(line.DrawingKey{Look: look, Line: line.LineStep(0.3), Blur: line.BlurStep(0.05), Density: line.LeastSamples}, drawing.SizesOf(look.Symbols))
	k := d.Kind(line.KindKey{Sort: "edge", Ends: 1, Which: 3, Radius: 2.2, Gap: 0.2, Wide: true})
	for i, l := range k.Layouts {
		for _, y := range k.Layout(i).Layers {
			if y.Role == line.RoleLine || y.Role == line.RoleGap {
				t.Errorf("layout %+v shows role %d, want circles alone", l.What, y.Role)
			}
		}
	}
}

// TestUnknownOnALine has an edge that begins at one end only: it is neither whole, broken nor
// missing.
func TestUnknownOnALine(t *testing.T) {
	look := challengeLook(t)
	panel := made.Panel(4, 3, false, witness.NoSymmetry, made.Starts(image.Pt(0, 6)), made.End(8, 0, 0, -1), made.Gap(witness.Broken, image.Pt(5, 4)))
	for _, row := range []struct {
		why      string
		from, to float64 // of the edge what is not drawn, half-cells from its middle
		unsure   bool
	}{
		{"as it is", 0, 0, false}, {"a break more", -0.24, 0.24, false},
		{"from one end only", -0.1, 1, true},
	} {
		frame := copied(looktest.OnWall(panel, drawing.Typical(look), 56))
		b, err := (learn.Truth{Panel: panel}).Find(frame, look)
		if err != nil {
			t.Fatal(err)
		}
		if row.to > row.from {
			ground := b.ScreenPoint(3, 1.5)
			from, to := b.ScreenPoint(3+row.from, 2-1.2*b.Line), b.ScreenPoint(3+row.to, 2+1.2*b.Line)
			draw.Draw(frame, image.Rect(int(from.X), int(from.Y), int(to.X), int(to.Y)), image.NewUniform(frame.At(int(ground.X), int(ground.Y))), image.Point{}, draw.Src)
			if b, err = (learn.Truth{Panel: panel}).Find(frame, look); err != nil {
				t.Fatal(err)
			}
		}
		_, err = newReader(look, drawing.Known()).single(b)
		var unsure *vision.UnsureError
		if is := errors.As(err, &unsure) && unsure.At == image.Pt(3, 2); is != row.unsure || err != nil && !is {
			t.Errorf("%s: %v, want it unsure at edge under column 2 row 1: %v", row.why, err, row.unsure)
		}
	}
}

// showingOnly is a view of a place that is sure of what it shows.
func showingOnly(spot witness.Spot) *pillar.Glimpse {
	odds := line.UsualPlaceOdds()
	return &pillar.Glimpse{Facing: 1, Told: []pillar.Showing{{Spot: spot, Like: 0}}, Rest: -odds.Against}
}

// TestViewsMultiply: what one view doubts another one tells, and views that are sure of
// different things contradict each other.
func TestViewsMultiply(t *testing.T) {
	odds := line.UsualPlaceOdds()
	dot, start := witness.Spot{Dot: witness.Dot{On: true}}, witness.Spot{Start: true}
	faint := &pillar.Glimpse{Facing: 0.5, Told: []pillar.Showing{{Spot: witness.Spot{}, Like: 0}, {Spot: dot, Like: -3}}, Rest: -odds.Against}
	unlike := &pillar.Glimpse{Facing: 0.9} // tells nothing
	sides := []*pillar.Side{{Cols: 2, Rows: 1, Odds: &odds, Confidence: 0.9}}
	for _, row := range []struct {
		what  string
		views []*pillar.Glimpse
		want  witness.Spot
		fault string
	}{
		{"one view of nothing", []*pillar.Glimpse{showingOnly(witness.Spot{})}, witness.Spot{}, ""},
		{"one view of a dot", []*pillar.Glimpse{showingOnly(dot)}, dot, ""},
		{"a dot that another view takes for nothing, without being sure", []*pillar.Glimpse{faint, showingOnly(dot)}, dot, ""},
		{"a view that tells nothing", []*pillar.Glimpse{unlike, showingOnly(start)}, start, ""},
		{"views that tell nothing", []*pillar.Glimpse{{Facing: 0.9, Told: []pillar.Showing{{Spot: dot, Like: 0}, {Spot: witness.Spot{}, Like: -8.5}}, Rest: -odds.Against}}, witness.Spot{}, "tell little"},
		{"a dot and a start", []*pillar.Glimpse{showingOnly(dot), showingOnly(start)}, start, "contradict"},
		{"a view from aside alone", []*pillar.Glimpse{{Facing: 0.3, Told: []pillar.Showing{{Spot: dot, Like: 0}}, Rest: -odds.Against}}, dot, "out of sight"},
	} {
		best, got, err := pillar.Whole(sides, row.views, image.Point{})
		fault := ""
		switch {
		case best == nil:
			fault = "out of sight"
		case err != nil:
			fault = err.Error()
		}
		if !strings.Contains(fault, row.fault) || (fault == "") != (row.fault == "") {
			t.Errorf("%s: %q, want %q", row.what, fault, row.fault)
		}
		if row.fault == "" && !pillar.Alike(&got, &row.want) {
			t.Errorf("%s: %+v, want %+v", row.what, got, row.want)
		}
	}
}

// TestJoiningsByMarks: views go together so that what both see coincides.
func TestJoiningsByMarks(t *testing.T) {
	const cols, rows = 4, 2
	odds := line.UsualPlaceOdds()
	whole := witness.New(cols, rows, true)
	whole.At(image.Pt(2, 2)).Dot.On = true
	whole.At(image.Pt(6, 4)).Start = true
	// Each view shows two columns and a half from its first one on.
	view := func(turn int) *pillar.Side {
		s := &pillar.Side{Cols: cols, Rows: rows, Odds: &odds, Confidence: 0.9, At: map[image.Point]*pillar.Glimpse{}}
		for y := range 2*rows + 1 {
			for x := range 5 {
				s.At[image.Pt(x, y)] = showingOnly(*whole.At(image.Pt(x+2*turn, y)))
			}
		}
		return s
	}
	sides := []*pillar.Side{view(0), view(3)}
	best, turn := pillar.Likelihood(sides, []int{0, 0}), 0
	for k := 1; k < cols; k++ {
		if like := pillar.Likelihood(sides, []int{0, k}); like > best {
			best, turn = like, k
		}
	}
	solvetest.Same(t, turn, 3, "columns by which the second view is turned")
	// One view is refused as one that explains what it shows, so that no other puzzle's
	// refusal is told in its stead.
	var u *vision.UnsureError
	if _, _, err := pillar.Merged(sides[:1], []int{0}); !errors.As(err, &u) || !strings.Contains(u.What, "more views are needed") {
		t.Errorf("one view alone: got %v, want that more views are needed, and all of it explained", err)
	}
}
