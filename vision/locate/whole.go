package locate

import (
	"image"
	"math"

	"onlooker/calibrations"
	"onlooker/vision"
)

// A lineFinder tells where lines of a lattice lie, also beyond it, by the colour that a
// look says they have. Positions are half-cells.
type lineFinder struct {
	full   *image.RGBA
	l      *lattice
	ink    vision.RGB // the look's own, the nearest to the lattice's
	about  vision.RGB // of the ground about the board
	within float64    // how far from a colour something may be
}

// wholeBoard is a lattice with all that a board's lines reach, in a look that says what
// colours lines have and how wide they are by their pitch: corridors that leave the grid,
// other grids on the same ground, and lines of which hardly any edge is there. Lines of
// another pitch would have another width by it. It is false where that cannot be told.
func (l *lattice) wholeBoard(full *image.RGBA, look calibrations.Board) (*lattice, bool) {
	// Half as many lines, or twice, or two for three, would be off the range.
	if len(l.inks) == 0 || look.Line[1] >= 1.5*look.Line[0] || !Roughly(look.Line, l.line, 0) || l.off > 0.02 || l.fades {
		return nil, false
	}
	all := *l
	f := newLineFinder(full, &all)
	if !f.inky(f.ink) || f.inky(f.about) {
		return nil, false
	}
	for grown := true; grown; {
		grown = false
		for side := range 4 {
			if d := f.reaches(side, look.MaxCells); d > 0 {
				all = *all.moved(side, d)
				grown = true
			}
		}
	}
	for side := range 4 {
		if !f.occupied(side, 0) {
			return nil, false
		}
	}
	return &all, true
}

// bare tells whether the ground about a board goes on beyond a side for a cell, and there
// is nothing on it: where it does on the left and on the right, the board may be one that
// goes round, of which nothing is drawn between.
func (l *lattice) bare(full *image.RGBA) bool {
	f := newLineFinder(full, l)
	for side := range 2 {
		for along := range 2*l.rows + 1 {
			from := f.place(side, 0, along)
			// From beyond a start circle or a cap: what frames a board may be thin, and the
			// page about it as dark as the ground.
			for out := 1.0; out <= 2; out += f.l.line / 4 {
				way := float64(2*side - 1)
				if f.at(float64(from.X)+way*out, float64(from.Y)).Dist(f.about) > f.within {
					return false
				}
			}
		}
	}
	return true
}

func newLineFinder(full *image.RGBA, l *lattice) *lineFinder {
	f := &lineFinder{full: full, l: l, ink: l.ink, within: l.within}
	for i, c := range l.inks {
		if i == 0 || c.Dist(l.ink) < f.ink.Dist(l.ink) {
			f.ink = c
		}
	}
	var out []vision.RGB
	for side := range 4 {
		for along := 0.0; along <= l.length(side); along++ {
			at := l.outside(side, along, 3*l.line) // beyond the border, as wide again as a line
			out = append(out, f.at(at.X, at.Y))
		}
	}
	f.about = vision.MedianRGB(out)
	return f
}

// at is the colour at a place; beyond the frame one that nothing has.
func (f *lineFinder) at(x, y float64) vision.RGB {
	p := f.l.point(x, y)
	if p.X < 0 || p.Y < 0 || p.X > float64(f.full.Rect.Dx()-1) || p.Y > float64(f.full.Rect.Dy()-1) {
		return vision.RGB{-1e3, -1e3, -1e3}
	}
	return vision.At(f.full, p.X, p.Y)
}

func (f *lineFinder) inky(c vision.RGB) bool { return c.Dist(f.ink) <= f.within }

// edge tells whether a line lies along an edge, broken or not: all but its middle, and
// nothing as wide again beside it. A cap ends before the middle.
func (f *lineFinder) edge(x, y int) bool {
	ux, uy := float64(x&1), float64(y&1)
	for _, d := range []float64{-0.6, -0.4, 0.4, 0.6} {
		px, py := float64(x)+d*ux, float64(y)+d*uy
		if !f.inky(f.at(px, py)) {
			return false
		}
		side := 1.5 * f.l.line
		if f.inky(f.at(px+side*uy, py+side*ux)) && f.inky(f.at(px-side*uy, py-side*ux)) {
			return false
		}
	}
	return true
}

// circle tells whether a start circle lies at a node.
func (f *lineFinder) circle(x, y int) bool {
	for k := range 8 {
		sin, cos := math.Sincos(float64(k) * math.Pi / 4)
		r := 2 * 0.8 * f.l.line // a line's corner reaches 0.71
		if !f.inky(f.at(float64(x)+r*cos, float64(y)+r*sin)) {
			return false
		}
	}
	return true
}

// place is the half-cell so far beyond a side (0 left, 1 right, 2 top, 3 bottom), so far
// along it.
func (f *lineFinder) place(side, out, along int) image.Point {
	at := f.l.outside(side, float64(along), float64(out))
	return image.Pt(int(at.X), int(at.Y))
}

