package program

import (
	"cmp"
	"fmt"
	"io"
	"sync"
	"time"

	"onlooker/cmd/internal/cli"
)

// quietFor is how long a board is worked on before a word is said of it.
const quietFor = time.Second

// A Progress line tells how far the boards have come that take long. There is
// one line, which the board told last has; it goes before anything is printed.
type Progress struct {
	mu    sync.Mutex
	out   io.Writer // a terminal; nil: nobody is told
	quiet time.Duration
	shown bool
}

// Progress tells the user's terminal, and nobody where errors go elsewhere.
func (p *Program) Progress() *Progress {
	if !cli.Terminal(p.Err) {
		return &Progress{}
	}
	return &Progress{out: p.Err, quiet: cmp.Or(p.Quiet, quietFor)}
}

// Of is what a solver reports to for the board of that name.
func (p *Progress) Of(name string, start time.Time) func(done, estimate float64) {
	if p.out == nil {
		return nil
	}
	return func(done, estimate float64) {
		if spent := time.Since(start); spent > p.quiet {
			p.tell(name, spent, done, estimate)
		}
	}
}

func (p *Progress) tell(name string, spent time.Duration, done, estimate float64) {
	all := "total unknown"
	if estimate > 0 {
		all = fmt.Sprintf("perhaps %.0f in all", max(estimate, done))
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprintf(p.out, "\r%s: %.0f s, %.0f conflicts so far (%s)\x1b[K", cli.Shorten(name), spent.Seconds(), done, all)
	p.shown = true
}

// Say says what is done now.
func (p *Progress) Say(what string) {
	if p.out == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprintf(p.out, "\r%s\x1b[K", what)
	p.shown = true
}

// During says each second that something is worked on, until the function that it returns
// is called, which takes the line away.
func (p *Progress) During(what string) (done func()) {
	return p.Through(func() string { return what })
}

// Through is During for what changes on the way, as a count does.
func (p *Progress) Through(what func() string) (done func()) {
	if p.out == nil {
		return func() {}
	}
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		start := time.Now()
		tick := time.NewTicker(p.quiet)
		defer tick.Stop()
		for {
			select {
			case <-end:
				return
			case <-tick.C:
				p.mu.Lock()
				fmt.Fprintf(p.out, "\r%s: %.0f s\x1b[K", cli.Shorten(what()), time.Since(start).Seconds())
				p.shown = true
				p.mu.Unlock()
			}
		}
	}()
	return func() {
		close(end)
		<-ended
		p.Clear()
	}
}

// Clear takes the line away.
func (p *Progress) Clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.out, "\r\x1b[K")
		p.shown = false
	}
}
