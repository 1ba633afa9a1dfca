package switches

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"onlooker/solve"
)

func printed(r rune) bool { return unicode.IsPrint(r) && !unicode.IsSpace(r) && r != '\ufffd' }

// Family is the family's entry for a list of games.
var Family = solve.Family{
	Name:  "switches",
	Doc:   "flip switches until every bulb is as wanted (Lights Out on any graph)",
	Rules: rules(),
	Formats: []solve.Format{
		{Name: "text", Sniff: sniffText, Decode: decodeBoards(isHeader, board.parse), Encode: encodeText},
		{Name: "matrix", Sniff: sniffMatrix, Decode: decodeBoards(isMatrix, board.matrix), Encode: encodeMatrix},
		{Name: "connections", Sniff: sniffConnections, Decode: decodeConnections, Encode: encodeConnections},
	},
	Generate: func(rng *rand.Rand, cols, rows int) solve.Puzzle { return Generate(rng, cols, rows, 2) },
	Wishes:   wishes(),
	Make:     toOrder,
}

// Generate returns a grid of cross-shaped switches whose bulbs have that many
// states; all lit (state 1) is wanted, and an answer exists.
func Generate(rng *rand.Rand, cols, rows, states int) *Puzzle {
	s := Spec{States: states, Cols: cols, Rows: rows, Nodes: make([]Node, cols*rows)}
	for i := range s.Nodes {
		s.Nodes[i] = Node{Now: 1, Want: 1}
	}
	pt, _ := patternNamed("cross")
	s.Flips = pt.flips(&s, "")
	times := make([]int, len(s.Nodes))
	for i := range times {
		times[i] = rng.IntN(states)
	}
	wrong := func() bool {
		return slices.ContainsFunc(s.Nodes, func(n Node) bool { return n.Now != n.Want })
	}
	for _, f := range s.Flips {
		n := &s.Nodes[f.Bulb]
		n.Now = (n.Now + times[f.Switch]*f.By) % states
	}
	if !wrong() { // one flip always changes its own bulb
		for _, f := range s.Flips {
			if f.Switch == 0 {
				s.Nodes[f.Bulb].Now = (1 + f.By) % states
			}
		}
	}
	p, err := New(s)
	if err != nil {
		panic(err) // New's own conditions are met above, for cols, rows ≥ 1 and states ≥ 2
	}
	return p
}

// A pattern is what a grid's switches flip.
type pattern struct {
	name string
	at   [][2]int // column and row differences
}

func patterns() []pattern {
	side := [][2]int{{0, -1}, {-1, 0}, {1, 0}, {0, 1}}
	corner := [][2]int{{-1, -1}, {1, -1}, {-1, 1}, {1, 1}}
	own := [][2]int{{0, 0}}
	return []pattern{
		{"cross", slices.Concat(own, side)},
		{"ring", side},
		{"square", slices.Concat(own, side, corner)},
		{"around", slices.Concat(side, corner)},
		{"diagonal", slices.Concat(own, corner)},
		{"own", own},
		{"none", nil},
	}
}

func patternNamed(name string) (pattern, bool) {
	ps := patterns()
	i := slices.IndexFunc(ps, func(p pattern) bool { return p.name == name })
	if i < 0 {
		return pattern{}, false
	}
	return ps[i], true
}

// wraps are the ways in which a grid's borders may be joined.
func wraps() []string { return []string{"", "across", "down", "both"} }

// flips lists what the switches of a grid do, each pair once.
func (pt pattern) flips(s *Spec, wrap string) []Flip {
	list := make([]Flip, 0, len(pt.at)*len(s.Nodes))
	for i, n := range s.Nodes {
		if n.Kind != Both && n.Kind != Button {
			continue
		}
		from := len(list)
		for _, d := range pt.at {
			c, r := i%s.Cols+d[0], i/s.Cols+d[1]
			if wrap == "across" || wrap == "both" {
				c = (c + s.Cols) % s.Cols
			}
			if wrap == "down" || wrap == "both" {
				r = (r + s.Rows) % s.Rows
			}
			if c < 0 || c >= s.Cols || r < 0 || r >= s.Rows {
				continue
			}
			j := r*s.Cols + c
			if k := s.Nodes[j].Kind; k != Both && k != Lamp {
				continue
			}
			// On a grid that is 1 or 2 across, two ways may lead to one bulb.
			if !slices.Contains(list[from:], Flip{i, j, 1}) {
				list = append(list, Flip{i, j, 1})
			}
		}
	}
	return list
}

