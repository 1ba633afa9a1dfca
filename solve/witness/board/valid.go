package board

import (
	"fmt"
	"image"
	"slices"
	"strings"

	"onlooker/solve"
)

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
