package solve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// judged is a puzzle whose Check says the same of every solution.
type judged struct {
	Puzzle
	says error
}

func (j judged) Check(context.Context, Solution) error { return j.says }

func TestJudge(t *testing.T) {
	broken := &RuleError{Rule: "gap"}
	for _, row := range []struct {
		says     error
		unjudged bool
	}{
		{nil, false},
		{broken, false},
		{context.Canceled, true},
		{fmt.Errorf("check: %w", context.DeadlineExceeded), true},
	} {
		err := Judge(t.Context(), judged{says: row.says}, nil)
		if !errors.Is(err, row.says) || errors.As(err, new(*UnjudgedError)) != row.unjudged {
			t.Errorf("Check says %v, and Judge %T %v; want unjudged %v", row.says, err, err, row.unjudged)
		}
		if row.says != nil && err.Error() != row.says.Error() {
			t.Errorf("%q, want %q", err, row.says)
		}
	}
}

func TestLines(t *testing.T) {
	for _, row := range []struct {
		why, text string
		want      string // the lines, then the error
	}{
		{"nothing", "", ""},
		{"ends of two systems, and none at last", "a\r\nb\n\nc", "a|b||c|"},
		{"a mark of byte order, and one that is none", "\ufeffa\n\ufeffb\n", "a|\ufeffb|"},
		{"tabs, and letters of more than a byte", "a\tä\n", "a\tä|"},
		{"NUL", "ab\nä\x00\n", "ab|line 2, character 2: a control character (U+0000), want none"},
		{"an escape", "\x1b[2J\n", "line 1, character 1: a control character (U+001B), want none"},
		{"one of the second row", "a\u0085", "line 1, character 2: a control character (U+0085), want none"},
		{"a carriage return alone", "a\rb\n", "line 1, character 2: a control character (U+000D), want none"},
		{"a long line", "abc\n12345678901\nd", "abc|line 2: longer than 10 bytes, want a line of a board"},
	} {
		got := ""
		for line, err := range Lines(strings.NewReader(row.text), 10) {
			if err != nil {
				got += err.Error()
			} else {
				got += line + "|"
			}
		}
		if got != row.want {
			t.Errorf("%s: got %q, want %q", row.why, got, row.want)
		}
	}
	broken := io.MultiReader(strings.NewReader("a\n"), iotest.ErrReader(errors.New("gone")))
	var got []string
	for line, err := range Lines(broken, 10) {
		got = append(got, fmt.Sprint(line, err))
	}
	if strings.Join(got, "|") != "a<nil>|line 2: gone" {
		t.Errorf("a reader that breaks: %q", got)
	}
	for range Lines(strings.NewReader("a\nb\n"), 10) {
		break // and is not called again
	}
}

func TestPlaceName(t *testing.T) {
	seen := map[string]image.Point{}
	for _, row := range []struct {
		at   image.Point
		want string
	}{
		{image.Pt(1, 1), "column 1 row 1"}, {image.Pt(3, 5), "column 2 row 3"},
		{image.Pt(0, 0), "corner column 1 row 1"}, {image.Pt(0, 4), "corner column 1 row 3"},
		{image.Pt(1, 0), "edge over column 1 row 1"}, {image.Pt(1, 2), "edge under column 1 row 1"},
		{image.Pt(0, 3), "edge left of column 1 row 2"}, {image.Pt(4, 3), "edge right of column 2 row 2"},
		{image.Pt(-1, 3), "column 0 row 2"},
	} {
		if got := PlaceName(row.at); got != row.want {
			t.Errorf("%v is %q, want %q", row.at, got, row.want)
		}
	}
	for x := range 41 {
		for y := range 41 {
			at := image.Pt(x, y)
			if other, ok := seen[PlaceName(at)]; ok {
				t.Fatalf("%v and %v are both %q", at, other, PlaceName(at))
			}
			seen[PlaceName(at)] = at
		}
	}
}

func TestJSONError(t *testing.T) {
	type inner struct{ N int }
	var to struct {
		List   [][]*inner
		Words  string
		Share  float64
		Is     bool
		Inside inner
	}
	for text, want := range map[string]string{
		`{"list":5}`:                `key "List": a number, want a list`,
		`{"list":[["x"]]}`:          `key "List": a text, want an object`,
		`{"words":[1]}`:             `key "Words": a list, want a text`,
		`{"share":true}`:            `key "Share": true or false, want a number`,
		`{"is":{}}`:                 `key "Is": an object, want true or false`,
		`{"inside":{"n":1.5}}`:      `key "Inside.N": a number, want a whole number`,
		strings.Repeat("[", 20_000): `JSON that is nested too deep`,
		`{"list":tru}`:              `no JSON at byte 12`,
		`{"list":[[`:                `JSON that is cut off`,
		``:                          `JSON that is cut off`,
	} {
		err := JSONError(json.Unmarshal([]byte(text), &to))
		if err == nil || !strings.EqualFold(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	strict := json.NewDecoder(strings.NewReader(`{"nothing":1}`))
	strict.DisallowUnknownFields()
	if err := JSONError(strict.Decode(&to)); err == nil || err.Error() != `key "nothing", which is not known here` {
		t.Errorf("an unknown key: %v", err)
	}
	if err := JSONError(io.ErrClosedPipe); err != io.ErrClosedPipe {
		t.Errorf("another error: %v", err)
	}
	if err := JSONError(nil); err != nil {
		t.Errorf("no error: %v", err)
	}
}
