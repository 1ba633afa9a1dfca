package flow

import (
	"bufio"
	"fmt"
	"image"
	"io"
	"iter"
	"strconv"
	"strings"

	"onlooker/solve"
)

// Formats of the family, the canonical text first.
func formats() []solve.Format {
	return []solve.Format{
		{Name: "flow", Sniff: sniffCanonical, Decode: blocks(isHeader, block.canonical), Encode: encodeCanonical},
		{Name: "fz", Sniff: sniffFZ, Decode: blocks(isBlock, block.fz), Encode: encodeFZ},
		{Name: "levels", Sniff: sniffLevels, Decode: blocks(everyLine, block.level)},
		{Name: "letters", Sniff: sniffLetters, Decode: blocks(nil, block.letters), Encode: encodeLetters},
		{Name: "numbers", Sniff: sniffNumbers, Decode: blocks(nil, block.numbers)},
	}
}

// names are the ends' letters in the order of pairs.
const names = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// MarshalText gives the canonical text, which the package documentation
// describes.
func (p *Puzzle) MarshalText() ([]byte, error) {
	var s strings.Builder
	fmt.Fprintf(&s, "flow %dx%d", p.cols, p.rows)
	for _, w := range []struct {
		is   bool
		word string
	}{
		{p.shape == Hex, "hex"}, {p.shape == Loose, "loose"}, {p.torus, "torus"},
		{p.any, "any"}, {p.noTouch, "notouch"}, {p.noZigzag, "nozigzag"},
	} {
		if w.is {
			s.WriteString(" " + w.word)
		}
	}
	s.WriteByte('\n')
	p.writeRows(&s)
	list := func(word, sep string, l [][2]int32) {
		if len(l) == 0 {
			return
		}
		s.WriteString(word)
		for _, e := range l {
			a, b := p.point(int(e[0])), p.point(int(e[1]))
			fmt.Fprintf(&s, " %d,%d%s%d,%d", a.X, a.Y, sep, b.X, b.Y)
		}
		s.WriteByte('\n')
	}
	list("walls", "|", p.walls)
	list("joins", "~", p.joins)
	return []byte(s.String()), nil
}

// pairName is what the ends of a pair are called.
func (p *Puzzle) pairName(pair int) string {
	if len(p.pairs) > len(names) {
		return strconv.Itoa(pair + 1)
	}
	return names[pair : pair+1]
}

func (p *Puzzle) writeRows(s *strings.Builder) {
	end := make(map[int32]int, 2*len(p.pairs))
	for i, e := range p.pairs {
		end[e[0]], end[e[1]] = i+1, i+1
	}
	for i := range p.hole {
		if i > 0 && i%p.cols == 0 {
			s.WriteByte('\n')
		} else if i > 0 && len(p.pairs) > len(names) {
			s.WriteByte(' ')
		}
		k := end[int32(i)]
		switch {
		case p.hole[i]:
			s.WriteByte('#')
		case p.bridge[i]:
			s.WriteByte('+')
		case k == 0:
			s.WriteByte('.')
		default:
			s.WriteString(p.pairName(k - 1))
		}
	}
	s.WriteByte('\n')
}

func encodeCanonical(w io.Writer, q solve.Puzzle) error {
	p, ok := q.(*Puzzle)
	if !ok {
		return fmt.Errorf("flow: a %T, want a flow puzzle", q)
	}
	text, err := p.MarshalText()
	if err == nil {
		_, err = w.Write(text)
	}
	return err
}

func encodeLetters(w io.Writer, q solve.Puzzle) error {
	p, ok := q.(*Puzzle)
	if !ok {
		return fmt.Errorf("flow: a %T, want a flow puzzle", q)
	}
	if p.shape != Square || p.torus || p.any || p.noTouch || p.noZigzag || len(p.walls)+len(p.joins) > 0 || len(p.pairs) > len(names) {
		return fmt.Errorf("flow: letter rows hold square boards without walls, joins or options and with at most %d pairs; use the canonical text", len(names))
	}
	var s strings.Builder
	p.writeRows(&s)
	_, err := io.WriteString(w, s.String())
	return err
}

// first is the first line that is not blank.
func first(head []byte) string {
	for line := range strings.Lines(string(head)) {
		if t := strings.TrimRight(line, "\r\n"); strings.TrimSpace(t) != "" {
			return t
		}
	}
	return ""
}

