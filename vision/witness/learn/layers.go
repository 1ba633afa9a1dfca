package learn

import (
	"cmp"
	"fmt"
	"image"
	"math"
	"slices"

	"onlooker/calibrations"
	witness "onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	"onlooker/vision"
	"onlooker/vision/witness/colour"
	"onlooker/vision/witness/look"
	"onlooker/vision/witness/shape"
	"onlooker/vision/witness/view"
)

// An overlay is the sums by which layers are found that explain places of sightings, whose
// symbols differ by c from the ground, their outlines by o, and what is seen by y.
type overlay struct{ cc, co, oo, cy, oy float64 }

func (s *overlay) add(c, o, y vision.RGB) {
	s.cc, s.co, s.oo = s.cc+c.Dot(c), s.co+c.Dot(o), s.oo+o.Dot(o)
	s.cy, s.oy = s.cy+c.Dot(y), s.oy+o.Dot(y)
}

// solve is the part of either that explains most.
func (s *overlay) solve() (fill, edge float32) {
	// A thousandth: where both are one colour it is half of each.
	cc, oo := 1.001*s.cc+1e-9, 1.001*s.oo+1e-9
	den := cc*oo - s.co*s.co
	b, a := (s.cy*oo-s.oy*s.co)/den, (s.oy*cc-s.cy*s.co)/den
	switch {
	case b < 0:
		b, a = 0, s.oy/oo
	case a < 0:
		b, a = s.cy/cc, 0
	}
	return float32(max(0, min(b, 1))), float32(max(0, min(a, 1)))
}

// layersOf are those that explain sightings of one form best.
func layersOf(seen []look.Sample, outline vision.RGB) look.Layers {
	l := look.Layers{Fill: vision.NewMap(look.CellSide, look.CellSide), Edge: vision.NewMap(look.CellSide, look.CellSide)}
	for k := range l.Fill.V {
		var sums overlay
		for _, s := range seen {
			x, y := k%look.CellSide+s.Off.X, k/look.CellSide+s.Off.Y
			if x < 0 || y < 0 || x >= look.CellSide || y >= look.CellSide {
				continue
			}
			g := s.View.Ground
			sums.add(s.Own.Sub(g), outline.Sub(g), s.View.Stray(y*look.CellSide+x))
		}
		l.Fill.V[k], l.Edge.V[k] = sums.solve()
	}
	return l
}

// learnLayered is learnForms for a look that outlines its symbols: what is alike but for
// its colour is one template. What layers do not explain, as symbols of about the
// ground's colour, has templates as in other looks.
func learnLayered(p *calibrations.Profile, kind string, seen []look.Sample, outline vision.RGB) {
	var plain []look.Sample
	for len(seen) > 0 {
		var of, rest []look.Sample
		for _, s := range seen {
			if witness.SameSymbol(s.Symbol, seen[0].Symbol) {
				of = append(of, s)
			} else {
				rest = append(rest, s)
			}
		}
		for {
			l := layersOf(of, outline)
			like := like(l, of, outline)
			least := slices.Min(like)
			if least >= view.Nearly {
				p.Learned.Forms = append(p.Learned.Forms, calibrations.Form{
					Kind: kind, Count: of[0].Symbol.Count, Way: wayOf(of[0].Symbol), Seen: len(of), Floor: look.FloorBelow(least), Least: shape.Round3(least), Mask: shape.GreyOf(l.Fill), Edge: shape.GreyOf(l.Edge),
					File: fmt.Sprintf("mask-%02d-%s.png", len(p.Learned.Forms)+1, look.FileName(kind)), EdgeFile: fmt.Sprintf("edge-%02d-%s.png", len(p.Learned.Forms)+1, look.FileName(kind)),
				})
				break
			}
			if len(of) == 1 {
				plain = append(plain, of[0])
				break
			}
			// What is least like the others is another form.
			odd := slices.Index(like, least)
			rest = append(rest, of[odd])
			of = slices.Delete(slices.Clone(of), odd, odd+1)
		}
		seen = rest
	}
	learnForms(p, kind, plain)
}

