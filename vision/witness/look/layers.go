package look

import (
	"cmp"
	"image"
	"math"
	"slices"

	"onlooker/vision"
	"onlooker/vision/witness/shape"
	"onlooker/vision/witness/view"
)

// Layers are how much a symbol shows at each place, 0 to 1, of its own colour and of
// that in which all symbols of the look are outlined; of no size in looks without one.
type Layers struct{ Fill, Edge vision.Map }

func (l Layers) Any() bool { return l.Edge.W > 0 }

// layersIn are those that two masks show; none without the second.
func layersIn(fill, edge *image.Gray) (l Layers) {
	if edge != nil {
		l = Layers{shape.MapOf(fill), shape.MapOf(edge)}
	}
	return l
}

// Shown is how far from its ground each place of a cell is that holds a symbol of some
// colour, of the most.
func (l Layers) Shown(ground, outline, own vision.RGB) vision.Map {
	o, c := outline.Sub(ground), own.Sub(ground)
	oo, oc, cc := o.Dot(o), o.Dot(c), c.Dot(c)
	m := vision.NewMap(l.Edge.W, l.Edge.H)
	most := float32(0)
	for k := range m.V {
		a, b := float64(l.Edge.V[k]), float64(l.Fill.V[k])
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
func (l Layers) own(v *Cell, outline vision.RGB, off image.Point) vision.RGB {
	o := outline.Sub(v.Ground)
	var sum vision.RGB
	all := 0.0
	for k, b := range l.Fill.V {
		x, y := k%CellSide+off.X, k/CellSide+off.Y
		if b == 0 || x < 0 || y < 0 || x >= CellSide || y >= CellSide || v.Off.V[y*CellSide+x] == 0 {
			continue
		}
		is, a := v.Stray(y*CellSide+x), float64(l.Edge.V[k])
		for c := range sum {
			sum[c] += float64(b) * (is[c] - a*o[c])
		}
		all += float64(b) * float64(b)
	}
	for c := range sum {
		sum[c] = max(0, min(v.Ground[c]+sum[c]/max(all, 1e-9), 255))
	}
	return sum
}

// Stray is how a place of a cell differs from its ground.
func (v *Cell) Stray(k int) vision.RGB {
	if v.Off.V[k] == 0 {
		return vision.RGB{}
	}
	return v.Soft[k].Sub(v.Base[k])
}

// Laid lays candidates over what a cell shows, those with layers in the colour that
// explains most of it.
func (v *Cell) Laid(all []Candidate, outline *vision.RGB, slack int) {
	layered := false
	for i := range all {
		if c := &all[i]; c.Layers.Any() {
			layered = true
			c.Mask = c.Layers.Shown(v.Ground, *outline, v.Vivid(*outline))
		}
	}
	v.matched(all, slack)
	if !layered {
		return
	}
	for i := range all {
		if c := &all[i]; c.Layers.Any() {
			c.Own = c.Layers.own(v, *outline, c.Off)
			c.Mask = c.Layers.Shown(v.Ground, *outline, c.Own)
		}
	}
	v.matched(all, slack)
}

// matched lays templates over what a cell shows.
func (v *Cell) matched(all []Candidate, slack int) {
	masks := make([]vision.Map, len(all))
	for i := range all {
		masks[i] = v.Window(all[i].Mask, 0)
	}
	for i, m := range vision.Match(v.Window(v.Shown, slack), masks) {
		all[i].Score, all[i].Off = m.Score, m.Off
	}
}

// Vivid is the colour of what a cell shows that is least a mixture of its ground and the
// outlines.
func (v *Cell) Vivid(outline vision.RGB) vision.RGB {
	v.vividOnce.Do(func() {
		type place struct {
			c     vision.RGB
			aside float64
		}
		var all []place
		for k, d := range v.Off.V {
			if float64(d) > view.Clearly*v.Strong && max(math.Abs(Offset(k%CellSide)), math.Abs(Offset(k/CellSide))) < v.Inner {
				all = append(all, place{v.Soft[k], v.Soft[k].OffMix(v.Ground, outline)})
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

// StrayAt is stray between places.
func (v *Cell) StrayAt(x, y float64) (c vision.RGB) {
	x, y = max(0, min(x, CellSide-1)), max(0, min(y, CellSide-1))
	i, j := min(int(x), CellSide-2), min(int(y), CellSide-2)
	fx, fy := x-float64(i), y-float64(j)
	k := j*CellSide + i
	add := func(k int, part float64) {
		if v.Off.V[k] == 0 {
			return
		}
		soft, base := &v.Soft[k], &v.Base[k]
		for n := range c {
			c[n] += part * (soft[n] - base[n])
		}
	}
	add(k, (1-fx)*(1-fy))
	add(k+1, fx*(1-fy))
	add(k+CellSide, (1-fx)*fy)
	add(k+CellSide+1, fx*fy)
	return c
}

// layerCovers are how much a place of a piece's grid, in squares from the cell's middle, shows
// of what its square does: of that and its outline, and of the square's own colour alone.
func (f *PieceTemplate) layerCovers(v *Cell, cx, cy float64) [2]float64 {
	o, c := f.Outline.Sub(v.Ground), v.Vivid(*f.Outline).Sub(v.Ground)
	sin, cos := math.Sincos(f.Tilt)
	var sum, all, sumFill, allFill float64
	oo, oc, cc := o.Dot(o), o.Dot(c), c.Dot(c)
	rim := f.rim()
	midX, midY := f.middle(v)
	for j := range BlockSide {
		for i := range BlockSide {
			k := (j+rim)*f.Layers.Edge.W + i + rim
			a, b := float64(f.Layers.Edge.V[k]), float64(f.Layers.Fill.V[k])
			u := (cx + (float64(i)+0.5)/BlockSide - 0.5) * f.Spacing
			w := (cy + (float64(j)+0.5)/BlockSide - 0.5) * f.Spacing
			x, y := u*cos-w*sin+midX, w*cos+u*sin+midY
			is := v.StrayAt((x+0.5)*CellSide-0.5, (y+0.5)*CellSide-0.5)
			own := b * (1 - a)
			sum, all = sum+a*o.Dot(is)+b*c.Dot(is), all+a*a*oo+2*a*b*oc+b*b*cc
			sumFill, allFill = sumFill+own*c.Dot(is), allFill+own*(b*cc+a*oc)
		}
	}
	return [2]float64{sum / max(all, 1e-9), sumFill / max(allFill, 1e-9)}
}