func isHeader(line string) bool {
	f := strings.Fields(line)
	return len(f) > 0 && f[0] == "flow"
}

func sniffCanonical(head []byte) bool { return isHeader(first(head)) }

func sniffFZ(head []byte) bool { return isBlock(first(head)) }

// rowsOf lists the lines of the first board in head, without the last line
// when head may have cut it off.
func rowsOf(head []byte) []string {
	if len(head) >= 512 {
		head = head[:strings.LastIndexByte(string(head), '\n')+1]
	}
	var rows []string
	for line := range strings.Lines(string(head)) {
		t := strings.TrimSpace(line)
		if t == "" {
			if len(rows) > 0 {
				break
			}
			continue
		}
		rows = append(rows, t)
	}
	return rows
}

func letter(c byte) bool {
	return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
}

func sniffLetters(head []byte) bool {
	rows := rowsOf(head)
	if len(rows) > 1 {
		if _, _, ok := sizeLine(rows[0]); ok {
			rows = rows[1:]
		}
	}
	if len(rows) == 0 {
		return false
	}
	if len(rows[0]) > 2 && strings.Trim(rows[0], "x") == "" {
		return false // a border of walls
	}
	var count [256]int
	for _, r := range rows {
		for i := range len(r) {
			if !letter(r[i]) && strings.IndexByte(".#+", r[i]) < 0 {
				return false
			}
			count[r[i]]++
		}
	}
	// A word alone in its line, as other forms have it before a board.
	if strings.Trim(rows[0], "abcdefghijklmnopqrstuvwxyz") == "" && (len(rows) == 1 || len(rows[1]) != len(rows[0])) {
		for c := range rows[0] {
			if strings.Count(rows[0], rows[0][c:c+1]) != 2 {
				return false
			}
		}
	}
	// Fans and turbines are drawn with F, T, dots and the same walls.
	others := 0
	for c, n := range count {
		if letter(byte(c)) && c != 'F' && c != 'T' {
			others += n
		}
	}
	return others > 0 || count['F'] == 2 && count['T']%2 == 0 && count['T'] <= 2
}

func sniffNumbers(head []byte) bool {
	rows := rowsOf(head)
	for _, r := range rows {
		f := strings.Fields(r)
		for _, w := range f {
			if _, err := strconv.Atoi(w); err != nil && strings.Trim(w, ".-_#+") != "" {
				return false
			}
		}
		if len(f) < 2 {
			return false
		}
	}
	if len(rows) > 1 {
		if _, _, ok := sizeLine(rows[0]); ok && !strings.Contains(rows[1], " ") {
			return false // a size, then rows of letters
		}
	}
	return len(rows) > 0
}

func sizeLine(s string) (cols, rows int, ok bool) {
	f := strings.Fields(s)
	if len(f) != 2 {
		return 0, 0, false
	}
	cols, err := strconv.Atoi(f[0])
	rows, err2 := strconv.Atoi(f[1])
	return cols, rows, err == nil && err2 == nil
}

// block is the lines of one board, numbered.
type block struct {
	text []string
	no   []int
}

func (b block) errorf(i int, format string, a ...any) error { return inLine(b.no[i], format, a...) }

// maxLine is the longest line that is read, in bytes: the widest boards seen
// have 1000 columns; a level line is longer.
const maxLine = 16 << 20

// blocks splits a file into boards, at blank lines or, where begins is given,
// before every line that begins one. An error in one board does not end the
// rest.
func blocks(begins func(string) bool, parse func(block) (*Puzzle, error)) func(io.Reader) iter.Seq2[solve.Puzzle, error] {
	return func(r io.Reader) iter.Seq2[solve.Puzzle, error] {
		return func(yield func(solve.Puzzle, error) bool) {
			sc := bufio.NewScanner(r)
			sc.Buffer(make([]byte, 0, 64<<10), maxLine)
			var b block
			flush := func() bool {
				if len(b.text) == 0 {
					return true
				}
				p, err := parse(b)
				b = block{}
				if err != nil {
					return yield(nil, err)
				}
				return yield(p, nil)
			}
			no := 0
			for sc.Scan() {
				no++
				text := strings.TrimSuffix(sc.Text(), "\r")
				blank := strings.TrimSpace(text) == ""
				if begins == nil && blank || begins != nil && begins(text) {
					if !flush() {
						return
					}
				}
				if !blank {
					b.text = append(b.text, text)
					b.no = append(b.no, no)
				}
			}
			if err := sc.Err(); err != nil {
				if err == bufio.ErrTooLong {
					err = fmt.Errorf("longer than %d MB, want rows of a board", maxLine>>20)
				}
				yield(nil, inLine(no+1, "%w", err))
				return
			}
			flush()
		}
	}
}

