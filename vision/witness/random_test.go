package witness

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"slices"

	"onlooker/calibrations"
	witness "onlooker/solve/witness/board"
	"onlooker/vision/picture/made"
	drawing "onlooker/vision/picture/witness"
)

// randomPanel is a panel of cols × rows cells with anything on it that a flat
// panel may hold. It need not have an answer: a reader reads what is there.
func randomPanel(rng *rand.Rand, cols, rows int) *witness.Panel {
	p := witness.New(cols, rows, false)
	var edges, nodes, cells []image.Point
	for at := range p.Points() {
		switch {
		case witness.IsEdge(at):
			edges = append(edges, at)
		case witness.IsNode(at):
			nodes = append(nodes, at)
		default:
			cells = append(cells, at)
		}
	}
	right, bottom := 2*cols, 2*rows
	p.At(image.Pt(0, bottom)).Start = true
	p.At(image.Pt(right, 0)).Cap = []image.Point{{X: 0, Y: -1}, {X: 1, Y: 0}, {X: 1, Y: -1}}[rng.IntN(3)]
	switch kind := rng.IntN(12); {
	case kind == 0:
		// A second line, turned by half a turn.
		p.Symmetry = witness.Rotation
		p.At(image.Pt(right, 0)).Cap = image.Point{}
		p.At(image.Pt(0, 0)).Cap = image.Pt(0, -1)
		p.At(image.Pt(right, 0)).Start = true
		p.At(image.Pt(right, bottom)).Cap = image.Pt(0, 1)
	case kind == 1:
		p.Symmetry = witness.Mirror
		p.At(image.Pt(right, bottom)).Start = true
		p.At(image.Pt(0, 0)).Cap = image.Pt(0, -1)
		p.At(image.Pt(right, 0)).Cap = image.Pt(0, -1)
	case kind == 2:
		p.Symmetry = witness.Flip
		p.At(image.Pt(0, 0)).Start = true
		p.At(image.Pt(right, 0)).Cap = image.Pt(1, 0)
		p.At(image.Pt(right, bottom)).Cap = image.Pt(1, 0)
	case kind == 6 && cols%2 == 1 && cols > 1:
		// The second line goes as the first, half the panel further on.
		p.Symmetry = witness.Parallel
		p.At(image.Pt(cols+1, bottom)).Start = true
		p.At(image.Pt(cols-1, 0)).Cap = image.Pt(0, -1)
		p.At(image.Pt(right, 0)).Cap = image.Pt(0, -1)
	case kind < 6 && cols > 1 && rows > 1:
		// The first start elsewhere, or several starts and ends, on nodes and
		// on the middles of edges.
		if rng.IntN(2) == 0 {
			p.At(image.Pt(0, bottom)).Start = false
		}
		// Nothing stands right beside a start or an end: circles would touch.
		free := func(at image.Point) bool {
			for d := range p.Points() {
				if s := p.At(d); (s.Start || s.IsEnd()) && max(d.X-at.X, at.X-d.X)+max(d.Y-at.Y, at.Y-d.Y) < 3 {
					return false
				}
			}
			return true
		}
		for range 1 + rng.IntN(2) {
			if at := slices.Concat(edges, nodes)[rng.IntN(len(edges)+len(nodes))]; free(at) {
				p.At(at).Start = true
			}
		}
		for range rng.IntN(3) {
			along := 1 + rng.IntN(right-1)
			at, way := image.Pt(along, 0), image.Pt(0, -1)
			if rng.IntN(2) == 0 {
				along = 1 + rng.IntN(bottom-1)
				at, way = image.Pt(right, along), image.Pt(1, 0)
			}
			if free(at) {
				p.At(at).Cap = way
			}
		}
		if !slices.ContainsFunc(slices.Concat(edges, nodes), func(at image.Point) bool { return p.At(at).Start }) {
			p.At(image.Pt(0, bottom)).Start = true
		}
		// What they happen to map onto each other is a symmetry: there is no
		// other sign of one.
		p.Symmetry = witness.SymmetryOf(p)
	}
	genre := rng.IntN(8)
	taken := map[image.Point]bool{}
	if rng.IntN(2) == 0 {
		for _, at := range edges {
			if s := p.At(at); rng.Float64() < 0.15 && !s.Start && !s.IsEnd() {
				s.Gap = witness.Broken
				taken[at] = true
			}
		}
	}
	remove := func(at image.Point) {
		if s := p.At(at); !s.Start && !s.IsEnd() {
			s.Gap = witness.Missing
			taken[at] = true
		}
	}
	if rng.IntN(6) == 0 {
		for _, at := range edges {
			// Not at the border: an outline that is not drawn leaves the size
			// of the board to guesswork.
			if at.X > 0 && at.Y > 0 && at.X < right && at.Y < bottom && rng.Float64() < 0.06 {
				remove(at)
			}
		}
	}
	gone := map[image.Point]bool{} // cells that are not there
	if cols > 2 && rows > 2 && rng.IntN(10) == 0 {
		// The cell in the corner: the other borders still tell the size.
		if at := (image.Point{}); !p.At(at).Start && !p.At(at).IsEnd() {
			remove(image.Pt(1, 0))
			remove(image.Pt(0, 1))
			gone[image.Pt(1, 1)] = true
		}
	}
	// A node that no edge leads to is not drawn.
	bare := func(at image.Point) bool {
		return !slices.ContainsFunc([]image.Point{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}}, func(d image.Point) bool {
			s := p.At(at.Add(d))
			return s != nil && s.Gap != witness.Missing
		})
	}
	if genre == 0 || rng.IntN(4) == 0 {
		for _, at := range slices.Concat(edges, nodes) {
			s := p.At(at)
			if rng.Float64() < 0.08 && !taken[at] && !s.Start && !bare(at) {
				s.Dot = witness.Dot{On: true}
			}
		}
		// Coloured ones come in both colours: one alone does not say whose it is.
		if p.Symmetry != witness.NoSymmetry {
			var dots []image.Point
			for _, at := range slices.Concat(edges, nodes) {
				if p.At(at).Dot.On {
					dots = append(dots, at)
				}
			}
			if n := len(dots); n >= 2 && rng.IntN(2) == 0 {
				p.At(dots[0]).Dot.Line, p.At(dots[n-1]).Dot.Line = witness.OwnLine, witness.OtherLine
			}
		}
	}
	colours := []witness.Colour{witness.Black, witness.White, witness.Magenta, witness.Green}
	rng.Shuffle(len(colours), func(i, j int) { colours[i], colours[j] = colours[j], colours[i] })
	colour := func(n int) witness.Colour { return colours[rng.IntN(n)] }
	// A circle on the middle of an edge leaves no room in the cells beside it.
	full := func(at image.Point) bool {
		return slices.ContainsFunc([]image.Point{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}}, func(d image.Point) bool { return p.At(at.Add(d)).Start })
	}
	for _, at := range cells {
		s := &p.At(at).Symbol
		if rng.Float64() > 0.45 || gone[at] || full(at) {
			continue
		}
		switch genre {
		case 1:
			*s = witness.Symbol{Kind: witness.Square, Colour: colour(2)}
		case 2:
			*s = witness.Symbol{Kind: witness.Square, Colour: colour(3)}
		case 3:
			*s = witness.Symbol{Kind: witness.Star, Colour: colour(2)}
		case 4:
			*s = witness.Symbol{Kind: witness.Triangle, Colour: witness.Orange, Count: 1 + rng.IntN(3)}
		case 5:
			if rng.IntN(2) == 0 {
				*s = witness.Symbol{Kind: witness.Star, Colour: colours[0]}
			} else {
				*s = witness.Symbol{Kind: witness.Polyomino, Colour: colour(2), Shape: randomShape(rng), Turnable: rng.IntN(3) == 0}
			}
		case 6:
			switch rng.IntN(4) {
			case 0:
				*s = witness.Symbol{Kind: witness.Polyomino, Colour: witness.Yellow, Shape: randomShape(rng), Turnable: rng.IntN(3) == 0}
			case 1:
				*s = witness.Symbol{Kind: witness.Negative, Colour: witness.Blue, Shape: randomShape(rng), Turnable: rng.IntN(3) == 0}
			case 2:
				*s = witness.Symbol{Kind: witness.Square, Colour: colour(2)}
			case 3:
				*s = witness.Symbol{Kind: witness.Eraser, Colour: witness.White}
			}
		case 7:
			switch rng.IntN(3) {
			case 0:
				*s = witness.Symbol{Kind: witness.Square, Colour: colour(3)}
			case 1:
				*s = witness.Symbol{Kind: witness.Star, Colour: colour(3)}
			case 2:
				*s = witness.Symbol{Kind: witness.Eraser, Colour: colour(3)}
			}
		}
	}
	for _, at := range cells {
		if s := &p.At(at).Symbol; len(s.Shape) == 1 {
			s.Turnable = false // turning one square changes nothing
		}
	}
	return p
}

