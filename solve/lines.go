package solve

import (
	"bufio"
	"errors"
	"fmt"
	"image"
	"io"
	"iter"
	"strings"
	"unicode"
)

// Lines yields the lines of a text without their ends (LF or CR LF). A line longer
// than most bytes, one that holds a control character other than a tab, and what
// the reader says beside its end are errors; each names the line, from 1, and is
// the last thing yielded.
func Lines(r io.Reader, most int) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		scan := bufio.NewScanner(r)
		scan.Buffer(make([]byte, 0, min(most, 64<<10)), most)
		no := 1
		for ; scan.Scan(); no++ {
			text := strings.TrimSuffix(scan.Text(), "\r")
			if no == 1 {
				text = strings.TrimPrefix(text, "\ufeff")
			}
			if err := Printable(text); err != nil {
				yield("", fmt.Errorf("line %d, %w", no, err))
				return
			}
			if !yield(text, nil) {
				return
			}
		}
		switch err := scan.Err(); {
		case errors.Is(err, bufio.ErrTooLong):
			yield("", fmt.Errorf("line %d: longer than %s, want a line of a board", no, size(most)))
		case err != nil:
			yield("", fmt.Errorf("line %d: %w", no, err))
		}
	}
}

// size tells a number of bytes in words.
func size(n int) string {
	for _, unit := range []struct {
		bytes int
		name  string
	}{{1 << 20, "MB"}, {1 << 10, "kB"}} {
		if n >= unit.bytes {
			return fmt.Sprintf("%d %s", n/unit.bytes, unit.name)
		}
	}
	return fmt.Sprintf("%d bytes", n)
}

// Printable says which character of a line is a control character, tabs apart: no
// form of a board has any, and printed they would steer the terminal.
func Printable(line string) error {
	n := 0
	for _, r := range line {
		if n++; unicode.IsControl(r) && r != '\t' {
			return fmt.Errorf("character %d: a control character (%U), want none", n, r)
		}
	}
	return nil
}

// PlaceName names a half-cell for people, in the one way that all messages have: counted
// from 1, from the top left. A cell is "column 2 row 3". Corners have columns and
// rows of their own, one more of each than cells. An edge is named by the cell
// on its left or above it, at the border by the cell that it belongs to.
func PlaceName(at image.Point) string {
	col, row := at.X>>1, at.Y>>1
	oddX, oddY := at.X&1 == 1, at.Y&1 == 1
	switch {
	case oddX && oddY:
		return fmt.Sprintf("column %d row %d", col+1, row+1)
	case !oddX && !oddY:
		return fmt.Sprintf("corner column %d row %d", col+1, row+1)
	case oddX && row == 0:
		return fmt.Sprintf("edge over column %d row 1", col+1)
	case oddX:
		return fmt.Sprintf("edge under column %d row %d", col+1, row)
	case col == 0:
		return fmt.Sprintf("edge left of column 1 row %d", row+1)
	}
	return fmt.Sprintf("edge right of column %d row %d", col, row+1)
}