// canonical reads the canonical text of one board.
func (b block) canonical() (*Puzzle, error) {
	f := strings.Fields(b.text[0])
	if f[0] != "flow" || len(f) < 2 {
		return nil, b.errorf(0, "%q, want `flow COLSxROWS`", b.text[0])
	}
	a, c, _ := strings.Cut(f[1], "x")
	cols, err := strconv.Atoi(a)
	rows, err2 := strconv.Atoi(c)
	if err != nil || err2 != nil || cols < 1 || rows < 1 {
		return nil, b.errorf(0, "size %q, want COLSxROWS such as 5x5", f[1])
	}
	shape, torus, o, err := b.canonicalWords(f[2:])
	if err != nil {
		return nil, err
	}
	nb := builderAt(b.no[0], shape, cols, rows)
	if len(nb.errs) > 0 {
		return nil, nb.errs[0]
	}
	if torus {
		nb.Torus()
	}
	last := b.no[len(b.no)-1]
	if len(b.text) < 1+rows {
		return nil, fmt.Errorf("flow: line %d: the board ends after %d rows, want %d", last, len(b.text)-1, rows)
	}
	spaced := strings.ContainsAny(strings.TrimSpace(b.text[1]), " \t")
	if err := readRows(nb, block{b.text[1 : 1+rows], b.no[1 : 1+rows]}, spaced, "."); err != nil {
		return nil, err
	}
	for i := 1 + rows; i < len(b.text); i++ {
		if err := b.canonicalEdges(nb, i, rows); err != nil {
			return nil, err
		}
	}
	nb.line = b.no[0]
	p, err := nb.Puzzle()
	if err != nil {
		return nil, err
	}
	return p.With(o), nil
}

// canonicalWords reads what stands behind the size.
func (b block) canonicalWords(words []string) (shape Shape, torus bool, o Options, err error) {
	shape = Square
	for _, w := range words {
		switch w {
		case "hex":
			shape = Hex
		case "loose":
			shape = Loose
		case "torus":
			torus = true
		case "any":
			o.Any = true
		case "notouch":
			o.NoTouch = true
		case "nozigzag":
			o.NoZigzag = true
		default:
			return shape, torus, o, b.errorf(0, "%q, want hex, loose, torus, any, notouch or nozigzag", w)
		}
	}
	return shape, torus, o, nil
}

// canonicalEdges reads a line of walls or joins, which comes after the rows.
func (b block) canonicalEdges(nb *Builder, i, rows int) error {
	f := strings.Fields(b.text[i])
	sep, ok := map[string]string{"walls": "|", "joins": "~"}[f[0]]
	if !ok {
		return b.errorf(i, "%q after %d rows, want walls or joins", f[0], rows)
	}
	for _, w := range f[1:] {
		var q [4]int
		two := strings.Split(w, sep)
		ok := len(two) == 2
		for k, s := range two {
			x, y, comma := strings.Cut(s, ",")
			if k > 1 || !comma {
				ok = false
				break
			}
			var e1, e2 error
			q[2*k], e1 = strconv.Atoi(x)
			q[2*k+1], e2 = strconv.Atoi(y)
			ok = ok && e1 == nil && e2 == nil
		}
		if !ok {
			return b.errorf(i, "%s: %q, want COL,ROW%sCOL,ROW", f[0], w, sep)
		}
		n := len(nb.errs)
		nb.line = b.no[i]
		if f[0] == "walls" {
			nb.Wall(image.Pt(q[0], q[1]), image.Pt(q[2], q[3]))
		} else {
			nb.Join(image.Pt(q[0], q[1]), image.Pt(q[2], q[3]))
		}
		if len(nb.errs) > n {
			return nb.errs[n]
		}
	}
	return nil
}

