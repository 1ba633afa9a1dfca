package claims

import (
	"onlooker/vision/grid"
	"onlooker/vision/grid/cell"
	"onlooker/vision/grid/part"
	"onlooker/vision/posterior"
)

// seen is what a grid shows, whoever reads it: evidence of what puzzle it is of where none was
// read. Colours go from 0 to 1.
func seen(g *grid.Grid) posterior.Evidence {
	e := newAccount(g).of(&Claim{})
	var tints, inks []part.Colour
	for i, has := range g.Has {
		if !has {
			continue
		}
		c, r := i%g.Cols, i/g.Cols
		tints = append(tints, g.Tint(c, r))
		if m, ok := cell.MarkIn(g, c, r); ok {
			inks = append(inks, m.Colour)
			e["height of marks"] += m.Height()
		}
	}
	e["cells with a mark"] = float64(len(inks)) / float64(max(1, len(tints)))
	e["height of marks"] /= float64(max(1, len(inks)))
	e["places without a cell"] = 1 - float64(len(tints))/float64(len(g.Has))
	if g.Hex {
		e["hexagons"] = 1
	}
	coloured(e, tints, " of cells")
	coloured(e, inks, " of marks")
	return e
}

// coloured adds how colourful some colours are, how far apart the two farthest are, how far the
// others from the nearer of these, of that, and the share of the rarer.
func coloured(e posterior.Evidence, list []part.Colour, of string) {
	if len(list) == 0 {
		return
	}
	n, nearA := float64(len(list)), 0.0
	a, b := part.Extremes(list)
	apart := list[a].Distance(list[b])
	for _, c := range list {
		e["chroma"+of] += c.Chroma() / 255 / n
		toA, toB := c.Distance(list[a]), c.Distance(list[b])
		e["between two colours"+of] += min(toA, toB) / max(1, apart) / n
		if toA < toB {
			nearA++
		}
	}
	e["two colours"+of] = apart / 255
	e["rarer of two colours"+of] = min(nearA, n-nearA) / n
}
