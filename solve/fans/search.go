package fans

import (
	"context"
	"errors"
	"math"
	"math/bits"
	"slices"
)

// A search holds the directions that are left to each fan. Choosing and
// excluding propagate: a turbine with one option left takes it, a turbine
// with none is a conflict.
type search struct {
	*model
	left  []uint8 // by fan: directions
	gone  []uint8 // by fan: exclusions that were propagated
	sides []uint8 // by turbine: directions from which wind may come
	winds []uint8 // by turbine: directions from which it comes
	open  int     // turbines without wind
	// By stream: the most upwind fan that may still blow, the most upwind that
	// does, n where there is none; and how many upwind fans must hold one that
	// does, more than n where none must.
	first, blown, need []int32

	trail []int32  // excluded options, in order
	head  int      // up to where the trail was propagated
	log   []change // of first, blown and need
	ctx   context.Context
	err   error // the context's, when that ended the propagation
}

// A change is what an entry was; what is a stream times 4, and which list.
type change struct{ what, was int32 }

const (
	ofFirst = iota
	ofBlown
	ofNeed
)

// none is a need that asks for nothing.
const none = math.MaxInt32

// search returns a search at its root; it is false when there is no answer, or
// the context ended: see err.
func (m *model) search(ctx context.Context) (*search, bool) {
	slab := make([]int32, 3*len(m.streams))
	small := make([]uint8, 2*len(m.fans)+2*len(m.turbines))
	n, f, t := len(m.streams), len(m.fans), len(m.turbines)
	s := &search{
		model: m, ctx: ctx, open: t,
		left: small[:f], gone: small[f : 2*f], sides: small[2*f : 2*f+t], winds: small[2*f+t:],
		first: slab[:n], blown: slab[n : 2*n], need: slab[2*n:],
		trail: make([]int32, 0, 4*f),
	}
	for f := range s.left {
		s.left[f] = 15
	}
	for id := range m.streams {
		s.blown[id], s.need[id] = m.streams[id].n, none
	}
	for t := range s.sides {
		for d := North; d <= West; d++ {
			if _, n := m.upwind(int32(t), d); n > 0 {
				s.sides[t]++
			}
		}
	}
	for t := range s.sides {
		if !s.look(int32(t)) {
			return s, false
		}
	}
	return s, s.propagate()
}

func (s *search) note(id int32, what int32, was int32) {
	s.log = append(s.log, change{id*4 + what, was})
}

// exclude takes an option away; what follows is left to propagate.
func (s *search) exclude(o int32) {
	s.left[o/4] &^= 1 << (o % 4)
	s.trail = append(s.trail, o)
}

// choose excludes a fan's other directions.
func (s *search) choose(o int32) {
	for others := s.left[o/4] &^ (1 << (o % 4)); others != 0; others &= others - 1 {
		s.exclude(o&^3 + int32(bits.TrailingZeros8(others)))
	}
}

// can tells whether an option is left.
func (s *search) can(o int32) bool { return s.left[o/4]>>(o%4)&1 == 1 }

// look asks for wind from the last side of a turbine that has none; it is false
// when no side is left.
func (s *search) look(t int32) bool {
	if s.winds[t] > 0 || s.sides[t] > 1 {
		return true
	}
	for d := North; d <= West; d++ {
		if id, n := s.upwind(t, d); n > 0 && s.first[id] < n {
			if n < s.need[id] {
				s.note(id, ofNeed, s.need[id])
				s.need[id] = n
			}
			return s.pin(id)
		}
	}
	return false
}

// pin takes the last option of those of which a stream needs one; it is false
// when none is left.
func (s *search) pin(id int32) bool {
	n, st := s.need[id], &s.streams[id]
	if s.blown[id] < n {
		return true
	}
	last := int32(-1)
	for q := s.first[id]; q < n; q++ {
		if o := s.option(st, q); s.can(o) {
			if last >= 0 {
				return true
			}
			last = o
		}
	}
	if last < 0 {
		return false
	}
	s.choose(last)
	return true
}

// often is how many exclusions are propagated, and how many choices made,
// between two looks at the context: at most a few milliseconds.
const (
	oftenGone   = 1 << 12
	oftenChosen = 1 << 8
)

// propagate works off the trail; it is false at a conflict.
func (s *search) propagate() bool {
	for s.head < len(s.trail) {
		o := s.trail[s.head]
		s.head++
		if s.head%oftenGone == 0 && s.ctx.Err() != nil {
			s.err = s.ctx.Err()
			return false
		}
		f := o / 4
		s.gone[f]++
		if s.left[f] == 0 || !s.calm(o) {
			return false
		}
		if s.gone[f] == 3 {
			s.blow(f*4 + int32(bits.TrailingZeros8(s.left[f])))
		}
	}
	return true
}