// readRows reads the cells of a board: letters one by one, or words with
// spaces between. Every name stands exactly twice.
func readRows(nb *Builder, b block, spaced bool, empty string) error {
	type end struct {
		c  image.Point
		no int
		n  int
	}
	ends := make(map[string]*end)
	var order []string
	for r, text := range b.text {
		nb.line = b.no[r]
		var cells []string
		if spaced {
			cells = strings.Fields(text)
		} else {
			cells = strings.Split(strings.TrimSpace(text), "")
		}
		if len(cells) != nb.p.cols {
			return fmt.Errorf("flow: line %d has %d cells, want %d", b.no[r], len(cells), nb.p.cols)
		}
		for c, w := range cells {
			at := image.Pt(c, r)
			switch {
			case strings.Contains(empty, w):
			case w == "#":
				nb.Hole(at)
			case w == "+":
				nb.Bridge(at)
			case spaced && !number(w) && !(len(w) == 1 && letter(w[0])) || !spaced && !letter(w[0]):
				return fmt.Errorf("flow: line %d, cell %d: %q, want the name of an end, . for an empty cell, # or +", b.no[r], c+1, w)
			default:
				e := ends[w]
				if e == nil {
					e = &end{c: at, no: b.no[r]}
					ends[w] = e
					order = append(order, w)
				} else if e.n == 1 {
					nb.Pair(e.c, at)
				} else {
					return fmt.Errorf("flow: line %d, cell %d: %q for the third time, want every end twice", b.no[r], c+1, w)
				}
				e.n++
			}
		}
	}
	for _, w := range order {
		if e := ends[w]; e.n != 2 {
			return fmt.Errorf("flow: line %d, cell %d: %q stands only once, want every end twice", e.no, e.c.X+1, w)
		}
	}
	return nil
}

func number(w string) bool {
	n, err := strconv.Atoi(w)
	return err == nil && n >= 0
}

// letters reads rows of letters, perhaps after a line with the size; every
// cell is to be filled. Rows whose ends are all digits are a Numberlink board
// typed without spaces, where cells may stay empty; 0 is such a cell where no
// other sign for one stands.
func (b block) letters() (*Puzzle, error) {
	rows := b.text
	if _, _, ok := sizeLine(rows[0]); ok && len(rows) > 1 {
		rows = rows[1:]
	}
	all := strings.Join(rows, "")
	digits := strings.ContainsAny(all, "0123456789") && strings.Trim(all, " \t.#+0123456789") == ""
	empty := "."
	if digits && !strings.Contains(all, ".") {
		empty = "0"
	}
	p, err := plainRows(b, false, empty)
	if err != nil {
		return nil, err
	}
	return p.With(Options{Any: digits}), nil
}

// numbers reads rows of numbers with spaces between; cells may stay empty.
func (b block) numbers() (*Puzzle, error) {
	p, err := plainRows(b, true, ". - _ 0")
	if err != nil {
		return nil, err
	}
	return p.With(Options{Any: true}), nil
}

func plainRows(b block, spaced bool, empty string) (*Puzzle, error) {
	head := b.no[0]
	count := func(s string) int {
		if spaced {
			return len(strings.Fields(s))
		}
		return len(strings.TrimSpace(s))
	}
	if cols, rows, ok := sizeLine(b.text[0]); ok && len(b.text) > 1 && (!spaced || rows == len(b.text)-1 && cols == count(b.text[1]) && cols != 2) {
		b = block{b.text[1:], b.no[1:]}
		if rows != len(b.text) {
			return nil, fmt.Errorf("flow: line %d says %d rows, but %d follow", head, rows, len(b.text))
		}
		if n := count(b.text[0]); n != cols {
			return nil, fmt.Errorf("flow: line %d has %d cells, want %d as line %d says", b.no[0], n, cols, head)
		}
	}
	nb := builderAt(head, Square, count(b.text[0]), len(b.text))
	if len(nb.errs) > 0 {
		return nil, nb.errs[0]
	}
	if err := readRows(nb, b, spaced, empty); err != nil {
		return nil, err
	}
	nb.line = head
	return nb.Puzzle()
}

func sniffLevels(head []byte) bool {
	line, _, ok := strings.Cut(first(head), ";")
	f := strings.Split(line, ",")
	if !ok && len(head) < 512 || len(f) < 4 {
		return false
	}
	// What is wrong with the size or with a field behind it, decoding tells.
	return strings.Trim(f[0], "XW_+-:0123456789ABCDEFGHIJKLMNOPQRSTUVabcdefghijklmnopqrstuvwxyz") == "" && len(f[0]) <= 40
}

