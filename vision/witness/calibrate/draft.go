package calibrate

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
	"strings"

	"onlooker/calibrations"
	"onlooker/solve/place"
	witness "onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	"onlooker/vision"
	"onlooker/vision/locate"
	drawing "onlooker/vision/picture/witness"
	"onlooker/vision/witness/colour"
	"onlooker/vision/witness/learned"
	"onlooker/vision/witness/look"
	"onlooker/vision/witness/view"
)

// A draft is a board of which nobody told what it shows, as far as that is known.
type draft struct {
	*view.View
	reader  *learned.Reader
	model   *look.Model // anew each time that it is asked for
	located *vision.Board
	shot    int
	panel   *witness.Panel
	// read is what the looks that are known read, nil where that is nothing, and
	// doubt how likely it is wrong.
	read  *witness.Panel
	doubt float64
	right *witness.Panel // as it was put right by hand; nil: it was not
	unfit error          // why it is left out, whatever is answered; nil: it is not
	out   error          // and whatever else
}

// A spot is a place of a draft with what it looks like.
type spot struct {
	d       *draft
	at, way image.Point
	looks   []look.Appearance
	tint    vision.RGB // of a node's or an edge's middle, off its line's colour, contrasts
	view    *look.Cell
	mask    vision.Map
	faint   bool
	strong  float64       // how far a cell's strongest is off its ground, contrasts
	colours [2]vision.RGB // of a symbol: deep within, and where it is drawn
}

// A sort of places is asked for at one time.
type sorted struct {
	name, may string
	choices   func(*spot) []string
	spots     func(*draft) []*spot
	guess     func(*spot) forms.Label
	parse     func(s *spot, answer string) (forms.Label, error)
	put       func(*spot, forms.Label)
	unread    bool // readings do not tell
}

// draftsOf finds the boards of a shot: with anything allowed that a look could have, and
// what that leaves with the look that is known.
func (c *Course) draftsOf(shot Shot) (out []*draft, err error) {
	pillars := 0
	structure := look.Structure(c.base)
	for _, look := range []*calibrations.Profile{structure, c.base} {
		located, err := locate.Boards(shot.Frame, look.Board)
		if err != nil {
			return nil, err
		}
		for _, b := range located {
			if b.Pillar {
				pillars++
				continue
			}
			k := slices.IndexFunc(out, func(d *draft) bool { return near(b, d.located.Quad) })
			if k < 0 {
				k = len(out)
				out = append(out, newDraft(b, structure, len(c.shots)))
			}
			p, err := c.read(look, c.Forms, b)
			out[k].readAs(p, err, b)
		}
	}
	switch {
	case len(out) == 0 && pillars > 0:
		return nil, errors.New("no flat board found, and of a pillar one view shows too little: take the look from flat boards")
	case len(out) == 0:
		return nil, errors.New("no board found")
	}
	return out, nil
}

// newDraft is a board of which nothing is known.
func newDraft(b *vision.Board, profile *calibrations.Profile, shot int) *draft {
	d := &draft{located: b, shot: shot, doubt: 1}
	if b.Sized < profile.Board.Confidence {
		d.unfit = fmt.Errorf("a board at (%.0f,%.0f) of %dx%d cells, or of more or fewer", b.Quad[0].X, b.Quad[0].Y, b.Cols, b.Rows)
	}
	d.out = d.unfit
	return d
}

// begin forgets what was answered.
func (d *draft) begin(profile *calibrations.Profile, drawn drawing.Forms) {
	d.model = look.New(d.located, profile, drawn)
	d.View, d.reader = d.model.View, learned.NewReader(d.model)
	d.panel, d.out = witness.New(d.located.Cols, d.located.Rows, false), d.unfit
}

// readAs notes what a look read of the board. What two of them read otherwise counts as not
// read.
func (d *draft) readAs(p *witness.Panel, err error, b *vision.Board) {
	switch {
	case err != nil || p.Cols != d.located.Cols || p.Rows != d.located.Rows:
	case b.Solved:
		d.unfit = errors.New("a line is drawn on it, which hides how it looks without")
		d.out = d.unfit
	case d.read == nil:
		d.read, d.doubt = p, 1-b.Clear
	case witness.Differ(witness.Untwisted(d.read), witness.Untwisted(p)) != "":
		d.doubt = 1
	default:
		d.doubt = min(d.doubt, 1-b.Clear)
	}
}

