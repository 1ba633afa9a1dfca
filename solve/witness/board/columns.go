package board

import (
	"image"
	"strconv"
	"strings"
)

// Columns are the rule of a kind as data: what is counted, where, and what the count
// must be. The zero value of each is the usual. Of a symbol with such a rule no room
// has a row: each reads the columns.
type Columns struct {
	Scope Scope
	Pick  Pick
	Until RayEnd
	// Itself counts the symbol, or its own cell, too.
	Itself bool
	// OwnColour picks symbols of the symbol's colour alone.
	OwnColour bool
	// Each wants the test of every ray by itself.
	Each bool
	// Stub counts the end's cap as a part of the line.
	Stub bool
	Fold Fold
	Test Test
}

// A Scope is where is looked.
type Scope string

// The scopes.
const (
	Ray     Scope = "ray"     // from the cell in the symbol's direction
	Rays    Scope = "rays"    // from the cell in all four
	Corners Scope = "corners" // of the cell
	Sides   Scope = "sides"   // of the cell
	Next    Scope = "beside"  // the four cells beside it
	Around  Scope = "around"  // the eight round it
	Cross   Scope = "cross"   // its row and its column
	Ahead   Scope = "ahead"   // all that lies in its direction: half of the panel, or a quarter
	All     Scope = "region"  // everywhere
)

// A Pick is what is counted there.
type Pick string

// The picks.
const (
	PickLine   Pick = "line"   // edges and nodes that a line covers
	PickTurn   Pick = "turn"   // nodes at which a line turns
	PickSeen   Pick = "seen"   // cells up to the first edge that a line covers
	PickOwn    Pick = "own"    // cells of the symbol's region
	PickOther  Pick = "other"  // cells of other regions
	PickSymbol Pick = "symbol" // symbols of the symbol's region
)

// A RayEnd is where a ray ends, beside at the border.
type RayEnd string

// The ends of rays.
const (
	Border RayEnd = ""     // nowhere before
	Hole   RayEnd = "hole" // before a cell that is no cell
)

// A Fold is what is made of what was picked.
type Fold string

// The folds.
const (
	Count    Fold = ""      // how many
	Lined    Fold = "lined" // whether all lie in the symbol's row, or all in its column, and not both
	SidesSet Fold = "set"   // which sides, seen from the symbol's direction
)

// A Test is what the fold must be: "= n", ">= 1", "!= 0", "= sum", "equal", "once".
type Test string

// Over tells whether the test is of all symbols of the kind on the panel.
func (t Test) Over() bool { return strings.HasPrefix(string(t), "equal") || t == "once" }

// Met tells whether a count passes, where the symbol's number is n. "equal != 0" is
// "!= 0" for each.
func (t Test) Met(count, n int) bool {
	op, want, _ := strings.Cut(strings.TrimPrefix(string(t), "equal "), " ")
	to := n
	if v, err := strconv.Atoi(want); err == nil {
		to = v
	}
	switch op {
	case "=":
		return count == to
	case ">=":
		return count >= to
	case "<=":
		return count <= to
	case "!=":
		return count != to
	}
	return true
}

// Ways are the directions in which the symbol looks; (0,0) alone where it does in
// none.
func (c *Columns) Ways(way image.Point) []image.Point {
	switch c.Scope {
	case Ray, Ahead:
		return []image.Point{way}
	case Rays:
		ways := Beside()
		return ways[:]
	}
	return []image.Point{{}}
}

// Sums tells whether the symbols of a region are judged by their numbers' sum.
func (c *Columns) Sums() bool { return c.Test == "= sum" }

// ByLine tells whether the line alone decides, whatever else stands on the panel.
func (c *Columns) ByLine() bool { return c.Pick != PickSymbol && !c.Sums() && !c.Test.Over() }

// ByRegion tells whether it matters what the symbol's region is.
func (c *Columns) ByRegion() bool {
	return c.Pick == PickOwn || c.Pick == PickOther || c.Pick == PickSymbol
}

// A Figure is the shape of a kind, as polygons in units of half the square between
// two lines, x to the right and y down. A kind with a direction points right.
type Figure struct {
	Once [][]Vec // drawn once
	Each [][]Vec // drawn as often as its number says, as Count has it
	// Count is how: "steps" in up to three rows, "row" across the direction, "heads"
	// one behind the other, "digit" beside; "": once.
	Count string
	Back  float64 // of heads: from one to the next
	Shift float64 // of heads: forward, slanting, for each more
	// Places are where parts stand, for one, two and so on, in place of what Count says.
	Places [][]Vec
	// Mark stands for it in a terminal and in the editor.
	Mark string
}

// A Vec is a place of a figure.
type Vec struct{ X, Y float64 }

// Step is the distance of what a figure is drawn of, from the middle.
const Step = 0.3199

// Places are where n parts stand that are drawn by steps.
func Places(n int) (all []Vec) {
	rows := map[int][]int{1: {1}, 2: {2}, 3: {3}, 4: {2, 2}, 5: {2, 3}, 6: {3, 3}, 7: {2, 3, 2}, 8: {3, 2, 3}, 9: {3, 3, 3}}[n]
	for r, wide := range rows {
		y := Step * float64(2*r-len(rows)+1)
		for i := range wide {
			all = append(all, Vec{Step * float64(2*i-wide+1), y})
		}
	}
	return all
}
