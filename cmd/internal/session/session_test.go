package session

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"onlooker/cmd/internal/agent/drive"
	"onlooker/cmd/internal/agent/enter"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/program"
	"onlooker/solve"
	"onlooker/vision"
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
	all.Beat(see.Beat{})
	all.Look(nil)
	all.Begin(1, nil)
	all.State("running", true)
	if err := errors.Join(all.Board(nil, 2), all.News(nil), all.End(1, nil)); err != nil {
		t.Error(err)
	}
	want := []string{"a beat", "b beat", "a look", "b look", "a begin 1", "b begin 1", "a running true", "b running true", "a board 2", "b board 2", "a news", "b news", "a end 1", "b end 1"}
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
		err := tell(audiences{listener{"a", &said, broken}, listener{"b", &said, nil}})
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
		if got := row.o.failing(&see.Turn{Boards: []see.Sighting{row.board}}); got != row.want {
			t.Errorf("%s: failing is %v, want %v", row.why, got, row.want)
		}
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
		if err := row.tell(l); err != nil {
			t.Errorf("%s: %v", row.why, err)
		}
		l.close()
		_, err := os.Stat(filepath.Join(o.record, "turn-0001.json"))
		if recorded := o.record != "" && err == nil; recorded != row.recorded {
			t.Errorf("%s: recorded is %v, want %v", row.why, recorded, row.recorded)
		}
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
		{6, 0, false, "6 of 6 done"},
		{5, 1, false, "6 of 6 done, 1 not confirmed"},
		{6, 0, true, "6 of 6 done; whole boards alone: what may be another goes on beyond what is seen, so make its window larger, or zoom out"},
	} {
		d := driven{accepted: row.accepted, entered: row.entered}
		if got := d.done(6, row.beyond); got != row.want {
			t.Errorf("%v: %q", row, got)
		}
	}
}
