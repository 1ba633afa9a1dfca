package switches

import (
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

// Generate returns a grid of cross-shaped switches; all lit is wanted, and an answer
// exists.
func Generate(rng *rand.Rand, cols, rows int) *Puzzle {
	s := Spec{Cols: cols, Rows: rows, Nodes: make([]Node, cols*rows)}
	for i := range s.Nodes {
		s.Nodes[i] = Node{Now: 1, Want: 1}
	}
	pt, _ := patternNamed("cross")
	s.Flips = pt.flips(&s, "")
	times := make([]int, len(s.Nodes))
	for i := range times {
		times[i] = rng.IntN(2)
	}
	wrong := func() bool {
		return slices.ContainsFunc(s.Nodes, func(n Node) bool { return n.Now != n.Want })
	}
	for _, f := range s.Flips {
		n := &s.Nodes[f.Bulb]
		n.Now = (n.Now + times[f.Switch]) % 2
	}
	if !wrong() { // one flip always changes its own bulb
		for _, f := range s.Flips {
			if f.Switch == 0 {
				s.Nodes[f.Bulb].Now = 0
			}
		}
	}
	p, err := New(s)
	if err != nil {
		panic(err) // New's own conditions are met above, for cols, rows ≥ 1
	}
	return p
}

// A pattern is what a grid's switches flip.
type pattern struct {
	name string
	at   [][2]int // column and row differences, row by row
}

func patterns() []pattern {
	return []pattern{
		{"cross", [][2]int{{0, -1}, {-1, 0}, {0, 0}, {1, 0}, {0, 1}}},
		{"ring", [][2]int{{0, -1}, {-1, 0}, {1, 0}, {0, 1}}},
		{"square", [][2]int{{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {0, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}}},
		{"around", [][2]int{{-1, -1}, {0, -1}, {1, -1}, {-1, 0}, {1, 0}, {-1, 1}, {0, 1}, {1, 1}}},
		{"diagonal", [][2]int{{-1, -1}, {1, -1}, {0, 0}, {-1, 1}, {1, 1}}},
		{"own", [][2]int{{0, 0}}},
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

func patternNames() (names []string) {
	for _, p := range patterns() {
		names = append(names, p.name)
	}
	return names
}

// wraps are the ways in which a grid's borders may be joined.
func wraps() []string { return []string{"", "across", "down", "both"} }

// flips lists what the switches of a grid do, each pair once.
func (pt pattern) flips(s *Spec, wrap string) []Flip {
	list := make([]Flip, 0, len(pt.at)*len(s.Nodes))
	cells := make([]cell, len(s.Nodes))
	for i, n := range s.Nodes {
		cells[i] = cellOf(n)
	}
	var bulbs []int
	for i := range s.Nodes {
		bulbs = pt.bulbs(bulbs[:0], s.Cols, s.Rows, wrap, cells, i)
		for _, j := range bulbs {
			list = append(list, Flip{i, j})
		}
	}
	return list
}

// bulbs appends what node i flips, each once.
func (pt pattern) bulbs(list []int, cols, rows int, wrap string, cells []cell, i int) []int {
	if !cells[i].button() {
		return list
	}
	x, y := i%cols, i/cols
	for _, d := range pt.at {
		c, r := x+d[0], y+d[1]
		if wrap == "across" || wrap == "both" {
			c = (c + cols) % cols
		}
		if wrap == "down" || wrap == "both" {
			r = (r + rows) % rows
		}
		if c < 0 || c >= cols || r < 0 || r >= rows {
			continue
		}
		j := r*cols + c
		// On a grid that is 1 or 2 across, two ways may lead to one bulb.
		if cells[j].bulb() && (cols > 2 && rows > 2 || !slices.Contains(list, j)) {
			list = append(list, j)
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
	return fmt.Errorf("switches: line %d: %w", l.no, fmt.Errorf(format, args...))
}

// puzzle makes the board that the line begins.
func (l line) puzzle(s Spec) (*Puzzle, error) {
	p, err := New(s)
	if err != nil {
		return nil, l.errorf("%s", strings.TrimPrefix(err.Error(), "switches: "))
	}
	return p, nil
}

// maxLine is the longest line that is read: a plain graph names all its bulbs
// in one.
const maxLine = 1 << 26

// lines yields the lines of a file without comments. A lone '/' ends a line:
// one that holds such comes in several parts.
func lines(r io.Reader) iter.Seq2[[]line, error] {
	return func(yield func([]line, error) bool) {
		no := 0
		for text, err := range solve.Lines(r, maxLine) {
			if err != nil {
				yield(nil, fmt.Errorf("switches: %w", err))
				return
			}
			no++
			text = strings.TrimRight(strings.ToValidUTF8(text, "\ufffd"), " \t")
			if strings.HasPrefix(text, "#") {
				continue
			}
			parts, rest := []line{{no, text}}, strings.Fields(text)
			for i := slices.Index(rest, "/"); i >= 0; i = slices.Index(rest, "/") {
				parts[len(parts)-1].text = strings.Join(rest[:i], " ")
				rest = rest[i+1:]
				parts = append(parts, line{no, strings.Join(rest, " ")})
			}
			if !yield(parts, nil) {
				return
			}
		}
	}
}

// isHeader tells whether a line begins a board of the canonical form.
func isHeader(text string) bool {
	f := strings.Fields(text)
	return len(f) == 1 && f[0] == "switches" || len(f) == 2 && f[0] == "grid" && '0' <= f[1][0] && f[1][0] <= '9'
}

func sniffText(head []byte) bool {
	f := firstWords(head)
	// A size that is wrong is still a grid's, as decoding tells.
	return isHeader(strings.Join(f, " ")) || len(f) > 1 && len(f) <= 3 && f[0] == "grid"
}

// firstWords are those of the first line that has any.
func firstWords(head []byte) []string {
	for parts := range lines(bytes.NewReader(head)) {
		for _, l := range parts {
			if f := strings.Fields(l.text); len(f) > 0 {
				return f
			}
		}
	}
	return nil
}

// decodeBoards reads boards of which each begins with a line of its own.
func decodeBoards(begins func(string) bool, parse func(board) (*Puzzle, error)) func(io.Reader) iter.Seq2[solve.Puzzle, error] {
	return func(r io.Reader) iter.Seq2[solve.Puzzle, error] {
		return solve.Puzzles(func(yield func(board, error) bool) {
			var b board
			flush := func() bool {
				was := b
				b = nil
				return len(was) == 0 || yield(was, nil)
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
		}, parse)
	}
}

// maxSide keeps a size that is typed wrong from asking for all memory; the
// rows must be there anyway.
const maxSide = 1 << 16

// A reader takes a board of the canonical form apart.
type reader struct {
	head              line
	grid              bool
	keys              map[string]field
	rows, want, links []line
	number            map[string]int // of a plain graph's nodes, by name
	wide, high        int            // of a grid
	called            []string       // the names of a plain graph
	cells             []cell
	silent            map[int]bool // switches that do not flip their own bulbs
	listed            []Flip       // what all switches do, where a pattern alone does not tell
}

// A field is a line "key: words".
type field struct {
	line
	words []string
}

// parse reads a board of the canonical form.
func (b board) parse() (*Puzzle, error) {
	r := &reader{head: b[0], keys: map[string]field{}, number: map[string]int{}, silent: map[int]bool{}}
	for _, step := range []func() error{
		r.size, func() error { return r.lines(b) }, r.nodes, r.kinds, r.lit, r.wanted, r.notOwn,
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	pt, wrap, err := r.pattern()
	if err != nil {
		return nil, err
	}
	if r.grid && len(r.silent)+len(r.links) == 0 {
		return newGrid(r.wide, r.high, r.cells, pt, wrap), nil
	}
	if len(r.cells) > MaxNodes {
		return nil, r.head.errorf("got a grid of %d×%d of which single switches are told, want at most %d cells", r.wide, r.high, MaxNodes)
	}
	s := Spec{Cols: r.wide, Rows: r.high}
	for i := range r.cells {
		s.Nodes = append(s.Nodes, (&Puzzle{rows: r.high, cells: r.cells, names: r.called}).node(i))
	}
	if r.grid {
		r.listed = pt.flips(&s, wrap)
	}
	for i, c := range r.cells {
		if !r.grid && c.kind() == Both {
			r.listed = append(r.listed, Flip{i, i})
		}
	}
	r.listed = slices.DeleteFunc(r.listed, func(f Flip) bool { return f.Switch == f.Bulb && r.silent[f.Switch] })
	if err := r.joined(); err != nil {
		return nil, err
	}
	s.Flips = r.listed
	return r.head.puzzle(s)
}

// size reads the first line.
func (r *reader) size() error {
	fields := strings.Fields(r.head.text)
	if !isHeader(r.head.text) {
		return r.head.errorf("got %q, want a size such as \"grid 5x5\", or \"switches\"", r.head.text)
	}
	if r.grid = fields[0] == "grid"; !r.grid {
		return nil
	}
	w, h, ok := strings.Cut(fields[1], "x")
	var err1, err2 error
	r.wide, err1 = strconv.Atoi(w)
	r.high, err2 = strconv.Atoi(h)
	if !ok || err1 != nil || err2 != nil || r.wide < 1 || r.high < 1 || r.wide > maxSide || r.high > maxSide {
		return r.head.errorf("got size %q, want one such as 5x5", fields[1])
	}
	return nil
}

// lines sorts the lines that follow.
func (r *reader) lines(b board) error {
	known := []string{"want", "lamps", "not own"}
	if r.grid {
		known = append(known, "flips", "wrap")
	} else {
		known = append(known, "names", "lit", "buttons")
	}
	for i := 1; i < len(b); i++ {
		l := b[i]
		key, value, ok := strings.Cut(l.text, ":")
		switch key = strings.TrimSpace(key); {
		case ok:
			if !slices.Contains(known, key) {
				return l.errorf("got %q, want one of %s", key+":", strings.Join(known, ": ")+":")
			}
			if was, ok := r.keys[key]; ok {
				return l.errorf("a second %q, the first is in line %d", key+":", was.no)
			}
			r.keys[key] = field{l, strings.Fields(value)}
			if key == "want" && len(r.keys[key].words) == 0 {
				if !r.grid {
					return l.errorf("got nothing wanted, want bulbs, or \"all=0\" where all shall be dark")
				}
				for len(r.want) < r.high {
					if i++; i == len(b) {
						return l.errorf("got %d wanted rows, want %d", len(r.want), r.high)
					}
					r.want = append(r.want, b[i])
				}
			}
		case r.grid && len(r.rows) < r.high:
			r.rows = append(r.rows, l)
		default:
			r.links = append(r.links, l)
		}
	}
	return nil
}

// nodes reads a grid's rows, or the names.
func (r *reader) nodes() error {
	if !r.grid {
		return r.names()
	}
	if len(r.rows) < r.high {
		return r.head.errorf("got %d rows, want %d", len(r.rows), r.high)
	}
	r.cells = make([]cell, 0, r.wide*r.high)
	for _, l := range r.rows {
		row := []rune(l.text)
		if len(row) != r.wide {
			return l.errorf("got %d cells, want %d", len(row), r.wide)
		}
		for c, ch := range row {
			switch ch {
			case '.':
				r.cells = append(r.cells, cell(Hole))
			case '+':
				r.cells = append(r.cells, cell(Button))
			default:
				state, ok := stateOf(ch)
				if !ok {
					return l.errorf("got %q in column %d, want '*' or 'o', '.' for no cell, '+' for a switch that is no bulb", ch, c+1)
				}
				r.cells = append(r.cells, cell(Both).with(lit, state == 1))
			}
		}
	}
	return nil
}

func (r *reader) names() error {
	f, ok := r.keys["names"]
	if !ok {
		return r.head.errorf("got no \"names:\" line, want one")
	}
	if len(f.words) > MaxNodes {
		return f.errorf("got %d names, want at most %d", len(f.words), MaxNodes)
	}
	for _, name := range f.words {
		if !goodName(name) {
			return f.errorf("got the name %q, want a word without '=', '>', '#', '/' that is not \"all\"", name)
		}
		if _, ok := r.number[name]; ok {
			return f.errorf("the name %q is there twice", name)
		}
		r.number[name] = len(r.cells)
		r.cells, r.called = append(r.cells, cell(Both)), append(r.called, name)
	}
	return nil
}

// find is the node of a name, or of a grid's column,row.
func (r *reader) find(l line, name string) (int, error) {
	if r.grid {
		x, y, ok := strings.Cut(name, ",")
		c, err1 := strconv.Atoi(x)
		row, err2 := strconv.Atoi(y)
		if ok && err1 == nil && err2 == nil && 0 <= c && c < r.wide && 0 <= row && row < r.high {
			return row*r.wide + c, nil
		}
		return 0, l.errorf("got %q, want column,row below %d,%d", name, r.wide, r.high)
	}
	if i, ok := r.number[name]; ok {
		return i, nil
	}
	return 0, l.errorf("got %q, which is no name of this board", name)
}

// kinds reads which nodes are bulbs or switches alone.
func (r *reader) kinds() error {
	for _, row := range []struct {
		key  string
		kind Kind
	}{{"lamps", Lamp}, {"buttons", Button}} {
		f := r.keys[row.key]
		for _, name := range f.words {
			i, err := r.find(f.line, name)
			if err != nil {
				return err
			}
			if r.cells[i].kind() != Both {
				return f.errorf("%s is no bulb with a switch, or is there twice", name)
			}
			r.cells[i] = r.cells[i]&^kindBits | cell(row.kind)
		}
	}
	return nil
}

// each sets the states of bulbs that a line names.
func (r *reader) each(key string, bits cell) error {
	f := r.keys[key]
	for _, w := range f.words {
		name, value, given := strings.Cut(w, "=")
		state := 1
		if given {
			if state = strings.Index("01", value); len(value) != 1 || state < 0 {
				return f.errorf("got %q, want 0 for dark or 1 for lit", w)
			}
		}
		if name == "all" {
			r.all(bits, state == 1)
			continue
		}
		i, err := r.find(f.line, name)
		if err != nil {
			return err
		}
		if !r.cells[i].bulb() {
			return f.errorf("%s is no bulb", name)
		}
		r.cells[i] = r.cells[i].with(bits, state == 1)
	}
	return nil
}

// all sets the states of all bulbs.
func (r *reader) all(bits cell, set bool) {
	for i, c := range r.cells {
		if c.bulb() {
			r.cells[i] = c.with(bits, set)
		}
	}
}

func (r *reader) lit() error { return r.each("lit", lit) }

// wanted reads the states that bulbs shall be in; all lit unless said.
func (r *reader) wanted() error {
	_, ok := r.keys["want"]
	switch {
	case !ok:
		r.all(want, true)
		return nil
	case len(r.want) == 0:
		return r.each("want", want)
	}
	for at, l := range r.want {
		row := []rune(l.text)
		if len(row) != r.wide {
			return l.errorf("got %d cells, want %d", len(row), r.wide)
		}
		for c, ch := range row {
			n := &r.cells[at*r.wide+c]
			if !n.bulb() {
				if sign := map[Kind]rune{Hole: '.', Button: '+'}[n.kind()]; ch != sign {
					return l.errorf("got %q in column %d, want %q as in the board", ch, c+1, sign)
				}
				continue
			}
			state, ok := stateOf(ch)
			if !ok {
				return l.errorf("got %q in column %d, want '*' or 'o'", ch, c+1)
			}
			*n = n.with(want, state == 1)
		}
	}
	return nil
}

// notOwn reads which switches do not flip their own bulbs.
func (r *reader) notOwn() error {
	if f, ok := r.keys["not own"]; ok {
		for _, name := range f.words {
			i, err := r.find(f.line, name)
			if err != nil {
				return err
			}
			if r.cells[i].kind() != Both {
				return f.errorf("%s is no bulb with a switch", name)
			}
			r.silent[i] = true
		}
	}
	return nil
}

// pattern is what a grid's switches flip, without further words.
func (r *reader) pattern() (pt pattern, wrap string, err error) {
	if !r.grid {
		return pattern{}, "", nil
	}
	name := "cross"
	if f, ok := r.keys["flips"]; ok {
		name = strings.Join(f.words, " ")
		if _, ok := patternNamed(name); !ok {
			return pt, "", f.errorf("got %q, want one of %s", name, strings.Join(patternNames(), ", "))
		}
	}
	if f, ok := r.keys["wrap"]; ok {
		wrap = strings.Join(f.words, " ")
		if wrap == "" || !slices.Contains(wraps(), wrap) {
			return pt, "", f.errorf("got %q, want across, down or both", wrap)
		}
	}
	pt, _ = patternNamed(name)
	return pt, wrap, nil
}

// A link is a line "a b" or "a > b".
type link struct {
	from, to string
	oneWay   bool
}

func (l line) link() (link, error) {
	w := strings.Fields(l.text)
	switch {
	case len(w) == 2 && w[0] != ">" && w[1] != ">":
		return link{w[0], w[1], false}, nil
	case len(w) == 3 && w[1] == ">":
		return link{w[0], w[2], true}, nil
	}
	return link{}, l.errorf("got %q, want \"a b\" or \"a > b\"", l.text)
}

// joined reads what further lines say that switches flip.
func (r *reader) joined() error {
	if len(r.links) == 0 {
		return nil
	}
	joined := make(map[Flip]bool, len(r.listed))
	for _, f := range r.listed {
		joined[f] = true
	}
	said := map[Flip]int{} // in which line a pair was named
	for _, l := range r.links {
		k, err := l.link()
		if err != nil {
			return err
		}
		first, err := r.find(l, k.from)
		if err != nil {
			return err
		}
		second, err := r.find(l, k.to)
		if err != nil {
			return err
		}
		if !k.oneWay && first == second {
			return l.errorf("got %q joined to itself", k.from)
		}
		pairs := []Flip{{first, second}}
		if !k.oneWay {
			pairs = append(pairs, Flip{second, first})
		}
		does := false
		for _, pair := range pairs {
			if !r.cells[pair.Switch].button() || !r.cells[pair.Bulb].bulb() {
				continue
			}
			does = true
			if was, ok := said[pair]; ok {
				return l.errorf("got %q, but line %d joins them already", l.text, was)
			}
			if joined[pair] {
				return l.errorf("got %q, but that switch flips that bulb already", l.text)
			}
			if len(r.listed) == MaxFlips {
				return l.errorf("brings more than %d flips", MaxFlips)
			}
			said[pair] = l.no
			r.listed = append(r.listed, pair)
		}
		if !does {
			return l.errorf("got %q, but there is no switch at one end with a bulb at the other", l.text)
		}
	}
	return nil
}

// stateOf reads a cell.
func stateOf(ch rune) (state int, ok bool) { return b2i(ch == '*'), ch == '*' || ch == 'o' }

// sign writes a state in a row.
func (c cell) sign(state int) byte {
	switch {
	case c.kind() == Hole:
		return '.'
	case c.kind() == Button:
		return '+'
	case state == 1:
		return '*'
	}
	return 'o'
}

// rows writes a grid's rows of states.
func (p *Puzzle) writeRows(b *bytes.Buffer, state func(cell) int) {
	for i, c := range p.cells {
		b.WriteByte(c.sign(state(c)))
		if i%p.cols == p.cols-1 {
			b.WriteByte('\n')
		}
	}
}

// shape finds the pattern that leaves the fewest flips to be told one by one.
func (p *Puzzle) shape() (pt pattern, wrap string, rest []Flip) {
	if p.told == nil {
		return p.pattern, p.wrap, nil
	}
	most := -1
	var bulbs []int
	for _, candidate := range patterns() {
		for _, w := range wraps() {
			told, fits := 0, true
			for i := 0; i < len(p.told) && fits; i++ {
				bulbs = candidate.bulbs(bulbs[:0], p.cols, p.rows, w, p.cells, i)
				told += len(bulbs)
				for _, j := range bulbs { // a pattern may not flip what the board does not
					fits = fits && p.flipsBulb(i, j)
				}
			}
			if fits && told > most {
				pt, wrap, most = candidate, w, told
			}
		}
	}
	for i, fs := range p.told {
		bulbs = pt.bulbs(bulbs[:0], p.cols, p.rows, wrap, p.cells, i)
		for _, bulb := range fs {
			if !slices.Contains(bulbs, bulb) {
				rest = append(rest, Flip{i, bulb})
			}
		}
	}
	return pt, wrap, rest
}

// flipsBulb tells whether a switch flips a bulb.
func (p *Puzzle) flipsBulb(i, bulb int) bool {
	_, ok := slices.BinarySearch(p.flips(i, nil), bulb)
	return ok
}

// Links lists the flips that a picture has to show: in a plain graph all but
// those of a switch's own bulb, in a grid those that its pattern
// does not tell.
func (p *Puzzle) Links() []Flip {
	if p.rows > 0 {
		_, _, rest := p.shape()
		return rest
	}
	var rest []Flip
	for _, f := range p.Spec().Flips {
		if f.Switch != f.Bulb {
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
		for i := range p.cells {
			if in(i) {
				words = append(words, p.name(i))
			}
		}
		return words
	}
	grid := p.rows > 0
	if grid {
		fmt.Fprintf(&b, "grid %dx%d\n", p.cols, p.rows)
	} else {
		b.WriteString("switches\n")
		// Without a name there is still a line, as the form asks for one.
		fmt.Fprintf(&b, "%s\n", strings.TrimRight("names: "+strings.Join(named(func(int) bool { return true }), " "), " "))
	}
	say("lamps", named(func(i int) bool { return p.cells[i].kind() == Lamp }))
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
		p.writeRows(&b, cell.now)
	} else {
		say("buttons", named(func(i int) bool { return p.cells[i].kind() == Button }))
		say("not own", named(func(i int) bool {
			return p.cells[i].kind() == Both && !p.flipsBulb(i, i)
		}))
		rest = p.Links()
		say("lit", named(func(i int) bool { return p.cells[i].now() == 1 }))
	}
	p.writeWant(&b, named)
	p.writeLinks(&b, rest)
	return b.Bytes(), nil
}

// writeWant writes which bulbs shall be lit, where these are not all.
func (p *Puzzle) writeWant(b *bytes.Buffer, named func(func(int) bool) []string) {
	uniform, any := -1, false
	for _, c := range p.cells {
		if !c.bulb() {
			continue
		}
		if !any {
			uniform, any = c.want(), true
		} else if uniform != c.want() {
			uniform = -1
		}
	}
	if !any {
		uniform = 1
	}
	switch {
	case uniform == 1:
	case uniform >= 0:
		fmt.Fprintf(b, "want: all=%d\n", uniform)
	case p.rows > 0:
		b.WriteString("want:\n")
		p.writeRows(b, cell.want)
	default:
		fmt.Fprintf(b, "want: %s\n", strings.Join(named(func(i int) bool { return p.cells[i].want() == 1 }), " "))
	}
}

// writeLinks writes flips, both ways in one line where they are.
func (p *Puzzle) writeLinks(b *bytes.Buffer, rest []Flip) {
	for _, f := range rest {
		// The other way stands in rest as well: no pattern flips one way only.
		back := f.Switch != f.Bulb && p.cells[f.Switch].kind() == Both && p.cells[f.Bulb].kind() == Both && p.flipsBulb(f.Bulb, f.Switch)
		if back && f.Switch > f.Bulb {
			continue
		}
		b.WriteString(p.name(f.Switch))
		if !back {
			b.WriteString(" >")
		}
		b.WriteString(" " + p.name(f.Bulb) + "\n")
	}
}
