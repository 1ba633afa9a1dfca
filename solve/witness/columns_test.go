package witness_test

import (
	"fmt"
	"image"
	rand "math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"onlooker/solve"
	"onlooker/solve/solvetest"
	"onlooker/solve/witness"
	"onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	"onlooker/solve/witness/symbols"
	"onlooker/solve/witness/witnesstest"
)

// quux is one kind of symbols, of a rule.
func quux(t *testing.T, rule string) board.Kind {
	t.Helper()
	file := "name = \"quux\"\ndoc = \"x\"\n" + rule + "[shape]\nmark = \"Q\"\nonce = [[[0, 0], [0.5, 0], [0, 0.5]]]\n"
	if strings.HasPrefix(rule, "numbers") {
		file += "count = \"digit\"\n"
	}
	return solvetest.Must(symbols.Parse("quux.toml", []byte(file)))(t)
}

// Panels of which Check, search and the account once said different things.
func TestColumnsOnce(t *testing.T) {
	const none = "[rule]\nscope = \"rays\"\npick = \"own\"\ntest = \"= 0\"\n"
	for _, row := range []struct{ why, rule, text string }{
		{"two antitriangles beside a start that both lines share", none, "panel 2x1 symmetry=flip rules=witnesspuzzles\nv-+-+\n| |a@\nv-+-+\na = 2 white antitriangles\n"},
		{"one", none, "panel 2x1 symmetry=flip rules=witnesspuzzles\nv-+-+\n| |a@\nv-+-+\na = 1 white antitriangle\n"},
		{"what is no cell along rays", "[rule]\nscope = \"rays\"\npick = \"other\"\ntest = \"= 0\"\n", "panel 2x1 rules=game\n+-+->\n|a|  \n@-+-+\na = white quux\n"},
		{"and round a cell", "[rule]\nscope = \"around\"\npick = \"other\"\ntest = \"= 0\"\n", "panel 2x1 rules=game\n+-+->\n|a|  \n@-+-+\na = white quux\n"},
		{"rays of both ways round a pillar, compared", "[rule]\nscope = \"rays\"\npick = \"line\"\neach = true\ntest = \"equal\"\n", "pillar 3x2\n+-^-+-\n|a| | \n+-+-+-\n| |a| \n@-+-+-\na = white quux\n"},
		{"the same of cells", "[rule]\nscope = \"rays\"\npick = \"own\"\neach = true\ntest = \"equal\"\n", "pillar 3x2\n+-^-+-\n|a| | \n+-+-+-\n| |a| \n@-+-+-\na = white quux\n"},
	} {
		t.Run(row.why, func(t *testing.T) {
			family := witness.NewFamily(append(board.Kinds(), quux(t, row.rule)), nil)
			p := board.Of(solvetest.Must(family.Parse(row.text))(t))
			for _, w := range append(compare(t.Context(), p, &tally{}), lineByLine(t, p)...) {
				t.Error(w)
			}
		})
	}
}