// like is how alike sightings are to layers.
func like(l look.Layers, seen []look.Sample, outline vision.RGB) (out []float64) {
	for _, s := range seen {
		one := []look.Candidate{{Layers: l}}
		s.View.Laid(one, &outline, view.Tuned.Slack)
		out = append(out, one[0].Score)
	}
	return out
}

// findOutline is the colour in which symbols are outlined that were seen in several
// colours: what is seen of them apart from what changes with their colour. It is as strong
// as it is where most of it is seen, with the share of the contrast that this is.
func findOutline(seen []look.Sample, contrast float64) (outline vision.RGB, strength float64) {
	type kind struct {
		witness.Kind
		count int
		way   image.Point
	}
	of := map[kind][]look.Sample{}
	var kinds []kind
	for _, s := range seen {
		if k := (kind{s.Symbol.Kind, s.Symbol.Count, s.Symbol.Way}); !k.Kind.IsPiece() {
			if of[k] == nil {
				kinds = append(kinds, k)
			}
			of[k] = append(of[k], s)
		}
	}
	var all []vision.RGB
	for _, k := range kinds {
		all = append(all, constant(of[k])...)
	}
	if len(all) == 0 {
		return outline, 0
	}
	far := func(c vision.RGB) float64 { return math.Sqrt(c.Dot(c)) }
	slices.SortFunc(all, func(a, b vision.RGB) int { return cmp.Compare(far(b), far(a)) })
	most := far(all[len(all)/100])
	all = slices.DeleteFunc(all, func(c vision.RGB) bool { return far(c) < most/2 })
	mean := middle(all)
	var grounds []vision.RGB
	for _, s := range seen {
		grounds = append(grounds, s.View.Ground)
	}
	return furthest(vision.MedianRGB(grounds), mean), far(mean) / contrast
}

// furthest is the furthest colour from one in a direction. How strong an outline is that
// is finer than what is seen of it nobody can tell; it is no stronger than that.
func furthest(from, way vision.RGB) (c vision.RGB) {
	times := math.Inf(1)
	for i, d := range way {
		switch {
		case d > 0:
			times = min(times, (255-from[i])/d)
		case d < 0:
			times = min(times, -from[i]/d)
		}
	}
	for i := range c {
		c[i] = from[i] + times*way[i]
	}
	return c
}

// constant is what sightings of one kind show at each place that does not change with
// their colour; nothing of a kind that was seen in one colour.
func constant(seen []look.Sample) (out []vision.RGB) {
	var c []vision.RGB
	for _, s := range seen {
		c = append(c, s.Own.Sub(s.View.Ground))
	}
	mean, spread := middle(c), 0.0
	for _, o := range c {
		spread += o.Sub(mean).Dot(o.Sub(mean))
	}
	if len(seen) < 3 || spread < float64(len(seen))*view.Tuned.OtherColour*view.Tuned.OtherColour/4 {
		return nil
	}
	y := make([]vision.RGB, len(seen))
	for k := range look.CellSide * look.CellSide {
		for i, s := range seen {
			y[i] = vision.RGB{}
			if x, y0 := k%look.CellSide+s.Off.X, k/look.CellSide+s.Off.Y; x >= 0 && y0 >= 0 && x < look.CellSide && y0 < look.CellSide {
				y[i] = s.View.Stray(y0*look.CellSide + x)
			}
		}
		usual, slope := middle(y), 0.0
		for i := range y {
			slope += y[i].Sub(usual).Dot(c[i].Sub(mean)) / spread
		}
		for i := range usual {
			usual[i] -= slope * mean[i]
		}
		out = append(out, usual)
	}
	return out
}

// middle is the mean of differences of colours.
func middle(all []vision.RGB) (mean vision.RGB) {
	for _, c := range all {
		for i := range mean {
			mean[i] += c[i] / float64(len(all))
		}
	}
	return mean
}

