// Package cover solves exact cover problems: choose options so that every
// primary item is covered exactly once and every secondary item at most once.
//
// It is Knuth's Algorithm X (The Art of Computer Programming 4B, 7.2.2.1) on
// sparse sets instead of dancing links ("dancing cells"): an item's active
// options are the front part of an array, and taking one out swaps it behind
// the border. The item with the fewest options left is branched on first.
package cover

import (
	"context"
	"errors"
	"slices"
)

// ErrLimit says that a search was ended by its node limit.
var ErrLimit = errors.New("cover: node limit reached")

// A Problem holds items and options. Make one with New, then Add the options.
// A search does not change it, apart from its own working space: a Problem is
// not safe for use by several goroutines.
type Problem struct {
	primary, items int
	node           []int32   // options one after the other: item numbers
	option         []int32   // option of each node
	start          []int32   // first node of each option, and the end
	set            [][]int32 // of each item: its nodes, active ones first
	size           []int32   // of each item: how many are active
	pos            []int32   // of each node: its place in set
	covered        []bool    // items that are done
	room           []int32   // of each item: how often it may still be covered
	avoid          [][]int32 // of each option: nogoods that it is in; see Avoid
	missing        []int32   // of each nogood: its options that are not chosen
	broken         int       // nogoods of which all are
	nodes          int       // search nodes left
	ctx            context.Context
	err            error
	chosen         []int
	try            []int32 // options noted by the levels of the search
}

// New returns a problem with items 0…primary-1 that must be covered exactly
// once and items primary…primary+secondary-1 that may be covered once.
func New(primary, secondary int) *Problem {
	n := primary + secondary
	return &Problem{primary: primary, items: n, start: []int32{0}, set: make([][]int32, n), size: make([]int32, n), covered: make([]bool, n), room: ones(n)}
}

// Reset makes the problem empty again, as New does, and keeps its memory.
func (p *Problem) Reset(primary, secondary int) {
	n := primary + secondary
	p.primary, p.items = primary, n
	p.node, p.option, p.start, p.pos = p.node[:0], p.option[:0], p.start[:1], p.pos[:0]
	p.avoid, p.missing, p.broken = nil, nil, 0
	for len(p.set) < n {
		p.set = append(p.set, nil)
		p.size = append(p.size, 0)
		p.covered = append(p.covered, false)
		p.room = append(p.room, 1)
	}
	for i := range n {
		p.set[i], p.size[i], p.covered[i], p.room[i] = p.set[i][:0], 0, false, 1
	}
}

func ones(n int) []int32 {
	r := make([]int32, n)
	for i := range r {
		r[i] = 1
	}
	return r
}

// Room lets a secondary item be covered up to n times (1 or more) instead of
// once, as by equal pieces that need not be told apart. An option is still
// chosen at most once, if it has a primary item.
func (p *Problem) Room(item, n int) {
	if item < p.primary || item >= p.items || n < 1 {
		panic("cover: room for an item that is not secondary, or for none")
	}
	p.room[item] = int32(n)
}

// Add adds an option, which covers the given items (each named once), and
// returns its number: 0, 1, …
func (p *Problem) Add(items ...int) int {
	o := len(p.start) - 1
	for _, it := range items {
		if it < 0 || it >= p.items {
			panic("cover: option names an unknown item")
		}
		n := int32(len(p.node))
		p.node = append(p.node, int32(it))
		p.option = append(p.option, int32(o))
		p.pos = append(p.pos, int32(len(p.set[it])))
		p.set[it] = append(p.set[it], n)
		p.size[it]++
	}
	p.start = append(p.start, int32(len(p.node)))
	return o
}

// Avoid forbids that these options (each named once) are all chosen: a nogood. It
// may also be called by the function that Search calls, with some of the options
// that it was given; the search then goes back to where they are not all chosen.
// Without any options no solution is left.
func (p *Problem) Avoid(options ...int) {
	for len(p.avoid) < p.Options() {
		p.avoid = append(p.avoid, nil)
	}
	n := int32(len(p.missing))
	p.missing = append(p.missing, int32(len(options)))
	for _, o := range options {
		p.avoid[o] = append(p.avoid[o], n)
		if slices.Contains(p.chosen, o) {
			p.missing[n]--
		}
	}
	if p.missing[n] == 0 {
		p.broken++
	}
}

