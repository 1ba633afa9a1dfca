package session

import (
	"fmt"
	"time"

	"onlooker/cmd/internal/agent/drive"
	"onlooker/cmd/internal/agent/enter"
	"onlooker/cmd/internal/agent/see"
	"onlooker/cmd/internal/plain"
)

// A log writes down what a session has seen and done: in a folder all of it, where that is
// asked for, and else what failed; and in the store.
type log struct {
	deaf
	*Options
	journal *journal // nil: none is kept
	began   time.Time
	unkept  bool // it was told that failing Turns cannot be kept
}

func (o *Options) newLog() *log {
	return &log{Options: o, journal: o.openJournal(), began: time.Now()}
}

func (l *log) close() { l.journal.close() }

// News writes a look down: one that failed only where the screen was looked at, and nothing in
// it is a finding.
func (l *log) News(t *see.Turn) error {
	failed := l.failing(t)
	return l.keep(t, failed, failed && t.Frame != nil && !l.still() && !beside(t), t.At)
}

// End writes down what became of an answer.
func (l *log) End(n int, d *drive.Drive) error {
	failed := d.Outcome != enter.Accepted && !l.dryRun && (l.json || !l.try)
	return l.driven(d.Turn(n), failed)
}

// driven writes down what was driven; of a replay it was before.
func (l *log) driven(t *see.Turn, failed bool) error {
	if l.replay != "" {
		return nil
	}
	return l.keep(t, failed, failed, l.began)
}

// keep writes a Turn down: every one with --record, else those that are to be kept, in a folder
// that is named by a time.
func (l *log) keep(t *see.Turn, failed, kept bool, run time.Time) (err error) {
	name := ""
	switch {
	case l.record != "":
		if name, err = t.Keep(l.record); err != nil {
			return err
		}
	case kept:
		name = l.keepFailure(t, run)
	}
	l.journal.keep(t, name)
	if failed && name != "" {
		fmt.Fprintf(l.Err, "onlooker: kept as %s\n", name)
	}
	return nil
}

// keepFailure keeps a failing Turn of a run without --record. Where that cannot be it is told
// once, and the name is "".
func (l *log) keepFailure(t *see.Turn, run time.Time) (name string) {
	name, err := keepFailure(t, run)
	if err != nil && !l.unkept {
		l.unkept = true
		fmt.Fprintf(l.Err, "onlooker: what could not be read is not kept: %s\n", plain.Plainly(err))
	}
	return name
}
