package witness

import (
	"maps"
	"slices"
	"strings"
)

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
