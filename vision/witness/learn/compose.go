package learn

import (
	"image"
	"math"
	"math/rand/v2"
	"slices"

	witness "onlooker/solve/witness/board"
	"onlooker/vision"
	"onlooker/vision/witness/look"
	"onlooker/vision/witness/view"
)

// A part is a place of a lesson that shows more than a plain line: a start circle, a dot, a
// break, a missing edge, or an end.
type part struct {
	lesson *look.Lesson
	at     image.Point
}

// parts are those of lessons that can be drawn elsewhere, in the order of their kinds.
type parts struct {
	starts, dots, gaps, ends []part
	missing                  bool // whether one of the gaps is a missing edge
	onEdge                   bool // whether one of the starts is in the middle of an edge: else those of nodes are drawn there
}

// partsOf collects them. A place that shows two of them is none.
func partsOf(lessons []look.Lesson) (all parts) {
	for i := range lessons {
		l := &lessons[i]
		for at := range l.Panel.Points() {
			q, p := l.Panel.At(at), part{l, at}
			switch {
			case witness.IsCell(at):
			case q.Gap != witness.Whole:
				if label := edgeLabel(l, at); (label == look.SeenBroken || label == look.SeenMissing) && !covered(l, at) {
					all.gaps, all.missing = append(all.gaps, p), all.missing || q.Gap == witness.Missing
				}
			case q.Start && !q.Dot.On && !q.IsEnd():
				all.starts, all.onEdge = append(all.starts, p), all.onEdge || witness.IsEdge(at)
			case q.Dot.On && !q.Start && !q.IsEnd():
				all.dots = append(all.dots, p)
			case q.IsEnd() && !q.Dot.On && !q.Start:
				if x, y := l.Beyond(at); x*q.Cap.X >= 0 && y*q.Cap.Y >= 0 && (x*q.Cap.X > 0 || y*q.Cap.Y > 0) {
					all.ends = append(all.ends, p)
				}
			}
		}
	}
	return all
}

// covered tells whether a circle or a dot on one of its nodes covers some of an edge.
func covered(l *look.Lesson, edge image.Point) bool {
	ux, uy := witness.EdgeDirection(edge)
	to := image.Pt(int(ux), int(uy))
	return coverOf(l, edge.Sub(to)) > 0 || coverOf(l, edge.Add(to)) > 0
}

// coverOf is how far what is on a node covers what is round it, in half-cells; 0 where
// nothing does.
func coverOf(l *look.Lesson, node image.Point) float64 {
	if r := max(l.Model.Lines.Radius[node], l.Model.Lines.Dotted[node]); r > 0 {
		return 2 * (r*l.LineWidth + 2*l.Model.Lines.Bleed)
	}
	return 0
}

const (
	composedBoards = 2   // of each lesson's
	composedPlaces = 0.3 // how likely a plain place of one shows a part
)

// compositions are boards put together from lessons: what they show of dots, breaks, ends and
// starts is drawn in places where eight pictures do not happen to show it, and beside each
// other. They tell what places look like, not what symbols do.
func compositions(lessons []look.Lesson) (out []look.Lesson) {
	all := partsOf(lessons)
	rng := rand.New(rand.NewPCG(uint64(len(lessons)), 52))
	for i := range lessons {
		for range composedBoards {
			c := newComposition(&lessons[i])
			c.fill(all, rng)
			m := look.New(c.board, c.of.Profile, c.of.Forms)
			m.Lines.Bleed, m.Cells.Outlined = c.of.Model.Lines.Bleed, c.of.Model.Cells.Outlined
			out = append(out, look.Lesson{Model: m, Panel: c.panel, Name: "what was composed of " + c.of.Name})
		}
	}
	return out
}

// A composition is a board that is drawn over with parts of others.
type composition struct {
	of    *look.Lesson
	panel *witness.Panel
	board *vision.Board
	// beyond are the grounds outside of the border, see outside.
	beyond map[bordering]vision.RGB
}

// A bordering is a place of a lesson's border and a way out from there.
type bordering struct {
	of      *look.Lesson
	at, way image.Point
}

// outside is what lies beyond a lesson's border.
func (c *composition) outside(of *look.Lesson, at, way image.Point) vision.RGB {
	b := bordering{of, at, way}
	if _, ok := c.beyond[b]; !ok {
		c.beyond[b] = of.Model.Lines.Outside(at, way)
	}
	return c.beyond[b]
}