// complete says what a board lacks that every board has.
func (d *draft) complete() error {
	if d.right != nil {
		d.panel = d.right.Clone()
		return nil
	}
	starts, ends := 0, 0
	for at := range d.panel.Points() {
		if q := d.panel.At(at); q.Start {
			starts++
		} else if q.IsEnd() {
			ends++
		}
	}
	if starts == 0 || ends == 0 {
		return fmt.Errorf("the board at (%.0f,%.0f) has %d starts and %d ends, want one of each at least", d.Board.Quad[0].X, d.Board.Quad[0].Y, starts, ends)
	}
	if d.Solved(d.panel) {
		return errors.New("a line is drawn on it, which hides how it looks without")
	}
	if d.panel.Symmetry = witness.SymmetryOf(d.panel); d.panel.Symmetry == witness.NoSymmetry {
		for at := range d.panel.Points() { // there is one line only
			d.panel.At(at).Dot.Line = witness.AnyLine
		}
	}
	return nil
}

// sorts are the sorts of places in the order in which they are asked for: what
// circles and dots cover tells nothing of edges and cells.
func sorts(drawn drawing.Forms) []sorted {
	line := func(sort sorted, dots bool, words ...forms.Label) sorted {
		sort.parse = func(_ *spot, answer string) (forms.Label, error) { return parseLine(dots, words...)(answer) }
		sort.choices = func(*spot) []string { return lineWords(dots, words...) }
		return sort
	}
	return []sorted{
		line(sorted{
			name: "node", may: "plain, start, dot, own dot, other dot (of the player's line alone, of the other's)",
			spots: (*draft).nodes, guess: (*spot).guessNode, put: (*spot).putNode,
		}, true, forms.PlainNode, forms.StartCircle),
		line(sorted{
			name: "edge", may: "whole, broken, missing, dot, own dot, other dot, start, end (a cap from a node into the board)",
			spots: (*draft).edges, guess: (*spot).guessEdge, put: (*spot).putEdge,
		}, true, forms.WholeEdge, forms.BrokenEdge, forms.NoEdge, forms.StartCircle, forms.EndCap),
		line(sorted{
			name: "way out", may: "nothing, end",
			spots: (*draft).outs, guess: (*spot).guessWay, put: (*spot).putWay,
		}, false, forms.NoEnd, forms.EndCap),
		{
			name: "cell", may: "empty, or [turned] [colour] SYMBOL [shape], as in 2 triangles, white star, turned piece ##/#.; symbols are " + strings.Join(drawn.Names(), ", "),
			choices: func(s *spot) []string { return cellWords(drawn, s.likest) },
			spots:   (*draft).cells, guess: (*spot).guessCell, parse: func(s *spot, answer string) (forms.Label, error) { return parseSymbol(answer, drawn, s.likest) }, put: (*spot).putCell,
		},
	}
}

func (d *draft) nodes() (out []*spot) {
	for at := range d.panel.Points() {
		if witness.IsNode(at) {
			out = append(out, &spot{d: d, at: at, looks: []look.Appearance{d.model.Places.StartLook(at), d.model.Places.DiscLook(at)}, tint: d.middle(at)})
		}
	}
	return out
}

func (d *draft) edges() (out []*spot) {
	for at := range d.panel.Points() {
		if witness.IsEdge(at) {
			a, _ := d.model.Places.EdgeLook(at)
			out = append(out, &spot{d: d, at: at, looks: []look.Appearance{a, d.model.Places.DiscLook(at)}, tint: d.middle(at)})
		}
	}
	return out
}

func (d *draft) outs() (out []*spot) {
	for at := range d.panel.Points() {
		q := d.panel.At(at)
		if witness.IsCell(at) || q.Start || q.Gap != witness.Whole || q.IsEnd() || witness.IsNode(at) && !d.Reached(d.panel, at) {
			continue
		}
		for _, w := range d.model.Places.Ways(at) {
			out = append(out, &spot{d: d, at: at, way: w.Dir, looks: []look.Appearance{w.Seen}})
		}
	}
	return out
}

func (d *draft) cells() (out []*spot) {
	d.model.Cells.On(d.panel)
	for at := range d.panel.Points() {
		if !witness.IsCell(at) {
			continue
		}
		v := d.model.Cells.CellAt(at)
		if v.Hidden {
			continue
		}
		s := &spot{d: d, at: at, view: v, strong: v.Strong / d.Contrast(), mask: v.Mask()}
		between := look.UsualDivide(look.DivideSymbol)
		s.faint = s.strong < (between[0]+between[1])/2
		for k, ink := range []calibrations.Ink{calibrations.InkDeep, calibrations.InkDrawn} {
			s.colours[k] = v.Colour(&look.Candidate{Mask: s.mask, Ink: ink})
		}
		out = append(out, s)
	}
	return out
}

