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

// connections reads the form of names, bulbs that need flipping, and pairs.
func (b board) connections() (*Puzzle, error) {
	listed, lacks := b.listed()
	if listed == 2 && hasTwice(strings.Fields(b[0].text)) {
		return nil, b[0].errorf("a name is there twice")
	}
	names, number, err := b.names(listed, lacks)
	if err != nil {
		return nil, err
	}
	s := Spec{}
	for i, name := range names {
		s.Nodes = append(s.Nodes, Node{Name: name, Now: 1, Want: 1})
		s.Flips = append(s.Flips, Flip{i, i})
	}
	if len(b) >= listed {
		l := b[listed-1]
		for _, w := range strings.Fields(l.text) {
			n := &s.Nodes[number[w]]
			if n.Now == 0 {
				return nil, l.errorf("%q needs flipping twice", w)
			}
			n.Now = 0
		}
	}
	links, err := b.links(listed, number)
	if err != nil {
		return nil, err
	}
	s.Flips = append(s.Flips, links...)
	return b[0].puzzle(s)
}

func hasTwice(words []string) bool {
	seen := map[string]bool{}
	for _, w := range words {
		seen[w] = true
	}
	return len(seen) < len(words)
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

// names lists all names in the order in which they first stand, with their
// numbers; the connections must be such.
func (b board) names(listed int, lacks string) (names []string, number map[string]int, err error) {
	number = map[string]int{}
	for i, l := range b {
		words := strings.Fields(l.text)
		if i >= listed {
			switch {
			case len(words) == 2:
			case len(words) == 3 && words[1] == ">":
				words = []string{words[0], words[2]}
			case len(words) == 0:
				continue
			default:
				return nil, nil, l.errorf("got %q, want \"a b\" or \"a > b\"%s", l.text, lacks)
			}
		}
		for _, w := range words {
			if !goodName(w) {
				return nil, nil, l.errorf("got the name %q, want a word without '=', ':', '>', '#', '/' that is not \"all\"", w)
			}
			if _, ok := number[w]; !ok {
				number[w] = len(names)
				names = append(names, w)
			}
		}
	}
	return names, number, nil
}

// links reads the connections.
func (b board) links(listed int, number map[string]int) ([]Flip, error) {
	var all []Flip
	said := map[Flip]int{}
	for _, l := range b[min(listed, len(b)):] {
		words := strings.Fields(l.text)
		if len(words) == 0 {
			continue
		}
		from, to := number[words[0]], number[words[len(words)-1]]
		if from == to {
			return nil, l.errorf("got %q joined to itself", words[0])
		}
		pairs := []Flip{{from, to}, {to, from}}
		if len(words) == 3 {
			pairs = pairs[:1]
		}
		for _, pair := range pairs {
			if was, ok := said[pair]; ok {
				return nil, l.errorf("got %q, but line %d joins them already", l.text, was)
			}
			said[pair] = l.no
			all = append(all, pair)
		}
	}
	return all, nil
}
