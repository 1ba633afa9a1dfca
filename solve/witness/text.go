package witness

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"onlooker/solve"
)

// atLine says in which line of a text something stood that was not wanted.
func atLine(line int, err error) error { return fmt.Errorf("witness: line %d: %w", line, err) }

// directions are the words for end caps.
var directions = []struct {
	name string
	cap  image.Point
	mark rune
}{
	{"up", image.Pt(0, -1), '^'},
	{"down", image.Pt(0, 1), 'v'},
	{"left", image.Pt(-1, 0), '<'},
	{"right", image.Pt(1, 0), '>'},
	{"up-left", image.Pt(-1, -1), 0},
	{"up-right", image.Pt(1, -1), 0},
	{"down-left", image.Pt(-1, 1), 0},
	{"down-right", image.Pt(1, 1), 0},
}

// plain is the character that stands for a spot in the drawing by itself; 0
// when the spot needs a legend.
func plain(at image.Point, s *Spot) rune {
	if IsCell(at) {
		if s.Kind == NoSymbol {
			return ' '
		}
		return 0
	}
	dot, end := s.Dot, s.IsEnd()
	switch {
	case s.Gap == Missing && !s.Start && !end && !dot.On:
		return ' '
	case s.Gap == Broken && !s.Start && !end && !dot.On:
		return ':'
	case s.Gap != Whole:
		return 0
	case s.Start && !end && !dot.On:
		return '@'
	case dot.On && dot == (Dot{On: true}) && !s.Start && !end:
		return '*'
	case end && !s.Start && !dot.On:
		for _, d := range directions {
			if d.cap == s.Cap {
				return d.mark // 0 for a diagonal one
			}
		}
		return 0
	case s.Start || end || dot.On:
		return 0
	case IsNode(at):
		return '+'
	case at.Y%2 == 0:
		return '-'
	}
	return '|'
}

// describe is the legend of a spot.
func describe(at image.Point, s *Spot) string {
	var parts []string
	switch s.Gap {
	case Broken:
		parts = append(parts, "broken")
	case Missing:
		parts = append(parts, "missing")
	}
	if s.Start {
		parts = append(parts, "start")
	}
	for _, d := range directions {
		if s.IsEnd() && d.cap == s.Cap {
			parts = append(parts, "end "+d.name)
		}
	}
	if s.Dot.On {
		parts = append(parts, s.Dot.describe())
	}
	if IsCell(at) {
		parts = append(parts, s.Symbol.describe())
	}
	return strings.Join(parts, ", ")
}

func (s *Symbol) describe() string {
	var words []string
	a := s.Kind.about()
	if s.Turnable && a.squares != 0 {
		words = append(words, "turned")
	}
	if a.most > 0 {
		words = append(words, strconv.Itoa(s.Count))
	}
	if s.Colour == "" {
		words = append(words, "colourless")
	} else {
		words = append(words, string(s.Colour))
	}
	words = append(words, a.name)
	if a.most > 0 && s.Count > 1 {
		words[len(words)-1] += "s"
	}
	if a.squares != 0 {
		words = append(words, ShapeText(s.Shape))
	}
	return strings.Join(words, " ")
}

// ShapeText draws a piece's squares as rows of # and . with / between them.
func ShapeText(shape []image.Point) string {
	width, height := shapeSize(shape)
	rows := make([][]byte, height)
	for y := range rows {
		rows[y] = bytes.Repeat([]byte{'.'}, width)
	}
	for _, q := range shape {
		rows[q.Y][q.X] = '#'
	}
	return string(bytes.Join(rows, []byte{'/'}))
}

func shapeSize(shape []image.Point) (width, height int) {
	for _, q := range shape {
		width, height = max(width, q.X+1), max(height, q.Y+1)
	}
	return width, height
}

// ParseShape reads what ShapeText writes.
func ParseShape(text string) ([]image.Point, error) {
	var shape []image.Point
	for y, row := range strings.Split(text, "/") {
		if y >= maxShape || len(row) > maxShape {
			return nil, fmt.Errorf("shape of %d characters, want at most %d×%d squares", len(text), maxShape, maxShape)
		}
		for x, c := range row {
			switch c {
			case '#':
				shape = append(shape, image.Pt(x, y))
			case '.':
			default:
				return nil, fmt.Errorf("%q in shape %q, want # . and /", c, text)
			}
		}
	}
	if len(shape) == 0 {
		return nil, fmt.Errorf("shape %q, want at least one #", text)
	}
	return normalShape(shape), nil
}

