package session

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"onlooker/cmd/internal/agent/drive"
	"onlooker/cmd/internal/agent/enter"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/program"
	"onlooker/cmd/internal/store"
	"onlooker/solve"
	"onlooker/solve/fans"
	"onlooker/solve/solvetest"
	"onlooker/solve/witness"
	"onlooker/vision"
	"onlooker/vision/picture"
)

// A listener writes down what it is told.
type listener struct {
	name string
	said *[]string
	err  error // of every answer
}

func (l listener) say(what string) error {
	*l.said = append(*l.said, l.name+" "+what)
	return l.err
}
func (l listener) Beat(see.Beat)                   { _ = l.say("beat") }
func (l listener) Look(*see.Turn)                  { _ = l.say("look") }
func (l listener) Board(_ *see.Turn, i int) error  { return l.say(fmt.Sprint("board ", i)) }
func (l listener) News(*see.Turn) error            { return l.say("news") }
func (l listener) Begin(n int, _ *drive.Drive)     { _ = l.say(fmt.Sprint("begin ", n)) }
func (l listener) End(n int, _ *drive.Drive) error { return l.say(fmt.Sprint("end ", n)) }
func (l listener) State(words string, turns bool)  { _ = l.say(fmt.Sprint(words, " ", turns)) }

// TestAudiences: each is told everything in its turn, until one fails.
func TestAudiences(t *testing.T) {
	var said []string
	all := audiences{listener{"a", &said, nil}, deaf{}, listener{"b", &said, nil}}
	all.tell(func(a Audience) { a.Beat(see.Beat{}) })
	all.State("running", true)
	solvetest.Fine(t, all.each(func(a Audience) error { return a.Board(nil, 2) }))
	want := []string{"a beat", "b beat", "a running true", "b running true", "a board 2", "b board 2"}
	if !slices.Equal(said, want) {
		t.Errorf("told %q, want %q", said, want)
	}
	broken := errors.New("full")
	for name, tell := range map[string]func(Audience) error{
		"board": func(a Audience) error { return a.Board(nil, 0) },
		"news":  func(a Audience) error { return a.News(nil) },
		"end":   func(a Audience) error { return a.End(0, nil) },
	} {
		said = nil
		err := audiences{listener{"a", &said, broken}, listener{"b", &said, nil}}.each(tell)
		if !errors.Is(err, broken) || len(said) != 1 {
			t.Errorf("%s: %v after %q, want that the first fails and the second is not told", name, err, said)
		}
	}
}

// TestFails: a board that surely has no answer is a finding where one of a set has, or where
// each picture is looked at by itself.
func TestFails(t *testing.T) {
	unsolvable := fmt.Errorf("solve: %w", solve.ErrUnsolvable)
	for _, row := range []struct {
		why   string
		o     Options
		board see.Sighting
		want  bool
	}{
		{"answered", Options{}, see.Sighting{New: true}, false},
		{"unsure", Options{}, see.Sighting{New: true, Failed: &vision.UnsureError{}}, true},
		{"unsure before", Options{}, see.Sighting{Failed: &vision.UnsureError{}}, false},
		{"no answer", Options{}, see.Sighting{New: true, Failed: unsolvable}, true},
		{"no answer, one of a set", Options{}, see.Sighting{New: true, Failed: unsolvable, Verdict: see.Verdict{Set: 1}}, false},
		{"no answer in a picture", Options{folder: "x"}, see.Sighting{New: true, Failed: unsolvable}, false},
		{"unsure in a picture", Options{replay: "x"}, see.Sighting{New: true, Failed: &vision.UnsureError{}}, true},
	} {
		solvetest.Same(t, row.o.failing(&see.Turn{Boards: []see.Sighting{row.board}}), row.want, "%s: failing", row.why)
	}
}

