// Package edit changes panels by hand, and tells how their lines are drawn by hand.
package edit

import (
	"errors"
	"fmt"
	"image"
	"slices"
	"strings"

	"onlooker/solve"
	"onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
)

// maxPiece is the side of the grid in which the editor draws pieces.
const maxPiece = 5

func Editor(kinds []board.Kind, wrap forms.Wrap) solve.Editor {
	return solve.Editor{
		Blank: func(cols, rows int) (solve.Puzzle, error) {
			if err := board.CheckSize(cols, rows, false, board.NoSymmetry); err != nil {
				return nil, fmt.Errorf("panel: %w", err)
			}
			p := board.New(cols, rows, false)
			p.At(image.Pt(0, 2*rows)).Start = true
			p.At(image.Pt(2*cols, 0)).Cap = image.Pt(1, 0)
			return wrap(p), nil
		},
		Tools:  func(p solve.Puzzle) []solve.Tool { return tools(board.Of(p), kinds) },
		Places: func(p solve.Puzzle) []solve.Place { return places(board.Of(p)) },
		Apply: func(p solve.Puzzle, e solve.Edit) (solve.Puzzle, error) {
			q, err := edit(board.Of(p), e, kinds)
			if err != nil {
				return nil, err
			}
			return wrap(q), nil
		},
	}
}

func symmetries() []string {
	var names []string
	for s := board.NoSymmetry; s <= board.Turned; s++ {
		names = append(names, s.String())
	}
	return names
}

// colourField is one for the colours that people use most, or any other.
func colourField(c board.Colour) solve.Field {
	return solve.Field{Name: "colour", Label: "colour", Kind: solve.Colour, Value: string(c), Choices: []string{
		string(board.Black), string(board.White), string(board.Cyan), string(board.Magenta), string(board.Yellow), string(board.Red), string(board.Green), string(board.Blue), string(board.Orange), "purple"}}
}

func tools(p *board.Panel, kinds []board.Kind) []solve.Tool {
	line := []string{"node", "edge"}
	ways := []string{"auto"}
	for _, d := range forms.Directions() {
		ways = append(ways, d.Name)
	}
	list := []solve.Tool{boardTool(p),
		{Name: "start", Label: "Start", Mark: "●", On: line, Takes: 1, Doc: "where a line may begin; under symmetry its image, too"},
		{Name: "end", Label: "End", Mark: "◗", On: line, Takes: 1, Doc: "where a line may end; again: towards the next side, and then none", Fields: []solve.Field{
			{Name: "way", Label: "towards", Kind: solve.Choice, Choices: ways, Value: "auto"}}},
		{Name: "broken", Label: "Gap", Mark: "╌", On: []string{"edge"}, Takes: 1, Doc: "an edge that no line crosses; again: one that is not there, and then a whole one"},
		{Name: "missing", Label: "Missing", Mark: "␣", On: line, Takes: 1, Doc: "an edge or a node that is not there"},
	}
	for _, k := range kinds {
		list = append(list, symbolTool(k))
	}
	all := []string{"cell", "node", "edge"}
	list = append(list,
		solve.Tool{Name: "colour", Label: "Colour", Mark: "◐", On: all, Takes: 1, Doc: "gives what stands there another colour; the keys 1 to 9 and 0 do", Fields: []solve.Field{colourField(board.Black)}},
		solve.Tool{Name: "clear", Label: "Clear", Mark: "✕", On: all, Takes: 1, Doc: "takes everything away"})
	return append(list, solve.MoveTools()...)
}

// toolName is the name of the tool for a kind: one word.
func toolName(k board.Kind) string { return strings.ReplaceAll(k.About().Name, " ", "-") }

