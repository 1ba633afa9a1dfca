package calibrate

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"io"
	"iter"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"onlooker/calibrations"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/intake"
	"onlooker/cmd/internal/lesson"
	"onlooker/solve"
	panels "onlooker/solve/witness"
	witnessboard "onlooker/solve/witness/board"
	"onlooker/solve/witness/forms"
	"onlooker/vision/witness"
	"onlooker/vision/witness/calibrate"
)

// A Session teaches a look in steps, whoever puts the questions: pictures are added, what they
// show is asked for one question after the other, and then learned. An answer may be taken back.
type Session struct {
	games  *intake.Games
	course *calibrate.Course
	given  map[asked]string
	trail  []answered // of earlier runs too
	next   func() (*calibrate.Question, bool)
	stop   func()
	now    *calibrate.Question
	answer string // to it
	failed error  // why there is no next question
	taught *calibrate.Calibration
}

// An asked question, as it is known again when it is asked again.
type asked struct {
	Shot, Sort string
	At, Way    image.Point
	Places     int
}

// An answered question is one with its answer.
type answered struct {
	*calibrate.Question
	answer string
	key    asked
}

// errStopped ends what asks.
var errStopped = errors.New("it is asked anew")

// Begin begins a session without pictures.
func (a *Calibrator) Begin() (lesson.Lesson, error) {
	base, _, err := a.calibrated("")
	if err != nil {
		return nil, err
	}
	return a.begin(base), nil
}

func (a *Calibrator) begin(base *calibrations.Profile) *Session {
	return &Session{games: a.Games, course: calibrate.New(base, witness.Read), given: map[asked]string{}, stop: func() {}}
}

// Heard has somebody told how far a step has come.
func (s *Session) Heard(by func(stage string, done, of int)) { s.course.Heard = by }

// Add finds the boards of a picture.
func (s *Session) Add(name string, frame *image.RGBA) error {
	if slices.ContainsFunc(s.course.Shots(), func(o calibrate.Shot) bool { return o.Name == name }) {
		return fmt.Errorf("%s: there is a picture of that name already", name)
	}
	s.End()
	return s.course.Add(calibrate.Shot{Name: name, Frame: frame})
}

// Drop takes a picture away.
func (s *Session) Drop(shot int) error {
	if shot < 0 || shot >= len(s.course.Shots()) {
		return fmt.Errorf("no picture %d", shot+1)
	}
	s.End()
	s.course.Drop(shot)
	return nil
}

// Pictures are the names of the pictures, and their sizes.
func (s *Session) Pictures() (names []string, sizes []image.Point) {
	for _, shot := range s.course.Shots() {
		names, sizes = append(names, shot.Name), append(sizes, shot.Frame.Bounds().Size())
	}
	return names, sizes
}

// Game is the one whose looks are taught.
func (s *Session) Game() *see.Game { return s.games.Find(panels.Family.Name) }

// Boards are the boards of the pictures. Why nothing is learned from one is its error.
func (s *Session) Boards() []lesson.Board {
	var all []lesson.Board
	for _, d := range s.course.Drafts() {
		b := lesson.Board{Shot: d.Shot, Reading: see.Reading{Game: s.Game(), Board: d.Board, Err: d.Out}}
		if d.Panel != nil {
			b.Puzzle = panels.Of(d.Panel)
		} else if b.Err == nil {
			b.Err = errors.New("not known yet: it is asked for")
		}
		all = append(all, b)
	}
	return all
}

// PutRight says what a board shows.
func (s *Session) PutRight(board int, p solve.Puzzle) error {
	panel := witnessboard.Of(p)
	if board < 0 || board >= len(s.course.Drafts()) || panel == nil {
		return fmt.Errorf("no board %d of panels", board+1)
	}
	s.taught = nil
	return s.course.PutRight(board, panel)
}

// Ask asks from the beginning; what was answered before is not asked for again.
func (s *Session) Ask() error {
	s.End()
	s.next, s.stop = iter.Pull(func(yield func(*calibrate.Question) bool) {
		s.failed = s.course.Ask(func(q *calibrate.Question) (string, error) {
			first := q.Places[0]
			key := asked{filepath.Base(s.course.Shots()[first.Shot].Name), q.Sort, first.At, first.Way, len(q.Places)}
			answer, known := s.given[key]
			for !known || q.Check(answer) != nil {
				if !yield(q) {
					return "", errStopped
				}
				// The guess may be another when it is asked for again.
				answer, known = cmp.Or(s.answer, q.Guess), true
				s.given[key] = answer
			}
			s.trail = append(s.trail, answered{q, answer, key})
			return answer, nil
		})
	})
	return s.advance()
}

// End ends what is asked.
func (s *Session) End() {
	s.stop()
	s.trail, s.now, s.taught = nil, nil, nil
}

func (s *Session) advance() error {
	s.now, _ = s.next()
	if s.now == nil {
		return s.failed
	}
	return nil
}

// Question is what is asked now; nil: nothing is.
func (s *Session) Question() *calibrate.Question { return s.now }

// Where says in words of what places the question is.
func (s *Session) Where() string { return where(s.now, s.course.Shots()) }

