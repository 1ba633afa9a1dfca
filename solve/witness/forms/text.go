package forms

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"io"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"onlooker/solve"
	"onlooker/solve/witness/board"
)

// atLine says in which line of a text something stood that was not wanted.
func atLine(line int, err error) error { return fmt.Errorf("witness: line %d: %w", line, err) }

// A Direction is a word for an end's cap, and the character that stands for one
// in the drawing; 0: none does.
type Direction struct {
	Name string
	Cap  image.Point
	mark rune
}

// Directions are the words for end caps.
func Directions() []Direction {
	return []Direction{
		{"up", image.Pt(0, -1), '^'},
		{"down", image.Pt(0, 1), 'v'},
		{"left", image.Pt(-1, 0), '<'},
		{"right", image.Pt(1, 0), '>'},
		{"up-left", image.Pt(-1, -1), 0},
		{"up-right", image.Pt(1, -1), 0},
		{"down-left", image.Pt(-1, 1), 0},
		{"down-right", image.Pt(1, 1), 0},
	}
}

// plain is the character that stands for a spot in the drawing by itself; 0
// when the spot needs a legend.
func plain(at image.Point, s *board.Spot) rune {
	if board.IsCell(at) {
		if s.Kind == board.NoSymbol {
			return ' '
		}
		return 0
	}
	dot, end := s.Dot, s.IsEnd()
	switch {
	case s.Gap == board.Missing && !s.Start && !end && !dot.On:
		return ' '
	case s.Gap == board.Broken && !s.Start && !end && !dot.On:
		return ':'
	case s.Gap != board.Whole:
		return 0
	case s.Start && !end && !dot.On:
		return '@'
	case dot.On && dot == (board.Dot{On: true}) && !s.Start && !end:
		return '*'
	case end && !s.Start && !dot.On:
		for _, d := range Directions() {
			if d.Cap == s.Cap {
				return d.mark // 0 for a diagonal one
			}
		}
		return 0
	case s.Start || end || dot.On:
		return 0
	case board.IsNode(at):
		return '+'
	case at.Y%2 == 0:
		return '-'
	}
	return '|'
}

// legendOf is what the legend says of a spot.
func legendOf(at image.Point, s *board.Spot) string {
	var parts []string
	switch s.Gap {
	case board.Broken:
		parts = append(parts, "broken")
	case board.Missing:
		parts = append(parts, "missing")
	}
	if s.Start {
		parts = append(parts, "start")
	}
	for _, d := range Directions() {
		if s.IsEnd() && d.Cap == s.Cap {
			parts = append(parts, "end "+d.Name)
		}
	}
	if s.Dot.On {
		parts = append(parts, describeDot(s.Dot))
	}
	if board.IsCell(at) {
		parts = append(parts, DescribeSymbol(&s.Symbol))
	}
	return strings.Join(parts, ", ")
}

// DescribeSymbol is what the legend says of a symbol.
func DescribeSymbol(s *board.Symbol) string {
	var words []string
	a := s.Kind.About()
	if s.Turnable && a.Squares != 0 {
		words = append(words, "turned")
	}
	if a.Most > 0 && !a.Behind {
		words = append(words, strconv.Itoa(s.Count))
	}
	if s.Colour == "" {
		words = append(words, "colourless")
	} else {
		words = append(words, string(s.Colour))
	}
	words = append(words, a.Name)
	switch {
	case a.Most > 0 && a.Behind:
		words = append(words, strconv.Itoa(s.Count))
	case a.Most > 0 && s.Count != 1:
		words[len(words)-1] += "s"
	}
	if a.Ways > 0 {
		words = append(words, WayName(s.Way))
	}
	if a.Squares != 0 {
		words = append(words, ShapeText(s.Shape))
	}
	return strings.Join(words, " ")
}

// WayName is the word for a direction.
func WayName(way image.Point) string {
	for _, d := range Directions() {
		if d.Cap == way {
			return d.Name
		}
	}
	return ""
}