// symbolTool puts symbols of a kind down.
func symbolTool(k board.Kind) solve.Tool {
	a := k.About()
	// The mark of a kind that has none here is its first letter.
	mark, ok := map[string]string{"dot": "⬢", "square": "■", "star": "✸", "triangle": "▲", "piece": "▙", "negative-piece": "▚", "eraser": "Y"}[toolName(k)]
	if !ok {
		mark = a.Name[:1]
		if a.Figure != nil {
			mark = a.Figure.Mark
		}
	}
	t := solve.Tool{Name: toolName(k), Label: strings.ToUpper(a.Name[:1]) + a.Name[1:], Mark: mark, On: []string{"cell"}, Takes: 1, Doc: a.Rule.Doc}
	if a.OnLine {
		t.On = []string{"node", "edge"}
		t.Fields = append(t.Fields,
			solve.Field{Name: "line", Label: "for", Kind: solve.Choice, Choices: []string{"any line", "the player's", "the other"}, Value: "any line"},
			solve.Field{Name: "invisible", Label: "invisible", Kind: solve.Flag})
	}
	if a.Most > 0 {
		t.Fields = append(t.Fields, solve.NumberField("count", "number", 1, a.Least(), a.Most))
	}
	if a.Ways > 0 {
		var names []string
		for _, way := range board.Directions(a.Ways) {
			names = append(names, forms.WayName(way))
		}
		t.Fields = append(t.Fields, solve.Field{Name: "way", Label: "towards", Kind: solve.Choice, Choices: names, Value: names[0]})
	}
	if a.Squares != 0 {
		t.Fields = append(t.Fields,
			solve.Field{Name: "shape", Label: "squares", Kind: solve.Squares, Most: maxPiece, Value: "##/.#"},
			solve.Field{Name: "turned", Label: "may be turned", Kind: solve.Flag})
	}
	implied := a.Implied
	if implied == "" {
		implied = board.Black
	}
	t.Fields = append(t.Fields, colourField(implied))
	return t
}

// grownSides is at which sides a panel grows and shrinks.
func grownSides() []string {
	return []string{"right and bottom", "left and bottom", "right and top", "left and top"}
}

// boardTool changes what concerns the whole panel.
func boardTool(p *board.Panel) solve.Tool {
	var rules []string
	for _, set := range board.RuleSets() {
		rules = append(rules, set.Name)
	}
	name, options, _ := strings.Cut(p.Rules.String(), ",")
	return solve.Tool{Name: "board", Label: "Panel", Fields: []solve.Field{
		solve.NumberField("cols", "wide", p.Cols, 1, board.MaxSide), solve.NumberField("rows", "high", p.Rows, 1, board.MaxSide),
		{Name: "pillar", Label: "pillar", Kind: solve.Flag, Value: solve.FlagOf(p.Pillar)},
		{Name: "symmetry", Label: "symmetry", Kind: solve.Choice, Choices: symmetries(), Value: p.Symmetry.String()},
		{Name: "rules", Label: "rules of", Kind: solve.Choice, Choices: rules, Value: name},
		{Name: "options", Label: "with the options", Kind: solve.Words, Value: options},
		{Name: "grows", Label: "new cells at the", Kind: solve.Choice, Choices: grownSides(), Value: grownSides()[0], Stays: true}}}
}

func places(p *board.Panel) []solve.Place {
	var list []solve.Place
	for at := range p.Points() {
		place := solve.Place{At: at, Kind: "edge"}
		switch {
		case board.IsCell(at):
			place.Kind = "cell"
		case board.IsNode(at):
			place.Kind = "node"
		}
		place.Says = forms.Describe(at, p.At(at))
		list = append(list, place)
	}
	return list
}

// symbol is what a tool puts into a cell.
func symbol(k board.Kind, e solve.Edit) (board.Symbol, error) {
	s := board.Symbol{Kind: k, Colour: board.Colour(e.Values["colour"])}
	a := k.About()
	if a.Most > 0 {
		s.Count = e.Int("count")
	}
	if a.Ways > 0 {
		var err error
		if s.Way, err = forms.ParseWay(e.Values["way"], a.Ways); err != nil {
			return s, err
		}
	}
	if a.Squares != 0 {
		s.Turnable = e.On("turned")
		var err error
		if s.Shape, err = forms.ParseShape(e.Values["shape"]); err != nil {
			return s, err
		}
	}
	return s, nil
}

// dot is what a tool puts on a line.
func dot(e solve.Edit) board.Dot {
	d := board.Dot{On: true, Invisible: e.On("invisible")}
	switch e.Values["line"] {
	case "the player's":
		d.Line = board.OwnLine
	case "the other":
		d.Line = board.OtherLine
	}
	if c := board.Colour(e.Values["colour"]); c != board.Black {
		d.Colour = c
	}
	return d
}

