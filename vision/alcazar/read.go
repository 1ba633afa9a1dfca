// Package alcazar reads boards of Alcazar from the cells of a picture: which
// borders of cells are walls, and where the outline is open. A line that is drawn
// already runs through the middles of borders, so that these are looked at beside
// their ends.
package alcazar

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"maps"
	"math"
	"slices"

	"onlooker/calibrations"
	"onlooker/solve/alcazar"
	"onlooker/solve/limits"
	"onlooker/vision"
	"onlooker/vision/grid"
	"onlooker/vision/grid/claims"
	"onlooker/vision/grid/part"
	"onlooker/vision/posterior"
)

// How walls are told. On the boards of the shared screens the lightest wall has
// 5 times the weight of the heaviest other line, and 0.03 of a cell's width in
// black on white.
const (
	leastChess = 24  // contrast of a chessboard's squares: 29 seen
	edge       = 0.3 // of a pitch from the picture's border: a cell that is cut off has no line of its own
	leastSide  = 2   // columns or rows
	leastCells = 6
	mostSide   = 64 // to which a board is followed along its lines
	// followedPixels bounds what following takes, the largest grids first: in pixels that are
	// straightened, of the picture's. A board takes 1 or 2 of them.
	followedPixels = 3
	mostOblong     = 1.6   // of a cell's sides: squares, of which a slant of 45° leaves 1.41
	faintest       = 0.004 // weight that counts as none: a pixel in 250 of a cell
	leastWall      = 0.015 // weight
	leastRatio     = 2.2   // of the lightest wall's weight to the next lighter line's
	frameClear     = 40    // contrast of a frame round the board with the cells
	// otherColour is the contrast of marks with walls: 130 seen; walls of one look
	// differ by 20.
	otherColour = 70
	leastMark   = 0.15 // of a cell: less is a speck, and nearer to its border lies what walls and paths leave
	leastDisc   = 0.6  // of a cell: what is as large is no rest of a wall, and may come nearer to the border:
	discRim     = 0.06
	mostMarks   = 0.05 // of the cells that may hold something else than a line
)

// countSteps bounds the count of a board's answers, in the solver's questions to its
// context: as many for each of two answers as the search for one gets.
const countSteps = 1000

// Scan finds and reads the boards of a scene.
func Scan(s *grid.Scene, contrast int, looks []*calibrations.Profile) []claims.Reading {
	taught := slices.DeleteFunc(slices.Clone(looks), func(l *calibrations.Profile) bool { return len(l.Learned.Places) == 0 })
	if len(taught) > 0 {
		try := func(g *grid.Grid) (*claims.Claim, error) { return readLearned(g, taught) }
		// A lattice that is off a board hides none that fits it: the look's outline tells.
		known := slices.DeleteFunc(slices.Clone(s.Grids(contrast)), func(g *grid.Grid) bool { _, err := try(g); return err != nil })
		if len(known) > 0 {
			return claims.ReadGrids(s, known, try)
		}
		if out := scanAny(s, contrast); len(taught) < len(looks) || slices.ContainsFunc(out, func(r claims.Reading) bool { return r.Err == nil }) {
			return out
		}
		return claims.ReadGrids(s, s.Grids(contrast), try) // what the look does not know
	}
	return scanAny(s, contrast)
}

