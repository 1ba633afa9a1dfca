package witness

import (
	"errors"
	"fmt"
	"image"
	"image/draw"
	"math"
	"slices"
	"testing"

	"onlooker/calibrations"
	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/picture"
	"onlooker/vision/picture/made"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/learn"
	"onlooker/vision/witness/line"
	"onlooker/vision/witness/looktest"
	"onlooker/vision/witness/pointer"
)

// A believed place is one that was drawn, with what it may show and what it does.
type believed struct {
	line.Belief
	truth int // index of what it shows
}

// believedOn are the places of the lines of a scene whose board is found.
func believedOn(t *testing.T, profile *calibrations.Profile, sc scene) (all []believed) {
	boards := located(t, sc.frame, profile)
	k := slices.IndexFunc(boards, func(b *vision.Board) bool {
		return b.Cols == sc.panel.Cols && b.Rows == sc.panel.Rows && !b.Pillar && math.Hypot(b.Quad[0].X-sc.quad[0].X, b.Quad[0].Y-sc.quad[0].Y) < 0.5*sc.pitch
	})
	if k < 0 {
		return nil
	}
	s := pointer.Cleared(boards[k], profile, drawing.Known())
	m := line.NewModel(line.NewReader(s, &line.Cache{}))
	add := func(b line.Belief, w line.Meaning) {
		if i := slices.IndexFunc(b.What, w.Same); i >= 0 {
			all = append(all, believed{b, i})
		}
	}
	beliefs, _ := m.Places(witness.New(sc.panel.Cols, sc.panel.Rows, false))
	for at, b := range beliefs {
		q := sc.panel.At(at)
		if witness.IsNode(at) && !s.Reached(sc.panel, at) {
			continue
		}
		add(*b, line.Meaning{Gap: q.Gap, Dot: q.Dot.On, Start: q.Start})
		if q.Start || q.Gap != witness.Whole {
			continue
		}
		for _, d := range s.Outwards(at) {
			m, k, g := m.GlanceWay(at, d)
			add(m.Believe(k, g, math.Inf(1)), line.Meaning{Cap: q.Cap == d})
		}
	}
	return all
}

// loss is less the mean logarithm of the probability that some odds give the truth, where
// the evidence was found with others.
func loss(o *line.PlaceOdds, all []believed, was *line.PlaceOdds) float64 {
	sum := 0.0
	for _, b := range all {
		top, total := math.Inf(-1), 0.0
		e := make([]float64, len(b.What))
		for i, w := range b.What {
			e[i] = b.Evidence[i] + o.Of(w) - was.Of(w)
			top = max(top, e[i])
		}
		for _, v := range e {
			total += math.Exp(v - top)
		}
		// 1e-4: one place in so many is not what it was taken for, whatever the odds.
		sum -= math.Log(1e-4 + (1-1e-4)*math.Exp(e[b.truth]-top)/total)
	}
	return sum / float64(max(1, len(all)))
}

// TestFitPlaceOdds fits the priors of what places of the lines show on those of drawn
// boards, and says how often the likeliest is right, by its lead. ONLOOKER_PLACES says how
// many boards.
func TestFitPlaceOdds(t *testing.T) {
	n := number("ONLOOKER_PLACES", 0)
	if n == 0 {
		t.Skip("ONLOOKER_PLACES=200 fits the priors on the lines of 200 boards")
	}
	profile := challengeLook(t)
	var all []believed
	for _, sc := range randomScenes(t, profile, 0, n) {
		all = append(all, believedOn(t, profile, sc)...)
	}
	was := line.UsualPlaceOdds()
	o, best := was, loss(&was, all, &was)
	for _, step := range []float64{2, 1, 0.5} {
		for k := range o.Priors() {
			for _, way := range []float64{step, -step} {
				for {
					p := o
					*p.Priors()[k] += way
					l := loss(&p, all, &was)
					if l > best-1e-7 || *p.Priors()[k] > 0 || *p.Priors()[k] < -20 {
						break
					}
					o, best = p, l
				}
			}
		}
	}
	t.Logf("%d places: loss %.6f was, %.6f is\n%#v", len(all), loss(&was, all, &was), best, o)
	type count struct{ n, wrong, weak int }
	table := map[string]*count{}
	for _, b := range all {
		w := b.What[b.truth]
		w.Length = 0
		name := fmt.Sprintf("%+v", w)
		if table[name] == nil {
			table[name] = &count{}
		}
		lead := b.Lead(w.Same, line.Anything)
		table[name].n++
		if lead < 0 {
			table[name].wrong++
		} else if lead < was.Sure {
			table[name].weak++
		}
	}
	for name, c := range table {
		t.Logf("%s: %d, %d told wrong, %d without a clear lead", name, c.n, c.wrong, c.weak)
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
		frame := rgba(looktest.OnWall(panel, drawing.Typical(look), 56))
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
