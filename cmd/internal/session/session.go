package session

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"onlooker/capture"
	"onlooker/cmd/internal/agent/see"
)

// A session is one run of watch, with the mouse or without.
type session struct {
	*Options
	eye      *see.Eye
	face     *face // nil: nothing is drawn over the screen
	audience audiences
	log      *log // one of them
	closers  []func()
	failed   bool // a board, or a look
}

// run runs a session to its end.
func (o *Options) run(ctx context.Context) (err error) {
	s := &session{Options: o}
	defer func() {
		if errors.Is(err, capture.ErrNoDisplay) {
			err = fmt.Errorf("%w; onlooker doctor says what to do", err)
		}
	}()
	defer func() {
		for _, end := range slices.Backward(s.closers) {
			end()
		}
	}()
	if _, err := o.target(); err != nil {
		return err
	}
	if s.eye, err = o.LookFlags.Eye(o.Games); err != nil {
		return err
	}
	if s.face, err = openFace(&o.faceFlags, o.Err); err != nil {
		return err
	}
	s.closers = append(s.closers, s.face.close)
	if o.drive {
		return s.driving(ctx)
	}
	return s.watching(ctx)
}

// gather has some listen, and those that every session may have.
func (s *session) gather(first ...Audience) error {
	s.audience = first
	if s.pictures != "" {
		s.audience = append(s.audience, &pictures{Options: s.Options})
	}
	if s.serve != "" {
		live, stop, err := s.Serve(s.serve)
		if err != nil {
			return err
		}
		s.closers = append(s.closers, func() { _ = stop() })
		s.audience = append(s.audience, page{live: live})
	}
	s.log = s.newLog()
	s.closers = append(s.closers, s.log.close)
	s.audience = append(s.audience, s.log)
	return nil
}

// news tells of a look with something new.
func (s *session) news(t *see.Turn) error {
	for i := range t.Boards {
		if t.Boards[i].New {
			if err := s.audience.Board(t, i); err != nil {
				return err
			}
		}
	}
	s.failed = s.failed || s.failing(t)
	return s.audience.News(t)
}
