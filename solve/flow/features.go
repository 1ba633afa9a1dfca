package flow

import (
	"maps"
	"slices"
)

// Features lists what the board has beside cells of a square board, all to be
// filled.
func (p *Puzzle) Features() []string {
	has := map[string]bool{
		"hexagons":   p.shape == Hex,
		"graph":      p.shape == Loose,
		"torus":      p.torus,
		"holes":      slices.Contains(p.hole, true),
		"bridges":    slices.Contains(p.bridge, true),
		"walls":      len(p.walls) > 0,
		"warps":      len(p.joins) > 0 && p.shape != Loose,
		"numberlink": p.any,
		"no-touch":   p.noTouch,
		"no-zigzag":  p.noZigzag,
	}
	maps.DeleteFunc(has, func(_ string, is bool) bool { return !is })
	return slices.Sorted(maps.Keys(has))
}
