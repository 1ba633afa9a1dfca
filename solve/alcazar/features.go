package alcazar

import "slices"

// Features tells whether the board has walls between its cells, and edges that
// the line must use.
func (p *Puzzle) Features() []string {
	var has []string
	if slices.Contains(p.ways, given) {
		has = append(has, "givens")
	}
	for i, w := range p.ways {
		x, y := i%(2*p.cols+1), i/(2*p.cols+1)
		if (x+y)%2 == 1 && x > 0 && y > 0 && x < 2*p.cols && y < 2*p.rows && w == wall {
			return append(has, "walls")
		}
	}
	return has
}
