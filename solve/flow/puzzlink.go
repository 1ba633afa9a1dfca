package flow

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// puzzLink is the page that links of numberlinks lead to.
const puzzLink = "https://puzz.link/p?"

// puzzTypes are the page's names of the puzzle; cells may stay empty in both.
func puzzType(s string) bool { return s == "numlin" || s == "arukone" }

// puzzURL is a link, its page being puzz.link's, an older one's or none: what
// kind of puzzle it is and what follows.
var puzzURL = regexp.MustCompile(`^(?:(?:https?://)?[a-z0-9.-]+/[a-zA-Z0-9_./-]*\?)?([a-z0-9]+)(?:_edit)?/([^\s?#&]+)(?:[?#&]\S*)?$`)

// sniffPuzzLink wants a link whose page or kind is known, or a file of pzpr.
func sniffPuzzLink(head []byte) bool {
	text := firstRow(head)
	if strings.HasPrefix(text, "pzprv3") {
		return true
	}
	m := puzzURL.FindStringSubmatch(text)
	return m != nil && (puzzType(m[1]) || strings.Contains(text, "puzz.link/p?") || strings.Contains(text, "pzv.jp/p.html?"))
}

// beginsPuzz tells whether a line begins a board: a link, or a file of pzpr.
func beginsPuzz(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "pzprv3") || puzzURL.MatchString(line)
}

// puzz reads a link, or a file of pzpr: its version, the kind, rows, columns, the
// cells, and perhaps the line as it was drawn, which is not looked at.
func (b block) puzz() (*Puzzle, error) {
	b = b.withoutComments()
	if len(b.Text) == 0 {
		return nil, nil
	}
	head := strings.TrimSpace(b.Text[0])
	if !strings.HasPrefix(head, "pzprv3") {
		if len(b.Text) > 1 {
			return nil, b.Errorf(1, "%q below a link, want another link", b.Text[1])
		}
		return b.puzzLink(head)
	}
	fields, no := []string{}, []int{}
	for i, t := range b.Text {
		for _, f := range strings.Split(t, "/") {
			if f = strings.TrimSpace(f); f != "" {
				fields, no = append(fields, f), append(no, b.No[i])
			}
		}
	}
	if len(fields) < 4 || !puzzType(fields[1]) {
		return nil, b.Errorf(0, "%q, want pzprv3, numlin or arukone, rows and columns", strings.Join(fields[:min(len(fields), 2)], " "))
	}
	cols, rows, ok := sides(fields[3], fields[2])
	if !ok {
		return nil, inLine(no[2], "size %q by %q, want rows and columns", fields[2], fields[3])
	}
	nb := builderAt(no[2], Square, cols, rows)
	if len(nb.errs) > 0 {
		return nil, nb.errs[0]
	}
	if len(fields) < 4+rows {
		return nil, inLine(no[len(no)-1], "the board ends after %d rows, want %d", len(fields)-4, rows)
	}
	var drawn []row
	for i := range rows {
		drawn = append(drawn, row{no[4+i], strings.Fields(fields[4+i])})
	}
	return nb.filled(no[0], drawn, ".", false, Options{Any: true})
}

// puzzLink reads a link. Behind the size stand the cells: a digit to f is a number,
// -xx one of two and +xxx one of three digits, all hexadecimal; g to z are 1 to 20
// empty cells.
func (b block) puzzLink(text string) (*Puzzle, error) {
	m := puzzURL.FindStringSubmatch(text)
	switch {
	case m == nil:
		return nil, b.Errorf(0, "%q, want a link such as puzz.link/p?numlin/3/3/1g2i1g2", text)
	case !puzzType(m[1]):
		return nil, b.Errorf(0, "a link to a puzzle of the kind %q, want numlin or arukone", m[1])
	}
	parts := strings.Split(strings.TrimRight(m[2], "/"), "/")
	if len(parts) != 3 {
		return nil, b.Errorf(0, "%d parts behind %s/, want columns, rows and cells", len(parts), m[1])
	}
	cols, rows, ok := sides(parts[0], parts[1])
	if !ok {
		return nil, b.Errorf(0, "size %s/%s, want columns/rows such as 5/5", parts[0], parts[1])
	}
	nb := builderAt(b.No[0], Square, cols, rows)
	if len(nb.errs) > 0 {
		return nil, nb.errs[0]
	}
	cells := make([]string, 0, cols*rows)
	code := parts[2]
	for i := 0; i < len(code); {
		c, digits := code[i], 0
		i++
		switch {
		case c >= 'g' && c <= 'z':
			for range int(c-'g') + 1 {
				cells = append(cells, ".")
			}
			continue
		case c >= '0' && c <= '9' || c >= 'a' && c <= 'f':
			i--
			digits = 1
		case c == '-':
			digits = 2
		case c == '+':
			digits = 3
		case c == '.':
			return nil, b.Errorf(0, "character %d of the cells is an end without a number, want one with it", i)
		default:
			return nil, b.Errorf(0, "character %d of the cells is %q, want 0 to 9, a to z, - or +", i, c)
		}
		n, err := strconv.ParseUint(code[i:min(i+digits, len(code))], 16, 16)
		if err != nil || i+digits > len(code) {
			return nil, b.Errorf(0, "character %d of the cells: %q, want a number of %d hexadecimal digits", i+1, code[i:min(i+digits, len(code))], digits)
		}
		cells = append(cells, strconv.Itoa(int(n)))
		i += digits
		if len(cells) > cols*rows {
			break
		}
	}
	// Empty cells at the end may be one run too long, as the page cuts it.
	for len(cells) > cols*rows && cells[len(cells)-1] == "." {
		cells = cells[:len(cells)-1]
	}
	if len(cells) != cols*rows {
		return nil, b.Errorf(0, "%d cells, want %d×%d", len(cells), cols, rows)
	}
	var drawn []row
	for r := range rows {
		drawn = append(drawn, row{b.No[0], cells[r*cols : (r+1)*cols]})
	}
	return nb.filled(b.No[0], drawn, ".", false, Options{Any: true})
}

// encodePuzzLink writes a link.
func encodePuzzLink(p *Puzzle) ([]byte, error) {
	for i := range p.hole {
		if p.hole[i] || p.bridge[i] {
			return nil, fmt.Errorf("flow: a link of puzz.link holds no holes and bridges; use the canonical text")
		}
	}
	if p.shape != Square || p.torus || !p.any || p.noTouch || len(p.walls)+len(p.joins) > 0 {
		return nil, fmt.Errorf("flow: a link of puzz.link holds square boards whose cells may stay empty (the rules of Numberlink), without walls, joins or other options; use the canonical text")
	}
	number := make([]int, len(p.hole))
	for i, e := range p.pairs {
		number[e[0]], number[e[1]] = i+1, i+1
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%snumlin/%d/%d/", puzzLink, p.cols, p.rows)
	empty := 0
	flush := func() {
		for ; empty > 0; empty -= min(empty, 20) {
			b.WriteByte(byte('g' + min(empty, 20) - 1))
		}
	}
	for _, n := range number {
		if n == 0 {
			empty++
			continue
		}
		flush()
		switch {
		case n < 16:
			fmt.Fprintf(&b, "%x", n)
		case n < 256:
			fmt.Fprintf(&b, "-%02x", n)
		case n < 4096:
			fmt.Fprintf(&b, "+%03x", n)
		default:
			return nil, fmt.Errorf("flow: a link of puzz.link holds at most 4095 pairs; use the canonical text")
		}
	}
	flush()
	b.WriteByte('\n')
	return b.Bytes(), nil
}
