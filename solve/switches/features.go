package switches

import (
	"maps"
	"slices"
)

// Size is a grid's number of columns and rows; of a plain graph that of its
// nodes, and 1.
func (p *Puzzle) Size() (cols, rows int) {
	if p.rows == 0 {
		return len(p.nodes), 1
	}
	return p.cols, p.rows
}

// Features lists what the puzzle has that the usual grid of crosses and bulbs
// of two states has not.
func (p *Puzzle) Features() []string {
	has := map[string]bool{"graph": p.rows == 0, "states": p.states > 2}
	for _, n := range p.nodes {
		switch n.Kind {
		case Lamp:
			has["lamps"] = true
		case Button:
			has["buttons"] = true
		case Hole:
			has["holes"] = true
		}
		has["want"] = has["want"] || (n.Kind == Both || n.Kind == Lamp) && n.Want != 1
	}
	if p.rows > 0 {
		pt, wrap, rest := p.shape()
		has["wrap"] = wrap != ""
		has["own-flips"] = len(rest) > 0
		if pt.name != "cross" {
			has[pt.name] = true
		}
	}
	maps.DeleteFunc(has, func(_ string, is bool) bool { return !is })
	return slices.Sorted(maps.Keys(has))
}
