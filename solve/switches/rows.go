package switches

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"onlooker/solve"
	"onlooker/solve/gf2"
)

// goalOfRows is what rows of 0 and 1 want: Lights Out is won when all is dark.
const goalOfRows = "off"

// What rows of 0 and 1 are written with beside the digits: lists and matrices as
// programs print them. A row ends with its line or where a list does.
const (
	rowEnds   = "])};/"
	rowSpaces = " \t,[({\"'"
)

// rowsOf are the rows of a line.
func rowsOf(l line) (rows []line) {
	if isBits(l.text) {
		return []line{l}
	}
	text := strings.NewReplacer("true", "1", "false", "0", "True", "1", "False", "0").Replace(l.text)
	if strings.ContainsAny(text, `"'`) {
		text = quotedRows(text)
	}
	for row := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(rowEnds, r) }) {
		cells := strings.Join(strings.FieldsFunc(row, func(r rune) bool { return strings.ContainsRune(rowSpaces, r) }), "")
		if cells != "" {
			rows = append(rows, line{l.no, cells})
		}
	}
	return rows
}

// quotedRows ends a row after each word in quotes, unless the words are single
// cells: ["010", "101"] are rows, ["0", "1"] is one.
func quotedRows(text string) string {
	cells := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(rowEnds+rowSpaces, r) })
	if slices.ContainsFunc(cells, func(w string) bool { return len(w) == 1 }) {
		return text
	}
	return strings.NewReplacer(`",`, `";`, `',`, `';`).Replace(text)
}

// sizeOf reads a line that tells a board's size and nothing else: "5", "5 4",
// "5x4", "5, 4".
func sizeOf(l line) (a, b int, ok bool) {
	words := strings.FieldsFunc(l.text, func(r rune) bool { return strings.ContainsRune(" \t,x×", r) })
	if len(words) < 1 || len(words) > 2 {
		return 0, 0, false
	}
	n := [2]int{}
	for i, w := range words {
		var err error
		if n[i], err = strconv.Atoi(w); err != nil || n[i] < 1 || n[i] > maxSide {
			return 0, 0, false
		}
	}
	if len(words) == 1 {
		n[1] = n[0]
	}
	return n[0], n[1], true
}

// isBits tells whether a text is cells of 0 and 1.
func isBits(text string) bool { return text != "" && strings.Trim(text, "01") == "" }

// sniffRows wants rows of 0 and 1 and nothing else, but for a line of their size
// before them. A word of digits alone may be anything.
func sniffRows(head []byte) bool {
	for b, err := range rowBoards(bytes.NewReader(head)) {
		if err != nil {
			return false
		}
		size, rows := b.rows()
		for i, r := range rows {
			// The last line may be cut off, which does no harm to bits.
			if !isBits(r.text) {
				return false
			}
			if size == nil && len(rows) == 1 && r.text == strings.TrimSpace(b[i].text) {
				return false
			}
		}
		return len(rows) > 0
	}
	return false
}

// bits is a board of signs, * and . or o, x and - or ., as one of 1 and 0; others are as they are.
func (b board) bits() board {
	for _, signs := range [...]string{"*.", "*o", "x-", "x."} {
		one, zero := false, false
		if slices.ContainsFunc(b, func(l line) bool {
			one, zero = one || strings.Contains(l.text, signs[:1]), zero || strings.Contains(l.text, signs[1:])
			return strings.Trim(l.text, signs+" /") != ""
		}) || !one || !zero {
			continue
		}
		out := make(board, len(b))
		for i, l := range b {
			out[i] = line{l.no, strings.NewReplacer(signs[:1], "1", signs[1:], "0").Replace(l.text)}
		}
		return out
	}
	return b
}

// rows takes a board apart: the line of its size, nil where there is none, and its
// rows.
func (b board) rows() (size *line, rows []line) {
	for _, l := range b.bits() {
		of := rowsOf(l)
		// In a table "1;0" is a row.
		if len(b) > 1 && !slices.ContainsFunc(of, func(r line) bool { return len(r.text) > 1 }) {
			of = rowsOf(line{l.no, strings.NewReplacer(";", "", "/", "").Replace(l.text)})
		}
		rows = append(rows, of...)
	}
	if _, _, ok := sizeOf(b[0]); !ok || len(b) < 2 {
		return nil, rows
	}
	first := rowsOf(b[0])
	rest := rows[len(first):]
	// "1 0" above rows of two is a row.
	if len(first) == 1 && isBits(first[0].text) && len(rest) > 0 && len(rest[0].text) == len(first[0].text) {
		return nil, rows
	}
	return &b[0], rest
}

// rowBoards yields the lines of each board of a file; empty lines lie between, one
// behind a line of the size apart.
func rowBoards(r io.Reader) iter.Seq2[board, error] {
	return func(yield func(board, error) bool) {
		var b board
		no := 0
		for text, err := range solve.Lines(r, maxLine) {
			if err != nil {
				yield(nil, fmt.Errorf("switches: %w", err))
				return
			}
			no++
			text = strings.TrimSpace(text)
			switch {
			case strings.HasPrefix(text, "#"):
				continue
			case len(b) > MaxNodes:
				yield(nil, b[0].errorf("begins a board of more than %d rows", MaxNodes))
				return
			case text != "":
				b = append(b, line{no, text})
				continue
			case len(b) == 0:
				continue
			case len(b) == 1:
				if _, _, ok := sizeOf(b[0]); ok {
					continue
				}
			}
			if !yield(b, nil) {
				return
			}
			b = nil
		}
		if len(b) > 0 {
			yield(b, nil)
		}
	}
}