// A line is a line of text and where it stood.
type line struct {
	no   int
	text string
}

// A board is the lines of one board.
type board []line

func (l line) errorf(format string, args ...any) error {
	return fmt.Errorf("switches: line %d: %s", l.no, fmt.Sprintf(format, args...))
}

// maxLine is the longest line that is read: a plain graph names all its bulbs
// in one.
const maxLine = 1 << 26

// lines yields the lines of a file without comments. A lone '/' ends a line:
// one that holds such comes in several parts.
func lines(r io.Reader) iter.Seq2[[]line, error] {
	return func(yield func([]line, error) bool) {
		sc := bufio.NewScanner(r)
		sc.Buffer(make([]byte, 0, 64*1024), maxLine)
		for no := 1; sc.Scan(); no++ {
			text := strings.TrimRight(strings.ToValidUTF8(sc.Text(), "\ufffd"), " \t\r")
			if no == 1 {
				text = strings.TrimPrefix(text, "\ufeff")
			}
			if strings.HasPrefix(text, "#") {
				continue
			}
			fields := strings.Fields(text)
			if !slices.Contains(fields, "/") {
				if !yield([]line{{no, text}}, nil) {
					return
				}
				continue
			}
			var parts []line
			rest := fields
			for {
				i := slices.Index(rest, "/")
				if i < 0 {
					break
				}
				parts = append(parts, line{no, strings.Join(rest[:i], " ")})
				rest = rest[i+1:]
			}
			parts = append(parts, line{no, strings.Join(rest, " ")})
			if !yield(parts, nil) {
				return
			}
		}
		if err := sc.Err(); err != nil {
			yield(nil, fmt.Errorf("switches: %w", err))
		}
	}
}

// isHeader tells whether a line begins a board of the canonical form.
func isHeader(text string) bool {
	f := strings.Fields(text)
	return len(f) == 1 && f[0] == "switches" || len(f) == 2 && f[0] == "grid" && '0' <= f[1][0] && f[1][0] <= '9'
}

func sniffText(head []byte) bool {
	for parts := range lines(bytes.NewReader(head)) {
		for _, l := range parts {
			if f := strings.Fields(l.text); len(f) > 0 {
				// A size that is wrong is still a grid's, as decoding tells.
				return isHeader(l.text) || len(f) > 1 && len(f) <= 3 && f[0] == "grid"
			}
		}
	}
	return false
}

// decodeBoards reads boards of which each begins with a line of its own.
func decodeBoards(begins func(string) bool, parse func(board) (*Puzzle, error)) func(io.Reader) iter.Seq2[solve.Puzzle, error] {
	return func(r io.Reader) iter.Seq2[solve.Puzzle, error] {
		return func(yield func(solve.Puzzle, error) bool) {
			var b board
			flush := func() bool {
				if len(b) == 0 {
					return true
				}
				p, err := parse(b)
				b = nil
				if err != nil {
					return yield(nil, err)
				}
				return yield(p, nil)
			}
			for parts, err := range lines(r) {
				if err != nil {
					if flush() {
						yield(nil, err)
					}
					return
				}
				for _, l := range parts {
					if begins(l.text) && !flush() {
						return
					}
					if l.text != "" {
						b = append(b, l)
					}
				}
				if len(parts) > 1 && !flush() {
					return
				}
			}
			flush()
		}
	}
}

// Parse reads one board of the canonical form.
func Parse(text string) (*Puzzle, error) {
	var found *Puzzle
	for p, err := range decodeBoards(isHeader, board.parse)(strings.NewReader(text)) {
		if err != nil {
			return nil, err
		}
		if found != nil {
			return nil, fmt.Errorf("switches: two boards, want one")
		}
		found = p.(*Puzzle)
	}
	if found == nil {
		return nil, fmt.Errorf("switches: no board")
	}
	return found, nil
}

// maxSide keeps a size that is typed wrong from asking for all memory; the
// rows must be there anyway.
const maxSide = 1 << 16

