package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"iter"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"onlooker/solve"
	"onlooker/solve/solvetest"
)

// A toy is a puzzle of a made-up family: click the cell with that number.
type toy struct {
	cols, rows, number int
	words              string // features
}

func (p toy) MarshalText() ([]byte, error) {
	return fmt.Appendf(nil, "toy %d %d %d %s\n", p.cols, p.rows, p.number, p.words), nil
}
func (p toy) Bounds() image.Rectangle { return image.Rect(0, 0, 2*p.cols+1, 2*p.rows+1) }
func (p toy) Size() (cols, rows int)  { return p.cols, p.rows }
func (p toy) Features() []string      { return strings.Fields(p.words) }
func (p toy) answer() solve.Solution  { return solve.Solution{{image.Pt(2*p.number+1, 1)}} }
func (p toy) another() solve.Solution { return solve.Solution{{image.Pt(2*p.number+1, 3)}} }
func (p toy) entry() News             { return News{Family: "toy", Puzzle: p} }
func (p toy) seen(in, at string) News { n := p.entry(); n.Seen = []Origin{sighted(in, at)}; return n }
func (p toy) answered(own bool) KeptAnswer {
	return KeptAnswer{Solution: p.answer(), Solver: "v1", Own: own, At: day}
}
func (p toy) Solve(context.Context) (solve.Solution, error) {
	return p.answer(), nil
}
func (p toy) Check(ctx context.Context, s solve.Solution) error {
	if len(s) != 1 || len(s[0]) != 1 || s[0][0].X != 2*p.number+1 {
		return &solve.RuleError{Rule: "number", Got: fmt.Sprint(s)}
	}
	return nil
}

// A dear toy has answers that cost something.
type dear struct{ toy }

func (p dear) Fewest(context.Context) (solve.BestAnswer, error) {
	return solve.BestAnswer{}, errors.ErrUnsupported
}

var toys = solve.Family{Name: "toy", Formats: []solve.Format{{Name: "text", Decode: func(r io.Reader) iter.Seq2[solve.Puzzle, error] {
	return func(yield func(solve.Puzzle, error) bool) {
		var p toy
		data, err := io.ReadAll(r)
		if err == nil {
			_, err = fmt.Sscanf(string(data), "toy %d %d %d", &p.cols, &p.rows, &p.number)
		}
		if fields := bytes.Fields(data); err == nil {
			p.words = string(bytes.Join(fields[4:], []byte(" ")))
		}
		yield(p, err)
	}
}}}}

var day = time.Date(2026, 11, 22, 10, 0, 0, 123_000, time.UTC)

func sighted(source, place string) Origin {
	return Origin{Source: source, Place: place, First: day, Last: day, Times: 1}
}

func open(t testing.TB) *Store {
	return openAt(t, filepath.Join(t.TempDir(), "a #1?%", "store.sqlite"))
}

func openAt(t testing.TB, path string) *Store {
	t.Helper()
	s := solvetest.Must(Open(context.Background(), path, solve.Judge))(t)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func keep(t testing.TB, s *Store, news ...News) []int64 {
	t.Helper()
	ids := solvetest.Must(s.Keep(context.Background(), news...))(t)
	return ids
}
