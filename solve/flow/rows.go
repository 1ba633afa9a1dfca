package flow

import (
	"cmp"
	"fmt"
	"image"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"onlooker/solve"
)

// Plain rows are how people keep boards: letters or numbers for ends, with or
// without spaces, as lists, after comments and a line of the size. What stands
// between cells changes no rule: a board whose ends are all numbers is a
// Numberlink, whose cells may stay empty, and any other a Flow Free board.

// empties are the signs of an empty cell; 0 may be one too.
const empties = ".-*_"

// A row is the cells of a row and the line that it stood in.
type row struct {
	no    int
	cells []string
}

// cellsOf divides a row: into words, or into letters.
func cellsOf(text string, spaced bool) []string {
	if spaced {
		return strings.Fields(text)
	}
	return strings.Split(strings.TrimSpace(text), "")
}

// table are the rows of a board whose lines have as many commas, or tabs, each: nothing between
// two is an empty cell. nil: nothing stands nowhere, or it is none. What follows a comma that
// ends every line is no cell.
func (b block) table(first int, by string) (rows []row) {
	lines := slices.Clone(b.Text[first:])
	ended := by == ","
	for i, t := range lines {
		lines[i] = strings.ReplaceAll(t, " ", "")
		ended = ended && strings.HasSuffix(lines[i], by)
	}
	empty := false
	for i, t := range lines {
		if n := strings.Count(t, by); n == 0 || n != strings.Count(lines[0], by) || strings.ContainsAny(t, "[]{}();\"'") {
			return nil
		}
		if ended {
			t = strings.TrimSuffix(t, by)
		}
		cells := strings.Split(t, by)
		for k, c := range cells {
			empty = empty || c == ""
			cells[k] = cmp.Or(c, ".")
		}
		rows = append(rows, row{b.No[first+i], cells})
	}
	if !empty {
		return nil
	}
	return rows
}

// isList tells whether a board is written as a program's list.
func isList(text string) bool { return strings.ContainsAny(text, "[{(,\"'") }

// listRows reads rows of a list: they end with their line, a bracket or a
// semicolon; a word in quotes is a cell, or a row where it is longer than one
// letter and no number.
func listRows(no int, text string) (rows []row) {
	var cells []string
	end := func() {
		if len(cells) > 0 {
			rows = append(rows, row{no, cells})
		}
		cells = nil
	}
	for len(text) > 0 {
		switch c := text[0]; c {
		case ']', '}', ')', ';':
			end()
			text = text[1:]
		case '[', '{', '(', ',', ' ', '\t':
			text = text[1:]
		case '"', '\'':
			word, rest, _ := strings.Cut(text[1:], text[:1])
			switch text = rest; {
			case strings.TrimSpace(word) == "":
				cells = append(cells, ".")
			case len(word) == 1 || number(word):
				cells = append(cells, word)
			default:
				end()
				cells = cellsOf(word, strings.ContainsAny(strings.TrimSpace(word), " \t"))
				end()
			}
		default:
			n := strings.IndexAny(text, "]});[{(,\"' \t")
			if n < 0 {
				n = len(text)
			}
			word := text[:n]
			if word == "None" || word == "null" {
				word = "."
			}
			cells = append(cells, word)
			text = text[n:]
		}
	}
	end()
	return rows
}

// isComment tells a comment from a row that begins with a hole: "#" or "# " and
// then words that are no cells, or a line with what no cell is.
func isComment(text string) bool {
	rest, ok := strings.CutPrefix(strings.TrimSpace(text), "#")
	if !ok {
		return false
	}
	if rest == "" || strings.Trim(rest, "#") == "" && len(rest) > 1 {
		return false // holes alone
	}
	for _, w := range strings.Fields(rest) {
		if strings.HasPrefix(rest, " ") && !isCell(w) {
			return true
		}
		if !strings.HasPrefix(rest, " ") && slices.ContainsFunc(strings.Split(w, ""), func(c string) bool { return !isCell(c) }) {
			return true
		}
	}
	return false
}

// isCell tells whether a word may be a cell of a row with spaces.
func isCell(w string) bool {
	return number(w) || len(w) == 1 && (letter(w[0]) || strings.Contains(empties+"#+", w))
}

