package witness

import (
	"fmt"
	"image"
	"slices"
	"strings"

	"onlooker/solve"
)

// maxPiece is the side of the grid in which the editor draws pieces.
const maxPiece = 5

// Editor changes panels by hand.
var Editor = NewEditor(Kinds())

// NewEditor is the editor with a tool for each of these kinds of symbols.
func NewEditor(kinds []Kind) solve.Editor {
	return solve.Editor{
		Blank: func(cols, rows int) (solve.Puzzle, error) {
			if err := checkSize(cols, rows, false, NoSymmetry); err != nil {
				return nil, fmt.Errorf("panel: %w", err)
			}
			p := New(cols, rows, false)
			p.At(image.Pt(0, 2*rows)).Start = true
			p.At(image.Pt(2*cols, 0)).Cap = image.Pt(1, 0)
			return p, nil
		},
		Tools:  func(p solve.Puzzle) []solve.Tool { return p.(*Panel).tools(kinds) },
		Places: func(p solve.Puzzle) []solve.Place { return p.(*Panel).places() },
		Apply:  func(p solve.Puzzle, e solve.Edit) (solve.Puzzle, error) { return p.(*Panel).edit(e, kinds) },
	}
}

func symmetries() []string {
	var names []string
	for s := NoSymmetry; s <= Turned; s++ {
		names = append(names, s.String())
	}
	return names
}

// colourField is one for the colours that people use most, or any other.
func colourField(c Colour) solve.Field {
	return solve.Field{Name: "colour", Label: "colour", Kind: solve.Colour, Value: string(c), Choices: []string{
		string(Black), string(White), string(Cyan), string(Magenta), string(Yellow), string(Red), string(Green), string(Blue), string(Orange), "purple"}}
}

func (p *Panel) tools(kinds []Kind) []solve.Tool {
	line := []string{"node", "edge"}
	ways := []string{"auto"}
	for _, d := range directions {
		ways = append(ways, d.name)
	}
	list := []solve.Tool{p.boardTool(),
		{Name: "start", Label: "Start", Mark: "●", On: line, Takes: 1, Doc: "where a line may begin; under symmetry its image, too"},
		{Name: "end", Label: "End", Mark: "◗", On: line, Takes: 1, Doc: "where a line may end; again: towards the next side, and then none", Fields: []solve.Field{
			{Name: "way", Label: "towards", Kind: solve.Choice, Choices: ways, Value: "auto"}}},
		{Name: "broken", Label: "Gap", Mark: "╌", On: []string{"edge"}, Takes: 1, Doc: "an edge that no line crosses"},
		{Name: "missing", Label: "Missing", Mark: "␣", On: line, Takes: 1, Doc: "an edge or a node that is not there"},
	}
	for _, k := range kinds {
		list = append(list, symbolTool(k))
	}
	return append(list, solve.Tool{Name: "clear", Label: "Clear", Mark: "✕", On: []string{"cell", "node", "edge"}, Takes: 1, Doc: "takes everything away"})
}

// toolName is the name of the tool for a kind: one word.
func toolName(k Kind) string { return strings.ReplaceAll(k.about().name, " ", "-") }

// symbolTool puts symbols of a kind down.
func symbolTool(k Kind) solve.Tool {
	a := k.about()
	// The mark of a kind that has none here is its first letter.
	mark, ok := map[string]string{"dot": "⬢", "square": "■", "star": "✸", "triangle": "▲", "piece": "▙", "negative-piece": "▚", "eraser": "Y"}[toolName(k)]
	if !ok {
		mark = a.name[:1]
	}
	t := solve.Tool{Name: toolName(k), Label: strings.ToUpper(a.name[:1]) + a.name[1:], Mark: mark, On: []string{"cell"}, Takes: 1, Doc: a.rule.Doc}
	if a.onLine {
		t.On = []string{"node", "edge"}
		t.Fields = append(t.Fields,
			solve.Field{Name: "line", Label: "by", Kind: solve.Choice, Choices: []string{"any line", "the player's", "the other"}, Value: "any line"},
			solve.Field{Name: "invisible", Label: "invisible", Kind: solve.Flag})
	}
	if a.most > 0 {
		t.Fields = append(t.Fields, solve.NumberField("count", "number", 1, 1, a.most))
	}
	if a.squares != 0 {
		t.Fields = append(t.Fields,
			solve.Field{Name: "shape", Label: "squares", Kind: solve.Squares, Most: maxPiece, Value: "##/.#"},
			solve.Field{Name: "turned", Label: "may be turned", Kind: solve.Flag})
	}
	implied := a.implied
	if implied == "" {
		implied = Black
	}
	t.Fields = append(t.Fields, colourField(implied))
	return t
}

// grownSides is at which sides a panel grows and shrinks.
func grownSides() []string {
	return []string{"right and bottom", "left and bottom", "right and top", "left and top"}
}

// boardTool changes what concerns the whole panel.
func (p *Panel) boardTool() solve.Tool {
	var rules []string
	for _, set := range RuleSets() {
		rules = append(rules, set.Name)
	}
	name, options, _ := strings.Cut(p.Rules.String(), ",")
	return solve.Tool{Name: "board", Label: "Panel", Fields: []solve.Field{
		solve.NumberField("cols", "wide", p.Cols, 1, maxSide), solve.NumberField("rows", "high", p.Rows, 1, maxSide),
		{Name: "pillar", Label: "pillar", Kind: solve.Flag, Value: solve.FlagOf(p.Pillar)},
		{Name: "symmetry", Label: "symmetry", Kind: solve.Choice, Choices: symmetries(), Value: p.Symmetry.String()},
		{Name: "rules", Label: "rules of", Kind: solve.Choice, Choices: rules, Value: name},
		{Name: "options", Label: "but", Kind: solve.Words, Value: options},
		{Name: "grows", Label: "grows at the", Kind: solve.Choice, Choices: grownSides(), Value: grownSides()[0]}}}
}