// randomShape is a connected piece of one to five squares, at most four long.
func randomShape(rng *rand.Rand) []image.Point {
	shape := []image.Point{{}}
	for range rng.IntN(4) + rng.IntN(2) {
		for {
			at := shape[rng.IntN(len(shape))].Add([]image.Point{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}}[rng.IntN(4)])
			box := image.Rectangle{Min: at, Max: at.Add(image.Pt(1, 1))}
			for _, b := range shape {
				box = box.Union(image.Rectangle{Min: b, Max: b.Add(image.Pt(1, 1))})
			}
			if !slices.Contains(shape, at) && box.Dx() <= 4 && box.Dy() <= 4 {
				shape = append(shape, at)
				break
			}
		}
	}
	return witness.NormalShape(shape)
}

// randomStyle is a look of its own, with the sizes within what was seen in the
// game: ratios of README.md's table beside the captures.
func randomStyle(rng *rand.Rand, p *calibrations.Profile) drawing.Style {
	s := drawing.Typical(p)
	between := func(a, b float64) float64 { return a + (b-a)*rng.Float64() }
	s.Line = between(0.2, 0.36)
	s.Gap = between(0.15, 0.32)
	s.Start = between(1.13, 1.27)
	s.Cap = between(1.5, 2.1)
	s.Margin = between(0.35, 0.6)
	s.Border = between(0.05, 0.3)
	if rng.IntN(3) == 0 {
		s.Border = 0
	}
	// The ground's hue is free; the lines are darker or brighter than it by a
	// good third of the scale.
	hue := rng.Float64() * 2 * math.Pi
	shade := func(level, strength float64) color.NRGBA {
		c := func(turn float64) uint8 {
			return uint8(max(0, min(255, 255*level*(1+strength*math.Cos(hue+turn)))))
		}
		return made.RGB(c(0), c(2*math.Pi/3), c(4*math.Pi/3))
	}
	ground := between(0.3, 0.55)
	s.Ground = shade(ground, between(0.2, 0.9))
	if rng.IntN(3) == 0 {
		s.Lines = shade(between(0.75, 0.9), 0.15)
		s.Dot = made.RGB(8, 8, 10)
	} else {
		s.Lines = shade(ground*between(0.25, 0.4), between(0, 0.6))
		s.Dot = made.RGB(235, 150, 40) // the pedestal's; a white one may be the pointer
		for apart(s.Dot, s.Ground) < 80 || apart(s.Dot, s.Lines) < 80 {
			// Or it would be a break.
			s.Dot = made.RGB(uint8(rng.IntN(256)), uint8(rng.IntN(256)), uint8(rng.IntN(100)))
		}
	}
	// Colours of symbols, each 80 of 255 or more in some channel from the ground
	// and from each other.
	s.Inks = map[witness.Colour]color.NRGBA{}
	far := []color.NRGBA{s.Ground}
	for _, name := range []witness.Colour{witness.Black, witness.White, witness.Magenta, witness.Green, witness.Yellow, witness.Blue, witness.Orange} {
		c := s.Ink(name)
		for try := 0; slices.ContainsFunc(far, func(o color.NRGBA) bool { return apart(c, o) < 80 }) && try < 1000; try++ {
			c = made.RGB(uint8(rng.IntN(256)), uint8(rng.IntN(256)), uint8(rng.IntN(256)))
		}
		s.Inks[name] = c
		far = append(far, c)
	}
	s.Around = shade(between(0.05, 0.3), 0.4)
	s.Trace, s.Second = made.RGB(30, 200, 255), made.RGB(255, 140, 20) // of dots for one of two lines
	return s
}

func brighter(a, b color.NRGBA) bool { return max(a.R, a.G, a.B) > max(b.R, b.G, b.B) }

// apart is the greatest difference of two colours in one channel.
func apart(a, b color.NRGBA) int {
	d := func(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }
	return max(d(a.R, b.R), d(a.G, b.G), d(a.B, b.B))
}