// scanAny finds and reads boards of any look.
func scanAny(s *grid.Scene, contrast int) []claims.Reading {
	var list []*grid.Grid
	room := followedPixels * s.W * s.H
	for _, g := range s.Grids(contrast) {
		if s.Over() {
			break
		}
		if min(g.Cols, g.Rows) < leastSide || max(g.Pitch[0], g.Pitch[1]) > mostOblong*min(g.Pitch[0], g.Pitch[1]) {
			continue
		}
		if slices.ContainsFunc(list, func(o *grid.Grid) bool { return g.Coarser(&o.Lattice) && g.PartOf(&o.Lattice) }) {
			continue // however far it goes on, that one has more cells there
		}
		if room > 0 {
			g = whole(g, &room)
		}
		if !slices.ContainsFunc(list, func(o *grid.Grid) bool { return g.Same(&o.Lattice) }) {
			list = append(list, g)
		}
	}
	slices.SortStableFunc(list, func(a, b *grid.Grid) int { return cmp.Compare(b.Area(), a.Area()) })
	out := claims.ReadGrids(s, list, by(Read))
	if contrast != grid.Contrasts()[0] || grid.Largest(s.Grids(contrast)) >= leastCells {
		return out
	}
	if alone := claims.ReadGrids(s, s.StrokeGrids(contrast), by(readAlone)); len(alone) > 0 {
		return alone
	}
	return out
}

// by reads by structure alone: no look says anything of these boards.
func by(read func(*grid.Grid) (*alcazar.Puzzle, error)) claims.Func {
	return func(g *grid.Grid) (*claims.Claim, error) {
		p, err := read(g)
		if err != nil {
			return nil, err
		}
		return claimed(g, p, nil), nil
	}
}

// claimed is what a board of walls claims: its cells look alike, or as a chessboard's.
func claimed(g *grid.Grid, p *alcazar.Puzzle, look *calibrations.Profile) *claims.Claim {
	c := &claims.Claim{Puzzle: p, Look: look, Walled: true, Own: own(p)}
	for i := range g.Has {
		c.Kinds = append(c.Kinds, []string{"even", "odd"}[(i%g.Cols+i/g.Cols)%2])
	}
	c.Own[hidden] = hiddenOutline(g, p)
	return c
}

// hiddenOutline is the share of the outline's open places where the page has the colour of the
// walls within, so that none could be seen.
func hiddenOutline(g *grid.Grid, p *alcazar.Puzzle) float64 {
	var cells, walls, open []part.Colour // of open ones what lies beyond
	for i := range g.Has {
		at := g.Cell(i)
		cells = append(cells, g.Ground(at.X, at.Y))
		for _, way := range grid.Ways() {
			beyond, isOpen := at.Add(way), p.Open(at.Mul(2).Add(image.Pt(1, 1)).Add(way))
			switch within := beyond.In(g.Bounds()); {
			case within && !isOpen:
				walls = append(walls, g.HeavySeam(at.X, at.Y, way).Colour)
			case !within && isOpen:
				open = append(open, g.Colour(float64(at.X)+0.5+outside*float64(way.X), float64(at.Y)+0.5+outside*float64(way.Y)))
			}
		}
	}
	if len(walls) == 0 || len(open) == 0 {
		return 0
	}
	wall := part.Usual(walls)
	n := 0
	for _, c := range open {
		if c.Distance(wall) < asWall*part.Usual(cells).Distance(wall) {
			n++
		}
	}
	return float64(n) / float64(len(open))
}

const (
	asWall  = 0.25 // of the cells' distance from the walls' colour: what is nearer hides a wall
	outside = 0.75 // of a cell from its middle: beyond a wall's width
)

// The names of evidence that boards of walls have.
const (
	openOutline = "an outline that is open"
	openMany    = "an open outline and not one answer"
	fewWalls    = "few walls within"
	hidden      = "an open outline that the page would hide"
)

// own is the family's own evidence: of the outline's places the share that is open, and
// how far the walls within are from one in four borders.
func own(p *alcazar.Puzzle) posterior.Evidence {
	cols, rows := p.Size()
	open, outer, wall, inner := 0, 0, 0, 0
	for y := range 2*rows + 1 {
		for x := range 2*cols + 1 {
			if x%2 == y%2 {
				continue
			}
			if x == 0 || y == 0 || x == 2*cols || y == 2*rows {
				if outer++; p.Open(image.Pt(x, y)) {
					open++
				}
				continue
			}
			if inner++; !p.Open(image.Pt(x, y)) {
				wall++
			}
		}
	}
	e := posterior.Evidence{
		openOutline: float64(open) / float64(outer),
		fewWalls:    max(0, 1-4*float64(wall)/float64(max(1, inner))),
	}
	if n, err := p.Count(limits.WithSteps(context.Background(), countSteps), 2); err != nil || n != 1 {
		e[openMany] = e[openOutline]
	}
	return e
}

