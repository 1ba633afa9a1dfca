package path

// A search begins anew at the assumptions when what it has learned of late
// reaches over more levels than usual (A. Biere and A. Fröhlich, Evaluating
// CDCL Restart Schemes, 2015): when the mean LBD of about the last fastSpan
// clauses is restartMargin times that of the last slowSpan, but not before
// restartLeast conflicts. All are MiniSat's and CaDiCaL's orders of magnitude,
// and not tuned.
const (
	fastSpan      = 32
	slowSpan      = 4096
	restartMargin = 1.2
	restartLeast  = 20
)

// average takes a learned clause's LBD into the means.
func (s *Solver) average(lbd int) {
	s.sinceStart++
	s.fast += (float64(lbd) - s.fast) / fastSpan
	s.slow += (float64(lbd) - s.slow) / slowSpan
	if s.stats.Conflicts < slowSpan { // a plain mean until there is enough to go by
		s.slow += (float64(lbd) - s.slow) / float64(s.stats.Conflicts)
	}
}

func (s *Solver) restarting() bool {
	if s.stable.on {
		return s.stable.due(s.sinceStart)
	}
	return s.sinceStart > restartLeast && s.fast > restartMargin*s.slow
}

func (s *Solver) restart() {
	s.sinceStart = 0
	s.fast = s.slow
	s.stats.Restarts++
	s.backTo(0)
}
