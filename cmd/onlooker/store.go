package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"onlooker/cmd/internal/agent"
	"onlooker/cmd/internal/store"
	"onlooker/solve"
)

// storeFlags say whether puzzles are kept, and where.
type storeFlags struct {
	none bool
	file string
}

func (f *storeFlags) register(c *cobra.Command) {
	c.Flags().BoolVar(&f.none, "no-store", false, "neither look puzzles up in the store nor keep them there")
	f.registerFile(c)
}

func (f *storeFlags) registerFile(c *cobra.Command) {
	c.Flags().StringVar(&f.file, "store", "", "the store's `FILE` (default: store.sqlite in onlooker's folder of the user's data)")
}

// path is the store's file.
func (f *storeFlags) path() (string, error) {
	if f.file != "" {
		return f.file, nil
	}
	return store.DefaultPath()
}

// A memory is the user's store as a subcommand uses it beside its work. It is
// opened when the first puzzle comes, and never stands in the way: what goes
// wrong with it is told once, and the work goes on without. A nil memory knows
// and keeps nothing.
type memory struct {
	app    *app
	flags  storeFlags
	solver string // the version of this one

	once  sync.Once
	store *store.Store // nil: not opened, or given up
	news  chan store.News
	done  chan struct{}
	told  sync.Once
}

func (a *app) newMemory(f storeFlags) *memory {
	if f.none {
		return nil
	}
	return &memory{app: a, flags: f, solver: solverVersion()}
}

// solverVersion is what answers are marked with. A program that was built
// without a version is told from others by when it was built.
func solverVersion() string {
	version := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		version = info.Main.Version
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				version += " " + s.Value
			}
			if s.Key == "vcs.modified" && s.Value == "true" {
				version += "+"
			}
		}
	}
	if version != "" && version != "(devel)" && version[len(version)-1] != '+' {
		return version
	}
	name, err := os.Executable()
	if err == nil {
		var at os.FileInfo
		if at, err = os.Stat(name); err == nil {
			return version + " of " + at.ModTime().UTC().Format(time.RFC3339Nano)
		}
	}
	return version
}

// open opens the store with the first puzzle.
func (m *memory) open(ctx context.Context) *store.Store {
	if m == nil {
		return nil
	}
	m.once.Do(func() {
		path, err := m.flags.path()
		if err == nil {
			m.store, err = store.Open(ctx, path)
		}
		if err != nil {
			if ctx.Err() == nil {
				m.complain(err)
			}
			return
		}
		// Puzzles are kept beside the solving, many at a time.
		const ahead = 1000
		m.news, m.done = make(chan store.News, ahead), make(chan struct{})
		go m.write()
	})
	return m.store
}

func (m *memory) complain(err error) {
	m.told.Do(func() {
		end := "; going on without it"
		if errors.Is(err, store.ErrReadOnly) {
			end = "" // it is used, and the error says for what not
		}
		fmt.Fprintf(m.app.err, "onlooker: %s%s\n", oneLine(err.Error()), end)
	})
}

// write keeps what comes until there is no more.
func (m *memory) write() {
	defer close(m.done)
	for first := range m.news {
		news := []store.News{first}
		for more := true; more && len(news) < cap(m.news); {
			select {
			case n, ok := <-m.news:
				if more = ok; ok {
					news = append(news, n)
				}
			default:
				more = false
			}
		}
		// An answer that was found is kept, however the search for others ends.
		if err := m.store.KeepEach(context.Background(), news, func(_ int, err error) { m.complain(err) }); err != nil {
			m.complain(err)
		}
	}
}

// mostKept is the largest board that is kept, in half-cells: that of a larger
// one takes megabytes, and longer to look up than to solve.
const mostKept = mostDrawn

func keeps(p solve.Puzzle) bool {
	size := p.Bounds().Size()
	return size.X*size.Y <= mostKept
}

// recall looks a puzzle up; nil where it must be solved.
func (m *memory) recall(ctx context.Context, b board) *store.Known {
	if !keeps(b.puzzle) {
		return nil
	}
	s := m.open(ctx)
	if s == nil {
		return nil
	}
	known, err := s.Recall(ctx, b.game.Name, b.puzzle, m.solver)
	if err != nil && ctx.Err() == nil {
		m.complain(err)
	}
	return known
}

