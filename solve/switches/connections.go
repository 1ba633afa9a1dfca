package switches

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"onlooker/solve"
)

// sniffConnections asks for what hardly anything else has: words, no two of
// the first line alike (unless only pairs follow), and then either a second
// line that names some of them and more lines, or lines of two words and
// nothing else.
func sniffConnections(head []byte) bool {
	// Boards drawn with walls look like words too: "xxxx xx".
	if !bytes.ContainsFunc(head, func(r rune) bool { return !strings.ContainsRune("x0-|. \t\r\n", r) }) {
		return false
	}
	const whole = 512 // of a shorter head nothing was cut off
	var ls [][]string
	for parts := range lines(bytes.NewReader(head)) {
		for _, l := range parts {
			ls = append(ls, strings.Fields(l.text))
		}
	}
	for len(ls) > 0 && len(ls[len(ls)-1]) == 0 {
		ls = ls[:len(ls)-1]
	}
	cut := len(head) >= whole
	if cut && len(ls) > 1 {
		ls = ls[:len(ls)-1] // it may be cut in two
	}
	if len(ls) == 0 || isHeader(strings.Join(ls[0], " ")) || isMatrix(strings.Join(ls[0], " ")) {
		return false
	}
	first := map[string]bool{}
	twice := false
	for _, w := range ls[0] {
		if !goodName(w) || sign(w) {
			return false
		}
		twice = twice || first[w]
		first[w] = true
	}
	if len(ls) == 1 {
		return cut && len(first) > 1
	}
	known := true
	for _, w := range ls[1] {
		known = known && first[w]
	}
	if known && !twice && len(first) > 1 && len(ls[1]) > 0 && len(ls) > 2 {
		return true // whatever is wrong further on, Decode says
	}
	if twice {
		// Lines of two words after two lists of names; rows of numbers are
		// another puzzle's.
		words := slices.Concat(ls...)
		return len(ls) > 2 && slices.ContainsFunc(words, func(w string) bool { return strings.Trim(w, "0123456789.-_#+") != "" }) &&
			!slices.ContainsFunc(ls[2:], func(l []string) bool { return len(l) != 2 && !(len(l) == 3 && l[1] == ">") })
	}
	// Without the names, what needs flipping is joined to something at least.
	joined := known
	pairs := 0
	for i, words := range ls[1:] {
		pair := len(words) == 2 && words[0] != words[1] && goodName(words[0]) && goodName(words[1])
		oneWay := len(words) == 3 && words[1] == ">" && goodName(words[0]) && goodName(words[2])
		switch {
		case pair || oneWay:
			pairs++
			joined = joined || first[words[0]] || first[words[len(words)-1]]
		case i > 0 || !known:
			return false
		}
	}
	return pairs > 0 && joined
}

// sign tells whether a word is nothing but signs, as an empty cell of a board
// that is written with spaces.
func sign(w string) bool { return strings.Trim(w, ".-_#+") == "" }

func decodeConnections(r io.Reader) iter.Seq2[solve.Puzzle, error] {
	return solve.Puzzles(func(yield func(board, error) bool) {
		var b board
		for parts, err := range lines(r) {
			if err != nil {
				yield(nil, err)
				return
			}
			if len(parts) == 1 || len(b) > 0 {
				b = append(b, parts...)
			} else if !yield(parts, nil) { // a board on a line of its own
				return
			}
		}
		for len(b) > 0 && b[len(b)-1].text == "" {
			b = b[:len(b)-1]
		}
		if len(b) > 0 {
			yield(b, nil)
		}
	}, board.connections)
}

// connections reads the form of names, bulbs that need flipping, and pairs: as a plain
// graph whose other bulbs are lit.
func (b board) connections() (*Puzzle, error) {
	listed, lacks := b.listed()
	var names []string
	seen, flipped := map[string]bool{}, map[string]bool{}
	for i, l := range b {
		for _, w := range strings.Fields(l.text) {
			switch {
			case w == ">" && i >= listed:
			case !goodName(w):
				return nil, l.errorf("got the name %q, want a word without '=', ':', '>', '#', '/' that is not \"all\"", w)
			case i == 0 && listed == 2 || !seen[w]:
				seen[w], names = true, append(names, w)
			}
		}
	}
	if len(b) >= listed {
		l := b[listed-1]
		for _, w := range strings.Fields(l.text) {
			if flipped[w] {
				return nil, l.errorf("%q needs flipping twice", w)
			}
			flipped[w] = true
		}
	}
	lit := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return flipped[name] })
	no := b[0].no
	plain := board{{no, "switches"}, {no, "names: " + strings.Join(names, " ")}, {no, "lit: " + strings.Join(lit, " ")}}
	for _, l := range b[min(listed, len(b)):] {
		if l.text != "" {
			plain = append(plain, l)
		}
	}
	p, err := plain.parse()
	if err != nil && lacks != "" {
		err = fmt.Errorf("%w%s", err, lacks)
	}
	return p, err
}

// listed is how many lines come before the connections: the first one is the names
// when it holds every name of the file, and then there are two. Otherwise lacks
// says which one it does not hold.
func (b board) listed() (lines int, lacks string) {
	first := map[string]bool{}
	for _, w := range strings.Fields(b[0].text) {
		first[w] = true
	}
	if len(first) == 0 {
		return 1, ""
	}
	for _, l := range b[1:] {
		for _, w := range strings.Fields(l.text) {
			if !first[w] && w != ">" {
				return 1, fmt.Sprintf(" (line %d is no list of all names, as %q of line %d is not there)", b[0].no, w, l.no)
			}
		}
	}
	return 2, ""
}
