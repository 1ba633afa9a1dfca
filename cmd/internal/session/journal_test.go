package session

import (
	"image"
	"os"
	"path/filepath"
	"testing"
	"time"

	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/program"
	"onlooker/cmd/internal/store"
	"onlooker/solve"
	"onlooker/solve/fans"
	"onlooker/solve/solvetest"
	"onlooker/solve/witness"
	"onlooker/vision"
)

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