// parse reads a board of the canonical form.
func (b board) parse() (*Puzzle, error) {
	head := b[0]
	fields := strings.Fields(head.text)
	if !isHeader(head.text) {
		return nil, head.errorf("got %q, want a size such as \"grid 5x5\", or \"switches\"", head.text)
	}
	s := Spec{States: 2}
	grid := fields[0] == "grid"
	if grid {
		w, h, ok := strings.Cut(fields[1], "x")
		var err1, err2 error
		s.Cols, err1 = strconv.Atoi(w)
		s.Rows, err2 = strconv.Atoi(h)
		if !ok || err1 != nil || err2 != nil || s.Cols < 1 || s.Rows < 1 || s.Cols > maxSide || s.Rows > maxSide {
			return nil, head.errorf("got size %q, want one such as 5x5", fields[1])
		}
	}
	// What stands where.
	type field struct {
		line
		words []string
	}
	keys := map[string]field{}
	known := []string{"states", "want", "lamps", "not own"}
	if grid {
		known = append(known, "flips", "wrap")
	} else {
		known = append(known, "names", "lit", "buttons")
	}
	var rows, want, links []line
	for i := 1; i < len(b); i++ {
		l := b[i]
		key, value, ok := strings.Cut(l.text, ":")
		switch key = strings.TrimSpace(key); {
		case ok:
			if !slices.Contains(known, key) {
				return nil, l.errorf("got %q, want one of %s", key+":", strings.Join(known, ": ")+":")
			}
			if was, ok := keys[key]; ok {
				return nil, l.errorf("a second %q, the first is in line %d", key+":", was.no)
			}
			keys[key] = field{l, strings.Fields(value)}
			if key == "want" && len(keys[key].words) == 0 {
				if !grid {
					return nil, l.errorf("got nothing wanted, want bulbs, or \"all=0\" where all shall be dark")
				}
				for len(want) < s.Rows {
					if i++; i == len(b) {
						return nil, l.errorf("got %d wanted rows, want %d", len(want), s.Rows)
					}
					want = append(want, b[i])
				}
			}
		case grid && len(rows) < s.Rows:
			rows = append(rows, l)
		default:
			links = append(links, l)
		}
	}
	if f, ok := keys["states"]; ok {
		n, err := strconv.Atoi(strings.Join(f.words, " "))
		if err != nil || n < 2 || n > maxStates {
			return nil, f.errorf("got %q states, want 2 to %d", strings.Join(f.words, " "), maxStates)
		}
		s.States = n
	}
	number := map[string]int{}
	if grid {
		if s.States > 10 {
			return nil, head.errorf("a grid of %d states, want at most 10 (a plain graph takes more)", s.States)
		}
		if len(rows) < s.Rows {
			return nil, head.errorf("got %d rows, want %d", len(rows), s.Rows)
		}
		for _, l := range rows {
			if n := len([]rune(l.text)); n != s.Cols {
				return nil, l.errorf("got %d cells, want %d", n, s.Cols)
			}
			for c, ch := range []rune(l.text) {
				n := Node{}
				switch {
				case ch == '.':
					n.Kind = Hole
				case ch == '+':
					n.Kind = Button
				default:
					state, ok := stateOf(ch, s.States)
					if !ok {
						return nil, l.errorf("got %q in column %d, want %s", ch, c+1, cellWords(s.States))
					}
					n.Now = state
				}
				s.Nodes = append(s.Nodes, n)
			}
		}
	} else {
		f, ok := keys["names"]
		if !ok {
			return nil, head.errorf("got no \"names:\" line, want one")
		}
		for _, name := range f.words {
			if !goodName(name) {
				return nil, f.errorf("got the name %q, want a word without '=', '>', '#', '/' that is not \"all\"", name)
			}
			if _, ok := number[name]; ok {
				return nil, f.errorf("the name %q is there twice", name)
			}
			number[name] = len(s.Nodes)
			s.Nodes = append(s.Nodes, Node{Name: name})
		}
	}
	find := func(l line, name string) (int, error) {
		if grid {
			x, y, ok := strings.Cut(name, ",")
			c, err1 := strconv.Atoi(x)
			r, err2 := strconv.Atoi(y)
			if ok && err1 == nil && err2 == nil && 0 <= c && c < s.Cols && 0 <= r && r < s.Rows {
				return r*s.Cols + c, nil
			}
			return 0, l.errorf("got %q, want column,row below %d,%d", name, s.Cols, s.Rows)
		}
		if i, ok := number[name]; ok {
			return i, nil
		}
		return 0, l.errorf("got %q, which is no name of this board", name)
	}
	kind := func(key string, k Kind) error {
		f := keys[key]
		for _, name := range f.words {
			i, err := find(f.line, name)
			if err != nil {
				return err
			}
			if s.Nodes[i].Kind != Both {
				return f.errorf("%s is no bulb with a switch, or is there twice", name)
			}
			s.Nodes[i].Kind = k
		}
		return nil
	}
	if err := kind("lamps", Lamp); err != nil {
		return nil, err
	}
	if err := kind("buttons", Button); err != nil {
		return nil, err
	}
	bulb := func(i int) bool { return s.Nodes[i].Kind == Both || s.Nodes[i].Kind == Lamp }
	button := func(i int) bool { return s.Nodes[i].Kind == Both || s.Nodes[i].Kind == Button }
	// The states, now and wanted.
	states := func(key string, set func(i, state int)) error {
		f := keys[key]
		for _, w := range f.words {
			name, value, given := strings.Cut(w, "=")
			state := 1
			if given {
				var err error
				if state, err = strconv.Atoi(value); err != nil || state < 0 || state >= s.States {
					return f.errorf("got %q, want a state from 0 to %d", w, s.States-1)
				}
			}
			if name == "all" {
				for i := range s.Nodes {
					if bulb(i) {
						set(i, state)
					}
				}
				continue
			}
			i, err := find(f.line, name)
			if err != nil {
				return err
			}
			if !bulb(i) {
				return f.errorf("%s is no bulb", name)
			}
			set(i, state)
		}
		return nil
	}
	if err := states("lit", func(i, state int) { s.Nodes[i].Now = state }); err != nil {
		return nil, err
	}
	_, ok := keys["want"]
	switch {
	case !ok && s.States > 2:
		return nil, head.errorf("got no \"want:\" line, want one where bulbs have %d states", s.States)
	case !ok:
		for i := range s.Nodes {
			if bulb(i) {
				s.Nodes[i].Want = 1
			}
		}
	case len(want) > 0:
		for r, l := range want {
			if n := len([]rune(l.text)); n != s.Cols {
				return nil, l.errorf("got %d cells, want %d", n, s.Cols)
			}
			for c, ch := range []rune(l.text) {
				n := &s.Nodes[r*s.Cols+c]
				if !bulb(r*s.Cols + c) {
					if want := map[Kind]rune{Hole: '.', Button: '+'}[n.Kind]; ch != want {
						return nil, l.errorf("got %q in column %d, want %q as in the board", ch, c+1, want)
					}
					continue
				}
				state, ok := stateOf(ch, s.States)
				if !ok {
					return nil, l.errorf("got %q in column %d, want a state: %s", ch, c+1, stateWords(s.States))
				}
				n.Want = state
			}
		}
	default:
		if err := states("want", func(i, state int) { s.Nodes[i].Want = state }); err != nil {
			return nil, err
		}
	}
	// What flips what.
	silent := map[int]bool{}
	if f, ok := keys["not own"]; ok {
		for _, name := range f.words {
			i, err := find(f.line, name)
			if err != nil {
				return nil, err
			}
			if s.Nodes[i].Kind != Both {
				return nil, f.errorf("%s is no bulb with a switch", name)
			}
			silent[i] = true
		}
	}
	if grid {
		name, wrap := "cross", ""
		if f, ok := keys["flips"]; ok {
			name = strings.Join(f.words, " ")
			if _, ok := patternNamed(name); !ok {
				var names []string
				for _, p := range patterns() {
					names = append(names, p.name)
				}
				return nil, f.errorf("got %q, want one of %s", name, strings.Join(names, ", "))
			}
		}
		if f, ok := keys["wrap"]; ok {
			wrap = strings.Join(f.words, " ")
			if wrap == "" || !slices.Contains(wraps(), wrap) {
				return nil, f.errorf("got %q, want across, down or both", wrap)
			}
		}
		pt, _ := patternNamed(name)
		s.Flips = pt.flips(&s, wrap)
	} else {
		for i, n := range s.Nodes {
			if n.Kind == Both {
				s.Flips = append(s.Flips, Flip{i, i, 1})
			}
		}
	}
	s.Flips = slices.DeleteFunc(s.Flips, func(f Flip) bool { return f.Switch == f.Bulb && silent[f.Switch] })
	by := map[[2]int]int{} // where in s.Flips a pair is
	for i, f := range s.Flips {
		by[[2]int{f.Switch, f.Bulb}] = i
	}
	said := map[[2]int]int{} // in which line a pair was named
	for _, l := range links {
		w := strings.Fields(l.text)
		oneWay := len(w) >= 3 && w[1] == ">"
		amount := 1
		switch {
		case len(w) == 2 && w[0] != ">" && w[1] != ">":
		case oneWay && len(w) == 3:
		case oneWay && len(w) == 4:
			n, err := strconv.Atoi(w[3])
			if err != nil || n < 1 || n >= s.States {
				return nil, l.errorf("got %q states to go on by, want %s", w[3], upTo(s.States-1))
			}
			amount = n
		default:
			return nil, l.errorf("got %q, want \"a b\", \"a > b\" or \"a > b 2\"", l.text)
		}
		first, err := find(l, w[0])
		if err != nil {
			return nil, err
		}
		last := w[1]
		if oneWay {
			last = w[2]
		}
		second, err := find(l, last)
		if err != nil {
			return nil, err
		}
		if !oneWay && first == second {
			return nil, l.errorf("got %q joined to itself", w[0])
		}
		pairs := [][2]int{{first, second}}
		if !oneWay {
			pairs = append(pairs, [2]int{second, first})
		}
		does := false
		for _, pair := range pairs {
			if !button(pair[0]) || !bulb(pair[1]) {
				continue
			}
			does = true
			if was, ok := said[pair]; ok {
				return nil, l.errorf("got %q, but line %d joins them already", l.text, was)
			}
			said[pair] = l.no
			i, ok := by[pair]
			switch {
			case !ok:
				s.Flips = append(s.Flips, Flip{pair[0], pair[1], amount})
			case pair[0] == pair[1] || grid && oneWay:
				s.Flips[i].By = amount // said anew, instead of by 1
			default:
				return nil, l.errorf("got %q, but the grid joins them already", l.text)
			}
		}
		if !does {
			return nil, l.errorf("got %q, but there is no switch at one end with a bulb at the other", l.text)
		}
	}
	p, err := New(s)
	if err != nil {
		return nil, head.errorf("%s", strings.TrimPrefix(err.Error(), "switches: "))
	}
	return p, nil
}

