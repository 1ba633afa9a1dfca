package witness

import (
	"context"
	"image"
	"slices"

	"onlooker/solve"
)

// The page of witnesspuzzles.com pairs erasers off with each other only once the
// last of the wrong symbols was taken, in the order in which it comes upon them;
// what an eraser takes comes behind what the eraser before took. So where a region
// has three erasers it may refuse what is right by its rules otherwise, and an
// answer that it accepts is worth more to whoever enters it there. This follows
// validateRegion and regionCheckNegations2 of its engine/validate.js.

// pairsOff tells whether a panel has enough erasers for that.
func (p *Panel) pairsOff() bool {
	n := 0
	for at := range p.Points() {
		if p.erases(at) {
			n++
		}
	}
	return p.Rules.ErasersCancel && n >= 3
}

// siteLooks bounds how long it is found out whether the page accepts an answer, in
// looks at the context: some milliseconds. What a region with many erasers and much
// that is wrong is set right by, the page does not find in hours either.
const siteLooks = 100

// onSite tells whether the page is known to come upon a way to set all regions of a
// line right.
func (p *Panel) onSite(ctx context.Context, s solve.Solution) bool {
	line, broken := p.draw(s)
	if broken != nil {
		return false
	}
	line.limit.ctx = solve.Asked(ctx, siteLooks)
	for _, r := range line.regions() {
		if len(r.erasers) >= 3 && !r.siteRight() {
			return false
		}
	}
	return true
}

// siteRight tries the sets of symbols that the page tries.
func (r *region) siteRight() bool {
	must, may := r.siteWrong()
	left := len(r.erasers) - len(must)
	if left < 0 {
		return false
	}
	for size := range min(left, len(may)) + 1 {
		for set := range subsets(may, size) {
			if spare := left - size; spare > 0 {
				last := len(may) == 0 || size > 0 && set[size-1] == may[len(may)-1]
				if !last || spare%2 > 0 {
					continue
				}
			}
			if r.without(slices.Concat(must, set)).right() {
				return r.line.limit.err == nil
			}
			if r.line.limit.ended(len(r.line.own)) {
				return false
			}
		}
	}
	return false
}

// siteWrong lists what is wrong in a region before anything is erased, in the
// page's order: what stays wrong whatever else is erased, and the rest.
func (r *region) siteWrong() (must, may []image.Point) {
	first := &view{region: r, extra: r.eraserColours()}
	order := make(map[image.Point]int)
	for i, at := range r.siteOrder() {
		order[at] = i
	}
	things := make(map[Colour]int)
	for _, at := range slices.Concat(r.symbols, r.erasers) {
		things[r.line.p.At(at).Colour]++
	}
	kinds := []Kind{Square, Star} // then pieces, of both kinds at once
	rank := func(at image.Point) int {
		if i := slices.Index(kinds, r.line.p.At(at).Kind); i >= 0 {
			return i
		}
		return len(kinds)
	}
	for k, wrong := range first.wrong {
		for _, at := range wrong {
			if k.about().alone || k == Star && things[r.line.p.At(at).Colour] == 1 {
				must = append(must, at)
			} else {
				may = append(may, at)
			}
		}
	}
	slices.SortFunc(may, func(a, b image.Point) int {
		if n := rank(a) - rank(b); n != 0 {
			return n
		}
		return order[a] - order[b]
	})
	return must, may
}

// siteOrder lists a region's half-cells as the page's _floodFill comes upon them:
// from the leftmost, of those the topmost, down, up, right and left, depth first.
func (r *region) siteOrder() []image.Point {
	l := r.line
	seen := make([]bool, len(l.own))
	var order []image.Point
	var flood func(at image.Point)
	flood = func(at image.Point) {
		if at = l.p.Wrap(at); !l.p.In(at) || seen[l.index(at)] || !l.open(at) {
			return
		}
		seen[l.index(at)] = true
		order = append(order, at)
		for _, d := range []image.Point{{Y: 1}, {Y: -1}, {X: 1}, {X: -1}} {
			flood(at.Add(d))
		}
	}
	flood(r.cells[0])
	from := slices.MinFunc(order, func(a, b image.Point) int {
		if a.X != b.X {
			return a.X - b.X
		}
		return a.Y - b.Y
	})
	clear(seen)
	order = nil
	flood(from)
	return order
}
