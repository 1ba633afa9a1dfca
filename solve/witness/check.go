package witness

import "onlooker/solve"

// Check plays the solution by the panel's rules.
func (p *Panel) Check(solve.Solution) error { return solve.ErrNotSupported }