// stateOf reads a cell: '*' and 'o', or digits too.
func stateOf(ch rune, states int) (int, bool) {
	switch {
	case ch == 'o':
		return 0, true
	case ch == '*':
		return 1, true
	case states > 2 && '0' <= ch && int(ch-'0') < states:
		return int(ch - '0'), true
	}
	return 0, false
}

// upTo is the numbers from 1 to n in words.
func upTo(n int) string {
	if n == 1 {
		return "1"
	}
	return fmt.Sprintf("1 to %d", n)
}

func stateWords(states int) string {
	if states > 2 {
		return fmt.Sprintf("0 to %d", states-1)
	}
	return "'*' or 'o'"
}

func cellWords(states int) string {
	return stateWords(states) + ", '.' for no cell, '+' for a switch that is no bulb"
}

// cell writes a state in a row.
func (p *Puzzle) cell(i, state int) byte {
	switch {
	case p.nodes[i].Kind == Hole:
		return '.'
	case p.nodes[i].Kind == Button:
		return '+'
	case p.states > 2:
		return byte('0' + state)
	case state == 1:
		return '*'
	}
	return 'o'
}

// shape finds the pattern that leaves the fewest flips to be told one by one.
func (p *Puzzle) shape() (pt pattern, wrap string, rest []Flip) {
	s := p.Spec()
	least := -1
	for _, candidate := range patterns() {
		for _, w := range wraps() {
			has := map[[2]int]bool{}
			for _, f := range candidate.flips(&s, w) {
				has[[2]int{f.Switch, f.Bulb}] = true
			}
			var others []Flip
			hit := 0
			for _, f := range s.Flips {
				if has[[2]int{f.Switch, f.Bulb}] {
					hit++
					if f.By == 1 {
						continue
					}
				}
				others = append(others, f)
			}
			// A pattern may not flip what the board does not.
			if hit == len(has) && (least < 0 || len(others) < least) {
				pt, wrap, rest, least = candidate, w, others, len(others)
			}
		}
	}
	return pt, wrap, rest
}