// A panel full of symbols of columns is judged in a time that hardly grows faster than
// it: of four times as many cells in less than twelve times as much, and not without end.
func TestCheckOfManySymbols(t *testing.T) {
	for _, rule := range []string{
		"numbers = [1, 9]\n[rule]\nscope = \"region\"\npick = \"symbol\"\nitself = true\ntest = \"!= n\"\n",
		"[rule]\nscope = \"rays\"\npick = \"other\"\ntest = \">= 0\"\n",
		"[rule]\nscope = \"cross\"\npick = \"own\"\ntest = \">= 1\"\n",
		"directions = 8\n[rule]\nscope = \"ahead\"\npick = \"symbol\"\ntest = \">= 0\"\n",
		"[rule]\nscope = \"rays\"\npick = \"own\"\ntest = \"equal != 0\"\n",
		"[rule]\nscope = \"region\"\npick = \"own\"\nitself = true\ntest = \"equal\"\n",
	} {
		k := quux(t, rule)
		took := func(n int) time.Duration {
			p := board.New(n, n, false)
			line := solve.Stroke{}
			for y := 2 * n; y > 0; y -= 2 {
				line = append(line, image.Pt(0, y))
			}
			for x := 0; x <= 2*n; x += 2 {
				line = append(line, image.Pt(x, 0))
			}
			p.At(image.Pt(0, 2*n)).Start = true
			p.At(image.Pt(2*n, 0)).Cap = image.Pt(1, 0)
			for at := range p.Points() {
				if board.IsCell(at) {
					p.At(at).Symbol = board.Symbol{Kind: k, Count: min(k.Most(), 1), Colour: board.White}
					if w := k.About().Ways; w > 0 {
						p.At(at).Way = board.Directions(w)[(at.X+at.Y)%w]
					}
				}
			}
			least := time.Hour
			for range 3 {
				start := witnesstest.Clock()
				_ = witness.Of(p).Faults(t.Context(), solve.Solution{append(line, image.Pt(2*n+1, 0))})
				least = min(least, witnesstest.Clock()-start)
			}
			return least
		}
		small, large := took(50), took(100)
		t.Logf("%s\n%v, %v", rule, small, large)
		if large > 12*small+10*time.Millisecond {
			t.Errorf("%s\n50×50 cells took %v, 100×100 %v: want less than twelve times as much", rule, small, large)
		}
	}
}

// The brute force's account of rules of columns, from the table of words in the README:
// it lists what is looked at, place by place.

// says tells whether a symbol is right by its columns where these things stand in its
// region.
func (a *area) says(at image.Point, standing []image.Point) bool {
	c, s := a.d.p.At(at).Kind.By(), a.d.p.At(at)
	if strings.HasPrefix(string(c.Test), "equal") || c.Test == "once" {
		return true // see disagreeing
	}
	if c.Fold == board.Lined {
		row, column, any := true, true, false
		for q := range a.counted(at, standing, image.Point{}) {
			if q != at {
				row, column, any = row && q.Y == at.Y, column && q.X == at.X, true
			}
		}
		return any && (row || column)
	}
	want := s.Count
	if c.Test == "= sum" {
		want = 0
		for _, q := range standing {
			if a.d.p.At(q).Kind == s.Kind {
				want += a.d.p.At(q).Count
			}
		}
		return a.howMany(at, standing) == want
	}
	if c.Each {
		for _, way := range waysOf(c, s.Way) {
			if !passes(c.Test, len(a.counted(at, standing, way)), want) {
				return false
			}
		}
		return true
	}
	return passes(c.Test, a.howMany(at, standing), want)
}

func passes(test board.Test, got, number int) bool {
	op, n, _ := strings.Cut(string(test), " ")
	if k, err := strconv.Atoi(n); err == nil {
		number = k
	}
	return map[string]bool{"=": got == number, "!=": got != number, ">=": got >= number, "<=": got <= number}[op]
}

func waysOf(c *board.Columns, way image.Point) []image.Point {
	if c.Scope == board.Rays {
		return ways[:]
	}
	return []image.Point{way}
}

// howMany is what all ways count together, each place once.
func (a *area) howMany(at image.Point, standing []image.Point) int {
	all := make(map[image.Point]bool)
	c := a.d.p.At(at).Kind.By()
	for _, way := range waysOf(c, a.d.p.At(at).Way) {
		for q := range a.counted(at, standing, way) {
			all[q] = true
		}
	}
	return len(all)
}

