package switches

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"iter"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"onlooker/solve"
	"onlooker/solve/gf2"
	"onlooker/solve/limits"
)

// Family is the family's entry for a list of games.
var Family = solve.Family{
	Name:  "switches",
	Doc:   "flip switches until every bulb is as wanted (Lights Out on any graph)",
	Rules: rules(),
	Formats: []solve.Format{
		{Name: "text", Sniff: sniffText, Decode: decodeBoards(isHeader, board.parse), Encode: solve.Encoder((*Puzzle).MarshalText)},
		{Name: "matrix", Sniff: sniffMatrix, Decode: decodeBoards(isMatrix, board.matrix), Encode: solve.Encoder(encodeMatrix)},
		{Name: "rows", Sniff: sniffRows, Decode: decodeRows, Encode: solve.Encoder(encodeRows), Goal: goalOfRows},
		{Name: "flip", Sniff: sniffFlip, Decode: decodeFlip, Encode: solve.Encoder(encodeFlip)},
		{Name: "connections", Sniff: sniffConnections, Decode: decodeConnections, Encode: solve.Encoder(encodeConnections)},
	},
	Generate: func(rng *rand.Rand, cols, rows int) solve.Puzzle { return Generate(rng, cols, rows, 2) },
	Wishes:   wishes(),
	Make:     toOrder,
}

// effort is how many answers Fewest looks at in each part of the kernel:
// 2^22, so that grids to 20×20 (at most 2^20) and 30×30 (2^20) are proved.
const effort = 1 << 22

// effortMod is how many switches of answers Fewest looks at where bulbs have
// more than two states: as long as the above takes on a grid of 30×30.
const effortMod = 1 << 27

// listed is how many answers All puts in order before it yields the first.
const listed = 1 << 20

// answers are all answers of a puzzle: one, and the kernel's generators.
type answers struct {
	p        *Puzzle
	switches []int // the node of each unknown
	x        []int
	kernel   []gf2.Generator
	bits     []gf2.Vec // the kernel when k is 2
	xbits    gf2.Vec
}

// unknowns numbers the switches; those that flip nothing only where idle is
// set. A kernel holds a vector for each of them, which is too much for a large
// board where nobody asks for them.
func (p *Puzzle) unknowns(idle bool) (switches, number []int) {
	number = make([]int, len(p.nodes))
	for i := range p.nodes {
		if p.isSwitch(i) && (idle || len(p.flips[i]) > 0) {
			number[i] = len(switches)
			switches = append(switches, i)
		}
	}
	return switches, number
}

// bulbs lists the equations: the bulbs, and what each must be taken on by.
func (p *Puzzle) bulbs() (bulbs, need []int) {
	for i, n := range p.nodes {
		if p.isBulb(i) {
			bulbs = append(bulbs, i)
			need = append(need, (n.Want-n.Now+p.states)%p.states)
		}
	}
	return bulbs, need
}

// askEvery is how many switches are looked at between two looks at the context.
const askEvery = 1 << 12

// lists has room by node for something of each switch that flips it.
func lists[T any](p *Puzzle) [][]T {
	count := make([]int, len(p.nodes))
	total := 0
	for _, fs := range p.flips {
		total += len(fs)
		for _, f := range fs {
			count[f.bulb]++
		}
	}
	slab := make([]T, total)
	of := make([][]T, len(p.nodes))
	for i, n := range count {
		of[i], slab = slab[:0:n], slab[n:]
	}
	return of
}

// equations adds the puzzle's equations to a system, one for each bulb; term is what the i-th
// node's switch does to a bulb.
func equations[T any](ctx context.Context, p *Puzzle, term func(i int, f step) T, grow func(int), add func(of []T, need int)) {
	of := lists[T](p)
	for i, fs := range p.flips {
		if i%askEvery == 0 && ctx.Err() != nil {
			break // what is asked of the system next says so
		}
		for _, f := range fs {
			of[f.bulb] = append(of[f.bulb], term(i, f))
		}
	}
	bulbs, need := p.bulbs()
	grow(len(bulbs))
	for i, b := range bulbs {
		if i%askEvery == 0 && ctx.Err() != nil {
			break
		}
		add(of[b], need[i])
	}
}

// system2 is the puzzle's equations over GF(2).
func (p *Puzzle) system2(ctx context.Context, unknowns int, number []int) *gf2.System {
	s := gf2.NewSystem(unknowns)
	equations(ctx, p, func(i int, _ step) int { return number[i] }, s.Grow, func(of []int, need int) { s.Add(of, need == 1) })
	return s
}

