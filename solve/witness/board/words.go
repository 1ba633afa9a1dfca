package board

import (
	"fmt"
	"slices"
	"strings"
)

// A Word is one that a rule of columns may say, and what it means. Check and search carry
// the meaning out each by code of its own, the README has its text from here.
type Word struct {
	Column, Value string
	Means         string
	Wants         string // what else the rule must say for it to mean that; "": nothing
	fits          func(*Columns) bool
}

// Words are all of them, column by column.
func Words() []Word {
	rays := func(c *Columns) bool { return c.Scope == Ray || c.Scope == Rays }
	cells := func(c *Columns) bool { return c.Scope != Corners && c.Scope != Sides }
	is := func(p ...Pick) func(*Columns) bool {
		return func(c *Columns) bool { return slices.Contains(p, c.Pick) }
	}
	always := func(*Columns) bool { return true }
	const ofCells = "rule.scope of cells, not corners or sides"
	return []Word{
		{"scope", string(Ray), "from the cell in the symbol's direction to the border; round a pillar until it comes back", "", always},
		{"scope", string(Rays), "so in all four directions", "", always},
		{"scope", string(Corners), "the four corners of the cell", "", always},
		{"scope", string(Sides), "its four sides", "", always},
		{"scope", string(Next), "the four cells beside it", "", always},
		{"scope", string(Around), "the eight cells round it", "", always},
		{"scope", string(Cross), "the other cells of its row and its column", "", always},
		{"scope", string(Ahead), "all cells in the symbol's direction: a part of the panel beyond its row, its column or both", "", always},
		{"scope", string(All), "all other cells", "", always},

		{"pick", string(PickLine), "edges that a line covers, and nodes where a ray is slanting", "rule.scope \"ray\", \"rays\", \"corners\" or \"sides\"",
			func(c *Columns) bool { return rays(c) || !cells(c) }},
		{"pick", string(PickTurn), "corners at which a line turns", "rule.scope \"corners\"", func(c *Columns) bool { return c.Scope == Corners }},
		{"pick", string(PickSeen), "cells up to the first edge that a line covers, those that are no cells too", "rule.scope \"ray\" or \"rays\"", rays},
		{"pick", string(PickOwn), "cells of the symbol's region", ofCells, cells},
		{"pick", string(PickOther), "cells of other regions; what is no cell is in none", ofCells, cells},
		{"pick", string(PickSymbol), "other symbols of its region that are left, and erasers where the rule set counts them", ofCells, cells},

		{"until", string(Border), "", "", always},
		{"until", string(Hole), "a ray ends before what is no cell", "rays, and a rule.pick of cells or symbols",
			func(c *Columns) bool { return rays(c) && c.Pick != PickLine }},

		{"itself", "true", "its own cell, or itself, counts too", "a rule.pick of cells or symbols, and no rule.each",
			func(c *Columns) bool { return c.Pick != PickLine && c.Pick != PickTurn && !c.Each }},
		{"own_colour", "true", "symbols of its colour alone count, for one without a colour none; over the panel each colour is judged for itself",
			"rule.pick \"symbol\" or a test over the panel", func(c *Columns) bool { return c.Pick == PickSymbol || c.Test.Over() }},
		{"each", "true", "each ray passes the test by itself; over the panel what all of them count is compared", "rays, no rule.pick \"seen\" and no rule.test \"= sum\"",
			func(c *Columns) bool { return rays(c) && c.Pick != PickSeen && !c.Sums() }},
		{"stub", "true", "the cap of the end that was taken is a part of the line", "rule.pick \"turn\"", is(PickTurn)},

		{"fold", string(Count), "", "", always},
		{"fold", string(Lined), "whether all lie in the symbol's row, or all in its column; where there are none it is wrong",
			"rule.pick \"symbol\", rule.scope \"region\" and no rule.test", func(c *Columns) bool { return c.Pick == PickSymbol && c.Scope == All && c.Test == "" }},
		{"fold", string(SidesSet), "which sides, seen from its direction, upwards where it has none", "rule.pick \"line\", rule.scope \"sides\" and rule.test \"equal\" or \"once\"",
			func(c *Columns) bool {
				return c.Pick == PickLine && c.Scope == Sides && (c.Test == "equal" || c.Test == "once")
			}},

		{"test", "= n", "as many as the symbol's number, or as n is; `>=`, `<=` and `!=` likewise", "another rule.fold", func(c *Columns) bool { return c.Fold == Count }},
		{"test", "= sum", "as many as the numbers of all such symbols come to that are left in the region", "rule.pick \"own\"", is(PickOwn)},
		{"test", "equal", "the same for all such symbols of the panel, but for those that lie in no cell", "another rule.pick than \"symbol\"",
			func(c *Columns) bool { return c.Pick != PickSymbol }},
		{"test", "equal != 0", "so, and not 0", "another rule.pick than \"symbol\"", func(c *Columns) bool { return c.Pick != PickSymbol }},
		{"test", "once", "each side, seen from the direction, of exactly one of them", "rule.fold \"set\"", func(c *Columns) bool { return c.Fold == SidesSet }},
		{"test", "", "", "a test, or rule.fold \"lined\"", func(c *Columns) bool { return c.Fold == Lined }},
	}
}

// says is what a rule says in each column, in the order of Words.
func (c *Columns) says() [][2]string {
	all := [][2]string{{"pick", string(c.Pick)}, {"scope", string(c.Scope)}, {"until", string(c.Until)}, {"fold", string(c.Fold)}}
	for _, flag := range []struct {
		column string
		on     bool
	}{{"itself", c.Itself}, {"own_colour", c.OwnColour}, {"each", c.Each}, {"stub", c.Stub}} {
		if flag.on {
			all = append(all, [2]string{flag.column, "true"})
		}
	}
	return append(all, [2]string{"test", c.Test.form()})
}

// form is a test with n in place of a number, and = for what is like it.
func (t Test) form() string {
	op, n, _ := strings.Cut(string(t), " ")
	digit := len(n) == 1 && n[0] >= '0' && n[0] <= '9'
	if slices.Contains([]string{"=", ">=", "<=", "!="}, op) && (n == "n" || digit) {
		return "= n"
	}
	return string(t)
}

// Meaning is an error where a rule says what has no meaning; it begins with the key.
func (c *Columns) Meaning() error {
	words := Words()
	for _, said := range c.says() {
		var list []string
		var word *Word
		for i := range words {
			if w := &words[i]; w.Column == said[0] {
				if w.Value == said[1] {
					word = w
				} else if w.Value != "" {
					list = append(list, fmt.Sprintf("%q", w.Value))
				}
			}
		}
		got := fmt.Sprintf("%q", said[1])
		if said[1] == "true" {
			got = "true"
		} else if said[0] == "test" {
			got = fmt.Sprintf("%q", c.Test)
		}
		switch {
		case word == nil && len(list) > 1:
			last := len(list) - 1
			return fmt.Errorf("rule.%s is %s, want %s or %s", said[0], got, strings.Join(list[:last], ", "), list[last])
		case word == nil:
			return fmt.Errorf("rule.%s is %s, want %s", said[0], got, list[0])
		case !word.fits(c):
			return fmt.Errorf("rule.%s is %s, want %s", said[0], got, word.Wants)
		}
	}
	return nil
}
