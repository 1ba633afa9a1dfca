package session

import (
	"context"
	"fmt"
	"os"

	"onlooker/capture"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/plain"
	"onlooker/cmd/internal/program"
	"onlooker/input"
)

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
	if s.pictures != "" {
		if err := os.MkdirAll(s.pictures, 0o755); err != nil {
			return err
		}
	}
	terminal := s.terminal()
	defer terminal.close()
	if err := s.gather(terminal); err != nil {
		return err
	}
	loop := &see.Loop{Source: source, Observer: &see.Observer{Eye: s.eye, Timeout: s.timeout}, Replay: s.still()}
	if s.face != nil {
		s.audience = append(s.audience, sights{face: s.face})
		if device, err := input.Open(""); err != nil {
			fmt.Fprintf(s.Err, "onlooker: no keys: %s\n", plain.OneLine(err.Error()))
		} else {
			defer device.Close()
			s.keys(device, loop.LookAgain)
		}
	}
	loop.Beat, loop.Looked = s.audience.Beat, s.audience.Look
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
			fmt.Fprintf(s.Err, "waiting for the window %q (%s)\n", target.Window, plain.OneLine(why.Error()))
			s.audience.State(fmt.Sprintf("waiting for the window %q", target.Window), false)
		},
	}, nil
}
