package web

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	taught "onlooker/cmd/internal/lesson"
	"onlooker/solve"
)

const (
	// maxTaught is the most pixels that all pictures of a lesson have.
	maxTaught = 3 * maxLook
	// forgetAfter is how long a lesson is kept that nobody goes on with.
	forgetAfter = 2 * time.Hour
)

// A lesson is the one look that is being taught.
type lesson struct {
	families
	*gate
	eye    *eye
	begin  func() (taught.Lesson, error)
	mu     sync.Mutex
	id     int64
	of     taught.Lesson
	forget *time.Timer
}

// errTaught says that another page has begun another lesson.
var errTaught = status{http.StatusGone, errors.New("this lesson is over: another was begun, or nothing was done for hours; begin again")}

// take gives the lesson of a number, with which nobody else works until done is called; where
// somebody does it waits, or is busy.
func (l *lesson) take(id int64, wait bool) (s taught.Lesson, done func(), err error) {
	if wait {
		l.mu.Lock()
	} else if !l.mu.TryLock() {
		return nil, nil, errBusy
	}
	if l.of == nil || l.id != id {
		l.mu.Unlock()
		return nil, nil, errTaught
	}
	l.forget.Reset(forgetAfter)
	return l.of, l.mu.Unlock, nil
}

// start begins a lesson in place of the one before.
func (l *lesson) start() (id int64, err error) {
	if !l.mu.TryLock() {
		return 0, errBusy
	}
	defer l.mu.Unlock()
	l.drop()
	if l.of, err = l.begin(); err != nil {
		return 0, err
	}
	l.id++
	id = l.id
	l.forget = time.AfterFunc(forgetAfter, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.id == id {
			l.drop()
		}
	})
	return id, nil
}

func (l *lesson) drop() {
	if l.of != nil {
		l.forget.Stop()
		l.of.End()
		l.of = nil
	}
}

// A taughtJSON is a board of a picture, and where it lies straightened.
type taughtJSON struct {
	seenJSON
	Number int `json:"number"`
	Cols   int `json:"cols"`
	// Of the straightened picture: pixels a cell, beyond the outer nodes, and in all.
	Pitch  int `json:"pitch"`
	Margin int `json:"margin"`
	Wide   int `json:"wide"`
	High   int `json:"high"`
}

// A shotJSON is a picture with its boards.
type shotJSON struct {
	Name   string       `json:"name"`
	Width  int          `json:"width"`
	Height int          `json:"height"`
	Boards []taughtJSON `json:"boards"`
}

// A questionJSON is what is asked.
type questionJSON struct {
	Sort    string       `json:"sort"`
	Where   string       `json:"where"`
	Spots   []askedJSON  `json:"spots"`
	Left    int          `json:"left"`
	Sheet   string       `json:"sheet"` // a picture of the places
	Guess   string       `json:"guess"`
	Choices []choiceJSON `json:"choices"`
}

// A askedJSON is a place that is asked for: in half-cells, and in its picture.
type askedJSON struct {
	Picture int        `json:"picture"`
	Half    [2]int     `json:"half"`
	Way     [2]int     `json:"way"`
	At      [2]float64 `json:"at"`
}

// A saidJSON is what was answered.
type saidJSON struct {
	Sort   string      `json:"sort"`
	Answer string      `json:"answer"`
	Spots  []askedJSON `json:"spots"`
}

type choiceJSON struct {
	Answer string `json:"answer"`
	SVG    string `json:"svg,omitempty"`
}

// A lessonJSON is how far a lesson has come; a picture is left out where it is as before.
type lessonJSON struct {
	Kind     string        `json:"kind"` // "lesson"
	Pictures []shotJSON    `json:"pictures,omitempty"`
	Question *questionJSON `json:"question,omitempty"`
	Answers  []saidJSON    `json:"answers"`
	Said     []string      `json:"said,omitempty"`  // of what was learned
	Proof    []shotJSON    `json:"proof,omitempty"` // what is read by it
	Folder   string        `json:"folder,omitempty"`
}