// middle is by what the middle of a place is off its line's colour, in contrasts.
func (d *draft) middle(at image.Point) vision.RGB {
	c := d.model.Lines.DotCore(at).Sub(d.model.Lines.LineInk(at))
	for i := range c {
		c[i] /= d.Contrast()
	}
	return c
}

func (s *spot) guessNode() forms.Label {
	if is, _ := s.d.model.Is(look.DivideStart, s.d.model.Lines.StartReach(s.at)); is {
		return forms.StartCircle
	}
	if is, _ := s.d.model.Is(look.DivideDot, s.d.model.Lines.DotCore(s.at).Dist(s.d.model.Lines.LineInk(s.at))/s.d.Contrast()); is {
		return forms.DotLabel(witness.Dot{})
	}
	return forms.PlainNode
}

func (s *spot) guessEdge() forms.Label {
	v := s.d.model.Lines.EdgeView(s.at, s.d.model.Lines.Clear)
	if gone, _ := s.d.model.Is(look.DivideBreak, v.Depth); gone {
		if gap, _, open := s.d.reader.Gap(s.at, v); open == "" && gap == witness.Missing {
			return forms.NoEdge
		}
		return forms.BrokenEdge
	}
	if dot, _ := s.d.model.Is(look.DivideDot, v.Odd); dot {
		return forms.DotLabel(witness.Dot{})
	}
	return forms.WholeEdge
}

func (s *spot) guessWay() forms.Label {
	for _, v := range s.d.model.Lines.CapViews(s.at) {
		if is, _ := s.d.model.Is(look.DivideCap, v.Own()); is && v.Dir == s.way {
			return forms.EndCap
		}
	}
	return forms.NoEnd
}

func (s *spot) guessCell() forms.Label {
	if s.faint {
		return forms.EmptyCell
	}
	list, err := s.d.model.Known.Candidates(s.view, view.Tuned.Slack)
	if err != nil || len(list) == 0 || list[0].Score < view.Strongly {
		return ""
	}
	return forms.SymbolLabel(list[0].Symbol)
}

// likest is the piece of one kind that a cell is most like.
func (s *spot) likest(kind witness.Kind, turnable bool) (witness.Symbol, bool) {
	list, err := s.d.model.Known.Candidates(s.view, view.Tuned.Slack)
	if err != nil {
		return witness.Symbol{}, false
	}
	for _, c := range list {
		if c.Symbol.Kind == kind && c.Symbol.Turnable == turnable {
			return c.Symbol, true
		}
	}
	return witness.Symbol{}, false
}

func (s *spot) putNode(l forms.Label) {
	if l == forms.PlainNode {
		return
	}
	*s.d.panel.At(s.at) = l.Spot()
	s.covers()
}

// Covers notes what a circle or a dot covers.
func (s *spot) covers() {
	switch q := s.d.panel.At(s.at); {
	case q.Start:
		s.d.model.Lines.Radius[s.at] = s.d.model.Lines.Cover(s.at, true)
	case q.Dot.On:
		s.d.model.Lines.Dotted[s.at] = s.d.model.Lines.Cover(s.at, false)
	}
}

func (s *spot) putEdge(l forms.Label) {
	q := s.d.panel.At(s.at)
	switch l {
	case forms.WholeEdge:
	case forms.EndCap:
		q.Gap = witness.Missing
		// The cap is on that side where more of the line's colour is.
		ux, uy := witness.EdgeDirection(s.at)
		to, most := image.Pt(int(ux), int(uy)), [2]float64{}
		for k, side := range []float64{-1, 1} {
			for d := 0.2; d < 0.8; d += 0.1 {
				c := s.d.At(float64(s.at.X)+side*d*ux, float64(s.at.Y)+side*d*uy)
				most[k] += c.Dist(s.d.Board.Paper) - c.Dist(s.d.Board.Ink)
			}
		}
		if most[0] > most[1] {
			s.d.panel.At(s.at.Sub(to)).Cap = to
		} else {
			s.d.panel.At(s.at.Add(to)).Cap = to.Mul(-1)
		}
	default:
		*q = l.Spot()
		s.covers()
	}
}