// system is the puzzle's equations modulo k.
func (p *Puzzle) system(ctx context.Context, unknowns int, number []int) *gf2.ModSystem {
	s := gf2.NewModSystem(p.states, unknowns)
	equations(ctx, p, func(i int, f step) gf2.Term { return gf2.Term{Col: number[i], Coef: f.by} }, s.Grow, s.Add)
	return s
}

// ofFlip is what the equations take of memory, in bytes for each flip and each
// node; what eliminating adds is seen when it comes.
const ofFlip = 48

func (p *Puzzle) room(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	total := len(p.nodes)
	for _, fs := range p.flips {
		total += len(fs)
	}
	return limits.Room(ctx, ofFlip*int64(total))
}

func (p *Puzzle) answers(ctx context.Context, idle bool) (*answers, error) {
	if err := p.room(ctx); err != nil {
		return nil, err
	}
	switches, number := p.unknowns(idle)
	a := &answers{p: p, switches: switches}
	var ok bool
	var err error
	if p.states == 2 {
		a.xbits, a.bits, ok, err = p.system2(ctx, len(switches), number).Solve(ctx)
	} else {
		a.x, a.kernel, ok, err = p.system(ctx, len(switches), number).Solve(ctx)
	}
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, solve.ErrUnsolvable
	}
	return a, nil
}

// maxClicks bounds the clicks of an answer, each of which is a stroke: more than the
// largest board of two states asks for. Bulbs of a thousand million states ask for
// more.
const maxClicks = 1 << 20

// A ClicksError says that an answer has more clicks than are listed, and how often
// its switches are flipped instead.
type ClicksError struct {
	Clicks int
	Flips  string // "a 5 times, b 2 times": the first few switches
}

func (e *ClicksError) Error() string {
	return fmt.Sprintf("switches: an answer is known, but takes %d flips, and at most %d are listed: %s", e.Clicks, maxClicks, e.Flips)
}

// tooMany says how often switches are flipped.
func (a *answers) tooMany(x []int, n int) error {
	const named = 5
	var all []string
	for i, times := range x {
		switch {
		case times == 0:
			continue
		case len(all) == named:
			all = append(all, "…")
		case len(all) < named && times == 1:
			all = append(all, a.p.said(a.switches[i])+" once")
		case len(all) < named:
			all = append(all, fmt.Sprintf("%s %d times", a.p.said(a.switches[i]), times))
		}
	}
	return &ClicksError{Clicks: n, Flips: strings.Join(all, ", ")}
}

// clicks turns numbers of flips into strokes, in the nodes' order; a *ClicksError
// where they are too many.
func (a *answers) clicks(x []int) (solve.Solution, error) {
	n := 0
	for _, times := range x {
		n += times
	}
	if n > maxClicks {
		return nil, a.tooMany(x, n)
	}
	s := make(solve.Solution, 0, n)
	points := make([]image.Point, 0, n)
	for i, times := range x {
		for range times {
			points = append(points, a.p.centre(a.switches[i]))
			s = append(s, points[len(points)-1:len(points):len(points)])
		}
	}
	return s, nil
}

// Solve returns an answer with the fewest flips that Fewest finds.
func (p *Puzzle) Solve(ctx context.Context) (solve.Solution, error) {
	b, err := p.Fewest(ctx)
	return b.Solution, err
}

// Fewest returns an answer with the fewest flips. The answers are one answer
// plus the kernel of the toggles, which is searched in the parts that it falls
// into: whole where a part has up to 2^22 elements (with more than two
// states: elements times switches up to 2^27), and otherwise as far as that
// many steps go; Bound then says below what no answer can go.
func (p *Puzzle) Fewest(ctx context.Context) (solve.BestAnswer, error) {
	a, err := p.answers(ctx, false)
	if err != nil {
		return solve.BestAnswer{}, err
	}
	var best gf2.BestAnswer
	if p.states == 2 {
		best = gf2.Lightest(ctx, a.xbits, a.bits, effort)
	} else {
		best = gf2.LightestMod(ctx, p.states, a.x, a.kernel, effortMod)
	}
	if best.Bound < best.Weight {
		best.Bound = max(best.Bound, p.leastFlips())
	}
	s, err := a.clicks(best.X)
	if err != nil {
		return solve.BestAnswer{}, err
	}
	return solve.BestAnswer{Solution: s, Unit: "flips", Cost: best.Weight, Bound: best.Bound}, nil
}

// Tell names the switch that a click flips.
func (p *Puzzle) Tell(s solve.Stroke) string {
	col, row := s[0].X/2, s[0].Y/2
	if p.rows > 0 {
		return fmt.Sprintf("flip column %d row %d", col+1, row+1)
	}
	return "flip " + p.name(col)
}

