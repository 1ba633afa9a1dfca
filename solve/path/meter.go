package path

import (
	"sync"
	"time"
)

// A Meter tells how far searches for the same thing have come, also where they
// run side by side. Its zero value with a Report is ready; a nil Meter tells
// nothing.
type Meter struct {
	// Report is told, about twice a second, the conflicts of all searches
	// together, and how many there will be if they go on as before. That
	// estimate comes from Progress of the search that is furthest; it is rough,
	// and 0 while no search has come far enough to say. It is called by one
	// goroutine at a time, that of some search.
	Report func(done, estimate float64)

	mu      sync.Mutex
	solvers []*Solver
	seen    map[*Solver]int64 // conflicts when the search last ticked
	most    float64           // the furthest that any search has been
	last    time.Time
}

// NewMeter is a Meter for report, or nil where that is nil.
func NewMeter(report func(done, estimate float64)) *Meter {
	if report == nil {
		return nil
	}
	return &Meter{Report: report, last: time.Now()}
}

// Add counts a search from now on. Whoever sets its OnReport calls Tick there.
func (m *Meter) Add(s *Solver) {
	if m == nil {
		return
	}
	m.mu.Lock()
	m.solvers = append(m.solvers, s)
	m.mu.Unlock()
	s.OnReport(func() { m.Tick(s) })
}

// Tick is to be called from the OnReport function of s.
func (m *Meter) Tick(s *Solver) {
	// Twice a second, so that even a slow step leaves one a second; and below a
	// hundredth Progress is noise.
	const every, least = 500 * time.Millisecond, 0.01
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.seen == nil {
		m.seen = make(map[*Solver]int64)
	}
	m.seen[s] = s.Stats().Conflicts
	if time.Since(m.last) < every {
		return
	}
	m.last = time.Now()
	m.most = max(m.most, s.Progress())
	n, estimate := 0.0, 0.0
	for _, conflicts := range m.seen {
		n += float64(conflicts)
	}
	if m.most > least {
		estimate = n / m.most
	}
	m.Report(n, estimate)
}

// Conflicts is how many all searches together have met. None of them may be
// running.
func (m *Meter) Conflicts() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	var n int64
	for _, s := range m.solvers {
		n += s.Stats().Conflicts
	}
	return n
}

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
