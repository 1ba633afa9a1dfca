package switches

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// isMatrix tells whether a line begins a board of the form matrix.
func isMatrix(text string) bool { return strings.TrimSpace(text) == "matrix" }

func sniffMatrix(head []byte) bool { return isMatrix(strings.Join(firstWords(head), " ")) }

// matrix reads a board whose rows say what each switch does to each bulb: the
// rows become the board's flips, and the rest is read as a plain graph.
func (b board) matrix() (*Puzzle, error) {
	head := b[0]
	if !isMatrix(head.text) {
		return nil, head.errorf("got %q, want \"matrix\"", head.text)
	}
	var rows []line
	keys := board{}
	states := 2
	for _, l := range b[1:] {
		key, value, ok := strings.Cut(l.text, ":")
		switch key = strings.TrimSpace(key); {
		case !ok:
			rows = append(rows, l)
		case !slices.Contains([]string{"states", "names", "lit", "want"}, key):
			return nil, l.errorf("got %q, want one of states: names: lit: want:", key+":")
		case key == "states":
			n, err := strconv.Atoi(strings.TrimSpace(value))
			if err != nil || n < 2 || n > maxStates {
				return nil, l.errorf("got %q states, want 2 to %d", strings.TrimSpace(value), maxStates)
			}
			states = n
			keys = append(keys, l)
		default:
			keys = append(keys, l)
		}
	}
	if len(rows) == 0 {
		return nil, head.errorf("got no rows, want one for each switch")
	}
	var amounts [][]int
	for _, l := range rows {
		words := strings.Fields(l.text)
		if len(words) == 1 && states <= 10 {
			words = strings.Split(words[0], "")
		}
		if len(words) > MaxFlips/len(rows) {
			return nil, l.errorf("a matrix of %d rows of %d, want at most %d numbers", len(rows), len(words), MaxFlips)
		}
		row := make([]int, len(words))
		for c, w := range words {
			n, err := strconv.Atoi(w)
			if err != nil || n < 0 || n >= states {
				return nil, l.errorf("got %q in column %d, want 0 to %d", w, c+1, states-1)
			}
			row[c] = n
		}
		if len(amounts) > 0 && len(row) != len(amounts[0]) {
			return nil, l.errorf("got %d columns, want %d as in line %d", len(row), len(amounts[0]), rows[0].no)
		}
		amounts = append(amounts, row)
	}
	return fromMatrix(head, keys, amounts)
}

// matrixNames are the nodes' names where the file has none, and how many of
// them are bulbs: as many switches as bulbs are one and the same nodes.
func matrixNames(switches, bulbs int) (names []string) {
	if switches == bulbs {
		for i := range bulbs {
			names = append(names, strconv.Itoa(i+1))
		}
		return names
	}
	for i := range bulbs {
		names = append(names, fmt.Sprintf("b%d", i+1))
	}
	for i := range switches {
		names = append(names, fmt.Sprintf("s%d", i+1))
	}
	return names
}

// fromMatrix makes the board; keys are the lines that a plain graph has too,
// which read them.
func fromMatrix(head line, keys board, amounts [][]int) (*Puzzle, error) {
	switches, bulbs := len(amounts), len(amounts[0])
	names := matrixNames(switches, bulbs)
	plain := board{{head.no, "switches"}}
	at := slices.IndexFunc(keys, func(l line) bool { return strings.HasPrefix(strings.TrimSpace(l.text), "names") })
	if at >= 0 {
		_, value, _ := strings.Cut(keys[at].text, ":")
		if got := strings.Fields(value); len(got) != len(names) {
			return nil, keys[at].errorf("got %d names, want %d", len(got), len(names))
		} else {
			names = got
		}
	} else {
		plain = append(plain, line{head.no, "names: " + strings.Join(names, " ")})
	}
	plain = append(plain, keys...)
	if switches != bulbs {
		plain = append(plain, line{head.no, "lamps: " + strings.Join(names[:bulbs], " ")}, line{head.no, "buttons: " + strings.Join(names[bulbs:], " ")})
	}
	p, err := plain.parse()
	if err != nil {
		return nil, err
	}
	s := p.Spec()
	s.Flips = nil
	first := len(s.Nodes) - switches // 0 where nodes are both
	for i, row := range amounts {
		for j, by := range row {
			if by > 0 {
				s.Flips = append(s.Flips, Flip{first + i, j, by})
			}
		}
	}
	return head.puzzle(s)
}

// encodeMatrix writes a plain graph whose nodes are all bulbs with switches,
// or bulbs and then another number of switches.
func encodeMatrix(p *Puzzle) ([]byte, error) {
	if p.rows > 0 {
		return nil, fmt.Errorf("switches: a matrix holds no places of a grid; write it as text")
	}
	var names []string
	bulbs, both := 0, 0
	for i, n := range p.nodes {
		names = append(names, n.Name)
		if n.Kind == Both {
			both++
		}
		if n.Kind != Button {
			if bulbs < i {
				bulbs = -len(p.nodes)
			}
			bulbs++
		}
	}
	switches := len(p.nodes) - bulbs
	if both > 0 {
		switches = bulbs
	}
	if bulbs < 1 || switches < 1 || both > 0 && both < len(p.nodes) || both == 0 && switches == bulbs {
		return nil, fmt.Errorf("switches: a matrix holds bulbs with switches, or bulbs and then another number of switches that are none; write it as text")
	}
	first := len(p.nodes) - switches
	var b bytes.Buffer
	b.WriteString("matrix\n")
	if !slices.Equal(names, matrixNames(switches, bulbs)) {
		fmt.Fprintf(&b, "names: %s\n", strings.Join(names, " "))
	}
	if p.states > 2 {
		fmt.Fprintf(&b, "states: %d\n", p.states)
	}
	for _, fs := range p.flips[first:] {
		row := make([]string, bulbs)
		for i := range row {
			row[i] = "0"
		}
		for _, f := range fs {
			row[f.bulb] = strconv.Itoa(f.by)
		}
		fmt.Fprintln(&b, strings.Join(row, " "))
	}
	withState := p.withState()
	if lit := withState(func(n Node) int { return n.Now }); len(lit) > 0 {
		fmt.Fprintf(&b, "lit: %s\n", strings.Join(lit, " "))
	}
	p.writeWant(&b, withState)
	return b.Bytes(), nil
}
