// Package session has the command that watches: it looks at boards, answers them, and with
// --drive enters the answers. What it sees and does it tells an Audience: the terminal, its
// bell, the page, the overlay, and the log.
package session

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"onlooker/capture"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/cli"
	"onlooker/cmd/internal/program"
	"onlooker/input"
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
			if err := s.audience.each(func(a Audience) error { return a.Board(t, i) }); err != nil {
				return err
			}
		}
	}
	s.failed = s.failed || s.failing(t)
	return s.audience.each(func(a Audience) error { return a.News(t) })
}

// watching looks, and shows what it sees.
func (s *session) watching(ctx context.Context) (err error) {
	source, err := s.source(ctx)
	if err != nil {
		return err
	}
	defer func() {
		if closed := source.Close(); err == nil {
			err = closed
		}
	}()
	terminal := s.terminal()
	if err := s.gather(terminal, bell{Options: s.Options}); err != nil {
		return err
	}
	loop := &see.Loop{Source: source, Observer: &see.Observer{Eye: s.eye, Timeout: s.timeout}, Replay: s.still()}
	if s.face != nil {
		s.audience = append(s.audience, sights{face: s.face})
		if device, err := input.Open(""); err != nil {
			fmt.Fprintf(s.Err, "onlooker: no keys: %s\n", cli.OneLine(err.Error()))
		} else {
			defer device.Close()
			s.keys(device, loop.LookAgain)
		}
	}
	loop.Beat = func(b see.Beat) { s.audience.tell(func(a Audience) { a.Beat(b) }) }
	loop.Looked = func(t *see.Turn) { s.audience.tell(func(a Audience) { a.Look(t) }) }
	if !s.json && s.replay == "" {
		fmt.Fprintln(s.Err, s.doing()+"; Ctrl-C ends it")
	}
	if err := loop.Run(ctx, s.news); err != nil {
		return err
	}
	terminal.clearStatus()
	if s.failed && s.replay != "" {
		return program.ErrFailed
	}
	return nil
}

// source opens what is looked at. A window that is not there is waited for.
func (s *session) source(ctx context.Context) (capture.Source, error) {
	target, err := s.target()
	switch {
	case err != nil:
		return nil, err
	case s.replay != "":
		return capture.OpenDir(s.replay)
	case s.folder != "":
		return capture.OpenShots(s.folder)
	case target.Window == "":
		return capture.Open(ctx, target)
	}
	return &capture.PatientSource{
		Open: func(ctx context.Context) (capture.Source, error) { return capture.Open(ctx, target) },
		Waits: func(why error) {
			fmt.Fprintf(s.Err, "waiting for the window %q (%s)\n", target.Window, cli.OneLine(why.Error()))
			s.audience.State(fmt.Sprintf("waiting for the window %q", target.Window), false)
		},
	}, nil
}
