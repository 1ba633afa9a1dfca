package switches

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"onlooker/solve"
)

// A flipID is a game id of Flip in Simon Tatham's collection: the size, what each
// switch flips as a matrix of bits, and which bulbs are dark (flip.c: new_game).
// Bits are written four to a hexadecimal digit, the first the highest; the last
// digit is filled up with 0.
var flipID = regexp.MustCompile(`^(?:[Ff]lip:\s*)?(\d{1,3})x(\d{1,3})[cr]?:([0-9a-f]+),([0-9a-f]+)$`)

// flipCells is the most cells of a board: each has a bit for each in the matrix,
// which may all be on. Flip's own boards have some dozens.
const flipCells = 999

func sniffFlip(head []byte) bool {
	first, _, whole := bytes.Cut(bytes.TrimSpace(head), []byte("\n"))
	first = bytes.TrimSpace(first)
	// The head may end within a long matrix.
	return flipID.Match(first) || !whole && len(head) >= 512 && flipID.Match(append(bytes.Clone(first), ",0"...))
}

// decodeFlip reads game ids, one a line.
func decodeFlip(r io.Reader) iter.Seq2[solve.Puzzle, error] {
	return solve.Blocks("switches", maxLine, func(text string, _ []string) (string, bool) {
		if strings.HasPrefix(strings.TrimSpace(text), "#") {
			return "", true
		}
		return strings.TrimSpace(text), true
	}, func(b solve.Block) (*Puzzle, error) { return line{b.No[0], b.Text[0]}.flip() })(r)
}

// hexBits reads n bits.
func hexBits(hex string, n int) ([]bool, error) {
	if want := (n + 3) / 4; len(hex) != want {
		return nil, fmt.Errorf("got %d hexadecimal digits, want %d for %d bits", len(hex), want, n)
	}
	bits := make([]bool, 0, len(hex)*4)
	for _, c := range hex {
		digit, err := strconv.ParseUint(string(c), 16, 8)
		if err != nil {
			return nil, fmt.Errorf("got %q, want hexadecimal digits", c)
		}
		for mask := uint64(8); mask > 0; mask >>= 1 {
			bits = append(bits, digit&mask != 0)
		}
	}
	if slices.Contains(bits[n:], true) {
		return nil, fmt.Errorf("got more than %d bits", n)
	}
	return bits[:n], nil
}

func (l line) flip() (*Puzzle, error) {
	m := flipID.FindStringSubmatch(l.text)
	if m == nil {
		return nil, l.errorf("got %.40q, want a game id such as 2x2:edb7,5 (size, matrix, dark bulbs)", l.text)
	}
	cols, _ := strconv.Atoi(m[1]) // digits, by the pattern
	rows, _ := strconv.Atoi(m[2])
	n := cols * rows
	if n < 1 || n > flipCells {
		return nil, l.errorf("got size %dx%d, want 1 to %d cells", cols, rows, flipCells)
	}
	matrix, err := hexBits(m[3], n*n)
	if err != nil {
		return nil, l.errorf("matrix: %w", err)
	}
	dark, err := hexBits(m[4], n)
	if err != nil {
		return nil, l.errorf("dark bulbs: %w", err)
	}
	s := Spec{Cols: cols, Rows: rows, Nodes: make([]Node, n)}
	for i := range s.Nodes {
		s.Nodes[i] = Node{Now: 1 - b2i(dark[i]), Want: 1}
		for j := range n {
			if matrix[i*n+j] {
				s.Flips = append(s.Flips, Flip{i, j})
			}
		}
	}
	return l.puzzle(s)
}