// counted is what counts one way.
func (a *area) counted(at image.Point, standing []image.Point, way image.Point) map[image.Point]bool {
	d, p := a.d, a.d.p
	c := p.At(at).Kind.By()
	counts := make(map[image.Point]bool)
	for _, q := range d.lookedAt(c, at, way) {
		is := false
		switch c.Pick {
		case board.PickLine:
			is = d.covered(q)
		case board.PickTurn:
			if is = d.turnsAt(q); is && !c.Stub {
				is = d.bare().turnsAt(q)
			}
		case board.PickSeen:
			is = true
		case board.PickOwn:
			is = slices.Contains(a.cells, q)
		case board.PickOther:
			is = !d.outside[q] && !slices.Contains(a.cells, q)
		case board.PickSymbol:
			is = slices.Contains(standing, q) && (!c.OwnColour || p.At(q).Colour != "" && p.At(q).Colour == p.At(at).Colour)
		}
		if is {
			counts[q] = true
		}
	}
	if c.Itself {
		counts[at] = true
	}
	return counts
}

// bare is the drawing on a panel whose caps lie along the line.
func (d *drawing) bare() *drawing {
	e := *d
	e.p = d.p.Clone()
	for i := range e.p.Spots {
		e.p.Spots[i].Cap = image.Point{}
	}
	return &e
}

// lookedAt lists the places of a scope in the order in which they come; of what is seen,
// as far as can be seen.
func (d *drawing) lookedAt(c *board.Columns, at, way image.Point) (all []image.Point) {
	p := d.p
	if c.Scope == board.Ray || c.Scope == board.Rays {
		q := at
		if c.Pick == board.PickLine {
			q = q.Sub(way)
		}
		for {
			if q = q.Add(way).Add(way); !p.In(q) || p.Wrap(q) == at || slices.Contains(all, p.Wrap(q)) {
				return all
			}
			if c.Until == board.Hole && d.outside[p.Wrap(q)] || c.Pick == board.PickSeen && d.covered(q.Sub(way)) {
				return all
			}
			all = append(all, p.Wrap(q))
		}
	}
	for q := range p.Points() {
		for _, turns := range []int{-1, 0, 1} { // round a pillar
			if !p.Pillar && turns != 0 || c.Scope == board.Ahead && turns != 0 {
				continue
			}
			dx, dy := q.X+turns*p.Width()-at.X, q.Y-at.Y
			x, y := max(dx, -dx), max(dy, -dy)
			in := false
			switch c.Scope {
			case board.Corners:
				in = x == 1 && y == 1
			case board.Sides:
				in = x+y == 1
			case board.Next:
				in = x == 2 && y == 0 || x == 0 && y == 2
			case board.Around:
				in = x <= 2 && y <= 2 && x%2+y%2 == 0
			case board.Cross:
				in = board.IsCell(q) && (q.X == at.X || q.Y == at.Y)
			case board.Ahead:
				in = board.IsCell(q) && (way.X == 0 || dx*way.X > 0) && (way.Y == 0 || dy*way.Y > 0)
			case board.All:
				in = board.IsCell(q)
			}
			if in && q != at && !slices.Contains(all, q) {
				all = append(all, q)
			}
		}
	}
	return all
}

// disagreeing are the symbols that are compared over the panel, where they differ.
func (d *drawing) disagreeing() (all []image.Point) {
	p := d.p
	type group struct {
		board.Kind
		board.Colour
	}
	groups := make(map[group][]image.Point)
	home := make(map[image.Point]*area)
	for a := range d.areas {
		for _, at := range a.cells {
			home[at] = a
			if c := p.At(at).Kind.By(); c != nil && (strings.HasPrefix(string(c.Test), "equal") || c.Test == "once") {
				g := group{p.At(at).Kind, ""}
				if c.OwnColour {
					g.Colour = p.At(at).Colour
				}
				groups[g] = append(groups[g], at)
			}
		}
	}
	for g, own := range groups {
		c := g.By()
		values, each := make(map[string]bool), [4]int{}
		zero := false
		for _, at := range own {
			if c.Fold != board.SidesSet {
				n := home[at].howMany(at, nil)
				values[fmt.Sprint(n)], zero = true, zero || n == 0
				continue
			}
			name, way := "", p.At(at).Way
			if way == (image.Point{}) {
				way = image.Pt(0, -1)
			}
			for i := range each {
				on := d.covered(at.Add(way))
				if name += fmt.Sprint(on); on {
					each[i]++
				}
				way = image.Pt(-way.Y, way.X)
			}
			values[name] = true
		}
		good := len(values) == 1 && !(c.Test == "equal != 0" && zero)
		if c.Test == "once" {
			good = each == [4]int{1, 1, 1, 1}
		}
		if !good {
			all = append(all, own...)
		}
	}
	return all
}

