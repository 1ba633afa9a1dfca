package fans

import "bytes"

// Features tells which kinds of cells the board has besides fans that may be
// turned and turbines.
func (p *Puzzle) Features() []string {
	var has []string
	if bytes.ContainsAny(p.cell, fixed) {
		has = append(has, "fixed")
	}
	if bytes.ContainsAny(p.cell, present) {
		has = append(has, "present")
	}
	if bytes.ContainsRune(p.cell, wall) {
		has = append(has, "walls")
	}
	return has
}