// TestLog: with --record every look and every answer is kept; else what failed, and of the
// mouse's work what was not accepted; a replay keeps nothing of it again.
func TestLog(t *testing.T) {
	frame := image.NewRGBA(image.Rect(0, 0, 2, 2))
	turn := func(failed error) *see.Turn { return &see.Turn{Number: 1, Frame: frame, Failed: failed} }
	drove := func(o enter.Outcome) *drive.Drive {
		return &drive.Drive{Task: enter.Task{Frame: frame, Reading: see.Reading{Game: &see.Game{Family: &solve.Family{Name: "fans"}}, Board: &vision.Board{}}}, Outcome: o}
	}
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	t.Setenv("LocalAppData", cache)
	t.Setenv("HOME", cache)
	for _, row := range []struct {
		why      string
		o        Options
		tell     func(*log) error
		recorded bool
		kept     bool
	}{
		{"a look, recorded", Options{record: "r"}, func(l *log) error { return l.News(turn(nil)) }, true, false},
		{"a look", Options{}, func(l *log) error { return l.News(turn(nil)) }, false, false},
		{"a look that failed", Options{}, func(l *log) error { return l.News(turn(errors.New("dark"))) }, false, true},
		{"a picture that failed", Options{folder: "x"}, func(l *log) error { return l.News(turn(errors.New("dark"))) }, false, false},
		{"an answer that was accepted", Options{}, func(l *log) error { return l.End(1, drove(enter.Accepted)) }, false, false},
		{"one that was refused", Options{}, func(l *log) error { return l.End(1, drove(enter.Refused)) }, false, true},
		{"one of a dry run", Options{driveFlags: driveFlags{dryRun: true}}, func(l *log) error { return l.End(1, drove(enter.Unknown)) }, false, false},
		{"one that was tried", Options{driveFlags: driveFlags{try: true}}, func(l *log) error { return l.End(1, drove(enter.Unknown)) }, false, false},
		{"accepted, recorded", Options{record: "r"}, func(l *log) error { return l.End(1, drove(enter.Accepted)) }, true, false},
		{"refused, of a replay", Options{replay: "r"}, func(l *log) error { return l.End(1, drove(enter.Refused)) }, false, false},
	} {
		var said bytes.Buffer
		o := row.o
		o.Program, o.None = &program.Program{Out: &said, Err: &said}, true
		if o.record != "" {
			o.record = filepath.Join(t.TempDir(), o.record)
		}
		l := o.newLog()
		solvetest.Fine(t, row.tell(l), row.why)
		l.close()
		_, err := os.Stat(filepath.Join(o.record, "turn-0001.json"))
		solvetest.Same(t, o.record != "" && err == nil, row.recorded, "%s: recorded", row.why)
		if kept := strings.Contains(said.String(), "kept as "+cache); kept != row.kept {
			t.Errorf("%s: it says %q, want kept in the cache %v", row.why, said.String(), row.kept)
		}
	}
}

// TestDone: a drive's last words count what was entered, say what of it no sign confirmed, and
// claim nothing of what goes on beyond what is seen.
func TestDone(t *testing.T) {
	for _, row := range []struct {
		accepted, entered int
		beyond            bool
		want              string
	}{
		{6, 0, false, "6 of 6 done, of boards seen whole"},
		{5, 1, false, "6 of 6 done, 1 not confirmed, of boards seen whole"},
		{6, 0, true, "6 of 6 done, of boards seen whole; what may be another goes on beyond what is seen: make its window larger, or zoom out"},
	} {
		d := driven{accepted: row.accepted, entered: row.entered}
		solvetest.Same(t, d.done(6, row.beyond), row.want, "%v", row)
	}
}

// A slate is a canvas that keeps what it shows.
type slate struct{ shapes []picture.Shape }

func (s *slate) Show(shapes []picture.Shape) error {
	s.shapes = shapes
	return nil
}

// words are those that it shows.
func (s *slate) words() (words string) {
	for _, shape := range s.shapes {
		words += shape.Words
	}
	return words
}

func (s *slate) Close() error { return errors.New("closed") }

// TestFaceStates: what is said while it is hidden is shown when it is shown again.
func TestFaceStates(t *testing.T) {
	var s slate
	f := &face{err: new(strings.Builder), over: &s}
	f.say(image.Pt(100, 50), "armed")
	if s.words() != "armed" || s.shapes[0].Points[0] != (picture.Point{X: 112, Y: 62}) {
		t.Errorf("it shows %v", s.shapes)
	}
	f.toggle()
	f.say(image.Pt(100, 50), "running")
	if s.shapes != nil {
		t.Errorf("hidden it shows %v", s.shapes)
	}
	f.toggle()
	solvetest.Same(t, s.words(), "running", "shown again it shows %v", s.shapes)
	var none *face
	none.say(image.Point{}, "armed")
	none.draw(image.Point{})
	none.close()
}

