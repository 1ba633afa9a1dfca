package alcazar

import (
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"

	"onlooker/solve"
)

func formats() []solve.Format {
	return []solve.Format{
		{Name: "alcazar", Sniff: sniffCanonical, Decode: decode(isHeader, canonical), Encode: solve.Encoder((*Puzzle).MarshalText)},
		{Name: "puzzle", Sniff: sniffPuzzle, Decode: decode(nil, puzzle), Encode: solve.Encoder(func(p *Puzzle) ([]byte, error) { return p.picture(' '), nil })},
		{Name: "walls", Sniff: sniffWalls, Decode: decodeDrawn(drawnWalls), Encode: solve.Encoder(encodeWalls)},
		{Name: "box", Sniff: sniffBox, Decode: decodeDrawn(drawnBox), Encode: solve.Encoder(encodeBox)},
	}
}

func isHeader(line string) bool {
	f := strings.Fields(line)
	return len(f) > 0 && f[0] == "alcazar"
}

// top gives the first two lines that are not blank.
func top(head []byte) (first, second string) {
	for line := range strings.Lines(string(head)) {
		t := strings.TrimRight(line, "\r\n")
		if strings.TrimSpace(t) == "" {
			continue
		}
		if first != "" {
			return first, t
		}
		first = t
	}
	return first, ""
}

func sniffCanonical(head []byte) bool {
	first, _ := top(head)
	return isHeader(first)
}

func sniffPuzzle(head []byte) bool {
	first, second := top(head)
	return strings.HasPrefix(first, "x") && strings.Trim(first, "x |") == "" &&
		(len(second) > 1 && second[1] == '0' || len(second) > 2 && second[2] == '0')
}

// maxLine is the longest line that is read, in bytes.
const maxLine = 1 << 20

// decode splits a file into boards, at empty lines or, where begins is given, before every
// line that begins one.
func decode(begins func(string) bool, parse func(solve.Block) (*Puzzle, error)) func(io.Reader) iter.Seq2[solve.Puzzle, error] {
	return solve.Blocks("alcazar", maxLine, func(text string, _ []string) (string, bool) {
		line := strings.TrimRight(text, " ")
		return line, begins == nil && line == "" || begins != nil && begins(line)
	}, parse)
}

func canonical(b solve.Block) (*Puzzle, error) {
	f := strings.Fields(b.Text[0])
	if len(f) != 2 || f[0] != "alcazar" {
		return nil, b.Errorf(0, "%q, want `alcazar COLSxROWS`", b.Text[0])
	}
	w, h, _ := strings.Cut(f[1], "x")
	cols, err := strconv.Atoi(w)
	rows, err2 := strconv.Atoi(h)
	if err != nil || err2 != nil || cols < 1 || rows < 1 || cols > MaxCells || rows > MaxCells || cols*rows > MaxCells {
		return nil, b.Errorf(0, "size %q, want COLSxROWS such as 5x5, at most %d cells", f[1], MaxCells)
	}
	b.Text, b.No = b.Text[1:], b.No[1:]
	if len(b.Text) != 2*rows+1 {
		return nil, fmt.Errorf("alcazar: line %d: the board has %d lines, want %d for %d rows of cells", lastLine(b, 1), len(b.Text), 2*rows+1, rows)
	}
	return picture(b, cols, rows, '.')
}

func lastLine(b solve.Block, otherwise int) int {
	if len(b.No) == 0 {
		return otherwise
	}
	return b.No[len(b.No)-1]
}

// puzzle reads AlcaSAT's form, where trailing spaces may have been cut off,
// or the same with a space between all characters.
func puzzle(b solve.Block) (*Puzzle, error) {
	if len(b.Text) > 1 && len(b.Text[1]) > 2 && b.Text[1][1] == ' ' {
		for i, line := range b.Text {
			var s strings.Builder
			for k := range len(line) {
				if k%2 == 0 {
					s.WriteByte(line[k])
				} else if line[k] != ' ' {
					return nil, b.Errorf(i, "character %d is %q, want a space between all characters as in line %d", k+1, line[k], b.No[1])
				}
			}
			b.Text[i] = strings.TrimRight(s.String(), " ")
		}
	}
	// The first line ends in a corner, so that nothing of it was cut off.
	width := len(b.Text[0])
	if width%2 == 0 || width < 3 {
		return nil, b.Errorf(0, "%d characters, want an odd number from 3: a wall or way left and right of every cell", width)
	}
	cols, rows := width/2, len(b.Text)/2
	if cols > MaxCells || rows > MaxCells || cols*rows > MaxCells {
		return nil, b.Errorf(0, "a board of %d×%d cells, want at most %d cells", cols, rows, MaxCells)
	}
	// A line too many or too few shows where cells and walls first change
	// places.
	p, err := picture(b, cols, rows, ' ')
	if err != nil {
		return nil, err
	}
	if len(b.Text)%2 == 0 || len(b.Text) < 3 {
		return nil, b.Errorf(len(b.Text)-1, "the board ends after %d lines, want an odd number from 3: a line of walls above and below every row of cells", len(b.Text))
	}
	return p, nil
}

// picture reads the places of a board; free stands where the line may go.
func picture(b solve.Block, cols, rows int, free byte) (*Puzzle, error) {
	p := &Puzzle{cols: cols, rows: rows, ways: make([]way, (2*cols+1)*(2*rows+1))}
	for y, line := range b.Text {
		if free == ' ' && len(line) == 2*cols && y%2 == 1 {
			line += " " // an opening at the end of the line
		}
		if len(line) != 2*cols+1 {
			return nil, b.Errorf(y, "%d characters, want %d", len(line), 2*cols+1)
		}
		for x := range len(line) {
			c := line[x]
			want := ""
			switch {
			case x%2 == 1 && y%2 == 1:
				if c != '0' {
					want = "0 for a cell"
				}
			case (x+y)%2 == 0:
				if c != 'x' {
					want = "x where walls meet"
				}
			case c == free:
				p.ways[y*(2*cols+1)+x] = open
			case c == "|-"[y%2]:
				p.ways[y*(2*cols+1)+x] = given
			case c != 'x':
				want = fmt.Sprintf("x for a wall, %q for a way, or %q for one that is used", string(free), "|-"[y%2:y%2+1])
			}
			if want != "" {
				return nil, b.Errorf(y, "character %d is %q, want %s", x+1, c, want)
			}
		}
	}
	return p, nil
}