// readAlone reads a board of walls alone, without lines between its cells: that it is whole
// shows by the game's promise of one answer alone.
func readAlone(g *grid.Grid) (*alcazar.Puzzle, error) {
	p, err := Read(g)
	if err != nil {
		return nil, err
	}
	if n, err := p.Count(limits.WithSteps(context.Background(), countSteps), 2); err != nil || n != 1 {
		return nil, unsure(image.Point{}, "walls without lines between cells, which have not one answer")
	}
	return p, nil
}

// whole is the board that a grid is a part of: its map follows the lines that are
// drawn, and it goes on as far as they do. Cells that a path runs through are in
// pieces, so that a grid often begins and ends between them. One that its lines do not
// fit is followed no further. room is how many more pixels may be straightened for it.
func whole(g *grid.Grid, room *int) *grid.Grid {
	aligned := func() {
		g = g.Aligned()
		g.Straighten()
		*room -= int(g.Area()) + g.Flat.Rect.Dx()*g.Flat.Rect.Dy()
	}
	aligned()
	for grew := true; grew && *room > 0 && !g.Scene.Over() && max(g.Cols, g.Rows) < mostSide && !g.AtEdge(0) && g.Fits(); {
		grew = false
		for _, way := range grid.Ways() {
			fitted := g // by its own lines
			for max(g.Cols, g.Rows) < mostSide && !g.AtEdge(0) && 4*len(g.Has) <= 5*len(fitted.Has) && outer(g, way).LeadsOn(way) {
				g, grew = g.Extended(way), true
			}
			if g != fitted {
				aligned()
			}
		}
	}
	return g
}

// outer is the row or column of places at a side, one of Ways, or all where that is
// straightened already.
func outer(g *grid.Grid, way image.Point) *grid.Grid {
	if g.Flat != nil {
		return g
	}
	g = g.Outermost(way)
	g.Straighten()
	return g
}

// A border is the place between two cells, or a cell and the outside.
type border struct {
	at     image.Point // in half-cells
	cell   image.Point // on the inner side
	way    image.Point // from there
	outer  bool
	weight float64
	colour part.Colour
}

// Read reads a board from a grid that goes no further; see whole. What cannot be told
// is a *vision.UnsureError.
func Read(g *grid.Grid) (*alcazar.Puzzle, error) {
	if g.AtEdge(edge) || max(g.Cols, g.Rows) >= mostSide {
		return nil, vision.CutOff("its outer cells come up to the picture's border, so that it may go on")
	}
	g.Straighten()
	if chessBeyond(g) {
		return nil, vision.CutOff("a board that something cuts off: its chessboard goes on")
	}
	if most := mostMarks * float64(len(g.Has)); holdsMore(g, most) {
		return nil, unsure(image.Point{}, fmt.Sprintf("something in more than %.0f of %d cells", math.Floor(most), len(g.Has)))
	}
	borders := bordersOf(g, g.HeavySeam)
	closed, err := framed(g, borders)
	if err != nil {
		return nil, err
	}
	wall, err := walls(borders, closed)
	if err != nil {
		return nil, err
	}
	return board(g, wall, oddColours(borders, wall, closed))
}