// ParseWay is the direction of one of so many words.
func ParseWay(word string, ways int) (image.Point, error) {
	var names []string
	for _, d := range Directions() {
		if slices.Contains(board.Directions(ways), d.Cap) {
			if d.Name == word {
				return d.Cap, nil
			}
			names = append(names, d.Name)
		}
	}
	return image.Point{}, fmt.Errorf("direction %q, want one of %s", word, strings.Join(names, ", "))
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
		if y >= board.MaxShape || len(row) > board.MaxShape {
			return nil, fmt.Errorf("shape of %d characters, want at most %d×%d squares", len(text), board.MaxShape, board.MaxShape)
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
	return board.NormalShape(shape), nil
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
func MarshalText(p *board.Panel) ([]byte, error) {
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
	if p.Symmetry != board.NoSymmetry {
		fmt.Fprintf(&b, " symmetry=%s", p.Symmetry)
	}
	if p.Rules != board.Game {
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
				text := legendOf(at, s)
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
func String(p *board.Panel) string {
	text, err := MarshalText(p)
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
func Parse(text []byte) (*board.Panel, error) {
	var found *board.Panel
	for p, err := range parseAll(bytes.NewReader(text), board.Kinds()) {
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
func parseAll(r io.Reader, kinds []board.Kind) iter.Seq2[*board.Panel, error] {
	return func(yield func(*board.Panel, error) bool) {
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
func parsePanel(lines *lineReader, kinds []board.Kind) (*board.Panel, error) {
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
			} else if err := setPlain(p.At(at), at, r); err != nil {
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
			s, err := ParseSpot(at, lines.text[len(string(key))+3:], kinds)
			if err == nil {
				err = s.Valid(at)
			}
			if err != nil {
				return nil, atLine(lines.line, err)
			}
			*p.At(at) = s
		}
	}
	for _, key := range slices.Sorted(maps.Keys(lineOf)) {
		if !seen[key] {
			return nil, atLine(lineOf[key], fmt.Errorf("%q has no legend", key))
		}
	}
	return p, nil
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

func parseHeader(lines *lineReader) (*board.Panel, error) {
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
	symmetry, rules := board.NoSymmetry, board.Game
	haveSymmetry, haveRules := false, false
	for _, f := range fields[2:] {
		key, value, _ := strings.Cut(f, "=")
		switch {
		case key == "symmetry" && !haveSymmetry:
			haveSymmetry = true
			for s := board.Mirror; s <= board.Turned; s++ {
				if s.String() == value {
					symmetry = s
				}
			}
			if symmetry == board.NoSymmetry {
				return nil, atLine(lines.line, fmt.Errorf("symmetry %q, want mirror, flip, rotation, parallel or turned", value))
			}
		case key == "rules" && !haveRules:
			haveRules = true
			var err error
			if rules, err = board.ParseRules(value); err != nil {
				return nil, atLine(lines.line, err)
			}
		default:
			return nil, atLine(lines.line, fmt.Errorf("%q after the size, want symmetry=… or rules=…, each once", f))
		}
	}
	if err := board.CheckSize(cols, rows, fields[0] == "pillar", symmetry); err != nil {
		return nil, atLine(lines.line, err)
	}
	p := board.New(cols, rows, fields[0] == "pillar")
	p.Symmetry, p.Rules = symmetry, rules
	return p, nil
}

// setPlain reads a character of the drawing that needs no legend.
func setPlain(s *board.Spot, at image.Point, r rune) error {
	if board.IsCell(at) {
		if r != ' ' && r != '.' {
			return fmt.Errorf("%q in a cell, want a space, a dot or a legend's letter", r)
		}
		return nil
	}
	line, what := '|', "an upright edge"
	switch {
	case board.IsNode(at):
		line, what = '+', "a node"
	case at.Y%2 == 0:
		line, what = '-', "a lying edge"
	}
	switch {
	case r == line:
	case r == ' ':
		s.Gap = board.Missing
	case r == ':' && !board.IsNode(at):
		s.Gap = board.Broken
	case r == '@':
		s.Start = true
	case r == '*':
		s.Dot.On = true
	default:
		for _, d := range Directions() {
			if d.mark == r && r != 0 {
				s.Cap = d.Cap
				return nil
			}
		}
		return fmt.Errorf("%q on %s, want %q, a space, : (edges), @, *, one of ^v<> or a legend's letter", r, what, line)
	}
	return nil
}

// ParseSpot reads what the legend of the text form says of a spot at a place, for
// symbols of some kinds: "start", "own dot", "broken", "turned yellow piece ##/.#".
func ParseSpot(at image.Point, text string, kinds []board.Kind) (board.Spot, error) {
	var s board.Spot
	if board.IsCell(at) {
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
		case last == "broken" && len(words) == 1 && s.Gap == board.Whole:
			s.Gap = board.Broken
		case last == "missing" && len(words) == 1 && s.Gap == board.Whole:
			s.Gap = board.Missing
		case words[0] == "end" && len(words) == 2 && !s.IsEnd():
			for _, d := range Directions() {
				if d.Name == last {
					s.Cap = d.Cap
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

// Describe is the spot's legend in the text form, "" of one with nothing on it.
func Describe(at image.Point, s *board.Spot) string {
	if board.IsCell(at) && s.Kind == board.NoSymbol {
		return ""
	}
	return legendOf(at, s)
}

// begins is how many words the name of a kind takes at the beginning of a text,
// 0 where it is another.
func begins(k board.Kind, words []string) int {
	a := k.About()
	name := strings.Fields(a.Name)
	if a.OnLine || len(words) < len(name) {
		return 0
	}
	for i, w := range name {
		if words[i] != w && !(a.Most > 0 && !a.Behind && i == len(name)-1 && words[i] == w+"s") {
			return 0
		}
	}
	return len(name)
}

// symbolForms says what may stand in a cell.
func symbolForms(kinds []board.Kind) string {
	var all []string
	for _, k := range kinds {
		a, form := k.About(), ""
		switch {
		case a.OnLine || a.By != nil:
			continue
		case a.Squares != 0:
			form = a.Name + " SHAPE"
		case a.Most > 0 && a.Behind:
			form = fmt.Sprintf("%s %d to %d", a.Name, a.Least(), a.Most)
		case a.Most > 0:
			form = fmt.Sprintf("%d to %d %ss", a.Least(), a.Most, a.Name)
		default:
			form = a.Name
		}
		if a.Ways > 0 {
			form += " WAY"
		}
		all = append(all, form)
	}
	return "[turned] [colour] " + strings.Join(all, ", ") + " or what else onlooker games lists"
}

func parseSymbol(text string, kinds []board.Kind) (board.Symbol, error) {
	var s board.Symbol
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
	counted := false
	count := func() {
		if !counted && len(words) > 0 && len(words[0]) == 1 && words[0] >= "0" && words[0] <= "9" {
			s.Count, counted = int(words[0][0]-'0'), true
			words = words[1:]
		}
	}
	count()
	named := func(words []string) bool {
		return slices.ContainsFunc(kinds, func(k board.Kind) bool { return begins(k, words) > 0 })
	}
	colourless := take("colourless")
	// The word of a kind that others do not know may be a colour of theirs.
	if !colourless && len(words) > 0 && board.GoodColour(board.Colour(words[0])) && (!named(words) || named(words[1:])) {
		s.Colour = board.Colour(words[0])
		words = words[1:]
	}
	i := slices.IndexFunc(kinds, func(k board.Kind) bool { return begins(k, words) > 0 })
	if i < 0 {
		return s, bad
	}
	s.Kind = kinds[i]
	a := s.Kind.About()
	words = words[begins(s.Kind, words):]
	if counted && a.Behind {
		return s, bad
	}
	if a.Behind {
		count()
	}
	if a.Ways > 0 {
		if len(words) == 0 {
			return s, fmt.Errorf("%q without a direction, want one such as right", text)
		}
		var err error
		if s.Way, err = ParseWay(words[0], a.Ways); err != nil {
			return s, err
		}
		words = words[1:]
	}
	if a.Squares != 0 {
		if len(words) == 0 {
			return s, fmt.Errorf("%q without a shape, want one such as ##/.#", text)
		}
		var err error
		if s.Shape, err = ParseShape(words[0]); err != nil {
			return s, err
		}
		words = words[1:]
	}
	if len(words) > 0 || s.Turnable && a.Squares == 0 || s.Count != 0 && a.Most == 0 {
		return s, bad
	}
	if a.Most > 0 && !counted {
		s.Count = 1
	}
	if s.Colour == "" && !colourless {
		s.Colour = a.Implied
	}
	return s, nil
}