// A stageJSON is what is done just now.
type stageJSON struct {
	Kind string `json:"kind"` // "stage"
	Said string `json:"said"`
	Done int    `json:"done"`
	Of   int    `json:"of"`
}

// teaches routes what a lesson asks.
func (l *lesson) teaches(mux *http.ServeMux) {
	mux.HandleFunc("POST /api/teach/begin", l.worker(l.works, func(context.Context, *request) (any, error) {
		id, err := l.start()
		return struct {
			ID int64 `json:"id"`
		}{id}, err
	}))
	mux.HandleFunc("POST /api/teach/picture", l.taughtPicture)
	mux.HandleFunc("POST /api/teach/do", func(w http.ResponseWriter, r *http.Request) { l.stream(w, r, l.teach) })
	mux.HandleFunc("GET /api/teach/truth", l.ofLesson(func(of taught.Lesson, _ int, w http.ResponseWriter) error {
		var out bytes.Buffer
		if err := of.WriteTruth(&out); err != nil {
			return err
		}
		w.Header().Set("Content-Type", "application/x-ndjson")
		_, _ = w.Write(out.Bytes()) // a browser that went away
		return nil
	}))
	mux.HandleFunc("GET /api/teach/tile", l.ofLesson(func(of taught.Lesson, number int, w http.ResponseWriter) error {
		given := of.Answers()
		if number < 0 || number >= len(given) {
			return fmt.Errorf("there is no answer %d", number+1)
		}
		return writePNG(w, given[number].Sheet)
	}))
	mux.HandleFunc("GET /api/teach/board", l.ofLesson(func(of taught.Lesson, number int, w http.ResponseWriter) error {
		boards := of.Boards()
		if number < 0 || number >= len(boards) {
			return fmt.Errorf("no board %d", number+1)
		}
		return writePNG(w, boards[number].Board.Flat)
	}))
}

func writePNG(w http.ResponseWriter, m image.Image) error {
	w.Header().Set("Content-Type", "image/png")
	_ = png.Encode(w, m) // a browser that went away
	return nil
}

// ofLesson answers a question by a lesson's and a board's number.
func (l *lesson) ofLesson(f func(of taught.Lesson, number int, w http.ResponseWriter) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		id, _ := strconv.ParseInt(r.URL.Query().Get("id"), 10, 64) // none is 0
		number, _ := strconv.Atoi(r.URL.Query().Get("number"))
		of, done, err := l.take(id, true)
		if err == nil {
			defer done()
			err = f(of, number, w)
		}
		if err != nil {
			fail(w, err)
		}
	}
}

// taughtPicture takes a picture in.
func (l *lesson) taughtPicture(w http.ResponseWriter, r *http.Request) {
	id, _ := strconv.ParseInt(r.URL.Query().Get("id"), 10, 64) // none is 0
	name := filepath.Base(strings.Map(func(c rune) rune {
		if c == '\\' || c < ' ' {
			return '/'
		}
		return c
	}, r.URL.Query().Get("name")))
	var out *lessonJSON
	err := l.eye.picture(w, r, func(_ context.Context, frame *image.RGBA) error {
		of, done, err := l.take(id, false)
		if err != nil {
			return err
		}
		defer done()
		all := frame.Rect.Dx() * frame.Rect.Dy()
		_, sizes := of.Pictures()
		for _, size := range sizes {
			all += size.X * size.Y
		}
		if all > maxTaught {
			return status{http.StatusRequestEntityTooLarge, fmt.Errorf("more than %d million pixels in all pictures", maxTaught/1_000_000)}
		}
		if err := of.Add(name, frame); err != nil {
			return err
		}
		out = &lessonJSON{Kind: "lesson", Pictures: shots(of), Answers: answers(of)}
		return nil
	})
	if err != nil {
		fail(w, err)
		return
	}
	reply(w, out)
}