// symbolFile is any symbol's file; many say what has no meaning.
func symbolFile(rng *rand.Rand, name string) string {
	one := func(of ...string) string { return of[rng.IntN(len(of))] }
	var b strings.Builder
	fmt.Fprintf(&b, "name = %q\ndoc = \"x\"\n", name)
	line := func(most int, format string, args ...any) bool { // one in so many
		said := rng.IntN(most) == 0
		if said {
			fmt.Fprintf(&b, format+"\n", args...)
		}
		return said
	}
	numbers := line(2, "numbers = [%d, %d]", rng.IntN(2), 1+rng.IntN(5))
	line(3, "directions = %s", one("4", "4", "8"))
	line(4, "erasable = false")
	line(4, "stars = false")
	fmt.Fprintf(&b, "[rule]\nscope = %q\n", one("ray", "rays", "corners", "sides", "beside", "around", "cross", "ahead", "region"))
	fmt.Fprintf(&b, "pick = %q\n", one("line", "turn", "seen", "own", "other", "symbol"))
	line(4, "until = \"hole\"")
	line(4, "itself = true")
	line(3, "own_colour = true")
	line(3, "each = true")
	line(3, "stub = true")
	if !line(12, "fold = \"lined\"") {
		line(6, "fold = \"set\"")
		test := one("= n", "= n", ">= n", "<= n", "!= n", "= 0", "= 1", "= 2", ">= 1", "<= 1", "!= 0", "!= 2", "= sum", "equal", "equal != 0", "once")
		fmt.Fprintf(&b, "test = %q\n", test)
	}
	b.WriteString("[shape]\nmark = \"Q\"\nonce = [[[0, 0], [0.5, 0], [0, 0.5]]]\n")
	if numbers {
		b.WriteString("count = \"digit\"\n")
	}
	return b.String()
}

// symbolKind is a kind of such a file that is taken; wrong is what was not told well of
// those that were not.
func symbolKind(rng *rand.Rand, name string) (k board.Kind, text string, wrong []string) {
	for {
		text = symbolFile(rng, name)
		k, err := symbols.Parse(name+".toml", []byte(text))
		if err == nil {
			return k, text, wrong
		}
		if !strings.Contains(err.Error(), ": line ") || strings.Contains(err.Error(), "\n") {
			wrong = append(wrong, err.Error())
		}
	}
}

// columnsPanel is a tiny board with symbols of one or two such kinds, and others.
func columnsPanel(rng *rand.Rand) (p *board.Panel, files string, wrong []string) {
	var kinds []board.Kind
	for i := range 1 + rng.IntN(2) {
		k, text, bad := symbolKind(rng, []string{"quux", "quuz"}[i])
		kinds, files, wrong = append(kinds, k), files+text, append(wrong, bad...)
	}
	rules := board.RuleSets()[rng.IntN(4)]
	if rng.IntN(6) == 0 {
		rules.FixedNew = true
	}
	p = tinyPanel(rng, rules)
	mixed := rng.IntN(3)
	for at := range p.Points() {
		s := p.At(at)
		if !board.IsCell(at) || rng.IntN(5) > 2 && mixed > 0 {
			continue
		}
		s.Symbol = board.Symbol{}
		if rng.IntN(5) < 3 {
			s.Symbol = kinds[rng.IntN(len(kinds))].Sample(rng)
			s.Colour = []board.Colour{"", board.White, board.White, board.Black}[rng.IntN(4)]
			if s.Kind.About().Needs && s.Colour == "" {
				s.Colour = board.White
			}
		}
	}
	return p, files, wrong
}

