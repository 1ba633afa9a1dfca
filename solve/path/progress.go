package path

// Progress is a rough guess at the part of the search that is done, from 0 to
// 1: the share of the assignments that the present branch has left behind it,
// each decision halving what remains.
func (s *Solver) Progress() float64 {
	p, f := 0.0, 1.0
	if len(s.level) == 0 {
		return 1
	}
	for i := 0; i <= len(s.lim); i++ {
		from, to := 0, len(s.trail)
		if i > 0 {
			from = int(s.lim[i-1])
		}
		if i < len(s.lim) {
			to = int(s.lim[i])
		}
		p += f * float64(to-from)
		f /= float64(len(s.level))
		if f < 1e-30 {
			break
		}
	}
	return p / float64(len(s.level))
}
