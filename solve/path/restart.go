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

// A stable search keeps what went well: it begins anew seldom, after so many
// conflicts as the sequence of Luby says (M. Luby, A. Sinclair and D. Zuckerman,
// Optimal Speedup of Las Vegas Algorithms, 1993), and tries variables as they
// were in the largest assignment that met no conflict (A. Biere and M. Fleury,
// Chasing Target Phases, 2020). Which of the two ways of searching is the faster
// one differs from problem to problem by a factor of ten and more, on those that
// have answers above all; whoever does not know tries both in turn.
type stable struct {
	on     bool
	target []int8 // by variable: 1 true, -1 false, 0 it was open
	most   int    // assigned in target
	u, v   int64  // of Knuth's way to go through the sequence
	left   int64  // conflicts until the next beginning
}

// lubyUnit is what the numbers of Luby's sequence are multiplied by; MiniSat's
// is 100. It is not tuned.
const lubyUnit = 50

// SetStable makes further searches stable ones, or not; at first they are not.
func (s *Solver) SetStable(on bool) {
	s.stable.on = on
	s.stable.forget()
	s.stable.u, s.stable.v, s.stable.left = 1, 1, lubyUnit
}

// forget forgets the target.
func (t *stable) forget() {
	t.most = 0
	clear(t.target)
}

// aim makes the assignment before the last decision the target where it is the
// largest yet. It is asked at a conflict.
func (s *Solver) aim() {
	t := &s.stable
	if !t.on || len(s.lim) == 0 {
		return
	}
	n := int(s.lim[len(s.lim)-1])
	if n <= t.most {
		return
	}
	for len(t.target) < len(s.level) {
		t.target = append(t.target, 0)
	}
	t.most = n
	for _, l := range s.trail[:n] {
		t.target[l>>1] = 1 - 2*int8(l&1)
	}
}

// due tells whether it is time to begin anew.
func (t *stable) due(conflicts int64) bool {
	if conflicts < t.left {
		return false
	}
	if t.u&-t.u == t.v {
		t.u, t.v = t.u+1, 1
	} else {
		t.v *= 2
	}
	t.left = t.v * lubyUnit
	return true
}