func edit(p *board.Panel, e solve.Edit, kinds []board.Kind) (*board.Panel, error) {
	if e.Tool == "board" {
		return remade(p, e)
	}
	if cols, rows, to, way, ok := solve.Moved(e.Tool, p.Cols, p.Rows); ok {
		return moved(p, cols, rows, to, way)
	}
	q := p.Clone()
	q.Wire = nil // how a link wrote another panel
	at := e.At[0]
	s := q.At(at)
	switch e.Tool {
	case "start":
		both(q, at, func(s *board.Spot, _ image.Point) { s.Start = !p.At(at).Start })
	case "end":
		way := nextCap(p, at, e.Values["way"])
		both(q, at, func(s *board.Spot, image image.Point) { s.Cap = imageOf(q, way, image != at) })
	case "broken":
		s.Gap = map[board.Gap]board.Gap{board.Whole: board.Broken, board.Broken: board.Missing}[s.Gap]
	case "missing":
		s.Gap = map[bool]board.Gap{true: board.Whole, false: board.Missing}[s.Gap == board.Missing]
	case "colour":
		if s.Dot.On {
			s.Dot.Colour = dot(e).Colour
		} else if s.Kind != board.NoSymbol {
			s.Colour = board.Colour(e.Values["colour"])
		}
	case "clear":
		if s.Start || s.IsEnd() {
			both(q, at, func(s *board.Spot, _ image.Point) { s.Start, s.Cap = false, image.Point{} })
		}
		*s = board.Spot{}
	default:
		k := kinds[slices.IndexFunc(kinds, func(k board.Kind) bool { return toolName(k) == e.Tool })]
		if k.OnLine() {
			s.Dot = nextDot(s.Dot, dot(e), q.Symmetry != board.NoSymmetry)
			break
		}
		put, err := symbol(k, e)
		if err != nil {
			return nil, fmt.Errorf("panel: %w", err)
		}
		s.Symbol = next(s.Symbol, put)
	}
	return q, q.Valid()
}

// nextDot is what stands on a line after a dot was put there: the same once more is, where there
// are two lines, one line's after the other's, and goes then.
func nextDot(is, put board.Dot, two bool) board.Dot {
	line := is.Line
	if is.Line = put.Line; is != put {
		return put
	}
	if put.Line = line + 1; two && put.Line <= board.OtherLine {
		return put
	}
	return board.Dot{}
}

// next is what stands in a cell after a symbol was put there: the same once more counts on,
// and goes after the most of its kind.
func next(is, put board.Symbol) board.Symbol {
	if is.Kind != put.Kind {
		return put
	}
	same := is
	same.Count = put.Count
	switch {
	case forms.DescribeSymbol(&same) != forms.DescribeSymbol(&put):
		return put
	case is.Count < put.Kind.Most():
		put.Count = is.Count + 1
		return put
	}
	return board.Symbol{}
}

// moved is the panel turned or flipped.
func moved(p *board.Panel, cols, rows int, to, way func(image.Point) image.Point) (*board.Panel, error) {
	q := board.New(cols, rows, p.Pillar)
	q.Symmetry, q.Rules = p.Symmetry, p.Rules
	if way(image.Pt(1, 0)).X == 0 { // a quarter
		switch {
		case p.Pillar:
			return nil, errors.New("panel: a pillar is not turned on its side")
		case p.Symmetry == board.Mirror:
			q.Symmetry = board.Flip
		case p.Symmetry == board.Flip:
			q.Symmetry = board.Mirror
		case p.Symmetry == board.Parallel || p.Symmetry == board.Turned:
			return nil, fmt.Errorf("panel: with the symmetry %s it is not turned", p.Symmetry)
		}
	}
	for at := range p.Points() {
		s := *p.At(at)
		s.Cap, s.Way = way(s.Cap), way(s.Way)
		if s.Shape != nil {
			shape := make([]image.Point, len(s.Shape))
			for i, square := range s.Shape {
				shape[i] = way(square)
			}
			s.Shape = board.NormalShape(shape)
		}
		*q.At(q.Wrap(to(at))) = s
	}
	return q, q.Valid()
}

// both changes a spot and, under symmetry, its image.
func both(p *board.Panel, at image.Point, change func(s *board.Spot, at image.Point)) {
	change(p.At(at), at)
	if to, ok := p.Image(at); ok && to != at {
		change(p.At(to), to)
	}
}

// imageOf is a direction as the panel's symmetry has it.
func imageOf(p *board.Panel, way image.Point, mirrored bool) image.Point {
	if !mirrored {
		return way
	}
	switch p.Symmetry {
	case board.Mirror, board.Rotation:
		way.X = -way.X
	}
	switch p.Symmetry {
	case board.Flip, board.Rotation, board.Turned:
		way.Y = -way.Y
	}
	return way
}