func letter(c byte) bool {
	return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9'
}

func number(w string) bool {
	if w != "" && w[0] >= 'A' {
		return false // at once: to make an error takes its time
	}
	n, err := strconv.Atoi(w)
	return err == nil && n >= 0
}

// sizeLine reads a line that is two numbers, or one: columns, rows. Between cells of a table there
// may be nothing, between these not.
func sizeLine(s string) (cols, rows int, ok bool) {
	f := strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == '\t' || r == 'x' || r == ',' })
	if len(f) != 1 && len(f) != 2 {
		return 0, 0, false
	}
	cols, err := strconv.Atoi(f[0])
	rows, err2 := strconv.Atoi(f[len(f)-1])
	return cols, rows, err == nil && err2 == nil && strings.Trim(s, "0123456789 \tx,") == "" && !strings.Contains(s, "\t\t") && !strings.Contains(s, ",,")
}

// A plainBoard is a board of plain rows, taken apart.
type plainBoard struct {
	head   int     // the line that it begins in
	size   *[2]int // columns and rows, where a line before the rows tells them
	rows   []row
	spaced bool // the cells are words
	// sized: the rows are just as the size says, a sign for each cell. Where . is an
	// empty cell any other sign may name an end then.
	sized bool
}

// drawn tells whether the lines behind a line of the size are rows of a sign for each
// cell, as many and as long as it says.
func drawn(text []string) (cols, rows int, ok bool) {
	cols, rows, ok = sizeLine(text[0])
	return cols, rows, ok && rows > 0 && rows == len(text)-1 && !slices.ContainsFunc(text[1:], func(t string) bool {
		return utf8.RuneCountInString(t) != cols || strings.ContainsAny(t, " \t")
	})
}

// whole tells whether the lines of a board are a drawn one, whose last row is there.
func whole(lines []string) bool {
	for len(lines) > 0 && isComment(lines[0]) {
		lines = lines[1:]
	}
	if len(lines) < 2 {
		return false
	}
	if _, rows, ok := sizeLine(strings.TrimSpace(lines[0])); !ok || rows != len(lines)-1 {
		return false
	}
	text := make([]string, len(lines))
	for i, t := range lines {
		text[i] = strings.TrimSpace(t)
	}
	_, _, ok := drawn(text)
	return ok
}

// plainBlocks divides a file into boards of plain rows: at empty lines, of which one with tabs as
// the line before has them is a row, and behind the last row of a drawn one.
func plainBlocks() func(io.Reader) iter.Seq2[solve.Puzzle, error] {
	return solve.Blocks("flow", maxLine, func(line string, before []string) (string, bool) {
		if n := strings.Count(line, "\t"); strings.TrimSpace(line) == "" && (n == 0 || len(before) > 0 && strings.Count(before[0], "\t") != n) {
			return "", true
		}
		return line, whole(before)
	}, func(b solve.Block) (*Puzzle, error) { return block{b}.plain() })
}

// plainRows takes a board of plain rows apart.
func (b block) plainRows() (p plainBoard) {
	b = b.withoutComments()
	if len(b.Text) == 0 {
		return p
	}
	var text []string
	for _, t := range b.Text {
		text = append(text, strings.TrimSpace(t))
	}
	no := b.No
	p.head = no[0]
	if cols, lines, ok := drawn(text); ok {
		p.size, p.sized = &[2]int{cols, lines}, true
		for i, t := range text[1:] {
			p.rows = append(p.rows, row{no[1+i], cellsOf(t, false)})
		}
		return p
	}
	from := func(first int) (rows []row, spaced bool) {
		for _, by := range []string{"\t", ","} {
			if rows = b.table(first, by); rows != nil {
				return rows, true
			}
		}
		list := slices.ContainsFunc(text[first:], isList)
		spaced = list || slices.ContainsFunc(text[first:], func(t string) bool { return strings.ContainsAny(t, " \t") })
		for i, t := range text[first:] {
			if list { // of Prolog, it ends with a dot
				rows = append(rows, listRows(no[first+i], strings.Replace(t, "].", "]", 1))...)
			} else {
				rows = append(rows, row{no[first+i], cellsOf(t, spaced)})
			}
		}
		return rows, spaced
	}
	p.rows, p.spaced = from(0)
	cols, lines, ok := sizeLine(text[0])
	if !ok || len(text) < 2 {
		return p
	}
	// A line of numbers may be a row as well: it is one where it has as many cells
	// as the next, unless it fits as a size and is no pair above pairs.
	rows, spaced := from(1)
	row := len(p.rows) > 1 && len(p.rows[0].cells) == len(p.rows[1].cells)
	if len(rows) == 0 {
		return p
	}
	fits := len(rows) == lines && len(rows[0].cells) == cols
	if !row || fits && cols != 2 {
		p.size, p.rows, p.spaced = &[2]int{cols, lines}, rows, spaced
	}
	return p
}