// TestLineColour: six digits, with # or without.
func TestLineColour(t *testing.T) {
	solvetest.Same(t, solvetest.Must((&faceFlags{colour: "0080FF"}).lineColour())(t), (color.RGBA{0, 0x80, 0xff, 0xff}), "0080FF")
}

// TestEnding: why the mouse stopped, in the words that are shown over the screen.
func TestEnding(t *testing.T) {
	for _, row := range []struct {
		err  error
		want string
	}{
		{nil, "done"},
		{errors.New("drive: the mouse was moved by hand"), "the mouse was moved by hand"},
	} {
		solvetest.Same(t, ending(row.err), row.want, "%v", row.err)
	}
}

// TestFaceRests: what is said last stays for a while; where nothing is said nothing waits.
func TestFaceRests(t *testing.T) {
	for words, want := range map[string]time.Duration{"": 0, "the mouse was moved by hand": stopRest} {
		synctest.Test(t, func(t *testing.T) {
			f := &face{err: new(strings.Builder), over: new(slate)}
			if words != "" {
				f.say(image.Point{}, words)
			}
			began := time.Now()
			f.close()
			if took := time.Since(began); took != want || words != "" && took < time.Second {
				t.Errorf("%q is shown for %v, want %v", words, took, want)
			}
		})
	}
}

// TestTrim keeps the newest over all runs.
func TestTrim(t *testing.T) {
	root := t.TempDir()
	for run := range 3 {
		dir := filepath.Join(root, fmt.Sprintf("2026010%d-000000", run+1))
		solvetest.OK(t, os.Mkdir(dir, 0o755))
		for n := range 2 {
			for _, name := range []string{"turn-%04d.json", "frame-%04d.png"} {
				solvetest.OK(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf(name, n+1)), nil, 0o644))
			}
		}
	}
	if taken, err := trim(root, 3); taken != 3 || err != nil {
		t.Fatalf("%d taken, %v, want 3", taken, err)
	}
	left, err := filepath.Glob(filepath.Join(root, "*", "*"))
	if err != nil || len(left) != 6 {
		t.Errorf("%d files are left, %v, want 6: %v", len(left), err, left)
	}
	if isThere(filepath.Join(root, "20260101-000000")) || !isThere(filepath.Join(root, "20260102-000000", "frame-0002.png")) {
		t.Errorf("not the oldest went: %v", left)
	}
}

func isThere(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

// sighted is a new board of a Turn with its answer, or what came of it.
func sighted(t *testing.T, p *program.Program, family, text string) see.Sighting {
	t.Helper()
	g := p.Games.Find(family)
	puzzle := solvetest.Must(g.Family.Parse(text))(t)
	s := see.Sighting{Reading: see.Reading{Game: g, Puzzle: puzzle, Board: &vision.Board{}}, Text: text, New: true, Millis: see.Millis{"solve": 1.5}}
	found := (&answer.Service{}).Answer(t.Context(), answer.Question{Family: family, Puzzle: puzzle})
	s.Answer, s.Failed = found.Answer, found.Err
	return s
}

const (
	shrine     = "FTTFT\nTTFTT\nTTTFT\nFTTTF\n"
	noSolution = "panel 1x1\n+->\n|a|\n@-+\na = black star\n"
)

// TestJournal keeps the puzzles of two Turns, each once.
func TestJournal(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "s.sqlite")
	a := program.New([]see.Game{{Family: &witness.Family}, {Family: &fans.Family}}, nil, os.Stdout, os.Stderr)
	f := &Options{Program: a, StoreFlags: program.StoreFlags{File: file}, record: dir}
	f.Window = "The Panels"
	j := f.newLog()
	one := sighted(t, a, "witness", noSolution)
	two := sighted(t, a, "fans", shrine)
	seen := two
	seen.New = false
	unsure := see.Sighting{Reading: see.Reading{Game: a.Games.Find("witness"), Board: &vision.Board{}, Err: solve.ErrNotSupported}, New: true, Failed: solve.ErrNotSupported}
	first := &see.Turn{Number: 1, At: time.Now(), Frame: image.NewRGBA(image.Rect(0, 0, 2, 2)), Boards: []see.Sighting{one, two, unsure}}
	j.remember(first)
	j.remember(&see.Turn{Number: 2, At: time.Now(), Boards: []see.Sighting{seen}})
	j.close()

	ctx := t.Context()
	s := solvetest.Must(store.Open(ctx, file, answer.Judge))(t)
	defer s.Close()
	for i, want := range []store.AnswerState{store.Unsolvable, store.Solved} {
		e, err := s.Get(ctx, int64(i+1))
		places, err2 := s.Sightings(ctx, e.ID)
		if err != nil || err2 != nil || e.Status != want || len(places) != 1 || places[0].Source != store.Screen || places[0].Place != "The Panels" {
			t.Errorf("%+v in %+v, %v, %v, want %v", e, places, err, err2, want)
		}
	}
	// What is only replayed is not seen again, and --no-store keeps nothing.
	for _, f := range []*Options{{Program: a, replay: dir}, {Program: a, StoreFlags: program.StoreFlags{None: true}}} {
		j := f.newLog()
		if j.service.Memory != nil {
			t.Errorf("replay %q, no store %v: puzzles are kept", f.replay, f.None)
		}
		j.remember(first)
		j.close()
	}
}

