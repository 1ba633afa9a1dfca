package web

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"

	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/answer"
	"onlooker/cmd/internal/cli"
	"onlooker/solve"
)

const (
	// beat is the least time between two words of how far a search has come.
	beat = 150 * time.Millisecond
	// maxSent is how many answers are sent at a time.
	maxSent = 200
	// maxCounted is how many answers are counted.
	maxCounted = 1_000_000
)

// An answerJSON is one line of what a search gives. Kind says which:
//
//	"picture"   the bare board; Traced: its search can be drawn
//	"step"      what a search has drawn, and in which step
//	"progress"  Done of Estimate units of work (0: unknown), after Seconds
//	"answer"    an answer and its picture
//	"count"     how many answers there are, AtLeast where there may be more
//	"none"      proved to have no answer
//	"why"       why there is none, and where in the picture
//	"dealt"     a random board
type answerJSON struct {
	Kind     string       `json:"kind"`
	Done     float64      `json:"done,omitempty"`
	Estimate float64      `json:"estimate,omitempty"`
	Seconds  float64      `json:"seconds,omitempty"`
	SVG      string       `json:"svg,omitempty"`
	Traced   bool         `json:"traced,omitempty"`
	Strokes  [][][2]int   `json:"strokes,omitempty"`
	Moves    []string     `json:"moves,omitempty"`
	Millis   float64      `json:"millis,omitempty"`
	Kept     bool         `json:"kept,omitempty"` // the store knew it
	Aim      string       `json:"aim,omitempty"`
	Count    *int         `json:"count,omitempty"`
	AtLeast  bool         `json:"atLeast,omitempty"`
	Groups   *int         `json:"groups,omitempty"`
	What     string       `json:"what,omitempty"` // in which way Groups differ
	Why      string       `json:"why,omitempty"`
	Where    [][2]float64 `json:"where,omitempty"` // in the picture's coordinates
	Family   string       `json:"family,omitempty"`
	Text     string       `json:"text,omitempty"`
	Seed     string       `json:"seed,omitempty"`
	Number   int          `json:"number,omitempty"`
}

// solve streams what is to be said of a puzzle: an answer and how many there
// are (up to Number, 2 if it is 0), or that there is none and why. What the
// store knows is not solved again, and what comes from somewhere is kept.
func (s *Server) solve(w http.ResponseWriter, r *http.Request) {
	s.stream(w, r, func(ctx context.Context, a *request, out *lines) error {
		g, p, err := s.puzzle(ctx, a)
		if err != nil {
			return err
		}
		_, traced := p.(solve.Tracer)
		out.send(answerJSON{Kind: "picture", SVG: svg(g, p, nil), Traced: traced && drawable(p, maxShapes)})
		q := answer.Question{Family: g.Name, Puzzle: p, Report: reporter(out, time.Now())}
		found := s.service.Answer(ctx, q)
		millis := float64((found.Recalled + found.Took).Microseconds()) / 1000
		switch {
		case errors.Is(found.Err, solve.ErrUnsolvable):
			out.send(answerJSON{Kind: "none", Millis: millis, Kept: found.Kept != nil})
			if err := s.why(ctx, g, p, &found, out); err != nil {
				return err
			}
			return s.shelf.keep(a.Source, g, p, &found)
		case found.Err != nil:
			return found.Err
		}
		line := answered(g, p, found.Solution)
		line.Millis, line.Kept, line.Aim = millis, found.Kept != nil, cli.Aim(p, found.Best)
		kept := s.shelf.keep(a.Source, g, p, &found)
		out.send(line)
		if err := s.count(ctx, p, min(max(2, a.Number), maxCounted), out); err != nil {
			return err
		}
		return kept // what cannot be kept is told last
	})
}

func reporter(out *lines, start time.Time) func(done, estimate float64) {
	var last time.Time
	return func(done, estimate float64) {
		if now := time.Now(); now.Sub(last) >= beat {
			last = now
			out.send(answerJSON{Kind: "progress", Done: done, Estimate: max(estimate, 0), Seconds: now.Sub(start).Seconds()})
		}
	}
}

// answered draws an answer, and tells it where that is not more than a page shows.
func answered(g *see.Game, p solve.Puzzle, found solve.Solution) answerJSON {
	line := answerJSON{Kind: "answer", Strokes: found.Pairs(), SVG: svg(g, p, found)}
	if drawable(p, maxShapes) {
		line.Moves = cli.Told(p, found)
	}
	return line
}