// Links lists the flips that a picture has to show: in a plain graph all but
// those of a switch's own bulb by one state, in a grid those that its pattern
// does not tell.
func (p *Puzzle) Links() []Flip {
	if p.rows > 0 {
		_, _, rest := p.shape()
		return rest
	}
	var rest []Flip
	for _, f := range p.Spec().Flips {
		if f.Switch != f.Bulb || f.By != 1 {
			rest = append(rest, f)
		}
	}
	return rest
}

// MarshalText gives the canonical text.
func (p *Puzzle) MarshalText() ([]byte, error) {
	var b bytes.Buffer
	say := func(key string, words []string) {
		if len(words) > 0 {
			fmt.Fprintf(&b, "%s: %s\n", key, strings.Join(words, " "))
		}
	}
	named := func(in func(int) bool) []string {
		var words []string
		for i := range p.nodes {
			if in(i) {
				words = append(words, p.name(i))
			}
		}
		return words
	}
	withState := p.withState()
	grid := p.rows > 0
	if grid {
		fmt.Fprintf(&b, "grid %dx%d\n", p.cols, p.rows)
	} else {
		b.WriteString("switches\n")
		// Without a name there is still a line, as the form asks for one.
		fmt.Fprintf(&b, "%s\n", strings.TrimRight("names: "+strings.Join(named(func(int) bool { return true }), " "), " "))
	}
	if p.states > 2 {
		fmt.Fprintf(&b, "states: %d\n", p.states)
	}
	say("lamps", named(func(i int) bool { return p.nodes[i].Kind == Lamp }))
	var rest []Flip
	if grid {
		pt, wrap, others := p.shape()
		rest = others
		if pt.name != "cross" {
			fmt.Fprintf(&b, "flips: %s\n", pt.name)
		}
		if wrap != "" {
			fmt.Fprintf(&b, "wrap: %s\n", wrap)
		}
		for i := range p.nodes {
			b.WriteByte(p.cell(i, p.nodes[i].Now))
			if i%p.cols == p.cols-1 {
				b.WriteByte('\n')
			}
		}
	} else {
		say("buttons", named(func(i int) bool { return p.nodes[i].Kind == Button }))
		say("not own", named(func(i int) bool {
			return p.nodes[i].Kind == Both && !slices.ContainsFunc(p.flips[i], func(f step) bool { return f.bulb == i })
		}))
		rest = p.Links()
		say("lit", withState(func(n Node) int { return n.Now }))
	}
	p.writeWant(&b, withState)
	p.writeLinks(&b, rest)
	return b.Bytes(), nil
}

