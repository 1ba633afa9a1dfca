package witness

import (
	"fmt"
	"maps"
	"slices"

	"onlooker/calibrations"
	witness "onlooker/solve/witness/board"
)

// Sizes are those of what stands in cells and on lines, in a look. Lengths are
// ratios of the pitch, unless they say something else.
type Sizes struct {
	Square          float64    // side
	Star            float64    // tip to tip
	Block           float64    // side of one square of a polyomino
	Spacing         float64    // between the centres of those
	Triangle        [2]float64 // width and height
	TriangleSpacing float64
	TriangleRise    float64 // of the row above the cell's centre
	Hexagon         float64 // width of a dot, in line widths
	HexagonHeight   float64 // of its width
	Eraser          float64 // across
	// What follows is how the shapes are made; 0 is the game's own way.
	SquareCorner float64 // radius of its corners, in sides; 0.3
	StarNotch    float64 // radius of its notches, in that of its tips; 0.771
	BlueBlock    float64 // side of one square of a blue piece; as Block
	Tilt         float64 // of turnable pieces to the left, in degrees; 15
	TriangleRows float64 // from row to row of more than three; 1.3 of their height
	EraserUp     bool    // its stem points up
	Unit         float64 // of shapes that symbols bring; 0.42
}

// A size is a value of Sizes as a profile has it.
type size struct {
	name        string // in a profile
	to          any    // where it is: *float64, *[2]float64 or *bool
	least, most float64
}

func (z *Sizes) all() []size {
	return []size{
		{"square", &z.Square, 0.05, 1},
		{"star", &z.Star, 0.05, 1},
		{"block", &z.Block, 0.02, 0.5},
		{"spacing", &z.Spacing, z.Block, 0.5},
		{"triangle", &z.Triangle, 0.02, 0.6},
		{"triangle_spacing", &z.TriangleSpacing, z.Triangle[0], 0.6},
		{"triangle_rise", &z.TriangleRise, -0.3, 0.3},
		{"hexagon", &z.Hexagon, 0.2, 3},
		{"hexagon_height", &z.HexagonHeight, 0.3, 2},
		{"eraser", &z.Eraser, 0.05, 1},
		{"square_corner", &z.SquareCorner, 0, 0.5},
		{"star_notch", &z.StarNotch, 0, 1},
		{"blue_block", &z.BlueBlock, 0, 0.5},
		{"tilt", &z.Tilt, -45, 45},
		{"triangle_rows", &z.TriangleRows, 0, 0.6},
		{"eraser_up", &z.EraserUp, 0, 1},
		{"unit", &z.Unit, 0, 0.5},
	}
}

// set takes a profile's value; false where it is of another type.
func (s size) set(v any) (ok bool) {
	number := func(v any, to *float64) bool {
		switch v := v.(type) {
		case float64:
			*to = v
		case int64:
			*to = float64(v)
		default:
			return false
		}
		return true
	}
	switch to := s.to.(type) {
	case *bool:
		*to, ok = v.(bool)
	case *float64:
		ok = number(v, to)
	case *[2]float64:
		list, _ := v.([]any)
		ok = len(list) == 2 && number(list[0], &to[0]) && number(list[1], &to[1])
	}
	return ok
}

// wanted is the type of value that a profile has for it.
func (s size) wanted() string {
	switch s.to.(type) {
	case *bool:
		return "true or false"
	case *[2]float64:
		return "a pair of numbers"
	}
	return "a number"
}

// bounded says whether it is out of its bounds.
func (s size) bounded() error {
	var all []float64
	switch to := s.to.(type) {
	case *float64:
		all = []float64{*to}
	case *[2]float64:
		all = to[:]
	}
	for _, v := range all {
		// Written so that NaN fails too.
		if !(v >= s.least && v <= s.most) {
			return fmt.Errorf("symbols.%s is %g, want %g to %g", s.name, v, s.least, s.most)
		}
	}
	return nil
}

// SizesOf are the sizes that a look has. What CheckLook refuses in it is 0.
func SizesOf(symbols calibrations.Symbols) (z Sizes) {
	for _, s := range z.all() {
		if v, ok := symbols[s.name]; ok {
			s.set(v)
		}
	}
	return z
}

// checkKinds says which of a look's kinds, or of the shapes that it has of its own, there
// is not.
func checkKinds(look *calibrations.Profile, known []witness.Kind) error {
	for _, name := range append(slices.Sorted(maps.Keys(look.Shapes)), look.Kinds...) {
		if name != calibrations.AnyKind && !slices.ContainsFunc(known, func(k witness.Kind) bool { return k.String() == name && k.About().Figure != nil }) {
			return fmt.Errorf("kinds has %q, want names of symbols that bring a shape, or %q", name, calibrations.AnyKind)
		}
	}
	return nil
}

// CheckLook says what is wrong with a look's rules, kinds and sizes, by their key. Kinds
// that the program has not of itself are given.
func CheckLook(look *calibrations.Profile, more ...witness.Kind) error {
	var z Sizes
	if look.Rules != "" {
		if _, err := witness.ParseRules(look.Rules); err != nil {
			return fmt.Errorf("rules: %w", err)
		}
	}
	if err := checkKinds(look, append(witness.Kinds(), more...)); err != nil {
		return err
	}
	known := z.all()
	for _, name := range slices.Sorted(maps.Keys(look.Symbols)) {
		i := slices.IndexFunc(known, func(s size) bool { return s.name == name })
		if i < 0 {
			return fmt.Errorf("unknown key symbols.%s", name)
		}
		if !known[i].set(look.Symbols[name]) {
			return fmt.Errorf("symbols.%s is %v, want %s", name, look.Symbols[name], known[i].wanted())
		}
	}
	for _, s := range z.all() { // anew: some bounds are others' sizes
		if err := s.bounded(); err != nil {
			return err
		}
	}
	return nil
}