// calm draws what follows from an option that is gone.
func (s *search) calm(o int32) bool {
	id, q := s.of(o)
	st := &s.streams[id]
	if q == s.first[id] {
		to := q + 1
		for to < st.n && !s.can(s.option(st, to)) {
			to++
		}
		s.note(id, ofFirst, q)
		s.first[id] = to
		lost := s.downwind(st, q+1, to)
		for _, t := range lost {
			s.sides[t]--
		}
		for _, t := range lost {
			if !s.look(t) {
				return false
			}
		}
	}
	return q >= s.need[id] || s.need[id] == none || s.pin(id)
}

// blow counts the wind of an option that is the last of its fan.
func (s *search) blow(o int32) {
	id, q := s.of(o)
	was := s.blown[id]
	if q >= was {
		return
	}
	for _, t := range s.downwind(&s.streams[id], q+1, was) {
		if s.winds[t]++; s.winds[t] == 1 {
			s.open--
		}
	}
	s.note(id, ofBlown, was)
	s.blown[id] = q
}

// A mark is a point of a search to which it can go back.
type mark struct{ trail, log int }

func (s *search) mark() mark { return mark{len(s.trail), len(s.log)} }

// back undoes everything after a mark.
func (s *search) back(to mark) {
	for _, c := range slices.Backward(s.log[to.log:]) {
		id := c.what / 4
		st := &s.streams[id]
		switch c.what % 4 {
		case ofFirst:
			for _, t := range s.downwind(st, c.was+1, s.first[id]) {
				s.sides[t]++
			}
			s.first[id] = c.was
		case ofBlown:
			for _, t := range s.downwind(st, s.blown[id]+1, c.was) {
				if s.winds[t]--; s.winds[t] == 0 {
					s.open++
				}
			}
			s.blown[id] = c.was
		case ofNeed:
			s.need[id] = c.was
		}
	}
	s.log = s.log[:to.log]
	for i := len(s.trail) - 1; i >= to.trail; i-- {
		o := s.trail[i]
		if i < s.head {
			s.gone[o/4]--
		}
		s.left[o/4] |= 1 << (o % 4)
	}
	s.trail = s.trail[:to.trail]
	s.head = min(s.head, to.trail)
}

// window is how many turbines, of those still without wind, a choice looks at.
// All of them would take time by the board's square: boards to 20×20 are within
// it, and 2000×2000 takes 16 million of them.
const window = 256

// branch is an option of the turbine without wind that seems to have the
// fewest, and that comes the most upwind: of its options from one side that
// reaches all that the others do. Of its sides it is the one from which the
// most turbines without wind are reached. At least one of the turbines has no
// wind.
func (s *search) branch(among []int32) int32 {
	best, least := int32(-1), int32(math.MaxInt32)
	looks := window
	for _, t := range among {
		if s.winds[t] > 0 {
			continue
		}
		n := int32(0)
		for d := North; d <= West; d++ {
			if id, up := s.upwind(t, d); up > 0 && s.first[id] < up {
				n += up - s.first[id]
			}
		}
		if n < least {
			best, least = t, n
		}
		if looks--; looks == 0 {
			break
		}
	}
	choice, most := int32(-1), -1
	for d := North; d <= West; d++ {
		id, up := s.upwind(best, d)
		if up == 0 || s.first[id] >= up {
			continue
		}
		st := &s.streams[id]
		n, looks := 0, window
		for _, t := range s.downwind(st, s.first[id]+1, st.n) {
			if s.winds[t] == 0 {
				n++
			}
			if looks--; looks == 0 {
				break
			}
		}
		if n > most {
			choice, most = s.option(st, s.first[id]), n
		}
	}
	return choice
}

// errFails says that a search met as many conflicts as it may.
var errFails = errors.New("fans: out of trials")

// A decision is a choice, and how the search was before it.
type decision struct {
	o    int32
	next int // turbines before it have wind
	mark
}

// visit calls found at every point of the search at which no turbine is left
// without wind; the fans may then take any direction that is left to them, and
// no answer is met twice. It ends when found returns false, with the context's
// error, or with errFails after that many conflicts if fails is above 0.
func (s *search) visit(fails int, found func() (bool, error)) error {
	var all []int32
	if s.open > 0 {
		all = numbers(len(s.turbines))
	}
	var made []decision
	next, conflicts, chosen := 0, 0, 0
	for {
		if chosen++; chosen%oftenChosen == 0 && s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		if s.open > 0 {
			for s.winds[next] > 0 {
				next++
			}
			d := decision{s.branch(all[next:]), next, s.mark()}
			made = append(made, d)
			s.choose(d.o)
			if s.propagate() {
				continue
			}
			if conflicts++; conflicts == fails {
				return errFails
			}
		} else if more, err := found(); !more {
			return err
		}
		for {
			if s.err != nil || len(made) == 0 {
				return s.err
			}
			d := made[len(made)-1]
			made = made[:len(made)-1]
			s.back(d.mark)
			next = d.next
			s.exclude(d.o)
			if s.propagate() {
				break
			}
		}
	}
}

// numbers counts from 0 to n−1.
func numbers(n int) []int32 {
	list := make([]int32, n)
	for i := range list {
		list[i] = int32(i)
	}
	return list
}
