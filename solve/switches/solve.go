package switches

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"iter"
	"math"
	"math/bits"
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
		{Name: "matrix", Sniff: sniffMatrix, Decode: decodeBoards(isMatrix, board.matrix)},
		{Name: "rows", Sniff: sniffRows, Decode: decodeRows, Encode: solve.Encoder(encodeRows), Goal: goalOfRows},
		{Name: "flip", Sniff: sniffFlip, Decode: decodeFlip},
		{Name: "connections", Sniff: sniffConnections, Decode: decodeConnections},
	},
	Generate: func(rng *rand.Rand, cols, rows int) solve.Puzzle { return Generate(rng, cols, rows) },
}

// effort is how many answers Fewest looks at in each part of the kernel:
// 2^22, so that grids to 20×20 (at most 2^20) and 30×30 (2^20) are proved.
const effort = 1 << 22

// listed is up to how many vectors of a kernel All puts the answers in order before it
// yields the first.
const listed = 20

// answers are all answers of a puzzle: one, and the kernel's generators.
type answers struct {
	p        *Puzzle
	switches []int // the node of each unknown; those of grid have the same number
	x        gf2.Vec
	kernel   []gf2.Vec
	grid     *gf2.Solution // has the kernel where kernel was not asked for
	free     int           // how many vectors a basis of the kernel has
}

// chased tells whether the board is one down which lights are chased: a whole grid whose
// switches flip the bulbs beside them. need are the bulbs to be flipped.
func (p *Puzzle) chased() (g gf2.Grid, ok bool) {
	if p.rows == 0 || len(p.cells) < 2 || p.told != nil || p.wrap != "" || p.pattern.name != "cross" && p.pattern.name != "ring" {
		return g, false
	}
	g = gf2.Grid{Cols: p.cols, Rows: p.rows, Own: p.pattern.name == "cross", Need: gf2.NewVec(len(p.cells))}
	for i, c := range p.cells {
		if c.kind() != Both {
			return g, false
		}
		if c.now() != c.want() {
			g.Need.Flip(i)
		}
	}
	return g, true
}

// along yields the nodes, those of a grid along its short side.
func (p *Puzzle) along(yield func(int) bool) {
	for k := range p.cells {
		i := k
		if p.cols > p.rows && p.rows > 0 {
			i = k%p.rows*p.cols + k/p.rows
		}
		if !yield(i) {
			return
		}
	}
}

// unknowns numbers the switches; those that flip nothing only where idle is
// set. A kernel holds a vector for each of them, which is too much for a large
// board where nobody asks for them.
func (p *Puzzle) unknowns(idle bool) (switches, number []int) {
	number = make([]int, len(p.cells))
	var list []int
	for i := range p.along {
		if list = p.flips(i, list); p.cells[i].button() && (idle || len(list) > 0) {
			number[i] = len(switches)
			switches = append(switches, i)
		}
	}
	return switches, number
}

// bulbs lists the equations: the bulbs, and whether each must be flipped.
func (p *Puzzle) bulbs() (bulbs, need []int) {
	for i := range p.along {
		if c := p.cells[i]; c.bulb() {
			bulbs = append(bulbs, i)
			need = append(need, c.want()^c.now())
		}
	}
	return bulbs, need
}

// askEvery is how many switches are looked at between two looks at the context.
const askEvery = 1 << 12

// system is the puzzle's equations, one for each bulb.
func (p *Puzzle) system(ctx context.Context, unknowns int, number []int) *gf2.System {
	s := gf2.NewSystem(unknowns)
	count := make([]int, len(p.cells))
	total := 0
	var list []int
	for i := range p.cells {
		if i%askEvery == 0 && ctx.Err() != nil {
			return s
		}
		list = p.flips(i, list)
		total += len(list)
		for _, bulb := range list {
			count[bulb]++
		}
	}
	slab, of := make([]int, total), make([][]int, len(p.cells))
	for i, n := range count {
		of[i], slab = slab[:0:n], slab[n:]
	}
	for i := range p.cells {
		if i%askEvery == 0 && ctx.Err() != nil {
			break // what is asked of the system next says so
		}
		list = p.flips(i, list)
		for _, bulb := range list {
			of[bulb] = append(of[bulb], number[i])
		}
	}
	bulbs, need := p.bulbs()
	s.Grow(len(bulbs))
	for i, b := range bulbs {
		if i%askEvery == 0 && ctx.Err() != nil {
			break
		}
		s.Add(of[b], need[i] == 1)
	}
	return s
}

// ofFlip is what the equations take of memory, in bytes for each flip and each
// node; what eliminating adds is seen when it comes. ofClick is what a click takes.
const (
	ofFlip  = 48
	ofClick = 40
)

func (p *Puzzle) room(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	total := len(p.cells)
	for _, fs := range p.told {
		total += len(fs)
	}
	if p.told == nil {
		total += len(p.pattern.at) * len(p.cells)
	}
	return limits.Room(ctx, ofFlip*int64(total))
}