// decodeRows reads Lights Out as rows of 0 and 1.
func decodeRows(r io.Reader) iter.Seq2[solve.Puzzle, error] {
	return solve.Puzzles(rowBoards(r), board.lights)
}

// lights makes a grid of a board's rows: 1 is lit, all are wanted dark, and a
// switch flips its own bulb and those beside it.
func (b board) lights() (*Puzzle, error) {
	size, rows := b.rows()
	if len(rows) == 0 {
		return nil, b[0].errorf("got no rows, want rows of 0 and 1")
	}
	cols := len(rows[0].text)
	cells := make([]cell, 0, cols*len(rows))
	for _, r := range rows {
		if at := strings.IndexFunc(r.text, func(c rune) bool { return c != '0' && c != '1' }); at >= 0 {
			return nil, r.errorf("got %q in a row, want 0 and 1", r.text[at:])
		}
		if len(r.text) != cols {
			return nil, r.errorf("got %d cells, want %d as in line %d", len(r.text), cols, rows[0].no)
		}
		for _, c := range r.text {
			cells = append(cells, cell(Both).with(lit, c == '1'))
		}
	}
	if size != nil {
		x, y, _ := sizeOf(*size)
		if (x != cols || y != len(rows)) && (x != len(rows) || y != cols) {
			return nil, size.errorf("got the size %s, but there are %d rows of %d", size.text, len(rows), cols)
		}
	}
	pt, _ := patternNamed("cross")
	return newGrid(cols, len(rows), cells, pt, ""), nil
}

// encodeRows writes a grid of plain lamps that are all wanted dark.
func encodeRows(p *Puzzle) ([]byte, error) {
	if p.rows == 0 || p.cols*p.rows == 1 {
		return nil, fmt.Errorf("switches: rows of 0 and 1 hold grids of more than one bulb that is lit or dark; use the canonical text")
	}
	for i, c := range p.cells {
		if c.kind() != Both || c.want() != 0 {
			return nil, fmt.Errorf("switches: rows of 0 and 1 hold boards of bulbs with switches that are all wanted dark, which %s is not; use the canonical text", p.name(i))
		}
	}
	if pt, wrap, rest := p.shape(); pt.name != "cross" || wrap != "" || len(rest) > 0 {
		return nil, fmt.Errorf("switches: rows of 0 and 1 hold boards whose switches flip their own bulb and the four beside it; use the canonical text")
	}
	var b bytes.Buffer
	for i, c := range p.cells {
		b.WriteByte(byte('0' + c.now()))
		b.WriteByte(" \n"[b2i(i%p.cols == p.cols-1)])
	}
	return b.Bytes(), nil
}

// presses are the switches that an answer flips, a bit for each node.
type presses struct {
	p  *Puzzle
	at gf2.Vec
}

// Pack packs an answer.
func (p *Puzzle) Pack(s solve.Solution) solve.Packed {
	x := &presses{p, gf2.NewVec(len(p.cells))}
	for _, stroke := range s {
		x.at.Flip(p.nodeAt(stroke[0]))
	}
	return x
}

// Check is that of the puzzle.
func (x *presses) Check() error {
	b := x.p.play()
	for i, c := range x.p.cells {
		if !x.at.Bit(i) {
			continue
		}
		if !c.button() {
			return &solve.RuleError{Rule: ruleClick, At: x.p.centre(i), Got: "a click hits no switch"}
		}
		b.press(i)
	}
	return b.judge()
}

// Strokes are the clicks, in the nodes' order.
func (x *presses) Strokes() iter.Seq[solve.Stroke] {
	return func(yield func(solve.Stroke) bool) {
		for i := range x.p.cells {
			if x.at.Bit(i) && !yield(solve.Stroke{x.p.centre(i)}) {
				return
			}
		}
	}
}

// Table writes a row of 0 and 1 for each of a grid's, and one for a plain graph: 1 where a
// switch is flipped.
func (x *presses) Table(w io.Writer) error {
	cols, rows := x.p.Size()
	_, err := fmt.Fprintf(w, "flip where 1 stands, of %d×%d:\n", cols, rows)
	row := make([]byte, cols+1)
	row[cols] = '\n'
	for y := 0; y < rows && err == nil; y++ {
		for i := range cols {
			row[i] = byte('0' + b2i(x.at.Bit(y*cols+i)))
		}
		_, err = w.Write(row)
	}
	return err
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Goal says that every bulb is wanted on, or off; "" of boards that want something else.
func (p *Puzzle) Goal() string {
	said := ""
	for _, c := range p.cells {
		if !c.bulb() {
			continue
		}
		word := [...]string{"off", "on"}[c.want()]
		if said != "" && said != word {
			return ""
		}
		said = word
	}
	return said
}

// WithGoal is the board with every bulb wanted on, or off.
func (p *Puzzle) WithGoal(goal string) (solve.Puzzle, error) {
	if goal != "on" && goal != "off" {
		return nil, fmt.Errorf("switches: goal %q, want on or off", goal)
	}
	q := *p
	q.cells = slices.Clone(p.cells)
	for i, c := range p.cells {
		if c.bulb() {
			q.cells[i] = c.with(want, goal == "on")
		}
	}
	return &q, nil
}
