package switches

import (
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
	for _, l := range b[1:] {
		key, _, ok := strings.Cut(l.text, ":")
		switch key = strings.TrimSpace(key); {
		case !ok:
			rows = append(rows, l)
		case !slices.Contains([]string{"names", "lit", "want"}, key):
			return nil, l.errorf("got %q, want one of names: lit: want:", key+":")
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
		if len(words) == 1 {
			words = strings.Split(words[0], "")
		}
		if len(words) > MaxFlips/len(rows) {
			return nil, l.errorf("a matrix of %d rows of %d, want at most %d numbers", len(rows), len(words), MaxFlips)
		}
		row := make([]int, len(words))
		for c, w := range words {
			if row[c] = strings.Index("01", w); len(w) != 1 || row[c] < 0 {
				return nil, l.errorf("got %q in column %d, want 0 or 1", w, c+1)
			}
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
				s.Flips = append(s.Flips, Flip{first + i, j})
			}
		}
	}
	return head.puzzle(s)
}
