package witness

import "onlooker/solve/path"

// accepts tells whether the line, which is complete, answers the panel: every
// region is complete and was judged right. Nothing else need be decided then:
// with the regions known, where pieces lie may take longer to say in variables
// than the line took. What the line itself must be, and coloured dots, the
// clauses have seen to.
//
// It stands on the search's own judge, not on Check: two accounts of the rules
// that share nothing find each other's mistakes. The tests compare them.
func (q *search) accepts(c *path.Clauses) bool {
	m, r := q.m, q.r
	if r.moved {
		return false
	}
	for i := range m.marks {
		if mk := &m.marks[i]; len(mk.cells) == 0 && value(c, mk.cover) <= 0 {
			return false // in no region, so no eraser takes it
		}
	}
	for id := range r.areas {
		if !r.complete(int32(id)) {
			return false
		}
		sv, ok := m.survey(r, c, int32(id), true)
		if !ok {
			return false
		}
		if len(sv.items)+len(sv.erasers)+len(sv.dots) == 0 {
			continue
		}
		if right, _, _ := m.verdict(m.judge, &sv.plot); !right {
			return false
		}
	}
	return true
}