func (s *spot) putWay(l forms.Label) {
	if l == forms.EndCap {
		s.d.panel.At(s.at).Cap = s.way
	}
}

func (s *spot) putCell(l forms.Label) {
	s.d.panel.At(s.at).Symbol = witness.Symbol{}
	if l == forms.EmptyCell {
		return
	}
	var kinds []witness.Kind
	for _, f := range s.d.Forms {
		kinds = append(kinds, f.Kind)
	}
	q, _ := forms.ParseSpot(s.at, string(l), kinds) // a label was parsed before
	s.d.panel.At(s.at).Symbol = q.Symbol
}

// place is where a spot is.
func (s *spot) place() Place {
	return Place{Shot: s.d.shot, At: s.at, Way: s.way, Where: s.d.Board.ScreenPoint(float64(s.at.X), float64(s.at.Y))}
}

// settle finds out what all places of a sort are: what looks alike is one group, which
// the boards that were read settle, or an answer.
func settle(of sorted, drafts []*draft, ask func(*Question) (string, error)) error {
	var all []*spot
	for _, d := range drafts {
		if d.out == nil {
			all = append(all, of.spots(d)...)
		}
	}
	apart, err := distances(all)
	if err != nil {
		return err
	}
	which := make([]int, len(all))
	for i := range which {
		which[i] = i
	}
	q := quiz{sorted: of, all: all, apart: apart, ask: ask, named: map[int]forms.Label{}}
	groups := alikes(which, 1, q.far)
	for i, g := range groups {
		q.left = 0
		for _, o := range groups[i+1:] {
			if _, sure := q.byReading(o); !sure {
				q.left++
			}
		}
		if err := q.group(g, 1); err != nil {
			return err
		}
	}
	return nil
}

// A quiz settles the places of one sort.
type quiz struct {
	sorted
	all   []*spot
	apart [][]apartness
	ask   func(*Question) (string, error)
	named map[int]forms.Label // of the first places of groups
	left  int                 // groups that come after
}

// An apartness is by how much two places differ, in shares of what is alike: in form,
// and in colour.
type apartness struct{ form, colour float32 }

func (q *quiz) far(i, j int) float64 {
	a := q.apart[max(i, j)][min(i, j)]
	return float64(max(a.form, a.colour))
}

// alikes divides places into groups, the largest first: of each the first is that
// which most of those that are left are alike, and the others follow by how unlike they
// are to it, the least like first.
func alikes(which []int, limit float64, far func(i, j int) float64) (groups [][]int) {
	left := slices.Clone(which)
	for len(left) > 0 {
		var best []int
		for _, i := range left {
			of := []int{i}
			for _, j := range left {
				if j != i && far(i, j) <= limit {
					of = append(of, j)
				}
			}
			if len(of) > len(best) {
				best = of
			}
		}
		first := best[0]
		slices.SortStableFunc(best[1:], func(a, b int) int { return cmp.Compare(far(first, b), far(first, a)) })
		groups = append(groups, best)
		left = slices.DeleteFunc(left, func(i int) bool { return slices.Contains(best, i) })
	}
	return groups
}

// group settles one group of places that are alike within a limit.
func (q *quiz) group(g []int, limit float64) error {
	g = slices.DeleteFunc(slices.Clone(g), func(i int) bool { return q.all[i].d.out != nil })
	if len(g) == 0 {
		return nil
	}
	l, sure := q.byReading(g)
	var rest []int
	if sure {
		// What was read settles what looks just like it; of the rest it is a guess.
		g, rest = q.besideRead(g)
	} else {
		question := q.question(g, q.likely(g, l))
		answer, err := q.ask(question)
		if err != nil {
			return err
		}
		switch {
		case answer == DoNotKnow:
			for _, i := range g {
				s := q.all[i]
				s.d.out = fmt.Errorf("nobody knows what is at %s of the board at (%.0f,%.0f)", place.Name(s.at), s.d.Board.Quad[0].X, s.d.Board.Quad[0].Y)
			}
			return nil
		case answer == Differ && len(g) > 1:
			// Half as alike, until they fall apart.
			for limit > 0.01 {
				limit /= 2
				if parts := alikes(g, limit, q.far); len(parts) > 1 {
					for _, p := range parts {
						if err := q.group(p, limit); err != nil {
							return err
						}
					}
					return nil
				}
			}
			for _, i := range g {
				if err := q.group([]int{i}, limit); err != nil {
					return err
				}
			}
			return nil
		}
		if l, err = question.meant(answer); err != nil {
			return fmt.Errorf("the answer of the %s at %s: %w", q.name, place.Name(q.all[g[0]].at), err)
		}
	}
	for _, i := range g {
		q.put(q.all[i], l)
	}
	if first := q.all[g[0]]; q.unread {
		q.named[g[0]] = l
	} else {
		q.named[g[0]] = forms.LabelAt(first.d.panel, first.at, first.way)
	}
	for _, part := range alikes(rest, limit, q.far) {
		if err := q.group(part, limit); err != nil {
			return err
		}
	}
	return nil
}