// Any symbol that a file may be is found, counted, explained and checked, line by line,
// as the account says. 400 boards, or as often as more is asked for.
func TestColumnsAgainstBruteForce(t *testing.T) {
	all := sideBySide(t, 400*uint64(solvetest.More()), func(seed uint64, sum *tally) []string {
		p, files, wrong := columnsPanel(rand.New(rand.NewPCG(seed, 62)))
		wrong = slices.Concat(wrong, compare(t.Context(), p, sum), lineByLine(t, p))
		for i := range wrong {
			wrong[i] += files
		}
		return wrong
	})
	if all.solvable < all.boards/20 || all.reasons < all.boards/20 {
		t.Errorf("%d of %d boards have an answer, %d a reason: the sample decides little", all.solvable, all.boards, all.reasons)
	}
}

// lineByLine holds Check against the account, of every line of a panel.
func lineByLine(t *testing.T, p *board.Panel) (wrong []string) {
	right := make(map[string]bool)
	for _, s := range everyAnswer(p) {
		right[fmt.Sprint(s)] = true
	}
	for _, s := range everyLine(p, func(*drawing) bool { return true }) {
		if err := witness.Of(p).Check(t.Context(), s); (err == nil) != right[fmt.Sprint(s)] {
			wrong = append(wrong, fmt.Sprintf("check of %v: %v, want right: %t\n%s", s, err, right[fmt.Sprint(s)], forms.String(p)))
		}
	}
	return wrong
}

// The brute force's account of the randomizers' symbols, from their rules as people
// tell them, and nothing of their columns.

func sigmaKinds() []board.Kind {
	return []board.Kind{board.Arrow, board.AntiTriangle, board.Cave, board.Mines, board.Flower, board.Dart}
}

func ofSigma(k board.Kind) bool { return slices.Contains(sigmaKinds(), k) }

// holds tells whether such a symbol is right where these things stand in its region.
func (a *area) holds(at image.Point, standing []image.Point) bool {
	d, p := a.d, a.d.p
	s := p.At(at)
	cell := func(q image.Point) bool { return p.In(q) && !d.outside[p.Wrap(q)] }
	n := 0
	switch s.Kind {
	case board.Arrow:
		for k := 1; p.In(at.Add(s.Way.Mul(k))); k += 2 {
			if k > 1 && p.Wrap(at.Add(s.Way.Mul(k))) == p.Wrap(at.Add(s.Way)) {
				break
			}
			if d.covered(at.Add(s.Way.Mul(k))) {
				n++
			}
		}
	case board.AntiTriangle:
		for _, way := range []image.Point{{X: 1, Y: 1}, {X: 1, Y: -1}, {X: -1, Y: 1}, {X: -1, Y: -1}} {
			if d.turnsAt(p.Wrap(at.Add(way))) {
				n++
			}
		}
	case board.Cave:
		seen := map[image.Point]bool{at: true}
		for _, way := range ways {
			for q := at; ; {
				side := q.Add(way)
				if q = side.Add(way); d.covered(side) || !cell(q) || p.Wrap(q) == at {
					break
				}
				seen[p.Wrap(q)] = true
			}
		}
		n = len(seen)
	case board.Mines:
		seen := map[image.Point]bool{at: true}
		for dy := -2; dy <= 2; dy += 2 {
			for dx := -2; dx <= 2; dx += 2 {
				q := at.Add(image.Pt(dx, dy))
				if cell(q) && !seen[p.Wrap(q)] && !slices.Contains(a.cells, p.Wrap(q)) {
					n++
				}
				seen[p.Wrap(q)] = true
			}
		}
	case board.Dart:
		for q := at.Add(s.Way.Mul(2)); cell(q) && p.Wrap(q) != at; q = q.Add(s.Way.Mul(2)) {
			if slices.Contains(a.cells, p.Wrap(q)) {
				n++
			}
		}
	case board.Flower:
		row, column, other := 0, 0, 0
		for _, q := range standing {
			switch {
			case q == at || p.At(q).Colour != s.Colour:
			case q.Y == at.Y:
				row++
			case q.X == at.X:
				column++
			default:
				other++
			}
		}
		return other == 0 && (row > 0) != (column > 0)
	}
	return n == s.Count
}