// leastFlips bounds the flips from below: a flip mends at most as many bulbs
// as it reaches.
func (p *Puzzle) leastFlips() int {
	wrong, reach := 0, 1
	for i, n := range p.nodes {
		if n.Now != n.Want {
			wrong++
		}
		reach = max(reach, len(p.flips[i]))
	}
	return (wrong + reach - 1) / reach
}

// orders lists how often each generator of the kernel may be taken.
func (a *answers) orders() []int {
	var o []int
	for range a.bits {
		o = append(o, 2)
	}
	for _, g := range a.kernel {
		o = append(o, g.Order)
	}
	return o
}

// Count returns min(answers, limit): the sizes of the kernel's generators
// multiplied. Without a limit, more answers than an int holds are an error
// that says so.
func (p *Puzzle) Count(ctx context.Context, limit int) (int, error) {
	a, err := p.answers(ctx, false)
	switch {
	case err == solve.ErrUnsolvable:
		return 0, nil
	case err != nil:
		return 0, err
	}
	orders := a.orders()
	for i := range p.nodes {
		if p.isSwitch(i) && len(p.flips[i]) == 0 {
			orders = append(orders, p.states)
		}
	}
	n := 1
	for _, o := range orders {
		if n > math.MaxInt/o {
			if limit <= 0 {
				return 0, fmt.Errorf("switches: more than %d answers; give a limit", math.MaxInt)
			}
			return limit, nil
		}
		n *= o
		if limit > 0 && n >= limit {
			return limit, nil
		}
	}
	return n, nil
}

// at returns answer number i; a digit of i, in the mixed base of the orders,
// says how often a generator is taken.
func (a *answers) at(i int) []int {
	x := make([]int, len(a.switches))
	if a.p.states == 2 {
		v := a.xbits.Clone()
		for _, k := range a.bits {
			if i&1 == 1 {
				v.Xor(k)
			}
			i >>= 1
		}
		for _, c := range v.Ones() {
			x[c] = 1
		}
		return x
	}
	copy(x, a.x)
	for _, g := range a.kernel {
		times := i % g.Order
		i /= g.Order
		for c, v := range g.V {
			x[c] = (x[c] + times*v) % a.p.states
		}
	}
	return x
}

// All yields every answer, the fewest flips first where there are up to 2^20;
// beyond that one with the fewest flips that Fewest finds comes first and the
// others follow in no order.
func (p *Puzzle) All(ctx context.Context) iter.Seq2[solve.Solution, error] {
	return func(yield func(solve.Solution, error) bool) {
		a, err := p.answers(ctx, true)
		switch {
		case err == solve.ErrUnsolvable:
			return
		case err != nil:
			yield(nil, err)
			return
		}
		n := 1
		for _, o := range a.orders() {
			if n > listed {
				break
			}
			n *= o
		}
		if n > listed {
			a.unordered(ctx, yield)
			return
		}
		type item struct{ flips, i int }
		order := make([]item, n)
		for i := range order {
			if ctx.Err() != nil {
				yield(nil, ctx.Err())
				return
			}
			sum := 0
			for _, times := range a.at(i) {
				sum += times
			}
			order[i] = item{sum, i}
		}
		slices.SortFunc(order, func(x, y item) int { return cmp.Or(x.flips-y.flips, x.i-y.i) })
		for _, it := range order {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			if s, err := a.clicks(a.at(it.i)); !yield(s, err) || err != nil {
				return
			}
		}
	}
}

// unordered yields the best answer found, then the others, the generators
// turning like the wheels of a counter.
func (a *answers) unordered(ctx context.Context, yield func(solve.Solution, error) bool) {
	best, err := a.p.Fewest(ctx)
	if err != nil {
		yield(nil, err)
		return
	}
	if !yield(best.Solution, nil) {
		return
	}
	first := make([]int, len(a.switches))
	_, number := a.p.unknowns(true)
	for _, stroke := range best.Solution {
		at := stroke[0]
		i := at.X / 2
		if a.p.rows > 0 {
			i += at.Y / 2 * a.p.cols
		}
		first[number[i]]++
	}
	x := a.at(0)
	orders := a.orders()
	wheel := make([]int, len(orders))
	for {
		if err := ctx.Err(); err != nil {
			yield(nil, err)
			return
		}
		if !slices.Equal(x, first) {
			if s, err := a.clicks(x); !yield(s, err) || err != nil {
				return
			}
		}
		i := 0
		for ; i < len(orders); i++ {
			a.turn(x, i, 1)
			if wheel[i]++; wheel[i] < orders[i] {
				break
			}
			a.turn(x, i, -orders[i])
			wheel[i] = 0
		}
		if i == len(orders) {
			return
		}
	}
}

