package witness_test

import (
	"fmt"
	"image"
	rand "math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"onlooker/solve/solvetest"
	"onlooker/solve/witness"
	"onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	"onlooker/solve/witness/symbols"
)

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
