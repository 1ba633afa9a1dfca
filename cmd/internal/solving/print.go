package solving

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"strings"

	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/cli"
	"onlooker/cmd/internal/intake"
	"onlooker/cmd/internal/program"
	"onlooker/cmd/internal/store"
	"onlooker/solve"
	"onlooker/vision"
	"onlooker/vision/picture"
)

// A triple is boards of one picture of which one has an answer, as they come.
type triple struct {
	input string
	sets  map[int]*see.Set
	draft string // the first picture whose board was refused

	answered bool          // a board of the picture has an answer, or surely none
	refused  *vision.Board // the picture's first that was refused
	others   int           // places beside those that may be boards and were not read
}

// before takes a board, and says what is known of those of the picture before.
func (t *triple) before(to, errOut io.Writer, o outcome) (err error) {
	if t.input != o.board.Input {
		err = t.end(to, errOut)
		t.input = o.board.Input
	}
	if t.draft == "" && o.failed() && o.board.Drafted() {
		t.draft = o.board.Input
	}
	n := o.board.Together.Set
	if n == 0 || len(o.lines) == 0 {
		return err
	}
	s := &see.Sighting{Reading: o.board.Reading, New: true, Verdict: o.board.Together}
	if last := o.lines[len(o.lines)-1].line; last.Status == answer.Unsolvable {
		s.Failed = solve.ErrUnsolvable
	} else if last.Status != answer.Solved {
		s.Failed = errors.New(last.Error)
	}
	if t.sets == nil {
		t.sets = map[int]*see.Set{}
	}
	if t.sets[n] == nil {
		t.sets[n] = &see.Set{}
	}
	t.sets[n].Boards = append(t.sets[n].Boards, s)
	return err
}

// beside tells whether a board is no finding: it was not read, alone, and another of its
// picture was. How many those are is said at the picture's end.
func (t *triple) beside(o outcome) bool {
	if len(o.lines) == 0 {
		return false
	}
	status := o.lines[len(o.lines)-1].line.Status
	t.answered = t.answered || status == answer.Solved || status == answer.Unsolvable
	r := o.board.Reading
	if r.Err == nil || o.board.Together.Set > 0 || intake.UnreadPillar(r) {
		return false
	}
	why := (*see.RefusedError)(nil) // of boards of no family the largest is told
	if !t.answered && (t.refused == nil || 2*r.Board.Area().Dx() > t.refused.Area().Dx() && !(errors.As(r.Err, &why) && why.Unknown)) {
		t.refused = cmp.Or(t.refused, r.Board)
		return false
	}
	t.others++
	return true
}

// end says which board of each set is the one to solve, and what else may be one.
func (t *triple) end(to, errOut io.Writer) error {
	if t.answered && t.others > 0 { // else they are no likelier than the one that is told
		fmt.Fprintf(errOut, "onlooker: %s: more places that may be boards, not read: %d; onlooker read says why\n", cli.Shorten(t.input), t.others)
	} else if t.others > 0 {
		fmt.Fprintf(errOut, "onlooker: (smaller patches, perhaps text, that were passed over: %d)\n", t.others)
	}
	t.answered, t.others, t.refused = false, 0, nil
	for n := range len(t.sets) {
		if line, _ := t.sets[n+1].Conclude(); line != "" {
			if _, err := fmt.Fprintf(to, "%s\n\n", line); err != nil {
				return err
			}
		}
	}
	t.sets = nil
	return nil
}

// printAll prints the lines of a board and keeps its answer, which comes first: what is
// printed is kept, even where a kill comes next. Where nothing can be printed any more it
// does keep it. failed tells whether something went wrong: what may be no board is nothing.
func (o *Options) printAll(one outcome, seen *triple, slow *program.Progress, goesOn bool) (failed bool, err error) {
	if one.kept != nil {
		_ = one.kept()
	}
	if !goesOn {
		return one.failed(), nil
	}
	to, errOut := o.Out, o.Err
	if o.json {
		to, errOut = io.Discard, io.Discard
	}
	if err := seen.before(to, errOut, one); err != nil {
		return true, err
	}
	beside := seen.beside(one)
	if beside && !o.json {
		return false, nil
	}
	for _, s := range one.lines {
		slow.Clear()
		if err := o.print(one.board, s); err != nil {
			return true, err
		}
	}
	return one.failed() && !beside, nil
}