// teach does one step of a lesson, and ends with how far it has come.
func (l *lesson) teach(ctx context.Context, a *request, out *lines) error {
	of, done, err := l.take(a.ID, false)
	if err != nil {
		return err
	}
	defer done()
	of.Heard(func(stage string, done, of int) { out.send(stageJSON{"stage", stage, done, of}) })
	told := &lessonJSON{Kind: "lesson"}
	switch a.Act {
	case "drop":
		err = of.Drop(a.Number)
	case "right":
		var p solve.Puzzle
		if _, p, err = l.puzzle(ctx, a); err == nil {
			err = of.PutRight(a.Number, p)
		}
	case "ask":
		err = of.Ask()
	case "answer":
		err = of.Answer(a.Text)
	case "guess":
		err = of.Guess()
	case "back":
		err = of.Back(a.Number)
	case "learn":
		if err = of.Learn(); err == nil {
			told.Said = of.Said()
			told.Proof, err = proof(of, out)
		}
	case "write":
		if told.Folder, err = of.Write(a.Text); err == nil {
			err = l.eye.renew()
		}
	default:
		err = fmt.Errorf("a lesson has no act %q", a.Act)
	}
	if err != nil {
		return err
	}
	if told.Answers = answers(of); of.Asked() != nil {
		told.Question = question(of)
	} else if a.Act != "write" {
		told.Pictures = shots(of)
	}
	out.send(told)
	return nil
}

// shots are the pictures of a lesson with what is known of their boards.
func shots(of taught.Lesson) []shotJSON {
	names, sizes := of.Pictures()
	all := []shotJSON{}
	for i, name := range names {
		all = append(all, shotJSON{name, sizes[i].X, sizes[i].Y, []taughtJSON{}})
	}
	for i, b := range of.Boards() {
		to := &all[b.Shot]
		t := taughtJSON{seenJSON: seen(&b.Reading), Number: i, Cols: b.Board.Cols, Pitch: b.Board.Pitch, Margin: b.Board.Margin}
		if b.Board.Flat != nil {
			size := b.Board.Flat.Rect.Size()
			t.Wide, t.High = size.X, size.Y
		}
		if b.Puzzle != nil && t.Text == "" {
			t.Text, _ = canonical(b.Puzzle) // without it there is nothing to put right
		}
		to.Boards = append(to.Boards, t)
	}
	return all
}

// proof is what a learned look reads in the pictures.
func proof(of taught.Lesson, out *lines) ([]shotJSON, error) {
	names, sizes := of.Pictures()
	var all []shotJSON
	for i, name := range names {
		out.send(stageJSON{"stage", "reading the pictures by what was learned", i, len(names)})
		sight, err := of.Proof(i)
		if err != nil {
			return nil, err
		}
		shot := shotJSON{name, sizes[i].X, sizes[i].Y, []taughtJSON{}}
		for k := range sight.Readings {
			shot.Boards = append(shot.Boards, taughtJSON{seenJSON: seen(&sight.Readings[k])})
		}
		all = append(all, shot)
	}
	return all, nil
}

// spots are the places of a question.
func spots(q *taught.Question) (all []askedJSON) {
	for _, p := range q.Places {
		all = append(all, askedJSON{p.Shot, [2]int{p.At.X, p.At.Y}, [2]int{p.Way.X, p.Way.Y}, [2]float64{p.Where.X, p.Where.Y}})
	}
	return all
}

// answers are what was answered so far.
func answers(of taught.Lesson) []saidJSON {
	all := []saidJSON{}
	for _, a := range of.Answers() {
		all = append(all, saidJSON{a.Sort, a.Answer, spots(a.Question)})
	}
	return all
}

// question is what a lesson asks now.
func question(of taught.Lesson) *questionJSON {
	w := of.Asked()
	q := &questionJSON{Sort: w.Sort, Where: w.Where, Spots: spots(w), Left: w.Left, Guess: w.Guess, Choices: []choiceJSON{}}
	var sheet bytes.Buffer
	if png.Encode(&sheet, w.Sheet) == nil {
		q.Sheet = "data:image/png;base64," + base64.StdEncoding.EncodeToString(sheet.Bytes())
	}
	for _, answer := range w.Choices {
		c := choiceJSON{Answer: answer}
		if w.Sort == "cell" || w.Sort == "colour" {
			if p := of.Shown(answer); p != nil {
				c.SVG = svg(of.Game(), p, nil)
			}
		}
		q.Choices = append(q.Choices, c)
	}
	return q
}