// withState returns what lists the bulbs that are not in state 0, as the values
// of lit and want are written.
func (p *Puzzle) withState() func(of func(Node) int) []string {
	return func(of func(Node) int) []string {
		var words []string
		for i, n := range p.nodes {
			switch state := of(n); {
			case !p.isBulb(i) || state == 0:
			case p.states == 2:
				words = append(words, p.name(i))
			default:
				words = append(words, fmt.Sprintf("%s=%d", p.name(i), state))
			}
		}
		return words
	}
}

func (p *Puzzle) writeWant(b *bytes.Buffer, withState func(func(Node) int) []string) {
	uniform, any := -1, false
	for i, n := range p.nodes {
		if !p.isBulb(i) {
			continue
		}
		if !any {
			uniform, any = n.Want, true
		} else if uniform != n.Want {
			uniform = -1
		}
	}
	if !any {
		uniform = 1
	}
	switch {
	case uniform == 1 && p.states == 2:
	case uniform >= 0:
		fmt.Fprintf(b, "want: all=%d\n", uniform)
	case p.rows > 0:
		b.WriteString("want:\n")
		for i := range p.nodes {
			b.WriteByte(p.cell(i, p.nodes[i].Want))
			if i%p.cols == p.cols-1 {
				b.WriteByte('\n')
			}
		}
	default:
		fmt.Fprintf(b, "want: %s\n", strings.Join(withState(func(n Node) int { return n.Want }), " "))
	}
}

// writeLinks writes flips, both ways in one line where they are.
func (p *Puzzle) writeLinks(b *bytes.Buffer, rest []Flip) {
	has := map[Flip]bool{}
	for _, f := range rest {
		has[f] = true
	}
	for _, f := range rest {
		back := f.By == 1 && f.Switch != f.Bulb && p.nodes[f.Switch].Kind == Both && p.nodes[f.Bulb].Kind == Both &&
			has[Flip{f.Bulb, f.Switch, 1}]
		switch {
		case back && f.Switch < f.Bulb:
			fmt.Fprintf(b, "%s %s\n", p.name(f.Switch), p.name(f.Bulb))
		case back:
		case f.By == 1:
			fmt.Fprintf(b, "%s > %s\n", p.name(f.Switch), p.name(f.Bulb))
		default:
			fmt.Fprintf(b, "%s > %s %d\n", p.name(f.Switch), p.name(f.Bulb), f.By)
		}
	}
}

func encodeText(w io.Writer, p solve.Puzzle) error {
	text, err := p.MarshalText()
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}