// squaresOf are the usual grounds of the cells in the even and the odd places of a
// chessboard; false where those are not told apart in all cells.
func squaresOf(g *grid.Grid) (squares [2]part.Colour, chess bool) {
	var grounds [2][]part.Colour
	for i := range g.Has {
		if c, r := i%g.Cols, i/g.Cols; g.At(c, r) {
			grounds[(c+r)%2] = append(grounds[(c+r)%2], g.Ground(c, r))
		}
	}
	if min(len(grounds[0]), len(grounds[1])) == 0 {
		return squares, false
	}
	squares = [2]part.Colour{part.Usual(grounds[0]), part.Usual(grounds[1])}
	if squares[0].Contrast(squares[1]) < min(2*g.Contrast, leastChess) {
		return squares, false
	}
	for k, list := range grounds {
		if slices.ContainsFunc(list, func(c part.Colour) bool { return !like(c, squares, k) }) {
			return squares, false
		}
	}
	return squares, true
}

// like tells whether a ground is that of a chessboard's squares of one kind, 0 or 1,
// rather than of the others or of neither.
func like(ground part.Colour, squares [2]part.Colour, kind int) bool {
	return 2*ground.Contrast(squares[kind]) < squares[0].Contrast(squares[1])
}

// chessBeyond tells whether a chessboard's squares go on beside a side of it, as where the
// picture's border cuts the next row: there most places are like the squares that would follow,
// of one kind and of the other. A page is like those of one kind at the most.
func chessBeyond(g *grid.Grid) bool {
	squares, chess := squaresOf(g)
	if !chess {
		return false
	}
	board := g.Bounds()
	for _, way := range grid.Ways() {
		var on, all [2]int
		for i := range g.Has {
			past := g.Cell(i).Add(way)
			if past.In(board) {
				continue
			}
			kind := (past.X + past.Y) & 1
			all[kind]++
			if c, ok := g.Shown(past.X, past.Y); ok && like(c, squares, kind) {
				on[kind]++
			}
		}
		if 2*on[0] > all[0] && 2*on[1] > all[1] {
			return true
		}
	}
	return false
}

// walls tells which borders are walls: closed are those of
// the outline where a frame shows it, nil where lines do.
func walls(borders []border, closed map[image.Point]bool) (map[image.Point]bool, error) {
	judged := borders
	if closed != nil {
		judged = slices.DeleteFunc(slices.Clone(borders), func(b border) bool { return b.outer })
	}
	least, ok := lightestWall(judged)
	if !ok {
		return nil, unsure(image.Point{}, "no lines that are clearly heavier than others")
	}
	wall, open := map[image.Point]bool{}, 0
	for _, b := range borders {
		wall[b.at] = b.weight >= least
		if b.outer && closed != nil {
			wall[b.at] = closed[b.at]
		}
		if b.outer && !wall[b.at] {
			open++
		}
	}
	if open < 2 {
		return nil, unsure(image.Point{}, fmt.Sprintf("%d openings in the outline, want two and more", open))
	}
	return wall, nil
}

func unsure(at image.Point, what string) error {
	return &vision.UnsureError{What: what, At: at, Whole: at == image.Point{}}
}

// holdsMore tells whether something that no line is stands in more cells than so many.
func holdsMore(g *grid.Grid, most float64) bool {
	n := 0
	for i := range g.Has {
		if marked(g, i%g.Cols, i/g.Cols) {
			if n++; float64(n) > most {
				return true
			}
		}
	}
	return false
}

// marked tells whether something stands in a cell that does not reach its border, as
// a path does, whatever its colours are.
func marked(g *grid.Grid, c, r int) bool {
	n := g.Side
	ground := g.Ground(c, r)
	contrast := make([]uint8, n*n)
	look := func(rim float64) (inner image.Rectangle, most int) {
		edge := int(math.Round(rim * float64(n)))
		inner = image.Rect(edge, edge, n-edge, n-edge)
		for y := inner.Min.Y; y < inner.Max.Y; y++ {
			for x := inner.Min.X; x < inner.Max.X; x++ {
				v := g.FlatPixel((c+1)*n+x, (r+1)*n+y).Contrast(ground)
				contrast[y*n+x] = uint8(v)
				most = max(most, v)
			}
		}
		return inner, most
	}
	inner, most := look(leastMark)
	if most < 2*g.Contrast {
		return false
	}
	if stands(contrast, inner, n, most, leastMark) {
		return true
	}
	inner, most = look(discRim)
	return stands(contrast, inner, n, most, leastDisc)
}

