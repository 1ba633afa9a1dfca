package claims

import (
	"image"
	"math"
	"slices"

	"onlooker/vision/grid/part"
)

const (
	pastEnds  = 0.25 // of a cell past both ends of a side: a window's border begins there as well
	alongEach = 8    // places beside each cell that are looked at
	leadNear  = 0.04 // of a cell beyond the outline, to leadFar: lines that lead from there were cut
	leadFar   = 0.2
	mostLine  = 0.1  // of a cell, of what parts cells: beside lamps there is their glow
	within    = 0.25 // of a cell from a side: there its ground and its lines are seen
	thick     = 0.15 // of a cell: a frame is thinner
	overAll   = 0.8  // of the places along a border that what lies beyond has one colour: windows have words
)

// windowed tells whether something with a straight border, as a window has it, lies over
// what is beside a side: up to the board's outline, where it lies beside no other side, or further out
// while the cells or the lines between them lead up to it.
func (a *account) windowed(way image.Point) bool {
	gap := a.outline()
	depth, over, lies := a.over(way)
	if lies && depth <= gap+4/float64(a.grid.Side) {
		return a.floats(way, depth, over) && !slices.ContainsFunc(a.besides[:], func(b Beside) bool {
			return b.Way != way && b.Seen > 0 && part.Usual(a.along(b.Way, gap, 0)).Contrast(over) < a.clear()/2
		})
	}
	if lines, ground := a.leads(way, gap, depth); lies && max(lines, ground) > goesOnShare {
		return true
	}
	if a.grid.Length(way) <= 2 || max(a.grid.Gap(0), a.grid.Gap(1)) >= mostLine {
		return false
	}
	lines, _ := a.leads(way, gap+leadNear, gap+leadFar)
	return lines > overAll
}

// cornered tells whether an outer place without a cell has the colour of what lies beside it, and not the
// page's: that lies over both.
func (a *account) cornered() bool {
	for i, has := range a.grid.Has {
		c, r := i%a.grid.Cols, i/a.grid.Cols
		for _, b := range a.besides {
			if n := image.Pt(c, r).Add(b.Way); has || n.In(a.grid.Bounds()) || b.Seen < wholePlace {
				continue
			}
			over, plain := a.grid.Tint(c, r), true
			for k := range a.grid.Side * a.grid.Side {
				at := a.grid.Colour(float64(c)+float64(k%a.grid.Side)/float64(a.grid.Side), float64(r)+float64(k/a.grid.Side)/float64(a.grid.Side))
				plain = plain && over.Contrast(at) < a.clear()/2
			}
			x, y := float64(c)+0.5, float64(r)+0.5
			beyond := a.grid.Colour(x+(0.5+within)*float64(b.Way.X), y+(0.5+within)*float64(b.Way.Y))
			if plain && over.Contrast(beyond) < a.clear()/2 && over.Contrast(b.Page) >= 2*a.clear() {
				return true
			}
		}
	}
	return false
}

// outline is how far out from a side what bounds its outer cells may lie, in cells.
func (a *account) outline() float64 {
	return max(a.grid.Gap(0), a.grid.Gap(1))/2 + 2.5/float64(a.grid.Side)
}

// along are colours so deep beside a side, from some cells before it to as many past it.
func (a *account) along(way image.Point, depth, past float64) (list []part.Colour) {
	n := float64(a.grid.Length(way))
	for at := -past; at < n+past; at += 1.0 / alongEach {
		list = append(list, a.grid.Colour(a.grid.Beside(way, depth, at)))
	}
	return list
}

