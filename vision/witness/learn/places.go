package learn

import (
	"fmt"
	"image"
	"maps"
	"slices"

	"onlooker/calibrations"
	witness "onlooker/solve/witness/board"
	"onlooker/vision/witness/look"
	"onlooker/vision/witness/shape"
	"onlooker/vision/witness/view"
)

// learnPlaces learns what the places of the lines look like.
func learnPlaces(p *calibrations.Profile, lessons []look.Lesson) {
	t := view.Tuned
	pools := map[string]*look.Pool{}
	put := func(name, label string, a look.Appearance) {
		if pools[name] == nil {
			pools[name] = &look.Pool{}
		}
		pools[name].Add(label, a, t.SameLook)
	}
	there := map[bool]string{false: look.SeenNone, true: look.SeenThere}
	for _, l := range lessons {
		putStart := func(at image.Point, start bool) {
			round, core := l.Model.Places.StartLook(at), l.Model.Places.DotLook(at)
			for i, a := range []look.Appearance{round, core, slices.Concat(round, core)} {
				put(look.StartPools(at)[i], there[start], a)
			}
		}
		for at := range l.Panel.Points() {
			q := l.Panel.At(at)
			switch {
			case witness.IsCell(at):
			case witness.IsEdge(at):
				if q.Gap == witness.Whole {
					putStart(at, q.Start)
				}
				if !q.Start {
					a, name := l.Model.Places.EdgeLook(at)
					put(name, edgeLabel(&l, at), a)
				}
			default:
				putStart(at, q.Start)
				if !q.Start && l.Reached(l.Panel, at) {
					put(look.PoolDot, there[q.Dot.On], l.Model.Places.DotLook(at))
				}
			}
			if q.Start {
				put(look.PoolOn, there[q.Dot.On], l.Model.Places.DotLook(at))
			}
			if witness.IsCell(at) || q.Start || q.Gap != witness.Whole || witness.IsNode(at) && !l.Reached(l.Panel, at) {
				continue
			}
			for _, w := range l.Model.Places.Ways(at) {
				put(w.Pool, there[q.Cap == w.Dir], w.Seen)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(pools)) {
		o := look.NewPool(name, pools[name].Labels)
		o.Seen = pools[name].Seen
		o.Bound(view.Clearly)
		mask := image.NewGray(image.Rect(0, 0, len(o.Seen[0]), len(o.Seen)))
		for i, a := range o.Seen {
			copy(mask.Pix[i*mask.Stride:], a)
		}
		p.Learned.Places = append(p.Learned.Places, calibrations.Places{Name: name, Labels: o.Labels, Limit: shape.Round3(o.Limit), Mask: mask, File: fmt.Sprintf("mask-places-%s.png", name)})
	}
}

// edgeLabel is what the truth says of an edge.
func edgeLabel(l *look.Lesson, at image.Point) string {
	q := l.Panel.At(at)
	along, _, _ := l.Model.Places.Frame(at)
	switch {
	case q.Gap == witness.Broken:
		return look.SeenBroken
	case q.Gap == witness.Whole && q.Dot.On:
		return look.SeenDot
	case q.Gap == witness.Whole:
		return look.SeenWhole
	}
	if n := l.Panel.At(at.Sub(along)); n != nil && n.Cap == along {
		return look.SeenStubFrom
	}
	if n := l.Panel.At(at.Add(along)); n != nil && n.Cap == along.Mul(-1) {
		return look.SeenStubTo
	}
	return look.SeenMissing
}