func levelSize(s string) (cols, rows int, hex, warped bool, err error) {
	rest := s
	for {
		switch {
		case strings.HasPrefix(rest, "X_"):
			hex = true
		case strings.HasPrefix(rest, "W_"):
			warped = true
		default:
			rest, _, _ = strings.Cut(rest, "+") // how to draw it
			w, h, two := strings.Cut(rest, ":")
			if !two {
				h = w
			}
			var e1, e2 error
			cols, e1 = strconv.Atoi(w)
			rows, e2 = strconv.Atoi(h)
			if e1 != nil || e2 != nil || cols < 1 || rows < 1 {
				err = fmt.Errorf("size %q, want W or W:H, perhaps after X_ or W_", s)
			}
			return cols, rows, hex, warped, err
		}
		rest = rest[2:]
	}
}

// everyLine is where a level begins.
func everyLine(string) bool { return true }

// level reads one of Flow Free's level lines; of the paths only the ends are
// used.
func (b block) level() (*Puzzle, error) {
	text, no := strings.TrimSpace(b.text[0]), b.no[0]
	parts := strings.Split(strings.TrimRight(text, "; "), ";")
	f := strings.Split(parts[0], ",")
	if len(f) < 4 {
		return nil, inLine(no, "%q, want SIZE,0,LEVEL,FLOWS before the first `;`", parts[0])
	}
	for i, what := range []string{"0", "the level's number"} {
		if strings.Trim(f[1+i], "-0123456789:|_AB") != "" { // some packs mark it
			return nil, inLine(no, "field %q behind the size, want %s", f[1+i], what)
		}
	}
	cols, rows, hex, warped, err := levelSize(f[0])
	if err != nil {
		return nil, inLine(no, "%w", err)
	}
	shape := Square
	if hex {
		shape = Hex
	}
	nb := builderAt(no, shape, cols, rows)
	if warped {
		nb.Torus()
	}
	if len(nb.errs) > 0 {
		return nil, nb.errs[0]
	}
	l := levelCells{nb, no, cols, rows}
	for i, what := range []string{"bridge", "hole", "wall"} {
		if len(f) <= 4+i || f[4+i] == "" {
			continue
		}
		if err := l.field(what, f[4+i]); err != nil {
			return nil, err
		}
	}
	for _, s := range f[min(7, len(f)):] {
		if s != "" {
			return nil, inLine(no, "field %q after the walls, want none", s)
		}
	}
	flows, err := strconv.Atoi(f[3])
	if err != nil || flows != len(parts)-1 {
		return nil, inLine(no, "%q flows, want the number of paths that follow: %d", f[3], len(parts)-1)
	}
	for i, s := range parts[1:] {
		if err := l.flow(i+1, s); err != nil {
			return nil, err
		}
	}
	return nb.Puzzle()
}

// levelCells reads the fields of a level that name cells.
type levelCells struct {
	nb         *Builder
	no         int // of the line
	cols, rows int
}

// cell reads the number of a cell; what says what for.
func (l levelCells) cell(what, s string) (image.Point, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n >= l.cols*l.rows {
		return image.Point{}, inLine(l.no, "%s %q, want a cell from 0 to %d", what, s, l.cols*l.rows-1)
	}
	return image.Pt(n%l.cols, n/l.cols), nil
}

// field reads bridges, holes or walls.
func (l levelCells) field(what, text string) error {
	for _, s := range strings.Split(text, ":") {
		s, _, _ = strings.Cut(s, "_") // how to draw it
		if s == "" {
			continue
		}
		x, y, two := strings.Cut(s, "|")
		if two != (what == "wall") {
			return inLine(l.no, "%s %q, want a cell, or two a|b for a wall", what, s)
		}
		c, err := l.cell(what, x)
		if err != nil {
			return err
		}
		switch what {
		case "bridge":
			l.nb.Bridge(c)
		case "hole":
			l.nb.Hole(c)
		default:
			d, err := l.cell(what, y)
			if err != nil {
				return err
			}
			l.nb.Wall(c, d)
		}
	}
	return nil
}

// flow reads the i-th path, of which only the ends are used.
func (l levelCells) flow(i int, text string) error {
	var ends []image.Point
	cells := strings.Split(text, ",")
	if len(cells) < 2 {
		return inLine(l.no, "path %d is %q, want at least two cells", i, text)
	}
	for _, w := range cells {
		c, err := l.cell(fmt.Sprintf("path %d: cell", i), w)
		if err != nil {
			return err
		}
		ends = append(ends, c)
	}
	l.nb.Pair(ends[0], ends[len(ends)-1])
	return nil
}