// choose notes that an option is chosen, with by 1, or no longer is, with -1, for
// the nogoods that it is in.
func (p *Problem) choose(o int, by int32) {
	if o >= len(p.avoid) {
		return
	}
	for _, n := range p.avoid[o] {
		if p.missing[n] == 0 {
			p.broken--
		}
		if p.missing[n] -= by; p.missing[n] == 0 {
			p.broken++
		}
	}
}

// Options is the number of options added.
func (p *Problem) Options() int { return len(p.start) - 1 }

// Search calls found for every solution with the numbers of its options, in
// the order of their choice (valid until found returns), until found returns
// false. It ends with the context's error, or with ErrLimit after maxNodes
// search nodes if that is above 0: what found has seen until then are
// solutions, but there may be others. Order and node count are the same in
// every run.
func (p *Problem) Search(ctx context.Context, maxNodes int, found func(options []int) bool) error {
	if maxNodes <= 0 {
		maxNodes = int(^uint(0) >> 1)
	}
	p.ctx, p.nodes, p.err, p.chosen, p.try = ctx, maxNodes, ctx.Err(), p.chosen[:0], p.try[:0]
	if p.err != nil {
		return p.err
	}
	if p.broken == 0 { // otherwise there is an empty nogood
		p.search(found)
	}
	p.ctx = nil
	return p.err
}

// First returns the options of the first solution, or nil, false when there is
// none.
func (p *Problem) First(ctx context.Context, maxNodes int) (options []int, ok bool, err error) {
	err = p.Search(ctx, maxNodes, func(o []int) bool {
		options, ok = append([]int(nil), o...), true
		return false
	})
	if ok {
		err = nil
	}
	return options, ok, err
}

// search returns false when the whole search is to end.
func (p *Problem) search(found func([]int) bool) bool {
	if p.nodes--; p.nodes < 0 {
		p.err = ErrLimit
		return false
	}
	// Every 1024 nodes, some 100 µs.
	if p.nodes&1023 == 0 {
		if p.err = p.ctx.Err(); p.err != nil {
			return false
		}
	}
	best, least := -1, int32(1<<30)
	for it := range p.primary {
		if !p.covered[it] && p.size[it] < least {
			if best, least = it, p.size[it]; least == 0 {
				return true
			}
		}
	}
	if best < 0 {
		return found(p.chosen)
	}
	// Taking an option may reorder the set before its own item is reached, so
	// the options to try are noted first.
	from := len(p.try)
	for _, n := range p.set[best][:least] {
		p.try = append(p.try, p.option[n])
	}
	to := len(p.try)
	for i := from; i < to && p.broken == 0; i++ {
		o := p.try[i]
		p.chosen = append(p.chosen, int(o))
		p.choose(int(o), 1)
		more := true
		if p.broken == 0 {
			p.take(o)
			more = p.search(found)
			p.untake(o)
		}
		p.choose(int(o), -1)
		p.chosen = p.chosen[:len(p.chosen)-1]
		if !more {
			return false
		}
	}
	p.try = p.try[:from]
	return true
}

// take covers all items of an option: every other active option with one of
// them becomes inactive in the sets of its other items.
func (p *Problem) take(o int32) {
	for n := p.start[o]; n < p.start[o+1]; n++ {
		it := p.node[n]
		if p.room[it]--; p.room[it] > 0 {
			continue
		}
		p.covered[it] = true
		for i := range p.size[it] {
			p.hide(p.set[it][i])
		}
	}
}

func (p *Problem) untake(o int32) {
	for n := p.start[o+1] - 1; n >= p.start[o]; n-- {
		it := p.node[n]
		if p.room[it]++; p.room[it] > 1 {
			continue
		}
		for i := p.size[it] - 1; i >= 0; i-- {
			p.show(p.set[it][i])
		}
		p.covered[it] = false
	}
}

// hide takes node n's option out of the sets of all uncovered items.
func (p *Problem) hide(n int32) {
	o := p.option[n]
	for m := p.start[o]; m < p.start[o+1]; m++ {
		it := p.node[m]
		if m == n || p.covered[it] {
			continue
		}
		p.size[it]--
		p.swap(it, m, p.size[it])
	}
}

// show undoes hide; the swapped place is found again because hide moved the
// node just behind the border.
func (p *Problem) show(n int32) {
	o := p.option[n]
	for m := p.start[o+1] - 1; m >= p.start[o]; m-- {
		it := p.node[m]
		if m == n || p.covered[it] {
			continue
		}
		p.size[it]++
	}
}

func (p *Problem) swap(it, n, to int32) {
	s := p.set[it]
	from := p.pos[n]
	other := s[to]
	s[to], s[from] = n, other
	p.pos[n], p.pos[other] = to, from
}
