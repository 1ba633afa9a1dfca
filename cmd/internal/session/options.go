package session

import (
	"errors"
	"time"

	"onlooker/capture"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/intake"
	"onlooker/cmd/internal/plain"
	"onlooker/cmd/internal/program"
	"onlooker/cmd/internal/web"
	"onlooker/solve"
)

// Options are what a session is asked for.
type Options struct {
	*program.Program
	// Serve serves the live page at an address; the caller ends that.
	Serve func(address string) (*web.LiveView, func() error, error)

	intake.ScreenFlags
	intake.LookFlags
	program.StoreFlags
	driveFlags
	faceFlags
	replay, record, pictures, serve string
	folder                          string
	json                            bool
	timeout                         time.Duration
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

// target is what of the screen is looked at.
func (o *Options) target() (capture.Target, error) {
	target, err := o.Target()
	target.Under = o.overlay
	return target, err
}

// doing is what a look at the screen or at a folder is called.
func (o *Options) doing() string {
	if o.folder != "" {
		return "waiting for new pictures in " + plain.OneLine(o.folder)
	}
	return "watching"
}
