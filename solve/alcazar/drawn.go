package alcazar

import (
	"fmt"
	"image"
	"io"
	"iter"
	"slices"
	"strings"

	"onlooker/solve"
)

// Two forms draw the walls: with + where they meet, as programs print mazes, and
// in box drawing characters. Both hold all but ways that must be taken.

// cellMarks may stand in a cell.
const cellMarks = " .o0▒░▓"

// decodeDrawn reads boards that are drawn, empty lines between them; in one of
// spaces a row is open at both sides. Lines that begin with # are comments.
func decodeDrawn(parse func(solve.Block) (*Puzzle, error)) func(io.Reader) iter.Seq2[solve.Puzzle, error] {
	return solve.Blocks("alcazar", maxLine, func(text string, before []string) (string, bool) {
		switch {
		case strings.HasPrefix(text, "#"):
			return "", false
		case text == "" || len(before) == 0 && strings.TrimSpace(text) == "":
			return "", true
		}
		return text, false
	}, parse)
}

// firstTwo are the first two lines of the first board in head.
func firstTwo(head []byte) (first, second string) {
	for line := range strings.Lines(string(head)) {
		t := strings.TrimRight(line, " \r\n")
		switch {
		case strings.HasPrefix(t, "#") || first == "" && t == "":
		case first == "":
			first = t
		default:
			return first, t
		}
	}
	return first, ""
}

func sniffWalls(head []byte) bool {
	first, second := firstTwo(head)
	first = strings.TrimSpace(first)
	return strings.HasPrefix(first, "+") && strings.HasSuffix(first, "+") && len(first) > 2 && strings.Trim(first, "+- ") == "" &&
		strings.Trim(second, "|"+cellMarks) == ""
}

// undrawn is a drawing's ways, of which none is open yet.
func undrawn(b solve.Block, cols, rows int) (map[image.Point]bool, error) {
	if len(b.Text)%2 == 0 || rows < 1 {
		return nil, b.Errorf(len(b.Text)-1, "the board ends after %d lines, want an odd number from 3: a line of walls above and below every row of cells", len(b.Text))
	}
	if cols*rows > MaxCells {
		return nil, b.Errorf(0, "a board of %d×%d cells, want at most %d cells", cols, rows, MaxCells)
	}
	return map[image.Point]bool{}, nil
}

// drawnWalls reads a board whose walls are --- and | between + where they may meet; a
// gap in the outline is an opening.
func drawnWalls(b solve.Block) (*Puzzle, error) {
	// The first line has a + at its end, so that nothing of it was cut off.
	indent := len(b.Text[0]) - len(strings.TrimLeft(b.Text[0], " "))
	first := strings.TrimSpace(b.Text[0])
	pitch := strings.Index(first[min(1, len(first)):], "+") + 1
	if !strings.HasPrefix(first, "+") || pitch < 2 || (len(first)-1)%pitch != 0 {
		return nil, b.Errorf(0, "%q, want a + at every corner, as far apart as the first two", b.Text[0])
	}
	cols, rows := (len(first)-1)/pitch, len(b.Text)/2
	open, err := undrawn(b, cols, rows)
	if err != nil {
		return nil, err
	}
	for y, text := range b.Text {
		line := []rune(text)
		if lead := min(indent, len(line)); strings.TrimSpace(string(line[:lead])) != "" {
			return nil, b.Errorf(y, "begins left of the first line, want it %d characters in", indent)
		}
		line = line[min(indent, len(line)):]
		if n := len([]rune(strings.TrimRight(string(line), " "))); n > pitch*cols+1 {
			return nil, b.Errorf(y, "%d characters, want at most %d", n, pitch*cols+1)
		}
		for len(line) < pitch*cols+1 {
			line = append(line, ' ')
		}
		for x := range cols + 1 {
			at, c := image.Pt(2*x, y), line[x*pitch]
			between := string(line[min(x*pitch+1, len(line)):min((x+1)*pitch, len(line))])
			wrong := func(after int, got, want string) error {
				return b.Errorf(y, "character %d: %q, want %s", indent+x*pitch+1+after, got, want)
			}
			switch {
			case y%2 == 0 && c != '+':
				return nil, wrong(0, string(c), "+ where walls may meet")
			case y%2 == 1 && c != '|' && c != ' ':
				return nil, wrong(0, string(c), "| for a wall, or a space")
			case y%2 == 1 && strings.Trim(between, cellMarks) != "":
				return nil, wrong(1, between, "an empty cell")
			case y%2 == 0 && x < cols && strings.Trim(between, "-") != "" && strings.Trim(between, " ") != "":
				return nil, wrong(1, between, "a wall of -, or spaces")
			}
			open[at] = y%2 == 1 && c == ' '
			open[at.Add(image.Pt(1, 0))] = y%2 == 0 && strings.Trim(between, " ") == ""
		}
	}
	return New(cols, rows, func(at image.Point) bool { return open[at] }, func(image.Point) bool { return false })
}

// encodeWalls writes a board with + where walls may meet.
func encodeWalls(p *Puzzle) ([]byte, error) {
	return p.draw(func(at image.Point) string {
		switch {
		case at.X%2 == 0 && at.Y%2 == 0:
			return "+"
		case at.X%2 == 1 && at.Y%2 == 1:
			return "   "
		case p.Open(at):
			return "   "[:1+2*(at.X%2)]
		case at.X%2 == 1:
			return "---"
		}
		return "|"
	})
}