// stands tells whether a thing of some size in cell units stands in a cell of n×n pixels, and
// does not reach the border of a part of it. What has less than a third of the most contrast is
// nothing; the most is over 0. It clears the contrast of what it found.
func stands(contrast []uint8, inner image.Rectangle, n, most int, least float64) bool {
	var queue []image.Point
	take := func(x, y int) {
		if v := &contrast[y*n+x]; 3*int(*v) >= most {
			*v = 0
			queue = append(queue, image.Pt(x, y))
		}
	}
	for y := inner.Min.Y; y < inner.Max.Y; y++ {
		for x := inner.Min.X; x < inner.Max.X; x++ {
			queue = queue[:0]
			take(x, y)
			from, to := image.Pt(x, y), image.Pt(x, y)
			for i := 0; i < len(queue); i++ {
				at := queue[i]
				from, to = image.Pt(min(from.X, at.X), min(from.Y, at.Y)), image.Pt(max(to.X, at.X), max(to.Y, at.Y))
				for y := max(inner.Min.Y, at.Y-1); y <= min(inner.Max.Y-1, at.Y+1); y++ {
					for x := max(inner.Min.X, at.X-1); x <= min(inner.Max.X-1, at.X+1); x++ {
						take(x, y)
					}
				}
			}
			box := image.Rectangle{from, to.Add(image.Pt(1, 1))}
			if len(queue) > 0 && box.In(inner.Inset(1)) && float64(max(box.Dx(), box.Dy()))/float64(n) >= least {
				return true
			}
		}
	}
	return false
}

func bordersOf(g *grid.Grid, seam func(c, r int, way image.Point) grid.Seam) []border {
	var out []border
	for r := range g.Rows {
		for c := range g.Cols {
			for _, way := range grid.Ways() {
				outer := !image.Pt(c, r).Add(way).In(g.Bounds())
				if !outer && way.X+way.Y < 0 {
					continue // seen from the other cell
				}
				s := seam(c, r, way)
				out = append(out, border{
					at: image.Pt(2*c+1, 2*r+1).Add(way), cell: image.Pt(c, r), way: way, outer: outer,
					weight: s.Mean, colour: s.Colour,
				})
			}
		}
	}
	return out
}

// oddColours are the walls of another colour than most: walls too, or marks that
// somebody put there. A frame, where there is one, is neither.
func oddColours(borders []border, wall, closed map[image.Point]bool) map[image.Point]bool {
	lines := slices.DeleteFunc(slices.Clone(borders), func(b border) bool {
		return !wall[b.at] || b.outer && closed != nil
	})
	var all []part.Colour
	for _, b := range lines {
		all = append(all, b.colour)
	}
	usual := part.Usual(all)
	odd := map[image.Point]bool{}
	for _, b := range lines {
		if b.colour.Contrast(usual) > otherColour {
			odd[b.at] = true
		}
	}
	return odd
}

