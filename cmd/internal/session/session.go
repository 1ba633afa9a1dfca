package session

import (
	"context"
	"errors"
	"slices"

	"onlooker/cmd/internal/agent/drive"
	"onlooker/cmd/internal/agent/see"
	"onlooker/solve"
)

// An Audience is told what a session sees and does, as it happens. All of it is told from one
// goroutine, State alone from any.
type Audience interface {
	// Beat is a frame that was grabbed, looked at or not.
	Beat(see.Beat)
	// Look is what a look came to, with news or without.
	Look(*see.Turn)
	// Board is a board of a look that is new, by its number.
	Board(t *see.Turn, i int) error
	// News is a look with something new, after its boards.
	News(*see.Turn) error
	// Begin is the n-th answer, about to be entered.
	Begin(n int, d *drive.Drive)
	// End is what became of it.
	End(n int, d *drive.Drive) error
	// State is what the session is about, in words; turns says that the mouse starts or
	// stops with it.
	State(words string, turns bool)
}

// deaf is an Audience that hears nothing: others are deaf but for what they hear.
type deaf struct{}

func (deaf) Beat(see.Beat)                  {}
func (deaf) Look(*see.Turn)                 {}
func (deaf) Board(*see.Turn, int) error     { return nil }
func (deaf) News(*see.Turn) error           { return nil }
func (deaf) Begin(int, *drive.Drive)        {}
func (deaf) End(int, *drive.Drive) error    { return nil }
func (deaf) State(words string, turns bool) {}

// audiences are told one after another; the first error ends it.
type audiences []Audience

func (all audiences) Beat(b see.Beat) {
	for _, a := range all {
		a.Beat(b)
	}
}

func (all audiences) Look(t *see.Turn) {
	for _, a := range all {
		a.Look(t)
	}
}

func (all audiences) Board(t *see.Turn, i int) error {
	return all.each(func(a Audience) error { return a.Board(t, i) })
}

func (all audiences) News(t *see.Turn) error {
	return all.each(func(a Audience) error { return a.News(t) })
}

func (all audiences) Begin(n int, d *drive.Drive) {
	for _, a := range all {
		a.Begin(n, d)
	}
}

func (all audiences) End(n int, d *drive.Drive) error {
	return all.each(func(a Audience) error { return a.End(n, d) })
}

func (all audiences) State(words string, turns bool) {
	for _, a := range all {
		a.State(words, turns)
	}
}

func (all audiences) each(tell func(Audience) error) error {
	for _, a := range all {
		if err := tell(a); err != nil {
			return err
		}
	}
	return nil
}

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

// still tells whether pictures are looked at, each by itself, and not a screen.
func (s *Options) still() bool { return s.replay != "" || s.folder != "" }

// fails tells whether a new board counts as a failure. One that is proved to have no answer is
// a finding, as of boards of which one has an answer.
func (s *Options) fails(b *see.Sighting) bool {
	return b.Failed != nil && !(errors.Is(b.Failed, solve.ErrUnsolvable) && (b.Set > 0 || s.still()))
}

// failing tells whether a look, or any of its new boards, failed.
func (s *Options) failing(t *see.Turn) bool {
	failed := t.Failed != nil
	for i := range t.Boards {
		failed = failed || t.Boards[i].New && s.fails(&t.Boards[i])
	}
	return failed
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