// Asked is the question for a page.
func (s *Session) Asked() *lesson.Question {
	if s.now == nil {
		return nil
	}
	return s.told(s.now)
}

// told is a question for a page.
func (s *Session) told(w *calibrate.Question) *lesson.Question {
	q := &lesson.Question{Sort: w.Sort, Where: where(w, s.course.Shots()), Guess: w.Guess, Choices: w.Choices, Left: w.Left, Sheet: w.Sheet}
	for _, p := range w.Places {
		q.Places = append(q.Places, lesson.Place(p))
	}
	return q
}

// Answer answers it.
func (s *Session) Answer(answer string) error {
	if s.now == nil {
		return errors.New("nothing is asked")
	}
	if err := s.now.Check(answer); err != nil {
		return err
	}
	s.answer = answer
	return s.advance()
}

// Guess takes the guesses for answers of all questions of the sort that is asked now.
func (s *Session) Guess() error {
	if s.now == nil {
		return errors.New("nothing is asked")
	}
	for sort := s.now.Sort; s.now != nil && s.now.Sort == sort && s.now.Guess != ""; {
		if err := s.Answer(""); err != nil {
			return err
		}
	}
	return nil
}

// Answers are those that were given, in order.
func (s *Session) Answers() (all []lesson.Answered) {
	for _, a := range s.trail {
		all = append(all, lesson.Answered{Question: s.told(a.Question), Answer: a.answer})
	}
	return all
}

// Back asks again what was answered as the number says, from 0; the other answers stay.
func (s *Session) Back(number int) error {
	if number < 0 || number >= len(s.trail) {
		return fmt.Errorf("there is no answer %d", number+1)
	}
	delete(s.given, s.trail[number].key)
	return s.Ask()
}

// Shown is a board of one cell with an answer in it, to be drawn; nil for one that is of no
// cell.
func (s *Session) Shown(answer string) solve.Puzzle {
	if s.now.Sort == "colour" {
		answer += " " + witnessboard.Square.Word()
	}
	cell := image.Pt(1, 1)
	for _, words := range []string{answer, string(witnessboard.Black) + " " + answer} {
		if spot, err := forms.ParseSpot(cell, words, witnessboard.Kinds()); err == nil && spot.Kind != witnessboard.NoSymbol && !spot.Kind.OnLine() {
			p := witnessboard.New(1, 1, false)
			*p.At(cell) = spot
			return panels.Of(p)
		}
	}
	return nil
}

// Learn learns the look. It is proved: what it does not read it refuses.
func (s *Session) Learn() (err error) {
	s.taught, err = s.course.Learn()
	return err
}

// Said is what was learned, in sentences.
func (s *Session) Said() []string {
	all := []string{"learned: " + strings.Join(s.taught.Measured, ", ")}
	for _, why := range s.taught.Refused {
		all = append(all, "not read back: "+why)
	}
	for _, f := range s.taught.Forgotten {
		all = append(all, "left out of what was learned, as boards were misread by it: "+f)
	}
	return append(all, unseen(s.taught)...)
}

// unseen says what the pictures did not show.
func unseen(c *calibrate.Calibration) (all []string) {
	words := strings.NewReplacer("cap", "end", "break", "broken edge", "colour", "symbols of two colours")
	for _, what := range c.Missing {
		all = append(all, fmt.Sprintf("your pictures showed no %s: calibrate with one", words.Replace(what)))
	}
	return all
}

// said is a stage with how many pictures are done.
func said(stage string, done, of int) string {
	if of == 0 {
		return stage
	}
	return fmt.Sprintf("%s: %d of %d", stage, done+1, of)
}

// Proof is what the learned look reads in a picture.
func (s *Session) Proof(shot int) (*see.Sight, error) {
	eye, err := s.games.EyeOf(s.taught.Profile)
	if err != nil {
		return nil, err
	}
	return eye.Look(s.course.Shots()[shot].Frame, see.Millis{})
}

// WriteTruth writes what the pictures show, as Run takes it.
func (s *Session) WriteTruth(w io.Writer) error {
	boards := s.Boards()
	for i, shot := range s.course.Shots() {
		var here []see.Reading
		for _, b := range boards {
			if b.Shot == i && b.Err == nil {
				here = append(here, b.Reading)
			}
		}
		if len(here) == 0 {
			continue
		}
		if err := intake.WriteTruth(w, shot.Name, here); err != nil {
			return err
		}
	}
	return nil
}

// lookName is what looks may be called.
var lookName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`)

// Write writes what was learned as one of the user's own looks.
func (s *Session) Write(name string) (folder string, err error) {
	switch {
	case !lookName.MatchString(name):
		return "", fmt.Errorf("%q is no name for a look, want at most 40 of a to z, 0 to 9 and -", name)
	case slices.Contains(calibrations.Names(), name):
		return "", fmt.Errorf("there is a look %s already: choose another name", name)
	case s.taught == nil:
		return "", errors.New("nothing was learned yet")
	}
	if folder, err = calibrations.UserFolder(); err != nil {
		return "", err
	}
	folder = filepath.Join(folder, name)
	return folder, writeProfile(folder, s.taught)
}