// board makes the board of the walls. Where some have another colour, the game's
// promise of one answer tells whether they are walls or marks: with marks taken
// for walls too few answers are left, without some walls too many. Marks of a
// player who is right leave the one answer, so that the board without them counts
// first.
func board(g *grid.Grid, wall, odd map[image.Point]bool) (*alcazar.Puzzle, error) {
	build := func(is func(at image.Point) bool) (*alcazar.Puzzle, error) {
		p, err := alcazar.New(g.Cols, g.Rows, func(at image.Point) bool { return !is(at) }, func(image.Point) bool { return false })
		if err != nil {
			return nil, unsure(image.Point{}, fmt.Sprintf("a board that is none: %v", err))
		}
		return p, nil
	}
	if len(odd) == 0 {
		return build(func(at image.Point) bool { return wall[at] })
	}
	for _, is := range []func(image.Point) bool{
		func(at image.Point) bool { return wall[at] && !odd[at] },
		func(at image.Point) bool { return wall[at] },
	} {
		p, err := build(is)
		if err != nil {
			continue
		}
		n, err := p.Count(limits.WithSteps(context.Background(), countSteps), 2)
		if err == nil && n == 1 {
			return p, nil
		}
	}
	at := slices.MinFunc(slices.Collect(maps.Keys(odd)), func(a, b image.Point) int { return cmp.Or(a.Y-b.Y, a.X-b.X) })
	return nil, unsure(at, "a wall, or a mark in another colour")
}

// lightestWall is the weight at which walls begin: above the widest gap between
// the weights of the board's lines.
func lightestWall(borders []border) (float64, bool) {
	var weights []float64
	for _, b := range borders {
		weights = append(weights, max(faintest, b.weight))
	}
	slices.Sort(weights)
	best, least := 1.0, 0.0
	for i := 1; i < len(weights); i++ {
		if ratio := weights[i] / weights[i-1]; weights[i] >= leastWall && ratio > best {
			best, least = ratio, math.Sqrt(weights[i]*weights[i-1])
		}
	}
	return least, best >= leastRatio
}

// framed finds which borders of the outline are closed by a frame round the board
// that is no line: it has one side on the outline, and where it is cut out the cell
// goes on into it. nil where there is no such frame. What lies round a board between
// lines is no frame, since no cell goes on there; and a line reaches as far inwards.
func framed(g *grid.Grid, borders []border) (map[image.Point]bool, error) {
	type look struct {
		at                      image.Point
		outside, inside, ground part.Colour
	}
	var looks []look
	var all []part.Colour
	for _, b := range borders {
		if b.outer {
			l := look{b.at, beside(g, b, 0.04, 0.05, 0.06), beside(g, b, -0.04, -0.05, -0.06), g.Ground(b.cell.X, b.cell.Y)}
			looks = append(looks, l)
			all = append(all, l.outside)
		}
	}
	frame := part.Usual(all)
	closed := map[image.Point]bool{}
	open, lines, unclear := 0, 0, image.Point{X: -1}
	for _, l := range looks {
		clear := l.ground.Contrast(frame)
		switch {
		case clear < frameClear:
			return nil, nil
		case 4*l.outside.Contrast(frame) < clear:
			closed[l.at] = true
			if 2*l.inside.Contrast(l.ground) > clear {
				lines++
			}
		case 4*l.outside.Contrast(l.ground) < clear: // as clearly: half of each is a lattice beside the outline
			open++
		default:
			unclear = l.at
		}
	}
	switch {
	case open == 0 || 2*len(closed) < len(looks) || 2*lines > len(closed):
		return nil, nil
	case unclear.X >= 0:
		return nil, &vision.UnsureError{At: unclear, Part: true, What: "what lies beyond it is not known: the frame, an opening in it, or more cells"}
	}
	return closed, nil
}

// beside is the usual colour beside a border of the outline, at places outwards from
// it, off its middle, where a path goes through.
func beside(g *grid.Grid, b border, offs ...float64) part.Colour {
	var list []part.Colour
	x, y := float64(b.cell.X)+0.5, float64(b.cell.Y)+0.5
	for _, along := range []float64{-0.2, -0.17, 0.17, 0.2} {
		for _, off := range offs {
			out := 0.5 + off
			list = append(list, g.Colour(x+out*float64(b.way.X)+along*math.Abs(float64(b.way.Y)), y+out*float64(b.way.Y)+along*math.Abs(float64(b.way.X))))
		}
	}
	return part.Usual(list)
}