// print prints a line of a board.
func (o *Options) print(b intake.Board, s solvedLine) error {
	line := s.line
	if o.json {
		return s.write(o.Out, b.Puzzle)
	}
	title := cli.Shorten(line.Input)
	if o.views {
		title += " and the other views"
	}
	if line.Board != nil {
		title += fmt.Sprintf(", board %d", *line.Board+1)
	}
	if place := b.Together.Place; place != "" {
		title += ", " + place
	}
	if line.Answer > 0 {
		title += fmt.Sprintf(", answer %d", line.Answer)
	}
	if line.Status != answer.Solved {
		return o.printUnsolved(b, line, title)
	}
	if line.Kept != nil {
		fmt.Fprintf(o.Out, "%s: solved on %s\n", title, line.Kept.Local().Format("2006-01-02 15:04"))
	} else {
		fmt.Fprintf(o.Out, "%s: solved in %.1f ms\n", title, line.Millis["solve"])
	}
	if hint := cli.Hint(b.Puzzle, s.solution); o.hint && hint != "" {
		_, err := fmt.Fprintf(o.Out, "%s\n\n", hint)
		return err
	}
	if packer, ok := b.Puzzle.(solve.Packer); ok && cli.TooLarge(b.Puzzle) {
		var rows solve.Packed
		if s.best != nil && s.best.Packed != nil {
			rows = s.best.Packed
		} else {
			rows = packer.Pack(s.solution)
		}
		if err := rows.Table(o.Out); err != nil {
			return err
		}
	} else {
		if err := cli.DrawBoard(o.Out, b.Game, b.Puzzle, s.solution); err != nil {
			return err
		}
		if told := cli.Told(b.Puzzle, s.solution); len(told) > 0 {
			fmt.Fprintln(o.Out, strings.Join(told, "\n"))
		}
	}
	line.tellGoal(o.Out)
	if text := cli.Dispute(line.standing); text != "" {
		fmt.Fprintln(o.Out, text)
	}
	if aim := cli.Aim(b.Puzzle, s.best); aim != "" {
		fmt.Fprintln(o.Out, aim)
	}
	if line.Error != "" {
		fmt.Fprintf(o.Err, "onlooker: %s\n", cli.Prefixed(title, line.Error))
	}
	if line.Count != nil {
		more := ""
		if line.AtLeast {
			more = "at least "
		}
		fmt.Fprintf(o.Out, "%s%s\n", more, cli.Counted(*line.Count, "answer"))
	}
	if line.Groups != nil {
		fmt.Fprintf(o.Out, "%d %s\n", *line.Groups, line.GroupsTell)
	}
	fmt.Fprintln(o.Out)
	return nil
}

// printUnsolved prints why a board has no answer.
func (o *Options) printUnsolved(b intake.Board, line Line, title string) error {
	none, to := line.Status == answer.Unsolvable, o.Err
	if none {
		to = o.Out
	}
	if none || line.Board != nil {
		fmt.Fprintf(to, "%s: %s\n", title, strings.TrimPrefix(line.Error, cli.Shorten(line.Input)+": "))
	} else {
		fmt.Fprintf(to, "onlooker: %s\n", cli.Prefixed(title, line.Error))
	}
	if none {
		line.tellGoal(to)
	}
	if line.Why != "" {
		fmt.Fprintf(to, "%s\n", line.Why)
	}
	if none && b.Puzzle != nil && len(line.Where) > 0 {
		return cli.DrawBoard(o.Out, b.Game, b.Puzzle, nil, solve.PointsOf(line.Where)...)
	}
	return nil
}

// marked is a screenshot with answers drawn on it.
type marked struct {
	frame  *image.RGBA // nil: no board was found
	input  bool        // there was a picture
	shapes []picture.Shape
	boards int // with an answer
}

// add draws the answer of a board that was read in a picture. A pillar shows one
// side of its answer only, and is left as it is.
func (m *marked) add(o outcome) {
	m.input = m.input || o.board.Source == store.Picture
	if o.board.Frame == nil {
		return
	}
	m.frame = o.board.Frame
	for _, s := range o.lines {
		if s.solution != nil && o.board.Reading.Err == nil && !o.board.Reading.Board.Pillar {
			m.shapes = append(m.shapes, see.Marks(o.board.Reading, s.solution)...)
			m.boards++
		}
	}
}

// write writes the picture; without an answer there is none.
func (m *marked) write(name string, to io.Writer) error {
	switch {
	case m.frame == nil && m.input:
		return fmt.Errorf("--picture: no board is found in the picture, %s is not written", name)
	case m.frame == nil:
		return cli.Misusef("--picture: the input is no picture")
	case m.boards == 0:
		return fmt.Errorf("--picture: no answer to draw, %s is not written", name)
	}
	out := image.NewRGBA(image.Rectangle{Max: m.frame.Rect.Size()})
	for y := range out.Rect.Dy() {
		from := m.frame.PixOffset(m.frame.Rect.Min.X, m.frame.Rect.Min.Y+y)
		copy(out.Pix[y*out.Stride:], m.frame.Pix[from:from+4*out.Rect.Dx()])
	}
	picture.Draw(out, m.shapes, picture.Point{}, 1)
	if name == program.Stream {
		return png.Encode(to, out)
	}
	return cli.WritePicture(name, out)
}