// TestFailuresNotInTheWay keeps failing Turns where none can be kept: it is told once.
func TestFailuresNotInTheWay(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	solvetest.OK(t, os.WriteFile(file, nil, 0o600))
	for _, cache := range []string{file, "/dev/full", ""} {
		for _, name := range []string{"XDG_CACHE_HOME", "HOME"} {
			t.Setenv(name, cache)
		}
		var said bytes.Buffer
		l := &log{Options: &Options{Program: &program.Program{Err: &said}}}
		for range 3 {
			solvetest.Same(t, l.keepFailure(&see.Turn{Failed: errors.New("unsure")}, time.Now()), "", "cache %q: kept as", cache)
		}
		if strings.Count(said.String(), "\n") != 1 || !strings.Contains(said.String(), "is not kept: ") {
			t.Errorf("cache %q: it says %q, want one line", cache, said.String())
		}
	}
}

// TestFlagsWithoutEnd: the flags of a record that has no end are an error.
func TestFlagsWithoutEnd(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no /dev/zero")
	}
	dir := t.TempDir()
	solvetest.OK(t, os.Symlink("/dev/zero", filepath.Join(dir, keptName)))
	if err := takeFlags(nil, dir); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("run.json: %v", err)
	}
}

func evenFrame(c color.Color) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, 64, 48))
	draw.Draw(m, m.Rect, image.NewUniform(c), image.Point{}, draw.Src)
	return m
}

func TestSightState(t *testing.T) {
	for _, row := range []struct {
		why  string
		turn see.Turn
		want string
	}{
		{"black", see.Turn{Frame: evenFrame(color.Black), Failed: errors.New("no board found")}, "black picture: "},
		{"plain grey is a window with nothing in it", see.Turn{Frame: evenFrame(color.Gray{128})}, "no board"},
		{"answered beats doubt", see.Turn{Frame: evenFrame(color.White), Boards: []see.Sighting{{Before: "solved"}, {Failed: &vision.UnsureError{}}}}, "answered"},
		{"unsure says why", see.Turn{Frame: evenFrame(color.White), Boards: []see.Sighting{{Failed: errors.New("cell 2")}}}, "unsure: cell 2"},
		{"unsure since an earlier look", see.Turn{Frame: evenFrame(color.White), Boards: []see.Sighting{{Before: "unsure"}}}, "unsure"},
		{"a pillar of which there is more", see.Turn{Frame: evenFrame(color.White), Boards: []see.Sighting{{Before: "unsure", Reading: see.Reading{Err: &see.PartError{Seen: 5, Of: 12, Way: "left"}}}}},
			"more to see: turn the pillar to the left: 5 of 12 columns seen"},
		{"read, not answered yet", see.Turn{Frame: evenFrame(color.White), Boards: []see.Sighting{{}}}, "reading"},
	} {
		if got := sightState(&row.turn); !strings.HasPrefix(got, row.want) {
			t.Errorf("%s: %q, want %q", row.why, got, row.want)
		}
	}
}
