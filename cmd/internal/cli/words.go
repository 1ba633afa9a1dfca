// Package cli is what commands share: usage and what is wrong with it, words of a line,
// JSON, files as a whole, boards that are drawn.
package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"regexp"
	"strings"
	"unicode"

	"onlooker/solve"
)

// WriteJSON prints a value as one line.
func WriteJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false) // < and > of a puzzle's text stay as they are
	return enc.Encode(v)
}

// Marshal is what WriteJSON prints, without the end of its line.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	err := WriteJSON(&b, v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// typed and listening are what libraries say of a value of another type in a file of TOML,
// and of an address.
var (
	typed     = regexp.MustCompile(`cannot (?:decode|store) (?:TOML |an? )?(array table|\w+) (?:into|in) (?:struct field |a )?[^\s;]+(?: of type [^\s;]+)?`)
	listening = regexp.MustCompile(`listen (?:tcp|udp)[46]? \S+: (?:bind: )?|listen (?:tcp|udp)[46]?: `)
)

// OneLine keeps a text within its line, libraries' words for the end of a time, a file or a disk and control characters, which would steer
// the terminal, out of it.
func OneLine(s string) string {
	s = typed.ReplaceAllString(s, "want a value of another kind than $1")
	s = listening.ReplaceAllString(s, "")
	s = strings.NewReplacer("context deadline exceeded", "no time is left", "context canceled", "interrupted",
		"cannot assign requested address", "this machine has no such address",
		"database disk image is malformed", "the file is damaged", "file is not a database", "the file is no store", "database or disk is full", "the disk is full").Replace(s)
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' }), "; ")
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\t' {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}

// quoted is what an error cites of an input.
var quoted = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)

// Plainly is an error in a line: a file's name stands in it once, and not what was
// called to read it. Of what it cites the beginning has to do.
func Plainly(err error) string {
	text := err.Error()
	var path *fs.PathError
	if errors.As(err, &path) {
		named := Shown(path.Path) + ": "
		text = strings.Replace(text, path.Error(), named+path.Err.Error(), 1)
		text = strings.Replace(text, named+named, named, 1)
	}
	return quoted.ReplaceAllStringFunc(OneLine(text), func(q string) string {
		if r := []rune(q); len(r) > 101 {
			return string(r[:60]) + `…"`
		}
		return q
	})
}

// Counted is how many there are of what has a plural in s.
func Counted(n int, of string) string {
	if n != 1 {
		of += "s"
	}
	return fmt.Sprintf("%d %s", n, of)
}

// Moves tells a stroke in words: where it begins, and how many cells it goes
// in each direction. A last half-cell is the way out at an end.
func Moves(s solve.Stroke) string {
	if len(s) == 0 {
		return "nothing"
	}
	if len(s) == 1 {
		return "click " + solve.PlaceName(s[0])
	}
	var words []string
	last := image.Point{}
	run := 0 // half-cells in the direction last
	flush := func() {
		if run > 0 {
			words = append(words, solve.WayName(last)+" "+halves(run))
		}
		run = 0
	}
	for i := 1; i < len(s); i++ {
		d := s[i].Sub(s[i-1])
		length := max(abs(d.X), abs(d.Y))
		if length == 0 {
			continue
		}
		unit := image.Pt(cmp.Compare(d.X, 0), cmp.Compare(d.Y, 0))
		if i == len(s)-1 && length == 1 {
			flush()
			words = append(words, "out "+solve.WayName(unit))
			break
		}
		if unit != last {
			flush()
		}
		last = unit
		run += length
	}
	flush()
	return "from " + solve.PlaceName(s[0]) + ": " + strings.Join(words, ", ")
}

// Told is an answer in words, a line a stroke: in the family's own where it has
// some.
func Told(p solve.Puzzle, s solve.Solution) []string {
	teller, own := p.(solve.Teller)
	words := make([]string, len(s))
	for i, stroke := range s {
		if own {
			words[i] = teller.Tell(stroke)
		} else {
			words[i] = Moves(stroke)
		}
	}
	return words
}

// Aim says what an answer aims at and what it costs, as "all off, 5 flips, the fewest"; "" where
// there is nothing to say. best may be nil.
func Aim(p solve.Puzzle, best *solve.BestAnswer) string {
	var parts []string
	if goal := Goal(p); goal != "" {
		parts = append(parts, "all "+goal)
	}
	if best != nil && best.Unit != "" {
		unit := best.Unit
		if best.Cost == 1 {
			unit = strings.TrimSuffix(unit, "s")
		}
		cost := fmt.Sprintf("%d %s, the fewest", best.Cost, unit)
		if best.Cost != best.Bound {
			cost = fmt.Sprintf("%d %s; no answer takes fewer than %d", best.Cost, unit, best.Bound)
		}
		parts = append(parts, cost)
	}
	return strings.Join(parts, ", ")
}

// Hint is the first step of an answer; "" where its steps are not told.
func Hint(p solve.Puzzle, s solve.Solution) string {
	told := Told(p, s[:min(1, len(s))])
	if len(told) == 0 {
		return ""
	}
	hint, rest, _ := strings.Cut(told[0], ", ")
	if strings.HasSuffix(hint, " ½") && rest != "" { // from a border into the first cell alone
		second, _, _ := strings.Cut(rest, ", ")
		hint += ", " + second
	}
	return "hint: " + hint
}

// Goal is what a puzzle wants in a word of its family's, "" where none says it.
func Goal(p solve.Puzzle) string {
	if g, ok := p.(solve.GoalSetter); ok {
		return g.Goal()
	}
	return ""
}

// halves writes a number of half-cells in cells.
func halves(n int) string {
	switch {
	case n == 1:
		return "½"
	case n%2 == 1:
		return fmt.Sprintf("%d½", n/2)
	}
	return fmt.Sprint(n / 2)
}

func abs(n int) int { return max(n, -n) }

// Shown is a name in a line, also where there is none.
func Shown(name string) string {
	if name == "" {
		return `""`
	}
	return OneLine(name)
}

// Quoted is a file's name as a shell takes it.
func Quoted(name string) string {
	plain := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("/._-+,:=@%\\", r)
	}
	if name != "" && strings.IndexFunc(name, func(r rune) bool { return !plain(r) }) < 0 {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}

// Shorten keeps a long code from filling an error line.
func Shorten(input string) string {
	input = Shown(input)
	if r := []rune(input); len(r) > 60 {
		return string(r[:57]) + "…"
	}
	return input
}

// Prefixed puts the input before an error that does not begin with it.
func Prefixed(title, text string) string {
	title = Shown(title)
	if len(text) >= len(title) && text[:len(title)] == title {
		return text
	}
	return title + ": " + text
}