// draw writes what stands at each half-cell; no drawing of walls shows ways that
// must be taken.
func (p *Puzzle) draw(at func(image.Point) string) ([]byte, error) {
	if slices.Contains(p.ways, given) {
		return nil, fmt.Errorf("alcazar: a drawing of walls holds no ways that must be taken; use the canonical text")
	}
	var s strings.Builder
	for y := range 2*p.rows + 1 {
		var line strings.Builder
		for x := range 2*p.cols + 1 {
			line.WriteString(at(image.Pt(x, y)))
		}
		text := strings.TrimRight(line.String(), " ")
		if text == "" {
			text = line.String() // an empty line would end the board
		}
		s.WriteString(text + "\n")
	}
	return []byte(s.String()), nil
}

// A boxSet is box drawing characters of one look by the arms that they have: bit 0
// up, 1 right, 2 down, 3 left.
type boxSet [16]rune

// boxSets are the looks that are read; the first is written.
func boxSets() []boxSet {
	return []boxSet{
		{' ', '║', '═', '╚', '║', '║', '╔', '╠', '═', '╝', '═', '╩', '╗', '╣', '╦', '╬'},
		{' ', '│', '─', '└', '│', '│', '┌', '├', '─', '┘', '─', '┴', '┐', '┤', '┬', '┼'},
		{' ', '┃', '━', '┗', '┃', '┃', '┏', '┣', '━', '┛', '━', '┻', '┓', '┫', '┳', '╋'},
	}
}

const (
	armUp = 1 << iota
	armRight
	armDown
	armLeft
)

// arms are those of a character; ok is false where it is none of box drawing. A
// straight one has both.
func arms(r rune) (all int, ok bool) {
	for _, set := range boxSets() {
		switch r {
		case set[armUp]:
			return armUp | armDown, true
		case set[armLeft]:
			return armLeft | armRight, true
		}
		if i := slices.Index(set[:], r); i > 0 {
			return i, true
		}
	}
	return 0, r == ' '
}

func sniffBox(head []byte) bool {
	first, second := firstTwo(head)
	line := []rune(strings.TrimSpace(first))
	if len(line) < 3 {
		return false
	}
	corner, ok := arms(line[0])
	for _, r := range line {
		_, drawn := arms(r)
		ok = ok && drawn
	}
	return ok && corner == armRight|armDown && strings.ContainsAny(second, "║│┃╣┤┫")
}

// drawnBox reads a board in box drawing: a cell, a wall or a way each is one character.
// In the outline beside a cell an arm that points out is an opening, and so is a
// gap; where two cells meet there, it is one of both.
func drawnBox(b solve.Block) (*Puzzle, error) {
	indent := len(b.Text[0]) - len(strings.TrimLeft(b.Text[0], " "))
	width := len([]rune(strings.TrimSpace(b.Text[0])))
	cols, rows := width/2, len(b.Text)/2
	if width%2 == 0 || width < 3 {
		return nil, b.Errorf(0, "%d characters, want an odd number from 3: a wall or way left and right of every cell", width)
	}
	open, err := undrawn(b, cols, rows)
	if err != nil {
		return nil, err
	}
	for y, text := range b.Text {
		line := []rune(strings.TrimRight(text, " "))
		line = line[min(indent, len(line)):]
		if len(line) > width {
			return nil, b.Errorf(y, "%d characters, want at most %d", len(line), width)
		}
		for x := range width {
			r := ' '
			if x < len(line) {
				r = line[x]
			}
			at := image.Pt(x, y)
			has, ok := arms(r)
			if x%2 == 1 && y%2 == 1 {
				if !strings.ContainsRune(cellMarks, r) {
					return nil, b.Errorf(y, "character %d: %q, want a cell, ▒ or a space", indent+x+1, r)
				}
				continue
			}
			if !ok {
				return nil, b.Errorf(y, "character %d: %q, want a wall in box drawing, or a space", indent+x+1, r)
			}
			out, along := 0, image.Point{}
			switch {
			case y == 0:
				out, along = armUp, image.Pt(1, 0)
			case y == 2*rows:
				out, along = armDown, image.Pt(1, 0)
			case x == 0:
				out, along = armLeft, image.Pt(0, 1)
			case x == 2*cols:
				out, along = armRight, image.Pt(0, 1)
			}
			junction := x%2 == 0 && y%2 == 0
			corner := (x == 0 || x == 2*cols) && (y == 0 || y == 2*rows)
			switch opens := out != 0 && has&out != 0; {
			case opens && corner:
				return nil, b.Errorf(y, "character %d: %q at a corner, want an opening beside a cell", indent+x+1, r)
			case opens && junction:
				open[at.Sub(along)], open[at.Add(along)] = true, true
			case !junction && (opens || r == ' '):
				open[at] = true
			}
		}
	}
	return New(cols, rows, func(at image.Point) bool { return open[at] }, func(image.Point) bool { return false })
}

// encodeBox writes a board in box drawing.
func encodeBox(p *Puzzle) ([]byte, error) {
	set := boxSets()[0]
	whole := image.Rect(0, 0, 2*p.cols+1, 2*p.rows+1)
	// A wall, or the outline, which goes on where it has an opening.
	walled := func(at image.Point) bool {
		edge := at.X == 0 || at.Y == 0 || at.X == 2*p.cols || at.Y == 2*p.rows
		return at.In(whole) && (edge || !p.Open(at))
	}
	return p.draw(func(at image.Point) string {
		if at.X%2 == 1 && at.Y%2 == 1 {
			return "▒"
		}
		junction := at.X%2 == 0 && at.Y%2 == 0
		has := 0
		for i, d := range []image.Point{{Y: -1}, {X: 1}, {Y: 1}, {X: -1}} {
			switch {
			case junction && walled(at.Add(d)):
				has |= 1 << i
			case !junction && walled(at) && (at.X%2 == 1) == (d.X != 0):
				has |= 1 << i
			case !junction && !at.Add(d).In(whole) && p.Open(at):
				has |= 1 << i // an opening
			}
		}
		return string(set[has])
	})
}