// ownColours notes for each sighting the colour that it has deepest within it, and where
// it lies in its cell.
func ownColours(seen []look.Sample) {
	first := map[forms.Label]int{}
	for i := range seen {
		s := &seen[i]
		s.Own = s.View.Colour(&look.Candidate{Mask: s.Mask, Ink: calibrations.InkDeep})
		key := forms.SymbolLabel(s.Symbol)
		k, ok := first[key]
		if !ok {
			first[key] = i
			continue
		}
		s.Off = look.Correlation(s.View, s.Mask, seen[k].Mask, view.Tuned.Slack).Off
	}
}

// namedColours notes for each sighting the colour that its name has, on its board or
// otherwise in the look: that of its squares and stars, which are large, where they are not
// hollow; without any that which is most a colour of its own.
func namedColours(seen []look.Sample, outline vision.RGB) {
	type name struct {
		board int
		of    witness.Colour
	}
	large, vivid := map[name][]vision.RGB{}, map[name][]vision.RGB{}
	for _, s := range seen {
		for _, board := range []int{s.Board, -1} {
			n := name{board, s.Symbol.Colour}
			k, g := s.Symbol.Kind, s.View.Ground
			if solid := s.Own.Dist(g) > view.Strongly*s.View.Vivid(outline).Dist(g); solid && (k == witness.Square || k == witness.Star) {
				large[n] = append(large[n], s.Own)
			}
			vivid[n] = append(vivid[n], s.View.Vivid(outline))
		}
	}
	even := func(all []vision.RGB) bool {
		return len(all) > 0 && !slices.ContainsFunc(all, func(c vision.RGB) bool { return c.Dist(all[0]) > view.Tuned.OtherColour })
	}
	for i := range seen {
		s := &seen[i]
		s.Own = s.View.Vivid(outline)
		here, anywhere := name{s.Board, s.Symbol.Colour}, name{-1, s.Symbol.Colour}
		switch {
		case len(large[here]) > 0:
			s.Own = vision.MedianRGB(large[here])
		case even(large[anywhere]):
			s.Own = vision.MedianRGB(large[anywhere])
		case even(vivid[anywhere]):
			s.Own = vision.MedianRGB(vivid[anywhere])
		}
	}
}

// learnOutline finds the colour in which the look outlines its symbols; nil where it has
// none.
func learnOutline(p *calibrations.Profile, lessons []look.Lesson, seen []look.Sample) *vision.RGB {
	ownColours(seen)
	var contrasts []float64
	for _, l := range lessons {
		contrasts = append(contrasts, l.Contrast())
	}
	outline, strength := findOutline(seen, vision.Median(contrasts))
	// 0.35 in the 11 of 36 looks that have outlines, 0.05 in 23 of the others, and in two whose
	// symbols are hollow or have shadows 0.2 and 0.38.
	if strength < view.Slightly {
		for i := range seen {
			seen[i].View.Along()
			seen[i].Mask = seen[i].View.Mask()
		}
		return nil
	}
	p.Learned.Outline = string(colour.Hex(outline))
	namedColours(seen, outline)
	return &outline
}

// expected is what a sighting shows if it is a piece of some shape.
func expected(f *look.PieceTemplate, s look.Sample, shape []image.Point) vision.Map {
	if f.Layers.Any() {
		return f.Layered(shape).Shown(s.View.Ground, *f.Outline, s.Own)
	}
	return f.Render(shape)
}

// lowest is UnlitGround sightings in their turns.
func lowest(f *look.PieceTemplate, turned []look.Sample) (floor, least float64) {
	if !f.Layers.Any() {
		return look.FloorOf(turned, func(s look.Sample) vision.Map { return f.Render(s.Symbol.Shape) })
	}
	least = 1
	for _, s := range turned {
		least = min(least, like(f.Layered(s.Symbol.Shape), []look.Sample{s}, *f.Outline)[0])
	}
	return look.FloorBelow(least), shape.Round3(least)
}
