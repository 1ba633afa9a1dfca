package rules

import (
	"context"
	"image"
	"slices"

	"onlooker/solve"
	"onlooker/solve/limits"
	"onlooker/solve/witness/board"
)

// siteLooks bounds how long it is found out whether the page accepts an answer, in
// looks at the context: some milliseconds. What a region with many erasers and much
// that is wrong is set right by, the page does not find in hours either.
const siteLooks = 100

// A half-covered edge is no wall to the page: it clears the middle at which the line
// begins (startPoint, which its page sets when a line is begun, and no text of a puzzle
// holds) and that at which it ends before it looks for regions. Whoever asks its validate
// without a startPoint is told otherwise.

// onSite tells whether the page is known to come upon a way to set all regions of a
// line right.
func (t Table) onSite(ctx context.Context, p *board.Panel, s solve.Solution) bool {
	line, broken := t.Draw(limits.WithSteps(ctx, siteLooks), p, s)
	if broken != nil {
		return false
	}
	for _, r := range line.Regions() {
		if len(r.Erasers) >= 2 && !r.siteRight() {
			return false
		}
	}
	return true
}

// siteRight tries the sets of symbols that the page tries.
func (r *Region) siteRight() bool {
	must, may := r.siteWrong()
	left := len(r.Erasers) - len(must)
	if left < 0 {
		return false
	}
	for size := range min(left, len(may)) + 1 {
		for set := range Subsets(may, size) {
			if spare := left - size; spare > 0 {
				last := len(may) == 0 || size > 0 && set[size-1] == may[len(may)-1]
				if !last || spare%2 > 0 {
					continue
				}
			}
			if r.without(slices.Concat(must, set)).right() {
				return r.Line.limit.err == nil
			}
			if r.Line.limit.ended(len(r.Line.own)) {
				return false
			}
		}
	}
	return false
}

// siteWrong lists what is wrong in a region before anything is erased, in the
// page's order: what stays wrong whatever else is erased, and the rest.
func (r *Region) siteWrong() (must, may []image.Point) {
	first := &View{Region: r}
	first.stand(len(r.Erasers))
	order := make(map[image.Point]int)
	for i, at := range r.siteOrder() {
		order[at] = i
	}
	things := make(map[board.Colour]int)
	for _, at := range slices.Concat(r.Symbols, r.Erasers) {
		things[r.Line.Panel.At(at).Colour]++
	}
	kinds := []board.Kind{board.Square, board.Star} // then pieces, of both kinds at once
	rank := func(at image.Point) int {
		if i := slices.Index(kinds, r.Line.Panel.At(at).Kind); i >= 0 {
			return i
		}
		return len(kinds)
	}
	for k, wrong := range first.wrong {
		for _, at := range wrong {
			if k.About().Alone || k == board.Star && things[r.Line.Panel.At(at).Colour] == 1 {
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
func (r *Region) siteOrder() []image.Point {
	l := r.Line
	seen := make([]bool, len(l.own))
	var order []image.Point
	var flood func(at image.Point)
	flood = func(at image.Point) {
		if at = l.Panel.Wrap(at); !l.Panel.In(at) || seen[l.index(at)] || !l.Open(at) {
			return
		}
		seen[l.index(at)] = true
		order = append(order, at)
		for _, d := range []image.Point{{Y: 1}, {Y: -1}, {X: 1}, {X: -1}} {
			flood(at.Add(d))
		}
	}
	flood(r.Cells[0])
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

// Subsets yields the subsets of a size, in the order of the list.
func Subsets[T any](of []T, size int) func(yield func([]T) bool) {
	return func(yield func([]T) bool) {
		set := make([]T, size)
		var pick func(i, from int) bool
		pick = func(i, from int) bool {
			if i == size {
				return yield(set)
			}
			for k := from; k <= len(of)-(size-i); k++ {
				set[i] = of[k]
				if !pick(i+1, k+1) {
					return false
				}
			}
			return true
		}
		pick(0, 0)
	}
}