// turn adds generator i to x that many times.
func (a *answers) turn(x []int, i, times int) {
	k := a.p.states
	if k == 2 {
		for _, c := range a.bits[i].Ones() {
			x[c] = (x[c] + times%2 + 2) % 2
		}
		return
	}
	for c, v := range a.kernel[i].V {
		x[c] = ((x[c]+times%k*v)%k + k) % k
	}
}

// A Certificate proves that a puzzle has no answer. Times says how often each
// of some bulbs is counted: every switch takes the sum of those bulbs on by 0
// (mod the states), but the sum that is wanted is another.
type Certificate struct {
	p     *Puzzle
	Times map[int]int // by node
}

// Text names the bulbs.
func (c *Certificate) Text() string {
	var names []string
	need := 0
	for _, i := range slices.Sorted(maps.Keys(c.Times)) {
		if i < 0 || i >= len(c.p.nodes) {
			return fmt.Sprintf("bulb number %d, of %d", i, len(c.p.nodes))
		}
		name := c.p.name(i)
		if c.p.rows > 0 { // as people count
			name = fmt.Sprintf("%d,%d", i%c.p.cols+1, i/c.p.cols+1)
		}
		if t := c.Times[i]; t > 1 {
			name = fmt.Sprintf("%d×%s", t, name)
		}
		names = append(names, name)
		need = (need + c.Times[i]*(c.p.nodes[i].Want-c.p.nodes[i].Now+c.p.states)) % c.p.states
	}
	list := strings.Join(names, " ")
	if c.p.rows > 0 {
		list = "in (column,row) " + list
	}
	if c.p.states == 2 {
		return fmt.Sprintf("every switch flips an even number of the bulbs %s, but an odd number of them needs flipping", list)
	}
	return fmt.Sprintf("no switch changes the sum of the bulbs %s modulo %d, but it must change by %d", list, c.p.states, need)
}

// Where is the centres of the bulbs.
func (c *Certificate) Where() []image.Point {
	var at []image.Point
	for i := range c.p.nodes {
		if c.Times[i] != 0 {
			at = append(at, c.p.centre(i))
		}
	}
	return at
}

// Why returns a *Certificate.
func (p *Puzzle) Why(ctx context.Context) (solve.Proof, error) {
	if err := p.room(ctx); err != nil {
		return nil, err
	}
	switches, number := p.unknowns(false)
	bulbs, _ := p.bulbs()
	c := &Certificate{p: p, Times: map[int]int{}}
	var odd gf2.Vec
	var times []int
	var ok bool
	var err error
	if p.states == 2 {
		odd, ok, err = p.system2(ctx, len(switches), number).Refute(ctx)
	} else {
		times, ok, err = p.system(ctx, len(switches), number).Refute(ctx)
	}
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, fmt.Errorf("switches: the puzzle has an answer")
	}
	for _, e := range odd.Ones() {
		c.Times[bulbs[e]] = 1
	}
	for e, t := range times {
		if t != 0 {
			c.Times[bulbs[e]] = t
		}
	}
	return c, nil
}

// CheckProof tries every switch on the bulbs of a *Certificate.
func (p *Puzzle) CheckProof(_ context.Context, proof solve.Proof) error {
	c, ok := proof.(*Certificate)
	if !ok {
		return fmt.Errorf("switches: a proof of type %T, want *switches.Certificate", proof)
	}
	need := 0
	for i, t := range c.Times {
		if i < 0 || i >= len(p.nodes) || p.nodes[i].Kind == Button || p.nodes[i].Kind == Hole {
			return fmt.Errorf("switches: the proof counts node %d, which is no bulb", i)
		}
		if t < 0 || t >= p.states {
			return fmt.Errorf("switches: the proof counts %s %d times, want 0 to %d", p.name(i), t, p.states-1)
		}
		need = (need + t*(p.nodes[i].Want-p.nodes[i].Now+p.states)) % p.states
	}
	if need == 0 {
		return fmt.Errorf("switches: the proof's bulbs need nothing in sum")
	}
	for i, fs := range p.flips {
		sum := 0
		for _, f := range fs {
			sum = (sum + c.Times[f.bulb]*f.by) % p.states
		}
		if sum != 0 {
			return fmt.Errorf("switches: switch %s takes the proof's bulbs on by %d, want 0 (mod %d)", p.name(i), sum, p.states)
		}
	}
	return nil
}