// legendKeys yields the characters that legends are given, in order. v is an
// end cap.
func legendKeys(yield func(rune) bool) {
	for _, r := range "abcdefghijklmnopqrstuwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789" {
		if !yield(r) {
			return
		}
	}
	for r := rune(0x100); r <= unicode.MaxRune; r++ {
		if unicode.IsLetter(r) && !yield(r) {
			return
		}
	}
}

// MarshalText writes the canonical text, which the package comment explains.
// It fails for a panel that is not Valid.
func (p *Panel) MarshalText() ([]byte, error) {
	if err := p.Valid(); err != nil {
		return nil, err
	}
	var b, legend bytes.Buffer
	if p.Pillar {
		b.WriteString("pillar ")
	} else {
		b.WriteString("panel ")
	}
	fmt.Fprintf(&b, "%dx%d", p.Cols, p.Rows)
	if p.Symmetry != NoSymmetry {
		fmt.Fprintf(&b, " symmetry=%s", p.Symmetry)
	}
	if p.Rules != Game {
		fmt.Fprintf(&b, " rules=%s", p.Rules)
	}
	b.WriteByte('\n')

	next, stop := iter.Pull(legendKeys)
	defer stop()
	keys := map[string]rune{}
	for y := range p.Height() {
		var row []rune
		for x := range p.Width() {
			at := image.Pt(x, y)
			s := p.At(at)
			r := plain(at, s)
			if r == 0 {
				text := describe(at, s)
				known := false
				if r, known = keys[text]; !known {
					r, _ = next()
					keys[text] = r
					fmt.Fprintf(&legend, "%c = %s\n", r, text)
				}
			}
			row = append(row, r)
		}
		b.WriteString(strings.TrimRight(string(row), " "))
		b.WriteByte('\n')
	}
	b.Write(legend.Bytes())
	return b.Bytes(), nil
}

