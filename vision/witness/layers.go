package witness

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
	"onlooker/vision/witness/shape"
	"onlooker/vision/witness/view"
)

// layers are how much a symbol shows at each place, 0 to 1, of its own colour and of
// that in which all symbols of the look are outlined; of no size in looks without one.
type layers struct{ fill, edge vision.Map }

func (l layers) any() bool { return l.edge.W > 0 }

// layersIn are those that two masks show; none without the second.
func layersIn(fill, edge *image.Gray) (l layers) {
	if edge != nil {
		l = layers{shape.MapOf(fill), shape.MapOf(edge)}
	}
	return l
}

// shown is how far from its ground each place of a cell is that holds a symbol of some
// colour, of the most.
func (l layers) shown(ground, outline, own vision.RGB) vision.Map {
	o, c := outline.Sub(ground), own.Sub(ground)
	oo, oc, cc := o.Dot(o), o.Dot(c), c.Dot(c)
	m := vision.NewMap(l.edge.W, l.edge.H)
	most := float32(0)
	for k := range m.V {
		a, b := float64(l.edge.V[k]), float64(l.fill.V[k])
		m.V[k] = float32(math.Sqrt(max(0, a*a*oo+2*a*b*oc+b*b*cc)))
		most = max(most, m.V[k])
	}
	for k := range m.V {
		m.V[k] /= max(most, 1e-9)
	}
	return m
}

// own is the colour of a symbol that lies off by some places of a cell's view: the one
// that leaves least of what is seen there unexplained.
func (l layers) own(v *cellView, outline vision.RGB, off image.Point) vision.RGB {
	o := outline.Sub(v.ground)
	var sum vision.RGB
	all := 0.0
	for k, b := range l.fill.V {
		x, y := k%cellSide+off.X, k/cellSide+off.Y
		if b == 0 || x < 0 || y < 0 || x >= cellSide || y >= cellSide || v.off.V[y*cellSide+x] == 0 {
			continue
		}
		is, a := v.stray(y*cellSide+x), float64(l.edge.V[k])
		for c := range sum {
			sum[c] += float64(b) * (is[c] - a*o[c])
		}
		all += float64(b) * float64(b)
	}
	for c := range sum {
		sum[c] = max(0, min(v.ground[c]+sum[c]/max(all, 1e-9), 255))
	}
	return sum
}

// stray is how a place of a cell differs from its ground.
func (v *cellView) stray(k int) vision.RGB {
	if v.off.V[k] == 0 {
		return vision.RGB{}
	}
	return v.soft[k].Sub(v.base[k])
}

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
func layersOf(seen []exhibit, outline vision.RGB) layers {
	l := layers{vision.NewMap(cellSide, cellSide), vision.NewMap(cellSide, cellSide)}
	for k := range l.fill.V {
		var sums overlay
		for _, s := range seen {
			x, y := k%cellSide+s.off.X, k/cellSide+s.off.Y
			if x < 0 || y < 0 || x >= cellSide || y >= cellSide {
				continue
			}
			g := s.view.ground
			sums.add(s.own.Sub(g), outline.Sub(g), s.view.stray(y*cellSide+x))
		}
		l.fill.V[k], l.edge.V[k] = sums.solve()
	}
	return l
}