func newComposition(of *look.Lesson) *composition {
	b := *of.Board
	b.Flat = &image.RGBA{Pix: slices.Clone(b.Flat.Pix), Stride: b.Flat.Stride, Rect: b.Flat.Rect}
	return &composition{of, of.Panel.Clone(), &b, map[bordering]vision.RGB{}}
}

// plain tells whether a place of the board shows a line and nothing else.
func (c *composition) plain(at image.Point) bool {
	q := c.panel.At(at)
	return q != nil && q.Gap == witness.Whole && !q.Start && !q.Dot.On && !q.IsEnd()
}

// fill draws parts at plain places. What is on a node lies over what is on its edges.
func (c *composition) fill(all parts, rng *rand.Rand) {
	one := func(of []part) *part {
		if len(of) == 0 || rng.Float64() > composedPlaces {
			return nil
		}
		p := of[rng.IntN(len(of))]
		if math.Abs(p.lesson.LineWidth-c.of.LineWidth) > view.Slightly*c.of.LineWidth {
			return nil
		}
		return &p
	}
	c.stubs(all, rng)
	for at := range c.panel.Points() {
		if !witness.IsEdge(at) || !c.plain(at) {
			continue
		}
		if p := one(all.gaps); p != nil {
			// A missing edge shows all along what a broken one shows in its middle.
			c.gap(p, at, !all.missing && rng.Float64() < view.Clearly)
		} else if p := one(all.starts); p != nil && witness.IsEdge(p.at) == all.onEdge {
			c.disc(p, at)
		} else if p := one(all.dots); p != nil {
			c.disc(p, at)
		}
	}
	for at := range c.panel.Points() {
		if !witness.IsNode(at) || !c.plain(at) || !c.of.Reached(c.panel, at) {
			continue
		}
		if p := one(all.ends); p != nil && c.end(p, at) {
			continue
		}
		if p := one(all.starts); p != nil && witness.IsNode(p.at) {
			c.disc(p, at)
		} else if p := one(all.dots); p != nil {
			c.disc(p, at)
		}
	}
}

// A turn is a rotation by quarters of a circle, or one of a mirror image.
type turn [4]float64

func (t turn) of(x, y float64) (float64, float64) { return t[0]*x + t[1]*y, t[2]*x + t[3]*y }

// turns are all of them, the identity first.
func turns() (all []turn) {
	for _, m := range []float64{1, -1} {
		for _, r := range [][2]float64{{1, 0}, {-1, 0}, {0, 1}, {0, -1}} {
			all = append(all, turn{m * r[0], m * -r[1], r[1], r[0]})
		}
	}
	return all
}

// gap draws a broken or a missing edge at another: along it between its nodes' squares; or
// a missing one of the middle of a broken one.
func (c *composition) gap(p *part, at image.Point, missing bool) {
	fx, _ := witness.EdgeDirection(p.at)
	tx, ty := witness.EdgeDirection(at)
	to := turn{1, 0, 0, 1}
	if fx != tx {
		to = turn{0, 1, 1, 0}
	}
	c.panel.At(at).Gap = p.lesson.Panel.At(p.at).Gap
	if missing {
		c.panel.At(at).Gap = witness.Missing
		seen := p.lesson.Model.Lines.EdgeView(p.at, p.lesson.Model.Lines.Clear)
		inner := seen.Share * seen.Length * 0.5
		// Along the target edge, whose way is tx, ty, shrunk.
		to[0], to[1], to[2], to[3] = to[0]*(tx*inner+ty), to[1]*(ty*inner+tx), to[2]*(tx*inner+ty), to[3]*(ty*inner+tx)
	}
	along, aside := 1-c.of.LineWidth-2*c.of.Model.Lines.Bleed, c.of.LineWidth+view.Clearly
	near, far := coverOf(c.of, at.Sub(image.Pt(int(tx), int(ty)))), coverOf(c.of, at.Add(image.Pt(int(tx), int(ty))))
	c.paste(p, at, []turn{to}, func(x, y float64) bool {
		return math.Abs(x*tx+y*ty) <= along && math.Abs(x*ty+y*tx) <= aside && math.Hypot(x+tx, y+ty) > near && math.Hypot(x-tx, y-ty) > far
	})
}