// String is the canonical text, or what is wrong with the panel.
func (p *Panel) String() string {
	text, err := p.MarshalText()
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// maxLine is the longest line that is read, in bytes.
const maxLine = 1 << 22

// A lineReader numbers the lines of a text and takes off their ends, CR LF too.
type lineReader struct {
	pull func() (string, error, bool)
	stop func() // to be called at last
	line int
	text string
	err  error // why there is no next line
	back bool  // text is to be read once more
}

func newLineReader(r io.Reader) *lineReader {
	pull, stop := iter.Pull2(solve.Lines(r, maxLine))
	return &lineReader{pull: pull, stop: stop}
}

func (l *lineReader) next() bool {
	if l.back {
		l.back = false
		return true
	}
	text, err, ok := l.pull()
	if !ok || err != nil {
		l.err = err
		return false
	}
	l.line++
	l.text = strings.TrimRight(text, " \t")
	return true
}

func isHeader(line string) bool {
	return strings.HasPrefix(line, "panel ") || strings.HasPrefix(line, "pillar ")
}

func isComment(line string) bool {
	return line == "" || line == "#" || strings.HasPrefix(line, "# ")
}

// Parse reads one panel in our text form.
func Parse(text []byte) (*Panel, error) {
	var found *Panel
	for p, err := range parseAll(bytes.NewReader(text), Kinds()) {
		if err != nil {
			return nil, err
		}
		if found != nil {
			return nil, errors.New("witness: two panels in the text, want one")
		}
		found = p
	}
	if found == nil {
		return nil, errors.New("witness: no panel in the text, want a line such as \"panel 4x4\"")
	}
	return found, nil
}

// parseAll reads panels one after another; after a bad one it goes on at the
// next header.
func parseAll(r io.Reader, kinds []Kind) iter.Seq2[*Panel, error] {
	return func(yield func(*Panel, error) bool) {
		lines := newLineReader(r)
		defer lines.stop()
		for lines.next() {
			if isComment(lines.text) {
				continue
			}
			p, err := parsePanel(lines, kinds)
			if lines.err != nil {
				break // what broke off the text is why the panel is wrong
			}
			if !yield(p, err) {
				return
			}
			if err != nil {
				for lines.next() {
					if isHeader(lines.text) {
						lines.back = true
						break
					}
				}
			}
		}
		if lines.err != nil {
			yield(nil, fmt.Errorf("witness: %w", lines.err))
		}
	}
}

// parsePanel reads a panel; its header is the current line.
func parsePanel(lines *lineReader, kinds []Kind) (*Panel, error) {
	p, err := parseHeader(lines)
	if err != nil {
		return nil, err
	}
	// Where each legend's key stands; it is read before its meaning.
	uses := map[rune][]image.Point{}
	lineOf := map[rune]int{}
	for y := range p.Height() {
		if !lines.next() {
			return nil, atLine(lines.line, fmt.Errorf("the drawing ends after %d rows, want %d", y, p.Height()))
		}
		if legendKey(lines.text) != 0 || isHeader(lines.text) {
			return nil, atLine(lines.line, fmt.Errorf("%q after %d rows of the drawing, want %d", lines.text, y, p.Height()))
		}
		row := []rune(lines.text)
		if len(row) > p.Width() {
			return nil, atLine(lines.line, fmt.Errorf("%d characters, want %d", len(row), p.Width()))
		}
		for x := range p.Width() {
			r := ' '
			if x < len(row) {
				r = row[x]
			}
			at := image.Pt(x, y)
			if isKey(r) {
				if uses[r] == nil {
					lineOf[r] = lines.line
				}
				uses[r] = append(uses[r], at)
			} else if err := p.At(at).setPlain(at, r); err != nil {
				return nil, atLine(lines.line, fmt.Errorf("column %d: %w", x+1, err))
			}
		}
	}
	seen := map[rune]bool{}
	for lines.next() {
		key := legendKey(lines.text)
		if key == 0 {
			if !isComment(lines.text) && !isHeader(lines.text) {
				return nil, atLine(lines.line, fmt.Errorf("%q below the drawing, want a legend such as \"a = white square\" or the next panel", lines.text))
			}
			if isComment(lines.text) {
				continue
			}
			lines.back = true
			break
		}
		if seen[key] {
			return nil, atLine(lines.line, fmt.Errorf("a second legend for %q", key))
		}
		seen[key] = true
		if uses[key] == nil {
			return nil, atLine(lines.line, fmt.Errorf("a legend for %q, which is not in the drawing", key))
		}
		for _, at := range uses[key] {
			s, err := parseSpot(at, lines.text[len(string(key))+3:], kinds)
			if err == nil {
				err = s.valid(at)
			}
			if err != nil {
				return nil, atLine(lines.line, err)
			}
			*p.At(at) = s
		}
	}
	for _, key := range sortedKeys(lineOf) {
		if !seen[key] {
			return nil, atLine(lineOf[key], fmt.Errorf("%q has no legend", key))
		}
	}
	return p, nil
}

func sortedKeys(m map[rune]int) []rune {
	var keys []rune
	for r := range m {
		keys = append(keys, r)
	}
	slices.Sort(keys)
	return keys
}

// isKey tells whether a character may stand for a legend.
func isKey(r rune) bool { return r != 'v' && (unicode.IsLetter(r) || r >= '0' && r <= '9') }

// legendKey is the key that a line explains, 0 when the line is no legend.
func legendKey(line string) rune {
	r, n := utf8.DecodeRuneInString(line)
	if isKey(r) && strings.HasPrefix(line[n:], " = ") {
		return r
	}
	return 0
}

func parseHeader(lines *lineReader) (*Panel, error) {
	fields := strings.Fields(lines.text)
	if len(fields) < 2 || fields[0] != "panel" && fields[0] != "pillar" {
		return nil, atLine(lines.line, fmt.Errorf("%q, want \"panel COLSxROWS\" or \"pillar COLSxROWS\"", lines.text))
	}
	a, b, ok := strings.Cut(fields[1], "x")
	cols, err1 := strconv.Atoi(a)
	rows, err2 := strconv.Atoi(b)
	if !ok || err1 != nil || err2 != nil {
		return nil, atLine(lines.line, fmt.Errorf("size %q, want columns and rows of cells such as 4x4", fields[1]))
	}
	symmetry, rules := NoSymmetry, Game
	haveSymmetry, haveRules := false, false
	for _, f := range fields[2:] {
		key, value, _ := strings.Cut(f, "=")
		switch {
		case key == "symmetry" && !haveSymmetry:
			haveSymmetry = true
			for s := Mirror; s <= Turned; s++ {
				if s.String() == value {
					symmetry = s
				}
			}
			if symmetry == NoSymmetry {
				return nil, atLine(lines.line, fmt.Errorf("symmetry %q, want mirror, flip, rotation, parallel or turned", value))
			}
		case key == "rules" && !haveRules:
			haveRules = true
			var err error
			if rules, err = ParseRules(value); err != nil {
				return nil, atLine(lines.line, err)
			}
		default:
			return nil, atLine(lines.line, fmt.Errorf("%q after the size, want symmetry=… or rules=…, each once", f))
		}
	}
	if err := checkSize(cols, rows, fields[0] == "pillar", symmetry); err != nil {
		return nil, atLine(lines.line, err)
	}
	p := New(cols, rows, fields[0] == "pillar")
	p.Symmetry, p.Rules = symmetry, rules
	return p, nil
}

// setPlain reads a character of the drawing that needs no legend.
func (s *Spot) setPlain(at image.Point, r rune) error {
	if IsCell(at) {
		if r != ' ' && r != '.' {
			return fmt.Errorf("%q in a cell, want a space, a dot or a legend's letter", r)
		}
		return nil
	}
	line, what := '|', "an upright edge"
	switch {
	case IsNode(at):
		line, what = '+', "a node"
	case at.Y%2 == 0:
		line, what = '-', "a lying edge"
	}
	switch {
	case r == line:
	case r == ' ':
		s.Gap = Missing
	case r == ':' && !IsNode(at):
		s.Gap = Broken
	case r == '@':
		s.Start = true
	case r == '*':
		s.Dot.On = true
	default:
		for _, d := range directions {
			if d.mark == r && r != 0 {
				s.Cap = d.cap
				return nil
			}
		}
		return fmt.Errorf("%q on %s, want %q, a space, : (edges), @, *, one of ^v<> or a legend's letter", r, what, line)
	}
	return nil
}

// ParseSpot reads what the legend of the text form says of a spot at a place, for
// symbols of some kinds: "start", "own dot", "broken", "turned yellow piece ##/.#".
func ParseSpot(at image.Point, text string, kinds []Kind) (Spot, error) {
	return parseSpot(at, text, kinds)
}

// Describe is the spot's legend in the text form, "" of one with nothing on it.
func (s *Spot) Describe(at image.Point) string {
	if IsCell(at) && s.Kind == NoSymbol {
		return ""
	}
	return describe(at, s)
}

// parseSpot reads a legend.
func parseSpot(at image.Point, text string, kinds []Kind) (Spot, error) {
	var s Spot
	if IsCell(at) {
		var err error
		s.Symbol, err = parseSymbol(text, kinds)
		return s, err
	}
	for part := range strings.SplitSeq(text, ",") {
		words := strings.Fields(part)
		bad := fmt.Errorf("%q on a node or an edge, want start, end DIRECTION, dot, broken or missing, each once, with commas between them", strings.TrimSpace(part))
		if len(words) == 0 {
			return s, bad
		}
		switch last := words[len(words)-1]; {
		case last == "start" && len(words) == 1 && !s.Start:
			s.Start = true
		case last == "broken" && len(words) == 1 && s.Gap == Whole:
			s.Gap = Broken
		case last == "missing" && len(words) == 1 && s.Gap == Whole:
			s.Gap = Missing
		case words[0] == "end" && len(words) == 2 && !s.IsEnd():
			for _, d := range directions {
				if d.name == last {
					s.Cap = d.cap
				}
			}
			if !s.IsEnd() {
				return s, fmt.Errorf("end %q, want up, down, left, right, up-left, up-right, down-left or down-right", last)
			}
		case last == "dot" && !s.Dot.On:
			var err error
			if s.Dot, err = parseDot(words[:len(words)-1]); err != nil {
				return s, err
			}
		default:
			return s, bad
		}
	}
	return s, nil
}

// begins is how many words the name of a kind takes at the beginning of a text,
// 0 where it is another.
func (k Kind) begins(words []string) int {
	a := k.about()
	name := strings.Fields(a.name)
	if a.onLine || len(words) < len(name) {
		return 0
	}
	for i, w := range name {
		if words[i] != w && !(a.most > 0 && i == len(name)-1 && words[i] == w+"s") {
			return 0
		}
	}
	return len(name)
}

// symbolForms says what may stand in a cell.
func symbolForms(kinds []Kind) string {
	var all []string
	for _, k := range kinds {
		switch a := k.about(); {
		case a.onLine:
		case a.squares != 0:
			all = append(all, a.name+" SHAPE")
		case a.most > 0:
			all = append(all, fmt.Sprintf("1 to %d %ss", a.most, a.name))
		default:
			all = append(all, a.name)
		}
	}
	last := len(all) - 1
	return "[turned] [colour] " + strings.Join(all[:last], ", ") + " or " + all[last]
}

func parseSymbol(text string, kinds []Kind) (Symbol, error) {
	var s Symbol
	words := strings.Fields(text)
	take := func(word string) bool {
		if len(words) > 0 && words[0] == word {
			words = words[1:]
			return true
		}
		return false
	}
	bad := fmt.Errorf("%q in a cell, want %s", text, symbolForms(kinds))
	s.Turnable = take("turned")
	if len(words) > 0 && len(words[0]) == 1 && words[0] >= "0" && words[0] <= "9" {
		s.Count = int(words[0][0] - '0')
		words = words[1:]
	}
	named := func(words []string) bool {
		return slices.ContainsFunc(kinds, func(k Kind) bool { return k.begins(words) > 0 })
	}
	colourless := take("colourless")
	// The word of a kind that others do not know may be a colour of theirs.
	if !colourless && len(words) > 0 && goodColour(Colour(words[0])) && (!named(words) || named(words[1:])) {
		s.Colour = Colour(words[0])
		words = words[1:]
	}
	i := slices.IndexFunc(kinds, func(k Kind) bool { return k.begins(words) > 0 })
	if i < 0 {
		return s, bad
	}
	s.Kind = kinds[i]
	a := s.Kind.about()
	words = words[s.Kind.begins(words):]
	if a.squares != 0 {
		if len(words) == 0 {
			return s, fmt.Errorf("%q without a shape, want one such as ##/.#", text)
		}
		var err error
		if s.Shape, err = ParseShape(words[0]); err != nil {
			return s, err
		}
		words = words[1:]
	}
	if len(words) > 0 || s.Turnable && a.squares == 0 || s.Count != 0 && a.most == 0 {
		return s, bad
	}
	if a.most > 0 && s.Count == 0 {
		s.Count = 1
	}
	if s.Colour == "" && !colourless {
		s.Colour = a.implied
	}
	return s, nil
}

// textFormat is our own form.
func textFormat(kinds []Kind) solve.Format {
	return solve.Format{
		Name: "text",
		Sniff: func(head []byte) bool {
			for line := range bytes.Lines(bytes.TrimPrefix(head, []byte("\ufeff"))) {
				text := string(bytes.TrimRight(line, "\r\n\t "))
				if !isComment(text) {
					return isHeader(text)
				}
			}
			return false
		},
		Decode: func(r io.Reader) iter.Seq2[solve.Puzzle, error] { return asPuzzles(parseAll(r, kinds)) },
		Encode: func(w io.Writer, q solve.Puzzle) error {
			p, err := asPanel(q)
			if err != nil {
				return err
			}
			text, err := p.MarshalText()
			if err != nil {
				return err
			}
			_, err = w.Write(text)
			return err
		},
	}
}

// asPuzzles turns panels into puzzles without making a nil *Panel a Puzzle.
func asPuzzles(seq iter.Seq2[*Panel, error]) iter.Seq2[solve.Puzzle, error] {
	return func(yield func(solve.Puzzle, error) bool) {
		for p, err := range seq {
			if err != nil {
				if !yield(nil, err) {
					return
				}
			} else if !yield(p, nil) {
				return
			}
		}
	}
}

func asPanel(q solve.Puzzle) (*Panel, error) {
	p, ok := q.(*Panel)
	if !ok {
		return nil, fmt.Errorf("witness: a %T, want a *witness.Panel", q)
	}
	return p, nil
}
