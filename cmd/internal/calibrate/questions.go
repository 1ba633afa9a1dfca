package calibrate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"onlooker/cmd/internal/program"
	"onlooker/cmd/internal/whole"
	"onlooker/solve"
	"onlooker/vision/witness/calibrate"
)

// answersFile holds the answers that were given so far, a line of JSON each.
const answersFile = "answers.jsonl"

// back takes an answer back in the terminal.
const back = "back"

// questions asks in the terminal what places are, which pictures in a folder show. The
// answers are kept there until the profile is written, and not asked for again.
type questions struct {
	*Session
	ctx    context.Context
	in     io.Reader
	out    io.Writer
	folder string
	far    *program.Progress
	begun  bool // something was asked
	lines  <-chan typed
}

// A given answer, as it is kept.
type given struct {
	asked
	Answer string
}

// ask asks all that is to be asked.
func (q *questions) ask() error {
	if err := q.open(); err != nil {
		return err
	}
	err := q.Ask()
	for ; err == nil && q.Question() != nil; err = q.one() {
	}
	return err
}

// one asks one question.
func (q *questions) one() error {
	q.far.Clear()
	w, number := q.Question(), len(q.trail)+1
	if err := os.MkdirAll(q.folder, 0o755); err != nil {
		return err
	}
	sheet := filepath.Join(q.folder, fmt.Sprintf("question-%03d.png", number))
	if err := whole.WritePicture(sheet, w.Sheet); err != nil {
		return err
	}
	if !q.begun {
		fmt.Fprintf(q.out, "Some places look like nothing that is known. Say what they are: the first in the picture that is named, and all beside it.\n"+
			"Enter alone takes what stands in brackets; %s: I do not know, such boards are left out; %s: they are not all the same; %s: the answer before was wrong.\n",
			calibrate.DoNotKnow, calibrate.Differ, back)
	}
	q.begun = true
	fmt.Fprintf(q.out, "%d: %s. See %s. One of: %s.\n", number, q.Where(), sheet, w.May)
	if w.Left > 0 {
		fmt.Fprintf(q.out, "After it there may be %d more of this sort.\n", w.Left)
	}
	for {
		if w.Guess != "" {
			fmt.Fprintf(q.out, "What is it? [%s] ", w.Guess)
		} else {
			fmt.Fprint(q.out, "What is it? ")
		}
		answer, err := q.line()
		if err != nil {
			fmt.Fprintln(q.out)
			return err
		}
		if answer == back && number > 1 {
			err = q.Back(number - 2)
		} else if bad := w.Check(answer); bad != nil {
			fmt.Fprintf(q.out, "%v. ", bad)
			continue
		} else {
			err = q.Answer(answer)
		}
		return errors.Join(err, q.keep())
	}
}

// where says of what places a question is.
func where(w *calibrate.Question, shots []calibrate.Shot) string {
	first := w.Places[0]
	out := fmt.Sprintf("%s at %s of %s", w.Sort, solve.PlaceName(first.At), filepath.Base(shots[first.Shot].Name))
	if first.Way != (image.Point{}) {
		var way []string
		for _, d := range []struct {
			is   bool
			name string
		}{{first.Way.Y < 0, "up"}, {first.Way.Y > 0, "down"}, {first.Way.X < 0, "left"}, {first.Way.X > 0, "right"}} {
			if d.is {
				way = append(way, d.name)
			}
		}
		out += ", " + strings.Join(way, "-")
	}
	switch n := len(w.Places) - 1; n {
	case 0:
		return out
	case 1:
		return out + ", and 1 place more"
	default:
		return fmt.Sprintf("%s, and %d places more", out, n)
	}
}

// open reads what was answered before.
func (q *questions) open() error {
	name := filepath.Join(q.folder, answersFile)
	data, err := whole.Read(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for i, line := range bytes.Split(bytes.TrimSpace(data), []byte("\n")) {
		if len(line) == 0 {
			continue
		}
		var g given
		if err := json.Unmarshal(line, &g); err != nil {
			return fmt.Errorf("%s: line %d: %w", name, i+1, solve.JSONError(err))
		}
		q.given[g.asked] = g.Answer
	}
	if len(q.given) > 0 {
		fmt.Fprintf(q.out, "%s has %d answers of an earlier run, which are taken.\n", name, len(q.given))
	}
	return nil
}

// keep writes down what was answered.
func (q *questions) keep() error {
	var out bytes.Buffer
	for key, answer := range q.given {
		line, err := json.Marshal(given{key, answer})
		if err != nil {
			return err
		}
		out.Write(append(line, '\n'))
	}
	return whole.Write(filepath.Join(q.folder, answersFile), out.Bytes())
}

// A typed line is what somebody typed, or why it is none.
type typed struct {
	text string
	err  error
}

// line is the next line of what is typed.
func (q *questions) line() (string, error) {
	if q.lines == nil {
		lines := make(chan typed)
		go func() {
			defer close(lines)
			for text, err := range solve.Lines(q.in, whole.MostTyped) {
				select {
				case lines <- typed{strings.TrimSpace(text), err}:
				case <-q.ctx.Done():
					return
				}
			}
		}()
		q.lines = lines
	}
	select {
	case l, ok := <-q.lines:
		if !ok {
			return "", errors.New("no answer: the input is at its end")
		}
		return l.text, l.err
	case <-q.ctx.Done():
		return "", q.ctx.Err()
	}
}

// unwritten says that there is no profile, and where answers are that were given.
func (q *questions) unwritten(err error) error {
	if len(q.given) == 0 {
		return fmt.Errorf("nothing written: %w", err)
	}
	return fmt.Errorf("no profile written: %w (%s has %d answers, which are taken when it is run again)", err, filepath.Join(q.folder, answersFile), len(q.given))
}

// done removes what was there for the questions: the profile's folder has what the
// screenshots show.
func (q *questions) done() error {
	sheets, err := filepath.Glob(filepath.Join(q.folder, "question-*.png"))
	if err != nil {
		return err
	}
	for _, name := range append(sheets, filepath.Join(q.folder, answersFile)) {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