// nextCap is where the end at a place points after the tool was used on it: as
// asked, or in turn towards the sides where no edge leads; none at last.
func nextCap(p *board.Panel, at image.Point, asked string) image.Point {
	now := p.At(at).Cap
	var ways []image.Point
	for _, d := range forms.Directions() {
		if d.Name == asked {
			if now == d.Cap {
				return image.Point{}
			}
			return d.Cap
		}
		straight := d.Cap.X == 0 || d.Cap.Y == 0
		if next := p.At(at.Add(d.Cap)); straight && (next == nil || board.IsNode(at) && next.Gap == board.Missing || board.IsEdge(at) && board.IsCell(at.Add(d.Cap))) {
			ways = append(ways, d.Cap)
		}
	}
	if len(ways) == 0 {
		ways = []image.Point{{Y: -1}, {Y: 1}, {X: -1}, {X: 1}}
	}
	switch i := slices.Index(ways, now); {
	case i+1 < len(ways):
		return ways[i+1] // the first where there is none yet
	default:
		return image.Point{}
	}
}

// grown is where a half-cell's column or row comes to lie when its side goes
// from was to is cells: starts and ends of the borders stay on them.
func grown(x, was, is int, before, ends bool) int {
	switch {
	case ends && x == 0:
		return 0
	case ends && x == 2*was:
		return 2 * is
	case before:
		return x + 2*(is-was)
	}
	return x
}

// remade is the panel with another size, symmetry or other rules. What has no
// place on it is left out.
func remade(p *board.Panel, e solve.Edit) (*board.Panel, error) {
	cols, rows, pillar := e.Int("cols"), e.Int("rows"), e.On("pillar")
	symmetry := board.Symmetry(slices.Index(symmetries(), e.Values["symmetry"]))
	if err := board.CheckSize(cols, rows, pillar, symmetry); err != nil {
		return nil, fmt.Errorf("panel: %w", err)
	}
	q := board.New(cols, rows, pillar)
	q.Symmetry = symmetry
	var err error
	rules := e.Values["rules"]
	if options := strings.Trim(e.Values["options"], ", "); options != "" {
		rules += "," + options
	}
	if q.Rules, err = board.ParseRules(rules); err != nil {
		return nil, err
	}
	left, top := strings.Contains(e.Values["grows"], "left"), strings.Contains(e.Values["grows"], "top")
	for at := range p.Points() {
		s := *p.At(at)
		stays := image.Pt(grown(at.X, p.Cols, cols, left, false), grown(at.Y, p.Rows, rows, top, false))
		if stays.In(image.Rect(0, 0, q.Width(), q.Height())) {
			u := q.At(stays)
			s.Start, s.Cap = u.Start, u.Cap
			*u = s
		}
		s = *p.At(at)
		to := q.At(image.Pt(grown(at.X, p.Cols, cols, left, true), grown(at.Y, p.Rows, rows, top, true)))
		if to == nil || !s.Start && !s.IsEnd() {
			continue
		}
		to.Start = to.Start || s.Start
		if pillar && s.Cap.X != 0 { // over the border no more
			s.Cap = image.Pt(0, 1)
			if at.Y == 0 {
				s.Cap.Y = -1
			}
		}
		if s.IsEnd() {
			to.Cap = s.Cap
		}
	}
	return q, q.Valid()
}

// Hand tells how a panel's line is drawn by hand. nil: a panel whose line may
// begin or end on the middle of an edge.
func Hand(puzzle solve.Puzzle) *solve.Hand {
	p := board.Of(puzzle)
	if p == nil {
		return nil
	}
	l := &solve.Lattice{Cols: p.Cols, Rows: p.Rows, Pillar: p.Pillar, Tip: true}
	if p.Symmetry != board.NoSymmetry {
		l.Symmetry = p.Symmetry.String()
	}
	for at := range p.Points() {
		s := p.At(at)
		if board.IsEdge(at) && (s.Start || s.IsEnd()) {
			return nil
		}
		if s.Gap != board.Whole || s.Start || s.Cap != (image.Point{}) {
			l.Spots = append(l.Spots, solve.Spot{At: at, Gap: int(s.Gap), Start: s.Start, Cap: s.Cap})
		}
	}
	return &solve.Hand{Lattice: l}
}