// turnsAt tells whether either line turns at a node, the cap that it leaves by
// included.
func (d *drawing) turnsAt(node image.Point) bool {
	bends := func(path []image.Point, cap image.Point) bool {
		for i, q := range path {
			if d.p.Wrap(q) != node {
				continue
			}
			var level, upright bool
			note := func(way image.Point) { level, upright = level || way.X != 0, upright || way.Y != 0 }
			if i > 0 {
				note(q.Sub(path[i-1]))
			}
			if i+1 < len(path) {
				note(path[i+1].Sub(q))
			} else {
				note(cap)
			}
			return level && upright
		}
		return false
	}
	last := d.path[len(d.path)-1]
	if bends(d.path, d.p.At(last).Cap) {
		return true
	}
	if d.p.Symmetry == board.NoSymmetry {
		return false
	}
	// Every way along the image runs along the same axis as the line's.
	var image []image.Point
	q, _ := d.p.Image(node)
	for i, at := range d.path {
		if d.p.Wrap(at) == q {
			image = d.path[max(0, i-1):min(len(d.path), i+2)]
		}
	}
	if image == nil {
		return false
	}
	node = q
	if to, _ := d.p.Image(last); d.p.Wrap(last) == q {
		return bends(d.path, d.p.At(to).Cap)
	}
	return bends(d.path, last.Sub(last))
}

// sigmaPanel is a tiny board of some of these symbols, and others where they are
// mixed.
func sigmaPanel(rng *rand.Rand, kinds []board.Kind, mixed bool) *board.Panel {
	rules := board.Sigma
	if rng.IntN(3) == 0 {
		rules = board.RuleSets()[rng.IntN(4)]
	}
	if rng.IntN(6) == 0 {
		rules.FixedNew = true
	}
	p := tinyPanel(rng, rules)
	for at := range p.Points() {
		if !board.IsCell(at) {
			continue
		}
		s := p.At(at)
		if !mixed {
			s.Symbol = board.Symbol{}
		}
		if rng.IntN(5) > 1 {
			continue
		}
		k := kinds[rng.IntN(len(kinds))]
		s.Symbol = k.Sample(rng)
		s.Colour = []board.Colour{board.White, board.Black}[rng.IntN(2)]
		if k == board.Arrow || k == board.AntiTriangle || k == board.Dart { // mostly few
			s.Count = 1 + min(rng.IntN(4), rng.IntN(4))
		}
		if k == board.Cave || k == board.Mines {
			s.Count = min(k.About().Most, k.About().Least()+min(rng.IntN(6), rng.IntN(6)))
		}
	}
	return p
}

// Each symbol alone and mixed with all others: as the brute force says. 150 boards
// each, or as often as more is asked for.
func TestSigmaAgainstBruteForce(t *testing.T) {
	boards := 150 * uint64(solvetest.More())
	lists := [][]board.Kind{sigmaKinds()}
	for _, k := range sigmaKinds() {
		lists = append(lists, []board.Kind{k})
	}
	for i, kinds := range lists {
		for _, mixed := range []bool{false, true} {
			t.Run(fmt.Sprintf("%v/mixed=%t", kinds, mixed), func(t *testing.T) {
				sum := sideBySide(t, boards, func(seed uint64, sum *tally) []string {
					return compare(t.Context(), sigmaPanel(rand.New(rand.NewPCG(seed, uint64(200+i))), kinds, mixed), sum)
				})
				if sum.solvable < sum.boards/20 {
					t.Errorf("%d of %d boards have an answer: the sample decides little", sum.solvable, sum.boards)
				}
			})
		}
	}
}