// plain reads plain rows.
func (b block) plain() (*Puzzle, error) {
	parts := b.plainRows()
	size, rows, head := parts.size, parts.rows, parts.head
	if parts.head == 0 || len(parts.rows) == 1 && parts.size == nil && strings.TrimSpace(b.Text[len(b.Text)-1]) == "0 0" {
		return nil, nil // comments alone, or the sign that no board follows
	}
	if len(rows) == 0 {
		return nil, b.Errorf(0, "%q, want rows of a board", b.Text[0])
	}
	cols := len(rows[0].cells)
	if size != nil {
		switch {
		case size[1] != len(rows):
			return nil, fmt.Errorf("flow: line %d says %d rows, but %d follow", head, size[1], len(rows))
		case size[0] != cols:
			return nil, fmt.Errorf("flow: line %d has %d cells, want %d as line %d says", rows[0].no, cols, size[0], head)
		}
	}
	nb := builderAt(head, Square, cols, len(rows))
	if len(nb.errs) > 0 {
		return nil, nb.errs[0]
	}
	signs, numbered := signsOf(rows)
	anySign := parts.sized && slices.ContainsFunc(rows, func(r row) bool { return slices.Contains(r.cells, ".") })
	if anySign {
		signs = "." + strings.Trim(signs, empties)
	}
	return nb.filled(head, rows, signs, anySign, Options{Any: numbered})
}

// filled is the board with the cells of rows; head is the line that it begins in.
func (b *Builder) filled(head int, rows []row, empty string, anySign bool, o Options) (*Puzzle, error) {
	if err := readRows(b, rows, empty, anySign); err != nil {
		return nil, err
	}
	b.line = head
	p, err := b.Puzzle()
	if err != nil {
		return nil, err
	}
	return p.With(o), nil
}

// signsOf tells which signs stand for empty cells, and whether all ends are
// numbers. 0 is an end where it stands twice beside another sign for an empty
// cell or beside letters, and an empty cell elsewhere.
func signsOf(rows []row) (signs string, numbered bool) {
	zeros, others, letters, ends := 0, false, false, false
	for _, r := range rows {
		for _, w := range r.cells {
			switch {
			case w == "0":
				zeros++
			case len(w) == 1 && strings.Contains(empties, w):
				others = true
			case number(w):
				ends = true
			case w != "#" && w != "+":
				letters = true
			}
		}
	}
	signs = empties
	if zeros == 2 && (others || letters) {
		return signs, !letters
	}
	return signs + "0", ends && !letters
}