// disc draws a start circle or a dot about a place, as far as it covers what is round it.
func (c *composition) disc(p *part, at image.Point) {
	q := p.lesson.Panel.At(p.at)
	r := 2 * (max(view.Strongly, p.lesson.Model.Lines.Cover(p.at, true))*p.lesson.LineWidth + 2*p.lesson.Model.Lines.Bleed)
	c.paste(p, at, turns(), func(x, y float64) bool { return math.Hypot(x, y) <= r })
	to := c.panel.At(at)
	to.Start, to.Dot = q.Start, q.Dot
}

// end draws an end out of the border at another place of it, and says whether it can be
// there.
func (c *composition) end(p *part, at image.Point) bool {
	return slices.ContainsFunc(c.of.Outwards(at), func(d image.Point) bool { return c.endTowards(p, at, d) })
}

// stubs draws ends into the board, one in each direction of edges if there is room: pictures
// rarely show any.
func (c *composition) stubs(all parts, rng *rand.Rand) {
	gaps := all.gaps
	if all.missing {
		gaps = slices.DeleteFunc(slices.Clone(gaps), func(p part) bool { return p.lesson.Panel.At(p.at).Gap != witness.Missing })
	}
	if len(gaps) == 0 || len(all.ends) == 0 {
		return
	}
	var edges []image.Point
	for at := range c.panel.Points() {
		if witness.IsEdge(at) && c.plain(at) {
			edges = append(edges, at)
		}
	}
	for k := range min(4, len(edges)/4) {
		if at := edges[rng.IntN(len(edges))]; c.plain(at) {
			c.gap(&gaps[rng.IntN(len(gaps))], at, !all.missing)
			c.stub(&all.ends[rng.IntN(len(all.ends))], at, k&1 == 0)
		}
	}
}

// stub draws an end where an edge is missing, from one of its nodes towards the other.
func (c *composition) stub(p *part, edge image.Point, back bool) {
	ux, uy := witness.EdgeDirection(edge)
	to := image.Pt(int(ux), int(uy))
	if back {
		to = to.Mul(-1)
	}
	for range 2 {
		if from := edge.Sub(to); c.plain(from) {
			c.endTowards(p, from, to)
			return
		}
		to = to.Mul(-1)
	}
}

// endTowards draws an end in one direction, and says whether it can be drawn so: one that is
// aslant can only be aslant.
func (c *composition) endTowards(p *part, at, d image.Point) bool {
	from := p.lesson.Panel.At(p.at).Cap
	for _, t := range turns() {
		if x, y := t.of(float64(d.X), float64(d.Y)); x != float64(from.X) || y != float64(from.Y) {
			continue
		}
		least, most := c.of.LineWidth, 2*view.Tuned.MostCap*c.of.LineWidth
		n := math.Hypot(float64(d.X), float64(d.Y))
		ux, uy := float64(d.X)/n, float64(d.Y)/n
		c.paste(p, at, []turn{t}, func(x, y float64) bool {
			out, aside := x*ux+y*uy, math.Abs(x*uy-y*ux)
			beyond := max(x*float64(d.X), y*float64(d.Y))
			return beyond > least && out <= most && aside <= 3*c.of.LineWidth
		})
		c.panel.At(at).Cap = d
		return true
	}
	return false
}

// paste draws what is seen about a part at another place, where within says so, by
// positions in half-cells from that: over lines what is over lines there, over grounds what
// is over these, in the first of some turns in which it is so, and in the target's colours
// of both.
func (c *composition) paste(p *part, at image.Point, by []turn, within func(x, y float64) bool) {
	b := c.board
	k := float64(b.Pitch) / 2
	mx, my := float64(b.Margin)+float64(at.X)*k, float64(b.Margin)+float64(at.Y)*k
	reach := int(2 * k)
	inkFrom, inkTo := p.lesson.Model.Lines.LineInk(p.at), c.of.Model.Lines.LineInk(at)
	for py := max(0, int(my)-reach); py < min(b.Flat.Rect.Dy(), int(my)+reach); py++ {
		for px := max(0, int(mx)-reach); px < min(b.Flat.Rect.Dx(), int(mx)+reach); px++ {
			x, y := (float64(px)-mx)/k, (float64(py)-my)/k
			if !within(x, y) {
				continue
			}
			to := c.about(c.of, c.panel, at, x, y)
			if to.out && !to.line {
				to.ground = vision.At(b.Flat, float64(px), float64(py)) // beyond the border none is even
			}
			if seen, from, ok := c.source(p, to.line, by, x, y); ok {
				put(b.Flat, px, py, relit(seen, inkFrom, from.ground, inkTo, to.ground))
			}
		}
	}
}

