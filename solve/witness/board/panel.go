// Package board is the data of The Witness: panels, their symbols and the rule sets
// that people use. It knows no room; all of them know it.
package board

import (
	"fmt"
	"image"
	"maps"
	"slices"
	"strings"

	"onlooker/solve"
)

// AlongEdge is the way along an edge, to the right or down.
func AlongEdge(at image.Point) image.Point {
	if at.X%2 == 0 {
		return image.Pt(0, 1)
	}
	return image.Pt(1, 0)
}

// Size is the number of columns and rows of cells.
func (p *Panel) Size() (cols, rows int) { return p.Cols, p.Rows }

// Features lists the kinds of symbols that the panel has, and what else is not
// on every panel.
func (p *Panel) Features() []string {
	has := map[string]bool{"pillar": p.Pillar, "symmetry": p.Symmetry != NoSymmetry}
	for at := range p.Points() {
		sp := p.At(at)
		if sp.Kind != NoSymbol {
			has[strings.ReplaceAll(sp.Kind.String(), " ", "-")] = true
		}
		has["dot"] = has["dot"] || sp.Dot.On
		has["cut"] = has["cut"] || sp.Gap != Whole
	}
	maps.DeleteFunc(has, func(_ string, is bool) bool { return !is })
	return slices.Sorted(maps.Keys(has))
}

// AddStart adds a start and its image; false where that is itself.
func (p *Panel) AddStart(at image.Point) bool {
	if p.Symmetry != NoSymmetry {
		image, ok := p.Image(at)
		if !ok || image == p.Wrap(at) {
			return false
		}
		p.At(image).Start = true
	}
	p.At(at).Start = true
	return true
}

func (p *Panel) AddEnd(at, cap image.Point) bool {
	if p.Symmetry != NoSymmetry {
		image, ok := p.Image(at)
		if !ok || image == p.Wrap(at) {
			return false
		}
		turned := cap
		switch p.Symmetry {
		case Mirror, Rotation:
			turned.X = -cap.X
		}
		switch p.Symmetry {
		case Flip, Rotation, Turned:
			turned.Y = -cap.Y
		}
		p.At(image).Cap = turned
	}
	p.At(at).Cap = cap
	return true
}

// Outward is a direction that leaves the panel, or an oblique one.
func (p *Panel) Outward(at image.Point) image.Point {
	for _, d := range Beside() {
		if !p.In(at.Add(d)) {
			return d
		}
	}
	return image.Pt(1, -1)
}

// A Colour is the name of a colour: a word such as "white", or "#rrggbb".
// Colours only ever compare equal or not.
type Colour string

// The colours that The Windmill knows.
const (
	Black   Colour = "black"
	White   Colour = "white"
	Cyan    Colour = "cyan"
	Magenta Colour = "magenta"
	Yellow  Colour = "yellow"
	Red     Colour = "red"
	Green   Colour = "green"
	Blue    Colour = "blue"
	Orange  Colour = "orange"
)

// A Gap says whether an edge or a node is all there.
type Gap uint8

// Gaps. Neither a broken nor a missing edge can be crossed by a line, and
// neither separates the cells beside it.
const (
	Whole   Gap = iota
	Broken      // drawn with a gap in it
	Missing     // not drawn
)

// A Symbol is what a cell holds. The zero Symbol is an empty cell.
type Symbol struct {
	Kind   Kind
	Colour Colour
	Count  int         // of a kind that comes in numbers
	Way    image.Point // of a kind that has a direction, each -1..1
	// Shape lists the squares of a piece as offsets, in reading order, the
	// least x and y being 0. It must not be changed.
	Shape []image.Point
	// Turnable says that the piece may be turned by quarter turns (drawn
	// tilted); otherwise it stands as it is drawn.
	Turnable bool
}

// A Line says which of two symmetric lines must cover a dot.
type Line uint8

// Lines.
const (
	AnyLine   Line = iota // a black dot
	OwnLine               // the player's line (blue on witnesspuzzles.com)
	OtherLine             // the mirror image (yellow there)
)

// A Dot is a hexagon on a node or an edge. The zero Dot is no dot.
type Dot struct {
	On        bool
	Line      Line
	Invisible bool
	Colour    Colour // as seen; "" is black. Rules go by Line, not by Colour.
}

// A Spot is one half-cell of a panel: a node, an edge or a cell.
type Spot struct {
	Gap   Gap         // nodes and edges; a node may be missing too
	Start bool        // nodes and edges
	Cap   image.Point // direction of the end cap here, each -1..1; (0,0): no end
	Dot   Dot         // nodes and edges
	Symbol
}