// readRows reads the cells of a board. Every name stands exactly twice; with anySign
// any sign may be one.
func readRows(nb *Builder, rows []row, empty string, anySign bool) error {
	type end struct {
		c  image.Point
		no int
		n  int
	}
	ends := make(map[string]*end)
	var order []string
	for r, line := range rows {
		nb.line = line.no
		if len(line.cells) != nb.p.cols {
			return fmt.Errorf("flow: line %d has %d cells, want %d", line.no, len(line.cells), nb.p.cols)
		}
		for c, w := range line.cells {
			at := image.Pt(c, r)
			switch {
			case len(w) == 1 && strings.Contains(empty, w):
			case w == "#":
				nb.Hole(at)
			case w == "+":
				nb.Bridge(at)
			case !anySign && !number(w) && !(len(w) == 1 && letter(w[0])):
				return fmt.Errorf("flow: line %d, cell %d: %q, want the name of an end, . for an empty cell, # or +", line.no, c+1, w)
			default:
				e := ends[w]
				if e == nil {
					e = &end{c: at, no: line.no}
					ends[w] = e
					order = append(order, w)
				} else if e.n == 1 {
					nb.Pair(e.c, at)
				} else {
					return fmt.Errorf("flow: line %d, cell %d: %q for the third time, want every end twice", line.no, c+1, w)
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

// longHead is from how many bytes on a head may hold the beginning of a board
// alone. Of a shorter one every row is there, but for the last.
const longHead = 4096

// headBoard is the first board in head, without the last line when head may have
// cut it off.
func headBoard(head []byte) plainBoard {
	if sniffLevels(head) || sniffPuzzLink(head) {
		return plainBoard{} // numbers and commas too
	}
	if len(head) >= 512 {
		head = head[:strings.LastIndexByte(string(head), '\n')+1]
	}
	var b block
	for line := range strings.Lines(string(head)) {
		t := strings.TrimSpace(line)
		if whole(b.Text) {
			break
		}
		if t == "" {
			if len(b.withoutComments().Text) > 0 {
				break
			}
			continue
		}
		b.Text, b.No = append(b.Text, t), append(b.No, 0)
	}
	return b.plainRows()
}

// census counts the cells by what they are; ok is false where one can be none, or
// where all are 0 and 1: rows of these alone are Lights Out, unless more may follow
// and there is no third 1 yet.
func (p plainBoard) census(head []byte) (count map[string]int, letters int, ok bool) {
	count = map[string]int{}
	numbers := 0
	for _, r := range p.rows {
		for _, w := range r.cells {
			if !isCell(w) && !p.sized {
				return nil, 0, false
			}
			count[w]++
			switch {
			case number(w):
				numbers++
			case letter(w[0]):
				letters++
			}
		}
	}
	return count, letters, letters+numbers > 0 && (!bits(count) || len(head) >= longHead && count["1"] <= 2)
}

// bits tells whether nothing but 0 and 1 was counted.
func bits(count map[string]int) bool {
	for w := range count {
		if w != "0" && w != "1" {
			return false
		}
	}
	return true
}

// sniffLetters wants letters among the cells, or digits without spaces.
func sniffLetters(head []byte) bool {
	p := headBoard(head)
	count, letters, ok := p.census(head)
	if !ok {
		return false
	}
	if p.spaced {
		return letters > 0 && p.likeBoard(count)
	}
	word := strings.Join(p.rows[0].cells, "")
	if len(word) > 2 && strings.Trim(word, "x") == "" {
		return false // a border of walls
	}
	// A word alone in its line, as other forms have it before a board.
	if strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") == "" && (len(p.rows) == 1 || len(p.rows[1].cells) != len(word)) {
		for _, w := range p.rows[0].cells {
			if strings.Count(word, w) != 2 {
				return false
			}
		}
	}
	// Fans and turbines are drawn with F, T, dots and the same walls.
	others := 0
	for w, n := range count {
		if letter(w[0]) && w != "F" && w != "T" {
			others += n
		}
	}
	return others > 0 || count["F"] == 2 && count["T"]%2 == 0 && count["T"] <= 2
}

// likeBoard tells rows with spaces from other forms that are words: they are of
// one length, and hold empty cells or every name twice.
func (p plainBoard) likeBoard(count map[string]int) bool {
	cols := len(p.rows[0].cells)
	if cols < 2 || slices.ContainsFunc(p.rows, func(r row) bool { return len(r.cells) != cols }) {
		return false
	}
	twice := true
	for w, n := range count {
		if w == "0" || strings.Contains(empties, w) {
			return true
		}
		twice = twice && (n == 2 || w == "#" || w == "+")
	}
	return twice
}

// sniffNumbers wants rows of numbers with spaces, or as a list.
func sniffNumbers(head []byte) bool {
	p := headBoard(head)
	_, letters, ok := p.census(head)
	return ok && p.spaced && letters == 0 && !slices.ContainsFunc(p.rows, func(r row) bool { return len(r.cells) < 2 })
}

// firstRow is the first line that is neither blank nor a comment.
func firstRow(head []byte) string {
	for line := range strings.Lines(string(head)) {
		if t := strings.TrimSpace(line); t != "" && !isComment(t) {
			return t
		}
	}
	return ""
}
