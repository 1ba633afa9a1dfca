package solve

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"iter"
	"reflect"
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

// JSONError says in words what is wrong with a text that is to be JSON; err is what
// the decoder says. Other errors are left as they are.
func JSONError(err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &syntax) && strings.HasPrefix(syntax.Error(), "unexpected end"):
		return errors.New("JSON that is cut off")
	case syntax != nil && strings.HasSuffix(syntax.Error(), "exceeded max depth"):
		return errors.New("JSON that is nested too deep")
	case syntax != nil:
		return fmt.Errorf("no JSON at byte %d", syntax.Offset)
	case errors.As(err, &kind):
		what, _, _ := strings.Cut(kind.Value, " ") // "number 1.5" where that is why
		at := ""
		if kind.Field != "" {
			at = fmt.Sprintf("key %q: ", kind.Field)
		}
		return fmt.Errorf("%s%s, want %s", at, kindsOfJSON()[what], jsonOf(kind.Type))
	}
	if key, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		return fmt.Errorf("key %s, which is not known here", key)
	}
	return err
}

// kindsOfJSON are the values of JSON, by the names that encoding/json has for them.
func kindsOfJSON() map[string]string {
	return map[string]string{
		"number": "a number", "string": "a text", "bool": "true or false", "array": "a list", "object": "an object", "null": "null",
	}
}

// jsonOf names the value of JSON that a type is read from.
func jsonOf(t reflect.Type) string {
	words := kindsOfJSON()
	switch t.Kind() {
	case reflect.Pointer:
		return jsonOf(t.Elem())
	case reflect.Slice, reflect.Array:
		return words["array"]
	case reflect.String:
		return words["string"]
	case reflect.Bool:
		return words["bool"]
	case reflect.Struct, reflect.Map:
		return words["object"]
	case reflect.Float32, reflect.Float64:
		return words["number"]
	}
	return "a whole number"
}
