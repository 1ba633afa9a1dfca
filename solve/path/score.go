package path

// Variables are decided by a score that conflicts raise and time lowers: VSIDS
// as in MiniSat (N. Eén and N. Sörensson, An Extensible SAT-solver, 2003), with
// its decay, and its scale against overflow.
const (
	scoreDecay = 0.95
	scoreMost  = 1e100
)

// decay makes further conflicts count for more, rather than earlier ones for
// less.
func (s *Solver) decay() { s.inc *= 1 / scoreDecay }

func (s *Solver) bump(v int32) {
	if s.act[v] < 0 {
		return
	}
	s.act[v] += s.inc
	if s.act[v] > scoreMost {
		for i := range s.act {
			if s.act[i] > 0 {
				s.act[i] *= 1 / scoreMost
			}
		}
		s.inc *= 1 / scoreMost
	}
	if s.heapPos[v] >= 0 {
		s.heapUp(int(s.heapPos[v]))
	}
}