// IsEnd tells whether a line may end here.
func (s *Spot) IsEnd() bool { return s.Cap != image.Point{} }

// LoneEnd tells whether an end's image, on a symmetric panel, is none.
func (p *Panel) LoneEnd(at image.Point) bool {
	q, ok := p.Image(at)
	return p.Symmetry != NoSymmetry && p.At(at).IsEnd() && ok && !p.At(q).IsEnd()
}

// A Symmetry maps a panel onto itself; the second line is the image of the
// player's. With W columns and H rows of cells, in half-cells:
type Symmetry uint8

// The symmetries. Mirror, Flip and Rotation on a flat panel are what The
// Windmill calls horizontal, vertical and rotational.
const (
	NoSymmetry Symmetry = iota
	Mirror              // flat: (2W-x, y); pillar: (W-x, y)
	Flip                // (x, 2H-y)
	Rotation            // flat: (2W-x, 2H-y); pillar: (W-x, 2H-y)
	Parallel            // pillar: (x+W, y); flat: (x+W+1 mod 2W+2, y), W odd
	Turned              // as Parallel, and y to 2H-y
)

// A Panel is one panel of The Witness. It is made with New and changed only by
// its maker, before anybody else sees it.
type Panel struct {
	Cols, Rows int  // cells
	Pillar     bool // x wraps round: half-cell column 2*Cols is column 0
	Symmetry   Symmetry
	Rules      RuleSet
	// Stated are the rules that its own text or picture is under, where others are asked for.
	Stated RuleSet
	// Spots holds Width × Height half-cells, row by row.
	Spots []Spot
	// Wire is what a form of text keeps beside a panel, so as to write it as it was
	// read; nobody else looks at it.
	Wire any
}

// New returns an empty panel of cols × rows cells under the rules of the game.
func New(cols, rows int, pillar bool) *Panel {
	p := &Panel{Cols: cols, Rows: rows, Pillar: pillar, Rules: Game}
	p.Spots = make([]Spot, p.Width()*p.Height())
	return p
}

// Width is the number of half-cell columns: 2*Cols+1, and 2*Cols on a pillar.
func (p *Panel) Width() int {
	if p.Pillar {
		return 2 * p.Cols
	}
	return 2*p.Cols + 1
}

// Around is the number of half-cell columns round a pillar; 0: it is none.
func (p *Panel) Around() int {
	if p.Pillar {
		return p.Width()
	}
	return 0
}

// Height is the number of half-cell rows, 2*Rows+1.
func (p *Panel) Height() int { return 2*p.Rows + 1 }

// Wrap brings a position of a pillar into 0 ≤ x < Width; elsewhere it is the
// identity.
func (p *Panel) Wrap(at image.Point) image.Point {
	if p.Pillar {
		if at.X %= p.Width(); at.X < 0 {
			at.X += p.Width()
		}
	}
	return at
}

// In tells whether a position, wrapped, is on the panel.
func (p *Panel) In(at image.Point) bool {
	at = p.Wrap(at)
	return at.X >= 0 && at.X < p.Width() && at.Y >= 0 && at.Y < p.Height()
}

// At returns the spot at a position, wrapped on a pillar; nil outside.
func (p *Panel) At(at image.Point) *Spot {
	at = p.Wrap(at)
	if at.X < 0 || at.X >= p.Width() || at.Y < 0 || at.Y >= p.Height() {
		return nil
	}
	return &p.Spots[at.Y*p.Width()+at.X]
}

// Points yields the positions of all half-cells in reading order.
func (p *Panel) Points() func(yield func(image.Point) bool) {
	return func(yield func(image.Point) bool) {
		for y := range p.Height() {
			for x := range p.Width() {
				if !yield(image.Pt(x, y)) {
					return
				}
			}
		}
	}
}

// Beside are the ways to the four half-cells beside one.
func Beside() [4]image.Point { return [4]image.Point{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}} }

// IsNode, IsEdge and IsCell tell what a half-cell is by its parity.
func IsNode(at image.Point) bool { return at.X&1 == 0 && at.Y&1 == 0 }

// IsEdge tells whether at is the middle of an edge.
func IsEdge(at image.Point) bool { return at.X&1 != at.Y&1 }

// IsCell tells whether at is the centre of a cell.
func IsCell(at image.Point) bool { return at.X&1 == 1 && at.Y&1 == 1 }

