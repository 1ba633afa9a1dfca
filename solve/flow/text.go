package flow

import (
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
		{Name: "flow", Sniff: sniffCanonical, Decode: blocks(isHeader, block.canonical), Encode: solve.Encoder((*Puzzle).MarshalText)},
		{Name: "fz", Sniff: sniffFZ, Decode: blocks(isBlock, block.fz)},
		{Name: "levels", Sniff: sniffLevels, Decode: blocks(everyLine, block.level)},
		{Name: "links", Sniff: sniffLinks, Decode: blocks(isLinks, block.links)},
		{Name: "letters", Sniff: sniffLetters, Decode: plainBlocks(), Encode: solve.Encoder(encodeLetters)},
		{Name: "numbers", Sniff: sniffNumbers, Decode: plainBlocks()},
		{Name: "puzz.link", Sniff: sniffPuzzLink, Decode: blocks(beginsPuzz, block.puzz), Encode: solve.Encoder(encodePuzzLink), Link: puzzLink},
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
		{p.any, "any"}, {p.noTouch, "notouch"},
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

func encodeLetters(p *Puzzle) ([]byte, error) {
	if p.shape != Square || p.torus || p.any || p.noTouch || len(p.walls)+len(p.joins) > 0 || len(p.pairs) > len(names) {
		return nil, fmt.Errorf("flow: letter rows hold square boards without walls, joins or options and with at most %d pairs; use the canonical text", len(names))
	}
	var s strings.Builder
	p.writeRows(&s)
	return []byte(s.String()), nil
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

// sides are a board's columns and rows, one and more.
func sides(a, b string) (cols, rows int, ok bool) {
	cols, err := strconv.Atoi(a)
	rows, err2 := strconv.Atoi(b)
	return cols, rows, err == nil && err2 == nil && cols > 0 && rows > 0
}

func isHeader(line string) bool {
	f := strings.Fields(line)
	return len(f) > 0 && f[0] == "flow"
}

func sniffCanonical(head []byte) bool { return isHeader(first(head)) }

func sniffFZ(head []byte) bool { return isBlock(first(head)) }

// block is the lines of one board.
type block struct{ solve.Block }

// withoutComments drops what isComment tells.
func (b block) withoutComments() (rest block) {
	rest.Family = b.Family
	for i, t := range b.Text {
		if !isComment(t) {
			rest.Text, rest.No = append(rest.Text, t), append(rest.No, b.No[i])
		}
	}
	return rest
}

// maxLine is the longest line that is read, in bytes: the widest boards seen
// have 1000 columns; a level line is longer.
const maxLine = 16 << 20

// blocks splits a file into boards, before every line that begins one.
func blocks(begins func(string) bool, parse func(block) (*Puzzle, error)) func(io.Reader) iter.Seq2[solve.Puzzle, error] {
	return solve.Blocks("flow", maxLine, func(text string, _ []string) (string, bool) {
		if strings.TrimSpace(text) == "" {
			return "", begins(text)
		}
		return text, begins(text)
	}, func(b solve.Block) (*Puzzle, error) { return parse(block{b}) })
}

// canonical reads the canonical text of one board.
func (b block) canonical() (*Puzzle, error) {
	f := strings.Fields(b.Text[0])
	if f[0] != "flow" || len(f) < 2 {
		return nil, b.Errorf(0, "%q, want `flow COLSxROWS`", b.Text[0])
	}
	a, c, _ := strings.Cut(f[1], "x")
	cols, rows, ok := sides(a, c)
	if !ok {
		return nil, b.Errorf(0, "size %q, want COLSxROWS such as 5x5", f[1])
	}
	shape, torus, o, err := b.canonicalWords(f[2:])
	if err != nil {
		return nil, err
	}
	nb := builderAt(b.No[0], shape, cols, rows)
	if len(nb.errs) > 0 {
		return nil, nb.errs[0]
	}
	if torus {
		nb.Torus()
	}
	last := b.No[len(b.No)-1]
	if len(b.Text) < 1+rows {
		return nil, fmt.Errorf("flow: line %d: the board ends after %d rows, want %d", last, len(b.Text)-1, rows)
	}
	spaced := strings.ContainsAny(strings.TrimSpace(b.Text[1]), " \t")
	var drawn []row
	for i := range rows {
		drawn = append(drawn, row{b.No[1+i], cellsOf(b.Text[1+i], spaced)})
	}
	if err := readRows(nb, drawn, ".", false); err != nil {
		return nil, err
	}
	for i := 1 + rows; i < len(b.Text); i++ {
		if err := b.canonicalEdges(nb, i, rows); err != nil {
			return nil, err
		}
	}
	nb.line = b.No[0]
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
		default:
			return shape, torus, o, b.Errorf(0, "%q, want hex, loose, torus, any or notouch", w)
		}
	}
	return shape, torus, o, nil
}

// canonicalEdges reads a line of walls or joins, which comes after the rows.
func (b block) canonicalEdges(nb *Builder, i, rows int) error {
	f := strings.Fields(b.Text[i])
	sep, ok := map[string]string{"walls": "|", "joins": "~"}[f[0]]
	if !ok {
		return b.Errorf(i, "%q after %d rows, want walls or joins", f[0], rows)
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
			return b.Errorf(i, "%s: %q, want COL,ROW%sCOL,ROW", f[0], w, sep)
		}
		n := len(nb.errs)
		nb.line = b.No[i]
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
			var ok bool
			if cols, rows, ok = sides(w, h); !ok {
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
	text, no := strings.TrimSpace(b.Text[0]), b.No[0]
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
