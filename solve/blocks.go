package solve

import (
	"fmt"
	"io"
	"iter"
	"strings"
)

// A Block is the lines of one board of a text, numbered from 1.
type Block struct {
	Family string
	Text   []string
	No     []int
}

// Errorf is an error in a line of the block.
func (b Block) Errorf(i int, format string, a ...any) error {
	return fmt.Errorf("%s: line %d: %w", b.Family, b.No[i], fmt.Errorf(format, a...))
}

// MostText is how many bytes and lines together the text of a board may have: several
// times what the largest board of a family has.
const MostText = 1 << 24

// Blocks decodes a text of several boards of a family, whose lines have at most so many
// bytes. cut tells of each line whether it ends the board before, whose lines so far it is
// given, and what to keep of it: "" is nothing. A board of which parse makes nothing is
// left out; an error in one does not end the rest.
func Blocks[P interface {
	comparable
	Puzzle
}](family string, most int, cut func(line string, before []string) (kept string, ends bool), parse func(Block) (P, error)) func(io.Reader) iter.Seq2[Puzzle, error] {
	return func(r io.Reader) iter.Seq2[Puzzle, error] {
		return func(yield func(Puzzle, error) bool) {
			b := Block{Family: family}
			flush := func() bool {
				if len(b.Text) == 0 {
					return true
				}
				p, err := parse(b)
				b.Text, b.No = nil, nil
				var none P
				switch {
				case err != nil:
					return yield(nil, err)
				case p == none:
					return true
				}
				return yield(p, nil)
			}
			no, size := 0, 0
			for line, err := range Lines(r, most) {
				if err != nil {
					yield(nil, fmt.Errorf("%s: %w", family, err))
					return
				}
				no++
				kept, ends := cut(line, b.Text)
				if ends && !flush() {
					return
				}
				if len(b.Text) == 0 {
					size = 0
				}
				if size += len(kept) + 1; size > MostText {
					yield(nil, b.Errorf(0, "begins a board of more than %d MB", MostText>>20))
					return
				}
				if kept != "" {
					b.Text, b.No = append(b.Text, kept), append(b.No, no)
				}
			}
			flush()
		}
	}
}

// Puzzles makes a puzzle of each board of a text. What is wrong with one does not end the
// rest.
func Puzzles[B any, P Puzzle](boards iter.Seq2[B, error], of func(B) (P, error)) iter.Seq2[Puzzle, error] {
	return func(yield func(Puzzle, error) bool) {
		for b, err := range boards {
			var p Puzzle
			if err == nil {
				p, err = of(b)
			}
			if err != nil {
				p = nil
			}
			if !yield(p, err) {
				return
			}
		}
	}
}

// Parse reads the one puzzle of a canonical text.
func (f *Family) Parse(text string) (Puzzle, error) {
	var puzzle Puzzle
	for p, err := range f.Formats[0].Decode(strings.NewReader(text)) {
		if err != nil {
			return nil, err
		}
		if puzzle != nil {
			return nil, fmt.Errorf("%s: a text of two puzzles, want one", f.Name)
		}
		puzzle = p
	}
	if puzzle == nil {
		return nil, fmt.Errorf("%s: a text without a puzzle", f.Name)
	}
	return puzzle, nil
}