// Image is where the panel's symmetry maps a position (node, edge or cell),
// and false where that is off the panel (the middle of a flat Parallel panel)
// or there is no symmetry.
func (p *Panel) Image(at image.Point) (image.Point, bool) {
	at = p.Wrap(at)
	w, h := p.Cols, p.Rows
	switch p.Symmetry {
	case Mirror, Rotation:
		if p.Pillar {
			at.X = w - at.X
		} else {
			at.X = 2*w - at.X
		}
	case Parallel, Turned:
		if p.Pillar {
			at.X += w
		} else {
			at.X = (at.X + w + 1) % (2*w + 2)
		}
	}
	switch p.Symmetry {
	case Flip, Rotation, Turned:
		at.Y = 2*h - at.Y
	}
	return p.Wrap(at), p.Symmetry != NoSymmetry && p.In(at)
}

// Clone returns a deep copy that its owner may change (shapes are shared).
func (p *Panel) Clone() *Panel {
	q := *p
	q.Spots = slices.Clone(p.Spots)
	return &q
}

// Bounds is the area that a line may touch: the panel, and a half-cell around
// it wherever an end cap sticks out.
func (p *Panel) Bounds() image.Rectangle {
	r := image.Rect(0, 0, p.Width(), p.Height())
	for at := range p.Points() {
		if s := p.At(at); s.IsEnd() {
			tip := at.Add(s.Cap)
			r = r.Union(image.Rectangle{Min: tip, Max: tip.Add(image.Pt(1, 1))})
		}
	}
	return r
}

// Board is the panel itself; what embeds a panel has it too.
func (p *Panel) Board() *Panel { return p }

// A Bearer is a puzzle that is a panel, or bears one.
type Bearer interface{ Board() *Panel }

// Of is the panel of a puzzle; nil: it has none.
func Of(puzzle any) *Panel {
	if h, ok := puzzle.(Bearer); ok {
		return h.Board()
	}
	return nil
}

// Outside marks, by half-cell, the cells that missing edges join to the outside,
// and those edges.
func (p *Panel) Outside() []bool {
	outside := make([]bool, len(p.Spots))
	index := func(at image.Point) int { at = p.Wrap(at); return at.Y*p.Width() + at.X }
	var queue []image.Point
	visit := func(edge image.Point) {
		if p.At(edge).Gap != Missing || outside[index(edge)] {
			return
		}
		outside[index(edge)] = true
		for _, d := range Beside() {
			if cell := edge.Add(d); p.In(cell) && IsCell(cell) && !outside[index(cell)] {
				outside[index(cell)] = true
				queue = append(queue, cell)
			}
		}
	}
	for at := range p.Points() {
		onBorder := at.Y == 0 || at.Y == p.Height()-1 || !p.Pillar && (at.X == 0 || at.X == p.Width()-1)
		if IsEdge(at) && onBorder {
			visit(at)
		}
	}
	for len(queue) > 0 {
		cell := queue[0]
		queue = queue[1:]
		for _, d := range Beside() {
			visit(cell.Add(d))
		}
	}
	return outside
}

// MaxSide bounds the cells of a side in everything that is decoded; the
// largest known panels have 12. It keeps a broken count from taking the
// machine's memory.
const MaxSide = 100

// CheckSize says whether a panel may have this size and symmetry.
func CheckSize(cols, rows int, pillar bool, symmetry Symmetry) error {
	least := 1
	if pillar {
		least = 2 // on one column an edge would join a node to itself
	}
	if cols < least || cols > MaxSide {
		return fmt.Errorf("%d columns, want %d to %d", cols, least, MaxSide)
	}
	if rows < 1 || rows > MaxSide {
		return fmt.Errorf("%d rows, want 1 to %d", rows, MaxSide)
	}
	// The image of a node must be a node.
	switch {
	case pillar && symmetry != NoSymmetry && symmetry != Flip && cols%2 == 1:
		return fmt.Errorf("%d columns under %s symmetry on a pillar, want an even number", cols, symmetry)
	case !pillar && (symmetry == Parallel || symmetry == Turned) && cols%2 == 0:
		return fmt.Errorf("%d columns under %s symmetry on a flat panel, want an odd number", cols, symmetry)
	case symmetry > Turned:
		return fmt.Errorf("symmetry %d, want 0 to %d", symmetry, Turned)
	}
	return nil
}