// keep keeps a puzzle with what was found, soon.
func (m *memory) keep(ctx context.Context, n store.News) {
	if keeps(n.Puzzle) && m.open(ctx) != nil {
		m.news <- n
	}
}

// close waits until all is kept.
func (m *memory) close() {
	if m == nil {
		return
	}
	m.once.Do(func() {}) // what comes now comes too late
	if m.store == nil {
		return
	}
	close(m.news)
	<-m.done
	if err := m.store.Close(); err != nil {
		m.complain(err)
	}
}

// remember keeps what became of a board: where it was seen, and the answer or
// the proof, where it is new.
func (m *memory) remember(ctx context.Context, d *decoder, o outcome, f *solveFlags) {
	if m == nil || o.board.err != nil || len(o.lines) == 0 {
		return
	}
	n := store.News{Family: o.board.game.Name, Puzzle: o.board.puzzle, Seen: d.sighting(o.board)}
	first := o.lines[0]
	took := time.Duration(first.line.Millis["solve"] * float64(time.Millisecond))
	switch {
	case first.line.Kept != nil:
	case first.line.Status == statusSolved:
		a := m.answer(n.Puzzle, agent.Answer{Solution: first.solution, Best: first.best}, took)
		if f.all {
			a.Best = nil // it is any answer
		}
		n.Answers = []store.Answer{a}
	case first.line.Status == statusUnsolvable:
		n.Proof = &store.Proof{Why: first.line.Why, Took: took, Solver: m.solver, At: time.Now(), Own: true}
		for _, at := range first.line.Where {
			n.Proof.Where = append(n.Proof.Where, image.Pt(at[0], at[1]))
		}
	}
	m.keep(ctx, n)
}

// answer is an answer that was just found.
func (m *memory) answer(p solve.Puzzle, found agent.Answer, took time.Duration) store.Answer {
	a := store.Answer{Solution: found.Solution, Best: found.Best, Took: took, Solver: m.solver, At: time.Now(), Own: true}
	if _, ok := p.(solve.Minimiser); ok && a.Best == nil {
		a.Best = &solve.Best{Solution: a.Solution} // this puzzle's answers cost nothing
	}
	return a
}

// made keeps a puzzle that was generated.
func (m *memory) made(ctx context.Context, game *agent.Game, p made, place string) {
	if m == nil {
		return
	}
	now := time.Now()
	n := store.News{Family: game.Name, Puzzle: p.puzzle, Seen: []store.Sighting{{Source: store.Generated, Place: place, First: now, Last: now, Times: 1}}}
	if p.answer.Solution != nil {
		n.Answers = []store.Answer{m.answer(p.puzzle, p.answer, p.took)}
	}
	m.keep(ctx, n)
}

// read keeps the puzzles that a picture shows.
func (m *memory) read(ctx context.Context, name string, sight *agent.Sight) {
	if m == nil || sight == nil {
		return
	}
	for _, r := range sight.Readings {
		if r.Err == nil {
			now := time.Now()
			m.keep(ctx, store.News{Family: r.Game.Name, Puzzle: r.Puzzle,
				Seen: []store.Sighting{{Source: store.Picture, Place: fullName(name), First: now, Last: now, Times: 1}}})
		}
	}
}

// fullName is a file's whole path; "" for standard input.
func fullName(name string) string {
	if name == "-" {
		return ""
	}
	if full, err := filepath.Abs(name); err == nil {
		return full
	}
	return name
}

// sighting is where a board was seen, now.
func (d *decoder) sighting(b board) []store.Sighting {
	now := time.Now()
	seen := store.Sighting{Source: b.source, First: now, Last: now, Times: 1}
	place := b.input
	if b.source == store.Typed && d.flags.lines != "" { // it stands in a list
		seen.Source, place = store.File, d.flags.lines
	}
	if seen.Source != store.Typed { // else the input is the puzzle
		seen.Place = fullName(place)
	}
	return []store.Sighting{seen}
}