// learnLayered is learnForms for a look that outlines its symbols: what is alike but for
// its colour is one template. What layers do not explain, as symbols of about the
// ground's colour, has templates as in other looks.
func learnLayered(p *calibrations.Profile, kind string, seen []exhibit, outline vision.RGB) error {
	var plain []exhibit
	for len(seen) > 0 {
		var of, rest []exhibit
		for _, s := range seen {
			if s.symbol.Count == seen[0].symbol.Count {
				of = append(of, s)
			} else {
				rest = append(rest, s)
			}
		}
		for {
			l := layersOf(of, outline)
			like, err := l.like(of, outline)
			if err != nil {
				return err
			}
			least := slices.Min(like)
			if least >= view.Nearly {
				p.Learned.Forms = append(p.Learned.Forms, calibrations.Form{
					Kind: kind, Count: of[0].symbol.Count, Seen: len(of), Floor: floorBelow(least), Least: shape.Round3(least), Mask: shape.GreyOf(l.fill), Edge: shape.GreyOf(l.edge),
					File: fmt.Sprintf("mask-%02d-%s.png", len(p.Learned.Forms)+1, fileName(kind)), EdgeFile: fmt.Sprintf("edge-%02d-%s.png", len(p.Learned.Forms)+1, fileName(kind)),
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
	return learnForms(p, kind, plain)
}

// like is how alike sightings are to layers.
func (l layers) like(seen []exhibit, outline vision.RGB) (out []float64, err error) {
	for _, s := range seen {
		one := []candidate{{layers: l}}
		if err := s.view.laid(one, &outline, view.Tuned.Slack); err != nil {
			return nil, err
		}
		out = append(out, one[0].score)
	}
	return out, nil
}

// laid lays candidates over what a cell shows, those with layers in the colour that
// explains most of it.
func (v *cellView) laid(all []candidate, outline *vision.RGB, slack int) error {
	layered := false
	for i := range all {
		if c := &all[i]; c.layers.any() {
			layered = true
			c.mask = c.layers.shown(v.ground, *outline, v.vivid(*outline))
		}
	}
	if err := v.matched(all, slack); err != nil || !layered {
		return err
	}
	for i := range all {
		if c := &all[i]; c.layers.any() {
			c.own = c.layers.own(v, *outline, c.off)
			c.mask = c.layers.shown(v.ground, *outline, c.own)
		}
	}
	return v.matched(all, slack)
}

// matched lays templates over what a cell shows.
func (v *cellView) matched(all []candidate, slack int) error {
	masks := make([]vision.Map, len(all))
	for i := range all {
		masks[i] = v.window(all[i].mask, 0)
	}
	found, err := vision.Match(v.window(v.shown, slack), masks)
	if err != nil {
		return err
	}
	for i := range all {
		all[i].score, all[i].off = found[i].Score, found[i].Off
	}
	return nil
}

// vivid is the colour of what a cell shows that is least a mixture of its ground and the
// outlines.
func (v *cellView) vivid(outline vision.RGB) vision.RGB {
	v.vividOnce.Do(func() {
		type place struct {
			c     vision.RGB
			aside float64
		}
		var all []place
		for k, d := range v.off.V {
			if float64(d) > view.Clearly*v.strong && max(math.Abs(offset(k%cellSide)), math.Abs(offset(k/cellSide))) < v.inner {
				all = append(all, place{v.soft[k], v.soft[k].OffMix(v.ground, outline)})
			}
		}
		if v.vividest = outline; len(all) == 0 {
			return
		}
		slices.SortFunc(all, func(a, b place) int { return cmp.Compare(b.aside, a.aside) })
		var most []vision.RGB
		for _, o := range all[:(len(all)+9)/10] {
			most = append(most, o.c)
		}
		v.vividest = vision.MedianRGB(most)
	})
	return v.vividest
}

// findOutline is the colour in which symbols are outlined that were seen in several
// colours: what is seen of them apart from what changes with their colour. It is as strong
// as it is where most of it is seen, with the share of the contrast that this is.
func findOutline(seen []exhibit, contrast float64) (outline vision.RGB, strength float64) {
	type kind struct {
		witness.Kind
		count int
	}
	of := map[kind][]exhibit{}
	var kinds []kind
	for _, s := range seen {
		if k := (kind{s.symbol.Kind, s.symbol.Count}); !k.Kind.IsPiece() {
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
	slices.SortFunc(all, func(a, b vision.RGB) int { return int(math.Copysign(1, far(b)-far(a))) })
	most := far(all[len(all)/100])
	all = slices.DeleteFunc(all, func(c vision.RGB) bool { return far(c) < most/2 })
	mean := vision.RGB{}
	for _, c := range all {
		for i := range mean {
			mean[i] += c[i] / float64(len(all))
		}
	}
	var grounds []vision.RGB
	for _, s := range seen {
		grounds = append(grounds, s.view.ground)
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
func constant(seen []exhibit) (out []vision.RGB) {
	var c []vision.RGB
	for _, s := range seen {
		c = append(c, s.own.Sub(s.view.ground))
	}
	mean, spread := middle(c), 0.0
	for _, o := range c {
		spread += o.Sub(mean).Dot(o.Sub(mean))
	}
	if len(seen) < 3 || spread < float64(len(seen))*view.Tuned.OtherColour*view.Tuned.OtherColour/4 {
		return nil
	}
	y := make([]vision.RGB, len(seen))
	for k := range cellSide * cellSide {
		for i, s := range seen {
			y[i] = vision.RGB{}
			if x, y0 := k%cellSide+s.off.X, k/cellSide+s.off.Y; x >= 0 && y0 >= 0 && x < cellSide && y0 < cellSide {
				y[i] = s.view.stray(y0*cellSide + x)
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
func ownColours(seen []exhibit) error {
	first := map[forms.Label]int{}
	for i := range seen {
		s := &seen[i]
		s.own = s.view.colour(&candidate{mask: s.mask, ink: calibrations.InkDeep})
		key := forms.SymbolLabel(s.symbol)
		k, ok := first[key]
		if !ok {
			first[key] = i
			continue
		}
		c, err := correlation(s.view, s.mask, seen[k].mask, view.Tuned.Slack)
		if err != nil {
			return err
		}
		s.off = c.Off
	}
	return nil
}

// namedColours notes for each sighting the colour that its name has, on its board or
// otherwise in the look: that of its squares and stars, which are large; without any that
// which is most a colour of its own.
func namedColours(seen []exhibit, outline vision.RGB) {
	type name struct {
		board int
		of    witness.Colour
	}
	large, vivid := map[name][]vision.RGB{}, map[name][]vision.RGB{}
	for _, s := range seen {
		for _, board := range []int{s.board, -1} {
			n := name{board, s.symbol.Colour}
			if k := s.symbol.Kind; k == witness.Square || k == witness.Star {
				large[n] = append(large[n], s.own)
			}
			vivid[n] = append(vivid[n], s.view.vivid(outline))
		}
	}
	even := func(all []vision.RGB) bool {
		return len(all) > 0 && !slices.ContainsFunc(all, func(c vision.RGB) bool { return c.Dist(all[0]) > view.Tuned.OtherColour })
	}
	for i := range seen {
		s := &seen[i]
		s.own = s.view.vivid(outline)
		here, anywhere := name{s.board, s.symbol.Colour}, name{-1, s.symbol.Colour}
		switch {
		case len(large[here]) > 0:
			s.own = vision.MedianRGB(large[here])
		case even(large[anywhere]):
			s.own = vision.MedianRGB(large[anywhere])
		case even(vivid[anywhere]):
			s.own = vision.MedianRGB(vivid[anywhere])
		}
	}
}

// learnOutline finds the colour in which the look outlines its symbols; nil where it has
// none.
func learnOutline(p *calibrations.Profile, lessons []lesson, seen []exhibit) (*vision.RGB, error) {
	if err := ownColours(seen); err != nil {
		return nil, err
	}
	var contrasts []float64
	for _, l := range lessons {
		contrasts = append(contrasts, l.Contrast())
	}
	outline, strength := findOutline(seen, vision.Median(contrasts))
	// 0.35 in the 11 of 36 looks that have outlines, 0.05 in 23 of the others, and in two whose
	// symbols are hollow or have shadows 0.2 and 0.38.
	if strength < view.Slightly {
		for i := range seen {
			seen[i].view.along(view.Tuned)
			seen[i].mask = seen[i].view.mask()
		}
		return nil, nil
	}
	p.Learned.Outline = string(hex(outline))
	namedColours(seen, outline)
	return &outline, nil
}

// expected is what a sighting shows if it is a piece of some shape.
func (f *pieceTemplate) expected(s exhibit, shape []image.Point) vision.Map {
	if f.layers.any() {
		return f.layered(shape).shown(s.view.ground, *f.outline, s.own)
	}
	return f.render(shape)
}

// lowest is UnlitGround sightings in their turns.
func (f *pieceTemplate) lowest(turned []exhibit) (floor, least float64, err error) {
	if !f.layers.any() {
		return floorOf(turned, func(s exhibit) vision.Map { return f.render(s.symbol.Shape) })
	}
	least = 1
	for _, s := range turned {
		like, err := f.layered(s.symbol.Shape).like([]exhibit{s}, *f.outline)
		if err != nil {
			return 0, 0, err
		}
		least = min(least, like[0])
	}
	return floorBelow(least), shape.Round3(least), nil
}

// strayAt is stray between places.
func (v *cellView) strayAt(x, y float64) (c vision.RGB) {
	x, y = max(0, min(x, cellSide-1)), max(0, min(y, cellSide-1))
	i, j := min(int(x), cellSide-2), min(int(y), cellSide-2)
	fx, fy := x-float64(i), y-float64(j)
	k := j*cellSide + i
	add := func(k int, part float64) {
		if v.off.V[k] == 0 {
			return
		}
		soft, base := &v.soft[k], &v.base[k]
		for n := range c {
			c[n] += part * (soft[n] - base[n])
		}
	}
	add(k, (1-fx)*(1-fy))
	add(k+1, fx*(1-fy))
	add(k+cellSide, (1-fx)*fy)
	add(k+cellSide+1, fx*fy)
	return c
}

// layerCovers are how much a place of a piece's grid, in squares from the cell's middle, shows
// of what its square does: of that and its outline, and of the square's own colour alone.
func (f *pieceTemplate) layerCovers(v *cellView, cx, cy float64) [2]float64 {
	o, c := f.outline.Sub(v.ground), v.vivid(*f.outline).Sub(v.ground)
	sin, cos := math.Sincos(f.tilt)
	var sum, all, sumFill, allFill float64
	oo, oc, cc := o.Dot(o), o.Dot(c), c.Dot(c)
	rim := f.rim()
	for j := range blockSide {
		for i := range blockSide {
			k := (j+rim)*f.layers.edge.W + i + rim
			a, b := float64(f.layers.edge.V[k]), float64(f.layers.fill.V[k])
			u := (cx + (float64(i)+0.5)/blockSide - 0.5) * f.spacing
			w := (cy + (float64(j)+0.5)/blockSide - 0.5) * f.spacing
			x, y := u*cos-w*sin, w*cos+u*sin
			is := v.strayAt((x+0.5)*cellSide-0.5, (y+0.5)*cellSide-0.5)
			own := b * (1 - a)
			sum, all = sum+a*o.Dot(is)+b*c.Dot(is), all+a*a*oo+2*a*b*oc+b*b*cc
			sumFill, allFill = sumFill+own*c.Dot(is), allFill+own*(b*cc+a*oc)
		}
	}
	return [2]float64{sum / max(all, 1e-9), sumFill / max(allFill, 1e-9)}
}