// besideRead divides a group into what was read or looks just like one that was, and the
// others: no further from it than those that were read are from each other.
func (q *quiz) besideRead(g []int) (near, far []int) {
	read := slices.DeleteFunc(slices.Clone(g), func(i int) bool { return q.all[i].d.read == nil })
	nearest := func(i int) float64 {
		least := math.Inf(1)
		for _, j := range read {
			if j != i {
				least = min(least, q.far(i, j))
			}
		}
		return least
	}
	// As a share of what is alike: stars taken for squares that were read were 0.40 off and more,
	// dots taken for plain nodes 0.83.
	limit := view.Clearly
	for _, i := range read {
		if d := nearest(i); !math.IsInf(d, 1) {
			limit = max(limit, d)
		}
	}
	for _, i := range g {
		if slices.Contains(read, i) || nearest(i) <= limit {
			near = append(near, i)
		} else {
			far = append(far, i)
		}
	}
	return near, far
}

// byReading is what those places of a group are that were read, and whether that
// settles it: they were all read alike, on boards that are hardly all read wrong.
func (q *quiz) byReading(g []int) (forms.Label, bool) {
	count := map[forms.Label]int{}
	var boards []*draft
	for _, i := range g {
		s := q.all[i]
		if s.d.read == nil || q.unread {
			continue
		}
		if count[forms.LabelAt(s.d.read, s.at, s.way)]++; !slices.Contains(boards, s.d) {
			boards = append(boards, s.d)
		}
	}
	var best forms.Label
	for l, n := range count {
		if n > count[best] || n == count[best] && l < best {
			best = l
		}
	}
	wrong := 1.0
	for _, d := range boards {
		wrong *= d.doubt
	}
	return best, len(count) == 1 && wrong < view.Hardly
}

// Likely is what a group most likely is: what was read there, "" where nothing was, or
// that of the known group that it is most alike, or a guess. It is asked for all the same:
// dots that look like the line and measure like it were taken for it here, unasked.
func (q *quiz) likely(g []int, read forms.Label) forms.Label {
	if read != "" {
		return read
	}
	like, least := forms.Label(""), 2.0
	for i, named := range q.named {
		a := q.apart[max(i, g[0])][min(i, g[0])]
		if q.unread {
			a.form = a.colour
		}
		if far := float64(a.form); far < least || far == least && named < like {
			like, least = named, far
		}
	}
	if like != "" {
		return like
	}
	return q.guess(q.all[g[0]])
}

// question asks for a group that is most likely l.
func (q *quiz) question(g []int, l forms.Label) *Question {
	first := q.all[g[0]]
	out := &Question{Sort: q.name, May: q.may, Choices: q.choices(first), Left: q.left, Guess: l.Shown(), parse: func(answer string) (forms.Label, error) { return q.parse(first, answer) }}
	var spots []*spot
	for _, i := range g {
		spots = append(spots, q.all[i])
		out.Places = append(out.Places, q.all[i].place())
	}
	out.Sheet = contactSheet(spots)
	return out
}

// distances are by how much places of one sort differ, each from those before it.
func distances(all []*spot) ([][]apartness, error) {
	t, steps := view.Tuned, colour.UsualSteps()
	out := make([][]apartness, len(all))
	fails := make([]error, len(all))
	vision.SideBySide(len(all), func(i int) {
		a := all[i]
		out[i] = make([]apartness, i)
		var like []vision.Matched
		if a.view != nil && !a.faint {
			masks := make([]vision.Map, i)
			for j := range i {
				masks[j] = a.view.Window(all[j].mask, 0)
			}
			like, fails[i] = vision.Match(a.view.Window(a.mask, t.Slack), masks)
		}
		for j, b := range all[:i] {
			form, tint := 0.0, 0.0
			switch {
			case a.view == nil:
				for k, l := range a.looks {
					form = max(form, l.Apart(b.looks[k])/t.AlikePlaces)
				}
				tint = a.tint.Dist(b.tint) / (2 * t.AlikePlaces)
			case a.faint && b.faint:
				form = math.Abs(a.strong - b.strong)
			case a.faint || b.faint || fails[i] != nil:
				form = math.Inf(1)
			default:
				form = (1 - like[j].Score) / (1 - t.AlikeForms)
				for k := range a.colours {
					step := colour.ColourStep(a.colours[k], b.colours[k]) / max(colour.Bright(a.d.model.View), colour.Bright(b.d.model.View))
					tint = max(tint, step/((steps.Alike+steps.Divide)/2))
				}
			}
			out[i][j] = apartness{float32(form), float32(tint)}
		}
	})
	return out, errors.Join(fails...)
}