// over is how deep beside a side something begins, past both ends of the side as well, that has a
// straight border, and its colour.
func (a *account) over(way image.Point) (depth float64, colour part.Colour, lies bool) {
	pixel := 1 / float64(a.grid.Side)
	for depth = -a.outline(); depth < 1-thick; depth += pixel {
		row, same := a.along(way, depth+1.5*pixel, pastEnds), 0
		colour = part.Usual(a.along(way, depth+thick, pastEnds))
		for _, c := range row {
			if c.Contrast(colour) < a.clear() {
				same++
			}
		}
		if float64(same) < overAll*float64(len(row)) {
			continue
		}
		var page [2]part.Colour // past both ends
		ends, clear := true, true
		for i, past := range [2]float64{-pastEnds, float64(a.grid.Length(way)) + pastEnds} {
			page[i] = a.grid.Colour(a.grid.Beside(way, depth-1.5*pixel, past))
			beyond := a.grid.Colour(a.grid.Beside(way, depth+1.5*pixel, past))
			clear = clear && page[i].Contrast(colour) >= a.clear()
			ends = ends && page[i].Contrast(colour) >= a.clear()/2 && beyond.Contrast(colour) < a.clear()/2
		}
		if ends && (clear || page[0].Contrast(page[1]) < a.clear()/2) {
			return depth, colour, true
		}
	}
	return 0, part.Colour{}, false
}

// leads is how much of what is beside a side, from one depth to another, shows the lines between its
// cells, and in how much of it the cells' ground goes on and ends with the side.
func (a *account) leads(way image.Point, from, to float64) (lines, ground float64) {
	n, pixel, all := a.grid.Length(way), 1/float64(a.grid.Side), 0.0
	corner := a.outline() + 1.5*pixel // there a frame goes on
	at := func(depth, along float64) part.Colour { return a.grid.Colour(a.grid.Beside(way, depth, along)) }
	for depth := from + pixel; depth < to-pixel; depth += pixel {
		all++
		for k := 1.0; k < float64(n); k++ {
			for off := -1.0; off <= 1; off++ {
				line, left, right := at(depth, k+off*pixel), at(depth, k-0.25), at(depth, k+0.25)
				if min(line.Contrast(left), line.Contrast(right)) >= a.clear()/2 && line.Contrast(at(-within, k+off*pixel)) < a.clear() {
					lines += 1 / float64(n-1)
					break
				}
			}
		}
		usual := part.Usual(a.along(way, depth, 0))
		for k := range n {
			if usual.Contrast(at(-within, float64(k)+within)) < a.clear() &&
				min(usual.Contrast(at(depth, -corner)), usual.Contrast(at(depth, float64(n)+corner))) >= a.clear() {
				ground++
				break
			}
		}
	}
	return lines / max(1, all), ground / max(1, all)
}

// floats tells whether what begins so deep beside a side ends amid the page that lies there as well: a bar
// or a frame ends with its page.
func (a *account) floats(way image.Point, depth float64, over part.Colour) bool {
	n, pixel := float64(a.grid.Length(way)), 1/float64(a.grid.Side)
	at := func(depth, along float64) (c part.Colour, seen bool) {
		p := a.grid.Pixel(a.grid.Beside(way, depth, along))
		return a.grid.Scene.At(p.X, p.Y), a.grid.Scene.Shows(p)
	}
	for _, from := range [2]float64{-pastEnds, n + pastEnds} {
		page, _ := at(depth-2*pixel, from)
		other := func(from, to float64) bool { // there something else than the page runs on inwards
			for _, in := range [3]float64{2 * pixel, 0.5, 1} {
				n := 0
				for along := min(from, to); along < max(from, to); along += pixel {
					if c, _ := at(depth-in, along); c.Contrast(page) >= a.clear()/2 {
						n++
					}
				}
				if n == 0 {
					return false
				}
			}
			return true
		}
		for along := from; ; along += math.Copysign(pixel, from) {
			beyond, seen := at(depth+2*pixel, along)
			if !seen {
				break
			}
			if beyond.Contrast(over) < a.clear() {
				continue
			}
			by := math.Copysign(pixel, from)
			if other(along-24*by, along-14*by) || !other(along-4*by, along+6*by) {
				return true // it lies over more than the page, or ends amid it
			}
			break
		}
	}
	return false
}
