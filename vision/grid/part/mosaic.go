package part

import (
	"cmp"
	"image"
	"math"
	"slices"

	"onlooker/vision"
)

// What makes parts a mosaic: cells of several shapes that repeat both ways and leave nothing
// between them but lines. Measured on drawn ones.
const (
	mostTiles   = 2000 // parts of a picture that are looked at: more are small print
	leastTiles  = 4    // of the largest shape
	leastOther  = 3    // of each other shape
	sameTile    = 0.08 // of its size: tiles of one shape
	sameLean    = 0.2  // of its width: mirrored tiles lean otherwise
	angled      = 0.9  // of its box that a tile fills at the most that is no rectangle: an octagon 0.83
	angledShare = 0.2  // of all that is covered: by such tiles
	tileReach   = 4    // sizes of a tile from one to its like
	ownSteps    = 0.55 // of the largest shape's tiles that have their like a step on
	otherSteps  = 0.4  // of others'
	leastCover  = 0.7  // of the plane that the tiles cover, lines left out
	mostCover   = 1.7  // with those beyond the outermost tiles of the largest shape
)

// A tile is a part that may be a cell of a mosaic.
type tile struct {
	box        image.Rectangle
	x, y, w, h float64
	full       float64 // of its box that it fills, and what stands in it
	lean       float64 // how much further left its upper quarter is than its lower one, in widths
}

func (t *tile) size() float64 { return t.full * t.w * t.h }

// A kind is tiles of one shape.
type kind []tile

func (k kind) area() float64 { return float64(len(k)) * k[0].size() }

// Mosaic is the outline of a board whose cells have several shapes, as hexagons with squares
// between them or the rhombs of slanted cubes, and how many repeat across and down. No
// family reads such a board.
func (s *Picture) Mosaic(contrast int) (box image.Rectangle, cols, rows int, ok bool) {
	kinds := s.PartsAt(contrast).kinds()
	for i, base := range kinds {
		if len(base) < leastTiles {
			continue
		}
		a, b, found := base.steps()
		if !found {
			continue
		}
		unit := math.Abs(a.X*b.Y - a.Y*b.X)
		cover, bent := 0.0, 0.0
		box, shapes := image.Rectangle{}, 0
		for j, k := range kinds {
			if i != j && (k[0].size() > base[0].size() || k.share(a) < otherSteps || k.share(b) < otherSteps) {
				continue
			}
			shapes++
			cover += k.area()
			if k[0].full < angled {
				bent += k.area()
			}
			for _, t := range k {
				box = box.Union(t.box)
			}
		}
		whole := cover / (float64(len(base)) * unit)
		if shapes > 1 && bent > angledShare*cover && whole > leastCover && whole < mostCover {
			pitch := math.Sqrt(unit)
			return box, max(1, int(float64(box.Dx())/pitch)), max(1, int(float64(box.Dy())/pitch)), true
		}
	}
	return image.Rectangle{}, 0, 0, false
}

// kinds are the parts that may be tiles, by their shapes, the largest tiles first.
func (p *Parts) kinds() []kind {
	var list []tile
	for i := range p.List {
		q := &p.List[i]
		w, h := q.Box.Dx(), q.Box.Dy()
		if min(w, h) < LeastSide || 2*w > p.W || 2*h > p.H || float64(q.Area) < LeastFull*float64(w*h) {
			continue
		}
		if list = append(list, p.tile(int32(i))); len(list) > mostTiles {
			return nil
		}
	}
	slices.SortStableFunc(list, func(a, b tile) int { return cmp.Compare(b.size(), a.size()) })
	var out []kind
	for _, t := range list {
		i := slices.IndexFunc(out, func(k kind) bool { return t.like(&k[0]) })
		if i < 0 {
			i, out = len(out), append(out, nil)
		}
		out[i] = append(out[i], t)
	}
	out = slices.DeleteFunc(out, func(k kind) bool { return len(k) < leastOther })
	for i, k := range out { // what stands in larger tiles are marks
		out[i] = slices.DeleteFunc(slices.Clone(k), func(t tile) bool {
			return slices.ContainsFunc(out[:i], func(o kind) bool {
				return slices.ContainsFunc(o, func(u tile) bool { return t.box.In(u.box) })
			})
		})
	}
	return slices.DeleteFunc(out, func(k kind) bool { return len(k) < leastOther })
}

// tile measures a part.
func (p *Parts) tile(k int32) tile {
	q := &p.List[k]
	t := tile{box: q.Box, w: float64(q.Box.Dx()), h: float64(q.Box.Dy())}
	t.x, t.y = q.Centre()
	var ends [4][2]float64 // of each quarter of the rows: the sum of their middles, and rows
	list := p.Runs(k)
	for i := 0; i < len(list); {
		y, x0, x1 := list[i].Y, list[i].X0, list[i].X1
		for ; i < len(list) && list[i].Y == y; i++ {
			x0, x1 = min(x0, list[i].X0), max(x1, list[i].X1)
		}
		t.full += float64(x1-x0) / (t.w * t.h)
		e := &ends[4*(int(y)-q.Box.Min.Y)/q.Box.Dy()]
		e[0], e[1] = e[0]+float64(x0+x1)/2, e[1]+1
	}
	t.lean = (ends[3][0]/max(1, ends[3][1]) - ends[0][0]/max(1, ends[0][1])) / t.w
	return t
}

// like tells whether two tiles have one shape.
func (t *tile) like(o *tile) bool {
	return math.Abs(t.w-o.w) <= sameTile*o.w+1 && math.Abs(t.h-o.h) <= sameTile*o.h+1 &&
		math.Abs(t.full-o.full) <= sameTile && math.Abs(t.lean-o.lean) <= sameLean
}

// steps are the two shortest ways, in other directions, that lead from most tiles to another.
func (k kind) steps() (a, b vision.Point, ok bool) {
	reach := tileReach * max(k[0].w, k[0].h)
	var ways []vision.Point
	for _, t := range k {
		for _, o := range k {
			d := vision.Point{X: o.x - t.x, Y: o.y - t.y}
			far := math.Hypot(d.X, d.Y)
			if far < 1 || far > reach || d.X < -1 || math.Abs(d.X) <= 1 && d.Y < 0 ||
				slices.ContainsFunc(ways, func(w vision.Point) bool { return w.Dist(d) < k.near() }) {
				continue
			}
			ways = append(ways, d)
		}
		if len(ways) > 100 {
			break
		}
	}
	slices.SortFunc(ways, func(a, b vision.Point) int {
		return cmp.Compare(math.Hypot(a.X, a.Y), math.Hypot(b.X, b.Y))
	})
	for _, w := range ways {
		long := math.Hypot(w.X, w.Y)
		switch {
		case k.share(w) < ownSteps:
		case a == vision.Point{}:
			a = w
		case math.Abs(a.X*w.Y-a.Y*w.X) > 0.5*long*math.Hypot(a.X, a.Y):
			return a, w, true
		}
	}
	return a, b, false
}

// near is how far a tile is at the most from where its like should be.
func (k kind) near() float64 { return sameTile*max(k[0].w, k[0].h) + 1.5 }

// share is the share of tiles that have their like a step on.
func (k kind) share(step vision.Point) float64 {
	n := 0
	for _, t := range k {
		at := vision.Point{X: t.x + step.X, Y: t.y + step.Y}
		if slices.ContainsFunc(k, func(o tile) bool { return at.Dist(vision.Point{X: o.x, Y: o.y}) < k.near() }) {
			n++
		}
	}
	return float64(n) / float64(len(k))
}