// why tells the reason, from the store where that has it.
func (s *Server) why(ctx context.Context, g *see.Game, p solve.Puzzle, found *answer.Result, out *lines) error {
	if found.Reason.Text == "" {
		if _, ok := p.(solve.Prover); !ok {
			return nil // "none" stands, without a reason
		}
		var err error
		found.Reason, err = s.service.Why(ctx, p)
		switch {
		case errors.Is(err, solve.ErrNotSupported):
			out.send(answerJSON{Kind: "why", Why: "why cannot be told: " + strings.TrimPrefix(err.Error(), "why: ")})
			return nil
		case err != nil:
			return err
		}
	}
	out.send(answerJSON{Kind: "why", Why: found.Reason.Text, Where: places(g, p, found.Reason.Where)})
	return nil
}

func (s *Server) count(ctx context.Context, p solve.Puzzle, limit int, out *lines) error {
	if _, ok := p.(solve.Counter); !ok {
		return nil
	}
	c, err := s.service.Count(ctx, p, limit)
	if err == nil {
		out.send(answerJSON{Kind: "count", Count: &c.Answers, AtLeast: c.AtLeast, Groups: c.Groups, What: c.What})
	}
	return err
}

// answers streams answers From, From+1, … without pictures, Number of them.
func (s *Server) answers(w http.ResponseWriter, r *http.Request) {
	s.stream(w, r, func(ctx context.Context, a *request, out *lines) error {
		g, p, err := s.puzzle(ctx, a)
		if err != nil {
			return err
		}
		if _, ok := p.(solve.Enumerator); !ok {
			return fmt.Errorf("%s does not list all answers", g.Name)
		}
		wanted := min(max(a.Number, 1), maxSent)
		n := 0
		for found, err := range s.service.All(ctx, answer.Question{Family: g.Name, Puzzle: p}) {
			if errors.Is(err, solve.ErrUnsolvable) {
				break
			}
			if err != nil {
				return err
			}
			if n++; n <= a.From {
				continue
			}
			if !out.send(answerJSON{Kind: "answer", Number: n - 1, Strokes: found.Pairs()}) || n == a.From+wanted {
				return nil
			}
		}
		out.send(answerJSON{Kind: "count", Count: &n})
		return nil
	})
}

// trace streams what a search tries, at a speed that people follow.
func (s *Server) trace(w http.ResponseWriter, r *http.Request) {
	s.stream(w, r, func(ctx context.Context, a *request, out *lines) error {
		g, p, err := s.puzzle(ctx, a)
		if err != nil {
			return err
		}
		t, ok := p.(solve.Tracer)
		if !ok || !drawable(p, maxShapes) {
			return fmt.Errorf("the search for this board of %s is not drawn", g.Name)
		}
		return cli.DrawSearch(ctx, t, func(step int, drawn solve.Solution) error {
			out.send(answerJSON{Kind: "step", Number: step, Strokes: drawn.Pairs()}) // who has gone ends the search
			return nil
		})
	})
}

// random deals a board that has an answer; with Unique only one answer.
func (s *Server) random(w http.ResponseWriter, r *http.Request) {
	s.stream(w, r, func(ctx context.Context, a *request, out *lines) error {
		g, err := s.game(a.Family)
		if err != nil {
			return err
		}
		if g.Generate == nil {
			return fmt.Errorf("%s has no random boards", g.Name)
		}
		if err := a.sized(); err != nil {
			return err
		}
		seed := uint64(rand.Uint32())
		if a.Seed != "" {
			if seed, err = strconv.ParseUint(a.Seed, 10, 64); err != nil {
				return fmt.Errorf("seed %q, want a number from 0 up", a.Seed)
			}
		}
		start := time.Now()
		tell := reporter(out, start)
		rng := rand.New(rand.NewPCG(seed, 0))
		for tries := 1; ; tries++ {
			p, err := g.Deal(ctx, rng, solve.Order{Cols: a.Cols, Rows: a.Rows, Preset: a.Preset, Wishes: a.Wishes, Unique: a.Unique})
			if err != nil {
				return err
			}
			if a.Unique {
				only, err := solve.Single(ctx, p)
				if err != nil {
					return err
				}
				if !only {
					tell(float64(tries), 0)
					continue
				}
			}
			text, err := canonical(p)
			if err != nil {
				return err
			}
			out.send(answerJSON{Kind: "dealt", Family: g.Name, Text: text, Seed: strconv.FormatUint(seed, 10), Number: tries})
			return nil
		}
	})
}