func (p *Panel) places() []solve.Place {
	var list []solve.Place
	for at := range p.Points() {
		place := solve.Place{At: at, Kind: "edge"}
		switch {
		case IsCell(at):
			place.Kind = "cell"
		case IsNode(at):
			place.Kind = "node"
		}
		if s := p.At(at); !IsCell(at) || s.Kind != NoSymbol {
			place.Says = describe(at, s)
		}
		list = append(list, place)
	}
	return list
}

// symbol is what a tool puts into a cell.
func symbol(k Kind, e solve.Edit) (Symbol, error) {
	s := Symbol{Kind: k, Colour: Colour(e.Values["colour"])}
	a := k.about()
	if a.most > 0 {
		s.Count = e.Int("count")
	}
	if a.squares != 0 {
		s.Turnable = e.On("turned")
		var err error
		if s.Shape, err = ParseShape(e.Values["shape"]); err != nil {
			return s, err
		}
	}
	return s, nil
}

// dot is what a tool puts on a line.
func dot(e solve.Edit) Dot {
	d := Dot{On: true, Invisible: e.On("invisible")}
	switch e.Values["line"] {
	case "the player's":
		d.Line = OwnLine
	case "the other":
		d.Line = OtherLine
	}
	if c := Colour(e.Values["colour"]); c != Black {
		d.Colour = c
	}
	return d
}

func (p *Panel) edit(e solve.Edit, kinds []Kind) (*Panel, error) {
	if e.Tool == "board" {
		return p.remade(e)
	}
	q := p.Clone()
	q.wire = nil // how a link wrote another panel
	at := e.At[0]
	s := q.At(at)
	switch e.Tool {
	case "start":
		q.both(at, func(s *Spot, _ image.Point) { s.Start = !p.At(at).Start })
	case "end":
		way := p.nextCap(at, e.Values["way"])
		q.both(at, func(s *Spot, image image.Point) { s.Cap = q.imageOf(way, image != at) })
	case "broken", "missing":
		gap := Broken
		if e.Tool == "missing" {
			gap = Missing
		}
		if s.Gap == gap {
			gap = Whole
		}
		s.Gap = gap
	case "clear":
		if s.Start || s.IsEnd() {
			q.both(at, func(s *Spot, _ image.Point) { s.Start, s.Cap = false, image.Point{} })
		}
		*s = Spot{}
	default:
		k := kinds[slices.IndexFunc(kinds, func(k Kind) bool { return toolName(k) == e.Tool })]
		if k.about().onLine {
			put := dot(e)
			if s.Dot == put {
				put = Dot{}
			}
			s.Dot = put
			break
		}
		put, err := symbol(k, e)
		if err != nil {
			return nil, fmt.Errorf("panel: %w", err)
		}
		if s.Kind == k && s.describe() == put.describe() {
			put = Symbol{}
		}
		s.Symbol = put
	}
	return q, q.Valid()
}

// both changes a spot and, under symmetry, its image.
func (p *Panel) both(at image.Point, change func(s *Spot, at image.Point)) {
	change(p.At(at), at)
	if to, ok := p.Image(at); ok && to != at {
		change(p.At(to), to)
	}
}

// imageOf is a direction as the panel's symmetry has it.
func (p *Panel) imageOf(way image.Point, mirrored bool) image.Point {
	if !mirrored {
		return way
	}
	switch p.Symmetry {
	case Mirror, Rotation:
		way.X = -way.X
	}
	switch p.Symmetry {
	case Flip, Rotation, Turned:
		way.Y = -way.Y
	}
	return way
}

// nextCap is where the end at a place points after the tool was used on it: as
// asked, or in turn towards the sides where no edge leads; none at last.
func (p *Panel) nextCap(at image.Point, asked string) image.Point {
	now := p.At(at).Cap
	var ways []image.Point
	for _, d := range directions {
		if d.name == asked {
			if now == d.cap {
				return image.Point{}
			}
			return d.cap
		}
		straight := d.cap.X == 0 || d.cap.Y == 0
		if next := p.At(at.Add(d.cap)); straight && (next == nil || IsNode(at) && next.Gap == Missing || IsEdge(at) && IsCell(at.Add(d.cap))) {
			ways = append(ways, d.cap)
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
func (p *Panel) remade(e solve.Edit) (*Panel, error) {
	cols, rows, pillar := e.Int("cols"), e.Int("rows"), e.On("pillar")
	symmetry := Symmetry(slices.Index(symmetries(), e.Values["symmetry"]))
	if err := checkSize(cols, rows, pillar, symmetry); err != nil {
		return nil, fmt.Errorf("panel: %w", err)
	}
	q := New(cols, rows, pillar)
	q.Symmetry = symmetry
	var err error
	rules := e.Values["rules"]
	if options := strings.Trim(e.Values["options"], ", "); options != "" {
		rules += "," + options
	}
	if q.Rules, err = ParseRules(rules); err != nil {
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