// colours finds out the colours of symbols of which nobody told them: those of a board
// on which they fall apart clearly, however they are measured, are told by that; of the
// others it is asked.
func colours(drafts []*draft, ask func(*Question) (string, error)) error {
	var open []*spot
	for _, d := range drafts {
		if d.out != nil {
			continue
		}
		var here, lack []*spot
		for _, s := range d.cells() {
			if q := d.panel.At(s.at); q.Kind != witness.NoSymbol {
				if here = append(here, s); q.Colour == "" {
					lack = append(lack, s)
				}
			}
		}
		if len(lack) > 0 && !d.clustered(here) {
			open = append(open, lack...)
		}
	}
	parse := func(_ *spot, answer string) (forms.Label, error) {
		_, err := answered(answer)
		return forms.Label(answer), err
	}
	return settle(sorted{
		name: "colour", may: "white, black, #rrggbb or what you call it: equal colours by equal names",
		choices: func(*spot) (all []string) {
			for _, c := range usualColours() {
				all = append(all, string(c))
			}
			return all
		},
		spots: func(d *draft) []*spot {
			return slices.DeleteFunc(slices.Clone(open), func(s *spot) bool { return s.d != d })
		},
		guess: (*spot).guessColour, parse: parse, unread: true,
		put: func(s *spot, l forms.Label) { s.d.panel.At(s.at).Colour, _ = answered(string(l)) },
	}, drafts, ask)
}

// answered is the colour that an answer names.
func answered(answer string) (witness.Colour, error) {
	s, err := forms.ParseSpot(image.Pt(1, 1), answer+" "+witness.Square.Word(), []witness.Kind{witness.Square})
	if err != nil || s.Colour == "" {
		return "", fmt.Errorf("%q is no name of a colour", answer)
	}
	return s.Colour, nil
}

// clustered names the colours of a board's symbols where they fall apart alike and
// clearly, measured deep within the symbols and where they are drawn, and as those
// that were named.
func (d *draft) clustered(symbols []*spot) bool {
	var at []image.Point
	var cols [2][]vision.RGB
	for _, s := range symbols {
		at = append(at, s.at)
		for k := range cols {
			cols[k] = append(cols[k], s.colours[k])
		}
	}
	var names [2][]witness.Colour
	for k := range cols {
		var err error
		if names[k], _, err = colour.Cluster(at, cols[k], colour.Bright(d.model.View), d.Profile.Board.Confidence, colour.UsualSteps(), nil); err != nil {
			return false
		}
	}
	told := make([]witness.Colour, len(at))
	for i, p := range at {
		told[i] = d.panel.At(p).Colour
	}
	for i := range at {
		for j := range i {
			if one := names[0][i] == names[0][j]; one != (names[1][i] == names[1][j]) || told[i] != "" && told[j] != "" && one != (told[i] == told[j]) {
				return false
			}
		}
	}
	for i, p := range at {
		d.panel.At(p).Colour = names[0][i]
	}
	return true
}

// usualColours are those that people have names for.
func usualColours() []witness.Colour {
	return []witness.Colour{witness.Black, witness.White, witness.Cyan, witness.Magenta, witness.Yellow, witness.Red, witness.Green, witness.Blue, witness.Orange}
}

// guessColour is the colour that is told by name and is nearest to a symbol's.
func (s *spot) guessColour() forms.Label {
	ink := drawing.Style{}
	best, least := witness.Colour(""), math.Inf(1)
	for _, c := range usualColours() {
		rgb := ink.Ink(c)
		if d := colour.ColourStep(s.colours[0], vision.RGB{float64(rgb.R), float64(rgb.G), float64(rgb.B)}); d < least {
			best, least = c, d
		}
	}
	return forms.Label(best)
}