// answers are all answers; those in which switches that flip nothing are flipped too where
// idle is set.
func (p *Puzzle) answers(ctx context.Context, idle bool) (*answers, error) {
	a := &answers{p: p}
	var ok bool
	var err error
	if g, chased := p.chased(); chased {
		if a.grid, ok, err = g.Solve(ctx); ok {
			a.x, a.free = a.grid.X, a.grid.Free
		}
	} else {
		if err := p.room(ctx); err != nil {
			return nil, err
		}
		var number []int
		a.switches, number = p.unknowns(idle)
		a.x, a.kernel, ok, err = p.system(ctx, len(a.switches), number).Solve(ctx)
		a.free = len(a.kernel)
	}
	if err == nil && !ok {
		err = solve.ErrUnsolvable
	}
	if err != nil {
		return nil, err
	}
	return a, nil
}

// list fills kernel in.
func (a *answers) list(ctx context.Context) error {
	if len(a.kernel) == a.free {
		return ctx.Err()
	}
	if err := limits.Room(ctx, int64(a.free)*int64(len(a.p.cells))/8); err != nil {
		return err
	}
	for i := range a.free {
		a.kernel = append(a.kernel, a.grid.Kernel(i))
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// pressed is the switches of an answer by node.
func (a *answers) pressed(x gf2.Vec) *presses {
	if a.grid != nil {
		return &presses{a.p, x}
	}
	s := &presses{a.p, gf2.NewVec(len(a.p.cells))}
	for _, k := range x.Ones() {
		s.at.Flip(a.switches[k])
	}
	return s
}

// clicks turns flips into strokes, in the nodes' order.
func (a *answers) clicks(ctx context.Context, x gf2.Vec) (solve.Solution, error) {
	if err := limits.Room(ctx, ofClick*int64(x.Weight())); err != nil {
		return nil, err
	}
	return slices.AppendSeq(make(solve.Solution, 0, x.Weight()), a.pressed(x).Strokes()), nil
}

// Solve returns an answer with the fewest flips that Fewest finds.
func (p *Puzzle) Solve(ctx context.Context) (solve.Solution, error) {
	b, err := p.Fewest(ctx)
	return b.Solution, err
}

// Fewest returns an answer with the fewest flips. The answers are one answer
// plus the kernel of the toggles, which is searched in the parts that it falls
// into, each whole where it has up to 2^22 elements. Of a larger one that many are
// looked at, and no answer is proved the fewest: Bound then says below what none goes.
func (p *Puzzle) Fewest(ctx context.Context) (solve.BestAnswer, error) {
	a, x, b, err := p.fewest(ctx)
	if err == nil {
		b.Solution, err = a.clicks(ctx, x)
	}
	return b, err
}

// FewestPacked is Fewest, with its answer packed.
func (p *Puzzle) FewestPacked(ctx context.Context) (solve.BestAnswer, error) {
	a, x, b, err := p.fewest(ctx)
	if err == nil {
		b.Packed = a.pressed(x)
	}
	return b, err
}

func (p *Puzzle) fewest(ctx context.Context) (*answers, gf2.Vec, solve.BestAnswer, error) {
	a, err := p.answers(ctx, false)
	if err != nil {
		return nil, nil, solve.BestAnswer{}, err
	}
	var best gf2.BestAnswer
	if a.grid != nil {
		best = a.grid.Lightest(ctx, effort)
	} else {
		best = gf2.Lightest(ctx, a.x, a.kernel, effort)
	}
	if best.Bound < best.Weight {
		best.Bound = max(best.Bound, p.leastFlips())
	}
	return a, best.X, solve.BestAnswer{Unit: "flips", Cost: best.Weight, Bound: best.Bound}, nil
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
	var list []int
	for i, c := range p.cells {
		if c.now() != c.want() {
			wrong++
		}
		list = p.flips(i, list)
		reach = max(reach, len(list))
	}
	return (wrong + reach - 1) / reach
}

// Count returns min(answers, limit): two for each vector of the kernel, and for each
// switch that flips nothing, multiplied. Without a limit, more answers than an int holds are an error
// that says so.
func (p *Puzzle) Count(ctx context.Context, limit int) (int, error) {
	a, err := p.answers(ctx, false)
	switch {
	case err == solve.ErrUnsolvable:
		return 0, nil
	case err != nil:
		return 0, err
	}
	free := a.free
	for i := 0; a.grid == nil && i < len(p.cells); i++ {
		if p.cells[i].button() && len(p.flips(i, nil)) == 0 {
			free++
		}
	}
	switch {
	case limit > 0 && (free >= bits.UintSize-1 || 1<<free >= limit):
		return limit, nil
	case free >= bits.UintSize-1:
		return 0, fmt.Errorf("switches: more than %d answers; give a limit", math.MaxInt)
	}
	return 1 << free, nil
}

// at returns answer number i: its bits say which vectors of the kernel are added.
func (a *answers) at(i int) gf2.Vec {
	x := a.x.Clone()
	for k := range a.kernel {
		if i>>k&1 == 1 {
			x.Xor(a.kernel[k])
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
		if a.free > listed {
			a.unordered(ctx, yield)
			return
		}
		if err := a.list(ctx); err != nil {
			yield(nil, err)
			return
		}
		type item struct{ flips, i int }
		order := make([]item, 1<<len(a.kernel))
		for i := range order {
			if ctx.Err() != nil {
				yield(nil, ctx.Err())
				return
			}
			order[i] = item{a.at(i).Weight(), i}
		}
		slices.SortFunc(order, func(x, y item) int { return cmp.Or(x.flips-y.flips, x.i-y.i) })
		for _, it := range order {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			if s, err := a.clicks(ctx, a.at(it.i)); !yield(s, err) || err != nil {
				return
			}
		}
	}
}

// unordered yields the best answer found, then the others, as a counter counts.
func (a *answers) unordered(ctx context.Context, yield func(solve.Solution, error) bool) {
	best, err := a.p.FewestPacked(ctx)
	if err == nil {
		err = a.list(ctx)
	}
	if err != nil {
		yield(nil, err)
		return
	}
	first := make(gf2.Vec, len(a.x))
	_, number := a.p.unknowns(true)
	for _, node := range best.Packed.(*presses).at.Ones() {
		first.Flip(number[node])
	}
	if s, err := a.clicks(ctx, first); !yield(s, err) || err != nil {
		return
	}
	x := a.x.Clone()
	wheel := make([]bool, len(a.kernel))
	for {
		if err := ctx.Err(); err != nil {
			yield(nil, err)
			return
		}
		if !slices.Equal(x, first) {
			if s, err := a.clicks(ctx, x); !yield(s, err) || err != nil {
				return
			}
		}
		i := 0
		for ; i < len(wheel); i++ {
			x.Xor(a.kernel[i])
			if wheel[i] = !wheel[i]; wheel[i] {
				break
			}
		}
		if i == len(wheel) {
			return
		}
	}
}

// A Certificate proves that a puzzle has no answer: every switch flips an even number of
// some bulbs, but an odd number of them needs flipping.
type Certificate struct {
	p     *Puzzle
	Bulbs []int // nodes, ascending
}

// Text names the bulbs.
func (c *Certificate) Text() string {
	var names []string
	for _, i := range c.Bulbs {
		if i < 0 || i >= len(c.p.cells) {
			return fmt.Sprintf("bulb number %d, of %d", i, len(c.p.cells))
		}
		name := c.p.name(i)
		if c.p.rows > 0 { // as people count
			name = fmt.Sprintf("%d,%d", i%c.p.cols+1, i/c.p.cols+1)
		}
		names = append(names, name)
	}
	list := strings.Join(names, " ")
	if c.p.rows > 0 {
		list = "in (column,row) " + list
	}
	return fmt.Sprintf("every switch flips an even number of the bulbs %s, but an odd number of them needs flipping", list)
}

// Where is the centres of the bulbs.
func (c *Certificate) Where() []image.Point {
	var at []image.Point
	for _, i := range c.Bulbs {
		at = append(at, c.p.centre(i))
	}
	return at
}

// Why returns a *Certificate.
func (p *Puzzle) Why(ctx context.Context) (solve.Proof, error) {
	odd, ok, err := gf2.Vec(nil), false, error(nil)
	var bulbs []int
	if g, chased := p.chased(); chased {
		odd, ok, err = g.Refute(ctx)
	} else {
		if err := p.room(ctx); err != nil {
			return nil, err
		}
		switches, number := p.unknowns(false)
		bulbs, _ = p.bulbs()
		odd, ok, err = p.system(ctx, len(switches), number).Refute(ctx)
	}
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, fmt.Errorf("switches: the puzzle has an answer")
	}
	c := &Certificate{p: p, Bulbs: odd.Ones()}
	if bulbs != nil {
		for i, e := range c.Bulbs {
			c.Bulbs[i] = bulbs[e]
		}
		slices.Sort(c.Bulbs)
	}
	return c, nil
}

// CheckProof tries every switch on the bulbs of a *Certificate.
func (p *Puzzle) CheckProof(_ context.Context, proof solve.Proof) error {
	c, ok := proof.(*Certificate)
	if !ok {
		return fmt.Errorf("switches: a proof of type %T, want *switches.Certificate", proof)
	}
	counted, need := map[int]bool{}, 0
	for _, i := range c.Bulbs {
		if i < 0 || i >= len(p.cells) || !p.cells[i].bulb() || counted[i] {
			return fmt.Errorf("switches: the proof counts node %d, which is no bulb, or twice", i)
		}
		counted[i] = true
		need ^= p.cells[i].want() ^ p.cells[i].now()
	}
	if need == 0 {
		return fmt.Errorf("switches: the proof's bulbs need no flip, or an even number of them")
	}
	var list []int
	for i := range p.cells {
		odd := false
		list = p.flips(i, list)
		for _, bulb := range list {
			odd = odd != counted[bulb]
		}
		if odd {
			return fmt.Errorf("switches: switch %s flips an odd number of the proof's bulbs, want an even one", p.name(i))
		}
	}
	return nil
}
