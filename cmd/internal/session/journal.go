package session

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"time"

	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/intake"
	"onlooker/cmd/internal/program"
	"onlooker/cmd/internal/store"
)

// A journal keeps a run of the agent in the store: each Turn with something
// new, its frame's file, and the puzzles in it. It writes beside the run, which
// never waits for the disk. A nil journal keeps nothing.
type journal struct {
	keeper  *answer.Keeper
	service *answer.Service
	place   string // where the puzzles are seen
	run     store.Run
	entries chan entry
	done    chan struct{}
}

// An entry is a Turn as it is kept.
type entry struct {
	turn store.RunTurn
	news []store.News
}

// openJournal is of a run of watch, or of --drive; nil where a run is only replayed.
func (f *Options) openJournal() *journal {
	if f.None || f.replay != "" {
		return nil
	}
	j := &journal{keeper: f.Keeper(f.StoreFlags), service: &answer.Service{Version: program.SolverVersion()}, place: f.Window, done: make(chan struct{})}
	if f.Window == "" {
		j.place = fmt.Sprintf("display %d", f.Display)
	}
	what := "watch"
	if f.drive {
		what = "drive"
	}
	flags, err := json.Marshal(map[string]any{"display": f.Display, "window": f.Window, "region": f.ScreenFlags.Region, "profile": f.Profile, "dryRun": f.dryRun})
	if err != nil {
		flags = []byte("{}") // they are text and numbers
	}
	folder := ""
	if f.record != "" {
		folder = intake.FullName(f.record)
	}
	j.run = store.Run{At: time.Now(), What: what, Flags: flags, Folder: folder}
	// More Turns than come in a minute; after that a run does wait.
	const ahead = 1000
	j.entries = make(chan entry, ahead)
	go j.write()
	return j
}

// keep takes a Turn, and the name of its file where it was kept in one.
func (j *journal) keep(t *see.Turn, kept string) {
	if j == nil {
		return
	}
	p := entry{turn: store.RunTurn{Number: t.Number, At: t.At}}
	frame := ""
	if kept != "" && t.Frame != nil {
		frame = t.FrameFile()
		p.turn.Frame = intake.FullName(filepath.Join(filepath.Dir(kept), frame))
	}
	var err error
	if p.turn.Record, err = json.Marshal(t.Record(frame)); err != nil {
		j.keeper.Complain(err)
		return
	}
	for i := range t.Boards {
		if b := &t.Boards[i]; b.New && b.Puzzle != nil && b.Text != "" {
			p.news = append(p.news, j.news(t, b))
		}
	}
	j.entries <- p
}

// news is what a Turn tells of one board.
func (j *journal) news(t *see.Turn, b *see.Sighting) store.News {
	took := time.Duration(b.Millis["solve"] * float64(time.Millisecond))
	return j.service.News(b.Game.Name, b.Puzzle, &answer.Result{Answer: b.Answer, Err: b.Failed, Took: took},
		store.Origin{Source: store.Screen, Place: j.place, First: t.At, Last: t.At, Times: 1})
}

func (j *journal) write() {
	defer close(j.done)
	ctx := context.Background() // what was seen is kept, however the run ends
	var run int64
	for p := range j.entries {
		s := j.keeper.Open(ctx)
		if s == nil {
			continue
		}
		var err error
		if run == 0 {
			run, err = s.BeginRun(ctx, j.run)
		}
		if err == nil {
			p.turn.Puzzles, err = s.Keep(ctx, p.news...)
		}
		if err == nil {
			err = s.KeepTurn(ctx, run, p.turn)
		}
		if err != nil {
			j.keeper.Complain(err)
		}
	}
}

// close waits until all is kept.
func (j *journal) close() {
	if j == nil {
		return
	}
	close(j.entries)
	<-j.done
	j.keeper.Close()
}