// source is what is seen of a part at a position that one of some turns gives, where a line
// is or where none is; false where nothing is drawn there. What is seen within the board is
// taken first, as the grounds beyond it are not even.
func (c *composition) source(p *part, line bool, by []turn, x, y float64) (seen vision.RGB, from surroundings, ok bool) {
	for _, t := range by {
		fx, fy := t.of(x, y)
		o := c.about(p.lesson, p.lesson.Panel, p.at, fx, fy)
		if o.line != line && len(by) > 1 || ok && o.out {
			continue
		}
		if seen, from, ok = p.lesson.At(float64(p.at.X)+fx, float64(p.at.Y)+fy), o, true; !o.out {
			break
		}
	}
	if !ok || line {
		return seen, from, ok
	}
	ink := p.lesson.Model.Lines.LineInk(p.at)
	if from.out { // what is there may be anything but the line's own colour
		return seen, from, seen.Dist(ink) < view.Clearly*ink.Dist(from.ground)
	}
	return seen, from, seen.Dist(from.ground) > view.Clearly*p.lesson.Contrast()
}

// put sets a pixel.
func put(m *image.RGBA, x, y int, c vision.RGB) {
	i := m.PixOffset(x, y)
	for k := range c {
		m.Pix[i+k] = view.Level(c[k])
	}
}

// relit is a colour that is seen with lines and a ground of some colours as it were with
// others: what of it is a mix of both is one of these, and what is none stays.
func relit(c, ink, ground, toInk, toGround vision.RGB) (out vision.RGB) {
	way := ink.Sub(ground)
	t := 0.0
	if all := way.Dot(way); all > 0 {
		t = max(0, min(c.Sub(ground).Dot(way)/all, 1))
	}
	share := max(0, 1-c.OffMix(ink, ground)/(view.Clearly*math.Sqrt(way.Dot(way))+1))
	for i := range out {
		out[i] = c[i] + share*((1-t)*(toGround[i]-ground[i])+t*(toInk[i]-ink[i]))
	}
	return out
}

// surroundings are what is about a position: whether it lies on a line, whether beyond the
// border, and which ground.
type surroundings struct {
	line, out bool
	ground    vision.RGB
}

// about is what is about a position, in half-cells from a place; lines are those that lead
// to that place or go through it.
func (c *composition) about(l *look.Lesson, p *witness.Panel, at image.Point, x, y float64) (s surroundings) {
	half := l.LineWidth + 2*l.Model.Lines.Bleed // its border is blurred
	if witness.IsEdge(at) {
		ux, uy := witness.EdgeDirection(at)
		s.line = math.Abs(x*uy+y*ux) <= half
	} else {
		for _, d := range view.Ways {
			if q := p.At(at.Add(d)); q == nil || q.Gap == witness.Missing {
				continue
			}
			out, aside := x*float64(d.X)+y*float64(d.Y), math.Abs(x*float64(d.Y))+math.Abs(y*float64(d.X))
			s.line = s.line || out >= -half && aside <= half
		}
	}
	to := func(v float64, at, last int) (cell int, out int) {
		w := float64(at) + v
		switch {
		case w < 0:
			return 1, -1
		case w > float64(last):
			return last - 1, 1
		}
		return 2*int(w/2) + 1, 0
	}
	cx, ox := to(x, at.X, 2*l.Board.Cols)
	cy, oy := to(y, at.Y, 2*l.Board.Rows)
	if s.out = ox != 0 || oy != 0; !s.out {
		s.ground = l.Ground(cx, cy)
		return s
	}
	border := at
	if ox != 0 {
		border.X = cx + ox
	}
	if oy != 0 {
		border.Y = cy + oy
	}
	s.ground = c.outside(l, border, image.Pt(ox, oy))
	return s
}