// occupied tells whether lines or circles lie on the line so many half-cells beyond a side.
func (f *lineFinder) occupied(side, out int) bool {
	for along := range int(f.l.length(side)) + 1 {
		at, in := f.place(side, out, along), f.place(side, out-1, along)
		seen := f.edge(at.X, at.Y)
		if along&1 == 0 {
			seen = f.circle(at.X, at.Y) || f.edge(in.X, in.Y) // which leads to it
		}
		if seen && f.open(side, out, along) {
			return true
		}
	}
	return false
}

// open tells whether nothing but the board's lines, the ground about it and that of its
// cells lies between a place beyond a side and the board: what frames a board ends it.
func (f *lineFinder) open(side, out, along int) bool {
	from, to := f.place(side, 0, along), f.place(side, out, along)
	steps := int(math.Ceil(float64(out) * 4 / f.l.line)) // what frames it may be thin
	for i := range steps {
		k := float64(i) / float64(steps)
		c := f.at(float64(from.X)+k*float64(to.X-from.X), float64(from.Y)+k*float64(to.Y-from.Y))
		if min(c.OffMix(f.ink, f.about), c.OffMix(f.ink, f.l.paper), c.OffMix(f.l.paper, f.about)) > f.within {
			return false
		}
	}
	return true
}

// reaches is how many cells further than a side the board's lines lie at the most.
func (f *lineFinder) reaches(side, most int) int {
	for d := 1; int(f.l.length(3-side))/2+d <= most; d++ {
		if f.occupied(side, 2*d) {
			return d
		}
	}
	return 0
}

// A board that goes round may be drawn flat (as witnesspuzzles.com does): on its
// right the last column of cells fades out into the ground outside, lines and
// cells alike, and where the next line would be there is nothing but that ground.

const (
	// fadeSteps is at how many places of the last column the fade is looked at.
	fadeSteps = 24
	// fadeNoise is how far colours that are one may lie apart, in contrasts: half of
	// what divides colours of a board elsewhere.
	fadeNoise = 0.1
	// fadeStrays is how many of those places may show something else: a page that is
	// drawn smaller has a hairline where the fade ends.
	fadeStrays = 2
	// fadeRows is how many of the rows must fade alike: a symbol or a circle hides
	// the fade here and there.
	fadeRows = 0.75
)

// fadesOut tells whether the column of cells right of a lattice fades out.
func (l *lattice) fadesOut(full *image.RGBA) bool {
	contrast := l.ink.Dist(l.paper)
	from := float64(2 * l.cols)
	noise := fadeNoise * contrast
	var outer []vision.RGB
	for y := range 2*l.rows + 1 {
		at := vision.Point{X: from + 2 + l.line, Y: float64(y)} // beyond the hairline of a page that is drawn smaller
		if !l.shows(full, at) {
			return false
		}
		outer = append(outer, l.at(full, at.X, at.Y))
	}
	ground := vision.MedianRGB(outer)
	if ground.Dist(l.paper) < 2*noise || ground.Dist(l.ink) < 2*noise {
		return false
	}
	alike := 0
	for _, c := range outer {
		if c.Dist(ground) < noise {
			alike++
		}
	}
	if float64(alike) < fadeRows*float64(len(outer)) {
		return false
	}
	// The rows of lines, then those of cells, each beside symbols' middles.
	fading, rows := 0, 0
	for y := 0; y <= 2*l.rows; y++ {
		rows++
		colour, at := l.ink, float64(y)
		if y&1 == 1 {
			colour, at = l.paper, at+0.72*(1-l.line)
		}
		if l.fadesAlong(full, from, at, colour, ground, noise) {
			fading++
		}
	}
	return float64(fading) >= fadeRows*float64(rows)
}

// fadesAlong tells whether a row goes over from a colour into the ground outside by
// degrees, and never back: the first half of the way, to a cell's middle, it has
// not begun or is not done.
func (l *mesh) fadesAlong(full *image.RGBA, from, y float64, colour, ground vision.RGB, noise float64) bool {
	axis := ground.Sub(colour)
	size := axis.Dot(axis)
	unit := noise / math.Sqrt(size) // of the share, what is one colour
	last, between, stray := 0.0, 0, 0
	for i := range fadeSteps {
		x := from + l.line + 2*(float64(i)+0.5)/fadeSteps
		c := l.at(full, x, y)
		share := c.Sub(colour).Dot(axis) / size
		if c.OffMix(colour, ground) > noise || share < last-unit || share > 1+unit {
			if stray++; stray > fadeStrays {
				return false
			}
			continue
		}
		last = max(last, share)
		if share > unit && share < 1-unit {
			between++
		}
		if i < fadeSteps/4 && share > 0.5 {
			return false // a border, not a fade
		}
	}
	return last > 1-unit && between >= fadeSteps/8
}
