package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/store"
	"onlooker/solve"
)

// A markJSON is what the user says of a puzzle, and did with it by hand.
type markJSON struct {
	ID     int64  `json:"id"` // in the store; 0: it is not kept
	Title  string `json:"title"`
	Note   string `json:"note"`
	Rating int    `json:"rating"`
	Plays  int    `json:"plays"`
	Wins   int    `json:"wins"`
}

func markOf(e *store.Entry) markJSON {
	return markJSON{e.ID, e.Mark.Title, e.Mark.Note, e.Mark.Rating, e.Mark.Plays, e.Mark.Wins}
}

// find is a request's puzzle, and its entry in the store; the zero Entry where
// it is not kept.
func (s *shelf) find(ctx context.Context, a *request) (g *see.Game, p solve.Puzzle, e store.Entry, err error) {
	if g, p, err = s.puzzle(ctx, a); err != nil {
		return nil, nil, e, err
	}
	e, err = s.store.Find(ctx, g.Name, p)
	if errors.Is(err, store.ErrNotFound) {
		err = nil
	}
	return g, p, e, err
}

// marked answers with the mark of a puzzle.
func (s *shelf) marked(ctx context.Context, a *request) (any, error) {
	_, _, e, err := s.find(ctx, a)
	return markOf(&e), err
}

// findOrKeep is find; a puzzle that is not kept is, as one of the page.
func (s *shelf) findOrKeep(ctx context.Context, a *request) (store.Entry, error) {
	g, p, e, err := s.find(ctx, a)
	if err != nil || e.ID != 0 {
		return e, err
	}
	if err := s.keep(store.Page, g, p, nil); err != nil {
		return e, err
	}
	return s.store.Find(ctx, g.Name, p)
}

// mark keeps a puzzle, with the title, the note and the rating that are given,
// and answers with its mark.
func (s *shelf) mark(ctx context.Context, a *request) (any, error) {
	e, err := s.findOrKeep(ctx, a)
	if err != nil {
		return nil, err
	}
	if a.Title != nil || a.Note != nil {
		title, note := e.Mark.Title, e.Mark.Note
		if a.Title != nil {
			title = *a.Title
		}
		if a.Note != nil {
			note = *a.Note
		}
		if err := s.store.Label(ctx, e.ID, title, note); err != nil {
			return nil, err
		}
	}
	if a.Rating != nil {
		if err := s.store.Rate(ctx, e.ID, *a.Rating); err != nil {
			return nil, err
		}
	}
	return s.remarked(ctx, e.ID)
}

// remarked is the mark of a puzzle as it is now.
func (s *shelf) remarked(ctx context.Context, id int64) (any, error) {
	e, err := s.store.Get(ctx, id)
	if err != nil {
		return nil, gone(err)
	}
	return markOf(&e), nil
}

// played counts an answer that was entered by hand; Again says that another one
// was in the same go. Whether it was right is the puzzle's to say.
func (s *shelf) played(ctx context.Context, a *request) (any, error) {
	g, p, _, err := s.find(ctx, a)
	if err != nil {
		return nil, err
	}
	answer, err := solve.FromPairs(a.Stroke)
	if err != nil {
		return nil, err
	}
	e, err := s.findOrKeep(ctx, a)
	if err != nil {
		return nil, err
	}
	if err := s.store.Play(ctx, e.ID, judged(ctx, g, p, answer).OK, a.Again, time.Now()); err != nil {
		return nil, gone(err)
	}
	return s.remarked(ctx, e.ID)
}

// forget takes a puzzle out of the store.
func (s *shelf) forget(ctx context.Context, a *request) (any, error) {
	if err := s.store.Forget(ctx, a.ID); err != nil {
		return nil, gone(err)
	}
	return struct{}{}, nil
}

// pick answers with a puzzle of the store at random, of those that are wanted
// and not the one numbered ID.
func (s *shelf) pick(ctx context.Context, a *request) (any, error) {
	f, _, err := a.Wanted.filter()
	if err != nil {
		return nil, err
	}
	e, err := s.store.Pick(ctx, f, a.ID)
	if err != nil {
		if errors.Is(err, store.ErrNotFound) {
			err = status{http.StatusNotFound, fmt.Errorf("no other puzzle is kept that is wanted")}
		}
		return nil, err
	}
	out := listed(&e)
	out.Text = e.Text
	return out, nil
}