// Valid says what is wrong with a panel that was made by hand: its size, a
// symbol on an edge, a start in a cell, a colour or a shape that cannot be
// written. All decoders return valid panels only.
func (p *Panel) Valid() error {
	if err := CheckSize(p.Cols, p.Rows, p.Pillar, p.Symmetry); err != nil {
		return fmt.Errorf("panel: %w", err)
	}
	if len(p.Spots) != p.Width()*p.Height() {
		return fmt.Errorf("panel: %d half-cells, want %d×%d", len(p.Spots), p.Width(), p.Height())
	}
	if r, err := ParseRules(p.Rules.String()); err != nil || r != p.Rules {
		return fmt.Errorf("panel: rule set %q: %v", p.Rules, err)
	}
	for at := range p.Points() {
		if err := p.At(at).Valid(at); err != nil {
			return fmt.Errorf("panel: at %s: %w", solve.PlaceName(at), err)
		}
	}
	return nil
}

func (s *Spot) Valid(at image.Point) error {
	if IsCell(at) {
		if s.Gap != Whole || s.Start || s.IsEnd() || s.Dot.On {
			return fmt.Errorf("a gap, start, end or dot in a cell")
		}
		return s.Symbol.valid()
	}
	if s.Kind != NoSymbol {
		return fmt.Errorf("a %s outside the cells", s.Kind)
	}
	if s.Gap > Missing || s.Gap == Broken && IsNode(at) {
		return fmt.Errorf("gap %d, want whole or missing on a node, or broken on an edge", s.Gap)
	}
	if c := s.Cap; c.X < -1 || c.X > 1 || c.Y < -1 || c.Y > 1 {
		return fmt.Errorf("end cap towards (%d,%d), want each -1 to 1", c.X, c.Y)
	}
	if s.Dot.On && s.Dot.Line > OtherLine {
		return fmt.Errorf("dot of line %d, want 0 to %d", s.Dot.Line, OtherLine)
	}
	if s.Dot.On && s.Dot.Colour != "" && !GoodColour(s.Dot.Colour) {
		return fmt.Errorf("dot of colour %q, want a word of small letters or #rrggbb", s.Dot.Colour)
	}
	return nil
}

func (s *Symbol) valid() error {
	if s.Kind == NoSymbol {
		return nil
	}
	a := s.Kind.About()
	switch {
	case a.OnLine:
		return fmt.Errorf("a %s in a cell", s.Kind)
	case (s.Colour != "" || a.Needs) && !GoodColour(s.Colour):
		return fmt.Errorf("%s of colour %q, want a word of small letters or #rrggbb", s.Kind, s.Colour)
	case a.Most > 0 && (s.Count < a.Least() || s.Count > a.Most):
		return fmt.Errorf("%d %ss, want %d to %d", s.Count, s.Kind, a.Least(), a.Most)
	case a.Ways > 0 && !slices.Contains(Directions(a.Ways), s.Way):
		return fmt.Errorf("%s towards (%d,%d), want one of %d directions", s.Kind, s.Way.X, s.Way.Y, a.Ways)
	case a.Squares == 0:
	case len(s.Shape) == 0:
		return fmt.Errorf("%s without squares", s.Kind)
	case !slices.Equal(s.Shape, NormalShape(s.Shape)):
		return fmt.Errorf("%s with squares %v, want offsets from 0 in reading order, each once", s.Kind, s.Shape)
	}
	return nil
}

// MaxShape bounds the sides of a piece, so that a panel's text stays readable.
const MaxShape = MaxSide

// NormalShape moves a shape to where its least x and y are 0, sorts it into
// reading order and drops doubles.
func NormalShape(shape []image.Point) []image.Point {
	out := slices.Clone(shape)
	if len(out) == 0 {
		return out
	}
	least := out[0]
	for _, p := range out {
		least.X, least.Y = min(least.X, p.X), min(least.Y, p.Y)
	}
	for i := range out {
		out[i] = out[i].Sub(least)
	}
	slices.SortFunc(out, func(a, b image.Point) int {
		if a.Y != b.Y {
			return a.Y - b.Y
		}
		return a.X - b.X
	})
	return slices.Compact(out)
}

// words that cannot name a colour, because they mean something in the text.
var reserved = append(words(Kinds()), "turned", "colourless", "own", "other", "invisible", "start", "end", "broken", "missing")

// GoodColour tells whether a colour is a word of small letters, or #rrggbb.
func GoodColour(c Colour) bool {
	if hex, ok := strings.CutPrefix(string(c), "#"); ok {
		return len(hex) == 6 && strings.Trim(hex, "0123456789abcdef") == ""
	}
	for _, r := range c {
		if r < 'a' || r > 'z' {
			return false
		}
	}
	return c != "" && len(c) <= 40 && !slices.Contains(reserved, string(c))
}

// String is the symmetry's word in the text form.
func (s Symmetry) String() string {
	return [...]string{"no", "mirror", "flip", "rotation", "parallel", "turned"}[min(int(s), 5)]
}
